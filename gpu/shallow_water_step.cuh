/* shallow_water_step.cuh - the time step on CUDA, for one precision (RIA_PRECISION).
 *
 * One kernel does a step. A warp holds 32 neighbouring columns, a lane each, and marches north over
 * the rows of its tile:
 *
 *   the row to the north   was loaded while the row before was worked on; velocities and
 *                          concentrations are derived from it once
 *   y edges                between this row and it; the one to the south is still in registers
 *   x edges                to the cell in the east, whose lane hands it over; what crosses the
 *                          edge in the west comes from that lane
 *   update                 new state, largest wave speed, validity, decay, maxima
 *
 * so a cell is read once, every edge is computed once (twice where tiles meet, from the same
 * numbers), and the new state is written once. The outer two columns of a warp belong to its
 * neighbours.
 *
 * Edges at which nothing but Roe's two waves can act (sw_calm) take a quarter of the arithmetic. A
 * warp takes the short way when all its edges may; both ways give the same bits, so that tiles
 * agree on the edges they share.
 *
 * A tile without water in it or beside it is not stepped: both states are made to hold the same
 * there, once. */
#include "follow.cuh"
#include "solvers/shallow_water/shallow_water_k.h"

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
  RIA_K(sw_flow) f;
  R z, c[NT > 0 ? NT : 1];
};
/* What crosses an edge. */
template <int NT> struct crossing { R h, left, right, side, c[NT > 0 ? NT : 1]; };

/* The constants of a step in the precision of the run. */
typedef struct swg_args {
  swg_view v;
  RIA_K(sw_const) k;
  const vec4 *old;
  vec4 *now;
  const R *old_more;
  R *new_more;
  const R *bed, *manning;
  const uint8_t *wet_old;
  uint8_t *wet_new;
  int short_ways; /* 1: calm edges may take theirs */
  RIA_K(sw_forces) forces;
  bool rare; /* a map of roughness, diffusion, decay, maxima: what most runs do without */
} swg_args;

