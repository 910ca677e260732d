/* Coordinate systems: published points, far ones, every code of the table against PROJ, text of all
 * kinds, refusals. */
#include "io/crs.h"
#include "io/crs_def.h"
#include "io/crs_read.h"
#include "io/degrees.h"
#include "io/proj.h"
#include "io/transverse.h"
#include "test.h"
#include <ria/crs.h>

#include <stdlib.h>
#include <string.h>

static ria_context *ctx;

static ria_crs *crs_of(const char *text) {
  ria_crs *c = NULL;
  CHECK_OK(ctx, ria_crs_create(ctx, text, &c));
  return c;
}

static double dms(double d, double m, double s) { return d + m / 60.0 + s / 3600.0; }

/* --- points ----------------------------------------------------------------------------------- */

/* There within `near` m, and back to the last digits. */
static void check_point(const char *from, const char *to, double lon, double lat, double x,
                        double y, double near) {
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

static void published(void) {
  /* Ordnance Survey, A guide to coordinate systems in Great Britain, annex C */
  check_point("EPSG:4277", "EPSG:27700", dms(1, 43, 4.5177), dms(52, 39, 27.2531), 651409.903,
              313177.270, 1e-3);
  /* IOGP, Geomatics guidance note 7-2: transverse Mercator, and Popular Visualisation Pseudo
   * Mercator */
  check_point("EPSG:4277", "EPSG:27700", 0.5, 50.5, 577274.99, 69740.50, 1e-2);
  check_point("EPSG:4326", "EPSG:3857", -dms(100, 20, 0.0), dms(24, 22, 54.433), -11169055.58,
              2800000.00, 1e-2);
}

/* The length of a meridian from the equator, by Simpson's rule. */
static double meridian(double a, double inverse_flattening, double lat) {
  enum { N = 2000 };
  const double f = 1.0 / inverse_flattening, e2 = f * (2.0 - f), phi = lat * acos(-1.0) / 180.0;
  double sum = 0.0;
  for (int k = 0; k <= N; k++) {
    const double s = sin(phi * k / N);
    const double w = k == 0 || k == N ? 1.0 : k % 2 ? 4.0 : 2.0;
    sum += w * pow(1.0 - e2 * s * s, -1.5);
  }
  return a * (1.0 - e2) * sum * phi / (3.0 * N);
}

static void on_the_meridian(void) {
  const ria_datum *d;
  for (size_t k = 0; (d = ria_datum_at(k)); k++) {
    ria_crs_def def = {.kind = RIA_TRANSVERSE_MERCATOR, .lon0 = 9.0, .k0 = 1.0};
    ria_transverse t;
    ria_crs_def_on(&def, d);
    ria_transverse_set(&t, &def);
    for (double lat = -90.0; lat <= 90.0; lat += 15.0) {
      double x, y;
      ria_transverse_forward(&t, 9.0, lat, &x, &y);
      CHECK_NEAR(x, 0.0, 1e-8);
      CHECK_NEAR(y, meridian(d->a, d->inverse_flattening, lat), 1e-7);
    }
  }
}

/* On an ellipsoid as flat as 1/10 the last terms show too: along the meridian alpha, and beta as
 * far as it leads back. Half a millimetre is what the terms of n^9 and on come to. */
static void flat(void) {
  ria_crs_def def = {.kind = RIA_TRANSVERSE_MERCATOR, .k0 = 1.0, .a = 6378137.0};
  ria_transverse t;
  double along = 0.0, back = 0.0;
  def.inverse_flattening = 10.0;
  ria_transverse_set(&t, &def);
  for (double lat = 5.0; lat < 90.0; lat += 5.0) {
    double x, y, lon2, lat2;
    ria_transverse_forward(&t, 0.0, lat, &x, &y);
    along = fmax(along, fabs(y - meridian(def.a, def.inverse_flattening, lat)));
    ria_transverse_inverse(&t, x, y, &lon2, &lat2);
    back = fmax(back, fabs(lat2 - lat) * 111e3);
  }
  CHECK_NEAR(along, 0.0, 5.5e-4);
  CHECK_NEAR(back, 0.0, 5.3e-4);
}

/* Every code of the table against PROJ, at 25 places about its origin. */
static void check_code(int code, double *worst) {
  ria_crs_def def;
  ria_transverse t;
  double x[25], y[25], px[25], py[25];
  char from[24], to[24];
  if (!CHECK(ria_crs_def_of(code, &def))) return;
  ria_transverse_set(&t, &def);
  snprintf(from, sizeof from, "EPSG:%d", def.datum->code);
  snprintf(to, sizeof to, "EPSG:%d", code);
  for (int k = 0; k < 25; k++) {
    px[k] = def.lon0 + 1.7 * (k % 5 - 2);
    py[k] = fmax(-80.0, def.lat0) + 2.3 * (k / 5 - 1) + (def.lat0 == 0.0 ? 40.0 : 0.0);
    ria_transverse_forward(&t, px[k], py[k], &x[k], &y[k]);
  }
  if (!CHECK_OK(ctx, ria_proj_convert(ctx, from, to, 25, px, py))) return;
  for (int k = 0; k < 25; k++) {
    const double off = hypot(x[k] - px[k], y[k] - py[k]);
    if (!(off <= 1e-3) && !CHECK_NEAR(off, 0.0, 1e-3)) {
      fprintf(stderr, "EPSG:%d at place %d\n", code, k);
      return;
    }
    *worst = fmax(*worst, off);
  }
}

static void against_proj(void) {
  char why[256] = "";
  double worst = 0.0;
  if (!ria_proj_there(why, sizeof why)) {
    printf("skipped: the table of codes against PROJ: %s\n", why);
    return;
  }
  size_t n = 0;
  for (int code; (code = ria_crs_code_at(n)); n++) check_code(code, &worst);
  CHECK(n > 1500);
  printf("%zu codes, PROJ is off by %.2g m at most\n", n, worst);
}

/* Krueger's series to n^12 in 40 digits; WGS 84, scale 1, m. */
static const struct {
  double lon, lat, x, y;
} far_away[] = {{3, 0, 334112.2018001805, 0.0},
                {30, 45, 2360791.676703691, 5443001.292696951},
                {50, 20, 5793045.612898479, 3276834.212163254},
                {65, 10, 9171425.412069884, 2535840.398556001},
                {69.9, 0.5, 11103092.52705272, 165127.9481803647},
                {100, 80, 1105140.71160009, 10197832.29484962}};

static void far_points(void) {
  ria_crs_def def = {.kind = RIA_TRANSVERSE_MERCATOR, .lon0 = 170.0, .k0 = 1.0};
  ria_transverse t;
  ria_crs_def_on(&def, ria_datum_of(4326));
  ria_transverse_set(&t, &def);
  for (size_t k = 0; k < sizeof far_away / sizeof *far_away; k++) {
    const double lon = remainder(170.0 + far_away[k].lon, 360.0); /* over the date line */
    double x, y, lon2, lat2;
    ria_transverse_forward(&t, lon, far_away[k].lat, &x, &y);
    CHECK_NEAR(x, far_away[k].x, 1e-4);
    CHECK_NEAR(y, far_away[k].y, 1e-4);
    ria_transverse_inverse(&t, x, y, &lon2, &lat2);
    CHECK_NEAR(lon2, lon, 1e-9);
    CHECK_NEAR(lat2, far_away[k].lat, 1e-9);
  }
}

/* Points that a map does not reach are NaN, and their neighbours are not. */
static void out_of_reach(void) {
  ria_crs *degrees = crs_of("EPSG:4326"), *utm = crs_of("EPSG:32632"), *web = crs_of("EPSG:3857");
  double x[] = {9.0, 99.0, 9.0, NAN}, y[] = {50.0, 0.0, 91.0, 50.0};
  CHECK_OK(ctx, ria_crs_convert(degrees, utm, 4, x, y));
  CHECK_NEAR(x[0], 500000.0, 1e-7);
  for (int k = 1; k < 4; k++) CHECK(isnan(x[k]) && isnan(y[k]));
  double u[] = {5e5, 5e5, 1e8}, v[] = {5e6, 1e8, 5e6};
  CHECK_OK(ctx, ria_crs_convert(utm, degrees, 3, u, v));
  CHECK_NEAR(u[0], 9.0, 1e-12);
  for (int k = 1; k < 3; k++) CHECK(isnan(u[k]) && isnan(v[k]));
  double p = 10.0, q = 90.0;
  CHECK_OK(ctx, ria_crs_convert(degrees, web, 1, &p, &q));
  CHECK(isnan(p) && isnan(q));
  ria_crs_destroy(&degrees);
  ria_crs_destroy(&utm);
  ria_crs_destroy(&web);
}

/* The program cs2cs of Debian's proj-bin. */
static void against_cs2cs(void) {
  static const struct {
    const char *from, *to;
    double lon, lat;
  } trips[] = {{"EPSG:4258", "EPSG:25832", 7.123456, 54.987654},
               {"EPSG:4326", "EPSG:3857", -70.5, -33.25},
               {"EPSG:4674", "EPSG:31983", -46.3, -23.95},
               {"EPSG:4277", "EPSG:27700", -3.2, 55.95}};
  if (system("command -v cs2cs > /dev/null 2>&1") != 0) {
    printf("skipped: points against cs2cs: it is not installed\n");
    return;
  }
  for (size_t k = 0; k < sizeof trips / sizeof *trips; k++) {
    char command[160];
    double x = NAN, y = NAN;
    snprintf(command, sizeof command, "echo %.6f %.6f | cs2cs -f %%.6f %s %s", trips[k].lat,
             trips[k].lon, trips[k].from, trips[k].to);
    FILE *told = popen(command, "r");
    if (CHECK(told && fscanf(told, "%lf %lf", &x, &y) == 2))
      check_point(trips[k].from, trips[k].to, trips[k].lon, trips[k].lat, x, y, 1e-3);
    if (told) pclose(told);
  }
}

/* --- text ------------------------------------------------------------------------------------- */

#define GEOGCS(name, datum, ball, more)                                                            \
  "GEOGCS[\"" name "\",DATUM[\"" datum "\",SPHEROID[" ball "]" more "],PRIMEM[\"Greenwich\",0.0]," \
  "UNIT[\"Degree\",0.0174532925199433]]"
#define TM(name, geogcs, lat0, lon0, k0, east, north)                                              \
  "PROJCS[\"" name "\"," geogcs ",PROJECTION[\"Transverse_Mercator\"],"                            \
  "PARAMETER[\"False_Easting\"," east "],PARAMETER[\"False_Northing\"," north "],"                 \
  "PARAMETER[\"Central_Meridian\"," lon0 "],PARAMETER[\"Scale_Factor\"," k0 "],"                   \
  "PARAMETER[\"Latitude_Of_Origin\"," lat0 "],UNIT[\"Meter\",1.0]]"
#define GCS_WGS84 GEOGCS("GCS_WGS_1984", "D_WGS_1984", "\"WGS_1984\",6378137.0,298.257223563", "")

static const struct {
  const char *text, *name;
  int epsg;
  bool degrees;
} texts[] = {
    {"epsg:32632", "WGS 84 / UTM zone 32N", 32632, false},
    {"urn:ogc:def:crs:EPSG::25833", "ETRS89 / UTM zone 33N", 25833, false},
    {"http://www.opengis.net/def/crs/EPSG/0/32755", "WGS 84 / UTM zone 55S", 32755, false},
    {"CRS84", "WGS 84", 4326, true},
    {"EPSG:4258", "ETRS89", 4258, true},
    {"Projection    GEOGRAPHIC\nDatum         WGS84\nUnits         DD", "WGS 84", 4326, true},
    {"PROJECTION GEOGRAPHIC\r\nDATUM NAD83\r\nUNITS DD\r\n", "NAD83", 4269, true},
    {"Projection GEOGRAPHIC\nDatum NAD27", "NAD27", 4267, true},
    {"EPSG:3857", "WGS 84 / Pseudo-Mercator", 3857, false},
    {"EPSG:2193", "NZGD2000 / transverse Mercator 173E", 2193, false},
    {"EPSG:26918", "NAD83 / UTM zone 18N", 26918, false},
    {GCS_WGS84, "WGS 84", 4326, true},
    {TM("WGS_1984_UTM_Zone_32N", GCS_WGS84, "0.0", "9.0", "0.9996", "500000.0", "0.0") "\r\n",
     "WGS 84 / UTM zone 32N", 32632, false},
    {TM("British_National_Grid",
        GEOGCS("GCS_OSGB_1936", "D_OSGB_1936", "\"Airy_1830\",6377563.396,299.3249646", ""), "49",
        "-2", "0.9996012717", "400000", "-100000"),
     "OSGB36 / transverse Mercator 2W", 27700, false},
    {TM("a harbour's own", GCS_WGS84, "41.5", "-70.25", "1", "1000", "2000"),
     "WGS 84 / transverse Mercator 70.25W", 0, false},
    {"PROJCS[\"WGS_1984_Web_Mercator_Auxiliary_Sphere\"," GCS_WGS84
     ",PROJECTION[\"Mercator_Auxiliary_Sphere\"],UNIT[\"Meter\",1.0]]",
     "WGS 84 / Pseudo-Mercator", 3857, false},
    {"COMPD_CS[\"sea\"," TM("x", GCS_WGS84, "0", "15", "0.9996", "500000", "0") ",VERT_CS[\"h\"]]",
     "WGS 84 / UTM zone 33N", 32633, false},
    {"PROJCRS[\"x\",BASEGEOGCRS[\"WGS 84\",ENSEMBLE[\"World Geodetic System 1984 ensemble\","
     "MEMBER[\"World Geodetic System 1984 (Transit)\"],ELLIPSOID[\"WGS 84\",6378137,298.257223563,"
     "LENGTHUNIT[\"metre\",1]],ENSEMBLEACCURACY[2.0]],PRIMEM[\"Greenwich\",0,ANGLEUNIT[\"degree\","
     "0.0174532925199433]]],CONVERSION[\"y\",METHOD[\"Transverse Mercator\",ID[\"EPSG\",9807]],"
     "PARAMETER[\"Latitude of natural origin\",0],PARAMETER[\"Longitude of natural origin\",9],"
     "PARAMETER[\"Scale factor at natural origin\",0.9996],PARAMETER[\"False easting\",500000],"
     "PARAMETER[\"False northing\",0]],CS[Cartesian,2],AXIS[\"(E)\",east,ORDER[1]],"
     "AXIS[\"(N)\",north,ORDER[2]],LENGTHUNIT[\"metre\",1]]",
     "WGS 84 / UTM zone 32N", 32632, false},
};

static void read_texts(void) {
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    ria_crs *c = crs_of(texts[k].text);
    if (!c) continue;
    CHECK_TEXT(ria_crs_name(c), texts[k].name);
    CHECK_INT(ria_crs_epsg(c), texts[k].epsg);
    CHECK(ria_crs_built_in(c) && ria_crs_in_degrees(c) == texts[k].degrees);
    ria_crs_destroy(&c);
  }
}

