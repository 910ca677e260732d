/* tests/unit/turns.c - runs by turns: steps are queued, then waited for (ria_sim_queue,
 * ria_sim_wait), so that two simulations work at the same time. They give the bits of each alone.
 */
#include "base/text.h"
#include "files.h"
#include "toy.h"

static ria_context *ctx;

/* --- a solver on a device: queued steps are taken when somebody waits for them ---------------- */

static struct {
  toy *of; /* NULL: nothing is queued */
  ria_span span;
} queued[2];
static long step_ns;     /* wall time of a step, at least */
static char calls[4096]; /* 'q' or 'w', and the number of the simulation's slot */

static int slot_of(const toy *s) { return queued[0].of == s ? 0 : queued[1].of == s ? 1 : -1; }

static ria_status slow_advance(void *self, const ria_span *span) {
  CHECK(slot_of(self) < 0);
  const int k = queued[0].of ? 1 : 0;
  queued[k].of = self;
  queued[k].span = *span;
  ria_append(calls, sizeof calls, "q%d", k);
  return RIA_OK;
}

static ria_status slow_progress(void *self, ria_progress *out) {
  const int k = slot_of(self);
  if (k >= 0) {
    ria_append(calls, sizeof calls, "w%d", k);
    queued[k].of = NULL;
    nanosleep(&(struct timespec){.tv_nsec = step_ns * (long)queued[k].span.max_steps}, NULL);
    RIA_TRY(toy_advance(self, &queued[k].span));
  }
  return toy_progress(self, out);
}

/* What is asked for must be there. */
static ria_status slow_read(void *self, int field, int tracer, bool maximum, int j0, int nj,
                            ria_real real, void *dst) {
  CHECK(slot_of(self) < 0);
  return toy_read(self, field, tracer, maximum, j0, nj, real, dst);
}
static ria_status slow_sample(void *self, int field, int tracer, int n, const int32_t *cell,
                              double *out) {
  CHECK(slot_of(self) < 0);
  return toy_sample(self, field, tracer, n, cell, out);
}
static ria_status slow_totals(void *self, ria_quantity_totals *totals) {
  CHECK(slot_of(self) < 0);
  return toy_totals(self, totals);
}
static ria_status slow_fluxes(void *self, int n, double *in, double *out) {
  CHECK(slot_of(self) < 0);
  return toy_fluxes(self, n, in, out);
}
static void slow_destroy(void *self) {
  CHECK(slot_of(self) < 0);
  toy_destroy(self);
}

/* --- simulations ------------------------------------------------------------------------------ */

static ria_status pour(ria_sim *sim, const ria_event_info *info, void *user) {
  double level[24];
  (void)info;
  (void)user;
  RIA_TRY(ria_sim_get(sim, "level", level));
  for (int c = 0; c < 24; c++) level[c] += 0.25;
  return ria_sim_set(sim, "level", level);
}

static const ria_solver *slow_toy(void) {
  static ria_solver slow;
  static ria_solver_ops ops;
  ops = toy_ops;
  ops.advance = slow_advance;
  ops.progress = slow_progress;
  ops.read = slow_read;
  ops.sample = slow_sample;
  ops.totals = slow_totals;
  ops.fluxes = slow_fluxes;
  ops.destroy = slow_destroy;
  slow = toy_solver;
  slow.cpu = &ops;
  return &slow;
}

static ria_sim *make_plain(const ria_solver *solver, const ria_setting *set, const char *out) {
  const ria_tracer tracers[] = {{.name = "oil", .decay = 1e-3}};
  const ria_sim_desc d = {.grid = {6, 4, 10.0, 10.0, 100.0, 200.0, 0},
                          .params = set,
                          .n_params = set ? 1 : 0,
                          .tracers = tracers,
                          .n_tracers = 1,
                          .out = out};
  ria_sim *sim = NULL;
  CHECK_OK(ctx, ria_sim_create_with(ctx, solver, &d, &sim));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -2.0));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0.0));
  return sim;
}

