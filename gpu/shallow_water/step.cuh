/* step.cuh - the time step on CUDA, for one precision (RIA_PRECISION).
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
#include "machine/follow.cuh"

namespace {

/* --- tiles ------------------------------------------------------------------------------------ */

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

/* --- after the update ------------------------------------------------------------------------- */

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
__device__ __forceinline__ void keep_maximum(const ria_plane_track &track, R *max, R before,
                                             const stored<NT> &n, R inv) {
  R v = sw_enters(track.field, n.s.h, n.s.qx, n.s.qy, n.z);
#pragma unroll
  for (int m = 0; m < NT; m++)
    if (track.field == WATER_CONC && track.tracer == m)
      v = sw_concentration(tracer_of<NT>(n, m), n.s.h, inv);
  if (v > before) *max = v;
}

/* The first ones one by one: an array that is not indexed by constants alone would lie in memory,
 * and be waited for where it is sent for. */
template <int NT>
__device__ __forceinline__ void keep_maxima(const swg_args &a, int at, bool mine,
                                            const stored<NT> &n, const maxima &ahead) {
  if (!mine || !(n.s.h > a.k.dry)) return;
  const R inv = ria_inv(n.s.h);
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
    const R left = sw_decayed(held, n.s.h, (R)a.v.clock->keep[m], &a.k);
    lost[m] += (double)held - (double)left;
    if (m == 0)
      n.s.hc = left;
    else
      n.more[m > 0 ? m - 1 : 0] = left;
  }
  return n;
}

/* What the lanes lost goes to the tile's account: so where tiles lie shows in the last place of
 * what decayed. Summed by rows it would not, for some 18 instructions a row and tracer (5 % of a
 * step, estimated). */
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

/* --- a tile ----------------------------------------------------------------------------------- */

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

/* What a walk over a tile has to look out for. One that looks out for less is faster, by up to two
 * fifths, and where all tiles are held at once a step takes as long as the slowest. */
enum way {
  PLAIN,  /* no side of the domain runs through it, nothing is rare */
  WALLED, /* the same but for walls, where a side of the domain runs through it */
  ANY     /* whatever there may be */
};