/* WKT as stores and .prj files have it, without the code: PROJ puts a place where ria does. */
static void check_wkt_by_proj(const ria_crs_def *def, const char *wkt) {
  char from[24];
  ria_transverse t;
  double x, y, px = def->lon0 + 1.0, py = fmax(-80.0, def->lat0) + 1.0;
  snprintf(from, sizeof from, "EPSG:%d", def->datum->code);
  ria_transverse_set(&t, def);
  ria_transverse_forward(&t, px, py, &x, &y);
  CHECK_OK(ctx, ria_proj_convert(ctx, from, wkt, 1, &px, &py));
  if (!CHECK_NEAR(hypot(px - x, py - y), 0.0, 1e-3)) fprintf(stderr, "EPSG:%d\n", def->epsg);
}

/* What is written of a code is read as the same again, by its parameters alone. */
static void write_texts(void) {
  char why[256];
  const bool proj = ria_proj_there(why, sizeof why);
  int code;
  for (size_t k = 0; (code = ria_crs_code_at(k)); k++) {
    ria_buffer b = {0};
    ria_crs_def def, read = {0};
    char text[24];
    bool known = false;
    snprintf(text, sizeof text, "EPSG:%d", code);
    CHECK(ria_crs_def_of(code, &def));
    ria_crs_wkt(text, &b);
    ria_buffer_add(&b, "", 1);
    char *end = strstr(b.data, ",AXIS"); /* the code is behind it */
    if (CHECK(end)) memcpy(end, "]", 2);
    CHECK_OK(ctx, ria_crs_read(ctx, b.data, &read, &known, why, sizeof why));
    CHECK(known && read.datum == def.datum && read.kind == def.kind);
    CHECK(read.lon0 == def.lon0 || fabs(read.lon0 - def.lon0) < 1e-12);
    CHECK(fabs(read.lat0 - def.lat0) < 1e-12 && fabs(read.k0 - def.k0) < 1e-12);
    CHECK(read.east == def.east && read.north == def.north && read.epsg != 0);
    if (proj && k % 12 == 0) check_wkt_by_proj(&def, b.data);
    ria_buffer_free(&b);
  }
}

