/* ria/field.h - rasters: [ny][nx] values on a grid, on the host.
 *
 * A raster is how elevation, roughness and initial states come in and how copies of results go out.
 * It is the caller's; a simulation makes a copy. NaN marks "no data". */
#ifndef RIA_FIELD_H
#define RIA_FIELD_H
#include <ria/grid.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ria_raster {
  ria_grid grid;
  double *data; /* [ny][nx], row 0 in the south */
  char *crs;    /* WKT or "EPSG:n" as found in the file or beside it, NULL if none */
  char *unit; /* of its values, as the file says: "ft", "EPSG:9003"; NULL = it says none. Values are
                 the file's; ria_dem_make takes them to metres */
  char *about; /* how it came about, as ria_dem_make tells it: lines; NULL = not known */
} ria_raster;

/* Every value is NaN to begin with. */
RIA_API ria_status ria_raster_create(ria_context *ctx, const ria_grid *grid, ria_raster **out);
RIA_API void ria_raster_destroy(ria_raster **r);

/* Read elevation (or any raster), with a .prj beside it if there is one.
 * ESRI ASCII .asc, or .asc.gz. No data: NODATA_value (-9999 unless the header says otherwise), nan,
 * anything beyond 1e38.
 * GeoTIFF, by .tif, .tiff or its first bytes: one band of whole numbers or floats, in strips or
 * tiles, plain or packed by deflate, LZW or PackBits; BigTIFF and cloud-optimized ones too. No
 * data: GDAL_NODATA, nan, floats beyond 1e38. GDAL's scale and offset are applied. crs is "EPSG:n",
 * or WKT, as its keys say; where they say nothing, the .prj.
 * .xyz or .xyz.gz, text with x, y, z a line: points that are the cells of a raster; others are for
 * ria/soundings.h.
 * Anything else, and TIFF of other kinds, by GDAL where libgdal (2.0 or later) is found at run time
 * (RIA_GDAL names its file, or "none"): netCDF, .vrt, GeoPackage ..., also by names that GDAL alone
 * understands, "NETCDF:\"sea.nc\":depth".
 * RIA_ERR_INPUT names the file, the line and the expected text, or the command that makes a file
 * that is read. */
RIA_API ria_status ria_raster_read(ria_context *ctx, const char *path, ria_raster **out);
/* Is it a raster that GDAL alone reads, by its name or first bytes? "a netCDF file"; NULL: not that
 * one could see. A FIFO is not opened. */
RIA_API const char *ria_raster_by_gdal(const char *path);
/* RIA_ERR_INPUT for a raster of elevations in degrees or feet along x and y, as its crs says, or
 * PROJ of it where it is found, or else its extent and heights; the message has the line of
 * gdalwarp that projects it. path: where it was read from; NULL: a field. */
RIA_API ria_status ria_raster_check_metres(ria_context *ctx, const ria_raster *r, const char *path);
/* Write GeoTIFF (by .tif or .tiff: float32 if that loses nothing, else float64; NaN for no data,
 * deflate, the crs within) or ESRI ASCII (.gz by name), whole or not at all. A file that is there
 * is replaced and hands its mode on, also behind a symbolic link; a FIFO or a character device is
 * written into; anything else there is RIA_ERR_OUTPUT. What GDAL would read with a GeoTIFF of this
 * name, an .aux.xml or .msk beside it, is removed. */
RIA_API ria_status ria_raster_write(ria_context *ctx, const ria_raster *r, const char *path);

/* Value at (x, y): bilinear between cell centres, clamped half a cell beyond them; NaN where any of
 * the cells used is NaN or the point is outside. */
RIA_API double ria_raster_sample(const ria_raster *r, double x, double y);
/* Resample onto another grid: mean of the source cells covered where the target is coarser,
 * bilinear where finer. Cells without data stay NaN: a target cell has a value when at least half
 * of what it is made from has one. */
RIA_API ria_status ria_raster_resample(ria_context *ctx, const ria_raster *r, const ria_grid *to,
                                       ria_raster **out);
typedef enum ria_resampling {
  RIA_RESAMPLE_AUTO,    /* along each axis means where the target is coarser, bilinear where not */
  RIA_RESAMPLE_MEAN,    /* the cells covered, each by the area it shares: integrals are kept */
  RIA_RESAMPLE_BILINEAR /* between cell centres */
} ria_resampling;

/* The same in the way that is asked for. Axes that are turned against each other (ria_grid.angle)
 * become coarser together or not at all. */
RIA_API ria_status ria_raster_resample_by(ria_context *ctx, const ria_raster *r, const ria_grid *to,
                                          ria_resampling way, ria_raster **out);

typedef struct ria_project_desc {
  const char *crs;    /* of the result: "EPSG:25829" ...; one in degrees is refused */
  double dx, dy;      /* its cells, m; 0 = about those of the raster, in two digits; dy 0 = dx */
  double x0, y0;      /* its lines lie whole cells from here, m */
  ria_resampling way; /* AUTO: means where the area of a cell becomes larger */
} ria_project_desc;
/* Take a raster to another coordinate system: onto the cells of the greatest upright rectangle
 * between its sides, so that no side is without data (for cells of a model's own: ria/dem.h). The
 * raster's grid may be turned. Without a crs it counts as degrees on WGS 84. A target cell has a
 * value when at least half of what it is made from has one. RIA_ERR_INPUT: the raster, or no cell
 * of it, lies on that map; RIA_ERR_ARGUMENT: a system that is not known (ria/crs.h). */
RIA_API ria_status ria_raster_project(ria_context *ctx, const ria_raster *r,
                                      const ria_project_desc *desc, ria_raster **out);
/* Fill NaN cells: `max_gap` > 0 fills holes up to that many cells across (the longer side of the
 * box around a hole) by diffusion from its edge, the rest stays NaN; max_gap = 0 sets every NaN to
 * `value`. *filled (may be NULL) = cells changed. */
RIA_API ria_status ria_raster_fill(ria_context *ctx, ria_raster *r, int max_gap, double value,
                                   long *filled);

#ifdef __cplusplus
}
#endif
#endif
