/* run/checkpoints.c - checkpoints that a run takes by itself in its results directory, and going on
 * from the newest that is whole.
 *
 * They are taken where the loop stands between steps, marked in the record as taken by the clock:
 * when that is leaves no other trace, so a run that is repeated needs no more than to pass over
 * them. A batch of steps is made short enough to end near the time of the next (batches show in no
 * result); steps are as they would be. */
#include "base/clock.h"
#include "base/context.h"
#include "base/grid.h"
#include "base/ranks.h"
#include "base/text.h"
#include "forcing/forcing.h"
#include "io/file.h"
#include "outputs/output.h"
#include "run/checkpoints.h"
#include "run/run.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEPT = 2 };

/* --- asking ----------------------------------------------------------------------------------- */

static ria_status check_desc(ria_sim *sim, const ria_checkpoints_desc *d) {
  ria_context *ctx = sim->ctx;
  if (sim->started)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "checkpoints are asked for before the run starts");
  if (!d || !(d->every >= 0.0) || !isfinite(d->every) || !(d->wall >= 0.0) || !isfinite(d->wall))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "the time between two checkpoints must be 0 s or more");
  if (d->keep < 0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%d checkpoints to keep: 1 or more (0 = %d)", d->keep,
                    KEPT);
  if (d->every == 0.0 && d->wall == 0.0 && !d->at_end)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "checkpoints need a time: every so much simulated time, wall time, or at the "
                    "end of the run");
  return RIA_OK;
}

ria_status ria_sim_checkpoints(ria_sim *sim, const ria_checkpoints_desc *desc) {
  ria_keeping *k;
  RIA_TRY(ria_out_needed(sim, "checkpoints"));
  RIA_TRY(check_desc(sim, desc));
  RIA_TRY(ria_keeping_make(sim, &k));
  RIA_TRY(ria_sim_record(sim));
  k->desc = *desc;
  if (!k->desc.keep) k->desc.keep = KEPT;
  k->wanted = true;
  k->next = desc->every > 0.0 ? desc->every : INFINITY;
  k->next_wall = 0.0; /* from the first batch on */
  return RIA_OK;
}

/* --- files ------------------------------------------------------------------------------------ */

static ria_status path_of(ria_sim *sim, int64_t number, char **path) {
  char name[RIA_CHECKPOINT_NAME], below[RIA_CHECKPOINT_NAME + sizeof RIA_CHECKPOINTS];
  ria_checkpoint_name(number, name);
  snprintf(below, sizeof below, RIA_CHECKPOINTS "/%s", name);
  return ria_out_path(sim, below, path);
}

typedef struct looking {
  int64_t below, found; /* the greatest number less than below */
} looking;

static int look_at(void *user, int dir, const char *file) {
  looking *l = user;
  const int64_t number = ria_checkpoint_number(file);
  (void)dir;
  if (number < l->below && number > l->found) l->found = number;
  return 0;
}

/* The greatest number less than `below` of a file that is there; 0: there is none. */
static ria_status newest(ria_sim *sim, int64_t below, int64_t *number) {
  looking l = {.below = below};
  char err[RIA_ERR_TEXT], *path = NULL;
  RIA_TRY(ria_out_path(sim, RIA_CHECKPOINTS, &path));
  const int dir = ria_disk_open(path);
  const int code = dir >= 0 ? ria_dir_each(dir, look_at, &l) : errno == ENOENT ? 0 : errno;
  ria_status s = RIA_OK;
  if (code) s = ria_error_errno(code, err, sizeof err, "cannot read directory", path);
  if (dir >= 0) close(dir);
  free(path);
  *number = l.found;
  if (s == RIA_OK) return RIA_OK;
  return ria_fail(sim->ctx, s == RIA_ERR_MEMORY ? s : RIA_ERR_INPUT, "%s", err);
}

static ria_status remove_older(ria_sim *sim, const ria_keeping *k, int64_t newest_one) {
  int64_t number = newest_one - k->desc.keep + 1;
  for (;;) {
    char err[RIA_ERR_TEXT], *path = NULL;
    RIA_TRY(newest(sim, number, &number));
    if (!number) return RIA_OK;
    RIA_TRY(path_of(sim, number, &path));
    const ria_status s = ria_tree_remove(path, err, sizeof err);
    free(path);
    if (s != RIA_OK) return ria_fail(sim->ctx, s, "%s", err);
  }
}

/* --- taking them ------------------------------------------------------------------------------ */

/* While the run waits. */
static ria_status put_now(ria_sim *sim, int64_t number) {
  char *path = NULL, *folder = NULL;
  const bool own = ria_ranks_write(sim->ctx);
  ria_status s = own ? ria_out_path(sim, RIA_CHECKPOINTS, &folder) : RIA_OK;
  if (s == RIA_OK && own) s = path_of(sim, number, &path);
  if (s == RIA_OK && own) s = ria_out_dir_make(sim, folder);
  if (s == RIA_OK) s = ria_outputs_settle(sim); /* it must not claim what is not on disk */
  s = ria_checkpoint_put(sim, s, path);
  free(path);
  free(folder);
  return s == RIA_OK && own ? remove_older(sim, sim->keeping, number) : s;
}