/* One that is fed, with a spill, gauges of either kind and an event that changes the level. */
static ria_sim *make(double step, double q, const char *out) {
  const ria_setting set = {.name = "step", .number = step};
  const ria_boundary_desc feed = {.kind = "feed", .side = RIA_WEST, .values = {{"q", {q, NULL}}}};
  const ria_spill_desc spill = {
      .tracer = "oil", .x = 115, .y = 215, .start = 3.3, .duration = 9.1, .mass = 5};
  const ria_gauge_desc pier = {.name = "pier", .x = 105, .y = 215, .every = 0.7};
  const ria_gauge_desc post = {.name = "post", .x = 115, .y = 215, .every = 2.9, .exact = true};
  ria_sim *sim = make_plain(slow_toy(), &set, out);
  CHECK_OK(ctx, ria_boundary_add(sim, &feed, NULL));
  CHECK_OK(ctx, ria_sim_spill(sim, &spill, NULL));
  CHECK_OK(ctx, ria_sim_gauge(sim, &pier, NULL));
  CHECK_OK(ctx, ria_sim_gauge(sim, &post, NULL));
  CHECK_OK(ctx, ria_sim_at(sim, 7.7, &(ria_action){.fn = pour, .phase = RIA_PHASE_CALLBACK}, NULL));
  return sim;
}

/* --- the same bits ---------------------------------------------------------------------------- */

typedef struct outcome {
  double t, level[24], oil[24], pier[64], post[64];
  int64_t steps;
  size_t n_pier, n_post, n_rows;
  ria_budget_row row[4];
} outcome;

static outcome outcome_of(ria_sim *sim) {
  outcome o = {.t = ria_sim_time(sim), .steps = ria_sim_steps(sim), .n_rows = 4};
  const double *t, *v;
  CHECK_OK(ctx, ria_sim_get(sim, "level", o.level));
  CHECK_OK(ctx, ria_sim_get(sim, "oil", o.oil));
  CHECK_OK(ctx, ria_sim_gauge_history(sim, "pier", "level", &t, &v, &o.n_pier));
  memcpy(o.pier, v, o.n_pier * sizeof *v);
  CHECK_OK(ctx, ria_sim_gauge_history(sim, "post", "level", &t, &v, &o.n_post));
  memcpy(o.post, v, o.n_post * sizeof *v);
  CHECK_OK(ctx, ria_sim_budget(sim, o.row, &o.n_rows));
  for (size_t q = 0; q < o.n_rows; q++)
    o.row[q].name = o.row[q].unit = NULL; /* of the simulation */
  return o;
}

static void check_same(const outcome *a, const outcome *b) {
  CHECK(a->t == b->t && a->steps == b->steps && a->n_pier == b->n_pier && a->n_pier > 30);
  CHECK(memcmp(a->level, b->level, sizeof a->level) == 0);
  CHECK(memcmp(a->oil, b->oil, sizeof a->oil) == 0);
  CHECK(memcmp(a->pier, b->pier, sizeof a->pier) == 0);
  CHECK(memcmp(a->post, b->post, sizeof a->post) == 0);
  CHECK(memcmp(a->row, b->row, sizeof a->row) == 0);
}

static outcome alone(double step, double q) {
  ria_sim *sim = make(step, q, NULL);
  CHECK_OK(ctx, ria_sim_run(sim, 30.0));
  const outcome o = outcome_of(sim);
  ria_sim_destroy(&sim);
  return o;
}

static void two_by_turns(void) {
  const outcome first = alone(1.0, 4.0), second = alone(0.3, 7.0);
  ria_sim *sim[2] = {make(1.0, 4.0, NULL), make(0.3, 7.0, NULL)};
  bool over[2] = {false, false};
  calls[0] = '\0';
  while (!over[0] || !over[1]) {
    for (int k = 0; k < 2; k++)
      if (!over[k]) CHECK_OK(ctx, ria_sim_queue(sim[k], 30.0));
    for (int k = 0; k < 2; k++)
      if (!over[k]) CHECK_OK(ctx, ria_sim_wait(sim[k], &over[k]));
  }
  CHECK(strncmp(calls, "q0q1w0w1q0q1w0w1", 16) == 0); /* both step before either is waited for */
  const outcome a = outcome_of(sim[0]), b = outcome_of(sim[1]);
  check_same(&first, &a);
  check_same(&second, &b);
  for (int k = 0; k < 2; k++) {
    ria_summary s;
    CHECK_OK(ctx, ria_sim_summary(sim[k], &s));
    CHECK(s.wall > 0.0 && s.unreached[0] == '\0');
    CHECK_OK(ctx, ria_sim_run(sim[k], 31.0)); /* it may be run on */
    ria_sim_destroy(&sim[k]);
  }
}

