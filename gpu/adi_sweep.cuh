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

template <int V> __device__ __forceinline__ pack<V> load(const void *plane, int at) {
  return *(const pack<V> *)((const R *)plane + at);
}
__device__ __forceinline__ R get(const void *plane, int at) { return ((const R *)plane)[at]; }
__device__ __forceinline__ void put(void *plane, int at, R v) { ((R *)plane)[at] = v; }

/* Planes have less than 2^31 numbers (ADIG_EACH). */
__device__ __forceinline__ int cell_at(const adig_sweep *s, int i, int t) {
  return (int)s->origin + i * (int)s->along + t * (int)s->across;
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
  const int at = cell_at(&a->s, i, t);
  return a->w.kc * (get(a->s.v, at) + get(a->s.v_old, at));
}

__device__ R share_of(const sweep_args *a, int i, int t, R lo, R hi) {
  if (t < 0 || t >= a->s.lines) return 1;
  const int at = cell_at(&a->s, i, t);
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

/* --- what is known of the sweep before ---------------------------------------------------------
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

/* Where a thread's cells are. */
typedef struct place {
  int i0, t, m,
      top;          /* first cell, line; how many; cells from it to the ghost where the line ends */
  int base, al, ac; /* of the first cell; strides along and across */
  bool store;
  R *begin; /* [2] of the line, shared: face -1 is begin[0] - begin[1] times face 0 */
} place;

/* How far cell k of a thread is from its first; of a column, no further than its ghost. */
template <bool ROWS> __device__ __forceinline__ int to_cell(const place &p, int k) {
  return ROWS ? k : min(k, p.top) * p.al;
}

/* What is kept of a thread's cells, in shared memory: [KEPT][m][threads]. The code is then a loop,
 * which stays in the cache of instructions; written out for all cells it does not. */
enum {
  KEPT_A,     /* rows of faces 0..m-2, eliminated ... */
  KEPT_C,     /* ... */
  KEPT_D,     /* ... */
  KEPT_LEVEL, /* less what crossed across */
  KEPT,
  KEPT_SUM = KEPT_A,   /* once the line is solved: old and new flux of the far face */
  KEPT_SHARE = KEPT_C, /* of what leaves along, where cells run short */
  KEPT_FLUX = KEPT_D   /* the new one */
};
typedef struct kept {
  R *mine;
  int m, threads;
  __device__ __forceinline__ R &at(int what, int k) const { return mine[(what * m + k) * threads]; }
} kept;

/* A thread's rows as they come, from the first: eliminated, and what is left of them. */
typedef struct elimination {
  tri_row up;    /* the one before */
  tri_row first; /* what all so far say of face 0 by the next face */
  tri_row last;  /* face m-1: last.a (left) + b_last x + last.c (next thread's) = last.d */
  R b_last;
  __device__ __forceinline__ void begin() { up = {-1, 0, 0}, first = {0, -1, 0}; }
  __device__ __forceinline__ void face(const kept &keep, int k, RIA_K(adi_row) row) {
    if (k == keep.m - 1) {
      last = {-(row.lo * up.a), row.up, row.rhs - row.lo * up.d};
      b_last = row.di - row.lo * up.c;
    } else {
      up = RIA_K(tri_next)(up, row.lo, row.di, row.up, row.rhs);
      first = RIA_K(tri_through)(first, up);
      keep.at(KEPT_A, k) = up.a, keep.at(KEPT_C, k) = up.c, keep.at(KEPT_D, k) = up.d;
    }
  }
} elimination;

/* --- the ends of a line ------------------------------------------------------------------------
 */

__device__ __noinline__ RIA_K(adi_row) boundary_row(const sweep_args *a, int end, int t, R level,
                                                    R bed, R known, R u, R u_in, R rough) {
  const int rim = a->s.first[end] + t;
  return RIA_K(adi_boundary)(a->s.stretch[a->s.owner[rim]].kind, end ? (R)-1 : (R)1, level, bed,
                             known, u, u_in, a->w.g * rough * rough, (R)a->s.value[rim], &a->w);
}

/* Face -1, by what the first cell says: bed, level, adi_known, flux of its two faces. */
__device__ __forceinline__ tri_row begin_line(const sweep_args *a, const place &p, R level, R bed,
                                              R known, R u, R u_in, R rough) {
  tri_row begin = {0, 0, 0};
  if (!a->s.walls[0]) {
    const RIA_K(adi_row) end = boundary_row(a, 0, p.t, level, bed, known, u, u_in, rough);
    begin = RIA_K(tri_first)((R)0, end.di, end.up, end.rhs);
  }
  p.begin[0] = begin.d, p.begin[1] = begin.c;
  return begin;
}

/* The last face of a line, by what the last cell says; *row is that of a wall. */
__device__ __forceinline__ void end_line(const sweep_args *a, const place &p, R level, R bed,
                                         R known, R u, R rough, RIA_K(adi_row) * row) {
  if (a->s.walls[1]) return;
  const R u_in = get(a->s.u, cell_at(&a->s, a->s.n - 2, p.t));
  *row = boundary_row(a, 1, p.t, level, bed, known, u, u_in, rough);
}

/* What V cells of a line, one after another, have in the planes. north, south: to the lines beside;
 * 0: the line itself. */
template <int V, bool MORE> struct cells {
  pack<V> z, s, zn, sn, zs, ss, u, un, us, v, vs, o, os, rough, e, en, es;
  __device__ __forceinline__ void read(const adig_sweep &w, int at, int ac, int north, int south) {
    z = load<V>(w.bed, at), s = load<V>(w.level, at), u = load<V>(w.u, at);
    zn = load<V>(w.bed, at + north), sn = load<V>(w.level, at + north);
    zs = load<V>(w.bed, at - south), ss = load<V>(w.level, at - south);
    un = load<V>(w.u, at + north), us = load<V>(w.u, at - south);
    v = load<V>(w.v, at), vs = load<V>(w.v, at - ac);
    o = load<V>(w.v_old, at), os = load<V>(w.v_old, at - ac);
    if (MORE && w.manning) rough = load<V>(w.manning, at);
    if (MORE && w.viscosity)
      e = load<V>(w.viscosity, at), en = load<V>(w.viscosity, at + north),
      es = load<V>(w.viscosity, at - south);
  }
};

/* --- calm water --------------------------------------------------------------------------------
 */

/* The order of numbers that are not negative is that of their first words, which is cheaper to find
 * the least and the largest by. What such a word says of a number, from below and from above: */
__device__ __forceinline__ int word_of(double a) { return __double2hiint(a); }
__device__ __forceinline__ int word_of(float a) { return __float_as_int(a); }
__device__ __forceinline__ int size_of(R a) { return word_of(a) & 0x7fffffff; }
__device__ __forceinline__ R at_least(int word) {
  return sizeof(R) == 4 ? (R)__int_as_float(word) : (R)__hiloint2double(word, 0);
}
__device__ __forceinline__ R at_most(int word) {
  return sizeof(R) == 4 ? (R)__int_as_float(word) : (R)__hiloint2double(word + 1, 0);
}

/* Does nothing cross the outer sides of the first and the last line? They are their own neighbours
 * there. */
__device__ __noinline__ bool rim_is_still(const adig_sweep *s, const place *p) {
  bool still = true;
  for (int k = 0; k < p->m && p->i0 + k < s->n; k++) {
    const int at = p->base + k * p->al;
    still = still && (p->t > 0 || get(s->v, at - p->ac) == 0) &&
            (p->t < s->lines - 1 || get(s->v, at) == 0);
  }
  return still;
}

/* Rows and all that is known before they are solved, in calm water; false: it is not calm at all of
 * the thread's faces, and what was made is of no use. Nothing is counted. *least: room for what
 * leaves cells along. MORE: with eddy viscosity, tracers, a plane of roughness. */
template <bool ROWS, bool MORE>
__device__ __forceinline__ bool build_calm(const sweep_args &a, const place &p, const kept &keep,
                                           elimination *rows, R *room) {
  constexpr int V = ROWS ? (int)(16 / sizeof(R)) : 1;
  constexpr bool AHEAD = !ROWS; /* registers do not hold two vectors of each */
  const adig_sweep &s = a.s;
  const int north = p.t == s.lines - 1 ? 0 : p.ac, south = p.t == 0 ? 0 : p.ac;
  RIA_K(adi_calm_cell) l, r;
  bool calm = true;
  int least = 0x7f7fffff, level = 0, along = 0, across = 0;
  cells<V, MORE> in, next;
  l.u = get(s.u, p.base - p.al);
  if (AHEAD) next.read(s, p.base, p.ac, north, south);
  rows->begin();
#pragma unroll 1
  for (int k0 = 0; k0 <= p.m; k0 += V) {
    if (AHEAD) {
      in = next;
      if (k0 < p.m) next.read(s, p.base + to_cell<ROWS>(p, k0 + V), p.ac, north, south);
    } else {
      in.read(s, p.base + to_cell<ROWS>(p, k0), p.ac, north, south);
    }
#pragma unroll
    for (int q = 0; q < V; q++) {
      const int k = k0 + q, i = p.i0 + k;
      if (k > p.m) break;
      r.z = in.z.v[q], r.s = in.s.v[q], r.h = r.s - r.z;
      r.inv = RIA_K(ria_inv)(r.h);
      r.u = in.u.v[q], r.un = in.un.v[q], r.us = in.us.v[q];
      r.hn = in.sn.v[q] - in.zn.v[q], r.hs = in.ss.v[q] - in.zs.v[q];
      r.vn = in.v.v[q], r.vs = in.vs.v[q];
      const R hi = r.vn + in.o.v[q], lo = r.vs + in.os.v[q];
      const R still = r.s - a.w.kc * (hi - lo);
      r.all = hi + lo;
      r.known = still - a.w.k * (r.u - l.u);
      r.carries = RIA_K(adi_calm_carries)(l.u, r.u, r.inv, &a.w);
      if (MORE) {
        r.rough = s.manning ? in.rough.v[q] : a.rough;
        r.e = s.viscosity ? in.e.v[q] : a.eddy;
        r.en = s.viscosity ? in.en.v[q] : a.eddy, r.es = s.viscosity ? in.es.v[q] : a.eddy;
      }
      if (i < s.n) {
        calm = calm && r.z < a.w.land;
        least = min(least, word_of(r.h - RIA_K(adi_keep)(r.s, r.z)));
        level = max(level, max(size_of(in.sn.v[q]), size_of(in.ss.v[q])));
        along = max(along, size_of(r.carries));
      }
      if (k == 0) {
        if (i == s.n - 1) calm = calm && RIA_K(adi_calm_even)(&r, &r); /* a cell alone */
        if (i == 0)
          rows->up = begin_line(&a, p, r.s, r.z, r.known, l.u, r.u, MORE ? r.rough : a.rough);
      } else {
        const R rough = MORE ? (R)0.5 * (l.rough + r.rough) : a.rough;
        R an, as;
        RIA_K(adi_row) m = RIA_K(adi_calm_row)(&l, &r, MORE, a.w.g * rough * rough, &a.w, &an, &as);
        if (i < s.n) {
          across = max(across, max(size_of(an), size_of(as)));
          calm = calm && RIA_K(adi_calm_even)(&l, &r);
        } else {
          m = {0, 1, 0, 0};
          if (i == s.n) end_line(&a, p, l.s, l.z, l.known, l.u, MORE ? l.rough : a.rough, &m);
        }
        rows->face(keep, k - 1, m);
      }
      if (k < p.m) {
        keep.at(KEPT_LEVEL, k) = still;
        if (MORE && s.moved_v && p.store && i < s.n) {
          const int at = p.base + k * p.al;
          if (p.t == 0) put(s.moved_v, at - p.ac, 0);
          put(s.moved_v, at, a.w.kc * hi);
        }
      }
      l = r;
    }
  }
  if (p.t == 0 || p.t == s.lines - 1) calm = calm && rim_is_still(&s, &p);
  const R moved = largest_moved(&a);
  *room = at_least(least) - 2 * moved;
  return p.i0 >= s.n ||
         (calm && RIA_K(adi_calm_deep)(at_least(least), at_most(level), at_most(along),
                                       at_most(across), moved, &a.w));
}

/* --- any water ---------------------------------------------------------------------------------
 */

/* A cell of the line, and what it sees on the lines beside. */
typedef struct cell {
  R h;                /* depth */
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

/* The same rows by all of the arithmetic, a face at a time; and the account of what crosses the
 * sides across. */
__device__ __noinline__ void build_any(const sweep_args *args, const place *at_, const kept *keep,
                                       elimination *rows, R *room) {
  const sweep_args &a = *args;
  const adig_sweep &s = a.s;
  const place p = *at_;
  const R thin = 4 * largest_moved(&a);
  const auto depth_at = [&](int at) { return RIA_K(adi_depth)(get(s.level, at), get(s.bed, at)); };
  cell l, r;
  R um = 0, hll = 0, before = depth_at(p.base - p.al); /* before l */
  l.u = get(s.u, p.base - p.al);
  R least = (R)1e30;
  rows->begin();
#pragma unroll 1
  for (int k = 0; k <= p.m; k++) {
    const int i = p.i0 + k;
    const int at = p.base + min(k, p.top) * p.al;
    const R sn = get(s.level, at + p.ac), zn = get(s.bed, at + p.ac);
    const R ss = get(s.level, at - p.ac), zs = get(s.bed, at - p.ac);
    r.z = get(s.bed, at), r.s = get(s.level, at), r.h = RIA_K(adi_depth)(r.s, r.z);
    r.u = get(s.u, at), r.un = get(s.u, at + p.ac), r.us = get(s.u, at - p.ac);
    r.hn = RIA_K(adi_depth)(sn, zn), r.hs = RIA_K(adi_depth)(ss, zs);
    r.vn = get(s.v, at), r.vs = get(s.v, at - p.ac);
    r.on = get(s.v_old, at), r.os = get(s.v_old, at - p.ac);
    r.rough = s.manning ? get(s.manning, at) : a.rough;
    r.e = s.viscosity ? get(s.viscosity, at) : a.eddy;
    r.en = s.viscosity ? get(s.viscosity, at + p.ac) : a.eddy;
    r.es = s.viscosity ? get(s.viscosity, at - p.ac) : a.eddy;
    const R has = r.h - RIA_K(adi_keep)(r.s, r.z);
    crossing c = {a.w.kc * (r.vs + r.os), a.w.kc * (r.vn + r.on)};
    const bool deep = has >= thin &&
                      (r.hn - RIA_K(adi_keep)(sn, zn) >= thin || p.t == s.lines - 1) &&
                      (r.hs - RIA_K(adi_keep)(ss, zs) >= thin || p.t == 0);
    if (!deep && !(c.lo == 0 && c.hi == 0) && i < s.n) c = limited_across(&a, i, p.t);
    r.known = RIA_K(adi_known)(r.s, c.lo, c.hi, l.u, r.u, a.w.k);
    if (k == 0 && i == 0) rows->up = begin_line(&a, p, r.s, r.z, r.known, l.u, r.u, r.rough);
    if (k > 0) {
      RIA_K(adi_row) m = {0, 1, 0, 0};
      if (i < s.n) {
        const RIA_K(adi_face) f =
            face_between(l, r, um, hll, depth_at(p.base + min(k + 1, p.top) * p.al), a.w.g);
        m = RIA_K(adi_momentum)(&f, &a.w);
      }
      if (i == s.n) end_line(&a, p, l.s, l.z, l.known, l.u, l.rough, &m);
      rows->face(*keep, k - 1, m);
    }
    if (k < p.m) keep->at(KEPT_LEVEL, k) = r.s - (c.hi - c.lo);
    if (k < p.m && i < s.n) {
      least = RIA_K(ria_min)(least, has - RIA_K(adi_leaving)(c.lo, c.hi));
      if (p.store && p.t == 0) count_crossed(&s, s.side[0] + i, c.lo);
      if (p.store && p.t == s.lines - 1) count_crossed(&s, s.side[1] + i, -c.hi);
      if (p.store && s.moved_v) {
        if (p.t == 0) put(s.moved_v, at - p.ac, c.lo);
        put(s.moved_v, at, c.hi);
      }
    }
    um = l.u;
    hll = before;
    before = r.h;
    l = r;
  }
  *room = least;
}

/* --- a sweep -----------------------------------------------------------------------------------
 */

/* A thread's part of a solved line; sum: of an old and a new flux. */
typedef struct solved {
  R left, sum_left; /* of the face before the first cell */
  R behind, ahead;  /* shares of the cells before and behind */
  bool tight;       /* cells may run short: KEPT_SHARE holds their shares; else these are 1 */
} solved;

__device__ __forceinline__ R share_at(const kept &keep, const solved &f, int k) {
  return f.tight ? keep.at(KEPT_SHARE, k) : (R)1;
}

/* Factors for what leaves a thread's cells along. */
__device__ __noinline__ void shares_along(const sweep_args *a, const place *p, const kept *keep,
                                          R sum_left) {
  for (int k = 0; k < p->m; k++) {
    const R lo = k > 0 ? keep->at(KEPT_SUM, k - 1) : sum_left, hi = keep->at(KEPT_SUM, k);
    keep->at(KEPT_SHARE, k) = 1;
    if (p->i0 + k >= a->s.n || (hi == 0 && lo == 0)) continue;
    const int at = cell_at(&a->s, p->i0 + k, p->t);
    const crossing c = limited_across(a, p->i0 + k, p->t);
    keep->at(KEPT_SHARE, k) =
        RIA_K(adi_share_along)(get(a->s.level, at), get(a->s.bed, at),
                               RIA_K(adi_leaving)(c.lo, c.hi), a->w.k * lo, a->w.k * hi);
  }
}

/* Substitute backwards; x: the last flux. Returns the largest sum. */
template <bool ROWS>
__device__ __forceinline__ R substitute(const sweep_args &a, const place &p, const kept &keep, R x,
                                        solved *f) {
  constexpr int V = ROWS ? (int)(16 / sizeof(R)) : 1;
  int size = 0;
#pragma unroll 1
  for (int k0 = p.m - V; k0 >= 0; k0 -= V) {
    const pack<V> u = load<V>(a.s.u, p.base + to_cell<ROWS>(p, k0));
#pragma unroll
    for (int q = V - 1; q >= 0; q--) {
      const int k = k0 + q;
      if (k < p.m - 1) {
        const tri_row row = {keep.at(KEPT_A, k), keep.at(KEPT_C, k), keep.at(KEPT_D, k)};
        x = RIA_K(tri_solve)(row, f->left, x);
      }
      const R sum = x + u.v[q];
      if (p.i0 + k < a.s.n) size = max(size, size_of(sum));
      keep.at(KEPT_SUM, k) = sum;
      keep.at(KEPT_FLUX, k) = x;
    }
  }
  if (p.i0 == 0) f->left = p.begin[0] - p.begin[1] * x;
  f->sum_left = f->left + get(a.s.u, p.base - p.al);
  return at_most(max(size, size_of(f->sum_left)));
}

/* New fluxes and levels; *bad: they are no state. LIMITED: what leaves cells is multiplied by their
 * shares. Returns the largest sum of an old and a new flux if LIMITED. */
template <bool ROWS, bool MORE, bool LIMITED>
__device__ __forceinline__ R store_state(const sweep_args &a, const place &p, const kept &keep,
                                         const solved &f, bool *bad) {
  constexpr int V = ROWS ? (int)(16 / sizeof(R)) : 1;
  const adig_sweep &s = a.s;
  R share = LIMITED ? share_at(keep, f, 0) : (R)1; /* of the next cell */
  R west = a.w.k * f.sum_left, most = 0, out = 0;
  if (LIMITED) west = RIA_K(adi_donor)(west, f.behind, share);
  if (p.i0 == 0 && p.store) {
    const R flux = LIMITED ? f.left * (f.sum_left > 0 ? f.behind : share) : f.left;
    put(s.u_new, p.base - p.al, flux);
    count_crossed(&s, s.first[0] + p.t, west);
    if (MORE && s.moved_u) put(s.moved_u, p.base - p.al, west);
    most = RIA_K(ria_abs)(f.sum_left - f.left + flux);
  }
#pragma unroll 1
  for (int k0 = 0; k0 < p.m; k0 += V) {
    pack<V> level, flux;
#pragma unroll
    for (int q = 0; q < V; q++) {
      const int k = k0 + q;
      const R sum = keep.at(KEPT_SUM, k), x = keep.at(KEPT_FLUX, k);
      R factor = 1;
      if (LIMITED) {
        const R next = k < p.m - 1 ? share_at(keep, f, k + 1) : f.ahead;
        factor = sum > 0 ? share : next;
        share = next;
      }
      const R east = LIMITED ? a.w.k * sum * factor : a.w.k * sum;
      flux.v[q] = LIMITED ? x * factor : x;
      level.v[q] = keep.at(KEPT_LEVEL, k) - (east - west);
      west = east;
      if (p.i0 + k >= s.n) continue;
      out = east;
      if (LIMITED) most = RIA_K(ria_max)(most, RIA_K(ria_abs)(sum - x + flux.v[q]));
      *bad = *bad || !(RIA_K(ria_abs)(level.v[q]) < (R)1e30 && RIA_K(ria_abs)(flux.v[q]) < (R)1e30);
      if (MORE && p.store && s.moved_u) put(s.moved_u, p.base + k * p.al, east);
    }
    if (!p.store) continue;
    const int at = p.base + k0 * p.al;
    if (p.i0 + k0 + V <= s.n) {
      *(pack<V> *)((R *)s.level_new + at) = level;
      *(pack<V> *)((R *)s.u_new + at) = flux;
    } else {
#pragma unroll
      for (int q = 0; q < V - 1; q++)
        if (p.i0 + k0 + q < s.n)
          put(s.level_new, at + q * p.al, level.v[q]), put(s.u_new, at + q * p.al, flux.v[q]);
    }
  }
  if (p.store && p.i0 < s.n && p.i0 + p.m >= s.n) count_crossed(&s, s.first[1] + p.t, -out);
  return most;
}

/* The kernel before may still run when this one begins; what it wrote is there after the wait. */
__device__ __forceinline__ void wait_for_kernel_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::);
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

template <bool ROWS, bool CLUSTER, bool MORE>
__global__ void __launch_bounds__(ADIG_THREADS, 1)
    sweep_lines(const __grid_constant__ sweep_args a, const __grid_constant__ line_layout layout) {
  extern __shared__ __align__(16) unsigned char memory[];
  const adig_sweep &s = a.s;
  if (CLUSTER) cluster_begin();
  wait_for_kernel_before();
  const int failed = *s.bad, number = 1 + s.number[s.slot];
  const lines_here<ROWS, CLUSTER> here(layout);
  R *room = (R *)memory, *edge = room + layout_room_of_solve(layout); /* [2][lines] */
  const int tid = threadIdx.x, line = here.first_line + here.line;
  const kept keep = {edge + 4 * here.lines + tid, layout.m, here.threads};
  place p;
  p.m = layout.m;
  p.i0 = (here.rank * here.segments + here.segment) * p.m;
  p.t = min(line, s.lines - 1);
  p.al = ROWS ? 1 : (int)s.along, p.ac = ROWS ? (int)s.across : 1;
  const int i_safe = min(p.i0, (s.n - 1) / p.m * p.m);
  p.base = (int)s.origin + i_safe * p.al + p.t * p.ac;
  p.top = s.n - i_safe;
  p.store = line < s.lines && !(failed && failed < number);
  p.begin = edge + 2 * here.lines + 2 * here.line;

  elimination rows;
  R least;
  if (!__all_sync(0xffffffffu, build_calm<ROWS, MORE>(a, p, keep, &rows, &least))) {
    elimination any;
    R any_least;
    build_any(&a, &p, &keep, &any, &any_least);
    rows = any, least = any_least;
  }
  solved f = {0, 0, 1, 1, false};
  const R x = solve_segments<lines_here<ROWS, CLUSTER>, CLUSTER>(here, room, rows.first, rows.last,
                                                                 rows.b_last, &f.left);
  R most = substitute<ROWS>(a, p, keep, x, &f);
  f.tight = p.i0 < s.n && !(2 * a.w.k * most <= least);
  if (f.tight) shares_along(&a, &p, &keep, f.sum_left);
  if constexpr (CLUSTER) { /* the blocks beside are told */
    const bool is_first = here.segment == 0, is_last = here.segment == here.segments - 1;
    const bool before = here.rank > 0, after = here.rank < here.blocks - 1;
    if (is_first && before)
      cluster_room(edge + here.lines, here.rank - 1)[here.line] = share_at(keep, f, 0);
    if (is_last && after) cluster_room(edge, here.rank + 1)[here.line] = share_at(keep, f, p.m - 1);
    cluster_sync();
    if (is_first && before) f.behind = edge[here.line];
    if (is_last && after) f.ahead = edge[here.lines + here.line];
  }
  bool bad = false;
  if (__syncthreads_or(f.tight || f.behind != 1 || f.ahead != 1)) {
    room[tid] = share_at(keep, f, 0);
    room[here.threads + tid] = share_at(keep, f, p.m - 1);
    __syncthreads();
    if (here.segment > 0) f.behind = room[here.threads + tid - here.step];
    if (here.segment < here.segments - 1) f.ahead = room[tid + here.step];
    most = store_state<ROWS, MORE, true>(a, p, keep, f, &bad);
  } else {
    store_state<ROWS, MORE, false>(a, p, keep, f, &bad);
  }
  if (bad && p.store) *s.bad = number;
  if (blockIdx.x == 0 && tid == 0) s.number[(s.slot + 1) % 3] = number;
  tell_largest(&a, most);
}

/* --- which layout ------------------------------------------------------------------------------
 */

cudaError_t launch_lines(void (*kernel)(sweep_args, line_layout), const sweep_args *a,
                         const line_layout *l, cudaStream_t stream) {
  const size_t room = layout_room(l, sizeof(R), KEPT * l->m) + 4 * (size_t)l->lines * sizeof(R);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(layout_grid(l, a->s.lines));
  config.blockDim = dim3((unsigned)layout_threads(l));
  config.dynamicSmemBytes = room;
  config.stream = stream;
  cudaLaunchAttribute attrs[2] = {}, *cluster = &attrs[1];
  attrs[0].id = cudaLaunchAttributeProgrammaticStreamSerialization; /* wait_for_kernel_before */
  attrs[0].val.programmaticStreamSerializationAllowed = 1;
  cluster->id = cudaLaunchAttributeClusterDimension;
  cluster->val.clusterDim.x = (unsigned)l->blocks;
  cluster->val.clusterDim.y = cluster->val.clusterDim.z = 1;
  config.attrs = attrs;
  config.numAttrs = a->s.most_blocks == 1 ? 0 : l->blocks > 1 ? 2 : 1; /* not before 9.0 */
  cudaError_t e = cudaSuccess;
  if (room > 48 << 10)
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room);
  if (e == cudaSuccess && l->blocks > 8)
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  return e == cudaSuccess ? cudaLaunchKernelEx(&config, kernel, *a, *l) : e;
}

template <bool ROWS>
cudaError_t launch_sweep(const sweep_args *a, const line_layout *l, cudaStream_t stream) {
  const bool more = a->s.manning || a->s.viscosity || a->s.eddy > 0 || a->s.moved_u;
  if (l->blocks > 1)
    return launch_lines(more ? sweep_lines<ROWS, true, true> : sweep_lines<ROWS, true, false>, a, l,
                        stream);
  return launch_lines(more ? sweep_lines<ROWS, false, true> : sweep_lines<ROWS, false, false>, a, l,
                      stream);
}

cudaError_t do_sweep(const adig_sweep *s, int axis, cudaStream_t stream) {
  const sweep_args a = sweep_args_of(s);
  const line_layout l = layout_for(s->n, s->lines, axis == ADI_X, s->most_blocks);
  return axis == ADI_X ? launch_sweep<true>(&a, &l, stream) : launch_sweep<false>(&a, &l, stream);
}

#undef R
} // namespace
