/* f64.cu - the kernels of the implicit solver in double precision. */
#include "adi.cuh"
#define RIA_PRECISION double
#include "lines.cuh"
#include "build.cuh"
#include "sweep.cuh"
#include "forcing.cuh"
#include "tick.cuh"
#include "relax.cuh"
#include "apart.cuh"
#include "meet.cuh"
#include "rings.cuh"
#include "more.cuh"
