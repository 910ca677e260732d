/* Shapes on a grid: shares of cells under polygons against exact areas and fine sampling. */
#include "drawing.h"
#include <stdlib.h>

/* --- shares against what is known exactly ----------------------------------------------------- */

static void square(void) {
  drawing d = {.n = 0};
  const ria_grid g = {4, 3, 10.0, 5.0, 100.0, -5.0, 0};
  double share[12], sum = 0.0;
  begin(&d, RIA_POLYGONS);
  box(&d, 0, 105, -4, 122, 5); /* half of the first column, all of the second, 1/5 of the third */
  ria_shapes *s = made(&d);
  CHECK_OK(ctx, ria_shapes_cover(ctx, s, &g, 0, NULL, share, NULL));
  const double of_column[4] = {0.5, 1, 0.2, 0}, of_row[3] = {0.8, 1, 0};
  for (int k = 0; k < 12; k++) {
    CHECK_NEAR(share[k], of_column[k % 4] * of_row[k / 4], 1e-15);
    sum += share[k] * 50.0;
  }
  CHECK_NEAR(sum, 17.0 * 9.0, 1e-12);
  ria_shapes_destroy(&s);
}

/* What takes long ends when the context is interrupted, and works again afterwards. */
static void interrupted(void) {
  drawing d = {.n = 0};
  const ria_grid g = {3, 3, 1, 1, 0, 0, 0};
  const double value = 1.0;
  const ria_lay lay = {.cells = RIA_CELLS_CENTRE, .value = &value};
  double data[9] = {0};
  begin(&d, RIA_POLYGONS);
  ring(&d, 0, 3, (const double[3][2]){{0, 0}, {3, 0}, {0, 3}});
  ria_shapes *s = made(&d);
  ria_context_interrupt(ctx, true);
  CHECK_FAILS(ctx, ria_shapes_cover(ctx, s, &g, 0, NULL, data, NULL), RIA_INTERRUPTED,
              "interrupted");
  CHECK_FAILS(ctx, ria_shapes_lay(ctx, s, &g, &lay, data, NULL), RIA_INTERRUPTED, "interrupted");
  ria_context_interrupt(ctx, false);
  CHECK_OK(ctx, ria_shapes_lay(ctx, s, &g, &lay, data, NULL));
  CHECK(data[0] == 1.0);
  ria_shapes_destroy(&s);
}

static void triangle(void) {
  drawing d = {.n = 0};
  const ria_grid g = {3, 3, 1, 1, 0, 0, 0};
  double share[9];
  begin(&d, RIA_POLYGONS);
  ring(&d, 0, 3, (const double[3][2]){{0, 0}, {3, 0}, {0, 3}});
  ria_shapes *s = made(&d);
  CHECK_OK(ctx, ria_shapes_cover(ctx, s, &g, 0, NULL, share, NULL));
  const double exact[9] = {1, 1, 0.5, 1, 0.5, 0, 0.5, 0, 0};
  for (int k = 0; k < 9; k++) CHECK_NEAR(share[k], exact[k], 1e-15);
  ria_shapes_destroy(&s);
}

/* Holes by the even-odd rule in both directions of the rings; an island in the hole; a bow tie. */
static void holes(void) {
  const ria_grid g = {1, 1, 20, 20, -1, -1, 0};
  double share;
  for (int turned = 0; turned < 2; turned++) {
    drawing d = {.n = 0};
    begin(&d, RIA_POLYGONS);
    box(&d, 0, 0, 0, 10, 10);
    if (turned)
      ring(&d, 0, 4, (const double[4][2]){{2, 2}, {2, 8}, {8, 8}, {8, 2}});
    else
      box(&d, 0, 2, 2, 8, 8);
    box(&d, 1, 4, 4, 5, 5); /* another polygon of the shape */
    box(&d, 1, 4, 4, 5, 5); /* and its hole, which is all of it */
    box(&d, 2, 1, 1, 3, 3); /* lies on the first one in part: joined */
    ria_shapes *s = made(&d);
    CHECK_OK(ctx, ria_shapes_cover(ctx, s, &g, 0, NULL, &share, NULL));
    CHECK_NEAR(share * 400, 100 - 36 + 1, 1e-12);
    double size = 0;
    CHECK_OK(ctx, ria_shape_size(ctx, ria_shapes_at(s, 0), &size));
    CHECK_NEAR(size, 65, 1e-12);
    ria_shapes_destroy(&s);
  }
  drawing d = {.n = 0};
  begin(&d, RIA_POLYGONS);
  ring(&d, 0, 4, (const double[4][2]){{0, 0}, {10, 10}, {10, 0}, {0, 10}});
  ria_shapes *s = made(&d);
  CHECK_OK(ctx, ria_shapes_cover(ctx, s, &g, 0, NULL, &share, NULL));
  CHECK_NEAR(share * 400, 50, 1e-12);
  ria_shapes_destroy(&s);
}

