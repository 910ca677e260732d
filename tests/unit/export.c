/* unit.export: stored fields in other formats hold the bits of the store; a reader of netCDF that
 * shares nothing with the writer says so. What fails leaves nothing, and what was there as it was.
 *
 *   unit.export DIR    leave DIR/cdf5.nc, of which tests/cli/export.sh asks others */
#include "export/job.h"
#include "files.h"
#include "io/zarr.h"
#include "refuse.h"
#include "test.h"

#include <dirent.h>
#include <math.h>
#include <ria/export.h>
#include <ria/limit.h>
#include <sys/stat.h>

enum { NX = 37, NY = 23, TILE = 16, CELLS = NX * NY, FRAMES = 3 };

static const ria_grid upright = {.nx = NX, .ny = NY, .dx = 25, .dy = 20, .x0 = 5e5, .y0 = 4.7e6};

static double value_at(int field, int frame, int i, int j) {
  if ((i > 32 && j > 15) || (i + 3 * j + frame) % 11 == 0) return (double)NAN;
  return field + sin(0.1 * i + frame) * cos(0.07 * j) + 1e-4 * ((i * 7919 + j * 104729) % 101);
}

static void *values_of(ria_real real, int field, int frame) {
  double *v = malloc(CELLS * sizeof *v);
  if (!v) abort();
  for (int k = 0; k < CELLS; k++) {
    const double d = value_at(field, frame, k % NX, k / NX);
    if (real == RIA_F32)
      ((float *)(void *)v)[k] = (float)d;
    else
      v[k] = d;
  }
  return v;
}

/* level (0) and oil (1) in time, bed (2) once; without frames the bed alone. */
static void make_store(ria_context *ctx, const char *path, ria_real real, const ria_grid *grid,
                       bool dated, bool timed) {
  const ria_zarr_field fields[] = {
      {.name = "level", .unit = "m", .long_name = "water \"level\" & more"},
      {.name = "oil", .unit = "kg m-3"},
      {.name = "bed", .unit = "m", .fixed = true}};
  const ria_zarr_desc desc = {.path = path,
                              .title = "R\u00eda",
                              .epoch = dated ? "2026-03-01 00:00:00" : NULL,
                              .crs = dated ? "EPSG:32629" : NULL,
                              .grid = *grid,
                              .real = real,
                              .fields = timed ? fields : fields + 2,
                              .n_fields = timed ? 3 : 1,
                              .tile = TILE};
  ria_writer *w;
  ria_zarr *z;
  CHECK_OK(ctx, ria_writer_create(ctx, 2, 1 << 16, &w));
  CHECK_OK(ctx, ria_zarr_create(ctx, w, &desc, &z));
  CHECK_OK(ctx, ria_zarr_put(z, timed ? 2 : 0, values_of(real, 2, 0)));
  for (int k = 0; timed && k < FRAMES; k++) {
    void *values[3] = {values_of(real, 0, k), values_of(real, 1, k), NULL};
    CHECK_OK(ctx, ria_zarr_append(z, 600.0 * k + 0.1, values));
  }
  ria_zarr_destroy(&z);
  ria_writer_destroy(&w);
}

/* --- netCDF ----------------------------------------------------------------------------------- */

static unsigned char *slurp(const char *path, size_t *n) {
  FILE *f = fopen(path, "rb");
  unsigned char *text = calloc(1, 1 << 22);
  if (!text) abort();
  *n = f ? fread(text, 1, (1 << 22) - 1, f) : 0;
  if (f) fclose(f);
  return text;
}

typedef struct cdf {
  unsigned char *data;
  size_t n, at;
  int version;
  uint64_t records, record, length[3]; /* bytes of a record; of dimensions, the first 0: records */
  size_t dims;
} cdf;

static uint64_t take(cdf *c, int bytes) {
  uint64_t v = 0;
  if (!CHECK(c->at + (size_t)bytes <= c->n)) return 0;
  for (int k = 0; k < bytes; k++) v = v << 8 | c->data[c->at++];
  return v;
}

static uint64_t take_count(cdf *c) { return take(c, c->version == 5 ? 8 : 4); }

static void take_name(cdf *c, char name[64]) {
  const uint64_t n = take_count(c);
  if (!CHECK(n < 64 && c->at + n <= c->n)) return;
  memcpy(name, c->data + c->at, n);
  name[n] = '\0';
  c->at += (n + 3) / 4 * 4;
}

