/* Engines that come and go: a thousand of them leave nothing behind; two at once do not meet; one
 * that fails says where and when, as the CPU does, and can still be read; one that does not fit
 * into the device says so and harms no other. RIA_TEST_DEVICE: "cuda" unless set. */
#include "scene.h"
#include <ria/backend.h>
#include <unistd.h>

static const char *device(void) { return test_setting("RIA_TEST_DEVICE", "cuda"); }
static bool on_cpu(void) { return strcmp(device(), "cpu") == 0; }

/* --- a thousand lives ------------------------------------------------------------------------- */

static double resident(void) { /* bytes */
  long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%*d %ld", &pages) != 1) pages = 0;
  if (f) fclose(f);
  return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void one_life(int k) {
  /* 31 x 33, everything else varies */
  scene s = scene_of(1 + 7 * (uint64_t)(k % 10) + (k / 10 % 2 ? SCENE_HALF : 0));
  s.steps = 6;
  ria_context *ctx = test_context(device(), 1);
  ria_sim *sim = scene_make(ctx, &s);
  scene_run(sim, &s, 0);
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
}

static void lives(void) {
  enum { MANY = 1000, WARM = 200 };
  double before = 0;
  for (int k = 0; k < (test_is_traced() ? 3 : test_is_short() ? 20 : MANY); k++) {
    if (k == WARM) before = resident();
    one_life(k);
  }
  if (test_is_short()) return; /* a sanitizer keeps what was freed, and looks for leaks itself */
  const double grown = resident() - before;
  printf("host memory after %d engines: %+.2f MB\n", MANY - WARM, grown / 1e6);
  CHECK(grown < 4e6); /* 5 kB an engine */
}

/* --- two at once ------------------------------------------------------------------------------ */

static int turns(void) { return test_is_traced() ? 3 : 10; }

static outcome alone(const char *where, const scene *s, int stride) {
  ria_context *ctx = test_context(where, 2);
  ria_sim *sim = scene_make(ctx, s);
  CHECK_OK(ctx, ria_sim_step(sim, turns() * stride));
  outcome o = outcome_take(sim, s);
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
  return o;
}

/* Steps of one between steps of the other; each comes out as if it were alone. */
static void side_by_side(const char *where_a, const char *where_b, bool one_context) {
  const scene a = scene_of(31), b = scene_of(46);
  outcome alone_a = alone(where_a, &a, 1), alone_b = alone(where_b, &b, 3);
  ria_context *first = test_context(where_a, 2);
  ria_context *second = one_context ? first : test_context(where_b, 2);
  ria_sim *sim_a = scene_make(first, &a), *sim_b = scene_make(second, &b);
  for (int k = 0; k < turns(); k++) {
    CHECK_OK(first, ria_sim_step(sim_a, 1));
    CHECK_OK(second, ria_sim_step(sim_b, 3));
  }
  outcome both_a = outcome_take(sim_a, &a), both_b = outcome_take(sim_b, &b);
  outcome_same(&alone_a, &both_a, "the first of two");
  outcome_same(&alone_b, &both_b, "the second of two");
  outcome *all[] = {&alone_a, &alone_b, &both_a, &both_b};
  for (int k = 0; k < 4; k++) outcome_free(all[k]);
  ria_sim_destroy(&sim_a);
  ria_sim_destroy(&sim_b);
  if (!one_context) ria_context_destroy(&second);
  ria_context_destroy(&first);
}

/* --- failures --------------------------------------------------------------------------------- */

/* Ways to leave the range of numbers; all in still water that is 5 m deep. */
typedef enum ruin { SPIKE, SPILL, GROWTH, FLOOD, RUINS } ruin;
static const char *const ruin_name[RUINS] = {
    [SPIKE] = "a discharge set too large in two cells",
    [SPILL] = "a spill of more than a number holds",
    [GROWTH] = "a source that grows, in the middle of a batch",
    [FLOOD] = "a river that comes too suddenly, in the middle of a batch",
};

enum { NX = 97, NY = 61, CELLS = NX * NY };

static int order = 1;

static ria_sim *still_water(ria_context *ctx, ria_real real, double dt_min) {
  const ria_tracer dye = {.name = "dye"};
  const ria_setting setting[] = {{"dt_min", dt_min, NULL}, {"order", order, NULL}};
  const ria_sim_desc desc = {.grid = {NX, NY, 10, 10, 0, 0, 0},
                             .precision = real,
                             .params = setting,
                             .n_params = 2,
                             .tracers = &dye,
                             .n_tracers = 1};
  ria_sim *sim = NULL;
  if (!CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim))) exit(1);
  CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -5));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0));
  return sim;
}

