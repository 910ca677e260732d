/* Any bytes as a file of a tidal model: constituents or depths, or RIA_ERR_INPUT with a message. By
 * the first byte the rest are the file, or what stands in its records, which are then whole. */
#include "fuzz.h"
#include "forcing/otis.h"
#include <ria/tide_model.h>

typedef struct maker {
  uint8_t byte[1 << 16];
  size_t n;
} maker;

static void add_word(maker *m, uint32_t v) {
  for (int k = 3; k >= 0; k--) m->byte[m->n++] = (uint8_t)(v >> 8 * k);
}

/* Records of the lengths that a file of nx x ny cells has. */
static void records(maker *m, const uint8_t *data, size_t n) {
  const int nx = 2 + (n ? data[0] % 5 : 0), ny = 2 + (n > 1 ? data[1] % 5 : 0),
            names = 1 + (n > 2 ? data[2] % 3 : 0), numbers = n > 3 && data[3] & 1 ? 4 : 2;
  const bool depth = n > 3 && data[3] & 2;
  size_t length[8] = {depth ? 32 : 28 + 4 * (size_t)names};
  int count = 1;
  if (depth) length[count++] = 8;
  for (int k = 0; k < (depth ? 1 : names); k++)
    length[count++] = (size_t)(nx * ny * (depth ? 1 : numbers)) * 4;
  size_t at = 4;
  for (int r = 0; r < count; r++) {
    add_word(m, (uint32_t)length[r]);
    const size_t from = m->n;
    for (size_t k = 0; k < length[r]; k++, at++) m->byte[m->n++] = at < n ? data[at] : 0;
    if (r == 0 && n > 3 && data[3] & 4) { /* the sizes that they have */
      m->n = from;
      add_word(m, (uint32_t)nx);
      add_word(m, (uint32_t)ny);
      if (!depth) add_word(m, (uint32_t)names);
      m->n = from + length[r];
    }
    add_word(m, (uint32_t)length[r]);
  }
}

static void read_model(ria_context *ctx, const char *path) {
  ria_otis f;
  if (fuzz_status(ctx, ria_otis_open(ctx, path, &f), FUZZ_INPUT) == RIA_OK) {
    const size_t n = (size_t)f.grid.nx * (size_t)f.grid.ny * (size_t)f.numbers;
    float *v = malloc(n * sizeof *v);
    if (!v) abort();
    for (int k = 0; k < f.n; k++) fuzz_status(ctx, ria_otis_read(ctx, &f, k, v), FUZZ_INPUT);
    free(v);
  }
  ria_otis_close(&f);
}

static void sample(ria_context *ctx, const char *path, const char *depth) {
  const double lon[] = {-9, 0, 4.5, 180, 359}, lat[] = {42, 0, 52, -89, 10};
  ria_tide_points points;
  for (int of = 0; of < 3; of++) {
    const ria_tide_model model = {.otis = path, .of = (ria_tide_of)of, .depth = of ? depth : NULL};
    const ria_status s = ria_tide_model_at(ctx, &model, true, 5, lon, lat, &points);
    fuzz_status(ctx, s, FUZZ_INPUT | FUZZ_ARGUMENT);
    FUZZ_DEMAND(s == RIA_OK || (!points.point && !points.n));
    for (size_t k = 0; k < points.n; k++)
      for (size_t c = 0; c < points.point[k].n; c++)
        FUZZ_DEMAND(points.point[k].constituents[c].amplitude >= 0.0);
    ria_tide_points_free(&points);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  static maker m;
  ria_context *ctx = fuzz_context(0);
  ria_grid grid;
  float *depth;
  char path[64];
  int fd;
  m.n = 0;
  if (n && data[0] & 1) records(&m, data + 1, n - 1);
  if (m.n)
    fuzz_file(m.byte, m.n, &fd, path);
  else
    fuzz_file(data + (n > 0), n - (n > 0), &fd, path);
  read_model(ctx, path);
  const ria_status s =
      fuzz_status(ctx, ria_otis_depth(ctx, path, &grid, &depth), FUZZ_INPUT | 1u << RIA_ERR_MEMORY);
  FUZZ_DEMAND((s == RIA_OK) == (depth != NULL));
  free(depth);
  sample(ctx, path, path);
  ria_context_destroy(&ctx);
  close(fd);
  return 0;
}
