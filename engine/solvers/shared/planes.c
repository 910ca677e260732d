/* planes.c - planes of cells: their memory, totals, and what neighbouring parts of a grid share.
 *
 * Here and in the other files of planes loops over rows are shared out among threads. No result
 * depends on how many there are. */
#include "solvers/shared/planes_inner.h"
#include "base/context.h"

#include <stdlib.h>

enum { CELLS_PER_THREAD = 8192 }; /* fewer are not worth another thread */

/* --- memory ----------------------------------------------------------------------------------- */

static int threads_for(const ria_solver_setup *setup) {
  const ria_part part = ria_part_of(setup);
  const int64_t most = (int64_t)setup->grid.nx * (part.j1 - part.j0) / CELLS_PER_THREAD;
  const int64_t wanted = most < setup->threads ? most : setup->threads;
  return wanted < 1 ? 1 : (int)wanted;
}

ria_status ria_planes_no_memory(const ria_planes *p, const char *what) {
  return ria_fail(p->ctx, RIA_ERR_MEMORY, "out of memory for %s of a %d x %d grid", what,
                  p->grid.nx, p->grid.ny);
}

ria_status ria_part_is_there(const ria_solver_setup *setup) {
  const ria_part part = ria_part_of(setup);
  if (part.j0 >= 0 && part.j0 < part.j1 && part.j1 <= setup->grid.ny) return RIA_OK;
  return ria_fail(setup->ctx, RIA_ERR_ARGUMENT, "rows %d to %d are no part of a grid of %d rows",
                  part.j0, part.j1 - 1, setup->grid.ny);
}

ria_status ria_part_is_whole(const ria_solver_setup *setup) {
  const ria_part part = ria_part_of(setup);
  RIA_TRY(ria_part_is_there(setup));
  if (part.j1 - part.j0 == setup->grid.ny) return RIA_OK;
  return ria_fail(setup->ctx, RIA_ERR_ARGUMENT,
                  "this solver steps a whole grid, which cannot be cut into parts yet: take one "
                  "(--parts 1, ria_context_desc.parts)");
}

ria_status ria_planes_init(ria_planes *p, const ria_solver_setup *setup,
                           const ria_plane_callbacks *call, int n_quantities) {
  *p = (ria_planes){.ctx = setup->ctx,
                    .backend = setup->backend,
                    .call = call,
                    .threads = threads_for(setup),
                    .grid = setup->grid,
                    .part = ria_part_of(setup),
                    .real = setup->real,
                    .real_size = setup->real == RIA_F32 ? sizeof(float) : sizeof(double),
                    .stride = ((size_t)setup->grid.nx + 2 * RIA_PLANE_PAD + 15) / 16 * 16,
                    .n_quantities = n_quantities};
  RIA_TRY(call->shared ? ria_part_is_there(setup) : ria_part_is_whole(setup));
  p->ghost_rows = call->ghost_rows ? call->ghost_rows(p) : 1;
  const size_t rows = (size_t)ria_planes_rows(p), row_quantities = rows * (size_t)n_quantities;
  p->size = p->stride * (rows + 2 * (size_t)p->ghost_rows);
  const bool well = ria_account_init(&p->account, &p->grid, n_quantities);
  for (size_t side = 0, at = 0; well && side < RIA_SIDES; side++) {
    p->owner[side] = p->account.owner + at;
    p->crossed[side] = p->account.crossed + at * (size_t)n_quantities;
    at += (size_t)ria_side_length(&p->grid, (ria_side)side);
  }
  p->added = calloc(row_quantities, sizeof *p->added);
  p->decayed = calloc(row_quantities, sizeof *p->decayed);
  p->row_totals = calloc(row_quantities, sizeof *p->row_totals);
  if (well && p->added && p->decayed && p->row_totals) return RIA_OK;
  ria_planes_free(p);
  return ria_planes_no_memory(p, "the sides");
}

void ria_planes_free(ria_planes *p) {
  ria_planes_drop_forcing(p);
  for (int k = 0; k < p->n_track; k++) ria_plane_free(p, p->track[k].max);
  for (int k = 0; k < p->n_sums; k++) free(p->sum[k]);
  free(p->sum);
  p->sum = NULL;
  p->n_sums = 0;
  ria_account_free(&p->account);
  free(p->track);
  free(p->added);
  free(p->decayed);
  free(p->row_totals);
  p->track = NULL;
  p->n_track = 0;
  p->row_totals = NULL;
  p->decayed = p->added = NULL;
}

