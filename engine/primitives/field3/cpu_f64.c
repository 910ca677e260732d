/* 3-D fields on the CPU in double precision. */
#include "primitives/field3/cpu.h"

#define RIA_PRECISION double
#include "primitives/field3/cpu_loops.h"
