/* loops.cuh - 3-D fields in one precision (RIA_PRECISION): the ends of closed axes,
 * arithmetic, sums, and how many threads each kernel gets. derive.cuh has the derivatives
 * themselves. */
#include "field3.cuh"
#include "derive.cuh"
#include "gradient.cuh"

namespace {

/* --- closed ends ------------------------------------------------------------------------------ */

struct f3_ends {
  const R *f;
  R *out;
  int half, width, n, axis;
  int first, second; /* points of the two other axes */
  int64_t stride, stride_first, stride_second;
  R sign;              /* at the high end */
  bool add, low, high; /* which of the ends there are */
  fd_weights w;
};

/* A thread a point: `half` points at either end of each line. */
__global__ void f3_end_points(const f3_ends a) {
  const int64_t t = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  const int64_t lines = (int64_t)a.first * a.second;
  /* along x neighbours in memory are ends of one line, else points of one row */
  const int points = 2 * a.half;
  const int64_t line = a.axis == RIA_X ? t / points : t % lines;
  const int p = (int)(a.axis == RIA_X ? t % points : t / lines);
  if (line >= lines || p >= points) return;
  const int64_t base = line % a.first * a.stride_first + line / a.first * a.stride_second;
  const bool high = p >= a.half;
  if (high ? !a.high : !a.low) return;
  const int j = high ? p - a.half : p;
  const int64_t end = base + (high ? (a.n - 1) * a.stride : 0);
  const int64_t inwards = high ? -a.stride : a.stride;
  const R d = (high ? a.sign : R(1)) * fd_end(a.width, a.w.end[j], a.f + end, inwards);
  R *const to = a.out + end + j * inwards;
  *to = a.add ? *to + d : d;
}

/* Where an axis other than z is differentiated the planes that are asked for are a field. */
struct f3_asked {
  field3_shape shape;
  field3_derive job;
};

f3_asked f3_asked_of(const field3_derive *job) {
  f3_asked a = {*job->shape, *job};
  const size_t skip = (size_t)a.shape.first * a.shape.stride[RIA_Z];
  if (job->axis == RIA_Z) return a;
  a.shape.n[RIA_Z] = a.shape.last - a.shape.first;
  a.shape.first = 0;
  a.shape.last = a.shape.n[RIA_Z];
  a.job.f = static_cast<const R *>(job->f) + skip;
  a.job.out = static_cast<R *>(job->out) + skip;
  return a;
}

cudaError_t f3_do_ends(cudaStream_t stream, const field3_derive *job) {
  const field3_shape *s = job->shape;
  const int u = job->axis == RIA_X ? RIA_Y : RIA_X, v = job->axis == RIA_Z ? RIA_Y : RIA_Z;
  f3_ends a;
  a.f = static_cast<const R *>(job->f);
  a.out = static_cast<R *>(job->out);
  a.half = job->stencil->half;
  a.width = job->stencil->width;
  a.n = s->n[job->axis];
  a.axis = job->axis;
  a.first = s->n[u];
  a.second = s->n[v];
  a.stride = (int64_t)s->stride[job->axis];
  a.stride_first = (int64_t)s->stride[u];
  a.stride_second = (int64_t)s->stride[v];
  a.sign = job->stencil->even ? R(1) : R(-1);
  a.add = job->add;
  a.low = job->axis != RIA_Z || s->first < a.half;
  a.high = job->axis != RIA_Z || s->last > a.n - a.half;
  a.w = fd_round(job->stencil);
  const int64_t threads = (int64_t)a.first * a.second * 2 * a.half;
  f3_end_points<<<(unsigned)((threads + 127) / 128), 128, 0, stream>>>(a);
  return cudaGetLastError();
}

/* --- one derivative --------------------------------------------------------------------------- */

int f3_vectors(const field3_shape *s) { return (s->n[RIA_X] + W - 1) / W; }

/* Points that a thread marches. Along z the planes that two segments share must come from the
 * cache, so that a field of large planes is marched in one go. */
int f3_segment(const field3_shape *s, const field3_derive *job, int points, int64_t columns) {
  const size_t reach = s->stride[job->axis] * sizeof(R) * (F3_SEGMENT + 2 * job->stencil->half);
  if (reach > (size_t)F3_REACH_MB << 20 && columns >= F3_COLUMNS) return points;
  return columns * (points / F3_SEGMENT) < F3_ENOUGH ? F3_SEGMENT_SMALL : F3_SEGMENT;
}

f3_line f3_line_of(const field3_derive *job) {
  const field3_shape *s = job->shape;
  const int across = job->axis == RIA_Y ? RIA_Z : RIA_Y;
  const bool closed = !s->periodic[job->axis];
  f3_line a;
  const fd_weights w = fd_round(job->stencil);
  a.f = static_cast<const R *>(job->f);
  a.out = static_cast<R *>(job->out);
  a.n = s->n[job->axis];
  a.lo = closed ? job->stencil->half : 0;
  a.hi = closed ? a.n - job->stencil->half : a.n;
  if (job->axis == RIA_Z) {
    a.lo = a.lo > s->first ? a.lo : s->first;
    a.hi = a.hi < s->last ? a.hi : s->last;
  }
  a.nx = s->n[RIA_X];
  a.vectors = f3_vectors(s);
  a.rows = job->axis == RIA_X ? s->n[RIA_Y] * s->n[RIA_Z] : s->n[across];
  a.stride = (int64_t)s->stride[job->axis];
  a.across = (int64_t)s->stride[across]; /* along x: rows of all planes follow each other */
  const int points = a.hi - a.lo;
  a.segment = f3_segment(s, job, points, (int64_t)a.vectors * a.rows);
  a.segments = (points + a.segment - 1) / a.segment;
  a.segments_first = job->axis == RIA_Y;
  for (int m = 0; m <= FD_HALF_MAX; m++) a.c[m] = w.c[m];
  return a;
}

template <int H, bool EVEN, bool ADD>
cudaError_t f3_launch(cudaStream_t stream, ria_axis axis, const f3_line &a) {
  if (axis == RIA_X) {
    constexpr int ROWS = sizeof(R) == 4 ? F3_ROWS : 1;
    const int64_t rows = ((int64_t)a.rows + ROWS - 1) / ROWS;
    const unsigned blocks = (unsigned)((rows * a.vectors + 127) / 128);
    f3_along<H, EVEN, ADD, ROWS><<<blocks, 128, 0, stream>>>(a);
  } else {
    const bool whole = a.segments == 1;
    const int64_t threads = (int64_t)a.vectors * a.rows * a.segments;
    const int block = whole ? F3_THREADS_WHOLE : F3_THREADS;
    const unsigned blocks = (unsigned)((threads + block - 1) / block);
    if (whole)
      f3_march<H, EVEN, ADD, ADD ? 4 : 8, F3_THREADS_WHOLE, ADD ? 0 : F3_BLOCKS_WHOLE>
          <<<blocks, block, 0, stream>>>(a);
    else
      f3_march<H, EVEN, ADD, 8, F3_THREADS, 0><<<blocks, block, 0, stream>>>(a);
  }
  return cudaGetLastError();
}

template <int H>
cudaError_t f3_choose(cudaStream_t stream, const field3_derive *job, const f3_line &a) {
  const ria_axis axis = job->axis;
  if (job->stencil->even)
    return job->add ? f3_launch<H, true, true>(stream, axis, a)
                    : f3_launch<H, true, false>(stream, axis, a);
  return job->add ? f3_launch<H, false, true>(stream, axis, a)
                  : f3_launch<H, false, false>(stream, axis, a);
}

cudaError_t f3_derive(cudaStream_t stream, const field3_derive *whole) {
  typedef cudaError_t (*choose)(cudaStream_t, const field3_derive *, const f3_line &);
  static const choose of[] = {f3_choose<1>, f3_choose<2>, f3_choose<3>, f3_choose<4>};
  f3_asked asked = f3_asked_of(whole);
  const field3_derive *job = &asked.job;
  asked.job.shape = &asked.shape;
  const f3_line a = f3_line_of(job);
  cudaError_t e = cudaSuccess;
  if (a.hi > a.lo) e = of[job->stencil->half - 1](stream, job, a);
  if (e == cudaSuccess && !asked.shape.periodic[job->axis]) e = f3_do_ends(stream, job);
  return e;
}

/* --- a gradient ------------------------------------------------------------------------------- */

template <int H, bool WHOLE>
cudaError_t f3_gradient_of(cudaStream_t stream, f3_gradient a, int vectors) {
  const auto kernel = f3_gradients<H, F3_TILE_X, F3_TILE_Y, F3_AHEAD, 1, WHOLE>;
  const size_t shared = (H + 1 + F3_AHEAD) * sizeof(f3_tile<H, F3_TILE_X, F3_TILE_Y>);
  const cudaError_t e =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
  if (e != cudaSuccess) return e;
  dim3 blocks((unsigned)((vectors + F3_TILE_X - 1) / F3_TILE_X),
              (unsigned)((a.n[1] + F3_TILE_Y - 1) / F3_TILE_Y));
  const unsigned tiles = blocks.x * blocks.y;
  int segments = F3_TILES / (int)tiles; /* one sweep over the field where it is large */
  const int planes = a.last - a.first;
  if (segments > planes / 4) segments = planes / 4;
  if (segments < 1) segments = 1;
  a.segment = (planes + segments - 1) / segments;
  blocks.z = (unsigned)((planes + a.segment - 1) / a.segment);
  kernel<<<blocks, dim3(F3_TILE_X, F3_TILE_Y), shared, stream>>>(a);
  return cudaGetLastError();
}

/* Rows of whole vectors go round their ends in vectors; others value by value. */
template <int H>
cudaError_t f3_gradient_any(cudaStream_t stream, const f3_gradient &a, int vectors) {
  return a.n[0] % W == 0 ? f3_gradient_of<H, true>(stream, a, vectors)
                         : f3_gradient_of<H, false>(stream, a, vectors);
}

cudaError_t f3_gradient_do(cudaStream_t stream, const field3_shape *s, const fd_stencil *stencil,
                           const void *f, void *const *out) {
  typedef cudaError_t (*gradient)(cudaStream_t, const f3_gradient &, int);
  static const gradient of[] = {f3_gradient_any<1>, f3_gradient_any<2>, f3_gradient_any<3>,
                                f3_gradient_any<4>};
  f3_gradient a;
  a.f = static_cast<const R *>(f);
  a.row = (int64_t)s->stride[RIA_Y];
  a.plane = (int64_t)s->stride[RIA_Z];
  a.first = s->first;
  a.last = s->last;
  for (int k = 0; k < RIA_AXES; k++) {
    const fd_weights w = fd_round(&stencil[k]);
    a.out[k] = static_cast<R *>(out[k]);
    a.n[k] = s->n[k];
    a.lo[k] = s->periodic[k] ? 0 : stencil[k].half;
    a.hi[k] = s->n[k] - a.lo[k];
    for (int m = 0; m <= FD_HALF_MAX; m++) a.c[k][m] = w.c[m];
  }
  cudaError_t e = of[stencil[0].half - 1](stream, a, f3_vectors(s));
  for (int k = 0; e == cudaSuccess && k < RIA_AXES; k++) {
    const field3_derive ends = {s, (ria_axis)k, &stencil[k], false, f, out[k]};
    f3_asked asked = f3_asked_of(&ends);
    asked.job.shape = &asked.shape;
    if (a.lo[k] > 0) e = f3_do_ends(stream, &asked.job);
  }
  return e;
}

/* --- arithmetic ---------------------------------------------------------------------------------
 * Over whole rows, with what lies between them. */

enum { F3_FILL, F3_SCALE, F3_COMBINE, F3_MULTIPLY };

template <int WHAT>
__global__ void f3_each(R a, const R *f, R b, const R *g, R *out, int64_t vectors) {
  const int64_t step = (int64_t)gridDim.x * blockDim.x;
  for (int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; k < vectors; k += step) {
    V p = {}, q = {}, r;
    if (WHAT != F3_FILL) p = f3_load(f + k * W);
    if (WHAT >= F3_COMBINE) q = f3_load(g + k * W);
#pragma unroll
    for (int e = 0; e < W; e++)
      r.v[e] = WHAT == F3_FILL      ? a
               : WHAT == F3_SCALE   ? a * p.v[e]
               : WHAT == F3_COMBINE ? a * p.v[e] + b * q.v[e]
                                    : p.v[e] * q.v[e];
    f3_store(out + k * W, r);
  }
}

template <int WHAT>
cudaError_t f3_all(cudaStream_t stream, const field3_shape *s, double a, const void *f, double b,
                   const void *g, void *out) {
  const int64_t vectors = (int64_t)(s->bytes / sizeof(V)), blocks = (vectors + 255) / 256;
  f3_each<WHAT><<<(unsigned)(blocks < 65536 ? blocks : 65536), 256, 0, stream>>>(
      (R)a, static_cast<const R *>(f), (R)b, static_cast<const R *>(g), static_cast<R *>(out),
      vectors);
  return cudaGetLastError();
}

cudaError_t f3_fill(cudaStream_t stream, const field3_shape *s, void *data, double value) {
  return f3_all<F3_FILL>(stream, s, value, NULL, 0.0, NULL, data);
}

cudaError_t f3_combine(cudaStream_t stream, const field3_shape *s, double a, const void *f,
                       double b, const void *g, void *out) {
  if (!g) return f3_all<F3_SCALE>(stream, s, a, f, b, g, out);
  return f3_all<F3_COMBINE>(stream, s, a, f, b, g, out);
}

cudaError_t f3_multiply(cudaStream_t stream, const field3_shape *s, const void *f, const void *g,
                        void *out) {
  return f3_all<F3_MULTIPLY>(stream, s, 0.0, f, 0.0, g, out);
}

/* --- sums ---------------------------------------------------------------------------------------
 * A warp a row, then one block over the rows; every sum is a tree of a fixed shape. */

__device__ __forceinline__ void f3_add(field3_sums &to, const field3_sums &more) {
  to.min = more.min < to.min ? more.min : to.min;
  to.max = more.max > to.max ? more.max : to.max;
  to.sum += more.sum;
  to.squares += more.squares;
}

__device__ __forceinline__ void f3_warp_sum(field3_sums &a) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    const field3_sums b = {__shfl_down_sync(~0u, a.min, step), __shfl_down_sync(~0u, a.max, step),
                           __shfl_down_sync(~0u, a.sum, step),
                           __shfl_down_sync(~0u, a.squares, step)};
    f3_add(a, b);
  }
}

