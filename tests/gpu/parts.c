/* The same scenes with the grid whole and cut into parts, drawn from 2 to 9: everything that is
 * told has the same bits: fields, maxima, points, gauges, the account, the clock. On a GPU but for
 * what sources gave and what decayed: these are summed by tile. On the CPU parts step one after
 * another or on threads of their own, wherever cuts lie and however often they move.
 *
 *   gpu.parts [-v] [FIRST [LAST]]
 *
 *   FIRST, LAST   seeds of the scenes; all of them
 *   -v            a line a scene
 *
 * RIA_TEST_DEVICE names the device; RIA_TEST_SEVERAL where the parts are: "cuda:0-3", or
 * "cuda:0,0", which deals them out to one GPU twice. */
#include "base/context.h"
#include "scene.h"

enum { MOST = 9 };
static ria_context *ctx[MOST + 1]; /* by number of parts */
static bool on_cpu;
static int fewest; /* parts: a GPU has at least one */

/* Cuts lie evenly, by work, or move by chance at every span. */
static void choose_cuts(ria_context *of, uint64_t seed) {
  of->cuts = seed % 3 == 0 ? RIA_CUTS_BY_WORK : seed % 3 == 1 ? RIA_CUTS_EVEN : RIA_CUTS_OFTEN;
}

/* As many as the grid has rows, at most. */
static int parts_of(const scene *s) {
  dice d = dice_for(s, "parts");
  const int drawn = 2 + pick(&d, MOST - 1), n = drawn > fewest ? drawn : fewest;
  return n < s->ny ? n : s->ny;
}

/* A row of the budget: initial, stored, inflow, outflow, sources, decayed. */
static bool same_budget(const part *p, const part *q) {
  for (int k = 0; k < 6; k++) {
    const double off = fabs(p->v[k] - q->v[k]);
    if (memcmp(&p->v[k], &q->v[k], sizeof(double)) == 0) continue;
    if (k < 4 || !(off <= 1e-12 * p->scale)) return false;
  }
  return true;
}

/* As outcome_same, but for sums that a GPU takes by tile. */
static void outcome_alike(outcome *a, const outcome *b, const char *what) {
  for (int k = 0; !on_cpu && k < a->n && k < b->n; k++) {
    part *p = &a->part[k];
    const part *q = &b->part[k];
    if (p->aspect != ACCOUNT || strncmp(p->name, "budget", 6) != 0) continue;
    if (same_budget(p, q)) memcpy(p->v, q->v, p->n * sizeof *p->v);
  }
  outcome_same(a, b, what);
}

static void one_scene(uint64_t seed, bool verbose) {
#ifdef SCENE_OUTRUNS
  if (seed == SCENE_OUTRUNS) return;
#endif
  const scene s = scene_of(seed);
  const int wanted = parts_of(&s), batch = seed % 3 == 0 ? 7 : 0;
  const int n = scene_parts(&s, wanted, !on_cpu);
  if (n < fewest) return; /* refused, or a grid of fewer rows */
  char name[96], what[128];
  snprintf(what, sizeof what, "%s, %d parts", scene_name(&s, name, sizeof name), n);
  if (verbose) printf("%s\n", what);
  choose_cuts(ctx[n], seed);
  outcome whole = scene_outcome(ctx[1], &s, 0), parts = scene_outcome(ctx[n], &s, batch);
  outcome_alike(&whole, &parts, what);
  outcome_free(&whole);
  outcome_free(&parts);
}

/* Contexts for the whole, and for each number of parts that the devices take. Returns the least. */
static int open_all(void) {
  const char *device = test_device(), *several = test_setting("RIA_TEST_SEVERAL", device);
  on_cpu = strcmp(device, "cpu") == 0;
  test_parts = 0;
  ctx[1] = test_context(device, 2);
  int least = 2;
  for (int n = 2; n <= MOST; n++) {
    const ria_context_desc desc = {.device = several, .threads = n % 3 ? 2 : 3, .parts = n};
    const ria_status status = ria_context_create(&desc, &ctx[n]);
    if (status == RIA_ERR_ARGUMENT)
      least = n + 1; /* fewer parts than GPUs */
    else if (!CHECK_OK(NULL, status))
      exit(1);
  }
  return least;
}

int main(int argc, char **argv) {
  const bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  const int given = argc - 1 - verbose;
  setenv("RIA_CUDA_TWICE", "on", 0);
  fewest = open_all();
  const uint64_t first = given > 0 ? strtoull(argv[1 + verbose], NULL, 10) : 1;
  const uint64_t last = given > 1   ? strtoull(argv[2 + verbose], NULL, 10)
                        : given > 0 ? first
                        : on_cpu    ? (uint64_t)SCENES
                                    : 2 * (uint64_t)SCENE_HALF; /* also those of nothing rare */
  const uint64_t step = given > 0 ? 1 : test_is_short() ? 5 : on_cpu ? 1 : 2;
  for (uint64_t k = first; k <= last; k += step) one_scene(k, verbose);
  for (uint64_t k = 0; given <= 0 && k < SCENES_SPRUNG; k += step)
    one_scene(SCENE_SPRUNG + k, verbose);
  for (uint64_t k = 0; given <= 0 && k < SCENES_RIVERS; k += step)
    one_scene(SCENE_RIVERS + k, verbose);
  for (int k = 0; given <= 0 && k < SCENES_RINGS; k += (int)step)
    one_scene(SCENE_RINGS + (uint64_t)k, verbose);
  const int rated = step > 4 ? 10 : (int)step;
  for (int k = 0; given <= 0 && k < SCENES_RATED; k += rated)
    one_scene(SCENE_RATED + (uint64_t)k, verbose);
  for (int n = 1; n <= MOST; n++) ria_context_destroy(&ctx[n]);
  return TEST_END();
}
