/* adi_parts.c - a part of the grid: what parts say to each other, and a step from one place where
 * they meet to the next (ria_solver_ops.say).
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
#include <string.h>

enum { RIM = 3, SEVERAL = 8, BLOCKS = 16 };
enum { BAD, FASTEST };                                     /* most[] of a sweep */
enum { SEEN_DEEPEST, SEEN_FLOW, SEEN_RATE, SEEN_HIGHEST }; /* of a look */
enum { SET_DEEPEST, SET_HEAD };                            /* of a state that was set */
static const int64_t nowhere = INT64_MAX;

/* --- life ------------------------------------------------------------------------------------- */

void adi_part_destroy(adi *s) {
  adi_part *p = s->apart;
  const ria_backend *b = s->planes.backend;
  if (!p) return;
  if (p->lines) b->free(b, p->lines);
  if (p->sent) b->free(b, p->sent);
  if (p->ring) b->free(b, p->ring);
  if (p->turned) b->free(b, p->turned);
  ria_account_free(&p->whole);
  free(p->stepping);
  free(p->list);
  free(p->rim);
  free(p->rows);
  free(p);
  s->apart = NULL;
}

/* Groups are as wide as those of a step of the whole. */
static void cut_columns(adi *s, adi_part *p) {
  const int columns = 128 / (int)s->planes.real_size;
  p->column_bytes = 128;
  p->groups = (s->planes.grid.nx + columns - 1) / columns;
  const int least = (p->groups + BLOCKS - 1) / BLOCKS;
  p->groups_of_block = least > SEVERAL ? least : SEVERAL;
  p->blocks = (p->groups + p->groups_of_block - 1) / p->groups_of_block;
}

static size_t line_bytes(const adi *s) {
  return ((size_t)ria_planes_rows(&s->planes) + 2) * s->apart->column_bytes;
}

/* The last block is whole. */
static size_t sent_bytes(const adi_part *p) {
  return (size_t)p->blocks * (size_t)p->groups_of_block * ADI_RELAYED * p->column_bytes;
}

ria_status adi_part_ring(adi *s) {
  adi_part *p = s->apart;
  const ria_backend *b = s->planes.backend;
  if (!p->ring) RIA_TRY(b->alloc(s->planes.ctx, b, (size_t)p->groups * line_bytes(s), &p->ring));
  return p->turned ? RIA_OK : b->alloc(s->planes.ctx, b, sent_bytes(p), &p->turned);
}

ria_status adi_part_create(adi *s) {
  const ria_planes *pl = &s->planes;
  const ria_backend *b = pl->backend;
  const size_t ny = (size_t)pl->grid.ny, sides = 2 * ((size_t)pl->grid.nx + ny);
  adi_part *p = s->apart = calloc(1, sizeof *p);
  if (!p) return ria_planes_no_memory(pl, "a part");
  p->loops = pl->real == RIA_F32 ? &adi_part_f32 : &adi_part_f64;
  cut_columns(s, p);
  p->stepping = calloc(1, p->loops->stepping);
  p->list = calloc(2 * RIM * ny + 2 * sides, sizeof *p->list);
  p->rim = malloc(2 * ny * sizeof *p->rim);
  p->rows = calloc(ny, sizeof *p->rows);
  if (!p->stepping || !p->list || !p->rim || !p->rows || !ria_account_init(&p->whole, &pl->grid, 1))
    return ria_planes_no_memory(pl, "a part");
  RIA_TRY(b->alloc(pl->ctx, b, (size_t)p->groups * 2 * line_bytes(s), &p->lines));
  return b->alloc(pl->ctx, b, sent_bytes(p), &p->sent);
}

/* --- what is said ----------------------------------------------------------------------------- */

static ria_status meet(adi *s, int why, ria_meeting m) {
  s->planes.waits = why;
  m.list = s->apart->list;
  s->planes.said = m;
  return RIA_OK;
}

static void say_nothing(adi *s, int n) {
  for (int k = 0; k < n; k++) s->apart->list[k] = NAN;
}

static int side_cells(const adi *s) { return (int)s->planes.account.cells; }

