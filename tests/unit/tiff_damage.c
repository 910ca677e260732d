/* GeoTIFF: directories in disorder, damaged files, files that are cut short. */
#include "tiff_read.h"

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
  tiff_begin();
  disordered();
  ring_of_directories();
  damaged();
  cut_short();
  tiff_end();
  return TEST_END();
}
