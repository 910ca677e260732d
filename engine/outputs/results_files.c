/* outputs/results_files.c - the files of a list of results in a directory: what stands in the way,
 * and removing.
 *
 * Everything goes by descriptors of directories that were opened without following links, from the
 * results directory down. A file counts as ours only when it is listed and is what ria makes: a
 * regular file, or the directory of a store. */
#include "outputs/results_list.h"
#include "base/text.h"
#include "io/file.h"
#include "io/world_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_TOLD = 4 };

typedef enum entry_type { ABSENT, REGULAR, DIRECTORY, LINK, OTHER } entry_type;

static entry_type type_of(int dir, const char *name) {
  struct stat st;
  if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0) return errno == ENOENT ? ABSENT : OTHER;
  if (S_ISREG(st.st_mode)) return REGULAR;
  if (S_ISDIR(st.st_mode)) return DIRECTORY;
  return S_ISLNK(st.st_mode) ? LINK : OTHER;
}

static bool made(const ria_results_list *list, ria_result_kind kind, const char *name) {
  const ria_result *r = ria_results_find(list, kind, name);
  return r && r->made;
}

/* --- numbered frames -------------------------------------------------------------------------- */

static bool is_frame_ending(const char *ending, unsigned world) {
  if (strcmp(ending, ".png") == 0) return true;
  for (int k = 0; ria_world_endings[k]; k++)
    if (world >> k & 1 && strcmp(ending, ria_world_endings[k]) == 0) return true;
  return false;
}

/* The number of frame file <name>_000012.png, or of one that places it, as ria would write them for
 * this strip; -1: it is none. */
static int64_t frame_number(const char *file, const ria_result *strip) {
  const size_t n = strlen(strip->name);
  char again[2 * RIA_RESULT_NAME];
  if (strncmp(file, strip->name, n) != 0 || file[n] != '_') return -1;
  const size_t digits = strspn(file + n + 1, "0123456789");
  if (digits < 6 || digits > 18 || !is_frame_ending(file + n + 1 + digits, strip->world)) return -1;
  const long long number = strtoll(file + n + 1, NULL, 10);
  snprintf(again, sizeof again, "%s_%06lld", strip->name, number);
  return strncmp(file, again, n + 1 + digits) == 0 ? number : -1;
}

