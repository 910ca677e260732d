/* gpu/machine/ranks.cuh - GPUs of several ranks of one host: what a rank's kernels may reach of the
 * memory of others, and how ranks agree about it.
 *
 * Memory of another process is mapped by a handle of cudaIpc, once, when parts first step together.
 * A handle is of a whole allocation, so a place in it travels as the handle and an offset. All
 * functions but the first and the last are called by all ranks at the same place. */
#ifndef RIA_GPU_RANKS_CUH
#define RIA_GPU_RANKS_CUH
#include "cuda.h"

typedef struct ria_gpu_window {
  cudaIpcMemHandle_t handle;
  int rank;
  char *base;
} ria_gpu_window;

/* What is mapped. Zeroed: nothing. */
typedef struct ria_gpu_windows {
  int n, room;
  ria_gpu_window *open;
} ria_gpu_windows;

/* Is this process one of several that step a grid? */
bool ria_gpu_in_ranks(const ria_context *ctx);
/* Can GPUs of ranks reach each other at all? Else *why says why not, the same on all. shared: ranks
 * may share one. */
bool ria_gpu_ranks_near(const ria_context *ctx, int most, bool shared, const char **why);
/* Has each rank a GPU of its own, on whatever host, and are there `most` ranks at most? */
bool ria_gpu_ranks_apart(const ria_context *ctx, int most, const char **why);
/* mine[bytes] of each rank to all, in all[ranks]. */
ria_status ria_gpu_ranks_tell(ria_context *ctx, const void *mine, void *all, size_t bytes);
/* Blocks of all ranks to all: rank k's is at data + offset[k], up to offset[k + 1]. After an
 * agreement. */
ria_status ria_gpu_ranks_gather(ria_context *ctx, void *data, const size_t *offset);
/* mine[n], of cudaMalloc or NULL: the same of the ranks up to `distance` away, as this process
 * reaches them, in theirs[ranks][n] (NULL beyond). *well false: some rank cannot, and why is told
 * (ria_gpu_ranks_say). */
ria_status ria_gpu_ranks_map(ria_context *ctx, ria_gpu_windows *w, int n, void *const *mine,
                             void **theirs, int distance, bool *well);
/* For the summary and run.json: how GPUs reach each other; one more reason. */
void ria_gpu_ranks_say(ria_context *ctx, const char *how, const char *why);
void ria_gpu_ranks_say_more(ria_context *ctx, const char *why);
/* Before what is mapped may go: CUDA wants the owner to free it behind that. What failed first. */
cudaError_t ria_gpu_windows_close(ria_gpu_windows *w);

#endif
