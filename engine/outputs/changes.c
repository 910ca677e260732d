/* outputs/changes.c - what somebody changed while the run went on: a log that repeats it, and how
 * the run stands, for who watches it.
 *
 * changes.lua returns a function (sim, ria) with a line for each change, as the host wrote it. It
 * is replaced whole with each; run.json and index.js have the same lines. */
#include "base/array.h"
#include "base/context.h"
#include "base/text.h"
#include "io/file.h"
#include "outputs/page.h"
#include "outputs/sink.h"
#include <ria/boundary.h>
#include <stdlib.h>
#include <string.h>

#define CHANGES "changes.lua"

typedef struct changes_state {
  char **line; /* [n] */
  size_t n, room;
  bool made;
} changes_state;

static changes_state *state_of(const ria_sim *sim) {
  return ria_sink_state(sim, &ria_changes_sink);
}

/* --- the log ---------------------------------------------------------------------------------- */

static ria_status put(ria_sim *sim, const changes_state *c) {
  ria_buffer b = {0};
  char err[RIA_ERR_TEXT], *path = NULL;
  ria_buffer_text(
      &b, "-- Changes made while the run went on. To repeat it: ria run SCRIPT --changes " CHANGES
          "\nlocal sim, ria = ...\n");
  for (size_t k = 0; k < c->n; k++) {
    ria_buffer_text(&b, c->line[k]);
    ria_buffer_text(&b, "\n");
  }
  ria_status s = b.failed ? ria_fail_memory(sim->ctx, CHANGES, b.room) : RIA_OK;
  if (s == RIA_OK) s = ria_out_path(sim, CHANGES, &path);
  if (s == RIA_OK) {
    s = ria_file_replace(path, b.data, b.n, err, sizeof err);
    if (s != RIA_OK) ria_fail(sim->ctx, s, "%s", err);
  }
  free(path);
  ria_buffer_free(&b);
  return s;
}

static ria_status claim(ria_sim *sim, changes_state *c) {
  if (c->made) return RIA_OK;
  RIA_TRY(ria_outputs_claim(sim, RIA_RESULT_CHANGES, CHANGES));
  c->made = true;
  return RIA_OK;
}

ria_status ria_sim_note_change(ria_sim *sim, const char *line) {
  changes_state *c = state_of(sim);
  if (!line) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a change is missing");
  if (strpbrk(line, "\r\n"))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a change is one line of Lua, without line breaks");
  RIA_TRY(ria_grow(sim->ctx, "the log of changes", &c->line, &c->room, c->n + 1, sizeof *c->line));
  char *copy = ria_strdup(line);
  if (!copy) return ria_fail_memory(sim->ctx, "the log of changes", strlen(line));
  c->line[c->n++] = copy;
  if (!sim->outputs->open) return RIA_OK; /* begin writes it */
  RIA_TRY(claim(sim, c));
  return put(sim, c);
}

void ria_changes_told(const ria_sim *sim, ria_json *j) {
  const changes_state *c = state_of(sim);
  if (!c->n) return;
  ria_json_open(j, "changes", '[');
  for (size_t k = 0; k < c->n; k++) ria_json_text(j, NULL, c->line[k]);
  ria_json_close(j);
}

/* --- how the run stands ----------------------------------------------------------------------- */

static void tell_stores(ria_json *j, const ria_results_list *list) {
  ria_json_open(j, "stores", '[');
  for (size_t i = 0; i < list->n; i++) {
    const ria_result *r = &list->item[i];
    if (r->kind != RIA_RESULT_STORE || !r->made || !r->count) continue;
    ria_json_open(j, NULL, '{');
    ria_json_text(j, "name", r->name);
    ria_json_integer(j, "count", r->count);
    ria_json_close(j);
  }
  ria_json_close(j);
}

static void tell_boundaries(ria_json *j, const ria_sim *sim) {
  ria_boundary_entry e;
  ria_json_open(j, "boundaries", '[');
  for (size_t k = 0; ria_boundary_list(sim, k, &e); k++) {
    ria_json_open(j, NULL, '{');
    ria_json_text(j, "name", e.name);
    ria_json_text(j, "kind", e.kind);
    ria_json_close(j);
  }
  ria_json_close(j);
}

static ria_status tell(ria_sim *sim, ria_json *j) {
  ria_results_list list;
  ria_summary sum;
  RIA_TRY(ria_sim_summary(sim, &sum));
  RIA_TRY(ria_outputs_list(sim, &list));
  ria_json_open(j, NULL, '{');
  ria_json_number(j, "time_s", sim->at.t);
  ria_json_integer(j, "steps", sim->at.steps);
  ria_json_number(j, "dt_min_s", sum.dt_min);
  ria_json_text(j, "cause", sum.dt_min_cause);
  ria_json_text(j, "warning", sum.warning);
  ria_json_number(j, "next_stop_s", ria_sim_next_stop(sim));
  ria_frames_series(sim, j, true);
  tell_stores(j, &list);
  tell_boundaries(j, sim);
  ria_changes_told(sim, j);
  ria_json_close(j);
  ria_results_list_free(&list);
  return RIA_OK;
}

ria_status ria_sim_stands(ria_sim *sim, char **json) {
  const bool muted = sim->record.muted;
  ria_json j = {0};
  if (!json)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "there is no place for how the run stands");
  *json = NULL;
  sim->record.muted = true;
  ria_status s = tell(sim, &j);
  sim->record.muted = muted;
  ria_buffer_add(&j.out, "", 1);
  if (s == RIA_OK && j.out.failed) s = ria_fail_memory(sim->ctx, "how the run stands", j.out.room);
  if (s == RIA_OK) *json = j.out.data;
  if (s != RIA_OK) ria_buffer_free(&j.out);
  return s;
}

/* --- as one of the outputs -------------------------------------------------------------------- */

static ria_status begin(ria_sim *sim, void *self) {
  changes_state *c = self;
  if (!sim->outputs->writer || !c->n || c->made) return RIA_OK;
  RIA_TRY(claim(sim, c));
  return sim->outputs->taking_up ? RIA_OK : put(sim, c);
}

/* The run that is gone on with may have had none of them (ria run --continue-changed). */
static ria_status take_up(ria_sim *sim, void *self) {
  const changes_state *c = self;
  return c->n ? put(sim, c) : RIA_OK;
}

static ria_status list(ria_sim *sim, const void *self, ria_results_list *list) {
  const changes_state *c = self;
  const ria_result item = {.made = c->made, .count = (int64_t)c->n};
  return c->n ? ria_sink_lists(sim, list, RIA_RESULT_CHANGES, CHANGES, item) : RIA_OK;
}

static void report(ria_sim *sim, const void *self) {
  const changes_state *c = self;
  if (c->made)
    ria_log(sim->ctx, "    " CHANGES ": %zu change%s while the run went on", c->n,
            ria_plural((int64_t)c->n));
}

static void destroy(ria_sim *sim, void *self) {
  changes_state *c = self;
  (void)sim;
  for (size_t k = 0; k < c->n; k++) free(c->line[k]);
  free(c->line);
}

const ria_sink ria_changes_sink = {.size = sizeof(changes_state),
                                   .begin = begin,
                                   .take_up = take_up,
                                   .list = list,
                                   .report = report,
                                   .free = destroy};
