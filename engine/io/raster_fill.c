/* io/raster_fill.c - values for cells without data.
 *
 * A hole is a set of empty cells connected by their sides. It is as many cells across as the longer
 * side of the box around it. A small enough hole gets the surface that diffusion from its rim comes
 * to rest at: every cell the mean of its four neighbours (weighted for dx, dy), no flux through the
 * edge of the raster. So a hole in a plane is filled by the plane, and no value leaves the range of
 * the rim. Successive over-relaxation, in the order in which the hole was flooded, solves it.
 *
 * Every empty cell enters `cell` once; the cells of a hole lie behind one another there. */
#include <ria/field.h>

#include <math.h>
#include <stdlib.h>

typedef struct hole {
  const int32_t *cell; /* [n] j * nx + i */
  size_t n;
  int i0, i1, j0, j1; /* the box around it, both ends within */
} hole;

/* The neighbours of a cell inside the raster, west east south north. */
typedef struct neighbours {
  int n;
  int32_t cell[4];
  double weight[4];
} neighbours;

static neighbours around(const ria_grid *g, int32_t c) {
  const int i = c % g->nx, j = c / g->nx;
  const double wx = g->dy / g->dx, wy = g->dx / g->dy;
  neighbours a = {0};
  if (i > 0) a.cell[a.n] = c - 1, a.weight[a.n++] = wx;
  if (i < g->nx - 1) a.cell[a.n] = c + 1, a.weight[a.n++] = wx;
  if (j > 0) a.cell[a.n] = c - g->nx, a.weight[a.n++] = wy;
  if (j < g->ny - 1) a.cell[a.n] = c + g->nx, a.weight[a.n++] = wy;
  return a;
}

/* Collect the hole around `seed` into cell[0..n); every cell of it is marked as seen. */
static hole flood(const ria_raster *r, int32_t seed, int32_t *cell, unsigned char *seen) {
  const ria_grid *g = &r->grid;
  hole h = {cell, 1, g->nx, 0, g->ny, 0};
  cell[0] = seed;
  seen[seed] = 1;
  for (size_t k = 0; k < h.n; k++) {
    const int i = cell[k] % g->nx, j = cell[k] / g->nx;
    if (i < h.i0) h.i0 = i;
    if (i > h.i1) h.i1 = i;
    if (j < h.j0) h.j0 = j;
    if (j > h.j1) h.j1 = j;
    const neighbours a = around(g, cell[k]);
    for (int q = 0; q < a.n; q++)
      if (!seen[a.cell[q]] && isnan(r->data[a.cell[q]])) {
        seen[a.cell[q]] = 1;
        cell[h.n++] = a.cell[q];
      }
  }
  return h;
}

static int across(const hole *h) {
  const int w = h->i1 - h->i0 + 1, t = h->j1 - h->j0 + 1;
  return w > t ? w : t;
}

/* Range and mean of the values on the rim; n is 0 when the whole raster is empty. */
typedef struct rim {
  size_t n;
  double min, max, mean;
} rim;

static rim rim_of(const ria_raster *r, const hole *h) {
  rim m = {0, INFINITY, -INFINITY, 0.0};
  for (size_t k = 0; k < h->n; k++) {
    const neighbours a = around(&r->grid, h->cell[k]);
    for (int q = 0; q < a.n; q++) {
      const double v = r->data[a.cell[q]];
      if (isnan(v)) continue;
      m.n++;
      m.min = fmin(m.min, v);
      m.max = fmax(m.max, v);
      m.mean += (v - m.mean) / (double)m.n;
    }
  }
  return m;
}

/* One sweep; returns the largest change. */
static double relax(ria_raster *r, const hole *h, double omega) {
  double change = 0.0;
  for (size_t k = 0; k < h->n; k++) {
    const neighbours a = around(&r->grid, h->cell[k]);
    double sum = 0.0, total = 0.0;
    for (int q = 0; q < a.n; q++) {
      sum += a.weight[q] * r->data[a.cell[q]];
      total += a.weight[q];
    }
    double *v = &r->data[h->cell[k]];
    const double d = omega * (sum / total - *v);
    *v += d;
    change = fmax(change, fabs(d));
  }
  return change;
}

static void clamp(ria_raster *r, const hole *h, const rim *m) {
  for (size_t k = 0; k < h->n; k++) {
    double *v = &r->data[h->cell[k]];
    *v = fmin(fmax(*v, m->min), m->max);
  }
}

static long diffuse(ria_raster *r, const hole *h) {
  const double pi = 3.14159265358979323846;
  const rim m = rim_of(r, h);
  if (m.n == 0) return 0;
  for (size_t k = 0; k < h->n; k++) r->data[h->cell[k]] = m.mean;
  const int size = across(h);
  const double omega = 2.0 / (1.0 + sin(pi / (size + 1.0))), enough = 1e-12 * (m.max - m.min);
  for (int sweep = 0; sweep < 200 * (size + 1); sweep++)
    if (relax(r, h, omega) <= enough) break;
  clamp(r, h, &m);
  return (long)h->n;
}

static ria_status fill_holes(ria_context *ctx, ria_raster *r, int max_gap, long *filled) {
  const int32_t n = r->grid.nx * r->grid.ny;
  size_t empty = 0;
  for (int32_t c = 0; c < n; c++) empty += isnan(r->data[c]);
  if (empty == 0) return RIA_OK;
  int32_t *cell = malloc(empty * sizeof *cell);
  unsigned char *seen = calloc((size_t)n, 1);
  if (cell && seen) {
    size_t used = 0;
    for (int32_t c = 0; c < n; c++) {
      if (seen[c] || !isnan(r->data[c])) continue;
      const hole h = flood(r, c, cell + used, seen);
      used += h.n;
      if (across(&h) <= max_gap) *filled += diffuse(r, &h);
    }
  }
  const bool ok = cell && seen;
  free(cell);
  free(seen);
  return ok ? RIA_OK : ria_fail(ctx, RIA_ERR_MEMORY, "out of memory while filling gaps");
}

static void fill_constant(ria_raster *r, double value, long *filled) {
  const int32_t n = r->grid.nx * r->grid.ny;
  for (int32_t c = 0; c < n; c++)
    if (isnan(r->data[c])) {
      r->data[c] = value;
      ++*filled;
    }
}

ria_status ria_raster_fill(ria_context *ctx, ria_raster *r, int max_gap, double value,
                           long *filled) {
  long n = 0;
  ria_status s = ria_grid_check(ctx, &r->grid);
  if (s == RIA_OK && max_gap < 0)
    s = ria_fail(ctx, RIA_ERR_ARGUMENT,
                 "max_gap must be 0 (fill with a value) or more cells, not %d", max_gap);
  if (s == RIA_OK && max_gap == 0 && !isfinite(value))
    s = ria_fail(ctx, RIA_ERR_ARGUMENT, "the value to fill with must be a finite number, not %g",
                 value);
  if (s == RIA_OK) {
    if (max_gap > 0)
      s = fill_holes(ctx, r, max_gap, &n);
    else
      fill_constant(r, value, &n);
  }
  if (filled) *filled = n;
  return s;
}
