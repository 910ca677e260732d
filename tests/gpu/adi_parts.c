/* The implicit solver with its grid whole and cut into parts: scenes and checks of parts.c. On a
 * GPU of as many parts as columns have segments for. */
#define SCENE_SOLVER "adi"
#define SCENE_SINGLE 1e-5
#define SCENE_RATED_SEEDS 0
#define SCENE_HALVES 1
/* Large ones, of several blocks a column: those of adi_compare.c, by their seeds. */
#define SCENE_LARGES 18
#define SCENE_LARGE_RINGS 12
#define SCENE_SIZES 15013, 37, 41, 9001, 1203, 701, 607, 1999, 301, 397, 1201, 201
/* The flow of crags with hundreds of rivers outruns the automatic step, on any device. */
#define SCENE_OUTRUNS 756038
#include "parts.c"
