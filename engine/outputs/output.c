/* outputs/output.c - the output directory of a simulation: opening, the budget's rows, closing.
 *
 * A directory is taken into use when the run starts, and held until the simulation is destroyed
 * (outputs/results_dir.h). run.json is written first (status "running"), so that a directory that
 * was ever used is known by it, and again whenever an output is added: it lists each before the
 * first file of it is made.
 *
 * Closing outputs are written at the end of each run and may be written again after a later one:
 * the maxima and run.json are replaced whole, rows are appended. */
#include "base/context.h"
#include "core/sim.h"
#include "outputs/tables.h"
#include "base/text.h"
#include "io/file.h"
#include "base/grid.h"
#include "outputs/output.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RIA_BUDGET_ROWS = 1000 };

/* --- names and paths ----------------------------------------------------------------------------
 */

ria_status ria_out_path(ria_sim *sim, const char *name, char **path) {
  *path = ria_path_join(sim->out, name);
  return *path ? RIA_OK : ria_fail_memory(sim->ctx, "a path", strlen(sim->out) + strlen(name) + 2);
}

ria_status ria_out_dir_make(ria_sim *sim, const char *path) {
  char err[RIA_ERR_TEXT];
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

/* --- what there is, or will be ------------------------------------------------------------------
 */

static ria_status list_one(ria_sim *sim, ria_results_list *list, ria_result_kind kind,
                           const char *name, ria_result item) {
  item.kind = kind;
  snprintf(item.name, sizeof item.name, "%s", name);
  return ria_results_list_add(sim->ctx, list, &item);
}

static ria_status list_all(ria_sim *sim, ria_results_list *list) {
  const ria_outputs *o = sim->outputs;
  const char *name;
  ria_result item = {.made = true};
  for (size_t i = 0; ria_frames_list(sim, i, &name, &item.count, &item.end, &item.world); i++)
    RIA_TRY(list_one(sim, list, RIA_RESULT_FRAMES, name, item));
  item.end = 0;
  item.world = 0;
  for (size_t i = 0; ria_saves_list(sim, i, &name, &item.count, &item.made); i++)
    RIA_TRY(list_one(sim, list, RIA_RESULT_STORE, name, item));
  for (size_t i = 0; ria_gauges_list(sim, i, &name, &item.count, NULL, &item.made); i++)
    RIA_TRY(list_one(sim, list, RIA_RESULT_GAUGES, name, item));
  item.count = o->budget ? ria_csv_rows(o->budget) : 0;
  item.made = o->budget != NULL;
  RIA_TRY(list_one(sim, list, RIA_RESULT_BUDGET, RIA_BUDGET_FILE, item));
  item = (ria_result){.made = o->maxima_made};
  for (size_t k = 0; k < sim->n_fields; k++)
    if (sim->fields[k].tracked)
      RIA_TRY(list_one(sim, list, RIA_RESULT_MAXIMUM, sim->fields[k].name, item));
  return RIA_OK;
}

ria_status ria_outputs_list(ria_sim *sim, ria_results_list *list) {
  *list = (ria_results_list){0};
  const ria_status s = list_all(sim, list);
  if (s != RIA_OK) ria_results_list_free(list);
  return s;
}

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
  RIA_TRY(ria_outputs_list(sim, &all));
  ria_status s = claim(sim, &all);
  ria_results_list_free(&all);
  if (s != RIA_OK || kind == RIA_RESULT_FRAMES) return s; /* each says so itself */
  s = ria_results_making(o->results, kind, name, 0, err, sizeof err);
  return s == RIA_OK ? s : ria_fail(sim->ctx, s, "%s", err);
}

/* --- opening ------------------------------------------------------------------------------------
 */

/* Bytes of jobs that wait: several fields, so that workers never wait for the next. */
static size_t queue_bytes(const ria_sim *sim) {
  const size_t least = (size_t)256 << 20;
  size_t want = 4 * ria_grid_cells(&sim->grid) * ria_real_size(sim->real);
  return want > least ? want : least;
}

/* run.json says what is there before, during and after the clearing. */
static ria_status take_over(ria_sim *sim) {
  ria_outputs *o = sim->outputs;
  RIA_TRY(ria_outputs_list(sim, &o->listed));
  RIA_TRY(ria_results_lock(sim->ctx, sim->out, &o->results));
  RIA_TRY(ria_results_examine(o->results, sim->overwrite, &o->listed));
  RIA_TRY(ria_run_json_reserve(sim));
  RIA_TRY(ria_run_json_write(sim, NULL, NULL));
  const bool cleared = ria_results_earlier(o->results) != NULL;
  RIA_TRY(ria_results_clear(o->results));
  return cleared ? ria_run_json_write(sim, NULL, NULL) : RIA_OK;
}

static void let_go(ria_sim *sim) {
  ria_results_list_free(&sim->outputs->listed);
  ria_results_release(&sim->outputs->results, sim->outputs->closed);
}

