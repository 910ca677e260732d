/* io/transverse.h - the transverse Mercator projection of an ellipsoid.
 *
 * Krueger's series in the third flattening n, to n^8 (as in C. F. F. Karney, "Transverse Mercator
 * with an accuracy of a few nanometers", 2011). To a hundredth of a millimetre within `reach` of
 * the central meridian, far beyond any grid in use. */
#ifndef RIA_IO_TRANSVERSE_H
#define RIA_IO_TRANSVERSE_H
#include "io/crs_def.h"

enum { RIA_KRUEGER = 8 };

typedef struct ria_transverse {
  double e;           /* eccentricity */
  double scale;       /* m on the map per radian of rectified latitude */
  double lon0;        /* deg */
  double east, north; /* m, of the point where the equator meets the central meridian */
  double alpha[RIA_KRUEGER], beta[RIA_KRUEGER];
} ria_transverse;

void ria_transverse_set(ria_transverse *t, const ria_crs_def *def);
/* Degrees to metres and back. NaN where the point is out of reach: more than about 70 degrees from
 * the central meridian along the equator, more elsewhere. */
void ria_transverse_forward(const ria_transverse *t, double lon, double lat, double *x, double *y);
void ria_transverse_inverse(const ria_transverse *t, double x, double y, double *lon, double *lat);

#endif
