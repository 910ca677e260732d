/* gpu/machine/crew.cu - parts of a grid that step together: lanes, rows, words. */
#include "crew_inner.cuh"

extern "C" {
#include "base/context.h"
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- rows ------------------------------------------------------------------------------------- */

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

/* --- where parts meet ------------------------------------------------------------------------- */

static ria_gpu_lane *lane_of(ria_gpu_crew *c, int part) {
  ria_gpu_lane *l = c->lane;
  while (part >= l->first + l->n) l++;
  return l;
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
  ria_gpu_lane *a = lane_of(c, from), *b = lane_of(c, to);
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
    *how->used += (bytes + 255) / 256 * 256;
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

static ria_status link_all(ria_gpu_crew *c, size_t *used, bool measures) {
  const bool low = is_low(c);
  *used = 0;
  for (int state = 0; state < ria_gpu_crew_sets(c); state++)
    for (int northwards = 1; northwards >= 0; northwards--) {
      const linking how = {state, northwards == 1, low, measures, used};
      RIA_TRY(link_round(c, &how));
    }
  return RIA_OK;
}

/* --- life ------------------------------------------------------------------------------------- */

/* Memory that all lanes can write: of the lane's GPU, or of the host. */
static ria_status take_open(ria_gpu_lane *l, size_t bytes, const char *what, void **out) {
  ria_gpu_crew *c = l->crew;
  if (!c->staged) return ria_cuda_alloc(c->ctx, bytes, what, out);
  RIA_CUDA(c->ctx, what, cudaHostAlloc(out, bytes, cudaHostAllocPortable | cudaHostAllocMapped));
  memset(*out, 0, bytes);
  return RIA_OK;
}

static void give_open(const ria_gpu_crew *c, void *room) {
  if (!room) return;
  if (c->staged)
    cudaFreeHost(room);
  else
    cudaFree(room);
}

void ria_gpu_crew_stale(ria_gpu_crew *c) {
  for (int k = c->begin; k < c->end; k++) {
    ria_loop_stale(&c->lane[k].loop);
    c->lane[k].uploaded = NULL;
  }
}

static void free_lane(ria_gpu_lane *l) {
  if (!l->backend || ria_cuda_use(&l->backend->base) != cudaSuccess) return;
  ria_loop_stale(&l->loop);
  give_open(l->crew, l->flag);
  give_open(l->crew, l->box);
  if (!l->crew->ranks) give_open(l->crew, l->list);
  for (int k = 0; k < l->n_lists; k++) give_open(l->crew, l->lists[k]);
  cudaFree(l->met);
  if (l->event) cudaEventDestroy(l->event);
  if (l->passed) cudaEventDestroy(l->passed);
  for (int state = 0; state < RIA_GPU_SETS; state++) {
    free(l->send[state].batch);
    free(l->receive[state].batch);
  }
}

void ria_gpu_crew_free(ria_gpu_crew *c) {
  if (!c) return;
  for (int k = c->begin; k < c->end; k++) /* before what others write to goes */
    if (ria_cuda_use(&c->lane[k].backend->base) == cudaSuccess)
      cudaStreamSynchronize(c->lane[k].stream);
  if (c->ranks && c->lane[c->begin].backend &&
      ria_cuda_use(&c->lane[c->begin].backend->base) == cudaSuccess)
    ria_gpu_windows_close(&c->windows);
  ria_gpu_nccl_free(c);
  ria_gpu_host_free(c);
  for (int k = c->begin; k < c->end; k++) free_lane(&c->lane[k]);
  for (int k = c->first; c->event && k < c->first + c->count; k++)
    if (c->event[k] && ria_cuda_use(&c->part[k]->backend->base) == cudaSuccess)
      cudaEventDestroy(c->event[k]);
  if (c->stage) cudaFreeHost(c->stage);
  if (c->lost) cudaFreeHost(c->lost);
  free(c->event);
  free(c->part);
  free(c);
}

/* Neighbours on one backend share a lane. False: there are too many. */
static bool deal_out(ria_gpu_crew *c) {
  for (int k = 0; k < c->n; k++) {
    ria_gpu_lane *l = &c->lane[c->n_lanes - 1];
    if (c->n_lanes > 0 && l->backend == c->part[k]->backend) {
      l->n++;
      continue;
    }
    if (c->n_lanes == RIA_GPU_LANES) return false;
    c->lane[c->n_lanes++] = {};
    l = &c->lane[c->n_lanes - 1];
    l->crew = c;
    l->backend = c->part[k]->backend;
    l->index = c->n_lanes - 1;
    l->first = k;
    l->n = 1;
    l->stream = c->part[k]->stream;
    l->row = c->part[k]->part.j0;
    l->name = l->backend->name;
  }
  c->end = c->n_lanes;
  return true;
}

/* Can a GPU reach the memory of another? Then it may. */
static bool can_reach(int from, int to) {
  if (from == to) return true;
  int can = 0;
  bool well = cudaDeviceCanAccessPeer(&can, from, to) == cudaSuccess && can;
  well = well && cudaSetDevice(from) == cudaSuccess;
  if (well) {
    const cudaError_t e = cudaDeviceEnablePeerAccess(to, 0);
    well = e == cudaSuccess || e == cudaErrorPeerAccessAlreadyEnabled;
  }
  cudaGetLastError(); /* nothing that is asked later fails by it */
  return well;
}

/* All GPUs of the lanes that of all others? */
static bool meet_peers(const ria_gpu_crew *c) {
  for (int a = 0; a < c->n_lanes; a++)
    for (int b = 0; b < c->n_lanes; b++) {
      if (!c->lane[a].backend->peers) return false;
      if (!can_reach(c->lane[a].backend->device, c->lane[b].backend->device)) return false;
    }
  return true;
}

static ria_status queue_round(void *self, ria_round *round);

/* Words of the notes to a lane, behind its flags. */
enum { NOTES = 2 * RIA_GPU_LANES * RIA_GPU_NOTE };

static ria_status fill_lane(ria_gpu_lane *l) {
  ria_gpu_crew *c = l->crew;
  RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&l->backend->base));
  RIA_CUDA(c->ctx, "joining parts", cudaEventCreateWithFlags(&l->event, cudaEventDisableTiming));
  RIA_CUDA(c->ctx, "joining parts", cudaEventCreateWithFlags(&l->passed, cudaEventDisableTiming));
  RIA_TRY(take_open(l, ((size_t)RIA_GPU_FLAGS + NOTES) * sizeof *l->flag, "the words of parts",
                    (void **)&l->flag));
  RIA_TRY(take_open(l, 4 * (size_t)c->n * sizeof *l->box, "the words of parts", (void **)&l->box));
  RIA_TRY(ria_cuda_alloc(c->ctx, sizeof *l->met, "the words of parts", (void **)&l->met));
  ria_loop_init(&l->loop, c->ctx, l->backend, l->stream, queue_round, l);
  return RIA_OK;
}

