/* plain.cuh - one step of diffusion with all there may be: maps of diffusivity, sides
 * that are periodic in part, sources that change. For one precision.
 *
 * A warp takes ROWS rows of 32 V columns, each lane 16 bytes of a row; all that it needs is asked
 * for before anything is worked out. What is less than that in the east or the north, and cells at
 * a side that lets something through, are done cell by cell. */

namespace {

/* Rows of a warp: as few as keep the reads of their neighbours in cache, measured. */
constexpr int ROWS = sizeof(R) == 4 ? 2 : 4;
constexpr int SMALL = 1 << 22; /* cells: a plate of fewer is small */

/* --- cell by cell ----------------------------------------------------------------------------- */

typedef struct seen {
  int kind;
  R ghost;
} seen;

/* What lies beyond the k-th cell of a side. */
__device__ __forceinline__ seen look_out(const dfg_view *a, int side, int k, size_t at, R u,
                                         R opposite) {
  const int owner = a->v.owner[a->v.first[side] + k], kind = a->v.stretch[owner].kind;
  double outside = a->outside[owner];
  if (kind == DF_FLUX && a->diffusivity) outside /= (double)((const R *)a->diffusivity)[at];
  const seen s = {kind, kind == DF_PERIODIC ? opposite : df_ghost(kind, u, (R)outside)};
  return s;
}

/* What crossed, rounded as passes of several steps do: a plate whole and one in parts take other
 * kernels. */
__device__ __forceinline__ void cross(const dfg_view *a, int side, int k, double change) {
  ria_gpu_cross(&a->v, side, k, 0, ria_product_f64(change * a->v.dx, a->v.dy));
}

__device__ __forceinline__ void settle(const dfg_view *a, int side, int k, seen s, double share,
                                       R u, R *o) {
  if (s.kind == DF_VALUE || s.kind == DF_FLUX)
    cross(a, side, k, share * ((double)s.ghost - (double)u));
  if (s.kind != DF_FIXED) return;
  cross(a, side, k, -((double)*o - (double)u));
  *o = u;
}

__device__ __noinline__ void step_cell(const dfg_view *a, int i, int j, R cx, R cy) {
  const int nx = a->v.nx, ny = a->v.ny;
  const size_t at = ria_gpu_at(&a->v, i, j), stride = a->v.stride;
  const R *u = (const R *)a->u;
  const R dt = (R)a->dt, here = u[at];
  seen w = {-1, 0}, e = w, s = w, n = w;
  if (i == 0) w = look_out(a, RIA_WEST, j, at, here, u[at + nx - 1]);
  if (i == nx - 1) e = look_out(a, RIA_EAST, j, at, here, u[at - (nx - 1)]);
  if (j == 0) s = look_out(a, RIA_SOUTH, i, at, here, u[at + a->to_south]);
  if (j == ny - 1) n = look_out(a, RIA_NORTH, i, at, here, u[at + a->to_north]);
  const R uw = i == 0 ? w.ghost : u[at - 1], ue = i == nx - 1 ? e.ghost : u[at + 1];
  const R us = j == 0 ? s.ghost : u[at - stride], un = j == ny - 1 ? n.ghost : u[at + stride];
  R o;
  double share[RIA_SIDES] = {(double)cx, (double)cx, (double)cy, (double)cy};
  if (a->face[0]) {
    const R *fx = (const R *)a->face[0] + at, *fy = (const R *)a->face[1] + at;
    const R f[RIA_SIDES] = {fx[0], fx[1], fy[0], fy[stride]};
    o = df_step_faces(here, uw, ue, us, un, f[0], f[1], f[2], f[3], dt);
    for (int side = 0; side < RIA_SIDES; side++) share[side] = (double)f[side] * (double)dt;
  } else {
    o = df_step(here, uw, ue, us, un, cx, cy);
  }
  if (a->source) o = df_give(o, ((const R *)a->source)[at], dt);
  if (i == 0) settle(a, RIA_WEST, j, w, share[RIA_WEST], here, &o);
  if (i == nx - 1) settle(a, RIA_EAST, j, e, share[RIA_EAST], here, &o);
  if (j == 0) settle(a, RIA_SOUTH, i, s, share[RIA_SOUTH], here, &o);
  if (j == ny - 1) settle(a, RIA_NORTH, i, n, share[RIA_NORTH], here, &o);
  ((R *)a->next)[at] = o;
}

/* --- many cells at once -------------------------------------------------------------------------
 *
 * What is at a side is worked out as if it were insulated and then, where it is not, once more.
 * ENDS: among the rows is the first or the last of the plate. */

template <bool SOURCE, bool MAP, bool ENDS>
__device__ __forceinline__ void step_rows(const dfg_view *a, int first, int j0, R cx, R cy) {
  constexpr int V = lane_columns;
  const int lane = threadIdx.x % 32, i0 = first + lane * V;
  const bool at_w = i0 == 0, at_e = i0 + V == a->v.nx;
  const bool at_s = ENDS && j0 == 0, at_n = ENDS && j0 + ROWS == a->v.ny;
  const size_t at = ria_gpu_at(&a->v, i0, j0);
  const ptrdiff_t stride = (ptrdiff_t)a->v.stride;
  const R *from = (const R *)a->u + at, *fx = (const R *)a->face[0] + at,
          *fy = (const R *)a->face[1] + at;
  R row[ROWS + 2][V], west[ROWS], east[ROWS], give[ROWS][V];
  R x[ROWS][V], x_end[ROWS], y[ROWS + 1][V];
#pragma unroll
  for (int k = 0; k < ROWS + 2; k++) {
    const int beyond = (at_s && k == 0) - (at_n && k == ROWS + 1);
    load_vector<V>(row[k], from + (k - 1 + beyond) * stride);
  }
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    west[k] = east[k] = x_end[k] = 0;
    if (lane == 0) west[k] = from[k * stride - (at_w ? 0 : 1)];
    if (lane == 31) east[k] = from[k * stride + V - (at_e ? 1 : 0)];
    if (SOURCE) load_vector<V>(give[k], (const R *)a->source + at + k * stride);
    if (MAP) load_vector<V>(x[k], fx + k * stride);
    if (MAP && lane == 31) x_end[k] = fx[k * stride + V];
  }
#pragma unroll
  for (int k = 0; MAP && k < ROWS + 1; k++) load_vector<V>(y[k], fy + k * stride);
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    const R *here = row[k + 1];
    R w = __shfl_up_sync(0xffffffffu, here[V - 1], 1), o[V];
    R e = __shfl_down_sync(0xffffffffu, here[0], 1);
    R f = MAP ? __shfl_down_sync(0xffffffffu, x[k][0], 1) : 0;
    if (lane == 0) w = west[k];
    if (lane == 31) e = east[k], f = x_end[k];
#pragma unroll
    for (int c = 0; c < V; c++) {
      const R uw = c ? here[c - 1] : w, ue = c < V - 1 ? here[c + 1] : e;
      o[c] = MAP ? df_step_faces(here[c], uw, ue, row[k][c], row[k + 2][c], x[k][c],
                                 c < V - 1 ? x[k][c + 1] : f, y[k][c], y[k + 1][c], (R)a->dt)
                 : df_step(here[c], uw, ue, row[k][c], row[k + 2][c], cx, cy);
      if (SOURCE) o[c] = df_give(o[c], give[k][c], (R)a->dt);
    }
    store_vector<V>((R *)a->next + at + k * stride, o);
  }
  const bool ask_w = at_w && !(a->insulated >> RIA_WEST & 1);
  const bool ask_e = at_e && !(a->insulated >> RIA_EAST & 1);
  const bool ask_s = at_s && !(a->insulated >> RIA_SOUTH & 1);
  const bool ask_n = at_n && !(a->insulated >> RIA_NORTH & 1);
  if (!ask_w && !ask_e && !ask_s && !ask_n) return;
