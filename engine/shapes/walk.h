/* shapes/walk.h - cells along lines, in units of cells. Private.
 *
 * u = (x - x0) / dx and v = (y - y0) / dy along the grid's own axes: cell (i, j) is
 * [i, i + 1) x [j, j + 1). */
#ifndef RIA_SHAPES_WALK_H
#define RIA_SHAPES_WALK_H
#include <ria/grid.h>

typedef struct ria_leg {
  double u0, v0, u1, v1;
} ria_leg;

/* Of two points on the map. */
ria_leg ria_leg_of(const ria_grid *g, double x0, double y0, double x1, double y1);

/* Called for each cell that a leg touches, in order, with the part [t0, t1] of it that is there. */
typedef ria_status (*ria_walk_fn)(void *user, int i, int j, double t0, double t1);

/* From the cell that holds the leg's beginning to that of its end, from side to side: a chain
 * without gaps, of which cells outside the grid are left out. Legs that follow each other make one
 * chain. */
ria_status ria_walk(const ria_grid *g, const ria_leg *leg, ria_walk_fn fn, void *user);

/* Where on the leg, 0 to 1, the point is nearest; *distance in m. */
double ria_leg_nearest(const ria_grid *g, const ria_leg *leg, double u, double v, double *distance);

#endif
