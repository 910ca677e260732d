/* forcing/forcing.c - boundaries as they are described.
 *
 * Stretches 0..3 are the sides as a whole and always exist, with the solver's first kind; each
 * ria_boundary_add appends one, so an index keeps its meaning for good and the solver's totals per
 * stretch go on by it. A boundary's id is its index + 1.
 *
 * Where cells may be left out of the domain (mask.c) four stretches more follow the sides: they are
 * closed, and have those cells of each side that are left out, whatever boundary covers them. */
#include "base/context.h"
#include "core/sim.h"
#include "base/text.h"
#include "forcing/forcing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT_OUT = RIA_SIDES }; /* the first stretch of cells that are left out */

/* --- kinds and names -------------------------------------------------------------------------- */

ria_status ria_kind_find(ria_sim *sim, const char *name, int *out) {
  const ria_boundary_kind *table = sim->solver->boundaries;
  ria_guess guess = ria_guess_start(name ? name : "");
  for (int k = 0; table && table[k].name; k++) {
    if (name && strcmp(table[k].name, name) == 0) {
      *out = k;
      return RIA_OK;
    }
    ria_guess_try(&guess, table[k].name);
  }
  if (!name)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a boundary needs a kind: %s", guess.known);
  return ria_fail_unknown(sim->ctx, "boundary kind", &guess);
}

int ria_kind_value(const ria_boundary_kind *kind, const char *name) {
  for (int i = 0; i < RIA_BOUNDARY_VALUES && kind->values[i].name; i++)
    if (strcmp(kind->values[i].name, name) == 0) return i;
  return -1;
}

/* The last added first, so that a name given again finds the one that holds now. */
static ria_bound *bound_named(ria_sim *sim, const char *name) {
  ria_forcing_state *f = sim->forcing;
  for (size_t i = f->n; i-- > 0;)
    if (strcmp(f->bound[i].name, name) == 0) return &f->bound[i];
  return NULL;
}

static bool is_side_name(const char *name) {
  for (int s = 0; s < RIA_SIDES; s++)
    if (strcmp(ria_side_name((ria_side)s), name) == 0) return true;
  return false;
}

ria_status ria_bound_name(ria_sim *sim, const ria_boundary_desc *desc, ria_side side, char **out) {
  const char *whole = ria_side_name(side);
  char text[RIA_NAME_MAX + 16];
  const char *name = desc->name;
  const bool stretch = desc->stretch || desc->line;
  if (!name && !stretch) name = whole;
  if (!name) {
    int k = 1;
    do snprintf(text, sizeof text, "%s:%d", whole, k++);
    while (bound_named(sim, text));
    name = text;
  }
  bool own_side = !stretch && strcmp(name, whole) == 0;
  if (!own_side && is_side_name(name))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "a boundary on %s of the %s side cannot be called '%s': that is the name of a "
                    "whole side",
                    stretch ? "a stretch" : "the whole", whole, name);
  if (!own_side && bound_named(sim, name))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "there is a boundary named '%s' already", name);
  *out = ria_strdup(name);
  return *out ? RIA_OK : ria_fail_memory(sim->ctx, "boundary name", strlen(name) + 1);
}

/* --- one boundary ----------------------------------------------------------------------------- */

static void bound_clear(ria_bound *b) {
  for (int i = 0; i < RIA_BOUNDARY_VALUES; i++) ria_own_value_clear(&b->value[i]);
  for (int i = 0; i < RIA_BOUNDARY_VALUES; i++) ria_along_clear(&b->along[i]);
  for (int k = 0; k < RIA_MAX_TRACERS; k++) ria_own_value_clear(&b->tracer[k]);
  free(b->name);
  *b = (ria_bound){0};
}

static ria_status bound_reserve(ria_sim *sim, size_t n) {
  ria_forcing_state *f = sim->forcing;
  size_t room = f->room;
  RIA_TRY(ria_grow(sim->ctx, "boundaries", &f->bound, &room, n, sizeof *f->bound));
  return ria_grow(sim->ctx, "boundaries", &f->place, &f->room, n, sizeof *f->place);
}

/* --- public ----------------------------------------------------------------------------------- */

/* Fails where all its cells are left out of the domain. */
static ria_status check_inside(ria_sim *sim, const char *name, const ria_place *place) {
  int inside = 0;
  for (int k = place->first; sim->mask.out && k < place->first + place->count; k++)
    inside +=
        ria_place_has(place, k) && !sim->mask.out[ria_boundary_cell(&sim->grid, place->side, k)];
  if (inside || !sim->mask.out || !place->count) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "boundary '%s' lies outside the domain: the bed has no value in any of its cells",
                  name);
}

ria_status ria_forcing_check_inside(ria_sim *sim) {
  const ria_forcing_state *f = sim->forcing;
  for (size_t i = RIA_SIDES; i < f->n; i++)
    RIA_TRY(check_inside(sim, f->bound[i].name, &f->place[i - RIA_SIDES]));
  return RIA_OK;
}