/* A list of attributes; the text of `key`, or the bytes of its numbers. */
static void take_attributes(cdf *c, const char *key, char text[256]) {
  const uint64_t tag = take(c, 4), n = take_count(c);
  *text = '\0';
  CHECK(tag == 12 || (tag == 0 && n == 0));
  for (uint64_t k = 0; k < n; k++) {
    char name[64] = "";
    take_name(c, name);
    const uint64_t type = take(c, 4), count = take_count(c),
                   bytes = count * (type == 2   ? 1
                                    : type == 6 ? 8
                                                : 4);
    if (!CHECK(c->at + bytes <= c->n)) return;
    if (strcmp(name, key) == 0 && bytes < 256) {
      memcpy(text, c->data + c->at, bytes);
      text[bytes] = '\0';
    }
    c->at += (bytes + 3) / 4 * 4;
  }
}

typedef struct cdf_var {
  char name[64], unit[256];
  uint64_t type, size, begin, dim[3];
  uint64_t dims;
} cdf_var;

static const char *const dim_names[] = {"time", "y", "x"};

static void open_cdf(cdf *c, const char *path, char title[256]) {
  c->data = slurp(path, &c->n);
  c->at = 4;
  CHECK(c->n > 4 && memcmp(c->data, "CDF", 3) == 0);
  c->version = c->data[3];
  c->records = take_count(c);
  CHECK_INT(take(c, 4), 10);
  c->dims = (size_t)take_count(c);
  for (size_t k = 0; k < c->dims && k < 3; k++) {
    char name[64] = "";
    take_name(c, name);
    CHECK_TEXT(name, dim_names[k + 3 - c->dims]);
    c->length[k] = take_count(c);
  }
  take_attributes(c, "title", title);
}

static cdf_var take_var(cdf *c, const char *key) {
  cdf_var v = {0};
  take_name(c, v.name);
  v.dims = take_count(c);
  for (uint64_t k = 0; k < v.dims && k < 3; k++) v.dim[k] = take_count(c);
  take_attributes(c, key, v.unit);
  v.type = take(c, 4);
  v.size = take_count(c);
  v.begin = take(c, 8);
  return v;
}

static double number_of(const unsigned char *at, int bytes) {
  uint64_t bits = 0;
  double d;
  float f;
  for (int k = 0; k < bytes; k++) bits = bits << 8 | at[k];
  const uint32_t word = (uint32_t)bits;
  memcpy(&d, &bits, 8);
  memcpy(&f, &word, 4);
  return bytes == 8 ? d : (double)f;
}

static bool same(double a, double b) { return (isnan(a) && isnan(b)) || a == b; }

static int wrong_values(const unsigned char *at, ria_real real, int field, int frame) {
  const int bytes = real == RIA_F32 ? 4 : 8;
  int bad = 0;
  for (int k = 0; k < CELLS; k++) {
    double want = value_at(field, frame, k % NX, k / NX);
    if (real == RIA_F32) want = (double)(float)want;
    bad += !same(number_of(at + k * bytes, bytes), want);
  }
  return bad;
}

/* Every value of the fields against the pattern; variables lie one behind the other. */
static void check_cdf(const char *path, int version, ria_real real, bool timed) {
  cdf c = {0};
  char title[256];
  open_cdf(&c, path, title);
  CHECK_INT(c.version, version);
  CHECK_TEXT(title, "R\u00eda");
  CHECK_INT(c.records, timed ? FRAMES : 0);
  CHECK_INT(c.length[c.dims - 2], NY);
  CHECK_INT(c.length[c.dims - 1], NX);
  CHECK_INT(take(&c, 4), 11);
  const uint64_t n = take_count(&c);
  cdf_var var[16];
  uint64_t record = 0, next = 0;
  for (uint64_t k = 0; k < n && k < 16; k++) {
    var[k] = take_var(&c, "units");
    const bool runs = timed && var[k].dims && var[k].dim[0] == 0;
    if (runs) record += var[k].size;
    if (k) CHECK_INT(var[k].begin, next);
    next = var[k].begin + var[k].size;
  }
  CHECK_INT(c.at, var[0].begin);
  CHECK_INT(c.n, next + (timed ? (FRAMES - 1) * record : 0));
  int seen = 0;
  for (uint64_t k = 0; k < n && k < 16; k++) {
    static const char *const names[] = {"level", "oil", "bed"};
    for (int f = 0; f < 3; f++)
      for (int t = 0; strcmp(var[k].name, names[f]) == 0 && t < (f < 2 ? FRAMES : 1); t++, seen++) {
        CHECK_TEXT(var[k].unit, f == 1 ? "kg m-3" : "m");
        CHECK_INT(var[k].type, real == RIA_F32 ? 5 : 6);
        CHECK_INT(
            wrong_values(c.data + var[k].begin + (uint64_t)t * record, real, f, f < 2 ? t : 0), 0);
      }
    for (int t = 0; strcmp(var[k].name, "time") == 0 && t < FRAMES; t++, seen++)
      CHECK(number_of(c.data + var[k].begin + (uint64_t)t * record, 8) == 600.0 * t + 0.1);
  }
  CHECK_INT(seen, timed ? 3 * FRAMES + 1 : 1);
  free(c.data);
}

