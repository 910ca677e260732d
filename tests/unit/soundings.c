/* Scattered points: the triangulation against its definition in whole numbers, planes that come out
 * as planes, means, files with what may be wrong in them, lattices, coordinate systems. */
#include "files.h"
#include "io/delaunay.h"
#include <ria/ria.h>
#include <zlib.h>

static ria_context *ctx;
static char said[1024];

static void keep(void *user, const char *text) {
  (void)user;
  snprintf(said, sizeof said, "%s", text);
}

/* --- the triangulation -------------------------------------------------------------------------
 */

__extension__ typedef __int128 wide;

enum { MOST = 2000 };
static const double EDGE = 1073741823.0; /* 2^30 - 1: the lattice then is that of whole numbers */
static double px[MOST], py[MOST], pz[MOST];

static int64_t turn(int32_t p, int32_t q, int32_t r) {
  const int64_t ax = (int64_t)px[p], ay = (int64_t)py[p];
  return ((int64_t)px[q] - ax) * ((int64_t)py[r] - ay) -
         ((int64_t)py[q] - ay) * ((int64_t)px[r] - ax);
}

/* By the determinant of four rows x, y, x^2 + y^2, 1 less the last row. */
static bool holds(const int32_t *c, int32_t p) {
  wide row[3][3];
  for (int k = 0; k < 3; k++) {
    const int64_t x = (int64_t)px[c[k]] - (int64_t)px[p], y = (int64_t)py[c[k]] - (int64_t)py[p];
    row[k][0] = x;
    row[k][1] = y;
    row[k][2] = (wide)x * x + (wide)y * y;
  }
  const wide d = row[0][0] * (row[1][1] * row[2][2] - row[1][2] * row[2][1]) -
                 row[0][1] * (row[1][0] * row[2][2] - row[1][2] * row[2][0]) +
                 row[0][2] * (row[1][0] * row[2][1] - row[1][1] * row[2][0]);
  return d > 0;
}

static int by_place(const void *a, const void *b) {
  const int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
  if (px[p] != px[q]) return px[p] < px[q] ? -1 : 1;
  return (py[p] > py[q]) - (py[p] < py[q]);
}

/* Twice the area of the hull of n points. */
static double hull_area(int n) {
  static int32_t order[MOST], hull[2 * MOST];
  int k = 0;
  for (int i = 0; i < n; i++) order[i] = i;
  qsort(order, (size_t)n, sizeof *order, by_place);
  for (int i = 0; i < n; i++) {
    while (k >= 2 && turn(hull[k - 2], hull[k - 1], order[i]) <= 0) k--;
    hull[k++] = order[i];
  }
  for (int i = n - 2, low = k + 1; i >= 0; i--) {
    while (k >= low && turn(hull[k - 2], hull[k - 1], order[i]) <= 0) k--;
    hull[k++] = order[i];
  }
  double area = 0.0;
  for (int i = 1; i + 1 < k; i++) area += (double)turn(hull[0], hull[i], hull[i + 1]);
  return area;
}

/* Triangles that turn left, whose circles are empty, and that make up the hull. */
static void check_triangles(const char *what, int n) {
  ria_delaunay d;
  double area = 0.0;
  int wrong = 0;
  if (!CHECK_OK(ctx, ria_delaunay_make(ctx, px, py, (size_t)n, &d))) return;
  for (size_t k = 0; k < d.n; k++) {
    const int32_t *c = d.corner[k];
    area += (double)turn(c[0], c[1], c[2]);
    wrong += turn(c[0], c[1], c[2]) <= 0;
    for (int p = 0; p < n; p++) wrong += holds(c, p);
    for (int q = 0; q < 3; q++) wrong += d.same[c[q]] != c[q];
  }
  for (int p = 0; p < n; p++) wrong += px[d.same[p]] != px[p] || py[d.same[p]] != py[p];
  const bool whole = fabs(area - hull_area(n)) <= 1e-12 * hull_area(n);
  if (!CHECK_INT(wrong, 0) || !CHECK(whole))
    fprintf(stderr, "  %s: %zu triangles, area %g of %g\n", what, d.n, area, hull_area(n));
  ria_delaunay_free(&d);
}

