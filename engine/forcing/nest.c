/* forcing/nest.c - values at a set of places from what is saved of a larger model.
 *
 * A place, as the centre of a cell is, takes what lies bilinearly between the centres of the four
 * cells of the larger model that are around it, of those that are wet: their shares are scaled
 * to 1. Of a frame only the window around all places is read. Of a model that counts longitude and
 * latitude (netCDF) that goes on in degrees, and velocities are turned from true east and north
 * onto the grid, place by place. */
#include "forcing/nest.h"
#include "base/context.h"
#include "base/grid.h"
#include "base/text.h"
#include "io/crs.h"
#include "io/zarr_read.h"

#include <ria/crs.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The four cells around one, in the window, from the south-west on, and the way to the others. */
typedef struct nest_place {
  int32_t at;
  float east, north;
} nest_place;

struct ria_nest {
  ria_store *store;
  double *time; /* [n_times] of the run */
  size_t n_times;
  bool has[RIA_RELAXED];
  char name[RIA_RELAXED][RIA_NAME_MAX];
  ria_window window;
  int n;
  nest_place *place; /* [n] */
  double (*axis)[2]; /* [n] cosine, sine of the angle from the larger model's axes to the grid's */
  bool turned;       /* some angle is not 0 */
  const char
      *system; /* of longitude and latitude, where the larger model counts these; else NULL */
  char *what;
};

/* --- opening ---------------------------------------------------------------------------------- */

static ria_status fail(ria_sim *sim, const ria_nest *nest, const char *why) {
  return ria_fail(sim->ctx, RIA_ERR_INPUT, "%s: store %s: %s", nest->what,
                  ria_store_path(nest->store), why);
}

static ria_status take_times(ria_sim *sim, ria_nest *nest) {
  bool dated;
  const double *t = ria_store_times(nest->store, &nest->n_times, &dated);
  if (nest->n_times < 2) return fail(sim, nest, "it has one frame; two or more are needed");
  if (dated && !sim->start.known)
    return fail(sim, nest, "its times are dates and this run has none: give ria.sim a start");
  if (!dated && sim->start.known)
    return fail(sim, nest,
                "it has no dates and this run has some: give the larger run a start, or this none");
  nest->time = malloc(nest->n_times * sizeof *nest->time);
  if (!nest->time) return ria_fail_memory(sim->ctx, "times of a store", nest->n_times * sizeof *t);
  for (size_t k = 0; k < nest->n_times; k++)
    nest->time[k] = dated ? ria_start_since(&sim->start, t[k], false) : t[k];
  return RIA_OK;
}

/* As stores have it, and as people do. */
static bool same_unit(const ria_sim *sim, int quantity, const char *unit) {
  static const char *const flow[] = {"m", "m s-1", "m s-1"};
  if (quantity < RIA_TARGETS) return strcmp(unit, flow[quantity]) == 0;
  const ria_unit *of = &sim->units[quantity - RIA_TARGETS];
  return strcmp(unit, of->cf) == 0 || strcmp(unit, of->name) == 0;
}

static ria_status take_fields(ria_sim *sim, ria_nest *nest) {
  static const char *const flow[] = {"level", "u", "v"};
  char unit[RIA_UNIT_MAX], text[256];
  bool some = false;
  for (int q = 0; q < RIA_TARGETS + sim->n_tracers; q++) {
    snprintf(nest->name[q], sizeof nest->name[q], "%s",
             q < RIA_TARGETS ? flow[q] : sim->tracers[q - RIA_TARGETS].name);
    nest->has[q] = ria_store_has(nest->store, nest->name[q]);
    if (!nest->has[q]) continue;
    some = true;
    RIA_TRY(ria_store_unit(sim->ctx, nest->store, nest->name[q], unit, sizeof unit));
    if (same_unit(sim, q, unit)) continue;
    return ria_fail(sim->ctx, RIA_ERR_INPUT, "%s: store %s: '%s' is in %s, here it is in %s",
                    nest->what, ria_store_path(nest->store), nest->name[q],
                    *unit ? unit : "no unit",
                    q < RIA_TARGETS ? q ? "m s-1" : "m" : sim->units[q - RIA_TARGETS].name);
  }
  if (nest->has[RIA_TARGET_U] != nest->has[RIA_TARGET_V] && nest->turned)
    return fail(sim, nest, "its grid is turned against this run's: it needs u and v both");
  if (some) return RIA_OK;
  ria_store_fields(nest->store, text, sizeof text);
  return ria_fail(sim->ctx, RIA_ERR_INPUT,
                  "%s: store %s: it has none of level, u, v and this run's tracers, but %s",
                  nest->what, ria_store_path(nest->store), *text ? text : "nothing");
}

