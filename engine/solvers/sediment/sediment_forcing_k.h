/* sediment_forcing_k.h - arithmetic between two passes: what comes from outside, how far the next
 * step goes. In double whatever the precision of the run; by gcc and by nvcc. */
#ifndef SEDIMENT_FORCING_K_H
#define SEDIMENT_FORCING_K_H
#include <ria/kernel.h>

enum { SED_CLOSED, SED_FLUX, SED_OPEN };    /* boundary kinds, in the order of the table */
enum { SED_SAND, SED_MUD, SED_QUANTITIES }; /* in the order of the table */
enum { SED_CONSERVATIVE, SED_PAPER };       /* schemes, in the order of the choices */

/* --- sediment that comes to one cell from outside, in double ---------------------------------- */

typedef struct sed_cell {
  double h, s;
} sed_cell;

/* Of what the active layer holds after a pass, the part that one cause may take. */
#define SED_TAKE_MOST 0.95

/* What comes from outside belongs to the step like what crosses the faces, or a cell that sediment
 * only passes through would first be dug out and then filled. o is the cell before the step, c
 * after the pass: what the faces brought follows from both, and the step is done again with more.
 * sand, mud: what comes, as height (m); negative: goes, at most SED_TAKE_MOST of what the layer
 * has. They are changed to what came. Returns by how much more sand the step leaves below the
 * active layer, s' (h' - h): with it A s + strata changes by `sand`. At once, outside a step: o =
 * c. */
RIA_KERNEL double sed_take(const sed_cell *o, sed_cell *c, double layer, double *sand,
                           double *mud) {
  const double strata = c->s * (c->h - o->h);
  const double grown = c->h - o->h, room = layer + grown;
  const double least_s = -SED_TAKE_MOST * room * c->s;
  const double least_m = -SED_TAKE_MOST * room * (1.0 - c->s);
  if (*sand < least_s) *sand = least_s;
  if (*mud < least_m) *mud = least_m;
  /* (A s + q_s) / (A + q) with q_s = A (s' - s) + s' q so far */
  c->s += ((1.0 - c->s) * *sand - c->s * *mud) / (room + *sand + *mud);
  c->s = c->s < 0.0 ? 0.0 : c->s > 1.0 ? 1.0 : c->s; /* by a last place; NaN stays */
  c->h += *sand + *mud;
  return c->s * (c->h - o->h) - strata;
}

/* What leaves over an open side in dt, as height: the slope inside goes on outside, and nothing
 * comes back. inner: height of the next cell inwards; rd2: 1 / spacing^2; a: alpha / C. */
RIA_KERNEL double sed_leaves(double h, double inner, double part, double a, double rd2, double dt) {
  const double drop = inner - h;
  return drop > 0 ? a * part * drop * rd2 * dt : 0.0;
}

/* Part of alpha or beta that the sea leaves; below: depth in wave bases, less: 1 - the marine part.
 */
RIA_KERNEL double sed_above_water(double below, double less) {
  return 1 - less * (below < 0 ? 0 : below > 1 ? 1 : below);
}

/* What comes over an open side, d wide: nothing, or less. a, b: alpha / C of sand and of mud. */
RIA_KERNEL void sed_over_open_side(const sed_cell *c, double inner, double a, double b, double d,
                                   double dt, double *sand, double *mud) {
  *sand = -sed_leaves(c->h, inner, c->s, a, 1 / (d * d), dt);
  *mud = -sed_leaves(c->h, inner, 1 - c->s, b, 1 / (d * d), dt);
}

/* --- the clock ----------------------------------------------------------------------------------
 *
 * A step is stable when dt <= flat (diffusion: a constant) and dt pull <= layer, where pull is the
 * greatest rate at which a cell's layer is carried off if it were all of one sediment, m/s. A pass
 * finds the pull of the state that it reads, so dt is chosen by the pull of the state before, and
 * a step that proves too long is done again from the state it began with, which is still there. */

typedef struct sed_pace {
  double layer, cfl, flat;         /* flat: the longest step that diffusion allows, s; 0 = any */
  double dt_max, dt_given, dt_min; /* 0 = none */
} sed_pace;

enum { SED_WELL, SED_BAD, SED_SHORT, SED_LONG }; /* why a run fails */

typedef struct sed_clock {
  double t, t_stop, t_watch;
  double dt;              /* of the next pass; 0: it only looks */
  double done_t, done_dt; /* what the last pass did; done_dt = 0: nothing */
  double last;            /* the last step taken */
  double pull;
  double dt_min, dt_min_t; /* the shortest stable step so far */
  int64_t steps, steps_stop;
  int now, landing, over, failure;
  int by_slope; /* dt_min is for the layer, not for diffusion */
} sed_clock;

/* A pass may not carry off more than this of a layer; more than any cfl. */
#define SED_MOST 0.98

RIA_KERNEL void sed_choose(sed_clock *c, const sed_pace *p, int again) {
  const double left = c->t_stop - c->t;
  c->dt = 0;
  c->over = left <= 0 || c->steps >= c->steps_stop || c->failure;
  if (c->over) return;
  const double by_slope = c->pull > 0 ? p->layer / c->pull : INFINITY;
  const double flat = p->flat > 0 ? p->flat : INFINITY;
  const double stable = p->cfl * (by_slope < flat ? by_slope : flat);
  if (stable < c->dt_min) {
    c->dt_min = stable;
    c->dt_min_t = c->t;
    c->by_slope = by_slope < flat;
  }
  double dt = stable;
  if (p->dt_max > 0 && dt > p->dt_max) dt = p->dt_max;
  if (p->dt_given > 0) {
    dt = p->dt_given;
    if (dt > flat || (again && dt * c->pull > SED_MOST * p->layer)) c->failure = SED_LONG;
  }
  dt = ria_landing_step(dt, left, &c->landing);
  if (!(c->t + dt > c->t) || stable < p->dt_min) c->failure = SED_SHORT;
  c->over = c->failure != SED_WELL || ria_step_reaches(c->t, dt, c->landing, c->t_stop, c->t_watch);
  c->dt = c->over ? 0 : dt;
}

/* Begin or go on: without a pull that is known the first pass only looks. */
RIA_KERNEL void sed_begin(sed_clock *c, const sed_pace *p) {
  if (c->pull >= 0) {
    sed_choose(c, p, 0);
    return;
  }
  c->dt = 0;
  c->over = c->t_stop - c->t <= 0 || c->steps >= c->steps_stop || c->failure;
}

/* After a pass: was it a step, and how far goes the next? */
RIA_KERNEL void sed_tick(sed_clock *c, const sed_pace *p, double pull, int bad) {
  c->done_dt = 0;
  if (c->over) return;
  if (bad) {
    c->failure = SED_BAD;
    c->over = 1;
    return;
  }
  const int stepped = c->dt > 0 && c->dt * pull <= SED_MOST * p->layer;
  c->pull = pull;
  if (stepped) {
    c->done_t = c->t;
    c->done_dt = c->last = c->dt;
    c->t = c->landing ? c->t_stop : c->t + c->dt;
    c->now = 1 - c->now;
    c->steps++;
  }
  sed_choose(c, p, !stepped);
}

#endif
