/* The implicit solver: the same bits every time, as repeat.c asks. */
#define SCENE_SOLVER "adi"
#define SCENE_SINGLE 5e-6
#include "repeat.c"
