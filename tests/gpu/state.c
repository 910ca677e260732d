/* A solver's state is what its named items say (state.h): the scenes of scene.h, small and large,
 * where on a GPU tiles are laid by the water that there is at the start.
 *
 *   gpu.state [-v] [FIRST [LAST]] */
#include "scene.h"
#include "state.h"
#include <ria/output.h>

#ifndef SCENE_RARE
#define SCENE_RARE /* items that a solver of scenes has no use for, with commas */
#endif

static ria_context *ctx, *cut; /* cut: of a scene whose grid is */

/* A third of the scenes keep sums of a field for a fit. */
static ria_sim *make(uint64_t seed) {
  static const char *const names[] = {"M2", "M8"};
  const scene s = scene_of(seed);
  if (test_parts) cut = test_context(state_device(), 1);
  ria_sim *sim = scene_make(cut ? cut : ctx, &s);
  if (seed % 3 == 0)
    CHECK_OK(ria_sim_context(sim),
             ria_sim_fit(sim, &(ria_fit_desc){.names = names, .n_names = 2, .every = 0.5}, NULL));
  return sim;
}

static void run(ria_sim *sim, uint64_t seed, int apart, void (*between)(ria_sim *sim)) {
  const scene s = scene_of(seed);
  scene_between = between;
  scene_run(sim, &s, apart);
}

static void end(ria_sim *sim) {
  ria_sim_destroy(&sim);
  ria_context_destroy(&cut);
}

static int parts_of(uint64_t seed) {
  const scene s = scene_of(seed);
  const int n = 2 + (int)(seed % 7);
  return scene_parts(&s, n, state_on_gpu());
}

/* Of each half, with springs, with rivers, with rings; in short. */
enum { SEEDS = 42, SPRUNG = 21, RIVERS = 7, SHORT_SEEDS = 10, SHORT_SPRUNG = 4, SHORT_RIVERS = 2 };
enum { RINGS = SCENES_RINGS / 2, SHORT_RINGS = SCENES_RINGS / 7 };
/* Not in short, and on a GPU alone: on a CPU there are no tiles. */
static const uint64_t large[] = {SCENE_LARGE, SCENE_LARGE + 1, SCENE_HALF_DRY, SCENE_HALF_DRY + 1};
enum { LARGES = SCENE_LARGES > SCENE_HALF_DRY - SCENE_LARGE ? 4 : 2 };

static int n_usual(void) {
  return test_is_short() ? SHORT_SEEDS * SCENE_HALVES + SHORT_SPRUNG + SHORT_RIVERS + SHORT_RINGS
                         : SEEDS * SCENE_HALVES + SPRUNG + RIVERS + RINGS;
}

static uint64_t seed_of(int k) {
  if (k >= n_usual()) return large[k - n_usual()];
  const int each = test_is_short() ? SHORT_SEEDS : SEEDS, usual = each * SCENE_HALVES;
  const int sprung = usual + (test_is_short() ? SHORT_SPRUNG : SPRUNG);
  const int rivers = sprung + (test_is_short() ? SHORT_RIVERS : RIVERS);
  if (k >= rivers) return (uint64_t)(SCENE_RINGS + k - rivers);
  if (k >= sprung) return (uint64_t)(SCENE_RIVERS + k - sprung);
  return (uint64_t)(k < usual ? 1 + k / each * SCENE_HALF + k % each : SCENE_SPRUNG + k - usual);
}

int main(int argc, char **argv) {
  const char *device = test_setting("RIA_TEST_DEVICE", "cuda");
  const bool goes_large = !test_is_short() && strcmp(device, "cpu") != 0;
  const state_scenes scenes = {.make = make,
                               .run = run,
                               .end = end,
                               .n = n_usual() + (goes_large ? LARGES : 0),
                               .seed = seed_of,
                               .parts = parts_of};
  /* a survey finds the place of the greatest speed, too, but for rounding; no scene has an outlet
   * that is refused */
  static const char *const rare[] = {SCENE_RARE "speed_cell", "refusal", NULL};
  ctx = test_context(device, 2);
  state_test(&scenes, rare, argc, argv);
  ria_context_destroy(&ctx);
  return TEST_END();
}
