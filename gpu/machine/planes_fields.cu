/* gpu/machine/planes_fields.cu - fields of planes of cells in and out of a GPU, and maxima.
 *
 * A field is copied out of a plane, one that the solver keeps or a temporary one into which its
 * kernel works the field out; or the solver copies it itself. */
#include "fields.cuh"

#include <stdlib.h>

static const size_t chunk = (size_t)64 << 20; /* bytes read at a time */

/* --- kernels ---------------------------------------------------------------------------------- */

namespace {

template <typename R> __device__ __forceinline__ R *at_cell(ria_gpu_cells c, int64_t cell, int nx) {
  return (R *)c.first + (size_t)(cell / nx) * c.row + (size_t)(cell % nx) * c.step;
}

template <typename R>
__global__ void __launch_bounds__(FIELD_THREADS)
    copy_in(ria_gpu_cells to, int nx, int64_t n, const double *src) {
  for (int64_t k = first_of_thread(); k < n; k += all_threads()) *at_cell<R>(to, k, nx) = (R)src[k];
}

template <typename R>
__global__ void __launch_bounds__(FIELD_THREADS)
    add_cells(ria_gpu_cells to, int nx, double area, int64_t n, const int32_t *cell,
              const double *amount) {
  for (int64_t k = first_of_thread(); k < n; k += all_threads()) {
    R *x = at_cell<R>(to, cell[k], nx);
    *x = (R)((double)*x + amount[k] / area);
  }
}

template <typename R>
__global__ void __launch_bounds__(FIELD_THREADS)
    keep_most(ria_gpu_cells from, ria_gpu_cells most, int nx, int64_t n) {
  for (int64_t k = first_of_thread(); k < n; k += all_threads()) {
    const R x = *at_cell<R>(from, k, nx);
    R *had = at_cell<R>(most, k, nx);
    if (x > *had || isnan(*had)) *had = x;
  }
}

/* Run a kernel template of the planes' precision over n numbers. */
#define LAUNCH(P, KERNEL, N, ...)                                                                  \
  ((P)->real == RIA_F32                                                                            \
       ? KERNEL<float><<<blocks_for(N), FIELD_THREADS, 0, (P)->stream>>>(__VA_ARGS__)              \
       : KERNEL<double><<<blocks_for(N), FIELD_THREADS, 0, (P)->stream>>>(__VA_ARGS__),            \
   cudaGetLastError())

/* Sums that one reading of a field enters. */
struct gathered {
  double *sum[RIA_GATHER];
  double weight[RIA_GATHER];
  int n;
};

__global__ void __launch_bounds__(FIELD_THREADS)
    enter_sums(const __grid_constant__ gathered to, int64_t n, int64_t before,
               const double *value) {
  for (int64_t k = first_of_thread(); k < n; k += all_threads()) {
    const double v = value[k];
    for (int i = 0; i < to.n; i++) ria_sum_enter(&to.sum[i][before + k], to.weight[i], v);
  }
}

} // namespace

/* On the device. */
static int64_t cells_of(const ria_gpu_planes *p) { return (int64_t)p->grid.nx * p->v.ny; }
/* Of the part. */
static int rows_of(const ria_gpu_planes *p) { return p->end - p->begin; }

/* --- out -------------------------------------------------------------------------------------- */

static size_t size_of(ria_real real) { return real == RIA_F32 ? sizeof(float) : sizeof(double); }

static const ria_plane_track *maximum_of(const ria_gpu_planes *p, int field, int tracer) {
  for (int k = 0; k < p->n_track; k++)
    if (p->track[k].field == field && p->track[k].tracer == tracer) return &p->track[k];
  return NULL;
}

