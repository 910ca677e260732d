/* adi_clock_k.h - the clock of the alternating-direction implicit solver: how long the next step
 * is, and what ends a run. Plain C for CPU and GPU, run by one thread.
 *
 * Steps are of one length, a parameter, or chosen by looks at the state. A span that the length
 * does not divide is cut into equal steps that are a little shorter, so that events are met exactly
 * without a last step that is tiny. Between two looks the state has no say: the clock may choose
 * all steps up to the next look at once (a GPU does). */
#ifndef ADI_CLOCK_K_H
#define ADI_CLOCK_K_H
#include <math.h>
#include <ria/kernel.h>

/* The automatic step: the fastest water crosses this part of a cell in it. */
#define ADI_CELLS 0.5
/* Water shallower than this many flooding depths is a film. */
#define ADI_FILMS 5
/* Two lengths of a step count as equal within this part. */
#define ADI_AGREE 1e-9

/* Steps between two looks of the automatic step where nothing drives the water from outside; steps
 * between two checks of the highest level where dt was set. */
enum { ADI_LOOK = 6, ADI_WATCH = 12 };

/* Settings of the clock, constant in a run. */
typedef struct adi_rules {
  double dt, courant, gravity, drying, flooding, eddy;
  double cell; /* the smaller of dx and dy */
  int watched; /* an unstable level ends the run */
} adi_rules;

/* What a look sees: the deepest water; the fastest, and what is about to be the fastest, in cells a
 * second, and where; the highest level. On a cache line of its own. */
typedef struct adi_seen {
  double deepest, flow, rate, highest;
  int flow_cell, cell, high_cell; /* j * nx + i */
  int forced;                     /* the rate is of what a boundary or a source brings */
  char pad[16];
} adi_seen;

enum adi_failure {
  ADI_WELL,
  ADI_BAD,    /* a sweep wrote an invalid state: NaN, infinite or huge */
  ADI_OUTRUN, /* flow crosses more than a cell in the automatic step */
  ADI_HIGH    /* a level is unstable */
};

enum adi_shortest { ADI_AS_SET, ADI_CUT, ADI_FLOW_THERE, ADI_FORCED_THERE };

typedef struct adi_clock {
  double t, t_stop, t_watch;
  double dt;      /* of the last step */
  double dt_full; /* of a step that nothing shortens; 0 = not chosen yet */
  double dt_wave; /* the same of an automatic step, by waves alone; 0 = not chosen yet */
  double lead;    /* q is this far ahead of t */
  double ceiling; /* no level is higher: adi_ceiling.c */
  double dt_min, dt_min_t, dt_min_full; /* the shortest step so far */
  double high_level, high_t;            /* where high */
  double fail_value, fail_t;            /* cells crossed, or a level */
  int64_t steps, steps_stop;
  int dt_cell;         /* the cell whose flow keeps dt_full shorter; -1 = none does */
  int dt_forced;       /* not yet its flow, but what a boundary or a source brings */
  int look_now;        /* fields were set: look at them before the next step */
  int driven;          /* by levels, discharges or sources of water: look before every step */
  int high, high_cell; /* the last look saw a level above the ceiling */
  int dt_min_cell, dt_min_why;
  int failure, fail_cell;
} adi_clock;

typedef struct adi_step {
  double t, dt;  /* of the step: from t on */
  double across; /* length of the momentum step of the second sweep */
  double lead;   /* before it */
  int last;      /* it lands on the end of the span */
  int on;        /* 0: the span is over */
} adi_step;

/* The flux across is half a step ahead of the level. Steps may differ in length: how long the next
 * momentum step across is, so that it ends half of this step ahead again. lead: how far ahead it is
 * now (0 at the start). */
RIA_KERNEL double adi_step_across(double dt, double lead) {
  const double due = 1.5 * dt - lead;
  return due < 0.5 * dt ? 0.5 * dt : due;
}

/* Level and v^2 / 2 g of a cell from the fluxes of its faces; of water less deep than `films` the
 * level alone. */
RIA_KERNEL double adi_head(double level, double h, double west, double east, double south,
                           double north, double films, double g) {
  const double p = 0.5 * (west + east), q = 0.5 * (south + north);
  return h > films ? level + (p * p + q * q) / (h * h) / (2 * g) : level;
}

RIA_KERNEL void adi_see(adi_seen *seen, const adi_seen *more) {
  if (more->deepest > seen->deepest) seen->deepest = more->deepest;
  if (more->highest > seen->highest) {
    seen->highest = more->highest;
    seen->high_cell = more->high_cell;
  }
  if (more->flow > seen->flow) {
    seen->flow = more->flow;
    seen->flow_cell = more->flow_cell;
  }
  if (!(more->rate > seen->rate)) return;
  seen->rate = more->rate;
  seen->cell = more->cell;
  seen->forced = more->forced;
}

/* A look that saw nothing. */
RIA_KERNEL adi_seen adi_seen_none(void) {
  adi_seen none;
  none.deepest = none.flow = none.rate = 0;
  none.highest = -1e300;
  none.cell = none.flow_cell = none.high_cell = -1;
  none.forced = 0;
  return none;
}

