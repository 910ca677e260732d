/* f64.cu - the kernels of the two-sediment solver in double precision. */
#define RIA_PRECISION double
#include "pass.cuh"
#include "tick.cuh"
#include "meet.cuh"
#include "fields.cuh"
