/* io/dem_smooth.c - a raster smoothed by a Gaussian, along x, then along y.
 *
 * A value counts only together with the one at the same distance on the other side: v(-k) and v(k),
 * or neither. So a plane stays a plane up to its edges and beside holes, where there is less to
 * smooth with, and no value leaves the range of those around. */
#include "io/dem.h"
#include "base/context.h"

#include <math.h>
#include <stdlib.h>

/* Weights of the distances 1 .. n, in cells; those of both sides and of 0 add up to 1. */
static double *weights_of(double deviation, int cells, int *n) {
  const int reach = (int)fmin(ceil(4.0 * deviation), cells - 1.0);
  double *w = malloc(((size_t)reach + 1) * sizeof *w), sum = 1.0;
  if (!w) return NULL;
  for (int k = 1; k <= reach; k++) {
    w[k - 1] = exp(-0.5 * (k / deviation) * (k / deviation));
    sum += 2.0 * w[k - 1];
  }
  for (int k = 0; k < reach; k++) w[k] /= sum;
  *n = reach;
  return w;
}

static double smoothed(const double *v, int i, int n, const double *w, int reach) {
  double sum = 0.0;
  for (int k = 1; k <= reach && i - k >= 0 && i + k < n; k++) {
    const double pair = (v[i - k] - v[i]) + (v[i + k] - v[i]);
    if (!isnan(pair)) sum += w[k - 1] * pair;
  }
  return v[i] + sum;
}

/* n values, `stride` apart, of each of `lines` lines that begin `next` apart. */
static bool smooth_lines(double *data, int n, size_t stride, int lines, size_t next,
                         double deviation) {
  int reach = 0;
  double *line = malloc((size_t)n * sizeof *line);
  double *w = weights_of(deviation, n, &reach);
  const bool ok = line && w;
  for (int k = 0; ok && k < lines; k++) {
    double *at = data + (size_t)k * next;
    for (int i = 0; i < n; i++) line[i] = at[(size_t)i * stride];
    for (int i = 0; i < n; i++) at[(size_t)i * stride] = smoothed(line, i, n, w, reach);
  }
  free(line);
  free(w);
  return ok;
}

ria_status ria_dem_smooth(ria_context *ctx, ria_raster *z, double deviation) {
  const ria_grid *g = &z->grid;
  const size_t row = (size_t)g->nx;
  if (smooth_lines(z->data, g->nx, 1, g->ny, row, deviation / g->dx) &&
      smooth_lines(z->data, g->ny, row, g->nx, 1, deviation / g->dy))
    return RIA_OK;
  return ria_fail_memory(ctx, "smoothing", 0);
}
