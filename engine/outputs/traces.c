/* outputs/traces.c - paths of particles that go with the flow that a run saved (ria/traces.h).
 *
 * All particles go from one saved time to the next together, so that two times of the flow are held
 * at once. Where they are is counted in cells along the grid. */
#include "outputs/traces.h"
#include "base/array.h"
#include "base/context.h"
#include "base/grid.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

enum { POSITIONS_MOST = 4096, STEPS_MOST = 4000000, HALVINGS = 30 };
static const double step_most = 0.25, first_spacing = 0.2; /* cells */

typedef struct particle {
  double p[2], t;
  double last[2], spacing; /* of the positions that are kept, cells */
  long steps;
  ria_doubles at[3]; /* x, y of the map, t */
  ria_trace_fate fate;
} particle;

struct ria_traces {
  particle *particle; /* [n] */
  ria_trace *trace;   /* [n] views of them */
  size_t n;
};

typedef struct following {
  ria_context *ctx;
  ria_trace_flow *flow;
  const ria_grid *grid;
  double epoch; /* t = 0 in times of the store */
} following;

/* --- positions -------------------------------------------------------------------------------- */

static ria_status keep(const following *f, particle *a) {
  const ria_grid *g = f->grid;
  double at[3] = {g->x0 + a->p[0] * g->dx, g->y0 + a->p[1] * g->dy, a->t - f->epoch};
  ria_grid_to_map(g, &at[0], &at[1]);
  for (int k = 0; k < 3; k++) RIA_TRY(ria_doubles_append(f->ctx, &a->at[k], &at[k], 1));
  a->last[0] = a->p[0];
  a->last[1] = a->p[1];
  return RIA_OK;
}

/* Every second position goes: twice as far apart from here on. */
static void thin_out(particle *a) {
  for (int k = 0; k < 3; k++) {
    ria_doubles *d = &a->at[k];
    for (size_t i = 0; 2 * i < d->n; i++) d->v[i] = d->v[2 * i];
    d->n = (d->n + 1) / 2;
  }
  a->spacing *= 2.0;
}

static ria_status keep_if_far(const following *f, particle *a) {
  if (hypot(a->p[0] - a->last[0], a->p[1] - a->last[1]) < a->spacing) return RIA_OK;
  if (a->at[0].n >= POSITIONS_MOST) thin_out(a);
  return keep(f, a);
}

/* --- a step ----------------------------------------------------------------------------------- */

static double faster(double most, const double v[2]) {
  return fmax(most, fmax(fabs(v[0]), fabs(v[1])));
}

/* Runge and Kutta's. False: a part of it was not in water. *most: the greatest velocity met. */
static bool rk4(const ria_trace_flow *flow, const particle *a, double h, double to[2],
                double *most) {
  static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1, 2, 2, 1};
  double v[2] = {0.0, 0.0}, sum[2] = {0.0, 0.0};
  *most = 0.0;
  for (int k = 0; k < 4; k++) {
    const double at[2] = {a->p[0] + part[k] * h * v[0], a->p[1] + part[k] * h * v[1]};
    if (ria_trace_flow_at(flow, a->t + part[k] * h, at, v) != RIA_TRACE_WET) return false;
    *most = faster(*most, v);
    for (int d = 0; d < 2; d++) sum[d] += weight[k] * v[d];
  }
  for (int d = 0; d < 2; d++) to[d] = a->p[d] + h / 6.0 * sum[d];
  return true;
}

/* Straight on, as far as there is water. */
static void run_aground(const ria_trace_flow *flow, particle *a, double h, const double v[2]) {
  double from = 0.0, to = 1.0, none[2];
  const double p[2] = {a->p[0], a->p[1]}, t = a->t;
  const double end[2] = {p[0] + h * v[0], p[1] + h * v[1]};
  ria_trace_water water = ria_trace_flow_at(flow, t + h, end, none);
  if (water == RIA_TRACE_WET) from = 1.0;
  for (int k = 0; from < 1.0 && k < HALVINGS; k++) {
    const double part = 0.5 * (from + to), at[2] = {p[0] + part * h * v[0], p[1] + part * h * v[1]};
    const ria_trace_water here = ria_trace_flow_at(flow, t + part * h, at, none);
    if (here == RIA_TRACE_WET) {
      from = part;
    } else {
      to = part;
      water = here;
    }
  }
  for (int d = 0; d < 2; d++) a->p[d] = p[d] + from * h * v[d];
  a->t = t + from * h;
  if (from < 1.0) a->fate = water == RIA_TRACE_OUTSIDE ? RIA_TRACE_LEFT : RIA_TRACE_DRY;
}

/* One step, at most to `end`, which is not beyond the flow that is held. */
static void step(const ria_trace_flow *flow, particle *a, double end) {
  double v[2], to[2], most, h = end - a->t;
  const ria_trace_water water = ria_trace_flow_at(flow, a->t, a->p, v);
  if (water != RIA_TRACE_WET) { /* it fell dry */
    a->fate = RIA_TRACE_DRY;
    return;
  }
  most = faster(0.0, v);
  if (h * most > step_most) h = step_most / most;
  for (bool well = true; well;) {
    well = rk4(flow, a, h, to, &most);
    if (well && h * most <= step_most * 1.01) {
      a->p[0] = to[0];
      a->p[1] = to[1];
      a->t = h < end - a->t ? a->t + h : end;
      return;
    }
    if (well) h = step_most / most;
  }
  run_aground(flow, a, h, v);
}