ria_status ria_plane_alloc(ria_planes *p, void **out) {
  return p->backend->alloc(p->ctx, p->backend, p->size * p->real_size, out);
}

void ria_plane_free(ria_planes *p, void *plane) {
  if (plane) p->backend->free(p->backend, plane);
}

/* --- totals ----------------------------------------------------------------------------------- */

double ria_ordered_sum(const double *v, size_t n) {
  ria_sum s = {0, 0};
  for (size_t k = 0; k < n; k++) ria_sum_add(&s, v[k]);
  return s.sum + s.lost;
}

/* In the order that the vectors of this build give, always the same. */
static double row_sum(const ria_planes *p, const void *plane, int quantity, int j) {
  const size_t at = ria_plane_at(p, 0, j);
  const int n = p->grid.nx;
  double sum = 0;
  if (!plane) {
    for (int i = 0; i < n; i++) sum += p->call->density(p, quantity, i, j);
  } else if (p->real == RIA_F32) {
    const float *v = (const float *)plane + at;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += (double)v[i];
  } else {
    const double *v = (const double *)plane + at;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += v[i];
  }
  return sum;
}

ria_status ria_planes_row_totals(void *self, ria_row_totals *rows) {
  const ria_planes *p = self;
  const int n = ria_planes_rows(p);
  for (int q = 0; q < p->n_quantities; q++) {
    const void *plane = p->call->quantity ? p->call->quantity(p, q) : NULL;
#pragma omp parallel for num_threads(p->threads) schedule(static)
    for (int r = 0; r < n; r++) {
      const int j = p->part.j0 + r;
      const double beside = p->call->beside ? p->call->beside(p, q, j) : 0.0;
      rows[(size_t)q * (size_t)n + (size_t)r] =
          (ria_row_totals){row_sum(p, plane, q, j) + beside, *ria_planes_row(p, p->added, q, j),
                           *ria_planes_row(p, p->decayed, q, j)};
    }
  }
  return RIA_OK;
}

ria_quantity_totals ria_sum_rows(const ria_grid *grid, const ria_row_totals *rows, int n) {
  ria_sum stored = {0, 0}, sources = {0, 0}, decayed = {0, 0};
  for (int j = 0; j < n; j++) {
    ria_sum_add(&stored, rows[j].stored);
    ria_sum_add(&sources, rows[j].sources);
    ria_sum_add(&decayed, rows[j].decayed);
  }
  return (ria_quantity_totals){(stored.sum + stored.lost) * grid->dx * grid->dy,
                               sources.sum + sources.lost, decayed.sum + decayed.lost};
}

ria_status ria_planes_totals(void *self, ria_quantity_totals *totals) {
  ria_planes *p = self;
  const int n = ria_planes_rows(p);
  RIA_TRY(ria_planes_row_totals(p, p->row_totals));
  for (int q = 0; q < p->n_quantities; q++)
    totals[q] = ria_sum_rows(&p->grid, p->row_totals + (size_t)q * (size_t)n, n);
  return RIA_OK;
}

/* --- parts ------------------------------------------------------------------------------------ */

int ria_planes_shared_rows(void *self, ria_side side, int most, ria_shared_row *rows) {
  const ria_planes *p = self;
  const bool south = side == RIA_SOUTH;
  const int own = south ? p->part.j0 : p->part.j1 - 1, out = south ? -1 : 1;
  const bool ring = p->ring && !ria_planes_whole(p);
  const int rows_of_plane = ring && p->grid.ny < p->ghost_rows ? p->grid.ny : p->ghost_rows;
  if (ria_side_along_x(side) || (!ring && (own + out < 0 || own + out >= p->grid.ny))) return 0;
  int n = 0;
  char *plane;
  for (int k = 0; (plane = p->call->shared(p, k)) != NULL; k++)
    for (int d = 0; d < rows_of_plane; d++, n++)
      if (n < most)
        rows[n] = (ria_shared_row){plane + ria_plane_at(p, 0, own - out * d) * p->real_size,
                                   plane + ria_plane_at(p, 0, own + out * (d + 1)) * p->real_size,
                                   (size_t)p->grid.nx * p->real_size};
  return n;
}

bool ria_planes_say(void *self, ria_meeting *m) {
  const ria_planes *p = self;
  *m = p->said;
  return p->waits != 0;
}
