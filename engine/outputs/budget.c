/* outputs/budget.c - what came, went, decayed and stayed, for each quantity of the solver and each
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
#include "forcing/forcing.h"
#include "outputs/output.h"
#include <math.h>
#include <stdlib.h>

/* Through all stretches together: in[n_quantities], out[n_quantities]. */
static ria_status sum_fluxes(ria_sim *sim, double *in, double *out) {
  const size_t nq = (size_t)sim->n_quantities;
  double *all_in = NULL, *all_out = NULL;
  if (!nq) return RIA_OK;
  RIA_TRY(ria_forcing_fluxes(sim, &all_in, &all_out));
  for (size_t q = 0; q < nq; q++) {
    in[q] = out[q] = 0.0;
    for (size_t i = 0; i < sim->forcing->n; i++) {
      in[q] += all_in[i * nq + q];
      out[q] += all_out[i * nq + q];
    }
  }
  free(all_in);
  return RIA_OK;
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
  RIA_TRY(ria_ask_totals(sim, totals));
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
