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
/* One, where the host stands between two runs: for the bench. */
ria_status ria_checkpoint_now(ria_sim *sim);
/* The run stands where its checkpoint was taken: which number that has. */
ria_status ria_checkpoints_resume(ria_sim *sim);

/* --- checkpoint.c */
/* Why no checkpoint can be taken. */
ria_status ria_checkpoint_can(ria_sim *sim);
/* Write the present state to a file; what the record says of it is the caller's. s: of what went
 * before; other than RIA_OK, on rank 0, nothing is written. All ranks come here, and get the same.
 */
ria_status ria_checkpoint_put(ria_sim *sim, ria_status s, const char *path);
/* All of its pieces but those of stores, which are known when outputs are written. */
ria_status ria_checkpoint_visit(ria_sim *sim, const ria_state_walk *walk);
/* The piece of the k-th store: how many files of chunks its first `frames` have. Jobs may call it.
 */
typedef ria_status (*ria_item_fn)(void *user, const ria_state_item *item);
ria_status ria_checkpoint_store(ria_zarr *store, int64_t frames, size_t k, ria_item_fn visit,
                                void *user);

/* --- checkpoint_ranks.c: as all ranks come to them, a process that is alone too */
/* ria_checkpoint_visit; the walk gets the pieces on rank 0, unless s is a failure there: of that,
 * or of a piece, rank 0 knows alone when this returns. */
ria_status ria_checkpoint_walk(ria_sim *sim, ria_status s, const ria_state_walk *walk);
/* A checkpoint is due. What rank 0 makes of it is for all. */
typedef enum ria_verdict { RIA_TAKE_IT, RIA_SKIP_IT, RIA_GIVE_UP } ria_verdict;
ria_status ria_checkpoint_decide(ria_sim *sim, ria_verdict *of_root);
/* A copy in memory came to s. Where rank 0 had no room for it all get RIA_ERR_MEMORY, without a
 * message; where its record is too large all know (record.too_large), and get RIA_OK. */
ria_status ria_checkpoint_copied(ria_sim *sim, ria_status s);
/* Rank 0 came to s, and to (*data)[*n], its own: the others get them, to free, with a byte 0. */
ria_status ria_checkpoint_share(ria_sim *sim, ria_status s, void **data, size_t *n);
/* The same of item->data. */
ria_status ria_checkpoint_share_item(ria_sim *sim, ria_status s, const ria_state_item *item);

/* --- checkpoint_behind.c */
/* Copy the present state, and have a worker write it behind all outputs so far, and remove those
 * that are not among the newest `keep`. *copied false and RIA_ERR_MEMORY: nothing was done, on any
 * rank; nor was it where the record is too large. */
ria_status ria_checkpoint_behind(ria_sim *sim, int64_t number, bool *copied);

#endif
