/* What is asked for wrongly is told, with what may be asked for. */
#include "plate.h"

static ria_status step_once(plate *p) { return ria_sim_step(p->sim, 1); }

static void unstable_dt(void) {
  plate p = plate_make(&(plate_desc){.nx = 8, .ny = 8, .dx = 1, .diffusivity = 2, .dt = 0.2});
  CHECK_OK(p.ctx, ria_sim_set_constant(p.sim, "u", 0));
  CHECK_FAILS(p.ctx, step_once(&p), RIA_ERR_ARGUMENT,
              "dt = 0.2 s is unstable: it may be at most 0.125 s (diffusivity 2 m^2/s in cell "
              "(1, 1)); 0 chooses it");
  plate_free(&p);
  p = plate_make(&(plate_desc){.nx = 8, .ny = 8, .dx = 1, .diffusivity = 2, .dt = 0.125});
  CHECK_OK(p.ctx, step_once(&p));
  CHECK_NEAR(ria_sim_time(p.sim), 0.125, 0);
  plate_side(&p, RIA_WEST, "value", 0); /* half a cell away: a shorter step is needed */
  CHECK_STATUS(p.ctx, step_once(&p), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(p.ctx), "it may be at most 0.1 s (diffusivity 2 m^2/s in cell (0, 1))");
  plate_free(&p);
}

static void half_periodic(void) {
  plate p = plate_make(&(plate_desc){.nx = 8, .ny = 6, .dx = 1});
  plate_side(&p, RIA_WEST, "periodic", 0);
  CHECK_FAILS(p.ctx, step_once(&p), RIA_ERR_ARGUMENT,
              "the west side is periodic at cell 0 and the east side is not: give kind 'periodic' "
              "to both, over the same cells");
  plate_side(&p, RIA_EAST, "periodic", 0);
  CHECK_OK(p.ctx, step_once(&p));
  const ria_boundary_desc part = {.kind = "open", .stretch = true, .from = {8, 2}, .to = {8, 4}};
  CHECK_OK(p.ctx, ria_boundary_add(p.sim, &part, NULL));
  CHECK_FAILS(p.ctx, step_once(&p), RIA_ERR_ARGUMENT,
              "the west side is periodic at cell 2 and the east side is not: give kind 'periodic' "
              "to both, over the same cells");
  plate_free(&p);
}

static void bad_fields(void) {
  plate p = plate_make(&(plate_desc){.nx = 3, .ny = 2, .dx = 1});
  double v[6] = {1, 1, 1, 1, 1, 1};
  v[4] = -1;
  CHECK_FAILS(p.ctx, ria_sim_set(p.sim, "diffusivity", v), RIA_ERR_ARGUMENT,
              "diffusivity = -1 in cell (1, 1): it must not be negative");
  v[4] = NAN;
  CHECK_FAILS(p.ctx, ria_sim_set(p.sim, "u", v), RIA_ERR_ARGUMENT,
              "'u' has no finite value in cell (1, 1) at (1.5, 1.5)");
  v[4] = 0;
  v[2] = 0;
  CHECK_OK(p.ctx, ria_sim_set(p.sim, "diffusivity", v));
  plate_side(&p, RIA_EAST, "flux", 1);
  CHECK_FAILS(p.ctx, step_once(&p), RIA_ERR_ARGUMENT,
              "the east side has a flux at cell (2, 0), whose diffusivity is 0");
  plate_free(&p);
}

/* Of two such fluxes in two parts of the grid the first of the whole is named. */
static void stuck_in_parts(void) {
  const double v[6] = {0, 1, 1, 1, 1, 0};
  for (test_parts = 0; test_parts < 3 && !strcmp(test_device(), "cpu"); test_parts++) {
    plate p = plate_make(&(plate_desc){.nx = 3, .ny = 2, .dx = 1});
    CHECK_OK(p.ctx, ria_sim_set(p.sim, "diffusivity", v));
    plate_side(&p, RIA_SOUTH, "flux", 1);
    plate_side(&p, RIA_EAST, "flux", 1);
    CHECK_FAILS(p.ctx, step_once(&p), RIA_ERR_ARGUMENT,
                "the east side has a flux at cell (2, 1), whose diffusivity is 0");
    plate_free(&p);
  }
  test_parts = 0;
}

static void beyond_single(void) {
  plate p = plate_make(&(plate_desc){.nx = 3, .ny = 2, .dx = 1, .real = RIA_F32});
  double v[6] = {1, 1, 1, 1, 1e300, 1};
  CHECK_FAILS(p.ctx, ria_sim_set(p.sim, "u", v), RIA_ERR_ARGUMENT,
              "'u' is 1e+300 in cell (1, 1): too large for single precision");
  CHECK_STATUS(p.ctx, ria_sim_set_constant(p.sim, "u", 1e300), RIA_ERR_ARGUMENT);
  plate_free(&p);
}

static void bad_parameters(void) {
  ria_context *ctx = test_context(test_device(), 1);
  ria_sim *sim = NULL;
  const ria_setting params[] = {{"difusivity", 1, NULL}};
  const ria_sim_desc desc = {
      .solver = "diffusion", .grid = {4, 4, 1, 1, 0, 0, 0}, .params = params, .n_params = 1};
  CHECK_FAILS(ctx, ria_sim_create(ctx, &desc, &sim), RIA_ERR_ARGUMENT,
              "unknown parameter 'difusivity' of diffusion: did you mean 'diffusivity'?");
  const ria_setting deep[] = {{"steps_per_pass", 17, NULL}};
  const ria_sim_desc too_deep = {
      .solver = "diffusion", .grid = {4, 4, 1, 1, 0, 0, 0}, .params = deep, .n_params = 1};
  CHECK_STATUS(ctx, ria_sim_create(ctx, &too_deep, &sim), RIA_ERR_ARGUMENT);
  ria_context_destroy(&ctx);
}

int main(void) {
  unstable_dt();
  half_periodic();
  bad_fields();
  stuck_in_parts();
  beyond_single();
  bad_parameters();
  return TEST_END();
}
