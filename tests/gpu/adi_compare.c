/* The implicit solver on two devices: scenes and bounds of compare.c.
 *
 * What this found: a cell that was drained had a rounding error left to give, or none, and the face
 * that it crossed was open, or closed. Scene 18 parted by 7e-5 after ten steps, between devices and
 * for 9 last places of gravity on one (adi_share). */
#define SCENE_SOLVER "adi"
#define SCENE_SINGLE 5e-6
#define SCENE_HALVES 1 /* it has no ways of its own for what is rare */
#define SCENE_LARGES 4 /* of more than 512 x 512 cells: a GPU's threads take more cells each */
#define SCENE_LARGEST 607, 1999 /* a GPU may take 2048 a side and no more */
#include "compare.c"
