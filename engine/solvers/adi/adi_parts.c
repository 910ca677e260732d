/* adi_parts.c - a part of the grid: a step from one place where parts meet to the next
 * (ria_solver_ops.say). What they say beside it is in adi_part_words.c, their memory in
 * adi_part_life.c.
 *
 *   LOOK        what all see, where the length of the step depends on it; who is too high is judged
 *               by what all store and by what came in everywhere
 *   STEP_RIM    a discharge is spread by what all cells of its stretch hold
 *   SWEPT_X     was the x-sweep good? Rows of what it made pass to the neighbours
 *   NORTH       the columns of a y-sweep are eliminated from part to part, and
 *   SOUTH       substituted back; twice (adi_cross)
 *   SEAM        and where they close upon themselves, told what crosses the seam
 *   SWEPT_Y     was the y-sweep good?
 *   MIX         rows of loads, or columns once more, where tracers spread
 *
 * A bad sweep of one part ends the step of all. What is said is the same as a whole grid finds, and
 * sums are taken over rows and cells in its order. */
#include "adi_parts.h"
#include "solvers/adi/adi_rates_k.h"

#include <stdlib.h>

enum { BAD, FASTEST };                                     /* most[] of a sweep */
enum { SEEN_DEEPEST, SEEN_FLOW, SEEN_RATE, SEEN_HIGHEST }; /* of a look */
static const int64_t nowhere = INT64_MAX;

/* --- the length of a step --------------------------------------------------------------------- */

static ria_status choose(adi *s);

/* Of equals the first one counts as a whole grid meets them: cells in their order, then what is
 * forced. */
static ria_status look(adi *s) {
  const int64_t cells = (int64_t)s->planes.grid.nx * s->planes.grid.ny;
  adi_seen seen = s->apart->loops->look(s);
  if (!(s->rules.dt > 0)) adi_see_forcing(s, s->clock.dt_full, &seen);
  const int64_t rate_at = seen.forced ? cells + s->apart->forced : seen.cell;
  return adi_meet(s, ADI_SEEN,
                  (ria_meeting){.most = {seen.deepest, seen.flow, seen.rate, seen.highest},
                                .where = {0, seen.flow_cell < 0 ? nowhere : seen.flow_cell,
                                          seen.cell < 0 ? nowhere : rate_at,
                                          seen.high_cell < 0 ? nowhere : seen.high_cell},
                                .along = {[SEEN_RATE] = seen.cell}});
}

static int cell_of(int64_t where) { return where == nowhere ? -1 : (int)where; }

static ria_status take_look(adi *s, const ria_meeting *all) {
  const int64_t cells = (int64_t)s->planes.grid.nx * s->planes.grid.ny;
  adi_seen seen = adi_seen_none();
  seen.deepest = all->most[SEEN_DEEPEST];
  seen.flow = all->most[SEEN_FLOW];
  seen.flow_cell = cell_of(all->where[SEEN_FLOW]);
  seen.rate = all->most[SEEN_RATE];
  seen.cell = (int)all->along[SEEN_RATE];
  seen.forced = all->where[SEEN_RATE] != nowhere && all->where[SEEN_RATE] >= cells;
  seen.highest = all->most[SEEN_HIGHEST];
  seen.high_cell = cell_of(all->where[SEEN_HIGHEST]);
  adi_look_at(&s->clock, &s->rules, &seen);
  if (!s->clock.high || s->clock.failure != ADI_WELL) return choose(s);
  return adi_meet_too_high(s);
}

static ria_status judge(adi *s) {
  const size_t n = (size_t)s->planes.n_stretch;
  double *through = malloc((2 * n + 1) * sizeof *through);
  if (!through) return ria_planes_no_memory(&s->planes, "a sum");
  adi_part_through(s, through);
  adi_judge(&s->clock, &s->given, &s->param, &s->planes.grid, adi_part_stored(s), s->planes.stretch,
            (int)n, 1, through, through + n);
  free(through);
  return choose(s);
}

/* --- a step ----------------------------------------------------------------------------------- */

