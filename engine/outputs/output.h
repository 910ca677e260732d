/* outputs/output.h - the outputs of one simulation: what feeds engine/io. Private to engine.
 *
 * Fields are taken by the solver's ops into snapshots, and everything else (encoding, compression,
 * files) is done by the writer's workers. What a job points to beside its
 * buffers (names, titles, plans) belongs to ria_outputs and lives until the writer has ended. */
#ifndef RIA_OUTPUTS_OUTPUT_H
#define RIA_OUTPUTS_OUTPUT_H
#include "core/sim.h"
#include "outputs/results_dir.h"
#include "io/csv.h"
#include "io/frame.h"
#include "io/zarr.h"
#include <pthread.h>
#include <ria/backend.h>
#include <ria/output.h>
#include <ria/solver.h>

/* --- snapshot.c: copies of fields, shared by jobs --------------------------------------------- */

/* A field at one state of the simulation. Taken on the host's thread, read and released on any. */
typedef struct ria_snapshot ria_snapshot;

typedef struct ria_snapshot_pool {
  pthread_mutex_t lock;   /* guards `spare` and what snapshot.c says of each */
  pthread_cond_t arrived; /* the values of a snapshot are there */
  bool ready;
  ria_snapshot *current; /* the latest of each field, kept to be shared */
  ria_snapshot *spare;   /* without users, kept so that their memory is warm */
} ria_snapshot_pool;

ria_status ria_snapshot_pool_init(ria_sim *sim);
/* The field as it is now, or shared with those who asked for the same state. coarse > 1: each value
 * is the mean over coarse x coarse cells (fewer at the northern and eastern rims) of those that
 * have one. A device may still be copying when this returns. */
ria_status ria_snapshot_take(ria_sim *sim, const ria_sim_field *f, ria_real real, int coarse,
                             ria_snapshot **out);
/* The field as it is now for a store of such tiles: packed by the device where it can, its values
 * else. */
ria_status ria_snapshot_take_packed(ria_sim *sim, const ria_sim_field *f,
                                    const ria_packing *packing, ria_snapshot **out);
/* The values, [ny][nx] or [ceil(ny / coarse)][ceil(nx / coarse)], to be read only; waits for them.
 * What went wrong with the copy is told to everyone who asks. */
ria_status ria_snapshot_values(ria_snapshot *s, const void **values, char *err, size_t errsize);
/* The same of one that may be packed. */
ria_status ria_snapshot_content(ria_snapshot *s, ria_zarr_content *content, char *err,
                                size_t errsize);
/* NULL is allowed. */
void ria_snapshot_release(ria_snapshot *s);
/* When no job is left. */
void ria_snapshot_pool_free(ria_sim *sim);
/* A field, or its running maximum, as such means of float. */
ria_status ria_field_read_coarse(ria_sim *sim, const ria_sim_field *f, bool maximum, int coarse,
                                 float *dst);

/* --- outputs as a whole ----------------------------------------------------------------------- */

/* What the kinds of output share; the state of each of them follows it (sinks.c). */
typedef struct ria_outputs {
  ria_writer *writer;      /* NULL: not open, or no directory */
  bool open;               /* the directory is ours */
  bool begun;              /* each kind has begun */
  bool unclosed;           /* the closing outputs are older than the state */
  bool closed;             /* run.json tells of all that is there */
  bool whole;              /* the last closing wrote all of its outputs */
  bool taking_up;          /* results that are there stay as they are while the run is repeated */
  ria_results *results;    /* the directory, held */
  ria_results_list listed; /* in run.json */
  ria_snapshot_pool pool;
} ria_outputs;

/* --- output.c */
ria_status ria_outputs_init(ria_sim *sim);
/* Make the directory and hold it, clear our earlier results from it; start the writer. Nothing to
 * do without a directory or when open. */
ria_status ria_outputs_open(ria_sim *sim);
/* A run that was repeated stands where its checkpoint was taken: outputs go on from there, and what
 * lies past it is removed. Nothing to do where no results are taken up. */
ria_status ria_outputs_take_up(ria_sim *sim);
/* The stores of saves, in an order that does not change, NULL where one was not begun; room for
 * `most`; how many there are. */
size_t ria_saves_stores(const ria_sim *sim, ria_zarr **stores, size_t most);
/* The run goes on: the closing outputs are out of date. */
ria_status ria_outputs_resume(ria_sim *sim);
/* Before the first file of an output is made: run.json lists it, and the journal says that it is
 * being made (of frames each says so itself). Fails when something is in its way. */
