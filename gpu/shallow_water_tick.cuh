/* shallow_water_tick.cuh - between two steps, on the device, by one block: take over the step just
 * done, work out the forcing of the moment, choose dt, apply what sources give.
 *
 * The same in the same order as shallow_water_clock.c and shallow_water_forcing.c do it. Nothing
 * else runs meanwhile, so what counts is how long each thing waits for another:
 *
 *   - what the forcing is at the time that the step under way leads to was worked out with the step
 *     (`next`), so that discharges are shared out while two warps still gather;
 *   - levels ask for a speed in single precision first: few can matter, and only these are worked
 * out in double;
 *   - sums and maxima go through shuffles and one place a warp, in a fixed order. */

namespace {

enum { TICK_WARPS = SWG_TICK / 32 };

/* --- over a warp, over the block ----------------------------------------------------------------
 */

/* The largest speed, and of those the first: for explain. */
typedef struct leader {
  unsigned long long speed; /* bits of a double that is not negative */
  unsigned long long who;   /* 0: nobody; the larger, the sooner in order; then cell + 1 */
} leader;

typedef struct scratch {
  double sum[TICK_WARPS];
  leader lead[TICK_WARPS];
} scratch;

__device__ __forceinline__ double warp_sum(double v) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(ALL, v, d);
  return v;
}

/* The sum of every thread's v, on all threads. */
__device__ __forceinline__ double block_sum(scratch *room, double v) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  v = warp_sum(v);
  if (lane == 0) room->sum[warp] = v;
  __syncthreads();
  v = warp_sum(lane < TICK_WARPS ? room->sum[lane] : 0.0);
  __syncthreads();
  return v;
}

__device__ __forceinline__ void follow(leader *a, leader b) {
  if (b.speed > a->speed || (b.speed == a->speed && b.who > a->who)) *a = b;
}

__device__ __forceinline__ leader warp_leader(leader a) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2)
    follow(&a, {__shfl_xor_sync(ALL, a.speed, d), __shfl_xor_sync(ALL, a.who, d)});
  return a;
}

__device__ __forceinline__ void note(leader *l, double speed, int32_t cell, int order) {
  if (!(speed > 0)) return;
  follow(l, {(unsigned long long)__double_as_longlong(speed),
             (unsigned long long)(0x7fffffff - order) << 32 | (unsigned)(cell + 1)});
}

/* --- values in time -----------------------------------------------------------------------------
 */

/* ria_forcing_at by a warp: the partial tides a lane each; of a series the place is found by
 * looking at 32 knots at once. d: the data of f. */
__device__ __forceinline__ double forcing_at(const ria_forcing f, const double *d, double t,
                                             int lane) {
  double v = 0.0;
  if (f.kind == RIA_FORCING_TIDE) {
    for (int k = lane; k < f.count; k += 32) v += d[3 * k + 1] * cos(d[3 * k] * t - d[3 * k + 2]);
    v = warp_sum(v);
  } else if (f.kind != RIA_FORCING_CONSTANT) {
    int lo = 0, hi = f.count; /* the last knot at or before t is in [lo, hi) */
    while (hi - lo > 1) {
      const int stride = (hi - lo + 31) / 32, k = lo + lane * stride;
      const unsigned before = __ballot_sync(ALL, k < hi && (lane == 0 || d[2 * k] <= t));
      lo += (31 - __clz(before)) * stride;
      hi = min(lo + stride, hi);
    }
    v = d[2 * lo + 1];
    if (f.kind == RIA_FORCING_LINEAR && lo + 1 < f.count && t > d[2 * lo])
      v += (t - d[2 * lo]) / (d[2 * lo + 2] - d[2 * lo]) * (d[2 * lo + 3] - v);
  }
  if (f.ramp > 0.0 && t < f.ramp)
    v *= t <= 0.0 ? 0.0 : 0.5 * (1.0 - cos(3.14159265358979323846 * t / f.ramp));
  return f.base + f.scale * v;
}

