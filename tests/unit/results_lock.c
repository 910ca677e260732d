/* tests/unit/results_lock.c - a results directory belongs to one run at a time, and its lock to
 * ria. */
#include "results.h"
#include "base/context.h"
#include "outputs/results_lock.h"
#include <sys/stat.h>

static void in_one_process(void) {
  ria_sim *first = sim_in("lock", false), *second = sim_in("lock", true);
  CHECK_OK(ctx, ria_sim_advance(first, 1.0));
  CHECK(there("lock/.ria-lock"));
  check_fails(
      second, "lock",
      "is in use by another script or simulation of this process: close that first, or choose "
      "another directory");
  CHECK_OK(ctx, ria_sim_run(first, 3.0)); /* undisturbed */
  CHECK(there("lock/fields.zarr/oil/3.0.0") && !there("lock/.ria-lock"));
  CHECK_OK(ctx, ria_sim_run(first, 4.0)); /* takes it again */
  CHECK(there("lock/fields.zarr/oil/4.0.0") && !there("lock/.ria-lock"));
  CHECK_OK(ctx, ria_sim_run(second, 3.0)); /* it is over: nobody is in the way */
  char expected[700];
  snprintf(expected, sizeof expected,
           "the run cannot go on in directory '%s/lock': its files there were changed, "
           "perhaps by another run",
           files_dir);
  (void)CHECK_FAILS(ctx, ria_sim_run(first, 5.0), RIA_ERR_OUTPUT, expected);
  ria_sim_destroy(&first);
  CHECK_OK(ctx, ria_sim_finish(second));
  ria_sim_destroy(&second);
  CHECK(!there("lock/.ria-lock") && !there("lock/fields.zarr/oil/4.0.0"));
  CHECK_HOLDS(text_of("lock/run.json"), "\"time_s\": 3,");
}

/* A process that holds the directory until it is killed. */
static void in_two_processes(void) {
  int ready[2];
  char byte, expected[256], host[65] = "";
  CHECK(pipe(ready) == 0);
  const pid_t child = fork();
  if (child == 0) {
    ria_sim *sim = sim_in("lock", true);
    if (ria_sim_start(sim) == RIA_OK && write(ready[1], "x", 1) == 1)
      for (;;) pause();
    _exit(1);
  }
  close(ready[1]);
  CHECK(read(ready[0], &byte, 1) == 1);
  close(ready[0]);
  CHECK(gethostname(host, sizeof host - 1) == 0);
  snprintf(expected, sizeof expected,
           "is in use by another run (process %ld on %s): wait for its end, or choose another "
           "directory",
           (long)child, host);
  ria_sim *sim = sim_in("lock", true);
  check_fails(sim, "lock", expected);
  kill(child, SIGKILL);
  CHECK(waitpid(child, NULL, 0) == child);
  CHECK(there("lock/.ria-lock")); /* nobody is left to remove it, the kernel has let go of it */
  CHECK_OK(ctx, ria_sim_run(sim, 3.0));
  ria_sim_destroy(&sim);
  CHECK(!there("lock/.ria-lock"));
}

/* A directory for files that no simulation writes is locked too, until the context ends; its own
 * simulations have it before, and leave it locked. Their results there are no stranger's. */
static void without_simulation(void) {
  char path[600], expected[800];
  snprintf(path, sizeof path, "%s/drawn", files_dir);
  ria_context *ours = ctx, *other = NULL;
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &other));
  CHECK_OK(other, ria_results_make(other, path, false));
  CHECK_OK(other, ria_results_make(other, path, false)); /* it has it */
  CHECK(there("drawn/.ria-lock"));
  snprintf(expected, sizeof expected,
           "directory '%s' is in use by another script or simulation of this process: close that "
           "first, or "
           "choose another directory",
           path);
  CHECK_FAILS(ctx, ria_results_make(ctx, path, true), RIA_ERR_OUTPUT, expected);
  ria_sim *sim = sim_in("drawn", true);
  CHECK_FAILS(ctx, ria_sim_run(sim, 3.0), RIA_ERR_OUTPUT, expected);
  ria_sim_destroy(&sim);

  ctx = other;
  sim = sim_in("drawn", false);
  CHECK_OK(ctx, ria_sim_advance(sim, 1.0));
  CHECK_OK(ctx, ria_results_make(ctx, path, true)); /* the simulation's is ours */
  CHECK_OK(ctx, ria_sim_run(sim, 3.0));
  CHECK(there("drawn/.ria-lock")); /* the hold came back */
  CHECK_FAILS(ours, ria_results_make(ours, path, true), RIA_ERR_OUTPUT, expected);
  CHECK_OK(ctx, ria_results_make(ctx, path, false)); /* results of its own */
  CHECK_OK(ctx, ria_sim_run(sim, 4.0));              /* takes it again */
  ria_sim_destroy(&sim);
  CHECK_FAILS(ours, ria_results_make(ours, path, true), RIA_ERR_OUTPUT, expected);
  CHECK_OK(ctx, ria_results_make(ctx, path, false));
  sim = sim_in("drawn", false);
  CHECK_STATUS(ctx, ria_sim_run(sim, 3.0), RIA_ERR_OUTPUT); /* not to be overwritten */
  ria_sim_destroy(&sim);
  CHECK_FAILS(ours, ria_results_make(ours, path, true), RIA_ERR_OUTPUT, expected);
  run_in("after", false);
  snprintf(path, sizeof path, "%s/after", files_dir);
  CHECK(!there("after/.ria-lock"));
  CHECK_OK(ctx, ria_results_make(ctx, path, false)); /* its simulation is closed */
  CHECK(there("after/.ria-lock"));
  ctx = ours;
  ria_context_destroy(&other);
  CHECK(!there("drawn/.ria-lock") && !there("after/.ria-lock"));
  snprintf(expected, sizeof expected,
           "directory '%s' holds the results of a simulation: choose another, or allow overwriting "
           "(ria run --overwrite)",
           path);
  CHECK_FAILS(ctx, ria_results_make(ctx, path, false), RIA_ERR_OUTPUT, expected);
  run_in("drawn", true);
}

