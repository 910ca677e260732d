/* f32.cu - the kernels of the two-sediment solver in single precision. */
#define RIA_PRECISION float
#include "pass.cuh"
#include "tick.cuh"
#include "meet.cuh"
#include "fields.cuh"
