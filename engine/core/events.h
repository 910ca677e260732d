/* core/events.h - the event queue of a simulation. Private to engine. */
#ifndef RIA_CORE_EVENTS_H
#define RIA_CORE_EVENTS_H
#include <ria/event.h>

typedef struct ria_event ria_event;

/* A binary heap of events, the least (time, phase, sequence) first. */
typedef struct ria_event_heap {
  ria_event **at; /* [room] */
  size_t n, room;
} ria_event_heap;

typedef struct ria_queue {
  ria_event_heap waiting; /* later than now */
  ria_event_heap passing; /* later than now, and no step is shortened for them */
  ria_event_heap round;   /* due now, in the order in which they will run */
  ria_event **by_handle;  /* [handles + 1]; NULL: finished, or the handle of something else */
  size_t handles, handles_room;
  ria_event *running; /* whose callback is at work; NULL: none */
} ria_queue;

/* A handle for something that is no event (a spill, a gauge). */
ria_status ria_queue_new_handle(ria_sim *sim, ria_handle *out);
/* Time of the next event to land on; INFINITY when there is none. */
double ria_queue_next(const ria_sim *sim);
/* Of the next callback: an event of RIA_PHASE_CALLBACK, or a condition. */
double ria_queue_next_callback(const ria_sim *sim);
/* As ria_sim_every from now on, without shortening steps: the event runs where the simulation lands
 * on one of its times for other reasons. Times that steps pass over are its owner's to deal with,
 * who then moves it on. */
ria_status ria_queue_every_passing(ria_sim *sim, double period, const ria_action *action,
                                   ria_handle *out);
/* The next time of such an event; INFINITY: it is gone. */
double ria_queue_time(const ria_sim *sim, ria_handle handle);
/* To its time after the next. */
void ria_queue_move_on(ria_sim *sim, ria_handle handle);
/* Run what is due now, and what that asks for at the present time, until nothing is. Ends early
 * with the status of a callback that failed; the rest of the round stays due. */
ria_status ria_queue_run_due(ria_sim *sim);
/* False when the handle is not that of a waiting or running event. */
bool ria_queue_cancel(ria_sim *sim, ria_handle handle);
void ria_queue_free(ria_sim *sim);

/* An event that waits and whose action has not run yet. */
typedef struct ria_waiting {
  double time;
  ria_handle handle;
  ria_event_fn fn;
  ria_phase phase;
  bool is_test; /* made by ria_sim_when: looks at a condition, and may never act */
} ria_waiting;
/* The i-th of the heap, in no order of time. False past the end; fn NULL: it has run before. */
bool ria_queue_waiting(const ria_sim *sim, size_t i, ria_waiting *out);

/* The i-th of the heap, in no order of time: its action, and how often it will run up to t_end, 0
 * for one that looks at a condition. False past the end. */
bool ria_queue_times(const ria_sim *sim, size_t i, double t_end, ria_action *action, double *times);

/* When the i-th of the heap, in no order of time, runs from its next time on. False past the end.
 */
typedef struct ria_timing {
  ria_action action;
  double next, period, stop; /* period 0: once; stop 0: never */
  bool is_test;              /* it looks at a condition: when it acts is not known */
} ria_timing;
bool ria_queue_timing(const ria_sim *sim, size_t i, ria_timing *out);

/* Times closer than this to t are the same time: a few units in the last place, so that 3 * 0.1
 * and 0.3 are one event and not a step of 5e-17 s. */
double ria_time_slack(double t);

#endif
