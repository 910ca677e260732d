/* f64.cu - tridiagonal lines in double precision. */
#define RIA_PRECISION double
#include "lines.cuh"
