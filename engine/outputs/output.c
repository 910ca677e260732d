/* outputs/output.c - the output directory of a simulation: opening, what is added, closing.
 *
 * A directory is taken into use when the run starts, and held until the simulation is destroyed
 * (outputs/results_dir.h). run.json is written first (status "running"), so that a directory that
 * was ever used is known by it, and again whenever an output is added: it lists each before the
 * first file of it is made.
 *
 * Closing outputs are written at the end of each run and may be written again after a later one:
 * the maxima and run.json are replaced whole, rows are appended. */
#include "base/context.h"
#include "core/keeping.h"
#include "core/sim.h"
#include "outputs/packed.h"
#include "outputs/page.h"
#include "outputs/tables.h"
#include "base/text.h"
#include "io/file.h"
#include "base/grid.h"
#include "outputs/sink.h"
#include <ctype.h>
#include <math.h>
#include "io/access.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- names and paths -------------------------------------------------------------------------- */

ria_status ria_out_path(ria_sim *sim, const char *name, char **path) {
  *path = ria_path_join(sim->out, name);
  return *path ? RIA_OK : ria_fail_memory(sim->ctx, "a path", strlen(sim->out) + strlen(name) + 2);
}

ria_status ria_out_dir_make(ria_sim *sim, const char *path) {
  char err[RIA_ERR_TEXT];
  RIA_TRY(ria_may_write(sim->ctx, path));
  ria_status s = ria_dir_make(path, err, sizeof err);
  return s == RIA_OK ? s : ria_fail(sim->ctx, s, "%s", err);
}

ria_status ria_out_needed(ria_sim *sim, const char *what) {
  if (sim->out) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "%s need an output directory: the simulation was made without one", what);
}

ria_status ria_check_file_name(ria_sim *sim, const char *what, const char *name) {
  bool good = name[0] && strlen(name) < RIA_FIELD_NAME_MAX && name[0] != '.';
  for (const char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("_-+.", *c)) good = false;
  if (good) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "the name '%s' of %s becomes a file's: it may hold letters, digits, _ - + and ., "
                  "up to %d",
                  name, what, RIA_FIELD_NAME_MAX - 1);
}

/* --- what is added ---------------------------------------------------------------------------- */

static bool is_known(const ria_results_list *known, const ria_result *item) {
  const ria_result *r = ria_results_find(known, item->kind, item->name);
  return r && r->world == item->world;
}

/* What `all` has and `known` has not. */
static ria_status list_new(ria_sim *sim, const ria_results_list *all, const ria_results_list *known,
                           ria_results_list *fresh) {
  for (size_t i = 0; i < all->n; i++)
    if (!is_known(known, &all->item[i]))
      RIA_TRY(ria_results_list_add(sim->ctx, fresh, &all->item[i]));
  return RIA_OK;
}

static ria_status claim(ria_sim *sim, ria_results_list *all) {
  ria_outputs *o = sim->outputs;
  ria_results_list fresh = {0};
  ria_status s = list_new(sim, all, &o->listed, &fresh);
  const bool some = fresh.n > 0;
  if (s == RIA_OK && some) s = ria_results_check(o->results, &fresh);
  ria_results_list_free(&fresh);
  if (s == RIA_OK && some) s = ria_run_json_write(sim, NULL, NULL);
  if (s != RIA_OK || !some) return s;
  const ria_results_list before = o->listed;
  o->listed = *all;
  *all = before;
  return RIA_OK;
}

ria_status ria_outputs_claim(ria_sim *sim, ria_result_kind kind, const char *name) {
  ria_outputs *o = sim->outputs;
  ria_results_list all;
  char err[RIA_ERR_TEXT];
  if (o->taking_up) return RIA_OK; /* they are there, and listed */
  RIA_TRY(ria_outputs_list(sim, &all));
  ria_status s = claim(sim, &all);
  ria_results_list_free(&all);
  if (s != RIA_OK || kind == RIA_RESULT_FRAMES) return s; /* each says so itself */
  s = ria_results_making(o->results, kind, name, 0, err, sizeof err);
  return s == RIA_OK ? s : ria_fail(sim->ctx, s, "%s", err);
}

/* --- opening ---------------------------------------------------------------------------------- */

/* Bytes of jobs that wait: several fields, so that workers never wait for the next. */
static size_t queue_bytes(const ria_sim *sim) {
  const size_t least = (size_t)256 << 20;
  size_t want = 4 * ria_grid_cells(&sim->grid) * ria_real_size(sim->real);
  return want > least ? want : least;
}

static ria_results_use use_of(const ria_sim *sim) {
  if (sim->keep && sim->record.replays) return RIA_RESULTS_TAKE_UP;
  if (sim->overwrite) return RIA_RESULTS_OVERWRITE;
  return sim->keep && sim->keeping && sim->keeping->sought ? RIA_RESULTS_ANEW : RIA_RESULTS_NONE;
}

/* run.json says what is there before, during and after the clearing. */
static ria_status clear(ria_sim *sim) {
  ria_outputs *o = sim->outputs;
  const bool cleared = ria_results_earlier(o->results) != NULL;
  RIA_TRY(ria_results_clear(o->results));
  return cleared ? ria_run_json_write(sim, NULL, NULL) : RIA_OK;
}

