/* shapes/lay.c - shapes laid onto a raster: set, added, raised to, lowered to. */
#include "shapes/cells.h"
#include "shapes/walk.h"

#include "base/context.h"
#include "base/grid.h"

#include <math.h>
#include <stdlib.h>

static double laid(ria_lay_how how, double old, double value) {
  switch (how) {
  case RIA_LAY_ADD:
    return old + value;
  case RIA_LAY_RAISE:
    return fmax(old, value);
  case RIA_LAY_LOWER:
    return fmin(old, value);
  default:
    return value;
  }
}

/* --- whole cells ------------------------------------------------------------------------------ */

typedef struct layer {
  const ria_lay *lay;
  int nx;
  double *data, value; /* of the shape that is laid */
  bool *touched;       /* [ny][nx] by it */
} layer;

/* A cell that a shape meets more than once has its value added once. */
static void lay_cell(void *user, int i, int j, double z) {
  layer *l = user;
  const size_t at = (size_t)j * (size_t)l->nx + (size_t)i;
  const bool before = l->touched[at];
  l->touched[at] = true;
  if (isnan(l->data[at]) && l->lay->how != RIA_LAY_SET) return;
  if (before && l->lay->how == RIA_LAY_ADD) return;
  l->data[at] = laid(l->lay->how, l->data[at], l->lay->by_z ? l->value + z : l->value);
}

static void forget_cell(void *user, int i, int j, double z) {
  layer *l = user;
  (void)z;
  l->touched[(size_t)j * (size_t)l->nx + (size_t)i] = false;
}

static ria_status check_z(ria_context *ctx, const ria_shapes *s, size_t number) {
  char place[320];
  const ria_shape *shape = ria_shapes_at(s, number);
  ria_shapes_place(s, number, place, sizeof place);
  if (shape->kind == RIA_POLYGONS)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s: polygons have no z along them", place);
  for (size_t k = shape->first[0]; k < shape->first[shape->n_parts]; k++)
    if (!isfinite(shape->z[k]))
      return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s: a position without a z", place);
  return RIA_OK;
}

static ria_status lay_cells(ria_context *ctx, const ria_shapes *s, const ria_grid *grid,
                            const ria_lay *lay, double *data) {
  layer l = {.lay = lay, .nx = grid->nx, .data = data};
  l.touched = calloc(ria_grid_cells(grid), sizeof *l.touched);
  ria_status status =
      l.touched ? RIA_OK : ria_fail_memory(ctx, "cells of shapes", ria_grid_cells(grid));
  for (size_t k = 0; k < ria_shapes_count(s) && status == RIA_OK; k++) {
    const ria_shape *shape = ria_shapes_at(s, k);
    if (isnan(lay->value[k])) continue;
    if ((status = ria_go_on(ctx)) != RIA_OK) break;
    l.value = lay->value[k];
    if (lay->by_z) status = check_z(ctx, s, k);
    if (status == RIA_OK)
      status = ria_shape_each_cell(ctx, shape, grid, lay->cells, lay->width, lay_cell, &l);
    if (status == RIA_OK && lay->how == RIA_LAY_ADD)
      status = ria_shape_each_cell(ctx, shape, grid, lay->cells, lay->width, forget_cell, &l);
  }
  free(l.touched);
  return status;
}

/* --- shares of cells -------------------------------------------------------------------------- */

static double shared(ria_lay_how how, double old, double share, double mean) {
  if (share <= 0.0) return old;
  if (isnan(old)) return how == RIA_LAY_SET && share >= 0.5 ? mean : old;
  if (share >= 1.0) return laid(how, old, mean);
  return old + share * (laid(how, old, mean) - old);
}

