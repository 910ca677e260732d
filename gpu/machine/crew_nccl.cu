/* gpu/machine/crew_nccl.cu - parts of a grid that step together though ranks cannot reach the
 * memory of each other's GPUs: they are on several hosts, or kept from it.
 *
 * A lane stores in memory of its own alone. What it said and sent goes to the other ranks by NCCL,
 * behind it in its stream: words to all, rows to the two neighbours, in one group, so that a step
 * costs one exchange. Order in the stream is all that a lane needs then: nothing on the device
 * waits but NCCL's own kernel, which cannot stand in the body of a graph's loop. So rounds of steps
 * are launched one behind another, without a loop on the device, one ahead of what the host knows.
 *
 * All ranks queue the same groups: how many follows from the clock alone, which is the same in all.
 * The host looks at events, never waits for a stream that may not end, and asks NCCL how it is: an
 * error there, or `patience` seconds without a round, end the run. */
#include "crew_inner.cuh"
#include "agree.cuh"

extern "C" {
#include "backend/nccl.h"
#include "base/clock.h"
#include "base/context.h"
#include "base/ranks.h"
#include "base/text.h"
}

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SOUTH, NORTH, SIDES = RIA_GPU_BEYOND };
enum { PASSES = 16 };           /* of a solver whose host has the clock, between two looks */
static const double START = 60; /* s: NCCL looks for networks, and loads its kernels */

struct ria_gpu_nccl {
  ria_nccl *nccl;
  ria_gpu_parcels rows;
  cudaEvent_t mark[2];
  int *over;  /* [2] pinned: whether the span was over at a mark */
  int passes; /* since the last time that all was waited for */
};

static ria_gpu_lane *lane_here(ria_gpu_crew *c) { return &c->lane[c->begin]; }

/* --- waiting ---------------------------------------------------------------------------------- */

/* NCCL tells that another rank failed, or does not: not which. */
static ria_status fail_here(ria_gpu_crew *c, const char *why) {
  const ria_gpu_lane *l = lane_here(c);
  const ria_status s =
      ria_fail(c->ctx, RIA_ERR_DEVICE, "part %d of the grid (from row %d, on %s): %s", l->first + 1,
               l->row, l->name, why);
  ria_ranks_fail_with_others(c->ctx);
  return s;
}

static ria_status fail_in_vain(ria_gpu_crew *c, double seconds) {
  char text[128];
  ria_format(text, sizeof text, "other ranks did not answer within %g s (%s)", seconds,
             ria_nccl_name(c->nccl->nccl));
  return fail_here(c, text);
}

static ria_status fail_nccl(ria_gpu_crew *c) {
  char text[RIA_NCCL_WHY + 32];
  const double waited = ria_nccl_waited(c->nccl->nccl);
  if (waited > 0) return fail_in_vain(c, waited);
  ria_format(text, sizeof text, "passing rows on: %s", ria_nccl_why(c->nccl->nccl));
  return fail_here(c, text);
}

static void pause_after(int turn) {
  const struct timespec pause = {0, 20000};
  if (turn < 1000)
    sched_yield();
  else
    nanosleep(&pause, NULL);
}

static ria_status await_for(ria_gpu_crew *c, int mark, double seconds) {
  const double begin = ria_wall_clock();
  for (int turn = 0;; turn++) {
    const cudaError_t e = cudaEventQuery(c->nccl->mark[mark]);
    if (e == cudaSuccess) return RIA_OK;
    if (e != cudaErrorNotReady) return ria_cuda_fail(c->ctx, e, "a time step");
    cudaGetLastError(); /* "not ready" is none */
    pause_after(turn);
    if (turn % 64 != 63) continue;
    if (!ria_nccl_is_well(c->nccl->nccl)) return fail_nccl(c);
    if (ria_wall_clock() - begin > seconds) return fail_in_vain(c, seconds);
  }
}

static ria_status await(ria_gpu_crew *c, int mark) { return await_for(c, mark, c->patience); }

static ria_status set_mark(ria_gpu_crew *c, int mark) {
  RIA_CUDA(c->ctx, "a time step", cudaEventRecord(c->nccl->mark[mark], lane_here(c)->stream));
  return RIA_OK;
}

ria_status ria_gpu_nccl_settle(ria_gpu_crew *c) {
  c->nccl->passes = 0;
  RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&lane_here(c)->backend->base));
  RIA_TRY(set_mark(c, 0));
  return await(c, 0);
}

/* --- what goes to others ---------------------------------------------------------------------- */

static void add(ria_nccl_message *all, int *n, int peer, bool sends, void *data, size_t bytes) {
  if (peer >= 0 && bytes > 0) all[(*n)++] = {peer, sends, data, bytes};
}

