/* Water and tracer in a closed basin whose shoreline moves: nothing is created or lost in 10^5
 * steps (10^4 in each run of the tests), depth is never negative, and a concentration never leaves
 * the range it started in. */
#include "cases.h"

enum { n = 100 };
static double bed(double x, double y) {
  return 2.5 * (pow(x / 240 - 1, 2) + pow(y / 240 - 1, 2)) - 1 +
         0.8 * exp(-(pow(x - 200, 2) + pow(y - 290, 2)) / 900);
}
static double level(double x, double y) { return (void)y, 0.3 + 0.8 * (x / 240 - 1); }
static double dye(double x, double y) { return (void)x, y > 200 ? 0.3 : 0.7; }

/* bound: of what 10^5 steps lose. */
static void closed_basin(ria_real real, double bound) {
  flow f = flow_make(&(flow_desc){.nx = n, .ny = n, .dx = 4.8, .real = real, .tracer = "dye"});
  flow_set(&f, "bed", bed);
  flow_set(&f, "level", level);
  flow_set(&f, "dye", dye);
  const double water = flow_total(&f, 0), mass = flow_total(&f, 1);
  double *first = flow_get(&f, "depth");
  int changed = 0;
  double beyond = 0; /* the range that the concentration started in */
  for (int part = 0; part < 10; part++) {
    CHECK_OK(f.ctx, ria_sim_step(f.sim, LENGTH(10000, 1000, 300)));
    double *h = flow_get(&f, "depth"), *c = flow_get(&f, "dye");
    for (int k = 0; k < n * n; k++) {
      CHECK(h[k] >= 0);
      changed += (h[k] > 1e-3) != (first[k] > 1e-3);
      if (h[k] > 1e-2) beyond = fmax(beyond, fmax(0.3 - c[k], c[k] - 0.7));
    }
    free(h);
    free(c);
  }
  printf("%s: water %.3g, dye %.3g (relative, %lld steps)\n", real_name[real],
         flow_total(&f, 0) / water - 1, flow_total(&f, 1) / mass - 1,
         (long long)ria_sim_steps(f.sim));
  printf("%s: concentration beyond its range by %.2g\n", real_name[real], beyond);
  /* single: where a film lies beside deep water, its last place is that of the deep water */
  CHECK(beyond < (real == RIA_F64 ? 1e-12 : 3e-3));
  CHECK(changed > 100);                          /* the shoreline did move */
  const double most = bound * LENGTH(1, 0.1, 1); /* as much a step, but for the last places */
  CHECK_NEAR(flow_total(&f, 0) / water, 1.0, most);
  CHECK_NEAR(flow_total(&f, 1) / mass, 1.0, most);
  free(first);
  flow_free(&f);
}

int main(void) {
  closed_basin(RIA_F64, 1e-12);
  closed_basin(RIA_F32, 1e-7);
  return TEST_END();
}
