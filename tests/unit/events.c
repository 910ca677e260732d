/* tests/unit/events.c - the queue: exact times, order, cancelling, conditions, errors. */
#include "toy.h"

/* What ran, as letters, with the times of the last ones. */
typedef struct journal {
  char text[256];
  double t[256];
  int64_t k[256];
  int n, dropped;
  char letter;
  ria_handle cancel; /* to cancel when it runs */
  double again;      /* schedule `next` at this time when it runs, once */
  struct journal *next;
  ria_phase next_phase;
  ria_status fail, got;
  int (*action)(ria_sim *sim, struct journal *j);
  struct journal *log; /* where to write */
} journal;

static ria_status note(ria_sim *sim, const ria_event_info *info, void *user) {
  journal *j = user, *log = j->log ? j->log : j;
  log->text[log->n] = j->letter ? j->letter : 'x';
  log->t[log->n] = info->t;
  log->k[log->n++] = info->k;
  CHECK(info->t == ria_sim_time(sim) && info->handle > 0);
  if (j->cancel) {
    j->got = ria_sim_cancel(sim, j->cancel == -1 ? info->handle : j->cancel);
    j->cancel = 0;
  }
  if (j->next) {
    ria_action a = {.fn = note, .user = j->next, .phase = j->next_phase};
    CHECK_OK(ria_sim_context(sim), ria_sim_at(sim, j->again, &a, NULL));
    j->next = NULL;
  }
  if (j->action) j->action(sim, j);
  if (j->fail) return ria_fail(ria_sim_context(sim), j->fail, "told to fail");
  return RIA_OK;
}

static void drop(void *user) { ((journal *)user)->dropped++; }

static void times_are_exact(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  journal a = {.letter = 'a'};
  ria_action act = {.fn = note, .user = &a, .drop = drop, .phase = RIA_PHASE_CALLBACK};
  CHECK_OK(ctx, ria_sim_every(sim, 0.1, 0.0, 0.3, &act, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 0.3));
  CHECK_INT(a.n, 4);
  for (int k = 0; k < 3; k++) CHECK(a.t[k] == k * 0.1 && a.k[k] == k);
  CHECK(a.t[3] == 0.3); /* the run ends there: 3 * 0.1 is the next double, and the same time */
  CHECK_INT(a.dropped, 1);
  CHECK_INT(ria_sim_steps(sim), 3);
  ria_sim_destroy(&sim);
  CHECK_INT(a.dropped, 1);

  sim = toy_sim(ctx, NULL, 0, NULL);
  journal b = {.letter = 'b'};
  act.user = &b;
  CHECK_OK(ctx, ria_sim_every(sim, 0.7, 0.5, 0.0, &act, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 100.0));
  CHECK_INT(b.n, 143);
  bool exact = true;
  for (int k = 0; k < b.n; k++) exact = exact && b.t[k] == 0.5 + k * 0.7;
  CHECK(exact);
  CHECK(ria_sim_time(sim) == 100.0);
  ria_sim_destroy(&sim);
  CHECK_INT(b.dropped, 1);
}

static void order_of_phases(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  journal log = {0}, e[6];
  const char letters[] = "oCcFfO";
  const ria_phase phases[] = {RIA_PHASE_OUTPUT,  RIA_PHASE_CALLBACK, RIA_PHASE_CALLBACK,
                              RIA_PHASE_FORCING, RIA_PHASE_FORCING,  RIA_PHASE_OUTPUT};
  for (int k = 0; k < 6; k++) {
    e[k] = (journal){.letter = letters[k], .log = &log};
    ria_action act = {.fn = note, .user = &e[k], .phase = phases[k]};
    /* 0.3 and 3 * 0.1 are one time */
    CHECK_OK(ctx, ria_sim_at(sim, k % 2 ? 0.3 : 3 * 0.1, &act, NULL));
  }
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  CHECK_TEXT(log.text, "FfCcoO");
  CHECK_INT(ria_sim_steps(sim), 2);
  ria_sim_destroy(&sim);
}