/* What changes in time, a warp each: what holds through the step about to begin at its middle, what
 * the moment that it leads to needs at its end. NULL: not wanted. */
__device__ __forceinline__ void evaluate(const swg_forcing *f, const double *middle, double end) {
  const int lane = threadIdx.x % 32;
  for (int k = threadIdx.x / 32; k < 2 * f->n_varying; k += TICK_WARPS) {
    const swg_varying *q = &f->varying[k / 2];
    const bool next = k % 2;
    double *to = next ? q->next : q->value;
    if (!to || (!next && !middle)) continue;
    const double value = forcing_at(q->forcing, q->data, next ? end : *middle, lane);
    if (lane == 0) *to = value;
  }
}

/* The wind that blows through the step about to begin. */
__device__ __forceinline__ void set_wind(const swg_view *v, double middle) {
  const int lane = threadIdx.x % 32;
  const swg_forcing *f = &v->forcing;
  double value[RIA_WIND_VALUES];
  for (int k = 0; k < RIA_WIND_VALUES; k++) {
    const ria_forcing entry = f->table.entry[f->wind[k]];
    value[k] = forcing_at(entry, f->table.data + entry.first, middle, lane);
  }
  if (lane != 0) return;
  ria_wind_stress(value[RIA_WIND_SPEED], value[RIA_WIND_FROM], v->p.forces.wind_drag,
                  v->clock->wind);
}

/* --- boundaries ---------------------------------------------------------------------------------
 */

/* The wave speed (1/s) that a boundary cell asks for. value: the level, or the discharge per width.
 */
__device__ __forceinline__ double rim_speed(const swg_args *a, const sw_const_f64 *k,
                                            const swg_rim_cell *c, double value) {
  const vec4 s = a->old[c->at];
  const double h = (double)s.h, z = (double)a->bed[c->at];
  const bool x = c->side == RIA_WEST || c->side == RIA_EAST, wet = h > k->dry;
  const double sign = c->side == RIA_EAST || c->side == RIA_NORTH ? 1.0 : -1.0;
  const double un = wet ? sign * (double)(x ? s.qx : s.qy) * ria_inv_f64(h) : 0.0;
  const double speed = sw_boundary_speed_f64(c->kind, wet ? h : 0.0, un, z, value, k);
  return speed * (x ? k->rdx : k->rdy) + ria_root_f64(k->g * h) * (x ? k->rdy : k->rdx);
}

/* As fast as rim_speed, or a little faster: what a cell of given level might ask for. */
__device__ __forceinline__ float rim_speed_at_most(const swg_args *a, const sw_const_f32 *k,
                                                   const swg_rim_cell *c, float value) {
  const vec4 s = a->old[c->at];
  const float h = (float)s.h, z = (float)a->bed[c->at];
  const bool x = c->side == RIA_WEST || c->side == RIA_EAST, wet = h > k->dry;
  const float sign = c->side == RIA_EAST || c->side == RIA_NORTH ? 1.0f : -1.0f;
  const float un = wet ? sign * (float)(x ? s.qx : s.qy) * ria_inv_f32(h) : 0.0f;
  const float speed = sw_boundary_speed_f32(c->kind, wet ? h : 0.0f, un, z, value, k);
  const float all = speed * (x ? k->rdx : k->rdy) + ria_root_f32(k->g * h) * (x ? k->rdy : k->rdx);
  /* a level and a bed far from zero cancel: what is lost then is counted in */
  const float lost = 2e-7f * (fabsf(value) + fabsf(z)) * k->g;
  return 1.00001f * all + 4.0f * ria_root_f32(lost) * k->rsum;
}

