/* tests/unit/turns_ends.c - runs by turns end: at their time, by a failure, broken off, stopped. */
#include "files.h"
#include "turns.h"

static bool file_has(const char *path, const char *text) {
  return strstr(files_get(path), text) != NULL;
}

/* The closing outputs are written by the wait that says that the run is over. */
static void closing(void) {
  char out[320];
  snprintf(out, sizeof out, "%s", files_path("turns"));
  ria_sim *sim = make(1.0, 4.0, out);
  bool over = false;
  const char *json = files_path("turns/run.json");
  while (!over) {
    CHECK_OK(ctx, ria_sim_queue(sim, 10.0));
    CHECK(file_has(json, "\"status\": \"running\""));
    CHECK_OK(ctx, ria_sim_wait(sim, &over));
  }
  CHECK(file_has(json, "\"status\": \"ok\"") && file_has(json, "\"time_s\": 10"));
  CHECK_STATUS(ctx, ria_sim_wait(sim, &over), RIA_ERR_ARGUMENT);
  ria_sim_destroy(&sim);
}

static void failing(void) {
  char out[320];
  snprintf(out, sizeof out, "%s", files_path("failing"));
  const ria_setting fail = {.name = "fail_at", .number = 4.5};
  ria_sim *sim = toy_sim(ctx, &fail, 1, out);
  ria_status s = RIA_OK;
  bool over = false;
  while (s == RIA_OK && !over) {
    s = ria_sim_queue(sim, 10.0);
    if (s == RIA_OK) s = ria_sim_wait(sim, &over);
  }
  CHECK(s == RIA_ERR_NUMERICAL && over && !sim->run.under_way);
  CHECK_TEXT(ria_error(ctx), "depth is NaN in cell (2, 1) at (125, 215), t = 5 s");
  CHECK(file_has(files_path("failing/run.json"), "\"status\": \"numerical\""));
  CHECK_FAILS(ctx, ria_sim_queue(sim, 10.0), RIA_ERR_NUMERICAL,
              "the simulation failed at t = 5 s: it can be read, not run on");
  ria_sim_destroy(&sim);
}

/* Steps that fail while they are queued: finish says so, and run.json, whatever ends the run. */
static void failing_unwaited(bool finish, const char *name) {
  char out[320], json[400];
  snprintf(out, sizeof out, "%s", files_path(name));
  snprintf(json, sizeof json, "%s/run.json", out);
  ria_sim *sim = make_plain(slow_toy(), &(ria_setting){.name = "fail_at", .number = 0.5}, out);
  CHECK_OK(ctx, ria_sim_queue(sim, 10.0));
  if (finish) {
    CHECK_FAILS(ctx, ria_sim_finish(sim), RIA_ERR_NUMERICAL,
                "depth is NaN in cell (2, 1) at (125, 215), t = 1 s");
    CHECK(file_has(json, "\"status\": \"numerical\"") && !sim->run.under_way);
    CHECK_OK(ctx, ria_sim_finish(sim)); /* nothing is left to do */
  }
  ria_sim_destroy(&sim);
  CHECK(file_has(json, "\"status\": \"numerical\"") && file_has(json, "depth is NaN in cell"));
}

/* A run that ends because another one did says so, whether its steps are queued or not; its own
 * failure comes first. */
static void broken_off(void) {
  static const char why[] = "ended with its neighbour";
  char out[320];
  for (int turns = 0; turns < 2; turns++) {
    snprintf(out, sizeof out, "%s", files_path(turns ? "broken" : "queued"));
    ria_sim *sim = make_plain(slow_toy(), NULL, out);
    CHECK_OK(ctx, ria_sim_queue(sim, 10.0));
    if (turns > 0) CHECK_OK(ctx, ria_sim_wait(sim, NULL));
    CHECK_FAILS(ctx, ria_sim_break_off(sim, why), RIA_INTERRUPTED, why);
    strcat(out, "/run.json");
    CHECK(file_has(out, "\"status\": \"interrupted\"") &&
          file_has(out, "\"error\": \"ended with its neighbour\""));
    CHECK_OK(ctx, ria_sim_break_off(sim, why)); /* nothing is left to break off */
    CHECK(file_has(out, "\"status\": \"interrupted\"") && ria_sim_time(sim) == 1.0);
    CHECK_OK(ctx, ria_sim_run(sim, 10.0)); /* it may be run on */
    CHECK(file_has(out, "\"status\": \"ok\""));
    ria_sim_destroy(&sim);
  }
  ria_sim *sim = make_plain(slow_toy(), &(ria_setting){.name = "fail_at", .number = 0.5}, NULL);
  CHECK_OK(ctx, ria_sim_queue(sim, 10.0));
  CHECK_FAILS(ctx, ria_sim_break_off(sim, why), RIA_ERR_NUMERICAL,
              "depth is NaN in cell (2, 1) at (125, 215), t = 1 s");
  ria_sim_destroy(&sim);
}

static void stopping(void) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  bool over = false;
  CHECK_OK(ctx, ria_sim_queue(sim, 1e6));
  CHECK_OK(ctx, ria_sim_wait(sim, &over));
  ria_sim_stop(sim);
  CHECK_OK(ctx, ria_sim_queue(sim, 1e6));
  CHECK_OK(ctx, ria_sim_wait(sim, &over));
  CHECK(over && ria_sim_steps(sim) == 1);
  CHECK_OK(ctx, ria_sim_queue(sim, 1e6));
  ria_sim_interrupt(sim);
  CHECK_OK(ctx, ria_sim_wait(sim, &over));
  CHECK_FAILS(ctx, ria_sim_queue(sim, 1e6), RIA_INTERRUPTED, "interrupted at t = 5 s");
  CHECK_OK(ctx, ria_sim_queue(sim, 8.0)); /* that run is over: another begins */
  CHECK_OK(ctx, ria_sim_finish(sim));     /* ends it */
  CHECK_OK(ctx, ria_sim_run(sim, 10.0));
  CHECK_OK(ctx, ria_sim_queue(sim, 20.0));
  ria_sim_interrupt(sim);
  CHECK_OK(ctx, ria_sim_finish(sim)); /* an interrupt does not outlive its run */
  CHECK_OK(ctx, ria_sim_run(sim, 30.0));
  ria_sim_destroy(&sim);
}

int main(void) {
  files_begin();
  if (ria_context_create(&(ria_context_desc){.threads = 1}, &ctx) != RIA_OK) return 1;
  closing();
  failing();
  failing_unwaited(true, "finished");
  failing_unwaited(false, "destroyed");
  broken_off();
  stopping();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