static void set(int k, double x, double y) {
  px[k] = x;
  py[k] = y;
}

static void triangles(void) {
  uint64_t state = 5;
  for (int n = 3; n <= 600; n = n * 5 / 3) {
    for (int k = 0; k < n; k++)
      set(k, files_random(&state) % (1u << 30), files_random(&state) % (1u << 30));
    set(0, 0, 0), set(1, EDGE, 5), set(2, 7, EDGE);
    check_triangles("noise", n);
  }
  for (int k = 0; k < 400; k++) set(k, k % 20 * 50000000.0, k / 20 * 50000000.0);
  set(400, EDGE, 0);
  check_triangles("a lattice", 401);
  for (int k = 0; k < 401; k++) set(k, k * 2000000.0, 0);
  set(401, EDGE, 0), set(402, 4e8, 1e9);
  check_triangles("a line and a point", 403);
  for (int k = 0; k < 300; k++)
    set(k, 1e8 + files_random(&state) % 40, 1e8 + files_random(&state) % 40);
  set(300, 0, 0), set(301, EDGE, 0), set(302, EDGE, EDGE);
  check_triangles("a heap with duplicates", 303);
  static const int pythagoras[][2] = {{0, 65},  {16, 63}, {25, 60}, {33, 56}, {39, 52},
                                      {52, 39}, {56, 33}, {60, 25}, {63, 16}, {65, 0}};
  int n = 0;
  for (int k = 0; k < 10; k++)
    for (int q = 0; q < 4; q++)
      set(n++, 5e8 + (q & 1 ? -1 : 1) * 7e6 * pythagoras[k][0],
          5e8 + (q & 2 ? -1 : 1) * 7e6 * pythagoras[k][1]);
  set(n++, 5e8, 5e8), set(n++, 0, 0), set(n++, EDGE, 0);
  check_triangles("a circle", n);
}

static void no_triangles(void) {
  ria_delaunay d;
  for (int k = 0; k < 50; k++) set(k, 3.0 * k, 7.0);
  for (size_t n = 0; n <= 50; n = n * 2 + 1) {
    CHECK_OK(ctx, ria_delaunay_make(ctx, px, py, n, &d));
    CHECK(d.n == 0);
    ria_delaunay_free(&d);
  }
  ria_raster *r = NULL; /* their cells have means, no others a value */
  const double z[50] = {0};
  const ria_soundings_desc line = {.x = px, .y = py, .z = z, .n = 50, .dx = 1, .dy = 10};
  if (CHECK_OK(ctx, ria_raster_from_soundings(ctx, &line, &r)))
    CHECK(r->grid.nx == 147 && r->data[0] == 0 && isnan(r->data[1]) && r->data[3] == 0);
  ria_raster_destroy(&r);
}

/* --- cells -------------------------------------------------------------------------------------
 */

static double plane(double x, double y) { return 1.0 + 0.25 * x - 0.5 * y; }

static void scatter(int n, double size) {
  uint64_t state = 17;
  for (int k = 0; k < n; k++) {
    set(k, files_random(&state) / 4294967296.0 * size, files_random(&state) / 4294967296.0 * size);
    pz[k] = plane(px[k], py[k]);
  }
  set(0, 0, 0), set(1, size, 0), set(2, 0, size), set(3, size, size);
  for (int k = 0; k < 4; k++) pz[k] = plane(px[k], py[k]);
}

static ria_raster *grid(ria_soundings_desc d, int n) {
  ria_raster *r = NULL;
  d.x = px, d.y = py, d.z = pz, d.n = (size_t)n;
  CHECK_OK(ctx, ria_raster_from_soundings(ctx, &d, &r));
  return r;
}

