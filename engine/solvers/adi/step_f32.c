/* The sweeps in single precision. */
#define RIA_PRECISION float
#include "adi_step.h"