/* --- those that look at one another ------------------------------------------------------------
 */

typedef struct sight {
  ria_sim *at;
  double t, level[24];
} sight;

static ria_status look(ria_sim *sim, const ria_event_info *info, void *user) {
  sight *s = user;
  (void)sim;
  (void)info;
  CHECK(!s->at->run.stepping);
  s->t = ria_sim_time(s->at);
  return ria_sim_get(s->at, "level", s->level);
}

/* Both to their end, in batches of so many steps. */
static void meet_to_end(ria_sim *sim[2], bool over[2], int64_t batch) {
  while (!over[0] || !over[1]) {
    double t = INFINITY, next;
    for (int k = 0; k < 2; k++)
      if (!over[k]) CHECK_OK(ctx, ria_sim_due(sim[k], 30.0, &next)), t = fmin(t, next);
    for (bool some = true; some;) {
      bool go[2];
      some = false;
      for (int k = 0; k < 2; k++) {
        go[k] = !over[k] && !ria_sim_met(sim[k], t);
        sim[k]->run.batch = batch;
        if (go[k]) CHECK_OK(ctx, ria_sim_queue_before(sim[k], 30.0, t));
        some |= go[k];
      }
      for (int k = 0; k < 2; k++)
        if (go[k]) CHECK_OK(ctx, ria_sim_wait(sim[k], &over[k]));
    }
  }
}

/* Where the other stands when a callback is called is its last step before that time, however many
 * steps a batch has; no step is shortened for it. */
static void meeting(void) {
  const outcome whole = alone(0.3, 7.0);
  sight seen[2];
  for (int n = 0; n < 2; n++) {
    ria_sim *sim[2] = {make(1.0, 4.0, NULL), make(0.3, 7.0, NULL)};
    bool over[2] = {false, false};
    seen[n] = (sight){.at = sim[1], .t = -1.0};
    const ria_action action = {.fn = look, .user = &seen[n], .phase = RIA_PHASE_CALLBACK};
    CHECK_OK(ctx, ria_sim_at(sim[0], 10.05, &action, NULL));
    meet_to_end(sim, over, n == 0 ? 1 : 24);
    const outcome o = outcome_of(sim[1]);
    check_same(&whole, &o);
    CHECK(seen[n].t < 10.05 && seen[n].t >= 10.05 - 0.3);
    for (int k = 0; k < 2; k++) ria_sim_destroy(&sim[k]);
  }
  CHECK(seen[0].t == seen[1].t);
  CHECK(memcmp(seen[0].level, seen[1].level, sizeof seen[0].level) == 0);
}

/* --- while steps are under way ---------------------------------------------------------------- */

static void between(void) {
  ria_sim *sim = make(1.0, 4.0, NULL);
  double v[24];
  bool over = true;
  ria_handle late = 0;
  CHECK_FAILS(ctx, ria_sim_wait(sim, NULL), RIA_ERR_ARGUMENT,
              "there are no steps to wait for: queue some first (ria_sim_queue)");
  CHECK_OK(ctx, ria_sim_queue(sim, 30.0));
  CHECK(sim->run.stepping && ria_sim_time(sim) == 0.0);
  CHECK_FAILS(ctx, ria_sim_queue(sim, 30.0), RIA_ERR_ARGUMENT,
              "steps are queued already: wait for them first (ria_sim_wait)");
  CHECK_FAILS(ctx, ria_sim_run(sim, 30.0), RIA_ERR_ARGUMENT,
              "a simulation cannot be run while its run to t = 30 s is under way: go on with "
              "ria_sim_queue and ria_sim_wait until it is over");
  CHECK_STATUS(ctx, ria_sim_step(sim, 1), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_advance(sim, 1.0), RIA_ERR_ARGUMENT);
  CHECK_FAILS(ctx, ria_sim_set_constant(sim, "level", 1.0), RIA_ERR_ARGUMENT,
              "'level' cannot be set while steps are under way: wait for them first "
              "(ria_sim_wait)");
  CHECK(sim->run.stepping);
  CHECK_OK(ctx, ria_sim_get(sim, "level", v)); /* waits */
  CHECK(!sim->run.stepping);
  CHECK_STATUS(ctx, ria_sim_set_constant(sim, "level", 1.0), RIA_ERR_ARGUMENT);
  CHECK_OK(ctx, ria_sim_wait(sim, &over));
  CHECK(!over);
  CHECK_FAILS(ctx, ria_sim_queue(sim, 20.0), RIA_ERR_ARGUMENT,
              "a run to t = 30 s is under way: it cannot be one to 20 s before it is over");
  CHECK_OK(ctx, ria_sim_queue(sim, 30.0));
  CHECK_FAILS(ctx, ria_sim_at(sim, 0.1, &(ria_action){.fn = pour}, &late), RIA_ERR_ARGUMENT,
              "an event at 0.1 s: it must be at or after the present, 1 s");
  CHECK_OK(ctx, ria_sim_wait(sim, &over));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 1.0)); /* between two turns */
  CHECK_OK(ctx, ria_sim_queue(sim, 30.0));
  ria_sim_destroy(&sim); /* waits for what is queued */
}

