/* forcing/covers.c - the span of time over which all forcing in use has values. */
#include "core/sim.h"
#include "forcing/forcing.h"
#include <math.h>
#include <stdio.h>

/* Only what is on a cell of the domain can be missed. */
static bool bound_in_use(const ria_forcing_state *f, size_t i) { return f->map.cells[i] > 0; }

static ria_status bound_covers(ria_sim *sim, const ria_bound *b, double t0, double t1) {
  const ria_boundary_kind *kind = &sim->solver->boundaries[b->kind];
  char what[160];
  for (int i = 0; i < RIA_BOUNDARY_VALUES && kind->values[i].name; i++) {
    ria_value v = ria_own_value_view(&b->value[i]);
    if (kind->values[i].curve) continue;
    snprintf(what, sizeof what, "%s of boundary '%s'", kind->values[i].name, b->name);
    RIA_TRY(ria_value_check_span(sim->ctx, &sim->start, &v, what, t0, t1));
    RIA_TRY(ria_along_covers(sim, b->side, &b->along[i], what, t0, t1));
  }
  for (int k = 0; k < sim->n_tracers; k++) {
    ria_value v = ria_own_value_view(&b->tracer[k]);
    snprintf(what, sizeof what, "concentration of '%s' at boundary '%s'", sim->tracers[k].name,
             b->name);
    RIA_TRY(ria_value_check_span(sim->ctx, &sim->start, &v, what, t0, t1));
  }
  return RIA_OK;
}

static ria_status release_covers(ria_sim *sim, const ria_release *r, double t0, double t1) {
  double from = fmax(t0, r->start), to = fmin(t1, r->stop);
  if (r->state == RIA_RELEASE_DONE || !(from <= to)) return RIA_OK;
  char what[160];
  ria_value rate = ria_own_value_view(&r->rate), flow = ria_own_value_view(&r->flow);
  snprintf(what, sizeof what, "rate of spill '%s'", r->name);
  RIA_TRY(ria_value_check_span(sim->ctx, &sim->start, &rate, what, from, to));
  snprintf(what, sizeof what, "flow of spill '%s'", r->name);
  return ria_value_check_span(sim->ctx, &sim->start, &flow, what, from, to);
}

ria_status ria_forcing_covers(ria_sim *sim, double t0, double t1) {
  const ria_forcing_state *f = sim->forcing;
  for (size_t i = 0; i < f->n; i++)
    if (bound_in_use(f, i)) RIA_TRY(bound_covers(sim, &f->bound[i], t0, t1));
  for (size_t i = 0; i < f->n_releases; i++) RIA_TRY(release_covers(sim, f->release[i], t0, t1));
  RIA_TRY(ria_relax_covers(sim, t0, t1));
  return ria_varying_covers(sim, t0, t1);
}

static double value_end(const ria_own_value *v, double end) {
  return v->series ? fmin(end, v->series->t1) : end;
}

double ria_forcing_cover_end(const ria_sim *sim) {
  const ria_forcing_state *f = sim->forcing;
  double end = fmin(ria_varying_cover_end(sim), ria_relax_cover_end(sim));
  for (size_t i = 0; i < f->n; i++) {
    if (!bound_in_use(f, i)) continue;
    const ria_boundary_kind *kind =
        sim->solver->boundaries ? &sim->solver->boundaries[f->bound[i].kind] : NULL;
    for (int k = 0; k < RIA_BOUNDARY_VALUES; k++) {
      if (kind && kind->values[k].curve) continue;
      end = value_end(&f->bound[i].value[k], end);
      end = ria_along_end(&f->bound[i].along[k], end);
    }
    for (int k = 0; k < RIA_MAX_TRACERS; k++) end = value_end(&f->bound[i].tracer[k], end);
  }
  for (size_t i = 0; i < f->n_releases; i++) {
    const ria_release *r = f->release[i];
    if (r->state == RIA_RELEASE_DONE) continue;
    double rate = value_end(&r->rate, INFINITY), flow = value_end(&r->flow, INFINITY);
    if (fmin(rate, flow) < r->stop) end = fmin(end, fmin(rate, flow));
  }
  return end;
}