/* A plane that holds the field; *room is temporary memory that the caller drops, or NULL. */
static ria_status need_plane(ria_gpu_planes *p, int field, int tracer, void **plane, void **room) {
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

/* What a field or a maximum of it is copied from: a plane; NULL where the solver copies it. */
static ria_status need_source(ria_gpu_planes *p, const ria_gpu_wanted *w, void **plane,
                              void **room) {
  *plane = *room = NULL;
  if (p->call->copy) return RIA_OK;
  if (!w->maximum) return need_plane(p, w->field, w->tracer, plane, room);
  *plane = w->maximum->max;
  return RIA_OK;
}

static cudaError_t queue_wanted(const ria_gpu_planes *p, const ria_gpu_wanted *w, void *plane,
                                void *dst) {
  if (!plane) return p->call->copy(p, w, dst, p->stream);
  const ria_gpu_cells c = ria_gpu_cells_of(p, plane);
  return p->real == RIA_F32 ? queue_copy(stored_value<float>(c), &p->grid, w, dst, p->stream)
                            : queue_copy(stored_value<double>(c), &p->grid, w, dst, p->stream);
}

/* Some rows at a time. */
static ria_status read_rows(ria_gpu_planes *p, ria_gpu_wanted w, void *plane, void *dst) {
  const size_t row = (size_t)p->grid.nx * size_of(w.real);
  const int j0 = w.j0, nj = w.nj;
  int rows = (int)(chunk / row);
  if (rows < 1) rows = 1;
  if (rows > nj) rows = nj;
  void *part = NULL;
  RIA_TRY(ria_gpu_take(p, (size_t)rows * row, &part));
  cudaError_t e = cudaSuccess;
  for (int j = 0; e == cudaSuccess && j < nj; j += rows) {
    w.j0 = j0 + j;
    w.nj = nj - j < rows ? nj - j : rows;
    e = queue_wanted(p, &w, plane, part);
    if (e == cudaSuccess)
      e = ria_gpu_to_host(p, (char *)dst + (size_t)j * row, part, (size_t)w.nj * row);
  }
  ria_gpu_drop(p, part);
  RIA_CUDA(p->ctx, "reading a field", e);
  return RIA_OK;
}

static ria_status read_sum(ria_gpu_planes *p, int k, int j0, int nj, ria_real real, void *dst) {
  const int from = j0 > p->part.j0 ? j0 : p->part.j0;
  const int to = j0 + nj < p->part.j1 ? j0 + nj : p->part.j1;
  if (k >= p->n_sums) return ria_fail(p->ctx, RIA_ERR_ARGUMENT, "no such sum is kept");
  RIA_TRY(ria_gpu_enter_present(p));
  if (to <= from) return RIA_OK;
  const size_t nx = (size_t)p->grid.nx;
  const ria_gpu_cells cells = {p->sum[k] + (size_t)(from - p->part.j0) * nx, nx, 1};
  const ria_gpu_wanted w = {-1 - k, -1, NULL, 1, 0, to - from, real, 0};
  const size_t before = (size_t)(from - j0) * nx * size_of(real);
  const size_t bytes = (size_t)(to - from) * nx * size_of(real);
  void *room = NULL;
  RIA_TRY(ria_gpu_take(p, bytes, &room));
  cudaError_t e = queue_copy(stored_value<double>(cells), &p->grid, &w, room, p->stream);
  if (e == cudaSuccess) e = ria_gpu_to_host(p, (char *)dst + before, room, bytes);
  ria_gpu_drop(p, room);
  RIA_CUDA(p->ctx, "reading sums", e);
  return RIA_OK;
}

ria_status ria_gpu_planes_read(void *self, int field, int tracer, bool maximum, int j0, int nj,
                               ria_real real, void *dst) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  if (field < 0) return read_sum(p, -1 - field, j0, nj, real, dst);
  const ria_plane_track *m = maximum ? maximum_of(p, field, tracer) : NULL;
  const int from = j0 > p->part.j0 ? j0 : p->part.j0;
  const int to = j0 + nj < p->part.j1 ? j0 + nj : p->part.j1;
  const ria_gpu_wanted w = {field, tracer, m, 1, from, to - from, real, p->base};
  const size_t before = (size_t)(from - j0) * (size_t)p->grid.nx * size_of(real);
  void *plane = NULL, *room = NULL;
  RIA_TRY(ria_gpu_enter_present(p));
  if (maximum && !m)
    return ria_fail(p->ctx, RIA_ERR_ARGUMENT, "no maximum of this field was asked for");
  if (to <= from) return RIA_OK;
  RIA_TRY(need_source(p, &w, &plane, &room));
  const ria_status status = read_rows(p, w, plane, (char *)dst + before);
  ria_gpu_drop(p, room);
  return status;
}

