/* A lake with islands, shoals and a rough bed stays at rest: level and speed change by round-off
 * only, in 10^4 steps. */
#include "cases.h"

static double bed(double x, double y) {
  double island1 = 12 * exp(-(pow(x - 300, 2) + pow(y - 400, 2)) / 3e4);
  double island2 = 10 * exp(-(pow(x - 700, 2) + pow(y - 650, 2)) / 1e4);
  return -8 + island1 + island2 + 3 * sin(0.9 * x) * cos(1.3 * y);
}
static double level(double x, double y) { return (void)x, (void)y, 0.37; }
static double one(double x, double y) { return (void)x, (void)y, 1.0; }

static void rest(ria_real real, double round_off) {
  flow f = flow_make(
      &(flow_desc){.nx = 100, .ny = 100, .dx = 10, .real = real, .manning = 0.03, .tracer = "dye"});
  flow_set(&f, "bed", bed);
  flow_set(&f, "level", level);
  flow_set(&f, "dye", one);
  flow_side(&f, RIA_WEST, "level", "level", (ria_value){.constant = 0.37}, 1);
  flow_side(&f, RIA_EAST, "open", "slope", (ria_value){.constant = 0}, 1);
  const double water = flow_total(&f, 0);
  CHECK_OK(f.ctx, ria_sim_step(f.sim, test_is_traced() ? 30 : SHORT(10000, 500)));

  double *eta = flow_get(&f, "level"), *speed = flow_get(&f, "speed");
  double worst = 0, fastest = 0;
  int dry = 0;
  for (int k = 0; k < 100 * 100; k++) {
    if (isnan(eta[k])) {
      dry++;
      continue;
    }
    worst = fmax(worst, fabs(eta[k] - 0.37));
    fastest = fmax(fastest, speed[k]);
  }
  printf("%s: level off by %.3g m, speed %.3g m/s, %d dry cells\n", real_name[real], worst, fastest,
         dry);
  CHECK(dry > 100 && dry < 2000);
  CHECK(worst < 30 * round_off * 12.0);
  CHECK(fastest < by_order(30, 120) * round_off * 12.0 * 10.0); /* less damps rounding's currents */
  CHECK_NEAR(flow_total(&f, 0) / water, 1.0, 10 * round_off);
  free(eta);
  free(speed);
  flow_free(&f);
}

int main(void) {
  rest(RIA_F64, 1.1e-16);
  rest(RIA_F32, 6e-8);
  return TEST_END();
}