/* Speeds of cells whose level is given, where they are more than the flow's. */
__device__ __forceinline__ void level_speeds(const swg_args *a, const sw_const_f64 *k, double flow,
                                             leader *lead) {
  const swg_forcing *f = &a->v.forcing;
  const sw_const_f32 rough = sw_constants_f32(k->g, k->dry, a->v.dx, a->v.dy);
  for (int e = threadIdx.x; e < f->n_levels; e += SWG_TICK) {
    const swg_rim_cell *c = &f->level[e];
    const double value = f->next[c->owner];
    if (rim_speed_at_most(a, &rough, c, (float)value) < (float)flow) continue;
    note(lead, rim_speed(a, k, c, value), c->cell, c->rim);
  }
}

/* Share out a discharge at its value of the moment, a cell a thread; with a leader, also the speeds
 * that it asks for. Where the value is what the present state was last shared out by, nothing is to
 * do. */
__device__ __forceinline__ void spread(const swg_args *a, swg_spread *to, const double *value,
                                       leader *lead, const sw_const_f64 *k, scratch *room) {
  const swg_view *v = &a->v;
  const swg_spread s = *to;
  const double q = value[s.stretch];
  if (!lead && q == s.q) return;
  const double filled = sw_filled_to(q, s.width, s.lowest, v->p.gravity);
  double sum = 0;
  for (int e = threadIdx.x; e < s.n; e += SWG_TICK) {
    const swg_rim_cell *c = &v->forcing.spread[s.first + e];
    const double w = sw_conveyance((double)a->old[c->at].h, (double)a->bed[c->at],
                                   a->manning ? (double)a->manning[c->at] : 1.0, filled);
    v->rim.share[c->rim] = w;
    sum += w;
  }
  sum = block_sum(room, sum);
  const double each = sum > 0 ? q / (sum * (s.width / s.n)) : 0.0;
  for (int e = threadIdx.x; e < s.n; e += SWG_TICK) {
    const swg_rim_cell *c = &v->forcing.spread[s.first + e];
    const double share = v->rim.share[c->rim] * each;
    v->rim.share[c->rim] = share;
    if (lead) note(lead, rim_speed(a, k, c, share), c->cell, c->rim);
  }
  if (threadIdx.x == 0) to->q = q; /* all have read it: they met in the sum */
}

__device__ __forceinline__ void spread_all(const swg_args *a, const double *value, leader *lead,
                                           const sw_const_f64 *k, scratch *room) {
  for (int m = 0; m < a->v.forcing.n_spreads; m++)
    spread(a, &a->v.forcing.spreads[m], value, lead, k, room);
}

/* The lowest beds of stretches with a discharge: beds do not change while steps run. */
__device__ __forceinline__ void find_lowest(const swg_args *a) {
  const swg_forcing *f = &a->v.forcing;
  const int lane = threadIdx.x % 32;
  for (int m = threadIdx.x / 32; m < f->n_spreads; m += TICK_WARPS) {
    swg_spread *s = &f->spreads[m];
    double lowest = 1e300;
    for (int k = lane; k < s->n; k += 32)
      lowest = fmin(lowest, (double)a->bed[f->spread[s->first + k].at]);
#pragma unroll
    for (int d = 16; d > 0; d /= 2) lowest = fmin(lowest, __shfl_xor_sync(ALL, lowest, d));
    if (lane == 0) s->lowest = lowest;
  }
}

/* --- sources ------------------------------------------------------------------------------------
 */

/* Speeds that sources of water ask for, given a step of at most dt. Is any of them running? */
__device__ __forceinline__ bool source_speeds(const swg_args *a, double t, double dt,
                                              leader *lead) {
  const swg_view *v = &a->v;
  const swg_forcing *f = &v->forcing;
  bool live = false;
  int order = v->rim.first[RIA_SIDES];
  for (int m = 0; m < f->n_sources; order += f->sources[m++].n) {
    const swg_source *q = &f->sources[m];
    if (q->quantity != 0 || t >= q->t_stop || t + dt <= q->t_start) continue;
    live = true;
    const double now = ria_forcing_at(&f->table, q->rate, t) / v->area;
    for (int e = threadIdx.x; e < q->n; e += SWG_TICK) {
      const swg_source_cell c = f->source_cell[q->first + e];
      const vec4 s = a->old[c.at];
      const double rate = now * c.weight;
      if (rate <= 0) continue;
      note(lead,
           sw_source_speed((double)s.h, (double)s.qx, (double)s.qy, rate, dt, v->p.gravity,
                           v->p.dry_depth, v->p.cfl, 1.0 / v->dx, 1.0 / v->dy),
           c.at / v->stride * v->nx + c.at % v->stride, order + e);
    }
  }
  return live;
}