static cudaError_t queue_samples(const ria_gpu_planes *p, int field, int tracer, void *plane, int n,
                                 const int32_t *cell, double *out) {
  if (!plane) return p->call->sample(p, field, tracer, n, cell, out, p->stream);
  const ria_gpu_cells c = ria_gpu_cells_of(p, plane);
  const int nx = p->grid.nx;
  return p->real == RIA_F32 ? queue_sample(stored_value<float>(c), nx, n, cell, out, p->stream)
                            : queue_sample(stored_value<double>(c), nx, n, cell, out, p->stream);
}

/* --- lists of cells --------------------------------------------------------------------------- */

/* Those of a list that the part has, numbered as on the device, and a value of each behind them: on
 * the host, and room for the same on the device. */
typedef struct cell_list {
  int n;
  int32_t *cell;
  double *value;
  size_t before, bytes; /* of the cells, before the values; of all */
  void *room;
} cell_list;

static void drop_cells(ria_gpu_planes *p, cell_list *l) {
  ria_gpu_drop(p, l->room);
  free(l->cell);
}

static double *values_there(const cell_list *l) { return (double *)((char *)l->room + l->before); }

/* ghosts: of its ghost rows too. Dropped by the caller, on failure too; *l is zeroed before. */
static ria_status pick_cells(ria_gpu_planes *p, int n, const int32_t *cell, const double *value,
                             bool ghosts, cell_list *l) {
  l->before = ((size_t)n * sizeof *cell + 15) / 16 * 16;
  l->bytes = l->before + (size_t)n * sizeof *value;
  l->cell = (int32_t *)calloc(l->bytes, 1);
  if (!l->cell) return ria_gpu_no_memory(p, "cells");
  l->value = (double *)((char *)l->cell + l->before);
  for (int k = 0; k < n; k++) {
    const int j = cell[k] / p->grid.nx;
    if (ghosts ? !ria_gpu_has(p, j) : !ria_gpu_owns(p, j)) continue;
    l->cell[l->n] = cell[k] - ria_gpu_first_cell(p);
    l->value[l->n++] = value ? value[k] : 0.0;
  }
  if (l->n == 0) return RIA_OK;
  RIA_TRY(ria_gpu_take(p, l->bytes, &l->room));
  RIA_CUDA(p->ctx, "copying cells", ria_gpu_to_device(p, l->room, l->cell, l->bytes));
  return RIA_OK;
}

static ria_status sample_list(ria_gpu_planes *p, int field, int tracer, const cell_list *l) {
  const ria_gpu_wanted w = {field, tracer, NULL, 1, 0, p->grid.ny, p->real, p->base};
  void *plane = NULL, *room = NULL;
  RIA_TRY(need_source(p, &w, &plane, &room));
  const int32_t *cell = (const int32_t *)l->room;
  cudaError_t e = queue_samples(p, field, tracer, plane, l->n, cell, values_there(l));
  if (e == cudaSuccess)
    e = ria_gpu_to_host(p, l->value, values_there(l), (size_t)l->n * sizeof *l->value);
  ria_gpu_drop(p, room);
  RIA_CUDA(p->ctx, "reading cells", e);
  return RIA_OK;
}