/* Places of the map as the larger model counts: as they are, or by longitude and latitude, of which
 * the first may go on beyond 180 degrees. */
static ria_status map_places(ria_sim *sim, const ria_nest *nest, double *x, double *y) {
  const ria_grid *from = ria_store_grid(nest->store);
  if (!nest->system) return RIA_OK;
  RIA_TRY(ria_crs_convert_named(sim->ctx, sim->crs, nest->system, (size_t)nest->n, x, y));
  for (int k = 0; k < nest->n; k++) x[k] -= 360.0 * floor((x[k] - from->x0 + 1e-9) / 360.0);
  return RIA_OK;
}

/* Where a place lies in the larger model, in cells; false: beyond its outermost. */
static bool place_of(const ria_grid *from, double x, double y, double at[2]) {
  ria_grid_from_map(from, &x, &y);
  at[0] = (x - from->x0) / from->dx;
  at[1] = (y - from->y0) / from->dy;
  const double slack = 1e-6;
  return at[0] >= -slack && at[0] <= from->nx + slack && at[1] >= -slack &&
         at[1] <= from->ny + slack;
}

/* The cell west or south of a place, so that another lies beyond, and the way to that one: beyond
 * the outermost centres it is theirs. */
static int split(double at, int n, float *way) {
  const double c = at - 0.5;
  int k = (int)floor(c);
  k = k < 0 ? 0 : k > n - 2 ? n - 2 : k;
  *way = (float)fmin(fmax(c - k, 0.0), 1.0);
  return k;
}

static ria_status fail_beyond(ria_sim *sim, const ria_nest *nest, double x, double y) {
  const ria_grid *g = ria_store_grid(nest->store);
  return ria_fail(sim->ctx, RIA_ERR_INPUT,
                  "%s: (%.10g, %.10g) lies outside store %s, x %.10g to %.10g, y %.10g to %.10g",
                  nest->what, x, y, ria_store_path(nest->store), g->x0, g->x0 + g->nx * g->dx,
                  g->y0, g->y0 + g->ny * g->dy);
}

static ria_status take_places(ria_sim *sim, ria_nest *nest, const double *x, const double *y) {
  const ria_grid *g = ria_store_grid(nest->store);
  ria_window *w = &nest->window;
  *w = (ria_window){g->nx, 0, g->ny, 0};
  nest->place = malloc(((size_t)nest->n + 1) * sizeof *nest->place);
  int32_t *row = malloc(((size_t)nest->n + 1) * sizeof *row);
  ria_status status = nest->place && row
                          ? RIA_OK
                          : ria_fail_memory(sim->ctx, nest->what, (size_t)nest->n * sizeof *row);
  for (int k = 0; k < nest->n && status == RIA_OK; k++) {
    nest_place *p = &nest->place[k];
    double at[2];
    if (!place_of(g, x[k], y[k], at)) {
      status = fail_beyond(sim, nest, x[k], y[k]);
      continue;
    }
    p->at = split(at[0], g->nx, &p->east);
    row[k] = split(at[1], g->ny, &p->north);
    if (p->at < w->i0) w->i0 = p->at;
    if (p->at + 2 > w->i1) w->i1 = p->at + 2;
    if (row[k] < w->j0) w->j0 = row[k];
    if (row[k] + 2 > w->j1) w->j1 = row[k] + 2;
  }
  for (int k = 0; k < nest->n && status == RIA_OK; k++)
    nest->place[k].at += (row[k] - w->j0) * (w->i1 - w->i0) - w->i0;
  free(row);
  return status;
}

/* North on the map of the run, at places by longitude and latitude: from two places a tenth of a
 * second of arc, 3 m, apart. x, y become the parts of it. */
static ria_status find_north(ria_sim *sim, const ria_nest *nest, double *x, double *y) {
  const double half = 0.05 / 3600.0;
  const size_t n = (size_t)nest->n;
  double *ends = malloc((4 * n + 1) * sizeof *ends);
  if (!ends) return ria_fail_memory(sim->ctx, nest->what, 4 * n * sizeof *ends);
  for (size_t k = 0; k < 2 * n; k++) {
    ends[k] = x[k % n];
    ends[2 * n + k] = y[k % n] + (k < n ? -half : half);
  }
  const ria_status status =
      ria_crs_convert_named(sim->ctx, nest->system, sim->crs, 2 * n, ends, ends + 2 * n);
  for (size_t k = 0; k < n && status == RIA_OK; k++) {
    x[k] = ends[n + k] - ends[k];
    y[k] = ends[3 * n + k] - ends[2 * n + k];
  }
  free(ends);
  return status;
}

