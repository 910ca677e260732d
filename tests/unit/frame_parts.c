/* unit.frame_parts: what pictures of fields are made of: resampling, shading, ranges, colour maps.
 */
#include "io/frame.h"
#include "io/resample.h"
#include "io/shade.h"
#include "test.h"

/* Averaging keeps the mean, whatever the ratio of sizes; a linear field stays linear. */
static void resampling(void) {
  enum { N = 48 };
  static float cells[N * N], z[N * N], v[4 * N * N], wet[4 * N * N], b[4 * N * N];
  for (int k = 0; k < N * N; k++) {
    cells[k] = (float)((k * 7919) % 1000) / 1000.0f;
    z[k] = 0.5f * (float)(k % N) - 0.25f * (float)(k / N);
  }
  double mean = 0.0;
  for (int k = 0; k < N * N; k++) mean += (double)cells[k] / (N * N);
  const int size[] = {1, 5, 16, 31, 47, 48};
  for (size_t s = 0; s < sizeof size / sizeof *size; s++) {
    int n = size[s];
    const ria_cells from = {.nx = N, .ny = N, .value = cells, .bed = z};
    const ria_pixels to = {.width = n, .height = n, .value = v, .wet = wet, .bed = b};
    CHECK(ria_resample(&from, &to));
    double got = 0.0;
    for (int k = 0; k < n * n; k++) got += (double)v[k] / (n * n);
    CHECK_NEAR(got, mean, 1e-5);
    CHECK_NEAR(wet[0], 1.0, 1e-5);
  }
  const ria_cells from = {.nx = N, .ny = N, .value = z, .bed = z};
  const ria_pixels to = {.width = 2 * N, .height = 2 * N, .value = v, .wet = wet, .bed = b};
  CHECK(ria_resample(&from, &to));
  for (int y = 0; y < 2 * N; y++)
    for (int x = 0; x < 2 * N; x++) {
      double i = (x + 0.5) / 2 - 0.5, j = (2 * N - 1 - y + 0.5) / 2 - 0.5;
      CHECK_NEAR(b[y * 2 * N + x], 0.5 * i - 0.25 * j, 1e-4); /* the bed also beyond the rim */
      if (x > 0 && y > 0 && x < 2 * N - 1 && y < 2 * N - 1)
        CHECK_NEAR(v[y * 2 * N + x], 0.5 * i - 0.25 * j, 1e-4);
    }
}

/* Of means over 7 x 7 cells, the last ones of fewer, come the same pictures as of the cells. */
static void resampling_of_coarse(void) {
  enum { N = 45, C = 7, M = 7, P = 6 };
  static float cells[N * N], means[M * M], v[2][P * P], wet[P * P], b[P * P];
  for (int k = 0; k < N * N; k++) cells[k] = (float)(k / N / C + 3 * (k % N / C)); /* in blocks */
  for (int k = 0; k < M * M; k++) means[k] = (float)(k / M + 3 * (k % M));
  const ria_cells fine = {.nx = N, .ny = N, .value = cells};
  const ria_cells coarse = {
      .nx = M, .ny = M, .columns = (double)N / C, .rows = (double)N / C, .value = means};
  for (int k = 0; k < 2; k++) {
    const ria_pixels to = {.width = P, .height = P, .value = v[k], .wet = wet, .bed = b};
    CHECK(ria_resample(k ? &coarse : &fine, &to));
  }
  for (int k = 0; k < P * P; k++) CHECK_NEAR(v[1][k], v[0][k], 1e-5);
}

/* Dry cells and cells without a value do not dilute the mean. */
static void resampling_skips_the_dry(void) {
  const float values[4] = {8, 100, NAN, 4}, depths[4] = {1, 0, 1, 1};
  float v, wet, b;
  const ria_cells from = {.nx = 2, .ny = 2, .value = values, .depth = depths, .dry = 0.5f};
  const ria_pixels to = {.width = 1, .height = 1, .value = &v, .wet = &wet, .bed = &b};
  CHECK(ria_resample(&from, &to));
  CHECK_NEAR(v, 6.0, 1e-6);
  CHECK_NEAR(wet, 0.75, 1e-6);
  CHECK_NEAR(b, 0.0, 0.0);
}

