/* shallow_water_clock.c - between two steps: what was found, how far to go next, and what went
 * wrong.
 *
 * Runs on one thread, in double precision, whatever the precision of the run. */
#include "shallow_water.h"
#define RIA_PRECISION double
#include "shallow_water_k.h"

#include <math.h>
#include <stdio.h>

/* --- what happened, in words; for every backend ------------------------------------------------
 */

void sw_tell_cause(ria_progress *p, sw_limit limit, double speed, double celerity, double depth) {
  const size_t size = sizeof p->dt_min_cause;
  if (limit == SW_LIMIT_FORCING)
    snprintf(p->dt_min_cause, size, "the inflow of a boundary or a source there");
  else if (limit == SW_LIMIT_FLOW)
    snprintf(p->dt_min_cause, size, "speed %.3g m/s, celerity %.3g m/s, depth %.3g m", speed,
             celerity, depth);
  else
    snprintf(p->dt_min_cause, size, "boundary, source or diffusion");
}

void sw_tell_too_short(ria_progress *p, double t, double dt, double dt_min) {
  p->failure = RIA_ERR_NUMERICAL;
  p->fail_t = t;
  p->fail_i = p->dt_min_i;
  p->fail_j = p->dt_min_j;
  snprintf(p->fail_what, sizeof p->fail_what, "the time step %.3g s fell below dt_min = %.3g s: %s",
           dt, dt_min, p->dt_min_cause);
}

bool sw_tell_wrong(double h, double qx, double qy, const double *load, int nt, char *what,
                   size_t size) {
  const double q = hypot(qx, qy);
  if (!(h >= 0 && h < 1e30 && q < 1e30)) {
    snprintf(what, size, "not a number or out of range: depth %g m, discharge %g m^2/s", h, q);
    return true;
  }
  for (int m = 0; m < nt; m++) {
    if (fabs(load[m]) < 1e30) continue;
    snprintf(what, size, "not a number or out of range: load %g kg/m^2 of tracer %d", load[m],
             m + 1);
    return true;
  }
  return false;
}

/* --- on the CPU ---------------------------------------------------------------------------------
 */

/* Find the cell of a block of the present state whose wave speed is `speed`, and say why. */
static void explain(sw *s, double dt) {
  ria_progress *p = &s->progress;
  p->dt_min = dt;
  p->dt_min_t = s->t;
  if (s->forced_cell >= 0) {
    p->dt_min_i = s->forced_cell % s->planes.grid.nx;
    p->dt_min_j = s->forced_cell / s->planes.grid.nx;
    sw_tell_cause(p, SW_LIMIT_FORCING, 0, 0, 0);
    return;
  }
  const int i0 = s->speed_block * SW_BLOCK, j = s->speed_row;
  int best = i0;
  const sw_const_f64 k =
      sw_constants_f64(s->p.gravity, s->p.dry_depth, s->planes.grid.dx, s->planes.grid.dy);
  double most = 0, u = 0, v = 0, h = 0;
  for (int i = i0; i < s->planes.grid.nx && i < i0 + SW_BLOCK; i++) {
    size_t at = sw_at(s, i, j);
    const double d = sw_get(s, s->state[s->now][SW_H], at);
    const double a = sw_get(s, s->state[s->now][SW_STATE_QX], at);
    const double b = sw_get(s, s->state[s->now][SW_STATE_QY], at);
    const double speed = sw_wave_speed_f64(d, a, b, &k);
    if (speed > most) most = speed, best = i, u = a / d, v = b / d, h = d;
  }
  p->dt_min_i = best;
  p->dt_min_j = j;
  sw_tell_cause(p, most > 0 ? SW_LIMIT_FLOW : SW_LIMIT_OTHER, hypot(u, v), sqrt(s->p.gravity * h),
                h);
}

/* What is wrong with a cell of the state just written; false when nothing is. */
static bool wrong(const sw *s, int i, int j, char *what, size_t size) {
  const size_t at = sw_at(s, i, j);
  void *const *state = s->state[1 - s->now];
  double load[RIA_MAX_TRACERS];
  for (int m = 0; m < s->nt; m++) load[m] = sw_get(s, state[SW_STATE_C + m], at);
  return sw_tell_wrong(sw_get(s, state[SW_H], at), sw_get(s, state[SW_STATE_QX], at),
                       sw_get(s, state[SW_STATE_QY], at), load, s->nt, what, size);
}

/* Find the first bad cell of a step that failed. */
static void blame(sw *s) {
  ria_progress *p = &s->progress;
  p->failure = RIA_ERR_NUMERICAL;
  p->fail_t = s->t;
  for (int j = 0; j < s->planes.grid.ny; j++)
    for (int i = 0; i < s->planes.grid.nx; i++)
      if (wrong(s, i, j, p->fail_what, sizeof p->fail_what)) {
        p->fail_i = i;
        p->fail_j = j;
        return;
      }
}

sw_pace sw_pace_of(const sw_params *p, const ria_grid *grid, int nt, const double *diffusion) {
  double most = 0;
  for (int m = 0; m < nt; m++)
    if (diffusion[m] > most) most = diffusion[m];
  const double mix = 2.0 * most * (1.0 / (grid->dx * grid->dx) + 1.0 / (grid->dy * grid->dy));
  return (sw_pace){p->cfl, p->dt_max, p->dt_min, mix};
}

/* What the threads found together becomes what is known of the present state. */
void sw_gather(sw *s) {
  sw_found all = {0};
  for (int k = 0; k < s->planes.threads; k++)
    sw_note(&all, s->found[k].speed, s->found[k].row, s->found[k].block);
  s->speed = all.speed;
  s->speed_row = all.row;
  s->speed_block = all.block;
}

/* Take over the step just done. A bad one does not count: the present state stays the last good
 * one. */
void sw_settle(sw *s) {
  for (int k = 0; k < s->planes.threads; k++)
    if (s->found[k].bad) {
      blame(s);
      return;
    }
  s->now = 1 - s->now;
  s->steps++;
  sw_gather(s);
}

/* Choose dt at the present state; 0 = nothing to do, t_watch would be reached, or a failure. The
 * last step to t_stop is shortened to land on it, and the one before shares the remainder so that
 * none is tiny. */
double sw_choose_dt(sw *s, const ria_span *span, bool *last) {
  const double left = span->t_stop - s->t;
  *last = false;
  if (left <= 0) return 0;
  const sw_pace pace = sw_pace_of(&s->p, &s->planes.grid, s->nt, s->diffusion);
  sw_force_at(s, s->t);
  const double guess = sw_stable_step(&pace, s->speed, left);
  const double forced = sw_forcing_speed(s, guess < left ? guess : left);
  if (!(forced > s->speed)) s->forced_cell = -1;
  const double dt = sw_stable_step(&pace, forced > s->speed ? forced : s->speed, left);
  if (dt < s->progress.dt_min) explain(s, dt);
  if (!(dt >= s->p.dt_min)) {
    sw_tell_too_short(&s->progress, s->t, dt, s->p.dt_min);
    return 0;
  }
  int landing;
  const double step = ria_landing_step(dt, left, &landing);
  *last = landing;
  return ria_step_reaches(s->t, step, landing, span->t_stop, span->t_watch) ? 0 : step;
}
