/* outputs/take_up.c - results that are taken up by a run that goes on from a checkpoint.
 *
 * While the run is repeated what is in the directory stays as it is: frames are counted and looked
 * for, rows compared with those of the tables, times of saves kept. Should the run turn out to be
 * another one nothing is lost. Where the checkpoint was taken
 *
 *   run.json   says "running", and as "earlier" what is to be removed
 *   the kinds  take up what they have: stores are checked and cut back, tables too
 *   the rest   what lies past the checkpoint, closing outputs too, and what the end of the run left
 *              half-made is removed
 *   run.json   without "earlier"
 *
 * A run that is killed anywhere in it can be continued from the same checkpoint. */
#include "base/context.h"
#include "core/keeping.h"
#include "io/buffer.h"
#include "io/json.h"
#include "outputs/sink.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- where it went on, in run.json ------------------------------------------------------------ */

static void tell_this(const ria_sim *sim, ria_json *j) {
  char text[32];
  struct tm utc;
  const time_t now = time(NULL);
  const char *slash = strrchr(sim->keeping->from, '/');
  ria_json_open(j, NULL, '{');
  ria_json_text(j, "from", slash ? slash + 1 : sim->keeping->from);
  ria_json_number(j, "time_s", sim->at.t);
  ria_json_integer(j, "steps", sim->at.steps);
  if (gmtime_r(&now, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
    ria_json_text(j, "written", text);
  ria_json_close(j);
}

static ria_status tell_continued(ria_sim *sim) {
  ria_keeping *k = sim->keeping;
  const char *before = ria_results_continued(sim->outputs->results);
  ria_buffer all = {0};
  ria_json j = {0};
  tell_this(sim, &j);
  ria_buffer_text(&all, "[");
  if (before) ria_buffer_text(&all, before);
  if (before) ria_buffer_text(&all, ", ");
  if (j.out.data) ria_buffer_add(&all, j.out.data, j.out.n);
  if (all.n && all.data[all.n - 1] == '\n') all.n--;
  ria_buffer_text(&all, "]");
  ria_buffer_add(&all, "", 1);
  const bool failed = j.out.failed || all.failed;
  ria_buffer_free(&j.out);
  free(k->continued);
  k->continued = failed ? NULL : all.data;
  if (failed) ria_buffer_free(&all);
  return failed ? ria_fail_memory(sim->ctx, "run.json", 256) : RIA_OK;
}

/* --- the whole -------------------------------------------------------------------------------- */

static ria_status cut_back(ria_sim *sim) {
  ria_outputs *o = sim->outputs;
  RIA_TRY(ria_sinks_take_up(sim));
  RIA_TRY(ria_results_cut(o->results, &o->listed));
  return ria_run_json_write(sim, NULL, NULL);
}

static ria_status take_up(ria_sim *sim) {
  ria_outputs *o = sim->outputs;
  RIA_TRY(ria_writer_flush(o->writer)); /* rows are compared */
  RIA_TRY(tell_continued(sim));
  ria_results_list_free(&o->listed);
  RIA_TRY(ria_outputs_list(sim, &o->listed));
  ria_results_keep_journal(o->results);
  RIA_TRY(ria_run_json_write(sim, NULL, NULL));
  return ria_run_json_fail(sim, cut_back(sim));
}

ria_status ria_outputs_take_up(ria_sim *sim) {
  ria_outputs *o = sim->outputs;
  if (!o->taking_up) return RIA_OK;
  const ria_status s = take_up(sim);
  o->taking_up = s != RIA_OK;
  return s;
}
