/* Runs that break down end with an error that says why, names the cell where there is one, and
 * leaves what was reached. */
#include "cases.h"

static void breaks(const char *scheme, ria_real real, double rough, const char *why) {
  basin b =
      basin_make(30, 20, 50, 50, real, 2, (ria_setting[]){{.name = "scheme", .text = scheme}, {0}});
  basin_random(&b, "height", -rough, rough, 1);
  basin_random(&b, "sand", 0, 1, 2);
  CHECK_STATUS(b.ctx, ria_sim_run(b.sim, 1e6 * YEAR), RIA_ERR_NUMERICAL);
  CHECK_HOLDS(ria_error(b.ctx), why);
  const double *s = basin_get(&b, "sand");
  for (size_t k = 0; k < basin_cells(&b); k++) CHECK(isfinite(s[k]));
  basin_free(&b);
}

int main(void) {
  breaks("conservative", RIA_F32, 3e38, "not a number or out of range in cell (");
  breaks("conservative", RIA_F64, 1e12, "the stable time step fell below dt_min = 1 s: erosion");
  return TEST_END();
}
