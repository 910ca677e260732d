/* gpu/adi_sweep.cuh - one sweep of the implicit solver, in one kernel: the rows of every line are
 * built from the planes, eliminated as they come, solved (partition.cuh), and what comes out of
 * them becomes fluxes and levels, so that a sweep reads and writes each plane once.
 *
 * A thread has M cells of a line after each other and the faces behind them; face -1, where a line
 * begins, belongs to the first thread. Rows (sweep along x) are read in vectors, columns (along y)
 * by lanes side by side; nothing is transposed.
 *
 * Where no cell around is thin, which the largest flux of the sweep before says at once, nothing is
 * limited across (adi_share_across is 1), and half of the flux across need not be read. */
#include "partition.cuh"
#include "solvers/adi/adi_k.h"
namespace {
#define R RIA_PRECISION

enum {
  ADIG_THREADS = 512,
  SHORT_SEGMENT = sizeof(R) == 4 ? 8 : 4, /* cells a thread: what registers hold */
  LONG_SEGMENT = 8
};

__device__ __forceinline__ int layout_room_of_solve(const line_layout &l) {
  return 6 * l.segments * l.lines + 6 * l.lines * (l.blocks + 1);
}

/* Measured on an H200 (tests/bench/RESULTS.md). Rows: one line a block, short segments as long as a
 * block then holds the line. Columns: side by side for whole sectors, 64 segments a block and as
 * many blocks as the line takes; in small grids fewer side by side, so that there are blocks
 * enough. */
line_layout layout_for(int n, int lines, bool rows, int most_blocks) {
  const bool small = (int64_t)n * lines <= 512 * 512;
  const bool is_short = rows ? n <= SHORT_SEGMENT * ADIG_THREADS : small;
  line_layout l = {is_short ? SHORT_SEGMENT : LONG_SEGMENT, 1, rows ? 1 : small ? 4 : 8, 1};
  while (l.lines > 1 && l.m * (ADIG_THREADS / l.lines) * most_blocks < n) l.lines /= 2;
  const int most = rows ? ADIG_THREADS : small ? 128 : ADIG_THREADS / l.lines;
  while (l.segments < most && layout_reach(&l) < n) l.segments *= 2;
  while (layout_reach(&l) < n) l.blocks *= 2;
  for (; l.blocks > most_blocks; l.blocks /= 2) l.segments *= 2;
  while (layout_threads(&l) < 64) l.lines *= 2; /* short lines */
  return l;
}

typedef struct sweep_args {
  adig_sweep s;
  RIA_K(adi_way) w;
  R rough, eddy;
} sweep_args;

sweep_args sweep_args_of(const adig_sweep *s) {
  sweep_args a;
  a.s = *s;
  a.w = RIA_K(adi_way_of)(s->g, s->da, s->dc, s->dt, s->dt_u, s->drying, s->flooding, s->land);
  a.w.lw = (R)s->lw;
  a.w.upwind = (R)s->upwind;
  a.w.turn = (R)s->turn;
  a.w.wind = (R)s->wind;
  a.rough = (R)s->rough;
  a.eddy = (R)s->eddy;
  return a;
}

/* --- planes ------------------------------------------------------------------------------------
 */

template <int V> struct pack;
template <> struct pack<1> { R v[1]; };
template <> struct __align__(2 * sizeof(R)) pack<2> { R v[2]; };
template <> struct __align__(16) pack<4> { R v[4]; };

template <int V> __device__ __forceinline__ pack<V> load(const void *plane, ptrdiff_t at) {
  return *(const pack<V> *)((const R *)plane + at);
}
__device__ __forceinline__ R get(const void *plane, ptrdiff_t at) { return ((const R *)plane)[at]; }
__device__ __forceinline__ void put(void *plane, ptrdiff_t at, R v) { ((R *)plane)[at] = v; }

__device__ __forceinline__ ptrdiff_t cell_at(const adig_sweep *s, int i, int t) {
  return (ptrdiff_t)s->origin + (ptrdiff_t)i * (ptrdiff_t)s->along +
         (ptrdiff_t)t * (ptrdiff_t)s->across;
}

__device__ __forceinline__ void count_crossed(const adig_sweep *s, int rim, R into) {
  ria_crossed *c = &s->crossed[(size_t)rim * s->n_quantities];
  const double amount = (double)into * s->area;
  if (amount > 0)
    c->in += amount;
  else
    c->out -= amount;
}

/* --- what crosses the faces across a line ------------------------------------------------------
 */

typedef struct crossing {
  R lo, hi;
} crossing;

__device__ R moved_across(const sweep_args *a, int i, int t) {
  const ptrdiff_t at = cell_at(&a->s, i, t);
  return a->w.kc * (get(a->s.v, at) + get(a->s.v_old, at));
}

__device__ R share_of(const sweep_args *a, int i, int t, R lo, R hi) {
  if (t < 0 || t >= a->s.lines) return 1;
  const ptrdiff_t at = cell_at(&a->s, i, t);
  return RIA_K(adi_share_across)(get(a->s.level, at), get(a->s.bed, at), lo, hi);
}

/* Where cells may be thin: the four faces and three cells that it depends on. */
__device__ __noinline__ crossing limited_across(const sweep_args *a, int i, int t) {
  const R lo = moved_across(a, i, t - 1), hi = moved_across(a, i, t);
  const R below = t > 0 ? moved_across(a, i, t - 2) : (R)0;
  const R above = t + 1 < a->s.lines ? moved_across(a, i, t + 1) : (R)0;
  const R share = share_of(a, i, t, lo, hi);
  return {RIA_K(adi_donor)(lo, share_of(a, i, t - 1, below, lo), share),
          RIA_K(adi_donor)(hi, share, share_of(a, i, t + 1, hi, above))};
}

/* --- the ends of a line ------------------------------------------------------------------------
 */

__device__ __noinline__ RIA_K(adi_row) boundary_row(const sweep_args *a, int end, int t, R level,
                                                    R bed, R known, R u, R u_in, R drag) {
  const int rim = a->s.first[end] + t;
  return RIA_K(adi_boundary)(a->s.stretch[a->s.owner[rim]].kind, end ? (R)-1 : (R)1, level, bed,
                             known, u, u_in, drag, (R)a->s.value[rim], &a->w);
}

__device__ __forceinline__ bool is_wall(const sweep_args *a, int end, int t) {
  return a->s.stretch[a->s.owner[a->s.first[end] + t]].kind == SW_WALL;
}

/* --- a sweep -----------------------------------------------------------------------------------
 */

__device__ __forceinline__ unsigned most_of_lanes(unsigned v) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(0xffffffffu, v);
#else
  for (int d = 16; d > 0; d /= 2) v = max(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
#endif
}

/* Every flux that crossed lines last is at most so large, with some room. */
__device__ __forceinline__ R largest_moved(const sweep_args *a) {
  const unsigned bits = most_of_lanes(a->s.fastest[a->s.slot * ADIG_SLOTS + threadIdx.x % 32]);
  return (R)1.001 * a->w.kc * (R)__uint_as_float(bits);
}

/* Say how large those of this sweep are; clear what the next one writes. */
__device__ __forceinline__ void tell_largest(const sweep_args *a, R most) {
  const unsigned bits = most_of_lanes(__float_as_uint(__double2float_ru((double)most)));
  const int next = (a->s.slot + 1) % 3, clear = (a->s.slot + 2) % 3;
  const unsigned slot = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) % ADIG_SLOTS;
  if (threadIdx.x % 32 == 0) atomicMax(&a->s.fastest[next * ADIG_SLOTS + slot], bits);
  if (blockIdx.x == 0 && threadIdx.x < ADIG_SLOTS)
    a->s.fastest[clear * ADIG_SLOTS + threadIdx.x] = 0;
}

