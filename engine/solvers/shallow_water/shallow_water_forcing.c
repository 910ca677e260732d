/* shallow_water_forcing.c - what drives the flow from outside: boundaries and sources.
 *
 * The engine passes all forcing as one flat set (ria_forcing_set), which is copied. Before each
 * step the current values are computed here, once per stretch; the loops over edges only
 * look them up. What crosses a boundary is counted per boundary cell, so that threads never meet,
 * and folded into totals per stretch when asked. */
#include "shallow_water.h"
#define RIA_PRECISION double
#include "shallow_water_k.h"
#include "shallow_water_rim_k.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Blocks that forcing may wet are stepped even while dry. */
static void mark_always(sw *s) {
  const ria_planes *p = &s->planes;
  memset(s->always, 0, sw_flags(s));
  for (int side = 0; side < RIA_SIDES; side++) {
    const ria_side_cells cells = ria_planes_side(p, (ria_side)side);
    for (int k = cells.from; k < cells.to; k++) {
      int i, j;
      ria_side_cell(&p->grid, side, k, &i, &j);
      if (!water_side_is_shut(p->stretch[p->owner[side][k]].kind))
        s->always[sw_segment(s, j, i / SW_SEGMENT)] = 1;
    }
  }
  for (int k = 0; k < p->n_sources; k++)
    for (int m = 0; m < p->source[k].n; m++) {
      const int j = p->source[k].cell[m] / p->grid.nx, i = p->source[k].cell[m] % p->grid.nx;
      if (ria_planes_own(p, j)) s->always[sw_segment(s, j, i / SW_SEGMENT)] = 1;
    }
}

ria_status sw_force(void *self, const ria_forcing_set *set) {
  sw *s = self;
  sw_outlets outlets;
  const bool whole = ria_planes_whole(&s->planes);
  s->n_list = 0;
  RIA_TRY(sw_judge_outlets(s->planes.ctx, &s->planes.grid, set,
                           whole ? ria_planes_sample : sw_sample_noted, s, &outlets));
  if (!whole) RIA_TRY(sw_rim_of(s, &set->boundary));
  RIA_TRY(water_force(&s->forcing, &s->planes, set, SIDE_RATING));
  s->forced = sw_is_forced(&s->param, &s->planes.table, s->forcing.wind);
  s->relaxed = sw_relaxed(&s->param, &s->planes.grid, set->relax, set->n_relax);
  sw_set_rings(s, water_rings_of(&set->boundary, &s->planes.grid));
  mark_always(s);
  if (!whole) return sw_meet(s, SW_OUTLETS, (ria_meeting){.n_list = 0});
  sw_know_outlets(s, &outlets);
  return RIA_OK;
}

void sw_know_outlets(sw *s, const sw_outlets *outlets) {
  s->outlets = *outlets;
  if (s->clock.steps == 0)
    memcpy(s->progress.warning, s->outlets.warning, sizeof s->progress.warning);
}

static sw_rim_cell cell_at(const sw *s, ria_side side, int k) {
  int i, j;
  ria_side_cell(&s->planes.grid, side, k, &i, &j);
  if (!ria_planes_own(&s->planes, j) && ria_side_along_x(side)) return sw_rim_at(s, side, k);
  const size_t at = sw_at(s, i, j);
  const int q = ria_side_along_x(side) ? SW_STATE_QX : SW_STATE_QY;
  return (sw_rim_cell){sw_get(s, s->state[s->now][SW_H], at), sw_get(s, s->bed, at),
                       s->manning ? sw_get(s, s->manning, at) : 1.0,
                       sw_get(s, s->state[s->now][q], at)};
}

