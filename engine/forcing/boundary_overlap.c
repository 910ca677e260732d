/* forcing/boundary_overlap.c - edges that a new boundary takes from earlier ones.
 *
 * On a whole side stretches are laid on purpose. Of two stretches that overlap the later one has
 * the edges, and which one is later a scenario hardly shows: so it is told. */
#include "base/context.h"
#include "forcing/forcing.h"

#include <stdlib.h>

typedef struct taken {
  int edges, first, last; /* along the side */
} taken;

static bool is_whole_side(const ria_sim *sim, const ria_place *place) {
  return place->count == ria_side_length(&sim->grid, place->side) && !place->takes;
}

static void tell(ria_sim *sim, const char *name, size_t of, ria_side side, const taken *t) {
  const ria_forcing_state *f = sim->forcing;
  const ria_side_line line = ria_side_line_of(&sim->grid, side);
  const int had = f->map.cells[of];
  double p[2], q[2];
  p[line.along] = line.origin + t->first * line.d;
  q[line.along] = line.origin + (t->last + 1) * line.d;
  p[1 - line.along] = q[1 - line.along] = line.at;
  ria_grid_to_map(&sim->grid, &p[0], &p[1]);
  ria_grid_to_map(&sim->grid, &q[0], &q[1]);
  ria_log(sim->ctx,
          "boundary '%s' takes %d of the %d edges of boundary '%s', between (%.10g, %.10g) and "
          "(%.10g, %.10g)",
          name, t->edges, had, f->bound[of].name, p[0], p[1], q[0], q[1]);
}

ria_status ria_boundary_overlaps(ria_sim *sim, const char *name, const ria_place *place) {
  const ria_forcing_state *f = sim->forcing;
  const int32_t *owner = f->map.owner[place->side];
  taken *of = calloc(f->n, sizeof *of);
  ria_status s = of ? RIA_OK : ria_fail_memory(sim->ctx, "boundaries", f->n * sizeof *of);
  for (int k = place->first; s == RIA_OK && k < place->first + place->count; k++) {
    if (!ria_place_has(place, k)) continue;
    taken *t = &of[owner[k]];
    if (!t->edges++) t->first = k;
    t->last = k;
  }
  const size_t first = sim->mask.wanted ? 2 * RIA_SIDES : RIA_SIDES;
  for (size_t k = first; s == RIA_OK && k < f->n; k++)
    if (of[k].edges && !is_whole_side(sim, &f->place[k - RIA_SIDES]))
      tell(sim, name, k, place->side, &of[k]);
  free(of);
  return s;
}
