/* two_cells.h - for edges.h: an edge between two cells, and a cell after a step. */
#ifndef EDGES_TWO_CELLS_H
#define EDGES_TWO_CELLS_H

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

#endif