static void same_round(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  journal log = {0}, out = {.letter = 'o', .log = &log}, late = {.letter = 'f', .log = &log};
  journal first = {.letter = 'c', .log = &log, .next = &late, .again = 2.0};
  ria_action act = {.fn = note, .user = &first, .phase = RIA_PHASE_CALLBACK};
  CHECK_OK(ctx, ria_sim_at(sim, 2.0, &act, NULL));
  act = (ria_action){.fn = note, .user = &out, .phase = RIA_PHASE_OUTPUT};
  CHECK_OK(ctx, ria_sim_at(sim, 2.0, &act, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 2.0));
  CHECK_TEXT(log.text, "cfo");
  ria_sim_destroy(&sim);
}

static void cancelling(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  journal log = {0}, self = {.letter = 's', .log = &log, .cancel = -1};
  journal other = {.letter = 'o', .log = &log}, victim = {.letter = 'v', .log = &log};
  journal once = {.letter = '1', .log = &log};
  ria_action act = {.fn = note, .user = &self, .drop = drop, .phase = RIA_PHASE_CALLBACK};
  ria_handle h_self, h_other, h_victim, h_once;
  CHECK_OK(ctx, ria_sim_every(sim, 1.0, 0.0, 0.0, &act, &h_self));
  act.user = &other;
  CHECK_OK(ctx, ria_sim_every(sim, 1.0, 0.0, 0.0, &act, &h_other));
  act.user = &victim;
  CHECK_OK(ctx, ria_sim_every(sim, 1.0, 0.0, 0.0, &act, &h_victim));
  act.user = &once;
  CHECK_OK(ctx, ria_sim_at(sim, 1.5, &act, &h_once));
  other.cancel = h_victim; /* before it ran, in the same round */
  CHECK_OK(ctx, ria_sim_run(sim, 2.0));
  CHECK_TEXT(log.text, "soo1o");
  CHECK(self.got == RIA_OK && other.got == RIA_OK);
  CHECK(self.dropped == 1 && victim.dropped == 1 && other.dropped == 0 && once.dropped == 1);
  CHECK_FAILS(ctx, ria_sim_cancel(sim, h_once), RIA_ERR_ARGUMENT,
              "nothing to cancel: handle 4 is unknown, finished or cancelled already");
  CHECK_STATUS(ctx, ria_sim_cancel(sim, h_self), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_cancel(sim, 0), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_cancel(sim, -7), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_cancel(sim, 1 << 20), RIA_ERR_ARGUMENT);
  CHECK_OK(ctx, ria_sim_cancel(sim, h_other));
  CHECK_INT(other.dropped, 1);
  ria_sim_destroy(&sim);
  CHECK_INT(other.dropped, 1);
}

/* Many events in no order come in order. */
static void many(ria_context *ctx) {
  enum { N = 200 };
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  static journal log;
  log = (journal){0};
  journal e = {.letter = 'm', .log = &log, .dropped = 0};
  ria_action act = {.fn = note, .user = &e, .drop = drop, .phase = RIA_PHASE_CALLBACK};
  ria_handle h[N];
  for (int k = 0; k < N; k++) CHECK_OK(ctx, ria_sim_at(sim, (k * 37) % N, &act, &h[k]));
  for (int k = 0; k < N; k += 2) CHECK_OK(ctx, ria_sim_cancel(sim, h[k]));
  CHECK_OK(ctx, ria_sim_run(sim, N));
  CHECK_INT(log.n, N / 2);
  CHECK_INT(e.dropped, N);
  bool sorted = true;
  for (int k = 1; k < log.n; k++) sorted = sorted && log.t[k] > log.t[k - 1];
  CHECK(sorted);
  ria_sim_destroy(&sim);
}

static ria_status every_third(ria_sim *sim, const ria_event_info *info, void *user, bool *yes) {
  (void)info;
  (void)user;
  *yes = fmod(ria_sim_time(sim), 3.0) < 0.9;
  return RIA_OK;
}

static void conditions(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  journal once = {0}, each = {0};
  ria_action act = {.fn = note, .user = &once, .drop = drop, .phase = RIA_PHASE_CALLBACK};
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  CHECK_OK(ctx, ria_sim_when(sim, every_third, 0.5, false, &act, NULL));
  act.user = &each;
  CHECK_OK(ctx, ria_sim_when(sim, every_third, 0.5, true, &act, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 10.0));
  CHECK(once.n == 1 && once.t[0] == 3.0 && once.dropped == 1);
  CHECK(each.n == 3 && each.t[0] == 3.0 && each.t[1] == 6.0 && each.t[2] == 9.0);
  CHECK(each.k[2] == 2 && each.dropped == 0);
  ria_sim_destroy(&sim);
  CHECK_INT(each.dropped, 1);
}