ria_status ria_gpu_planes_sample(void *self, int field, int tracer, int n, const int32_t *cell,
                                 double *out) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  cell_list l = {};
  RIA_TRY(ria_gpu_enter_present(p));
  if (n < 1) return RIA_OK;
  ria_status status = pick_cells(p, n, cell, NULL, false, &l);
  if (status == RIA_OK && l.n) status = sample_list(p, field, tracer, &l);
  for (int k = 0, m = 0; status == RIA_OK && k < n; k++)
    if (ria_gpu_owns(p, cell[k] / p->grid.nx)) out[k] = l.value[m++];
  drop_cells(p, &l);
  return status;
}

/* --- for output ------------------------------------------------------------------------------- */

static ria_status derive(void *self, int field, int tracer, int coarse, int j0, int nj,
                         ria_real real, void *dst) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  const ria_gpu_wanted w = {field, tracer, NULL, coarse, j0, nj, real, p->base};
  void *plane = NULL, *room = NULL;
  RIA_TRY(need_source(p, &w, &plane, &room));
  const cudaError_t e = queue_wanted(p, &w, plane, dst);
  ria_gpu_drop(p, room);
  RIA_CUDA(p->ctx, "copying a field for output", e);
  return RIA_OK;
}

static ria_gpu_output output_of(ria_gpu_planes *p) {
  const ria_gpu_output o = {p->ctx,    p->backend, p->grid, p->part, p->stream,
                            p->copies, p->pool,    p,       derive};
  return o;
}

ria_status ria_gpu_planes_fetch(void *self, int field, int tracer, int coarse, ria_real real,
                                void *dst, void **ticket) {
  const ria_gpu_output o = output_of((ria_gpu_planes *)self);
  *ticket = NULL;
  RIA_TRY(ria_gpu_enter_present((ria_gpu_planes *)self));
  return ria_gpu_fetch(&o, field, tracer, coarse, real, dst, ticket);
}

size_t ria_gpu_planes_pack_bytes(void *self, const ria_packing *how) {
  const ria_gpu_output o = output_of((ria_gpu_planes *)self);
  return ria_gpu_pack_bytes(&o, how);
}

ria_status ria_gpu_planes_pack(void *self, int field, int tracer, const ria_packing *how, void *dst,
                               void **ticket) {
  const ria_gpu_output o = output_of((ria_gpu_planes *)self);
  *ticket = NULL;
  RIA_TRY(ria_gpu_enter_present((ria_gpu_planes *)self));
  return ria_gpu_pack_field(&o, field, tracer, how, dst, ticket);
}

/* --- in --------------------------------------------------------------------------------------- */

/* Rows that are set. */
static int set_rows(const ria_gpu_planes *p) { return p->call->rings ? ria_gpu_rows(p) : p->v.ny; }
static int64_t set_cells(const ria_gpu_planes *p) { return (int64_t)p->grid.nx * set_rows(p); }

/* Queue; values: of the device, of all rows that are set. */
static ria_status take_in(ria_gpu_planes *p, int field, int tracer, double *values) {
  if (p->call->set) return p->call->set(p, field, tracer, values);
  const ria_gpu_cells to = ria_gpu_cells_of(p, p->call->plane(p, field, tracer));
  RIA_CUDA(p->ctx, "setting a field",
           LAUNCH(p, copy_in, set_cells(p), to, p->grid.nx, set_cells(p), values));
  return RIA_OK;
}

/* Rows that the device has, then those beyond. */
static cudaError_t send_rows(const ria_gpu_planes *p, double *room, const double *src) {
  const size_t nx = (size_t)p->grid.nx, row = nx * sizeof *src, ny = (size_t)p->v.ny;
  cudaError_t e = ria_gpu_to_device(p, room, src + (size_t)p->base * nx, ny * row);
  for (int held = p->v.ny; e == cudaSuccess && held < set_rows(p); held++)
    e = ria_gpu_to_device(p, room + (size_t)held * nx,
                          src + (size_t)ria_gpu_row_of_grid(p, held) * nx, row);
  return e;
}

