/* GeoTIFF: what is refused, each with its message. */
#include "tiff_read.h"

/* --- tags ------------------------------------------------------------------------------------- */

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

/* --- damaged numbers and blocks --------------------------------------------------------------- */

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

/* 16 tiles that all lie where the first does: each alone fits, all together are larger than the
 * file. */
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

int main(void) {
  tiff_begin();
  refusals();
  refused_headers();
  refused_numbers();
  refused_blocks();
  shared_blocks();
  much_left_out();
  tiff_end();
  return TEST_END();
}
