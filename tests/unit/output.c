/* tests/unit/output.c - what a run leaves in its directory, and what it refuses to touch. */
#include "base/text.h"
#include "files.h"
#include "io/writer.h"
#include "outputs/output.h"
#include "toy.h"
#include <sys/stat.h>
#include <unistd.h>

static ria_context *ctx;

/* Text of a file below the scratch directory; see files_get. */
static const char *text_of(const char *name) { return files_get(files_path(name)); }

static bool there(const char *name) { return ria_file_exists(files_path(name)); }

static int lines(const char *text) {
  int n = 0;
  for (; *text; text++) n += *text == '\n';
  return n;
}

/* --- a run with everything --- */

static void ask_for_all(ria_sim *sim) {
  ria_action act;
  CHECK_OK(ctx, ria_frame_action(sim, &(ria_frame_desc){.field = "level"}, &act));
  CHECK_OK(ctx, ria_sim_every(sim, 10.0, 0.0, 0.0, &act, NULL));
  CHECK_OK(ctx, ria_frame_action(
                    sim, &(ria_frame_desc){.field = "oil", .name = "slick", .scale = RIA_SCALE_LOG},
                    &act));
  CHECK_OK(ctx, ria_sim_at(sim, 5.0, &act, NULL));
  CHECK_OK(ctx, ria_sim_at(sim, 15.0, &act, NULL));
  CHECK_OK(ctx, ria_save_action(
                    sim, &(ria_save_desc){.fields = (const char *[]){"bed", "oil"}, .n_fields = 2},
                    &act));
  CHECK_OK(ctx, ria_sim_every(sim, 4.0, 0.0, 0.0, &act, NULL));
  CHECK_OK(ctx,
           ria_sim_gauge(sim, &(ria_gauge_desc){.name = "pier", .x = 115, .y = 215, .every = 5.0},
                         NULL));
  CHECK_OK(ctx, ria_sim_gauge(sim,
                              &(ria_gauge_desc){.name = "buoy",
                                                .x = 125,
                                                .y = 225,
                                                .every = 5.0,
                                                .n_fields = 1,
                                                .fields = (const char *[]){"depth"}},
                              NULL));
  CHECK_OK(ctx,
           ria_sim_gauge(sim, &(ria_gauge_desc){.name = "slow", .x = 125, .y = 225, .every = 7.5},
                         NULL));
  CHECK_OK(ctx, ria_sim_track_maximum(sim, "oil"));
  CHECK_OK(ctx, ria_sim_track_maximum(sim, "level"));
  CHECK_OK(ctx, ria_boundary_add(sim,
                                 &(ria_boundary_desc){.name = "river",
                                                      .kind = "feed",
                                                      .stretch = true,
                                                      .from = {100, 200},
                                                      .to = {100, 220},
                                                      .values = {{"q", {.constant = 4.0}}},
                                                      .tracers = {{0}, {.constant = 0.5}}},
                                 NULL));
  CHECK_OK(ctx,
           ria_sim_spill(sim, &(ria_spill_desc){.tracer = "oil", .x = 115, .y = 215, .mass = 20.0},
                         NULL));
  CHECK_OK(ctx, ria_sim_set_provenance(sim, "{\"script\": \"a.lua\", \"args\": [1, \"}\"]}"));
}

static void check_gauges(ria_sim *sim) {
  const char *text = text_of("run/gauges.csv");
  CHECK(strncmp(text, "time_s,pier.level,pier.oil,pier.salt,buoy.depth\n0,0,", 51) == 0);
  CHECK_INT(lines(text), 1 + 5);
  CHECK_INT(lines(text_of("run/gauges_7.5s.csv")), 1 + 3);
  const double *t, *v;
  size_t n;
  CHECK_OK(ctx, ria_sim_gauge_history(sim, "pier", "oil", &t, &v, &n));
  CHECK(n == 5 && t[4] == 20.0 && v[0] == 0.1);
  CHECK_NEAR(v[4], 0.1 * exp(-0.02), 1e-12);
  CHECK_OK(ctx, ria_sim_gauge_history(sim, "buoy", "depth", &t, &v, &n));
  CHECK(n == 5 && v[2] == 2.0);
  CHECK_FAILS(ctx, ria_sim_gauge_history(sim, "buyo", "depth", &t, &v, &n), RIA_ERR_ARGUMENT,
              "no gauge is named 'buyo': did you mean 'buoy'?");
  CHECK_FAILS(ctx, ria_sim_gauge_history(sim, "buoy", "level", &t, &v, &n), RIA_ERR_ARGUMENT,
              "gauge 'buoy' does not record 'level'");
}

