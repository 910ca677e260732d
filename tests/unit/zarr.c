/* unit.zarr: stores are what formats say, value by value; frames show only when they are whole. */
#include "io/crs.h"
#include "io/file.h"
#include "io/round.h"
#include "io/zarr.h"
#include "test.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <zlib.h>

enum { NX = 70, NY = 50, TILE = 32, CELLS = NX * NY, FRAMES = 12 };

static char dir[64] = "/tmp/ria-zarr-XXXXXX";
static char err[RIA_ERR_TEXT];
static const ria_grid grid = {.nx = NX, .ny = NY, .dx = 25, .dy = 20, .x0 = 500000, .y0 = 4.7e6};

static const char *in_dir(const char *name) {
  static char path[16][256];
  static int k;
  k = (k + 1) % 16;
  snprintf(path[k], sizeof path[k], "%s/%s", dir, name);
  return path[k];
}

/* NUL-terminated; NULL when there is no such file. */
static char *slurp(const char *name, size_t *n) {
  FILE *f = fopen(in_dir(name), "rb");
  if (!f) return NULL;
  char *text = calloc(1, 1 << 17);
  if (!text) abort();
  *n = fread(text, 1, (1 << 17) - 1, f);
  fclose(f);
  return text;
}

static void holds(const char *name, const char *part) {
  size_t n;
  char *text = slurp(name, &n);
  if (!CHECK_HOLDS(text, part)) fprintf(stderr, "  in %s\n", name);
  free(text);
}

static bool missing(const char *name) { return !ria_file_exists(in_dir(name)); }

/* A field with a pattern, noise, and no value in its north-east corner. */
static double value_at(int frame, int i, int j) {
  if (i >= 64 && j >= 32) return (double)NAN;
  if ((i + 3 * j + frame) % 11 == 0) return (double)NAN;
  return sin(0.1 * i) * cos(0.07 * j) * (1.0 + frame) + 1e-4 * ((i * 7919 + j * 104729) % 101);
}

static float *frame_f32(int frame) {
  float *v = malloc(CELLS * sizeof *v);
  if (!v) abort();
  for (int k = 0; k < CELLS; k++) v[k] = (float)value_at(frame, k % NX, k / NX);
  return v;
}

static double *frame_f64(int frame) {
  double *v = malloc(CELLS * sizeof *v);
  if (!v) abort();
  for (int k = 0; k < CELLS; k++) v[k] = value_at(frame, k % NX, k / NX);
  return v;
}

/* Chunk `name` as TILE*TILE values of `size` bytes each. */
static bool read_chunk(const char *name, void *values, size_t size) {
  size_t n;
  char *packed = slurp(name, &n);
  if (!packed) return false;
  uLongf bytes = (uLongf)(TILE * TILE * size);
  bool ok = uncompress(values, &bytes, (unsigned char *)packed, (uLong)n) == Z_OK;
  free(packed);
  return ok && bytes == TILE * TILE * size;
}

static bool same(double a, double b, double within) {
  return (isnan(a) && isnan(b)) || fabs(a - b) <= within;
}

/* Every chunk of a frame against the pattern; what lies outside the grid is NaN. */
static void check_frame(const char *field, int frame, int shift, size_t size, double within) {
  int bad = 0;
  for (int tj = 0; tj < 2; tj++)
    for (int ti = 0; ti < 3; ti++) {
      char name[64];
      float f[TILE * TILE];
      double d[TILE * TILE];
      snprintf(name, sizeof name, "%s/%d.%d.%d", field, frame, tj, ti);
      if (ti == 2 && tj == 1) {
        CHECK(missing(name)); /* nothing but NaN */
        continue;
      }
      if (!CHECK(read_chunk(name, size == 4 ? (void *)f : (void *)d, size))) continue;
      for (int k = 0; k < TILE * TILE; k++) {
        int i = ti * TILE + k % TILE, j = tj * TILE + k / TILE;
        double want = i < NX && j < NY ? value_at(frame + shift, i, j) : (double)NAN;
        if (size == 4) want = (double)(float)want;
        bad += !same(size == 4 ? (double)f[k] : d[k], want, within);
      }
    }
  CHECK_INT(bad, 0);
}

