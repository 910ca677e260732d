/* io/raster_between.h - a place among the centres of a raster's cells. */
#ifndef RIA_IO_RASTER_BETWEEN_H
#define RIA_IO_RASTER_BETWEEN_H
#include <math.h>
#include <stdbool.h>

/* The two cells of an axis of n between whose centres p lies, and the weight of the second; p is
 * in cells from the edge. The outer half cells take the value of the outermost centre: the weight
 * is 0 there in the first cell, 1 in the second of the last two. False: beyond the raster, by more
 * than round-off can be. */
static inline bool ria_raster_between(double p, int n, int *first, double *weight) {
  const double hair = 1e-9;
  if (!(p > -hair && p < n + hair)) return false;
  const double q = fmin(fmax(p - 0.5, 0.0), (double)(n - 1));
  *first = (int)q;
  if (*first > 0 && *first == n - 1) --*first;
  *weight = q - *first;
  return true;
}

#endif
