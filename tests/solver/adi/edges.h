/* edges.h - single sides, faces and cells of adi by the functions that all loops call (*_k.h), in
 * the precision that RIA_PRECISION says: what a row says of level and flux at a side holds once it
 * is solved, and rates and shares have the values that their laws give. */
#include "test.h"

#include <stddef.h>

#include "solvers/adi/adi_k.h"

#include "solvers/adi/adi_clock_k.h"
#include "solvers/adi/adi_edge_k.h"
#include "solvers/adi/adi_rates_k.h"

#define R RIA_PRECISION
#define PLACE (sizeof(R) == 4 ? 4e-6 : 1e-13) /* some last places of 1 */
#define NEAR(got, expected)                                                                        \
  CHECK_NEAR((double)(got), (double)(expected), PLACE *(1 + fabs((double)(expected))))

static uint64_t state = 3;
static double roll(double lo, double hi) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return lo + (hi - lo) * (double)(state >> 11) * 0x1p-53;
}

/* k = 0.5: half a step moves half of what a flux of 1 m^2/s is before and after. */
static adi_way way(void) { return adi_way_of(10, 10, 20, 20, 20, 0.01, 0.02, 1000); }

/* The flux of the side that a row gives, beside u_in of the next face. */
static double solved(adi_row row, double sign, double u_in) {
  const double beside = (double)(sign > 0 ? row.up : row.lo);
  CHECK((sign > 0 ? row.lo : row.up) == 0);
  return ((double)row.rhs - beside * u_in) / (double)row.di;
}

static void lines(void) {
  const adi_way w = way();
  for (int n = 0; n < 1000; n++) {
    const double sign = n % 2 ? 1 : -1, known = roll(-1, 1), u_in = roll(-2, 2);
    const adi_edge e = {(R)roll(0, 2), (R)roll(-1, 1), (R)roll(0.1, 2), (R)roll(-1, 1)};
    const double u = solved(adi_edge_row((R)sign, (R)known, e, &w), sign, u_in);
    const double level = known + sign * (double)w.k * (u - u_in);
    CHECK_NEAR((double)e.a * (level - (double)e.at) + (double)e.b * sign * u, (double)e.c,
               40 * PLACE);
  }
}

/* What crosses a rating's face is what the curve says of the level then, none where that is less,
 * and at most what runs critically. */
static void ratings(void) {
  const adi_way w = way();
  int on_curve = 0, fast = 0;
  for (int n = 0; n < 3000; n++) {
    const double sign = n % 2 ? 1 : -1, level = roll(-0.5, 0.5), known = level + roll(-0.2, 0.2);
    const double u = sign * roll(-1, 0), u_in = sign * roll(-1, 0);
    const double out = roll(-0.2, n % 3 ? 0.5 : 20), slope = roll(0, 2), bed = -2,
                 deep = level - bed;
    const int second = n % 5 == 0;
    const double guess = known + roll(-0.1, 0.1), rise = guess - level, at = second ? rise : 0;
    const adi_row row = adi_rated((R)sign, (R)level, (R)bed, (R)known, (R)guess, second, (R)u,
                                  (R)out, (R)slope, &w);
    const double c = sqrt(10 * deep), now = solved(row, sign, u_in);
    const double crossed = -sign * (u + now) / 2, then = known + sign * (double)w.k * (now - u_in);
    if (out + slope * rise <= 0) {
      CHECK_NEAR(crossed, 0, 40 * PLACE);
    } else if (out + slope * at > c * (deep + 1.5 * at)) {
      CHECK_NEAR(crossed, c * deep + 1.5 * c * (then - level), 1000 * PLACE);
      fast++;
    } else {
      CHECK_NEAR(crossed, out + slope * (then - level), 1000 * PLACE);
      on_curve++;
    }
  }
  CHECK(on_curve > 100 && fast > 100);
  /* closed: too little water, land */
  const adi_row dry = adi_rated(1, (R)0.015, 0, 0, 0, 0, 0, 1, 1, &w);
  CHECK(dry.lo == 0 && dry.di == 1 && dry.up == 0 && dry.rhs == 0);
  CHECK(adi_rated(1, (R)0.015, 0, 0, 0, 0, -1, 1, 1, &w).di != 1); /* what flows already goes on */
  CHECK(adi_rated(1, 1001, 1000, 1001, 1001, 0, 0, 1, 1, &w).di == 1);
  NEAR(adi_rated_level(1, 3, 2, 5, 0, 0, 0, &w), 3 + 0.5 * (-2 - 5));
  NEAR(adi_rated_level(-1, 3, 2, 5, 1, 7, 1, &w), 3 - 0.5 * (12 + 3));
  NEAR(adi_rated_flux(3, &w), 3);
}

