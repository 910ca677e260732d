/* tick_forcing.cuh - what forcing does between two steps: values in time, the cells of boundaries
 * and the speeds that they ask for. Sources: tick_sources.cuh. The phases that call it are those of
 * tick.cuh.
 *
 * Whatever is in shared memory is written in one phase and read in another; within a phase only
 * warps meet. Sums and maxima are taken in a fixed order. */

#include "machine/points.cuh"
#include "machine/values.cuh"

namespace {

enum {
  TICK_WARPS = SWG_TICK / 32,
  CLOCK = TICK_WARPS - 1, /* the warp that keeps the clock */
  WIND = TICK_WARPS / 2,  /* works out the wind */
  REHEARSAL = CLOCK - 2,  /* the first of two that rehearse; those before them have the rim */
  BATCH = 4,              /* cells that a thread looks up at once */
  WEIGHTS = 1024          /* of cells of discharges: shared where there are no more */
};

/* What the tick is given beside what every kernel is. */
typedef struct tick_args {
  swg_args a;
  double rdx, rdy; /* 1/dx, 1/dy */
  sw_const_f32 rough;
} tick_args;

/* --- over a warp ------------------------------------------------------------------------------ */

/* The largest speed, and of those the first: for explain. */
typedef struct leader {
  unsigned long long speed; /* bits of a double that is not negative */
  unsigned long long who;   /* 0: nobody; the larger, the sooner in order; then cell + 1 */
} leader;

/* Shared by the block. */
typedef struct scratch {
  alignas(16) sw_clock clock; /* the clock: its warp writes it in the survey and by its choice */
  double weight[WEIGHTS];     /* of cells of discharges */
  leader lead[TICK_WARPS];    /* of the speeds that a warp found */
  double given[SW_QUANTITIES][TICK_WARPS]; /* by sources, to the cells of a warp */
  double rehearsed[2];                     /* nobody asks */
} scratch;

__device__ __forceinline__ double warp_sum(double v) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(ALL, v, d);
  return v;
}

__device__ __forceinline__ leader warp_leader(leader a) {
  const unsigned long long speed = most_of_warp(a.speed);
  return {speed, most_of_warp(a.speed == speed ? a.who : 0)};
}

__device__ __forceinline__ void note(leader *l, double speed, int32_t cell, int order) {
  if (!(speed > 0)) return;
  const leader one = {(unsigned long long)__double_as_longlong(speed),
                      (unsigned long long)(0x7fffffff - order) << 32 | (unsigned)(cell + 1)};
  if (one.speed > l->speed || (one.speed == l->speed && one.who > l->who)) *l = one;
}

/* --- values in time --------------------------------------------------------------------------- */

/* ria_forcing_at by a warp: the partial tides a lane each; of a series the place is found by
 * looking at 32 knots at once. d: the data of f. */
__device__ __noinline__ double forcing_at(const ria_forcing *entry, const double *d, double t) {
  const ria_forcing f = *entry;
  const int lane = threadIdx.x % 32;
  double v = 0.0;
  if (f.kind == RIA_FORCING_TIDE) {
#pragma unroll 1
    for (int k = lane; k < f.count; k += 32) v += ria_partial_tide(d, k, t);
    v = warp_sum(v);
  } else if (f.kind != RIA_FORCING_CONSTANT) {
    int lo = 0, hi = f.count; /* the last knot at or before t is in [lo, hi) */
#pragma unroll 1
    while (hi - lo > 1) {
      const int stride = (hi - lo + 31) / 32, k = lo + lane * stride;
      const unsigned before = __ballot_sync(ALL, k < hi && (lane == 0 || d[2 * k] <= t));
      lo += (31 - __clz(before)) * stride;
      hi = min(lo + stride, hi);
    }
    v = ria_series_after(&f, d, lo, t);
  }
  return ria_forcing_of(&f, v, t);
}

/* Values at points, a thread each, at both moments of `evaluate`; after the block met. */
__device__ __noinline__ void evaluate_points(const swg_view *v, double t, double dt, double end) {
  const swg_forcing *f = &v->forcing;
  const int n = f->points.n, first = water_values(f->n_stretch, 0);
#pragma unroll 1
  for (int k = threadIdx.x; k < 2 * n; k += SWG_TICK) {
    const bool next = k < n;
    if (!next && !(dt > 0)) break;
    const int point = next ? k : k - n;
    const double value = point_at(&f->points, &f->table, point, next, next ? end : t + 0.5 * dt);
    (next ? f->next : f->value)[first + point] = value;
  }
}

