/* gpu/tridiag/tridiag.cu - ria_tridiag_solve on CUDA: fields of the host go there and back, those
 * of the device stay. Lines longer than a cluster of blocks holds are solved by the host. */
#include "tridiag.cuh"

#include <limits.h>
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

static ria_status solve_there(ria_context *ctx, const ria_tridiag_desc *d, int *bad) {
  const bool rows = d->along == RIA_ALONG_X;
  int first = INT_MAX;
  void *flag = NULL;
  RIA_TRY(ria_cuda_alloc(ctx, sizeof first, "tridiagonal systems", &flag));
  const tridiag_lines a = {rows ? d->nx : d->ny,
                           rows ? d->ny : d->nx,
                           d->stride,
                           d->lower,
                           d->diag,
                           d->upper,
                           d->rhs,
                           d->x,
                           (int *)flag};
  cudaError_t e = cudaMemcpy(flag, &first, sizeof first, cudaMemcpyHostToDevice);
  if (e == cudaSuccess)
    e = (d->real == RIA_F32 ? tridiag_launch_f32 : tridiag_launch_f64)(&a, rows, ria_cuda_cluster(),
                                                                       0);
  if (e == cudaSuccess) e = cudaMemcpy(&first, flag, sizeof first, cudaMemcpyDeviceToHost);
  cudaFree(flag);
  RIA_CUDA(ctx, "tridiagonal systems", e);
  *bad = first == INT_MAX ? -1 : first;
  return RIA_OK;
}

static ria_status there_and_back(ria_context *ctx, const ria_tridiag_desc *d, int *bad) {
  const size_t row = (size_t)d->nx * size_of(d->real), pitch = d->stride * size_of(d->real);
  const size_t field = row * (size_t)d->ny;
  char *room = NULL;
  RIA_TRY(ria_cuda_alloc(ctx, 4 * field, "tridiagonal systems", (void **)&room));
  const void *from[] = {d->lower, d->diag, d->upper, d->rhs};
  cudaError_t e = cudaSuccess;
  for (int k = 0; e == cudaSuccess && k < 4; k++)
    e = cudaMemcpy2D(room + (size_t)k * field, row, from[k], pitch, row, (size_t)d->ny,
                     cudaMemcpyHostToDevice);
  ria_tridiag_desc there = *d;
  there.stride = (size_t)d->nx;
  there.lower = room;
  there.diag = room + field;
  there.upper = room + 2 * field;
  there.rhs = there.x = room + 3 * field;
  ria_status status = e == cudaSuccess ? solve_there(ctx, &there, bad)
                                       : ria_cuda_fail(ctx, e, "tridiagonal systems");
  if (status == RIA_OK) {
    e = cudaMemcpy2D(d->x, pitch, there.x, row, row, (size_t)d->ny, cudaMemcpyDeviceToHost);
    if (e != cudaSuccess) status = ria_cuda_fail(ctx, e, "tridiagonal systems");
  }
  cudaFree(room);
  return status;
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
  if (!there) return too_long ? ria_tridiag_cpu(ctx, d, bad) : there_and_back(ctx, d, bad);
  return too_long ? solve_here(ctx, d, bad) : solve_there(ctx, d, bad);
}
