/* outputs/saved.c - what a run saved, for pictures that are drawn later. */
#include "outputs/saved.h"
#include "base/context.h"
#include "base/text.h"
#include "core/start.h"
#include "io/date.h"
#include "io/file.h"
#include "io/json_read.h"
#include "io/png_read.h"
#include "io/text_file.h"
#include "io/ticks.h"
#include <ria/solver.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_MOST = 1 << 26, FRAMES_MOST = 1000000 };

/* --- the run ---------------------------------------------------------------------------------- */

/* The directory that `path` is in, or the one it is; malloc'ed. */
static char *parent_of(const char *path, const char *below) {
  char *dir = ria_strdup(path);
  if (!dir || strcmp(path, below) != 0) return dir; /* fields.zarr was found in it */
  size_t n = strlen(dir);
  while (n > 1 && dir[n - 1] == '/') dir[--n] = '\0';
  char *slash = strrchr(dir, '/');
  if (!slash) {
    free(dir);
    return ria_strdup(".");
  }
  slash[slash == dir] = '\0';
  return dir;
}

/* What run.json says, where there is one: a store may be on its own. */
static void read_run(ria_context *ctx, ria_saved *s) {
  char *text = NULL, key[32], *path = ria_path_join(s->dir, "run.json");
  size_t n;
  ria_json_reader r;
  const bool there = path && ria_file_exists(path);
  if (there && ria_text_slurp(ctx, path, RUN_MOST, &text, &n) != RIA_OK) text = NULL;
  free(path);
  if (!text) return;
  bool more = ria_json_begin(&r, text, n) && ria_json_enter(&r, '{');
  while (more && (more = ria_json_key(&r, key, sizeof key))) {
    const char kind = ria_json_peek(&r);
    if (strcmp(key, "title") == 0 && kind == '"')
      (void)ria_json_get_text(&r, s->title, sizeof s->title);
    else if (strcmp(key, "solver") == 0 && kind == '"')
      (void)ria_json_get_text(&r, s->solver, sizeof s->solver);
    else if (strcmp(key, "zone_s") == 0)
      (void)ria_json_get_number(&r, &s->zone);
    else
      ria_json_skip(&r);
  }
  free(text);
  if (!(fabs(s->zone) <= 86400.0)) s->zone = 0.0;
}

static ria_status read_epoch(ria_context *ctx, ria_saved *s) {
  char unit[96];
  if (!s->dated) return RIA_OK;
  RIA_TRY(ria_store_text(ctx, s->store, "time", "units", unit, sizeof unit));
  const char *since = strstr(unit, "since ");
  return ria_date_read(ctx, "units", since ? since + strlen("since ") : unit, 0.0, &s->epoch);
}

ria_status ria_saved_open(ria_context *ctx, const char *from, ria_saved *out) {
  *out = (ria_saved){0};
  RIA_TRY(ria_store_open_as(ctx, from, &(ria_store_how){.zarr = true}, &out->store));
  out->time = ria_store_times(out->store, &out->n, &out->dated);
  out->dir = parent_of(from, ria_store_path(out->store));
  if (!out->dir) return ria_fail_memory(ctx, "a path", strlen(from));
  RIA_TRY(ria_store_text(ctx, out->store, ".", "title", out->title, sizeof out->title));
  RIA_TRY(ria_store_text(ctx, out->store, "crs", "spatial_ref", out->crs, sizeof out->crs));
  read_run(ctx, out);
  return read_epoch(ctx, out);
}

void ria_saved_close(ria_saved *s) {
  if (s->store) ria_store_close(&s->store);
  free(s->dir);
  *s = (ria_saved){0};
}

/* --- times ------------------------------------------------------------------------------------ */

double ria_saved_since(const ria_saved *s, size_t frame) {
  return s->time[frame] - (s->dated ? s->epoch : 0.0);
}

void ria_saved_tell(const ria_saved *s, double time, char *buf, size_t size) {
  const ria_start clock = {.known = true, .zone = s->zone};
  if (!s->dated || !ria_start_label(&clock, time, buf, size)) ria_label_time(time, buf, size);
}

/* As it may be asked for. */
static void tell_plain(const ria_saved *s, double time, char *buf, size_t size) {
  const ria_start clock = {.known = s->dated, .zone = s->zone};
  ria_start_tell_seconds(&clock, time, buf, size);
}

/* The frame at a time, to a millisecond: dates hold microseconds, names of them less. */
static bool frame_at(const ria_saved *s, double t, size_t *near) {
  *near = 0;
  for (size_t k = 1; k < s->n; k++)
    if (fabs(s->time[k] - t) < fabs(s->time[*near] - t)) *near = k;
  return fabs(s->time[*near] - t) <= 1e-3;
}

static ria_status fail_time(ria_context *ctx, const ria_saved *s, const char *at, size_t near) {
  char nearest[64], first[64], last[64];
  tell_plain(s, s->time[near], nearest, sizeof nearest);
  tell_plain(s, s->time[0], first, sizeof first);
  tell_plain(s, s->time[s->n - 1], last, sizeof last);
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "store %s has nothing at '%.60s'; the nearest of its %zu times is \"%s\" (from "
                  "%s to %s)",
                  ria_store_path(s->store), at, s->n, nearest, first, last);
}