/* What their tides have turned. */
__device__ __noinline__ void turn_points(const swg_view *v, double t, double dt, double end) {
  const ria_gpu_points *p = &v->forcing.points;
  points_turn(p, 1, end, threadIdx.x, SWG_TICK);
  if (dt > 0) points_turn(p, 0, t + 0.5 * dt, SWG_TICK - 1 - threadIdx.x, SWG_TICK);
}

/* What a source gives in the step of dt from t on, by its rate at a time. False: it does not run.
 */
template <class AT>
__device__ __forceinline__ bool source_gives(const swg_view *v, double t_start, double t_stop,
                                             double t, double dt, AT rate, double *value) {
  const ria_running r = ria_source_running(t_start, t_stop, t, dt);
  if (!(r.to > r.from)) return false;
  *value = ria_running_gives(r, rate(ria_running_middle(r))) / v->area;
  return true;
}

/* Tides, a warp each: see evaluate. */
__device__ __forceinline__ void evaluate_tides(const swg_view *v, double t, double dt, double end) {
  const swg_forcing *f = &v->forcing;
#pragma unroll 1
  for (int k = threadIdx.x / 32; k < 2 * f->n_tides; k += TICK_WARPS) {
    const swg_varying *q = &f->tide[k / 2];
    const bool next = k % 2;
    const auto at = [&](double when) { return forcing_at(&q->forcing, q->data, when); };
    double value = 0;
    if (next ? !q->next : !(dt > 0)) continue;
    if (next || q->of != SWG_SOURCE)
      value = at(next ? end : t + 0.5 * dt);
    else if (!source_gives(v, q->t_start, q->t_stop, t, dt, at, &value))
      continue;
    if (threadIdx.x % 32 == 0) *(next ? q->next : q->value) = value;
  }
}

/* Other values, a thread each, in the warps that are free first. */
__device__ __forceinline__ void evaluate_followed(const swg_view *v, double t, double dt,
                                                  double end) {
  const swg_forcing *f = &v->forcing;
  const int warp = (2 * TICK_WARPS - 2 - (int)threadIdx.x / 32) % TICK_WARPS;
#pragma unroll 1
  for (int k = 32 * warp + threadIdx.x % 32; k < f->followed.n; k += SWG_TICK) {
    const auto at = [&](double when) { return follow(&f->followed, &f->table, k, when); };
    double value = 0;
    bool is = dt > 0;
    if (is && k >= f->first_source) {
      const ria_gpu_source *q = &f->sources[f->source_of[k]];
      is = source_gives(v, q->t_start, q->t_stop, t, dt, at, &value);
    } else if (is) {
      value = at(t + 0.5 * dt);
    }
    if (is) *f->value_of[k] = value;
    if (f->next_of[k]) *f->next_of[k] = at(end);
  }
}

/* Values in time of boundaries and sources: through the step of dt from t on (dt = 0: none is known
 * yet), and at the moment `end` that it leads to. Where there are points the block meets. */
__device__ __forceinline__ void evaluate(const swg_view *v, double t, double dt, double end) {
  const swg_forcing *f = &v->forcing;
  if (f->points.n > 0) turn_points(v, t, dt, end);
  evaluate_tides(v, t, dt, end);
  evaluate_followed(v, t, dt, end);
  if (f->points.n == 0) return;
  __syncthreads();
  evaluate_points(v, t, dt, end);
}

/* The wind that blows through the step about to begin. */
__device__ __forceinline__ void set_wind(const swg_view *v, double middle) {
  const swg_forcing *f = &v->forcing;
  double value[RIA_WIND_VALUES];
#pragma unroll 1
  for (int k = 0; k < RIA_WIND_VALUES; k++) {
    const ria_forcing *entry = &f->table.entry[f->wind[k]];
    value[k] = forcing_at(entry, f->table.data + entry->first, middle);
  }
  if (threadIdx.x % 32 != 0) return;
  ria_wind_stress(value[RIA_WIND_SPEED], value[RIA_WIND_FROM], v->p.forces.wind_drag,
                  v->report->wind);
  ria_to_axes(v->p.forces.axes, v->report->wind);
}

/* --- boundaries ------------------------------------------------------------------------------- */

/* A boundary cell as it is looked up. */
typedef struct rim_state {
  swg_rim_cell c;
  vec4 s;
  R z;
} rim_state;

__device__ __forceinline__ rim_state look_up(const swg_args *a, const swg_rim_cell *cell) {
  rim_state r;
  r.c = *cell;
  r.s = load4(a->old + r.c.at);
  r.z = a->bed[r.c.at];
  return r;
}

