/* io/raster_asc.h - ESRI ASCII grids, read and written. */
#ifndef RIA_IO_RASTER_ASC_H
#define RIA_IO_RASTER_ASC_H
#include <ria/field.h>

ria_status ria_asc_read(ria_context *ctx, const char *path, ria_raster **out);
ria_status ria_asc_write(ria_context *ctx, const ria_raster *r, const char *path);

#endif
