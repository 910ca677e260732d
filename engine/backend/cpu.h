/* backend/cpu.h - the CPU backend. Private: contexts make it, all others use ria/backend.h. */
#ifndef RIA_BACKEND_CPU_H
#define RIA_BACKEND_CPU_H
#include <ria/backend.h>

/* threads: 0 = one for each core that this process may use. A build without OpenMP has one thread
 * whatever is asked for. Destroy with backend->destroy. */
ria_status ria_cpu_backend_create(ria_context *ctx, int threads, ria_backend **out);

#endif
