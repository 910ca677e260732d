/* Dry land: a shelf is a wall until the water reaches it; a film on a bank beside a deep pool does
 * not jump; a dry channel fills from its river; a pool drains to its sill and no further; water
 * that is taken out leaves what is not there. */
#include "cases.h"

static double shelf(double x, double y) { return (void)y, x < 100 ? -5.0 : 1.0; }
static double seiche(double x, double y) { return (void)y, 0.4 * cos(acos(-1.0) * x / 100); }

/* A seiche of 0.4 m beside a shelf 1 m above the mean level: not a drop gets up. */
static void shelf_stays_dry(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 40, .ny = 5, .dx = 5, .real = real});
  flow_set(&f, "bed", shelf);
  flow_set(&f, "level", seiche);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 300));
  double *h = flow_get(&f, "depth");
  for (int j = 0; j < 5; j++)
    for (int i = 20; i < 40; i++) CHECK(h[j * 40 + i] == 0.0);
  free(h);
  flow_free(&f);
}

static double film_level(double x, double y) { return (void)y, x < 100 ? 0.0 : 1.001; }

/* One millimetre on that shelf runs off into the pool; nothing moves faster than it could fall. */
static void film_runs_off(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 40, .ny = 5, .dx = 5, .real = real, .manning = 0.02});
  flow_set(&f, "bed", shelf);
  flow_set(&f, "level", film_level);
  double fastest = 0, deepest_error = 0;
  for (int part = 0; part < 60; part++) {
    ria_stats speed, level;
    CHECK_OK(f.ctx, ria_sim_advance(f.sim, 10));
    CHECK_OK(f.ctx, ria_sim_stats(f.sim, "speed", &speed));
    CHECK_OK(f.ctx, ria_sim_probe(f.sim, "level", 20, 12, &level.max));
    fastest = fmax(fastest, speed.max);
    deepest_error = fmax(deepest_error, fabs(level.max));
  }
  printf("%s: film at most %.2g m/s, pool off by %.2g m\n", real_name[real], fastest,
         deepest_error);
  CHECK(fastest < sqrt(2 * gravity * 1.0));
  CHECK(deepest_error < 2e-3);
  flow_free(&f);
}

static double channel(double x, double y) { return 0.002 * x + 0.5 * fabs(y - 50) / 50; }
static double none(double x, double y) { return (void)x, (void)y, 0.0; }

/* A dry valley fills: what is in it is what the river brought, and it lies in the thalweg. */
static void river_fills(ria_real real) {
  flow f =
      flow_make(&(flow_desc){.nx = 60, .ny = 21, .dx = 100.0 / 21, .real = real, .manning = 0.03});
  flow_set(&f, "bed", channel);
  flow_set(&f, "depth", none);
  flow_side(&f, RIA_EAST, "discharge", "q", (ria_value){.constant = 2.0}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 120));
  double *h = flow_get(&f, "depth");
  CHECK_NEAR(flow_total(&f, 0), 240, 1e-3);
  CHECK(h[10 * 60 + 59] > 0.05 && h[0 * 60 + 59] < 0.2 * h[10 * 60 + 59]);
  free(h);
  flow_free(&f);
}

static double bowl(double x, double y) { return (void)y, fabs(x - 100) < 20 ? 0.0 : -2.0; }
static double high_west(double x, double y) { return (void)y, x < 100 ? 0.8 : -3.0; }

/* A pool behind a sill drains over it to the sill's height. */
static void drains_to_the_sill(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 40, .ny = 3, .dx = 5, .real = real, .manning = 0.02});
  flow_set(&f, "bed", bowl);
  flow_set(&f, "level", high_west);
  const double water = flow_total(&f, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 7200));
  double west = 0, east = 0;
  CHECK_OK(f.ctx, ria_sim_probe(f.sim, "level", 20, 7, &west));
  CHECK_OK(f.ctx, ria_sim_probe(f.sim, "level", 180, 7, &east));
  printf("%s: the pool stands at %.4f m over a sill at 0\n", real_name[real], west);
  CHECK(west > -1e-6 && west < 0.01);
  CHECK(east < -0.5);
  CHECK_NEAR(flow_total(&f, 0) / water, 1, real == RIA_F64 ? 1e-13 : 1e-6);
  flow_free(&f);
}

static double puddle(double x, double y) { return (void)x, (void)y, 0.1; }

/* An intake that asks for more than there is gets what there is. */
static void intake_runs_dry(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 20, .ny = 10, .dx = 5, .real = real});
  flow_set(&f, "bed", none);
  flow_set(&f, "depth", puddle);
  flow_side(&f, RIA_WEST, "discharge", "q", (ria_value){.constant = -50.0}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 600));
  double *h = flow_get(&f, "depth");
  for (int k = 0; k < 200; k++) CHECK(h[k] >= 0);
  ria_budget_row row[1];
  size_t n = 1;
  CHECK_OK(f.ctx, ria_sim_budget(f.sim, row, &n));
  CHECK(row[0].outflow <= row[0].initial * (1 + 1e-6) && row[0].outflow > 0.5 * row[0].initial);
  CHECK(fabs(row[0].relative) < (real == RIA_F64 ? 1e-13 : 1e-6));
  free(h);
  flow_free(&f);
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    const ria_real r = (ria_real)real;
    shelf_stays_dry(r);
    film_runs_off(r);
    river_fills(r);
    drains_to_the_sill(r);
    intake_runs_dry(r);
  }
  return TEST_END();
}
