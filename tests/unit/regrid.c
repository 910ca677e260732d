/* Values on other cells: integrals are kept, no value leaves the range of those it is made of, what
 * is linear stays linear, and the same grid gives the same bits; for grids that are finer, coarser,
 * beside each other by parts of cells, larger, smaller and turned. */
#include "io/regrid.h"
#include "test.h"
#include <stdlib.h>

enum { MOST = 80 * 80 };

static double field[MOST], weight[MOST], out[MOST], share[MOST];

static unsigned seed = 1;
static double chance(void) {
  seed = seed * 1664525u + 1013904223u;
  return (double)(seed >> 8) / 16777216.0;
}

static const ria_grid base = {.nx = 24, .ny = 18, .dx = 10, .dy = 7, .x0 = 500000, .y0 = 4e6};

static size_t cells(const ria_grid *g) { return (size_t)g->nx * (size_t)g->ny; }

static double sum(const ria_grid *g, const double *v, const double *part) {
  double all = 0;
  for (size_t c = 0; c < cells(g); c++)
    if (!isnan(v[c])) all += v[c] * (part ? part[c] : 1) * g->dx * g->dy;
  return all;
}

/* A grid that has all of the base within it. */
static void check_kept(const char *what, const ria_grid *to) {
  ria_regrid r;
  double lowest = INFINITY, highest = -INFINITY, lo = INFINITY, hi = -INFINITY;
  for (size_t c = 0; c < cells(&base); c++) {
    field[c] = chance() < 0.1 ? 0 : 3 * chance() + (c % 7 == 0 ? 50 : 0);
    lo = fmin(lo, field[c]), hi = fmax(hi, field[c]);
  }
  ria_regrid_init(&r, &base, to);
  ria_regrid_mean(&r, field, NULL, out, share);
  for (size_t c = 0; c < cells(to); c++) {
    CHECK(share[c] >= 0 && share[c] <= 1 && isnan(out[c]) == (share[c] == 0));
    if (isnan(out[c])) continue;
    lowest = fmin(lowest, out[c]), highest = fmax(highest, out[c]);
  }
  const double before = sum(&base, field, NULL), after = sum(to, out, share);
  if (fabs(after / before - 1) > 1e-12) printf("%s: off by %g\n", what, after / before - 1);
  CHECK_NEAR(after / before, 1, 1e-12);
  CHECK_NEAR(sum(to, share, NULL), cells(&base) * base.dx * base.dy, 1e-12 * 30000 * 1000);
  CHECK(lowest >= lo - 1e-12 && highest <= hi + 1e-12);
}

static void check_linear(const ria_grid *to) {
  ria_regrid r;
  double ex, ey, u = 1, v = 2;
  for (int j = 0; j < base.ny; j++)
    for (int i = 0; i < base.nx; i++)
      field[j * base.nx + i] = 5 + 0.3 * (i + 0.5) * base.dx - 0.2 * (j + 0.5) * base.dy;
  ria_regrid_init(&r, &base, to);
  ria_regrid_mean(&r, field, NULL, out, share);
  for (int j = 0; j < to->ny; j++)
    for (int i = 0; i < to->nx; i++) {
      double x = to->x0 + (i + 0.5) * to->dx, y = to->y0 + (j + 0.5) * to->dy;
      ria_grid_to_map(to, &x, &y);
      CHECK_NEAR(out[j * to->nx + i], 5 + 0.3 * (x - base.x0) - 0.2 * (y - base.y0), 1e-6);
    }
  ria_grid_axes(to, &ex, &ey);
  ria_regrid_turn(&r, &u, &v); /* along the axes of `to`, and back on the map */
  CHECK_NEAR(ex * u - ey * v, 1, 1e-14);
  CHECK_NEAR(ey * u + ex * v, 2, 1e-14);
}

static void check_same(void) {
  ria_regrid r;
  ria_grid rounded = base;
  rounded.dx *= 1 + 1e-12; /* as an axis of a store rounds it */
  rounded.x0 += 1e-8;
  for (size_t c = 0; c < cells(&base); c++) field[c] = c % 5 ? chance() : (double)NAN;
  ria_regrid_init(&r, &rounded, &base);
  CHECK(r.same);
  ria_regrid_mean(&r, field, NULL, out, share);
  for (size_t c = 0; c < cells(&base); c++) {
    CHECK(isnan(field[c]) ? isnan(out[c]) && share[c] == 0 : out[c] == field[c] && share[c] == 1);
  }
}

/* What has no value or no weight does not count. */
static void check_weights(void) {
  const ria_grid one = {.nx = 1, .ny = 1, .dx = 20, .dy = 7, .x0 = base.x0, .y0 = base.y0};
  ria_regrid r;
  for (size_t c = 0; c < cells(&base); c++) field[c] = 1, weight[c] = 1;
  field[0] = 2, weight[0] = 3, field[1] = 6;
  ria_regrid_init(&r, &base, &one);
  ria_regrid_mean(&r, field, weight, out, share);
  CHECK_NEAR(out[0], 3, 1e-14);
  CHECK_NEAR(share[0], 1, 1e-14);
  weight[0] = 0;
  ria_regrid_mean(&r, field, weight, out, share);
  CHECK_NEAR(out[0], 6, 1e-14);
  CHECK_NEAR(share[0], 0.5, 1e-14);
  field[1] = (double)NAN;
  ria_regrid_mean(&r, field, weight, out, share);
  CHECK(isnan(out[0]) && share[0] == 0);
}

int main(void) {
  const double x0 = base.x0, y0 = base.y0;
  check_kept("finer", &(ria_grid){72, 54, 10. / 3, 7. / 3, x0, y0, 0});
  check_kept("coarser", &(ria_grid){8, 6, 30, 21, x0, y0, 0});
  check_kept("larger", &(ria_grid){40, 40, 9.7, 6.1, x0 - 37, y0 - 11, 0});
  check_kept("turned", &(ria_grid){60, 60, 8, 8, x0 - 20, y0 - 130, 20});
  check_kept("turned, coarse", &(ria_grid){12, 12, 40, 37, x0 + 130, y0 - 200, 48});
  check_kept("turned by 90", &(ria_grid){30, 30, 9, 9, x0 + 245, y0 - 5, 90});
  check_kept("on its head", &(ria_grid){24, 18, 10, 7, x0 + 240, y0 + 126, 180});
  check_linear(&(ria_grid){30, 30, 4, 2.5, x0 + 30, y0 + 20, 0});
  check_linear(&(ria_grid){20, 20, 3, 3, x0 + 100, y0 + 30, 33});
  check_same();
  check_weights();
  return TEST_END();
}
