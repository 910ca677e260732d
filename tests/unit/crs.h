/* crs.h - what the tests of coordinate systems share: systems, points, refusals, WKT. */
#ifndef UNIT_CRS_H
#define UNIT_CRS_H
#include "test.h"
#include <ria/crs.h>

static ria_context *ctx;

static ria_crs *crs_of(const char *text) {
  ria_crs *c = NULL;
  CHECK_OK(ctx, ria_crs_create(ctx, text, &c));
  return c;
}

TEST_UNUSED static double dms(double d, double m, double s) { return d + m / 60.0 + s / 3600.0; }

/* There within `near` m, and back to the last digits. */
TEST_UNUSED static void check_point(const char *from, const char *to, double lon, double lat,
                                    double x, double y, double near) {
  ria_crs *a = crs_of(from), *b = crs_of(to);
  double u = lon, v = lat;
  if (a && b) {
    CHECK_OK(ctx, ria_crs_convert(a, b, 1, &u, &v));
    CHECK_NEAR(u, x, near);
    CHECK_NEAR(v, y, near);
    CHECK_OK(ctx, ria_crs_convert(b, a, 1, &u, &v));
    CHECK_NEAR(u, lon, 1e-11);
    CHECK_NEAR(v, lat, 1e-11);
  }
  ria_crs_destroy(&a);
  ria_crs_destroy(&b);
}

TEST_UNUSED static void refuse(const char *text, const char *expected) {
  ria_crs *c = NULL;
  CHECK_FAILS(ctx, ria_crs_create(ctx, text, &c), RIA_ERR_ARGUMENT, expected);
  CHECK(!c);
}

/* --- WKT as ESRI writes it -------------------------------------------------------------------- */

#define GEOGCS(name, datum, ball, more)                                                            \
  "GEOGCS[\"" name "\",DATUM[\"" datum "\",SPHEROID[" ball "]" more "],PRIMEM[\"Greenwich\",0.0]," \
  "UNIT[\"Degree\",0.0174532925199433]]"
#define TM(name, geogcs, lat0, lon0, k0, east, north)                                              \
  "PROJCS[\"" name "\"," geogcs ",PROJECTION[\"Transverse_Mercator\"],"                            \
  "PARAMETER[\"False_Easting\"," east "],PARAMETER[\"False_Northing\"," north "],"                 \
  "PARAMETER[\"Central_Meridian\"," lon0 "],PARAMETER[\"Scale_Factor\"," k0 "],"                   \
  "PARAMETER[\"Latitude_Of_Origin\"," lat0 "],UNIT[\"Meter\",1.0]]"
#define GCS_WGS84 GEOGCS("GCS_WGS_1984", "D_WGS_1984", "\"WGS_1984\",6378137.0,298.257223563", "")

#endif
