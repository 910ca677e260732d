/* edges.h - single edges of shallow_water, and faces of its cells, by the functions that all loops
 * over cells call (*_k.h), in the precision that RIA_PRECISION says.
 *
 * Each has exact answers: water at rest, a stream, a bore, a jump that stands; a wave that leaves,
 * a weir, normal depth. And each keeps two laws whatever the state: the mirror image of an edge has
 * the mirror image of its flux; and with all lengths 64 times and all times 8 times as large every
 * flux grows as its unit says (Froude's law), for gravity has the same value. */
#include "test.h"

#include "solvers/shallow_water/shallow_water_k.h"
#include "solvers/shallow_water/shallow_water_eddies_k.h"
#include "solvers/shallow_water/shallow_water_rim_k.h"
#include "solvers/shallow_water/shallow_water_slopes_k.h"

#define R RIA_PRECISION
#define PLACE (sizeof(R) == 4 ? 2e-6 : 1e-13) /* some last places of 1 */
#define NEAR(got, expected)                                                                        \
  CHECK_NEAR((double)(got), (double)(expected), PLACE *(1 + fabs((double)(expected))))

enum { L = 64, T = 8, V = L / T }; /* lengths, times and velocities of the larger image */

static const double gravity = 10;
static const R few = (R)1e-3; /* a step over a cell's size, s/m */

static uint64_t state = 5;
static double roll(double lo, double hi) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return lo + (hi - lo) * (double)(state >> 11) * 0x1p-53;
}
static bool chance(double part) { return roll(0, 1) < part; }

static sw_const constants(void) { return sw_constants(gravity, 1e-3, 10, 20); }
static sw_const larger_constants(void) {
  sw_const k = sw_constants(gravity, 1e-3 * L, 10 * L, 20 * L);
  k.tiny_c *= V, k.tiny_cc *= V * V;
  return k;
}

static sw_side side_of(double h, double u, double z) {
  return (sw_side){(R)h, (R)u, (R)z, (R)sqrt(gravity * h)};
}
/* Dry, a film or deep; still, or up to two and a half times as fast as waves. */
static sw_side any_side(void) {
  if (chance(0.15)) return side_of(0, 0, roll(-2, 2));
  const double h = pow(10, roll(-2, 1));
  return side_of(h, chance(0.2) ? 0 : roll(-2.5, 2.5) * sqrt(gravity * h),
                 chance(0.3) ? 0 : roll(-2, 2));
}
static sw_side larger(sw_side s) { return (sw_side){s.h * L, s.u * V, s.z * L, s.c * V}; }
static sw_side mirrored(sw_side s) { return (sw_side){s.h, -s.u, s.z, s.c}; }

/* Two fluxes differ by less than rounding: amounts by some last places of the depths, momentum of
 * the forces on a wall. */
static void same_flux(sw_flux got, sw_flux expected, double h, double force) {
  CHECK_NEAR((double)got.h, (double)expected.h, 4 * PLACE * h);
  CHECK_NEAR((double)got.left, (double)expected.left, 4 * PLACE * force);
  CHECK_NEAR((double)got.right, (double)expected.right, 4 * PLACE * force);
}
static double force_of(sw_side l, sw_side r) {
  const double fast = fabs((double)l.u) + fabs((double)r.u) + (double)l.c + (double)r.c;
  return (double)(l.h + r.h) * (fast * fast + gravity * fabs((double)(r.z - l.z)));
}

/* --- two cells ----------------------------------------------------------------------------------
 */

static sw_flux edge(sw_side l, sw_side r, double dt_dx, bool faces, double most, const sw_const *k,
                    double scale) {
  if (!faces) return sw_edge(l, r, (R)dt_dx, k);
  const R held_l = l.h + (R)scale, held_r = r.h + (R)scale;
  const sw_bounds b = {held_l, held_r, (R)most, (R)(2 * most), (R)0.2};
  return sw_edge_of(l, r, r.z - l.z, (R)dt_dx, &b, k);
}
static sw_flux mirrored_edge(sw_side l, sw_side r, double dt_dx, bool faces, double most,
                             const sw_const *k) {
  if (!faces) return sw_edge(mirrored(r), mirrored(l), (R)dt_dx, k);
  const sw_bounds b = {r.h + 1, l.h + 1, (R)(2 * most), (R)most, (R)0.2};
  return sw_edge_of(mirrored(r), mirrored(l), l.z - r.z, (R)dt_dx, &b, k);
}

static void keeps_the_laws(void) {
  const sw_const k = constants(), k2 = larger_constants();
  for (int n = 0; n < 20000; n++) {
    const sw_side l = any_side(), r = any_side();
    const double dt_dx = pow(10, roll(-3, 1)), most = pow(10, roll(-2, 2));
    const bool faces = chance(0.5);
    const double h = ((double)(l.h + r.h) + faces) * (1 + 20 * dt_dx), force = force_of(l, r);
    const sw_flux f = edge(l, r, dt_dx, faces, most, &k, 1);
    const sw_flux g = edge(larger(l), larger(r), dt_dx / V, faces, most * L * V, &k2, L);
    const sw_flux m = mirrored_edge(l, r, dt_dx, faces, most, &k);
    same_flux((sw_flux){g.h / L, g.left / (L * V * V), g.right / (L * V * V)}, f, h, force);
    same_flux((sw_flux){-m.h, m.right, m.left}, f, h, force);
  }
}

static void rests(void) {
  const sw_const k = constants();
  for (int n = 0; n < 200; n++) {
    const double z = roll(-1, 1), level = roll(1.1, 3);
    const sw_side l = side_of(level, 0, 0), r = side_of(level - z, 0, z);
    same_flux(edge(l, r, 0.05, n % 2, 10, &k, 1), (sw_flux){0, 0, 0}, level, gravity);
  }
  /* ground that stands above the water is a wall */
  const sw_flux wall = sw_edge(side_of(1, 0, 0), side_of(0, 0, 2), (R)0.05, &k);
  CHECK(wall.h == 0 && wall.left == 0 && wall.right == 0);
  const sw_flux dry = sw_edge(side_of(0, 0, 0), side_of(0, 0, -2), (R)0.05, &k);
  CHECK(dry.h == 0 && dry.left == 0 && dry.right == 0);
}

/* The flux of one state, against the static pressure of both. */
static sw_flux flux_of(sw_side s, double h_l, double h_r, double dt_dx) {
  const double h = (double)s.h, u = (double)s.u, push = h * u * u + gravity / 2 * h * h;
  return (sw_flux){(R)(h * u * dt_dx), (R)(push - gravity / 2 * h_l * h_l),
                   (R)(push - gravity / 2 * h_r * h_r)};
}