static void address_posts(ria_gpu_crew *c) {
  for (int k = c->begin; k < c->end; k++) {
    ria_gpu_post *p = &c->lane[k].post;
    *p = {};
    p->lanes = c->to - c->from;
    p->me = k - c->from;
    p->met = c->lane[k].met;
    p->flag = c->lane[k].flag;
    p->note = c->lane[k].flag + RIA_GPU_FLAGS;
    for (int m = 0; m < p->lanes; m++) {
      unsigned long long *flag = c->lane[c->from + m].flag;
      p->theirs[m] = flag + p->me;
      p->their_note[m] = flag + RIA_GPU_FLAGS + (size_t)p->me * RIA_GPU_NOTE;
    }
    p->lost = c->lost;
    p->patience = (unsigned long long)(1e9 * c->patience);
  }
}

static ria_status fill(ria_gpu_crew *c) {
  for (int k = c->begin; k < c->end; k++) RIA_TRY(fill_lane(&c->lane[k]));
  for (int k = c->first; k < c->first + c->count; k++) {
    RIA_TRY(ria_gpu_enter(c->part[k]));
    RIA_CUDA(c->ctx, "joining parts",
             cudaEventCreateWithFlags(&c->event[k], cudaEventDisableTiming));
  }
  RIA_CUDA(c->ctx, "joining parts",
           cudaHostAlloc((void **)&c->lost, sizeof *c->lost,
                         cudaHostAllocPortable | cudaHostAllocMapped));
  *c->lost = 0;
  size_t used = 0;
  RIA_TRY(link_all(c, &used, true));
  if (used)
    RIA_CUDA(c->ctx, "joining parts",
             cudaHostAlloc((void **)&c->stage, used, cudaHostAllocPortable | cudaHostAllocMapped));
  RIA_TRY(link_all(c, &used, false));
  return RIA_OK;
}