static void store_f32(ria_context *ctx) {
  const ria_zarr_field fields[] = {
      {.name = "level",
       .unit = "m",
       .long_name = "water \"level\"",
       .standard_name = "sea_surface_height"},
      {.name = "bed", .unit = "m", .fixed = true},
      {.name = "oil", .unit = "kg/m^3", .precision = 1e-3},
  };
  char path[256], precious[256];
  snprintf(path, sizeof path, "%s", in_dir("a.zarr"));
  snprintf(precious, sizeof precious, "%s", in_dir("precious"));
  ria_zarr_desc desc = {.path = path,
                        .title = "R\u00eda",
                        .epoch = "2026-03-01 00:00:00",
                        .crs = "EPSG:32629",
                        .grid = grid,
                        .real = RIA_F32,
                        .fields = fields,
                        .n_fields = 3,
                        .tile = TILE};
  ria_writer *w;
  ria_zarr *z;
  CHECK_OK(ctx, ria_writer_create(ctx, 3, 1 << 16, &w));
  CHECK_OK(ctx, ria_zarr_create(ctx, w, &desc, &z));
  holds("a.zarr/level/.zarray", "\"shape\": [0, 50, 70]");
  CHECK_OK(ctx, ria_zarr_put(z, 1, frame_f32(0)));
  for (int k = 0; k < FRAMES; k++) {
    void *values[3] = {frame_f32(k), NULL, frame_f32(k + 1)};
    CHECK_OK(ctx, ria_zarr_append(z, 600.0 * k, values));
  }
  CHECK_INT(ria_zarr_frames(z), FRAMES);
  ria_zarr_destroy(&z);
  CHECK(z == NULL);
  CHECK_OK(ctx, ria_writer_flush(w));

  holds("a.zarr/.zgroup", "{\n  \"zarr_format\": 2\n}\n");
  holds("a.zarr/.zattrs", "\"Conventions\": \"CF-1.10\",\n  \"title\": \"R\u00eda\"");
  holds("a.zarr/level/.zarray", "\"shape\": [12, 50, 70],\n  \"chunks\": [1, 32, 32],\n"
                                "  \"dtype\": \"<f4\",\n"
                                "  \"compressor\": {\"id\": \"zlib\", \"level\": 1},\n"
                                "  \"fill_value\": \"NaN\"");
  holds("a.zarr/level/.zattrs", "\"long_name\": \"water \\\"level\\\"\"");
  holds("a.zarr/level/.zattrs", "\"cell_methods\": \"area: mean time: point\"");
  holds("a.zarr/oil/.zattrs", "\"rounded_within\": 0.001");
  holds("a.zarr/oil/.zattrs",
        "\"_CRS\": {\"url\": \"http://www.opengis.net/def/crs/EPSG/0/32629\"}");
  holds("a.zarr/bed/.zarray", "\"shape\": [50, 70]");
  holds("a.zarr/time/.zattrs", "\"units\": \"seconds since 2026-03-01 00:00:00\"");
  holds("a.zarr/time/.zarray", "\"compressor\": null");
  holds("a.zarr/crs/.zattrs", "\"_ARRAY_DIMENSIONS\": []");
  holds("a.zarr/crs/.zattrs", "UTM zone 29N");
  holds("a.zarr/.zmetadata", "\"zarr_consolidated_format\": 1");
  holds("a.zarr/.zmetadata", "\"shape\": [12, 50, 70]");
  for (int k = 0; k < FRAMES; k++) check_frame("a.zarr/level", k, 0, 4, 0.0);
  for (int k = 0; k < FRAMES; k++) check_frame("a.zarr/oil", k, 1, 4, 1e-3);
  size_t n;
  double *t = (double *)(void *)slurp("a.zarr/time/0", &n);
  CHECK_INT(n, 1024 * 8);
  for (int k = 0; k < FRAMES; k++) CHECK_NEAR(t[k], 600.0 * k, 0.0);
  free(t);
  double *y = (double *)(void *)slurp("a.zarr/y/0", &n);
  CHECK_INT(n, NY * 8);
  CHECK_NEAR(y[0], 4.7e6 + 10, 0.0);
  CHECK_NEAR(y[NY - 1], 4.7e6 + 990, 0.0);
  free(y);

  /* an existing store is refused, or replaced when that is asked for; other things never */
  CHECK_STATUS(ctx, ria_zarr_create(ctx, w, &desc, &z), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "a.zarr' exists already");
  desc.overwrite = true;
  CHECK_OK(ctx, ria_zarr_create(ctx, w, &desc, &z));
  CHECK(missing("a.zarr/level/0.0.0"));
  ria_zarr_destroy(&z);
  CHECK_INT(ria_dir_make(precious, err, sizeof err), RIA_OK);
  desc.path = precious;
  CHECK_STATUS(ctx, ria_zarr_create(ctx, w, &desc, &z), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "precious' exists and is not a store");
  ria_writer_destroy(&w);
}

