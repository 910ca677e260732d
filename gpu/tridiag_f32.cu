/* tridiag_f32.cu - tridiagonal lines in single precision. */
#define RIA_PRECISION float
#include "tridiag_lines.cuh"
