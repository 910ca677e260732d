/* Constituents from maps of a tidal model, in C: at places, and along a side. */
#include "test.h"
#include "unit/otis.h"
#include <ria/ria.h>

#include <math.h>

static ria_context *ctx;

/* Linear in the place: bilinear values are exact. */
static double of_cell(int wave, double lon, double lat, int part) {
  const double z[2][2] = {{0.8 - 0.05 * (lon - 4), 0.3 + 0.2 * (lat - 50)},
                          {-0.1 + 0.1 * (lat - 50), 0.2 + 0.04 * (lon - 4)}};
  return z[wave][part];
}

static void check_point(const ria_tide_point *p, const char *const *name, int n, double lon,
                        double lat) {
  CHECK(p->n == (size_t)n);
  for (int k = 0; k < n; k++) {
    const ria_constituent *c = &p->constituents[k];
    const double re = c->amplitude * cos(c->phase * acos(-1.0) / 180),
                 im = -c->amplitude * sin(c->phase * acos(-1.0) / 180);
    const int wave = strcmp(c->name, "S2") == 0;
    CHECK(strcmp(c->name, name[k]) == 0);
    CHECK(c->phase >= 0 && c->phase < 360);
    CHECK_NEAR(re, of_cell(wave, lon, lat, 0), 1e-6);
    CHECK_NEAR(im, of_cell(wave, lon, lat, 1), 1e-6);
  }
}

static void at_places(const char *path) {
  static const char *const both[] = {"M2", "S2"}, *const one[] = {"S2"};
  const double lon[] = {4.1, 363.3, -355.5}, lat[] = {50.2, 49.7, 50.8};
  const double near_360[] = {4.1, 3.3, 4.5};
  ria_tide_model m = {.otis = path};
  ria_tide_points p;
  CHECK_OK(ctx, ria_tide_model_at(ctx, &m, true, 3, lon, lat, &p));
  CHECK(p.n == 3);
  for (size_t k = 0; k < p.n; k++) {
    CHECK(p.point[k].x == lon[k] && p.point[k].y == lat[k] && p.point[k].placed);
    check_point(&p.point[k], both, 2, near_360[k], lat[k]);
  }
  ria_tide_points_free(&p);
  m.only = one;
  m.n_only = 1;
  CHECK_OK(ctx, ria_tide_model_at(ctx, &m, true, 1, lon, lat, &p));
  check_point(&p.point[0], one, 1, lon[0], lat[0]);
  ria_tide_points_free(&p);
}

static void refuses(const char *path) {
  const double lon = 4, lat = 50, off = 60;
  const ria_tide_map map = {.name = "M2", .amplitude = path};
  ria_tide_points p;
  const char *says = "a tidal model has either maps or a file of OTIS, depths are for transports "
                     "of OTIS alone, and there is at least one place to sample it at";
#define REFUSES(MODEL, N, LAT, CODE, TEXT)                                                         \
  CHECK_FAILS(ctx, ria_tide_model_at(ctx, &(ria_tide_model)MODEL, true, N, &lon, &LAT, &p), CODE,  \
              TEXT);                                                                               \
  CHECK(p.n == 0 && !p.point)
#define OF(...) {__VA_ARGS__}
  REFUSES(OF(.unit = 1), 1, lat, RIA_ERR_ARGUMENT, says);
  REFUSES(OF(.otis = path, .map = &map, .n_maps = 1), 1, lat, RIA_ERR_ARGUMENT, says);
  REFUSES(OF(.otis = path, .depth = path), 1, lat, RIA_ERR_ARGUMENT, says);
  REFUSES(OF(.otis = path), 0, lat, RIA_ERR_ARGUMENT, says);
  REFUSES(OF(.otis = path), 1, off, RIA_ERR_INPUT,
          "otis_levels: (4, 60) lies outside the map of m2, which has x = 3 to 5 and y = 49 to 51");
  CHECK_FAILS(ctx,
              ria_tide_model_at(ctx, &(ria_tide_model){.otis = path}, false, 1, &lon, &lat, &p),
              RIA_ERR_INPUT,
              "otis_levels: the map is in degrees, and the run has no coordinate system: name the "
              "one that its x and y are in, crs = \"EPSG:...\"");
}

/* By where a boundary is to be, and by one that is there: the same points. */
static void along_side(const char *path) {
  const ria_sim_desc desc = {
      .grid = {.nx = 4, .ny = 500, .dx = 100, .dy = 100, .x0 = 550000, .y0 = 5520000},
      .crs = "EPSG:32631"};
  const ria_boundary_desc all = {.side = RIA_WEST}, part = {.name = "part",
                                                            .kind = "wall",
                                                            .stretch = true,
                                                            .from = {550000, 5521000},
                                                            .to = {550000, 5523000}};
  const ria_tide_model m = {.otis = path};
  ria_sim *sim = NULL;
  ria_tide_points p, q;
  ria_boundary_id id;
  if (!CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim))) return;
  CHECK_OK(ctx, ria_tide_model_along(sim, 0, &all, &m, &p));
  CHECK(p.n == RIA_TIDE_MODEL_POINTS);
  CHECK_NEAR(p.point[1].y - p.point[0].y, 50000.0 / RIA_TIDE_MODEL_POINTS, 1e-6);
  ria_tide_points_free(&p);
  CHECK_OK(ctx, ria_boundary_add(sim, &part, &id));
  CHECK_OK(ctx, ria_tide_model_along(sim, 0, &part, &m, &p));
  CHECK_OK(ctx, ria_tide_model_along(sim, id, NULL, &m, &q));
  CHECK(p.n == 20 && q.n == 20);
  for (size_t k = 0; k < p.n; k++) {
    double lon = p.point[k].x, lat = p.point[k].y;
    CHECK(lon == 550000 && lat == 5521050 + 100.0 * (double)k);
    CHECK(q.point[k].y == lat);
    CHECK(q.point[k].constituents[0].phase == p.point[k].constituents[0].phase);
    CHECK_OK(ctx, ria_sim_to_lon_lat(sim, 1, &lon, &lat));
    static const char *const both[] = {"M2", "S2"};
    check_point(&p.point[k], both, 2, lon, lat);
  }
  ria_tide_points_free(&p);
  ria_tide_points_free(&q);
  CHECK_FAILS(ctx, ria_tide_model_along(sim, 77, NULL, &m, &p), RIA_ERR_ARGUMENT,
              "there is no boundary 77");
  ria_sim_destroy(&sim);
}

int main(void) {
  const char *path = "otis_levels";
  if (!CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx)))
    return TEST_END();
  write_otis(path, of_cell);
  at_places(path);
  refuses(path);
  along_side(path);
  remove(path);
  ria_context_destroy(&ctx);
  return TEST_END();
}
