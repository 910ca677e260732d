/* gpu/machine/planes.cu - planes of cells on a GPU: memory, totals. planes_fields.cu has fields in
 * and out and maxima, planes_forcing.cu forcing and the account of the sides. */
#include "fields.cuh"

#include <stdlib.h>
#include <string.h>

/* --- copies and memory, in the order of the steps --------------------------------------------- */

cudaError_t ria_gpu_to_device(const ria_gpu_planes *p, void *device, const void *host,
                              size_t bytes) {
  return cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, p->stream);
}

cudaError_t ria_gpu_to_host(const ria_gpu_planes *p, void *host, const void *device, size_t bytes) {
  const cudaError_t e = cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, p->stream);
  return e == cudaSuccess ? cudaStreamSynchronize(p->stream) : e;
}

ria_status ria_gpu_take(ria_gpu_planes *p, size_t bytes, void **out) {
  *out = NULL;
  RIA_CUDA(p->ctx, "taking temporary memory on the GPU",
           ria_gpu_room(p->pool, p->stream, p->copies, bytes ? bytes : 1, out));
  return RIA_OK;
}

void ria_gpu_drop(ria_gpu_planes *p, void *room) {
  if (room) cudaFreeAsync(room, p->stream);
}

ria_status ria_gpu_no_memory(const ria_gpu_planes *p, const char *what) {
  return ria_fail(p->ctx, RIA_ERR_MEMORY, "out of memory for %s of a %d x %d grid", what,
                  p->grid.nx, p->grid.ny);
}

ria_status ria_gpu_enter(const ria_gpu_planes *p) {
  RIA_CUDA(p->ctx, "choosing the device", ria_cuda_use(&p->backend->base));
  return RIA_OK;
}

ria_status ria_gpu_enter_present(ria_gpu_planes *p) {
  RIA_TRY(ria_gpu_enter(p));
  return p->call->find_present ? p->call->find_present(p) : RIA_OK;
}

ria_status ria_gpu_planes_wait(ria_gpu_planes *p) {
  RIA_CUDA(p->ctx, "a time step", cudaStreamSynchronize(p->stream));
  return RIA_OK;
}

/* --- life ------------------------------------------------------------------------------------- */

ria_status ria_gpu_plane_alloc(ria_gpu_planes *p, const char *what, void **out) {
  const size_t lead = ria_gpu_lead(p);
  RIA_TRY(ria_cuda_alloc(p->ctx, (lead + p->size) * p->real_size, what, out));
  *out = (char *)*out + lead * p->real_size;
  return RIA_OK;
}

void ria_gpu_plane_free(const ria_gpu_planes *p, void *plane) {
  if (plane) cudaFree((char *)plane - ria_gpu_lead(p) * p->real_size);
}

ria_gpu_cells ria_gpu_cells_of(const ria_gpu_planes *p, void *plane) {
  return {(char *)plane + p->origin * p->real_size, p->v.stride, 1};
}

static ria_status open_all(ria_gpu_planes *p) {
  RIA_TRY(ria_gpu_enter(p));
  RIA_TRY(ria_gpu_open_streams(p->ctx, p->backend, &p->stream, &p->copies, &p->pool));
  const size_t nq = (size_t)p->v.n_quantities, rim = (size_t)p->v.first[RIA_SIDES];
  RIA_TRY(ria_cuda_alloc(p->ctx, rim * nq * sizeof *p->v.crossed, "the boundary",
                         (void **)&p->v.crossed));
  RIA_TRY(ria_cuda_alloc(p->ctx, nq * sizeof(double), "the sources", (void **)&p->v.added));
  if (!p->call->own_decay)
    RIA_TRY(ria_cuda_alloc(p->ctx, nq * (size_t)p->v.ny * sizeof(double), "the sums",
                           (void **)&p->decayed));
  p->added = (double *)calloc(nq, sizeof *p->added);
  return ria_account_init(&p->account, &p->grid, p->v.n_quantities) && p->added
             ? RIA_OK
             : ria_gpu_no_memory(p, "the sides");
}