/* Cells whose value is not the plane's at their centre, within `slack`. */
static int off_plane(const ria_raster *r, double slack) {
  int off = 0;
  for (int j = 0; j < r->grid.ny; j++)
    for (int i = 0; i < r->grid.nx; i++) {
      const double x = r->grid.x0 + (i + 0.5) * r->grid.dx, y = r->grid.y0 + (j + 0.5) * r->grid.dy;
      off += !(fabs(r->data[j * r->grid.nx + i] - plane(x, y)) <= slack);
    }
  return off;
}

static void planes(void) {
  const ria_soundings_desc box = {.dx = 10, .dy = 5, .x1 = 1000, .y1 = 1000};
  ria_soundings_desc d = box;
  scatter(1500, 1000);
  d.gridding = RIA_GRIDDING_TRIANGLES;
  ria_raster *r = grid(d, 1500);
  CHECK(r->grid.nx == 100 && r->grid.ny == 200);
  CHECK_INT(off_plane(r, 1e-9), 0);
  CHECK_TEXT(said, "soundings: 1500 points on 100 x 200 cells of 10 x 5 m: 0 cells by means, 20000 "
                   "between points, 0 without data");
  ria_raster_destroy(&r);
  d = box, d.dx = d.dy = 25;
  r = grid(d, 1500);
  CHECK(r->grid.nx == 40);
  CHECK(off_plane(r, 1e-9) > 0); /* the mean of three points is not at the centre */
  CHECK_INT(off_plane(r, 12.5), 0);
  ria_raster_destroy(&r);
  d.least = 100; /* no mean: all between points, and at the rim all the same */
  r = grid(d, 1500);
  CHECK_INT(off_plane(r, 1e-9), 0);
  ria_raster_destroy(&r);
}

static void means(void) {
  static const double x[] = {1, 2, 3, 11, 25, 2}, y[] = {1, 9, 5, 5, 5, 5},
                      z[] = {1, 2, 6, 4, 9, 50};
  for (int k = 0; k < 6; k++) set(k, x[k], y[k]), pz[k] = z[k];
  ria_soundings_desc d = {
      .dx = 10, .gridding = RIA_GRIDDING_MEANS, .has_nodata = true, .nodata = 50};
  ria_raster *r = grid(d, 6);
  CHECK(r->grid.nx == 3 && r->grid.ny == 1 && r->grid.x0 == 0 && r->grid.y0 == 0);
  CHECK(r->data[0] == 3 && r->data[1] == 4 && r->data[2] == 9);
  ria_raster_destroy(&r);
  d.down = true, d.offset = 0.5;
  d.x0 = -10, d.x1 = 20, d.y1 = 10;
  r = grid(d, 6);
  CHECK(r->grid.nx == 3 && isnan(r->data[0]) && r->data[1] == -2.5 && r->data[2] == -3.5);
  CHECK_HOLDS(said, "2 cells by means, 0 between points, 1 without data; 1 points lie outside");
  ria_raster_destroy(&r);
}

/* Two fields of points, 1000 m apart: without a reach triangles span the gap. */
static void reach(void) {
  for (int k = 0; k < 50; k++) {
    set(k, (k % 5) * 20.0 + (k >= 25 ? 1000 : 0), (k % 25 / 5) * 20.0);
    pz[k] = plane(px[k], py[k]);
  }
  ria_soundings_desc d = {.dx = 20, .gridding = RIA_GRIDDING_TRIANGLES};
  ria_raster *r = grid(d, 50);
  CHECK(!isnan(r->data[25]));
  ria_raster_destroy(&r);
  d.reach = 100;
  r = grid(d, 50);
  CHECK(isnan(r->data[25]) && fabs(r->data[1] - plane(30, 10)) < 1e-9);
  ria_raster_destroy(&r);
}

/* Points far beyond the box make triangles whose cells would have indices larger than any int: they
 * are none of the box's. */
