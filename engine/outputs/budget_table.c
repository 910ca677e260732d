/* outputs/budget_table.c - budget.csv: the account of each quantity as the run goes on. */
#include "outputs/sink.h"
#include "outputs/tables.h"
#include <math.h>
#include <stdio.h>

#define RIA_BUDGET_FILE "budget.csv"
enum {
  RIA_BUDGET_COLUMNS = 6, /* of each quantity */
  RIA_BUDGET_ROWS = 1000
};

typedef struct budget_state {
  ria_csv *csv;
  double period; /* s; 0 = with gauges and saves */
  double last;   /* time of the last row; -INFINITY: none */
  int64_t rows;
  ria_handle event;
} budget_state;

static budget_state *state_of(const ria_sim *sim) { return ria_sink_state(sim, &ria_budget_sink); }

/* --- rows ------------------------------------------------------------------------------------- */

static ria_status budget_columns(ria_sim *sim, ria_columns *out) {
  static const char *const parts[RIA_BUDGET_COLUMNS] = {"stored",  "inflow",  "outflow",
                                                        "sources", "decayed", "residual"};
  char text[RIA_NAME_MAX + 16];
  RIA_TRY(ria_columns_make(sim, 1 + (size_t)sim->n_quantities * RIA_BUDGET_COLUMNS, out));
  for (int q = 0; q < sim->n_quantities; q++) {
    for (int k = 0; k < RIA_BUDGET_COLUMNS; k++) {
      snprintf(text, sizeof text, "%s_%s", ria_quantity_name(sim, q), parts[k]);
      ria_column_set(out, 1 + (size_t)(q * RIA_BUDGET_COLUMNS + k), text,
                     ria_quantity_unit(sim, q));
    }
  }
  return ria_columns_check(sim, out);
}

static ria_status budget_create(ria_sim *sim, budget_state *b) {
  ria_columns columns;
  RIA_TRY(budget_columns(sim, &columns));
  const ria_status s = ria_table_create(sim, RIA_BUDGET_FILE, &columns, b->period, false, &b->csv);
  ria_columns_free(&columns);
  return s;
}

static ria_status budget_row(ria_sim *sim, void *self) {
  budget_state *b = self;
  ria_budget_row rows[RIA_QUANTITIES];
  double values[1 + RIA_QUANTITIES * RIA_BUDGET_COLUMNS] = {sim->at.t};
  double *v = values + 1;
  if (!b->csv || b->last == sim->at.t) return RIA_OK;
  RIA_TRY(ria_budget_rows(sim, rows));
  for (int q = 0; q < sim->n_quantities; q++) {
    const ria_budget_row *r = &rows[q];
    *v++ = r->stored, *v++ = r->inflow, *v++ = r->outflow;
    *v++ = r->sources, *v++ = r->decayed, *v++ = r->residual;
  }
  RIA_TRY(ria_csv_append(b->csv, values, 1));
  b->last = sim->at.t;
  b->rows++;
  return RIA_OK;
}

static ria_status budget_fire(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  (void)user;
  return ria_rooted(sim, budget_row, state_of(sim), "the budget is written");
}

ria_status ria_sim_budget_every(ria_sim *sim, double period) {
  budget_state *b = state_of(sim);
  ria_action action = {.fn = budget_fire, .phase = RIA_PHASE_OUTPUT};
  ria_handle event = 0;
  if (!(period >= 0.0) || !isfinite(period))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "the period of the budget is %g s", period);
  if (period > 0.0) RIA_TRY(ria_sim_every(sim, period, -1.0, 0.0, &action, &event));
  if (b->event) ria_queue_cancel(sim, b->event);
  b->event = event;
  b->period = period;
  return RIA_OK;
}

/* Totals are sums over the whole grid: no more of them than a run's chart can show. */
static ria_status row_due(ria_sim *sim, void *self) {
  budget_state *b = self;
  if (b->period > 0.0) return RIA_OK;
  bool known = isfinite(sim->run.t_end);
  double gap = known ? sim->run.t_end / (RIA_BUDGET_ROWS - 2) : 0.0;
  if (!known && b->rows >= RIA_BUDGET_ROWS) return RIA_OK;
  return sim->at.t - b->last >= gap * (1.0 - 1e-9) ? budget_row(sim, b) : RIA_OK;
}

ria_status ria_budget_row_due(ria_sim *sim) {
  return ria_rooted(sim, row_due, state_of(sim), "the budget is written");
}

/* --- asking ----------------------------------------------------------------------------------- */

bool ria_budget_has_table(const ria_sim *sim) {
  const budget_state *b = state_of(sim);
  return b->csv != NULL;
}

/* First rows, once what is stored at the start is known. */
static ria_status begin(ria_sim *sim, void *self) {
  budget_state *b = self;
  if (b->csv) return RIA_OK;
  b->last = -INFINITY;
  if (!sim->outputs->writer) return RIA_OK;
  RIA_TRY(ria_outputs_claim(sim, RIA_RESULT_BUDGET, RIA_BUDGET_FILE));
  return budget_create(sim, b);
}

static ria_status finish(ria_sim *sim, void *self) { return budget_row(sim, self); }

static ria_status sync_rows(ria_sim *sim, void *self) {
  const budget_state *b = self;
  (void)sim;
  return b->csv ? ria_csv_sync(b->csv) : RIA_OK;
}

static ria_status take_up(ria_sim *sim, void *self) {
  const budget_state *b = self;
  (void)sim;
  return b->csv ? ria_csv_cut(b->csv) : RIA_OK;
}

static ria_status list(ria_sim *sim, const void *self, ria_results_list *list) {
  const budget_state *b = self;
  const ria_result item = {.count = b->csv ? ria_csv_rows(b->csv) : 0, .made = b->csv != NULL};
  return ria_sink_lists(sim, list, RIA_RESULT_BUDGET, RIA_BUDGET_FILE, item);
}

static ria_status columns(ria_sim *sim, const void *self, ria_json *j) {
  ria_columns c;
  (void)self;
  RIA_TRY(budget_columns(sim, &c));
  ria_columns_write(j, RIA_BUDGET_FILE, &c);
  return RIA_OK;
}

static void destroy(ria_sim *sim, void *self) {
  budget_state *b = self;
  (void)sim;
  ria_csv_destroy(&b->csv);
}

const ria_sink ria_budget_sink = {.size = sizeof(budget_state),
                                  .begin = begin,
                                  .finish = finish,
                                  .sync = sync_rows,
                                  .take_up = take_up,
                                  .list = list,
                                  .columns = columns,
                                  .free = destroy};
