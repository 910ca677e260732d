/* gpu/machine/state.cu - the state of planes on a GPU by name: the items that
 * engine/solvers/shared/planes_state.c has, and what a device counts apart. */
#include "state.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ria_status ria_gpu_array_state(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                               ria_state_type type, size_t rows, size_t n, void *data) {
  const size_t bytes = (rows ? rows : 1) * n * ria_state_size(type);
  void *host = malloc(bytes + 1);
  if (!host) return ria_gpu_no_memory(p, "the state");
  cudaError_t e = bytes ? ria_gpu_to_host(p, host, data, bytes) : cudaSuccess;
  ria_status status = e == cudaSuccess ? ria_state_array(walk, name, type, rows, n, host) : RIA_OK;
  if (e == cudaSuccess && status == RIA_OK && walk->restores && bytes) {
    e = ria_gpu_to_device(p, data, host, bytes);
    if (e == cudaSuccess) e = cudaStreamSynchronize(p->stream);
  }
  free(host);
  RIA_CUDA(p->ctx, "copying the state", e);
  return status;
}

/* --- cells ------------------------------------------------------------------------------------ */

/* Numbers `step` apart in rows of the host: packed, or (in) put back. */
static void pack_cells(char *rows, size_t wide, char *cells, size_t nx, size_t ny, size_t step,
                       size_t size, bool in) {
  for (size_t j = 0; j < ny; j++)
    for (size_t i = 0; i < nx; i++) {
      char *at = rows + j * wide + i * step * size, *cell = cells + (j * nx + i) * size;
      memcpy(in ? at : cell, in ? cell : at, size);
    }
}

ria_status ria_gpu_cells_state(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                               ria_gpu_cells c, int west, int south) {
  const int beyond = p->part.j0 > 0 ? 0 : south;
  const size_t nx = (size_t)(p->grid.nx + west), ny = (size_t)(p->v.ny + beyond);
  const size_t size = p->real_size, wide = ((nx - 1) * c.step + 1) * size;
  char *first = (char *)c.first - ((size_t)beyond * c.row + (size_t)west * c.step) * size;
  char *rows = (char *)malloc(wide * ny), *cells = (char *)malloc(nx * ny * size);
  ria_status status = rows && cells ? RIA_OK : ria_gpu_no_memory(p, "the state");
  cudaError_t e = cudaSuccess;
  if (status == RIA_OK)
    e = cudaMemcpy2DAsync(rows, wide, first, c.row * size, wide, ny, cudaMemcpyDeviceToHost,
                          p->stream);
  if (status == RIA_OK && e == cudaSuccess) e = cudaStreamSynchronize(p->stream);
  if (status == RIA_OK && e == cudaSuccess) {
    pack_cells(rows, wide, cells, nx, ny, c.step, size, false);
    status = ria_state_array(walk, name, ria_state_type_of(p->real), ny, nx, cells);
  }
  if (status == RIA_OK && e == cudaSuccess && walk->restores) {
    pack_cells(rows, wide, cells, nx, ny, c.step, size, true);
    e = cudaMemcpy2DAsync(first, c.row * size, rows, wide, wide, ny, cudaMemcpyHostToDevice,
                          p->stream);
    if (e == cudaSuccess) e = cudaStreamSynchronize(p->stream);
  }
  free(rows);
  free(cells);
  RIA_CUDA(p->ctx, "copying the state", e);
  return status;
}

ria_status ria_gpu_plane_state_if(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                                  void **plane) {
  char has[64];
  bool there = *plane != NULL;
  snprintf(has, sizeof has, "%s.is_map", name);
  const ria_state_item item = {has, RIA_STATE_BOOL, 0, {0}, &there};
  RIA_TRY(walk->visit(walk->user, &item));
  if (!there) {
    cudaFree(*plane); /* waits for the steps that read it */
    *plane = NULL;
    return RIA_OK;
  }
  if (!*plane) RIA_TRY(ria_gpu_plane_alloc(p, name, plane));
  return ria_gpu_cells_state(p, walk, name, ria_gpu_cells_of(p, *plane), 0, 0);
}

/* --- the account ------------------------------------------------------------------------------ */

/* What was counted of cells beside a part is its neighbours' to tell. */
static void forget_others(ria_gpu_planes *p) {
  const ria_account *a = &p->account;
  const size_t nq = (size_t)a->n_quantities;
  size_t k = 0;
  for (int side = 0; side < RIA_SIDES; side++) {
    const ria_side_cells own = ria_gpu_side(p, side);
    const size_t first = (size_t)p->v.first[side];
    const size_t end = k + (size_t)ria_side_length(&p->grid, (ria_side)side);
    for (; k < end; k++)
      if (k < first + own.from || k >= first + own.to)
        memset(&a->crossed[k * nq], 0, nq * sizeof *a->crossed);
  }
}

static ria_status account_state(ria_gpu_planes *p, const ria_state_walk *walk) {
  ria_account *a = &p->account;
  const size_t bytes = a->cells * (size_t)a->n_quantities * sizeof *a->crossed;
  RIA_CUDA(p->ctx, "copying the state", ria_gpu_to_host(p, a->crossed, p->v.crossed, bytes));
  if (!ria_gpu_whole(p)) forget_others(p);
  RIA_TRY(ria_account_state(p->ctx, &p->grid, walk, a));
  if (!walk->restores) return RIA_OK;
  RIA_CUDA(p->ctx, "copying the state", ria_gpu_to_device(p, p->v.crossed, a->crossed, bytes));
  return ria_gpu_planes_wait(p);
}

/* How many cells sources have, one after another. */
static ria_status source_cells(ria_gpu_planes *p, size_t *n) {
  const size_t sources = (size_t)p->v.n_sources, bytes = sources * sizeof *p->v.source;
  *n = 0;
  if (!sources) return RIA_OK;
  ria_gpu_source *s = (ria_gpu_source *)malloc(bytes);
  if (!s) return ria_gpu_no_memory(p, "the state");
  const cudaError_t e = ria_gpu_to_host(p, s, p->v.source, bytes);
  for (size_t k = 0; k < sources && e == cudaSuccess; k++) *n += (size_t)s[k].n;
  free(s);
  RIA_CUDA(p->ctx, "copying the state", e);
  return RIA_OK;
}

ria_status ria_gpu_planes_state(ria_gpu_planes *p, const ria_state_walk *walk,
                                double *source_owed) {
  const size_t nq = (size_t)p->v.n_quantities;
  size_t cells;
  char name[32];
  RIA_TRY(ria_gpu_enter(p));
  RIA_TRY(account_state(p, walk));
  RIA_TRY(source_cells(p, &cells));
  RIA_TRY(ria_gpu_array_state(p, walk, "source_owed", RIA_STATE_F64, 0, cells, source_owed));
  RIA_TRY(ria_gpu_array_state(p, walk, "added", RIA_STATE_F64, 0, nq, p->v.added));
  RIA_TRY(ria_state_array(walk, "added.by_host", RIA_STATE_F64, 0, nq, p->added));
  if (p->decayed)
    RIA_TRY(
        ria_gpu_array_state(p, walk, "decayed", RIA_STATE_F64, nq, (size_t)p->v.ny, p->decayed));
  for (int k = 0; k < p->n_track; k++) {
    ria_maximum_name(p->track[k].field, p->track[k].tracer, name);
    RIA_TRY(ria_gpu_cells_state(p, walk, name, ria_gpu_cells_of(p, p->track[k].max), 0, 0));
  }
  if (walk->restores) p->ready = true;
  return RIA_OK;
}
