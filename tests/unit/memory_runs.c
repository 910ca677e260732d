/* Whole runs that run out of memory: hosts in C with all that a run may have are refused memory at
 * each place of the program that asks for some, once. They say so; nothing else fails, and nothing
 * leaks (builds with sanitizers, and under valgrind, tell). What is refused in single calls:
 * memory.c. */
#include "files.h"
#include "places.h"
#include <ria/checkpoint.h>
#include <ria/film.h>
#include <ria/forecast.h>
#include <ria/from.h>
#include <ria/output.h>
#include <ria/relax.h>
#include <ria/shapes.h>
#include <ria/traces.h>

enum { NX = 9, NY = 7, CELLS = NX * NY };
static const ria_grid grid = {.nx = NX, .ny = NY, .dx = 10, .dy = 10, .x0 = 500000, .y0 = 5800000};
static ria_shapes *across, *pond; /* a line and a polygon, in the grid */

/* A run, in a directory of its own each time. */
typedef struct run {
  ria_context *ctx;
  ria_sim_desc desc;
  ria_status (*set_up)(ria_sim *sim);
  double end;
  ria_status (*ask)(ria_sim *sim); /* at its end; NULL: nothing */
  bool continued; /* it is broken off half way, and a second one goes on from its checkpoint */
} run;

static void make_shapes(ria_context *ctx) {
  static const double x[] = {500022, 500064, 500064, 500022, 500022},
                      y[] = {5800022, 5800022, 5800044, 5800044, 5800022},
                      z[] = {NAN, NAN, NAN, NAN, NAN};
  static const size_t ring[] = {0, 5}, line[] = {0, 2};
  static const int polygon[] = {0};
  ria_shape s = {RIA_POLYGONS, .n_parts = 1, .first = ring, .polygon = polygon,
                 .x = x,       .y = y,       .z = z};
  CHECK_OK(ctx, ria_shapes_make(ctx, &s, 1, NULL, &pond));
  s.kind = RIA_LINES, s.first = line;
  CHECK_OK(ctx, ria_shapes_make(ctx, &s, 1, NULL, &across));
}

/* --- what a run may have ---------------------------------------------------------------------- */

static ria_status lay_bed(ria_sim *sim) {
  double bed[CELLS];
  for (int k = 0; k < CELLS; k++) bed[k] = -3 + 0.4 * (k % NX);
  RIA_TRY(ria_sim_set(sim, "bed", bed));
  return ria_sim_set_constant(sim, "level", 0);
}

static ria_status add_tide(ria_sim *sim) {
  const ria_constituent c[] = {{.name = "M2", .amplitude = 0.3}, {.name = "S2", .amplitude = 0.1}};
  ria_series *tide = NULL;
  RIA_TRY(
      ria_series_tide(ria_sim_context(sim), &(ria_tide_desc){.constituents = c, .n = 2}, &tide));
  const ria_boundary_point points[] = {
      {"level", .by_share = true, .value = {.series = tide}},
      {"level", .by_share = true, .share = 1, .value = {0.1, NULL}}};
  const ria_boundary_desc sea = {
      .name = "sea", .kind = "level", .side = RIA_WEST, .points = points, .n_points = 2};
  const ria_status s = ria_boundary_add(sim, &sea, NULL);
  ria_series_destroy(&tide);
  return s;
}

static ria_status add_river(ria_sim *sim) {
  static const double t[] = {0, 1e6}, v[] = {1, 2};
  ria_series *flow = NULL;
  RIA_TRY(ria_series_table(ria_sim_context(sim), &(ria_table_desc){.t = t, .v = v, .n = 2}, &flow));
  ria_boundary_desc river = {.name = "river",
                             .kind = "discharge",
                             .side = RIA_SOUTH,
                             .values = {{"q", {.series = flow}}},
                             .tracers = {{0.5, NULL}}};
  ria_boundary_id id;
  ria_status s = ria_boundary_add(sim, &river, &id);
  river.values[0].value = (ria_value){1.5, NULL};
  if (s == RIA_OK) s = ria_boundary_change(sim, id, &river);
  ria_series_destroy(&flow);
  return s;
}

static ria_status add_spills(ria_sim *sim) {
  const ria_spill_desc of[] = {
      {.name = "leak", .tracer = "oil", .shapes = pond, .rate = {0.1, NULL}, .has_rate = true},
      {.tracer = "oil", .x = 500025, .y = 5800035, .radius = 12, .mass = 2, .start = 5},
      {.x = 500025, .y = 5800035, .has_flow = true, .flow = {0.2, NULL}, .duration = 8}};
  for (int k = 0; k < 3; k++) RIA_TRY(ria_sim_spill(sim, &of[k], NULL));
  return RIA_OK;
}

static ria_status raise_river(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info, (void)user;
  ria_boundary_id id;
  RIA_TRY(ria_boundary_find(sim, "river", &id));
  RIA_TRY(ria_boundary_change(sim, id, &(ria_boundary_desc){.values = {{"q", {3, NULL}}}}));
  return ria_sim_note_change(sim, "sim:boundary { }");
}

