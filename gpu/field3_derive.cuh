/* field3_derive.cuh - the kernels that differentiate 3-D fields, in one precision (RIA_PRECISION).
 *
 * All work on vectors of 16 bytes along x, a column of them a thread. Along y and z a thread marches
 * with the values in reach in registers, so each is loaded once a segment; the planes or rows that
 * two segments share come from the second-level cache. Along x the neighbours' vectors are loaded
 * again, which the first-level cache answers. A gradient marches along z and shares the plane in the
 * middle through shared memory.
 *
 * Indices wrap round: where an axis is closed the points near its ends are left out (lo, hi) and a
 * kernel of their own does them. Results are stored past the cache, which the inputs need. */
#include "primitives/field3/derivative_k.h"

#define R RIA_PRECISION

enum { RIA_K(F3_W) = 16 / sizeof(R) }; /* values of a vector */
#define W RIA_K(F3_W)

struct alignas(16) RIA_K(f3_vec) {
  R v[W];
};
#define V RIA_K(f3_vec)

static __device__ __forceinline__ V RIA_K(f3_load)(const R *p) {
  return *reinterpret_cast<const V *>(p);
}

static __device__ __forceinline__ void RIA_K(f3_store)(R *p, const V &a) {
#if RIA_F3_SINGLE
  __stcs(reinterpret_cast<float4 *>(p), make_float4(a.v[0], a.v[1], a.v[2], a.v[3]));
#else
  __stcs(reinterpret_cast<double2 *>(p), make_double2(a.v[0], a.v[1]));
#endif
}

/* A derivative along one axis. */
struct RIA_K(f3_line) {
  const R *f;
  R *out;
  int n, lo, hi;           /* points along the axis; those to be written */
  int nx;                  /* points of a row */
  int vectors;             /* of a row */
  int rows;                /* of the axis that is neither this one nor x; along x: of the field */
  int64_t stride, across;  /* of the axis; of that other one */
  int segment;             /* points a thread marches */
  R c[FD_HALF_MAX + 1];
};

template <int H, bool EVEN>
static __device__ __forceinline__ R RIA_K(f3_sum)(const R *c, const R *v) {
  return EVEN ? RIA_K(fd_even)(H, c, v) : RIA_K(fd_odd)(H, c, v);
}

/* --- along y or z -------------------------------------------------------------------------------
 */

template <int H, bool EVEN, bool ADD, int U, bool PRE>
__global__ void __launch_bounds__(128) RIA_K(f3_march)(const RIA_K(f3_line) a) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = column / (unsigned)a.vectors;
  if (row >= (unsigned)a.rows) return;
  const int64_t base = row * a.across + (int64_t)(column - row * (unsigned)a.vectors) * W;
  const R *const f = a.f + base;
  R *const out = a.out + base;
  const int j0 = a.lo + (int)blockIdx.y * a.segment;
  const int j1 = j0 + a.segment < a.hi ? j0 + a.segment : a.hi;
  const auto load = [&](int j) {
    j = j < j1 + H ? j : j1 + H - 1;
    j = j < 0 ? j + a.n : j >= a.n ? j - a.n : j;
    return RIA_K(f3_load)(f + j * a.stride);
  };
  V q[2 * H + U], next[U];
#pragma unroll
  for (int m = 0; m < 2 * H; m++) q[m] = load(j0 - H + m);
  if (PRE) {
#pragma unroll
    for (int u = 0; u < U; u++) next[u] = load(j0 + H + u);
  }
  for (int j = j0; j < j1; j += U) {
#pragma unroll
    for (int u = 0; u < U; u++) q[2 * H + u] = PRE ? next[u] : load(j + H + u);
    if (PRE) {
#pragma unroll
      for (int u = 0; u < U; u++) next[u] = load(j + U + H + u);
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
      V d;
#pragma unroll
      for (int e = 0; e < W; e++) {
        R v[2 * H + 1];
#pragma unroll
        for (int m = 0; m <= 2 * H; m++) v[m] = q[u + m].v[e];
        d.v[e] = RIA_K(f3_sum)<H, EVEN>(a.c, v + H);
      }
      if (j + u < j1) {
        R *const to = out + (j + u) * a.stride;
        if (ADD) {
          const V was = RIA_K(f3_load)(to);
#pragma unroll
          for (int e = 0; e < W; e++) d.v[e] += was.v[e];
        }
        RIA_K(f3_store)(to, d);
      }
    }
#pragma unroll
    for (int m = 0; m < 2 * H; m++) q[m] = q[m + U];
  }
}

