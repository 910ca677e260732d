/* A store of two fields and two times in which the input replaces, changes or removes files: what
 * opens can be read, or RIA_ERR_INPUT with a message.
 *
 * The input is a list of changes: which file and how, how many bytes, the bytes. */
#include "bytes.h"
#include "fuzz.h"
#include "io/zarr_read.h"
#include <ria/relax.h>
#include <zlib.h>

typedef struct stored {
  const char *name, *text;
  double number[6]; /* of a chunk, where text is NULL */
  int n;
} stored;

#define AXIS(n)                                                                                    \
  "{\"zarr_format\":2,\"shape\":[" #n "],\"chunks\":[" #n                                          \
  "],\"dtype\":\"<f8\",\"compressor\":{\"id\":\"zlib\",\"level\":1},\"fill_value\":\"NaN\","       \
  "\"order\":\"C\",\"filters\":null,\"dimension_separator\":\".\"}"
#define FIELD                                                                                      \
  "{\"zarr_format\":2,\"shape\":[2,2,3],\"chunks\":[1,2,3],\"dtype\":\"<f8\",\"compressor\":"      \
  "{\"id\":\"zlib\",\"level\":1},\"fill_value\":\"NaN\",\"order\":\"C\",\"filters\":null,"         \
  "\"dimension_separator\":\".\"}"

static const stored valid[] = {
    {.name = ".zgroup", .text = "{\"zarr_format\":2}"},
    {.name = ".zattrs", .text = "{\"grid_angle\":30,\"affine\":[100,1,0,200,0,1]}"},
    {.name = "x/.zarray", .text = AXIS(3)},
    {.name = "x/.zattrs", .text = "{\"units\":\"m\"}"},
    {.name = "x/0", .number = {5, 15, 25}, .n = 3},
    {.name = "y/.zarray", .text = AXIS(2)},
    {.name = "y/.zattrs", .text = "{\"units\":\"m\"}"},
    {.name = "y/0", .number = {5, 15}, .n = 2},
    {.name = "time/.zarray", .text = AXIS(2)},
    {.name = "time/.zattrs", .text = "{\"units\":\"seconds since 2026-07-14T00:00:00Z\"}"},
    {.name = "time/0", .number = {0, 60}, .n = 2},
    {.name = "level/.zarray", .text = FIELD},
    {.name = "level/.zattrs", .text = "{\"units\":\"m\"}"},
    {.name = "level/0.0.0", .number = {1, 2, 3, 4, 5, 6}, .n = 6},
    {.name = "level/1.0.0", .number = {1, 2, 3, 4, 5, 6}, .n = 6},
    {.name = "u/.zarray", .text = FIELD},
    {.name = "u/0.0.0", .number = {1, 2, 3, 4, 5, 6}, .n = 6},
    {.name = "crs/.zattrs", .text = "{\"crs_wkt\":\"EPSG:25829\"}"},
};
enum { FILES = sizeof valid / sizeof *valid, MOST = 4096 };

typedef struct content {
  uint8_t byte[MOST];
  size_t n;
  bool gone, packed;
} content;

static void fill(content *c, const stored *s) {
  c->n = s->text ? strlen(s->text) : (size_t)s->n * sizeof *s->number;
  c->packed = !s->text;
  c->gone = false;
  memcpy(c->byte, s->text ? (const void *)s->text : (const void *)s->number, c->n);
}

static void change(content *file, bytes *b) {
  content *c = &file[bytes_below(b, FILES)];
  const unsigned how = bytes_below(b, 8);
  size_t n = bytes_one(b), at = 0;
  if (how == 0) c->gone = !c->gone;
  if (how == 1) c->packed = !c->packed;
  if (how == 2) c->n = c->n * n / 256;
  if (how < 3) return;
  if (how > 4) at = c->n ? bytes_one(b) % c->n : 0; /* else replaced whole */
  const size_t left = (size_t)(b->end - b->at), behind = c->n - at;
  n = n < left ? n : left;
  if (how > 5) { /* put in between */
    const size_t cut = how == 7 && n < behind ? n + 1 < behind ? n + 1 : behind : 0;
    const size_t tail = behind - cut;
    if (at + n + tail > MOST) return;
    memmove(c->byte + at + n, c->byte + at + cut, tail);
    c->n = at + n + tail;
  } else if (at + n > c->n || how < 5) {
    c->n = at + n;
  }
  bytes_take(b, c->byte + at, n);
}

static void put(const char *dir, const stored *s, const content *c) {
  uint8_t packed[2 * MOST];
  uLongf n = sizeof packed;
  if (c->gone) return;
  if (!c->packed) {
    fuzz_put(dir, s->name, c->byte, c->n);
    return;
  }
  if (compress2(packed, &n, c->byte, c->n, 1) != Z_OK) abort();
  fuzz_put(dir, s->name, packed, n);
}

static void read_all(ria_context *ctx, const ria_store *s) {
  const ria_grid *g = ria_store_grid(s);
  size_t n;
  bool dated;
  char text[256];
  const double *t = ria_store_times(s, &n, &dated);
  FUZZ_DEMAND(n >= 1);
  for (size_t k = 0; k < n; k++) FUZZ_DEMAND(isfinite(t[k]) && (k == 0 || t[k] > t[k - 1]));
  FUZZ_DEMAND(ria_grid_check(ctx, g) == RIA_OK);
  ria_store_fields(s, text, sizeof text);
  (void)ria_store_other_crs(s, "EPSG:25829");
  if ((double)g->nx * g->ny > 1e5) return;
  double *v = malloc((size_t)g->nx * (size_t)g->ny * sizeof *v);
  const ria_window whole = {0, g->nx, 0, g->ny};
  if (!v) abort();
  for (const char *const *field = (const char *const[]){"level", "u", NULL}; *field; field++)
    for (size_t k = 0; k < n && k < 4 && ria_store_has(s, *field); k++) {
      fuzz_status(ctx, ria_store_read(ctx, s, *field, k, &whole, v),
                  FUZZ_INPUT | 1u << RIA_ERR_MEMORY);
      fuzz_status(ctx, ria_store_unit(ctx, s, *field, text, sizeof text), FUZZ_INPUT);
    }
  free(v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  static content file[FILES];
  bytes b = {data, data + n};
  ria_context *ctx = fuzz_context(0);
  ria_store *store;
  char dir[64], text[256];
  for (int k = 0; k < FILES; k++) fill(&file[k], &valid[k]);
  while (!bytes_over(&b)) change(file, &b);
  fuzz_dir(dir);
  for (int k = 0; k < FILES; k++) put(dir, &valid[k], &file[k]);
  const ria_status s =
      fuzz_status(ctx, ria_store_open(ctx, dir, &store), FUZZ_INPUT | 1u << RIA_ERR_MEMORY);
  FUZZ_DEMAND((s == RIA_OK) == (store != NULL));
  if (store) read_all(ctx, store);
  ria_store_close(&store);
  const ria_nest_desc nest = {.path = dir};
  fuzz_status(ctx, ria_nest_tell(ctx, &nest, text, sizeof text), FUZZ_INPUT | 1u << RIA_ERR_MEMORY);
  ria_context_destroy(&ctx);
  fuzz_dir_remove(dir);
  return 0;
}
