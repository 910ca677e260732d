/* field3.cuh - 3-D fields on CUDA: what field3.cu has of the two precisions. */
#ifndef RIA_GPU_FIELD3_CUH
#define RIA_GPU_FIELD3_CUH
#include "machine/cuda.h"
#include "primitives/field3/field3.h"

/* Measured on an H200 (docs/gpu.md). */
enum {
  F3_THREADS = 256,       /* of a block that marches along y or z */
  F3_THREADS_WHOLE = 128, /*   from end to end; registers as so many blocks a multiprocessor */
  F3_BLOCKS_WHOLE = 4,    /*   leave them */
  F3_SEGMENT = 16,        /* points a thread marches; fewer in small fields: */
  F3_SEGMENT_SMALL = 8,   /*   so many, */
  F3_ENOUGH = 132 * 1024, /*   where there would be fewer threads than this */
  F3_COLUMNS = 64 * 1024, /* so many are enough for one march from end to end, which is taken */
  F3_REACH_MB = 32,       /*   where the planes in reach of a segment would not stay in the cache */
  F3_ROWS = 2,            /* of a thread along x, in single precision; one in double */
  F3_TILE_X = 32,         /* vectors of a gradient's tile */
  F3_TILE_Y = 16,         /* rows of it */
  F3_AHEAD = 2,           /* planes on their way to it */
  F3_TILES = 132          /* that are marched at once, one a multiprocessor */
};

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
  /* rows: [n[1] (last - first)] */
  cudaError_t (*row_sums)(cudaStream_t stream, const field3_shape *s, const void *data,
                          field3_sums *rows);
  /* rows: [n] and one more, where the result comes. */
  cudaError_t (*sum_rows)(cudaStream_t stream, field3_sums *rows, int64_t n);
};
extern const f3_kernels f3_f32, f3_f64;

#endif
