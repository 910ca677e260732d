/* floors.h - random floors of odd sizes, with every kind of boundary, sources, both schemes. */
#ifndef SEDIMENT_FLOORS_H
#define SEDIMENT_FLOORS_H
#include "cases.h"

/* Seeds from here on: a floor of which a GPU's tiles are tall, and one of more tiles than it holds
 * at once. */
enum { LARGE = 1000, LONG = LARGE + 5, LONG_END = LONG + 5 };

static void floor_sides(basin *b, uint64_t *seed) {
  static const char *const kinds[] = {"closed", "flux", "open"};
  for (int side = 0; side < RIA_SIDES; side++) {
    const int kind = (int)(3 * dice(seed)), n = side < RIA_SOUTH ? b->grid.ny : b->grid.nx;
    const ria_value sand = {.constant = 3e-6 * n * (dice(seed) - 0.2)},
                    mud = {.constant = 3e-6 * n * (dice(seed) - 0.2)};
    basin_side(b, (ria_side)side, kinds[kind], sand, mud);
  }
  const double y = 0.4 * b->grid.ny * b->grid.dy, up = 2.2 * b->grid.dy;
  const ria_boundary_desc river = {.name = "river",
                                   .kind = "flux",
                                   .stretch = true,
                                   .from = {0, y},
                                   .to = {0, y + up},
                                   .values = {{"sand", {.constant = 1e-4}}}};
  CHECK_OK(b->ctx, ria_boundary_add(b->sim, &river, NULL));
}

static void floor_rain(basin *b, uint64_t *seed) {
  const double w = b->grid.nx * b->grid.dx, h = b->grid.ny * b->grid.dy;
  const ria_spill_desc slow = {.tracer = "mud",
                               .x = w * dice(seed),
                               .y = h * dice(seed),
                               .radius = 0.3 * h,
                               .has_flow = true,
                               .flow = {.constant = 1e-4},
                               .start = 3 * YEAR,
                               .duration = 30 * YEAR};
  const ria_spill_desc once = {.tracer = "sand",
                               .x = 0.5 * w,
                               .y = 0.5 * h,
                               .radius = 0.2 * w,
                               .volume = 1e4,
                               .start = 20 * YEAR};
  CHECK_OK(b->ctx, ria_sim_spill(b->sim, &slow, NULL));
  CHECK_OK(b->ctx, ria_sim_spill(b->sim, &once, NULL));
}

static basin floor_make(uint64_t seed, ria_real real, const char *device, int threads) {
  const int way = (int)(seed % 5); /* mapped, uniform, both with a sea, as printed */
  const ria_setting params[] = {{.name = "marine_alpha", .number = way == 2 || way == 3 ? 0.15 : 1},
                                {.name = "scheme", .text = way == 4 ? "paper" : "conservative"},
                                {.name = "c_sand", .number = 1.3},
                                {.name = "layer", .number = 2},
                                {0}};
  const bool is_large = seed >= LARGE, is_long = seed >= LONG;
  const int nx = is_long ? 300007 : is_large ? 2311 : 3 + (int)(300 * dice(&seed));
  const int ny = is_long ? 7 : is_large ? 1703 : 2 + (int)(120 * dice(&seed));
  setenv("RIA_TEST_DEVICE", device, 1);
  basin b = basin_make(nx, ny, 90, 120, real, threads, params);
  const double rough = way == 4 ? 0.2 : 6; /* what is printed blows up on rough floors */
  basin_random(&b, "height", -rough, rough, seed);
  basin_random(&b, "sand", 0, 1, seed + 1);
  if (way != 1 && way != 3) {
    basin_random(&b, "alpha", 100 / YEAR, 900 / YEAR, seed + 2);
    basin_random(&b, "beta", 0, 1500 / YEAR, seed + 3);
  }
  floor_sides(&b, &seed);
  floor_rain(&b, &seed);
  if (seed & 64) CHECK_OK(b.ctx, ria_sim_track_maximum(b.sim, "height"));
  return b;
}

#endif
