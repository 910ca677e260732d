/* io/raster_resample.c - a raster on another grid.
 *
 * The weight of source cell (i, j) in a target cell is the product of a weight along x and one
 * along y, so the weights of each axis are worked out once. Along an axis that gets coarser they
 * are the parts of the target cell that the source cells cover (the exact area mean, whatever the
 * ratio); along one that does not they are those of linear interpolation between source centres,
 * the outermost half cell taking the value of the outermost centre.
 *
 * Grids whose axes are turned against each other are raster_warp.c's.
 *
 * A target cell has a value when at least half of its weight lies on source cells that have one;
 * it is then their weighted mean. What lies outside the source counts as without. */
#include "io/raster_warp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* For target k: source cells first[k] ... with weights w[at[k]] ... w[at[k + 1] - 1]. */
typedef struct weights {
  int n;
  int *first;
  size_t *at;
  double *w;
} weights;

typedef struct axis {
  int n;
  double origin, step;
} axis;

static const double tiny = 1e-9; /* of a cell: what only round-off can be */

static void weights_free(weights *a) {
  free(a->first);
  free(a->at);
  free(a->w);
}

static bool weights_alloc(weights *a, int n, int n_from, bool coarser) {
  size_t total = 2 * (size_t)n + (coarser ? (size_t)n_from : 0);
  a->n = n;
  a->first = calloc((size_t)n, sizeof *a->first);
  a->at = calloc((size_t)n + 1, sizeof *a->at);
  a->w = malloc(total * sizeof *a->w);
  return a->first && a->at && a->w;
}

/* Target cell k covers [lo, hi] in source cells; its weights are the shares of its length. */
static void cover(weights *a, int k, double lo, double hi, int n_from) {
  const double length = hi - lo;
  lo = fmax(lo, 0.0);
  hi = fmin(hi, (double)n_from);
  size_t at = a->at[k];
  if (hi - lo > tiny) {
    int i0 = (int)floor(lo + tiny), i1 = (int)ceil(hi - tiny);
    a->first[k] = i0;
    for (int i = i0; i < i1; i++) a->w[at++] = (fmin(hi, i + 1.0) - fmax(lo, (double)i)) / length;
  }
  a->at[k + 1] = at;
}

/* Target centre at p source cells from the edge. */
static void interpolate(weights *a, int k, double p, int n_from) {
  size_t at = a->at[k];
  if (p > -tiny && p < n_from + tiny) {
    double q = fmin(fmax(p - 0.5, 0.0), (double)(n_from - 1));
    double f = q - floor(q + tiny);
    a->first[k] = (int)floor(q + tiny);
    a->w[at++] = f < tiny ? 1.0 : 1.0 - f;
    if (f >= tiny) a->w[at++] = f;
  }
  a->at[k + 1] = at;
}

static bool weights_make(weights *a, axis from, axis to, ria_resampling way) {
  const double ratio = to.step / from.step, shift = (to.origin - from.origin) / from.step;
  const bool coarser = way == RIA_RESAMPLE_AUTO ? ratio > 1.0 + tiny : way == RIA_RESAMPLE_MEAN;
  if (!weights_alloc(a, to.n, from.n, coarser)) return false;
  for (int k = 0; k < to.n; k++) {
    if (coarser)
      cover(a, k, shift + k * ratio, shift + (k + 1.0) * ratio, from.n);
    else
      interpolate(a, k, shift + (k + 0.5) * ratio, from.n);
  }
  return true;
}

static double mean_of(const ria_raster *r, const weights *wx, const weights *wy, int i, int j,
                      double *part) {
  const size_t nx = (size_t)r->grid.nx;
  const size_t a0 = wx->at[i], a1 = wx->at[i + 1];
  double sum = 0.0, known = 0.0;
  for (size_t b = wy->at[j]; b < wy->at[j + 1]; b++) {
    const double *row = r->data + ((size_t)wy->first[j] + b - wy->at[j]) * nx + wx->first[i];
    for (size_t a = a0; a < a1; a++)
      if (!isnan(row[a - a0])) {
        sum += wx->w[a] * wy->w[b] * row[a - a0];
        known += wx->w[a] * wy->w[b];
      }
  }
  if (!ria_raster_enough(known, 0.5 - tiny, part)) return NAN;
  return fabs(known - 1.0) < tiny ? sum : sum / known;
}

static void fill_target(const ria_raster *r, const weights *wx, const weights *wy, ria_raster *to,
                        double *part) {
  size_t c = 0;
  for (int j = 0; j < to->grid.ny; j++)
    for (int i = 0; i < to->grid.nx; i++, c++)
      to->data[c] = mean_of(r, wx, wy, i, j, part ? &part[c] : NULL);
}

static ria_status resample_onto(ria_context *ctx, const ria_raster *r, ria_resampling way,
                                double *part, ria_raster *to) {
  const ria_grid *f = &r->grid, *t = &to->grid;
  weights wx = {0}, wy = {0};
  ria_grid own;
  if (f->angle != t->angle) return ria_raster_warp(ctx, r, way, to, part);
  if (f->angle != 0.0) { /* along the same axes: as if neither were turned */
    own = *t;
    ria_grid_from_map(f, &own.x0, &own.y0);
    t = &own;
  }
  bool ok = weights_make(&wx, (axis){f->nx, f->x0, f->dx}, (axis){t->nx, t->x0, t->dx}, way) &&
            weights_make(&wy, (axis){f->ny, f->y0, f->dy}, (axis){t->ny, t->y0, t->dy}, way);
  if (ok) fill_target(r, &wx, &wy, to, part);
  weights_free(&wx);
  weights_free(&wy);
  return ok ? RIA_OK : ria_fail(ctx, RIA_ERR_MEMORY, "out of memory for the weights of resampling");
}

static ria_status copy_crs(ria_context *ctx, const ria_raster *r, ria_raster *to) {
  if (!r->crs) return RIA_OK;
  to->crs = strdup(r->crs);
  return to->crs ? RIA_OK : ria_fail(ctx, RIA_ERR_MEMORY, "out of memory for a raster's CRS");
}

ria_status ria_raster_resample_parts(ria_context *ctx, const ria_raster *r, const ria_grid *to,
                                     ria_resampling way, double *part, ria_raster **out) {
  ria_raster *made;
  *out = NULL;
  RIA_TRY(ria_grid_check(ctx, &r->grid));
  RIA_TRY(ria_raster_create(ctx, to, &made));
  ria_status s = copy_crs(ctx, r, made);
  if (s == RIA_OK) s = resample_onto(ctx, r, way, part, made);
  if (s == RIA_OK)
    *out = made;
  else
    ria_raster_destroy(&made);
  return s;
}

ria_status ria_raster_resample_by(ria_context *ctx, const ria_raster *r, const ria_grid *to,
                                  ria_resampling way, ria_raster **out) {
  return ria_raster_resample_parts(ctx, r, to, way, NULL, out);
}

ria_status ria_raster_resample(ria_context *ctx, const ria_raster *r, const ria_grid *to,
                               ria_raster **out) {
  return ria_raster_resample_by(ctx, r, to, RIA_RESAMPLE_AUTO, out);
}
