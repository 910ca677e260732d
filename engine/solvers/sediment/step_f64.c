/* One pass over the cells in double precision. */
#define RIA_PRECISION double
#include "sediment_step.h"
