/* outputs/results_dir.c - a results directory, held by one run. */
#include "outputs/results_lock.h"
#include "base/context.h"
#include "base/text.h"
#include "io/access.h"
#include "io/file.h"
#include "io/json_read.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUN_JSON "run.json"

static ria_status open_dir(ria_results *r) {
  struct stat st;
  r->dir = open(r->out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (r->dir < 0 || fstat(r->dir, &st) != 0) return ria_results_fail(r, errno, "open", ".");
  r->dev = st.st_dev;
  r->ino = st.st_ino;
  return RIA_OK;
}

static ria_status open_results(ria_context *ctx, const char *out, bool locked,
                               ria_results **handle) {
  *handle = NULL;
  RIA_TRY(ria_may_write(ctx, out));
  ria_results *r = calloc(1, sizeof *r);
  char *copy = ria_strdup(out);
  if (!r || !copy) {
    free(r);
    free(copy);
    return ria_fail_memory(ctx, "a directory of results", sizeof *r);
  }
  *r = (ria_results){.ctx = ctx, .out = copy, .dir = -1, .lock = -1, .reserve = -1};
  ria_status s = open_dir(r);
  if (s == RIA_OK && locked) s = ria_results_take_lock(r);
  if (s != RIA_OK) {
    ria_results_release(&r, false);
    return s;
  }
  r->next = ctx->results;
  ctx->results = r;
  *handle = r;
  return RIA_OK;
}

/* --- those of a context ----------------------------------------------------------------------- */

static bool is_at(const ria_results *r, dev_t dev, ino_t ino) {
  return r->dev == dev && r->ino == ino;
}

static ria_results *find_hold(const ria_context *ctx, dev_t dev, ino_t ino) {
  ria_results *r = ctx->results;
  while (r && !(r->hold && is_at(r, dev, ino))) r = r->next;
  return r;
}

/* A simulation of the context takes over what was on hold. */
static void suspend_hold(const ria_context *ctx, const char *out) {
  struct stat st;
  ria_results *r = stat(out, &st) == 0 ? find_hold(ctx, st.st_dev, st.st_ino) : NULL;
  if (r) ria_results_drop_lock(r, false);
}

/* It has let go of it again. Another run may have come first: that is told, and no error of the
 * simulation. */
static void resume_hold(const ria_results *of) {
  ria_context *ctx = of->ctx;
  char error[RIA_ERROR_MAX];
  ria_results *r = find_hold(ctx, of->dev, of->ino);
  if (!r || r->lock >= 0) return;
  snprintf(error, sizeof error, "%s", ctx->error);
  if (ria_results_take_lock(r) != RIA_OK)
    ria_log(ctx, "  not kept from other runs: %s", ctx->error);
  snprintf(ctx->error, sizeof ctx->error, "%s", error);
}

static void unlink_from_context(ria_results *r) {
  ria_results **at = &r->ctx->results;
  while (*at && *at != r) at = &(*at)->next;
  if (*at) *at = r->next;
}

ria_status ria_results_lock(ria_context *ctx, const char *out, ria_results **handle) {
  suspend_hold(ctx, out);
  return open_results(ctx, out, true, handle);
}

/* Does a simulation of the context have it? */
static bool is_locked(const ria_context *ctx, const struct stat *st) {
  for (const ria_results *r = ctx->results; r; r = r->next)
    if (r->lock >= 0 && is_at(r, st->st_dev, st->st_ino)) return true;
  return false;
}

ria_status ria_results_hold(ria_context *ctx, const char *out) {
  struct stat st;
  const bool known = stat(out, &st) == 0, locked = known && is_locked(ctx, &st);
  ria_results *r = known ? find_hold(ctx, st.st_dev, st.st_ino) : NULL;
  if (r) return locked ? RIA_OK : ria_results_take_lock(r);
  RIA_TRY(open_results(ctx, out, !locked, &r));
  r->hold = true;
  return RIA_OK;
}

/* --- what an earlier run left ----------------------------------------------------------------- */

/* Whole lines only: a thing whose line was cut off was not begun. */
static ria_status read_journal(ria_results *r) {
  char *text = NULL;
  size_t n;
  ria_status s = ria_results_slurp(r, r->lock, LOCK_NAME, &text, &n);
  for (char *line = text, *end; s == RIA_OK && (end = strchr(line, '\n')); line = end + 1) {
    *end = '\0';
    s = ria_results_list_note(r->ctx, &r->earlier, line);
  }
  free(text);
  ria_results_list_sort(&r->earlier);
  return s;
}

/* FNV-1a. Not a copy: once run.json says that a run ended well nothing more may fail. */
static uint64_t hash_of(const char *text, size_t n) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t k = 0; k < n; k++) h = (h ^ (unsigned char)text[k]) * UINT64_C(0x100000001b3);
  return h;
}

