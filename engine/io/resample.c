/* io/resample.c - a field of cells as a picture of pixels.
 *
 * The weights of a pixel are a product of weights along x and along y. Rows of cells are added up
 * first, weighted, over the whole width (simple loops that vectorise and read every cell little
 * more than once); the sums are then gathered along x into pixels. Values count only where there
 * is water and a value: the picture's value is sum(w value) / sum(w) over those cells.
 *
 * The bed goes its own way where the grid is coarser: cubic B-splines, continued in a straight line
 * beyond the rim, have gradients without jumps, which the shading would show as facets. */
#include "io/resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which cells make up each pixel along one axis: cells first .. first + count - 1. */
typedef struct axis_weights {
  int n;    /* pixels */
  int room; /* weights a pixel */
  int *first, *count;
  float *weight; /* [n][room], their sum is 1 for each pixel */
} axis_weights;

static void axis_free(axis_weights *a) {
  free(a->first);
  free(a->count);
  free(a->weight);
}

/* Cells covered by [lo, hi), by the part covered. */
static void weigh_cover(axis_weights *a, int p, double lo, double hi, int cells) {
  int first = (int)lo, last = (int)ceil(hi) - 1;
  if (last >= cells) last = cells - 1;
  if (first > last) first = last;
  a->first[p] = first;
  a->count[p] = 0;
  for (int k = first; k <= last && a->count[p] < a->room; k++) {
    double part = fmin(hi, k + 1.0) - fmax(lo, k);
    a->weight[p * a->room + a->count[p]++] = (float)(part / (hi - lo));
  }
}

static void weigh_between(axis_weights *a, int p, double at, int cells) {
  double x = fmin(fmax(at, 0.0), cells - 1.0);
  int first = (int)x;
  if (first > cells - 2) first = cells > 1 ? cells - 2 : 0;
  float w = (float)(x - first);
  a->first[p] = first;
  a->count[p] = cells > 1 ? 2 : 1;
  a->weight[p * a->room] = cells > 1 ? 1.0f - w : 1.0f;
  if (cells > 1) a->weight[p * a->room + 1] = w;
}

/* Add to the weight of cell k of the four from `first` on; outside cells are put in terms of the
 * two at the rim: z[-m] = (m + 1) z[0] - m z[1], and so at the other end. */
static void add_tap(float *weight, int first, int k, float w, int cells) {
  if (k < 0) {
    weight[0 - first] += w * (float)(1 - k);
    weight[1 - first] += w * (float)k;
  } else if (k >= cells) {
    weight[cells - 1 - first] += w * (float)(k - cells + 2);
    weight[cells - 2 - first] -= w * (float)(k - cells + 1);
  } else {
    weight[k - first] += w;
  }
}

static void weigh_spline(axis_weights *a, int p, double at, int cells) {
  int k = (int)floor(at);
  float t = (float)(at - k), u = 1.0f - t;
  int first = k - 1 < 0 ? 0 : k - 1 > cells - 4 ? cells - 4 : k - 1;
  float *weight = a->weight + (size_t)p * (size_t)a->room;
  for (int tap = 0; tap < 4; tap++) weight[tap] = 0.0f;
  add_tap(weight, first, k - 1, u * u * u / 6.0f, cells);
  add_tap(weight, first, k, (4.0f - 6.0f * t * t + 3.0f * t * t * t) / 6.0f, cells);
  add_tap(weight, first, k + 1, (4.0f - 6.0f * u * u + 3.0f * u * u * u) / 6.0f, cells);
  add_tap(weight, first, k + 2, t * t * t / 6.0f, cells);
  a->first[p] = first;
  a->count[p] = 4;
}

/* extent: how many cells lie along the axis, the last perhaps in part; 0 = all of them whole. */
static bool axis_make(axis_weights *a, int cells, double extent, int pixels, bool spline) {
  double ratio = (extent > 0.0 ? extent : cells) / pixels;
  *a = (axis_weights){.n = pixels, .room = (int)ceil(ratio) + 3};
  a->first = malloc((size_t)pixels * sizeof *a->first);
  a->count = malloc((size_t)pixels * sizeof *a->count);
  a->weight = malloc((size_t)pixels * (size_t)a->room * sizeof *a->weight);
  if (!a->first || !a->count || !a->weight) return false;
  for (int p = 0; p < pixels; p++) {
    if (ratio >= 1.0)
      weigh_cover(a, p, p * ratio, (p + 1) * ratio, cells);
    else if (spline && cells >= 4)
      weigh_spline(a, p, (p + 0.5) * ratio - 0.5, cells);
    else
      weigh_between(a, p, (p + 0.5) * ratio - 0.5, cells);
  }
  return true;
}

/* --- value and wet part ------------------------------------------------------------------- */

/* Weighted sums of rows of cells, [nx] each, one after the other in memory. */
typedef struct row_sums {
  float *value, *weight, *wet;
  float *here; /* weight of each cell of the row at hand: 0 where it is dry */
} row_sums;

