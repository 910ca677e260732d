/* tridiag.c - ria_tridiag_solve: checks, the CPU's threads, and what to say of lines that have no
 * solution. */
#include "tridiag.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* --- the CPU ---------------------------------------------------------------------------------- */

static size_t size_of(ria_real real) { return real == RIA_F32 ? sizeof(float) : sizeof(double); }

static int some_lines(const ria_tridiag_desc *d, int first, int n, void *room) {
  return d->real == RIA_F32 ? tridiag_lines_f32(d, first, n, room)
                            : tridiag_lines_f64(d, first, n, room);
}

ria_status ria_tridiag_cpu(ria_context *ctx, const ria_tridiag_desc *d, int *bad) {
  const ria_backend *b = ria_context_backend(ctx);
  const bool rows = d->along == RIA_ALONG_X;
  const int unknowns = rows ? d->nx : d->ny, lines = rows ? d->ny : d->nx;
  const int groups = (lines + TRIDIAG_LINES - 1) / TRIDIAG_LINES;
  const int threads = groups < b->threads ? groups : b->threads;
  const size_t each = (TRIDIAG_ROOM(unknowns) * size_of(d->real) + 63) / 64 * 64;
  void *room = NULL;
  RIA_TRY(b->alloc(ctx, b, each * (size_t)threads, &room));
  int worst = INT_MAX;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(min : worst)
  for (int t = 0; t < threads; t++) {
    for (int g = t; g < groups; g += threads) {
      const int first = g * TRIDIAG_LINES;
      const int n = lines - first < TRIDIAG_LINES ? lines - first : TRIDIAG_LINES;
      const int found = some_lines(d, first, n, (char *)room + each * (size_t)t);
      if (found >= 0 && found < worst) worst = found;
    }
  }
  b->free(b, room);
  *bad = worst == INT_MAX ? -1 : worst;
  return RIA_OK;
}

/* --- the public functions --------------------------------------------------------------------- */

static ria_status check(ria_context *ctx, const ria_tridiag_desc *d) {
  if (!d) return ria_fail(ctx, RIA_ERR_ARGUMENT, "tridiag: no description");
  if (d->nx < 1 || d->ny < 1)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "tridiag: %d x %d values: at least 1 x 1 are needed",
                    d->nx, d->ny);
  if (d->stride && d->stride < (size_t)d->nx)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "tridiag: stride %zu is less than nx, %d", d->stride,
                    d->nx);
  if (d->along != RIA_ALONG_X && d->along != RIA_ALONG_Y)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "tridiag: along is neither RIA_ALONG_X nor RIA_ALONG_Y");
  if (d->real != RIA_F32 && d->real != RIA_F64)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "tridiag: real is neither RIA_F32 nor RIA_F64");
  if (!d->lower || !d->diag || !d->upper || !d->rhs || !d->x)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "tridiag: lower, diag, upper, rhs and x are all needed, one is NULL");
  return RIA_OK;
}

ria_status ria_tridiag_solve(ria_context *ctx, const ria_tridiag_desc *desc) {
  if (!ctx) return RIA_ERR_ARGUMENT;
  RIA_TRY(check(ctx, desc));
  ria_tridiag_desc d = *desc;
  if (!d.stride) d.stride = (size_t)d.nx;
  ria_tridiag_fn solve = ria_tridiag_cpu;
#ifdef RIA_HAVE_CUDA
  if (ria_context_backend(ctx)->kind == RIA_BACKEND_CUDA) solve = ria_tridiag_cuda;
#endif
  int bad = -1;
  RIA_TRY(solve(ctx, &d, &bad));
  if (bad < 0) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_NUMERICAL,
                  "tridiag: %s %d has no finite solution by elimination without pivoting: a pivot "
                  "vanished, or a coefficient is not finite; see that |diag| >= |lower| + |upper|",
                  d.along == RIA_ALONG_X ? "row" : "column", bad);
}

ria_status ria_tridiag_rasters(ria_context *ctx, ria_along along, const ria_raster *lower,
                               const ria_raster *diag, const ria_raster *upper,
                               const ria_raster *rhs, ria_raster **out) {
  if (!out) return ria_fail(ctx, RIA_ERR_ARGUMENT, "tridiag: nowhere to put the result");
  *out = NULL;
  if (!lower || !diag || !upper || !rhs)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "tridiag: lower, diag, upper and rhs are all needed, one is NULL");
  const ria_raster *all[] = {lower, diag, upper};
  static const char *const name[] = {"lower", "diag", "upper"};
  for (int k = 0; k < 3; k++)
    if (all[k]->grid.nx != rhs->grid.nx || all[k]->grid.ny != rhs->grid.ny)
      return ria_fail(ctx, RIA_ERR_ARGUMENT, "tridiag: %s has %d x %d values, rhs has %d x %d",
                      name[k], all[k]->grid.nx, all[k]->grid.ny, rhs->grid.nx, rhs->grid.ny);
  ria_raster *x = NULL;
  RIA_TRY(ria_raster_create(ctx, &rhs->grid, &x));
  const ria_tridiag_desc d = {.nx = rhs->grid.nx,
                              .ny = rhs->grid.ny,
                              .along = along,
                              .real = RIA_F64,
                              .lower = lower->data,
                              .diag = diag->data,
                              .upper = upper->data,
                              .rhs = rhs->data,
                              .x = x->data};
  const ria_status status = ria_tridiag_solve(ctx, &d);
  if (status == RIA_OK)
    *out = x;
  else
    ria_raster_destroy(&x);
  return status;
}