/* None comes in, and a rounding error is none. */
static void lets_out(void) {
  const R place = (R)(sizeof(R) == 4 ? 1e-6 : 1e-14);
  CHECK(adi_let_out(1, -2, 1) == -2 && adi_let_out(-1, 2, 1) == 2);
  CHECK(adi_let_out(1, 2, 1) == 0 && adi_let_out(-1, -2, 1) == 0);
  CHECK(adi_let_out(1, -4 * place, 2) == -4 * place && adi_let_out(1, -place, 2) == 0);
  CHECK(adi_let_out(1, -4 * place, -2) == -4 * place && adi_let_out(1, -place, -2) == 0);
}

static void shares(void) {
  NEAR(adi_leaving(-2, 3), 5);
  CHECK(adi_leaving(2, -3) == 0);
  CHECK(adi_share(2, 4, 0) == 1);
  NEAR(adi_share(4, 1, 0), 0.25);
  CHECK(adi_share(4, 1, 2) == 0 && adi_share(4, -1, 0) == 0);
  const double keeps = sizeof(R) == 4 ? 2e-6 * 5 : 4e-15 * 5;
  NEAR(adi_has_across(3, -2), 0.5 * (5 - keeps));
  NEAR(adi_has_along(3, -2, 1), 4 - keeps);
  CHECK((double)adi_has_across(3, 3) < 0 && (double)adi_has_along(3, 3, 0) < 0 &&
        adi_depth(-1, 2) == 0);
  CHECK(adi_donor(2, 3, 5) == 6 && adi_donor(-2, 3, 5) == -10);
  NEAR(adi_known(10, 1, 3, 2, 5, (R)0.5), 6.5);
  NEAR(adi_level(10, 1, 3, 2, 5), 5);
}

/* What a radiating side keeps: c = 5 m/s, the water runs 0.5 m/s faster out than that outside. */
static void bends(void) {
  adi_shore s = {.h = 2.5, .out = {2, 3}, .current = 0.5, .d = 5, .along = 4, .length = 50};
  const double stays = 50 / 60.0, credit = stays * 0.05 * 0.5, most = 2 * sqrt(credit / 2);
  const double turned = stays * 10 / (1 + cos(acos(-1.0) / 6)) * 0.01 / 10;
  for (int k = 0; k < 2; k++) {
    double kept[2] = {0, 0};
    s.apart = k ? 0.01 : -0.01;
    adi_bend(kept, s, 0.1, 10, 2);
    NEAR(kept[0], k ? turned : -turned);
    NEAR(kept[1], credit);
    kept[0] = kept[1] = 0;
    s.apart = k ? 100 : -100; /* more than its credit bears */
    adi_bend(kept, s, 0.1, 10, 2);
    NEAR(kept[0], k ? most : -most);
  }
  double pays[2] = {1, 1}, broke[2] = {1, 0.4};
  s.apart = 0;
  adi_bend(pays, s, 0.1, 10, 2);
  NEAR(pays[0], stays);
  NEAR(pays[1], stays * 0.5);
  adi_bend(broke, s, 0.1, 10, 2);
  CHECK(broke[0] == 0 && broke[1] == 0);
  for (int k = 0; k < 2; k++) { /* closed; dry */
    double kept[2] = {1, 1};
    s.out[1] = k ? 3 : 0;
    adi_bend(kept, s, k ? 2.5 : 0.1, 10, 2);
    CHECK(kept[0] == 0 && kept[1] == 0);
  }
}

