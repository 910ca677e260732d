/* backend/cuda.h - the CUDA backend as the engine sees it: C, and the same whether CUDA was built
 * in (gpu/machine/cuda.cu) or not (cuda_none.c). Private: contexts make it, all others use
 * ria/backend.h.
 */
#ifndef RIA_BACKEND_CUDA_H
#define RIA_BACKEND_CUDA_H
#include <ria/backend.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The backend of the GPU `device`; -1 = the first that works. threads: as for the CPU backend. The
 * message of a failure (RIA_ERR_DEVICE, RIA_ERR_MEMORY) says why, and what to do instead; it leaves
 * to the caller to name the device. Destroy with backend->destroy. */
ria_status ria_cuda_backend_create(ria_context *ctx, int device, int threads, ria_backend **out);

/* `more` joins what b stands for, and is destroyed with it: parts of a grid are dealt out to all. b
 * is then called `name` (at most 63 characters). Both of ria_cuda_backend_create. */
void ria_cuda_backend_join(ria_backend *b, ria_backend *more, const char *name);

/* How many GPUs there are; 0 when built without CUDA, no driver, or none. */
int ria_cuda_device_count(void);
/* Why there are none: "no NVIDIA driver is loaded"; "" where there are. */
void ria_cuda_why_none(char *text, size_t size);
/* "NVIDIA H200, 139.8 GiB, compute capability 9.0". RIA_ERR_DEVICE ("" in text): no such GPU. */
ria_status ria_cuda_device_describe(int k, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