/* A stream goes on as it comes. One bore, or a jump that stands, is resolved exactly. */
static void bores(void) {
  const sw_const k = constants();
  for (int n = 0; n < 2000; n++) {
    const double low = pow(10, roll(-1, 1)), high = low * roll(1.7, 4), dt_dx = 0.02;
    const double runs = sqrt(gravity * high / low * (low + high) / 2); /* past still water */
    const double u = n % 3 ? roll(-0.2, 0.4) * runs : -runs;           /* of the low side */
    const sw_side r = side_of(low, u, 0), l = side_of(high, u + runs * (1 - low / high), 0);
    const sw_flux expected = flux_of(u + runs > 0 ? l : r, high, low, dt_dx);
    same_flux(edge(l, r, dt_dx, n % 2, 1e6, &k, 1), expected, 4 * high, 2 * force_of(l, r));
    const sw_flux stream = edge(r, r, dt_dx, n % 2, 1e6, &k, 1);
    same_flux(stream, flux_of(r, low, low, dt_dx), low, force_of(r, r));
  }
}

/* Over a drop that is deeper than the water, the rest of it pulls what stays, and what goes takes
 * its part of the pull along. */
static void drops(void) {
  const sw_const k = constants();
  const sw_flux f = sw_edge(side_of(1, 0, 0), side_of(0, 0, -1), (R)0.01, &k);
  const sw_flux g = sw_edge(side_of(1, 0, 0), side_of(0, 0, -3), (R)0.01, &k);
  CHECK(f.h > 0 && g.h == f.h);
  NEAR(g.left - f.left, -20 * (1 - (double)f.h));
  NEAR(g.right - f.right, 20 * (double)f.h);
}

/* A cell as edges see it, and after a step. */
static void cells(void) {
  const sw_const k = constants();
  const sw_flow f = sw_flow_of((R)2.5, 5, -10, &k), none = sw_flow_of((R)9e-4, 1, 1, &k);
  NEAR(f.h, 2.5);
  NEAR(f.u, 2);
  NEAR(f.v, -4);
  NEAR(f.c, 5);
  NEAR(f.inv, 0.4);
  CHECK(none.h == 0 && none.u == 0 && none.v == 0 && none.inv == 0 && none.c == k.tiny_c);
  sw_cell n = sw_update((R)2.5, 5, -10, 0, &k);
  NEAR(n.speed, (2.0 + 5) / 10 + (4.0 + 5) / 20);
  CHECK(n.qx == 5 && n.qy == -10 && !n.bad);
  NEAR(sw_wave_speed((R)2.5, 5, -10, &k), (double)n.speed);
  n = sw_update((R)8e-3, 1, 2, 0, &k); /* a film is slowed */
  NEAR(n.qx, 0.5);
  NEAR(n.qy, 1);
  n = sw_update((R)2.5, 3, 4, (R)0.1, &k); /* dq/dt = -drag |q| q / h^(7/3) */
  const double b = 0.1 * pow(2.5, -7.0 / 3) * 5, left = (double)n.qx / 3;
  CHECK_NEAR(left * (1 + b * left), 1, 20 * PLACE);
  CHECK_NEAR((double)n.qy, 4 * left, 20 * PLACE);
  CHECK(sw_update((R)9e-4, 1, 1, 0, &k).qx == 0 && sw_update((R)9e-4, 1, 1, 0, &k).speed == 0);
  CHECK(sw_update(-1, 0, 0, 0, &k).bad && sw_update(1, (R)NAN, 0, 0, &k).bad &&
        sw_update(1, 0, (R)2e30, 0, &k).bad);
  CHECK(sw_update((R)1e30, 0, 0, 0, &k).bad && !sw_update((R)9e29, 0, 0, 0, &k).bad);
  /* over the short sides of long cells less is calm */
  const sw_const square = sw_constants(gravity, 1e-3, 10, 10);
  const sw_const wide = sw_constants(gravity, 1e-3, 20, 10);
  const sw_side s = side_of(2.5, 0.6, 0);
  CHECK(sw_calm(s, s, &square) && !sw_calm(s, s, &k) && !sw_calm(s, s, &wide));
  const sw_const nearly = sw_constants(gravity, 1e-3, 10, 14);
  CHECK(sw_calm(s, s, &nearly));
}

/* Where an edge is calm the shorter way gives what the long one does. */
static void calm_edges(void) {
  const sw_const k = constants();
  int calm = 0;
  for (int n = 0; n < 20000; n++) {
    const double h = pow(10, roll(-2, 1)), c = sqrt(gravity * h);
    const sw_side l = side_of(h, roll(-0.1, 0.1) * c, 0);
    const sw_side r =
        side_of(h * roll(0.9, 1.1), (double)l.u + roll(-0.1, 0.1) * c, h * roll(-0.1, 0.1));
    if (!sw_calm(l, r, &k)) continue;
    R flux;
    const sw_flux f = sw_edge_calm_of(l, r, r.z - l.z, few, ria_max(l.h, r.h), &flux, &k);
    same_flux(f, sw_edge(l, r, few, &k), h, force_of(l, r));
    CHECK_NEAR((double)(flux * few), (double)f.h, 4 * PLACE * h);
    calm++;
  }
  CHECK(calm > 1000);
}

static void pieces_of_an_edge(void) {
  const sw_const k = constants();
  NEAR(sw_capacity((R)1, 0, ria_root((R)gravity), k.inv_27g),
       8.0 / 27 * sqrt(gravity)); /* Ritter */
  NEAR(sw_capacity((R)2.5, 5, 5, k.inv_27g), 12.5);
  CHECK_NEAR((double)sw_capacity((R)2.5, (R)4.999, 5, k.inv_27g), 2.5 * 4.999, 4e-6);
  NEAR(sw_capacity((R)2.5, 8, 5, k.inv_27g), 20);
  CHECK(sw_capacity((R)2.5, -10, 5, k.inv_27g) == 0);
  CHECK(sw_spread(2, 1) == 2 && sw_spread((R)0.5, 1) == 1 && sw_spread(0, 1) == 1);
  NEAR(sw_spread((R)-0.1, 1), 0.6);
  CHECK(sw_spread(-1, 1) == -1);
  /* over a drop: as deep as it is; a drop deeper than the water; no more than falls in a step */
  NEAR(sw_fall(1, 0, 1, (R)1e-3, &k), 10);
  NEAR(sw_fall(1, 0, (R)0.5, (R)1e-3, &k), 0.5 * 5 * 1.5);
  NEAR(sw_fall(1, 0, 3, (R)1e-3, &k), 30);
  NEAR(sw_fall(1, 0, 5, 10, &k), 4 * 10 / 10.0);
  NEAR(sw_fall(1, 10, 15, 10, &k), 4 * 10 / 10.0);
  NEAR(sw_fall(1, -9, 5, 10, &k), 4 * 10 / 10.0);
  NEAR(sw_climb(2, 7, (R)0.5, &k), 14);
  NEAR(sw_climb(2, 70, (R)0.5, &k), 2 * 15);
  /* what leaves is rounded to a place of the deeper cell, and towards 0 where the giver has little
   */
  if (sizeof(R) == 4) {
    CHECK(sw_whole_places((R)3.3e-7, 3, 3) == (R)2.3841858e-7);
    CHECK(sw_whole_places((R)-3.3e-7, 3, 3) == (R)-2.3841858e-7);
    CHECK(sw_whole_places((R)1.5e-7, 3, 3) == (R)2.3841858e-7);
    CHECK(sw_whole_places((R)1.5e-7, (R)2e-4, 3) == 0);
  } else {
    CHECK(sw_whole_places((R)3.3e-7, 3, 3) == (R)3.3e-7);
  }
}

