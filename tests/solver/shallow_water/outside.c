/* An L-shaped lake whose other cells are left out of the domain (outside = wall) is, to the bit,
 * the lake that has high ground there: with a tide on part of a side, a river on another, a tracer,
 * a spill, friction, in both precisions. Every field is NaN in cells that are left out. */
#include "device.h"
#include "test.h"
#include <ria/ria.h>
#include <stdlib.h>

#ifndef OUTSIDE_SOLVER
#define OUTSIDE_SOLVER "shallow_water"
#endif

enum { NX = 83, NY = 61, CELLS = NX * NY, FIELDS = 6 };
static const char *const names[FIELDS] = {"bed", "depth", "level", "u", "qy", "dye"};

static bool is_out(int c) { return (c % NX > 40 && c / NX > 25) || (c % NX < 3 && c / NX < 30); }

typedef struct lake {
  double *field[FIELDS], *crest;
  double rows[2][4], flux[2];
  int64_t steps;
} lake;

static void set_bed(ria_context *ctx, ria_sim *sim, double ground) {
  double *v = malloc(CELLS * sizeof *v);
  if (!v) abort();
  for (int c = 0; c < CELLS; c++)
    v[c] = is_out(c) ? ground : -3 + 2.8 * sin(0.17 * (c % NX)) * cos(0.11 * (c / NX));
  CHECK_OK(ctx, ria_sim_set(sim, "bed", v));
  for (int c = 0; c < CELLS; c++) v[c] = is_out(c) ? NAN : c % NX < 30 ? 0.6 : 0.0;
  CHECK_OK(ctx, ria_sim_set(sim, "level", v));
  for (int c = 0; c < CELLS; c++) v[c] = is_out(c) ? NAN : 0.02 + 0.01 * (c % 3);
  for (int c = 0; ground == ground && c < CELLS; c++)
    if (is_out(c)) v[c] = 0.02;
  CHECK_OK(ctx, ria_sim_set(sim, "manning", v));
  free(v);
}

static void add_forcing(ria_context *ctx, ria_sim *sim) {
  const ria_boundary_desc river = {.kind = "discharge",
                                   .side = RIA_NORTH,
                                   .values = {{"q", {.constant = 30}}},
                                   .tracers = {{.constant = 0.2}}},
                          sea = {.kind = "level",
                                 .side = RIA_EAST,
                                 .values = {{"level", {.constant = 0.3}}}};
  CHECK_OK(ctx, ria_boundary_add(sim, &sea, NULL));
  CHECK_OK(ctx, ria_boundary_add(sim, &river, NULL));
  const ria_spill_desc spill = {.tracer = "dye", .x = 400, .y = 240, .radius = 60, .mass = 50};
  CHECK_OK(ctx, ria_sim_spill(sim, &spill, NULL));
  CHECK_OK(ctx, ria_sim_track_maximum(sim, "level"));
}

static lake run(ria_real real, double ground) {
  lake k = {0};
  const ria_tracer dye = {.name = "dye", .decay = 1e-4};
  const ria_setting order = {"order", atoi(test_setting("RIA_TEST_ORDER", "1")), NULL};
  const ria_sim_desc desc = {.solver = OUTSIDE_SOLVER,
                             .grid = {NX, NY, 10, 10, 0, 0, 0},
                             .precision = real,
                             .params = &order,
                             .n_params = 1,
                             .tracers = &dye,
                             .n_tracers = 1,
                             .outside = RIA_OUTSIDE_WALL};
  ria_context *ctx = test_context(test_device(), 2);
  ria_sim *sim = NULL;
  if (!CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim))) abort();
  set_bed(ctx, sim, ground);
  add_forcing(ctx, sim);
  CHECK_OK(ctx, ria_sim_run(sim, test_is_short() ? 60 : 600));
  for (int f = 0; f <= FIELDS; f++) {
    double *v = malloc(CELLS * sizeof *v);
    if (!v) abort();
    if (f < FIELDS)
      CHECK_OK(ctx, ria_sim_get(sim, names[f], v));
    else
      CHECK_OK(ctx, ria_sim_get_maximum(sim, "level", v));
    *(f < FIELDS ? &k.field[f] : &k.crest) = v;
  }
  ria_budget_row rows[2];
  size_t n = 2;
  CHECK_OK(ctx, ria_sim_budget(sim, rows, &n));
  for (int q = 0; q < 2; q++) {
    const double row[] = {rows[q].stored, rows[q].inflow, rows[q].outflow, rows[q].decayed};
    memcpy(k.rows[q], row, sizeof row);
    CHECK(fabs(rows[q].relative) < (real == RIA_F64 ? 1e-13 : 1e-5));
  }
  k.steps = ria_sim_steps(sim);
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
  return k;
}

static void drop(lake *k) {
  for (int f = 0; f < FIELDS; f++) free(k->field[f]);
  free(k->crest);
}

static void check(const double *walls, const double *high, const char *name, const char *real) {
  int wrong = 0, blank = 0;
  for (int c = 0; c < CELLS; c++) {
    if (is_out(c))
      blank += isnan(walls[c]);
    else
      wrong += memcmp(&walls[c], &high[c], sizeof *walls) != 0;
  }
  int out = 0;
  for (int c = 0; c < CELLS; c++) out += is_out(c);
  if (!CHECK(wrong == 0 && blank == out))
    fprintf(stderr, "  %s, %s: %d cells differ\n", name, real, wrong);
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    const char *what = real ? "single" : "double";
    lake walls = run((ria_real)real, NAN), high = run((ria_real)real, 500);
    for (int f = 0; f < FIELDS; f++) check(walls.field[f], high.field[f], names[f], what);
    check(walls.crest, high.crest, "the maximum of level", what);
    CHECK(memcmp(walls.rows, high.rows, sizeof walls.rows) == 0);
    CHECK_INT(walls.steps, high.steps);
    printf("%s: %d steps\n", what, (int)walls.steps);
    drop(&walls);
    drop(&high);
  }
  return TEST_END();
}
