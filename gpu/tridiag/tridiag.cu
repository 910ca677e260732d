/* gpu/tridiag/tridiag.cu - ria_tridiag_solve on CUDA: fields of the host go there and back, some
 * lines to each GPU of the context; those of a device stay. Lines longer than a cluster of blocks
 * holds are solved by the host. */
#include "tridiag.cuh"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

/* The five fields on one side; [k] as in ria_tridiag_desc. */
enum { LOWER, DIAG, UPPER, RHS, X, FIELDS };

static size_t size_of(ria_real real) { return real == RIA_F32 ? sizeof(float) : sizeof(double); }

static bool on_device(const void *p) {
  cudaPointerAttributes a;
  const cudaError_t e = cudaPointerGetAttributes(&a, p);
  if (e != cudaSuccess) cudaGetLastError();
  return e == cudaSuccess && (a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged);
}

/* Lines that a GPU solves, on a thread of its own, which has no context: it leaves an error. */
typedef struct share {
  const ria_cuda_backend *b;
  ria_tridiag_desc d;
  int first_line;
  int *flag;  /* of the device */
  char *room; /* of the device, for four fields; NULL: the fields are there */
  int bad;    /* of its own lines; INT_MAX: none */
  cudaError_t e;
} share;

/* Of the device current to this thread. */
static cudaError_t solve_there(share *s) {
  const ria_tridiag_desc *d = &s->d;
  const bool rows = d->along == RIA_ALONG_X;
  const tridiag_lines a = {rows ? d->nx : d->ny,
                           rows ? d->ny : d->nx,
                           d->stride,
                           d->lower,
                           d->diag,
                           d->upper,
                           d->rhs,
                           d->x,
                           s->flag};
  s->bad = INT_MAX;
  cudaError_t e = cudaMemcpy(s->flag, &s->bad, sizeof s->bad, cudaMemcpyHostToDevice);
  if (e == cudaSuccess)
    e = (d->real == RIA_F32 ? tridiag_launch_f32 : tridiag_launch_f64)(&a, rows, ria_cuda_cluster(),
                                                                       0);
  if (e == cudaSuccess) e = cudaMemcpy(&s->bad, s->flag, sizeof s->bad, cudaMemcpyDeviceToHost);
  return e;
}

static cudaError_t there_and_back(share *s) {
  const ria_tridiag_desc d = s->d;
  const size_t row = (size_t)d.nx * size_of(d.real), pitch = d.stride * size_of(d.real);
  const size_t field = row * (size_t)d.ny;
  const void *from[] = {d.lower, d.diag, d.upper, d.rhs};
  cudaError_t e = cudaSuccess;
  for (int k = 0; e == cudaSuccess && k < 4; k++)
    e = cudaMemcpy2D(s->room + (size_t)k * field, row, from[k], pitch, row, (size_t)d.ny,
                     cudaMemcpyHostToDevice);
  s->d.stride = (size_t)d.nx;
  s->d.lower = s->room;
  s->d.diag = s->room + field;
  s->d.upper = s->room + 2 * field;
  s->d.rhs = s->d.x = s->room + 3 * field;
  if (e == cudaSuccess) e = solve_there(s);
  if (e == cudaSuccess)
    e = cudaMemcpy2D(d.x, pitch, s->d.x, row, row, (size_t)d.ny, cudaMemcpyDeviceToHost);
  return e;
}

static void *take_share(void *user) {
  share *s = (share *)user;
  s->e = ria_cuda_use(&s->b->base);
  if (s->e == cudaSuccess) s->e = s->room ? there_and_back(s) : solve_there(s);
  return NULL;
}

/* --- lines dealt out to GPUs ------------------------------------------------------------------ */

enum { GPUS = 16 };

/* Lines `from` to `to` - 1 of a call. */
static ria_tridiag_desc lines_of(const ria_tridiag_desc *d, int from, int to) {
  const bool rows = d->along == RIA_ALONG_X;
  const size_t before = (size_t)from * (rows ? d->stride : 1) * size_of(d->real);
  ria_tridiag_desc some = *d;
  *(rows ? &some.ny : &some.nx) = to - from;
  some.lower = (const char *)d->lower + before;
  some.diag = (const char *)d->diag + before;
  some.upper = (const char *)d->upper + before;
  some.rhs = (const char *)d->rhs + before;
  some.x = (char *)d->x + before;
  return some;
}

/* As many for each of the n GPUs from b on, one after another. How many get some. */
static int deal_out(const ria_cuda_backend *b, int n, const ria_tridiag_desc *d, share *all) {
  const int lines = d->along == RIA_ALONG_X ? d->ny : d->nx;
  if (n > lines) n = lines;
  for (int k = 0; k < n; k++, b = b->next) {
    const int from = (int)((int64_t)lines * k / n), to = (int)((int64_t)lines * (k + 1) / n);
    all[k] = {};
    all[k].b = b;
    all[k].d = lines_of(d, from, to);
    all[k].first_line = from;
  }
  return n;
}

/* there: the fields are on the GPU. */
static ria_status take_room(ria_context *ctx, share *s, bool there) {
  const size_t values = (size_t)s->d.nx * (size_t)s->d.ny;
  RIA_CUDA(ctx, "choosing the device", ria_cuda_use(&s->b->base));
  RIA_TRY(ria_cuda_alloc(ctx, sizeof *s->flag, "tridiagonal systems", (void **)&s->flag));
  if (there) return RIA_OK;
  return ria_cuda_alloc(ctx, 4 * values * size_of(s->d.real), "tridiagonal systems",
                        (void **)&s->room);
}

