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

/* Why the step is the shortest so far. The flow's cell is the fastest of its block: the part that
 * has it tells of it. */
static void explain(sw *s, const sw_pace *pace, sw_fastest forced) {
  const sw_const_f64 k =
      sw_constants_f64(s->param.gravity, s->param.dry_depth, s->planes.grid.dx, s->planes.grid.dy);
  void *const *state = s->state[s->now];
  const int nx = s->planes.grid.nx;
  sw_reason why = {0};
  sw_why(&s->clock, pace, forced, &why);
  const int i0 = why.cell % nx, j = why.cell / nx;
  double most = 0;
  const bool by_flow =
      (why.limit == SW_LIMIT_FLOW || why.limit == SW_LIMIT_EDDIES) && ria_planes_own(&s->planes, j);
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

/* The first bad cell of the state just written; INT64_MAX: none. */
static int64_t first_bad(const sw *s) {
  char what[sizeof s->progress.fail_what];
  for (int j = s->planes.part.j0; j < s->planes.part.j1; j++)
    for (int i = 0; i < s->planes.grid.nx; i++)
      if (wrong(s, i, j, what, sizeof what)) return (int64_t)j * s->planes.grid.nx + i;
  return INT64_MAX;
}

/* The step failed in a cell. */
static void blame(sw *s, int64_t cell) {
  ria_progress *p = &s->progress;
  p->failure = RIA_ERR_NUMERICAL;
  p->fail_t = s->clock.t;
  if (cell == INT64_MAX) return;
  p->fail_i = (int)(cell % s->planes.grid.nx);
  p->fail_j = (int)(cell / s->planes.grid.nx);
  if (ria_planes_own(&s->planes, p->fail_j))
    wrong(s, p->fail_i, p->fail_j, p->fail_what, sizeof p->fail_what);
}

sw_pace sw_pace_of(const sw_params *p, const ria_grid *grid, int nt, const double *diffusion,
                   double relaxed) {
  double most = 0;
  for (int m = 0; m < nt; m++)
    if (diffusion[m] > most) most = diffusion[m];
  const double area = 1.0 / (grid->dx * grid->dx) + 1.0 / (grid->dy * grid->dy);
  return (sw_pace){.cfl = p->cfl,
                   .dt_max = p->dt_max,
                   .dt_min = p->dt_min,
                   .mix = 2.0 * most * area,
                   .relaxed = relaxed,
                   .stirs = sw_stirs(p),
                   .eddy = p->eddy,
                   .diffusion = most,
                   .schmidt = nt ? p->schmidt : 1.0,
                   .spread = 2.0 * area,
                   .bears = 0.5 * (1.0 + p->cfl)};
}

/* The largest of a kind, and its place. */
static void put(ria_meeting *m, int kind, double most, int64_t where) {
  m->most[kind] = most;
  m->where[kind] = where;
}

ria_meeting sw_gather(const sw *s) {
  sw_found all = {0};
  ria_meeting m = {.n_list = 0};
  for (int k = 0; k < s->planes.threads; k++) {
    const sw_found *f = &s->found[k];
    sw_note(&all, f->speed, f->row, f->block);
    all.bad |= f->bad;
    all.eddy = fmax(all.eddy, f->eddy);
  }
  const int64_t cell = (int64_t)all.row * s->planes.grid.nx + all.block * SW_BLOCK;
  put(&m, SW_SPEED, all.speed, all.speed > 0 ? cell : -1);
  put(&m, SW_EDDY, all.eddy, 0);
  if (all.bad) put(&m, SW_FAULT, 1, first_bad(s));
  return m;
}

void sw_take_over(sw *s, const ria_meeting *all) {
  const bool bad = all->most[SW_FAULT] > 0;
  if (bad) {
    blame(s, all->where[SW_FAULT]);
  } else {
    s->now = 1 - s->now;
    s->clock.eddy = all->most[SW_EDDY];
    sw_know(&s->clock, all->most[SW_SPEED], (int32_t)all->where[SW_SPEED]);
  }
  sw_settle(&s->clock, bad);
}

bool sw_ask(sw *s, ria_meeting *m) {
  sw_clock *c = &s->clock;
  const sw_pace pace = sw_pace_of(&s->param, &s->planes.grid, s->nt, s->diffusion, s->relaxed);
  c->done = sw_is_over(c);
  if (c->done) return false;
  sw_force_at(s, c->t);
  *m = (ria_meeting){.n_list = 0};
  sw_asked asked = sw_forcing_speed(s, sw_longest_step(c, &pace));
  put(m, SW_ASKED, asked.speed, asked.place);
  put(m, SW_LIVE, asked.live, 0);
  return true;
}

void sw_choose_step(sw *s, const ria_meeting *all) {
  sw_clock *c = &s->clock;
  const ria_grid *g = &s->planes.grid;
  const sw_pace pace = sw_pace_of(&s->param, g, s->nt, s->diffusion, s->relaxed);
  const int64_t place = all->where[SW_ASKED];
  const sw_fastest forced =
      sw_forced(all->most[SW_ASKED], place < 0 ? -1 : (int32_t)(place & INT32_MAX),
                all->most[SW_LIVE] > 0, sw_forced_least(g->dx, g->dy, s->param.gravity));
  const double dt = sw_stable_step(c, &pace, sw_decisive(c, forced));
  if (sw_take_dt(c, &pace, dt)) explain(s, &pace, forced);
  if (c->failure == SW_SHORT) sw_tell_too_short(&s->progress, c->t, dt, pace.dt_min);
}

bool sw_next(sw *s, bool stepped) {
  ria_meeting m;
  if (!ria_planes_whole(&s->planes)) return !stepped; /* it is chosen */
  if (stepped) {
    m = sw_gather(s);
    sw_take_over(s, &m);
  }
  if (!sw_ask(s, &m)) return false;
  sw_choose_step(s, &m);
  return !s->clock.done;
}
