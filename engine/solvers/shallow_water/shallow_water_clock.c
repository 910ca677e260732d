/* shallow_water_clock.c - between two steps: what was found, how far to go next, and what went
 * wrong.
 *
 * Runs on one thread, in double precision, whatever the precision of the run. */
#include "shallow_water.h"

#include <math.h>
#include <stdio.h>

/* Find the cell of a block of the present state whose wave speed is `speed`, and say why. */
static void explain(sw *s, double dt) {
  ria_progress *p = &s->progress;
  if (s->forced_cell >= 0) {
    p->dt_min = dt;
    p->dt_min_t = s->t;
    p->dt_min_i = s->forced_cell % s->grid.nx;
    p->dt_min_j = s->forced_cell / s->grid.nx;
    snprintf(p->dt_min_cause, sizeof p->dt_min_cause, "what a boundary or a source brings there");
    return;
  }
  const int i0 = s->speed_block * SW_BLOCK, j = s->speed_row;
  int best = i0;
  double most = -1.0, u = 0, v = 0, h = 0;
  for (int i = i0; i < s->grid.nx && i < i0 + SW_BLOCK; i++) {
    size_t at = sw_at(s, i, j);
    double d = sw_get(s, s->state[s->now][SW_H], at);
    if (!(d > s->p.dry_depth)) continue;
    double a = fabs(sw_get(s, s->state[s->now][SW_STATE_QX], at)) / d;
    double b = fabs(sw_get(s, s->state[s->now][SW_STATE_QY], at)) / d;
    double c = sqrt(s->p.gravity * d), sp = (a + c) / s->grid.dx + (b + c) / s->grid.dy;
    if (sp > most) most = sp, best = i, u = a, v = b, h = d;
  }
  p->dt_min = dt;
  p->dt_min_t = s->t;
  p->dt_min_i = best;
  p->dt_min_j = j;
  if (most >= 0)
    snprintf(p->dt_min_cause, sizeof p->dt_min_cause,
             "speed %.3g m/s, celerity %.3g m/s, depth %.3g m", hypot(u, v), sqrt(s->p.gravity * h),
             h);
  else
    snprintf(p->dt_min_cause, sizeof p->dt_min_cause, "boundary, source or diffusion");
}

/* What is wrong with a cell of the state just written; false when nothing is. */
static bool wrong(const sw *s, int i, int j, char *what, size_t size) {
  const size_t at = sw_at(s, i, j);
  void *const *state = s->state[1 - s->now];
  const double h = sw_get(s, state[SW_H], at);
  const double q = hypot(sw_get(s, state[SW_STATE_QX], at), sw_get(s, state[SW_STATE_QY], at));
  if (!(h >= 0 && h < 1e30 && q < 1e30)) {
    snprintf(what, size, "not a number or out of range: depth %g m, discharge %g m^2/s", h, q);
    return true;
  }
  for (int m = 0; m < s->nt; m++) {
    const double c = sw_get(s, state[SW_STATE_C + m], at);
    if (fabs(c) < 1e30) continue;
    snprintf(what, size, "not a number or out of range: load %g kg/m^2 of tracer %d", c, m + 1);
    return true;
  }
  return false;
}

/* Find the first bad cell of a step that failed. */
static void blame(sw *s) {
  ria_progress *p = &s->progress;
  p->failure = RIA_ERR_NUMERICAL;
  p->fail_t = s->t;
  for (int j = 0; j < s->grid.ny; j++)
    for (int i = 0; i < s->grid.nx; i++)
      if (wrong(s, i, j, p->fail_what, sizeof p->fail_what)) {
        p->fail_i = i;
        p->fail_j = j;
        return;
      }
}

/* What the threads found together becomes what is known of the present state. */
void sw_gather(sw *s) {
  sw_found all = {0};
  for (int k = 0; k < s->threads; k++)
    sw_note(&all, s->found[k].speed, s->found[k].row, s->found[k].block);
  s->speed = all.speed;
  s->speed_row = all.row;
  s->speed_block = all.block;
}

/* Take over the step just done. A bad one does not count: the present state stays the last good
 * one. */
void sw_settle(sw *s) {
  for (int k = 0; k < s->threads; k++)
    if (s->found[k].bad) {
      blame(s);
      return;
    }
  s->now = 1 - s->now;
  s->steps++;
  sw_gather(s);
}

/* Choose dt at the present state; 0 = nothing to do or a failure. The last step to t_stop is
 * shortened to land on it, and the one before shares the remainder so that none is tiny. */
double sw_choose_dt(sw *s, const ria_span *span, bool *last) {
  const double left = span->t_stop - s->t;
  *last = false;
  if (left <= 0) return 0;
  double mix = 0;
  for (int m = 0; m < s->nt; m++)
    if (s->diffusion[m] > mix) mix = s->diffusion[m];
  mix *= 2.0 * (1.0 / (s->grid.dx * s->grid.dx) + 1.0 / (s->grid.dy * s->grid.dy));
  sw_force_at(s, s->t);
  double speed = s->speed + mix;
  double guess = speed > 0 ? s->p.cfl / speed : left;
  double forced = sw_forcing_speed(s, guess < left ? guess : left) + mix;
  if (forced > speed)
    speed = forced;
  else
    s->forced_cell = -1;
  double dt = speed > 0 ? s->p.cfl / speed : left;
  if (s->p.dt_max > 0 && dt > s->p.dt_max) dt = s->p.dt_max;
  if (dt < s->progress.dt_min) explain(s, dt);
  if (!(dt >= s->p.dt_min)) {
    ria_progress *p = &s->progress;
    p->failure = RIA_ERR_NUMERICAL;
    p->fail_t = s->t;
    p->fail_i = p->dt_min_i;
    p->fail_j = p->dt_min_j;
    snprintf(p->fail_what, sizeof p->fail_what,
             "the time step %.3g s fell below dt_min = %.3g s: %s", dt, s->p.dt_min,
             p->dt_min_cause);
    return 0;
  }
  if (dt >= left) {
    *last = true;
    return left;
  }
  return 2 * dt > left ? 0.5 * left : dt;
}
