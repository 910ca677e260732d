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
#include "base/limit.h"
#include "core/sim.h"
#include "base/grid.h"
#include "base/clock.h"
#include "base/ranks.h"
#include "forcing/forcing.h"
#include "outputs/output.h"
#include "run/checkpoints.h"
#include "run/run.h"
#include <ria/boundary.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double far_away = 1e12; /* s: a span without an end */

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
  if (!sim->run.under_way) sim->run.batch = 0; /* was sized for another */
  return RIA_OK;
}

/* --- progress --------------------------------------------------------------------------------- */

static double eta(const ria_sim *sim, const ria_run *r, double wall) {
  double part = isfinite(r->t_end)
                    ? (sim->at.t - r->t0) / (r->t_end - r->t0)
                    : (double)(sim->at.steps - r->steps0) / (double)(r->steps_end - r->steps0);
  return part > 0.0 ? wall * (1.0 - part) / part : NAN;
}

static ria_status tell_progress_now(ria_sim *sim, void *unused) {
  ria_run *r = &sim->run;
  (void)unused;
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

/* When it is told is the clock's to say: what the host asks there is not recorded, and a run that
 * is repeated tells none. A checkpoint may be taken there, and has its place in the record. */
static ria_status tell_progress(ria_sim *sim) {
  if (sim->record.replays) return RIA_OK;
  sim->record.muted = true;
  const ria_status s = ria_rooted(sim, tell_progress_now, NULL, "progress is told");
  sim->record.muted = false;
  return s;
}

/* --- turns --------------------------------------------------------------------------------------
 * A turn is what is due now, then a batch of steps, queued and waited for. */

/* The next time to land on. Events within rounding of the end belong to it. */
static double next_stop(const ria_sim *sim, const ria_run *r) {
  double event = ria_queue_next(sim), end = r->t_end;
  if (!isfinite(end)) end = fmin(ria_forcing_cover_end(sim), sim->at.t + far_away);
  return event < end - ria_time_slack(end) ? event : end;
}

double ria_sim_next_stop(const ria_sim *sim) { return next_stop(sim, &sim->run); }

static bool run_is_over(const ria_sim *sim, const ria_run *r) {
  return sim->stop || sim->at.t >= r->t_end - ria_time_slack(r->t_end) ||
         sim->at.steps >= r->steps_end;
}

/* A run counted in steps has come to where a series ends: name it. */
static ria_status fail_uncovered(ria_sim *sim) {
  double t = sim->at.t, step = fmax(sim->at.dt, 1e-6 * fmax(1.0, fabs(t)));
  RIA_TRY(ria_forcing_covers(sim, t, t + step));
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "the forcing has no values after t = %.10g s", t);
}

/* The span goes on as it was planned: its end was not reached, no event was added that lies before
 * it, and nobody asked for the end of the run. */
static bool span_goes_on(const ria_sim *sim) {
  const ria_run *r = &sim->run;
  const double t_stop = r->span.t_stop;
  if (sim->stop || ria_sim_interrupted(sim)) return false;
  return r->in_span && !(ria_queue_next(sim) < t_stop - ria_time_slack(t_stop));
}

static ria_status run_due(ria_sim *sim) {
  ria_run *r = &sim->run;
  r->torn = true;
  RIA_TRY(ria_queue_run_due(sim));
  r->torn =
      ria_sim_interrupted(sim) && ria_queue_next(sim) <= sim->at.t + ria_time_slack(sim->at.t);
  if (sim->record.replays) RIA_TRY(ria_checkpoints_turn(sim));
  if (ria_sim_interrupted(sim))
    return ria_fail(sim->ctx, RIA_INTERRUPTED, "interrupted at t = %.10g s", sim->at.t);
  r->over = run_is_over(sim, r);
  return RIA_OK;
}

static ria_status begin_turn(ria_sim *sim) {
  RIA_TRY(ria_ranks_turn(sim));
  return ria_limit_time(sim->ctx);
}