ria_status ria_gpu_planes_write(void *self, int field, int tracer, const double *src) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  const size_t bytes = (size_t)set_cells(p) * sizeof *src;
  void *room = NULL;
  RIA_TRY(ria_gpu_enter_present(p));
  RIA_TRY(ria_planes_check(p->ctx, &p->grid, p->backend->base.threads, p->call->host, field, src));
  if (!p->call->set && !p->call->plane(p, field, tracer))
    return ria_fail(p->ctx, RIA_ERR_ARGUMENT, "%s is worked out and cannot be set",
                    p->call->host->fields[field].name);
  RIA_TRY(ria_cuda_alloc(p->ctx, bytes, "a field on its way in", &room));
  cudaError_t e = send_rows(p, (double *)room, src);
  const ria_status status =
      e == cudaSuccess ? take_in(p, field, tracer, (double *)room) : RIA_ERR_DEVICE;
  if (status == RIA_OK) e = cudaStreamSynchronize(p->stream);
  cudaFree(room);
  p->ready = false;
  RIA_CUDA(p->ctx, "setting a field", e);
  return status;
}

static cudaError_t queue_add(const ria_gpu_planes *p, int quantity, int n, const int32_t *cell,
                             const double *amount) {
  if (p->call->add) return p->call->add(p, quantity, n, cell, amount, p->stream);
  const ria_gpu_cells to = p->call->quantity(p, quantity);
  const double area = p->grid.dx * p->grid.dy;
  return LAUNCH(p, add_cells, n, to, p->grid.nx, area, (int64_t)n, cell, amount);
}

ria_status ria_gpu_planes_add(void *self, int quantity, int n, const int32_t *cell,
                              const double *amount) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  cell_list l = {};
  RIA_TRY(ria_gpu_enter_present(p));
  if (n < 1) return RIA_OK;
  const ria_status status = pick_cells(p, n, cell, amount, true, &l);
  cudaError_t e = cudaSuccess;
  if (status == RIA_OK && l.n)
    e = queue_add(p, quantity, l.n, (const int32_t *)l.room, values_there(&l));
  if (status == RIA_OK && e == cudaSuccess) e = cudaStreamSynchronize(p->stream);
  drop_cells(p, &l);
  p->ready = false;
  RIA_CUDA(p->ctx, "adding to cells", e);
  return status;
}

/* --- maxima ----------------------------------------------------------------------------------- */

static ria_status keep(ria_gpu_planes *p, const ria_plane_track *m) {
  void *plane = NULL, *room = NULL;
  RIA_TRY(need_plane(p, m->field, m->tracer, &plane, &room));
  const cudaError_t e = LAUNCH(p, keep_most, cells_of(p), ria_gpu_cells_of(p, plane),
                               ria_gpu_cells_of(p, m->max), p->grid.nx, cells_of(p));
  ria_gpu_drop(p, room);
  RIA_CUDA(p->ctx, "keeping a maximum", e);
  return RIA_OK;
}

ria_status ria_gpu_planes_keep_maxima(ria_gpu_planes *p) {
  for (int k = 0; k < p->n_track; k++) RIA_TRY(keep(p, &p->track[k]));
  return RIA_OK;
}

static ria_status begin_maximum(ria_gpu_planes *p, const ria_plane_track *m) {
  if (p->call->begin_maximum) {
    RIA_CUDA(p->ctx, "beginning a maximum", p->call->begin_maximum(p, m, p->stream));
    return RIA_OK;
  }
  /* All ones are NaN, which anything replaces. */
  RIA_CUDA(p->ctx, "beginning a maximum",
           cudaMemsetAsync(m->max, 0xff, p->size * p->real_size, p->stream));
  return keep(p, m);
}

