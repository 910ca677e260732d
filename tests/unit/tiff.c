/* GeoTIFF: every flavour that is read against files made here, what is refused with its text,
 * damaged files. tiff_write.c has the writer. */
#include "files.h"
#include "io/raster_tiff.h"
#include "tiff_make.h"
#include <ria/field.h>
#include <sys/stat.h>

static ria_context *ctx;

enum { NX = 53, NY = 37 };
static double values[NX * NY]; /* from the north */
static made_file file;

/* Whole numbers that every type but the unsigned ones holds, with long runs and noise. */
static void fill(const made *m) {
  uint64_t state = 11;
  const double most = m->bytes == 1 ? 100 : m->bytes == 2 ? 2000 : 1e6;
  for (int k = 0; k < NX * NY; k++) {
    const double noise = floor(files_random(&state) * 4.656612873077393e-10 * most);
    const double v = k % 200 < 90 ? 5.0 : noise;
    values[k] = m->format == 1 ? v : k % 3 ? v : -v;
  }
}

static const char *put(const made *m) {
  made_build(m, &file);
  return files_put_bytes("made.tif", file.byte, file.n);
}

/* The file is read, and its values are those at `values`, which count from the north. */
static void check_read(const made *m, const char *what) {
  ria_raster *r = NULL;
  int wrong = 0;
  if (!CHECK_OK(ctx, ria_raster_read(ctx, put(m), &r))) {
    fprintf(stderr, "  %s\n", what);
    return;
  }
  for (int j = 0; j < m->ny; j++)
    for (int i = 0; i < m->nx; i++)
      wrong += r->data[(m->ny - 1 - j) * m->nx + i] != m->value[j * m->nx + i];
  if (!CHECK_INT(wrong, 0)) fprintf(stderr, "  %s\n", what);
  CHECK(r->grid.nx == m->nx && r->grid.ny == m->ny && r->grid.dx == 10 && r->grid.dy == 20 &&
        r->grid.x0 == 100 && r->grid.y0 == 200);
  ria_raster_destroy(&r);
}

static const struct {
  int format, bytes;
} types[] = {{1, 1}, {1, 2}, {1, 4}, {1, 8}, {2, 1}, {2, 2},
             {2, 4}, {2, 8}, {3, 2}, {3, 4}, {3, 8}};

static void each_layout(made m) {
  char what[128];
  for (int order = 0; order < 4; order++)
    for (int layout = 0; layout < 4; layout++) {
      m.big_endian = order & 1;
      m.big = order & 2;
      m.rows = layout == 1 ? 5 : layout == 2 ? 1 : 0;
      m.tile_nx = layout == 3 ? 16 : 0;
      m.tile_ny = layout == 3 ? 32 : 0;
      snprintf(what, sizeof what,
               "format %d of %d bytes, packing %d, predictor %d, order %d, layout %d", m.format,
               m.bytes, m.packing, m.predictor, order, layout);
      check_read(&m, what);
    }
}

static void flavours(void) {
  static const int packings[] = {1, 5, 8, 32946, 32773};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (size_t p = 0; p < sizeof packings / sizeof *packings; p++)
      for (int predictor = 0; predictor <= 3; predictor++) {
        made m = {.nx = NX,
                  .ny = NY,
                  .value = values,
                  .format = types[t].format,
                  .bytes = types[t].bytes,
                  .packing = packings[p],
                  .predictor = predictor};
        const bool has_predictor = packings[p] == 5 || packings[p] == 8;
        if (predictor > 0 && (!has_predictor || predictor == 1)) continue;
        if (predictor == 3 && m.format != 3) continue;
        fill(&m);
        each_layout(m);
      }
}

/* A string of LZW as long as the table is, and codes of every width. */
static void long_strings(void) {
  enum { N = 400 };
  static double many[N * N];
  made m = {.nx = N, .ny = N, .value = many, .format = 1, .bytes = 1, .packing = 5};
  check_read(&m, "LZW of zeros");
  uint64_t state = 3;
  for (int k = 0; k < N * N; k++) many[k] = files_random(&state) % (k < N * N / 2 ? 250 : 3);
  check_read(&m, "LZW of noise");
}

/* --- the place and the values ----------------------------------------------------------------- */

#define TAG(number, type, n, ...)                                                                  \
  { number, type, n, {__VA_ARGS__}, NULL, NULL }

static const double six[] = {1, 2, 3, 4, -9999, 6.5};

static ria_raster *read_six(int bytes, int format, const made_tag *more) {
  ria_raster *r = NULL;
  made m = {.nx = 3, .ny = 2, .bytes = bytes, .format = format, .value = six, .more = more};
  CHECK_OK(ctx, ria_raster_read(ctx, put(&m), &r));
  return r;
}

