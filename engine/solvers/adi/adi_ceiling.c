/* adi_ceiling.c - how high a level may stand: what ends a run whose level runs away.
 *
 * A scheme that feeds on itself raises levels without end long before a number leaves its range. No
 * level is above
 *
 *   ceiling = top + factor (deep + friction + set-up)
 *
 *   top        the highest of: water as it was set, with v^2 / 2 g; levels on boundaries; where
 *              water is brought in, all of it spread over the domain above the highest bed
 *   deep       from the lowest bed to top
 *   friction   what a discharge needs to cross a flat domain, (13/3 n^2 q^2 L)^(3/13), and its
 *              critical head
 *   set-up     what the wind piles up, sqrt(2 tau L / g)
 *
 * in which L is the diagonal of the domain and `factor` a parameter, 10. Water at rest never climbs
 * above top; waves, bores and run-up do, by less than the depth that they run in. The water
 * given is the volume stored less the inflow through open sides and levels, where instabilities
 * begin. Water once given counts for the rest of the run. */
#include "adi.h"

#include <math.h>
#include <stdio.h>

/* Cells that are left out of the domain stand 10 km above the highest bed. */
static const double highest_relief = 9000; /* m */

adi_given adi_given_nothing(const adi_params *p) {
  return (adi_given){.head = -HUGE_VAL,
                     .lowest = HUGE_VAL,
                     .highest = -HUGE_VAL,
                     .sides = -HUGE_VAL,
                     .manning = p->manning};
}

void adi_given_field(adi_given *g, const adi_params *p, const ria_grid *grid, int field,
                     const double *src) {
  const size_t n = (size_t)grid->nx * (size_t)grid->ny;
  if (field == WATER_MANNING) g->manning = 0;
  for (size_t k = 0; k < n && field == WATER_MANNING; k++) g->manning = fmax(g->manning, src[k]);
  if (field != WATER_BED) return;
  g->lowest = HUGE_VAL;
  g->highest = -HUGE_VAL;
  for (size_t k = 0; k < n; k++) g->lowest = fmin(g->lowest, src[k]);
  for (size_t k = 0; k < n; k++)
    if (src[k] < p->land && src[k] < g->lowest + highest_relief)
      g->highest = fmax(g->highest, src[k]);
}

/* The largest value that a forcing ever has. */
static double largest(const ria_forcing_table *table, int id) {
  const ria_forcing *f = &table->entry[id];
  const double *d = table->data + f->first;
  double low = 0, high = 0;
  for (int k = 0; k < f->count && f->kind == RIA_FORCING_TIDE; k++) high += fabs(d[3 * k + 1]);
  for (int k = 0; k < f->count && f->kind == RIA_FORCING_TIDES; k++)
    high += hypot(d[1 + 2 * k], d[2 + 2 * k]);
  if (f->kind == RIA_FORCING_TIDE || f->kind == RIA_FORCING_TIDES) low = -high;
  for (int k = 0; k < f->count && (f->kind == RIA_FORCING_LINEAR || f->kind == RIA_FORCING_STEP);
       k++) {
    low = k && !(d[2 * k + 1] < low) ? low : d[2 * k + 1];
    high = k && !(d[2 * k + 1] > high) ? high : d[2 * k + 1];
  }
  const double most = f->base + fmax(f->scale * low, f->scale * high);
  return f->ramp > 0 ? fmax(most, f->base) : most;
}

static bool has_cells(const ria_boundary_set *set, const ria_grid *grid, int stretch) {
  const ria_side side = set->stretch[stretch].side;
  for (int k = 0; k < ria_side_length(grid, side); k++)
    if (set->owner[side][k] == stretch) return true;
  return false;
}

/* The highest level of a stretch, wherever along it. */
static double highest_level(const ria_forcing_set *set, int stretch) {
  const ria_boundary_set *b = &set->boundary;
  double most = largest(&set->table, b->stretch[stretch].value[0]);
  for (int k = 0; k < b->n_points; k++)
    if (b->point[k].stretch == stretch && b->point[k].value == 0)
      most = fmax(most, largest(&set->table, b->point[k].id));
  return most;
}

/* Water that was given stays given: it is still there when its source has ended. A discharge is
 * shared by conveyance: it may all come in through one cell. */
void adi_given_forcing(adi_given *g, const ria_grid *grid, const ria_forcing_set *set) {
  for (int k = 0; k < set->boundary.n; k++) {
    const ria_stretch *b = &set->boundary.stretch[k];
    if (!has_cells(&set->boundary, grid, k)) continue;
    const double d = ria_side_along_x(b->side) ? grid->dy : grid->dx;
    if (water_side_has_level(b->kind)) g->sides = fmax(g->sides, highest_level(set, k));
    if (b->kind == SIDE_DISCHARGE)
      g->inflow = fmax(g->inflow, largest(&set->table, b->value[0]) / d);
  }
  const double cell = grid->dx < grid->dy ? grid->dx : grid->dy;
  for (int m = 0; m < set->n_sources; m++) {
    const ria_source *q = &set->sources[m];
    for (int e = 0; e < q->n && q->quantity == 0; e++)
      g->inflow = fmax(g->inflow, largest(&set->table, q->rate) * q->weight[e] / cell);
  }
  for (int k = 0; k < set->n_relax; k++) g->sides = fmax(g->sides, set->relax[k].level);
  g->gust = fmax(g->gust, largest(&set->table, set->varying[RIA_WIND_SPEED]));
}

double adi_ceiling(adi_given *g, const adi_params *p, const ria_grid *grid, double depth) {
  const double length = hypot(grid->nx * grid->dx, grid->ny * grid->dy), q = g->inflow;
  const bool is_fed = q > 0 && g->highest > -HUGE_VAL;
  double stress[2];
  ria_wind_stress(g->gust, 0, p->forces.wind_drag, stress);
  const double set_up = sqrt(2 * fabs(stress[1]) * length / p->gravity);
  const double slowed =
      q > 0 ? pow(13.0 / 3 * g->manning * g->manning * q * q * length, 3.0 / 13) : 0;
  const double critical = q > 0 ? 1.5 * cbrt(q * q / p->gravity) : 0;
  g->top = fmax(g->head, g->sides);
  if (is_fed) g->top = fmax(g->top, g->highest + depth);
  const double deep = g->top > g->lowest ? g->top - g->lowest : 0;
  const double room = deep + slowed + critical + set_up;
  return g->top > -HUGE_VAL && isfinite(room) ? g->top + p->ceiling * room : HUGE_VAL;
}

/* The volume stored, less the net inflow through open sides and sides with a level. */
static double volume_given(double stored, const ria_stretch *stretch, int n, int nq,
                           const double *in, const double *out) {
  double let_in = 0;
  for (int k = 0; k < n; k++)
    if (stretch[k].kind == SIDE_OPEN || water_side_has_level(stretch[k].kind))
      let_in += in[(size_t)k * (size_t)nq] - out[(size_t)k * (size_t)nq];
  return let_in > 0 ? stored - let_in : stored;
}

void adi_judge(adi_clock *c, adi_given *g, const adi_params *p, const ria_grid *grid, double stored,
               const ria_stretch *stretch, int n, int nq, const double *in, const double *out) {
  const double area = grid->nx * grid->dx * grid->ny * grid->dy;
  c->high = 0;
  c->ceiling =
      adi_ceiling(g, p, grid, fmax(0, volume_given(stored, stretch, n, nq, in, out)) / area);
  if (c->high_level > c->ceiling) adi_fail(c, ADI_HIGH, c->high_t, c->high_cell, c->high_level);
}