/* A cell of the line, and what it sees on the lines beside. */
typedef struct cell {
  R h, inv;           /* depth, 1 / depth */
  R z, s, known, u;   /* bed, level; flux of its far face */
  R un, us, hn, hs;   /* lines beside: flux of the same face, depth */
  R vn, vs, on, os;   /* flux across on its two sides, now and a step earlier */
  R rough, e, en, es; /* roughness; eddy viscosity here and beside */
} cell;

/* The face between l and r; um: flux of the face before, hll and hrr: depths beyond. */
__device__ __forceinline__ RIA_K(adi_face)
    face_between(const cell &l, const cell &r, R um, R hll, R hrr, R g) {
  const R quarter = (R)0.25, rough = (R)0.5 * (l.rough + r.rough);
  RIA_K(adi_face) f;
  f.zl = l.z, f.zr = r.z, f.sl = l.s, f.sr = r.s, f.kl = l.known, f.kr = r.known;
  f.um = um, f.u = l.u, f.up = r.u, f.un = l.un, f.us = l.us;
  f.hll = hll, f.hrr = hrr, f.hln = l.hn, f.hrn = r.hn, f.hls = l.hs, f.hrs = r.hs;
  f.vln = l.vn, f.vrn = r.vn, f.vls = l.vs, f.vrs = r.vs;
  f.oln = l.on, f.orn = r.on, f.ols = l.os, f.ors = r.os;
  f.drag = g * rough * rough;
  f.el = l.e, f.er = r.e;
  f.en = quarter * (l.e + r.e + l.en + r.en), f.es = quarter * (l.e + r.e + l.es + r.es);
  return f;
}

