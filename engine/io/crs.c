/* io/crs.c - a coordinate reference system as CF and GDAL want to read it from a store. */
#include "io/crs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct datum {
  const char *name, *datum, *ellipsoid;
  int epsg;
  double inverse_flattening;
} datum;

static const datum wgs84 = {"WGS 84", "WGS_1984", "WGS 84", 4326, 298.257223563};
static const datum etrs89 = {"ETRS89", "European_Terrestrial_Reference_System_1989", "GRS 1980",
                             4258, 298.257222101};
static const double semi_major_axis = 6378137.0; /* of both ellipsoids, m */

typedef struct utm {
  const datum *on;
  int zone;
  bool south;
} utm;

/* The number of "EPSG:n", 0 for anything else. */
static int epsg_code(const char *crs) {
  if (!crs || strncasecmp(crs, "EPSG:", 5) != 0) return 0;
  char *end;
  long code = strtol(crs + 5, &end, 10);
  return *end == '\0' && code > 0 && code < 1000000 ? (int)code : 0;
}

static bool as_utm(int code, utm *out) {
  int zone = code % 100;
  *out =
      (utm){.on = code / 100 == 258 ? &etrs89 : &wgs84, .zone = zone, .south = code / 100 == 327};
  if (code / 100 == 258) return zone >= 28 && zone <= 38;
  return (code / 100 == 326 || code / 100 == 327) && zone >= 1 && zone <= 60;
}

static const datum *as_geographic(int code) {
  return code == wgs84.epsg ? &wgs84 : code == etrs89.epsg ? &etrs89 : NULL;
}

bool ria_crs_given(const char *crs) { return crs && *crs; }

bool ria_crs_geographic(const char *crs) {
  if (!ria_crs_given(crs)) return false;
  if (as_geographic(epsg_code(crs))) return true;
  return strncasecmp(crs, "GEOGCS", 6) == 0 || strncasecmp(crs, "GEOGCRS", 7) == 0;
}

/* --- WKT 1, as GDAL writes it ------------------------------------------------------------- */

static int geographic_wkt(char *out, size_t size, const datum *d) {
  return snprintf(out, size,
                  "GEOGCS[\"%s\",DATUM[\"%s\",SPHEROID[\"%s\",6378137,%s]],PRIMEM[\"Greenwich\",0],"
                  "UNIT[\"degree\",0.0174532925199433],AUTHORITY[\"EPSG\",\"%d\"]]",
                  d->name, d->datum, d->ellipsoid, d == &wgs84 ? "298.257223563" : "298.257222101",
                  d->epsg);
}

static void utm_wkt(char *out, size_t size, const utm *u, int code) {
  char base[512];
  geographic_wkt(base, sizeof base, u->on);
  snprintf(out, size,
           "PROJCS[\"%s / UTM zone %d%c\",%s,PROJECTION[\"Transverse_Mercator\"],"
           "PARAMETER[\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",%d],"
           "PARAMETER[\"scale_factor\",0.9996],PARAMETER[\"false_easting\",500000],"
           "PARAMETER[\"false_northing\",%d],UNIT[\"metre\",1],AXIS[\"Easting\",EAST],"
           "AXIS[\"Northing\",NORTH],AUTHORITY[\"EPSG\",\"%d\"]]",
           u->on->name, u->zone, u->south ? 'S' : 'N', base, 6 * u->zone - 183,
           u->south ? 10000000 : 0, code);
}

/* --- attributes --------------------------------------------------------------------------- */

static void add_ellipsoid(ria_buffer *json, const datum *d) {
  ria_buffer_format(json,
                    "\"semi_major_axis\": %.1f, \"inverse_flattening\": %.12g, "
                    "\"longitude_of_prime_meridian\": 0.0, ",
                    semi_major_axis, d->inverse_flattening);
}

static void add_wkt(ria_buffer *json, const char *wkt) {
  ria_buffer_text(json, "\"crs_wkt\": ");
  ria_buffer_json(json, wkt);
  ria_buffer_text(json, ", \"spatial_ref\": ");
  ria_buffer_json(json, wkt);
}

void ria_crs_attributes(const char *crs, ria_buffer *json) {
  char wkt[1024];
  int code = epsg_code(crs);
  const datum *d = as_geographic(code);
  utm u;
  if (d) {
    ria_buffer_text(json, "\"grid_mapping_name\": \"latitude_longitude\", ");
    add_ellipsoid(json, d);
    geographic_wkt(wkt, sizeof wkt, d);
    add_wkt(json, wkt);
  } else if (as_utm(code, &u)) {
    ria_buffer_format(json,
                      "\"grid_mapping_name\": \"transverse_mercator\", "
                      "\"longitude_of_central_meridian\": %d.0, "
                      "\"latitude_of_projection_origin\": 0.0, "
                      "\"scale_factor_at_central_meridian\": 0.9996, "
                      "\"false_easting\": 500000.0, \"false_northing\": %d.0, ",
                      6 * u.zone - 183, u.south ? 10000000 : 0);
    add_ellipsoid(json, u.on);
    utm_wkt(wkt, sizeof wkt, &u, code);
    add_wkt(json, wkt);
  } else if (code) {
    ria_buffer_format(json, "\"spatial_ref\": \"EPSG:%d\"", code);
  } else {
    add_wkt(json, crs);
  }
}

void ria_crs_wkt(const char *crs, ria_buffer *out) {
  char wkt[1024] = "";
  const int code = epsg_code(crs);
  const datum *d = as_geographic(code);
  utm u;
  if (d)
    geographic_wkt(wkt, sizeof wkt, d);
  else if (as_utm(code, &u))
    utm_wkt(wkt, sizeof wkt, &u, code);
  ria_buffer_text(out, code ? wkt : crs);
}

void ria_crs_gdal(const char *crs, ria_buffer *json) {
  int code = epsg_code(crs);
  if (code) {
    ria_buffer_format(json, "{\"url\": \"http://www.opengis.net/def/crs/EPSG/0/%d\"}", code);
    return;
  }
  ria_buffer_text(json, "{\"wkt\": ");
  ria_buffer_json(json, crs);
  ria_buffer_text(json, "}");
}
