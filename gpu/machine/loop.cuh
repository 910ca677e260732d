/* gpu/machine/loop.cuh - how the steps of a span are queued: one skeleton for every solver.
 *
 * The solver gives one function: it queues a round, which is a few steps, or one pass of many. The
 * loop does the rest:
 *
 *   replay          the round is recorded into a graph whose WHILE node repeats it, and a span is
 *                   one launch. The clock is on the device: the last kernel of the round sets the
 *                   node's condition, and the host hears of the end when it asks.
 *   round by round  rounds are launched until one says that the span is over: with
 *                   RIA_CUDA_GRAPHS=off, where a round takes memory, and where the host has the
 *                   clock, which then need not wait.
 *
 *   RIA_TRY(ria_loop_ready(&s->loop, place, true));   the graph, if there is none yet
 *   ... tell the clock that a span begins ...
 *   RIA_TRY(ria_loop_run(&s->loop));
 *
 * A graph holds the arguments of its kernels. The solver says `ria_loop_stale` where it changes
 * one; the next ria_loop_ready records again. */
#ifndef RIA_GPU_LOOP_CUH
#define RIA_GPU_LOOP_CUH
#include "cuda.h"

/* States of the buffers that a span may begin with, each with a graph of its own. */
enum { RIA_LOOP_PLACES = 6 };

typedef struct ria_round {
  bool recorded;                     /* into a graph; else launched */
  cudaGraphConditionalHandle handle; /* recorded: cudaGraphSetConditional(handle, go on?) */
  bool over;                         /* launched: set where the span is over */
} ria_round;

/* Queue a round on the loop's stream. When it is recorded, buffers must end where they began. */
typedef ria_status (*ria_queue_round)(void *self, ria_round *round);

typedef struct ria_loop {
  ria_context *ctx;
  const ria_cuda_backend *backend;
  cudaStream_t stream;
  ria_queue_round queue;
  void *self;                             /* for it */
  cudaGraphExec_t graph[RIA_LOOP_PLACES]; /* NULL: not recorded, or stale */
  cudaGraphExec_t next;                   /* of the span to come; NULL: round by round */
} ria_loop;

/* The stream and `self` are the solver's; a zeroed loop may be marked stale. */
void ria_loop_init(ria_loop *l, ria_context *ctx, const ria_cuda_backend *backend,
                   cudaStream_t stream, ria_queue_round queue, void *self);
/* Before a span that begins at `place`. replays: a round can be recorded. Queues nothing: after a
 * failure (RIA_ERR_MEMORY: no room for the graph) all is as before. */
ria_status ria_loop_ready(ria_loop *l, int place, bool replays);
/* Queue the span. Replayed, it is queued as a whole or, with an error, not at all. */
ria_status ria_loop_run(ria_loop *l);
/* Arguments have changed: forget what was recorded. Also the end of a loop. */
void ria_loop_stale(ria_loop *l);

#endif