/* The light comes from the north-west: a slope that faces it is lighter than one that faces away.
 */
static void shading(void) {
  enum { N = 9 };
  float z[N * N], shade[N * N];
  for (int k = 0; k < N * N; k++) z[k] = 3.0f;
  CHECK(ria_shade(z, N, N, 1, 1, shade));
  CHECK_NEAR(shade[40], RIA_SHADE_FLAT, 1e-6);
  for (int k = 0; k < N * N; k++) z[k] = (float)(k % N) + (float)(k / N); /* rises to the SE */
  CHECK(ria_shade(z, N, N, 1, 1, shade));
  CHECK(shade[40] > RIA_SHADE_FLAT + 0.05f);
  CHECK_NEAR(shade[0], shade[40], 0.2); /* the rim too */
  for (int k = 0; k < N * N; k++) z[k] = -z[k];
  CHECK(ria_shade(z, N, N, 1, 1, shade));
  CHECK(shade[40] < RIA_SHADE_FLAT - 0.05f);
  CHECK(ria_shade(z, 1, 1, 1, 1, shade));
}

static void ranges(void) {
  const float v[] = {NAN, 0.3f, 1.37f, 0.0f}, level[] = {-0.4f, NAN, 1.1f};
  const float high[] = {101.2f, 104.9f}, same[] = {2, 2, NAN}, none[] = {NAN};
  double lo = 7, hi = 7;
  CHECK(ria_frame_range(v, 4, RIA_SCALE_LINEAR, false, &lo, &hi));
  CHECK_NEAR(lo, 0.0, 0.0);
  CHECK_NEAR(hi, 1.5, 1e-12);
  CHECK(ria_frame_range(level, 3, RIA_SCALE_LINEAR, true, &lo, &hi));
  CHECK_NEAR(lo, -1.2, 1e-12);
  CHECK_NEAR(hi, 1.2, 1e-12);
  CHECK(ria_frame_range(high, 2, RIA_SCALE_LINEAR, false, &lo, &hi));
  CHECK_NEAR(lo, 101.0, 1e-9);
  CHECK_NEAR(hi, 105.0, 1e-9);
  CHECK(ria_frame_range(v, 4, RIA_SCALE_LOG, false, &lo, &hi));
  CHECK_NEAR(lo, 1e-3, 1e-12);
  CHECK_NEAR(hi, 10.0, 1e-12);
  lo = hi = 7;
  CHECK(!ria_frame_range(same, 3, RIA_SCALE_LINEAR, false, &lo, &hi));
  CHECK(!ria_frame_range(none, 1, RIA_SCALE_LINEAR, true, &lo, &hi));
  CHECK(!ria_frame_range(level, 1, RIA_SCALE_LOG, false, &lo, &hi));
  CHECK_NEAR(lo + hi, 14.0, 0.0);
}

static void colour_maps(void) {
  const char *const *names = ria_colormap_names();
  int n = 0;
  for (; names[n]; n++) CHECK(ria_colormap(names[n]) != NULL);
  CHECK_INT(n, 9);
  CHECK(ria_colormap("jet") == NULL && ria_colormap(NULL) == NULL);
  const uint8_t(*viridis)[3] = ria_colormap("viridis");
  CHECK(viridis[0][0] == 68 && viridis[0][1] == 1 && viridis[0][2] == 84);
  CHECK(viridis[255][0] == 253 && viridis[255][1] == 231 && viridis[255][2] == 37);
}

int main(void) {
  resampling();
  resampling_of_coarse();
  resampling_skips_the_dry();
  shading();
  ranges();
  colour_maps();
  return TEST_END();
}