/* The larger model's x axis on the map, of each cell, against the grid's. x, y: the places, which
 * go. */
static ria_status take_angles(ria_sim *sim, ria_nest *nest, double *x, double *y) {
  double here[2], there[2];
  ria_grid_axes(&sim->grid, &here[0], &here[1]);
  ria_grid_axes(ria_store_grid(nest->store), &there[0], &there[1]);
  if (nest->system && nest->n) RIA_TRY(find_north(sim, nest, x, y));
  for (int k = 0; k < nest->n; k++) {
    const double length = hypot(x[k], y[k]);
    if (nest->system) there[0] = y[k] / length, there[1] = -x[k] / length;
    nest->axis[k][0] = here[0] * there[0] + here[1] * there[1];
    nest->axis[k][1] = here[1] * there[0] - here[0] * there[1];
  }
  return RIA_OK;
}

static ria_status take_all_places(ria_sim *sim, ria_nest *nest, double *x, double *y) {
  const size_t n = (size_t)nest->n;
  nest->axis = malloc((n + 1) * sizeof *nest->axis);
  if (!nest->axis) return ria_fail_memory(sim->ctx, nest->what, n * sizeof *nest->axis);
  RIA_TRY(map_places(sim, nest, x, y));
  RIA_TRY(take_places(sim, nest, x, y));
  return take_angles(sim, nest, x, y);
}

static ria_status settle(ria_sim *sim, ria_nest *nest, const char *path, double *x, double *y) {
  RIA_TRY(ria_store_open(sim->ctx, path, &nest->store));
  nest->system = ria_store_lon_lat(nest->store);
  if (nest->system && !ria_crs_given(sim->crs))
    return fail(sim, nest,
                "it counts longitude and latitude, and this run has no crs: ria.sim { crs = "
                "\"EPSG:25829\" } says which map its grid lies on");
  if (ria_store_other_crs(nest->store, sim->crs))
    return fail(sim, nest, "it is in another coordinate system than this run");
  nest->turned = nest->system || sim->grid.angle != ria_store_grid(nest->store)->angle;
  RIA_TRY(take_times(sim, nest));
  RIA_TRY(take_fields(sim, nest));
  return take_all_places(sim, nest, x, y);
}

ria_status ria_nest_open_at(ria_sim *sim, const ria_nest_desc *desc, const char *what, int n,
                            double *x, double *y, ria_nest **out) {
  ria_nest *nest = calloc(1, sizeof *nest);
  *out = NULL;
  if (!nest) return ria_fail_memory(sim->ctx, what, sizeof *nest);
  nest->n = n;
  nest->what = ria_strdup(what);
  const ria_status status = nest->what ? settle(sim, nest, desc->path, x, y)
                                       : ria_fail_memory(sim->ctx, what, strlen(what) + 1);
  if (status == RIA_OK)
    *out = nest;
  else
    ria_nest_close(&nest);
  return status;
}

ria_status ria_nest_open(ria_sim *sim, const ria_nest_desc *desc, const char *what, int n,
                         const int32_t *cell, ria_nest **out) {
  double *x = malloc((2 * (size_t)n + 1) * sizeof *x), *y = x + n;
  *out = NULL;
  if (!x) return ria_fail_memory(sim->ctx, what, 2 * (size_t)n * sizeof *x);
  for (int k = 0; k < n; k++) {
    x[k] = ria_cell_x(&sim->grid, cell[k] % sim->grid.nx);
    y[k] = ria_cell_y(&sim->grid, cell[k] / sim->grid.nx);
    ria_grid_to_map(&sim->grid, &x[k], &y[k]);
  }
  const ria_status status = ria_nest_open_at(sim, desc, what, n, x, y, out);
  free(x);
  return status;
}

void ria_nest_close(ria_nest **nest) {
  if (!*nest) return;
  ria_store_close(&(*nest)->store);
  free((*nest)->time);
  free((*nest)->place);
  free((*nest)->axis);
  free((*nest)->what);
  free(*nest);
  *nest = NULL;
}

/* --- asking ----------------------------------------------------------------------------------- */

const char *ria_nest_path(const ria_nest *nest) { return ria_store_path(nest->store); }
bool ria_nest_has(const ria_nest *nest, int quantity) { return nest->has[quantity]; }
bool ria_nest_turned(const ria_nest *nest) { return nest->turned; }
size_t ria_nest_frames(const ria_nest *nest) { return nest->n_times; }
double ria_nest_time(const ria_nest *nest, size_t frame) { return nest->time[frame]; }

