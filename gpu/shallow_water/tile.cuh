/* tile.cuh - what walks over tiles share, of the steps at order 1 and 2, for one precision
 * (RIA_PRECISION): which rows a tile has and whether it is stepped, decay, maxima, what a walk
 * looks out for and what it leaves to the clock, the kernel around it and its launch. */
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
  return {begin, min(begin + b.rows, v.end)};
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
  const int i = tx * a.v.columns + lane;
  if (same || lane >= a.v.columns || i >= a.v.nx) return;
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
    const R left = sw_decayed(held, n.s.h, (R)a.v.report->keep[m], &a.k);
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
  ANY,    /* whatever there may be but eddies, at order 2 but diffusion */
  STIRRED /* these too */
};

/* The new state of the cell at `at` of row j, from what crossed its edges. RARE: there may be decay
 * and maxima; mine: of the tile's own, not a neighbour's. */
template <int NT, bool RARE, bool FORCED>
__device__ __forceinline__ void
finish_cell(const swg_args &a, int at, int j, const stored<NT> &raw, const crossing<NT> &xw,
            const crossing<NT> &xe, const crossing<NT> &ys, const crossing<NT> &yn, R drag, R dtdx,
            R dtdy, double dt, bool mine, const maxima &before, double *lost, sight *seen) {
  R qx = sw_push_x(raw.s.qx, xw.right, xe.left, ys.side, yn.side, dtdx);
  R qy = sw_push_y(raw.s.qy, xw.side, xe.side, ys.right, yn.left, dtdy);
  if (FORCED) sw_turn(raw.s.qx, raw.s.qy, &qx, &qy, (R)0.5 * a.forces.turn * (R)dt);
  const sw_cell c = sw_update(sw_left(raw.s.h, xw.h, xe.h, ys.h, yn.h), qx, qy, drag, &a.k);
  stored<NT> n;
  n.s.h = c.h;
  n.s.qx = c.qx;
  n.s.qy = c.qy;
  n.s.hc = 0;
  n.z = raw.z;
  R sum = c.h + (ria_abs(c.qx) + ria_abs(c.qy));
#pragma unroll
  for (int m = 0; m < NT; m++) {
    const R hc = sw_left(tracer_of<NT>(raw, m), xw.c[m], xe.c[m], ys.c[m], yn.c[m]);
    sum += ria_abs(hc);
    if (m == 0)
      n.s.hc = hc;
    else
      n.more[m > 0 ? m - 1 : 0] = hc;
  }
  if (RARE && NT > 0 && a.v.decays) n = decay<NT>(a, n, lost);
  if (RARE && a.v.n_track) keep_maxima<NT>(a, at, mine, n, before);
  if (mine) {
    store4(a.now + at, n.s);
#pragma unroll
    for (int m = 1; m < NT; m++) a.new_more[(m - 1) * a.v.plane + at] = n.more[m - 1];
  }
  seen->deep = max(seen->deep, pattern(c.h));
  seen->big = max(seen->big, pattern(sum));
  if (c.speed > seen->speed) {
    seen->speed = c.speed;
    seen->row = j;
  }
}

/* What the lanes saw, for the clock and for the step after this one. i: column of the lane. */
__device__ __forceinline__ void tell_seen(const swg_args &a, sight seen, int i, int tile,
                                          int lane) {
  swg_report *report = a.v.report;
  const unsigned wrong = pattern((R)1e30);
  const int wet = __any_sync(ALL, seen.deep >= pattern(a.k.dry) && seen.deep > 0);
  const int bad = __any_sync(ALL, seen.deep >= wrong || seen.big >= wrong);
  const int cell = seen.row * a.v.nx + i;
  const unsigned long long where = most_of_warp(seen.speed > 0 ? place(seen.speed, cell) : 0);
  const unsigned long long speed = most_of_warp(bits_of(seen.speed));
  if (lane == 0) {
    a.wet_new[tile] = (uint8_t)wet;
    a.v.same[tile] = 0;
    atomicMax(&report->where[tile % SWG_SLOTS], where);
    atomicMax(&report->found[tile % SWG_SLOTS], speed);
    if (bad) report->bad = 1;
  }
}

