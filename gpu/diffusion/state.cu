/* gpu/diffusion/state.cu - the state of the diffusion solver on a GPU by name. */
#include "host.cuh"
#include "machine/state.cuh"

#include <stddef.h>
#include <stdlib.h>

static const ria_state_member members[] = {{"t", RIA_STATE_F64, offsetof(dfg, t), 0},
                                           {"steps", RIA_STATE_I64, offsetof(dfg, steps), 0},
                                           {"dt", RIA_STATE_F64, offsetof(dfg, progress.dt), 0},
                                           RIA_STATE_PROGRESS(dfg, progress),
                                           {}};

/* All rows of planes: to[ria_gpu_rows][nx]. */
static ria_status read_rows(dfg *s, void *plane, double *to) {
  const ria_gpu_cells c = ria_gpu_cells_of(&s->p, plane);
  const size_t size = s->p.real_size, n = (size_t)s->p.grid.nx, ny = (size_t)ria_gpu_rows(&s->p);
  cudaError_t e = cudaMemcpy2DAsync(to, n * size, c.first, c.row * size, n * size, ny,
                                    cudaMemcpyDeviceToHost, s->p.stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(s->p.stream);
  const float *from = (const float *)to;
  for (size_t k = n * ny; s->p.real == RIA_F32 && k > 0; k--) to[k - 1] = (double)from[k - 1];
  RIA_CUDA(s->p.ctx, "copying the state", e);
  return RIA_OK;
}

/* What follows from a map that is there is worked out as where it is set. */
static ria_status map_state(dfg *s, const ria_state_walk *walk, const char *name, int field) {
  const bool is_source = field == DF_SOURCE;
  RIA_TRY(ria_gpu_plane_state_if(&s->p, walk, name, is_source ? &s->source : &s->diffusivity));
  if (!walk->restores) return RIA_OK;
  if (!dfg_plane(s, field, -1)) {
    if (is_source)
      s->source_rate = 0;
    else
      dfg_forget_map(s);
    return RIA_OK;
  }
  const size_t n = (size_t)s->p.grid.nx * (size_t)ria_gpu_rows(&s->p);
  double *v = (double *)malloc(n * sizeof *v);
  if (!v) return ria_gpu_no_memory(&s->p, "the state");
  ria_status status = read_rows(s, dfg_plane(s, field, -1), v);
  if (status == RIA_OK) status = dfg_know_map(s, field, v, true);
  free(v);
  s->p.ready = false;
  return status;
}

ria_status dfg_state(void *self, const ria_state_walk *walk) {
  dfg *s = (dfg *)self;
  RIA_TRY(ria_gpu_planes_state(&s->p, walk, s->p.v.source_owed));
  RIA_TRY(ria_gpu_cells_state(&s->p, walk, "u", ria_gpu_cells_of(&s->p, s->u[s->now]), 0, 0));
  RIA_TRY(map_state(s, walk, "diffusivity", DF_DIFFUSIVITY));
  RIA_TRY(map_state(s, walk, "source", DF_SOURCE));
  if (walk->restores) RIA_TRY(dfg_prepare(s, 0));
  return ria_state_members(walk, members, s);
}
