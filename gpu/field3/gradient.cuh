/* gradient.cuh - all three derivatives of a 3-D field in one pass, in one precision
 * (RIA_PRECISION). Included after derive.cuh.
 *
 * A block marches a tile along z. Planes come to a ring in shared memory by asynchronous copies
 * that no register waits for, with the values beside the tile. Along z a thread keeps its own
 * column in registers; along x and y it looks at the plane in the middle. */
namespace {

struct f3_gradient {
  const R *f;
  R *out[3];
  int n[3], lo[3], hi[3];
  int64_t row, plane; /* strides of y and z */
  int first, last;    /* planes that are asked for */
  int segment;        /* planes a block marches */
  R c[3][FD_HALF_MAX + 1];
};

/* A plane of the tile of a block: X vectors of T rows, and what is beside it. */
template <int H, int X, int T> struct f3_tile { R v[T + 2 * H][X * W + 2 * FD_HALF_MAX]; };

#ifndef F3_COPY_ASYNC
#define F3_COPY_ASYNC
template <int BYTES> __device__ __forceinline__ void f3_copy_async(void *to, const void *from) {
  const unsigned at = (unsigned)__cvta_generic_to_shared(to);
  if (BYTES == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(BYTES)
                 : "memory");
}

#endif
/* A vector of a row that may go round its end, on its way to shared memory. */
template <bool WHOLE> __device__ __forceinline__ void f3_fetch(R *to, const R *row, int i, int n) {
  if (WHOLE || i + W <= n) {
    f3_copy_async<16>(to, row + i);
  } else {
#pragma unroll
    for (int e = 0; e < W; e++) {
      const int k = i + e < n ? i + e : i + e - n;
      f3_copy_async<sizeof(R)>(to + e, row + (k < n ? k : 0));
    }
  }
}

/* What a thread fetches of every plane of a tile: a vector of its own, some of the rows above and
 * below, one beside a row. Offsets in the plane, and places in the tile. */
template <int H, int X, int T, bool WHOLE> struct f3_fetcher {
  static constexpr int BY = (2 * H + T - 1) / T; /* rows above and below, of a thread */
  int n, i, own, above[BY], above_at[BY], side_i, side, side_at, side_row;

  static __device__ __forceinline__ int round(int at, int n) {
    return at < 0 ? at + n : at >= n ? at % n : at;
  }

  __device__ __forceinline__ f3_fetcher(const f3_gradient &a, int tx, int ty) {
    const int i0 = (int)blockIdx.x * X * W, j0 = (int)blockIdx.y * T, row = (int)a.row;
    n = a.n[0];
    i = WHOLE ? round(i0 + tx * W, n) : i0 + tx * W;
    own = round(j0 + ty, a.n[1]) * row;
#pragma unroll
    for (int r = 0; r < BY; r++) {
      const int beside = ty + r * T;
      above_at[r] = beside < H ? beside : T + beside;
      above[r] = round(j0 - H + above_at[r], a.n[1]) * row;
    }
    const int t = ty * X + tx, place = t % (2 * SIDE);
    side_row = t / (2 * SIDE);
    side_at = place < SIDE ? place * W : (X + place) * W;
    side_i = i0 - FD_HALF_MAX + side_at;
    if (WHOLE) side_i = round(side_i, n);
    side = round(j0 + side_row, a.n[1]) * row;
  }

  __device__ __forceinline__ void operator()(f3_tile<H, X, T> &s, const R *f, int tx,
                                             int ty) const {
    f3_fetch<WHOLE>(&s.v[ty + H][FD_HALF_MAX + tx * W], f + own, i, n);
#pragma unroll
    for (int r = 0; r < BY; r++)
      if (ty + r * T < 2 * H)
        f3_fetch<WHOLE>(&s.v[above_at[r]][FD_HALF_MAX + tx * W], f + above[r], i, n);
    if (side_row >= T) return;
    R *const to = &s.v[side_row + H][side_at];
    if (WHOLE || side_i >= 0) {
      f3_fetch<WHOLE>(to, f + side, side_i, n);
    } else {
#pragma unroll
      for (int e = 0; e < W; e++) f3_copy_async<sizeof(R)>(to + e, f + side + side_i + e + n);
    }
  }
};

template <int H, int X, int T, int AHEAD, int BLOCKS, bool WHOLE>
__global__ void __launch_bounds__(X *T, BLOCKS) f3_gradients(const f3_gradient a) {
  extern __shared__ __align__(16) unsigned char f3_shared[];
  typedef f3_tile<H, X, T> tile;
  constexpr int SLOTS = H + 1 + AHEAD; /* planes k .. k + H + AHEAD */
  tile *const ring = reinterpret_cast<tile *>(f3_shared);
  const auto slot = [&](int k) -> tile & { return ring[(unsigned)k % SLOTS]; };
  const int tx = threadIdx.x, ty = threadIdx.y, x = FD_HALF_MAX + tx * W;
  const int i = ((int)blockIdx.x * X + tx) * W, j = (int)blockIdx.y * T + ty;
  const int k0 = a.first + (int)blockIdx.z * a.segment;
  const int k1 = k0 + a.segment < a.last ? k0 + a.segment : a.last;
  const f3_fetcher<H, X, T, WHOLE> fetcher(a, tx, ty);
  const auto plane = [&](int k) {
    return a.f + (k < 0 ? k + a.n[2] : k >= a.n[2] ? k - a.n[2] : k) * a.plane;
  };
  const auto fetch = [&](int k) {
    if (k < k1 + H) fetcher(slot(k), plane(k), tx, ty);
    asm volatile("cp.async.commit_group;" ::: "memory");
  };

  V q[2 * H + 1];
#pragma unroll
  for (int m = 0; m < H; m++) /* of planes below the first this thread's own column alone */
    q[m] = f3_round(plane(k0 - H + m) + fetcher.own, fetcher.i, a.n[0]);
  for (int k = k0; k < k0 + H + AHEAD; k++) fetch(k);
  asm volatile("cp.async.wait_group %0;" ::"n"(AHEAD) : "memory"); /* k0 .. k0 + H - 1 are there */
#pragma unroll
  for (int m = 0; m < H; m++) q[H + m] = f3_load(&slot(k0 + m).v[ty + H][x]);

  const bool mine = j < a.n[1] && i < a.n[0], mine_y = mine && j >= a.lo[1] && j < a.hi[1];
  int64_t to = k0 * a.plane + (int64_t)j * a.row + i;
  for (int k = k0; k < k1; k++, to += a.plane) {
    asm volatile("cp.async.wait_group %0;" ::"n"(AHEAD - 1) : "memory"); /* plane k + H is there */
    __syncthreads();
    fetch(k + H + AHEAD); /* over plane k - 1 */
    const tile &s = slot(k);
    V w[2 * H + 1], d;
    q[2 * H] = f3_load(&slot(k + H).v[ty + H][x]);
    d = f3_across<H, false>(a.c[2], q);
    if (mine && k >= a.lo[2] && k < a.hi[2]) f3_store(a.out[2] + to, d);
#pragma unroll
    for (int m = 0; m <= 2 * H; m++) w[m] = m == H ? q[H] : f3_load(&s.v[ty + m][x]);
    d = f3_across<H, false>(a.c[1], w);
    if (mine_y) f3_store(a.out[1] + to, d);
    V along[2 * SIDE + 1];
#pragma unroll
    for (int m = 0; m <= 2 * SIDE; m++)
      along[m] = m == SIDE ? q[H] : f3_load(&s.v[ty + H][(tx + m) * W]);
    d = f3_row<H, false>(a.c[0], along);
    if (mine) f3_store_some(a.out[0] + to, d, i, a.lo[0], a.hi[0]);
#pragma unroll
    for (int m = 0; m < 2 * H; m++) q[m] = q[m + 1];
  }
}

} // namespace
