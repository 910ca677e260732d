/* gpu/sediment/pass.cuh - the kernels of the two-sediment solver, for RIA_PRECISION.
 *
 * One pass over memory is a step. A block takes a tile of 256 columns, a thread each, and marches
 * north. Rows are sent for three ahead by copies to a ring in shared memory that no register waits
 * for; from there a thread reads its cell, its neighbours and the cell in the north. The face in
 * the north is kept for the next row, where it is the one in the south. Either neighbour works out
 * the face between two columns, with the same bits. */
#include "sediment.cuh"

#include "machine/follow.cuh"
#include "solvers/sediment/sediment_k.h"

#include <cuda_pipeline.h>

namespace {

typedef RIA_PRECISION R;
typedef sed_const constants;
typedef sed_face face;
typedef sed_side side;

#define FOR_EACH(K, N)                                                                             \
  for (int64_t K = (int64_t)blockIdx.x * SEDG_EACH + threadIdx.x; K < (N);                         \
       K += (int64_t)gridDim.x * SEDG_EACH)
unsigned blocks_for(int64_t n) {
  const int64_t blocks = (n + SEDG_EACH - 1) / SEDG_EACH;
  return (unsigned)(blocks < 1 ? 1 : blocks > 65535 ? 65535 : blocks);
}

__device__ __forceinline__ constants constants_of(const sedg_args &a, double dt) {
  constants k = sed_constants(dt, a.c_sand, a.c_mud, a.pace.layer, a.v.dx, a.v.dy);
  k.sea = (R)a.sea;
  k.per_base = (R)a.per_base;
  k.less_a = (R)a.less_a;
  k.less_b = (R)a.less_b;
  k.a = (R)a.a;
  k.b = (R)a.b;
  return k;
}

/* --- a pass ----------------------------------------------------------------------------------- */

enum { RING = 4, AHEAD = 3, RIM = 1, ROOM = SEDG_WIDE + 2 * RIM };

template <bool UNIFORM> struct ring {
  R h[RING][ROOM], s[RING][ROOM];
  R a[UNIFORM ? 1 : RING][UNIFORM ? 1 : ROOM], b[UNIFORM ? 1 : RING][UNIFORM ? 1 : ROOM];
};

__device__ __forceinline__ void send(R *to, const R *from) {
  __pipeline_memcpy_async(to, from, sizeof(R));
}

/* Send for a row: each thread its column, the first two the columns beside the tile. */
template <bool UNIFORM>
__device__ __forceinline__ void send_row(ring<UNIFORM> &r, const R *h, const R *s, const R *a,
                                         const R *b, int j, size_t at, int columns) {
  const int c = threadIdx.x, slot = j & (RING - 1);
  const int beside = c == 0 ? -1 : columns;
  if (c < columns) {
    send(&r.h[slot][c + RIM], h + at + c);
    send(&r.s[slot][c + RIM], s + at + c);
    if (!UNIFORM) {
      send(&r.a[slot][c + RIM], a + at + c);
      send(&r.b[slot][c + RIM], b + at + c);
    }
  }
  if (c < 2) {
    send(&r.h[slot][beside + RIM], h + at + beside);
    send(&r.s[slot][beside + RIM], s + at + beside);
    if (!UNIFORM) {
      send(&r.a[slot][beside + RIM], a + at + beside);
      send(&r.b[slot][beside + RIM], b + at + beside);
    }
  }
}

template <bool UNIFORM, bool MARINE>
__device__ __forceinline__ side side_at(const ring<UNIFORM> &r, int j, int c, const constants &k) {
  const int slot = j & (RING - 1), at = c + RIM;
  side x;
  x.h = r.h[slot][at];
  x.s = r.s[slot][at];
  x.a = UNIFORM ? k.a : r.a[UNIFORM ? 0 : slot][UNIFORM ? 0 : at];
  x.b = UNIFORM ? k.b : r.b[UNIFORM ? 0 : slot][UNIFORM ? 0 : at];
  if (MARINE) {
    const R w = sed_drowned(x.h, &k);
    x.a = sed_under(x.a, k.less_a, w);
    x.b = sed_under(x.b, k.less_b, w);
  }
  return x;
}

template <bool PAPER>
__device__ __forceinline__ face across(const side &p, const side &q, const constants &k) {
  return PAPER ? sed_across_paper(p, q, &k) : sed_across(p, q, &k);
}

/* A cell, and the ghost cells that mirror it. */
__device__ __forceinline__ void put(const ria_gpu_view &v, R *plane, int i, int j, R x) {
  const size_t at = ria_gpu_at(&v, i, j);
  plane[at] = x;
  if (i == 0) plane[at - 1] = x;
  if (i == v.nx - 1) plane[at + 1] = x;
  if (j == 0) plane[at - v.stride] = x;
  if (j == v.ny - 1) plane[at + v.stride] = x;
}

/* Sum over a block, always in the same order; valid in thread 0. room: a number for each warp. */
__device__ __forceinline__ double sum_block(double x, double *room) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(~0u, x, d);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = x;
  __syncthreads();
  x = 0;
  for (int w = 0; threadIdx.x == 0 && w < (int)blockDim.x / 32; w++) x += room[w];
  __syncthreads();
  return x;
}

