/* tests/unit/results.c - a results directory: it belongs to one run, what a dead run left in it is
 * cleared, and what no run made stays. */
#include "files.h"
#include "toy.h"
#include "base/context.h"
#include "outputs/output.h"
#include "outputs/results_lock.h"
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static ria_context *ctx;

static bool there(const char *name) { return ria_file_exists(files_path(name)); }
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
static void run_in(const char *dir, bool overwrite) {
  ria_sim *sim = sim_in(dir, overwrite);
  CHECK_OK(ctx, ria_sim_run(sim, 3.0));
  ria_sim_destroy(&sim);
}

/* A process of its own that is killed at 5 s, with frames 0 to 5 made. */
static void killed_in(const char *dir, bool overwrite) {
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
static void check_fails(ria_sim *sim, const char *dir, const char *rest) {
  char expected[700];
  snprintf(expected, sizeof expected, "directory '%s/%s' %s", files_dir, dir, rest);
  (void)CHECK_FAILS(ctx, ria_sim_run(sim, 3.0), RIA_ERR_OUTPUT, expected);
}

/* --- one run at a time ------------------------------------------------------------------------ */

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

/* --- what is listed, when --------------------------------------------------------------------- */

static ria_status add_frames(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)user;
  ria_action act;
  CHECK(!strstr(text_of("list/run.json"), "late"));
  RIA_TRY(ria_frame_action(sim, &(ria_frame_desc){.field = "oil", .name = "late"}, &act));
  return ria_sim_at(sim, info->t + 1.0, &act, NULL);
}

static ria_status look_at_list(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  (void)user;
  CHECK_OK(ctx, ria_writer_flush(sim->outputs->writer));
  const char *text = text_of("list/run.json");
  CHECK_HOLDS(text, "\"status\": \"running\"");
  CHECK_HOLDS(text, "\"name\": \"late\"");
  CHECK_HOLDS(text_of("list/.ria-lock"), "\nframe late 0\n");
  return RIA_OK;
}

static void listed_ahead(void) {
  ria_sim *sim = sim_in("list", false);
  CHECK_OK(ctx, ria_sim_start(sim));
  const char *text = text_of("list/run.json");
  CHECK_HOLDS(text,
              "\"files\": {\n    \"maxima_made\": false,\n    \"frames\": [\n      {\n        "
              "\"name\": \"level\",\n        \"count\": 0\n      }\n    ]");
  CHECK_HOLDS(text, "\"name\": \"fields.zarr\",\n        \"count\": 0,\n        \"made\": false");
  CHECK_HOLDS(text, "\"name\": \"gauges.csv\",\n        \"count\": 0,\n        \"made\": false");
  CHECK_HOLDS(text, "\"name\": \"budget.csv\",\n        \"count\": 0,\n        \"made\": false");
  CHECK_HOLDS(text, "\"maxima\": [\n      \"oil\"\n    ]");
  ria_action act = {.fn = add_frames};
  CHECK_OK(ctx, ria_sim_at(sim, 1.0, &act, NULL));
  act = (ria_action){.fn = look_at_list, .phase = RIA_PHASE_OUTPUT};
  CHECK_OK(ctx, ria_sim_at(sim, 2.5, &act, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 3.0));
  text = text_of("list/run.json");
  CHECK_HOLDS(text, "\"name\": \"late\",\n        \"count\": 1\n");
  CHECK_HOLDS(text, "\"name\": \"fields.zarr\",\n        \"count\": 4\n");
  CHECK(!strstr(text, "made") && !strstr(text, "earlier"));
  ria_sim_destroy(&sim);
}

/* --- what is cleared, and what is not --------------------------------------------------------- */

/* Of a run that ended: what its counts tell. Of one that was killed: what its journal tells. */
static void users_files(bool killed) {
  const char *dir = killed ? "dead" : "done";
  char name[64];
  if (killed)
    killed_in(dir, false);
  else
    run_in(dir, false);
  static const char *const mine[] = {"notes.txt",
                                     "frames/level/film.mp4",
                                     "frames/level/level_0000001.png",
                                     "gauges_mine.csv",
                                     "maxima/mine.png",
                                     ".run.json.ria-0123",
                                     ".notes.txt.ria-0123456789abcdef"};
  for (size_t k = 0; k < sizeof mine / sizeof *mine; k++) {
    snprintf(name, sizeof name, "%s/%s", dir, mine[k]);
    if (killed && strcmp(mine[k], "maxima/mine.png") == 0)
      CHECK(mkdir(files_path("dead/maxima"), 0777) == 0);
    files_put(name, "mine");
  }
  snprintf(name, sizeof name, "%s/mine.zarr", dir);
  CHECK(mkdir(files_path(name), 0777) == 0);
  snprintf(name, sizeof name, "%s/mine.zarr/.zgroup", dir);
  files_put(name, "mine");
  snprintf(name, sizeof name, "%s/.run.json.ria-0123456789abcdef", dir);
  files_put(name, "of a dead run");
  snprintf(name, sizeof name, "%s/frames/level/.level_000001.png.ria-0123456789abcdef", dir);
  files_put(name, "of a dead run");

  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path(dir)); /* makes none of them */
  sim->overwrite = true;
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  ria_sim_destroy(&sim);
  for (size_t k = 0; k < sizeof mine / sizeof *mine; k++) {
    snprintf(name, sizeof name, "%s/%s", dir, mine[k]);
    CHECK_TEXT(text_of(name), "mine");
  }
  static const char *const gone[] = {"frames/level/level_000000.png",
                                     "frames/level/level_000003.png",
                                     "frames/level/.level_000001.png.ria-0123456789abcdef",
                                     "fields.zarr",
                                     "gauges.csv",
                                     "maxima.zarr",
                                     "maxima/oil.png",
                                     ".run.json.ria-0123456789abcdef",
                                     ".ria-lock"};
  for (size_t k = 0; k < sizeof gone / sizeof *gone; k++) {
    snprintf(name, sizeof name, "%s/%s", dir, gone[k]);
    if (!CHECK(!there(name))) fprintf(stderr, "  %s\n", name);
  }
  snprintf(name, sizeof name, "%s/mine.zarr/.zgroup", dir);
  CHECK_TEXT(text_of(name), "mine");
}

