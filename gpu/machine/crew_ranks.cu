/* gpu/machine/crew_ranks.cu - parts of a grid that step together though some are other ranks': each
 * rank has a lane, and stores rows and words straight into the memory of the others (ranks.cuh). */
#include "crew_inner.cuh"
#include "agree.cuh"

extern "C" {
#include "base/context.h"
#include "base/ranks.h"
}

#include <stdlib.h>
#include <string.h>

static const char by_host[] = "by way of the host", straight[] = "straight from GPU to GPU";

/* --- lanes ------------------------------------------------------------------------------------ */

/* What a rank tells of itself. */
typedef struct card {
  int32_t parts, row, can;
} card;

static void take_cards(ria_gpu_crew *c, const card *of, int ranks) {
  c->n_lanes = ranks;
  for (int k = 0; k < ranks; k++) {
    ria_gpu_lane *l = &c->lane[k];
    *l = {};
    l->crew = c;
    l->index = k;
    l->first = c->n;
    l->n = of[k].parts;
    l->row = of[k].row;
    l->name = c->ctx->ranks->place[k].name;
    c->n += of[k].parts;
  }
  c->begin = c->ctx->ranks->comm->rank;
  c->end = c->begin + 1;
  c->first = c->lane[c->begin].first;
}

static bool on_one(ria_gpu_planes *const *part, int count) {
  for (int k = 1; k < count; k++)
    if (part[k]->backend != part[0]->backend) return false;
  return true;
}

static const char asked[] = "as the environment asks";

/* What the environment of all ranks allows. */
typedef struct reach {
  bool any, maps, nccl, shared; /* but the host's way; and that even where ranks share a GPU */
} reach;

static ria_status agree_on_reach(ria_context *ctx, const ria_cuda_backend *b, reach *all) {
  const struct {
    const char *what;
    bool *can;
  } of[] = {{"GPUs reach others", &all->any},
            {"GPUs map memory of others", &all->maps},
            {"GPUs reach others by NCCL", &all->nccl},
            {"ranks that share a GPU map memory", &all->shared}};
  *all = {b->peers && b->reach != RIA_REACH_HOST, b->reach != RIA_REACH_NCCL,
          b->reach != RIA_REACH_IPC, b->reach == RIA_REACH_IPC};
  for (const auto &one : of) RIA_TRY(ria_gpu_agree(ctx, one.what, RIA_OK, one.can));
  return RIA_OK;
}

/* *can: ranks may reach each other's memory, or go by NCCL. */
static ria_status choose_way(ria_gpu_crew *c, const ria_cuda_backend *b, bool *can) {
  const char *none;
  reach all;
  RIA_TRY(agree_on_reach(c->ctx, b, &all));
  c->maps = ria_gpu_ranks_near(c->ctx, RIA_GPU_LANES, all.shared, &c->why) && all.maps;
  c->tries_nccl = all.nccl && ria_gpu_ranks_apart(c->ctx, RIA_GPU_LANES, &none);
  c->maps &= all.any;
  c->tries_nccl &= all.any;
  *can = c->maps || c->tries_nccl;
  if (c->call->by_host) *can = c->ctx->ranks->comm->size <= RIA_GPU_LANES;
  if (!all.any || !c->why[0]) c->why = c->maps ? "" : asked;
  if (!c->maps) ria_gpu_ranks_say(c->ctx, by_host, c->why);
  return RIA_OK;
}

ria_status ria_gpu_crew_meet_ranks(ria_gpu_crew *c, ria_gpu_planes *const *part, int count,
                                   bool low, bool *can) {
  const int ranks = c->ctx->ranks->comm->size;
  const ria_cuda_backend *b = part[0]->backend;
  card mine = {count, part[0]->part.j0, !low && on_one(part, count)}, all[RIA_GPU_LANES];
  RIA_TRY(choose_way(c, b, can));
  if (!*can) return RIA_OK;
  RIA_TRY(ria_gpu_ranks_tell(c->ctx, &mine, all, sizeof mine));
  for (int k = 0; k < ranks; k++) *can &= all[k].can != 0;
  if (!*can) ria_gpu_ranks_say(c->ctx, by_host, "parts are lower than what they share");
  take_cards(c, all, ranks);
  c->lane[c->begin].backend = b;
  c->lane[c->begin].stream = part[0]->stream;
  return RIA_OK;
}

/* --- words ------------------------------------------------------------------------------------ */

enum { FLAG, BOX, WORDS, WORDS_OF_ALL = 2 * (int)RIA_GPU_LANES };

