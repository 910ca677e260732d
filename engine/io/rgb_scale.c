/* io/rgb_scale.c - a picture in another size: along x into rows of floats, then along y. */
#include "io/rgb_scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct tent {
  double centre, support;
  int first, last;
} tent;

/* What the k-th of `to` pixels takes of `from`. */
static tent tent_at(int k, int from, int to) {
  const double scale = (double)from / to;
  tent t = {.centre = (k + 0.5) * scale - 0.5, .support = fmax(scale, 1.0)};
  t.first = (int)fmax(ceil(t.centre - t.support), 0.0);
  t.last = (int)fmin(floor(t.centre + t.support), from - 1.0);
  return t;
}

static float weight_of(const tent *t, int k) {
  return (float)fmax(1.0 - fabs(k - t->centre) / t->support, 0.0);
}

/* rows[height][out_width][3] */
static void along_x(const uint8_t *from, int width, int height, float *rows, int out_width) {
  for (int x = 0; x < out_width; x++) {
    const tent t = tent_at(x, width, out_width);
    float all = 0.0f;
    for (int k = t.first; k <= t.last; k++) all += weight_of(&t, k);
    for (int y = 0; y < height; y++) {
      float sum[3] = {0.0f, 0.0f, 0.0f};
      for (int k = t.first; k <= t.last; k++) {
        const uint8_t *at = from + 3 * ((size_t)y * (size_t)width + (size_t)k);
        const float w = weight_of(&t, k);
        for (int p = 0; p < 3; p++) sum[p] += w * (float)at[p];
      }
      float *to = rows + 3 * ((size_t)y * (size_t)out_width + (size_t)x);
      for (int p = 0; p < 3; p++) to[p] = sum[p] / all;
    }
  }
}

static void along_y(const float *rows, int height, uint8_t *out, int out_width, int out_height) {
  const size_t n = 3 * (size_t)out_width;
  for (int y = 0; y < out_height; y++) {
    const tent t = tent_at(y, height, out_height);
    float all = 0.0f;
    for (int k = t.first; k <= t.last; k++) all += weight_of(&t, k);
    for (size_t x = 0; x < n; x++) {
      float sum = 0.0f;
      for (int k = t.first; k <= t.last; k++) sum += weight_of(&t, k) * rows[(size_t)k * n + x];
      out[(size_t)y * n + x] = (uint8_t)lrintf(sum / all);
    }
  }
}

bool ria_rgb_scale(const uint8_t *from, int width, int height, uint8_t *out, int out_width,
                   int out_height) {
  if (width == out_width && height == out_height) {
    memcpy(out, from, 3 * (size_t)width * (size_t)height);
    return true;
  }
  float *rows = malloc(3 * (size_t)height * (size_t)out_width * sizeof *rows);
  if (!rows) return false;
  along_x(from, width, height, rows, out_width);
  along_y(rows, height, out, out_width, out_height);
  free(rows);
  return true;
}