__device__ __forceinline__ double along_normal(int side, vec4 s) {
  return (double)(ria_side_along_x(side) ? s.qx : s.qy);
}

/* The wave speed (1/s) that a boundary cell with state s and bed z asks for. value: the level, or
 * the discharge per width. */
__device__ __noinline__ double rim_speed_of(double g, double dry, double rdx, double rdy, int kind,
                                            int side, vec4 s, R z, double value, double current) {
  sw_const_f64 k = {};
  k.g = g;
  k.dry = dry;
  k.rdx = rdx;
  k.rdy = rdy;
  return sw_boundary_asks_f64(kind, side, (double)s.h, along_normal(side, s), (double)z, value,
                              current, &k);
}

__device__ __forceinline__ double rim_speed(const tick_args *t, const rim_state *r, double value,
                                            double current) {
  const sw_params *p = &t->a.v.p;
  return rim_speed_of(p->gravity, p->dry_depth, t->rdx, t->rdy, r->c.kind, r->c.side, r->s, r->z,
                      value, current);
}

/* As fast as rim_speed, or a little faster: what a cell of given level might ask for. */
__device__ __forceinline__ float level_speed_at_most(const sw_const_f32 *k, int side, vec4 s, R bed,
                                                     float value) {
  const float z = (float)bed;
  const float all = sw_boundary_asks_f32(SIDE_LEVEL, side, (float)s.h, (float)along_normal(side, s),
                                         z, value, 0, k);
  /* a level and a bed far from zero cancel: what is lost then is counted in */
  const float lost = 2e-7f * (fabsf(value) + fabsf(z)) * k->g;
  return 1.00001f * all + 4.0f * ria_root_f32(lost) * k->rsum;
}

/* The level beyond a cell at the end of the step. */
__device__ __forceinline__ double level_next(const swg_args *a, const swg_rim_cell *c) {
  return rim_value(a->v, a->v.forcing.next, 0, c->rim, c->owner);
}

/* The cells of levels that a thread looks at: from e on, every `by`-th. */
typedef struct turns {
  int e, by;
} turns;

/* The largest speed that any of them might ask for. All look-ups of a batch are under way at once;
 * the arithmetic is not written out for each, as code that is new takes longer than it saves. */
__device__ __forceinline__ float levels_at_most(const tick_args *t, turns mine) {
  const swg_args *a = &t->a;
  const swg_forcing *f = &a->v.forcing;
  float most = 0;
#pragma unroll 1
  for (int first = mine.e; first < f->n_levels; first += BATCH * mine.by) {
    rim_state r[BATCH];
    float value[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) r[k].c = f->level[min(first + k * mine.by, f->n_levels - 1)];
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      r[k].s = load4(a->old + r[k].c.at);
      r[k].z = a->bed[r[k].c.at];
      value[k] = (float)level_next(a, &r[k].c);
    }
#pragma unroll 1
    for (int n = 0; n < BATCH; n++) {
      most = fmaxf(most, level_speed_at_most(&t->rough, r[0].c.side, r[0].s, r[0].z, value[0]));
#pragma unroll
      for (int k = 0; k + 1 < BATCH; k++) { /* the next one moves up */
        r[k] = r[k + 1];
        value[k] = value[k + 1];
      }
    }
  }
  return most;
}

/* The speeds that they ask for. */
__device__ __forceinline__ void level_speeds(const tick_args *t, turns mine, leader *lead) {
  const swg_forcing *f = &t->a.v.forcing;
#pragma unroll 1
  for (int e = mine.e; e < f->n_levels; e += mine.by) {
    const rim_state r = look_up(&t->a, &f->level[e]);
    note(lead, rim_speed(t, &r, level_next(&t->a, &r.c), 0.0), r.c.cell, r.c.rim);
  }
}

/* Those of radiating sides, by all warps but the clock's. */
__device__ __noinline__ void radiating_speeds(const tick_args *t, leader *lead) {
  const swg_args *a = &t->a;
  const swg_forcing *f = &a->v.forcing;
#pragma unroll 1
  for (int e = threadIdx.x; e < f->n_radiating; e += 32 * CLOCK) {
    const rim_state r = look_up(a, &f->radiating[e]);
    const int across = water_current_across(ria_side_along_x(r.c.side));
    const double current = rim_value(a->v, f->next, across, r.c.rim, r.c.owner);
    note(lead, rim_speed(t, &r, level_next(a, &r.c), current), r.c.cell, r.c.rim);
  }
}

