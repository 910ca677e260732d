/* gpu/adi/sweep.cuh - one sweep of the implicit solver, in one kernel: the rows of every line are
 * built from the planes, eliminated as they come, solved (partition.cuh), and what comes out of
 * them becomes fluxes and levels, so that a sweep reads and writes each plane once.
 *
 * A thread has M cells of a line after each other and the faces behind them; face -1, where a line
 * begins, belongs to the first thread. Rows (sweep along x) are read in vectors, columns (along y)
 * by lanes side by side; nothing is transposed.
 *
 * Where no cell around is thin, which the largest flux of the sweep before says at once, nothing is
 * limited across (adi_share_across is 1), and half of the flux across need not be read. */
#include "machine/follow.cuh"
#include "machine/partition.cuh"
#include "solvers/adi/adi_k.h"
namespace {
#define R RIA_PRECISION

enum {
  ADIG_THREADS = 512,
  SHORT_SEGMENT = 4, /* cells a thread */
  LONG_SEGMENT = 8,
  LONG_COLUMN = sizeof(R) == 4 ? 16 : 8
};

__device__ __forceinline__ int layout_room_of_solve(const line_layout &l) {
  return 6 * l.segments * l.lines + 6 * l.lines * (l.blocks + 1);
}

/* As measured on an H200 (tests/bench/log/2026-11.md). Rows: two lines a block, which share what
 * lies between them. Columns: eight side by side for whole sectors, 64 segments a block. As many
 * blocks as the line takes; GPUs without clusters have less shared memory too. */
line_layout layout_for(int n, int lines, bool rows, int most_blocks) {
  const bool small = (int64_t)n * lines <= 512 * 512, single = sizeof(R) == 4;
  const int threads = most_blocks == 1 ? ADIG_THREADS / 2 : ADIG_THREADS;
  const bool is_short = small || (rows && !single);
  const int longer = rows ? LONG_SEGMENT : LONG_COLUMN;
  line_layout l = {is_short ? SHORT_SEGMENT : longer, 1, rows ? 2 : 8, 1};
  if (l.m * (threads / l.lines) * most_blocks < n) l.m = longer;
  while (l.lines > 1 && l.m * (threads / l.lines) * most_blocks < n) l.lines /= 2;
  while (l.segments < threads / l.lines && layout_reach(&l) < n) l.segments *= 2;
  while (layout_reach(&l) < n) l.blocks *= 2;
  while (layout_threads(&l) < 64) l.lines *= 2; /* short lines */
  return l;
}

typedef struct sweep_args {
  adig_sweep s;
  adi_way w; /* what depends on the step is not there */
  R rough, eddy;
} sweep_args;

sweep_args sweep_args_of(const adig_sweep *s) {
  sweep_args a;
  a.s = *s;
  a.w = adi_way_of(s->g, s->da, s->dc, 1, 1, s->drying, s->flooding, s->land);
  a.w.upwind = (R)s->upwind;
  a.w.turn = (R)s->turn;
  a.rough = (R)s->rough;
  a.eddy = (R)s->eddy;
  return a;
}

/* The way of the step: what changes with it is read from where the clock left it, the rest is there
 * already. Nothing waits for it that does not wait for the planes. */
__device__ __forceinline__ adi_way way_now(const sweep_args &a, const adi_way *now) {
  adi_way w = a.w;
  w.k = __ldcg(&now->k), w.kc = __ldcg(&now->kc), w.rdt = __ldcg(&now->rdt);
  w.fast_a = __ldcg(&now->fast_a), w.fast_c = __ldcg(&now->fast_c);
  w.lw = __ldcg(&now->lw), w.wind = __ldcg(&now->wind);
  return w;
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
  ria_enter(&s->crossed[(size_t)rim * s->n_quantities], (double)into * s->area);
}

/* --- what crosses the faces across a line ------------------------------------------------------
 */

typedef struct crossing {
  R lo, hi;
} crossing;

__device__ R moved_across(const sweep_args *a, const adi_way *w, int i, int t) {
  const int at = cell_at(&a->s, i, t);
  return w->kc * (get(a->s.v, at) + get(a->s.v_old, at));
}

__device__ R share_of(const sweep_args *a, int i, int t, R lo, R hi) {
  if (t < 0 || t >= a->s.lines) return 1;
  const int at = cell_at(&a->s, i, t);
  return adi_share_across(get(a->s.level, at), get(a->s.bed, at), lo, hi);
}

/* Where cells may be thin: the four faces and three cells that it depends on. */
__device__ __noinline__ crossing limited_across(const sweep_args *a, const adi_way *w, int i,
                                                int t) {
  const R lo = moved_across(a, w, i, t - 1), hi = moved_across(a, w, i, t);
  const R below = t > 0 ? moved_across(a, w, i, t - 2) : (R)0;
  const R above = t + 1 < a->s.lines ? moved_across(a, w, i, t + 1) : (R)0;
  const R share = share_of(a, i, t, lo, hi);
  return {adi_donor(lo, share_of(a, i, t - 1, below, lo), share),
          adi_donor(hi, share, share_of(a, i, t + 1, hi, above))};
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
__device__ __forceinline__ R largest_moved(const sweep_args *a, R kc) {
  const unsigned bits = most_of_lanes(a->s.fastest[a->s.slot * ADIG_SLOTS + threadIdx.x % 32]);
  return (R)1.001 * kc * (R)__uint_as_float(bits);
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

/* What a thread makes of its cells before the line is solved. */
template <int M> struct piece {
  tri_row row[M - 1]; /* eliminated; of faces 0..M-2 */
  tri_row first;      /* what they say of face 0 by face M-1 */
  tri_row last;       /* face M-1: last.a (left) + b_last x + last.c (next thread's) = last.d */
  R b_last;
  R level[M]; /* less what crossed across */
  R least;    /* room for what leaves along */
  /* Face k after `up`, the one before. */
  __device__ __forceinline__ void eliminate(int k, tri_row up, adi_row m) {
    if (k == M - 1) {
      last = {-(m.lo * up.a), m.up, m.rhs - m.lo * up.d};
      b_last = m.di - m.lo * up.c;
    } else {
      row[k] = tri_next(up, m.lo, m.di, m.up, m.rhs);
      first = k > 0 ? tri_through(first, row[k]) : row[0];
    }
  }
};

/* Where a thread's cells are. */
typedef struct place {
  int i0, t, top;   /* first cell, line; cells from it to the ghost where the line ends */
  int base, al, ac; /* of the first cell; strides along and across */
  bool store;
  R *begin;           /* [2] of the line, shared: face -1 is begin[0] - begin[1] times face 0 */
  const adi_way *way; /* in memory: for what is called */
} place;

/* --- the ends of a line ------------------------------------------------------------------------
 */

__device__ __noinline__ adi_row boundary_row(const sweep_args *a, const adi_way *w, int end, int t,
                                             R level, R bed, R known, R u, R u_in, R rough) {
  const int rim = a->s.first[end] + t;
  return adi_boundary(a->s.stretch[a->s.owner[rim]].kind, end ? (R)-1 : (R)1, level, bed, known, u,
                      u_in, w->g * rough * rough, (R)a->s.value[rim], w);
}

/* Face -1, by what the first cell says: bed, level, adi_known, flux of its two faces. */
__device__ __forceinline__ tri_row begin_line(const sweep_args *a, const place &p, R level, R bed,
                                              R known, R u, R u_in, R rough) {
  tri_row begin = {0, 0, 0};
  if (!a->s.walls[0]) {
    const adi_row end = boundary_row(a, p.way, 0, p.t, level, bed, known, u, u_in, rough);
    begin = tri_first((R)0, end.di, end.up, end.rhs);
  }
  p.begin[0] = begin.d, p.begin[1] = begin.c;
  return begin;
}

/* The last face of a line, by what the last cell says; *row is that of a wall. */
__device__ __forceinline__ void end_line(const sweep_args *a, const place &p, R level, R bed,
                                         R known, R u, R rough, adi_row *row) {
  if (a->s.walls[1]) return;
  const R u_in = get(a->s.u, cell_at(&a->s, a->s.n - 2, p.t));
  *row = boundary_row(a, p.way, 1, p.t, level, bed, known, u, u_in, rough);
}

/* What a thread reads of its cells from the planes, V at once where they follow each other. */
template <bool ROWS, bool MORE> struct reader {
  static constexpr int V = ROWS ? (int)(16 / sizeof(R)) : 1;
  const adig_sweep &s;
  const place &p;
  int n, so; /* to the lines beside; 0: the line itself */
  pack<V> z, h, zn, zs, hn, hs, u, un, us, c, cn, cs, v, vs, o, os, rough, e, en, es;
  __device__ __forceinline__ reader(const adig_sweep &sweep, const place &where, bool mirror)
      : s(sweep), p(where), n(mirror && p.t == s.lines - 1 ? 0 : p.ac),
        so(mirror && p.t == 0 ? 0 : p.ac) {}
  /* How far cell k of the thread is from the first; of a column, no further than its ghost. */
  __device__ __forceinline__ int to(int k) const { return ROWS ? k : min(k, p.top) * p.al; }
  template <int N> __device__ __forceinline__ void fetch(int at) {
    const auto get_n = [&](pack<V> &to_, const void *plane, int from) {
      const pack<N> q = load<N>(plane, from);
#pragma unroll
      for (int k = 0; k < N; k++) to_.v[k] = q.v[k];
    };
    get_n(z, s.bed, at), get_n(h, s.level, at), get_n(u, s.u, at);
    get_n(zn, s.bed, at + n), get_n(hn, s.level, at + n), get_n(un, s.u, at + n);
    get_n(zs, s.bed, at - so), get_n(hs, s.level, at - so), get_n(us, s.u, at - so);
    get_n(c, s.carried, at), get_n(cn, s.carried, at + n), get_n(cs, s.carried, at - so);
    get_n(v, s.v, at), get_n(vs, s.v, at - p.ac);
    get_n(o, s.v_old, at), get_n(os, s.v_old, at - p.ac);
    if (MORE && s.manning) get_n(rough, s.manning, at);
    if (MORE && s.viscosity)
      get_n(e, s.viscosity, at), get_n(en, s.viscosity, at + n), get_n(es, s.viscosity, at - so);
  }
  /* Cells k and on of the thread's M, and the one after; k a multiple of V. */
  __device__ __forceinline__ void advance(int k, int m) {
    if (k == m)
      fetch<1>(p.base + to(k));
    else if (k % V == 0)
      fetch<V>(p.base + to(k));
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

/* Does nothing cross the outer sides of the first and the last line, now or a step earlier? What
 * crosses is the mean of both. The lines are their own neighbours there. */
template <int M> __device__ __noinline__ bool rim_is_still(const adig_sweep *s, const place *p) {
  bool still = true;
  for (int k = 0; k < M && p->i0 + k < s->n; k++) {
    const int at = p->base + k * p->al;
    if (p->t == 0) still = still && get(s->v, at - p->ac) == 0 && get(s->v_old, at - p->ac) == 0;
    if (p->t == s->lines - 1) still = still && get(s->v, at) == 0 && get(s->v_old, at) == 0;
  }
  return still;
}

/* Rows and all that is known before they are solved, in calm water; false: it is not calm at all of
 * the thread's faces, and what was made is of no use. Nothing is counted. on = 0: the
 * step is none, which is asked when the first cell has been read. MORE: with eddy
 * viscosity, tracers, a plane of roughness. */
template <int M, bool ROWS, bool MORE>
__device__ __forceinline__ bool build_calm(const sweep_args &a, const adi_way &w, const place &p,
                                           int on, piece<M> *out) {
  const adig_sweep &s = a.s;
  reader<ROWS, MORE> in(s, p, true);
  adi_calm_cell l, r;
  bool calm = true;
  int least = 0x7f7fffff, level = 0, along = 0, across = 0;
  tri_row up = {-1, 0, 0};
  l.u = get(s.u, p.base - p.al);
#pragma unroll
  for (int k = 0; k <= M; k++) {
    const int q = k < M ? k % reader<ROWS, MORE>::V : 0, i = p.i0 + k;
    in.advance(k, M);
    r.z = in.z.v[q], r.s = in.h.v[q], r.h = r.s - r.z;
    r.inv = ria_inv(r.h);
    r.u = in.u.v[q], r.un = in.un.v[q], r.us = in.us.v[q];
    r.c = in.c.v[q], r.cn = in.cn.v[q], r.cs = in.cs.v[q];
    r.hn = in.hn.v[q] - in.zn.v[q], r.hs = in.hs.v[q] - in.zs.v[q];
    r.vn = in.v.v[q], r.vs = in.vs.v[q];
    const R hi = r.vn + in.o.v[q], lo = r.vs + in.os.v[q];
    const R still = r.s - w.kc * (hi - lo);
    r.all = hi + lo;
    r.known = still - w.k * (r.u - l.u);
    r.carries = adi_calm_carries(l.u, r.u, r.inv, &w);
    if (MORE) {
      r.rough = s.manning ? in.rough.v[q] : a.rough;
      r.e = s.viscosity ? in.e.v[q] : a.eddy;
      r.en = s.viscosity ? in.en.v[q] : a.eddy, r.es = s.viscosity ? in.es.v[q] : a.eddy;
    }
    if (i < s.n) {
      calm = calm && r.z < w.land;
      least = min(least, word_of(r.h - adi_keep(r.s, r.z)));
      level = max(level, max(size_of(in.hn.v[q]), size_of(in.hs.v[q])));
      along = max(along, size_of(r.carries));
    }
    if (k == 0 && !on) return false;
    if (k == 0 && i == s.n - 1) calm = calm && adi_calm_even(&r, &r); /* a cell alone */
    if (k == 0 && i == 0)
      up = begin_line(&a, p, r.s, r.z, r.known, l.u, r.u, MORE ? r.rough : a.rough);
    if (k > 0) {
      const R rough = MORE ? (R)0.5 * (l.rough + r.rough) : a.rough;
      R an, as;
      adi_row m = adi_calm_row(&l, &r, MORE, w.g * rough * rough, &w, &an, &as);
      if (i < s.n) {
        across = max(across, max(size_of(an), size_of(as)));
        calm = calm && adi_calm_even(&l, &r);
      } else {
        m = {0, 1, 0, 0};
        if (i == s.n) end_line(&a, p, l.s, l.z, l.known, l.u, MORE ? l.rough : a.rough, &m);
      }
      out->eliminate(k - 1, up, m);
      if (k < M) up = out->row[k - 1];
    }
    if (k < M) {
      out->level[k] = still;
      if (MORE && s.moved_v && p.store && !s.is_first && i < s.n) {
        const int at = p.base + k * p.al;
        if (p.t == 0) put(s.moved_v, at - p.ac, 0);
        put(s.moved_v, at, w.kc * hi);
      }
    }
    l = r;
  }
  if (p.t == 0 || p.t == s.lines - 1) calm = calm && rim_is_still<M>(&s, &p);
  const R moved = largest_moved(&a, w.kc);
  out->least = at_least(least) - 2 * moved;
  return p.i0 >= s.n || (calm && adi_calm_deep(at_least(least), at_most(level), at_most(along),
                                               at_most(across), moved, &w));
}

/* --- any water ---------------------------------------------------------------------------------
 */

/* A cell of the line, and what it sees on the lines beside. */
typedef struct cell {
  R h;                /* depth */
  R z, s, known, u;   /* bed, level; flux of its far face */
  R un, us, hn, hs;   /* lines beside: flux of the same face, depth */
  R c, cn, cs;        /* these three fluxes as the cross term takes them */
  R vn, vs, on, os;   /* flux across on its two sides, now and a step earlier */
  R rough, e, en, es; /* roughness; eddy viscosity here and beside */
} cell;

/* The face between l and r; um: flux of the face before, hll and hrr: depths beyond. */
__device__ __forceinline__ adi_face face_between(const cell &l, const cell &r, R um, R hll, R hrr,
                                                 R g) {
  const R quarter = (R)0.25, rough = (R)0.5 * (l.rough + r.rough);
  adi_face f;
  f.zl = l.z, f.zr = r.z, f.sl = l.s, f.sr = r.s, f.kl = l.known, f.kr = r.known;
  f.um = um, f.u = l.u, f.up = r.u, f.un = l.un, f.us = l.us;
  f.cn = l.cn, f.c = l.c, f.cs = l.cs;
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
template <int M>
__device__ __noinline__ void build_any(const sweep_args *args, const place *at_, piece<M> *out) {
  const sweep_args &a = *args;
  const adig_sweep &s = a.s;
  const place p = *at_;
  const adi_way &w = *p.way;
  const R thin = 4 * largest_moved(&a, w.kc);
  const bool store = p.store && !s.is_first;
  const auto depth_at = [&](int at) { return adi_depth(get(s.level, at), get(s.bed, at)); };
  cell l, r;
  R um = 0, hll = 0, before = depth_at(p.base - p.al); /* before l */
  tri_row up = {-1, 0, 0};
  l.u = get(s.u, p.base - p.al);
  out->least = (R)1e30;
#pragma unroll 1
  for (int k = 0; k <= M; k++) {
    const int i = p.i0 + k;
    const int at = p.base + min(k, p.top) * p.al;
    const R sn = get(s.level, at + p.ac), zn = get(s.bed, at + p.ac);
    const R ss = get(s.level, at - p.ac), zs = get(s.bed, at - p.ac);
    r.z = get(s.bed, at), r.s = get(s.level, at), r.h = adi_depth(r.s, r.z);
    r.u = get(s.u, at), r.un = get(s.u, at + p.ac), r.us = get(s.u, at - p.ac);
    r.c = get(s.carried, at), r.cn = get(s.carried, at + p.ac);
    r.cs = get(s.carried, at - p.ac);
    r.hn = adi_depth(sn, zn), r.hs = adi_depth(ss, zs);
    r.vn = get(s.v, at), r.vs = get(s.v, at - p.ac);
    r.on = get(s.v_old, at), r.os = get(s.v_old, at - p.ac);
    r.rough = s.manning ? get(s.manning, at) : a.rough;
    r.e = s.viscosity ? get(s.viscosity, at) : a.eddy;
    r.en = s.viscosity ? get(s.viscosity, at + p.ac) : a.eddy;
    r.es = s.viscosity ? get(s.viscosity, at - p.ac) : a.eddy;
    const R has = r.h - adi_keep(r.s, r.z);
    crossing c = {w.kc * (r.vs + r.os), w.kc * (r.vn + r.on)};
    const bool deep = has >= thin && (r.hn - adi_keep(sn, zn) >= thin || p.t == s.lines - 1) &&
                      (r.hs - adi_keep(ss, zs) >= thin || p.t == 0);
    if (!deep && !(c.lo == 0 && c.hi == 0) && i < s.n) c = limited_across(&a, &w, i, p.t);
    r.known = adi_known(r.s, c.lo, c.hi, l.u, r.u, w.k);
    if (k == 0 && i == 0) up = begin_line(&a, p, r.s, r.z, r.known, l.u, r.u, r.rough);
    if (k > 0) {
      adi_row m = {0, 1, 0, 0};
      if (i < s.n) {
        const adi_face f =
            face_between(l, r, um, hll, depth_at(p.base + min(k + 1, p.top) * p.al), w.g);
        m = adi_momentum(&f, &w);
      }
      if (i == s.n) end_line(&a, p, l.s, l.z, l.known, l.u, l.rough, &m);
      out->eliminate(k - 1, up, m);
      if (k < M) up = out->row[k - 1];
    }
    if (k < M && i < s.n) {
      out->level[k] = r.s - (c.hi - c.lo);
      out->least = ria_min(out->least, has - adi_leaving(c.lo, c.hi));
      if (store && p.t == 0) count_crossed(&s, s.side[0] + i, c.lo);
      if (store && p.t == s.lines - 1) count_crossed(&s, s.side[1] + i, -c.hi);
      if (store && s.moved_v) {
        if (p.t == 0) put(s.moved_v, at - p.ac, c.lo);
        put(s.moved_v, at, c.hi);
      }
    }
    um = l.u;
    hll = before;
    before = r.h;
    l = r;
  }
}

/* --- a sweep -----------------------------------------------------------------------------------
 */

/* Factors for what leaves a thread's cells along. sum: old and new flux of each far face, and of
 * the face before the first cell. */
template <int M>
__device__ __noinline__ void shares_along(const sweep_args *a, const place *p, R sum_left,
                                          const R *sum, R *share) {
#pragma unroll 1
  for (int k = 0; k < M && p->i0 + k < a->s.n; k++) {
    const R lo = k > 0 ? sum[k - 1] : sum_left;
    if (sum[k] == 0 && lo == 0) continue;
    const int at = cell_at(&a->s, p->i0 + k, p->t);
    const crossing c = limited_across(a, p->way, p->i0 + k, p->t);
    share[k] = adi_share_along(get(a->s.level, at), get(a->s.bed, at), adi_leaving(c.lo, c.hi),
                               p->way->k * lo, p->way->k * sum[k]);
  }
}

/* The solved line of a thread: x[M] new fluxes of its far faces, left that before; sum, sum_left:
 * with the old ones. */
template <int M> struct solved { R x[M], sum[M], left, sum_left; };

/* New fluxes and levels; *bad: they are no state. moves: k of the way. LIMITED: what leaves is
 * multiplied by share[M], and by those of the cells before and behind. Returns the largest sum of
 * an old and a new flux if LIMITED. */
template <int M, bool ROWS, bool MORE, bool LIMITED>
__device__ __forceinline__ R store_state(const sweep_args &a, R moves, const place &p,
                                         const R *level, const solved<M> &f, const R *share,
                                         R behind, R ahead, bool *bad) {
  constexpr int V = ROWS ? (int)(16 / sizeof(R)) : 1;
  const adig_sweep &s = a.s;
  R west = moves * f.sum_left, most = 0;
  if (LIMITED) west = adi_donor(west, behind, share[0]);
  if (p.i0 == 0 && p.store) {
    const R factor = !LIMITED ? (R)1 : f.sum_left > 0 ? behind : share[0];
    const R flux = f.left * factor;
    put(s.u_new, p.base - p.al, flux);
    count_crossed(&s, s.first[0] + p.t, west);
    if (MORE && s.moved_u) put(s.moved_u, p.base - p.al, west);
    most = ria_abs(f.sum_left - f.left + flux);
  }
  pack<V> level_out, u_out;
  R out = 0;
#pragma unroll
  for (int k = 0; k < M; k++) {
    const int i = p.i0 + k;
    R factor = 1;
    if (LIMITED)
      factor = f.sum[k] > 0 ? share[k] : k < M - 1 ? share[k + 1 < M ? k + 1 : k] : ahead;
    const R east = LIMITED ? moves * f.sum[k] * factor : moves * f.sum[k];
    const R flux = LIMITED ? f.x[k] * factor : f.x[k];
    const R now = level[k] - (east - west);
    if (i < s.n) {
      if (LIMITED) most = ria_max(most, ria_abs(f.sum[k] - f.x[k] + flux));
      *bad = *bad || !(ria_abs(now) < (R)1e30 && ria_abs(flux) < (R)1e30);
      out = east;
      if (MORE && p.store && s.moved_u) put(s.moved_u, p.base + k * p.al, east);
    }
    west = east;
    level_out.v[k % V] = now, u_out.v[k % V] = flux;
    if (k % V < V - 1 || !p.store) continue;
    const int at = p.base + (k - (V - 1)) * p.al;
    if (i < s.n) {
      *(pack<V> *)((R *)s.level_new + at) = level_out;
      *(pack<V> *)((R *)s.u_new + at) = u_out;
    } else {
#pragma unroll
      for (int m = 0; m < V - 1; m++)
        if (i - (V - 1) + m < s.n)
          put(s.level_new, at + m * p.al, level_out.v[m]), put(s.u_new, at + m * p.al, u_out.v[m]);
    }
  }
  if (p.store && p.i0 < s.n && p.i0 + M >= s.n) count_crossed(&s, s.first[1] + p.t, -out);
  return most;
}

/* A first solution: what the second takes of it. */
template <int M>
__device__ __forceinline__ void store_between(const sweep_args &a, const place &p,
                                              const solved<M> &f) {
  const adig_sweep &s = a.s;
  if (!p.store) return;
  if (p.i0 == 0) put(s.u_new, p.base - p.al, adi_between(get(s.u, p.base - p.al), f.left));
#pragma unroll
  for (int k = 0; k < M; k++)
    if (p.i0 + k < s.n)
      put(s.u_new, p.base + k * p.al, adi_between(get(s.u, p.base + k * p.al), f.x[k]));
}

template <int M, bool ROWS, bool CLUSTER, bool MORE>
__global__ void __launch_bounds__(ADIG_THREADS, 1)
    sweep_lines(const __grid_constant__ sweep_args a, const __grid_constant__ line_layout layout) {
  constexpr int V = ROWS ? (int)(16 / sizeof(R)) : 1;
  extern __shared__ __align__(16) unsigned char memory[];
  const adig_sweep &s = a.s;
  if (CLUSTER) cluster_begin();
  wait_for_kernel_before();
  const int on = __ldcg(&s.step->on), failed = *s.bad;
  const adi_way *way = (const adi_way *)s.way, w = way_now(a, way);
  const lines_here<ROWS, CLUSTER> here(layout);
  R *room = (R *)memory, *share_first = room + layout_room_of_solve(layout);
  R *share_last = share_first + here.threads, *edge = share_last + here.threads; /* [2][lines] */
  const int tid = threadIdx.x, line = here.first_line + here.line;
  place p;
  p.i0 = (here.rank * here.segments + here.segment) * M;
  p.t = min(line, s.lines - 1);
  p.al = ROWS ? 1 : (int)s.along, p.ac = ROWS ? (int)s.across : 1;
  const int i_safe = min(p.i0, s.n - 1) / M * M;
  p.base = (int)s.origin + i_safe * p.al + p.t * p.ac;
  p.top = s.n - i_safe;
  p.store = line < s.lines && !(failed && failed < s.number);
  p.way = way;
  p.begin = edge + 2 * here.lines + 2 * here.line;

  piece<M> seg;
  const bool calm = build_calm<M, ROWS, MORE>(a, w, p, on, &seg);
  if (!on) { /* all blocks alike */
    if (CLUSTER) cluster_begun();
    return;
  }
  if (!__all_sync(0xffffffffu, calm)) {
    piece<M> any;
    build_any<M>(&a, &p, &any);
    seg = any;
  }
  solved<M> f;
  f.x[M - 1] = solve_segments<lines_here<ROWS, CLUSTER>, CLUSTER>(here, room, seg.first, seg.last,
                                                                  seg.b_last, &f.left);
#pragma unroll
  for (int k = M - 2; k >= 0; k--) f.x[k] = tri_solve(seg.row[k], f.left, f.x[k + 1]);
  if (p.i0 == 0) f.left = p.begin[0] - p.begin[1] * f.x[0];

  if (s.is_first) { /* all blocks alike */
    store_between<M>(a, p, f);
    if constexpr (CLUSTER) cluster_sync(); /* nobody leaves while others read its memory */
    return;
  }
  /* what crosses along: the old fluxes once more */
#pragma unroll
  for (int k = 0; k < M; k += V) {
    const pack<V> u = load<V>(s.u, p.base + (ROWS ? k : min(k, p.top) * p.al));
#pragma unroll
    for (int q = 0; q < V; q++) f.sum[k + q] = f.x[k + q] + u.v[q];
  }
  f.sum_left = f.left + get(s.u, p.base - p.al);
  int size = size_of(f.sum_left);
#pragma unroll
  for (int k = 0; k < M; k++)
    if (p.i0 + k < s.n) size = max(size, size_of(f.sum[k]));
  R most = at_most(size);
  const bool tight = p.i0 < s.n && !(2 * w.k * most <= seg.least);
  R share[M], behind = 1, ahead = 1;
#pragma unroll
  for (int k = 0; k < M; k++) share[k] = 1;
  if (tight) {
    R sum[M], limited[M];
#pragma unroll
    for (int k = 0; k < M; k++) sum[k] = f.sum[k], limited[k] = 1;
    shares_along<M>(&a, &p, f.sum_left, sum, limited);
#pragma unroll
    for (int k = 0; k < M; k++) share[k] = limited[k];
  }
  if constexpr (CLUSTER) { /* the blocks beside are told */
    const bool is_first = here.segment == 0, is_last = here.segment == here.segments - 1;
    const bool before = here.rank > 0, after = here.rank < here.blocks - 1;
    if (is_first && before) cluster_room(edge + here.lines, here.rank - 1)[here.line] = share[0];
    if (is_last && after) cluster_room(edge, here.rank + 1)[here.line] = share[M - 1];
    cluster_sync();
    if (is_first && before) behind = edge[here.line];
    if (is_last && after) ahead = edge[here.lines + here.line];
  }
  bool bad = false;
  if (__syncthreads_or(tight || behind != 1 || ahead != 1)) {
    share_first[tid] = share[0];
    share_last[tid] = share[M - 1];
    __syncthreads();
    if (here.segment > 0) behind = share_last[tid - here.step];
    if (here.segment < here.segments - 1) ahead = share_first[tid + here.step];
    most = store_state<M, ROWS, MORE, true>(a, w.k, p, seg.level, f, share, behind, ahead, &bad);
  } else {
    store_state<M, ROWS, MORE, false>(a, w.k, p, seg.level, f, share, behind, ahead, &bad);
  }
  if (bad && p.store) *s.bad = s.number;
  tell_largest(&a, most);
}

/* --- which layout ------------------------------------------------------------------------------
 */

cudaError_t launch_lines(void (*kernel)(sweep_args, line_layout), const sweep_args *a,
                         const line_layout *l, cudaStream_t stream) {
  const size_t room = layout_room(l, sizeof(R), 2) + 4 * (size_t)l->lines * sizeof(R);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(layout_grid(l, a->s.lines));
  config.blockDim = dim3((unsigned)layout_threads(l));
  config.dynamicSmemBytes = room;
  config.stream = stream;
  cudaLaunchAttribute attrs[2] = {early_launch()}, *cluster = &attrs[1];
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

template <int M, bool ROWS>
cudaError_t launch_sweep(const sweep_args *a, const line_layout *l, cudaStream_t stream) {
  const bool more = a->s.manning || a->s.viscosity || a->s.eddy > 0 || a->s.moved_u;
  if (l->blocks > 1)
    return launch_lines(more ? sweep_lines<M, ROWS, true, true> : sweep_lines<M, ROWS, true, false>,
                        a, l, stream);
  return launch_lines(more ? sweep_lines<M, ROWS, false, true> : sweep_lines<M, ROWS, false, false>,
                      a, l, stream);
}

cudaError_t launch_rows(const sweep_args *a, const line_layout *l, cudaStream_t stream) {
  return l->m == LONG_SEGMENT ? launch_sweep<LONG_SEGMENT, true>(a, l, stream)
                              : launch_sweep<SHORT_SEGMENT, true>(a, l, stream);
}
cudaError_t launch_columns(const sweep_args *a, const line_layout *l, cudaStream_t stream) {
  return l->m == LONG_COLUMN ? launch_sweep<LONG_COLUMN, false>(a, l, stream)
                             : launch_sweep<SHORT_SEGMENT, false>(a, l, stream);
}

cudaError_t do_sweep(const adig_sweep *s, int axis, cudaStream_t stream) {
  const sweep_args a = sweep_args_of(s);
  const line_layout l = layout_for(s->n, s->lines, axis == ADI_X, s->most_blocks);
  const auto launch = axis == ADI_X ? launch_rows : launch_columns;
  return launch(&a, &l, stream);
}

#undef R
} // namespace
