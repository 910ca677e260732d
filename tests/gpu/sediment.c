/* The two-sediment solver on RIA_TEST_DEVICE against the CPU, on random floors of odd sizes with
 * every kind of boundary, sources, a sea that rises, both schemes; bitwise the same again, and
 * without graphs. On the CPU it compares two numbers of threads. */
#include "../solver/sediment/floors.h"

enum { FIELDS = 7 };
static const char *const names[FIELDS] = {"height", "sand",  "depth",       "thickness",
                                          "slope",  "alpha", "height (max)"};

typedef struct result {
  double *field[FIELDS];
  ria_budget_row rows[2];
  int64_t steps;
} result;

static void keep(result *r, int k, basin *b) {
  r->field[k] = malloc(basin_cells(b) * sizeof(double));
  memcpy(r->field[k], b->buffer, basin_cells(b) * sizeof(double));
}

static result run(uint64_t seed, ria_real real, const char *device, int threads, size_t *cells) {
  basin b = floor_make(seed, real, device, threads);
  result r = {0};
  *cells = basin_cells(&b);
  CHECK_OK(b.ctx, ria_sim_run(b.sim, 25 * YEAR));
  CHECK_OK(b.ctx, ria_sim_set_constant(b.sim, "sea_level", 2));
  CHECK_OK(b.ctx, ria_sim_step(b.sim, 7));
  CHECK_OK(b.ctx, ria_sim_run(b.sim, 40 * YEAR));
  for (int k = 0; k < FIELDS; k++) {
    if (k + 1 < FIELDS)
      basin_get(&b, names[k]);
    else if (ria_sim_get_maximum(b.sim, "height", b.buffer) != RIA_OK)
      memset(b.buffer, 0, *cells * sizeof *b.buffer);
    keep(&r, k, &b);
  }
  size_t n = 2;
  CHECK_OK(b.ctx, ria_sim_budget(b.sim, r.rows, &n));
  r.steps = ria_sim_steps(b.sim);
  basin_free(&b);
  return r;
}

static void drop(result *r) {
  for (int k = 0; k < FIELDS; k++) free(r->field[k]);
}

/* The greatest difference, of the greatest value. A value up to `shore` may stand beside none: a
 * cell at sea level may be land for one and sea for the other. */
static double apart(const double *a, const double *b, size_t n, double shore) {
  double most = 1e-300, far = 0;
  for (size_t k = 0; k < n; k++) {
    if (isnan(a[k]) != isnan(b[k]) && !(fabs(isnan(a[k]) ? b[k] : a[k]) <= shore)) return INFINITY;
    if (isnan(a[k]) || isnan(b[k])) continue;
    most = fmax(most, fabs(a[k]));
    far = fmax(far, fabs(a[k] - b[k]));
  }
  return far / most;
}

/* The same to the bit when steps are launched one by one. Not where they are anyway, for a tool
 * that does not follow graphs. */
static void without_graphs(uint64_t seed, ria_real real, const char *device, const result *b) {
  size_t cells;
  setenv("RIA_CUDA_GRAPHS", "off", 1);
  result c = run(seed, real, device, 1, &cells);
  unsetenv("RIA_CUDA_GRAPHS");
  for (int k = 0; k < FIELDS; k++)
    CHECK(memcmp(b->field[k], c.field[k], cells * sizeof(double)) == 0);
  CHECK(b->rows[0].stored == c.rows[0].stored && b->rows[1].outflow == c.rows[1].outflow);
  drop(&c);
}

static void compare(uint64_t seed, ria_real real, const char *device) {
  const double within = real == RIA_F64 ? 1e-12 : 1e-5;
  size_t cells;
  result a = run(seed, real, "cpu", 1, &cells), b = run(seed, real, device, 2, &cells);
  double worst = 0;
  for (int k = 0; k < FIELDS; k++) {
    const double d = apart(a.field[k], b.field[k], cells, k == 2 ? 1e3 * within : -1);
    worst = fmax(worst, d);
    /* slopes are differences */
    if (!CHECK(d < within * (k == 2 || k == 4 ? 100 : 1)))
      printf("seed %d, %s: %s is off by %.2g\n", (int)seed, real_name[real], names[k], d);
  }
  for (int q = 0; q < 2; q++) {
    CHECK_NEAR(b.rows[q].stored, a.rows[q].stored, within * fabs(a.rows[q].stored));
    CHECK_NEAR(b.rows[q].inflow, a.rows[q].inflow, within * a.rows[q].inflow);
    CHECK_NEAR(b.rows[q].outflow, a.rows[q].outflow, within * (a.rows[q].outflow + 1e3));
    CHECK_NEAR(b.rows[q].sources, a.rows[q].sources, within * a.rows[q].sources);
    if (seed % 5 != 4) CHECK(fabs(b.rows[q].relative) < (real == RIA_F64 ? 1e-12 : 2e-5));
  }
  printf("seed %d, %s: %d steps, %.2g apart\n", (int)seed, real_name[real], (int)b.steps, worst);
  if (!getenv("RIA_CUDA_GRAPHS")) without_graphs(seed, real, device, &b);
  drop(&a);
  drop(&b);
}

/* sediment [FIRST LAST]: floors of these seeds; else 20, and those from LARGE on. */
int main(int argc, char **argv) {
  const uint64_t first = argc > 2 ? (uint64_t)atoi(argv[1]) : 0;
  const uint64_t end = argc > 2 ? (uint64_t)atoi(argv[2]) + 1 : (uint64_t)SHORT(20, 5);
  char device[32];
  snprintf(device, sizeof device, "%s", test_device());
  ria_context *ctx = test_context(device, 1); /* or this test is skipped */
  ria_context_destroy(&ctx);
  for (uint64_t seed = first; seed < end; seed++)
    for (int real = 0; real < 2; real++) compare(seed, (ria_real)real, device);
  for (uint64_t seed = LARGE; seed < LONG_END && argc <= 2 && !test_is_short(); seed++)
    for (int real = 0; real < 2; real++) compare(seed, (ria_real)real, device);
  return TEST_END();
}
