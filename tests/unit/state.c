/* The state by name (ria/state.h): a run that goes on in another simulation, with the solver that
 * examples/own_solver shows; what is refused. */
#include "state.h"
#include <ria/output.h>
#include "../../examples/own_solver/waves.c"

static ria_sim *shelf(ria_context *ctx) {
  const ria_sim_desc desc = {.solver = "waves", .grid = {.nx = 31, .ny = 17, .dx = 100}};
  ria_sim *sim = NULL;
  if (!CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim))) exit(1);
  double bed[31 * 17];
  for (int k = 0; k < 31 * 17; k++) bed[k] = -20 + 0.7 * (k % 31);
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  ria_series *tide = NULL;
  const ria_constituent wave = {NULL, 36000, 1, 20}; /* 36 s */
  CHECK_OK(ctx,
           ria_series_tide(
               ctx, &(ria_tide_desc){.constituents = &wave, .n = 1, .z0 = 0.3, .ramp = 50}, &tide));
  const ria_boundary_desc west = {
      .kind = "level", .side = RIA_WEST, .values = {{"level", {.series = tide}}}};
  CHECK_OK(ctx, ria_boundary_add(sim, &west, NULL));
  ria_series_destroy(&tide);
  const ria_spill_desc spring = {.x = 1500, .y = 800, .has_flow = true, .flow = {.constant = 9}};
  CHECK_OK(ctx, ria_sim_spill(sim, &spring, NULL));
  CHECK_OK(ctx, ria_sim_track_maximum(sim, "level"));
  static const char *const names[] = {"M8"};
  CHECK_OK(ctx, ria_sim_fit(sim, &(ria_fit_desc){.names = names, .n_names = 1, .every = 10}, NULL));
  CHECK_OK(ctx, ria_sim_start(sim));
  return sim;
}

static void made_again(ria_context *ctx) {
  CHECK_OK(ctx, ria_solver_register(ctx, &waves_solver));
  ria_sim *a = shelf(ctx), *b = shelf(ctx), *c = shelf(ctx);
  CHECK_OK(ctx, ria_sim_advance(a, 200));
  CHECK_OK(ctx, ria_sim_step(a, 60));
  CHECK_OK(ctx, ria_sim_advance(b, 200));
  CHECK_OK(ctx, ria_sim_step(b, 13));
  kept half = state_keep(b);
  state_put(c, &half);
  CHECK(c->at.t == b->at.t && c->at.steps == b->at.steps && c->at.dt == b->at.dt);
  CHECK_OK(ctx, ria_sim_step(b, 47));
  CHECK_OK(ctx, ria_sim_step(c, 47));
  kept ends[3] = {state_keep(a), state_keep(b), state_keep(c)};
  state_same(&ends[0], &ends[1], "visited on the way");
  state_same(&ends[0], &ends[2], "gone on in another simulation");
  for (int k = 0; k < 3; k++) kept_free(&ends[k]);
  kept_free(&half);
  ria_sim_destroy(&a);
  ria_sim_destroy(&b);
  ria_sim_destroy(&c);
}

/* A grid that is cut: the same, and its state is that of the whole, which goes on in any number of
 * parts. */