static ria_status is_late(ria_sim *sim, const ria_event_info *info, void *user, bool *yes) {
  (void)sim, (void)user;
  *yes = info->t >= 6;
  return RIA_OK;
}

static ria_status nothing(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info, (void)user;
  double at;
  return ria_sim_probe(sim, "depth", 500025, 5800035, &at);
}

static ria_status add_gauges(ria_sim *sim) {
  static const char *const fields[] = {"level", "u"}, *const fit[] = {"M2"};
  const ria_gauge_desc a = {.name = "a", .x = 500035, .y = 5800035, .every = 4},
                       b = {"b", 500015, 5800015, 3, fields, 2, true};
  RIA_TRY(ria_sim_gauge(sim, &a, NULL));
  RIA_TRY(ria_sim_gauge(sim, &b, NULL));
  RIA_TRY(ria_sim_section(sim, &(ria_section_desc){"mouth", across, 4, false}, NULL));
  RIA_TRY(ria_sim_track_maximum(sim, "speed"));
  RIA_TRY(ria_sim_track_maximum(sim, "oil"));
  RIA_TRY(ria_sim_budget_every(sim, 5));
  return ria_sim_fit(sim, &(ria_fit_desc){.names = fit, .n_names = 1, .every = 2}, NULL);
}

static ria_status every(ria_sim *sim, double period, ria_status made, ria_action *action) {
  if (made != RIA_OK) return made;
  const ria_status s = ria_sim_every(sim, period, 0, 0, action, NULL);
  if (s != RIA_OK && action->drop) action->drop(action->user);
  return s;
}

static ria_status add_pictures(ria_sim *sim) {
  const ria_frame_desc
      level = {.field = "level", .width = 120, .height = 100, .arrows = true, .graticule = true},
      oil = {
          .field = "oil", .name = "plain", .scale = RIA_SCALE_LOG, .no_decor = true, .width = 32};
  const char *const films[] = {"level", "plain"};
  ria_action action = {0};
  RIA_TRY(every(sim, 6, ria_frame_action(sim, &level, &action), &action));
  RIA_TRY(every(sim, 6, ria_frame_action(sim, &oil, &action), &action));
  return ria_sim_film(
      sim, &(ria_film_desc){.series = films, .n_series = 2, .title = "both", .path = "both.png"});
}

static ria_status add_stores(ria_sim *sim) {
  static const char *const exact[] = {"bed", "depth", "level", "qx", "qy", "oil"}, *const coarse[] =
                                                                                       {"u", "v"};
  ria_action action = {0};
  RIA_TRY(every(sim, 4, ria_save_action(sim, &(ria_save_desc){exact, 6, NULL, 0, 0, 0}, &action),
                &action));
  return every(
      sim, 6,
      ria_save_action(sim, &(ria_save_desc){coarse, 2, "flow", 1e-3, RIA_LEVEL_RAW, 4}, &action),
      &action);
}

static ria_status add_events(ria_sim *sim) {
  RIA_TRY(ria_sim_at(sim, 7, &(ria_action){.fn = raise_river, .phase = RIA_PHASE_CALLBACK}, NULL));
  RIA_TRY(ria_sim_when(sim, is_late, 2, false, &(ria_action){.fn = nothing}, NULL));
  static const double t[] = {0, 1e6}, v[] = {5, 9};
  ria_series *wind = NULL;
  RIA_TRY(ria_series_table(ria_sim_context(sim), &(ria_table_desc){.t = t, .v = v, .n = 2}, &wind));
  const ria_status s = ria_sim_vary(sim, "wind_speed", &(ria_value){.series = wind});
  ria_series_destroy(&wind);
  return s;
}

static ria_status tell_page(ria_sim *sim) {
  static const char *const arguments[] = {"days=7"};
  RIA_TRY(ria_sim_set_provenance(sim, "{\"script\": \"x.lua\"}"));
  RIA_TRY(ria_sim_note(sim, "script", "x = 1", 5));
  return ria_sim_set_script(sim, &(ria_script){"x.lua", "x = 1", arguments, 1});
}

static ria_status estuary(ria_sim *sim) {
  RIA_TRY(lay_bed(sim));
  RIA_TRY(add_tide(sim));
  RIA_TRY(add_river(sim));
  RIA_TRY(add_spills(sim));
  RIA_TRY(add_gauges(sim));
  RIA_TRY(add_events(sim));
  return tell_page(sim);
}

static ria_status with_pictures(ria_sim *sim) {
  RIA_TRY(lay_bed(sim));
  RIA_TRY(add_tide(sim));
  return add_pictures(sim);
}

static ria_status with_stores(ria_sim *sim) {
  RIA_TRY(estuary(sim));
  RIA_TRY(add_stores(sim));
  return ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.every = 5, .at_end = true});
}

static ria_status ask(ria_sim *sim) {
  double values[CELLS];
  ria_budget_row rows[4];
  size_t n = 4;
  ria_stats stats;
  ria_summary sum;
  char *stands = NULL;
  RIA_TRY(ria_sim_get(sim, "speed", values));
  RIA_TRY(ria_sim_get_maximum(sim, "speed", values));
  RIA_TRY(ria_sim_stats(sim, "level", &stats));
  RIA_TRY(ria_sim_budget(sim, rows, &n));
  RIA_TRY(ria_sim_summary(sim, &sum));
  RIA_TRY(ria_sim_stands(sim, &stands));
  free(stands);
  return ria_sim_report(sim);
}

