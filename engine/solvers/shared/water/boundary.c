/* boundary.c - present values of the boundaries of a solver of flow. */
#include "solvers/shared/water/boundary.h"

#include <stdlib.h>
#include <string.h>

ria_status water_forcing_init(water_forcing *f, const ria_planes *p) {
  for (int side = 0; side < RIA_SIDES; side++) {
    const size_t n = (size_t)ria_side_length(&p->grid, (ria_side)side);
    f->share[side] = calloc(n, sizeof *f->share[side]);
    if (!f->share[side]) return ria_planes_no_memory(p, "the sides");
  }
  const size_t longest = (size_t)(p->grid.nx > p->grid.ny ? p->grid.nx : p->grid.ny);
  f->leaving = calloc(longest, sizeof *f->leaving);
  return f->leaving ? RIA_OK : ria_planes_no_memory(p, "the sides");
}

static void free_values(water_forcing *f) {
  free(f->value);
  free(f->slope);
  free(f->tracer);
  free(f->curve);
  free(f->point);
  free(f->turned);
  for (int k = 0; k < WATER_ALONG; k++) free(f->place[k]);
}

void water_forcing_free(water_forcing *f) {
  free_values(f);
  free(f->leaving);
  for (int side = 0; side < RIA_SIDES; side++) free(f->share[side]);
  *f = (water_forcing){0};
}

/* --- values that differ along a side ---------------------------------------------------------- */

/* The points first .. end - 1 are those of a value of stretch `owner`, which lies on this side. */
static void lay_points(const ria_boundary_set *set, const ria_grid *grid, int first, int end,
                       water_place *place) {
  const int stretch = set->point[first].stretch, side = (int)set->stretch[stretch].side;
  const int32_t *owner = set->owner[side];
  int k = first;
  for (int e = 0; e < ria_side_length(grid, (ria_side)side); e++) {
    const double at = e + 0.5;
    if (owner[e] != stretch) continue;
    while (k + 1 < end && set->point[k + 1].at <= at) k++;
    const ria_side_point *here = &set->point[k];
    const bool between = k + 1 < end && at > here->at;
    place[e].slot = water_values(set->n, k);
    place[e].part = between ? (at - here->at) / (here[1].at - here->at) : 0.0;
  }
}

void water_lay_places(const ria_boundary_set *set, const ria_grid *grid, int which,
                      water_place *place) {
  water_place *of[RIA_SIDES];
  for (int side = 0; side < RIA_SIDES; side++) {
    const int n = ria_side_length(grid, (ria_side)side);
    of[side] = place;
    for (int k = 0; k < n; k++) *place++ = (water_place){which * set->n + set->owner[side][k], 0.0};
  }
  for (int first = 0, end; first < set->n_points; first = end) {
    const ria_side_point *p = &set->point[first];
    for (end = first; end < set->n_points; end++)
      if (set->point[end].stretch != p->stretch || set->point[end].value != p->value) break;
    if (p->value == which) lay_points(set, grid, first, end, of[set->stretch[p->stretch].side]);
  }
}

/* One tide of those that share what their constituents have turned. */
static double shared_tide(const water_forcing *f, const ria_forcing_table *table, int id,
                          double t) {
  const ria_forcing *entry = &table->entry[id];
  const double *d = table->data + entry->first;
  double v = 0.0;
  for (int k = 0; k < entry->count; k++) v += ria_shared_tide(d, k, f->turned[k]);
  return ria_forcing_of(entry, v, t);
}

void water_currents_at(water_forcing *f, const ria_planes *p, int stretch, double t) {
  const ria_stretch *b = &p->stretch[stretch];
  if (b->kind != SIDE_RADIATE) return;
  for (int k = WATER_OUT_U; k <= WATER_OUT_V; k++)
    f->value[k * p->n_stretch + stretch] = ria_planes_value(p, b->value[k], t);
}

