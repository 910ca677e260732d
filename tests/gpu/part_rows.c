/* Parts of a grid on a GPU, or on RIA_TEST_DEVICE: what tests/unit/parts.c does, with rows for
 * tiles that touch no cut. */
#define PARTS_ROWS 41
#define PARTS_DEVICE "cuda"
#include "../unit/parts.c"
