/* The time step in single precision. */
#define RIA_PRECISION float
#include "shallow_water_step.h"
