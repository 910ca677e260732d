/* f32.cu - the kernels of the implicit solver in single precision. */
#include "adi.cuh"
#define RIA_PRECISION float
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
