/* Passes in single precision. */
#define RIA_PRECISION float
#include "diffusion_step.h"
