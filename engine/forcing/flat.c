/* forcing/flat.c - all forcing made flat for the solver.
 *
 * Before the next step after any change, every value of every stretch and of every source that
 * runs becomes one entry of a single ria_forcing_table (entry 0 is the constant 0), and the whole
 * set is handed over. That costs as much as the series are long and happens at events only; in
 * return no part of a set can be out of step with another. */
#include "base/array.h"
#include "base/context.h"
#include "forcing/forcing.h"

#include <math.h>
#include <stdlib.h>

ria_status ria_forcing_build_value(ria_sim *sim, ria_forcing_build *b, const ria_own_value *v,
                                   int *id) {
  if (!v->series && v->constant == 0.0 && b->n > 0) {
    *id = 0;
    return RIA_OK;
  }
  RIA_TRY(ria_grow(sim->ctx, "forcing", &b->entry, &b->room, b->n + 1, sizeof *b->entry));
  ria_value view = ria_own_value_view(v);
  if (!view.series && isnan(view.constant)) /* not given, and the kind has no default: it is told */
    b->entry[b->n] = (ria_forcing){.kind = RIA_FORCING_CONSTANT, .base = NAN};
  else
    RIA_TRY(ria_value_flatten(sim->ctx, &view, &b->entry[b->n], &b->data));
  *id = (int)b->n++;
  return RIA_OK;
}

static ria_status build_stretch(ria_sim *sim, ria_forcing_build *b, const ria_bound *bound,
                                int stretch, ria_stretch *out) {
  out->kind = bound->kind;
  out->side = bound->side;
  for (int i = 0; i < RIA_BOUNDARY_VALUES; i++) {
    const size_t first = b->n_points;
    if (!bound->along[i].n) {
      RIA_TRY(ria_forcing_build_value(sim, b, &bound->value[i], &out->value[i]));
      continue;
    }
    RIA_TRY(ria_along_build(sim, b, &bound->along[i], stretch, i));
    out->value[i] = b->point[first].id;
  }
  for (int k = 0; k < RIA_MAX_TRACERS; k++)
    RIA_TRY(ria_forcing_build_value(sim, b, &bound->tracer[k], &out->tracer[k]));
  return RIA_OK;
}

static ria_status build_and_force(ria_sim *sim, ria_forcing_build *b, ria_stretch *stretch,
                                  int *varying) {
  ria_forcing_state *f = sim->forcing;
  int zero = 0;
  RIA_TRY(ria_forcing_build_value(sim, b, &(ria_own_value){0}, &zero));
  for (size_t i = 0; i < f->n; i++)
    RIA_TRY(build_stretch(sim, b, &f->bound[i], (int)i, &stretch[i]));
  RIA_TRY(ria_release_build(sim, b));
  RIA_TRY(ria_varying_build(sim, b, varying));
  RIA_TRY(ria_relax_build(sim, b));
  ria_forcing_set set = {
      .table = {.entry = b->entry, .data = b->data.v, .n = (int)b->n, .n_data = (int)b->data.n},
      .boundary = {.n = (int)f->n,
                   .stretch = stretch,
                   .point = b->point,
                   .n_points = (int)b->n_points},
      .n_sources = (int)b->n_sources,
      .sources = b->source,
      .varying = varying,
      .n_relax = (int)b->n_relax,
      .relax = b->relax,
  };
  for (int s = 0; s < RIA_SIDES; s++) set.boundary.owner[s] = f->map.owner[s];
  return ria_tell_force(sim, &set);
}

ria_status ria_forcing_sync(ria_sim *sim) {
  ria_forcing_state *f = sim->forcing;
  if (!sim->unforced) return RIA_OK;
  ria_forcing_build b = {0};
  ria_stretch *stretch = calloc(f->n, sizeof *stretch);
  int *varying = calloc((size_t)f->n_varying + 1, sizeof *varying);
  ria_status s = stretch && varying
                     ? build_and_force(sim, &b, stretch, varying)
                     : ria_fail_memory(sim->ctx, "boundaries", f->n * sizeof *stretch);
  free(stretch);
  free(varying);
  free(b.entry);
  free(b.source);
  free(b.point);
  free(b.relax);
  ria_doubles_free(&b.data);
  if (s != RIA_OK) return s;
  sim->unforced = false;
  sim->unprepared = true;
  return RIA_OK;
}
