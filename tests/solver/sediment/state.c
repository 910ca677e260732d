/* The state is what its named items say (state.h): random floors, a sea that rises, a height that
 * is set.
 *
 *   state [-v] [FIRST [LAST]] */
#include "floors.h"
#include "state.h"

static basin now;

static ria_sim *make(uint64_t seed) {
  char device[32];
  snprintf(device, sizeof device, "%s", test_device());
  now = floor_make(seed, seed / 5 % 2 ? RIA_F32 : RIA_F64, device, 2);
  CHECK_OK(now.ctx, ria_sim_track_maximum(now.sim, seed % 2 ? "sand" : "height"));
  return now.sim;
}

static void run(ria_sim *sim, uint64_t seed, int apart, void (*between)(ria_sim *sim)) {
  const double rough = seed % 5 == 4 ? 0.2 : 9;
  state_steps(sim, 15, apart, between);
  CHECK_OK(now.ctx, ria_sim_advance(sim, (seed % 3) * 10 * YEAR));
  CHECK_OK(now.ctx, ria_sim_set_constant(sim, "sea_level", 2));
  if (seed % 4 == 1) basin_random(&now, "height", -rough, rough, seed);
  state_steps(sim, 15, apart, between);
  CHECK_OK(now.ctx, ria_sim_advance(sim, 5 * YEAR));
  state_steps(sim, 5, apart, between);
}

static void end(ria_sim *sim) { (void)sim, basin_free(&now); }

static uint64_t seed_of(int k) { return (uint64_t)k; }

static int parts_of(uint64_t seed) { return 2 + (int)(seed % 7); }

int main(int argc, char **argv) {
  const state_scenes scenes = {make, run, end, SHORT(40, 10), seed_of, parts_of};
  /* what planes keep for other solvers */
  static const char *const rare[] = {STATE_RIM, "source_owed", "decayed", NULL};
  state_test(&scenes, rare, argc, argv);
  return TEST_END();
}