/* What a source gives in the step; on all threads the sum. */
__device__ __forceinline__ double apply_source(const swg_args *a, const swg_source *q,
                                               double amount) {
  const swg_view *v = &a->v;
  vec4 *state = (vec4 *)a->old; /* the present is ours between two steps */
  const double per = amount / v->area;
  double sum = 0;
  for (int e = threadIdx.x; e < q->n; e += SWG_TICK) {
    const swg_source_cell c = v->forcing.source_cell[q->first + e];
    double *owed = &v->forcing.source_owed[q->first + e];
    R *value = q->quantity == 0   ? &state[c.at].h
               : q->quantity == 1 ? &state[c.at].hc
                                  : (R *)a->old_more + (q->quantity - 2) * v->plane + c.at;
    const double had = (double)*value, due = per * c.weight + *owed;
    *value = (R)(had + due > 0 ? had + due : 0.0);
    const double given = (double)*value - had;
    *owed = due > 0 ? due - given : 0;
    sum += given;
    if (state[c.at].h > a->k.dry) ((uint8_t *)a->wet_old)[c.tile] = 1;
    v->same[c.tile] = 0;
  }
  return sum;
}

/* One after another: they may share cells. */
__device__ __forceinline__ void apply_sources(const swg_args *a, double t, double dt,
                                              scratch *room) {
  const swg_view *v = &a->v;
  const swg_forcing *f = &v->forcing;
  for (int m = 0; m < f->n_sources; m++) {
    const swg_source *q = &f->sources[m];
    const double from = t > q->t_start ? t : q->t_start,
                 to = t + dt < q->t_stop ? t + dt : q->t_stop;
    if (to <= from) continue;
    const double amount = ria_forcing_at(&f->table, q->rate, 0.5 * (from + to)) * (to - from);
    const double sum = block_sum(room, apply_source(a, q, amount));
    /* one thread, one after another: the order is fixed, and nobody waits for memory */
    if (threadIdx.x == 0) atomicAdd(&v->clock->added[q->quantity], sum * v->area);
  }
}

/* --- the clock ----------------------------------------------------------------------------------
 */

/* The largest of what the warps of a step left in their slots, which are emptied. */
__device__ __forceinline__ unsigned long long take_slots(unsigned long long *slots, int lane) {
  unsigned long long most = 0;
#pragma unroll
  for (int k = lane; k < SWG_SLOTS; k += 32) {
    most = max(most, slots[k]);
    slots[k] = 0;
  }
  return most_of_warp(most);
}

/* Take over what the step (or the survey) found: two warps, while others do other things. */
__device__ __forceinline__ void gather(const swg_view *v, int mode, swg_beat *b) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  swg_clock *c = v->clock;
  if (warp == TICK_WARPS - 1) {
    const unsigned long long where = take_slots(c->where, lane);
    if (lane == 0) b->speed_cell = where ? (int32_t)(0xffffffffu - (unsigned)where) : -1;
  }
  if (warp == TICK_WARPS - 2) {
    const int bad = c->bad;
    const unsigned long long speed = take_slots(c->found, lane);
    if (lane != 0) return;
    b->speed = __longlong_as_double((long long)speed);
    if (mode == SWG_AFTER_STEP) settle(b, bad);
  }
}

/* The step that follows from all speeds. lead: who asks for more than the flow; live: does forcing
 * act, so that the domain may be wetted? */
