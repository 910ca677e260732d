/* Thacker's (1981) exact oscillations in a parabolic bowl: the plane surface that goes round and
 * the paraboloid that breathes, both with a moving shoreline. After one period the depth is what it
 * was; the error falls at first order. */
#include "cases.h"

static const double size = 4, radius = 1, rest_depth = 0.1;

static double r2(double x, double y) { return pow(x - size / 2, 2) + pow(y - size / 2, 2); }
static double bowl(double x, double y) { return rest_depth * (r2(x, y) / (radius * radius) - 1); }
static double one(double x, double y) { return (void)x, (void)y, 1.0; }

static const double tilt = 0.5; /* of the plane, m */
static double plane_level(double x, double y) {
  return (void)y, tilt * rest_depth / (radius * radius) * (2 * (x - size / 2) - tilt);
}
static double plane_v(double x, double y) {
  return (void)x, (void)y, tilt * sqrt(2 * gravity * rest_depth) / radius;
}

static double paraboloid_level(double x, double y) {
  const double a = (radius * radius - 0.36) / (radius * radius + 0.36); /* first edge at 0.6 m */
  const double b = 1 - a, c = 1 - a * a;
  return rest_depth * (sqrt(c) / b - 1 - r2(x, y) / (radius * radius) * (c / (b * b) - 1));
}

static double error_after_period(int n, ria_real real, bool plane) {
  const double omega = sqrt((plane ? 2 : 8) * gravity * rest_depth) / radius;
  flow f = flow_make(&(flow_desc){.nx = n, .ny = n, .dx = size / n, .real = real, .tracer = "dye"});
  flow_set(&f, "bed", bowl);
  flow_set(&f, "level", plane ? plane_level : paraboloid_level);
  if (plane) flow_set(&f, "v", plane_v);
  flow_set(&f, "dye", one);
  const double water = flow_total(&f, 0);
  double *before = flow_get(&f, "depth");
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 2 * acos(-1.0) / omega));
  double *after = flow_get(&f, "depth"), *dye = flow_get(&f, "dye"), error = 0, all = 0;
  for (int k = 0; k < n * n; k++) {
    error += fabs(after[k] - before[k]);
    all += before[k];
    CHECK(after[k] >= 0);
    CHECK(isnan(dye[k]) || dye[k] == 1.0); /* uniform stays uniform, to the bit */
  }
  CHECK_NEAR(flow_total(&f, 0) / water, 1.0, real == RIA_F64 ? 1e-13 : 1e-6);
  free(before);
  free(after);
  free(dye);
  flow_free(&f);
  return error / all;
}

int main(void) {
  for (int real = 0; real < 2; real++)
    for (int plane = 0; plane < 2; plane++) {
      double e[3];
      for (int k = 0; k < 3; k++)
        e[k] = error_after_period(SHORT(64, 32) << k, (ria_real)real, plane);
      printf("%s %s: errors %.4g %.4g %.4g, rates %.2f %.2f\n", plane ? "plane" : "paraboloid",
             real_name[real], e[0], e[1], e[2], rate(e[0], e[1]), rate(e[1], e[2]));
      CHECK(rate(e[0], e[1]) > 0.85 && rate(e[1], e[2]) > 0.85);
    }
  return TEST_END();
}
