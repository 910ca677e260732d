/* gpu/machine/planes.cu - planes of cells on a GPU: memory, forcing, fields in and out, maxima,
 * totals.
 *
 * Whatever is asked of a field is asked of a plane: one that the solver keeps, or one for a moment
 * into which its kernel works the field out. */
#include "planes.cuh"

#include <math.h>
#include <stdlib.h>
#include <string.h>

namespace {

enum { EACH = 256 };                   /* threads of a block */
const size_t chunk = (size_t)64 << 20; /* bytes read at a time */

unsigned blocks_for(int64_t n) {
  const int64_t blocks = (n + EACH - 1) / EACH;
  return (unsigned)(blocks < 1 ? 1 : blocks > 0x7fffffff ? 0x7fffffff : blocks);
}
#define FOR_EACH(K, N)                                                                             \
  for (int64_t K = (int64_t)blockIdx.x * EACH + threadIdx.x; K < (N);                              \
       K += (int64_t)gridDim.x * EACH)

/* Run a kernel template of the planes' precision. */
#define LAUNCH(P, KERNEL, N, ...)                                                                  \
  ((P)->real == RIA_F32                                                                            \
       ? (KERNEL<float><<<blocks_for(N), EACH, 0, (P)->stream>>>(__VA_ARGS__), cudaGetLastError()) \
       : (KERNEL<double><<<blocks_for(N), EACH, 0, (P)->stream>>>(__VA_ARGS__),                    \
          cudaGetLastError()))

/* --- kernels ------------------------------------------------------------------------------------
 */

__device__ __forceinline__ size_t at_of(const ria_gpu_view *v, int64_t cell) {
  return ria_gpu_at(v, (int)(cell % v->nx), (int)(cell / v->nx));
}

/* dst[nj][nx] from row j0 on; coarse > 1: means of those of coarse x coarse cells that have a
 * value. Rows of blocks, so that no thread divides. */
template <typename R>
__global__ void __launch_bounds__(EACH)
    copy_out(const __grid_constant__ ria_gpu_view v, const void *plane, int coarse, int j0, int nj,
             int as_float, void *dst) {
  const int nx = (v.nx + coarse - 1) / coarse, i = blockIdx.x * EACH + threadIdx.x;
  for (int row = blockIdx.y; i < nx && row < nj; row += gridDim.y) {
    const int j = j0 + row;
    double sum = 0;
    int n = 0;
    for (int jj = j * coarse; jj < (j + 1) * coarse && jj < v.ny; jj++)
      for (int ii = i * coarse; ii < (i + 1) * coarse && ii < v.nx; ii++) {
        const double x = (double)((const R *)plane)[ria_gpu_at(&v, ii, jj)];
        if (isnan(x)) continue;
        sum += x;
        n++;
      }
    const double mean = n ? (n == 1 ? sum : sum / n) : (double)NAN;
    const size_t k = (size_t)row * nx + i;
    if (as_float)
      ((float *)dst)[k] = (float)mean;
    else
      ((double *)dst)[k] = mean;
  }
}

template <typename R>
__global__ void __launch_bounds__(EACH)
    copy_in(const __grid_constant__ ria_gpu_view v, const double *src, void *plane) {
  FOR_EACH(k, (int64_t)v.nx * v.ny)((R *)plane)[at_of(&v, k)] = (R)src[k];
}

template <typename R>
__global__ void __launch_bounds__(EACH)
    sample_cells(const __grid_constant__ ria_gpu_view v, const void *plane, int n,
                 const int32_t *cell, double *out) {
  FOR_EACH(k, n) out[k] = (double)((const R *)plane)[at_of(&v, cell[k])];
}

template <typename R>
__global__ void __launch_bounds__(EACH)
    add_cells(const __grid_constant__ ria_gpu_view v, void *plane, int n, const int32_t *cell,
              const double *amount) {
  FOR_EACH(k, n) {
    R *x = (R *)plane + at_of(&v, cell[k]);
    *x = (R)((double)*x + amount[k] / (v.dx * v.dy));
  }
}

template <typename R>
__global__ void __launch_bounds__(EACH)
    keep_most(const __grid_constant__ ria_gpu_view v, const void *plane, void *most) {
  FOR_EACH(k, (int64_t)v.nx * v.ny) {
    const size_t at = at_of(&v, k);
    const R x = ((const R *)plane)[at], had = ((const R *)most)[at];
    if (x > had || isnan(had)) ((R *)most)[at] = x;
  }
}

/* A block a row; its threads' parts are added pairwise. */
template <typename R>
__global__ void __launch_bounds__(EACH)
    sum_rows(const __grid_constant__ ria_gpu_view v, const void *plane, double *sums) {
  __shared__ double part[EACH];
  for (int j = blockIdx.x; j < v.ny; j += gridDim.x) {
    double sum = 0;
    for (int i = threadIdx.x; i < v.nx; i += EACH)
      sum += (double)((const R *)plane)[ria_gpu_at(&v, i, j)];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int d = EACH / 2; d > 0; d /= 2) {
      if ((int)threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
      __syncthreads();
    }
    if (threadIdx.x == 0) sums[j] = part[0];
    __syncthreads();
  }
}

cudaError_t launch_copy_out(const ria_gpu_planes *p, const void *plane, int coarse, int j0, int nj,
                            ria_real real, void *dst) {
  const dim3 blocks(blocks_for((p->grid.nx + coarse - 1) / coarse),
                    (unsigned)(nj < 65535 ? nj : 65535));
  const int as_float = real == RIA_F32;
  if (p->real == RIA_F32)
    copy_out<float><<<blocks, EACH, 0, p->stream>>>(p->v, plane, coarse, j0, nj, as_float, dst);
  else
    copy_out<double><<<blocks, EACH, 0, p->stream>>>(p->v, plane, coarse, j0, nj, as_float, dst);
  return cudaGetLastError();
}

/* --- copies, in the order of the steps --- */

cudaError_t to_device(const ria_gpu_planes *p, void *device, const void *host, size_t bytes) {
  return cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, p->stream);
}
/* Waits for what is queued, and for the copy. */
cudaError_t to_host(const ria_gpu_planes *p, void *host, const void *device, size_t bytes) {
  const cudaError_t e = cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, p->stream);
  return e == cudaSuccess ? cudaStreamSynchronize(p->stream) : e;
}

