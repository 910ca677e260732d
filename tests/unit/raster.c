/* Rasters: ESRI ASCII in all its spellings, round trips, and what is wrong with files that are not
 * what they should be. raster_values.c has what is worked out of them. */
#include "files.h"
#include <locale.h>
#include <ria/field.h>
#include <stdlib.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static ria_context *ctx;

/* --- reading ---------------------------------------------------------------------------------- */

static const char plain[] = "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\n"
                            "NODATA_value -9999\n1 2 3\n4 -9999 6.5\n";

static void check_plain(const char *path) {
  ria_raster *r = NULL;
  if (!CHECK_OK(ctx, ria_raster_read(ctx, path, &r))) return;
  CHECK_INT(r->grid.nx, 3);
  CHECK_INT(r->grid.ny, 2);
  CHECK_NEAR(r->grid.x0, 100.0, 0.0);
  CHECK_NEAR(r->grid.y0, 200.0, 0.0);
  CHECK_NEAR(r->grid.dx, 10.0, 0.0);
  CHECK_NEAR(r->grid.dy, 10.0, 0.0);
  const double expected[] = {4, NAN, 6.5, 1, 2, 3}; /* row 0 in the south */
  for (int c = 0; c < 6; c++) CHECK_NEAR(r->data[c], expected[c], 0.0);
  ria_raster_destroy(&r);
  CHECK(r == NULL);
}

static void spellings(void) {
  check_plain(files_put("a.asc", plain));
  check_plain(files_put_gzip("a.asc.gz", plain));
  check_plain(files_put_gzip("gzip_without_the_name.asc", plain));
  check_plain(files_put("case_and_order.asc",
                        "nodata_VALUE -9999\nYLLCorner 200 XLLCORNER 100\nCellSize 1e1\n"
                        "\n\tNROWS 2\nNCols 3\n1 2 3\n4 -9999 6.5"));
  check_plain(files_put("crlf.asc",
                        "ncols 3\r\nnrows 2\r\nxllcorner 100\r\nyllcorner 200\r\n"
                        "cellsize 10\r\nNODATA_value -9999\r\n1 2 3\r\n4 -9999 6.5\r\n"));
  check_plain(files_put("centre.asc",
                        "ncols 3\nnrows 2\nxllcenter 105\nyllcenter 205\ncellsize 10\n"
                        "NODATA_value nan\n1 2 3 4 nan 6.5\n"));
  check_plain(files_put("mixed.asc",
                        "ncols 3\nnrows 2\nxllcorner 100\nyllcenter 205\ndx 10\ndy 10\n"
                        "1\n2 3 4\n\n\n-9999 6.5\n"));
  check_plain(files_put("bom.asc", "\xef\xbb\xbfncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\n"
                                   "cellsize 10\n1 2 3\n4 NaN 6.5\n"));
  check_plain(files_put("float.asc",
                        "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\n"
                        "NODATA_value -3.4028234663852886e+38\n1 2 3\n4 -3.40282e38 6.5"));
  check_plain(files_put("float2.asc",
                        "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\n"
                        "NODATA_value -99999.9\n1 2 3\n4 -99999.8984375 6.5"));
}

static void nan_first(void) {
  ria_raster *r = NULL;
  const char *path = files_put("nan.asc", "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ndy 2\ndx 1\n"
                                          "nan -9999");
  if (!CHECK_OK(ctx, ria_raster_read(ctx, path, &r))) return;
  CHECK(isnan(r->data[0]) && isnan(r->data[1]));
  CHECK_NEAR(r->grid.dy, 2.0, 0.0);
  ria_raster_destroy(&r);
}

