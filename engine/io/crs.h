/* io/crs.h - a coordinate reference system as CF and GDAL want to read it from a store.
 *
 * Known in full without a data base: the codes of crs_grids.c, longitude and latitude on the datums
 * of crs_datums.c, web Mercator. Other EPSG codes are named but not spelled out; WKT is handed on
 * as it is. Conversion of coordinates is in crs_convert.c. */
#ifndef RIA_IO_CRS_H
#define RIA_IO_CRS_H
#include "io/buffer.h"
#include <ria/field.h>

/* Is there anything to say? False for NULL and "": local metres. */
bool ria_crs_given(const char *crs);
/* Does elevation without a system lie on degrees, by its extent and heights? */
bool ria_raster_looks_like_degrees(const ria_raster *r);
/* Degrees rather than metres, as far as its text and the tables tell. */
bool ria_crs_geographic(const char *crs);
/* Members of the attributes of the grid mapping variable: "grid_mapping_name": ..., no braces. */
void ria_crs_attributes(const char *crs, ria_buffer *json);
/* The value of GDAL's _CRS attribute: {"url": ...} or {"wkt": ...}. */
void ria_crs_gdal(const char *crs, ria_buffer *json);

/* The whole as WKT; nothing for an EPSG code that is not spelled out. */
void ria_crs_wkt(const char *crs, ria_buffer *out);

#endif