/* Spread a total discharge over its stretch in proportion to conveyance. */
static void spread_discharge(sw *s, int stretch) {
  const ria_planes *p = &s->planes;
  const ria_side side = p->stretch[stretch].side;
  const ria_side_cells own = ria_planes_side(p, side), none = {0, 0},
                       here = ria_side_along_x(side) || own.to > 0 ? p->reach[stretch] : none;
  const double length = ria_side_along_x(side) ? p->grid.dy : p->grid.dx;
  double lowest = DBL_MAX;
  int cells = 0;
  for (int k = here.from; k < here.to; k++) {
    if (p->owner[side][k] != stretch) continue;
    lowest = fmin(lowest, cell_at(s, side, k).z);
    cells++;
  }
  if (cells == 0) return;
  const double water =
      water_filled_to(s->forcing.value[stretch], cells * length, lowest, s->param.gravity);
  for (int k = here.from; k < here.to; k++) {
    if (p->owner[side][k] != stretch) continue;
    const sw_rim_cell c = cell_at(s, side, k);
    s->forcing.share[side][k] = water_conveyance(c.h, c.z, c.manning, water);
  }
  water_spread(&s->forcing, p, stretch);
}

static water_leaving leaving_at(const sw *s, ria_side side, int k) {
  const sw_rim_cell c = cell_at(s, side, k);
  const bool wet = c.h > s->param.dry_depth;
  const double un = wet ? (ria_side_is_upper(side) ? c.q : -c.q) / c.h : 0;
  return (water_leaving){wet ? c.h : 0, un, c.z};
}

/* Does the part have the cells of a side, be it in ghost rows, or know of them by the list? */
static bool knows_side(const sw *s, ria_side side) {
  const ria_part had = ria_planes_had(&s->planes);
  return ria_side_along_x(side) || (side == RIA_SOUTH ? had.j0 == 0 : had.j1 == s->planes.grid.ny);
}

/* The level of a rating, and which of its edges are closed: of ghost rows too, whose slopes it
 * shows in. */
static double rate(sw *s, int stretch) {
  const ria_planes *p = &s->planes;
  const ria_side side = p->stretch[stretch].side;
  const bool upright = ria_side_along_x(side);
  const ria_side_cells none = {0, 0}, here = knows_side(s, side) ? p->reach[stretch] : none;
  const double g = s->param.gravity;
  water_leaving *leaving = s->forcing.leaving;
  int n = 0;
  for (int k = here.from; k < here.to; k++)
    if (p->owner[side][k] == stretch) leaving[n++] = leaving_at(s, side, k);
  if (n == 0) return NAN;
  const double level =
      water_rated(&s->forcing, p, stretch, n, upright ? p->grid.dy : p->grid.dx, g);
  n = 0;
  for (int k = here.from; k < here.to; k++)
    if (p->owner[side][k] == stretch)
      s->forcing.share[side][k] = water_closed(leaving[n++], level, g) ? 0 : 1;
  return level;
}

bool sw_is_forced(const sw_params *p, const ria_forcing_table *table, const int *wind) {
  return p->forces.latitude != 0 || ria_wind_blows(table, wind);
}

void sw_force_at(sw *s, double t) {
  const ria_planes *p = &s->planes;
  if (s->forced) ria_wind_at(&s->param.forces, &p->table, s->forcing.wind, t, s->stress);
  water_inflow_at(&s->forcing, p, s->nt, t);
  for (int k = 0; k < p->n_stretch; k++) {
    const ria_stretch *b = &p->stretch[k];
    s->forcing.value[k] = water_side_has_value(b->kind) && !s->forcing.curve[k]
                              ? ria_planes_value(p, b->value[0], t)
                              : (double)NAN;
    if (b->kind == SIDE_DISCHARGE) spread_discharge(s, k);
    water_currents_at(&s->forcing, p, k, t);
    if (s->forcing.curve[k]) s->forcing.value[k] = rate(s, k);
  }
  water_points_at(&s->forcing, p, -1, t);
}

/* now: its rate. */
static double source_depth_rate(const sw *s, const ria_source *q, double now, int m) {
  return now * q->weight[m] / (s->planes.grid.dx * s->planes.grid.dy);
}

