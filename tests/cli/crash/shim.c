/* A library that is preloaded before the C library, to end or to trouble a program at a chosen call
 * that changes files. Everything is asked for in the environment:
 *
 *   RIA_SHIM_KILL=k     the process is killed (SIGKILL) just before its k-th such call, k from 0
 *   RIA_SHIM_HALF=1     a write that would be that call writes the first half before
 *   RIA_SHIM_COUNT=f    the number of calls of a process that came to its end goes to file f
 *   RIA_SHIM_FULL=n     after n bytes the disk is full, but for room that was allocated before
 *   RIA_SHIM_FAIL=k     its k-th such call and all later ones fail; for lack of room or quota those
 *                       alone that need some
 *   RIA_SHIM_ONCE=1     only the k-th
 *   RIA_SHIM_ERRNO=n    the error of FAIL and FULL; ENOSPC if none is given
 *   RIA_SHIM_NO_LOCKS=n the file system has no locks: flock fails with ENOLCK (1) or ENOSYS (2), or
 *                       succeeds for everybody (3)
 *   RIA_SHIM_WAIT=ms    wait so long before the first file takes its name
 *   RIA_SHIM_NO_SYNC=1  nothing waits for the disk: no power is cut here
 *
 * Calls: opening to write, writing, renaming, making, removing, cutting off, allocating. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 1024 };

static atomic_long calls, written;
static long kill_at = -1, full_at = -1, fail_at = -1, wait_ms, no_locks;
static int error;
static bool half, once, no_sync;
static atomic_int waited;
static _Atomic long allocated[FILES]; /* bytes that are left of it, by descriptor */

static long asked(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text ? atol(text) : otherwise;
}

__attribute__((constructor)) static void begin(void) {
  kill_at = asked("RIA_SHIM_KILL", -1);
  full_at = asked("RIA_SHIM_FULL", -1);
  wait_ms = asked("RIA_SHIM_WAIT", 0);
  half = asked("RIA_SHIM_HALF", 0) != 0;
  fail_at = asked("RIA_SHIM_FAIL", -1);
  once = asked("RIA_SHIM_ONCE", 0) != 0;
  error = (int)asked("RIA_SHIM_ERRNO", ENOSPC);
  no_locks = asked("RIA_SHIM_NO_LOCKS", 0);
  no_sync = asked("RIA_SHIM_NO_SYNC", 0) != 0;
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("RIA_SHIM_COUNT");
  char text[32];
  if (!path) return;
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const int n = snprintf(text, sizeof text, "%ld\n", (long)calls);
  syscall(SYS_write, fd, text, n);
  syscall(SYS_close, fd);
}

