/* A solver's state is what its named items say (state.h): the scenes of scene.h.
 *
 *   gpu.state [-v] [FIRST [LAST]] */
#include "scene.h"
#include "state.h"

static ria_context *ctx;

static ria_sim *make(uint64_t seed) {
  const scene s = scene_of(seed);
  return scene_make(ctx, &s);
}

static void run(ria_sim *sim, uint64_t seed, int apart, void (*between)(ria_sim *sim)) {
  const scene s = scene_of(seed);
  scene_between = between;
  scene_run(sim, &s, apart);
}

static void end(ria_sim *sim) { ria_sim_destroy(&sim); }

/* Of each half, and with springs; in short. */
enum { SEEDS = 42, SPRUNG = 21, SHORT_SEEDS = 10, SHORT_SPRUNG = 4 };

static uint64_t seed_of(int k) {
  const int each = test_is_short() ? SHORT_SEEDS : SEEDS, usual = each * SCENE_HALVES;
  return (uint64_t)(k < usual ? 1 + k / each * SCENE_HALF + k % each : SCENE_SPRUNG + k - usual);
}

int main(int argc, char **argv) {
  const state_scenes scenes = {.make = make,
                               .run = run,
                               .end = end,
                               .n = test_is_short() ? SEEDS * SCENE_HALVES + SPRUNG
                                                    : SCENES + SCENES_SPRUNG,
                               .seed = seed_of};
  /* a survey finds the place of the greatest speed, too, but for rounding; no scene has an outlet
   * that is refused */
  static const char *const rare[] = {"speed_cell", "refusal", NULL};
  ctx = test_context(test_setting("RIA_TEST_DEVICE", "cuda"), 2);
  state_test(&scenes, rare, argc, argv);
  ria_context_destroy(&ctx);
  return TEST_END();
}
