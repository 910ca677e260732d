/* The ground of a model from rasters: boxes, angles, means and bilinear values, several rasters
 * with priority and blending, units, smoothing, least depth, and what is told of it. Planes must
 * stay planes, and means must keep integrals. */
#include "files.h"
#include <math.h>
#include <ria/dem.h>
#include <ria/units.h>
#include <stdlib.h>

static ria_context *ctx;

static double plane(double x, double y) { return 2.0 + 0.03 * x - 0.05 * y; }

/* nx x ny cells of d, from (x0, y0); values: the plane. */
static ria_raster *make_plane(int nx, int ny, double d, double x0, double y0) {
  ria_raster *r = NULL;
  const ria_grid g = {.nx = nx, .ny = ny, .dx = d, .dy = d, .x0 = x0, .y0 = y0};
  CHECK_OK(ctx, ria_raster_create(ctx, &g, &r));
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++)
      r->data[j * nx + i] = plane(x0 + (i + 0.5) * d, y0 + (j + 0.5) * d);
  return r;
}

static ria_raster *make_value(int nx, int ny, double d, double x0, double y0, double v) {
  ria_raster *r = make_plane(nx, ny, d, x0, y0);
  for (int c = 0; c < nx * ny; c++) r->data[c] = v;
  return r;
}

static ria_raster *dem(const ria_dem_desc *d) {
  ria_raster *out = NULL;
  CHECK_OK(ctx, ria_dem_make(ctx, d, &out));
  return out;
}

/* The greatest difference from the plane, at the places of the map where the centres lie. */
static double off_plane(const ria_raster *r) {
  double worst = 0.0;
  for (int j = 0; j < r->grid.ny; j++)
    for (int i = 0; i < r->grid.nx; i++) {
      double x = r->grid.x0 + (i + 0.5) * r->grid.dx, y = r->grid.y0 + (j + 0.5) * r->grid.dy;
      ria_grid_to_map(&r->grid, &x, &y);
      worst = fmax(worst, fabs(r->data[j * r->grid.nx + i] - plane(x, y)));
    }
  return worst;
}

static double integral(const ria_raster *r) {
  double sum = 0.0;
  for (int c = 0; c < r->grid.nx * r->grid.ny; c++) sum += isnan(r->data[c]) ? 0.0 : r->data[c];
  return sum * r->grid.dx * r->grid.dy;
}

/* --- boxes ------------------------------------------------------------------------------------ */

static void boxes(void) {
  ria_raster *from = make_plane(40, 30, 10.0, 100.0, 200.0), *r;
  const ria_dem_layer layer = {.raster = from};
  ria_dem_desc d = {.layers = &layer, .n_layers = 1, .x0 = 152, .y0 = 260, .x1 = 251, .y1 = 339};
  r = dem(&d); /* whole cells of the raster, as they are */
  CHECK_INT(r->grid.nx, 10);
  CHECK_INT(r->grid.ny, 8);
  CHECK_NEAR(r->grid.x0, 150.0, 0.0);
  CHECK_NEAR(r->grid.y0, 260.0, 0.0);
  for (int j = 0; j < 8; j++)
    for (int i = 0; i < 10; i++)
      CHECK_NEAR(r->data[j * 10 + i], from->data[(j + 6) * 40 + i + 5], 0.0);
  CHECK_TEXT(r->about, "a field: 40 x 30 cells of 10 m, cut out\nlowest -10.1 m, highest -3.9 m");
  ria_raster_destroy(&r);

  d.dx = 7; /* cells of its own: as many as fit */
  r = dem(&d);
  CHECK_INT(r->grid.nx, 14);
  CHECK_INT(r->grid.ny, 11);
  CHECK_NEAR(off_plane(r), 0.0, 1e-12);
  CHECK_HOLDS(r->about, "a field: 40 x 30 cells of 10 m, to 7 m bilinear\n");
  ria_raster_destroy(&r);

  ria_dem_desc all = {.layers = &layer, .n_layers = 1, .dx = 40, .dy = 30};
  r = dem(&all);
  CHECK_INT(r->grid.nx, 10);
  CHECK_INT(r->grid.ny, 10);
  CHECK_NEAR(off_plane(r), 0.0, 1e-12);
  CHECK_NEAR(integral(r), integral(from), 1e-7);
  CHECK_HOLDS(r->about, "a field: 40 x 30 cells of 10 m, to 40 x 30 m by means\n");
  ria_raster_destroy(&r);
  ria_raster_destroy(&from);
}

