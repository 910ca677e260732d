/* From points on the map to cells of a side; boundaries painted over each other. */
#include "forcing/boundary_map.h"
#include "test.h"

static ria_context *ctx;
/* 10 x 6 cells of 100 m x 50 m: x from 1000 to 2000 m, y from -100 to 200 m. */
static const ria_grid grid = {.nx = 10, .ny = 6, .dx = 100, .dy = 50, .x0 = 1000, .y0 = -100};

static ria_boundary_desc stretch(double x0, double y0, double x1, double y1) {
  return (ria_boundary_desc){.stretch = true, .from = {x0, y0}, .to = {x1, y1}};
}

static void lies(double x0, double y0, double x1, double y1, ria_side side, int first, int count) {
  ria_boundary_desc forth = stretch(x0, y0, x1, y1), back = stretch(x1, y1, x0, y0);
  ria_place p;
  if (CHECK_OK(ctx, ria_place_resolve(ctx, &grid, &forth, &p))) {
    CHECK_TEXT(ria_side_name(p.side), ria_side_name(side));
    CHECK_INT(p.first, first);
    CHECK_INT(p.count, count);
  }
  ria_place q = {.side = RIA_SIDES, .first = -1, .count = -1};
  CHECK_OK(ctx, ria_place_resolve(ctx, &grid, &back, &q)); /* from and to may be swapped */
  CHECK(p.side == q.side && p.first == q.first && p.count == q.count);
}

static void test_sides(void) {
  for (int side = 0; side < RIA_SIDES; side++) {
    ria_place p;
    ria_boundary_desc desc = {.side = (ria_side)side};
    CHECK_OK(ctx, ria_place_resolve(ctx, &grid, &desc, &p));
    CHECK_INT(p.side, side);
    CHECK_INT(p.first, 0);
    CHECK_INT(p.count, ria_side_length(&grid, (ria_side)side));
  }
  ria_place p;
  CHECK_FAILS(ctx, ria_place_resolve(ctx, &grid, &(ria_boundary_desc){.side = (ria_side)7}, &p),
              RIA_ERR_ARGUMENT, "boundary: side 7 is none of west, east, south, north");
}

static void test_stretches(void) {
  lies(1200, 200, 1500, 200, RIA_NORTH, 2, 3); /* on the side, at cell edges */
  lies(1200, -100, 1500, -100, RIA_SOUTH, 2, 3);
  lies(1000, 0, 1000, 100, RIA_WEST, 2, 2);
  lies(2000, 0, 2000, 100, RIA_EAST, 2, 2);
  lies(1250, 200, 1450, 200, RIA_NORTH, 2, 3); /* between centres, both included */
  lies(1251, 200, 1449, 200, RIA_NORTH, 3, 1); /* and just not */
  lies(1250, 200, 1250, 200, RIA_NORTH, 2, 1); /* one point */
  lies(1200, 100, 1500, 300, RIA_NORTH, 2, 3); /* two cells off, inside and outside */
  lies(900, 210, 2100, 210, RIA_NORTH, 0, 10); /* beyond both corners: clipped */
  lies(1000, -100, 1000, 200, RIA_WEST, 0, 6); /* corner to corner */
  lies(1000, 200, 2000, 200, RIA_NORTH, 0, 10);
  lies(1000, -100, 1300, -100, RIA_SOUTH, 0, 3); /* from a corner along one side */
  lies(1000, -100, 1000, 0, RIA_WEST, 0, 2);
  lies(1190, -60, 1190, 160, RIA_WEST, 1, 4); /* within two wide cells of the west side */
}

static void bad(double x0, double y0, double x1, double y1, const char *message) {
  ria_boundary_desc desc = stretch(x0, y0, x1, y1);
  ria_place p = {.side = RIA_SIDES, .first = -7, .count = -7};
  CHECK_FAILS(ctx, ria_place_resolve(ctx, &grid, &desc, &p), RIA_ERR_ARGUMENT, message);
  CHECK(p.first == -7 && p.count == -7);
}

static void test_errors(void) {
  bad(1500, 50, 1600, 200,
      "boundary: its 'from' point (1500, 50) is 150 m from the nearest side, south: at most 2 "
      "cells (100 m) are allowed");
  bad(1200, 200, 1300, 330,
      "boundary: its 'to' point (1300, 330) is 130 m from the nearest side, north: at most 2 cells "
      "(100 m) are allowed");
  bad(1200, 200, 5000, 200,
      "boundary: its 'to' point (5000, 200) is 3000 m from the nearest side, east: at most 2 cells "
      "(200 m) are allowed");
  bad(1500, 200, 2000, 0,
      "boundary: from (1500, 200) on the north side to (2000, 0) on the east side: a stretch lies "
      "along one side; use two boundaries");
  bad(1260, 200, 1340, 200,
      "boundary: from (1260, 200) to (1340, 200) covers the centre of no cell of the north side "
      "(dx = 100 m): the nearest cell is from x = 1300 to 1400");
  bad(1000, 80, 1000, 110,
      "boundary: from (1000, 80) to (1000, 110) covers the centre of no cell of the west side (dy "
      "= 50 m): the nearest cell is from y = 50 to 100");
  bad(1990, 200, 2010, 200,
      "boundary: from (1990, 200) to (2010, 200) covers the centre of no cell of the north side "
      "(dx = 100 m): the nearest cell is from x = 1900 to 2000");
  bad(NAN, 200, 1340, 200, "boundary: its 'from' point (nan, 200) must have finite coordinates");
  bad(1300, 200, 1340, INFINITY,
      "boundary: its 'to' point (1340, inf) must have finite coordinates");
}

