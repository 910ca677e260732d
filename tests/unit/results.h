/* results.h - what the tests of results directories share: runs of the toy that end, or are killed,
 * in a directory. */
#ifndef UNIT_RESULTS_H
#define UNIT_RESULTS_H
#include "files.h"
#include "toy.h"
#include "outputs/output.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static ria_context *ctx;

TEST_UNUSED static bool there(const char *name) { return ria_file_exists(files_path(name)); }
static const char *text_of(const char *name) { return files_get(files_path(name)); }

static ria_status die(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  (void)user;
  (void)ria_writer_flush(sim->outputs->writer);
  kill(getpid(), SIGKILL);
  return RIA_OK;
}

static ria_sim *sim_in(const char *dir, bool overwrite) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path(dir));
  ria_action act;
  sim->overwrite = overwrite;
  CHECK_OK(ctx, ria_frame_action(sim, &(ria_frame_desc){.field = "level"}, &act));
  CHECK_OK(ctx, ria_sim_every(sim, 1.0, 0.0, 0.0, &act, NULL));
  CHECK_OK(ctx, ria_save_action(
                    sim, &(ria_save_desc){.fields = (const char *[]){"oil"}, .n_fields = 1}, &act));
  CHECK_OK(ctx, ria_sim_every(sim, 1.0, 0.0, 0.0, &act, NULL));
  CHECK_OK(ctx,
           ria_sim_gauge(sim, &(ria_gauge_desc){.name = "pier", .x = 115, .y = 215, .every = 1.0},
                         NULL));
  CHECK_OK(ctx, ria_sim_track_maximum(sim, "oil"));
  return sim;
}

/* A run of 3 s that is over, and gone. */
TEST_UNUSED static void run_in(const char *dir, bool overwrite) {
  ria_sim *sim = sim_in(dir, overwrite);
  CHECK_OK(ctx, ria_sim_run(sim, 3.0));
  ria_sim_destroy(&sim);
}

/* A process of its own that is killed at 5 s, with frames 0 to 5 made. */
TEST_UNUSED static void killed_in(const char *dir, bool overwrite) {
  const pid_t child = fork();
  if (child == 0) {
    ria_context *own = ctx;
    ria_sim *sim = sim_in(dir, overwrite);
    const ria_action act = {.fn = die, .phase = RIA_PHASE_OUTPUT};
    if (ria_sim_at(sim, 5.0, &act, NULL) == RIA_OK) (void)ria_sim_run(sim, 9.0);
    fprintf(stderr, "not killed: %s\n", ria_error(own));
    _exit(1);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
}

/* The message, with the name of the scratch directory put in. */
TEST_UNUSED static void check_fails(ria_sim *sim, const char *dir, const char *rest) {
  char expected[700];
  snprintf(expected, sizeof expected, "directory '%s/%s' %s", files_dir, dir, rest);
  (void)CHECK_FAILS(ctx, ria_sim_run(sim, 3.0), RIA_ERR_OUTPUT, expected);
}

#endif