ria_status no_memory(const ria_gpu_planes *p, const char *what) {
  return ria_fail(p->ctx, RIA_ERR_MEMORY, "out of memory for %s of a %d x %d grid", what,
                  p->grid.nx, p->grid.ny);
}

size_t rim_of(const ria_gpu_planes *p) { return (size_t)p->v.first[RIA_SIDES]; }
size_t counts_of(const ria_gpu_planes *p) { return rim_of(p) * (size_t)p->v.n_quantities; }

/* A plane that holds the field; *room is memory for a moment that the caller drops, or NULL. */
ria_status plane_of(ria_gpu_planes *p, int field, int tracer, const void **plane, void **room) {
  *room = NULL;
  *plane = p->call->plane(p, field, tracer);
  if (*plane) return RIA_OK;
  RIA_TRY(ria_gpu_take(p, p->size * p->real_size, room));
  *plane = *room;
  const cudaError_t e = p->call->derive(p, field, tracer, *room, p->stream);
  if (e == cudaSuccess) return RIA_OK;
  ria_gpu_drop(p, *room);
  *room = NULL;
  return ria_cuda_fail(p->ctx, e, "working out a field");
}

} // namespace

/* --- life ---------------------------------------------------------------------------------------
 */

ria_status ria_gpu_enter(const ria_gpu_planes *p) {
  RIA_CUDA(p->ctx, "choosing the device", ria_cuda_use(&p->backend->base));
  return RIA_OK;
}