/* What the threads of a tile found. */
__device__ __forceinline__ void tell(const sedg_args &a, int tile, double strata, double pull,
                                     bool bad) {
  __shared__ double room[SEDG_WIDE / 32];
  sedg_report *report = a.report;
  const double all = sum_block(strata, room);
  for (int d = 16; d > 0; d /= 2) pull = ria_max_f64(pull, __shfl_down_sync(~0u, pull, d));
  if (threadIdx.x % 32 == 0)
    atomicMax(&report->pull, (unsigned long long)__double_as_longlong(pull));
  if (__any_sync(~0u, bad) && threadIdx.x % 32 == 0) atomicOr(&report->bad, 1);
  if (threadIdx.x == 0) {
    if (report->held) a.deposit[tile] += a.found[tile];
    a.found[tile] = all;
  }
}

/* The same, and where a neighbour has the row. */
__device__ __forceinline__ void put_beside(const ria_gpu_view &v, R *plane, ptrdiff_t away, int i,
                                           int j, R x) {
  R *to = plane + away + ria_gpu_at(&v, i, j);
  if (!away) return;
  to[0] = x;
  if (i == 0) to[-1] = x;
  if (i == v.nx - 1) to[1] = x;
}

template <bool UNIFORM, bool MARINE, bool PAPER, bool ABREAST>
__global__ void __launch_bounds__(SEDG_WIDE)
    sedg_pass(const __grid_constant__ sedg_args a, const __grid_constant__ sedg_abreast b) {
  __shared__ ring<UNIFORM> r;
  wait_for_kernel_before();
  if (a.report->clock.over) return;
  const int now = a.report->clock.now;
  const constants k = constants_of(a, a.report->clock.dt);
  const R *h = (const R *)a.h[now], *s = (const R *)a.s[now];
  const R *al = (const R *)a.alpha, *be = (const R *)a.beta;
  R *const to_h = (R *)a.h[1 - now], *const to_s = (R *)a.s[1 - now];
  const int tx = blockIdx.x % a.tiles_x, ty = blockIdx.x / a.tiles_x;
  const int c = threadIdx.x, i0 = tx * SEDG_WIDE, i = i0 + c;
  const int columns = a.v.nx - i0 < SEDG_WIDE ? a.v.nx - i0 : SEDG_WIDE;
  const int j0 = a.from + ty * a.rows, j1 = j0 + a.rows < a.to ? j0 + a.rows : a.to;
  const bool mine = c < columns;

  for (int j = j0 - 1; j < j0 + AHEAD; j++) {
    if (j <= j1) send_row<UNIFORM>(r, h, s, al, be, j, ria_gpu_at(&a.v, i0, j), columns);
    __pipeline_commit();
  }
  __pipeline_wait_prior(AHEAD - 1); /* rows j0 - 1 and j0 */
  __syncthreads();
  side here = side_at<UNIFORM, MARINE>(r, j0, c, k);
  face below = across<PAPER>(side_at<UNIFORM, MARINE>(r, j0 - 1, c, k), here, k);
  double strata = 0;
  R pull = 0, junk = 0;
  for (int j = j0; j < j1; j++) {
    /* row j + 1 is there for all; the slot of row j - 1, which is done with, takes row j + 3 */
    __pipeline_wait_prior(AHEAD - 2);
    __syncthreads();
    if (j + AHEAD <= j1)
      send_row<UNIFORM>(r, h, s, al, be, j + AHEAD, ria_gpu_at(&a.v, i0, j + AHEAD), columns);
    __pipeline_commit();
    const side above = side_at<UNIFORM, MARINE>(r, j + 1, c, k);
    const face w = across<PAPER>(side_at<UNIFORM, MARINE>(r, j, c - 1, k), here, k);
    const face e = across<PAPER>(here, side_at<UNIFORM, MARINE>(r, j, c + 1, k), k);
    const face up = across<PAPER>(here, above, k);
    const sed_next n = sed_step(here.h, here.s, w, e, below, up, &k);
    if (mine) {
      put(a.v, to_h, i, j, n.h);
      if (!PAPER) put(a.v, to_s, i, j, n.s);
      for (int side = 0; ABREAST && side < 2; side++)
        if (j == (side ? a.end - 1 : a.begin)) {
          put_beside(a.v, to_h, b.away[1 - now][side][0], i, j, n.h);
          put_beside(a.v, to_s, b.away[1 - now][side][1], i, j, n.s);
        }
      strata += (double)n.strata;
      pull = ria_max(n.pull, pull);
      junk += (n.h + n.s) * 0;
    }
    here = above;
    below = up;
  }
  if (ABREAST && (j0 == a.begin || j1 == a.end)) __threadfence_system();
  tell(a, blockIdx.x, strata, (double)pull, !(junk == 0));
}

/* --- the second pass of the paper's scheme ---------------------------------------------------- */

