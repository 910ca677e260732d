/* gpu/machine/state.cu - the state of planes on a GPU by name: the items that
 * engine/solvers/shared/planes_state.c has, and what a device counts apart. */
#include "state.cuh"
extern "C" {
#include "base/context.h"
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t rows_of(const ria_gpu_planes *p) { return (size_t)(p->end - p->begin); }

/* An item of the device by way of the host. */
static ria_status visit_device(ria_gpu_planes *p, const ria_state_walk *walk, ria_state_item item,
                               void *device) {
  const size_t bytes = ria_state_bytes(&item);
  item.data = malloc(bytes + 1);
  if (!item.data) return ria_gpu_no_memory(p, "the state");
  cudaError_t e = bytes ? ria_gpu_to_host(p, item.data, device, bytes) : cudaSuccess;
  const ria_status status = e == cudaSuccess ? walk->visit(walk->user, &item) : RIA_OK;
  if (e == cudaSuccess && status == RIA_OK && walk->restores && bytes) {
    e = ria_gpu_to_device(p, device, item.data, bytes);
    if (e == cudaSuccess) e = cudaStreamSynchronize(p->stream);
  }
  free(item.data);
  RIA_CUDA(p->ctx, "copying the state", e);
  return status;
}

ria_status ria_gpu_array_state(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                               ria_state_type type, size_t rows, size_t n, void *data) {
  ria_state_item item = {};
  item.name = name;
  item.type = type;
  item.rank = rows ? 2 : 1;
  item.shape[0] = rows ? rows : n;
  item.shape[1] = n;
  return visit_device(p, walk, item, data);
}

/* --- by row ----------------------------------------------------------------------------------- */

/* [rows of the part][n], n = 0: [rows]. */
static ria_state_item item_by_row(const ria_gpu_planes *p, const char *name, ria_state_type type,
                                  size_t n, void *data) {
  ria_state_item item = {};
  item.name = name;
  item.type = type;
  item.rank = n ? 2 : 1;
  item.shape[0] = rows_of(p);
  item.shape[1] = n;
  item.data = data;
  item.cut.whole = (size_t)p->grid.ny;
  item.cut.first = p->part.j0;
  item.cut.step = 1;
  return item;
}

ria_status ria_gpu_rows_state(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                              int32_t *v) {
  const ria_state_item item = item_by_row(p, name, RIA_STATE_I32, 0, v);
  return walk->visit(walk->user, &item);
}

/* Rows from..to of v[][n] together; of nothing but one of them as it is. */
static void add_rows(const double *v, size_t n, size_t from, size_t to, double *sum) {
  memcpy(sum, v + from * n, n * sizeof *sum);
  for (size_t k = (from + 1) * n; k < to * n; k++)
    if (v[k] != 0) sum[k % n] += v[k];
}

/* tile[tiles_y][n], of the host. */
static ria_status visit_tiles(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                              const int *first, int tiles_y, size_t n, double *tile) {
  const size_t rows = rows_of(p), bytes = n * sizeof *tile;
  if (n == 0) return RIA_OK;
  double *v = (double *)calloc(rows * n, sizeof *v);
  if (!v) return ria_gpu_no_memory(p, "the state");
  for (int t = 0; t < tiles_y; t++) memcpy(v + (size_t)first[t] * n, tile + (size_t)t * n, bytes);
  const ria_state_item item = item_by_row(p, name, RIA_STATE_F64, n, v);
  const ria_status status = walk->visit(walk->user, &item);
  for (int t = 0; status == RIA_OK && walk->restores && t < tiles_y; t++)
    add_rows(v, n, (size_t)first[t], t + 1 < tiles_y ? (size_t)first[t + 1] : rows,
             tile + (size_t)t * n);
  free(v);
  return status;
}

ria_status ria_gpu_tiles_state(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                               const int *first, int tiles_y, size_t n, double *device) {
  const size_t bytes = (size_t)tiles_y * n * sizeof *device;
  double *tile = (double *)malloc(bytes + 1);
  if (!tile) return ria_gpu_no_memory(p, "the state");
  cudaError_t e = bytes ? ria_gpu_to_host(p, tile, device, bytes) : cudaSuccess;
  const ria_status status =
      e == cudaSuccess ? visit_tiles(p, walk, name, first, tiles_y, n, tile) : RIA_OK;
  if (e == cudaSuccess && status == RIA_OK && walk->restores && bytes) {
    e = ria_gpu_to_device(p, device, tile, bytes);
    if (e == cudaSuccess) e = cudaStreamSynchronize(p->stream);
  }
  free(tile);
  RIA_CUDA(p->ctx, "copying the state", e);
  return status;
}

ria_status ria_gpu_amounts_state(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                                 size_t n, double *v) {
  const int first = 0;
  return visit_tiles(p, walk, name, &first, 1, n, v);
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

/* Cells of the device; of an item of cells two blocks at most, one behind the other. */
typedef struct block {
  char *first;
  ria_gpu_cells c;
  size_t nx, ny;
} block;
enum { BLOCKS = 2 };

/* All rows of the device: a part has those beside it too. */
static ria_state_item item_of_cells(const ria_gpu_planes *p, const char *name, size_t nx, size_t ny,
                                    int south, void *cells) {
  ria_state_item item = {};
  item.name = name;
  item.type = ria_state_type_of(p->real);
  item.rank = 2;
  item.shape[0] = ny;
  item.shape[1] = nx;
  item.data = cells;
  item.cut.whole = (size_t)(p->grid.ny + south);
  item.cut.first = p->part.j0 > 0 ? p->base + south : 0;
  item.cut.row0 = -south;
  item.cut.step = 1;
  return item;
}

/* out[ny][nx] of numbers `step` apart in rows: a thread each. */
template <typename T>
static __global__ void gather(const T *first, size_t row, size_t step, size_t nx, size_t ny,
                              T *out) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (size_t j = blockIdx.y; i < nx && j < ny; j += gridDim.y)
    out[j * nx + i] = first[j * row + i * step];
}

static cudaError_t gather_cells(const ria_gpu_planes *p, const block *b, void *out) {
  const size_t nx = b->nx, ny = b->ny, row = b->c.row, step = b->c.step;
  const dim3 blocks((unsigned)((nx + 255) / 256), (unsigned)(ny < 16384 ? ny : 16384));
  if (ny == 0) return cudaSuccess;
  if (p->real == RIA_F32)
    gather<<<blocks, 256, 0, p->stream>>>((const float *)b->first, row, step, nx, ny, (float *)out);
  else
    gather<<<blocks, 256, 0, p->stream>>>((const double *)b->first, row, step, nx, ny,
                                          (double *)out);
  return cudaGetLastError();
}

static cudaError_t gather_all(const ria_gpu_planes *p, const block *b, char *out) {
  cudaError_t e = cudaSuccess;
  for (int k = 0; e == cudaSuccess && k < BLOCKS; k++) {
    e = gather_cells(p, &b[k], out);
    out += b[k].nx * b[k].ny * p->real_size;
  }
  return e;
}

/* Queue a copy to item->data, by way of one on the device. RIA_ERR_MEMORY: it has no room for
 * that. */
static ria_status send_cells(ria_gpu_planes *p, const block *b, ria_state_item *item) {
  const size_t bytes = ria_state_bytes(item);
  ria_gpu_output o = {};
  void *part = NULL;
  o.ctx = p->ctx;
  o.backend = p->backend;
  o.steps = p->stream;
  o.copies = p->copies;
  RIA_CUDA(p->ctx, "copying the state", ria_gpu_room(p->pool, p->stream, p->copies, bytes, &part));
  const cudaError_t e = gather_all(p, b, (char *)part);
  if (e == cudaSuccess) return ria_gpu_send(&o, part, bytes, item->data, &item->ticket);
  cudaFreeAsync(part, p->stream);
  return ria_cuda_fail(p->ctx, e, "copying the state");
}

static ria_status await_cells(ria_gpu_planes *p, ria_state_item *item) {
  char err[RIA_ERROR_MAX];
  const ria_status s = ria_gpu_await(NULL, item->ticket, err, sizeof err);
  item->ticket = NULL;
  return s == RIA_OK ? s : ria_fail(p->ctx, s, "%s", err);
}

/* Where whoever visits has room, the copy goes on behind the steps to come. */
static ria_status save_cells(ria_gpu_planes *p, const ria_state_walk *walk, const block *b,
                             ria_state_item item, bool *short_of) {
  const size_t bytes = ria_state_bytes(&item);
  void *own = NULL;
  item.data = walk->room ? walk->room(walk->user, bytes) : NULL;
  if (!item.data) item.data = own = malloc(bytes + 1);
  if (!item.data) return ria_gpu_no_memory(p, "the state");
  ria_status status = send_cells(p, b, &item);
  *short_of = status == RIA_ERR_MEMORY;
  if (status == RIA_OK && own) status = await_cells(p, &item);
  if (status == RIA_OK) status = walk->visit(walk->user, &item);
  free(own);
  return status;
}

/* Between a block and cells[ny][nx] of the host, by way of `rows` of all that lies between as well,
 * which has room for them. */
static cudaError_t copy_block(ria_gpu_planes *p, const block *b, char *rows, char *cells, bool in) {
  const size_t size = p->real_size, wide = ((b->nx - 1) * b->c.step + 1) * size;
  if (b->ny == 0) return cudaSuccess;
  cudaError_t e = cudaMemcpy2DAsync(rows, wide, b->first, b->c.row * size, wide, b->ny,
                                    cudaMemcpyDeviceToHost, p->stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(p->stream);
  if (e == cudaSuccess) pack_cells(rows, wide, cells, b->nx, b->ny, b->c.step, size, in);
  if (e != cudaSuccess || !in) return e;
  e = cudaMemcpy2DAsync(b->first, b->c.row * size, rows, wide, wide, b->ny, cudaMemcpyHostToDevice,
                        p->stream);
  return e == cudaSuccess ? cudaStreamSynchronize(p->stream) : e;
}

static cudaError_t copy_blocks(ria_gpu_planes *p, const block *b, char *rows, char *cells,
                               bool in) {
  cudaError_t e = cudaSuccess;
  for (int k = 0; e == cudaSuccess && k < BLOCKS; k++) {
    e = copy_block(p, &b[k], rows, cells, in);
    cells += b[k].nx * b[k].ny * p->real_size;
  }
  return e;
}

/* Without memory on the device. */
static ria_status visit_cells(ria_gpu_planes *p, const ria_state_walk *walk, const block *b,
                              ria_state_item item) {
  const size_t ny = item.shape[0], nx = item.shape[1], size = p->real_size;
  char *rows = (char *)malloc(((nx - 1) * b->c.step + 1) * size * ny);
  char *cells = (char *)malloc(nx * ny * size);
  ria_status status = rows && cells ? RIA_OK : ria_gpu_no_memory(p, "the state");
  cudaError_t e = cudaSuccess;
  item.data = cells;
  if (status == RIA_OK) e = copy_blocks(p, b, rows, cells, false);
  if (status == RIA_OK && e == cudaSuccess) status = walk->visit(walk->user, &item);
  if (status == RIA_OK && e == cudaSuccess && walk->restores)
    e = copy_blocks(p, b, rows, cells, true);
  free(rows);
  free(cells);
  RIA_CUDA(p->ctx, "copying the state", e);
  return status;
}

/* Of a part of a ring with the rows beyond its ends, in the south first. Where these lie in order
 * the solver tells them itself. */
static ria_state_item lay_ring(const ria_gpu_planes *p, const char *name, ria_gpu_cells c,
                               block *b) {
  const int south = p->begin - p->ghost_rows, beyond = south < 0 ? -south : 0;
  const size_t nx = (size_t)p->grid.nx, ny = rows_of(p) + 2 * (size_t)p->ghost_rows;
  const size_t row = c.row * p->real_size, here = ny - (size_t)beyond;
  ria_state_item item = item_of_cells(p, name, nx, ny, 0, NULL);
  item.cut.first = p->part.j0 - p->ghost_rows;
  b[0] = {(char *)c.first + (size_t)ria_gpu_held(p, -beyond) * row, c, nx, (size_t)beyond};
  b[1] = {(char *)c.first + (size_t)(south + beyond) * row, c, nx, here};
  return item;
}

static ria_state_item lay_rows(const ria_gpu_planes *p, const char *name, ria_gpu_cells c, int west,
                               int south, block *b) {
  const int beyond = p->part.j0 > 0 ? 0 : south;
  const size_t nx = (size_t)(p->grid.nx + west), ny = (size_t)(p->v.ny + beyond);
  char *first = (char *)c.first - ((size_t)beyond * c.row + (size_t)west * c.step) * p->real_size;
  b[0] = {first, c, nx, ny};
  b[1] = {first, c, nx, 0};
  return item_of_cells(p, name, nx, ny, south, NULL);
}

ria_status ria_gpu_cells_state(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                               ria_gpu_cells c, int west, int south) {
  block b[BLOCKS];
  const ria_state_item item = p->ring && !p->call->rows_in_order
                                  ? lay_ring(p, name, c, b)
                                  : lay_rows(p, name, c, west, south, b);
  bool short_of = false;
  if (walk->restores) return visit_cells(p, walk, b, item);
  const ria_status status = save_cells(p, walk, b, item, &short_of);
  if (!short_of) return status;
  ria_error_clear(p->ctx);
  return visit_cells(p, walk, b, item);
}

ria_status ria_gpu_plane_state_if(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                                  void **plane) {
  char has[64];
  bool there = *plane != NULL;
  snprintf(has, sizeof has, "%s.is_map", name);
  const ria_state_item item = {has, RIA_STATE_BOOL, 0, {0}, &there};
  RIA_TRY(walk->visit(walk->user, &item));
  if (!there) {
    ria_gpu_plane_free(p, *plane); /* waits for the steps that read it */
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

/* What cells of sources are owed, of each by the part that has it. */
static ria_status owed_state(ria_gpu_planes *p, const ria_state_walk *walk, double *source_owed) {
  ria_state_item item = {};
  item.name = "source_owed";
  item.type = RIA_STATE_F64;
  item.rank = 1;
  item.shape[0] = p->n_source_cells;
  item.cut.whole = p->n_source_cells;
  item.cut.row = p->source_row;
  return visit_device(p, walk, item, source_owed);
}

/* What sources gave. */
static ria_status added_state(ria_gpu_planes *p, const ria_state_walk *walk) {
  const size_t nq = (size_t)p->v.n_quantities;
  const int first = 0;
  RIA_TRY(ria_gpu_tiles_state(p, walk, "added", &first, 1, nq, p->v.added));
  return ria_gpu_amounts_state(p, walk, "added.by_host", nq, p->added);
}

static ria_status decayed_state(ria_gpu_planes *p, const ria_state_walk *walk) {
  ria_state_item item = {};
  item.name = "decayed";
  item.type = RIA_STATE_F64;
  item.rank = 2;
  item.shape[0] = (size_t)p->v.n_quantities;
  item.shape[1] = (size_t)p->v.ny;
  item.cut.dim = 1;
  item.cut.whole = (size_t)p->grid.ny;
  item.cut.first = p->base;
  item.cut.step = 1;
  return visit_device(p, walk, item, p->decayed);
}

ria_status ria_gpu_planes_state(ria_gpu_planes *p, const ria_state_walk *walk,
                                double *source_owed) {
  char name[32];
  RIA_TRY(ria_gpu_enter(p));
  RIA_TRY(account_state(p, walk));
  RIA_TRY(owed_state(p, walk, source_owed));
  RIA_TRY(added_state(p, walk));
  if (p->decayed) RIA_TRY(decayed_state(p, walk));
  for (int k = 0; k < p->n_track; k++) {
    ria_maximum_name(p->track[k].field, p->track[k].tracer, name);
    RIA_TRY(ria_gpu_cells_state(p, walk, name, ria_gpu_cells_of(p, p->track[k].max), 0, 0));
  }
  for (int k = 0; k < p->n_sums; k++) {
    snprintf(name, sizeof name, "sum.%d", k);
    RIA_TRY(visit_device(p, walk, item_by_row(p, name, RIA_STATE_F64, (size_t)p->grid.nx, NULL),
                         p->sum[k]));
  }
  if (walk->restores) p->ready = true;
  return RIA_OK;
}
