/* gpu/machine/cuda.h - what the GPU loops of solvers and primitives share. Private to gpu/, C++ for
 * nvcc.
 *
 * The backend holds the number of the device and one stream, which is for work that belongs to no
 * solver: each solver makes its own streams, events and graphs. A CUDA call acts on the device that
 * is current to the calling thread, and the engine may call from any: an entry point begins with
 * ria_cuda_use. */
#ifndef RIA_GPU_CUDA_H
#define RIA_GPU_CUDA_H
#include <cuda_runtime.h>
#include <ria/backend.h>

/* How GPUs of ranks exchange: as they can; straight even where ranks share a GPU (for tests: they
 * take turns there); by NCCL even where they reach each other's memory; by way of the host. */
typedef enum ria_cuda_reach {
  RIA_REACH_ANY,
  RIA_REACH_IPC,
  RIA_REACH_NCCL,
  RIA_REACH_HOST
} ria_cuda_reach;

struct ria_cuda_backend {
  ria_backend base; /* first: a ria_backend whose kind is RIA_BACKEND_CUDA is one of these */
  int device;
  ria_cuda_backend
      *next; /* of several GPUs the one after this, and which this one has: the first */
  char name[16], title[64], description[160];
  cudaStream_t stream;  /* of work on arrays that a host or a script asks for: in its order */
  bool graphs;          /* steps are replayed from graphs; off: launched one by one */
  bool skip_dry;        /* tiles that are dry and stay dry are left out; off: all are stepped */
  bool short_ways;      /* kernels may take a shorter way where it gives the same bits */
  bool pack;            /* saves are packed here; off: on the host */
  bool together;        /* parts of a grid step together; off: the host hands on what they say; off
                           too where CUDA_LAUNCH_BLOCKING is set */
  bool peers;           /* GPUs reach each other's memory where they can; off: by way of the host */
  ria_cuda_reach reach; /* of ranks: RIA_CUDA_REACH */
  bool stalls;          /* a test: GPUs but the first do not step */
  double patience;      /* s: how long a part of a grid waits for the others */
};

static inline const ria_cuda_backend *ria_cuda_of(const ria_backend *b) {
  return reinterpret_cast<const ria_cuda_backend *>(b);
}

/* Make the backend's device current to this thread. */
static inline cudaError_t ria_cuda_use(const ria_backend *b) {
  return cudaSetDevice(ria_cuda_of(b)->device);
}

/* Does the code that the current device runs use what came with compute capability 9.0: clusters,
 * and kernels that begin while the one before ends? It must have been compiled for 9.0 or later:
 * PTX for 8.0 runs on any later device, without them. */
bool ria_cuda_is_90(void);

/* A function of the driver, as CUDA 12.4 has it. */
cudaError_t ria_cuda_driver(const char *name, void **out);

/* Load, on the current device, all kernels of the file that this one is in. A kernel is otherwise
 * loaded at its first launch, which waits for what the device does: forever where that waits for
 * another rank, and the rank does not answer. */
cudaError_t ria_cuda_load(const void *kernel);

/* Blocks of a cluster that the current device can run; 1 where it has no clusters. */
static inline int ria_cuda_cluster(void) { return ria_cuda_is_90() ? 16 : 1; }

/* "<doing>: <what CUDA says>", and CUDA's own note of the error is cleared. RIA_ERR_MEMORY when
 * memory ran out, else RIA_ERR_DEVICE. The second is for threads that have no context at hand. */
ria_status ria_cuda_fail(ria_context *ctx, cudaError_t e, const char *doing);
ria_status ria_cuda_fail_text(char *text, size_t size, cudaError_t e, const char *doing);

/* Return from the function when a CUDA call fails. doing: "copying the bed". */
#define RIA_CUDA(ctx, doing, call)                                                                 \
  do {                                                                                             \
    const cudaError_t ria_cuda_e_ = (call);                                                        \
    if (ria_cuda_e_ != cudaSuccess) return ria_cuda_fail(ctx, ria_cuda_e_, doing);                 \
  } while (0)

/* Zeroed memory on the device of the context, ready for any stream; end it with cudaFree. what:
 * "the state". The message of RIA_ERR_MEMORY says what is needed and what there is. */
ria_status ria_cuda_alloc(ria_context *ctx, size_t bytes, const char *what, void **out);

#endif