static void check_place(const made_tag *more, double x0, double y0, const char *crs) {
  ria_raster *r = read_six(4, 3, more);
  if (!r) return;
  CHECK_NEAR(r->grid.x0, x0, 0.0);
  CHECK_NEAR(r->grid.y0, y0, 0.0);
  CHECK_NEAR(r->grid.dx, 10.0, 0.0);
  CHECK_NEAR(r->grid.dy, 20.0, 0.0);
  CHECK_TEXT(r->crs, crs);
  ria_raster_destroy(&r);
}

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

static void check_last_row(int bytes, int format, const made_tag *more, double first,
                           double second) {
  ria_raster *r = read_six(bytes, format, more);
  if (!r) return;
  CHECK_NEAR(r->data[0], first, 1e-12);
  CHECK_NEAR(r->data[1], second, 1e-12);
  ria_raster_destroy(&r);
}

static void no_data(void) {
  const made_tag mark[] = {TEXT_TAG(42113, "-9999 "), {0}};
  const made_tag empty[] = {TEXT_TAG(42113, ""), {0}};
  const made_tag four[] = {TEXT_TAG(42113, "4"), {0}};
  const made_tag item[] = {
      TEXT_TAG(42112, "<GDALMetadata><Item name=\"OFFSET\" sample=\"0\" role=\"offset\">5</Item>"
                      "<Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.01</Item>"
                      "</GDALMetadata>"),
      TEXT_TAG(42113, "-9999"),
      {0}};
  const made_tag none[] = {{0}};
  check_last_row(4, 3, none, 4, -9999);
  check_last_row(4, 3, mark, 4, NAN);
  check_last_row(2, 2, mark, 4, NAN);
  check_last_row(8, 3, empty, 4, -9999);
  check_last_row(4, 2, four, NAN, -9999);
  check_last_row(4, 2, item, 5.04, NAN);

  const double low[] = {1, -3.4028234663852886e38, INFINITY, NAN};
  made m = {.nx = 4, .ny = 1, .bytes = 4, .format = 3, .value = low};
  ria_raster *r = NULL;
  if (CHECK_OK(ctx, ria_raster_read(ctx, put(&m), &r)))
    CHECK(r->data[0] == 1 && isnan(r->data[1]) && isnan(r->data[2]) && isnan(r->data[3]));
  ria_raster_destroy(&r);
}

/* A block that is left out has no data, or zeros where the file has no mark for that. */
static void left_out(void) {
  const made_tag mark[] = {TEXT_TAG(42113, "-1"), {0}};
  made m = {.nx = 3, .ny = 2, .bytes = 4, .format = 3, .value = six, .rows = 1, .left_out = 1};
  ria_raster *r = NULL;
  if (CHECK_OK(ctx, ria_raster_read(ctx, put(&m), &r))) CHECK(r->data[3] == 0 && r->data[0] == 4);
  ria_raster_destroy(&r);
  m.more = mark;
  if (CHECK_OK(ctx, ria_raster_read(ctx, put(&m), &r)))
    CHECK(isnan(r->data[3]) && isnan(r->data[5]) && r->data[0] == 4);
  ria_raster_destroy(&r);
}

/* --- what is refused -------------------------------------------------------------------------- */

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

/* --- an alpha band ---------------------------------------------------------------------------- */

#define BOTH TAG(258, 3, 2, 32, 32), TAG(339, 3, 2, 3, 3), TAG(277, 3, 1, 2), TAG(338, 3, 1, 2)
static const made_tag between[] = {BOTH, TAG(256, 3, 1, 3), {0}};
static const made_tag apart[] = {
    BOTH, TAG(257, 3, 1, 2), TAG(284, 3, 1, 2), TAG(33922, 12, 6, 0, 0, 0, 100, 240, 0), {0}};
/* A value and its alpha by turns; two rows of values, then two of alpha: 0, 0.5, NaN, 255, -1, 1 */
static const double by_turns[] = {1, 0, 2, 0.5, 3, NAN, 4, 255, 5, -1, 6, 1};
static const double in_rows[] = {1, 2, 3, 4, 5, 6, 0, 0.5, NAN, 255, -1, 1};

