/* The implicit solver: the same bits every time, as repeat.c asks. */
#define SCENE_SOLVER "adi"
#define SCENE_SINGLE 5e-6
#define SCENE_RING_SEEDS 14
#define SCENE_HALVES 1 /* it has no ways of its own for what is rare */
#include "repeat.c"
