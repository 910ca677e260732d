/* outputs/gauge_rows.c - what gauges record: rows at the times that the simulation stands at, and
 * rows between two steps.
 *
 * Unless asked to be exact, gauges shorten no step. The solver ends a span before the step that
 * would pass over the next time of a group (ria_span.t_watch); the state there is sampled, one step
 * taken, the state after it sampled too, and every time between the two gets a row that is linear
 * between them:
 *
 *   ria_gauges_watch   where the solver is to end its span; after one step, if anything waits
 *   ria_gauges_look    it did: sample, and wait for one step
 *   ria_gauges_pass    the step is done: sample, write the rows
 *
 * Where steps land on a time of a group for another reason, its row belongs to the round of events
 * there, after those that change the flow, and is not between any states.
 *
 * A row goes to the file's job and into the history. Once a group has written its header its
 * columns are fixed. */
#include "base/context.h"
#include "outputs/gauges.h"
#include <math.h>
#include <string.h>

static const size_t history_max = (size_t)512 << 20; /* bytes of one group */
enum { BETWEEN_MOST = 1000000 }; /* rows between two steps; a dry model takes steps of days */

/* --- files ------------------------------------------------------------------------------------ */

static ria_status csv_begin(ria_sim *sim, ria_gauge_group *g) {
  ria_columns columns;
  RIA_TRY(ria_gauge_columns(sim, g, &columns));
  ria_status s = ria_outputs_claim(sim, RIA_RESULT_GAUGES, g->file);
  if (s == RIA_OK)
    s = ria_table_create(sim, g->file, &columns, g->period, g->period > 0.0, &g->csv);
  ria_columns_free(&columns);
  return s;
}

static ria_status row_begin(ria_sim *sim, const ria_gauge_group *g, ria_doubles *row) {
  row->n = 0;
  return ria_doubles_append(sim->ctx, row, NULL, g->columns);
}