/* Of the six cells those of alpha 0.5, 255, 1 have a value, whole. */
static void check_alpha(made m, const char *what) {
  static const double expected[] = {4, NAN, 6, NAN, 2, NAN}; /* from the south */
  ria_raster *r = NULL;
  if (!CHECK_OK(ctx, ria_raster_read(ctx, put(&m), &r))) return;
  CHECK(r->grid.nx == 3 && r->grid.ny == 2);
  int wrong = 0;
  for (int k = 0; k < 6; k++)
    wrong += isnan(expected[k]) ? !isnan(r->data[k]) : r->data[k] != expected[k];
  if (!CHECK_INT(wrong, 0)) fprintf(stderr, "  %s\n", what);
  ria_raster_destroy(&r);
}

static void alphas(void) {
  made m = {.nx = 6, .ny = 2, .bytes = 4, .format = 3, .value = by_turns, .more = between};
  check_alpha(m, "between the values");
  m.rows = 1;
  m.packing = 8;
  check_alpha(m, "between, packed");
  m = (made){.nx = 3, .ny = 4, .bytes = 4, .format = 3, .value = in_rows, .more = apart, .rows = 2};
  check_alpha(m, "apart");
  m.packing = 5;
  m.predictor = 3;
  check_alpha(m, "apart, packed");
  m.left_out = 2; /* all of alpha: nothing counts */
  ria_raster *r = NULL;
  if (!CHECK_OK(ctx, ria_raster_read(ctx, put(&m), &r))) return;
  for (int k = 0; k < 6; k++) CHECK(isnan(r->data[k]));
  ria_raster_destroy(&r);
}

static void refuse(const made_tag *more, const char *text) {
  char expected[1024];
  const char *percent = strchr(text, '%'); /* where the path stands once more */
  made m = {.nx = 3, .ny = 2, .bytes = 4, .format = 3, .value = six, .more = more};
  const char *path = put(&m);
  ria_raster *r = (ria_raster *)&m;
  if (percent)
    snprintf(expected, sizeof expected, "%s: %.*s%s%s", path, (int)(percent - text), text, path,
             percent + 1);
  else
    snprintf(expected, sizeof expected, "%s: %s", path, text);
  (void)CHECK_FAILS(ctx, ria_raster_read(ctx, path, &r), RIA_ERR_INPUT, expected);
  CHECK(r == NULL);
}

#define MAKES " % out.tif makes one that is read"