static void far_points(void) {
  static const double x[] = {3e15, 4e15, 4e15, -5e12, 7e9}, y[] = {0, 1e13, -1e13, 3e12, -2e10};
  scatter(300, 1000);
  for (int k = 0; k < 5; k++) set(300 + k, x[k], y[k]), pz[300 + k] = 3.0;
  ria_soundings_desc d = {.dx = 10, .x1 = 1000, .y1 = 1000};
  d.gridding = RIA_GRIDDING_TRIANGLES;
  ria_raster *r = grid(d, 305);
  CHECK(r->grid.nx == 100 && r->grid.ny == 100);
  ria_raster_destroy(&r);
}

/* Two echoes at one place count by their mean. */
static void echoes(void) {
  static const double x[] = {0, 30, 0, 30, 15, 15}, y[] = {0, 0, 30, 30, 15, 15},
                      z[] = {0, 0, 0, 0, 2, 4};
  for (int k = 0; k < 6; k++) set(k, x[k], y[k]), pz[k] = z[k];
  ria_raster *r = grid((ria_soundings_desc){.dx = 10, .x1 = 30, .y1 = 30}, 6);
  CHECK_NEAR(r->data[4], 3.0, 1e-12);
  CHECK_NEAR(r->data[0], 1.0, 1e-12);
  ria_raster_destroy(&r);
}

/* --- files -------------------------------------------------------------------------------------
 */

static ria_raster *read_text(const char *text, ria_soundings_desc d) {
  const char *path = files_put("p.xyz", text);
  ria_raster *r = NULL;
  d.paths = &path, d.n_paths = 1;
  CHECK_OK(ctx, ria_raster_from_soundings(ctx, &d, &r));
  return r;
}

static void texts(void) {
  static const char *const same[] = {
      "1 1 10\n3 1 20\n1 3 30\n3 3 40\n",
      ("\xef\xbb\xbf"
       "1,1,10\r\n3,1,20\r\n\r\n1,3,30\r\n3,3,40"),
      "# soundings\n  1;1;10;good\n3\t1\t20\t7\n1 3 30 # no\n3 ,3, 4e1\n9 9 nan\n9 9 -3.4e38\n",
  };
  for (int k = 0; k < 3; k++) {
    ria_raster *r = read_text(same[k], (ria_soundings_desc){0});
    CHECK(r && r->grid.nx == 2 && r->grid.ny == 2 && r->grid.x0 == 0 && r->grid.dx == 2 &&
          r->data[0] == 10 && r->data[1] == 20 && r->data[2] == 30 && r->data[3] == 40);
    ria_raster_destroy(&r);
  }
}

static void refuse_text(const char *text, const char *why) {
  const char *path = files_put("p.xyz", text);
  char expected[512];
  ria_raster *r = NULL;
  ria_soundings_desc d = {.paths = &path, .n_paths = 1};
  snprintf(expected, sizeof expected, "%s%s", path, why);
  (void)CHECK_FAILS(ctx, ria_raster_from_soundings(ctx, &d, &r), RIA_ERR_INPUT, expected);
}

static void refused_texts(void) {
  refuse_text("", ": no points are in it");
  refuse_text("x y z\n# none\n", ": no points are in it");
  refuse_text("1 2 3\n4 5\n", ":2: expected x, y and z, not '4 5'");
  refuse_text("1 2 3\nx y z\n", ":2: expected x, y and z, not 'x y z'");
  refuse_text("1, 5 2 3\n1 2 deep\n", ":2: expected x, y and z, not '1 2 deep'");
  refuse_text("x y z\ninf 2 3\n", ":2: expected x, y and z, not 'inf 2 3'");
  refuse_text("0 0 1\n1 0 1\n2.05 0 1\n0 1 1\n",
              ": 4 points on no lattice: say how large cells are, dx = \"10 m\"");
  refuse_text("0 0 1\n1 0 1\n5.3 7 1\n",
              ": 3 points on no lattice: say how large cells are, dx = \"10 m\"");
}

