/* Memory is refused, as in memory_runs.c, where results of a run are made use of, where a grid is
 * cut into parts, and where ground is made of what was measured. */
#include "base/context.h"
#include "files.h"
#include "places.h"
#include <ria/checkpoint.h>
#include <ria/dem.h>
#include <ria/field3.h>
#include <ria/forecast.h>
#include <ria/from.h>
#include <ria/output.h>
#include <ria/relax.h>
#include <ria/render.h>
#include <ria/soundings.h>
#include <ria/traces.h>

enum { NX = 9, NY = 8, CELLS = NX * NY };
static const ria_grid coarse = {
    .nx = NX, .ny = NY, .dx = 20, .dy = 20, .x0 = 500000, .y0 = 5800000};
static const ria_grid fine = {.nx = 8, .ny = 8, .dx = 10, .dy = 10, .x0 = 500040, .y0 = 5800040};
static const ria_grid turned = {
    .nx = 8, .ny = 8, .dx = 10, .dy = 10, .x0 = 500060, .y0 = 5800030, .angle = 20};
static char store[320]; /* results of a run on the coarse grid */
static const ria_tracer oil = {"oil", "mg/l", 0, 0};

static ria_sim_desc on(const ria_grid *g) {
  return (ria_sim_desc){.solver = "shallow_water",
                        .grid = *g,
                        .tracers = &oil,
                        .n_tracers = 1,
                        .start = "2026-01-01 00:00",
                        .crs = "EPSG:32631",
                        .no_page = true};
}

static ria_status still(ria_sim *sim) {
  RIA_TRY(ria_sim_set_constant(sim, "bed", -3));
  return ria_sim_set_constant(sim, "level", 0.1);
}

static void make_results(ria_context *ctx) {
  static const char *const fields[] = {"bed", "depth", "level", "u", "v", "qx", "qy", "oil"};
  ria_sim *sim = NULL;
  ria_sim_desc desc = on(&coarse);
  ria_action action;
  double level[CELLS];
  for (int k = 0; k < CELLS; k++) level[k] = 0.05 * (k % NX);
  desc.out = store;
  CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim));
  CHECK_OK(ctx, still(sim));
  CHECK_OK(ctx, ria_sim_set(sim, "level", level));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "oil", 2));
  CHECK_OK(ctx, ria_save_action(sim, &(ria_save_desc){fields, 8, NULL, 0, 0, 0}, &action));
  CHECK_OK(ctx, ria_sim_every(sim, 4, 0, 0, &action, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 12));
  ria_sim_destroy(&sim);
}

typedef struct use {
  ria_context *ctx;
  const ria_grid *grid;
  ria_status (*set_up)(ria_sim *sim);
  ria_status (*then)(ria_sim *sim);
} use;

static ria_status in_a_run(void *user) {
  const use *u = user;
  const ria_sim_desc desc = on(u->grid);
  ria_sim *sim = NULL;
  ria_status s = ria_sim_create(u->ctx, &desc, &sim);
  if (s == RIA_OK) s = still(sim);
  if (s == RIA_OK) s = u->set_up(sim);
  if (s == RIA_OK) s = ria_sim_step(sim, 2);
  if (s == RIA_OK && u->then) s = u->then(sim);
  ria_sim_destroy(&sim);
  return s;
}

/* --- in another run ----------------------------------------------------------------------------
 */

static ria_status goes_on(ria_sim *sim) {
  const ria_from_desc from = {.path = store, .at = "2026-01-01 00:00:08"};
  char date[48];
  RIA_TRY(ria_from_date(ria_sim_context(sim), &from, NULL, date, sizeof date));
  return ria_sim_from(sim, &from);
}

static ria_status keeps_levels(ria_sim *sim) {
  return ria_sim_from(sim, &(ria_from_desc){.path = store, .keep = RIA_FROM_LEVEL});
}

static ria_status is_nested(ria_sim *sim) {
  const ria_nest_desc nest = {store};
  const ria_relax_desc layer = {.side = {true, true}, .width = 25, .time = 5, .nest = nest};
  double map[64] = {1, 0.5};
  const ria_relax_desc by_map = {.map = map, .time = 9, .given = 1, .flow = {{0.2, NULL}}};
  ria_boundary_id id;
  const ria_boundary_desc north = {
      .kind = "radiate", .side = RIA_NORTH, .values = {{"level", {0, NULL}}}};
  ria_nest_line line;
  char text[200];
  RIA_TRY(ria_nest_tell(ria_sim_context(sim), &nest, text, sizeof text));
  RIA_TRY(ria_relax_add(sim, &layer));
  RIA_TRY(ria_relax_add(sim, &by_map));
  RIA_TRY(ria_boundary_add(sim, &north, &id));
  const ria_status s = ria_nest_along(sim, id, NULL, &nest, RIA_RELAX_LEVEL, &line);
  ria_nest_line_free(&line);
  return s;
}

