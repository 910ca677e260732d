/* planes_sums.c - weighted sums of fields by cell, which a harmonic analysis is made of.
 *
 * Whatever the precision of the run they are doubles: of 1e5 levels single precision would keep two
 * digits. They have rows of the part alone, no ghosts, so no cut shows in them. */
#include "base/context.h"
#include <ria/planes.h>

#include <stdlib.h>

enum { ROWS = 64 }; /* of the field read at a time */

ria_status ria_planes_sums(void *self, int n) {
  ria_planes *p = self;
  const size_t cells = (size_t)ria_planes_rows(p) * (size_t)p->grid.nx;
  double **grown = realloc(p->sum, (size_t)(p->n_sums + n) * sizeof *grown);
  if (!grown) return ria_planes_no_memory(p, "sums");
  p->sum = grown;
  for (int k = 0; k < n; k++) {
    p->sum[p->n_sums] = calloc(cells, sizeof **p->sum);
    if (!p->sum[p->n_sums]) return ria_planes_no_memory(p, "sums");
    p->n_sums++;
  }
  return RIA_OK;
}

/* Rows j0 .. j0 + nj - 1 of the field enter the sums. */
static void enter_rows(const ria_planes *p, int j0, int nj, const double *value, int first, int n,
                       const double *weight) {
  const size_t nx = (size_t)p->grid.nx, before = (size_t)(j0 - p->part.j0) * nx;
#pragma omp parallel for num_threads(p->threads) schedule(static)
  for (int r = 0; r < nj; r++)
    for (int k = 0; k < n; k++) {
      const double *v = value + (size_t)r * nx;
      double *sum = p->sum[first + k] + before + (size_t)r * nx;
      for (size_t i = 0; i < nx; i++) ria_sum_enter(&sum[i], weight[k], v[i]);
    }
}

ria_status ria_planes_gather(void *self, int field, int tracer, int first, int n,
                             const double *weight) {
  ria_planes *p = self;
  if (n > RIA_GATHER || first < 0 || first + n > p->n_sums)
    return ria_fail(p->ctx, RIA_ERR_ARGUMENT, "no such sums are kept");
  double *value = malloc((size_t)ROWS * (size_t)p->grid.nx * sizeof *value);
  if (!value) return ria_planes_no_memory(p, "rows of a field");
  ria_status status = RIA_OK;
  for (int j = p->part.j0; status == RIA_OK && j < p->part.j1; j += ROWS) {
    const int nj = p->part.j1 - j < ROWS ? p->part.j1 - j : ROWS;
    status = ria_planes_read(self, field, tracer, false, j, nj, RIA_F64, value);
    if (status == RIA_OK) enter_rows(p, j, nj, value, first, n, weight);
  }
  free(value);
  return status;
}
