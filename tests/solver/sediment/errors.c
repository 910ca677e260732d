/* What is refused, and in which words; derived fields; the time step. */
#include "cases.h"

static void refused(ria_context *ctx, ria_setting s, const char *message) {
  ria_sim *sim = NULL;
  const ria_sim_desc d = {
      .solver = "sediment", .grid = {4, 4, 1, 1, 0, 0, 0}, .params = &s, .n_params = 1};
  CHECK_STATUS(ctx, ria_sim_create(ctx, &d, &sim), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), message);
}

static double ramp(double x, double y) { return 4 - 0.03 * x + 0.04 * y; }

static void fields(basin *b) {
  double v;
  basin_set(b, "height", ramp);
  CHECK_OK(b->ctx, ria_sim_probe(b->sim, "slope", 500, 400, &v));
  CHECK_NEAR(v, 0.05, 1e-12);
  CHECK_OK(b->ctx, ria_sim_set_constant(b->sim, "sea_level", 7));
  CHECK_OK(b->ctx, ria_sim_probe(b->sim, "depth", 500, 400, &v));
  CHECK_NEAR(v, 7 - ramp(550, 450), 1e-12);
  CHECK_OK(b->ctx, ria_sim_probe(b->sim, "thickness", 500, 400, &v));
  CHECK_NEAR(v, 0, 0);
  for (size_t k = 0; k < basin_cells(b); k++) b->buffer[k] = (double)k;
  CHECK_STATUS(b->ctx, ria_sim_set(b->sim, "sea_level", b->buffer), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(b->ctx), "sea_level is one value for all cells: 0 and 1 were given");
  CHECK_STATUS(b->ctx, ria_sim_set_constant(b->sim, "sand", 1.5), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(b->ctx), "it must be from 0 to 1");
  CHECK_STATUS(b->ctx, ria_sim_set_constant(b->sim, "alpha", -1), RIA_ERR_ARGUMENT);
  CHECK_STATUS(b->ctx, ria_sim_set_constant(b->sim, "depth", 1), RIA_ERR_ARGUMENT);
}

static void spills(basin *b) {
  const ria_spill_desc mass = {.tracer = "sand", .x = 500, .y = 500, .mass = 3};
  CHECK_STATUS(b->ctx, ria_sim_spill(b->sim, &mass, NULL), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(b->ctx), "of 'sand' a volume or a flow is released");
  const ria_spill_desc salt = {.tracer = "sant", .x = 500, .y = 500, .volume = 3};
  CHECK_STATUS(b->ctx, ria_sim_spill(b->sim, &salt, NULL), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(b->ctx), "unknown quantity 'sant': did you mean 'sand'?");
}

/* Diffusion allows d^2 / (4 alpha) = 2.5 years here. */
static void given_step(double years, ria_status expected) {
  basin b = basin_make(20, 20, 100, 100, RIA_F64, 1,
                       (ria_setting[]){{.name = "dt", .number = years * YEAR}, {0}});
  basin_random(&b, "height", 0, 0.01, 3);
  CHECK_STATUS(b.ctx, ria_sim_run(b.sim, 40 * YEAR), expected);
  if (expected == RIA_OK) CHECK_INT(ria_sim_steps(b.sim), 40 / years);
  if (expected != RIA_OK) CHECK_HOLDS(ria_error(b.ctx), "longer than the longest stable one");
  basin_free(&b);
}

/* A cliff of 100 m above a layer of 1 m: steps must be short, and are chosen so. */
static double cliff(double x, double y) { return (void)y, x < 1000 ? 100 : 0; }
static void steep_step(void) {
  basin b = basin_make(20, 4, 100, 100, RIA_F64, 1, NULL);
  basin_set(&b, "height", cliff);
  CHECK_OK(b.ctx, ria_sim_set_constant(b.sim, "sand", 0.5));
  CHECK_OK(b.ctx, ria_sim_step(b.sim, 1));
  CHECK_NEAR(ria_sim_time(b.sim), 0.9 * 1 / (100 * 1000 / YEAR / 1e4), 1);
  CHECK_OK(b.ctx, ria_sim_run(b.sim, 50 * YEAR));
  CHECK(basin_residual(&b) < 1e-12);
  basin_free(&b);
}

int main(void) {
  basin b = basin_make(10, 8, 100, 100, RIA_F64, 1, NULL);
  refused(b.ctx, (ria_setting){.name = "layer", .number = 0}, "layer");
  refused(b.ctx, (ria_setting){.name = "scheme", .text = "papper"}, "did you mean 'paper'");
  refused(b.ctx, (ria_setting){.name = "alfa", .number = 1},
          "unknown parameter 'alfa' of sediment: it has alpha, beta");
  refused(b.ctx, (ria_setting){.name = "marine_beta", .number = 2}, "marine_beta");
  fields(&b);
  spills(&b);
  basin_free(&b);
  given_step(2, RIA_OK);
  given_step(4, RIA_ERR_NUMERICAL);
  steep_step();
  return TEST_END();
}
