/* The time step in double precision. */
#define RIA_PRECISION double
#include "shallow_water_step.h"
