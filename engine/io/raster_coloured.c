/* io/raster_coloured.c - a raster as GeoTIFF with a palette: checked, and the range that is left
 * out. */
#include "base/ranks.h"
#include "io/frame.h"
#include "io/raster_tiff.h"

#include <math.h>

static const double log_span = 1e-4; /* of a range on a log scale, as frames have it */

static void range_of(const ria_raster *r, ria_raster_colours *c) {
  const size_t n = (size_t)r->grid.nx * (size_t)r->grid.ny;
  double min = INFINITY, max = -INFINITY;
  for (size_t k = 0; k < n; k++) {
    if (isnan(r->data[k])) continue;
    min = fmin(min, r->data[k]);
    max = fmax(max, r->data[k]);
  }
  const bool log_scale = c->scale == RIA_SCALE_LOG;
  const bool useful = log_scale ? max > 0.0 : min < max;
  c->max = useful ? max : log_scale ? 1.0 : min <= max ? min + 1.0 : 1.0;
  c->min = log_scale ? c->max * log_span : min <= max ? min : 0.0;
}

static ria_status check(ria_context *ctx, const char *path, const ria_raster_colours *c) {
  if (!ria_tiff_is_named(path))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s: colours go into GeoTIFF: name it .tif", path);
  if (!isfinite(c->min) || !isfinite(c->max) || c->min >= c->max)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s: the range of colours from %g to %g must rise", path,
                    c->min, c->max);
  if (c->scale == RIA_SCALE_LOG && c->min <= 0.0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "%s: a log scale begins above 0, and the range of colours at %g", path, c->min);
  return RIA_OK;
}

ria_status ria_raster_write_coloured(ria_context *ctx, const ria_raster *r, const char *path,
                                     const ria_raster_colours *colours) {
  ria_raster_colours c = *colours;
  RIA_TRY(ria_grid_check(ctx, &r->grid));
  RIA_TRY(ria_colormap_check(ctx, c.map));
  if (!c.map) c.map = "viridis";
  if (c.min == 0.0 && c.max == 0.0) range_of(r, &c);
  RIA_TRY(check(ctx, path, &c));
  return ria_ranks_wrote(ctx, ria_ranks_write(ctx) ? ria_tiff_write(ctx, r, &c, path) : RIA_OK);
}
