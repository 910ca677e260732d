/* tests/unit/gauges.c - gauges between steps: no step is shortened for them, and each row is linear
 * in time between the states before and after. */
#include "files.h"
#include "toy.h"

static ria_context *ctx;

/* Stuff flows in at the western side: 4 cells of 100 m2 there rise by 0.01 m/s. */
static const double rise = 0.01;

static ria_sim *rising_by(double step, const char *out) {
  ria_sim *sim = toy_sim(ctx, &(ria_setting){.name = "step", .number = step}, 1, out);
  const ria_boundary_desc feed = {
      .kind = "feed", .side = RIA_WEST, .values = {{"q", {.constant = 4.0}}}};
  CHECK_OK(ctx, ria_boundary_add(sim, &feed, NULL));
  return sim;
}

static ria_sim *rising(const char *out) { return rising_by(1.0, out); }

static ria_handle gauge(ria_sim *sim, const char *name, double every, bool exact) {
  ria_handle handle = 0;
  const ria_gauge_desc d = {.name = name, .x = 105, .y = 215, .every = every, .exact = exact};
  CHECK_OK(ctx, ria_sim_gauge(sim, &d, &handle));
  return handle;
}

/* n rows every `every` from 0 on, of a level that rises evenly. */
static void check_rising(ria_sim *sim, const char *name, double every, size_t n) {
  const double *t, *v;
  size_t rows = 0;
  CHECK_OK(ctx, ria_sim_gauge_history(sim, name, "level", &t, &v, &rows));
  CHECK_INT(rows, n);
  for (size_t k = 0; k < rows; k++) {
    CHECK_NEAR(t[k], (double)k * every, 4e-15 * (double)k * every);
    CHECK_NEAR(v[k], rise * t[k], 1e-13);
  }
}

static void shortens_nothing(void) {
  ria_sim *sim = rising(NULL);
  const toy *s = sim->self;
  gauge(sim, "often", 0.3, false);
  gauge(sim, "pier", 2.5, false);
  CHECK_OK(ctx, ria_sim_run(sim, 10.0));
  CHECK_INT(sim->at.steps, 10);
  check_rising(sim, "often", 0.3, 34);
  check_rising(sim, "pier", 2.5, 5);
  /* Each state is looked at once by each: 11 of one, and of the other the first, the last, and two
   * each for 2.5, 5 and 7.5; 3 fields. */
  CHECK_INT(s->sampled, 3 * (11 + 2 + 6));
  ria_sim_destroy(&sim);
}

/* Calls of the solver, and looks at it, for a time that lies among many steps. */
static void few_calls(void) {
  ria_sim *sim = rising(NULL);
  const toy *s = sim->self;
  gauge(sim, "pier", 100.5, false);
  CHECK_OK(ctx, ria_sim_run(sim, 1000.0));
  sim->run.batch = 1 << 20; /* as they grow to be, however busy the machine */
  const int advanced = s->advanced, sampled = s->sampled;
  CHECK_OK(ctx, ria_sim_step(sim, 1000));
  CHECK_INT(sim->at.steps, 2000);
  CHECK(s->advanced - advanced <= 2 * 10 + 2); /* to the time, over it; and the rest */
  CHECK_INT(s->sampled - sampled, 3 * 2 * 10);
  check_rising(sim, "pier", 100.5, 20);
  ria_sim_destroy(&sim);
}

/* Batches grow where a gauge waits for every step, too: a batch of one is one that outputs did not
 * shorten. */
static void batches_grow(void) {
  ria_sim *sim = rising(NULL);
  gauge(sim, "often", 0.3, false);
  CHECK_OK(ctx, ria_sim_run(sim, 10.0));
  CHECK(sim->run.batch > 1);
  ria_sim_destroy(&sim);
}

static void lands_if_asked(void) {
  ria_sim *sim = rising(files_path("exact"));
  gauge(sim, "rough", 2.5, false);
  gauge(sim, "fine", 2.5, true);
  CHECK_OK(ctx, ria_sim_run(sim, 10.0));
  CHECK_INT(sim->at.steps, 12); /* 1 1 0.5 1 1 0.5 ... */
  check_rising(sim, "rough", 2.5, 5);
  check_rising(sim, "fine", 2.5, 5);
  CHECK(ria_file_exists(files_path("exact/gauges.csv")));
  CHECK(ria_file_exists(files_path("exact/gauges_2.5s_2.csv")));
  ria_sim_destroy(&sim);
}

