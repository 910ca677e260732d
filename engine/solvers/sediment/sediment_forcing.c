/* sediment_forcing.c - between two passes: what comes over the sides and from sources.
 *
 * A flux is given for a stretch as a whole and shared out evenly over its cells. Cells are changed
 * one after another, side by side and source by source, each by `sed_take`, which leaves the
 * fraction in [0, 1] and says what went below the active layer. */
#include "sediment.h"

#include <stdlib.h>

static sed_cell cell_at(const sed *s, int state, size_t at) {
  return (sed_cell){ria_plane_get(&s->planes, s->h[state], at),
                    ria_plane_get(&s->planes, s->sand[state], at)};
}

/* What the planes hold after rounding is what the account is of. Of a ghost row the neighbour
 * keeps it. */
void sed_change(sed *s, int before, int i, int j, double *sand, double *mud) {
  const ria_planes *p = &s->planes;
  const int now = s->clock.now;
  const size_t at = ria_plane_at(p, i, j);
  const sed_cell had = cell_at(s, now, at), old = before == now ? had : cell_at(s, before, at);
  sed_cell c = had;
  sed_take(&old, &c, s->param.layer, sand, mud);
  ria_plane_put(p, s->h[now], at, c.h);
  ria_plane_put(p, s->sand[now], at, c.s);
  c = cell_at(s, now, at);
  if (ria_planes_own(p, j))
    *ria_planes_row(p, s->deposit, 0, j) += c.s * (c.h - old.h) - had.s * (had.h - old.h);
}

/* --- sides ------------------------------------------------------------------------------------ */

/* All or nothing: where memory is short the forcing stays as it was. */
ria_status sed_force(void *self, const ria_forcing_set *set) {
  sed *s = self;
  const ria_boundary_set *b = &set->boundary;
  int *n = calloc((size_t)b->n + 1, sizeof *n);
  if (!n) return ria_fail(s->planes.ctx, RIA_ERR_MEMORY, "out of memory for the boundaries");
  const ria_status status = ria_planes_force(s, set);
  if (status != RIA_OK) {
    free(n);
    return status;
  }
  for (int side = 0; side < RIA_SIDES; side++)
    for (int k = 0; k < ria_side_length(&s->planes.grid, (ria_side)side); k++)
      n[b->owner[side][k]]++;
  free(s->cells_of);
  s->cells_of = n;
  return RIA_OK;
}

static void leave(const sed *s, ria_side side, int i, int j, double dt, double *sand, double *mud) {
  const ria_planes *p = &s->planes;
  const sed_params *k = &s->param;
  const int before = 1 - s->clock.now;
  const size_t at = ria_plane_at(p, i, j);
  const ptrdiff_t inwards = ria_side_inwards(p->grid.nx, p->grid.ny, (int)p->stride, side);
  const sed_cell c = cell_at(s, before, at);
  const double inner = ria_plane_get(p, s->h[before], at + (size_t)inwards);
  const double below = (s->sea - c.h) / k->wave_base;
  const double a = ria_plane_get(p, s->alpha, at) * sed_above_water(below, 1 - k->marine_alpha);
  const double b = ria_plane_get(p, s->beta, at) * sed_above_water(below, 1 - k->marine_beta);
  sed_over_open_side(&c, inner, a / k->c_sand, b / k->c_mud,
                     ria_side_along_x(side) ? p->grid.dx : p->grid.dy, dt, sand, mud);
}

static void bring_side(sed *s, ria_side side, double t, double dt) {
  ria_planes *p = &s->planes;
  const double area = p->grid.dx * p->grid.dy;
  const ria_side_cells cells = ria_planes_side(p, side);
  for (int k = cells.from; k < cells.to; k++) {
    const int owner = p->owner[side][k];
    const ria_stretch *b = &p->stretch[owner];
    if (b->kind == SED_CLOSED) continue;
    int i, j;
    double amount[SED_QUANTITIES];
    ria_side_cell(&p->grid, side, k, &i, &j);
    if (b->kind == SED_OPEN)
      leave(s, side, i, j, dt, &amount[SED_SAND], &amount[SED_MUD]);
    else
      for (int q = 0; q < SED_QUANTITIES; q++)
        amount[q] =
            ria_forcing_at(&p->table, b->value[q], t + 0.5 * dt) * dt / (area * s->cells_of[owner]);
    sed_change(s, 1 - s->clock.now, i, j, &amount[SED_SAND], &amount[SED_MUD]);
    for (int q = 0; q < SED_QUANTITIES; q++) ria_planes_cross(p, side, k, q, amount[q] * area);
  }
}

/* --- sources ---------------------------------------------------------------------------------- */

static void bring_source(sed *s, const ria_source *source, double t, double dt) {
  ria_planes *p = &s->planes;
  const double area = p->grid.dx * p->grid.dy;
  const double all =
      ria_source_amount(&p->table, source->rate, source->t_start, source->t_stop, t, dt) / area;
  for (int k = 0; all != 0 && k < source->n; k++) {
    const int i = source->cell[k] % p->grid.nx, j = source->cell[k] / p->grid.nx;
    double amount[SED_QUANTITIES] = {0};
    if (!ria_planes_own(p, j)) continue;
    amount[source->quantity] = all * source->weight[k];
    sed_change(s, 1 - s->clock.now, i, j, &amount[SED_SAND], &amount[SED_MUD]);
    *ria_planes_row(p, p->added, source->quantity, j) += amount[source->quantity] * area;
  }
}

void sed_bring(sed *s, double t, double dt) {
  for (int side = 0; side < RIA_SIDES; side++) bring_side(s, (ria_side)side, t, dt);
  for (int k = 0; k < s->planes.n_sources; k++) bring_source(s, &s->planes.source[k], t, dt);
  sed_wrap(s, s->clock.now);
}