/* As a grid of 4 GiB a frame would have it. */
static void write_cdf5(ria_context *ctx, const char *store, const char *path) {
  const ria_export_desc desc = {.from = store};
  ria_export_job job = {.ctx = ctx, .desc = &desc, .path = path};
  CHECK_OK(ctx, ria_store_open_as(ctx, store, &(ria_store_how){.timeless = true, .zarr = true},
                                  &job.store));
  CHECK_OK(ctx, ria_export_pick(&job));
  ria_buffer_text(&job.crs, "EPSG:32629");
  ria_buffer_add(&job.crs, "", 1);
  CHECK_OK(ctx, ria_export_netcdf_as(&job, 5));
  ria_export_free(&job);
}

/* --- what others say of it -------------------------------------------------------------------- */

static void check_vti(const char *path, ria_real real, int frame) {
  size_t n;
  unsigned char *data = slurp(path, &n);
  const char *raw = strstr((char *)data, "encoding=\"raw\">\n_");
  const size_t bytes = real == RIA_F32 ? 4 : 8;
  CHECK_HOLDS((char *)data, "Origin=\"500000 4700000 0\" Spacing=\"25 20 1\"");
  if (CHECK(raw != NULL)) {
    const unsigned char *at = (const unsigned char *)raw + strlen("encoding=\"raw\">\n_");
    for (int f = 0; f < 3; f++) { /* bed, level, oil */
      int bad = 0;
      uint64_t count;
      memcpy(&count, at, 8);
      CHECK_INT(count, bytes * CELLS);
      for (int k = 0; k < CELLS; k++) {
        float single;
        double v, want = value_at((f + 2) % 3, f ? frame : 0, k % NX, k / NX);
        memcpy(&v, at + 8 + 8 * (size_t)k * (bytes == 8), 8);
        memcpy(&single, at + 8 + 4 * (size_t)k, 4);
        bad += bytes == 8 ? !same(v, want) : !same((double)single, (double)(float)want);
      }
      CHECK_INT(bad, 0);
      at += 8 + bytes * CELLS;
    }
    CHECK(memcmp(at, "\n  </AppendedData>", 17) == 0);
  }
  free(data);
}

static int files_in(const char *path) {
  int n = 0;
  DIR *dir = opendir(path);
  for (const struct dirent *e; dir && (e = readdir(dir));) n += strcmp(e->d_name, ".") != 0;
  if (dir) closedir(dir);
  return n - 1; /* .. */
}

/* A damaged chunk in the last frame: what was there stays, and no half of a file. */
static void damaged(ria_context *ctx, const char *store) {
  char chunk[400], nc[400], out[400];
  snprintf(out, sizeof out, "%s/broken", files_dir);
  snprintf(nc, sizeof nc, "%.300s/old.nc", out);
  snprintf(chunk, sizeof chunk, "%.300s/oil/2.0.0", store);
  CHECK(mkdir(out, 0777) == 0);
  FILE *f = fopen(nc, "w");
  CHECK(f && fputs("old", f) >= 0 && fclose(f) == 0);
  f = fopen(chunk, "w");
  CHECK(f && fputs("damage", f) >= 0 && fclose(f) == 0);
  CHECK_STATUS(ctx, ria_export(ctx, &(ria_export_desc){.from = store, .out = nc}), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(ctx), "oil/2.0.0: the chunk is damaged");
  size_t n;
  unsigned char *text = slurp(nc, &n);
  CHECK_TEXT((char *)text, "old");
  free(text);
  CHECK_INT(files_in(out), 1);
  const ria_export_desc vti = {.from = store, .to = RIA_EXPORT_VTI, .out = out};
  CHECK_STATUS(ctx, ria_export(ctx, &vti), RIA_ERR_INPUT);
  CHECK_INT(files_in(out), 2); /* old.nc and the folder of the first two images; no .pvd */
}

