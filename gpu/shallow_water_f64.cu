/* shallow_water_f64.cu - the kernels of the shallow-water solver in double precision. */
#include "shallow_water.cuh"
/* The clock looks at boundaries in single first. */
#define RIA_PRECISION float
#include "solvers/shallow_water/shallow_water_k.h"
#include "solvers/shallow_water/shallow_water_rim_k.h"
#undef RIA_PRECISION
#define RIA_PRECISION double
#include "shallow_water_cells.cuh"
#include "shallow_water_rim.cuh"
#include "shallow_water_clock.cuh"
#include "shallow_water_step.cuh"
#include "shallow_water_order.cuh"
#include "shallow_water_tick.cuh"
#include "shallow_water_io.cuh"
