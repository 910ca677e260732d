/* Coordinate systems that are made of the words of their definitions, with numbers and names that
 * the input chooses: one that takes places there and back, or RIA_ERR_ARGUMENT with a message. */
#include "bytes.h"
#include "fuzz.h"
#include <ria/crs.h>

#define ONE_OF(b, ...)                                                                             \
  ((const char *const[]){                                                                          \
      __VA_ARGS__}[bytes_below((b), sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))])

static void put_unit(FILE *to, bytes *b, bool angle) {
  if (angle)
    fprintf(to, ",%s",
            ONE_OF(b, "UNIT[\"degree\",0.0174532925199433]", "UNIT[\"grad\",0.0157079632679]",
                   "ANGLEUNIT[\"degree\",0.0174532925199433]", "UNIT[\"radian\",1]", "UNIT[]"));
  else
    fprintf(to, ",%s",
            ONE_OF(b, "UNIT[\"metre\",1]", "LENGTHUNIT[\"metre\",1]", "UNIT[\"foot\",0.3048]",
                   "UNIT[\"US survey foot\",0.304800609601219]", "UNIT[\"x\",0]", ""));
}

static void put_datum(FILE *to, bytes *b, bool second) {
  static const double axes[] = {6378137, 6377563.396, 6378388, 6377397.155, 6370997};
  fprintf(to, "%s[\"%s\",%s[\"%s\",", second ? "DATUM" : ONE_OF(b, "DATUM", "datum", "D"),
          ONE_OF(b, "WGS_1984", "D_ETRS_1989", "OSGB_1936", "Unknown",
                 "European_Terrestrial_Reference_System_1989"),
          second ? "ELLIPSOID" : "SPHEROID",
          ONE_OF(b, "WGS 84", "GRS 1980", "Airy 1830", "International 1924", "x"));
  fprintf(to, "%.10g,", bytes_rare(b, 6) ? bytes_number(b) : axes[bytes_below(b, 5)]);
  fprintf(to, "%.12g]", bytes_rare(b, 6) ? bytes_number(b) : 298.257223563);
  if (bytes_rare(b, 4)) fprintf(to, ",TOWGS84[%g,0,0,0,0,0,0]", bytes_number(b));
  fputs("]", to);
}

static void put_geographic(FILE *to, bytes *b, bool second) {
  fprintf(to, "%s[\"%s\",", second ? ONE_OF(b, "BASEGEOGCRS", "GEOGCRS", "BASEGEODCRS") : "GEOGCS",
          ONE_OF(b, "WGS 84", "ETRS89", "OSGB36", "x"));
  put_datum(to, b, second);
  fprintf(to, ",PRIMEM[\"Greenwich\",%g]", bytes_rare(b, 6) ? bytes_number(b) : 0.0);
  put_unit(to, b, true);
  if (bytes_rare(b, 3))
    fputs(ONE_OF(b, ",AXIS[\"Lat\",NORTH]", ",AUTHORITY[\"EPSG\",\"4326\"]", ",ID[\"EPSG\",4258]",
                 ","),
          to);
  fputs("]", to);
}

static void put_projection(FILE *to, bytes *b, bool second) {
  static const char *const names[] = {"latitude_of_origin", "central_meridian",
                                      "scale_factor",       "false_easting",
                                      "false_northing",     "standard_parallel_1"};
  static const char *const long_names[] = {"Latitude of natural origin",
                                           "Longitude of natural origin",
                                           "Scale factor at natural origin",
                                           "False easting",
                                           "False northing",
                                           "Latitude of 1st standard parallel"};
  static const double usual[] = {0, -9, 0.9996, 500000, 0, 40};
  const char *kind =
      ONE_OF(b, "Transverse_Mercator", "Transverse Mercator", "Mercator_1SP",
             "Lambert_Conformal_Conic_2SP", "Popular Visualisation Pseudo Mercator", "x");
  if (second) fputs(",CONVERSION[\"UTM zone 29N\"", to);
  fprintf(to, second ? ",METHOD[\"%s\"]" : ",PROJECTION[\"%s\"]", kind);
  for (unsigned k = 0, given = bytes_one(b); k < 6; k++)
    if (!(given >> k & 1)) {
      fprintf(to, ",PARAMETER[\"%s\",%.12g", second ? long_names[k] : names[k],
              bytes_rare(b, 5) ? bytes_number(b) : usual[k]);
      if (second) put_unit(to, b, k < 2);
      fputs("]", to);
    }
  if (second) fputs("]", to);
}

