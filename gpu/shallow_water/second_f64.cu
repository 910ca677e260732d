/* second_f64.cu - the time step at order 2 in double precision. */
#include "shallow_water.cuh"
/* The clock works in double. */

#define RIA_PRECISION double
#include "cells.cuh"
#include "rim.cuh"
#include "clock.cuh"
#include "abreast.cuh"
#include "eddies.cuh"
#include "tile.cuh"
#include "second.cuh"