__device__ __forceinline__ R drag_of(const sweep_args &a, const cell &c) {
  return a.w.g * c.rough * c.rough;
}

/* What a thread makes of its cells. */
template <int M> struct piece {
  tri_row row[M - 1], last, begin; /* begin: face -1, where the line begins */
  R b_last, level[M];              /* level: less what crossed across */
  R least;                         /* room for what leaves along */
};

/* Where a thread's cells are. */
typedef struct place {
  int i0, t, top;         /* first cell, line; cells from it to the ghost where the line ends */
  ptrdiff_t base, al, ac; /* of the first cell; strides along and across */
  bool store;
} place;

/* Rows and all that is known before they are solved. PLAIN: one roughness and one eddy viscosity
 * everywhere. CALM: by the short arithmetic; returns whether that was right for all of the thread's
 * faces. Whatever is counted is counted by the other way alone: calm lines have walls at their ends
 * and beside. */
template <int M, bool ROWS, bool PLAIN, bool CALM>
__device__ __forceinline__ bool build(const sweep_args &a, const place &at_, piece<M> *out) {
  constexpr int V = ROWS ? (int)(16 / sizeof(R)) : 1;
  const adig_sweep &s = a.s;
  const int i0 = at_.i0, t = at_.t, top = at_.top;
  const ptrdiff_t base = at_.base, al = at_.al, ac = at_.ac;
  const R thin = 4 * largest_moved(&a);
  bool calm = true;
  tri_row up = {-1, 0, 0};
  out->begin = {0, 0, 0};
  out->least = (R)1e30;
  cell l, r;
  R um = 0, hll = 0; /* of the face before; depth of the cell before l */
  pack<V> z, zn, zs, h, hn, hs, u, un, us, v, vs, o, os, n, e, en, es;
  /* How far cell k of the thread is from the first; of a column, no further than its ghost. */
  const auto to = [&](int k) -> ptrdiff_t { return ROWS ? k : min(k, top) * al; };
  l.u = get(s.u, base - al);
  R before = RIA_K(adi_depth)(get(s.level, base - al), get(s.bed, base - al));
  z = load<V>(s.bed, base), h = load<V>(s.level, base);
  R next_z = z.v[0], next_s = h.v[0], next = RIA_K(adi_depth)(next_s, next_z);
#pragma unroll
  for (int k = 0; k <= M; k++) {
    const int q = k < M ? k % V : 0;
    const int i = i0 + k;
    const ptrdiff_t at = base + to(k);
    if (k < M && q == 0) {
      zn = load<V>(s.bed, at + ac), zs = load<V>(s.bed, at - ac);
      hn = load<V>(s.level, at + ac), hs = load<V>(s.level, at - ac);
      u = load<V>(s.u, at), un = load<V>(s.u, at + ac), us = load<V>(s.u, at - ac);
      v = load<V>(s.v, at), vs = load<V>(s.v, at - ac);
      o = load<V>(s.v_old, at), os = load<V>(s.v_old, at - ac);
      if (!PLAIN && s.manning) n = load<V>(s.manning, at);
      if (!PLAIN && s.viscosity)
        e = load<V>(s.viscosity, at), en = load<V>(s.viscosity, at + ac),
        es = load<V>(s.viscosity, at - ac);
    } else if (k == M) {
      zn.v[0] = get(s.bed, at + ac), zs.v[0] = get(s.bed, at - ac);
      hn.v[0] = get(s.level, at + ac), hs.v[0] = get(s.level, at - ac);
      u.v[0] = get(s.u, at), un.v[0] = get(s.u, at + ac), us.v[0] = get(s.u, at - ac);
      v.v[0] = get(s.v, at), vs.v[0] = get(s.v, at - ac);
      o.v[0] = get(s.v_old, at), os.v[0] = get(s.v_old, at - ac);
      if (!PLAIN && s.manning) n.v[0] = get(s.manning, at);
      if (!PLAIN && s.viscosity)
        e.v[0] = get(s.viscosity, at), en.v[0] = get(s.viscosity, at + ac),
        es.v[0] = get(s.viscosity, at - ac);
    }
    const R depth = next;
    r.z = next_z, r.s = next_s;
    if (k + 1 < M) { /* a cell ahead */
      if ((k + 1) % V == 0)
        z = load<V>(s.bed, base + to(k + 1)), h = load<V>(s.level, base + to(k + 1));
      next_z = z.v[(k + 1) % V], next_s = h.v[(k + 1) % V];
    } else {
      next_z = get(s.bed, base + to(k + 1)), next_s = get(s.level, base + to(k + 1));
    }
    next = RIA_K(adi_depth)(next_s, next_z);
    r.u = u.v[q], r.un = un.v[q], r.us = us.v[q];
    r.hn = RIA_K(adi_depth)(hn.v[q], zn.v[q]), r.hs = RIA_K(adi_depth)(hs.v[q], zs.v[q]);
    r.vn = v.v[q], r.vs = vs.v[q], r.on = o.v[q], r.os = os.v[q];
    r.rough = !PLAIN && s.manning ? n.v[q] : a.rough;
    const bool eddies = !PLAIN && s.viscosity;
    r.e = eddies ? e.v[q] : a.eddy;
    r.en = eddies ? en.v[q] : a.eddy, r.es = eddies ? es.v[q] : a.eddy;
    r.h = depth, r.inv = RIA_K(ria_inv)(depth);
    const R has = depth - RIA_K(adi_keep)(r.s, r.z);
    crossing c = {a.w.kc * (r.vs + r.os), a.w.kc * (r.vn + r.on)};
    const bool deep = has >= thin &&
                      (r.hn - RIA_K(adi_keep)(hn.v[q], zn.v[q]) >= thin || t == s.lines - 1) &&
                      (r.hs - RIA_K(adi_keep)(hs.v[q], zs.v[q]) >= thin || t == 0);
    const bool still = c.lo == 0 && c.hi == 0;
    if (!deep && !still && i < s.n) {
      if (CALM)
        calm = false;
      else
        c = limited_across(&a, i, t);
    }
    r.known = RIA_K(adi_known)(r.s, c.lo, c.hi, l.u, r.u, a.w.k);
    if (k == 0 && i == 0) {
      if (CALM) {
        calm = calm && is_wall(&a, 0, t);
      } else {
        const RIA_K(adi_row) end =
            boundary_row(&a, 0, t, r.s, r.z, r.known, l.u, r.u, drag_of(a, r));
        out->begin = RIA_K(tri_first)((R)0, end.di, end.up, end.rhs);
      }
      up = out->begin;
    }
    if (k > 0) {
      const RIA_K(adi_face) f = face_between(l, r, um, hll, next, a.w.g);
      RIA_K(adi_row) m = {0, 1, 0, 0};
      if (CALM) {
        RIA_K(adi_row) inner;
        const int fine = RIA_K(adi_calm)(&f, l.h, r.h, l.inv, r.inv, &a.w, &inner);
        if (i < s.n) m = inner, calm = calm && fine;
        if (i == s.n) calm = calm && is_wall(&a, 1, t);
      } else {
        if (i < s.n) m = RIA_K(adi_momentum)(&f, &a.w);
        if (i == s.n) m = boundary_row(&a, 1, t, l.s, l.z, l.known, l.u, um, drag_of(a, l));
      }
      if (k < M) {
        out->row[k - 1] = up = RIA_K(tri_next)(up, m.lo, m.di, m.up, m.rhs);
      } else {
        out->last = {-(m.lo * up.a), m.up, m.rhs - m.lo * up.d};
        out->b_last = m.di - m.lo * up.c;
      }
    }
    if (k < M) {
      out->level[k] = r.s - (c.hi - c.lo);
      if (i < s.n) out->least = RIA_K(ria_min)(out->least, has - RIA_K(adi_leaving)(c.lo, c.hi));
      if (at_.store && i < s.n) {
        if (CALM) calm = calm && (t > 0 || c.lo == 0) && (t < s.lines - 1 || c.hi == 0);
        if (!CALM && t == 0) count_crossed(&s, s.side[0] + i, c.lo);
        if (!CALM && t == s.lines - 1) count_crossed(&s, s.side[1] + i, -c.hi);
        if (s.moved_v) {
          const ptrdiff_t at = cell_at(&s, i, t);
          if (t == 0) put(s.moved_v, at - ac, c.lo);
          put(s.moved_v, at, c.hi);
        }
      }
      um = l.u;
      hll = before;
      before = depth;
      l = r;
    }
  }
  return calm;
}

