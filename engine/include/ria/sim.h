/* ria/sim.h - a simulation: made from a description, given events, run.
 *
 *   ria_sim_create -> ria_sim_set (bed, then the initial state) -> ria_boundary_add, ria_sim_at,
 *   ria_sim_every, ria_sim_gauge ... -> ria_sim_run / ria_sim_advance / ria_sim_step -> destroy
 *
 * The first call that runs (or an explicit ria_sim_start) checks that everything fits together and
 * opens the outputs. Times are seconds from the start of the run; ria_sim_parse_time makes one of a
 * date where the run has a start on the calendar. Any function that fails leaves
 * the simulation usable unless it says otherwise. */
#ifndef RIA_SIM_H
#define RIA_SIM_H
#include <ria/date.h>
#include <ria/field.h>
#include <ria/grid.h>
#include <ria/series.h>
#include <ria/status.h>
#include <ria/units.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ria_sim ria_sim;

typedef enum ria_real { RIA_F64 = 0, RIA_F32 = 1 } ria_real;

enum { RIA_MAX_TRACERS = 8, RIA_NAME_MAX = 32 };

/* A solver parameter by name. text wins when not NULL ("50 m^2/s", "0.9", "yes", a choice). */
typedef struct ria_setting {
  const char *name;
  double number;
  const char *text;
} ria_setting;

/* Something dissolved or suspended that the water carries. */
typedef struct ria_tracer {
  const char *name; /* a word: letters, digits, _; not the name of a field of the solver */
  const char *unit; /* of the concentration, and so of amounts (ria/units.h); NULL = "kg/m^3" */
  double decay;     /* first-order rate, 1/s, >= 0 */
  double diffusion; /* m^2/s, >= 0 */
} ria_tracer;

/* Cells whose bed is NaN (no data in a terrain model). */
typedef enum ria_outside {
  RIA_OUTSIDE_ERROR, /* they are an error */
  RIA_OUTSIDE_WALL /* they are left out of the domain, which ends there at walls: every field reads
                      NaN there, values set there are ignored, nothing counts them. Boundaries
                      act on the other cells of their stretch. For solvers with a bed that stays */
} ria_outside;

/* What frames of a run with a start show. */
typedef enum ria_clock {
  RIA_CLOCK_DATE,   /* the date, with its zone */
  RIA_CLOCK_ELAPSED /* the time since the start */
} ria_clock;

typedef struct ria_sim_desc {
  const char *solver; /* NULL = the first in solvers.def */
  ria_grid grid;      /* dy = 0: square cells, dy = dx */
  ria_real precision; /* RIA_F64 by default */
  const ria_setting *params;
  size_t n_params;
  const ria_tracer *tracers;
  size_t n_tracers;
  const char *title; /* for frames and file attributes; NULL = the solver's name */
  const char *epoch; /* the same as start */
  const char *crs;   /* "EPSG:n" or WKT; NULL = local metres */
  const char *out;   /* output directory, made when the run starts; NULL = no output allowed */
  bool overwrite;    /* results of an earlier run there are removed, those that its run.json lists;
                        false: such a directory is refused. Other files in the way are refused in
                        either case, and so is a directory that another run is writing to. */
  ria_outside outside;
  bool units_row; /* a row of units below the header of gauges.csv and budget.csv; run.json has the
                     units in any case ("tables") */
  const char *start; /* the date of t = 0, "2026-07-14 00:00" (ria/date.h); NULL = none: stores
                        count seconds from t = 0, tables and frames name no date */
  const char *zone;  /* of that date and of all that say none themselves, "+02:00"; what tables and
                        frames show is by its clocks. NULL = UTC. It stays the same all the run:
                        summer time neither begins nor ends */
  ria_clock clock;
  const char *ground; /* how its ground came about, lines such as ria_raster.about: the summary
                         tells them; NULL = nothing to tell */
  bool keep; /* results of an earlier run there are taken up by a run that goes on from one of its
                checkpoints (ria/checkpoint.h), before `overwrite` is looked at; a directory without
                any is begun */
  bool no_page;       /* no index.html, index.js and fields.js among the results */
  double page_fields; /* MB (10^6 bytes) that fields.js may have: the fields that were saved, for
                         the page from the disk; more is thinned out in space, then in time. 0 =
                         100, at most 500; negative: none is written */
} ria_sim_desc;

