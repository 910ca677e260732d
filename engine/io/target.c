/* io/target.c - a file that the user names. */
#include "io/target.h"
#include "io/access.h"
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINKS_MOST = 40 }; /* one after the other, as the system allows */

/* --- where links lead ------------------------------------------------------------------------ */

/* What the link at path says, as a path from here; NULL with errno. Frees path. */
static char *read_link(char *path) {
  char to[PATH_MAX];
  const char *slash = strrchr(path, '/');
  const ssize_t n = readlink(path, to, sizeof to - 1);
  if (n < 0) {
    free(path);
    return NULL;
  }
  to[n] = '\0';
  const int dir = to[0] == '/' || !slash ? 0 : (int)(slash - path) + 1;
  const size_t room = (size_t)dir + (size_t)n + 1;
  char *next = malloc(room);
  if (next) snprintf(next, room, "%.*s%s", dir, path, to);
  free(path);
  if (!next) errno = ENOMEM;
  return next;
}

/* The path behind all links, where there may be nothing; NULL with errno. */
static char *follow(const char *path) {
  struct stat st;
  char *at = strdup(path);
  if (!at) errno = ENOMEM;
  for (int k = 0; at && lstat(at, &st) == 0 && S_ISLNK(st.st_mode); k++) {
    if (k == LINKS_MOST) {
      free(at);
      errno = ELOOP;
      return NULL;
    }
    at = read_link(at);
  }
  return at;
}

/* --- in place -------------------------------------------------------------------------------- */

/* A reader that goes away is an error here, not a signal for the process. */
static void hold_sigpipe(ria_target *t) {
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  t->masked = pthread_sigmask(SIG_BLOCK, &pipe, &t->mask) == 0;
}

static void let_sigpipe(ria_target *t) {
  sigset_t pipe;
  const struct timespec now = {0};
  if (!t->masked) return;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  if (!sigismember(&t->mask, SIGPIPE))
    while (sigtimedwait(&pipe, NULL, &now) < 0 && errno == EINTR) continue;
  (void)pthread_sigmask(SIG_SETMASK, &t->mask, NULL);
}

/* Without waiting for a reader of a FIFO: a run would stand still, perhaps for ever. */
static ria_status open_in_place(ria_target *t, char *err, size_t errsize) {
  struct stat st;
  t->fd = open(t->name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (t->fd < 0 && errno == ENXIO)
    return ria_error_text(RIA_ERR_OUTPUT, err, errsize, "cannot write '%s': nobody reads from it",
                          t->name);
  if (t->fd < 0) return ria_error_errno(errno, err, errsize, "cannot write", t->name);
  const int flags = fcntl(t->fd, F_GETFL);
  if (flags >= 0) (void)fcntl(t->fd, F_SETFL, flags & ~O_NONBLOCK);
  if (fstat(t->fd, &st) == 0 && S_ISREG(st.st_mode) && ftruncate(t->fd, 0) != 0) {
    const int code = errno;
    close(t->fd);
    return ria_error_errno(code, err, errsize, "cannot write", t->name);
  }
  hold_sigpipe(t);
  return RIA_OK;
}

/* --- replaced whole -------------------------------------------------------------------------- */

static ria_status open_beside(ria_target *t, char *err, size_t errsize) {
  t->fd = ria_temp_open(t->path, &t->temp);
  if (t->fd >= 0) return RIA_OK;
  const int code = errno;
  free(t->path);
  return ria_error_errno(code, err, errsize, "cannot write", t->name);
}

/* Is this the file that opening `name` gives? It is not where the system makes links up
 * (/dev/stdout and a file that was removed). */
static bool same_file(const char *path, const struct stat *st) {
  struct stat at;
  return lstat(path, &at) == 0 && at.st_dev == st->st_dev && at.st_ino == st->st_ino;
}

static ria_status refuse_kind(const ria_target *t, const struct stat *st, char *err,
                              size_t errsize) {
  const char *kind = S_ISDIR(st->st_mode)    ? "a directory"
                     : S_ISSOCK(st->st_mode) ? "a socket"
                     : S_ISBLK(st->st_mode)  ? "a block device"
                                             : "no file";
  return ria_error_text(RIA_ERR_OUTPUT, err, errsize, "cannot write '%s': it is %s", t->name, kind);
}

static ria_status refused(ria_context *ctx, char *err, size_t errsize) {
  return ria_error_text(RIA_ERR_LIMIT, err, errsize, "%s", ria_error(ctx));
}

ria_status ria_target_open(ria_context *ctx, const char *path, ria_target *t, char *err,
                           size_t errsize) {
  struct stat st;
  *t = (ria_target){.ctx = ctx, .name = path, .fd = -1};
  if (ria_may_write(ctx, path) != RIA_OK) return refused(ctx, err, errsize);
  const bool there = stat(path, &st) == 0;
  if (there && (S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode))) return open_in_place(t, err, errsize);
  if (there && !S_ISREG(st.st_mode)) return refuse_kind(t, &st, err, errsize);
  t->path = follow(path);
  if (!t->path) return ria_error_errno(errno, err, errsize, "cannot write", path);
  if (!there || same_file(t->path, &st)) return open_beside(t, err, errsize);
  free(t->path);
  t->path = NULL;
  return open_in_place(t, err, errsize);
}

ria_status ria_target_close(ria_target *t, bool whole, char *err, size_t errsize) {
  struct stat st;
  const bool sized = whole && ria_is_limited(t->ctx) && fstat(t->fd, &st) == 0;
  const bool fits =
      !sized || ria_limit_count(t->ctx, RIA_LIMIT_OUTPUT, (double)st.st_size) == RIA_OK;
  int code = whole ? ria_fd_sync(t->fd) : 0;
  whole = whole && fits;
  if (close(t->fd) != 0 && !code && errno != EINTR) code = errno;
  if (t->temp && whole && !code && rename(t->temp, t->path) != 0) code = errno;
  if (t->temp && (code || !whole)) unlink(t->temp);
  if (t->temp && whole && !code) ria_parent_sync(t->path);
  free(t->temp);
  free(t->path);
  let_sigpipe(t);
  if (!fits) return refused(t->ctx, err, errsize);
  return code ? ria_error_errno(code, err, errsize, "cannot write", t->name) : RIA_OK;
}

ria_status ria_target_write(ria_context *ctx, const char *path, const void *data, size_t n,
                            char *err, size_t errsize) {
  ria_target t;
  char ignored[RIA_ERR_TEXT];
  RIA_TRY(ria_target_open(ctx, path, &t, err, errsize));
  const int code = ria_fd_write(t.fd, data, n);
  if (!code) return ria_target_close(&t, true, err, errsize);
  (void)ria_target_close(&t, false, ignored, sizeof ignored);
  return ria_error_errno(code, err, errsize, "cannot write", path);
}

bool ria_target_is_file(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}
