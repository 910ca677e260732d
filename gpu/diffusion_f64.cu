/* diffusion_f64.cu - the kernels of the diffusion solver in double precision. */
#define RIA_PRECISION double
#include "diffusion.cuh"
#include "cluster.cuh"
#define R RIA_PRECISION
#include "diffusion_pass.cuh"
#include "diffusion_resident.cuh"
#include "diffusion_plain.cuh"
