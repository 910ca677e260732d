/* gpu/partition.cuh - tridiagonal systems on a GPU, a line in segments: engine/primitives/tridiag.
 *
 * A thread holds one segment, M unknowns after each other, in registers. It eliminates downwards,
 * which says each unknown by the next one and by the last unknown of the segment before; what the
 * first one then says of both ends of the segment goes to the thread before, and one row a segment
 * is left, of the last unknowns. A block solves those by parallel cyclic reduction in shared
 * memory; where a line takes several blocks, a cluster, unknowns beyond the block stay in the rows,
 * and the few that join blocks are solved by every thread for itself. Then each thread substitutes
 * backwards, in registers again.
 *
 * Included once a precision, with RIA_PRECISION set. */
#include "primitives/tridiag/tridiag_k.h"

#include <cooperative_groups.h>

#ifndef RIA_GPU_PARTITION_ONCE
#define RIA_GPU_PARTITION_ONCE
/* How lines lie on threads: M unknowns a thread, S segments of a line and C lines a block, K blocks
 * a line. Lines are rows of a plane (lanes side by side hold segments of one row) or columns (lanes
 * hold the same segment of columns side by side): each loads whole sectors. */
template <int M_, int S_, int C_, int K_, bool ROWS_> struct lines_of {
  static constexpr int M = M_, S = S_, C = C_, K = K_, T = S_ * C_;
  static constexpr bool ROWS = ROWS_;
  static constexpr int STEP = ROWS ? 1 : C; /* to the thread of the next segment */
  static constexpr int MOST = M * S * K;    /* unknowns of a line */
  static __device__ __forceinline__ int segment() {
    return ROWS ? threadIdx.x % S : threadIdx.x / C;
  }
  static __device__ __forceinline__ int line() {
    return ROWS ? threadIdx.x / S : threadIdx.x % C;
  }
  static __device__ __forceinline__ int rank() { return K > 1 ? blockIdx.x % K : 0; }
  static __device__ __forceinline__ int first_line() { return (int)(blockIdx.x / K) * C; }
};

/* Blocks of a cluster may write into each other's memory once all have begun: say so first ... */
template <typename L> static __device__ __forceinline__ void cluster_begin() {
  if (L::K > 1) asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::);
}
/* ... and wait for the others before. */
template <typename L> static __device__ __forceinline__ void cluster_begun() {
  if (L::K > 1) asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}
#endif

namespace {

typedef RIA_K(tri_row) tri_row;
#define R RIA_PRECISION

/* Shared memory of a block. */
template <typename L> struct line_room {
  R part[2][3][L::T];
  R ends[L::K][6][L::C]; /* first and last rows of each block of the cluster */
  R mine[6][L::C];
};

template <typename L> __device__ __forceinline__ tri_row row_at(const R (*part)[L::T], int k) {
  return {part[0][k], part[1][k], part[2][k]};
}
template <typename L> __device__ __forceinline__ void put_row(R (*part)[L::T], int k, tri_row r) {
  part[0][k] = r.a, part[1][k] = r.c, part[2][k] = r.d;
}

/* The unknowns beyond the block on both sides: `first` and `last` say the first unknown of the block
 * and its last one by them. Every thread solves for its line what joins the blocks. */
template <typename L>
__device__ __forceinline__ void join_blocks(line_room<L> *room, tri_row first, tri_row last, R *left,
                                            R *right) {
  const int s = L::segment(), c = L::line(), rank = L::rank();
  if (s == 0) room->mine[0][c] = first.a, room->mine[1][c] = first.c, room->mine[2][c] = first.d;
  if (s == L::S - 1) room->mine[3][c] = last.a, room->mine[4][c] = last.c, room->mine[5][c] = last.d;
  __syncthreads();
  cluster_begun<L>();
  cooperative_groups::cluster_group all = cooperative_groups::this_cluster();
  for (int k = threadIdx.x; k < L::K * 6 * L::C; k += L::T) {
    line_room<L> *to = all.map_shared_rank(room, k / (6 * L::C));
    const int o = k % (6 * L::C);
    to->ends[rank][o / L::C][o % L::C] = room->mine[o / L::C][o % L::C];
  }
  all.sync();
  R al[L::K], be[L::K], p[L::K], q[L::K]; /* left of r = al - be f, f = p - q (first of r + 1) */
  R a = 0, b = 0;
#pragma unroll
  for (int r = 0; r < L::K; r++) {
    const tri_row f = {room->ends[r][0][c], room->ends[r][1][c], room->ends[r][2][c]};
    const tri_row e = {room->ends[r][3][c], room->ends[r][4][c], room->ends[r][5][c]};
    const R w = RIA_K(ria_inv)(1 - f.a * b);
    al[r] = a, be[r] = b;
    p[r] = (f.d - f.a * a) * w;
    q[r] = f.c * w;
    a = e.d - e.a * (al[r] - be[r] * p[r]);
    b = e.c + e.a * be[r] * q[r];
  }
  R next = 0;
#pragma unroll
  for (int r = L::K - 1; r >= 0; r--) {
    const R f = p[r] - q[r] * next;
    if (r == rank) {
      *right = next;
      *left = al[r] - be[r] * f;
    }
    next = f;
  }
}

/* Of a segment: `first` says its first unknown by the last unknown of the segment before (a) and by
 * its own last one (c); the row of the last one is `last`: last.a (segment before) + b x + last.c
 * (first unknown of the next segment) = last.d. Gives the last unknown, and that of the segment
 * before (0 where the line begins). All threads of the block take part. */
template <typename L>
__device__ __forceinline__ R solve_segments(line_room<L> *room, tri_row first, tri_row last, R b,
                                            R *before) {
  const int t = threadIdx.x, s = L::segment();
  put_row<L>(room->part[0], t, first);
  __syncthreads();
  if (s < L::S - 1) {
    const tri_row next = row_at<L>(room->part[0], t + L::STEP);
    last.d -= last.c * next.d;
    b -= last.c * next.a;
    last.c = -(last.c * next.c);
  }
  const R w = RIA_K(ria_inv)(b);
  last.a *= w, last.c *= w, last.d *= w;
  int to = 1;
#pragma unroll
  for (int d = 1; d < L::S; d *= 2) {
    put_row<L>(room->part[to], t, last);
    __syncthreads();
    const bool no_left = s < d, no_right = s + d >= L::S;
    const tri_row none = {0, 0, 0};
    const tri_row l = no_left ? none : row_at<L>(room->part[to], t - d * L::STEP);
    const tri_row r = no_right ? none : row_at<L>(room->part[to], t + d * L::STEP);
    last = RIA_K(tri_reduce)(l, last, r, no_left, no_right);
    to = 1 - to;
  }
  R left = 0, right = 0;
  if constexpr (L::K > 1) {
    const tri_row f = {first.a - first.c * last.a, -(first.c * last.c),
                       first.d - first.c * last.d};
    join_blocks<L>(room, f, last, &left, &right);
  }
  const R x = RIA_K(tri_solve)(last, left, right);
  room->part[to][0][t] = x;
  __syncthreads();
  *before = s > 0 ? room->part[to][0][t - L::STEP] : left;
  return x;
}

#undef R
} // namespace
