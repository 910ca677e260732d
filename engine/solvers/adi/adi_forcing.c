/* adi_forcing.c - what drives the flow from outside: boundaries and sources.
 *
 * solvers/shared/planes keeps the set and counts what crosses per boundary cell; values of the
 * moment are worked out here, once per stretch. */
#include "adi_parts.h"
#define RIA_PRECISION double
#include "adi_k.h"
#undef RIA_PRECISION

#include <float.h>
#include <stdlib.h>
#include <string.h>

bool adi_is_driven(const ria_forcing_set *set) {
  for (int k = 0; k < set->boundary.n; k++)
    if (water_side_has_level(set->boundary.stretch[k].kind) ||
        set->boundary.stretch[k].kind == SIDE_DISCHARGE)
      return true;
  for (int m = 0; m < set->n_sources; m++)
    if (set->sources[m].quantity == 0) return true;
  return set->n_relax > 0;
}

bool adi_forget(ria_account *account, const ria_stretch *stretch) {
  bool any = false;
  for (size_t k = 0; k < account->cells; k++) {
    double *kept = account->crossed[k * (size_t)account->n_quantities].kept;
    if (stretch[account->owner[k]].kind == SIDE_RADIATE || (kept[0] == 0 && kept[1] == 0)) continue;
    kept[0] = kept[1] = 0;
    any = true;
  }
  return any;
}

ria_status adi_force(void *self, const ria_forcing_set *set) {
  adi *s = self;
  RIA_TRY(s->apart ? adi_part_force(s, set) : water_force(&s->forcing, &s->planes, set, -1));
  (void)adi_forget(&s->planes.account, s->planes.stretch);
  adi_set_rings(s, set);
  if (s->apart && s->rings.y) RIA_TRY(adi_part_ring(s));
  s->clock.driven = adi_is_driven(set);
  s->rated[ADI_X] = s->rated[ADI_Y] = false;
  for (int k = 0; k < set->boundary.n; k++)
    if (set->boundary.stretch[k].kind == SIDE_RATING)
      s->rated[ria_side_along_x(set->boundary.stretch[k].side) ? ADI_X : ADI_Y] = true;
  adi_given_forcing(&s->given, &s->planes.grid, set);
  return RIA_OK;
}

/* --- current values --------------------------------------------------------------------------- */

/* What counts of a cell of a discharge. Stretches in the south and north are of one part. */
static adi_rim_cell rim_cell(const adi *s, ria_side side, int k) {
  int i, j;
  if (s->apart && ria_side_along_x(side)) return adi_part_rim(s, side, k);
  ria_side_cell(&s->planes.grid, side, k, &i, &j);
  const size_t at = adi_at(s, i, j);
  return (adi_rim_cell){adi_depth_at(s, at), adi_get(s, s->bed, at),
                        s->manning ? adi_get(s, s->manning, at) : 1.0};
}

/* The cells of a stretch: how many, their lowest bed, and the water in those that are wet. */
typedef struct reach {
  int cells;
  double lowest, water, above_lowest; /* m; sum of h, m; of h (level - lowest), m^2 */
} reach;

static reach reach_of(const adi *s, int stretch) {
  const ria_side side = s->planes.stretch[stretch].side;
  reach r = {.lowest = DBL_MAX};
  for (int pass = 0; pass < 2; pass++)
    for (int k = s->planes.reach[stretch].from; k < s->planes.reach[stretch].to; k++) {
      if (s->planes.owner[side][k] != stretch) continue;
      const adi_rim_cell cell = rim_cell(s, side, k);
      const double z = cell.bed, h = cell.depth;
      if (pass == 0) {
        if (z < r.lowest) r.lowest = z;
        r.cells++;
      } else if (h > s->param.drying_depth) {
        r.water += h;
        r.above_lowest += h * (z + h - r.lowest);
      }
    }
  return r;
}

static double conveyance(const adi *s, ria_side side, int k, const reach *r, double filled_to) {
  const adi_rim_cell cell = rim_cell(s, side, k);
  if (!(cell.bed < s->param.land)) return 0;
  const double h = adi_shared_depth(cell.depth, cell.bed, s->param.drying_depth, r->lowest,
                                    r->above_lowest, r->water);
  return water_conveyance(h, cell.bed, cell.manning, filled_to);
}

