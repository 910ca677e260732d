/* forcing/spill_ground.c - will a spill that is still to come find water where it is to be
 * released?
 *
 * Told before the run, from the state as it is and the forcing as it was given. Ground that is dry
 * now may be wet by then: a tide rises, a river floods. It cannot where it lies above every level
 * that is given, of the water that is there and of boundaries, unless water comes by a discharge or
 * with a spill, which have no level, wind sets it up, or a boundary sends waves in, which run up.
 * What a callback may do is not counted. */
#include "base/context.h"
#include "core/sim.h"
#include "base/text.h"
#include "base/grid.h"
#include "forcing/forcing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- levels that are given -------------------------------------------------------------------- */

static bool is_level(const ria_sim *sim, const char *value) {
  for (size_t k = 0; k < sim->n_fields; k++)
    if (sim->fields[k].info->flags & RIA_FIELD_LEVEL && strcmp(sim->fields[k].name, value) == 0)
      return true;
  return false;
}

/* A level that follows a table may rise as a wave does, and waves run up above their level. */
static bool raises_waves(const ria_value *v, double most, double water) {
  return v->series && v->series->entry.kind != RIA_FORCING_CONSTANT &&
         v->series->entry.kind != RIA_FORCING_TIDE && most > water;
}

/* Of one value: as most_of_boundary. */
static double most_of_value(const ria_own_value *v, bool level, double water) {
  const ria_value value = ria_own_value_view(v);
  const double given = ria_value_most(&value);
  if (level ? raises_waves(&value, given, water) : given > 0.0) return INFINITY;
  return level ? given : -INFINITY;
}

/* Of a boundary: a level up to which water may come; INFINITY where it comes without one. water:
 * the highest level there is at the start. */
static double most_of_boundary(const ria_sim *sim, const ria_bound *b, double water) {
  const ria_boundary_kind *kind = &sim->solver->boundaries[b->kind];
  double most = -INFINITY;
  for (int v = 0; v < RIA_BOUNDARY_VALUES && kind->values[v].name; v++) {
    const ria_side_values *along = &b->along[v];
    const bool level = is_level(sim, kind->values[v].name);
    if (!kind->values[v].required) continue;
    if (!along->n) most = fmax(most, most_of_value(&b->value[v], level, water));
    for (size_t k = 0; k < along->n; k++)
      most = fmax(most, most_of_value(&along->point[k].value, level, water));
  }
  return most;
}

/* A parameter that may vary and is 0 unless given, as the speed of a wind, acts on the water. */
static bool is_driven(const ria_sim *sim) {
  for (int k = 0; k < sim->forcing->n_varying; k++) {
    const ria_varying *v = &sim->forcing->varying[k];
    const ria_value value = ria_own_value_view(&v->value);
    if (v->info->def == 0.0 && ria_value_most(&value) > 0.0) return true;
  }
  return false;
}

static double most_of_forcing(const ria_sim *sim, double water) {
  const ria_forcing_state *f = sim->forcing;
  double most = is_driven(sim) ? INFINITY : -INFINITY;
  for (size_t k = 0; k < f->n; k++) most = fmax(most, most_of_boundary(sim, &f->bound[k], water));
  for (size_t k = 0; k < f->n_releases; k++)
    if (!f->release[k]->never && ria_release_brings_water(sim, f->release[k])) most = INFINITY;
  return most;
}

/* Of the water that is there: bed and depth of a wet cell together. */
static ria_status most_of_water(ria_sim *sim, double *most) {
  const size_t n = ria_grid_cells(&sim->grid);
  double *bed = malloc(2 * n * sizeof *bed), *depth = bed + n;
  *most = -INFINITY;
  if (!bed) return ria_fail_memory(sim->ctx, "depths", 2 * n * sizeof *bed);
  ria_status s = ria_field_read(sim, sim->roles.bed, false, RIA_F64, bed);
  if (s == RIA_OK) s = ria_field_read(sim, sim->roles.depth, false, RIA_F64, depth);
  for (size_t k = 0; s == RIA_OK && k < n; k++)
    if (depth[k] > sim->dry) *most = fmax(*most, bed[k] + depth[k]);
  free(bed);
  return s;
}

/* --- the ground of a disc --------------------------------------------------------------------- */

/* The deepest water in n cells, and their lowest bed. */
static ria_status look_at(ria_sim *sim, int n, const int32_t *cell, double *depth, double *bed) {
  const ria_sim_field *of[] = {sim->roles.depth, sim->roles.bed};
  double *v = malloc((size_t)n * sizeof *v);
  ria_status s = v ? RIA_OK : ria_fail_memory(sim->ctx, "cells of a spill", (size_t)n * sizeof *v);
  *depth = -INFINITY;
  *bed = INFINITY;
  for (int f = 0; f < 2 && s == RIA_OK; f++) {
    s = ria_ask_sample(sim, of[f]->index, of[f]->tracer, n, cell, v);
    for (int k = 0; k < n && s == RIA_OK; k++)
      if (f == 0)
        *depth = fmax(*depth, v[k]);
      else
        *bed = fmin(*bed, v[k]);
  }
  free(v);
  return s;
}