/* CF's names of a national grid's parameters. */
static void attributes(void) {
  ria_buffer b = {0};
  ria_crs_attributes("EPSG:27700", &b);
  ria_buffer_add(&b, "", 1);
  CHECK_HOLDS(b.data, "\"grid_mapping_name\": \"transverse_mercator\", "
                      "\"longitude_of_central_meridian\": -2.0, "
                      "\"latitude_of_projection_origin\": 49.0, "
                      "\"scale_factor_at_central_meridian\": 0.9996012717, "
                      "\"false_easting\": 400000.0, \"false_northing\": -100000.0, "
                      "\"semi_major_axis\": 6377563.396, \"inverse_flattening\": 299.3249646, ");
  ria_buffer_free(&b);
}

static void refuse(const char *text, const char *expected) {
  ria_crs *c = NULL;
  CHECK_FAILS(ctx, ria_crs_create(ctx, text, &c), RIA_ERR_ARGUMENT, expected);
  CHECK(!c);
}

#define WITHOUT                                                                                    \
  " is not built in, and PROJ, which knows more, cannot be used: RIA_PROJ is none. Install it "    \
  "(libproj), or project the data, for instance to the UTM zone of the place: gdalwarp -t_srs "    \
  "EPSG:32632 IN.tif OUT.tif"