/* --- a side of the domain -----------------------------------------------------------------------
 */

static const int kinds[] = {SIDE_WALL,    SIDE_OPEN,   SIDE_LEVEL,  SIDE_DISCHARGE,
                            SIDE_RADIATE, SIDE_RATING, SIDE_NORMAL, SIDE_FREE};
enum { KINDS = sizeof kinds / sizeof *kinds };

static sw_beyond any_beyond(int kind) {
  sw_beyond b = {.value = (R)roll(-2, 4), .tilt = (R)(chance(0.5) ? 0 : roll(-0.2, 0.2))};
  b.fall = (R)(!water_side_falls(kind) || chance(0.3) ? 0 : roll(0, 0.5));
  b.ease = (R)roll(0, 2);
  b.out = (R)roll(-6, 6), b.along = (R)roll(-1, 1);
  b.parting = (R)roll(-1, 1), b.fade = (R)roll(0, 1);
  return b;
}
static sw_beyond larger_beyond(int kind, sw_beyond b) {
  b.value *= kind == SIDE_DISCHARGE ? L * V : L;
  b.tilt *= L, b.fall *= L;
  b.ease *= (R)0.5; /* (m/s)^(-1/3) */
  b.out *= V, b.along *= V, b.parting *= V;
  return b;
}
static sw_at_rim any_rim(void) {
  const sw_side s = any_side();
  return (sw_at_rim){s.h,           s.u, (R)roll(-1, 1), s.z, s.h + (R)0.5, (R)pow(10, roll(-1, 2)),
                     (R)roll(-1, 1)};
}
static sw_at_rim larger_rim(sw_at_rim r) {
  return (sw_at_rim){r.h * L,    r.u * V,        r.v * V,           r.z * L,
                     r.held * L, r.most * L * V, r.push * L * V * V};
}
static void same_across(sw_across a, sw_across b, double h, double force) {
  CHECK_NEAR((double)a.h, (double)b.h, 16 * PLACE * h);
  CHECK_NEAR((double)a.push, (double)b.push, 16 * PLACE * force);
  CHECK_NEAR((double)a.side, (double)b.side, 16 * PLACE * h);
}

static void sides_keep_the_laws(void) {
  const sw_const k = constants(), k2 = larger_constants();
  for (int n = 0; n < 20000; n++) {
    const int kind = kinds[n % KINDS];
    const sw_at_rim at = any_rim();
    const sw_beyond b = any_beyond(kind);
    const double dt_dx = pow(10, roll(-3, -1)), kept[2] = {roll(-1, 1), roll(0, 4)};
    ria_crossed c = {.kept = {kept[0], kept[1]}}, c2 = {.kept = {kept[0] * V, kept[1] * V * V}};
    const sw_across f = sw_cross(kind, RIA_EAST, at, b, (R)dt_dx, 2, &c, &k);
    const sw_across g = sw_cross(kind, RIA_EAST, larger_rim(at), larger_beyond(kind, b),
                                 (R)(dt_dx / V), 2, &c2, &k2);
    const double h = (double)at.held + 4,
                 force = h * (1000 + gravity * h) + pow((double)at.u, 2) * h;
    same_across((sw_across){g.h / L, g.push / (L * V * V), g.side / (L * V)}, f, h, force);
    CHECK_NEAR(c2.kept[0] / V, c.kept[0], 1e4 * PLACE);
    CHECK_NEAR(c2.kept[1] / (V * V), c.kept[1], 1e4 * PLACE);
    /* the same in the west, where the axis points inwards; in the north, where it runs along y */
    sw_at_rim west = at, north = at;
    west.u = -at.u, north.u = at.v, north.v = at.u;
    ria_crossed w = {.kept = {kept[0], kept[1]}}, y = w;
    const sw_across a = sw_cross(kind, RIA_WEST, west, b, (R)dt_dx, 2, &w, &k);
    same_across((sw_across){-a.h, a.push, -a.side}, f, h, force);
    same_across(sw_cross(kind, RIA_NORTH, north, b, (R)dt_dx, 2, &y, &k), f, h, force);
    sw_at_rim flat = at;
    ria_crossed z = {.kept = {kept[0], kept[1]}};
    flat.push = 0;
    const sw_across less = sw_cross(kind, RIA_EAST, flat, b, (R)dt_dx, 2, &z, &k);
    CHECK_NEAR((double)(f.push - less.push), (double)at.push, 4 * PLACE * force);
    CHECK(w.in == c.in && w.out == c.out && y.in == c.in && y.out == c.out);
    CHECK(c.in == (kind != SIDE_WALL && f.h < 0 ? -2 * (double)f.h : 0));
    CHECK(c.out == (kind != SIDE_WALL && f.h > 0 ? 2 * (double)f.h : 0));
    CHECK(f.side == f.h * (f.h > 0 || kind == SIDE_OPEN ? at.v : b.along));
    const double asks =
        (double)sw_boundary_asks(kind, RIA_EAST, at.h, at.h * at.u, at.z, b.value, b.out, &k);
    const sw_beyond b2 = larger_beyond(kind, b);
    const sw_at_rim at2 = larger_rim(at);
    CHECK_NEAR((double)sw_boundary_asks(kind, RIA_EAST, at2.h, at2.h * at2.u, at2.z, b2.value,
                                        b2.out, &k2) *
                   T,
               asks, 16 * PLACE * (1 + asks));
    NEAR(sw_boundary_asks(kind, RIA_WEST, at.h, -at.h * at.u, at.z, b.value, -b.out, &k), asks);
  }
}

static sw_inside inside_of(sw_side s) { return (sw_inside){s, s.h, (R)1e6}; }

static void walls(void) {
  NEAR(sw_wall(2, 1, 4).left, 10);
  NEAR(sw_wall(2, -1, 4).left, -6);
  NEAR(sw_wall(2, -3, 4).left, -8); /* suction ends */
  CHECK(sw_wall(2, 1, 4).h == 0);
  NEAR(sw_rim_fall((R)NAN, 2, 1, 10), 1);
  NEAR(sw_rim_fall((R)0.25, 2, 1, 10), 2.5);
  CHECK(sw_rim_fall((R)-0.25, 2, 1, 10) == 0 && sw_rim_fall((R)NAN, 1, 2, 10) == 0);
}

