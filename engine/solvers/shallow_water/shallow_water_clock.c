/* shallow_water_clock.c - between two steps on the CPU: input and requests of the clock
 * (shallow_water_clock_k.h); its messages, for every backend.
 *
 * Runs on one thread, in double precision, whatever the precision of the run. */
#include "shallow_water.h"
#define RIA_PRECISION double
#include "shallow_water_k.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>

/* --- what happened, in words; for every backend ----------------------------------------------- */

void sw_tell_shortest(ria_progress *p, double dt_min, const sw_reason *why, int nx) {
  const size_t size = sizeof p->dt_min_cause;
  p->dt_min = dt_min;
  p->dt_min_t = why->t;
  p->dt_min_i = why->cell % nx;
  p->dt_min_j = why->cell / nx;
  if (why->limit == SW_LIMIT_FORCING)
    snprintf(p->dt_min_cause, size, "the inflow of a boundary or a source there");
  else if (why->limit == SW_LIMIT_FLOW)
    snprintf(p->dt_min_cause, size, "speed %.3g m/s, celerity %.3g m/s, depth %.3g m", why->speed,
             why->celerity, why->depth);
  else if (why->limit == SW_LIMIT_EDDIES)
    snprintf(p->dt_min_cause, size, "eddy viscosity");
  else
    snprintf(p->dt_min_cause, size, "boundary, source or diffusion");
  if (why->limit != SW_LIMIT_EDDIES && why->eddies >= 0.05)
    ria_append(p->dt_min_cause, size, "; eddy viscosity shortens it by %.0f %%", 100 * why->eddies);
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

/* --- on the CPU ------------------------------------------------------------------------------- */

/* Why the step is the shortest so far. The flow's cell is the fastest of its block. */
static void explain(sw *s, const sw_pace *pace, sw_fastest forced) {
  const sw_const_f64 k =
      sw_constants_f64(s->param.gravity, s->param.dry_depth, s->planes.grid.dx, s->planes.grid.dy);
  void *const *state = s->state[s->now];
  const int nx = s->planes.grid.nx;
  sw_reason why = {0};
  sw_why(&s->clock, pace, forced, &why);
  const int i0 = why.cell % nx, j = why.cell / nx;
  double most = 0;
  const bool by_flow = why.limit == SW_LIMIT_FLOW || why.limit == SW_LIMIT_EDDIES;
  for (int i = i0; by_flow && i < nx && i < i0 + SW_BLOCK; i++) {
    const size_t at = sw_at(s, i, j);
    const double h = sw_get(s, state[SW_H], at), qx = sw_get(s, state[SW_STATE_QX], at),
                 qy = sw_get(s, state[SW_STATE_QY], at), speed = sw_wave_speed_f64(h, qx, qy, &k);
    if (!(speed > most)) continue;
    most = speed;
    why.cell = j * nx + i;
    sw_flow_there(&why, h, qx, qy, s->param.gravity);
  }
  sw_tell_shortest(&s->progress, s->clock.dt_min, &why, nx);
}

/* Describe the fault of a cell of the state just written; false when it has none. */
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
  p->fail_t = s->clock.t;
  for (int j = s->planes.part.j0; j < s->planes.part.j1; j++)
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
  const double area = 1.0 / (grid->dx * grid->dx) + 1.0 / (grid->dy * grid->dy);
  return (sw_pace){.cfl = p->cfl,
                   .dt_max = p->dt_max,
                   .dt_min = p->dt_min,
                   .mix = 2.0 * most * area,
                   .stirs = sw_stirs(p),
                   .eddy = p->eddy,
                   .diffusion = most,
                   .schmidt = nt ? p->schmidt : 1.0,
                   .spread = 2.0 * area,
                   .bears = 0.5 * (1.0 + p->cfl)};
}

void sw_gather(sw *s) {
  sw_found all = {0};
  for (int k = 0; k < s->planes.threads; k++)
    sw_note(&all, s->found[k].speed, s->found[k].row, s->found[k].block);
  sw_know(&s->clock, all.speed,
          all.speed > 0 ? all.row * s->planes.grid.nx + all.block * SW_BLOCK : -1);
}

void sw_take_over(sw *s) {
  bool bad = false;
  double eddy = 0;
  for (int k = 0; k < s->planes.threads; k++) {
    bad |= s->found[k].bad;
    eddy = fmax(eddy, s->found[k].eddy);
  }
  if (bad) {
    blame(s);
  } else {
    s->now = 1 - s->now;
    s->clock.eddy = eddy;
    sw_gather(s);
  }
  sw_settle(&s->clock, bad);
}

void sw_choose_step(sw *s) {
  sw_clock *c = &s->clock;
  const sw_pace pace = sw_pace_of(&s->param, &s->planes.grid, s->nt, s->diffusion);
  c->done = sw_is_over(c);
  if (c->done) return;
  sw_force_at(s, c->t);
  const sw_fastest forced = sw_forcing_speed(s, sw_longest_step(c, &pace));
  const double dt = sw_stable_step(c, &pace, sw_decisive(c, forced));
  if (sw_take_dt(c, &pace, dt)) explain(s, &pace, forced);
  if (c->failure == SW_SHORT) sw_tell_too_short(&s->progress, c->t, dt, pace.dt_min);
}
