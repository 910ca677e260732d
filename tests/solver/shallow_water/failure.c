/* A flow that leaves the range of numbers ends the run with the cell, the time and the reason; the
 * state is the last good one, and it cannot be run on. So does a step below dt_min. */
#include "cases.h"

static double flat(double x, double y) { return (void)x, (void)y, -2.0; }
static double still(double x, double y) { return (void)x, (void)y, 0.0; }
static double spike(double x, double y) {
  return fabs(x - 155) < 5 && fabs(y - 85) < 5 ? 2e30 : 0.0;
}

static void out_of_range(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 30, .ny = 20, .dx = 10, .real = real});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", still);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 10));
  const double *const before = flow_get(&f, "depth");
  flow_set(&f, "qx", spike);
  CHECK_STATUS(f.ctx, ria_sim_run(f.sim, 20), RIA_ERR_NUMERICAL);
  printf("%s: %s\n", real_name[real], ria_error(f.ctx));
  CHECK_HOLDS(ria_error(f.ctx), "10 s");
  const double *const after = flow_get(&f, "depth");
  CHECK(memcmp(before, after, 30 * 20 * sizeof(double)) == 0);
  CHECK_STATUS(f.ctx, ria_sim_run(f.sim, 30), RIA_ERR_NUMERICAL);
  free((void *)before);
  free((void *)after);
  flow_free(&f);
}

static void too_small_a_step(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 30, .ny = 20, .dx = 10, .real = real});
  ria_sim_destroy(&f.sim);
  ria_setting setting = {"dt_min", 5, NULL};
  const ria_sim_desc desc = {.grid = f.grid, .precision = real, .params = &setting, .n_params = 1};
  CHECK_OK(f.ctx, ria_sim_create(f.ctx, &desc, &f.sim));
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", still);
  CHECK_STATUS(f.ctx, ria_sim_run(f.sim, 100), RIA_ERR_NUMERICAL);
  CHECK_HOLDS(ria_error(f.ctx), "dt_min");
  CHECK_HOLDS(ria_error(f.ctx), "celerity 4.43 m/s");
  flow_free(&f);
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    out_of_range((ria_real)real);
    too_small_a_step((ria_real)real);
  }
  return TEST_END();
}
