/* io/dem_grid.c - the grid of a ground that is made from rasters. */
#include "io/dem.h"
#include "io/raster_project.h"

#include <math.h>

static const double slack = 1e-6; /* of a cell: a box written in decimal digits still holds it */

typedef struct extent {
  double x0, y0, w, h;
} extent;

/* A raster's cells on the map: its own, or those that it would be projected to. */
static ria_status on_map(ria_dem *m, size_t k, ria_grid *out) {
  const ria_dem_desc *d = m->desc;
  const ria_project_desc to = {.crs = d->crs, .dx = d->dx > 0.0 ? d->dx : d->dy, .dy = d->dy};
  RIA_TRY(ria_dem_open(m, k));
  if (*m->part[k].from) return ria_project_grid(m->ctx, m->layer[k], &to, out);
  *out = m->layer[k]->grid;
  return RIA_OK;
}

/* The cells whose size and lines the result takes: the first raster's; of a projected one such as
 * its own are in the middle of the box. */
static ria_status like_first(ria_dem *m, ria_grid *out) {
  const ria_dem_desc *d = m->desc;
  RIA_TRY(ria_dem_open(m, 0));
  if (!*m->part[0].from || !ria_dem_is_boxed(d)) return on_map(m, 0, out);
  const ria_grid box = {.x0 = d->x0, .y0 = d->y0, .angle = d->angle};
  double x = 0.5 * (d->x0 + d->x1), y = 0.5 * (d->y0 + d->y1), size;
  ria_grid_to_map(&box, &x, &y);
  RIA_TRY(ria_project_size(m->ctx, m->layer[0], d->crs, x, y, &size));
  *out = (ria_grid){.nx = 1, .ny = 1, .dx = size, .dy = size};
  return RIA_OK;
}

/* What all rasters reach over, on the map; of one alone that is turned, along its own axes. */
static ria_status reach(ria_dem *m, extent *out, double *angle) {
  double x1 = -INFINITY, y1 = -INFINITY;
  ria_grid first = {0};
  out->x0 = out->y0 = INFINITY;
  for (size_t k = 0; k < m->desc->n_layers; k++) {
    ria_grid cells;
    const ria_grid *const g = &cells;
    RIA_TRY(on_map(m, k, &cells));
    if (k == 0) first = cells;
    for (int c = 0; c < 4; c++) {
      double x = g->x0 + (c & 1 ? g->nx * g->dx : 0.0), y = g->y0 + (c & 2 ? g->ny * g->dy : 0.0);
      ria_grid_to_map(g, &x, &y);
      *out = (extent){fmin(out->x0, x), fmin(out->y0, y), 0, 0};
      x1 = fmax(x1, x);
      y1 = fmax(y1, y);
    }
  }
  const bool alone = m->desc->n_layers == 1; /* its own numbers, unrounded */
  if (alone) out->x0 = first.x0, out->y0 = first.y0, *angle = first.angle;
  out->w = alone ? first.nx * first.dx : x1 - out->x0;
  out->h = alone ? first.ny * first.dy : y1 - out->y0;
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
  ria_grid like = {0};
  double angle = d->angle;
  if (!ria_dem_is_boxed(d)) RIA_TRY(reach(m, &e, &angle));
  *out = (ria_grid){.x0 = e.x0, .y0 = e.y0, .dx = d->dx, .dy = d->dy, .angle = angle};
  if (d->dx == 0.0 && d->dy > 0.0) out->dx = d->dy;
  if (d->dy == 0.0) out->dy = d->dx;
  if (out->dx == 0.0) {
    RIA_TRY(like_first(m, &like));
    out->dx = like.dx;
    out->dy = like.dy;
  }
  if (like.nx > 0 && angle == 0.0 && like.angle == 0.0) {
    out->nx = pick(e.x0, e.x0 + e.w, like.x0, like.dx, &out->x0);
    out->ny = pick(e.y0, e.y0 + e.h, like.y0, like.dy, &out->y0);
  } else {
    out->nx = count(e.w, out->dx);
    out->ny = count(e.h, out->dy);
  }
  if (out->nx < 1 || out->ny < 1) return none_fits(m, &e, out->dx, out->dy);
  return RIA_OK;
}