/* A datum that is not known counts as WGS 84's neighbour where the WKT says that nothing shifts it,
 * and a name does not make one of an ellipsoid that is another's. */
static void own_datums(const ria_crs *degrees) {
#define OWN(more) GEOGCS("a", "own", "\"GRS 1980\",6378137,298.257222101", more)
  const struct {
    const char *text;
    ria_crs_way way;
  } of[] = {{OWN(",TOWGS84[0,0,0]"), RIA_CRS_NEAR},
            {OWN(",TOWGS84[0,0,0,0,0,0,0]"), RIA_CRS_NEAR},
            {OWN(",TOWGS84[0,0,0,0,0,0,0.1]"), RIA_CRS_BY_PROJ},
            {OWN(",TOWGS84[0,0]"), RIA_CRS_BY_PROJ},
            {OWN(""), RIA_CRS_BY_PROJ},
            {GEOGCS("a", "D_WGS_1984", "\"b\",6377563,298.257223563", ""), RIA_CRS_BY_PROJ},
            {GEOGCS("a", "D_WGS_1984", "\"b\",6378137,299.3249646", ""), RIA_CRS_BY_PROJ}};
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    ria_crs *own = crs_of(of[k].text);
    if (own && !CHECK_INT(ria_crs_way_between(own, degrees), of[k].way))
      fprintf(stderr, "  %s\n", of[k].text);
    ria_crs_destroy(&own);
  }
}

