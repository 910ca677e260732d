/* tests/unit/snapshot.c - copies of fields for outputs: as they were, shared, late, lost; means. */
#include "base/context.h"
#include "files.h"
#include "toy_late.h"
#include "outputs/output.h"

static ria_context *ctx;
static ria_solver late, packing;

/* A grid whose rims are not whole coarse cells; dry in places, one dry corner. Values are eighths,
 * so that their sums are exact. */
enum { NX = 262, NY = 203 };

static ria_sim *make_sim(const ria_solver *solver, int nx, int ny, const char *out) {
  const ria_tracer oil = {.name = "oil"};
  const ria_sim_desc desc = {.grid = {nx, ny, 10.0, 10.0, 100.0, 200.0, 0},
                             .tracers = &oil,
                             .n_tracers = 1,
                             .title = "Toy",
                             .out = out};
  ria_sim *sim = NULL;
  double *v = malloc((size_t)nx * (size_t)ny * sizeof *v);
  CHECK_OK(ctx, ria_sim_create_with(ctx, solver, &desc, &sim));
  for (int k = 0; k < nx * ny; k++) {
    int i = k % nx, j = k / nx;
    bool dry = (i > nx - 20 && j > ny - 20) || (i * 7 + j * 13) % 11 == 0;
    v[k] = dry ? 1.0 : -0.125 * (1 + (i + j) % 40);
  }
  CHECK_OK(ctx, ria_sim_set(sim, "bed", v));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0.5));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "oil", 0.25));
  CHECK_OK(ctx, ria_snapshot_pool_init(sim));
  free(v);
  return sim;
}

static ria_sim *wide_sim(const ria_solver *solver, const char *out) {
  return make_sim(solver, NX, NY, out);
}

static const ria_sim_field *field(ria_sim *sim, const char *name) {
  ria_sim_field *f = NULL;
  CHECK_OK(ctx, ria_field_find(sim, name, &f));
  return f;
}

static ria_snapshot *take(ria_sim *sim, const char *name, ria_real real, int coarse) {
  ria_snapshot *s = NULL;
  CHECK_OK(ctx, ria_snapshot_take(sim, field(sim, name), real, coarse, &s));
  return s;
}

static const void *values_of(ria_snapshot *s) {
  char err[RIA_ERR_TEXT] = "";
  const void *values = NULL;
  if (!CHECK_INT(ria_snapshot_values(s, &values, err, sizeof err), RIA_OK))
    fprintf(stderr, "  %s\n", err);
  return values;
}

/* --- means --- */

static double mean_of(const ria_grid *g, const double *v, int i0, int j0, int coarse) {
  double sum = 0.0;
  int n = 0;
  for (int j = j0; j < j0 + coarse && j < g->ny; j++)
    for (int i = i0; i < i0 + coarse && i < g->nx; i++)
      if (!isnan(v[j * g->nx + i])) {
        sum += v[j * g->nx + i];
        n++;
      }
  return n ? sum / n : NAN;
}

static void check_means(ria_sim *sim, const char *name, int coarse) {
  const ria_grid *g = &sim->grid;
  double *all = malloc(ria_grid_cells(g) * sizeof *all);
  CHECK_OK(ctx, ria_sim_get(sim, name, all));
  ria_snapshot *s = take(sim, name, RIA_F32, coarse);
  const float *v = values_of(s);
  int nx = (g->nx + coarse - 1) / coarse, ny = (g->ny + coarse - 1) / coarse, wrong = 0;
  for (int k = 0; k < nx * ny; k++) {
    double want = mean_of(g, all, k % nx * coarse, k / nx * coarse, coarse);
    wrong += !(isnan(want) ? isnan(v[k]) : fabs((double)v[k] - want) <= 1e-6 * fabs(want));
  }
  if (!CHECK_INT(wrong, 0)) fprintf(stderr, "  '%s', coarse %d\n", name, coarse);
  ria_snapshot_release(s);
  free(all);
}

static void means(const ria_solver *solver) {
  static const int coarse[] = {1, 2, 3, 4, 7, 16, 31, 202, 203, 262, RIA_COARSE_MAX};
  ria_sim *sim = wide_sim(solver, NULL);
  for (size_t k = 0; k < sizeof coarse / sizeof *coarse; k++) {
    check_means(sim, "level", coarse[k]);
    check_means(sim, "depth", coarse[k]);
    check_means(sim, "bed", coarse[k]);
  }
  ria_sim_destroy(&sim);
}