void water_points_at(water_forcing *f, const ria_planes *p, int side, double t) {
  const double *turned = NULL; /* the speeds of what f->turned has */
  for (int k = 0; k < f->n_points; k++) {
    const ria_side_point *q = &f->point[k];
    double *to = &f->value[water_values(p->n_stretch, k)];
    const ria_side lies = p->stretch[q->stretch].side;
    if (side >= 0 && ria_side_along_x((int)lies) != ria_side_along_x(side)) continue;
    const ria_forcing *entry = &p->table.entry[q->id];
    if (entry->kind != RIA_FORCING_TIDES) {
      *to = ria_planes_value(p, q->id, t);
      continue;
    }
    const double *w = ria_shared_speeds(&p->table, p->table.data + entry->first);
    for (int c = 0; w != turned && c < entry->count; c++) f->turned[c] = ria_turned_at(w[c], t);
    turned = w;
    *to = shared_tide(f, &p->table, q->id, t);
  }
}

/* --- replacing it ----------------------------------------------------------------------------- */

static bool make_points(water_forcing *f, const ria_planes *p, const ria_forcing_set *set) {
  const ria_boundary_set *b = &set->boundary;
  size_t cells = 0, most = 0;
  if (!b->n_points) return true;
  for (int side = 0; side < RIA_SIDES; side++)
    cells += (size_t)ria_side_length(&p->grid, (ria_side)side);
  for (int k = 0; k < b->n_points; k++) {
    const ria_forcing *entry = &set->table.entry[b->point[k].id];
    if (entry->kind == RIA_FORCING_TIDES && (size_t)entry->count > most)
      most = (size_t)entry->count;
  }
  f->n_points = b->n_points;
  f->point = malloc((size_t)b->n_points * sizeof *f->point);
  f->turned = malloc((most + 1) * sizeof *f->turned);
  if (!f->point || !f->turned) return false;
  memcpy(f->point, b->point, (size_t)b->n_points * sizeof *f->point);
  for (int k = 0; k < WATER_ALONG; k++) {
    f->place[k] = malloc(cells * sizeof *f->place[k]);
    if (!f->place[k]) return false;
    water_lay_places(b, &p->grid, k, f->place[k]);
  }
  return true;
}

/* Ratings become levels with a curve. */
static void take_ratings(water_forcing *f, ria_planes *p, int rating) {
  for (int k = 0; k < p->n_stretch; k++) {
    if (p->stretch[k].kind != rating) continue;
    p->stretch[k].kind = SIDE_LEVEL;
    f->curve[k] = p->stretch[k].value[0];
  }
}

ria_status water_force(water_forcing *f, ria_planes *p, const ria_forcing_set *set, int rating) {
  const size_t n = (size_t)set->boundary.n;
  water_forcing fresh = {0};
  fresh.value =
      calloc((size_t)water_values(set->boundary.n, set->boundary.n_points) + 1, sizeof(double));
  fresh.slope = calloc(n + 1, sizeof *fresh.slope);
  fresh.tracer = calloc(n * RIA_MAX_TRACERS + 1, sizeof *fresh.tracer);
  fresh.curve = calloc(n + 1, sizeof *fresh.curve);
  ria_status status =
      fresh.value && fresh.slope && fresh.tracer && fresh.curve && make_points(&fresh, p, set)
          ? ria_planes_force(p, set)
          : ria_planes_no_memory(p, "the forcing");
  if (status != RIA_OK) {
    free_values(&fresh);
    return status;
  }
  free_values(f);
  memcpy(fresh.share, f->share, sizeof fresh.share);
  memcpy(fresh.wind, set->varying, sizeof fresh.wind);
  fresh.leaving = f->leaving;
  *f = fresh;
  take_ratings(f, p, rating);
  return RIA_OK;
}

/* --- at present ------------------------------------------------------------------------------- */

void water_inflow_at(water_forcing *f, const ria_planes *p, int tracers, double t) {
  for (int k = 0; k < p->n_stretch; k++)
    for (int m = 0; m < tracers; m++)
      f->tracer[(size_t)k * (size_t)tracers + (size_t)m] =
          ria_planes_value(p, p->stretch[k].tracer[m], t);
}

