/* forcing/boundary_values.c - what a boundary is given: the values of its kind, also as a curve or
 * at points, and concentrations. A name that the kind does not have is told with those it has. */
#include "base/context.h"
#include "base/text.h"
#include "forcing/forcing.h"

#include <math.h>
#include <string.h>

/* --- names ------------------------------------------------------------------------------------ */

/* The first kind that has a value of that name, NULL: none has. */
static const ria_boundary_kind *kind_with(const ria_sim *sim, const char *name) {
  for (const ria_boundary_kind *kind = sim->solver->boundaries; kind->name; kind++)
    if (ria_kind_value(kind, name) >= 0) return kind;
  return NULL;
}

static ria_status fail_value_name(ria_sim *sim, const ria_boundary_kind *kind, const char *bound,
                                  const char *name) {
  const ria_boundary_kind *other = kind_with(sim, name);
  if (other)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "boundary '%s' is of the kind '%s', which takes no '%s': say kind = \"%s\" too",
                    bound, kind->name, name, other->name);
  ria_guess guess = ria_guess_start(name);
  char known[256] = "";
  for (int i = 0; i < RIA_BOUNDARY_VALUES && kind->values[i].name; i++) {
    ria_guess_try(&guess, kind->values[i].name);
    ria_append(known, sizeof known, "%s%s [%s]", i ? ", " : "", kind->values[i].name,
               kind->values[i].unit ? kind->values[i].unit : "");
  }
  if (!known[0])
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "boundary '%s': kind '%s' takes no values, '%s' was given", bound, kind->name,
                    name);
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "boundary '%s': kind '%s' has no value '%s'%s%s%s; it takes %s", bound,
                  kind->name, name, guess.name ? ": did you mean '" : "",
                  guess.name ? guess.name : "", guess.name ? "'?" : "", known);
}

/* --- values ----------------------------------------------------------------------------------- */

static bool value_given(const ria_value *v) { return v->series || v->constant != 0.0; }

static ria_status fail_curve(ria_sim *sim, const char *bound, const char *what, const char *why) {
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "boundary '%s': %s %s", bound, what, why);
}

/* Rows of a discharge and what belongs to it, from 0 on, both rising. */
static ria_status check_curve(ria_sim *sim, const char *bound, const char *what,
                              const ria_value *v) {
  const ria_series *s = v->series;
  if (!s || s->entry.kind != RIA_FORCING_LINEAR || s->entry.count < 2)
    return fail_curve(sim, bound, what,
                      "is a curve: two rows or more of {discharge, level}, or of a file");
  if (s->dates)
    return fail_curve(sim, bound, what,
                      "is a curve: its first column is a discharge, and here it holds dates");
  if (s->data[0] != 0.0)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "boundary '%s': %s begins at %.10g m^3/s: its first row is that of 0 m^3/s, "
                    "the level at which nothing leaves",
                    bound, what, s->data[0]);
  for (int k = 1; k < s->entry.count; k++) {
    const double rise = s->entry.scale * (s->data[2 * k + 1] - s->data[2 * k - 1]);
    if (!(rise > 0.0))
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                      "boundary '%s': %s does not rise from %.10g to %.10g m^3/s: more leaves at a "
                      "higher level",
                      bound, what, s->data[2 * k - 2], s->data[2 * k]);
  }
  if (s->entry.ramp > 0.0) return fail_curve(sim, bound, what, "is a curve: a ramp is of times");
  return RIA_OK;
}

static ria_status check_value(ria_sim *sim, const char *bound, const char *what,
                              const ria_value *v) {
  if (v->series || isfinite(v->constant)) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "boundary '%s': %s is not a finite number", bound,
                  what);
}

static ria_status fail_twice(ria_sim *sim, const ria_bound *b, const char *name) {
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "boundary '%s': '%s' is given twice", b->name, name);
}

/* A discharge at points has become pieces where a boundary is added; later it cannot. */
static bool is_discharge(const ria_sim *sim, const char *name) {
  const ria_boundary_kind *kind = kind_with(sim, name);
  const unsigned *may = sim->solver->boundary_points;
  const int at = kind ? ria_kind_value(kind, name) : 0;
  return kind && kind->values[at].dim == RIA_DIM_FLOW &&
         !(may && may[kind - sim->solver->boundaries] >> at & 1u);
}

static ria_status fail_divide(ria_sim *sim, const ria_bound *b, const ria_boundary_desc *desc,
                              const char *name) {
  for (size_t k = 0; k < desc->n_points; k++)
    if (desc->points[k].name && strcmp(desc->points[k].name, name) != 0)
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                      "boundary '%s': '%s' at points divides a boundary into pieces, and '%s' is "
                      "given at points, too: give each piece of the side a boundary of its own, "
                      "with `from` and `to`",
                      b->name, name, desc->points[k].name);
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "boundary '%s': '%s' at points divides a boundary into pieces, and that is done "
                  "only where it is added: give the points in ria.sim, then change its pieces, "
                  "'%s.1', '%s.2' ..., one by one",
                  b->name, name, b->name, b->name);
}