#pragma unroll 1
  for (int k = 0; k < ROWS; k++) {
    const bool all = (ask_s && k == 0) || (ask_n && k == ROWS - 1);
#pragma unroll 1
    for (int c = 0; all && c < V; c++) step_cell(a, i0 + c, j0 + k, cx, cy);
    if (!all && ask_w) step_cell(a, 0, j0 + k, cx, cy);
    if (!all && ask_e) step_cell(a, a->v.nx - 1, j0 + k, cx, cy);
  }
}

/* ENDS: the first and the last row of the plate with the others, which spares small plates the wait
 * for one cell after another and costs large ones 3 %. */
template <bool SOURCE, bool MAP, bool ENDS>
__global__ void __launch_bounds__(128) dfg_step(const __grid_constant__ dfg_view a) {
  constexpr int width = 32 * lane_columns;
  const int first = blockIdx.x * width;
  const R cx = (R)(a.d * a.dt / (a.v.dx * a.v.dx)), cy = (R)(a.d * a.dt / (a.v.dy * a.v.dy));
  const bool whole = first + width <= a.v.nx;
  for (int j0 = (blockIdx.y * 4 + threadIdx.x / 32) * ROWS; j0 < a.v.ny;
       j0 += gridDim.y * 4 * ROWS) {
    if (whole && (ENDS ? j0 + ROWS <= a.v.ny : j0 > 0 && j0 + ROWS < a.v.ny)) {
      step_rows<SOURCE, MAP, ENDS>(&a, first, j0, cx, cy);
      continue;
    }
    for (int j = j0; j < j0 + ROWS && j < a.v.ny; j++)
      for (int i = first + threadIdx.x % 32; i < first + width && i < a.v.nx; i += 32)
        step_cell(&a, i, j, cx, cy);
  }
}

