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

/* --- snapshot.c: copies of fields, shared by jobs -----------------------------------------------
 */

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

/* --- plans: what outputs were asked for ---------------------------------------------------------
 */

typedef struct ria_frame_plan ria_frame_plan;   /* frames.c: how a frame is drawn */
typedef struct ria_frame_strip ria_frame_strip; /* frames.c: the frames of one name */
typedef struct ria_save_plan ria_save_plan;     /* saves.c: one store */
typedef struct ria_gauge_group ria_gauge_group; /* gauges.h: the gauges of one file */

typedef struct ria_outputs {
  ria_writer *writer;      /* NULL: not open, or no directory */
  bool open;               /* the directory is ours */
  bool unclosed;           /* the closing outputs are older than the state */
  bool closed;             /* run.json tells of all that is there */
  bool begun;              /* rows are being written */
  bool maxima_made;        /* or begun */
  bool maxima_written;     /* by the last closing */
  ria_results *results;    /* the directory, held */
  ria_results_list listed; /* in run.json */
  ria_snapshot_pool pool;

  ria_frame_plan *frames; /* lists, in the order of asking but for this one */
  ria_frame_strip *strips;
  ria_save_plan *saves;
  ria_gauge_group *gauges;
  int n_gauge_groups;
  size_t n_gauges;
  struct ria_gauge_slot *gauge_names; /* [gauge_slots] hash table */
  size_t gauge_slots;

  ria_csv *budget;
  double budget_period; /* s; 0 = with gauges and saves */
  double budget_last;   /* time of the last row; -INFINITY: none */
  int64_t budget_rows;
  ria_handle budget_event;
} ria_outputs;

/* --- output.c */
ria_status ria_outputs_init(ria_sim *sim);
/* Make the directory and hold it, clear our earlier results from it; start the writer. Nothing to
 * do without a directory or when open. */
ria_status ria_outputs_open(ria_sim *sim);
/* The run goes on: the closing outputs are out of date. */
ria_status ria_outputs_resume(ria_sim *sim);
/* Before the first file of an output is made: run.json lists it, and the journal says that it is
 * being made (of frames each says so itself). Fails when something is in its way. */
ria_status ria_outputs_claim(ria_sim *sim, ria_result_kind kind, const char *name);
/* All outputs as they are now; the caller frees the list. */
ria_status ria_outputs_list(ria_sim *sim, ria_results_list *list);
/* All rows so far are on disk when this returns: at the end of a run, and at a checkpoint. */
ria_status ria_outputs_sync(ria_sim *sim);
/* First rows, once what is stored at the start is known. */
ria_status ria_outputs_begin(ria_sim *sim);
/* Closing outputs of a run that ended with `end`, its message in the context: maxima, the last row
 * of the budget, run.json; then wait for the workers. */
ria_status ria_outputs_close(ria_sim *sim, ria_status end);
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
/* A row of the budget goes with gauges and saves unless it has a period of its own. */
ria_status ria_budget_row_due(ria_sim *sim);

/* --- budget.c */
/* rows[n_quantities] */
ria_status ria_budget_rows(ria_sim *sim, ria_budget_row *rows);

/* --- frames.c */
/* Draw the running maximum of a field into a file. */
ria_status ria_frame_maximum(ria_sim *sim, const ria_sim_field *f, const char *path);
void ria_frames_free(ria_sim *sim);
/* What there is: false past the end. count: that exist; end: their numbers are below it. */
bool ria_frames_list(const ria_sim *sim, size_t i, const char **name, int64_t *count, int64_t *end,
                     unsigned *world);

/* --- saves.c */
void ria_saves_free(ria_sim *sim);
/* count: times that a reader finds; made: the store was opened. */
bool ria_saves_list(const ria_sim *sim, size_t i, const char **name, int64_t *count, bool *made);
void ria_field_for_store(const ria_sim_field *f, ria_zarr_field *out);

/* --- gauges.c */
bool ria_gauge_cancel(ria_sim *sim, ria_handle handle);
void ria_gauges_free(ria_sim *sim);
/* rows: that are in the file; gauges: of the file, or NULL; made: the file was begun. */
bool ria_gauges_list(const ria_sim *sim, size_t i, const char **file, int64_t *rows, size_t *gauges,
                     bool *made);
ria_status ria_gauges_sync(ria_sim *sim);
/* Marks of gauges for frames, at most `room`; returns how many there are. */
size_t ria_gauge_marks(const ria_sim *sim, ria_frame_mark *marks, size_t room);

/* --- gauge_rows.c: times of gauges that steps pass over. Nothing is watched that is not before
 * t_stop. */
/* The next such time, of gauges that do not wait; INFINITY: none. */
double ria_gauges_watch(const ria_sim *sim, double t_stop);
/* Do gauges wait for the next step? It is to be taken alone then. */
bool ria_gauges_wait(const ria_sim *sim);
/* The next step reaches t: gauges with a time up to it sample the present state, and wait. */
ria_status ria_gauges_look(ria_sim *sim, double t);
/* After steps, one where gauges waited: write their rows. landed: at t_stop, whose own rows belong
 * to the events there. */
ria_status ria_gauges_pass(ria_sim *sim, bool landed);

/* --- run_json.c */
/* `end` NULL: the run goes on. */
ria_status ria_run_json_write(ria_sim *sim, const char *end, const char *message);
/* Keep room on the disk for the closing one. */
ria_status ria_run_json_reserve(ria_sim *sim);

#endif