static void without_proj(void) {
  ria_crs *grid = crs_of("EPSG:27700"), *degrees = crs_of("EPSG:4326"), *near = crs_of("EPSG:4258");
  double x = 651409.903, y = 313177.270;
  setenv("RIA_PROJ", "none", 1);
  refuse("EPSG:2154", "crs 'EPSG:2154': it" WITHOUT);
  refuse("utm 32", "crs 'utm 32': it" WITHOUT);
  refuse("PROJCS[\"a\"," GCS_WGS84 ",PROJECTION[\"Bonne\"]]",
         "crs 'PROJCS[\"a\",GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\",SPHEROID': the projection "
         "'Bonne'" WITHOUT);
  refuse("GEOGCS[\"a\",PRIMEM[\"Paris\",2.33722917]]",
         "crs 'GEOGCS[\"a\",PRIMEM[\"Paris\",2.33722917]]': the prime meridian 'Paris'" WITHOUT);
  refuse("PROJCS[\"a\",UNIT[\"Foot\",0.3048]]",
         "crs 'PROJCS[\"a\",UNIT[\"Foot\",0.3048]]': the unit 'Foot'" WITHOUT);
  refuse("GEOCCS[\"a\"]", "crs 'GEOCCS[\"a\"]': the keyword 'GEOCCS'" WITHOUT);
  refuse("GEOGCS[\"a\",DATUM[\"b\"]]",
         "crs 'GEOGCS[\"a\",DATUM[\"b\"]]': a system without 'SPHEROID'" WITHOUT);
  refuse("GEOGCS[\"a\",DATUM[\"b\",SPHEROID[\"moon\",1737400,0]]]",
         "crs 'GEOGCS[\"a\",DATUM[\"b\",SPHEROID[\"moon\",1737400,0]]]': the ellipsoid "
         "'moon'" WITHOUT);
  refuse("PROJCS[\"a\"," GCS_WGS84 ",PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"Azimuth\",3]]",
         "crs 'PROJCS[\"a\",GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\",SPHEROID': the parameter "
         "'Azimuth'" WITHOUT);
  own_datums(degrees);
  CHECK_INT(ria_crs_way_between(grid, degrees), RIA_CRS_BY_PROJ);
  CHECK_INT(ria_crs_way_between(near, degrees), RIA_CRS_NEAR);
  ria_crs *cyprus = crs_of("EPSG:6312"); /* of these days, but 10 m off */
  CHECK_INT(ria_crs_way_between(cyprus, degrees), RIA_CRS_BY_PROJ);
  ria_crs_destroy(&cyprus);
  CHECK_INT(ria_crs_way_between(grid, grid), RIA_CRS_EXACT);
  CHECK_FAILS(
      ctx, ria_crs_convert(grid, degrees, 1, &x, &y), RIA_ERR_ARGUMENT,
      "OSGB36 / transverse Mercator 2W and WGS 84 are on two datums, tens of metres apart as a "
      "rule; to convert takes PROJ, which cannot be used: RIA_PROJ is none. Install it (libproj), "
      "or convert the data: gdalwarp -s_srs EPSG:27700 -t_srs EPSG:4326 IN.tif OUT.tif");
  CHECK_NEAR(x, 651409.903, 0.0);
  CHECK_NEAR(y, 313177.270, 0.0);
  unsetenv("RIA_PROJ");
  ria_crs_destroy(&grid);
  ria_crs_destroy(&degrees);
  ria_crs_destroy(&near);
}