/* How often what waits runs up to 10 s: the forecast of outputs asks. */
static void counted(ria_context *ctx) {
  const struct {
    double start, period, stop, times;
  } of[] = {{3, 0, 0, 1}, {10, 0, 0, 1}, {11, 0, 0, 0}, {1, 3, 0, 4},
            {1, 3, 9, 3}, {11, 3, 0, 0}, {4, 3, 5, 1},  {1, 0, 0, 0}};
  enum { N = sizeof of / sizeof *of };
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  journal e[N];
  ria_action found;
  double times;
  for (int k = 0; k < N; k++) {
    ria_action act = {.fn = note, .user = &e[k], .phase = RIA_PHASE_CALLBACK};
    if (k == N - 1)
      CHECK_OK(ctx, ria_sim_when(sim, every_third, 1, true, &act, NULL));
    else if (of[k].period > 0)
      CHECK_OK(ctx, ria_sim_every(sim, of[k].period, of[k].start, of[k].stop, &act, NULL));
    else
      CHECK_OK(ctx, ria_sim_at(sim, of[k].start, &act, NULL));
  }
  size_t n = 0;
  for (; ria_queue_times(sim, n, 10, &found, &times); n++)
    CHECK(times == of[(journal *)found.user - e].times);
  CHECK_INT(n, N);
  ria_sim_destroy(&sim);
}

/* So late that times of a period are one the run ends with a reason: it would fire without end. */
static void too_close(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, &(ria_setting){.name = "step", .number = 1e6}, 1, NULL);
  journal j = {0};
  const ria_action act = {.fn = note, .user = &j, .phase = RIA_PHASE_CALLBACK};
  CHECK_OK(ctx, ria_sim_every(sim, 1e-8, 1e8, 0, &act, NULL));
  CHECK_FAILS(ctx, ria_sim_run(sim, 2e8), RIA_ERR_ARGUMENT,
              "the period of an event is 1e-08 s: at t = 1e+08 s times that close are one, it must "
              "be at least 8.88178e-08");
  ria_sim_destroy(&sim);
  sim = toy_sim(ctx, &(ria_setting){.name = "step", .number = 1e6}, 1, NULL);
  CHECK_OK(ctx, ria_sim_run(sim, 1e8));
  CHECK_FAILS(ctx, ria_sim_when(sim, every_third, 1e-8, true, &act, NULL), RIA_ERR_ARGUMENT,
              "the interval between looks at a condition is 1e-08 s: at t = 1e+08 s times that "
              "close are one, it must be at least 8.88178e-08");
  ria_sim_destroy(&sim);
}

static int run_inside(ria_sim *sim, journal *j) {
  ria_context *ctx = ria_sim_context(sim);
  ria_sim *copy = sim;
  (void)j;
  CHECK_FAILS(ctx, ria_sim_run(sim, 100.0), RIA_ERR_ARGUMENT,
              "a simulation cannot be run from inside an event");
  CHECK_STATUS(ctx, ria_sim_step(sim, 1), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_advance(sim, 1.0), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_start(sim), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_finish(sim), RIA_ERR_ARGUMENT);
  ria_sim_destroy(&copy);
  CHECK(copy == sim);
  return 0;
}

static int stop(ria_sim *sim, journal *j) {
  (void)j;
  ria_sim_stop(sim);
  return 0;
}