ria_status ria_gpu_planes_wait(ria_gpu_planes *p) {
  RIA_CUDA(p->ctx, "a time step", cudaStreamSynchronize(p->stream));
  return RIA_OK;
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

ria_status ria_gpu_plane_alloc(ria_gpu_planes *p, const char *what, void **out) {
  return ria_cuda_alloc(p->ctx, p->size * p->real_size, what, out);
}

static ria_status open_all(ria_gpu_planes *p) {
  RIA_TRY(ria_gpu_enter(p));
  RIA_TRY(ria_gpu_open_streams(p->ctx, p->backend, &p->stream, &p->copies, &p->pool));
  const size_t nq = (size_t)p->v.n_quantities;
  RIA_TRY(ria_cuda_alloc(p->ctx, counts_of(p) * sizeof *p->v.crossed, "the boundary",
                         (void **)&p->v.crossed));
  RIA_TRY(ria_cuda_alloc(p->ctx, nq * sizeof(double), "the sources", (void **)&p->v.added));
  p->owner = (int32_t *)calloc(rim_of(p), sizeof *p->owner);
  p->crossed = (ria_crossed *)calloc(counts_of(p), sizeof *p->crossed);
  p->added = (double *)calloc(nq, sizeof *p->added);
  return p->owner && p->crossed && p->added ? RIA_OK : no_memory(p, "the sides");
}

ria_status ria_gpu_planes_init(ria_gpu_planes *p, const ria_solver_setup *setup,
                               const ria_gpu_callbacks *call, int n_quantities) {
  memset(p, 0, sizeof *p);
  p->ctx = setup->ctx;
  p->backend = ria_cuda_of(setup->backend);
  p->call = call;
  p->grid = setup->grid;
  p->real = setup->real;
  p->real_size = p->real == RIA_F32 ? sizeof(float) : sizeof(double);
  p->v.nx = p->grid.nx;
  p->v.ny = p->grid.ny;
  p->v.dx = p->grid.dx;
  p->v.dy = p->grid.dy;
  p->v.n_quantities = n_quantities;
  p->v.stride = ((size_t)p->grid.nx + 2 * RIA_GPU_PAD + 31) / 32 * 32;
  p->size = p->v.stride * ((size_t)p->grid.ny + 2);
  for (int side = 0; side < RIA_SIDES; side++)
    p->v.first[side + 1] = p->v.first[side] + ria_side_length(&p->grid, (ria_side)side);
  const ria_status status = open_all(p);
  if (status != RIA_OK) ria_gpu_planes_free(p);
  return status;
}

static void free_sources(ria_source *source, int n) {
  for (int k = 0; source && k < n; k++) {
    free((void *)source[k].cell);
    free((void *)source[k].weight);
  }
  free(source);
}

static void free_host_forcing(ria_gpu_planes *p) {
  free((void *)p->table.entry);
  free((void *)p->table.data);
  free(p->stretch);
  free_sources(p->source, p->v.n_sources);
  memset(&p->table, 0, sizeof p->table);
  p->stretch = NULL;
  p->source = NULL;
}

void ria_gpu_planes_free(ria_gpu_planes *p) {
  if (!p->backend || ria_cuda_use(&p->backend->base) != cudaSuccess) return;
  if (p->stream) cudaStreamSynchronize(p->stream);
  if (p->copies) cudaStreamSynchronize(p->copies);
  for (int k = 0; k < p->n_track; k++) cudaFree(p->track[k].max);
  cudaFree(p->v.crossed);
  cudaFree(p->v.added);
  cudaFree(p->forcing);
  if (p->pool) cudaMemPoolDestroy(p->pool);
  if (p->copies) cudaStreamDestroy(p->copies);
  if (p->stream) cudaStreamDestroy(p->stream);
  free_host_forcing(p);
  free(p->track);
  free(p->owner);
  free(p->crossed);
  free(p->added);
  free(p->stretch_in);
  free(p->stretch_out);
  memset(p, 0, sizeof *p);
}

/* --- out ----------------------------------------------------------------------------------------
 */

static size_t size_of(ria_real real) { return real == RIA_F32 ? sizeof(float) : sizeof(double); }

static const void *maximum_of(const ria_gpu_planes *p, int field, int tracer) {
  for (int k = 0; k < p->n_track; k++)
    if (p->track[k].field == field && p->track[k].tracer == tracer) return p->track[k].max;
  return NULL;
}

static ria_status read_plane(ria_gpu_planes *p, const void *plane, int j0, int nj, ria_real real,
                             void *dst) {
  const size_t row = (size_t)p->grid.nx * size_of(real);
  int rows = (int)(chunk / row);
  if (rows < 1) rows = 1;
  if (rows > nj) rows = nj;
  void *part = NULL;
  RIA_TRY(ria_gpu_take(p, (size_t)rows * row, &part));
  cudaError_t e = cudaSuccess;
  for (int j = 0; e == cudaSuccess && j < nj; j += rows) {
    const int n = nj - j < rows ? nj - j : rows;
    e = launch_copy_out(p, plane, 1, j0 + j, n, real, part);
    if (e == cudaSuccess) e = to_host(p, (char *)dst + (size_t)j * row, part, (size_t)n * row);
  }
  ria_gpu_drop(p, part);
  RIA_CUDA(p->ctx, "reading a field", e);
  return RIA_OK;
}

ria_status ria_gpu_planes_read(void *self, int field, int tracer, bool maximum, int j0, int nj,
                               ria_real real, void *dst) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  const void *plane = maximum ? maximum_of(p, field, tracer) : NULL;
  void *room = NULL;
  RIA_TRY(ria_gpu_enter(p));
  if (maximum && !plane)
    return ria_fail(p->ctx, RIA_ERR_ARGUMENT, "no maximum of this field was asked for");
  if (!plane) RIA_TRY(plane_of(p, field, tracer, &plane, &room));
  const ria_status status = read_plane(p, plane, j0, nj, real, dst);
  ria_gpu_drop(p, room);
  return status;
}

