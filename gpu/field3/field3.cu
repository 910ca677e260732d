/* field3.cu - 3-D fields on CUDA: memory, copies, and the table that the engine calls. Work is
 * queued on the backend's stream, in the order in which it is asked for. */
#include "field3.cuh"

static cudaStream_t stream_of(const field3_shape *s) { return ria_cuda_of(s->on)->stream; }

#define F3_ENTER(ctx, s) RIA_CUDA(ctx, "choosing the device", ria_cuda_use((s)->on))

static const f3_kernels *kernels_of(const field3_shape *s) {
  return s->real == RIA_F32 ? &f3_f32 : &f3_f64;
}

static ria_status take(ria_context *ctx, const field3_shape *s, void **out) {
  F3_ENTER(ctx, s);
  return ria_cuda_alloc(ctx, s->bytes, "a field", out);
}

/* cudaFree waits for what is queued. */
static void give(const field3_shape *s, void *data) {
  if (data && ria_cuda_use(s->on) == cudaSuccess) cudaFree(data);
}

/* A block of the field and its packed copy on the host. */
static cudaMemcpy3DParms copy_of(const field3_shape *s, void *data, const int at[3], const int n[3],
                                 void *host, bool in) {
  const size_t size = field3_size(s->real), row = (size_t)n[0] * size;
  cudaMemcpy3DParms p = {};
  const cudaPitchedPtr field = make_cudaPitchedPtr(data, s->stride[RIA_Y] * size,
                                                   s->stride[RIA_Y] * size, (size_t)s->n[RIA_Y]);
  const cudaPitchedPtr packed = make_cudaPitchedPtr(host, row, row, (size_t)n[1]);
  const cudaPos place = make_cudaPos((size_t)at[0] * size, (size_t)at[1], (size_t)at[2]);
  p.srcPtr = in ? packed : field;
  p.dstPtr = in ? field : packed;
  if (in)
    p.dstPos = place;
  else
    p.srcPos = place;
  p.extent = make_cudaExtent(row, (size_t)n[1], (size_t)n[2]);
  p.kind = in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  return p;
}

static ria_status wait(ria_context *ctx, const field3_shape *s, const void *data) {
  (void)data;
  F3_ENTER(ctx, s);
  RIA_CUDA(ctx, "working on fields", cudaStreamSynchronize(stream_of(s)));
  return RIA_OK;
}

static ria_status put(ria_context *ctx, const field3_shape *s, void *data, const int at[3],
                      const int n[3], const void *from) {
  const cudaMemcpy3DParms p = copy_of(s, data, at, n, const_cast<void *>(from), true);
  F3_ENTER(ctx, s);
  RIA_CUDA(ctx, "copying a field in", cudaMemcpy3DAsync(&p, stream_of(s)));
  return wait(ctx, s, data); /* the host's copy is used again */
}

static ria_status get(ria_context *ctx, const field3_shape *s, const void *data, const int at[3],
                      const int n[3], void *to) {
  const cudaMemcpy3DParms p = copy_of(s, const_cast<void *>(data), at, n, to, false);
  F3_ENTER(ctx, s);
  RIA_CUDA(ctx, "copying a field out", cudaMemcpy3DAsync(&p, stream_of(s)));
  return wait(ctx, s, data);
}

static ria_status fill(ria_context *ctx, const field3_shape *s, void *data, double value) {
  F3_ENTER(ctx, s);
  RIA_CUDA(ctx, "filling a field", kernels_of(s)->fill(stream_of(s), s, data, value));
  return RIA_OK;
}

static ria_status combine(ria_context *ctx, const field3_shape *s, double a, const void *f,
                          double b, const void *g, void *out) {
  F3_ENTER(ctx, s);
  RIA_CUDA(ctx, "adding fields", kernels_of(s)->combine(stream_of(s), s, a, f, b, g, out));
  return RIA_OK;
}

static ria_status multiply(ria_context *ctx, const field3_shape *s, const void *f, const void *g,
                           void *out) {
  F3_ENTER(ctx, s);
  RIA_CUDA(ctx, "multiplying fields", kernels_of(s)->multiply(stream_of(s), s, f, g, out));
  return RIA_OK;
}

static ria_status derive(ria_context *ctx, const field3_derive *job) {
  F3_ENTER(ctx, job->shape);
  RIA_CUDA(ctx, "a derivative", kernels_of(job->shape)->derive(stream_of(job->shape), job));
  return RIA_OK;
}

static ria_status gradient(ria_context *ctx, const field3_shape *s, const fd_stencil stencil[3],
                           const void *f, void *const out[3]) {
  F3_ENTER(ctx, s);
  RIA_CUDA(ctx, "a gradient", kernels_of(s)->gradient(stream_of(s), s, stencil, f, out));
  return RIA_OK;
}

/* --- sums, of rows ---------------------------------------------------------------------------- */

