/* gpu/machine/layers.cuh - layers in which the flow is drawn to a given one (ria_relax), on the
 * device: their cells, what these are drawn to in a step, and the account of what they gain. What
 * is done to a cell is the solver's. */
#ifndef RIA_GPU_LAYERS_CUH
#define RIA_GPU_LAYERS_CUH
#include "planes.cuh"

enum {
  RIA_GPU_LAYER_CELLS = 512, /* that a block takes, */
  RIA_GPU_LAYER_BLOCKS = 528 /*   but no more blocks than these take them */
};

/* A layer as ria_relax has it: of its cells those that the device has. */
typedef struct ria_gpu_layer {
  int n;
  const int32_t *at;  /* [n] element; of a ghost row, where the neighbour counts, its complement */
  const double *rate; /* [n] 1/s */
  double t0, t1;
  ria_relaxed target[RIA_RELAXED];
  double *given; /* [RIA_GPU_LAYER_BLOCKS][n_quantities] in the step under way, by block */
  int *arrived;  /* blocks that have said theirs */
} ria_gpu_layer;

/* --- layers.cu */

/* Of the cells of a layer, a copy that may be written to, those that the device has stay, as
 * elements; cell (0, 0) of the device is element `origin`, a row is `stride` elements. */
void ria_gpu_list_layer(const ria_gpu_planes *p, ria_relax *r, size_t origin, size_t stride);
/* Its arrays go into the bundle. */
ria_gpu_layer ria_gpu_put_layer(ria_gpu_bundle *b, const ria_relax *r, int n_quantities);
/* Blocks that take n cells; one where there are none. */
static inline unsigned ria_gpu_layer_blocks(int n) {
  const int blocks = n > 0 ? (n + RIA_GPU_LAYER_CELLS - 1) / RIA_GPU_LAYER_CELLS : 1;
  return (unsigned)(blocks < RIA_GPU_LAYER_BLOCKS ? blocks : RIA_GPU_LAYER_BLOCKS);
}

#ifdef __CUDACC__
namespace {

enum { LAYER_THREADS = 128 }; /* of a block */

/* The targets of a step that are the same in all cells. */
typedef struct layer_now {
  double value[RIA_RELAXED], part;
} layer_now;

/* At time t. All threads of a block, which meet after it. */
__device__ __forceinline__ void layer_at(const ria_gpu_layer *l, const ria_forcing_table *table,
                                         double t, layer_now *now) {
  if (threadIdx.x < RIA_RELAXED) {
    const int id = l->target[threadIdx.x].id;
    now->value[threadIdx.x] = id >= 0 ? ria_forcing_at(table, id, t) : (double)NAN;
  }
  if (threadIdx.x == 0) now->part = ria_relax_part(l->t0, l->t1, t);
  __syncthreads();
}

__device__ __forceinline__ double layer_sum(double v) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

/* What the threads of all blocks gained, [nq] each, times `factor`, is added to `added`: by the
 * last block, in the order of blocks, so that the account has the same bits every time. */
__device__ __forceinline__ void layer_count(const ria_gpu_layer *l, int nq, const double *gain,
                                            double factor, double *added) {
  constexpr int WARPS = LAYER_THREADS / 32, MOST = 1 + RIA_MAX_TRACERS;
  __shared__ double sum[WARPS][MOST];
  __shared__ bool last;
  const int q = threadIdx.x;
  for (int m = 0; m < nq; m++) {
    const double of_warp = layer_sum(gain[m]);
    if (threadIdx.x % 32 == 0) sum[threadIdx.x / 32][m] = of_warp;
  }
  __syncthreads();
  if (q < nq) {
    double all = 0;
    for (int w = 0; w < WARPS; w++) all += sum[w][q];
    l->given[blockIdx.x * nq + q] = all;
    __threadfence();
  }
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(l->arrived, 1) == (int)gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  if (q < nq) {
    double all = 0;
    for (int b = 0; b < (int)gridDim.x; b++) all += __ldcg(&l->given[b * nq + q]);
    added[q] += all * factor;
  }
  if (threadIdx.x == 0) *l->arrived = 0;
}

} // namespace
#endif
#endif
