/* planes.c - planes of cells: memory, fields in and out, maxima, forcing, totals.
 *
 * Loops over rows are shared out among threads; nothing depends on how many there are. */
#include <ria/planes.h>
#include "base/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void free_forcing(ria_planes *p) {
  for (int k = 0; k < p->n_sources; k++) {
    free((void *)p->source[k].cell);
    free((void *)p->source[k].weight);
  }
  free(p->source);
  free(p->source_owed);
  free(p->source_first);
  free(p->piece);
  free(p->reach);
  ria_relax_free(p->relax, p->n_relax);
  free(p->relaxing);
  ria_planes_free_forcing(&p->table, &p->stretch);
  p->source = NULL;
  p->source_owed = NULL;
  p->source_first = NULL;
  p->piece = NULL;
  p->reach = NULL;
  p->relax = NULL;
  p->relaxing = NULL;
  p->n_sources = p->n_relax = 0;
}

void ria_planes_free(ria_planes *p) {
  free_forcing(p);
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

/* --- out -------------------------------------------------------------------------------------- */

static double value_of(const ria_planes *p, int field, int tracer, int i, int j) {
  const void *plane = p->call->plane(p, field, tracer);
  return plane ? ria_plane_get(p, plane, ria_plane_at(p, i, j))
               : p->call->value(p, field, tracer, i, j);
}

static const ria_plane_track *track_of(const ria_planes *p, int field, int tracer) {
  for (int k = 0; k < p->n_track; k++)
    if (p->track[k].field == field && p->track[k].tracer == tracer) return &p->track[k];
  return NULL;
}

static void put_number(ria_real real, void *row, int i, double v) {
  if (real == RIA_F32)
    ((float *)row)[i] = (float)v;
  else
    ((double *)row)[i] = v;
}

/* A row of a plane, or (plane NULL) of a field that is worked out. */
static void read_row(const ria_planes *p, const void *plane, int field, int tracer, int j,
                     ria_real real, void *row) {
  const size_t at = ria_plane_at(p, 0, j);
  if (plane && real == p->real) {
    memcpy(row, (const char *)plane + at * p->real_size, (size_t)p->grid.nx * p->real_size);
    return;
  }
  if (!plane && real == p->real && p->call->row && p->call->row(p, field, tracer, j, row)) return;
  for (int i = 0; i < p->grid.nx; i++)
    put_number(real, row, i,
               plane ? ria_plane_get(p, plane, at + (size_t)i)
                     : p->call->value(p, field, tracer, i, j));
}

static ria_status read_sum(const ria_planes *p, int k, int j0, int nj, ria_real real, void *dst) {
  const size_t nx = (size_t)p->grid.nx, size = real == RIA_F32 ? sizeof(float) : sizeof(double);
  if (k >= p->n_sums) return ria_fail(p->ctx, RIA_ERR_ARGUMENT, "no such sum is kept");
  for (int r = 0; r < nj; r++) {
    if (!ria_planes_own(p, j0 + r)) continue;
    const double *row = p->sum[k] + (size_t)(j0 + r - p->part.j0) * nx;
    char *to = (char *)dst + (size_t)r * nx * size;
    for (int i = 0; i < p->grid.nx; i++) put_number(real, to, i, row[i]);
  }
  return RIA_OK;
}

ria_status ria_planes_read(void *self, int field, int tracer, bool maximum, int j0, int nj,
                           ria_real real, void *dst) {
  const ria_planes *p = self;
  if (field < 0) return read_sum(p, -1 - field, j0, nj, real, dst);
  const ria_plane_track *m = maximum ? track_of(p, field, tracer) : NULL;
  if (maximum && !m)
    return ria_fail(p->ctx, RIA_ERR_ARGUMENT, "no maximum of this field was asked for");
  const void *plane = m ? m->max : p->call->plane(p, field, tracer);
  const size_t row = (size_t)p->grid.nx * (real == RIA_F32 ? sizeof(float) : sizeof(double));
#pragma omp parallel for num_threads(p->threads) schedule(static)
  for (int r = 0; r < nj; r++)
    if (ria_planes_own(p, j0 + r))
      read_row(p, plane, field, tracer, j0 + r, real, (char *)dst + (size_t)r * row);
  return RIA_OK;
}

ria_status ria_planes_sample(void *self, int field, int tracer, int n, const int32_t *cell,
                             double *out) {
  const ria_planes *p = self;
  for (int k = 0; k < n; k++)
    if (ria_planes_own(p, cell[k] / p->grid.nx))
      out[k] = value_of(p, field, tracer, cell[k] % p->grid.nx, cell[k] / p->grid.nx);
  return RIA_OK;
}

/* --- in --------------------------------------------------------------------------------------- */

static const char *refusal(const ria_plane_callbacks *call, int field, double v) {
  if (isnan(v) && call->nan_means_dry && call->nan_means_dry(field)) return NULL;
  if (isnan(v)) return "must be a number";
  if (isinf(v)) return "must be finite";
  return call->refuses ? call->refuses(field, v) : NULL;
}

/* First the rows that hold a bad value, by all threads, then the first value of the first. */
ria_status ria_planes_check(ria_context *ctx, const ria_grid *grid, int threads,
                            const ria_plane_callbacks *call, int field, const double *src) {
  const size_t nx = (size_t)grid->nx;
  int first = grid->ny;
  (void)threads;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(min : first)
  for (int j = 0; j < grid->ny; j++)
    for (size_t i = 0; i < nx && first > j; i++)
      if (refusal(call, field, src[(size_t)j * nx + i])) first = j;
  if (first == grid->ny) return RIA_OK;
  size_t i = 0;
  const double *row = src + (size_t)first * nx;
  while (!refusal(call, field, row[i])) i++;
  const ria_field_info *info = &call->fields[field];
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s = %g in cell (%d, %d): it %s",
                  *info->name ? info->name : info->long_name, row[i], (int)i, first,
                  refusal(call, field, row[i]));
}