/* Loops with one condition each, which the compiler turns into selects. */
static void weigh_wet(const row_sums *sums, const float *restrict depth, float dry, float w,
                      int n) {
  float *restrict here = sums->here;
  for (int i = 0; i < n; i++) here[i] = depth[i] >= dry ? w : 0.0f;
}

static void weigh_values(const row_sums *sums, const float *restrict v, float w, int n) {
  float *restrict here = sums->here;
  for (int i = 0; i < n; i++) here[i] = v[i] == v[i] ? w : 0.0f;
}

static void add_values(const row_sums *sums, const float *restrict v, int n) {
  const float *restrict here = sums->here;
  float *restrict value = sums->value, *restrict weight = sums->weight, *restrict wet = sums->wet;
  for (int i = 0; i < n; i++) {
    float some = v[i] == v[i] ? v[i] : 0.0f;
    value[i] += here[i] * some;
    wet[i] += here[i];
  }
  for (int i = 0; i < n; i++) {
    float w = here[i];
    weight[i] += v[i] == v[i] ? w : 0.0f;
  }
}

static void sum_rows(const ria_cells *from, const axis_weights *rows, int p, const row_sums *sums) {
  int n = from->nx;
  memset(sums->value, 0, 3 * (size_t)n * sizeof *sums->value);
  for (int k = 0; k < rows->count[p]; k++) {
    size_t at = (size_t)(rows->first[p] + k) * (size_t)n;
    float w = rows->weight[p * rows->room + k];
    if (w == 0.0f) continue;
    if (from->depth)
      weigh_wet(sums, from->depth + at, from->dry, w, n);
    else
      weigh_values(sums, from->value + at, w, n);
    add_values(sums, from->value + at, n);
  }
}

static void gather(const row_sums *sums, const axis_weights *columns, float *value, float *wet) {
  for (int p = 0; p < columns->n; p++) {
    const float *w = columns->weight + (size_t)p * (size_t)columns->room;
    int first = columns->first[p];
    float v = 0.0f, weight = 0.0f, water = 0.0f;
    for (int k = 0; k < columns->count[p]; k++) {
      v += w[k] * sums->value[first + k];
      weight += w[k] * sums->weight[first + k];
      water += w[k] * sums->wet[first + k];
    }
    value[p] = weight > 1e-6f ? v / weight : NAN;
    wet[p] = water;
  }
}

static bool resample_water(const ria_cells *from, const ria_pixels *to) {
  axis_weights rows = {0}, columns = {0};
  size_t n = (size_t)from->nx;
  float *room = malloc(4 * n * sizeof *room);
  bool ok = room && axis_make(&rows, from->ny, from->rows, to->height, false) &&
            axis_make(&columns, from->nx, from->columns, to->width, false);
  for (int p = 0; ok && p < to->height; p++) {
    row_sums sums = {room, room + n, room + 2 * n, room + 3 * n};
    size_t at = (size_t)(to->height - 1 - p) * (size_t)to->width; /* south is at the bottom */
    sum_rows(from, &rows, p, &sums);
    gather(&sums, &columns, to->value + at, to->wet + at);
  }
  free(room);
  axis_free(&rows);
  axis_free(&columns);
  return ok;
}

/* --- the bed ------------------------------------------------------------------------------ */

static void add_bed(float *restrict sum, const float *restrict bed, float w, int n) {
  for (int i = 0; i < n; i++) sum[i] += w * bed[i];
}

static void gather_bed(const float *sum, const axis_weights *columns, float *bed) {
  for (int p = 0; p < columns->n; p++) {
    const float *w = columns->weight + (size_t)p * (size_t)columns->room;
    float z = 0.0f;
    for (int k = 0; k < columns->count[p]; k++) z += w[k] * sum[columns->first[p] + k];
    bed[p] = z;
  }
}

static bool resample_bed(const ria_cells *from, const ria_pixels *to) {
  axis_weights rows = {0}, columns = {0};
  size_t n = (size_t)from->nx;
  float *sum = malloc(n * sizeof *sum);
  bool ok = sum && axis_make(&rows, from->ny, from->rows, to->height, true) &&
            axis_make(&columns, from->nx, from->columns, to->width, true);
  for (int p = 0; ok && p < to->height; p++) {
    memset(sum, 0, n * sizeof *sum);
    for (int k = 0; k < rows.count[p]; k++)
      add_bed(sum, from->bed + (size_t)(rows.first[p] + k) * n, rows.weight[p * rows.room + k],
              from->nx);
    gather_bed(sum, &columns, to->bed + (size_t)(to->height - 1 - p) * (size_t)to->width);
  }
  free(sum);
  axis_free(&rows);
  axis_free(&columns);
  return ok;
}

bool ria_resample(const ria_cells *from, const ria_pixels *to) {
  if (from->bed) return resample_water(from, to) && resample_bed(from, to);
  memset(to->bed, 0, (size_t)to->width * (size_t)to->height * sizeof *to->bed);
  return resample_water(from, to);
}
