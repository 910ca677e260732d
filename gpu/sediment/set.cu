/* gpu/sediment/set.cu - what is set on the GPU's two-sediment solver: fields, releases, boundaries
 * and sources. These change the arguments of passes, so recorded steps are marked stale. */
#include "host.cuh"

namespace {

/* Sand below the active layer changes by `by` (m). */
ria_status add_strata(sedg *s, double by) {
  s->seen->strata += by;
  RIA_CUDA(s->p.ctx, "setting the account",
           ria_gpu_to_device(&s->p, &s->a.report->strata, &s->seen->strata, sizeof by));
  return ria_gpu_planes_wait(&s->p);
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
    status = e == cudaSuccess ? ria_gpu_plane_sum(&s->p, s->a.h[1 - now], &strata)
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
  const int sides = ria_side_length(&s->p.grid, RIA_SOUTH);
  for (int side = 0; side < RIA_SIDES; side++) {
    const bool north = side == RIA_NORTH;
    const bool here = north ? s->p.base + s->p.v.ny == s->p.grid.ny : s->p.base == 0;
    s->a.side[side] = ria_side_along_x(side) ? s->p.v.ny : here ? sides : 0;
  }
  s->a.cells_of = s->cells_of;
  s->a.forced = set->n_sources > 0;
  for (int k = 0; k < s->p.v.first[RIA_SIDES]; k++) /* of all parts */
    if (s->p.stretch[s->p.account.owner[k]].kind != SED_CLOSED) s->a.forced = 1;
  return RIA_OK;
}