RIA_API ria_status ria_sim_create(ria_context *ctx, const ria_sim_desc *desc, ria_sim **out);
/* Finishes outputs that were begun, frees everything, sets *sim to NULL; NULL is allowed.
 * Errors of the last outputs are lost here: call ria_sim_finish first to see them. */
RIA_API void ria_sim_destroy(ria_sim **sim);

RIA_API ria_context *ria_sim_context(ria_sim *sim);
RIA_API const ria_grid *ria_sim_grid(const ria_sim *sim);
RIA_API const char *ria_sim_crs(const ria_sim *sim);    /* "EPSG:n" or WKT, or NULL */
RIA_API const char *ria_sim_out(const ria_sim *sim);    /* directory, or NULL */
RIA_API const char *ria_sim_ground(const ria_sim *sim); /* as desc.ground, or NULL */
/* The unit of the tracer with this index, valid to the end of the simulation; NULL past the last.
 */
RIA_API const ria_unit *ria_sim_unit(const ria_sim *sim, int tracer);
RIA_API double ria_sim_time(const ria_sim *sim); /* s */
RIA_API int64_t ria_sim_steps(const ria_sim *sim);

/* --- fields -------------------------------------------------------------------------------------
 * Names are the solver's ("bed", "depth", "level", "qx", ...: ria_sim_field_list) and the tracers'
 * own. Values are doubles in SI whatever the precision of the run. */

/* Set an input or state field from values[ny][nx] (bed before the level). */
RIA_API ria_status ria_sim_set(ria_sim *sim, const char *field, const double *values);
RIA_API ria_status ria_sim_set_constant(ria_sim *sim, const char *field, double value);
/* Copy a field out, values[ny][nx]. Dry cells are NaN in fields that have no meaning there. */
RIA_API ria_status ria_sim_get(ria_sim *sim, const char *field, double *values);
/* The maximum over the run so far of a field asked for by ria_sim_track_maximum. */
RIA_API ria_status ria_sim_track_maximum(ria_sim *sim, const char *field);
RIA_API ria_status ria_sim_get_maximum(ria_sim *sim, const char *field, double *values);
/* Value of one field in the cell that holds (x, y). Outside: RIA_ERR_ARGUMENT. */
RIA_API ria_status ria_sim_probe(ria_sim *sim, const char *field, double x, double y, double *out);

typedef struct ria_field_entry {
  const char *name, *unit, *doc;
  bool can_set, can_track;
  int tracer; /* index, or -1 */
  bool fixed; /* cannot be set any more once the run has started: the bed, a roughness map */
} ria_field_entry;
/* The i-th field of this simulation; false past the end. */
RIA_API bool ria_sim_field_list(const ria_sim *sim, size_t i, ria_field_entry *out);

typedef struct ria_stats {
  double min, max, sum, mean; /* over cells with a value; sum is sum(value) * dx * dy */
  int min_i, min_j, max_i, max_j;
  int64_t n; /* cells with a value; 0 leaves the rest NaN and -1 */
} ria_stats;
RIA_API ria_status ria_sim_stats(ria_sim *sim, const char *field, ria_stats *out);

/* A time of this simulation, s from its start, from text: a time ("90 s", "1 h 30 min") or, where
 * it has a start, a date ("2026-07-14 06:30"; without a zone of its own in the run's). */
RIA_API ria_status ria_sim_parse_time(ria_sim *sim, const char *text, double *t);
/* The date of t = 0, s since 1970-01-01 00:00:00 UTC, and the zone, s; either may be NULL. False,
 * and nothing set, for a run without a start. */
RIA_API bool ria_sim_start_date(const ria_sim *sim, double *date, double *zone);
/* A time of it as a date by the clocks of its zone, "2026-07-14T06:30:00+02:00"; "" and false where
 * it has no start. buf is always terminated; 48 bytes hold any. */
RIA_API bool ria_sim_date(const ria_sim *sim, double t, char *buf, size_t size);

