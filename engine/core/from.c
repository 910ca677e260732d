/* core/from.c - hot starts (ria/from.h): which frame of which store, and what is told of it. */
#include "core/from.h"
#include "base/context.h"
#include "base/grid.h"
#include "base/text.h"
#include "io/access.h"
#include "io/crs.h"
#include "io/date.h"
#include "io/text_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- the frame -------------------------------------------------------------------------------- */

static void tell_time(const ria_from *f, double t, double zone, char *buf, size_t size) {
  if (f->dated)
    ria_format_date(t, zone, ria_date_decimals(t), buf, size);
  else
    ria_format_duration(t, buf, size);
}

static ria_status fail_frame(ria_context *ctx, const ria_from *f, const double *time, size_t n,
                             const char *at, double t, double zone) {
  size_t near = 0;
  char nearest[64], first[64], last[64];
  for (size_t k = 1; k < n; k++)
    if (fabs(time[k] - t) < fabs(time[near] - t)) near = k;
  tell_time(f, time[near], zone, nearest, sizeof nearest);
  tell_time(f, time[0], zone, first, sizeof first);
  tell_time(f, time[n - 1], zone, last, sizeof last);
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "from: store %s has no frame at '%.60s'; the nearest of its %zu is at = \"%s\" "
                  "(from %s to %s)",
                  ria_store_path(f->store), at, n, nearest, first, last);
}

static ria_status read_at(ria_context *ctx, const ria_from *f, const char *at, double zone,
                          double *t) {
  const char *path = ria_store_path(f->store);
  if (ria_is_date(at) != f->dated)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    f->dated
                        ? "from: at = '%.60s': the times of store %s are dates: write at = "
                          "\"2026-07-14 06:00\""
                        : "from: at = '%.60s': store %s has no dates: write the time since its "
                          "t = 0, at = \"6 h\"",
                    at, path);
  return f->dated ? ria_parse_date(ctx, at, zone, t) : ria_parse_quantity(ctx, at, RIA_DIM_TIME, t);
}

static ria_status choose_frame(ria_context *ctx, ria_from *f, const char *at, double zone) {
  size_t n;
  double t;
  const double *time = ria_store_times(f->store, &n, &f->dated);
  f->frame = n - 1;
  if (at) {
    RIA_TRY(read_at(ctx, f, at, zone, &t));
    for (f->frame = 0; f->frame < n; f->frame++)
      if (fabs(time[f->frame] - t) <= 1e-3) break; /* dates hold microseconds, names of them less */
    if (f->frame == n) return fail_frame(ctx, f, time, n, at, t, zone);
  }
  f->time = time[f->frame];
  return RIA_OK;
}

/* Checkpoints are of a kind of their own. */
static ria_status refuse_pieces(ria_context *ctx, const char *path) {
  char head[12] = "";
  int fd;
  RIA_TRY(ria_read_open(ctx, path, 0, &fd));
  const ssize_t n = fd >= 0 ? read(fd, head, sizeof head) : 0; /* less of a directory */
  if (fd >= 0) close(fd);
  if (n < 10 || strncmp(head, "ria pieces", 10) != 0) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_INPUT,
                  "from: %s is a checkpoint, which only the run that wrote it goes on from "
                  "(ria_sim_restore); a new simulation begins from fields that a run saved: name "
                  "its results or its store",
                  path);
}

static ria_status open_frame(ria_context *ctx, ria_from *f, const ria_from_desc *desc,
                             double zone) {
  if (!desc || !desc->path)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "from: name the results of a run, or a store");
  RIA_TRY(refuse_pieces(ctx, desc->path));
  const ria_status status = ria_store_open(ctx, desc->path, &f->store);
  if (status != RIA_OK) return ria_fail_more(ctx, status, "from");
  return choose_frame(ctx, f, desc->at, zone);
}

ria_status ria_from_date(ria_context *ctx, const ria_from_desc *desc, const char *zone, char *buf,
                         size_t size) {
  ria_from f = {0};
  double ahead = 0.0;
  if (size) *buf = '\0';
  if (zone) RIA_TRY(ria_parse_zone(ctx, zone, &ahead));
  const ria_status status = open_frame(ctx, &f, desc, ahead);
  if (status == RIA_OK && f.dated) tell_time(&f, f.time, ahead, buf, size);
  ria_store_close(&f.store);
  return status;
}

