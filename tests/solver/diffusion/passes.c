/* Several steps a pass give the bits that single steps give: with every kind of side, values that
 * change in time, odd sizes, sources, maps, any number of threads, however a run is cut up, gauges
 * that are read between steps, the plate in parts (RIA_TEST_PARTS) where the single steps have it
 * whole; on a GPU also without what it has for small plates
 * (RIA_CUDA_SHORT_WAYS=off). */
#include "plate.h"

enum { SIDES = 7 };
static const char *const kinds[SIDES][RIA_SIDES] = {
    {"open", "open", "open", "open"},           {"value", "open", "fixed", "flux"},
    {"flux", "value", "open", "fixed"},         {"periodic", "periodic", "value", "flux"},
    {"value", "fixed", "periodic", "periodic"}, {"periodic", "periodic", "periodic", "periodic"},
    {"fixed", "flux", "flux", "value"}};

typedef struct scene {
  int nx, ny, sides, threads, steps_per_pass, cut;
  ria_real real;
  bool map, source, long_way, gauged, whole;
} scene;

/* Values in time on one side, a stretch of another kind on the opposite one. */
static void force(plate *p, const scene *s) {
  for (int side = 0; side < RIA_SIDES; side++)
    plate_side(p, (ria_side)side, kinds[s->sides][side], 0.7 * side - 0.5);
  static const double knots[] = {0, 0.3, 0.05, 2, 0.1, -1, 1000, 5};
  double t[4], v[4];
  for (int k = 0; k < 4; k++) {
    t[k] = knots[2 * k];
    v[k] = knots[2 * k + 1];
  }
  if (s->sides % 3 != 2) return;
  ria_series *series = NULL;
  CHECK_OK(p->ctx, ria_series_table(p->ctx, &(ria_table_desc){.t = t, .v = v, .n = 4}, &series));
  const bool north = s->sides % 2;
  const double top = s->ny * p->grid.dy, right = s->nx * p->grid.dx;
  const ria_boundary_desc b = {.kind = "value",
                               .stretch = true,
                               .from = {north ? 0.3 * right : right, north ? top : 0.2 * top},
                               .to = {north ? 0.8 * right : right, north ? top : 0.9 * top},
                               .values = {{"u", {.series = series}}}};
  if (strcmp(kinds[s->sides][north ? RIA_NORTH : RIA_EAST], "periodic") != 0)
    CHECK_OK(p->ctx, ria_boundary_add(p->sim, &b, NULL));
  ria_series_destroy(&series);
}

/* One in several steps, and several a step. */
static void add_gauges(plate *p) {
  const double step = 0.0028; /* some */
  const ria_gauge_desc seldom = {.name = "seldom", .x = 0.05, .y = 0.06, .every = 5.3 * step},
                       often = {.name = "often", .x = 0.05, .y = 0.06, .every = 0.4 * step};
  CHECK_OK(p->ctx, ria_sim_gauge(p->sim, &seldom, NULL));
  CHECK_OK(p->ctx, ria_sim_gauge(p->sim, &often, NULL));
}

static double *outcome(const scene *s, double flux[2]) {
  plate p = plate_make(
      &(plate_desc){.nx = s->nx,
                    .ny = s->ny,
                    .dx = 0.1,
                    .dy = 0.13,
                    .real = s->real,
                    .threads = s->threads,
                    .dt = s->nx == 1 || s->ny == 1 ? 5e-4 : 0, /* nothing else may limit it */
                    .steps_per_pass = s->steps_per_pass,
                    .whole = s->whole});
  plate_scatter(&p, "u", -1, 1, 1);
  if (s->map) plate_scatter(&p, "diffusivity", 0.2, 2, 2);
  if (s->source) plate_scatter(&p, "source", -3, 3, 4);
  force(&p, s);
  if (s->gauged) add_gauges(&p);
  for (int done = 0; done < 23; done += s->cut)
    CHECK_OK(p.ctx, ria_sim_step(p.sim, done + s->cut < 23 ? s->cut : 23 - done));
  if (s->sides == 0) { /* ends that become neighbours on the way */
    plate_side(&p, RIA_SOUTH, "periodic", 0);
    plate_side(&p, RIA_NORTH, "periodic", 0);
  }
  CHECK_OK(p.ctx, ria_sim_run(p.sim, ria_sim_time(p.sim) + 0.021));
  double *u = malloc(plate_cells(&p) * sizeof *u);
  if (!u) abort();
  memcpy(u, plate_get(&p), plate_cells(&p) * sizeof *u);
  const ria_budget_row b = plate_budget(&p);
  flux[0] = b.inflow;
  flux[1] = b.outflow;
  plate_free(&p);
  return u;
}

static void compare(scene s) {
  static const scene ways[] = {{.threads = 1, .steps_per_pass = 0, .cut = 23},
                               {.threads = 3, .steps_per_pass = 8, .cut = 5},
                               {.threads = 2, .steps_per_pass = 3, .cut = 23},
                               {.threads = 2, .steps_per_pass = 16, .cut = 23},
                               {.threads = 2, .steps_per_pass = 0, .cut = 23, .gauged = true},
                               {.threads = 2, .steps_per_pass = 0, .cut = 23, .long_way = true},
                               {.threads = 2, .steps_per_pass = 4, .cut = 7, .long_way = true}};
  double flux[2], again[2];
  s.threads = 1;
  s.steps_per_pass = 1;
  s.cut = 23;
  s.gauged = false;
  s.whole = true;
  double *single = outcome(&s, flux);
  const size_t bytes = (size_t)s.nx * (size_t)s.ny * sizeof(double);
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
    s.threads = ways[k].threads;
    s.steps_per_pass = ways[k].steps_per_pass;
    s.cut = ways[k].cut;
    s.gauged = ways[k].gauged;
    s.whole = false;
    if (ways[k].long_way && !strcmp(test_device(), "cpu")) continue;
    setenv("RIA_CUDA_SHORT_WAYS", ways[k].long_way ? "off" : "on", 1);
    double *u = outcome(&s, again);
    if (!CHECK(memcmp(u, single, bytes) == 0))
      fprintf(stderr, "  %d x %d, %s, sides %d, map %d, source %d: %d steps a pass, %d threads%s\n",
              s.nx, s.ny, real_name[s.real], s.sides, s.map, s.source, s.steps_per_pass, s.threads,
              ways[k].long_way ? ", the long way" : "");
    CHECK_NEAR(again[0], flux[0], 1e-12 * (1 + flux[0]));
    CHECK_NEAR(again[1], flux[1], 1e-12 * (1 + flux[1]));
    free(u);
  }
  free(single);
}

int main(void) {
  static const int size[][2] = {{131, 203}, {1, 9}, {9, 1}, {7, 5}, {301, 61}, {1, 1}, {2, 40}};
  for (int k = 0; k < SHORT(7, 4); k++)
    for (int sides = 0; sides < SIDES; sides++)
      compare((scene){.nx = size[k][0],
                      .ny = size[k][1],
                      .sides = sides,
                      .real = (ria_real)((k + sides) % 2),
                      .map = (k + sides) % 3 == 1,
                      .source = (k + sides) % 4 > 1});
  return TEST_END();
}
