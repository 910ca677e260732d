/* Rasters: ESRI ASCII in all its spellings, and what is wrong with files that are not what they
 * should be. raster_values.c has what is worked out of them, raster_write.c the files written. */
#include "files.h"
#include "raster.h"

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

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) == RIA_OK);
  files_begin();
  spellings();
  nan_first();
  long_file();
  projection();
  refusals();
  refused_files();
  damaged();
  damaged_gzip();
  files_end();
  ria_context_destroy(&ctx);
  return TEST_END();
}
