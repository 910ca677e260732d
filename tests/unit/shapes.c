/* Shapes on a grid: shares of cells against exact areas and fine sampling, whole cells, chains of
 * cells without a gap, what is laid onto a raster. */
#include "shapes/walk.h"
#include "test.h"
#include <ria/shapes.h>
#include <stdlib.h>

static ria_context *ctx;

/* A generator of its own: the same shapes everywhere. */
static uint64_t seed = 1;
static double any(double low, double high) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

/* --- making shapes ---------------------------------------------------------------------------- */

enum { MAX_POSITIONS = 400, MAX_PARTS = 40, MAX_SHAPES = 40 };

typedef struct drawing {
  double x[MAX_POSITIONS], y[MAX_POSITIONS], z[MAX_POSITIONS];
  size_t first[MAX_PARTS + MAX_SHAPES];
  int polygon[MAX_PARTS];
  ria_shape shape[MAX_SHAPES];
  size_t n, parts, positions;
} drawing;

static void begin(drawing *d, ria_shape_kind kind) {
  d->shape[d->n] = (ria_shape){.kind = kind,
                               .first = d->first + d->parts + d->n,
                               .polygon = d->polygon + d->parts,
                               .x = d->x,
                               .y = d->y,
                               .z = d->z};
  d->n++;
}

static void part(drawing *d, int polygon) {
  ria_shape *s = &d->shape[d->n - 1];
  d->polygon[d->parts] = polygon;
  d->first[d->parts + d->n - 1] = d->positions;
  d->parts++;
  s->n_parts++;
}

static void at(drawing *d, double x, double y) {
  d->x[d->positions] = x;
  d->y[d->positions] = y;
  d->z[d->positions] = NAN;
  d->positions++;
  d->first[d->parts + d->n - 1] = d->positions;
}

static void ring(drawing *d, int polygon, size_t n, const double (*xy)[2]) {
  part(d, polygon);
  for (size_t k = 0; k <= n; k++) at(d, xy[k % n][0], xy[k % n][1]);
}

static void box(drawing *d, int polygon, double x0, double y0, double x1, double y1) {
  ring(d, polygon, 4, (const double[4][2]){{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}});
}

static ria_shapes *made(const drawing *d) {
  ria_shapes *s = NULL;
  CHECK_OK(ctx, ria_shapes_make(ctx, d->shape, d->n, NULL, &s));
  return s;
}

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

/* --- lines ------------------------------------------------------------------------------------ */

static void bands(void) {
  const ria_grid g = {20, 20, 1, 1, 0, 0, 0};
  double share[400], sum = 0;
  drawing d = {.n = 0};
  begin(&d, RIA_LINES);
  part(&d, 0);
  at(&d, 2, 3);
  at(&d, 2, 13);
  at(&d, 12, 13);
  ria_shapes *s = made(&d);
  CHECK_OK(ctx, ria_shapes_cover(ctx, s, &g, 2, NULL, share, NULL));
  for (int k = 0; k < 400; k++) sum += share[k];
  /* two strips of 10 x 2 share a square; outside of the bend a quarter of a disc joins them */
  CHECK_NEAR(sum, 20 + 20 - 1 + atan(1), 2e-3);
  CHECK_FAILS(ctx, ria_shapes_cover(ctx, s, &g, 0, NULL, share, NULL), RIA_ERR_ARGUMENT,
              "shapes: shares of cells under lines need a width");
  double size = 0;
  CHECK_OK(ctx, ria_shape_size(ctx, ria_shapes_at(s, 0), &size));
  CHECK_NEAR(size, 20, 0);
  ria_shapes_destroy(&s);
}

typedef struct steps {
  int i, j;
  long n, breaks;
  double length;
} steps;

static ria_status step(void *user, int i, int j, double t0, double t1) {
  steps *s = user;
  if (s->n++ && abs(i - s->i) + abs(j - s->j) > 1) s->breaks++;
  s->i = i;
  s->j = j;
  s->length += t1 - t0;
  return RIA_OK;
}

