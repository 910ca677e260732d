/* ria/event.h - what happens when: at a time, every so often, when a condition holds; spills.
 *
 * Steps are shortened so that events land exactly (gauges alone may be read between steps:
 * ria/output.h); the k-th time of a repeating event is start + k * period by multiplication. At one
 * time, spills and changes of forcing come first, then callbacks, then gauges, saves and frames;
 * within each, in the order in which they were asked for. */
#ifndef RIA_EVENT_H
#define RIA_EVENT_H
#include <ria/sim.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef int64_t ria_handle; /* of something scheduled; 0 is never a handle */

typedef struct ria_event_info {
  double t;  /* s */
  int64_t k; /* 0, 1, 2, ... of a repeating event */
  ria_handle handle;
} ria_event_info;

/* A callback may read; set every field that `can_set` and is not `fixed` (ria_field_entry: levels,
 * velocities and concentrations, not the bed or a roughness map); add and change boundaries; spill;
 * schedule, cancel, and stop the run. It must not run, step, finish or destroy the simulation. Each
 * of these refusals is RIA_ERR_ARGUMENT and leaves the simulation as it was. A status other than
 * RIA_OK ends the run with that status. */
typedef ria_status (*ria_event_fn)(ria_sim *sim, const ria_event_info *info, void *user);

typedef enum ria_phase { RIA_PHASE_FORCING, RIA_PHASE_CALLBACK, RIA_PHASE_OUTPUT } ria_phase;

/* What to do. Ownership of `user` passes to the simulation when scheduling succeeds: `drop` (may be
 * NULL) is called once when it is no longer needed. */
typedef struct ria_action {
  ria_event_fn fn;
  void *user;
  void (*drop)(void *user);
  ria_phase phase;
} ria_action;

/* Once, at time t >= now. */
RIA_API ria_status ria_sim_at(ria_sim *sim, double t, const ria_action *action, ria_handle *out);
/* At start, start + period, ... up to and including stop (stop <= 0: for ever). start < 0: from
 * now on, at the multiples of period. */
RIA_API ria_status ria_sim_every(ria_sim *sim, double period, double start, double stop,
                                 const ria_action *action, ria_handle *out);
/* `test` is looked at every `check` seconds; when it sets *yes the action runs, once unless
 * `repeat` (then each time the condition becomes true after being false). user of the action is
 * passed to test too. */
typedef ria_status (*ria_test_fn)(ria_sim *sim, const ria_event_info *info, void *user, bool *yes);
RIA_API ria_status ria_sim_when(ria_sim *sim, ria_test_fn test, double check, bool repeat,
                                const ria_action *action, ria_handle *out);
/* Cancel an event, a spill (the amount released stays), a gauge or a recurring output. Unknown
 * or finished handles are RIA_ERR_ARGUMENT. */
RIA_API ria_status ria_sim_cancel(ria_sim *sim, ria_handle handle);

/* A release over a disc or shapes. Of a tracer exactly one of: mass or amount; rate; volume with
 * density; flow with conc. Of water, or another quantity of the solver's own, which is named in
 * place of a tracer: a volume, without density, or a flow, without conc. Without a duration, mass,
 * amount and volume are released at once, rate and flow go on to the end of the run. With one, the
 * former are spread evenly over it. Amounts are in the unit that belongs to the tracer's
 * (ria_unit.amount): kg of one in mg/l, cfu of one in cfu/100 ml. mass, and volume with density,
 * are for tracers measured by mass. */
typedef struct ria_spill_desc {
  const char *name;        /* for reports and marks on frames; NULL = the tracer's name */
  const char *tracer;      /* or quantity; NULL = the solver's first quantity: clean water */
  double x, y;             /* centre, m */
  double radius;           /* m; 0 = the one cell */
  double start;            /* s, >= now */
  double duration;         /* s; 0 = see above */
  double mass;             /* kg */
  ria_value rate;          /* amount per s, >= 0: kg/s, cfu/s ... */
  double volume, density;  /* m^3, kg/m^3 */
  ria_value flow;          /* m^3/s of water */
  ria_value conc;          /* in that water, in the tracer's unit, >= 0 */
  bool has_rate, has_flow; /* needed only for a rate or flow of 0; otherwise the value tells */
  double amount;           /* in the unit of the tracer's amounts; mass is the same in kg */
  /* Released over these, in the model's own coordinates, in place of a disc (x, y and radius are
   * 0): polygons by the share of each cell, lines by the length in it, points. Copied; all of one
   * kind; some of it in the grid. NULL = a disc. */
  const struct ria_shapes *shapes;
} ria_spill_desc;
/* The wet cells of the disc or the shapes (at the time of release) share the release in proportion
 * to their water. A continuous release keeps these shares, also on ground that falls dry. Water,
 * alone or with a tracer in it (flow), may come onto dry ground: in a disc without a wet cell all
 * cells share it by their area. There any other release of a tracer is an error that names the
 * nearest wet cell: at once when start is now, from the run otherwise. */
RIA_API ria_status ria_sim_spill(ria_sim *sim, const ria_spill_desc *desc, ria_handle *out);
/* Released so far by a spill, in the unit of the tracer's amounts, else in the quantity's. */
RIA_API ria_status ria_sim_spill_released(ria_sim *sim, ria_handle handle, double *amount);

/* The spill that ended the last run because it found no water; 0 = none did. */
RIA_API ria_handle ria_sim_failed_spill(const ria_sim *sim);

/* Where a spill is to be released, as far as the present state and the forcing tell. */
typedef enum ria_ground {
  RIA_GROUND_WET,  /* there is water, or the spill brings its own */
  RIA_GROUND_DRY,  /* dry now; by then water may have come */
  RIA_GROUND_HIGH, /* dry, and above every level that is given: of the water that is there and of
                      boundaries. Not said while a boundary or a spill brings water that has no
                      level, a boundary may send waves in, or a parameter such as the speed of a
                      wind drives the water. Callbacks may do anything */
} ria_ground;
/* Look at the ground of a spill that is not asked for hereby. Of dry ground text says what is wrong
 * ("spill 'oil' at 1 h: no water ..."), of wet ground "". What ria_sim_spill refuses is an error
 * here too. */
RIA_API ria_status ria_sim_spill_ground(ria_sim *sim, const ria_spill_desc *desc, ria_ground *out,
                                        char *text, size_t size);
/* The same of a place, for gauges: "no level given reaches (190, 50), where ...". Wet where the
 * solver knows no depth. Outside the domain: RIA_ERR_ARGUMENT. */
RIA_API ria_status ria_sim_ground_at(ria_sim *sim, double x, double y, ria_ground *out, char *text,
                                     size_t size);

#ifdef __cplusplus
}
#endif
#endif
