/* Runs of the implicit solver that fail in the middle of a span of many steps: a GPU says what the
 * CPU says, at the same step and time, and has the same state left. A level that a look finds too
 * high ends the run before the next step, although a GPU chooses six steps at once: also where one
 * of those would have failed. An earlier state that is put back into the solver goes on to the same
 * failure, to the bit. RIA_TEST_DEVICE: "cuda" unless set; on the CPU two numbers of threads
 * are compared. */
#include "state.h"
#include <ria/ria.h>

enum { NX = 97, NY = 61, CELLS = NX * NY };

/* How runs fail. Levels: water 10 m deep, some of which moves east and rises by more than `ceiling`
 * lets it where it meets the wall, 20 s later. Numbers: a spring that bursts; two waves on water so
 * deep that the discharge is out of range where they meet, after some 18 cells each. */
typedef struct ruin {
  const char *name, *says;
  double dt, ceiling;
  double burst; /* when the spring bursts, s; 0: never */
  bool deep;    /* waves on deep water */
  bool driven;  /* by a level on the southern side */
} ruin;

static const char high[] = "the level runs away: it is ";
static const char bad[] = "not a number or out of range: level ";
static const ruin ruins[] = {
    {"two waves, dt set", bad, 3e-10, 0, 0, true, false},
    {"two waves, dt automatic", bad, 0, 0, 0, true, false},
    {"two waves, driven", bad, 3e-10, 0, 0, true, true},
    {"two waves, driven, dt automatic", bad, 0, 0, 0, true, true},
    {"a spring, dt set", bad, 1, 0, 30.5, false, false},
    {"a level, dt set", high, 1, 0.07, 0, false, false},
    {"a level, dt automatic", high, 0, 0.07, 0, false, false},
    {"a level, driven", high, 1, 0.07, 0, false, true},
    {"a level, driven, dt automatic", high, 0, 0.07, 0, false, true},
    {"a level, and a spring after it", high, 1, 1e-25, 14.5, false, false},
};
enum { RUINS = sizeof ruins / sizeof *ruins };

typedef struct report {
  char message[512];
  double time, level[CELLS];
  int64_t steps;
} report;

static void set_waves(ria_context *ctx, ria_sim *sim) {
  static double level[CELLS];
  for (int k = 0; k < CELLS; k++) {
    const double a = (k % NX - 30) / 5.0, b = (k % NX - 66) / 5.0;
    level[k] = 4.5e19 * (exp(-a * a) - exp(-b * b));
  }
  CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -1e20));
  CHECK_OK(ctx, ria_sim_set(sim, "level", level));
}

/* Strongest along one row, so that the highest level is in one cell and not in a row of equals. */
static void set_stream(ria_context *ctx, ria_sim *sim) {
  static double u[CELLS];
  for (int k = 0; k < CELLS; k++) {
    const double off = (k / NX - 20) / 8.0;
    u[k] = k % NX > 50 && k % NX < 77 ? 1 + 0.1 * exp(-off * off) : 0;
  }
  CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -10));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0));
  CHECK_OK(ctx, ria_sim_set(sim, "u", u));
}

static ria_sim *make_water(ria_context *ctx, ria_real real, const ruin *r) {
  const ria_setting params[] = {
      {"dt", r->dt, NULL}, {"ceiling", r->ceiling, NULL}, {"courant", 1.5, NULL}};
  const ria_sim_desc desc = {.solver = "adi",
                             .grid = {NX, NY, 10, 10, 0, 0, 0},
                             .precision = real,
                             .params = params,
                             .n_params = 3};
  ria_sim *sim = NULL;
  if (!CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim))) exit(1);
  if (r->deep)
    set_waves(ctx, sim);
  else
    set_stream(ctx, sim);
  return sim;
}

/* Nothing until t, then v. */
static ria_series *sudden(ria_context *ctx, double t, double v) {
  const ria_table_desc d = {
      .t = (double[]){0, t}, .v = (double[]){0, v}, .n = 2, .interp = RIA_STEP, .hold = true};
  ria_series *series = NULL;
  CHECK_OK(ctx, ria_series_table(ctx, &d, &series));
  return series;
}

static void prepare_ruin(ria_context *ctx, ria_sim *sim, const ruin *r) {
  if (r->burst > 0) {
    ria_series *flow = sudden(ctx, r->burst, 1e34);
    const ria_spill_desc spring = {.x = 405, .y = 205, .has_flow = true, .flow = {.series = flow}};
    CHECK_OK(ctx, ria_sim_spill(sim, &spring, NULL));
    ria_series_destroy(&flow);
  }
  if (!r->driven) return;
  const ria_boundary_desc sea = {.kind = "level",
                                 .side = RIA_SOUTH,
                                 .stretch = true,
                                 .from = {0, 0},
                                 .to = {100, 0},
                                 .values = {{"level", {.constant = 0}}}};
  CHECK_OK(ctx, ria_boundary_add(sim, &sea, NULL));
}

static double end_of(const ruin *r) { return r->deep ? 1e-7 : 1000; }

