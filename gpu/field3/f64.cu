/* f64.cu - the kernels of 3-D fields in double precision. */
#include "field3.cuh"
#define RIA_PRECISION double
#define RIA_F3_SINGLE 0
#include "loops.cuh"
