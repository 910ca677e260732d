/* gpu/machine/crew_rows.cu - parts of a grid that step together: which rows pass between them, and
 * the kernels that copy them. */
#include "crew_inner.cuh"
#include "ways.cuh"

extern "C" {
#include "base/context.h"
}

#include <stdlib.h>

/* --- copies ----------------------------------------------------------------------------------- */

/* Some of the k-th row of a batch, by thread `me` of `n`. Rows begin on 16 bytes; they end
 * at any multiple of 4 bytes. The caller fences before it raises a peer's flag. */
static __device__ __forceinline__ void send_row(const ria_gpu_batch *b, int k, unsigned me,
                                                unsigned n) {
  const unsigned bytes = (unsigned)b->row[k].bytes, wide = bytes / (unsigned)sizeof(int4);
  const int4 *from = (const int4 *)b->row[k].from;
  int4 *to = (int4 *)b->row[k].to;
  for (unsigned m = me; m < wide; m += n) to[m] = __ldcv(from + m);
  if (me < (bytes - wide * (unsigned)sizeof(int4)) / 4)
    ((int *)(to + wide))[me] = __ldcv((const int *)(from + wide) + me);
}

/* A row of blocks a row. */
static __global__ void send_rows(const __grid_constant__ ria_gpu_batch b) {
  send_row(&b, (int)blockIdx.y, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
  __threadfence_system();
}

static cudaError_t queue_rows(const ria_gpu_batches *all, cudaStream_t stream) {
  const unsigned threads = 256, at_most = 32;
  for (int m = 0; m < all->n; m++) {
    const ria_gpu_batch *b = &all->batch[m];
    size_t most = 1;
    for (int k = 0; k < b->n; k++) most = b->row[k].bytes > most ? b->row[k].bytes : most;
    const unsigned blocks = (unsigned)((most / sizeof(int4) + threads) / threads);
    const dim3 grid(blocks < at_most ? blocks : at_most, (unsigned)b->n);
    send_rows<<<grid, threads, 0, stream>>>(*b);
    const cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) return e;
  }
  return cudaSuccess;
}

ria_status ria_gpu_crew_send(ria_gpu_lane *lane, int state) {
  RIA_CUDA(lane->crew->ctx, "passing rows on", queue_rows(&lane->send[state], lane->stream));
  return RIA_OK;
}

ria_status ria_gpu_crew_receive(ria_gpu_lane *lane, int state) {
  RIA_CUDA(lane->crew->ctx, "passing rows on", queue_rows(&lane->receive[state], lane->stream));
  return RIA_OK;
}

/* By one block: until all lanes have told of this one's last meeting. */
static __global__ void await_lanes(const __grid_constant__ ria_gpu_post post) {
  post_await(&post, *post.met, (int)threadIdx.x);
}

cudaError_t ria_gpu_crew_load(void) { return ria_cuda_load((const void *)send_rows); }

/* Of the state that is not *now. */
static __global__ void send_rows_beside(const __grid_constant__ ria_gpu_batch of_0,
                                        const __grid_constant__ ria_gpu_batch of_1,
                                        const int *now) {
  send_row(*now ? &of_0 : &of_1, (int)blockIdx.y, blockIdx.x * blockDim.x + threadIdx.x,
           gridDim.x * blockDim.x);
  __threadfence_system();
}

static cudaError_t queue_beside(const ria_gpu_lane *l, const ria_gpu_batches *all, const int *now) {
  for (int m = 0; m < all[0].n; m++) {
    const dim3 grid(8, (unsigned)all[0].batch[m].n);
    send_rows_beside<<<grid, 256, 0, l->stream>>>(all[0].batch[m], all[1].batch[m], now);
    const cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) return e;
  }
  return cudaSuccess;
}

/* What waits is one block, and what sends does not wait: if a lane did not answer, the rows that go
 * out belong to a run that has failed. */
