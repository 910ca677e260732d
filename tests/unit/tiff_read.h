/* tiff_read.h - what the tests that read GeoTIFFs share: files of tiff_make.h that are read, or are
 * refused with a message. */
#ifndef UNIT_TIFF_READ_H
#define UNIT_TIFF_READ_H
#include "files.h"
#include "io/raster_tiff.h"
#include "tiff_make.h"

static ria_context *ctx;
static made_file file;

static void tiff_begin(void) {
  CHECK(ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) == RIA_OK);
  CHECK(setenv("RIA_GDAL", "none", 1) == 0); /* it would read what is refused */
  files_begin();
}

static void tiff_end(void) {
  files_end();
  ria_context_destroy(&ctx);
}

static const char *put(const made *m) {
  made_build(m, &file);
  return files_put_bytes("made.tif", file.byte, file.n);
}

/* --- numbers that every type holds ------------------------------------------------------------ */

enum { NX = 53, NY = 37 };
static double values[NX * NY]; /* from the north */

/* Whole numbers that every type but the unsigned ones holds, with long runs and noise. */
TEST_UNUSED static void fill(const made *m) {
  uint64_t state = 11;
  const double most = m->bytes == 1 ? 100 : m->bytes == 2 ? 2000 : 1e6;
  for (int k = 0; k < NX * NY; k++) {
    const double noise = floor(files_random(&state) * 4.656612873077393e-10 * most);
    const double v = k % 200 < 90 ? 5.0 : noise;
    values[k] = m->format == 1 ? v : k % 3 ? v : -v;
  }
}

/* --- six values ------------------------------------------------------------------------------- */

#define TAG(number, type, n, ...)                                                                  \
  { number, type, n, {__VA_ARGS__}, NULL, NULL }

static const double six[] = {1, 2, 3, 4, -9999, 6.5};

static ria_raster *read_six(int bytes, int format, const made_tag *more) {
  ria_raster *r = NULL;
  made m = {.nx = 3, .ny = 2, .bytes = bytes, .format = format, .value = six, .more = more};
  CHECK_OK(ctx, ria_raster_read(ctx, put(&m), &r));
  return r;
}

TEST_UNUSED static void check_place(const made_tag *more, double x0, double y0, const char *crs) {
  ria_raster *r = read_six(4, 3, more);
  if (!r) return;
  CHECK_NEAR(r->grid.x0, x0, 0.0);
  CHECK_NEAR(r->grid.y0, y0, 0.0);
  CHECK_NEAR(r->grid.dx, 10.0, 0.0);
  CHECK_NEAR(r->grid.dy, 20.0, 0.0);
  CHECK_TEXT(r->crs, crs);
  ria_raster_destroy(&r);
}

/* --- with an alpha band ----------------------------------------------------------------------- */

#define BOTH TAG(258, 3, 2, 32, 32), TAG(339, 3, 2, 3, 3), TAG(277, 3, 1, 2), TAG(338, 3, 1, 2)
static const made_tag between[] = {BOTH, TAG(256, 3, 1, 3), {0}};
static const made_tag apart[] = {
    BOTH, TAG(257, 3, 1, 2), TAG(284, 3, 1, 2), TAG(33922, 12, 6, 0, 0, 0, 100, 240, 0), {0}};
/* A value and its alpha by turns; two rows of values, then two of alpha: 0, 0.5, NaN, 255, -1, 1 */
static const double by_turns[] = {1, 0, 2, 0.5, 3, NAN, 4, 255, 5, -1, 6, 1};
static const double in_rows[] = {1, 2, 3, 4, 5, 6, 0, 0.5, NAN, 255, -1, 1};

/* --- refused ---------------------------------------------------------------------------------- */

TEST_UNUSED static void refuse_path(const char *path, const char *text) {
  char expected[512];
  ria_raster *r = (ria_raster *)expected;
  snprintf(expected, sizeof expected, "%s: %s", path, text);
  (void)CHECK_FAILS(ctx, ria_raster_read(ctx, path, &r), RIA_ERR_INPUT, expected);
}

/* --- a BigTIFF whose bytes are changed -------------------------------------------------------- */

/* Where the entry of a tag lies in `file`, which is a little-endian BigTIFF. */
TEST_UNUSED static size_t entry_at(int tag) {
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

TEST_UNUSED static const char *put_six(bool big, int packing, size_t cut) {
  made m = {.nx = 3, .ny = 2, .bytes = 4, .format = 3, .value = six, .big = big};
  m.packing = packing;
  made_build(&m, &file);
  return files_put_bytes("made.tif", file.byte, file.n - cut);
}

#endif