static void check_json(void) {
  static const char *const parts[] = {
      "{\n  \"ria\": \"",
      "\"status\": \"ok\"",
      "\"title\": \"Toy\"",
      "\"solver\": \"toy\"",
      "\"step\": 1,",
      "\"name\": \"oil\"",
      "\"decay_per_s\": 0.001",
      "\"nx\": 6",
      "\"x0\": 100",
      "\"epoch\": null,",
      "\"precision\": \"double\"",
      "\"device\": \"cpu\"",
      "\"time_s\": 20,",
      "\"steps\": 2",
      "\"dt_min\": {\n    \"dt_s\": 1,",
      "\"cause\": \"the parameter step\"",
      "\"name\": \"stuff\",\n      \"unit\": \"m^3\",\n      \"initial\": 4000,\n      \"stored\": "
      "4080,\n      \"inflow\": 80,",
      "\"name\": \"river\",\n      \"kind\": \"feed\",\n      \"side\": \"west\",\n      "
      "\"cells\": 2,",
      "\"released_kg\": 20",
      "\"state\": \"done\"",
      "\"name\": \"slick\",\n        \"count\": 2",
      "\"name\": \"fields.zarr\",\n        \"count\": 6",
      "\"run\": {\"script\": \"a.lua\", \"args\": [1, \"}\"]}\n}\n"};
  const char *text = text_of("run/run.json");
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) CHECK_HOLDS(text, parts[k]);
}

static void everything(void) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path("run"));
  ask_for_all(sim);
  CHECK(!there("run"));
  char first[512];
  CHECK(!ria_sim_first_frame(sim, first, sizeof first));
  CHECK_OK(ctx, ria_sim_start(sim));
  CHECK_HOLDS(text_of("run/run.json"), "\"status\": \"running\"");
  CHECK_OK(ctx, ria_sim_run(sim, 20.0));
  CHECK(ria_sim_first_frame(sim, first, sizeof first));
  CHECK_TEXT(first, files_path("run/frames/level/level_000000.png"));
  CHECK(there("run/frames/level/level_000000.png") && there("run/frames/level/level_000002.png"));
  CHECK(!there("run/frames/level/level_000003.png"));
  CHECK(there("run/frames/slick/slick_000001.png"));
  CHECK(there("run/fields.zarr/.zmetadata") && there("run/fields.zarr/oil/5.0.0"));
  CHECK_HOLDS(text_of("run/fields.zarr/time/.zattrs"), "\"units\": \"s\""); /* no epoch, no date */
  CHECK(there("run/fields.zarr/bed/0.0") && !there("run/fields.zarr/oil/6.0.0"));
  CHECK(there("run/maxima.zarr/oil/0.0") && there("run/maxima/level.png"));
  const char *budget = text_of("run/budget.csv");
  CHECK(strncmp(budget, "time_s,stuff_stored,stuff_inflow,", 33) == 0);
  CHECK_HOLDS(budget, "\n20,4080,80,0,0,0,0,");
  check_gauges(sim);
  check_json();
  CHECK_OK(ctx, ria_sim_run(sim, 30.0)); /* goes on in the same files */
  CHECK(there("run/frames/level/level_000003.png"));
  CHECK_INT(lines(text_of("run/gauges.csv")), 1 + 7);
  CHECK_HOLDS(text_of("run/run.json"), "\"time_s\": 30,");
  CHECK_OK(ctx, ria_sim_finish(sim));
  CHECK_OK(ctx, ria_sim_report(sim));
  ria_sim_destroy(&sim);
}

/* --- directories --- */