ria_status ria_gpu_planes_track(void *self, int field, int tracer) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  RIA_TRY(ria_gpu_enter_present(p));
  ria_plane_track *grown =
      (ria_plane_track *)realloc(p->track, ((size_t)p->n_track + 1) * sizeof *grown);
  if (!grown) return ria_gpu_no_memory(p, "a maximum");
  p->track = grown;
  ria_plane_track *m = &grown[p->n_track];
  *m = {field, tracer, NULL};
  RIA_TRY(ria_gpu_plane_alloc(p, "a maximum", &m->max));
  const ria_status status = begin_maximum(p, m);
  if (status == RIA_OK)
    p->n_track++;
  else
    ria_gpu_plane_free(p, m->max);
  return status;
}

/* --- weighted sums ---------------------------------------------------------------------------- */

ria_status ria_gpu_planes_sums(void *self, int n) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  const size_t bytes = (size_t)(p->end - p->begin) * (size_t)p->grid.nx * sizeof(double);
  RIA_TRY(ria_gpu_enter(p));
  double **grown = (double **)realloc(p->sum, (size_t)(p->n_sums + n) * sizeof *grown);
  if (!grown) return ria_gpu_no_memory(p, "sums");
  p->sum = grown;
  for (int k = 0; k < n; k++) {
    void *room = NULL;
    RIA_TRY(ria_cuda_alloc(p->ctx, bytes, "sums", &room));
    p->sum[p->n_sums++] = (double *)room;
    RIA_CUDA(p->ctx, "beginning sums", cudaMemsetAsync(room, 0, bytes, p->stream));
  }
  return RIA_OK;
}

/* Some rows of the field at a time, as doubles. */
static ria_status gather(ria_gpu_planes *p, ria_gpu_wanted w, void *plane, const gathered *to) {
  const size_t row = (size_t)p->grid.nx * sizeof(double);
  int rows = (int)(chunk / row);
  if (rows < 1) rows = 1;
  if (rows > rows_of(p)) rows = rows_of(p);
  void *part = NULL;
  RIA_TRY(ria_gpu_take(p, (size_t)rows * row, &part));
  cudaError_t e = cudaSuccess;
  for (int j = p->part.j0; e == cudaSuccess && j < p->part.j1; j += rows) {
    w.j0 = j;
    w.nj = p->part.j1 - j < rows ? p->part.j1 - j : rows;
    const int64_t n = (int64_t)w.nj * p->grid.nx, before = (int64_t)(j - p->part.j0) * p->grid.nx;
    e = queue_wanted(p, &w, plane, part);
    if (e != cudaSuccess) break;
    enter_sums<<<blocks_for(n), FIELD_THREADS, 0, p->stream>>>(*to, n, before, (double *)part);
    e = cudaGetLastError();
  }
  ria_gpu_drop(p, part);
  RIA_CUDA(p->ctx, "gathering sums", e);
  return RIA_OK;
}

ria_status ria_gpu_planes_gather(void *self, int field, int tracer, int first, int n,
                                 const double *weight) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  const ria_gpu_wanted w = {field, tracer, NULL, 1, 0, 0, RIA_F64, p->base};
  gathered to = {};
  void *plane = NULL, *room = NULL;
  if (n > RIA_GATHER || first < 0 || first + n > p->n_sums)
    return ria_fail(p->ctx, RIA_ERR_ARGUMENT, "no such sums are kept");
  to.n = n;
  for (int k = 0; k < n; k++) {
    to.sum[k] = p->sum[first + k];
    to.weight[k] = weight[k];
  }
  RIA_TRY(ria_gpu_enter_present(p));
  RIA_TRY(need_source(p, &w, &plane, &room));
  const ria_status status = gather(p, w, plane, &to);
  ria_gpu_drop(p, room);
  return status;
}

cudaError_t ria_gpu_planes_load(void) { return ria_cuda_load((const void *)enter_sums); }
