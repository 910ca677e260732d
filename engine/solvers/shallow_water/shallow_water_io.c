/* shallow_water_io.c - fields in and out, amounts added, totals.
 *
 * The state is h, qx, qy and hC per tracer; everything else is worked out here when it is asked
 * for. Sums are taken row by row, rows in order, so they do not depend on the number of threads. */
#include "shallow_water.h"
#include "core/planes.h" /* ria_ordered_sum */

#include <math.h>
#include <string.h>

static double depth_at(const sw *s, size_t at) { return sw_get(s, s->state[s->now][SW_H], at); }

double sw_value(const sw *s, int field, int tracer, int i, int j) {
  const size_t at = sw_at(s, i, j);
  void *const *state = s->state[s->now];
  if (field == SW_MANNING) return s->manning ? sw_get(s, s->manning, at) : s->p.manning;
  const sw_here here = {depth_at(s, at), sw_get(s, state[SW_STATE_QX], at),
                        sw_get(s, state[SW_STATE_QY], at), sw_get(s, s->bed, at)};
  const double load = tracer >= 0 ? sw_get(s, state[SW_STATE_C + tracer], at) : 0.0;
  return sw_value_of(field, here, load, s->p.gravity, s->p.dry_depth);
}

static double value_of_maximum(const sw *s, const sw_track *m, int i, int j) {
  double v = sw_get(s, m->max, sw_at(s, i, j));
  if (v > -1e29) return v;
  return m->field == SW_DEPTH ? 0.0 : NAN; /* never wet */
}

/* The plane to copy rows from when a field is stored as it is read, or NULL. */
static const void *stored_plane(const sw *s, int field, int tracer) {
  switch (field) {
  case SW_BED:
    return s->bed;
  case SW_DEPTH:
    return s->state[s->now][SW_H];
  case SW_QX:
    return s->state[s->now][SW_STATE_QX];
  case SW_QY:
    return s->state[s->now][SW_STATE_QY];
  case SW_LOAD:
    return s->state[s->now][SW_STATE_C + tracer];
  default:
    return NULL;
  }
}

/* Fast rows of what outputs ask for most, in the run's own precision. */
#define DERIVED_ROW(REAL)                                                                          \
  static bool derived_row_##REAL(const sw *s, int field, int tracer, int j,                        \
                                 REAL *RIA_RESTRICT d) {                                           \
    const size_t at = sw_at(s, 0, j);                                                              \
    const REAL *RIA_RESTRICT h = (const REAL *)s->state[s->now][SW_H] + at;                        \
    const REAL *RIA_RESTRICT qx = (const REAL *)s->state[s->now][SW_STATE_QX] + at;                \
    const REAL *RIA_RESTRICT qy = (const REAL *)s->state[s->now][SW_STATE_QY] + at;                \
    const REAL *RIA_RESTRICT z = (const REAL *)s->bed + at;                                        \
    const REAL *RIA_RESTRICT hc =                                                                  \
        field == SW_CONC ? (const REAL *)s->state[s->now][SW_STATE_C + tracer] + at : h;           \
    const REAL dry = (REAL)s->p.dry_depth;                                                         \
    const int n = s->grid.nx;                                                                      \
    if (field == SW_LEVEL_FIELD) {                                                                 \
      for (int i = 0; i < n; i++) d[i] = h[i] > dry ? h[i] + z[i] : (REAL)NAN;                     \
    } else if (field == SW_U) {                                                                    \
      for (int i = 0; i < n; i++) d[i] = h[i] > dry ? qx[i] / h[i] : (REAL)NAN;                    \
    } else if (field == SW_V) {                                                                    \
      for (int i = 0; i < n; i++) d[i] = h[i] > dry ? qy[i] / h[i] : (REAL)NAN;                    \
    } else if (field == SW_CONC) {                                                                 \
      for (int i = 0; i < n; i++) d[i] = h[i] > dry ? hc[i] / h[i] : (REAL)NAN;                    \
    } else {                                                                                       \
      return false;                                                                                \
    }                                                                                              \
    return true;                                                                                   \
  }
DERIVED_ROW(float)
DERIVED_ROW(double)