static ria_status reach_words(ria_gpu_crew *c, bool *well) {
  ria_gpu_lane *l = &c->lane[c->begin];
  void *mine[WORDS] = {l->flag, l->box}, *theirs[WORDS_OF_ALL];
  RIA_TRY(ria_gpu_ranks_map(c->ctx, &c->windows, WORDS, mine, theirs, c->n_lanes, well));
  for (int k = 0; *well && k < c->n_lanes; k++) {
    c->lane[k].flag = (unsigned long long *)theirs[k * WORDS + FLAG];
    c->lane[k].box = (ria_meeting *)theirs[k * WORDS + BOX];
  }
  return RIA_OK;
}

ria_status ria_gpu_crew_reach_lists(ria_gpu_crew *c) {
  void *mine[1] = {c->lane[c->begin].list}, *theirs[RIA_GPU_LANES];
  bool well;
  RIA_TRY(ria_gpu_ranks_map(c->ctx, &c->windows, 1, mine, theirs, c->n_lanes, &well));
  if (!well)
    return ria_fail(c->ctx, RIA_ERR_DEVICE,
                    "memory of another rank's GPU, which was reached before, is not any more");
  for (int k = 0; k < c->n_lanes; k++) c->lane[k].list = (double *)theirs[k];
  return RIA_OK;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Of a side of this rank in a state: [MOST_SHARED] at side_of(c, side, state). */
static int side_of(const ria_gpu_crew *c, int side, int state) {
  return (side * ria_gpu_crew_sets(c) + state) * MOST_SHARED;
}
static int ghosts_of(const ria_gpu_crew *c) { return side_of(c, 2, 0); }

/* Rows of this rank's side go to the ghost rows of the other's opposite one. */
static ria_status link_side(ria_gpu_crew *c, int side, void *const *theirs) {
  const int other = ria_gpu_crew_beside(c, c->begin, side == 1);
  if (other < 0) return RIA_OK;
  for (int state = 0; state < ria_gpu_crew_sets(c); state++) {
    ria_shared_row own[MOST_SHARED];
    const int n = ria_gpu_crew_edge_rows(c, side, state, own);
    void *const *ghost = theirs + (size_t)(other * ghosts_of(c) + side_of(c, 1 - side, state));
    int there = 0;
    while (there < MOST_SHARED && ghost[there]) there++;
    if (n != there || n > MOST_SHARED)
      return ria_fail(c->ctx, RIA_ERR_ARGUMENT,
                      "two ranks share %d and %d rows: at most %d, the same. A fault of the solver",
                      n, there, MOST_SHARED);
    for (int k = 0; k < n; k++)
      if (!ria_gpu_crew_add_row(&c->lane[c->begin].send[state], ghost[k], own[k].own, own[k].bytes,
                                false))
        return ria_gpu_no_memory(c->part[c->first], "the rows of parts");
  }
  return RIA_OK;
}

static ria_status reach_rows(ria_gpu_crew *c, void **room, bool *well) {
  void **mine = room, **theirs = room + ghosts_of(c);
  ria_shared_row rows[MOST_SHARED];
  for (int side = 0; side < 2; side++)
    for (int state = 0; state < ria_gpu_crew_sets(c); state++) {
      const int n = ria_gpu_crew_edge_rows(c, side, state, rows);
      for (int k = 0; k < n && k < MOST_SHARED; k++)
        mine[side_of(c, side, state) + k] = rows[k].ghost;
    }
  RIA_TRY(ria_gpu_ranks_map(c->ctx, &c->windows, ghosts_of(c), mine, theirs, ria_gpu_crew_reach(c),
                            well));
  if (!*well) return RIA_OK;
  ria_status here = link_side(c, 0, theirs);
  if (here == RIA_OK) here = link_side(c, 1, theirs);
  return ria_gpu_agree(c->ctx, "rows go straight to others", here, well);
}

ria_status ria_gpu_crew_reach_ranks(ria_gpu_crew *c, bool *well) {
  RIA_TRY(reach_words(c, well));
  if (!*well) return RIA_OK;
  void **room = (void **)calloc((size_t)((1 + c->n_lanes) * ghosts_of(c)), sizeof *room);
  ria_status status = room ? RIA_OK : ria_gpu_no_memory(c->part[c->first], "the rows of parts");
  status = ria_gpu_agree(c->ctx, "room for the names of rows", status, well);
  if (status == RIA_OK) status = reach_rows(c, room, well);
  free(room);
  if (status == RIA_OK && *well) ria_gpu_ranks_say(c->ctx, straight, "");
  return status;
}

/* --- giving up -------------------------------------------------------------------------------- */

void ria_gpu_crew_tell_broken(ria_gpu_crew *c) {
  const unsigned long long broken = 1;
  const ria_cuda_backend *b = c->lane[c->begin].backend;
  for (int k = 0; k < c->n_lanes; k++)
    if (k != c->begin && c->lane[k].flag)
      cudaMemcpyAsync(c->lane[k].flag + RIA_GPU_LANES, &broken, sizeof broken, cudaMemcpyDefault,
                      b->stream);
  cudaStreamSynchronize(b->stream);
  cudaGetLastError();
}
