/* tests/unit/mask.c - cells that are left out of the domain: nothing reads, counts, fills or draws
 * them. */
#include "files.h"
#include "toy_late.h"

static ria_context *ctx;

enum { NX = 6, NY = 4, CELLS = NX * NY };

/* The two western cells of the southern rows are left out, and all of the eastern column but one
 * cell: 20 - 3 of 24 stay. */
static bool is_out(int c) { return (c % NX < 2 && c / NX < 2) || (c % NX == 5 && c / NX != 2); }
enum { INSIDE = CELLS - 4 - 3 };

static ria_sim *make(const ria_solver *solver, ria_outside outside, const char *out) {
  const ria_tracer oil = {.name = "oil"};
  ria_sim *sim = NULL;
  CHECK_OK(ctx, ria_sim_create_with(ctx, solver,
                                    &(ria_sim_desc){.grid = {NX, NY, 10.0, 10.0, 100.0, 200.0, 0},
                                                    .tracers = &oil,
                                                    .n_tracers = 1,
                                                    .title = "Toy",
                                                    .out = out,
                                                    .outside = outside},
                                    &sim));
  return sim;
}

static void fill_bed(double *bed) {
  for (int c = 0; c < CELLS; c++) bed[c] = is_out(c) ? NAN : -2.0;
}

static ria_sim *masked(const ria_solver *solver, const char *out) {
  ria_sim *sim = make(solver, RIA_OUTSIDE_WALL, out);
  double bed[CELLS];
  fill_bed(bed);
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0.0));
  return sim;
}

/* NaN where cells are left out, v elsewhere. */
static void check_field(ria_sim *sim, const char *field, double v) {
  double got[CELLS];
  CHECK_OK(ctx, ria_sim_get(sim, field, got));
  for (int c = 0; c < CELLS; c++) CHECK_NEAR(got[c], is_out(c) ? NAN : v, 1e-12);
}

static void error_unless_wanted(void) {
  ria_sim *sim = make(&toy_solver, RIA_OUTSIDE_ERROR, NULL);
  double bed[CELLS];
  fill_bed(bed);
  CHECK_FAILS(
      ctx, ria_sim_set(sim, "bed", bed), RIA_ERR_ARGUMENT,
      "'bed' has no data in 7 of 24 cells, the first (0, 0) at (105, 205): leave them out of "
      "the domain (outside = \"wall\"), or give them a height (ria.dem: gap = 20 closes "
      "holes up to 20 cells across, fill = 10 puts 10 m into the rest)");
  ria_sim_destroy(&sim);
  sim = make(&toy_solver, RIA_OUTSIDE_WALL, NULL);
  bed[9] = INFINITY;
  CHECK_FAILS(ctx, ria_sim_set(sim, "bed", bed), RIA_ERR_ARGUMENT,
              "'bed' has no finite value in cell (3, 1) at (135, 215)");
  for (int c = 0; c < CELLS; c++) bed[c] = NAN;
  CHECK_FAILS(ctx, ria_sim_set(sim, "bed", bed), RIA_ERR_ARGUMENT,
              "'bed' has no value in any cell");
  ria_sim_destroy(&sim);
}

static void refused(void) {
  ria_solver flat = toy_solver;
  ria_sim *sim = NULL;
  flat.roles.bed = NULL;
  const ria_sim_desc d = {.grid = {NX, NY, 10.0, 10.0, 0.0, 0.0, 0}, .outside = RIA_OUTSIDE_WALL};
  CHECK_FAILS(ctx, ria_sim_create_with(ctx, &flat, &d, &sim), RIA_ERR_ARGUMENT,
              "solver 'toy' cannot leave cells out of the domain: outside needs one with a bed "
              "that stays as it is");
  const ria_sim_desc none = {.grid = {NX, NY, 10.0, 10.0, 0.0, 0.0, 0}, .outside = (ria_outside)7};
  CHECK_FAILS(ctx, ria_sim_create_with(ctx, &toy_solver, &none, &sim), RIA_ERR_ARGUMENT,
              "outside is 7: it is none of ria_outside");
}

