/* field3_derive.cuh - the kernels that differentiate 3-D fields, in one precision (RIA_PRECISION).
 *
 * All work on vectors of 16 bytes along x, a column of them a thread. Along y and z a thread
 * marches with the values in reach in registers, so each is loaded once a segment; the planes or
 * rows that two segments share come from the second-level cache. Along x the neighbours' vectors
 * are loaded again, which the first-level cache answers. A gradient marches along z and shares the
 * plane in the middle through shared memory.
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
  int n, lo, hi;          /* points along the axis; those to be written */
  int nx;                 /* points of a row */
  int vectors;            /* of a row */
  int rows;               /* of the axis that is neither this one nor x; along x: of the field */
  int64_t stride, across; /* of the axis; of that other one */
  int segment, segments;  /* points a thread marches; how many such */
  bool segments_first;    /* memory is swept through: along y a plane's segments, then the next's */
  R c[FD_HALF_MAX + 1];
};

template <int H, bool EVEN>
static __device__ __forceinline__ R RIA_K(f3_sum)(const R *c, const R *v) {
  return EVEN ? RIA_K(fd_even)(H, c, v) : RIA_K(fd_odd)(H, c, v);
}

/* --- along y or z -------------------------------------------------------------------------------
 */

template <int H, bool EVEN, bool ADD, int U, int THREADS>
__global__ void __launch_bounds__(THREADS) RIA_K(f3_march)(const RIA_K(f3_line) a) {
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
    return RIA_K(f3_load)(f + j * a.stride);
  };
  V q[2 * H + U];
