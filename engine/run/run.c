/* run/run.c - the time loop.
 *
 * A run is a chain of spans: from the present to the next event or the end, whichever is first. The
 * solver takes a span in batches of steps, each sized from the measured speed to last a small part
 * of a second (the first of a simulation is one step), so that an interrupt and the progress
 * callback wait no longer than that. Batches do not show in the results: only t_stop shortens a
 * step. Nor do gauges whose times steps pass over: for them a batch ends before such a step, which
 * is then taken alone (gauge_rows.c).
 *
 * Before each batch the solver is up to date: forcing handed over if it changed, ops->prepare after
 * any change. Whatever ends a run (end time, stop, interrupt, error), the closing outputs are
 * written. If several errors occur, the first is reported. */
#include "base/context.h"
#include "core/sim.h"
#include "base/grid.h"
#include "base/clock.h"
#include "forcing/forcing.h"
#include "outputs/output.h"
#include "run/run.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double batch_seconds = 0.12; /* of wall time a batch should last */
static const double far_away = 1e12;      /* s: a span without an end */

/* A run under way. */
typedef struct run_state {
  double t_end;      /* INFINITY: ends by steps */
  int64_t steps_end; /* count at which it ends; INT64_MAX: ends by time */
  int64_t batch;     /* steps of the next batch */
  double wall0, t0;  /* when it began */
  int64_t steps0;
  double told_wall; /* when progress was last told, or the run began */
  int64_t told_steps;
} run_state;

ria_status ria_sim_idle(ria_sim *sim, const char *what) {
  if (!sim->busy) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a simulation cannot %s from inside an event", what);
}

void ria_sim_interrupt(ria_sim *sim) { sim->interrupted = 1; }

void ria_sim_stop(ria_sim *sim) { sim->stop = true; }

ria_status ria_sim_on_progress(ria_sim *sim, double interval, ria_progress_fn fn, void *user) {
  if (!(interval >= 0.0))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "the interval of progress is %g s", interval);
  sim->on_progress = fn;
  sim->progress_user = user;
  sim->progress_interval = interval;
  sim->batch = 0; /* was sized for another */
  return RIA_OK;
}

/* --- progress -----------------------------------------------------------------------------------
 */

static double eta(const ria_sim *sim, const run_state *r, double wall) {
  double part = isfinite(r->t_end)
                    ? (sim->at.t - r->t0) / (r->t_end - r->t0)
                    : (double)(sim->at.steps - r->steps0) / (double)(r->steps_end - r->steps0);
  return part > 0.0 ? wall * (1.0 - part) / part : NAN;
}

static ria_status tell_progress(ria_sim *sim, run_state *r) {
  double now = ria_wall_clock(), wall = now - r->wall0;
  if (!sim->on_progress || now - sim->told_wall < sim->progress_interval) return RIA_OK;
  ria_budget_row rows[RIA_QUANTITIES];
  RIA_TRY(ria_budget_rows(sim, rows));
  double steps = (double)(sim->at.steps - r->told_steps);
  ria_progress_info info = {
      .t = sim->at.t,
      .t_end = r->t_end,
      .dt = sim->at.dt,
      .wall = wall,
      .eta = eta(sim, r, wall),
      .rate = steps * (double)ria_cells_inside(sim) / fmax(now - r->told_wall, 1e-9),
      .mass_error = sim->n_quantities ? rows[0].relative : 0.0,
      .steps = sim->at.steps,
  };
  r->told_wall = sim->told_wall = now;
  r->told_steps = sim->at.steps;
  return sim->on_progress(sim, &info, sim->progress_user);
}

/* --- steps --------------------------------------------------------------------------------------
 */

static ria_status fail_numerical(ria_sim *sim) {
  const ria_progress *at = &sim->at;
  sim->failed = true;
  if (at->fail_i < 0)
    return ria_fail(sim->ctx, at->failure, "%s, t = %.10g s", at->fail_what, at->fail_t);
  return ria_fail(sim->ctx, at->failure, "%s in cell (%d, %d) at (%.10g, %.10g), t = %.10g s",
                  at->fail_what[0] ? at->fail_what : "the solution broke down", at->fail_i,
                  at->fail_j, ria_cell_x(&sim->grid, at->fail_i),
                  ria_cell_y(&sim->grid, at->fail_j), at->fail_t);
}

/* What the solver must know before it steps. */
static ria_status make_ready(ria_sim *sim, const run_state *r) {
  if (sim->unforced) {
    if (isfinite(r->t_end)) RIA_TRY(ria_forcing_covers(sim, sim->at.t, r->t_end));
    RIA_TRY(ria_forcing_sync(sim));
  }
  if (!sim->unprepared) return RIA_OK;
  RIA_TRY(sim->ops->prepare(sim->self, sim->at.t));
  sim->unprepared = false;
  return RIA_OK;
}

/* Steps of the next batch, from how long the last ones took. Growth is bounded: the first steps of
 * a simulation are not typical. */
