/* gpu/machine/output.cu - see output.cuh. */
#include "output.cuh"
#include "pack.cuh"
extern "C" {
#include "base/context.h"
}

#include <stdlib.h>
#include <string.h>

static const char doing[] = "copying a field for output";

/* A copy under way. */
typedef struct gpu_ticket {
  cudaEvent_t there;
  int device;
  /* Of a packed field: only when the table of ends has come is it known how much is to follow. */
  cudaStream_t copies;
  char *packed, *dst; /* of the device, until it is copied, or NULL; of the host */
  size_t table;
} gpu_ticket;

ria_status ria_gpu_open_streams(ria_context *ctx, const ria_cuda_backend *b, cudaStream_t *steps,
                                cudaStream_t *copies, cudaMemPool_t *pool) {
  cudaMemPoolProps props;
  memset(&props, 0, sizeof props);
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = b->device;
  uint64_t keep = UINT64_MAX;
  int wait = 0;
  RIA_CUDA(ctx, "making a stream", cudaStreamCreateWithFlags(steps, cudaStreamNonBlocking));
  RIA_CUDA(ctx, "making a stream", cudaStreamCreateWithFlags(copies, cudaStreamNonBlocking));
  RIA_CUDA(ctx, "making a memory pool", cudaMemPoolCreate(pool, &props));
  RIA_CUDA(ctx, "making a memory pool",
           cudaMemPoolSetAttribute(*pool, cudaMemPoolAttrReleaseThreshold, &keep));
  /* Else steps would wait for a copy to get its memory where there is other memory: ria_gpu_room
   * waits where there is none. */
  RIA_CUDA(ctx, "making a memory pool",
           cudaMemPoolSetAttribute(*pool, cudaMemPoolReuseAllowInternalDependencies, &wait));
  return RIA_OK;
}

cudaError_t ria_gpu_room(cudaMemPool_t pool, cudaStream_t steps, cudaStream_t copies, size_t bytes,
                         void **out) {
  *out = NULL;
  const cudaError_t e = cudaMallocFromPoolAsync(out, bytes, pool, steps);
  if (e != cudaErrorMemoryAllocation) return e;
  cudaGetLastError();
  cudaStreamSynchronize(copies);
  cudaStreamSynchronize(steps);
  cudaMemPoolTrimTo(pool, 0); /* pieces of other sizes */
  return cudaMallocFromPoolAsync(out, bytes, pool, steps);
}

/* --- on the way ------------------------------------------------------------------------------- */

static ria_status new_ticket(const ria_gpu_output *o, gpu_ticket **out) {
  gpu_ticket *t = (gpu_ticket *)calloc(1, sizeof *t);
  if (!t) return ria_fail_memory(o->ctx, "an output", sizeof *t);
  t->device = o->backend->device;
  t->copies = o->copies;
  const cudaError_t e =
      cudaEventCreateWithFlags(&t->there, cudaEventBlockingSync | cudaEventDisableTiming);
  if (e != cudaSuccess) {
    free(t);
    return ria_cuda_fail(o->ctx, e, doing);
  }
  *out = t;
  return RIA_OK;
}

static void drop_ticket(gpu_ticket *t) {
  cudaEventDestroy(t->there);
  free(t);
}

/* What is queued on `copies` from here on comes after what is queued on `steps`. */
static cudaError_t follow_steps(const ria_gpu_output *o, cudaEvent_t e) {
  const cudaError_t recorded = cudaEventRecord(e, o->steps);
  return recorded == cudaSuccess ? cudaStreamWaitEvent(o->copies, e, 0) : recorded;
}

static cudaError_t send(const ria_gpu_output *o, gpu_ticket *t, void *part, size_t bytes,
                        void *dst) {
  cudaError_t e = follow_steps(o, t->there);
  if (e == cudaSuccess) e = cudaMemcpyAsync(dst, part, bytes, cudaMemcpyDeviceToHost, o->copies);
  if (e != cudaSuccess) {
    cudaFreeAsync(part, o->steps);
    return e;
  }
  e = cudaFreeAsync(part, o->copies);
  if (e == cudaSuccess) e = cudaEventRecord(t->there, o->copies);
  if (e != cudaSuccess) cudaStreamSynchronize(o->copies); /* dst is the caller's again */
  return e;
}

