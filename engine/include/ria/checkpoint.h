/* ria/checkpoint.h - a run that goes on after it was ended, to the same bits.
 *
 * A checkpoint holds the solver's state and a record of the run: what its host, its events and its
 * gauges asked of the solver, and what they told it. To go on the host does all that it did before,
 * in the same order, and calls ria_sim_restore before the run starts:
 *
 *   ria_sim_create, ria_sim_set, ria_boundary_add ... -> ria_sim_restore -> ria_sim_run ... as
 * before
 *
 * Until the run has come to the checkpoint no step is taken: callbacks run at their times and get
 * the answers that they got then. So whatever the host keeps to itself comes to stand where it
 * stood. From there on steps are taken again. What the host does otherwise than before is an error
 * at the place where it shows: another bed, another tide, an event at another time.
 *
 * A host must therefore do the same again whenever it is run: no clocks, no random numbers without
 * a seed of their own, no files that have changed.
 *
 * A checkpoint may be taken between two runs, by an event, or while progress is told
 * (ria_sim_on_progress), which is by the clock and so not repeated: nothing else that is asked
 * there is recorded.
 *
 * In its own results directory (`keep` of ria_sim_desc, ria_sim_continue) the run then goes on with
 * what is there: frames, stores and tables up to the checkpoint stay, what lies past it is removed
 * and made again, and in the end every file has the bytes that it has after a run that was not
 * ended; run.json tells of other wall times, and lists where the run went on ("continued"). In
 * another directory tables are written again from their beginning, frames are drawn from the
 * checkpoint on with the numbers and ranges that they would have, and stores (ria_save_action) are
 * refused.
 *
 * With ranks (ria/comm.h) all make the same calls: the first writes and reads the one file there is
 * for all, and any number of ranks, or a process that is alone, goes on from it. */
#ifndef RIA_CHECKPOINT_H
#define RIA_CHECKPOINT_H
#include <ria/sim.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Keep a record of the run, in memory: before it starts. What it holds is small (a few numbers for
 * each row of a gauge, each look at a condition, each event) unless the host reads whole fields:
 * these it packs, losing nothing. */
RIA_API ria_status ria_sim_record(ria_sim *sim);

/* Write the checkpoint of the present state to a file: whole or not at all, on disk when this
 * returns. RIA_ERR_ARGUMENT: the simulation keeps no record (ria_sim_record), was not
 * started, failed, its solver cannot name its state, or its host read so many whole fields that the
 * record was given up (256 MiB, packed); with ranks also while progress is told, which is on rank 0
 * alone. RIA_ERR_OUTPUT: the file. */
RIA_API ria_status ria_sim_checkpoint(ria_sim *sim, const char *path);

/* Of a simulation that was not started yet, made and set up so far as the one was that wrote the
 * file: it goes on from there, and keeps a record too.
 * RIA_ERR_INPUT: no such file, a damaged one, or one of another solver, grid, precision, or
 * parameters, whose name the message has. The number of ranks, parts and threads may differ. */
RIA_API ria_status ria_sim_restore(ria_sim *sim, const char *path);

/* --- in the results directory
 * -------------------------------------------------------------------- */

/* Checkpoints that the run takes by itself, as checkpoints/000001.ria and on in its results
 * directory, each whole or not at all and not before all outputs up to it are on disk; older ones
 * are removed after a new one is there. None shortens a step or changes a bit of the run. */
typedef struct ria_checkpoints_desc {
  double every; /* s of simulated time between two, 0: none by time. At the first state that the run
                   stands at from that time on: at most one step later, unless steps grow fast */
  double wall;  /* s of wall time, 0: none by the clock, of rank 0 */
  bool at_end;  /* one more when a run (ria_sim_run, or by ria_sim_queue) comes to its end, is
                   stopped or interrupted, before its closing outputs */
  int keep;     /* newest files that stay, 0: 2 */
} ria_checkpoints_desc;

/* Before the start; a second call replaces the first. Implies ria_sim_record. RIA_ERR_ARGUMENT: no
 * results directory, numbers below 0, or none of every, wall and at_end. Where a record is
 * given up (see ria_sim_checkpoint) the log says so, and none are taken from then on. */
RIA_API ria_status ria_sim_checkpoints(ria_sim *sim, const ria_checkpoints_desc *desc);

/* The host's own data, saved in every checkpoint from now on (a script's text, its parameters).
 * name: up to 32 letters, digits, _ - and .; data are copied, and replace those of that name; NULL
 * removes them. */
RIA_API ria_status ria_sim_note(ria_sim *sim, const char *name, const void *data, size_t bytes);
/* What the checkpoint that the simulation goes on from has by that name, from ria_sim_restore or
 * ria_sim_continue on until the simulation is destroyed; NULL: nothing. bytes may be NULL. A byte 0
 * follows the data. */
RIA_API const void *ria_sim_noted(const ria_sim *sim, const char *name, size_t *bytes);

/* As ria_sim_restore, from the newest whole checkpoint of the results directory; of a simulation
 * that was made with `keep`. A damaged one is passed over with a line in the log, and the one
 * before it is used. from[size]: its path, "" where there is none yet: then the run starts from its
 * beginning, and what an earlier one left (one that was to take checkpoints and came to none) gives
 * way. Fails when all that are there are damaged, and as ria_sim_restore does: RIA_ERR_INPUT. That
 * a file of the results is missing is told where the run comes to it. */
RIA_API ria_status ria_sim_continue(ria_sim *sim, char *from, size_t size);

/* Does it go on from a checkpoint (ria_sim_restore, ria_sim_continue)? Then the time and the steps
 * of that, from there on until the simulation is destroyed; either may be NULL. */
RIA_API bool ria_sim_continues(const ria_sim *sim, double *t, int64_t *steps);

/* Is the run being repeated, up to its checkpoint? */
RIA_API bool ria_sim_restoring(const ria_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