__device__ __forceinline__ void choose_by(const swg_args *a, swg_beat *b, leader lead, bool live,
                                          scratch *room) {
  const swg_view *v = &a->v;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (__syncthreads_or(lead.who != 0)) {
    lead = warp_leader(lead);
    if (lane == 0) room->lead[warp] = lead;
    __syncthreads();
    if (warp == 0) lead = warp_leader(lane < TICK_WARPS ? room->lead[lane] : leader{0, 0});
  }
  if (threadIdx.x == 0) {
    swg_beat fresh = *b;
    const double speed = __longlong_as_double((long long)lead.speed);
    choose(v, a->old, &fresh,
           {live ? fmax(speed, v->least) : speed, (int32_t)(lead.who & 0xffffffffu) - 1});
    *b = fresh;
  }
  __syncthreads();
}

/* The present state is a.old; *b the clock, shared by the block. */
__device__ __forceinline__ void tick(const swg_args *a, int mode, scratch *room, swg_beat *b) {
  const swg_view *v = &a->v;
  const swg_forcing *f = &v->forcing;
  const sw_const_f64 k = sw_constants_f64(v->p.gravity, v->p.dry_depth, v->dx, v->dy);
  leader lead = {0, 0};
  if (mode != SWG_AFTER_STEP) {
    evaluate(f, NULL, b->t);
    if (mode == SWG_BEGIN_SURVEYED) find_lowest(a);
    __syncthreads();
  }
  if (mode != SWG_BEGIN) gather(v, mode, b);
  spread_all(a, f->next, &lead, &k, room);
  __syncthreads();

  const double t = b->t, left = b->t_stop - t, flow = b->speed;
  if (is_over(b)) {
    __syncthreads(); /* all have read */
    if (threadIdx.x == 0) b->done = 1;
    return;
  }
  bool live = f->n_levels + f->n_spreads > 0;
  level_speeds(a, &k, flow, &lead);
  if (f->n_sources > 0) {
    const double guess = sw_stable_step(&v->pace, flow, left);
    live |= source_speeds(a, t, guess < left ? guess : left, &lead);
  }
  choose_by(a, b, lead, live, room);
  if (b->done) return;
  const double dt = b->dt, middle = t + 0.5 * dt;
  evaluate(f, &middle, b->last ? b->t_stop : t + dt);
  if (threadIdx.x / 32 == TICK_WARPS - 1) keep_by(v, dt, threadIdx.x % 32);
  if (v->gusts && threadIdx.x / 32 == TICK_WARPS - 2) set_wind(v, middle);
  if (f->n_spreads > 0) {
    __syncthreads();
    spread_all(a, f->value, NULL, &k, room);
  }
  if (f->n_sources == 0) return;
  __syncthreads(); /* what is shared out by the state comes before what sources add to it */
  apply_sources(a, t, dt, room);
}

__global__ void __launch_bounds__(SWG_TICK)
    swg_tick(const __grid_constant__ swg_args a, int mode, double t_stop, int64_t todo,
             cudaGraphConditionalHandle loop, int closes) {
  __shared__ scratch room;
  __shared__ swg_beat beat;
  if (threadIdx.x == 0) {
    swg_beat b = a.v.clock->beat;
    if (mode != SWG_AFTER_STEP) {
      b.t_stop = t_stop;
      b.todo = todo;
      b.done = b.failure != 0;
    }
    beat = b;
  }
  __syncthreads();
  const bool over = beat.done;
  __syncthreads();
  if (!over) tick(&a, mode, &room, &beat);
  __syncthreads();
  if (threadIdx.x != 0) return;
  a.v.clock->beat = beat;
  if (closes) cudaGraphSetConditional(loop, !beat.done);
}

cudaError_t launch_tick(const swg_view *v, int now, int mode, double t_stop, int64_t todo,
                        cudaGraphConditionalHandle loop, int closes, cudaStream_t stream) {
  const swg_args a = swg_args_of(v, now);
  swg_tick<<<1, SWG_TICK, 0, stream>>>(a, mode, t_stop, todo, loop, closes);
  return cudaGetLastError();
}

} // namespace
