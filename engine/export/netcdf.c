/* export/netcdf.c - netCDF's classic format, written as it comes.
 *
 * CDF-2 (64-bit offsets), or CDF-5 (64-bit sizes too) where a frame of a variable takes 4 GiB. Both
 * are: the header (dimensions, attributes, variables and where each begins), the variables without
 * time one behind the other, then the records, a frame each: its time and all fields with frames.
 * Numbers are big-endian. "The NetCDF Classic Format Specification" and that of CDF-5 (Unidata and
 * Northwestern University) have the grammar, whose words stand beside the code.
 *
 * Attributes are those of the store, which follow CF-1.10 already. On a turned grid x and y run
 * along its axes and no grid mapping can place them, so each cell's longitude and latitude come
 * with the fields: CF's two-dimensional coordinates. */
#include "base/context.h"
#include "export/job.h"
#include "export/netcdf_head.h"

#include <ria/crs.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the variables ---------------------------------------------------------------------------- */

static void add_var(ria_nc *nc, const char *name, ria_nc_what what, int type, uint64_t cells) {
  const int bytes = type == RIA_NC_DOUBLE ? 8 : 4;
  nc->var[nc->n++] =
      (ria_nc_var){.name = name, .what = what, .type = type, .size = cells * (uint64_t)bytes};
}

static void add_fields(ria_nc *nc, bool timed) {
  const ria_export_job *job = nc->job;
  const uint64_t cells = (uint64_t)job->grid->nx * (uint64_t)job->grid->ny;
  for (size_t k = 0; k < job->n_fields; k++)
    if (ria_store_has(job->store, job->field[k]) == timed)
      add_var(nc, job->field[k], timed ? RIA_NC_FRAMES : RIA_NC_FIXED,
              ria_export_size(job, job->field[k]) == 8 ? RIA_NC_DOUBLE : RIA_NC_FLOAT, cells);
}

static void list_variables(ria_nc *nc) {
  const ria_export_job *job = nc->job;
  const uint64_t nx = (uint64_t)job->grid->nx, ny = (uint64_t)job->grid->ny;
  add_var(nc, "y", RIA_NC_Y, RIA_NC_DOUBLE, ny);
  add_var(nc, "x", RIA_NC_X, RIA_NC_DOUBLE, nx);
  if (*job->crs.data) add_var(nc, "crs", RIA_NC_CRS, RIA_NC_INT, 1);
  if (nc->aside) add_var(nc, nc->aside[0], RIA_NC_MAP_X, RIA_NC_DOUBLE, nx * ny);
  if (nc->aside) add_var(nc, nc->aside[1], RIA_NC_MAP_Y, RIA_NC_DOUBLE, nx * ny);
  add_fields(nc, false);
  if (job->timed) add_var(nc, "time", RIA_NC_TIME, RIA_NC_DOUBLE, 1);
  add_fields(nc, true);
}

/* Offsets: those without time behind the header, then those of the first record. */
static void place_variables(ria_nc *nc, uint64_t at) {
  for (size_t k = 0; k < nc->n; k++) {
    nc->var[k].begin = at;
    at += nc->var[k].size;
  }
}

static int version_needed(const ria_nc *nc) {
  const uint64_t most = UINT32_MAX - 3;
  for (size_t k = 0; k < nc->n; k++)
    if (nc->var[k].size > most) return 5;
  return nc->job->n_frames >= UINT32_MAX || nc->job->grid->nx > INT32_MAX - 3 ||
                 nc->job->grid->ny > INT32_MAX - 3
             ? 5
             : 2;
}

/* --- places of a turned grid ------------------------------------------------------------------ */

static const char *const lon_lat[] = {"lon", "lat"}, *const on_map[] = {"map_x", "map_y"};

/* Centres of row j on the map, or in degrees. */
static ria_status row_places(const ria_nc *nc, int j, double *x, double *y) {
  const ria_grid *g = nc->job->grid;
  for (int i = 0; i < g->nx; i++) {
    x[i] = g->x0 + (i + 0.5) * g->dx;
    y[i] = g->y0 + (j + 0.5) * g->dy;
    ria_grid_to_map(g, &x[i], &y[i]);
  }
  return nc->from ? ria_crs_convert(nc->from, nc->to, (size_t)g->nx, x, y) : RIA_OK;
}

/* Can the system be converted to degrees? *status: memory is out. */
static bool has_degrees(ria_nc *nc, ria_status *status) {
  const ria_export_job *job = nc->job;
  double x = job->grid->x0, y = job->grid->y0;
  if (!*job->crs.data) return false;
  ria_status s = ria_crs_create(job->ctx, job->crs.data, &nc->from);
  if (s == RIA_OK) s = ria_crs_create(job->ctx, "EPSG:4326", &nc->to);
  if (s == RIA_OK) s = ria_crs_convert(nc->from, nc->to, 1, &x, &y);
  if (s != RIA_OK) ria_crs_destroy(&nc->from);
  *status = s == RIA_ERR_MEMORY ? s : RIA_OK;
  return s == RIA_OK;
}

