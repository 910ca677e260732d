/* What is not understood is an error that says so; a flow that leaves the range of numbers ends the
 * run with cell, time and reason, and leaves the last good state. */
#include "cases.h"

static double flat(double x, double y) { return (void)x, (void)y, -2.0; }
static double still(double x, double y) { return (void)x, (void)y, 0.0; }
static double spike(double x, double y) {
  return fabs(x - 155) < 5 && fabs(y - 85) < 5 ? 2e30 : 0.0;
}

static void parameter(const char *name, double value, const char *text, const char *message) {
  ria_context *ctx = adi_context(1);
  ria_sim *sim = NULL;
  const ria_setting setting = {name, value, text};
  const ria_sim_desc desc = {
      .solver = "adi", .grid = {10, 10, 1, 1, 0, 0, 0}, .params = &setting, .n_params = 1};
  CHECK_STATUS(ctx, ria_sim_create(ctx, &desc, &sim), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), message);
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
}

static void out_of_range(ria_real real) {
  flow f = flow_make(
      &(flow_desc){.nx = 30, .ny = 20, .dx = 10, .real = real, .more = {{"dt", 2, NULL}}});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", still);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 10));
  flow_set(&f, "level", spike);
  double *const before = flow_get(&f, "depth");
  CHECK_STATUS(f.ctx, ria_sim_run(f.sim, 20), RIA_ERR_NUMERICAL);
  CHECK_HOLDS(ria_error(f.ctx), "10 s");
  double *const after = flow_get(&f, "depth");
  CHECK(memcmp(before, after, 30 * 20 * sizeof(double)) == 0);
  CHECK_STATUS(f.ctx, ria_sim_run(f.sim, 30), RIA_ERR_NUMERICAL);
  free(before);
  free(after);
  flow_free(&f);
}

/* Steps land on what is asked for, all of one length. */
static void landing(void) {
  flow f = flow_make(&(flow_desc){.nx = 10, .ny = 10, .dx = 10, .more = {{"dt", 30, NULL}}});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", still);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 100));
  CHECK_INT(ria_sim_steps(f.sim), 4);
  CHECK(ria_sim_time(f.sim) == 100);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 400));
  CHECK_INT(ria_sim_steps(f.sim), 14);
  flow_free(&f);
}

/* Eddy viscosity beyond what the part across bears, where dt is given and where it follows from the
 * depth; what the message allows is allowed. */
static void viscous(void) {
  ria_context *ctx = adi_context(1);
  ria_sim *sim = NULL;
  ria_setting settings[] = {{"dt", 30, NULL}, {"eddy", 60, NULL}};
  const ria_sim_desc desc = {
      .solver = "adi", .grid = {10, 10, 100, 80, 0, 0, 0}, .params = settings, .n_params = 2};
  CHECK_FAILS(ctx, ria_sim_create(ctx, &desc, &sim), RIA_ERR_ARGUMENT,
              "parameter 'eddy' of adi is 60 m^2/s: with steps of 30 s and cells of 80 m it must "
              "be at most dx^2 / (4 dt) = 53.3333 m^2/s");
  settings[1].number = 53.3334;
  CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim));
  ria_sim_destroy(&sim);
  settings[0].number = 0;
  settings[1].number = 60;
  CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -1));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0));
  CHECK_FAILS(ctx, ria_sim_run(sim, 100), RIA_ERR_ARGUMENT,
              "parameter 'eddy' of adi is 60 m^2/s: with steps of 127.71 s and cells of 80 m it "
              "must be at most dx^2 / (4 dt) = 12.5284 m^2/s");
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
}

int main(void) {
  parameter("cfl", 0.9, NULL, "cfl");
  parameter("dt", -1, NULL, "dt");
  parameter("maning", 0.03, NULL, "did you mean 'manning'?");
  parameter("flooding_depth", 0.001, NULL, "flooding_depth is 0.001 m, less than drying_depth");
  parameter("cross", 0, "theses", "thesis");
  viscous();
  for (int real = 0; real < 2; real++) out_of_range((ria_real)real);
  landing();
  return TEST_END();
}
