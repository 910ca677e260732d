/* outputs/checkpoints_list.c - checkpoints (run/checkpoints.c) as one of the things in the results
 * directory. */
#include "core/keeping.h"
#include "outputs/sink.h"

static ria_status list(ria_sim *sim, const void *self, ria_results_list *list) {
  const ria_keeping *k = sim->keeping;
  (void)self;
  if (!k || !k->wanted) return RIA_OK;
  return ria_sink_lists(sim, list, RIA_RESULT_CHECKPOINTS, RIA_CHECKPOINTS,
                        (ria_result){.made = true, .end = k->number + 1});
}

const ria_sink ria_checkpoints_sink = {.list = list};
