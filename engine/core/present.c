/* core/present.c - the present state: waiting for steps that are under way on a device, and what
 * the engine itself counts of the budget: what is stored, and what it adds. */
#include "base/clock.h"
#include "core/sim.h"

ria_status ria_sim_settle(ria_sim *sim) {
  if (!sim->run.stepping) return RIA_OK;
  if (sim->record.replays) { /* sim->at is from the record */
    sim->run.stepping = false;
    return RIA_OK;
  }
  const double wall = ria_wall_clock();
  RIA_TRY(sim->ops->progress(sim->self, &sim->at));
  sim->run.took += ria_wall_clock() - wall;
  sim->run.stepping = false;
  return RIA_OK;
}

ria_status ria_ledger_stored(ria_sim *sim, double stored[RIA_QUANTITIES]) {
  ria_quantity_totals totals[RIA_QUANTITIES] = {0};
  RIA_TRY(ria_ask_totals(sim, totals));
  for (int q = 0; q < sim->n_quantities; q++) stored[q] = totals[q].stored;
  return RIA_OK;
}

ria_status ria_ledger_enter_change(ria_sim *sim, const double before[RIA_QUANTITIES]) {
  double after[RIA_QUANTITIES];
  RIA_TRY(ria_ledger_stored(sim, after));
  for (int q = 0; q < sim->n_quantities; q++) sim->ledger.added[q] += after[q] - before[q];
  return RIA_OK;
}
