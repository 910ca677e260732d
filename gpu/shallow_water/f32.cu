/* f32.cu - the kernels of the shallow-water solver in single precision. */
#include "shallow_water.cuh"
/* The clock works in double. */
#define RIA_PRECISION double
#include "solvers/shallow_water/shallow_water_k.h"
#include "solvers/shallow_water/shallow_water_rim_k.h"
#undef RIA_PRECISION
#define RIA_PRECISION float
#include "cells.cuh"
#include "rim.cuh"
#include "clock.cuh"
#include "abreast.cuh"
#include "eddies.cuh"
#include "tile.cuh"
#include "step.cuh"
#include "order.cuh"
#include "tick_forcing.cuh"
#include "tick_sources.cuh"
#include "tick.cuh"
#include "relax.cuh"
#include "meet.cuh"
#include "io.cuh"