static void refusing(void) {
  const char *old = "refuse to touch what is not ours";
  files_put("run/notes.txt", old);
  CHECK(mkdir(files_path("run/mine.zarr"), 0777) == 0);
  files_put("run/mine.zarr/data", old);
  files_put("run/frames/level/other.png", old);
  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path("run"));
  CHECK_STATUS(ctx, ria_sim_run(sim, 1.0), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx),
              "holds the results of an earlier run: choose another, or allow overwriting");
  CHECK(ria_sim_time(sim) == 0.0 && there("run/frames/level/level_000003.png"));
  sim->overwrite = true;
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  CHECK(!there("run/frames/level/level_000003.png") && !there("run/frames/slick"));
  CHECK(!there("run/fields.zarr") && !there("run/gauges.csv") && !there("run/gauges_7.5s.csv"));
  CHECK(!there("run/maxima") && !there("run/maxima.zarr"));
  CHECK_TEXT(text_of("run/notes.txt"), old);
  CHECK_TEXT(text_of("run/mine.zarr/data"), old);
  CHECK_TEXT(text_of("run/frames/level/other.png"), old);
  ria_sim_destroy(&sim);

  files_put("run/run.json", "{\"name\": \"somebody else's\"}");
  sim = toy_sim(ctx, NULL, 0, files_path("run"));
  sim->overwrite = true;
  CHECK_STATUS(ctx, ria_sim_run(sim, 1.0), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "was not written by ria: choose another directory");
  ria_sim_destroy(&sim);
}

static void unwritable(void) {
  files_put("file", "a file where a directory should be");
  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path("file/run"));
  CHECK_STATUS(ctx, ria_sim_run(sim, 1.0), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "file");
  CHECK(ria_sim_time(sim) == 0.0);
  ria_sim_destroy(&sim);
}

/* The directory goes away while the run is under way: an error of the run, not a crash. */
static ria_status break_frames(ria_sim *sim, const ria_event_info *info, void *user) {
  char err[RIA_ERR_TEXT];
  (void)sim;
  (void)info;
  (void)user;
  CHECK(ria_tree_remove(files_path("broken/frames"), err, sizeof err) == RIA_OK);
  files_put("broken/frames", "no directory any more");
  return RIA_OK;
}