ria_status ria_gpu_send(const ria_gpu_output *o, void *part, size_t bytes, void *dst,
                        void **ticket) {
  gpu_ticket *t = NULL;
  *ticket = NULL;
  const ria_status s = new_ticket(o, &t);
  if (s != RIA_OK) {
    cudaFreeAsync(part, o->steps);
    return s;
  }
  const cudaError_t e = send(o, t, part, bytes, dst);
  if (e != cudaSuccess) {
    drop_ticket(t);
    return ria_cuda_fail(o->ctx, e, doing);
  }
  *ticket = t;
  return RIA_OK;
}

ria_status ria_gpu_fetch(const ria_gpu_output *o, int field, int tracer, int coarse, ria_real real,
                         void *dst, void **ticket) {
  const int ny = (o->grid.ny + coarse - 1) / coarse, from = (o->part.j0 + coarse - 1) / coarse;
  const int to = o->part.j1 < o->grid.ny ? o->part.j1 / coarse : ny,
            rows = to > from ? to - from : 0;
  const size_t row = (size_t)((o->grid.nx + coarse - 1) / coarse) *
                     (real == RIA_F32 ? sizeof(float) : sizeof(double));
  const size_t bytes = (size_t)rows * row;
  void *part = NULL;
  *ticket = NULL;
  RIA_CUDA(o->ctx, doing, ria_gpu_room(o->pool, o->steps, o->copies, bytes ? bytes : 1, &part));
  const ria_status s =
      rows ? o->derive(o->self, field, tracer, coarse, from, rows, real, part) : RIA_OK;
  if (s == RIA_OK) return ria_gpu_send(o, part, bytes, (char *)dst + (size_t)from * row, ticket);
  cudaFreeAsync(part, o->steps);
  return s;
}

/* --- packed on the way ------------------------------------------------------------------------ */

/* The first row of tiles that begins at a row or north of it: its first row. */
static int tiles_from(int row, const ria_packing *how) {
  return (row + how->tile_y - 1) / how->tile_y * how->tile_y;
}

/* What is packed of a part: a grid of its own, from row *from on. False: not here. Whether it is
 * for the GPU is the whole grid's affair, so that chunks do not tell of cuts. */
static bool packing_of(const ria_gpu_output *o, const ria_packing *how, int *from,
                       ria_gpu_packing *p) {
  ria_grid of = o->grid;
  const int end = tiles_from(o->part.j1, how);
  *from = tiles_from(o->part.j0, how);
  of.ny = (end < o->grid.ny ? end : o->grid.ny) - *from;
  if (of.ny <= 0 || !ria_gpu_packing_of(&o->grid, how, p)) return false;
  (void)ria_gpu_packing_of(&of, how, p);
  return true;
}

size_t ria_gpu_pack_bytes(const ria_gpu_output *o, const ria_packing *how) {
  ria_gpu_packing p;
  int from;
  return o->backend->pack && packing_of(o, how, &from, &p) ? p.bound : 0;
}

/* Queue: the rows of the tiles to the beginning of the plane, those of the part and beyond. */
static ria_status gather(const ria_gpu_output *o, int field, int tracer, const ria_packing *how,
                         int from, const ria_gpu_packing *p, void *plane) {
  const int end = from + p->ny, own = (end < o->part.j1 ? end : o->part.j1) - from;
  const size_t row = (size_t)p->nx * (how->real == RIA_F32 ? sizeof(float) : sizeof(double));
  RIA_TRY(o->derive(o->self, field, tracer, 1, from, own, how->real, plane));
  if (own == p->ny) return RIA_OK;
  RIA_CUDA(o->ctx, doing,
           cudaMemcpyAsync((char *)plane + (size_t)own * row, how->beyond,
                           (size_t)(p->ny - own) * row, cudaMemcpyHostToDevice, o->steps));
  return RIA_OK;
}

