/* cells.cuh - cells and edges of the time step on CUDA, for one precision
 * (RIA_PRECISION): how a warp gets its cells, a lane each, and what crosses the edges between them.
 * The formulas are shallow_water_k.h's and shallow_water_rim_k.h's. */
#include "solvers/shallow_water/shallow_water_k.h"
#include "solvers/shallow_water/shallow_water_rim_k.h"
#include "solvers/shallow_water/shallow_water_slopes_k.h"
#include "solvers/shallow_water/shallow_water_eddies_k.h"

#define R RIA_PRECISION
#define ALL 0xffffffffu

namespace { /* every precision has its own */

typedef struct __align__(16) vec4 {
  R h, qx, qy, hc;
}
vec4;

/* A cell as it is stored, and as edges need it. */
template <int NT> struct stored {
  vec4 s;
  R more[NT > 1 ? NT - 1 : 1];
  R z;
};
template <int NT> struct ready_cell {
  sw_flow f;
  R z, c[NT > 0 ? NT : 1];
};
/* What crosses an edge. */
template <int NT> struct crossing { R h, left, right, side, c[NT > 0 ? NT : 1]; };

/* Eddies at an edge. */
typedef struct stirring {
  R push, side; /* of momentum, as in crossing: E / d, and times dt / d */
  R mix;        /* of a tracer: E dt / (Sc d^2) */
} stirring;

/* The constants of a step in the precision of the run; in front what each tile reads, see swg_view.
 */
typedef struct swg_args {
  sw_const k;
  const vec4 *old;
  vec4 *now;
  const R *bed, *manning;
  const uint8_t *wet_old;
  uint8_t *wet_new;
  int short_ways; /* 1: calm edges may take theirs */
  bool rare;      /* a map of roughness, diffusion, decay, maxima: what most runs do without */
  swg_view v;
  const R *old_more;
  R *new_more;
  sw_forces forces;
  sw_second second; /* order 2 */
  sw_eddies eddies; /* as of a step of 1 s */
} swg_args;

/* --- cells ------------------------------------------------------------------------------------ */

__device__ __forceinline__ vec4 load4(const vec4 *p) {
  vec4 s;
  const int4 *from = (const int4 *)p;
  int4 *to = (int4 *)&s;
#pragma unroll
  for (int k = 0; k < (int)(sizeof s / sizeof *to); k++) to[k] = from[k];
  return s;
}
__device__ __forceinline__ void store4(vec4 *p, vec4 s) {
  const int4 *from = (const int4 *)&s;
  int4 *to = (int4 *)p;
#pragma unroll
  for (int k = 0; k < (int)(sizeof s / sizeof *to); k++) to[k] = from[k];
}

/* A column or a row that is on the device: beyond a periodic side those along the other follow,
 * beyond others the last is repeated. At most the number of them beyond a side. */
__device__ __forceinline__ int column_there(const swg_args &a, int i) {
  if (a.v.ring_x) i += i < 0 ? a.v.nx : i >= a.v.nx ? -a.v.nx : 0;
  return min(max(i, 0), a.v.nx - 1);
}
__device__ __forceinline__ int row_there(const swg_args &a, int j) {
  if (a.v.ring_y) {
    if (j < 0) return max(j + a.v.below, 0);
    j -= j >= a.v.reach ? a.v.above : 0;
  }
  return min(max(j, 0), a.v.reach - 1);
}
/* The same of an element, of a column whose northernmost is `highest`. */
__device__ __forceinline__ int element_there(const swg_args &a, int at, int highest) {
  if (a.v.ring_y) at -= at > highest ? a.v.above * a.v.stride : 0;
  at = min(at, highest);
  if (a.v.ring_y) {
    const int below = a.v.below * a.v.stride;
    at += at < 0 ? below : 0;
    at += at < 0 ? below : 0; /* two rows beyond a single one */
  }
  return at;
}
/* The number of row j on the sides in the west and the east. */
__device__ __forceinline__ int row_of_side(const swg_args &a, int j) {
  if (a.v.ring_y) j += j < 0 ? a.v.around : j >= a.v.ny ? -a.v.around : 0;
  return j;
}

template <int NT> __device__ __forceinline__ stored<NT> load(const swg_args &a, int at) {
  stored<NT> r;
  r.s = load4(a.old + at);
  r.z = a.bed[at];
#pragma unroll
  for (int m = 1; m < NT; m++) r.more[m - 1] = a.old_more[(m - 1) * a.v.plane + at];
  return r;
}

/* Rows on their way from memory wait in shared memory, a place for each lane: while one is worked
 * on the next two are under way. Registers would have to be held all the while, and waiting for
 * anything else that shares their scoreboard would wait for memory. A lane reads only what it
 * copied, so lanes need not wait for each other. */
template <int NT, int SLOTS = 4> struct ring {
  struct {
    vec4 s[32];
    R z[32];
    R more[NT > 1 ? NT - 1 : 1][32];
  } slot[SLOTS]; /* three would do at order 1; powers of two turn round by bits */
};

__device__ __forceinline__ void copy16(void *to, const void *from) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
      "l"(from));
}
__device__ __forceinline__ void copy1(R *to, const R *from) {
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
      "l"(from), "n"(sizeof(R)));
}

