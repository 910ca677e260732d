/* The implicit solver: the same bits every time, as repeat.c asks. */
#define SCENE_SOLVER "adi"
#include "repeat.c"