static void failing_writers(void) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path("broken"));
  ria_action act;
  CHECK_OK(ctx, ria_frame_action(sim, &(ria_frame_desc){.field = "level"}, &act));
  CHECK_OK(ctx, ria_sim_every(sim, 1.0, 0.0, 0.0, &act, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  act = (ria_action){.fn = break_frames};
  CHECK_OK(ctx, ria_sim_at(sim, 1.5, &act, NULL));
  CHECK_STATUS(ctx, ria_sim_run(sim, 100.0), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "level_00000");
  CHECK_HOLDS(text_of("broken/run.json"), "\"status\": \"output\"");
  CHECK_STATUS(ctx, ria_sim_finish(sim), RIA_ERR_OUTPUT);
  ria_sim_destroy(&sim);
}

/* --- ends other than the planned one --- */

static ria_status interrupt(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  (void)user;
  ria_sim_interrupt(sim);
  return RIA_OK;
}

static ria_status fail(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  (void)user;
  return ria_fail(ria_sim_context(sim), RIA_ERR_CALLBACK, "line 7: \"boom\"");
}

static void other_ends(void) {
  const ria_setting broken = {.name = "fail_at", .number = 2.5};
  ria_action act;
  ria_sim *sim = toy_sim(ctx, &broken, 1, files_path("numerical"));
  CHECK_OK(ctx,
           ria_sim_gauge(sim, &(ria_gauge_desc){.name = "pier", .x = 115, .y = 215, .every = 1.0},
                         NULL));
  CHECK_OK(ctx, ria_sim_track_maximum(sim, "oil"));
  CHECK_FAILS(ctx, ria_sim_run(sim, 9.0), RIA_ERR_NUMERICAL,
              "depth is NaN in cell (2, 1) at (125, 215), t = 3 s");
  CHECK_INT(lines(text_of("numerical/gauges.csv")), 1 + 3);
  CHECK(there("numerical/maxima.zarr/oil/0.0"));
  ria_sim_destroy(&sim); /* must not write "ok" over it */
  CHECK_HOLDS(text_of("numerical/run.json"), "\"status\": \"numerical\"");
  CHECK_HOLDS(text_of("numerical/run.json"), "\"error\": \"depth is NaN in cell (2, 1) at");

  sim = toy_sim(ctx, NULL, 0, files_path("interrupted"));
  act = (ria_action){.fn = interrupt};
  CHECK_OK(ctx, ria_sim_at(sim, 3.0, &act, NULL));
  CHECK_FAILS(ctx, ria_sim_run(sim, 9.0), RIA_INTERRUPTED, "interrupted at t = 3 s");
  CHECK_HOLDS(text_of("interrupted/run.json"), "\"status\": \"interrupted\"");
  CHECK_HOLDS(text_of("interrupted/budget.csv"), "\n3,4000,");
  ria_sim_destroy(&sim);

  sim = toy_sim(ctx, NULL, 0, files_path("callback"));
  act = (ria_action){.fn = fail};
  CHECK_OK(ctx, ria_sim_at(sim, 3.0, &act, NULL));
  CHECK_FAILS(ctx, ria_sim_run(sim, 9.0), RIA_ERR_CALLBACK, "line 7: \"boom\"");
  CHECK_HOLDS(text_of("callback/run.json"), "\"error\": \"line 7: \\\"boom\\\"\"");
  ria_sim_destroy(&sim);

  sim = toy_sim(ctx, NULL, 0, files_path("stepped")); /* closed by destroy at the latest */
  CHECK_OK(ctx, ria_sim_advance(sim, 2.0));
  CHECK_HOLDS(text_of("stepped/run.json"), "\"status\": \"running\"");
  ria_sim_destroy(&sim);
  CHECK_HOLDS(text_of("stepped/run.json"), "\"status\": \"ok\"");
}

/* --- what is asked for wrongly --- */

static void wrong_outputs(void) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  ria_action act;
  CHECK_FAILS(ctx, ria_frame_action(sim, &(ria_frame_desc){.field = "level"}, &act),
              RIA_ERR_ARGUMENT,
              "frames need an output directory: the simulation was made without one");
  CHECK_STATUS(ctx, ria_save_action(sim, &(ria_save_desc){0}, &act), RIA_ERR_ARGUMENT);
  const double *t, *v;
  size_t n;
  ria_handle h;
  CHECK_OK(ctx, ria_sim_gauge(
                    sim, &(ria_gauge_desc){.name = "pier", .x = 115, .y = 215, .every = 1.0}, &h));
  CHECK_OK(ctx, ria_sim_run(sim, 3.0)); /* gauges in memory need no directory */
  CHECK_OK(ctx, ria_sim_gauge_history(sim, "pier", "level", &t, &v, &n));
  CHECK_INT(n, 4);
  CHECK_OK(ctx, ria_sim_cancel(sim, h));
  CHECK_OK(ctx, ria_sim_run(sim, 5.0));
  CHECK_OK(ctx, ria_sim_gauge_history(sim, "pier", "level", &t, &v, &n));
  CHECK_INT(n, 4);
  CHECK_STATUS(ctx, ria_sim_cancel(sim, h), RIA_ERR_ARGUMENT);
  ria_sim_destroy(&sim);

  sim = toy_sim(ctx, NULL, 0, files_path("never"));
  const struct {
    ria_frame_desc d;
    const char *text;
  } frames[] = {
      {{.field = "lvl"},
       "unknown field 'lvl': known are bed, depth, level, oil, salt, oil_load, salt_load"},
      {{.field = "oil", .min = 2, .max = 1}, "frames of 'oil': min 2 must be less than max 1"},
      {{.field = "oil", .min = -2, .max = 0, .scale = RIA_SCALE_LOG},
       "frames of 'oil': max is 0, a log scale needs it above 0"},
      {{.field = "oil", .arrows = true}, "frames of 'oil': solver 'toy' has no velocity to draw"},
      {{.field = "oil", .name = "a/b"},
       "the name 'a/b' of frames becomes a file's: it may hold letters, digits, _ - + and ., up to "
       "63"},
      {{.field = "oil", .width = -1},
       "frames of 'oil': -1 x 0 pixels, each may be 64 to 16384 (0 = chosen)"},
  };
  for (size_t k = 0; k < sizeof frames / sizeof *frames; k++)
    CHECK_FAILS(ctx, ria_frame_action(sim, &frames[k].d, &act), RIA_ERR_ARGUMENT, frames[k].text);
  CHECK_STATUS(ctx, ria_frame_action(sim, &(ria_frame_desc){.field = "oil", .map = "vridis"}, &act),
               RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "unknown colour map 'vridis': did you mean 'viridis'?");
  CHECK_OK(ctx, ria_frame_action(sim, &(ria_frame_desc){.field = "oil"}, &act));
  CHECK_FAILS(ctx, ria_frame_action(sim, &(ria_frame_desc){.field = "salt", .name = "oil"}, &act),
              RIA_ERR_ARGUMENT,
              "frames named 'oil' show 'oil' already: give those of 'salt' another name");
  ria_save_desc save = {.fields = (const char *[]){"oil", "oil"}, .n_fields = 2};
  CHECK_FAILS(ctx, ria_save_action(sim, &save, &act), RIA_ERR_ARGUMENT, "a save names 'oil' twice");
  save.n_fields = 1;
  CHECK_OK(ctx, ria_save_action(sim, &save, &act));
  CHECK_OK(ctx, ria_save_action(sim, &save, &act)); /* the same store again */
  save.precision = 1e-3;
  CHECK_STATUS(ctx, ria_save_action(sim, &save, &act), RIA_ERR_ARGUMENT);
  save.name = "maxima";
  CHECK_STATUS(ctx, ria_save_action(sim, &save, &act), RIA_ERR_ARGUMENT);
  save = (ria_save_desc){.fields = save.fields, .n_fields = 1, .level = 10};
  CHECK_STATUS(ctx, ria_save_action(sim, &save, &act), RIA_ERR_ARGUMENT);
  ria_gauge_desc g = {.name = "pier", .x = 99, .y = 215, .every = 1.0};
  CHECK_FAILS(ctx, ria_sim_gauge(sim, &g, NULL), RIA_ERR_ARGUMENT,
              "gauge 'pier': (99, 215) lies outside the domain, x 100 to 160, y 200 to 240");
  g.x = 115;
  g.every = 0.0;
  CHECK_STATUS(ctx, ria_sim_gauge(sim, &g, NULL), RIA_ERR_ARGUMENT);
  g.every = 1.0;
  g.fields = (const char *[]){"level", "nope"};
  g.n_fields = 2;
  CHECK_STATUS(ctx, ria_sim_gauge(sim, &g, NULL), RIA_ERR_ARGUMENT);
  g.n_fields = 1;
  CHECK_OK(ctx, ria_sim_gauge(sim, &g, NULL));
  CHECK_FAILS(ctx, ria_sim_gauge(sim, &g, NULL), RIA_ERR_ARGUMENT,
              "there is a gauge named 'pier' already");
  CHECK_STATUS(ctx, ria_sim_budget_every(sim, -1.0), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_set_provenance(sim, "[1]"), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_set_provenance(sim, "{\"a\": [1}"), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_set_provenance(sim, "{} {}"), RIA_ERR_ARGUMENT);
  ria_sim_destroy(&sim);
  CHECK(!there("never")); /* nothing ran, nothing was made */
}

