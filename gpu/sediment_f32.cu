/* sediment_f32.cu - the kernels of the two-sediment solver in single precision. */
#define RIA_PRECISION float
#include "sediment_pass.cuh"
