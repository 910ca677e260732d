/* tests/unit/changes.c - watching a run and changing it: the next time to land on, how the run
 * stands, the log of changes. */
#include "files.h"
#include "io/json_read.h"
#include "toy.h"

static ria_context *ctx;

static const char *text_of(const char *name) { return files_get(files_path(name)); }

/* --- the next time that steps land on --- */

typedef struct watch {
  double stop[16];
  int n;
} watch;

static ria_status look(ria_sim *sim, const ria_event_info *info, void *user) {
  watch *w = user;
  (void)info;
  w->stop[w->n++ % 16] = ria_sim_next_stop(sim);
  return RIA_OK;
}

static ria_status look_on(ria_sim *sim, const ria_progress_info *info, void *user) {
  const double next = ria_sim_next_stop(sim);
  watch *w = user;
  if (!CHECK(next >= info->t && next <= info->t_end))
    fprintf(stderr, "  %g at %g\n", next, info->t);
  w->n++;
  return RIA_OK;
}

static void next_stops(void) {
  watch w = {0}, told = {0}, first = {0};
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  const ria_action action = {.fn = look, .user = &w, .phase = RIA_PHASE_CALLBACK};
  CHECK_OK(ctx, ria_sim_every(sim, 10.0, 0.0, 0.0, &action, NULL));
  CHECK_OK(ctx, ria_sim_at(sim, 25.0, &action, NULL));
  const ria_action before = {.fn = look, .user = &first};
  CHECK_OK(ctx, ria_sim_at(sim, 20.0, &before, NULL));
  CHECK_OK(ctx, ria_sim_on_progress(sim, 0.0, look_on, &told));
  CHECK_OK(ctx, ria_sim_run(sim, 32.0));
  const double expected[] = {10, 20, 25, 30, 32}; /* seen at 0, 10, 20, 25, 30 */
  CHECK_INT(w.n, 5);
  for (int k = 0; k < 5; k++) CHECK_NEAR(w.stop[k], expected[k], 0.0);
  CHECK(told.n > 0);
  CHECK_NEAR(first.stop[0], 20.0, 0.0); /* another event is due */
  w.n = 0;
  CHECK_OK(ctx, ria_sim_run(sim, 40.0)); /* the event at 40 belongs to the end */
  CHECK_INT(w.n, 1);
  w.n = 0;
  CHECK_OK(ctx, ria_sim_step(sim, 1)); /* no end is known: the next event */
  CHECK_OK(ctx, ria_sim_step(sim, 10));
  CHECK_INT(w.n, 1);
  CHECK_NEAR(w.stop[0], 60.0, 0.0);
  ria_sim_destroy(&sim);
}

/* --- what is scheduled for then shortens no step --- */

static ria_status nothing(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)sim;
  (void)info;
  (void)user;
  return RIA_OK;
}

static ria_status schedule(ria_sim *sim, const ria_event_info *info, void *user) {
  const double earlier = *(const double *)user;
  (void)info;
  return ria_sim_at(sim, ria_sim_next_stop(sim) - earlier, &(ria_action){.fn = nothing}, NULL);
}

/* Steps of 3 s up to 20 s, with an event at 10 s that schedules another. */
static int64_t steps_with(ria_event_fn fn, double earlier) {
  const ria_setting step = {.name = "step", .number = 3.0};
  ria_sim *sim = toy_sim(ctx, &step, 1, NULL);
  CHECK_OK(ctx, ria_sim_at(sim, 10.0, &(ria_action){.fn = fn, .user = &earlier}, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 20.0));
  const int64_t steps = ria_sim_steps(sim);
  ria_sim_destroy(&sim);
  return steps;
}

static void no_step_is_shortened(void) {
  const int64_t steps = steps_with(nothing, 0.0);
  CHECK_INT(steps_with(schedule, 0.0), steps);
  CHECK(steps_with(schedule, 3.5) > steps);
}

/* --- how a run stands --- */

/* How it stands, on one line; NULL: that failed, or is no JSON. */
static char *line_of(ria_sim *sim) {
  ria_json_reader r;
  char *json, *to;
  if (!CHECK_OK(ctx, ria_sim_stands(sim, &json))) return NULL;
  CHECK(ria_json_begin(&r, json, strlen(json)));
  to = json;
  for (const char *c = json; *c; c++) {
    *to++ = *c;
    if (c[1] == '\n') c += 1 + strspn(c + 2, " ");
  }
  *to = '\0';
  return json;
}

typedef struct stand {
  char *json;
  double t;
} stand;

