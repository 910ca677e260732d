/* io/raster_warp.c - a raster on a grid whose axes are turned against its own.
 *
 * A cell of the target is a quadrilateral among the raster's cells. Its mean weighs each of those
 * by the exact area that they share. Within one row of cells the area that lies west of a line
 * x = const is a sum over the edges of the quadrilateral, of the length of x - edge(y) where it is
 * positive, integrated over y in closed form; differences between neighbouring lines are the areas
 * in each cell. Edges that run down count against those that run up, so no order of them is needed.
 *
 * Bilinear: between the four centres around the middle of the target cell, the outermost half cells
 * taking the value of the outermost centre. As in raster_resample.c a target cell has a value when
 * at least half of its weight lies on cells that have one. */
#include "io/raster_warp.h"
#include "io/raster_between.h"

#include "base/context.h"

#include <math.h>
#include <stdlib.h>

static const double tiny = 1e-9; /* of a cell: what only round-off can be */

/* From places in cells of the target to places in cells of the raster. */
typedef struct affine {
  double p, pi, pj, q, qi, qj;
} affine;

static affine affine_make(const ria_grid *to, const ria_grid *from) {
  double ct, st, cf, sf;
  ria_grid_axes(to, &ct, &st);
  ria_grid_axes(from, &cf, &sf);
  const double x = to->x0 - from->x0, y = to->y0 - from->y0;
  const double c = cf * ct + sf * st, s = cf * st - sf * ct; /* of the difference of angles */
  return (affine){.p = (cf * x + sf * y) / from->dx,
                  .pi = c * to->dx / from->dx,
                  .pj = -s * to->dy / from->dx,
                  .q = (cf * y - sf * x) / from->dy,
                  .qi = s * to->dx / from->dy,
                  .qj = c * to->dy / from->dy};
}

static double place_p(const affine *a, double i, double j) { return a->p + a->pi * i + a->pj * j; }
static double place_q(const affine *a, double i, double j) { return a->q + a->qi * i + a->qj * j; }

/* --- bilinear --------------------------------------------------------------------------------- */

static double interpolate(const ria_raster *r, double p, double q, double *part) {
  int i, j;
  double f, g, sum = 0.0, known = 0.0;
  if (!ria_raster_between(p, r->grid.nx, &i, &f)) return NAN;
  if (!ria_raster_between(q, r->grid.ny, &j, &g)) return NAN;
  for (int b = 0; b < 2; b++)
    for (int a = 0; a < 2; a++) {
      const double w = (a ? f : 1.0 - f) * (b ? g : 1.0 - g);
      if (!(w > 0.0)) continue;
      const double v = r->data[(size_t)(j + b) * (size_t)r->grid.nx + (size_t)(i + a)];
      if (isnan(v)) continue;
      sum += w * v;
      known += w;
    }
  if (!ria_raster_enough(known, 0.5 - tiny, part)) return NAN;
  return fabs(known - 1.0) < tiny ? sum : sum / known;
}

/* --- means ------------------------------------------------------------------------------------ */

/* The part of an edge within a row of cells. */
typedef struct edge {
  double x0, x1, dy; /* dy < 0: it runs down */
} edge;

/* Clip the edges to lo <= y <= hi; those that are level or outside have no part in it. */
static int clip(const ria_quad *c, double lo, double hi, edge *out) {
  int n = 0;
  for (int k = 0; k < 4; k++) {
    const double xa = c->x[k], ya = c->y[k], xb = c->x[(k + 1) & 3], yb = c->y[(k + 1) & 3];
    const double a = fmin(fmax(ya, lo), hi), b = fmin(fmax(yb, lo), hi);
    if (a == b) continue;
    const double slope = (xb - xa) / (yb - ya);
    out[n++] = (edge){xa + (a - ya) * slope, xa + (b - ya) * slope, b - a};
  }
  return n;
}