template <int M, bool ROWS, bool CLUSTER, bool PLAIN>
__global__ void __launch_bounds__(ADIG_THREADS, 1)
    sweep_lines(const __grid_constant__ sweep_args a, const __grid_constant__ line_layout layout) {
  constexpr int V = ROWS ? (int)(16 / sizeof(R)) : 1;
  extern __shared__ __align__(16) unsigned char memory[];
  const adig_sweep &s = a.s;
  const int failed = *s.bad;
  if (failed && failed < s.number) return;
  if (CLUSTER) cluster_begin();
  const lines_here<ROWS, CLUSTER> here(layout);
  R *room = (R *)memory;
  R *share_first = room + layout_room_of_solve(layout), *share_last = share_first + here.threads;
  const int tid = threadIdx.x, line = here.first_line + here.line;
  const int i0 = (here.rank * here.segments + here.segment) * M;
  const int t = min(line, s.lines - 1), i_safe = min(i0, s.n - 1) / M * M;
  const ptrdiff_t al = ROWS ? 1 : (ptrdiff_t)s.along, ac = ROWS ? (ptrdiff_t)s.across : 1;
  const ptrdiff_t base = (ptrdiff_t)s.origin + i_safe * al + t * ac;
  const int top = s.n - i_safe;
  const bool store = line < s.lines;
  const auto to = [&](int k) -> ptrdiff_t { return ROWS ? k : min(k, top) * al; };

  const place at = {i0, t, top, base, al, ac, store};
  piece<M> seg;
  if (!__syncthreads_and(build<M, ROWS, PLAIN, true>(a, at, &seg)))
    build<M, ROWS, PLAIN, false>(a, at, &seg);
  const tri_row *row = seg.row, last = seg.last, begin = seg.begin;
  const R *level = seg.level, b_last = seg.b_last, least = seg.least;

  tri_row first = row[M - 2];
#pragma unroll
  for (int k = M - 3; k >= 0; k--) first = RIA_K(tri_through)(row[k], first);
  R x[M], left;
  x[M - 1] =
      solve_segments<lines_here<ROWS, CLUSTER>, CLUSTER>(here, room, first, last, b_last, &left);
#pragma unroll
  for (int k = M - 2; k >= 0; k--) x[k] = RIA_K(tri_solve)(row[k], left, x[k + 1]);
  if (i0 == 0) left = begin.d - begin.c * x[0];

  /* what crosses along: the old fluxes once more */
  R old[M], most = 0, sum_left;
#pragma unroll
  for (int k = 0; k < M; k += V) {
    const pack<V> p = load<V>(s.u, base + to(k));
#pragma unroll
    for (int q = 0; q < V; q++) old[k + q] = p.v[q];
  }
  sum_left = left + get(s.u, base - al);
  R most_sum = RIA_K(ria_abs)(sum_left);
#pragma unroll
  for (int k = 0; k < M; k++) {
    old[k] += x[k];
    most_sum = RIA_K(ria_max)(most_sum, i0 + k < s.n ? RIA_K(ria_abs)(old[k]) : (R)0);
  }
  R share[M];
#pragma unroll
  for (int k = 0; k < M; k++) share[k] = 1;
  if (!(2 * a.w.k * most_sum <= least) && i0 < s.n) {
#pragma unroll
    for (int k = 0; k < M; k++) {
      if (i0 + k >= s.n || (old[k] == 0 && (k > 0 ? old[k - 1] : sum_left) == 0)) continue;
      const ptrdiff_t at = cell_at(&s, i0 + k, t);
      const crossing c = limited_across(&a, i0 + k, t);
      share[k] =
          RIA_K(adi_share_along)(get(s.level, at), get(s.bed, at), RIA_K(adi_leaving)(c.lo, c.hi),
                                 a.w.k * (k > 0 ? old[k - 1] : sum_left), a.w.k * old[k]);
    }
  }
  share_first[tid] = share[0];
  share_last[tid] = share[M - 1];
  R share_behind = 1, share_ahead = 1;
  const int across_block = (here.segments - 1) * here.step;
  if constexpr (CLUSTER) {
    cluster_sync();
    if (here.segment == 0 && here.rank > 0)
      share_behind = cluster_room(share_last, here.rank - 1)[tid + across_block];
    if (here.segment == here.segments - 1 && here.rank < here.blocks - 1)
      share_ahead = cluster_room(share_first, here.rank + 1)[tid - across_block];
  } else {
    __syncthreads();
  }
  if (here.segment > 0) share_behind = share_last[tid - here.step];
  if (here.segment < here.segments - 1) share_ahead = share_first[tid + here.step];

  /* fluxes and levels */
  const R raw_left = a.w.k * sum_left;
  R west = RIA_K(adi_donor)(raw_left, share_behind, share[0]);
  if (i0 == 0 && store) {
    left *= raw_left > 0 ? share_behind : share[0];
    put(s.u_new, base - al, left);
    count_crossed(&s, s.first[0] + t, west);
    if (s.moved_u) put(s.moved_u, base - al, west);
    most = RIA_K(ria_abs)(left + get(s.u, base - al));
  }
  pack<V> level_out, u_out;
  bool bad = false;
#pragma unroll
  for (int k = 0; k < M; k++) {
    const int i = i0 + k;
    const R raw = a.w.k * old[k];
    const R lo = share[k], hi = k < M - 1 ? share[k + 1 < M ? k + 1 : k] : share_ahead;
    const R factor = raw > 0 ? lo : hi, east = raw * factor;
    const R was = old[k] - x[k];
    const R flux = x[k] * factor;
    const R now = level[k] - (east - west);
    if (i < s.n) {
      most = RIA_K(ria_max)(most, RIA_K(ria_abs)(flux + was));
      bad = bad || !(RIA_K(ria_abs)(now) < (R)1e30 && RIA_K(ria_abs)(flux) < (R)1e30);
      if (store && i == s.n - 1) count_crossed(&s, s.first[1] + t, -east);
      if (store && s.moved_u) put(s.moved_u, base + k * al, east);
    }
    west = east;
    level_out.v[k % V] = now, u_out.v[k % V] = flux;
    if (k % V == V - 1 && store) {
      const ptrdiff_t at = base + (k - (V - 1)) * al;
      if (V == 1 ? i < s.n : i0 + k < s.n) {
        *(pack<V> *)((R *)s.level_new + at) = level_out;
        *(pack<V> *)((R *)s.u_new + at) = u_out;
      } else {
#pragma unroll
        for (int p = 0; p < V; p++)
          if (i0 + k - (V - 1) + p < s.n)
            put(s.level_new, at + p * al, level_out.v[p]), put(s.u_new, at + p * al, u_out.v[p]);
      }
    }
  }
  if (bad && store) *s.bad = s.number;
  tell_largest(&a, most);
  if constexpr (CLUSTER) cluster_sync(); /* others read our shares */
}