/* Longitude x[n] and latitude y[n], degrees on WGS 84, to x and y of the simulation in place, and
 * back. Places that its system does not reach become NaN; where n is 1 such a place is
 * RIA_ERR_ARGUMENT, and so is a simulation without a crs, or with one that neither ria nor PROJ
 * knows (ria/crs.h). */
RIA_API ria_status ria_sim_from_lon_lat(ria_sim *sim, size_t n, double *x, double *y);
RIA_API ria_status ria_sim_to_lon_lat(ria_sim *sim, size_t n, double *x, double *y);

/* --- running ---------------------------------------------------------------------------------- */

/* Check everything, open outputs, fire the events at t = 0. The first run does it otherwise. */
RIA_API ria_status ria_sim_start(ria_sim *sim);
/* Run to time t_end (s) and write the closing outputs (maxima, budget, run.json). May be called
 * again with a later time. After RIA_ERR_NUMERICAL everything written so far is whole; the
 * simulation can be read but not run on. */
RIA_API ria_status ria_sim_run(ria_sim *sim, double t_end);
/* Run until t + dt (s), landing exactly, events included. */
RIA_API ria_status ria_sim_advance(ria_sim *sim, double dt);
/* Take n steps; events on the way are honoured (they may shorten steps). */
RIA_API ria_status ria_sim_step(ria_sim *sim, int64_t n);
/* ria_sim_run in turns, so that a program works, or steps another simulation, while a GPU steps
 * this one:
 *
 *   bool a_over = false, b_over = false;
 *   while (!a_over || !b_over) {
 *     if (!a_over) RIA_TRY(ria_sim_queue(a, t_end));   both are under way
 *     if (!b_over) RIA_TRY(ria_sim_queue(b, t_end));
 *     if (!a_over) RIA_TRY(ria_sim_wait(a, &a_over));
 *     if (!b_over) RIA_TRY(ria_sim_wait(b, &b_over));
 *   }
 *
 * queue runs the events that are due and hands a batch of steps to the device, at most to the next
 * event; it returns when they are queued. On the CPU they are done then. wait waits for them; *over
 * (may be NULL) tells whether the run has come to t_end, or was stopped, and its closing outputs
 * are written. The results have the bits of ria_sim_run, whatever other simulations do meanwhile.
 *
 * All from the one host thread of the context. Between queue and wait, time and steps are those
 * before the batch; what asks for the state (ria_sim_get, a budget, a new event) waits for it
 * first, and fields cannot be set (RIA_ERR_ARGUMENT). Between wait and the next queue everything
 * goes that an event may do. Until the run is over t_end stays the same, and ria_sim_run,
 * ria_sim_advance and ria_sim_step are RIA_ERR_ARGUMENT; ria_sim_finish and ria_sim_destroy end it.
 * After an error of either call (but RIA_ERR_ARGUMENT for a wrong order of calls, which changes
 * nothing) the run is over, its closing outputs are written, and another may begin. */
RIA_API ria_status ria_sim_queue(ria_sim *sim, double t_end);
RIA_API ria_status ria_sim_wait(ria_sim *sim, bool *over);
/* Runs by turns whose callbacks look at, or change, one another. Where the others stand when a
 * callback of one is called must not depend on the clock: else no two runs are the same, and none
 * goes on from a checkpoint. So all meet before it:
 *
 *   until no `next` is another one than the time before:
 *     t = INFINITY;
 *     for each that is not over:  ria_sim_due(sim, t_end, &next), t = fmin(t, next);
 *   while one is not over and not ria_sim_met(sim, t):
 *     for each of these:          ria_sim_queue_before(sim, t_end, t);
 *     for each of these:          ria_sim_wait(sim, &over);
 *
 * and again until all are over. ria_sim_due begins the run and calls what is due now; *next is the
 * time of its next callback (RIA_PHASE_CALLBACK, or a condition), INFINITY where none comes before
 * the end. All are asked again, for a callback may give another simulation one. Times are seconds
 * since the start of each (t = 0), whatever its date. The steps of ria_sim_queue_before end before
 * the first that would come to t or beyond; a simulation whose own event is then lands on it. No
 * step is shortened: the results have the bits of ria_sim_run. t_end stays the same until the run
 * is over; errors are those of ria_sim_queue, and the others then end with ria_sim_break_off. Of a
 * context of several ranks all make these calls. */
