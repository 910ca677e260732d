/* shapes/read.c - which reader takes a file. */
#include "shapes/set.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_table(const char *path) {
  static const char *const tails[] = {".csv", ".txt", ".csv.gz", ".txt.gz"};
  for (size_t k = 0; k < sizeof tails / sizeof *tails; k++)
    if (ria_ends_with(path, tails[k])) return true;
  return false;
}

ria_status ria_shapes_read(ria_context *ctx, const char *path, const ria_shapes_layout *layout,
                           ria_shapes **out) {
  ria_shape_set *set;
  const char *crs = layout ? layout->crs : NULL;
  *out = NULL;
  if (!path)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "shapes are read from a file: its path is NULL");
  const char *by_gdal = ria_shapes_by_gdal(path), *layer = layout ? layout->layer : NULL;
  if (layer && !by_gdal)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s: a file of this kind has no layers", path);
  if (layout && layout->units && !is_table(path))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s: a file of this kind has no row of units", path);
  if (by_gdal)
    RIA_TRY(ria_ogr_read(ctx, path, by_gdal, layer, &set));
  else
    RIA_TRY(is_table(path) ? ria_points_read(ctx, path, layout, &set)
                           : ria_geojson_read(ctx, path, crs != NULL, &set));
  ria_status s = crs ? ria_set_crs(ctx, set, crs) : RIA_OK;
  if (s == RIA_OK && crs && strcmp(crs, "model") == 0) {
    free(set->crs);
    set->crs = NULL;
  }
  if (s != RIA_OK) {
    ria_set_release(set);
    return s;
  }
  return ria_set_close(ctx, set, out);
}