static void stopping_and_failing(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  journal in = {.action = run_inside}, end = {.action = stop, .letter = 's'};
  journal after = {.letter = 'o'}, bad = {.fail = RIA_ERR_CALLBACK, .letter = 'b'};
  ria_action act = {.fn = note, .user = &in, .phase = RIA_PHASE_CALLBACK};
  CHECK_OK(ctx, ria_sim_at(sim, 1.0, &act, NULL));
  act.user = &end;
  CHECK_OK(ctx, ria_sim_at(sim, 2.0, &act, NULL));
  act = (ria_action){.fn = note, .user = &after, .phase = RIA_PHASE_OUTPUT};
  CHECK_OK(ctx, ria_sim_at(sim, 2.0, &act, NULL));
  act = (ria_action){.fn = note, .user = &bad, .drop = drop, .phase = RIA_PHASE_CALLBACK};
  CHECK_OK(ctx, ria_sim_every(sim, 3.0, 3.0, 0.0, &act, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 10.0));
  CHECK(ria_sim_time(sim) == 2.0 && in.n == 1 && after.n == 1);
  CHECK_FAILS(ctx, ria_sim_run(sim, 10.0), RIA_ERR_CALLBACK, "told to fail");
  CHECK(ria_sim_time(sim) == 3.0 && bad.dropped == 0);
  bad.fail = RIA_OK;
  CHECK_OK(ctx, ria_sim_run(sim, 10.0)); /* may go on */
  CHECK(bad.n == 3 && ria_sim_time(sim) == 10.0);
  ria_sim_destroy(&sim);
  CHECK_INT(bad.dropped, 1);
}

/* From inside a callback: every field that may still change can be set, every other is refused. */
static ria_status set_everything(ria_sim *sim, const ria_event_info *info, void *user) {
  ria_context *ctx = user;
  ria_field_entry e;
  (void)info;
  for (size_t k = 0; ria_sim_field_list(sim, k, &e); k++) {
    ria_status s = ria_sim_set_constant(sim, e.name, 0.25);
    CHECK(s == (e.can_set && !e.fixed ? RIA_OK : RIA_ERR_ARGUMENT));
    if (e.can_set && e.fixed) CHECK_HOLDS(ria_error(ctx), "cannot change once the run has started");
  }
  CHECK_FAILS(ctx, ria_sim_finish(sim), RIA_ERR_ARGUMENT,
              "a simulation cannot be finished from inside an event");
  return RIA_OK;
}

static void setting_inside(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  const ria_action act = {.fn = set_everything, .user = ctx, .phase = RIA_PHASE_CALLBACK};
  CHECK_OK(ctx, ria_sim_at(sim, 1.0, &act, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 2.0));
  ria_sim_destroy(&sim);
}

static void wrong_calls(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  journal j = {0};
  ria_action act = {.fn = note, .user = &j, .drop = drop};
  CHECK_OK(ctx, ria_sim_run(sim, 5.0));
  CHECK_FAILS(ctx, ria_sim_at(sim, 4.0, &act, NULL), RIA_ERR_ARGUMENT,
              "an event at 4 s: it must be at or after the present, 5 s");
  CHECK_FAILS(ctx, ria_sim_every(sim, 0.0, 0.0, 0.0, &act, NULL), RIA_ERR_ARGUMENT,
              "the period of an event is 0 s: it must be more than 0");
  CHECK_FAILS(ctx, ria_sim_every(sim, 2.0, 0.0, 5.5, &act, NULL), RIA_ERR_ARGUMENT,
              "an event every 2 s stops at 5.5 s, before its first time, 6 s");
  CHECK_FAILS(ctx, ria_sim_when(sim, every_third, NAN, false, &act, NULL), RIA_ERR_ARGUMENT,
              "the interval between looks at a condition is nan s: it must be more than 0");
  CHECK_STATUS(ctx, ria_sim_when(sim, NULL, 1.0, false, &act, NULL), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_at(sim, 9.0, NULL, NULL), RIA_ERR_ARGUMENT);
  act.phase = (ria_phase)7;
  CHECK_STATUS(ctx, ria_sim_at(sim, 9.0, &act, NULL), RIA_ERR_ARGUMENT);
  act.phase = RIA_PHASE_CALLBACK;
  CHECK_OK(ctx, ria_sim_every(sim, 2.0, -1.0, 0.0, &act, NULL)); /* at multiples: 6, 8, 10 */
  CHECK_OK(ctx, ria_sim_run(sim, 10.0));
  CHECK(j.n == 3 && j.t[0] == 6.0 && j.t[2] == 10.0);
  ria_sim_destroy(&sim);
  CHECK_INT(j.dropped, 1); /* refused actions stay the caller's */
}

