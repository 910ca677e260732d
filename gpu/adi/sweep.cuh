/* gpu/adi/sweep.cuh - one sweep of the implicit solver, in one kernel: the rows of every line are
 * built from the planes, eliminated as they come (build.cuh), solved (partition.cuh), and what
 * comes out of them becomes fluxes and levels, so that a sweep reads and writes each plane once.
 *
 * A thread has M cells of a line after each other and the faces behind them; face -1, where a line
 * begins, belongs to the first thread. Rows (sweep along x) are read in vectors, columns (along y)
 * by lanes side by side; nothing is transposed.
 *
 * Where no cell around is thin, which the largest flux of the sweep before says at once, nothing is
 * limited across (adi_share_across is 1), and half of the flux across need not be read. Included
 * after build.cuh. */
namespace {
#define R RIA_PRECISION

enum {
  ADIG_THREADS = 512,
  SHORT_SEGMENT = 4, /* cells a thread */
  LONG_SEGMENT = 8,
  LONG_COLUMN = sizeof(R) == 4 ? 16 : 8
};

__device__ __forceinline__ int layout_room_of_solve(const line_layout &l) {
  return 6 * l.segments * l.lines + 6 * l.lines * (l.blocks + 1);
}

/* --- a sweep ---------------------------------------------------------------------------------- */

/* Factors for what leaves a thread's cells along. sum: old and new flux of each far face, and of
 * the face before the first cell. */
template <int M, bool RING>
__device__ __noinline__ void shares_along(const sweep_args *a, const place *p, R sum_left,
                                          const R *sum, R *share) {
#pragma unroll 1
  for (int k = 0; k < M && p->i0 + k < a->s.n; k++) {
    const R lo = k > 0 ? sum[k - 1] : sum_left;
    if (sum[k] == 0 && lo == 0) continue;
    const int at = cell_at(&a->s, p->i0 + k, p->t);
    const crossing c = limited_across<RING>(a, p->way, p->i0 + k, p->t);
    share[k] = adi_share_along(get(a->s.level, at), get(a->s.bed, at), adi_leaving(c.lo, c.hi),
                               p->way->k * lo, p->way->k * sum[k]);
  }
}

/* The solved line of a thread: x[M] new fluxes of its far faces, left that before; sum, sum_left:
 * with the old ones. */
template <int M> struct solved { R x[M], sum[M], left, sum_left; };

/* The sum of an old and a new flux over a face, of whose new one a factor is left: what the next
 * sweep is told of. So what is told of a face does not depend on what else a block has. */
__device__ __forceinline__ int told_size(R sum, R x, R flux, R factor) {
  return size_of(factor == 1 ? sum : sum - x + flux);
}

/* At a cut of the grid the first or the last cell of a thread's, and the face between parts, lack
 * what the neighbour's cell gives: what is known is noted, for close_cut (apart.cuh). */
struct at_cut {
  bool south;
  int north; /* which of the thread's cells is the last; -1: none */
  R *note;   /* of the column; [CUT_NOTES] at a distance of `next` */
  int next;
};
enum { NORTH_LEVEL, NORTH_WEST, NORTH_X, NORTH_SUM, SOUTH_LEVEL, SOUTH_EAST, SOUTH_SUM, CUT_NOTES };

/* New fluxes and levels; *bad: they are no state. moves: k of the way. LIMITED: what leaves is
 * multiplied by share[M], and by those of the cells before and behind. Returns the largest sum of
 * an old and a new flux if LIMITED. CUT: of a part of the grid. */
template <int M, bool ROWS, bool MORE, bool LIMITED, bool CUT, bool RING>
__device__ __forceinline__ R store_state(const sweep_args &a, R moves, const place &p,
                                         const R *level, const solved<M> &f, const R *share,
                                         R behind, R ahead, const at_cut &cut, bool *bad) {
  constexpr int V = ROWS ? (int)(16 / sizeof(R)) : 1;
  const adig_sweep &s = a.s;
  R west = moves * f.sum_left;
  int size = 0;
  if (LIMITED) west = adi_donor(west, behind, share[0]);
  if (p.i0 == 0 && p.store && !(CUT && RING && s.closes)) {
    const R factor = !LIMITED ? (R)1 : f.sum_left > 0 ? behind : share[0];
    const R flux = f.left * factor;
    put(s.u_new, p.base - p.al, flux);
    if (!(RING && s.closes)) count_crossed(&s, s.first[0] + p.t, west);
    if (MORE && s.moved_u) put(s.moved_u, p.base - p.al, west);
    if (LIMITED) size = told_size(f.sum_left, f.left, flux, factor);
  }
  pack<V> level_out, u_out;
  R out = 0;
#pragma unroll
  for (int k = 0; k < M; k++) {
    const int i = p.i0 + k;
    R factor = 1;
    if (LIMITED)
      factor = f.sum[k] > 0 ? share[k] : k < M - 1 ? share[k + 1 < M ? k + 1 : k] : ahead;
    const R east = LIMITED ? moves * f.sum[k] * factor : moves * f.sum[k];
    const R flux = LIMITED ? f.x[k] * factor : f.x[k];
    const R now = level[k] - (east - west);
    const bool at_south = CUT && k == 0 && cut.south, at_north = CUT && k == cut.north;
    if (CUT && p.store && at_south)
      cut.note[SOUTH_LEVEL * cut.next] = level[k], cut.note[SOUTH_EAST * cut.next] = east,
                             cut.note[SOUTH_SUM * cut.next] = f.sum_left;
    if (CUT && p.store && at_north)
      cut.note[NORTH_LEVEL * cut.next] = level[k], cut.note[NORTH_WEST * cut.next] = west,
                             cut.note[NORTH_X * cut.next] = f.x[k],
                             cut.note[NORTH_SUM * cut.next] = f.sum[k];
    if (i < s.n) {
      if (LIMITED && !at_north) size = max(size, told_size(f.sum[k], f.x[k], flux, factor));
      if (!at_south && !at_north)
        *bad = *bad || !(ria_abs(now) < (R)1e30 && ria_abs(flux) < (R)1e30);
      out = east;
      if (MORE && p.store && s.moved_u) put(s.moved_u, p.base + k * p.al, east);
    }
    west = east;
    level_out.v[k % V] = now, u_out.v[k % V] = flux;
    if (k % V < V - 1 || !p.store) continue;
    const int at = p.base + (k - (V - 1)) * p.al;
    if (i < s.n) {
      *(pack<V> *)((R *)s.level_new + at) = level_out;
      *(pack<V> *)((R *)s.u_new + at) = u_out;
    } else {
#pragma unroll
      for (int m = 0; m < V - 1; m++)
        if (i - (V - 1) + m < s.n)
          put(s.level_new, at + m * p.al, level_out.v[m]), put(s.u_new, at + m * p.al, u_out.v[m]);
    }
  }
  if (p.store && p.i0 < s.n && p.i0 + M >= s.n && !(RING && s.closes))
    count_crossed(&s, s.first[1] + p.t, -out);
  return at_most(size);
}

/* A first solution: what the second takes of it. */
template <int M>
__device__ __forceinline__ void store_between(const sweep_args &a, const place &p,
                                              const solved<M> &f) {
  const adig_sweep &s = a.s;
  if (!p.store) return;
  if (p.i0 == 0) put(s.u_new, p.base - p.al, adi_between(get(s.u, p.base - p.al), f.left));
#pragma unroll
  for (int k = 0; k < M; k++)
    if (p.i0 + k < s.n)
      put(s.u_new, p.base + k * p.al, adi_between(get(s.u, p.base + k * p.al), f.x[k]));
}

/* What crosses the seam is the same number on both sides of it. */
template <int M>
__device__ __forceinline__ void set_seam(const adig_sweep &s, const place &p, R crosses,
                                         solved<M> *f) {
  if (p.i0 == 0) f->left = crosses;
#pragma unroll
  for (int k = 0; k < M; k++)
    if (p.i0 + k == s.n - 1) f->x[k] = crosses;
}

/* Where a block has room beside that of the solve. */
struct shares_room {
  R *first, *last, *edge; /* [threads] twice, [2][lines] */
  R *seam;                /* [2][lines] of lines that close */
};

/* Of a line that closes upon itself, by the threads of its first and its last cell: the share of
 * the other one; 1 elsewhere. All threads take part. */
struct shares_over_seam {
  R of_first, of_last;
  bool is_last; /* has the last cell */
};
template <int M, bool CLUSTER, typename H>
__device__ __forceinline__ shares_over_seam exchange_over_seam(const adig_sweep &s, const H &here,
                                                               const place &p, const R *share,
                                                               R *room) {
  const int seam = s.n - 1, owner = CLUSTER ? seam / (M * here.segments) : 0;
  shares_over_seam out = {1, 1, p.i0 <= seam && seam < p.i0 + M};
  R *to_last = CLUSTER ? cluster_room(room, owner) : room,
    *to_first = CLUSTER ? cluster_room(room, 0) : room;
  if (p.i0 == 0) to_last[here.line] = share[0];
#pragma unroll
  for (int k = 0; k < M; k++)
    if (p.i0 + k == seam) to_first[here.lines + here.line] = share[k];
  if constexpr (CLUSTER)
    cluster_sync();
  else
    __syncthreads();
  if (out.is_last) out.of_first = room[here.line];
  if (p.i0 == 0) out.of_last = room[here.lines + here.line];
  return out;
}

/* A line is solved: what crosses along, limits, new fluxes and levels. level, least: of piece. */
template <int M, bool ROWS, bool CLUSTER, bool MORE, bool CUT, bool RING, typename H>
__device__ __forceinline__ void
finish_line(const sweep_args &a, const adi_way &w, const H &here, const place &p, const R *level,
            R least, const shares_room &room, const at_cut &cut, solved<M> &f) {
  constexpr int V = ROWS ? (int)(16 / sizeof(R)) : 1;
  const adig_sweep &s = a.s;
  const int tid = threadIdx.x;
  /* what crosses along: the old fluxes once more */
#pragma unroll
  for (int k = 0; k < M; k += V) {
    const pack<V> u = load<V>(s.u, p.base + (ROWS ? k : min(k, p.top) * p.al));
#pragma unroll
    for (int q = 0; q < V; q++) f.sum[k + q] = f.x[k + q] + u.v[q];
  }
  const R u_left = get(s.u, p.base - p.al);
  f.sum_left = f.left + u_left;
  if (s.rated[0] && p.i0 == 0 && is_rated(&a, 0, p.t)) {
    f.sum_left = adi_let_out((R)1, f.sum_left, u_left);
    f.left = (R)0.5 * f.sum_left;
  }
  if (s.rated[1] && is_rated(&a, 1, p.t)) {
#pragma unroll
    for (int k = 0; k < M; k++) {
      if (p.i0 + k != s.n - 1) continue;
      f.sum[k] = adi_let_out((R)-1, f.sum[k], f.sum[k] - f.x[k]);
      f.x[k] = (R)0.5 * f.sum[k];
    }
  }
  const bool begins = p.i0 == 0 && !(CUT && RING && s.closes); /* else the face belongs to a cut */
  int size = begins ? size_of(f.sum_left) : 0; /* told of: each face by one thread */
#pragma unroll
  for (int k = 0; k < M; k++)
    if (p.i0 + k < s.n && !(CUT && k == cut.north)) size = max(size, size_of(f.sum[k]));
  R most = at_most(size);
  int all = max(size, size_of(f.sum_left));
#pragma unroll
  for (int k = 0; k < M; k++)
    if (CUT && k == cut.north) all = max(all, size_of(f.sum[k]));
  const bool tight = p.i0 < s.n && !(2 * w.k * at_most(all) <= least);
  R share[M], behind = 1, ahead = 1;
#pragma unroll
  for (int k = 0; k < M; k++) share[k] = 1;
  if (tight) {
    R sum[M], limited[M];
#pragma unroll
    for (int k = 0; k < M; k++) sum[k] = f.sum[k], limited[k] = 1;
    shares_along<M, RING>(&a, &p, f.sum_left, sum, limited);
#pragma unroll
    for (int k = 0; k < M; k++) share[k] = limited[k];
  }
  if constexpr (CLUSTER) { /* for the blocks beside */
    R *edge = room.edge;
    const bool is_first = here.segment == 0, is_last = here.segment == here.segments - 1;
    const bool before = here.beside > 0, after = here.beside < here.together - 1;
    if (is_first && before) cluster_room(edge + here.lines, here.beside - 1)[here.line] = share[0];
    if (is_last && after) cluster_room(edge, here.beside + 1)[here.line] = share[M - 1];
    cluster_sync();
    if (is_first && before) behind = edge[here.line];
    if (is_last && after) ahead = edge[here.lines + here.line];
  }
  shares_over_seam over = {1, 1, false};
  if constexpr (RING && !CUT) {
    if (s.closes) over = exchange_over_seam<M, CLUSTER>(s, here, p, share, room.seam);
    if (p.i0 == 0 && s.closes) behind = over.of_last;
#pragma unroll
    for (int k = 1; k < M; k++)
      if (over.is_last && p.i0 + k == s.n) share[k] = over.of_first;
  }
  bool bad = false;
  if (__syncthreads_or(tight || behind != 1 || ahead != 1 || over.of_first != 1)) {
    room.first[tid] = share[0];
    room.last[tid] = share[M - 1];
    __syncthreads();
    if (here.segment > 0) behind = room.last[tid - here.step];
    if (here.segment < here.segments - 1) ahead = room.first[tid + here.step];
    if (over.is_last && p.i0 + M == s.n) ahead = over.of_first;
    most = store_state<M, ROWS, MORE, true, CUT, RING>(a, w.k, p, level, f, share, behind, ahead,
                                                       cut, &bad);
  } else {
    store_state<M, ROWS, MORE, false, CUT, RING>(a, w.k, p, level, f, share, behind, ahead, cut,
                                                 &bad);
  }
  if (CUT && p.store) {
    if (cut.south) put(a.s.aside, p.base, share[0]);
#pragma unroll
    for (int k = 0; k < M; k++)
      if (k == cut.north) put(a.s.aside, p.base + k * p.al, share[k]);
  }
  if (bad && p.store) *s.bad = s.number;
  tell_largest(&a, most);
}

template <int M, bool ROWS, bool CLUSTER, bool MORE, bool RING>
__global__ void __launch_bounds__(ADIG_THREADS, 1)
    sweep_lines(const __grid_constant__ sweep_args a, const __grid_constant__ line_layout layout) {
  extern __shared__ __align__(16) unsigned char memory[];
  const adig_sweep &s = a.s;
  if (CLUSTER) cluster_begin();
  wait_for_kernel_before();
  const int on = __ldcg(&s.step->on), failed = *s.bad;
  const adi_way *way = (const adi_way *)s.way, w = way_now(a, way);
  const lines_here<ROWS, CLUSTER> here(layout);
  R *room = (R *)memory, *share_first = room + layout_room_of_solve(layout);
  R *share_last = share_first + here.threads, *edge = share_last + here.threads; /* [2][lines] */
  R *seam = edge + 2 * here.lines, *over_seam = seam + SEAM * here.lines;        /* [lines][SEAM] */
  const int line = s.line_from + here.first_line + here.line;
  place p;
  p.i0 = (here.rank * here.segments + here.segment) * M;
  p.t = min(line, s.line_end - 1);
  p.al = ROWS ? 1 : (int)s.along, p.ac = ROWS ? (int)s.across : 1;
  const int i_safe = min(p.i0, s.n - 1) / M * M;
  p.base = (int)s.origin + i_safe * p.al + p.t * p.ac;
  p.top = s.n - i_safe;
  p.store = line < s.line_end && !(failed && failed < s.number);
  p.way = way;
  p.begin = seam + (RING ? (int)SEAM : 2) * here.line;

  piece<M> seg;
  const bool calm = build_calm<M, ROWS, MORE, RING>(a, w, p, on, &seg);
  if (!on) { /* all blocks alike */
    if (CLUSTER) cluster_begun();
    return;
  }
  if (!calm) {
    piece<M> any;
    build_any<M, RING>(&a, &p, seg.moved, &any);
    seg = any;
  }
  using lines_of = lines_here<ROWS, CLUSTER>;
  const bool closes = RING && s.closes;
  solved<M> f;
  R crosses = 0; /* the seam */
  if (closes)
    f.x[M - 1] = solve_ring<lines_of, CLUSTER>(here, room, seg.first, seg.last, seg.b_last, seam,
                                               (s.n - 1) / M, &f.left, &crosses);
  else
    f.x[M - 1] =
        solve_segments<lines_of, CLUSTER>(here, room, seg.first, seg.last, seg.b_last, &f.left);
#pragma unroll
  for (int k = M - 2; k >= 0; k--) f.x[k] = tri_solve(seg.row[k], f.left, f.x[k + 1]);
  if (closes)
    set_seam<M>(s, p, crosses, &f);
  else if (p.i0 == 0)
    f.left = ria_fused(-p.begin[1], f.x[0], p.begin[0]);

  if (s.is_first) { /* all blocks alike */
    store_between<M>(a, p, f);
    if constexpr (CLUSTER) cluster_sync(); /* nobody leaves while others read its memory */
    return;
  }
  finish_line<M, ROWS, CLUSTER, MORE, false, RING>(
      a, w, here, p, seg.level, seg.least, {share_first, share_last, edge, over_seam}, at_cut{}, f);
}

/* --- which layout ----------------------------------------------------------------------------- */

/* Of a line of n cells, one of so many of the whole grid: in parts of it lines lie in the same
 * segments. As measured on an H200 (tests/bench/log/2026-11.md). Rows: two lines a block, which
 * share what lies between them. Columns: eight side by side for whole sectors, 64 segments a block.
 * As many blocks as the line takes; GPUs without clusters have less shared memory too. */
line_layout layout_for(int n, int lines, bool rows, int most_blocks) {
  const bool small = (int64_t)n * lines <= 512 * 512, single = sizeof(R) == 4;
  const int threads = most_blocks == 1 ? ADIG_THREADS / 2 : ADIG_THREADS;
  const bool is_short = small || (rows && !single);
  const int longer = rows ? LONG_SEGMENT : LONG_COLUMN;
  line_layout l = {is_short ? SHORT_SEGMENT : longer, 1, rows ? 2 : 8, 1};
  if (l.m * (threads / l.lines) * most_blocks < n) l.m = longer;
  while (l.lines > 1 && l.m * (threads / l.lines) * most_blocks < n) l.lines /= 2;
  while (l.segments < threads / l.lines && layout_reach(&l) < n) l.segments *= 2;
  while (layout_reach(&l) < n) l.blocks *= 2;
  while (layout_threads(&l) < 64) l.lines *= 2; /* short lines */
  return l;
}

cudaError_t launch_lines(void (*kernel)(sweep_args, line_layout), const sweep_args *a,
                         const line_layout *l, cudaStream_t stream) {
  const size_t each = a->s.closes || a->s.wraps ? 4 + SEAM : 4;
  const size_t room = layout_room(l, sizeof(R), 2) + each * (size_t)l->lines * sizeof(R);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(layout_grid(l, a->s.line_end - a->s.line_from));
  config.blockDim = dim3((unsigned)layout_threads(l));
  config.dynamicSmemBytes = room;
  config.stream = stream;
  cudaLaunchAttribute attrs[2] = {early_launch()}, *cluster = &attrs[1];
  cluster->id = cudaLaunchAttributeClusterDimension;
  cluster->val.clusterDim.x = (unsigned)l->blocks;
  cluster->val.clusterDim.y = cluster->val.clusterDim.z = 1;
  config.attrs = attrs;
  config.numAttrs = a->s.most_blocks == 1 ? 0 : l->blocks > 1 ? 2 : 1; /* not before 9.0 */
  cudaError_t e = cudaSuccess;
  if (room > 48 << 10)
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room);
  if (e == cudaSuccess && l->blocks > 8)
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  return e == cudaSuccess ? cudaLaunchKernelEx(&config, kernel, *a, *l) : e;
}

