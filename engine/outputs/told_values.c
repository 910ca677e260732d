/* outputs/told_values.c - what boundaries and spills were given, for run.json and the page.
 *
 * A number stands as it is. What changes in time is told in words, short but such that two series
 * that differ are hardly told alike. */
#include "outputs/told_values.h"
#include "base/context.h"
#include "base/text.h"
#include "core/sim.h"
#include "outputs/sink.h"

#include <math.h>

enum { TOLD = 192 };

/* Pairs (t, v), or of a curve (x, v). */
static void tell_pairs(const ria_series *s, double factor, char *to, size_t size) {
  const ria_forcing *f = &s->entry;
  const int n = f->count;
  double least = INFINITY, most = -INFINITY, sum = 0.0;
  for (int k = 0; k < n; k++) {
    const double v = factor * (f->base + f->scale * s->data[2 * k + 1]);
    least = fmin(least, v);
    most = fmax(most, v);
    sum += v;
  }
  ria_format(to, size, "%d points from %.9g to %.9g: %.6g to %.6g, mean %.6g", n, s->data[0],
             s->data[2 * n - 2], least, most, sum / n);
}

static void tell_tide(const ria_series *s, double factor, char *to, size_t size) {
  double sum = 0.0;
  for (int k = 0; k < s->entry.count; k++) sum += fabs(s->entry.scale * s->data[3 * k + 1]);
  ria_format(to, size, "tide about %.6g: amplitudes of %d constituent%s %.6g in all, %.6g at t = 0",
             factor * s->entry.base, s->entry.count, ria_plural(s->entry.count), factor * sum,
             factor * ria_series_at(s, 0.0));
}

void ria_told_value(ria_json *j, const char *key, const ria_own_value *v, double factor) {
  const ria_series *s = v->series;
  const int kind = s ? s->entry.kind : RIA_FORCING_CONSTANT;
  char text[TOLD];
  if (kind == RIA_FORCING_CONSTANT) {
    ria_json_number(j, key, factor * (s ? s->entry.base : v->constant));
    return;
  }
  if (kind == RIA_FORCING_TIDE)
    tell_tide(s, factor, text, sizeof text);
  else
    tell_pairs(s, factor, text, sizeof text);
  ria_json_text(j, key, text);
}

/* Those of its points that are the first and the last from south or west. */
static void told_along(ria_json *j, const char *key, const ria_side_values *a) {
  ria_json_open(j, key, '{');
  ria_json_integer(j, "points", (int64_t)a->n);
  ria_told_value(j, "first", &a->point[0].value, 1.0);
  ria_told_value(j, "last", &a->point[a->n - 1].value, 1.0);
  ria_json_close(j);
}

void ria_told_boundary(ria_json *j, const ria_sim *sim, const ria_bound *b) {
  const ria_boundary_kind *kind =
      sim->solver->boundaries ? &sim->solver->boundaries[b->kind] : NULL;
  if (!kind) return;
  ria_json_open(j, "given", '{');
  for (int k = 0; k < RIA_BOUNDARY_VALUES && kind->values[k].name; k++) {
    const ria_own_value *v = &b->value[k];
    if (b->along[k].n)
      told_along(j, kind->values[k].name, &b->along[k]);
    else if (v->series || isfinite(v->constant)) /* else the solver's own choice */
      ria_told_value(j, kind->values[k].name, v, 1.0);
  }
  for (int k = 0; kind->carries && k < sim->n_tracers; k++)
    if (b->tracer[k].series || b->tracer[k].constant != 0.0)
      ria_told_value(j, sim->tracers[k].name, &b->tracer[k], 1.0);
  ria_json_close(j);
}

void ria_told_spill(ria_json *j, const ria_sim *sim, const ria_release *r) {
  ria_json_open(j, "given", '{');
  if (r->mass > 0.0)
    ria_json_number(j, "amount", r->mass);
  else
    ria_told_value(j, "rate", &r->rate, ria_quantity_amount(sim, r->quantity, 1.0));
  if (r->has_flow) ria_told_value(j, "flow", &r->flow, 1.0);
  ria_json_close(j);
}
