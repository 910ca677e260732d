/* io/access.c - which files a limited context may open.
 *
 * A path is made absolute and "." and ".." are taken out of its text. What is left lies below one
 * of the directories that are allowed, or is refused. The rest of the path is then walked from a
 * descriptor of that directory, a name at a time and without following links: however the text
 * came about, what is opened lies below the directory. */
#include "io/access.h"
#include "base/clock.h"
#include "base/context.h"
#include "io/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef O_PATH
#define STEP_FLAGS (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#else
#define STEP_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#endif

bool ria_is_limited(const ria_context *ctx) { return ctx && ctx->limiter; }

/* --- paths as text -----------------------------------------------------------------------------*/

/* Add a path's names to the absolute path in `to`: false where it becomes too long. */
static bool add_names(char to[PATH_MAX], const char *path) {
  size_t n = strlen(to);
  while (*path) {
    const size_t k = strcspn(path, "/");
    if (k == 2 && path[0] == '.' && path[1] == '.') {
      while (n && to[--n] != '/') continue;
      to[n] = '\0';
    } else if (k && !(k == 1 && path[0] == '.')) {
      if (n + k + 2 > PATH_MAX) return false;
      to[n++] = '/';
      memcpy(to + n, path, k);
      to[n += k] = '\0';
    }
    path += k;
    path += *path == '/';
  }
  return true;
}

/* The absolute path without ".", ".." and "//"; of the root "". */
static bool absolute(const char *path, char to[PATH_MAX]) {
  char here[PATH_MAX];
  to[0] = '\0';
  if (!*path) return false;
  if (*path != '/' && (!getcwd(here, sizeof here) || !add_names(to, here))) return false;
  return add_names(to, path);
}

/* What follows the directory in the path; NULL where it lies elsewhere. */
static const char *below(const char *dir, const char *path) {
  const size_t n = strlen(dir);
  if (strncmp(path, dir, n) != 0) return NULL;
  return path[n] == '/' ? path + n + 1 : path[n] ? NULL : path + n;
}

static const char *below_root(const ria_root *r, const char *path) {
  if (!r->path) return NULL;
  const char *rest = below(r->path, path);
  return rest || !*r->real ? rest : below(r->real, path);
}

/* --- directories that are allowed --------------------------------------------------------------*/

static void free_root(ria_root *r) {
  free(r->path);
  free(r->real);
  if (r->fd >= 0) close(r->fd);
  *r = (ria_root){.fd = -1};
}

/* The directory, if it is there by now. */
static bool open_root(ria_root *r) {
  char real[PATH_MAX];
  if (r->fd >= 0) return true;
  r->fd = open(*r->path ? r->path : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (r->fd >= 0 && realpath(*r->path ? r->path : "/", real)) {
    char *copy = strdup(strcmp(real, "/") == 0 ? "" : real);
    if (copy) {
      free(r->real);
      r->real = copy;
    }
  }
  return r->fd >= 0;
}

static ria_status make_root(ria_context *ctx, ria_root *r, const char *dir, bool there) {
  char path[PATH_MAX];
  *r = (ria_root){.fd = -1};
  if (!absolute(dir, path))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "the directory '%s' cannot be allowed: it has no path",
                    dir);
  r->path = strdup(path);
  r->real = strdup("");
  if (!r->path || !r->real) return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory");
  if (open_root(r) || !there) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "the directory '%s' cannot be allowed: %s", dir,
                  strerror(errno));
}

static double bound(double given) { return given > 0.0 ? given : INFINITY; }

static ria_status fill(ria_context *ctx, ria_limiter *l, const ria_limits *given) {
  l->read = calloc(given->n_read + 1, sizeof *l->read);
  if (!l->read) return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory");
  for (size_t k = 0; k < given->n_read; k++) {
    l->n_read = k + 1;
    RIA_TRY(make_root(ctx, &l->read[k], given->read[k], true));
  }
  return given->write ? make_root(ctx, &l->write, given->write, false) : RIA_OK;
}

ria_status ria_context_limit(ria_context *ctx, const ria_limits *given) {
  if (ctx->limiter)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "the context has limits already: they stay as they are");
  ria_limiter *l = calloc(1, sizeof *l);
  if (!l) return ria_fail_memory(ctx, "limits", sizeof *l);
  l->memory = bound(given->memory);
  l->cells = bound(given->cells);
  l->frames = bound(given->frames);
  l->time = bound(given->time);
  l->until = ria_wall_clock() + l->time;
  l->meter.most = bound(given->output);
  l->write.fd = -1;
  ctx->limiter = l;
  const ria_status s = fill(ctx, l, given);
  if (s != RIA_OK) ria_limiter_free(ctx);
  return s;
}

void ria_limiter_free(ria_context *ctx) {
  ria_limiter *l = ctx->limiter;
  if (!l) return;
  ctx->limiter = NULL;
  for (size_t k = 0; k < l->n_read; k++) free_root(&l->read[k]);
  free_root(&l->write);
  free(l->read);
  free(l);
}

/* --- walking -----------------------------------------------------------------------------------*/

/* The next name of `rest` to name; false: there is none. */
static bool next_name(const char **rest, char name[NAME_MAX + 1]) {
  const size_t n = strcspn(*rest, "/");
  if (!n) return false;
  snprintf(name, NAME_MAX + 1, "%.*s", n > NAME_MAX ? NAME_MAX : (int)n, *rest);
  *rest += n;
  *rest += **rest == '/';
  return true;
}

