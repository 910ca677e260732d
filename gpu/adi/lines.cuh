/* gpu/adi/lines.cuh - a line of cells as the threads of a sweep share it, per precision: planes,
 * what crosses faces across it, what is known of the sweep before, its ends. */
#include "machine/follow.cuh"
#include "machine/partition.cuh"
#include "solvers/adi/adi_k.h"
#include "solvers/adi/adi_edge_k.h"
namespace {
#define R RIA_PRECISION

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

/* --- planes ----------------------------------------------------------------------------------- */

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

/* --- what crosses the faces across a line ----------------------------------------------------- */

typedef struct crossing {
  R lo, hi;
} crossing;

__device__ R moved_across(const sweep_args *a, const adi_way *w, int i, int t) {
  const int at = cell_at(&a->s, i, t);
  return w->kc * (get(a->s.v, at) + get(a->s.v_old, at));
}

/* The line at t, which may lie beyond the first or the last. RING: some sides are periodic. */
template <bool RING> __device__ __forceinline__ int line_at(const sweep_args *a, int t) {
  return RING && a->s.wraps && !a->s.goes_on ? (t % a->s.lines + a->s.lines) % a->s.lines : t;
}
template <bool RING> __device__ __forceinline__ bool is_line(const sweep_args *a, int t) {
  return (RING && a->s.goes_on) || (t >= 0 && t < a->s.lines);
}

template <bool RING> __device__ R share_of(const sweep_args *a, int i, int t, R lo, R hi) {
  if (!is_line<RING>(a, t)) return 1;
  const int at = cell_at(&a->s, i, t);
  return adi_share_across(get(a->s.level, at), get(a->s.bed, at), lo, hi);
}

/* Where cells may be thin: the four faces and three cells that it depends on. */
template <bool RING>
__device__ __noinline__ crossing limited_across(const sweep_args *a, const adi_way *w, int i,
                                                int t) {
  const int low = line_at<RING>(a, t - 1), high = line_at<RING>(a, t + 1);
  const R lo = moved_across(a, w, i, low), hi = moved_across(a, w, i, t);
  const R below = is_line<RING>(a, low) ? moved_across(a, w, i, line_at<RING>(a, t - 2)) : (R)0;
  const R above = is_line<RING>(a, high) ? moved_across(a, w, i, high) : (R)0;
  const R share = share_of<RING>(a, i, t, lo, hi);
  return {adi_donor(lo, share_of<RING>(a, i, low, below, lo), share),
          adi_donor(hi, share, share_of<RING>(a, i, high, hi, above))};
}

/* --- what is known of the sweep before -------------------------------------------------------- */

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
  R moved;    /* largest_moved */
  /* Face k after `up`, the one before. */
  __device__ __forceinline__ void eliminate(int k, tri_row up, adi_row m) {
    if (k == M - 1) {
      last = {-(m.lo * up.a), m.up, ria_fused(-m.lo, up.d, m.rhs)};
      b_last = ria_fused(-m.lo, up.c, m.di);
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
  /* Of the line, shared: [2], face -1 is begin[0] - begin[1] times face 0; of one that closes upon
   * itself [SEAM], the seam (partition.cuh). */
  R *begin;
  const adi_way *way; /* in memory: for what is called */
} place;

/* --- the ends of a line ----------------------------------------------------------------------- */

/* The rim cell where a line begins or ends; of one beyond the ends of a grid, that of the line
 * which it is. */
__device__ __forceinline__ int rim_of(const sweep_args *a, int end, int t) {
  const int rim = a->s.first[end] + t, of_grid = a->s.base + t;
  if (!a->s.goes_on) return rim;
  return rim + (of_grid < 0 ? a->s.all_lines : of_grid >= a->s.all_lines ? -a->s.all_lines : 0);
}

/* Is the edge where a line begins or ends a rating's? */
__device__ __noinline__ bool is_rated(const sweep_args *a, int end, int t) {
  return a->s.stretch[a->s.owner[rim_of(a, end, t)]].kind == SIDE_RATING;
}

__device__ __noinline__ adi_row rated_row(const sweep_args *a, const adi_way *w, int end, int t,
                                          R level, R bed, R known, R u, R u_in) {
  const int rim = rim_of(a, end, t), second = a->s.carried != a->s.u;
  const int face = cell_at(&a->s, end ? a->s.n - 1 : -1, t),
            in = cell_at(&a->s, end ? a->s.n - 2 : 0, t);
  const R sign = end ? (R)-1 : (R)1;
  const R guess = adi_rated_level(sign, known, u, u_in, second, get(a->s.carried, face),
                                  get(a->s.carried, in), w);
  return adi_rated(sign, level, bed, known, guess, second, u, (R)a->s.value[rim],
                   (R)a->s.slope[rim], w);
}

__device__ __noinline__ adi_row boundary_row(const sweep_args *a, const adi_way *w, int end, int t,
                                             R level, R bed, R known, R u, R u_in, R rough) {
  const int rim = rim_of(a, end, t);
  if (a->s.rated[end] && is_rated(a, end, t))
    return rated_row(a, w, end, t, level, bed, known, u, u_in);
  const int kind = a->s.stretch[a->s.owner[rim]].kind;
  R current = 0;
  if (kind == SIDE_RADIATE)
    current = (R)a->s.current[rim] + (R)a->s.crossed[(size_t)rim * a->s.n_quantities].kept[0];
  return adi_boundary(kind, end ? (R)-1 : (R)1, level, bed, known, u, u_in, w->g * rough * rough,
                      (R)a->s.value[rim], current, w);
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

/* The last face of a line that closes upon itself, which is face -1 too: m, its row, comes apart.
 * up: the one before in the segment. */
__device__ __forceinline__ void lay_seam(const place &p, tri_row up, adi_row m) {
  p.begin[SEAM_A] = -(m.lo * up.a);
  p.begin[SEAM_B] = ria_fused(-m.lo, up.c, m.di);
  p.begin[SEAM_C] = m.up;
  p.begin[SEAM_D] = ria_fused(-m.lo, up.d, m.rhs);
}
/* What stands there and behind: each is the next. */
__device__ __forceinline__ adi_row next_one() { return {0, 1, -1, 0}; }

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

#undef R
} // namespace
