/* shallow_water_clock_k.h - the clock of the shallow-water solver: what a step leaves, how far the
 * next one goes, what ends a span, what ends a run.
 *
 * In double precision whatever the precision of the run; by gcc and by nvcc, by one thread. On a
 * GPU the clock stays on the device, where warps share the work of asking for speeds. No loops over
 * cells; those are in shallow_water_clock.c and shallow_water_forcing.c, and in
 * gpu/shallow_water/tick.cuh.
 *
 * From step to step: sw_know what it found, sw_settle it; unless the span sw_is_over, ask forcing
 * for its speed (sw_forced) and take the step that follows (sw_take_dt). */
#ifndef SHALLOW_WATER_CLOCK_K_H
#define SHALLOW_WATER_CLOCK_K_H
#include "solvers/shared/water/boundary_k.h"
#include <ria/solver.h>

/* --- speeds that forcing asks for ------------------------------------------------------------- */

/* Wave speed (1/s) that a step of dt with `rate` (m/s of depth, > 0) asks for: the speed with what
 * dt would add; from dry, at most that at which dt reaches cfl. rdx, rdy: 1/dx, 1/dy. */
RIA_KERNEL double sw_source_speed(double h, double qx, double qy, double rate, double dt, double g,
                                  double dry, double cfl, double rdx, double rdy) {
  const double speed = sqrt(g * (h + rate * dt)) * (rdx + rdy);
  if (h > dry) return speed + fabs(qx) / h * rdx + fabs(qy) / h * rdy;
  const double grow = cbrt(g * rate) * pow((rdx + rdy) / cfl, 2.0 / 3.0) * cfl;
  return speed < grow ? speed : grow;
}

/* A domain that forcing may wet steps at least as often as 10 cm of water would (less in flumes,
 * whose cells are smaller than that). */
RIA_KERNEL double sw_forced_least(double dx, double dy, double g) {
  const double cell = dx < dy ? dx : dy;
  return sqrt(g * 0.1 * (cell < 1 ? cell : 1)) * (1.0 / dx + 1.0 / dy);
}

/* The speed that forcing asks for, 1/s, and in which cell; -1 = in none. */
typedef struct sw_fastest {
  double speed;
  int32_t cell;
} sw_fastest;

/* asked: by a boundary or a source in `cell`; live: forcing may wet the domain; least: of
 * sw_forced_least. */
RIA_KERNEL sw_fastest sw_forced(double asked, int32_t cell, int live, double least) {
  const sw_fastest f = {live ? fmax(asked, least) : asked, cell};
  return f;
}

/* --- the clock -------------------------------------------------------------------------------- */

enum { SW_WELL, SW_BAD, SW_SHORT }; /* failures: a step wrote an invalid state; dt < dt_min */

typedef struct sw_clock {
  double t, dt; /* dt: of the step under way, or the last one */
  double t_stop, t_watch;
  int64_t todo, steps;
  double speed;  /* of the present state, 1/s */
  double dt_min; /* the shortest stable step so far */
  double eddy;   /* the greatest that Smagorinsky's formula asked for in the last step, m^2/s */
  int32_t speed_cell; /* where; -1 = nowhere. The CPU names the first cell of a block of a row */
  int last;           /* the step under way lands on t_stop */
  int done;           /* nothing to step until the next span */
  int failure;
} sw_clock;

/* What dt is chosen by. */
typedef struct sw_pace {
  double cfl, dt_max, dt_min; /* parameters of the run */
  double mix;                 /* 2 D (1/dx^2 + 1/dy^2) of the greatest diffusion, 1/s */
  double relaxed;             /* the fastest wave that layers with targets may bring, 1/s */

  int stirs;                 /* there are eddies: */
  double eddy;               /* their constant viscosity, m^2/s */
  double diffusion, schmidt; /* the greatest of tracers; 0 and 1 without them */
  double spread;             /* 2 (1/dx^2 + 1/dy^2), 1/m^2 */
  double bears;              /* the Courant number of waves and eddies together: (1 + cfl) / 2 */
} sw_pace;

/* After a failure nothing is stepped. */
RIA_KERNEL void sw_begin_span(sw_clock *c, const ria_span *span) {
  c->t_stop = span->t_stop;
  c->t_watch = span->t_watch;
  c->todo = span->max_steps;
  c->done = c->failure != SW_WELL;
}

/* The largest speed of the present state, and where. */
RIA_KERNEL void sw_know(sw_clock *c, double speed, int32_t cell) {
  c->speed = speed;
  c->speed_cell = cell;
}

/* When the step under way ends. */
RIA_KERNEL double sw_step_end(const sw_clock *c) { return c->last ? c->t_stop : c->t + c->dt; }

/* The step just done counts, unless it is bad: then the present state stays the last good one. */
RIA_KERNEL void sw_settle(sw_clock *c, int bad) {
  c->failure = bad ? SW_BAD : c->failure;
  c->done |= bad;
  if (bad) return;
  c->steps++;
  c->todo--;
  c->t = sw_step_end(c);
}

