/* gpu/machine/points.cuh - values of boundaries at points along their sides, on the device.
 *
 * A point has a thread; those beyond the threads of a block come by turns. Tides that share their
 * speeds share how far each constituent has turned: first the threads work that out, a constituent
 * each (points_turn), then, after the block has met, each point needs a product for each
 * constituent (point_at). How cells find theirs between two points is the solver's.
 *
 * None of it is inline: the code of blocks without points stays as it was. */
#ifndef RIA_GPU_POINTS_CUH
#define RIA_GPU_POINTS_CUH
#include "planes.cuh"

namespace {

/* Thread `thread` of `threads`. Moments are kept apart: RIA_GPU_MOMENTS of them at a time. */
__device__ __noinline__ void points_turn(const ria_gpu_points *p, int moment, double t, int thread,
                                         int threads) {
  ria_turned *turned = p->turned + (size_t)moment * p->n_turned;
#pragma unroll 1
  for (int k = thread; k < p->n_turned; k += threads) turned[k] = ria_turned_at(p->speed[k], t);
}

/* The k-th value at that moment, which is t. */
__device__ __noinline__ double point_at(const ria_gpu_points *p, const ria_forcing_table *table,
                                        int k, int moment, double t) {
  const ria_gpu_point q = p->point[k];
  if (q.forcing.kind != RIA_FORCING_TIDES) return ria_forcing_at(table, q.id, t);
  const double *d = table->data + q.forcing.first;
  const ria_turned *turned = p->turned + (size_t)moment * p->n_turned + q.turned;
  double v = 0;
#pragma unroll 4
  for (int c = 0; c < q.forcing.count; c++) v += ria_shared_tide(d, c, turned[c]);
  return ria_forcing_of(&q.forcing, v, t);
}

} // namespace

#endif
