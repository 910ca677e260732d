/* run/state.c - the state of a simulation's solver, item by item (ria/state.h). */
#include "forcing/forcing.h"
#include "run/run.h"

ria_status ria_sim_state(ria_sim *sim, const ria_state_walk *walk) {
  if (!sim->ops->state)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "solver '%s' cannot name its state",
                    sim->solver->name);
  if (!sim->started || sim->failed)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a run that %s has no state to %s",
                    sim->failed ? "failed" : "was not started",
                    walk->restores ? "restore" : "save");
  RIA_TRY(ria_sim_settle(sim));
  RIA_TRY(ria_forcing_sync(sim));
  bool prepared = !sim->unprepared;
  RIA_TRY(
      walk->visit(walk->user, &(ria_state_item){"prepared", RIA_STATE_BOOL, .data = &prepared}));
  RIA_TRY(sim->ops->state(sim->self, walk));
  if (!walk->restores) return RIA_OK;
  sim->unprepared = !prepared;
  sim->edits++;
  return sim->ops->progress(sim->self, &sim->at);
}