static void size_batch(run_state *r, int64_t steps, double wall, double target) {
  double fit = wall > 0.0 ? target * (double)steps / wall : 4.0 * (double)steps;
  double most = 4.0 * (double)r->batch;
  r->batch = (int64_t)fmax(1.0, fmin(fmin(fit, most), 1e9));
}

/* Seconds of wall time that a batch should last. */
static double batch_target(const ria_sim *sim) {
  if (!sim->on_progress || sim->progress_interval >= batch_seconds) return batch_seconds;
  return fmax(sim->progress_interval, 0.01);
}

/* Advance and learn where the solver stands; it took `steps`. */
static ria_status advance(ria_sim *sim, const ria_span *span, int64_t *steps) {
  const int64_t before = sim->at.steps;
  RIA_TRY(sim->ops->advance(sim->self, span));
  RIA_TRY(sim->ops->progress(sim->self, &sim->at));
  if (sim->at.failure != RIA_OK) return fail_numerical(sim);
  *steps = sim->at.steps - before;
  if (*steps > 0 || sim->at.t >= span->t_stop || isfinite(span->t_watch)) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_NUMERICAL, "solver '%s' took no step at t = %.10g s",
                  sim->solver->name, sim->at.t);
}

/* A span that ended early ended before the next time of a gauge: after a look at the state there
 * one step is taken alone. Such spans are too short to tell how long a batch takes. */
static ria_status take_batch(ria_sim *sim, run_state *r, double t_stop) {
  const bool alone = ria_outputs_wait(sim);
  const int64_t left = r->steps_end - sim->at.steps, most = r->batch < left ? r->batch : left;
  const ria_span span = {
      .t_stop = t_stop, .max_steps = alone ? 1 : most, .t_watch = ria_outputs_watch(sim, t_stop)};
  const double wall = ria_wall_clock();
  int64_t steps = 0;
  RIA_TRY(advance(sim, &span, &steps));
  const bool landed = sim->at.t >= t_stop, early = !landed && steps < span.max_steps;
  if (!early && !alone) size_batch(r, steps, ria_wall_clock() - wall, batch_target(sim));
  if (steps > 0) RIA_TRY(ria_outputs_pass(sim, landed));
  return early && isfinite(span.t_watch) ? ria_outputs_look(sim, span.t_watch) : RIA_OK;
}

/* The next time to land on. Events within rounding of the end belong to it. */
static double next_stop(const ria_sim *sim, const run_state *r) {
  double event = ria_queue_next(sim), end = r->t_end;
  if (!isfinite(end)) end = fmin(ria_forcing_cover_end(sim), sim->at.t + far_away);
  return event < end - ria_time_slack(end) ? event : end;
}

static bool run_is_over(const ria_sim *sim, const run_state *r) {
  return sim->stop || sim->at.t >= r->t_end - ria_time_slack(r->t_end) ||
         sim->at.steps >= r->steps_end;
}

/* A run counted in steps has come to where a series ends: name it. */
static ria_status fail_uncovered(ria_sim *sim) {
  double t = sim->at.t, step = fmax(sim->at.dt, 1e-6 * fmax(1.0, fabs(t)));
  RIA_TRY(ria_forcing_covers(sim, t, t + step));
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "the forcing has no values after t = %.10g s", t);
}

/* Land on t_stop, unless the steps run out or something ends the run on the way. */
static ria_status run_span(ria_sim *sim, run_state *r, double t_stop) {
  if (!(t_stop > sim->at.t)) return fail_uncovered(sim);
  while (sim->at.t < t_stop && sim->at.steps < r->steps_end) {
    RIA_TRY(make_ready(sim, r));
    RIA_TRY(take_batch(sim, r, t_stop));
    RIA_TRY(tell_progress(sim, r));
    if (sim->interrupted || sim->stop) break;
  }
  return RIA_OK;
}

static ria_status run_loop(ria_sim *sim, run_state *r) {
  for (;;) {
    RIA_TRY(ria_queue_run_due(sim));
    if (sim->interrupted)
      return ria_fail(sim->ctx, RIA_INTERRUPTED, "interrupted at t = %.10g s", sim->at.t);
    if (run_is_over(sim, r)) return RIA_OK;
    RIA_TRY(run_span(sim, r, next_stop(sim, r)));
  }
}

/* --- start --------------------------------------------------------------------------------------
 */

static ria_status start(ria_sim *sim, double t_end) {
  if (sim->started) return RIA_OK;
  if (sim->roles.bed && !sim->has_bed)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "no bed was given: set '%s', %s, before the run",
                    sim->roles.bed->name, sim->roles.bed->info->doc);
  RIA_TRY(ria_forcing_check_inside(sim));
  RIA_TRY(ria_outputs_open(sim));
  RIA_TRY(ria_outputs_resume(sim));
  run_state r = {.t_end = t_end};
  RIA_TRY(make_ready(sim, &r));
  RIA_TRY(sim->ops->progress(sim->self, &sim->at)); /* what it warns of before the first step */
  RIA_TRY(ria_ledger_open(sim));
  RIA_TRY(ria_maxima_begin(sim));
  sim->started = true;
  return ria_outputs_begin(sim);
}

