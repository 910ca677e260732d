/* Diffusion of tracers by any amount in a step: it takes no longer for it, keeps the mass, makes no
 * new extremes and nothing less than nothing, stays out of dry cells, leaves what is uniform as it
 * is and ends at the mean. A step that is short enough is explicit, a longer one implicit; both
 * spread a patch as the exact solution does. */
#include "cases.h"

enum { N = 60 };
static double hilly(double x, double y) { return -2 + 2.5 * sin(x / 7) * cos(y / 5); }
static double still(double x, double y) { return (void)x, (void)y, 0.0; }
static double half(double x, double y) { return (void)y, x < N / 2 ? 3.0 : 1.0; }
static double one(double x, double y) { return (void)x, (void)y, 1.0; }

/* A lake with islands; mix: diffusion dt / dx^2. */
static flow lake(ria_real real, double mix, shape dye) {
  flow f = flow_make(&(flow_desc){.nx = N,
                                  .ny = N - 7,
                                  .dx = 1,
                                  .real = real,
                                  .tracer = "dye",
                                  .diffusion = mix / 1000,
                                  .more = {{"dt", 1000, NULL}}});
  flow_set(&f, "bed", hilly);
  flow_set(&f, "level", still);
  flow_set(&f, "dye", dye);
  return f;
}

static void any_amount(ria_real real, double mix) {
  flow f = lake(real, mix, half);
  const double mass = flow_total(&f, 1);
  CHECK_OK(f.ctx, ria_sim_step(f.sim, 10));
  double *c = flow_get(&f, "dye"), *load = flow_get(&f, "dye_load"), *h = flow_get(&f, "depth");
  double least = 1e9, most = 0;
  for (int k = 0; k < N * (N - 7); k++) {
    CHECK(load[k] >= 0);
    if (h[k] == 0) CHECK(load[k] == 0);
    if (isnan(c[k])) continue;
    least = fmin(least, c[k]);
    most = fmax(most, c[k]);
  }
  printf("%s, mix %g: from %.6f to %.6f, mass %.1e\n", real_name[real], mix, least, most,
         flow_total(&f, 1) / mass - 1);
  CHECK(least >= 1 - 100 * place(real) && most <= 3 + 300 * place(real));
  CHECK_NEAR(flow_total(&f, 1) / mass, 1, 100 * place(real));
  if (mix > 1e7 && real == RIA_F64) CHECK(most - least < 1e-2);
  free(c);
  free(load);
  free(h);
  flow_free(&f);
}

/* What is uniform stays so: to the bit on the CPU. On a GPU quotients may be off by a last place,
 * so that a concentration of load / depth is not quite uniform to begin with. */
static void uniform(ria_real real) {
  flow f = lake(real, 1e8, one);
  double *before = flow_get(&f, "dye_load");
  CHECK_OK(f.ctx, ria_sim_step(f.sim, 10));
  double *after = flow_get(&f, "dye_load");
  const double off = strcmp(test_device(), "cpu") == 0 ? 0.0 : 20 * place(real);
  for (int k = 0; k < N * (N - 7); k++)
    if (!CHECK_NEAR(after[k], before[k], off * before[k])) break;
  free(before);
  free(after);
  flow_free(&f);
}

/* A wave cos(k x) cos(k y) of dye in a basin decays by exp(-2 D k^2 t). */
static const double wave = 3.14159265358979323846 / 60;
static double ripple(double x, double y) { return 2 + cos(wave * x) * cos(wave * y); }
static double deep(double x, double y) { return (void)x, (void)y, -5.0; }
static double left(double dt) {
  flow f = flow_make(&(flow_desc){
      .nx = 60, .ny = 60, .dx = 1, .tracer = "dye", .diffusion = 2, .more = {{"dt", dt, NULL}}});
  flow_set(&f, "bed", deep);
  flow_set(&f, "level", still);
  flow_set(&f, "dye", ripple);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 120));
  const double a = flow_at(&f, "dye", 0, 0) - 2;
  flow_free(&f);
  return a / (cos(wave / 2) * cos(wave / 2));
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    any_amount((ria_real)real, 3);   /* explicit, in 14 parts */
    any_amount((ria_real)real, 100); /* implicit from here on */
    any_amount((ria_real)real, 1e8);
    any_amount((ria_real)real, 1e15);
    uniform((ria_real)real);
  }
  const double exact = exp(-2 * 2 * wave * wave * 120);
  const double part = left(1.5), whole = left(6), longer = left(24);
  printf("left of a wave: exact %.4f, in parts %.4f, implicit %.4f and %.4f\n", exact, part, whole,
         longer);
  CHECK_NEAR(part, exact, 2e-3);
  CHECK_NEAR(whole, exact, 1.2e-2);
  CHECK_NEAR(longer, exact, 4e-2);
  return TEST_END();
}
