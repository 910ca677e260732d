/* gpu/adi/state.cu - the state of the implicit solver on a GPU by name. Between two spans the host
 * has the clock. */
#include "host.cuh"
#include "machine/state.cuh"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

namespace {

const ria_state_member members[] = {{"water_set", RIA_STATE_BOOL, offsetof(adig, water_set), 0},
                                    {}};
const ria_state_member report_members[] = {
    {"judged", RIA_STATE_I32, offsetof(adig_report, judged), 0}, {}};

ria_status planes_state(adig *s, const ria_state_walk *walk) {
  ria_gpu_planes *p = &s->p;
  const int x = s->now.flux[ADI_X], y = s->now.flux[ADI_Y];
  char name[32];
#define CELLS(NAME, PLANE, WEST, SOUTH)                                                            \
  RIA_TRY(ria_gpu_cells_state(p, walk, NAME, ria_gpu_cells_of(p, PLANE), WEST, SOUTH))
  CELLS("bed", s->bed, 0, 0);
  RIA_TRY(ria_gpu_plane_state_if(p, walk, "manning", &s->manning));
  CELLS("level", s->level[s->now.level], 0, 0);
  CELLS("qx", s->flux[ADI_X][x], 1, 0);
  CELLS("qy", s->flux[ADI_Y][y], 0, 1);
  CELLS("qy_before", s->flux[ADI_Y][1 - y], 0, 1);
  for (int m = 0; m < s->nt; m++) {
    snprintf(name, sizeof name, "load.%d", m);
    CELLS(name, s->load[s->load_now][m], 0, 0);
  }
#undef CELLS
  return RIA_OK;
}

/* The largest sum of two fluxes across decides which lines go the way of calm water, which differs
 * from the other by rounding. A sweep reads its own slots, raises those of the next and clears
 * those after: only their largest counts. */
ria_status largest_moved_state(adig *s, const ria_state_walk *walk) {
  static const char *const names[2] = {"largest_moved.now", "largest_moved.next"};
  unsigned all[3][ADIG_SLOTS];
  A_TRY("the sums", ria_gpu_to_host(&s->p, all, s->fastest, sizeof all));
  for (int k = 0; k < 2; k++) {
    unsigned *slots = all[(2 * s->turn + k) % 3], most = 0;
    float sum;
    for (int n = 0; n < ADIG_SLOTS; n++) most = slots[n] > most ? slots[n] : most;
    memcpy(&sum, &most, sizeof sum);
    const ria_state_item item = {names[k], RIA_STATE_F32, 0, {0}, &sum};
    RIA_TRY(walk->visit(walk->user, &item));
    for (int n = 0; n < ADIG_SLOTS; n++) memcpy(&slots[n], &sum, sizeof sum);
  }
  if (!walk->restores) return RIA_OK;
  A_TRY("the sums", ria_gpu_to_device(&s->p, s->fastest, all, sizeof all));
  return ria_gpu_planes_wait(&s->p);
}

} // namespace

/* Where the planes of the present state are follows from the steps: the clock comes first. */
ria_status adig_name_state(void *self, const ria_state_walk *walk) {
  adig *s = (adig *)self;
  RIA_TRY(adig_enter(s));
  RIA_TRY(ria_gpu_planes_state(&s->p, walk, s->beside.rivers.source_owed));
  RIA_TRY(adi_state_numbers(walk, &s->host->clock, &s->given));
  RIA_TRY(ria_state_members(walk, members, s));
  RIA_TRY(ria_state_members(walk, report_members, s->host));
  if (walk->restores) {
    adig_set_turn(s, s->host->clock.steps);
    s->progress = {}; /* of a run that is gone */
  }
  RIA_TRY(planes_state(s, walk));
  if (walk->restores) adig_stale(s);
  if (walk->restores && s->p.ring) { /* rows beyond the ends are of others */
    s->shows = ROWS_STATE;
    s->waits = ADIG_RESTORED;
  }
  return largest_moved_state(s, walk);
}
