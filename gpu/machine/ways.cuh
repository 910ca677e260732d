/* gpu/machine/ways.cuh - passes that store rows at a cut in the neighbour's memory by themselves:
 * how far away it has them. */
#ifndef RIA_GPU_WAYS_CUH
#define RIA_GPU_WAYS_CUH
#include "crew.cuh"

enum { RIA_GPU_WAY_PLANES = 2 };

/* From rows in the south (0) or in the north (1) of a part to where the neighbour there has them,
 * by plane, in numbers; 0: there is none. */
typedef struct ria_gpu_ways {
  ptrdiff_t away[2][RIA_GPU_WAY_PLANES];
} ria_gpu_ways;

/* Of what the lane of one part sends. False: it is not `rows` rows of each of n planes (of
 * ria_gpu_plane_alloc) on a side, all of a plane equally far, or the part is too low for two such
 * sides. */
bool ria_gpu_find_ways(const ria_gpu_planes *p, const ria_gpu_batches *send,
                       const void *const *plane, int n, int rows, ria_gpu_ways *out);

#endif
