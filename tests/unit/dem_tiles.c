/* A ground from rasters in degrees: neighbouring tiles without a gap between them, a box out of a
 * large raster, turned boxes, the seam of the globe, what is told. */
#include "test.h"
#include <ria/crs.h>
#include <ria/dem.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ria_context *ctx;

static const char *const utm32 = "EPSG:32632";

/* Ground that is a plane on the map of UTM zone 32. */
static double plane(double x, double y) { return 1e-3 * (x - 370000.0) - 2e-3 * (y - 6040000.0); }

static ria_raster *tile(double lon, double lat, double step, int nx, int ny) {
  ria_raster *r = NULL;
  const ria_grid g = {.nx = nx, .ny = ny, .dx = step, .dy = step, .x0 = lon, .y0 = lat};
  if (!CHECK_OK(ctx, ria_raster_create(ctx, &g, &r))) exit(1);
  double *x = malloc(2 * (size_t)nx * sizeof *x), *y = x + nx;
  for (int j = 0; j < ny; j++) {
    for (int i = 0; i < nx; i++) x[i] = lon + (i + 0.5) * step, y[i] = lat + (j + 0.5) * step;
    CHECK_OK(ctx, ria_crs_convert_named(ctx, "EPSG:4326", utm32, (size_t)nx, x, y));
    for (int i = 0; i < nx; i++) r->data[(size_t)j * (size_t)nx + (size_t)i] = plane(x[i], y[i]);
  }
  free(x);
  r->crs = strdup("EPSG:4326");
  return r;
}

static ria_raster *dem(const ria_dem_desc *d) {
  ria_raster *out = NULL;
  if (!CHECK_OK(ctx, ria_dem_make(ctx, d, &out))) exit(1);
  return out;
}

static size_t cells(const ria_raster *r) { return (size_t)r->grid.nx * (size_t)r->grid.ny; }

static size_t empty(const ria_raster *r) {
  size_t n = 0;
  for (size_t c = 0; c < cells(r); c++) n += isnan(r->data[c]);
  return n;
}

/* The farthest from the plane. */
static double worst(const ria_raster *r) {
  const ria_grid *g = &r->grid;
  double off = 0.0;
  for (size_t c = 0; c < cells(r); c++) {
    double x = g->x0 + ((double)(c % (size_t)g->nx) + 0.5) * g->dx;
    double y = g->y0 + ((double)(c / (size_t)g->nx) + 0.5) * g->dy;
    ria_grid_to_map(g, &x, &y);
    if (!isnan(r->data[c])) off = fmax(off, fabs(r->data[c] - plane(x, y)));
  }
  return off;
}

/* Two degrees side by side: north is turned by 2 degrees in the west, so that upright rectangles
 * in each would leave a wedge between them. */
static void neighbours(void) {
  ria_raster *west = tile(6.0, 54.0, 1.0 / 240, 240, 240),
             *east = tile(7.0, 54.0, 1.0 / 240, 240, 240);
  const ria_dem_layer layers[] = {{.raster = west}, {.raster = east}};
  ria_dem_desc d = {.layers = layers,
                    .n_layers = 2,
                    .crs = utm32,
                    .x0 = 320000,
                    .y0 = 6000000,
                    .x1 = 430000,
                    .y1 = 6080000};
  static const double size[] = {100.0, 500.0, 0.0};
  for (size_t k = 0; k < 3; k++) {
    d.dx = size[k];
    ria_raster *r = dem(&d);
    CHECK_NEAR(r->grid.dx, k == 2 ? 270.0 : size[k], 0.0); /* 1/240 degree eastward, 54.4 N */
    CHECK(empty(r) == 0);
    CHECK_NEAR(worst(r), 0.0, k == 1 ? 0.2 : 0.4); /* beside the line between them they clamp */
    CHECK_TEXT(r->crs, utm32);
    ria_raster_destroy(&r);
  }
  ria_raster_destroy(&west);
  ria_raster_destroy(&east);
}