/* Rows that came from neighbours, at an end of the grid: what mirrors them. */
__global__ void __launch_bounds__(SEDG_EACH) mirror_ends(const __grid_constant__ sedg_args a) {
  const int now = a.report->clock.now, last = a.v.ny - 1;
  const ptrdiff_t up = (ptrdiff_t)a.v.stride;
  if (a.report->clock.over) return;
  FOR_EACH(k, a.v.nx + 2) {
    const size_t south = ria_gpu_at(&a.v, (int)k - 1, 0),
                 north = ria_gpu_at(&a.v, (int)k - 1, last);
    R *const plane[] = {(R *)a.h[now], (R *)a.s[now]};
    for (int m = 0; m < 2; m++) {
      if (a.from == 0) plane[m][south - up] = plane[m][south];
      if (a.to > last) plane[m][north + up] = plane[m][north];
    }
  }
}

/* Does the pass go over such a row? */
bool goes_over_ends(const sedg_args *a) {
  return (a->from == 0 && a->begin > 0) || (a->to == a->v.ny && a->end < a->v.ny);
}

__global__ void __launch_bounds__(SEDG_WIDE) sedg_paper(const __grid_constant__ sedg_args a) {
  if (a.report->clock.over) return;
  const int now = a.report->clock.now;
  const constants k = constants_of(a, a.report->clock.dt);
  const R *h0 = (const R *)a.h[now], *f0 = (const R *)a.s[now], *al = (const R *)a.alpha;
  const R *h = (const R *)a.h[1 - now];
  R *const f = (R *)a.s[1 - now];
  const int i = (blockIdx.x % a.tiles_x) * SEDG_WIDE + threadIdx.x;
  const int j0 = a.begin + blockIdx.x / a.tiles_x * a.rows;
  const ptrdiff_t up = (ptrdiff_t)a.v.stride;
  double strata = 0;
  bool bad = false;
  for (int j = j0; i < a.v.nx && j < a.end && j < j0 + a.rows; j++) {
    const size_t at = ria_gpu_at(&a.v, i, j);
    const ptrdiff_t near[5] = {0, -1, 1, -up, up};
    R as[5];
    for (int m = 0; m < 5; m++) {
      const size_t there = at + near[m];
      as[m] = sed_under(al[there], k.less_a, sed_drowned(h0[there], &k)) * f0[there];
    }
    const R grow = h[at] - h0[at];
    const R x = sed_carry(as[1], as[0], as[2], h[at - 1], h[at + 1]);
    const R y = sed_carry(as[3], as[0], as[4], h[at - up], h[at + up]);
    const R next = sed_paper_sand(f0[at], grow, x, y, &k);
    put(a.v, f, i, j, next);
    strata += (double)(next * grow);
    bad = bad || !((next + h[at]) * 0 == 0);
  }
  __shared__ double room[SEDG_WIDE / 32];
  const double all = sum_block(strata, room);
  if (threadIdx.x == 0) a.found[blockIdx.x] = all;
  if (__any_sync(~0u, bad) && threadIdx.x % 32 == 0) atomicOr(&a.report->bad, 1);
}

/* --- queueing --------------------------------------------------------------------------------- */

/* A kernel that waits for the one before it by itself. */
template <typename... Args>
cudaError_t launch_early(const sedg_args *a, unsigned blocks, unsigned threads, cudaStream_t stream,
                         void (*kernel)(Args...), const Args &...args) {
  cudaLaunchAttribute early = early_launch();
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = a->early ? 1 : 0;
  return cudaLaunchKernelEx(&config, kernel, args...);
}

typedef void (*pass_fn)(const sedg_args, const sedg_abreast);

template <bool ABREAST> pass_fn plain_pass_of(const sed_ways *w) {
  if (w->marine)
    return w->uniform ? sedg_pass<true, true, false, ABREAST>
                      : sedg_pass<false, true, false, ABREAST>;
  return w->uniform ? sedg_pass<true, false, false, ABREAST>
                    : sedg_pass<false, false, false, ABREAST>;
}

pass_fn pass_of(const sed_ways *w) {
  return w->paper ? sedg_pass<false, true, true, false> : plain_pass_of<false>(w);
}

cudaError_t queue_pass(const sedg_args *a, const sedg_abreast *b, cudaStream_t stream) {
  static const sedg_abreast nowhere = {};
  const unsigned tiles = (unsigned)a->tiles_x * (unsigned)a->tiles_y;
  if (goes_over_ends(a)) mirror_ends<<<blocks_for(a->v.nx + 2), SEDG_EACH, 0, stream>>>(*a);
  const pass_fn pass = b ? plain_pass_of<true>(&a->ways) : pass_of(&a->ways);
  const cudaError_t e = launch_early(a, tiles, SEDG_WIDE, stream, pass, *a, b ? *b : nowhere);
  if (e != cudaSuccess) return e;
  if (a->ways.paper) sedg_paper<<<tiles, SEDG_WIDE, 0, stream>>>(*a);
  return cudaGetLastError();
}

cudaError_t resident(const sed_ways *ways, int *blocks) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, pass_of(ways), SEDG_WIDE, 0);
}

} // namespace