/* Land use that fills the map: each cell's means are exact, whole cells to the bit, nothing of
 * what lies below shows at the seams. The later of two that overlap is on top. */
static void values(void) {
  drawing d = {.n = 0};
  const ria_grid g = {2, 2, 1, 1, 0, 0, 0};
  double share[4], mean[4];
  begin(&d, RIA_POLYGONS);
  ring(&d, 0, 4, (const double[4][2]){{-1, -1}, {0.5, -1}, {0.25, 3}, {-1, 3}});
  begin(&d, RIA_POLYGONS);
  ring(&d, 0, 4, (const double[4][2]){{0.5, -1}, {3, -1}, {3, 3}, {0.25, 3}});
  begin(&d, RIA_POLYGONS);
  box(&d, 0, 1.5, 1, 2, 2);
  begin(&d, RIA_POLYGONS);
  box(&d, 0, 0, 0, 1, 1);
  ria_shapes *s = made(&d);
  const double value[4] = {0.12, 0.03, 0.02, NAN};
  CHECK_OK(ctx, ria_shapes_cover(ctx, s, &g, 0, value, share, mean));
  for (int k = 0; k < 4; k++) CHECK_NEAR(share[k], 1, 0);
  const double seam = 0.5 - 0.25 * 1.5 / 4; /* the seam at y = 0.5 */
  CHECK_NEAR(mean[0], 0.12 * seam + 0.03 * (1 - seam), 1e-15);
  CHECK_NEAR(mean[1], 0.03, 0);
  CHECK_NEAR(mean[2], 0.12 * (seam - 0.0625) + 0.03 * (1.0625 - seam), 1e-15);
  CHECK_NEAR(mean[3], 0.5 * 0.03 + 0.5 * 0.02, 1e-15);
  ria_shapes_destroy(&s);
}

/* A fan of triangles of many values, and a box on top of half of it: there each cell has the box's
 * value to the bit, whatever was added and taken away west of it. */
static void one_value(void) {
  enum { N = 11, SIDE = 8 };
  const ria_grid g = {SIDE, SIDE, 0.7, 0.9, -2, -3, 0};
  double value[N + 1], share[SIDE * SIDE], mean[SIDE * SIDE], xy[N][2];
  drawing d = {.n = 0};
  for (int k = 0; k < N; k++) {
    value[k] = any(0.01, 0.2);
    xy[k][0] = 40 * cos(6.2831853 * (k + any(0, 0.9)) / N);
    xy[k][1] = 40 * sin(6.2831853 * (k + any(0, 0.9)) / N);
  }
  for (int k = 0; k < N; k++) {
    const double *a = xy[k], *b = xy[(k + 1) % N];
    begin(&d, RIA_POLYGONS);
    ring(&d, 0, 3, (const double[3][2]){{0.123, 0.456}, {a[0], a[1]}, {b[0], b[1]}});
  }
  begin(&d, RIA_POLYGONS);
  box(&d, 0, 0.5, -9, 9, 9);
  value[N] = 0.12;
  ria_shapes *s = made(&d);
  CHECK_OK(ctx, ria_shapes_cover(ctx, s, &g, 0, value, share, mean));
  for (int k = 0; k < SIDE * SIDE; k++) CHECK(share[k] == 1.0 && (k % SIDE < 4 || mean[k] == 0.12));
  ria_shapes_destroy(&s);
}

/* --- shares against fine sampling ------------------------------------------------------------- */

static bool in_polygon(const ria_shape *s, int polygon, double x, double y) {
  bool inside = false;
  for (size_t p = 0; p < s->n_parts; p++)
    for (size_t k = s->first[p]; s->polygon[p] == polygon && k + 1 < s->first[p + 1]; k++) {
      const double x0 = s->x[k], y0 = s->y[k], x1 = s->x[k + 1], y1 = s->y[k + 1];
      if ((y0 <= y) == (y1 <= y)) continue;
      if (x0 + (y - y0) / (y1 - y0) * (x1 - x0) > x) inside = !inside;
    }
  return inside;
}