/* Send for the cell at `at`. */
template <int NT, int SLOTS>
__device__ __forceinline__ void send_for(const swg_args &a, ring<NT, SLOTS> &ring, int slot,
                                         int lane, int at) {
#pragma unroll
  for (int k = 0; k < (int)(sizeof(vec4) / 16); k++)
    copy16((int4 *)&ring.slot[slot].s[lane] + k, (const int4 *)(a.old + at) + k);
  copy1(&ring.slot[slot].z[lane], a.bed + at);
#pragma unroll
  for (int m = 1; m < NT; m++)
    copy1(&ring.slot[slot].more[m - 1][lane], a.old_more + ((m - 1) * a.v.plane + at));
  asm volatile("cp.async.commit_group;");
}

/* What lies in a slot. */
template <int NT, int SLOTS>
__device__ __forceinline__ stored<NT> held(const ring<NT, SLOTS> &ring, int slot, int lane) {
  stored<NT> r;
  r.s = load4(&ring.slot[slot].s[lane]);
  r.z = ring.slot[slot].z[lane];
#pragma unroll
  for (int m = 1; m < NT; m++) r.more[m - 1] = ring.slot[slot].more[m - 1][lane];
  return r;
}

/* What was sent for before the last LATER times, when it is there. */
template <int NT, int LATER = 1, int SLOTS>
__device__ __forceinline__ stored<NT> receive(const ring<NT, SLOTS> &ring, int slot, int lane) {
  asm volatile("cp.async.wait_group %0;" ::"n"(LATER) : "memory");
  return held<NT>(ring, slot, lane);
}

template <int NT> __device__ __forceinline__ R tracer_of(const stored<NT> &r, int m) {
  return m == 0 ? r.s.hc : r.more[m - 1];
}

template <int NT>
__device__ __forceinline__ ready_cell<NT> ready(const stored<NT> &r, const sw_const &k) {
  ready_cell<NT> c;
  c.f = sw_flow_of(r.s.h, r.s.qx, r.s.qy, &k);
  c.z = r.z;
#pragma unroll
  for (int m = 0; m < NT; m++) c.c[m] = sw_concentration(tracer_of<NT>(r, m), r.s.h, c.f.inv);
  return c;
}

template <int NT> __device__ __forceinline__ ready_cell<NT> from_east(const ready_cell<NT> &c) {
  ready_cell<NT> e;
  e.f.h = __shfl_down_sync(ALL, c.f.h, 1);
  e.f.u = __shfl_down_sync(ALL, c.f.u, 1);
  e.f.v = __shfl_down_sync(ALL, c.f.v, 1);
  e.f.c = __shfl_down_sync(ALL, c.f.c, 1);
  e.z = __shfl_down_sync(ALL, c.z, 1);
#pragma unroll
  for (int m = 0; m < NT; m++) e.c[m] = __shfl_down_sync(ALL, c.c[m], 1);
  return e;
}

/* The west edge, from the lane to the west. `left` belongs to that lane and is not copied. */
template <int NT> __device__ __forceinline__ crossing<NT> from_west(const crossing<NT> &x) {
  crossing<NT> w;
  w.h = __shfl_up_sync(ALL, x.h, 1);
  w.right = __shfl_up_sync(ALL, x.right, 1);
  w.side = __shfl_up_sync(ALL, x.side, 1);
  w.left = 0;
#pragma unroll
  for (int m = 0; m < NT; m++) w.c[m] = __shfl_up_sync(ALL, x.c[m], 1);
  return w;
}

/* --- edges ------------------------------------------------------------------------------------ */

/* The cells of an edge along x (or y) as it sees them. */
template <int NT, bool ALONG_X>
__device__ __forceinline__ sw_side side_of(const ready_cell<NT> &c) {
  const sw_side s = {c.f.h, ALONG_X ? c.f.u : c.f.v, c.z, c.f.c};
  return s;
}

/* What eddies carry between two cells of depths hl and hr. un, ut: velocities along the normal and
 * along the edge. */
template <int NT>
__device__ __forceinline__ void stir_up(crossing<NT> *e, stirring by, R hl, R unl, R utl, R hr,
                                        R unr, R utr) {
  const R push = sw_stress(hl, unl, hr, unr, by.push);
  e->left += push;
  e->right += push;
  e->side += sw_stress(hl, utl, hr, utr, by.side);
}

