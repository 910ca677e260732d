/* A level that differs along a side: tides at points act as one of each cell would, whose complex
 * amplitudes lie between theirs; values change during a run; what is wrong with points is told. */
#include "cases.h"
#include "solver/along.h"

static const ria_setting more[] = {{"dt", 60, NULL}, {NULL, 0, NULL}};

int main(void) {
  for (int side = 0; side < 2; side++) {
    along_as_cells(side ? RIA_SOUTH : RIA_WEST, "level", RIA_F64, more, 1e-9);
    along_as_cells(side ? RIA_SOUTH : RIA_WEST, "level", RIA_F32, more, 1e-5);
  }
  along_changes(more);
  along_refuses(more);
  return TEST_END();
}
