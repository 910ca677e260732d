/* adi_clock.c - what the clock (adi_clock_k.h) says in words, and what went wrong in a sweep. */
#include "adi.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

adi_rules adi_rules_of(const adi_params *p, const ria_grid *grid) {
  return (adi_rules){.dt = p->dt,
                     .courant = p->courant,
                     .gravity = p->gravity,
                     .drying = p->drying_depth,
                     .flooding = p->flooding_depth,
                     .eddy = p->eddy,
                     .cell = grid->dx < grid->dy ? grid->dx : grid->dy,
                     .watched = p->ceiling > 0};
}

adi_clock adi_clock_of(void) {
  return (adi_clock){.dt_min = DBL_MAX, .ceiling = HUGE_VAL, .dt_cell = -1};
}

void adi_begin_span(adi_clock *c, const ria_span *span) {
  c->t_stop = span->t_stop;
  c->t_watch = span->t_watch;
  c->steps_stop = span->max_steps < INT64_MAX - c->steps ? c->steps + span->max_steps : INT64_MAX;
}

/* Two digits, rounded down. */
static double at_most(double v) {
  const double unit = pow(10, floor(log10(v)) - 1);
  return floor(v / unit * (1 + 1e-12)) * unit;
}

static void tell_shortest(const adi_clock *c, const ria_grid *g, ria_progress *out) {
  static const char *const why[] = {
      [ADI_AS_SET] = "dt = %.4g s as it was set",
      [ADI_CUT] = "dt = %.4g s, cut to meet an event",
      [ADI_FLOW_THERE] = "dt = %.4g s, in which the flow crosses half a cell",
      [ADI_FORCED_THERE] = "dt = %.4g s for the inflow of a boundary or a source there"};
  out->dt_min = c->dt_min;
  out->dt_min_t = c->dt_min_t;
  out->dt_min_i = out->dt_min_j = -1; /* no one cell asks for it */
  if (!(c->dt_min < DBL_MAX)) return;
  if (c->dt_min_cell >= 0) {
    out->dt_min_i = c->dt_min_cell % g->nx;
    out->dt_min_j = c->dt_min_cell / g->nx;
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(out->dt_min_cause, sizeof out->dt_min_cause, why[c->dt_min_why], c->dt_min_full);
#pragma GCC diagnostic pop
}

static void tell_failure(const adi_clock *c, const adi_rules *r, const adi_given *given,
                         ria_progress *out) {
  char remedy[48] = "a shorter dt, or dt = 0";
  if (!(r->dt > 0)) snprintf(remedy, sizeof remedy, "dt, to %g s or less", at_most(0.5 * c->dt));
  if (c->failure == ADI_OUTRUN)
    snprintf(out->fail_what, sizeof out->fail_what,
             "the flow outran the automatic time step: it crosses %.3g cells in %.4g s; set dt, to "
             "%g s or less",
             c->fail_value, c->dt, at_most(c->dt / c->fail_value));
  if (c->failure == ADI_HIGH)
    snprintf(out->fail_what, sizeof out->fail_what,
             "the level runs away: it is %.4g m, where nothing that was given stands above %.4g m; "
             "set %s (ceiling = 0 lets it run)",
             c->fail_value, given->top, remedy);
}

void adi_tell(const adi_clock *c, const adi_rules *r, const adi_given *given, const ria_grid *grid,
              ria_progress *out) {
  out->t = c->t;
  out->steps = c->steps;
  out->dt = c->dt;
  tell_shortest(c, grid, out);
  if (c->failure == ADI_WELL || c->failure == ADI_BAD) return;
  out->failure = RIA_ERR_NUMERICAL;
  out->fail_t = c->fail_t;
  out->fail_i = c->fail_cell % grid->nx;
  out->fail_j = c->fail_cell / grid->nx;
  tell_failure(c, r, given, out);
}

/* --- sweeps ----------------------------------------------------------------------------------- */

bool adi_anything_bad(const adi *s) {
  for (int k = 0; k < s->planes.threads; k++)
    if (s->found[k].bad) return true;
  return false;
}

void adi_know_fast(adi *s, double courant, int cell) {
  adi_fastest *f = &s->fastest;
  if (courant > f->courant)
    *f = (adi_fastest){courant, s->clock.t, s->clock.dt, cell};
  else if (courant == f->courant && f->t == s->clock.t && cell < f->cell)
    f->cell = cell;
}

void adi_warn(const adi *s, ria_progress *p) {
  const adi_fastest *f = &s->fastest;
  if (!(f->courant > 1) || !(s->param.dt > 0))
    return; /* the automatic step says what is too fast */
  snprintf(
      p->warning, sizeof p->warning,
      "flow is held back where it crosses more than a cell a step: %.3g cells in cell (%d, %d) "
      "at %.6g s; try dt = %g",
      f->courant, f->cell % s->planes.grid.nx, f->cell / s->planes.grid.nx, f->t,
      at_most(f->dt / f->courant));
}

void adi_tell_bad(ria_progress *p, const ria_grid *grid, double t, int64_t cell, double level,
                  double flux) {
  p->failure = RIA_ERR_NUMERICAL;
  p->fail_t = t;
  p->fail_i = cell < 0 ? -1 : (int)(cell % grid->nx);
  p->fail_j = cell < 0 ? -1 : (int)(cell / grid->nx);
  snprintf(p->fail_what, sizeof p->fail_what, "not a number or out of range");
  if (cell >= 0)
    snprintf(p->fail_what, sizeof p->fail_what,
             "not a number or out of range: level %g m, discharge %g m^2/s; try a shorter dt",
             level, flux);
}

int adi_bad_cell(const adi *s, const void *level, const void *flux) {
  for (int j = s->planes.part.j0; j < s->planes.part.j1; j++)
    for (int i = 0; i < s->planes.grid.nx; i++) {
      const size_t at = adi_at(s, i, j);
      if (fabs(adi_get(s, level, at)) < 1e30 && fabs(adi_get(s, flux, at)) < 1e30) continue;
      return j * s->planes.grid.nx + i;
    }
  return -1;
}

void adi_blame_cell(adi *s, const void *level, const void *flux, int cell) {
  const ria_grid *g = &s->planes.grid;
  s->clock.failure = ADI_BAD;
  const bool own = cell >= 0 && ria_planes_own(&s->planes, cell / g->nx);
  const size_t at = own ? adi_at(s, cell % g->nx, cell / g->nx) : 0;
  adi_tell_bad(&s->progress, g, s->clock.t, cell, own ? adi_get(s, level, at) : 0,
               own ? adi_get(s, flux, at) : 0);
}

void adi_blame(adi *s, const void *level, const void *flux) {
  adi_blame_cell(s, level, flux, adi_bad_cell(s, level, flux));
}