static const struct {
  made_tag tag[5];
  const char *text;
} refused[] = {
    {{TAG(259, 3, 1, 50000)},
     "packed by ZSTD (Compression 50000); deflate, LZW, PackBits and none "
     "are read; gdal_translate -co COMPRESS=DEFLATE" MAKES},
    {{TAG(259, 3, 1, 34887)},
     "packed by LERC (Compression 34887); deflate, LZW, PackBits and none "
     "are read; gdal_translate -co COMPRESS=DEFLATE" MAKES},
    {{TAG(277, 3, 1, 3)}, "it has 3 bands, and one is read; gdal_translate -b 1" MAKES},
    {{TAG(277, 3, 1, 2), TAG(338, 3, 1, 0)},
     "it has 2 bands, and one is read; gdal_translate -b 1" MAKES},
    {{TAG(277, 3, 1, 4), TAG(338, 3, 1, 2)},
     "it has 4 bands, and one is read, with an alpha band; gdal_translate -b 1 -b 4" MAKES},
    {{TAG(277, 3, 1, 2), TAG(338, 3, 1, 1)},
     "its values are multiplied by its alpha band (ExtraSamples 1)"},
    {{TAG(277, 3, 1, 2), TAG(338, 3, 1, 2), TAG(258, 3, 2, 32, 16)},
     "BitsPerSample must be the same for both bands"},
    {{TAG(277, 3, 1, 2), TAG(338, 3, 1, 2), TAG(284, 3, 1, 2)},
     "StripOffsets has 1 numbers, and the image has 2 strips"},
    {{TAG(277, 3, 1, 2), TAG(338, 3, 1, 2)}, "strip 0 has 24 bytes, too few for its 6 cells"},
    {{TAG(258, 3, 1, 12)}, "its values have 12 bits; gdal_translate -ot Float32" MAKES},
    {{TAG(339, 3, 1, 6)}, "its values are complex numbers; gdal_translate -ot Float32" MAKES},
    {{TAG(339, 3, 1, 9)}, "SampleFormat must be from 1 to 6, not 9"},
    {{TAG(262, 3, 1, 6)}, "PhotometricInterpretation 6 is a picture, not values"},
    {{TAG(266, 3, 1, 2)}, "FillOrder is 2; gdal_translate" MAKES},
    {{TAG(274, 3, 1, 3)},
     "Orientation is 3, and rows from north to south are read; gdal_translate" MAKES},
    {{TAG(256, 3, 1, 0)}, "ImageWidth and ImageLength must be 1 or more, not 0 and 2"},
    {{TAG(256, 3, 2, 3, 3)}, "ImageWidth must be one number, not 2"},
    {{TAG(256, 12, 1, 3)}, "ImageWidth must be whole numbers (it is of type 12)"},
    {{TAG(256, 4, 1, 100000), TAG(257, 4, 1, 100000)},
     "100000 x 100000 cells are more than the 2147483647 allowed"},
    {{TAG(257, 4, 1, 3), TAG(278, 4, 1, 3)}, "strip 0 has 24 bytes, too few for its 9 cells"},
    {{{273, 0, 0, {0}, NULL, NULL}}, "the file has no StripOffsets"},
    {{TAG(273, 4, 2, 16, 16)}, "StripOffsets has 2 numbers, and the image has 1 strips"},
    {{TAG(273, 4, 1, 4e9)}, "strip 0 lies outside the file: is it cut short?"},
    {{TAG(279, 4, 1, 4e9)}, "strip 0 lies outside the file: is it cut short?"},
    {{TAG(278, 4, 1, 0)}, "RowsPerStrip must be 1 or more"},
    {{TAG(322, 4, 1, 1e6), TAG(323, 4, 1, 16)},
     "TileWidth and TileLength must be from 1 to 65536, not 1000000 and 16"},
    {{TAG(322, 4, 1, 2147483648.0), TAG(323, 4, 1, 2147483648.0)},
     "TileWidth and TileLength must be from 1 to 65536, not 2147483648 and 2147483648"},
    {{TAG(322, 3, 1, 16)}, "TileWidth and TileLength must be from 1 to 65536, not 16 and 0"},
    {{TAG(322, 3, 1, 16), TAG(323, 3, 1, 16)}, "the file has no TileOffsets"},
    {{TAG(256, 4, 1, 4294967295.0), TAG(257, 4, 1, 4294967295.0)},
     "4294967295 x 4294967295 cells are more than the 2147483647 allowed"},
    {{TAG(258, 3, 1, 64), TAG(257, 4, 1, 2e9), TAG(278, 4, 1, 2e9), TAG(256, 3, 1, 1)},
     "strip 0 has 24 bytes, too few for its 2000000000 cells"},
    {{TAG(259, 3, 1, 5), TAG(317, 3, 1, 4)}, "Predictor must be 1, 2 or 3, not 4"},
    {{TAG(259, 3, 1, 8), TAG(317, 3, 1, 3), TAG(339, 3, 1, 2)},
     "Predictor 3 is for floats, and the values are whole numbers"},
    {{TAG(259, 3, 1, 8)}, "strip 0 is damaged: unknown compression method"},
    {{TAG(259, 3, 1, 32773), TAG(257, 3, 1, 20), TAG(278, 3, 1, 20)},
     "strip 0 is damaged: it ends too early"},
    {{{33550, 0, 0, {0}, NULL, NULL}},
     "it does not say where its cells lie (no ModelPixelScale with one ModelTiepoint, no "
     "ModelTransformation, and no world file .tfw beside it); gdal_translate -a_ullr WEST NORTH "
     "EAST SOUTH" MAKES},
    {{TAG(33550, 12, 3, 0, 20, 0)}, "its cells of 0 x 20 at 100, 240 make no grid"},
    {{{33550, 0, 0, {0}, NULL, NULL},
      TAG(34264, 12, 16, 10, 1, 0, 100, 1, -20, 0, 240, 0, 0, 0, 0, 0, 0, 0, 1)},
     "its rows and columns are not at right angles; gdalwarp -r bilinear" MAKES},
    {{TAG(33922, 12, 12, 0)},
     "ModelTiepoint must be at most 6 numbers of type 12, not 12 of type 12"},
    {{KEYS(2, 1024, 0, 1, 1, 3076, 0, 1, 9003)},
     "its coordinates are not in metres (unit EPSG:9003); gdalwarp -r bilinear -t_srs EPSG:n (of a "
     "system in metres)" MAKES},
    {{KEYS(1, 1024, 0, 1, 3)}, "its coordinates are geocentric, not those of a map"},
    {{TAG(34735, 3, 4, 1, 1, 0, 9)}, "GeoKeyDirectory promises 9 keys and has 0"},
    {{TAG(34735, 3, 4, 2, 1, 0, 0)}, "GeoKeyDirectory is damaged: its first number must be 1"},
    {{TEXT_TAG(42113, "none")},
     "GDAL_NODATA is not a number; gdal_translate -a_nodata NUMBER" MAKES},
    {{TEXT_TAG(42112, "<Item role=\"scale\">x</Item>")},
     "the role=\"scale\" in GDAL_METADATA is not a number; gdal_translate -unscale" MAKES},
};

