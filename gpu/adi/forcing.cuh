/* gpu/adi/forcing.cuh - boundaries and sources between two steps of the implicit solver, per
 * precision: parts of what tick.cuh does by one block. Included before it.
 *
 * Hundreds of rivers take about as long as one. A value in time has a thread. A cell of a discharge
 * has one, whatever stretch it is of: sums over a stretch are taken over lanes of a warp and, where
 * there are more cells, over what its warps have. A cell has one that sources give to, and gets
 * what comes from all of them in their order (ria_gpu_source_cell). Sums are taken in a fixed
 * order. */
#include "machine/points.cuh"
#include "machine/values.cuh"

namespace {
#define R RIA_PRECISION

enum { TICK = 512 }; /* threads of the block between two steps */

__device__ __forceinline__ double number(const void *plane, size_t at) {
  return (double)((const R *)plane)[at];
}
/* Row of the device that an element of a plane lies in. */
__device__ __forceinline__ int row_of(const ria_gpu_view *v, size_t at) {
  return (int)(at / v->stride) - 1;
}

/* --- boundaries ------------------------------------------------------------------------------- */

/* Levels and discharges of the sides of an axis, of each stretch. */
__device__ void find_values(const adig_forcing *f, int axis, double t_level, double t_flux) {
  const ria_gpu_view *v = &f->v;
  for (int s = threadIdx.x; s < v->n_stretch; s += TICK) {
    const ria_stretch *b = &v->stretch[s];
    const bool level = water_side_has_level(b->kind);
    if (ria_side_along_x(b->side) != (axis == ADI_X)) continue;
    if (level || b->kind == SIDE_DISCHARGE)
      f->rivers.now[s] = follow(&f->rivers.followed, &v->table, s, level ? t_level : t_flux);
  }
}

/* Concentrations of inflow at time t. */
__device__ void find_inflow(const adig_forcing *f, double t) {
  const ria_gpu_view *v = &f->v;
  for (int k = threadIdx.x; k < v->n_stretch * f->nt; k += TICK)
    f->inflow[k] = follow(&f->rivers.followed, &v->table, v->n_stretch + k, t);
}

/* Values at points at time t. All threads of a block. */
__device__ __noinline__ void find_points(const adig_forcing *f, double t) {
  const ria_gpu_view *v = &f->v;
  points_turn(&v->points, 0, t, threadIdx.x, TICK);
  __syncthreads();
#pragma unroll 1
  for (int k = threadIdx.x; k < v->points.n; k += TICK)
    f->given[water_values(v->n_stretch, k)] = point_at(&v->points, &v->table, k, 0, t);
}

/* The first cell of a side that the part may see: of a ring's rows beyond the ends all. */
__device__ __forceinline__ int first_of(const adig_forcing *f, int side) {
  return f->v.first[side] - (f->goes_on && side <= RIA_EAST ? f->base : 0);
}

/* Levels go to the cells of their sides. */
__device__ void place_levels(const adig_forcing *f, int axis) {
  const ria_gpu_view *v = &f->v;
  const int side = axis == ADI_X ? (int)RIA_WEST : (int)RIA_SOUTH;
  if (!f->rivers.levels[axis]) return;
  for (int k = first_of(f, side) + threadIdx.x; k < v->first[side + 2]; k += TICK) {
    const int owner = v->owner[k];
    if (!water_side_has_level(v->stretch[owner].kind)) continue;
    if (f->given && v->points.given[owner] & 1) {
      const water_place p = f->place[0][k];
      f->value[k] = water_between(f->given, p.slot, p.part);
    } else {
      f->value[k] = f->rivers.now[owner];
    }
  }
}

/* Currents outside radiating sides at time t, out of the domain: few stretches have one, and the
 * threads of a block work it out side by side. */
__device__ __noinline__ void place_currents(const adig_forcing *f, int axis, double t) {
  const ria_gpu_view *v = &f->v;
  const int which = water_current_across(axis == ADI_X);
#pragma unroll 1
  for (int s = 0; s < v->n_stretch; s++) {
    const ria_stretch *b = &v->stretch[s];
    if (b->kind != SIDE_RADIATE || ria_side_along_x(b->side) != (axis == ADI_X)) continue;
    const bool apart = f->given && v->points.given[s] >> which & 1;
    const double sign = ria_side_is_upper(b->side) ? 1 : -1,
                 all = apart ? 0 : ria_forcing_at(&v->table, b->value[which], t);
    for (int k = first_of(f, b->side) + threadIdx.x; k < v->first[b->side + 1]; k += TICK) {
      if (v->owner[k] != s) continue;
      const water_place p = apart ? f->place[which][k] : water_place();
      f->current[k] = sign * (apart ? water_between(f->given, p.slot, p.part) : all);
    }
  }
}

template <bool LEAST> __device__ __forceinline__ double joined(double a, double b) {
  return LEAST ? fmin(a, b) : a + b;
}
/* By a warp: what cell e has, joined over the lanes of its stretch. */
template <bool LEAST>
__device__ __forceinline__ void say(const adig_spread *s, double *of, int e, double v) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) {
    const double other = __shfl_xor_sync(0xffffffffu, v, d);
    if (d < s->lanes) v = joined<LEAST>(v, other);
  }
  of[e] = v;
}
/* By a warp, when all were said: of the whole stretch. */
template <bool LEAST>
__device__ __forceinline__ double hear(const adig_spread *s, const double *of, int e) {
  if (s->n <= 32) return of[e];
  double v = LEAST ? 1e300 : 0.0;
  for (int k = 32 * (threadIdx.x % 32); k < s->n; k += 1024) v = joined<LEAST>(v, of[s->first + k]);
#pragma unroll
  for (int d = 16; d > 0; d /= 2) v = joined<LEAST>(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}

/* What the cells of discharges do, then all meet. */
template <class DO>
__device__ __forceinline__ void each_cell(const adig_forcing *f, int axis, DO what) {
  const adig_rivers *r = &f->rivers;
#pragma unroll 1
  for (int e = r->first[axis] + threadIdx.x; e < r->first[axis + 1]; e += TICK) {
    const adig_spread_cell c = r->cell[e];
    what(e, c, &r->spread[c.stretch]);
  }
  __syncthreads();
}

__device__ __forceinline__ bool is_rated(const adig_forcing *f, int stretch) {
  return f->v.stretch[stretch].kind == SIDE_RATING;
}

/* Numbers of cell e of the list: of its plane, or as the parts that have cells said them. */
enum { RIM_LEVEL, RIM_BED, RIM_MANNING, RIM };
__device__ __forceinline__ double rim_number(const adig_forcing *f, int e, size_t at, int what) {
  const void *plane = what == RIM_LEVEL ? f->level : what == RIM_BED ? f->bed : f->manning;
  return f->rim && e < f->rivers.first[1] ? f->rim[RIM * e + what] : number(plane, at);
}

/* What of a rating leaves through a cell at the level that its cells have in the mean, weighed by
 * their conveyance, and how much more it is a metre higher. own, sum: conveyance of the cell, of
 * all; level: sum of it times level. */
__device__ __noinline__ void rate(const adig_forcing *f, adig_spread_cell c, double own, double sum,
                                  double level, double length) {
  const ria_forcing *curve = &f->v.table.entry[f->v.stretch[c.stretch].value[0]];
  const double part = water_share(1, own, sum, length);
  double slope;
  const double flow =
      water_curve_line(curve, f->v.table.data + curve->first, sum > 0 ? level / sum : 0, &slope);
  f->value[c.rim] = part * flow;
  f->slope[c.rim] = part * slope;
}

/* Lines along an axis are solved: the old flux over ratings at their ends becomes the new one. */
__device__ void even_rated(const adig_forcing *f, int axis) {
  const adig_rivers *r = &f->rivers;
  for (int e = r->first[axis] + threadIdx.x; e < r->first[axis + 1]; e += TICK) {
    const adig_spread_cell c = r->cell[e];
    if (c.rim < 0 || c.at == SIZE_MAX || !is_rated(f, c.stretch)) continue;
    const int side = f->v.stretch[c.stretch].side;
    const size_t back = side == RIA_WEST ? 1 : side == RIA_SOUTH ? f->v.stride : 0;
    ((R *)f->flux_old[axis])[c.at - back] = ((const R *)f->flux[axis])[c.at - back];
  }
}

/* Total discharges over their stretches, and what leaves by a curve, in proportion to conveyance.
 */
__device__ void share_discharges(const adig_forcing *f, int axis) {
  const adig_rivers *r = &f->rivers;
  if (r->first[axis] == r->first[axis + 1]) return;
  each_cell(f, axis, [&](int e, adig_spread_cell c, const adig_spread *s) {
    say<true>(s, r->shared[SHARED_LOWEST], e, rim_number(f, e, c.at, RIM_BED));
  });
  each_cell(f, axis, [&](int e, adig_spread_cell c, const adig_spread *s) {
    const double lowest = hear<true>(s, r->shared[SHARED_LOWEST], e);
    const double level = rim_number(f, e, c.at, RIM_LEVEL),
                 h = level - rim_number(f, e, c.at, RIM_BED);
    const bool wet = c.rim >= 0 && h > f->drying;
    say<false>(s, r->shared[SHARED_WATER], e, wet ? h : 0);
    say<false>(s, r->shared[SHARED_ABOVE], e, wet ? h * (level - lowest) : 0);
  });
  each_cell(f, axis, [&](int e, adig_spread_cell c, const adig_spread *s) {
    const double lowest = hear<true>(s, r->shared[SHARED_LOWEST], e);
    const double water = hear<false>(s, r->shared[SHARED_WATER], e),
                 above = hear<false>(s, r->shared[SHARED_ABOVE], e);
    const double z = rim_number(f, e, c.at, RIM_BED), own = rim_number(f, e, c.at, RIM_LEVEL) - z;
    const bool rated = is_rated(f, c.stretch);
    const double filled =
        rated ? lowest : water_filled_to(r->now[c.stretch], s->n * s->length, lowest, f->gravity);
    const double h = adi_shared_depth(own > 0 ? own : 0, z, f->drying, lowest, above, water);
    const double rough = f->manning ? rim_number(f, e, c.at, RIM_MANNING) : 1.0;
    const bool shares = c.rim >= 0 && z < f->land && (!rated || own > f->drying);
    const double w = shares ? water_conveyance(h, z, rough, filled) : 0;
    r->shared[SHARED_OWN][e] = w;
    say<false>(s, r->shared[SHARED_SUM], e, w);
    say<false>(s, r->shared[SHARED_LEVEL], e, w * (z + own));
  });
  each_cell(f, axis, [&](int e, adig_spread_cell c, const adig_spread *s) {
    const double sum = hear<false>(s, r->shared[SHARED_SUM], e),
                 level = hear<false>(s, r->shared[SHARED_LEVEL], e);
    if (c.rim < 0) return;
    if (is_rated(f, c.stretch))
      rate(f, c, r->shared[SHARED_OWN][e], sum, level, s->length);
    else
      f->value[c.rim] = water_share(r->now[c.stretch], r->shared[SHARED_OWN][e], sum, s->length);
  });
}

/* --- sources ---------------------------------------------------------------------------------- */

__device__ __forceinline__ bool runs(const ria_gpu_source *q, double t, double dt) {
  return ria_source_runs(q->t_start, q->t_stop, t, dt);
}
/* The rate of a source. */
__device__ __forceinline__ double rate_of(const adig_forcing *f, int source, double t) {
  return follow(&f->rivers.followed, &f->v.table, f->v.n_stretch * (1 + f->nt) + source, t);
}
__device__ __forceinline__ size_t source_at(const ria_gpu_view *v, const ria_gpu_source_cell *c) {
  const int row = c->at / v->nx, beyond = (int)ADIG_BESIDE; /* as ria_gpu_row_in_memory has it */
  return ria_gpu_at(v, c->at % v->nx, row >= v->ny + beyond ? row - v->ny - 2 * beyond : row);
}

/* What sources give in [t, t + dt], all their cells together. */
__device__ void find_gifts(const adig_forcing *f, double t, double dt) {
  const ria_gpu_view *v = &f->v;
  for (int m = threadIdx.x; m < v->n_sources; m += TICK) {
    const ria_gpu_source *q = &v->source[m];
    const ria_running r = ria_source_running(q->t_start, q->t_stop, t, dt);
    if (r.to > r.from)
      f->rivers.source_gives[m] = ria_running_gives(r, rate_of(f, m, ria_running_middle(r)));
  }
}

/* What comes to the cell that is number e of the list, the first of its kind: what it has taken; 0
 * where that is counted by another part, which has the cell. */
__device__ double give_cell(const adig_forcing *f, int e, double t, double dt) {
  const ria_gpu_view *v = &f->v;
  const adig_rivers *r = &f->rivers;
  const ria_gpu_source_cell c = r->source_cell[e];
  if (c.more < 0) return 0;
  const size_t at = source_at(v, &c);
  R *value = (R *)(c.quantity == 0 ? f->level : f->load[c.quantity - 1]) + at;
  const double empty = c.quantity == 0 ? number(f->bed, at) : 0.0, area = v->dx * v->dy;
  double sum = 0;
#pragma unroll 1
  for (int k = e; k <= e + c.more; k++) {
    const ria_gpu_source_cell one = k == e ? c : r->source_cell[k];
    if (!runs(&v->source[one.source], t, dt)) continue;
    const double due = r->source_gives[one.source] * one.weight / area;
    sum += ria_source_give(value, due, empty, &r->source_owed[one.place]) * area;
  }
  const int j = c.at / v->nx;
  return j >= f->begin && j < f->end ? sum : 0.0;
}

/* All sources in a step. All threads of a block. */
__device__ void apply_sources(const adig_forcing *f, double t, double dt) {
  __shared__ double given[1 + RIA_MAX_TRACERS][TICK / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  find_gifts(f, t, dt);
  if (lane <= RIA_MAX_TRACERS) given[lane][warp] = 0;
  __syncthreads();
#pragma unroll 1
  for (int e = threadIdx.x; e < f->rivers.n_source_cells; e += TICK) {
    double sum = give_cell(f, e, t, dt);
#pragma unroll
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0) given[f->rivers.source_cell[e].quantity][warp] += sum;
  }
  __syncthreads();
  if ((int)threadIdx.x <= f->nt) {
    double sum = 0;
    for (int k = 0; k < TICK / 32; k++) sum += given[threadIdx.x][k];
    f->v.added[threadIdx.x] += sum;
  }
}

#undef R
} // namespace
