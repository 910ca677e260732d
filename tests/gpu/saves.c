/* Saves that the device packs hold the bits of those that the host packs (RIA_CUDA_PACK=off), and
 * are the same bytes every time: in single and double precision, rounded and exact, with tiles that
 * divide the grid and such that do not, with land, noise and numbers of every size.
 * RIA_TEST_DEVICE: "cuda" unless set; on the CPU both are the host's. */
#include "device.h"
#include "files.h"
#include <ria/ria.h>

typedef enum kind { SMOOTH, LAND, NOISE, EVERY_SIZE, KINDS } kind;

typedef struct save_case {
  const char *solver; /* its states are planes, or vectors */
  int nx, ny, tile;
  ria_real real;
  double precision;
  kind kind;
} save_case;

static uint64_t noise = 1;

static double uniform(void) { return files_random(&noise) / 2147483648.0; }

/* Bed (10 m below to 10 m above the level) or whatever diffuses. */
static double value_of(kind kind, int i, int j) {
  const double wave = sin(0.02 * i + 0.007 * j) + cos(0.013 * j);
  switch (kind) {
  case SMOOTH:
    return -5 + wave;
  case LAND:
    return i + j > 300 ? 10 : -5 + wave;
  case NOISE:
    return -5 + uniform();
  default:
    return (uniform() - 0.5) * pow(10, 40 * uniform() - 34);
  }
}

static ria_sim *make(ria_context *ctx, const save_case *c, const char *out) {
  const ria_sim_desc desc = {.solver = c->solver,
                             .grid = {c->nx, c->ny, 50, 50, 0, 0, 0},
                             .precision = c->real,
                             .out = files_path(out)};
  const bool water = strcmp(c->solver, "shallow_water") == 0;
  double *v = malloc((size_t)c->nx * (size_t)c->ny * sizeof *v);
  ria_sim *sim = NULL;
  if (!v || !CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim))) exit(1);
  noise = 1;
  for (int j = 0; j < c->ny; j++)
    for (int i = 0; i < c->nx; i++)
      v[(size_t)j * (size_t)c->nx + (size_t)i] = value_of(c->kind, i, j);
  CHECK_OK(ctx, ria_sim_set(sim, water ? "bed" : "u", v));
  if (water) CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0));
  free(v);
  return sim;
}

enum { TIMES = 3 }; /* saves of each field that changes */

static const char *const water_fields[] = {"bed", "level", "qx"}, *const heat_fields[] = {"u"};

static const char *const *fields_of(const save_case *c, size_t *n) {
  const bool water = strcmp(c->solver, "shallow_water") == 0;
  *n = water ? 3 : 1;
  return water ? water_fields : heat_fields;
}

static void run(ria_context *ctx, const save_case *c, const char *out) {
  ria_sim *sim = make(ctx, c, out);
  ria_save_desc desc = {.tile = c->tile, .precision = c->precision};
  ria_action save;
  desc.fields = fields_of(c, &desc.n_fields);
  CHECK_OK(ctx, ria_save_action(sim, &desc, &save));
  CHECK_OK(ctx, ria_sim_every(sim, 1.0, 0.0, 0.0, &save, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, TIMES - 1));
  ria_sim_destroy(&sim);
}

/* --- chunks ----------------------------------------------------------------------------------- */

typedef struct bytes {
  unsigned char *at; /* NULL: no such file */
  size_t n;
} bytes;

static bytes slurp(const char *out, const char *chunk) {
  char path[512];
  bytes b = {NULL, 0};
  snprintf(path, sizeof path, "%s/%s/fields.zarr/%s", files_dir, out, chunk);
  FILE *f = fopen(path, "rb");
  if (!f) return b;
  fseek(f, 0, SEEK_END);
  b.n = (size_t)ftell(f);
  rewind(f);
  b.at = malloc(b.n + 1);
  if (!b.at || fread(b.at, 1, b.n, f) != b.n) exit(1);
  fclose(f);
  return b;
}

static bytes inflated(const bytes *b, size_t size) {
  bytes out = {malloc(size + 1), 0};
  uLongf got = size + 1;
  uLong used = b->n;
  if (!out.at) exit(1);
  CHECK_INT(uncompress2(out.at, &got, b->at, &used), Z_OK);
  CHECK(used == b->n && got == size);
  out.n = got;
  return out;
}

static bool same(const bytes *a, const bytes *b) {
  return a->n == b->n && (a->n == 0 || memcmp(a->at, b->at, a->n) == 0);
}

static int differing; /* chunks that device and host packed differently */

static bool compare_chunk(const char *chunk, size_t size) {
  bytes device = slurp("device", chunk), again = slurp("again", chunk), host = slurp("host", chunk);
  bool well = same(&device, &again) && !device.at == !host.at;
  differing += !same(&device, &host);
  if (well && host.at) {
    bytes a = inflated(&device, size), b = inflated(&host, size);
    well = same(&a, &b);
    free(a.at);
    free(b.at);
  }
  free(device.at);
  free(again.at);
  free(host.at);
  return well;
}