static void refusals(void) {
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
    refuse(refused[k].tag, refused[k].text);
}

/* The file of six values with one image more behind it, of that kind; then the end, or itself
 * again. */
static const char *put_two(unsigned kind, bool loop) {
  made m = {.nx = 3, .ny = 2, .bytes = 4, .format = 3, .value = six};
  made_build(&m, &file);
  const size_t at = file.byte[4] | (size_t)file.byte[5] << 8,
               link = at + 2 + 12 * (size_t)file.byte[at];
  unsigned char *more = file.byte + file.n;
  made_word(&m, file.byte + link, file.n, 4);
  made_word(&m, more, 1, 2);
  made_word(&m, more + 2, 254, 2);
  made_word(&m, more + 4, 4, 2);
  made_word(&m, more + 6, 1, 4);
  made_word(&m, more + 10, kind, 4);
  made_word(&m, more + 14, loop ? file.n : 0, 4);
  file.n += 18;
  return files_put_bytes("made.tif", file.byte, file.n);
}

/* Bytes or single bits in a file beside; the rest is in cli.tiff. */
static void masks_beside(void) {
  static const double bytes[] = {255, 0, 1, 0, 255, 255}, bits[] = {0xa0, 0x60};
  const made_tag whole[] = {TEXT_TAG(42112, "INTERNAL_MASK_FLAGS_1"), {0}};
  const made_tag single[] = {
      TEXT_TAG(42112, "INTERNAL_MASK_FLAGS_1"), TAG(256, 3, 1, 3), TAG(258, 3, 1, 1), {0}};
  const made kinds[] = {{.nx = 3, .ny = 2, .bytes = 1, .format = 1, .value = bytes, .more = whole},
                        {.nx = 1, .ny = 2, .bytes = 1, .format = 1, .value = bits, .more = single},
                        {.nx = 3, .ny = 2, .bytes = 1, .format = 1, .value = bytes}};
  for (int k = 0; k < 3; k++) {
    made_build(&kinds[k], &file);
    files_put_bytes("made.tif.msk", file.byte, file.n);
    ria_raster *r = read_six(4, 3, NULL);
    if (!r) continue;
    for (int c = 0; c < 6; c++) CHECK((isnan(r->data[c]) != 0) == (k < 2 && (c == 0 || c == 4)));
    ria_raster_destroy(&r);
  }
  CHECK(remove(files_path("made.tif.msk")) == 0);
}

static void refuse_mask(const char *path) {
  char expected[512];
  ria_raster *r = NULL;
  snprintf(expected, sizeof expected,
           "%s: a mask that is not read says which of its cells count; gdalwarp -te 100 200 130 "
           "240 -ts 3 2 -dstnodata -9999 %s out.tif makes one that is read",
           path, path);
  CHECK_FAILS(ctx, ria_raster_read(ctx, path, &r), RIA_ERR_INPUT, expected);
}

/* A mask that is not understood: the cells that it takes out are not to become values. */
static void masks(void) {
  static const double four[] = {1, 1, 1, 1};
  static const char *const names[] = {"made.tif.msk", "made.tif.MSK"};
  const made_tag told[] = {TEXT_TAG(42112, "INTERNAL_MASK_FLAGS_1"), {0}};
  const made other = {.nx = 2, .ny = 2, .bytes = 1, .format = 1, .value = four, .more = told};
  ria_raster *r = NULL;
  for (unsigned kind = 1; kind <= 5; kind += 4) { /* a smaller one of it, and that one's mask */
    CHECK_OK(ctx, ria_raster_read(ctx, put_two(kind, false), &r));
    ria_raster_destroy(&r);
  }
  CHECK_OK(ctx, ria_raster_read(ctx, put_two(1, true), &r)); /* for ever */
  ria_raster_destroy(&r);
  refuse_mask(put_two(4, false)); /* without a size */
  for (size_t k = 0; k < 2; k++) {
    const char *path = put_two(1, false);
    files_put(names[k], "");
    refuse_mask(path);
    made_build(&other, &file); /* of another size */
    files_put_bytes(names[k], file.byte, file.n);
    refuse_mask(path);
    CHECK(remove(files_path(names[k])) == 0);
  }
}

static char told[512];

static void keep_line(void *user, const char *line) {
  (void)user;
  snprintf(told, sizeof told, "%s", line);
}

