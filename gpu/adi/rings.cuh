/* gpu/adi/rings.cuh - periodic sides, per precision: what lies beyond them, lines of diffusion that
 * close upon themselves (those of a sweep: partition.cuh). Included after meet.cuh.
 *
 * The face on the one side is the face on the other: its flux is kept on both. A column and a row
 * of cells beyond the sides hold what lies along the side across, so that most of a sweep knows
 * nothing of a seam; where it looks a cell further it counts round (limited_across, build_any).
 *
 * A part of a grid whose south and north are the pair has three rows beyond either end instead, as
 * it has them beside its cuts: its neighbour there tells it what they hold. */
#include "solvers/adi/adi_tracer_k.h"
namespace {
#define R RIA_PRECISION

/* Where what lies at k is, of n in a row whose ends may meet; k is at most n beyond them. */
__device__ __forceinline__ int round_at(bool ring, int k, int n) {
  return !ring || (k >= 0 && k < n) ? k : (k + n) % n;
}

/* --- beyond the sides ------------------------------------------------------------------------- */

/* Row j of the device is as which one? */
__device__ __forceinline__ int row_like(const adig_wrap &w, int j) {
  const int ny = w.v.ny, n = w.grid_rows;
  if (!w.beyond || (j >= 0 && j < ny)) return round_at(w.rings.y, j, ny);
  const int row = (w.base + j + n) % n - w.base;
  return w.echoes && row >= 0 && row < ny ? row : j;
}

/* A plane a row of blocks. First the columns beyond the west and the east, with the corners, then
 * the rows beyond the south and the north, with the faces of sides in the west that are none. */
__global__ void __launch_bounds__(EACH) wrap_planes(const __grid_constant__ adig_wrap w) {
  const ria_gpu_view *v = &w.v;
  const int nx = v->nx, ny = v->ny, deep = max(w.beyond, 1), high = ny + 2 * deep, wide = nx + 2;
  const int columns = w.rings.x ? 2 * high : 0, all = columns + (w.rings.y ? 2 * deep * wide : 0);
  R *plane = out(w.plane[blockIdx.y]);
  FOR_EACH(k, all) {
    const int m = (int)k - columns, row = m / wide;
    const int i = m < 0 ? ((int)k < high ? -1 : nx) : m % wide - 1;
    const int j = m < 0 ? (int)k % high - deep : row < deep ? row - deep : ny + row - deep;
    const int from_i = round_at(w.rings.x, i, nx), from_j = row_like(w, j);
    if (m >= 0 && (from_i != i || from_j == j)) continue; /* a corner; a row that is told */
    plane[ria_gpu_at(v, i, j)] = plane[ria_gpu_at(v, from_i, from_j)];
  }
}

/* --- a pair becomes one ----------------------------------------------------------------------- */

__device__ __forceinline__ bool is_closed(const adig_state &s, size_t l, size_t r) {
  const double sill = fmax((double)in(s.bed)[l], (double)in(s.bed)[r]);
  const double top = fmax((double)in(s.level)[l], (double)in(s.level)[r]);
  return !(top - sill > s.dry) || !(sill < s.land);
}

/* The face before a line and its last one, `low` and `high`, become one: the flux is the mean of
 * both, none where it is closed. to: from a cell to the next. */
__device__ void join_faces(const adig_state &s, size_t low, size_t high, size_t to, void *now,
                           void *old) {
  const bool closed = is_closed(s, high, low + to);
  for (R *u : {out(now), out(old)}) {
    const double mean = 0.5 * ((double)u[low] + (double)u[high]);
    u[low] = u[high] = (R)(closed ? 0 : mean);
  }
}

/* --- implicit diffusion ----------------------------------------------------------------------- */

/* The row of the face between two cells of a line. */
__device__ __forceinline__ adi_row mix_face(const adig_carry &c, size_t low, size_t high, R mix) {
  const R l = adi_depth(in(c.level)[low], in(c.bed)[low]),
          h = adi_depth(in(c.level)[high], in(c.bed)[high]);
  const R *load = in(c.load_new);
  return adi_mix_row(l, h, adi_concentration(load[low], l), adi_concentration(load[high], h), mix);
}

/* As mix_round of the CPU: a line of n cells from `first` on that closes upon itself, eliminated;
 * its solution is left in rhs, as if nothing more was to be substituted. Returns what crosses the
 * seam. */
__device__ __noinline__ R mix_join(const adig_carry &c, size_t first, size_t along, int n, R mix,
                                   R *up, R *rhs, R *ring) {
  const auto at = [&](int i) { return first + (size_t)i * along; };
  ring[first] = 1;
  for (int i = 1; i < n; i++) {
    adi_row row = mix_face(c, at(i - 1), at(i), mix);
    row.rhs = 0;
    ring[at(i)] = adi_eliminate(row, up[at(i - 1)], ring[at(i - 1)]).rhs;
  }
  ring[at(n - 1)] -= n > 1 ? up[at(n - 1)] : (R)0;
  for (int i = n - 2; i >= 0; i--) {
    rhs[at(i)] -= up[at(i)] * rhs[at(i + 1)];
    ring[at(i)] -= up[at(i)] * ring[at(i + 1)];
  }
  const R y = n > 1 ? rhs[at(1)] : (R)0, z = n > 1 ? ring[at(1)] : (R)1;
  const adi_row seam = mix_face(c, at(n - 1), first, mix);
  const R crosses = ria_over(seam.rhs - seam.lo * rhs[at(n - 1)] - seam.up * y,
                             seam.di + seam.lo * ring[at(n - 1)] + seam.up * z);
  for (int i = 0; i < n; i++) {
    rhs[at(i)] += crosses * ring[at(i)];
    up[at(i)] = 0;
  }
  return crosses;
}

/* --- launches --------------------------------------------------------------------------------- */

cudaError_t do_wrap(const adig_wrap *w, cudaStream_t st) {
  const int deep = w->beyond > 1 ? w->beyond : 1;
  const int cells = 2 * (w->v.ny + 2 * deep + deep * (w->v.nx + 2));
  wrap_planes<<<dim3(blocks_of(cells), (unsigned)w->n), EACH, 0, st>>>(*w);
  return cudaGetLastError();
}

#undef R
} // namespace
