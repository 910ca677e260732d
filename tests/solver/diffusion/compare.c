/* The device against the CPU: random plates with every kind of side, values in time, sources, maps,
 * maxima. Within 1e-12 in double precision and 1e-5 in single of the largest value. Each plate
 * twice: as it is done, and without what a GPU has for small ones (RIA_CUDA_SHORT_WAYS=off). */
#include "plate.h"

static const char *const kinds[] = {"open", "value", "flux", "fixed"};

typedef struct outcome {
  double *u, *most;
  double in, out, stored, sources, point;
} outcome;

/* A value and a flux in time, each on a part of its side. */
static void force_in_time(plate *p, double right, double top) {
  static const double t[] = {0, 0.013, 0.04}, v[] = {-1, 1.2, 0.3};
  ria_series *series = NULL;
  const ria_table_desc table = {.t = t, .v = v, .n = 3, .hold = true};
  CHECK_OK(p->ctx, ria_series_table(p->ctx, &table, &series));
  const ria_boundary_desc value = {.kind = "value",
                                   .stretch = true,
                                   .from = {0, 0.1 * top},
                                   .to = {0, 0.8 * top},
                                   .values = {{"u", {.series = series}}}};
  const ria_boundary_desc flux = {.kind = "flux",
                                  .stretch = true,
                                  .from = {0.2 * right, 0},
                                  .to = {0.9 * right, 0},
                                  .values = {{"q", {.series = series}}}};
  CHECK_OK(p->ctx, ria_boundary_add(p->sim, &value, NULL));
  CHECK_OK(p->ctx, ria_boundary_add(p->sim, &flux, NULL));
  ria_series_destroy(&series);
}

static void force(plate *p, unsigned seed) {
  const bool wrap_x = seed % 5 == 1, wrap_y = seed % 7 == 2;
  for (unsigned side = 0; side < RIA_SIDES; side++) {
    const bool wrap = side < RIA_SOUTH ? wrap_x : wrap_y;
    plate_side(p, (ria_side)side, wrap ? "periodic" : kinds[(seed + side * (seed % 3 + 1)) % 4],
               0.3 * side - 0.4);
  }
  const double top = p->grid.ny * p->grid.dy, right = p->grid.nx * p->grid.dx;
  if (!wrap_x && !wrap_y && seed % 2 == 0) force_in_time(p, right, top);
  ria_boundary_desc part = {.kind = "value",
                            .stretch = true,
                            .from = {right, 0.3 * top},
                            .to = {right, 0.7 * top},
                            .values = {{"u", {.constant = 1.5}}}};
  if (!wrap_x && seed % 2) CHECK_OK(p->ctx, ria_boundary_add(p->sim, &part, NULL));
  if (wrap_y && seed % 2) { /* periodic but for a part */
    part.kind = "open";
    part.values[0] = (ria_boundary_value){0};
    for (int side = 0; side < 2; side++) {
      part.from[0] = 0.3 * right, part.to[0] = 0.6 * right;
      part.from[1] = part.to[1] = side ? top : 0;
      CHECK_OK(p->ctx, ria_boundary_add(p->sim, &part, NULL));
    }
  }
}