static void beyond(void) {
  ria_raster *from = make_plane(40, 30, 10.0, 0.0, 0.0), *r = NULL;
  const ria_dem_layer layer = {.raster = from};
  ria_dem_desc d = {.layers = &layer, .n_layers = 1, .x0 = 300, .x1 = 500, .y1 = 100, .dx = 20};
  (void)CHECK_FAILS(
      ctx, ria_dem_make(ctx, &d, &r), RIA_ERR_ARGUMENT,
      "the raster does not cover the box: 25 of 50 cells lie beyond, in x 400 .. 500, y 0 .. 100 "
      "m; "
      "it reaches over x 0 .. 400, y 0 .. 300 m: choose a smaller box, add a raster that reaches "
      "further, or fill = a height");
  d.has_fill = true;
  d.fill = -3;
  r = dem(&d);
  CHECK_NEAR(r->data[9], -3.0, 0.0);
  CHECK_NEAR(r->data[0], plane(310, 10), 1e-12);
  CHECK_HOLDS(r->about, "\n25 cells without data filled\n");
  ria_raster_destroy(&r);
  d.x1 = 301;
  d.y1 = 301;
  (void)CHECK_FAILS(ctx, ria_dem_make(ctx, &d, &r), RIA_ERR_ARGUMENT,
                    "1 x 301 m hold no cell of 20 x 20 m");
  ria_raster_destroy(&from);
}

/* --- angles ----------------------------------------------------------------------------------- */

/* A turned grid over a turned or plain raster: planes are met at the places of the map. */
static void angles(void) {
  static const double degrees[] = {0, 17.5, -40, 90, 135, 180, -90};
  ria_raster *from = make_plane(200, 200, 1.0, -100.0, -100.0), *r;
  const ria_dem_layer layer = {.raster = from};
  ria_dem_desc d = {
      .layers = &layer, .n_layers = 1, .x0 = 3, .y0 = -5, .x1 = 43, .y1 = 25, .dx = 0.7, .dy = 0.9};
  for (size_t k = 0; k < sizeof degrees / sizeof *degrees; k++) {
    d.angle = degrees[k];
    r = dem(&d);
    CHECK_INT(r->grid.nx, 57);
    CHECK_NEAR(r->grid.angle, degrees[k], 0.0);
    CHECK_NEAR(off_plane(r), 0.0, 1e-11);
    ria_raster_destroy(&r);
  }
  d.angle = 30;
  d.dx = d.dy = 8; /* by means: the plane's cells are steps, which leave a little */
  r = dem(&d);
  CHECK_NEAR(off_plane(r), 0.0, 1e-3);
  CHECK_TEXT(r->about, "a field: 200 x 200 cells of 1 m, to 8 m by means\nturned by 30 deg\n"
                       "lowest 1.1779 m, highest 2.1421 m");
  ria_raster_destroy(&r);
  ria_raster_destroy(&from);
}

