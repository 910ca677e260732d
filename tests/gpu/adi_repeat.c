/* The implicit solver: the same bits every time, as repeat.c asks. */
#define SCENE_SOLVER "adi"
#define SCENE_SINGLE 1e-5
#define SCENE_RATED_SEEDS 0
#define SCENE_RING_SEEDS 14
#define SCENE_HALVES 1 /* it has no ways of its own for what is rare */
#include "repeat.c"