RIA_KERNEL int sw_is_over(const sw_clock *c) {
  return c->done || c->todo <= 0 || !(c->t_stop > c->t);
}

/* What eddies ask for beside waves, 1/s, of velocities or of the tracer that they spread fastest.
 * Where the flow makes them it is not known yet how strong they are in the next step, which counts
 * those of the last one and bounds its own (sw_eddy_at). */
RIA_KERNEL double sw_stirring(const sw_clock *c, const sw_pace *p) {
  const double nu = p->eddy + c->eddy;
  return p->spread * fmax(nu, p->diffusion + nu / p->schmidt);
}

/* The stable step at a wave speed (1/s, diffusion not counted); where nothing limits it what is
 * left of the span. Eddies take the room that cfl leaves, and shorten it only beyond that. */
RIA_KERNEL double sw_stable_step(const sw_clock *c, const sw_pace *p, double speed) {
  const double s = (speed > p->relaxed ? speed : p->relaxed) + p->mix;
  double dt = s > 0 ? p->cfl / s : c->t_stop - c->t;
  if (p->stirs) {
    const double all = speed + sw_stirring(c, p);
    if (all * dt > p->bears) dt = p->bears / all;
  }
  return p->dt_max > 0 && dt > p->dt_max ? p->dt_max : dt;
}

/* The part by which eddies shorten it, 0 to 1. */
RIA_KERNEL double sw_eddies_take(const sw_clock *c, const sw_pace *p, double speed) {
  const double all = p->stirs ? speed + sw_stirring(c, p) : 0;
  const double s = (speed > p->relaxed ? speed : p->relaxed) + p->mix;
  return all > 0 ? fmax(1 - p->bears * s / (p->cfl * all), 0.0) : 0.0;
}

/* The longest step that the next one can be: forcing is asked for its speed in this one. */
RIA_KERNEL double sw_longest_step(const sw_clock *c, const sw_pace *p) {
  const double left = c->t_stop - c->t, dt = sw_stable_step(c, p, c->speed);
  return dt < left ? dt : left;
}

/* The speed that the next step follows from. */
RIA_KERNEL double sw_decisive(const sw_clock *c, sw_fastest forced) {
  return forced.speed > c->speed ? forced.speed : c->speed;
}

/* The next step, where dt is stable. c->done then: it is not to be taken now, because it would
 * reach t_watch or is too short. The last step to t_stop is shortened to land on it, and the one
 * before shares the remainder so that none is tiny. True where dt is the shortest so far: then
 * sw_why says why. */
RIA_KERNEL int sw_take_dt(sw_clock *c, const sw_pace *p, double dt) {
  const int shortest = dt < c->dt_min;
  if (shortest) c->dt_min = dt;
  if (!(dt >= p->dt_min) || !(dt > 0)) {
    c->failure = SW_SHORT;
    c->done = 1;
    return shortest;
  }
  const double step = ria_landing_step(dt, c->t_stop - c->t, &c->last);
  c->done |= ria_step_reaches(c->t, step, c->last, c->t_stop, c->t_watch);
  c->dt = c->done ? c->dt : step;
  return shortest;
}

/* --- why the shortest stable step is so short ------------------------------------------------- */

typedef enum sw_limit { SW_LIMIT_FLOW, SW_LIMIT_FORCING, SW_LIMIT_EDDIES, SW_LIMIT_OTHER } sw_limit;

typedef struct sw_reason {
  double t;
  int32_t cell;
  int limit;                     /* sw_limit */
  double speed, celerity, depth; /* of the cell, where the flow is the limit */
  double eddies;                 /* the part by which they shorten the step, 0 to 1 */
} sw_reason;

/* forced: what the step was chosen by, beside the flow. The caller adds the flow in the cell where
 * that is the limit: sw_flow_there. Of eddies the cell is the flow's fastest. */
RIA_KERNEL void sw_why(const sw_clock *c, const sw_pace *p, sw_fastest forced, sw_reason *why) {
  const double speed = sw_decisive(c, forced);
  const int by_eddies = p->stirs && sw_stirring(c, p) > speed;
  const int by_layers = !by_eddies && p->relaxed > speed; /* and by no cell of theirs */
  const int by_forcing = !by_eddies && forced.speed > c->speed && forced.cell >= 0;
  const int32_t cell = by_layers ? -1 : by_forcing ? forced.cell : c->speed_cell;
  why->t = c->t;
  why->eddies = sw_eddies_take(c, p, speed);
  why->cell = cell < 0 ? 0 : cell;
  why->limit = by_eddies    ? SW_LIMIT_EDDIES
               : by_layers  ? SW_LIMIT_OTHER
               : by_forcing ? SW_LIMIT_FORCING
               : cell < 0   ? SW_LIMIT_OTHER
                            : SW_LIMIT_FLOW;
}
RIA_KERNEL void sw_flow_there(sw_reason *why, double h, double qx, double qy, double g) {
  why->depth = h;
  why->speed = h > 0 ? hypot(qx, qy) / h : 0.0;
  why->celerity = sqrt(g * h);
}

#endif
