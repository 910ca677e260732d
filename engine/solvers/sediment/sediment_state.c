/* sediment_state.c - the state by name (ria/state.h). */
#include "sediment.h"

const ria_state_member sed_clock_members[] = {
    {"t", RIA_STATE_F64, offsetof(sed_clock, t), 0},
    {"last", RIA_STATE_F64, offsetof(sed_clock, last), 0},
    {"pull", RIA_STATE_F64, offsetof(sed_clock, pull), 0},
    {"dt_min", RIA_STATE_F64, offsetof(sed_clock, dt_min), 0},
    {"dt_min_t", RIA_STATE_F64, offsetof(sed_clock, dt_min_t), 0},
    {"steps", RIA_STATE_I64, offsetof(sed_clock, steps), 0},
    {"by_slope", RIA_STATE_I32, offsetof(sed_clock, by_slope), 0},
    {0}};

static const ria_state_member members[] = {{"sea_level", RIA_STATE_F64, offsetof(sed, sea), 0},
                                           {0}};

ria_status sed_state(void *self, const ria_state_walk *walk) {
  sed *s = self;
  ria_planes *p = &s->planes;
  const int now = s->clock.now;
  RIA_TRY(ria_planes_state(p, walk));
  RIA_TRY(ria_plane_state(p, walk, "height", s->h[now], 0, 0));
  RIA_TRY(ria_plane_state(p, walk, "sand", s->sand[now], 0, 0));
  RIA_TRY(ria_plane_state(p, walk, "base", s->base, 0, 0));
  RIA_TRY(ria_plane_state(p, walk, "alpha", s->alpha, 0, 0));
  RIA_TRY(ria_plane_state(p, walk, "beta", s->beta, 0, 0));
  RIA_TRY(
      ria_state_array(walk, "deposit", RIA_STATE_F64, 0, (size_t)ria_planes_rows(p), s->deposit));
  RIA_TRY(ria_state_members(walk, members, s));
  RIA_TRY(ria_state_members(walk, sed_clock_members, &s->clock));
  if (!walk->restores) return RIA_OK;
  s->begun = true;
  sed_find_ways(s);
  return RIA_OK;
}
