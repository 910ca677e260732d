/* Passes in double precision. */
#define RIA_PRECISION double
#include "diffusion_step.h"