static ria_series *table(ria_context *ctx, const double *t, const double *v, size_t n,
                         ria_interp interp) {
  const ria_table_desc d = {.t = t, .v = v, .n = n, .interp = interp, .hold = true};
  ria_series *series = NULL;
  CHECK_OK(ctx, ria_series_table(ctx, &d, &series));
  return series;
}

static void prepare_ruin(ria_context *ctx, ria_sim *sim, ruin how) {
  static double qx[CELLS];
  ria_series *series = NULL;
  switch (how) {
  case SPIKE:
    CHECK_OK(ctx, ria_sim_run(sim, 10));
    qx[44 * NX + 20] = 3e33;
    qx[17 * NX + 31] = 2e33;
    CHECK_OK(ctx, ria_sim_set(sim, "qx", qx));
    break;
  case SPILL: {
    const ria_spill_desc p = {.tracer = "dye", .x = 405, .y = 205, .start = 12.5, .mass = 1e35};
    CHECK_OK(ctx, ria_sim_spill(sim, &p, NULL));
    break;
  }
  case GROWTH: {
    series = table(ctx, (double[]){0, 60}, (double[]){0, 1e33}, 2, RIA_LINEAR);
    const ria_spill_desc p = {
        .tracer = "dye", .x = 705, .y = 405, .has_rate = true, .rate = {0, series}};
    CHECK_OK(ctx, ria_sim_spill(sim, &p, NULL));
    break;
  }
  default: {
    series = table(ctx, (double[]){0, 20.5}, (double[]){10, 1e25}, 2, RIA_STEP);
    const ria_boundary_desc river = {
        .kind = "discharge", .side = RIA_NORTH, .values = {{"q", {0, series}}}};
    CHECK_OK(ctx, ria_boundary_add(sim, &river, NULL));
  }
  }
  ria_series_destroy(&series);
}

typedef struct report {
  char message[512];
  double time, depth[CELLS];
  int64_t steps;
} report;

static report *ruined(const char *where, ria_real real, ruin how) {
  report *r = calloc(1, sizeof *r);
  if (!r) abort();
  ria_context *ctx = test_context(where, 2);
  const double dt_min = how == SPIKE ? 0 : 1e-7; /* 0: not what stops it */
  ria_sim *sim = still_water(ctx, real, dt_min), *other = still_water(ctx, real, 0);
  prepare_ruin(ctx, sim, how);
  CHECK_STATUS(ctx, ria_sim_run(sim, 60), RIA_ERR_NUMERICAL);
  snprintf(r->message, sizeof r->message, "%s", ria_error(ctx));
  r->time = ria_sim_time(sim);
  r->steps = ria_sim_steps(sim);
  /* it can be read, not run on; another one of the same context is well */
  ria_budget_row rows[2];
  size_t n = 2;
  CHECK_OK(ctx, ria_sim_get(sim, "depth", r->depth));
  CHECK_OK(ctx, ria_sim_budget(sim, rows, &n));
  CHECK_STATUS(ctx, ria_sim_step(sim, 1), RIA_ERR_NUMERICAL);
  CHECK_OK(ctx, ria_sim_step(other, 5));
  ria_sim_destroy(&sim);
  ria_sim_destroy(&other);
  ria_context_destroy(&ctx);
  return r;
}

/* A grid that is cut fails as it does whole. */
static void fails_in_parts(ria_real real, ruin how) {
  report *whole = ruined("cpu", real, how);
  test_parts = 2 + (int)how;
  report *parts = ruined("cpu", real, how);
  test_parts = 0;
  CHECK_TEXT(parts->message, whole->message);
  CHECK(memcmp(parts->depth, whole->depth, sizeof whole->depth) == 0);
  CHECK(parts->time == whole->time);
  CHECK_INT(parts->steps, whole->steps);
  free(whole);
  free(parts);
}