/* A second image that cannot be read: the first one is, and that is told. */
static void broken_second(void) {
  ria_context *tells;
  if (!CHECK_OK(ctx,
                ria_context_create(&(ria_context_desc){.threads = 1, .log = keep_line}, &tells)))
    return;
  for (int way = 0; way < 3; way++) {
    char expected[512];
    ria_raster *r = NULL;
    const char *path = put_two(1, false);
    unsigned char *second = file.byte + file.n - 18;
    if (way == 1) memset(second, 0xff, 2);  /* 65535 tags */
    if (way == 2) memset(second + 6, 7, 4); /* a kind of 117901063 numbers */
    path = files_put_bytes("made.tif", file.byte, way == 0 ? file.n - 12 : file.n);
    told[0] = '\0';
    if (CHECK_OK(tells, ria_raster_read(tells, path, &r))) CHECK_NEAR(r->data[3], 1, 0.0);
    CHECK_TEXT(ria_error(tells), "");
    snprintf(expected, sizeof expected,
             "%s: an image behind the first cannot be read and is left out", path);
    CHECK_TEXT(told, expected);
    ria_raster_destroy(&r);
  }
  ria_context_destroy(&tells);
}

/* Where the entry of a tag lies in `file`, which is a little-endian BigTIFF. */
static size_t entry_at(int tag) {
  size_t at = 0, n = 0;
  for (int k = 7; k >= 0; k--) at = at << 8 | file.byte[8 + k];
  n = file.byte[at];
  for (size_t k = 0; k < n; k++) {
    const unsigned char *e = file.byte + at + 8 + 20 * k;
    if ((e[0] | e[1] << 8) == tag) return at + 8 + 20 * k;
  }
  CHECK(false);
  return 0;
}

static const char *put_six(bool big, int packing, size_t cut) {
  made m = {.nx = 3, .ny = 2, .bytes = 4, .format = 3, .value = six, .big = big};
  m.packing = packing;
  made_build(&m, &file);
  return files_put_bytes("made.tif", file.byte, file.n - cut);
}

static void refuse_path(const char *path, const char *text) {
  char expected[512];
  ria_raster *r = (ria_raster *)expected;
  snprintf(expected, sizeof expected, "%s: %s", path, text);
  (void)CHECK_FAILS(ctx, ria_raster_read(ctx, path, &r), RIA_ERR_INPUT, expected);
}

/* Numbers of 64 bits: products and sums that overflow, places beyond the end. */
static void refused_numbers(void) {
  static const struct {
    int tag, from; /* the byte of its entry from which all are `byte` */
    unsigned char byte;
    const char *text;
  } wrong[] = {
      {273, 4, 0x20, "StripOffsets lies outside the file: is it cut short?"}, /* 2^61 values */
      {273, 12, 0xff, "strip 0 lies outside the file: is it cut short?"},
      {279, 12, 0xff, "strip 0 lies outside the file: is it cut short?"},
      {33550, 12, 0xff, "ModelPixelScale lies outside the file: is it cut short?"},
      {33922, 12, 0xf0, "ModelTiepoint lies outside the file: is it cut short?"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    (void)put_six(true, 1, 0);
    memset(file.byte + entry_at(wrong[k].tag) + wrong[k].from, wrong[k].byte, 8);
    refuse_path(files_put_bytes("made.tif", file.byte, file.n), wrong[k].text);
  }
  (void)put_six(true, 1, 0);
  memset(file.byte + 8, 0xff, 8); /* the directory */
  refuse_path(files_put_bytes("made.tif", file.byte, file.n),
              "the directory of tags lies outside the file: is it cut short?");
}

/* The bytes of a block are damaged: from its first on. */
static void refused_blocks(void) {
  static const struct {
    int packing, n;
    const char *bytes, *text;
  } wrong[] = {
      {5, 4, "\200\100\100\100", "strip 0 is damaged: it ends too early"}, /* 257 after 256 */
      {5, 4, "\200\177\377\377", "strip 0 is damaged: a code stands where the table is empty"},
      {5, 2, "\0\1", "packed by LZW of the kind before TIFF 5"},
      {5, 4, "\200\0\45\200", "strip 0 is damaged: a code is not in the table"},
      {8, 3, "\170\332\7", "strip 0 is damaged: invalid block type"},
      {8, 2, "\170\333", "strip 0 is damaged: incorrect header check"},
  };
  char expected[512];
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    (void)put_six(false, wrong[k].packing, 0);
    memcpy(file.byte + 16, wrong[k].bytes, (size_t)wrong[k].n);
    const char *path = files_put_bytes("made.tif", file.byte, file.n);
    snprintf(expected, sizeof expected, "%s: %s", path, wrong[k].text);
    ria_raster *r = NULL;
    CHECK_INT(ria_raster_read(ctx, path, &r), RIA_ERR_INPUT);
    CHECK_HOLDS(ria_error(ctx), expected);
  }
}