/* The plane is the ticket's and remains. */
static cudaError_t send_packed(const ria_gpu_output *o, const ria_gpu_packing *p, gpu_ticket *t,
                               void *room) {
  cudaError_t e = follow_steps(o, t->there);
  if (e == cudaSuccess) e = ria_gpu_pack(p, t->packed, room, o->copies);
  if (e == cudaSuccess)
    e = cudaMemcpyAsync(t->dst, t->packed, p->table, cudaMemcpyDeviceToHost, o->copies);
  if (e == cudaSuccess) e = cudaEventRecord(t->there, o->copies);
  if (e != cudaSuccess) cudaStreamSynchronize(o->copies); /* dst is the caller's again */
  return e;
}

/* Memory ran out: `fetch` needs half as much, and says what it lacks. */
static ria_status not_this_time(void) {
  cudaGetLastError();
  return RIA_OK;
}

ria_status ria_gpu_pack_field(const ria_gpu_output *o, int field, int tracer,
                              const ria_packing *how, void *dst, void **ticket) {
  ria_gpu_packing p;
  gpu_ticket *t = NULL;
  void *plane = NULL, *room = NULL;
  int from;
  *ticket = NULL;
  (void)packing_of(o, how, &from, &p);
  cudaError_t e = cudaMallocFromPoolAsync(&plane, ria_gpu_pack_plane(&p), o->pool, o->steps);
  if (e == cudaSuccess) {
    e = cudaMallocFromPoolAsync(&room, ria_gpu_pack_room(&p), o->pool, o->steps);
    if (e != cudaSuccess) cudaFreeAsync(plane, o->steps);
  }
  if (e == cudaErrorMemoryAllocation) return not_this_time();
  RIA_CUDA(o->ctx, doing, e);
  ria_status s = gather(o, field, tracer, how, from, &p, plane);
  if (s == RIA_OK) s = new_ticket(o, &t);
  if (s == RIA_OK) {
    t->packed = (char *)plane;
    t->dst = (char *)dst;
    t->table = p.table;
    e = send_packed(o, &p, t, room);
    if (e != cudaSuccess) s = ria_cuda_fail(o->ctx, e, doing);
  }
  cudaFreeAsync(room, s == RIA_OK ? o->copies : o->steps);
  if (s == RIA_OK) {
    *ticket = t;
    return RIA_OK;
  }
  cudaFreeAsync(plane, o->steps);
  if (t) drop_ticket(t);
  return s == RIA_ERR_MEMORY ? not_this_time() : s;
}

/* --- there ------------------------------------------------------------------------------------ */

/* The table of ends has come: the streams follow. */
static cudaError_t send_streams(gpu_ticket *t) {
  uint64_t bytes = 0;
  memcpy(&bytes, t->dst + t->table - sizeof bytes, sizeof bytes);
  cudaError_t e = cudaSuccess;
  if (bytes)
    e = cudaMemcpyAsync(t->dst + t->table, t->packed + t->table, bytes, cudaMemcpyDeviceToHost,
                        t->copies);
  if (e == cudaSuccess) e = cudaEventRecord(t->there, t->copies);
  if (e == cudaSuccess) return cudaEventSynchronize(t->there);
  cudaStreamSynchronize(t->copies); /* dst is the caller's again */
  return e;
}

ria_status ria_gpu_await(void *self, void *ticket, char *err, size_t errsize) {
  (void)self;
  gpu_ticket *t = (gpu_ticket *)ticket;
  cudaError_t e = cudaSetDevice(t->device);
  if (e == cudaSuccess) e = cudaEventSynchronize(t->there);
  if (e == cudaSuccess && t->packed) e = send_streams(t);
  if (t->packed) cudaFreeAsync(t->packed, t->copies);
  drop_ticket(t);
  return e == cudaSuccess ? RIA_OK : ria_cuda_fail_text(err, errsize, e, doing);
}
