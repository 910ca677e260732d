/* Wind, Coriolis, eddy viscosity: each against what it must balance or bring about. */
#include "cases.h"
#include "solver/set_up.h"

static double flat(double x, double y) { return (void)x, (void)y, -10.0; }

/* Wind set-up in a closed basin: at the end g h dlevel/dx = stress / density, along x and along y.
 */
static void set_up(double from, int axis) {
  flow f = flow_make(&(flow_desc){.nx = axis ? 4 : 50,
                                  .ny = axis ? 50 : 4,
                                  .dx = 100,
                                  .more = {{"dt", 60, NULL},
                                           {"manning", 0.4, NULL},
                                           {"wind_speed", 10, NULL},
                                           {"wind_from", from, NULL},
                                           {"wind_drag", 0.0015, NULL}}});
  const double worst = set_up_off(&f, from, axis);
  printf("wind from %g: set-up off by %.1e\n", from, worst);
  CHECK(worst < 1e-3);
  flow_free(&f);
}

/* A high in geostrophic balance (rotation f, radius about c / f) stays for a day; without rotation
 * it runs away within hours. */
static const double spin = 2 * 7.2921159e-5 * 0.76604444311897803; /* at 50 degrees */
static const double middle = 600e3, radius = 100e3, rise = 0.01;
static double high(double x, double y) {
  return rise * exp(-(pow(x - middle, 2) + pow(y - middle, 2)) / (2 * radius * radius));
}
static double high_u(double x, double y) {
  return gravity / spin * (y - middle) / (radius * radius) * high(x, y);
}
static double high_v(double x, double y) {
  return -gravity / spin * (x - middle) / (radius * radius) * high(x, y);
}
static double left_of_high(double latitude, double dt) {
  flow f = flow_make(
      &(flow_desc){.nx = 60,
                   .ny = 60,
                   .dx = 20e3,
                   .more = {{"dt", dt, NULL}, {"manning", 0, NULL}, {"latitude", latitude, NULL}}});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", high);
  flow_set(&f, "u", high_u);
  flow_set(&f, "v", high_v);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 86400));
  double *level = flow_get(&f, "level"), worst = 0;
  for (int j = 0; j < 60; j++)
    for (int i = 0; i < 60; i++)
      worst = fmax(worst, fabs(level[60 * j + i] - high((i + 0.5) * 20e3, (j + 0.5) * 20e3)));
  printf("latitude %g, dt %g s: the high has changed by %.3g of itself\n", latitude, dt,
         worst / rise);
  free(level);
  flow_free(&f);
  return worst / rise;
}

/* A shear u = U cos(k y) in a channel (from level to level, both 0) decays by exp(-E k^2 t).
 * Smagorinsky's viscosity is (C d)^2 |du/dy| / sqrt(2): d/dt of the mean of u cos(k y) is then -8 /
 * (3 pi) E k^2 U, E being the largest, if the shape stays as it is. */
static const double wave = 3.14159265358979323846 / 400;
static double shear(double x, double y) { return (void)x, cos(wave * y); }
static double shear_left(const char *name, double value) {
  flow f =
      flow_make(&(flow_desc){.nx = 40,
                             .ny = 40,
                             .dx = 10,
                             .more = {{"dt", 2, NULL}, {"manning", 0, NULL}, {name, value, NULL}}});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", still);
  flow_set(&f, "u", shear);
  flow_side(&f, RIA_WEST, "level", "level", (ria_value){.constant = 0}, 0);
  flow_side(&f, RIA_EAST, "level", "level", (ria_value){.constant = 0}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 1000));
  double *q = flow_get(&f, "qx"), left = 0;
  for (int j = 0; j < 40; j++) left += q[40 * j + 20] / 10 * cos(wave * (j + 0.5) * 10) / 20;
  free(q);
  flow_free(&f);
  return left;
}