__device__ __noinline__ double conveyance_of(R h, R z, R manning, double filled) {
  return water_conveyance((double)h, (double)z, (double)manning, filled);
}

/* Where the weights of cells of discharges are. */
__device__ __forceinline__ double *weights(const swg_forcing *f, scratch *room) {
  return f->n_spread <= WEIGHTS ? room->weight : f->weight;
}

/* The warps `warp`, `warp` + `warps`, ... of the cells of discharges: each takes a group of 32
 * cells of one stretch at a time. */
typedef struct groups {
  int warp, warps;
} groups;

/* What stands at a cell of a discharge. */
typedef struct rim_water {
  R h, z, manning;
} rim_water;

/* What may leave of a cell of a rating, by its depth, discharge and bed. */
__device__ __forceinline__ water_leaving leaving_by(const swg_args *a, int side, double depth,
                                                    double q, double z) {
  const double h = depth > a->v.p.dry_depth ? depth : 0.0;
  return {h, h > 0 ? (ria_side_is_upper(side) ? q : -q) / h : 0.0, z};
}

/* All of them are on this device. A part of a grid has a list of others: meet.cuh. */
struct rim_here {
  __device__ __forceinline__ rim_water water(const swg_args *a, const rim_state &r, int) const {
    return {r.s.h, r.z, a->manning ? a->manning[r.c.at] : (R)1};
  }
  __device__ __forceinline__ rim_state state(const swg_args *a, const swg_rim_cell *cell) const {
    return look_up(a, cell);
  }
  __device__ __forceinline__ bool has(const rim_state &r) const { return r.c.rim >= 0; }
  /* The k-th cell of ratings. */
  __device__ __forceinline__ water_leaving leaving(const swg_args *a, int k) const {
    const swg_rim_cell c = a->v.forcing.rated_cell[k];
    const vec4 s = a->old[c.at];
    return leaving_by(a, c.side, (double)s.h, along_normal(c.side, s), (double)a->bed[c.at]);
  }
};

/* Weigh them. value: by stretch. */
template <class RIM>
__device__ __forceinline__ void weigh(const tick_args *t, const RIM &rim, groups mine,
                                      const double *value, double *weight) {
  const swg_args *a = &t->a;
  const swg_forcing *f = &a->v.forcing;
#pragma unroll 1
  for (int e = 32 * mine.warp + threadIdx.x % 32; e < f->n_spread; e += 32 * mine.warps) {
    const rim_state r = rim.state(a, &f->spread[e]);
    const rim_water w = rim.water(a, r, e);
    const swg_spread *s = &f->spreads[r.c.owner];
    const double filled = water_filled_to(value[r.c.owner], s->width, s->lowest, a->v.p.gravity);
    const double conveyance = conveyance_of(w.h, w.z, w.manning, filled);
    weight[e] = r.c.rim < 0 ? 0.0 : conveyance;
  }
}

/* By a warp: the share (m^2/s) of a cell of weight 1 in the discharge q. */
__device__ __forceinline__ double share_of_one(const swg_spread *s, double q,
                                               const double *weight) {
  double sum = 0;
#pragma unroll 1
  for (int e = s->first + threadIdx.x % 32; e < s->first + s->n; e += 32) sum += weight[e];
  sum = warp_sum(sum);
  return water_share(q, 1.0, sum, s->length);
}

/* The same of stretches that lie side by side, by each lane; own: the weight of its cell. */
__device__ __forceinline__ double share_of_one_beside(const swg_spread *s, double q, double own) {
  const int lanes = s->lanes;
#pragma unroll
  for (int d = 16; d > 0; d /= 2) {
    const double other = __shfl_xor_sync(ALL, own, d);
    if (d < lanes) own += other;
  }
  return water_share(q, 1.0, own, s->length);
}

/* Share out what was weighed; with a leader, ask for the speeds that follow. */
template <class RIM>
__device__ __forceinline__ void share_out(const tick_args *t, const RIM &rim, groups mine,
                                          const double *value, const double *weight, leader *lead) {
  const swg_args *a = &t->a;
  const swg_forcing *f = &a->v.forcing;
  int owner = -1;
  double one = 0;
#pragma unroll 1
  for (int first = 32 * mine.warp; first < f->n_spread; first += 32 * mine.warps) {
    const int e = first + threadIdx.x % 32;
    const rim_state r = rim.state(a, &f->spread[e]);
    const swg_spread *s = &f->spreads[r.c.owner];
    if (s->n <= 32) { /* all of this warp, or none */
      one = share_of_one_beside(s, value[r.c.owner], weight[e]);
    } else if (r.c.owner != owner) {
      owner = r.c.owner;
      one = share_of_one(s, value[owner], weight);
    }
    if (rim.has(r)) {
      const double share = weight[e] * one;
      a->v.rim.share[r.c.rim] = share;
      if (lead) note(lead, rim_speed(t, &r, share, 0.0), r.c.cell, r.c.rim);
    }
  }
}