static bool fast_row(const sw *s, int field, int tracer, int j, void *dst) {
  const void *plane = stored_plane(s, field, tracer);
  if (plane) {
    memcpy(dst, (const char *)plane + sw_at(s, 0, j) * s->real_size,
           (size_t)s->grid.nx * s->real_size);
    return true;
  }
  return s->real == RIA_F32 ? derived_row_float(s, field, tracer, j, dst)
                            : derived_row_double(s, field, tracer, j, dst);
}

ria_status sw_read(void *self, int field, int tracer, bool maximum, int j0, int nj, ria_real real,
                   void *dst) {
  const sw *s = self;
  const sw_track *m = NULL;
  for (int k = 0; maximum && k < s->n_track; k++)
    if (s->track[k].field == field && s->track[k].tracer == tracer) m = &s->track[k];
  if (maximum && !m)
    return ria_fail(s->ctx, RIA_ERR_ARGUMENT, "no maximum of this field was asked for");
  const size_t width = real == RIA_F32 ? sizeof(float) : sizeof(double);
  const size_t nx = (size_t)s->grid.nx;
#pragma omp parallel for num_threads(s->threads) schedule(static)
  for (int r = 0; r < nj; r++) {
    const int j = j0 + r;
    char *row = (char *)dst + (size_t)r * nx * width;
    if (!m && real == s->real && fast_row(s, field, tracer, j, row)) continue;
    for (int i = 0; i < s->grid.nx; i++) {
      double v = m ? value_of_maximum(s, m, i, j) : sw_value(s, field, tracer, i, j);
      if (real == RIA_F32)
        ((float *)(void *)row)[i] = (float)v;
      else
        ((double *)(void *)row)[i] = v;
    }
  }
  return RIA_OK;
}

ria_status sw_sample(void *self, int field, int tracer, int n, const int32_t *cell, double *out) {
  const sw *s = self;
  for (int k = 0; k < n; k++)
    out[k] = sw_value(s, field, tracer, cell[k] % s->grid.nx, cell[k] / s->grid.nx);
  return RIA_OK;
}

/* --- in -----------------------------------------------------------------------------------------
 */

/* Set one cell of the state from a field's value. */
static void set_cell(sw *s, int field, int tracer, size_t at, double v) {
  void *const *state = s->state[s->now];
  if (field == SW_BED) sw_put(s, s->bed, at, v);
  if (field == SW_MANNING) sw_put(s, s->manning, at, v);
  if (field == SW_BED || field == SW_MANNING) return;
  sw_here here = {depth_at(s, at), sw_get(s, state[SW_STATE_QX], at),
                  sw_get(s, state[SW_STATE_QY], at), sw_get(s, s->bed, at)};
  if (field == SW_CONC || field == SW_LOAD) {
    sw_put(s, state[SW_STATE_C + tracer], at, field == SW_LOAD ? v : here.h > 0 ? v * here.h : 0);
    return;
  }
  const double scale = sw_set_flow(field, v, s->p.dry_depth, &here);
  sw_put(s, state[SW_H], at, here.h);
  sw_put(s, state[SW_STATE_QX], at, here.qx);
  sw_put(s, state[SW_STATE_QY], at, here.qy);
  for (int m = 0; m < s->nt; m++)
    sw_put(s, state[SW_STATE_C + m], at, sw_get(s, state[SW_STATE_C + m], at) * scale);
}

/* What a field's values must be; NULL = anything finite. NaN is allowed where it means dry. */
static const char *refuses(int field, double v) {
  const bool positive =
      field == SW_MANNING || field == SW_DEPTH || field == SW_CONC || field == SW_LOAD;
  const bool may_be_nan = field != SW_BED && field != SW_MANNING;
  if (isnan(v)) return may_be_nan ? NULL : "must be a number";
  if (isinf(v)) return "must be finite";
  return positive && v < 0 ? "must not be negative" : NULL;
}