static ria_status ask(ria_sim *sim, const ria_event_info *info, void *user) {
  stand *s = user;
  s->t = info->t;
  RIA_TRY(ria_sim_note_change(sim, "sim:spill { mass = \"1 kg\" }"));
  s->json = line_of(sim);
  return RIA_OK;
}

static void stands(void) {
  stand s = {0};
  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path("stands"));
  ria_action frame, save, tell = {.fn = ask, .user = &s, .phase = RIA_PHASE_OUTPUT};
  const ria_save_desc level = {.fields = (const char *[]){"level"}, .n_fields = 1};
  CHECK_OK(ctx, ria_frame_action(sim, &(ria_frame_desc){.field = "oil", .name = "slick"}, &frame));
  CHECK_OK(ctx, ria_sim_every(sim, 5.0, 0.0, 0.0, &frame, NULL));
  CHECK_OK(ctx, ria_save_action(sim, &level, &save));
  CHECK_OK(ctx, ria_sim_every(sim, 5.0, 0.0, 0.0, &save, NULL));
  CHECK_OK(ctx, ria_sim_at(sim, 10.0, &tell, NULL));
  CHECK_OK(ctx,
           ria_boundary_add(
               sim, &(ria_boundary_desc){.name = "west", .kind = "drain", .side = RIA_WEST}, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 16.0));
  if (!CHECK(s.json && s.t == 10.0)) return;
  CHECK_HOLDS(s.json,
              "{\"time_s\": 10,\"steps\": 10,\"dt_min_s\": 1,\"cause\": \"the parameter step\","
              "\"warning\": \"\",\"next_stop_s\": 15,\"series\": [{");
  CHECK_HOLDS(s.json, "\"changes\": [\"sim:spill { mass = \\\"1 kg\\\" }\"]");
  CHECK_HOLDS(s.json, "{\"name\": \"west\",\"kind\": \"drain\"}");
  free(s.json);
  s.json = line_of(sim); /* by now all pictures are made */
  CHECK_HOLDS(s.json, "\"name\": \"slick\",\"field\": \"oil\"");
  CHECK_HOLDS(s.json, "\"times_s\": [0,5,10,15]");
  CHECK_HOLDS(s.json, "\"stores\": [{\"name\": \"fields.zarr\",\"count\": 4}]");
  free(s.json);
  ria_sim_destroy(&sim);
}

/* --- the log of changes --- */

static const char *const head =
    "-- Changes made while the run went on. To repeat it: ria run SCRIPT --changes changes.lua\n"
    "local sim, ria = ...\n";

static ria_status note(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  return ria_sim_note_change(sim, user);
}

static void log_of_changes(void) {
  char expected[400];
  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path("noted"));
  CHECK_OK(ctx, ria_sim_note_change(sim, "first()")); /* before there is a directory */
  const ria_action second = {.fn = note, .user = "second(\"x\")"};
  CHECK_OK(ctx, ria_sim_at(sim, 3.0, &second, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 2.0));
  snprintf(expected, sizeof expected, "%sfirst()\n", head);
  CHECK_TEXT(text_of("noted/changes.lua"), expected);
  CHECK_OK(ctx, ria_sim_run(sim, 4.0));
  snprintf(expected, sizeof expected, "%sfirst()\nsecond(\"x\")\n", head);
  CHECK_TEXT(text_of("noted/changes.lua"), expected);
  ria_sim_destroy(&sim);
  CHECK_HOLDS(text_of("noted/run.json"), "second(\\\"x\\\")");
  CHECK_HOLDS(text_of("noted/run.json"), "changes.lua");

  sim = toy_sim(ctx, NULL, 0, NULL); /* without results there is no file to write */
  CHECK_OK(ctx, ria_sim_at(sim, 3.0, &second, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 4.0));
  char *json = line_of(sim);
  CHECK_HOLDS(json, "\"changes\": [\"second(\\\"x\\\")\"]");
  free(json);
  CHECK_FAILS(ctx, ria_sim_note_change(sim, NULL), RIA_ERR_ARGUMENT, "a change is missing");
  CHECK_FAILS(ctx, ria_sim_note_change(sim, "a()\nb()"), RIA_ERR_ARGUMENT,
              "a change is one line of Lua, without line breaks");
  CHECK_FAILS(ctx, ria_sim_stands(sim, NULL), RIA_ERR_ARGUMENT,
              "there is no place for how the run stands");
  ria_sim_destroy(&sim);
}

int main(void) {
  files_begin();
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  next_stops();
  no_step_is_shortened();
  stands();
  log_of_changes();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