static ria_status take_over(ria_sim *sim) {
  ria_outputs *o = sim->outputs;
  RIA_TRY(ria_outputs_list(sim, &o->listed));
  RIA_TRY(ria_results_lock(sim->ctx, sim->out, &o->results));
  const ria_results_use use = use_of(sim);
  RIA_TRY(ria_results_examine(o->results, use, &o->listed));
  RIA_TRY(ria_run_json_reserve(sim));
  o->taking_up = use == RIA_RESULTS_TAKE_UP;
  if (o->taking_up) return RIA_OK;
  RIA_TRY(ria_run_json_write(sim, NULL, NULL));
  return ria_run_json_fail(sim, clear(sim));
}

static void let_go(ria_sim *sim) {
  ria_results_list_free(&sim->outputs->listed);
  ria_results_release(&sim->outputs->results, sim->outputs->closed);
}

/* The directory last: what fails before leaves no run.json that would refuse the next try. */
ria_status ria_outputs_open(ria_sim *sim) {
  ria_outputs *o = sim->outputs;
  if (!sim->out || o->open) return RIA_OK;
  RIA_TRY(ria_snapshot_pool_init(sim));
  RIA_TRY(ria_writer_create(sim->ctx, sim->ctx->writers, queue_bytes(sim), &o->writer));
  ria_status s = ria_out_dir_make(sim, sim->out);
  if (s == RIA_OK) s = take_over(sim);
  o->open = s == RIA_OK;
  if (!o->open) {
    ria_writer_destroy(&o->writer);
    let_go(sim);
  }
  return s;
}

ria_status ria_outputs_resume(ria_sim *sim) {
  ria_outputs *o = sim->outputs;
  if (!o->open) return RIA_OK;
  RIA_TRY(ria_results_resume(o->results)); /* else there is nothing to close, either */
  o->unclosed = true;
  o->closed = false;
  return ria_results_reserved(o->results) ? RIA_OK : ria_run_json_reserve(sim);
}

/* --- closing ---------------------------------------------------------------------------------- */

/* All rows so far are on disk when this returns. */
static ria_status sync_all(ria_sim *sim) {
  RIA_TRY(ria_sinks_sync(sim));
  return ria_writer_flush(sim->outputs->writer);
}

ria_status ria_outputs_settle(ria_sim *sim) {
  return sim->outputs->writer ? sync_all(sim) : RIA_OK;
}

/* The page of a run that failed can be no error beside the run's own. */
static ria_status write_page(ria_sim *sim, ria_status end, const char *message) {
  char error[RIA_ERROR_MAX];
  snprintf(error, sizeof error, "%s", ria_error(sim->ctx));
  const ria_status s = ria_page_write(sim, ria_status_name(end), message);
  if (end == RIA_OK) return s;
  if (s != RIA_OK) (void)ria_fail(sim->ctx, end, "%s", error);
  return RIA_OK;
}

ria_status ria_outputs_close(ria_sim *sim, ria_status end) {
  ria_outputs *o = sim->outputs;
  char message[RIA_ERROR_MAX] = "";
  if (!o->writer) return RIA_OK;
  if (!o->unclosed) return ria_writer_flush(o->writer);
  if (sim->record.replays && end == RIA_OK) return ria_sinks_finish(sim);
  o->unclosed = false;
  if (o->taking_up) return ria_writer_flush(o->writer); /* what is there stays as it is */
  if (end != RIA_OK) snprintf(message, sizeof message, "%s", ria_error(sim->ctx));
  ria_status s = ria_sinks_finish(sim);
  if (s == RIA_OK)
    s = sync_all(sim);
  else
    (void)ria_writer_flush(o->writer);
  o->whole = s == RIA_OK;
  if (s != RIA_OK && end == RIA_OK) snprintf(message, sizeof message, "%s", ria_error(sim->ctx));
  const ria_status paged = write_page(sim, end != RIA_OK ? end : s, message);
  if (paged != RIA_OK) {
    s = paged;
    snprintf(message, sizeof message, "%s", ria_error(sim->ctx));
  }
  ria_status told = end != RIA_OK ? end : s;
  ria_status written = ria_run_json_write(sim, ria_status_name(told), message);
  o->closed = written == RIA_OK;
  if (o->closed) ria_results_pause(o->results);
  if (s == RIA_OK) return written;
  return end == RIA_OK ? ria_fail(sim->ctx, s, "%s", message) : s;
}

ria_status ria_outputs_fail(ria_sim *sim, ria_status end) {
  ria_outputs *o = sim->outputs;
  char message[RIA_ERROR_MAX];
  if (!o->open || o->closed || o->taking_up || end == RIA_OK) return RIA_OK;
  snprintf(message, sizeof message, "%s", ria_error(sim->ctx));
  (void)write_page(sim, end, message);
  RIA_TRY(ria_run_json_write(sim, ria_status_name(end), message));
  o->closed = true;
  ria_results_pause(o->results);
  return RIA_OK;
}

/* Jobs point to names and plans: first let them finish. Stores and tables need the writer, so it
 * goes after them. */
void ria_outputs_free(ria_sim *sim) {
  ria_outputs *o = sim->outputs;
  if (!o) return;
  if (o->writer) ria_writer_flush(o->writer);
  ria_sinks_free(sim);
  ria_writer_destroy(&o->writer);
  ria_snapshot_pool_free(sim);
  ria_packed_free(sim);
  let_go(sim);
  free(o);
  sim->outputs = NULL;
}