/* --- many gauges, and rows of the budget --- */

static void many_gauges(void) {
  enum { N = 20000 };
  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path("many"));
  char name[32];
  for (int k = 0; k < N; k++) {
    snprintf(name, sizeof name, "g%d", k);
    ria_gauge_desc g = {.name = name, .x = 100.5 + k % 59, .y = 200.5 + k % 39, .every = 1.0};
    if (!CHECK_OK(ctx, ria_sim_gauge(sim, &g, NULL))) break;
  }
  CHECK_OK(ctx, ria_sim_run(sim, 3.0));
  const double *t, *v;
  size_t n;
  CHECK_OK(ctx, ria_sim_gauge_history(sim, "g19999", "oil", &t, &v, &n));
  CHECK_INT(n, 4);
  ria_sim_destroy(&sim);
}

static void budget_rows(void) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path("rows"));
  CHECK_OK(ctx, ria_sim_gauge(sim, &(ria_gauge_desc){.name = "g", .x = 115, .y = 215, .every = 1.0},
                              NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 5000.0));
  int n = lines(text_of("rows/budget.csv")) - 1;
  CHECK(n > 400 && n <= 1000);
  ria_sim_destroy(&sim);
  sim = toy_sim(ctx, NULL, 0, files_path("rows2"));
  CHECK_OK(ctx, ria_sim_budget_every(sim, 4.0));
  CHECK_OK(ctx, ria_sim_budget_every(sim, 2.0));
  CHECK_OK(ctx, ria_sim_run(sim, 11.0));
  CHECK_INT(lines(text_of("rows2/budget.csv")), 1 + 6 + 1);
  ria_sim_destroy(&sim);
}

