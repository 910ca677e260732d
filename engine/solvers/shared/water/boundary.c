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

void water_forcing_free(water_forcing *f) {
  free(f->value);
  free(f->tracer);
  free(f->curve);
  free(f->leaving);
  for (int side = 0; side < RIA_SIDES; side++) free(f->share[side]);
  *f = (water_forcing){0};
}

ria_status water_force(water_forcing *f, ria_planes *p, const ria_forcing_set *set, int rating) {
  const size_t n = (size_t)set->boundary.n;
  double *value = calloc(n + 1, sizeof *value);
  double *tracer = calloc(n * RIA_MAX_TRACERS + 1, sizeof *tracer);
  int *curve = calloc(n + 1, sizeof *curve);
  ria_status status =
      value && tracer && curve ? ria_planes_force(p, set) : ria_planes_no_memory(p, "the forcing");
  if (status != RIA_OK) {
    free(value);
    free(tracer);
    free(curve);
    return status;
  }
  free(f->value);
  free(f->tracer);
  free(f->curve);
  f->value = value;
  f->tracer = tracer;
  f->curve = curve;
  for (size_t k = 0; k < n; k++) {
    if (p->stretch[k].kind != rating) continue;
    p->stretch[k].kind = SIDE_LEVEL;
    f->curve[k] = p->stretch[k].value[0];
  }
  memcpy(f->wind, set->varying, sizeof f->wind);
  return RIA_OK;
}

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
  return (water_search){low, high, more_at(r, low), more_at(r, high), 0};
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