/* So large that they are read in pieces. */
static void pieces(void) {
  enum { LX = 5003, LY = 611 };
  ria_sim *sim = make_sim(&toy_solver, LX, LY, NULL);
  ria_stats stats;
  check_means(sim, "level", 3);
  check_means(sim, "bed", 7);
  double *v = calloc(LX * LY, sizeof *v);
  v[LX * (LY - 1) + 11] = 2.0;
  v[LX * (LY / 2)] = -1.0;
  CHECK_OK(ctx, ria_sim_set(sim, "bed", v));
  CHECK_OK(ctx, ria_sim_stats(sim, "bed", &stats));
  CHECK(stats.max == 2.0 && stats.max_i == 11 && stats.max_j == LY - 1);
  CHECK(stats.min == -1.0 && stats.min_i == 0 && stats.min_j == LY / 2);
  CHECK_INT(stats.n, LX * LY);
  CHECK_NEAR(stats.sum, 100.0, 0.0);
  free(v);
  ria_sim_destroy(&sim);
}

/* --- sharing --- */

static int allocated; /* buffers for outputs */
static ria_status (*plain_alloc)(ria_context *c, const ria_backend *b, size_t bytes, void **out);

static ria_status counting_alloc(ria_context *c, const ria_backend *b, size_t bytes, void **out) {
  allocated++;
  return plain_alloc(c, b, bytes, out);
}

static void sharing(const ria_solver *solver) {
  ria_sim *sim = wide_sim(solver, NULL);
  plain_alloc = ctx->backend->alloc_output;
  ctx->backend->alloc_output = counting_alloc;
  allocated = 0;
  ria_snapshot *a = take(sim, "level", RIA_F32, 2), *b = take(sim, "level", RIA_F32, 2);
  ria_snapshot *c = take(sim, "level", RIA_F32, 3), *d = take(sim, "level", RIA_F64, 1);
  CHECK(a == b && a != c && a != d && c != d);
  CHECK_INT(allocated, 3);
  ria_snapshot_release(b);
  for (int k = 0; k < 20; k++) { /* one in use, one kept, and the ones above */
    CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0.125 * k));
    ria_snapshot *s = take(sim, "level", RIA_F32, 2);
    CHECK(s != a);
    CHECK_NEAR(((const float *)values_of(s))[0], 0.125 * k, 0.0);
    ria_snapshot_release(s);
  }
  CHECK(allocated <= 5);
  CHECK_NEAR(((const float *)values_of(a))[0], 0.5, 0.0); /* of its own state still */
  ria_snapshot_release(a);
  ria_snapshot_release(c);
  ria_snapshot_release(d);
  ctx->backend->alloc_output = plain_alloc;
  ria_sim_destroy(&sim);
}

/* --- copies that come late --- */

typedef struct reader {
  pthread_t thread;
  ria_snapshot *snap;
  ria_status status;
  float first;
  char err[RIA_ERR_TEXT];
} reader;

static void *read_it(void *user) {
  reader *r = user;
  const void *values = NULL;
  r->status = ria_snapshot_values(r->snap, &values, r->err, sizeof r->err);
  r->first = ((const float *)values)[0];
  ria_snapshot_release(r->snap);
  return NULL;
}

static void read_by_many(ria_sim *sim, reader *readers, int n) {
  for (int k = 0; k < n; k++) {
    readers[k] = (reader){.snap = take(sim, "level", RIA_F32, 2)};
    CHECK(pthread_create(&readers[k].thread, NULL, read_it, &readers[k]) == 0);
  }
  CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 2.0)); /* goes on meanwhile */
  for (int k = 0; k < n; k++) pthread_join(readers[k].thread, NULL);
}

static void many_readers(void) {
  enum { N = 6 };
  reader readers[N];
  ria_sim *sim = wide_sim(&late, NULL);
  toy_state(sim)->late = 20000;
  read_by_many(sim, readers, N);
  for (int k = 0; k < N; k++) CHECK(readers[k].status == RIA_OK && readers[k].first == 0.5f);
  CHECK_INT(toy_state(sim)->fetched, 1);
  CHECK_INT(atomic_load(&toy_state(sim)->waited), 1);
  toy_state(sim)->fail_from = 2;
  read_by_many(sim, readers, N);
  for (int k = 0; k < N; k++) {
    CHECK_INT(readers[k].status, RIA_ERR_DEVICE);
    CHECK_TEXT(readers[k].err, "the copy was lost on its way");
  }
  CHECK_INT(atomic_load(&toy_state(sim)->waited), 2);
  ria_sim_destroy(&sim);
}