/* After a step of 1 s, 84 are queued when this returns. */
static void queue_many(ria_sim *sim) {
  CHECK_OK(ctx, ria_sim_queue(sim, 1000.0));
  CHECK_OK(ctx, ria_sim_wait(sim, NULL));
  sim->run.batch = 84;
  CHECK_OK(ctx, ria_sim_queue(sim, 1000.0));
  CHECK(sim->run.stepping && ria_sim_time(sim) == 1.0);
}

/* What a spill has released includes what it gives in the steps that are queued. */
static void spilling(bool cancel) {
  const ria_spill_desc leak = {.tracer = "oil", .x = 115, .y = 215, .rate = {1.0, NULL}};
  ria_sim *sim = make_plain(slow_toy(), NULL, NULL);
  ria_budget_row row[4];
  ria_handle handle = 0;
  double released = 0.0;
  size_t n = 4;
  CHECK_OK(ctx, ria_sim_spill(sim, &leak, &handle));
  queue_many(sim);
  if (cancel) CHECK_OK(ctx, ria_sim_cancel(sim, handle));
  CHECK_OK(ctx, ria_sim_spill_released(sim, handle, &released));
  CHECK(!sim->run.stepping && ria_sim_time(sim) == 85.0);
  CHECK_OK(ctx, ria_sim_wait(sim, NULL));
  CHECK_OK(ctx, ria_sim_budget(sim, row, &n));
  CHECK_NEAR(row[1].sources, 85.0, 1e-9);
  CHECK_NEAR(released, 85.0, 1e-9);
  ria_sim_destroy(&sim);
}

/* The value of a parameter that follows a series is that after the steps. */
static void varying(void) {
  ria_param_info table[sizeof toy_param_table / sizeof *toy_param_table];
  memcpy(table, toy_param_table, sizeof table);
  table[1].type = RIA_VARYING; /* fail_at */
  ria_solver solver = *slow_toy();
  solver.params = table;
  const double t[] = {0.0, 1000.0}, v[] = {0.0, 2000.0};
  ria_series *twice = NULL;
  double now = 0.0;
  CHECK_OK(ctx, ria_series_table(ctx, &(ria_table_desc){.t = t, .v = v, .n = 2}, &twice));
  ria_sim *sim = make_plain(&solver, NULL, NULL);
  CHECK_OK(ctx, ria_sim_vary(sim, "fail_at", &(ria_value){.series = twice}));
  queue_many(sim);
  CHECK_OK(ctx, ria_sim_param(sim, "fail_at", &now));
  CHECK(!sim->run.stepping);
  CHECK_NEAR(now, 2.0 * 85.0, 1e-9);
  ria_sim_destroy(&sim);
  ria_series_destroy(&twice);
}

static ria_status never(ria_sim *sim, const ria_event_info *info, void *user, bool *out) {
  (void)sim;
  (void)info;
  (void)user;
  *out = false;
  return RIA_OK;
}

enum { ASKS = 9 };

