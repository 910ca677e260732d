/* io/raster_tiff.h - GeoTIFF, read and written without GDAL.
 *
 * Read: the first image of a TIFF or BigTIFF file, one band of whole numbers or floats, perhaps
 * with an alpha band (where that is 0 there is no data, else the value counts whole), in strips or
 * tiles, plain or packed by deflate, LZW or PackBits, placed by a scale and a tie point or by a
 * matrix that may turn it. So a cloud-optimized GeoTIFF is read too, without its overviews. All
 * else is RIA_ERR_INPUT, with the command that converts it. A mask, a later image or bay.tif.msk,
 * takes cells out; bay.tif.aux.xml and a world file tell what the file does not. Whatever the bytes
 * of a file say, nothing outside it is read, and no more cells are made than its bytes can unpack
 * to (deflate: 1032 to 1), but for 16 million that any file may leave out. */
#ifndef RIA_IO_RASTER_TIFF_H
#define RIA_IO_RASTER_TIFF_H
#include "io/buffer.h"
#include <ria/output.h>

/* By the name, or by the first bytes of a regular file. A FIFO is not opened. */
bool ria_tiff_is_named(const char *path); /* .tif, .tiff */
bool ria_tiff_is(const char *path);

/* out->crs: "EPSG:n" or WKT as the keys of the file say, NULL where they say nothing that is
 * understood. *refused (may be NULL): it failed, but GDAL makes a file of it that is read. */
ria_status ria_tiff_read(ria_context *ctx, const char *path, ria_raster **out, bool *refused);

/* colours NULL: float32 where every value is one, else float64; NaN for no data. Else one byte a
 * cell, by a palette. Deflate; tiles, or strips where the raster is small. More than 512 cells
 * either way: with overviews, laid out as a cloud-optimized GeoTIFF. BigTIFF where 4 GB do not
 * suffice. */
ria_status ria_tiff_write(ria_context *ctx, const ria_raster *r, const ria_raster_colours *colours,
                          const char *path);
/* The bytes of the file; always_big: BigTIFF whatever the size. path: for messages. */
ria_status ria_tiff_encode(ria_context *ctx, const ria_raster *r, const ria_raster_colours *colours,
                           const char *path, bool always_big, ria_buffer *out);

#endif