static void store_f64(ria_context *ctx) {
  const ria_zarr_field fields[] = {{.name = "level", .precision = 1e-3}};
  const ria_zarr_desc desc = {.path = in_dir("b.zarr"),
                              .grid = grid,
                              .real = RIA_F64,
                              .fields = fields,
                              .n_fields = 1,
                              .tile = TILE,
                              .level = 6};
  ria_writer *w;
  ria_zarr *z;
  CHECK_OK(ctx, ria_writer_create(ctx, 1, 0, &w));
  CHECK_OK(ctx, ria_zarr_create(ctx, w, &desc, &z));
  void *values[1] = {frame_f64(3)};
  CHECK_OK(ctx, ria_zarr_append(z, 0.0, values));
  CHECK_STATUS(ctx, ria_zarr_put(z, 0, frame_f64(3)), RIA_ERR_ARGUMENT);
  ria_zarr_destroy(&z);
  holds("b.zarr/level/.zarray", "\"dtype\": \"<f8\"");
  /* no epoch, no date: xarray reads "s" as plain numbers */
  holds("b.zarr/time/.zattrs",
        "\"standard_name\": \"time\",\n  \"long_name\": \"time since the start\",\n"
        "  \"units\": \"s\",\n  \"axis\": \"T\"\n}\n");
  CHECK(missing("b.zarr/crs"));
  double d[TILE * TILE];
  CHECK(read_chunk("b.zarr/level/0.1.0", d, 8));
  double worst = 0.0;
  for (int k = 0; k < TILE * TILE && 32 + k / TILE < NY; k++) {
    double want = value_at(3, k % TILE, 32 + k / TILE);
    CHECK(isnan(want) == isnan(d[k]));
    worst = fmax(worst, fabs(d[k] - want));
  }
  CHECK(worst <= 1e-3 && worst > 1e-4);
  ria_writer_destroy(&w);
}

/* Without compression a chunk is its values. */
static void store_raw(ria_context *ctx) {
  const ria_zarr_field fields[] = {{.name = "level"}};
  ria_zarr_desc desc = {.path = in_dir("raw.zarr"),
                        .grid = grid,
                        .real = RIA_F32,
                        .fields = fields,
                        .n_fields = 1,
                        .tile = TILE,
                        .level = -1};
  ria_writer *w;
  ria_zarr *z = NULL;
  CHECK_OK(ctx, ria_writer_create(ctx, 2, 0, &w));
  CHECK_OK(ctx, ria_zarr_create(ctx, w, &desc, &z));
  CHECK_OK(ctx, ria_zarr_append(z, 0.0, (void *[]){frame_f32(5)}));
  ria_zarr_destroy(&z);
  holds("raw.zarr/level/.zarray", "\"compressor\": null,");
  int bad = 0;
  for (int part = 0; part < 5; part++) { /* the sixth has no values */
    char name[64];
    size_t n = 0;
    snprintf(name, sizeof name, "raw.zarr/level/0.%d.%d", part / 3, part % 3);
    float *v = (float *)(void *)slurp(name, &n);
    if (!CHECK_INT(n, TILE * TILE * sizeof *v)) continue;
    for (int k = 0; k < TILE * TILE; k++) {
      const int i = part % 3 * TILE + k % TILE, j = part / 3 * TILE + k / TILE;
      const double want = i < NX && j < NY ? (double)(float)value_at(5, i, j) : (double)NAN;
      bad += !same((double)v[k], want, 0.0);
    }
    free(v);
  }
  CHECK_INT(bad, 0);
  CHECK(missing("raw.zarr/level/0.1.2"));
  desc.level = -2;
  CHECK_STATUS(ctx, ria_zarr_create(ctx, w, &desc, &z), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "level is -2, but must be 0 (the default, 1) to 9, or -1");
  ria_writer_destroy(&w);
}

