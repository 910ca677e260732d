/* The state is what its named items say (state.h): random plates; a source that is set or changed.
 *
 *   state [-v] [FIRST [LAST]] */
#include "plates.h"
#include "state.h"

static plate now;

static ria_sim *make(uint64_t seed) {
  const traits w = traits_of((unsigned)seed);
  now = plates_make(test_device(), &w);
  return now.sim;
}

/* Sides that have a value, or are insulated, have other longest steps. */
static void change_side(ria_sim *sim, uint64_t seed) {
  ria_boundary_id id;
  ria_boundary_desc b = {.kind = seed % 2 ? "open" : "value"};
  if (seed % 2 == 0) b.values[0] = (ria_boundary_value){"u", {.constant = 0.5}};
  CHECK_OK(now.ctx, ria_boundary_find(sim, "east", &id));
  CHECK_OK(now.ctx, ria_boundary_change(sim, id, &b));
  CHECK_OK(now.ctx, ria_boundary_find(sim, "west", &id));
  CHECK_OK(now.ctx, ria_boundary_change(sim, id, &b));
}

static void run(ria_sim *sim, uint64_t seed, int apart, void (*between)(ria_sim *sim)) {
  state_steps(sim, 11, apart, between);
  CHECK_OK(now.ctx, ria_sim_advance(sim, 0.013 * (double)(seed % 3)));
  state_steps(sim, 7, apart, between);
  if (seed % 4 == 2) plate_scatter(&now, "source", -1, 1, (unsigned)seed + 9);
  if (seed % 3) change_side(sim, seed);
  state_steps(sim, 13, apart, between);
}

static void end(ria_sim *sim) { (void)sim, plate_free(&now); }

static uint64_t seed_of(int k) { return (uint64_t)k; }

static int parts_of(uint64_t seed) { return 2 + (int)(seed % 7); }

int main(int argc, char **argv) {
  const state_scenes scenes = {make, run, end, SHORT(60, 12), seed_of, parts_of};
  /* what planes keep for other solvers, and the engine: restoring prepares; there is no warning */
  static const char *const rare[] = {STATE_RIM,  "source_owed", "decayed",
                                     "prepared", "warning",     NULL};
  state_test(&scenes, rare, argc, argv);
  return TEST_END();
}
