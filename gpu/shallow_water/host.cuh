/* host.cuh - the shallow-water solver on CUDA as the host holds it: for
 * shallow_water.cu (life, steps, fields) and forcing.cu (boundaries, sources). */
#ifndef RIA_GPU_SHALLOW_WATER_HOST_CUH
#define RIA_GPU_SHALLOW_WATER_HOST_CUH

#include "machine/output.cuh"
#include "shallow_water.cuh"

typedef struct swg {
  ria_context *ctx;
  const ria_cuda_backend *backend;
  const swg_kernels *kernel;
  ria_grid grid;
  int now; /* state[now] is the present, when nothing is queued */
  swg_view v;
  cudaStream_t stream, copies; /* steps; fields on their way out */
  cudaMemPool_t pool;          /* of fields on their way out */
  cudaGraphExec_t graph[2];    /* by the present state at their beginning */
  swg_clock *seen;             /* pinned: the clock as it was last copied out */
  bool ready;                  /* wet flags and speed describe the present state */
  bool surveyed;               /* ... and the clock has not heard */
  ria_progress progress;
  sw_outlets outlets; /* as they were when forcing was told */

  /* The rim as the host knows it. */
  size_t n_rim;
  int32_t *owner;       /* [n_rim] */
  ria_crossed *crossed; /* [n_rim][1 + nt] scratch */
  int n_stretch;
  double *stretch_in, *stretch_out; /* [n_stretch][1 + nt], folded */
  void *rim;                        /* kinds, owners, shares: one allocation on the device */
  void *forcing;                    /* swg_forcing's arrays: one allocation on the device */
  uint8_t *always;                  /* [tiles] scratch of the host */

  int at_once; /* tile rows that the multiprocessors hold at once */
} swg;

#define SWG_TRY(DOING, CALL) RIA_CUDA(s->ctx, DOING, CALL)

static inline ria_status enter(const swg *s) {
  SWG_TRY("choosing the device", ria_cuda_use(&s->backend->base));
  return RIA_OK;
}

/* --- copies, in the order of the steps ----------------------------------------------------------
 */

static inline cudaError_t copy_in(const swg *s, void *device, const void *host, size_t bytes) {
  return cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, s->stream);
}
/* Waits for what is queued, and for the copy. */
static inline cudaError_t copy_out(const swg *s, void *host, const void *device, size_t bytes) {
  const cudaError_t e = cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, s->stream);
  return e == cudaSuccess ? cudaStreamSynchronize(s->stream) : e;
}
/* Memory for a moment, from the pool; ended with drop_room. */
static inline ria_status take_room(const swg *s, size_t bytes, void **out) {
  *out = NULL;
  SWG_TRY("taking temporary memory on the GPU",
          ria_gpu_room(s->pool, s->stream, s->copies, bytes, out));
  return RIA_OK;
}
static inline void drop_room(const swg *s, void *room) { cudaFreeAsync(room, s->stream); }

static inline ria_status swg_no_memory(const swg *s, const char *what) {
  return ria_fail(s->ctx, RIA_ERR_MEMORY, "out of memory for %s of a %d x %d grid", what,
                  s->grid.nx, s->grid.ny);
}

static inline size_t width_of(const swg *s) { return 1 + (size_t)s->v.nt; }
static inline size_t tiles_of(const swg *s) { return (size_t)s->v.tiles_x * (size_t)s->v.tiles_y; }

static inline ria_status new_array(swg *s, const char *what, size_t n, size_t size, void **out) {
  return ria_cuda_alloc(s->ctx, n * size, what, out);
}

/* A graph holds addresses: what moves one ends them. */
void swg_drop_graphs(swg *s);

/* Heights of tiles by where the water is; before the first step, and before swg_force tells tiles
 * what acts there. */
ria_status swg_fit_tiles(swg *s);

/* Of ria_solver_ops. */
ria_status swg_sample(void *self, int field, int tracer, int n, const int32_t *cell, double *out);

/* --- forcing.cu ---------------------------------------------------------------- */

ria_status swg_force(void *self, const ria_forcing_set *set);
/* What crossed the rim, by cell, into s->crossed; into totals of the first n stretches. */
ria_status swg_get_crossed(swg *s);
void swg_add_crossed(const swg *s, int n, double *in, double *out);

#endif
