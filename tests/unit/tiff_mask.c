/* GeoTIFF: which cells have a value: marks of no data, an alpha band, masks in the file and beside
 * it. */
#include "tiff_read.h"

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

/* --- an alpha band ---------------------------------------------------------------------------- */

/* Of the six cells three have a value, at its full size: where alpha is 0.5, 255 or 1. */
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

/* --- masks, and other images behind the first ------------------------------------------------- */

/* The file of six values with one more image behind it, of that kind. After it the file ends, or it
 * names itself as the next. */
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

/* A mask that is not understood: the cells that it takes out must not become values. */
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
  CHECK_OK(ctx, ria_raster_read(ctx, put_two(1, true), &r)); /* no end */
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

/* A second image that cannot be read: the first one is read, and the log says so. */
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

int main(void) {
  tiff_begin();
  masks();
  masks_beside();
  broken_second();
  no_data();
  alphas();
  tiff_end();
  return TEST_END();
}
