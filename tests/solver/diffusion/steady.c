/* What is left when all has settled: a straight line between two values; a broken one through two
 * layers, with the flux of layers in series; what comes in goes out. */
#include "plate.h"

enum { N = 20 };

static double layers_x(double x, double y) { return (void)y, x < 1 ? 4.0 : 1.0; }
static double layers_y(double x, double y) { return layers_x(y, x); }

/* Between 0 in the west and 3 in the east; across: the same from south to north. */
static void between_values(ria_real real, bool across, bool two_layers) {
  plate p = plate_make(&(plate_desc){.nx = across ? 3 : N,
                                     .ny = across ? N : 3,
                                     .dx = across ? 0.5 : 0.1,
                                     .dy = across ? 0.1 : 0.5,
                                     .real = real});
  if (two_layers) plate_set(&p, "diffusivity", across ? layers_y : layers_x);
  plate_scatter(&p, "u", 0, 3, 7);
  plate_side(&p, across ? RIA_SOUTH : RIA_WEST, "value", 0);
  plate_side(&p, across ? RIA_NORTH : RIA_EAST, "value", 3);
  CHECK_OK(p.ctx, ria_sim_run(p.sim, SHORT(20, 20)));
  const double q = two_layers ? 3 / (1 / 4.0 + 1 / 1.0) : 1.5; /* u m/s */
  const double *u = plate_get(&p);
  for (int k = 0; k < N; k++) {
    const double x = (k + 0.5) * 0.1;
    const double exact = !two_layers ? 1.5 * x : x < 1 ? q * x / 4 : q / 4 + q * (x - 1);
    CHECK_NEAR(u[across ? k * 3 + 1 : N + k], exact, real == RIA_F32 ? 2e-5 : 1e-12);
  }
  plate_free(&p);
}

/* A flux in, another out: the difference stays. */
static void through_flux(void) {
  plate p = plate_make(&(plate_desc){.nx = N, .ny = 7, .dx = 0.1, .dy = 0.2, .diffusivity = 0.5});
  CHECK_OK(p.ctx, ria_sim_set_constant(p.sim, "u", 1));
  plate_side(&p, RIA_WEST, "flux", 2);
  plate_side(&p, RIA_EAST, "flux", -1.5);
  CHECK_OK(p.ctx, ria_sim_run(p.sim, 10));
  const ria_budget_row b = plate_budget(&p);
  CHECK_NEAR(b.inflow, 2 * 1.4 * 10, 1e-10);
  CHECK_NEAR(b.outflow, 1.5 * 1.4 * 10, 1e-10);
  CHECK_NEAR(b.stored, 1 * 2 * 1.4 + 0.5 * 1.4 * 10, 1e-10);
  const double *u = plate_get(&p); /* the slope at the sides is the flux over the diffusivity */
  CHECK_NEAR((u[1] - u[0]) / 0.1, -2 / 0.5, 0.05 * 4);
  plate_free(&p);
}

int main(void) {
  for (int k = 0; k < 8; k++) between_values((ria_real)(k & 1), k & 2, k & 4);
  through_flux();
  return TEST_END();
}
