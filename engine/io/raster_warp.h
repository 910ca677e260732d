/* io/raster_warp.h - a raster on a grid whose axes are turned against its own. */
#ifndef RIA_IO_RASTER_WARP_H
#define RIA_IO_RASTER_WARP_H
#include <ria/field.h>

/* A quadrilateral among the cells of a raster. */
typedef struct ria_quad {
  double x[4], y[4]; /* corners in turn, in cells from the raster's south-west corner */
} ria_quad;
/* The mean of the cells that it covers, each by the exact area that they share; NaN where less than
 * half of it has a value. part not NULL: of whatever has a value, and *part is how much has one. */
double ria_raster_mean_in(const ria_raster *r, const ria_quad *c, double *part);

/* Of one weight that has values so far: is that enough, and if so put into *part, where asked? */
static inline bool ria_raster_enough(double known, double least, double *part) {
  if (!part) return known >= least;
  *part = known;
  return known > 1e-9;
}

/* Fill to->data[ny][nx], for any two angles of the grids. way: RIA_RESAMPLE_AUTO takes means where
 * a cell of the target is larger than one of the raster. */
ria_status ria_raster_warp(ria_context *ctx, const ria_raster *r, ria_resampling way,
                           ria_raster *to, double *part);
/* As ria_raster_resample_by. part[ny][nx] of the target (here and above; or NULL) gets the share of
 * each cell that has a value; then also cells of which less than half has one get the mean of that.
 */
ria_status ria_raster_resample_parts(ria_context *ctx, const ria_raster *r, const ria_grid *to,
                                     ria_resampling way, double *part, ria_raster **out);

#endif