static ria_status foresee(void *user) {
  const use *u = user;
  static int turn;
  char out[320], name[32], err[RIA_ERR_TEXT];
  snprintf(name, sizeof name, "foreseen%d", turn++);
  snprintf(out, sizeof out, "%s", files_path(name));
  ria_sim_desc desc = on(u->grid);
  desc.out = out;
  ria_forecast f;
  ria_sim *sim = NULL;
  ria_status s = ria_sim_create(u->ctx, &desc, &sim);
  if (s == RIA_OK) s = still(sim);
  if (s == RIA_OK) s = ria_sim_start(sim);
  if (s == RIA_OK) s = ria_sim_forecast(sim, 100, 1e-4, NULL, &f);
  ria_sim_destroy(&sim);
  ria_tree_remove(out, err, sizeof err);
  return s;
}

/* --- for people --------------------------------------------------------------------------------
 */

static ria_status follow(void *user) {
  const double x[] = {500050, 500090}, y[] = {5800050, 5800090};
  ria_traces *t = NULL;
  const ria_status s =
      ria_traces_make(user, &(ria_traces_desc){.from = store, .x = x, .y = y, .n = 2}, &t);
  CHECK(s == RIA_OK || !t);
  ria_traces_destroy(&t);
  return s;
}

static ria_status draw(void *user) {
  static const char *const times[] = {"4 s", "last"};
  const ria_render_desc desc = {.from = store,
                                .field = "level",
                                .path = files_path("level.png"),
                                .times = times,
                                .n_times = 2,
                                .width = 300,
                                .height = 120,
                                .arrows = true,
                                .hillshade = true,
                                .graticule = true,
                                .contour_step = 0.05,
                                .traces = 3};
  return ria_render(user, &desc, NULL);
}

/* --- in parts ----------------------------------------------------------------------------------
 */

typedef struct part_run {
  ria_context *ctx;
  const char *solver, *field;
} part_run;

static ria_status drive(ria_sim *sim, const part_run *r) {
  double v[CELLS];
  for (int k = 0; k < CELLS; k++) v[k] = 0.1 + 0.01 * (k % NX);
  RIA_TRY(ria_sim_record(sim));
  RIA_TRY(ria_sim_set(sim, r->field, v));
  RIA_TRY(ria_sim_track_maximum(sim, r->field));
  if (strcmp(r->field, "level") == 0) {
    const ria_boundary_desc sea = {
        .kind = "level", .side = RIA_WEST, .values = {{"level", {0.3, NULL}}}};
    const ria_spill_desc spring = {
        .x = 500090, .y = 5800090, .radius = 45, .has_flow = true, .flow = {2, NULL}};
    RIA_TRY(ria_sim_set_constant(sim, "bed", -3));
    RIA_TRY(ria_boundary_add(sim, &sea, NULL));
    RIA_TRY(ria_sim_spill(sim, &spring, NULL));
  }
  RIA_TRY(ria_sim_step(sim, 3));
  RIA_TRY(ria_sim_get_maximum(sim, r->field, v));
  return ria_sim_checkpoint(sim, files_path("parts.ria"));
}

static ria_status in_parts(void *user) {
  const part_run *r = user;
  const ria_sim_desc desc = {.solver = r->solver, .grid = coarse};
  ria_sim *sim = NULL;
  ria_budget_row rows[4];
  size_t n = 4;
  ria_status s = ria_sim_create(r->ctx, &desc, &sim);
  if (s == RIA_OK) s = drive(sim, r);
  if (s == RIA_OK) s = ria_sim_budget(sim, rows, &n);
  ria_sim_destroy(&sim);
  return s;
}

static double wave(void *user, double x, double y, double z) { return (void)user, x + y * z; }

