/* core/bench.h - the parts of ria/bench.h that tests call. Private to engine/core. */
#ifndef RIA_CORE_BENCH_H
#define RIA_CORE_BENCH_H
#include <ria/bench.h>
#include <ria/solver.h>

/* Bytes per second of a copy of arrays far larger than the caches, reads and writes counted: on the
 * device, or by the threads that steps run on. */
ria_status ria_bench_bandwidth(ria_context *ctx, const ria_backend *b, double *out);
/* As ria_bench, with a solver that need not be in the registry. */
ria_status ria_bench_with(ria_context *ctx, const ria_solver *solver, const ria_bench_desc *desc,
                          ria_bench_result *results, size_t *n);

#endif
