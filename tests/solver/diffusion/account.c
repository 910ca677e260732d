/* Nothing is lost or made: the account closes with every kind of side, sources and a map of
 * diffusivity at once. Nothing new appears: without sources u stays within what was there and what
 * the sides hold. What is uniform stays so to the bit. */
#include "plate.h"

static double plateau(double x, double y) { return 1 + 0.5 * sin(3 * x) * cos(5 * y); }
static double spot(double x, double y) { return hypot(x - 2, y - 1) < 0.7 ? 3.0 : -0.1; }

static void sides(plate *p) {
  plate_side(p, RIA_WEST, "value", 2);
  plate_side(p, RIA_EAST, "flux", -0.3);
  plate_side(p, RIA_SOUTH, "fixed", 0);
  const ria_boundary_desc hot = {.kind = "value",
                                 .stretch = true,
                                 .from = {1, 3.3},
                                 .to = {2, 3.3},
                                 .values = {{"u", {.constant = -4}}}};
  CHECK_OK(p->ctx, ria_boundary_add(p->sim, &hot, NULL));
}

static void closes(ria_real real, bool map, int steps_per_pass) {
  plate p = plate_make(&(plate_desc){.nx = 47,
                                     .ny = 33,
                                     .dx = 0.1,
                                     .dy = 0.1,
                                     .real = real,
                                     .diffusivity = 0.8,
                                     .steps_per_pass = steps_per_pass});
  if (map) plate_set(&p, "diffusivity", plateau);
  plate_scatter(&p, "u", 0, 1, 3);
  plate_set(&p, "source", spot);
  sides(&p);
  const ria_spill_desc release = {.x = 3,
                                  .y = 2,
                                  .radius = 0.3,
                                  .has_flow = true,
                                  .flow = {.constant = 0.5},
                                  .start = 0.02,
                                  .duration = 0.1};
  CHECK_OK(p.ctx, ria_sim_spill(p.sim, &release, NULL));
  CHECK_OK(p.ctx, ria_sim_run(p.sim, 0.3));
  const ria_budget_row b = plate_budget(&p);
  printf("%s, map %d: relative %.2e, in %.4g out %.4g sources %.4g\n", real_name[real], map,
         b.relative, b.inflow, b.outflow, b.sources);
  CHECK(fabs(b.relative) < (real == RIA_F32 ? 3e-6 : 1e-13));
  CHECK(b.inflow > 0.1 && b.outflow > 0.1 && b.sources > 0.1);
  plate_free(&p);
}

static void stays_within(ria_real real, bool map) {
  plate p = plate_make(&(plate_desc){.nx = 31, .ny = 29, .dx = 0.1, .real = real, .safety = 1});
  if (map) plate_scatter(&p, "diffusivity", 0, 10, 11);
  plate_scatter(&p, "u", 0, 1, 5);
  plate_side(&p, RIA_WEST, "value", 0);
  plate_side(&p, RIA_NORTH, "value", 1);
  plate_side(&p, RIA_SOUTH, "fixed", 0);
  for (int k = 0; k < 40; k++) {
    CHECK_OK(p.ctx, ria_sim_step(p.sim, 3));
    const double *u = plate_get(&p), hair = real == RIA_F32 ? 2e-7 : 1e-15;
    for (size_t c = 0; c < plate_cells(&p); c++)
      if (!CHECK(u[c] >= -hair && u[c] <= 1 + hair)) k = 40, c = plate_cells(&p);
  }
  plate_free(&p);
}

static void stays_uniform(ria_real real, bool map) {
  plate p = plate_make(&(plate_desc){.nx = 33, .ny = 17, .dx = 0.3, .dy = 0.2, .real = real});
  if (map) plate_scatter(&p, "diffusivity", 0.1, 10, 12);
  const double v = (double)(float)0.1;
  CHECK_OK(p.ctx, ria_sim_set_constant(p.sim, "u", v));
  plate_side(&p, RIA_WEST, "value", v);
  plate_side(&p, RIA_NORTH, "periodic", 0);
  plate_side(&p, RIA_SOUTH, "periodic", 0);
  CHECK_OK(p.ctx, ria_sim_step(p.sim, 200));
  const double *u = plate_get(&p);
  for (size_t c = 0; c < plate_cells(&p); c++)
    if (!CHECK(u[c] == v)) break;
  plate_free(&p);
}

int main(void) {
  for (int k = 0; k < 4; k++) {
    closes((ria_real)(k & 1), k & 2, 0);
    closes((ria_real)(k & 1), k & 2, 1);
    stays_within((ria_real)(k & 1), k & 2);
    stays_uniform((ria_real)(k & 1), k & 2);
  }
  return TEST_END();
}
