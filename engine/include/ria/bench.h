/* ria/bench.h - how fast a solver steps, or a primitive works, on this machine, beside how fast the
 * machine can be.
 *
 * The cases are the solver's or the primitive's own; nothing is written but to a temporary
 * directory that is removed again. */
#ifndef RIA_BENCH_H
#define RIA_BENCH_H
#include <ria/backend.h>
#include <ria/sim.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ria_bench_desc {
  const char *solver; /* or primitive (ria_bench_subject); NULL = the first solver */
  const char *name;   /* of the case; NULL = all of them */
  int n;              /* edge of the square or cube of cells; 0 = the case's */
  int ny;             /* rows of cells; 0 = n. A primitive has cubes and squares alone */
  int64_t steps;      /* to measure; 0 = as many as fit into `seconds`, in turns */
  double seconds;     /* wall time to measure for; 0 = 5 */
  int precision;      /* 32 or 64; 0 = the case's */
  bool set_tracers;   /* take `tracers` instead of the case's number */
  int tracers;
  bool output;     /* once more, with a frame and a save every 50 steps */
  bool raw;        /* which is not compressed */
  bool alone;      /* no copy beside it: bandwidth and fraction are 0 */
  bool checkpoint; /* once more, with a checkpoint before the first of at least 1000 steps */
} ria_bench_desc;

typedef struct ria_bench_result {
  char name[48];
  char doc[256];
  const ria_backend *backend; /* where it ran; the context's */
  int nx, ny, nz;             /* nz: 0 where there are two dimensions */
  int n_tracers, threads;     /* threads: of the host */
  ria_real precision;
  int64_t steps; /* of the fastest turn */
  double wall;   /* s, for them */
  double ms_per_step;
  double ms_sustained; /* the same over all turns, of a few seconds in sum */
  double cell_rate;    /* cells * steps / s */
  double wet;          /* part of the cells that is wet at the end, 0..1; 1 where none can be dry */
  double bytes_per_cell; /* fewest that a step must move */
  double bandwidth; /* bytes/s of a big copy on the device, or by the same threads; reads and writes
                       counted */
  double fraction;  /* of that bandwidth: bytes_per_cell * cell_rate / bandwidth */
  bool output;      /* with a frame and a save every 50 steps */
  double output_cost; /* then: wall time added, as a part of that without */
  bool checkpoint; /* with one before the first step; wall and what follows from it are with it */
  double checkpoint_cost;  /* then: wall time added, as a part of that without */
  double checkpoint_bytes; /* of its file; */
  double checkpoint_wall;  /* s from when it was taken until that was on disk, steps meanwhile */
} ria_bench_result;

/* The i-th solver or primitive to measure, with a summary of it; NULL past the last. */
RIA_API const char *ria_bench_subject(size_t i, const char **summary);

/* Run the cases one after the other. *n: in = room for results, out = results; room for three
 * times the cases is always enough. A primitive has no tracers, output or checkpoints: to ask for
 * them is an error. */
RIA_API ria_status ria_bench(ria_context *ctx, const ria_bench_desc *desc,
                             ria_bench_result *results, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
