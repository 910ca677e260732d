/* A library that is preloaded before the C library and writes down what a run does to files, in
 * order: what a disk that loses power may have of it can be made from that (power.py).
 *
 *   RIA_RECORD=f   to file f
 *
 * A line each, names to the end of the line:
 *   O <fd> <flags> <path>    opened         W <fd> <at> <n>\n<n bytes>\n   written
 *   T <fd> <n>               cut to n       A <fd> <from> <n>              allocated
 *   M <path>                 made           R <path>\n<path>               renamed
 *   U <path>                 removed        S <fd>, F <fd>                 file synced, file system
 *
 * A line is written while no other call is under way, after it was done. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int log_fd = -1;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("RIA_RECORD");
  if (!path) return;
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  log_fd = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 900); /* where no other file comes */
  syscall(SYS_close, fd);
}

static void put(const void *data, size_t n) { syscall(SYS_write, log_fd, data, n); }

__attribute__((format(printf, 1, 2))) static void line(const char *fmt, ...) {
  char text[2 * PATH_MAX + 64];
  va_list args;
  va_start(args, fmt);
  const int n = vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  if (log_fd >= 0) put(text, (size_t)n);
}

static void lock(void) { pthread_mutex_lock(&turn); }

static int done(int result) {
  const int code = errno;
  pthread_mutex_unlock(&turn);
  errno = code;
  return result;
}

/* A name from /. */
static const char *absolute(int dir, const char *name, char path[PATH_MAX]) {
  char link[64], folder[PATH_MAX / 2] = "";
  if (name[0] == '/') return name;
  snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
  const long n = syscall(SYS_readlinkat, AT_FDCWD, dir == AT_FDCWD ? "/proc/self/cwd" : link,
                         folder, sizeof folder - 1);
  if (n > 0) folder[n] = '\0';
  snprintf(path, PATH_MAX, "%s/%.2000s", folder, name);
  return path;
}

static int open_at(int dir, const char *path, int flags, mode_t mode) {
  char room[PATH_MAX];
  lock();
  const int fd = (int)syscall(SYS_openat, dir, path, flags, mode);
  if (fd >= 0) line("O %d %d %s\n", fd, flags, absolute(dir, path, room));
  return done(fd);
}

#define OPEN(name, ...)                                                                            \
  int name(__VA_ARGS__ const char *path, int flags, ...);                                          \
  int name(__VA_ARGS__ const char *path, int flags, ...) {                                         \
    va_list args;                                                                                  \
    va_start(args, flags);                                                                         \
    const mode_t mode = flags & O_CREAT ? (mode_t)va_arg(args, int) : 0;                           \
    va_end(args);                                                                                  \
    return open_at(DIR, path, flags, mode);                                                        \
  }
#define COMMA ,
#define DIR AT_FDCWD
OPEN(open, )
OPEN(open64, )
#undef DIR
#define DIR dir
OPEN(openat, int dir COMMA)
OPEN(openat64, int dir COMMA)

/* What fortified programs call in their place, with flags that create nothing. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);
int __open_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __openat_2(int dir, const char *path, int flags) { return open_at(dir, path, flags, 0); }
int __openat64_2(int dir, const char *path, int flags) { return open_at(dir, path, flags, 0); }

ssize_t write(int fd, const void *data, size_t n) {
  if (fd <= 2) return syscall(SYS_write, fd, data, n);
  lock();
  const ssize_t k = syscall(SYS_write, fd, data, n);
  if (k > 0) {
    line("W %d %ld %zd\n", fd, (long)syscall(SYS_lseek, fd, 0L, SEEK_CUR) - (long)k, k);
    put(data, (size_t)k);
    put("\n", 1);
  }
  done(0);
  return k;
}

int ftruncate(int fd, off_t n) {
  lock();
  const int code = (int)syscall(SYS_ftruncate, fd, n);
  if (code == 0) line("T %d %ld\n", fd, (long)n);
  return done(code);
}

int posix_fallocate(int fd, off_t from, off_t n) {
  lock();
  const int code = syscall(SYS_fallocate, fd, 0, from, n) == 0 ? 0 : errno;
  if (code == 0) line("A %d %ld %ld\n", fd, (long)from, (long)n);
  return done(code);
}

int rename(const char *from, const char *to) {
  char a[PATH_MAX], b[PATH_MAX];
  lock();
  const int code = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  if (code == 0) line("R %s\n%s\n", absolute(AT_FDCWD, from, a), absolute(AT_FDCWD, to, b));
  return done(code);
}

int mkdir(const char *path, mode_t mode) {
  char room[PATH_MAX];
  lock();
  const int code = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
  if (code == 0) line("M %s\n", absolute(AT_FDCWD, path, room));
  return done(code);
}

static int remove_at(int dir, const char *path, int flags) {
  char room[PATH_MAX];
  lock();
  const int code = (int)syscall(SYS_unlinkat, dir, path, flags);
  if (code == 0) line("U %s\n", absolute(dir, path, room));
  return done(code);
}
int unlink(const char *path) { return remove_at(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return remove_at(AT_FDCWD, path, AT_REMOVEDIR); }
int unlinkat(int dir, const char *path, int flags) { return remove_at(dir, path, flags); }

/* Nothing waits for the disk: no power is cut here. */
static int synced(char what, int fd) {
  lock();
  line("%c %d\n", what, fd);
  return done(0);
}
int fsync(int fd) { return synced('S', fd); }
int fdatasync(int fd) { return synced('S', fd); }
int syncfs(int fd) { return synced('F', fd); }
