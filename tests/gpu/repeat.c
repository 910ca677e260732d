/* Bits that do not depend on how a run is made: twice in one process; with CUDA graphs and without
 * (RIA_CUDA_GRAPHS=off); with dry tiles skipped and not (RIA_CUDA_SKIP_DRY=off); with short ways
 * for simple cases taken and not (RIA_CUDA_SHORT_WAYS=off); in one batch, in batches of seven and
 * step by step, with a look at a field between them; with gauges that are read between steps and
 * without; with a maximum kept and without, for which a GPU walks over its tiles in another way.
 *
 *   gpu.repeat [FIRST LAST]    scenes of these seeds, else all */
#include "scene.h"

typedef struct way {
  const char *what, *variable; /* set to "off" while the context is made; NULL = none */
  int batch;
  bool gauged, watched;
} way;

static const way ways[] = {
    {"again", NULL, 0, false, false},
    {"without graphs", "RIA_CUDA_GRAPHS", 0, false, false},
    {"dry tiles not skipped", "RIA_CUDA_SKIP_DRY", 0, false, false},
    {"no short ways", "RIA_CUDA_SHORT_WAYS", 0, false, false},
    {"step by step", NULL, 1, false, false},
    {"in batches of 7", NULL, 7, false, false},
    {"in batches of 7 without graphs", "RIA_CUDA_GRAPHS", 7, false, false},
    {"with gauges", NULL, 0, true, false},
    {"with gauges, in batches of 7, no short ways", "RIA_CUDA_SHORT_WAYS", 7, true, false},
    {"with gauges, without graphs", "RIA_CUDA_GRAPHS", 0, true, false},
    {"with a maximum", NULL, 0, false, true},
    {"with a maximum, no short ways", "RIA_CUDA_SHORT_WAYS", 0, false, true},
};

/* What the device reads when a context is made. */
static ria_context *context_for(const way *w) {
  if (w->variable) setenv(w->variable, "off", 1);
  ria_context *ctx = test_context(test_setting("RIA_TEST_DEVICE", "cuda"), 2);
  if (w->variable) unsetenv(w->variable);
  return ctx;
}

enum { WAYS = sizeof ways / sizeof *ways };

/* Does nothing move that bounds a step? Then gauges, rows of parts of a second, are refused. */
static bool stands_still(const outcome *o) { return o->part[o->n - 3].v[0] > 1e9; /* its time */ }

static void one_scene(const scene *s, ria_context *plain, ria_context *const ctx[WAYS]) {
  outcome first = scene_outcome(plain, s, 0);
  for (int w = 0; w < WAYS; w++) {
    char name[96], what[192];
    if (ways[w].gauged && stands_still(&first)) continue;
    snprintf(what, sizeof what, "%s, %s", scene_name(s, name, sizeof name), ways[w].what);
    scene other = *s;
    other.gauged = ways[w].gauged;
    other.watched = ways[w].watched;
    outcome second = scene_outcome(ctx[w], &other, ways[w].batch);
    outcome_same(&first, &second, what);
    outcome_free(&second);
  }
  outcome_free(&first);
}

static void all_scenes(ria_context *plain, ria_context *const ctx[WAYS]) {
  const uint64_t half = test_is_short() ? 10 : 63; /* with what is rare; as many without */
  for (uint64_t k = 0; k < SCENE_HALVES * half; k++) {
    const scene s = scene_of(1 + k % half + (k < half ? 0 : SCENE_HALF));
    one_scene(&s, plain, ctx);
  }
  for (uint64_t k = 0; k < (test_is_short() ? 7 : 21); k++) {
    const scene s = scene_of(SCENE_SPRUNG + k);
    one_scene(&s, plain, ctx);
  }
  for (uint64_t k = 0; k < (test_is_short() ? 4 : 14); k++) {
    const scene s = scene_of(SCENE_RIVERS + k);
    one_scene(&s, plain, ctx);
  }
  for (int k = 0; k < SCENES_RINGS / (test_is_short() ? 7 : 2); k++) {
    const scene s = scene_of(SCENE_RINGS + (uint64_t)k);
    one_scene(&s, plain, ctx);
  }
}

int main(int argc, char **argv) {
  ria_context *plain = context_for(&ways[0]), *ctx[WAYS];
  for (int w = 0; w < WAYS; w++) ctx[w] = context_for(&ways[w]);
  if (argc == 1) all_scenes(plain, ctx);
  for (uint64_t k = argc > 2 ? strtoull(argv[1], NULL, 10) : 1;
       argc > 2 && k <= strtoull(argv[2], NULL, 10); k++) {
    const scene s = scene_of(k);
    one_scene(&s, plain, ctx);
  }
  for (int w = 0; w < WAYS; w++) ria_context_destroy(&ctx[w]);
  ria_context_destroy(&plain);
  return TEST_END();
}