RIA_API ria_status ria_sim_due(ria_sim *sim, double t_end, double *next);
RIA_API ria_status ria_sim_queue_before(ria_sim *sim, double t_end, double t);
/* Does it stand there, with its run not over? */
RIA_API bool ria_sim_met(const ria_sim *sim, double t);
/* Write closing outputs and wait for the writers: reports the errors that destroy would lose. */
RIA_API ria_status ria_sim_finish(ria_sim *sim);
/* ria_sim_finish for a run by turns that ends before its time, such as because another one failed:
 * run.json says that it was interrupted, and `why`. Then the status is RIA_INTERRUPTED with that
 * message; where its steps failed, theirs. Another run may begin then. No run under way, or `why`
 * NULL: ria_sim_finish; before the first run nothing is written. RIA_ERR_ARGUMENT within an event.
 */
RIA_API ria_status ria_sim_break_off(ria_sim *sim, const char *why);
/* For a host that ends the process from inside an event, so that the run never returns: write the
 * closing outputs of a run that was interrupted and wait for the writers. Afterwards the simulation
 * must not be used, nor destroyed. Outside of a run it is ria_sim_finish. */
RIA_API ria_status ria_sim_abandon(ria_sim *sim);
/* Ask the running loop to end after the present step (async-signal-safe). The run returns
 * RIA_INTERRUPTED with the closing outputs written. */
RIA_API void ria_sim_interrupt(ria_sim *sim);
/* End the run at the present event without error; for event callbacks. */
RIA_API void ria_sim_stop(ria_sim *sim);

/* --- what happened ---------------------------------------------------------------------------- */

typedef struct ria_budget_row {
  const char *name; /* a quantity of the solver's own, "water", or the tracer's */
  const char *unit; /* of the amounts below: "m^3", "kg", "cfu", "K m^3" (ria_unit.amount) */
  double initial;   /* stored at t = 0 */
  double stored;    /* now */
  double inflow;    /* through the boundaries, in, >= 0 */
  double outflow;   /* through the boundaries, out, >= 0 */
  double sources;   /* added by spills, sources and ria_sim_set during the run */
  double decayed;   /* lost to decay */
  double residual;  /* stored - (initial + inflow - outflow + sources - decayed) */
  double relative;  /* residual / max(|initial|, |stored|, inflow + sources) */
} ria_budget_row;
/* The solver's own quantities first (water, for a flow), then the tracers. *n: in = room, out =
 * rows. */
RIA_API ria_status ria_sim_budget(ria_sim *sim, ria_budget_row *rows, size_t *n);

typedef struct ria_summary {
  int64_t steps;
  double time, wall;          /* simulated s, wall s inside run/advance/step */
  double cell_steps;          /* cells inside * steps; cell_steps / wall is the usual rate */
  double dt_min, dt_min_time; /* smallest full (not shortened) step, s, and when */
  int dt_min_i, dt_min_j;     /* its cell */
  char dt_min_cause[96];      /* what limited it there: "wave speed 12.3 m/s, depth 15 m" */
  char warning[160]; /* of the solver: results that are not to be trusted, and what to do; or "" */
  double dt_mean;
  const char *device;
  int threads;
  char unreached[256]; /* "2 events after the end of the run never happened: spill 'oil' at 9 h, an
                          output at 10 h"; or "" */
} ria_summary;
RIA_API ria_status ria_sim_summary(ria_sim *sim, ria_summary *out);
/* Events and spills, except conditions, that lie after t_end (s) and so will not happen in a run
 * until then. Returns how many; text (may be NULL with
 * size 0) names the first of them: "spill 'oil' at 9 h, an output at 10 h". */
RIA_API size_t ria_sim_unreached(const ria_sim *sim, double t_end, char *text, size_t size);
/* Series without `hold` that have no values up to t_end (s), for which a run until then fails. *n:
 * how many; text has a line of each. */