/* The area between the edges west of x, with the sign of their sense. */
static double area_west(const edge *e, int n, double x) {
  double area = 0.0;
  for (int k = 0; k < n; k++) {
    const double lo = fmin(e[k].x0, e[k].x1), hi = fmax(e[k].x0, e[k].x1);
    if (x >= hi)
      area += e[k].dy * (x - 0.5 * (lo + hi));
    else if (x > lo)
      area += e[k].dy * (x - lo) * (x - lo) / (2.0 * (hi - lo));
  }
  return area;
}

static double least(const double v[4]) { return fmin(fmin(v[0], v[1]), fmin(v[2], v[3])); }
static double most(const double v[4]) { return fmax(fmax(v[0], v[1]), fmax(v[2], v[3])); }

/* The cells from a to b of an axis, first and behind the last. */
static bool cells_of(double a, double b, int n, int *first, int *end) {
  if (!(b > 0.0 && a < n)) return false;
  *first = a > 0.0 ? (int)a : 0;
  *end = b < n ? (int)ceil(b) : n;
  return *first < *end;
}

static void add_row(const ria_raster *r, int j, const edge *e, int n, int i0, int i1, double *sum,
                    double *known) {
  const double *row = r->data + (size_t)j * (size_t)r->grid.nx;
  double west = area_west(e, n, i0);
  for (int i = i0; i < i1; i++) {
    const double east = area_west(e, n, i + 1.0), share = east - west;
    west = east;
    if (isnan(row[i])) continue;
    *sum += share * row[i];
    *known += share;
  }
}

static double twice_area(const ria_quad *c) {
  return (c->x[2] - c->x[0]) * (c->y[3] - c->y[1]) - (c->x[3] - c->x[1]) * (c->y[2] - c->y[0]);
}

double ria_raster_mean_in(const ria_raster *r, const ria_quad *c, double *part) {
  const double area = -0.5 * twice_area(c); /* edges that run down lie in the west */
  int i0, i1, j0, j1;
  double sum = 0.0, known = 0.0;
  if (!cells_of(least(c->x), most(c->x), r->grid.nx, &i0, &i1)) return NAN;
  if (!cells_of(least(c->y), most(c->y), r->grid.ny, &j0, &j1)) return NAN;
  for (int j = j0; j < j1; j++) {
    edge e[4];
    const int n = clip(c, j, j + 1.0, e);
    add_row(r, j, e, n, i0, i1, &sum, &known);
  }
  return ria_raster_enough(known / area, 0.5 - tiny, part) ? sum / known : NAN;
}

static ria_quad quad_of(const affine *a, int i, int j) {
  ria_quad c;
  for (int k = 0; k < 4; k++) {
    const double s = i + (k == 1 || k == 2), t = j + (k >> 1);
    c.x[k] = place_p(a, s, t);
    c.y[k] = place_q(a, s, t);
  }
  return c;
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool by_means(const ria_grid *to, const ria_grid *from, ria_resampling way) {
  if (way != RIA_RESAMPLE_AUTO) return way == RIA_RESAMPLE_MEAN;
  return to->dx * to->dy > from->dx * from->dy * (1.0 + tiny);
}

ria_status ria_raster_warp(ria_context *ctx, const ria_raster *r, ria_resampling way,
                           ria_raster *to, double *part) {
  RIA_TRY(ria_grid_check(ctx, &r->grid));
  const affine a = affine_make(&to->grid, &r->grid);
  const bool means = by_means(&to->grid, &r->grid, way);
  for (int j = 0; j < to->grid.ny; j++) {
    RIA_TRY(ria_go_on(ctx));
    for (int i = 0; i < to->grid.nx; i++) {
      const size_t at = (size_t)j * (size_t)to->grid.nx + (size_t)i;
      double *v = &to->data[at], *share = part ? &part[at] : NULL;
      if (means) {
        const ria_quad c = quad_of(&a, i, j);
        *v = ria_raster_mean_in(r, &c, share);
      } else {
        *v = interpolate(r, place_p(&a, i + 0.5, j + 0.5), place_q(&a, i + 0.5, j + 0.5), share);
      }
    }
  }
  return RIA_OK;
}