/* --- values ----------------------------------------------------------------------------------- */

ria_status ria_from_room(ria_from *f, size_t n, double **out) {
  *out = calloc(n ? n : 1, sizeof **out);
  return *out ? RIA_OK : ria_fail_memory(f->sim->ctx, "a hot start", n * sizeof **out);
}

const ria_sim_field *ria_from_field(const ria_sim *sim, const char *name, int tracer) {
  for (size_t k = 0; k < sim->n_fields; k++)
    if (strcmp(sim->fields[k].info->name, name) == 0 && sim->fields[k].tracer == tracer)
      return &sim->fields[k];
  return NULL;
}

static ria_status check_unit(ria_from *f, const char *name, const ria_sim_field *like) {
  char unit[RIA_UNIT_MAX];
  RIA_TRY(ria_store_unit(f->sim->ctx, f->store, name, unit, sizeof unit));
  if (strcmp(unit, like->cf) == 0 || strcmp(unit, like->unit) == 0) return RIA_OK;
  return ria_fail(f->sim->ctx, RIA_ERR_INPUT, "from: store %s: '%s' is in %s, here it is in %s",
                  ria_store_path(f->store), name, *unit ? unit : "no unit", like->unit);
}

static ria_status read_any(ria_from *f, const char *name, const ria_sim_field *like, bool there,
                           double **out) {
  const ria_window all = {0, f->regrid.from.nx, 0, f->regrid.from.ny};
  *out = NULL;
  if (!there) return RIA_OK;
  RIA_TRY(check_unit(f, name, like));
  RIA_TRY(ria_from_room(f, f->n_from, out));
  const ria_status status = ria_store_read(f->sim->ctx, f->store, name, f->frame, &all, *out);
  if (status == RIA_OK) return RIA_OK;
  free(*out);
  *out = NULL;
  return ria_fail_more(f->sim->ctx, status, "from");
}

ria_status ria_from_read(ria_from *f, const char *name, const ria_sim_field *like, double **out) {
  return read_any(f, name, like, ria_store_has(f->store, name), out);
}

ria_status ria_from_read_fixed(ria_from *f, const char *name, const ria_sim_field *like,
                               double **out) {
  return read_any(f, name, like, ria_store_has_fixed(f->store, name), out);
}

void ria_from_took(ria_from *f, const char *name) {
  ria_buffer_format(&f->taken, "%s%s", f->taken.n ? ", " : "", name);
}

ria_status ria_from_cover(ria_from *f, const double *share) {
  f->n_covered = f->n_inside = 0;
  for (size_t c = 0; c < f->n_to; c++) {
    const bool out = ria_is_left_out(f->sim, c);
    f->covered[c] = !out && share[c] >= 0.5 - 1e-9;
    f->n_inside += !out;
    f->n_covered += f->covered[c];
  }
  if (f->n_covered) return RIA_OK;
  char text[RIA_GRID_TEXT];
  return ria_fail(f->sim->ctx, RIA_ERR_INPUT,
                  "from: store %s has no values within this grid: it lies at %s",
                  ria_store_path(f->store), ria_grid_tell(&f->regrid.from, text));
}

ria_status ria_from_set(ria_from *f, const ria_sim_field *field, double *values) {
  ria_sim *sim = f->sim;
  double *now = NULL;
  if (f->n_covered < f->n_inside) {
    RIA_TRY(ria_from_room(f, f->n_to, &now));
    const ria_status status = ria_field_read(sim, field, false, RIA_F64, now);
    for (size_t c = 0; c < f->n_to && status == RIA_OK; c++)
      if (!f->covered[c]) values[c] = now[c];
    free(now);
    if (status != RIA_OK) return status;
  }
  return ria_sim_set(sim, field->name, values);
}

/* --- a bed, and fields by name ---------------------------------------------------------------- */

