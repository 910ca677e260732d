/* tests/unit/results_list.c - the files that run.json lists before they are made, and files that
 * are taken away from a run. */
#include "results.h"

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
  listed_ahead();
  removed_table(false);
  removed_table(true);
  removed_at_the_end();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
