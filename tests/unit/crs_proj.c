/* Coordinate systems: what ria does by itself and what it leaves to PROJ, with PROJ and without;
 * what x and y count in. */
#include "crs.h"
#include "io/crs.h"
#include "io/crs_read.h"
#include "io/proj.h"
#include <stdlib.h>

#define WITHOUT                                                                                    \
  " is not built in, and PROJ, which knows more, cannot be used: RIA_PROJ is none. Install it "    \
  "(libproj), or project the data, for instance to the UTM zone of the place: gdalwarp -t_srs "    \
  "EPSG:32632 IN.tif OUT.tif"

/* An unknown datum counts as WGS 84's neighbour where the WKT says that nothing shifts it; a known
 * name with another ellipsoid does not. */
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
  ria_crs *cyprus = crs_of("EPSG:6312"); /* a datum of these days, but 10 m off */
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

/* The table of systems in feet and the like is PROJ's. One in seven is compared: PROJ takes its
 * time. */
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

/* What x and y count in, where PROJ must be asked. */
static void axes_by_proj(void) {
  double unit = 0.0;
  check_axes("EPSG:2154", RIA_CRS_METRES, 1.0, NULL);
  CHECK_INT(ria_crs_counts_in(ctx, "EPSG:4289", &unit), RIA_CRS_DEGREES);
  CHECK_INT(ria_crs_counts_in(ctx, "EPSG:4807", &unit), RIA_CRS_DEGREES); /* grads */
  CHECK_INT(ria_crs_counts_in(ctx, "EPSG:2263", &unit), RIA_CRS_OTHERS);
  CHECK_NEAR(unit, 1200.0 / 3937.0, 1e-12);
}

/* Systems that are not built in, where PROJ is installed. */
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
  without_proj();
  axes();
  with_proj();
  ria_context_destroy(&ctx);
  return TEST_END();
}