template <int M, bool ROWS>
cudaError_t launch_sweep(const sweep_args *a, const line_layout *l, cudaStream_t stream) {
  const bool more = a->s.manning || a->s.viscosity || a->s.eddy > 0 || a->s.moved_u;
  const bool cluster = l->blocks > 1;
  if (a->s.closes || a->s.wraps)
    return launch_lines(cluster ? sweep_lines<M, ROWS, true, true, true>
                                : sweep_lines<M, ROWS, false, true, true>,
                        a, l, stream);
  if (cluster)
    return launch_lines(more ? sweep_lines<M, ROWS, true, true, false>
                             : sweep_lines<M, ROWS, true, false, false>,
                        a, l, stream);
  return launch_lines(more ? sweep_lines<M, ROWS, false, true, false>
                           : sweep_lines<M, ROWS, false, false, false>,
                      a, l, stream);
}

cudaError_t launch_rows(const sweep_args *a, const line_layout *l, cudaStream_t stream) {
  return l->m == LONG_SEGMENT ? launch_sweep<LONG_SEGMENT, true>(a, l, stream)
                              : launch_sweep<SHORT_SEGMENT, true>(a, l, stream);
}
cudaError_t launch_columns(const sweep_args *a, const line_layout *l, cudaStream_t stream) {
  return l->m == LONG_COLUMN ? launch_sweep<LONG_COLUMN, false>(a, l, stream)
                             : launch_sweep<SHORT_SEGMENT, false>(a, l, stream);
}

cudaError_t do_sweep(const adig_sweep *s, int axis, cudaStream_t stream) {
  const sweep_args a = sweep_args_of(s);
  const line_layout l = layout_for(s->n, s->all_lines, axis == ADI_X, s->most_blocks);
  const auto launch = axis == ADI_X ? launch_rows : launch_columns;
  return launch(&a, &l, stream);
}

#undef R
} // namespace