/* With a decimal comma each number would be two columns. */
static void decimal_commas(void) {
  refuse_text("x;y;z\n431000,5;4600000,25;-3,2\n",
              ":2: '431000,5' has a decimal comma: write 431000.5 (tr , . changes all of them)");
  refuse_text("431000;4600000;-3,2;7\r\n",
              ":1: '-3,2' has a decimal comma: write -3.2 (tr , . changes all of them)");
  refuse_text(
      "1 2 3\n431000 ; 4600000,25 ; -3,2\n",
      ":2: '4600000,25' has a decimal comma: write 4600000.25 (tr , . changes all of them)");
  refuse_text("431000,5\t4600000,25\t-3,2\n",
              ":1: '431000,5' has a decimal comma: write 431000.5 (tr , . changes all of them)");
  refuse_text("  431000,5   4600000,25 -3,2e1 note\n",
              ":1: '431000,5' has a decimal comma: write 431000.5 (tr , . changes all of them)");
  static const char *const good[] = {
      "1, 1, 10\n3,\t1,\t20\n1 , 3 , 30, 7,5\n3 ,3 ,40\n",
      "1,1,10 5,5 6,6\n3;1;20;7,5\n1.0,3.0 30\n3,3,40\n",
  };
  for (int k = 0; k < 2; k++) {
    ria_raster *r = read_text(good[k], (ria_soundings_desc){0});
    CHECK(r && r->grid.nx == 2 && r->grid.ny == 2 && r->data[0] == 10 && r->data[1] == 20 &&
          r->data[2] == 30 && r->data[3] == 40);
    ria_raster_destroy(&r);
  }
}

/* A raster that was written as points is read as it was: with the digits that there are, with gaps,
 * in any order, packed. */
static void lattices(void) {
  enum { NX = 40, NY = 30 };
  char *text = calloc(NX * NY, 64), *end = text;
  for (int k = 0; k < NX * NY; k++) {
    const int c = (k * 7) % (NX * NY), i = c % NX, j = c / NX;
    if (c % 11 == 0) continue;
    end += sprintf(end, "%.6f %.6f %d\n", -8.5 + i / 120.0, 42.0 + j / 120.0, c);
  }
  ria_raster *r = NULL;
  const char *path = files_path("lattice.xyz.gz");
  gzFile gz = gzopen(path, "wb");
  CHECK(gz && gzwrite(gz, text, (unsigned)(end - text)) > 0 && gzclose(gz) == Z_OK);
  if (CHECK_OK(ctx, ria_raster_read(ctx, path, &r))) {
    CHECK(r->grid.nx == NX && r->grid.ny == NY && fabs(r->grid.dx - 1 / 120.0) < 1e-7);
    CHECK_NEAR(r->grid.x0, -8.5 - 0.5 / 120.0, 1e-6);
    for (int c = 0; c < NX * NY; c++) CHECK(c % 11 == 0 ? isnan(r->data[c]) : r->data[c] == c);
  }
  ria_raster_destroy(&r);
  free(text);
  char expected[512];
  path = files_put("wild.xyz", "0 0 1\n1 0 1\n5.3 7 1\n");
  snprintf(
      expected, sizeof expected,
      "%s: its 3 points are not the cells of a raster; ria.soundings { \"%s\", dx = ... } makes "
      "cells of them",
      path, path);
  (void)CHECK_FAILS(ctx, ria_raster_read(ctx, path, &r), RIA_ERR_INPUT, expected);
}

/* gdal_translate -of XYZ writes cells without data as their mark: they are cells nevertheless, also
 * where a side of the raster has no others. */