/* A closed basin, the wind along it blowing for a day: the set-up of the moment, and none later. */
static void wind_in_time(void) {
  const double t[] = {0, 86400, 86460}, u[] = {10, 10, 0};
  flow f = flow_make(&(flow_desc){
      .nx = 50,
      .ny = 4,
      .dx = 100,
      .more = {{"dt", 60, NULL}, {"manning", 0.4, NULL}, {"wind_drag", 0.0015, NULL}}});
  ria_series *speed = NULL;
  const ria_table_desc table = {.t = t, .v = u, .n = 3, .hold = true};
  CHECK_OK(f.ctx, ria_series_table(f.ctx, &table, &speed));
  CHECK_OK(f.ctx, ria_sim_vary(f.sim, "wind_speed", &(ria_value){.series = speed}));
  ria_series_destroy(&speed);
  flow_set(&f, "bed", shallow);
  flow_set(&f, "level", still);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 86400));
  const double up = flow_at(&f, "level", 49, 1);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 4 * 86400));
  const double down = flow_at(&f, "level", 49, 1);
  printf("level at the end %.4f m in the wind, %.1e m after it\n", up, down);
  CHECK_NEAR(up, 1.225 / 1025 * 0.0015 * 100 / gravity * 2450, 0.03 * up);
  CHECK_NEAR(down, 0, 1e-4);
  flow_free(&f);
}

/* Flow that crosses more than a cell a step is told of, with what to type; slower flow is not. */
static double slope(double x, double y) { return (void)y, -3 - x / 1000; }
static double along_slope(double x, double y) { return (void)y, -x / 1000; }
static void too_fast(double dt, bool warned) {
  flow f = flow_make(&(flow_desc){
      .nx = 60, .ny = 5, .dx = 50, .more = {{"dt", dt, NULL}, {"manning", 0.03, NULL}}});
  flow_set(&f, "bed", slope);
  flow_set(&f, "level", along_slope);
  flow_side(&f, RIA_WEST, "level", "level", (ria_value){.constant = 0}, 0);
  flow_side(&f, RIA_EAST, "level", "level", (ria_value){.constant = -3}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 7200));
  ria_summary sum;
  double u;
  CHECK_OK(f.ctx, ria_sim_summary(f.sim, &sum));
  CHECK_OK(f.ctx, ria_sim_probe(f.sim, "u", 1525, 125, &u));
  printf("dt %g s, %.2f cells a step: '%s'\n", dt, u * dt / 50, sum.warning);
  CHECK_INT(u * dt / 50 > 1, warned);
  CHECK_INT(sum.warning[0] != 0, warned && ria_context_backend(f.ctx)->kind == RIA_BACKEND_CPU);
  if (sum.warning[0]) {
    CHECK_HOLDS(sum.warning, "flow is held back where it crosses more than a cell a step: ");
    CHECK_HOLDS(sum.warning, " s; try dt = 2");
  }
  flow_free(&f);
}

int main(void) {
  wind_in_time();
  too_fast(15, false);
  too_fast(30, true);
  set_up(270, 0);
  set_up(90, 0);
  set_up(180, 1);
  set_up(0, 1);
  CHECK(left_of_high(50, 600) < 0.05);
  CHECK(left_of_high(50, 3600) < 0.10);
  CHECK(left_of_high(0, 600) > 0.5);
  const double none = shear_left("eddy", 0), eddy = shear_left("eddy", 5);
  const double smagorinsky = shear_left("smagorinsky", 2);
  const double largest = 4 * 100 * wave / sqrt(2.0), k2 = wave * wave;
  printf("shear left: %.4f, with eddies %.4f, Smagorinsky %.4f\n", none, eddy, smagorinsky);
  CHECK_NEAR(none, 1, 1e-3);
  CHECK_NEAR(eddy, exp(-5 * k2 * 1000), 0.01);
  CHECK_NEAR(smagorinsky, 1 / (1 + 8 / (3 * pi) * largest * k2 * 1000), 0.01);
  return TEST_END();
}