/* The same grid turned about its corner: places on the map turn with it. */
static void test_turned(void) {
  static const double ends[][4] = {
      {1200, 200, 1500, 200}, {2000, 0, 2000, 100}, {1000, -100, 1300, -100}, {1000, 0, 1000, 100}};
  ria_grid g = grid;
  for (g.angle = -150; g.angle <= 180; g.angle += 30)
    for (int k = 0; k < 4; k++) {
      const double *e = ends[k];
      ria_boundary_desc d = stretch(e[0], e[1], e[2], e[3]);
      ria_place p, q;
      double off, beyond, length;
      CHECK_OK(ctx, ria_place_resolve(ctx, &grid, &d, &p));
      const double at = ria_along_side(&grid, p.side, d.to, &off, &beyond, &length);
      ria_grid_to_map(&g, &d.from[0], &d.from[1]);
      ria_grid_to_map(&g, &d.to[0], &d.to[1]);
      CHECK_OK(ctx, ria_place_resolve(ctx, &g, &d, &q));
      CHECK(p.side == q.side && p.first == q.first && p.count == q.count && p.back == q.back);
      CHECK_NEAR(ria_along_side(&g, q.side, d.to, &off, &beyond, &length), at, 1e-9);
    }
  g.angle = 90;
  ria_boundary_desc d = stretch(1000, 160, 1000, 240);
  ria_place p;
  CHECK_FAILS(ctx, ria_place_resolve(ctx, &g, &d, &p), RIA_ERR_ARGUMENT,
              "boundary: from (1000, 160) to (1000, 240) covers the centre of no cell of the south "
              "side (dx = 100 m): the nearest cell is from (1000, 200) to (1000, 300)");
}

/* A channel one cell wide has sides too. */
static void test_thin(void) {
  const ria_grid thin = {.nx = 100, .ny = 1, .dx = 1, .dy = 1};
  ria_boundary_desc desc = stretch(0, 0, 0, 1);
  ria_place p;
  CHECK_OK(ctx, ria_place_resolve(ctx, &thin, &desc, &p));
  CHECK(p.side == RIA_WEST && p.first == 0 && p.count == 1);
  desc = stretch(20, 1, 30, 1);
  CHECK_OK(ctx, ria_place_resolve(ctx, &thin, &desc, &p));
  CHECK(p.side == RIA_NORTH && p.first == 20 && p.count == 10);
}

/* Centres given as decimals count although 0.55 / 0.1 is a little more than 5.5. */
static void test_rounding(void) {
  const ria_grid fine = {.nx = 10, .ny = 10, .dx = 0.1, .dy = 0.1};
  for (int first = 0; first < 10; first++) {
    for (int last = first; last < 10; last++) {
      ria_boundary_desc desc = stretch((first + 0.5) / 10, 1, (last + 0.5) / 10, 1);
      ria_place p = {0};
      CHECK_OK(ctx, ria_place_resolve(ctx, &fine, &desc, &p));
      CHECK_INT(p.side, RIA_NORTH);
      CHECK_INT(p.first, first);
      CHECK_INT(p.count, last - first + 1);
    }
  }
}

/* One side's owners, as digits. */
static void owners(const ria_boundary_map *map, ria_side side, const char *expected) {
  char got[32] = "";
  for (int k = 0; k < ria_side_length(&grid, side); k++)
    snprintf(got + k, sizeof got - (size_t)k, "%d", map->owner[side][k]);
  CHECK_TEXT(got, expected);
}

static void test_map(void) {
  ria_boundary_map map = {0};
  const ria_place place[] = {{RIA_NORTH, 2, 4, false, NULL}, {RIA_NORTH, 4, 3, false, NULL},
                             {RIA_EAST, 0, 6, false, NULL},  {RIA_SOUTH, 9, 1, false, NULL},
                             {RIA_EAST, 0, 6, false, NULL},  {RIA_WEST, 5, 1, false, NULL}};
  if (!CHECK_OK(ctx, ria_boundary_map_build(ctx, &grid, NULL, 0, &map))) return;
  CHECK_INT(map.n, 4);
  owners(&map, RIA_WEST, "000000");
  owners(&map, RIA_EAST, "111111");
  owners(&map, RIA_SOUTH, "2222222222");
  owners(&map, RIA_NORTH, "3333333333");
  if (!CHECK_OK(ctx, ria_boundary_map_build(ctx, &grid, place, 6, &map))) return;
  CHECK_INT(map.n, 10);
  owners(&map, RIA_WEST, "000009");
  owners(&map, RIA_EAST, "888888");
  owners(&map, RIA_SOUTH, "2222222227");
  owners(&map, RIA_NORTH, "3344555333");
  static const int cells[] = {5, 0, 9, 5, 2, 3, 0, 1, 6, 1};
  for (int s = 0; s < map.n; s++) CHECK_INT(map.cells[s], cells[s]);
  ria_boundary_map_free(&map);
  CHECK(map.block == NULL && map.n == 0);
  ria_boundary_map_free(&map);
}

int main(void) {
  if (!CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx)))
    return TEST_END();
  test_sides();
  test_stretches();
  test_errors();
  test_turned();
  test_thin();
  test_rounding();
  test_map();
  ria_context_destroy(&ctx);
  return TEST_END();
}
