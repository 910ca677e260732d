/* diffusion_f32.cu - the kernels of the diffusion solver in single precision. */
#define RIA_PRECISION float
#include "diffusion.cuh"
#include "cluster.cuh"
#define R RIA_PRECISION
#include "diffusion_pass.cuh"
#include "diffusion_resident.cuh"
#include "diffusion_plain.cuh"
