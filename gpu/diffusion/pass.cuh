/* pass.cuh - several steps of diffusion in one pass over memory, for one precision.
 *
 * A warp has a tile: 32 V columns, V in each lane, by `rows` rows and T more on either side. It
 * marches north, one row at a time. Of each level (the state after l steps) it holds the last two
 * rows in registers; a new row of level l gives the row before of level l + 1, from that the row
 * before of level l + 2, and so on: T steps of a cell for one read and one write. Neighbours in x
 * are in the same lane or come by a shuffle from the next; rows of which they are needed were
 * complete a turn before, so that shuffles do not wait for the chain of levels. What the outermost
 * lanes lack spreads inwards by a column a level: HX columns on either side are worked out by the
 * neighbouring tile as well and only there kept.
 *
 * Tiles that touch quiet sides (diffusion.cuh) take the same way, with what lies beyond the plate
 * put in its place. Where another side is touched they take a second one, which has the rows in
 * shared memory and asks at each level what lies outside. All round alike. */

namespace {

enum { DFG_WARPS = 4 };

template <int T, int V> struct tile_shape {
  static constexpr int halo = (T + V - 1) / V * V, width = 32 * V, columns = width - 2 * halo;
};

/* 16 bytes in one transaction. */
__device__ __forceinline__ void load_16(float *to, const float *from) {
  const float4 v = __ldg((const float4 *)from);
  to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}
__device__ __forceinline__ void load_16(double *to, const double *from) {
  const double2 v = __ldg((const double2 *)from);
  to[0] = v.x, to[1] = v.y;
}
__device__ __forceinline__ void store_16(float *to, const float *from) {
  *(float4 *)to = make_float4(from[0], from[1], from[2], from[3]);
}
__device__ __forceinline__ void store_16(double *to, const double *from) {
  *(double2 *)to = make_double2(from[0], from[1]);
}

/* V numbers. */
template <int V> __device__ __forceinline__ void load_vector(R *to, const R *from) {
  constexpr int each = 16 / (int)sizeof(R);
#pragma unroll
  for (int c = 0; c < V; c += each) load_16(to + c, from + c);
}
/* From or to shared memory. */
template <int V> __device__ __forceinline__ void keep_vector(R *to, const R *from) {
#pragma unroll
  for (int c = 0; c < V; c++) to[c] = from[c];
}
template <int V> __device__ __forceinline__ void store_vector(R *to, const R *from) {
  constexpr int each = 16 / (int)sizeof(R);
#pragma unroll
  for (int c = 0; c < V; c += each) store_16(to + c, from + c);
}

__device__ __forceinline__ int wrapped(int k, int n) {
  const int m = k % n;
  return m < 0 ? m + n : m;
}

/* Where a warp's tile is. */
typedef struct place {
  int i0;     /* first column of this lane */
  int j0, j1; /* rows that are its own */
  int mine;   /* this lane's columns are its own */
} place;

/* The tile of a warp: its column of tiles and its rows. */
__device__ __forceinline__ int tile_of(const dfg_view *a, int warp, place *w) {
  const dfg_tiles *t = &a->tiles;
  const int strips = t->strip[0] ? 2 * t->across : 0, sides = t->sides * t->side_y;
  const int from = t->from + t->strip[0], to = t->to - t->strip[1];
  int column, rows = t->rows, k;
  if (warp < strips) {
    const bool south = warp < t->across;
    w->j0 = south ? t->from : to;
    w->j1 = south ? from : t->to;
    return warp % t->across;
  }
  warp -= strips;
  if (warp < sides) {
    column = warp % t->sides;
    if (column > 0) column += t->across - t->sides;
    rows = t->side_rows;
    k = warp / t->sides;
    w->j0 = from + k * rows;
  } else {
    warp -= sides;
    column = 1 + warp % (t->across - t->sides);
    k = warp / (t->across - t->sides);
    w->j0 = from + k * rows;
    if (k >= t->inner_y) {
      w->j0 = from + t->inner_y * rows + (k - t->inner_y) * t->late_rows;
      rows = t->late_rows;
    }
  }
  w->j1 = min(w->j0 + rows, to);
  return column;
}

/* --- tiles that no side touches, or quiet ones ------------------------------------------------ */

/* Where row j lies. Beyond the rows that a part's planes have, their last one is taken: nothing
 * that follows from it reaches the part. */
__device__ __forceinline__ int row_there(const dfg_view *a, int j) {
  const int ny = a->v.ny, more = a->beyond;
  if (!a->sides.wrap_y) return min(max(j, 0), ny - 1);
  if (!more) return wrapped(j, ny);
  return j < 0 ? max(j, -more) + ny + 2 * more : min(j, ny + more - 1);
}

template <int V>
__device__ __forceinline__ void load_beside(const dfg_view *a, const void *plane, int j, int i0,
                                            R *to) {
  const int nx = a->v.nx, row = row_there(a, j);
  const R *from = (const R *)plane + ria_gpu_at(&a->v, 0, row);
  if (a->sides.wrap_x) {
#pragma unroll
    for (int c = 0; c < V; c++) to[c] = from[wrapped(i0 + c, nx)];
  } else {
    load_vector<V>(to, from + min(i0, (int)a->v.stride - RIA_GPU_PAD - V));
  }
}

/* What a lane knows of the west and the east side: the bits of the columns that are at them. */
typedef struct columns {
  unsigned west, east, valid;
} columns;

template <int V> __device__ __forceinline__ columns columns_of(const dfg_view *a, const place *w) {
  columns k = {0, 0, 0};
#pragma unroll
  for (int c = 0; c < V; c++) {
    const int i = a->sides.wrap_x ? wrapped(w->i0 + c, a->v.nx) : w->i0 + c;
    if (i == 0 && !a->sides.wrap_x) k.west |= 1u << c;
    if (i == a->v.nx - 1 && !a->sides.wrap_x) k.east |= 1u << c;
    if (i >= 0 && i < a->v.nx) k.valid |= 1u << c;
  }
  return k;
}

/* At a side: beyond it lies what the cell beside it has itself; the plate's rows and columns may go
 * round. Cells beyond the plate are computed as well; no cell of the plate reads them. */
template <int T, int V, bool SOURCE, bool AT_SIDE>
__device__ __forceinline__ void march(const dfg_view *a, const place *w, R cx, R cy, R dt) {
  const ptrdiff_t stride = (ptrdiff_t)a->v.stride;
  const R *from = (const R *)a->u + (ria_gpu_at(&a->v, 0, 0) + (w->j0 - T) * stride + w->i0);
  const R *give = SOURCE ? (const R *)a->source + (from - (const R *)a->u) : NULL;
  R *to = (R *)a->next + (from - (const R *)a->u) - T * stride;
  const columns side = AT_SIDE ? columns_of<V>(a, w) : columns{0, 0, 0};
  const bool ends = AT_SIDE && !a->sides.wrap_y;
  R even[T][V], odd[T][V], ahead[2][V];
#pragma unroll
  for (int l = 0; l < T; l++)
#pragma unroll
    for (int c = 0; c < V; c++) even[l][c] = odd[l][c] = 0;
#pragma unroll
  for (int h = 0; h < 2; h++)
    AT_SIDE ? load_beside<V>(a, a->u, w->j0 - T + h, w->i0, ahead[h])
            : load_vector<V>(ahead[h], from + h * stride);
  from += 2 * stride;
  const int n = w->j1 - w->j0 + 2 * T;
  for (int k = 0; k < n; k += 2) {
#pragma unroll
    for (int h = 0; h < 2; h++) {
      const int j = w->j0 - T + k + h;
      R z[V];
#pragma unroll
      for (int c = 0; c < V; c++) z[c] = ahead[h][c];
      AT_SIDE ? load_beside<V>(a, a->u, j + 2, w->i0, ahead[h]) : load_vector<V>(ahead[h], from);
      from += stride;
#pragma unroll
      for (int l = 0; l < T; l++) {
        R *south = h ? odd[l] : even[l];
        const R *here = h ? even[l] : odd[l];
        const R west = __shfl_up_sync(0xffffffffu, here[V - 1], 1);
        const R east = __shfl_down_sync(0xffffffffu, here[0], 1);
        const bool south_end = ends && j - l - 1 == 0, north_end = ends && j - l == a->v.ny;
        R s[V], o[V];
        if (SOURCE)
          AT_SIDE ? load_beside<V>(a, a->source, j - l - 1, w->i0, s)
                  : load_vector<V>(s, give - (l + 1) * stride);
#pragma unroll
        for (int c = 0; c < V; c++) {
          R xw = c ? here[c - 1] : west, xe = c < V - 1 ? here[c + 1] : east;
          if (AT_SIDE && c == 0 && side.west) xw = here[c];
          if (AT_SIDE && side.east >> c & 1) xe = here[c];
          o[c] = df_step(here[c], xw, xe, south_end ? here[c] : south[c],
                         north_end ? here[c] : z[c], cx, cy);
          if (SOURCE) o[c] = df_give(o[c], s[c], dt);
        }
#pragma unroll
        for (int c = 0; c < V; c++) {
          south[c] = z[c];
          z[c] = o[c];
        }
      }
      if (k + h >= 2 * T && k + h < n && w->mine) store_vector<V>(to, z);
      to += stride;
      if (SOURCE) give += stride;
    }
  }
}

/* --- tiles at the sides ----------------------------------------------------------------------- */

/* The k-th cell of a side: its kind, and what lies outside (df_outside). */
__device__ __forceinline__ int outside_at(const dfg_view *a, int level, int side, int k, R *out) {
  const int owner = a->v.owner[a->v.first[side] + k];
  *out = (R)a->outside[level * a->per_level + owner];
  return a->v.stretch[owner].kind;
}

/* Counts from any level; one thread does a cell's in order. */
__device__ __forceinline__ void cross_at(const dfg_view *a, int side, int k, double amount) {
  ria_crossed *c = &a->v.crossed[a->v.first[side] + k];
  if (amount > 0)
    atomicAdd(&c->in, amount);
  else if (amount < 0)
    atomicAdd(&c->out, -amount);
}

/* What lies beyond a cell; counted when the cell is the tile's own. share: D dt / h^2. */
__device__ __forceinline__ R ghost_at(const dfg_view *a, int level, int side, int k, R u, R share,
                                      bool own) {
  R outside;
  const int kind = outside_at(a, level, side, k, &outside);
  const R ghost = df_ghost(kind, u, outside);
  if (own && (kind == DF_VALUE || kind == DF_FLUX))
    cross_at(a, side, k, (double)share * ((double)ghost - (double)u) * a->v.dx * a->v.dy);
  return ghost;
}

/* A fixed cell keeps its value. */
__device__ __forceinline__ R held_at(const dfg_view *a, int side, int k, R u, R o, bool own) {
  const int kind = a->v.stretch[a->v.owner[a->v.first[side] + k]].kind;
  if (kind != DF_FIXED) return o;
  if (own) cross_at(a, side, k, -((double)o - (double)u) * a->v.dx * a->v.dy);
  return u;
}

/* Its number on the sides in the west and the east. */
__device__ __forceinline__ int row_of_side(const dfg_view *a, int j) {
  if (!a->sides.wrap_y) return j;
  return a->beyond ? wrapped(j + a->base, a->around) - a->base : wrapped(j, a->v.ny);
}

/* V cells of a row of the southern or the northern side. South, here and north as they are in the
 * tile; west and east: of the first and the last of them. The tile by address: by value, what
 * crosses the sides was miscounted on a device (nvcc 13.0.88). */
template <int V>
__device__ __noinline__ void step_rim_row(const dfg_view *a, const place *w, const columns *k,
                                          int level, int j, const R *south, const R *here,
                                          const R *north, const R *ends, const R *give, R *out) {
  const int row = a->sides.wrap_y ? wrapped(j, a->v.ny) : j;
  const R cx = (R)(a->d * a->dt / (a->v.dx * a->v.dx)),
          cy = (R)(a->d * a->dt / (a->v.dy * a->v.dy));
#pragma unroll 1
  for (int c = 0; c < V; c++) {
    const int i = a->sides.wrap_x ? wrapped(w->i0 + c, a->v.nx) : w->i0 + c;
    const bool own = j >= w->j0 && j < w->j1 && w->mine && w->i0 + c < a->v.nx;
    const bool at_w = k->west >> c & 1, at_e = k->east >> c & 1;
    const bool at_s = row == 0, at_n = row == a->v.ny - 1;
    if (!(k->valid >> c & 1)) continue;
    const R u = here[c];
    R xw = c ? here[c - 1] : ends[0], xe = c < V - 1 ? here[c + 1] : ends[1], s = south[c],
      n = north[c];
    if (at_w) xw = ghost_at(a, level, RIA_WEST, row, u, cx, own);
    if (at_e) xe = ghost_at(a, level, RIA_EAST, row, u, cx, own);
    if (at_s) s = ghost_at(a, level, RIA_SOUTH, i, u, cy, own);
    if (at_n) n = ghost_at(a, level, RIA_NORTH, i, u, cy, own);
    R o = df_step(u, xw, xe, s, n, cx, cy);
    if (a->source) o = df_give(o, give[c], (R)a->dt);
    if (at_w) o = held_at(a, RIA_WEST, row, u, o, own);
    if (at_e) o = held_at(a, RIA_EAST, row, u, o, own);
    if (at_s) o = held_at(a, RIA_SOUTH, i, u, o, own);
    if (at_n) o = held_at(a, RIA_NORTH, i, u, o, own);
    out[c] = o;
  }
}

template <int V> __device__ __forceinline__ R column_of(const R *row, unsigned bits) {
  R v = row[0];
#pragma unroll
  for (int c = 1; c < V; c++) v = bits >> c & 1 ? row[c] : v;
  return v;
}

/* Row j of the next level: south, here, north are V cells of rows j - 1, j, j + 1. Beyond an
 * insulated side lies the cell's own value. */
template <int V, bool SOURCE>
__device__ __forceinline__ void step_beside(const dfg_view *a, const place *w, const columns *k,
                                            int level, int j, const R *south, const R *here,
                                            const R *north, R west, R east, R cx, R cy, R *out) {
  const int ny = a->v.ny, row = row_of_side(a, j);
  const bool own = j >= w->j0 && j < w->j1 && w->mine;
  const bool inside = a->sides.wrap_y || (row >= 0 && row < ny);
  R give[V];
#pragma unroll
  for (int c = 0; c < V; c++) give[c] = 0;
  if (SOURCE) load_beside<V>(a, a->source, j, w->i0, give);
  if (!a->sides.wrap_y && (row == 0 || row == ny - 1)) {
    R s[V], h[V], n[V], g[V], o[V];
    const R ends[2] = {west, east};
#pragma unroll
    for (int c = 0; c < V; c++) s[c] = south[c], h[c] = here[c], n[c] = north[c], g[c] = give[c];
    step_rim_row<V>(a, w, k, level, j, s, h, n, ends, g, o);
#pragma unroll
    for (int c = 0; c < V; c++) out[c] = k->valid >> c & 1 ? o[c] : 0;
    return;
  }
  const R first = column_of<V>(here, k->west), last = column_of<V>(here, k->east);
  const bool ask_w = k->west && inside && !(a->insulated >> RIA_WEST & 1);
  const bool ask_e = k->east && inside && !(a->insulated >> RIA_EAST & 1);
  R beyond_w = first, beyond_e = last;
  if (ask_w) beyond_w = ghost_at(a, level, RIA_WEST, row, first, cx, own);
  if (ask_e) beyond_e = ghost_at(a, level, RIA_EAST, row, last, cx, own);
#pragma unroll
  for (int c = 0; c < V; c++) {
    const R xw = k->west >> c & 1 ? beyond_w : c ? here[c - 1] : west;
    const R xe = k->east >> c & 1 ? beyond_e : c < V - 1 ? here[c + 1] : east;
    out[c] = df_step(here[c], xw, xe, south[c], north[c], cx, cy);
    if (SOURCE) out[c] = df_give(out[c], give[c], (R)a->dt);
  }
  if (ask_w) {
    const R o = held_at(a, RIA_WEST, row, first, column_of<V>(out, k->west), own);
#pragma unroll
    for (int c = 0; c < V; c++) out[c] = k->west >> c & 1 ? o : out[c];
  }
  if (ask_e) {
    const R o = held_at(a, RIA_EAST, row, last, column_of<V>(out, k->east), own);
#pragma unroll
    for (int c = 0; c < V; c++) out[c] = k->east >> c & 1 ? o : out[c];
  }
}

/* rows[level][2]: the last two rows of each level under way, those of the warp; each lane has its
 * own columns. In shared memory, and with the levels in a loop that is not written out, because all
 * that may be at a side would not fit the instruction cache eight times over. */
template <int T, int V, bool SOURCE>
__device__ __forceinline__ void march_beside(const dfg_view *a, const place *w,
                                             R (*rows)[2][32 * V], R cx, R cy) {
  const int mine = threadIdx.x % 32 * V;
  const columns sides = columns_of<V>(a, w);
  R ahead[V];
#pragma unroll 1
  for (int l = 0; l < T; l++)
    for (int c = 0; c < V; c++) rows[l][0][mine + c] = rows[l][1][mine + c] = 0;
  load_beside<V>(a, a->u, w->j0 - T, w->i0, ahead);
  int old = 0; /* which of the two rows is the southern one: the next takes its place */
#pragma unroll 1
  for (int j = w->j0 - T; j < w->j1 + T; j++, old = 1 - old) {
    R z[V], south[V], here[V];
#pragma unroll
    for (int c = 0; c < V; c++) z[c] = ahead[c];
    load_beside<V>(a, a->u, j + 1, w->i0, ahead);
    keep_vector<V>(south, &rows[0][old][mine]);
    keep_vector<V>(here, &rows[0][1 - old][mine]);
#pragma unroll 1
    for (int l = 0; l < T; l++) {
      const int next = l + 1 < T ? l + 1 : l;
      R o[V], next_south[V], next_here[V];
      keep_vector<V>(next_south, &rows[next][old][mine]);
      keep_vector<V>(next_here, &rows[next][1 - old][mine]);
      const R west = __shfl_up_sync(0xffffffffu, here[V - 1], 1);
      const R east = __shfl_down_sync(0xffffffffu, here[0], 1);
      step_beside<V, SOURCE>(a, w, &sides, l, j - l - 1, south, here, z, west, east, cx, cy, o);
      keep_vector<V>(&rows[l][old][mine], z);
#pragma unroll
      for (int c = 0; c < V; c++) {
        z[c] = o[c];
        south[c] = next_south[c];
        here[c] = next_here[c];
      }
    }
    const int done = j - T;
    if (done >= w->j0 && w->mine) store_vector<V>((R *)a->next + ria_gpu_at(&a->v, w->i0, done), z);
  }
}

/* Are all sides that a tile touches quiet? */
template <int T>
__device__ __forceinline__ bool is_quiet(const dfg_view *a, const place *w, int first, int width) {
  unsigned touched = 0;
  if (first < 0) touched |= 1u << RIA_WEST;
  if (first + width > a->v.nx) touched |= 1u << RIA_EAST;
  if (w->j0 - T < 0) touched |= 1u << RIA_SOUTH;
  if (w->j1 + T > a->v.ny) touched |= 1u << RIA_NORTH;
  return (touched & ~a->quiet) == 0;
}

#include "abreast.cuh"

/* --- the kernels ------------------------------------------------------------------------------ */

/* By a warp: a tile. */
template <int T, int V, bool SOURCE>
__device__ __forceinline__ void take_tile(const dfg_view &a, R (*rows)[2][32 * V], int warp,
                                          place *w) {
  typedef tile_shape<T, V> shape;
  const int lane = threadIdx.x % 32;
  const int first = tile_of(&a, warp, w) * shape::columns - shape::halo;
  w->i0 = first + lane * V;
  w->mine = lane * V >= shape::halo && lane * V < shape::width - shape::halo && w->i0 < a.v.nx;
  const R cx = (R)(a.d * a.dt / (a.v.dx * a.v.dx)), cy = (R)(a.d * a.dt / (a.v.dy * a.v.dy));
  /* Two rows more are loaded ahead; of the source, T behind. */
  const bool inside = first >= 0 && first + shape::width <= a.v.nx &&
                      w->j0 - (SOURCE ? 2 : 1) * T >= 0 && w->j1 + T + 2 <= a.there;
  if (inside)
    march<T, V, SOURCE, false>(&a, w, cx, cy, (R)a.dt);
  else if (is_quiet<T>(&a, w, first, shape::width))
    march<T, V, SOURCE, true>(&a, w, cx, cy, (R)a.dt);
  else
    march_beside<T, V, SOURCE>(&a, w, rows, cx, cy);
}

template <int T, int V, bool SOURCE>
__global__ void __launch_bounds__(32 * DFG_WARPS, T > 4 ? 4 : 6)
    dfg_pass(const __grid_constant__ dfg_view a) {
  __shared__ __align__(16) R rows[DFG_WARPS][T][2][32 * V];
  const int warp = blockIdx.x * DFG_WARPS + threadIdx.x / 32;
  place w;
  if (warp < a.tiles.n) take_tile<T, V, SOURCE>(a, rows[threadIdx.x / 32], warp, &w);
}

/* The same, abreast of other parts. */
template <int T, int V, bool SOURCE>
__global__ void __launch_bounds__(32 * DFG_WARPS, T > 4 ? 4 : 6)
    dfg_pass_abreast(const __grid_constant__ dfg_view a, const __grid_constant__ dfg_abreast b) {
  __shared__ __align__(16) R rows[DFG_WARPS][T][2][32 * V];
  const int warp = blockIdx.x * DFG_WARPS + threadIdx.x / 32;
  place w;
  if (warp >= a.tiles.n) return;
  take_tile<T, V, SOURCE>(a, rows[threadIdx.x / 32], warp, &w);
  if (warp < 2 * a.tiles.across) hand_on(&a, &b, &w, warp >= a.tiles.across);
  leave(&a, &b);
}

template <int T, int V, bool SOURCE>
cudaError_t launch(const dfg_view *a, const dfg_abreast *b, cudaStream_t stream) {
  const unsigned blocks = (unsigned)((a->tiles.n + DFG_WARPS - 1) / DFG_WARPS);
  if (b)
    dfg_pass_abreast<T, V, SOURCE><<<blocks, 32 * DFG_WARPS, 0, stream>>>(*a, *b);
  else
    dfg_pass<T, V, SOURCE><<<blocks, 32 * DFG_WARPS, 0, stream>>>(*a);
  return cudaGetLastError();
}

template <int T, int V>
cudaError_t launch_pass(const dfg_view *a, const dfg_abreast *b, cudaStream_t stream) {
  return a->source ? launch<T, V, true>(a, b, stream) : launch<T, V, false>(a, b, stream);
}

template <int T, int V> void shape_of(int *columns, int *warps) {
  int blocks = 0;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dfg_pass<T, V, false>, 32 * DFG_WARPS,
                                                    0) != cudaSuccess)
    cudaGetLastError();
  *columns = tile_shape<T, V>::columns;
  *warps = DFG_WARPS * (blocks > 0 ? blocks : 1);
}

/* Columns a lane: 16 bytes of them. */
constexpr int lane_columns = 16 / (int)sizeof(R);

cudaError_t pass(const dfg_view *a, const dfg_abreast *b, int depth, cudaStream_t stream) {
  return depth == 8 ? launch_pass<8, lane_columns>(a, b, stream)
                    : launch_pass<4, lane_columns>(a, b, stream);
}

void shape(int depth, int *columns, int *warps) {
  if (depth == 8)
    shape_of<8, lane_columns>(columns, warps);
  else
    shape_of<4, lane_columns>(columns, warps);
}

} // namespace