/* A thread each, as copies of the host's memory hold one up; the first is this one's. */
static void take_shares(share *all, int n) {
  pthread_t thread[GPUS];
  bool runs[GPUS] = {};
  for (int k = 1; k < n; k++) runs[k] = pthread_create(&thread[k], NULL, take_share, &all[k]) == 0;
  for (int k = 0; k < n; k++)
    if (!runs[k]) take_share(&all[k]);
  for (int k = 1; k < n; k++)
    if (runs[k]) pthread_join(thread[k], NULL);
}

static void drop_room(share *s) {
  if (ria_cuda_use(&s->b->base) != cudaSuccess) return;
  cudaFree(s->flag);
  cudaFree(s->room);
}

static ria_status solve_shares(ria_context *ctx, share *all, int n, bool there, int *bad) {
  ria_status status = RIA_OK;
  for (int k = 0; status == RIA_OK && k < n; k++) status = take_room(ctx, &all[k], there);
  if (status == RIA_OK) take_shares(all, n);
  *bad = -1;
  for (int k = n - 1; k >= 0; k--) {
    drop_room(&all[k]);
    if (status == RIA_OK && all[k].e != cudaSuccess)
      status = ria_cuda_fail(ctx, all[k].e, "tridiagonal systems");
    if (status == RIA_OK && all[k].bad != INT_MAX) *bad = all[k].first_line + all[k].bad;
  }
  return status;
}

/* Fields of the host: each GPU of the context has some lines. A line's bits depend on its length
 * alone. */
static ria_status solve_by_all(ria_context *ctx, const ria_tridiag_desc *d, int *bad) {
  const ria_cuda_backend *b = ria_cuda_of(ria_context_backend(ctx));
  share all[GPUS];
  int n = 0;
  for (const ria_cuda_backend *one = b; one && n < GPUS; one = one->next) n++;
  n = deal_out(b, n, d, all);
  return solve_shares(ctx, all, n, false, bad);
}

/* --- where fields are ------------------------------------------------------------------------- */

/* The GPU of the context that has a field; else its first. */
static const ria_cuda_backend *gpu_of(ria_context *ctx, const void *field) {
  const ria_cuda_backend *first = ria_cuda_of(ria_context_backend(ctx)), *b = first;
  cudaPointerAttributes a;
  if (cudaPointerGetAttributes(&a, field) != cudaSuccess) {
    cudaGetLastError();
    return first;
  }
  while (b && b->device != a.device) b = b->next;
  return b ? b : first;
}

static ria_status solve_where_it_is(ria_context *ctx, const ria_tridiag_desc *d, int *bad) {
  share s;
  deal_out(gpu_of(ctx, d->x), 1, d, &s);
  return solve_shares(ctx, &s, 1, true, bad);
}

/* Lines that are too long for the device. */
static ria_status solve_here(ria_context *ctx, const ria_tridiag_desc *d, int *bad) {
  const size_t field = d->stride * (size_t)d->ny * size_of(d->real);
  char *room = (char *)malloc(5 * field);
  if (!room) return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory for tridiagonal systems");
  const void *from[FIELDS] = {d->lower, d->diag, d->upper, d->rhs, d->x};
  cudaError_t e = cudaSuccess;
  for (int k = 0; e == cudaSuccess && k < FIELDS; k++)
    e = cudaMemcpy(room + (size_t)k * field, from[k], field, cudaMemcpyDeviceToHost);
  ria_tridiag_desc here = *d;
  here.lower = room;
  here.diag = room + field;
  here.upper = room + 2 * field;
  here.rhs = room + 3 * field;
  here.x = room + 4 * field;
  ria_status status = e == cudaSuccess ? ria_tridiag_cpu(ctx, &here, bad)
                                       : ria_cuda_fail(ctx, e, "tridiagonal systems");
  if (status == RIA_OK) {
    e = cudaMemcpy(d->x, here.x, field, cudaMemcpyHostToDevice);
    if (e != cudaSuccess) status = ria_cuda_fail(ctx, e, "tridiagonal systems");
  }
  free(room);
  return status;
}

extern "C" ria_status ria_tridiag_cuda(ria_context *ctx, const ria_tridiag_desc *d, int *bad) {
  RIA_CUDA(ctx, "choosing the device", ria_cuda_use(ria_context_backend(ctx)));
  const void *all[FIELDS] = {d->lower, d->diag, d->upper, d->rhs, d->x};
  int there = 0;
  for (int k = 0; k < FIELDS; k++) there += on_device(all[k]);
  if (there != 0 && there != FIELDS)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "tridiag: some fields are in memory of the GPU, others of the host");
  const bool too_long =
      (d->along == RIA_ALONG_X ? d->nx : d->ny) > TRIDIAG_EACH * ria_cuda_cluster();
  if (!there) return too_long ? ria_tridiag_cpu(ctx, d, bad) : solve_by_all(ctx, d, bad);
  return too_long ? solve_here(ctx, d, bad) : solve_where_it_is(ctx, d, bad);
}