/* Of two codes that mean one map the one in use is told. */
static void codes_of_maps(void) {
  static const int same[][2] = {{3041, 25829},  {25829, 25829}, {4037, 32635}, {5678, 31468},
                                {5048, 25835},  {2397, 2397},   {5673, 2397},  {32115, 32111},
                                {27700, 27700}, {32733, 32733}};
  for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
    ria_crs_def def;
    CHECK(ria_crs_def_of(same[k][0], &def));
    CHECK_INT(ria_crs_code_of(&def), same[k][1]);
  }
}

/* --- degrees as charts write them ------------------------------------------------------------- */

static void labels(void) {
  static const struct {
    double at;
    bool latitude;
    double step;
    const char *text;
  } row[] = {{-8.0 - 40.0 / 60, false, 1.0 / 6, "8°40'W"},
             {42.0, true, 1.0 / 6, "42°00'N"},
             {-42.0, true, 2.0, "42°S"},
             {0.0, false, 1.0, "0°"},
             {0.0, true, 0.5, "0°00'"},
             {-1e-9, true, 0.5, "0°00'"},
             {180.0, false, 1.0, "180°"},
             {190.0, false, 10.0, "170°W"},
             {359.5, false, 0.5, "0°30'W"},
             {8.0 + 40.0 / 60 + 30.0 / 3600, false, 30.0 / 3600, "8°40'30\"E"},
             {8.999999999, false, 1.0 / 60, "9°00'E"},
             {0.1, false, 0.1, "0°06'E"}};
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    char text[RIA_DEGREES_MAX];
    ria_degrees_label(row[k].at, row[k].latitude, row[k].step, text);
    CHECK_TEXT(text, row[k].text);
  }
}

