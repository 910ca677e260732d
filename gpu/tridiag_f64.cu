/* tridiag_f64.cu - tridiagonal lines in double precision. */
#define RIA_PRECISION double
#include "tridiag_lines.cuh"