#pragma unroll
  for (int m = 0; m < 2 * H; m++) q[m] = load(j0 - H + m);
  for (int j = j0; j < j1; j += U) {
#pragma unroll
    for (int u = 0; u < U; u++) q[2 * H + u] = load(j + H + u);
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
__global__ void __launch_bounds__(128) RIA_K(f3_along)(const RIA_K(f3_line) a) {
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

/* A plane of the tile of a block: X vectors of T rows, and what is beside it. */
template <int H, int X, int T> struct RIA_K(f3_tile) { R v[T + 2 * H][X * W + 2 * FD_HALF_MAX]; };

#ifndef F3_COPY_ASYNC
#define F3_COPY_ASYNC
template <int BYTES>
static __device__ __forceinline__ void f3_copy_async(void *to, const void *from) {
  const unsigned at = (unsigned)__cvta_generic_to_shared(to);
  if (BYTES == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(BYTES)
                 : "memory");
}

#endif
/* A vector of a row that may go round its end, on its way to shared memory. */
template <bool WHOLE>
static __device__ __forceinline__ void RIA_K(f3_fetch)(R *to, const R *row, int i, int n) {
  if (WHOLE || i + W <= n) {
    f3_copy_async<16>(to, row + i);
  } else {
#pragma unroll
    for (int e = 0; e < W; e++) {
      const int k = i + e < n ? i + e : i + e - n;
      f3_copy_async<sizeof(R)>(to + e, row + (k < n ? k : 0));
    }
  }
}

template <int H, int X, int T, int AHEAD, int BLOCKS, bool WHOLE>
__global__ void __launch_bounds__(X *T, BLOCKS) RIA_K(f3_gradients)(const RIA_K(f3_gradient) a) {
  extern __shared__ __align__(16) unsigned char f3_shared[];
  typedef RIA_K(f3_tile)<H, X, T> tile;
  constexpr int SLOTS = H + 1 + AHEAD; /* planes k .. k + H + AHEAD */
  tile *const ring = reinterpret_cast<tile *>(f3_shared);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = ((int)blockIdx.x * X + tx) * W, j = (int)blockIdx.y * T + ty;
  const int k0 = (int)blockIdx.z * a.segment;
  const int k1 = k0 + a.segment < a.n[2] ? k0 + a.segment : a.n[2];
  const auto round = [](int at, int n) { return at < 0 ? at + n : at >= n ? at % n : at; };
  /* what this thread fetches of every plane: its own vector, one of a row beside, one beside a row
   */
  const int ci = WHOLE ? round(i, a.n[0]) : i;
  const int own = round(j, a.n[1]) * (int)a.row;
  constexpr int BY = (2 * H + T - 1) / T; /* rows above and below that a thread row fetches */
  int by_ty[BY], by[BY];
#pragma unroll
  for (int r = 0; r < BY; r++) {
    const int beside = ty + r * T;
    by_ty[r] = beside < H ? beside : T + beside;
    by[r] = round((int)blockIdx.y * T - H + by_ty[r], a.n[1]) * (int)a.row;
  }
  const int t = ty * X + tx, bx_ty = t / (2 * SIDE), side = t % (2 * SIDE);
  const bool beside_x = bx_ty < T;
  const int bx_at = side < SIDE ? side * W : (X + side) * W;
  const int bx_i0 = (int)blockIdx.x * X * W - FD_HALF_MAX + bx_at;
  const int bx = round((int)blockIdx.y * T + bx_ty, a.n[1]) * (int)a.row;

  const int bx_i = WHOLE ? round(bx_i0, a.n[0]) : bx_i0;
  const auto fetch = [&](int k) {
    if (k < k1 + H) {
      const R *const f = a.f + (k < 0 ? k + a.n[2] : k >= a.n[2] ? k - a.n[2] : k) * a.plane;
      tile &s = ring[(unsigned)(k + SLOTS) % SLOTS];
      RIA_K(f3_fetch)<WHOLE>(&s.v[ty + H][FD_HALF_MAX + tx * W], f + own, ci, a.n[0]);
#pragma unroll
      for (int r = 0; r < BY; r++)
        if (ty + r * T < 2 * H)
          RIA_K(f3_fetch)<WHOLE>(&s.v[by_ty[r]][FD_HALF_MAX + tx * W], f + by[r], ci, a.n[0]);
      if (beside_x) {
        if (WHOLE || bx_i >= 0) {
          RIA_K(f3_fetch)<WHOLE>(&s.v[bx_ty + H][bx_at], f + bx, bx_i, a.n[0]);
        } else {
#pragma unroll
          for (int e = 0; e < W; e++)
            f3_copy_async<sizeof(R)>(&s.v[bx_ty + H][bx_at + e], f + bx + bx_i + e + a.n[0]);
        }
      }
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  V q[2 * H + 1];
#pragma unroll
  for (int m = 0; m < H; m++) { /* planes below the first: this thread's own column alone */
    const int k = k0 - H + m;
    q[m] = RIA_K(f3_round)(a.f + (k < 0 ? k + a.n[2] : k) * a.plane + own, ci, a.n[0]);
  }
  for (int k = k0; k < k0 + H + AHEAD; k++) fetch(k);
  asm volatile("cp.async.wait_group %0;" ::"n"(AHEAD) : "memory"); /* k0 .. k0 + H - 1 are there */
#pragma unroll
  for (int m = 0; m < H; m++)
    q[H + m] = *reinterpret_cast<const V *>(
        &ring[(unsigned)(k0 + m + SLOTS) % SLOTS].v[ty + H][FD_HALF_MAX + tx * W]);

  const bool mine = j < a.n[1] && i < a.n[0];
  const bool mine_y = mine && j >= a.lo[1] && j < a.hi[1];
  const bool whole_x = mine && i >= a.lo[0] && i + W <= a.hi[0];
  int64_t to = k0 * a.plane + (int64_t)j * a.row + i;
  for (int k = k0; k < k1; k++, to += a.plane) {
    asm volatile("cp.async.wait_group %0;" ::"n"(AHEAD - 1) : "memory"); /* plane k + H is there */
    __syncthreads();
    fetch(k + H + AHEAD); /* over plane k - 1 */
    const tile &s = ring[(unsigned)(k + SLOTS) % SLOTS];
    q[2 * H] = *reinterpret_cast<const V *>(
        &ring[(unsigned)(k + H + SLOTS) % SLOTS].v[ty + H][FD_HALF_MAX + tx * W]);
    V d;
#pragma unroll
    for (int e = 0; e < W; e++) {
      R v[2 * H + 1];
#pragma unroll
      for (int m = 0; m <= 2 * H; m++) v[m] = q[m].v[e];
      d.v[e] = RIA_K(f3_sum)<H, false>(a.c[2], v + H);
    }
    if (mine && k >= a.lo[2] && k < a.hi[2]) RIA_K(f3_store)(a.out[2] + to, d);
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
      if (mine_y) RIA_K(f3_store)(a.out[1] + to, d);
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
      if (whole_x) {
        RIA_K(f3_store)(a.out[0] + to, d);
      } else if (mine) {
#pragma unroll
        for (int e = 0; e < W; e++)
          if (i + e >= a.lo[0] && i + e < a.hi[0]) a.out[0][to + e] = d.v[e];
      }
    }
#pragma unroll
    for (int m = 0; m < 2 * H; m++) q[m] = q[m + 1];
  }
}