/* What a killed run had only planned it did not make: a store of that name is the user's. */
static void planned_only(void) {
  const pid_t child = fork();
  if (child == 0) {
    ria_action act;
    const ria_save_desc save = {.name = "later", .fields = (const char *[]){"oil"}, .n_fields = 1};
    ria_sim *sim = sim_in("planned", false);
    if (ria_save_action(sim, &save, &act) == RIA_OK && ria_sim_at(sim, 8.0, &act, NULL) == RIA_OK) {
      act = (ria_action){.fn = die, .phase = RIA_PHASE_OUTPUT};
      if (ria_sim_at(sim, 5.0, &act, NULL) == RIA_OK) (void)ria_sim_run(sim, 9.0);
    }
    _exit(1);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
  CHECK_HOLDS(text_of("planned/run.json"), "\"name\": \"later.zarr\"");
  CHECK(mkdir(files_path("planned/later.zarr"), 0777) == 0);
  files_put("planned/later.zarr/.zgroup", "mine");
  run_in("planned", true);
  CHECK_TEXT(text_of("planned/later.zarr/.zgroup"), "mine");
}

/* A frame of the user's beyond those that were made, by an ended and by a killed run: it would be
 * written over, so the directory is refused, and nothing is removed. */
static void frames_beyond(void) {
  run_in("beyond", false);
  files_put("beyond/frames/level/level_000004.png", "mine");
  ria_sim *sim = sim_in("beyond", true);
  const char *refused = "holds files that no run of ria made and this one would write over: "
                        "'frames/level/level_000004.png': move them, or choose another directory";
  check_fails(sim, "beyond", refused);
  CHECK(there("beyond/frames/level/level_000003.png") && there("beyond/budget.csv"));
  CHECK_HOLDS(text_of("beyond/run.json"), "\"status\": \"ok\"");
  CHECK(!there("beyond/.ria-lock"));
  CHECK(unlink(files_path("beyond/frames/level/level_000004.png")) == 0);
  killed_in("beyond", true);
  CHECK(there("beyond/frames/level/level_000005.png"));
  files_put("beyond/frames/level/level_000006.png", "mine");
  refused = "holds files that no run of ria made and this one would write over: "
            "'frames/level/level_000006.png': move them, or choose another directory";
  check_fails(sim, "beyond", refused);
  CHECK_HOLDS(text_of("beyond/.ria-lock"), "\nframe level 5\n"); /* not lost by that */
  CHECK(unlink(files_path("beyond/frames/level/level_000006.png")) == 0);
  CHECK_OK(ctx, ria_sim_run(sim, 3.0));
  ria_sim_destroy(&sim);
  CHECK(!there("beyond/frames/level/level_000005.png"));
}

static void in_the_way(void) {
  CHECK(mkdir(files_path("way"), 0777) == 0);
  CHECK(mkdir(files_path("way/frames"), 0777) == 0);
  CHECK(mkdir(files_path("way/frames/level"), 0777) == 0);
  CHECK(mkdir(files_path("way/maxima"), 0777) == 0);
  CHECK(mkdir(files_path("way/fields.zarr"), 0777) == 0);
  files_put("way/budget.csv", "mine");
  files_put("way/gauges.csv", "mine");
  files_put("way/frames/level/level_000000.png", "mine");
  files_put("way/frames/level/level_1.png", "not in the way");
  files_put("way/maxima/oil.png", "mine");
  ria_sim *sim = sim_in("way", false);
  check_fails(sim, "way",
              "holds files that no run of ria made and this one would write over: 'fields.zarr', "
              "'gauges.csv', 'budget.csv', 'frames/level/level_000000.png' and 1 more: move them, "
              "or choose another directory");
  sim->overwrite = true;
  CHECK_STATUS(ctx, ria_sim_run(sim, 1.0), RIA_ERR_OUTPUT);
  CHECK_TEXT(text_of("way/budget.csv"), "mine");
  CHECK(!there("way/run.json") && !there("way/.ria-lock"));
  ria_sim_destroy(&sim);
}

/* Links below the directory are not followed, neither to write nor to remove. */
static void symbolic_links(void) {
  run_in("links", false);
  CHECK(rename(files_path("links/frames"), files_path("elsewhere")) == 0);
  CHECK(rename(files_path("links/fields.zarr"), files_path("moved.zarr")) == 0);
  CHECK(symlink(files_path("elsewhere"), files_path("links/frames")) == 0);
  CHECK(symlink(files_path("moved.zarr"), files_path("links/fields.zarr")) == 0);
  ria_sim *sim = sim_in("links", true);
  check_fails(sim, "links",
              "holds files that no run of ria made and this one would write over: 'fields.zarr' (a "
              "symbolic link), 'frames' (a symbolic link): move them, or choose another directory");
  ria_sim_destroy(&sim);
  sim = toy_sim(ctx, NULL, 0, files_path("links"));
  sim->overwrite = true;
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  ria_sim_destroy(&sim);
  CHECK(there("elsewhere/level/level_000000.png") && there("moved.zarr/.zgroup"));
  CHECK(there("links/frames") && there("links/fields.zarr"));
  CHECK(!there("links/gauges.csv"));
}

static void whose(void) {
  static const char *const others[] = {"{\"maria\": 1, \"ria\": \"5\"}",
                                       "{\"ria\": 5}",
                                       "{\"ria\": \"5\"",
                                       "[\"ria\"]",
                                       "\"ria\":",
                                       ""};
  CHECK(mkdir(files_path("whose"), 0777) == 0);
  ria_sim *sim = sim_in("whose", true);
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
    files_put("whose/run.json", others[k]);
    CHECK_STATUS(ctx, ria_sim_run(sim, 1.0), RIA_ERR_OUTPUT);
    CHECK_HOLDS(ria_error(ctx), "whose/run.json' was not written by ria: choose another directory");
    CHECK_TEXT(text_of("whose/run.json"), others[k]);
  }
  files_put("precious.zarr", "mine");
  files_put("whose/run.json",
            "{\"ria\": \"1\", \"files\": {\"stores\": [{\"name\": \"../precious.zarr\"}]}}");
  CHECK_STATUS(ctx, ria_sim_run(sim, 1.0), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx),
              "whose/run.json' does not list the files to remove ('../precious.zarr'"
              " cannot be the name of a result): choose another directory");
  CHECK_TEXT(text_of("precious.zarr"), "mine");
  files_put("whose/run.json", "{\"ria\": \"1\", \"files\": {\"stores\": [{\"name\": 1}]}}");
  CHECK_STATUS(ctx, ria_sim_run(sim, 1.0), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "does not list the files to remove (its list of files is damaged)");
  /* of versions that did not list the budget */
  files_put("whose/budget.csv", "time_s\n");
  files_put("whose/run.json",
            "{\"ria\": \"0.0.9\", \"status\": \"ok\", \"files\": {\"frames\": []}}");
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  ria_sim_destroy(&sim);
}

