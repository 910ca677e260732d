/* One pass over the cells in single precision. */
#define RIA_PRECISION float
#include "sediment_step.h"
