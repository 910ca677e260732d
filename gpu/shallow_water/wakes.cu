/* wakes.cu - the shallow-water solver on CUDA: in which tiles forcing acts, so that they are
 * stepped while dry. */
#include "host.cuh"

#include <stdlib.h>
#include <string.h>

static int tile_of(const swg *s, int i, int j) {
  return swg_tile_row(s->v.band, j) * s->v.tiles_x + i / s->v.columns;
}

/* Something acts at cell (i, j) of a side. At order 2 tiles beside it look at that cell too. */
static void tell_tiles_around(swg *s, int i, int j) {
  const int beside = s->v.p.order == 2;
  for (int y = j - beside; y <= j + beside; y++)
    for (int x = i - beside; x <= i + beside; x++)
      if (x >= 0 && x < s->v.nx && y >= s->v.begin && y < s->v.end)
        s->always[tile_of(s, x, y)] |= SWG_FORCED;
}

/* A side of the domain, where the device has its cells: in ghost rows too. */
static void tell_tiles_beside(swg *s, const uint8_t *kind, int side) {
  const bool along_x = ria_side_along_x(side);
  const bool here = side == RIA_SOUTH ? s->p.base == 0 : s->p.base + s->v.ny == s->p.grid.ny;
  for (int k = 0; k < (along_x ? s->v.ny : here ? s->v.nx : 0); k++) {
    int i, j;
    if (kind[s->v.rim.first[side] + k] == SIDE_WALL) continue;
    ria_side_cell_of(s->v.nx, s->v.ny, side, k, &i, &j);
    tell_tiles_around(s, i, j);
  }
}

/* What may come from ghost rows: the tiles with a row that a step works out from them. */
static void tell_tiles_at_cuts(swg *s) {
  const swg_view *v = &s->v;
  for (int d = 0; d < s->p.ghost_rows && d < v->end - v->begin; d++)
    for (int i = 0; i < v->nx; i += v->columns) {
      if (s->p.part.j0 > 0) s->always[tile_of(s, i, v->begin + d)] |= SWG_AT_CUT;
      if (s->p.part.j1 < s->p.grid.ny) s->always[tile_of(s, i, v->end - 1 - d)] |= SWG_AT_CUT;
    }
}

void swg_tell_tiles(swg *s, const uint8_t *kind, ria_gpu_source_cell *cell, int n) {
  memset(s->always, 0, most_tiles_of(s));
  for (int side = 0; side < RIA_SIDES; side++) tell_tiles_beside(s, kind, side);
  tell_tiles_at_cuts(s);
  for (int k = 0; k < n; k++) {
    const int j = cell[k].at / s->v.stride;
    if (cell[k].at < 0 || j < s->v.begin || j >= s->v.end) continue;
    cell[k].tile = tile_of(s, cell[k].at % s->v.stride, j);
    s->always[cell[k].tile] |= SWG_FED;
  }
}

ria_status swg_move_forcing(swg *s) {
  const size_t rim = rim_of(s), n = (size_t)s->v.forcing.n_source_cells,
               bytes = n * sizeof(ria_gpu_source_cell);
  uint8_t *kind = (uint8_t *)malloc(rim + 1);
  ria_gpu_source_cell *cell = (ria_gpu_source_cell *)malloc(bytes + 1), *there = NULL;
  const bool all = kind && cell;
  cudaError_t e = cudaSuccess;
  if (all) {
    there = (ria_gpu_source_cell *)s->v.forcing.source_cell;
    e = ria_gpu_to_host(&s->p, kind, s->v.rim.kind, rim);
    if (e == cudaSuccess && n) e = ria_gpu_to_host(&s->p, cell, there, bytes);
    if (e == cudaSuccess) swg_tell_tiles(s, kind, cell, (int)n);
    if (e == cudaSuccess && n) e = ria_gpu_to_device(&s->p, there, cell, bytes);
    if (e == cudaSuccess)
      e = ria_gpu_to_device(&s->p, (uint8_t *)s->v.always, s->always, tiles_of(s));
    if (e == cudaSuccess) e = cudaStreamSynchronize(s->p.stream);
  }
  free(kind);
  free(cell);
  if (!all) return ria_gpu_no_memory(&s->p, "the forcing");
  SWG_TRY("copying the state", e);
  return RIA_OK;
}