ria_status ria_outputs_open(ria_sim *sim) {
  ria_outputs *o = sim->outputs;
  if (!sim->out || o->open) return RIA_OK;
  ria_status s = ria_out_dir_make(sim, sim->out);
  if (s == RIA_OK) s = take_over(sim);
  if (s == RIA_OK) s = ria_snapshot_pool_init(sim);
  if (s == RIA_OK && !o->writer)
    s = ria_writer_create(sim->ctx, sim->ctx->writers, queue_bytes(sim), &o->writer);
  o->open = s == RIA_OK;
  if (!o->open) let_go(sim);
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

static ria_status budget_create(ria_sim *sim) {
  ria_columns columns;
  RIA_TRY(ria_budget_columns(sim, &columns));
  const ria_status s = ria_table_create(sim, RIA_BUDGET_FILE, &columns, &sim->outputs->budget);
  ria_columns_free(&columns);
  return s;
}

static ria_status budget_row(ria_sim *sim) {
  ria_outputs *o = sim->outputs;
  ria_budget_row rows[RIA_QUANTITIES];
  double values[1 + RIA_QUANTITIES * RIA_BUDGET_COLUMNS] = {sim->at.t};
  double *v = values + 1;
  if (!o->budget || o->budget_last == sim->at.t) return RIA_OK;
  RIA_TRY(ria_budget_rows(sim, rows));
  for (int q = 0; q < sim->n_quantities; q++) {
    const ria_budget_row *r = &rows[q];
    *v++ = r->stored, *v++ = r->inflow, *v++ = r->outflow;
    *v++ = r->sources, *v++ = r->decayed, *v++ = r->residual;
  }
  RIA_TRY(ria_csv_append(o->budget, values, 1));
  o->budget_last = sim->at.t;
  o->budget_rows++;
  return RIA_OK;
}

ria_status ria_outputs_begin(ria_sim *sim) {
  ria_outputs *o = sim->outputs;
  o->budget_last = -INFINITY;
  if (!o->writer || o->begun) return RIA_OK;
  RIA_TRY(ria_outputs_claim(sim, RIA_RESULT_BUDGET, RIA_BUDGET_FILE));
  RIA_TRY(budget_create(sim));
  o->begun = true;
  return RIA_OK;
}

/* --- rows of the budget -------------------------------------------------------------------------
 */

static ria_status budget_fire(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  (void)user;
  return budget_row(sim);
}

ria_status ria_sim_budget_every(ria_sim *sim, double period) {
  ria_outputs *o = sim->outputs;
  ria_action action = {.fn = budget_fire, .phase = RIA_PHASE_OUTPUT};
  ria_handle event = 0;
  if (!(period >= 0.0) || !isfinite(period))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "the period of the budget is %g s", period);
  if (period > 0.0) RIA_TRY(ria_sim_every(sim, period, -1.0, 0.0, &action, &event));
  if (o->budget_event) ria_queue_cancel(sim, o->budget_event);
  o->budget_event = event;
  o->budget_period = period;
  return RIA_OK;
}

/* Totals are sums over the whole grid: no more of them than a run's chart can show. */
ria_status ria_budget_row_due(ria_sim *sim) {
  const ria_outputs *o = sim->outputs;
  if (o->budget_period > 0.0) return RIA_OK;
  bool known = isfinite(sim->t_end);
  double gap = known ? sim->t_end / (RIA_BUDGET_ROWS - 2) : 0.0;
  if (!known && o->budget_rows >= RIA_BUDGET_ROWS) return RIA_OK;
  return sim->at.t - o->budget_last >= gap * (1.0 - 1e-9) ? budget_row(sim) : RIA_OK;
}

/* --- maxima -------------------------------------------------------------------------------------
 */

static size_t tracked(const ria_sim *sim, const ria_sim_field **out) {
  size_t n = 0;
  for (size_t k = 0; k < sim->n_fields; k++)
    if (sim->fields[k].tracked) out[n++] = &sim->fields[k];
  return n;
}

static ria_status maxima_put(ria_sim *sim, ria_zarr *store, size_t k, const ria_sim_field *f) {
  size_t bytes = ria_grid_cells(&sim->grid) * ria_real_size(sim->real);
  void *values = malloc(bytes);
  if (!values) return ria_fail_memory(sim->ctx, "maxima", bytes);
  ria_status s = ria_field_read(sim, f, true, sim->real, values);
  if (s != RIA_OK) {
    free(values);
    return s;
  }
  return ria_zarr_put(store, k, values);
}

