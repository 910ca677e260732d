/* gpu/machine/partition.cuh - tridiagonal systems on a GPU, a line in segments:
 * engine/primitives/tridiag.
 *
 * A thread holds one segment, M unknowns after each other, in registers. It eliminates downwards,
 * which says each unknown by the next one and by the last unknown of the segment before; what the
 * first one then says of both ends of the segment goes to the thread before, and one row a segment
 * is left, of the last unknowns. A block solves those by parallel cyclic reduction in shared
 * memory; where a line takes several blocks, a cluster, unknowns beyond the block stay in the rows,
 * and the few that join blocks are solved by one thread a line. Then each thread substitutes
 * backwards, in registers again.
 *
 * Where a product and a sum are fused is written out: lines that are solved whole and those of
 * parts of a grid (gpu/adi/apart.cuh) have the same bits. Included once a precision, with
 * RIA_PRECISION set. */
#include "primitives/tridiag/tridiag_k.h"

#ifndef RIA_GPU_PARTITION_ONCE
#define RIA_GPU_PARTITION_ONCE
#include "cluster.cuh"

/* How lines lie on threads, chosen by the host: M unknowns a thread, `segments` of a line (a power
 * of two) and `lines` lines a block, `blocks` blocks a line. Lines are rows of a plane (lanes side
 * by side hold segments of one row) or columns (lanes hold the same segment of columns side by
 * side): either loads whole sectors. */
typedef struct line_layout {
  int m, segments, lines, blocks;
} line_layout;

static inline int layout_threads(const line_layout *l) { return l->segments * l->lines; }
static inline int64_t layout_reach(const line_layout *l) {
  return (int64_t)l->m * l->segments * l->blocks;
}
static inline unsigned layout_grid(const line_layout *l, int lines) {
  return (unsigned)((lines + l->lines - 1) / l->lines * l->blocks);
}
/* Shared memory for solve_segments, and what else a kernel wants for each thread. */
static inline size_t layout_room(const line_layout *l, size_t real, int more) {
  return real * ((size_t)(6 + more) * layout_threads(l) + 6 * (size_t)l->lines * (l->blocks + 1));
}

/* Numbers of the seam of a line that closes upon itself (below):
 * a (last unknown of the segment before) + b X + c (first of the line) = d. */
enum { SEAM_A, SEAM_B, SEAM_C, SEAM_D, SEAM };

/* The layout as a thread sees it. */
template <bool ROWS, bool CLUSTER> struct lines_here {
  int segments, lines, blocks, threads;
  int segment, line, rank, first_line;
  int together, beside; /* blocks of the cluster, and which of them this is */
  int step;             /* to the thread of the next segment */
  __device__ __forceinline__ explicit lines_here(const line_layout &l) {
    segments = l.segments, lines = l.lines, blocks = CLUSTER ? l.blocks : 1;
    threads = blockDim.x;
    const int shift = 31 - __clz(ROWS ? segments : lines), t = threadIdx.x;
    const int low = t & ((1 << shift) - 1), high = t >> shift;
    segment = ROWS ? low : high, line = ROWS ? high : low;
    rank = CLUSTER ? blockIdx.x % blocks : 0;
    first_line = (CLUSTER ? blockIdx.x / blocks : blockIdx.x) * lines;
    step = ROWS ? 1 : lines;
    together = blocks, beside = rank;
  }
};
#endif

