/* shapes/walk.c - the cells that a straight line touches.
 *
 * How often the line crosses a grid line is known from the cells of its two ends, so that rounding
 * cannot make it stop early or run on: the walk takes exactly that many steps east or west and
 * north or south, each time over the grid line that comes first. Where it passes through a corner
 * it takes two steps, so that no cell is joined to the next by a corner alone. */
#include "shapes/walk.h"

#include <math.h>
#include <stdlib.h>

ria_leg ria_leg_of(const ria_grid *g, double x0, double y0, double x1, double y1) {
  ria_grid_from_map(g, &x0, &y0);
  ria_grid_from_map(g, &x1, &y1);
  return (ria_leg){(x0 - g->x0) / g->dx, (y0 - g->y0) / g->dy, (x1 - g->x0) / g->dx,
                   (y1 - g->y0) / g->dy};
}

/* Narrow [*t0, *t1] to where a + t (b - a) lies in [low, high]. False: nowhere. */
static bool clip(double a, double b, double low, double high, double *t0, double *t1) {
  if (a == b) return a >= low && a <= high;
  const double p = (low - a) / (b - a), q = (high - a) / (b - a);
  *t0 = fmax(*t0, fmin(p, q));
  *t1 = fmin(*t1, fmax(p, q));
  return *t0 <= *t1;
}

/* The cells along one axis: where it is, how many grid lines it still crosses, which way. */
typedef struct axis {
  double from, by; /* position = from + t by */
  long cell, left;
  int step;
} axis;

/* The sides of the grid are of the cells along them: what lies on one, but for rounding, is in the
 * grid. */
static long cell_at(double at, int n) {
  static const double on = 1e-6; /* of a cell */
  if (at >= n && at <= n + on) return n - 1;
  if (at < 0.0 && at >= -on) return 0;
  return (long)floor(at);
}

static axis start_axis(double from, double by, double t0, double t1, int n) {
  /* at an end that was not clipped, the position itself: the next leg begins with the same */
  const double a = t0 > 0.0 ? from + t0 * by : from, b = from + t1 * by;
  axis x = {.from = from, .by = by, .cell = cell_at(a, n), .step = by > 0.0 ? 1 : -1};
  x.left = labs(cell_at(b, n) - x.cell);
  return x;
}

/* Where the next grid line is crossed; INFINITY once all are. */
static double next_crossing(const axis *x) {
  if (x->left == 0) return INFINITY;
  return ((double)(x->cell + (x->step > 0)) - x->from) / x->by;
}

static bool in_grid(const ria_grid *g, const axis *x, const axis *y) {
  return x->cell >= 0 && x->cell < g->nx && y->cell >= 0 && y->cell < g->ny;
}

static ria_status walk(const ria_grid *g, axis x, axis y, double t0, double t1, ria_walk_fn fn,
                       void *user) {
  for (double t = t0;;) {
    const double tx = next_crossing(&x), ty = next_crossing(&y);
    const bool last = x.left == 0 && y.left == 0;
    const double next = last ? t1 : fmin(fmax(fmin(tx, ty), t), t1);
    if (in_grid(g, &x, &y)) RIA_TRY(fn(user, (int)x.cell, (int)y.cell, t, next));
    if (last) return RIA_OK;
    axis *over = tx <= ty ? &x : &y;
    over->cell += over->step;
    over->left--;
    t = next;
  }
}

ria_status ria_walk(const ria_grid *g, const ria_leg *leg, ria_walk_fn fn, void *user) {
  const double du = leg->u1 - leg->u0, dv = leg->v1 - leg->v0;
  double t0 = 0.0, t1 = 1.0;
  /* two cells beyond the grid, so that what is left out is not seen inside */
  if (!clip(leg->u0, leg->u1, -2.0, g->nx + 2.0, &t0, &t1)) return RIA_OK;
  if (!clip(leg->v0, leg->v1, -2.0, g->ny + 2.0, &t0, &t1)) return RIA_OK;
  axis x = start_axis(leg->u0, du, t0, t1, g->nx), y = start_axis(leg->v0, dv, t0, t1, g->ny);
  if (t1 == 1.0) {
    x.left = labs(cell_at(leg->u1, g->nx) - x.cell);
    y.left = labs(cell_at(leg->v1, g->ny) - y.cell);
  }
  return walk(g, x, y, t0, t1, fn, user);
}

double ria_leg_nearest(const ria_grid *g, const ria_leg *leg, double u, double v,
                       double *distance) {
  const double ax = (leg->u1 - leg->u0) * g->dx, ay = (leg->v1 - leg->v0) * g->dy;
  const double px = (u - leg->u0) * g->dx, py = (v - leg->v0) * g->dy;
  const double length = ax * ax + ay * ay;
  const double t = length > 0.0 ? fmin(fmax((px * ax + py * ay) / length, 0.0), 1.0) : 0.0;
  *distance = hypot(px - t * ax, py - t * ay);
  return t;
}
