/* The implicit solver on two devices: scenes and bounds of compare.c.
 *
 * What this found: a cell that was drained had a rounding error left to give, or none, and the face
 * that it crossed was open, or closed. Scene 18 parted by 7e-5 after ten steps, between devices and
 * for 9 last places of gravity on one (adi_share). */
#define SCENE_SOLVER "adi"
#define SCENE_SINGLE 5e-6
#define SCENE_HALVES 1 /* it has no ways of its own for what is rare */
#define SCENE_LARGES 0 /* a GPU takes 2048 cells a side */
#include "compare.c"
