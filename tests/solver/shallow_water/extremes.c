/* A concentration makes no new extremes: with dye that differs from cell to cell, in flow that is
 * as violent as it can be (Froude numbers up to 10 at random, drying and wetting, steps of the
 * bed), at the longest step and with the steepest slopes that there are. After one step a cell has
 * no more and no less than the greatest and the least of the diamond of 13 cells that it comes
 * from. With diffusion and eddies too, however much of the step is theirs. */
#include "cases.h"

enum { NX = 45, NY = 37, CELLS = NX * NY };

static uint64_t state;
static double roll(double lo, double hi) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return lo + (hi - lo) * (double)(state >> 11) * 0x1p-53;
}

static double bump; /* of the bed, m */
static double bed(double x, double y) { return (void)x, (void)y, roll(-bump, bump); }
static double thin; /* part of cells that are dry or films: slopes are given up beside them */
static double depth(double x, double y) {
  return (void)x, (void)y, roll(0, 1) < thin ? fmax(roll(-0.001, 0.001), 0) : roll(0.4, 1);
}
static double froude; /* the greatest */
static double speed(double x, double y) {
  static const double way[] = {-1, 0, 0.5, 1};
  return (void)x, (void)y, way[(int)roll(0, 4)] * froude * sqrt(gravity * 0.7);
}

/* At an end of its range or near it: steep slopes in cells that have little to give. */
static double dye(double x, double y) {
  static const double c[] = {0.3, 0.34, 0.66, 0.7};
  return (void)x, (void)y, c[(int)roll(0, 4)];
}

/* The least and the greatest concentration of the wet cells around cell k. */
static void range_around(const double *h, const double *c, int k, double *lo, double *hi) {
  *lo = INFINITY, *hi = -INFINITY;
  for (int dj = -2; dj <= 2; dj++)
    for (int di = abs(dj) - 2; di <= 2 - abs(dj); di++) {
      const int i = k % NX + di, j = k / NX + dj, at = j * NX + i;
      if (i < 0 || j < 0 || i >= NX || j >= NY || !(h[at] > 0)) continue;
      *lo = fmin(*lo, c[at]);
      *hi = fmax(*hi, c[at]);
    }
}

/* The most that a cell holds beyond its range after one step, as a depth of water; the dye of cells
 * without water is 0 over 0. */
static double beyond_after_step(flow *f) {
  double *h0 = flow_get(f, "depth"), *m0 = flow_get(f, "dye_load"), most = 0;
  CHECK_OK(f->ctx, ria_sim_step(f->sim, 1));
  double *h = flow_get(f, "depth"), *m = flow_get(f, "dye_load"), lo, hi;
  for (int k = 0; k < CELLS; k++) m0[k] /= h0[k] > 0 ? h0[k] : 1;
  for (int k = 0; k < CELLS; k++) {
    CHECK(h[k] >= 0);
    if (!(h[k] > 0)) continue;
    range_around(h0, m0, k, &lo, &hi);
    most = fmax(most, fmax(lo * h[k] - m[k], m[k] - hi * h[k]));
  }
  free(h0);
  free(m0);
  free(h);
  free(m);
  return most;
}

static double limiter, spread; /* diffusion, m^2/s */
static double eddy, smagorinsky;
static void violent(double fastest, double rough, double drying, double wide, ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = NX,
                                  .ny = NY,
                                  .dx = 1,
                                  .dy = wide,
                                  .real = real,
                                  .cfl = 0.95,
                                  .tracer = "dye",
                                  .diffusion = spread,
                                  .more = {{"limiter", limiter, NULL},
                                           {"eddy", eddy, NULL},
                                           {"smagorinsky", smagorinsky, NULL}}});
  double most = 0;
  froude = fastest, bump = rough, thin = drying, state = 1;
  flow_set(&f, "bed", bed);
  for (int round = 0; round < LENGTH(60, 20, 20); round++) { /* each is as random as the last */
    flow_set(&f, "depth", depth);
    flow_set(&f, "u", speed);
    flow_set(&f, "v", speed);
    flow_set(&f, "dye", dye);
    for (int step = 0; step < 4; step++) most = fmax(most, beyond_after_step(&f));
  }
  printf("%s, limiter %g, diffusion %g, eddies %g and %g, Froude numbers up to %g, bed +-%g m, %g "
         "dry: dye beyond by "
         "%.1g m\n",
         real_name[real], limiter, spread, eddy, smagorinsky, fastest, rough, drying, most);
  CHECK(most < (real == RIA_F64 ? 2e-15 : 1e-6)); /* the last places of what moves */
  flow_free(&f);
}

static void with_limiter(double theta, ria_real real) {
  static const double fastest[] = {0.2, 1, 3, 10};
  limiter = theta;
  for (int k = 0; k < 4; k++) {
    violent(fastest[k], 0, 0, 1, real);
    violent(fastest[k], 0, 0, 100, real); /* all along x */
    violent(fastest[k], 0.1, 0.05, 1, real);
    violent(fastest[k], 0.1, 0.05, 100, real);
    violent(fastest[k], 0.3, 0.3, 1, real);
  }
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    with_limiter(1.3, (ria_real)real);
    if (test_order() == 2) with_limiter(2, (ria_real)real);
    for (int k = 0; k < 3; k++) { /* little beside waves, as much, nearly all */
      spread = k == 0 ? 0.3 : k == 1 ? 3 : 100;
      with_limiter(test_order() == 2 ? 2 : 1.3, (ria_real)real);
    }
    spread = 0;
    for (int k = 0; k < 4; k++) {
      eddy = k == 0 ? 0.3 : k == 1 ? 30 : 0;
      smagorinsky = k == 2 ? 0.1 : k == 3 ? 0.4 : 0;
      with_limiter(test_order() == 2 ? 2 : 1.3, (ria_real)real);
    }
    eddy = smagorinsky = 0;
  }
  return TEST_END();
}
