/* tests/unit/store.c - a store that is read and has something wrong in it, each thing told by the
 * array that has it; and axes in any of the types that others write. */
#include "files.h"
#include "toy.h"
#include "io/store.h"

static ria_context *ctx;
static char at[512]; /* the store */

static const char *in_store(const char *name) {
  static char path[600];
  snprintf(path, sizeof path, "%s/%s", at, name);
  return path;
}

/* The store of a run: times 0, 10, 20 s, level of 4 x 6 cells, the bed of one time. */
static void make_store(void) {
  static const char *const fields[] = {"level", "bed"};
  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path("run"));
  ria_action save;
  CHECK_OK(ctx, ria_save_action(sim, &(ria_save_desc){.fields = fields, .n_fields = 2}, &save));
  CHECK_OK(ctx, ria_sim_every(sim, 10, 0, 0, &save, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 20));
  ria_sim_destroy(&sim);
  snprintf(at, sizeof at, "%s", files_path("run/fields.zarr"));
}

static void put(const char *name, const void *data, size_t n) {
  FILE *f = fopen(in_store(name), "wb");
  if (!CHECK(f) || !CHECK(fwrite(data, 1, n, f) == n)) abort();
  fclose(f);
}

/* The file's text with `from` as `to`; what it was into `was`, its length returned. */
static size_t change(const char *name, const char *from, const char *to, char was[4096]) {
  char text[4096];
  FILE *f = fopen(in_store(name), "rb");
  if (!CHECK(f)) abort();
  const size_t n = fread(was, 1, 4095, f);
  fclose(f);
  was[n] = '\0';
  const char *found = strstr(was, from);
  if (!CHECK(found)) abort();
  const int before = (int)(found - was);
  snprintf(text, sizeof text, "%.*s%s%s", before, was, to, found + strlen(from));
  put(name, text, strlen(text));
  return n;
}

static const struct {
  const char *file, *from, *to, *expected;
} wrong[] = {
    {"x/.zattrs", "\"m\"", "\"km\"", "x: it is not in m"},
    {"x/.zarray", "<f8", "<c8", "x: it is not a line of numbers"},
    {"x/.zarray", "[6]", "[6, 1]", "x: "},
    {"x/.zarray", "\"chunks\": [6]", "\"chunks\": [999999999]",
     "x: its chunks are larger than any that ria writes"},
    {"x/.zarray", "\"shape\": [6]", "\"shape\": [7]", "x: a chunk of it is missing"},
    {"time/.zattrs", "\"s\"", "\"m\"",
     "time: it is neither in s nor in seconds, minutes, hours or days since a date"},
    {"time/.zattrs", "\"s\"", "\"fortnights since 2026-01-01\"",
     "time: it is neither in s nor in seconds, minutes, hours or days since a date"},
    {"time/.zattrs", "\"s\"", "\"days since yesterday\"", "time: units"},
    {"time/.zarray", "[3]", "[0]", "time: there is no frame yet"},
    {"level/.zarray", "[3, 4, 6]", "[2, 4, 6]", "level: its shape is not that of time, y and x"},
    {"level/.zarray", "[3, 4, 6]", "[3, 5, 6]", "level: its shape is not that of time, y and x"},
    {"level/.zarray", "[3, 4, 6]", "[3, 4, 5]", "level: its shape is not that of time, y and x"},
    {"level/.zarray", "[1, 4, 6]", "[3, 4, 6]",
     "level: its chunks are not tiles of one time, of floats or doubles"},
    {"level/.zarray", "[1, 4, 6]", "[1, 99999, 99999]",
     "level: its chunks are not tiles of one time, of floats or doubles"},
    {"level/.zarray", "<f8", "<i8",
     "level: its chunks are not tiles of one time, of floats or doubles"},
    {"level/.zarray", "{", "[", "level: its .zarray is not JSON"},
    {".zattrs", "\"title\"", "\"grid_angle\": 200, \"title\"",
     ".: its grid_angle and affine cannot be read"},
    {".zattrs", "\"title\"", "\"affine\": 3, \"title\"",
     ".: its grid_angle and affine cannot be read"},
};

static void opens(bool well, const char *expected) {
  ria_store *s = NULL;
  const ria_status got = ria_store_open(ctx, at, &s);
  CHECK_STATUS(ctx, got, well ? RIA_OK : RIA_ERR_INPUT);
  if (!well) CHECK_HOLDS(ria_error(ctx), expected);
  if (s) {
    const ria_grid *g = ria_store_grid(s);
    CHECK(g->nx == 6 && g->ny == 4 && g->dx == 10 && g->dy == 10 && g->x0 == 100 && g->y0 == 200);
  }
  ria_store_close(&s);
}

static void told(void) {
  char was[4096];
  opens(true, "");
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    const size_t n = change(wrong[k].file, wrong[k].from, wrong[k].to, was);
    const int before = test_failures;
    opens(false, wrong[k].expected);
    if (test_failures > before) fprintf(stderr, "  %s: %s\n", wrong[k].file, wrong[k].to);
    put(wrong[k].file, was, n);
  }
  opens(true, "");
}

/* x in the types of others, and a value that is none. */
static void types(void) {
  char was[4096];
  double d[6], bad[6];
  float f[6];
  int32_t i[6];
  int64_t l[6];
  for (int k = 0; k < 6; k++) {
    d[k] = bad[k] = 105 + 10 * k;
    f[k] = (float)d[k], i[k] = (int32_t)d[k], l[k] = (int64_t)d[k];
  }
  bad[3] = NAN;
  const struct {
    const char *type;
    const void *v;
    size_t n;
  } of[] = {{"<f4", f, sizeof f}, {"<i4", i, sizeof i}, {"<i8", l, sizeof l}};
  for (int k = 0; k < 3; k++) {
    const size_t n = change("x/.zarray", "<f8", of[k].type, was);
    put("x/0", of[k].v, of[k].n);
    opens(true, "");
    put("x/.zarray", was, n);
  }
  put("x/0", bad, sizeof bad);
  opens(false, "x: it has a value that is not a number");
  put("x/0", d, sizeof d);
  opens(true, "");
}

int main(void) {
  files_begin();
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu", .threads = 1}, &ctx));
  make_store();
  told();
  types();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
