/* core/settle.c - the state of a simulation whose steps may be under way on a device. */
#include "core/sim.h"

ria_status ria_sim_settle(ria_sim *sim) {
  if (!sim->run.stepping) return RIA_OK;
  RIA_TRY(sim->ops->progress(sim->self, &sim->at));
  sim->run.stepping = false;
  return RIA_OK;
}
