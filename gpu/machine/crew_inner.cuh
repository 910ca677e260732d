/* gpu/machine/crew_inner.cuh - what the files of crews share. */
#ifndef RIA_GPU_CREW_INNER_CUH
#define RIA_GPU_CREW_INNER_CUH
#include "crew.cuh"

enum { MOST_SHARED = 128 };

static inline int ria_gpu_crew_sets(const ria_gpu_crew *c) {
  return c->call->sets ? c->call->sets : 2;
}
static inline ria_gpu_lane *ria_gpu_crew_lane_of(ria_gpu_crew *c, int part) {
  ria_gpu_lane *l = c->lane;
  while (part >= l->first + l->n) l++;
  return l;
}

/* --- crew_rows.cu: which rows pass between parts ---------------------------------------------- */

/* Rows between the parts here. measures: only *used, bytes of memory of the host that they take on
 * their way. */
ria_status ria_gpu_crew_link(ria_gpu_crew *c, size_t *used, bool measures);
/* What a row takes on its way. */
static inline size_t ria_gpu_crew_row_room(size_t bytes) { return (bytes + 255) / 256 * 256; }
/* Rows that this rank shares beyond its southern (0) or northern (1) side, in a state: how many,
 * and the first MOST_SHARED of them. */
int ria_gpu_crew_edge_rows(ria_gpu_crew *c, int side, int state, ria_shared_row *rows);
/* alone: in a kernel of its own, behind those before. False: no memory. */
bool ria_gpu_crew_add_row(ria_gpu_batches *all, void *to, const void *from, size_t bytes,
                          bool alone);

/* Load the kernels that copy rows (ria_cuda_load). */
cudaError_t ria_gpu_crew_load(void);

/* --- crew_run.cu: how steps run --------------------------------------------------------------- */

/* Of a lane, to be recorded (ria_loop_init). */
ria_status ria_gpu_crew_queue_round(void *self, ria_round *round);

/* --- crew_ranks.cu: parts of other ranks ------------------------------------------------------ */

/* Lanes, one a rank. *can: parts can step together as they lie. */
ria_status ria_gpu_crew_meet_ranks(ria_gpu_crew *c, ria_gpu_planes *const *part, int count,
                                   bool low, bool *can);
/* Where the others' words are said, and the rows of the neighbours; *well: they are reached. */
ria_status ria_gpu_crew_reach_ranks(ria_gpu_crew *c, bool *well);
/* The lists of all lanes, of which this rank has its own. */
ria_status ria_gpu_crew_reach_lists(ria_gpu_crew *c);
/* The others give up, wherever they wait. */
void ria_gpu_crew_tell_broken(ria_gpu_crew *c);

/* --- crew_host.cu: where memory of others is out of reach ------------------------------------- */

/* Rows on their way to the ranks beyond the southern and the northern side, and from there: in
 * memory of this rank, one set at a time. */
enum { RIA_GPU_BEYOND = 2 };
typedef struct ria_gpu_parcels {
  char *out[RIA_GPU_BEYOND], *in[RIA_GPU_BEYOND];
  size_t most[RIA_GPU_BEYOND]; /* bytes: of all sets, */
  size_t bytes[RIA_GPU_BEYOND][RIA_GPU_SETS];
} ria_gpu_parcels;

/* The rank beyond a side; -1: there is none. */
static inline int ria_gpu_crew_beyond(const ria_gpu_crew *c, int side) {
  return ria_gpu_crew_beside(c, c->begin, side == 1);
}
/* How large they are; then, when there is room, which rows are copied where. */
ria_status ria_gpu_parcels_measure(ria_gpu_crew *c, ria_gpu_parcels *w);
ria_status ria_gpu_parcels_link(ria_gpu_crew *c, const ria_gpu_parcels *w);

/* All ranks: by way of the host. here: what became of what this rank did before. */
ria_status ria_gpu_host_join(ria_gpu_crew *c, ria_status here);
ria_status ria_gpu_host_pass(ria_gpu_lane *l, int state, int kind, int what);
ria_status ria_gpu_host_unite(ria_gpu_lane *l, unsigned long long *word, size_t n);
void ria_gpu_host_free(ria_gpu_crew *c);

/* --- crew_nccl.cu: the same by NCCL ----------------------------------------------------------- */

/* All ranks. *can false: there is no NCCL for all, and why is told; else `why` they go by it. */
ria_status ria_gpu_nccl_join(ria_gpu_crew *c, const char *why, bool *can);
/* In place of those of crew.cuh. They return when the span is over, or rows are queued. */
ria_status ria_gpu_nccl_run(ria_gpu_crew *c);
ria_status ria_gpu_nccl_exchange(ria_gpu_crew *c, int state);
ria_status ria_gpu_nccl_pass(ria_gpu_lane *l, int state, int kind, int what);
ria_status ria_gpu_nccl_unite(ria_gpu_lane *l, unsigned long long *word, size_t n);
/* Wait for what is queued, in a bounded time. */
ria_status ria_gpu_nccl_settle(ria_gpu_crew *c);
/* What is queued ends. */
/* False: what was queued may not end. */
bool ria_gpu_nccl_abort(ria_gpu_crew *c);
void ria_gpu_nccl_free(ria_gpu_crew *c);

#endif