/* Run what is due, then queue the next batch, unless the run is over. */
static ria_status queue_turn(ria_sim *sim) {
  ria_run *r = &sim->run;
  RIA_TRY(begin_turn(sim));
  if (span_goes_on(sim)) {
    RIA_TRY(ria_sim_balance(sim));
    return ria_batch_queue(sim, r->span.t_stop);
  }
  RIA_TRY(run_due(sim));
  if (r->over) return RIA_OK;
  if (sim->at.steps > 0) RIA_TRY(ria_sim_balance(sim));
  const double t_stop = next_stop(sim, r);
  return t_stop > sim->at.t ? ria_batch_queue(sim, t_stop) : fail_uncovered(sim);
}

static ria_status wait_turn(ria_sim *sim) {
  if (sim->run.over) return RIA_OK;
  ria_run *r = &sim->run;
  RIA_TRY(ria_batch_wait(sim));
  RIA_TRY(ria_checkpoints_turn(sim));
  RIA_TRY(tell_progress(sim));
  r->in_span = !r->landed && sim->at.steps < r->steps_end;
  return RIA_OK;
}

/* --- start ------------------------------------------------------------------------------------ */

static ria_status open_outputs(ria_sim *sim, void *unused) {
  (void)unused;
  RIA_TRY(ria_outputs_open(sim));
  return ria_outputs_resume(sim);
}

static ria_status begin_outputs(ria_sim *sim, void *unused) {
  (void)unused;
  RIA_TRY(ria_outputs_resume(sim));
  return ria_outputs_begin(sim);
}

static ria_status start(ria_sim *sim) {
  if (sim->started) return RIA_OK;
  if (sim->roles.bed && !sim->has_bed)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "no bed was given: set '%s', %s, before the run",
                    sim->roles.bed->name, sim->roles.bed->info->doc);
  RIA_TRY(ria_forcing_check_inside(sim));
  RIA_TRY(ria_boundary_check_edges(sim, NULL));
  RIA_TRY(ria_ranks_start(sim));
  RIA_TRY(ria_rooted(sim, open_outputs, NULL, "outputs are opened"));
  RIA_TRY(ria_batch_ready(sim));
  RIA_TRY(sim->ops->progress(sim->self, &sim->at));     /* what it warns of before the first step */
  RIA_TRY(ria_ledger_stored(sim, sim->ledger.initial)); /* the beginning of the account */
  RIA_TRY(ria_maxima_begin(sim));
  ria_record_start(sim);
  sim->started = true;
  return ria_sim_balance(sim);
}

/* what: as in "cannot <what> ..." */
static ria_status check_alive(ria_sim *sim, const char *what) {
  RIA_TRY(ria_sim_idle(sim, what));
  if (sim->run.under_way)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "a simulation cannot %s while its run to t = %.10g s is under way: go on with "
                    "ria_sim_queue and ria_sim_wait until it is over",
                    what, sim->run.t_end);
  if (!sim->failed) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_NUMERICAL,
                  "the simulation failed at t = %.10g s: it can be read, not run on",
                  sim->at.fail_t);
}

static ria_status close_outputs(ria_sim *sim, void *user) {
  const ria_status s = *(const ria_status *)user;
  const ria_ranks *r = sim->ctx->ranks;
  /* where a run failed some may be gone; outputs are closed even if these now are */
  const ria_status told = s == RIA_OK && r && r->rooted ? ria_rooted_times(sim) : RIA_OK;
  const ria_status end = s == RIA_OK ? told : s;
  char message[RIA_ERROR_MAX];
  snprintf(message, sizeof message, "%s", ria_error(sim->ctx));
  const ria_status closed = sim->started ? ria_outputs_close(sim, end) : ria_outputs_fail(sim, end);
  return told == RIA_OK ? closed : ria_fail(sim->ctx, told, "%s", message);
}

/* Closing outputs of a run that ended with s; the first error is the one to tell. */
static ria_status close_after(ria_sim *sim, ria_status s, bool closing) {
  if (!closing) return s;
  char message[RIA_ERROR_MAX];
  snprintf(message, sizeof message, "%s", ria_error(sim->ctx));
  if (s == RIA_ERR_MEMORY) ria_reserve_release(sim->ctx);
  /* ranks do not come to a closing that has nothing to close at one place */
  ria_status closed = sim->unclosed || !sim->ctx->ranks
                          ? ria_rooted(sim, close_outputs, &s, "outputs are closed")
                          : close_outputs(sim, &s);
  sim->unclosed = false;
  if (s == RIA_OK) return closed;
  return ria_fail(sim->ctx, s, "%s", message);
}

