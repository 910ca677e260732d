/* A tide in a channel that is closed at its end, against linear theory, at Courant numbers of 1, 5
 * and 20 along x and along y:  level = a cos(k (L - x)) / cos(k L) cos(w t). */
#include "cases.h"

enum { N = 100 };
static const double length = 100e3, depth = 20, high = 1e-3, period = 44712;
static bool along_y;

static double wave_number(void) { return 2 * pi / period / sqrt(gravity * depth); }
static double flat(double x, double y) { return (void)x, (void)y, -depth; }
static double shape_at(double s) {
  return high * cos(wave_number() * (length - s)) / cos(wave_number() * length);
}
static double start(double x, double y) { return shape_at(along_y ? y : x); }

static void channel(double courant, double allowed) {
  const double dx = length / N, dt = courant * dx / sqrt(gravity * depth);
  flow f = flow_make(&(flow_desc){.nx = along_y ? 3 : N,
                                  .ny = along_y ? N : 3,
                                  .dx = dx,
                                  .more = {{"dt", dt, NULL}, {"manning", 0, NULL}}});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", start);
  ria_series *tide = NULL;
  const double w = 2 * pi / period;
  const ria_constituent part = {NULL, 360.0 / (period / 3600), high, 0};
  CHECK_OK(f.ctx, ria_series_tide(f.ctx, &(ria_tide_desc){.constituents = &part, .n = 1}, &tide));
  flow_side(&f, along_y ? RIA_SOUTH : RIA_WEST, "level", "level", (ria_value){.series = tide}, 0);

  double worst = 0;
  for (int k = 1; k <= 8; k++) {
    const double t = k * period * 3 / 8;
    CHECK_OK(f.ctx, ria_sim_run(f.sim, t));
    double *level = flow_get(&f, "level");
    for (int n = 0; n < N; n++)
      worst = fmax(
          worst, fabs(level[along_y ? 3 * n + 1 : N + n] - shape_at((n + 0.5) * dx) * cos(w * t)));
    free(level);
  }
  printf("along %s, Courant number %g: off by %.3g of the tide at the closed end\n",
         along_y ? "y" : "x", courant, worst / shape_at(length));
  CHECK(worst / shape_at(length) < allowed);
  ria_series_destroy(&tide);
  flow_free(&f);
}

int main(void) {
  for (int y = 0; y < 2; y++) {
    along_y = y;
    channel(1, 1e-3);
    channel(5, 3e-3);
    channel(20, 3e-2);
  }
  return TEST_END();
}
