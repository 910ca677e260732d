/* core/events.c - what happens when.
 *
 * Binary heaps, all ordered by (time, phase, order of asking). `waiting` holds what lies in the
 * future, `passing` those of it that no step is shortened for. When the simulation lands on a time,
 * all that is due moves to `round`, its time set to the present, and runs from there: so events
 * whose times differ in the last digit only still run in the order of their phases. After each
 * callback what it scheduled for the present joins the same round.
 *
 * Invariants:
 * - An event is in exactly one heap, or it is the one running.
 * - The k-th time of a repeating event is start + k * period, never a sum of periods.
 * - by_handle[h] points to the event as long as it is waiting, due or running.
 * - `drop` is called once: when the event retires, or when the queue is freed. An event cancelled
 *   by its own callback retires when that callback has returned.
 * - Each heap has room for one event more than all hold together, so that moving a repeating event
 *   on needs no memory. */
#include "base/array.h"
#include "base/context.h"
#include "base/limit.h"
#include "core/sim.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

struct ria_event {
  double time;
  ria_phase phase;
  ria_handle handle;    /* also the order of asking */
  ria_event_heap *heap; /* that holds it, NULL while it runs */
  size_t place;         /* there */

  double start, period, stop; /* period 0: once */
  int64_t k;                  /* time = start + k * period */
  int64_t fired;              /* times that the action ran */

  ria_action action;
  ria_test_fn test; /* NULL unless made by ria_sim_when */
  bool repeat, was_true, cancelled;
  bool passes; /* waits in `passing` */
};

double ria_time_slack(double t) { return 4.0 * DBL_EPSILON * fabs(t); }

/* --- heap ------------------------------------------------------------------------------------- */

static bool event_before(const ria_event *a, const ria_event *b) {
  if (a->time != b->time) return a->time < b->time;
  if (a->phase != b->phase) return a->phase < b->phase;
  return a->handle < b->handle;
}

static void heap_place(ria_event_heap *h, size_t i, ria_event *e) {
  h->at[i] = e;
  e->heap = h;
  e->place = i;
}

static void heap_up(ria_event_heap *h, size_t i) {
  ria_event *e = h->at[i];
  for (; i > 0 && event_before(e, h->at[(i - 1) / 2]); i = (i - 1) / 2)
    heap_place(h, i, h->at[(i - 1) / 2]);
  heap_place(h, i, e);
}

static void heap_down(ria_event_heap *h, size_t i) {
  ria_event *e = h->at[i];
  for (size_t child; (child = 2 * i + 1) < h->n; i = child) {
    if (child + 1 < h->n && event_before(h->at[child + 1], h->at[child])) child++;
    if (!event_before(h->at[child], e)) break;
    heap_place(h, i, h->at[child]);
  }
  heap_place(h, i, e);
}

/* Room is there: queue_reserve. */
static void heap_push(ria_event_heap *h, ria_event *e) {
  heap_place(h, h->n++, e);
  heap_up(h, h->n - 1);
}

static void heap_remove(ria_event *e) {
  ria_event_heap *h = e->heap;
  size_t i = e->place;
  ria_event *last = h->at[--h->n];
  e->heap = NULL;
  if (last == e) return;
  heap_place(h, i, last);
  heap_up(h, i);
  heap_down(h, last->place);
}

static ria_event *heap_top(const ria_event_heap *h) { return h->n ? h->at[0] : NULL; }

/* Where an event waits for its time. */
static void queue_wait(ria_queue *q, ria_event *e) {
  heap_push(e->passes ? &q->passing : &q->waiting, e);
}

/* --- handles and room ------------------------------------------------------------------------- */

static ria_status heap_reserve(ria_context *ctx, ria_event_heap *h, size_t n) {
  return ria_grow(ctx, "event queue", &h->at, &h->room, n, sizeof *h->at);
}

/* For one event more, beside the one that may be running. */
static ria_status queue_reserve(ria_sim *sim) {
  ria_queue *q = &sim->queue;
  size_t n = q->waiting.n + q->passing.n + q->round.n + 2;
  RIA_TRY(heap_reserve(sim->ctx, &q->waiting, n));
  RIA_TRY(heap_reserve(sim->ctx, &q->passing, n));
  return heap_reserve(sim->ctx, &q->round, n);
}