static void rates(void) {
  NEAR(adi_flow_rate(-1, 3, 5, 2, 2, 10, 20), 0.2); /* out through west and east */
  NEAR(adi_flow_rate(4, 1, -5, 3, 2, 10, 20), 0.2); /* through south and north */
  CHECK(adi_flow_rate(1, -1, 1, -1, 2, 10, 20) == 0);
  NEAR(adi_forced_rate(SIDE_LEVEL, 2.5, -3, -1.4, 10, 5), 2 * (5 - 4) / 5.0);
  NEAR(adi_forced_rate(SIDE_RADIATE, 1.6, -3, -0.5, 10, 5), 0.4);
  NEAR(adi_forced_rate(SIDE_LEVEL, 2.5, -3, -4, 10, 5), 2);
  NEAR(adi_forced_rate(SIDE_DISCHARGE, 2, 0, -3, 10, 5), 0.3);
  NEAR(adi_forced_rate(SIDE_DISCHARGE, 0, 0, 10, 10, 5), 2 / cbrt(10) * cbrt(10) / cbrt(10));
  CHECK(adi_forced_rate(SIDE_DISCHARGE, 0, 0, 0, 10, 5) == 0);
  CHECK(adi_forced_rate(SIDE_WALL, 2, 0, 1, 10, 5) == 0);
  /* a source: as fast as what it lets loose in dt, which is halved until that is half a cell */
  NEAR(adi_source_rate(0, 1.6, 1, 10, 40), 0.2);
  NEAR(adi_source_rate(0, 1.6, 4, 10, 40), 0.2); /* dt = 1 */
  NEAR(adi_source_rate(1.6, 0.9, 1, 10, 40), 2 * (5 - 4) / 40.0);
  CHECK(adi_source_rate(1, 0, 1, 10, 40) == 0 && adi_source_rate(1, -1, 1, 10, 40) == 0);
  /* a dam: 2.5 m and 1.6 m over the sill */
  NEAR(adi_dam_rate(3, 2.1, 0.5, -4, 0.1, 10, 5), 0.4);
  NEAR(adi_dam_rate(2.1, 3, -4, 0.5, 0.1, 10, 5), 0.4);
  NEAR(adi_dam_rate(3, 0, 0.5, -4, 0.1, 10, 5), 2);
  CHECK(adi_dam_rate(3, 2.4, 0.5, -4, 0.1, 10, 5) == 0); /* nearly as much */
  CHECK(adi_dam_rate(3, 2.1, 0.5, -4, 2.5, 10, 5) == 0);
  /* diffusion: 2 D dt (1 / dx^2 + 1 / dy^2) / 0.9 parts, at most 16 */
  CHECK_INT(adi_mix_parts(1, 60, 10, 20), 2);
  CHECK_INT(adi_mix_parts(2, 60, 10, 20), 4);
  CHECK_INT(adi_mix_parts(1, 60, 20, 10), 2);
  CHECK_INT(adi_mix_parts(0, 60, 10, 20), 0);
  CHECK_INT(adi_mix_parts(9.5, 60, 10, 20), 16);
  CHECK_INT(adi_mix_parts(9.7, 60, 10, 20), 0);
  /* a cell's depth below the mean level: 2 m over the lowest bed */
  NEAR(adi_shared_depth(1, 0.5, 0.1, 0, 6, 3), 1.5);
  CHECK(adi_shared_depth(1, 3, 0.1, 0, 6, 3) == 0);
  CHECK(adi_shared_depth(0.05, 0.5, 0.1, 0, 6, 3) == 0.05);
  CHECK(adi_shared_depth(1, -1, 0.1, 0, 6, 0) == 0);
}

/* Of cells that are equally high or fast the first is told, whatever is looked at later. */
static void sees(void) {
  adi_seen all = adi_seen_none(), more = {.deepest = 3, .highest = 2, .flow = 2, .rate = 2};
  for (int cell = 4; cell < 6; cell++) {
    more.cell = more.flow_cell = more.high_cell = cell;
    more.forced = cell == 5;
    adi_see(&all, &more);
  }
  CHECK(all.deepest == 3 && all.highest == 2 && all.flow == 2 && all.rate == 2);
  CHECK(all.cell == 4 && all.flow_cell == 4 && all.high_cell == 4 && !all.forced);
  more.rate = 2.5;
  adi_see(&all, &more);
  CHECK(all.rate == 2.5 && all.cell == 5 && all.forced && all.flow_cell == 4);
}