/* What is wrong with what is there, of a descriptor's directory; NULL: nothing, or nothing is
 * there, and errno says so. */
static const char *wrong_with(int dir, const char *name, bool last, bool *there) {
  struct stat st;
  *there = fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
  if (!*there) return NULL;
  if (S_ISLNK(st.st_mode)) return "a symbolic link on the way to it is not followed";
  if (S_ISDIR(st.st_mode) || (last && S_ISREG(st.st_mode))) return NULL;
  return last ? "it is no regular file" : NULL;
}

/* Walk from the directory. *fd: the file, for reading; NULL: only look. Returns what is wrong. */
static const char *walk(int root, const char *rest, int *fd) {
  char name[NAME_MAX + 1] = ".";
  const char *wrong = NULL;
  bool there = true, more = next_name(&rest, name);
  int at = root, code = 0;
  while (more && *rest) { /* a directory on the way */
    wrong = wrong_with(at, name, false, &there);
    const int next = wrong || !there ? -1 : openat(at, name, STEP_FLAGS);
    code = errno;
    if (at != root) close(at);
    at = next;
    if (next < 0) break;
    more = next_name(&rest, name);
  }
  if (at >= 0) {
    wrong = wrong_with(at, name, true, &there);
    code = errno;
    if (fd && !wrong && there) {
      *fd = openat(at, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
      code = errno;
    }
    if (at != root) close(at);
  }
  errno = code;
  return wrong;
}

/* --- reading -----------------------------------------------------------------------------------*/

/* The directories that may be read, for a message. */
static const char *told_roots(const ria_limiter *l, char *text, size_t size) {
  size_t n = 0;
  text[0] = '\0';
  for (size_t k = 0; k < l->n_read && n < size; k++)
    n += (size_t)snprintf(text + n, size - n, "%s'%s'", k ? ", " : "",
                          *l->read[k].path ? l->read[k].path : "/");
  return n ? text : "no directory";
}

static ria_status refuse_read(ria_context *ctx, const char *path, const char *why) {
  char roots[512];
  if (why) return ria_limit_refuse(ctx, "'%s' may not be read: %s", path, why);
  return ria_limit_refuse(ctx,
                          "'%s' may not be read: files below %s are; --allow DIR adds another "
                          "(C: ria_limits.read)",
                          path, told_roots(ctx->limiter, roots, sizeof roots));
}

static ria_status open_limited(ria_context *ctx, const char *path, int *fd) {
  ria_limiter *l = ctx->limiter;
  char text[PATH_MAX];
  ria_root *root = NULL;
  const char *rest = NULL;
  if (absolute(path, text)) {
    for (size_t k = 0; k < l->n_read && !rest; k++) rest = below_root(root = &l->read[k], text);
    if (!rest && l->write.path && open_root(&l->write)) rest = below_root(root = &l->write, text);
  }
  if (!rest) return refuse_read(ctx, path, NULL);
  const char *wrong = walk(root->fd, rest, fd);
  return wrong ? refuse_read(ctx, path, wrong) : RIA_OK;
}

ria_status ria_read_open(ria_context *ctx, const char *path, int flags, int *fd) {
  *fd = -1;
  if (ria_is_limited(ctx)) return open_limited(ctx, path, fd);
  *fd = open(path, O_RDONLY | O_CLOEXEC | flags);
  return RIA_OK;
}

ria_status ria_read_must(ria_context *ctx, const char *path, int flags, int *fd) {
  RIA_TRY(ria_read_open(ctx, path, flags, fd));
  if (*fd >= 0) return RIA_OK;
  return ria_fail(ctx, errno == ENOMEM ? RIA_ERR_MEMORY : RIA_ERR_INPUT, "cannot open %s: %s", path,
                  strerror(errno));
}

ria_status ria_may_read(ria_context *ctx, const char *path) {
  return ria_is_limited(ctx) ? open_limited(ctx, path, NULL) : RIA_OK;
}

ria_status ria_limit_read(ria_context *ctx, const char *path, size_t most, char **text, size_t *n) {
  return ria_text_slurp(ctx, path, most, text, n);
}

/* --- writing -----------------------------------------------------------------------------------*/

static ria_status refuse_write(ria_context *ctx, const char *path, const char *why) {
  const ria_root *w = &ctx->limiter->write;
  if (why) return ria_limit_refuse(ctx, "'%s' may not be written: %s", path, why);
  if (!w->path) return ria_limit_refuse(ctx, "'%s' may not be written: nothing may", path);
  return ria_limit_refuse(ctx,
                          "'%s' may not be written: files below '%s' are (ria.out() in a script; "
                          "--out DIR, C: ria_limits.write)",
                          path, w->path);
}

ria_status ria_may_write(ria_context *ctx, const char *path) {
  char text[PATH_MAX];
  if (!ria_is_limited(ctx)) return RIA_OK;
  ria_root *w = &ctx->limiter->write;
  if (!w->path || !absolute(path, text)) return refuse_write(ctx, path, NULL);
  const bool there = open_root(w);
  const char *rest = below_root(w, text);
  if (!rest) return refuse_write(ctx, path, NULL);
  const char *wrong = there ? walk(w->fd, rest, NULL) : NULL;
  return wrong ? refuse_write(ctx, path, wrong) : RIA_OK;
}