/* What no one reads is waited for before its memory has another use, or ends. */
static void nobody_reads(void) {
  ria_sim *sim = wide_sim(&late, NULL);
  toy_state(sim)->late = 2000;
  for (int k = 0; k < 10; k++) {
    CHECK_OK(ctx, ria_sim_set_constant(sim, "level", k));
    ria_snapshot_release(take(sim, "level", RIA_F64, 1));
  }
  CHECK_INT(toy_state(sim)->fetched, 10);
  CHECK_INT(atomic_load(&toy_state(sim)->at_it), 1); /* the present one */
  ria_snapshot_release(take(sim, "depth", RIA_F32, 4));
  ria_sim_destroy(&sim); /* the solver looks whether all tickets are back */
}

/* --- whole runs --- */

static ria_sim *run_of(const ria_solver *solver, const char *name) {
  ria_sim *sim = wide_sim(solver, files_path(name));
  ria_action act;
  CHECK_OK(ctx, ria_frame_action(
                    sim, &(ria_frame_desc){.field = "level", .width = 64, .no_decor = true}, &act));
  CHECK_OK(ctx, ria_sim_every(sim, 1.0, 0.0, 0.0, &act, NULL));
  CHECK_OK(ctx, ria_save_action(sim,
                                &(ria_save_desc){.fields = (const char *[]){"bed", "oil", "level"},
                                                 .n_fields = 3,
                                                 .tile = 50},
                                &act));
  CHECK_OK(ctx, ria_sim_every(sim, 1.0, 0.0, 0.0, &act, NULL));
  CHECK_OK(ctx, ria_sim_track_maximum(sim, "oil"));
  CHECK_OK(ctx, ria_sim_spill(
                    sim, &(ria_spill_desc){.tracer = "oil", .x = 500, .y = 500, .mass = 64}, NULL));
  return sim;
}

static void same_bytes(const char *name) {
  char *text[2];
  size_t n[2];
  for (int k = 0; k < 2; k++) {
    char path[60];
    snprintf(path, sizeof path, "%s/%s", k ? "late" : "plain", name);
    FILE *f = fopen(files_path(path), "rb");
    text[k] = malloc(1 << 20);
    n[k] = f ? fread(text[k], 1, 1 << 20, f) : 0;
    if (f) fclose(f);
  }
  if (!CHECK(n[0] > 0 && n[0] == n[1] && memcmp(text[0], text[1], n[0]) == 0))
    fprintf(stderr, "  %s: %zu and %zu bytes\n", name, n[0], n[1]);
  free(text[0]);
  free(text[1]);
}

static void same_outputs(void) {
  ria_sim *plain = run_of(&toy_solver, "plain"), *sim = run_of(&late, "late");
  toy_state(sim)->late = 3000;
  CHECK_OK(ctx, ria_sim_run(plain, 6.0));
  CHECK_OK(ctx, ria_sim_run(sim, 6.0));
  CHECK(toy_state(sim)->fetched >= 7 * 4);
  CHECK_INT(atomic_load(&toy_state(sim)->at_it), 0);
  ria_sim_destroy(&plain);
  ria_sim_destroy(&sim);
  same_bytes("frames/level/level_000000.png");
  same_bytes("frames/level/level_000006.png");
  same_bytes("fields.zarr/level/6.3.4");
  same_bytes("fields.zarr/oil/3.0.0");
  same_bytes("fields.zarr/bed/1.2");
  same_bytes("maxima/oil.png");
}

/* --- packed by the device --- */

/* A chunk that is in both stores, or in neither. */
static void same_chunk(const char *field, const char *step, int tj, int ti) {
  char name[40], path[60];
  snprintf(name, sizeof name, "fields.zarr/%s/%s%d.%d", field, step, tj, ti);
  snprintf(path, sizeof path, "plain/%s", name);
  if (ria_file_exists(files_path(path))) {
    same_bytes(name);
    return;
  }
  snprintf(path, sizeof path, "late/%s", name);
  if (!CHECK(!ria_file_exists(files_path(path)))) fprintf(stderr, "  %s\n", path);
}

/* All of 6 x 5 tiles. */
static void compare_stores(void) {
  for (int tile = 0; tile < 30; tile++) {
    const int tj = tile / 6, ti = tile % 6;
    same_chunk("bed", "", tj, ti);
    for (int k = 0; k < 7; k++) {
      char step[8];
      snprintf(step, sizeof step, "%d.", k);
      same_chunk("level", step, tj, ti);
      same_chunk("oil", step, tj, ti);
    }
  }
  same_bytes("fields.zarr/level/6.3.4");
  same_bytes("fields.zarr/bed/4.5");
  CHECK(!ria_file_exists(files_path("late/fields.zarr/level/0.4.5"))); /* all dry */
}

