/* ria/dem.h - the ground of a model from rasters: cut out, put on cells of its own, several into
 * one, filled, smoothed.
 *
 * What is done, in this order: each raster's values become metres upward (unit, down, offset,
 * shift); where there is only one, its gaps are filled; it is put on the grid; rasters are laid
 * over one another; gaps of what several gave are filled; the whole is smoothed; shallow water is
 * made at least so deep. */
#ifndef RIA_DEM_H
#define RIA_DEM_H
#include <ria/field.h>
#ifdef __cplusplus
extern "C" {
#endif

/* What is added to a raster's heights, a raster too: from its vertical datum to the model's. */
typedef struct ria_dem_shift {
  const char *path;
  const ria_raster *raster; /* where path is NULL; stays the caller's */
  double unit;              /* what its values are in, m; 0 = as the file says, else 1 */
  bool down; /* they are subtracted: a geoid's heights, of heights above the ellipsoid */
} ria_dem_shift;

/* One raster: of a file, which is freed before the next is read, or one that is there already. */
typedef struct ria_dem_layer {
  const char *path;
  const ria_raster *raster; /* where path is NULL; stays the caller's, as it is */
  double unit;              /* what its values are in, m; 0 = 1 */
  bool down;                /* they are depths */
  double offset;            /* added after sign and unit, m: from its datum to the model's */
  /* The same by a raster, at the centre of each cell, on any map, bilinear; NULL = none. Cells
   * where it has no value lose theirs, and about tells how many. */
  const ria_dem_shift *shift;
  double blend; /* m; 0 = the whole's */
} ria_dem_layer;

typedef struct ria_dem_desc {
  const ria_dem_layer *layers; /* the first lies on top */
  size_t n_layers;
  const char *crs; /* the model's coordinate system, "EPSG:25829" ...: rasters in others are taken
                      onto its cells, degrees too; NULL = that of the rasters, which is in metres */
  double x0, y0, x1, y1; /* the box to cut out, on the map; all 0 = what the rasters cover, those of
                            other systems as far as the upright rectangle between their sides; one
                            alone whose cells are turned keeps its angle */
  double angle;          /* the box is turned about (x0, y0), as ria_grid's; it must be given */
  double dx, dy;         /* cells; 0 = those of the first raster, whose lines the grid then keeps
                            to: cells whose centres lie in the box */
  ria_resampling resampling; /* onto the grid */
  double blend;       /* m: inside its edge a raster fades into those below over this width */
  int gap;            /* fill holes up to so many cells across: of the raster's cells where
                         there is one, of the grid's where there are several; 0 = none */
  bool has_fill;      /* all other cells without data, also beyond the rasters, get a value */
  double fill;        /* m */
  double smooth;      /* standard deviation of a Gaussian, m; 0 = none */
  double least_depth; /* m: cells below sea_level are made at least so deep; 0 = none */
  double sea_level;   /* m */
} ria_dem_desc;

/* Make it. The crs is the model's, else that of the first raster that has one, and about says what
 * was done. Rasters whose crs differ, or that are in degrees, where the model's is not named, and
 * boxes that reach beyond the rasters are errors (RIA_ERR_ARGUMENT, RIA_ERR_INPUT); a message about
 * a layer of several names it by its path. */
RIA_API ria_status ria_dem_make(ria_context *ctx, const ria_dem_desc *desc, ria_raster **out);

#ifdef __cplusplus
}
#endif
#endif