/* Of the first n boundaries. */
static ria_status make_map(ria_sim *sim, size_t n) {
  ria_forcing_state *f = sim->forcing;
  RIA_TRY(ria_boundary_map_build(sim->ctx, &sim->grid, f->place, n - RIA_SIDES, &f->map));
  if (sim->mask.out) ria_boundary_map_leave_out(&f->map, &sim->grid, sim->mask.out, LEFT_OUT);
  return RIA_OK;
}

/* Cells were left out of the domain, or others: lay the boundaries again. */
static ria_status remap(ria_sim *sim) {
  sim->unforced = true;
  return make_map(sim, sim->forcing->n);
}

/* *place: where it lies, or with no cells: as its description says. */
static ria_status bound_make(ria_sim *sim, const ria_boundary_desc *desc, ria_bound *b,
                             ria_place *place) {
  RIA_TRY(ria_kind_find(sim, desc->kind, &b->kind));
  if (!place->count) RIA_TRY(ria_place_resolve(sim->ctx, &sim->grid, desc, place));
  b->side = place->side;
  RIA_TRY(ria_bound_name(sim, desc, place->side, &b->name));
  RIA_TRY(check_inside(sim, b->name, place));
  RIA_TRY(ria_bound_take_values(sim, b, NULL, place, desc));
  return ria_bound_take_tracers(sim, b, NULL, desc);
}

ria_status ria_boundary_add_at(ria_sim *sim, const ria_boundary_desc *desc, ria_place at,
                               ria_boundary_id whole, ria_boundary_id *id) {
  ria_forcing_state *f = sim->forcing;
  ria_status s = bound_reserve(sim, f->n + 1);
  if (s != RIA_OK) ria_place_clear(&at);
  RIA_TRY(s);
  ria_bound b = {.whole = whole};
  ria_place *place = &f->place[f->n - RIA_SIDES];
  *place = at;
  s = bound_make(sim, desc, &b, place);
  if (s == RIA_OK) s = ria_boundary_overlaps(sim, b.name, place);
  if (s == RIA_OK) s = make_map(sim, f->n + 1);
  if (s != RIA_OK) {
    ria_place_clear(place);
    bound_clear(&b);
    return s;
  }
  f->bound[f->n++] = b;
  sim->unforced = true;
  if (id) *id = (ria_boundary_id)f->n;
  return RIA_OK;
}

ria_status ria_boundary_add(ria_sim *sim, const ria_boundary_desc *desc, ria_boundary_id *id) {
  if (!desc) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a boundary needs a description");
  const char *value = ria_pieces_value(sim, desc);
  if (value) return ria_boundary_add_pieces(sim, desc, value, id);
  return ria_boundary_add_at(sim, desc, (ria_place){0}, 0, id);
}

ria_status ria_boundary_take_back(ria_sim *sim, size_t n) {
  ria_forcing_state *f = sim->forcing;
  while (f->n > n) {
    bound_clear(&f->bound[--f->n]);
    ria_place_clear(&f->place[f->n - RIA_SIDES]);
  }
  return make_map(sim, n);
}

static ria_status bound_at(ria_sim *sim, ria_boundary_id id, ria_bound **out) {
  if (id < 1 || (size_t)id > sim->forcing->n)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "there is no boundary %lld", (long long)id);
  *out = &sim->forcing->bound[id - 1];
  return RIA_OK;
}

static ria_place place_of(const ria_sim *sim, size_t i) {
  const ria_side side = sim->forcing->bound[i].side;
  if (i >= RIA_SIDES) return sim->forcing->place[i - RIA_SIDES];
  return (ria_place){.side = side, .count = ria_side_length(&sim->grid, side)};
}

ria_status ria_forcing_place(ria_sim *sim, ria_boundary_id id, ria_place *out) {
  ria_bound *b = NULL;
  RIA_TRY(bound_at(sim, id, &b));
  *out = place_of(sim, (size_t)id - 1);
  return RIA_OK;
}

/* It may say where it lies, not that it lies elsewhere. */
static ria_status check_place(ria_sim *sim, const char *name, const ria_place *is,
                              const ria_boundary_desc *desc) {
  ria_place said = *is;
  if (desc->line)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "boundary '%s': where a boundary lies cannot change: leave `line` out", name);
  if (desc->stretch)
    RIA_TRY(ria_place_resolve(sim->ctx, &sim->grid, desc, &said));
  else if (desc->one_side)
    said.side = desc->side;
  if (said.side == is->side && said.first == is->first && said.count == is->count && !is->takes)
    return RIA_OK;
  if (!desc->stretch && said.side == is->side) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "boundary '%s' lies on %d edges of the %s side, and where a boundary lies cannot "
                  "change: leave %s out, or let one boundary end (kind = \"wall\") where another, "
                  "named in ria.sim from the start, begins",
                  name, is->count, ria_side_name(is->side),
                  desc->stretch ? "`from` and `to`" : "`side`");
}

