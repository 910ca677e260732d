/* tests/unit/misuse.c - what a host in C can ask for wrongly and a script cannot, whose arguments
 * are checked before: every description is refused by name, with the number that was wrong. */
#include "files.h"
#include "toy.h"
#include <ria/checkpoint.h>
#include <ria/crs.h>
#include <ria/dem.h>
#include <ria/export.h>
#include <ria/film.h>
#include <ria/forecast.h>
#include <ria/relax.h>
#include <ria/render.h>
#include <ria/shapes.h>
#include <ria/soundings.h>
#include <ria/traces.h>

static ria_context *ctx;
static ria_shapes *squares, *points; /* one each */

static void make_shapes(void) {
  static const size_t first[] = {0, 5}, one[] = {0, 1};
  static const int polygon[] = {0};
  static const double x[] = {110, 130, 130, 110, 110}, y[] = {210, 210, 230, 230, 210},
                      z[] = {NAN, NAN, NAN, NAN, NAN};
  ria_shape s = {.kind = RIA_POLYGONS,
                 .n_parts = 1,
                 .first = first,
                 .polygon = polygon,
                 .x = x,
                 .y = y,
                 .z = z};
  CHECK_OK(ctx, ria_shapes_make(ctx, &s, 1, NULL, &squares));
  s.kind = RIA_POINTS;
  s.first = one;
  CHECK_OK(ctx, ria_shapes_make(ctx, &s, 1, NULL, &points));
}

#define ARGUMENT(call, message) CHECK_FAILS(ctx, call, RIA_ERR_ARGUMENT, message)
#define EACH(k, of) for (size_t k = 0; k < sizeof(of) / sizeof *(of); k++)

static void heights(void) {
  const ria_grid g = {6, 4, 10.0, 10.0, 100.0, 200.0, 0};
  const double one = 1;
  double data[24] = {0};
  ria_lay lay = {.value = &one, .by_z = true};
  ARGUMENT(ria_shapes_lay(ctx, squares, &g, &lay, data, NULL),
           "shape 1: polygons have no z along them");
  lay.cells = RIA_CELLS_SHARE;
  ARGUMENT(ria_shapes_lay(ctx, squares, &g, &lay, data, NULL), "shapes: z goes into whole cells");
  for (int c = 0; c < 24; c++) CHECK(data[c] == 0);
}

/* --- forcing ---------------------------------------------------------------------------------- */

static void layers(void) {
  static double map[24], two[24];
  two[8] = 2;
  ria_solver relaxes = toy_solver;
  relaxes.relaxes = true;
  const ria_tracer oil = {.name = "oil"};
  const ria_sim_desc desc = {
      .grid = {6, 4, 10.0, 10.0, 100.0, 200.0, 0}, .tracers = &oil, .n_tracers = 1};
  const struct {
    ria_relax_desc d;
    const char *text;
  } wrong[] = {
      {{.side = {true}, .width = 20}, "layer 1: its time must be more than 0"},
      {{.side = {true}, .width = 20, .time = INFINITY}, "layer 1: its time must be more than 0"},
      {{.name = "sea", .side = {true}, .map = map, .time = 9},
       "layer 'sea' lies along sides, at shapes or by a map: one of them"},
      {{.shapes = squares, .map = map, .time = 9},
       "layer 1 lies along sides, at shapes or by a map: one of them"},
      {{.width = 20, .time = 9}, "layer 1 lies along no side"},
      {{.map = map, .width = 1, .time = 9}, "layer 1: a layer by a map has no width"},
      {{.side = {true}, .time = 9}, "layer 1: its width must be more than 0"},
      {{.side = {true}, .width = INFINITY, .time = 9}, "layer 1: its width must be more than 0"},
      {{.shapes = points, .time = 9},
       "layer 1: its width must be more than 0 (within polygons alone it may be left out)"},
      {{.side = {true}, .width = 20, .time = 9, .given = 1, .flow = {{.constant = NAN}}},
       "layer 1: level is not a finite number"},
      {{.side = {true}, .width = 20, .time = 9, .tracers_given = 1, .tracers = {{.constant = -1}}},
       "layer 1: the concentration of 'oil' is negative: it must be 0 or more"},
      {{.side = {true}, .width = 20, .time = 9, .tracers_given = 2},
       "layer 1: a concentration of tracer 2 of 1"},
      {{.map = two, .time = 9, .given = 1},
       "layer 1: its map is 2 in cell (2, 1): it must be 0 to 1"},
      {{.map = map, .time = 9, .given = 1}, "layer 1: its map is 0 in all cells"},
      {{.shapes = points, .width = 1e-3, .time = 9, .given = 1},
       "layer 1: a width of 0.001 m holds the centre of no cell: cells are 10 m wide"},
      {{.side = {true}, .width = 20, .time = 9},
       "layer 1 draws nothing: give it a level, u, v, tracers or a nest"},
  };
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  ARGUMENT(ria_relax_add(sim, &wrong[0].d), "solver 'toy' has no layers that draw its flow");
  ARGUMENT(ria_relax_add(sim, NULL), "a layer needs a description");
  ria_sim_destroy(&sim);
  CHECK_OK(ctx, ria_sim_create_with(ctx, &relaxes, &desc, &sim));
  EACH(k, wrong) ARGUMENT(ria_relax_add(sim, &wrong[k].d), wrong[k].text);
  ria_sim_destroy(&sim);
}

