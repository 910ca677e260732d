/* tests/unit/turns_queued.c - what may be asked of a simulation, and what not, while its steps are
 * queued. */
#include "turns.h"

static void between(void) {
  ria_sim *sim = make(1.0, 4.0, NULL);
  double v[24];
  bool over = true;
  ria_handle late = 0;
  CHECK_FAILS(ctx, ria_sim_wait(sim, NULL), RIA_ERR_ARGUMENT,
              "there are no steps to wait for: queue some first (ria_sim_queue)");
  CHECK_OK(ctx, ria_sim_queue(sim, 30.0));
  CHECK(sim->run.stepping && ria_sim_time(sim) == 0.0);
  CHECK_FAILS(ctx, ria_sim_queue(sim, 30.0), RIA_ERR_ARGUMENT,
              "steps are queued already: wait for them first (ria_sim_wait)");
  CHECK_FAILS(ctx, ria_sim_run(sim, 30.0), RIA_ERR_ARGUMENT,
              "a simulation cannot be run while its run to t = 30 s is under way: go on with "
              "ria_sim_queue and ria_sim_wait until it is over");
  CHECK_STATUS(ctx, ria_sim_step(sim, 1), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_advance(sim, 1.0), RIA_ERR_ARGUMENT);
  CHECK_FAILS(ctx, ria_sim_set_constant(sim, "level", 1.0), RIA_ERR_ARGUMENT,
              "'level' cannot be set while steps are under way: wait for them first "
              "(ria_sim_wait)");
  CHECK(sim->run.stepping);
  CHECK_OK(ctx, ria_sim_get(sim, "level", v)); /* waits */
  CHECK(!sim->run.stepping);
  CHECK_STATUS(ctx, ria_sim_set_constant(sim, "level", 1.0), RIA_ERR_ARGUMENT);
  CHECK_OK(ctx, ria_sim_wait(sim, &over));
  CHECK(!over);
  CHECK_FAILS(ctx, ria_sim_queue(sim, 20.0), RIA_ERR_ARGUMENT,
              "a run to t = 30 s is under way: it cannot be one to 20 s before it is over");
  CHECK_OK(ctx, ria_sim_queue(sim, 30.0));
  CHECK_FAILS(ctx, ria_sim_at(sim, 0.1, &(ria_action){.fn = pour}, &late), RIA_ERR_ARGUMENT,
              "an event at 0.1 s: it must be at or after the present, 1 s");
  CHECK_OK(ctx, ria_sim_wait(sim, &over));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 1.0)); /* between two turns */
  CHECK_OK(ctx, ria_sim_queue(sim, 30.0));
  ria_sim_destroy(&sim); /* waits for what is queued */
}

/* After a step of 1 s, 84 are queued when this returns. */
static void queue_many(ria_sim *sim) {
  CHECK_OK(ctx, ria_sim_queue(sim, 1000.0));
  CHECK_OK(ctx, ria_sim_wait(sim, NULL));
  sim->run.batch = 84;
  CHECK_OK(ctx, ria_sim_queue(sim, 1000.0));
  CHECK(sim->run.stepping && ria_sim_time(sim) == 1.0);
}

/* What a spill has released includes what it gives in the steps that are queued. */
static void spilling(bool cancel) {
  const ria_spill_desc leak = {.tracer = "oil", .x = 115, .y = 215, .rate = {1.0, NULL}};
  ria_sim *sim = make_plain(slow_toy(), NULL, NULL);
  ria_budget_row row[4];
  ria_handle handle = 0;
  double released = 0.0;
  size_t n = 4;
  CHECK_OK(ctx, ria_sim_spill(sim, &leak, &handle));
  queue_many(sim);
  if (cancel) CHECK_OK(ctx, ria_sim_cancel(sim, handle));
  CHECK_OK(ctx, ria_sim_spill_released(sim, handle, &released));
  CHECK(!sim->run.stepping && ria_sim_time(sim) == 85.0);
  CHECK_OK(ctx, ria_sim_wait(sim, NULL));
  CHECK_OK(ctx, ria_sim_budget(sim, row, &n));
  CHECK_NEAR(row[1].sources, 85.0, 1e-9);
  CHECK_NEAR(released, 85.0, 1e-9);
  ria_sim_destroy(&sim);
}