/* A caller that steps in its own loop keeps the last batch size, unless something changed that
 * makes steps slower (a dry domain was flooded). */
static int64_t first_batch(const ria_sim *sim) {
  return sim->run.batch && !sim->unprepared && !sim->unforced ? sim->run.batch : 1;
}

/* What callbacks may not do, and wall time, count from here to leave. */
static void enter(ria_sim *sim) {
  sim->busy = true;
  sim->wall_from = ria_wall_clock();
}

static ria_status leave(ria_sim *sim, ria_status s) {
  sim->wall += ria_wall_clock() - sim->wall_from;
  sim->busy = false;
  return s;
}

/* closing: write the closing outputs even when all went well. */
static ria_status begin(ria_sim *sim, double t_end, int64_t steps, bool closing) {
  const double wall = sim->wall_from;
  sim->run = (ria_run){.under_way = true,
                       .closing = closing,
                       .t_end = t_end,
                       .meet = INFINITY,
                       .batch = first_batch(sim),
                       .wall0 = wall,
                       .told_wall = wall};
  ria_run *r = &sim->run;
  ria_reserve_keep(sim->ctx);
  sim->stop = sim->ended = false;
  sim->unclosed = true;
  sim->forcing->failed = 0;
  if (sim->told_wall == 0.0) sim->told_wall = wall;
  RIA_TRY(ria_forcing_covers(sim, sim->at.t, isfinite(t_end) ? t_end : sim->at.t));
  RIA_TRY(start(sim));
  RIA_TRY(ria_rooted(sim, begin_outputs, NULL, "outputs begin"));
  sim->outputs->begun = true; /* on other ranks than 0 too */
  r->t0 = sim->at.t;
  r->steps0 = r->told_steps = sim->at.steps;
  r->steps_end = steps < INT64_MAX - r->steps0 ? r->steps0 + steps : INT64_MAX;
  return RIA_OK;
}

/* The message of an interruption is in the context. */
static ria_status checkpoint_at_end(ria_sim *sim, ria_status end) {
  char message[RIA_ERROR_MAX];
  snprintf(message, sizeof message, "%s", ria_error(sim->ctx));
  const ria_status s = ria_checkpoints_end(sim, end);
  return s != RIA_OK || end == RIA_OK ? s : ria_fail(sim->ctx, end, "%s", message);
}

static ria_status end(ria_sim *sim, ria_status s) {
  sim->run.over = true;
  s = ria_ranks_end(sim->ctx, s);
  if (s == RIA_OK) s = ria_record_stand(sim, RIA_SPAN_PAUSED);
  if (sim->run.closing && !sim->run.torn && (s == RIA_OK || s == RIA_INTERRUPTED))
    s = checkpoint_at_end(sim, s);
  sim->run.under_way = sim->run.stepping = false;
  sim->interrupted = 0;
  sim->ended = s == RIA_OK && sim->at.steps > 0; /* a start alone ends nothing */
  return close_after(sim, s, sim->run.closing || s != RIA_OK);
}

static ria_status run_to(ria_sim *sim, double t_end, int64_t steps, bool closing) {
  enter(sim);
  ria_status s = begin(sim, t_end, steps, closing);
  while (s == RIA_OK && !sim->run.over) {
    s = queue_turn(sim);
    if (s == RIA_OK) s = wait_turn(sim);
  }
  return leave(sim, end(sim, s));
}

/* --- public ----------------------------------------------------------------------------------- */

static ria_status check_end(ria_sim *sim, double t_end) {
  if (isfinite(t_end) && t_end >= sim->at.t - ria_time_slack(sim->at.t)) return RIA_OK;
  char end[64], now[64];
  ria_start_tell_seconds(&sim->start, t_end, end, sizeof end);
  ria_start_tell_seconds(&sim->start, sim->at.t, now, sizeof now);
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "a run to %s%s: it must be at or after the present, %s",
                  sim->start.known ? "" : "t = ", end, now);
}

ria_status ria_sim_start(ria_sim *sim) {
  RIA_TRY(check_alive(sim, "be started"));
  return sim->started && sim->outputs->begun ? RIA_OK : run_to(sim, sim->at.t, INT64_MAX, false);
}

