/* Rasters in degrees, or on another map, put on the cells of a model: exact values where the ground
 * is a plane of the map, gdalwarp where it is installed, what has no value, refusals. */
#include "test.h"
#include <ria/crs.h>
#include <ria/field.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ria_context *ctx;

/* Ground that is a plane on the map of UTM zone 29, given on degrees. */
static double plane(double x, double y) { return 1e-3 * (x - 520000.0) - 2e-3 * (y - 4677000.0); }

static ria_raster *in_degrees(double lon0, double step, int nx, int ny) {
  ria_raster *r = NULL;
  const ria_grid g = {.nx = nx, .ny = ny, .dx = step, .dy = step, .x0 = lon0, .y0 = 42.2};
  if (!CHECK_OK(ctx, ria_raster_create(ctx, &g, &r))) exit(1);
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      double x = lon0 + (i + 0.5) * step, y = 42.2 + (j + 0.5) * step;
      CHECK_OK(ctx, ria_crs_convert_named(ctx, "EPSG:4258", "EPSG:25829", 1, &x, &y));
      r->data[(size_t)j * (size_t)nx + (size_t)i] = plane(x, y);
    }
  return r;
}

static double worst(const ria_raster *r, int rim) {
  const ria_grid *g = &r->grid;
  double off = 0.0;
  for (int j = rim; j < g->ny - rim; j++)
    for (int i = rim; i < g->nx - rim; i++) {
      const double z = r->data[(size_t)j * (size_t)g->nx + (size_t)i];
      const double should = plane(g->x0 + (i + 0.5) * g->dx, g->y0 + (j + 0.5) * g->dy);
      if (!(fabs(z - should) <= off)) off = fabs(z - should); /* NaN too */
    }
  return off;
}

static ria_raster *project(const ria_raster *r, const ria_project_desc *desc) {
  ria_raster *out = NULL;
  if (!CHECK_OK(ctx, ria_raster_project(ctx, r, desc, &out))) exit(1);
  return out;
}

/* A plane on the map comes back but for its curvature in degrees, which is of second order. */
static void planes(void) {
  static const double lon0[] = {-8.8, 351.2}, size[] = {0.0, 10.0, 20.0, 150.0};
  for (size_t w = 0; w < 2; w++) {
    ria_raster *r = in_degrees(lon0[w], 0.0003, 200, 150);
    for (size_t k = 0; k < 4; k++) {
      ria_raster *p = project(r, &(ria_project_desc){.crs = "EPSG:25829", .dx = size[k]});
      const double dx = size[k] > 0.0 ? size[k] : 25.0; /* 24.8 m eastward, 33 m northward */
      CHECK_NEAR(p->grid.dx, dx, 0.0);
      CHECK_NEAR(p->grid.dy, dx, 0.0);
      CHECK_NEAR(remainder(p->grid.x0, dx), 0.0, 1e-9);
      CHECK_TEXT(p->crs, "EPSG:25829");
      CHECK_NEAR(worst(p, 1), 0.0, 1e-4);
      CHECK(!isnan(worst(p, 0)));
      CHECK(p->grid.nx * dx > 4650.0 && p->grid.nx * dx < 4960.0);
      CHECK(p->grid.ny * dx > 4650.0 && p->grid.ny * dx < 5000.0);
      ria_raster_destroy(&p);
    }
    ria_raster_destroy(&r);
  }
}

/* Cells along the lines that are asked for, each in its own size. */
static void lines(void) {
  ria_raster *r = in_degrees(-8.8, 0.0003, 200, 150);
  const ria_project_desc d = {
      .crs = "EPSG:25829", .dx = 40.0, .dy = 30.0, .x0 = 517000.5, .y0 = 4677000.25};
  ria_raster *p = project(r, &d);
  CHECK_NEAR(remainder(p->grid.x0 - 517000.5, 40.0), 0.0, 1e-9);
  CHECK_NEAR(remainder(p->grid.y0 - 4677000.25, 30.0), 0.0, 1e-9);
  CHECK_NEAR(worst(p, 1), 0.0, 1e-3);
  ria_raster_destroy(&p);
  ria_raster_destroy(&r);
}

/* Holes stay holes; a cell with half of its share known has a value. */
static void holes(void) {
  ria_raster *r = in_degrees(-8.8, 0.0003, 200, 150);
  long before = 0, after = 0;
  for (int j = 60; j < 90; j++)
    for (int i = 50; i < 100; i++) r->data[(size_t)j * 200 + (size_t)i] = NAN, before++;
  ria_raster *p = project(r, &(ria_project_desc){.crs = "EPSG:25829", .dx = 50.0});
  for (size_t k = 0; k < (size_t)p->grid.nx * (size_t)p->grid.ny; k++) after += isnan(p->data[k]);
  /* 24.76 x 33.33 m each */
  CHECK_NEAR((double)after * 2500.0, (double)before * 24.76 * 33.33, 30.0 * 2500.0);
  ria_raster_destroy(&p);
  ria_raster_destroy(&r);
}

/* From one map to another: the neighbouring zone, where north is turned. */
static void between_maps(void) {
  ria_raster *r = in_degrees(-8.8, 0.0003, 200, 150);
  ria_raster *p = project(r, &(ria_project_desc){.crs = "EPSG:25829", .dx = 20.0});
  ria_raster *q = project(p, &(ria_project_desc){.crs = "EPSG:25830", .dx = 20.0});
  ria_raster *back = project(q, &(ria_project_desc){.crs = "EPSG:25829", .dx = 20.0});
  CHECK(q->grid.nx < p->grid.nx - 8); /* turned by 4 degrees: the sides are cut */
  CHECK_NEAR(worst(back, 1), 0.0, 1e-3);
  ria_raster_destroy(&back);
  ria_raster_destroy(&q);
  ria_raster_destroy(&p);
  ria_raster_destroy(&r);
}

