/* f32.cu - tridiagonal lines in single precision. */
#define RIA_PRECISION float
#include "lines.cuh"
