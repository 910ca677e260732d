/* Running out of memory: each operation is tried with its first, second, ... allocation failing.
 * It must say RIA_ERR_MEMORY, hand out nothing, and leak nothing (sanitizers and valgrind look). A
 * last try without a failure must succeed, which shows that every allocation was reached.
 *
 * refuse.h has the functions that the linker puts in front of malloc and its kin. */
#include "forcing/boundary_map.h"
#include "base/context.h"
#include "core/params.h"
#include "forcing/series.h"
#include "unit/otis.h"
#include "shapes/set.h"
#include <ria/crs.h>
#include <ria/planes.h>
#include "files.h"
#include "refuse.h"
#include "test.h"
#include <ria/field3.h>
#include <ria/tide_model.h>

#include <stdlib.h>

static ria_context *ctx;

/* An operation: does all of its work, frees it again. `kept` tells that an output was left set. */
typedef ria_status (*operation)(bool *kept);

/* `allocations`: how many it makes. */
static void run_out(const char *name, operation op, int allocations) {
  for (int k = 0; k <= allocations; k++) {
    bool kept = false;
    ria_error_clear(ctx);
    allocations_left = k;
    ria_status s = op(&kept);
    allocations_left = -1;
    bool right = k < allocations ? s == RIA_ERR_MEMORY && !kept : s == RIA_OK;
    if (!CHECK(right))
      fprintf(stderr, "  %s, allocation %d: %s\n", name, k + 1, ria_status_name(s));
  }
}

static ria_status make_context(bool *kept) {
  char error[128];
  ria_context *c = ctx;
  ria_context_desc desc = {
      .threads = 2, .device = "cpu", .error = error, .error_size = sizeof error};
  ria_status s = ria_context_create(&desc, &c);
  *kept = s != RIA_OK && c;
  if (s != RIA_OK) CHECK_HOLDS(error, "out of memory");
  if (s == RIA_OK) ria_context_destroy(&c);
  return s;
}

/* Then two allocations try whether there is room for threads. */
static bool with_openmp(void) {
  ria_context *c = NULL;
  const ria_context_desc desc = {.threads = 2, .device = "cpu"};
  if (!CHECK_OK(NULL, ria_context_create(&desc, &c))) return false;
  const bool two = ria_context_threads(c) == 2;
  ria_context_destroy(&c);
  return two;
}

static ria_status make_table(bool *kept) {
  static const double t[] = {0, 1, 2}, v[] = {5, 6, 7};
  ria_series *s = NULL, *copy = NULL;
  ria_status status = ria_series_table(ctx, &(ria_table_desc){.t = t, .v = v, .n = 3}, &s);
  if (status == RIA_OK) {
    status = ria_series_copy(ctx, s, &copy);
    ria_series_destroy(&s);
  }
  *kept = status != RIA_OK && (s || copy);
  if (status != RIA_OK) CHECK_HOLDS(ria_error(ctx), "out of memory: a series needs");
  ria_series_destroy(&copy);
  return status;
}

/* The system, its text, and what WKT is read into. */
static ria_status read_crs(bool *kept) {
  ria_crs *c = NULL;
  const ria_status s = ria_crs_create(
      ctx,
      "PROJCS[\"ETRS89 / UTM zone 29N\",GEOGCS[\"ETRS89\",DATUM[\"D_ETRS_1989\",SPHEROID[\"GRS_"
      "1980\",6378137,298.257222101]]],PROJECTION[\"Transverse_Mercator\"]]",
      &c);
  *kept = s != RIA_OK && c;
  ria_crs_destroy(&c);
  return s;
}

static ria_status make_tide(bool *kept) {
  const ria_constituent c = {.name = "M2", .amplitude = 1};
  ria_series *s = NULL;
  ria_status status = ria_series_tide(ctx, &(ria_tide_desc){.constituents = &c, .n = 1}, &s);
  *kept = status != RIA_OK && s;
  ria_series_destroy(&s);
  return status;
}

/* The points, their names and constituents, places, the map. */
static double still(int wave, double lon, double lat, int part) {
  return (void)lon, (void)lat, wave + part + 1;
}
static ria_status sample_model(bool *kept) {
  const double lon[] = {4, 4.1}, lat[] = {50, 50};
  ria_tide_points p = {0};
  const ria_status s =
      ria_tide_model_at(ctx, &(ria_tide_model){.otis = "otis_memory"}, true, 2, lon, lat, &p);
  *kept = s != RIA_OK && (p.n || p.point);
  ria_tide_points_free(&p);
  return s;
}