ria_status adi_part_advance(adi *s, const ria_span *span) {
  adi_clock *c = &s->clock;
  const ria_span now = ria_planes_span(&s->planes, span);
  adi_begin_span(c, &now);
  if (c->failure != ADI_WELL || c->steps >= c->steps_stop || !(c->t < c->t_stop)) return RIA_OK;
  if (!adi_look_due(c, &s->rules, c->steps)) return choose(s);
  return s->apart->n_rim && !(s->rules.dt > 0) ? adi_meet_at_rim(s, ADI_SEEN_RIM) : look(s);
}

/* What the part found in a sweep: the first bad cell, the fastest. */
static ria_status meet_after_sweep(adi *s, int why, bool rows) {
  const int next = (s->level_now + 1) % 3;
  const enum adi_axis axis = why == ADI_SWEPT_X ? ADI_X : ADI_Y;
  ria_meeting m = {.where = {nowhere, nowhere}, .rows = rows};
  if (adi_anything_bad(s)) {
    const int64_t cell = adi_bad_cell(s, s->level[next], s->flux[axis][1 - s->flux_now[axis]]);
    m.most[BAD] = 1;
    m.where[BAD] = cell < 0 ? nowhere : cell;
  }
  for (int k = 0; k < s->planes.threads; k++) {
    const adi_found *f = &s->found[k];
    const bool first = f->courant == m.most[FASTEST] && f->cell < m.where[FASTEST];
    if (!(f->courant > m.most[FASTEST] || (f->courant > 0 && first))) continue;
    m.most[FASTEST] = f->courant;
    m.where[FASTEST] = f->cell;
  }
  return adi_meet(s, why, m);
}

static ria_status sweep_x(adi *s) {
  adi_part *p = s->apart;
  const double t = p->now.t, dt = p->now.dt;
  p->from = s->level_now;
  p->load_before = s->load_now;
  water_inflow_at(&s->forcing, &s->planes, s->nt, t + 0.5 * dt);
  adi_even_rated(s, ADI_Y);
  adi_force_at(s, ADI_X, t + 0.5 * dt, t + dt);
  adi_close_state(s);
  p->loops->sweep_x(s);
  return meet_after_sweep(s, ADI_SWEPT_X, true);
}

static ria_status choose(adi *s) {
  adi_part *p = s->apart;
  adi_choose(&s->clock, &s->rules, &p->now);
  if (!p->now.on) return RIA_OK;
  adi_begin_step(&s->clock, &p->now);
  adi_apply_sources(s, p->now.t, p->now.dt);
  return p->n_rim ? adi_meet_at_rim(s, ADI_STEP_RIM) : sweep_x(s);
}

static ria_status relay(adi *s, int why) {
  const adi_part *p = s->apart;
  s->planes.waits = why;
  const size_t bytes = (size_t)p->groups_of_block * (size_t)p->loops->relayed(s) * p->column_bytes;
  const bool south = why == ADI_SOUTH || why == ADI_MIX_SOUTH;
  return adi_meet(s, why, (ria_meeting){.relay = {p->blocks, bytes, south}});
}

ria_status adi_relay(void *self, int block, const void *in, const void **out) {
  adi *s = self;
  const adi_part *p = s->apart;
  p->loops->relay(s, block, in);
  *out = (const char *)p->sent + (size_t)block * s->planes.said.relay.bytes;
  return RIA_OK;
}

/* A sweep is done in all parts. Was it good? The words for a bad one are its part's. */
static bool take_sweep(adi *s, enum adi_axis axis, const ria_meeting *all) {
  if (!(all->most[BAD] > 0)) {
    if (all->most[FASTEST] > 0) adi_know_fast(s, all->most[FASTEST], (int)all->where[FASTEST]);
    s->flux_now[axis] = 1 - s->flux_now[axis];
    s->level_now = (s->level_now + 1) % 3;
    return true;
  }
  adi_blame_cell(s, s->level[(s->level_now + 1) % 3], s->flux[axis][1 - s->flux_now[axis]],
                 cell_of(all->where[BAD]));
  adi_undo(s, axis, s->apart->from, s->apart->load_before);
  return false;
}

static void carry(adi *s, int level) {
  if (!s->nt) return;
  s->apart->loops->carry(s, level);
  s->load_now = 1 - s->load_now;
}