/* Each leg ends in the cell where the next begins, from side to side, through corners too. */
static void chains(void) {
  const ria_grid g = {50, 50, 1, 1, 0, 0, 0};
  for (int turn = 0; turn < 200; turn++) {
    steps s = {0};
    double u = floor(any(1, 49)), v = floor(any(1, 49));
    for (int leg = 0; leg < 20; leg++) {
      const bool corners = turn % 2;
      const double to_u = corners ? floor(any(1, 49)) : any(0.5, 49.5);
      const double to_v = corners ? floor(any(1, 49)) : any(0.5, 49.5);
      const ria_leg l = {u, v, to_u, to_v};
      CHECK_OK(NULL, ria_walk(&g, &l, step, &s));
      CHECK(s.i == (int)to_u && s.j == (int)to_v);
      u = to_u;
      v = to_v;
    }
    CHECK_INT(s.breaks, 0);
    CHECK_NEAR(s.length, 20, 1e-9);
  }
  steps across = {0};
  CHECK_OK(NULL, ria_walk(&g, &(ria_leg){-1e11, -1e11, 1e11, 1e11}, step, &across));
  CHECK(across.n >= 50 && across.n <= 101 && across.breaks == 0);
  /* the sides of the grid are its own, all four, and along them a line has its length */
  static const ria_leg sides[] = {{0, 0, 50, 0},    {0, 50, 50, 50},        {50, 50, 0, 50},
                                  {0, 0, 0, 50},    {50, 0, 50, 50},        {50, 50, 50, 0},
                                  {-9, 50, 99, 50}, {50 + 1e-9, 0, 50, 50}, {-1e-9, 50, 0, 0}};
  for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
    steps along = {0};
    CHECK_OK(NULL, ria_walk(&g, &sides[k], step, &along));
    CHECK_INT(along.n, 50);
    CHECK_INT(along.breaks, 0);
  }
  steps beside = {0};
  CHECK_OK(NULL, ria_walk(&g, &(ria_leg){-30, 80, 20, 1000}, step, &beside));
  CHECK_INT(beside.n, 0);
}

/* Is there a way from the west side to the east side over sides of cells that are not marked? */
static bool leaks(const double *bed, int n) {
  bool wet[2500] = {false};
  int list[2500], count = 0;
  for (int j = 0; j < n; j++)
    if (bed[j * n] < 1) {
      wet[j * n] = true;
      list[count++] = j * n;
    }
  while (count > 0) {
    const int k = list[--count], i = k % n, j = k / n;
    if (i == n - 1) return true;
    const int next[4] = {i > 0 ? k - 1 : k, k + 1, j > 0 ? k - n : k, j < n - 1 ? k + n : k};
    for (int c = 0; c < 4; c++)
      if (!wet[next[c]] && bed[next[c]] < 1) {
        wet[next[c]] = true;
        list[count++] = next[c];
      }
  }
  return false;
}

/* A dike from the south side to the north side, however it bends, lets no way through. */
static void dikes(void) {
  enum { N = 50 };
  const ria_grid g = {N, N, 2, 2, 0, 0, 0};
  static double bed[N * N];
  for (int turn = 0; turn < 100; turn++) {
    drawing d = {.n = 0};
    long changed = 0;
    begin(&d, RIA_LINES);
    part(&d, 0);
    at(&d, any(10, 90), -5);
    for (int k = 0; k < turn % 7; k++)
      at(&d, turn % 2 ? 2 * floor(any(5, 45)) : any(10, 90), 2 * floor(any(5, 45)));
    at(&d, any(10, 90), 105);
    for (int k = 0; k < N * N; k++) bed[k] = 0;
    ria_shapes *s = made(&d);
    const double crest = 3;
    const ria_lay lay = {.how = RIA_LAY_RAISE, .value = &crest};
    CHECK(leaks(bed, N));
    CHECK_OK(ctx, ria_shapes_lay(ctx, s, &g, &lay, bed, &changed));
    CHECK(!leaks(bed, N) && changed >= N);
    ria_shapes_destroy(&s);
  }
}

/* --- laid onto a raster ----------------------------------------------------------------------- */

static void lay_one(const drawing *d, const ria_grid *g, const ria_lay *lay, double *data) {
  ria_shapes *s = made(d);
  CHECK_OK(ctx, ria_shapes_lay(ctx, s, g, lay, data, NULL));
  ria_shapes_destroy(&s);
}