/* Made, set, summed up, cut: the field (2), values on their way in, sums, the plane (3). */
static ria_status use_field3(bool *kept) {
  const ria_grid3 g = {{3, 3, 3}, {1, 1, 1}, {0}, {false}};
  const double values[27] = {1};
  ria_field3 *f = NULL;
  ria_raster *r = NULL;
  ria_stats3 sums;
  ria_status s = ria_field3_create(ctx, &g, RIA_F64, &f);
  *kept = s != RIA_OK && f;
  if (s == RIA_OK) s = ria_field3_set(f, values);
  if (s == RIA_OK) s = ria_field3_stats(f, &sums);
  if (s == RIA_OK) s = ria_field3_slice(f, RIA_Z, 1, &r);
  if (s != RIA_OK) *kept = *kept || r;
  ria_raster_destroy(&r);
  ria_field3_destroy(&f);
  return s;
}

static ria_status flatten(bool *kept) {
  ria_doubles data = {0};
  ria_forcing entry;
  ria_status s = ria_value_flatten(ctx, &(ria_value){.constant = 1}, &entry, &data);
  for (int k = 0; s == RIA_OK && k < 3; k++) s = ria_doubles_append(ctx, &data, NULL, 60);
  *kept = s != RIA_OK && data.n % 60 != 0;
  ria_doubles_free(&data);
  return s;
}

/* A map that cannot be rebuilt stays as it was. */
static ria_status rebuild_map(bool *kept) {
  const ria_grid grid = {.nx = 3, .ny = 2, .dx = 1, .dy = 1};
  const ria_place place = {.side = RIA_NORTH, .count = 1};
  ria_boundary_map map = {0};
  ria_status s = ria_boundary_map_build(ctx, &grid, &place, 1, &map);
  if (s == RIA_OK) s = ria_boundary_map_build(ctx, &grid, NULL, 0, &map);
  *kept = s != RIA_OK && map.block && map.n != 5;
  ria_boundary_map_free(&map);
  return s;
}

/* A boundary along a line with a gap keeps nothing that it could not make. */
static ria_status cut_side(bool *kept) {
  const ria_grid grid = {.nx = 9, .ny = 2, .dx = 1, .dy = 1};
  const double x[] = {1, 2, 4, 5}, y[] = {0, 0, 0, 0}, z[] = {0, 0, 0, 0};
  const size_t first[] = {0, 2, 4};
  const ria_shape line = {.kind = RIA_LINES, .n_parts = 2, .first = first, .x = x, .y = y, .z = z};
  ria_shapes *shapes = NULL;
  ria_place place = {.first = -1};
  ria_status s = ria_shapes_make(ctx, &line, 1, NULL, &shapes);
  if (s == RIA_OK) s = ria_place_resolve(ctx, &grid, &(ria_boundary_desc){.line = shapes}, &place);
  if (s == RIA_OK) CHECK(place.first == 1 && place.count == 4 && !ria_place_has(&place, 2));
  *kept = s != RIA_OK && place.first != -1;
  ria_place_clear(&place);
  ria_shapes_destroy(&shapes);
  return s;
}

static ria_status take_memory(bool *kept) {
  const ria_backend *b = ria_context_backend(ctx);
  void *p = ctx;
  ria_status s = b->alloc(ctx, b, 1000, &p);
  *kept = s != RIA_OK && p;
  if (s == RIA_OK)
    b->free(b, p);
  else
    CHECK_TEXT(ria_error(ctx), "out of memory: a field needs 1 kB");
  return s;
}

/* Planes with a field, forcing and a maximum. */
typedef struct slab {
  ria_planes p;
  void *height;
} slab;

static void *height_of(const void *self, int field, int tracer) {
  return (void)field, (void)tracer, ((const slab *)self)->height;
}

static ria_status use_planes(bool *kept) {
  static const ria_plane_callbacks call = {.plane = height_of};
  static const ria_forcing entry = {.kind = RIA_FORCING_CONSTANT};
  static const ria_stretch stretch = {0};
  static const int32_t cell = 1, owner[3] = {0};
  static const double weight = 1;
  const ria_source source = {0, 0, 0, 1, 1, &cell, &weight};
  const ria_forcing_set set = {
      .table = {&entry, NULL, 1, 0},
      .boundary = {.n = 1, .stretch = &stretch, .owner = {owner, owner, owner, owner}},
      .n_sources = 1,
      .sources = &source,
  };
  const ria_solver_setup setup = {.ctx = ctx,
                                  .backend = ria_context_backend(ctx),
                                  .threads = 1,
                                  .grid = {.nx = 3, .ny = 2, .dx = 1, .dy = 1}};
  slab s = {.height = NULL};
  ria_status status = ria_planes_init(&s.p, &setup, &call, 1);
  if (status == RIA_OK) status = ria_plane_alloc(&s.p, &s.height);
  if (status == RIA_OK) status = ria_planes_force(&s, &set);
  *kept = status != RIA_OK && s.p.stretch;
  if (status == RIA_OK) status = ria_planes_track(&s, 0, -1);
  ria_plane_free(&s.p, s.height);
  ria_planes_free(&s.p);
  return status;
}

