/* relax.cuh - layers in which the flow is drawn to a given one, on CUDA, for one precision
 * (RIA_PRECISION): a kernel of its own before the step, where there are layers, so that a run
 * without any has nothing of it. The formulas are water/relax_k.h's, in double precision.
 *
 * A thread takes a cell. What blocks gave is summed by the last of them, in the order of blocks, so
 * that the account has the same bits every time. */
#include "solvers/shared/water/relax_k.h"

namespace {

enum { RELAX_THREADS = 128, RELAX_WARPS = RELAX_THREADS / 32 };

/* The targets of a step that are the same in all cells. */
typedef struct relax_now {
  double value[RIA_RELAXED], part;
} relax_now;

__device__ __forceinline__ double target_at(const swg_layer *l, const relax_now *now, int q,
                                            int k) {
  return water_target(&l->target[q], now->value[q], now->part, k);
}

/* The loads of a cell whose depth was h0 and is h. */
__device__ __forceinline__ void relax_loads(const swg_args *a, const swg_layer *l,
                                            const relax_now *now, int k, int at, double share,
                                            double h0, double h, double own, double *gain) {
#pragma unroll 1
  for (int m = 0; m < a->v.nt; m++) {
    R *load = m == 0 ? (R *)&a->old[at].hc : (R *)a->old_more + (m - 1) * a->v.plane + at;
    const double was = (double)*load;
    *load = (R)water_relax_load(share, target_at(l, now, RIA_TARGETS + m, k), was, h0, h);
    gain[1 + m] += own * ((double)*load - was);
  }
}

/* gain: of the part's own cells. */
__device__ __forceinline__ void relax_cell(const swg_args *a, const swg_layer *l,
                                           const relax_now *now, int k, double dt, double *gain) {
  const int at = l->at[k] < 0 ? ~l->at[k] : l->at[k];
  const double own = l->at[k] < 0 ? 0.0 : 1.0;
  const vec4 s = load4(a->old + at);
  const water_cell c = {(double)s.h, (double)s.qx, (double)s.qy, (double)a->bed[at]};
  if (!(c.h > a->v.p.dry_depth)) return;
  const double share = water_relax_share(l->rate[k], dt);
  const water_cell to =
      water_relax_flow(share, target_at(l, now, RIA_TARGET_LEVEL, k),
                       target_at(l, now, RIA_TARGET_U, k), target_at(l, now, RIA_TARGET_V, k), c);
  vec4 *state = (vec4 *)a->old + at; /* the present is ours between two steps */
  state->h = (R)to.h;
  state->qx = (R)to.qx;
  state->qy = (R)to.qy;
  gain[0] += own * ((double)state->h - c.h);
  relax_loads(a, l, now, k, at, share, c.h, to.h, own, gain);
}

/* What the blocks gave, by the last one: gain of each thread. */
__device__ __forceinline__ void count_gains(const swg_args *a, const swg_layer *l,
                                            const double *gain) {
  __shared__ double sum[RELAX_WARPS][SW_QUANTITIES];
  __shared__ bool last;
  const int nq = 1 + a->v.nt, q = threadIdx.x;
  for (int m = 0; m < nq; m++) {
    const double of_warp = warp_sum(gain[m]);
    if (threadIdx.x % 32 == 0) sum[threadIdx.x / 32][m] = of_warp;
  }
  __syncthreads();
  if (q < nq) {
    double all = 0;
    for (int w = 0; w < RELAX_WARPS; w++) all += sum[w][q];
    l->given[blockIdx.x * SW_QUANTITIES + q] = all;
    __threadfence();
  }
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(l->arrived, 1) == (int)gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  if (q < nq) {
    double all = 0;
    for (int b = 0; b < (int)gridDim.x; b++) all += __ldcg(&l->given[b * SW_QUANTITIES + q]);
    a->v.report->added[q] += all * a->v.area;
  }
  if (threadIdx.x == 0) *l->arrived = 0;
}

__global__ void __launch_bounds__(RELAX_THREADS)
    swg_relax(const __grid_constant__ swg_args a, int layer) {
  __shared__ relax_now now;
  const swg_layer *l = &a.v.forcing.layer[layer];
  const sw_clock *c = &a.v.report->clock;
  if (c->done) return; /* there is no step */
  const double t = sw_step_end(c), dt = c->dt;
  if (threadIdx.x < RIA_RELAXED) {
    const int id = l->target[threadIdx.x].id;
    now.value[threadIdx.x] = id >= 0 ? ria_forcing_at(&a.v.forcing.table, id, t) : (double)NAN;
  }
  if (threadIdx.x == 0) now.part = ria_relax_part(l->t0, l->t1, t);
  __syncthreads();
  double gain[SW_QUANTITIES] = {};
  for (int k = blockIdx.x * RELAX_THREADS + threadIdx.x; k < l->n; k += gridDim.x * RELAX_THREADS)
    relax_cell(&a, l, &now, k, dt, gain);
  count_gains(&a, l, gain);
}

cudaError_t relax(const swg_view *v, int now, int layer, int blocks, cudaStream_t stream) {
  swg_relax<<<(unsigned)blocks, RELAX_THREADS, 0, stream>>>(swg_args_of(v, now), layer);
  return cudaGetLastError();
}

} // namespace