/* What became of this rank's share: without memory all go by way of the host, where the solver does
 * without a crew. */
static ria_status agree_on(ria_gpu_crew *c, ria_status here, bool *can) {
  if (here == RIA_ERR_MEMORY && !c->call->by_host) {
    ria_error_clear(c->ctx);
    here = RIA_OK;
    *can = false;
  }
  RIA_TRY(ria_gpu_ranks_agree(c->ctx, here, *can, can));
  if (!*can) ria_gpu_ranks_say(c->ctx, "by way of the host", "a GPU is out of memory");
  return RIA_OK;
}

/* Of rows only those between parts here are left: a way to others that all had to give up may have
 * been laid here. */
static ria_status forget_ways(ria_gpu_crew *c) {
  ria_gpu_lane *l = &c->lane[c->begin];
  size_t used;
  for (int state = 0; state < ria_gpu_crew_sets(c); state++)
    l->send[state].n = l->receive[state].n = 0;
  return link_all(c, &used, false);
}

/* Memory of the other ranks, or NCCL. *can false: the engine hands on what parts say. */
static ria_status reach_ranks(ria_gpu_crew *c, bool *can) {
  *can = false;
  if (c->maps) RIA_TRY(ria_gpu_crew_reach_ranks(c, can));
  if (c->maps && !*can) c->why = "a GPU does not let others reach its memory";
  if (!*can && c->tries_nccl) RIA_TRY(ria_gpu_nccl_join(c, c->why, can));
  if (*can || !c->call->by_host) return RIA_OK;
  *can = true;
  return ria_gpu_host_join(c, forget_ways(c));
}

/* Everything of this process, then of others; *can false: these are not reached. */
static ria_status make_ready(ria_gpu_crew *c, bool *can) {
  const ria_status filled = fill(c);
  if (c->ranks)
    RIA_TRY(agree_on(c, filled, can));
  else
    RIA_TRY(filled);
  if (c->ranks && *can) RIA_TRY(reach_ranks(c, can));
  c->from = ria_gpu_crew_is_far(c) ? c->begin : 0;
  c->to = ria_gpu_crew_is_far(c) ? c->end : c->n_lanes;
  if (*can) address_posts(c);
  return RIA_OK;
}

static ria_status begin_crew(ria_gpu_planes *const *part, int count, ria_gpu_crew *c, bool *can) {
  c->ctx = part[0]->ctx;
  c->count = count;
  c->patience = part[0]->backend->patience;
  c->ranks = ria_gpu_in_ranks(c->ctx);
  c->ring = part[0]->ring;
  *can = true;
  if (!c->ranks) c->n = count;
  bool low = false;
  for (int k = 0; k < count; k++) low |= part[k]->part.j1 - part[k]->part.j0 < part[k]->ghost_rows;
  if (c->ranks) RIA_TRY(ria_gpu_crew_meet_ranks(c, part, count, low, can));
  if (!*can) return RIA_OK;
  c->part = (ria_gpu_planes **)calloc((size_t)c->n, sizeof *c->part);
  c->event = (cudaEvent_t *)calloc((size_t)c->n, sizeof *c->event);
  if (!c->part || !c->event) return ria_gpu_no_memory(part[0], "the parts");
  memcpy(c->part + c->first, part, (size_t)count * sizeof *part);
  if (c->ranks) return RIA_OK;
  *can = deal_out(c) && (c->n_lanes == 1 || !low);
  if (*can) c->staged = !meet_peers(c);
  return RIA_OK;
}

