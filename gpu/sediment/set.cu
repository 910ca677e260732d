/* gpu/sediment/set.cu - what is set on the GPU's two-sediment solver: fields, releases, boundaries
 * and sources. These change the arguments of passes, so recorded steps are marked stale. */
#include "host.cuh"

#include <stdlib.h>

namespace {

ria_status sum_plane(sedg *s, const void *plane, double *out) {
  const size_t ny = (size_t)s->p.grid.ny, bytes = ny * sizeof(double);
  double *sums = (double *)malloc(bytes);
  void *room = NULL;
  if (!sums) return ria_fail(s->p.ctx, RIA_ERR_MEMORY, "out of memory for a sum");
  ria_status status = ria_gpu_take(&s->p, bytes, &room);
  if (status == RIA_OK) {
    cudaError_t e = s->kernel->sum_rows(&s->a, plane, (double *)room, s->p.stream);
    if (e == cudaSuccess)
      e = cudaMemcpyAsync(sums, room, bytes, cudaMemcpyDeviceToHost, s->p.stream);
    if (e == cudaSuccess) e = cudaStreamSynchronize(s->p.stream);
    ria_gpu_drop(&s->p, room);
    if (e != cudaSuccess) status = ria_cuda_fail(s->p.ctx, e, "reading totals");
  }
  *out = status == RIA_OK ? ria_ordered_sum(sums, ny) : 0;
  free(sums);
  return status;
}

/* Sand below the active layer changes by `by` (m). */
ria_status add_strata(sedg *s, double by) {
  s->seen->strata += by;
  RIA_CUDA(s->p.ctx, "setting the account",
           cudaMemcpyAsync(&s->a.news->strata, &s->seen->strata, sizeof by, cudaMemcpyHostToDevice,
                           s->p.stream));
  RIA_CUDA(s->p.ctx, "setting the account", cudaStreamSynchronize(s->p.stream));
  return RIA_OK;
}

cudaError_t copy_plane(const sedg *s, void *to, const void *from) {
  return cudaMemcpyAsync(to, from, s->p.size * s->p.real_size, cudaMemcpyDeviceToDevice,
                         s->p.stream);
}

/* Height that is set is laid down or dug away with the fraction that the cell has. */
ria_status write_height(sedg *s, const double *src) {
  const int now = sedg_now(s);
  if (!s->begun) {
    RIA_TRY(ria_gpu_planes_write(s, SED_HEIGHT, -1, src));
    RIA_CUDA(s->p.ctx, "setting a field", copy_plane(s, s->a.base, s->a.h[now]));
    return RIA_OK;
  }
  void *had = NULL;
  double strata = 0;
  RIA_TRY(ria_gpu_take(&s->p, s->p.size * s->p.real_size, &had));
  cudaError_t e = copy_plane(s, had, s->a.h[now]);
  ria_status status = e == cudaSuccess ? ria_gpu_planes_write(s, SED_HEIGHT, -1, src)
                                       : ria_cuda_fail(s->p.ctx, e, "setting a field");
  if (status == RIA_OK) {
    e = s->kernel->change(&s->a, now, had, s->a.h[1 - now], s->p.stream); /* free for the moment */
    status = e == cudaSuccess ? sum_plane(s, s->a.h[1 - now], &strata)
                              : ria_cuda_fail(s->p.ctx, e, "setting a field");
  }
  ria_gpu_drop(&s->p, had);
  return status == RIA_OK ? add_strata(s, strata) : status;
}

} // namespace

ria_status sedg_write(void *self, int field, int tracer, const double *src) {
  sedg *s = (sedg *)self;
  RIA_TRY(sedg_enter(s));
  if (field == SED_SEA_LEVEL) {
    s->p.ready = false;
    ria_loop_stale(&s->loop);
    return sed_one_value(s->p.ctx, src, (size_t)s->p.grid.nx * (size_t)s->p.grid.ny, &s->a.sea);
  }
  if (field == SED_ALPHA || field == SED_BETA) ria_loop_stale(&s->loop); /* sedg_prepare */
  if (field == SED_HEIGHT)
    RIA_TRY(write_height(s, src));
  else
    RIA_TRY(ria_gpu_planes_write(s, field, tracer, src));
  void *plane = sedg_plane(s, field, tracer);
  RIA_CUDA(s->p.ctx, "setting a field", s->kernel->wrap(&s->a, plane, s->p.stream));
  return RIA_OK;
}

ria_status sedg_add(void *self, int quantity, int n, const int32_t *cell, const double *amount) {
  sedg *s = (sedg *)self;
  const ria_status status = ria_gpu_planes_add(s, quantity, n, cell, amount);
  s->current = false; /* the account is on the device */
  return status;
}

ria_status sedg_force(void *self, const ria_forcing_set *set) {
  sedg *s = (sedg *)self;
  RIA_TRY(ria_gpu_planes_force(s, set)); /* waits for what is queued */
  ria_loop_stale(&s->loop);
  s->a.v = s->p.v;
  s->a.cells_of = s->cells_of;
  s->a.forced = set->n_sources > 0;
  for (int k = 0; k < s->p.v.first[RIA_SIDES]; k++)
    if (s->p.stretch[s->p.account.owner[k]].kind != SED_CLOSED) s->a.forced = 1;
  return RIA_OK;
}
