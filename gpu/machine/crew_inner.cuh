/* gpu/machine/crew_inner.cuh - what crew.cu and crew_ranks.cu share. */
#ifndef RIA_GPU_CREW_INNER_CUH
#define RIA_GPU_CREW_INNER_CUH
#include "crew.cuh"

enum { MOST_SHARED = 128 };

/* alone: in a kernel of its own, behind those before. False: no memory. */
bool ria_gpu_crew_add_row(ria_gpu_batches *all, void *to, const void *from, size_t bytes,
                          bool alone);

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

#endif