ria_status ria_queue_new_handle(ria_sim *sim, ria_handle *out) {
  ria_queue *q = &sim->queue;
  RIA_TRY(ria_grow(sim->ctx, "event handles", &q->by_handle, &q->handles_room, q->handles + 2,
                   sizeof(ria_event *)));
  *out = (ria_handle)++q->handles;
  q->by_handle[q->handles] = NULL;
  return RIA_OK;
}

static ria_event *event_of(const ria_sim *sim, ria_handle handle) {
  if (handle < 1 || (size_t)handle > sim->queue.handles) return NULL;
  return sim->queue.by_handle[handle];
}

/* The end of an event that is in no heap. */
static void event_retire(ria_sim *sim, ria_event *e) {
  sim->queue.by_handle[e->handle] = NULL;
  if (e->action.drop) e->action.drop(e->action.user);
  free(e);
}

/* --- asking ----------------------------------------------------------------------------------- */

static ria_status check_action(ria_sim *sim, const ria_action *action) {
  if (!action || !action->fn)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "an event needs an action with a function");
  if ((unsigned)action->phase > RIA_PHASE_OUTPUT)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "phase %d of an action is not one of ria_phase",
                    (int)action->phase);
  return RIA_OK;
}

static ria_status check_period(ria_sim *sim, const char *what, double period) {
  if (!(period > 0.0) || !isfinite(period))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "%s is %g s: it must be more than 0", what, period);
  if (period < 1e-9) /* less, and times would not move on */
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "%s is %g s: it must be at least 1e-9", what,
                    period);
  if (period < ria_time_slack(sim->at.t))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "%s is %g s: at t = %g s times that close are one, it must be at least %g",
                    what, period, sim->at.t, ria_time_slack(sim->at.t));
  return RIA_OK;
}

static const char a_period[] = "the period of an event",
                  a_look[] = "the interval between looks at a condition";

/* Queue a copy of `e`; its time is set already. */
static ria_status event_schedule(ria_sim *sim, const ria_event *e, ria_handle *out) {
  RIA_TRY(queue_reserve(sim));
  ria_event *own = malloc(sizeof *own);
  if (!own) return ria_fail_memory(sim->ctx, "event", sizeof *own);
  *own = *e;
  ria_status s = ria_queue_new_handle(sim, &own->handle);
  if (s != RIA_OK) {
    free(own);
    return s;
  }
  own->phase = own->action.phase;
  sim->queue.by_handle[own->handle] = own;
  queue_wait(&sim->queue, own);
  if (out) *out = own->handle;
  return RIA_OK;
}

static ria_status fail_past(ria_sim *sim, double t) {
  char when[64], now[64];
  ria_start_tell_seconds(&sim->start, t, when, sizeof when);
  ria_start_tell_seconds(&sim->start, sim->at.t, now, sizeof now);
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "an event at %s: it must be at or after the present, %s", when, now);
}

/* One whose last time comes before its first. */
static ria_status fail_over(ria_sim *sim, const ria_event *e) {
  char first[64], stop[64];
  ria_start_tell_seconds(&sim->start, e->time, first, sizeof first);
  ria_start_tell_seconds(&sim->start, e->stop, stop, sizeof stop);
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "an event every %g s stops at %s, before its first time, %s", e->period, stop,
                  first);
}

ria_status ria_sim_at(ria_sim *sim, double t, const ria_action *action, ria_handle *out) {
  RIA_TRY(check_action(sim, action));
  RIA_TRY(ria_sim_settle(sim)); /* times are at or after the present */
  if (!isfinite(t) || t < sim->at.t - ria_time_slack(sim->at.t)) return fail_past(sim, t);
  ria_event e = {.time = t, .start = t, .action = *action};
  return event_schedule(sim, &e, out);
}

static double event_time(const ria_event *e) { return e->start + (double)e->k * e->period; }

/* stop counts when a time reaches it but for the last digits. */
static bool event_is_over(const ria_event *e) {
  return e->period <= 0.0 || (e->stop > 0.0 && event_time(e) > e->stop + ria_time_slack(e->stop));
}

