/* tests/unit/ground.c - spills that are still to come: is there water, may it come, can it not? */
#include "toy.h"

/* The toy's kinds, and one that holds a level. */
static const ria_boundary_kind kinds[] = {
    {.name = "closed", .doc = "nothing passes"},
    {.name = "feed",
     .values = {{"q", "m^3/s", RIA_DIM_FLOW, true, 0.0, 0}},
     .carries = true,
     .doc = "adds q"},
    {.name = "drain", .values = {{"rate", "1/s", RIA_DIM_RATE, false, 0.1, 0}}, .doc = "takes"},
    {.name = "sea", .values = {{"level", "m", RIA_DIM_LENGTH, true, 0.0, 0}}, .doc = "a level"},
    {.name = NULL}};

/* As toy_sim: 2 m deep, level 0, a bed of 1 m in the eastern column, x 150 to 160; no output. */
static ria_sim *make(ria_context *ctx) {
  static ria_solver solver;
  ria_sim *sim = NULL;
  double bed[24];
  solver = toy_solver;
  solver.boundaries = kinds;
  for (int c = 0; c < 24; c++) bed[c] = c % 6 == 5 ? 1.0 : -2.0;
  CHECK_OK(ctx, ria_sim_create_with(ctx, &solver,
                                    &(ria_sim_desc){.grid = {6, 4, 10.0, 10.0, 100.0, 200.0, 0},
                                                    .tracers = &(ria_tracer){.name = "oil"},
                                                    .n_tracers = 1},
                                    &sim));
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0.0));
  return sim;
}

static const ria_spill_desc east = {.tracer = "oil", .x = 155, .y = 215, .mass = 1, .start = 60};

static void ground_is(ria_context *ctx, ria_sim *sim, const ria_spill_desc *d, ria_ground want,
                      const char *text) {
  ria_ground ground = RIA_GROUND_WET;
  char why[256] = "not written";
  CHECK_OK(ctx, ria_sim_spill_ground(sim, d, &ground, why, sizeof why));
  CHECK_INT(ground, want);
  CHECK_TEXT(why, text);
}

static const char high[] = "spill 'oil' at 1 min: no level given reaches (155, 215), where the bed "
                           "is 1 m and the highest level "
                           "is 0 m; the nearest wet cell is 10 m away at (145, 215)";
static const char dry[] =
    "spill 'oil' at 1 min: no water at (155, 215) at the start, where the bed is 1 m: the run "
    "fails unless water has come there by then";

/* A side with one value. */
static void side(ria_context *ctx, ria_sim *sim, const char *kind, const char *name, ria_value v) {
  CHECK_OK(
      ctx,
      ria_boundary_add(
          sim, &(ria_boundary_desc){.kind = kind, .side = RIA_WEST, .values = {{name, v}}}, NULL));
}

static void without_forcing(ria_context *ctx) {
  ria_sim *sim = make(ctx);
  ria_spill_desc d = east;
  ground_is(ctx, sim, &d, RIA_GROUND_HIGH, high);
  d.radius = 10; /* a part of the disc is wet */
  ground_is(ctx, sim, &d, RIA_GROUND_WET, "");
  d.radius = 6;
  d.x = 157;
  d.start = 0; /* now */
  ground_is(ctx, sim, &d, RIA_GROUND_HIGH,
            "spill 'oil': no level given reaches within 6 m of (157, 215), where the bed is at "
            "least 1 m and the highest level is 0 m; the nearest wet cell is 12 m away at (145, "
            "215)");
  d = (ria_spill_desc){.x = 155, .y = 215, .volume = 1, .start = 60}; /* brings its own */
  ground_is(ctx, sim, &d, RIA_GROUND_WET, "");
  CHECK_OK(ctx, ria_sim_spill(sim, &d, NULL)); /* and for others */
  ground_is(ctx, sim, &east, RIA_GROUND_DRY, dry);
  ria_sim_destroy(&sim);

  sim = make(ctx);
  CHECK_OK(ctx, ria_sim_set_constant(sim, "depth", 0.0));
  ground_is(ctx, sim, &east, RIA_GROUND_HIGH,
            "spill 'oil' at 1 min: no level given reaches (155, 215), where the bed is 1 m");
  ria_sim_destroy(&sim);
}

