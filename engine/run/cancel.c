/* run/cancel.c - cancelling whatever a handle names: an event, a release, an output. */
#include "core/sim.h"
#include "forcing/forcing.h"
#include "outputs/output.h"

ria_status ria_sim_cancel(ria_sim *sim, ria_handle handle) {
  RIA_TRY(ria_sim_settle(sim)); /* a release ends where the steps that are queued do */
  if (ria_queue_cancel(sim, handle) || ria_release_cancel(sim, handle) ||
      ria_outputs_cancel(sim, handle))
    return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "nothing to cancel: handle %lld is unknown, finished or cancelled already",
                  (long long)handle);
}
