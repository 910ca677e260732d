/* gpu/shallow_water/state.cu - the state of the shallow-water solver on a GPU by name.
 *
 * What decays is counted by tile, and tiles are laid by the water that there is at the start: how
 * they lie is state, too. */
#include "host.cuh"
#include "machine/state.cuh"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace {

const ria_state_member members[] = {
    {"refusal", RIA_STATE_TEXT, offsetof(swg, outlets.refusal), sizeof(sw_outlets::refusal)},
    RIA_STATE_PROGRESS(swg, progress),
    {}};

/* What a survey left to the next span: the largest speed, and where (clock.cuh). */
void know_survey(const swg_report *c, sw_clock *clock) {
  unsigned long long speed = 0, where = 0;
  double v;
  for (int k = 0; k < SWG_SLOTS; k++) {
    speed = c->found[k] > speed ? c->found[k] : speed;
    where = c->where[k] > where ? c->where[k] : where;
  }
  memcpy(&v, &speed, sizeof v);
  sw_know(clock, v, where ? (int32_t)(0xffffffffu - (unsigned)where) : -1);
}

/* The other way: as if a survey had found what the clock knows. A part tells its words instead, and
 * empties the slots then. */
void leave_survey(swg_report *c) {
  memset(c->found, 0, sizeof c->found);
  memset(c->where, 0, sizeof c->where);
  memcpy(&c->found[0], &c->clock.speed, sizeof c->clock.speed);
  if (c->clock.speed_cell >= 0)
    c->where[0] = 1ull << 32 | (0xffffffffu - (unsigned)c->clock.speed_cell);
}

/* A plane of the state: a component of the vectors of four, or one of further tracers. */
ria_gpu_cells state_cells(const swg *s, int k) {
  if (k >= SW_STATE_C) return s->p.call->quantity(s, 1 + k - SW_STATE_C);
  return {(char *)s->v.state[s->now] + (size_t)k * s->p.real_size, 4 * (size_t)s->v.stride, 4};
}

ria_status fields_state(swg *s, const ria_state_walk *walk) {
  char name[32];
  RIA_TRY(ria_gpu_cells_state(&s->p, walk, "bed", ria_gpu_cells_of(&s->p, (void *)s->v.bed), 0, 0));
  RIA_TRY(ria_gpu_plane_state_if(&s->p, walk, "manning", (void **)&s->v.manning));
  for (int k = 0; k < SW_STATE_C + s->v.nt; k++)
    RIA_TRY(ria_gpu_cells_state(&s->p, walk, sw_state_name(k, name), state_cells(s, k), 0, 0));
  return RIA_OK;
}

/* Where tiles lie, before all that is by tile. With other cuts than the state has they stay as they
 * are: that shows in the last place of what decays alone. */
ria_status lay_tiles(swg *s, const int32_t *high) {
  swg_view *v = &s->v;
  swg_band band[SWG_BANDS];
  int rows[SWG_BANDS][2];
  const int ny = v->end - v->begin;
  const int n =
      swg_bands_of_rows(high, ny, rows) ? swg_lay_bands(rows, ny, s->tiles_y_most, band) : 0;
  if (!n) return RIA_OK;
  swg_move_bands(band, v->begin);
  memcpy(v->band, band, sizeof v->band);
  v->tiles_y = n;
  return swg_move_forcing(s);
}

/* How high the tiles are that begin in a row; 0: none do. */
ria_status tiles_state(swg *s, const ria_state_walk *walk) {
  const swg_view *v = &s->v;
  int32_t *high = (int32_t *)calloc((size_t)(v->end - v->begin), sizeof *high);
  if (!high) return ria_gpu_no_memory(&s->p, "the state");
  for (int t = 0; t < v->tiles_y; t++)
    high[swg_first_row(v->band, t) - v->begin] = swg_height(v->band, t);
  ria_status status = ria_gpu_rows_state(&s->p, walk, "tiles.rows", high);
  if (status == RIA_OK && walk->restores) status = lay_tiles(s, high);
  free(high);
  return status;
}

ria_status decayed_state(swg *s, const ria_state_walk *walk) {
  const swg_view *v = &s->v;
  const size_t n = (size_t)v->tiles_x * (size_t)v->nt;
  int *first = (int *)malloc((size_t)v->tiles_y * sizeof *first);
  if (!first) return ria_gpu_no_memory(&s->p, "the state");
  for (int t = 0; t < v->tiles_y; t++) first[t] = swg_first_row(v->band, t) - v->begin;
  const ria_status status =
      ria_gpu_tiles_state(&s->p, walk, "decayed.tiles", first, v->tiles_y, n, v->decayed);
  free(first);
  return status;
}

/* What sources gave is in the clock; the planes' place for it is free. */
ria_status account_state(swg *s, const ria_state_walk *walk, swg_report *c) {
  const size_t bytes = (1 + (size_t)s->v.nt) * sizeof *c->added;
  SWG_TRY("copying the state", ria_gpu_to_device(&s->p, s->p.v.added, c->added, bytes));
  RIA_TRY(ria_gpu_planes_state(&s->p, walk, s->v.forcing.source_owed));
  SWG_TRY("copying the state", ria_gpu_to_host(&s->p, c->added, s->p.v.added, bytes));
  return decayed_state(s, walk);
}

/* Which tiles are wet follows from the depths; the speed is the clock's. */
ria_status go_on(swg *s, swg_report *c) {
  c->clock.dt_min = s->progress.dt_min;
  s->progress.t = c->clock.t;
  s->progress.steps = c->clock.steps;
  s->progress.dt = c->clock.dt;
  SWG_TRY("preparing a step", s->kernel->survey(&s->v, s->now, s->p.stream));
  leave_survey(c);
  RIA_TRY(swg_put_report(s, c));
  ria_loop_stale(&s->loop);
  s->surveyed = ria_gpu_whole(&s->p);
  return s->surveyed ? RIA_OK : swg_say_state(s, &c->clock);
}

} // namespace

ria_status swg_state(void *self, const ria_state_walk *walk) {
  swg *s = (swg *)self;
  ria_progress at;
  RIA_TRY(swg_progress(s, &at)); /* waits; words of the shortest step */
  swg_report c = *s->seen;
  if (s->surveyed) know_survey(&c, &c.clock);
  RIA_TRY(tiles_state(s, walk));
  RIA_TRY(account_state(s, walk, &c));
  RIA_TRY(fields_state(s, walk));
  RIA_TRY(ria_state_members(walk, sw_clock_members, &c.clock));
  RIA_TRY(ria_state_members(walk, members, s));
  return walk->restores ? go_on(s, &c) : RIA_OK;
}