static void near_flux(sw_flux got, double moved, double left) {
  NEAR(got.h, moved);
  NEAR(got.left, left);
}

static void levels(void) {
  const sw_const k = constants();
  const sw_side s = side_of(2.5, 1, 1); /* waves run at 5 m/s */
  const sw_inside in = inside_of(s);
  sw_beyond b = {.value = (R)3.5}; /* its own */
  near_flux(sw_to_level(&in, b, few, &k), 2.5e-3, 2.5);
  b.value = (R)(1 + 4.9 * 4.9 / 10); /* one that its own wave brings about: 1.2 m/s of 2.401 m */
  CHECK_NEAR((double)sw_to_level(&in, b, few, &k).h, 2.401 * 1.2e-3, 2e-6);
  b.value = (R)0.5; /* below its bed: as over dry ground */
  const sw_flux dry = sw_rim_edge(&in, side_of(0, 0, 1), few, &k);
  near_flux(sw_to_level(&in, b, few, &k), (double)dry.h, (double)dry.left);
  CHECK((double)dry.h > 8.0 / 27 * 12.5e-3);
  double owed = 0;
  same_flux(sw_boundary(SIDE_LEVEL, &in, b, few, &owed, &k), dry, 1, 10);
  b.tilt = (R)0.2, b.value = (R)3.6; /* the bed lies lower by what balances the forces */
  const sw_inside still = inside_of(side_of(2.5, 0, 1));
  const double given = sqrt(26);
  const sw_side beside = {(R)2.6, (R)(10 - 2 * given), (R)0.9, (R)given};
  same_flux(sw_to_level(&still, b, few, &k), sw_rim_edge(&still, beside, few, &k), 1, 10);
  b.tilt = 0;
  /* into a dry cell water comes at most critically, and where it runs faster out nothing holds it
   */
  const sw_inside none = inside_of(side_of(0, 0, 1));
  b.value = 2;
  CHECK_NEAR((double)sw_to_level(&none, b, few, &k).h, -sqrt(10) * 1e-3, (double)few * 10 * PLACE);
  const sw_inside fast = inside_of(side_of(2.5, 6, 1));
  near_flux(sw_boundary(SIDE_LEVEL, &fast, b, few, &owed, &k), 15e-3, 2.5 * 36);
  b.value = 1000;
  near_flux(sw_boundary(SIDE_LEVEL, &fast, b, few, &owed, &k), 15e-3, 2.5 * 36);
  const sw_inside scarce = {fast.state, (R)2.5, 3};
  b.tilt = 0;
  NEAR(sw_boundary(SIDE_OPEN, &scarce, b, few, &owed, &k).h, 3e-3);
  /* an open side is the same water on a bed that lies lower */
  b.tilt = (R)0.2, b.fall = (R)0.1;
  const sw_flux runs = sw_edge(side_of(2.5, 0, 1), side_of(2.5, 0, 0.7), few, &k);
  same_flux(sw_boundary(SIDE_OPEN, &still, b, few, &owed, &k), runs, 1, 100);
  CHECK((double)runs.h > 1e-6);
}

static void radiates(void) {
  const sw_const k = constants();
  const sw_side s = side_of(2.5, 1, 1);
  NEAR(sw_parting(1, 2, 4, 1, 1, 3), 4.5);
  NEAR(sw_parting(1, 2, 4, 0, 1, 3), 6);
  NEAR(sw_parting(1, 2, 4, 1, 0, 3), 3);
  CHECK(sw_parting(1, 2, 4, 0, 0, 3) == 0);
  NEAR(sw_faster(s, (R)0.4, 2, &k), 3);
  CHECK(sw_faster(s, (R)2.5, 5, &k) == 0);
  /* the same outside; a wave that leaves: 5 m/s and 1 m/s inside, 4 m/s and 0.5 m/s outside */
  sw_beyond b = {.value = (R)3.5, .out = 1};
  const sw_side same = sw_radiated(s, b, &k);
  CHECK(same.h == s.h && same.u == s.u && same.z == s.z);
  b.value = (R)2.6, b.out = (R)0.5;
  sw_side e = sw_radiated(s, b, &k);
  NEAR(e.u + 2 * e.c, 11);
  NEAR(e.u - 2 * e.c, 0.5 - 8);
  NEAR(e.h, (double)(e.c * e.c) / 10);
  b.bent = (R)0.25;
  e = sw_radiated(s, b, &k);
  NEAR(e.u - 2 * e.c, 0.75 - 8);
  /* no water outside, whatever its current: critical; so is what comes in by its depth */
  for (int n = 0; n < 3; n++) {
    const sw_beyond bare = {.value = (R)0.5, .out = (R)(n - 1), .bent = (R)(n - 1)};
    e = sw_radiated(s, bare, &k);
    NEAR(e.c, 11.0 / 3);
    NEAR(e.u, 11.0 / 3);
    NEAR(e.h, 121.0 / 90);
  }
  const sw_beyond sea = {.value = (R)2.6, .out = (R)-3.9};
  const sw_side dry = side_of(0, 0, 1);
  e = sw_radiated(dry, sea, &k);
  NEAR(e.u, -(8 + 3.9) / 3);
  NEAR(e.c, (8 + 3.9) / 3);
  NEAR(e.h, (8 + 3.9) * (8 + 3.9) / 90);
  /* it comes in faster than waves: as it is */
  const sw_beyond fast = {.value = (R)2.6, .out = -5};
  e = sw_radiated(s, fast, &k);
  NEAR(e.h, 1.6);
  CHECK(e.u == -5);
  CHECK(sw_radiated(dry, (sw_beyond){.value = 1}, &k).h == 0);
  CHECK(sw_radiated(side_of(2.5, -11, 1), (sw_beyond){.value = 1}, &k).h == 0);
  /* what leaves faster than waves takes no notice */
  const sw_inside in = inside_of(side_of(2.5, 6, 1));
  near_flux(sw_radiate(&in, sea, few, &k), 15e-3, 2.5 * 36);
  const sw_beyond tilted = {.value = (R)3.6, .tilt = (R)0.2};
  const sw_inside still = inside_of(side_of(2.5, 0, 1));
  sw_side beside = sw_radiated(still.state, tilted, &k);
  beside.z = (R)0.9;
  same_flux(sw_radiate(&still, tilted, few, &k), sw_rim_edge(&still, beside, few, &k), 1, 10);
}

/* What waves at an angle bring about: (c / 2) du/dy, fading, and at most half of what goes out
 * beyond what the outside has. */