RIA_API ria_status ria_sim_uncovered(ria_sim *sim, double t_end, char *text, size_t size,
                                     size_t *n);
/* The summary and the budget as people read them, through the context's log. */
RIA_API ria_status ria_sim_report(ria_sim *sim);

/* Progress: called on the host's thread between batches of steps, at most every `interval` wall
 * seconds. Returning anything but RIA_OK ends the run with that status. With ranks (ria/comm.h)
 * on rank 0 alone, which the others serve: there it may read the simulation, not change it. */
typedef struct ria_progress_info {
  double t, t_end, dt, wall, eta; /* s */
  double rate;                    /* cells * steps / wall s, since the last call */
  double mass_error;              /* relative residual of the first quantity, water for a flow */
  int64_t steps;
} ria_progress_info;
typedef ria_status (*ria_progress_fn)(ria_sim *sim, const ria_progress_info *info, void *user);
RIA_API ria_status ria_sim_on_progress(ria_sim *sim, double interval, ria_progress_fn fn,
                                       void *user);

/* --- watching a run, and changing it -----------------------------------------------------------
 * From a progress callback, or an event. */

/* The next time that steps land on, s: of an event, or the end of the run; now, where other events
 * are due. What is scheduled for then shortens no step, so the run is the one that has it in its
 * script from the start. */
RIA_API double ria_sim_next_stop(const ria_sim *sim);
/* How the run stands, as JSON, for the caller to free: time, the least step and its cause, the
 * times of frames, how many times are in each store, boundaries, changes. */
RIA_API ria_status ria_sim_stands(ria_sim *sim, char **json);
/* A line of Lua, over `sim` and `ria`, for changes.lua among the results, run.json and index.js:
 * what the host was asked to change while the run went on, as a script would. Copied. */
RIA_API ria_status ria_sim_note_change(ria_sim *sim, const char *line);

/* Text to put into run.json under "run": a JSON object written by the host (script name, hash,
 * arguments). Copied. */
RIA_API ria_status ria_sim_set_provenance(ria_sim *sim, const char *json);

/* What the host runs, for the page of the run (index.html): shown there, with how to repeat it. */
typedef struct ria_script {
  const char *path;             /* as the host names it; NULL = there is none */
  const char *text;             /* NULL = not known */
  const char *const *arguments; /* those that decide what the run does: "days=7" */
  size_t n_arguments;
} ria_script;
/* Copied. script NULL: none. RIA_ERR_MEMORY. */
RIA_API ria_status ria_sim_set_script(ria_sim *sim, const ria_script *script);

/* --- solvers known ---------------------------------------------------------------------------- */

/* RIA_VARYING: a real number that may follow a series (ria_sim_vary). */
typedef enum ria_param_type { RIA_REAL, RIA_INT, RIA_BOOL, RIA_CHOICE, RIA_VARYING } ria_param_type;
typedef struct ria_param_info {
  const char *name, *unit;
  ria_param_type type;
  double def, min, max;       /* for RIA_CHOICE def is an index */
  const char *const *choices; /* NULL-terminated, for RIA_CHOICE */
  const char *doc;
  size_t offset; /* into the solver's parameter struct: double, int, bool (int), int */
  int dim;       /* ria_dim; how text is read */
} ria_param_info;

typedef struct ria_solver ria_solver; /* ria/solver.h */
RIA_API size_t ria_solver_count(void);
RIA_API const ria_solver *ria_solver_at(size_t i);
/* By name; NULL name = the first. RIA_ERR_ARGUMENT with the nearest name. */
RIA_API ria_status ria_solver_find(ria_context *ctx, const char *name, const ria_solver **out);
/* Let a parameter of type RIA_VARYING follow a series, or change its constant: before the run or
 * during it, from events. Between two rows of a table a direction turns the shorter way. */
RIA_API ria_status ria_sim_vary(ria_sim *sim, const char *name, const ria_value *value);
/* Value of a parameter of this simulation as a number (choices as index), at the present time. */
RIA_API ria_status ria_sim_param(ria_sim *sim, const char *name, double *out);

#ifdef __cplusplus
}
#endif
#endif