static void holes(void) {
  ria_raster *r = NULL;
  const char *path = files_put("holes.xyz", "5 25 -9999\n15 25 -9999.0001\n5 15 1\n15 15 -9999\n"
                                            "5 5 -9998\n15 5 nan\n");
  if (CHECK_OK(ctx, ria_raster_read(ctx, path, &r)))
    CHECK(r->grid.nx == 2 && r->grid.ny == 3 && r->data[0] == -9998 && isnan(r->data[1]) &&
          r->data[2] == 1 && isnan(r->data[3]) && isnan(r->data[4]) && isnan(r->data[5]));
  ria_raster_destroy(&r);
  ria_soundings_desc d = {.paths = &path, .n_paths = 1}; /* soundings have a key, nodata */
  if (CHECK_OK(ctx, ria_raster_from_soundings(ctx, &d, &r))) CHECK(r->data[3] == -9999);
  ria_raster_destroy(&r);
}

/* --- coordinate systems ------------------------------------------------------------------------
 */

static void systems(void) {
  static const char text[] = "-8.99 42.01 5\n-8.98 42.01 5\n-8.99 42.02 5\n-8.98 42.02 5\n";
  const char *path = files_put("p.xyz", text);
  char expected[512];
  ria_raster *r = NULL;
  ria_soundings_desc d = {.paths = &path, .n_paths = 1, .dx = 100, .to = "EPSG:32629"};
  snprintf(
      expected, sizeof expected,
      "%s: to = 'EPSG:32629' needs the points' crs: crs = \"EPSG:4326\", or a .prj beside the file",
      path);
  (void)CHECK_FAILS(ctx, ria_raster_from_soundings(ctx, &d, &r), RIA_ERR_ARGUMENT, expected);
  d.crs = "EPSG:4326";
  if (CHECK_OK(ctx, ria_raster_from_soundings(ctx, &d,
                                              &r))) { /* 500828.2 4650874.2, 501656.4 4651984.5 */
    CHECK_TEXT(r->crs, "EPSG:32629");
    CHECK(r->grid.x0 == 500800 && r->grid.y0 == 4650800 && r->grid.nx == 9 && r->grid.ny == 12);
    CHECK_NEAR(r->data[6 * 9 + 4], 5.0, 1e-12);
  }
  ria_raster_destroy(&r);
  d.to = NULL;
  snprintf(
      expected, sizeof expected,
      "%s: the points are in degrees, and cells are in metres: say to which system they go, to "
      "= \"EPSG:n\"",
      path);
  (void)CHECK_FAILS(ctx, ria_raster_from_soundings(ctx, &d, &r), RIA_ERR_INPUT, expected);
  d.crs = "PROJCS[\"a\",UNIT[\"foot\",0.3048]]";
  snprintf(expected, sizeof expected,
           "%s: the points count x and y in units of 0.3048 m, and cells are in metres: take them "
           "to a system in metres (ogr2ogr -t_srs EPSG:n)",
           path);
  (void)CHECK_FAILS(ctx, ria_raster_from_soundings(ctx, &d, &r), RIA_ERR_INPUT, expected);
  d.crs = "EPSG:4326", d.to = "EPSG:4258";
  (void)CHECK_FAILS(ctx, ria_raster_from_soundings(ctx, &d, &r), RIA_ERR_ARGUMENT,
                    "to = 'EPSG:4258' is in degrees, and cells are in metres");
}

/* Without a .prj the numbers tell: 10 m cells would hold all points in one. */
static void looks_like_degrees(void) {
  char text[4096], *end = text, expected[512];
  ria_raster *r = NULL;
  for (int k = 0; k < 100; k++)
    end += sprintf(end, "%.2f %.2f %d\n", -8.99 + k % 10 * 0.01, 42.01 + k / 10 * 0.01, -k % 31);
  const char *path = files_put("degrees.xyz", text);
  ria_soundings_desc d = {.paths = &path, .n_paths = 1, .dx = 10};
  snprintf(expected, sizeof expected,
           "%s: the points are in degrees (by their extent and heights), and cells are in metres: "
           "say both systems, crs = \"EPSG:4326\", to = \"EPSG:32629\"",
           path);
  (void)CHECK_FAILS(ctx, ria_raster_from_soundings(ctx, &d, &r), RIA_ERR_INPUT, expected);
  d.crs = "EPSG:4326", d.to = "EPSG:32629", d.dx = 1000;
  CHECK_OK(ctx, ria_raster_from_soundings(ctx, &d, &r));
  ria_raster_destroy(&r);
  d.crs = "EPSG:32629", d.to = NULL; /* a flume's, in metres: it is said */
  CHECK_OK(ctx, ria_raster_from_soundings(ctx, &d, &r));
  ria_raster_destroy(&r);
}

