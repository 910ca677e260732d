/* shapes/meet.c - do shapes lie on a grid at all? What lies beside it changes nothing, and it is a
 * slip: of the coordinate system, of the origin, of the file. */
#include "shapes/set.h"

#include "base/context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct extent {
  double low[2], high[2];
} extent;

static extent nowhere(void) { return (extent){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}}; }

static void reach(extent *e, double x, double y) {
  e->low[0] = fmin(e->low[0], x);
  e->low[1] = fmin(e->low[1], y);
  e->high[0] = fmax(e->high[0], x);
  e->high[1] = fmax(e->high[1], y);
}

static extent extent_of(const ria_shape *s) {
  extent e;
  ria_shape_box(s, e.low, e.high);
  return e;
}

/* On the map, of a turned grid the box around it. */
static extent extent_of_grid(const ria_grid *g) {
  extent e = nowhere();
  for (int k = 0; k < 4; k++) {
    double x = g->x0 + (k & 1 ? g->nx * g->dx : 0.0), y = g->y0 + (k & 2 ? g->ny * g->dy : 0.0);
    ria_grid_to_map(g, &x, &y);
    reach(&e, x, y);
  }
  return e;
}

static bool meet(const extent *a, const extent *b, double margin) {
  for (int k = 0; k < 2; k++)
    if (a->high[k] + margin < b->low[k] || b->high[k] + margin < a->low[k]) return false;
  return true;
}

static bool may_be_degrees(const extent *e) {
  return e->low[0] >= -180.0 && e->high[0] <= 360.0 && e->low[1] >= -90.0 && e->high[1] <= 90.0;
}

/* Degrees that were taken for the model's own metres. */
static const char *advice(const extent *all, const extent *on) {
  return may_be_degrees(all) && !may_be_degrees(on)
             ? "; they look like degrees: say so with crs = \"EPSG:4326\""
             : "";
}

static ria_status fail_beside(ria_context *ctx, const ria_shapes *s, const extent *all,
                              const extent *on) {
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "%s: no shape meets the grid: they lie in x %.10g .. %.10g, y %.10g .. %.10g, "
                  "the grid in x %.10g .. %.10g, y %.10g .. %.10g%s",
                  ria_shapes_path(s), all->low[0], all->high[0], all->low[1], all->high[1],
                  on->low[0], on->high[0], on->low[1], on->high[1], advice(all, on));
}

ria_status ria_shapes_meet(ria_context *ctx, const ria_shapes *s, const ria_grid *grid,
                           double width) {
  const extent on = extent_of_grid(grid);
  extent all = nowhere();
  if (ria_shapes_count(s) == 0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s: none of its shapes are chosen", ria_shapes_path(s));
  for (size_t k = 0; k < ria_shapes_count(s); k++) {
    const extent e = extent_of(ria_shapes_at(s, k));
    if (meet(&e, &on, 0.5 * width)) return RIA_OK;
    reach(&all, e.low[0], e.low[1]);
    reach(&all, e.high[0], e.high[1]);
  }
  return fail_beside(ctx, s, &all, &on);
}
