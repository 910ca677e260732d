/* run/checkpoints.h - checkpoints: what the loop of a run and their files share. Private. */
#ifndef RIA_RUN_CHECKPOINTS_H
#define RIA_RUN_CHECKPOINTS_H
#include "core/keeping.h"
#include "outputs/output.h"

/* --- checkpoints.c: what the loop of a run asks */
/* At most so many steps to the next time of one. */
int64_t ria_checkpoints_steps(const ria_sim *sim, int64_t most);
/* Between steps: take one that is due; repeating, pass over those that were taken here. */
ria_status ria_checkpoints_turn(ria_sim *sim);
/* A run is over, with `end`; its closing outputs are not written yet. */
ria_status ria_checkpoints_end(ria_sim *sim, ria_status end);
/* The run stands where its checkpoint was taken: which number that has. */
ria_status ria_checkpoints_resume(ria_sim *sim);

/* --- checkpoint.c */
/* Why no checkpoint can be taken. */
ria_status ria_checkpoint_can(ria_sim *sim);
/* Write the present state to a file; what the record says of it is the caller's. */
ria_status ria_checkpoint_put(ria_sim *sim, const char *path);
/* All of its pieces but those of stores, which are known when outputs are written. */
ria_status ria_checkpoint_visit(ria_sim *sim, const ria_state_walk *walk);
/* The piece of the k-th store: how many files of chunks its first `frames` have. Jobs may call it.
 */
typedef ria_status (*ria_item_fn)(void *user, const ria_state_item *item);
ria_status ria_checkpoint_store(ria_zarr *store, int64_t frames, size_t k, ria_item_fn visit,
                                void *user);

/* --- checkpoint_behind.c */
/* Copy the present state, and have a worker write it behind all outputs so far, and remove those
 * that are not among the newest `keep`. RIA_ERR_MEMORY: nothing was done. */
ria_status ria_checkpoint_behind(ria_sim *sim, int64_t number);

#endif
