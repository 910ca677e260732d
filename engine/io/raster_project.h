/* io/raster_project.h - a raster of one coordinate system on given cells of another. */
#ifndef RIA_IO_RASTER_PROJECT_H
#define RIA_IO_RASTER_PROJECT_H
#include <ria/field.h>

/* The cells that ria_raster_project chooses. */
ria_status ria_project_grid(ria_context *ctx, const ria_raster *r, const ria_project_desc *desc,
                            ria_grid *out);
/* The size of the raster's cells on the map of crs near (x, y) there, m, in two digits. */
ria_status ria_project_size(ria_context *ctx, const ria_raster *r, const char *crs, double x,
                            double y, double *size);
/* The upright rectangle on the map around the raster's sides; without the parts of them that are no
 * place of it. */
ria_status ria_project_reach(ria_context *ctx, const ria_raster *r, const char *crs,
                             double box[RIA_SIDES]);
/* Fill to->data[ny][nx], whose grid lies on the map of crs, turned or not; NaN beyond the raster.
 * inside: NULL, or [ny][nx], where 1 is set in cells whose centres lie within the raster. part: as
 * of ria_raster_resample_parts. *means: were means taken? */
ria_status ria_project_onto(ria_context *ctx, const ria_raster *r, const char *crs,
                            ria_resampling way, ria_raster *to, unsigned char *inside, double *part,
                            bool *means);

#endif
