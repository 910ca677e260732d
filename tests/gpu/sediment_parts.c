/* The two-sediment solver with its grid whole and cut into 2 to 9 parts, on random floors of odd
 * sizes with every kind of boundary, sources, a sea that rises, both schemes, steps that are done
 * again: fields, maxima, the account and the clock have the same bits.
 *
 *   gpu.sediment_parts [-v] [FIRST LAST]
 *
 * RIA_TEST_DEVICE names the device of the whole, RIA_TEST_SEVERAL where parts are. */
#include "../solver/sediment/floors.h"
#include "several.h"

static const char *const names[] = {"height", "sand", "depth", "thickness", "slope", "base"};
enum { FIELDS = sizeof names / sizeof *names };

typedef struct outcome {
  size_t cells;
  double *field[FIELDS + 1]; /* the last: a maximum */
  ria_budget_row rows[2];
  int64_t steps;
  double t;
} outcome;

static double *keep(basin *b) {
  double *to = malloc(basin_cells(b) * sizeof *to);
  if (!to) abort();
  return memcpy(to, b->buffer, basin_cells(b) * sizeof *to);
}

static outcome run(uint64_t seed, ria_real real, const char *device, int parts) {
  test_parts = parts;
  basin b = floor_make(seed, real, device, 2);
  test_parts = 0;
  outcome o = {.cells = basin_cells(&b)};
  size_t n = 2;
  const bool is_long = seed < LARGE;
  CHECK_OK(b.ctx, ria_sim_advance(b.sim, (is_long ? 25 : 2) * YEAR));
  CHECK_OK(b.ctx, ria_sim_set_constant(b.sim, "sea_level", 2));
  CHECK_OK(b.ctx, ria_sim_step(b.sim, 7));
  CHECK_OK(b.ctx, ria_sim_advance(b.sim, (is_long ? 15 : 2) * YEAR));
  for (int k = 0; k < FIELDS; k++) {
    basin_get(&b, names[k]);
    o.field[k] = keep(&b);
  }
  if (ria_sim_get_maximum(b.sim, "height", b.buffer) != RIA_OK) memset(b.buffer, 0, o.cells * 8);
  o.field[FIELDS] = keep(&b);
  CHECK_OK(b.ctx, ria_sim_budget(b.sim, o.rows, &n));
  o.steps = ria_sim_steps(b.sim);
  o.t = ria_sim_time(b.sim);
  basin_free(&b);
  return o;
}

static void drop(outcome *o) {
  for (int k = 0; k <= FIELDS; k++) free(o->field[k]);
}

static int rows_of(uint64_t seed) {
  uint64_t s = seed;
  if (seed >= LARGE) return seed >= LONG ? 7 : 1703;
  dice(&s);
  return 2 + (int)(120 * dice(&s));
}

static void compare(uint64_t seed, ria_real real, int parts, bool verbose) {
  char device[32];
  snprintf(device, sizeof device, "%s", test_device());
  outcome a = run(seed, real, device, 0), b = run(seed, real, several_device(), parts);
  setenv("RIA_TEST_DEVICE", device, 1); /* floor_make sets it */
  bool same = a.steps == b.steps && a.t == b.t;
  for (int k = 0; k <= FIELDS; k++) {
    const bool is = memcmp(a.field[k], b.field[k], a.cells * sizeof(double)) == 0;
    if (!is) fprintf(stderr, "  %s differs\n", k < FIELDS ? names[k] : "maximum of height");
    same &= is;
  }
  const double scale = fabs(a.rows[0].stored) + fabs(a.rows[1].stored) + a.rows[0].inflow +
                       a.rows[1].inflow + a.rows[0].outflow + a.rows[1].outflow;
  for (int q = 0; q < 2; q++) same &= several_same_budget(&a.rows[q], &b.rows[q], scale);
  if (!CHECK(same) || verbose)
    fprintf(stderr, "  seed %d, %s, %d parts: %d steps, %d\n", (int)seed, real_name[real], parts,
            (int)a.steps, (int)b.steps);
  drop(&a);
  drop(&b);
}

/* In some parts; and where there are several GPUs with one on each, which pass abreast. */
static void compare_all(uint64_t seed, ria_real real, int fewest, bool verbose) {
  const int parts = several_parts(seed, rows_of(seed), fewest);
  if (parts) compare(seed, real, parts, verbose);
  if (parts && fewest > 1 && parts != fewest) compare(seed, real, fewest, verbose);
}

int main(int argc, char **argv) {
  const bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  argc -= verbose, argv += verbose;
  const uint64_t first = argc > 2 ? (uint64_t)atoi(argv[1]) : 0;
  const uint64_t end = argc > 2 ? (uint64_t)atoi(argv[2]) + 1 : (uint64_t)SHORT(60, 10);
  ria_context *ctx = test_context(test_device(), 1); /* or this test is skipped */
  ria_context_destroy(&ctx);
  const int fewest = several_fewest();
  for (uint64_t seed = first; seed < end; seed++)
    for (int real = 0; real < 2; real++) compare_all(seed, (ria_real)real, fewest, verbose);
  for (uint64_t seed = LARGE; seed < LONG_END && argc <= 2 && !test_is_short(); seed++)
    compare_all(seed, (ria_real)(seed % 2), fewest, verbose);
  return TEST_END();
}