static void laying(void) {
  const ria_grid g = {4, 1, 1, 1, 0, 0, 0};
  const double two[2] = {2, 2};
  drawing d = {.n = 0};
  begin(&d, RIA_POLYGONS);
  box(&d, 0, 0.25, 0, 2.75, 1); /* 3/4 of cell 0, cell 1, 3/4 of cell 2: centres of all three */
  double by_share[4] = {1, NAN, 4, 1}, whole[4] = {1, NAN, 4, 1}, added[4] = {1, NAN, 4, 1};
  lay_one(&d, &g, &(ria_lay){.how = RIA_LAY_SET, .cells = RIA_CELLS_SHARE, .value = two}, by_share);
  const double shares[4] = {1.75, 2, 2.5, 1};
  lay_one(&d, &g, &(ria_lay){.how = RIA_LAY_RAISE, .value = two}, whole);
  const double raised[4] = {2, NAN, 4, 1};
  lay_one(&d, &g, &(ria_lay){.how = RIA_LAY_ADD, .cells = RIA_CELLS_SHARE, .value = two}, added);
  const double sums[4] = {2.5, NAN, 5.5, 1};
  for (int k = 0; k < 4; k++) {
    CHECK_NEAR(by_share[k], shares[k], 1e-15);
    CHECK_NEAR(whole[k], raised[k], 0);
    CHECK_NEAR(added[k], sums[k], 1e-15);
  }
  lay_one(&d, &g, &(ria_lay){.how = RIA_LAY_LOWER, .value = two}, whole);
  CHECK_NEAR(whole[2], 2, 0);
  double centre[4] = {0}, touched[4] = {0};
  drawing narrow = {.n = 0};
  begin(&narrow, RIA_POLYGONS);
  box(&narrow, 0, 0.75, 0.2, 1.75, 0.8);
  lay_one(&narrow, &g, &(ria_lay){.value = two}, centre);
  lay_one(&narrow, &g, &(ria_lay){.value = two, .cells = RIA_CELLS_TOUCHED}, touched);
  CHECK(centre[0] == 0 && centre[1] == 2 && touched[0] == 2 && touched[1] == 2 && touched[2] == 0);
}

/* A line meets cells more than once: what is added is added once. Its crest goes with z. */
static void laying_lines(void) {
  const ria_grid g = {5, 1, 1, 1, 0, 0, 0};
  const double one[2] = {1, 0};
  drawing d = {.n = 0};
  begin(&d, RIA_LINES);
  part(&d, 0);
  at(&d, 0.5, 0.5);
  at(&d, 4.5, 0.5);
  at(&d, 0.5, 0.5);
  double data[5] = {0};
  lay_one(&d, &g, &(ria_lay){.how = RIA_LAY_ADD, .value = one}, data);
  for (int k = 0; k < 5; k++) CHECK_NEAR(data[k], 1, 0);
  d.z[0] = d.z[2] = 10;
  d.z[1] = 14;
  lay_one(&d, &g, &(ria_lay){.how = RIA_LAY_RAISE, .value = one + 1, .by_z = true}, data);
  for (int k = 0; k < 5; k++) CHECK_NEAR(data[k], 10 + k, 1e-14);
  d.z[1] = NAN;
  ria_shapes *s = made(&d);
  CHECK_FAILS(ctx, ria_shapes_lay(ctx, s, &g, &(ria_lay){.value = one, .by_z = true}, data, NULL),
              RIA_ERR_ARGUMENT, "shape 1: a position without a z");
  ria_shapes_destroy(&s);
  CHECK_NEAR(data[3], 13, 1e-14); /* as it was */
}

static void weights(void) {
  const ria_grid g = {4, 1, 1, 1, 0, 0, 0};
  double weight[4];
  drawing d = {.n = 0};
  begin(&d, RIA_LINES);
  part(&d, 0);
  at(&d, 0.5, 0.5);
  at(&d, 2.75, 0.5);
  ria_shapes *s = made(&d);
  CHECK_OK(ctx, ria_shapes_weigh(ctx, s, &g, weight));
  const double lengths[4] = {0.5, 1, 0.75, 0};
  for (int k = 0; k < 4; k++) CHECK_NEAR(weight[k], lengths[k], 1e-15);
  ria_shapes_destroy(&s);
  begin(&d, RIA_POINTS);
  part(&d, 0);
  at(&d, 3.5, 0.5);
  part(&d, 0);
  at(&d, 9, 0.5);
  s = made(&d);
  CHECK_FAILS(ctx, ria_shapes_weigh(ctx, s, &g, weight), RIA_ERR_ARGUMENT,
              "shapes: lines and points together: choose one kind");
  const size_t second = 1;
  ria_shapes *points = NULL;
  CHECK_OK(ctx, ria_shapes_select(ctx, s, &second, 1, &points));
  ria_shapes_destroy(&s); /* the others stay */
  CHECK_OK(ctx, ria_shapes_weigh(ctx, points, &g, weight));
  CHECK(weight[0] == 0 && weight[3] == 1);
  CHECK_OK(ctx, ria_shapes_cover(ctx, points, &g, 0, NULL, weight, NULL));
  CHECK(weight[0] == 0 && weight[2] == 0 && weight[3] == 1);
  ria_shapes_destroy(&points);
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
  bands();
  chains();
  dikes();
  laying();
  laying_lines();
  weights();
  ria_context_destroy(&ctx);
  return TEST_END();
}