/* What crossed the part's cells of the sides, water: numbers from list[at] on. */
static void list_crossed(adi *s, int at) {
  const ria_planes *p = &s->planes;
  double *list = s->apart->list + at;
  for (int side = 0; side < RIA_SIDES; side++) {
    const ria_side_cells own = ria_planes_side(p, (ria_side)side);
    const size_t nq = (size_t)p->n_quantities;
    const size_t first = (size_t)(p->crossed[side] - p->account.crossed) / nq;
    for (size_t k = (size_t)own.from; k < (size_t)own.to; k++) {
      list[2 * (first + k)] = p->crossed[side][k * nq].in;
      list[2 * (first + k) + 1] = p->crossed[side][k * nq].out;
    }
  }
}

static void hear_crossed(adi *s, int at) {
  ria_account *whole = &s->apart->whole;
  const double *list = s->apart->list + at;
  for (size_t k = 0; k < whole->cells; k++)
    whole->crossed[k] = (ria_crossed){.in = list[2 * k], .out = list[2 * k + 1]};
}

/* What each row stores, from list[0] on. */
static ria_status list_stored(adi *s) {
  ria_planes *p = &s->planes;
  RIA_TRY(ria_planes_row_totals(s, p->row_totals));
  for (int j = p->part.j0; j < p->part.j1; j++)
    s->apart->list[j] = p->row_totals[j - p->part.j0].stored;
  return RIA_OK;
}

static double hear_stored(const adi *s) {
  const int ny = s->planes.grid.ny;
  for (int j = 0; j < ny; j++) s->apart->rows[j].stored = s->apart->list[j];
  return ria_sum_rows(&s->planes.grid, s->apart->rows, ny).stored;
}

/* --- forcing ---------------------------------------------------------------------------------- */

/* Of water the part's account of stretches is that of the whole grid: what a level may be depends
 * on it. Cells of sides are its own alone. */
static void know_stretches(adi *s, bool in) {
  const ria_account *of = &s->planes.account, *whole = &s->apart->whole;
  for (int k = 0; k < of->n && k < whole->n; k++) {
    const size_t at = (size_t)k * (size_t)of->n_quantities;
    *(in ? &whole->in[k] : &of->in[at]) = *(in ? &of->in[at] : &whole->in[k]);
    *(in ? &whole->out[k] : &of->out[at]) = *(in ? &of->out[at] : &whole->out[k]);
  }
  if (in) memcpy(whole->owner, of->owner, whole->cells * sizeof *whole->owner);
}

static void find_rim(adi *s) {
  const ria_planes *p = &s->planes;
  const int ny = p->grid.ny;
  s->apart->n_rim = 0;
  for (int side = RIA_WEST; side <= RIA_EAST; side++)
    for (int k = 0; k < ny; k++) {
      const int kind = p->stretch[p->owner[side][k]].kind;
      const bool is = kind == SIDE_DISCHARGE || kind == SIDE_RATING;
      s->apart->rim[side * ny + k] = is ? s->apart->n_rim++ : -1;
    }
}

ria_status adi_part_force(adi *s, const ria_forcing_set *set) {
  adi_part *p = s->apart;
  if (!ria_account_grow(&p->whole, set->boundary.n))
    return ria_planes_no_memory(&s->planes, "the forcing");
  know_stretches(s, true);
  say_nothing(s, 2 * side_cells(s));
  list_crossed(s, 0);
  RIA_TRY(water_force(&s->forcing, &s->planes, set, -1));
  find_rim(s);
  return meet(s, ADI_FORCED, (ria_meeting){.n_list = 2 * side_cells(s)});
}

static ria_status forced(adi *s) {
  hear_crossed(s, 0);
  ria_account_fold(&s->apart->whole);
  know_stretches(s, false);
  return RIA_OK;
}

/* The cells of discharges that the part has, in its present state; NaN for the others. */
static ria_status meet_at_rim(adi *s, int why) {
  const ria_planes *p = &s->planes;
  adi_part *part = s->apart;
  say_nothing(s, RIM * part->n_rim);
  for (int side = RIA_WEST; side <= RIA_EAST; side++)
    for (int j = p->part.j0; j < p->part.j1; j++) {
      const int place = part->rim[side * p->grid.ny + j];
      if (place < 0) continue;
      const size_t at = adi_at(s, side == RIA_WEST ? 0 : p->grid.nx - 1, j);
      double *v = part->list + RIM * place;
      v[0] = adi_depth_at(s, at);
      v[1] = adi_get(s, s->bed, at);
      v[2] = s->manning ? adi_get(s, s->manning, at) : 1.0;
    }
  return meet(s, why, (ria_meeting){.n_list = RIM * part->n_rim});
}

