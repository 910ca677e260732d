/* adi_f32.cu - the kernels of the implicit solver in single precision. */
#include "adi.cuh"
#define RIA_PRECISION float
#include "adi_sweep.cuh"
#include "adi_tick.cuh"
#include "adi_more.cuh"