/* The value of a parameter that follows a series is the one after the steps. */
static void varying(void) {
  ria_param_info table[sizeof toy_param_table / sizeof *toy_param_table];
  memcpy(table, toy_param_table, sizeof table);
  table[1].type = RIA_VARYING; /* fail_at */
  ria_solver solver = *slow_toy();
  solver.params = table;
  const double t[] = {0.0, 1000.0}, v[] = {0.0, 2000.0};
  ria_series *twice = NULL;
  double now = 0.0;
  CHECK_OK(ctx, ria_series_table(ctx, &(ria_table_desc){.t = t, .v = v, .n = 2}, &twice));
  ria_sim *sim = make_plain(&solver, NULL, NULL);
  CHECK_OK(ctx, ria_sim_vary(sim, "fail_at", &(ria_value){.series = twice}));
  queue_many(sim);
  CHECK_OK(ctx, ria_sim_param(sim, "fail_at", &now));
  CHECK(!sim->run.stepping);
  CHECK_NEAR(now, 2.0 * 85.0, 1e-9);
  ria_sim_destroy(&sim);
  ria_series_destroy(&twice);
}

static ria_status never(ria_sim *sim, const ria_event_info *info, void *user, bool *out) {
  (void)sim;
  (void)info;
  (void)user;
  *out = false;
  return RIA_OK;
}

enum { ASKS = 9 };

static ria_status ask(ria_sim *sim, int k) {
  const ria_action act = {.fn = pour, .phase = RIA_PHASE_CALLBACK};
  const ria_gauge_desc quay = {.name = "quay", .x = 105, .y = 225, .every = 1000.0};
  double v[24], out;
  ria_summary summary;
  ria_stats stats;
  ria_budget_row row[4];
  size_t n = 4;
  switch (k) {
  case 0:
    return ria_sim_every(sim, 1000.0, -1.0, 0.0, &act, NULL);
  case 1:
    return ria_sim_when(sim, never, 1000.0, false, &act, NULL);
  case 2:
    return ria_sim_gauge(sim, &quay, NULL);
  case 3:
    return ria_sim_budget(sim, row, &n);
  case 4:
    return ria_sim_summary(sim, &summary);
  case 5:
    return ria_sim_stats(sim, "level", &stats);
  case 6:
    return ria_sim_track_maximum(sim, "level");
  case 7:
    return ria_sim_probe(sim, "level", 105, 205, v);
  default:
    return ria_boundary_flux(sim, 1, "stuff", v, &out);
  }
}

/* Whatever asks for the state, or begins at the present time, waits for the steps first. */
static void asking(void) {
  const ria_boundary_desc wall = {.kind = "closed", .side = RIA_WEST};
  for (int k = 0; k < ASKS; k++) {
    ria_sim *sim = make_plain(slow_toy(), NULL, NULL);
    CHECK_OK(ctx, ria_boundary_add(sim, &wall, NULL));
    CHECK_OK(ctx, ria_sim_queue(sim, 30.0));
    CHECK_OK(ctx, ask(sim, k));
    if (!CHECK(!sim->run.stepping && ria_sim_time(sim) > 0.0)) fprintf(stderr, "  ask %d\n", k);
    CHECK_OK(ctx, ria_sim_wait(sim, NULL));
    ria_sim_destroy(&sim);
  }
}

int main(void) {
  if (ria_context_create(&(ria_context_desc){.threads = 1}, &ctx) != RIA_OK) return 1;
  between();
  spilling(true);
  spilling(false);
  asking();
  varying();
  ria_context_destroy(&ctx);
  return TEST_END();
}
