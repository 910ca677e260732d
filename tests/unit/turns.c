/* tests/unit/turns.c - runs by turns: steps are queued, then waited for (ria_sim_queue,
 * ria_sim_wait), so that two simulations work at the same time. They give the bits of each alone.
 * turns_queued.c asks while steps are queued, turns_ends.c ends such runs. */
#include "turns.h"

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

/* --- those that look at one another ----------------------------------------------------------- */

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

int main(void) {
  if (ria_context_create(&(ria_context_desc){.threads = 1}, &ctx) != RIA_OK) return 1;
  two_by_turns();
  meeting();
  sized_when_asked();
  sized_before_gauges();
  left_off();
  event_added();
  event_of_progress();
  ria_context_destroy(&ctx);
  return TEST_END();
}
