/* adi_clock.c - between two steps: how far to go next, and what went wrong.
 *
 * Steps are of one length, a parameter. A span that it does not divide is cut into equal steps that
 * are a little shorter, so that events are met exactly without a last step that is tiny. */
#include "adi.h"
#define RIA_PRECISION double
#include "adi_k.h"
#undef RIA_PRECISION

#include <math.h>
#include <stdio.h>

static const double agree = 1e-9; /* of two lengths of a step: they are one */

/* --- the automatic step -------------------------------------------------------------------------
 *
 * As long as `courant` says for the deepest water, but no longer than the fastest water takes for
 * ADI_CELLS of a cell, be it there or about to come in. */

bool adi_look_due(const adi *s, int64_t steps) {
  return !(s->p.dt > 0) && (s->look_now || s->driven || steps % ADI_LOOK == 0);
}

void adi_see(adi_seen *seen, const adi_seen *more) {
  if (more->deepest > seen->deepest) seen->deepest = more->deepest;
  if (more->flow > seen->flow) {
    seen->flow = more->flow;
    seen->flow_cell = more->flow_cell;
  }
  if (!(more->rate > seen->rate)) return;
  seen->rate = more->rate;
  seen->cell = more->cell;
  seen->forced = more->forced;
}

/* The length by waves follows the depth in strides: a step that changed with every tide would make
 * the scheme's order less. */
static void follow_waves(adi *s, double deepest) {
  const double cell = s->planes.grid.dx < s->planes.grid.dy ? s->planes.grid.dx : s->planes.grid.dy;
  const double depth = deepest > s->p.drying_depth ? deepest : s->p.flooding_depth;
  const double wave = s->p.courant * cell / sqrt(s->p.gravity * depth);
  if (!(wave > 0.8 * s->dt_wave && wave < 1.25 * s->dt_wave)) s->dt_wave = wave;
}

void adi_first_pace(adi *s, double deepest) {
  s->dt_cell = -1;
  s->dt_full = s->p.dt;
  if (s->p.dt > 0) return;
  follow_waves(s, deepest);
  s->dt_full = s->dt_wave;
}

/* Two digits, rounded down. */
static double at_most(double v) {
  const double unit = pow(10, floor(log10(v)) - 1);
  return floor(v / unit * (1 + 1e-12)) * unit;
}

static void outrun(adi *s, const adi_seen *seen, double crossed) {
  ria_progress *p = &s->progress;
  p->failure = RIA_ERR_NUMERICAL;
  p->fail_t = s->t;
  p->fail_i = seen->flow_cell % s->planes.grid.nx;
  p->fail_j = seen->flow_cell / s->planes.grid.nx;
  snprintf(p->fail_what, sizeof p->fail_what,
           "the flow outran the automatic time step: it crosses %.3g cells in %.4g s; set dt, to "
           "%g s or less",
           crossed, s->dt, at_most(s->dt / crossed));
}

void adi_pace(adi *s, const adi_seen *seen) {
  const double cell = s->planes.grid.dx < s->planes.grid.dy ? s->planes.grid.dx : s->planes.grid.dy;
  const double most = seen->rate > 0 ? ADI_CELLS / seen->rate : HUGE_VAL;
  follow_waves(s, seen->deepest);
  s->dt_full = s->dt_wave;
  if (s->p.eddy > 0) s->dt_full = fmin(s->dt_full, cell * cell / (4 * s->p.eddy));
  s->dt_cell = most < s->dt_full ? seen->cell : -1;
  s->dt_forced = seen->forced;
  s->dt_full = fmin(s->dt_full, most);
  if (s->steps > 0 && !s->look_now && seen->flow * s->dt > 1) outrun(s, seen, seen->flow * s->dt);
  s->look_now = false;
}

/* --- the clock -----------------------------------------------------------------------------------
 */

/* Why the shortest step so far is as short. */
static void tell_shortest(adi *s, bool cut) {
  ria_progress *p = &s->progress;
  const bool by_cell = s->p.dt <= 0 && s->dt_cell >= 0 && !cut;
  p->dt_min_i = by_cell ? s->dt_cell % s->planes.grid.nx : -1; /* -1: no one cell asks for it */
  p->dt_min_j = by_cell ? s->dt_cell / s->planes.grid.nx : -1;
  snprintf(p->dt_min_cause, sizeof p->dt_min_cause,
           cut            ? "dt = %.4g s, cut to meet an event"
           : !by_cell     ? "dt = %.4g s as it was set"
           : s->dt_forced ? "dt = %.4g s for the inflow of a boundary or a source there"
                          : "dt = %.4g s, in which the flow crosses half a cell",
           s->dt_full);
}

double adi_choose_dt(adi *s, const ria_span *span, bool *last) {
  const double left = span->t_stop - s->t, full = s->dt_full;
  *last = false;
  if (left <= 0) return 0;
  const double n = fmax(1, ceil(left / full - agree));
  *last = n == 1;
  const double dt = left / n;
  const double step = !*last && fabs(dt - full) < agree * full ? full : dt;
  if (step < s->progress.dt_min) {
    s->progress.dt_min = step;
    s->progress.dt_min_t = s->t;
    tell_shortest(s, step < full);
  }
  return ria_step_reaches(s->t, step, *last, span->t_stop, span->t_watch) ? 0 : step;
}

bool adi_anything_bad(const adi *s) {
  for (int k = 0; k < s->planes.threads; k++)
    if (s->found[k].bad) return true;
  return false;
}

void adi_gather_fastest(adi *s) {
  adi_fastest *f = &s->fastest;
  for (int k = 0; k < s->planes.threads; k++) {
    const adi_found *found = &s->found[k];
    if (found->courant > f->courant)
      *f = (adi_fastest){found->courant, s->t, s->dt, found->cell};
    else if (found->courant == f->courant && f->t == s->t && found->cell < f->cell)
      f->cell = found->cell;
  }
}

void adi_warn(const adi *s, ria_progress *p) {
  const adi_fastest *f = &s->fastest;
  if (!(f->courant > 1) || !(s->p.dt > 0)) return; /* the automatic step says what is too fast */
  snprintf(
      p->warning, sizeof p->warning,
      "flow is held back where it crosses more than a cell a step: %.3g cells in cell (%d, %d) "
      "at %.6g s; try dt = %g",
      f->courant, f->cell % s->planes.grid.nx, f->cell / s->planes.grid.nx, f->t,
      at_most(f->dt / f->courant));
}

void adi_blame(adi *s, const void *level, const void *flux) {
  ria_progress *p = &s->progress;
  p->failure = RIA_ERR_NUMERICAL;
  p->fail_t = s->t;
  for (int j = 0; j < s->planes.grid.ny; j++)
    for (int i = 0; i < s->planes.grid.nx; i++) {
      const size_t at = adi_at(s, i, j);
      const double z = adi_get(s, level, at), q = adi_get(s, flux, at);
      if (fabs(z) < 1e30 && fabs(q) < 1e30) continue;
      p->fail_i = i;
      p->fail_j = j;
      snprintf(p->fail_what, sizeof p->fail_what,
               "not a number or out of range: level %g m, discharge %g m^2/s; try a shorter dt", z,
               q);
      return;
    }
  snprintf(p->fail_what, sizeof p->fail_what, "not a number or out of range");
}