/* However a run is cut into steps, rows are the same to the bit. */
static void cut_up(void) {
  ria_sim *whole = rising(NULL), *cut = rising(NULL);
  const double *t[2], *v[2];
  size_t n[2];
  gauge(whole, "pier", 0.7, false);
  gauge(cut, "pier", 0.7, false);
  CHECK_OK(ctx, ria_sim_run(whole, 20.0));
  for (int k = 0; k < 4; k++) CHECK_OK(ctx, ria_sim_step(cut, 1 + k));
  CHECK_OK(ctx, ria_sim_run(cut, 20.0));
  CHECK_OK(ctx, ria_sim_gauge_history(whole, "pier", "oil", &t[0], &v[0], &n[0]));
  CHECK_OK(ctx, ria_sim_gauge_history(cut, "pier", "oil", &t[1], &v[1], &n[1]));
  CHECK(n[0] == 29 && n[1] == 29);
  CHECK(memcmp(v[0], v[1], 29 * sizeof(double)) == 0);
  CHECK(memcmp(t[0], t[1], 29 * sizeof(double)) == 0);
  ria_sim_destroy(&whole);
  ria_sim_destroy(&cut);
}

/* A run that stops between two times goes on with the next. */
static void stops_between(void) {
  ria_sim *sim = rising(NULL);
  gauge(sim, "pier", 2.0, false);
  CHECK_OK(ctx, ria_sim_run(sim, 3.5));
  check_rising(sim, "pier", 2.0, 2);
  CHECK_OK(ctx, ria_sim_run(sim, 7.9));
  check_rising(sim, "pier", 2.0, 4);
  CHECK_OK(ctx, ria_sim_run(sim, 8.0));
  check_rising(sim, "pier", 2.0, 5);
  CHECK_OK(ctx, ria_sim_run(sim, 8.0));
  check_rising(sim, "pier", 2.0, 5);
  ria_sim_destroy(&sim);
}

static ria_status raise_level(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  (void)user;
  return ria_sim_set_constant(sim, "level", 5.0);
}

/* Where an event lands on a time, the row is of the state after it; rows before are of what was
 * there, rows after begin with what it left. */
static void events(void) {
  ria_sim *sim = rising(NULL);
  const ria_action raise = {.fn = raise_level, .phase = RIA_PHASE_CALLBACK};
  const double *t, *v;
  size_t n = 0;
  gauge(sim, "pier", 0.4, false);
  CHECK_OK(ctx, ria_sim_at(sim, 2.8, &raise, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 4.0));
  CHECK_INT(sim->at.steps, 5); /* to 1, 2, 2.8, 3.8, 4 */
  CHECK_OK(ctx, ria_sim_gauge_history(sim, "pier", "level", &t, &v, &n));
  CHECK_INT(n, 11);
  for (size_t k = 0; k < n; k++)
    CHECK_NEAR(v[k], k < 7 ? rise * t[k] : 5.0 + rise * (t[k] - 2.8), 1e-13);
  CHECK(v[7] == 5.0);
  ria_sim_destroy(&sim);
}

/* Dry ground has no level: of a dry and a wet state the nearer counts. */
static void dry_ground(void) {
  ria_sim *sim = rising(NULL);
  const double *t, *v;
  size_t n = 0;
  double bed[24];
  for (int c = 0; c < 24; c++) bed[c] = 0.0;
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "depth", 0.0));
  gauge(sim, "bank", 0.25, false);
  CHECK_OK(ctx, ria_sim_run(sim, 2.0)); /* 0, 0.01 m (dry still) and 0.02 m */
  CHECK_OK(ctx, ria_sim_gauge_history(sim, "bank", "level", &t, &v, &n));
  CHECK_INT(n, 9);
  for (size_t k = 0; k < n; k++) CHECK_NEAR(v[k], k < 6 ? NAN : 0.02, 1e-15);
  ria_sim_destroy(&sim);
}

