/* outputs/results_lock.c - the file that locks a results directory, and holds its journal. */
#include "outputs/results_lock.h"
#include "base/context.h"
#include "io/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum { LOCK_TRIES = 100, TEXT_MAX = 1 << 26 /* bytes of run.json, of a journal */ };

ria_status ria_results_fail(const ria_results *r, int code, const char *what, const char *name) {
  char room[128];
  return ria_fail(r->ctx, code == ENOMEM ? RIA_ERR_MEMORY : RIA_ERR_OUTPUT, "cannot %s '%s/%s': %s",
                  what, r->out, name, strerror_r(code, room, sizeof room));
}

ria_status ria_results_foreign(const ria_results *r, const char *name) {
  return ria_fail(r->ctx, RIA_ERR_OUTPUT,
                  "'%s/%s' was not written by ria: choose another directory", r->out, name);
}

/* --- a file's text ---------------------------------------------------------------------------- */

ria_status ria_results_slurp(const ria_results *r, int fd, const char *name, char **text,
                             size_t *n) {
  struct stat st;
  *text = NULL;
  *n = 0;
  if (fstat(fd, &st) != 0) return ria_results_fail(r, errno, "read", name);
  if (!S_ISREG(st.st_mode) || st.st_size > TEXT_MAX)
    return ria_fail(r->ctx, RIA_ERR_OUTPUT, "'%s/%s' is not a file that ria wrote", r->out, name);
  const size_t size = (size_t)st.st_size;
  *text = malloc(size + 1);
  if (!*text) return ria_fail_memory(r->ctx, "the list of results", size + 1);
  while (*n < size) {
    const ssize_t k = pread(fd, *text + *n, size - *n, (off_t)*n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) break;
    *n += (size_t)k;
  }
  for (size_t k = 0; k < *n; k++)
    if (!(*text)[k]) (*text)[k] = '\n';
  (*text)[*n] = '\0';
  return RIA_OK;
}

/* --- the lock --------------------------------------------------------------------------------- */

static ria_status fail_held(const ria_results *r, const ria_holder *by) {
  if (by->pid == (long)getpid())
    return ria_fail(r->ctx, RIA_ERR_OUTPUT,
                    "directory '%s' is in use by another script or simulation of this process: "
                    "close that first, or choose another directory",
                    r->out);
  if (by->pid > 0)
    return ria_fail(r->ctx, RIA_ERR_OUTPUT,
                    "directory '%s' is in use by another run (process %ld%s%s): wait for its end, "
                    "or choose another directory",
                    r->out, by->pid, by->host[0] ? " on " : "", by->host);
  return ria_fail(r->ctx, RIA_ERR_OUTPUT,
                  "directory '%s' is in use by another run: wait for its end, or choose another "
                  "directory",
                  r->out);
}

/* A holder writes its line just after it has got the lock: give it half a second to do so. */
static ria_status fail_busy(const ria_results *r) {
  ria_holder by;
  bool known = ria_results_last(r, &by);
  for (int k = 0; !known && k < 50; k++) {
    nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    known = ria_results_last(r, &by);
  }
  return fail_held(r, &by);
}