ria_status ria_gpu_crew_send_beside(ria_gpu_lane *lane, const int *now) {
  if (lane->post.lanes > 1) {
    await_lanes<<<1, 32, 0, lane->stream>>>(lane->post);
    RIA_CUDA(lane->crew->ctx, "passing rows on", cudaGetLastError());
  }
  RIA_CUDA(lane->crew->ctx, "passing rows on", queue_beside(lane, lane->send, now));
  return RIA_OK;
}

ria_status ria_gpu_crew_receive_beside(ria_gpu_lane *lane, const int *now) {
  RIA_CUDA(lane->crew->ctx, "passing rows on", queue_beside(lane, lane->receive, now));
  return RIA_OK;
}

/* --- which rows are copied where -------------------------------------------------------------- */

bool ria_gpu_crew_add_row(ria_gpu_batches *all, void *to, const void *from, size_t bytes,
                          bool alone) {
  if (all->n == 0 || alone || all->batch[all->n - 1].n == RIA_GPU_ROWS) {
    if (all->n == all->room) {
      const int room = 2 * all->room + 4;
      ria_gpu_batch *batch = (ria_gpu_batch *)realloc(all->batch, (size_t)room * sizeof *batch);
      if (!batch) return false;
      all->batch = batch;
      all->room = room;
    }
    all->batch[all->n++].n = 0;
  }
  ria_gpu_batch *b = &all->batch[all->n - 1];
  b->row[b->n].to = to;
  b->row[b->n].from = from;
  b->row[b->n++].bytes = bytes;
  return true;
}

int ria_gpu_crew_edge_rows(ria_gpu_crew *c, int side, int state, ria_shared_row *rows) {
  ria_gpu_planes *p = c->part[side == 0 ? c->first : c->first + c->count - 1];
  c->call->show(p, state);
  return ria_gpu_planes_shared_rows(p, side == 0 ? RIA_SOUTH : RIA_NORTH, MOST_SHARED, rows);
}

/* Some part has fewer rows than pass: it passes on rows of its neighbours. */
static bool is_low(const ria_gpu_crew *c) {
  for (int k = c->first; k < c->first + c->count; k++)
    if (c->part[k]->part.j1 - c->part[k]->part.j0 < c->part[k]->ghost_rows) return true;
  return false;
}

/* As engine/parts tells it. */
static ria_status check_shared(const ria_gpu_crew *c, int n, int m) {
  if (n == m && n <= MOST_SHARED) return RIA_OK;
  return ria_fail(c->ctx, RIA_ERR_ARGUMENT,
                  "parts of the grid share %d and %d rows: at most %d, the same. A fault of the "
                  "solver; it runs in one part (--parts 1)",
                  n, m, MOST_SHARED);
}

/* What rows are linked for: a state, in one direction; in memory of the host, `used` so far, or
 * (measures) to see how much of that there will be. */
typedef struct linking {
  int state;
  bool northwards, low, measures;
  size_t *used;
} linking;

/* Rows of one part to its neighbour. */
static ria_status link_up(ria_gpu_crew *c, int from, int to, const linking *how) {
  ria_shared_row own[MOST_SHARED], theirs[MOST_SHARED];
  const ria_side out = how->northwards ? RIA_NORTH : RIA_SOUTH,
                 in = how->northwards ? RIA_SOUTH : RIA_NORTH;
  const int state = how->state;
  const bool measures = how->measures;
  c->call->show(c->part[from], state);
  c->call->show(c->part[to], state);
  const int n = ria_gpu_planes_shared_rows(c->part[from], out, MOST_SHARED, own);
  const int m = ria_gpu_planes_shared_rows(c->part[to], in, MOST_SHARED, theirs);
  RIA_TRY(check_shared(c, n, m));
  ria_gpu_lane *a = ria_gpu_crew_lane_of(c, from), *b = ria_gpu_crew_lane_of(c, to);
  bool well = true;
  for (int k = 0; well && k < n; k++) {
    const size_t bytes = own[k].bytes;
    const bool alone = how->low && k == 0;
    if (a == b || !c->staged) {
      well = measures ||
             ria_gpu_crew_add_row(&a->send[state], theirs[k].ghost, own[k].own, bytes, alone);
      continue;
    }
    char *by = c->stage + *how->used;
    *how->used += ria_gpu_crew_row_room(bytes);
    well =
        measures || (ria_gpu_crew_add_row(&a->send[state], by, own[k].own, bytes, alone) &&
                     ria_gpu_crew_add_row(&b->receive[state], theirs[k].ghost, by, bytes, false));
  }
  return well ? RIA_OK : ria_gpu_no_memory(c->part[c->first], "the rows of parts");
}