static void zones(void) {
  CHECK_INT(ria_crs_utm(-8.75, 42.25), 32629);
  CHECK_INT(ria_crs_utm(-180.0, -1.0), 32701);
  CHECK_INT(ria_crs_utm(180.0, 0.0), 32601);
  CHECK_INT(ria_crs_utm(179.9, -0.1), 32760);
  CHECK_INT(ria_crs_utm(-6.0, 1.0), 32630);
}

static void named(void) {
  double x = -8.75, y = 42.25;
  CHECK_OK(ctx, ria_crs_convert_named(ctx, "CRS84", "EPSG:25829", 1, &x, &y));
  CHECK_NEAR(x, 520623.172966, 1e-6); /* cs2cs */
  CHECK_NEAR(y, 4677564.296796, 1e-6);
  CHECK(ria_crs_convert_named(ctx, "CRS84", "GEOGCS[", 1, &x, &y) == RIA_ERR_ARGUMENT);
  CHECK(ria_crs_convert_named(ctx, "", "EPSG:25829", 1, &x, &y) == RIA_ERR_ARGUMENT);
}

static void bad_wkt(void) {
  refuse(NULL, "a crs is missing");
  refuse("", "a crs is missing");
  refuse("GEOGCS[\"a", "crs 'GEOGCS[\"a...' is no good WKT: a text has no closing quote");
  refuse("GEOGCS[\"a\"", "crs 'GEOGCS[\"a\"...' is no good WKT: a comma or a closing bracket is "
                         "expected");
  refuse("GEOGCS[]", "crs 'GEOGCS[]...' is no good WKT: a text, a number or a keyword is expected");
  refuse("GEOGCS[\"a\"] b", "crs 'GEOGCS[\"a\"] b...' is no good WKT: something follows its end");
  refuse("GEOGCS[\"a\",", "crs 'GEOGCS[\"a\",...' is no good WKT: a text, a number or a keyword is "
                          "expected");
  refuse("GEOGCS[\"a\" \"b\"]", "crs 'GEOGCS[\"a\" \"b\"]...' is no good WKT: a comma or a closing "
                                "bracket is expected");
  refuse("GEOGCS[\"a\"]]", "crs 'GEOGCS[\"a\"]]...' is no good WKT: something follows its end");
  refuse("GEOGCS[;]",
         "crs 'GEOGCS[;]...' is no good WKT: a text, a number or a keyword is expected");
  refuse("PROJCS[\"a\",GEOGCS[\"b\",DATUM[\"c\"]",
         "crs 'PROJCS[\"a\",GEOGCS[\"b\",DATUM[\"c\"]...' is no good WKT: a comma or a closing "
         "bracket "
         "is expected");
  char many[4096] = "GEOGCS[\"a\"";
  for (int k = 0; k < 600; k++) strcat(many, ",A[1]");
  strcat(many, "]");
  refuse(many, "crs 'GEOGCS[\"a\",A[1],A[1],A[1],A[1],A[1],A[1]...' is no good WKT: it has too "
               "many parts");
}

static void check_axes(const char *text, ria_crs_axes axes, double metres, const char *refused) {
  double unit = 0.0;
  CHECK_INT(ria_crs_counts_in(ctx, text, &unit), axes);
  CHECK_NEAR(unit, metres, 1e-12);
  if (refused)
    (void)CHECK_FAILS(ctx, ria_crs_check_metres(ctx, text), RIA_ERR_ARGUMENT, refused);
  else
    CHECK_OK(ctx, ria_crs_check_metres(ctx, text));
}

