/* Tracers: decay is exponential, diffusion spreads a cloud as its variance says, a cloud is carried
 * at the speed of the flow, and a uniform concentration stays uniform in every flow. */
#include "cases.h"

static double flat(double x, double y) { return (void)x, (void)y, -5.0; }
static double still(double x, double y) { return (void)x, (void)y, 0.0; }
static double cloud(double x, double y) {
  return exp(-(pow(x - 500, 2) + pow(y - 500, 2)) / (2 * 60.0 * 60.0));
}
static double moving(double x, double y) { return (void)x, (void)y, 0.5; }
static double third(double x, double y) { return (void)x, (void)y, 1.0 / 3.0; }
static double rough(double x, double y) { return -3 + 4 * sin(x / 60) * sin(y / 70); }
static double sloshing(double x, double y) { return (void)y, 1.0 * cos(x / 250); }

typedef struct moments {
  double mass, x, y, var_x, var_y;
} moments;

static moments measure(flow *f) {
  double *c = flow_get(f, "dye_load");
  moments m = {0};
  for (int pass = 0; pass < 2; pass++)
    for (int j = 0; j < f->grid.ny; j++)
      for (int i = 0; i < f->grid.nx; i++) {
        double x = (i + 0.5) * f->grid.dx, y = (j + 0.5) * f->grid.dy;
        double v = c[j * f->grid.nx + i] * f->grid.dx * f->grid.dy;
        if (pass == 0) {
          m.mass += v;
          m.x += v * x;
          m.y += v * y;
        } else {
          m.var_x += v * pow(x - m.x / m.mass, 2) / m.mass;
          m.var_y += v * pow(y - m.y / m.mass, 2) / m.mass;
        }
      }
  m.x /= m.mass;
  m.y /= m.mass;
  free(c);
  return m;
}

static void decays_and_spreads(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 100,
                                  .ny = 100,
                                  .dx = 10,
                                  .real = real,
                                  .tracer = "dye",
                                  .decay = 1e-3,
                                  .diffusion = 2.0});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", still);
  flow_set(&f, "dye", cloud);
  const moments a = measure(&f);
  const double t = test_is_traced() ? 5 : 500, grown = 2 * 2.0 * t;
  CHECK_OK(f.ctx, ria_sim_run(f.sim, t));
  const moments b = measure(&f);
  printf("%s: mass x %.6f (exp(-kt) = %.6f), variance + %.1f, %.1f (2Dt = %g)\n", real_name[real],
         b.mass / a.mass, exp(-1e-3 * t), b.var_x - a.var_x, b.var_y - a.var_y, grown);
  CHECK_NEAR(b.mass / a.mass, exp(-1e-3 * t), 1e-4);
  CHECK_NEAR(b.var_x - a.var_x, grown, 0.01 * grown);
  CHECK_NEAR(b.var_y - a.var_y, grown, 0.01 * grown);
  flow_free(&f);
}

static void is_carried(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 100, .ny = 100, .dx = 10, .real = real, .tracer = "dye"});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", still);
  flow_set(&f, "u", moving);
  flow_set(&f, "dye", cloud);
  flow_side(&f, RIA_WEST, "open", NULL, (ria_value){0}, 0);
  flow_side(&f, RIA_EAST, "open", NULL, (ria_value){0}, 0);
  const moments a = measure(&f);
  const double t = test_is_traced() ? 4 : 200;
  CHECK_OK(f.ctx, ria_sim_run(f.sim, t));
  const moments b = measure(&f);
  CHECK_NEAR(b.mass / a.mass, 1, 1e-4);
  CHECK_NEAR(b.x - a.x, 0.5 * t, 0.5);
  CHECK_NEAR(b.y - a.y, 0, 0.01);
  flow_free(&f);
}

/* C = 1 stays 1 to the bit; C = 1/3 to the rounding of h C; through wetting, drying and boundaries.
 */
static void stays_uniform(ria_real real, shape value, double c, double within) {
  flow f = flow_make(
      &(flow_desc){.nx = 60, .ny = 60, .dx = 10, .real = real, .manning = 0.02, .tracer = "dye"});
  flow_set(&f, "bed", rough);
  flow_set(&f, "level", sloshing);
  flow_set(&f, "dye", value);
  flow_side(&f, RIA_WEST, "level", "level", (ria_value){.constant = 1.2}, c);
  flow_side(&f, RIA_NORTH, "discharge", "q", (ria_value){.constant = 30}, c);
  flow_side(&f, RIA_EAST, "open", NULL, (ria_value){0}, c);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, test_is_traced() ? 6 : 900));
  double *dye = flow_get(&f, "dye"), *h = flow_get(&f, "depth"), worst = 0;
  for (int k = 0; k < 60 * 60; k++)
    if (h[k] > 1e-6) worst = fmax(worst, fabs(dye[k] - c));
  printf("%s: uniform %g is off by at most %.3g\n", real_name[real], c, worst);
  CHECK(worst <= within);
  free(dye);
  free(h);
  flow_free(&f);
}
static double one(double x, double y) { return (void)x, (void)y, 1.0; }

int main(void) {
  for (int real = 0; real < 2; real++) {
    decays_and_spreads((ria_real)real);
    is_carried((ria_real)real);
    stays_uniform((ria_real)real, one, 1.0, 0.0);
    stays_uniform((ria_real)real, third, 1.0 / 3.0, real == RIA_F64 ? 1e-12 : 1e-4);
  }
  return TEST_END();
}
