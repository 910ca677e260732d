/* What solvers of flow share, cell by cell: layers that draw the flow, how a discharge is spread
 * over a stretch, curves of ratings and the search for a rating's level. */
#include "solvers/shared/water/boundary_k.h"
#include "test.h"

#define RIA_PRECISION double
#include "solvers/shared/water/relax_k.h"

static void relaxes(void) {
  CHECK_NEAR(water_relax_share(2, 0.5), 0.5, 1e-15);
  CHECK(water_relax_share(HUGE_VAL, 1) == 1);
  const double then[] = {1, 2}, later[] = {5, 10};
  const ria_relaxed of_cells = {-1, {then, later}}, uniform = {3, {NULL, NULL}},
                    none = {-1, {NULL}};
  CHECK(water_target(&of_cells, 7, 0.25, 1) == 4);
  CHECK(water_target(&uniform, 7, 0.25, 1) == 7);
  CHECK(isnan(water_target(&none, 7, 0.25, 1)));
  const ria_relaxed first = {0, {NULL, NULL}};
  CHECK(water_target(&first, 7, 0.25, 1) == 7);
  CHECK(water_relax_discharge(0.25, 4, 6, 3, 5) == 12.5);
  CHECK_NEAR(water_relax_discharge(0.25, NAN, 6, 3, 5), 10, 1e-14);
  CHECK(water_relax_depth(0.25, 5, 2, 1) == 2.5);
  CHECK(water_relax_depth(0.25, 0.5, 2, 1) == 1.5); /* a level below the bed */
  CHECK(water_relax_depth(0.25, NAN, 2, 1) == 2);
  CHECK(water_relax_load(0.5, 3, 4, 2, 5) == 12.5);
  CHECK(water_relax_load(0.5, NAN, 4, 2, 5) == 10);
  const water_cell c = water_relax_flow(0.5, 7, 4, NAN, (water_cell){2, 4, 6, 1});
  CHECK(c.h == 4 && c.qx == 12 && c.qy == 12 && c.z == 1);
  const ria_relax fast = {.depth = 2.5, .u = 1, .v = 2};
  CHECK_NEAR(water_relax_speed(&fast, 10, 0.1, 0.05), 0.95, 1e-15);
}

static void kinds(void) {
  const struct {
    int kind, shut, has_value, falls, has_level;
  } of[] = {{SIDE_WALL, 1, 0, 0, 0},      {SIDE_OPEN, 0, 1, 1, 0},    {SIDE_LEVEL, 0, 1, 0, 1},
            {SIDE_DISCHARGE, 0, 1, 0, 0}, {SIDE_RADIATE, 0, 1, 0, 1}, {SIDE_RATING, 0, 1, 0, 0},
            {SIDE_PERIODIC, 1, 0, 0, 0},  {SIDE_NORMAL, 0, 1, 1, 0},  {SIDE_FREE, 0, 0, 1, 0}};
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    CHECK_INT(water_side_is_shut(of[k].kind), of[k].shut);
    CHECK_INT(water_side_has_value(of[k].kind), of[k].has_value);
    CHECK_INT(water_side_falls(of[k].kind), of[k].falls);
    CHECK_INT(water_side_has_level(of[k].kind), of[k].has_level);
  }
  CHECK_INT(water_values(2, 5), 11);
  CHECK_INT(water_current_across(1), WATER_OUT_U);
  CHECK_INT(water_current_along(1), WATER_OUT_V);
  CHECK(water_between((double[]){1, 3, 7}, 1, 0.25) == 4 &&
        water_between((double[]){1}, 0, 0) == 1);
}

static void spreads(void) {
  CHECK_NEAR(water_filled_to(20, 2, 3, 10), 3 + cbrt(10), 1e-14);
  CHECK(water_filled_to(0, 2, 3, 10) == -1e300 && water_filled_to(-1, 2, 3, 10) == -1e300);
  CHECK_NEAR(water_conveyance(8, 0, 0.5, -1e300), 64, 1e-12);
  CHECK_NEAR(water_conveyance(0, 1, 0.5, 9), 64, 1e-12); /* dry: as if filled */
  CHECK_NEAR(water_conveyance(8, 1, 0, 2), 32e6, 1e-6);
  CHECK(water_conveyance(0, 1, 0.5, 1) == 0);
  CHECK_NEAR(water_share(6, 2, 4, 3), 1, 1e-15);
  CHECK(water_share(6, 2, 0, 3) == 0);
}

