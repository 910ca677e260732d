/* gpu/machine/values.cuh - values in time on the device, by a thread each.
 *
 * Hundreds of rivers have a hydrograph each: the piece of a series that the last step was in is
 * kept beside it, with its knots, so that most often nothing needs to be looked for. The values are
 * those of ria_forcing_at. */
#ifndef RIA_GPU_VALUES_CUH
#define RIA_GPU_VALUES_CUH
#include "planes.cuh"

namespace {

/* The piece of a series that t is in. d: the data of f. */
__device__ __noinline__ void find_piece(const ria_forcing *f, const double *d, double t,
                                        ria_gpu_piece *piece) {
  const int lo = ria_series_knot(f, d, t);
  ria_gpu_piece p = {-HUGE_VAL, HUGE_VAL, {d[2 * lo], d[2 * lo + 1], 0, 0}, 1};
  if (lo > 0) p.from = d[2 * lo];
  if (lo + 1 < f->count) {
    p.to = p.knot[2] = d[2 * lo + 2];
    p.knot[3] = d[2 * lo + 3];
    p.n = 2;
  }
  *piece = p;
}

/* A constant or a series at time t; the piece is this thread's. */
__device__ __forceinline__ double series_near(const ria_forcing *entry, const double *d, double t,
                                              ria_gpu_piece *piece) {
  ria_forcing f = *entry;
  double v = 0.0;
  if (f.kind != RIA_FORCING_CONSTANT) {
    if (!(t >= piece->from && t < piece->to)) find_piece(entry, d, t, piece);
    f.count = piece->n;
    v = ria_series_after(&f, piece->knot, 0, t);
  }
  return ria_forcing_of(&f, v, t);
}

/* ria_forcing_at of an entry that may be a tide, too. */
__device__ __forceinline__ double value_near(const ria_forcing_table *table, int id, double t,
                                             ria_gpu_piece *piece) {
  const ria_forcing *f = &table->entry[id];
  if (f->kind != RIA_FORCING_LINEAR && f->kind != RIA_FORCING_STEP)
    return ria_forcing_at(table, id, t);
  return series_near(f, table->data + f->first, t, piece);
}

} // namespace

#endif
