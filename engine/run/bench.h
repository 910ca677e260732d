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
  ria_context *ctx;
} ria_bench_work;
enum { RIA_BENCH_TURNS = 4 };
/* The fastest of a few turns of equal length; of one, when the steps are counted: steps and wall of
 * the result. */
ria_status ria_bench_measure(const ria_bench_work *work, const ria_bench_desc *desc,
                             ria_bench_result *r);
ria_status ria_bench_check(ria_context *ctx, const ria_bench_desc *desc);
/* Seconds of all turns. */
double ria_bench_seconds(const ria_bench_desc *desc);
/* Steps that last for so many seconds. */
ria_status ria_bench_fit(const ria_bench_work *work, double seconds, int64_t *steps);

/* --- a simulation of a case ------------------------------------------------------------------- */

/* out: where it may write; NULL = nowhere. */
ria_status ria_bench_make(ria_context *ctx, const ria_solver *solver, const ria_bench_desc *desc,
                          const ria_bench_case *c, const char *out, ria_sim **sim);
ria_status ria_bench_step(void *sim, int64_t n); /* a ria_bench_work.go */
void ria_bench_describe(const ria_sim *sim, const ria_bench_case *c, const char *more,
                        ria_bench_result *r);
void ria_bench_rate(const ria_sim *sim, const ria_bench_case *c, double bandwidth,
                    ria_bench_result *r);
/* Part of the cells that is wet now. */
ria_status ria_bench_wet(ria_sim *sim, double *out);
/* A case once more, with a frame and a save every 50 steps. */
ria_status ria_bench_with_output(ria_context *ctx, const ria_solver *solver,
                                 const ria_bench_desc *desc, const ria_bench_case *c,
                                 double bandwidth, ria_bench_result *r);
/* And once more, with a checkpoint. */
ria_status ria_bench_with_checkpoint(ria_context *ctx, const ria_solver *solver,
                                     const ria_bench_desc *desc, const ria_bench_case *c,
                                     double bandwidth, ria_bench_result *r);
/* A case that writes: `compare` steps it with and without what is written, into `dir`. */
typedef struct ria_bench_written {
  const ria_solver *solver;
  const ria_bench_desc *desc;
  const ria_bench_case *c;
  const char *more; /* behind the name of the case */
  double bandwidth;
  ria_status (*compare)(ria_sim *sim, const ria_bench_desc *desc, const char *dir,
                        ria_bench_result *r);
  ria_bench_result *result;
} ria_bench_written;
/* Run it in a new directory that is removed afterwards. */
ria_status ria_bench_in_scratch(ria_context *ctx, const ria_bench_written *w);

#endif