/* Maxima: no time at all; a second version replaces the first, also where it has no values. */
static void store_fixed(ria_context *ctx) {
  const ria_zarr_field fields[] = {{.name = "a", .fixed = true}, {.name = "b", .fixed = true}};
  const ria_zarr_desc desc = {
      .path = in_dir("c.zarr"), .grid = grid, .real = RIA_F32, .fields = fields, .n_fields = 2};
  ria_writer *w;
  ria_zarr *z;
  CHECK_OK(ctx, ria_writer_create(ctx, 2, 1 << 20, &w));
  CHECK_OK(ctx, ria_zarr_create(ctx, w, &desc, &z));
  CHECK(missing("c.zarr/time"));
  holds("c.zarr/a/.zarray", "\"chunks\": [50, 70]");
  CHECK_OK(ctx, ria_zarr_put(z, 0, frame_f32(0)));
  CHECK_OK(ctx, ria_writer_flush(w));
  CHECK(!missing("c.zarr/a/0.0"));
  float *nothing = frame_f32(0);
  for (int k = 0; k < CELLS; k++) nothing[k] = NAN;
  CHECK_OK(ctx, ria_zarr_put(z, 0, nothing));
  CHECK_OK(ctx, ria_writer_flush(w));
  CHECK(missing("c.zarr/a/0.0"));
  void *values[2] = {NULL, NULL};
  CHECK_STATUS(ctx, ria_zarr_append(z, 0.0, values), RIA_ERR_ARGUMENT);
  ria_zarr_destroy(&z);
  ria_writer_destroy(&w);
}

/* When the disk fills up the store goes on showing the frames that were whole. */
static void full_disk(ria_context *ctx) {
  const ria_zarr_field fields[] = {{.name = "level"}};
  const ria_zarr_desc desc = {
      .path = in_dir("d.zarr"), .grid = grid, .real = RIA_F64, .fields = fields, .n_fields = 1};
  ria_writer *w;
  ria_zarr *z;
  CHECK_OK(ctx, ria_writer_create(ctx, 2, 1 << 20, &w));
  CHECK_OK(ctx, ria_zarr_create(ctx, w, &desc, &z));
  for (int k = 0; k < 2; k++) {
    void *values[1] = {frame_f64(k)};
    CHECK_OK(ctx, ria_zarr_append(z, k, values));
  }
  CHECK_OK(ctx, ria_writer_flush(w));
  struct rlimit limit, small = {.rlim_cur = 2000};
  getrlimit(RLIMIT_FSIZE, &limit);
  small.rlim_max = limit.rlim_max;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  for (int k = 2; k < 6; k++) {
    void *values[1] = {frame_f64(k)};
    (void)ria_zarr_append(z, k, values);
  }
  ria_status s = ria_writer_flush(w);
  setrlimit(RLIMIT_FSIZE, &limit);
  CHECK_INT(s, RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "d.zarr/level/");
  CHECK_HOLDS(ria_error(ctx), "File too large");
  holds("d.zarr/level/.zarray", "\"shape\": [2, 50, 70]");
  CHECK(missing("d.zarr/level/2.0.0"));
  ria_zarr_destroy(&z);
  ria_writer_destroy(&w);
}