/* gdalwarp -t_srs EPSG:25829 -tr 20 20 -tap -r bilinear -et 0 (GDAL 3.6) of z = (i * 7 + j * 13) %
 * 29 on 40 x 30 cells of 0.0003 degrees from 8.8 W, 42.2 N: at cells of the model. */
static void as_gdalwarp(void) {
  static const struct {
    double x, y, z;
  } kept[] = {{516770, 4672630, 15.446900}, {517230, 4672250, 20.143829},
              {516730, 4672290, 13.251034}, {516810, 4672750, 9.437902},
              {516990, 4672490, 10.034928}, {516950, 4672230, 16.620358},
              {516810, 4672370, 17.644573}, {517110, 4672210, 11.084450}};
  ria_raster *r = in_degrees(-8.8, 0.0003, 40, 30);
  for (int j = 0; j < 30; j++)
    for (int i = 0; i < 40; i++)
      r->data[(size_t)j * 40 + (size_t)i] = (double)((i * 7 + (29 - j) * 13) % 29);
  ria_raster *p = project(
      r, &(ria_project_desc){.crs = "EPSG:25829", .dx = 20.0, .way = RIA_RESAMPLE_BILINEAR});
  for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
    CHECK_NEAR(ria_raster_sample(p, kept[k].x, kept[k].y), kept[k].z, 2e-4);
  ria_raster_destroy(&p);
  ria_raster_destroy(&r);
}

/* A raster with an angle of its own gives what an upright one of the same ground does. */
static void turned(void) {
  ria_raster *r = NULL;
  const ria_grid g = {
      .nx = 200, .ny = 150, .dx = 20, .dy = 20, .x0 = 518000, .y0 = 4673000, .angle = 12};
  CHECK_OK(ctx, ria_raster_create(ctx, &g, &r));
  r->crs = strdup("EPSG:25829");
  for (size_t c = 0; c < 200 * 150; c++) {
    double x = g.x0 + ((double)(c % 200) + 0.5) * 20, y = g.y0 + ((double)(c / 200) + 0.5) * 20;
    ria_grid_to_map(&g, &x, &y);
    r->data[c] = plane(x, y);
  }
  ria_raster *there = project(r, &(ria_project_desc){.crs = "EPSG:25830", .dx = 20.0});
  ria_raster *back = project(there, &(ria_project_desc){.crs = "EPSG:25829", .dx = 20.0});
  CHECK(back->grid.nx > 100 && back->grid.ny > 50);
  CHECK_NEAR(worst(back, 1), 0.0, 1e-3);
  CHECK(back->grid.x0 > 517300.0 && back->grid.x0 < 518200.0);
  ria_raster_destroy(&back);
  ria_raster_destroy(&there);
  ria_raster_destroy(&r);
}

/* Stripes of one cell whose mean is 1, however many of them a cell holds. */
static void stripes(void) {
  static const double size[] = {300.0, 1600.0, 4800.0};
  ria_raster *r = in_degrees(-8.8, 0.0003, 900, 600);
  for (size_t c = 0; c < 900 * 600; c++) r->data[c] = c % 2 ? 2.0 : 0.0;
  for (size_t k = 0; k < 3; k++) {
    ria_raster *p = project(r, &(ria_project_desc){.crs = "EPSG:25829", .dx = size[k]});
    for (size_t c = 0; c < (size_t)p->grid.nx * (size_t)p->grid.ny; c++)
      if (!CHECK_NEAR(p->data[c], 1.0, 25.0 / size[k])) break; /* one stripe more or less */
    ria_raster_destroy(&p);
  }
  ria_raster_destroy(&r);
}

static void refusals(void) {
  ria_raster *r = in_degrees(-8.8, 0.0003, 20, 20), *out = NULL;
  CHECK_FAILS(ctx, ria_raster_project(ctx, r, &(ria_project_desc){.crs = "EPSG:4326"}, &out),
              RIA_ERR_ARGUMENT,
              "WGS 84 is in degrees, and ria computes in metres: take a system in metres, such as "
              "that of a UTM zone");
  CHECK_FAILS(
      ctx, ria_raster_project(ctx, r, &(ria_project_desc){.crs = "EPSG:25829", .dx = 2000}, &out),
      RIA_ERR_INPUT,
      "no upright box with a cell of 2000 x 2000 m lies within the raster on the map of ETRS89 / "
      "UTM zone 29N: name one, box = {x0, y0, x1, y1}; what the raster leaves of it has no data");
  CHECK_FAILS(
      ctx, ria_raster_project(ctx, r, &(ria_project_desc){.crs = "EPSG:25829", .dx = 1e-310}, &out),
      RIA_ERR_INPUT,
      "no upright box with a cell of 1e-310 x 1e-310 m lies within the raster on the map of "
      "ETRS89 / UTM zone 29N: name one, box = {x0, y0, x1, y1}; what the raster leaves of it has "
      "no data");
  r->grid.x0 = 81.0;
  r->grid.y0 = -0.002;
  CHECK_FAILS(ctx, ria_raster_project(ctx, r, &(ria_project_desc){.crs = "EPSG:25829"}, &out),
              RIA_ERR_INPUT, "a part of the raster lies outside the area of ETRS89 / UTM zone 29N");
  CHECK(out == NULL);
  ria_raster_destroy(&r);
}

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx) == RIA_OK);
  planes();
  lines();
  holes();
  between_maps();
  as_gdalwarp();
  turned();
  stripes();
  refusals();
  ria_context_destroy(&ctx);
  return TEST_END();
}