/* What lies between the brackets of "continued", as it is. */
static ria_status read_continued(ria_results *r, const char *text, size_t n) {
  ria_json_reader j;
  char key[16];
  if (!ria_json_begin(&j, text, n) || !ria_json_enter(&j, '{')) return RIA_OK;
  while (ria_json_key(&j, key, sizeof key)) {
    const bool this = strcmp(key, "continued") == 0 && ria_json_peek(&j) == '[';
    const char *from = j.at + 1;
    ria_json_skip(&j);
    if (!this || j.failed) continue;
    free(r->continued);
    r->continued = strndup(from, (size_t)(j.at - 1 - from));
    if (!r->continued) return ria_fail_memory(r->ctx, "the list of results", n);
  }
  return RIA_OK;
}

static ria_status read_run_json(ria_results *r) {
  char *text = NULL;
  size_t n;
  bool ours = false;
  const int fd = openat(r->dir, RUN_JSON, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return errno == ELOOP ? ria_results_foreign(r, RUN_JSON)
                          : ria_results_fail(r, errno, "read", RUN_JSON);
  ria_status s = ria_results_slurp(r, fd, RUN_JSON, &text, &n);
  close(fd);
  if (s == RIA_OK) s = ria_results_list_read(r->ctx, text, n, &r->earlier, &ours);
  if (s == RIA_OK && ours) s = read_continued(r, text, n);
  if (s == RIA_OK && ours) {
    r->told = hash_of(text, n);
    r->n_told = n;
  }
  free(text);
  if (s == RIA_OK && !ours) return ria_results_foreign(r, RUN_JSON);
  if (s == RIA_ERR_INPUT)
    return ria_fail(r->ctx, RIA_ERR_OUTPUT,
                    "'%s/" RUN_JSON "' does not list the files to remove (%s): choose another "
                    "directory",
                    r->out, ria_error(r->ctx));
  return s;
}

static ria_status in_the_way(ria_results *r, const ria_results_list *plan,
                             const ria_results_list *old) {
  char names[512];
  const int code = ria_results_in_the_way(r->dir, plan, old, names, sizeof names);
  if (code) return ria_results_fail(r, code, "read", ".");
  if (!names[0]) return RIA_OK;
  return ria_fail(r->ctx, RIA_ERR_OUTPUT,
                  "directory '%s' holds files that no run of ria made and this one would write "
                  "over: %s: move them, or choose another directory",
                  r->out, names);
}

static bool took_checkpoints(const ria_results *r) {
  return ria_results_find(&r->earlier, RIA_RESULT_CHECKPOINTS, RIA_CHECKPOINTS) != NULL;
}

ria_status ria_results_examine(ria_results *r, ria_results_use use, const ria_results_list *plan) {
  struct stat st;
  const bool used = fstatat(r->dir, RUN_JSON, &st, AT_SYMLINK_NOFOLLOW) == 0;
  if (used && use == RIA_RESULTS_NONE)
    return ria_fail(r->ctx, RIA_ERR_OUTPUT,
                    "directory '%s' holds the results of an earlier run: choose another, or allow "
                    "overwriting (overwrite = true; ria run --overwrite)",
                    r->out);
  if (!used && use == RIA_RESULTS_TAKE_UP)
    return ria_fail(
        r->ctx, RIA_ERR_OUTPUT,
        "directory '%s' holds no results to go on with: its run.json is missing: put it back, "
        "or choose another directory",
        r->out);
  if (used) {
    RIA_TRY(read_run_json(r));
    RIA_TRY(read_journal(r));
  }
  if (used && use == RIA_RESULTS_ANEW && !took_checkpoints(r))
    return ria_fail(r->ctx, RIA_ERR_OUTPUT,
                    "directory '%s' holds the results of a run that was to take no checkpoints: it "
                    "cannot go on, only start again (overwrite = true; ria run --overwrite)",
                    r->out);
  r->had_earlier = used;
  return in_the_way(r, plan, &r->earlier);
}

const ria_results_list *ria_results_earlier(const ria_results *r) {
  return r && r->had_earlier ? &r->earlier : NULL;
}

/* What the list has. */
static ria_status remove_earlier(ria_results *r) {
  char name[2 * RIA_RESULT_NAME] = "";
  const int code = ria_results_remove(r->dir, &r->earlier, r->reserve_name, name, sizeof name);
  if (code) return ria_results_fail(r, code, "remove", name[0] ? name : ".");
  (void)fsync(r->dir);
  ria_results_list_free(&r->earlier);
  r->had_earlier = false;
  return RIA_OK;
}

ria_status ria_results_clear(ria_results *r) {
  RIA_TRY(remove_earlier(r));
  RIA_TRY(ria_results_new_journal(r));
  r->held = true;
  return RIA_OK;
}

/* --- results that are taken up ---------------------------------------------------------------- */

const char *ria_results_continued(const ria_results *r) { return r->continued; }

void ria_results_keep_journal(ria_results *r) { r->held = true; }

ria_status ria_results_cut(ria_results *r, const ria_results_list *have) {
  for (size_t i = 0; i < r->earlier.n; i++) {
    ria_result *old = &r->earlier.item[i];
    const ria_result *now = ria_results_find(have, old->kind, old->name);
    if (now && (old->kind == RIA_RESULT_FRAMES || old->kind == RIA_RESULT_CHECKPOINTS))
      old->from = now->end;
    else if (now && now->made)
      old->made = false;
  }
  return remove_earlier(r);
}

/* --- while the run goes on -------------------------------------------------------------------- */

ria_status ria_results_check(ria_results *r, const ria_results_list *plan) {
  const ria_results_list nothing = {0};
  return in_the_way(r, plan, &nothing);
}

ria_status ria_results_making(ria_results *r, ria_result_kind kind, const char *name,
                              int64_t number, char *err, size_t errsize) {
  char line[RIA_RESULT_NAME + 48];
  ria_results_note(line, sizeof line, kind, name, number);
  int code = ria_fd_write(r->lock, line, strlen(line));
  if (!code && fdatasync(r->lock) != 0 && errno != EINVAL && errno != EROFS) code = errno;
  if (!code) return RIA_OK;
  char *path = ria_path_join(r->out, LOCK_NAME);
  const ria_status s = ria_error_errno(code, err, errsize, "cannot write", path ? path : r->out);
  free(path);
  return s;
}

/* --- run.json --------------------------------------------------------------------------------- */

/* Blocks on the disk, where the file system can promise them. */
static int allocate(int fd, size_t bytes) {
  const int code = posix_fallocate(fd, 0, (off_t)bytes);
  return code == EINVAL || code == EOPNOTSUPP || code == ENOSYS ? 0 : code;
}

static void drop_reserve(ria_results *r, bool removed) {
  if (r->reserve >= 0) close(r->reserve);
  if (r->reserve_name && !removed) unlink(r->reserve_name);
  free(r->reserve_name);
  r->reserve_name = NULL;
  r->reserve = -1;
}

bool ria_results_reserved(const ria_results *r) { return r->reserve >= 0; }

ria_status ria_results_reserve(ria_results *r, size_t bytes) {
  if (r->reserve >= 0) return RIA_OK;
  char *path = ria_path_join(r->out, RUN_JSON);
  if (!path) return ria_fail_memory(r->ctx, "a path", 0);
  r->reserve = ria_temp_open(path, &r->reserve_name);
  int code = r->reserve < 0 ? errno : allocate(r->reserve, bytes);
  free(path);
  if (!code) return RIA_OK;
  drop_reserve(r, false);
  return ria_results_fail(r, code, "keep room for", RUN_JSON);
}

/* The file that kept the room becomes run.json: nobody else can take it in between. */
static int put_closing(ria_results *r, const char *path, const char *text, size_t n) {
  int code = ria_fd_write(r->reserve, text, n);
  if (!code && ftruncate(r->reserve, (off_t)n) != 0) code = errno;
  if (!code) code = ria_fd_sync(r->reserve);
  if (!code && rename(r->reserve_name, path) != 0) code = errno;
  drop_reserve(r, !code);
  if (!code) (void)fsync(r->dir);
  return code;
}

ria_status ria_results_open(const ria_results *r, const char *name, int *fd) {
  *fd = openat(r->dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  return *fd >= 0 ? RIA_OK : ria_results_fail(r, errno, "read", name);
}

ria_status ria_results_put_run_json(ria_results *r, const char *text, size_t n, bool closing) {
  char err[RIA_ERR_TEXT];
  char *path = ria_path_join(r->out, RUN_JSON);
  if (!path) return ria_fail_memory(r->ctx, "a path", 0);
  ria_status s = RIA_OK;
  if (closing && r->reserve >= 0) {
    const int code = put_closing(r, path, text, n);
    if (code) s = ria_error_errno(code, err, sizeof err, "cannot write", path);
  } else {
    s = ria_file_replace(path, text, n, err, sizeof err);
  }
  free(path);
  if (s != RIA_OK) return ria_fail(r->ctx, s, "%s", err);
  r->told = hash_of(text, n);
  r->n_told = n;
  return RIA_OK;
}

/* --- letting go ------------------------------------------------------------------------------- */

void ria_results_pause(ria_results *r) {
  drop_reserve(r, false);
  ria_results_drop_lock(r, true);
  resume_hold(r);
}

/* Is run.json in the directory what this run left? */
static ria_status compare_told(const ria_results *r, int dir, bool *same) {
  char *text = NULL;
  size_t n = 0;
  const int fd = openat(dir, RUN_JSON, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const ria_status s = fd >= 0 ? ria_results_slurp(r, fd, RUN_JSON, &text, &n) : RIA_OK;
  *same = text && n == r->n_told && hash_of(text, n) == r->told;
  if (fd >= 0) close(fd);
  free(text);
  return s;
}

static ria_status check_untouched(const ria_results *r) {
  bool same;
  const ria_status s = compare_told(r, r->dir, &same);
  if (s != RIA_OK || same) return s;
  return ria_fail(r->ctx, RIA_ERR_OUTPUT,
                  "the run cannot go on in directory '%s': its files there were changed, "
                  "perhaps by another run",
                  r->out);
}

bool ria_results_own(ria_context *ctx, const char *out) {
  struct stat st;
  bool own = false;
  const int dir = open(out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0) return false;
  if (fstat(dir, &st) == 0)
    for (const ria_results *r = ctx->results; r && !own; r = r->next)
      if (r->n_told && is_at(r, st.st_dev, st.st_ino) && compare_told(r, dir, &own) != RIA_OK)
        own = false;
  close(dir);
  return own;
}

ria_status ria_results_resume(ria_results *r) {
  if (r->lock >= 0) return RIA_OK;
  suspend_hold(r->ctx, r->out);
  ria_status s = ria_results_take_lock(r);
  if (s == RIA_OK) s = check_untouched(r);
  if (s != RIA_OK) {
    ria_results_drop_lock(r, false);
    resume_hold(r);
    return s;
  }
  r->held = true;
  return RIA_OK;
}

static void free_results(ria_results *r) {
  free(r->out);
  free(r->continued);
  free(r);
}

/* One for each directory: that its results are the context's own. One whose place another has now
 * was removed: a host that makes and removes one for each of many simulations would keep them all.
 */
static void remember(ria_results *r) {
  char *place = realpath(r->out, NULL); /* NULL: the name as it is will do */
  if (place) {
    free(r->out);
    r->out = place;
  }
  for (ria_results *k = r->ctx->results, *next; k; k = next) {
    next = k->next;
    if (!k->ended || (!is_at(k, r->dev, r->ino) && strcmp(k->out, r->out) != 0)) continue;
    unlink_from_context(k);
    free_results(k);
  }
  r->ended = true;
  r->next = r->ctx->results;
  r->ctx->results = r;
}

void ria_results_release(ria_results **handle, bool closed) {
  ria_results *r = *handle;
  if (!r) return;
  *handle = NULL;
  unlink_from_context(r);
  drop_reserve(r, false);
  ria_results_drop_lock(r, closed);
  if (r->dir >= 0) close(r->dir);
  r->dir = -1;
  ria_results_list_free(&r->earlier);
  resume_hold(r);
  if (r->n_told && !r->ended)
    remember(r);
  else
    free_results(r);
}

void ria_results_end(ria_context *ctx) {
  for (ria_results *r = ctx->results, *next; r; r = next) {
    next = r->next;
    if (r->hold || r->ended) ria_results_release(&r, false);
  }
}