static int at_most(int a, int b) { return a < b ? a : b; }

static void compare(const save_case *c) {
  const int edge = c->tile ? c->tile : 512, w = at_most(edge, c->nx), h = at_most(edge, c->ny);
  const size_t size = (size_t)w * (size_t)h * (c->real == RIA_F32 ? 4 : 8);
  int wrong = 0;
  size_t n = 0;
  const char *const *field = fields_of(c, &n);
  for (size_t f = 0; f < n; f++)
    for (int j = 0; j * h < c->ny; j++)
      for (int i = 0; i * w < c->nx; i++)
        for (int t = 0; t < TIMES; t++) {
          char chunk[64];
          if (strcmp(field[f], "bed") == 0)
            snprintf(chunk, sizeof chunk, "bed/%d.%d", j, i);
          else
            snprintf(chunk, sizeof chunk, "%s/%d.%d.%d", field[f], t, j, i);
          wrong += !compare_chunk(chunk, size);
        }
  if (!CHECK_INT(wrong, 0))
    fprintf(stderr, "  %s, %d x %d, tiles of %d, %s, to %g, kind %d\n", c->solver, c->nx, c->ny,
            c->tile, c->real == RIA_F32 ? "single" : "double", c->precision, (int)c->kind);
}

static ria_context *context_with(const char *packing) {
  setenv("RIA_CUDA_PACK", packing, 1);
  ria_context *ctx = test_context(test_setting("RIA_TEST_DEVICE", "cuda"), 4);
  unsetenv("RIA_CUDA_PACK");
  return ctx;
}

/* As many parts as there are rows, at most. */
static ria_context *in_parts(const save_case *c) {
  const int drawn = 2 + (c->nx + (int)c->kind) % 6, most = c->ny < drawn ? c->ny : drawn;
  const char *device = test_setting("RIA_TEST_DEVICE", "cuda");
  test_parts = most > 1 ? most : 0;
  ria_context *ctx =
      test_context(test_parts ? test_setting("RIA_TEST_SEVERAL", device) : device, 4);
  test_parts = 0;
  return ctx;
}

/* Again with the grid in parts. */
static void one(ria_context *packs, ria_context *plain, const save_case *c) {
  char err[RIA_ERR_TEXT];
  ria_context *parts = in_parts(c);
  run(packs, c, "device");
  run(parts, c, "again");
  ria_context_destroy(&parts);
  run(plain, c, "host");
  compare(c);
  CHECK(ria_tree_remove(files_path("device"), err, sizeof err) == RIA_OK);
  CHECK(ria_tree_remove(files_path("again"), err, sizeof err) == RIA_OK);
  CHECK(ria_tree_remove(files_path("host"), err, sizeof err) == RIA_OK);
}

int main(void) {
  static const int size[][3] = {/* nx, ny, tile */ {1, 1, 0},
                                {70, 50, 33},
                                {130, 67, 64},
                                {257, 300, 129},
                                {700, 513, 0},
                                {2000, 40, 0},
                                {40, 2000, 1000},
                                {1100, 530, 200},
                                {1200, 700, 27}, /* more tiles than a block lays out at once */
                                {1200, 700, 900},
                                {1700, 1500, 1700}}; /* a tile of more runs than JOIN threads */
  const int sizes = test_is_traced() ? 2 : test_is_short() ? 5 : (int)(sizeof size / sizeof *size);
  ria_context *packs = context_with("on"), *plain = context_with("off");
  files_begin();
  for (int k = 0; k < sizes; k++)
    for (int m = 0; m < 4 * KINDS; m++) {
      const save_case c = {.solver = (m + k) % 3 ? "shallow_water" : "diffusion",
                           .nx = size[k][0],
                           .ny = size[k][1],
                           .tile = size[k][2],
                           .real = m % 2 ? RIA_F32 : RIA_F64,
                           .precision = m / 2 % 2 ? 1e-3 : 0,
                           .kind = (kind)(m / 4)};
      /* Beds of every size are not for water: only a field that stays as it is. */
      if (c.kind == EVERY_SIZE && strcmp(c.solver, "shallow_water") == 0) continue;
      const bool is_slow = size[k][2] > 1000;
      if (m % (test_is_traced() ? 7 : test_is_short() ? 3 : is_slow ? 5 : 1)) continue;
      one(packs, plain, &c);
    }
  const bool cuda = strcmp(test_setting("RIA_TEST_DEVICE", "cuda"), "cpu") != 0;
  printf("chunks that device and host packed differently: %d\n", differing);
  CHECK(cuda ? differing > 0 : differing == 0);
  files_end();
  ria_context_destroy(&packs);
  ria_context_destroy(&plain);
  return TEST_END();
}