ria_status ria_gpu_crew_make(ria_gpu_planes *const *part, int count, const ria_gpu_crew_calls *call,
                             void *user, ria_gpu_crew **out) {
  bool can;
  *out = NULL;
  ria_gpu_crew *c = (ria_gpu_crew *)calloc(1, sizeof *c);
  if (!c) return ria_gpu_no_memory(part[0], "the parts");
  c->call = call;
  c->user = user;
  ria_status status = begin_crew(part, count, c, &can);
  if (status == RIA_OK && can) status = make_ready(c, &can);
  if (status == RIA_OK && can)
    *out = c;
  else
    ria_gpu_crew_free(c);
  return status;
}

static ria_status take_lists(ria_gpu_crew *c, size_t n) {
  for (int k = c->begin; k < c->end; k++) {
    ria_gpu_lane *l = &c->lane[k];
    RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&l->backend->base));
    if (!c->ranks) give_open(c, l->list);
    l->list = NULL;
    if (l->n_lists == RIA_GPU_LISTS) return ria_gpu_no_memory(c->part[c->first], "the sides");
    RIA_TRY(take_open(l, 2 * n * sizeof *l->list, "the sides", (void **)&l->list));
    if (c->ranks) l->lists[l->n_lists++] = l->list;
  }
  return RIA_OK;
}

ria_status ria_gpu_crew_lists(ria_gpu_crew *c, size_t n) {
  bool can = true;
  if (n <= c->n_list) return RIA_OK;
  if (n < 2 * c->n_list) n = 2 * c->n_list;
  ria_gpu_crew_stale(c);
  c->n_list = 0;
  ria_status status = take_lists(c, n);
  if (c->ranks && status == RIA_ERR_MEMORY) { /* it is so for all, then */
    can = false;
    status = RIA_OK;
  }
  RIA_TRY(ria_gpu_crew_agree(c->ctx, status, &can));
  if (!can) return ria_gpu_no_memory(c->part[c->first], "the sides");
  if (c->ranks && !ria_gpu_crew_is_far(c)) RIA_TRY(ria_gpu_crew_reach_lists(c));
  c->n_list = n;
  return RIA_OK;
}

/* --- rounds ----------------------------------------------------------------------------------- */

/* Of a lane, to be recorded. */
static ria_status queue_round(void *self, ria_round *round) {
  ria_gpu_lane *l = (ria_gpu_lane *)self;
  const ria_gpu_crew *c = l->crew;
  for (int k = 0; k < c->call->steps; k++)
    for (int phase = 0; phase < c->phases; phase++)
      RIA_TRY(c->call->queue(c->user, l, k, phase, round, k + 1 == c->call->steps));
  return RIA_OK;
}

/* Without graphs: what waits is queued behind what it waits for, of all lanes. */
static ria_status run_by_phases(ria_gpu_crew *c) {
  bool over = false;
  while (!over) {
    for (int k = 0; k < c->call->steps; k++)
      for (int phase = 0; phase < c->phases; phase++)
        for (int m = c->begin; m < c->end; m++) {
          ria_round launched = {false, 0, false};
          RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&c->lane[m].backend->base));
          RIA_TRY(c->call->queue(c->user, &c->lane[m], k, phase, &launched, false));
        }
    RIA_TRY(c->call->over(c->user, &over));
  }
  return RIA_OK;
}

ria_status ria_gpu_crew_ready(ria_gpu_crew *c, int now) {
  for (int k = c->begin; k < c->end; k++) {
    ria_gpu_lane *l = &c->lane[k];
    RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&l->backend->base));
    /* Bodies of loops take none of NCCL's nodes. */
    const bool graph = !c->by_phases && !ria_gpu_crew_is_far(c);
    RIA_TRY(ria_loop_ready(&l->loop, now, graph));
    if (c->n_lanes == 1 || l->loop.next == l->uploaded) continue;
    if (l->loop.next)
      RIA_CUDA(c->ctx, "making a graph of steps", cudaGraphUpload(l->loop.next, l->stream));
    l->uploaded = l->loop.next;
  }
  for (int k = c->begin; c->n_lanes > 1 && k < c->end;
       k++) { /* nothing waits while another loads */
    RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&c->lane[k].backend->base));
    RIA_CUDA(c->ctx, "a time step", cudaStreamSynchronize(c->lane[k].stream));
  }
  return RIA_OK;
}