/* Longitude and latitude, else the map's own x and y. */
static ria_status choose_places(ria_nc *nc) {
  const ria_export_job *job = nc->job;
  ria_status status = RIA_OK;
  if (job->grid->angle == 0.0) return RIA_OK;
  nc->aside = has_degrees(nc, &status) ? lon_lat : on_map;
  for (int k = 0; k < 2; k++) /* a tracer may be called so */
    if (nc->aside &&
        (ria_store_has(job->store, nc->aside[k]) || ria_store_has_fixed(job->store, nc->aside[k])))
      nc->aside = NULL;
  return status;
}

/* --- numbers ---------------------------------------------------------------------------------- */

static ria_status write_places(ria_nc *nc, ria_export_file *f, bool is_x) {
  const ria_grid *g = nc->job->grid;
  double *x = malloc(2 * (size_t)g->nx * sizeof *x), *y = x + g->nx;
  if (!x) return ria_fail_memory(nc->job->ctx, "a row of places", 16 * (size_t)g->nx);
  ria_status status = RIA_OK;
  for (int j = 0; j < g->ny && status == RIA_OK; j++) {
    status = row_places(nc, j, x, y);
    if (status == RIA_OK) ria_export_numbers(f, is_x ? x : y, (size_t)g->nx, 8, true);
  }
  free(x);
  return status;
}

static ria_status write_axis(ria_nc *nc, ria_export_file *f, const char *name, int n) {
  double *v;
  size_t count;
  RIA_TRY(ria_store_line(nc->job->ctx, nc->job->store, name, &v, &count));
  if (count == (size_t)n) ria_export_numbers(f, v, count, 8, true);
  free(v);
  return count == (size_t)n
             ? RIA_OK
             : ria_fail(nc->job->ctx, RIA_ERR_INPUT, "store %s: %s has changed meanwhile",
                        ria_store_path(nc->job->store), name);
}

static ria_status write_var(ria_nc *nc, ria_export_file *f, const ria_nc_var *v, size_t frame) {
  ria_export_job *job = nc->job;
  static const unsigned char none[4] = {0};
  switch (v->what) {
  case RIA_NC_Y:
    return write_axis(nc, f, "y", job->grid->ny);
  case RIA_NC_X:
    return write_axis(nc, f, "x", job->grid->nx);
  case RIA_NC_CRS:
    return ria_export_bytes(f, none, sizeof none), RIA_OK;
  case RIA_NC_MAP_X:
  case RIA_NC_MAP_Y:
    return write_places(nc, f, v->what == RIA_NC_MAP_X);
  case RIA_NC_TIME:
    return ria_export_numbers(f, &job->stamp[frame], 1, 8, true), RIA_OK;
  default:
    return ria_export_frame(job, f, v->name, frame, true);
  }
}

static ria_status write_all(ria_nc *nc, ria_export_file *f, const ria_buffer *head) {
  const ria_export_job *job = nc->job;
  ria_export_bytes(f, head->data, head->n);
  for (size_t k = 0; k < nc->n; k++)
    if (!ria_nc_is_record(&nc->var[k])) RIA_TRY(write_var(nc, f, &nc->var[k], 0));
  for (size_t t = 0; t < job->n_frames && !f->code; t++)
    for (size_t k = 0; k < nc->n; k++)
      if (ria_nc_is_record(&nc->var[k])) RIA_TRY(write_var(nc, f, &nc->var[k], job->frame[t]));
  return RIA_OK;
}

/* --- the file --------------------------------------------------------------------------------- */

/* Twice: where variables begin is known once the header has its size, which they do not change. */
static ria_status make_head(ria_nc *nc, ria_buffer *head) {
  RIA_TRY(ria_nc_head(nc, head));
  place_variables(nc, head->n);
  head->n = 0;
  return ria_nc_head(nc, head);
}

static ria_status write_file(ria_nc *nc) {
  ria_buffer head = {0};
  ria_export_file f;
  ria_status status = make_head(nc, &head);
  if (status == RIA_OK) status = ria_export_open(nc->job, nc->job->path, &f);
  if (status == RIA_OK) status = ria_export_close(&f, write_all(nc, &f, &head));
  ria_buffer_free(&head);
  return status;
}

ria_status ria_export_netcdf_as(ria_export_job *job, int version) {
  enum { OTHERS = 6 }; /* y, x, crs, two of places, time */
  ria_nc nc = {.job = job};
  nc.var = calloc(job->n_fields + OTHERS, sizeof *nc.var);
  if (!nc.var) return ria_fail_memory(job->ctx, "variables", sizeof *nc.var);
  ria_status status = choose_places(&nc);
  if (status == RIA_OK) {
    list_variables(&nc);
    nc.version = version ? version : version_needed(&nc);
    status = write_file(&nc);
  }
  ria_crs_destroy(&nc.from);
  ria_crs_destroy(&nc.to);
  free(nc.var);
  return status;
}

ria_status ria_export_netcdf(ria_export_job *job) { return ria_export_netcdf_as(job, 0); }
