/* io/gdal.h - GDAL, where it is found at run time: rasters of the kinds that ria does not read.
 *
 * libria does not link libgdal: it is loaded when it is needed. RIA_GDAL names the file of another
 * one, or "none". */
#ifndef RIA_IO_GDAL_H
#define RIA_IO_GDAL_H
#include <ria/field.h>

/* Can it be used? If not, why tells: "libgdal is not found". */
bool ria_gdal_there(char *why, size_t size);

/* The library, for others who look for functions in it; it stays loaded after dlclose. NULL: `why`
 * tells. */
void *ria_gdal_load(char *why, size_t size);

/* The one band of a file. kind: for messages. RIA_ERR_INPUT: GDAL's words, or the command that
 * makes a file that is read. */
ria_status ria_gdal_read(ria_context *ctx, const char *path, const char *kind, ria_raster **out);

#endif