ria_status ria_saved_time(ria_context *ctx, const ria_saved *s, const char *at, double *t) {
  const bool first = strcmp(at, "first") == 0;
  *t = s->n ? s->time[first ? 0 : s->n - 1] : 0.0;
  if (first || strcmp(at, "last") == 0) return RIA_OK;
  if (ria_is_date(at) && !s->dated)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "time '%.60s': store %s has no dates: write the time since its t = 0, \"6 h\"",
                    at, ria_store_path(s->store));
  if (ria_is_date(at)) return ria_parse_date(ctx, at, s->zone, t);
  if (ria_parse_quantity(ctx, at, RIA_DIM_TIME, t) != RIA_OK)
    return ria_fail_more(ctx, RIA_ERR_ARGUMENT, "time");
  if (s->dated) *t += s->epoch;
  return RIA_OK;
}

ria_status ria_saved_frame(ria_context *ctx, const ria_saved *s, const char *at, size_t *frame) {
  double t;
  RIA_TRY(ria_saved_time(ctx, s, at, &t));
  return frame_at(s, t, frame) ? RIA_OK : fail_time(ctx, s, at, *frame);
}

ria_status ria_saved_same(ria_context *ctx, const ria_saved *s, const ria_saved *other,
                          size_t frame, size_t *out) {
  char at[64];
  const bool dates = s->dated && other->dated;
  const double t =
      dates ? other->time[frame] : ria_saved_since(other, frame) + (s->dated ? s->epoch : 0.0);
  if (frame_at(s, t, out)) return RIA_OK;
  tell_plain(dates ? other : &(ria_saved){0}, dates ? t : ria_saved_since(other, frame), at,
             sizeof at);
  return fail_time(ctx, s, at, *out);
}

/* --- a field ---------------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *suffix) {
  const size_t n = strlen(name), m = strlen(suffix);
  return n > m + 1 && name[n - m - 1] == '_' && strcmp(name + n - m, suffix) == 0;
}

/* The solver's own field of that name, or what it has of each tracer. */
static const ria_field_info *info_in(const ria_solver *solver, const char *name) {
  const ria_field_info *each = NULL;
  for (const ria_field_info *f = solver->fields; f && f->name; f++) {
    const bool tracer = f->flags & RIA_FIELD_PER_TRACER;
    if (!tracer && strcmp(f->name, name) == 0) return f;
    if (tracer && (*f->name ? ends_with(name, f->name) : !each)) each = f;
  }
  return each;
}

static const ria_field_info *info_of(const ria_saved *s, const char *name) {
  for (size_t k = 0; k < ria_solver_count(); k++)
    if (strcmp(ria_solver_at(k)->name, s->solver) == 0) return info_in(ria_solver_at(k), name);
  for (size_t k = 0; k < ria_solver_count(); k++) {
    const ria_field_info *f = info_in(ria_solver_at(k), name);
    if (f && !(f->flags & RIA_FIELD_PER_TRACER)) return f;
  }
  return NULL;
}

/* frames/<field>/<field>_000012.png of the run, malloc'ed. */
static char *frame_path(const ria_saved *s, const char *field, int number) {
  const size_t size = strlen(s->dir) + 2 * strlen(field) + 40;
  char *path = malloc(size);
  if (path) snprintf(path, size, "%s/frames/%s/%s_%06d.png", s->dir, field, field, number);
  return path;
}

/* The range of the run's own last frame; before there was anything to see they had another. */
static void read_frames(ria_context *ctx, const ria_saved *s, const char *field,
                        ria_saved_look *look) {
  char *path = NULL, *next = NULL;
  ria_png_picture p;
  for (int k = 0; k < FRAMES_MOST; k++) {
    next = frame_path(s, field, k);
    if (!next || !ria_file_exists(next)) break;
    free(path);
    path = next;
    next = NULL;
  }
  free(next);
  if (path && ria_png_read(ctx, path, false, &p) == RIA_OK) {
    const char *at = p.range;
    look->framed = ria_read_number(at, &at, &look->min) && *at++ == ' ' &&
                   ria_read_number(at, &at, &look->max) && look->max > look->min &&
                   isfinite(look->max - look->min);
    look->framed_log = look->framed && strncmp(at, " log", 4) == 0;
  }
  free(path);
}

static ria_status fail_field(ria_context *ctx, const ria_saved *s, const char *field) {
  ria_guess guess = ria_guess_start(field);
  const char *name;
  for (size_t k = 0; (name = ria_store_field(s->store, k)); k++) ria_guess_try(&guess, name);
  return ria_fail_unknown(ctx, "field", &guess);
}

ria_status ria_saved_look_of(ria_context *ctx, const ria_saved *s, const char *field,
                             ria_saved_look *out) {
  *out = (ria_saved_look){0};
  if (!ria_store_has(s->store, field) && !ria_store_has_fixed(s->store, field))
    return fail_field(ctx, s, field);
  RIA_TRY(ria_store_text(ctx, s->store, field, "long_name", out->long_name, sizeof out->long_name));
  RIA_TRY(ria_store_text(ctx, s->store, field, "measured_in", out->unit, sizeof out->unit));
  if (!*out->unit) RIA_TRY(ria_store_unit(ctx, s->store, field, out->unit, sizeof out->unit));
  const ria_field_info *f = info_of(s, field);
  if (f) {
    out->map = f->map;
    out->symmetric = f->flags & RIA_FIELD_LEVEL;
    out->ground = f->flags & RIA_FIELD_GROUND;
    out->sentence = !(f->flags & RIA_FIELD_PER_TRACER) && f->long_name;
  }
  read_frames(ctx, s, field, out);
  return RIA_OK;
}
