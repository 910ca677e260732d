/* A basin that is its own mirror image stays so, to the bit: west and east, south and north. */
#include "cases.h"

enum { nx = 64, ny = 50 };
static const double dx = 200, dy = 150;

static double away(double x, double n, double d) { return fabs(x - 0.5 * n * d) / d; }
static double height(double x, double y) {
  const double r = away(x, nx, dx), q = away(y, ny, dy);
  return 15 * cos(0.3 * r) * cos(0.4 * q) - 0.5 * q;
}
static double sand(double x, double y) {
  return 0.5 + 0.4 * cos(0.9 * away(x, nx, dx)) * cos(0.7 * away(y, ny, dy));
}
static double beta(double x, double y) {
  return (300 + 10 * away(x, nx, dx) + 20 * away(y, ny, dy)) / YEAR;
}

static void symmetric(basin *b, const char *field) {
  const double *v = basin_get(b, field);
  int west = 0, south = 0;
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      west += v[j * nx + i] != v[j * nx + nx - 1 - i];
      south += v[j * nx + i] != v[(ny - 1 - j) * nx + i];
    }
  if (!CHECK(west == 0 && south == 0))
    printf("%s: %d and %d cells differ from their images\n", field, west, south);
}

static void run(ria_real real, const char *scheme) {
  const ria_setting params[] = {{.name = "sea_level", .number = -3},
                                {.name = "marine_alpha", .number = 0.2},
                                {.name = "scheme", .text = scheme},
                                {0}};
  basin b = basin_make(nx, ny, dx, dy, real, 2, params);
  basin_set(&b, "height", height);
  basin_set(&b, "sand", sand);
  basin_set(&b, "beta", beta);
  const ria_value in = {.constant = 2e-3};
  basin_side(&b, RIA_WEST, "flux", in, in);
  basin_side(&b, RIA_EAST, "flux", in, in);
  basin_side(&b, RIA_SOUTH, "open", in, in);
  basin_side(&b, RIA_NORTH, "open", in, in);
  CHECK_OK(b.ctx, ria_sim_run(b.sim, 2000 * YEAR));
  CHECK(ria_sim_steps(b.sim) > 50);
  symmetric(&b, "height");
  symmetric(&b, "sand");
  basin_free(&b);
}

int main(void) {
  run(RIA_F64, "conservative");
  run(RIA_F32, "conservative");
  return TEST_END();
}