static ria_status say_nearest(ria_sim *sim, const ria_release *r, char *text, size_t size) {
  int i = 0, j = 0;
  double d = 0.0;
  RIA_TRY(ria_release_nearest(sim, r, &i, &j, &d));
  const ria_spot at = ria_cell_on_map(&sim->grid, i, j);
  if (d >= 0.0)
    ria_append(text, size, "; the nearest wet cell is %.4g m away at (%.10g, %.10g)", d, at.x,
               at.y);
  return RIA_OK;
}

/* Dry ground, its lowest bed at `bed`; no water stands or is to stand above `most`. */
static ria_status judge(ria_sim *sim, const ria_release *r, double bed, double most,
                        ria_ground *out, char *text, size_t size) {
  char place[96], time[64];
  const char *least = r->radius > 0.0 || r->area ? " at least" : "";
  ria_release_place(r, place, sizeof place);
  ria_start_tell(&sim->start, r->start, time, sizeof time);
  *out = bed > most ? RIA_GROUND_HIGH : RIA_GROUND_DRY;
  ria_format(text, size, "spill '%s'", r->name);
  if (r->start > sim->at.t) ria_append(text, size, " at %s", time);
  if (*out == RIA_GROUND_DRY) {
    ria_append(text, size,
               ": no water %s at the start, where the bed is%s %.4g m: the run fails unless water "
               "has come there by then",
               place, least, bed);
    return RIA_OK;
  }
  /* "at (x, y)" or "within r m of (x, y)": a level reaches the one and not the other */
  const bool bare = strncmp(place, "at ", 3) == 0 || strncmp(place, "in ", 3) == 0;
  const char *at = bare ? place + 3 : place;
  ria_append(text, size, ": no level given reaches %s, where the bed is%s %.4g m", at, least, bed);
  if (isfinite(most)) ria_append(text, size, " and the highest level is %.4g m", most);
  return say_nearest(sim, r, text, size);
}

static ria_status look(ria_sim *sim, const ria_release *r, ria_ground *out, char *text,
                       size_t size) {
  int32_t *cell = NULL;
  double depth = 0.0, bed = 0.0, most = 0.0;
  int n = 0;
  RIA_TRY(ria_release_disc(sim, r, &cell, &n));
  const ria_status s = look_at(sim, n, cell, &depth, &bed);
  free(cell);
  if (s != RIA_OK || depth > sim->dry) return s;
  RIA_TRY(most_of_water(sim, &most));
  return judge(sim, r, bed, fmax(most, most_of_forcing(sim, most)), out, text, size);
}

ria_status ria_sim_spill_ground(ria_sim *sim, const ria_spill_desc *desc, ria_ground *out,
                                char *text, size_t size) {
  ria_release *r = NULL;
  *out = RIA_GROUND_WET;
  if (size) text[0] = '\0';
  RIA_TRY(ria_release_describe(sim, desc, &r));
  const bool any = sim->roles.depth && sim->roles.bed && !ria_release_brings_water(sim, r);
  const ria_status s = any ? look(sim, r, out, text, size) : RIA_OK;
  ria_release_free(r);
  return s;
}

ria_status ria_sim_ground_at(ria_sim *sim, double x, double y, ria_ground *out, char *text,
                             size_t size) {
  char where[RIA_GRID_TEXT];
  double depth, bed, most;
  int i, j;
  *out = RIA_GROUND_WET;
  if (size) text[0] = '\0';
  if (!ria_grid_locate(&sim->grid, x, y, &i, &j))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "(%.10g, %.10g) lies outside the domain, %s", x, y,
                    ria_grid_tell(&sim->grid, where));
  if (!sim->roles.depth || !sim->roles.bed) return RIA_OK;
  const int32_t cell = j * sim->grid.nx + i;
  RIA_TRY(look_at(sim, 1, &cell, &depth, &bed));
  if (depth > sim->dry) return RIA_OK;
  RIA_TRY(most_of_water(sim, &most));
  most = fmax(most, most_of_forcing(sim, most));
  *out = bed > most ? RIA_GROUND_HIGH : RIA_GROUND_DRY;
  if (*out == RIA_GROUND_DRY) {
    ria_append(text, size, "no water at (%.10g, %.10g), where the bed is %.4g m", x, y, bed);
    return RIA_OK;
  }
  ria_append(text, size, "no level given reaches (%.10g, %.10g), where the bed is %.4g m", x, y,
             bed);
  if (isfinite(most)) ria_append(text, size, " and the highest level is %.4g m", most);
  return RIA_OK;
}