static ria_status take_bed(ria_from *f) {
  const ria_sim_field *bed = f->sim->roles.bed;
  double *old = NULL, *values = NULL;
  if (!bed || f->sim->has_bed || !(bed->info->flags & RIA_FIELD_STATIC)) return RIA_OK;
  RIA_TRY(ria_from_read_fixed(f, bed->name, bed, &old));
  if (!old)
    return ria_fail(f->sim->ctx, RIA_ERR_ARGUMENT,
                    "from: give the simulation its bed: store %s has none (it has where '%s' is "
                    "among the fields that are saved)",
                    ria_store_path(f->store), bed->name);
  ria_status status = ria_from_room(f, f->n_to, &values);
  if (status == RIA_OK) {
    ria_regrid_mean(&f->regrid, old, NULL, values, NULL);
    status = ria_sim_set(f->sim, bed->name, values);
    ria_from_took(f, bed->name);
  }
  free(old);
  free(values);
  return status;
}

/* A field that steps change. */
static bool is_state(const ria_sim_field *f) {
  const unsigned flags = f->info->flags;
  return (flags & RIA_FIELD_INPUT) && (flags & RIA_FIELD_TRACK) && !(flags & RIA_FIELD_STATIC);
}

static ria_status take_field(ria_from *f, const ria_sim_field *field, double *values,
                             double *share) {
  double *old = NULL;
  RIA_TRY(ria_from_read(f, field->name, field, &old));
  if (!old) {
    ria_buffer_format(&f->warned, "not in the store: '%s', which stays as it was set\n",
                      field->name);
    return RIA_OK;
  }
  ria_regrid_mean(&f->regrid, old, NULL, values, share);
  free(old);
  RIA_TRY(ria_from_cover(f, share));
  RIA_TRY(ria_from_set(f, field, values));
  ria_from_took(f, field->name);
  return RIA_OK;
}

static ria_status take_fields(ria_from *f) {
  double *values = NULL, *share = NULL;
  ria_status status = ria_from_room(f, f->n_to, &values);
  if (status == RIA_OK) status = ria_from_room(f, f->n_to, &share);
  for (size_t k = 0; k < f->sim->n_fields && status == RIA_OK; k++)
    if (is_state(&f->sim->fields[k])) status = take_field(f, &f->sim->fields[k], values, share);
  free(values);
  free(share);
  return status;
}

/* --- in words --------------------------------------------------------------------------------- */

/* Tracers of the earlier run that this one lacks: what it has that is no field here. */
static void tell_left(ria_from *f) {
  const char *name;
  int n = 0;
  for (size_t k = 0; (name = ria_store_field(f->store, k)) != NULL; k++) {
    bool known = false;
    for (size_t i = 0; i < f->sim->n_fields && !known; i++)
      known = strcmp(f->sim->fields[i].name, name) == 0;
    if (!known) ria_buffer_format(&f->warned, n++ ? ", '%.64s'" : "left out: '%.64s'", name);
  }
  if (n) ria_buffer_format(&f->warned, ", which this simulation lacks\n");
}

static void tell_date(ria_from *f) {
  const ria_start *start = &f->sim->start;
  char here[64], there[64];
  if (f->dated != start->known)
    ria_buffer_format(&f->warned, f->dated ? "the frame has a date and this run has none\n"
                                           : "this run has dates and the frame has none\n");
  if (!f->dated || !start->known || fabs(f->time - start->t) < 1.0) return;
  tell_time(f, f->time, start->zone, there, sizeof there);
  ria_start_iso(start, 0.0, here, sizeof here);
  ria_buffer_format(&f->warned, "the frame is of %s, the run starts at %s\n", there, here);
}

/* The line above all others. */
static void tell_what(const ria_from *f, ria_buffer *all) {
  char time[64];
  const ria_grid *g = &f->regrid.from;
  tell_time(f, f->time, f->sim->start.zone, time, sizeof time);
  ria_buffer_format(all, "%.200s at %s: %.*s\n", ria_store_path(f->store), time, (int)f->taken.n,
                    f->taken.data);
  if (f->regrid.same)
    ria_buffer_format(all, "the same cells");
  else
    ria_buffer_format(all, "from %d x %d cells of %.6g x %.6g m", g->nx, g->ny, g->dx, g->dy);
  if (!f->regrid.same && f->regrid.sine != 0.0)
    ria_buffer_format(all, ", turned by %.6g deg", g->angle - f->sim->grid.angle);
  if (f->n_covered < f->n_inside)
    ria_buffer_format(all, "; %zu of %zu cells lie outside it and keep what they were set to",
                      f->n_inside - f->n_covered, f->n_inside);
  ria_buffer_format(all, "\n");
}

