/* tests/unit/results_overwrite.c - what a run, dead or over, left in a results directory is
 * cleared, and what no run made stays. */
#include "results.h"
#include <sys/stat.h>

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

int main(void) {
  files_begin();
  CHECK_OK(ctx, ria_context_create(&(ria_context_desc){.device = "cpu", .threads = 1}, &ctx));
  users_files(false);
  users_files(true);
  planned_only();
  frames_beyond();
  in_the_way();
  symbolic_links();
  whose();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
