/* io/dem_blend.c - one raster laid over others, fading into them inside its edge.
 *
 * Its edge is where it has no value: around it, and around its holes. The share of a cell grows in
 * proportion to the distance of its centre from there, from 0 at the edge to 1 at the width of
 * blending; the edge of the model is none. Where nothing lies below, the raster counts in full.
 *
 * Distances are exact: squares of those along columns, then along each row the lower envelope of
 * parabolas (Felzenszwalb and Huttenlocher 2012). */
#include "io/dem.h"
#include "base/context.h"

#include <math.h>
#include <stdlib.h>

static size_t cells(const ria_grid *g) { return (size_t)g->nx * (size_t)g->ny; }

/* --- distances -------------------------------------------------------------------------------- */

/* Squared distance to the nearest cell of the same column without a value; INFINITY = none. */
static void along_columns(const ria_raster *r, double *square) {
  const int nx = r->grid.nx, ny = r->grid.ny;
  for (int i = 0; i < nx; i++) {
    double d = INFINITY;
    for (int j = 0; j < ny; j++) {
      const size_t c = (size_t)j * (size_t)nx + (size_t)i;
      d = isnan(r->data[c]) ? 0.0 : d + r->grid.dy;
      square[c] = d * d;
    }
    d = INFINITY;
    for (int j = ny - 1; j >= 0; j--) {
      const size_t c = (size_t)j * (size_t)nx + (size_t)i;
      d = isnan(r->data[c]) ? 0.0 : d + r->grid.dy;
      square[c] = fmin(square[c], d * d);
    }
  }
}

/* Where the parabola over b begins to lie below the one over a, a < b. */
static double meeting(const double *f, int a, int b, double step) {
  const double xa = a * step, xb = b * step;
  return (f[b] + xb * xb - f[a] - xa * xa) / (2.0 * (xb - xa));
}

/* The least of f[i] + distance(i, k)^2, for each k. at, from: [n] scratch. */
static void along_row(const double *f, int n, double step, int *at, double *from, double *out) {
  int last = -1;
  for (int i = 0; i < n; i++) {
    double begins = -INFINITY;
    if (isinf(f[i])) continue;
    while (last >= 0 && (begins = meeting(f, at[last], i, step)) <= from[last]) last--;
    at[++last] = i;
    from[last] = last ? begins : -INFINITY;
  }
  for (int k = 0, p = 0; k < n; k++) {
    if (last < 0) {
      out[k] = INFINITY;
      continue;
    }
    while (p < last && from[p + 1] <= k * step) p++;
    const double x = (k - at[p]) * step;
    out[k] = f[at[p]] + x * x;
  }
}

/* distance[c]: from the centre of each cell to the nearest cell without a value. */
static ria_status measure(ria_context *ctx, const ria_raster *r, double *distance) {
  const int nx = r->grid.nx;
  int *at = malloc((size_t)nx * sizeof *at);
  double *room = malloc(2 * (size_t)nx * sizeof *room);
  if (at && room) {
    along_columns(r, distance);
    for (int j = 0; j < r->grid.ny; j++) {
      double *row = distance + (size_t)j * (size_t)nx;
      along_row(row, nx, r->grid.dx, at, room, room + nx);
      for (int i = 0; i < nx; i++) row[i] = sqrt(room[nx + i]);
    }
  }
  const bool ok = at && room;
  free(at);
  free(room);
  return ok ? RIA_OK : ria_fail_memory(ctx, "distances", 0);
}

/* --- laying ----------------------------------------------------------------------------------- */

/* The edge lies half a cell this side of the centre that has no value. */
static double share_of(double distance, double half, double width) {
  return width > 0.0 ? fmin((distance - half) / width, 1.0) : 1.0;
}

static void count_cell(ria_dem *m, size_t c, size_t k, bool blended) {
  ria_dem_part *top = &m->part[k];
  if (m->top && m->top[c] >= 0) {
    ria_dem_part *old = &m->part[m->top[c]];
    old->cells--;
    old->blended -= (m->how[c] & RIA_DEM_BLENDED) != 0;
    m->how[c] &= (unsigned char)~RIA_DEM_BLENDED;
  }
  if (m->top) m->top[c] = (int32_t)k;
  if (blended) m->how[c] |= RIA_DEM_BLENDED;
  top->cells++;
  top->blended += blended;
}

/* Less than half of the cell: no value of this raster alone. */
static bool is_scrap(ria_dem *m, size_t c, double v) {
  if (!m->share || m->share[c] >= 0.5 - 1e-9) return false;
  m->sum[c] += m->share[c] * v;
  m->known[c] += m->share[c];
  return true;
}

void ria_dem_join(ria_dem *m) {
  for (size_t c = 0; m->share && c < cells(&m->z->grid); c++)
    if (isnan(m->z->data[c]) && m->known[c] >= 0.5 - 1e-9) m->z->data[c] = m->sum[c] / m->known[c];
}

/* Those that are not enough have no value. */
static void take_scraps(ria_dem *m, ria_raster *on_top) {
  for (size_t c = 0; c < cells(&m->z->grid); c++)
    if (!isnan(on_top->data[c]) && is_scrap(m, c, on_top->data[c])) on_top->data[c] = NAN;
}

ria_status ria_dem_lay(ria_dem *m, size_t k, ria_raster *on_top) {
  const ria_grid *g = &m->z->grid;
  const ria_dem_layer *l = &m->desc->layers[k];
  const bool below = k + 1 < m->desc->n_layers;
  const double width = !below ? 0.0 : l->blend > 0.0 ? l->blend : m->desc->blend;
  const double half = 0.5 * fmin(g->dx, g->dy);
  double *distance = NULL;
  ria_status s = RIA_OK;
  if (m->share) take_scraps(m, on_top);
  if (width > 0.0 && !(distance = malloc(cells(g) * sizeof *distance)))
    return ria_fail_memory(m->ctx, "distances", cells(g) * sizeof *distance);
  if (distance) s = measure(m->ctx, on_top, distance);
  for (size_t c = 0; s == RIA_OK && c < cells(g); c++) {
    const double v = on_top->data[c];
    double *z = &m->z->data[c];
    if (isnan(v)) continue;
    const double share = distance ? share_of(distance[c], half, width) : 1.0;
    const bool blended = share < 1.0 && !isnan(*z);
    *z = blended ? *z + share * (v - *z) : v;
    count_cell(m, c, k, blended);
  }
  free(distance);
  return s;
}