static ria_status keep_words(ria_from *f) {
  ria_sim *sim = f->sim;
  ria_buffer all = {0};
  tell_left(f);
  tell_date(f);
  tell_what(f, &all);
  ria_buffer_add(&all, f->told.data ? f->told.data : "", f->told.n);
  ria_buffer_add(&all, "", 1);
  ria_buffer_add(&f->warned, "", 1);
  if (all.failed || f->told.failed || f->warned.failed || f->taken.failed) {
    ria_buffer_free(&all);
    return ria_fail_memory(sim->ctx, "a hot start", all.n);
  }
  free(sim->from_told);
  free(sim->from_warned);
  sim->from_told = all.data;
  sim->from_warned = f->warned.data;
  f->warned = (ria_buffer){0};
  return RIA_OK;
}

const char *ria_sim_from_told(const ria_sim *sim) { return sim->from_told; }
const char *ria_sim_from_warnings(const ria_sim *sim) { return sim->from_warned; }

/* --- all of it -------------------------------------------------------------------------------- */

static ria_status take_all(ria_from *f) {
  ria_sim *sim = f->sim;
  char text[256];
  if (ria_store_lon_lat(f->store))
    return ria_fail(sim->ctx, RIA_ERR_INPUT,
                    "from: store %s counts longitude and latitude, which ria.nest takes, not a hot "
                    "start: gdal_translate -a_srs EPSG:4326 -b 1 'NETCDF:\"%s\":zos' level.tif "
                    "makes a map of its "
                    "first time, for init = { level = ria.dem { \"level.tif\", crs = \"%s\" } }",
                    ria_store_path(f->store), ria_store_path(f->store),
                    ria_crs_given(sim->crs) ? sim->crs : "EPSG:25829");
  if (ria_store_other_crs(f->store, sim->crs))
    return ria_fail(sim->ctx, RIA_ERR_INPUT,
                    "from: store %s is in another coordinate system than this run",
                    ria_store_path(f->store));
  ria_regrid_init(&f->regrid, ria_store_grid(f->store), &sim->grid);
  f->n_from = ria_grid_cells(&f->regrid.from);
  f->n_to = ria_grid_cells(&sim->grid);
  f->covered = calloc(f->n_to, 1);
  if (!f->covered) return ria_fail_memory(sim->ctx, "a hot start", f->n_to);
  RIA_TRY(take_bed(f));
  RIA_TRY(ria_from_is_water(sim) ? ria_from_water(f) : take_fields(f));
  if (f->taken.failed) return ria_fail_memory(sim->ctx, "a hot start", f->taken.n);
  if (f->taken.n) return keep_words(f);
  ria_store_fields(f->store, text, sizeof text);
  return ria_fail(sim->ctx, RIA_ERR_INPUT,
                  "from: store %s has none of this simulation's fields, but %s",
                  ria_store_path(f->store), *text ? text : "nothing");
}

ria_status ria_sim_from(ria_sim *sim, const ria_from_desc *desc) {
  if (sim->started)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "from: the state is taken before the run starts, not during it");
  if (desc && desc->keep != RIA_FROM_AMOUNTS && desc->keep != RIA_FROM_LEVEL)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "from: keep %d is not one of ria_from_keep",
                    (int)desc->keep);
  ria_from f = {.sim = sim, .keep = desc ? desc->keep : RIA_FROM_AMOUNTS};
  ria_status status = open_frame(sim->ctx, &f, desc, sim->start.zone);
  if (status == RIA_OK) status = take_all(&f);
  ria_store_close(&f.store);
  free(f.covered);
  ria_buffer_free(&f.taken);
  ria_buffer_free(&f.told);
  ria_buffer_free(&f.warned);
  return status;
}