/* The exact mean of a turned cell: of a raster whose only cell that is not 0 is a corner of it. */
static void turned_means(void) {
  ria_raster *from = make_value(4, 4, 1.0, 0.0, 0.0, 0.0), *r = NULL;
  from->data[1 * 4 + 2] = 1.0; /* [2, 3] x [1, 2] */
  /* a square of side sqrt 2 with corners (2, 1), (3, 2), (2, 3), (1, 2): half of that cell */
  const ria_grid g = {1, 1, sqrt(2.0), sqrt(2.0), 2.0, 1.0, 45.0};
  CHECK_OK(ctx, ria_raster_resample_by(ctx, from, &g, RIA_RESAMPLE_MEAN, &r));
  CHECK_NEAR(r->data[0], 0.25, 1e-15);
  ria_raster_destroy(&r);
  from->data[1 * 4 + 2] = NAN; /* its half is left out, then most of it */
  for (int c = 0; c < 16; c++) from->data[c] = c == 6 ? NAN : 5.0;
  CHECK_OK(ctx, ria_raster_resample_by(ctx, from, &g, RIA_RESAMPLE_MEAN, &r));
  CHECK_NEAR(r->data[0], 5.0, 1e-15);
  ria_raster_destroy(&r);
  for (int c = 0; c < 16; c++) from->data[c] = c == 6 ? 5.0 : NAN;
  CHECK_OK(ctx, ria_raster_resample_by(ctx, from, &g, RIA_RESAMPLE_MEAN, &r));
  CHECK(isnan(r->data[0]));
  ria_raster_destroy(&r);
  ria_raster_destroy(&from);

  /* integrals: a hill well inside, on cells larger and smaller, at any angle */
  from = make_value(60, 60, 1.0, 0.0, 0.0, 0.0);
  for (int c = 0; c < 60 * 60; c++) {
    const double x = c % 60 - 29.5, y = (double)(c / 60) - 29.5;
    from->data[c] = x * x + y * y < 200 ? 3.0 + 0.01 * c : 0.0;
  }
  for (int k = 0; k < 8; k++) {
    const double step = k & 1 ? 0.37 : 4.1;
    const int n = (int)(80 / step);
    ria_grid turned = {n, n, step, step, 0, 0, -170.0 + 47.0 * k};
    double x = 30 - 0.5 * n * step, y = x; /* about the middle of the raster */
    turned.x0 = turned.y0 = 30.0;
    ria_grid_to_map(&turned, &x, &y);
    turned.x0 = x, turned.y0 = y;
    CHECK_OK(ctx, ria_raster_resample_by(ctx, from, &turned, RIA_RESAMPLE_MEAN, &r));
    CHECK_NEAR(integral(r) / integral(from), 1.0, 1e-12);
    ria_raster_destroy(&r);
  }
  ria_raster_destroy(&from);
}

static void means_of_finer_cells(void) {
  ria_raster *from = make_plane(6, 4, 10.0, 0.0, 0.0), *r;
  const ria_dem_layer layer = {.raster = from};
  r = dem(
      &(ria_dem_desc){.layers = &layer, .n_layers = 1, .dx = 4, .resampling = RIA_RESAMPLE_MEAN});
  CHECK_NEAR(integral(r), integral(from), 1e-10);
  CHECK_NEAR(r->data[0], from->data[0], 1e-14);
  CHECK_NEAR(r->data[1], from->data[0], 1e-14); /* 4 .. 8 m lie within the first */
  CHECK_NEAR(r->data[2], 0.5 * (from->data[0] + from->data[1]), 1e-14); /* 8 .. 12 m */
  ria_raster_destroy(&r);
  from->data[0] = 100; /* a centre alone counts */
  r = dem(&(ria_dem_desc){
      .layers = &layer, .n_layers = 1, .dx = 30, .resampling = RIA_RESAMPLE_BILINEAR});
  CHECK_NEAR(r->data[0], plane(15, 15), 1e-14);
  CHECK_HOLDS(r->about, "to 30 m bilinear\n");
  ria_raster_destroy(&r);
  ria_raster_destroy(&from);
}

/* --- several rasters -------------------------------------------------------------------------- */