/* Spread a total discharge over its stretch in proportion to conveyance. */
static void spread_discharge(adi *s, int stretch) {
  const ria_side side = s->planes.stretch[stretch].side;
  const double length = ria_side_along_x(side) ? s->planes.grid.dy : s->planes.grid.dx;
  const ria_side_cells own = ria_planes_side(&s->planes, side);
  if (own.from == own.to) return; /* another part has the side */
  const reach r = reach_of(s, stretch);
  if (r.cells == 0) return;
  const double water =
      water_filled_to(s->forcing.value[stretch], r.cells * length, r.lowest, s->param.gravity);
  for (int k = s->planes.reach[stretch].from; k < s->planes.reach[stretch].to; k++)
    if (s->planes.owner[side][k] == stretch)
      s->forcing.share[side][k] = conveyance(s, side, k, &r, water);
  water_spread(&s->forcing, &s->planes, stretch);
}

/* What of a rating leaves at present, and how much more it is a metre higher: by the level that its
 * cells have in the mean, weighed by their conveyance. With what each cell has of that, lines that
 * are solved one by one let out all together what the curve says at the mean level that they come
 * to, as far as it is straight between. */
static void rate(adi *s, int stretch) {
  const ria_side side = s->planes.stretch[stretch].side;
  const double length = ria_side_along_x(side) ? s->planes.grid.dy : s->planes.grid.dx;
  const ria_side_cells own = ria_planes_side(&s->planes, side);
  if (own.from == own.to) return; /* another part has the side */
  const ria_forcing *curve = &s->planes.table.entry[s->planes.stretch[stretch].value[0]];
  const double *rows = s->planes.table.data + curve->first;
  const ria_side_cells all = s->planes.reach[stretch];
  const reach r = reach_of(s, stretch);
  double *share = s->forcing.share[side], sum = 0, level = 0;
  for (int k = all.from; k < all.to; k++) {
    if (s->planes.owner[side][k] != stretch) continue;
    const adi_rim_cell cell = rim_cell(s, side, k);
    share[k] = cell.depth > s->param.drying_depth ? conveyance(s, side, k, &r, r.lowest) : 0;
    sum += share[k];
    level += share[k] * (cell.bed + cell.depth);
  }
  for (int k = all.from; k < all.to; k++)
    if (s->planes.owner[side][k] == stretch) share[k] = water_share(1, share[k], sum, length);
  s->forcing.value[stretch] =
      water_curve_line(curve, rows, sum > 0 ? level / sum : 0, &s->forcing.slope[stretch]);
}

void adi_even_rated(adi *s, enum adi_axis axis) {
  const ria_planes *p = &s->planes;
  const void *now = s->flux[axis][s->flux_now[axis]];
  void *old = s->flux[axis][1 - s->flux_now[axis]];
  if (!s->rated[axis]) return;
  for (int end = 0; end < 2; end++) {
    const ria_side side = (ria_side)((axis == ADI_X ? (int)RIA_WEST : (int)RIA_SOUTH) + end);
    for (int k = 0; k < ria_side_length(&s->planes.grid, side); k++) {
      int i, j;
      if (s->planes.stretch[s->planes.owner[side][k]].kind != SIDE_RATING) continue;
      ria_side_cell(&s->planes.grid, side, k, &i, &j);
      const int row = side == RIA_SOUTH ? -1 : ria_planes_place(p, j);
      if (row < p->part.j0 - p->ghost_rows) continue;
      const size_t at = adi_at(s, side == RIA_WEST ? -1 : i, row);
      adi_put(s, old, at, adi_get(s, now, at));
    }
  }
}

void adi_force_at(adi *s, enum adi_axis axis, double t_level, double t_flux) {
  for (int k = 0; k < s->planes.n_stretch; k++) {
    const ria_stretch *b = &s->planes.stretch[k];
    if (ria_side_along_x(b->side) != (axis == ADI_X)) continue;
    if (water_side_has_level(b->kind))
      s->forcing.value[k] = ria_planes_value(&s->planes, b->value[0], t_level);
    water_currents_at(&s->forcing, &s->planes, k, t_level);
    if (b->kind == SIDE_RATING) rate(s, k);
    if (b->kind != SIDE_DISCHARGE) continue;
    s->forcing.value[k] = ria_planes_value(&s->planes, b->value[0], t_flux);
    spread_discharge(s, k);
  }
  water_points_at(&s->forcing, &s->planes, axis == ADI_X ? RIA_WEST : RIA_SOUTH, t_level);
}