ria_status ria_planes_write(void *self, int field, int tracer, const double *src) {
  ria_planes *p = self;
  void *plane = p->call->plane(p, field, tracer);
  RIA_TRY(ria_planes_check(p->ctx, &p->grid, p->threads, p->call, field, src));
  if (!plane)
    return ria_fail(p->ctx, RIA_ERR_ARGUMENT, "%s is worked out and cannot be set",
                    p->call->fields[field].name);
  const size_t nx = (size_t)p->grid.nx;
  const ria_part rows = ria_planes_had(p);
#pragma omp parallel for num_threads(p->threads) schedule(static)
  for (int j = rows.j0; j < rows.j1; j++)
    for (size_t i = 0; i < nx; i++)
      ria_plane_put(p, plane, ria_plane_at(p, 0, j) + i, src[(size_t)j * nx + i]);
  p->ready = false;
  return RIA_OK;
}

ria_status ria_planes_add(void *self, int quantity, int n, const int32_t *cell,
                          const double *amount) {
  ria_planes *p = self;
  void *plane = p->call->quantity(p, quantity);
  const double area = p->grid.dx * p->grid.dy;
  for (int k = 0; k < n; k++) {
    const int i = cell[k] % p->grid.nx, j = cell[k] / p->grid.nx;
    if (!ria_planes_have(p, j)) continue;
    const size_t at = ria_plane_at(p, i, j);
    ria_plane_put(p, plane, at, ria_plane_get(p, plane, at) + amount[k] / area);
  }
  p->ready = false;
  return RIA_OK;
}

void ria_planes_pour(ria_planes *p, void *plane, const void *empty, int n, const int32_t *cell,
                     const double *amount) {
  const double area = p->grid.dx * p->grid.dy;
  for (int k = 0; k < n; k++) {
    const int i = cell[k] % p->grid.nx, j = cell[k] / p->grid.nx;
    if (!ria_planes_have(p, j)) continue;
    const size_t at = ria_plane_at(p, i, j);
    const double v = ria_plane_get(p, plane, at) + amount[k] / area;
    const double least = empty ? ria_plane_get(p, empty, at) : 0.0;
    ria_plane_put(p, plane, at, v > least ? v : least);
  }
  p->ready = false;
}

/* --- maxima ----------------------------------------------------------------------------------- */

