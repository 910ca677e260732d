/* The implicit solver on two devices: scenes and bounds of compare.c. */
#define SCENE_SOLVER "adi"
#include "compare.c"