static void fields(void) {
  ria_sim *sim = masked(&toy_solver, NULL);
  double set[CELLS];
  check_field(sim, "bed", -2.0);
  check_field(sim, "depth", 2.0);
  check_field(sim, "level", 0.0);
  for (int c = 0; c < CELLS; c++) set[c] = is_out(c) ? (c % 2 ? NAN : 1e9) : 3.0;
  CHECK_OK(ctx, ria_sim_set(sim, "depth", set)); /* what is set outside is ignored */
  check_field(sim, "depth", 3.0);
  CHECK_OK(ctx, ria_sim_set_constant(sim, "oil", 4.0));
  check_field(sim, "oil_load", 12.0);
  ria_stats stats;
  CHECK_OK(ctx, ria_sim_stats(sim, "depth", &stats));
  CHECK(stats.n == INSIDE && stats.sum == 3.0 * INSIDE * 100.0 && stats.min == 3.0);
  CHECK_OK(ctx, ria_sim_stats(sim, "bed", &stats));
  CHECK(stats.n == INSIDE && stats.max == -2.0);
  ria_budget_row rows[2];
  size_t n = 2;
  CHECK_OK(ctx, ria_sim_budget(sim, rows, &n));
  CHECK(rows[0].stored == 3.0 * INSIDE * 100.0);
  ria_sim_destroy(&sim);
}

/* Another order than told: what stood in cells before they were left out is gone. */
static void bed_last(void) {
  ria_sim *sim = make(&toy_solver, RIA_OUTSIDE_WALL, NULL);
  double bed[CELLS];
  fill_bed(bed);
  CHECK_OK(ctx, ria_sim_set_constant(sim, "depth", 2.0));
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  ria_budget_row rows[2];
  size_t n = 2;
  CHECK_OK(ctx, ria_sim_budget(sim, rows, &n));
  CHECK(rows[0].stored == 2.0 * INSIDE * 100.0);
  for (int c = 0; c < CELLS; c++) bed[c] = -1.0; /* and a bed that has them all is whole */
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  ria_stats stats;
  CHECK_OK(ctx, ria_sim_stats(sim, "bed", &stats));
  CHECK_INT(stats.n, CELLS);
  ria_sim_destroy(&sim);
}

/* Also where one cell alone held water, the last before one that stays. */
static void bed_last_one(void) {
  ria_sim *sim = make(&toy_solver, RIA_OUTSIDE_WALL, NULL);
  double bed[CELLS], depth[CELLS] = {0};
  fill_bed(bed);
  depth[1] = 2.0;
  CHECK(is_out(1) && !is_out(2));
  CHECK_OK(ctx, ria_sim_set(sim, "depth", depth));
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  ria_budget_row rows[2];
  size_t n = 2;
  CHECK_OK(ctx, ria_sim_budget(sim, rows, &n));
  CHECK(rows[0].stored == 0.0);
  ria_sim_destroy(&sim);
}