/* Rows begin on 128 bytes. */
static void lay_out(ria_gpu_planes *p) {
  const size_t ghosts = p->call->no_ghosts ? 0 : 1, pad = ghosts * RIA_GPU_PAD;
  p->v.stride = ((size_t)p->grid.nx + 2 * pad + 31) / 32 * 32;
  p->size = p->v.stride * ((size_t)ria_gpu_rows(p) + 2 * ghosts);
  p->origin = ghosts * p->v.stride + pad;
}

/* The rows that the device has. */
static void cut_out(ria_gpu_planes *p, ria_part part) {
  p->part = part;
  p->ghost_rows = p->call->ghost_rows ? p->call->ghost_rows(p) : 0;
  const int south = part.j0 - p->ghost_rows, north = part.j1 + p->ghost_rows;
  p->base = south > 0 ? south : 0;
  p->begin = part.j0 - p->base;
  p->end = part.j1 - p->base;
  p->v.ny = (north < p->grid.ny ? north : p->grid.ny) - p->base;
}

ria_status ria_gpu_planes_init(ria_gpu_planes *p, const ria_solver_setup *setup,
                               const ria_gpu_callbacks *call, int n_quantities) {
  memset(p, 0, sizeof *p);
  RIA_TRY(call->shared ? ria_part_is_there(setup) : ria_part_is_whole(setup));
  p->ctx = setup->ctx;
  p->backend = ria_cuda_of(setup->backend);
  p->call = call;
  p->grid = setup->grid;
  p->real = setup->real;
  p->real_size = p->real == RIA_F32 ? sizeof(float) : sizeof(double);
  p->v.nx = p->grid.nx;
  cut_out(p, ria_part_of(setup));
  p->v.dx = p->grid.dx;
  p->v.dy = p->grid.dy;
  p->v.n_quantities = n_quantities;
  lay_out(p);
  for (int side = 0; side < RIA_SIDES; side++)
    p->v.first[side + 1] = p->v.first[side] + ria_side_length(&p->grid, (ria_side)side);
  for (int side = RIA_WEST; side <= RIA_EAST; side++) p->v.first[side] += p->base;
  const ria_status status = open_all(p);
  if (status != RIA_OK) ria_gpu_planes_free(p);
  return status;
}

void ria_gpu_planes_free(ria_gpu_planes *p) {
  if (!p->backend || ria_cuda_use(&p->backend->base) != cudaSuccess) return;
  if (p->stream) cudaStreamSynchronize(p->stream);
  if (p->copies) cudaStreamSynchronize(p->copies);
  for (int k = 0; k < p->n_track; k++) ria_gpu_plane_free(p, p->track[k].max);
  for (int k = 0; k < p->n_sums; k++) cudaFree(p->sum[k]);
  free(p->sum);
  cudaFree(p->v.crossed);
  cudaFree(p->v.added);
  cudaFree(p->decayed);
  cudaFree(p->forcing);
  if (p->pool) cudaMemPoolDestroy(p->pool);
  if (p->copies) cudaStreamDestroy(p->copies);
  if (p->stream) cudaStreamDestroy(p->stream);
  ria_planes_free_forcing(&p->table, &p->stretch);
  ria_account_free(&p->account);
  free(p->track);
  free(p->source_row);
  free(p->added);
  memset(p, 0, sizeof *p);
}

/* --- totals ----------------------------------------------------------------------------------- */

static size_t rows_of(const ria_gpu_planes *p) { return (size_t)(p->end - p->begin); }

/* Of the part's rows. */
static cudaError_t queue_sums(const ria_gpu_planes *p, ria_gpu_cells c, double *sums) {
  const int nx = p->grid.nx, ny = p->end - p->begin;
  c.first = (char *)c.first + (size_t)p->begin * c.row * p->real_size;
  return p->real == RIA_F32 ? queue_row_sums(stored_value<float>(c), nx, ny, sums, p->stream)
                            : queue_row_sums(stored_value<double>(c), nx, ny, sums, p->stream);
}