static void boundaries_and_spills(void) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  ria_shapes *none = NULL;
  ria_boundary_id id;
  ARGUMENT(ria_shapes_select(ctx, points, &(size_t){1}, 1, &none), "shape 2 of 1 is to be taken");
  CHECK_OK(ctx, ria_shapes_select(ctx, points, NULL, 0, &none));
  const struct {
    ria_boundary_desc d;
    const char *text;
  } wrong[] = {
      {{.kind = "closed", .line = none}, "boundary: its line has no shapes"},
      {{.kind = "closed", .line = points, .reach = -1}, "boundary: reach = -1 must be 0 or more"},
      {{.kind = "closed", .line = points, .stretch = true},
       "boundary: either a line, or from and to"},
      {{.kind = "closed", .line = points, .one_side = true, .side = (ria_side)4},
       "boundary: side 4 is none of west, east, south, north"},
  };
  EACH(k, wrong) ARGUMENT(ria_boundary_add(sim, &wrong[k].d, &id), wrong[k].text);
  const struct {
    ria_spill_desc d;
    const char *text;
  } spills[] = {
      {{.tracer = "oil", .x = 115, .y = 215, .mass = 1, .start = INFINITY},
       "spill 'oil': start, rate, flow or conc is not a finite number"},
      {{.tracer = "oil", .x = 115, .y = 215, .has_rate = true, .rate = {.constant = NAN}},
       "spill 'oil': start, rate, flow or conc is not a finite number"},
      {{.x = 115, .y = 215, .has_flow = true, .flow = {.constant = -1}},
       "spill 'water': flow is negative: a spill adds water; take it out by a boundary with a "
       "negative discharge"},
      {{.tracer = "oil", .mass = 1, .shapes = squares, .radius = 5},
       "spill 'oil': shapes have no radius"},
  };
  EACH(k, spills) ARGUMENT(ria_sim_spill(sim, &spills[k].d, NULL), spills[k].text);
  ria_shapes_destroy(&none);
  ria_sim_destroy(&sim);
}

static void tides(void) {
  static const double date[] = {0, 20e3, 50e3, 75e3}, value[] = {0, 1, INFINITY, 0};
  static const char *const nameless[1] = {NULL};
  const char *many[80];
  EACH(k, many) many[k] = "M2";
  ria_series *s = NULL;
  ria_tide_fit fit;
  ARGUMENT(ria_series_tide(ctx, &(ria_tide_desc){.phases = (ria_phases)9}, &s),
           "tide: phases 9 or nodal 0 is none of those there are");
  ARGUMENT(ria_series_tide(ctx, &(ria_tide_desc){.nodal = (ria_nodal)7}, &s),
           "tide: phases 0 or nodal 7 is none of those there are");
  const struct {
    ria_tide_fit_desc d;
    const char *text;
  } wrong[] = {
      {{.value = value, .n = 3}, "an analysis needs dates and values"},
      {{.date = date, .value = value, .n = 3, .rayleigh = -1},
       "rayleigh is -1: it must be above 0"},
      {{.date = date, .value = value, .n = 3}, "sample 3 is not a finite number"},
      {{.date = date, .value = date, .n = 3, .names = many, .n_names = 1},
       "3 samples are too few for 1 constituents"},
      {{.date = date, .value = date, .n = 4, .names = many, .n_names = 80},
       "80 constituents are too many: at most 37"},
      {{.date = date, .value = date, .n = 4, .names = nameless, .n_names = 1},
       "tide: a constituent has no name"},
  };
  EACH(k, wrong) ARGUMENT(ria_tide_analyse(ctx, &wrong[k].d, &fit), wrong[k].text);
}

