/* io/raster_degrees.c - elevation in degrees of longitude and latitude, which must be projected.
 *
 * ria computes in metres: a grid with cells of 0.000278 degrees would be a third of a millimetre
 * wide. The file beside the raster (.prj) says it, or the numbers do: small cells within +-180 and
 * +-90, and ground that rises by more than the grid is wide. A flume has such cells as well, but
 * not such ground. */
#include "io/crs.h"
#include "io/crs_read.h"
#include "io/raster_tiff.h"
#include <ria/crs.h>
#include <ria/field.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double metres_per_degree = 111320.0;

static bool is_within(const ria_grid *g) {
  return g->x0 >= -180.0 && g->x0 + g->nx * g->dx <= 360.0 && g->y0 >= -90.0 &&
         g->y0 + g->ny * g->dy <= 90.0;
}

static double relief(const ria_raster *r) {
  double low = INFINITY, high = -INFINITY;
  for (size_t k = 0; k < (size_t)r->grid.nx * (size_t)r->grid.ny; k++) {
    if (isnan(r->data[k])) continue;
    low = fmin(low, r->data[k]);
    high = fmax(high, r->data[k]);
  }
  return high - low;
}

bool ria_raster_looks_like_degrees(const ria_raster *r) {
  const ria_grid *g = &r->grid;
  return g->dx < 0.1 && g->dy < 0.1 && is_within(g) &&
         relief(r) > fmax(g->nx * g->dx, g->ny * g->dy);
}

/* A cell's size in metres, in two digits. */
static double cell_in_metres(const ria_grid *g) {
  const double size = fmin(g->dx, g->dy) * metres_per_degree;
  const double unit = pow(10.0, floor(log10(size)) - 1.0);
  return round(size / unit) * unit;
}

/* A system that neither ria nor PROJ can tell of: no map with an EPSG code lies on a spot of 360 x
 * 180 m about its origin. */
static ria_crs_axes by_numbers(ria_context *ctx, const ria_raster *r, const char *name) {
  const bool given = ria_crs_given(r->crs);
  const bool code = given && ria_crs_code(r->crs);
  if (ria_raster_looks_like_degrees(r) || (code && is_within(&r->grid))) return RIA_CRS_DEGREES;
  if (given)
    ria_log(ctx,
            "%s: whether its coordinate system (%.60s) counts in metres is not known here: x and y "
            "are taken as metres",
            name, r->crs);
  return RIA_CRS_UNTOLD;
}

static ria_status refuse_unit(ria_context *ctx, const char *path, double unit) {
  return ria_fail(ctx, RIA_ERR_INPUT,
                  "%s counts x and y in units of %.10g m (as its coordinate system says), and ria "
                  "in metres; take it to a system in metres%s%s%s",
                  path ? path : "a field", unit,
                  path ? ", such as the UTM zone of the place: gdalwarp -t_srs EPSG:32618 " : "",
                  path ? path : "", path ? " utm.tif" : "");
}

static ria_status refuse_degrees(ria_context *ctx, const ria_raster *r, const char *path,
                                 const char *how) {
  const ria_grid *g = &r->grid;
  const int utm = ria_crs_utm(g->x0 + 0.5 * g->nx * g->dx, g->y0 + 0.5 * g->ny * g->dy);
  if (!path)
    return ria_fail(ctx, RIA_ERR_INPUT,
                    "a field is in degrees (cells of %.4g x %.4g, %s), and ria computes in metres: "
                    "name the model's system, crs = \"EPSG:%d\" (of ria.dem)",
                    g->dx, g->dy, how, utm);
  const size_t length = strlen(path);
  const bool packed = length > 3 && strcmp(path + length - 3, ".gz") == 0;
  const double cell = cell_in_metres(g);
  return ria_fail(
      ctx, RIA_ERR_INPUT,
      "%s is in degrees (cells of %.4g x %.4g, %s), and ria computes in metres: name the "
      "model's system, crs = \"EPSG:%d\" (of ria.dem), or project it: gdalwarp %s-t_srs EPSG:%d "
      "-tr %g %g -r bilinear -dstnodata -9999 %s%s utm.tif",
      path, g->dx, g->dy, how, utm, ria_crs_given(r->crs) ? "" : "-s_srs EPSG:4326 ", utm, cell,
      cell, packed ? "/vsigzip/" : "", path);
}

ria_status ria_raster_check_metres(ria_context *ctx, const ria_raster *r, const char *path) {
  double unit = 1.0;
  const ria_crs_axes told =
      ria_crs_given(r->crs) ? ria_crs_counts_in(ctx, r->crs, &unit) : RIA_CRS_UNTOLD;
  const bool beside = path && !ria_tiff_is_named(path);
  if (told == RIA_CRS_OTHERS) return refuse_unit(ctx, path, unit);
  if (told == RIA_CRS_DEGREES)
    return refuse_degrees(ctx, r, path,
                          beside ? "as its .prj says" : "as its coordinate system says");
  if (told == RIA_CRS_METRES || by_numbers(ctx, r, path ? path : "a field") != RIA_CRS_DEGREES)
    return RIA_OK;
  return refuse_degrees(ctx, r, path, "by its extent and heights");
}
