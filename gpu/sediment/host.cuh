/* gpu/sediment/host.cuh - the two-sediment solver on CUDA as the host holds it.
 *
 *   sediment.cu   life, fields and totals, the table of functions
 *   set.cu        what is set: fields, releases, boundaries and sources
 *   steps.cu      how it is stepped, and what went wrong
 *   parts.cu      what parts of a grid say to each other by way of the host
 *   together.cu   parts that step together
 *   state.cu      the state by name */
#ifndef RIA_GPU_SEDIMENT_HOST_CUH
#define RIA_GPU_SEDIMENT_HOST_CUH
#include "machine/loop.cuh"
#include "sediment.cuh"

struct sedg_crew; /* parts that step together: together.cu */

typedef struct sedg {
  ria_gpu_planes p; /* first */
  const sedg_kernels *kernel;
  sed_params q;
  sedg_args a;   /* of the next passes */
  int *cells_of; /* of a forcing that is on its way to the device */
  ria_loop loop;
  sedg_report *seen; /* pinned: the report as it was last copied out */
  bool fresh;        /* the clock is to begin at t */
  bool current;      /* `seen` is what the device has */
  bool begun;        /* the run: height that is set is laid down or dug away */
  double t;
  int waits;         /* of a part, for words of the others: SEDG_WAYS, SEDG_PASS; 0: it does not */
  ria_meeting words; /* of its own, when it waits for ways */
  struct sedg_crew *crew; /* of the southernmost part: all of them; NULL: not met yet */
  bool crew_parted;       /* they cannot step together */
} sedg;

static inline int sedg_now(const sedg *s) { return s->seen->clock.now; }
/* What the device has to tell; waits for what is queued. */
ria_status sedg_get_report(void *self);
/* An entry point that needs to know which state is the present. */
ria_status sedg_enter(sedg *s);
/* The plane that a field is kept in, or NULL. */
void *sedg_plane(const void *self, int field, int tracer);

/* --- parts.cu */

enum { SEDG_WAYS = 1, SEDG_PASS };
/* Queue a pass, unless the span is over. */
ria_status sedg_say_pass(sedg *s);
/* Of ria_solver_ops. */
bool sedg_say(void *self, ria_meeting *m);
ria_status sedg_hear(void *self, const ria_meeting *all);

/* --- together.cu */

ria_status sedg_together(void *const *part, int n, const ria_span *span, bool *queued);
/* Waits for what is queued. */
void sedg_crew_free(struct sedg_crew *crew);
/* RIA_ERR_DEVICE where a part of it did not answer; of NULL too. When nothing is queued. */
ria_status sedg_crew_check(const struct sedg_crew *crew);

/* --- steps.cu */

/* What follows from the greatest and the least of alpha and beta, as parts say them. */
void sedg_know_ways(sedg *s, const ria_meeting *all);
/* Queue: the clock is told of a span. */
ria_status sedg_begin(sedg *s, const ria_span *span, cudaStream_t stream);
/* For the loop. */
ria_status sedg_queue_round(void *self, ria_round *round);

/* Of ria_solver_ops. */
ria_status sedg_force(void *self, const ria_forcing_set *set);
ria_status sedg_write(void *self, int field, int tracer, const double *src);
ria_status sedg_add(void *self, int quantity, int n, const int32_t *cell, const double *amount);
ria_status sedg_prepare(void *self, double t);
ria_status sedg_advance(void *self, const ria_span *span);
ria_status sedg_progress(void *self, ria_progress *out);
ria_status sedg_state(void *self, const ria_state_walk *walk);

#endif
