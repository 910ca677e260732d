/* Eight tracers at once: each comes out to the bit as if it were alone. */
#include "cases.h"

enum { nx = 70, ny = 50 };
static double bed(double x, double y) { return -3 + 3.5 * sin(x / 120) * sin(y / 90); }
static double level(double x, double y) { return (void)y, 0.5 * cos(x / 150); }
static int which;
static double conc(double x, double y) {
  return 1 + which + sin(x / (40 + 10 * which)) * cos(y / 50);
}

static ria_sim *make(ria_context *ctx, ria_real real, int first, int n, double *buffer) {
  static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  ria_tracer tracers[8];
  for (int k = 0; k < n; k++)
    tracers[k] = (ria_tracer){.name = names[first + k],
                              .decay = 1e-5 * (first + k),
                              .diffusion = 0.1 * ((first + k) % 3)};
  const ria_setting order[] = {{"order", test_order(), NULL}};
  const ria_sim_desc desc = {.grid = {nx, ny, 10, 10, 0, 0, 0},
                             .params = order,
                             .n_params = 1,
                             .precision = real,
                             .tracers = tracers,
                             .n_tracers = (size_t)n};
  ria_sim *sim = NULL;
  CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim));
  for (int set = 0; set < 2 + n; set++) {
    which = set < 2 ? 0 : first + set - 2;
    shape fn = set == 0 ? bed : set == 1 ? level : conc;
    for (int k = 0; k < nx * ny; k++)
      buffer[k] = fn((k % nx + 0.5) * 10, ((double)(k / nx) + 0.5) * 10);
    CHECK_OK(ctx, ria_sim_set(sim, set == 0 ? "bed" : set == 1 ? "level" : names[which], buffer));
  }
  return sim;
}

int main(void) {
  static double buffer[nx * ny], alone[nx * ny], together[nx * ny];
  const double t_stop = test_is_traced() ? 20 : 300;
  ria_context *ctx = test_context(test_device(), 0);
  for (int real = 0; real < 2; real++) {
    /* the step's length depends on the largest diffusion, so the lone ones get the same steps */
    ria_sim *all = make(ctx, (ria_real)real, 0, 8, buffer);
    CHECK_OK(ctx, ria_sim_run(all, t_stop));
    CHECK_OK(ctx, ria_sim_get(all, "c_load", together));
    ria_sim *one = make(ctx, (ria_real)real, 2, 1, buffer);
    CHECK_OK(ctx, ria_sim_run(one, t_stop));
    CHECK_OK(ctx, ria_sim_get(one, "c_load", alone));
    CHECK_INT(ria_sim_steps(one), ria_sim_steps(all));
    if (strcmp(test_device(), "cpu") == 0) {
      CHECK(memcmp(alone, together, sizeof alone) == 0);
    } else { /* a GPU has a kernel for each number of tracers, and each may round in its own way */
      const double bound = real == RIA_F64 ? 1e-12 : 1e-5;
      for (int k = 0; k < nx * ny; k++)
        CHECK_NEAR(alone[k], together[k], bound * fmax(1, together[k]));
    }
    ria_sim_destroy(&one);
    ria_sim_destroy(&all);
  }
  ria_context_destroy(&ctx);
  return TEST_END();
}
