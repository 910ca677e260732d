/* GeoTIFF: every layout that is read: types of values, orders of bytes, strips and tiles, packings
 * and predictors, blocks that are left out. tiff_write.c has the writer. */
#include "tiff_read.h"

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

int main(void) {
  tiff_begin();
  flavours();
  long_strings();
  left_out();
  tiff_end();
  return TEST_END();
}