/* First the rows that hold a bad value, by all threads, then the first value of the first. */
ria_status sw_check_values(ria_context *ctx, const ria_grid *grid, int threads, int field,
                           const double *src) {
  const size_t nx = (size_t)grid->nx;
  int first = grid->ny;
  (void)threads;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(min : first)
  for (int j = 0; j < grid->ny; j++)
    for (size_t i = 0; i < nx && first > j; i++)
      if (refuses(field, src[(size_t)j * nx + i])) first = j;
  if (first == grid->ny) return RIA_OK;
  size_t i = 0;
  const double *row = src + (size_t)first * nx;
  while (!refuses(field, row[i])) i++;
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s = %g in cell (%d, %d): it %s", sw_field_name(field),
                  row[i], (int)i, first, refuses(field, row[i]));
}

ria_status sw_write(void *self, int field, int tracer, const double *src) {
  sw *s = self;
  const int nx = s->grid.nx, ny = s->grid.ny;
  RIA_TRY(sw_check_values(s->ctx, &s->grid, s->threads, field, src));
  if (field == SW_MANNING && !s->manning)
    RIA_TRY(s->backend->alloc(s->ctx, s->backend, s->plane * s->real_size, &s->manning));
#pragma omp parallel for num_threads(s->threads) schedule(static)
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      double v = src[(size_t)j * (size_t)nx + (size_t)i];
      set_cell(s, field, tracer, sw_at(s, i, j),
               isnan(v) ? (field == SW_LEVEL_FIELD ? -1e30 : 0) : v);
    }
  s->ready = false;
  return RIA_OK;
}

ria_status sw_add(void *self, int quantity, int n, const int32_t *cell, const double *amount) {
  sw *s = self;
  void *plane = s->state[s->now][quantity == 0 ? SW_H : SW_STATE_C + quantity - 1];
  const double area = s->grid.dx * s->grid.dy;
  for (int k = 0; k < n; k++) {
    size_t at = sw_at(s, cell[k] % s->grid.nx, cell[k] / s->grid.nx);
    double v = sw_get(s, plane, at) + amount[k] / area;
    sw_put(s, plane, at, v > 0 ? v : 0);
  }
  s->ready = false;
  return RIA_OK;
}

/* --- totals -------------------------------------------------------------------------------------
 */

/* Sum over a row, in the order that the vectors of this build give, always the same. */
static double row_sum(const sw *s, const void *plane, int j) {
  const size_t at = sw_at(s, 0, j);
  const int n = s->grid.nx;
  double sum = 0;
  if (s->real == RIA_F32) {
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

ria_status sw_totals(void *self, ria_quantity_totals *totals) {
  sw *s = self;
  const int ny = s->grid.ny;
  for (int q = 0; q <= s->nt; q++) {
    const void *plane = s->state[s->now][q == 0 ? SW_H : SW_STATE_C + q - 1];
#pragma omp parallel for num_threads(s->threads) schedule(static)
    for (int j = 0; j < ny; j++) s->row_sums[j] = row_sum(s, plane, j);
    const double *decayed = q > 0 ? s->decayed + (size_t)(q - 1) * (size_t)ny : NULL;
    totals[q] =
        (ria_quantity_totals){ria_ordered_sum(s->row_sums, (size_t)ny) * s->grid.dx * s->grid.dy,
                              s->added[q], decayed ? ria_ordered_sum(decayed, (size_t)ny) : 0.0};
  }
  return RIA_OK;
}

/* Reading does not fold: when totals are asked for must not show in their last digits. */
ria_status sw_fluxes(void *self, int n, double *in, double *out) {
  const sw *s = self;
  const size_t width = 1 + (size_t)s->nt;
  const int have = n < s->n_stretch ? n : s->n_stretch;
  for (size_t k = 0; k < (size_t)n * width; k++) {
    in[k] = k < (size_t)have * width ? s->stretch_in[k] : 0;
    out[k] = k < (size_t)have * width ? s->stretch_out[k] : 0;
  }
  for (int side = 0; side < RIA_SIDES; side++)
    for (int k = 0; k < ria_side_length(&s->grid, side); k++)
      for (size_t m = 0; m < width && s->owner[side][k] < have; m++) {
        const sw_crossed *c = &s->crossed[side][(size_t)k * width + m];
        in[(size_t)s->owner[side][k] * width + m] += c->in;
        out[(size_t)s->owner[side][k] * width + m] += c->out;
      }
  return RIA_OK;
}
