/* GeoTIFF: files beside it: world files, .prj, .aux.xml of GDAL. */
#include "tiff_read.h"
#include <sys/stat.h>

/* --- world files and .prj --------------------------------------------------------------------- */

static const made_tag unplaced[] = {
    {33550, 0, 0, {0}, NULL, NULL}, {33922, 0, 0, {0}, NULL, NULL}, {0}};

/* A file that does not say where it lies, with six numbers beside it. */
static void world_files(void) {
  static const char *const names[] = {"made.TFW", "made.tifw", "made.TIFW", "made.wld", "made.WLD"};
  static const char six_numbers[] = "10\r\n0\r\n0\r\n-20\r\n105\r\n230\r\n";
  const made_tag centres[] = {{33550, 0, 0, {0}, NULL, NULL},
                              {33922, 0, 0, {0}, NULL, NULL},
                              KEYS(2, 1024, 0, 1, 1, 1025, 0, 1, 2),
                              {0}};
  files_put("made.tfw", six_numbers);
  check_place(unplaced, 100, 200, NULL);
  check_place(centres, 100, 200, NULL); /* the numbers are those of a centre, whatever keys say */
  CHECK(remove(files_path("made.tfw")) == 0);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    files_put(names[k], six_numbers);
    check_place(unplaced, 100, 200, NULL);
    CHECK(remove(files_path(names[k])) == 0);
  }
}

static void refuse_world(const char *text) {
  char expected[512];
  made m = {.nx = 3, .ny = 2, .bytes = 4, .format = 3, .value = six, .more = unplaced};
  ria_raster *r = NULL;
  snprintf(expected, sizeof expected, "%s: %s", files_path("made.tfw"), text);
  CHECK_FAILS(ctx, ria_raster_read(ctx, put(&m), &r), RIA_ERR_INPUT, expected);
  CHECK(remove(files_path("made.tfw")) == 0);
}

static void refused_worlds(void) {
  static const struct {
    const char *numbers, *text;
  } refused[] = {
      {"", "a world file has six numbers, one a line"},
      {"10\n0\n0\n-20\n105\n", "a world file has six numbers, one a line"},
      {"10\n0\n0\n-20\n105\n230\n1\n", "a world file has six numbers, one a line"},
      {"10\n0\n0\n-20\n105\n1e999\n", "number 6 of a world file must be finite, not inf"},
      {"0\n0\n0\n0\n0\n0\n", "a cell of 0 x 0 has no size (numbers 1 and 4 of a world file)"},
      {"10\n0\n0\n0\n1\n2\n", "a cell of 10 x 0 has no size (numbers 1 and 4 of a world file)"},
  };
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
    files_put("made.tfw", refused[k].numbers);
    refuse_world(refused[k].text);
  }
  files_put_bytes("made.tfw", "10\n0\n0\n-20\n105\n230\n\0", 20);
  refuse_world("a world file has six numbers, one a line");
  CHECK(mkfifo(files_path("made.tfw"), 0600) == 0);
  refuse_world("a world file is read from a regular file");
  CHECK(mkdir(files_path("made.tfw"), 0700) == 0);
  refuse_world("a world file is read from a regular file");
}

/* The .prj beside a file that says no system. */
static void refused_prj(void) {
  char expected[512];
  made m = {.nx = 3, .ny = 2, .bytes = 4, .format = 3, .value = six};
  ria_raster *r = NULL;
  CHECK(mkfifo(files_path("made.prj"), 0600) == 0);
  snprintf(expected, sizeof expected, "%s: a coordinate system is read from a regular file",
           files_path("made.prj"));
  CHECK_FAILS(ctx, ria_raster_read(ctx, put(&m), &r), RIA_ERR_INPUT, expected);
  CHECK(remove(files_path("made.prj")) == 0);
}

/* --- a file of GDAL's beside it --------------------------------------------------------------- */

static ria_raster *read_beside(const made_tag *more, const char *xml) {
  files_put("made.tif.aux.xml", xml);
  ria_raster *r = read_six(4, 3, more);
  CHECK(remove(files_path("made.tif.aux.xml")) == 0);
  return r;
}

