/* planes_fields.c - fields of planes of cells: read, set, their maxima kept. */
#include <ria/planes.h>
#include "base/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