static void bends(void) {
  const sw_const k = constants();
  double kept[2] = {0, 0};
  NEAR(water_bent(4, 0.5, 0.8, 0.5, kept), 0.2 * 0.8);
  NEAR(kept[1], 0.2 * 16);
  NEAR(water_bent(-1, 0.5, 0.4, 0.5, kept), 0.26 * 0.8);
  NEAR(kept[1], 3.2 + 0.2 * (1 - 3.2));
  NEAR(water_bent(0.1, 0.5, 1000, 0, kept), 0.5 * sqrt(2.76));
  NEAR(water_bent(3, 0.5, -1000, 0, kept), -1.5);
  const sw_side s = side_of(2.5, 1, 1);
  double none[2] = {0, 0}, some[2] = {0, 0};
  const sw_beyond bare = {.value = 1, .parting = 1, .fade = (R)0.1, .out = (R)0.5};
  CHECK(sw_bent(s, bare, (R)0.1, none, &k) == 0 && none[0] == 0 && none[1] == 0);
  const sw_beyond sea = {.value = (R)2.6, .parting = 1, .fade = (R)0.1, .out = (R)0.5};
  const double part = 0.05 / 1.05;
  NEAR(sw_bent(s, sea, (R)0.1, some, &k), 0.25 * (1 - part));
  NEAR(some[1], part * 2.5 * 2.5);
}

static void imposed(void) {
  const sw_const k = constants();
  double owed = 0;
  sw_inside in = inside_of(side_of(0, 0, 1));
  /* into a dry cell as deep as critical flow: q = 1 m^2/s, h^3 = q^2 / g */
  const double hc = cbrt(0.1);
  near_flux(sw_imposed(&in, (sw_beyond){.value = 0}, few, &owed, &k), 0, 0);
  near_flux(sw_imposed(&in, (sw_beyond){.value = -1}, few, &owed, &k), 0, 0);
  near_flux(sw_imposed(&in, (sw_beyond){.value = 1}, few, &owed, &k), -1e-3, 1 / hc + 5 * hc * hc);
  in = inside_of(side_of(0.1, 0, 1));
  near_flux(sw_imposed(&in, (sw_beyond){.value = 1}, few, &owed, &k), -1e-3,
            1 / hc + 5 * (hc * hc - 0.01));
  in = inside_of(side_of(2.5, 1, 1));
  owed = -2e-4;
  NEAR(sw_imposed(&in, (sw_beyond){.value = 1}, few, &owed, &k).h, -1.2e-3);
  near_flux(sw_imposed(&in, (sw_beyond){.value = 1}, few, &owed, &k), -1e-3, 0.4);
  near_flux(sw_imposed(&in, (sw_beyond){.value = 1, .tilt = 1}, few, &owed, &k), -1e-3, 0.4 - 12.5);
  /* out: as given, as much as leaves by itself, as much as there is */
  near_flux(sw_imposed(&in, (sw_beyond){.value = -1}, few, &owed, &k), 1e-3, 0.4);
  const double most = 1331 / 270.0;
  near_flux(sw_imposed(&in, (sw_beyond){.value = -9}, few, &owed, &k), most * 1e-3,
            most * most / 2.5);
  in.most = 2;
  near_flux(sw_imposed(&in, (sw_beyond){.value = -9}, few, &owed, &k), 2e-3, 1.6);
  CHECK_NEAR(owed, 0, 1e-9);
  /* an inflow of less than a place is owed until it makes one; none is owed of an outflow */
  double given = 0;
  for (int n = 0; n < 100; n++)
    given -= (double)sw_imposed(&in, (sw_beyond){.value = (R)1e-5}, few, &owed, &k).h;
  CHECK_NEAR(given - owed, 100e-8, 1e-14);
  owed = 1;
  sw_imposed(&in, (sw_beyond){.value = -1}, few, &owed, &k);
  CHECK(owed == 0);
}

static void outlets(void) {
  const sw_const k = constants();
  sw_side e = sw_outlet(6, 0, 1, &k);
  NEAR(e.u, 2);
  NEAR(e.c, 2);
  NEAR(e.h, 0.4);
  e = sw_outlet(6, 1, (R)0.5, &k);
  NEAR(e.u + 2 * e.c, 6);
  CHECK_NEAR((double)e.u, 0.5 * pow((double)e.c, 4.0 / 3), 4 * PLACE);
  e = sw_outlet(6, 1, 1, &k); /* normal would be faster than critical */
  NEAR(e.u, 2);
  /* Manning's law at the depth of a celerity: 1 in 100, n = 0.02 */
  const double h = 1.6;
  CHECK_NEAR((double)sw_ease((R)0.1, 10, (R)0.02, &k) * pow(gravity * h, 2.0 / 3),
             0.1 / 0.02 * pow(h, 2.0 / 3), 40 * PLACE);
  /* closed: no water, water that runs away from it, no slope for normal flow */
  const sw_beyond level = {.ease = 0}, steep = {.fall = 1, .ease = (R)0.5};
  double owed = 0;
  for (int n = 0; n < 20; n++) {
    const double u = roll(-4, 4);
    const sw_inside in = inside_of(side_of(2.5, u, 1)), away = inside_of(side_of(2.5, -10 - n, 1));
    const double suction = fmax(u, -2.5);
    near_flux(sw_boundary(SIDE_NORMAL, &in, level, few, &owed, &k), 0,
              2.5 * suction * (suction + 5));
    near_flux(sw_boundary(SIDE_FREE, &away, level, few, &owed, &k), 0, -2.5 * 2.5 * 2.5);
    CHECK(sw_boundary(SIDE_NORMAL, &away, steep, few, &owed, &k).h == 0);
    CHECK(sw_boundary(SIDE_FREE, &in, level, few, &owed, &k).h >= 0);
    CHECK(sw_boundary(SIDE_RATING, &in, steep, few, &owed, &k).h == 0);
  }
  /* what leaves moves as much momentum in a step too short to move a place of water */
  const sw_inside in = inside_of(side_of(2.5, 1, 1));
  const sw_flux f = sw_boundary(SIDE_FREE, &in, level, few, &owed, &k);
  const sw_flux brief = sw_boundary(SIDE_FREE, &in, level, (R)1e-9, &owed, &k);
  CHECK(brief.left == f.left && (sizeof(R) == 8 || brief.h == 0));
  CHECK((double)f.left < 0); /* the level falls towards it */
  /* normal: as over the edge to what stands there, on a bed as much lower */
  const sw_beyond leans = {.fall = (R)0.3, .tilt = (R)0.2, .ease = (R)0.5};
  sw_side beside = sw_outlet(11, 1, (R)0.5, &k);
  beside.z = (R)0.5;
  same_flux(sw_boundary(SIDE_NORMAL, &in, leans, few, &owed, &k), sw_rim_edge(&in, beside, few, &k),
            1, 10);
  CHECK(sw_boundary(SIDE_NORMAL, &in, leans, few, &owed, &k).h > 0);
  const sw_inside fast = inside_of(side_of(2.5, 6, 1));
  near_flux(sw_boundary(SIDE_FREE, &fast, level, few, &owed, &k), 15e-3, 90);
}

