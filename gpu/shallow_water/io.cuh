/* io.cuh - fields in and out of the device, for one precision: what
 * shallow_water_io.c does on the CPU, one cell a thread, by the same functions. */

namespace {

enum { SWG_IO = 256 }; /* threads of a block */

inline unsigned blocks_for(int64_t n) {
  const int64_t blocks = (n + SWG_IO - 1) / SWG_IO;
  return (unsigned)(blocks < 1 ? 1 : blocks > 0x7fffffff ? 0x7fffffff : blocks);
}
#define SWG_EACH(K, N)                                                                             \
  for (int64_t K = (int64_t)blockIdx.x * SWG_IO + threadIdx.x; K < (N);                            \
       K += (int64_t)gridDim.x * SWG_IO)

/* --- one cell -----------------------------------------------------------------------------------
 */

__device__ __forceinline__ R *load_of(const swg_args *a, int tracer, size_t at) {
  return tracer == 0 ? (R *)&a->old[at].hc : (R *)a->old_more + (tracer - 1) * a->v.plane + at;
}

__device__ __forceinline__ water_cell flow_at(const swg_args *a, size_t at) {
  const vec4 s = a->old[at];
  const water_cell here = {(double)s.h, (double)s.qx, (double)s.qy, (double)a->bed[at]};
  return here;
}

__device__ __forceinline__ double value(const swg_args *a, int field, int tracer, size_t at) {
  if (field == WATER_MANNING) return a->manning ? (double)a->manning[at] : a->v.p.manning;
  const double load = tracer >= 0 ? (double)*load_of(a, tracer, at) : 0.0;
  return water_value(field, flow_at(a, at), load, a->v.p.gravity, a->v.p.dry_depth);
}

__device__ __forceinline__ double maximum(const swg_args *a, int track, size_t at) {
  const double v = (double)((const R *)a->v.track[track].max)[at];
  if (v > -1e29) return v;
  return a->v.track[track].field == WATER_DEPTH ? 0.0 : (double)NAN; /* never wet */
}

/* --- out ----------------------------------------------------------------------------------------
 */

/* The mean of those of a block of cells that have a value. */
__device__ __forceinline__ double mean(const swg_args *a, int field, int tracer, int track,
                                       int coarse, int i, int j) {
  double sum = 0;
  int n = 0;
  for (int jj = j * coarse; jj < (j + 1) * coarse && jj < a->v.ny; jj++)
    for (int ii = i * coarse; ii < (i + 1) * coarse && ii < a->v.nx; ii++) {
      const size_t at = (size_t)jj * a->v.stride + ii;
      const double v = track >= 0 ? maximum(a, track, at) : value(a, field, tracer, at);
      if (isnan(v)) continue;
      sum += v;
      n++;
    }
  return n ? (n == 1 ? sum : sum / n) : (double)NAN;
}

/* Rows of blocks, so that no thread divides; a thread has some cells of a column. */
template <typename T, bool MEANS>
__global__ void __launch_bounds__(SWG_IO)
    swg_derive(const __grid_constant__ swg_args a, int field, int tracer, int track, int coarse,
               int j0, int nj, T *dst) {
  const int nx = (a.v.nx + coarse - 1) / coarse, i = blockIdx.x * SWG_IO + threadIdx.x;
  if (i >= nx) return;
#pragma unroll 4
  for (int row = blockIdx.y; row < nj; row += gridDim.y) {
    double v;
    if (MEANS)
      v = mean(&a, field, tracer, track, coarse, i, j0 + row);
    else {
      const size_t at = (size_t)(j0 + row) * a.v.stride + i;
      v = track >= 0 ? maximum(&a, track, at) : value(&a, field, tracer, at);
    }
    dst[(size_t)row * nx + i] = (T)v;
  }
}

template <typename T>
cudaError_t derive_as(const swg_view *v, int now, int field, int tracer, int track, int coarse,
                      int j0, int nj, T *dst, cudaStream_t stream) {
  enum { EACH = 8 }; /* cells of a thread */
  const int rows = coarse > 1 ? nj : (nj + EACH - 1) / EACH;
  const dim3 blocks(blocks_for((v->nx + coarse - 1) / coarse), (unsigned)min(rows, 65535));
  const swg_args a = swg_args_of(v, now);
  if (coarse > 1)
    swg_derive<T, true>
        <<<blocks, SWG_IO, 0, stream>>>(a, field, tracer, track, coarse, j0, nj, dst);
  else
    swg_derive<T, false><<<blocks, SWG_IO, 0, stream>>>(a, field, tracer, track, 1, j0, nj, dst);
  return cudaGetLastError();
}

cudaError_t derive(const swg_view *v, int now, int field, int tracer, int track, int coarse, int j0,
                   int nj, int as_float, void *dst, cudaStream_t stream) {
  return as_float ? derive_as(v, now, field, tracer, track, coarse, j0, nj, (float *)dst, stream)
                  : derive_as(v, now, field, tracer, track, coarse, j0, nj, (double *)dst, stream);
}

__global__ void swg_sample(const __grid_constant__ swg_args a, int field, int tracer, int n,
                           const int32_t *cell, double *out) {
  SWG_EACH(k, n)
  out[k] = value(&a, field, tracer, (size_t)(cell[k] / a.v.nx) * a.v.stride + cell[k] % a.v.nx);
}

cudaError_t sample(const swg_view *v, int now, int field, int tracer, int n, const int32_t *cell,
                   double *out, cudaStream_t stream) {
  swg_sample<<<blocks_for(n), SWG_IO, 0, stream>>>(swg_args_of(v, now), field, tracer, n, cell,
                                                   out);
  return cudaGetLastError();
}

/* A block a row; its threads' parts are added pairwise. */
__global__ void __launch_bounds__(SWG_IO)
    swg_row_sums(const __grid_constant__ swg_args a, int quantity, double *sums) {
  __shared__ double part[SWG_IO];
  for (int j = blockIdx.x; j < a.v.ny; j += gridDim.x) {
    double sum = 0;
    for (int i = threadIdx.x; i < a.v.nx; i += SWG_IO) {
      const size_t at = (size_t)j * a.v.stride + i;
      sum += (double)(quantity == 0 ? a.old[at].h : *load_of(&a, quantity - 1, at));
    }
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int d = SWG_IO / 2; d > 0; d /= 2) {
      if ((int)threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
      __syncthreads();
    }
    if (threadIdx.x == 0) sums[j] = part[0];
    __syncthreads();
  }
}

cudaError_t row_sums(const swg_view *v, int now, int quantity, double *sums, cudaStream_t stream) {
  swg_row_sums<<<(unsigned)v->ny, SWG_IO, 0, stream>>>(swg_args_of(v, now), quantity, sums);
  return cudaGetLastError();
}

/* --- in -----------------------------------------------------------------------------------------
 */

__global__ void swg_assign(const __grid_constant__ swg_args a, int field, int tracer,
                           const double *src) {
  SWG_EACH(k, (int64_t)a.v.nx * a.v.ny) {
    const size_t at = (size_t)(k / a.v.nx) * a.v.stride + (size_t)(k % a.v.nx);
    vec4 *state = (vec4 *)a.old + at;
    const double v = water_given(field, src[k]);
    if (field == WATER_BED) {
      ((R *)a.v.bed)[at] = (R)v;
    } else if (field == WATER_MANNING) {
      ((R *)a.v.manning)[at] = (R)v;
    } else if (field == WATER_CONC || field == WATER_LOAD) {
      *load_of(&a, tracer, at) = (R)water_set_load(field, v, (double)state->h);
    } else {
      water_cell here = flow_at(&a, at);
      const double scale = water_set_flow(field, v, a.v.p.dry_depth, &here);
      state->h = (R)here.h;
      state->qx = (R)here.qx;
      state->qy = (R)here.qy;
      for (int m = 0; m < a.v.nt; m++) {
        R *load = load_of(&a, m, at);
        *load = (R)((double)*load * scale);
      }
    }
  }
}

cudaError_t assign(const swg_view *v, int now, int field, int tracer, const double *src,
                   cudaStream_t stream) {
  swg_assign<<<blocks_for((int64_t)v->nx * v->ny), SWG_IO, 0, stream>>>(swg_args_of(v, now), field,
                                                                        tracer, src);
  return cudaGetLastError();
}

__global__ void swg_add(const __grid_constant__ swg_args a, int quantity, int n,
                        const int32_t *cell, const double *amount) {
  SWG_EACH(k, n) {
    const size_t at = (size_t)(cell[k] / a.v.nx) * a.v.stride + cell[k] % a.v.nx;
    R *value = quantity == 0 ? (R *)&a.old[at].h : load_of(&a, quantity - 1, at);
    const double v = (double)*value + amount[k] / a.v.area;
    *value = (R)(v > 0 ? v : 0.0);
  }
}

cudaError_t add(const swg_view *v, int now, int quantity, int n, const int32_t *cell,
                const double *amount, cudaStream_t stream) {
  swg_add<<<blocks_for(n), SWG_IO, 0, stream>>>(swg_args_of(v, now), quantity, n, cell, amount);
  return cudaGetLastError();
}

/* --- what steps rely on -------------------------------------------------------------------------
 */

/* A warp a tile, as in the step. */
__global__ void swg_survey(const __grid_constant__ swg_args a) {
  const int lane = threadIdx.x, tile = blockIdx.x;
  const int tx = tile % a.v.tiles_x, ty = tile / a.v.tiles_x, i = tx * SWG_COLUMNS + lane;
  R speed = 0;
  int row = 0, wet = 0;
  const rows_of_tile rows = rows_of(a.v, ty);
  for (int j = rows.begin; j < rows.end && lane < SWG_COLUMNS && i < a.v.nx; j++) {
    const vec4 s = a.old[(size_t)j * a.v.stride + i];
    if (!(s.h > a.k.dry)) continue;
    const R sp = sw_wave_speed(s.h, s.qx, s.qy, &a.k);
    wet = 1;
    if (sp > speed) {
      speed = sp;
      row = j;
    }
  }
  wet = __any_sync(0xffffffffu, wet);
  const unsigned long long where = most_of_warp(speed > 0 ? place(speed, row * a.v.nx + i) : 0);
  const unsigned long long most = most_of_warp(bits_of(speed));
  if (lane == 0) {
    a.wet_new[tile] = ((uint8_t *)a.wet_old)[tile] = (uint8_t)wet;
    a.v.same[tile] = 0;
    atomicMax(&a.v.clock->where[tile % SWG_SLOTS], where);
    atomicMax(&a.v.clock->found[tile % SWG_SLOTS], most);
  }
}

cudaError_t survey(const swg_view *v, int now, cudaStream_t stream) {
  swg_survey<<<(unsigned)(v->tiles_x * v->tiles_y), 32, 0, stream>>>(swg_args_of(v, now));
  return cudaGetLastError();
}

__global__ void swg_begin_track(const __grid_constant__ swg_args a, int track) {
  SWG_EACH(k, (int64_t)a.v.nx * a.v.ny) {
    const size_t at = (size_t)(k / a.v.nx) * a.v.stride + (size_t)(k % a.v.nx);
    const swg_track t = a.v.track[track];
    const bool wet = (double)a.old[at].h > a.v.p.dry_depth;
    ((R *)t.max)[at] = wet ? (R)value(&a, t.field, t.tracer, at) : (R)-1e30;
  }
}

cudaError_t begin_track(const swg_view *v, int now, int track, cudaStream_t stream) {
  swg_begin_track<<<blocks_for((int64_t)v->nx * v->ny), SWG_IO, 0, stream>>>(swg_args_of(v, now),
                                                                             track);
  return cudaGetLastError();
}

/* The least number of a cell, row by row, that holds what is no state. */
__global__ void swg_find_bad(const __grid_constant__ swg_args a, unsigned long long *cell) {
  SWG_EACH(k, (int64_t)a.v.nx * a.v.ny) {
    const size_t at = (size_t)(k / a.v.nx) * a.v.stride + (size_t)(k % a.v.nx);
    const water_cell s = flow_at(&a, at);
    double sum = s.h + fabs(s.qx) + fabs(s.qy); /* as the step does */
    for (int m = 0; m < a.v.nt; m++) sum += fabs((double)*load_of(&a, m, at));
    if (!(s.h >= 0 && sum < 0.999e30)) atomicMin(cell, (unsigned long long)k);
  }
}

cudaError_t find_bad(const swg_view *v, int now, unsigned long long *cell, cudaStream_t stream) {
  swg_find_bad<<<blocks_for((int64_t)v->nx * v->ny), SWG_IO, 0, stream>>>(swg_args_of(v, now),
                                                                          cell);
  return cudaGetLastError();
}

} // namespace

const swg_kernels RIA_K(swg_kernels) = {
    (int)sizeof(R), resident, launch_step, launch_tick, arrange,     survey,   derive,
    assign,         sample,   add,         row_sums,    begin_track, find_bad,
};
