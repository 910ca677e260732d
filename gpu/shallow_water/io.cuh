/* io.cuh - fields in and out of the device, for one precision, a cell a thread; what fields are of
 * a cell is in solvers/shared/water/fields.h. The loops of what goes out are those of
 * machine/fields.cuh. */
#include "machine/fields.cuh"

namespace {

/* --- one cell --------------------------------------------------------------------------------- */

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
  return water_value(field, flow_at(a, at), load, a->v.p.gravity, a->v.p.dry_depth,
                     a->v.p.forces.axes);
}

/* A field, or the maximum of it that is at `max`. */
struct swg_field {
  swg_args a;
  int field, tracer;
  const R *max;
  __device__ __forceinline__ double at(int i, int j) const {
    const size_t at = (size_t)j * a.v.stride + i;
    if (!max) return value(&a, field, tracer, at);
    const double most = (double)max[at];
    if (most > -1e29) return most;
    return field == WATER_DEPTH ? 0.0 : (double)NAN; /* never wet */
  }
};

/* --- out -------------------------------------------------------------------------------------- */

cudaError_t copy(const swg_view *v, int now, const ria_grid *grid, const ria_gpu_wanted *w,
                 void *dst, cudaStream_t stream) {
  const R *max = w->maximum ? (const R *)w->maximum->max : NULL;
  const swg_field f = {swg_args_of(v, now), w->field, w->tracer, max};
  return queue_copy(f, grid, w, dst, stream);
}

cudaError_t sample(const swg_view *v, int now, int field, int tracer, int n, const int32_t *cell,
                   double *out, cudaStream_t stream) {
  const swg_field f = {swg_args_of(v, now), field, tracer, NULL};
  return queue_sample(f, v->nx, n, cell, out, stream);
}

/* --- in --------------------------------------------------------------------------------------- */

/* Of all rows of planes. */
__host__ __device__ __forceinline__ int64_t held_cells(const swg_view *v) {
  return (int64_t)v->nx * (int64_t)(v->plane / (size_t)v->stride);
}

__global__ void swg_assign(const __grid_constant__ swg_args a, int field, int tracer,
                           const double *src) {
  for (int64_t k = first_of_thread(); k < held_cells(&a.v); k += all_threads()) {
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
  swg_assign<<<blocks_for(held_cells(v)), FIELD_THREADS, 0, stream>>>(swg_args_of(v, now), field,
                                                                      tracer, src);
  return cudaGetLastError();
}

__global__ void swg_add(const __grid_constant__ swg_args a, int quantity, int n,
                        const int32_t *cell, const double *amount) {
  for (int64_t k = first_of_thread(); k < n; k += all_threads()) {
    const size_t at = (size_t)(cell[k] / a.v.nx) * a.v.stride + cell[k] % a.v.nx;
    R *value = quantity == 0 ? (R *)&a.old[at].h : load_of(&a, quantity - 1, at);
    const double v = (double)*value + amount[k] / a.v.area;
    *value = (R)(v > 0 ? v : 0.0);
  }
}

cudaError_t add(const swg_view *v, int now, int quantity, int n, const int32_t *cell,
                const double *amount, cudaStream_t stream) {
  swg_add<<<blocks_for(n), FIELD_THREADS, 0, stream>>>(swg_args_of(v, now), quantity, n, cell,
                                                       amount);
  return cudaGetLastError();
}

/* --- what steps rely on ----------------------------------------------------------------------- */

/* A warp a tile, as in the step. */
__global__ void swg_survey(const __grid_constant__ swg_args a) {
  const int lane = threadIdx.x, tile = blockIdx.x;
  const int tx = tile % a.v.tiles_x, ty = tile / a.v.tiles_x, i = tx * a.v.columns + lane;
  R speed = 0;
  int row = 0, wet = 0;
  const rows_of_tile rows = rows_of(a.v, ty);
  for (int j = rows.begin; j < rows.end && lane < a.v.columns && i < a.v.nx; j++) {
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
    atomicMax(&a.v.report->where[tile % SWG_SLOTS], where);
    atomicMax(&a.v.report->found[tile % SWG_SLOTS], most);
  }
}

cudaError_t survey(const swg_view *v, int now, cudaStream_t stream) {
  swg_survey<<<(unsigned)(v->tiles_x * v->tiles_y), 32, 0, stream>>>(swg_args_of(v, now));
  return cudaGetLastError();
}

/* What a cell has that is wet; else less than anything, as steps compare it. */
__global__ void swg_begin_maximum(const __grid_constant__ swg_args a, int field, int tracer,
                                  R *max) {
  for (int64_t k = first_of_thread(); k < (int64_t)a.v.nx * a.v.ny; k += all_threads()) {
    const size_t at = (size_t)(k / a.v.nx) * a.v.stride + (size_t)(k % a.v.nx);
    const bool wet = (double)a.old[at].h > a.v.p.dry_depth;
    max[at] = wet ? (R)value(&a, field, tracer, at) : (R)-1e30;
  }
}

cudaError_t begin_maximum(const swg_view *v, int now, const ria_plane_track *m,
                          cudaStream_t stream) {
  swg_begin_maximum<<<blocks_for((int64_t)v->nx * v->ny), FIELD_THREADS, 0, stream>>>(
      swg_args_of(v, now), m->field, m->tracer, (R *)m->max);
  return cudaGetLastError();
}

/* The least number of a cell, row by row, that holds what is no state. Of those that are stepped.
 */
__global__ void swg_find_bad(const __grid_constant__ swg_args a, unsigned long long *cell) {
  const int64_t first = (int64_t)a.v.nx * a.v.begin, end = (int64_t)a.v.nx * a.v.end;
  for (int64_t k = first + first_of_thread(); k < end; k += all_threads()) {
    const size_t at = (size_t)(k / a.v.nx) * a.v.stride + (size_t)(k % a.v.nx);
    const water_cell s = flow_at(&a, at);
    double sum = s.h + fabs(s.qx) + fabs(s.qy); /* as the step does */
    for (int m = 0; m < a.v.nt; m++) sum += fabs((double)*load_of(&a, m, at));
    if (!(s.h >= 0 && sum < 0.999e30)) atomicMin(cell, (unsigned long long)k);
  }
}

cudaError_t find_bad(const swg_view *v, int now, unsigned long long *cell, cudaStream_t stream) {
  swg_find_bad<<<blocks_for((int64_t)v->nx * v->ny), FIELD_THREADS, 0, stream>>>(
      swg_args_of(v, now), cell);
  return cudaGetLastError();
}

cudaError_t load_kernels(const swg_view *v) {
  const cudaError_t e = ria_cuda_load((const void *)swg_find_bad);
  return e == cudaSuccess && v->p.order == 2 ? RIA_K(swg_second).load() : e;
}

} // namespace

const swg_kernels RIA_K(swg_kernels) = {
    load_kernels, resident, launch_step, launch_tick, launch_meet,   arrange,  survey,
    copy,         assign,   sample,      add,         begin_maximum, find_bad, relax,
};