/* 16 tiles that all lie at the first: each alone is well, together they are larger than the file.
 */
static void shared_blocks(void) {
  enum { N = 64, TILES = 16 };
  static double many[N * N];
  static uint64_t at[TILES], packed[TILES];
  made_tag tables[] = {{324, 4, TILES, {0}, NULL, at}, {325, 4, TILES, {0}, NULL, packed}, {0}};
  made m = {.nx = N, .ny = N, .bytes = 4, .format = 3, .value = many, .more = tables};
  char expected[512];
  m.tile_nx = m.tile_ny = 16;
  for (int k = 0; k < TILES; k++) at[k] = 16, packed[k] = 1024;
  ria_raster *r = NULL;
  if (CHECK_OK(ctx, ria_raster_read(ctx, put(&m), &r))) CHECK(r->grid.nx == N);
  ria_raster_destroy(&r);
  for (int k = 0; k < TILES; k++) packed[k] = 2048;
  const char *path = put(&m);
  snprintf(expected, sizeof expected,
           "the tiles up to 8 have more bytes together than the file (%zu): they share them; if "
           "you trust it, gdal_translate %s out.tif makes one where each has its own",
           file.n, path);
  refuse_path(path, expected);
  for (int k = 1; k < TILES; k++) at[k] = packed[k] = 0; /* the others are left out */
  if (CHECK_OK(ctx, ria_raster_read(ctx, put(&m), &r))) CHECK(r->grid.nx == N);
  ria_raster_destroy(&r);
}

/* What a file may leave out grows with its size. */
static void much_left_out(void) {
  char expected[512];
  const made_tag gone[] = {
      TAG(256, 4, 1, 20000), TAG(257, 4, 1, 20000), TAG(278, 4, 1, 20000), TAG(273, 4, 1, 0), {0}};
  made m = {.nx = 3, .ny = 2, .bytes = 4, .format = 3, .value = six, .more = gone};
  const char *path = put(&m);
  snprintf(expected, sizeof expected,
           "400000000 cells are left out of it, and the file has %zu bytes; gdal_translate -co "
           "SPARSE_OK=FALSE %s out.tif makes one that is read",
           file.n, path);
  refuse_path(path, expected);
}

/* The entry of one tag, and that of another in its place. */
static void swap_entries(int tag, int other) {
  unsigned char kept[20], *p = file.byte + entry_at(tag), *q = file.byte + entry_at(other);
  memcpy(kept, p, sizeof kept);
  memcpy(p, q, sizeof kept);
  memcpy(q, kept, sizeof kept);
}

/* Tags in any order, and of one that is there twice the first. */
static void disordered(void) {
  ria_raster *r = NULL;
  (void)put_six(true, 1, 0);
  swap_entries(256, 33922);
  swap_entries(273, 339);
  file.byte[entry_at(262)] = 0x01; /* a second tag 257, of 1 */
  if (CHECK_OK(ctx, ria_raster_read(ctx, files_put_bytes("made.tif", file.byte, file.n), &r)))
    CHECK(r->grid.nx == 3 && r->grid.ny == 2 && r->data[0] == 4 && r->data[5] == 3);
  ria_raster_destroy(&r);
}

/* Directories that follow each other in a ring: the first alone is read. */
static void ring_of_directories(void) {
  (void)put_six(true, 1, 0);
  const size_t first = entry_at(256) - 8, next = first + 8 + 20 * (size_t)file.byte[first];
  for (int k = 0; k < 8; k++) file.byte[next + (size_t)k] = (unsigned char)(first >> 8 * k);
  ria_raster *r = NULL;
  if (CHECK_OK(ctx, ria_raster_read(ctx, files_put_bytes("made.tif", file.byte, file.n), &r)))
    CHECK_NEAR(r->data[0], 4, 0.0);
  ria_raster_destroy(&r);
}

static void refuse_bytes(const void *bytes, size_t n, const char *text) {
  char expected[512];
  const char *path = files_put_bytes("made.tif", bytes, n);
  ria_raster *r = (ria_raster *)expected;
  snprintf(expected, sizeof expected, "%s: %s", path, text);
  (void)CHECK_FAILS(ctx, ria_raster_read(ctx, path, &r), RIA_ERR_INPUT, expected);
}

