/* tests/unit/turns.h - what the tests of runs by turns share: a toy that steps when somebody waits
 * for it, simulations of it, and what they come to. */
#ifndef UNIT_TURNS_H
#define UNIT_TURNS_H
#include "base/text.h"
#include "toy.h"
#include <time.h>

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

/* --- what a run comes to ---------------------------------------------------------------------- */

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

TEST_UNUSED static void check_same(const outcome *a, const outcome *b) {
  CHECK(a->t == b->t && a->steps == b->steps && a->n_pier == b->n_pier && a->n_pier > 30);
  CHECK(memcmp(a->level, b->level, sizeof a->level) == 0);
  CHECK(memcmp(a->oil, b->oil, sizeof a->oil) == 0);
  CHECK(memcmp(a->pier, b->pier, sizeof a->pier) == 0);
  CHECK(memcmp(a->post, b->post, sizeof a->post) == 0);
  CHECK(memcmp(a->row, b->row, sizeof a->row) == 0);
}

TEST_UNUSED static outcome alone(double step, double q) {
  ria_sim *sim = make(step, q, NULL);
  CHECK_OK(ctx, ria_sim_run(sim, 30.0));
  const outcome o = outcome_of(sim);
  ria_sim_destroy(&sim);
  return o;
}

#endif