static void priority(void) {
  ria_raster *fine = make_value(4, 4, 10.0, 30.0, 30.0, 5.0),
             *wide = make_value(5, 5, 20.0, 0, 0, 7.0);
  fine->data[0] = NAN; /* a hole: the raster below shows */
  const ria_dem_layer layers[] = {{.raster = fine}, {.raster = wide}};
  ria_raster *r = dem(&(ria_dem_desc){.layers = layers, .n_layers = 2});
  CHECK_INT(r->grid.nx, 10); /* what both cover, in cells of the first */
  CHECK_NEAR(r->grid.dx, 10.0, 0.0);
  for (int c = 0; c < 100; c++) {
    const int i = c % 10, j = c / 10;
    const bool in = i >= 3 && i < 7 && j >= 3 && j < 7 && !(i == 3 && j == 3);
    CHECK_NEAR(r->data[c], in ? 5.0 : 7.0, 0.0);
  }
  CHECK_TEXT(r->about, "a field: 4 x 4 cells of 10 m, cut out; 15 % of the cells\n"
                       "a field: 5 x 5 cells of 20 m, to 10 m bilinear; 85 % of the cells\n"
                       "lowest 5 m, highest 7 m");
  ria_raster_destroy(&r);
  ria_raster_destroy(&fine);
  ria_raster_destroy(&wide);
}

/* The share grows by a straight line from the edge inward; planes stay planes. */
static void blending(void) {
  ria_raster *fine = make_value(10, 10, 10.0, 0.0, 0.0, 1.0),
             *wide = make_value(20, 10, 10.0, 0, 0, 3.0);
  ria_dem_layer layers[] = {{.raster = fine}, {.raster = wide}};
  ria_dem_desc d = {.layers = layers, .n_layers = 2, .blend = 40};
  ria_raster *r = dem(&d);
  /* its west, south and north sides are the model's edge, which is none */
  for (int j = 0; j < 10; j++)
    for (int i = 0; i < 20; i++)
      CHECK_NEAR(r->data[j * 20 + i], i < 10 ? 3.0 - 2.0 * fmin((95.0 - i * 10) / 40, 1.0) : 3.0,
                 1e-14);
  CHECK_HOLDS(r->about,
              "a field: 10 x 10 cells of 10 m, cut out; 50 % of the cells, 40 of them blended\n");
  ria_raster_destroy(&r);
  layers[0].blend = 1e-3; /* its own width: less than a cell */
  r = dem(&d);
  CHECK_NEAR(r->data[9], 1.0, 0.0);
  ria_raster_destroy(&r);
  ria_raster_destroy(&fine);
  ria_raster_destroy(&wide);

  /* planes on the same lines */
  fine = make_plane(10, 10, 10.0, 50.0, 0.0);
  wide = make_plane(20, 10, 10.0, 0, 0);
  layers[0] = (ria_dem_layer){.raster = fine, .blend = 33};
  layers[1] = (ria_dem_layer){.raster = wide};
  r = dem(&(ria_dem_desc){.layers = layers, .n_layers = 2});
  CHECK_NEAR(off_plane(r), 0.0, 1e-13);
  ria_raster_destroy(&r);
  ria_raster_destroy(&fine);
  ria_raster_destroy(&wide);

  /* three planes, one with a hole, on a turned grid */
  ria_raster *a = make_plane(40, 40, 1.5, 20, 10), *b = make_plane(50, 30, 2.0, 0, 20),
             *c = make_plane(60, 60, 4.0, -80, -80);
  for (int i = 0; i < 30; i++) a->data[20 * 40 + i] = NAN;
  const ria_dem_layer three[] = {{.raster = a}, {.raster = b, .blend = 7}, {.raster = c}};
  d = (ria_dem_desc){.layers = three,
                     .n_layers = 3,
                     .x0 = 10,
                     .y0 = 5,
                     .x1 = 80,
                     .y1 = 60,
                     .dx = 1,
                     .angle = 12,
                     .blend = 15,
                     .resampling = RIA_RESAMPLE_BILINEAR};
  r = dem(&d);
  /* the outermost half cells of a raster take the value of its outermost centres */
  CHECK(off_plane(r) < 0.08 * 1.0);
  ria_raster_destroy(&a);
  ria_raster_destroy(&b);
  ria_raster_destroy(&c);
  ria_raster_destroy(&r);
}

