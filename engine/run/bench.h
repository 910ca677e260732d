/* run/bench.h - the parts of ria/bench.h that tests call. Private to engine. */
#ifndef RIA_RUN_BENCH_H
#define RIA_RUN_BENCH_H
#include "primitives/primitive.h"
#include <ria/bench.h>
#include <ria/solver.h>

/* Bytes per second of a copy of arrays far larger than the caches, reads and writes counted: on the
 * device, or by the threads that steps run on. */
ria_status ria_bench_bandwidth(ria_context *ctx, const ria_backend *b, double *out);
/* As ria_bench, with a solver that need not be in the registry. */
ria_status ria_bench_with(ria_context *ctx, const ria_solver *solver, const ria_bench_desc *desc,
                          ria_bench_result *results, size_t *n);
/* The same for a primitive. */
ria_status ria_bench_primitive(ria_context *ctx, const ria_primitive *primitive,
                               const ria_bench_desc *desc, ria_bench_result *results, size_t *n);

/* What is measured: so many steps, to their end. */
typedef struct ria_bench_work {
  ria_status (*go)(void *self, int64_t steps);
  void *self;
} ria_bench_work;
/* The fastest of a few turns of equal length; of one, when the steps are counted: steps and wall of
 * the result. */
ria_status ria_bench_measure(const ria_bench_work *work, const ria_bench_desc *desc,
                             ria_bench_result *r);
ria_status ria_bench_check(ria_context *ctx, const ria_bench_desc *desc);

#endif
