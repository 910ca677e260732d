/* outputs/gauge_history.c - what a gauge or a section has recorded so far. */
#include "base/context.h"
#include "base/text.h"
#include "outputs/gauges.h"
#include <string.h>

static ria_status fail_gauge(ria_sim *sim, const char *name) {
  const ria_gauges *all = ria_sink_state(sim, &ria_gauges_sink);
  ria_guess guess = ria_guess_start(name);
  for (const ria_gauge_group *g = all->groups; g; g = g->next)
    for (size_t i = 0; i < g->n; i++) ria_guess_try(&guess, g->gauges[i].name);
  return ria_fail_guess(sim->ctx, &guess, NULL, "no gauge is named '%s'", name);
}

/* The column of a gauge's field in a row of its group; 0 when it has none. */
static size_t column_of(const ria_gauge_group *g, size_t gauge_index, const ria_sim_field *f) {
  for (size_t k = 0; k < g->n_fields; k++) {
    const ria_gauge_field *gf = &g->fields[k];
    for (size_t m = 0; gf->field == f && m < gf->n; m++)
      if (gf->gauge[m] == gauge_index) return gf->column[m];
  }
  return 0;
}

static size_t section_column_of(const ria_sim *sim, const ria_gauge *one, const char *field) {
  for (size_t k = 0; field && k <= (size_t)sim->n_tracers; k++)
    if (strcmp(ria_section_column(sim, k), field) == 0) return one->section->column + k;
  return 0;
}

static ria_status fail_section_column(ria_sim *sim, const char *name, const char *field) {
  ria_guess guess = ria_guess_start(field ? field : "");
  for (size_t k = 0; k <= (size_t)sim->n_tracers; k++)
    ria_guess_try(&guess, ria_section_column(sim, k));
  return ria_fail_guess(sim->ctx, &guess, NULL, "section '%s' does not record '%s'", name,
                        field ? field : "");
}

static ria_status gather(ria_sim *sim, ria_gauge_group *g, size_t column) {
  size_t rows = (size_t)g->rows;
  g->t.n = g->v.n = 0;
  RIA_TRY(ria_doubles_append(sim->ctx, &g->t, NULL, rows));
  RIA_TRY(ria_doubles_append(sim->ctx, &g->v, NULL, rows));
  for (size_t r = 0; r < rows; r++) {
    g->t.v[r] = g->history.v[r * g->columns];
    g->v.v[r] = g->history.v[r * g->columns + column];
  }
  return RIA_OK;
}

ria_status ria_sim_gauge_history(ria_sim *sim, const char *name, const char *field,
                                 const double **t, const double **v, size_t *n) {
  ria_sim_field *f = NULL;
  if (!name) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a history needs the name of a gauge");
  ria_gauge_group *g = NULL;
  const ria_gauge *one = ria_gauge_named(sim, name, &g);
  if (!one) return fail_gauge(sim, name);
  if (!one->section) RIA_TRY(ria_field_find(sim, field, &f));
  const size_t column = one->section ? section_column_of(sim, one, field)
                                     : column_of(g, (size_t)(one - g->gauges), f);
  if (!column && one->section) return fail_section_column(sim, name, field);
  if (!column)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "gauge '%s' does not record '%s'", name, f->name);
  if (g->forgets)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "the history of gauge '%s' and its %zu neighbours has outgrown memory: read %s",
                    name, g->n - 1, g->file);
  RIA_TRY(gather(sim, g, column));
  *t = g->t.v;
  *v = g->v.v;
  *n = (size_t)g->rows;
  return RIA_OK;
}
