/* The sweeps in double precision. */
#define RIA_PRECISION double
#include "adi_step.h"