template <bool ENDS> void launch_step(const dfg_view *a, dim3 blocks, cudaStream_t stream) {
  if (a->source && a->face[0])
    dfg_step<true, true, ENDS><<<blocks, 128, 0, stream>>>(*a);
  else if (a->source)
    dfg_step<true, false, ENDS><<<blocks, 128, 0, stream>>>(*a);
  else if (a->face[0])
    dfg_step<false, true, ENDS><<<blocks, 128, 0, stream>>>(*a);
  else
    dfg_step<false, false, ENDS><<<blocks, 128, 0, stream>>>(*a);
}

cudaError_t step(const dfg_view *a, cudaStream_t stream) {
  const int columns = 32 * lane_columns, rows = 4 * ROWS;
  const int across = (a->v.nx + columns - 1) / columns, along = (a->v.ny + rows - 1) / rows;
  const dim3 blocks((unsigned)across, (unsigned)(along < 65535 ? along : 65535));
  if ((int64_t)a->v.nx * a->v.ny < SMALL)
    launch_step<true>(a, blocks, stream);
  else
    launch_step<false>(a, blocks, stream);
  return cudaGetLastError();
}

/* --- before a step ---------------------------------------------------------------------------- */

/* One block, so that cells of sources that overlap are taken one source after another. */
__global__ void __launch_bounds__(256) dfg_sources(const __grid_constant__ dfg_view a, double t) {
  __shared__ double part[256];
  const double area = a.v.dx * a.v.dy;
  double sum = 0;
  for (int m = 0; m < a.v.n_sources; m++) {
    const ria_gpu_source s = a.v.source[m];
    const double amount = ria_source_amount(&a.v.table, s.rate, s.t_start, s.t_stop, t, a.dt);
    for (int k = threadIdx.x; k < s.n; k += 256) {
      const int32_t cell = a.v.source_cell[s.first + k];
      if (cell < 0) continue; /* another part's */
      const int row = cell / a.v.nx;
      R *u = (R *)a.u + ria_gpu_at(&a.v, cell % a.v.nx, row);
      const double had = (double)*u;
      *u = (R)(had + amount * a.v.source_weight[s.first + k] / area);
      if (row >= a.begin && row < a.end) sum += ((double)*u - had) * area;
    }
    __syncthreads();
  }
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if ((int)threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) a.v.added[0] += part[0];
}

cudaError_t sources(const dfg_view *a, double t, cudaStream_t stream) {
  dfg_sources<<<1, 256, 0, stream>>>(*a, t);
  return cudaGetLastError();
}

__device__ __forceinline__ bool wraps(const dfg_view *a, int side, int k) {
  return a->v.stretch[a->v.owner[a->v.first[side] + k]].kind == DF_PERIODIC;
}

/* The cell of a row beside a face, which may lie beyond an end of a ring. */
__device__ __forceinline__ size_t beside_face(const dfg_view *a, int i, int j) {
  if (j < 0) return ria_gpu_at(&a->v, i, 0) + a->to_south;
  return j < a->v.ny ? ria_gpu_at(&a->v, i, j) : ria_gpu_at(&a->v, i, a->v.ny - 1) + a->to_north;
}

/* As fill_faces in diffusion.c. */
__global__ void __launch_bounds__(256) dfg_faces(const __grid_constant__ dfg_view a) {
  const int i = blockIdx.x * 256 + threadIdx.x, nx = a.v.nx, ny = a.v.ny;
  const R *d = (const R *)a.diffusivity;
  if (i > nx) return;
  for (int j = blockIdx.y; j <= ny; j += gridDim.y) {
    const int row = j < ny ? j : ny - 1, here = i < nx ? i : nx - 1;
    const int left = i == 0 ? nx - 1 : i - 1;
    const double own = (double)d[ria_gpu_at(&a.v, here, row)];
    double x = own, y = own;
    if ((i > 0 && i < nx) || wraps(&a, RIA_WEST, row))
      x = df_face((double)d[ria_gpu_at(&a.v, left, row)], (double)d[ria_gpu_at(&a.v, i % nx, row)]);
    if ((j > 0 && j < ny) || wraps(&a, RIA_SOUTH, here))
      y = df_face((double)d[beside_face(&a, here, j - 1)], (double)d[beside_face(&a, here, j)]);
    const size_t at = ria_gpu_at(&a.v, i, j);
    if (j < ny) ((R *)a.face[0])[at] = (R)(x * (1 / (a.v.dx * a.v.dx)));
    if (i < nx) ((R *)a.face[1])[at] = (R)(y * (1 / (a.v.dy * a.v.dy)));
  }
}

cudaError_t faces(const dfg_view *a, cudaStream_t stream) {
  const dim3 blocks((unsigned)(a->v.nx / 256 + 1), (unsigned)(a->v.ny < 4096 ? a->v.ny + 1 : 4096));
  dfg_faces<<<blocks, 256, 0, stream>>>(*a);
  return cudaGetLastError();
}

cudaError_t load_kernels() { return ria_cuda_load((const void *)dfg_faces); }

} // namespace

const dfg_kernels RIA_K(dfg_kernels) = {{8, 4, 0, 0}, shape,    pass,    load_kernels, step,
                                        bands,        resident, sources, faces};
