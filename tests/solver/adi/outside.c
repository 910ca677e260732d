/* Cells that are left out of the domain, with the implicit solver. */
#define OUTSIDE_SOLVER "adi"
#include "solver/shallow_water/outside.c"