/* Places go on from side to side and from source to source, as the whole grid meets them. */
sw_asked sw_forcing_speed(const sw *s, double dt) {
  const double rdx = 1.0 / s->planes.grid.dx, rdy = 1.0 / s->planes.grid.dy, g = s->param.gravity;
  const sw_const_f64 k =
      sw_constants_f64(g, s->param.dry_depth, s->planes.grid.dx, s->planes.grid.dy);
  const double t = s->clock.t;
  sw_asked all = {0, -1, 0};
  int64_t first = 0;
  for (int side = 0; side < RIA_SIDES; side++) {
    const int q = ria_side_along_x(side) ? SW_STATE_QX : SW_STATE_QY;
    const ria_side_cells cells = ria_planes_side(&s->planes, (ria_side)side);
    for (int e = cells.from; e < cells.to; e++) {
      const int owner = s->planes.owner[side][e], kind = s->planes.stretch[owner].kind;
      if (!water_side_has_level(kind) && kind != SIDE_DISCHARGE) continue;
      all.live = 1;
      if (s->forcing.curve[owner]) continue; /* what leaves asks for nothing */
      int i, j;
      ria_side_cell(&s->planes.grid, side, e, &i, &j);
      size_t at = sw_at(s, i, j);
      const double value = kind == SIDE_DISCHARGE
                               ? s->forcing.share[side][e]
                               : water_side_value(&s->forcing, &s->planes, 0, side, e, owner);
      const int across = water_current_across(ria_side_along_x(side));
      const double current = kind == SIDE_RADIATE
                                 ? water_side_value(&s->forcing, &s->planes, across, side, e, owner)
                                 : 0;
      double sp = sw_boundary_asks_f64(kind, side, sw_get(s, s->state[s->now][SW_H], at),
                                       sw_get(s, s->state[s->now][q], at), sw_get(s, s->bed, at),
                                       value, current, &k);
      if (sp > all.speed)
        all.speed = sp, all.place = ((first + e) << 31) + (int64_t)j * s->planes.grid.nx + i;
    }
    first += ria_side_length(&s->planes.grid, (ria_side)side);
  }
  for (int m = 0; m < s->planes.n_sources; first += s->planes.source[m++].n) {
    const ria_source *q = &s->planes.source[m];
    if (q->quantity != 0 || !ria_source_runs(q->t_start, q->t_stop, t, dt)) continue;
    all.live = 1;
    const double now = ria_planes_value(&s->planes, q->rate, t);
    for (int e = 0; e < q->n; e++) {
      const int i = q->cell[e] % s->planes.grid.nx, j = q->cell[e] / s->planes.grid.nx;
      if (!ria_planes_own(&s->planes, j)) continue;
      size_t at = sw_at(s, i, j);
      double rate = source_depth_rate(s, q, now, e);
      if (rate <= 0) continue;
      double sp = sw_source_speed(sw_get(s, s->state[s->now][SW_H], at),
                                  sw_get(s, s->state[s->now][SW_STATE_QX], at),
                                  sw_get(s, s->state[s->now][SW_STATE_QY], at), rate, dt, g,
                                  s->param.dry_depth, s->param.cfl, rdx, rdy);
      if (sp > all.speed) all.speed = sp, all.place = ((first + e) << 31) + q->cell[e];
    }
  }
  return all;
}

/* Water on dry ground, or a change where both states were the same: the segment must be stepped. */
static void wake(sw *s, const ria_source *q) {
  for (int e = 0; e < q->n; e++) {
    const int i = q->cell[e] % s->planes.grid.nx, j = q->cell[e] / s->planes.grid.nx;
    const int place = ria_planes_place(&s->planes, j);
    if (place == INT_MIN) continue;
    const int segment = sw_segment(s, place, i / SW_SEGMENT);
    if (sw_get(s, s->state[s->now][SW_H], sw_at(s, i, place)) > s->param.dry_depth)
      s->wet[s->now][segment] = 1;
    s->same[segment] = 0;
  }
}

void sw_apply_sources(sw *s, double t, double dt) {
  for (int m = 0; m < s->planes.n_sources; m++) {
    const ria_source *q = &s->planes.source[m];
    void *plane = s->state[s->now][q->quantity == 0 ? SW_H : SW_STATE_C + q->quantity - 1];
    if (ria_planes_give(&s->planes, m, t, dt, plane, NULL)) wake(s, q);
  }
}
