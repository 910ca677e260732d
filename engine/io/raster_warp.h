/* io/raster_warp.h - a raster on a grid whose axes are turned against its own. */
#ifndef RIA_IO_RASTER_WARP_H
#define RIA_IO_RASTER_WARP_H
#include <ria/field.h>

/* Fill to->data[ny][nx], for any two angles of the grids. way: RIA_RESAMPLE_AUTO takes means where
 * a cell of the target is larger than one of the raster. */
ria_status ria_raster_warp(ria_context *ctx, const ria_raster *r, ria_resampling way,
                           ria_raster *to);

#endif
