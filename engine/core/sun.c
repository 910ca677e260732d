/* core/sun.c - where the sun stands over a place.
 *
 * Its longitude on the ecliptic by the short series of the Astronomical Almanac (mean longitude and
 * anomaly, equation of the centre to the second term), good to 0.01 degrees from 1950 to 2050; from
 * there by sidereal time to the horizon. */
#include <ria/date.h>

#include <math.h>

static const double rad = 3.14159265358979323846 / 180.0;

/* deg, 0 to 360 */
static double turn(double degrees) { return degrees - 360.0 * floor(degrees / 360.0); }

void ria_sun(double t, double lon, double lat, double *elevation, double *azimuth) {
  const double n = t / 86400.0 - 10957.5; /* days since 2000-01-01 12:00 */
  const double mean = turn(280.460 + 0.9856474 * n), anomaly = turn(357.528 + 0.9856003 * n) * rad;
  const double along = (mean + 1.915 * sin(anomaly) + 0.020 * sin(2.0 * anomaly)) * rad;
  const double tilt = (23.439 - 0.0000004 * n) * rad;
  const double ascension = atan2(cos(tilt) * sin(along), cos(along));
  const double declination = asin(sin(tilt) * sin(along));
  const double sidereal = turn(280.46061837 + 360.98564736629 * n + lon) * rad;
  const double hour = sidereal - ascension, phi = lat * rad;
  const double east = -cos(declination) * sin(hour);
  const double north = cos(phi) * sin(declination) - sin(phi) * cos(declination) * cos(hour);
  const double up = sin(phi) * sin(declination) + cos(phi) * cos(declination) * cos(hour);
  if (elevation) *elevation = atan2(up, hypot(east, north)) / rad;
  if (azimuth) *azimuth = turn(atan2(east, north) / rad);
}