static ria_status ask(ria_sim *sim, int k) {
  const ria_action act = {.fn = pour, .phase = RIA_PHASE_CALLBACK};
  const ria_gauge_desc quay = {.name = "quay", .x = 105, .y = 225, .every = 1000.0};
  double v[24], out;
  ria_summary summary;
  ria_stats stats;
  ria_budget_row row[4];
  size_t n = 4;
  switch (k) {
  case 0:
    return ria_sim_every(sim, 1000.0, -1.0, 0.0, &act, NULL);
  case 1:
    return ria_sim_when(sim, never, 1000.0, false, &act, NULL);
  case 2:
    return ria_sim_gauge(sim, &quay, NULL);
  case 3:
    return ria_sim_budget(sim, row, &n);
  case 4:
    return ria_sim_summary(sim, &summary);
  case 5:
    return ria_sim_stats(sim, "level", &stats);
  case 6:
    return ria_sim_track_maximum(sim, "level");
  case 7:
    return ria_sim_probe(sim, "level", 105, 205, v);
  default:
    return ria_boundary_flux(sim, 1, "stuff", v, &out);
  }
}

/* Whatever asks for the state, or begins at the present time, waits for the steps first. */
static void asking(void) {
  const ria_boundary_desc wall = {.kind = "closed", .side = RIA_WEST};
  for (int k = 0; k < ASKS; k++) {
    ria_sim *sim = make_plain(slow_toy(), NULL, NULL);
    CHECK_OK(ctx, ria_boundary_add(sim, &wall, NULL));
    CHECK_OK(ctx, ria_sim_queue(sim, 30.0));
    CHECK_OK(ctx, ask(sim, k));
    if (!CHECK(!sim->run.stepping && ria_sim_time(sim) > 0.0)) fprintf(stderr, "  ask %d\n", k);
    CHECK_OK(ctx, ria_sim_wait(sim, NULL));
    ria_sim_destroy(&sim);
  }
}

/* Batches are sized by how long their steps take, also where a question in between waits for them:
 * of 5 ms no more than 24 steps are queued at once. */
static void sized_when_asked(void) {
  ria_sim *sim = make_plain(slow_toy(), NULL, NULL);
  double v[24];
  step_ns = 5000000;
  for (int k = 0; k < 4; k++) {
    CHECK_OK(ctx, ria_sim_queue(sim, 1000.0));
    CHECK_OK(ctx, ria_sim_get(sim, "level", v));
    CHECK_OK(ctx, ria_sim_wait(sim, NULL));
    CHECK(sim->run.batch <= 24);
  }
  step_ns = 0;
  ria_sim_destroy(&sim);
}

/* A span that ends before the time of a gauge makes a batch that lasts too long shorter, too. */
static void sized_before_gauges(void) {
  ria_sim *sim = make_plain(slow_toy(), NULL, NULL);
  const ria_gauge_desc pier = {.name = "pier", .x = 105, .y = 215, .every = 3.5};
  CHECK_OK(ctx, ria_sim_gauge(sim, &pier, NULL));
  CHECK_OK(ctx, ria_sim_queue(sim, 1000.0));
  CHECK_OK(ctx, ria_sim_wait(sim, NULL));
  sim->run.batch = 60;
  step_ns = 5000000;
  CHECK_OK(ctx, ria_sim_queue(sim, 1000.0));
  CHECK_OK(ctx, ria_sim_wait(sim, NULL));
  step_ns = 0;
  CHECK(ria_sim_time(sim) == 3.0 && sim->run.batch <= 24);
  ria_sim_destroy(&sim);
}

/* A run that is left off, with steps queued, may be gone on with: no gauge was stepped over. */
static void left_off(void) {
  ria_sim *sim = make(1.0, 4.0, NULL);
  const outcome whole = alone(1.0, 4.0);
  bool over = false;
  for (int k = 0; k < 40 && !over; k++) {
    CHECK_OK(ctx, ria_sim_queue(sim, 30.0));
    if (k % 3 == 2)
      CHECK_OK(ctx, ria_sim_finish(sim));
    else
      CHECK_OK(ctx, ria_sim_wait(sim, &over));
  }
  CHECK_OK(ctx, ria_sim_run(sim, 30.0));
  const outcome parts = outcome_of(sim);
  check_same(&whole, &parts);
  ria_sim_destroy(&sim);
}

