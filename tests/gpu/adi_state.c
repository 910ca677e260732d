/* The implicit solver's state by name: scenes and checks of state.c. */
#define SCENE_SOLVER "adi"
#define SCENE_SINGLE 1e-5
#define SCENE_RATED_SEEDS 0
#define SCENE_RING_SEEDS 14
#define SCENE_HALVES 1
#include "state.c"