/* --- along x ------------------------------------------------------------------------------------
 */

/* Values i .. i + W - 1 of a row of n, round its end. */
static __device__ __forceinline__ V RIA_K(f3_round)(const R *row, int i, int n) {
  if (i >= 0 && i + W <= n) return RIA_K(f3_load)(row + i);
  V a;
#pragma unroll
  for (int e = 0; e < W; e++) {
    int k = i + e;
    k = k < 0 ? k + n : k >= n ? k - n : k;
    a.v[e] = row[k < n ? k : 0];
  }
  return a;
}

/* Vectors on either side that reach FD_HALF_MAX values. */
enum { RIA_K(F3_SIDE) = FD_HALF_MAX / W };
#define SIDE RIA_K(F3_SIDE)

template <int H, bool EVEN, bool ADD, int ROWS>
__global__ void __launch_bounds__(256) RIA_K(f3_along)(const RIA_K(f3_line) a) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned first = column / (unsigned)a.vectors;
  const int i = (int)(column - first * (unsigned)a.vectors) * W;
  V w[ROWS][2 * SIDE + 1];
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    const unsigned row = first * ROWS + r;
    const R *const f = a.f + (int64_t)(row < (unsigned)a.rows ? row : 0) * a.across;
#pragma unroll
    for (int s = 0; s <= 2 * SIDE; s++) w[r][s] = RIA_K(f3_round)(f, i + (s - SIDE) * W, a.nx);
  }
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    const unsigned row = first * ROWS + r;
    if (row >= (unsigned)a.rows) return;
    R *const out = a.out + (int64_t)row * a.across + i;
    R v[(2 * SIDE + 1) * W];
#pragma unroll
    for (int k = 0; k < (2 * SIDE + 1) * W; k++) v[k] = w[r][k / W].v[k % W];
    V d;
#pragma unroll
    for (int e = 0; e < W; e++) {
      d.v[e] = RIA_K(f3_sum)<H, EVEN>(a.c, v + FD_HALF_MAX + e);
      if (ADD) d.v[e] += out[e];
    }
    if (i >= a.lo && i + W <= a.hi) {
      RIA_K(f3_store)(out, d);
    } else {
#pragma unroll
      for (int e = 0; e < W; e++)
        if (i + e >= a.lo && i + e < a.hi) out[e] = d.v[e];
    }
  }
}

/* --- all three at once --------------------------------------------------------------------------
 */

struct RIA_K(f3_gradient) {
  const R *f;
  R *out[3];
  int n[3], lo[3], hi[3];
  int64_t row, plane; /* strides of y and z */
  int segment;        /* planes a block marches */
  R c[3][FD_HALF_MAX + 1];
};

/* A block has 32 vectors of T rows, and marches along z. */
template <int H, int T>
struct RIA_K(f3_tile) {
  static constexpr int width = 32 * W + 2 * FD_HALF_MAX, height = T + 2 * H;
  R v[height][width];
};

