/* GeoTIFF: where a file lies, by its own tags: origin and size of cells, rows from the south, a
 * turned grid, the coordinate system. tiff_beside.c has what files beside it say. */
#include "tiff_read.h"
#include <ria/field.h>

#define PE "ESRI PE String = PROJCS[\"x\"]|"

/* Transverse Mercator by its parameters: a grid of the tables has its code, another one WKT. */
static void parameters(void) {
  static const uint64_t keys[] = {1,    1, 0,    9,     1024, 0,     1,    1,     1025, 0,
                                  1,    1, 2048, 0,     1,    4326,  3072, 0,     1,    32767,
                                  3075, 0, 1,    1,     3080, 34736, 1,    0,     3081, 34736,
                                  1,    1, 3082, 34736, 1,    2,     3092, 34736, 1,    3};
  const made_tag zone[] = {
      {34735, 3, 40, {0}, NULL, keys}, TAG(34736, 12, 4, -9, 0, 500000, 0.9996), {0}};
  const made_tag port[] = {
      {34735, 3, 40, {0}, NULL, keys}, TAG(34736, 12, 4, -8.25, 41, 1000, 1), {0}};
  check_place(zone, 100, 200, "EPSG:32629");
  check_place(
      port, 100, 200,
      "PROJCS[\"unnamed\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,"
      "298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433],"
      "AUTHORITY[\"EPSG\",\"4326\"]],PROJECTION[\"Transverse_Mercator\"],PARAMETER["
      "\"latitude_of_origin\",41],PARAMETER[\"central_meridian\",-8.25],PARAMETER["
      "\"scale_factor\",1],PARAMETER[\"false_easting\",1000],PARAMETER[\"false_northing\",0],"
      "UNIT[\"metre\",1]]");
}

static void places(void) {
  const made_tag none[] = {{0}};
  const made_tag utm[] = {KEYS(3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32629), {0}};
  const made_tag centres[] = {KEYS(2, 1024, 0, 1, 1, 1025, 0, 1, 2), {0}};
  const made_tag degrees[] = {KEYS(2, 1024, 0, 1, 2, 2048, 0, 1, 4326), {0}};
  const made_tag nad[] = {
      KEYS(3, 1024, 0, 1, 2, 2048, 0, 1, 4269, 2049, 34737, 6, 0), TEXT_TAG(34737, "NAD83|"), {0}};
  const made_tag wkt[] = {
      KEYS(3, 1024, 0, 1, 32767, 3072, 0, 1, 32767, 3073, 34737, 29, 0), TEXT_TAG(34737, PE), {0}};
  const made_tag matrix[] = {
      {33550, 0, 0, {0}, NULL, NULL},
      {33922, 0, 0, {0}, NULL, NULL},
      TAG(34264, 12, 16, 10, 0, 0, 100, 0, -20, 0, 240, 0, 0, 0, 0, 0, 0, 0, 1),
      {0}};
  const made_tag tie[] = {TAG(33922, 12, 6, 2, 1, 0, 120, 220, 0), {0}};
  check_place(none, 100, 200, NULL);
  check_place(utm, 100, 200, "EPSG:32629");
  check_place(centres, 95, 210, NULL);
  check_place(degrees, 100, 200, "EPSG:4326");
  check_place(nad, 100, 200, "EPSG:4269");
  check_place(wkt, 100, 200, "PROJCS[\"x\"]");
  check_place(matrix, 100, 200, NULL);
  check_place(tie, 100, 200, NULL);
  files_put("made.prj", "PROJCS[\"beside\"]\n");
  check_place(none, 100, 200, "PROJCS[\"beside\"]");
  check_place(utm, 100, 200, "EPSG:32629");
  CHECK(remove(files_path("made.prj")) == 0);
}

/* Rows from the south, as programs for netCDF write them. */
static void south_up(void) {
  const made_tag up[] = {
      TAG(33550, 12, 3, 10, -20, 0), TAG(33922, 12, 6, 0, 0, 0, 100, 200, 0), {0}};
  check_place(up, 100, 200, NULL);
  ria_raster *r = read_six(4, 3, up);
  if (!r) return;
  for (int k = 0; k < 6; k++) CHECK_NEAR(r->data[k], six[k], 0.0);
  ria_raster_destroy(&r);
}

/* --- a turned grid, written ------------------------------------------------------------------- */

/* A grid that is turned about its south-western corner has a matrix: of whole numbers where the
 * angle is 90 degrees. */
static void turned(void) {
  static const double matrix[] = {0, 3, 0, 40, 2, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 1};
  const ria_grid g = {.nx = 5, .ny = 20, .dx = 2, .dy = 3, .x0 = 100, .y0 = 7, .angle = 90};
  ria_raster *r = NULL;
  ria_buffer out = {0};
  CHECK_OK(ctx, ria_raster_create(ctx, &g, &r));
  CHECK_OK(ctx, ria_tiff_encode(ctx, r, NULL, "x.tif", true, &out));
  memcpy(file.byte, out.data, out.n);
  const unsigned char *e = file.byte + entry_at(34264);
  size_t at = 0;
  for (int k = 7; k >= 0; k--) at = at << 8 | e[12 + k];
  for (int k = 0; k < 16; k++) {
    double v;
    memcpy(&v, file.byte + at + 8 * (size_t)k, sizeof v);
    CHECK_NEAR(v, matrix[k], 0.0);
  }
  CHECK_OK(ctx, ria_raster_write(ctx, r, files_path("turned.tif")));
  ria_buffer_free(&out);
  ria_raster_destroy(&r);
}

int main(void) {
  tiff_begin();
  places();
  south_up();
  parameters();
  turned();
  tiff_end();
  return TEST_END();
}