/* All that crosses an edge, by the flux of water. */
template <int NT, bool ALONG_X, bool PLAIN, bool STIRS>
__device__ __forceinline__ crossing<NT> carry(const swg_args &a, sw_flux f, const ready_cell<NT> &l,
                                              const ready_cell<NT> &r, double dt, stirring by) {
  crossing<NT> e;
  e.h = f.h;
  e.left = f.left;
  e.right = f.right;
  e.side = sw_along(f.h, ALONG_X ? l.f.v : l.f.u, ALONG_X ? r.f.v : r.f.u);
  if constexpr (STIRS)
    stir_up(&e, by, l.f.h, ALONG_X ? l.f.u : l.f.v, ALONG_X ? l.f.v : l.f.u, r.f.h,
            ALONG_X ? r.f.u : r.f.v, ALONG_X ? r.f.v : r.f.u);
  const double per = ALONG_X ? 1.0 / (a.v.dx * a.v.dx) : 1.0 / (a.v.dy * a.v.dy);
#pragma unroll
  for (int m = 0; m < NT; m++) {
    R amount = sw_along(f.h, l.c[m], r.c[m]);
    if constexpr (STIRS)
      amount +=
          water_mixed(l.f.h, l.c[m], r.f.h, r.c[m], (R)(a.v.diffusion[m] * dt * per) + by.mix);
    else if (!PLAIN && a.v.diffuses)
      amount += water_mixed(l.f.h, l.c[m], r.f.h, r.c[m], (R)(a.v.diffusion[m] * dt * per));
    e.c[m] = sw_carried(amount, l.f.h, l.c[m], r.f.h, r.c[m]);
  }
  return e;
}

/* The forces of this step. Constant ones stay in the kernel arguments and cost no registers. */
__device__ __forceinline__ sw_forces forces_now(const swg_args &a) {
  sw_forces f = a.forces;
  if (a.v.gusts) {
    f.wind_x = (R)a.v.report->wind[0];
    f.wind_y = (R)a.v.report->wind[1];
  }
  return f;
}

/* The bed on the high side of an edge, as it seems where forces act. */
template <int NT, bool ALONG_X>
__device__ __forceinline__ R apparent_bed(const sw_forces &f, const ready_cell<NT> &l,
                                          const ready_cell<NT> &r) {
  return r.z - sw_tilt(l.f.h, ALONG_X ? l.f.v : l.f.u, r.f.h, ALONG_X ? r.f.v : r.f.u,
                       ALONG_X ? f.turn : -f.turn, ALONG_X ? f.wind_x : f.wind_y, f.shoal,
                       ALONG_X ? f.dx_g : f.dy_g);
}

/* The edges of a cell to the east and to the north, all lanes together. */
template <int NT, bool PLAIN, bool FORCED, bool STIRS>
__device__ __forceinline__ void edges(const swg_args &a, const ready_cell<NT> &c,
                                      const ready_cell<NT> &east, const ready_cell<NT> &north,
                                      R dtdx, R dtdy, double dt, stirring by_x, stirring by_y,
                                      crossing<NT> *xe, crossing<NT> *yn) {
  sw_side xl = side_of<NT, true>(c), xr = side_of<NT, true>(east);
  sw_side yl = side_of<NT, false>(c), yr = side_of<NT, false>(north);
  if (FORCED) {
    const sw_forces f = forces_now(a);
    xr.z = apparent_bed<NT, true>(f, c, east);
    yr.z = apparent_bed<NT, false>(f, c, north);
  }
  sw_flux fx, fy;
  if (__all_sync(ALL, a.short_ways & sw_calm(xl, xr, &a.k) & sw_calm(yl, yr, &a.k))) {
    fx = sw_edge_calm(xl, xr, dtdx, &a.k);
    fy = sw_edge_calm(yl, yr, dtdy, &a.k);
  } else {
    fx = sw_edge(xl, xr, dtdx, &a.k);
    fy = sw_edge(yl, yr, dtdy, &a.k);
  }
  *xe = carry<NT, true, PLAIN, STIRS>(a, fx, c, east, dt, by_x);
  *yn = carry<NT, false, PLAIN, STIRS>(a, fy, c, north, dt, by_y);
}

/* The edge of a cell to the south, where a tile begins. */
template <int NT, bool PLAIN, bool FORCED, bool STIRS>
__device__ __forceinline__ crossing<NT> edge_south(const swg_args &a, const ready_cell<NT> &below,
                                                   const ready_cell<NT> &c, R dtdy, double dt,
                                                   stirring by) {
  sw_side l = side_of<NT, false>(below), r = side_of<NT, false>(c);
  if (FORCED) r.z = apparent_bed<NT, false>(forces_now(a), below, c);
  return carry<NT, false, PLAIN, STIRS>(a, sw_edge(l, r, dtdy, &a.k), below, c, dt, by);
}

} // namespace
