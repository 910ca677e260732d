/* f64.cu - the kernels of the diffusion solver in double precision. */
#define RIA_PRECISION double
#include "diffusion.cuh"
#include "machine/cluster.cuh"
#define R RIA_PRECISION
#include "pass.cuh"
#include "resident.cuh"
#include "plain.cuh"
