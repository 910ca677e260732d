/* gpu/adi/relax.cuh - layers in which the flow of the implicit solver is drawn to a given one, per
 * precision: two kernels a layer before a step, where there are layers. The formulas are those of
 * engine/solvers/adi/adi_relax.c, in double precision. Included after tick.cuh.
 *
 * A thread takes a cell: its level and loads, then, when all cells of the layer have theirs, the
 * faces to its east and north, which belong to the layer if both of their cells do. Ghost rows of a
 * part get what the neighbour does to its own. */
#include "solvers/shared/water/relax_k.h"

namespace {
#define R RIA_PRECISION

/* The element of the k-th cell. Rows south of a ring's first one are counted behind all others, and
 * lie before it (ria_gpu_row_in_memory). */
__device__ __forceinline__ size_t element_of(const adig_forcing *f, const ria_gpu_layer *l, int k) {
  const ptrdiff_t at = l->at[k] < 0 ? ~l->at[k] : l->at[k], stride = (ptrdiff_t)f->v.stride;
  const ptrdiff_t behind = f->v.ny + (int)ADIG_BESIDE;
  const bool before = f->goes_on && at >= (behind + 1) * stride;
  return (size_t)(before ? at - (behind + (int)ADIG_BESIDE) * stride : at);
}

/* What the k-th cell is drawn to. */
__device__ __forceinline__ double target_at(const ria_gpu_layer *l, const layer_now *now, int q,
                                            int k) {
  return water_target(&l->target[q], now->value[q], now->part, k);
}

__device__ __forceinline__ double depth_at(const adig_forcing *f, size_t at) {
  const double h = number(f->level, at) - number(f->bed, at);
  return h > 0 ? h : 0;
}

/* Returns what the plane of the cell gains. */
__device__ __forceinline__ double draw(void *plane, size_t at, double v) {
  R *to = (R *)plane + at;
  const double was = (double)*to;
  *to = (R)v;
  return (double)*to - was;
}

/* gain: of the part's own cells. */
__device__ __forceinline__ void relax_cell(const adig_forcing *f, const ria_gpu_layer *l,
                                           const layer_now *now, int k, double dt, double *gain) {
  const size_t at = element_of(f, l, k);
  const double own = l->at[k] < 0 ? 0.0 : 1.0;
  const double level = number(f->level, at), z = number(f->bed, at), h0 = level - z;
  if (!(h0 > f->drying)) return;
  const double share = water_relax_share(l->rate[k], dt);
  const double aim = target_at(l, now, RIA_TARGET_LEVEL, k);
  if (aim == aim) gain[0] += own * draw(f->level, at, level + share * (fmax(aim, z) - level));
  const double h = depth_at(f, at);
#pragma unroll 1
  for (int m = 0; m < f->nt; m++) {
    const double load = number(f->load[m], at), conc = target_at(l, now, RIA_TARGETS + m, k);
    gain[1 + m] += own * draw(f->load[m], at, water_relax_load(share, conc, load, h0, h));
  }
}

/* The face between cells k and m of the layer. */
__device__ __forceinline__ void relax_face(const adig_forcing *f, const ria_gpu_layer *l,
                                           const layer_now *now, int axis, int k, int m,
                                           double dt) {
  const int q = axis == ADI_X ? RIA_TARGET_U : RIA_TARGET_V;
  const size_t at = element_of(f, l, k);
  const double u = 0.5 * (target_at(l, now, q, k) + target_at(l, now, q, m));
  const double here = depth_at(f, at), there = depth_at(f, element_of(f, l, m));
  if (!(u == u) || !(fmin(here, there) > f->flooding)) return;
  const double share = water_relax_share(0.5 * (l->rate[k] + l->rate[m]), dt);
  const double h = 0.5 * (here + there), was = number(f->flux[axis], at);
  draw(f->flux[axis], at, was + share * (u * h - was));
}

__global__ void __launch_bounds__(LAYER_THREADS)
    relax_cells(const __grid_constant__ adig_forcing f, const adi_step *step, int layer) {
  __shared__ layer_now now;
  const ria_gpu_layer *l = &f.layer[layer];
  if (idle(f.bad, step)) return;
  layer_at(l, &f.v.table, step->t + step->dt, &now);
  double gain[1 + RIA_MAX_TRACERS] = {};
  for (int k = blockIdx.x * LAYER_THREADS + threadIdx.x; k < l->n; k += gridDim.x * LAYER_THREADS)
    relax_cell(&f, l, &now, k, step->dt, gain);
  layer_count(l, 1 + f.nt, gain, f.v.dx * f.v.dy, f.v.added);
}

__global__ void __launch_bounds__(LAYER_THREADS)
    relax_faces(const __grid_constant__ adig_forcing f, const adi_step *step, int layer) {
  __shared__ layer_now now;
  const ria_gpu_layer *l = &f.layer[layer];
  const int32_t *east = f.faces[layer].east, *north = f.faces[layer].north;
  if (idle(f.bad, step)) return;
  /* The largest flux across that the sweep along x is told of is not that of fluxes drawn here, and
   * a part of the grid sees its own alone: nothing is known. */
  if (blockIdx.x == 0 && threadIdx.x < ADIG_SLOTS) f.fastest[threadIdx.x] = __float_as_uint(3e38f);
  layer_at(l, &f.v.table, step->t + step->dt, &now);
  for (int k = blockIdx.x * LAYER_THREADS + threadIdx.x; k < l->n; k += gridDim.x * LAYER_THREADS) {
    if (east[k] >= 0) relax_face(&f, l, &now, ADI_X, k, east[k], step->dt);
    if (north[k] >= 0) relax_face(&f, l, &now, ADI_Y, k, north[k], step->dt);
  }
}

cudaError_t do_relax(const adig_forcing *f, const adi_step *step, int layer, unsigned blocks,
                     cudaStream_t st) {
  relax_cells<<<blocks, LAYER_THREADS, 0, st>>>(*f, step, layer);
  relax_faces<<<blocks, LAYER_THREADS, 0, st>>>(*f, step, layer);
  return cudaGetLastError();
}

#undef R
} // namespace
