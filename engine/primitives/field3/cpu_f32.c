/* 3-D fields on the CPU in single precision. */
#include "primitives/field3/cpu.h"

#define RIA_PRECISION float
#include "primitives/field3/cpu_loops.h"