/* Words of the parts of a lane. */
static void add_words(const ria_gpu_lane *l, const ria_gpu_lane *other, int state, int kind,
                      ria_nccl_message *all, int *n) {
  const size_t one = sizeof(ria_meeting);
  add(all, n, other->index, true, ria_gpu_crew_box(l, state, kind, l->first), (size_t)l->n * one);
  add(all, n, other->index, false, ria_gpu_crew_box(l, state, kind, other->first),
      (size_t)other->n * one);
}

ria_status ria_gpu_nccl_pass(ria_gpu_lane *l, int state, int kind, int what) {
  ria_gpu_crew *c = l->crew;
  ria_gpu_nccl *w = c->nccl;
  const ria_gpu_parcels *rows = &w->rows;
  ria_nccl_message all[2 * SIDES + 2 * (int)RIA_GPU_LANES];
  int n = 0;
  /* One direction behind the other: two ranks that are neighbours on both sides tell the messages
   * apart by their order. */
  for (int side = SOUTH; (what & RIA_GPU_PASS_ROWS) && side < SIDES; side++) {
    const int from = 1 - side;
    add(all, &n, ria_gpu_crew_beyond(c, side), true, rows->out[side], rows->bytes[side][state]);
    add(all, &n, ria_gpu_crew_beyond(c, from), false, rows->in[from], rows->bytes[from][state]);
  }
  for (int k = 0; (what & RIA_GPU_PASS_WORDS) && k < c->n_lanes; k++)
    if (k != l->index) add_words(l, &c->lane[k], state, kind, all, &n);
  if (n > 0 && !ria_nccl_pass(w->nccl, all, n, l->stream)) return fail_nccl(c);
  if ((what & RIA_GPU_PASS_LIST) && c->n_list > 0 &&
      !ria_nccl_greatest(w->nccl, (unsigned long long *)ria_gpu_crew_list(l, state), c->n_list,
                         l->stream))
    return fail_nccl(c);
  return what & RIA_GPU_PASS_ROWS ? ria_gpu_crew_receive(l, state) : RIA_OK;
}

ria_status ria_gpu_nccl_unite(ria_gpu_lane *l, unsigned long long *word, size_t n) {
  ria_gpu_crew *c = l->crew;
  return ria_nccl_sum(c->nccl->nccl, word, n, l->stream) ? RIA_OK : fail_nccl(c);
}

/* --- spans ------------------------------------------------------------------------------------ */

static ria_status queue_steps(ria_gpu_crew *c, int steps) {
  ria_round launched = {false, 0, false};
  for (int k = 0; k < steps; k++)
    for (int phase = 0; phase < c->phases; phase++)
      RIA_TRY(c->call->queue(c->user, lane_here(c), k, phase, &launched, false));
  return RIA_OK;
}

/* Short rounds first, where rounds may be so: a span may have few steps, and those past its end
 * exchange in vain. */
ria_status ria_gpu_nccl_run(ria_gpu_crew *c) {
  ria_gpu_lane *l = lane_here(c);
  ria_gpu_nccl *w = c->nccl;
  bool over = false;
  if (l->backend->stalls && c->begin > 0) return RIA_OK; /* a test */
  RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&l->backend->base));
  for (int round = 0, steps = c->call->whole ? c->call->steps : 2; !over; round++) {
    const int mark = round % 2, before = 1 - mark;
    RIA_TRY(queue_steps(c, steps));
    RIA_CUDA(c->ctx, "a time step",
             cudaMemcpyAsync(&w->over[mark], c->call->done(c->user), sizeof *w->over,
                             cudaMemcpyDeviceToHost, l->stream));
    RIA_TRY(set_mark(c, mark));
    if (steps < c->call->steps) steps *= 2;
    if (round == 0) continue;
    RIA_TRY(await(c, before));
    over = *(volatile int *)&w->over[before];
  }
  return ria_gpu_nccl_settle(c);
}

ria_status ria_gpu_nccl_exchange(ria_gpu_crew *c, int state) {
  ria_gpu_lane *l = lane_here(c);
  if (l->backend->stalls && c->begin > 0) return RIA_OK; /* a test */
  RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&l->backend->base));
  RIA_TRY(ria_gpu_crew_send(l, state));
  RIA_TRY(ria_gpu_crew_pass(l, state, 0, RIA_GPU_PASS_ROWS));
  const int done = ++c->nccl->passes;
  if (done % PASSES != 0) return RIA_OK;
  const int mark = done / PASSES % 2;
  RIA_TRY(set_mark(c, mark));
  return done > PASSES ? await(c, 1 - mark) : RIA_OK; /* a full queue would hold the host up */
}

