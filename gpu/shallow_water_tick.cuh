/* shallow_water_tick.cuh - between two steps, on the device, by one block: take over the step just
 * done, work out the forcing of the moment, choose dt, apply what sources give.
 *
 * The same in the same order as shallow_water_clock.c and shallow_water_forcing.c do it. Sums over
 * * cells and over partial tides are taken pairwise, in a fixed order. */

namespace {

/* --- over the block ----------------------------------------------------------------------------
 */

typedef struct scratch {
  double sum[SWG_TICK];
  unsigned long long most[SWG_TICK / 32];
} scratch;

/* The sum of every thread's v, on all threads. */
__device__ __forceinline__ double block_sum(scratch *room, double v) {
  const int t = threadIdx.x;
  room->sum[t] = v;
  __syncthreads();
  for (int d = SWG_TICK / 2; d > 0; d /= 2) {
    if (t < d) room->sum[t] += room->sum[t + d];
    __syncthreads();
  }
  v = room->sum[0];
  __syncthreads();
  return v;
}

__device__ __forceinline__ double block_least(scratch *room, double v) {
  const int t = threadIdx.x;
  room->sum[t] = v;
  __syncthreads();
  for (int d = SWG_TICK / 2; d > 0; d /= 2) {
    if (t < d && room->sum[t + d] < room->sum[t]) room->sum[t] = room->sum[t + d];
    __syncthreads();
  }
  v = room->sum[0];
  __syncthreads();
  return v;
}

__device__ __forceinline__ unsigned long long block_most(scratch *room, unsigned long long v) {
  const int t = threadIdx.x;
  v = most_of_warp(v);
  if (t % 32 == 0) room->most[t / 32] = v;
  __syncthreads();
  v = most_of_warp(t % 32 < SWG_TICK / 32 ? room->most[t % 32] : 0);
  __syncthreads();
  return v;
}

/* The larger speed; of equal ones the first. */
__device__ __forceinline__ fastest block_fastest(scratch *room, fastest f) {
  const unsigned long long bits = (unsigned long long)__double_as_longlong(f.speed);
  const unsigned long long most = block_most(room, bits);
  const unsigned long long mine =
      bits == most && f.cell >= 0
          ? (unsigned long long)(0x7fffffff - f.order) << 32 | (unsigned)(f.cell + 1)
          : 0;
  f.speed = __longlong_as_double((long long)most);
  f.cell = (int32_t)(block_most(room, mine) & 0xffffffffu) - 1;
  return f;
}

/* --- the forcing of the moment ------------------------------------------------------------------
 */

/* The lowest bed of a stretch: beds do not change while steps run. */
__device__ __forceinline__ void find_lowest(const swg_args *a, swg_spread *s, scratch *room) {
  double lowest = 1e300;
  for (int k = threadIdx.x; k < s->n; k += SWG_TICK) {
    const double z = (double)a->bed[a->v.forcing.spread[s->first + k].at];
    if (z < lowest) lowest = z;
  }
  lowest = block_least(room, lowest);
  if (threadIdx.x == 0) s->lowest = lowest;
  __syncthreads();
}

__device__ __forceinline__ void spread(const swg_args *a, const swg_spread *to, scratch *room) {
  const swg_view *v = &a->v;
  const swg_spread s = *to;
  const double q = v->forcing.value[s.stretch];
  const double filled = sw_filled_to(q, s.width, s.lowest, v->p.gravity);
  double sum = 0;
  for (int k = threadIdx.x; k < s.n; k += SWG_TICK) {
    const swg_rim_cell c = v->forcing.spread[s.first + k];
    const double w = sw_conveyance((double)a->old[c.at].h, (double)a->bed[c.at],
                                   a->manning ? (double)a->manning[c.at] : 1.0, filled);
    v->rim.share[c.rim] = w;
    sum += w;
  }
  sum = block_sum(room, sum);
  const double per = s.width / s.n; /* of one cell */
  for (int k = threadIdx.x; k < s.n; k += SWG_TICK) {
    double *share = &v->rim.share[v->forcing.spread[s.first + k].rim];
    *share = sum > 0 ? q * *share / (sum * per) : 0.0;
  }
  __syncthreads();
}

/* ria_forcing_at by a warp: the partial tides a lane each; of a series the place is found by
 * looking at 32 knots at once. */
__device__ __forceinline__ double forcing_at(const ria_forcing_table *table, int id, double t,
                                             int lane) {
  const ria_forcing f = table->entry[id];
  const double *d = table->data + f.first;
  if (f.kind == RIA_FORCING_CONSTANT) return ria_forcing_at(table, id, t);
  double v = 0.0;
  if (f.kind == RIA_FORCING_TIDE) {
    for (int k = lane; k < f.count; k += 32) v += d[3 * k + 1] * cos(d[3 * k] * t - d[3 * k + 2]);
    for (int s = 16; s > 0; s /= 2) v += __shfl_xor_sync(0xffffffffu, v, s);
  } else {
    int lo = 0, hi = f.count; /* the last knot at or before t is in [lo, hi) */
    while (hi - lo > 1) {
      const int stride = (hi - lo + 31) / 32, k = lo + lane * stride;
      const unsigned before = __ballot_sync(0xffffffffu, k < hi && (lane == 0 || d[2 * k] <= t));
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

/* Values of boundaries at t, and what discharges share out. */
__device__ __forceinline__ void force_at(const swg_args *a, double t, bool concentrations,
                                         scratch *room) {
  const swg_view *v = &a->v;
  const swg_forcing *f = &v->forcing;
  const int lane = threadIdx.x % 32, each = 1 + (concentrations ? v->nt : 0);
  for (int k = threadIdx.x / 32; k < f->n_stretch * each; k += SWG_TICK / 32) {
    const int s = k / each, m = k % each - 1;
    const ria_stretch *b = &f->stretch[s];
    if (m < 0 && b->kind != SW_LEVEL && b->kind != SW_DISCHARGE) continue;
    const double value = forcing_at(&f->table, m < 0 ? b->value[0] : b->tracer[m], t, lane);
    if (lane == 0) *(m < 0 ? &f->value[s] : &f->conc[s * v->nt + m]) = value;
  }
  __syncthreads();
  for (int k = 0; k < f->n_spreads; k++) spread(a, &f->spreads[k], room);
}

__device__ __forceinline__ void note(fastest *f, double speed, int32_t cell, int order) {
  if (speed > f->speed) *f = {speed, cell, order};
}

/* The largest wave speed that boundaries and sources ask for, given a step of at most dt. */
__device__ __forceinline__ fastest forcing_speed(const swg_args *a, double t, double dt,
                                                 scratch *room) {
  const swg_view *v = &a->v;
  const swg_forcing *f = &v->forcing;
  const double rdx = 1.0 / v->dx, rdy = 1.0 / v->dy, g = v->p.gravity, dry = v->p.dry_depth;
  const sw_const_f64 k = sw_constants_f64(g, dry, v->dx, v->dy);
  fastest most = {0.0, -1, 0};
  bool live = f->n_forced > 0;
  for (int e = threadIdx.x; e < f->n_forced; e += SWG_TICK) {
    const swg_rim_cell c = f->forced[e];
    const vec4 s = a->old[c.at];
    const bool x = c.side == RIA_WEST || c.side == RIA_EAST;
    const double sign = c.side == RIA_EAST || c.side == RIA_NORTH ? 1.0 : -1.0;
    const double h = (double)s.h, q = (double)(x ? s.qx : s.qy);
    const double value = c.kind == SW_DISCHARGE ? v->rim.share[c.rim] : f->value[c.owner];
    const double a_n = sw_boundary_speed_f64(
        c.kind, h > dry ? h : 0.0, h > dry ? sign * q / h : 0.0, (double)a->bed[c.at], value, &k);
    note(&most, a_n * (x ? rdx : rdy) + sqrt(g * h) * (x ? rdy : rdx), c.cell, e);
  }
  int order = f->n_forced;
  for (int m = 0; m < f->n_sources; m++) {
    const swg_source q = f->sources[m];
    if (q.quantity != 0 || t >= q.t_stop || t + dt <= q.t_start) continue;
    live = true;
    const double now = ria_forcing_at(&f->table, q.rate, t) / v->area;
    for (int e = threadIdx.x; e < q.n; e += SWG_TICK) {
      const int32_t cell = f->source_cell[q.first + e];
      const vec4 s = a->old[cell / v->nx * v->stride + cell % v->nx];
      const double rate = now * f->source_weight[q.first + e];
      if (rate <= 0) continue;
      note(&most,
           sw_source_speed((double)s.h, (double)s.qx, (double)s.qy, rate, dt, g, dry, v->p.cfl, rdx,
                           rdy),
           cell, order + e);
    }
    order += q.n;
  }
  most = block_fastest(room, most);
  const double least = live ? sw_forced_least(v->dx, v->dy, g) : 0.0;
  if (least > most.speed) most.speed = least;
  return most;
}

__device__ __forceinline__ void apply_sources(const swg_args *a, double t, double dt,
                                              scratch *room) {
  const swg_view *v = &a->v;
  const swg_forcing *f = &v->forcing;
  vec4 *state = (vec4 *)a->old; /* the present is ours between two steps */
  for (int m = 0; m < f->n_sources; m++) {
    const swg_source q = f->sources[m];
    const double from = t > q.t_start ? t : q.t_start, to = t + dt < q.t_stop ? t + dt : q.t_stop;
    if (to <= from) continue;
    const double amount = ria_forcing_at(&f->table, q.rate, 0.5 * (from + to)) * (to - from);
    double sum = 0;
    for (int e = threadIdx.x; e < q.n; e += SWG_TICK) {
      const int32_t cell = f->source_cell[q.first + e];
      const int i = cell % v->nx, j = cell / v->nx;
      const size_t at = (size_t)j * v->stride + i;
      R *value = q.quantity == 0   ? &state[at].h
                 : q.quantity == 1 ? &state[at].hc
                                   : (R *)a->old_more + (q.quantity - 2) * v->plane + at;
      double *owed = &f->source_owed[q.first + e];
      const double had = (double)*value;
      const double due = amount * f->source_weight[q.first + e] / v->area + *owed;
      *value = (R)(had + due > 0 ? had + due : 0.0);
      const double given = (double)*value - had;
      *owed = due > 0 ? due - given : 0;
      sum += given;
      const int tile = j / v->rows * v->tiles_x + i / SWG_COLUMNS;
      if (state[at].h > a->k.dry) ((uint8_t *)a->wet_old)[tile] = 1;
      v->same[tile] = 0;
    }
    sum = block_sum(room, sum);
    if (threadIdx.x == 0) v->clock->added[q.quantity] += sum * v->area;
  }
}

/* --- the clock ----------------------------------------------------------------------------------
 */

/* What the warps found; thread 0 keeps it in b. */
__device__ __forceinline__ void gather(const swg_view *v, scratch *room, swg_beat *b) {
  swg_clock *c = v->clock;
  const int t = threadIdx.x;
  const unsigned long long speed = block_most(room, t < SWG_SLOTS ? c->found[t] : 0);
  const unsigned long long where = block_most(room, t < SWG_SLOTS ? c->where[t] : 0);
  if (t < SWG_SLOTS) c->found[t] = c->where[t] = 0;
  if (t == 0) know(b, speed, where);
}

/* a.old is the present state; *b the clock, shared by the block. */
__device__ __forceinline__ void tick(const swg_args *a, int mode, scratch *room, swg_beat *b) {
  const swg_view *v = &a->v;
  if (mode != SWG_BEGIN) gather(v, room, b);
  if (mode == SWG_BEGIN_SURVEYED)
    for (int k = 0; k < v->forcing.n_spreads; k++) find_lowest(a, &v->forcing.spreads[k], room);
  if (threadIdx.x == 0) {
    if (mode == SWG_AFTER_STEP) settle(b, v->clock->bad);
    b->done = is_over(b);
  }
  __syncthreads();
  const double t = b->t, left = b->t_stop - t, speed = b->speed;
  const bool over = b->done;
  __syncthreads(); /* all have read: thread 0 may write */
  if (over) return;
  fastest forced = {0.0, -1, 0};
  const bool live = v->forcing.n_forced > 0 || v->forcing.n_sources > 0;

  if (live) {
    force_at(a, t, false, room);
    const double guess = sw_stable_step(&v->pace, speed, left);
    forced = forcing_speed(a, t, guess < left ? guess : left, room);
  }
  if (threadIdx.x == 0) choose(v, a->old, b, forced);
  __syncthreads();
  if (b->done) return;
  const double dt = b->dt;
  if (!v->alone) force_at(a, t + 0.5 * dt, true, room);
  if (live) apply_sources(a, t, dt, room);
}

__global__ void __launch_bounds__(SWG_TICK)
    swg_tick(const __grid_constant__ swg_args a, int mode, double t_stop, int64_t todo,
             cudaGraphConditionalHandle loop, int closes) {
  __shared__ scratch room;
  __shared__ swg_beat beat;
  if (threadIdx.x == 0) {
    beat = a.v.clock->beat;
    if (mode != SWG_AFTER_STEP) {
      beat.t_stop = t_stop;
      beat.todo = todo;
      beat.done = beat.failure != 0;
    }
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