/* --- forcing that cannot be replaced ---------------------------------------------------------- */

enum { CELLS = 6 * 4 };

/* All four sides of one kind; 1 of its value. */
static ria_status force_all(const ria_solver *solver, void *self, int kind) {
  static const ria_forcing entry[] = {{.kind = RIA_FORCING_CONSTANT},
                                      {.kind = RIA_FORCING_CONSTANT, .base = 1}};
  static const int32_t owner[RIA_SIDES][6] = {
      {0}, {1, 1, 1, 1}, {2, 2, 2, 2, 2, 2}, {3, 3, 3, 3, 3, 3}};
  static const int varying[8] = {0};
  ria_stretch stretch[RIA_SIDES];
  for (int side = 0; side < RIA_SIDES; side++)
    stretch[side] = (ria_stretch){.kind = kind, .side = (ria_side)side, .value = {1}};
  const ria_forcing_set set = {
      .table = {entry, NULL, 2, 0},
      .boundary = {RIA_SIDES, stretch, {owner[0], owner[1], owner[2], owner[3]}, NULL, 0},
      .varying = varying};
  return solver->cpu->force(self, &set);
}

static double inflow_after_a_step(const ria_solver *solver, void *self) {
  double in[2 * RIA_SIDES] = {0}, out[2 * RIA_SIDES], sum = 0; /* of up to two quantities */
  const ria_span span = {.t_stop = 1e9, .max_steps = 1, .t_watch = INFINITY};
  CHECK_OK(ctx, solver->cpu->advance(self, &span));
  CHECK_OK(ctx, ria_planes_fluxes(self, RIA_SIDES, in, out));
  for (int k = 0; k < 2 * RIA_SIDES; k++) sum += in[k];
  return sum;
}

/* A solver under inflow from all sides (a kind of boundary), which walls are to replace. Whichever
 * allocation is refused, the inflow goes on. field: an index, is 2 everywhere. */
static void keeps_its_forcing(const char *name, int field, int inflow) {
  const ria_solver *solver = NULL;
  double params[64] = {0}, values[CELLS];
  void *self = NULL;
  CHECK_OK(ctx, ria_solver_find(ctx, name, &solver));
  ria_params_default(solver->params, params);
  const ria_solver_setup setup = {.ctx = ctx,
                                  .backend = ria_context_backend(ctx),
                                  .threads = 1,
                                  .grid = {.nx = 6, .ny = 4, .dx = 10, .dy = 10},
                                  .params = params};
  if (!CHECK(solver->params_size <= sizeof params)) return;
  if (!CHECK_OK(ctx, solver->cpu->create(&setup, &self))) return;
  for (int k = 0; k < CELLS; k++) values[k] = 2;
  CHECK_OK(ctx, solver->cpu->write(self, field, -1, values));
  CHECK_OK(ctx, force_all(solver, self, inflow));
  ria_status status = RIA_ERR_MEMORY;
  double in = 0;
  int k = 0;
  for (; k < 50 && status == RIA_ERR_MEMORY; k++) {
    allocations_left = k;
    status = force_all(solver, self, 0);
    allocations_left = -1;
    const double now = inflow_after_a_step(solver, self);
    if (status != RIA_OK) CHECK(now > in);
    if (status == RIA_OK) CHECK(now == in);
    in = now;
    ria_error_clear(ctx);
  }
  CHECK(status == RIA_OK && k > 3); /* memory was refused, and in the end the walls stand */
  solver->cpu->destroy(self);
}

/* --- a level that cannot be judged ------------------------------------------------------------ */