static outcome run(const char *device, unsigned seed, ria_real real, int nx, int ny) {
  outcome o = {0};
  const int depth = seed % 2 ? 8 : 0;
  plate p = plate_make(&(plate_desc){.nx = nx,
                                     .ny = ny,
                                     .dx = 0.1,
                                     .dy = seed % 3 ? 0.1 : 0.17,
                                     .real = real,
                                     .steps_per_pass = depth,
                                     .device = device});
  plate_scatter(&p, "u", -1, 1, seed);
  if (seed % 4 == 3) plate_scatter(&p, "diffusivity", 0.1, 3, seed + 1);
  if (seed % 3 == 1) plate_scatter(&p, "source", -3, 3, seed + 2);
  force(&p, seed);
  if (seed % 6 == 5) CHECK_OK(p.ctx, ria_sim_track_maximum(p.sim, "u"));
  const ria_spill_desc release = {.x = 0.5 * nx * 0.1,
                                  .y = 0.05,
                                  .radius = 0.3,
                                  .has_flow = true,
                                  .flow = {.constant = 0.5},
                                  .start = 0.01,
                                  .duration = 0.02};
  if (seed % 4 == 2) CHECK_OK(p.ctx, ria_sim_spill(p.sim, &release, NULL));
  CHECK_OK(p.ctx, ria_sim_run(p.sim, 0.0613));
  CHECK_OK(p.ctx, ria_sim_step(p.sim, 27));
  const size_t bytes = plate_cells(&p) * sizeof(double);
  o.u = malloc(bytes);
  o.most = calloc(1, bytes);
  if (!o.u || !o.most) abort();
  memcpy(o.u, plate_get(&p), bytes);
  if (seed % 6 == 5) CHECK_OK(p.ctx, ria_sim_get_maximum(p.sim, "u", o.most));
  const ria_budget_row b = plate_budget(&p);
  o.in = b.inflow, o.out = b.outflow, o.stored = b.stored, o.sources = b.sources;
  CHECK(fabs(b.residual) <= (real == RIA_F32 ? 2e-5 : 1e-12) *
                                (fabs(b.stored) + b.inflow + b.outflow + fabs(b.sources) + 1e-3));
  CHECK_OK(p.ctx, ria_sim_probe(p.sim, "u", 0.5 * nx * 0.1, 0.05, &o.point));
  plate_free(&p);
  return o;
}

static double furthest(const double *a, const double *b, size_t n) {
  double worst = 0;
  for (size_t k = 0; k < n; k++) {
    if (isnan(a[k]) || isnan(b[k])) return NAN;
    worst = fmax(worst, fabs(a[k] - b[k]));
  }
  return worst;
}

static void agree(unsigned seed, ria_real real, size_t n, const outcome *a, const outcome *b,
                  double *worst) {
  const double bound = real == RIA_F32 ? 1e-5 : 1e-12, off = furthest(a->u, b->u, n);
  const double amount = bound * (1 + fabs(a->in) + fabs(a->out) + fabs(a->sources));
  *worst = fmax(*worst, off);
  if (!CHECK(off <= bound)) fprintf(stderr, "  seed %u: u is off by %g\n", seed, off);
  CHECK(furthest(a->most, b->most, n) <= bound);
  CHECK_NEAR(b->in, a->in, amount);
  CHECK_NEAR(b->out, a->out, amount);
  CHECK_NEAR(b->stored, a->stored, amount * (1 + 0.01 * (double)n));
  CHECK_NEAR(b->sources, a->sources, amount);
  CHECK_NEAR(b->point, a->point, bound);
}

static void compare(unsigned seed, int nx, int ny, double *worst) {
  const ria_real real = (ria_real)(seed / 2 % 2);
  outcome a = run("cpu", seed, real, nx, ny);
  for (int ways = 0; ways < 2; ways++) {
    setenv("RIA_CUDA_SHORT_WAYS", ways ? "on" : "off", 1);
    outcome b = run(test_device(), seed, real, nx, ny);
    agree(seed, real, (size_t)nx * (size_t)ny, &a, &b, &worst[real]);
    free(b.u), free(b.most);
  }
  free(a.u), free(a.most);
}

/* compare [FIRST LAST]: plates of these seeds; else also large ones, of more than the 2^22 cells
 * from which on a GPU takes the first and the last row apart in a single step. Seed 1 goes by
 * passes, the others by single steps: plain, with a map, a source, both, a release. */
int main(int argc, char **argv) {
  const unsigned first = argc > 2 ? (unsigned)atoi(argv[1]) : 0;
  const unsigned end = argc > 2 ? (unsigned)atoi(argv[2]) + 1 : SHORT(60, 12);
  static const int size[][2] = {{257, 130}, {1, 9}, {40, 1}, {120, 64}, {500, 333}, {33, 700}};
  static const unsigned large[] = {1, 3, 4, 7, 12, 14};
  double worst[2] = {0, 0};
  for (unsigned seed = first; seed < end; seed++)
    compare(seed, size[seed % 6][0], size[seed % 6][1], worst);
  for (size_t k = 0; argc <= 2 && !test_is_short() && k < sizeof large / sizeof *large; k++)
    compare(large[k], 2101, 1999, worst);
  printf("off by at most %.2e in double, %.2e in single precision\n", worst[0], worst[1]);
  return TEST_END();
}