static void soundings(void) {
  static const double x[] = {0, 10, 20}, z[] = {1, 2, 3}, y[] = {0, 5, NAN};
  const ria_soundings_desc good = {.x = x, .y = x, .z = z, .n = 3, .dx = 5};
  ria_soundings_desc d = good;
  ria_raster *r = NULL;
  d.y = y;
  ARGUMENT(ria_raster_from_soundings(ctx, &d, &r), "soundings: point 2 is at (20, nan)");
  d = good;
  d.x0 = 5, d.x1 = 1, d.y1 = 9;
  ARGUMENT(ria_raster_from_soundings(ctx, &d, &r),
           "soundings: the box from (5, 0) to (1, 9) must rise");
}

/* --- simulations ------------------------------------------------------------------------------ */

static void simulations(void) {
  static char crs[RIA_CRS_MAX + 1];
  memset(crs, 'x', sizeof crs - 1);
  const ria_tracer spreads = {.name = "dye", .diffusion = -2};
  const ria_grid grid = {6, 4, 10.0, 10.0, 0.0, 0.0, 0};
  char long_crs[80];
  snprintf(long_crs, sizeof long_crs, "crs is longer than %d characters", RIA_CRS_MAX - 1);
  const struct {
    ria_sim_desc d;
    const char *text;
  } wrong[] = {
      {{.grid = grid, .tracers = &spreads, .n_tracers = 1},
       "tracer 'dye': diffusion is -2 m^2/s, it must be 0 or more"},
      {{.grid = grid, .crs = crs}, long_crs},
      {{.grid = grid, .precision = (ria_real)7}, "precision is 7: it must be RIA_F64 or RIA_F32"},
      {{.grid = grid, .page_fields = 501},
       "page_fields is 501 MB: browsers take scripts of up to 500"},
  };
  ria_sim *sim = NULL;
  EACH(k, wrong) {
    ARGUMENT(ria_sim_create_with(ctx, &toy_solver, &wrong[k].d, &sim), wrong[k].text);
    CHECK(!sim);
  }
}

static ria_status nothing(ria_sim *sim, const ria_event_info *info, void *user) {
  return (void)sim, (void)info, (void)user, RIA_OK;
}

/* A run is recorded, forecast and continued from its beginning, in the right order. */
static void in_turn(void) {
  ria_forecast f;
  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path("turn"));
  ARGUMENT(ria_sim_forecast(sim, 1, 0, NULL, &f),
           "a forecast is of a simulation that was started and has taken no step");
  ARGUMENT(ria_sim_checkpoint(sim, files_path("a.ria")),
           "a checkpoint needs the record of the run: ask for it before the run starts "
           "(ria_sim_record)");
  CHECK_OK(ctx, ria_sim_record(sim));
  ARGUMENT(ria_sim_note(sim, "a/b", "", 1),
           "the name 'a/b' of a note may hold letters, digits, _ - and ., up to 32");
  ARGUMENT(ria_sim_note(sim, NULL, "", 1),
           "the name '' of a note may hold letters, digits, _ - and ., up to 32");
  const ria_checkpoints_desc wrong[] = {{.every = NAN}, {.wall = -1, .at_end = true}};
  EACH(k, wrong)
  ARGUMENT(ria_sim_checkpoints(sim, &wrong[k]),
           "the time between two checkpoints must be 0 s or more");
  ARGUMENT(ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.at_end = true, .keep = -2}),
           "-2 checkpoints to keep: 1 or more (0 = 2)");
  ARGUMENT(ria_sim_continue(sim, NULL, 0),
           "a simulation goes on in its results directory if it was made to keep what is there "
           "(`keep` of ria_sim_desc)");
  CHECK_OK(ctx, ria_sim_start(sim));
  ARGUMENT(ria_sim_forecast(sim, 1, -1, NULL, &f), "a forecast in -1 s: it must be 0 or more");
  ARGUMENT(ria_sim_record(sim), "the record of a run begins before it is started");
  const ria_action act = {.fn = nothing};
  ARGUMENT(ria_sim_every(sim, 1e-10, 0, 0, &act, NULL),
           "the period of an event is 1e-10 s: it must be at least 1e-9");
  ARGUMENT(ria_sim_every(sim, 1, INFINITY, 0, &act, NULL),
           "start inf s or stop 0 s of an event is not a time");
  ria_sim_destroy(&sim);
}

