/* gpu/adi/tick.cuh - what lies between two steps of the implicit solver, per precision: looks at
 * the state, the clock (adi_clock_k.h), boundaries and sources.
 *
 * The formulas are those of the CPU's loops; of equal numbers the first cell counts. The clock is
 * on the device: a tick of one block takes over what a look saw, chooses the steps up to the next
 * look and leaves them, with all that sweeps need to know of their lengths, in adig_report.
 * Included after sweep.cuh and forcing.cuh. */
namespace {
#define R RIA_PRECISION

enum { EACH = 256 }; /* threads of a block */

/* Nothing is to be done at this place of the round. */
__device__ __forceinline__ bool idle(const int *bad, const adi_step *step) {
  return *bad || !step->on;
}

#define FOR_EACH(K, N)                                                                             \
  for (int64_t K = (int64_t)blockIdx.x * EACH + threadIdx.x; K < (N);                              \
       K += (int64_t)gridDim.x * EACH)
unsigned blocks_of(int64_t n) {
  const int64_t b = (n + EACH - 1) / EACH;
  return (unsigned)(b < 1 ? 1 : b > 65535 ? 65535 : b);
}

__device__ __forceinline__ const R *in(const void *p) { return (const R *)p; }
__device__ __forceinline__ R *out(void *p) { return (R *)p; }

/* What every thread of the block has, added up; on all of them. */
__device__ __forceinline__ double block_sum(double *room, double v) {
  room[threadIdx.x] = v;
  __syncthreads();
  for (int d = EACH / 2; d > 0; d /= 2) {
    if ((int)threadIdx.x < d) room[threadIdx.x] += room[threadIdx.x + d];
    __syncthreads();
  }
  v = room[0];
  __syncthreads();
  return v;
}

/* --- boundaries and sources ------------------------------------------------------------------- */

__device__ __forceinline__ size_t side_cell_at(const ria_gpu_view *v, int side, int k) {
  int i, j;
  ria_side_cell_of(v->nx, v->ny, side, k, &i, &j);
  return ria_gpu_at(v, i, j);
}

/* Values at the ends of the lines of an axis: levels at t_level, discharges at t_flux. All threads
 * of a block. */
__device__ void force_sides(const adig_forcing *f, int axis, double t_level, double t_flux) {
  if (f->given) find_points(f, t_level);
  find_values(f, axis, t_level, t_flux);
  __syncthreads();
  place_levels(f, axis);
  if (f->rivers.radiates[axis]) place_currents(f, axis, t_level);
  share_discharges(f, axis);
  __syncthreads();
}

/* A cell of a radiating side, whose flux out of the domain is at `face`. */
__device__ __forceinline__ adi_shore shore_of(const adig_forcing *f, int side, int rim, size_t at,
                                              size_t face) {
  const ria_gpu_view *v = &f->v;
  const bool x = ria_side_along_x(side);
  const int axis = x ? ADI_X : ADI_Y;
  /* of the middle of the last step of the flux across */
  const void *along = x ? f->flux[1 - axis] : f->flux_old[1 - axis];
  const double sign = ria_side_is_upper(side) ? 1 : -1,
               h = number(f->level, at) - number(f->bed, at);
  adi_shore s;
  s.h = h > 0 ? h : 0;
  s.out[0] = sign * number(f->flux_old[axis], face);
  s.out[1] = sign * number(f->flux[axis], face);
  s.apart = number(along, at) - number(along, at - (x ? v->stride : 1));
  s.current = f->current[rim];
  s.d = x ? v->dx : v->dy;
  s.along = x ? v->dy : v->dx;
  s.length = x ? f->rows * v->dy : v->nx * v->dx;
  return s;
}

/* What radiating sides keep at the ends of the lines of an axis, a step of the flux later: before
 * the sweep along y (adi_bend_sides). All threads of a block. */
__device__ __noinline__ void bend_sides(const adig_forcing *f, int axis, double dt) {
  const ria_gpu_view *v = &f->v;
  __syncthreads();
#pragma unroll 1
  for (int end = 0; end < 2; end++) {
    const int side = (axis == ADI_X ? (int)RIA_WEST : (int)RIA_SOUTH) + end;
    /* of a part with a row on either side, which the first of two solutions takes, too */
    const int beside = axis == ADI_X, all = v->first[side + 1] - v->first[side];
    const bool goes_on = beside && f->goes_on;
    const int south = f->side_from[side] - beside, north = f->side_to[side] + beside;
    const int from = goes_on ? south : max(south, 0), to = goes_on ? north : min(north, all);
    for (int k = from + (int)threadIdx.x; k < to; k += TICK) {
      const int row = goes_on ? (f->base + k + f->rows) % f->rows - f->base : k;
      const int rim = v->first[side] + row;
      if (v->stretch[v->owner[rim]].kind != SIDE_RADIATE) continue;
      const size_t at = side_cell_at(v, side, k), back = side == RIA_WEST    ? 1
                                                         : side == RIA_SOUTH ? v->stride
                                                                             : 0;
      adi_bend(v->crossed[(size_t)rim * v->n_quantities].kept,
               shore_of(f, side, rim, at, at - back), f->drying, f->gravity, dt);
    }
  }
}

/* What a sweep of a step needs of the sides; before an x-sweep also what inflow brings. */
__device__ void force_step(const adig_forcing *f, const adi_step *st, int axis) {
  const double later = axis == ADI_X ? 0.5 : 1.0;
  const double t_level = st->t + later * st->dt, t_flux = st->t + (later + 0.5) * st->dt;
  if (f->rated[1 - axis]) even_rated(f, 1 - axis);
  if (axis == ADI_Y && f->rivers.radiates[ADI_X]) bend_sides(f, ADI_X, st->dt);
  if (f->forced[axis]) force_sides(f, axis, t_level, t_flux);
  if (axis == ADI_Y && f->rivers.radiates[ADI_Y]) bend_sides(f, ADI_Y, st->dt);
  if (axis == ADI_X && f->carried_in) find_inflow(f, t_level);
}

__global__ void __launch_bounds__(TICK, 1)
    force_at(const __grid_constant__ adig_forcing f, const adi_step *step, int axis) {
  if (idle(f.bad, step)) return;
  const adi_step st = *step;
  force_step(&f, &st, axis);
}

/* --- what a look sees ------------------------------------------------------------------------- */

/* Of a and b the greater; of equals the one that the CPU comes to first. */
typedef struct most_of {
  double v;
  int order, cell;
} most_of;
__device__ __forceinline__ most_of greater(most_of a, most_of b) {
  return b.v > a.v || (b.v == a.v && b.order < a.order) ? b : a;
}
__device__ __forceinline__ most_of most_of_warp(most_of a) {
  for (int d = 16; d > 0; d /= 2) {
    const most_of b = {__shfl_xor_sync(0xffffffffu, a.v, d),
                       __shfl_xor_sync(0xffffffffu, a.order, d),
                       __shfl_xor_sync(0xffffffffu, a.cell, d)};
    a = greater(a, b);
  }
  return a;
}
/* All threads of a block; the result is on thread 0. */
__device__ most_of most_of_block(most_of *room, most_of a) {
  a = most_of_warp(a);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = a;
  __syncthreads();
  if (threadIdx.x < 32) a = most_of_warp(room[threadIdx.x % (blockDim.x / 32)]);
  __syncthreads();
  return a;
}

enum { SEES_DEEPEST, SEES_FLOW, SEES_RATE, SEES_HIGHEST, SEES };
typedef struct sight {
  most_of most[SEES];
} sight;
__device__ __forceinline__ sight sight_none() {
  sight s;
  for (int k = 0; k < SEES; k++) s.most[k] = {k == SEES_HIGHEST ? -1e300 : 0.0, 0x7fffffff, -1};
  return s;
}
__device__ __forceinline__ void note(sight *s, int what, double v, int order, int cell) {
  s->most[what] = greater(s->most[what], {v, order, cell});
}
__device__ __forceinline__ adi_seen seen_by_block(most_of *room, const sight &s) {
  adi_seen out = adi_seen_none();
  most_of m = most_of_block(room, s.most[SEES_FLOW]);
  out.flow = m.v, out.flow_cell = m.cell;
  m = most_of_block(room, s.most[SEES_RATE]);
  out.rate = m.v, out.cell = m.cell;
  m = most_of_block(room, s.most[SEES_HIGHEST]);
  out.highest = m.v, out.high_cell = m.cell;
  out.deepest = most_of_block(room, s.most[SEES_DEEPEST]).v;
  return out;
}

/* The k-th cell of the part; it is told of as one of the grid. */
__device__ __forceinline__ void look_at(const adig_look &l, int k_here, sight *seen) {
  const ria_gpu_view *v = &l.s.v;
  const int i = (int)((unsigned)k_here % (unsigned)v->nx);
  const int j = l.s.begin + (int)((unsigned)k_here / (unsigned)v->nx);
  const int k = k_here + (l.s.base + l.s.begin) * v->nx;
  const ptrdiff_t at = (ptrdiff_t)ria_gpu_at(v, i, j), st = (ptrdiff_t)v->stride;
  const R *e = in(l.s.level) + at, *z = in(l.s.bed) + at, *p = in(l.s.p) + at, *q = in(l.s.q) + at;
  const double least = ADI_FILMS * l.flooding, g = l.s.gravity;
  const double level = (double)e[0], bed = (double)z[0], h = level - bed;
  const auto thin = [&](ptrdiff_t o) { return !((double)(e[o] - z[o]) > least); };
  const bool west = i > 0 || l.s.rings.x, east = i + 1 < v->nx || l.s.rings.x;
  const bool south = j > 0 || l.s.rings.y, north = j + 1 < v->ny || l.s.rings.y;
  double rate = 0;
  note(seen, SEES_DEEPEST, h, k, k);
  if (l.kind == ADIG_HEADS) {
    if (h > l.s.dry)
      note(seen, SEES_HIGHEST,
           adi_head(level, h, (double)p[-1], (double)p[0], (double)q[-st], (double)q[0], least, g),
           k, k);
    return;
  }
  if (h > least) {
    note(seen, SEES_HIGHEST, level, k, k);
    rate =
        adi_flow_rate((double)p[-1], (double)p[0], (double)q[-st], (double)q[0], h, v->dx, v->dy);
    const bool front =
        (west && thin(-1)) || (east && thin(1)) || (south && thin(-st)) || (north && thin(st));
    if (!front) note(seen, SEES_FLOW, rate, k, k);
  }
  if (east)
    rate = fmax(rate, adi_dam_rate(level, (double)e[1], bed, (double)z[1], least, g, v->dx));
  if (north)
    rate = fmax(rate, adi_dam_rate(level, (double)e[st], bed, (double)z[st], least, g, v->dy));
  note(seen, SEES_RATE, rate, k, k);
}

__global__ void __launch_bounds__(EACH) look(const __grid_constant__ adig_look l) {
  __shared__ most_of room[EACH / 32];
  const adig_report *report = l.report;
  if (l.kind == ADIG_IF_DUE && (report->over || report->bad || report->more_parts ||
                                !adi_look_due(&report->clock, &l.rules, report->clock.steps)))
    return;
  sight seen = sight_none();
  FOR_EACH(k, (int64_t)l.s.v.nx * (l.s.end - l.s.begin)) look_at(l, (int)k, &seen);
  const adi_seen all = seen_by_block(room, seen);
  if (threadIdx.x == 0) l.seen[blockIdx.x] = all;
}

/* --- the tick --------------------------------------------------------------------------------- */

/* The two sides of an axis where the part has them, by the values that force_sides left. order: of
 * the first cell of all sides of the grid. */
__device__ void see_sides(const adig_forcing *f, int axis, int order, sight *seen) {
  const ria_gpu_view *v = &f->v;
  const bool x = axis == ADI_X;
  for (int end = 0; end < 2; end++) {
    const int side = (x ? (int)RIA_WEST : (int)RIA_SOUTH) + end, first = v->first[side];
    for (int k = f->side_from[side] + threadIdx.x; k < f->side_to[side]; k += TICK) {
      const int kind = v->stretch[v->owner[first + k]].kind;
      if (!water_side_has_level(kind) && kind != SIDE_DISCHARGE) continue;
      const size_t at = side_cell_at(v, side, k);
      const double bed = (double)in(f->bed)[at], own = (double)in(f->level)[at] - bed;
      const double value = f->value[first + k];
      if (!(bed < f->land)) continue;
      const int i = x ? (end ? v->nx - 1 : 0) : k;
      const int j = f->base + (x ? k : end ? v->ny - 1 : 0);
      if (kind != SIDE_DISCHARGE) note(seen, SEES_DEEPEST, value - bed, order, 0);
      note(seen, SEES_RATE,
           adi_forced_rate(kind, own > 0 ? own : 0, bed, value, f->gravity, x ? v->dx : v->dy),
           order + first + k, j * v->nx + i);
    }
  }
}

__device__ void see_sources(const adig_forcing *f, double t, double dt, int order, sight *seen) {
  const ria_gpu_view *v = &f->v;
  const adig_rivers *r = &f->rivers;
  const double area = v->dx * v->dy, d = v->dx < v->dy ? v->dx : v->dy;
  for (int m = threadIdx.x; m < v->n_sources; m += TICK) {
    const ria_gpu_source *q = &v->source[m];
    if (q->quantity != 0 || !runs(q, t, dt)) continue;
    r->source_gives[m] = fmax(rate_of(f, m, t), rate_of(f, m, t + dt));
  }
  __syncthreads();
  for (int e = threadIdx.x; e < r->n_water_cells; e += TICK) {
    const ria_gpu_source_cell c = r->source_cell[e];
    const int j = c.at / v->nx;
    if (c.at < 0 || j < f->begin || j >= f->end || !runs(&v->source[c.source], t, dt)) continue;
    const size_t at = source_at(v, &c);
    const double own = number(f->level, at) - number(f->bed, at);
    const double rate = r->source_gives[c.source] * c.weight / area;
    note(seen, SEES_RATE, adi_source_rate(own > 0 ? own : 0, rate, dt, f->gravity, d),
         order + c.place, c.at + f->base * v->nx);
  }
}

/* What the sides and the sources are about to bring, at t and after dt. */
__device__ sight look_outside(const adig_forcing *f, double t, double dt) {
  const int rim = f->v.first[RIA_SIDES];
  sight seen = sight_none();
  for (int later = 0; later < 2; later++)
    for (int axis = ADI_X; axis <= ADI_Y; axis++) {
      if (!f->forced[axis]) continue;
      force_sides(f, axis, t + later * dt, t + later * dt);
      see_sides(f, axis, later * rim, &seen);
      __syncthreads();
    }
  if (f->v.n_sources > 0) see_sources(f, t, dt, 2 * rim, &seen);
  if (f->n_layers > 0 && threadIdx.x == 0) note(&seen, SEES_DEEPEST, f->deepest_layer, 2 * rim, 0);
  return seen;
}
/* The same; on thread 0. */
__device__ adi_seen see_forcing(const adig_forcing *f, double t, double dt, most_of *room) {
  const sight seen = look_outside(f, t, dt);
  adi_seen out = seen_by_block(room, seen);
  out.forced = 1;
  return out;
}

/* What the blocks of a look saw, all together; on thread 0. */
__device__ adi_seen see_state(const adig_tick *t, most_of *room) {
  sight seen = sight_none();
  for (int k = threadIdx.x; k < t->seen_blocks; k += TICK) {
    const adi_seen *s = &t->seen[k];
    note(&seen, SEES_DEEPEST, s->deepest, k, 0);
    note(&seen, SEES_FLOW, s->flow, s->flow_cell, s->flow_cell);
    note(&seen, SEES_RATE, s->rate, s->cell, s->cell);
    note(&seen, SEES_HIGHEST, s->highest, s->high_cell, s->high_cell);
  }
  return seen_by_block(room, seen);
}

/* The steps up to the next look; none where the host must judge a level before. One thread. */
__device__ void choose_steps(const adig_tick *t, adi_clock *c, bool halted) {
  adig_report *report = t->report;
  const ria_gpu_view *v = &t->f.v;
  bool go = true;
  if (halted || c->high) { /* times stay: a sweep may have failed in one of these steps (fail.cu) */
    for (int k = t->place; k < t->place + t->chooses; k++) report->step[k].on = 0;
    if (!halted) report->over = 1, report->clock = *c;
    return;
  }
  report->judged = 0;
  for (int k = t->place; k < t->place + t->chooses; k++) {
    adi_step st = {};
    if (go) adi_choose(c, &t->rules, &st);
    if (go && !st.on) report->over = 1;
    const int parts = st.on ? adi_mix_parts(t->most_diffusion, st.dt, v->dx, v->dy) : 0;
    if (st.on && t->most_diffusion > 0 && (parts > t->parts || (parts == 0 && !t->implicit)))
      st.on = 0, report->more_parts = 1;
    go = go && st.on;
    report->step[k] = st;
    report->done[k] = c->steps;
    report->parts[k] = parts;
    if (!go) continue;
    adi_begin_step(c, &st);
    adi_end_step(c, &st);
  }
  if (c->steps >= c->steps_stop || !(c->t < c->t_stop)) report->over = 1;
  report->clock = *c;
}

/* All that a sweep must know of the length of its step. */
__device__ void set_way(const adig_tick *t, int k, int axis) {
  const ria_gpu_view *v = &t->f.v;
  const adi_step st = t->report->step[k];
  if (!st.on) return;
  const bool x = axis == ADI_X;
  const double da = x ? v->dx : v->dy, dc = x ? v->dy : v->dx, dt_u = x ? st.dt : st.across;
  adi_way w = adi_way_of(t->f.gravity, da, dc, st.dt, dt_u, t->f.drying, t->f.flooding, t->f.land);
  double stress[2];
  ria_wind_stress(ria_forcing_at(&v->table, t->wind[RIA_WIND_SPEED], st.t + (x ? 0.5 : 1) * st.dt),
                  ria_forcing_at(&v->table, t->wind[RIA_WIND_FROM], st.t + (x ? 0.5 : 1) * st.dt),
                  t->wind_drag, stress);
  ria_to_axes(t->axes, stress);
  w.lw = t->thesis ? (R)0 : (R)(dt_u / dc);
  w.upwind = (R)t->upwind;
  w.turn = (R)(x ? t->turn : -t->turn);
  w.wind = (R)stress[axis]; /* at the middle of the step of the flux */
  R *to = (R *)t->ways + (size_t)(4 * k + 2 * axis) * ADIG_WAY;
  *(adi_way *)to = w;
  w.lw = 0;
  *(adi_way *)(to + ADIG_WAY) = w;
}

__global__ void __launch_bounds__(TICK, 1)
    tick(const __grid_constant__ adig_tick t, cudaGraphConditionalHandle loop, bool in_loop) {
  __shared__ most_of room[TICK / 32];
  __shared__ adi_clock clock;
  __shared__ bool halted, due;
  adig_report *report = t.report;
  if (t.chooses) {
    if (threadIdx.x == 0) {
      clock = report->clock;
      if (t.lost && *(const volatile int *)t.lost) report->over = 1; /* the others do not answer */
      halted = report->over || report->bad || report->more_parts;
      due = !halted && !report->judged && adi_look_due(&clock, &t.rules, clock.steps);
    }
    __syncthreads();
    if (due) {
      adi_seen seen = t.apart ? *t.seen : see_state(&t, room);
      if (!(t.rules.dt > 0) && !t.apart) {
        const adi_seen outside = see_forcing(&t.f, clock.t, clock.dt_full, room);
        adi_see(&seen, &outside);
      }
      __syncthreads();
      if (threadIdx.x == 0) adi_look_at(&clock, &t.rules, &seen);
    }
    if (threadIdx.x == 0) {
      choose_steps(&t, &clock, halted);
      report->stops = report->over || report->bad || report->more_parts;
      if (in_loop) cudaGraphSetConditional(loop, !report->stops);
    }
    __syncthreads();
    if ((int)threadIdx.x < 2 * t.chooses)
      set_way(&t, t.place + (int)threadIdx.x / 2, (int)threadIdx.x % 2);
  }
  const adi_step st = report->step[t.place];
  if (report->bad || !st.on) return;
  if (t.f.v.n_sources > 0) {
    apply_sources(&t.f, st.t, st.dt);
    __syncthreads();
  }
  if (t.forces) force_step(&t.f, &st, ADI_X);
}

/* --- launches --------------------------------------------------------------------------------- */

int64_t cells_of(const ria_gpu_view *v) { return (int64_t)v->nx * v->ny; }
#define LAUNCH(KERNEL, BLOCKS, STREAM, ...)                                                        \
  (KERNEL<<<BLOCKS, EACH, 0, STREAM>>>(__VA_ARGS__), cudaGetLastError())
#define OVER_CELLS(KERNEL, V, STREAM, ...)                                                         \
  LAUNCH(KERNEL, blocks_of(cells_of(V)), STREAM, __VA_ARGS__)

cudaError_t do_force(const adig_forcing *f, const adi_step *step, int axis, cudaStream_t st) {
  force_at<<<1, TICK, 0, st>>>(*f, step, axis);
  return cudaGetLastError();
}
cudaError_t do_look(const adig_look *l, cudaStream_t st) {
  return LAUNCH(look, (unsigned)l->blocks, st, *l);
}
cudaError_t do_tick(const adig_tick *t, cudaGraphConditionalHandle loop, bool in_loop,
                    cudaStream_t st) {
  tick<<<1, TICK, 0, st>>>(*t, loop, in_loop);
  return cudaGetLastError();
}

#undef R
} // namespace
