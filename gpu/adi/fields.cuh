/* gpu/adi/fields.cuh - fields of the implicit solver in and out, per precision. Included after
 * rings.cuh. */
namespace {
#define R RIA_PRECISION

__device__ __forceinline__ double depth_at(const adig_state *s, ptrdiff_t at) {
  const double h = (double)in(s->level)[at] - (double)in(s->bed)[at];
  return h > 0 ? h : 0;
}

__device__ __forceinline__ double field_at(const adig_state *s, int field, const void *load,
                                           ptrdiff_t at) {
  const ptrdiff_t st = (ptrdiff_t)s->v.stride;
  const R *p = in(s->p) + at, *q = in(s->q) + at, *o = in(s->q_old) + at;
  const double q_now = 0.5 * ((double)q[-st] + (double)q[0]);
  const double q_old = 0.5 * ((double)o[-st] + (double)o[0]);
  const water_cell here = {depth_at(s, at), 0.5 * ((double)p[-1] + (double)p[0]),
                           0.5 * (q_now + q_old), (double)in(s->bed)[at]};
  if (field == WATER_LEVEL) return here.h > s->dry ? (double)in(s->level)[at] : (double)NAN;
  return water_value(field, here, load ? (double)in(load)[at] : 0.0, s->gravity, s->dry, s->axes);
}

__global__ void __launch_bounds__(EACH)
    derive(const __grid_constant__ adig_state s, int field, const void *load, void *to) {
  FOR_EACH(k, (int64_t)s.v.nx * s.v.ny) {
    const ptrdiff_t at = (ptrdiff_t)ria_gpu_at(&s.v, (int)(k % s.v.nx), (int)(k / s.v.nx));
    if (!s.whatever && idle(s.bad, s.step)) { /* a maximum must not see it */
      out(to)[at] = (R)NAN;
      continue;
    }
    out(to)[at] = (R)(field == WATER_MANNING ? s.manning_one : field_at(&s, field, load, at));
  }
}

/* Level less bed, not cut at 0. */
__global__ void __launch_bounds__(EACH) density(const __grid_constant__ adig_state s, void *to) {
  FOR_EACH(k, (int64_t)s.v.nx * s.v.ny) {
    const ptrdiff_t at = (ptrdiff_t)ria_gpu_at(&s.v, (int)(k % s.v.nx), (int)(k / s.v.nx));
    out(to)[at] = in(s.level)[at] - in(s.bed)[at];
  }
}

/* A value into each cell; what it makes of the cell's discharge is left in cells. */
__global__ void __launch_bounds__(EACH)
    set_cells(const __grid_constant__ adig_state s, int field, void *load, double *cells) {
  FOR_EACH(k, (int64_t)s.v.nx * s.v.ny) {
    const ptrdiff_t at = (ptrdiff_t)ria_gpu_at(&s.v, (int)(k % s.v.nx), (int)(k / s.v.nx));
    const double v = water_given(field, cells[k]);
    const double h = depth_at(&s, at), z = (double)in(s.bed)[at];
    if (field == WATER_BED) {
      out(s.bed)[at] = (R)v;
      out(s.level)[at] = (R)((double)in(s.bed)[at] + h);
    }
    if (field == WATER_MANNING) out(s.manning)[at] = (R)v;
    if (field == WATER_LEVEL || field == WATER_DEPTH) {
      water_cell here = {h, 1, 1, z};
      const double scale = water_set_flow(field, v, s.dry, &here);
      out(s.level)[at] = (R)(field == WATER_LEVEL ? (here.h > 0 ? v : z) : z + here.h);
      for (int m = 0; m < s.nt; m++) out(s.load[m])[at] = (R)((double)in(s.load[m])[at] * scale);
      cells[k] = here.qx;
    }
    if (field == WATER_QX || field == WATER_QY) cells[k] = h > s.dry ? v : 0;
    if (field == WATER_U || field == WATER_V) cells[k] = h > s.dry ? v * h : 0;
    if (field == WATER_LOAD || field == WATER_CONC) out(load)[at] = (R)water_set_load(field, v, h);
  }
}

/* Discharges of cells, or factors on them, for the faces along an axis of both buffers. */
__global__ void __launch_bounds__(EACH)
    set_faces(const __grid_constant__ adig_state s, int axis, const double *cells, int factor,
              void *now, void *old) {
  const int nx = s.v.nx, ny = s.v.ny, x = axis == ADI_X;
  const int wide = nx + x, high = ny + !x;
  FOR_EACH(k, (int64_t)wide * high) {
    const int i = (int)(k % wide) - x, j = (int)(k / wide) - !x;
    const int il = i < 0 ? 0 : i, jl = j < 0 ? 0 : j;
    const int ir = x && i + 1 < nx ? i + 1 : il, jr = !x && j + 1 < ny ? j + 1 : jl;
    const double v = 0.5 * (cells[(int64_t)jl * nx + il] + cells[(int64_t)jr * nx + ir]);
    const size_t at = ria_gpu_at(&s.v, i, j);
    out(now)[at] = (R)(factor ? (double)in(now)[at] * v : v);
    out(old)[at] = (R)(factor ? (double)in(old)[at] * v : v);
  }
}

/* Faces that are closed, and those of walls, carry nothing; those of periodic sides are one. */
__global__ void __launch_bounds__(EACH)
    settle_faces(const __grid_constant__ adig_state s, int axis, void *now, void *old) {
  const int nx = s.v.nx, ny = s.v.ny, x = axis == ADI_X;
  const int wide = nx + x, high = ny + !x;
  FOR_EACH(k, (int64_t)wide * high) {
    const int i = (int)(k % wide) - x, j = (int)(k / wide) - !x;
    const int first = x ? i < 0 : j < 0, last = x ? i == nx - 1 : j == ny - 1;
    const ptrdiff_t at = (ptrdiff_t)ria_gpu_at(&s.v, i, j), to = x ? 1 : (ptrdiff_t)s.v.stride;
    bool shut = false, outlet = false;
    if ((first || last) && (x ? s.rings.x : s.rings.y)) {
      if (first && (x || !s.beyond)) /* else join_seam does, when all have said what they have */
        join_faces(s, at, ria_gpu_at(&s.v, x ? nx - 1 : i, x ? j : ny - 1), to, now, old);
      continue;
    }
    if (first || last) {
      const int side = x ? (first ? RIA_WEST : RIA_EAST) : (first ? RIA_SOUTH : RIA_NORTH);
      const int rim = s.v.first[side] + (x ? j : i);
      const int kind = s.v.stretch ? s.v.stretch[s.v.owner[rim]].kind : SIDE_WALL;
      outlet = kind == SIDE_RATING;
      shut = kind == SIDE_WALL || !(depth_at(&s, first ? at + to : at) > 0);
    } else {
      shut = is_closed(s, at, at + to);
    }
    for (R *u : {&out(now)[at], &out(old)[at]})
      if (shut || (outlet && (first ? *u > 0 : *u < 0))) *u = 0;
  }
}

__global__ void __launch_bounds__(EACH) join_seam(const __grid_constant__ adig_state s, int row,
                                                  const double *low, void *one, void *other) {
  FOR_EACH(i, s.v.nx) {
    const size_t at = ria_gpu_at(&s.v, (int)i, row);
    const bool closed = is_closed(s, at, at + s.v.stride);
    for (int b = 0; b < 2; b++) {
      R *u = out(b ? other : one) + at;
      const double mean = 0.5 * (low[(int64_t)b * s.v.nx + i] + (double)*u);
      *u = (R)(closed ? 0 : mean);
    }
  }
}

__global__ void __launch_bounds__(EACH)
    add_cells(const __grid_constant__ adig_state s, int quantity, int n, const int32_t *cell,
              const double *amount) {
  R *plane = out(quantity == 0 ? s.level : s.load[quantity - 1]);
  FOR_EACH(k, n) {
    const size_t at = ria_gpu_at(&s.v, cell[k] % s.v.nx, cell[k] / s.v.nx);
    const double empty = quantity == 0 ? (double)in(s.bed)[at] : 0.0;
    const double v = (double)plane[at] + amount[k] / (s.v.dx * s.v.dy);
    plane[at] = (R)(v > empty ? v : empty);
  }
}

__global__ void __launch_bounds__(EACH)
    find_bad(const __grid_constant__ adig_state s, const void *level, const void *flux,
             unsigned long long *cell) {
  const ria_gpu_view &v = s.v;
  const int64_t before = (int64_t)(s.base + s.begin) * v.nx;
  FOR_EACH(k, (int64_t)v.nx * (s.end - s.begin)) {
    const size_t at = ria_gpu_at(&v, (int)(k % v.nx), s.begin + (int)(k / v.nx));
    if (!(fabs((double)in(level)[at]) < 1e30 && fabs((double)in(flux)[at]) < 1e30))
      atomicMin(cell, (unsigned long long)(before + k));
  }
}

/* --- launches --------------------------------------------------------------------------------- */

cudaError_t do_derive(const adig_state *s, int field, const void *load, void *to, cudaStream_t st) {
  return OVER_CELLS(derive, &s->v, st, *s, field, load, to);
}
cudaError_t do_density(const adig_state *s, void *to, cudaStream_t st) {
  return OVER_CELLS(density, &s->v, st, *s, to);
}
cudaError_t do_set_cells(const adig_state *s, int field, void *load, double *cells,
                         cudaStream_t st) {
  return OVER_CELLS(set_cells, &s->v, st, *s, field, load, cells);
}
cudaError_t do_set_faces(const adig_state *s, int axis, const double *cells, int factor, void *now,
                         void *old, cudaStream_t st) {
  return OVER_CELLS(set_faces, &s->v, st, *s, axis, cells, factor, now, old);
}
cudaError_t do_settle(const adig_state *s, int axis, void *now, void *old, cudaStream_t st) {
  return OVER_CELLS(settle_faces, &s->v, st, *s, axis, now, old);
}
cudaError_t do_join_seam(const adig_state *s, int row, const double *low, void *const flux[2],
                         cudaStream_t st) {
  return LAUNCH(join_seam, blocks_of(s->v.nx), st, *s, row, low, flux[0], flux[1]);
}
cudaError_t do_add(const adig_state *s, int quantity, int n, const int32_t *cell,
                   const double *amount, cudaStream_t st) {
  return LAUNCH(add_cells, blocks_of(n), st, *s, quantity, n, cell, amount);
}
cudaError_t do_find_bad(const adig_state *s, const void *level, const void *flux,
                        unsigned long long *cell, cudaStream_t st) {
  return OVER_CELLS(find_bad, &s->v, st, *s, level, flux, cell);
}

#undef R
} // namespace