ria_status ria_sim_run(ria_sim *sim, double t_end) {
  RIA_TRY(check_alive(sim, "be run"));
  RIA_TRY(check_end(sim, t_end));
  return run_to(sim, t_end, INT64_MAX, true);
}

static ria_status check_queue(ria_sim *sim, double t_end) {
  const ria_run *r = &sim->run;
  RIA_TRY(ria_sim_idle(sim, "be run"));
  if (!r->under_way) {
    RIA_TRY(check_alive(sim, "be run"));
    return check_end(sim, t_end);
  }
  if (r->queued)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "steps are queued already: wait for them first (ria_sim_wait)");
  if (r->t_end == t_end) return RIA_OK;
  return ria_fail(
      sim->ctx, RIA_ERR_ARGUMENT,
      "a run to t = %.10g s is under way: it cannot be one to %.10g s before it is over", r->t_end,
      t_end);
}

ria_status ria_sim_queue(ria_sim *sim, double t_end) {
  return ria_sim_queue_before(sim, t_end, INFINITY);
}

ria_status ria_sim_queue_before(ria_sim *sim, double t_end, double t) {
  RIA_TRY(check_queue(sim, t_end));
  enter(sim);
  ria_status s = sim->run.under_way ? RIA_OK : begin(sim, t_end, INT64_MAX, true);
  sim->run.meet = t;
  if (s == RIA_OK) s = queue_turn(sim);
  sim->run.queued = s == RIA_OK;
  return leave(sim, s == RIA_OK ? s : end(sim, s));
}

ria_status ria_sim_due(ria_sim *sim, double t_end, double *next) {
  *next = INFINITY;
  RIA_TRY(check_queue(sim, t_end));
  enter(sim);
  ria_status s = sim->run.under_way ? RIA_OK : begin(sim, t_end, INT64_MAX, true);
  if (s == RIA_OK) s = begin_turn(sim);
  if (s == RIA_OK && !span_goes_on(sim)) s = run_due(sim);
  sim->run.met = false;
  const double t = ria_queue_next_callback(sim);
  if (s == RIA_OK && !sim->run.over && t <= t_end + ria_time_slack(t_end)) *next = t;
  return leave(sim, s == RIA_OK ? s : end(sim, s));
}

bool ria_sim_met(const ria_sim *sim, double t) {
  if (sim->run.over || !sim->run.under_way) return false;
  return sim->run.met || sim->at.t >= t - ria_time_slack(t);
}

ria_status ria_sim_wait(ria_sim *sim, bool *over) {
  RIA_TRY(ria_sim_idle(sim, "be waited for"));
  if (over) *over = true;
  if (!sim->run.queued)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "there are no steps to wait for: queue some first (ria_sim_queue)");
  enter(sim);
  sim->run.queued = false;
  ria_status s = wait_turn(sim);
  if (s != RIA_OK || sim->run.over) return leave(sim, end(sim, s));
  if (over) *over = false;
  return leave(sim, s);
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

ria_status ria_sim_break_off(ria_sim *sim, const char *why) {
  RIA_TRY(ria_sim_idle(sim, "be finished"));
  const bool under_way = sim->run.under_way, steps = sim->run.queued && !sim->run.over;
  if (under_way) sim->interrupted = 0;
  sim->run.under_way = sim->run.queued = false;
  ria_status s = steps ? ria_batch_wait(sim) : RIA_OK;
  sim->run.stepping = false;
  if (s == RIA_OK && under_way && why) s = ria_fail(sim->ctx, RIA_INTERRUPTED, "%s", why);
  return sim->started ? close_after(sim, s, true) : s;
}

ria_status ria_sim_finish(ria_sim *sim) { return ria_sim_break_off(sim, NULL); }

ria_status ria_sim_abandon(ria_sim *sim) {
  if (!sim->busy) return ria_sim_finish(sim);
  ria_fail(sim->ctx, RIA_INTERRUPTED, "the program ended at t = %.10g s, inside the run",
           sim->at.t);
  return sim->started ? ria_outputs_close(sim, RIA_INTERRUPTED) : RIA_OK;
}