/* Between the parts here, in the direction that rows go, so that low parts pass on what they got.
 */
static ria_status link_between(ria_gpu_crew *c, const linking *how) {
  const int first = c->first, last = c->first + c->count - 1;
  for (int k = 0; k + 1 < c->count; k++)
    RIA_TRY(how->northwards ? link_up(c, first + k, first + k + 1, how)
                            : link_up(c, last - k, last - k - 1, how));
  return RIA_OK;
}

/* As engine/parts has it: round a ring, too, and where parts are low through all once more. */
static ria_status link_round(ria_gpu_crew *c, const linking *how) {
  RIA_TRY(link_between(c, how));
  if (!c->ring || c->ranks) return RIA_OK; /* ranks: crew_ranks.cu */
  RIA_TRY(how->northwards ? link_up(c, c->n - 1, 0, how) : link_up(c, 0, c->n - 1, how));
  return how->low ? link_between(c, how) : RIA_OK;
}

ria_status ria_gpu_crew_link(ria_gpu_crew *c, size_t *used, bool measures) {
  const bool low = is_low(c);
  *used = 0;
  for (int state = 0; state < ria_gpu_crew_sets(c); state++)
    for (int northwards = 1; northwards >= 0; northwards--) {
      const linking how = {state, northwards == 1, low, measures, used};
      RIA_TRY(link_round(c, &how));
    }
  return RIA_OK;
}

/* --- where rows go ---------------------------------------------------------------------------- */

static int plane_of(const ria_gpu_planes *p, const void *const *plane, int n, const char *from) {
  for (int k = 0; k < n; k++)
    if (from >= (const char *)plane[k] && from < (const char *)plane[k] + p->size * p->real_size)
      return k;
  return -1;
}

bool ria_gpu_find_ways(const ria_gpu_planes *p, const ria_gpu_batches *send,
                       const void *const *plane, int n, int rows, ria_gpu_ways *out) {
  const ptrdiff_t real = (ptrdiff_t)p->real_size, row = (ptrdiff_t)p->v.stride * real;
  const ptrdiff_t before = (ptrdiff_t)(p->origin / p->v.stride); /* ghost rows of a plane */
  int found[2][RIA_GPU_WAY_PLANES] = {};
  *out = {};
  if (p->end - p->begin < 2 * rows) return false;
  for (int m = 0; m < send->n; m++)
    for (int k = 0; k < send->batch[m].n; k++) {
      const char *from = (const char *)send->batch[m].row[k].from;
      const int of = plane_of(p, plane, n, from);
      if (of < 0) return false;
      const ptrdiff_t j = (from - (const char *)plane[of]) / row - before;
      const ptrdiff_t away = ((const char *)send->batch[m].row[k].to - from) / real;
      const int north = j >= p->end - rows;
      if (j < p->begin || j >= p->end || (!north && j >= p->begin + rows)) return false;
      if (found[north][of]++ && away != out->away[north][of]) return false;
      out->away[north][of] = away;
    }
  for (int k = 0; k < n; k++)
    for (int side = 0; side < 2; side++)
      if (found[side][k] != found[side][0] || (found[side][k] && found[side][k] != rows))
        return false;
  return found[0][0] + found[1][0] > 0;
}
