/* shapes/near.c - how far cells are from shapes.
 *
 * Each leg of a line or a border looks at the cells of the box around it, as much wider as is
 * asked, so that what it takes is in proportion to the band and not to the grid. */
#include "base/context.h"
#include "base/grid.h"
#include "shapes/cells.h"
#include "shapes/walk.h"

#include <math.h>

typedef struct nearer {
  const ria_grid *grid;
  double width;
  double *distance;
} nearer;

static int within(double v, int n) { return v < 0.0 ? 0 : v > n ? n : (int)v; }

static void look_around(const nearer *to, const ria_leg *leg) {
  const ria_grid *g = to->grid;
  const double wide = to->width / g->dx, high = to->width / g->dy;
  const int i0 = within(floor(fmin(leg->u0, leg->u1) - wide - 0.5), g->nx);
  const int i1 = within(ceil(fmax(leg->u0, leg->u1) + wide + 0.5), g->nx);
  const int j0 = within(floor(fmin(leg->v0, leg->v1) - high - 0.5), g->ny);
  const int j1 = within(ceil(fmax(leg->v0, leg->v1) + high + 0.5), g->ny);
  for (int j = j0; j < j1; j++)
    for (int i = i0; i < i1; i++) {
      double d, *at = &to->distance[(size_t)j * (size_t)g->nx + (size_t)i];
      (void)ria_leg_nearest(g, leg, i + 0.5, j + 0.5, &d);
      if (d <= to->width && d < *at) *at = d;
    }
}

static void inside(void *user, int i, int j, double z) {
  const nearer *to = user;
  (void)z;
  to->distance[(size_t)j * (size_t)to->grid->nx + (size_t)i] = 0.0;
}

static ria_status look_at(ria_context *ctx, const nearer *to, const ria_shape *s) {
  if (s->kind == RIA_POLYGONS)
    RIA_TRY(ria_shape_each_cell(ctx, s, to->grid, RIA_CELLS_CENTRE, 0.0, inside, (void *)to));
  for (size_t part = 0; part < s->n_parts && to->width > 0.0; part++)
    for (size_t k = s->first[part]; k < s->first[part + 1]; k++) {
      const bool last = k + 1 == s->first[part + 1];
      if (last && s->kind != RIA_POINTS) continue;
      const size_t next = s->kind == RIA_POINTS ? k : k + 1;
      const ria_leg leg = ria_leg_of(to->grid, s->x[k], s->y[k], s->x[next], s->y[next]);
      look_around(to, &leg);
    }
  return RIA_OK;
}

ria_status ria_shapes_near(ria_context *ctx, const ria_shapes *s, const ria_grid *grid,
                           double width, double *distance) {
  const nearer to = {grid, width, distance};
  if (!(width >= 0.0) || !isfinite(width))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "a width of %g: it must be 0 or more", width);
  for (size_t c = 0; c < ria_grid_cells(grid); c++) distance[c] = INFINITY;
  RIA_TRY(ria_shapes_meet(ctx, s, grid, 2.0 * width));
  for (size_t k = 0; k < ria_shapes_count(s); k++) RIA_TRY(look_at(ctx, &to, ria_shapes_at(s, k)));
  return RIA_OK;
}