static ria_status swept_x(adi *s, const ria_meeting *all) {
  const double t = s->apart->now.t, dt = s->apart->now.dt;
  if (!take_sweep(s, ADI_X, all)) return RIA_OK;
  carry(s, s->apart->from);
  adi_even_rated(s, ADI_X);
  adi_bend_sides(s, ADI_X, dt);
  adi_force_at(s, ADI_Y, t + dt, t + 1.5 * dt);
  adi_bend_sides(s, ADI_Y, dt);
  adi_close_state(s);
  s->apart->loops->begin_y(s);
  s->apart->solution = s->between ? 0 : 1;
  return relay(s, ADI_NORTH);
}

static ria_status substituted(adi *s) {
  adi_part *p = s->apart;
  if (p->solution++ == 0) {
    p->loops->second_y(s);
    return relay(s, ADI_NORTH);
  }
  p->loops->finish_y(s);
  return meet_after_sweep(s, ADI_SWEPT_Y, s->nt > 0);
}

/* --- what spreads, and the end ---------------------------------------------------------------- */

static ria_status end_step(adi *s) {
  s->apart->loops->follow(s);
  adi_end_step(&s->clock, &s->apart->now);
  return RIA_OK;
}

/* The next tracer that spreads implicitly, from m on; after the last the step ends. */
static ria_status mix_next(adi *s, int m) {
  while (m < s->nt && !(s->diffusion[m] > 0)) m++;
  if (m >= s->nt) return end_step(s);
  s->apart->tracer = m;
  return relay(s, ADI_MIX_NORTH);
}

static ria_status swept_y(adi *s, const ria_meeting *all) {
  adi_part *p = s->apart;
  bool lines;
  if (!take_sweep(s, ADI_Y, all)) return RIA_OK;
  carry(s, (p->from + 1) % 3);
  p->mixes = adi_mixes(s, p->now.dt, &lines);
  p->solution = p->mixes;
  if (p->mixes > 0) return adi_meet(s, ADI_MIX, (ria_meeting){.rows = true});
  if (!lines) return end_step(s);
  p->loops->mix_x(s);
  return mix_next(s, 0);
}

static ria_status mix(adi *s) {
  adi_part *p = s->apart;
  p->loops->mix(s, p->now.dt / p->mixes);
  s->load_now = 1 - s->load_now;
  return --p->solution > 0 ? adi_meet(s, ADI_MIX, (ria_meeting){.rows = true}) : end_step(s);
}

/* --- meeting ---------------------------------------------------------------------------------- */

ria_status adi_hear(void *self, const ria_meeting *all) {
  adi *s = self;
  const int why = s->planes.waits;
  s->planes.waits = ADI_GOES_ON;
  switch (why) {
  case ADI_FORCED:
    return adi_part_forced(s);
  case ADI_JOINED:
    return adi_part_joined(s);
  case ADI_PREPARED:
    return adi_know_state(s, all->most[ADI_SET_DEEPEST], all->most[ADI_SET_HEAD],
                          adi_part_stored(s));
  case ADI_SEEN_RIM:
    return look(s);
  case ADI_SEEN:
    return take_look(s, all);
  case ADI_TOO_HIGH:
    return judge(s);
  case ADI_STEP_RIM:
    return sweep_x(s);
  case ADI_SWEPT_X:
    return swept_x(s, all);
  case ADI_NORTH:
    return relay(s, ADI_SOUTH);
  case ADI_SOUTH:
    return s->rings.y ? relay(s, ADI_SEAM) : substituted(s);
  case ADI_SEAM:
    return substituted(s);
  case ADI_SWEPT_Y:
    return swept_y(s, all);
  case ADI_MIX:
    return mix(s);
  case ADI_MIX_NORTH:
    return relay(s, ADI_MIX_SOUTH);
  case ADI_MIX_SOUTH:
    return s->rings.y ? relay(s, ADI_MIX_SEAM) : mix_next(s, s->apart->tracer + 1);
  case ADI_MIX_SEAM:
    return mix_next(s, s->apart->tracer + 1);
  default:
    return RIA_OK;
  }
}