/* What x and y count in, by the text alone. */
static void axes(void) {
  check_axes("EPSG:32629", RIA_CRS_METRES, 1.0, NULL);
  check_axes("EPSG:4326", RIA_CRS_DEGREES, 1.0,
             "crs 'EPSG:4326' is in degrees, and ria computes in metres: name a system in metres, "
             "such as the UTM zone of the place, \"EPSG:32629\"");
  check_axes("LOCAL_CS[\"a\",UNIT[\"ft\",0.3048]]", RIA_CRS_OTHERS, 0.3048,
             "crs 'LOCAL_CS[\"a\",UNIT[\"ft\",0.3048]]' counts x and y in units of 0.3048 m, and "
             "ria computes in metres: name a system in metres, such as the UTM zone of the place, "
             "\"EPSG:32618\"");
  check_axes("PROJCS[\"a\",GEOGCS[\"b\"],UNIT[\"metre\",1]]", RIA_CRS_METRES, 1.0, NULL);
  check_axes("EPSG:2263", RIA_CRS_OTHERS, 1200.0 / 3937.0,
             "crs 'EPSG:2263' counts x and y in units of 0.3048006096 m, and ria computes in "
             "metres: name a system in metres, such as the UTM zone of the place, \"EPSG:32618\"");
  check_axes("Projection GEOGRAPHIC\nUnits DS", RIA_CRS_UNTOLD, 1.0, NULL); /* seconds of arc */
  check_axes("a harbour's own", RIA_CRS_UNTOLD, 1.0, NULL);
}

/* The table of those in feet and the like is PROJ's; each seventh, as PROJ takes its time. */
static void units_by_proj(void) {
  int count = 0;
  for (int code = 1; code < 70000; code++) {
    char text[16], name[RIA_PROJ_NAME];
    bool degrees;
    double unit = 0.0, told = ria_crs_unit_of(code);
    if (told == 0.0 || count++ % 7) continue;
    snprintf(text, sizeof text, "EPSG:%d", code);
    if (ria_proj_look(ctx, text, &degrees, &unit, name) != RIA_OK) ria_error_clear(ctx);
    if (unit == 0.0) continue; /* a later data set has it */
    if (fabs(told / unit - 1.0) > 1e-9) CHECK_INT(code, 0);
  }
  CHECK_INT(count, 966);
}

/* And by PROJ. */
static void axes_by_proj(void) {
  double unit = 0.0;
  check_axes("EPSG:2154", RIA_CRS_METRES, 1.0, NULL);
  CHECK_INT(ria_crs_counts_in(ctx, "EPSG:4289", &unit), RIA_CRS_DEGREES);
  CHECK_INT(ria_crs_counts_in(ctx, "EPSG:4807", &unit), RIA_CRS_DEGREES); /* grads */
  CHECK_INT(ria_crs_counts_in(ctx, "EPSG:2263", &unit), RIA_CRS_OTHERS);
  CHECK_NEAR(unit, 1200.0 / 3937.0, 1e-12);
}

/* What is not built in, where PROJ is. */
static void with_proj(void) {
  char why[256] = "";
  if (!ria_proj_there(why, sizeof why)) {
    printf("skipped: systems by PROJ: %s\n", why);
    return;
  }
  axes_by_proj();
  units_by_proj();
  check_point("EPSG:4171", "EPSG:2154", 3.0, 46.5, 700000.0, 6600000.0, 1e-6); /* its origin */
  refuse("EPSG:2263", "EPSG:2263 counts in US survey foot, and ria in metres (or degrees of "
                      "longitude and latitude): take a system in metres");
  refuse("EPSG:4978", "EPSG:4978 is no system of two horizontal axes");
  refuse("EPSG:999999", "crs 'EPSG:999999' is known neither to ria nor to PROJ: write 'EPSG:n', or "
                        "WKT");
  /* the water tower of Caister again, as GPS has it; without grids PROJ is off by some metres */
  ria_crs *grid = crs_of("EPSG:27700"), *degrees = crs_of("EPSG:4326");
  double x = 651409.903, y = 313177.270;
  CHECK_OK(ctx, ria_crs_convert(grid, degrees, 1, &x, &y));
  CHECK_NEAR(x, dms(1, 42, 57.7869), 1e-4);
  CHECK_NEAR(y, dms(52, 39, 28.7230), 5e-5);
  ria_crs_destroy(&grid);
  ria_crs_destroy(&degrees);
}

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx) == RIA_OK);
  published();
  on_the_meridian();
  flat();
  far_points();
  out_of_reach();
  against_proj();
  against_cs2cs();
  read_texts();
  write_texts();
  attributes();
  without_proj();
  bad_wkt();
  axes();
  codes_of_maps();
  labels();
  zones();
  named();
  with_proj();
  ria_context_destroy(&ctx);
  return TEST_END();
}
