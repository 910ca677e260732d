/* sides.h - for edges.h: an edge at a side of the domain, of every kind, and the tracers that cross
 * it. */
#ifndef EDGES_SIDES_H
#define EDGES_SIDES_H

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

/* Inside and outside part so fast that the bed between them falls dry. Which of them comes over the
 * edge is critical there, however fast the other is; neither may. */
static void parts(void) {
  const sw_const k = constants();
  for (int n = 0; n < 3; n++) {
    const sw_beyond flees = {.value = (R)2.6, .out = (R)(19 + n)};
    sw_side e = sw_radiated(side_of(2.5, 1, 1), flees, &k);
    NEAR(e.c, 11.0 / 3);
    NEAR(e.u, 11.0 / 3);
    NEAR(e.h, 121.0 / 90);
    const sw_beyond comes = {.value = (R)2.6, .out = -1};
    e = sw_radiated(side_of(2.5, -19 - n, 1), comes, &k);
    NEAR(e.c, 3);
    NEAR(e.u, -3);
    NEAR(e.h, 0.9);
    const sw_inside in = inside_of(side_of(2.5, -19 - n, 1));
    NEAR(sw_radiate(&in, comes, few, &k).h, -2.7e-3);
    CHECK(sw_radiated(side_of(2.5, -11 - n, 1), flees, &k).h == 0);
  }
  const sw_side at_rest = sw_radiated(side_of(2.5, -10, 1), (sw_beyond){.value = 1}, &k);
  CHECK(at_rest.h == 0 && at_rest.u == 0 && at_rest.c == 0);
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
  parts();
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

#endif
