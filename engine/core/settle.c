/* core/settle.c - the state of a simulation whose steps may be under way on a device. */
#include "core/sim.h"
#include "base/clock.h"

ria_status ria_sim_settle(ria_sim *sim) {
  if (!sim->run.stepping) return RIA_OK;
  const double wall = ria_wall_clock();
  RIA_TRY(sim->ops->progress(sim->self, &sim->at));
  sim->run.took += ria_wall_clock() - wall;
  sim->run.stepping = false;
  return RIA_OK;
}