/* Longer than any buffer of the reader, with words at every offset from its end. */
static void long_file(void) {
  enum { N = 400 };
  FILE *f = fopen(files_path("long.asc"), "w");
  fprintf(f, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 1\n", N, N);
  for (int j = N - 1; j >= 0; j--)
    for (int i = 0; i < N; i++) fprintf(f, "%*s%d.%03d\n", (i * j) % 9, "", j, i);
  fclose(f);
  ria_raster *r = NULL;
  if (!CHECK_OK(ctx, ria_raster_read(ctx, files_path("long.asc"), &r))) return;
  int wrong = 0;
  for (int c = 0; c < N * N; c++) wrong += fabs(r->data[c] - (c / N + 1e-3 * (c % N))) > 1e-12;
  CHECK_INT(wrong, 0);
  ria_raster_destroy(&r);
}

static void projection(void) {
  ria_raster *r = NULL;
  const char *path = files_path("a.asc.gz");
  files_put("a.prj", "\n  PROJCS[\"ETRS89 / UTM zone 29N\"]\r\n");
  if (CHECK_OK(ctx, ria_raster_read(ctx, path, &r)))
    CHECK_TEXT(r->crs, "PROJCS[\"ETRS89 / UTM zone 29N\"]");
  ria_raster_destroy(&r);
  files_put("a.prj", " \n");
  if (CHECK_OK(ctx, ria_raster_read(ctx, path, &r))) CHECK_TEXT(r->crs, NULL);
  ria_raster_destroy(&r);
}

/* --- what is refused -------------------------------------------------------------------------- */

#define HEAD "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
#define KEYS                                                                                       \
  "; keys: ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter, cellsize (or dx, dy), "   \
  "NODATA_value"

/* The message begins with the path. */
static const struct {
  const char *text, *message;
} malformed[] = {
    {"", ": the header has no ncols"},
    {"1 2 3 4\n", ": the header has no ncols"},
    {"nrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4", ": the header has no ncols"},
    {"ncols 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4", ": the header has no nrows"},
    {"ncols 2\nnrows 2\nyllcorner 0\ncellsize 1\n1 2 3 4",
     ": the header has no xllcorner or xllcenter"},
    {"ncols 2\nnrows 2\nxllcorner 0\ncellsize 1\n1 2 3 4",
     ": the header has no yllcorner or yllcenter"},
    {"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\n1 2 3 4", ": the header has no cellsize or dx"},
    {"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ndx 1\n1 2 3 4",
     ": the header has no cellsize or dy"},
    {"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1 dy 1\n1 2 3 4",
     ": the header has both cellsize and dy; one is needed"},
    {"ncols 2\nnrows 2\nxllcorner 0\nxllcenter 0\nyllcorner 0\ncellsize 1\n1 2 3 4",
     ": the header has both xllcorner and xllcenter; one is needed"},
    {"ncols 2\nnrows 2\nncols 2\n", ":3: ncols is given twice"},
    {"ncols 2\nnrow 2\n",
     ":2: 'nrow' is not a key of an ESRI ASCII grid; did you mean 'nrows'?" KEYS},
    {"ncols 2\nHydrology 2\n", ":2: 'Hydrology' is not a key of an ESRI ASCII grid" KEYS},
    {"ncols 2\n;nrows 2\n", ":2: ';nrows' is not a number: a key or the first value expected"},
    {"ncols 0\n", ":1: ncols must be a whole number from 1 to 2147483647, not 0"},
    {"ncols -3\n", ":1: ncols must be a whole number from 1 to 2147483647, not -3"},
    {"ncols 2.5\n", ":1: ncols must be a whole number from 1 to 2147483647, not 2.5"},
    {"ncols 2\nnrows 3000000000\n",
     ":2: nrows must be a whole number from 1 to 2147483647, not 3000000000"},
    {"ncols 2\nnrows nan\n", ":2: nrows must be a whole number from 1 to 2147483647, not nan"},
    {"ncols two\n", ":1: 'two' is not a number: the value of ncols expected"},
    {"ncols", ":1: the file ends where the value of ncols is expected"},
    {"ncols 2\nxllcorner inf\n", ":2: xllcorner must be finite, not inf"},
    {"cellsize 0\n", ":1: cellsize must be greater than 0, not 0"},
    {"cellsize -10\n", ":1: cellsize must be greater than 0, not -10"},
    {"cellsize nan\n", ":1: cellsize must be greater than 0, not nan"},
    {"dx 0,5\n",
     ":1: '0,5' is not a number: the value of dx expected (with a decimal point, not a comma)"},
    {"ncols 100000\nnrows 100000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n",
     ": 100000 x 100000 cells are more than the 2147483647 allowed"},
    {"ncols 40000\nnrows 40000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n",
     ": the file is too short to hold the 40000 x 40000 values its header promises"},
    {HEAD, ":6: the file ends after 0 of 2 x 2 = 4 values"},
    {HEAD "1 2\n3", ":7: the file ends after 3 of 2 x 2 = 4 values"},
    {HEAD "1 2\n3 4 5\n", ":7: '5' follows the last of 2 x 2 values"},
    {HEAD "1 2\n3 4\nx\n", ":8: 'x' follows the last of 2 x 2 values"},
    {HEAD "1 2\n3 four\n", ":7: 'four' is not a number: value 2 of row 2 expected"},
    {HEAD "1 2\n3 1e\n", ":7: '1e' is not a number: value 2 of row 2 expected"},
    {HEAD "1,5 2\n3 4\n", ":6: '1,5' is not a number: a key or the first value expected (with a "
                          "decimal point, not a comma)"},
    {HEAD "1 2,5\n3 4\n", ":6: '2,5' is not a number: value 2 of row 1 expected (with a decimal "
                          "point, not a comma)"},
    {HEAD "1 2\n\x01\x02\xff 4\n",
     ":7: not an ESRI ASCII grid: value 1 of row 2 expected, not '?\?\?'"},
    {"\x89PNG\r\n\x1a\n", ":1: not an ESRI ASCII grid: a key such as ncols expected, not '?PNG'"},
    {HEAD "1 2 3 0123456789012345678901234567890123456789x\n",
     ":6: '0123456789012345678901234567890123456789...' is not a number: value 2 of row 2 "
     "expected"},
};

static void refuse(const char *path, const char *message) {
  char expected[1024];
  ria_raster *r = (ria_raster *)&expected;
  snprintf(expected, sizeof expected, "%s%s", path, message);
  (void)CHECK_FAILS(ctx, ria_raster_read(ctx, path, &r), RIA_ERR_INPUT, expected);
  CHECK(r == NULL);
}

static void refusals(void) {
  for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
    refuse(files_put("bad.asc", malformed[i].text), malformed[i].message);
  refuse(files_put_bytes("bad.asc", "II*\0\x08\0\0\0", 8), /* whatever its name */
         ": the directory of tags lies outside the file: is it cut short?");
  const char *packed = files_path("bad.asc.gz");
  gzFile f = gzopen(packed, "wb");
  CHECK(f && gzwrite(f, "II*\0", 4) == 4 && gzclose(f) == Z_OK);
  refuse(packed,
         ": a TIFF file within gzip, or one that is no regular file; gunzip or copy it, then "
         "it is read");
  refuse(files_put_bytes("bad.asc", HEAD "1 2 \0 4", sizeof HEAD "1 2 \0 4" - 1),
         ":6: not an ESRI ASCII grid: value 1 of row 2 expected, not '?'");
}

static void refused_files(void) {
  ria_raster *r;
  char message[1024], bytes[4096];
  const char *path = files_path("none.asc");
  snprintf(message, sizeof message, "cannot open %s: No such file or directory", path);
  (void)CHECK_FAILS(ctx, ria_raster_read(ctx, path, &r), RIA_ERR_INPUT, message);
  snprintf(message, sizeof message, "cannot read %s: Is a directory", files_dir);
  (void)CHECK_FAILS(ctx, ria_raster_read(ctx, files_dir, &r), RIA_ERR_INPUT, message);

  FILE *f = fopen(files_put_gzip("whole.asc.gz", plain), "rb");
  size_t n = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  refuse(files_put_bytes("cut.asc.gz", bytes, n - 12), ": the gzip file is cut short");
  bytes[n - 6] ^= 1; /* in the checksum */
  refuse(files_put_bytes("bad.asc.gz", bytes, n),
         ": the gzip file is damaged (incorrect data check)");

  files_put("whole.asc", plain);
  files_put_bytes("whole.prj", "GEOG\0CS", 7);
  snprintf(message, sizeof message, "%s: not text; a coordinate system as WKT was expected",
           files_path("whole.prj"));
  (void)CHECK_FAILS(ctx, ria_raster_read(ctx, files_path("whole.asc"), &r), RIA_ERR_INPUT, message);
  memset(bytes, 'A', sizeof bytes);
  files_put_bytes("whole.prj", bytes, RIA_CRS_MAX);
  snprintf(message, sizeof message, "%s: longer than the 4095 bytes allowed",
           files_path("whole.prj"));
  (void)CHECK_FAILS(ctx, ria_raster_read(ctx, files_path("whole.asc"), &r), RIA_ERR_INPUT, message);
}

/* --- writing ---------------------------------------------------------------------------------- */

static ria_raster *make(int nx, int ny, double dx, double dy) {
  ria_raster *r = NULL;
  const ria_grid g = {.nx = nx, .ny = ny, .dx = dx, .dy = dy, .x0 = -3.7, .y0 = 1e6 / 3.0};
  CHECK_OK(ctx, ria_raster_create(ctx, &g, &r));
  return r;
}

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void round_trip(ria_raster *r, const char *name) {
  ria_raster *back = NULL;
  const char *path = files_path(name);
  if (!CHECK_OK(ctx, ria_raster_write(ctx, r, path)) ||
      !CHECK_OK(ctx, ria_raster_read(ctx, path, &back)))
    return;
  CHECK(memcmp(&r->grid, &back->grid, sizeof r->grid) == 0);
  CHECK_TEXT(back->crs, r->crs);
  int wrong = 0;
  for (int c = 0; c < r->grid.nx * r->grid.ny; c++) wrong += !same(r->data[c], back->data[c]);
  CHECK_INT(wrong, 0);
  ria_raster_destroy(&back);
}

static void round_trips(void) {
  uint64_t state = 7;
  ria_raster *r = make(123, 77, 0.1, 1.0 / 3.0);
  for (int c = 0; c < 123 * 77; c++) {
    const double v = files_random(&state) * 4.656612873077393e-10; /* [0, 1) */
    r->data[c] = c % 13 == 0 ? NAN : (v - 0.5) * pow(10.0, (int)(files_random(&state) % 60) - 30);
  }
  round_trip(r, "trip.asc");
  round_trip(r, "trip.asc.gz");
  r->crs = strdup("LOCAL_CS[\"bay\"]"); /* as it is */
  r->grid.dy = r->grid.dx;
  r->data[50] = -9999.0; /* a value, not a gap */
  round_trip(r, "trip_crs.asc");
  round_trip(r, "trip_crs2.ASC.GZ");
  ria_raster_destroy(&r);
}

/* The .prj beside a file that is written again says its coordinate system, or goes. */
static void prj_follows(void) {
  char message[1024];
  const char *wkt = "PROJCS[\"WGS 84 / UTM zone 29N\"";
  ria_raster *r = make(2, 2, 10.0, 10.0), *back = NULL;
  for (int c = 0; c < 4; c++) r->data[c] = c;
  r->crs = strdup("EPSG:28992");
  for (const char *const *name = (const char *const[]){"again.asc", "again.tif", NULL}; *name;
       name++) {
    const char *path = files_path(*name);
    CHECK_OK(ctx, ria_raster_write(ctx, r, path));
    free(r->crs);
    r->crs = strdup("EPSG:32629");
    CHECK_OK(ctx, ria_raster_write(ctx, r, path));
    if (name[1]) CHECK(strncmp(files_get(files_path("again.prj")), wkt, strlen(wkt)) == 0);
    free(r->crs);
    r->crs = NULL;
    if (!name[1]) files_put("again.prj", "EPSG:4326"); /* of a .tif that did not tell it */
    CHECK_OK(ctx, ria_raster_write(ctx, r, path));
    if (!CHECK_OK(ctx, ria_raster_read(ctx, path, &back))) break;
    CHECK(back->crs == NULL);
    ria_raster_destroy(&back);
    r->crs = strdup("EPSG:28992");
  }
  free(r->crs);
  r->crs = NULL;
  files_put("other.prj", "EPSG:4326"); /* of other.shp */
  snprintf(message, sizeof message,
           "%s: the raster has no coordinate system, and %s beside it would be read as one: write "
           "to another name, or give the raster its crs",
           files_path("other.asc"), files_path("other.prj"));
  CHECK_FAILS(ctx, ria_raster_write(ctx, r, files_path("other.asc")), RIA_ERR_ARGUMENT, message);
  CHECK_TEXT(files_get(files_path("other.prj")), "EPSG:4326");
  ria_raster_destroy(&r);
}

/* What a GIS left beside a GeoTIFF does not count for the one that replaces it. */
static void beside_goes(void) {
  ria_raster *r = make(2, 2, 10.0, 10.0), *back = NULL;
  const char *path = files_path("left.tif");
  for (int c = 0; c < 4; c++) r->data[c] = c;
  for (int there = 0; there < 2; there++) {
    files_put("left.tif.aux.xml",
              "<PAMDataset><PAMRasterBand band=\"1\"><NoDataValue>2</NoDataValue>"
              "</PAMRasterBand></PAMDataset>");
    CHECK_OK(ctx, ria_raster_write(ctx, r, path));
    if (CHECK_OK(ctx, ria_raster_read(ctx, path, &back))) CHECK(back->data[2] == 2);
    ria_raster_destroy(&back);
  }
  ria_raster_destroy(&r);
}

static void written_text(void) {
  ria_raster *r = make(2, 2, 10.0, 10.0);
  r->grid.x0 = r->grid.y0 = 0.5;
  r->data[0] = 1.0;
  r->data[1] = -0.135;
  r->data[2] = 1e-7;
  CHECK_OK(ctx, ria_raster_write(ctx, r, files_path("text.asc")));
  CHECK_TEXT(files_get(files_path("text.asc")),
             "ncols         2\nnrows         2\nxllcorner     0.5\nyllcorner     0.5\n"
             "cellsize      10\nNODATA_value  -9999\n1e-07 -9999\n1 -0.135\n");
  ria_raster_destroy(&r);
}

/* A host may have set a locale with a decimal comma. */
static void any_locale(void) {
  if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) return;
  check_plain(files_put("a.asc", plain));
  written_text();
  setlocale(LC_ALL, "C");
}