/* Cells of 1 m in a box of a raster that would be 65 km wide in them; the box may be turned. */
static void small_box(void) {
  ria_raster *r = tile(6.0, 54.0, 1.0 / 240, 240, 240);
  const ria_dem_layer layer = {.raster = r};
  ria_dem_desc d = {.layers = &layer,
                    .n_layers = 1,
                    .crs = utm32,
                    .dx = 1,
                    .x0 = 330000,
                    .y0 = 6030000,
                    .x1 = 330200,
                    .y1 = 6030100};
  for (int k = 0; k < 2; k++) {
    d.angle = k ? 30.0 : 0.0;
    ria_raster *z = dem(&d);
    CHECK(z->grid.nx == 200 && z->grid.ny == 100 && z->grid.x0 == 330000 && empty(z) == 0);
    CHECK_NEAR(z->grid.angle, d.angle, 0.0);
    CHECK_NEAR(worst(z), 0.0, 2e-3);
    CHECK(strstr(z->about, "a field: 240 x 240 cells of 0.00416667 deg, projected from WGS 84, to "
                           "1 m bilinear\n") == z->about);
    ria_raster_destroy(&z);
  }
  ria_raster *none = NULL;
  d.angle = 0.0;
  d.dx = 50.0;
  d.x1 = 400000.0;
  CHECK_FAILS(ctx, ria_dem_make(ctx, &d, &none), RIA_ERR_ARGUMENT,
              "the raster does not cover the box: 1193 of 2800 cells lie beyond, in x 370150 .. "
              "400000, y 6030000 .. 6030100 m; it reaches over x 303379.1016 .. 372071.8086, y "
              "5985372.985 .. 6098907.825 m: choose a smaller box, add a raster that reaches "
              "further, or fill = a height");
  ria_raster_destroy(&r);
}

/* The whole globe, from -180 to 180 or from 0 to 360 degrees: a box at the seam of either. */
static void around_the_globe(void) {
  static const double west[] = {-180.0, 0.0};
  static const struct {
    const char *crs;
    double x, lat;
  } box[] = {{"EPSG:32660", 833000.0, -17.0}, {"EPSG:32631", 166000.0, 51.0}};
  ria_grid g = {.nx = 720, .ny = 360, .dx = 0.5, .dy = 0.5, .y0 = -90.0};
  for (int w = 0; w < 2; w++)
    for (int k = 0; k < 2; k++) {
      ria_raster *r = NULL, *z;
      double x = k ? 0.0 : 180.0, y = box[k].lat, lon, lat;
      g.x0 = west[w];
      CHECK_OK(ctx, ria_raster_create(ctx, &g, &r));
      r->crs = strdup("EPSG:4326");
      for (size_t c = 0; c < 720 * 360; c++)
        r->data[c] = 100.0 * cos((g.x0 + 0.5 * ((double)(c % 720) + 0.5)) * acos(-1.0) / 180.0);
      CHECK_OK(ctx, ria_crs_convert_named(ctx, "EPSG:4326", box[k].crs, 1, &x, &y));
      z = dem(&(ria_dem_desc){.layers = &(ria_dem_layer){.raster = r},
                              .n_layers = 1,
                              .crs = box[k].crs,
                              .dx = w ? 1000.0 : 100e3, /* between centres, and means */
                              .x0 = floor(x) - 200e3,
                              .y0 = floor(y) - 200e3,
                              .x1 = floor(x) + 200e3,
                              .y1 = floor(y) + 200e3});
      CHECK(empty(z) == 0);
      for (size_t c = 0; c < cells(z); c++) {
        lon = z->grid.x0 + ((double)(c % (size_t)z->grid.nx) + 0.5) * z->grid.dx;
        lat = z->grid.y0 + ((double)(c / (size_t)z->grid.nx) + 0.5) * z->grid.dy;
        CHECK_OK(ctx, ria_crs_convert_named(ctx, box[k].crs, "EPSG:4326", 1, &lon, &lat));
        if (!CHECK_NEAR(z->data[c], 100.0 * cos(lon * acos(-1.0) / 180.0), 0.01)) break;
      }
      ria_raster_destroy(&z);
      ria_raster_destroy(&r);
    }
}

int main(void) {
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  neighbours();
  small_box();
  around_the_globe();
  ria_context_destroy(&ctx);
  return TEST_END();
}