static ria_status note_time(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  *(double *)user = ria_sim_time(sim);
  return RIA_OK;
}

/* An event that comes in between, before the end of the span that is under way, is landed on. */
static void event_added(void) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  double at = -1.0;
  bool over = false;
  CHECK_OK(ctx, ria_sim_queue(sim, 1000.0));
  CHECK_OK(ctx, ria_sim_wait(sim, &over));
  CHECK(ria_sim_time(sim) == 1.0);
  CHECK_OK(ctx, ria_sim_at(sim, 1.5, &(ria_action){.fn = note_time, .user = &at}, NULL));
  while (!over) {
    CHECK_OK(ctx, ria_sim_queue(sim, 1000.0));
    CHECK_OK(ctx, ria_sim_wait(sim, &over));
  }
  CHECK(at == 1.5 && ria_sim_time(sim) == 1000.0);
  ria_sim_destroy(&sim);
}

static double progress_event_at;
static ria_status add_event(ria_sim *sim, const ria_progress_info *info, void *user) {
  (void)user;
  if (info->steps != 1) return RIA_OK;
  const ria_action note = {.fn = note_time, .user = &progress_event_at};
  return ria_sim_at(sim, info->t + 0.5, &note, NULL);
}

static void event_of_progress(void) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  CHECK_OK(ctx, ria_sim_on_progress(sim, 0.0, add_event, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 100.0));
  CHECK(progress_event_at == 1.5);
  ria_sim_destroy(&sim);
}

/* --- ends ------------------------------------------------------------------------------------- */

static bool file_has(const char *path, const char *text) {
  char got[16384];
  FILE *f = fopen(path, "rb");
  const size_t n = f ? fread(got, 1, sizeof got - 1, f) : 0;
  if (f) fclose(f);
  got[n] = '\0';
  return strstr(got, text) != NULL;
}

/* The closing outputs are written by the wait that says that the run is over. */
static void closing(void) {
  char out[320];
  snprintf(out, sizeof out, "%s", files_path("turns"));
  ria_sim *sim = make(1.0, 4.0, out);
  bool over = false;
  const char *json = files_path("turns/run.json");
  while (!over) {
    CHECK_OK(ctx, ria_sim_queue(sim, 10.0));
    CHECK(file_has(json, "\"status\": \"running\""));
    CHECK_OK(ctx, ria_sim_wait(sim, &over));
  }
  CHECK(file_has(json, "\"status\": \"ok\"") && file_has(json, "\"time_s\": 10"));
  CHECK_STATUS(ctx, ria_sim_wait(sim, &over), RIA_ERR_ARGUMENT);
  ria_sim_destroy(&sim);
}

static void failing(void) {
  char out[320];
  snprintf(out, sizeof out, "%s", files_path("failing"));
  const ria_setting fail = {.name = "fail_at", .number = 4.5};
  ria_sim *sim = toy_sim(ctx, &fail, 1, out);
  ria_status s = RIA_OK;
  bool over = false;
  while (s == RIA_OK && !over) {
    s = ria_sim_queue(sim, 10.0);
    if (s == RIA_OK) s = ria_sim_wait(sim, &over);
  }
  CHECK(s == RIA_ERR_NUMERICAL && over && !sim->run.under_way);
  CHECK_TEXT(ria_error(ctx), "depth is NaN in cell (2, 1) at (125, 215), t = 5 s");
  CHECK(file_has(files_path("failing/run.json"), "\"status\": \"numerical\""));
  CHECK_FAILS(ctx, ria_sim_queue(sim, 10.0), RIA_ERR_NUMERICAL,
              "the simulation failed at t = 5 s: it can be read, not run on");
  ria_sim_destroy(&sim);
}