ria_status ria_gpu_planes_sample(void *self, int field, int tracer, int n, const int32_t *cell,
                                 double *out) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  const void *plane = NULL;
  void *room = NULL, *field_room = NULL;
  RIA_TRY(ria_gpu_enter(p));
  if (n < 1) return RIA_OK;
  const size_t cells = ((size_t)n * sizeof *cell + 15) / 16 * 16;
  RIA_TRY(plane_of(p, field, tracer, &plane, &field_room));
  const ria_status status = ria_gpu_take(p, cells + (size_t)n * sizeof *out, &room);
  if (status != RIA_OK) {
    ria_gpu_drop(p, field_room);
    return status;
  }
  double *values = (double *)((char *)room + cells);
  cudaError_t e = to_device(p, room, cell, (size_t)n * sizeof *cell);
  if (e == cudaSuccess)
    e = LAUNCH(p, sample_cells, n, p->v, plane, n, (const int32_t *)room, values);
  if (e == cudaSuccess) e = to_host(p, out, values, (size_t)n * sizeof *out);
  ria_gpu_drop(p, room);
  ria_gpu_drop(p, field_room);
  RIA_CUDA(p->ctx, "reading cells", e);
  return RIA_OK;
}

static ria_status derive(void *self, int field, int tracer, int coarse, ria_real real, void *dst) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  const int ny = (p->grid.ny + coarse - 1) / coarse;
  const void *plane = NULL;
  void *room = NULL;
  RIA_TRY(plane_of(p, field, tracer, &plane, &room));
  const cudaError_t e = launch_copy_out(p, plane, coarse, 0, ny, real, dst);
  ria_gpu_drop(p, room);
  RIA_CUDA(p->ctx, "copying a field for output", e);
  return RIA_OK;
}

static ria_gpu_output output_of(ria_gpu_planes *p) {
  const ria_gpu_output o = {p->ctx, p->backend, p->grid, p->stream, p->copies, p->pool, p, derive};
  return o;
}