static ria_status put_file(ria_sim *sim, int64_t number) {
  bool copied; /* then a failure, for lack of memory too, is the writer's: rank 0 alone has it */
  const ria_status s = ria_checkpoint_behind(sim, number, &copied);
  if (copied || s != RIA_ERR_MEMORY) return s;
  ria_error_clear(sim->ctx);
  return put_now(sim, number);
}

/* The record is marked as when progress is told: by the clock. */
static ria_status take(ria_sim *sim) {
  ria_keeping *k = sim->keeping;
  bool done;
  RIA_TRY(ria_checkpoint_can(sim));
  if (k->writes) RIA_TRY(ria_writer_flush(sim->outputs->writer)); /* the one before */
  RIA_TRY(ria_sim_settle(sim));
  RIA_TRY(ria_forcing_sync(sim));
  sim->record.muted = true;
  ria_status s = ria_record_saved(sim, &done);
  sim->record.muted = false;
  RIA_TRY(s);
  s = put_file(sim, k->number + 1);
  if (s == RIA_OK && sim->record.too_large) return s;
  if (s != RIA_OK) {
    ria_record_unsave(sim);
    return s;
  }
  k->number++;
  k->taken = sim->at.steps;
  return RIA_OK;
}

static void give_up(ria_sim *sim) {
  sim->keeping->given_up = true;
  ria_log(sim->ctx,
          "  no more checkpoints: the run has read whole fields so often that its record is larger "
          "than %d MiB (ask for statistics or single cells instead)",
          RIA_RECORD_MOST >> 20);
}

/* Ranks hear at the next of rank 0 that its record was given up. */
static bool takes(ria_sim *sim) {
  const ria_keeping *k = sim->keeping;
  if (!k || !k->wanted || k->given_up || !sim->out) return false;
  if (!sim->record.too_large || sim->ctx->ranks) return true;
  give_up(sim);
  return false;
}

/* waits: for the one before, where that is still being written. */
static ria_status take_or_skip(ria_sim *sim, bool waits) {
  ria_keeping *k = sim->keeping;
  ria_verdict verdict = sim->record.too_large ? RIA_GIVE_UP
                        : k->writes && !waits ? RIA_SKIP_IT
                                              : RIA_TAKE_IT;
  RIA_TRY(ria_checkpoint_decide(sim, &verdict));
  if (verdict == RIA_TAKE_IT) return take(sim);
  if (verdict == RIA_GIVE_UP)
    give_up(sim);
  else
    k->skipped++;
  return RIA_OK;
}

/* The next times: of simulated time, from the present on where that is past one. */
static void plan_next(ria_sim *sim, bool past) {
  ria_keeping *k = sim->keeping;
  const double t = sim->at.t + ria_time_slack(sim->at.t), every = k->desc.every;
  if (past) k->next = every > 0.0 ? every * (floor(t / every) + 1.0) : INFINITY;
  k->next_wall = k->desc.wall > 0.0 ? ria_wall_clock() + k->desc.wall : INFINITY;
  sim->run.saves = false;
}

/* One that ends a run is taken before the events of its last state, which it may also end. A state
 * has one: what a host does between two runs there, --until would have done at another time. */
static bool is_due(const ria_sim *sim) {
  const ria_keeping *k = sim->keeping;
  if (k->taken == sim->at.steps) return false;
  if (k->desc.at_end && ria_sim_interrupted(sim)) return true;
  if (sim->at.t >= k->next - ria_time_slack(k->next)) return true;
  return sim->ctx->ranks ? sim->run.saves : ria_wall_clock() >= k->next_wall;
}

int64_t ria_checkpoints_steps(const ria_sim *sim, int64_t most) {
  const ria_keeping *k = sim->keeping;
  if (!k || !k->wanted || k->given_up || sim->record.replays || !(sim->at.dt > 0.0)) return most;
  const double left = (k->next - sim->at.t) / sim->at.dt;
  if (!(left < (double)most)) return most;
  return left > 10.0 ? (int64_t)(0.9 * left) : 1;
}

ria_status ria_checkpoints_turn(ria_sim *sim) {
  bool done, passed = false;
  while (ria_record_is_saved_here(sim)) {
    RIA_TRY(ria_forcing_sync(sim)); /* as when it was taken */
    RIA_TRY(ria_record_saved(sim, &done));
    passed = true;
  }
  if (sim->record.replays || !takes(sim)) return RIA_OK;
  ria_keeping *k = sim->keeping;
  if (passed) k->taken = sim->at.steps;
  if (passed || k->next_wall == 0.0) plan_next(sim, passed); /* the first time here */
  if (passed) return RIA_OK;
  if (!is_due(sim)) return RIA_OK;
  RIA_TRY(take_or_skip(sim, ria_sim_interrupted(sim)));
  plan_next(sim, true);
  return RIA_OK;
}