/* --- a face between two cells, by its laws -------------------------------------------------------
 *
 * With all lengths 64 times and all times 8 times as large every coefficient of a row grows as its
 * unit says, for gravity has the same value; and the row of the mirror image, along or across, is
 * the mirror image. */

enum { L = 64, T = 8, V = L / T, Q = L * V };

static adi_way any_way(double scale_l, double scale_t, uint64_t seed) {
  const uint64_t kept = state;
  state = seed;
  const double dt = roll(1, 60) * scale_t;
  adi_way w = adi_way_of(10, roll(5, 50) * scale_l, roll(5, 50) * scale_l, dt, dt, 0.01 * scale_l,
                         0.02 * scale_l, 1 * scale_l);
  w.lw = roll(0, 1) < 0.5 ? 0 : (R)dt * w.rc;
  w.upwind = roll(0, 1) < 0.5;
  w.turn = (R)(roll(-1e-2, 1e-2) / scale_t);
  w.wind = (R)(roll(-1e-1, 1e-1) * scale_l * scale_l / (scale_t * scale_t));
  state = kept;
  return w;
}

/* Beds from -3 m to just above the water: faces are deep, shallow, falls, or closed. */
static adi_face any_face(void) {
  adi_face f;
  R *v = (R *)&f;
  for (size_t k = 0; k < sizeof f / sizeof *v; k++) v[k] = (R)roll(-3, 3);
  R *const beds[] = {&f.zl, &f.zr}, *const levels[] = {&f.sl, &f.sr, &f.kl, &f.kr};
  R *const depths[] = {&f.hll, &f.hrr, &f.hln, &f.hrn, &f.hls, &f.hrs};
  R *const more[] = {&f.drag, &f.el, &f.er, &f.en, &f.es};
  for (int k = 0; k < 2; k++) *beds[k] = (R)roll(-3, 0.3);
  for (int k = 0; k < 4; k++) *levels[k] = (R)roll(-0.5, 0.5);
  for (int k = 0; k < 6; k++) *depths[k] = (R)(roll(0, 1) < 0.2 ? 0 : roll(0, 3));
  for (int k = 0; k < 5; k++) *more[k] = (R)roll(0, k ? 2 : 0.01);
  return f;
}

static adi_face larger(adi_face f) {
  R *v = (R *)&f;
  const size_t lengths = offsetof(adi_face, um) / sizeof *v,
               depths = offsetof(adi_face, hll) / sizeof *v;
  const size_t fluxes = offsetof(adi_face, vln) / sizeof *v,
               drag = offsetof(adi_face, drag) / sizeof *v;
  for (size_t k = 0; k < sizeof f / sizeof *v; k++)
    v[k] *= k < lengths || (k >= depths && k < fluxes) ? L : k == drag ? 4 : Q; /* m^(1/3) */
  return f;
}

static adi_face turned(adi_face f) {
  return (adi_face){f.zr,  f.zl,  f.sr,  f.sl,  f.kr,  f.kl,  -f.up,  -f.u,  -f.um, -f.un, -f.us,
                    -f.cn, -f.c,  -f.cs, f.hrr, f.hll, f.hrn, f.hln,  f.hrs, f.hls, f.vrn, f.vln,
                    f.vrs, f.vls, f.orn, f.oln, f.ors, f.ols, f.drag, f.er,  f.el,  f.en,  f.es};
}

static adi_face across(adi_face f) {
  return (adi_face){f.zl,   f.zr,   f.sl,   f.sr,   f.kl,   f.kr,   f.um,   f.u,    f.up,
                    f.us,   f.un,   f.cs,   f.c,    f.cn,   f.hll,  f.hrr,  f.hls,  f.hrs,
                    f.hln,  f.hrn,  -f.vls, -f.vrs, -f.vln, -f.vrn, -f.ols, -f.ors, -f.oln,
                    -f.orn, f.drag, f.el,   f.er,   f.es,   f.en};
}