static void keep_row(const ria_planes *p, const ria_plane_track *m, const void *plane, int j) {
  const size_t at = ria_plane_at(p, 0, j), n = (size_t)p->grid.nx;
  if (plane && p->real == RIA_F32) {
    const float *v = (const float *)plane + at;
    float *most = (float *)m->max + at;
    for (size_t i = 0; i < n; i++)
      most[i] = ((v[i] > most[i]) | (most[i] != most[i])) ? v[i] : most[i];
  } else if (plane) {
    const double *v = (const double *)plane + at;
    double *most = (double *)m->max + at;
    for (size_t i = 0; i < n; i++)
      most[i] = ((v[i] > most[i]) | (most[i] != most[i])) ? v[i] : most[i];
  } else {
    for (size_t i = 0; i < n; i++) {
      const double v = p->call->value(p, m->field, m->tracer, (int)i, j);
      const double had = ria_plane_get(p, m->max, at + i);
      if (v > had || isnan(had)) ria_plane_put(p, m->max, at + i, v);
    }
  }
}

void ria_planes_keep_rows(const ria_planes *p, const ria_plane_track *m, const void *plane, int j0,
                          int j1) {
  for (int j = j0; j < j1; j++) keep_row(p, m, plane, j);
}

void ria_planes_keep_maxima(ria_planes *p) {
  for (int k = 0; k < p->n_track; k++) {
    const ria_plane_track *m = &p->track[k];
    const void *plane = p->call->plane(p, m->field, m->tracer);
#pragma omp parallel for num_threads(p->threads) schedule(static)
    for (int j = p->part.j0; j < p->part.j1; j++) keep_row(p, m, plane, j);
  }
}

ria_status ria_planes_track(void *self, int field, int tracer) {
  ria_planes *p = self;
  ria_plane_track *grown = realloc(p->track, ((size_t)p->n_track + 1) * sizeof *grown);
  if (!grown) return ria_planes_no_memory(p, "a maximum");
  p->track = grown;
  ria_plane_track *m = &grown[p->n_track];
  *m = (ria_plane_track){field, tracer, NULL};
  RIA_TRY(ria_plane_alloc(p, &m->max));
  p->n_track++;
  for (int j = p->part.j0; j < p->part.j1; j++)
    for (int i = 0; i < p->grid.nx; i++)
      ria_plane_put(p, m->max, ria_plane_at(p, i, j), value_of(p, field, tracer, i, j));
  return RIA_OK;
}

/* --- forcing ---------------------------------------------------------------------------------- */

static void *copy_of(const void *from, size_t bytes) {
  void *q = malloc(bytes ? bytes : 1);
  if (q && bytes) memcpy(q, from, bytes);
  return q;
}

bool ria_planes_copy_forcing(const ria_forcing_set *set, ria_forcing_table *table,
                             ria_stretch **stretch) {
  const ria_forcing_table *t = &set->table;
  *table = *t;
  table->entry = copy_of(t->entry, (size_t)t->n * sizeof *t->entry);
  table->data = copy_of(t->data, (size_t)t->n_data * sizeof *t->data);
  *stretch = copy_of(set->boundary.stretch, (size_t)set->boundary.n * sizeof **stretch);
  return table->entry && table->data && *stretch;
}

void ria_planes_free_forcing(ria_forcing_table *table, ria_stretch **stretch) {
  free((void *)table->entry);
  free((void *)table->data);
  free(*stretch);
  *table = (ria_forcing_table){0};
  *stretch = NULL;
}

static bool copy_sources(ria_planes *p, const ria_forcing_set *set) {
  size_t cells = 0;
  for (int k = 0; k < set->n_sources; k++) cells += (size_t)set->sources[k].n;
  p->source = calloc((size_t)set->n_sources + 1, sizeof *p->source);
  p->source_owed = calloc(cells + 1, sizeof *p->source_owed);
  p->source_first = calloc((size_t)set->n_sources + 2, sizeof *p->source_first);
  if (!p->source || !p->source_owed || !p->source_first) return false;
  for (int k = 0; k < set->n_sources; k++) {
    ria_source *to = &p->source[p->n_sources++];
    *to = set->sources[k];
    to->cell = copy_of(to->cell, (size_t)to->n * sizeof *to->cell);
    to->weight = copy_of(to->weight, (size_t)to->n * sizeof *to->weight);
    if (!to->cell || !to->weight) return false;
    p->source_first[k + 1] = p->source_first[k] + (size_t)to->n;
  }
  return true;
}

/* Where each stretch begins and ends on its side: whoever looks at all its cells need not pass over
 * those of hundreds of others. */