/* A cell of a radiating side, whose flux out of the domain is at `face`. */
static adi_shore shore_of(const adi *s, ria_side side, int k, size_t at, size_t face) {
  const bool x = ria_side_along_x(side), upper = ria_side_is_upper(side);
  const ria_grid *g = &s->planes.grid;
  const enum adi_axis axis = x ? ADI_X : ADI_Y;
  /* of the middle of the last step of the flux across */
  const void *along = s->flux[!axis][x ? s->flux_now[!axis] : 1 - s->flux_now[!axis]];
  const size_t before = at - (x ? s->planes.stride : 1);
  const double sign = upper ? 1 : -1;
  const int owner = s->planes.owner[side][k], which = water_current_across(x);
  return (adi_shore){
      .h = adi_depth_at(s, at),
      .out = {sign * adi_get(s, s->flux[axis][1 - s->flux_now[axis]], face),
              sign * adi_get(s, s->flux[axis][s->flux_now[axis]], face)},
      .apart = adi_get(s, along, at) - adi_get(s, along, before),
      .current = sign * water_side_value(&s->forcing, &s->planes, which, (int)side, k, owner),
      .d = x ? g->dx : g->dy,
      .along = x ? g->dy : g->dx,
      .length = x ? g->ny * g->dy : g->nx * g->dx,
  };
}

/* The cell at row or column k of a side that radiates. */
static void bend(adi *s, ria_side side, int k, size_t at, double dt) {
  const size_t back = side == RIA_WEST ? 1 : side == RIA_SOUTH ? s->planes.stride : 0;
  if (s->planes.stretch[s->planes.owner[side][k]].kind != SIDE_RADIATE) return;
  adi_bend(adi_crossed(s, side, k)->kept, shore_of(s, side, k, at, at - back),
           s->param.drying_depth, s->param.gravity, dt);
}

static bool radiates(const adi *s, ria_side side) {
  for (int n = 0; n < s->planes.n_stretch; n++)
    if (s->planes.stretch[n].side == side && s->planes.stretch[n].kind == SIDE_RADIATE) return true;
  return false;
}

/* Of a part with one row on either side: the first of two solutions takes these (adi_cross). Of two
 * parts of a ring both may be the same row. */
static void bend_rows(adi *s, ria_side side, double dt) {
  const ria_planes *p = &s->planes;
  const int i = side == RIA_WEST ? 0 : p->grid.nx - 1;
  const bool whole = ria_planes_whole(p);
  const int from = p->part.j0 - !whole, to = p->part.j1 + !whole;
  for (int j = from; j < to; j++) {
    const int k = adi_row_of(s, j);
    if ((j != k && !s->rings.y) || (j > from && k == adi_row_of(s, from))) continue;
    bend(s, side, k, adi_at(s, i, j), dt);
  }
}

static void bend_columns(adi *s, ria_side side, double dt) {
  const int j = side == RIA_SOUTH ? 0 : s->planes.grid.ny - 1;
  const ria_side_cells own = ria_planes_side(&s->planes, side);
  for (int k = own.from; k < own.to; k++) bend(s, side, k, adi_at(s, k, j), dt);
}

void adi_bend_sides(adi *s, enum adi_axis axis, double dt) {
  for (int end = 0; end < 2; end++) {
    const ria_side side = (axis == ADI_X ? RIA_WEST : RIA_SOUTH) + (ria_side)end;
    if (!radiates(s, side)) continue;
    if (axis == ADI_X)
      bend_rows(s, side, dt);
    else
      bend_columns(s, side, dt);
  }
}

/* Something that is forced is seen, at a place in the order in which a whole grid meets such: of
 * equals the first counts. */
static void see_forced(const adi *s, adi_seen *seen, const adi_seen *here, int64_t place) {
  if (s->apart && here->rate > seen->rate) s->apart->forced = place;
  adi_see(seen, here);
}

