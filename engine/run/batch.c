/* run/batch.c - a batch of steps: what the solver must know before it, how many, queued and waited
 * for. */
#include "base/clock.h"
#include "base/context.h"
#include "base/grid.h"
#include "forcing/forcing.h"
#include "outputs/output.h"
#include "run/checkpoints.h"
#include "run/run.h"
#include <math.h>

static const double batch_seconds = 0.12; /* of wall time a batch should last */

static ria_status fail_numerical(ria_sim *sim) {
  const ria_progress *at = &sim->at;
  sim->failed = true;
  if (at->fail_i < 0)
    return ria_fail(sim->ctx, at->failure, "%s, t = %.10g s", at->fail_what, at->fail_t);
  const ria_spot spot = ria_cell_on_map(&sim->grid, at->fail_i, at->fail_j);
  return ria_fail(sim->ctx, at->failure, "%s in cell (%d, %d) at (%.10g, %.10g), t = %.10g s",
                  at->fail_what[0] ? at->fail_what : "the solution broke down", at->fail_i,
                  at->fail_j, spot.x, spot.y, at->fail_t);
}

/* What the solver must know before it steps. */
ria_status ria_batch_ready(ria_sim *sim) {
  if (sim->unforced) {
    if (isfinite(sim->run.t_end)) RIA_TRY(ria_forcing_covers(sim, sim->at.t, sim->run.t_end));
    RIA_TRY(ria_forcing_sync(sim));
  }
  if (!sim->unprepared) return RIA_OK;
  if (!sim->record.replays || !sim->started) RIA_TRY(sim->ops->prepare(sim->self, sim->at.t));
  sim->unprepared = false;
  return RIA_OK;
}

/* Steps of the next batch, from how long the last ones took. Growth is bounded: the first steps of
 * a simulation are not typical. */
static void size_batch(ria_run *r, int64_t steps, double wall, double target) {
  double fit = wall > 0.0 ? target * (double)steps / wall : 4.0 * (double)steps;
  double most = 4.0 * (double)r->batch;
  r->batch = (int64_t)fmax(1.0, fmin(fmin(fit, most), 1e9));
}

/* Seconds of wall time that a batch should last. */
static double batch_target(const ria_sim *sim) {
  if (!sim->on_progress || sim->progress_interval >= batch_seconds) return batch_seconds;
  return fmax(sim->progress_interval, 0.01);
}

/* The run that is repeated was interrupted here, and its checkpoint taken after the events. */
static ria_status pass_ended(ria_sim *sim) {
  bool done;
  while (ria_record_is_ended_here(sim)) {
    RIA_TRY(ria_forcing_sync(sim));
    RIA_TRY(ria_record_saved(sim, &done));
  }
  return RIA_OK;
}

ria_status ria_batch_queue(ria_sim *sim, double t_stop) {
  ria_run *r = &sim->run;
  RIA_TRY(pass_ended(sim));
  RIA_TRY(ria_batch_ready(sim));
  const int64_t left = r->steps_end - sim->at.steps;
  const int64_t most = ria_checkpoints_steps(sim, r->batch < left ? r->batch : left);
  r->span = (ria_span){.t_stop = t_stop, .max_steps = INT64_MAX, .t_watch = INFINITY};
  ria_outputs_watch(sim, &r->span);
  r->met = false;
  r->meets = r->meet < r->span.t_watch && r->meet < t_stop - ria_time_slack(t_stop);
  if (r->meets) r->span.t_watch = r->meet;
  r->waited = r->span.max_steps < INT64_MAX;
  r->alone = r->span.max_steps < most;
  if (!r->alone) r->span.max_steps = most;
  r->steps_before = sim->at.steps;
  const double wall = ria_wall_clock();
  bool done = false;
  RIA_TRY(ria_record_advance(sim, &done));
  if (!done) RIA_TRY(sim->ops->advance(sim->self, &r->span));
  r->took = ria_wall_clock() - wall;
  r->stepping = true;
  return RIA_OK;
}

/* Learn where the solver stands; it took `steps`. */
static ria_status arrive(ria_sim *sim, int64_t *steps) {
  const ria_span *span = &sim->run.span;
  RIA_TRY(ria_sim_settle(sim));
  if (sim->at.failure != RIA_OK) return fail_numerical(sim);
  *steps = sim->at.steps - sim->run.steps_before;
  if (*steps > 0 || sim->at.t >= span->t_stop || isfinite(span->t_watch)) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_NUMERICAL, "solver '%s' took no step at t = %.10g s",
                  sim->solver->name, sim->at.t);
}

/* A span that ended early ended before the next time of a gauge: after a look at the state there
 * one step is taken alone; or before the time at which others meet. Such spans tell how long a
 * batch takes only where they are too long themselves. */
ria_status ria_batch_wait(ria_sim *sim) {
  ria_run *r = &sim->run;
  int64_t steps = 0;
  RIA_TRY(arrive(sim, &steps));
  const bool replays = sim->record.replays;
  const ria_span_end was = replays ? sim->record.ended : RIA_SPAN_PAUSED;
  const bool landed = sim->at.t >= r->span.t_stop || was == RIA_SPAN_LANDED;
  const bool early = !landed && (replays ? was == RIA_SPAN_EARLY : steps < r->span.max_steps);
  r->landed = landed;
  if (landed || r->waited || (early && isfinite(r->span.t_watch)))
    RIA_TRY(ria_record_stand(sim, landed  ? RIA_SPAN_LANDED
                                  : early ? RIA_SPAN_EARLY
                                          : RIA_SPAN_PAUSED));
  const double target = batch_target(sim);
  if ((!early && !r->alone) || (steps > 0 && r->took > target))
    size_batch(r, steps, r->took, target);
  if (steps > 0) RIA_TRY(ria_outputs_pass(sim, landed));
  r->met = early && r->meets;
  if (r->met) return RIA_OK;
  return early && isfinite(r->span.t_watch) ? ria_outputs_look(sim, r->span.t_watch) : RIA_OK;
}