static void refused_headers(void) {
  refuse_bytes("", 0, "not a TIFF file, by its first bytes");
  refuse_bytes("ncols 3", 7, "not a TIFF file, by its first bytes");
  refuse_bytes("II*\0", 4, "the file ends within its header");
  refuse_bytes("II+\0\10\0\0\0\20\0\0\0\0\0\0", 15, "the file ends within its header");
  refuse_bytes("II+\0\4\0\0\0\20\0\0\0\0\0\0\0", 16, "the header of the BigTIFF file is damaged");
  refuse_bytes("II*\0\10\0\0\0", 8,
               "the directory of tags lies outside the file: is it cut short?");
  refuse_bytes("II*\0\10\0\0\0\0\0", 10, "the directory of tags is damaged or cut short");
  refuse_bytes("II*\0\10\0\0\0\377\377", 10, "the directory of tags is damaged or cut short");
}

/* --- a turned grid, written ------------------------------------------------------------------- */

/* A grid that is turned about its south-western corner has a matrix: by 90 degrees, in whole
 * numbers.
 */
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

/* --- damaged files ------------------------------------------------------------------------------
 * Whatever the bytes, reading ends with a raster or with a message that names the file. */

static void damage(const made *m, int rounds) {
  static char bytes[1 << 14];
  uint64_t state = 20260719;
  int read = 0;
  made_build(m, &file);
  CHECK(file.n < sizeof bytes / 2);
  for (int k = 0; k < rounds && test_failures == 0; k++) {
    memcpy(bytes, file.byte, file.n);
    size_t n = file.n;
    if (k % 2)
      n = files_damage(&state, bytes, n, sizeof bytes);
    else /* the directory, which lies behind the blocks */
      for (int q = 0; q < 3; q++)
        bytes[n - 1 - files_random(&state) % 260] = (char)files_random(&state);
    const char *path = files_put_bytes("damaged.tif", bytes, n);
    ria_raster *r = NULL;
    const ria_status s = ria_raster_read(ctx, path, &r);
    CHECK((s == RIA_OK) == (r != NULL));
    CHECK(s == RIA_OK || s == RIA_ERR_INPUT);
    if (s != RIA_OK) CHECK_HOLDS(ria_error(ctx), "damaged.tif");
    read += s == RIA_OK;
    ria_raster_destroy(&r);
  }
  CHECK(read > 0 && read < rounds);
}

static void damaged(void) {
  const made_tag more[] = {KEYS(3, 1024, 0, 1, 2, 2048, 0, 1, 4269, 2049, 34737, 6, 0),
                           TEXT_TAG(34737, "NAD83|"),
                           TEXT_TAG(42113, "-9999"),
                           {0}};
  static const int packings[] = {1, 5, 8, 32773};
  for (size_t p = 0; p < 4; p++) {
    made m = {.nx = 20,
              .ny = 9,
              .bytes = 4,
              .format = 3,
              .value = values,
              .packing = packings[p],
              .rows = 4,
              .more = more};
    fill(&m);
    damage(&m, 500);
    m.predictor = 3;
    m.big = m.big_endian = true;
    m.tile_nx = m.tile_ny = 16;
    damage(&m, 500);
  }
  made m = {.nx = 6, .ny = 2, .bytes = 4, .format = 3, .value = by_turns, .more = between};
  damage(&m, 300);
  m = (made){.nx = 3, .ny = 4, .bytes = 4, .format = 3, .value = in_rows, .more = apart, .rows = 2};
  damage(&m, 300);
}

/* Every length that a file can be cut to. */
static void cut_short(void) {
  made m = {.nx = 9, .ny = 5, .bytes = 2, .format = 2, .value = values, .packing = 5, .rows = 2};
  ria_raster *r = NULL;
  fill(&m);
  made_build(&m, &file);
  for (size_t n = 0; n < file.n; n++) {
    const ria_status s = ria_raster_read(ctx, files_put_bytes("cut.tif", file.byte, n), &r);
    CHECK(s == RIA_ERR_INPUT || n + 8 > file.n);
    ria_raster_destroy(&r);
  }
}

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) == RIA_OK);
  CHECK(setenv("RIA_GDAL", "none", 1) == 0); /* it would read what is refused */
  files_begin();
  flavours();
  long_strings();
  places();
  south_up();
  world_files();
  refused_worlds();
  refused_prj();
  masks();
  masks_beside();
  broken_second();
  parameters();
  no_data();
  left_out();
  alphas();
  beside();
  both_say();
  refused_beside();
  refusals();
  refused_headers();
  refused_numbers();
  refused_blocks();
  disordered();
  shared_blocks();
  much_left_out();
  ring_of_directories();
  turned();
  damaged();
  cut_short();
  files_end();
  ria_context_destroy(&ctx);
  return TEST_END();
}