static char *make(bytes *b) {
  char *text = NULL;
  size_t n;
  FILE *to = open_memstream(&text, &n);
  const unsigned how = bytes_below(b, 5);
  const bool second = how & 1;
  if (how == 4) {
    fprintf(to, "%s%u%s",
            ONE_OF(b, "EPSG:", "urn:ogc:def:crs:EPSG::", "epsg:",
                   "http://www.opengis.net/def/crs/EPSG/0/", "OGC:CRS"),
            bytes_one(b) * 256 + bytes_one(b), ONE_OF(b, "", "", "+5773", "x"));
  } else if (how < 2) {
    put_geographic(to, b, second);
  } else {
    fprintf(to, "%s[\"%s\",", second ? "PROJCRS" : "PROJCS",
            ONE_OF(b, "WGS 84 / UTM zone 29N", "x"));
    put_geographic(to, b, second);
    put_projection(to, b, second);
    put_unit(to, b, false);
    if (bytes_rare(b, 3))
      fputs(ONE_OF(b, ",AXIS[\"Easting\",EAST],AXIS[\"Northing\",NORTH]",
                   ",AXIS[\"N\",NORTH],AXIS[\"E\",EAST]", ",AUTHORITY[\"EPSG\",\"32629\"]",
                   ",CS[Cartesian,2]", "]", ","),
            to);
    fputs("]", to);
  }
  if (!bytes_over(b) && bytes_rare(b, 4))
    fputs(ONE_OF(b, "]", "[", "\"", " ", ",VERTCS[\"x\"]"), to);
  fclose(to);
  return text;
}

static void use(ria_context *ctx, const char *text, const ria_crs *c) {
  ria_crs *degrees;
  double x[3] = {-8.5, 3.0, -9.0}, y[3] = {42.0, 52.0, 0.0}, x0[3], y0[3];
  memcpy(x0, x, sizeof x);
  memcpy(y0, y, sizeof y);
  FUZZ_DEMAND(ria_crs_name(c) && ria_crs_built_in(c) && ria_crs_same(c, c));
  FUZZ_DEMAND(ria_crs_check(ctx, text) == RIA_OK);
  FUZZ_DEMAND(ria_crs_create(ctx, "EPSG:4326", &degrees) == RIA_OK);
  const bool exact = ria_crs_way_between(degrees, c) != RIA_CRS_BY_PROJ;
  if (fuzz_status(ctx, ria_crs_convert(degrees, c, 3, x, y), FUZZ_INPUT | FUZZ_ARGUMENT) ==
          RIA_OK &&
      fuzz_status(ctx, ria_crs_convert(c, degrees, 3, x, y), FUZZ_INPUT | FUZZ_ARGUMENT) == RIA_OK)
    for (int k = 0; k < 3 && exact; k++) FUZZ_DEMAND(isnan(x[k]) == isnan(y[k]));
  ria_crs_destroy(&degrees);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  bytes b = {data, data + n};
  ria_context *ctx = fuzz_context(0);
  ria_crs *c = NULL;
  double degrees;
  char place[24], *text = make(&b);
  const ria_status s = fuzz_status(ctx, ria_crs_create(ctx, text, &c), FUZZ_ARGUMENT);
  FUZZ_DEMAND((s == RIA_OK) == (c != NULL));
  if (c) use(ctx, text, c);
  ria_crs_destroy(&c);
  bytes_text(&b, place, sizeof place);
  fuzz_status(ctx, ria_parse_degrees(ctx, place, n & 1, &degrees), FUZZ_ARGUMENT);
  free(text);
  ria_context_destroy(&ctx);
  return 0;
}