static ria_status check_alive(ria_sim *sim, const char *what) {
  RIA_TRY(ria_sim_idle(sim, what));
  if (!sim->failed) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_NUMERICAL,
                  "the simulation failed at t = %.10g s: it can be read, not run on",
                  sim->at.fail_t);
}

/* Closing outputs of a run that ended with s; the first error is the one to tell. */
static ria_status close_after(ria_sim *sim, ria_status s, bool closing) {
  if (!closing) return s;
  char message[RIA_ERROR_MAX];
  snprintf(message, sizeof message, "%s", ria_error(sim->ctx));
  if (s == RIA_ERR_MEMORY) ria_reserve_release(sim->ctx);
  ria_status closed = sim->started ? ria_outputs_close(sim, s) : ria_outputs_fail(sim, s);
  if (s == RIA_OK) return closed;
  return ria_fail(sim->ctx, s, "%s", message);
}

/* A caller that steps in its own loop keeps the last batch size, unless something changed that
 * makes steps slower (a dry domain was flooded). */
static int64_t first_batch(const ria_sim *sim) {
  return sim->batch && !sim->unprepared && !sim->unforced ? sim->batch : 1;
}

/* closing: write the closing outputs even when all went well. */
static ria_status run_to(ria_sim *sim, double t_end, int64_t steps, bool closing) {
  double wall = ria_wall_clock();
  run_state r = {.t_end = t_end, .batch = first_batch(sim), .wall0 = wall, .told_wall = wall};
  ria_reserve_keep(sim->ctx);
  sim->t_end = t_end;
  sim->stop = sim->ended = false;
  sim->forcing->failed = 0;
  sim->busy = true;
  sim->wall_from = wall;
  if (sim->told_wall == 0.0) sim->told_wall = wall;
  ria_status s = ria_forcing_covers(sim, sim->at.t, isfinite(t_end) ? t_end : sim->at.t);
  if (s == RIA_OK) s = start(sim, t_end);
  if (s == RIA_OK) s = ria_outputs_resume(sim);
  r.t0 = sim->at.t;
  r.steps0 = r.told_steps = sim->at.steps;
  r.steps_end = steps < INT64_MAX - r.steps0 ? r.steps0 + steps : INT64_MAX;
  if (s == RIA_OK) s = run_loop(sim, &r);
  sim->batch = r.batch;
  sim->interrupted = 0;
  sim->ended = s == RIA_OK && sim->at.steps > 0; /* a start alone ends nothing */
  s = close_after(sim, s, closing || s != RIA_OK);
  sim->wall += ria_wall_clock() - wall;
  sim->busy = false;
  return s;
}

/* --- public -------------------------------------------------------------------------------------
 */

static ria_status check_end(ria_sim *sim, double t_end) {
  if (isfinite(t_end) && t_end >= sim->at.t - ria_time_slack(sim->at.t)) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "a run to t = %.10g s: it must be at or after the present, %.10g s", t_end,
                  sim->at.t);
}

ria_status ria_sim_start(ria_sim *sim) {
  RIA_TRY(check_alive(sim, "be started"));
  return sim->started ? RIA_OK : run_to(sim, sim->at.t, INT64_MAX, false);
}

ria_status ria_sim_run(ria_sim *sim, double t_end) {
  RIA_TRY(check_alive(sim, "be run"));
  RIA_TRY(check_end(sim, t_end));
  return run_to(sim, t_end, INT64_MAX, true);
}

ria_status ria_sim_advance(ria_sim *sim, double dt) {
  RIA_TRY(check_alive(sim, "be advanced"));
  RIA_TRY(check_end(sim, sim->at.t + dt));
  return run_to(sim, sim->at.t + dt, INT64_MAX, false);
}

ria_status ria_sim_step(ria_sim *sim, int64_t n) {
  RIA_TRY(check_alive(sim, "be stepped"));
  if (n < 0)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "%lld steps: they must be 0 or more", (long long)n);
  return run_to(sim, INFINITY, n, false);
}

ria_status ria_sim_abandon(ria_sim *sim) {
  if (!sim->busy) return ria_sim_finish(sim);
  ria_fail(sim->ctx, RIA_INTERRUPTED, "the program ended at t = %.10g s, inside the run",
           sim->at.t);
  return sim->started ? ria_outputs_close(sim, RIA_INTERRUPTED) : RIA_OK;
}

ria_status ria_sim_finish(ria_sim *sim) {
  RIA_TRY(ria_sim_idle(sim, "be finished"));
  return sim->started ? ria_outputs_close(sim, RIA_OK) : RIA_OK;
}