/* Each file is in the system beside it: the same place, seen from two zones of UTM. */
static void system_of_each(void) {
  char first[256], second[256], bare[256], expected[1024];
  ria_raster *r = NULL;
  snprintf(first, sizeof first, "%s", files_put("q1.xyz", "741500 4650000 5\n741600 4650100 5\n"));
  (void)files_put("q1.prj", "EPSG:32629\n");
  snprintf(second, sizeof second, "%s", files_put("q2.xyz", "244482.147 4650554.940 7\n"));
  (void)files_put("q2.prj", "EPSG:32630\n");
  snprintf(bare, sizeof bare, "%s", files_put("q3.xyz", "741500 4650000 5\n"));
  const char *paths[] = {first, second, bare};
  ria_soundings_desc d = {.paths = paths, .n_paths = 2, .dx = 50, .to = "EPSG:32629"};
  d.gridding = RIA_GRIDDING_MEANS;
  if (CHECK_OK(ctx, ria_raster_from_soundings(ctx, &d, &r))) /* 741680, 4650070 in zone 29 */
    CHECK(r->grid.nx == 4 && r->grid.ny == 2 && r->grid.x0 == 741500 && r->data[7] == 7);
  ria_raster_destroy(&r);
  d.to = NULL;
  snprintf(expected, sizeof expected,
           "%s and %s are in different coordinate systems, as their .prj say: say to which system "
           "the points go, to = \"EPSG:n\"",
           first, second);
  (void)CHECK_FAILS(ctx, ria_raster_from_soundings(ctx, &d, &r), RIA_ERR_INPUT, expected);
  paths[1] = bare;
  snprintf(expected, sizeof expected,
           "%s has no .prj beside it, and %s has one: say the system of all points, crs = "
           "\"EPSG:n\"",
           bare, first);
  (void)CHECK_FAILS(ctx, ria_raster_from_soundings(ctx, &d, &r), RIA_ERR_INPUT, expected);
  paths[0] = bare, paths[1] = first;
  (void)CHECK_FAILS(ctx, ria_raster_from_soundings(ctx, &d, &r), RIA_ERR_INPUT, expected);
  d.to = "EPSG:32629";
  snprintf(
      expected, sizeof expected,
      "%s: to = 'EPSG:32629' needs the points' crs: crs = \"EPSG:4326\", or a .prj beside the file",
      bare);
  (void)CHECK_FAILS(ctx, ria_raster_from_soundings(ctx, &d, &r), RIA_ERR_ARGUMENT, expected);
  d.to = NULL, d.crs = "EPSG:32629"; /* it stands above what lies beside the files */
  if (CHECK_OK(ctx, ria_raster_from_soundings(ctx, &d, &r))) CHECK_TEXT(r->crs, "EPSG:32629");
  ria_raster_destroy(&r);
}

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu", .log = keep}, &ctx) ==
        RIA_OK);
  files_begin();
  triangles();
  no_triangles();
  planes();
  means();
  reach();
  far_points();
  echoes();
  texts();
  refused_texts();
  decimal_commas();
  lattices();
  holes();
  systems();
  system_of_each();
  looks_like_degrees();
  files_end();
  ria_context_destroy(&ctx);
  return TEST_END();
}