static int stop_now(ria_sim *sim, journal *j) {
  (void)j;
  ria_sim_stop(sim);
  return 0;
}

/* What lies after the end is told: spills by name, the first three in order of time, the others as
 * a count. Conditions, repeating events that have run, what was cancelled: not. */
static void after_the_end(ria_context *ctx) {
  static const char *const all =
      "spill 'oil' at 20 s, an event at 1 min, an output at 1 min and 2 more";
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  journal j = {0}, quit = {.action = stop_now};
  ria_action act = {.fn = note, .user = &j}, output = {.fn = note, .user = &j},
             stop = {.fn = note, .user = &quit};
  act.phase = stop.phase = RIA_PHASE_CALLBACK;
  output.phase = RIA_PHASE_OUTPUT;
  ria_spill_desc spill = {.tracer = "oil", .x = 115, .y = 215, .mass = 1, .start = 20};
  ria_handle cancelled = 0;
  char text[200];
  ria_summary sum;
  CHECK_INT((int)ria_sim_unreached(sim, 0, text, sizeof text), 0);
  CHECK(text[0] == '\0');
  CHECK_OK(ctx, ria_sim_every(sim, 7.0, -1.0, 0.0, &act, NULL)); /* runs at 0 s */
  CHECK_OK(ctx, ria_sim_when(sim, every_third, 100.0, false, &act, NULL));
  CHECK_OK(ctx, ria_sim_at(sim, 60.0, &act, NULL));
  CHECK_OK(ctx, ria_sim_every(sim, 5.0, 60.0, 0.0, &output, NULL));
  CHECK_OK(ctx, ria_sim_at(sim, 7200.0, &act, NULL));
  CHECK_OK(ctx, ria_sim_at(sim, 61.0, &act, NULL));
  CHECK_OK(ctx, ria_sim_spill(sim, &spill, NULL));
  spill.start = 30;
  CHECK_OK(ctx, ria_sim_spill(sim, &spill, &cancelled));
  CHECK_OK(ctx, ria_sim_cancel(sim, cancelled));
  spill.start = 5; /* begins, and goes on after the end: nothing to tell */
  spill.duration = 100;
  CHECK_OK(ctx, ria_sim_spill(sim, &spill, NULL));
  CHECK_OK(ctx, ria_sim_start(sim));
  CHECK_OK(ctx, ria_sim_summary(sim, &sum));
  CHECK_TEXT(sum.unreached, ""); /* no run has come to its end */
  CHECK_INT((int)ria_sim_unreached(sim, 10, text, sizeof text), 5);
  CHECK_TEXT(text, all);
  CHECK_INT((int)ria_sim_unreached(sim, 60, text, sizeof text), 2); /* the end is not after it */
  CHECK_OK(ctx, ria_sim_run(sim, 10));
  CHECK_OK(ctx, ria_sim_summary(sim, &sum));
  CHECK_TEXT(sum.unreached,
             "5 events after the end of the run never happened: spill 'oil' at 20 s, an event at 1 "
             "min, an output at 1 min and 2 more");
  CHECK_OK(ctx, ria_sim_run(sim, 60)); /* to the end itself is not after it */
  CHECK_OK(ctx, ria_sim_summary(sim, &sum));
  CHECK_TEXT(sum.unreached, "2 events after the end of the run never happened: an event at 1 min 1 "
                            "s, an event at 2 h");
  CHECK_OK(ctx, ria_sim_at(sim, 62.0, &stop, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 1e5));
  CHECK(ria_sim_time(sim) == 62.0);
  CHECK_OK(ctx, ria_sim_summary(sim, &sum));
  CHECK_TEXT(sum.unreached, "1 event after the end of the run never happened: an event at 2 h");
  ria_sim_destroy(&sim);
}

int main(void) {
  ria_context *ctx = NULL;
  CHECK_OK(ctx, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  times_are_exact(ctx);
  order_of_phases(ctx);
  same_round(ctx);
  cancelling(ctx);
  many(ctx);
  conditions(ctx);
  counted(ctx);
  too_close(ctx);
  stopping_and_failing(ctx);
  setting_inside(ctx);
  wrong_calls(ctx);
  after_the_end(ctx);
  ria_context_destroy(&ctx);
  return TEST_END();
}