static void die(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

typedef enum needs { NO_ROOM, ROOM } needs;

/* Count a call. Does it fail, with errno? half_of: what to do before the process is killed there.
 */
static bool call_fails(needs what, int fd, const void *half_of, size_t n) {
  const long k = atomic_fetch_add(&calls, 1);
  if (k == kill_at) {
    if (half && half_of) syscall(SYS_write, fd, half_of, n / 2);
    die();
  }
  if (fail_at < 0 || k < fail_at || (once && k > fail_at)) return false;
  if (what == NO_ROOM && (error == ENOSPC || error == EDQUOT)) return false;
  errno = error;
  return true;
}

static bool fails(needs what) { return call_fails(what, -1, NULL, 0); }

/* Bytes of n that still fit; what was allocated fits always. */
static size_t fitting(int fd, size_t n) {
  if (full_at < 0 || fd <= 2) return n;
  if (fd < FILES && allocated[fd] >= (long)n) {
    allocated[fd] -= (long)n;
    return n;
  }
  const long before = atomic_fetch_add(&written, (long)n);
  const long left = full_at - before;
  return left <= 0 ? 0 : left < (long)n ? (size_t)left : n;
}

/* --- opening --- */

static int open_at(int dir, const char *path, int flags, mode_t mode) {
  if ((flags & O_ACCMODE) != O_RDONLY && fails(flags & O_CREAT ? ROOM : NO_ROOM)) return -1;
  const int fd = (int)syscall(SYS_openat, dir, path, flags, mode);
  if (fd >= 0 && fd < FILES) allocated[fd] = 0;
  return fd;
}

static mode_t mode_given(int flags, va_list args) {
  return flags & O_CREAT ? (mode_t)va_arg(args, int) : 0;
}

#define OPEN(name)                                                                                 \
  int name(const char *path, int flags, ...);                                                      \
  int name(const char *path, int flags, ...) {                                                     \
    va_list args;                                                                                  \
    va_start(args, flags);                                                                         \
    const mode_t mode = mode_given(flags, args);                                                   \
    va_end(args);                                                                                  \
    return open_at(AT_FDCWD, path, flags, mode);                                                   \
  }
#define OPENAT(name)                                                                               \
  int name(int dir, const char *path, int flags, ...);                                             \
  int name(int dir, const char *path, int flags, ...) {                                            \
    va_list args;                                                                                  \
    va_start(args, flags);                                                                         \
    const mode_t mode = mode_given(flags, args);                                                   \
    va_end(args);                                                                                  \
    return open_at(dir, path, flags, mode);                                                        \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

/* What fortified programs call in their place, with flags that create nothing. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);
int __open_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __openat_2(int dir, const char *path, int flags) { return open_at(dir, path, flags, 0); }
int __openat64_2(int dir, const char *path, int flags) { return open_at(dir, path, flags, 0); }

/* --- writing --- */

ssize_t write(int fd, const void *data, size_t n) {
  const needs what = fd > 2 && fd < FILES && allocated[fd] >= (long)n ? NO_ROOM : ROOM;
  if (fd > 2 && call_fails(what, fd, data, n)) return -1;
  const size_t fits = fitting(fd, n);
  if (n && !fits) {
    errno = error;
    return -1;
  }
  return syscall(SYS_write, fd, data, fits);
}

int ftruncate(int fd, off_t n) {
  if (fails(NO_ROOM)) return -1;
  return (int)syscall(SYS_ftruncate, fd, n);
}

int posix_fallocate(int fd, off_t from, off_t n) {
  if (fails(ROOM) || (full_at >= 0 && fitting(fd, (size_t)n) < (size_t)n)) return error;
  if (fd < FILES) allocated[fd] = (long)n;
  return syscall(SYS_fallocate, fd, 0, from, n) == 0 ? 0 : errno;
}

/* --- names --- */

int rename(const char *from, const char *to) {
  if (fails(NO_ROOM)) return -1;
  if (wait_ms && atomic_fetch_add(&waited, 1) == 0) {
    const struct timespec rest = {wait_ms / 1000, wait_ms % 1000 * 1000000};
    nanosleep(&rest, NULL);
  }
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int mkdir(const char *path, mode_t mode) {
  if (fails(ROOM)) return -1;
  return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int unlink(const char *path) {
  if (fails(NO_ROOM)) return -1;
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int rmdir(const char *path) {
  if (fails(NO_ROOM)) return -1;
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

int unlinkat(int dir, const char *path, int flags) {
  if (fails(NO_ROOM)) return -1;
  return (int)syscall(SYS_unlinkat, dir, path, flags);
}

/* --- syncing, locks --- */

static int sync_by(long number, int fd) {
  if (error == EIO && !once && fail_at >= 0 && atomic_load(&calls) > fail_at) {
    errno = EIO;
    return -1;
  }
  return no_sync ? 0 : (int)syscall(number, fd);
}
int fsync(int fd) { return sync_by(SYS_fsync, fd); }
int fdatasync(int fd) { return sync_by(SYS_fdatasync, fd); }
int syncfs(int fd) { return sync_by(SYS_syncfs, fd); }

int flock(int fd, int operation) {
  if (no_locks) errno = no_locks == 2 ? ENOSYS : ENOLCK;
  if (no_locks) return no_locks == 3 ? 0 : -1;
  return (int)syscall(SYS_flock, fd, operation);
}
