/* gpu/adi/rings.cuh - what lies beyond periodic sides, per precision. Included after meet.cuh.
 *
 * The face on the one side is the face on the other: its flux is kept on both. A column and a row
 * of cells beyond the sides hold what lies along the side across, so that most of a sweep knows
 * nothing of a seam; where it looks a cell further it counts round (limited_across, build_any). */
namespace {
#define R RIA_PRECISION

/* Where what lies at k is, of n in a row whose ends may meet; k is at most n beyond them. */
__device__ __forceinline__ int round_at(bool ring, int k, int n) {
  return !ring || (k >= 0 && k < n) ? k : (k + n) % n;
}

/* A plane a row of blocks. First the columns beyond the west and the east, with the corners, then
 * the rows beyond the south and the north, with the faces of sides in the west that are none. */
__global__ void __launch_bounds__(EACH) wrap_planes(const __grid_constant__ adig_wrap w) {
  const ria_gpu_view *v = &w.v;
  const int nx = v->nx, ny = v->ny, high = ny + 2, wide = nx + 2;
  const int columns = w.rings.x ? 2 * high : 0, all = columns + (w.rings.y ? 2 * wide : 0);
  R *plane = out(w.plane[blockIdx.y]);
  FOR_EACH(k, all) {
    const int m = (int)k - columns;
    const int i = m < 0 ? ((int)k < high ? -1 : nx) : m % wide - 1;
    const int j = m < 0 ? (int)k % high - 1 : (m < wide ? -1 : ny);
    const int from_i = round_at(w.rings.x, i, nx), from_j = round_at(w.rings.y, j, ny);
    if (m >= 0 && from_i != i) continue; /* a corner */
    plane[ria_gpu_at(v, i, j)] = plane[ria_gpu_at(v, from_i, from_j)];
  }
}

cudaError_t do_wrap(const adig_wrap *w, cudaStream_t st) {
  const int cells = 2 * (w->v.nx + w->v.ny + 4);
  wrap_planes<<<dim3(blocks_of(cells), (unsigned)w->n), EACH, 0, st>>>(*w);
  return cudaGetLastError();
}

#undef R
} // namespace