ria_status ria_gpu_plane_sum(ria_gpu_planes *p, void *plane, double *out) {
  const size_t ny = rows_of(p), bytes = ny * sizeof(double);
  double *sums = (double *)malloc(bytes);
  void *room = NULL;
  *out = 0;
  if (!sums) return ria_gpu_no_memory(p, "a sum");
  const ria_status status = ria_gpu_take(p, bytes, &room);
  cudaError_t e = cudaSuccess;
  if (status == RIA_OK) {
    e = queue_sums(p, ria_gpu_cells_of(p, plane), (double *)room);
    if (e == cudaSuccess) e = ria_gpu_to_host(p, sums, room, bytes);
    if (e == cudaSuccess) *out = ria_ordered_sum(sums, ny);
    ria_gpu_drop(p, room);
  }
  free(sums);
  RIA_CUDA(p->ctx, "reading totals", e);
  return status;
}

/* The rows' sums of all quantities: sums[n_quantities][rows], on the host. */
static ria_status get_row_sums(ria_gpu_planes *p, double *sums) {
  const size_t ny = rows_of(p), nq = (size_t)p->v.n_quantities;
  const size_t bytes = nq * ny * sizeof *sums, before = (bytes + 255) / 256 * 256;
  bool all_stored = true;
  for (size_t q = 0; q < nq; q++)
    all_stored = all_stored && p->call->quantity(p, (int)q).first != NULL;
  void *room = NULL;
  RIA_TRY(ria_gpu_take(p, before + (all_stored ? 0 : p->size * p->real_size), &room));
  cudaError_t e = cudaSuccess;
  for (size_t q = 0; e == cudaSuccess && q < nq; q++) {
    ria_gpu_cells c = p->call->quantity(p, (int)q);
    if (!c.first) {
      void *plane = (char *)room + before; /* used again when its sums are queued */
      e = p->call->density(p, (int)q, plane, p->stream);
      c = ria_gpu_cells_of(p, plane);
    }
    if (e == cudaSuccess) e = queue_sums(p, c, (double *)room + q * ny);
  }
  if (e == cudaSuccess) e = ria_gpu_to_host(p, sums, room, bytes);
  ria_gpu_drop(p, room);
  RIA_CUDA(p->ctx, "reading totals", e);
  return RIA_OK;
}

/* What is known of all quantities, on the host, in one allocation: sums and decay of the part's
 * rows, [n_quantities][rows] each, and what sources gave, [n_quantities]. */
static ria_status get_sums(ria_gpu_planes *p, double **out) {
  const size_t nq = (size_t)p->v.n_quantities, ny = rows_of(p), row = ny * sizeof(double);
  *out = NULL;
  RIA_TRY(ria_gpu_enter_present(p));
  double *sums = (double *)calloc(2 * nq * ny + nq, sizeof *sums);
  if (!sums) return ria_gpu_no_memory(p, "a sum");
  double *decayed = sums + nq * ny, *added = decayed + nq * ny;
  ria_status status = get_row_sums(p, sums);
  cudaError_t e = cudaSuccess;
  if (p->decayed)
    e = cudaMemcpy2DAsync(decayed, row, p->decayed + p->begin, (size_t)p->v.ny * sizeof(double),
                          row, nq, cudaMemcpyDeviceToHost, p->stream);
  if (e == cudaSuccess) e = ria_gpu_to_host(p, added, p->v.added, nq * sizeof *added);
  if (status == RIA_OK && e != cudaSuccess) status = ria_cuda_fail(p->ctx, e, "reading totals");
  for (size_t q = 0; q < nq; q++) added[q] += p->added[q];
  if (status == RIA_OK)
    *out = sums;
  else
    free(sums);
  return status;
}

ria_status ria_gpu_planes_totals(void *self, ria_quantity_totals *totals) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  const size_t nq = (size_t)p->v.n_quantities, ny = rows_of(p);
  double *sums;
  RIA_TRY(get_sums(p, &sums));
  const double *decayed = sums + nq * ny, *added = decayed + nq * ny;
  for (size_t q = 0; q < nq; q++)
    totals[q] = {ria_ordered_sum(sums + q * ny, ny) * p->grid.dx * p->grid.dy, added[q],
                 ria_ordered_sum(decayed + q * ny, ny)};
  free(sums);
  return RIA_OK;
}

ria_status ria_gpu_planes_row_totals(void *self, ria_row_totals *rows) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  const size_t nq = (size_t)p->v.n_quantities, ny = rows_of(p);
  double *sums;
  RIA_TRY(get_sums(p, &sums));
  const double *decayed = sums + nq * ny, *added = decayed + nq * ny;
  for (size_t k = 0; k < nq * ny; k++)
    rows[k] = {sums[k], k % ny == 0 ? added[k / ny] : 0.0, decayed[k]};
  free(sums);
  return RIA_OK;
}

