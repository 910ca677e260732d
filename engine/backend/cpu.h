/* backend/cpu.h - the CPU backend. Private: contexts make it, all others use ria/backend.h. */
#ifndef RIA_BACKEND_CPU_H
#define RIA_BACKEND_CPU_H
#include <ria/backend.h>

#ifdef __cplusplus
extern "C" {
#endif

/* threads: 0 = one for each core that this process may use. A build without OpenMP has one thread
 * whatever is asked for. Destroy with backend->destroy. */
ria_status ria_cpu_backend_create(ria_context *ctx, int threads, ria_backend **out);

/* A number made of the cores that this process may run on. */
uint64_t ria_cpu_mask(void);

/* Its table, for backends of devices: they have the host's memory and threads from it and put their
 * own name, output memory and end in. */
ria_backend ria_cpu_backend(int threads);

#ifdef __cplusplus
}
#endif
#endif
