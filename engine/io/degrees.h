/* io/degrees.h - longitudes and latitudes as charts write them. */
#ifndef RIA_IO_DEGREES_H
#define RIA_IO_DEGREES_H
#include <ria/crs.h>

enum { RIA_DEGREES_MAX = 32 };

/* "8°40'W": with minutes and seconds as far as multiples of `step` degrees need them. */
void ria_degrees_label(double degrees, bool latitude, double step, char buf[RIA_DEGREES_MAX]);

#endif
