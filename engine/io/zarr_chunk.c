/* io/zarr_chunk.c - a tile of a field as the chunk of a store: gathered, padded with NaN to the
 * full size, rounded on the way, compressed. The bytes depend on the values and on ria_zarr_how
 * alone, wherever it is done. */
#include "io/deflate.h"
#include "io/round.h"
#include "io/zarr.h"

#include <math.h>

static size_t size_of(const ria_zarr_how *how) {
  const size_t real = how->real == RIA_F32 ? sizeof(float) : sizeof(double);
  return (size_t)how->tile_x * (size_t)how->tile_y * real;
}

/* False when there is no value but NaN. */
static bool gather(const ria_zarr_how *how, const void *rows, int j_first, int ti, int tj,
                   void *chunk) {
  const int width = how->tile_x, i0 = ti * width, j0 = tj * how->tile_y;
  const int columns = how->nx - i0 < width ? how->nx - i0 : width;
  bool some = false;
  for (int row = 0; row < how->tile_y; row++) {
    const int filled = j0 + row < how->ny ? columns : 0;
    const size_t from = filled ? (size_t)(j0 + row - j_first) * (size_t)how->nx + (size_t)i0 : 0;
    const size_t to = (size_t)row * (size_t)width;
    if (how->real == RIA_F32) {
      float *dst = (float *)chunk + to;
      some |= ria_round_f32(dst, (const float *)rows + from, (size_t)filled, how->precision);
      for (int k = filled; k < width; k++) dst[k] = NAN;
    } else {
      double *dst = (double *)chunk + to;
      some |= ria_round_f64(dst, (const double *)rows + from, (size_t)filled, how->precision);
      for (int k = filled; k < width; k++) dst[k] = (double)NAN;
    }
  }
  return some;
}

size_t ria_zarr_pack_room(const ria_zarr_how *how) {
  const size_t size = size_of(how);
  return size + (how->level < 0 ? 0 : ria_deflate_bound(size));
}

bool ria_zarr_pack(const ria_zarr_how *how, const void *rows, int j0, int ti, int tj,
                   unsigned char *room, const unsigned char **chunk, size_t *n) {
  const size_t size = size_of(how);
  *chunk = room;
  *n = 0;
  if (!gather(how, rows, j0, ti, tj, room)) return true;
  *n = size;
  if (how->level < 0) return true;
  *chunk = room + size;
  *n = ria_deflate_bound(size);
  return ria_deflate(room, size, how->level, room + size, n);
}