/* By the ending of its name a file is ESRI ASCII or GeoTIFF. */
static void refused_writing(const char *missing, const char *kept) {
  ria_raster *r = make(2, 2, 1.0, 1.0);
  char message[1024];
  const char *path = files_path(missing);
  snprintf(message, sizeof message, "cannot write '%s': No such file or directory", path);
  (void)CHECK_FAILS(ctx, ria_raster_write(ctx, r, path), RIA_ERR_OUTPUT, message);
  path = files_put(kept, "as it was");
  r->data[1] = INFINITY;
  snprintf(message, sizeof message,
           "%s: the value inf of cell (1, 0) is the same as the mark for no data", path);
  (void)CHECK_FAILS(ctx, ria_raster_write(ctx, r, path), RIA_ERR_ARGUMENT, message);
  CHECK_TEXT(files_get(path), "as it was");
  ria_raster_destroy(&r);
}

/* A full disk leaves what was there, and nothing beside it. */
static void full_disk(void) {
  struct rlimit limit, small;
  ria_raster *r = make(40, 40, 1.0, 1.0);
  const char *path = files_path("full/kept.asc");
  CHECK(mkdir(files_path("full"), 0777) == 0);
  files_put("full/kept.asc", "as it was");
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &limit);
  small = (struct rlimit){.rlim_cur = 100, .rlim_max = limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const ria_status s = ria_raster_write(ctx, r, path);
  setrlimit(RLIMIT_FSIZE, &limit);
  CHECK_INT(s, RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "full/kept.asc': File too large");
  CHECK_TEXT(files_get(path), "as it was");
  CHECK(unlink(path) == 0 && rmdir(files_path("full")) == 0);
  ria_raster_destroy(&r);
}