void water_spread(water_forcing *f, const ria_planes *p, int stretch) {
  const ria_side side = p->stretch[stretch].side;
  const ria_side_cells all = p->reach[stretch];
  const double length = ria_side_along_x(side) ? p->grid.dy : p->grid.dx;
  double *share = f->share[side], sum = 0;
  for (int k = all.from; k < all.to; k++)
    if (p->owner[side][k] == stretch) sum += share[k];
  for (int k = all.from; k < all.to; k++)
    if (p->owner[side][k] == stretch)
      share[k] = water_share(f->value[stretch], share[k], sum, length);
}

/* --- ratings ---------------------------------------------------------------------------------- */

typedef struct rated {
  const ria_forcing *f; /* the curve, */
  const double *d;      /*   its rows */
  const water_leaving *cell;
  int n;
  double length, g;
} rated;

/* What leaves at a level, all cells together, more than the curve has. */
static double more_at(const rated *r, double level) {
  double sum = 0;
  for (int k = 0; k < r->n; k++) sum += water_leaves(r->cell[k], level, r->g);
  return sum * r->length - water_curve_flow(r->f, r->d, level);
}

/* The ends between which it lies: at the lowest bed all that can leave does, at the highest level
 * at which nothing leaves of some cell none does. */
static water_search search_of(const rated *r) {
  const double first = water_curve_row(r->f, r->d, 0);
  double low = first, high = first;
  for (int k = 0; k < r->n; k++) {
    low = fmin(low, r->cell[k].z);
    high = fmax(high, water_stays_at(r->cell[k], r->g));
  }
  /* what runs faster than waves leaves in any case: where the curve has that much */
  const double least = more_at(r, high) + water_curve_flow(r->f, r->d, high);
  high = fmax(high, water_curve_level(r->f, r->d, fmax(least, 0)));
  return water_search_between(low, high, more_at(r, low), more_at(r, high));
}

double water_rated(const water_forcing *f, const ria_planes *p, int stretch, int n, double length,
                   double g) {
  const ria_forcing *entry = &p->table.entry[f->curve[stretch]];
  const rated r = {entry, p->table.data + entry->first, f->leaving, n, length, g};
  water_search s = search_of(&r);
  for (int k = 0; k < WATER_SEARCHES && !water_search_ends(&s); k++) {
    const double at = water_search_at(&s);
    water_search_found(&s, at, more_at(&r, at));
  }
  return water_search_result(&s);
}

/* --- periodic sides --------------------------------------------------------------------------- */

/* How many cells of a side are periodic. */
static int count_periodic(const ria_stretch *stretch, const int32_t *owner, int n) {
  int count = 0;
  for (int k = 0; k < n; k++) count += stretch[owner[k]].kind == SIDE_PERIODIC;
  return count;
}

water_rings water_rings_of(const ria_boundary_set *set, const ria_grid *grid) {
  bool all[RIA_SIDES];
  for (int side = 0; side < RIA_SIDES; side++) {
    const int n = ria_side_length(grid, (ria_side)side);
    all[side] = count_periodic(set->stretch, set->owner[side], n) == n;
  }
  return (water_rings){all[RIA_WEST] && all[RIA_EAST], all[RIA_SOUTH] && all[RIA_NORTH]};
}

ria_status water_check_rings(ria_context *ctx, const ria_grid *grid, const ria_stretch *stretch,
                             const int32_t *const owner[RIA_SIDES]) {
  static const ria_side across[RIA_SIDES] = {RIA_EAST, RIA_WEST, RIA_NORTH, RIA_SOUTH};
  for (int side = 0; side < RIA_SIDES; side++) {
    const int n = ria_side_length(grid, (ria_side)side);
    const int here = count_periodic(stretch, owner[side], n),
              there = count_periodic(stretch, owner[across[side]], n);
    if (here > 0 && here < n)
      return ria_fail(ctx, RIA_ERR_ARGUMENT,
                      "the %s side is periodic in %d of its %d cells: in this solver a side is "
                      "periodic as a whole; give it kind 'periodic' alone",
                      ria_side_name((ria_side)side), here, n);
    if (here > 0 && there == 0)
      return ria_fail(
          ctx, RIA_ERR_ARGUMENT,
          "the %s side is periodic and the %s side is not: give kind 'periodic' to both",
          ria_side_name((ria_side)side), ria_side_name(across[side]));
  }
  return RIA_OK;
}