adi_rim_cell adi_part_rim(const adi *s, ria_side side, int k) {
  const adi_part *p = s->apart;
  const double *v = p->list + RIM * p->rim[(int)side * s->planes.grid.ny + k];
  return (adi_rim_cell){v[0], v[1], v[2]};
}

/* --- before the first step -------------------------------------------------------------------- */

static double *kept_at(const adi *s, int k) {
  return &adi_crossed(s, adi_kept_side(k), adi_kept_row(k, s->planes.grid.ny))->kept[k % 2];
}
static bool is_own(const adi *s, int j) { return j >= s->planes.part.j0 && j < s->planes.part.j1; }

/* Of columns that close upon themselves the face in the south is the one in the north: what is set
 * there on either side, all know before one is made of both. */
static ria_status meet_at_seam(adi *s) {
  const int nx = s->planes.grid.nx, ny = s->planes.grid.ny;
  say_nothing(s, 2 * nx + ADI_KEPT);
  for (int k = 0; k < ADI_KEPT; k++)
    if (is_own(s, adi_kept_row(k, ny))) s->apart->list[2 * nx + k] = *kept_at(s, k);
  for (int b = 0; b < 2 && s->planes.part.j0 == 0; b++)
    for (int i = 0; i < nx; i++)
      s->apart->list[b * nx + i] = adi_get(s, s->flux[ADI_Y][b], adi_at(s, i, -1));
  return meet(s, ADI_JOINED, (ria_meeting){.n_list = 2 * nx + ADI_KEPT, .rows = true});
}

static ria_status prepared(adi *s) {
  say_nothing(s, s->planes.grid.ny);
  RIA_TRY(list_stored(s));
  return meet(
      s, ADI_PREPARED,
      (ria_meeting){.most = {[SET_DEEPEST] = adi_deepest(s), [SET_HEAD] = adi_highest_head(s)},
                    .n_list = s->planes.grid.ny,
                    .rows = true});
}

static ria_status join_seam(adi *s) {
  const int nx = s->planes.grid.nx, ny = s->planes.grid.ny;
  const double *const low[2] = {s->apart->list, s->apart->list + nx};
  for (int k = 0; k < ADI_KEPT; k++)
    if (!is_own(s, adi_kept_row(k, ny))) *kept_at(s, k) = s->apart->list[2 * nx + k];
  adi_join_apart(s, low);
  return prepared(s);
}

ria_status adi_part_prepare(adi *s) { return s->rings.y ? meet_at_seam(s) : prepared(s); }

void adi_part_restored(adi *s) { (void)meet(s, ADI_RESTORED, (ria_meeting){.rows = true}); }

/* --- the length of a step --------------------------------------------------------------------- */

static ria_status choose(adi *s);

/* Of equals the first one counts as a whole grid meets them: cells in their order, then what is
 * forced. */
