/* Memory is refused to one rank of several: all hear of it and end with what it said, and none
 * waits for ever. Ranks are threads here (by_threads.h); what they do alone: memory_runs.c. */
#include "base/context.h"
#include "files.h"
#include "places.h"
#define malloc __real_malloc /* letters are no memory of the library's */
#include "by_threads.h"
#undef malloc
#include <ria/boundary.h>
#include <ria/checkpoint.h>
#include <ria/output.h>

enum { NX = 9, NY = 12, RANKS = 2 };

typedef struct job {
  ria_status end[RANKS]; /* where one failed after the last meeting: what the others heard */
  char said[RANKS][RIA_ERROR_MAX];
} job;

static ria_context *main_ctx; /* for places_refuse: what rank 0 said */

static ria_status set_up(ria_sim *sim) {
  static const char *const fields[] = {"level", "u"}, *const fit[] = {"M2"};
  const ria_boundary_desc sea = {
      .kind = "level", .side = RIA_WEST, .values = {{"level", {0.3, NULL}}}};
  const ria_spill_desc leak = {.tracer = "oil", .x = 45, .y = 60, .radius = 25, .rate = {1, NULL}};
  const ria_gauge_desc gauge = {.name = "pier", .x = 45, .y = 60, .every = 1};
  const ria_frame_desc frame = {.field = "level", .no_decor = true, .width = 32};
  ria_action action = {0};
  RIA_TRY(ria_sim_set_constant(sim, "bed", -2));
  RIA_TRY(ria_sim_set_constant(sim, "level", 0));
  RIA_TRY(ria_boundary_add(sim, &sea, NULL));
  RIA_TRY(ria_sim_spill(sim, &leak, NULL));
  RIA_TRY(ria_sim_gauge(sim, &gauge, NULL));
  RIA_TRY(ria_sim_track_maximum(sim, "speed"));
  RIA_TRY(ria_sim_fit(sim, &(ria_fit_desc){.names = fit, .n_names = 1, .every = 1}, NULL));
  RIA_TRY(ria_save_action(sim, &(ria_save_desc){fields, 2, NULL, 0, 0, 0}, &action));
  RIA_TRY(ria_sim_every(sim, 2, 0, 0, &action, NULL));
  RIA_TRY(ria_frame_action(sim, &frame, &action));
  RIA_TRY(ria_sim_every(sim, 2, 0, 0, &action, NULL));
  return ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.at_end = true});
}

/* The first error ends it. */
static ria_status run(ria_context *ctx) {
  static const ria_tracer oil = {.name = "oil"};
  const ria_sim_desc desc = {.solver = "shallow_water",
                             .grid = {NX, NY, 10, 10, 0, 0, 0},
                             .tracers = &oil,
                             .n_tracers = 1,
                             .out = files_path("ranks"),
                             .overwrite = true,
                             .no_page = true};
  double v[NX * NY];
  ria_sim *sim = NULL;
  ria_status s = ria_sim_create(ctx, &desc, &sim);
  if (s == RIA_OK) s = set_up(sim);
  if (s == RIA_OK) s = ria_sim_run(sim, 3);
  if (s == RIA_OK) s = ria_sim_get(sim, "level", v);
  if (s == RIA_OK) s = ria_sim_finish(sim);
  const bool heard = ria_context_ended(ctx, s, s == RIA_OK ? NULL : ria_error(ctx));
  ria_sim_destroy(&sim);
  return heard ? RIA_ERR_MEMORY : s;
}

static ria_status by_rank(job *j, ria_comm *comm) {
  ria_context *ctx = NULL;
  const ria_context_desc desc = {.device = "cpu", .threads = 1, .writers = 1, .comm = comm};
  places_rest_here = true; /* a rank without a context ends all */
  if (!CHECK_OK(NULL, ria_context_create(&desc, &ctx))) exit(1);
  places_rest_here = false;
  const ria_status s = run(ctx);
  places_rest_here = true;
  snprintf(j->said[comm->rank], RIA_ERROR_MAX, "%s", ria_error(ctx));
  ria_context_leave(ctx, s != RIA_OK);
  ria_context_destroy(&ctx);
  return s;
}

static void rank_main(ria_comm *comm, void *user) {
  job *j = user;
  j->end[comm->rank] = by_rank(j, comm);
}

static ria_status all(void *user) {
  job *j = user;
  ranks_run(RANKS, rank_main, j);
  ria_status s = RIA_OK;
  for (int k = 0; k < RANKS; k++)
    if (j->end[k] != RIA_OK) s = j->end[k];
  for (int k = 0; k < RANKS; k++) {
    const bool told = s == RIA_OK || strstr(j->said[k], "memory");
    if (!CHECK(j->end[k] == s && told))
      fprintf(stderr, "  rank %d: %s: %s\n", k, ria_status_name(j->end[k]), j->said[k]);
  }
  if (s != RIA_OK) ria_fail(main_ctx, s, "%s", j->said[0]);
  return s;
}

int main(void) {
  files_begin();
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu", .threads = 1}, &main_ctx));
  static job runs;
  places_refuse(main_ctx, "run", all, &runs, 3);
  ria_context_destroy(&main_ctx);
  files_end();
  return TEST_END();
}