/* Is the file that is locked still the one of that name? A run that ended may have removed it. */
static bool still_there(const ria_results *r) {
  struct stat held, named;
  return fstat(r->lock, &held) == 0 &&
         fstatat(r->dir, LOCK_NAME, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

static bool locks_are_missing(int code) {
  return code == ENOLCK || code == ENOSYS || code == EOPNOTSUPP || code == EINVAL;
}

enum { OPEN_LOCK = O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };

/* Some file systems grant a lock to everybody: also to who opens the file once more. */
static bool locks_keep_out(const ria_results *r) {
  const int twin = openat(r->dir, LOCK_NAME, OPEN_LOCK);
  if (twin < 0) return true; /* it went away: there was somebody to remove it */
  struct stat a, b;
  const bool one = fstat(twin, &a) == 0 && fstat(r->lock, &b) == 0 && a.st_ino == b.st_ino;
  const bool out = !one || flock(twin, LOCK_EX | LOCK_NB) != 0;
  close(twin);
  return out;
}

/* Of processes of this machine the first has the directory. */
static ria_status take_turn(ria_results *r) {
  ria_holder first;
  struct stat st;
  if (fstat(r->lock, &st) != 0) return ria_results_fail(r, errno, "lock", LOCK_NAME);
  r->before = st.st_size;
  RIA_TRY(ria_results_sign(r, r->before == 0));
  if (ria_results_first(r, &first) && first.pid != (long)getpid()) {
    ria_results_sign_off(r);
    return fail_held(r, &first);
  }
  if (!r->unlocked)
    ria_log(r->ctx,
            "  '%s' lies on a file system without locks: nothing keeps runs of other machines out "
            "of it",
            r->out);
  r->unlocked = true;
  return RIA_OK;
}

/* A file of ours begins so, or is empty, or has lost its beginning in a power cut: nothing else is
 * locked, and written to. */
static ria_status check_lock_file(const ria_results *r) {
  static const char mark[] = "ria ", lost[sizeof mark] = "";
  struct stat st;
  char head[sizeof mark] = "";
  if (fstat(r->lock, &st) != 0) return ria_results_fail(r, errno, "lock", LOCK_NAME);
  const ssize_t n = S_ISREG(st.st_mode) ? pread(r->lock, head, sizeof mark - 1, 0) : -1;
  const bool ours =
      n >= 0 && (memcmp(head, mark, (size_t)n) == 0 || memcmp(head, lost, (size_t)n) == 0);
  if (ours && st.st_nlink <= 1) return RIA_OK;
  return ria_results_foreign(r, LOCK_NAME);
}

/* *again: the file went away meanwhile. */
static ria_status lock_once(ria_results *r, bool *again) {
  *again = false;
  r->lock = openat(r->dir, LOCK_NAME, OPEN_LOCK | O_CREAT, 0666);
  if (r->lock < 0)
    return errno == ELOOP ? ria_results_foreign(r, LOCK_NAME)
                          : ria_results_fail(r, errno, "lock", LOCK_NAME);
  RIA_TRY(check_lock_file(r));
  const int code = flock(r->lock, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
  if (code == EWOULDBLOCK) return fail_busy(r);
  if (code && !locks_are_missing(code)) return ria_results_fail(r, code, "lock", LOCK_NAME);
  if (code || !locks_keep_out(r)) RIA_TRY(take_turn(r));
  if (still_there(r)) return RIA_OK;
  close(r->lock);
  r->lock = -1;
  *again = true;
  return RIA_OK;
}

static ria_status lock(ria_results *r) {
  struct stat st;
  bool again = true;
  for (int k = 0; again && k < LOCK_TRIES; k++) RIA_TRY(lock_once(r, &again));
  if (again) return fail_busy(r);
  if (r->unlocked) return RIA_OK; /* it has signed */
  if (fstat(r->lock, &st) != 0) return ria_results_fail(r, errno, "lock", LOCK_NAME);
  r->before = st.st_size;
  return ria_results_sign(r, r->before == 0);
}

/* Without locks it is exchanged whole: others go by its lines. */
static ria_status exchange_journal(ria_results *r) {
  char line[RIA_HOLDER_LINE], err[RIA_ERR_TEXT], *path = ria_path_join(r->out, LOCK_NAME);
  if (!path) return ria_fail_memory(r->ctx, "a path", 0);
  ria_results_line("ria", line);
  const ria_status s = ria_file_replace(path, line, strlen(line), err, sizeof err);
  free(path);
  if (s != RIA_OK) return ria_fail(r->ctx, s, "%s", err);
  const int lock = openat(r->dir, LOCK_NAME, OPEN_LOCK);
  if (lock < 0) return ria_results_fail(r, errno, "lock", LOCK_NAME);
  close(r->lock);
  r->lock = lock;
  return RIA_OK;
}

ria_status ria_results_new_journal(ria_results *r) {
  if (r->unlocked) return exchange_journal(r);
  if (ftruncate(r->lock, 0) != 0) return ria_results_fail(r, errno, "write", LOCK_NAME);
  return ria_results_sign(r, true);
}

ria_status ria_results_take_lock(ria_results *r) {
  const ria_status s = lock(r);
  if (s == RIA_OK || r->lock < 0) return s;
  close(r->lock);
  r->lock = -1;
  return s;
}

void ria_results_drop_lock(ria_results *r, bool closed) {
  if (r->lock < 0) return;
  if (r->held ? closed : r->before == 0)
    (void)unlinkat(r->dir, LOCK_NAME, 0);
  else if (r->unlocked)
    ria_results_sign_off(r);
  else if (!r->held && ftruncate(r->lock, r->before) != 0)
    errno = 0; /* one line more */
  close(r->lock);
  r->lock = -1;
  r->held = false;
}