/* Distances around a hole are Euclidean. */
static void round_a_hole(void) {
  enum { N = 41 };
  ria_raster *top = make_value(N, N, 2.0, 0, 0, 1.0), *low = make_value(N, N, 2.0, 0, 0, 0.0);
  top->data[20 * N + 20] = NAN;
  top->data[35 * N + 3] = NAN;
  const ria_dem_layer layers[] = {{.raster = top}, {.raster = low}};
  ria_raster *r = dem(&(ria_dem_desc){.layers = layers, .n_layers = 2, .blend = 30});
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      const double d = 2 * fmin(hypot(i - 20, j - 20), hypot(i - 3, j - 35)) - 1;
      CHECK_NEAR(r->data[j * N + i], fmax(0.0, fmin(d / 30, 1.0)), 1e-12);
    }
  ria_raster_destroy(&r);
  ria_raster_destroy(&top);
  ria_raster_destroy(&low);
}

/* --- values ----------------------------------------------------------------------------------- */

static void units(void) {
  double ft = 0, us = 0, fathom = 0;
  CHECK_OK(ctx, ria_parse_quantity(ctx, "1 ft", RIA_DIM_LENGTH, &ft));
  CHECK_OK(ctx, ria_parse_quantity(ctx, "1 us-ft", RIA_DIM_LENGTH, &us));
  CHECK_OK(ctx, ria_parse_quantity(ctx, "1 fathom", RIA_DIM_LENGTH, &fathom));
  CHECK_NEAR(ft, 0.3048, 0.0);
  CHECK_NEAR(us, 1200.0 / 3937.0, 0.0);
  CHECK_NEAR(fathom, 1.8288, 1e-16);
  const char *path = files_put("feet.asc", "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\n"
                                           "cellsize 10\n10 -9999\n");
  const ria_dem_layer feet = {.path = path, .unit = ft, .down = true, .offset = 1.5};
  ria_raster *r = dem(&(ria_dem_desc){.layers = &feet, .n_layers = 1});
  char about[512];
  CHECK_NEAR(r->data[0], -3.048 + 1.5, 1e-15);
  CHECK(isnan(r->data[1]));
  snprintf(about, sizeof about,
           "%s: 2 x 1 cells of 10 m, depths, times 0.3048, raised by 1.5 m\n1 cell without data\n"
           "lowest -1.548 m, highest -1.548 m",
           path);
  CHECK_TEXT(r->about, about);
  ria_raster_destroy(&r);
}

static void filling(void) {
  ria_raster *a = make_plane(20, 20, 1.0, 0, 0), *b = make_plane(20, 20, 1.0, 0, 0);
  for (int k = 0; k < 3; k++) a->data[10 * 20 + 8 + k] = b->data[10 * 20 + 8 + k] = NAN;
  a->data[0] = NAN;
  const ria_dem_layer layers[] = {{.raster = a}, {.raster = b}};
  ria_raster *r = dem(&(ria_dem_desc){.layers = layers, .n_layers = 2, .gap = 3});
  CHECK_NEAR(off_plane(r), 0.0, 1e-9);
  CHECK_HOLDS(r->about, "\n3 cells without data filled\n");
  ria_raster_destroy(&r);
  CHECK(isnan(a->data[0])); /* the caller's stay as they are */
  ria_raster_destroy(&a);
  ria_raster_destroy(&b);
}

static void smoothing(void) {
  ria_raster *from = make_plane(60, 50, 2.0, 0, 0), *r;
  const ria_dem_layer layer = {.raster = from};
  const ria_dem_desc d = {.layers = &layer, .n_layers = 1, .smooth = 6};
  for (int k = 0; k < 20; k++) from->data[25 * 60 + 10 + k] = NAN; /* also beside holes */
  r = dem(&d);
  for (int c = 0; c < 60 * 50; c++)
    if (!isnan(from->data[c])) CHECK_NEAR(r->data[c], from->data[c], 1e-12);
  CHECK(isnan(r->data[25 * 60 + 10]));
  CHECK_HOLDS(r->about, "20 cells without data, smoothed over 6 m");
  ria_raster_destroy(&r);
  ria_raster_destroy(&from);

  from = make_value(60, 50, 2.0, 0, 0, 0.0); /* a spike becomes the Gaussian */
  const ria_dem_layer spike = {.raster = from};
  from->data[25 * 60 + 30] = 1.0;
  r = dem(&(ria_dem_desc){.layers = &spike, .n_layers = 1, .smooth = 6});
  CHECK_NEAR(integral(r), 4.0, 1e-13);
  const double top = r->data[25 * 60 + 30];
  CHECK_NEAR(top, 1.0 / (2 * 3.14159265358979 * 9), 1e-5);
  CHECK_NEAR(r->data[25 * 60 + 33] / top, exp(-0.5), 1e-12);
  CHECK_NEAR(r->data[28 * 60 + 33] / top, exp(-1.0), 1e-12);
  ria_raster_destroy(&r);
  ria_raster_destroy(&from);
}

