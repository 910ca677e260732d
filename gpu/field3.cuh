/* field3.cuh - 3-D fields on CUDA: what field3.cu has of the two precisions. */
#ifndef RIA_GPU_FIELD3_CUH
#define RIA_GPU_FIELD3_CUH
#include "cuda.h"
#include "primitives/field3/field3.h"

/* Each queues kernels; what went wrong with a launch comes back. */
struct f3_kernels {
  cudaError_t (*derive)(cudaStream_t stream, const field3_derive *job);
  cudaError_t (*gradient)(cudaStream_t stream, const field3_shape *s, const fd_stencil *stencil,
                          const void *f, void *const *out);
  cudaError_t (*fill)(cudaStream_t stream, const field3_shape *s, void *data, double value);
  cudaError_t (*combine)(cudaStream_t stream, const field3_shape *s, double a, const void *f,
                         double b, const void *g, void *out);
  cudaError_t (*multiply)(cudaStream_t stream, const field3_shape *s, const void *f, const void *g,
                          void *out);
  /* rows: [n[1] n[2]] and one more, where the result comes. */
  cudaError_t (*sums)(cudaStream_t stream, const field3_shape *s, const void *data,
                      field3_sums *rows);
};
extern const f3_kernels f3_f32, f3_f64;

#endif
