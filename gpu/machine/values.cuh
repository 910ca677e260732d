/* gpu/machine/values.cuh - values in time on the device, by a thread each.
 *
 * Hundreds of rivers have a hydrograph each: the piece of a series that the last step was in is
 * kept, with its knots, so that most often nothing needs to be looked for. The values are those of
 * ria_forcing_at. */
#ifndef RIA_GPU_VALUES_CUH
#define RIA_GPU_VALUES_CUH
#include "planes.cuh"

namespace {

/* Of ria_gpu_followed.known: the piece is; there is none before it, none behind; values between its
 * knots lie on the line. Or the value is no series. */
enum {
  PIECE_IS_KNOWN = 1,
  PIECE_IS_FIRST = 2,
  PIECE_IS_LAST = 4,
  PIECE_IS_LINE = 8,
  PIECE_IS_NONE = 16
};

/* Look for the piece that t is in. A constant is one that holds 0. */
__device__ __noinline__ void find_piece(const ria_gpu_followed *all, const ria_forcing_table *table,
                                        int k, double t) {
  const ria_forcing *f = &table->entry[all->id[k]];
  const double *d = table->data + f->first;
  const bool line = f->kind == RIA_FORCING_LINEAR;
  int known = PIECE_IS_KNOWN | (line ? PIECE_IS_LINE : 0);
  if (f->kind == RIA_FORCING_CONSTANT) {
    known |= PIECE_IS_FIRST | PIECE_IS_LAST;
  } else if (!line && f->kind != RIA_FORCING_STEP) {
    known = PIECE_IS_NONE;
  } else {
    const int lo = ria_series_knot(f, d, t);
    const bool last = lo + 1 >= f->count;
    known |= (lo > 0 ? 0 : PIECE_IS_FIRST) | (last ? PIECE_IS_LAST : 0);
    for (int m = 0; m < (last ? 2 : 4); m++) all->knot[m * all->n + k] = d[2 * lo + m];
  }
  all->known[k] = known;
}

/* Value k at time t, by its thread. */
__device__ __forceinline__ double follow(const ria_gpu_followed *all,
                                         const ria_forcing_table *table, int k, double t) {
  const int n = all->n;
  int known = all->known[k];
  double knot[4];
  const auto read = [&] {
#pragma unroll
    for (int m = 0; m < 4; m++) knot[m] = all->knot[m * n + k];
  };
  read();
  const double base = all->form[RIA_GPU_BASE * n + k], scale = all->form[RIA_GPU_SCALE * n + k],
               ramp = all->form[RIA_GPU_RAMP * n + k];
  const bool in =
      (known & PIECE_IS_FIRST || t >= knot[0]) && (known & PIECE_IS_LAST || t < knot[2]);
  if (!(known & PIECE_IS_KNOWN) || !in) {
    find_piece(all, table, k, t);
    known = all->known[k];
    if (known & PIECE_IS_NONE) return ria_forcing_at(table, all->id[k], t);
    read();
  }
  const ria_forcing f = {known & PIECE_IS_LINE ? RIA_FORCING_LINEAR : RIA_FORCING_STEP,
                         0,
                         known & PIECE_IS_LAST ? 1 : 2,
                         base,
                         scale,
                         ramp};
  return ria_forcing_of(&f, ria_series_after(&f, knot, 0, t), t);
}

} // namespace

#endif