/* --- while the run goes on -------------------------------------------------------------------- */

static ria_status remove_gauges(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  (void)sim;
  char table[600];
  snprintf(table, sizeof table, "%s/table/gauges.csv", files_dir);
  if (user) /* in one go: workers look at any time */
    CHECK(rename(files_put("another.csv", "another\n"), table) == 0);
  else
    CHECK(unlink(table) == 0);
  return RIA_OK;
}

static void removed_table(bool replaced) {
  ria_sim *sim = sim_in("table", true);
  const ria_action act = {.fn = remove_gauges, .user = replaced ? "yes" : NULL};
  CHECK_OK(ctx, ria_sim_at(sim, 1.5, &act, NULL));
  CHECK_STATUS(ctx, ria_sim_run(sim, 3.0), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), replaced
                                  ? "table/gauges.csv' was replaced while the run was writing it"
                                  : "table/gauges.csv' was removed while the run was writing it");
  CHECK_HOLDS(text_of("table/run.json"), "\"status\": \"output\"");
  ria_sim_destroy(&sim);
  if (replaced) CHECK(unlink(files_path("table/gauges.csv")) == 0);
}

/* After the last row: noticed when the run closes. */
static ria_status remove_late(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  (void)user;
  CHECK_OK(ctx, ria_writer_flush(sim->outputs->writer));
  CHECK(unlink(files_path("table/gauges.csv")) == 0);
  return RIA_OK;
}

static void removed_at_the_end(void) {
  ria_sim *sim = sim_in("table", true);
  const ria_action act = {.fn = remove_late};
  CHECK_OK(ctx, ria_sim_at(sim, 3.5, &act, NULL));
  CHECK_STATUS(ctx, ria_sim_run(sim, 3.6), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "table/gauges.csv' was removed while the run was writing it");
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
  listed_ahead();
  users_files(false);
  users_files(true);
  planned_only();
  frames_beyond();
  in_the_way();
  symbolic_links();
  whose();
  removed_table(false);
  removed_table(true);
  removed_at_the_end();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
