/* io/xyz.h - points with heights, read from text; points that are the cells of a raster. */
#ifndef RIA_IO_XYZ_H
#define RIA_IO_XYZ_H
#include <ria/field.h>

typedef struct ria_xyz {
  double *x, *y, *z; /* [n] */
  size_t n, room;
} ria_xyz;

/* Add those of a file. nodata (may be NULL): a height that stands for none. */
ria_status ria_xyz_read(ria_context *ctx, const char *path, const double *nodata, ria_xyz *to);
ria_status ria_xyz_add(ria_context *ctx, ria_xyz *p, double x, double y, double z);
void ria_xyz_free(ria_xyz *p);

/* Do they lie on the centres of cells, one a cell at most? Then *g is the grid, which has no cells
 * where they do not. */
ria_status ria_xyz_lattice(ria_context *ctx, const ria_xyz *p, ria_grid *g);

/* .xyz or .xyz.gz. */
bool ria_xyz_is_named(const char *path);
/* The raster whose cells the points of a file are. -9999, nan and what is beyond 1e38 is no data.
 */
ria_status ria_xyz_read_raster(ria_context *ctx, const char *path, ria_raster **out);

/* The text of the .prj beside a file, malloc'ed; NULL: there is none, or nothing in it. */
ria_status ria_prj_read(ria_context *ctx, const char *path, char **crs);

#endif
