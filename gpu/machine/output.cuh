/* gpu/machine/output.cuh - fields on their way out of a GPU while steps run: `fetch`, `pack` and
 * `await` of ria_solver_ops, for every solver.
 *
 * A field is worked out on the stream of the steps, since they change what it is made of; what
 * comes after goes by a stream of its own. Memory between the two is the pool's. */
#ifndef RIA_GPU_OUTPUT_CUH
#define RIA_GPU_OUTPUT_CUH
#include "cuda.h"
#include <ria/solver.h>

/* What a solver tells of itself; made for each call. */
typedef struct ria_gpu_output {
  ria_context *ctx;
  const ria_cuda_backend *backend;
  ria_grid grid;
  ria_part part; /* the rows of it that are there */
  cudaStream_t steps, copies;
  cudaMemPool_t pool;
  void *self;
  /* Queue with the steps: rows j0 .. j0 + nj - 1 of the field in numbers of `real` to dst on the
   * device, or of its means as `fetch` has them. */
  ria_status (*derive)(void *self, int field, int tracer, int coarse, int j0, int nj, ria_real real,
                       void *dst);
} ria_gpu_output;

/* The two streams and the pool of a solver; what was made is there on failure too. */
ria_status ria_gpu_open_streams(ria_context *ctx, const ria_cuda_backend *b, cudaStream_t *steps,
                                cudaStream_t *copies, cudaMemPool_t *pool);

/* Memory for a moment, from the pool, in the order of the steps. Where there is none but what
 * copies still hold, it waits for them. */
cudaError_t ria_gpu_room(cudaMemPool_t pool, cudaStream_t steps, cudaStream_t copies, size_t bytes,
                         void **out);

/* Queue: part[bytes] of the pool, which steps so far fill, to dst of the host; then it is free, on
 * failure too. */
ria_status ria_gpu_send(const ria_gpu_output *o, void *part, size_t bytes, void *dst,
                        void **ticket);
/* Of a part: its rows, or those of means all of whose cells it has, each to where it lies in the
 * whole. */
ria_status ria_gpu_fetch(const ria_gpu_output *o, int field, int tracer, int coarse, ria_real real,
                         void *dst, void **ticket);
/* Of a part: the rows of tiles that begin in it. */
size_t ria_gpu_pack_bytes(const ria_gpu_output *o, const ria_packing *how);
ria_status ria_gpu_pack_field(const ria_gpu_output *o, int field, int tracer,
                              const ria_packing *how, void *dst, void **ticket);
/* The solver is not looked at. */
ria_status ria_gpu_await(void *self, void *ticket, char *err, size_t errsize);

#endif
