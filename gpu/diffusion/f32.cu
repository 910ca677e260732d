/* f32.cu - the kernels of the diffusion solver in single precision. */
#define RIA_PRECISION float
#include "diffusion.cuh"
#include "machine/cluster.cuh"
#define R RIA_PRECISION
#include "pass.cuh"
#include "resident.cuh"
#include "plain.cuh"
