/* f32.cu - the kernels of 3-D fields in single precision. */
#include "field3.cuh"
#define RIA_PRECISION float
#define RIA_F3_SINGLE 1
#include "loops.cuh"