static bool in_shape(const ria_shape *s, double x, double y) {
  for (int polygon = 0; polygon <= s->polygon[s->n_parts - 1]; polygon++)
    if (in_polygon(s, polygon, x, y)) return true;
  return false;
}

enum { FINE = 64 };

/* One cell's share and mean from FINE x FINE points. */
static void sample(const ria_shapes *s, const ria_grid *g, int i, int j, const double *value,
                   double *share, double *mean) {
  double hits = 0, sum = 0;
  for (int b = 0; b < FINE; b++)
    for (int a = 0; a < FINE; a++) {
      const double x = g->x0 + (i + (a + 0.5) / FINE) * g->dx;
      const double y = g->y0 + (j + (b + 0.5) / FINE) * g->dy;
      size_t k = ria_shapes_count(s);
      while (k > 0 && !in_shape(ria_shapes_at(s, k - 1), x, y)) k--;
      if (k == 0) continue;
      hits++;
      sum += value[k - 1];
    }
  *share = hits / (FINE * FINE);
  *mean = sum / hits;
}

/* Rings that cross themselves and each other, holes, polygons that overlap, most of them partly
 * outside the grid. A sample is off by at most the cells of the fine grid that edges pass. */
static void at_random(void) {
  const ria_grid g = {5, 4, 2.0, 3.0, -4.0, 10.0, 0};
  for (int turn = 0; turn < 40; turn++) {
    drawing d = {.n = 0};
    double value[8], share[20], mean[20];
    const int shapes = 1 + (int)any(0, 5);
    for (int k = 0; k < shapes; k++) {
      begin(&d, RIA_POLYGONS);
      value[k] = any(0, 1);
      for (int p = 0; p < 1 + turn % 3; p++) {
        double xy[7][2];
        const size_t n = 3 + (size_t)any(0, 4.99);
        for (size_t c = 0; c < n; c++) {
          xy[c][0] = any(-7, 9);
          xy[c][1] = any(6, 26);
        }
        ring(&d, p / 2, n, (const double(*)[2])xy);
      }
    }
    ria_shapes *s = made(&d);
    CHECK_OK(ctx, ria_shapes_cover(ctx, s, &g, 0, value, share, mean));
    for (int k = 0; k < 20; k++) {
      double about = 0, value_about = 0;
      sample(s, &g, k % 5, k / 5, value, &about, &value_about);
      CHECK_NEAR(share[k], about, 0.03);
      if (share[k] > 0.2) CHECK_NEAR(mean[k], value_about, 0.06);
    }
    ria_shapes_destroy(&s);
  }
}

/* The same rings on finer and finer grids: areas add up to the same within round-off. */
static void adds_up(void) {
  drawing d = {.n = 0};
  begin(&d, RIA_POLYGONS);
  double xy[60][2];
  for (int k = 0; k < 60; k++) {
    xy[k][0] = any(0, 1000);
    xy[k][1] = any(0, 1000);
  }
  ring(&d, 0, 60, (const double(*)[2])xy);
  ria_shapes *s = made(&d);
  double first = 0;
  CHECK_OK(ctx, ria_shape_size(ctx, ria_shapes_at(s, 0), &first));
  CHECK(first > 1e4 && first < 1e6);
  for (int n = 3; n < 200; n = 2 * n + 1) {
    const ria_grid g = {n, n, 1000.0 / n, 1000.0 / n, 0, 0, 0};
    double *share = malloc((size_t)(n * n) * sizeof *share), sum = 0;
    CHECK_OK(ctx, ria_shapes_cover(ctx, s, &g, 0, NULL, share, NULL));
    for (int k = 0; k < n * n; k++) sum += share[k] * g.dx * g.dy;
    CHECK_NEAR(sum, first, 1e-6);
    free(share);
  }
  ria_shapes_destroy(&s);
}

int main(void) {
  if (ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) != RIA_OK)
    return 1;
  square();
  triangle();
  interrupted();
  holes();
  values();
  one_value();
  at_random();
  adds_up();
  ria_context_destroy(&ctx);
  return TEST_END();
}
