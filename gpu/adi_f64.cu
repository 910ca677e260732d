/* adi_f64.cu - the kernels of the implicit solver in double precision. */
#include "adi.cuh"
#define RIA_PRECISION double
#include "adi_sweep.cuh"
#include "adi_tick.cuh"
#include "adi_more.cuh"