/* adi: water 10 m deep that moves against a wall, and climbs there above what `ceiling` lets it. */
static void *moving_water(const ria_solver *solver) {
  const ria_setting settings[] = {{"dt", 0.25, NULL}, {"ceiling", 0.01, NULL}};
  double params[64] = {0}, bed[CELLS], level[CELLS] = {0}, u[CELLS];
  void *self = NULL;
  CHECK_OK(ctx, ria_params_fill(ctx, solver->name, solver->params, settings, 2, params));
  const ria_solver_setup setup = {.ctx = ctx,
                                  .backend = ria_context_backend(ctx),
                                  .threads = 1,
                                  .grid = {.nx = 6, .ny = 4, .dx = 10, .dy = 10},
                                  .params = params};
  for (int k = 0; k < CELLS; k++) bed[k] = -10, u[k] = 1;
  if (!CHECK_OK(ctx, solver->cpu->create(&setup, &self))) return NULL;
  CHECK_OK(ctx, solver->cpu->write(self, 0, -1, bed));
  CHECK_OK(ctx, solver->cpu->write(self, 3, -1, level)); /* the fourth field */
  CHECK_OK(ctx, solver->cpu->write(self, 6, -1, u));     /* the seventh */
  CHECK_OK(ctx, force_all(solver, self, 0));
  return self;
}

/* Without memory to judge by, the span ends with an error before the next step; with it, the run
 * goes on as if nothing had been: to the judgement. */
static void judges_in_the_end(void) {
  const ria_solver *solver = NULL;
  const ria_span span = {.t_stop = 1e9, .max_steps = 1000, .t_watch = INFINITY};
  ria_progress at = {.failure = RIA_OK};
  CHECK_OK(ctx, ria_solver_find(ctx, "adi", &solver));
  void *self = moving_water(solver);
  for (int k = 0; self && k < 2; k++) {
    allocations_left = k == 0 ? 0 : -1;
    const ria_status status = solver->cpu->advance(self, &span);
    allocations_left = -1;
    CHECK_INT(status, k == 0 ? RIA_ERR_MEMORY : RIA_OK);
    if (k == 0) CHECK_TEXT(ria_error(ctx), "out of memory for a sum of a 6 x 4 grid");
    CHECK_OK(ctx, solver->cpu->progress(self, &at));
    CHECK_INT(at.failure, k == 0 ? RIA_OK : RIA_ERR_NUMERICAL);
    CHECK_INT(at.steps, 12); /* the second look */
    ria_error_clear(ctx);
  }
  CHECK_HOLDS(at.fail_what, "the level runs away: it is ");
  if (self) solver->cpu->destroy(self);
}

/* A start that runs out of memory may be tried again, without leave to overwrite: no output is left
 * out of the run then. */
static void starts_again(void) {
  const ria_grid grid = {.nx = 3, .ny = 3, .dx = 10, .dy = 10};
  ria_status s = RIA_ERR_MEMORY;
  int k = 0;
  for (; k < 300 && s != RIA_OK; k++) {
    char out[320], name[32];
    ria_sim *sim = NULL;
    snprintf(name, sizeof name, "start%d", k);
    snprintf(out, sizeof out, "%s", files_path(name));
    const ria_sim_desc desc = {.solver = "shallow_water", .grid = grid, .out = out};
    CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim));
    CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -1));
    allocations_left = k;
    s = ria_sim_start(sim);
    allocations_left = -1;
    ria_error_clear(ctx);
    CHECK_OK(ctx, k % 2 ? ria_sim_start(sim) : ria_sim_run(sim, 1));
    snprintf(name, sizeof name, "start%d/budget.csv", k);
    ria_sim_destroy(&sim);
    FILE *budget = fopen(files_path(name), "r");
    if (!CHECK(budget)) fprintf(stderr, "  allocation %d\n", k + 1);
    if (budget) fclose(budget);
  }
  CHECK(k > 40 && k < 300);
}

/* What came in over two changes of a side, the k-th allocation of the first step after the second
 * failing; the step is taken again then. */
static double tide_in_parts(int k, bool *failed) {
  const ria_context_desc parts = {.threads = 1, .device = "cpu", .parts = 3};
  const ria_sim_desc desc = {.grid = {.nx = 6, .ny = 7, .dx = 10}};
  const ria_boundary_desc high = {
      .name = "sea", .kind = "level", .side = RIA_WEST, .values = {{"level", {.constant = 0.5}}}};
  ria_boundary_desc higher = high;
  ria_context *c = NULL;
  ria_sim *sim = NULL;
  ria_boundary_id id;
  double in = 0, out = 0;
  higher.values[0].value.constant = 0.7;
  CHECK_OK(NULL, ria_context_create(&parts, &c));
  CHECK_OK(c, ria_sim_create(c, &desc, &sim));
  CHECK_OK(c, ria_sim_set_constant(sim, "bed", -2));
  CHECK_OK(c, ria_boundary_add(sim, &high, &id));
  CHECK_OK(c, ria_sim_step(sim, 5));
  CHECK_OK(c, ria_boundary_change(sim, id, &higher));
  allocations_left = k;
  const ria_status s = ria_sim_step(sim, 5);
  allocations_left = -1;
  *failed = s != RIA_OK;
  if (*failed) CHECK_INT(s, RIA_ERR_MEMORY);
  if (*failed) CHECK_OK(c, ria_sim_step(sim, 5));
  CHECK_OK(c, ria_boundary_flux(sim, id, "water", &in, &out));
  CHECK_INT(ria_sim_steps(sim), 10);
  ria_sim_destroy(&sim);
  ria_context_destroy(&c);
  return in;
}