__global__ void f3_row_sums(const R *f, int nx, int ny, int64_t rows, int64_t row, int64_t plane,
                            field3_sums *out) {
  const int64_t r = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (r >= rows) return;
  const R *const p = f + r % ny * row + r / ny * plane;
  field3_sums a = {INFINITY, -INFINITY, 0.0, 0.0};
  for (int i = (int)threadIdx.x % 32; i < nx; i += 32) {
    const double v = (double)p[i];
    const field3_sums one = {v, v, v, v * v};
    f3_add(a, one);
  }
  f3_warp_sum(a);
  if (threadIdx.x % 32 == 0) out[r] = a;
}

/* rows[n] = the sums of rows[0] .. rows[n - 1]; one block of 1024. */
__global__ void f3_sum_rows(field3_sums *rows, int64_t n) {
  __shared__ field3_sums warps[32];
  field3_sums a = {INFINITY, -INFINITY, 0.0, 0.0};
  for (int64_t r = threadIdx.x; r < n; r += blockDim.x) f3_add(a, rows[r]);
  f3_warp_sum(a);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = a;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  a = warps[threadIdx.x];
  f3_warp_sum(a);
  if (threadIdx.x == 0) rows[n] = a;
}

cudaError_t f3_sums_of_rows(cudaStream_t stream, const field3_shape *s, const void *data,
                            field3_sums *rows) {
  const int64_t n = (int64_t)s->n[RIA_Y] * (s->last - s->first);
  const R *const first = static_cast<const R *>(data) + (size_t)s->first * s->stride[RIA_Z];
  f3_row_sums<<<(unsigned)((n + 7) / 8), 256, 0, stream>>>(first, s->n[RIA_X], s->n[RIA_Y], n,
                                                           (int64_t)s->stride[RIA_Y],
                                                           (int64_t)s->stride[RIA_Z], rows);
  return cudaGetLastError();
}

cudaError_t f3_sum_of_all(cudaStream_t stream, field3_sums *rows, int64_t n) {
  f3_sum_rows<<<1, 1024, 0, stream>>>(rows, n);
  return cudaGetLastError();
}

} // namespace

const f3_kernels RIA_K(f3) = {f3_derive,   f3_gradient_do,  f3_fill,      f3_combine,
                              f3_multiply, f3_sums_of_rows, f3_sum_of_all};