void ria_nest_span(const ria_nest *nest, double *t0, double *t1) {
  *t0 = nest->time[0];
  *t1 = nest->time[nest->n_times - 1];
}

size_t ria_nest_pair(const ria_nest *nest, double t) {
  size_t k = 0;
  while (k + 2 < nest->n_times && nest->time[k + 1] <= t + ria_time_slack(t)) k++;
  return k;
}

/* --- reading ---------------------------------------------------------------------------------- */

static double between(const nest_place *p, const double *v, int width) {
  const double e = p->east, n = p->north;
  const double share[4] = {(1 - e) * (1 - n), e * (1 - n), (1 - e) * n, e * n};
  const double value[4] = {v[p->at], v[p->at + 1], v[p->at + width], v[p->at + width + 1]};
  double sum = 0.0, all = 0.0;
  for (int k = 0; k < 4; k++) {
    if (isnan(value[k])) continue;
    sum += share[k] * value[k];
    all += share[k];
  }
  return all > 1e-6 ? sum / all : (double)NAN;
}

/* Where one quantity has a value all have: else a tile of one of them is not there. */
static ria_status check_whole(ria_sim *sim, const ria_nest *nest, size_t k, double *const *to) {
  int first = -1;
  for (int q = 0; q < RIA_RELAXED; q++) {
    if (!to[q]) continue;
    if (first < 0) first = q;
    for (int c = 0; c < nest->n; c++) {
      const bool here = !isnan(to[q][c]);
      if (here == !isnan(to[first][c])) continue;
      return ria_fail(sim->ctx, RIA_ERR_INPUT,
                      "%s: store %s: frame %zu has no '%s' where it has '%s': a chunk is missing "
                      "(in netCDF: the variables have values in other cells)",
                      nest->what, ria_store_path(nest->store), k, nest->name[here ? first : q],
                      nest->name[here ? q : first]);
    }
  }
  return RIA_OK;
}

static void turn(const ria_nest *nest, double *u, double *v) {
  for (int c = 0; u && v && c < nest->n; c++) {
    const double east = u[c], north = v[c];
    u[c] = nest->axis[c][0] * east + nest->axis[c][1] * north;
    v[c] = nest->axis[c][0] * north - nest->axis[c][1] * east;
  }
}

ria_status ria_nest_read(ria_sim *sim, const ria_nest *nest, size_t k, double *const *to) {
  const ria_window *w = &nest->window;
  const int width = w->i1 - w->i0;
  if (nest->n == 0) return RIA_OK;
  const size_t bytes = (size_t)width * (size_t)(w->j1 - w->j0) * sizeof(double);
  double *frame = malloc(bytes);
  ria_status status = frame ? RIA_OK : ria_fail_memory(sim->ctx, nest->what, bytes);
  for (int q = 0; q < RIA_RELAXED && status == RIA_OK; q++) {
    if (!to[q]) continue;
    status = ria_store_read(sim->ctx, nest->store, nest->name[q], k, w, frame);
    for (int c = 0; c < nest->n && status == RIA_OK; c++)
      to[q][c] = between(&nest->place[c], frame, width);
  }
  free(frame);
  if (status == RIA_OK) status = check_whole(sim, nest, k, to);
  if (status == RIA_OK) turn(nest, to[RIA_TARGET_U], to[RIA_TARGET_V]);
  return status;
}

/* --- in words --------------------------------------------------------------------------------- */

static void tell_time(double t, bool dated, char *buf, size_t size) {
  if (dated)
    ria_format_date(t, 0.0, 0, buf, size);
  else
    ria_format_duration(t, buf, size);
}

ria_status ria_nest_tell(ria_context *ctx, const ria_nest_desc *desc, char *text, size_t size) {
  ria_store *s;
  size_t n;
  bool dated;
  char fields[256], from[64], to[64];
  if (!desc || !desc->path) return ria_fail(ctx, RIA_ERR_ARGUMENT, "a nest needs a path");
  RIA_TRY(ria_store_open(ctx, desc->path, &s));
  const double *t = ria_store_times(s, &n, &dated);
  const ria_grid *g = ria_store_grid(s);
  ria_store_fields(s, fields, sizeof fields);
  tell_time(t[0], dated, from, sizeof from);
  tell_time(t[n - 1], dated, to, sizeof to);
  snprintf(text, size, "%s: %zu frames, %s to %s, %d x %d cells of %.10g %s", fields, n, from, to,
           g->nx, g->ny, g->dx, ria_store_lon_lat(s) ? "degrees" : "m");
  ria_store_close(&s);
  return RIA_OK;
}