/* Parts that get new forcing one after another lose nothing where that ends in the middle. */
static void parts_lose_nothing(void) {
  bool failed = true;
  const double in = tide_in_parts(-1, &failed);
  CHECK(!failed && in > 0);
  int k = 0;
  for (failed = true; failed && !test_failures; k++) CHECK(tide_in_parts(k, &failed) == in);
  CHECK(k > 10);
}

/* A polygon with an attribute, from a file onto a raster. */
static ria_status lay_shapes(bool *kept) {
  static const char text[] =
      "{\"type\":\"Feature\",\"properties\":{\"a\":\"b\"},\"geometry\":{\"type\":"
      "\"Polygon\",\"coordinates\":[[[0,0],[2,0],[2,2],[0,0]]]}}";
  const ria_grid g = {2, 2, 1, 1, 0, 0, 0};
  const double value = 1;
  double data[4] = {0}, weight[4], size;
  ria_shapes *s = NULL, *own = NULL;
  ria_shape_set *set = NULL;
  ria_status status = ria_geojson_parse(ctx, "a", text, sizeof text - 1, false, &set);
  if (status == RIA_OK) status = ria_set_close(ctx, set, &s);
  if (status == RIA_OK) status = ria_shapes_convert(ctx, s, "EPSG:32631", &own);
  *kept = status != RIA_OK && own;
  const ria_lay share = {.cells = RIA_CELLS_SHARE, .value = &value}, whole = {.value = &value};
  if (status == RIA_OK) status = ria_shapes_lay(ctx, s, &g, &share, data, NULL);
  if (status == RIA_OK) status = ria_shapes_lay(ctx, s, &g, &whole, data, NULL);
  if (status == RIA_OK) status = ria_shapes_weigh(ctx, s, &g, weight);
  if (status == RIA_OK) status = ria_shape_size(ctx, ria_shapes_at(s, 0), &size);
  ria_shapes_destroy(&s);
  ria_shapes_destroy(&own);
  return status;
}

/* A row of units, for which the table is read twice: what is not read again must not be told as
 * words where numbers should be. */
static ria_status read_points(bool *kept) {
  ria_shapes *s = NULL;
  const ria_status status = ria_shapes_read(ctx, files_path("points.csv"), NULL, &s);
  *kept = status != RIA_OK && s;
  if (s) CHECK_NEAR(ria_shapes_at(s, 0)->x[0], 3000, 1e-9);
  ria_shapes_destroy(&s);
  return status;
}

/* Points that are the cells of a raster stay that. */
static ria_status read_lattice(bool *kept) {
  ria_raster *r = NULL;
  const ria_status status = ria_raster_read(ctx, files_path("cells.xyz"), &r);
  *kept = status != RIA_OK && r;
  ria_raster_destroy(&r);
  return status;
}

int main(void) {
  parts_lose_nothing();
  if (!CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx)))
    return TEST_END();
  run_out("a field of three dimensions", use_field3, 7);
  run_out("context", make_context, with_openmp() ? 5 : 3);
  run_out("table", make_table, 4);
  run_out("tide", make_tide, 3);
  run_out("coordinate system", read_crs, 3);
  write_otis("otis_memory", still);
  run_out("tidal model", sample_model, 8);
  remove("otis_memory");
  run_out("shapes", lay_shapes, 75);
  run_out("flatten", flatten, 3);
  run_out("boundary map", rebuild_map, 2);
  run_out("boundary line", cut_side, 17);
  run_out("backend", take_memory, 1);
  run_out("planes", use_planes, 22);
  keeps_its_forcing("shallow_water", 2, 3); /* depth, discharge */
  keeps_its_forcing("adi", 2, 3);
  keeps_its_forcing("sediment", 0, 1);  /* height, flux */
  keeps_its_forcing("diffusion", 0, 2); /* u, flux */
  judges_in_the_end();
  files_begin();
  starts_again();
  files_put("points.csv", "name,x,y\n,km,m\nquay,3,4\n");
  run_out("points with units", read_points, 73);
  files_put("cells.xyz", "0 0 1\n1 0 2\n0 1 3\n1 1 4\n");
  run_out("a lattice of points", read_lattice, 10);
  files_end();
  ria_context_destroy(&ctx);
  return TEST_END();
}