/* --- outputs ---------------------------------------------------------------------------------- */

static ria_status no_sums(void *self, int n) { return (void)self, (void)n, RIA_OK; }
static ria_status gathers_none(void *self, int field, int tracer, int first, int n,
                               const double *weight) {
  return (void)self, (void)field, (void)tracer, (void)first, (void)n, (void)weight, RIA_OK;
}

static void fits(void) {
  static const char *const names[16] = {"M2"};
  const ria_fit_desc good = {.names = names, .n_names = 1, .nodal = RIA_NODAL_DAILY};
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  ARGUMENT(ria_sim_fit(sim, &good, NULL), "solver 'toy' keeps no sums of its fields here");
  ARGUMENT(ria_sim_fit(sim, &(ria_fit_desc){0}, NULL), "a fit needs constituents");
  ria_sim_destroy(&sim);
  ria_solver_ops ops = toy_ops;
  ria_solver sums = toy_solver;
  ops.sums = no_sums, ops.gather = gathers_none;
  sums.cpu = &ops;
  const ria_sim_desc desc = {.grid = {6, 4, 10.0, 10.0, 0.0, 0.0, 0}};
  CHECK_OK(ctx, ria_sim_create_with(ctx, &sums, &desc, &sim));
  ria_fit_desc d = good;
  d.n_names = 0;
  ARGUMENT(ria_sim_fit(sim, &d, NULL), "a fit takes 1 to 15 constituents, not 0");
  d.n_names = 16;
  ARGUMENT(ria_sim_fit(sim, &d, NULL), "a fit takes 1 to 15 constituents, not 16");
  d.names = &names[1], d.n_names = 1;
  ARGUMENT(ria_sim_fit(sim, &d, NULL), "tide: a constituent has no name");
  double v[24];
  CHECK_OK(ctx, ria_sim_fit(sim, &good, NULL));
  ARGUMENT(ria_sim_get_fit(sim, "level_M3", v),
           "no map of a fit is named 'level_M3': did you mean 'level_Z0'?");
  ARGUMENT(ria_sim_get_fit(sim, NULL, v), "a map of a fit needs a name");
  ria_sim_destroy(&sim);
}

static void frames_and_saves(void) {
  static const char *const twice[] = {"level", "depth", "level"};
  char name[80];
  memset(name, 'n', sizeof name), name[79] = '\0';
  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path("asked"));
  ria_action act;
  const struct {
    ria_frame_desc d;
    const char *text;
  } frames[] = {
      {{.field = "oil", .scale = (ria_scale)5}, "scale 5 of a frame is not one of ria_scale"},
      {{.field = "oil", .threshold = -1}, "frames of 'oil': threshold is -1, it must be 0 or more"},
      {{.field = "oil", .thinnest = INFINITY},
       "frames of 'oil': thinnest is inf, it must be finite"},
      {{.field = "oil", .graticule = true, .graticule_step = 91},
       "frames of 'oil': the graticule's step is 91 degrees, it must be 0 (chosen) to 90"},
  };
  EACH(k, frames) ARGUMENT(ria_frame_action(sim, &frames[k].d, &act), frames[k].text);
  const struct {
    ria_save_desc d;
    const char *text;
  } saves[] = {
      {{0}, "a save needs at least one field"},
      {{.fields = twice, .n_fields = 1, .precision = -1},
       "precision of a save is -1: it must be 0 or more"},
      {{.fields = twice, .n_fields = 1, .precision = INFINITY},
       "precision of a save is inf: it must be 0 or more"},
      {{.fields = twice, .n_fields = 1, .tile = -1},
       "tile of a save is -1 cells: it may be 1 to 65536 (0 = 512)"},
      {{.fields = twice, .n_fields = 1, .tile = 65537},
       "tile of a save is 65537 cells: it may be 1 to 65536 (0 = 512)"},
  };
  EACH(k, saves) ARGUMENT(ria_save_action(sim, &saves[k].d, &act), saves[k].text);
  const struct {
    ria_gauge_desc d;
    const char *text;
  } gauges[] = {
      {{.name = "", .x = 115, .y = 215, .every = 1}, "a gauge needs a name"},
      {{.name = name, .x = 115, .y = 215, .every = 1},
       "gauge 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...': its name is longer than 63"},
      {{.name = "pier", .x = 115, .y = 215, .every = 1, .n_fields = 2},
       "gauge 'pier': its fields are missing"},
      {{.name = "pier", .x = 115, .y = 215, .every = 1, .n_fields = 3, .fields = twice},
       "gauge 'pier' names 'level' twice"},
  };
  EACH(k, gauges) ARGUMENT(ria_sim_gauge(sim, &gauges[k].d, NULL), gauges[k].text);
  ARGUMENT(ria_sim_section(sim, &(ria_section_desc){.name = "mouth", .every = 1}, NULL),
           "section 'mouth' has no line");
  ria_sim_destroy(&sim);
}