static void loads(void) {
  double owed = 0;
  CHECK(sw_boundary_load(SIDE_WALL, 5, 2, 1, 3, &owed) == 0);
  NEAR(sw_boundary_load(SIDE_OPEN, 5, 2, (R)0.5, 3, &owed), 1);
  CHECK(owed == 0);
  NEAR(sw_boundary_load(SIDE_OPEN, 5, 2, (R)-0.5, 3, &owed), -1.5);
  owed = -0.25;
  NEAR(sw_boundary_load(SIDE_OPEN, 5, 2, (R)-0.5, 3, &owed), -1.75);
  owed = 0;
  double given = 0;
  for (int n = 0; n < 100; n++)
    given += (double)sw_boundary_load(SIDE_OPEN, 5, 2, (R)-1e-8, 3, &owed);
  CHECK_NEAR(given + owed, -3e-6, 1e-13);
  ria_crossed c = {0};
  NEAR(sw_cross_load(SIDE_OPEN, RIA_WEST, 5, 2, (R)-0.5, 3, 10, &c), -1);
  NEAR(sw_cross_load(SIDE_OPEN, RIA_WEST, 5, 2, (R)0.25, 3, 10, &c), 0.75);
  NEAR(c.out, 10);
  NEAR(c.in, 7.5);
}

static void speeds(void) {
  const sw_const k = constants();
  NEAR(sw_boundary_speed(SIDE_LEVEL, (R)2.5, 1, 1, (R)2.6, 0, &k), 1 + 2 * (5 - 4) + 4);
  NEAR(sw_boundary_speed(SIDE_LEVEL, 0, 0, 1, (R)2.6, 0, &k), 8); /* critical */
  CHECK(sw_boundary_speed(SIDE_LEVEL, (R)2.5, 1, 1, (R)0.5, 0, &k) == 0);
  NEAR(sw_boundary_speed(SIDE_DISCHARGE, (R)2.5, 1, 1, 5, 0, &k), 7);
  NEAR(sw_boundary_speed(SIDE_DISCHARGE, 0, 0, 1, 10, 0, &k), 2 * cbrt(100));
  CHECK(sw_boundary_speed(SIDE_DISCHARGE, (R)2.5, 1, 1, -5, 0, &k) == 0);
  NEAR(sw_boundary_speed(SIDE_RADIATE, (R)2.5, 1, 1, (R)3.5, 1, &k), 6);
  CHECK(sw_boundary_speed(SIDE_WALL, (R)2.5, 1, 1, 5, 0, &k) == 0);
  NEAR(sw_boundary_asks(SIDE_DISCHARGE, RIA_EAST, (R)2.5, 0, 0, 5, 0, &k), 0.7 + 0.25);
  NEAR(sw_boundary_asks(SIDE_DISCHARGE, RIA_NORTH, (R)2.5, 0, 0, 5, 0, &k), 0.35 + 0.5);
}

/* --- second order -------------------------------------------------------------------------------
 */

/* Shallow water beside a cell counts as deep water does, dry land not at all. */
static void slants(void) {
  const sw_flow cell = {.h = 2, .u = 5, .v = 7}, dry = {0};
  const sw_flow lo = {.h = (R)0.5, .u = 1, .v = 2}, hi = {.h = (R)0.25, .u = 4, .v = -1};
  sw_slant s = sw_slant_of(cell, lo, hi);
  CHECK(s.u == 3 && s.v == -3);
  s = sw_slant_of(cell, dry, hi);
  CHECK(s.u == -1 && s.v == -8);
  s = sw_slant_of(cell, lo, dry);
  CHECK(s.u == 4 && s.v == 5);
}

static void goes_on(void) {
  /* all of the difference where depths agree, half at an eighth, none from a quarter on */
  CHECK(sw_further(SIDE_DISCHARGE, -1, (R)0.5, 0, 2) == (R)0.5);
  NEAR(sw_further(SIDE_LEVEL, 1, (R)0.5, (R)-0.25, 2), 0.25);
  NEAR(sw_further(SIDE_RADIATE, -1, (R)0.5, (R)0.125, 2), 0.375);
  CHECK(sw_further(SIDE_LEVEL, 1, (R)0.5, (R)0.5, 2) == 0);
  CHECK(sw_further(SIDE_LEVEL, 1, (R)0.5, 2, 2) == 0 &&
        sw_further(SIDE_LEVEL, 1, (R)0.5, 1, 0) == 0);
  CHECK(sw_further(SIDE_LEVEL, -1, (R)0.5, 0, 2) == 0); /* a level holds no velocity */
  CHECK(sw_further(SIDE_DISCHARGE, 1, (R)0.5, 0, 0) == (R)0.5);
}

/* Where water all but rests a tracer's faces are its slopes and half a step of diffusion. */
static void mixes(void) {
  const sw_const k = constants();
  const sw_second o = sw_second_of(1);
  const sw_flow f = sw_flow_of(2, 0, 0, &k);
  const sw_around dc = {(R)0.1, (R)0.2, (R)-0.4, (R)-0.2}, dh = {0, 0, 0, 0};
  const sw_mixing m = sw_mixing_of((R)0.01, (R)0.02, 2, dh);
  const double then = 0.5 * (0.01 * (0.2 - 0.1) + 0.02 * (-0.2 + 0.4));
  const sw_traced t = sw_faces_mixed(3, dc, f, 1, (R)1e-3, (R)1e-3, m, &o);
  NEAR(t.at.w, 3 + then - 0.05);
  NEAR(t.at.e, 3 + then + 0.05);
  NEAR(t.at.s, 3 + then + 0.1);
  NEAR(t.at.n, 3 + then - 0.1);
  NEAR(t.middle, 3 + then);
}

/* A cell with all that it sees, at a step. */
typedef struct cell {
  sw_flow c;
  sw_near d;
  R trust, dtdx, dtdy, drag;
} cell;