/* --- life ------------------------------------------------------------------------------------- */

/* What a rank tells of itself, and why it cannot. */
typedef struct card {
  char why[RIA_NCCL_WHY], name[32], id[RIA_NCCL_ID];
  uint64_t bytes[SIDES][RIA_GPU_SETS];
} card;

/* The reason of the first rank that has one. It is the same everywhere, more often than not. */
static void tell_reason(ria_gpu_crew *c, const card *all) {
  char text[RIA_NCCL_WHY + 32];
  int k = 0, same = 0;
  while (!all[k].why[0]) k++;
  for (int m = 0; m < c->n_lanes; m++) same += strcmp(all[m].why, all[k].why) == 0;
  if (same == c->n_lanes)
    ria_format(text, sizeof text, "no NCCL: %s", all[k].why);
  else
    ria_format(text, sizeof text, "no NCCL: rank %d: %s", k, all[k].why);
  ria_gpu_ranks_say_more(c->ctx, text);
}

/* Can all go on? */
static ria_status meet(ria_gpu_crew *c, const card *mine, card *all, bool *can) {
  RIA_TRY(ria_gpu_ranks_tell(c->ctx, mine, all, sizeof *mine));
  *can = true;
  for (int k = 0; k < c->n_lanes; k++) *can &= !all[k].why[0];
  if (!*can) tell_reason(c, all);
  return RIA_OK;
}

static void take_error(ria_gpu_crew *c, card *mine) {
  ria_format(mine->why, sizeof mine->why, "%.150s", ria_error(c->ctx));
  ria_error_clear(c->ctx);
}

static void begin_card(ria_gpu_crew *c, card *mine) {
  ria_gpu_nccl *w = c->nccl;
  w->nccl = ria_nccl_load(mine->why, sizeof mine->why);
  if (!w->nccl) return;
  ria_format(mine->name, sizeof mine->name, "%s", ria_nccl_name(w->nccl));
  if (c->begin == 0 && !ria_nccl_make_id(w->nccl, mine->id))
    ria_format(mine->why, sizeof mine->why, "%s", ria_nccl_why(w->nccl));
  if (ria_gpu_parcels_measure(c, &w->rows) != RIA_OK) take_error(c, mine);
  memcpy(mine->bytes, w->rows.bytes, sizeof mine->bytes);
}

/* Of what all told: the same library, and neighbours that share as much. */
static void compare(const ria_gpu_crew *c, const card *all, card *mine) {
  for (int k = 1; k < c->n_lanes; k++)
    if (strcmp(all[k].name, all[0].name) != 0)
      ria_format(mine->why, sizeof mine->why, "rank 0 has %s and rank %d %s", all[0].name, k,
                 all[k].name);
  for (int k = 0; k < c->n_lanes; k++) {
    const int beside = ria_gpu_crew_beside(c, k, false);
    if (beside < 0) continue;
    if (memcmp(all[beside].bytes[NORTH], all[k].bytes[SOUTH], sizeof all[k].bytes[SOUTH]) != 0)
      ria_format(mine->why, sizeof mine->why, "ranks %d and %d share different rows", beside, k);
  }
}

static bool choose_device(void *user) {
  return ria_cuda_use(&((const ria_cuda_backend *)user)->base) == cudaSuccess;
}

static void start(ria_gpu_crew *c, const void *id, card *mine) {
  ria_nccl *n = c->nccl->nccl;
  if (!ria_nccl_start(n, id, c->n_lanes, c->begin, choose_device,
                      (void *)(uintptr_t)lane_here(c)->backend, START))
    ria_format(mine->why, sizeof mine->why, "%s", ria_nccl_why(n));
}

/* What a step may launch, before a message waits that holds up loading. */
static cudaError_t load_kernels(const ria_gpu_crew *c) {
  cudaError_t e = ria_gpu_crew_load();
  if (e == cudaSuccess) e = ria_gpu_planes_load();
  if (e == cudaSuccess) e = ria_gpu_echo_load();
  return e == cudaSuccess ? c->call->load(c->part[c->first]) : e;
}

static ria_status take_room(ria_gpu_crew *c) {
  ria_gpu_nccl *w = c->nccl;
  RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&lane_here(c)->backend->base));
  RIA_CUDA(c->ctx, "joining parts", load_kernels(c));
  for (int side = SOUTH; side < SIDES; side++) {
    ria_gpu_parcels *rows = &w->rows;
    if (rows->most[side] == 0) continue;
    for (char **room : {&rows->out[side], &rows->in[side]})
      RIA_TRY(ria_cuda_alloc(c->ctx, rows->most[side], "the rows of parts", (void **)room));
  }
  RIA_CUDA(c->ctx, "joining parts",
           cudaHostAlloc((void **)&w->over, 2 * sizeof *w->over, cudaHostAllocDefault));
  for (int k = 0; k < 2; k++)
    RIA_CUDA(c->ctx, "joining parts",
             cudaEventCreateWithFlags(&w->mark[k], cudaEventDisableTiming));
  return ria_gpu_parcels_link(c, &w->rows);
}

