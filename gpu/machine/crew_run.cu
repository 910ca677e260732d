/* gpu/machine/crew_run.cu - parts of a grid that step together: rounds of steps, how lanes wait for
 * each other, and what becomes of a failure. */
#include "crew_inner.cuh"
#include "agree.cuh"

extern "C" {
#include "base/context.h"
}

#include <stdio.h>

/* --- rounds ----------------------------------------------------------------------------------- */

ria_status ria_gpu_crew_queue_round(void *self, ria_round *round) {
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

/* --- streams ---------------------------------------------------------------------------------- */

ria_status ria_gpu_crew_gather(ria_gpu_crew *c) {
  for (int k = c->first; k < c->first + c->count; k++) {
    const ria_gpu_lane *l = ria_gpu_crew_lane_of(c, k);
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

/* --- out of reach ------------------------------------------------------------------------------
 */

ria_status ria_gpu_crew_pass(ria_gpu_lane *l, int state, int kind, int what) {
  return l->crew->host ? ria_gpu_host_pass(l, state, kind, what)
                       : ria_gpu_nccl_pass(l, state, kind, what);
}

ria_status ria_gpu_crew_unite(ria_gpu_lane *l, unsigned long long *word, size_t n) {
  if (n == 0) return RIA_OK;
  return l->crew->host ? ria_gpu_host_unite(l, word, n) : ria_gpu_nccl_unite(l, word, n);
}

/* --- failing ---------------------------------------------------------------------------------- */

void ria_gpu_crew_break(ria_gpu_crew *c, ria_status status) {
  if (c->broken != RIA_OK) return;
  c->broken = status;
  snprintf(c->words, sizeof c->words, "%s", ria_error(c->ctx));
  if (!c->lost) return;
  if (!*(volatile int *)c->lost) *(volatile int *)c->lost = RIA_GPU_BROKEN;
  if (c->nccl)
    c->hangs = !ria_gpu_nccl_abort(c);
  else if (c->ranks && !c->host)
    ria_gpu_crew_tell_broken(c);
  for (int k = c->begin; k < c->end && !c->hangs; k++)
    if (ria_cuda_use(&c->lane[k].backend->base) == cudaSuccess)
      cudaStreamSynchronize(c->lane[k].stream);
  cudaGetLastError(); /* the first is what counts */
}

/* Another rank gave up, and tells why where it meets the others: once. */
static ria_status hear_why(ria_gpu_crew *c) {
  bool well = true;
  ria_status s = ria_gpu_agree(c->ctx, "a rank gave up", RIA_OK, &well);
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