static void wrong_descriptions(ria_context *ctx) {
  const ria_zarr_field field = {.name = "level", .precision = -1};
  ria_zarr_desc desc = {.path = in_dir("e.zarr"), .grid = grid, .fields = &field, .n_fields = 1};
  ria_writer *w;
  ria_zarr *z;
  CHECK_OK(ctx, ria_writer_create(ctx, 1, 0, &w));
  CHECK_STATUS(ctx, ria_zarr_create(ctx, w, &desc, &z), RIA_ERR_ARGUMENT);
  CHECK_TEXT(ria_error(ctx), "precision of 'level' must be 0 (exact) or more");
  desc.level = 10;
  CHECK_STATUS(ctx, ria_zarr_create(ctx, w, &desc, &z), RIA_ERR_ARGUMENT);
  CHECK_TEXT(ria_error(ctx),
             "level is 10, but must be 0 (the default, 1) to 9, or -1 for no compression");
  desc.n_fields = 0;
  CHECK_STATUS(ctx, ria_zarr_create(ctx, w, &desc, &z), RIA_ERR_ARGUMENT);
  CHECK(z == NULL && missing("e.zarr"));
  ria_writer_destroy(&w);
}

static void rounding(void) {
  float f[4] = {1.0004f, -0.0001f, NAN, 1e30f}, g[4];
  CHECK(ria_round_f32(g, f, 4, 1e-3));
  CHECK_NEAR(g[0], f[0], 1e-3);
  CHECK(g[1] == 0.0f && !signbit(g[1]));
  CHECK(isnan(g[2]));
  CHECK(g[3] == 1e30f);
  CHECK(ria_round_f32(g, f, 4, 0.0) && g[0] == f[0] && g[1] == f[1]);
  CHECK(!ria_round_f32(g, f + 2, 1, 1e-3));
  CHECK(!ria_round_f32(g, f, 0, 1e-3));
  uint32_t x = 1;
  for (int k = 0; k < 100000; k++) {
    x = x * 1664525u + 1013904223u;
    double v = ldexp((double)(int32_t)x / 2147483648.0, k % 40 - 15), p = ldexp(1.1, -(k % 13)), r;
    float vf = (float)v, rf;
    CHECK(ria_round_f64(&r, &v, 1, p) && fabs(r - v) <= p);
    CHECK(ria_round_f32(&rf, &vf, 1, p) && fabs((double)rf - (double)vf) <= p);
    double q = 2.0 * p / 1.1; /* the power of two that it rounds to multiples of */
    CHECK(fabs(v / q) > 1e9 || r / q == rint(r / q));
  }
}

static void systems(void) {
  ria_buffer b = {0};
  CHECK(!ria_crs_given(NULL) && !ria_crs_given(""));
  CHECK(ria_crs_geographic("EPSG:4326") && !ria_crs_geographic("EPSG:32629"));
  ria_crs_attributes("EPSG:32729", &b);
  ria_buffer_add(&b, "", 1);
  CHECK_HOLDS(b.data, "\"false_northing\": 10000000.0");
  b.n = 0;
  ria_crs_attributes("EPSG:3035", &b);
  ria_buffer_add(&b, "", 1);
  CHECK_TEXT(b.data, "\"spatial_ref\": \"EPSG:3035\"");
  b.n = 0;
  ria_crs_gdal("LOCAL_CS[\"basin\"]", &b);
  ria_buffer_add(&b, "", 1);
  CHECK_TEXT(b.data, "{\"wkt\": \"LOCAL_CS[\\\"basin\\\"]\"}");
  b.n = 0;
  ria_buffer_json(&b, "a\tb\xff\x01 \xe2\x88\x92");
  ria_buffer_add(&b, "", 1);
  CHECK_TEXT(b.data, "\"a\\u0009b?\\u0001 \xe2\x88\x92\"");
  ria_buffer_free(&b);
}

int main(void) {
  ria_context *ctx;
  if (!CHECK(mkdtemp(dir) != NULL)) return TEST_END();
  if (!CHECK(ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx) == RIA_OK))
    return TEST_END();
  rounding();
  systems();
  store_f32(ctx);
  store_f64(ctx);
  store_raw(ctx);
  store_fixed(ctx);
  full_disk(ctx);
  wrong_descriptions(ctx);
  ria_context_destroy(&ctx);
  CHECK_INT(ria_tree_remove(dir, err, sizeof err), RIA_OK);
  return TEST_END();
}
