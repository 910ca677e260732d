/* gpu/machine/fields.cuh - loops over the cells of a field: copies and means for output, samples,
 * sums of rows. One text for whatever gives a cell's value.
 *
 * VALUE is a struct that kernels get by value, with
 *
 *   __device__ double at(int i, int j) const;
 *
 * the value of cell (i, j), NaN where it has none. */
#ifndef RIA_GPU_FIELDS_CUH
#define RIA_GPU_FIELDS_CUH
#include "planes.cuh"

namespace {

enum {
  FIELD_THREADS = 256, /* threads of a block */
  FIELD_ROWS = 8       /* rows of a thread of a copy */
};

inline unsigned blocks_for(int64_t n) {
  const int64_t blocks = (n + FIELD_THREADS - 1) / FIELD_THREADS;
  return (unsigned)(blocks < 1 ? 1 : blocks > 0x7fffffff ? 0x7fffffff : blocks);
}
/* A loop over numbers, shared out among all threads: from first_of_thread() on, all_threads() at a
 * time. */
__device__ __forceinline__ int64_t first_of_thread() {
  return (int64_t)blockIdx.x * FIELD_THREADS + threadIdx.x;
}
__device__ __forceinline__ int64_t all_threads() { return (int64_t)gridDim.x * FIELD_THREADS; }

/* Numbers that lie in memory. */
template <typename REAL> struct stored_value {
  const REAL *first;
  size_t row, step;
  explicit stored_value(ria_gpu_cells c) : first((const REAL *)c.first), row(c.row), step(c.step) {}
  __device__ __forceinline__ double at(int i, int j) const {
    return (double)first[(size_t)j * row + (size_t)i * step];
  }
};

/* The mean of those of coarse x coarse cells of the grid that have a value; base: the grid's row
 * that is row 0 of `value`. */
template <typename VALUE>
__device__ __forceinline__ double mean_of(const VALUE &value, int nx, int ny, int base, int coarse,
                                          int i, int j) {
  double sum = 0;
  int n = 0;
  for (int jj = j * coarse; jj < (j + 1) * coarse && jj < ny; jj++)
    for (int ii = i * coarse; ii < (i + 1) * coarse && ii < nx; ii++) {
      const double v = value.at(ii, jj - base);
      if (isnan(v)) continue;
      sum += v;
      n++;
    }
  return n ? (n == 1 ? sum : sum / n) : (double)NAN;
}

/* Rows of blocks, so that no thread divides; a thread has some cells of a column. The least number
 * of blocks keeps the compiler from spilling registers. */
template <typename T, bool MEANS, typename VALUE>
__global__ void __launch_bounds__(FIELD_THREADS, MEANS ? 4 : 6)
    copy_cells(const __grid_constant__ VALUE value, int nx, int ny, int base, int coarse, int j0,
               int nj, T *dst) {
  const int width = (nx + coarse - 1) / coarse, i = blockIdx.x * FIELD_THREADS + threadIdx.x;
  if (i >= width) return;
#pragma unroll 4
  for (int row = blockIdx.y; row < nj; row += gridDim.y) {
    const double v =
        MEANS ? mean_of(value, nx, ny, base, coarse, i, j0 + row) : value.at(i, j0 + row - base);
    dst[(size_t)row * width + i] = (T)v;
  }
}

template <typename T, typename VALUE>
cudaError_t queue_copy_as(const VALUE &value, const ria_grid *g, const ria_gpu_wanted *w, T *dst,
                          cudaStream_t stream) {
  const int rows = w->coarse > 1 ? w->nj : (w->nj + FIELD_ROWS - 1) / FIELD_ROWS;
  const dim3 blocks(blocks_for((g->nx + w->coarse - 1) / w->coarse),
                    (unsigned)(rows < 65535 ? rows : 65535));
  if (w->coarse > 1)
    copy_cells<T, true><<<blocks, FIELD_THREADS, 0, stream>>>(value, g->nx, g->ny, w->base,
                                                              w->coarse, w->j0, w->nj, dst);
  else
    copy_cells<T, false>
        <<<blocks, FIELD_THREADS, 0, stream>>>(value, g->nx, g->ny, w->base, 1, w->j0, w->nj, dst);
  return cudaGetLastError();
}

/* Queue: what is wanted of a field to dst, on the device. */
template <typename VALUE>
cudaError_t queue_copy(const VALUE &value, const ria_grid *g, const ria_gpu_wanted *w, void *dst,
                       cudaStream_t stream) {
  return w->real == RIA_F32 ? queue_copy_as(value, g, w, (float *)dst, stream)
                            : queue_copy_as(value, g, w, (double *)dst, stream);
}

template <typename VALUE>
__global__ void __launch_bounds__(FIELD_THREADS)
    sample_cells(const __grid_constant__ VALUE value, int nx, int n, const int32_t *cell,
                 double *out) {
  for (int64_t k = first_of_thread(); k < n; k += all_threads())
    out[k] = value.at(cell[k] % nx, cell[k] / nx);
}

template <typename VALUE>
cudaError_t queue_sample(const VALUE &value, int nx, int n, const int32_t *cell, double *out,
                         cudaStream_t stream) {
  sample_cells<<<blocks_for(n), FIELD_THREADS, 0, stream>>>(value, nx, n, cell, out);
  return cudaGetLastError();
}

/* A block a row; its threads' parts are added pairwise. */
template <typename VALUE>
__global__ void __launch_bounds__(FIELD_THREADS)
    sum_rows(const __grid_constant__ VALUE value, int nx, int ny, double *sums) {
  __shared__ double part[FIELD_THREADS];
  for (int j = blockIdx.x; j < ny; j += gridDim.x) {
    double sum = 0;
    for (int i = threadIdx.x; i < nx; i += FIELD_THREADS) sum += value.at(i, j);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int d = FIELD_THREADS / 2; d > 0; d /= 2) {
      if ((int)threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
      __syncthreads();
    }
    if (threadIdx.x == 0) sums[j] = part[0];
    __syncthreads();
  }
}

template <typename VALUE>
cudaError_t queue_row_sums(const VALUE &value, int nx, int ny, double *sums, cudaStream_t stream) {
  sum_rows<<<(unsigned)ny, FIELD_THREADS, 0, stream>>>(value, nx, ny, sums);
  return cudaGetLastError();
}

} // namespace

#endif