namespace {

#define R RIA_PRECISION

/* Rows in shared memory, by thread: [a, c, d][threads]. */
__device__ __forceinline__ tri_row row_at(const R *part, int threads, int k) {
  return {part[k], part[threads + k], part[2 * threads + k]};
}
__device__ __forceinline__ void put_row(R *part, int threads, int k, tri_row r) {
  part[k] = r.a, part[threads + k] = r.c, part[2 * threads + k] = r.d;
}

/* The unknowns beyond the block on both sides, from what all blocks of the line say in `ends`:
 * [blocks][6][lines], then [6][lines] that are left for this block. With the last unknown of block
 * r as al - be f, f the first of block r + 1, and each first as p - q f, one thread a line goes
 * forth and back. */
template <typename H>
__device__ __forceinline__ void join_ends(const H &h, R *ends, R *left, R *right) {
  const int c = h.line, n = h.lines;
  R *mine = ends + (size_t)h.blocks * 6 * n;
  if (h.segment == 0) {
    R a = 0, b = 0;
    for (int r = 0; r < h.blocks; r++) {
      R *e = ends + r * 6 * n + c;
      const tri_row f = {e[0], e[n], e[2 * n]}, l = {e[3 * n], e[4 * n], e[5 * n]};
      const R w = ria_inv(ria_fused(-f.a, b, (R)1)), q = f.c * w;
      const R p = ria_fused(-f.a, a, f.d) * w;
      e[0] = a, e[n] = b, e[2 * n] = p, e[3 * n] = q;
      const R next = ria_fused(-l.a, ria_fused(-b, p, a), l.d);
      b = ria_fused(l.a * b, q, l.c);
      a = next;
    }
    R next = 0;
    for (int r = h.blocks - 1; r >= h.rank; r--) {
      const R *e = ends + r * 6 * n + c;
      const R f = ria_fused(-e[3 * n], next, e[2 * n]);
      if (r == h.rank) mine[c] = ria_fused(-e[n], f, e[0]), mine[n + c] = next;
      next = f;
    }
  }
  __syncthreads();
  *left = mine[c], *right = mine[n + c];
}

/* The same of blocks of a cluster: `first` and `last` say the first unknown of the block and its
 * last one by those beyond. */
template <typename H>
__device__ __forceinline__ void join_blocks(const H &h, R *ends, tri_row first, tri_row last,
                                            R *left, R *right) {
  const int c = h.line, n = h.lines;
  R *mine = ends + (size_t)h.blocks * 6 * n;
  if (h.segment == 0) mine[c] = first.a, mine[n + c] = first.c, mine[2 * n + c] = first.d;
  if (h.segment == h.segments - 1)
    mine[3 * n + c] = last.a, mine[4 * n + c] = last.c, mine[5 * n + c] = last.d;
  __syncthreads();
  cluster_begun();
  for (int k = threadIdx.x; k < h.blocks * 6 * n; k += h.threads)
    cluster_room(ends, k / (6 * n))[h.rank * 6 * n + k % (6 * n)] = mine[k % (6 * n)];
  cluster_sync();
  join_ends(h, ends, left, right);
}

/* Of a segment: `first` says its first unknown by the last unknown of the segment before (a) and by
 * its own last one (c); the row of the last one is last.a (segment before) + b x + last.c (first
 * unknown of the next segment) = last.d. Gives the row of the last unknown by those beyond the
 * block. All threads of the block take part. room: [6][threads]; *free: a half of it that may be
 * written. */
template <typename H>
__device__ __forceinline__ tri_row reduce_segments(const H &h, R *room, tri_row first, tri_row last,
                                                   R b, int *free) {
  const int t = threadIdx.x, n = h.threads;
  put_row(room, n, t, first);
  __syncthreads();
  if (h.segment < h.segments - 1) {
    const tri_row next = row_at(room, n, t + h.step);
    last.d = ria_fused(-last.c, next.d, last.d);
    b = ria_fused(-last.c, next.a, b);
    last.c = -(last.c * next.c);
  }
  const R w = ria_inv(b);
  last.a *= w, last.c *= w, last.d *= w;
  int to = 3 * n;
  for (int d = 1; d < h.segments; d *= 2) {
    put_row(room + to, n, t, last);
    __syncthreads();
    const bool no_left = h.segment < d, no_right = h.segment + d >= h.segments;
    const tri_row none = {0, 0, 0};
    const tri_row l = no_left ? none : row_at(room + to, n, t - d * h.step);
    const tri_row r = no_right ? none : row_at(room + to, n, t + d * h.step);
    last = tri_reduce(l, last, r, no_left, no_right);
    to = 3 * n - to;
  }
  *free = to;
  return last;
}

/* What the first unknown of a block is by those beyond it: of its first thread, as reduced. */
__device__ __forceinline__ tri_row first_of_block(tri_row first, tri_row last) {
  return {ria_fused(-first.c, last.a, first.a), -(first.c * last.c),
          ria_fused(-first.c, last.d, first.d)};
}

/* Gives the last unknown of each segment, and that of the segment before (0 where the line
 * begins). Arguments: of reduce_segments; room: layout_room. */
template <typename H, bool CLUSTER>
__device__ __forceinline__ R solve_segments(const H &h, R *room, tri_row first, tri_row last, R b,
                                            R *before) {
  const int t = threadIdx.x, n = h.threads;
  int to;
  last = reduce_segments(h, room, first, last, b, &to);
  R left = 0, right = 0;
  if constexpr (CLUSTER)
    join_blocks(h, room + 6 * n, first_of_block(first, last), last, &left, &right);
  const R x = tri_solve(last, left, right);
  room[to + t] = x;
  __syncthreads();
  *before = h.segment > 0 ? room[to + t - h.step] : left;
  return x;
}

/* --- lines that close upon themselves -----------------------------------------------------------
 *
 * The last unknown of such a line is the one before its first: X. Its row is kept apart, the seam;
 * in its place, and in those of what fills up the last segments, each unknown is the next one, and
 * what lies beyond the line on both sides is X. So the segments are reduced as those of other
 * lines; blocks say their ends by X, too; and the seam says X by the line's first unknown and the
 * one before its last. */

/* By the thread whose segment has the seam, once segments are reduced: a is of the last unknown of
 * the block before, instead. before: the row of the segment before, in the same block. */
__device__ __forceinline__ void reduce_seam(R *seam, tri_row before) {
  const R a = seam[SEAM_A];
  seam[SEAM_D] = ria_fused(-a, before.d, seam[SEAM_D]);
  seam[SEAM_B] = ria_fused(-a, before.c, seam[SEAM_B]);
  seam[SEAM_A] = -(a * before.a);
}

/* As join_ends, with all of a line's blocks in `ends`; with f the first unknown of block r + 1 its
 * last one is al - be f + ga X, and each first p - q f - s X. seam: [lines][SEAM], reduced, of
 * block `owner`. */
template <typename H>
__device__ __forceinline__ void join_ring(const H &h, R *ends, const R *seam, int owner, R *left,
                                          R *right, R *crosses) {
  const int c = h.line, n = h.lines;
  R *mine = ends + (size_t)h.blocks * 6 * n;
  if (h.segment == 0) {
    R a = 0, b = 0, g = 1;
    for (int r = 0; r < h.blocks; r++) {
      R *e = ends + r * 6 * n + c;
      const tri_row f = {e[0], e[n], e[2 * n]}, l = {e[3 * n], e[4 * n], e[5 * n]};
      const R w = ria_inv(ria_fused(-f.a, b, (R)1)), q = f.c * w, s = f.a * g * w;
      const R p = ria_fused(-f.a, a, f.d) * w;
      e[0] = a, e[n] = b, e[2 * n] = p, e[3 * n] = q, e[4 * n] = g, e[5 * n] = s;
      a = ria_fused(-l.a, ria_fused(-b, p, a), l.d);
      g = -(l.a * ria_fused(b, s, g));
      b = ria_fused(l.a * b, q, l.c);
    }
    R y = 0, z = 1, y_last = 0, z_last = 0; /* a first unknown, what precedes the owner: y + z X */
    for (int r = h.blocks - 1; r >= 0; r--) {
      const R *e = ends + r * 6 * n + c;
      y = ria_fused(-e[3 * n], y, e[2 * n]);
      z = ria_fused(-e[3 * n], z, -e[5 * n]);
      if (r == owner) y_last = ria_fused(-e[n], y, e[0]), z_last = ria_fused(-e[n], z, e[4 * n]);
    }
    const R *of = seam + SEAM * c;
    const R due = ria_fused(-of[SEAM_C], y, ria_fused(-of[SEAM_A], y_last, of[SEAM_D]));
    const R by = ria_fused(of[SEAM_C], z, ria_fused(of[SEAM_A], z_last, of[SEAM_B]));
    const R x = due * ria_inv(by);
    R next = x;
    for (int r = h.blocks - 1; r >= h.rank; r--) {
      const R *e = ends + r * 6 * n + c;
      const R f = ria_fused(-e[5 * n], x, ria_fused(-e[3 * n], next, e[2 * n]));
      if (r == h.rank)
        mine[c] = ria_fused(e[4 * n], x, ria_fused(-e[n], f, e[0])), mine[n + c] = next;
      next = f;
    }
    mine[2 * n + c] = x;
  }
  __syncthreads();
  *left = mine[c], *right = mine[n + c], *crosses = mine[2 * n + c];
}

/* As solve_segments. seam: [lines][SEAM], written by the thread whose segment has the seam, number
 * `at` of the line; *crosses: X. */
template <typename H, bool CLUSTER>
__device__ __forceinline__ R solve_ring(const H &h, R *room, tri_row first, tri_row last, R b,
                                        R *seam, int at, R *before, R *crosses) {
  const int t = threadIdx.x, n = h.threads, c = h.line, lines = h.lines;
  const int owner = at / h.segments;
  R *ends = room + 6 * n, *mine = ends + (CLUSTER ? (size_t)h.blocks * 6 * lines : 0);
  int to;
  last = reduce_segments(h, room, first, last, b, &to);
  put_row(room + to, n, t, last);
  if (h.segment == 0) put_row(mine, lines, c, first_of_block(first, last));
  if (h.segment == h.segments - 1) put_row(mine + 3 * lines, lines, c, last);
  __syncthreads();
  if (h.rank == owner && h.segment == at % h.segments && h.segment > 0)
    reduce_seam(seam + SEAM * c, row_at(room + to, n, t - h.step));
  __syncthreads();
  if constexpr (CLUSTER) {
    cluster_begun();
    for (int k = t; k < h.blocks * 6 * lines; k += n)
      cluster_room(ends, k / (6 * lines))[h.rank * 6 * lines + k % (6 * lines)] =
          mine[k % (6 * lines)];
    for (int k = t; h.rank == owner && k < h.blocks * SEAM * lines; k += n)
      if (k / (SEAM * lines) != owner)
        cluster_room(seam, k / (SEAM * lines))[k % (SEAM * lines)] = seam[k % (SEAM * lines)];
    cluster_sync();
  }
  R left, right;
  join_ring(h, ends, seam, owner, &left, &right, crosses);
  const R x = tri_solve(last, left, right);
  room[to + t] = x;
  __syncthreads();
  *before = h.segment > 0 ? room[to + t - h.step] : left;
  return x;
}

#undef R
} // namespace