/* --- cells --------------------------------------------------------------------------------------
 */

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
template <int NT> struct ring {
  struct {
    vec4 s[32];
    R z[32];
    R more[NT > 1 ? NT - 1 : 1][32];
  } slot[4]; /* three would do; four turn round by bits */
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
template <int NT>
__device__ __forceinline__ void send_for(const swg_args &a, ring<NT> &ring, int slot, int lane,
                                         int at) {
#pragma unroll
  for (int k = 0; k < (int)(sizeof(vec4) / 16); k++)
    copy16((int4 *)&ring.slot[slot].s[lane] + k, (const int4 *)(a.old + at) + k);
  copy1(&ring.slot[slot].z[lane], a.bed + at);
#pragma unroll
  for (int m = 1; m < NT; m++)
    copy1(&ring.slot[slot].more[m - 1][lane], a.old_more + ((m - 1) * a.v.plane + at));
  asm volatile("cp.async.commit_group;");
}

/* What was sent for before the last, when it is there. */
template <int NT>
__device__ __forceinline__ stored<NT> receive(const ring<NT> &ring, int slot, int lane) {
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  stored<NT> r;
  r.s = load4(&ring.slot[slot].s[lane]);
  r.z = ring.slot[slot].z[lane];
#pragma unroll
  for (int m = 1; m < NT; m++) r.more[m - 1] = ring.slot[slot].more[m - 1][lane];
  return r;
}

template <int NT> __device__ __forceinline__ R tracer_of(const stored<NT> &r, int m) {
  return m == 0 ? r.s.hc : r.more[m - 1];
}

template <int NT>
__device__ __forceinline__ ready_cell<NT> ready(const stored<NT> &r, const RIA_K(sw_const) & k) {
  ready_cell<NT> c;
  c.f = RIA_K(sw_flow_of)(r.s.h, r.s.qx, r.s.qy, &k);
  c.z = r.z;
#pragma unroll
  for (int m = 0; m < NT; m++)
    c.c[m] = RIA_K(sw_concentration)(tracer_of<NT>(r, m), r.s.h, c.f.inv);
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

/* What the edge in the west hands over; its `left` is no business of this cell. */
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

/* --- edges --------------------------------------------------------------------------------------
 */

/* The cells of an edge along x (or y) as it sees them. */
template <int NT, bool ALONG_X>
__device__ __forceinline__ RIA_K(sw_side) side_of(const ready_cell<NT> &c) {
  const RIA_K(sw_side) s = {c.f.h, ALONG_X ? c.f.u : c.f.v, c.z, c.f.c};
  return s;
}

/* All that crosses an edge, by the flux of water. */
template <int NT, bool ALONG_X, bool PLAIN>
__device__ __forceinline__ crossing<NT> carry(const swg_args &a, RIA_K(sw_flux) f,
                                              const ready_cell<NT> &l, const ready_cell<NT> &r,
                                              double dt) {
  crossing<NT> e;
  e.h = f.h;
  e.left = f.left;
  e.right = f.right;
  e.side = RIA_K(sw_along)(f.h, ALONG_X ? l.f.v : l.f.u, ALONG_X ? r.f.v : r.f.u);
  const double per = ALONG_X ? 1.0 / (a.v.dx * a.v.dx) : 1.0 / (a.v.dy * a.v.dy);
#pragma unroll
  for (int m = 0; m < NT; m++) {
    R amount = RIA_K(sw_along)(f.h, l.c[m], r.c[m]);
    if (!PLAIN && a.v.diffuses)
      amount += RIA_K(sw_mixed)(l.f.h, l.c[m], r.f.h, r.c[m], (R)(a.v.diffusion[m] * dt * per));
    e.c[m] = RIA_K(sw_carried)(amount, l.f.h, l.c[m], r.f.h, r.c[m]);
  }
  return e;
}

/* Those of the step. What does not change lies with the arguments, so that no registers are held
 * for it. */
__device__ __forceinline__ RIA_K(sw_forces) forces_now(const swg_args &a) {
  RIA_K(sw_forces) f = a.forces;
  if (a.v.gusts) {
    f.wind_x = (R)a.v.clock->wind[0];
    f.wind_y = (R)a.v.clock->wind[1];
  }
  return f;
}

/* The bed on the high side of an edge, as it seems where forces act. */
template <int NT, bool ALONG_X>
__device__ __forceinline__ R apparent_bed(const RIA_K(sw_forces) & f, const ready_cell<NT> &l,
                                          const ready_cell<NT> &r) {
  return r.z - RIA_K(sw_tilt)(l.f.h, ALONG_X ? l.f.v : l.f.u, r.f.h, ALONG_X ? r.f.v : r.f.u,
                              ALONG_X ? f.turn : -f.turn, ALONG_X ? f.wind_x : f.wind_y, f.shoal,
                              ALONG_X ? f.dx_g : f.dy_g);
}

/* The edges of a cell to the east and to the north, all lanes together. */
template <int NT, bool PLAIN, bool FORCED>
__device__ __forceinline__ void
edges(const swg_args &a, const ready_cell<NT> &c, const ready_cell<NT> &east,
      const ready_cell<NT> &north, R dtdx, R dtdy, double dt, crossing<NT> *xe, crossing<NT> *yn) {
  RIA_K(sw_side) xl = side_of<NT, true>(c), xr = side_of<NT, true>(east);
  RIA_K(sw_side) yl = side_of<NT, false>(c), yr = side_of<NT, false>(north);
  if (FORCED) {
    const RIA_K(sw_forces) f = forces_now(a);
    xr.z = apparent_bed<NT, true>(f, c, east);
    yr.z = apparent_bed<NT, false>(f, c, north);
  }
  RIA_K(sw_flux) fx, fy;
  if (__all_sync(ALL, a.short_ways & RIA_K(sw_calm)(xl, xr) & RIA_K(sw_calm)(yl, yr))) {
    fx = RIA_K(sw_edge_calm)(xl, xr, dtdx, &a.k);
    fy = RIA_K(sw_edge_calm)(yl, yr, dtdy, &a.k);
  } else {
    fx = RIA_K(sw_edge)(xl, xr, dtdx, &a.k);
    fy = RIA_K(sw_edge)(yl, yr, dtdy, &a.k);
  }
  *xe = carry<NT, true, PLAIN>(a, fx, c, east, dt);
  *yn = carry<NT, false, PLAIN>(a, fy, c, north, dt);
}

/* The edge of a cell to the south, where a tile begins. */
template <int NT, bool PLAIN, bool FORCED>
__device__ __forceinline__ crossing<NT> edge_south(const swg_args &a, const ready_cell<NT> &below,
                                                   const ready_cell<NT> &c, R dtdy, double dt) {
  RIA_K(sw_side) l = side_of<NT, false>(below), r = side_of<NT, false>(c);
  if (FORCED) r.z = apparent_bed<NT, false>(forces_now(a), below, c);
  return carry<NT, false, PLAIN>(a, RIA_K(sw_edge)(l, r, dtdy, &a.k), below, c, dt);
}

/* Enter what left the domain through a rim cell. */
__device__ __forceinline__ void enter(sw_crossed *c, R moved, double area) {
  if (moved > 0)
    c->out += (double)moved * area;
  else
    c->in -= (double)moved * area;
}

/* --- the rim ------------------------------------------------------------------------------------
 *
 * What drives the flow through an edge on the boundary takes several look-ups, one after another.
 * So a tile on the rim works out all of its rim edges before it marches, an edge a lane; they wait
 * in memory until their row comes. */

/* The edge of cell c on the boundary, in the sense of its axis; keeps the account of the rim. */
template <int NT, bool FORCED>
__device__ __forceinline__ crossing<NT> rim_edge(const swg_args &a, int side, int r,
                                                 const ready_cell<NT> &c, R dt_dx) {
  const swg_rim &rim = a.v.rim;
  const int kind = rim.kind[r], owner = rim.owner[r];
  const bool along_x = side == RIA_WEST || side == RIA_EAST;
  const R sign = side == RIA_EAST || side == RIA_NORTH ? (R)1 : (R)-1;
  const R un = sign * (along_x ? c.f.u : c.f.v), ut = along_x ? c.f.v : c.f.u;
  const R value = kind == SW_DISCHARGE ? (R)rim.share[r]
                  : kind == SW_LEVEL   ? (R)a.v.forcing.value[owner]
                                       : (R)0;
  R tilt = 0;
  if (FORCED) {
    const RIA_K(sw_forces) f = forces_now(a);
    tilt = sign * RIA_K(sw_rim_tilt)(along_x, c.f.h, ut, &f);
  }
  sw_crossed *account = rim.crossed + (size_t)r * (1 + NT);
  const RIA_K(sw_flux) f =
      RIA_K(sw_boundary)(kind, c.f.h, un, c.z, tilt, value, dt_dx, &account[0].owed, &a.k);
  crossing<NT> e = crossing<NT>();
  e.h = sign * f.h;
  e.left = e.right = f.left;
  /* what flows in has no velocity along an imposed boundary; what flows out has the cell's */
  e.side = sign * f.h * (f.h > 0 || kind == SW_OPEN ? ut : (R)0);
  if (kind == SW_WALL) return e;
  enter(account, f.h, a.v.area);
#pragma unroll
  for (int m = 0; m < NT; m++) {
    const R held = c.f.h * c.c[m];
    const double due = f.h > 0
                           ? (double)(f.h * c.c[m])
                           : (double)f.h * a.v.forcing.conc[owner * NT + m] + account[m + 1].owed;
    const R moved = RIA_K(sw_whole_places)((R)due, f.h > 0 ? held : (R)1e30, held);
    if (!(f.h > 0)) account[m + 1].owed = due - (double)moved;
    e.c[m] = sign * moved;
    enter(account + m + 1, moved, a.v.area);
  }
  return e;
}

template <int NT> __device__ __forceinline__ R *waiting(const swg_args &a, int r) {
  return (R *)a.v.rim.edge + (size_t)r * (4 + NT);
}

/* All rim edges of the tile of columns i0 <= i < i1, rows j0 <= j < j1. */
template <int NT, bool FORCED>
__device__ __forceinline__ void rim_edges(const swg_args &a, int i0, int i1, int j0, int j1,
                                          int lane, R dtdx, R dtdy) {
  const int west = i0 == 0 ? j1 - j0 : 0, east = i1 == a.v.nx ? j1 - j0 : 0;
  const int south = j0 == 0 ? i1 - i0 : 0, north = j1 == a.v.ny ? i1 - i0 : 0;
#pragma unroll 1
  for (int k = lane; k < west + east + south + north; k += 32) {
    const int side = k < west                  ? RIA_WEST
                     : k < west + east         ? RIA_EAST
                     : k < west + east + south ? RIA_SOUTH
                                               : RIA_NORTH;
    const int n = side == RIA_WEST    ? k
                  : side == RIA_EAST  ? k - west
                  : side == RIA_SOUTH ? k - west - east
                                      : k - west - east - south;
    const int i = side == RIA_WEST ? 0 : side == RIA_EAST ? a.v.nx - 1 : i0 + n;
    const int j = side == RIA_SOUTH ? 0 : side == RIA_NORTH ? a.v.ny - 1 : j0 + n;
    const bool along_x = side == RIA_WEST || side == RIA_EAST;
    const int r = a.v.rim.first[side] + (along_x ? j : i);
    const ready_cell<NT> c = ready<NT>(load<NT>(a, j * a.v.stride + i), a.k);
    const crossing<NT> e = rim_edge<NT, FORCED>(a, side, r, c, along_x ? dtdx : dtdy);
    R *to = waiting<NT>(a, r);
    to[0] = e.h;
    to[1] = e.left;
    to[2] = e.right;
    to[3] = e.side;
#pragma unroll
    for (int m = 0; m < NT; m++) to[4 + m] = e.c[m];
  }
  __syncwarp();
}

/* For lanes that are `on` the rim what rim_edges found for the k-th cell of the side. */
template <int NT>
__device__ __forceinline__ crossing<NT> end_edge(const swg_args &a, int side, int k, bool on,
                                                 crossing<NT> e) {
  if (!on) return e;
  const R *from = waiting<NT>(a, a.v.rim.first[side] + k);
  e.h = from[0];
  e.left = from[1];
  e.right = from[2];
  e.side = from[3];
#pragma unroll
  for (int m = 0; m < NT; m++) e.c[m] = from[4 + m];
  return e;
}

/* The same where all of the tile's rim is wall: nothing to look up. */
template <int NT>
__device__ __forceinline__ crossing<NT> wall_edge(int side, bool on, const ready_cell<NT> &c,
                                                  crossing<NT> e) {
  const R u = side == RIA_WEST || side == RIA_EAST ? c.f.u : c.f.v;
  const R un = side == RIA_EAST || side == RIA_NORTH ? u : -u;
  const RIA_K(sw_flux) f = RIA_K(sw_wall)(c.f.h, un, c.f.c);
  e.h = on ? (R)0 : e.h;
  e.left = on ? f.left : e.left;
  e.right = on ? f.left : e.right;
  e.side = on ? (R)0 : e.side;
#pragma unroll
  for (int m = 0; m < NT; m++) e.c[m] = on ? (R)0 : e.c[m];
  return e;
}

/* --- tiles --------------------------------------------------------------------------------------
 */

typedef struct rows_of_tile {
  int begin, end;
} rows_of_tile;

__device__ __forceinline__ rows_of_tile rows_of(const swg_view &v, int ty) {
  swg_band b = v.band[0];
#pragma unroll
  for (int k = 1; k < SWG_BANDS; k++)
    if (ty >= v.band[k].ty) b = v.band[k];
  const int begin = b.j + (ty - b.ty) * b.rows;
  return {begin, min(begin + b.rows, v.ny)};
}

/* Some tile of the nine around (tx, ty) holds water, or forcing may bring it. */
__device__ __forceinline__ bool tile_active(const swg_args &a, int tx, int ty, int lane) {
  const int x = min(max(tx + lane % 3 - 1, 0), a.v.tiles_x - 1);
  const int y = min(max(ty + lane / 3 - 1, 0), a.v.tiles_y - 1);
  const uint8_t *flag =
      lane < 9 ? a.wet_old + (y * a.v.tiles_x + x) : a.v.always + (ty * a.v.tiles_x + tx);
  return __any_sync(ALL, *flag);
}

/* A tile that stays dry: make both states agree, once. */
template <int NT>
__device__ __forceinline__ void rest(const swg_args &a, int tx, int tile, rows_of_tile rows,
                                     int lane) {
  const bool same = a.v.same[tile];
  __syncwarp();
  if (lane == 0) {
    a.wet_new[tile] = 0;
    a.v.same[tile] = 1;
  }
  const int i = tx * SWG_COLUMNS + lane;
  if (same || lane >= SWG_COLUMNS || i >= a.v.nx) return;
  for (int j = rows.begin; j < rows.end; j++) {
    const size_t at = (size_t)j * a.v.stride + i;
    a.now[at] = a.old[at];
#pragma unroll
    for (int m = 1; m < NT; m++)
      a.new_more[(m - 1) * a.v.plane + at] = a.old_more[(m - 1) * a.v.plane + at];
  }
}

/* --- after the update ---------------------------------------------------------------------------
 */

/* The first maxima of a cell, sent for when its row begins: they are there when it ends. */
constexpr int AHEAD = 4;
typedef struct maxima {
  R held[AHEAD];
} maxima;

__device__ __forceinline__ R load_now(const float *p) {
  float v;
  asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(p));
  return (R)v;
}
__device__ __forceinline__ R load_now(const double *p) {
  double v;
  asm volatile("ld.global.f64 %0, [%1];" : "=d"(v) : "l"(p));
  return (R)v;
}

__device__ __forceinline__ maxima send_for_maxima(const swg_args &a, int at) {
  maxima m;
#pragma unroll
  for (int t = 0; t < AHEAD; t++)
    m.held[t] = t < a.v.n_track ? load_now((const R *)a.v.track[t].max + at) : (R)0;
  return m;
}

/* Of a cell what track t keeps the maximum of, in the array at `max`, which is at least `before`.
 */
template <int NT>
__device__ __forceinline__ void keep_maximum(const swg_track &track, R *max, R before,
                                             const stored<NT> &n, R inv) {
  R v = n.s.h;
  if (track.field == SW_LEVEL_FIELD) v = n.s.h + n.z;
  if (track.field == SW_SPEED)
    v = RIA_K(ria_over)(RIA_K(ria_root)(n.s.qx * n.s.qx + n.s.qy * n.s.qy), n.s.h);
#pragma unroll
  for (int m = 0; m < NT; m++)
    if (track.field == SW_CONC && track.tracer == m)
      v = RIA_K(ria_ratio)(tracer_of<NT>(n, m), n.s.h, inv);
  if (v > before) *max = v;
}

/* The first ones one by one: an array that is not indexed by constants alone would lie in memory,
 * and be waited for where it is sent for. */
template <int NT>
__device__ __forceinline__ void keep_maxima(const swg_args &a, int at, bool mine,
                                            const stored<NT> &n, const maxima &ahead) {
  if (!mine || !(n.s.h > a.k.dry)) return;
  const R inv = RIA_K(ria_inv)(n.s.h);
#pragma unroll
  for (int t = 0; t < AHEAD; t++)
    if (t < a.v.n_track)
      keep_maximum<NT>(a.v.track[t], (R *)a.v.track[t].max + at, ahead.held[t], n, inv);
#pragma unroll 1
  for (int t = AHEAD; t < a.v.n_track; t++) {
    R *max = (R *)a.v.track[t].max + at;
    keep_maximum<NT>(a.v.track[t], max, *max, n, inv);
  }
}

/* First-order decay over the step, in water only; lost: what a lane has lost so far. */
template <int NT>
__device__ __forceinline__ stored<NT> decay(const swg_args &a, stored<NT> n, double *lost) {
#pragma unroll
  for (int m = 0; m < NT; m++) {
    if (!(a.v.decay[m] > 0)) continue;
    const R held = tracer_of<NT>(n, m);
    const R left = held * (n.s.h > a.k.dry ? (R)a.v.clock->keep[m] : (R)1);
    lost[m] += (double)held - (double)left;
    if (m == 0)
      n.s.hc = left;
    else
      n.more[m > 0 ? m - 1 : 0] = left;
  }
  return n;
}

/* What the lanes lost goes to the tile's account. */
template <int NT>
__device__ __forceinline__ void enter_decay(const swg_args &a, int tile, int lane, bool mine,
                                            const double *lost) {
#pragma unroll
  for (int m = 0; m < NT; m++) {
    double sum = mine ? lost[m] : 0.0;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(ALL, sum, d);
    if (lane == 0) a.v.decayed[(size_t)tile * NT + m] += sum;
  }
}

/* --- a tile -------------------------------------------------------------------------------------
 */

/* What a lane has seen of the state it writes. Bit patterns are compared as numbers without sign:
 * whatever is negative or no number is larger than all that may be. Of a double the upper half
 * will do. */
typedef struct sight {
  R speed;
  int row;
  unsigned deep, big; /* the greatest depth; the greatest sum of a cell's amounts */
} sight;

__device__ __forceinline__ unsigned pattern(float v) { return __float_as_uint(v); }
__device__ __forceinline__ unsigned pattern(double v) { return (unsigned)__double2hiint(v); }

/* A walk north over a tile. PLAIN: no side of the domain runs through it, so that no rim is met and
 * no row or column beyond read, and nothing is rare; the walk that nearly all the time goes to.
 * FORCED: rotation and wind act. */
template <int NT, bool PLAIN, bool FORCED> struct walk {
  const swg_args &a;
  ring<NT> &next;
  const int tile, lane, i; /* i: of this lane */
  const bool mine;         /* the cell is the tile's own, not a neighbour's */
  const bool ends;         /* the western or eastern side runs through the tile */
  const bool walled;       /* where the domain ends in the tile it ends in walls */
  const int highest;       /* element that may be read */
  const double dt;
  const R dtdx, dtdy, gdt;
  R drag;
  int at; /* element of the row worked on */
  stored<NT> raw;
  ready_cell<NT> here;
  crossing<NT> south;
  sight seen;
  double lost[NT > 0 ? NT : 1]; /* to decay */

  __device__ __forceinline__ walk(const swg_args &a, ring<NT> &next, int tx, int tile, int lane)
      : a(a), next(next), tile(tile), lane(lane), i(tx * SWG_COLUMNS - 1 + lane),
        mine(lane > 0 && lane <= SWG_COLUMNS && (PLAIN || i < a.v.nx)),
        ends(tx == 0 || (tx + 1) * SWG_COLUMNS >= a.v.nx), walled(PLAIN || !a.v.always[tile]),
        highest((a.v.ny - 1) * a.v.stride + column()), dt(a.v.clock->beat.dt),
        dtdx((R)(dt / a.v.dx)), dtdy((R)(dt / a.v.dy)), gdt((R)(a.v.p.gravity * dt)) {}

  __device__ __forceinline__ int column() const { return PLAIN ? i : min(max(i, 0), a.v.nx - 1); }
  __device__ __forceinline__ int rows_on(int n) const {
    return PLAIN ? at + n * a.v.stride : min(at + n * a.v.stride, highest);
  }

  __device__ __forceinline__ void begin(int j0, int j1) {
    at = j0 * a.v.stride + column();
    send_for<NT>(a, next, 1, lane, rows_on(1));
    send_for<NT>(a, next, 2, lane, rows_on(2));
    raw = load<NT>(a, at);
    here = ready<NT>(raw, a.k);
    south = crossing<NT>();
    seen = sight();
    for (int m = 0; m < NT; m++) lost[m] = 0;
    const int i0 = i - lane + 1;
    if (!PLAIN && !walled)
      rim_edges<NT, FORCED>(a, i0, min(i0 + SWG_COLUMNS, a.v.nx), j0, j1, lane, dtdx, dtdy);
    drag = gdt * (R)a.v.p.manning * (R)a.v.p.manning;
    if (PLAIN || j0 > 0)
      south = edge_south<NT, PLAIN, FORCED>(a, ready<NT>(load<NT>(a, at - a.v.stride), a.k), here,
                                            dtdy, dt);
    else
      south = end(RIA_SOUTH, i, mine, south);
  }

  /* The edge of the k-th cell of a side, in the lanes that are on it. */
  __device__ __forceinline__ crossing<NT> end(int side, int k, bool on,
                                              const crossing<NT> &e) const {
    return walled ? wall_edge<NT>(side, on, here, e) : end_edge<NT>(a, side, k, on, e);
  }

  /* n: of the row within the tile, or that turned round by four. */
  __device__ __forceinline__ void row(int j, int n) {
    const stored<NT> ahead = receive<NT>(next, (n + 1) & 3, lane);
    send_for<NT>(a, next, (n + 3) & 3, lane, rows_on(3));
    const maxima maxima_of_row = PLAIN || !a.v.n_track ? maxima() : send_for_maxima(a, at);
    const ready_cell<NT> north = ready<NT>(ahead, a.k);
    crossing<NT> xe, yn;
    edges<NT, PLAIN, FORCED>(a, here, from_east<NT>(here), north, dtdx, dtdy, dt, &xe, &yn);
    crossing<NT> xw = from_west<NT>(xe);
    if (!PLAIN) {
      if (ends) {
        xw = end(RIA_WEST, j, mine && i == 0, xw);
        xe = end(RIA_EAST, j, mine && i == a.v.nx - 1, xe);
      }
      if (j == a.v.ny - 1) yn = end(RIA_NORTH, i, mine, yn);
      if (a.manning) {
        const R n = a.manning[at];
        drag = gdt * n * n;
      }
    }
    update(j, xe, xw, yn, maxima_of_row);
    raw = ahead;
    here = north;
    south = yn;
    at += a.v.stride;
  }

  __device__ __forceinline__ void update(int j, const crossing<NT> &xe, const crossing<NT> &xw,
                                         const crossing<NT> &yn, const maxima &before) {
    R qx = raw.s.qx - (dtdx * (xe.left - xw.right) + (yn.side - south.side));
    R qy = raw.s.qy - ((xe.side - xw.side) + dtdy * (yn.left - south.right));
    if (FORCED) RIA_K(sw_turn)(raw.s.qx, raw.s.qy, &qx, &qy, (R)0.5 * a.forces.turn * (R)dt);
    const RIA_K(sw_cell) c =
        RIA_K(sw_update)(raw.s.h - ((xe.h - xw.h) + (yn.h - south.h)), qx, qy, drag, &a.k);
    stored<NT> n;
    n.s.h = c.h;
    n.s.qx = c.qx;
    n.s.qy = c.qy;
    n.s.hc = 0;
    n.z = raw.z;
    R sum = c.h + (RIA_K(sw_abs)(c.qx) + RIA_K(sw_abs)(c.qy));
#pragma unroll
    for (int m = 0; m < NT; m++) {
      const R hc = tracer_of<NT>(raw, m) - ((xe.c[m] - xw.c[m]) + (yn.c[m] - south.c[m]));
      sum += RIA_K(sw_abs)(hc);
      if (m == 0)
        n.s.hc = hc;
      else
        n.more[m > 0 ? m - 1 : 0] = hc;
    }
    if (!PLAIN && NT > 0 && a.v.decays) n = decay<NT>(a, n, lost);
    if (!PLAIN && a.v.n_track) keep_maxima<NT>(a, at, mine, n, before);
    if (mine) {
      store4(a.now + at, n.s);
#pragma unroll
      for (int m = 1; m < NT; m++) a.new_more[(m - 1) * a.v.plane + at] = n.more[m - 1];
    }
    seen.deep = max(seen.deep, pattern(c.h));
    seen.big = max(seen.big, pattern(sum));
    if (c.speed > seen.speed) {
      seen.speed = c.speed;
      seen.row = j;
    }
  }
};

/* Step a tile. Its rows are even: a plain walk goes by twos, which spares moving what one row hands
 * to the next. */
template <int NT, bool PLAIN, bool FORCED>
__device__ __forceinline__ sight march(const swg_args &a, ring<NT> &next, int tx, int tile,
                                       rows_of_tile rows, int lane) {
  const int j0 = rows.begin, j1 = rows.end;
  walk<NT, PLAIN, FORCED> w(a, next, tx, tile, lane);
  w.begin(j0, j1);
  if (PLAIN) {
#pragma unroll 1
    for (int j = j0, turn = 0; j < j1; j += 2, turn ^= 2) {
      w.row(j, turn);
      w.row(j + 1, turn + 1);
    }
  } else {
#pragma unroll 1
    for (int j = j0; j < j1; j++) w.row(j, j - j0);
    if (NT > 0 && a.v.decays) enter_decay<NT>(a, w.tile, lane, w.mine, w.lost);
  }
  return w.mine ? w.seen : sight();
}

/* The order of speeds, with the first cell of equals in front. */
__device__ __forceinline__ unsigned long long place(R speed, int cell) {
  return (unsigned long long)__float_as_uint(__double2float_rz((double)speed)) << 32 |
         (0xffffffffu - (unsigned)cell);
}
__device__ __forceinline__ unsigned long long bits_of(R speed) {
  return (unsigned long long)__double_as_longlong((double)speed);
}

__device__ __forceinline__ unsigned long long most_of_warp(unsigned long long v) {
  for (int d = 16; d > 0; d /= 2) {
    const unsigned long long other = __shfl_xor_sync(ALL, v, d);
    v = other > v ? other : v;
  }
  return v;
}

/* --- the clock, when nothing but the flow drives it ----------------------------------------------
 *
 * With walls alone around and no sources the next step follows from the largest speed, and the last
 * warp of a step sees to it; else shallow_water_tick.cuh does. */

/* The speed that forcing asks for, and the cell it does so in; -1 = none. */
typedef struct fastest {
  double speed;
  int32_t cell;
} fastest;

/* The step just done counts, unless it is bad. */
__device__ __forceinline__ void settle(swg_beat *b, int bad) {
  b->failure = bad ? 1 : b->failure;
  b->done |= bad;
  if (bad) return;
  b->steps++;
  b->todo--;
  b->t = b->last ? b->t_stop : b->t + b->dt;
}

__device__ __forceinline__ void know(swg_beat *b, unsigned long long speed,
                                     unsigned long long where) {
  b->speed = __longlong_as_double((long long)speed);
  b->speed_cell = where ? (int32_t)(0xffffffffu - (unsigned)where) : -1;
}

__device__ __forceinline__ bool is_over(const swg_beat *b) {
  return b->done || b->todo <= 0 || !(b->t_stop > b->t);
}

/* Why the shortest stable step so far is so short. */
__device__ __forceinline__ void explain(const swg_view *v, const vec4 *present, swg_beat b,
                                        fastest forced) {
  swg_clock *c = v->clock;
  const bool by_forcing = forced.speed > b.speed && forced.cell >= 0;
  const int32_t cell = by_forcing ? forced.cell : b.speed_cell;
  c->dt_min_t = b.t;
  c->dt_min_cell = cell < 0 ? 0 : cell;
  c->limit = by_forcing ? SW_LIMIT_FORCING : cell < 0 ? SW_LIMIT_OTHER : SW_LIMIT_FLOW;
  if (c->limit != SW_LIMIT_FLOW) return;
  const volatile vec4 *s = present + (cell / v->nx * v->stride + cell % v->nx);
  const double h = (double)s->h;
  c->min_depth = h;
  c->min_speed = h > 0 ? hypot((double)s->qx, (double)s->qy) / h : 0.0;
  c->min_celerity = sqrt(v->p.gravity * h);
}

/* The next step, or none. */
__device__ __forceinline__ void choose(const swg_view *v, const vec4 *present, swg_beat *b,
                                       fastest forced) {
  const double left = b->t_stop - b->t;
  const double dt =
      sw_stable_step(&v->pace, forced.speed > b->speed ? forced.speed : b->speed, left);
  if (dt < b->dt_min) {
    b->dt_min = dt;
    explain(v, present, *b, forced);
  }
  if (!(dt >= v->p.dt_min) || !(dt > 0)) {
    b->failure = 2;
    v->clock->short_dt = dt;
    b->done = 1;
    return;
  }
  b->dt = sw_landing_step(dt, left, &b->last);
}

/* By a warp: what a step of dt leaves of tracers that decay. */
__device__ __forceinline__ void keep_by(const swg_view *v, double dt, int lane) {
  if (v->decays && lane < v->nt)
    v->clock->keep[lane] = v->decay[lane] > 0 ? exp(-v->decay[lane] * dt) : 1.0;
}

/* One warp, after a step to `present`; lane 0 learns whether the span goes on. */
__device__ __forceinline__ bool tick_alone(const swg_view *v, const vec4 *present, int lane) {
  swg_clock *c = v->clock;
  swg_beat b = c->beat; /* as it was before the step: nobody else writes it */
  const int bad = __ldcg(&c->bad);
  unsigned long long speed = 0, where = 0;
#pragma unroll
  for (int k = 0; k < SWG_SLOTS; k += 32) {
    const unsigned long long s = __ldcg(&c->found[k + lane]), w = __ldcg(&c->where[k + lane]);
    speed = s > speed ? s : speed;
    where = w > where ? w : where;
  }
#pragma unroll
  for (int k = 0; k < SWG_SLOTS; k += 32) {
    c->found[k + lane] = c->where[k + lane] = 0;
    c->arrived[k + lane] = 0;
  }
  speed = most_of_warp(speed);
  where = most_of_warp(where);
  if (lane == 0) {
    c->slots = 0;
    know(&b, speed, where);
    settle(&b, bad);
    b.done = is_over(&b);
    if (!b.done) choose(v, present, &b, fastest{0.0, -1});
    c->beat = b;
  }
  keep_by(v, __shfl_sync(ALL, b.dt, 0), lane);
  return !b.done;
}

/* All lanes: is this the last warp of the step? What the others wrote is there to be read then.
 * Warps of a large grid count by slots first: at one place they would queue. */
__device__ __forceinline__ bool last_warp(swg_clock *c, int tile, int tiles, int lane) {
  int last = 0;
  __syncwarp(); /* what all lanes wrote comes before lane 0's fence */
  if (lane == 0) {
    const int slots = tiles < SWG_FEW ? 1 : SWG_SLOTS, slot = tile % slots;
    const int members = tiles / slots + (slot < tiles % slots);
    __threadfence();
    last = atomicAdd(&c->arrived[slot], 1) == members - 1;
    if (last && slots > 1) {
      __threadfence();
      last = atomicAdd(&c->slots, 1) == slots - 1;
    }
    if (last) __threadfence();
  }
  __syncwarp();
  return __shfl_sync(ALL, last, 0);
}

/* --- the kernel ---------------------------------------------------------------------------------
 */

/* Warps that a multiprocessor must hold at once: as many as registers allow without spilling much.
 */
constexpr int warps_of(int nt) {
  return sizeof(R) == 8 ? (nt < 3 ? 12 : 8) : nt < 2 ? 24 : nt < 4 ? 20 : nt < 6 ? 16 : 12;
}

template <int NT, bool FORCED>
__global__ void __launch_bounds__(32 * SWG_WARPS, warps_of(NT) / SWG_WARPS)
    swg_step(const __grid_constant__ swg_args a, cudaGraphConditionalHandle loop, int closes) {
  __shared__ ring<NT> rings[SWG_WARPS];
  swg_clock *clock = a.v.clock;
  wait_for_kernel_before();
  const int lane = threadIdx.x;
  const int tile = (a.v.skip_dry ? a.v.order[blockIdx.x] : blockIdx.x) * SWG_WARPS + threadIdx.y;
  const int tiles = a.v.tiles_x * a.v.tiles_y;
  if (tile >= tiles) return;
  const int tx = tile % a.v.tiles_x, ty = tile / a.v.tiles_x;
  const rows_of_tile rows = rows_of(a.v, ty);
  const bool active = !a.v.skip_dry || tile_active(a, tx, ty, lane);
  if (clock->beat.done) {
    if (closes && a.v.alone && tile == 0 && lane == 0) cudaGraphSetConditional(loop, 0);
    return;
  }
  if (!active) {
    rest<NT>(a, tx, tile, rows, lane);
  } else {
    const bool plain =
        !a.rare && tx > 0 && (tx + 1) * SWG_COLUMNS < a.v.nx && ty > 0 && rows.end + 2 < a.v.ny;
    ring<NT> &ring_of_warp = rings[threadIdx.y];
    const sight seen = plain ? march<NT, true, FORCED>(a, ring_of_warp, tx, tile, rows, lane)
                             : march<NT, false, FORCED>(a, ring_of_warp, tx, tile, rows, lane);
    const unsigned wrong = pattern((R)1e30);
    const int wet = __any_sync(ALL, seen.deep >= pattern(a.k.dry) && seen.deep > 0);
    const int bad = __any_sync(ALL, seen.deep >= wrong || seen.big >= wrong);
    const int cell = seen.row * a.v.nx + tx * SWG_COLUMNS - 1 + lane;
    const unsigned long long where = most_of_warp(seen.speed > 0 ? place(seen.speed, cell) : 0);
    const unsigned long long speed = most_of_warp(bits_of(seen.speed));
    if (lane == 0) {
      a.wet_new[tile] = (uint8_t)wet;
      a.v.same[tile] = 0;
      atomicMax(&clock->where[tile % SWG_SLOTS], where);
      atomicMax(&clock->found[tile % SWG_SLOTS], speed);
      if (bad) clock->bad = 1;
    }
  }
  if (!a.v.alone || !last_warp(clock, tile, tiles, lane)) return;
  const bool go = tick_alone(&a.v, a.now, lane);
  if (closes && lane == 0) cudaGraphSetConditional(loop, go);
}

int resident(int nt) { return warps_of(nt); }

swg_args swg_args_of(const swg_view *v, int old) {
  swg_args a;
  a.v = *v;
  a.k = RIA_K(sw_constants)(v->p.gravity, v->p.dry_depth, v->dx, v->dy);
  a.forces = RIA_K(sw_forces_of)(v->turn, v->wind, v->p.wind_depth, v->dx, v->dy, v->p.gravity);
  a.old = (const vec4 *)v->state[old];
  a.now = (vec4 *)v->state[1 - old];
  a.old_more = (const R *)v->more[old];
  a.new_more = (R *)v->more[1 - old];
  a.bed = (const R *)v->bed;
  a.manning = (const R *)v->manning;
  a.wet_old = v->wet[old];
  a.wet_new = v->wet[1 - old];
  a.short_ways = v->short_ways;
  a.rare = v->manning || v->diffuses || v->decays || v->n_track;
  return a;
}

cudaError_t launch_step(const swg_view *v, int old, cudaGraphConditionalHandle loop, int closes,
                        cudaStream_t stream) {
  const swg_args a = swg_args_of(v, old);
  cudaLaunchAttribute early = early_launch();
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3((unsigned)swg_blocks_of(v));
  config.blockDim = dim3(32, SWG_WARPS);
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = v->overlap ? 1 : 0;
  switch (v->nt) {
#define VARIANT(NT)                                                                                \
  case NT:                                                                                         \
    return v->forced ? cudaLaunchKernelEx(&config, swg_step<NT, true>, a, loop, closes)            \
                     : cudaLaunchKernelEx(&config, swg_step<NT, false>, a, loop, closes);
    VARIANT(0)
    VARIANT(1)
    VARIANT(2)
    VARIANT(3)
    VARIANT(4)
    VARIANT(5)
    VARIANT(6)
    VARIANT(7)
    VARIANT(8)
#undef VARIANT
  }
  return cudaErrorInvalidValue; /* more tracers than there may be */
}

enum { SWG_ARRANGE = 1024, SWG_LOADS = SWG_WARPS + 1 }; /* threads; so many tiles of a block */

/* How many tiles from `tile` on will be stepped: forcing acts there, or they or one beside them
 * hold water. */
__device__ __forceinline__ int count_active(const swg_args &a, int tile, int end) {
  int n = 0;
  for (; tile < end; tile++) {
    const int tx = tile % a.v.tiles_x, ty = tile / a.v.tiles_x;
    bool active = a.v.always[tile];
    for (int y = max(ty - 1, 0); y <= min(ty + 1, a.v.tiles_y - 1); y++)
      for (int x = max(tx - 1, 0); x <= min(tx + 1, a.v.tiles_x - 1); x++)
        active |= a.wet_old[y * a.v.tiles_x + x];
    n += active;
  }
  return n;
}

/* Blocks with active tiles in front, those of equal load in the order in which they lie (neighbours
 * find in the cache what they share); dry ones fill in at the end. Where all begin at once, those
 * with more active tiles come before those with fewer: they are dealt out to the multiprocessors as
 * they come, and each gets as many. Where they begin one after another that would leave tall tiles
 * for the end, as long as any. By one block; a thread sees to a run of blocks of the step. */
__global__ void __launch_bounds__(SWG_ARRANGE) swg_arrange(const __grid_constant__ swg_args a) {
  __shared__ int of_warp[SWG_LOADS][SWG_ARRANGE / 32];
  const int tiles = a.v.tiles_x * a.v.tiles_y, blocks = (tiles + SWG_WARPS - 1) / SWG_WARPS;
  const int each = (blocks + SWG_ARRANGE - 1) / SWG_ARRANGE;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int begin = min((int)threadIdx.x * each, blocks), end = min(begin + each, blocks);
  const auto load_of_block = [&](int b) {
    const int n = count_active(a, b * SWG_WARPS, min((b + 1) * SWG_WARPS, tiles));
    return a.v.held || n == 0 ? n : SWG_WARPS;
  };
  int n[SWG_LOADS] = {}, at[SWG_LOADS];
  for (int b = begin; b < end; b++) {
    const int load = load_of_block(b);
#pragma unroll
    for (int k = 0; k < SWG_LOADS; k++) n[k] += load == k;
  }
#pragma unroll
  for (int k = 0; k < SWG_LOADS; k++) {
    int sum = n[k]; /* of the warp's threads up to this one */
    for (int d = 1; d < 32; d *= 2) {
      const int other = __shfl_up_sync(ALL, sum, d);
      if (lane >= d) sum += other;
    }
    if (lane == 31) of_warp[k][warp] = sum;
    at[k] = sum - n[k];
  }
  __syncthreads();
  int front = 0; /* blocks of more load */
#pragma unroll
  for (int k = SWG_LOADS - 1; k >= 0; k--) {
    at[k] += front;
    for (int w = 0; w < SWG_ARRANGE / 32; w++) {
      at[k] += w < warp ? of_warp[k][w] : 0;
      front += of_warp[k][w];
    }
  }
  for (int b = begin; b < end; b++) {
    const int load = load_of_block(b);
#pragma unroll
    for (int k = 0; k < SWG_LOADS; k++)
      if (load == k) a.v.order[at[k]++] = b;
  }
}

cudaError_t arrange(const swg_view *v, int now, cudaStream_t stream) {
  swg_arrange<<<1, SWG_ARRANGE, 0, stream>>>(swg_args_of(v, now));
  return cudaGetLastError();
}

} // namespace