static void points(void) {
  ria_sim *sim = masked(&toy_solver, NULL);
  double v;
  CHECK_FAILS(ctx, ria_sim_probe(sim, "level", 105, 205, &v), RIA_ERR_ARGUMENT,
              "(105, 205) lies outside the domain: the bed has no value there");
  CHECK_OK(ctx, ria_sim_probe(sim, "level", 125, 205, &v));
  const ria_gauge_desc gauge = {.name = "pier", .x = 155, .y = 205, .every = 1.0};
  CHECK_FAILS(ctx, ria_sim_gauge(sim, &gauge, NULL), RIA_ERR_ARGUMENT,
              "gauge 'pier': (155, 205) lies outside the domain: the bed has no value there");
  ria_spill_desc spill = {.tracer = "oil", .x = 105, .y = 205, .radius = 100, .mass = 17.0};
  CHECK_FAILS(ctx, ria_sim_spill(sim, &spill, NULL), RIA_ERR_ARGUMENT,
              "spill 'oil': (105, 205) lies outside the domain: the bed has no value there");
  spill.x = 125; /* its disc covers all: each cell of the domain has the same share */
  CHECK_OK(ctx, ria_sim_spill(sim, &spill, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  check_field(sim, "oil_load", 17.0 / INSIDE / 100.0);
  ria_sim_destroy(&sim);
}

/* A boundary acts on the cells of its side that are inside, an error where there are none. */
static void boundaries(void) {
  ria_sim *sim = masked(&toy_solver, NULL);
  ria_boundary_desc feed = {.kind = "feed", .side = RIA_WEST, .values = {{"q", {.constant = 4.0}}}};
  ria_boundary_id id = 0;
  double in, out, v;
  CHECK_OK(ctx, ria_boundary_add(sim, &feed, &id));
  feed = (ria_boundary_desc){.name = "brook",
                             .kind = "feed",
                             .stretch = true,
                             .from = {100, 200},
                             .to = {100, 220},
                             .values = {{"q", {.constant = 4.0}}}};
  CHECK_FAILS(ctx, ria_boundary_add(sim, &feed, NULL), RIA_ERR_ARGUMENT,
              "boundary 'brook' lies outside the domain: the bed has no value in any of its cells");
  CHECK_OK(ctx, ria_sim_run(sim, 10.0));
  CHECK_OK(ctx, ria_boundary_flux(sim, id, NULL, &in, &out));
  CHECK_NEAR(in, 40.0, 1e-12);
  CHECK_OK(ctx, ria_sim_probe(sim, "depth", 105, 235, &v)); /* one of two cells */
  CHECK_NEAR(v, 2.0 + 20.0 / 100.0, 1e-12);
  ria_budget_row rows[2];
  size_t n = 2;
  CHECK_OK(ctx, ria_sim_budget(sim, rows, &n));
  CHECK_NEAR(rows[0].residual, 0.0, 1e-12 * rows[0].stored);
  ria_summary sum;
  CHECK_OK(ctx, ria_sim_summary(sim, &sum));
  CHECK(sum.cell_steps == (double)sum.steps * INSIDE);
  ria_sim_destroy(&sim);

  sim = make(&toy_solver, RIA_OUTSIDE_WALL, NULL); /* the bed comes after */
  double bed[CELLS];
  fill_bed(bed);
  const char *recorded = "bed";
  const ria_gauge_desc late = {
      .name = "late", .x = 105, .y = 205, .every = 1.0, .fields = &recorded, .n_fields = 1};
  const double *t, *history;
  CHECK_OK(ctx, ria_sim_gauge(sim, &late, NULL));
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  CHECK_OK(ctx, ria_sim_gauge_history(sim, "late", "bed", &t, &history, &n));
  CHECK(n == 2 && isnan(history[0]) && isnan(history[1]));
  ria_sim_destroy(&sim);

  sim = make(&toy_solver, RIA_OUTSIDE_WALL, NULL);
  CHECK_OK(ctx, ria_boundary_add(sim, &feed, NULL));
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  CHECK_FAILS(ctx, ria_sim_run(sim, 1.0), RIA_ERR_ARGUMENT,
              "boundary 'brook' lies outside the domain: the bed has no value in any of its cells");
  ria_sim_destroy(&sim);
}

/* Saves, frames, maxima: of a solver that is read, and of one that fetches and packs. */
static void outputs(const ria_solver *solver, const char *dir) {
  ria_sim *sim = masked(solver, files_path(dir));
  const char *const names[] = {"bed", "depth"};
  ria_action act;
  char path[48];
  ria_save_desc save = {.fields = names, .n_fields = 2, .precision = 1e-3};
  CHECK_OK(ctx, ria_save_action(sim, &save, &act));
  CHECK_OK(ctx, ria_sim_every(sim, 1.0, 0.0, 0.0, &act, NULL));
  save = (ria_save_desc){.name = "raw", .fields = names + 1, .n_fields = 1, .level = RIA_LEVEL_RAW};
  CHECK_OK(ctx, ria_save_action(sim, &save, &act));
  CHECK_OK(ctx, ria_sim_every(sim, 1.0, 0.0, 0.0, &act, NULL));
  CHECK_OK(ctx, ria_frame_action(sim, &(ria_frame_desc){.field = "level"}, &act));
  CHECK_OK(ctx, ria_sim_every(sim, 1.0, 0.0, 0.0, &act, NULL));
  CHECK_OK(ctx, ria_sim_track_maximum(sim, "depth"));
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  double most[CELLS];
  CHECK_OK(ctx, ria_sim_get_maximum(sim, "depth", most));
  for (int c = 0; c < CELLS; c++) CHECK_NEAR(most[c], is_out(c) ? NAN : 2.0, 1e-12);
  ria_sim_destroy(&sim);
  snprintf(path, sizeof path, "%s/run.json", dir);
  CHECK_HOLDS(files_get(files_path(path)), "\"outside\": \"wall\"");
  CHECK_HOLDS(files_get(files_path(path)), "\"cells_inside\": 17");
  snprintf(path, sizeof path, "%s/raw.zarr/depth/1.0.0", dir);
  FILE *chunk = fopen(files_path(path), "rb");
  if (!CHECK(chunk != NULL)) return;
  double saved[CELLS];
  CHECK_INT(fread(saved, sizeof *saved, CELLS, chunk), CELLS);
  for (int c = 0; c < CELLS; c++) CHECK_NEAR(saved[c], is_out(c) ? NAN : 2.0, 1e-12);
  fclose(chunk);
}

int main(void) {
  files_begin();
  if (ria_context_create(&(ria_context_desc){.threads = 1}, &ctx) != RIA_OK) return 1;
  const ria_solver late = toy_late();
  error_unless_wanted();
  refused();
  fields();
  bed_last();
  bed_last_one();
  points();
  boundaries();
  outputs(&toy_solver, "read");
  outputs(&late, "fetched");
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