static ria_status look(adi *s) {
  const int64_t cells = (int64_t)s->planes.grid.nx * s->planes.grid.ny;
  adi_seen seen = s->apart->loops->look(s);
  if (!(s->rules.dt > 0)) adi_see_forcing(s, s->clock.dt_full, &seen);
  const int64_t rate_at = seen.forced ? cells + s->apart->forced : seen.cell;
  return meet(s, ADI_SEEN,
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
  const int ny = s->planes.grid.ny, n = ny + 2 * side_cells(s);
  say_nothing(s, n);
  RIA_TRY(list_stored(s));
  list_crossed(s, ny);
  return meet(s, ADI_TOO_HIGH, (ria_meeting){.n_list = n});
}

static ria_status judge(adi *s) {
  const size_t n = (size_t)s->planes.n_stretch;
  double *through = malloc((2 * n + 1) * sizeof *through);
  if (!through) return ria_planes_no_memory(&s->planes, "a sum");
  know_stretches(s, true);
  hear_crossed(s, s->planes.grid.ny);
  ria_account_read(&s->apart->whole, (int)n, through, through + n);
  adi_judge(&s->clock, &s->given, &s->param, &s->planes.grid, hear_stored(s), s->planes.stretch,
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
  return s->apart->n_rim && !(s->rules.dt > 0) ? meet_at_rim(s, ADI_SEEN_RIM) : look(s);
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
  return meet(s, why, m);
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
  return p->n_rim ? meet_at_rim(s, ADI_STEP_RIM) : sweep_x(s);
}

static ria_status relay(adi *s, int why) {
  const adi_part *p = s->apart;
  s->planes.waits = why;
  const size_t bytes = (size_t)p->groups_of_block * (size_t)p->loops->relayed(s) * p->column_bytes;
  const bool south = why == ADI_SOUTH || why == ADI_MIX_SOUTH;
  return meet(s, why, (ria_meeting){.relay = {p->blocks, bytes, south}});
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
  if (p->mixes > 0) return meet(s, ADI_MIX, (ria_meeting){.rows = true});
  if (!lines) return end_step(s);
  p->loops->mix_x(s);
  return mix_next(s, 0);
}

static ria_status mix(adi *s) {
  adi_part *p = s->apart;
  p->loops->mix(s, p->now.dt / p->mixes);
  s->load_now = 1 - s->load_now;
  return --p->solution > 0 ? meet(s, ADI_MIX, (ria_meeting){.rows = true}) : end_step(s);
}

/* --- meeting ---------------------------------------------------------------------------------- */

ria_status adi_hear(void *self, const ria_meeting *all) {
  adi *s = self;
  const int why = s->planes.waits;
  s->planes.waits = ADI_GOES_ON;
  switch (why) {
  case ADI_FORCED:
    return forced(s);
  case ADI_JOINED:
    return join_seam(s);
  case ADI_PREPARED:
    return adi_know_state(s, all->most[SET_DEEPEST], all->most[SET_HEAD], hear_stored(s));
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

/* --- rows ------------------------------------------------------------------------------------- */

/* The planes whose rows pass: what a sweep made, before it counts; loads that spread; the state,
 * with the ground where `write` does not reach all ghost rows. */
static void *shared_of_sweep(const adi *s, int k) {
  const bool x = s->planes.waits == ADI_SWEPT_X;
  void *const planes[] = {s->level[(s->level_now + 1) % 3], s->flux[ADI_X][1 - s->flux_now[ADI_X]],
                          s->moved[ADI_X], s->moved[ADI_Y]};
  const int n_flow = x ? (s->nt ? 4 : 2) : 2, from = x ? 0 : 2, loads = x ? 0 : s->nt;
  if (k < n_flow) return planes[from + k];
  return k - n_flow < loads ? s->load[s->load_now][k - n_flow] : NULL;
}

void *adi_shared(const void *self, int k) {
  const adi *s = self;
  const int why = s->planes.waits, y = s->flux_now[ADI_Y];
  if (why == ADI_SWEPT_X || why == ADI_SWEPT_Y) return shared_of_sweep(s, k);
  if (k < s->nt) return s->load[s->load_now][k];
  const bool at_first = why == ADI_PREPARED || why == ADI_RESTORED || why == ADI_JOINED;
  void *const planes[] = {s->level[s->level_now],
                          s->flux[ADI_X][s->flux_now[ADI_X]],
                          s->flux[ADI_Y][y],
                          s->flux[ADI_Y][1 - y],
                          s->bed,
                          s->manning};
  const int n = why == ADI_MIX ? 1 : !at_first ? 3 : s->rings.y ? 6 : 4;
  return k - s->nt < n ? planes[k - s->nt] : NULL;
}

/* A step reads two rows beside those that it works on, and sweeps one beside its own in parts. */
int adi_ghost_rows(const void *self) {
  return ria_planes_whole(&((const adi *)self)->planes) ? 2 : 3;
}

/* With the face on the western side. */
int adi_shared_rows(void *self, ria_side side, int most, ria_shared_row *rows) {
  const adi *s = self;
  const int n = ria_planes_shared_rows(self, side, most, rows);
  for (int k = 0; k < n && k < most; k++) {
    rows[k].own = (char *)rows[k].own - s->planes.real_size;
    rows[k].ghost = (char *)rows[k].ghost - s->planes.real_size;
    rows[k].bytes += s->planes.real_size;
  }
  return n;
}
