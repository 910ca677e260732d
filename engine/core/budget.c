/* core/budget.c - what came, went, decayed and stayed, for each quantity of the solver and each
 * tracer.
 *
 * The solver sums what is stored, what its sources gave and what decayed, and counts what passes
 * each boundary. The engine adds what it changes itself: releases at once, and ria_sim_set during
 * the run, as the difference of what is stored before and after. Then
 *
 *   residual = stored - (initial + inflow - outflow + sources - decayed)
 *
 * is zero but for round-off if nothing was lost or made on the way. */
#include "base/context.h"
#include "core/sim.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

const char *ria_quantity_name(const ria_sim *sim, int quantity) {
  if (quantity >= sim->n_own) return sim->tracers[quantity - sim->n_own].name;
  return sim->solver->quantities[quantity].name;
}

/* NULL for one of the solver's own. */
static const ria_unit *tracer_unit(const ria_sim *sim, int quantity) {
  return quantity >= sim->n_own ? &sim->units[quantity - sim->n_own] : NULL;
}

const char *ria_quantity_unit(const ria_sim *sim, int quantity) {
  const ria_unit *u = tracer_unit(sim, quantity);
  return u ? u->amount : sim->solver->quantities[quantity].unit;
}

double ria_quantity_amount(const ria_sim *sim, int quantity, double counted) {
  const ria_unit *u = tracer_unit(sim, quantity);
  return u ? counted * u->mul / u->div : counted;
}

double ria_quantity_counted(const ria_sim *sim, int quantity, double amount) {
  const ria_unit *u = tracer_unit(sim, quantity);
  return u ? amount * u->div / u->mul : amount;
}

ria_status ria_ledger_stored(ria_sim *sim, double stored[RIA_QUANTITIES]) {
  ria_quantity_totals totals[RIA_QUANTITIES] = {0};
  RIA_TRY(sim->ops->totals(sim->self, totals));
  for (int q = 0; q < sim->n_quantities; q++) stored[q] = totals[q].stored;
  return RIA_OK;
}

ria_status ria_ledger_open(ria_sim *sim) { return ria_ledger_stored(sim, sim->ledger.initial); }

ria_status ria_ledger_enter_change(ria_sim *sim, const double before[RIA_QUANTITIES]) {
  double after[RIA_QUANTITIES];
  RIA_TRY(ria_ledger_stored(sim, after));
  for (int q = 0; q < sim->n_quantities; q++) sim->ledger.added[q] += after[q] - before[q];
  return RIA_OK;
}

/* Through all stretches together: in[n_quantities], out[n_quantities]. */
static ria_status sum_fluxes(ria_sim *sim, double *in, double *out) {
  size_t n = sim->forcing.n, nq = (size_t)sim->n_quantities, bytes = 2 * n * nq * sizeof(double);
  if (!nq) return RIA_OK;
  double *flux = malloc(bytes);
  if (!flux) return ria_fail_memory(sim->ctx, "boundary fluxes", bytes);
  ria_status s = sim->ops->fluxes(sim->self, (int)n, flux, flux + n * nq);
  for (size_t q = 0; q < nq; q++) {
    in[q] = out[q] = 0.0;
    for (size_t i = 0; s == RIA_OK && i < n; i++) {
      in[q] += flux[i * nq + q];
      out[q] += flux[(n + i) * nq + q];
    }
  }
  free(flux);
  return s;
}

/* From what the solver counts in to the unit of the row. */
static void convert_row(const ria_sim *sim, int q, ria_budget_row *r) {
  double *const v[] = {&r->initial, &r->stored, &r->inflow, &r->outflow, &r->sources, &r->decayed};
  for (size_t k = 0; k < sizeof v / sizeof *v; k++) *v[k] = ria_quantity_amount(sim, q, *v[k]);
}

static void close_row(ria_budget_row *r) {
  r->residual = r->stored - (r->initial + r->inflow - r->outflow + r->sources - r->decayed);
  double scale = fmax(fmax(fabs(r->initial), fabs(r->stored)), r->inflow + fabs(r->sources));
  r->relative = scale > 0.0 || isnan(r->residual) ? r->residual / scale : 0.0;
}

ria_status ria_budget_rows(ria_sim *sim, ria_budget_row *rows) {
  ria_quantity_totals totals[RIA_QUANTITIES] = {0};
  double in[RIA_QUANTITIES], out[RIA_QUANTITIES];
  RIA_TRY(sum_fluxes(sim, in, out));
  RIA_TRY(sim->ops->totals(sim->self, totals));
  for (int q = 0; q < sim->n_quantities; q++) {
    rows[q] = (ria_budget_row){
        .name = ria_quantity_name(sim, q),
        .unit = ria_quantity_unit(sim, q),
        .initial = sim->started ? sim->ledger.initial[q] : totals[q].stored,
        .stored = totals[q].stored,
        .inflow = in[q],
        .outflow = out[q],
        .sources = totals[q].sources + sim->ledger.added[q],
        .decayed = totals[q].decayed,
    };
    convert_row(sim, q, &rows[q]);
    close_row(&rows[q]);
  }
  return RIA_OK;
}

ria_status ria_sim_budget(ria_sim *sim, ria_budget_row *rows, size_t *n) {
  ria_budget_row all[RIA_QUANTITIES];
  size_t need = (size_t)sim->n_quantities, room = n ? *n : 0;
  if (n) *n = need;
  if (!rows || room < need)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "the budget has %zu rows, there is room for %zu",
                    need, rows ? room : 0);
  RIA_TRY(ria_budget_rows(sim, all));
  for (size_t q = 0; q < need; q++) rows[q] = all[q];
  return RIA_OK;
}

ria_status ria_sim_summary(ria_sim *sim, ria_summary *out) {
  const ria_progress *at = &sim->at;
  *out = (ria_summary){
      .steps = at->steps,
      .time = at->t,
      .wall = sim->wall + (sim->busy ? ria_wall_clock() - sim->wall_from : 0.0),
      .cell_steps = (double)at->steps * (double)ria_cells_inside(sim),
      .dt_min = at->steps && at->dt_min < DBL_MAX ? at->dt_min : 0.0, /* 0: nothing asked for one */
      .dt_min_time = at->dt_min_t,
      .dt_min_i = at->dt_min_i,
      .dt_min_j = at->dt_min_j,
      .dt_mean = at->steps ? at->t / (double)at->steps : 0.0,
      .device = sim->backend->name,
      .threads = ria_context_threads(sim->ctx),
  };
  for (size_t k = 0; k + 1 < sizeof out->dt_min_cause && at->dt_min_cause[k]; k++)
    out->dt_min_cause[k] = at->dt_min_cause[k];
  for (size_t k = 0; k + 1 < sizeof out->warning && at->warning[k]; k++)
    out->warning[k] = at->warning[k];
  ria_tell_unreached(sim, out->unreached, sizeof out->unreached);
  return RIA_OK;
}
