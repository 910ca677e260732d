/* gpu/tridiag/lines.cuh - ria_tridiag_solve for one precision: rows are read, eliminated and solved
 * in segments (partition.cuh). */
#include "machine/partition.cuh"
#include "tridiag.cuh"

namespace {
#define R RIA_PRECISION

enum { LONG = sizeof(R) == 4 ? 16 : 8 };

/* Threads read all of their rows before any writes: x may be any of the fields. */
template <bool ROWS, bool CLUSTER>
__global__ void __launch_bounds__(512) solve_lines(const __grid_constant__ tridiag_lines a,
                                                   const __grid_constant__ line_layout layout) {
  extern __shared__ __align__(16) unsigned char memory[];
  if (CLUSTER) cluster_begin();
  const lines_here<ROWS, CLUSTER> here(layout);
  const int i0 = (here.rank * here.segments + here.segment) * LONG;
  const int line = here.first_line + here.line, t = min(line, a.lines - 1);
  const size_t al = ROWS ? 1 : a.stride, base = (size_t)t * (ROWS ? a.stride : 1);
  const R *lower = (const R *)a.lower + base, *diag = (const R *)a.diag + base;
  const R *upper = (const R *)a.upper + base, *rhs = (const R *)a.rhs + base;
  tri_row row[LONG], up = {-1, 0, 0}, last;
  R b_last = 1;
#pragma unroll
  for (int k = 0; k < LONG; k++) {
    const int i = i0 + k;
    const bool there = i < a.n;
    const size_t at = (size_t)i * al;
    const R lo = there && i > 0 ? lower[at] : 0, di = there ? diag[at] : 1;
    const R hi = there && i < a.n - 1 ? upper[at] : 0, d = there ? rhs[at] : 0;
    if (k < LONG - 1) {
      row[k] = up = tri_next(up, lo, di, hi, d);
    } else {
      last = {-(lo * up.a), hi, d - lo * up.d};
      b_last = di - lo * up.c;
    }
  }
  tri_row first = row[LONG - 2];
#pragma unroll
  for (int k = LONG - 3; k >= 0; k--) first = tri_through(row[k], first);
  R left;
  R x = solve_segments<lines_here<ROWS, CLUSTER>, CLUSTER>(here, (R *)memory, first, last, b_last,
                                                           &left);
  bool bad = false;
#pragma unroll
  for (int k = LONG - 1; k >= 0; k--) {
    if (k < LONG - 1) x = tri_solve(row[k], left, x);
    if (i0 + k >= a.n || line >= a.lines) continue;
    ((R *)a.x)[base + (size_t)(i0 + k) * al] = x;
    bad = bad || !(x - x == 0);
  }
  if (bad) atomicMin(a.bad, line);
}

template <bool ROWS, bool CLUSTER>
cudaError_t launch(const tridiag_lines *a, const line_layout *l, cudaStream_t stream) {
  const size_t room = layout_room(l, sizeof(R), 0);
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute cluster = {};
  config.gridDim = dim3(layout_grid(l, a->lines));
  config.blockDim = dim3((unsigned)layout_threads(l));
  config.dynamicSmemBytes = room;
  config.stream = stream;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = (unsigned)l->blocks;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  config.attrs = &cluster;
  config.numAttrs = CLUSTER;
  cudaError_t e = cudaFuncSetAttribute(solve_lines<ROWS, CLUSTER>,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room);
  if (e == cudaSuccess && l->blocks > 8)
    e = cudaFuncSetAttribute(solve_lines<ROWS, CLUSTER>,
                             cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  return e == cudaSuccess ? cudaLaunchKernelEx(&config, solve_lines<ROWS, CLUSTER>, *a, *l) : e;
}

} // namespace

cudaError_t RIA_K(tridiag_launch)(const tridiag_lines *a, bool rows, int most_blocks,
                                  cudaStream_t stream) {
  line_layout l = {LONG, 1, rows ? 1 : (int)(64 / sizeof(R)), 1};
  while (l.lines > 1 && LONG * (512 / l.lines) * most_blocks < a->n) l.lines /= 2;
  while (l.segments < 512 / l.lines && layout_reach(&l) < a->n) l.segments *= 2;
  while (layout_reach(&l) < a->n) l.blocks *= 2;
  while (layout_threads(&l) < 128) l.lines *= 2; /* short lines */
  if (l.blocks > 1)
    return rows ? launch<true, true>(a, &l, stream) : launch<false, true>(a, &l, stream);
  return rows ? launch<true, false>(a, &l, stream) : launch<false, false>(a, &l, stream);
}
#undef R