/* --- parts ------------------------------------------------------------------------------------ */

/* A row of an array. Those beyond the domain hold something in a ring alone: elsewhere they lie
 * where they are in nobody's way. */
static void *row_at(const ria_gpu_planes *p, ria_gpu_array r, int j, int beyond) {
  const bool there = p->ring || (j >= 0 && j < p->v.ny);
  const ptrdiff_t row =
      there ? ria_gpu_row_in_memory(p, ria_gpu_held(p, j)) : p->v.ny + p->ghost_rows + beyond;
  return (char *)r.first + row * (ptrdiff_t)r.row;
}

int ria_gpu_planes_shared_rows(void *self, ria_side side, int most, ria_shared_row *rows) {
  const ria_gpu_planes *p = (const ria_gpu_planes *)self;
  const bool south = side == RIA_SOUTH;
  const int own = south ? p->begin : p->end - 1, out = south ? -1 : 1, beyond = p->base + own + out;
  const bool ends = !p->ring && (beyond < 0 || beyond >= p->grid.ny);
  if (ria_side_along_x(side) || ends || ria_gpu_whole(p)) return 0;
  int n = 0;
  ria_gpu_array r;
  for (int k = 0; (r = p->call->shared(p, k)).first; k++)
    for (int d = 0; d < p->ghost_rows; d++, n++)
      if (n < most)
        rows[n] = {row_at(p, r, own - out * d, d), row_at(p, r, own + out * (d + 1), d), r.bytes};
  return n;
}

/* The row of the device that row j of it, which lies beyond an end of a ring, is too; -1: none. */
static int echo_of(const ria_gpu_planes *p, int j) {
  const int row = ria_gpu_row_of_grid(p, ria_gpu_held(p, j));
  return ria_gpu_has(p, row) ? row - p->base : -1;
}

/* n words. */
static __global__ void copy_row(int *to, const int *from, int n) {
  for (int k = blockIdx.x * 256 + threadIdx.x; k < n; k += gridDim.x * 256) to[k] = from[k];
}

cudaError_t ria_gpu_echo_load(void) { return ria_cuda_load((const void *)copy_row); }

/* A kernel, as graphs of steps have them, where the next one may begin early. */
static ria_status echo_row(ria_gpu_planes *p, int j, cudaStream_t stream) {
  const int from = echo_of(p, j);
  ria_gpu_array r;
  for (int k = 0; from >= 0 && (r = p->call->shared(p, k)).first; k++) {
    const int n = (int)(r.bytes / sizeof(int));
    copy_row<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(
        (int *)row_at(p, r, j, 0), (const int *)row_at(p, r, from, 0), n);
    RIA_CUDA(p->ctx, "passing rows on", cudaGetLastError());
  }
  return RIA_OK;
}

/* Rows beyond the ends: of the device from `from` to `to` - 1. */
static ria_part south_of_ring(const ria_gpu_planes *p) {
  const int beyond = p->ring ? p->ghost_rows - p->part.j0 : 0;
  return {beyond > 0 ? -beyond : 0, 0};
}
static ria_part north_of_ring(const ria_gpu_planes *p) {
  const int beyond = p->ring ? p->part.j1 + p->ghost_rows - p->grid.ny : 0;
  return {p->v.ny, p->v.ny + (beyond > 0 ? beyond : 0)};
}

bool ria_gpu_echoes(const ria_gpu_planes *p) {
  const ria_part of[] = {south_of_ring(p), north_of_ring(p)};
  bool any = false;
  for (const ria_part &rows : of)
    for (int j = rows.j0; j < rows.j1; j++) any |= echo_of(p, j) >= 0;
  return any;
}

ria_status ria_gpu_echo_rows(ria_gpu_planes *p, cudaStream_t stream) {
  const ria_part of[] = {south_of_ring(p), north_of_ring(p)};
  for (const ria_part &rows : of)
    for (int j = rows.j0; j < rows.j1; j++) RIA_TRY(echo_row(p, j, stream));
  return RIA_OK;
}