/* --- the summary --- */

static char said[8192];

static void keep(void *user, const char *line) {
  (void)user;
  ria_append(said, sizeof said, "%s\n", line);
}

/* Releases of one name are one line, with how many there were; run.json lists each. */
static void many_spills(void) {
  ria_context *own = NULL;
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu", .log = keep}, &own));
  ria_sim *sim = toy_sim(own, NULL, 0, files_path("spills"));
  ria_spill_desc spill = {.tracer = "oil", .name = "tank", .x = 115, .y = 215, .mass = 0.5};
  for (int k = 0; k < 79; k++) {
    spill.start = 0.1 * k;
    CHECK_OK(own, ria_sim_spill(sim, &spill, NULL));
  }
  spill = (ria_spill_desc){.tracer = "salt", .name = "tank", .x = 115, .y = 215, .mass = 3};
  CHECK_OK(own, ria_sim_spill(sim, &spill, NULL));
  spill = (ria_spill_desc){.tracer = "oil", .name = "drum", .x = 115, .y = 215, .mass = 2};
  for (int k = 0; k < 3; k++) {
    spill.start = 1.0 + 100.0 * k;
    CHECK_OK(own, ria_sim_spill(sim, &spill, NULL));
  }
  CHECK_OK(own, ria_sim_run(sim, 20.0));
  CHECK_OK(own, ria_sim_report(sim));
  CHECK_HOLDS(said, "\n  spills\n"
                    "    tank                    39.5 kg of oil released by 79 spills\n"
                    "    tank                       3 kg of salt released\n"
                    "    drum                       2 kg of oil released by 1 of 3 spills\n"
                    "  written to ");
  const char *at = text_of("spills/run.json");
  int n = 0;
  while ((at = strstr(at, "\"released_kg\": ")) != NULL) n++, at++;
  CHECK_INT(n, 83);
  ria_sim_destroy(&sim);
  ria_context_destroy(&own);
}

/* The summary tells of maxima only where the last closing wrote all: not after one that failed. */
static void whole_again(void) {
  static const char *const line = "    maxima.zarr, maxima/: 1 field\n";
  char err[RIA_ERR_TEXT];
  ria_context *own = NULL;
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu", .log = keep}, &own));
  ria_sim *sim = toy_sim(own, NULL, 0, files_path("whole"));
  CHECK_OK(own, ria_sim_track_maximum(sim, "level"));
  for (int k = 1; k <= 3; k++) {
    if (k == 2) {
      CHECK(ria_tree_remove(files_path("whole/maxima"), err, sizeof err) == RIA_OK);
      files_put("whole/maxima", "no directory any more");
    } else if (k == 3) {
      CHECK(remove(files_path("whole/maxima")) == 0);
    }
    CHECK_STATUS(own, ria_sim_run(sim, 2.0 * k), k == 2 ? RIA_ERR_OUTPUT : RIA_OK);
    said[0] = '\0';
    CHECK_OK(own, ria_sim_report(sim));
    CHECK((strstr(said, line) != NULL) == (k != 2));
  }
  ria_sim_destroy(&sim);
  ria_context_destroy(&own);
}

/* Of several tables that cannot be written the budget is named, the last of them. */
static void first_told(void) {
  ria_context *own = NULL;
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu", .writers = 1}, &own));
  ria_sim *sim = toy_sim(own, NULL, 0, files_path("told"));
  const ria_gauge_desc pier = {.name = "pier", .x = 115, .y = 215, .every = 1};
  CHECK_OK(own, ria_sim_gauge(sim, &pier, NULL));
  CHECK_OK(own, ria_sim_run(sim, 5.0));
  CHECK(remove(files_path("told/gauges.csv")) == 0 && remove(files_path("told/budget.csv")) == 0);
  ria_status s = ria_sinks_sync(sim); /* the second may be told of the first, or the flush is */
  if (s == RIA_OK) s = ria_writer_flush(sim->outputs->writer);
  CHECK(s == RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(own), "told/budget.csv");
  ria_sim_destroy(&sim);
  ria_context_destroy(&own);
}

int main(void) {
  files_begin();
  CHECK_OK(ctx, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  everything();
  refusing();
  unwritable();
  failing_writers();
  other_ends();
  wrong_outputs();
  many_gauges();
  budget_rows();
  many_spills();
  whole_again();
  first_told();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