/* A small number in both halves of a word: NCCL must take it for one of 8 bytes. */
static unsigned long long in_both(unsigned long long small) { return small << 32 | small; }

/* Words and a number of either reduction once: connections are made at the first message, and that
 * may take long; what has another size connects when it comes (nccl.h). And do the functions do
 * what they are taken for? */
static ria_status try_out(ria_gpu_crew *c) {
  ria_gpu_lane *l = lane_here(c);
  const unsigned long long mine = (unsigned long long)c->begin + 1, ranks = c->n_lanes;
  unsigned long long number[] = {in_both(mine), in_both(mine)};
  RIA_CUDA(c->ctx, "joining parts",
           cudaMemcpyAsync(l->flag, number, sizeof number, cudaMemcpyHostToDevice, l->stream));
  RIA_TRY(ria_gpu_crew_pass(l, 0, 0, RIA_GPU_PASS_WORDS));
  RIA_TRY(ria_gpu_crew_pass(l, 1, 0, RIA_GPU_PASS_WORDS));
  if (!ria_nccl_greatest(c->nccl->nccl, l->flag, 1, l->stream)) return fail_nccl(c);
  if (!ria_nccl_sum(c->nccl->nccl, l->flag + 1, 1, l->stream)) return fail_nccl(c);
  RIA_TRY(set_mark(c, 0));
  RIA_TRY(await_for(c, 0, START));
  RIA_CUDA(c->ctx, "joining parts",
           cudaMemcpyAsync(number, l->flag, sizeof number, cudaMemcpyDeviceToHost, l->stream));
  RIA_CUDA(c->ctx, "joining parts", cudaStreamSynchronize(l->stream));
  const bool well = number[0] == in_both(ranks) && number[1] == in_both(ranks * (ranks + 1) / 2);
  return well ? RIA_OK : fail_here(c, "it gives other numbers back");
}

bool ria_gpu_nccl_abort(ria_gpu_crew *c) { return ria_nccl_abort(c->nccl->nccl); }

void ria_gpu_nccl_free(ria_gpu_crew *c) {
  ria_gpu_nccl *w = c->nccl;
  if (!w) return;
  ria_nccl_close(w->nccl);
  for (int side = SOUTH; side < SIDES; side++) {
    cudaFree(w->rows.out[side]);
    cudaFree(w->rows.in[side]);
  }
  for (int k = 0; k < 2; k++)
    if (w->mark[k]) cudaEventDestroy(w->mark[k]);
  if (w->over) cudaFreeHost(w->over);
  free(w);
  c->nccl = NULL;
}

/* In turns, behind each of which all know whether all can. */
static ria_status join(ria_gpu_crew *c, card *mine, card *all, bool *can) {
  begin_card(c, mine);
  RIA_TRY(meet(c, mine, all, can));
  if (*can) {
    compare(c, all, mine);
    RIA_TRY(meet(c, mine, all, can));
  }
  if (*can) {
    start(c, all[0].id, mine);
    if (!mine->why[0] && take_room(c) != RIA_OK) take_error(c, mine);
    RIA_TRY(meet(c, mine, all, can));
  }
  if (*can) {
    if (try_out(c) != RIA_OK) take_error(c, mine);
    ria_nccl_set_patience(c->nccl->nccl, c->patience);
    RIA_TRY(meet(c, mine, all, can));
  }
  return RIA_OK;
}

ria_status ria_gpu_nccl_join(ria_gpu_crew *c, const char *why, bool *can) {
  card mine = {}, all[RIA_GPU_LANES];
  char how[64];
  bool room = true;
  c->nccl = (ria_gpu_nccl *)calloc(1, sizeof *c->nccl);
  const ria_status here = c->nccl ? RIA_OK : ria_gpu_no_memory(c->part[c->first], "the parts");
  RIA_TRY(ria_gpu_agree(c->ctx, "room for NCCL's way", here, &room));
  const ria_status status = join(c, &mine, all, can);
  if (status == RIA_OK && *can) {
    ria_format(how, sizeof how, "from GPU to GPU by %s", mine.name);
    ria_gpu_ranks_say(c->ctx, how, why);
    return RIA_OK;
  }
  if (c->nccl->nccl) ria_gpu_nccl_abort(c);
  ria_gpu_nccl_free(c);
  return status;
}