/* Is the state to be looked at before the step after `steps` steps? */
RIA_KERNEL int adi_look_due(const adi_clock *c, const adi_rules *r, int64_t steps) {
  if (r->dt > 0) return r->watched && steps % ADI_WATCH == 0;
  return c->look_now || c->driven || steps % ADI_LOOK == 0;
}

/* The length by waves follows the depth in strides: a step that changed with every tide would make
 * the scheme's order less. */
RIA_KERNEL void adi_follow_waves(adi_clock *c, const adi_rules *r, double deepest) {
  const double depth = deepest > r->drying ? deepest : r->flooding;
  const double wave = r->courant * r->cell / sqrt(r->gravity * depth);
  if (!(wave > 0.8 * c->dt_wave && wave < 1.25 * c->dt_wave)) c->dt_wave = wave;
}

/* A step that nothing shortens, from the parameters and the deepest water. */
RIA_KERNEL void adi_first_pace(adi_clock *c, const adi_rules *r, double deepest) {
  c->dt_cell = -1;
  c->dt_full = r->dt;
  if (r->dt > 0) return;
  adi_follow_waves(c, r, deepest);
  c->dt_full = c->dt_wave;
}

RIA_KERNEL void adi_fail(adi_clock *c, int failure, double t, int cell, double value) {
  c->failure = failure;
  c->fail_t = t;
  c->fail_cell = cell;
  c->fail_value = value;
}

/* As long as `courant` says for the deepest water, but no longer than the fastest water takes for
 * ADI_CELLS of a cell, be it there or about to come in. A failure where flow had outrun the last
 * step. */
RIA_KERNEL void adi_pace(adi_clock *c, const adi_rules *r, const adi_seen *seen) {
  const double most = seen->rate > 0 ? ADI_CELLS / seen->rate : HUGE_VAL;
  adi_follow_waves(c, r, seen->deepest);
  c->dt_full = c->dt_wave;
  if (r->eddy > 0) c->dt_full = fmin(c->dt_full, r->cell * r->cell / (4 * r->eddy));
  c->dt_cell = most < c->dt_full ? seen->cell : -1;
  c->dt_forced = seen->forced;
  c->dt_full = fmin(c->dt_full, most);
  const double crossed = seen->flow * c->dt;
  if (c->steps > 0 && !c->look_now && crossed > 1)
    adi_fail(c, ADI_OUTRUN, c->t, seen->flow_cell, crossed);
}

/* Take over what a look that was due has seen of the present state. Whether a level above the
 * ceiling is a failure is the host's to say (adi_judge). */
RIA_KERNEL void adi_look_at(adi_clock *c, const adi_rules *r, const adi_seen *seen) {
  c->high = r->watched && seen->highest > c->ceiling;
  if (c->high) {
    c->high_level = seen->highest;
    c->high_cell = seen->high_cell;
    c->high_t = c->t;
  }
  if (!(r->dt > 0)) adi_pace(c, r, seen);
}

/* Why the shortest step so far is as short. */
RIA_KERNEL int adi_why(const adi_clock *c, const adi_rules *r, int cut) {
  if (cut) return ADI_CUT;
  if (r->dt > 0 || c->dt_cell < 0) return ADI_AS_SET;
  return c->dt_forced ? ADI_FORCED_THERE : ADI_FLOW_THERE;
}

/* The next step, the state behind it; st->on = 0: the span is over. Whatever ends a span, the step
 * is only put off. */
RIA_KERNEL void adi_choose(adi_clock *c, const adi_rules *r, adi_step *st) {
  const double left = c->t_stop - c->t, full = c->dt_full;
  st->on = 0;
  if (c->failure || c->steps >= c->steps_stop || !(left > 0)) return;
  const double n = fmax(1.0, ceil(left / full - ADI_AGREE)), cut = left / n;
  st->last = n == 1;
  st->t = c->t;
  st->dt = !st->last && fabs(cut - full) < ADI_AGREE * full ? full : cut;
  st->lead = c->lead;
  st->across = adi_step_across(st->dt, c->lead);
  if (st->dt < c->dt_min) {
    c->dt_min = st->dt;
    c->dt_min_t = c->t;
    c->dt_min_full = full;
    c->dt_min_why = adi_why(c, r, st->dt < full);
    c->dt_min_cell = c->dt_min_why >= ADI_FLOW_THERE ? c->dt_cell : -1;
  }
  st->on = !ria_step_reaches(c->t, st->dt, st->last, c->t_stop, c->t_watch);
}

/* The step is under way, and done. Until it is, fields that were set ask for a look: a step that is
 * put off may see two. */
RIA_KERNEL void adi_begin_step(adi_clock *c, const adi_step *st) {
  c->dt = st->dt;
  c->look_now = 0;
}
RIA_KERNEL void adi_end_step(adi_clock *c, const adi_step *st) {
  c->t = st->last ? c->t_stop : st->t + st->dt;
  c->lead = st->lead + (st->across - st->dt);
  c->steps++;
}

#endif