/* Steps that fail while they are queued: finish tells it, and run.json does, whatever ends them. */
static void failing_unwaited(bool finish, const char *name) {
  char out[320], json[400];
  snprintf(out, sizeof out, "%s", files_path(name));
  snprintf(json, sizeof json, "%s/run.json", out);
  ria_sim *sim = make_plain(slow_toy(), &(ria_setting){.name = "fail_at", .number = 0.5}, out);
  CHECK_OK(ctx, ria_sim_queue(sim, 10.0));
  if (finish) {
    CHECK_FAILS(ctx, ria_sim_finish(sim), RIA_ERR_NUMERICAL,
                "depth is NaN in cell (2, 1) at (125, 215), t = 1 s");
    CHECK(file_has(json, "\"status\": \"numerical\"") && !sim->run.under_way);
    CHECK_OK(ctx, ria_sim_finish(sim)); /* nothing is left to do */
  }
  ria_sim_destroy(&sim);
  CHECK(file_has(json, "\"status\": \"numerical\"") && file_has(json, "depth is NaN in cell"));
}

/* One that ends because another did says so, wherever its steps are; its own failure comes first.
 */
static void broken_off(void) {
  static const char why[] = "ended with its neighbour";
  char out[320];
  for (int turns = 0; turns < 2; turns++) {
    snprintf(out, sizeof out, "%s", files_path(turns ? "broken" : "queued"));
    ria_sim *sim = make_plain(slow_toy(), NULL, out);
    CHECK_OK(ctx, ria_sim_queue(sim, 10.0));
    if (turns > 0) CHECK_OK(ctx, ria_sim_wait(sim, NULL));
    CHECK_FAILS(ctx, ria_sim_break_off(sim, why), RIA_INTERRUPTED, why);
    strcat(out, "/run.json");
    CHECK(file_has(out, "\"status\": \"interrupted\"") &&
          file_has(out, "\"error\": \"ended with its neighbour\""));
    CHECK_OK(ctx, ria_sim_break_off(sim, why)); /* nothing is left to break off */
    CHECK(file_has(out, "\"status\": \"interrupted\"") && ria_sim_time(sim) == 1.0);
    CHECK_OK(ctx, ria_sim_run(sim, 10.0)); /* it may be run on */
    CHECK(file_has(out, "\"status\": \"ok\""));
    ria_sim_destroy(&sim);
  }
  ria_sim *sim = make_plain(slow_toy(), &(ria_setting){.name = "fail_at", .number = 0.5}, NULL);
  CHECK_OK(ctx, ria_sim_queue(sim, 10.0));
  CHECK_FAILS(ctx, ria_sim_break_off(sim, why), RIA_ERR_NUMERICAL,
              "depth is NaN in cell (2, 1) at (125, 215), t = 1 s");
  ria_sim_destroy(&sim);
}

static void stopping(void) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  bool over = false;
  CHECK_OK(ctx, ria_sim_queue(sim, 1e6));
  CHECK_OK(ctx, ria_sim_wait(sim, &over));
  ria_sim_stop(sim);
  CHECK_OK(ctx, ria_sim_queue(sim, 1e6));
  CHECK_OK(ctx, ria_sim_wait(sim, &over));
  CHECK(over && ria_sim_steps(sim) == 1);
  CHECK_OK(ctx, ria_sim_queue(sim, 1e6));
  ria_sim_interrupt(sim);
  CHECK_OK(ctx, ria_sim_wait(sim, &over));
  CHECK_FAILS(ctx, ria_sim_queue(sim, 1e6), RIA_INTERRUPTED, "interrupted at t = 5 s");
  CHECK_OK(ctx, ria_sim_queue(sim, 8.0)); /* that run is over: another begins */
  CHECK_OK(ctx, ria_sim_finish(sim));     /* ends it */
  CHECK_OK(ctx, ria_sim_run(sim, 10.0));
  CHECK_OK(ctx, ria_sim_queue(sim, 20.0));
  ria_sim_interrupt(sim);
  CHECK_OK(ctx, ria_sim_finish(sim)); /* an interrupt does not outlive its run */
  CHECK_OK(ctx, ria_sim_run(sim, 30.0));
  ria_sim_destroy(&sim);
}

int main(void) {
  files_begin();
  if (ria_context_create(&(ria_context_desc){.threads = 1}, &ctx) != RIA_OK) return 1;
  two_by_turns();
  meeting();
  between();
  spilling(true);
  spilling(false);
  asking();
  varying();
  sized_when_asked();
  sized_before_gauges();
  left_off();
  event_added();
  event_of_progress();
  closing();
  failing();
  failing_unwaited(true, "finished");
  failing_unwaited(false, "destroyed");
  broken_off();
  stopping();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