static sw_around any_around(double size) {
  return (sw_around){(R)roll(-size, size), (R)roll(-size, size), (R)roll(-size, size),
                     (R)roll(-size, size)};
}
static cell any_cell(const sw_const *k) {
  const double h = roll(1, 3);
  cell a = {.c = sw_flow_of((R)h, (R)(h * roll(-4, 4)), (R)(h * roll(-4, 4)), k)};
  a.d = (sw_near){any_around(0.5), any_around(1), any_around(1), any_around(0.5)};
  a.trust = (R)(chance(0.5) ? 1 : roll(0, 1));
  a.dtdx = (R)roll(0, 0.05), a.dtdy = (R)roll(0, 0.05), a.drag = (R)roll(0, 0.1);
  return a;
}
static sw_around times(sw_around a, R by) {
  return (sw_around){by * a.w, by * a.e, by * a.s, by * a.n};
}
static cell larger_cell(cell a) {
  const sw_flow c = {a.c.h * L, a.c.u * V, a.c.v * V, a.c.c * V, a.c.inv / L};
  const sw_near d = {times(a.d.h, L), times(a.d.u, V), times(a.d.v, V), times(a.d.level, L)};
  return (cell){c, d, a.trust, a.dtdx / V, a.dtdy / V, a.drag * 32}; /* m^(1/3) s */
}
/* Along x what was along y, and the other way round. */
static sw_around swapped(sw_around a) { return (sw_around){a.s, a.n, a.w, a.e}; }
static cell swapped_cell(cell a) {
  const sw_flow c = {a.c.h, a.c.v, a.c.u, a.c.c, a.c.inv};
  const sw_near d = {swapped(a.d.h), swapped(a.d.v), swapped(a.d.u), swapped(a.d.level)};
  return (cell){c, d, a.trust, a.dtdy, a.dtdx, a.drag};
}
/* West is east: differences change their sign, those of u twice. */
static sw_around turned(sw_around a) { return (sw_around){-a.e, -a.w, a.s, a.n}; }
static cell turned_cell(cell a) {
  const sw_flow c = {a.c.h, -a.c.u, a.c.v, a.c.c, a.c.inv};
  const sw_around u = {a.d.u.e, a.d.u.w, -a.d.u.s, -a.d.u.n};
  return (cell){
      c, {turned(a.d.h), u, turned(a.d.v), turned(a.d.level)}, a.trust, a.dtdx, a.dtdy, a.drag};
}

static sw_ahead ahead(cell a, int drags, double mix, const sw_const *k) {
  const sw_second o = sw_second_of(1.5);
  const sw_ahead half = sw_predict(a.c, a.d, a.trust, a.dtdx, a.dtdy, a.drag, drags, &o, k);
  return sw_stirred(half, a.c.h, a.trust, a.d, (R)mix, (R)(2 * mix));
}
static sw_ahead ahead_swapped(cell a, int drags, double mix, const sw_const *k) {
  const sw_second o = sw_second_of(1.5);
  const sw_ahead half = sw_predict(a.c, a.d, a.trust, a.dtdx, a.dtdy, a.drag, drags, &o, k);
  return sw_stirred(half, a.c.h, a.trust, a.d, (R)(2 * mix), (R)mix);
}

static void same_ahead(sw_ahead a, sw_ahead b) {
  const R v[][2] = {{a.h, b.h},   {a.u, b.u},   {a.v, b.v},   {a.xh, b.xh},
                    {a.xu, b.xu}, {a.xv, b.xv}, {a.xe, b.xe}, {a.yh, b.yh},
                    {a.yu, b.yu}, {a.yv, b.yv}, {a.ye, b.ye}};
  for (int k = 0; k < 11; k++) CHECK_NEAR((double)v[k][0], (double)v[k][1], 20 * PLACE);
}

static void cells_keep_the_laws(void) {
  const sw_const k = constants(), k2 = larger_constants();
  for (int n = 0; n < 5000; n++) {
    const cell a = any_cell(&k);
    const int drags = n % 2;
    const double mix = roll(0, 0.1);
    const sw_ahead f = ahead(a, drags, mix, &k), g = ahead(larger_cell(a), drags, mix, &k2);
    const sw_ahead s = ahead_swapped(swapped_cell(a), drags, mix, &k),
                   t = ahead(turned_cell(a), drags, mix, &k);
    same_ahead((sw_ahead){g.h / L, g.u / V, g.v / V, g.xh / L, g.xu / V, g.xv / V, g.xe / L,
                          g.yh / L, g.yu / V, g.yv / V, g.ye / L},
               f);
    same_ahead((sw_ahead){s.h, s.v, s.u, s.yh, s.yv, s.yu, s.ye, s.xh, s.xv, s.xu, s.xe}, f);
    same_ahead((sw_ahead){t.h, -t.u, t.v, -t.xh, t.xu, -t.xv, -t.xe, t.yh, -t.yu, t.yv, t.ye}, f);
  }
}

/* Half a step: water falls by what parts, is set going by the slope of its level, and carries its
 * velocities along; friction takes what Manning's law does. */
static void half_a_step(void) {
  const sw_const k = constants();
  const sw_second o = sw_second_of(1);
  cell a = {.c = sw_flow_of(2, 6, 0, &k), .trust = 1, .dtdx = (R)0.01, .dtdy = (R)0.02};
  a.d.h.w = a.d.h.e = (R)0.2, a.d.u.w = a.d.u.e = (R)0.4, a.d.v.w = a.d.v.e = (R)0.6;
  a.d.level.w = a.d.level.e = (R)0.8, a.d.v.s = a.d.v.n = 1;
  sw_ahead f = sw_predict(a.c, a.d, 1, a.dtdx, a.dtdy, 0, 0, &o, &k);
  NEAR(f.xh, 0.1);
  NEAR(f.xe, 0.4);
  NEAR(f.h, 2 - 0.01 * (3 * 0.1 + 2 * 0.2) - 0.02 * 2 * 0.5);
  NEAR(f.u, 3 - 0.01 * (3 * 0.2 + 10 * 0.4));
  NEAR(f.v, -0.01 * 3 * 0.3);
  const R faster = f.u;
  f = sw_predict(a.c, a.d, 1, a.dtdx, a.dtdy, (R)0.2, 1, &o, &k);
  const double left = (double)(f.u / faster), speed = hypot((double)faster, (double)f.v / left);
  CHECK_NEAR(left * (1 + 0.1 * pow(2, -4.0 / 3) * speed * left), 1, 20 * PLACE);
  a.d.level.e = (R)-0.8; /* no slope where there is a peak */
  CHECK(sw_predict(a.c, a.d, 1, a.dtdx, a.dtdy, 0, 0, &o, &k).xe == 0);
  const sw_around dc = {(R)0.1, (R)0.3, (R)-0.2, (R)0.2}, dh = {(R)0.5, (R)-0.5, (R)-1, 1};
  const sw_mixing m = sw_mixing_of((R)0.01, (R)0.02, 2, dh); /* shared: 1.5, 1.5, 2, 2 */
  NEAR(sw_half_mixed(2, dc, m), 0.5 * (0.01 * 1.5 * 0.2 + 0.02 * 2 * 0.4) / 2);
  const sw_near near = {.h = dh, .u = dc, .v = times(dc, -2)};
  const sw_ahead still = {.u = 1, .v = 1};
  const sw_ahead drawn = sw_stirred(still, 2, (R)0.5, near, (R)0.01, (R)0.02);
  NEAR(drawn.u, 1 + 0.5 * (double)sw_half_mixed(2, dc, m));
  NEAR(drawn.v, 1 - (double)sw_half_mixed(2, dc, m));
  NEAR(sw_may_leave(2, 3, 4), 10);
  NEAR(sw_may_leave(2, -3, 4), 4);
  NEAR(sw_trust(2, dh, 1), 1);
  const sw_around steep = {0, (R)-1.5, 0, 0};
  NEAR(sw_trust(2, steep, 1), 0.75);
  NEAR(sw_trust(2, steep, (R)0.5), 0.5);
  const sw_around cliff = {(R)1.9, 0, 0, 0};
  CHECK(sw_trust(2, cliff, 1) == 0);
}