static ria_status lay_shares(ria_context *ctx, const ria_shapes *s, const ria_grid *grid,
                             const ria_lay *lay, double *data) {
  const size_t n = ria_grid_cells(grid);
  if (lay->by_z)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s: z goes into whole cells", ria_shapes_path(s));
  double *share = malloc(2 * n * sizeof *share), *mean = share + n;
  if (!share) return ria_fail_memory(ctx, "shares of cells", 2 * n * sizeof *share);
  const ria_status status = ria_shapes_cover(ctx, s, grid, lay->width, lay->value, share, mean);
  for (size_t k = 0; status == RIA_OK && k < n; k++)
    data[k] = shared(lay->how, data[k], share[k], mean[k]);
  free(share);
  return status;
}

ria_status ria_shapes_lay(ria_context *ctx, const ria_shapes *s, const ria_grid *grid,
                          const ria_lay *lay, double *data, long *changed) {
  RIA_TRY(ria_grid_check(ctx, grid));
  const size_t n = ria_grid_cells(grid);
  double *old = malloc(n * sizeof *old);
  if (!old) return ria_fail_memory(ctx, "cells of shapes", n * sizeof *old);
  for (size_t k = 0; k < n; k++) old[k] = data[k];
  const ria_status status = lay->cells == RIA_CELLS_SHARE ? lay_shares(ctx, s, grid, lay, data)
                                                          : lay_cells(ctx, s, grid, lay, data);
  long count = 0;
  for (size_t k = 0; k < n; k++) {
    if (status != RIA_OK) data[k] = old[k];
    count += data[k] != old[k] && !(isnan(data[k]) && isnan(old[k]));
  }
  if (changed) *changed = count;
  free(old);
  return status;
}

/* --- weights of a release --------------------------------------------------------------------- */

typedef struct weigher {
  int nx;
  double *weight, length;
} weigher;

static ria_status weigh_leg(void *user, int i, int j, double t0, double t1) {
  const weigher *w = user;
  w->weight[(size_t)j * (size_t)w->nx + (size_t)i] += (t1 - t0) * w->length;
  return RIA_OK;
}

static void weigh_point(void *user, int i, int j, double z) {
  const weigher *w = user;
  (void)z;
  w->weight[(size_t)j * (size_t)w->nx + (size_t)i] += 1.0;
}

static ria_status weigh_lines(const ria_grid *grid, const ria_shape *s, weigher *w) {
  for (size_t p = 0; p < s->n_parts; p++)
    for (size_t k = s->first[p]; k + 1 < s->first[p + 1]; k++) {
      const ria_leg leg = ria_leg_of(grid, s->x[k], s->y[k], s->x[k + 1], s->y[k + 1]);
      w->length = hypot(s->x[k + 1] - s->x[k], s->y[k + 1] - s->y[k]);
      RIA_TRY(ria_walk(grid, &leg, weigh_leg, w));
    }
  return RIA_OK;
}

ria_status ria_shapes_weigh(ria_context *ctx, const ria_shapes *s, const ria_grid *grid,
                            double *weight) {
  weigher w = {.nx = grid->nx, .weight = weight};
  const size_t n = ria_shapes_count(s);
  RIA_TRY(ria_grid_check(ctx, grid));
  for (size_t k = 0; k < ria_grid_cells(grid); k++) weight[k] = 0.0;
  for (size_t k = 0; k < n; k++)
    if (ria_shapes_at(s, k)->kind != ria_shapes_at(s, 0)->kind)
      return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s: %s and %s together: choose one kind",
                      ria_shapes_path(s), ria_shape_kind_name(ria_shapes_at(s, 0)->kind),
                      ria_shape_kind_name(ria_shapes_at(s, k)->kind));
  if (n && ria_shapes_at(s, 0)->kind == RIA_POLYGONS)
    return ria_shapes_cover(ctx, s, grid, 0.0, NULL, weight, NULL);
  for (size_t k = 0; k < n; k++) {
    const ria_shape *shape = ria_shapes_at(s, k);
    RIA_TRY(shape->kind == RIA_LINES
                ? weigh_lines(grid, shape, &w)
                : ria_shape_each_cell(ctx, shape, grid, RIA_CELLS_CENTRE, 0.0, weigh_point, &w));
  }
  return RIA_OK;
}