ria_status ria_outputs_claim(ria_sim *sim, ria_result_kind kind, const char *name);
/* All outputs as they are now; the caller frees the list. */
ria_status ria_outputs_list(ria_sim *sim, ria_results_list *list);
/* First rows, once what is stored at the start is known. Nothing to do when they have begun; those
 * that could not are tried again. */
ria_status ria_outputs_begin(ria_sim *sim);
/* Closing outputs of a run that ended with `end`, its message in the context: maxima, the last row
 * of the budget, run.json; then wait for the workers. */
ria_status ria_outputs_close(ria_sim *sim, ria_status end);
/* All outputs so far are on disk when this returns. */
ria_status ria_outputs_settle(ria_sim *sim);
/* The run did not come to its first step: run.json says why. */
ria_status ria_outputs_fail(ria_sim *sim, ria_status end);
void ria_outputs_free(ria_sim *sim);
/* <out>/<name>; the caller frees. */
ria_status ria_out_path(ria_sim *sim, const char *name, char **path);
ria_status ria_out_dir_make(ria_sim *sim, const char *path);
/* Fails when the simulation has no directory: `what` as in "frames need ...". */
ria_status ria_out_needed(ria_sim *sim, const char *what);
/* A name that becomes one of a file. */
ria_status ria_check_file_name(ria_sim *sim, const char *what, const char *name);
/* --- budget.c */
/* rows[n_quantities] */
ria_status ria_budget_rows(ria_sim *sim, ria_budget_row *rows);
/* A row of budget.csv goes with gauges and saves unless it has a period of its own. */
ria_status ria_budget_row_due(ria_sim *sim);
bool ria_budget_has_table(const ria_sim *sim);

/* --- frames.c, saves.c: what maxima and films share with them */
/* The k-th series of frames that was asked for; NULL past the last. */
const char *ria_frames_name(const ria_sim *sim, size_t k);
/* The series that an action draws frames of; NULL: it draws none. */
const char *ria_frames_drawn(const ria_action *action);
/* How many frames of it are on disk. */
int64_t ria_frames_made(const ria_sim *sim, const char *name);
/* Draw the running maximum of a field into a file. */
ria_status ria_frame_maximum(ria_sim *sim, const ria_sim_field *f, const char *path);
void ria_field_for_store(const ria_sim *sim, const ria_sim_field *f, ria_zarr_field *out);
/* --- still.c: <out>/<name>, a store of fields as they are now, or of their running maxima. */
ria_status ria_still_store(ria_sim *sim, const char *name, const ria_sim_field *const *fields,
                           size_t n, bool maximum);

/* --- sinks.c: the kinds of output, each asked in turn. See sink.h */
/* Lower span->t_watch to the next time between steps that one of them wants, if it comes before
 * t_stop, and max_steps to 1 where one waits for the next step. */
void ria_outputs_watch(const ria_sim *sim, ria_span *span);
/* The next step reaches t: those with a time up to it look at the present state, and wait. */
ria_status ria_outputs_look(ria_sim *sim, double t);
/* After steps, one where something waited. landed: at t_stop, whose own outputs are events. */
ria_status ria_outputs_pass(ria_sim *sim, bool landed);
/* What one time of an output costs; false: the action is none of an output. */
typedef struct ria_output_cost {
  bool picture; /* else a save */
  double bytes; /* of its values, in memory and without compression */
} ria_output_cost;
bool ria_outputs_cost(const ria_sim *sim, const ria_action *action, ria_output_cost *cost);
bool ria_outputs_cancel(ria_sim *sim, ria_handle handle);
/* "tables": { "gauges.csv": { "time_s": "s", ... }, ... }: each table that there is or will be. */
ria_status ria_outputs_columns(ria_sim *sim, ria_json *j);
void ria_outputs_report(ria_sim *sim);
size_t ria_outputs_marks(const ria_sim *sim, ria_frame_mark *marks, size_t room);
ria_status ria_sinks_finish(ria_sim *sim);
ria_status ria_sinks_sync(ria_sim *sim);
ria_status ria_sinks_take_up(ria_sim *sim);
void ria_sinks_free(ria_sim *sim);

/* --- run_json.c */
/* `end` NULL: the run goes on. */
ria_status ria_run_json_write(ria_sim *sim, const char *end, const char *message);
/* What failed once run.json said "running", where a run begins or goes on: it says why, in the room
 * that was kept. Returns s. */
ria_status ria_run_json_fail(ria_sim *sim, ria_status s);
/* Keep room on the disk for the closing one. */
ria_status ria_run_json_reserve(ria_sim *sim);

#endif