ria_status ria_gpu_planes_fetch(void *self, int field, int tracer, int coarse, ria_real real,
                                void *dst, void **ticket) {
  const ria_gpu_output o = output_of((ria_gpu_planes *)self);
  RIA_TRY(ria_gpu_enter((ria_gpu_planes *)self));
  return ria_gpu_fetch(&o, field, tracer, coarse, real, dst, ticket);
}

size_t ria_gpu_planes_pack_bytes(void *self, const ria_packing *how) {
  const ria_gpu_output o = output_of((ria_gpu_planes *)self);
  return ria_gpu_pack_bytes(&o, how);
}

ria_status ria_gpu_planes_pack(void *self, int field, int tracer, const ria_packing *how, void *dst,
                               void **ticket) {
  const ria_gpu_output o = output_of((ria_gpu_planes *)self);
  RIA_TRY(ria_gpu_enter((ria_gpu_planes *)self));
  return ria_gpu_pack_field(&o, field, tracer, how, dst, ticket);
}

/* --- in -----------------------------------------------------------------------------------------
 */

ria_status ria_gpu_planes_write(void *self, int field, int tracer, const double *src) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  void *plane = p->call->plane(p, field, tracer), *room = NULL;
  RIA_TRY(ria_gpu_enter(p));
  RIA_TRY(ria_planes_check(p->ctx, &p->grid, p->backend->base.threads, p->call->host, field, src));
  if (!plane)
    return ria_fail(p->ctx, RIA_ERR_ARGUMENT, "%s is worked out and cannot be set",
                    p->call->host->fields[field].name);
  const int64_t n = (int64_t)p->grid.nx * p->grid.ny;
  RIA_TRY(ria_cuda_alloc(p->ctx, (size_t)n * sizeof *src, "a field on its way in", &room));
  cudaError_t e = to_device(p, room, src, (size_t)n * sizeof *src);
  if (e == cudaSuccess) e = LAUNCH(p, copy_in, n, p->v, (const double *)room, plane);
  if (e == cudaSuccess) e = cudaStreamSynchronize(p->stream);
  cudaFree(room);
  p->ready = false;
  RIA_CUDA(p->ctx, "setting a field", e);
  return RIA_OK;
}

ria_status ria_gpu_planes_add(void *self, int quantity, int n, const int32_t *cell,
                              const double *amount) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  void *room = NULL;
  RIA_TRY(ria_gpu_enter(p));
  if (n < 1) return RIA_OK;
  const size_t cells = ((size_t)n * sizeof *cell + 15) / 16 * 16;
  RIA_TRY(ria_gpu_take(p, cells + (size_t)n * sizeof *amount, &room));
  double *values = (double *)((char *)room + cells);
  cudaError_t e = to_device(p, room, cell, (size_t)n * sizeof *cell);
  if (e == cudaSuccess) e = to_device(p, values, amount, (size_t)n * sizeof *amount);
  if (e == cudaSuccess)
    e = LAUNCH(p, add_cells, n, p->v, p->call->quantity(p, quantity), n, (const int32_t *)room,
               (const double *)values);
  if (e == cudaSuccess) e = cudaStreamSynchronize(p->stream);
  ria_gpu_drop(p, room);
  p->ready = false;
  RIA_CUDA(p->ctx, "adding to cells", e);
  return RIA_OK;
}

/* --- maxima -------------------------------------------------------------------------------------
 */

static ria_status keep(ria_gpu_planes *p, const ria_plane_track *m) {
  const void *plane = NULL;
  void *room = NULL;
  RIA_TRY(plane_of(p, m->field, m->tracer, &plane, &room));
  const cudaError_t e = LAUNCH(p, keep_most, (int64_t)p->grid.nx * p->grid.ny, p->v, plane, m->max);
  ria_gpu_drop(p, room);
  RIA_CUDA(p->ctx, "keeping a maximum", e);
  return RIA_OK;
}

ria_status ria_gpu_planes_keep_maxima(ria_gpu_planes *p) {
  for (int k = 0; k < p->n_track; k++) RIA_TRY(keep(p, &p->track[k]));
  return RIA_OK;
}

