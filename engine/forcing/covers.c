/* forcing/covers.c - the span of time over which all forcing in use has values. */
#include "base/context.h"
#include "base/text.h"
#include "core/sim.h"
#include "forcing/forcing.h"
#include <math.h>
#include <stdio.h>

/* Only what is on a cell of the domain can be missed. */
static bool bound_in_use(const ria_forcing_state *f, size_t i) { return f->map.cells[i] > 0; }

/* A look at all forcing. text: NULL, and the first that is missing is the error, or where a line of
 * each is kept. */
typedef struct look {
  ria_sim *sim;
  double t0, t1;
  char *text;
  size_t size, missing;
} look;

static ria_status note(look *l, ria_status s) {
  if (s != RIA_ERR_ARGUMENT || !l->text) return s;
  ria_append(l->text, l->size, "%s%s", l->missing++ ? "\n" : "", ria_error(l->sim->ctx));
  return RIA_OK;
}

static ria_status value_covers(look *l, const ria_own_value *own, const char *what) {
  const ria_value v = ria_own_value_view(own);
  return note(l, ria_value_check_span(l->sim->ctx, &l->sim->start, &v, what, l->t0, l->t1));
}

static ria_status bound_covers(look *l, const ria_bound *b) {
  ria_sim *sim = l->sim;
  const ria_boundary_kind *kind = &sim->solver->boundaries[b->kind];
  char what[160];
  for (int i = 0; i < RIA_BOUNDARY_VALUES && kind->values[i].name; i++) {
    if (kind->values[i].curve) continue;
    snprintf(what, sizeof what, "%s of boundary '%s'", kind->values[i].name, b->name);
    RIA_TRY(value_covers(l, &b->value[i], what));
    RIA_TRY(note(l, ria_along_covers(sim, b->side, &b->along[i], what, l->t0, l->t1)));
  }
  for (int k = 0; k < sim->n_tracers; k++) {
    snprintf(what, sizeof what, "concentration of '%s' at boundary '%s'", sim->tracers[k].name,
             b->name);
    RIA_TRY(value_covers(l, &b->tracer[k], what));
  }
  return RIA_OK;
}

static ria_status release_covers(look *l, const ria_release *r) {
  look of = *l; /* while it is released */
  of.t0 = fmax(l->t0, r->start), of.t1 = fmin(l->t1, r->stop);
  if (r->state == RIA_RELEASE_DONE || !(of.t0 <= of.t1)) return RIA_OK;
  char what[160];
  snprintf(what, sizeof what, "rate of spill '%s'", r->name);
  ria_status s = value_covers(&of, &r->rate, what);
  snprintf(what, sizeof what, "flow of spill '%s'", r->name);
  if (s == RIA_OK) s = value_covers(&of, &r->flow, what);
  l->missing = of.missing;
  return s;
}

static ria_status look_at_all(look *l) {
  const ria_forcing_state *f = l->sim->forcing;
  for (size_t i = 0; i < f->n; i++)
    if (bound_in_use(f, i)) RIA_TRY(bound_covers(l, &f->bound[i]));
  for (size_t i = 0; i < f->n_releases; i++) RIA_TRY(release_covers(l, f->release[i]));
  RIA_TRY(note(l, ria_relax_covers(l->sim, l->t0, l->t1)));
  return note(l, ria_varying_covers(l->sim, l->t0, l->t1));
}

ria_status ria_forcing_covers(ria_sim *sim, double t0, double t1) {
  return look_at_all(&(look){.sim = sim, .t0 = t0, .t1 = t1});
}

ria_status ria_sim_uncovered(ria_sim *sim, double t_end, char *text, size_t size, size_t *n) {
  *n = 0;
  if (!size) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "ria_sim_uncovered: no room for a text");
  text[0] = '\0';
  look l = {.sim = sim, .t0 = sim->at.t, .t1 = t_end, .text = text, .size = size};
  const ria_status s = isfinite(t_end) ? look_at_all(&l) : RIA_OK;
  *n = l.missing;
  return s;
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