static void pictures(void) {
  const char *from = files_path("nowhere");
  const struct {
    ria_render_desc d;
    const char *text;
  } wrong[] = {
      {{.from = from}, "a picture needs the results of a run and a path"},
      {{.from = from, .path = "a.png", .n_times = RIA_RENDER_TIMES + 1}, "times"},
      {{.from = from, .path = "a.png", .n_overlays = RIA_RENDER_OVERLAYS + 1}, "overlays"},
      {{.from = from, .path = "a.png", .contour_step = -1}, "contours: give a step above 0"},
      {{.from = from, .path = "a.png", .dpi = 29}, "29 dots an inch: 30 to 2400 are possible"},
      {{.from = from, .path = "a.png", .dpi = 2401}, "2401 dots an inch"},
      {{.from = from, .path = "a.png", .graticule_step = -1}, "the graticule's step is -1 degrees"},
      {{.from = from, .path = "a.png", .minus = from, .scale = RIA_RENDER_LOG},
       "a difference has values below 0, which a log scale cannot show"},
      {{.from = from, .path = "a.png", .traces = RIA_RENDER_TRACES + 1}, "traces in one picture"},
      {{.from = from, .path = "a.png", .traces = 3, .trace_points = points},
       "traces set out evenly or at points: give a number or a file, not both"},
      {{.from = from, .path = "a.png", .traces = 3, .traces_over = -1}, "traces over -1 s"},
      {{.from = from, .path = "a.png", .traces_over = 60},
       "when traces begin was given, and not where: how many, or at which points"},
  };
  EACH(k, wrong) {
    CHECK_STATUS(ctx, ria_render(ctx, &wrong[k].d, NULL), RIA_ERR_ARGUMENT);
    CHECK_HOLDS(ria_error(ctx), wrong[k].text);
  }
  ria_traces *t = NULL;
  ARGUMENT(ria_traces_make(ctx, &(ria_traces_desc){.from = from, .n = 1}, &t),
           "traces need the results of a run and positions");
  const ria_film_desc films[] = {{.dir = from, .n_series = RIA_FILM_SERIES + 1},
                                 {.dir = from, .width = 100000}};
  EACH(k, films) CHECK_STATUS(ctx, ria_film(ctx, &films[k], NULL), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "a film of 100000 x 0 pixels: at most ");
}

static void exports(void) {
  static const double at[4] = {0};
  const char *from = files_path("nowhere");
  const struct {
    ria_export_desc d;
    const char *text;
  } wrong[] = {
      {{.from = ""}, "export: name the results of a run, or a store"},
      {{.from = from, .to = (ria_export_kind)9}, "export: there is no format number 9"},
      {{.from = from, .to = RIA_EXPORT_NETCDF, .at = at},
       "export: the values at a place or along a line are tables: export to csv"},
      {{.from = from, .to = RIA_EXPORT_CSV, .at = at, .line = at},
       "export: a place or a line, not both"},
      {{.from = from, .to = RIA_EXPORT_CSV, .out = ""},
       "export: out is not the name of a file or folder"},
  };
  EACH(k, wrong) ARGUMENT(ria_export(ctx, &wrong[k].d), wrong[k].text);
}

int main(void) {
  files_begin();
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu", .threads = 1}, &ctx));
  make_shapes();
  heights();
  layers();
  boundaries_and_spills();
  tides();
  soundings();
  simulations();
  in_turn();
  fits();
  frames_and_saves();
  pictures();
  exports();
  ria_shapes_destroy(&points);
  ria_shapes_destroy(&squares);
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
