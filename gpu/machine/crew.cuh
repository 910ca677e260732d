/* gpu/machine/crew.cuh - parts of a grid that step together: on the GPUs of one host, without the
 * host between two steps. A solver queues the kernels of its steps; lanes, rows, words and
 * their order are kept here.
 *
 * Neighbouring parts on one GPU make a lane: one stream, in which each phase of a step is queued
 * for one part after another. So order is all that they need. A lane repeats rounds of steps in a
 * graph of its own, as a solver's loop does, and ends by its own clock; all clocks agree.
 *
 *   phase 0     the step; rows to the neighbours; words
 *   phase 1...  wait for the words of other lanes (post.cuh), hear, say more
 *   the last    the next step is chosen
 *
 * Rows and words of other lanes are stored by kernels straight into the memory of peers; where GPUs
 * cannot reach each other's, into pinned memory of the host, and rows are fetched from there after
 * the wait. A row is sent into the state that the step has written, which the neighbour reads in
 * the next step alone: the meeting between them orders the two.
 *
 * Parts of other ranks of the host (ranks.cuh) have lanes too, one a rank. This process knows only
 * their memory, which it has mapped; its loops go over its own lanes and parts. Where ranks cannot
 * map it (other hosts) a lane stores in its own memory alone, and ria_gpu_crew_pass hands on what
 * is there: by NCCL (crew_nccl.cu) or, for solvers that step in no other way, by MPI
 * (crew_host.cu). */
#ifndef RIA_GPU_CREW_CUH
#define RIA_GPU_CREW_CUH
#include "loop.cuh"
#include "planes.cuh"
#include "post.cuh"
#include "ranks.cuh"

typedef struct ria_gpu_crew ria_gpu_crew;

/* Some copies of rows in one kernel. */
enum { RIA_GPU_ROWS = 64, RIA_GPU_LISTS = 32 };
/* Sets of rows that pass between parts: of two states, unless a solver has more (`sets`). */
enum { RIA_GPU_SETS = 24 };
typedef struct ria_gpu_batch {
  int n;
  struct {
    void *to;
    const void *from;
    size_t bytes;
  } row[RIA_GPU_ROWS];
} ria_gpu_batch;
typedef struct ria_gpu_batches {
  int n, room;
  ria_gpu_batch *batch;
} ria_gpu_batches;

typedef struct ria_gpu_lane {
  ria_gpu_crew *crew;
  const ria_cuda_backend *backend; /* NULL: another rank's, like all below but index to name */
  int index, first, n;             /* parts first .. first + n - 1 */
  int row;                         /* the first of these */
  const char *name;                /* of the GPU */
  cudaStream_t stream;             /* that of its first part */
  cudaEvent_t event, passed;       /* passed: behind its passes, before it sends */
  ria_loop loop;
  cudaGraphExec_t uploaded;
  unsigned long long *flag, *met; /* see ria_gpu_post; flag, notes behind: where peers write */
  ria_meeting *box;               /* [2][2][n of all parts] words, by state and kind */
  double *list;                   /* [2][n_list] */
  /* Of ranks: all lists so far, each twice the one before. Others may have them mapped, so they
   * stay until the end. */
  double *lists[RIA_GPU_LISTS];
  int n_lists;
  ria_gpu_batches send[RIA_GPU_SETS], receive[RIA_GPU_SETS]; /* by state */
  ria_gpu_post post;
} ria_gpu_lane;

/* What a solver gives. */
typedef struct ria_gpu_crew_calls {
  /* From now on `shared` is of that state, 0 or 1, or of a set of rows. */
  void (*show)(ria_gpu_planes *p, int state);
  /* Queue a phase of the k-th step of a round on a lane. closes: of the last step, whose last
   * kernel sets the condition of the graph. */
  ria_status (*queue)(void *user, ria_gpu_lane *lane, int k, int phase, ria_round *round,
                      bool closes);
  /* Without graphs: is the span over? Waits. */
  ria_status (*over)(void *user, bool *over);
  int steps;    /* of a round: even */
  int sets;     /* of rows; 0: two states */
  bool whole;   /* a round has all its steps, always */
  bool by_host; /* ranks out of each other's reach form a crew by way of the host, too */
  /* By NCCL: load the kernels of a part (ria_cuda_load), while nothing waits for another rank; */
  cudaError_t (*load)(const ria_gpu_planes *p);
  /* where the device has it whether the span is over. */
  const int *(*done)(void *user);
} ria_gpu_crew_calls;

struct ria_gpu_crew {
  ria_context *ctx;
  const ria_gpu_crew_calls *call;
  void *user;
  int phases;       /* of a step: the solver's, before loops are made */
  bool by_phases;   /* no graphs: the solver's, before `ready` */
  int n, n_lanes;   /* of all ranks */
  int first, count; /* parts here */
  int begin, end;   /* lanes here: begin .. end - 1 */
  int from, to;     /* lanes whose memory this process stores in: those here, or all */
  bool ranks;       /* there are others, */
  bool maps;        /*   which map each other's memory; */
  bool tries_nccl;  /*   where they cannot they go by NCCL, */
  const char *why;  /*   and why they do not map it */
  ria_gpu_windows windows;
  struct ria_gpu_nccl *nccl; /* one of both where lanes do not reach each other's memory; */
  struct ria_gpu_host *host; /*   else both NULL */
  ria_gpu_planes **part;     /* [n]; NULL elsewhere */
  cudaEvent_t *event;        /* [n] */
  ria_gpu_lane lane[RIA_GPU_LANES];
  bool ring;         /* the first part and the last are neighbours, too */
  bool staged;       /* lanes reach each other through memory of the host */
  char *stage;       /* rows, then */
  size_t n_list;     /* numbers of a list */
  int *lost;         /* pinned: see ria_gpu_post */
  ria_status broken; /* a span that was queued in part: what failed ... */
  char words[1024];  /* ... and the words of it */
  double patience;   /* s */
  bool hangs;        /* what was queued may not end */
};