static void cancelled(void) {
  ria_sim *sim = rising(NULL);
  const toy *s = sim->self;
  const double *t, *v;
  size_t n = 0;
  const ria_handle one = gauge(sim, "one", 0.5, false), two = gauge(sim, "two", 0.5, false);
  CHECK_OK(ctx, ria_sim_step(sim, 2));
  CHECK_OK(ctx, ria_sim_cancel(sim, one));
  CHECK_OK(ctx, ria_sim_step(sim, 1));
  CHECK_OK(ctx, ria_sim_gauge_history(sim, "one", "level", &t, &v, &n));
  CHECK_INT(n, 7);
  for (size_t k = 0; k < n; k++) CHECK_NEAR(v[k], k < 5 ? rise * t[k] : NAN, 1e-13);
  check_rising(sim, "two", 0.5, 7);
  CHECK_OK(ctx, ria_sim_cancel(sim, two));
  const int sampled = s->sampled;
  CHECK_OK(ctx, ria_sim_run(sim, 9.0));
  CHECK_INT(s->sampled, sampled);
  CHECK_OK(ctx, ria_sim_gauge_history(sim, "two", "level", &t, &v, &n));
  CHECK_INT(n, 7);
  ria_sim_destroy(&sim);
}

/* A gauge that is added in mid-run: from the next multiple of its period on. */
static void added_later(void) {
  ria_sim *sim = rising(NULL);
  const double *t, *v;
  size_t n = 0;
  CHECK_OK(ctx, ria_sim_run(sim, 2.2));
  gauge(sim, "late", 0.5, false);
  CHECK_OK(ctx, ria_sim_run(sim, 4.0));
  CHECK_OK(ctx, ria_sim_gauge_history(sim, "late", "level", &t, &v, &n));
  CHECK_INT(n, 4);
  for (size_t k = 0; k < n; k++) {
    CHECK_NEAR(t[k], 2.5 + 0.5 * (double)k, 1e-15);
    CHECK_NEAR(v[k], rise * t[k], 1e-13);
  }
  ria_sim_destroy(&sim);
}

/* Steps whose sum falls a last place short of a time, or exceeds it by one, are at it. */
static void beside_a_step(void) {
  ria_sim *sim = rising_by(0.1, NULL);
  gauge(sim, "pier", 0.5, false);
  CHECK_OK(ctx, ria_sim_step(sim, 10));
  CHECK(ria_sim_time(sim) < 1.0); /* 0.9999999999999999 */
  check_rising(sim, "pier", 0.5, 3);
  CHECK_OK(ctx, ria_sim_step(sim, 40));
  CHECK_INT(sim->at.steps, 50);
  check_rising(sim, "pier", 0.5, 11);
  ria_sim_destroy(&sim);
}

/* A solver that does not heed what it is to watch is told so, not believed. */
static void heedless(void) {
  ria_sim *sim = rising(NULL);
  ((toy *)sim->self)->heedless = true;
  gauge(sim, "pier", 1.5, false);
  CHECK_FAILS(ctx, ria_sim_run(sim, 4.0), RIA_ERR_NUMERICAL,
              "solver 'toy' stepped over t = 1.5 s, which it was to watch");
  ria_sim_destroy(&sim);
}

/* An interval that is no time at all beside the step ends the run with a reason, not all day
 * later. */
static void too_often(void) {
  ria_sim *sim = rising(NULL);
  gauge(sim, "pier", 1e-9, false);
  CHECK_FAILS(
      ctx, ria_sim_run(sim, 4.0), RIA_ERR_ARGUMENT,
      "gauges.csv: every 1e-09 s a row, more than 1000000 between two steps (at t = 1 s dt is "
      "1 s): give a longer `every`, or bound the step");
  /* who goes on all the same gets one row, not those that were refused */
  const double *t, *v;
  size_t n = 0;
  CHECK(ria_sim_run(sim, 4.0) == RIA_ERR_ARGUMENT && sim->at.t == 2.0);
  CHECK_OK(ctx, ria_sim_gauge_history(sim, "pier", "level", &t, &v, &n));
  CHECK_INT(n, 2);
  ria_sim_destroy(&sim);
  sim = rising(NULL);
  gauge(sim, "pier", 5e-6, false); /* as many as a step of two days has of a second */
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  ria_sim_destroy(&sim);
}

int main(void) {
  files_begin();
  if (ria_context_create(&(ria_context_desc){.threads = 1}, &ctx) != RIA_OK) return 1;
  shortens_nothing();
  few_calls();
  batches_grow();
  lands_if_asked();
  cut_up();
  stops_between();
  events();
  dry_ground();
  cancelled();
  added_later();
  beside_a_step();
  heedless();
  too_often();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