ria_status ria_gpu_crew_run(ria_gpu_crew *c) {
  if (c->nccl) return ria_gpu_nccl_run(c);
  const ria_gpu_lane *first = &c->lane[c->begin];
  if (first->backend->stalls && c->begin > 0 && !c->host) return RIA_OK; /* a test */
  if (!first->loop.next) return run_by_phases(c);
  for (int k = c->begin; k < c->end; k++) {
    if (c->lane[k].backend->stalls && k > 0) continue; /* so, too */
    RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&c->lane[k].backend->base));
    RIA_TRY(ria_loop_run(&c->lane[k].loop));
  }
  return RIA_OK;
}

void ria_gpu_crew_break(ria_gpu_crew *c, ria_status status) {
  if (c->broken != RIA_OK) return;
  c->broken = status;
  snprintf(c->words, sizeof c->words, "%s", ria_error(c->ctx));
  if (!c->lost) return;
  if (!*(volatile int *)c->lost) *(volatile int *)c->lost = RIA_GPU_BROKEN;
  if (c->nccl)
    ria_gpu_nccl_abort(c);
  else if (c->ranks && !c->host)
    ria_gpu_crew_tell_broken(c);
  for (int k = c->begin; k < c->end; k++)
    if (ria_cuda_use(&c->lane[k].backend->base) == cudaSuccess)
      cudaStreamSynchronize(c->lane[k].stream);
  cudaGetLastError(); /* the first is what counts */
}

/* --- streams ---------------------------------------------------------------------------------- */

ria_status ria_gpu_crew_gather(ria_gpu_crew *c) {
  for (int k = c->first; k < c->first + c->count; k++) {
    const ria_gpu_lane *l = lane_of(c, k);
    if (k == l->first) continue;
    RIA_TRY(ria_gpu_enter(c->part[k]));
    RIA_CUDA(c->ctx, "joining parts", cudaEventRecord(c->event[k], c->part[k]->stream));
    RIA_CUDA(c->ctx, "joining parts", cudaStreamWaitEvent(l->stream, c->event[k], 0));
  }
  return RIA_OK;
}

/* Lane k goes on behind what its neighbours have queued. */
static ria_status wait_for_passes(ria_gpu_crew *c, int k) {
  for (int north = 0; north < 2; north++) {
    const int m = ria_gpu_crew_beside(c, k, north);
    if (m >= 0)
      RIA_CUDA(c->ctx, "passing rows on",
               cudaStreamWaitEvent(c->lane[k].stream, c->lane[m].passed, 0));
  }
  return RIA_OK;
}

/* The same between ranks, whose events are not to be had: all lanes meet. */
static __global__ void meet_lanes(const __grid_constant__ ria_gpu_post post) {
  const int lane = (int)threadIdx.x;
  const unsigned long long number = *post.met + 1;
  __syncwarp();
  if (lane == 0) post_raise(&post, number);
  __syncwarp();
  post_await(&post, number, lane);
  __threadfence_system();
}

static ria_status meet_in_ranks(ria_gpu_crew *c) {
  ria_gpu_lane *l = &c->lane[c->begin];
  if (l->backend->stalls && c->begin > 0) return RIA_OK; /* a test */
  RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&l->backend->base));
  meet_lanes<<<1, 32, 0, l->stream>>>(l->post);
  RIA_CUDA(c->ctx, "passing rows on", cudaGetLastError());
  return RIA_OK;
}

ria_status ria_gpu_crew_meet(ria_gpu_crew *c) {
  if (c->ranks) return meet_in_ranks(c);
  for (int k = c->begin; c->n_lanes > 1 && k < c->end; k++) {
    RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&c->lane[k].backend->base));
    RIA_CUDA(c->ctx, "passing rows on", cudaEventRecord(c->lane[k].passed, c->lane[k].stream));
  }
  for (int k = c->begin; c->n_lanes > 1 && k < c->end; k++) {
    RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&c->lane[k].backend->base));
    RIA_TRY(wait_for_passes(c, k));
  }
  return RIA_OK;
}