/* From the first row on the columns are fixed. */
static ria_status group_begin(ria_sim *sim, ria_gauge_group *g) {
  if (g->begun) return RIA_OK;
  if (sim->outputs->writer && !g->csv) RIA_TRY(csv_begin(sim, g));
  RIA_TRY(row_begin(sim, g, &g->row));
  g->begun = true;
  return RIA_OK;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* The present state into row[columns]. */
static ria_status sample(ria_sim *sim, const ria_gauge_group *g, double *row) {
  row[0] = sim->at.t;
  for (size_t i = 0; i < g->n; i++)
    if (g->gauges[i].section)
      RIA_TRY(ria_section_sample(sim, g->gauges[i].section, row + g->gauges[i].section->column));
  for (size_t f = 0; f < g->n_fields; f++) {
    const ria_gauge_field *gf = &g->fields[f];
    RIA_TRY(
        ria_ask_sample(sim, gf->field->index, gf->field->tracer, (int)gf->n, gf->cell, gf->value));
    for (size_t k = 0; k < gf->n; k++)
      row[gf->column[k]] = ria_is_left_out(sim, (size_t)gf->cell[k]) ? NAN : gf->value[k];
  }
  return RIA_OK;
}

static void blank_cancelled(const ria_sim *sim, const ria_gauge_group *g, double *row) {
  for (size_t i = 0; i < g->n; i++)
    for (int k = 0; g->gauges[i].cancelled && g->gauges[i].section && k <= sim->n_tracers; k++)
      row[g->gauges[i].section->column + (size_t)k] = NAN;
  for (size_t f = 0; f < g->n_fields; f++)
    for (size_t k = 0; k < g->fields[f].n; k++)
      if (g->gauges[g->fields[f].gauge[k]].cancelled) row[g->fields[f].column[k]] = NAN;
}

static ria_status remember_row(ria_sim *sim, ria_gauge_group *g) {
  if ((g->history.n + g->columns) * sizeof(double) > history_max) g->forgets = true;
  if (g->forgets) return RIA_OK;
  return ria_doubles_append(sim->ctx, &g->history, g->row.v, g->columns);
}

/* The row that was made is the one at t. */
static ria_status put_row(ria_sim *sim, ria_gauge_group *g, double t) {
  g->row.v[0] = t;
  blank_cancelled(sim, g, g->row.v);
  RIA_TRY(remember_row(sim, g));
  if (g->csv) RIA_TRY(ria_csv_append(g->csv, g->row.v, 1));
  g->rows++;
  return RIA_OK;
}

static bool is_present(const ria_sim *sim, const ria_gauge_sample *s) {
  return s->row.n && s->steps == sim->at.steps && s->edits == sim->edits;
}

/* The present state, unless that is what the sample holds already. */
static ria_status take_sample(ria_sim *sim, const ria_gauge_group *g, ria_gauge_sample *s) {
  if (is_present(sim, s)) return RIA_OK;
  RIA_TRY(row_begin(sim, g, &s->row));
  ria_status status = sample(sim, g, s->row.v);
  if (status != RIA_OK) s->row.n = 0;
  s->steps = sim->at.steps;
  s->edits = sim->edits;
  return status;
}

ria_status ria_gauge_fire(ria_sim *sim, const ria_event_info *info, void *user) {
  ria_gauge_group *g = user;
  if (!g->n) return RIA_OK;
  RIA_TRY(group_begin(sim, g));
  RIA_TRY(take_sample(sim, g, &g->before));
  memcpy(g->row.v, g->before.row.v, g->columns * sizeof *g->row.v);
  RIA_TRY(put_row(sim, g, info->t));
  return ria_budget_row_due(sim);
}

/* --- times that steps pass over --------------------------------------------------------------- */

/* Linear in time. A value that is none on one side (dry ground) cannot be weighed: the nearer. */
static double between(double a, double b, double w) {
  if (isnan(a) || isnan(b)) return w < 0.5 ? a : b;
  return w < 1.0 ? a + w * (b - a) : b;
}

static ria_status put_between(ria_sim *sim, ria_gauge_group *g, double t) {
  const double *a = g->before.row.v, *b = g->after.row.v;
  const double w = fmax(0.0, fmin(1.0, (t - a[0]) / (b[0] - a[0])));
  for (size_t c = 1; c < g->columns; c++) g->row.v[c] = between(a[c], b[c], w);
  return put_row(sim, g, t);
}

/* The next time of a group that steps may pass over; INFINITY: none. */
static double next_of(const ria_sim *sim, const ria_gauge_group *g) {
  return g->exact || !g->event || !g->n ? INFINITY : ria_queue_time(sim, g->event);
}

static bool waits(const ria_sim *sim, const ria_gauge_group *g) {
  return g->waits && is_present(sim, &g->before);
}

void ria_gauges_watch(const ria_sim *sim, const void *self, ria_span *span) {
  const ria_gauges *all = self;
  for (const ria_gauge_group *g = all->groups; g; g = g->next)
    if (waits(sim, g))
      span->max_steps = 1;
    else
      span->t_watch = fmin(span->t_watch, next_of(sim, g));
}

ria_status ria_gauges_look(ria_sim *sim, void *self, double t) {
  const ria_gauges *all = self;
  for (ria_gauge_group *g = all->groups; g; g = g->next) {
    if (!(next_of(sim, g) <= t)) continue;
    RIA_TRY(group_begin(sim, g));
    RIA_TRY(take_sample(sim, g, &g->before));
    g->waits = true;
  }
  return RIA_OK;
}

/* More rows than anyone reads would take all day: told before the first is written, where the step
 * tells. Late in a run an interval may be nothing beside t itself. */
static ria_status check_passed(const ria_sim *sim, const ria_gauge_group *g, int rows) {
  if (rows < BETWEEN_MOST && sim->at.dt <= BETWEEN_MOST * g->period) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "%s: every %g s a row, more than %d between two steps (at t = %g s dt is %g s): "
                  "give a longer `every`, or bound the step",
                  g->file, g->period, (int)BETWEEN_MOST, sim->at.t, sim->at.dt);
}

/* The rows of a group up to `end`; `before` is of the state a step ago. */
static ria_status put_passed(ria_sim *sim, ria_gauge_group *g, double end) {
  int rows = 0;
  RIA_TRY(take_sample(sim, g, &g->after));
  for (double t; (t = next_of(sim, g)) <= end;) {
    RIA_TRY(check_passed(sim, g, rows++));
    RIA_TRY(put_between(sim, g, t));
    ria_queue_move_on(sim, g->event);
  }
  const ria_gauge_sample kept = g->before;
  g->before = g->after;
  g->after = kept;
  /* A guess: were it wrong, a single step more is taken alone. */
  g->waits = next_of(sim, g) <= sim->at.t + sim->at.dt;
  return ria_budget_row_due(sim);
}

ria_status ria_gauges_pass(ria_sim *sim, void *self, bool landed) {
  const ria_gauges *all = self;
  const double slack = ria_time_slack(sim->at.t);
  const double end = landed ? nextafter(sim->at.t - slack, -INFINITY) : sim->at.t + slack;
  for (ria_gauge_group *g = all->groups; g; g = g->next) {
    const double t = next_of(sim, g);
    const bool ready = g->waits && g->before.row.n && g->before.steps + 1 == sim->at.steps &&
                       g->before.edits == sim->edits;
    if (g->before.steps < sim->at.steps) g->waits = false;
    if (!(t <= end)) continue;
    if (!ready && t >= sim->at.t - slack) continue; /* the step ended beside it: the next begins */
    if (!ready)
      return ria_fail(sim->ctx, RIA_ERR_NUMERICAL,
                      "solver '%s' stepped over t = %.10g s, which it was to watch",
                      sim->solver->name, t);
    RIA_TRY(put_passed(sim, g, end));
  }
  return RIA_OK;
}
