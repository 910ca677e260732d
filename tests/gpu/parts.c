/* The same scenes with the grid whole and cut into parts, drawn from 2 to 9: everything that is
 * told has the same bits (outcome_same): fields, maxima, points, gauges, the account, the clock.
 *
 *   gpu.parts [-v] [FIRST [LAST]]
 *
 *   FIRST, LAST   seeds of the scenes; all of them
 *   -v            a line a scene */
#include "scene.h"

enum { MOST = 9 };
static ria_context *ctx[MOST + 1]; /* by number of parts */

/* As many as the grid has rows, at most. */
static int parts_of(const scene *s) {
  dice d = dice_for(s, "parts");
  const int n = 2 + pick(&d, MOST - 1);
  return n < s->ny ? n : s->ny;
}

static void one_scene(uint64_t seed, bool verbose) {
  const scene s = scene_of(seed);
  const int n = parts_of(&s), batch = seed % 3 == 0 ? 7 : 0;
  char name[96], what[128];
  snprintf(what, sizeof what, "%s, %d parts", scene_name(&s, name, sizeof name), n);
  if (verbose) printf("%s\n", what);
  outcome whole = scene_outcome(ctx[1], &s, 0), parts = scene_outcome(ctx[n], &s, batch);
  outcome_same(&whole, &parts, what);
  outcome_free(&whole);
  outcome_free(&parts);
}

int main(int argc, char **argv) {
  const bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  const int given = argc - 1 - verbose;
  if (strcmp(test_setting("RIA_TEST_DEVICE", "cpu"), "cpu") != 0) return 77; /* not cut there yet */
  for (int n = 1; n <= MOST; n++) {
    const ria_context_desc desc = {.device = "cpu", .threads = 1 + n % 2, .parts = n};
    if (!CHECK_OK(NULL, ria_context_create(&desc, &ctx[n]))) return TEST_END();
  }
  const uint64_t first = given > 0 ? strtoull(argv[1 + verbose], NULL, 10) : 1;
  const uint64_t last = given > 1   ? strtoull(argv[2 + verbose], NULL, 10)
                        : given > 0 ? first
                                    : SCENES;
  const uint64_t step = given > 0 || !test_is_short() ? 1 : 5;
  for (uint64_t k = first; k <= last; k += step) one_scene(k, verbose);
  for (uint64_t k = 0; given <= 0 && k < SCENES_SPRUNG; k += step)
    one_scene(SCENE_SPRUNG + k, verbose);
  for (int n = 1; n <= MOST; n++) ria_context_destroy(&ctx[n]);
  return TEST_END();
}
