/* gpu/adi/eddies.cuh - eddy viscosity of the implicit solver, per precision. The formulas are those
 * of the CPU's loops. */
namespace {
#define R RIA_PRECISION

__global__ void __launch_bounds__(EACH) eddies(const __grid_constant__ adig_state s) {
  const ria_gpu_view *g = &s.v;
  if (idle(s.bad, s.step)) return;
  const double dt = s.step->dt;
  const ptrdiff_t st = (ptrdiff_t)g->stride;
  const double cell = g->dx < g->dy ? g->dx : g->dy;
  const R cs2 = (R)(s.smagorinsky * s.smagorinsky * g->dx * g->dy), rdx = (R)(1 / g->dx),
          rdy = (R)(1 / g->dy), most = (R)(0.25 * cell * cell / dt), add = (R)s.eddy,
          dry = (R)s.dry;
  const int more = s.beyond ? s.beyond - 1 : 0; /* rows beyond the ends of a ring */
  FOR_EACH(k, (int64_t)g->nx * (g->ny + 2 * more)) {
    const ptrdiff_t at = (ptrdiff_t)ria_gpu_at(g, (int)(k % g->nx), (int)(k / g->nx) - more);
    const R *e = in(s.level) + at, *z = in(s.bed) + at, *p = in(s.p) + at, *q = in(s.q) + at;
    const auto depth = [&](ptrdiff_t o) { return e[o] - z[o]; };
    const auto u_at = [&](ptrdiff_t o, R h) { return (R)0.5 * (p[o] + p[o - 1]) / h; };
    const auto v_at = [&](ptrdiff_t o, R h) { return (R)0.5 * (q[o] + q[o - st]) / h; };
    const R h = depth(0) > dry ? depth(0) : (R)1, u = u_at(0, h), v = v_at(0, h);
    const R ux = (p[0] - p[-1]) / h * rdx, vy = (q[0] - q[-st]) / h * rdy;
    const R un = depth(st) > dry ? u_at(st, depth(st)) : u;
    const R us = depth(-st) > dry ? u_at(-st, depth(-st)) : u;
    const R ve = depth(1) > dry ? v_at(1, depth(1)) : v;
    const R vw = depth(-1) > dry ? v_at(-1, depth(-1)) : v;
    const R mine =
        ria_min(water_smagorinsky(ux, (R)0.5 * rdy * (un - us), (R)0.5 * rdx * (ve - vw), vy, cs2),
                most - add);
    out(s.viscosity)[at] = depth(0) > dry ? add + mine : (R)0;
  }
}

cudaError_t do_eddies(const adig_state *s, cudaStream_t st) {
  return OVER_CELLS(eddies, &s->v, st, *s);
}

#undef R
} // namespace
