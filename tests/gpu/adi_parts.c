/* The implicit solver with its grid whole and cut into parts: scenes and checks of parts.c. */
#define SCENE_SOLVER "adi"
#define HAS_RINGS 0
#define SCENE_SINGLE 5e-6
#define SCENE_HALVES 1
#define PARTS_ON_CPU /* not cut on a GPU yet */
#include "parts.c"
