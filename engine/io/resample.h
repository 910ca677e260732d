/* io/resample.h - a field of cells as a picture of pixels: mean of the cells that a pixel covers
 * where the grid is finer than the picture, bilinear between cell centres where it is coarser. */
#ifndef RIA_IO_RESAMPLE_H
#define RIA_IO_RESAMPLE_H
#include <stdbool.h>

/* [ny][nx], row 0 in the south. */
typedef struct ria_cells {
  int nx, ny;
  double columns, rows; /* what of them the picture shows: the last column and row may be narrower
                           than the others, columns in (nx - 1, nx]; 0 = all */
  const float *value;   /* NaN = none */
  const float *depth;   /* NULL: wet where value is not NaN */
  const float *bed;     /* NULL: 0 */
  float dry;            /* wet where depth >= dry */
} ria_cells;

/* [height][width], row 0 in the north; the caller's memory. */
typedef struct ria_pixels {
  int width, height;
  float *value; /* mean over the wet cells that have one; NaN where there is none */
  float *wet;   /* the wet part of the pixel, 0..1 */
  float *bed;
} ria_pixels;

/* False when memory is out. */
bool ria_resample(const ria_cells *from, const ria_pixels *to);

#endif
