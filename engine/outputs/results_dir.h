/* outputs/results_dir.h - a results directory, held by one run. Private.
 *
 * The lock. `.ria-lock` in the directory is locked (flock) from the start of a run until its
 * closing outputs are written: by another process, or by another simulation of this one, the
 * directory cannot be taken meanwhile. The kernel lets go of the lock when the process ends,
 * however it does. The file says which process holds it. Where a file system has no locks the first
 * living process of the machine that says so there has the directory, and a line in the log says
 * that other machines are not kept out. A simulation that is run on after its closing outputs takes
 * the lock again, and fails if its results are no longer as it left them.
 *
 * The journal. Before a thing is made for the first time (a frame, a store, a table), a line in the
 * same file says so: a killed run leaves with it the exact list of what it may have made, whatever
 * counts its run.json still shows. When a run has ended well the file is removed.
 *
 * Taking a directory over:
 *   ria_results_lock     the lock
 *   ria_results_examine  what the run.json and the journal of an earlier run list; refused: results
 *                        without leave to overwrite, a run.json that ria did not write, things of
 *                        names that the run is about to write and that no run of ria made
 *   (run.json is written: "running", what will be made, and as "earlier" what is to be removed)
 *   ria_results_clear    remove that, and what dead runs left half-made; a new journal
 *   (run.json is written again without "earlier", where there was any)
 * A run that is killed anywhere in it leaves a directory that the next one can take over so. */
#ifndef RIA_OUTPUTS_RESULTS_DIR_H
#define RIA_OUTPUTS_RESULTS_DIR_H
#include "outputs/results_list.h"

typedef struct ria_results ria_results;

/* For files that no simulation writes: lock the directory until the context is destroyed. A
 * simulation of the context takes the lock over while it runs; then the hold comes back. */
ria_status ria_results_hold(ria_context *ctx, const char *out);
/* Is its run.json what a simulation of the context left there, one that is closed by now or not? Of
 * each path the last is known. */
bool ria_results_own(ria_context *ctx, const char *out);
void ria_results_end(ria_context *ctx); /* of holds, and of what is remembered */

/* `out` exists. Of the user's: a link to a directory is followed. */
ria_status ria_results_lock(ria_context *ctx, const char *out, ria_results **r);
/* What may be done with the results of an earlier run. */
typedef enum ria_results_use {
  RIA_RESULTS_NONE,      /* there must be none */
  RIA_RESULTS_OVERWRITE, /* they give way */
  RIA_RESULTS_ANEW,      /* the same, of a run that was to take checkpoints and came to none */
  RIA_RESULTS_TAKE_UP    /* the run goes on with them */
} ria_results_use;
ria_status ria_results_examine(ria_results *r, ria_results_use use, const ria_results_list *plan);
/* What is to be removed, while it is. */
const ria_results_list *ria_results_earlier(const ria_results *r);
ria_status ria_results_clear(ria_results *r);

/* Of results that are taken up: where earlier runs went on, elements of a JSON array; NULL:
 * nowhere. The journal goes on; remove what is not on the list of what the run has made so far, and
 * of the frames and checkpoints on it what is from `end` on. */
const char *ria_results_continued(const ria_results *r);
void ria_results_keep_journal(ria_results *r);
ria_status ria_results_cut(ria_results *r, const ria_results_list *have);

/* Nothing stands in the way of what is added to a plan in mid-run. */
ria_status ria_results_check(ria_results *r, const ria_results_list *plan);
/* A thing is about to be made. On any thread. */
ria_status ria_results_making(ria_results *r, ria_result_kind kind, const char *name,
                              int64_t number, char *err, size_t errsize);

/* Keep room on the disk for the closing run.json. Nothing to do while there is some. */
bool ria_results_reserved(const ria_results *r);
ria_status ria_results_reserve(ria_results *r, size_t bytes);
/* A file of the directory, to be read; the caller closes *fd. */
ria_status ria_results_open(const ria_results *r, const char *name, int *fd);
/* run.json, whole. closing: into the room that was kept. */
ria_status ria_results_put_run_json(ria_results *r, const char *text, size_t n, bool closing);

/* The closing outputs are written: others may have the directory, until resume. */
void ria_results_pause(ria_results *r);
ria_status ria_results_resume(ria_results *r);
/* Let go of the directory; what the journal says is forgotten if `closed`: run.json tells of all
 * that was made. *r becomes NULL; NULL is allowed. */
void ria_results_release(ria_results **r, bool closed);

#endif
