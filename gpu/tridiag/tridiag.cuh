/* gpu/tridiag/tridiag.cuh - what the files of the tridiagonal solver on CUDA share. */
#ifndef RIA_GPU_TRIDIAG_CUH
#define RIA_GPU_TRIDIAG_CUH
#include "machine/cuda.h"
#include "primitives/tridiag/tridiag.h"

enum { TRIDIAG_EACH = 4096 }; /* unknowns of a line that a block holds in any case */

/* Addresses of the device. */
typedef struct tridiag_lines {
  int n, lines;
  size_t stride;
  const void *lower, *diag, *upper, *rhs;
  void *x;
  int *bad; /* the least number of a line without a solution */
} tridiag_lines;

cudaError_t tridiag_launch_f32(const tridiag_lines *a, bool rows, int most_blocks,
                               cudaStream_t stream);
cudaError_t tridiag_launch_f64(const tridiag_lines *a, bool rows, int most_blocks,
                               cudaStream_t stream);

#endif