ria_status ria_boundary_change(ria_sim *sim, ria_boundary_id id, const ria_boundary_desc *desc) {
  ria_bound *old = NULL;
  RIA_TRY(bound_at(sim, id, &old));
  if (!desc) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a boundary needs a description");
  RIA_TRY(ria_pieces_check_none(sim, id));
  ria_bound b = {.kind = old->kind, .side = old->side, .stem = old->stem, .whole = old->whole};
  const ria_place place = place_of(sim, (size_t)id - 1);
  RIA_TRY(check_place(sim, old->name, &place, desc));
  if (desc->kind) RIA_TRY(ria_kind_find(sim, desc->kind, &b.kind));
  b.name = ria_strdup(old->name);
  if (!b.name) return ria_fail_memory(sim->ctx, "boundary name", strlen(old->name) + 1);
  ria_status s = ria_bound_take_values(sim, &b, b.kind == old->kind ? old : NULL, &place, desc);
  if (s == RIA_OK) s = ria_bound_take_tracers(sim, &b, old, desc);
  if (s != RIA_OK) {
    bound_clear(&b);
    return s;
  }
  bound_clear(old);
  *old = b;
  sim->unforced = true;
  return RIA_OK;
}

ria_status ria_boundary_find(ria_sim *sim, const char *name, ria_boundary_id *id) {
  ria_forcing_state *f = sim->forcing;
  if (!name) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a boundary is found by its name");
  ria_bound *b = bound_named(sim, name);
  if (b) {
    *id = (ria_boundary_id)(b - f->bound) + 1;
    return RIA_OK;
  }
  for (size_t i = 0; i < f->n; i++)
    if (ria_is_piece_of(&f->bound[i], name))
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                      "boundary '%s' lies in pieces, from '%s' on: name one of them", name,
                      f->bound[i].name);
  ria_guess guess = ria_guess_start(name);
  for (size_t i = 0; i < f->n; i++) ria_guess_try(&guess, f->bound[i].name);
  return ria_fail_guess(sim->ctx, &guess, NULL, "no boundary is named '%s'", name);
}

ria_status ria_boundary_flux(ria_sim *sim, ria_boundary_id id, const char *quantity, double *in,
                             double *out) {
  ria_bound *b = NULL;
  int q = 0;
  RIA_TRY(bound_at(sim, id, &b));
  if (sim->n_quantities == 0)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "solver '%s' counts no fluxes", sim->solver->name);
  if (quantity) RIA_TRY(ria_quantity_find(sim, quantity, &q));
  double *all_in = NULL, *all_out = NULL;
  RIA_TRY(ria_forcing_fluxes(sim, &all_in, &all_out));
  *in = *out = 0.0;
  for (size_t i = 0; i < sim->forcing->n; i++) {
    if (i + 1 != (size_t)id && sim->forcing->bound[i].whole != id) continue;
    const size_t at = i * (size_t)sim->n_quantities + (size_t)q;
    *in += ria_quantity_amount(sim, q, all_in[at]);
    *out += ria_quantity_amount(sim, q, all_out[at]);
  }
  free(all_in);
  return RIA_OK;
}

/* --- life ------------------------------------------------------------------------------------- */

ria_status ria_forcing_init(ria_sim *sim) {
  const int n = sim->mask.wanted ? 2 * RIA_SIDES : RIA_SIDES;
  ria_forcing_state *f = sim->forcing = calloc(1, sizeof *f);
  if (!f) return ria_fail_memory(sim->ctx, "forcing", sizeof *f);
  RIA_TRY(bound_reserve(sim, (size_t)n));
  for (int s = 0; s < n; s++) {
    const ria_side side = (ria_side)(s % RIA_SIDES);
    ria_bound b = {.side = side};
    char name[32];
    ria_format(name, sizeof name, s < LEFT_OUT ? "%s" : "(outside, %s)", ria_side_name(side));
    b.name = ria_strdup(name);
    if (!b.name) return ria_fail_memory(sim->ctx, "boundary name", strlen(name) + 1);
    f->bound[f->n++] = b;
    for (int i = 0; sim->solver->boundaries && i < RIA_BOUNDARY_VALUES; i++)
      f->bound[s].value[i].constant = sim->solver->boundaries[0].values[i].def;
  }
  sim->unforced = true;
  sim->mask.on_change = remap;
  RIA_TRY(ria_varying_init(sim));
  for (int s = LEFT_OUT; s < n; s++) f->place[s - LEFT_OUT] = (ria_place){0}; /* cover nothing */
  return make_map(sim, f->n);
}

void ria_forcing_free(ria_sim *sim) {
  ria_forcing_state *f = sim->forcing;
  if (!f) return;
  for (size_t i = 0; i < f->n; i++) bound_clear(&f->bound[i]);
  for (size_t i = RIA_SIDES; i < f->n; i++) ria_place_clear(&f->place[i - RIA_SIDES]);
  free(f->bound);
  free(f->place);
  ria_boundary_map_free(&f->map);
  ria_releases_free(sim);
  ria_relax_layers_free(sim);
  ria_varying_free(sim);
  free(f);
  sim->forcing = NULL;
}