static void beside(void) {
  const made_tag said[] = {KEYS(2, 1024, 0, 1, 1, 3072, 0, 1, 32629), TEXT_TAG(42113, "2"), {0}};
  ria_raster *r = read_beside(
      unplaced,
      "<PAMDataset>\n  <SRS dataAxisToSRSAxisMapping=\"1,2\">\n PROJCS[&quot;A&amp;B&quot;]"
      "</SRS>\n<GeoTransform>  100, 1e1,  0, 240,  0, -2e1 </GeoTransform>\n"
      "<PAMRasterBand band=\"1\">\n<NoDataValues>6</NoDataValues>\n"
      "<NoDataValue le_hex_equiv=\"1\">-9999 </NoDataValue><UnitType>ft</UnitType>"
      "<Offset>5</Offset><Scale>0.5</Scale></PAMRasterBand></PAMDataset>");
  if (!r) return;
  CHECK(r->grid.x0 == 100 && r->grid.y0 == 200 && r->grid.dx == 10 && r->grid.dy == 20);
  CHECK_TEXT(r->crs, "PROJCS[\"A&B\"]");
  CHECK_TEXT(r->unit, "ft");
  CHECK(isnan(r->data[1]));
  CHECK_NEAR(r->data[3], 5 + 0.5 * 1, 0.0);
  ria_raster_destroy(&r);
  /* the file's own system and place, and of another band nothing */
  r = read_beside(said,
                  "<PAMDataset><SRS>PROJCS[\"B\"]</SRS><PAMRasterBand band=\"2\"><Scale>7</Scale>"
                  "</PAMRasterBand></PAMDataset>");
  if (!r) return;
  CHECK_TEXT(r->crs, "EPSG:32629");
  CHECK(isnan(r->data[4]) && r->data[3] == 1);
  ria_raster_destroy(&r);
  r = read_beside(said, "<PAMDataset><PAMRasterBand band=\"1\"><NoDataValue>1</NoDataValue>");
  if (!r) return;
  CHECK(r->data[4] == 2 && isnan(r->data[3]) && r->grid.x0 == 100);
  ria_raster_destroy(&r);
}

/* As gdalinfo has them: the system beside the file, its own scale, offset and name of the unit. */
static void both_say(void) {
  const made_tag own[] = {
      KEYS(2, 1024, 0, 1, 1, 3072, 0, 1, 32629),
      TEXT_TAG(42112, "<GDALMetadata><Item name=\"SCALE\" sample=\"0\" role=\"scale\">3</Item>"
                      "<Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">cm</Item>"
                      "</GDALMetadata>"),
      {0}};
  const made_tag feet[] = {KEYS(1, 4099, 0, 1, 9003), {0}};
  static const char xml[] =
      "<PAMDataset><SRS>PROJCS[&quot;B&quot;,GEOGCS[&quot;C&quot;],AUTHORITY[&quot;EPSG&quot;,"
      "&quot;25829&quot;]]</SRS><PAMRasterBand band=\"1\"><UnitType>m</UnitType><Offset>5</Offset>"
      "<Scale>7</Scale></PAMRasterBand></PAMDataset>";
  ria_raster *r = read_beside(own, xml);
  if (!r) return;
  CHECK_NEAR(r->data[3], 3, 0.0);
  CHECK_TEXT(r->unit, "cm");
  CHECK(r->crs && strstr(r->crs, "25829"));
  ria_raster_destroy(&r);
  r = read_beside(feet, xml);
  if (!r) return;
  CHECK_TEXT(r->unit, "m");
  CHECK_NEAR(r->data[3], 12, 0.0);
  ria_raster_destroy(&r);
}

static void refused_beside(void) {
  static const struct {
    const char *xml, *text;
  } refused[] = {
      {"<PAMRasterBand band=\"1\"><NoDataValue>none</NoDataValue>", "NoDataValue must be a number"},
      {"<PAMRasterBand band=\"1\"><Scale></Scale>", "Scale must be a number"},
      {"<PAMRasterBand band=\"1\"><Offset>inf</Offset>", "Offset must be finite"},
      {"<GeoTransform>1,2,3,4,5</GeoTransform>", "GeoTransform must be six numbers"},
      {"<GeoTransform>1,2,3,4,5,6,7</GeoTransform>", "GeoTransform must be six numbers"},
      {"<GeoTransform>1,2,3,4,5,nan</GeoTransform>", "GeoTransform must be six numbers"},
  };
  made m = {.nx = 3, .ny = 2, .bytes = 4, .format = 3, .value = six};
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
    char expected[512];
    ria_raster *r = NULL;
    snprintf(expected, sizeof expected, "%s: %s", files_put("made.tif.aux.xml", refused[k].xml),
             refused[k].text);
    CHECK_FAILS(ctx, ria_raster_read(ctx, put(&m), &r), RIA_ERR_INPUT, expected);
  }
  char expected[1024], tif[256];
  ria_raster *r = NULL;
  const char *beside = files_put("made.tif.aux.xml", "");
  CHECK(truncate(beside, (1 << 26) + 1) == 0); /* a hole: it takes no room */
  snprintf(tif, sizeof tif, "%s", put(&m));
  snprintf(
      expected, sizeof expected,
      "%s.aux.xml: longer than 64 MB, which place, no data and units never are: leave out what "
      "fills it (a table of attributes: gdal_translate -norat %s new.tif)",
      tif, tif);
  CHECK_FAILS(ctx, ria_raster_read(ctx, tif, &r), RIA_ERR_INPUT, expected);
  for (int k = 0; k < 2; k++) { /* cut short, and empty: nothing is said */
    ria_raster *r = read_beside(NULL, k ? "" : "<PAMRasterBand band=\"1\"><Scale>7</Sca");
    if (r) CHECK(r->data[3] == 1);
    ria_raster_destroy(&r);
  }
}

int main(void) {
  tiff_begin();
  world_files();
  refused_worlds();
  refused_prj();
  beside();
  both_say();
  refused_beside();
  tiff_end();
  return TEST_END();
}
