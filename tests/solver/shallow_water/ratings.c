/* Outlets with a rating, at both orders (RIA_TEST_ORDER). A canal without slope or friction has the
 * level that the curve says; a pond below the curve keeps still, one above it drains to the curve's
 * beginning and no lower; nothing comes in, over dry banks either; the search for the level ends at
 * it whatever the curve. */
#include "cases.h"
#include "solvers/shared/water/boundary_k.h"

static const double rating_q[] = {0, 20, 100, 400}, rating_level[] = {-9.5, -9.0, -8.0, -6.0};
static bool rating_along_y;
static double rating_still;

static double rating_bed(double x, double y) { return (void)x, (void)y, -10.0; }
static double rating_uneven(double x, double y) {
  return -10 + 0.3 * sin(0.02 * (x + 2 * y)) * cos(0.03 * (y - x));
}
static double rating_pond(double x, double y) { return (void)x, (void)y, rating_still; }

static ria_series *rating_series(ria_context *ctx) {
  ria_series *s = NULL;
  const ria_table_desc d = {.t = rating_q, .v = rating_level, .n = 4};
  CHECK_OK(ctx, ria_series_table(ctx, &d, &s));
  return s;
}

/* A canal of 60 x 6 cells, or turned by a quarter; q m^3/s come in at one end. */
static flow rating_canal(ria_real real, ria_side side, double q, double level, shape bed) {
  rating_along_y = side == RIA_SOUTH || side == RIA_NORTH;
  rating_still = level;
  flow f = flow_make(&(flow_desc){
      .nx = rating_along_y ? 6 : 60, .ny = rating_along_y ? 60 : 6, .dx = 25, .real = real});
  const ria_side other[] = {[RIA_WEST] = RIA_EAST,
                            [RIA_EAST] = RIA_WEST,
                            [RIA_SOUTH] = RIA_NORTH,
                            [RIA_NORTH] = RIA_SOUTH};
  flow_set(&f, "bed", bed);
  flow_set(&f, "level", rating_pond);
  ria_series *curve = rating_series(f.ctx);
  if (q > 0) flow_side(&f, other[side], "discharge", "q", (ria_value){.constant = q}, 0);
  flow_side(&f, side, "rating", "curve", (ria_value){.series = curve}, 0);
  ria_series_destroy(&curve);
  return f;
}

static void rating_flux(flow *f, ria_side side, double *in, double *out) {
  ria_boundary_id id;
  const char *const name[] = {
      [RIA_WEST] = "west", [RIA_EAST] = "east", [RIA_SOUTH] = "south", [RIA_NORTH] = "north"};
  CHECK_OK(f->ctx, ria_boundary_find(f->sim, name[side], &id));
  CHECK_OK(f->ctx, ria_boundary_flux(f->sim, id, "water", in, out));
}

/* It sways for a while. Its level becomes that of the curve, also above the last row: as between
 * the last two. */
static void rating_steady(ria_real real, ria_side side, double q, double level, double bound) {
  flow f = rating_canal(real, side, q, level, rating_bed);
  double in[2], out[2], most = 0;
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 4 * 3600));
  rating_flux(&f, side, &in[0], &out[0]);
  CHECK_OK(f.ctx, ria_sim_advance(f.sim, 600));
  rating_flux(&f, side, &in[1], &out[1]);
  double *h = flow_get(&f, "level");
  for (int k = 0; k < 360; k++) most = fmax(most, fabs(h[k] - level));
  const ria_budget_row water = flow_budget(&f, 0);
  printf("%s, side %d, %g m^3/s: level off by %.1e m, discharge by %.1e; account %.1e\n",
         real_name[real], (int)side, q, most, (out[1] - out[0]) / 600 / q - 1, water.relative);
  CHECK(most < bound);
  CHECK(fabs((out[1] - out[0]) / 600 / q - 1) < 4 * bound);
  CHECK(in[1] == 0);
  CHECK(fabs(water.relative) < (real == RIA_F64 ? 1e-12 : 1e-6));
  free(h);
  flow_free(&f);
}