static void same_row(adi_row got, adi_row expected) {
  const double size = fabs((double)expected.lo) + fabs((double)expected.di) +
                      fabs((double)expected.up) + fabs((double)expected.rhs);
  CHECK_NEAR((double)got.lo, (double)expected.lo, 40 * PLACE * size);
  CHECK_NEAR((double)got.di, (double)expected.di, 40 * PLACE * size);
  CHECK_NEAR((double)got.up, (double)expected.up, 40 * PLACE * size);
  CHECK_NEAR((double)got.rhs, (double)expected.rhs, 40 * PLACE * size);
}

static void faces(void) {
  for (uint64_t n = 1; n < 20000; n++) {
    const adi_face f = any_face();
    const uint64_t seed = 77 * n;
    adi_way w = any_way(1, 1, seed), w2 = any_way(L, T, seed);
    const adi_row r = adi_momentum(&f, &w);
    const adi_face g = larger(f), t = turned(f), a = across(f);
    const adi_row big = adi_momentum(&g, &w2);
    const int open = r.di != 1;
    const R by = open ? T : 1;
    same_row((adi_row){big.lo * by, big.di * by, big.up * by, big.rhs / (L * V) * T}, r);
    w.turn = -w.turn;
    same_row(adi_momentum(&a, &w), r);
    w.turn = -w.turn, w.wind = -w.wind;
    w.turn = -w.turn;
    const adi_row m = adi_momentum(&t, &w);
    same_row((adi_row){m.up, m.di, m.lo, -m.rhs}, r);
  }
}

/* 2 m of water over a flat bed: g h / dx = 2 m/s^2; half a step moves a tenth of a flux. */
static void terms(void) {
  adi_way w = adi_way_of(10, 10, 20, 4, 4, 0.01, 0.02, 1000);
  const adi_face still = {.zl = -2,
                          .zr = -2,
                          .kl = (R)0.1,
                          .kr = (R)0.3,
                          .hll = 2,
                          .hrr = 2,
                          .hln = 2,
                          .hrn = 2,
                          .hls = 2,
                          .hrs = 2};
  same_row(adi_momentum(&still, &w), (adi_row){(R)-0.2, (R)(0.25 + 0.4), (R)-0.2, (R)-0.4});
  adi_face f = still;
  f.vln = f.vrn = f.vls = f.vrs = 1, f.oln = f.orn = f.ols = f.ors = 3;
  w.turn = (R)0.2, w.wind = (R)0.3, f.drag = (R)0.1;
  const double drags = 0.1 * 2 * pow(2, -7.0 / 3);
  same_row(adi_momentum(&f, &w),
           (adi_row){(R)-0.2, (R)(0.65 + drags), (R)-0.2, (R)(-0.4 + 0.2 + 0.3)});
  w.turn = w.wind = 0;
  adi_way up = w;
  up.upwind = 1;
  NEAR(adi_weight(5, (R)0.1, &up), 0.2); /* a Froude number of a half */
  NEAR(adi_weight(-10, (R)0.1, &up), 1);
  CHECK(adi_weight(2, (R)0.1, &up) == 0 && adi_weight(20, (R)0.1, &up) == 1);
  CHECK(adi_weight(10, (R)0.1, &w) == 0);
  CHECK(adi_coming_in(7, 1, 0, (R)2.5, &w) == 5 && adi_coming_in(7, 1, 1, (R)2.5, &w) == 7);
  CHECK(adi_coming_in(7, -1, 0, (R)2.5, &w) == 7 && adi_coming_in(3, 1, 0, (R)2.5, &w) == 3);
  f = still;
  f.um = f.u = 2, f.up = 4; /* carried along by 1 m/s and 1.5 m/s */
  same_row(adi_momentum(&f, &w),
           (adi_row){(R)(-0.05 - 0.2), (R)(0.65 + 0.075 - 0.05), (R)(0.075 - 0.2), (R)(0.5 - 0.4)});
  f = still;
  f.vln = f.vrn = f.vls = f.vrs = 2, f.c = 1,
  f.cn = 2; /* across by 1 m/s: d(u v)/dy = 1 m/s x 1 m^2/s / 20 m */
  same_row(adi_momentum(&f, &w), (adi_row){(R)-0.2, (R)0.65, (R)-0.2, (R)(-0.4 - 0.05)});
}

int main(void) {
  faces();
  terms();
  lines();
  ratings();
  lets_out();
  shares();
  bends();
  rates();
  sees();
  return TEST_END();
}
