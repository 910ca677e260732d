/* Waves that only fade: what a step does to them is known exactly, and what the equation does to
 * them is approached at rate 2. Between periodic sides, between sides held at 0, between insulated
 * ones; dx is not dy. */
#include "plate.h"

typedef struct mode {
  const char *kind;
  double mx, my; /* half waves along the plate */
  bool cosine;
} mode;

static const mode modes[] = {
    {"periodic", 4, 2, false}, {"value", 3, 2, false}, {"open", 3, 1, true}, {"open", 0, 4, true}};
static const double length = 2.0, height = 1.5, diffusivity = 0.7;
static mode now;

static double wave(double x, double y) {
  const double a = pi * now.mx * x / length, b = pi * now.my * y / height;
  return now.cosine ? cos(a) * cos(b) : sin(a) * sin(b);
}

/* Part of the wave that is left of the plate after n steps of dt; error against the grid's own
 * factor goes to *discrete, against the equation's it is returned. */
static double fade(int n, ria_real real, double end, double *discrete) {
  plate p = plate_make(&(plate_desc){.nx = 4 * n,
                                     .ny = 3 * n,
                                     .dx = length / (4 * n),
                                     .dy = height / (3 * n),
                                     .real = real,
                                     .diffusivity = diffusivity});
  for (int side = 0; side < RIA_SIDES; side++) plate_side(&p, (ria_side)side, now.kind, 0);
  plate_set(&p, "u", wave);
  CHECK_OK(p.ctx, ria_sim_step(p.sim, 1)); /* learn dt */
  const double dt = ria_sim_time(p.sim);
  const int steps = (int)(end / dt);
  CHECK_OK(p.ctx, ria_sim_step(p.sim, steps - 1));
  const ria_grid *g = &p.grid;
  const double sx = sin(pi * now.mx * g->dx / (2 * length)) / g->dx;
  const double sy = sin(pi * now.my * g->dy / (2 * height)) / g->dy;
  const double step = 1 - 4 * diffusivity * dt * (sx * sx + sy * sy);
  const double ex = pi * now.mx / length, ey = pi * now.my / height;
  const double grid = pow(step, steps);
  const double exact = exp(-diffusivity * (ex * ex + ey * ey) * dt * steps);
  const double *u = plate_get(&p);
  double worst = 0, worst_exact = 0;
  for (int j = 0; j < g->ny; j++)
    for (int i = 0; i < g->nx; i++) {
      const double w = wave((i + 0.5) * g->dx, (j + 0.5) * g->dy);
      CHECK(isfinite(u[j * g->nx + i]));
      worst = fmax(worst, fabs(u[j * g->nx + i] - grid * w));
      worst_exact = fmax(worst_exact, fabs(u[j * g->nx + i] - exact * w));
    }
  *discrete = worst;
  plate_free(&p);
  return worst_exact;
}

int main(void) {
  for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
    now = modes[k];
    double discrete;
    for (int real = 0; real < 2; real++) {
      fade(8, (ria_real)real, 0.02, &discrete);
      CHECK(discrete < (real == RIA_F32 ? 2e-6 : 1e-14));
    }
    const double coarse = fade(8, RIA_F64, 0.02, &discrete);
    const double fine = fade(16, RIA_F64, 0.02, &discrete);
    const double rate = log2(coarse / fine);
    printf("%s %g %g: %.3g %.3g, rate %.2f\n", now.kind, now.mx, now.my, coarse, fine, rate);
    CHECK(rate > 1.7 && rate < 2.4);
  }
  return TEST_END();
}