static void least_depth(void) {
  ria_raster *from = make_value(5, 1, 1.0, 0, 0, 0.0), *r;
  const double values[] = {3.0, 2.0, 1.9, 1.0, -4.0}, expected[] = {3.0, 2.0, 0.5, 0.5, -4.0};
  for (int k = 0; k < 5; k++) from->data[k] = values[k];
  const ria_dem_layer layer = {.raster = from};
  r = dem(&(ria_dem_desc){.layers = &layer, .n_layers = 1, .least_depth = 1.5, .sea_level = 2.0});
  for (int k = 0; k < 5; k++) CHECK_NEAR(r->data[k], expected[k], 0.0);
  CHECK_TEXT(r->about, "a field: 5 x 1 cells of 1 m\n2 cells deepened to 0.5 m\n"
                       "lowest -4 m, highest 3 m");
  ria_raster_destroy(&r);
  ria_raster_destroy(&from);
}

/* Without a box a corner that no raster reaches stays without data, and is told. */
static void bare_corner(void) {
  ria_raster *a = make_plane(10, 10, 10.0, 0, 0), *b = make_plane(10, 10, 10.0, 100, 50);
  const ria_dem_layer layers[] = {{.raster = a}, {.raster = b}};
  ria_dem_desc d = {.layers = layers, .n_layers = 2};
  ria_raster *r = dem(&d);
  CHECK(r->grid.nx == 20 && r->grid.ny == 15);
  CHECK(isnan(r->data[0 * 20 + 19]) && isnan(r->data[14 * 20 + 0]) && !isnan(r->data[0]));
  CHECK(strstr(r->about, "\n100 cells without data\n") != NULL);
  ria_raster_destroy(&r);
  d.x1 = 200, d.y1 = 150;
  (void)CHECK_FAILS(ctx, ria_dem_make(ctx, &d, &r), RIA_ERR_ARGUMENT,
                    "the rasters do not cover the box: 100 of 300 cells lie beyond, in x 0 .. 200, "
                    "y 0 .. 150 m; they reach over x 0 .. 200, y 0 .. 150 m: choose a smaller box, "
                    "add a raster that reaches further, or fill = a height");
  ria_raster_destroy(&a);
  ria_raster_destroy(&b);
}

/* A code beside Esri's words for the same system is one system. */
static void one_system(void) {
  ria_raster *a = make_plane(4, 4, 1.0, 0, 0), *b = make_plane(4, 4, 1.0, 4, 0);
  const ria_dem_layer layers[] = {{.raster = a}, {.raster = b}};
  a->crs = strdup("EPSG:32629");
  b->crs = strdup("PROJCS[\"WGS_1984_UTM_Zone_29N\",GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\","
                  "SPHEROID[\"WGS_1984\",6378137.0,298.257223563]],PRIMEM[\"Greenwich\",0.0],"
                  "UNIT[\"Degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],"
                  "PARAMETER[\"False_Easting\",500000.0],PARAMETER[\"False_Northing\",0.0],"
                  "PARAMETER[\"Central_Meridian\",-9.0],PARAMETER[\"Scale_Factor\",0.9996],"
                  "PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT[\"Meter\",1.0]]");
  ria_raster *r = dem(&(ria_dem_desc){.layers = layers, .n_layers = 2});
  CHECK(r->grid.nx == 8 && !isnan(r->data[7]));
  ria_raster_destroy(&r);
  ria_raster_destroy(&a);
  ria_raster_destroy(&b);
}