/* The values of this axis are those of the time that is looked at. place: of its first cell. */
static void see_sides(const adi *s, enum adi_axis axis, adi_seen *seen, int64_t place) {
  const ria_grid *g = &s->planes.grid;
  for (int end = 0; end < 2; end++) {
    const ria_side side = (ria_side)((axis == ADI_X ? (int)RIA_WEST : (int)RIA_SOUTH) + end);
    const ria_side_cells own = ria_planes_side(&s->planes, side);
    for (int k = own.from; k < own.to; k++) {
      const int owner = s->planes.owner[side][k], kind = s->planes.stretch[owner].kind;
      if (!water_side_has_level(kind) && kind != SIDE_DISCHARGE) continue;
      int i, j;
      ria_side_cell(g, side, k, &i, &j);
      const size_t at = adi_at(s, i, j);
      const double bed = adi_get(s, s->bed, at);
      const double value = kind != SIDE_DISCHARGE
                               ? water_side_value(&s->forcing, &s->planes, 0, (int)side, k, owner)
                               : s->forcing.share[side][k];
      if (!(bed < s->param.land)) continue;
      const adi_seen here = {.deepest = kind != SIDE_DISCHARGE ? value - bed : 0,
                             .highest = -HUGE_VAL,
                             .rate =
                                 adi_forced_rate(kind, adi_depth_at(s, at), bed, value,
                                                 s->param.gravity, axis == ADI_X ? g->dx : g->dy),
                             .cell = j * g->nx + i,
                             .forced = true};
      see_forced(s, seen, &here, place + (int64_t)end * ria_side_length(g, side) + k);
    }
  }
}

static void see_sources(const adi *s, double dt, adi_seen *seen, int64_t place) {
  const ria_grid *g = &s->planes.grid;
  const double area = g->dx * g->dy, d = g->dx < g->dy ? g->dx : g->dy, t = s->clock.t;
  for (int m = 0; m < s->planes.n_sources; place += s->planes.source[m++].n) {
    const ria_source *q = &s->planes.source[m];
    if (q->quantity != 0 || !ria_source_runs(q->t_start, q->t_stop, t, dt)) continue;
    const double now = ria_planes_value(&s->planes, q->rate, t),
                 later = ria_planes_value(&s->planes, q->rate, t + dt);
    for (int e = 0; e < q->n; e++) {
      if (!ria_planes_own(&s->planes, q->cell[e] / g->nx)) continue;
      const size_t at = adi_at(s, q->cell[e] % g->nx, q->cell[e] / g->nx);
      const double rate = (now > later ? now : later) * q->weight[e] / area;
      const adi_seen here = {
          .highest = -HUGE_VAL,
          .rate = adi_source_rate(adi_depth_at(s, at), rate, dt, s->param.gravity, d),
          .cell = q->cell[e],
          .forced = true};
      see_forced(s, seen, &here, place + e);
    }
  }
}

void adi_see_forcing(adi *s, double dt, adi_seen *seen) {
  int64_t place = 0;
  for (int later = 0; later < 2; later++)
    for (int axis = ADI_X; axis <= ADI_Y; axis++) {
      const double t = s->clock.t + later * dt;
      adi_force_at(s, (enum adi_axis)axis, t, t);
      see_sides(s, (enum adi_axis)axis, seen, place);
      place += 2 * (axis == ADI_X ? s->planes.grid.ny : s->planes.grid.nx);
    }
  see_sources(s, dt, seen, place);
  for (int k = 0; k < s->planes.n_relax; k++)
    seen->deepest = fmax(seen->deepest, s->planes.relax[k].depth);
}

double adi_wind_at(const adi *s, enum adi_axis axis, double t) {
  double stress[2];
  ria_wind_at(&s->param.forces, &s->planes.table, s->forcing.wind, t, stress);
  return stress[axis];
}

/* --- sources ---------------------------------------------------------------------------------- */

void adi_apply_sources(adi *s, double t, double dt) {
  for (int m = 0; m < s->planes.n_sources; m++) {
    const int q = s->planes.source[m].quantity;
    if (q == 0)
      ria_planes_give(&s->planes, m, t, dt, s->level[s->level_now], s->bed);
    else
      ria_planes_give(&s->planes, m, t, dt, s->load[s->load_now][q - 1], NULL);
  }
  adi_relax(s, t, dt);
}
