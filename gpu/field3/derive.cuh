/* derive.cuh - the kernels that differentiate 3-D fields, in one precision (RIA_PRECISION).
 *
 * All work on vectors of 16 bytes along x, a column of them a thread. Along y and z a thread
 * marches with the values in reach in registers, so each is loaded once a segment; the planes or
 * rows that two segments share come from the second-level cache. Along x the neighbours' vectors
 * are loaded again, which the first-level cache answers. gradient.cuh does all three at
 * once.
 *
 * Indices wrap round: where an axis is closed the points near its ends are left out (lo, hi) and a
 * kernel of their own does them. Results are stored past the cache, which the inputs need. */
#include "primitives/field3/derivative_k.h"

#define R RIA_PRECISION

/* Kernels by precision, as a profiler shows them. */
#define f3_march RIA_K(f3_march)
#define f3_along RIA_K(f3_along)
#define f3_gradients RIA_K(f3_gradients)
#define f3_end_points RIA_K(f3_end_points)
#define f3_each RIA_K(f3_each)
#define f3_row_sums RIA_K(f3_row_sums)
#define f3_sum_rows RIA_K(f3_sum_rows)

namespace {

enum { W = 16 / sizeof(R) }; /* values of a vector */

struct alignas(16) V {
  R v[W];
};

__device__ __forceinline__ V f3_load(const R *p) { return *reinterpret_cast<const V *>(p); }

__device__ __forceinline__ void f3_store(R *p, const V &a) {
#if RIA_F3_SINGLE
  __stcs(reinterpret_cast<float4 *>(p), make_float4(a.v[0], a.v[1], a.v[2], a.v[3]));
#else
  __stcs(reinterpret_cast<double2 *>(p), make_double2(a.v[0], a.v[1]));
#endif
}

/* A derivative along one axis. */
struct f3_line {
  const R *f;
  R *out;
  int n, lo, hi;          /* points along the axis; those to be written */
  int nx;                 /* points of a row */
  int vectors;            /* of a row */
  int rows;               /* of the axis that is neither this one nor x; along x: of the field */
  int64_t stride, across; /* of the axis; of that other one */
  int segment, segments;  /* points a thread marches; how many such */
  bool segments_first;    /* memory is swept through: along y a plane's segments, then the next's */
  R c[FD_HALF_MAX + 1];
};

template <int H, bool EVEN> __device__ __forceinline__ R f3_sum(const R *c, const R *v) {
  return EVEN ? fd_even(H, c, v) : fd_odd(H, c, v);
}

/* Of vectors that lie side by side across the axis: q[0] .. q[2 H]. */
template <int H, bool EVEN> __device__ __forceinline__ V f3_across(const R *c, const V *q) {
  V d;
#pragma unroll
  for (int e = 0; e < W; e++) {
    R v[2 * H + 1];
#pragma unroll
    for (int m = 0; m <= 2 * H; m++) v[m] = q[m].v[e];
    d.v[e] = f3_sum<H, EVEN>(c, v + H);
  }
  return d;
}

/* Vectors on either side that reach FD_HALF_MAX values. */
enum { SIDE = (int)FD_HALF_MAX / (int)W };

/* Of vectors that follow each other along x: w[0] .. w[2 SIDE]. */
template <int H, bool EVEN> __device__ __forceinline__ V f3_row(const R *c, const V *w) {
  R v[(2 * SIDE + 1) * W];
  V d;
#pragma unroll
  for (int k = 0; k < (2 * SIDE + 1) * W; k++) v[k] = w[k / W].v[k % W];
#pragma unroll
  for (int e = 0; e < W; e++) d.v[e] = f3_sum<H, EVEN>(c, v + FD_HALF_MAX + e);
  return d;
}

/* What is in memory is added. */
__device__ __forceinline__ void f3_add_to(V &d, const R *p) {
  const V was = f3_load(p);
#pragma unroll
  for (int e = 0; e < W; e++) d.v[e] += was.v[e];
}

/* Points i .. of a row, those from lo on and before hi. */
__device__ __forceinline__ void f3_store_some(R *p, const V &d, int i, int lo, int hi) {
  if (i >= lo && i + W <= hi) {
    f3_store(p, d);
  } else {
#pragma unroll
    for (int e = 0; e < W; e++)
      if (i + e >= lo && i + e < hi) p[e] = d.v[e];
  }
}

/* --- along y or z ----------------------------------------------------------------------------- */

template <int H, bool EVEN, bool ADD, int U, int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) f3_march(const f3_line a) {
  const unsigned t = blockIdx.x * THREADS + threadIdx.x;
  const unsigned place = t / (unsigned)a.vectors, segments = (unsigned)a.segments;
  const unsigned row = a.segments_first ? place / segments : place % (unsigned)a.rows;
  const unsigned seg = a.segments_first ? place % segments : place / (unsigned)a.rows;
  if (place >= (unsigned)a.rows * segments) return;
  const int64_t base = row * a.across + (int64_t)(t - place * (unsigned)a.vectors) * W;
  const R *const f = a.f + base;
  R *const out = a.out + base;
  const int j0 = a.lo + (int)seg * a.segment;
  const int j1 = j0 + a.segment < a.hi ? j0 + a.segment : a.hi;
  const auto load = [&](int j) {
    j = j < j1 + H ? j : j1 + H - 1;
    j = j < 0 ? j + a.n : j >= a.n ? j - a.n : j;
    return f3_load(f + j * a.stride);
  };
  V q[2 * H + U];
#pragma unroll
  for (int m = 0; m < 2 * H; m++) q[m] = load(j0 - H + m);
  for (int j = j0; j < j1; j += U) {
#pragma unroll
    for (int u = 0; u < U; u++) q[2 * H + u] = load(j + H + u);
#pragma unroll
    for (int u = 0; u < U; u++) {
      V d = f3_across<H, EVEN>(a.c, q + u);
      if (j + u < j1) {
        R *const to = out + (j + u) * a.stride;
        if (ADD) f3_add_to(d, to);
        f3_store(to, d);
      }
    }
#pragma unroll
    for (int m = 0; m < 2 * H; m++) q[m] = q[m + U];
  }
}

/* --- along x ---------------------------------------------------------------------------------- */

/* Values i .. i + W - 1 of a row of n, round its end. */
__device__ __forceinline__ V f3_round(const R *row, int i, int n) {
  if (i >= 0 && i + W <= n) return f3_load(row + i);
  V a;
#pragma unroll
  for (int e = 0; e < W; e++) {
    int k = i + e;
    k = k < 0 ? k + n : k >= n ? k - n : k;
    a.v[e] = row[k < n ? k : 0];
  }
  return a;
}

template <int H, bool EVEN, bool ADD, int ROWS>
__global__ void __launch_bounds__(128) f3_along(const f3_line a) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned first = column / (unsigned)a.vectors;
  const int i = (int)(column - first * (unsigned)a.vectors) * W;
  V w[ROWS][2 * SIDE + 1];
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    const unsigned row = first * ROWS + r;
    const R *const f = a.f + (int64_t)(row < (unsigned)a.rows ? row : 0) * a.across;
#pragma unroll
    for (int s = 0; s <= 2 * SIDE; s++) w[r][s] = f3_round(f, i + (s - SIDE) * W, a.nx);
  }
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    const unsigned row = first * ROWS + r;
    if (row >= (unsigned)a.rows) return;
    R *const out = a.out + (int64_t)row * a.across + i;
    V d = f3_row<H, EVEN>(a.c, w[r]);
    if (ADD) f3_add_to(d, out);
    f3_store_some(out, d, i, a.lo, a.hi);
  }
}

} // namespace