static void cut(ria_context *ctx) {
  enum { CELLS = 31 * 17 };
  double whole[2 * CELLS], parts[2 * CELLS];
  ria_sim *sim[3] = {shelf(ctx)};
  ria_context *of[3] = {ctx};
  for (int k = 1; k < 3; k++) {
    test_parts = 1 + 2 * k;
    of[k] = test_context("cpu", 1);
    CHECK_OK(of[k], ria_solver_register(of[k], &waves_solver));
    sim[k] = shelf(of[k]);
  }
  for (int k = 0; k < 3; k++) {
    double *to = k ? parts : whole;
    CHECK_OK(of[k], ria_sim_advance(sim[k], 200));
    CHECK_OK(of[k], ria_sim_step(sim[k], 60));
    CHECK_OK(of[k], ria_sim_get(sim[k], "level", to));
    CHECK_OK(of[k], ria_sim_get_maximum(sim[k], "level", to + CELLS));
    if (k) CHECK(memcmp(whole, parts, sizeof whole) == 0);
    if (k) CHECK(sim[k]->at.t == sim[0]->at.t && sim[k]->at.dt == sim[0]->at.dt);
  }
  kept now[3], later[3];
  for (int k = 0; k < 3; k++) now[k] = state_keep(sim[k]);
  for (int k = 0; k < 3; k++) {
    state_same(&now[0], &now[k], "in parts");
    state_put(sim[k], &now[(k + 1) % 3]);
    CHECK_OK(of[k], ria_sim_step(sim[k], 9));
    later[k] = state_keep(sim[k]);
    state_same(&later[0], &later[k], "gone on in other parts");
  }
  for (int k = 0; k < 3; k++) kept_free(&now[k]), kept_free(&later[k]);
  test_parts = 0;
  for (int k = 0; k < 3; k++) ria_sim_destroy(&sim[k]);
  for (int k = 1; k < 3; k++) ria_context_destroy(&of[k]);
}

static ria_status hear_itself(void *self, double t) {
  waves *s = self;
  RIA_TRY(prepare(s, t));
  return hear(s, &s->planes.said);
}

/* Parts that hear nobody else go different ways: that ends the run. */
static void deaf(void) {
  ria_solver_ops ops = cpu;
  ops.prepare = hear_itself;
  ria_solver mute = waves_solver;
  ria_sim *sim = NULL;
  double bed[4] = {-1, -1, -2, -2};
  ops.hear = NULL;
  mute.cpu = &ops;
  test_parts = 2;
  ria_context *ctx = test_context("cpu", 1);
  test_parts = 0;
  CHECK_OK(ctx, ria_solver_register(ctx, &mute));
  const ria_sim_desc desc = {.solver = "waves", .grid = {.nx = 2, .ny = 2, .dx = 1}};
  CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim));
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  CHECK_STATUS(ctx, ria_sim_step(sim, 3), RIA_ERR_NUMERICAL);
  CHECK_HOLDS(ria_error(ctx), "parts of the grid do not agree: at step 1 one is at t = 0.");
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
}

/* A visit that fails ends the walk with its status. */
static ria_status fail_third(void *user, const ria_state_item *item) {
  (void)item;
  return ++*(int *)user < 3 ? RIA_OK : RIA_ERR_OUTPUT;
}

static void refused(ria_context *ctx) {
  int visits = 0;
  const ria_state_walk walk = {.visit = fail_third, .user = &visits};
  const ria_state_walk back = {.restores = true, .visit = fail_third, .user = &visits};
  ria_solver_ops ops = cpu;
  ria_solver mute = waves_solver;
  ops.state = NULL;
  mute.name = "mute";
  mute.cpu = &ops;
  ria_sim *sim = NULL;
  const ria_sim_desc desc = {.solver = "mute", .grid = {.nx = 3, .ny = 2, .dx = 1}};
  CHECK_OK(ctx, ria_solver_register(ctx, &mute));
  CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim));
  CHECK_FAILS(ctx, ria_sim_state(sim, &walk), RIA_ERR_ARGUMENT,
              "solver 'mute' cannot name its state");
  ops.state = state;
  sim->whole_ops.state = state;
  CHECK_FAILS(ctx, ria_sim_state(sim, &walk), RIA_ERR_ARGUMENT,
              "a run that was not started has no state to save");
  sim->started = sim->failed = true;
  CHECK_FAILS(ctx, ria_sim_state(sim, &back), RIA_ERR_ARGUMENT,
              "a run that failed has no state to restore");
  sim->failed = false;
  CHECK_STATUS(ctx, ria_sim_state(sim, &walk), RIA_ERR_OUTPUT);
  CHECK_INT(visits, 3);
  sim->started = false;
  ria_sim_destroy(&sim);
}

int main(void) {
  ria_context *ctx = test_context("cpu", 2);
  made_again(ctx);
  cut(ctx);
  deaf();
  refused(ctx);
  ria_context_destroy(&ctx);
  return TEST_END();
}