static ria_status schedule_every(ria_sim *sim, double period, double start, double stop,
                                 const ria_action *action, bool passes, ria_handle *out) {
  RIA_TRY(check_action(sim, action));
  RIA_TRY(ria_sim_settle(sim));
  RIA_TRY(check_period(sim, a_period, period));
  if (!isfinite(start) || isnan(stop))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "start %g s or stop %g s of an event is not a time",
                    start, stop);
  double now = sim->at.t;
  ria_event e = {.start = start < 0.0 ? 0.0 : start,
                 .period = period,
                 .stop = stop,
                 .action = *action,
                 .passes = passes};
  if (e.start < now) e.k = (int64_t)ceil((now - ria_time_slack(now) - e.start) / period);
  e.time = event_time(&e);
  if (event_is_over(&e)) return fail_over(sim, &e);
  return event_schedule(sim, &e, out);
}

ria_status ria_sim_every(ria_sim *sim, double period, double start, double stop,
                         const ria_action *action, ria_handle *out) {
  return schedule_every(sim, period, start, stop, action, false, out);
}

ria_status ria_queue_every_passing(ria_sim *sim, double period, const ria_action *action,
                                   ria_handle *out) {
  return schedule_every(sim, period, -1.0, 0.0, action, true, out);
}

double ria_queue_time(const ria_sim *sim, ria_handle handle) {
  const ria_event *e = event_of(sim, handle);
  return e && e->heap ? e->time : INFINITY;
}

void ria_queue_move_on(ria_sim *sim, ria_handle handle) {
  ria_event *e = event_of(sim, handle);
  if (!e || !e->heap) return;
  heap_remove(e);
  e->k++;
  e->time = event_time(e);
  queue_wait(&sim->queue, e);
}

ria_status ria_sim_when(ria_sim *sim, ria_test_fn test, double check, bool repeat,
                        const ria_action *action, ria_handle *out) {
  RIA_TRY(check_action(sim, action));
  RIA_TRY(ria_sim_settle(sim));
  RIA_TRY(check_period(sim, a_look, check));
  if (!test) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a condition needs a test function");
  double now = sim->at.t;
  ria_event e = {.time = now,
                 .start = now,
                 .period = check,
                 .action = *action,
                 .test = test,
                 .repeat = repeat};
  return event_schedule(sim, &e, out);
}

bool ria_queue_cancel(ria_sim *sim, ria_handle handle) {
  ria_event *e = event_of(sim, handle);
  if (!e || e->cancelled) return false;
  if (!e->heap) {
    e->cancelled = true;
    return true;
  }
  heap_remove(e);
  event_retire(sim, e);
  return true;
}

/* --- running ---------------------------------------------------------------------------------- */

/* When an event whose callback is at work runs again, as far as is known by then. */
static double time_again(const ria_event *e) {
  if (!e || e->cancelled || e->passes || (e->test && !e->repeat)) return INFINITY;
  ria_event again = *e;
  again.k++;
  return event_is_over(&again) ? INFINITY : event_time(&again);
}

double ria_queue_next(const ria_sim *sim) {
  if (sim->queue.round.n) return sim->at.t;
  const ria_event *e = heap_top(&sim->queue.waiting);
  return fmin(e ? e->time : INFINITY, time_again(sim->queue.running));
}

static double next_callback_of(const ria_event_heap *h) {
  double t = INFINITY;
  for (size_t i = 0; i < h->n; i++)
    if (h->at[i]->test || h->at[i]->phase == RIA_PHASE_CALLBACK) t = fmin(t, h->at[i]->time);
  return t;
}

double ria_queue_next_callback(const ria_sim *sim) {
  return fmin(next_callback_of(&sim->queue.waiting), next_callback_of(&sim->queue.round));
}

bool ria_queue_waiting(const ria_sim *sim, size_t i, ria_waiting *out) {
  if (i >= sim->queue.waiting.n) return false;
  const ria_event *e = sim->queue.waiting.at[i];
  *out = (ria_waiting){e->time, e->handle, e->fired ? NULL : e->action.fn, e->phase, e->test};
  return true;
}

