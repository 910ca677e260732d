/* Coordinate systems: text. Codes, names and WKT that are read and written, WKT that is refused. */
#include "crs.h"
#include "io/crs.h"
#include "io/crs_def.h"
#include "io/crs_read.h"
#include "io/proj.h"
#include "io/transverse.h"

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

static void zones(void) {
  CHECK_INT(ria_crs_utm(-8.75, 42.25), 32629);
  CHECK_INT(ria_crs_utm(-180.0, -1.0), 32701);
  CHECK_INT(ria_crs_utm(180.0, 0.0), 32601);
  CHECK_INT(ria_crs_utm(179.9, -0.1), 32760);
  CHECK_INT(ria_crs_utm(-6.0, 1.0), 32630);
}

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx) == RIA_OK);
  read_texts();
  write_texts();
  attributes();
  bad_wkt();
  codes_of_maps();
  zones();
  ria_context_destroy(&ctx);
  return TEST_END();
}