/* Waves run at 5 m/s over 2.5 m of water at 1 m/s. */
static void leaves(void) {
  const water_leaving in = {2.5, 1, 1}, fast = {2.5, 6, 1}, dry = {0, 0, 1};
  CHECK_NEAR(water_leaves(in, 3.5, 10), 2.5, 1e-14);
  CHECK_NEAR(water_leaves(in, 0, 10), pow(11.0 / 3, 3) / 10, 1e-13); /* critical at most */
  CHECK_NEAR(water_leaves(in, 1 + 1.6, 10), 1.6 * 3, 1e-14);
  CHECK(water_leaves(in, 1 + 3.1, 10) == 0);
  CHECK(water_leaves(fast, 9, 10) == 15 && water_leaves(dry, 0, 10) == 0);
  CHECK_NEAR(water_stays_at(in, 10), 1 + 121 / 40.0, 1e-14);
  CHECK(water_stays_at(dry, 10) == 1 && water_stays_at((water_leaving){2.5, -11, 1}, 10) == 1);
  CHECK(!water_closed(in, 4, 10) && water_closed(in, 4.1, 10));
  CHECK(!water_closed(fast, 9, 10) && water_closed(dry, 1, 10) && !water_closed(dry, 0.5, 10));
}

/* 0, 10, 30 m^3/s at 1, 3, 5 m. */
static void curves(void) {
  const ria_forcing f = {.count = 3, .base = 1, .scale = 2};
  const double d[] = {0, 0, 10, 1, 30, 2};
  const double q[] = {0, 5, 10, 20, 30, 50}, level[] = {1, 2, 3, 4, 5, 7};
  for (int k = 0; k < 6; k++) {
    CHECK_NEAR(water_curve_level(&f, d, q[k]), level[k], 1e-14);
    CHECK_NEAR(water_curve_flow(&f, d, level[k]), q[k], 1e-14);
    CHECK_INT(water_curve_below(&f, d, level[k]), level[k] >= 3);
  }
  CHECK(water_curve_flow(&f, d, 0.5) == 0);
  CHECK_INT(water_curve_below(&f, d, 0.5), 0);
  double slope;
  CHECK(water_curve_line(&f, d, 0, &slope) == -5 && slope == 5);
  CHECK(water_curve_line(&f, d, 4, &slope) == 20 && slope == 10);
}

static double smooth(double x) { return 2 - x * x * x; }
static double steep(double x) { return 1e-3 - x * (x < 0.01 ? 1e-6 : 1e9); }
static double jumps(double x) { return x < 1.0 / 3 ? 1 : -1e-9; }

static int steps_to(double (*f)(double), double root) {
  water_search s = water_search_between(0, 2, f(0), f(2));
  int n = 0;
  for (; n < WATER_SEARCHES && !water_search_ends(&s); n++) {
    const double at = water_search_at(&s);
    CHECK(at > s.low && at < s.high);
    water_search_found(&s, at, f(at));
  }
  CHECK(water_search_ends(&s));
  CHECK_NEAR(water_search_result(&s), root, 1e-13);
  return n;
}

static void searches(void) {
  CHECK(steps_to(smooth, cbrt(2)) <= 12);
  CHECK(steps_to(jumps, 1.0 / 3) < WATER_SEARCHES);
  CHECK(steps_to(steep, 0.01) < WATER_SEARCHES);
  /* a line needs one step, from either end */
  water_search s = water_search_between(0, 4, 3, -1);
  CHECK(water_search_at(&s) == 3);
  water_search_found(&s, 3, 0);
  CHECK(water_search_ends(&s) && water_search_result(&s) == 3);
  /* none where an end fits */
  s = water_search_between(0, 4, 3, 0);
  CHECK(water_search_ends(&s) && water_search_result(&s) == 4);
  s = water_search_between(0, 4, 0, -1);
  CHECK(water_search_ends(&s) && water_search_result(&s) == 0);
  /* no narrower than is asked for */
  const double narrow = 1e-14 * (1e-14 + 1);
  CHECK(narrow == 1e-14 * (narrow + 1));
  s = water_search_between(0, narrow, 1, -1);
  CHECK(water_search_ends(&s));
  s = water_search_between(0, 1.01 * narrow, 1, -1);
  CHECK(!water_search_ends(&s));
  /* the end that stays weighs half when it stays again */
  s = water_search_between(0, 4, 4, -4);
  water_search_found(&s, 1, 2);
  CHECK(s.less == -4 && s.low == 1 && s.high == 4);
  water_search_found(&s, 1.5, 1);
  CHECK(s.less == -2 && s.at_high == -4);
  water_search_found(&s, 3, -3);
  CHECK(s.more == 1 && s.less == -3 && s.high == 3);
  water_search_found(&s, 2.9, -2);
  CHECK(s.more == 0.5 && water_search_result(&s) == 1.5);
}

int main(void) {
  relaxes();
  kinds();
  spreads();
  leaves();
  curves();
  searches();
  return TEST_END();
}
