/* gpu/sediment/state.cu - the state of the two-sediment solver on a GPU by name. Sand that went
 * below the active layer is counted by tile, and that of the last pass apart. */
#include "host.cuh"
#include "machine/state.cuh"

#include <stddef.h>
#include <stdlib.h>

namespace {

/* What lies in several places. */
typedef struct numbers {
  double sea;
  int held;
} numbers;

const ria_state_member members[] = {{"sea_level", RIA_STATE_F64, offsetof(numbers, sea), 0},
                                    {"deposit.held", RIA_STATE_I32, offsetof(numbers, held), 0},
                                    {}};

/* By tile: what went down, in tiles of the part's rows. */
ria_status visit_deposit(sedg *s, const ria_state_walk *walk) {
  const sedg_args *a = &s->a;
  const size_t tiles_x = (size_t)a->tiles_x;
  const int tiles_y = (a->end - a->begin + a->rows - 1) / a->rows;
  int *first = (int *)malloc((size_t)tiles_y * sizeof *first);
  if (!first) return ria_gpu_no_memory(&s->p, "the state");
  for (int t = 0; t < tiles_y; t++) first[t] = t * a->rows;
  ria_status status =
      ria_gpu_tiles_state(&s->p, walk, "deposit.tiles", first, tiles_y, tiles_x, a->deposit);
  if (status == RIA_OK)
    status = ria_gpu_tiles_state(&s->p, walk, "deposit.last", first, tiles_y, tiles_x, a->found);
  free(first);
  return status;
}

ria_status visit_planes(sedg *s, const ria_state_walk *walk) {
  sedg_args *a = &s->a;
  const int now = sedg_now(s);
  const char *const name[] = {"height", "sand", "base", "alpha", "beta"};
  void *const plane[] = {a->h[now], a->s[now], a->base, a->alpha, a->beta};
  RIA_TRY(ria_gpu_planes_state(&s->p, walk, s->p.v.source_owed));
  for (int k = 0; k < 5; k++)
    RIA_TRY(ria_gpu_cells_state(&s->p, walk, name[k], ria_gpu_cells_of(&s->p, plane[k]), 0, 0));
  return visit_deposit(s, walk);
}

} // namespace

ria_status sedg_state(void *self, const ria_state_walk *walk) {
  sedg *s = (sedg *)self;
  RIA_TRY(sedg_enter(s));
  numbers n = {s->a.sea, s->seen->held};
  double strata = s->seen->strata;
  sed_clock clock = s->seen->clock;
  if (s->fresh) { /* what the next span begins with */
    clock.t = s->t;
    clock.pull = -1;
  }
  RIA_TRY(visit_planes(s, walk));
  RIA_TRY(ria_gpu_amounts_state(&s->p, walk, "strata", 1, &strata));
  RIA_TRY(ria_state_members(walk, members, &n));
  RIA_TRY(ria_state_members(walk, sed_clock_members, &clock));
  if (!walk->restores) return RIA_OK;
  s->a.sea = n.sea;
  RIA_TRY(sedg_prepare(s, clock.t));
  ria_loop_stale(&s->loop);
  s->fresh = false;
  s->seen->clock = clock;
  s->seen->strata = strata;
  s->seen->held = n.held;
  RIA_CUDA(s->p.ctx, "copying the state",
           ria_gpu_to_device(&s->p, s->a.report, s->seen, sizeof *s->seen));
  return ria_gpu_planes_wait(&s->p);
}
