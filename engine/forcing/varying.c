/* forcing/varying.c - parameters of a solver that may follow a series.
 *
 * Those are the rows of its table of type RIA_VARYING. Constant or not, their values reach the
 * solver with the forcing, in the order of the table (ria_forcing_set.varying). */
#include "base/context.h"
#include "core/params.h"
#include "core/sim.h"
#include "base/text.h"
#include "forcing/forcing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- one value -------------------------------------------------------------------------------- */

/* A direction between two knots of a table turns the shorter way: from 350 to 10 degrees by 20. */
static void turn_shortest(ria_series *s) {
  const ria_forcing *f = &s->entry;
  const double circle = 360.0 / f->scale;
  for (int k = 1; f->kind == RIA_FORCING_LINEAR && k < f->count; k++) {
    double *v = &s->data[2 * k + 1];
    *v -= circle * round((*v - v[-2]) / circle);
  }
}

/* Every knot of a table must be what the parameter may be; a tide is not asked. */
static ria_status check_series(ria_sim *sim, const ria_param_info *info, const ria_series *s) {
  const ria_forcing *f = &s->entry;
  if (f->kind == RIA_FORCING_CONSTANT)
    return ria_param_check(sim->ctx, sim->solver->name, info, f->base);
  for (int k = 0; f->kind != RIA_FORCING_TIDE && k < f->count; k++) {
    const double v = f->base + f->scale * s->data[2 * k + 1];
    const ria_status status = ria_param_check(sim->ctx, sim->solver->name, info, v);
    if (status != RIA_OK) return ria_fail_more(sim->ctx, status, "row %d of a series", k + 1);
  }
  return RIA_OK;
}

static ria_status take_series(ria_sim *sim, ria_varying *v, const ria_value *value) {
  RIA_TRY(check_series(sim, v->info, value->series));
  RIA_TRY(ria_own_value_set(sim, &v->value, value));
  if (v->info->dim == RIA_DIM_ANGLE) turn_shortest(v->value.series);
  return RIA_OK;
}

/* --- by name ---------------------------------------------------------------------------------- */

static ria_varying *find(const ria_sim *sim, const ria_param_info *info) {
  for (int k = 0; k < sim->forcing->n_varying; k++)
    if (sim->forcing->varying[k].info == info) return &sim->forcing->varying[k];
  return NULL;
}

static ria_status fail_fixed(ria_sim *sim, const char *name) {
  char known[256] = "";
  for (int k = 0; k < sim->forcing->n_varying; k++)
    ria_append(known, sizeof known, "%s%s", k ? ", " : "", sim->forcing->varying[k].info->name);
  if (!*known)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "parameter '%s' of %s cannot change in time: none of its parameters can", name,
                    sim->solver->name);
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "parameter '%s' of %s cannot change in time: those that can are %s", name,
                  sim->solver->name, known);
}

ria_status ria_sim_vary(ria_sim *sim, const char *name, const ria_value *value) {
  const ria_solver *solver = sim->solver;
  double unused;
  if (!value) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a parameter needs a value: it is NULL");
  RIA_TRY(ria_params_get(sim->ctx, solver->name, solver->params, sim->params, name, &unused));
  ria_varying *v = find(sim, ria_param_find(solver->params, name));
  if (!v) return fail_fixed(sim, name);
  if (value->series) {
    RIA_TRY(take_series(sim, v, value));
  } else {
    const ria_setting setting = {name, value->constant, NULL};
    RIA_TRY(ria_params_set(sim->ctx, solver->name, solver->params, &setting, sim->params));
    RIA_TRY(ria_own_value_set(sim, &v->value, value));
  }
  sim->unforced = true;
  return RIA_OK;
}

double ria_varying_now(const ria_sim *sim, const ria_param_info *info) {
  const ria_varying *v = find(sim, info);
  return v && v->value.series ? ria_series_at(v->value.series, sim->at.t)
                              : ria_param_value(info, sim->params);
}

bool ria_varying_follows(const ria_sim *sim, const ria_param_info *info) {
  const ria_varying *v = find(sim, info);
  return v && v->value.series;
}

/* --- all of them ------------------------------------------------------------------------------ */

ria_status ria_varying_init(ria_sim *sim) {
  ria_forcing_state *f = sim->forcing;
  const ria_param_info *table = sim->solver->params;
  size_t n = 0;
  for (const ria_param_info *p = table; p && p->name; p++) n += p->type == RIA_VARYING;
  f->varying = calloc(n + 1, sizeof *f->varying);
  if (!f->varying) return ria_fail_memory(sim->ctx, "parameters", (n + 1) * sizeof *f->varying);
  for (const ria_param_info *p = table; p && p->name; p++)
    if (p->type == RIA_VARYING)
      f->varying[f->n_varying++] =
          (ria_varying){p, {.constant = ria_param_value(p, sim->params), .series = NULL}};
  return RIA_OK;
}

void ria_varying_free(ria_sim *sim) {
  ria_forcing_state *f = sim->forcing;
  for (int k = 0; k < f->n_varying; k++) ria_own_value_clear(&f->varying[k].value);
  free(f->varying);
  f->varying = NULL;
  f->n_varying = 0;
}

ria_status ria_varying_build(ria_sim *sim, ria_forcing_build *b, int *id) {
  for (int k = 0; k < sim->forcing->n_varying; k++)
    RIA_TRY(ria_forcing_build_value(sim, b, &sim->forcing->varying[k].value, &id[k]));
  return RIA_OK;
}

ria_status ria_varying_covers(ria_sim *sim, double t0, double t1) {
  char what[80];
  for (int k = 0; k < sim->forcing->n_varying; k++) {
    const ria_varying *v = &sim->forcing->varying[k];
    const ria_value value = ria_own_value_view(&v->value);
    snprintf(what, sizeof what, "parameter '%s'", v->info->name);
    RIA_TRY(ria_value_check_span(sim->ctx, &sim->start, &value, what, t0, t1));
  }
  return RIA_OK;
}

double ria_varying_cover_end(const ria_sim *sim) {
  double end = INFINITY;
  for (int k = 0; k < sim->forcing->n_varying; k++) {
    const ria_series *s = sim->forcing->varying[k].value.series;
    if (s) end = fmin(end, s->t1);
  }
  return end;
}