static void water_that_is_there(ria_context *ctx) {
  ria_sim *sim = make(ctx);
  double depth[24];
  for (int c = 0; c < 24; c++) depth[c] = c == 0 ? 3.0 : c % 6 == 5 ? 0.0 : 2.0;
  CHECK_OK(ctx, ria_sim_set(sim, "depth", depth)); /* a level of 1 m in one cell: not above */
  ground_is(ctx, sim, &east, RIA_GROUND_DRY, dry);
  depth[0] = 2.999;
  CHECK_OK(ctx, ria_sim_set(sim, "depth", depth));
  ria_ground ground;
  char why[256];
  CHECK_OK(ctx, ria_sim_spill_ground(sim, &east, &ground, why, sizeof why));
  CHECK_INT(ground, RIA_GROUND_HIGH);
  ria_sim_destroy(&sim);
}

static void boundaries(ria_context *ctx) {
  ria_series *tide = NULL, *table = NULL, *ramped = NULL, *wave = NULL;
  const ria_constituent both[] = {{.name = "M2", .amplitude = 0.6},
                                  {.name = "S2", .amplitude = 0.3}};
  CHECK_OK(ctx,
           ria_series_tide(ctx, &(ria_tide_desc){.constituents = both, .n = 2, .z0 = 0.05}, &tide));
  const ria_table_desc rising = {
      .t = (double[]){0, 10, 20}, .v = (double[]){0, 1.5, 0.2}, .n = 3, .hold = true};
  CHECK_OK(ctx, ria_series_table(ctx, &rising, &table));
  ria_table_desc falling = rising;
  falling.v = (double[]){-3, -2, -1};
  falling.ramp = 5;
  CHECK_OK(ctx, ria_series_table(ctx, &falling, &ramped));
  falling.v = (double[]){0, 0.5, 0};
  CHECK_OK(ctx, ria_series_table(ctx, &falling, &wave));
  const struct {
    const char *kind, *value;
    ria_value v;
    ria_ground want;
  } cases[] = {
      {"sea", "level", {.constant = 0.9}, RIA_GROUND_HIGH},
      {"sea", "level", {.constant = 1.0}, RIA_GROUND_DRY},
      {"sea", "level", {.series = tide}, RIA_GROUND_HIGH}, /* 0.95 */
      {"sea", "level", {.series = table}, RIA_GROUND_DRY}, /* 1.5 */
      {"sea", "level", {.series = ramped}, RIA_GROUND_HIGH},
      {"sea", "level", {.series = wave}, RIA_GROUND_DRY}, /* it runs up */
      {"feed", "q", {.constant = 1}, RIA_GROUND_DRY},     /* a discharge has no level */
      {"feed", "q", {.constant = -1}, RIA_GROUND_HIGH},
      {"drain", "rate", {.constant = 0.5}, RIA_GROUND_HIGH},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    ria_ground ground = RIA_GROUND_WET;
    char why[256];
    ria_sim *sim = make(ctx);
    side(ctx, sim, cases[k].kind, cases[k].value, cases[k].v);
    CHECK_OK(ctx, ria_sim_spill_ground(sim, &east, &ground, why, sizeof why));
    if (!CHECK(ground == cases[k].want)) fprintf(stderr, "case %zu: %s\n", k, why);
    ria_sim_destroy(&sim);
  }
  ria_series_destroy(&tide);
  ria_series_destroy(&table);
  ria_series_destroy(&ramped);
  ria_series_destroy(&wave);
}

/* What ria_sim_spill refuses; and which spill it was that ended a run. */
static void failures(ria_context *ctx) {
  ria_sim *sim = make(ctx);
  ria_ground ground;
  ria_handle wet = 0, lost = 0;
  ria_spill_desc d = east;
  d.x = 165;
  CHECK_FAILS(ctx, ria_sim_spill_ground(sim, &d, &ground, NULL, 0), RIA_ERR_ARGUMENT,
              "spill 'oil': (165, 215) lies outside the domain, x 100 to 160, y 200 to 240");
  d = east;
  d.x = 125;
  d.start = 2;
  CHECK_OK(ctx, ria_sim_spill(sim, &d, &wet));
  d.x = 155;
  d.start = 3;
  CHECK_OK(ctx, ria_sim_spill(sim, &d, &lost));
  CHECK_INT(ria_sim_failed_spill(sim), 0);
  CHECK_STATUS(ctx, ria_sim_run(sim, 10), RIA_ERR_ARGUMENT);
  CHECK_INT(ria_sim_failed_spill(sim), lost);
  CHECK_OK(ctx, ria_sim_run(sim, 10));
  CHECK_INT(ria_sim_failed_spill(sim), 0);
  ria_sim_destroy(&sim);
}

int main(void) {
  ria_context *ctx = NULL;
  CHECK_OK(ctx, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  without_forcing(ctx);
  water_that_is_there(ctx);
  boundaries(ctx);
  failures(ctx);
  ria_context_destroy(&ctx);
  return TEST_END();
}
