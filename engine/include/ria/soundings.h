/* ria/soundings.h - a raster from scattered points: soundings, spot heights, a survey's lines. */
#ifndef RIA_SOUNDINGS_H
#define RIA_SOUNDINGS_H
#include <ria/field.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum ria_gridding {
  RIA_GRIDDING_AUTO,     /* means in cells with `least` points or more; elsewhere triangles, and
                            beyond these the means of what there is */
  RIA_GRIDDING_MEANS,    /* of the points in a cell; cells without points have no data */
  RIA_GRIDDING_TRIANGLES /* linear in the Delaunay triangle around the centre of a cell */
} ria_gridding;

typedef struct ria_soundings_desc {
  const char *const *paths; /* text: x, y, z a line (ria_raster_from_soundings says how) */
  size_t n_paths;
  const double *x, *y, *z; /* [n] and points that are in memory; NULL = none */
  size_t n;
  double dx, dy;         /* cells, m; dy 0 = dx; dx 0 = the lattice that the points are */
  double x0, y0, x1, y1; /* the box of the grid, m; all 0 = multiples of dx, dy around the points */
  ria_gridding gridding;
  int least;       /* points in a cell for a mean; 0 = 3 */
  double reach;    /* the longest side of a triangle that counts, m; 0 = any */
  bool has_nodata; /* points of this height are left out */
  double nodata;
  bool down;       /* they are depths: turn the sign */
  double offset;   /* added after the sign, m */
  const char *crs; /* of all points; NULL = of the .prj beside each file, if there is one; those in
                      memory then go by the first file's */
  const char *to;  /* of the grid; NULL = of the points, which are then in metres */
} ria_soundings_desc;

/* Files are plain or gzip. A line is x, y, z and what else there may be, between blanks, tabs,
 * commas or semicolons; lines that begin with # and blank ones are left out, and the first may be a
 * header. Numbers with a decimal comma are refused. Heights nan or beyond 1e38 are left out. Points
 * at one place count by their mean.
 *
 * Without `to` all files must be in one system. out->crs is `to`, or that of the points. How many
 * cells came about how is logged. RIA_ERR_INPUT: a file, with its line; points on no lattice where
 * dx is 0; none at all. RIA_ERR_ARGUMENT: cells, box, crs (ria/crs.h). */
RIA_API ria_status ria_raster_from_soundings(ria_context *ctx, const ria_soundings_desc *desc,
                                             ria_raster **out);

#ifdef __cplusplus
}
#endif
#endif