bool ria_queue_times(const ria_sim *sim, size_t i, double t_end, ria_action *action,
                     double *times) {
  if (i >= sim->queue.waiting.n) return false;
  const ria_event *e = sim->queue.waiting.at[i];
  const double last = (e->stop > 0.0 ? fmin(e->stop, t_end) : t_end) + ria_time_slack(t_end);
  *action = e->action;
  *times = 0.0;
  if (e->test || e->time > last) return true;
  *times = e->period > 0.0 ? floor((last - e->time) / e->period) + 1.0 : 1.0;
  return true;
}

bool ria_queue_timing(const ria_sim *sim, size_t i, ria_timing *out) {
  if (i >= sim->queue.waiting.n) return false;
  const ria_event *e = sim->queue.waiting.at[i];
  *out = (ria_timing){e->action, e->time, e->period, e->stop, e->test != NULL};
  return true;
}

static void move_due_of(ria_sim *sim, const ria_event_heap *from) {
  double now = sim->at.t;
  ria_event *e;
  while ((e = heap_top(from)) && e->time <= now + ria_time_slack(now)) {
    heap_remove(e);
    e->time = now;
    heap_push(&sim->queue.round, e);
  }
}

static void move_due(ria_sim *sim) {
  move_due_of(sim, &sim->queue.waiting);
  move_due_of(sim, &sim->queue.passing);
}

static ria_status event_call(ria_sim *sim, ria_event *e, bool *spent) {
  ria_event_info info = {.t = sim->at.t, .k = e->test ? e->fired : e->k, .handle = e->handle};
  bool due = true;
  if (e->test) {
    bool yes = false;
    RIA_TRY(e->test(sim, &info, e->action.user, &yes));
    due = yes && !e->was_true;
    e->was_true = yes;
    if (e->cancelled) return RIA_OK;
  }
  if (!due) return RIA_OK;
  e->fired++;
  *spent = e->test && !e->repeat;
  return e->action.fn(sim, &info, e->action.user);
}

/* Times that a step passed over whose rows were refused, being too many: who goes on all the same
 * gets none of them. It waits for the next one. */
static ria_status skip_passed(ria_sim *sim, ria_event *e, double begin) {
  const ria_status s = check_period(sim, a_period, e->period);
  if (s == RIA_OK) e->k = (int64_t)ceil((begin - e->start) / e->period);
  e->time = event_time(e);
  queue_wait(&sim->queue, e);
  return s;
}

static ria_status event_run(ria_sim *sim, ria_event *e) {
  const double begin = sim->at.t - ria_time_slack(sim->at.t);
  bool spent = false;
  heap_remove(e);
  if (e->passes && event_time(e) < begin) return skip_passed(sim, e, begin);
  sim->queue.running = e;
  ria_status s = event_call(sim, e, &spent);
  sim->queue.running = NULL;
  e->k++;
  if (e->cancelled || spent || event_is_over(e)) {
    event_retire(sim, e);
  } else {
    /* The time may have become so late that it would be due at once, again and again. */
    if (s == RIA_OK) s = check_period(sim, e->test ? a_look : a_period, e->period);
    e->time = event_time(e);
    queue_wait(&sim->queue, e);
  }
  return s;
}

ria_status ria_queue_run_due(ria_sim *sim) {
  for (;;) {
    move_due(sim);
    ria_event *e = heap_top(&sim->queue.round);
    if (!e) return RIA_OK;
    RIA_TRY(event_run(sim, e));
    RIA_TRY(ria_limit_time(sim->ctx));
    if (ria_sim_interrupted(sim)) return RIA_OK;
  }
}

static void heap_free(ria_sim *sim, ria_event_heap *h) {
  while (h->n) {
    ria_event *e = h->at[h->n - 1];
    heap_remove(e);
    event_retire(sim, e);
  }
  free(h->at);
  *h = (ria_event_heap){0};
}

void ria_queue_free(ria_sim *sim) {
  heap_free(sim, &sim->queue.waiting);
  heap_free(sim, &sim->queue.passing);
  heap_free(sim, &sim->queue.round);
  free(sim->queue.by_handle);
  sim->queue = (ria_queue){0};
}