ria_status ria_checkpoint_now(ria_sim *sim) { return take_or_skip(sim, true); }

static void tell_skipped(ria_sim *sim) {
  ria_keeping *k = sim->keeping;
  if (!k || !k->skipped) return;
  ria_log(sim->ctx, "  %lld checkpoint%s skipped: the one before was still being written",
          (long long)k->skipped, k->skipped == 1 ? " was" : "s were");
  k->skipped = 0;
}

ria_status ria_checkpoints_end(ria_sim *sim, ria_status end) {
  RIA_TRY(ria_checkpoints_turn(sim));
  tell_skipped(sim);
  if (sim->record.replays || !takes(sim) || !sim->keeping->desc.at_end) return RIA_OK;
  if ((end != RIA_OK && end != RIA_INTERRUPTED) || !sim->started || sim->at.steps == 0)
    return RIA_OK;
  return sim->keeping->taken == sim->at.steps ? RIA_OK : take_or_skip(sim, true);
}

/* --- going on --------------------------------------------------------------------------------- */

static ria_status check_continue(ria_sim *sim) {
  RIA_TRY(ria_out_needed(sim, "runs that go on"));
  if (sim->keep) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "a simulation goes on in its results directory if it was made to keep what is "
                  "there (`keep` of ria_sim_desc)");
}

/* A file that this user, or a limited script, may not read may be whole: it is not passed over. */
static bool is_refused(ria_status s, const char *path) {
  return s == RIA_ERR_LIMIT || (access(path, R_OK) != 0 && errno == EACCES);
}

/* Is the file whole? A line in the log where it is not, and why. */
static ria_status look_whole(ria_sim *sim, const char *path, bool *whole, char *why, size_t size) {
  ria_pieces_in in;
  const ria_status s = ria_pieces_open(&in, sim->ctx, path, why, size);
  *whole = s == RIA_OK;
  if (*whole)
    ria_pieces_shut(&in);
  else if (s == RIA_ERR_MEMORY || is_refused(s, path))
    return ria_fail(sim->ctx, s, "checkpoint: %s", why);
  else
    ria_log(sim->ctx, "  checkpoint passed over: %s", why);
  return RIA_OK;
}

static ria_status find_whole(ria_sim *sim, int64_t *number, char **path) {
  char why[RIA_ERR_TEXT], newest_why[RIA_ERR_TEXT] = "";
  *number = INT64_MAX;
  for (;;) {
    bool whole;
    RIA_TRY(newest(sim, *number, number));
    if (!*number) break;
    RIA_TRY(path_of(sim, *number, path));
    ria_status s = look_whole(sim, *path, &whole, why, sizeof why);
    if (s == RIA_OK && whole) return RIA_OK;
    free(*path);
    *path = NULL;
    RIA_TRY(s);
    if (!newest_why[0]) memcpy(newest_why, why, sizeof why);
  }
  if (!newest_why[0]) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_INPUT,
                  "no checkpoint in '%s/" RIA_CHECKPOINTS
                  "' is whole: the run can only start again "
                  "(overwrite = true; ria run --overwrite). Of the newest: %s",
                  sim->out, newest_why);
}

/* Rank 0 looks, and all take what it finds; *path NULL: nothing is there. */
static ria_status find_for_all(ria_sim *sim, int64_t *number, char **path) {
  const bool own = ria_ranks_write(sim->ctx);
  void *found = number;
  size_t n = sizeof *number;
  ria_status s = own ? find_whole(sim, number, path) : RIA_OK;
  if (!own) found = NULL;
  s = ria_checkpoint_share(sim, s, &found, &n);
  if (own || s != RIA_OK) return s;
  memcpy(number, found, sizeof *number);
  free(found);
  return *number ? path_of(sim, *number, path) : RIA_OK;
}

ria_status ria_sim_continue(ria_sim *sim, char *from, size_t size) {
  ria_keeping *k;
  int64_t number;
  char *path = NULL;
  if (size) from[0] = '\0';
  RIA_TRY(check_continue(sim));
  RIA_TRY(ria_keeping_make(sim, &k));
  RIA_TRY(find_for_all(sim, &number, &path));
  k->sought = true;
  if (!path) return RIA_OK;
  const ria_status s = ria_sim_restore(sim, path);
  if (s == RIA_OK) k->number = number;
  if (s == RIA_OK && size) snprintf(from, size, "%s", path);
  free(path);
  return s;
}

static ria_status take_up(ria_sim *sim, void *unused) {
  ria_keeping *k = sim->keeping;
  (void)unused;
  if (!sim->outputs->taking_up) return RIA_OK;
  if (!k->number) RIA_TRY(newest(sim, INT64_MAX, &k->number)); /* from another file: all stay */
  return ria_outputs_take_up(sim);
}

ria_status ria_checkpoints_resume(ria_sim *sim) {
  return ria_rooted(sim, take_up, NULL, "results are taken up");
}