template <int H, int T, int BLOCKS>
__global__ void __launch_bounds__(32 * T, BLOCKS) RIA_K(f3_gradients)(const RIA_K(f3_gradient) a) {
  extern __shared__ __align__(16) unsigned char f3_shared[];
  typedef RIA_K(f3_tile)<H, T> tile;
  tile *const tiles = reinterpret_cast<tile *>(f3_shared); /* [2] */
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = ((int)blockIdx.x * 32 + tx) * W, j = (int)blockIdx.y * T + ty;
  const int k0 = (int)blockIdx.z * a.segment;
  const int k1 = k0 + a.segment < a.n[2] ? k0 + a.segment : a.n[2];
  const auto round = [](int at, int n) { return at < 0 ? at + n : at >= n ? at % n : at; };
  const auto plane = [&](int k) {
    k = k < k1 + H ? k : k1 + H - 1;
    return a.f + (k < 0 ? k + a.n[2] : k >= a.n[2] ? k - a.n[2] : k) * a.plane;
  };
  /* this thread's column; the row beside the tile, and the vector beside a row, that it fetches */
  const int64_t own_row = round(j, a.n[1]) * a.row;
  const bool beside_y = ty < 2 * H;
  const int beside_ty = ty < H ? ty : T + ty; /* in the tile */
  const int64_t beside_row = round((int)blockIdx.y * T - H + beside_ty, a.n[1]) * a.row;
  const int t = ty * 32 + tx, side_ty = t / (2 * SIDE), side = t % (2 * SIDE);
  const bool beside_x = side_ty < T;
  const int side_at = side < SIDE ? side * W : 32 * W + side * W; /* in the tile's row */
  const int side_i = (int)blockIdx.x * 32 * W - FD_HALF_MAX + side_at;
  const int64_t side_row = round((int)blockIdx.y * T + side_ty, a.n[1]) * a.row;

  V q[2 * H + 1], above, by_y, by_x;
#pragma unroll
  for (int m = 0; m < 2 * H; m++)
    q[m] = RIA_K(f3_round)(plane(k0 - H + m) + own_row, i, a.n[0]);
  above = RIA_K(f3_round)(plane(k0 + H) + own_row, i, a.n[0]);
  if (beside_y) by_y = RIA_K(f3_round)(plane(k0) + beside_row, i, a.n[0]);
  if (beside_x) by_x = RIA_K(f3_round)(plane(k0) + side_row, side_i, a.n[0]);

  const bool mine_xy = j < a.n[1] && i < a.n[0];
  const bool whole_x = i >= a.lo[0] && i + W <= a.hi[0];
  int64_t to = k0 * a.plane + (int64_t)j * a.row + i;
  for (int k = k0; k < k1; k++, to += a.plane) {
    tile &s = tiles[k & 1];
    q[2 * H] = above;
    *reinterpret_cast<V *>(&s.v[ty + H][FD_HALF_MAX + tx * W]) = q[H];
    if (beside_y) *reinterpret_cast<V *>(&s.v[beside_ty][FD_HALF_MAX + tx * W]) = by_y;
    if (beside_x) *reinterpret_cast<V *>(&s.v[side_ty + H][side_at]) = by_x;
    __syncthreads();
    above = RIA_K(f3_round)(plane(k + 1 + H) + own_row, i, a.n[0]);
    if (beside_y) by_y = RIA_K(f3_round)(plane(k + 1) + beside_row, i, a.n[0]);
    if (beside_x) by_x = RIA_K(f3_round)(plane(k + 1) + side_row, side_i, a.n[0]);
    V d;
#pragma unroll
    for (int e = 0; e < W; e++) {
      R v[2 * H + 1];
#pragma unroll
      for (int m = 0; m <= 2 * H; m++) v[m] = q[m].v[e];
      d.v[e] = RIA_K(f3_sum)<H, false>(a.c[2], v + H);
    }
    if (mine_xy && k >= a.lo[2] && k < a.hi[2]) RIA_K(f3_store)(a.out[2] + to, d);
    {
      V w[2 * H + 1];
#pragma unroll
      for (int m = 0; m <= 2 * H; m++)
        w[m] = m == H ? q[H] : *reinterpret_cast<const V *>(&s.v[ty + m][FD_HALF_MAX + tx * W]);
#pragma unroll
      for (int e = 0; e < W; e++) {
        R v[2 * H + 1];
#pragma unroll
        for (int m = 0; m <= 2 * H; m++) v[m] = w[m].v[e];
        d.v[e] = RIA_K(f3_sum)<H, false>(a.c[1], v + H);
      }
      if (mine_xy && j >= a.lo[1] && j < a.hi[1]) RIA_K(f3_store)(a.out[1] + to, d);
    }
    {
      V w[2 * SIDE + 1];
#pragma unroll
      for (int m = 0; m <= 2 * SIDE; m++)
        w[m] = m == SIDE ? q[H] : *reinterpret_cast<const V *>(&s.v[ty + H][(tx + m) * W]);
      R v[(2 * SIDE + 1) * W];
#pragma unroll
      for (int m = 0; m < (2 * SIDE + 1) * W; m++) v[m] = w[m / W].v[m % W];
#pragma unroll
      for (int e = 0; e < W; e++) d.v[e] = RIA_K(f3_sum)<H, false>(a.c[0], v + FD_HALF_MAX + e);
      if (mine_xy && whole_x) {
        RIA_K(f3_store)(a.out[0] + to, d);
      } else if (mine_xy) {
#pragma unroll
        for (int e = 0; e < W; e++)
          if (i + e >= a.lo[0] && i + e < a.hi[0]) a.out[0][to + e] = d.v[e];
      }
    }
#pragma unroll
    for (int m = 0; m < 2 * H; m++) q[m] = q[m + 1];
  }
}