/* --- damaged files ------------------------------------------------------------------------------
 * Whatever the bytes, reading ends with a raster or with a message that names the file. */

static void damaged(void) {
  enum { ROUNDS = 6000, ROOM = 512 };
  uint64_t state = 20260301;
  char text[ROOM];
  int read = 0;
  for (int k = 0; k < ROUNDS && test_failures == 0; k++) {
    memcpy(text, plain, sizeof plain);
    size_t n = files_damage(&state, text, sizeof plain - 1, ROOM);
    const char *path = files_put_bytes("damaged.asc", text, n);
    ria_raster *r = NULL;
    ria_status s = ria_raster_read(ctx, path, &r);
    CHECK((s == RIA_OK) == (r != NULL));
    if (s != RIA_OK) CHECK_HOLDS(ria_error(ctx), "damaged.asc");
    read += s == RIA_OK;
    ria_raster_destroy(&r);
  }
  CHECK(read > ROUNDS / 100 && read < ROUNDS);
}

static void damaged_gzip(void) {
  uint64_t state = 5;
  char whole[1024], bytes[1024];
  FILE *f = fopen(files_put_gzip("damaged.asc.gz", plain), "rb");
  size_t n = fread(whole, 1, sizeof whole, f);
  fclose(f);
  for (int k = 0; k < 2000; k++) {
    memcpy(bytes, whole, n);
    const char *path =
        files_put_bytes("damaged.asc.gz", bytes, files_damage(&state, bytes, n, sizeof bytes));
    ria_raster *r = NULL;
    ria_status s = ria_raster_read(ctx, path, &r);
    CHECK((s == RIA_OK) == (r != NULL));
    ria_raster_destroy(&r);
  }
}

