/* io/dem_grid.c - the grid of a ground that is made from rasters. */
#include "io/dem.h"

#include <math.h>

static const double slack = 1e-6; /* of a cell: a box written in decimal digits still holds it */

typedef struct extent {
  double x0, y0, w, h;
} extent;

/* What all rasters reach over, on the map. */
static ria_status reach(ria_dem *m, extent *out) {
  double x1 = -INFINITY, y1 = -INFINITY;
  out->x0 = out->y0 = INFINITY;
  for (size_t k = 0; k < m->desc->n_layers; k++) {
    RIA_TRY(ria_dem_open(m, k));
    const ria_grid *g = &m->layer[k]->grid;
    for (int c = 0; c < 4; c++) {
      double x = g->x0 + (c & 1 ? g->nx * g->dx : 0.0), y = g->y0 + (c & 2 ? g->ny * g->dy : 0.0);
      ria_grid_to_map(g, &x, &y);
      *out = (extent){fmin(out->x0, x), fmin(out->y0, y), 0, 0};
      x1 = fmax(x1, x);
      y1 = fmax(y1, y);
    }
  }
  const ria_grid *one = &m->layer[0]->grid;
  const bool alone = m->desc->n_layers == 1 && one->angle == 0.0; /* its own numbers, unrounded */
  out->w = alone ? one->nx * one->dx : x1 - out->x0;
  out->h = alone ? one->ny * one->dy : y1 - out->y0;
  return RIA_OK;
}

/* The cells of a raster's axis whose centres lie from a to b. */
static int pick(double a, double b, double origin, double step, double *first) {
  const double i0 = ceil((a - origin) / step - 0.5 - slack),
               i1 = floor((b - origin) / step - 0.5 + slack) + 1.0;
  *first = origin + i0 * step;
  return i1 - i0 < 1.0 ? 0 : i1 - i0 < 1e9 ? (int)(i1 - i0) : 1000000000;
}

static int count(double length, double step) {
  const double n = floor(length / step + slack);
  return n < 1e9 ? (int)n : 1000000000; /* ria_grid_check tells */
}

static ria_status none_fits(ria_dem *m, const extent *e, double dx, double dy) {
  return ria_fail(m->ctx, RIA_ERR_ARGUMENT, "%.10g x %.10g m hold no cell of %g x %g m", e->w, e->h,
                  dx, dy);
}

ria_status ria_dem_grid(ria_dem *m, ria_grid *out) {
  const ria_dem_desc *d = m->desc;
  extent e = {d->x0, d->y0, d->x1 - d->x0, d->y1 - d->y0};
  if (!(d->x1 > d->x0)) RIA_TRY(reach(m, &e));
  *out = (ria_grid){.x0 = e.x0, .y0 = e.y0, .dx = d->dx, .dy = d->dy, .angle = d->angle};
  if (d->dx == 0.0 && d->dy > 0.0) out->dx = d->dy;
  if (d->dy == 0.0) out->dy = d->dx;
  if (out->dx == 0.0) {
    RIA_TRY(ria_dem_open(m, 0));
    out->dx = m->layer[0]->grid.dx;
    out->dy = m->layer[0]->grid.dy;
  }
  const ria_grid *like = m->layer[0] ? &m->layer[0]->grid : NULL;
  if (d->dx == 0.0 && d->dy == 0.0 && d->angle == 0.0 && like->angle == 0.0) {
    out->nx = pick(e.x0, e.x0 + e.w, like->x0, like->dx, &out->x0);
    out->ny = pick(e.y0, e.y0 + e.h, like->y0, like->dy, &out->y0);
  } else {
    out->nx = count(e.w, out->dx);
    out->ny = count(e.h, out->dy);
  }
  if (out->nx < 1 || out->ny < 1) return none_fits(m, &e, out->dx, out->dy);
  return RIA_OK;
}