/* The lowest beds of stretches with a discharge: beds do not change while steps run. */
__device__ __forceinline__ void find_lowest(const swg_args *a) {
  const swg_forcing *f = &a->v.forcing;
  const int lane = threadIdx.x % 32;
#pragma unroll 1
  for (int m = threadIdx.x / 32; m < f->n_stretch; m += TICK_WARPS) {
    swg_spread *s = &f->spreads[m];
    double lowest = 1e300;
#pragma unroll 1
    for (int k = lane; k < s->n; k += 32)
      lowest = fmin(lowest, (double)a->bed[f->spread[s->first + k].at]);
#pragma unroll
    for (int d = 16; d > 0; d /= 2) lowest = fmin(lowest, __shfl_xor_sync(ALL, lowest, d));
    if (lane == 0) s->lowest = lowest;
  }
}

/* --- ratings ---------------------------------------------------------------------------------- */

/* What leaves at a level, by a warp: all cells of a rating together, more than its curve has. */
template <class RIM>
__device__ __noinline__ double rating_more(const tick_args *t, const RIM &rim, const swg_rated *q,
                                           double level) {
  const swg_args *a = &t->a;
  const swg_forcing *f = &a->v.forcing;
  const double g = a->v.p.gravity;
  double sum = 0;
#pragma unroll 1
  for (int e = threadIdx.x % 32; e < q->n; e += 32) {
    sum += water_leaves(rim.leaving(a, q->first + e), level, g);
  }
  return warp_sum(sum) * q->length -
         water_curve_flow(&q->curve, f->table.data + q->curve.first, level);
}

/* Ends of the search, by a warp: water_rated has the same. */
template <class RIM>
__device__ __noinline__ water_search rating_ends(const tick_args *t, const RIM &rim,
                                                 const swg_rated *q) {
  const swg_args *a = &t->a;
  const swg_forcing *f = &a->v.forcing;
  const double *d = f->table.data + q->curve.first, g = a->v.p.gravity;
  double low = water_curve_row(&q->curve, d, 0), high = low;
#pragma unroll 1
  for (int e = threadIdx.x % 32; e < q->n; e += 32) {
    const water_leaving in = rim.leaving(a, q->first + e);
    low = fmin(low, in.z);
    high = fmax(high, water_stays_at(in, g));
  }
#pragma unroll
  for (int k = 16; k > 0; k /= 2) {
    low = fmin(low, __shfl_xor_sync(ALL, low, k));
    high = fmax(high, __shfl_xor_sync(ALL, high, k));
  }
  const double least = rating_more(t, rim, q, high) + water_curve_flow(&q->curve, d, high);
  high = fmax(high, water_curve_level(&q->curve, d, fmax(least, 0.0)));
  return water_search_between(low, high, rating_more(t, rim, q, low), rating_more(t, rim, q, high));
}

/* The levels of ratings in the step about to begin, a warp each. Which edges are closed is told of
 * all cells: those of ghost rows are looked at, too. */
template <class RIM> __device__ __noinline__ void find_ratings(const tick_args *t, const RIM &rim) {
  const swg_forcing *f = &t->a.v.forcing;
#pragma unroll 1
  for (int m = threadIdx.x / 32; m < f->n_rated; m += TICK_WARPS) {
    const swg_rated *q = &f->rated[m];
    water_search s = rating_ends(t, rim, q);
#pragma unroll 1
    for (int k = 0; k < WATER_SEARCHES && !water_search_ends(&s); k++) {
      const double at = water_search_at(&s);
      water_search_found(&s, at, rating_more(t, rim, q, at));
    }
    const double level = water_search_result(&s), g = t->a.v.p.gravity;
    uint8_t *kind = (uint8_t *)t->a.v.rim.kind;
#pragma unroll 1
    for (int e = q->first + threadIdx.x % 32; e < q->first + q->n; e += 32) {
      const bool closed = water_closed(rim.leaving(&t->a, e), level, g);
      kind[f->rated_cell[e].rim] = closed ? SIDE_RATING : SIDE_LEVEL;
    }
    if (threadIdx.x % 32 == 0) f->value[q->stretch] = level;
  }
}

} // namespace