ria_status ria_gpu_planes_track(void *self, int field, int tracer) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  RIA_TRY(ria_gpu_enter(p));
  ria_plane_track *grown =
      (ria_plane_track *)realloc(p->track, ((size_t)p->n_track + 1) * sizeof *grown);
  if (!grown) return no_memory(p, "a maximum");
  p->track = grown;
  ria_plane_track *m = &grown[p->n_track];
  *m = {field, tracer, NULL};
  RIA_TRY(ria_gpu_plane_alloc(p, "a maximum", &m->max));
  p->n_track++;
  /* All ones are NaN, which anything replaces. */
  RIA_CUDA(p->ctx, "beginning a maximum",
           cudaMemsetAsync(m->max, 0xff, p->size * p->real_size, p->stream));
  return keep(p, m);
}

/* --- forcing ------------------------------------------------------------------------------------
 */

/* Several arrays in one allocation on the device: measured first, then filled in the same order. */
typedef struct pack {
  char *host, *device; /* NULL while measuring */
  size_t used;
} pack;

static void *packed(pack *k, const void *from, size_t bytes) {
  const size_t at = k->used;
  k->used += (bytes + 15) / 16 * 16;
  if (!k->host) return NULL;
  if (from && bytes) memcpy(k->host + at, from, bytes);
  return k->device + at;
}

/* Everything of a set that kernels read. */
static void put_forcing(pack *k, const ria_forcing_set *set, const int32_t *owner, size_t n_rim,
                        ria_gpu_view *v) {
  v->table.n = set->table.n;
  v->table.n_data = set->table.n_data;
  v->n_stretch = set->boundary.n;
  v->n_sources = set->n_sources;
  v->table.entry = (const ria_forcing *)packed(k, set->table.entry,
                                               (size_t)set->table.n * sizeof *set->table.entry);
  v->table.data =
      (const double *)packed(k, set->table.data, (size_t)set->table.n_data * sizeof(double));
  v->stretch = (const ria_stretch *)packed(k, set->boundary.stretch,
                                           (size_t)set->boundary.n * sizeof *v->stretch);
  v->owner = (const int32_t *)packed(k, owner, n_rim * sizeof *owner);
  char *sources = (char *)packed(k, NULL, (size_t)set->n_sources * sizeof(ria_gpu_source));
  int n = 0;
  for (int m = 0; m < set->n_sources; m++) n += set->sources[m].n;
  char *cells = (char *)packed(k, NULL, (size_t)n * sizeof(int32_t));
  char *weights = (char *)packed(k, NULL, (size_t)n * sizeof(double));
  v->source = (const ria_gpu_source *)sources;
  v->source_cell = (const int32_t *)cells;
  v->source_weight = (const double *)weights;
  if (!k->host) return;
  n = 0;
  for (int m = 0; m < set->n_sources; m++) {
    const ria_source *s = &set->sources[m];
    const ria_gpu_source to = {s->quantity, s->rate, n, s->n, s->t_start, s->t_stop};
    memcpy(k->host + (sources - k->device) + (size_t)m * sizeof to, &to, sizeof to);
    memcpy(k->host + (cells - k->device) + (size_t)n * 4, s->cell, (size_t)s->n * 4);
    memcpy(k->host + (weights - k->device) + (size_t)n * 8, s->weight, (size_t)s->n * 8);
    n += s->n;
  }
}

/* *device is fresh memory, v's addresses are in it. */
static ria_status send_forcing(ria_gpu_planes *p, const ria_forcing_set *set, const int32_t *owner,
                               ria_gpu_view *v, void **device) {
  pack size = {NULL, NULL, 0};
  put_forcing(&size, set, owner, rim_of(p), v);
  RIA_TRY(ria_cuda_alloc(p->ctx, size.used, "the forcing", device));
  pack full = {(char *)calloc(size.used ? size.used : 1, 1), (char *)*device, 0};
  cudaError_t e = cudaSuccess;
  if (full.host) {
    put_forcing(&full, set, owner, rim_of(p), v);
    e = to_device(p, *device, full.host, full.used);
    if (e == cudaSuccess) e = cudaStreamSynchronize(p->stream);
  }
  const bool lacks = !full.host;
  free(full.host);
  if (!lacks && e == cudaSuccess) return RIA_OK;
  cudaFree(*device);
  *device = NULL;
  return lacks ? no_memory(p, "the forcing") : ria_cuda_fail(p->ctx, e, "copying the forcing");
}