/* However much leaves a cell, what leaves it and what is left have no more and no less of a tracer
 * than is around. */
static void faces_stay_between(void) {
  const sw_const k = constants();
  double worst = 0, sharp = 0;
  for (int n = 0; n < 20000; n++) {
    const sw_second o = sw_second_of(n % 2 ? 2 : 1.3);
    const cell a = any_cell(&k);
    const sw_around dc = any_around(1);
    const double speed = ((double)ria_abs(a.c.u) + (double)a.c.c),
                 across = (double)ria_abs(a.c.v) + (double)a.c.c;
    const double cfl = roll(0.2, 0.99), x = roll(0, cfl);
    const R dtdx = (R)(x / speed), dtdy = (R)((cfl - x) / across);
    const sw_around f = sw_faces(5, dc, a.c, 1, dtdx, dtdy, &o);
    const double lo =
        5 + fmin(fmin(fmin(-(double)dc.w, (double)dc.e), fmin(-(double)dc.s, (double)dc.n)), 0);
    const double hi =
        5 + fmax(fmax(fmax(-(double)dc.w, (double)dc.e), fmax(-(double)dc.s, (double)dc.n)), 0);
    const double out[] = {(double)(dtdx * sw_may_leave(a.c.h, -a.c.u, a.c.c)),
                          (double)(dtdx * sw_may_leave(a.c.h, a.c.u, a.c.c)),
                          (double)(dtdy * sw_may_leave(a.c.h, -a.c.v, a.c.c)),
                          (double)(dtdy * sw_may_leave(a.c.h, a.c.v, a.c.c))};
    const double has[] = {(double)f.w, (double)f.e, (double)f.s, (double)f.n};
    double load = 5 * (double)a.c.h, left = (double)a.c.h;
    for (int m = 0; m < 4; m++) {
      worst = fmax(worst, fmax(lo - has[m], has[m] - hi));
      load -= out[m] * has[m], left -= out[m];
    }
    worst = fmax(worst, fmax(lo * left - load, load - hi * left));
    sharp += fabs(has[1] - 5) / 20000;
    /* the same along y, and turned round */
    const sw_flow c = {a.c.h, a.c.v, a.c.u, a.c.c, a.c.inv},
                  t = {a.c.h, -a.c.u, a.c.v, a.c.c, a.c.inv};
    const sw_around y = swapped(sw_faces(5, swapped(dc), c, 1, dtdy, dtdx, &o));
    const sw_around b = sw_faces(5, turned(dc), t, 1, dtdx, dtdy, &o);
    const R same[][2] = {{y.w, f.w}, {y.e, f.e}, {y.s, f.s}, {y.n, f.n},
                         {b.e, f.w}, {b.w, f.e}, {b.s, f.s}, {b.n, f.n}};
    for (int m = 0; m < 8; m++) NEAR(same[m][0], same[m][1]);
  }
  CHECK(worst < 40 * PLACE);
  CHECK(sharp > 0.05);
}

static R *at_side(sw_around *a, int side) {
  return side == RIA_WEST ? &a->w : side == RIA_EAST ? &a->e : side == RIA_SOUTH ? &a->s : &a->n;
}
static int opposite(int side) {
  return side == RIA_WEST    ? RIA_EAST
         : side == RIA_EAST  ? RIA_WEST
         : side == RIA_SOUTH ? RIA_NORTH
                             : RIA_SOUTH;
}

/* What a cell sees beyond a side: at a wall its mirror image, on a bed that goes on itself, and
 * where something is given more of what it sees inside. */
static void beyond_sides(void) {
  const sw_const k = constants();
  for (int side = 0; side < 4; side++)
    for (int n = 0; n < KINDS; n++) {
      const int kind = kinds[n], x = ria_side_along_x(side), upper = ria_side_is_upper(side);
      const cell a = any_cell(&k);
      const int on = kind == SIDE_LEVEL || kind == SIDE_RADIATE || kind == SIDE_DISCHARGE;
      sw_near in = a.d, d = a.d;
      const R normal = x ? a.c.u : a.c.v, out = upper ? normal : -normal;
      sw_around *un = x ? &d.u : &d.v, *ut = x ? &d.v : &d.u, *inner = x ? &in.u : &in.v;
      sw_mirror(kind, side, a.c, (R)0.125, &in, &d);
      const R dh = *at_side(&in.h, opposite(side));
      CHECK(*at_side(ut, side) == 0);
      CHECK(*at_side(&d.h, side) == (on ? dh : 0));
      CHECK(*at_side(&d.level, side) == (on                  ? *at_side(&in.level, opposite(side))
                                         : kind == SIDE_WALL ? 0
                                                             : (R)0.125));
      const R given = sw_further(kind, out, *at_side(inner, opposite(side)), dh, a.c.h);
      CHECK(*at_side(un, side) == (on ? given : kind == SIDE_WALL ? (upper ? -2 : 2) * normal : 0));
      for (int other = 0; other < 4; other++)
        if (other != side) CHECK(*at_side(&d.h, other) == *at_side(&in.h, other));
      /* its face there, half a step ahead */
      const sw_ahead f = ahead(a, 0, 0, &k);
      sw_beyond b = {.value = 7, .tilt = (R)0.25};
      const sw_at_rim r = sw_rim_face(kind, side, &f, 3, 2, 9, &b, &k);
      const R way = upper ? 1 : -1, fall = way * (x ? f.xe - f.xh : f.ye - f.yh);
      const int level = kind == SIDE_LEVEL || kind == SIDE_RADIATE;
      NEAR(r.h, f.h + way * (x ? f.xh : f.yh));
      NEAR(r.u, f.u + way * (x ? f.xu : f.yu));
      NEAR(r.v, f.v + way * (x ? f.xv : f.yv));
      NEAR(r.z, (level ? 0 : 3) + (double)fall + 0.125);
      NEAR(r.push, (double)way * 10 * (double)f.h * (double)(x ? f.xe : f.ye));
      CHECK(r.held == 2 && r.most == 9 && b.value == (level ? 4 : 7));
      NEAR(b.tilt, water_side_falls(kind) ? 0.25 + 2 * (double)fall : 0);
    }
}

int main(void) {
  keeps_the_laws();
  rests();
  bores();
  drops();
  calm_edges();
  cells();
  pieces_of_an_edge();
  sides_keep_the_laws();
  walls();
  levels();
  radiates();
  bends();
  imposed();
  outlets();
  loads();
  speeds();
  slants();
  goes_on();
  mixes();
  cells_keep_the_laws();
  half_a_step();
  faces_stay_between();
  beyond_sides();
  return TEST_END();
}
