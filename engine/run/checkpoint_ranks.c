/* run/checkpoint_ranks.c - checkpoints of ranks: one file for all, which rank 0 writes and reads.
 *
 * Each rank has a part of the state, so all go through it together, item by item; whatever becomes
 * of the file rank 0 goes on to the last, and tells then. To go on, it hands out each piece as it
 * reads it. So the file has no trace of how many ranks there were. */
#include "base/context.h"
#include "base/ranks.h"
#include "run/checkpoints.h"
#include <stdlib.h>
#include <string.h>

enum { WHETHER = RIA_MEET_CHECKPOINT, IN_MEMORY, A_BLOCK, ITS_ROOM, AN_ITEM };

/* --- taking one ------------------------------------------------------------------------------- */

static const char taking[] = "a checkpoint is taken";

typedef struct walking {
  const ria_state_walk *walk; /* NULL: only go along */
  ria_status status;
} walking;

static ria_status visit_all(void *user, const ria_state_item *item) {
  walking *w = user;
  if (w->walk && w->status == RIA_OK) w->status = w->walk->visit(w->walk->user, item);
  return RIA_OK;
}

ria_status ria_checkpoint_walk(ria_sim *sim, ria_status s, const ria_state_walk *walk) {
  const ria_ranks *r = sim->ctx->ranks;
  if (!r) return s == RIA_OK ? ria_checkpoint_visit(sim, walk) : s;
  walking w = {.walk = ria_ranks_root(r) ? walk : NULL, .status = s};
  s = ria_checkpoint_visit(sim, &(ria_state_walk){.visit = visit_all, .user = &w});
  return w.status != RIA_OK ? w.status : s;
}

ria_status ria_checkpoint_decide(ria_sim *sim, ria_verdict *of_root) {
  const ria_ranks *r = sim->ctx->ranks;
  if (!r) return RIA_OK;
  ria_packet mine = ria_ranks_call(WHETHER, NULL, 0);
  mine.where[0] = *of_root;
  RIA_TRY(ria_ranks_meet(sim->ctx, &mine, taking));
  *of_root = (ria_verdict)r->all[0].where[0];
  return RIA_OK;
}

ria_status ria_checkpoint_copied(ria_sim *sim, ria_status s) {
  const ria_ranks *r = sim->ctx->ranks;
  if (!r) return sim->record.too_large ? RIA_OK : s;
  ria_packet mine = ria_ranks_call(IN_MEMORY, NULL, 0);
  const bool short_of = ria_ranks_root(r) && s == RIA_ERR_MEMORY;
  mine.status = short_of ? RIA_OK : (int32_t)s;
  mine.where[0] = short_of;
  mine.where[1] = sim->record.too_large;
  RIA_TRY(ria_ranks_meet(sim->ctx, &mine, taking));
  sim->record.too_large = r->all[0].where[1] != 0;
  return r->all[0].where[0] && !sim->record.too_large ? RIA_ERR_MEMORY : RIA_OK;
}

/* --- going on --------------------------------------------------------------------------------- */

static const char reading[] = "a checkpoint is read";

/* Room for what rank 0 has; all have it, or none. */
static ria_status make_room(ria_context *ctx, void **data, size_t n) {
  ria_packet mine = ria_ranks_call(ITS_ROOM, NULL, 0);
  if (!ria_ranks_root(ctx->ranks)) {
    *data = calloc(1, n + 1);
    if (!*data) mine.status = (int32_t)ria_fail_memory(ctx, "a checkpoint", n);
  }
  return ria_ranks_meet(ctx, &mine, reading);
}

ria_status ria_checkpoint_share(ria_sim *sim, ria_status s, void **data, size_t *n) {
  ria_context *ctx = sim->ctx;
  const ria_ranks *r = ctx->ranks;
  if (!r) return s;
  ria_packet mine = ria_ranks_call(A_BLOCK, NULL, 0);
  mine.status = (int32_t)s;
  mine.where[0] = ria_ranks_root(r) ? (int64_t)*n : 0;
  RIA_TRY(ria_ranks_meet(ctx, &mine, reading));
  *n = (size_t)r->all[0].where[0];
  RIA_TRY(make_room(ctx, data, *n));
  return ria_ranks_spread(ctx, *data, *n);
}

ria_status ria_checkpoint_share_item(ria_sim *sim, ria_status s, const ria_state_item *item) {
  if (!sim->ctx->ranks) return s;
  const size_t bytes = ria_state_bytes(item);
  ria_packet mine = ria_ranks_call(AN_ITEM, item->name, strlen(item->name));
  mine.hash = ria_hash(mine.hash, &bytes, sizeof bytes);
  mine.status = (int32_t)s;
  RIA_TRY(ria_ranks_meet(sim->ctx, &mine, reading));
  return ria_ranks_spread(sim->ctx, item->data, bytes);
}
