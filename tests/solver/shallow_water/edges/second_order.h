/* second_order.h - for edges.h: the second order: slopes, half a step ahead, faces of tracers, what
 * a cell sees beyond a side. */
#ifndef EDGES_SECOND_ORDER_H
#define EDGES_SECOND_ORDER_H

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

/* In fast water the face that lies beyond a neighbour is put there, and all departures are drawn in
 * till what leaves at most, over the edges and by diffusion, brings the rest to that neighbour's
 * concentration. */
static void mixes_in_fast_water(void) {
  const sw_const k = constants();
  const sw_second o = sw_second_of(2);
  const double h = 2.5, u = -9, c = 5, dt = 0.05, m = 0.07, least = 0.2;
  const sw_flow f = sw_flow_of((R)h, (R)(h * u), 0, &k);
  const sw_around dc = {1, (R)least, 0, 0}, dh = {0, 0, 0, 0};
  const sw_mixing mixing = sw_mixing_of((R)m, (R)m, (R)h, dh);
  const sw_traced t = sw_faces_mixed(3, dc, f, 1, (R)dt, 0, mixing, &o);
  const double east = dt * h * c / 2, west = dt * h * (c / 2 - u), mixed = 4 * m * h;
  const double middle = (double)t.middle - 0.5 * m * (least - 1);
  const double gone =
      east * ((double)t.at.e - 3) + west * ((double)t.at.w - 3) + mixed * (middle - 3);
  NEAR(gone, -least * (h - east - west - mixed));
  CHECK((double)t.at.e < 3 + 0.9 * least); /* drawn in, not only put there */
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

#endif
