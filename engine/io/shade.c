/* io/shade.c - relief as light and shadow.
 *
 * Horn's gradient weighs the eight neighbours 1-2-1:
 *     dz/dx = ((c + 2f + i) - (a + 2d + g)) / (8 dx)        a b c
 *     dz/dy = ((a + 2b + c) - (g + 2h + i)) / (8 dy)        d e f     north is up
 *                                                           g h i
 * and a surface with that gradient is lit by a light at azimuth 315, altitude 45 degrees with
 *     shade = (sin 45 + cos 45 (dz/dx - dz/dy) / sqrt 2 ) / sqrt(1 + |grad z|^2).
 * At the rim the outermost pixels are repeated. */
#include "io/shade.h"

#include <math.h>
#include <stdlib.h>

static const double mean_slope_shown = 0.17, exaggeration_max = 200.0;

static int within(int k, int n) { return k < 0 ? 0 : k >= n ? n - 1 : k; }

/* One row of gradients; left and right of it the row above, the row itself, the one below. */
static void gradient_row(const float *restrict above, const float *restrict here,
                         const float *restrict below, int n, float rx, float ry, float *restrict gx,
                         float *restrict gy) {
  for (int k = 1; k < n - 1; k++) {
    gx[k] = rx * ((above[k + 1] + 2.0f * here[k + 1] + below[k + 1]) -
                  (above[k - 1] + 2.0f * here[k - 1] + below[k - 1]));
    gy[k] = ry * ((above[k - 1] + 2.0f * above[k] + above[k + 1]) -
                  (below[k - 1] + 2.0f * below[k] + below[k + 1]));
  }
  for (int k = 0; k<n; k += n> 1 ? n - 1 : 1) { /* the two ends */
    int l = within(k - 1, n), r = within(k + 1, n);
    gx[k] = rx * ((above[r] + 2.0f * here[r] + below[r]) - (above[l] + 2.0f * here[l] + below[l]));
    gy[k] =
        ry * ((above[l] + 2.0f * above[k] + above[r]) - (below[l] + 2.0f * below[k] + below[r]));
  }
}

static double exaggeration(const float *gx, const float *gy, size_t n) {
  double sum = 0.0;
  size_t count = 0;
  for (size_t k = 0; k < n; k += 3) { /* every third pixel is plenty for a mean */
    float slope = fabsf(gx[k]) + fabsf(gy[k]);
    if (!(slope <= 1e9f)) continue;
    sum += (double)slope;
    count++;
  }
  double mean = count ? sum / (double)count : 0.0;
  return mean > 0.0 ? fmin(mean_slope_shown / mean, exaggeration_max) : 1.0;
}

bool ria_shade(const float *z, int width, int height, double dx, double dy, float *shade) {
  size_t w = (size_t)width, n = w * (size_t)height;
  float *gx = malloc(2 * n * sizeof *gx), *gy = gx ? gx + n : NULL;
  if (!gx) return false;
  float rx = (float)(1.0 / (8.0 * dx)), ry = (float)(1.0 / (8.0 * dy));
  for (int row = 0; row < height; row++) {
    size_t at = (size_t)row * w;
    gradient_row(z + (size_t)within(row - 1, height) * w, z + at,
                 z + (size_t)within(row + 1, height) * w, width, rx, ry, gx + at, gy + at);
  }
  const float e = (float)exaggeration(gx, gy, n);
  for (size_t k = 0; k < n; k++) {
    float x = e * gx[k], y = e * gy[k];
    float lit = (RIA_SHADE_FLAT + 0.5f * (x - y)) / sqrtf(1.0f + x * x + y * y);
    shade[k] = lit > 1.0f ? 1.0f : lit > 0.0f ? lit : lit == lit ? 0.0f : RIA_SHADE_FLAT;
  }
  free(gx);
  return true;
}
