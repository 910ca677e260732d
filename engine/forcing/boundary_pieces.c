/* forcing/boundary_pieces.c - a discharge at several points: each has a piece of the boundary.
 *
 * A discharge is what passes a whole stretch, which shares it out by the water in its cells. So
 * where it is given at points the boundary becomes as many, one after the other, that meet half way
 * between two points: "west.1", "west.2", ... from the south or west on. */
#include "base/context.h"
#include "base/text.h"
#include "forcing/forcing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

const char *ria_pieces_value(const ria_sim *sim, const ria_boundary_desc *desc) {
  const ria_boundary_kind *kind = sim->solver->boundaries;
  const unsigned *may = sim->solver->boundary_points;
  const char *name = desc->n_points ? desc->points[0].name : NULL;
  int k = 0;
  while (kind && kind[k].name && !same(kind[k].name, desc->kind)) k++;
  if (!kind || !kind[k].name || !name) return NULL;
  const int at = ria_kind_value(&kind[k], name);
  if (at < 0 || kind[k].values[at].dim != RIA_DIM_FLOW || (may && may[k] >> at & 1u)) return NULL;
  for (size_t i = 1; i < desc->n_points; i++)
    if (!same(desc->points[i].name, name)) return NULL;
  return name;
}

/* Cells `first` to `last` of a place, a place of their own; no cells: it has none of them. */
static ria_status cut(ria_sim *sim, const ria_place *from, int first, int last, ria_place *out) {
  *out = (ria_place){.side = from->side, .first = first, .back = from->back};
  const int n = last - first + 1;
  bool any = !from->takes && n > 0;
  for (int k = first; !any && k <= last; k++) any = ria_place_has(from, k);
  if (!any) return RIA_OK;
  if (from->takes) {
    out->takes = malloc((size_t)n);
    if (!out->takes) return ria_fail_memory(sim->ctx, "a piece of a boundary", (size_t)n);
    memcpy(out->takes, from->takes + (first - from->first), (size_t)n);
  }
  out->count = n;
  return RIA_OK;
}

/* The first cell whose middle lies half way or farther from one point to the next. */
static int border(const ria_side_values *v, size_t k) {
  return (int)ceil(0.5 * (v->point[k].at + v->point[k + 1].at) - 0.5);
}

/* Where the k-th of them lies. */
static ria_status place_piece(ria_sim *sim, const char *name, const ria_side_values *v, size_t k,
                              const ria_place *all, ria_place *out) {
  int first = all->first, last = all->first + all->count - 1;
  if (k > 0 && border(v, k - 1) > first) first = border(v, k - 1);
  if (k + 1 < v->n && border(v, k) - 1 < last) last = border(v, k) - 1;
  RIA_TRY(cut(sim, all, first, last, out));
  if (out->count) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "boundary '%s': no edge is nearer to point %zu of %zu (from south or west) than "
                  "to the others: leave it out, or take smaller cells",
                  name, k + 1, v->n);
}

static ria_status add_piece(ria_sim *sim, const ria_boundary_desc *desc, const char *value,
                            const char *name, const ria_side_values *v, size_t k,
                            const ria_place *all, ria_boundary_id whole, ria_boundary_id *id) {
  const size_t stem = strlen(name), size = stem + 24;
  ria_boundary_desc one = *desc;
  ria_place place = {0};
  int free_slot = 0;
  RIA_TRY(place_piece(sim, name, v, k, all, &place));
  char *text = malloc(size);
  if (!text) {
    ria_place_clear(&place);
    return ria_fail_memory(sim->ctx, "boundary name", size);
  }
  while (free_slot < RIA_BOUNDARY_VALUES - 1 && one.values[free_slot].name) free_slot++;
  ria_format(text, size, "%s.%zu", name, k + 1);
  one.name = text;
  one.points = NULL;
  one.n_points = 0;
  one.values[free_slot] =
      (ria_boundary_value){.name = value, .value = ria_own_value_view(&v->point[k].value)};
  const ria_status s = ria_boundary_add_at(sim, &one, place, whole, id);
  if (s == RIA_OK) sim->forcing->bound[sim->forcing->n - 1].stem = stem;
  free(text);
  return s;
}

static ria_status add_all(ria_sim *sim, const ria_boundary_desc *desc, const char *value,
                          const char *name, const ria_place *all, ria_boundary_id *id) {
  const bool side = same(name, ria_side_name(all->side));
  const size_t had = sim->forcing->n;
  ria_side_values v = {0};
  ria_status s = ria_along_take(sim, name, all, desc, value, &v);
  for (size_t k = 0; s == RIA_OK && k < v.n; k++)
    s = add_piece(sim, desc, value, name, &v, k, all, side ? (ria_boundary_id)all->side + 1 : 0,
                  k || !id ? NULL : id);
  ria_along_clear(&v);
  if (s != RIA_OK) (void)ria_boundary_take_back(sim, had);
  return s;
}

static bool is_given(const ria_boundary_desc *desc, const char *value) {
  for (int k = 0; k < RIA_BOUNDARY_VALUES; k++)
    if (same(desc->values[k].name, value)) return true;
  return false;
}

ria_status ria_boundary_add_pieces(ria_sim *sim, const ria_boundary_desc *desc, const char *value,
                                   ria_boundary_id *id) {
  ria_place all = {0};
  char *name = NULL;
  ria_status s = ria_place_resolve(sim->ctx, &sim->grid, desc, &all);
  if (s == RIA_OK) s = ria_bound_name(sim, desc, all.side, &name);
  if (s == RIA_OK && is_given(desc, value))
    s = ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "boundary '%s': '%s' is given twice", name, value);
  if (s == RIA_OK) s = add_all(sim, desc, value, name, &all, id);
  ria_place_clear(&all);
  free(name);
  return s;
}

bool ria_is_piece_of(const ria_bound *b, const char *name) {
  return b->stem && strlen(name) == b->stem && strncmp(b->name, name, b->stem) == 0;
}

ria_status ria_pieces_check_none(ria_sim *sim, ria_boundary_id id) {
  const ria_forcing_state *f = sim->forcing;
  const char *first = NULL, *last = NULL;
  for (size_t i = 0; i < f->n; i++) {
    if (f->bound[i].whole != id) continue;
    if (!first) first = f->bound[i].name;
    last = f->bound[i].name;
  }
  if (!first) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "boundary '%s' lies in pieces, '%s' to '%s': change these", f->bound[id - 1].name,
                  first, last);
}
