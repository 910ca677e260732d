/* forcing/boundary_overlap.c - edges that a new boundary takes from earlier ones.
 *
 * On a whole side stretches are laid on purpose. Of two stretches that overlap the later one has
 * the edges, and which one is later a scenario hardly shows: so it is told. One that is left
 * without edges is an error to whoever asks, and so is a whole side whose discharge is lost. */
#include "base/context.h"
#include "base/text.h"
#include "forcing/forcing.h"

#include <stdlib.h>
#include <string.h>

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

/* --- boundaries that lost all their edges ----------------------------------------------------- */

/* Does it bring, or take, water by a discharge? */
static bool has_discharge(const ria_sim *sim, const ria_bound *b) {
  const ria_boundary_kind *kind = &sim->solver->boundaries[b->kind];
  for (int k = 0; k < RIA_BOUNDARY_VALUES && kind->values[k].name; k++)
    if (kind->values[k].dim == RIA_DIM_FLOW && (b->value[k].series || b->value[k].constant != 0.0))
      return true;
  return false;
}

/* "'river' (3), 'weir' (1)": who has the edges of a place, and how many of them. */
static ria_status owners(ria_sim *sim, const ria_place *place, char *text, size_t size) {
  const ria_forcing_state *f = sim->forcing;
  const int32_t *owner = f->map.owner[place->side];
  int *has = calloc(f->n, sizeof *has);
  if (!has) return ria_fail_memory(sim->ctx, "boundaries", f->n * sizeof *has);
  for (int k = place->first; k < place->first + place->count; k++)
    if (ria_place_has(place, k)) has[owner[k]]++;
  *text = 0;
  for (size_t k = f->n; k-- > 0;)
    if (has[k])
      ria_append(text, size, *text ? ", '%s' (%d)" : "'%s' (%d)", f->bound[k].name, has[k]);
  free(has);
  return RIA_OK;
}

static ria_status fail_covered(ria_sim *sim, size_t i) {
  const ria_place *place = &sim->forcing->place[i - RIA_SIDES];
  char by[400];
  int edges = 0;
  for (int k = place->first; k < place->first + place->count; k++) edges += ria_place_has(place, k);
  RIA_TRY(owners(sim, place, by, sizeof by));
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "boundary '%s' lets nothing through: others cover all of its edges (%d), %s: of "
                  "two that overlap the one added later has them (in a scenario stretches come "
                  "after sides, each by name): move one, leave one out, or take smaller cells",
                  sim->forcing->bound[i].name, edges, by);
}

/* Only whole sides can be given again, in pieces or not; all others have names of their own. */
static bool is_given_again(const ria_forcing_state *f, size_t i) {
  const ria_bound *b = &f->bound[i];
  for (size_t k = i + 1; k < f->n; k++)
    if (strcmp(f->bound[k].name, b->name) == 0 || ria_is_piece_of(b, f->bound[k].name) ||
        ria_is_piece_of(&f->bound[k], b->name))
      return true;
  return false;
}

/* Is it an error that this one has no edges? A side may be there for what stretches leave of it. */
static bool is_missed(const ria_sim *sim, size_t i) {
  const ria_bound *b = &sim->forcing->bound[i];
  const bool side = strcmp(b->name, ria_side_name(b->side)) == 0;
  return !is_given_again(sim->forcing, i) && (!side || has_discharge(sim, b));
}

ria_status ria_boundary_check_edges(ria_sim *sim, const char *name) {
  const ria_forcing_state *f = sim->forcing;
  for (size_t i = sim->mask.wanted ? 2 * RIA_SIDES : RIA_SIDES; i < f->n; i++) {
    const ria_bound *b = &f->bound[i];
    const bool asked = !name || ria_is_piece_of(b, name) || strcmp(b->name, name) == 0;
    if (asked && !f->map.cells[i] && is_missed(sim, i)) return fail_covered(sim, i);
  }
  return RIA_OK;
}
