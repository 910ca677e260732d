/* eddies.cuh - how strong eddies are at an edge on CUDA, for one precision (RIA_PRECISION). The
 * formulas are shallow_water_eddies_k.h's.
 *
 * Runs with eddies have kernels of their own, in which all tiles are walked the way STIRRED. Cells
 * are fetched again here, six an edge after Smagorinsky: they were read a moment ago and are near,
 * and a walk has no registers left to keep them. */

namespace {

/* Beyond a side: column_there, row_there. */
__device__ __forceinline__ sw_flow flow_there(const swg_args &a, int i, int j) {
  const vec4 s = load4(a.old + (row_there(a, j) * a.v.stride + column_there(a, i)));
  return sw_flow_of(s.h, s.qx, s.qy, &a.k);
}

/* Of a cell along the edges to its east (ALONG_X) or north. The domain ends as at dry land. */
template <bool ALONG_X>
__device__ __forceinline__ sw_slant slant_there(const swg_args &a, sw_flow c, int i, int j) {
  const sw_flow lo = ALONG_X ? flow_there(a, i, j - 1) : flow_there(a, i - 1, j);
  const sw_flow hi = ALONG_X ? flow_there(a, i, j + 1) : flow_there(a, i + 1, j);
  return sw_slant_of(c, lo, hi);
}

/* The edge to the east (ALONG_X) or north of cell (i, j), by all lanes together; nothing where one
 * of its cells lies outside. */
template <bool ALONG_X>
__device__ __noinline__ stirring stir(const swg_args &a, int i, int j, double dt) {
  const int i1 = ALONG_X ? i + 1 : i, j1 = ALONG_X ? j : j + 1;
  stirring s = stirring();
  R asks = 0;
  const bool in_x = a.v.ring_x ? i <= a.v.nx : i >= 0 && i1 < a.v.nx;
  const bool in_y = a.v.ring_y ? j <= a.v.ny : j >= 0 && j1 < a.v.ny;
  if (in_x && in_y) {
    const sw_flow l = flow_there(a, i, j), r = flow_there(a, i1, j1);
    sw_eddies eddies = a.eddies;
    eddies.often = (R)(1.0 / dt);
    sw_eddy e = {eddies.nu, 0};
    if (eddies.cs2 > 0)
      e = sw_eddy_at(ALONG_X, l, r, slant_there<ALONG_X>(a, l, i, j),
                     slant_there<ALONG_X>(a, r, i1, j1), &eddies, &a.k);
    const R rd = ALONG_X ? a.k.rdx : a.k.rdy, dt_dx = (R)(dt / (ALONG_X ? a.v.dx : a.v.dy));
    s.push = e.nu * rd;
    s.side = e.nu * (rd * dt_dx);
    s.mix = e.nu * (rd * dt_dx * eddies.to_trace);
    asks = e.asks;
  }
  if (a.eddies.cs2 > 0) {
    volatile unsigned long long *most = &a.v.report->eddy;
    const unsigned long long mine = most_of_warp(bits_of(asks));
    if (threadIdx.x % 32 == 0 && mine > *most) atomicMax(&a.v.report->eddy, mine);
  }
  return s;
}

} // namespace