/* --- the run ---------------------------------------------------------------------------------- */

static ria_status first_half(const run *r, const ria_sim_desc *desc) {
  ria_sim *sim = NULL;
  ria_status s = ria_sim_create(r->ctx, desc, &sim);
  if (s == RIA_OK) s = r->set_up(sim);
  if (s == RIA_OK) s = ria_sim_advance(sim, r->end / 2);
  if (s == RIA_OK) s = ria_sim_finish(sim);
  ria_sim_destroy(&sim);
  return s;
}

static ria_status go(void *user) {
  static int turn;
  const run *r = user;
  char out[320], name[32], from[512], err[RIA_ERR_TEXT];
  snprintf(name, sizeof name, "run%d", turn++);
  snprintf(out, sizeof out, "%s", files_path(name));
  ria_sim_desc desc = r->desc;
  desc.out = out;
  desc.keep = r->continued;
  ria_sim *sim = NULL;
  ria_status s = r->continued ? first_half(r, &desc) : RIA_OK;
  if (s == RIA_OK) s = ria_sim_create(r->ctx, &desc, &sim);
  if (s == RIA_OK) s = r->set_up(sim);
  if (s == RIA_OK && r->continued) s = ria_sim_continue(sim, from, sizeof from);
  if (s == RIA_OK) s = ria_sim_run(sim, r->end);
  if (s == RIA_OK && r->ask) s = r->ask(sim);
  if (s == RIA_OK) s = ria_sim_finish(sim);
  ria_sim_destroy(&sim);
  if (turn > 1) ria_tree_remove(out, err, sizeof err); /* the first stays: others begin from it */
  return s;
}

static ria_status with_a_store(ria_sim *sim) {
  static const char *const field[] = {"level"};
  ria_action action = {0};
  RIA_TRY(lay_bed(sim));
  RIA_TRY(every(sim, 2, ria_save_action(sim, &(ria_save_desc){field, 1, NULL, 0, 0, 0}, &action),
                &action));
  return ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.at_end = true});
}

/* Memory is refused only while the checkpoint is taken. Where it was taken all the same, a run goes
 * on from it. */
static ria_status take_one(void *user) {
  const run *r = user;
  ria_sim_desc desc = r->desc;
  ria_sim *sim = NULL;
  char from[512];
  desc.out = files_path("taken");
  desc.keep = desc.overwrite = true;
  atomic_store(&places_rest, true);
  CHECK_OK(r->ctx, ria_sim_create(r->ctx, &desc, &sim));
  CHECK_OK(r->ctx, r->set_up(sim));
  CHECK_OK(r->ctx, ria_sim_advance(sim, r->end));
  atomic_store(&places_rest, false);
  ria_status s = ria_sim_run(sim, r->end);
  atomic_store(&places_rest, true);
  ria_sim_destroy(&sim);
  if (s == RIA_OK) s = ria_sim_create(r->ctx, &desc, &sim);
  if (s == RIA_OK) s = r->set_up(sim);
  if (s == RIA_OK) s = ria_sim_continue(sim, from, sizeof from);
  if (s == RIA_OK) s = ria_sim_advance(sim, r->end);
  if (s == RIA_OK) s = ria_sim_run(sim, r->end);
  if (s == RIA_OK) s = ria_sim_advance(sim, r->end);
  ria_sim_destroy(&sim);
  char err[RIA_ERR_TEXT];
  ria_tree_remove(files_path("taken"), err, sizeof err);
  atomic_store(&places_rest, false);
  return s;
}

static ria_sim_desc of_water(void) {
  static const ria_tracer oil = {"oil", "mg/l", 1e-4, 0.1};
  static const ria_setting first[] = {{"order", 1, NULL}, {"dt_max", 1, NULL}};
  return (ria_sim_desc){.solver = "shallow_water",
                        .grid = grid,
                        .params = first,
                        .n_params = 2,
                        .tracers = &oil,
                        .n_tracers = 1,
                        .start = "2026-01-01 00:00",
                        .crs = "EPSG:32631",
                        .units_row = true,
                        .title = "an estuary"};
}

int main(void) {
  files_begin();
  ria_context *ctx = NULL;
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx));
  make_shapes(ctx);
  run stores = {ctx, of_water(), with_stores, 12, ask, false};
  stores.desc.no_page = true; /* the other has one */
  places_refuse(ctx, "stores", go, &stores, 25);
  run pictures = {ctx, of_water(), with_pictures, 6, NULL, false};
  places_refuse(ctx, "pictures", go, &pictures, 30);
  run one = {ctx, stores.desc, with_a_store, 4, NULL, false};
  places_refuse(ctx, "one", take_one, &one, 2);
  stores.continued = true;
  places_refuse(ctx, "continued", go, &stores, 40);
  ria_shapes_destroy(&across);
  ria_shapes_destroy(&pond);
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
