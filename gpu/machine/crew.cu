/* gpu/machine/crew.cu - parts of a grid that step together: which lanes there are, their memory,
 * and when it goes. How they step: crew_rows.cu, crew_run.cu. */
#include "crew_inner.cuh"
#include "agree.cuh"

extern "C" {
#include "base/context.h"
}

#include <stdlib.h>
#include <string.h>

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
  if (!c || c->hangs) return; /* what hangs may write there: it stays until the process ends */
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

/* Nothing that this rank queued, and no mapping of it, needs memory of the others. */
static ria_status let_go(ria_gpu_crew *c) {
  ria_gpu_lane *l = &c->lane[c->begin];
  if (!l->backend) return RIA_OK;
  if (c->nccl) RIA_TRY(ria_gpu_nccl_settle(c));
  RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&l->backend->base));
  RIA_CUDA(c->ctx, "a time step", cudaStreamSynchronize(l->stream));
  RIA_CUDA(c->ctx, "leaving memory of other ranks' GPUs", ria_gpu_windows_close(&c->windows));
  return RIA_OK;
}

ria_status ria_gpu_crew_drop(ria_gpu_crew *c) {
  bool all = true;
  if (!c) return RIA_OK;
  const ria_status status =
      c->ranks ? ria_gpu_agree(c->ctx, "memory of others is left", let_go(c), &all) : RIA_OK;
  if (status != RIA_OK && c->nccl) c->hangs = !ria_gpu_nccl_abort(c);
  ria_gpu_crew_free(c);
  return status;
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
  ria_loop_init(&l->loop, c->ctx, l->backend, l->stream, ria_gpu_crew_queue_round, l);
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
  RIA_TRY(ria_gpu_crew_link(c, &used, true));
  if (used)
    RIA_CUDA(c->ctx, "joining parts",
             cudaHostAlloc((void **)&c->stage, used, cudaHostAllocPortable | cudaHostAllocMapped));
  RIA_TRY(ria_gpu_crew_link(c, &used, false));
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
  RIA_TRY(ria_gpu_agree(c->ctx, "room for words and rows of parts", here, can));
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
  return ria_gpu_crew_link(c, &used, false);
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

static ria_status take_parts(ria_gpu_crew *c, ria_gpu_planes *const *part) {
  c->part = (ria_gpu_planes **)calloc((size_t)c->n, sizeof *c->part);
  c->event = (cudaEvent_t *)calloc((size_t)c->n, sizeof *c->event);
  if (!c->part || !c->event) return ria_gpu_no_memory(part[0], "the parts");
  memcpy(c->part + c->first, part, (size_t)c->count * sizeof *part);
  return RIA_OK;
}

/* Everything of this process, then of others; *can false: these are not reached. */
static ria_status make_ready(ria_gpu_crew *c, ria_gpu_planes *const *part, bool *can) {
  ria_status filled = c->ranks ? take_parts(c, part) : RIA_OK;
  if (filled == RIA_OK) filled = fill(c);
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
  if (c->ranks) return ria_gpu_crew_meet_ranks(c, part, count, low, can);
  RIA_TRY(take_parts(c, part));
  *can = deal_out(c) && (c->n_lanes == 1 || !low);
  if (*can) c->staged = !meet_peers(c);
  return RIA_OK;
}

ria_status ria_gpu_crew_make(ria_gpu_planes *const *part, int count, const ria_gpu_crew_calls *call,
                             void *user, ria_gpu_crew **out) {
  bool can = true;
  *out = NULL;
  ria_gpu_crew *c = (ria_gpu_crew *)calloc(1, sizeof *c);
  ria_status status = c ? RIA_OK : ria_gpu_no_memory(part[0], "the parts");
  status = ria_gpu_agree(part[0]->ctx, "room for parts that step together", status, &can);
  if (status != RIA_OK) {
    free(c);
    return status;
  }
  c->call = call;
  c->user = user;
  status = begin_crew(part, count, c, &can);
  if (status == RIA_OK && can) status = make_ready(c, part, &can);
  if (status == RIA_OK && !can) return ria_gpu_crew_drop(c);
  if (status == RIA_OK)
    *out = c;
  else
    ria_gpu_crew_free(c);
  return status;
}

/* --- lists ------------------------------------------------------------------------------------ */

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
  RIA_TRY(ria_gpu_agree(c->ctx, "room for the sides", status, &can));
  if (!can) return ria_gpu_no_memory(c->part[c->first], "the sides");
  if (c->ranks && !ria_gpu_crew_is_far(c)) RIA_TRY(ria_gpu_crew_reach_lists(c));
  c->n_list = n;
  return RIA_OK;
}
