/* io/crs.c - a coordinate reference system as CF and GDAL want to read it from a store. */
#include "io/crs.h"
#include "io/crs_read.h"

#include <math.h>
#include <string.h>

/* A code that the table gives in full. */
static bool as_known(const char *crs, ria_crs_def *out) {
  const int code = ria_crs_code(crs);
  return code && ria_crs_def_of(code, out);
}

bool ria_crs_given(const char *crs) { return crs && *crs; }

bool ria_crs_geographic(const char *crs) {
  double unit;
  return ria_crs_axes_of(crs, &unit) == RIA_CRS_DEGREES;
}

/* --- WKT 1, as GDAL writes it ----------------------------------------------------------------- */

static void geographic_wkt(ria_buffer *out, const ria_datum *d) {
  ria_buffer_format(out, "GEOGCS[\"%s\",DATUM[\"%s\",SPHEROID[\"%s\",%.12g,%.15g]],", d->name,
                    d->datum, d->ellipsoid, d->a, d->inverse_flattening);
  ria_buffer_format(out,
                    "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433],"
                    "AUTHORITY[\"EPSG\",\"%d\"]]",
                    d->code);
}

static void projected_wkt(ria_buffer *out, const ria_crs_def *d) {
  char name[96];
  ria_crs_def_name(d, name, sizeof name);
  ria_buffer_format(out, "PROJCS[\"%s\",", name);
  geographic_wkt(out, d->datum);
  if (d->kind == RIA_WEB_MERCATOR)
    ria_buffer_text(out, ",PROJECTION[\"Mercator_1SP\"],PARAMETER[\"central_meridian\",0],"
                         "PARAMETER[\"scale_factor\",1],PARAMETER[\"false_easting\",0],"
                         "PARAMETER[\"false_northing\",0]");
  else
    ria_buffer_format(
        out,
        ",PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"latitude_of_origin\",%.15g],"
        "PARAMETER[\"central_meridian\",%.15g],PARAMETER[\"scale_factor\",%.12g],"
        "PARAMETER[\"false_easting\",%.12g],PARAMETER[\"false_northing\",%.12g]",
        d->lat0, d->lon0, d->k0, d->east, d->north);
  ria_buffer_text(out, ",UNIT[\"metre\",1],AXIS[\"Easting\",EAST],AXIS[\"Northing\",NORTH]");
  if (d->kind == RIA_WEB_MERCATOR)
    ria_buffer_text(out,
                    ",EXTENSION[\"PROJ4\",\"+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 "
                    "+x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +wktext +no_defs\"]");
  ria_buffer_format(out, ",AUTHORITY[\"EPSG\",\"%d\"]]", d->epsg);
}

void ria_crs_wkt(const char *crs, ria_buffer *out) {
  ria_crs_def d;
  if (as_known(crs, &d) && d.kind == RIA_LON_LAT)
    geographic_wkt(out, d.datum);
  else if (as_known(crs, &d))
    projected_wkt(out, &d);
  else if (!ria_crs_code(crs))
    ria_buffer_text(out, crs);
}

/* --- attributes ------------------------------------------------------------------------------- */

static void add_number(ria_buffer *json, const char *name, double v) {
  ria_buffer_format(json, v == rint(v) ? "\"%s\": %.1f, " : "\"%s\": %.15g, ", name, v);
}

static void add_ellipsoid(ria_buffer *json, const ria_datum *d) {
  add_number(json, "semi_major_axis", d->a);
  add_number(json, "inverse_flattening", d->inverse_flattening);
  add_number(json, "longitude_of_prime_meridian", 0.0);
}

static void add_wkt(ria_buffer *json, const char *wkt) {
  ria_buffer_text(json, "\"crs_wkt\": ");
  ria_buffer_json(json, wkt);
  ria_buffer_text(json, ", \"spatial_ref\": ");
  ria_buffer_json(json, wkt);
}

static void add_mapping(ria_buffer *json, const ria_crs_def *d) {
  if (d->kind == RIA_WEB_MERCATOR) return; /* CF has no name for it */
  ria_buffer_format(json, "\"grid_mapping_name\": \"%s\", ",
                    d->kind == RIA_LON_LAT ? "latitude_longitude" : "transverse_mercator");
  if (d->kind == RIA_TRANSVERSE_MERCATOR) {
    add_number(json, "longitude_of_central_meridian", d->lon0);
    add_number(json, "latitude_of_projection_origin", d->lat0);
    add_number(json, "scale_factor_at_central_meridian", d->k0);
    add_number(json, "false_easting", d->east);
    add_number(json, "false_northing", d->north);
  }
  add_ellipsoid(json, d->datum);
}

void ria_crs_attributes(const char *crs, ria_buffer *json) {
  ria_crs_def d;
  const int code = ria_crs_code(crs);
  ria_buffer wkt = {0};
  if (as_known(crs, &d)) add_mapping(json, &d);
  ria_crs_wkt(crs, &wkt);
  ria_buffer_add(&wkt, "", 1);
  if (wkt.failed)
    json->failed = true;
  else if (wkt.n > 1)
    add_wkt(json, wkt.data);
  else
    ria_buffer_format(json, "\"spatial_ref\": \"EPSG:%d\"", code);
  ria_buffer_free(&wkt);
}

void ria_crs_gdal(const char *crs, ria_buffer *json) {
  int code = ria_crs_code(crs);
  if (code) {
    ria_buffer_format(json, "{\"url\": \"http://www.opengis.net/def/crs/EPSG/0/%d\"}", code);
    return;
  }
  ria_buffer_text(json, "{\"wkt\": ");
  ria_buffer_json(json, crs);
  ria_buffer_text(json, "}");
}
