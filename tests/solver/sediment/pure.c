/* What is all sand, all mud or all of one mixture stays so: the first two to the last bit and
 * whatever the coefficients are, the third to rounding where alpha / C_s = beta / C_m. */
#include "cases.h"

static double hills(double x, double y) { return 20 * sin(x / 700) * cos(y / 500) - x / 300; }
static double alpha(double x, double y) { return (1 + 0.5 * sin(x / 400 + y / 900)) * 500 / YEAR; }
static double half(double x, double y) { return 0.5 * alpha(x, y); }

static void stays(double s, shape beta, ria_real real, double within) {
  const ria_setting params[] = {{.name = "c_sand", .number = 2}, {0}};
  basin b = basin_make(70, 45, 100, 80, real, 2, params);
  basin_set(&b, "height", hills);
  basin_set(&b, "alpha", alpha);
  basin_set(&b, "beta", beta);
  CHECK_OK(b.ctx, ria_sim_set_constant(b.sim, "sand", s));
  basin_side(&b, RIA_WEST, "flux", (ria_value){.constant = 3e-3 * s},
             (ria_value){.constant = 3e-3 * (1 - s)});
  basin_side(&b, RIA_EAST, "open", (ria_value){0}, (ria_value){0});
  CHECK_OK(b.ctx, ria_sim_run(b.sim, 1000 * YEAR));
  CHECK(ria_sim_steps(b.sim) > 100);
  const double *now = basin_get(&b, "sand");
  for (size_t k = 0; k < basin_cells(&b); k++)
    if (!CHECK_NEAR(now[k], s, within)) break;
  basin_free(&b);
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    stays(0, alpha, (ria_real)real, 0);
    stays(1, alpha, (ria_real)real, 0);
    stays(0.25, half, (ria_real)real, real ? 1e-6 : 1e-15); /* alpha / 2 = beta / 1 */
  }
  return TEST_END();
}