/* Elevation in degrees is refused with the line that projects it; a flume, whose cells are as
 * small, is not, nor a map without heights. */
static ria_raster *raster_at(double x0, double y0, double cell, double high, const char *crs) {
  ria_raster *r = make(4, 3, 1.0, 1.0);
  r->grid = (ria_grid){.nx = 4, .ny = 3, .dx = cell, .dy = cell, .x0 = x0, .y0 = y0};
  for (int k = 0; k < 12; k++) r->data[k] = k == 7 ? NAN : high * k / 11;
  free(r->crs);
  r->crs = NULL;
  if (crs && !(r->crs = malloc(strlen(crs) + 1))) abort();
  if (crs) strcpy(r->crs, crs);
  return r;
}

static void degrees(void) {
  static const char *const project = "project it: gdalwarp ";
  const struct {
    double x0, y0, cell, high;
    const char *crs, *path, *text; /* NULL: accepted */
  } row[] = {
      {-8.9, 42.1, 1.0 / 3600, 120, NULL, "bay.asc",
       "bay.asc is in degrees (cells of 0.0002778 x 0.0002778, by its extent and heights), and ria "
       "computes in metres: name the model's system, crs = \"EPSG:32629\" (of ria.dem), or project "
       "it: gdalwarp -s_srs EPSG:4326 -t_srs EPSG:32629 -tr 31 31 -r "
       "bilinear -dstnodata -9999 bay.asc utm.tif"},
      {-8.9, 42.1, 0.01, 120, "EPSG:4326", "bay.tif",
       "bay.tif is in degrees (cells of 0.01 x 0.01, as its coordinate system says), and ria "
       "computes in metres: name the model's system, crs = \"EPSG:32629\" (of ria.dem), or project "
       "it: gdalwarp -t_srs EPSG:32629 -tr 1100 1100 -r bilinear "
       "-dstnodata -9999 bay.tif utm.tif"},
      {174.7, -41.3, 1.0 / 240, 0, "GEOGCS[\"GCS_WGS_1984\"]", "nz.asc.gz",
       "nz.asc.gz is in degrees (cells of 0.004167 x 0.004167, as its .prj says), and ria computes "
       "in metres: name the model's system, crs = \"EPSG:32760\" (of ria.dem), or project it: "
       "gdalwarp -t_srs EPSG:32760 -tr 460 460 -r bilinear "
       "-dstnodata -9999 /vsigzip/nz.asc.gz utm.tif"},
      {5, 5, 1, 0, "Projection    GEOGRAPHIC\nDatum WGS84", "x.asc", project},
      {5, 5, 1, 0, "CRS84", "x.asc", project},
      {5, 5, 1, 0, "EPSG:4289", "x.tif", project}, /* Amersfoort, which is not built in */
      {5, 5, 1, 0, "COMPD_CS[\"a\",GEOGCS[\"b\"],VERT_CS[\"c\"]]", "x.vrt", project},
      {5, 5, 1, 0, "GEODCRS[\"a\"]", "x.vrt", project},
      {5, 5, 1, 0, "GEOGRAPHICCRS[\"a\"]", "x.vrt", project},
      {5, 5, 1, 0, "BOUNDCRS[SOURCECRS[GEOGCRS[\"a\"]],TARGETCRS[GEOGCRS[\"b\"]]]", "x.vrt",
       project},
      {3, 5, 1, 0, "EPSG:4326", NULL,
       "a field is in degrees (cells of 1 x 1, as its coordinate system says), and ria computes in "
       "metres: name the model's system, crs = \"EPSG:32631\" (of ria.dem)"},
      {6e5, 2e6, 100, 0,
       "COMPOUNDCRS[\"a\",PROJCRS[\"ny\",AXIS[\"(E)\",east,LENGTHUNIT[\"US survey foot\","
       "0.304800609601219]]],VERTCRS[\"b\"]]",
       NULL,
       "a field counts x and y in units of 0.3048006096 m (as its coordinate system says), and ria "
       "in metres; take it to a system in metres"},
      {6e5, 2e6, 100, 0,
       "PROJCS[\"ny\",GEOGCS[\"a\",UNIT[\"Degree\",0.017453]],UNIT[\"Foot_US\","
       "0.3048006096012192]]",
       "ny.asc",
       "ny.asc counts x and y in units of 0.3048006096 m (as its coordinate system says), and ria "
       "in "
       "metres; take it to a system in metres, such as the UTM zone of the place: gdalwarp -t_srs "
       "EPSG:32618 ny.asc utm.tif"},
      {6e5, 2e6, 100, 0, "PROJCS[\"ny\",UNIT[\"Meter\",1.0]]", "m.asc", NULL},
      {0, 0, 0.014, 0.05, NULL, "monai.asc", NULL},            /* a flume */
      {-8.9, 42.1, 0.001, 0.003, NULL, "manning.asc", NULL},   /* no heights, and no .prj */
      {500000, 4.6e6, 0.05, 120, NULL, "cliff.asc", NULL},     /* metres */
      {-8.9, 42.1, 0.01, 120, "PROJCS[\"x\"]", "y.asc", NULL}, /* said to be projected */
      {0, 0, 50, 120, NULL, "z.asc", NULL},
  };
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    ria_raster *r = raster_at(row[k].x0, row[k].y0, row[k].cell, row[k].high, row[k].crs);
    const ria_status s = ria_raster_check_metres(ctx, r, row[k].path);
    CHECK_INT(s, row[k].text ? RIA_ERR_INPUT : RIA_OK);
    if (row[k].text && row[k].text != project) CHECK_TEXT(ria_error(ctx), row[k].text);
    ria_raster_destroy(&r);
  }
}

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) == RIA_OK);
  files_begin();
  spellings();
  nan_first();
  long_file();
  projection();
  refusals();
  refused_files();
  round_trips();
  prj_follows();
  beside_goes();
  written_text();
  any_locale();
  refused_writing("nowhere/x.asc", "kept.asc");
  refused_writing("nowhere/x.tif", "kept.tif");
  full_disk();
  damaged();
  damaged_gzip();
  degrees();
  files_end();
  ria_context_destroy(&ctx);
  return TEST_END();
}