/* What lies on the model's map by its name needs no PROJ, though the system is not built in. */
static void known_by_name(void) {
  const char *had = getenv("RIA_PROJ");
  char *kept = had ? strdup(had) : NULL;
  ria_raster *a = make_plane(4, 4, 1.0, 0, 0), *r = NULL;
  const ria_dem_layer layer = {.raster = a};
  setenv("RIA_PROJ", "none", 1);
  a->crs = strdup("urn:ogc:def:crs:EPSG::3035");
  r = dem(&(ria_dem_desc){.layers = &layer, .n_layers = 1, .crs = "EPSG:3035"});
  CHECK_TEXT(r->crs, "EPSG:3035");
  CHECK(memcmp(r->data, a->data, 16 * sizeof *r->data) == 0);
  ria_raster_destroy(&r);
  (void)CHECK_FAILS(
      ctx,
      ria_dem_make(ctx, &(ria_dem_desc){.layers = &layer, .n_layers = 1, .crs = "EPSG:3034"}, &r),
      RIA_ERR_ARGUMENT,
      "crs 'urn:ogc:def:crs:EPSG::3035': it is not built in, and PROJ, which knows more, cannot be "
      "used: RIA_PROJ is none. Install it (libproj), or project the data, for instance to the UTM "
      "zone of the place: gdalwarp -t_srs EPSG:32632 IN.tif OUT.tif");
  if (kept)
    setenv("RIA_PROJ", kept, 1);
  else
    unsetenv("RIA_PROJ");
  free(kept);
  ria_raster_destroy(&a);
}

/* --- what is wrong ---------------------------------------------------------------------------- */

static void refused(void) {
  ria_raster *from = make_plane(4, 4, 1.0, 0, 0), *other = make_plane(4, 4, 1.0, 0, 0), *r = NULL;
  ria_dem_layer layers[2] = {{.raster = from}, {.raster = other}};
  ria_dem_desc d = {.layers = layers, .n_layers = 2};
  from->crs = strdup("EPSG:32629");
  other->crs = strdup("EPSG:32630");
  (void)CHECK_FAILS(
      ctx, ria_dem_make(ctx, &d, &r), RIA_ERR_INPUT,
      "a field is in another coordinate system (EPSG:32629) than the rasters below it "
      "(EPSG:32630): name the model's, crs = \"EPSG:32630\" (of ria.dem), and all are projected "
      "onto it");
  (void)CHECK_FAILS(ctx, ria_dem_make(ctx, NULL, &r), RIA_ERR_ARGUMENT,
                    "a ground needs a raster at least");
  d.angle = 3;
  (void)CHECK_FAILS(ctx, ria_dem_make(ctx, &d, &r), RIA_ERR_ARGUMENT,
                    "an angle needs a box: it is turned about its corner");
  d.x0 = 3;
  (void)CHECK_FAILS(ctx, ria_dem_make(ctx, &d, &r), RIA_ERR_ARGUMENT,
                    "the box (3, 0, 0, 0) must be x0, y0, x1, y1 with x0 < x1 and y0 < y1");
  layers[1] = (ria_dem_layer){.unit = 1};
  (void)CHECK_FAILS(ctx, ria_dem_make(ctx, &d, &r), RIA_ERR_ARGUMENT,
                    "raster 2 has neither a path nor values");
  layers[1] = (ria_dem_layer){.raster = other, .unit = -1};
  (void)CHECK_FAILS(ctx, ria_dem_make(ctx, &d, &r), RIA_ERR_ARGUMENT,
                    "a field: unit and blend must be 0 or more, and the offset finite");
  CHECK(r == NULL);
  ria_raster_destroy(&from);
  ria_raster_destroy(&other);
}

int main(void) {
  files_begin();
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  boxes();
  beyond();
  angles();
  turned_means();
  means_of_finer_cells();
  priority();
  blending();
  round_a_hole();
  units();
  filling();
  smoothing();
  least_depth();
  bare_corner();
  one_system();
  known_by_name();
  refused();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
