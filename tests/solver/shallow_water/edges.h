/* edges.h - single edges of shallow_water, and faces of its cells, by the functions that all loops
 * over cells call (*_k.h), in the precision that RIA_PRECISION says.
 *
 * Each has exact answers: water at rest, a stream, a bore, a jump that stands; a wave that leaves,
 * a weir, normal depth. And each keeps two laws whatever the state: the mirror image of an edge has
 * the mirror image of its flux; and with all lengths 64 times and all times 8 times as large every
 * flux grows as its unit says (Froude's law), for gravity has the same value.
 *
 * The tests are in the folder edges: two_cells.h, sides.h, second_order.h. */
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

#include "edges/two_cells.h"
#include "edges/sides.h"
#include "edges/second_order.h"

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
  mixes_in_fast_water();
  cells_keep_the_laws();
  half_a_step();
  faces_stay_between();
  beyond_sides();
  return TEST_END();
}
