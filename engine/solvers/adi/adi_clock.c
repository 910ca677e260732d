/* adi_clock.c - between two steps: how far to go next, and what went wrong.
 *
 * Steps are of one length, a parameter. A span that it does not divide is cut into equal steps that
 * are a little shorter, so that events are met exactly without a last step that is tiny. */
#include "adi.h"

#include <math.h>
#include <stdio.h>

static const double agree = 1e-9; /* of two lengths of a step: they are one */

void adi_choose_full(adi *s) {
  double deepest = 0;
  for (int j = 0; j < s->planes.grid.ny; j++)
    for (int i = 0; i < s->planes.grid.nx; i++) {
      const double h = adi_depth_at(s, adi_at(s, i, j));
      if (h > deepest) deepest = h;
    }
  const double cell = s->planes.grid.dx < s->planes.grid.dy ? s->planes.grid.dx : s->planes.grid.dy;
  if (s->p.dt > 0)
    s->dt_full = s->p.dt;
  else if (deepest > s->p.drying_depth)
    s->dt_full = s->p.courant * cell / sqrt(s->p.gravity * deepest);
  else
    s->dt_full = s->p.courant * cell / sqrt(s->p.gravity * s->p.flooding_depth);
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
    s->progress.dt_min_i = s->progress.dt_min_j = -1; /* no one cell asks for it */
    snprintf(s->progress.dt_min_cause, sizeof s->progress.dt_min_cause,
             step < full ? "dt = %.4g s, cut to meet an event" : "dt = %.4g s as it was set", full);
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

/* Two digits, rounded down. */
static double at_most(double v) {
  const double unit = pow(10, floor(log10(v)) - 1);
  return floor(v / unit * (1 + 1e-12)) * unit;
}

void adi_warn(const adi *s, ria_progress *p) {
  const adi_fastest *f = &s->fastest;
  if (!(f->courant > 1)) return;
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
