/* outputs/sinks.c - the list of outputs, and asking each of them. */
#include "base/context.h"
#include "outputs/sink.h"
#include <math.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define RIA_SINK(name) &ria_##name##_sink,
static const ria_sink *const sinks[] = {
#include "outputs/sinks.def"
};
#undef RIA_SINK

enum { N_SINKS = sizeof sinks / sizeof *sinks };

/* --- their states ----------------------------------------------------------------------------- */

/* They lie behind each other after ria_outputs. */
static size_t state_at(size_t k) {
  const size_t unit = alignof(max_align_t);
  size_t at = sizeof(ria_outputs);
  for (size_t i = 0; i < k; i++) at = (at + unit - 1) / unit * unit + sinks[i]->size;
  return (at + unit - 1) / unit * unit;
}

static void *state_of(const ria_sim *sim, size_t k) { return (char *)sim->outputs + state_at(k); }

void *ria_sink_state(const ria_sim *sim, const ria_sink *sink) {
  size_t k = 0;
  while (sinks[k] != sink) k++;
  return state_of(sim, k);
}

ria_status ria_outputs_init(ria_sim *sim) {
  sim->outputs = calloc(1, state_at(N_SINKS));
  return sim->outputs ? RIA_OK : ria_fail_memory(sim->ctx, "outputs", state_at(N_SINKS));
}

void ria_sinks_free(ria_sim *sim) {
  for (size_t k = 0; k < N_SINKS; k++)
    if (sinks[k]->free) sinks[k]->free(sim, state_of(sim, k));
}

/* --- in a run --------------------------------------------------------------------------------- */

ria_status ria_outputs_begin(ria_sim *sim) {
  if (sim->outputs->begun) return RIA_OK;
  for (size_t k = 0; k < N_SINKS; k++)
    if (sinks[k]->begin) RIA_TRY(sinks[k]->begin(sim, state_of(sim, k)));
  sim->outputs->begun = true;
  return RIA_OK;
}

void ria_outputs_watch(const ria_sim *sim, ria_span *span) {
  for (size_t k = 0; k < N_SINKS; k++)
    if (sinks[k]->watch) sinks[k]->watch(sim, state_of(sim, k), span);
  if (!(span->t_watch < span->t_stop - ria_time_slack(span->t_stop))) span->t_watch = INFINITY;
}

ria_status ria_outputs_look(ria_sim *sim, double t) {
  for (size_t k = 0; k < N_SINKS; k++)
    if (sinks[k]->look) RIA_TRY(sinks[k]->look(sim, state_of(sim, k), t));
  return RIA_OK;
}

ria_status ria_outputs_pass(ria_sim *sim, bool landed) {
  for (size_t k = 0; k < N_SINKS; k++)
    if (sinks[k]->pass) RIA_TRY(sinks[k]->pass(sim, state_of(sim, k), landed));
  return RIA_OK;
}

bool ria_outputs_cost(const ria_sim *sim, const ria_action *action, ria_output_cost *cost) {
  for (size_t k = 0; k < N_SINKS; k++)
    if (sinks[k]->cost && sinks[k]->cost(sim, action, cost)) return true;
  return false;
}

bool ria_outputs_cancel(ria_sim *sim, ria_handle handle) {
  for (size_t k = 0; k < N_SINKS; k++)
    if (sinks[k]->cancel && sinks[k]->cancel(sim, state_of(sim, k), handle)) return true;
  return false;
}

ria_status ria_sinks_finish(ria_sim *sim) {
  for (size_t k = 0; k < N_SINKS; k++)
    if (sinks[k]->finish) RIA_TRY(sinks[k]->finish(sim, state_of(sim, k)));
  return RIA_OK;
}

/* From the last to the first: of several that cannot be written the budget is named. */
ria_status ria_sinks_sync(ria_sim *sim) {
  for (size_t k = N_SINKS; k-- > 0;)
    if (sinks[k]->sync) RIA_TRY(sinks[k]->sync(sim, state_of(sim, k)));
  return RIA_OK;
}

ria_status ria_sinks_take_up(ria_sim *sim) {
  for (size_t k = 0; k < N_SINKS; k++)
    if (sinks[k]->take_up) RIA_TRY(sinks[k]->take_up(sim, state_of(sim, k)));
  return RIA_OK;
}

/* --- what they have --------------------------------------------------------------------------- */

ria_status ria_sink_lists(ria_sim *sim, ria_results_list *list, ria_result_kind kind,
                          const char *name, ria_result item) {
  item.kind = kind;
  snprintf(item.name, sizeof item.name, "%s", name);
  return ria_results_list_add(sim->ctx, list, &item);
}

static ria_status list_all(ria_sim *sim, ria_results_list *list) {
  for (size_t k = 0; k < N_SINKS; k++)
    if (sinks[k]->list) RIA_TRY(sinks[k]->list(sim, state_of(sim, k), list));
  return RIA_OK;
}

ria_status ria_outputs_list(ria_sim *sim, ria_results_list *list) {
  *list = (ria_results_list){0};
  const ria_status s = list_all(sim, list);
  if (s != RIA_OK) ria_results_list_free(list);
  return s;
}

ria_status ria_outputs_columns(ria_sim *sim, ria_json *j) {
  ria_json_open(j, "tables", '{');
  for (size_t k = 0; k < N_SINKS; k++)
    if (sinks[k]->columns) RIA_TRY(sinks[k]->columns(sim, state_of(sim, k), j));
  ria_json_close(j);
  return RIA_OK;
}

void ria_outputs_report(ria_sim *sim) {
  for (size_t k = 0; k < N_SINKS; k++)
    if (sinks[k]->report) sinks[k]->report(sim, state_of(sim, k));
}

size_t ria_outputs_marks(const ria_sim *sim, ria_frame_mark *marks, size_t room) {
  size_t n = 0;
  for (size_t k = 0; k < N_SINKS; k++)
    if (sinks[k]->marks) /* without room marks may be NULL, which has no element 0 */
      n += sinks[k]->marks(sim, state_of(sim, k), n < room ? marks + n : NULL,
                           n < room ? room - n : 0);
  return n;
}

const char *ria_plural(int64_t n) { return n == 1 ? "" : "s"; }
