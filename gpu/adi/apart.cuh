/* gpu/adi/apart.cuh - a sweep along y of a part of the grid, per precision: lines run through all
 * parts, which solve them together to the bits of one.
 *
 * Segments and blocks of a line are those of the whole grid, wherever cuts are: parts begin with a
 * segment (parts.cu). A part
 *
 *   reduce_columns   builds the rows of its segments and eliminates; lays them aside; says to all
 *                    lanes what joins its blocks, six numbers each, and of a block that lies in
 *                    several parts what joins its segments, seven each
 *   join_pieces      reduces such blocks, each lane for itself
 *   finish_columns   substitutes backwards, limits, and writes fluxes and levels
 *   close_cut        does so for the cells at cuts, once their neighbours have said what they give
 *
 * Of columns that close upon themselves the seam (machine/partition.cuh) lies in the last part: it
 * says to all what they need of it, four numbers, and each finds what crosses it. The first part's
 * southern end and the last one's northern end are cuts like others.
 *
 * Between these parts meet (together.cu). Included after sweep.cuh. */
static_assert((int)ADIG_SEAM == (int)SEAM, "the seam of a line");

namespace {
#define R RIA_PRECISION

/* Numbers of a segment in `pieces`. Once reduced, the first three are its row. */
enum { PIECE_LAST, PIECE_FIRST = 3, PIECE_B = 6, PIECE };

__device__ __forceinline__ void put_piece(void *to, size_t step, size_t at, tri_row r) {
  R *v = (R *)to + at;
  v[0] = r.a, v[step] = r.c, v[2 * step] = r.d;
}
/* Written by other GPUs, or by this one in a kernel before. */
__device__ __forceinline__ tri_row get_piece(const void *from, size_t step, size_t at) {
  const R *v = (const R *)from + at;
  return {__ldcg(v), __ldcg(v + step), __ldcg(v + 2 * step)};
}

/* Where the six numbers of a block are, of a column. */
__device__ __forceinline__ size_t end_at(const adig_joint &q, int block, int column) {
  return (size_t)(6 * block) * (size_t)q.columns + (size_t)column;
}
/* Where number 0 of a segment is in `pieces`; the next is `piece_step` further. */
__device__ __forceinline__ size_t piece_step(const adig_joint &q, int segments) {
  return (size_t)segments * (size_t)q.columns;
}
__device__ __forceinline__ size_t piece_at(const adig_joint &q, int slot, int segments, int segment,
                                           int column) {
  return (size_t)(PIECE * slot) * piece_step(q, segments) + (size_t)segment * (size_t)q.columns +
         (size_t)column;
}

/* Of columns that close: where number 0 of a seam is; the next is a row of columns further. Which
 * segment of a column has it. */
__device__ __forceinline__ tri_row ring_row() { return {0, -1, 0}; } /* as what lies behind it */
template <int M> __device__ __forceinline__ int seam_segment(const adig_sweep &s) {
  return (s.n - 1) / M;
}
__device__ __forceinline__ void put_seam(const adig_joint &q, int lane, int column, const R *seam) {
  R *to = (R *)q.seam[lane] + column;
#pragma unroll
  for (int k = 0; k < SEAM; k++) to[(size_t)k * (size_t)q.columns] = seam[k];
}
__device__ __forceinline__ R get_seam(const adig_joint &q, int column, int k) {
  return __ldcg((const R *)q.seam[q.me] + (size_t)k * (size_t)q.columns + column);
}

/* Threads as in a sweep of the whole grid; blocks, of a column those that the part has some of. */
struct columns_here : lines_here<false, false> {
  __device__ __forceinline__ columns_here(const line_layout &l, const adig_joint &q)
      : lines_here<false, false>(l) {
    blocks = l.blocks;
    together = q.n_blocks, beside = (int)blockIdx.x % q.n_blocks;
    rank = q.block_from + beside;
    first_line = (int)blockIdx.x / q.n_blocks * lines;
  }
};

/* The cells of a thread. Those of other parts look as if they lay beyond the line. */
template <int M>
__device__ __forceinline__ place place_apart(const adig_sweep &s, const adig_joint &q,
                                             const columns_here &here, int failed, bool *own) {
  const int line = here.first_line + here.line, i0 = (here.rank * here.segments + here.segment) * M;
  place p;
  *own = i0 >= q.row_from && i0 < q.row_end;
  p.i0 = *own ? i0 : s.n + M;
  p.t = min(line, s.lines - 1);
  p.al = (int)s.along, p.ac = 1;
  const int i_safe = *own ? i0 : q.row_from;
  p.base = (int)s.origin + i_safe * p.al + p.t;
  p.top = *own ? s.n - i_safe : 0;
  p.store = *own && line < s.lines && !(failed && failed < s.number);
  p.way = (const adi_way *)s.way;
  p.begin = NULL;
  return p;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Where a piece lies until the line is solved: numbers of a cell in planes, the new flux's and the
 * new level's among them; of the thread, in cells of `aside` that nothing else is put into. */
enum { ASIDE_FIRST_OF_LINE, ASIDE_LEAST, ASIDE_BEGIN };

/* Lines that close do not begin; and their last thread may have one cell, behind which lies what
 * the first part gives. */
template <bool RING> __device__ __forceinline__ int aside_least(const adig_sweep &s) {
  return RING && s.closes ? (int)ASIDE_FIRST_OF_LINE : (int)ASIDE_LEAST;
}

template <int M, bool RING>
__device__ __forceinline__ void lay_aside(const adig_sweep &s, const adig_joint &q, const place &p,
                                          const piece<M> &seg, tri_row last) {
#pragma unroll
  for (int k = 0; k < M; k++) {
    const int at = p.base + k * p.al;
    const tri_row r = k < M - 1 ? seg.row[k < M - 1 ? k : 0] : last;
    if (p.i0 + k >= s.n) continue;
    put(q.kept_a, at, r.a), put(q.kept_c, at, r.c), put(s.u_new, at, r.d);
    if (!s.is_first) put(s.level_new, at, seg.level[k]);
  }
  if (!s.is_first) put(s.aside, p.base + aside_least<RING>(s) * p.al, seg.least);
  if (p.i0 == 0 && !(RING && s.closes)) {
    put(s.aside, p.base + ASIDE_FIRST_OF_LINE * p.al, p.begin[0]);
    put(s.aside, p.base + ASIDE_BEGIN * p.al, p.begin[1]);
  }
}

/* Of a block that has the seam, when its segments are reduced: to all lanes. By all threads; half:
 * of the room that is free. */
template <int M>
__device__ __forceinline__ void say_seam(const adig_sweep &s, const adig_joint &q,
                                         const columns_here &here, R *half, tri_row last, R *seam,
                                         int column) {
  put_row(half, here.threads, threadIdx.x, last);
  __syncthreads();
  if (here.segment != seam_segment<M>(s) % here.segments || column >= s.lines) return;
  if (here.segment > 0) reduce_seam(seam, row_at(half, here.threads, threadIdx.x - here.step));
  for (int to = 0; to < q.lanes; to++) put_seam(q, to, column, seam);
}

template <int M, bool MORE, bool RING>
__global__ void __launch_bounds__(ADIG_THREADS, 1)
    reduce_columns(const __grid_constant__ sweep_args a, const __grid_constant__ line_layout layout,
                   const __grid_constant__ adig_joint q) {
  extern __shared__ __align__(16) unsigned char memory[];
  const adig_sweep &s = a.s;
  wait_for_kernel_before();
  const int on = __ldcg(&s.step->on), failed = *s.bad;
  const adi_way w = way_now(a, (const adi_way *)s.way);
  const columns_here here(layout, q);
  R *room = (R *)memory, *edge = room + layout_room_of_solve(layout);
  bool own;
  place p = place_apart<M>(s, q, here, failed, &own);
  p.begin = edge + (RING ? (int)SEAM : 2) * here.line;
  const bool closes = RING && s.closes;

  piece<M> seg;
  const bool calm = build_calm<M, false, MORE, RING>(a, w, p, on, &seg);
  if (!on) return; /* all blocks alike */
  if (!calm) {
    piece<M> any;
    build_any<M, RING>(&a, &p, seg.moved, &any);
    seg = any;
  }
  const int slot = q.slot[here.rank], column = here.first_line + here.line;
  tri_row last = {0, 0, 0};
  if (slot < 0) { /* the whole block: the same for all of its threads */
    int free;
    last = reduce_segments(here, room, seg.first, seg.last, seg.b_last, &free);
    const bool begins = here.segment == 0, ends = here.segment == here.segments - 1;
    const tri_row first = first_of_block(seg.first, last);
    if (closes && here.rank == seam_segment<M>(s) / here.segments)
      say_seam<M>(s, q, here, room + free, last, p.begin, column);
    for (int to = 0; to < q.lanes && (layout.blocks > 1 || closes) && column < s.lines; to++) {
      const size_t at = end_at(q, here.rank, column), step = (size_t)q.columns;
      if (begins) put_piece(q.ends[to], step, at, first);
      if (ends) put_piece(q.ends[to], step, at + 3 * step, last);
    }
  } else if (own && column < s.lines) {
    const size_t step = piece_step(q, here.segments),
                 at = piece_at(q, slot, here.segments, here.segment, column);
    for (int to = 0; to < q.lanes; to++) {
      put_piece(q.pieces[to], step, at + PIECE_LAST * step, seg.last);
      put_piece(q.pieces[to], step, at + PIECE_FIRST * step, seg.first);
      ((R *)q.pieces[to])[at + PIECE_B * step] = seg.b_last;
      if (closes && p.i0 / M == seam_segment<M>(s)) put_seam(q, to, column, p.begin);
    }
  }
  if (p.store) lay_aside<M, RING>(s, q, p, seg, last);
  if (q.lanes > 1) __threadfence_system();
}

/* --- blocks that lie in several parts --------------------------------------------------------- */

/* A segment beyond the end of the line, by the operations that make one in a sweep. */
template <int M> __device__ __forceinline__ piece<M> piece_beyond(bool closes) {
  piece<M> seg;
  tri_row up = {-1, 0, 0};
  const adi_row none = closes ? next_one() : adi_row{0, 1, 0, 0};
#pragma unroll
  for (int k = 0; k < M; k++) {
    seg.eliminate(k, up, none);
    if (k < M - 1) up = seg.row[k < M - 1 ? k : 0];
  }
  return seg;
}

/* As say_seam, of what the last part said. */
template <int M>
__device__ __forceinline__ void hear_seam(const adig_sweep &s, const adig_joint &q,
                                          const lines_here<false, false> &here, R *half,
                                          tri_row last, int column, bool is_there) {
  put_row(half, here.threads, threadIdx.x, last);
  __syncthreads();
  if (here.segment == 0 || here.segment != seam_segment<M>(s) % here.segments || !is_there) return;
  R seam[SEAM];
#pragma unroll
  for (int k = 0; k < SEAM; k++) seam[k] = get_seam(q, column, k);
  reduce_seam(seam, row_at(half, here.threads, threadIdx.x - here.step));
  put_seam(q, q.me, column, seam);
}

template <int M>
__global__ void __launch_bounds__(ADIG_THREADS, 1)
    join_pieces(const __grid_constant__ adig_sweep s, const __grid_constant__ line_layout layout,
                const __grid_constant__ adig_joint q) {
  extern __shared__ __align__(16) unsigned char memory[];
  if (!__ldcg(&s.step->on)) return;
  lines_here<false, false> here(layout);
  const int slot = (int)blockIdx.x % q.n_slots, block = q.block_of[slot];
  here.first_line = (int)blockIdx.x / q.n_slots * here.lines;
  const int column = min(here.first_line + here.line, s.lines - 1);
  const bool is_there = here.first_line + here.line < s.lines;
  const size_t step = piece_step(q, here.segments),
               at = piece_at(q, slot, here.segments, here.segment, column);
  R *of = (R *)q.pieces[q.me];
  piece<M> seg = piece_beyond<M>(s.closes);
  if ((block * here.segments + here.segment) * M < s.n) {
    seg.last = get_piece(of, step, at + PIECE_LAST * step);
    seg.first = get_piece(of, step, at + PIECE_FIRST * step);
    seg.b_last = __ldcg(of + at + PIECE_B * step);
  }
  int free;
  const tri_row last = reduce_segments(here, (R *)memory, seg.first, seg.last, seg.b_last, &free);
  if (s.closes && block == seam_segment<M>(s) / here.segments)
    hear_seam<M>(s, q, here, (R *)memory + free, last, column, is_there);
  if (!is_there) return;
  put_piece(of, step, at + PIECE_LAST * step, last);
  if (layout.blocks == 1 && !s.closes) return;
  const size_t end = end_at(q, block, column), across = (size_t)q.columns;
  if (here.segment == 0) put_piece(q.ends[q.me], across, end, first_of_block(seg.first, last));
  if (here.segment == here.segments - 1) put_piece(q.ends[q.me], across, end + 3 * across, last);
}

/* --- the line is solved ----------------------------------------------------------------------- */

/* All blocks of a line, as they were said, up to `owner`; those behind have none of its cells, and
 * a line that closes is the seam there. */
template <bool RING>
__device__ __forceinline__ void fetch_ends(const adig_joint &q, const columns_here &here, int owner,
                                           R *ends) {
  const int n = here.lines;
  for (int k = threadIdx.x; k < here.blocks * 6 * n; k += here.threads) {
    const int column = min(here.first_line + k % n, q.columns - 1);
    ends[k] = __ldcg((const R *)q.ends[q.me] + (size_t)(k / n) * (size_t)q.columns + column);
    if (RING && k / (6 * n) > owner) ends[k] = k / n % 3 == 1 ? (R)-1 : (R)0; /* ring_row, twice */
  }
  __syncthreads();
}

/* The seams of a block's lines. */
__device__ __forceinline__ void fetch_seams(const adig_joint &q, const columns_here &here,
                                            R *seam) {
  for (int k = threadIdx.x; k < SEAM * here.lines; k += here.threads)
    seam[k] = get_seam(q, min(here.first_line + k / SEAM, q.columns - 1), k % SEAM);
  __syncthreads();
}

/* The row of the thread's last unknown, reduced; beyond the line it is 0, or the seam. */
template <int M, bool RING>
__device__ __forceinline__ tri_row reduced_row(const adig_sweep &s, const adig_joint &q,
                                               const columns_here &here, const place &p, bool own) {
  const int slot = q.slot[here.rank], at = p.base + (M - 1) * p.al;
  if (slot >= 0)
    return get_piece(q.pieces[q.me], piece_step(q, here.segments),
                     piece_at(q, slot, here.segments, here.segment, p.t));
  if (RING && s.closes && (!own || p.i0 + M > s.n)) return ring_row();
  if (!own || p.i0 + M > s.n) return {0, 0, 0};
  return {get(q.kept_a, at), get(q.kept_c, at), get(s.u_new, at)};
}

template <int M, bool CLUSTER, bool MORE, bool RING>
__global__ void __launch_bounds__(ADIG_THREADS, 1)
    finish_columns(const __grid_constant__ sweep_args a, const __grid_constant__ line_layout layout,
                   const __grid_constant__ adig_joint q) {
  extern __shared__ __align__(16) unsigned char memory[];
  const adig_sweep &s = a.s;
  if (CLUSTER) cluster_begin();
  wait_for_kernel_before();
  const int on = __ldcg(&s.step->on), failed = *s.bad;
  const adi_way w = way_now(a, (const adi_way *)s.way);
  if (!on) { /* all blocks alike */
    if (CLUSTER) cluster_begun();
    return;
  }
  const columns_here here(layout, q);
  R *room = (R *)memory, *share_first = room + layout_room_of_solve(layout);
  R *share_last = share_first + here.threads, *edge = share_last + here.threads; /* [2][lines] */
  bool own;
  const place p = place_apart<M>(s, q, here, failed, &own);
  const bool closes = RING && s.closes;
  R *ends = room + 6 * here.threads, left = 0, right = 0, crosses = 0;
  if (closes) {
    const int owner = seam_segment<M>(s) / here.segments;
    R *seam = edge + 2 * here.lines;
    fetch_ends<true>(q, here, owner, ends);
    fetch_seams(q, here, seam);
    join_ring(here, ends, seam, owner, &left, &right, &crosses);
  } else if (layout.blocks > 1) {
    fetch_ends<false>(q, here, 0, ends);
    join_ends(here, ends, &left, &right);
  }
  solved<M> f;
  f.x[M - 1] = tri_solve(reduced_row<M, RING>(s, q, here, p, own), left, right);
  room[threadIdx.x] = f.x[M - 1];
  __syncthreads();
  f.left = here.segment > 0 ? room[threadIdx.x - here.step] : left;
  R level[M];
#pragma unroll
  for (int k = M - 1; k >= 0; k--) {
    const int at = p.base + k * p.al;
    const bool is_there = p.i0 + k < s.n;
    level[k] = is_there && !s.is_first ? get(s.level_new, at) : (R)0;
    if (k == M - 1) continue;
    f.x[k] = closes ? f.x[k + 1 < M ? k + 1 : k] : (R)0;
    if (is_there)
      f.x[k] = tri_solve({get(q.kept_a, at), get(q.kept_c, at), get(s.u_new, at)}, f.left,
                         f.x[k + 1 < M ? k + 1 : k]);
  }
  if (closes)
    set_seam<M>(s, p, crosses, &f);
  else if (p.i0 == 0)
    f.left = ria_fused(-get(s.aside, p.base + ASIDE_BEGIN * p.al), f.x[0],
                       get(s.aside, p.base + ASIDE_FIRST_OF_LINE * p.al));
  if (s.is_first) {
    store_between<M>(a, p, f);
    if (CLUSTER) cluster_begun();
    return;
  }
  if (CLUSTER) cluster_begun();
  const R least = own ? get(s.aside, p.base + aside_least<RING>(s) * p.al) : (R)0;
  const bool at_north = own && (q.row_end < s.n || closes) && p.i0 + M >= q.row_end;
  const at_cut cut = {own && (q.row_from > 0 || closes) && p.i0 == q.row_from,
                      at_north ? q.row_end - 1 - p.i0 : -1, (R *)q.note + p.t, q.columns};
  finish_line<M, false, CLUSTER, MORE, true, RING>(a, w, here, p, level, least,
                                                   {share_first, share_last, edge, NULL}, cut, f);
}

/* --- cuts ------------------------------------------------------------------------------------- */

/* The cells and the faces at the cuts of a part, a column a thread: as store_state has it. */
__global__ void __launch_bounds__(EACH)
    close_cut(const __grid_constant__ sweep_args a, const __grid_constant__ adig_joint q) {
  const adig_sweep &s = a.s;
  const int failed = *s.bad, t = (int)(blockIdx.x * EACH + threadIdx.x);
  if (!__ldcg(&s.step->on) || (failed && failed < s.number)) return;
  const R k = __ldcg(&((const adi_way *)s.way)->k), *note = (const R *)q.note + t;
  const auto noted = [&](int what) { return note[(size_t)what * (size_t)q.columns]; };
  const auto is_bad = [](R now, R flux) {
    return !(ria_abs(now) < (R)1e30 && ria_abs(flux) < (R)1e30);
  };
  const bool is_there = t < s.lines;
  bool bad = false;
  int size = 0;
  if (is_there && (q.row_from > 0 || s.closes)) {
    const int at = cell_at(&s, q.row_from, t);
    const R behind = get(s.aside, cell_at(&s, q.row_from - 1, t)), own = get(s.aside, at);
    R west = k * noted(SOUTH_SUM);
    west = adi_donor(west, behind, own);
    const R now = noted(SOUTH_LEVEL) - (noted(SOUTH_EAST) - west);
    bad = is_bad(now, get(s.u_new, at));
    put(s.level_new, at, now);
  }
  if (is_there && (q.row_end < s.n || s.closes)) {
    const int at = cell_at(&s, q.row_end - 1, t);
    const R ahead = get(s.aside, cell_at(&s, q.row_end, t)), own = get(s.aside, at);
    const R sum = noted(NORTH_SUM), x = noted(NORTH_X), factor = sum > 0 ? own : ahead;
    const R east = k * sum * factor, flux = x * factor;
    const R now = noted(NORTH_LEVEL) - (east - noted(NORTH_WEST));
    size = told_size(sum, x, flux, factor);
    bad = bad || is_bad(now, flux);
    put(s.level_new, at, now), put(s.u_new, at, flux);
    if (s.moved_u) put(s.moved_u, at, east);
  }
  if (bad) *s.bad = s.number;
  const unsigned bits = most_of_lanes(__float_as_uint(__double2float_ru((double)at_most(size))));
  if (threadIdx.x % 32 == 0)
    atomicMax(&s.fastest[(s.slot + 1) % 3 * ADIG_SLOTS + blockIdx.x % ADIG_SLOTS], bits);
}

/* --- launches --------------------------------------------------------------------------------- */

typedef void (*column_kernel)(sweep_args, line_layout, adig_joint);

cudaError_t launch_columns_apart(column_kernel kernel, const adig_sweep *s, const line_layout *l,
                                 const adig_joint *q, bool cluster, cudaStream_t stream) {
  const sweep_args a = sweep_args_of(s);
  const size_t each = s->closes || s->wraps ? 4 + SEAM : 4;
  const size_t room = layout_room(l, sizeof(R), 2) + each * (size_t)l->lines * sizeof(R);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3((unsigned)((s->lines + l->lines - 1) / l->lines * q->n_blocks));
  config.blockDim = dim3((unsigned)layout_threads(l));
  config.dynamicSmemBytes = room;
  config.stream = stream;
  cudaLaunchAttribute attrs[2] = {early_launch()}, *of = &attrs[1];
  of->id = cudaLaunchAttributeClusterDimension;
  of->val.clusterDim.x = (unsigned)q->n_blocks;
  of->val.clusterDim.y = of->val.clusterDim.z = 1;
  config.attrs = attrs;
  config.numAttrs = s->most_blocks == 1 ? 0 : cluster ? 2 : 1; /* not before 9.0 */
  cudaError_t e = cudaSuccess;
  if (room > 48 << 10)
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room);
  if (e == cudaSuccess && cluster && q->n_blocks > 8)
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  return e == cudaSuccess ? cudaLaunchKernelEx(&config, kernel, a, *l, *q) : e;
}

void do_layout(int n, int lines, int most_blocks, int *m, int *segments, int *blocks) {
  const line_layout l = layout_for(n, lines, false, most_blocks);
  *m = l.m, *segments = l.segments, *blocks = l.blocks;
}

line_layout layout_apart(const adig_sweep *s) {
  return layout_for(s->n, s->all_lines, false, s->most_blocks);
}

template <int M> column_kernel reduce_of(bool more, bool ring) {
  if (ring) return reduce_columns<M, true, true>;
  return more ? reduce_columns<M, true, false> : reduce_columns<M, false, false>;
}

cudaError_t do_reduce(const adig_sweep *s, const adig_joint *q, cudaStream_t stream) {
  const line_layout l = layout_apart(s);
  const bool more = s->manning || s->viscosity || s->eddy > 0 || s->moved_u;
  const bool is_long = l.m == LONG_COLUMN, ring = s->closes || s->wraps;
  const column_kernel kernel =
      is_long ? reduce_of<LONG_COLUMN>(more, ring) : reduce_of<SHORT_SEGMENT>(more, ring);
  return launch_columns_apart(kernel, s, &l, q, false, stream);
}

template <int M, bool CLUSTER> column_kernel finish_of(bool more, bool ring) {
  if (ring) return finish_columns<M, CLUSTER, true, true>;
  return more ? finish_columns<M, CLUSTER, true, false> : finish_columns<M, CLUSTER, false, false>;
}
template <int M> column_kernel finish_of(bool cluster, bool more, bool ring) {
  return cluster ? finish_of<M, true>(more, ring) : finish_of<M, false>(more, ring);
}

cudaError_t do_finish(const adig_sweep *s, const adig_joint *q, cudaStream_t stream) {
  const line_layout l = layout_apart(s);
  const bool cluster = q->n_blocks > 1, more = s->moved_u != NULL;
  const bool ring = s->closes || s->wraps;
  const column_kernel kernel = l.m == LONG_COLUMN ? finish_of<LONG_COLUMN>(cluster, more, ring)
                                                  : finish_of<SHORT_SEGMENT>(cluster, more, ring);
  return launch_columns_apart(kernel, s, &l, q, cluster, stream);
}

cudaError_t do_join_pieces(const adig_sweep *s, const adig_joint *q, cudaStream_t stream) {
  const line_layout l = layout_apart(s);
  const auto kernel = l.m == LONG_COLUMN ? join_pieces<LONG_COLUMN> : join_pieces<SHORT_SEGMENT>;
  const size_t room = layout_room(&l, sizeof(R), 0);
  const unsigned blocks = (unsigned)((s->lines + l.lines - 1) / l.lines * q->n_slots);
  if (room > 48 << 10) {
    const cudaError_t e =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room);
    if (e != cudaSuccess) return e;
  }
  kernel<<<blocks, (unsigned)layout_threads(&l), room, stream>>>(*s, l, *q);
  return cudaGetLastError();
}

cudaError_t do_close(const adig_sweep *s, const adig_joint *q, cudaStream_t stream) {
  close_cut<<<(unsigned)((s->lines + EACH - 1) / EACH), EACH, 0, stream>>>(sweep_args_of(s), *q);
  return cudaGetLastError();
}

#undef R
} // namespace
