/* The implicit solver on two devices: scenes and bounds of compare.c.
 *
 * Its discontinuities are faces: they open and close at a depth of water, and one that was closed
 * asks for more. In scene 18 one opens a step earlier or later for 9 last places of gravity, on the
 * CPU alone, within the first 12 steps; what the GPU's rounding made of it was the same two
 * outcomes. */
#define SCENE_SOLVER "adi"
#define SCENE_SINGLE 5e-6
#include "compare.c"