static ria_status exchange_in_ranks(ria_gpu_crew *c, int state) {
  ria_gpu_lane *l = &c->lane[c->begin];
  if (l->backend->stalls && c->begin > 0) return RIA_OK; /* a test */
  RIA_TRY(meet_in_ranks(c));                             /* passes may store ghost rows too */
  RIA_TRY(ria_gpu_crew_send(l, state));
  return meet_in_ranks(c);
}

ria_status ria_gpu_crew_exchange(ria_gpu_crew *c, int state) {
  if (c->nccl) return ria_gpu_nccl_exchange(c, state);
  if (c->ranks) return exchange_in_ranks(c, state);
  RIA_TRY(ria_gpu_crew_meet(c)); /* passes may store ghost rows */
  for (int k = c->begin; k < c->end; k++) {
    RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&c->lane[k].backend->base));
    RIA_TRY(ria_gpu_crew_send(&c->lane[k], state));
    if (c->n_lanes > 1)
      RIA_CUDA(c->ctx, "passing rows on", cudaEventRecord(c->lane[k].event, c->lane[k].stream));
  }
  for (int k = c->begin; c->n_lanes > 1 && k < c->end; k++) {
    RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&c->lane[k].backend->base));
    for (int north = 0; north < 2; north++) {
      const int m = ria_gpu_crew_beside(c, k, north);
      if (m >= 0)
        RIA_CUDA(c->ctx, "passing rows on",
                 cudaStreamWaitEvent(c->lane[k].stream, c->lane[m].event, 0));
    }
    RIA_TRY(ria_gpu_crew_receive(&c->lane[k], state));
  }
  return RIA_OK;
}

ria_status ria_gpu_crew_part(ria_gpu_crew *c) {
  if (c->nccl) RIA_TRY(ria_gpu_nccl_settle(c)); /* nobody waits for what may not end */
  for (int k = c->begin; k < c->end; k++) {
    ria_gpu_lane *l = &c->lane[k];
    if (l->n == 1) continue;
    RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&l->backend->base));
    RIA_CUDA(c->ctx, "joining parts", cudaEventRecord(l->event, l->stream));
    for (int m = 1; m < l->n; m++)
      RIA_CUDA(c->ctx, "joining parts",
               cudaStreamWaitEvent(c->part[l->first + m]->stream, l->event, 0));
  }
  return RIA_OK;
}

ria_status ria_gpu_crew_agree(ria_context *ctx, ria_status here, bool *can) {
  return ria_gpu_in_ranks(ctx) ? ria_gpu_ranks_agree(ctx, here, *can, can) : here;
}

/* Another rank gave up, and tells why where it meets the others: once. */
static ria_status hear_why(ria_gpu_crew *c) {
  bool all;
  ria_status s = ria_gpu_ranks_agree(c->ctx, RIA_OK, true, &all);
  if (s == RIA_OK) s = ria_fail(c->ctx, RIA_ERR_DEVICE, "another part of the grid could not go on");
  c->broken = s;
  snprintf(c->words, sizeof c->words, "%s", ria_error(c->ctx));
  return s;
}

/* One that did not answer may have failed: then that is the reason. */
static ria_status tell_fault(const ria_gpu_crew *c) {
  for (int k = c->begin; k < c->end; k++) {
    RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&c->lane[k].backend->base));
    const cudaError_t e = cudaStreamQuery(c->lane[k].stream);
    if (e != cudaErrorNotReady) RIA_CUDA(c->ctx, "a time step", e);
  }
  cudaGetLastError(); /* "not ready" is none */
  return RIA_OK;
}

ria_status ria_gpu_crew_check(ria_gpu_crew *c) {
  if (c->broken != RIA_OK) return ria_fail(c->ctx, c->broken, "%s", c->words);
  const int lost = *(volatile int *)c->lost;
  if (!lost) return RIA_OK;
  if (lost < 0) return hear_why(c);
  RIA_TRY(tell_fault(c));
  const ria_gpu_lane *l = &c->lane[lost - 1];
  return ria_fail(c->ctx, RIA_ERR_DEVICE,
                  "part %d of the grid (from row %d, on %s) did not answer within %g s",
                  l->first + 1, l->row, l->name, c->patience);
}
