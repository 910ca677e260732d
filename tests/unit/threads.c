/* unit.threads: two contexts in two threads, each making simulations one after the other, with
 * frames, stores, gauges and maxima, neither disturb each other nor share anything: both give the
 * same bits. ThreadSanitizer runs this test too (tests/README.md). */
#include "files.h"

#include <pthread.h>
#include <ria/ria.h>

enum { THREADS = 2, RUNS = 4, NX = 30, NY = 20 };

typedef struct worker {
  pthread_t thread;
  int id;
  char dir[320];         /* results go below it */
  double level[NX * NY]; /* at the end of the last run */
  double sum;            /* of all levels of all runs */
  char error[512];       /* the first; "" when all went well */
} worker;

static ria_status add_river(ria_sim *sim) {
  const ria_boundary_desc river = {
      .kind = "discharge", .side = RIA_WEST, .values = {{"q", {.constant = 80.0}}}};
  return ria_boundary_add(sim, &river, NULL);
}

static ria_status add_outputs(ria_sim *sim) {
  const char *const fields[] = {"level", "oil"};
  ria_action frame, save;
  RIA_TRY(ria_sim_track_maximum(sim, "level"));
  RIA_TRY(ria_frame_action(sim, &(ria_frame_desc){.field = "level"}, &frame));
  RIA_TRY(ria_sim_every(sim, 10.0, 0.0, 0.0, &frame, NULL));
  RIA_TRY(ria_save_action(sim, &(ria_save_desc){.fields = fields, .n_fields = 2}, &save));
  RIA_TRY(ria_sim_every(sim, 10.0, 0.0, 0.0, &save, NULL));
  const ria_gauge_desc gauge = {.name = "mid", .x = 150.0, .y = 100.0, .every = 5.0};
  return ria_sim_gauge(sim, &gauge, NULL);
}

static ria_status run(worker *w, ria_sim *sim) {
  RIA_TRY(ria_sim_set_constant(sim, "bed", -2.0));
  RIA_TRY(ria_sim_set_constant(sim, "level", 0.0));
  RIA_TRY(add_river(sim));
  RIA_TRY(add_outputs(sim));
  RIA_TRY(ria_sim_run(sim, 60.0));
  RIA_TRY(ria_sim_finish(sim));
  return ria_sim_get(sim, "level", w->level);
}

static ria_status one_run(worker *w, ria_context *ctx, int k) {
  char out[400];
  snprintf(out, sizeof out, "%s/%d_%d", w->dir, w->id, k);
  const ria_tracer oil = {.name = "oil", .decay = 1e-5, .diffusion = 0.1};
  const ria_sim_desc desc = {.solver = k % 2 ? "adi" : "shallow_water",
                             .grid = {.nx = NX, .ny = NY, .dx = 10.0, .dy = 10.0},
                             .tracers = &oil,
                             .n_tracers = 1,
                             .out = out};
  ria_sim *sim = NULL;
  RIA_TRY(ria_sim_create(ctx, &desc, &sim));
  ria_status s = run(w, sim);
  ria_sim_destroy(&sim);
  for (int i = 0; i < NX * NY; i++) w->sum += w->level[i];
  return s;
}

/* An error of one context is not seen by the other. */
static ria_status one_error(ria_context *ctx) {
  ria_sim *sim = NULL;
  const ria_sim_desc wrong = {.solver = "nope", .grid = {.nx = 2, .ny = 2, .dx = 1.0, .dy = 1.0}};
  if (ria_sim_create(ctx, &wrong, &sim) == RIA_ERR_ARGUMENT && strstr(ria_error(ctx), "nope"))
    return RIA_OK;
  ria_sim_destroy(&sim);
  return RIA_ERR_CALLBACK;
}

static void *work(void *arg) {
  worker *w = arg;
  ria_context *ctx = NULL;
  const ria_context_desc desc = {.threads = 1, .writers = 2, .device = "cpu"};
  ria_status s = ria_context_create(&desc, &ctx);
  for (int k = 0; s == RIA_OK && k < RUNS; k++) {
    s = one_run(w, ctx, k);
    if (s == RIA_OK) s = one_error(ctx);
  }
  if (s != RIA_OK)
    snprintf(w->error, sizeof w->error, "%s: %s", ria_status_name(s), ria_error(ctx));
  ria_context_destroy(&ctx);
  return NULL;
}

int main(void) {
  static worker w[THREADS];
  files_begin();
  for (int k = 0; k < THREADS; k++) {
    w[k].id = k;
    snprintf(w[k].dir, sizeof w[k].dir, "%s", files_dir);
    CHECK(pthread_create(&w[k].thread, NULL, work, &w[k]) == 0);
  }
  for (int k = 0; k < THREADS; k++) {
    pthread_join(w[k].thread, NULL);
    CHECK_TEXT(w[k].error, "");
  }
  CHECK(isfinite(w[0].sum) && w[0].sum != 0.0);
  CHECK(w[0].sum == w[1].sum);
  CHECK(memcmp(w[0].level, w[1].level, sizeof w[0].level) == 0);
  files_end();
  return TEST_END();
}