/* A walk north over a tile. FORCED: rotation and wind act. */
template <int NT, way WAY, bool FORCED> struct walk {
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
        mine(lane > 0 && lane <= SWG_COLUMNS && (WAY == PLAIN || i < a.v.nx)),
        ends(tx == 0 || (tx + 1) * SWG_COLUMNS >= a.v.nx), walled(WAY != ANY || !a.v.always[tile]),
        highest((a.v.ny - 1) * a.v.stride + column()), dt(a.v.clock->beat.dt),
        dtdx((R)(dt / a.v.dx)), dtdy((R)(dt / a.v.dy)), gdt((R)(a.v.p.gravity * dt)) {}

  __device__ __forceinline__ int column() const {
    return WAY == PLAIN ? i : min(max(i, 0), a.v.nx - 1);
  }
  __device__ __forceinline__ int rows_on(int n) const {
    return WAY == PLAIN ? at + n * a.v.stride : min(at + n * a.v.stride, highest);
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
    if (WAY == ANY && !walled)
      rim_edges<NT, FORCED>(a, i0, min(i0 + SWG_COLUMNS, a.v.nx), j0, j1, lane, dtdx, dtdy);
    drag = gdt * (R)a.v.p.manning * (R)a.v.p.manning;
    if (WAY == PLAIN || j0 > 0)
      south = edge_south<NT, WAY != ANY, FORCED>(a, ready<NT>(load<NT>(a, at - a.v.stride), a.k),
                                                 here, dtdy, dt);
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
    const maxima maxima_of_row = WAY != ANY || !a.v.n_track ? maxima() : send_for_maxima(a, at);
    const ready_cell<NT> north = ready<NT>(ahead, a.k);
    crossing<NT> xe, yn;
    edges<NT, WAY != ANY, FORCED>(a, here, from_east<NT>(here), north, dtdx, dtdy, dt, &xe, &yn);
    crossing<NT> xw = from_west<NT>(xe);
    if (WAY == WALLED || (WAY == ANY && ends)) {
      xw = end(RIA_WEST, j, mine && i == 0, xw);
      xe = end(RIA_EAST, j, mine && i == a.v.nx - 1, xe);
    }
    if (WAY != PLAIN && j == a.v.ny - 1) yn = end(RIA_NORTH, i, mine, yn);
    if (WAY == ANY && a.manning) {
      const R n = a.manning[at];
      drag = gdt * n * n;
    }
    update(j, xe, xw, yn, maxima_of_row);
    raw = ahead;
    here = north;
    south = yn;
    at += a.v.stride;
  }

  __device__ __forceinline__ void update(int j, const crossing<NT> &xe, const crossing<NT> &xw,
                                         const crossing<NT> &yn, const maxima &before) {
    R qx = sw_push_x(raw.s.qx, xw.right, xe.left, south.side, yn.side, dtdx);
    R qy = sw_push_y(raw.s.qy, xw.side, xe.side, south.right, yn.left, dtdy);
    if (FORCED) sw_turn(raw.s.qx, raw.s.qy, &qx, &qy, (R)0.5 * a.forces.turn * (R)dt);
    const sw_cell c = sw_update(sw_left(raw.s.h, xw.h, xe.h, south.h, yn.h), qx, qy, drag, &a.k);
    stored<NT> n;
    n.s.h = c.h;
    n.s.qx = c.qx;
    n.s.qy = c.qy;
    n.s.hc = 0;
    n.z = raw.z;
    R sum = c.h + (ria_abs(c.qx) + ria_abs(c.qy));
#pragma unroll
    for (int m = 0; m < NT; m++) {
      const R hc = sw_left(tracer_of<NT>(raw, m), xw.c[m], xe.c[m], south.c[m], yn.c[m]);
      sum += ria_abs(hc);
      if (m == 0)
        n.s.hc = hc;
      else
        n.more[m > 0 ? m - 1 : 0] = hc;
    }
    if (WAY == ANY && NT > 0 && a.v.decays) n = decay<NT>(a, n, lost);
    if (WAY == ANY && a.v.n_track) keep_maxima<NT>(a, at, mine, n, before);
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

/* Step a tile. Two rows a turn spare moving what one row hands to the next; where anything may be
 * met that is not worth twice the code. Only the last tile row may have an odd number of rows. */
template <int NT, way WAY, bool FORCED>
__device__ __forceinline__ sight march(const swg_args &a, ring<NT> &next, int tx, int tile,
                                       rows_of_tile rows, int lane) {
  const int j0 = rows.begin, j1 = rows.end;
  walk<NT, WAY, FORCED> w(a, next, tx, tile, lane);
  w.begin(j0, j1);
  if (WAY == ANY) {
#pragma unroll 1
    for (int j = j0; j < j1; j++) w.row(j, j - j0);
    if (NT > 0 && a.v.decays) enter_decay<NT>(a, w.tile, lane, w.mine, w.lost);
  } else {
#pragma unroll 1
    for (int j = j0, turn = 0; j < j1; j += 2, turn ^= 2) {
      w.row(j, turn);
      if (WAY == WALLED && j + 1 == j1) break;
      w.row(j + 1, turn + 1);
    }
  }
  return w.mine ? w.seen : sight();
}

/* --- the kernel ------------------------------------------------------------------------------- */

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
  const int over = clock->beat.done;
  const int block = a.v.skip_dry ? a.v.order[blockIdx.x] : blockIdx.x;
  const int lane = threadIdx.x, tile = block * SWG_WARPS + threadIdx.y;
  if (over) {
    if (closes && a.v.alone && tile == 0 && lane == 0) cudaGraphSetConditional(loop, 0);
    return;
  }
  const int tiles = a.v.tiles_x * a.v.tiles_y;
  if (tile >= tiles) return;
  const int tx = tile % a.v.tiles_x, ty = tile / a.v.tiles_x;
  const rows_of_tile rows = rows_of(a.v, ty);
  const bool active = !a.v.skip_dry || tile_active(a, tx, ty, lane);
  if (!active) {
    rest<NT>(a, tx, tile, rows, lane);
  } else {
    const bool inside =
        tx > 0 && (tx + 1) * SWG_COLUMNS < a.v.nx && ty > 0 && rows.end + 2 < a.v.ny;
    ring<NT> &ring_of_warp = rings[threadIdx.y];
    sight seen;
    if (!a.rare && inside)
      seen = march<NT, PLAIN, FORCED>(a, ring_of_warp, tx, tile, rows, lane);
    else if (!a.rare && !a.v.always[tile])
      seen = march<NT, WALLED, FORCED>(a, ring_of_warp, tx, tile, rows, lane);
    else
      seen = march<NT, ANY, FORCED>(a, ring_of_warp, tx, tile, rows, lane);
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
  a.k = sw_constants(v->p.gravity, v->p.dry_depth, v->dx, v->dy);
  a.forces = sw_forces_of(v->turn, v->wind, v->p.wind_depth, v->dx, v->dy, v->p.gravity);
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

} // namespace
