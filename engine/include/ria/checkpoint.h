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
 * Tables (gauges, budget) are written again from their beginning and whole; frames are drawn from
 * the checkpoint on, with the numbers and ranges that they would have. A run that saves fields
 * (ria_save_action) cannot be restored yet, and neither can one in ranks. */
#ifndef RIA_CHECKPOINT_H
#define RIA_CHECKPOINT_H
#include <ria/sim.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Keep a record of the run, in memory: before it starts. What it holds is small (a few numbers for
 * each row of a gauge, each look at a condition, each event) unless the host reads whole fields. */
RIA_API ria_status ria_sim_record(ria_sim *sim);

/* Write the checkpoint of the present state to a file: whole or not at all, on disk when this
 * returns. RIA_ERR_ARGUMENT: the simulation keeps no record (ria_sim_record), was not
 * started, failed, its solver cannot name its state, ranks have parts of it, or its host read so
 * many whole fields that the record was given up (256 MiB). RIA_ERR_OUTPUT: the file. */
RIA_API ria_status ria_sim_checkpoint(ria_sim *sim, const char *path);

/* Of a simulation that was not started yet, made and set up so far as the one was that wrote the
 * file: it goes on from there, and keeps a record too.
 * RIA_ERR_INPUT: no such file, a damaged one, or one of another solver, grid, precision, or
 * parameters, whose name the message has. The number of parts and threads may differ. */
RIA_API ria_status ria_sim_restore(ria_sim *sim, const char *path);

/* Is the run being repeated, up to its checkpoint? */
RIA_API bool ria_sim_restoring(const ria_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