/* The same chunks; when the device has no memory, by way of the values. */
static void packed_saves(void) {
  for (int refuse = 0; refuse <= 4; refuse += 2) {
    char err[RIA_ERR_TEXT];
    ria_tree_remove(files_path("plain"), err, sizeof err);
    ria_tree_remove(files_path("late"), err, sizeof err);
    ria_sim *plain = run_of(&toy_solver, "plain"), *sim = run_of(&packing, "late");
    toy_state(sim)->late = 2000;
    toy_state(sim)->refuse = refuse;
    CHECK_OK(ctx, ria_sim_run(plain, 6.0));
    CHECK_OK(ctx, ria_sim_run(sim, 6.0));
    CHECK_INT(toy_state(sim)->packed, 1 + 7 * 2);
    CHECK_INT(atomic_load(&toy_state(sim)->at_it), 0);
    ria_sim_destroy(&plain);
    ria_sim_destroy(&sim);
    compare_stores();
  }
}

static void save_level(ria_sim *sim, const char *name, int level, double precision) {
  ria_action act;
  const ria_save_desc desc = {.name = name,
                              .fields = (const char *[]){"oil"},
                              .n_fields = 1,
                              .level = level,
                              .precision = precision};
  CHECK_OK(ctx, ria_save_action(sim, &desc, &act));
  CHECK_OK(ctx, ria_sim_at(sim, 1.0, &act, NULL));
}

/* Other levels, and no compression, are the host's; stores of one kind share what was packed. */
static void who_packs(void) {
  ria_sim *sim = wide_sim(&packing, files_path("levels"));
  save_level(sim, "raw", RIA_LEVEL_RAW, 0);
  save_level(sim, "six", 6, 0);
  CHECK_OK(ctx, ria_sim_run(sim, 0.5));
  CHECK_INT(toy_state(sim)->packed, 0);
  save_level(sim, "default", 0, 0);
  save_level(sim, "one", 1, 0);
  save_level(sim, "rounded", 1, 1e-3);
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  CHECK_INT(toy_state(sim)->packed, 2);
  CHECK_INT(toy_state(sim)->fetched, 1); /* raw and six */
  ria_sim_destroy(&sim);
  sim = wide_sim(&packing, files_path("packed_first"));
  save_level(sim, "default", 0, 0);
  save_level(sim, "raw", RIA_LEVEL_RAW, 0); /* what is packed will not do */
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  CHECK_INT(toy_state(sim)->packed, 1);
  CHECK_INT(toy_state(sim)->fetched, 1);
  ria_sim_destroy(&sim);
}

/* 262 x 203 cells in 64 x 64 pixels: three by three of them are one value. */
static void coarse_frames(void) {
  ria_sim *sim = wide_sim(&late, files_path("coarse"));
  ria_action act;
  CHECK_OK(ctx, ria_frame_action(
                    sim, &(ria_frame_desc){.field = "oil", .width = 64, .no_decor = true}, &act));
  CHECK_OK(ctx, ria_sim_at(sim, 1.0, &act, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  CHECK_INT(toy_state(sim)->coarse, 3);
  ria_sim_destroy(&sim);
}

/* A lost copy ends the run with its message, whoever it was that waited for it. */
static void lost_copies(void) {
  static const int fail_from[] = {1, 2, 5, 9};
  for (size_t k = 0; k < sizeof fail_from / sizeof *fail_from; k++) {
    char name[32];
    snprintf(name, sizeof name, "lost%zu", k);
    ria_sim *sim = run_of(k % 2 ? &packing : &late, name);
    toy_state(sim)->late = 500;
    toy_state(sim)->fail_from = fail_from[k];
    CHECK_FAILS(ctx, ria_sim_run(sim, 6.0), RIA_ERR_DEVICE, "the copy was lost on its way");
    CHECK_STATUS(ctx, ria_sim_finish(sim), RIA_ERR_DEVICE);
    ria_sim_destroy(&sim);
  }
}

int main(void) {
  files_begin();
  late = packing = toy_late();
  packing.cpu = &toy_packing_ops;
  CHECK_OK(ctx, ria_context_create(&(ria_context_desc){.device = "cpu", .writers = 3}, &ctx));
  means(&toy_solver);
  means(&late);
  pieces();
  sharing(&toy_solver);
  sharing(&late);
  many_readers();
  nobody_reads();
  same_outputs();
  packed_saves();
  who_packs();
  coarse_frames();
  lost_copies();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
