/* gpu/sediment/fields.cuh - fields of the two-sediment solver, for RIA_PRECISION;
 * and the table of its kernels. Included last. */
namespace {

__global__ void __launch_bounds__(SEDG_EACH)
    wrap_plane(const __grid_constant__ ria_gpu_view v, R *plane) {
  FOR_EACH(k, v.nx > v.ny ? v.nx : v.ny) {
    const int n = (int)k;
    if (n < v.nx) {
      plane[ria_gpu_at(&v, n, -1)] = plane[ria_gpu_at(&v, n, 0)];
      plane[ria_gpu_at(&v, n, v.ny)] = plane[ria_gpu_at(&v, n, v.ny - 1)];
    }
    if (n < v.ny) {
      plane[ria_gpu_at(&v, -1, n)] = plane[ria_gpu_at(&v, 0, n)];
      plane[ria_gpu_at(&v, v.nx, n)] = plane[ria_gpu_at(&v, v.nx - 1, n)];
    }
  }
}

__device__ __forceinline__ size_t at_of(const ria_gpu_view &v, int64_t cell) {
  return ria_gpu_at(&v, (int)(cell % v.nx), (int)(cell / v.nx));
}
#define EACH_CELL(K, V) FOR_EACH(K, (int64_t)(V).nx *(V).ny)

__global__ void __launch_bounds__(SEDG_EACH)
    fill_plane(const __grid_constant__ ria_gpu_view v, R *plane, double x) {
  EACH_CELL(k, v) plane[at_of(v, k)] = (R)x;
}

__global__ void __launch_bounds__(SEDG_EACH)
    spread_plane(const __grid_constant__ ria_gpu_view v, const R *plane, unsigned long long *out) {
  unsigned long long least = ~0ull, most = 0;
  EACH_CELL(k, v) {
    const unsigned long long x =
        (unsigned long long)__double_as_longlong((double)plane[at_of(v, k)] + 0.0); /* -0: 0 */
    least = x < least ? x : least;
    most = x > most ? x : most;
  }
  atomicMin(&out[0], least);
  atomicMax(&out[1], most);
}

__global__ void __launch_bounds__(SEDG_EACH)
    derive_field(const __grid_constant__ sedg_args a, int now, int field, R *to) {
  const R *h = (const R *)a.h[now];
  EACH_CELL(k, a.v) {
    const size_t at = at_of(a.v, k), up = a.v.stride;
    double x = a.sea;
    if (field == SED_DEPTH) x = (double)h[at] < a.sea ? a.sea - (double)h[at] : (double)NAN;
    if (field == SED_THICKNESS) x = (double)h[at] - (double)((const R *)a.base)[at];
    if (field == SED_SLOPE)
      x = sed_slope_of((double)h[at - 1], (double)h[at + 1], (double)h[at - up], (double)h[at + up],
                       a.v.dx, a.v.dy);
    to[at] = (R)x;
  }
}

__global__ void __launch_bounds__(SEDG_EACH)
    density_field(const __grid_constant__ sedg_args a, int now, int quantity, R *to) {
  const R *h = (const R *)a.h[now], *s = (const R *)a.s[now], *base = (const R *)a.base;
  const R layer = (R)a.pace.layer;
  EACH_CELL(k, a.v) {
    const size_t at = at_of(a.v, k);
    to[at] = quantity == SED_SAND ? layer * s[at] : layer * (1 - s[at]) + (h[at] - base[at]);
  }
}

__global__ void __launch_bounds__(SEDG_EACH)
    change_field(const __grid_constant__ sedg_args a, int now, const R *had, R *to) {
  const R *h = (const R *)a.h[now], *s = (const R *)a.s[now];
  EACH_CELL(k, a.v) {
    const size_t at = at_of(a.v, k);
    to[at] = s[at] * (h[at] - had[at]);
  }
}

/* --- queueing --------------------------------------------------------------------------------- */

cudaError_t queue_wrap(const sedg_args *a, void *plane, cudaStream_t stream) {
  const int n = a->v.nx > a->v.ny ? a->v.nx : a->v.ny;
  wrap_plane<<<blocks_for(n), SEDG_EACH, 0, stream>>>(a->v, (R *)plane);
  return cudaGetLastError();
}

unsigned all_blocks(const sedg_args *a) {
  const unsigned n = blocks_for((int64_t)a->v.nx * a->v.ny);
  return n < 4096 ? n : 4096;
}

cudaError_t queue_fill(const sedg_args *a, void *plane, double x, cudaStream_t stream) {
  fill_plane<<<all_blocks(a), SEDG_EACH, 0, stream>>>(a->v, (R *)plane, x);
  return cudaGetLastError();
}

cudaError_t queue_spread(const sedg_args *a, const void *plane, unsigned long long *out,
                         cudaStream_t stream) {
  spread_plane<<<all_blocks(a), SEDG_EACH, 0, stream>>>(a->v, (const R *)plane, out);
  return cudaGetLastError();
}

cudaError_t queue_derive(const sedg_args *a, int now, int field, void *to, cudaStream_t stream) {
  derive_field<<<all_blocks(a), SEDG_EACH, 0, stream>>>(*a, now, field, (R *)to);
  return cudaGetLastError();
}

cudaError_t queue_density(const sedg_args *a, int now, int quantity, void *to,
                          cudaStream_t stream) {
  density_field<<<all_blocks(a), SEDG_EACH, 0, stream>>>(*a, now, quantity, (R *)to);
  return cudaGetLastError();
}

cudaError_t queue_change(const sedg_args *a, int now, const void *had, void *to,
                         cudaStream_t stream) {
  change_field<<<all_blocks(a), SEDG_EACH, 0, stream>>>(*a, now, (const R *)had, (R *)to);
  return cudaGetLastError();
}

} // namespace

extern const sedg_kernels RIA_K(sedg) = {
    .pass = queue_pass,
    .tick = queue_tick,
    .meet = queue_meet,
    .wrap = queue_wrap,
    .fill = queue_fill,
    .spread = queue_spread,
    .derive = queue_derive,
    .density = queue_density,
    .change = queue_change,
    .add = queue_add,
    .resident = resident,
};