/* Parts of this process, from the south. *out NULL, with RIA_OK: as they lie they cannot step
 * together. All ranks call it at the same place, and ria_gpu_crew_lists; what else can fail before
 * a span they agree about (agree.cuh). */
ria_status ria_gpu_crew_make(ria_gpu_planes *const *part, int n, const ria_gpu_crew_calls *call,
                             void *user, ria_gpu_crew **out);
/* The lane beyond one, in the north or the south; -1: there is none. Of two lanes that go round
 * each is the other's on both sides. */
static inline int ria_gpu_crew_beside(const ria_gpu_crew *c, int lane, bool north) {
  const int other = north ? lane + 1 : lane - 1, n = c->n_lanes;
  return other >= 0 && other < n ? other : c->ring ? (other + n) % n : -1;
}
/* How far away by number a neighbour may be: in a ring the first is the last one's. */
static inline int ria_gpu_crew_reach(const ria_gpu_crew *c) { return c->ring ? c->n_lanes : 1; }
/* Waits for what is queued. NULL is nothing. */
void ria_gpu_crew_free(ria_gpu_crew *c);
/* The same while the run goes on, by all ranks at the same place: a rank's memory goes when no
 * other has it mapped. It is gone even if that fails. */
ria_status ria_gpu_crew_drop(ria_gpu_crew *c);
/* Lists of n numbers; loops are stale where they move. */
ria_status ria_gpu_crew_lists(ria_gpu_crew *c, size_t n);
/* Arguments of kernels have changed. */
void ria_gpu_crew_stale(ria_gpu_crew *c);
/* Before a span whose state is `now`: graphs are made. Nothing is queued. */
ria_status ria_gpu_crew_ready(ria_gpu_crew *c, int now);
/* Lanes go on where the streams of their parts are ... */
ria_status ria_gpu_crew_gather(ria_gpu_crew *c);
/* ... repeat rounds until the span is over ... */
ria_status ria_gpu_crew_run(ria_gpu_crew *c);
/* After a failure past the first launch of a span: what waits gives up, lanes are waited for, and
 * the crew cannot go on: ria_gpu_crew_check tells of the first failure. */
void ria_gpu_crew_break(ria_gpu_crew *c, ria_status status);
/* ... and streams of parts go on behind them. */
ria_status ria_gpu_crew_part(ria_gpu_crew *c);
/* Queue rows of a state to the neighbours; fetch what came through the host (`staged`), after the
 * wait. */
ria_status ria_gpu_crew_send(ria_gpu_lane *lane, int state);
ria_status ria_gpu_crew_receive(ria_gpu_lane *lane, int state);
/* Do lanes store in memory of their own alone? Then what follows hands on what is there. */
static inline bool ria_gpu_crew_is_far(const ria_gpu_crew *c) { return c->nccl || c->host; }
/* Behind what a lane has queued: its words of a state (kind 0 or 1) go to all lanes,
 * theirs come; rows that it has sent to its neighbours, theirs to its ghost rows; a list that was
 * cleared, and got this lane's numbers, gets those of all (by NCCL alone). */
enum { RIA_GPU_PASS_ROWS = 1, RIA_GPU_PASS_WORDS = 2, RIA_GPU_PASS_LIST = 4 };
ria_status ria_gpu_crew_pass(ria_gpu_lane *lane, int state, int kind, int what);
/* Memory that was cleared, and got what this lane says there, gets what all say: no two lanes say
 * the same byte. n: words of 8 bytes. */
ria_status ria_gpu_crew_unite(ria_gpu_lane *lane, unsigned long long *word, size_t n);
/* The same of the state that is not *now, of the device: where it alone knows which is the present.
 * What is sent waits until all lanes have told of this one's last meeting, in which they tell that
 * they are done with what it overwrites. */
ria_status ria_gpu_crew_send_beside(ria_gpu_lane *lane, const int *now);
ria_status ria_gpu_crew_receive_beside(ria_gpu_lane *lane, const int *now);
/* Both, for solvers whose host has the clock: lanes wait for rows by events. A lane sends behind
 * the passes of its neighbours, which may store ghost rows too; the next pass of a part comes
 * behind the last one of its neighbours, so nobody reads what is written. */
ria_status ria_gpu_crew_exchange(ria_gpu_crew *c, int state);
/* The first half of it, for passes that store in the memory of neighbours: lanes go on behind what
 * their neighbours have queued. Not by NCCL. */
ria_status ria_gpu_crew_meet(ria_gpu_crew *c);
/* Where part p says its words of a state (kind 0 or 1) on lane `to`; what all said, on its own. */
static inline ria_meeting *ria_gpu_crew_box(const ria_gpu_lane *to, int state, int kind, int p) {
  return to->box + ((size_t)(2 * state + kind) * (size_t)to->crew->n + (size_t)p);
}
static inline double *ria_gpu_crew_list(const ria_gpu_lane *to, int state) {
  return to->list + (size_t)state * to->crew->n_list;
}
/* RIA_ERR_DEVICE where a part did not answer, or what broke the crew; when nothing is queued. */
ria_status ria_gpu_crew_check(ria_gpu_crew *c);

#endif