static ria_status get_crossed(ria_gpu_planes *p) {
  RIA_CUDA(p->ctx, "reading the boundary",
           to_host(p, p->crossed, p->v.crossed, counts_of(p) * sizeof *p->crossed));
  return RIA_OK;
}

/* Enter what rim cells counted into totals of the first n stretches. */
static void add_crossed(const ria_gpu_planes *p, int n, double *in, double *out) {
  const size_t nq = (size_t)p->v.n_quantities;
  for (size_t k = 0; k < counts_of(p); k++) {
    if (p->owner[k / nq] >= n) continue;
    in[(size_t)p->owner[k / nq] * nq + k % nq] += p->crossed[k].in;
    out[(size_t)p->owner[k / nq] * nq + k % nq] += p->crossed[k].out;
  }
}

static ria_status fold_crossed(ria_gpu_planes *p) {
  if (p->n_folded == 0) return RIA_OK;
  RIA_TRY(get_crossed(p));
  RIA_CUDA(p->ctx, "setting the boundary",
           cudaMemsetAsync(p->v.crossed, 0, counts_of(p) * sizeof *p->crossed, p->stream));
  add_crossed(p, p->n_folded, p->stretch_in, p->stretch_out);
  return RIA_OK;
}

/* Totals by stretch keep their values; new stretches start at zero. */
static ria_status grow_totals(ria_gpu_planes *p, int n) {
  const size_t nq = (size_t)p->v.n_quantities, had = (size_t)p->n_folded * nq;
  double **both[] = {&p->stretch_in, &p->stretch_out};
  for (int k = 0; k < 2; k++) {
    double *grown = (double *)realloc(*both[k], (size_t)n * nq * sizeof *grown);
    if (!grown) return no_memory(p, "the boundaries");
    for (size_t m = had; m < (size_t)n * nq; m++) grown[m] = 0;
    *both[k] = grown;
  }
  p->n_folded = n;
  return RIA_OK;
}

static void *copy_of(const void *from, size_t bytes) {
  void *q = malloc(bytes ? bytes : 1);
  if (q && bytes) memcpy(q, from, bytes);
  return q;
}

/* The host's copy; false when memory runs out. */
static bool copy_forcing(ria_gpu_planes *to, const ria_forcing_set *set) {
  to->table = set->table;
  to->table.entry = (const ria_forcing *)copy_of(set->table.entry,
                                                 (size_t)set->table.n * sizeof *set->table.entry);
  to->table.data =
      (const double *)copy_of(set->table.data, (size_t)set->table.n_data * sizeof(double));
  to->stretch =
      (ria_stretch *)copy_of(set->boundary.stretch, (size_t)set->boundary.n * sizeof *to->stretch);
  to->source = (ria_source *)calloc((size_t)set->n_sources + 1, sizeof *to->source);
  bool well = to->table.entry && to->table.data && to->stretch && to->source;
  for (int k = 0; well && k < set->n_sources; k++) {
    ria_source *s = &to->source[k];
    *s = set->sources[k];
    s->cell = (const int32_t *)copy_of(s->cell, (size_t)s->n * sizeof *s->cell);
    s->weight = (const double *)copy_of(s->weight, (size_t)s->n * sizeof *s->weight);
    to->v.n_sources = k + 1;
    well = s->cell && s->weight;
  }
  return well;
}

static int32_t *list_owners(const ria_gpu_planes *p, const ria_boundary_set *b) {
  int32_t *owner = (int32_t *)malloc(rim_of(p) * sizeof *owner);
  for (int side = 0; owner && side < RIA_SIDES; side++)
    memcpy(owner + p->v.first[side], b->owner[side],
           (size_t)(p->v.first[side + 1] - p->v.first[side]) * sizeof *owner);
  return owner;
}