static ria_status in_space(void *user) {
  ria_context *ctx = user;
  const ria_grid3 g = {{9, 9, 12}, {1, 1, 1}, {0}, {false, true, false}};
  ria_field3 *f[4] = {NULL};
  ria_raster *r = NULL;
  ria_stats3 sums;
  ria_status s = RIA_OK;
  for (int k = 0; k < 4 && s == RIA_OK; k++) s = ria_field3_create(ctx, &g, RIA_F64, &f[k]);
  if (s == RIA_OK) s = ria_field3_set_function(f[0], wave, NULL);
  if (s == RIA_OK) s = ria_field3_gradient(f[0], 4, &f[1]);
  if (s == RIA_OK)
    s = ria_field3_divergence((const ria_field3 *const[]){f[1], f[2], f[3]}, 4, f[0]);
  if (s == RIA_OK) s = ria_field3_stats(f[0], &sums);
  if (s == RIA_OK) s = ria_field3_slice(f[0], RIA_Z, 1, &r);
  ria_raster_destroy(&r);
  for (int k = 0; k < 4; k++) ria_field3_destroy(&f[k]);
  return s;
}

/* --- ground ------------------------------------------------------------------------------------
 */

static ria_status sound(ria_context *ctx, ria_raster **out) {
  const ria_soundings_desc desc = {.paths = (const char *const[]){files_path("soundings.csv")},
                                   .n_paths = 1,
                                   .dx = 10,
                                   .gridding = RIA_GRIDDING_TRIANGLES};
  return ria_raster_from_soundings(ctx, &desc, out);
}

static ria_status make_ground(void *user) {
  ria_context *ctx = user;
  ria_raster *soundings = NULL, *ground = NULL;
  ria_status s = sound(ctx, &soundings);
  const ria_dem_layer layers[] = {{.raster = soundings, .offset = 0.5, .blend = 20},
                                  {.path = files_path("land.asc")}};
  if (s == RIA_OK)
    s = ria_dem_make(
        ctx,
        &(ria_dem_desc){
            .layers = layers, .n_layers = 2, .dx = 10, .gap = 3, .smooth = 10, .least_depth = 0.5},
        &ground);
  CHECK(s == RIA_OK || !ground);
  ria_raster_destroy(&soundings);
  ria_raster_destroy(&ground);
  return s;
}

static void put_ground(void) {
  char text[4096], *to = text;
  for (int k = 0; k < 40; k++)
    to += sprintf(to, "%d,%d,%d\n", 25 + 37 * k % 90, 25 + 53 * k % 70, -1 - k % 5);
  files_put("soundings.csv", text);
  to = text + sprintf(text, "ncols 20\nnrows 16\nxllcorner 0\nyllcorner 0\ncellsize 10\n");
  for (int k = 0; k < 320; k++) to += sprintf(to, "%d ", k % 17 ? k % 7 : -9999);
  files_put("land.asc", text);
}

int main(void) {
  files_begin();
  ria_context *ctx = NULL, *cut = NULL;
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx));
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu", .parts = 3},
                                    &cut));
  snprintf(store, sizeof store, "%s", files_path("results"));
  make_results(ctx);
  put_ground();
  use same = {ctx, &coarse, goes_on, NULL}, other = {ctx, &turned, keeps_levels, NULL},
      nested = {ctx, &fine, is_nested, NULL}, finer = {ctx, &fine, goes_on, NULL};
  places_refuse(ctx, "from", in_a_run, &same, 1);
  places_refuse(ctx, "from, turned", in_a_run, &other, 4);
  places_refuse(ctx, "from, finer", in_a_run, &finer, 4);
  places_refuse(ctx, "nest", in_a_run, &nested, 4);
  places_refuse(ctx, "forecast", foresee, &same, 4);
  places_refuse(ctx, "traces", follow, ctx, 4);
  places_refuse(ctx, "picture", draw, ctx, 4);
  places_refuse(ctx, "ground", make_ground, ctx, 4);
  places_refuse(cut, "fields", in_space, cut, 3);
  const char *const solvers[][2] = {
      {"shallow_water", "level"}, {"adi", "level"}, {"diffusion", "u"}, {"sediment", "height"}};
  for (int k = 0; k < 4; k++) {
    part_run r = {cut, solvers[k][0], solvers[k][1]};
    places_refuse(cut, r.solver, in_parts, &r, 4);
    r.ctx = ctx;
    places_refuse(ctx, r.solver, in_parts, &r, 4);
  }
  ria_context_destroy(&cut);
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