static int compare(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static bool has_frame(const ria_result *r, const char *file) {
  const int64_t number = r ? frame_number(file, r) : -1;
  if (number < 0 || number < r->from) return false;
  if (number < r->end) return true;
  return r->n_more && bsearch(&number, r->more, r->n_more, sizeof number, compare);
}

/* --- checkpoints ------------------------------------------------------------------------------ */

void ria_checkpoint_name(int64_t number, char name[RIA_CHECKPOINT_NAME]) {
  snprintf(name, RIA_CHECKPOINT_NAME, "%06lld.ria", (long long)number);
}

int64_t ria_checkpoint_number(const char *file) {
  char again[RIA_CHECKPOINT_NAME];
  const size_t digits = strspn(file, "0123456789");
  if (digits < 6 || digits > 18) return 0;
  const long long number = strtoll(file, NULL, 10);
  ria_checkpoint_name(number, again);
  return strcmp(again, file) == 0 ? number : 0;
}

/* --- what stands in the way ------------------------------------------------------------------- */

typedef struct looking {
  const ria_results_list *plan, *old;
  const ria_result *strip; /* whose frames are looked at */
  char *text;
  size_t room;
  int told, more;
} looking;

static void tell(looking *look, const char *where, const char *name, entry_type type) {
  if (look->told == NAMES_TOLD) {
    look->more++;
    return;
  }
  ria_append(look->text, look->room, "%s'%s%s'%s", look->told ? ", " : "", where, name,
             type == LINK ? " (a symbolic link)" : "");
  look->told++;
}

/* A thing of this name, unless it is of the type that ria makes and `ours`. */
static void look_at(looking *look, int dir, const char *where, const char *name, entry_type made,
                    bool ours) {
  const entry_type type = type_of(dir, name);
  if (type != ABSENT && !(type == made && ours)) tell(look, where, name, type);
}

static int look_at_frame(void *user, int dir, const char *file) {
  looking *look = user;
  char where[RIA_RESULT_NAME + 16];
  const char *name = look->strip->name;
  if (frame_number(file, look->strip) < 0) return 0;
  snprintf(where, sizeof where, "frames/%s/", name);
  look_at(look, dir, where, file, REGULAR,
          has_frame(ria_results_find(look->old, RIA_RESULT_FRAMES, name), file));
  return 0;
}

/* The directory `name`, for what is in it; -1: there is none, or a thing in its way that was told.
 */
static int look_into(looking *look, int dir, const char *where, const char *name) {
  look_at(look, dir, where, name, DIRECTORY, true);
  return ria_dir_open(dir, name);
}

static int look_for_frames(looking *look, int frames) {
  int code = 0;
  for (size_t i = 0; !code && i < look->plan->n; i++) {
    look->strip = &look->plan->item[i];
    if (look->strip->kind != RIA_RESULT_FRAMES) continue;
    const int dir = look_into(look, frames, "frames/", look->strip->name);
    if (dir < 0) continue;
    code = ria_dir_each(dir, look_at_frame, look);
    close(dir);
  }
  return code;
}

static int look_for_maxima(looking *look, int maxima) {
  char file[RIA_RESULT_NAME + 8];
  for (size_t i = 0; i < look->plan->n; i++) {
    const ria_result *r = &look->plan->item[i];
    if (r->kind != RIA_RESULT_MAXIMUM) continue;
    snprintf(file, sizeof file, "%s.png", r->name);
    look_at(look, maxima, "maxima/", file, REGULAR, made(look->old, r->kind, r->name));
  }
  return 0;
}

static int look_at_checkpoint(void *user, int dir, const char *file) {
  looking *look = user;
  if (!ria_checkpoint_number(file)) return 0;
  look_at(look, dir, RIA_CHECKPOINTS "/", file, REGULAR,
          ria_results_find(look->old, RIA_RESULT_CHECKPOINTS, RIA_CHECKPOINTS) != NULL);
  return 0;
}

static int look_for_checkpoints(looking *look, int dir) {
  return ria_dir_each(dir, look_at_checkpoint, look);
}

static bool has_kind(const ria_results_list *list, ria_result_kind kind) {
  for (size_t i = 0; i < list->n; i++)
    if (list->item[i].kind == kind) return true;
  return false;
}

/* The directory that holds all results of a kind. */
static int look_below(looking *look, int dir, ria_result_kind kind, const char *name,
                      int (*look_for)(looking *, int)) {
  if (!has_kind(look->plan, kind)) return 0;
  const int below = look_into(look, dir, "", name);
  if (below < 0) return 0;
  const int code = look_for(look, below);
  close(below);
  return code;
}

int ria_results_in_the_way(int dir, const ria_results_list *plan, const ria_results_list *old,
                           char *text, size_t room) {
  looking look = {.plan = plan, .old = old, .text = text, .room = room};
  text[0] = '\0';
  for (size_t i = 0; i < plan->n; i++) {
    const ria_result *r = &plan->item[i];
    if (r->kind == RIA_RESULT_FRAMES || r->kind == RIA_RESULT_MAXIMUM ||
        r->kind == RIA_RESULT_CHECKPOINTS)
      continue;
    look_at(&look, dir, "", r->name, r->kind == RIA_RESULT_STORE ? DIRECTORY : REGULAR,
            made(old, r->kind, r->name));
  }
  int code = look_below(&look, dir, RIA_RESULT_FRAMES, "frames", look_for_frames);
  if (!code) code = look_below(&look, dir, RIA_RESULT_MAXIMUM, "maxima", look_for_maxima);
  if (!code)
    code = look_below(&look, dir, RIA_RESULT_CHECKPOINTS, RIA_CHECKPOINTS, look_for_checkpoints);
  if (look.more) ria_append(text, room, " and %d more", look.more);
  return code;
}

/* --- removing --------------------------------------------------------------------------------- */

typedef struct removing {
  const ria_results_list *list;
  const ria_result *strip;
  const char *keep; /* a file of the results directory */
  char *text;       /* what could not be removed */
  size_t room;
} removing;

static int fail(const removing *rm, const char *where, const char *name) {
  const int code = errno;
  if (code == ENOENT) return 0;
  snprintf(rm->text, rm->room, "%s%s", where, name);
  return code;
}

static int remove_file(const removing *rm, int dir, const char *where, const char *name) {
  if (type_of(dir, name) != REGULAR) return 0;
  return unlinkat(dir, name, 0) == 0 ? 0 : fail(rm, where, name);
}

static int remove_store(const removing *rm, int dir, const char *name) {
  if (type_of(dir, name) != DIRECTORY) return 0;
  errno = ria_remove_at(dir, name);
  return errno ? fail(rm, "", name) : 0;
}

static int remove_frame(void *user, int dir, const char *file) {
  const removing *rm = user;
  char of[2 * RIA_RESULT_NAME];
  const bool temporary = ria_temp_belongs(file, of, sizeof of);
  const bool ours = temporary ? frame_number(of, rm->strip) >= 0 : has_frame(rm->strip, file);
  if (!ours) return 0;
  return remove_file(rm, dir, "frames/", file);
}

/* Files that `one` knows, then the directory if nothing else is in it. */
static int remove_below(removing *rm, int dir, const char *name, ria_entry_fn one) {
  const int below = ria_dir_open(dir, name);
  if (below < 0)
    return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : fail(rm, "", name);
  const int code = ria_dir_each(below, one, rm);
  close(below);
  if (!code) (void)unlinkat(dir, name, AT_REMOVEDIR);
  return code;
}

static int remove_strips(removing *rm, int dir) {
  if (!has_kind(rm->list, RIA_RESULT_FRAMES)) return 0;
  const int frames = ria_dir_open(dir, "frames");
  int code = 0;
  if (frames < 0) return 0;
  for (size_t i = 0; !code && i < rm->list->n; i++) {
    rm->strip = &rm->list->item[i];
    if (rm->strip->kind == RIA_RESULT_FRAMES)
      code = remove_below(rm, frames, rm->strip->name, remove_frame);
  }
  close(frames);
  if (!code) (void)unlinkat(dir, "frames", AT_REMOVEDIR);
  return code;
}

static int remove_maximum(void *user, int dir, const char *file) {
  const removing *rm = user;
  char of[RIA_RESULT_NAME + 8], name[RIA_RESULT_NAME + 8];
  const bool temporary = ria_temp_belongs(file, of, sizeof of);
  const char *png = temporary ? of : file;
  const size_t n = strlen(png);
  if (n < 5 || n >= sizeof name || strcmp(png + n - 4, ".png") != 0) return 0;
  snprintf(name, sizeof name, "%.*s", (int)(n - 4), png);
  const ria_result *r = ria_results_find(rm->list, RIA_RESULT_MAXIMUM, name);
  if (!r || (!temporary && !r->made)) return 0;
  return remove_file(rm, dir, "maxima/", file);
}

static int remove_checkpoint(void *user, int dir, const char *file) {
  const removing *rm = user;
  char of[RIA_CHECKPOINT_NAME];
  const ria_result *r = ria_results_find(rm->list, RIA_RESULT_CHECKPOINTS, RIA_CHECKPOINTS);
  const bool temporary = ria_temp_belongs(file, of, sizeof of);
  const int64_t number = ria_checkpoint_number(temporary ? of : file);
  if (!number || (!temporary && number < r->from)) return 0;
  return remove_file(rm, dir, RIA_CHECKPOINTS "/", file);
}

static bool is_listed_file(const ria_results_list *list, const char *name) {
  for (size_t i = 0; i < list->n; i++)
    if (ria_result_is_file(list->item[i].kind) && strcmp(list->item[i].name, name) == 0)
      return true;
  return false;
}

/* Temporary files and stores of what lies in the results directory itself. */
static int remove_temporary(void *user, int dir, const char *file) {
  const removing *rm = user;
  char of[RIA_RESULT_NAME];
  if (!ria_temp_belongs(file, of, sizeof of)) return 0;
  if (rm->keep && strcmp(file, rm->keep) == 0) return 0;
  if (ria_results_find(rm->list, RIA_RESULT_STORE, of)) return remove_store(rm, dir, file);
  if (strcmp(of, "run.json") == 0 || is_listed_file(rm->list, of))
    return remove_file(rm, dir, "", file);
  return 0;
}

int ria_results_remove(int dir, const ria_results_list *list, const char *keep, char *text,
                       size_t room) {
  const char *slash = keep ? strrchr(keep, '/') : NULL;
  removing rm = {.list = list, .keep = slash ? slash + 1 : keep, .text = text, .room = room};
  int code = 0;
  for (size_t i = 0; !code && i < list->n; i++) {
    const ria_result *r = &list->item[i];
    if (!r->made) continue;
    if (r->kind == RIA_RESULT_STORE)
      code = remove_store(&rm, dir, r->name);
    else if (ria_result_is_file(r->kind))
      code = remove_file(&rm, dir, "", r->name);
  }
  if (!code) code = remove_strips(&rm, dir);
  if (!code && has_kind(list, RIA_RESULT_MAXIMUM))
    code = remove_below(&rm, dir, "maxima", remove_maximum);
  if (!code && has_kind(list, RIA_RESULT_CHECKPOINTS))
    code = remove_below(&rm, dir, RIA_CHECKPOINTS, remove_checkpoint);
  return code ? code : ria_dir_each(dir, remove_temporary, &rm);
}