static size_t pieces(const field3_shape *s) {
  return (size_t)s->n[RIA_Y] * (size_t)(s->last - s->first);
}

static ria_status sums(ria_context *ctx, const field3_shape *s, const void *data,
                       field3_sums *out) {
  const size_t n = pieces(s);
  const cudaStream_t stream = stream_of(s);
  field3_sums *rows = NULL;
  F3_ENTER(ctx, s);
  RIA_CUDA(ctx, "sums of a field", cudaMallocAsync(&rows, (n + 1) * sizeof *rows, stream));
  cudaError_t e = kernels_of(s)->row_sums(stream, s, data, rows);
  if (e == cudaSuccess) e = kernels_of(s)->sum_rows(stream, rows, (int64_t)n);
  if (e == cudaSuccess)
    e = cudaMemcpyAsync(out, rows + n, sizeof *out, cudaMemcpyDeviceToHost, stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(stream);
  cudaFreeAsync(rows, stream);
  return e == cudaSuccess ? RIA_OK : ria_cuda_fail(ctx, e, "sums of a field");
}

static ria_status sum_pieces(ria_context *ctx, const field3_shape *s, const void *data,
                             field3_sums *piece) {
  const size_t bytes = pieces(s) * sizeof *piece;
  const cudaStream_t stream = stream_of(s);
  field3_sums *rows = NULL;
  F3_ENTER(ctx, s);
  RIA_CUDA(ctx, "sums of a field", cudaMallocAsync(&rows, bytes, stream));
  cudaError_t e = kernels_of(s)->row_sums(stream, s, data, rows);
  if (e == cudaSuccess) e = cudaMemcpyAsync(piece, rows, bytes, cudaMemcpyDeviceToHost, stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(stream);
  cudaFreeAsync(rows, stream);
  return e == cudaSuccess ? RIA_OK : ria_cuda_fail(ctx, e, "sums of a field");
}

/* Of all parts, as one GPU adds its own. */
static ria_status join_pieces(ria_context *ctx, const field3_shape *s, const field3_sums *piece,
                              size_t n, field3_sums *out) {
  const cudaStream_t stream = stream_of(s);
  field3_sums *rows = NULL;
  F3_ENTER(ctx, s);
  RIA_CUDA(ctx, "sums of a field", cudaMallocAsync(&rows, (n + 1) * sizeof *rows, stream));
  cudaError_t e = cudaMemcpyAsync(rows, piece, n * sizeof *rows, cudaMemcpyHostToDevice, stream);
  if (e == cudaSuccess) e = kernels_of(s)->sum_rows(stream, rows, (int64_t)n);
  if (e == cudaSuccess)
    e = cudaMemcpyAsync(out, rows + n, sizeof *out, cudaMemcpyDeviceToHost, stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(stream);
  cudaFreeAsync(rows, stream);
  return e == cudaSuccess ? RIA_OK : ria_cuda_fail(ctx, e, "sums of a field");
}

/* --- between parts ---------------------------------------------------------------------------- */

/* What `behind` has queued from now on waits for what `stream` has queued up to now. */
static cudaError_t order(const field3_shape *before, const field3_shape *behind) {
  cudaEvent_t event = NULL;
  cudaError_t e = ria_cuda_use(before->on);
  if (e == cudaSuccess) e = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  if (e == cudaSuccess) e = cudaEventRecord(event, stream_of(before));
  if (e == cudaSuccess) e = ria_cuda_use(behind->on);
  if (e == cudaSuccess) e = cudaStreamWaitEvent(stream_of(behind), event, 0);
  if (event) cudaEventDestroy(event); /* it goes when it has been reached */
  return e;
}

/* The copy is queued where the planes go, and the source is not written again before it is over. */
static cudaError_t copy_between(const field3_shape *from, const void *source,
                                const field3_shape *to, void *target, size_t bytes) {
  const cudaStream_t stream = stream_of(to);
  cudaError_t e = ria_cuda_use(to->on);
  if (e != cudaSuccess) return e;
  if (from->on == to->on)
    return cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, stream);
  e = order(from, to);
  if (e == cudaSuccess)
    e = cudaMemcpyPeerAsync(target, ria_cuda_of(to->on)->device, source,
                            ria_cuda_of(from->on)->device, bytes, stream);
  return e == cudaSuccess ? order(to, from) : e;
}

static ria_status pass_on(ria_context *ctx, const field3_shape *from, const void *source,
                          const field3_shape *to, void *target, size_t bytes) {
  RIA_CUDA(ctx, "planes of a field from one part to another",
           copy_between(from, source, to, target, bytes));
  return RIA_OK;
}

extern "C" const field3_ops ria_field3_cuda = {
    take,   give,     put,  get,     fill,   combine,    multiply,    sums,
    derive, gradient, wait, pass_on, pieces, sum_pieces, join_pieces, 0};
