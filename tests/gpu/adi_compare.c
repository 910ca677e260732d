/* The implicit solver on two devices: scenes and bounds of compare.c.
 *
 * What this found: a cell that was drained had a rounding error left to give, or none, and the face
 * that it crossed was open, or closed. Scene 18 parted by 7e-5 after ten steps, between devices and
 * for 9 last places of gravity on one (adi_share). */
#define SCENE_SOLVER "adi"
#define SCENE_SINGLE 1e-5
#define SCENE_RATED_SEEDS 0
#define SCENE_HALVES 1 /* it has no ways of its own for what is rare */
/* Lines of more cells than two lines a block leave room for (a GPU without clusters takes 2048 a
 * side: there these are not run); more than 512 x 512 cells, where a GPU's threads take more of
 * them each; fewer, in lines that take several blocks. The last six have periodic sides. */
#define SCENE_LARGES 18
#define SCENE_LARGE_RINGS 12
#define SCENE_SIZES 15013, 37, 41, 9001, 1203, 701, 607, 1999, 301, 397, 1201, 201
#include "compare.c"