/* Of state[old] and the other. */
swg_args swg_args_of(const swg_view *v, int old) {
  swg_args a;
  a.v = *v;
  a.k = sw_constants(v->p.gravity, v->p.dry_depth, v->dx, v->dy);
  a.forces = sw_forces_of(v->turn, v->wind, v->p.wind_depth, v->dx, v->dy, v->p.gravity);
  a.second = sw_second_of(v->p.limiter);
  a.eddies = sw_eddies_of(&v->pace, v->p.smagorinsky, v->dx, v->dy, 1.0);
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

/* --- the kernel ------------------------------------------------------------------------------- */

/* A step: a tile a warp. M: how a warp marches over it, march_first or march_second: `columns` of a
 * tile, of its neighbours `beside` on either side, rows that it loads `ahead`, the ring that it
 * loads into, how many warps a multiprocessor must hold, and the march. STIRS: there are eddies, or
 * a tracer diffuses and M does that on the way STIRRED alone (`apart`). ABREAST: see abreast.cuh; a
 * kernel of its own, for asking costs 2 % of a step of 20 us. */
template <class M, int NT, bool FORCED, bool STIRS, bool ABREAST>
__global__ void __launch_bounds__(32 * SWG_WARPS, M::warps(NT) / SWG_WARPS)
    swg_step(const __grid_constant__ swg_args a, cudaGraphConditionalHandle loop, int closes) {
  __shared__ typename M::template ring_of_warp<NT> rings[SWG_WARPS];
  swg_report *report = a.v.report;
  if (!ABREAST || !a.v.alone) let_next_begin();
  wait_for_kernel_before_alone();
  const int over = report->clock.done;
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
    /* No cell that is worked out, be it the tile's own, lies on the rim. */
    const bool inside = tx > 0 && (tx + 1) * M::columns + (M::beside - 1) < a.v.nx &&
                        rows.begin >= M::beside && rows.end + M::ahead < a.v.ny;
    typename M::template ring_of_warp<NT> &next = rings[threadIdx.y];
    sight seen;
    if constexpr (STIRS)
      seen = M::template tile<NT, STIRRED, FORCED>(a, next, tx, tile, rows, lane);
    else if (!a.rare && inside)
      seen = M::template tile<NT, PLAIN, FORCED>(a, next, tx, tile, rows, lane);
    else if (!a.rare && !(a.v.always[tile] & SWG_FORCED))
      seen = M::template tile<NT, WALLED, FORCED>(a, next, tx, tile, rows, lane);
    else
      seen = M::template tile<NT, ANY, FORCED>(a, next, tx, tile, rows, lane);
    tell_seen(a, seen, tx * M::columns - M::beside + lane, tile, lane);
  }
  if (ABREAST && (rows.begin < a.v.begin + M::beside || rows.end > a.v.end - M::beside))
    send_rows_of_tile(&a, tx, rows.begin, rows.end, lane);
  if (!a.v.alone || !last_warp(report, tile, tiles, lane)) return;
  const bool go = ABREAST ? tick_abreast(&a, lane) : tick_alone(&a.v, a.now, lane);
  if (closes && lane == 0) cudaGraphSetConditional(loop, go);
}

template <class M>
cudaError_t launch_march(const swg_view *v, int old, cudaGraphConditionalHandle loop, int closes,
                         cudaStream_t stream) {
  const swg_args a = swg_args_of(v, old);
  cudaLaunchAttribute early = early_launch();
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3((unsigned)swg_blocks_of(v));
  config.blockDim = dim3(32, SWG_WARPS);
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = v->overlap ? 1 : 0;
  const bool stirs = v->pace.stirs || (M::apart && v->diffuses);
  switch (v->nt) {
#define QUEUE(...) cudaLaunchKernelEx(&config, swg_step<M, __VA_ARGS__>, a, loop, closes)
#define LAUNCH(NT, STIRS)                                                                          \
  v->abreast  ? v->forced ? QUEUE(NT, true, STIRS, true) : QUEUE(NT, false, STIRS, true)           \
   : v->forced ? QUEUE(NT, true, STIRS, false)                                                     \
              : QUEUE(NT, false, STIRS, false)
#define VARIANT(NT)                                                                                \
  case NT:                                                                                         \
    return stirs ? (LAUNCH(NT, true)) : (LAUNCH(NT, false));
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
#undef LAUNCH
#undef QUEUE
  }
  return cudaErrorInvalidValue; /* more tracers than there may be */
}

} // namespace