/* All of the new forcing is there before any of the old goes. */
ria_status ria_gpu_planes_force(void *self, const ria_forcing_set *set) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  ria_gpu_planes host;
  memset(&host, 0, sizeof host);
  ria_gpu_view v = p->v;
  void *device = NULL;
  RIA_TRY(ria_gpu_enter(p));
  int32_t *owner = list_owners(p, &set->boundary);
  ria_status status = owner && copy_forcing(&host, set) ? RIA_OK : no_memory(p, "the forcing");
  if (status == RIA_OK) status = send_forcing(p, set, owner, &v, &device);
  if (status == RIA_OK) status = fold_crossed(p);
  if (status == RIA_OK) status = grow_totals(p, set->boundary.n);
  if (status != RIA_OK) {
    free(owner);
    free_host_forcing(&host);
    cudaFree(device);
    return status;
  }
  free_host_forcing(p);
  free(p->owner);
  cudaFree(p->forcing);
  p->table = host.table;
  p->stretch = host.stretch;
  p->source = host.source;
  p->owner = owner;
  p->forcing = device;
  p->v = v;
  p->ready = false;
  return RIA_OK;
}

/* --- totals -------------------------------------------------------------------------------------
 */

static ria_status sum_quantity(ria_gpu_planes *p, int q, double *host, double *out) {
  const size_t ny = (size_t)p->grid.ny;
  const void *plane = p->call->quantity(p, q);
  void *room = NULL;
  const size_t sums = (ny * sizeof(double) + 255) / 256 * 256;
  RIA_TRY(ria_gpu_take(p, sums + (plane ? 0 : p->size * p->real_size), &room));
  cudaError_t e = cudaSuccess;
  if (!plane) {
    void *to = (char *)room + sums;
    e = p->call->density(p, q, to, p->stream);
    plane = to;
  }
  if (e == cudaSuccess) e = LAUNCH(p, sum_rows, (int64_t)ny * EACH, p->v, plane, (double *)room);
  if (e == cudaSuccess) e = to_host(p, host, room, ny * sizeof *host);
  ria_gpu_drop(p, room);
  RIA_CUDA(p->ctx, "reading totals", e);
  *out = ria_ordered_sum(host, ny) * p->grid.dx * p->grid.dy;
  return RIA_OK;
}

ria_status ria_gpu_planes_totals(void *self, ria_quantity_totals *totals) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  const int nq = p->v.n_quantities;
  RIA_TRY(ria_gpu_enter(p));
  double *host = (double *)malloc(((size_t)p->grid.ny + (size_t)nq) * sizeof *host);
  if (!host) return no_memory(p, "a sum");
  double *added = host + p->grid.ny;
  ria_status status = RIA_OK;
  const cudaError_t e = to_host(p, added, p->v.added, (size_t)nq * sizeof *added);
  if (e != cudaSuccess) status = ria_cuda_fail(p->ctx, e, "reading totals");
  for (int q = 0; status == RIA_OK && q < nq; q++) {
    totals[q] = {0.0, p->added[q] + added[q], 0.0};
    status = sum_quantity(p, q, host, &totals[q].stored);
  }
  free(host);
  return status;
}

/* Reading does not fold: when totals are asked for must not show in their last digits. */
ria_status ria_gpu_planes_fluxes(void *self, int n, double *in, double *out) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  RIA_TRY(ria_gpu_enter(p));
  const size_t nq = (size_t)p->v.n_quantities;
  const int have = n < p->n_folded ? n : p->n_folded;
  for (size_t k = 0; k < (size_t)n * nq; k++) {
    in[k] = k < (size_t)have * nq ? p->stretch_in[k] : 0;
    out[k] = k < (size_t)have * nq ? p->stretch_out[k] : 0;
  }
  RIA_TRY(get_crossed(p));
  add_crossed(p, have, in, out);
  return RIA_OK;
}