/* Below the curve's beginning nothing moves, over uneven ground too. */
static void rating_rest(ria_real real, ria_side side, double level) {
  flow f = rating_canal(real, side, 0, level, rating_uneven);
  double in, out, most = 0;
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 3600));
  rating_flux(&f, side, &in, &out);
  double *h = flow_get(&f, "level");
  for (int k = 0; k < 360; k++)
    if (!isnan(h[k])) most = fmax(most, fabs(h[k] - level));
  printf("%s, side %d, at rest: level off by %.1e m; %.1e m^3 in, %.1e out\n", real_name[real],
         (int)side, most, in, out);
  CHECK(most < (real == RIA_F64 ? 1e-9 : 1e-4));
  CHECK(in == 0 && out == 0);
  free(h);
  flow_free(&f);
}

/* A pond above it drains to the curve's beginning. */
static void rating_drain(ria_real real, ria_side side) {
  flow f = rating_canal(real, side, 0, -7, rating_bed);
  double in, out, least = 0, most = -20;
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 8 * 3600));
  rating_flux(&f, side, &in, &out);
  double *h = flow_get(&f, "level");
  for (int k = 0; k < 360; k++) least = fmin(least, h[k]), most = fmax(most, h[k]);
  printf("%s, side %d: a pond drained to %.4f .. %.4f m; %.3g m^3 in, %.6g out\n", real_name[real],
         (int)side, least, most, in, out);
  CHECK(least > -9.52 && most < -9.45);
  CHECK(in == 0);
  free(h);
  flow_free(&f);
}

/* A dry valley whose curve begins above the bed of its banks: a trickle runs out of its deepest
 * cell, and that lets none in over the others. At order 2 an edge is closed by its cell, and what
 * the face has beyond that may swing. */
static double rating_valley_bed(double x, double y) { return 0.01 * x + fabs(y - 105) * 0.015; }
static void rating_valley(ria_real real, ria_side side) {
  flow f = flow_make(&(flow_desc){.nx = 30, .ny = 21, .dx = 10, .real = real, .manning = 0.03});
  const double q[] = {0, 20, 80}, level[] = {0.6, 1.1, 1.6};
  const double t[] = {0, 600, 4000, 8000}, flows[] = {0, 0.02, 3, 0};
  ria_series *curve = NULL, *water = NULL;
  double in, out;
  CHECK_OK(f.ctx, ria_series_table(f.ctx, &(ria_table_desc){.t = q, .v = level, .n = 3}, &curve));
  CHECK_OK(f.ctx, ria_series_table(f.ctx, &(ria_table_desc){.t = t, .v = flows, .n = 4}, &water));
  flow_set(&f, "bed", rating_valley_bed);
  flow_side(&f, side, "rating", "curve", (ria_value){.series = curve}, 0);
  const ria_spill_desc spill = {.name = "spring",
                                .x = 250,
                                .y = 105,
                                .radius = 12,
                                .flow = {.series = water},
                                .duration = 7000};
  CHECK_OK(f.ctx, ria_sim_spill(f.sim, &spill, NULL));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 9000));
  rating_flux(&f, side, &in, &out);
  printf("%s, a valley: %.3g m^3 in, %.6g out\n", real_name[real], in, out);
  CHECK(out > 1e4);
  CHECK(by_order(in, 0) == 0 && in <= 0.003 * out);
  ria_series_destroy(&curve);
  ria_series_destroy(&water);
  flow_free(&f);
}

/* What leaves at the level that the search ends at, more than the curve has: of many states and
 * curves, flat ones and steep ones, with films and with jets. */