/* --- which layout ------------------------------------------------------------------------------
 */

cudaError_t launch_lines(void (*kernel)(sweep_args, line_layout), const sweep_args *a,
                         const line_layout *l, cudaStream_t stream) {
  const size_t room = layout_room(l, sizeof(R), 2);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(layout_grid(l, a->s.lines));
  config.blockDim = dim3((unsigned)layout_threads(l));
  config.dynamicSmemBytes = room;
  config.stream = stream;
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = (unsigned)l->blocks;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  config.attrs = &cluster;
  config.numAttrs = l->blocks > 1;
  cudaError_t e = cudaSuccess;
  if (room > 48 << 10)
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room);
  if (e == cudaSuccess && l->blocks > 8)
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  return e == cudaSuccess ? cudaLaunchKernelEx(&config, kernel, *a, *l) : e;
}

template <int M, bool ROWS>
cudaError_t launch_sweep(const sweep_args *a, const line_layout *l, cudaStream_t stream) {
  const bool plain = !a->s.manning && !a->s.viscosity;
  if (l->blocks > 1)
    return launch_lines(
        plain ? sweep_lines<M, ROWS, true, true> : sweep_lines<M, ROWS, true, false>, a, l, stream);
  return launch_lines(
      plain ? sweep_lines<M, ROWS, false, true> : sweep_lines<M, ROWS, false, false>, a, l, stream);
}

cudaError_t do_sweep(const adig_sweep *s, int axis, cudaStream_t stream) {
  const sweep_args a = sweep_args_of(s);
  const line_layout l = layout_for(s->n, s->lines, axis == ADI_X, s->most_blocks);
  if (axis == ADI_X)
    return l.m == SHORT_SEGMENT ? launch_sweep<SHORT_SEGMENT, true>(&a, &l, stream)
                                : launch_sweep<LONG_SEGMENT, true>(&a, &l, stream);
  return l.m == SHORT_SEGMENT ? launch_sweep<SHORT_SEGMENT, false>(&a, &l, stream)
                              : launch_sweep<LONG_SEGMENT, false>(&a, &l, stream);
}

#undef R
} // namespace