static int known(void) {
  int n = 0;
  for (const ria_results *r = ctx->results; r; r = r->next) n++;
  return n;
}

/* A directory that is removed and made again for each of many runs: only the last stays known. */
static void removed_and_made(void) {
  char err[RIA_ERR_TEXT];
  run_in("once", false);
  const int n = known();
  for (int k = 0; k < 3; k++) {
    /* it is there until the new one is, which so has another number */
    CHECK(rename(files_path("once"), files_path("was")) == 0);
    run_in("once", false);
    CHECK_OK(ctx, ria_tree_remove(files_path("was"), err, sizeof err));
    CHECK_INT(known(), n);
  }
  CHECK(ria_results_own(ctx, files_path("once")));
}

/* What fails before the first step is told by run.json, too; and may be tried again. */
static ria_status cannot_prepare(void *self, double t) {
  (void)t;
  return ria_fail(((toy *)self)->ctx, RIA_ERR_DEVICE, "no device");
}

static void failing_start(void) {
  ria_sim *sim = sim_in("start", false);
  const ria_solver_ops *ops = sim->ops;
  ria_solver_ops broken = *ops;
  broken.prepare = cannot_prepare;
  sim->ops = &broken;
  CHECK_FAILS(ctx, ria_sim_run(sim, 3.0), RIA_ERR_DEVICE, "no device");
  CHECK_HOLDS(text_of("start/run.json"), "\"status\": \"device\",\n  \"error\": \"no device\"");
  CHECK(!there("start/.ria-lock"));
  sim->ops = ops;
  CHECK_OK(ctx, ria_sim_run(sim, 3.0));
  CHECK_HOLDS(text_of("start/run.json"), "\"status\": \"ok\"");
  ria_sim_destroy(&sim);
}

static void foreign_locks(void) {
  CHECK(mkdir(files_path("foreign"), 0777) == 0);
  files_put("foreign/.ria-lock", "something of the user's");
  ria_sim *sim = sim_in("foreign", false);
  CHECK_STATUS(ctx, ria_sim_run(sim, 1.0), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx),
              "foreign/.ria-lock' was not written by ria: choose another directory");
  CHECK_TEXT(text_of("foreign/.ria-lock"), "something of the user's");
  CHECK(unlink(files_path("foreign/.ria-lock")) == 0);
  files_put("victim", "");
  CHECK(symlink(files_path("victim"), files_path("foreign/.ria-lock")) == 0);
  CHECK_STATUS(ctx, ria_sim_run(sim, 1.0), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx),
              "foreign/.ria-lock' was not written by ria: choose another directory");
  CHECK(unlink(files_path("foreign/.ria-lock")) == 0);
  CHECK(link(files_path("victim"), files_path("foreign/.ria-lock")) == 0);
  CHECK_STATUS(ctx, ria_sim_run(sim, 1.0), RIA_ERR_OUTPUT);
  CHECK_TEXT(text_of("victim"), "");
  ria_sim_destroy(&sim);
}

int main(void) {
  files_begin();
  CHECK_OK(ctx, ria_context_create(&(ria_context_desc){.device = "cpu", .threads = 1}, &ctx));
  in_one_process();
  in_two_processes();
  without_simulation();
  removed_and_made();
  failing_start();
  foreign_locks();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