static report *ruined(const char *where, int threads, ria_real real, const ruin *how) {
  report *r = calloc(1, sizeof *r);
  if (!r) abort();
  ria_context *ctx = test_context(where, threads);
  ria_sim *sim = make_water(ctx, real, how);
  prepare_ruin(ctx, sim, how);
  CHECK_STATUS(ctx, ria_sim_run(sim, end_of(how)), RIA_ERR_NUMERICAL);
  snprintf(r->message, sizeof r->message, "%s", ria_error(ctx));
  r->time = ria_sim_time(sim);
  r->steps = ria_sim_steps(sim);
  CHECK_OK(ctx, ria_sim_get(sim, "level", r->level));
  CHECK_STATUS(ctx, ria_sim_step(sim, 1), RIA_ERR_NUMERICAL);
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
  return r;
}

static void fails_alike(const char *device, ria_real real, const ruin *how) {
  report *r = ruined(device, 2, real, how), *reference = ruined("cpu", 1, real, how);
  printf("%s, %s: %d steps\n  %s\n", how->name, real == RIA_F64 ? "double" : "single",
         (int)r->steps, r->message);
  CHECK_HOLDS(r->message, how->says);
  /* what comes of infinite squares is not the same NaN everywhere */
  const bool told = real == RIA_F64 || how->says == high;
  if (!CHECK(!told || test_alike(r->message, reference->message)))
    fprintf(stderr, "  %s\n  %s\n", r->message, reference->message);
  CHECK_NEAR(r->time, reference->time, 1e-5);
  CHECK_INT(r->steps, reference->steps);
  CHECK(r->steps > 10); /* the engine's spans have 1, 4, 16 steps and more */
  double worst = 0, most = 10;
  for (int k = 0; k < CELLS; k++) {
    CHECK(isfinite(r->level[k])); /* the last good state */
    worst = fmax(worst, fabs(r->level[k] - reference->level[k]));
    most = fmax(most, fabs(reference->level[k]));
  }
  CHECK_NEAR(worst, 0, (real == RIA_F64 ? 1e-12 : 1e-5) * most);
  free(r);
  free(reference);
}

/* In parts: to the bit what the whole grid says and leaves. */
static void fails_in_parts(const char *device, const char *several, ria_real real, const ruin *how,
                           int parts) {
  report *whole = ruined(device, 1, real, how);
  test_parts = parts;
  report *cut = ruined(several, 2, real, how);
  test_parts = 0;
  CHECK_TEXT(cut->message, whole->message);
  CHECK(cut->time == whole->time);
  CHECK_INT(cut->steps, whole->steps);
  CHECK(memcmp(cut->level, whole->level, sizeof whole->level) == 0);
  free(whole);
  free(cut);
}

/* The engine takes no state for a run that failed; its solver takes one, with nothing left of the
 * failure. */
static void put_back(ria_context *ctx, ria_sim *sim, kept *state) {
  const ria_state_walk walk = {.restores = true, .visit = put_item, .user = state};
  CHECK_STATUS(ctx, ria_sim_state(sim, &walk), RIA_ERR_ARGUMENT);
  CHECK_OK(ctx, sim->ops->state(sim->self, &walk));
  CHECK_OK(ctx, sim->ops->progress(sim->self, &sim->at));
  CHECK(sim->at.failure == RIA_OK);
  sim->failed = false;
  sim->edits++;
}

static void goes_on(const char *device, ria_real real, const ruin *how) {
  ria_context *ctx = test_context(device, 2);
  ria_sim *failed = make_water(ctx, real, how), *whole = make_water(ctx, real, how);
  char message[512];
  prepare_ruin(ctx, failed, how);
  prepare_ruin(ctx, whole, how);
  CHECK_OK(ctx, ria_sim_step(whole, 5));
  kept before = state_keep(whole);
  CHECK_STATUS(ctx, ria_sim_run(failed, end_of(how)), RIA_ERR_NUMERICAL);
  put_back(ctx, failed, &before);
  CHECK_OK(ctx, ria_sim_step(failed, 5));
  CHECK_OK(ctx, ria_sim_step(whole, 5));
  kept a = state_keep(failed), b = state_keep(whole);
  state_same(&a, &b, how->name);
  CHECK_STATUS(ctx, ria_sim_run(whole, end_of(how)), RIA_ERR_NUMERICAL);
  snprintf(message, sizeof message, "%s", ria_error(ctx));
  CHECK_FAILS(ctx, ria_sim_run(failed, end_of(how)), RIA_ERR_NUMERICAL, message);
  kept_free(&before);
  kept_free(&a);
  kept_free(&b);
  ria_sim_destroy(&failed);
  ria_sim_destroy(&whole);
  ria_context_destroy(&ctx);
}

int main(void) {
  enum { several_least = 4 }; /* parts: of four GPUs each has one */
  const char *device = test_setting("RIA_TEST_DEVICE", "cuda");
  const char *several = test_setting("RIA_TEST_SEVERAL", device);
  setenv("RIA_CUDA_TWICE", "on", 0);
  for (int k = 0; k < RUINS; k++)
    for (int real = 0; real < (ruins[k].deep ? 1 : 2); real++) /* squares of 1e20 and more */
    {
      fails_alike(device, (ria_real)real, &ruins[k]);
      fails_in_parts("cpu", "cpu", (ria_real)real, &ruins[k], 2 + k);
      if (strncmp(device, "cuda", 4) == 0)
        fails_in_parts(device, several, (ria_real)real, &ruins[k], several_least + k);
      goes_on(device, (ria_real)real, &ruins[k]);
    }
  return TEST_END();
}
