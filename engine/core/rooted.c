/* core/rooted.c - what rank 0 does for all: writing files, telling of the run.
 *
 * Other ranks do not know how far it gets, which of several pictures share a field, or that a disk
 * is full. So they serve: rank 0 asks for values of the whole grid as it needs them, until it is
 * done and tells what became of it. */
#include "base/clock.h"
#include "base/context.h"
#include "base/ranks.h"
#include "core/keeping.h"
#include <ria/comm.h>

#include <stdlib.h>

enum { A_TURN = RIA_MEET_ROOTED, A_START };

/* A meeting that fails is known to all: the others serve no longer then, and await no end. */
static ria_status lead(ria_sim *sim, ria_rooted_fn fn, void *user, const char *what) {
  ria_ranks *r = sim->ctx->ranks;
  r->rooted = true;
  r->unserved = RIA_OK;
  const ria_status s = fn(sim, user);
  r->rooted = false;
  if (r->unserved != RIA_OK) return s != RIA_OK ? s : r->unserved;
  ria_packet done = {.act = RIA_RANK_DONE, .status = (int32_t)s};
  return ria_ranks_meet(sim->ctx, &done, what);
}

static ria_status serve(ria_sim *sim, const char *what) {
  ria_ranks *r = sim->ctx->ranks;
  for (;;) {
    ria_packet mine = {.act = RIA_RANK_SERVES};
    RIA_TRY(ria_ranks_meet(sim->ctx, &mine, what));
    const ria_packet asked = r->all[0];
    if (asked.act == RIA_RANK_DONE) return RIA_OK;
    if (!sim->by_ranks) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "nothing can be served");
    const ria_status s = sim->by_ranks->serve(sim, &asked);
    if (r->lost) return s;
    r->late = s;
  }
}

ria_status ria_rooted(ria_sim *sim, ria_rooted_fn fn, void *user, const char *what) {
  const ria_ranks *r = sim->ctx->ranks;
  if (r && !r->rooted && r->comm->rank != 0) return serve(sim, what);
  const bool inside = sim->record.rooted;
  sim->record.rooted = true;
  const ria_status s = !r || r->rooted ? fn(sim, user) : lead(sim, fn, user, what);
  sim->record.rooted = inside;
  return s;
}

/* The call is still the one to name where ranks part later in it. */
ria_status ria_ranks_start(ria_sim *sim) {
  ria_ranks *r = sim->ctx->ranks;
  if (!r) return RIA_OK;
  const int calls = r->n_calls, notes = r->n_notes;
  ria_packet mine = ria_ranks_call(A_START, NULL, 0);
  RIA_TRY(ria_ranks_meet(sim->ctx, &mine, "a run begins"));
  r->n_calls = calls;
  r->n_notes = notes;
  return RIA_OK;
}

ria_status ria_rooted_times(ria_sim *sim) {
  const size_t n = (size_t)ria_context_ranks(sim->ctx);
  if (!sim->by_ranks || sim->backend->kind != RIA_BACKEND_CPU) return RIA_OK;
  if (!sim->times) sim->times = calloc(n, sizeof *sim->times);
  if (!sim->times) return ria_fail_memory(sim->ctx, "the times of ranks", n * sizeof *sim->times);
  return sim->by_ranks->times(sim->self, sim->times);
}

bool ria_sim_interrupted(const ria_sim *sim) {
  return sim->ctx->ranks ? sim->run.interrupted : sim->interrupted;
}

static bool checkpoint_is_due(const ria_sim *sim) {
  const ria_keeping *k = sim->keeping;
  return k && k->wanted && k->next_wall > 0.0 && ria_wall_clock() >= k->next_wall;
}

/* The first rank's batch and clock are those of all: how long steps took differs. */
ria_status ria_ranks_turn(ria_sim *sim) {
  ria_ranks *r = sim->ctx->ranks;
  ria_run *run = &sim->run;
  if (!r) return RIA_OK;
  const double stands[] = {run->t_end, sim->at.t, ria_queue_next(sim), sim->stop};
  ria_packet mine = ria_ranks_call(A_TURN, stands, sizeof stands);
  mine.waiting = sim->interrupted;
  mine.where[0] = run->batch;
  mine.where[1] = ria_wall_clock() >= sim->look_from;
  mine.where[2] = checkpoint_is_due(sim);
  RIA_TRY(ria_ranks_meet(sim->ctx, &mine, "the next steps of a run"));
  run->batch = r->all[0].where[0];
  run->looks = r->all[0].where[1] != 0;
  run->saves = r->all[0].where[2] != 0;
  run->interrupted = false;
  for (int k = 0; k < r->comm->size; k++) run->interrupted |= r->all[k].waiting != 0;
  return RIA_OK;
}
