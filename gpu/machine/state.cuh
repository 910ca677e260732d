/* gpu/machine/state.cuh - the state of a solver on a GPU by name (ria/state.h): arrays of the
 * device as items, through memory of the host. */
#ifndef RIA_GPU_STATE_CUH
#define RIA_GPU_STATE_CUH
#include "planes.cuh"

/* What planes know, as ria_planes_state. source_owed: of all cells of sources, one source after
 * another, on the device: p->v.source_owed, or the solver's own. */
ria_status ria_gpu_planes_state(ria_gpu_planes *p, const ria_state_walk *walk, double *source_owed);
/* As ria_plane_state. */
ria_status ria_gpu_cells_state(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                               ria_gpu_cells cells, int west, int south);
/* As ria_plane_state_if: a plane that need not be there. Restoring allocates or frees it; graphs of
 * steps that read it are stale then. */
ria_status ria_gpu_plane_state_if(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                                  void **plane);
/* What is counted by tile, device[tiles_y][n] of doubles: the tiles of a row of them begin in row
 * first[row of tiles] of the part, from 0 on, ascending. The item is [rows][n], with what tiles
 * have in their first row: so it goes on wherever cuts and tiles lie, each tile taking what is in
 * its rows; where they lie as they did, with the same bits. */
ria_status ria_gpu_tiles_state(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                               const int *first, int tiles_y, size_t n, double *device);
/* The same of v[n] of the host, counted by the part as a whole. */
ria_status ria_gpu_amounts_state(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                                 size_t n, double *v);
/* v[rows of the part] of the host. */
ria_status ria_gpu_rows_state(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                              int32_t *v);
/* data[rows][n] of the device, alike in all parts; rows = 0: [n]. */
ria_status ria_gpu_array_state(ria_gpu_planes *p, const ria_state_walk *walk, const char *name,
                               ria_state_type type, size_t rows, size_t n, void *data);

#endif
