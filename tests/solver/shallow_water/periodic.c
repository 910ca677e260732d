/* Periodic sides have no place: a scene that begins so many cells further on, round the seam, comes
 * out so many cells further on, to the bit. With what has exact solutions: a stream stays uniform,
 * a channel that the wind drives has the speed that friction allows, a cloud comes back after one
 * turn. Water and tracers are kept. */
#include "cases.h"

static const char *const torus_solver = "shallow_water";
static const char *const torus_kinds[RIA_SIDES] = {"radiate", "open", "level", "free"};
static size_t torus_params(ria_setting *p, size_t n) {
  p[n] = (ria_setting){"order", test_order(), NULL};
  return n + 1;
}
static double torus_round(ria_real real) { return real == RIA_F64 ? 2e-15 : 2e-7; }
#include "solver/periodic.h"

static void shift(ria_context *ctx, const torus *s, ria_real real, int di, int dj) {
  const bool same = di == 0 && strcmp(test_device(), "cpu") == 0;
  check_shift(ctx, s, real, di, dj, same ? 0 : real == RIA_F64 ? 1e-12 : 1e-4);
}

static void shifts(void) {
  static const torus scenes[] = {
      {.nx = 67, .ny = 45, .x = true, .y = true, .layer = true},
      {.nx = 67, .ny = 45, .x = true, .y = true, .forced = true, .rough = true, .spills = true},
      {.nx = 70, .ny = 33, .x = true, .y = true, .stirred = true, .dry = true, .spills = true},
      {.nx = 97, .ny = 61, .x = true, .forced = true, .stirred = true, .rough = true},
      {.nx = 97, .ny = 31, .x = true, .dry = true, .spills = true},
      {.nx = 45, .ny = 64, .y = true, .forced = true, .rough = true, .dry = true, .spills = true},
      {.nx = 33, .ny = 40, .y = true, .stirred = true},
      {.nx = 1, .ny = 40, .x = true, .y = true, .forced = true},
      {.nx = 40, .ny = 1, .x = true, .y = true, .stirred = true},
      {.nx = 2, .ny = 3, .x = true, .y = true, .rough = true, .forced = true},
      {.nx = 3, .ny = 2, .x = true, .y = true, .stirred = true, .dry = true},
      {.nx = 200, .ny = 60, .x = true, .y = true, .dam = true},
      {.nx = 160, .ny = 40, .x = true, .y = true, .dry = true, .spills = true},
  };
  ria_context *ctx = test_context(test_device(), 2);
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
    for (int real = 0; real < 2; real++) {
      const torus *s = &scenes[k];
      if (s->y) shift(ctx, s, (ria_real)real, 0, 1);
      if (s->y) shift(ctx, s, (ria_real)real, 0, s->ny - s->ny / 3);
      if (s->x) shift(ctx, s, (ria_real)real, 1, 0);
      if (s->x) shift(ctx, s, (ria_real)real, s->nx / 3, s->y ? s->ny / 2 : 0);
    }
  ria_context_destroy(&ctx);
}

/* --- exact solutions -------------------------------------------------------------------------- */

/* A cloud that a uniform stream takes once round: the error of what comes back. */
static double cloud(double x, double y) {
  const double k = 6.283185307179586 / 1000;
  return (void)y, 2 + sin(k * x);
}
static double turn_once(int n, bool both) {
  const double d = 1000.0 / n;
  flow f = flow_make(&(flow_desc){.nx = n, .ny = both ? n : 3, .dx = d, .tracer = "dye"});
  flow_set(&f, "bed", minus_one);
  flow_set(&f, "level", six);
  flow_set(&f, "u", eastwards);
  if (both) flow_set(&f, "v", eastwards);
  flow_set(&f, "dye", cloud);
  close_pair(&f, RIA_WEST);
  close_pair(&f, RIA_SOUTH);
  double *before = flow_get(&f, "dye"), error = 0;
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 1000 / 1.5));
  double *after = flow_get(&f, "dye");
  for (int c = 0; c < f.grid.nx * f.grid.ny; c++)
    error += fabs(after[c] - before[c]) / (f.grid.nx * f.grid.ny);
  free(before);
  free(after);
  flow_free(&f);
  return error;
}

static void comes_back(bool both) {
  const double coarse = turn_once(SHORT(50, 25), both), fine = turn_once(SHORT(100, 50), both);
  const double found = rate(coarse, fine);
  printf("a cloud after one turn%s: %.3g and %.3g, rate %.2f\n", both ? " along both axes" : "",
         coarse, fine, found);
  CHECK(found > by_order(0.5, 1.6));
  CHECK(fine < by_order(0.6, 0.03));
}

int main(void) {
  shifts();
  for (int real = 0; real < 2; real++) stays_uniform((ria_real)real, real ? 2e-5 : 2e-13);
  driven_by_wind(true);
  driven_by_wind(false);
  comes_back(false);
  comes_back(true);
  refuses();
  return TEST_END();
}
