/* gpu/machine/pack.cuh - fields packed on the GPU for a store: rounded, cut into tiles, each a zlib
 * stream. What a run of a tile goes through is in engine/io/pack_k.h; here are the kernels around
 * it. */
#ifndef RIA_GPU_PACK_CUH
#define RIA_GPU_PACK_CUH
#include <cuda_runtime.h>
#include <ria/solver.h>

/* Which tiles there are and what they need. */
typedef struct ria_gpu_packing {
  int nx, ny, tile_x, tile_y, tiles_x;
  ria_real real;
  double quantum, inverse; /* values are rounded to multiples of it; 0: not at all */
  int64_t tiles;
  int64_t tile_bytes, runs; /* of a tile; runs of each */
  size_t slot;              /* bytes in which a run is packed */
  size_t table, bound;      /* bytes of the table of ends; of it and all streams at most */
} ria_gpu_packing;

/* False: it is not for the GPU: tiles of less than a few thousand bytes, or large ones of which
 * more than half lies beyond the grid. */
bool ria_gpu_packing_of(const ria_grid *grid, const ria_packing *how, ria_gpu_packing *out);
/* Bytes of the plane and, in its place, of what is packed; of the room beside it. */
size_t ria_gpu_pack_plane(const ria_gpu_packing *p);
size_t ria_gpu_pack_room(const ria_gpu_packing *p);
/* Queue: `plane`, of which the first nx * ny numbers are a field, becomes the table of ends and the
 * streams (ria_packing in ria/solver.h). Both are of the device. */
cudaError_t ria_gpu_pack(const ria_gpu_packing *p, void *plane, void *room, cudaStream_t stream);

#endif