static ria_status maxima_store(ria_sim *sim, const char *path, const ria_sim_field *const *fields,
                               size_t n, ria_zarr_field *table) {
  ria_zarr *store = NULL;
  for (size_t k = 0; k < n; k++) {
    ria_field_for_store(fields[k], &table[k]);
    table[k].fixed = true;
    table[k].cell_methods = "area: mean time: maximum";
  }
  const ria_zarr_desc desc = {.path = path,
                              .title = sim->title,
                              .epoch = sim->epoch,
                              .crs = sim->crs,
                              .grid = sim->grid,
                              .real = sim->real,
                              .fields = table,
                              .n_fields = n,
                              .overwrite = true};
  ria_status s = ria_zarr_create(sim->ctx, sim->outputs->writer, &desc, &store);
  for (size_t k = 0; s == RIA_OK && k < n; k++) s = maxima_put(sim, store, k, fields[k]);
  ria_zarr_destroy(&store);
  return s;
}

static ria_status maxima_picture(ria_sim *sim, const char *dir, const ria_sim_field *f) {
  char name[RIA_FIELD_NAME_MAX + 8];
  snprintf(name, sizeof name, "%s.png", f->name);
  char *path = ria_path_join(dir, name);
  if (!path) return ria_fail_memory(sim->ctx, "a path", sizeof name);
  ria_status s = ria_frame_maximum(sim, f, path);
  free(path);
  return s;
}

static ria_status maxima_write(ria_sim *sim, const ria_sim_field **fields, ria_zarr_field *table) {
  char *store = NULL, *pictures = NULL;
  size_t n = tracked(sim, fields);
  if (!n) return RIA_OK;
  for (size_t k = 0; k < n; k++)
    RIA_TRY(ria_outputs_claim(sim, RIA_RESULT_MAXIMUM, fields[k]->name));
  sim->outputs->maxima_made = true;
  ria_status s = ria_out_path(sim, "maxima.zarr", &store);
  if (s == RIA_OK) s = ria_out_path(sim, "maxima", &pictures);
  if (s == RIA_OK) s = maxima_store(sim, store, fields, n, table);
  if (s == RIA_OK) s = ria_out_dir_make(sim, pictures);
  for (size_t k = 0; s == RIA_OK && k < n; k++) s = maxima_picture(sim, pictures, fields[k]);
  free(store);
  free(pictures);
  return s;
}

static ria_status maxima(ria_sim *sim) {
  const ria_sim_field **fields = malloc((sim->n_fields + 1) * sizeof *fields);
  ria_zarr_field *table = malloc((sim->n_fields + 1) * sizeof *table);
  ria_status s = fields && table ? maxima_write(sim, fields, table)
                                 : ria_fail_memory(sim->ctx, "maxima", sim->n_fields);
  free(fields);
  free(table);
  return s;
}

/* --- closing ------------------------------------------------------------------------------------
 */

ria_status ria_outputs_sync(ria_sim *sim) {
  ria_outputs *o = sim->outputs;
  if (o->budget) RIA_TRY(ria_csv_sync(o->budget));
  RIA_TRY(ria_gauges_sync(sim));
  return ria_writer_flush(o->writer);
}

ria_status ria_outputs_close(ria_sim *sim, ria_status end) {
  ria_outputs *o = sim->outputs;
  char message[RIA_ERROR_MAX] = "";
  if (!o->writer) return RIA_OK;
  if (!o->unclosed) return ria_writer_flush(o->writer);
  o->unclosed = false;
  if (end != RIA_OK) snprintf(message, sizeof message, "%s", ria_error(sim->ctx));
  ria_status s = budget_row(sim);
  if (s == RIA_OK) s = maxima(sim);
  if (s == RIA_OK)
    s = ria_outputs_sync(sim);
  else
    (void)ria_writer_flush(o->writer);
  o->maxima_written = s == RIA_OK && o->maxima_made;
  if (s != RIA_OK && end == RIA_OK) snprintf(message, sizeof message, "%s", ria_error(sim->ctx));
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
  if (!o->open || o->closed || end == RIA_OK) return RIA_OK;
  snprintf(message, sizeof message, "%s", ria_error(sim->ctx));
  RIA_TRY(ria_run_json_write(sim, ria_status_name(end), message));
  o->closed = true;
  ria_results_pause(o->results);
  return RIA_OK;
}

ria_status ria_outputs_init(ria_sim *sim) {
  sim->outputs = calloc(1, sizeof *sim->outputs);
  return sim->outputs ? RIA_OK : ria_fail_memory(sim->ctx, "outputs", sizeof *sim->outputs);
}

/* Jobs point to names and plans: first let them finish. Stores and tables need the writer, so it
 * goes after them. */
void ria_outputs_free(ria_sim *sim) {
  ria_outputs *o = sim->outputs;
  if (!o) return;
  if (o->writer) ria_writer_flush(o->writer);
  ria_csv_destroy(&o->budget);
  ria_saves_free(sim);
  ria_gauges_free(sim);
  ria_writer_destroy(&o->writer);
  ria_frames_free(sim);
  ria_snapshot_pool_free(sim);
  let_go(sim);
  free(o);
  sim->outputs = NULL;
}