static void fails_alike(ria_real real, ruin how) {
  report *r = ruined(device(), real, how), *reference = ruined("cpu", real, how);
  printf("%s, order %d, %s:\n  %s\n", ruin_name[how], order, real == RIA_F64 ? "double" : "single",
         r->message);
  if (!CHECK(test_alike(r->message, reference->message)))
    fprintf(stderr, "  %s\n  %s\n", r->message, reference->message);
  CHECK_HOLDS(r->message, " in cell (");
  CHECK_HOLDS(r->message, ", t = ");
  CHECK_NEAR(r->time, reference->time, 1e-5);
  CHECK_INT(r->steps, reference->steps);
  double worst = 0;
  for (int k = 0; k < CELLS; k++) {
    CHECK(isfinite(r->depth[k]) && r->depth[k] >= 0); /* the last good state */
    worst = fmax(worst, fabs(r->depth[k] - reference->depth[k]) / 5);
  }
  CHECK_NEAR(worst, 0, real == RIA_F64 ? 1e-12 : 1e-5);
  free(r);
  free(reference);
}

/* --- memory of the device --------------------------------------------------------------------- */

static const double gib = 1024.0 * 1024.0 * 1024.0;

/* From the description: "NVIDIA H200, 139.8 GiB, compute capability 9.0". */
static double device_memory(const ria_context *ctx) {
  const char *text = ria_context_backend(ctx)->description, *unit = strstr(text, " GiB");
  if (!CHECK(unit)) return 0;
  while (unit > text && strchr("0123456789.", unit[-1])) unit--;
  return strtod(unit, NULL) * gib;
}

/* The fewest bytes a cell can do with: the bed, and the state before and after a step. */
static const double cell_bytes = (1 + 2 * (3 + RIA_MAX_TRACERS)) * sizeof(double);

static ria_status make_square(ria_context *ctx, int n, ria_sim **sim) {
  ria_tracer tracers[RIA_MAX_TRACERS] = {{0}};
  for (int k = 0; k < RIA_MAX_TRACERS; k++) tracers[k].name = tracer_name[k];
  const ria_sim_desc desc = {
      .grid = {n, n, 1, 1, 0, 0, 0}, .tracers = tracers, .n_tracers = RIA_MAX_TRACERS};
  return ria_sim_create(ctx, &desc, sim);
}

static void take_a_square(ria_context *ctx, int n) {
  ria_sim *sim = NULL;
  if (CHECK_OK(ctx, make_square(ctx, n, &sim))) {
    double depth = 0;
    CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -1));
    CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0));
    CHECK_OK(ctx, ria_sim_step(sim, 2));
    CHECK_OK(ctx, ria_sim_probe(sim, "depth", n - 0.5, n - 0.5, &depth));
    CHECK_NEAR(depth, 1, 1e-12);
  }
  ria_sim_destroy(&sim);
}

/* More than half of the device, twice: it was given back. Then more than all of it, which is
 * refused with the numbers, and leaves the context as it was. */
static void fills_the_device(void) {
  ria_context *ctx = test_context(device(), 0);
  const double memory = device_memory(ctx);
  for (int turn = 0; turn < 2; turn++) take_a_square(ctx, (int)sqrt(0.55 * memory / cell_bytes));
  enum { LARGEST = 46340 }; /* its square is the most cells a grid may have */
  const double asked = cell_bytes * LARGEST * LARGEST;
  for (int turn = 0; turn < 2 && asked > memory; turn++) {
    ria_sim *sim = NULL;
    const ria_status status = make_square(ctx, LARGEST, &sim);
    CHECK_INT(status, RIA_ERR_MEMORY);
    CHECK(!sim);
    CHECK(strstr(ria_error(ctx),
                 "grid: 46340 x 46340 = 2.147e+09 cells with tracers need about 412 "
                 "GB of memory on cuda:"));
    CHECK(
        strstr(ria_error(ctx), " GB are free there: larger cells, or single precision, need less"));
    printf("too large: %s\n", ria_error(ctx));
    take_a_square(ctx, 100);
  }
  ria_context_destroy(&ctx);
}

int main(void) {
  lives();
  side_by_side(device(), device(), false);
  side_by_side(device(), device(), true);
  side_by_side(device(), "cpu", false);
  /* under a trace the two that come soon */
  for (order = 1; order <= 2; order++) {
    for (int how = 0; how < (test_is_traced() ? GROWTH : RUINS); how++)
      for (int real = 0; real < 2; real++) fails_alike((ria_real)real, (ruin)how);
    for (int how = 0; how < RUINS && on_cpu(); how++)
      for (int real = 0; real < 2; real++) fails_in_parts((ria_real)real, (ruin)how);
  }
  if (!on_cpu() && !test_is_short()) fills_the_device();
  return TEST_END();
}
