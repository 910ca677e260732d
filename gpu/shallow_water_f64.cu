/* shallow_water_f64.cu - the kernels of the shallow-water solver in double precision. */
#include "shallow_water.cuh"
#define RIA_PRECISION double
#include "shallow_water_step.cuh"
#define R RIA_PRECISION
#include "shallow_water_tick.cuh"
#include "shallow_water_io.cuh"