static double rating_draw(unsigned *seed, double a, double b) {
  *seed = *seed * 1664525u + 1013904223u;
  return a + (b - a) * (*seed >> 8) / 16777216.0;
}
static double rating_more(const water_leaving *c, int n, const ria_forcing *f, const double *d,
                          double level) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += water_leaves(c[k], level, gravity);
  return 10 * sum - water_curve_flow(f, d, level);
}
static double rating_search(unsigned *seed) {
  water_leaving c[12];
  double d[12] = {0, rating_draw(seed, -6, 2)};
  const int n = 1 + (int)rating_draw(seed, 0, 12);
  const ria_forcing f = {
      .kind = RIA_FORCING_LINEAR, .count = 2 + (int)rating_draw(seed, 0, 4.99), .scale = 1};
  for (int k = 2; k < 2 * f.count; k += 2) {
    d[k] = d[k - 2] + rating_draw(seed, 0.01, rating_draw(seed, 0, 1) < 0.5 ? 100 : 1);
    d[k + 1] = d[k - 1] + rating_draw(seed, 1e-4, 1);
  }
  double low = d[1], high = d[1];
  for (int k = 0; k < n; k++) {
    const double deep = rating_draw(seed, 0, 1), most = deep < 0.4 ? 0 : deep < 0.7 ? 0.01 : 4;
    c[k].z = rating_draw(seed, -5, 2);
    c[k].h = rating_draw(seed, 0, most);
    c[k].un = rating_draw(seed, -2.5, 2.5) * sqrt(gravity * c[k].h);
    low = fmin(low, c[k].z);
    high = fmax(high, water_stays_at(c[k], gravity));
  }
  const double least = rating_more(c, n, &f, d, high) + water_curve_flow(&f, d, high);
  high = fmax(high, water_curve_level(&f, d, fmax(least, 0)));
  water_search s = water_search_between(low, high, rating_more(c, n, &f, d, low),
                                        rating_more(c, n, &f, d, high));
  for (int k = 0; k < WATER_SEARCHES && !water_search_ends(&s); k++) {
    const double at = water_search_at(&s);
    water_search_found(&s, at, rating_more(c, n, &f, d, at));
  }
  return fabs(rating_more(c, n, &f, d, water_search_result(&s)));
}
static void rating_searches(void) {
  unsigned seed = 1;
  double worst = 0;
  for (int k = 0; k < 100000; k++) worst = fmax(worst, rating_search(&seed));
  printf("searches: off by %.1e m^3/s at most\n", worst);
  CHECK(worst < 1e-6);
}

static void rating_refused(void) {
  static const struct {
    double q[3], level[3];
    size_t n;
    const char *text;
  } bad[] = {
      {{5, 20},
       {1, 2},
       2,
       "boundary 'east': curve begins at 5 m^3/s: its first row is that of 0 m^3/s, the level at "
       "which nothing leaves"},
      {{0, 20, 30},
       {1, 2, 2},
       3,
       "boundary 'east': curve does not rise from 20 to 30 m^3/s: more leaves at a higher level"},
      {{0},
       {1},
       1,
       "boundary 'east': curve is a curve: two rows or more of {discharge, level}, or of a file"},
  };
  flow f = rating_canal(RIA_F64, RIA_WEST, 0, -9, rating_bed);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    ria_series *s = NULL;
    CHECK_OK(f.ctx,
             ria_series_table(
                 f.ctx, &(ria_table_desc){.t = bad[k].q, .v = bad[k].level, .n = bad[k].n}, &s));
    ria_boundary_desc b = {.kind = "rating", .side = RIA_EAST};
    b.values[0] = (ria_boundary_value){"curve", {.series = s}};
    CHECK_FAILS(f.ctx, ria_boundary_add(f.sim, &b, NULL), RIA_ERR_ARGUMENT, bad[k].text);
    ria_series_destroy(&s);
  }
  ria_boundary_desc constant = {.kind = "rating", .side = RIA_EAST};
  constant.values[0] = (ria_boundary_value){"curve", {.constant = 2}};
  CHECK_FAILS(f.ctx, ria_boundary_add(f.sim, &constant, NULL), RIA_ERR_ARGUMENT, bad[2].text);
  flow_free(&f);
}

static void ratings(ria_real real, double bound) {
  rating_steady(real, RIA_EAST, 60, -8.5, bound);
  rating_steady(real, RIA_SOUTH, 60, -8.5, bound);
  rating_steady(real, RIA_WEST, 430, -5.8, bound);
  rating_steady(real, RIA_NORTH, 10, -9.25, bound);
  for (int side = 0; side < RIA_SIDES; side++) rating_rest(real, (ria_side)side, -9.6);
  rating_drain(real, RIA_EAST);
  rating_drain(real, RIA_SOUTH);
  rating_valley(real, RIA_WEST);
}

int main(void) {
  for (int real = 0; real < 2; real++) ratings((ria_real)real, by_order(5e-4, 3e-3));
  rating_searches();
  rating_refused();
  return TEST_END();
}
