/* relax.cuh - layers in which the flow is drawn to a given one, on CUDA, for one precision
 * (RIA_PRECISION): a kernel of its own before the step, where there are layers, so that a run
 * without any has nothing of it. The formulas are water/relax_k.h's, in double precision.
 *
 * A thread takes a cell. */
#include "solvers/shared/water/relax_k.h"

namespace {

/* What the k-th cell is drawn to. */
__device__ __forceinline__ double target_at(const ria_gpu_layer *l, const layer_now *now, int q,
                                            int k) {
  return water_target(&l->target[q], now->value[q], now->part, k);
}

/* The loads of a cell whose depth was h0 and is h. */
__device__ __forceinline__ void relax_loads(const swg_args *a, const ria_gpu_layer *l,
                                            const layer_now *now, int k, int at, double share,
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
__device__ __forceinline__ void relax_cell(const swg_args *a, const ria_gpu_layer *l,
                                           const layer_now *now, int k, double dt, double *gain) {
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

__global__ void __launch_bounds__(LAYER_THREADS)
    swg_relax(const __grid_constant__ swg_args a, int layer) {
  __shared__ layer_now now;
  const ria_gpu_layer *l = &a.v.forcing.layer[layer];
  const sw_clock *c = &a.v.report->clock;
  if (c->done) return; /* there is no step */
  const double t = sw_step_end(c), dt = c->dt;
  layer_at(l, &a.v.forcing.table, t, &now);
  double gain[SW_QUANTITIES] = {};
  for (int k = blockIdx.x * LAYER_THREADS + threadIdx.x; k < l->n; k += gridDim.x * LAYER_THREADS)
    relax_cell(&a, l, &now, k, dt, gain);
  layer_count(l, 1 + a.v.nt, gain, a.v.area, a.v.report->added);
}

cudaError_t relax(const swg_view *v, int now, int layer, unsigned blocks, cudaStream_t stream) {
  swg_relax<<<blocks, LAYER_THREADS, 0, stream>>>(swg_args_of(v, now), layer);
  return cudaGetLastError();
}

} // namespace