static bool find_reaches(ria_planes *p, const ria_boundary_set *b, const ria_grid *grid) {
  p->reach = calloc((size_t)b->n + 1, sizeof *p->reach);
  if (!p->reach) return false;
  for (int side = 0; side < RIA_SIDES; side++)
    for (int k = ria_side_length(grid, (ria_side)side) - 1; k >= 0; k--) {
      ria_side_cells *r = &p->reach[b->owner[side][k]];
      if (b->stretch[b->owner[side][k]].side != (ria_side)side) continue;
      if (r->to == 0) r->to = k + 1;
      r->from = k;
    }
  return true;
}

static bool copy_relax(ria_planes *p, const ria_forcing_set *set) {
  p->relax = ria_relax_copy(set->relax, set->n_relax);
  p->relaxing = calloc((size_t)set->n_relax + 1, sizeof *p->relaxing);
  p->n_relax = p->relax ? set->n_relax : 0;
  return p->relax && p->relaxing;
}

/* The new is there before any of the old goes. */
ria_status ria_planes_force(void *self, const ria_forcing_set *set) {
  ria_planes *p = self;
  ria_planes fresh = {0};
  fresh.piece = calloc((size_t)set->table.n + 1, sizeof *fresh.piece);
  if (!fresh.piece || !ria_planes_copy_forcing(set, &fresh.table, &fresh.stretch) ||
      !copy_sources(&fresh, set) || !copy_relax(&fresh, set) ||
      !find_reaches(&fresh, &set->boundary, &p->grid) ||
      !ria_account_grow(&p->account, set->boundary.n)) {
    free_forcing(&fresh);
    return ria_planes_no_memory(p, "the forcing");
  }
  ria_account_fold(&p->account);
  free_forcing(p);
  p->table = fresh.table;
  p->stretch = fresh.stretch;
  p->n_stretch = set->boundary.n;
  p->source = fresh.source;
  p->source_owed = fresh.source_owed;
  p->source_first = fresh.source_first;
  p->piece = fresh.piece;
  p->reach = fresh.reach;
  p->relax = fresh.relax;
  p->relaxing = fresh.relaxing;
  p->n_relax = fresh.n_relax;
  p->n_sources = fresh.n_sources;
  ria_boundary_owners(&set->boundary, &p->grid, p->account.owner);
  p->ready = false;
  return RIA_OK;
}

bool ria_planes_give(ria_planes *p, int k, double t, double dt, void *plane, const void *empty) {
  const ria_source *s = &p->source[k];
  const double area = p->grid.dx * p->grid.dy, amount = ria_planes_given(p, k, t, dt);
  if (!ria_source_runs(s->t_start, s->t_stop, t, dt)) return false;
  double *owed = p->source_owed + p->source_first[k];
  for (int e = 0; e < s->n; e++) {
    const int i = s->cell[e] % p->grid.nx, j = s->cell[e] / p->grid.nx;
    const int place = ria_planes_place(p, j);
    if (place == INT_MIN) continue;
    const size_t at = ria_plane_at(p, i, place);
    const double due = amount * s->weight[e] / area;
    const double least = empty ? ria_plane_get(p, empty, at) : 0.0;
    const double given = p->real == RIA_F32
                             ? ria_source_give_f32((float *)plane + at, due, least, &owed[e])
                             : ria_source_give_f64((double *)plane + at, due, least, &owed[e]);
    if (ria_planes_own(p, j)) *ria_planes_row(p, p->added, s->quantity, j) += given * area;
  }
  return true;
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

ria_status ria_planes_fluxes(void *self, int n, double *in, double *out) {
  const ria_planes *p = self;
  ria_account_read(&p->account, n, in, out);
  return RIA_OK;
}

ria_status ria_planes_crossed(void *self, ria_crossed *cells) {
  const ria_planes *p = self;
  const size_t nq = (size_t)p->n_quantities;
  for (int side = 0; side < RIA_SIDES; side++) {
    const ria_side_cells own = ria_planes_side(p, (ria_side)side);
    const size_t first = (size_t)(p->crossed[side] - p->account.crossed);
    for (size_t k = (size_t)own.from * nq; k < (size_t)own.to * nq; k++) {
      cells[first + k].in = p->crossed[side][k].in;
      cells[first + k].out = p->crossed[side][k].out;
    }
  }
  return RIA_OK;
}

bool ria_planes_say(void *self, ria_meeting *m) {
  const ria_planes *p = self;
  *m = p->said;
  return p->waits != 0;
}