static ria_status go_on(const following *f, particle *a, double end) {
  while (a->fate == RIA_TRACE_AFLOAT && a->t < end) {
    step(f->flow, a, end);
    if (++a->steps > STEPS_MOST)
      return ria_fail(f->ctx, RIA_ERR_INPUT,
                      "a trace through store %s takes more than %d steps of a quarter of a cell: "
                      "follow it over a shorter time",
                      ria_store_path(f->flow->saved->store), STEPS_MOST);
    RIA_TRY(keep_if_far(f, a));
  }
  return RIA_OK;
}

/* --- all of them ------------------------------------------------------------------------------ */

static ria_status set_out(const following *f, particle *a, double x, double y, double start) {
  double v[2];
  ria_grid_from_map(f->grid, &x, &y);
  *a = (particle){.p = {(x - f->grid->x0) / f->grid->dx, (y - f->grid->y0) / f->grid->dy},
                  .t = start,
                  .spacing = first_spacing,
                  .fate = RIA_TRACE_NO_WATER};
  if (ria_trace_flow_at(f->flow, start, a->p, v) != RIA_TRACE_WET) return RIA_OK;
  a->fate = RIA_TRACE_AFLOAT;
  return keep(f, a);
}

static ria_status follow(const following *f, ria_traces *all, const double *x, const double *y,
                         double start, double end) {
  const ria_saved *s = f->flow->saved;
  RIA_TRY(ria_trace_flow_hold(f->flow, start));
  for (size_t k = 0; k < all->n; k++) RIA_TRY(set_out(f, &all->particle[k], x[k], y[k], start));
  for (double t = start; t < end;) {
    RIA_TRY(ria_trace_flow_hold(f->flow, t));
    const double next = fmin(end, s->time[f->flow->frame + 1]);
    for (size_t k = 0; k < all->n; k++) RIA_TRY(go_on(f, &all->particle[k], next));
    t = next;
  }
  for (size_t k = 0; k < all->n; k++) {
    particle *a = &all->particle[k];
    const ria_doubles *t = &a->at[2];
    if (t->n && t->v[t->n - 1] < a->t - f->epoch) RIA_TRY(keep(f, a));
    all->trace[k] = (ria_trace){a->at[0].v, a->at[1].v, t->v, t->n, a->fate};
  }
  return RIA_OK;
}

ria_status ria_traces_follow(ria_trace_flow *flow, const double *x, const double *y, size_t n,
                             double start, double end, ria_traces **out) {
  const ria_saved *s = flow->saved;
  const following f = {flow->ctx, flow, ria_store_grid(s->store), s->dated ? s->epoch : 0.0};
  ria_traces *all = *out = calloc(1, sizeof *all);
  if (all) {
    all->particle = calloc(n + 1, sizeof *all->particle);
    all->trace = calloc(n + 1, sizeof *all->trace);
  }
  if (!all || !all->particle || !all->trace) {
    ria_traces_destroy(out);
    return ria_fail_memory(f.ctx, "traces", n * sizeof *all->particle);
  }
  all->n = n;
  const ria_status status = follow(&f, all, x, y, start, end);
  if (status != RIA_OK) ria_traces_destroy(out);
  return status;
}

ria_status ria_traces_check_times(ria_context *ctx, const ria_saved *s, double start, double end) {
  const double first = s->time[0], last = s->time[s->n - 1], within = 1e-3;
  char a[64], b[64], from[64], to[64];
  ria_saved_tell(s, start, a, sizeof a);
  ria_saved_tell(s, end, b, sizeof b);
  ria_saved_tell(s, first, from, sizeof from);
  ria_saved_tell(s, last, to, sizeof to);
  if (start < first - within || end > last + within)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "traces from %s to %s: store %s has the flow from %s to %s", a, b,
                    ria_store_path(s->store), from, to);
  if (start < end) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "traces from %s to %s: they must begin before they end (store %s has the flow "
                  "from %s to %s)",
                  a, b, ria_store_path(s->store), from, to);
}

static ria_status make(ria_context *ctx, const ria_traces_desc *d, const ria_saved *s,
                       ria_trace_flow *flow, ria_traces **out) {
  double start, end;
  RIA_TRY(ria_trace_flow_open(ctx, s, flow));
  RIA_TRY(ria_saved_time(ctx, s, d->start ? d->start : "first", &start));
  RIA_TRY(ria_saved_time(ctx, s, d->end ? d->end : "last", &end));
  RIA_TRY(ria_traces_check_times(ctx, s, start, end));
  return ria_traces_follow(flow, d->x, d->y, d->n, fmax(start, s->time[0]),
                           fmin(end, s->time[s->n - 1]), out);
}

ria_status ria_traces_make(ria_context *ctx, const ria_traces_desc *desc, ria_traces **out) {
  ria_saved saved = {0};
  ria_trace_flow flow = {0};
  *out = NULL;
  if (!desc || !desc->from || (desc->n && (!desc->x || !desc->y)))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "traces need the results of a run and positions");
  ria_status s = ria_saved_open(ctx, desc->from, &saved);
  if (s == RIA_OK) s = make(ctx, desc, &saved, &flow, out);
  ria_trace_flow_close(&flow);
  ria_saved_close(&saved);
  return s;
}

void ria_traces_destroy(ria_traces **traces) {
  ria_traces *t = traces ? *traces : NULL;
  if (!t) return;
  for (size_t k = 0; t->particle && k < t->n; k++)
    for (int d = 0; d < 3; d++) ria_doubles_free(&t->particle[k].at[d]);
  free(t->particle);
  free(t->trace);
  free(t);
  *traces = NULL;
}

size_t ria_traces_count(const ria_traces *t) { return t ? t->n : 0; }

const ria_trace *ria_traces_at(const ria_traces *t, size_t k) { return &t->trace[k]; }