/* Values that the description gives at points. */
static ria_status bound_take_points(ria_sim *sim, ria_bound *b, const ria_place *place,
                                    const ria_boundary_desc *desc,
                                    bool given[RIA_BOUNDARY_VALUES]) {
  const ria_boundary_kind *kind = &sim->solver->boundaries[b->kind];
  const unsigned *may = sim->solver->boundary_points;
  for (size_t k = 0; k < desc->n_points; k++) {
    const char *name = desc->points[k].name ? desc->points[k].name : "";
    const int at = ria_kind_value(kind, name);
    if (is_discharge(sim, name)) return fail_divide(sim, b, desc, name);
    if (at < 0) return fail_value_name(sim, kind, b->name, name);
    if (b->along[at].n) continue;
    if (given[at]) return fail_twice(sim, b, name);
    if (!may || !(may[b->kind] >> at & 1u))
      return ria_fail(
          sim->ctx, RIA_ERR_ARGUMENT,
          "boundary '%s': '%s' of kind '%s' is one for the whole boundary: it cannot "
          "differ along it; give each piece of the side a boundary of its own, with `from` "
          "and `to`",
          b->name, name, kind->name);
    RIA_TRY(ria_along_take(sim, b->name, place, desc, name, &b->along[at]));
    given[at] = true;
  }
  return RIA_OK;
}

ria_status ria_bound_take_values(ria_sim *sim, ria_bound *b, const ria_bound *keep,
                                 const ria_place *place, const ria_boundary_desc *desc) {
  const ria_boundary_kind *kind = &sim->solver->boundaries[b->kind];
  bool given[RIA_BOUNDARY_VALUES] = {false};
  for (int i = 0; i < RIA_BOUNDARY_VALUES; i++) {
    const ria_boundary_value *v = &desc->values[i];
    if (!v->name) continue;
    int at = ria_kind_value(kind, v->name);
    if (at < 0) return fail_value_name(sim, kind, b->name, v->name);
    if (given[at]) return fail_twice(sim, b, v->name);
    RIA_TRY(check_value(sim, b->name, v->name, &v->value));
    if (kind->values[at].curve) RIA_TRY(check_curve(sim, b->name, v->name, &v->value));
    const ria_status s = ria_own_value_set(sim, &b->value[at], &v->value);
    if (s != RIA_OK) return ria_fail_more(sim->ctx, s, "boundary '%s': %s", b->name, v->name);
    given[at] = true;
  }
  RIA_TRY(bound_take_points(sim, b, place, desc, given));
  for (int i = 0; i < RIA_BOUNDARY_VALUES && kind->values[i].name; i++) {
    if (given[i]) continue;
    if (kind->values[i].required && !keep)
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "boundary '%s': kind '%s' needs '%s' [%s]",
                      b->name, kind->name, kind->values[i].name,
                      kind->values[i].unit ? kind->values[i].unit : "");
    ria_value v = {.constant = kind->values[i].def};
    if (keep) v = ria_own_value_view(&keep->value[i]);
    RIA_TRY(ria_own_value_set(sim, &b->value[i], &v));
    if (keep && keep->along[i].n) RIA_TRY(ria_along_copy(sim, &keep->along[i], &b->along[i]));
  }
  return RIA_OK;
}

ria_status ria_bound_take_tracers(ria_sim *sim, ria_bound *b, const ria_bound *keep,
                                  const ria_boundary_desc *desc) {
  const ria_boundary_kind *kind = &sim->solver->boundaries[b->kind];
  for (int k = 0; k < RIA_MAX_TRACERS; k++) {
    bool given = value_given(&desc->tracers[k]) || (desc->tracers_given >> k & 1u);
    if (given && k >= sim->n_tracers)
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                      "boundary '%s': a concentration of tracer %d, but there are %d tracers",
                      b->name, k, sim->n_tracers);
    if (k >= sim->n_tracers) break;
    if (given && !kind->carries)
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                      "boundary '%s': nothing flows in through kind '%s', so it takes no "
                      "concentration of '%s'",
                      b->name, kind->name, sim->tracers[k].name);
    RIA_TRY(check_value(sim, b->name, sim->tracers[k].name, &desc->tracers[k]));
    if (ria_value_is_negative(&desc->tracers[k]))
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                      "boundary '%s': the concentration of '%s' is negative: it must be 0 or more",
                      b->name, sim->tracers[k].name);
    ria_value v = desc->tracers[k];
    if (!given && keep && kind->carries) v = ria_own_value_view(&keep->tracer[k]);
    RIA_TRY(ria_own_value_set(sim, &b->tracer[k], &v));
  }
  return RIA_OK;
}