static void limited(const char *store) {
  ria_context *ctx;
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  char out[400], elsewhere[400], read[400];
  snprintf(read, sizeof read, "%s", store);
  snprintf(out, sizeof out, "%s/mine", files_dir);
  snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere.nc", files_dir);
  CHECK(mkdir(out, 0777) == 0);
  const char *const may[] = {read};
  const ria_limits limits = {.read = may, .n_read = 1, .write = out, .output = 1e6};
  CHECK_OK(ctx, ria_context_limit(ctx, &limits));
  CHECK_STATUS(ctx, ria_export(ctx, &(ria_export_desc){.from = store, .out = elsewhere}),
               RIA_ERR_LIMIT);
  CHECK(!ria_file_exists(elsewhere));
  CHECK_OK(ctx, ria_export(ctx, &(ria_export_desc){.from = store, .out = out}));
  CHECK_STATUS(ctx, ria_export(ctx, &(ria_export_desc){.from = "/", .out = out}), RIA_ERR_LIMIT);
  ria_context_destroy(&ctx);
}

static void refusals(ria_context *ctx, const char *store) {
  const double outside[2] = {0, 0}, line[4] = {0, 0, 10, 10};
  const struct {
    ria_export_desc desc;
    const char *says;
  } cases[] = {
      {{.from = NULL}, "name the results of a run"},
      {{.from = store, .fields = "level, oill"},
       "unknown field 'oill': did you mean 'oil'? known are bed, level, oil"},
      {{.from = store, .times = "2026-03-01 00:11"},
       "has no frame at '2026-03-01 00:11'; the nearest of its 3 is at "
       "\"2026-03-01T00:10:00.100Z\""},
      {{.from = store, .times = "soon"}, "soon"},
      {{.from = store, .at = outside}, "export to csv"},
      {{.from = store, .to = RIA_EXPORT_CSV, .at = outside}, "(0, 0) is outside the grid of "},
      {{.from = store, .to = RIA_EXPORT_CSV, .line = line}, "no point of the line is inside"},
      {{.from = store, .to = RIA_EXPORT_CSV, .times = "first, last"}, "is of one time"},
      {{.from = store, .to = RIA_EXPORT_GEOTIFF, .out = "x.tif"}, "7 are to be written"},
      {{.from = store, .to = (ria_export_kind)9}, "format number 9"},
      {{.from = store, .store = "maxima"}, "has no run.json"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    CHECK_STATUS(ctx, ria_export(ctx, &cases[k].desc), RIA_ERR_ARGUMENT);
    CHECK_HOLDS(ria_error(ctx), cases[k].says);
  }
  CHECK_STATUS(ctx, ria_export(ctx, NULL), RIA_ERR_ARGUMENT);
}

static void interrupted(ria_context *ctx, const char *store) {
  char out[400];
  snprintf(out, sizeof out, "%s/late.nc", files_dir);
  ria_context_interrupt(ctx, true);
  CHECK_STATUS(ctx, ria_export(ctx, &(ria_export_desc){.from = store, .out = out}),
               RIA_INTERRUPTED);
  ria_context_interrupt(ctx, false);
  CHECK(!ria_file_exists(out));
}

/* Each allocation fails in turn: an error of memory, and nothing of the file. */
static void without_memory(ria_context *ctx, const char *store, ria_export_kind to,
                           const char *name) {
  const double at[2] = {upright.x0 + 5, upright.y0 + 55};
  char out[400];
  snprintf(out, sizeof out, "%s/%s", files_dir, name);
  const ria_export_desc desc = {
      .from = store, .to = to, .out = out, .at = strstr(name, "at.") ? at : NULL, .times = "last"};
  ria_status s = RIA_ERR_MEMORY;
  int k = 0;
  for (; k < 10000 && s == RIA_ERR_MEMORY; k++) {
    allocations_left = k;
    s = ria_export(ctx, &desc);
    allocations_left = -1;
    if (s == RIA_ERR_MEMORY) CHECK(!ria_file_exists(out));
  }
  if (!CHECK_INT(s, RIA_OK)) fprintf(stderr, "  %s, allocation %d: %s\n", name, k, ria_error(ctx));
  CHECK(k > 20 && ria_file_exists(out));
}

/* Text of a table; the reader of numbers is strtod. */
static void check_history(ria_context *ctx, const char *store) {
  char path[400], row[400];
  const double at[2] = {upright.x0 + 12.4 * 25, upright.y0 + 9.7 * 20};
  snprintf(path, sizeof path, "%s/h.csv", files_dir);
  const ria_export_desc desc = {
      .from = store, .to = RIA_EXPORT_CSV, .out = path, .at = at, .fields = "oil"};
  CHECK_OK(ctx, ria_export(ctx, &desc));
  FILE *f = fopen(path, "r");
  CHECK(f && fgets(row, sizeof row, f));
  CHECK_TEXT(row, "time_s,date,oil\n");
  for (int t = 0; f && t < FRAMES; t++) {
    CHECK(fgets(row, sizeof row, f) != NULL);
    const char *value = strrchr(row, ',');
    const double want = value_at(1, t, 12, 9);
    CHECK(strtod(row, NULL) == 600.0 * t + 0.1);
    CHECK(value && (isnan(want) ? value[1] == '\n' : strtof(value + 1, NULL) == (float)want));
  }
  if (f) fclose(f);
}

static void count_made(void *user, const ria_export_made *made) {
  int *n = user;
  CHECK_TEXT(made->fields, "bed, level, oil");
  CHECK_INT(made->frames, FRAMES);
  CHECK(made->bytes > 1000);
  ++*n;
}

int main(int argc, char **argv) {
  char f32[400], f64[400], crs[400], fixed[400], nc[400], out[400];
  const ria_grid turned = {
      .nx = NX, .ny = NY, .dx = 25, .dy = 20, .x0 = 5e5, .y0 = 4.7e6, .angle = 30};
  ria_context *ctx;
  int made = 0;
  files_begin();
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  snprintf(f32, sizeof f32, "%s/f32.zarr", files_dir);
  snprintf(f64, sizeof f64, "%s/f64.zarr", files_dir);
  snprintf(fixed, sizeof fixed, "%s/fixed.zarr", files_dir);
  snprintf(nc, sizeof nc, "%s/a.nc", files_dir);
  snprintf(out, sizeof out, "%s/vti", files_dir);
  make_store(ctx, f32, RIA_F32, &upright, true, true);
  make_store(ctx, f64, RIA_F64, &turned, false, true);
  snprintf(crs, sizeof crs, "%s/crs.zarr", files_dir);
  make_store(ctx, crs, RIA_F32, &turned, true, true);
  make_store(ctx, fixed, RIA_F64, &upright, true, false);
  CHECK_OK(ctx, ria_export(ctx, &(ria_export_desc){
                                    .from = f32, .out = nc, .made = count_made, .user = &made}));
  CHECK_INT(made, 1);
  check_cdf(nc, 2, RIA_F32, true);
  CHECK_OK(ctx, ria_export(ctx, &(ria_export_desc){.from = f64, .out = nc}));
  check_cdf(nc, 2, RIA_F64, true);
  CHECK_OK(ctx, ria_export(ctx, &(ria_export_desc){.from = fixed, .out = nc}));
  check_cdf(nc, 2, RIA_F64, false);
  if (argc > 1) snprintf(nc, sizeof nc, "%s/cdf5.nc", argv[1]);
  write_cdf5(ctx, f32, nc);
  check_cdf(nc, 5, RIA_F32, true);
  const ria_export_desc vti = {.from = f32, .to = RIA_EXPORT_VTI, .out = out};
  CHECK_OK(ctx, ria_export(ctx, &vti));
  for (int t = 0; t < FRAMES; t++) {
    snprintf(nc, sizeof nc, "%.300s/f32/f32_%06d.vti", out, t);
    check_vti(nc, RIA_F32, t);
  }
  check_history(ctx, f32);
  refusals(ctx, f32);
  limited(f32);
  interrupted(ctx, f32);
  without_memory(ctx, f64, RIA_EXPORT_NETCDF, "few.nc");
  without_memory(ctx, crs, RIA_EXPORT_NETCDF, "turned.nc");
  without_memory(ctx, f32, RIA_EXPORT_VTI, "few.pvd");
  without_memory(ctx, f32, RIA_EXPORT_XDMF, "few.xdmf");
  without_memory(ctx, f32, RIA_EXPORT_CSV, "few.csv");
  without_memory(ctx, fixed, RIA_EXPORT_GEOTIFF, "few.tif");
  without_memory(ctx, f32, RIA_EXPORT_CSV, "at.csv");
  damaged(ctx, f32);
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
