/* unit.boundaries: boundaries that are added, changed, overlap or are wrong; series that must cover
 * the run. */
#include "forcing.h"

static double flux(ria_sim *sim, const char *name, const char *quantity, bool in) {
  ria_boundary_id id = 0;
  double a = NAN, b = NAN;
  CHECK_OK(ria_sim_context(sim), ria_boundary_find(sim, name, &id));
  CHECK_OK(ria_sim_context(sim), ria_boundary_flux(sim, id, quantity, &a, &b));
  return in ? a : b;
}

static void adding(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  ria_boundary_id west = 0, river = 0, second = 0, id = 0;
  CHECK_OK(ctx, ria_boundary_find(sim, "west", &id)); /* the default, a closed side */
  CHECK_OK(ctx, ria_boundary_add(sim,
                                 &(ria_boundary_desc){.kind = "feed",
                                                      .side = RIA_WEST,
                                                      .values = {{"q", {.constant = 2.0}}},
                                                      .tracers = {{.constant = 0.5}}},
                                 &west));
  CHECK_OK(ctx, ria_boundary_add(sim,
                                 &(ria_boundary_desc){.name = "river",
                                                      .kind = "feed",
                                                      .stretch = true,
                                                      .from = {100.0, 200.0},
                                                      .to = {100.0, 220.0},
                                                      .values = {{"q", {.constant = 3.0}}}},
                                 &river));
  CHECK_OK(ctx, ria_boundary_add(sim,
                                 &(ria_boundary_desc){.kind = "drain",
                                                      .stretch = true,
                                                      .from = {110.0, 240.0},
                                                      .to = {140.0, 240.0}},
                                 &second));
  CHECK_OK(ctx, ria_sim_run(sim, 10.0));
  CHECK_NEAR(flux(sim, "west", "stuff", true), 20.0, 1e-12);
  CHECK_NEAR(flux(sim, "west", "oil", true), 10.0, 1e-12);
  CHECK_NEAR(flux(sim, "river", "stuff", true), 30.0, 1e-12);
  CHECK(flux(sim, "north:1", "stuff", false) > 100.0 && flux(sim, "south", "stuff", true) == 0.0);
  double before[24], after[24];
  CHECK_OK(ctx, ria_sim_get(sim, "depth", before));
  CHECK_OK(ctx, ria_sim_step(sim, 1));
  CHECK_OK(ctx, ria_sim_get(sim, "depth", after));
  CHECK_NEAR(after[0] - before[0], 0.015, 1e-12); /* 3 m^3/s over two cells of 100 m^2 */
  CHECK_NEAR(after[12] - before[12], 0.010, 1e-12);
  closes(sim);

  CHECK_OK(ctx, ria_boundary_change(sim, river,
                                    &(ria_boundary_desc){.values = {{"q", {.constant = 5.0}}}}));
  CHECK_NEAR(flux(sim, "river", NULL, true), 33.0, 1e-12);
  CHECK_INT(toy_state(sim)->forced, 1); /* reading a flux or a budget changes nothing */
  closes(sim);
  CHECK_INT(toy_state(sim)->forced, 1);
  CHECK_OK(ctx, ria_sim_advance(sim, 10.0));
  CHECK_NEAR(flux(sim, "river", NULL, true), 33.0 + 50.0, 1e-12);
  CHECK_OK(ctx, ria_boundary_change(sim, west, &(ria_boundary_desc){.kind = "closed"}));
  CHECK_OK(ctx, ria_sim_advance(sim, 10.0));
  CHECK_NEAR(flux(sim, "west", NULL, true), 22.0 + 20.0, 1e-12);
  CHECK_NEAR(flux(sim, "west", "oil", true), 21.0, 1e-12);
  CHECK_INT(toy_state(sim)->forced, 3);
  closes(sim);
  ria_sim_destroy(&sim);
}

/* Fields that are set after the forcing was told, but before the first step, have it told again:
 * a solver may lay itself out by both. Later they do not. */
static void told_after_fields(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  CHECK_OK(ctx, ria_sim_start(sim));
  flux(sim, "west", "stuff", true);
  const int before = toy_state(sim)->forced;
  CHECK(before > 0);
  CHECK_OK(ctx, ria_sim_set_constant(sim, "depth", 3));
  CHECK_OK(ctx, ria_sim_run(sim, 10.0));
  CHECK_INT(toy_state(sim)->forced, before + 1);
  CHECK_OK(ctx, ria_sim_set_constant(sim, "depth", 2));
  CHECK_OK(ctx, ria_sim_advance(sim, 10.0));
  CHECK_INT(toy_state(sim)->forced, before + 1);
  closes(sim);
  ria_sim_destroy(&sim);
}

/* What is not given in a change stays; tracers_given tells a 0 from nothing. */
static void keeping(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  ria_boundary_id id = 0;
  ria_boundary_desc d = {.name = "in",
                         .kind = "feed",
                         .stretch = true,
                         .from = {100.0, 200.0},
                         .to = {100.0, 240.0},
                         .values = {{"q", {.constant = 1.0}}},
                         .tracers = {{.constant = 2.0}, {.constant = 4.0}}};
  CHECK_OK(ctx, ria_boundary_add(sim, &d, &id));
  CHECK_OK(ctx, ria_boundary_change(sim, id, &(ria_boundary_desc){.tracers_given = 1u << 1}));
  CHECK_OK(ctx, ria_sim_run(sim, 10.0));
  CHECK_NEAR(flux(sim, "in", "stuff", true), 10.0, 1e-12);
  CHECK_NEAR(flux(sim, "in", "oil", true), 20.0, 1e-12);
  CHECK_NEAR(flux(sim, "in", "salt", true), 0.0, 0.0);
  ria_sim_destroy(&sim);
}

/* Of two that overlap the later one has the edges. A check names those that have none left. */
static void covered(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  const ria_boundary_desc river = {.name = "river",
                                   .kind = "feed",
                                   .stretch = true,
                                   .from = {100.0, 200.0},
                                   .to = {100.0, 220.0},
                                   .values = {{"q", {.constant = 3.0}}}},
                          sea = {.name = "sea",
                                 .kind = "drain",
                                 .stretch = true,
                                 .from = {100.0, 200.0},
                                 .to = {100.0, 240.0}},
                          dry = {.kind = "feed",
                                 .side = RIA_NORTH,
                                 .values = {{"q", {.constant = 0.0}}}},
                          wet = {.kind = "feed",
                                 .side = RIA_NORTH,
                                 .values = {{"q", {.constant = 2.0}}}},
                          north = {.name = "cut",
                                   .kind = "drain",
                                   .stretch = true,
                                   .from = {100.0, 240.0},
                                   .to = {160.0, 240.0}};
  CHECK_OK(ctx, ria_boundary_add(sim, &dry, NULL));
  CHECK_OK(ctx, ria_boundary_add(sim, &river, NULL));
  CHECK_OK(ctx, ria_boundary_check_edges(sim, NULL));
  CHECK_OK(ctx, ria_boundary_add(sim, &sea, NULL));
  CHECK_FAILS(ctx, ria_boundary_check_edges(sim, "river"), RIA_ERR_ARGUMENT,
              "boundary 'river' lets nothing through: others cover all of its edges (2), 'sea' "
              "(2): of two that overlap the one added later has them (in a scenario stretches come "
              "after sides, each by name): move one, leave one out, or take smaller cells");
  CHECK(ria_boundary_check_edges(sim, NULL) == RIA_ERR_ARGUMENT);
  CHECK_OK(ctx, ria_boundary_check_edges(sim, "sea"));
  CHECK_OK(ctx, ria_boundary_add(sim, &north, NULL));
  CHECK_OK(ctx, ria_boundary_check_edges(sim, "north")); /* it had nothing to bring */
  CHECK_OK(ctx, ria_boundary_add(sim, &wet, NULL));
  CHECK_OK(ctx, ria_boundary_check_edges(sim, "north"));
  CHECK(ria_boundary_check_edges(sim, "cut") == RIA_ERR_ARGUMENT);
  CHECK(ria_sim_step(sim, 1) == RIA_ERR_ARGUMENT); /* the start of a run asks it of all */
  CHECK(strstr(ria_error(ctx), "boundary 'river' lets nothing through: others cover all of its"));
  ria_sim_destroy(&sim);
}

static ria_status cover(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  return ria_boundary_add(sim, user, NULL);
}

/* A side that is given again counts as it was given last; a run may cover what it began with. */
static void covered_on_purpose(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  ria_boundary_desc wet = {.kind = "feed", .side = RIA_WEST, .values = {{"q", {.constant = 2.0}}}};
  ria_boundary_desc river = {.name = "river",
                             .kind = "feed",
                             .stretch = true,
                             .from = {100.0, 200.0},
                             .to = {100.0, 240.0},
                             .values = {{"q", {.constant = 3.0}}}};
  const ria_boundary_point point[] = {
      {.name = "q", .by_share = true, .share = 0, .value = {1.0, NULL}},
      {.name = "q", .by_share = true, .share = 1, .value = {2.0, NULL}}};
  ria_boundary_desc gate = river, pieces = wet;
  gate.name = "gate";
  pieces.values[0] = (ria_boundary_value){0};
  pieces.points = point, pieces.n_points = 2;
  CHECK_OK(ctx, ria_boundary_add(sim, &wet, NULL));
  CHECK_OK(ctx, ria_boundary_add(sim, &pieces, NULL));
  CHECK_OK(ctx, ria_boundary_check_edges(sim, NULL));
  CHECK_OK(ctx, ria_boundary_add(sim, &wet, NULL));
  CHECK_OK(ctx, ria_sim_at(sim, 0.0, &(ria_action){.fn = cover, .user = &river}, NULL));
  CHECK_OK(ctx, ria_sim_step(sim, 1));
  CHECK_OK(ctx, ria_boundary_add(sim, &gate, NULL));
  CHECK_OK(ctx, ria_sim_step(sim, 1));
  CHECK(ria_boundary_check_edges(sim, "river") == RIA_ERR_ARGUMENT);
  ria_sim_destroy(&sim);
}

static void wrong_boundaries(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  ria_boundary_id id = 0;
  double in, out;
  ria_boundary_desc d = {.name = "a", .kind = "fede"};
  CHECK_FAILS(ctx, ria_boundary_add(sim, &d, &id), RIA_ERR_ARGUMENT,
              "unknown boundary kind 'fede': did you mean 'feed'? known are closed, feed, drain");
  d.kind = NULL;
  CHECK_FAILS(ctx, ria_boundary_add(sim, &d, &id), RIA_ERR_ARGUMENT,
              "a boundary needs a kind: closed, feed, drain");
  d.kind = "feed";
  CHECK_FAILS(ctx, ria_boundary_add(sim, &d, &id), RIA_ERR_ARGUMENT,
              "boundary 'a': kind 'feed' needs 'q' [m^3/s]");
  d.values[0] = (ria_boundary_value){"p", {.constant = 1.0}};
  CHECK_FAILS(ctx, ria_boundary_add(sim, &d, &id), RIA_ERR_ARGUMENT,
              "boundary 'a': kind 'feed' has no value 'p'; it takes q [m^3/s]");
  d.values[0] = (ria_boundary_value){"q", {.constant = NAN}};
  CHECK_FAILS(ctx, ria_boundary_add(sim, &d, &id), RIA_ERR_ARGUMENT,
              "boundary 'a': q is not a finite number");
  d.values[0] = d.values[1] = (ria_boundary_value){"q", {.constant = 1.0}};
  CHECK_FAILS(ctx, ria_boundary_add(sim, &d, &id), RIA_ERR_ARGUMENT,
              "boundary 'a': 'q' is given twice");
  d = (ria_boundary_desc){.name = "a", .kind = "closed", .values = {{"q", {.constant = 1.0}}}};
  CHECK_FAILS(ctx, ria_boundary_add(sim, &d, &id), RIA_ERR_ARGUMENT,
              "boundary 'a' is of the kind 'closed', which takes no 'q': say kind = \"feed\" too");
  d = (ria_boundary_desc){.name = "a", .kind = "drain", .tracers = {{.constant = 1.0}}};
  CHECK_FAILS(
      ctx, ria_boundary_add(sim, &d, &id), RIA_ERR_ARGUMENT,
      "boundary 'a': nothing flows in through kind 'drain', so it takes no concentration of "
      "'oil'");
  d = (ria_boundary_desc){.kind = "closed", .tracers = {{0}, {0}, {.constant = 1.0}}};
  CHECK_FAILS(ctx, ria_boundary_add(sim, &d, &id), RIA_ERR_ARGUMENT,
              "boundary 'west': a concentration of tracer 2, but there are 2 tracers");
  d = (ria_boundary_desc){
      .kind = "feed", .values = {{"q", {.constant = 1.0}}}, .tracers = {{.constant = -1.0}}};
  CHECK_FAILS(ctx, ria_boundary_add(sim, &d, &id), RIA_ERR_ARGUMENT,
              "boundary 'west': the concentration of 'oil' is negative: it must be 0 or more");
  d = (ria_boundary_desc){.name = "north", .kind = "closed", .side = RIA_WEST};
  CHECK_STATUS(ctx, ria_boundary_add(sim, &d, &id), RIA_ERR_ARGUMENT);
  d.name = "gate";
  CHECK_OK(ctx, ria_boundary_add(sim, &d, &id));
  CHECK_FAILS(ctx, ria_boundary_add(sim, &d, &id), RIA_ERR_ARGUMENT,
              "there is a boundary named 'gate' already");
  CHECK_FAILS(ctx, ria_boundary_find(sim, "gaet", &id), RIA_ERR_ARGUMENT,
              "no boundary is named 'gaet': did you mean 'gate'?");
  CHECK_FAILS(ctx, ria_boundary_flux(sim, 99, "oil", &in, &out), RIA_ERR_ARGUMENT,
              "there is no boundary 99");
  CHECK_STATUS(ctx, ria_boundary_flux(sim, id, "oli", &in, &out), RIA_ERR_ARGUMENT);
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  ria_sim_destroy(&sim);
}

/* --- series --- */

static ria_status change(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  ria_boundary_id id = 0;
  RIA_TRY(ria_boundary_find(sim, "west", &id));
  return ria_boundary_change(
      sim, id, &(ria_boundary_desc){.values = {{"q", {.series = (const ria_series *)user}}}});
}

static void covering(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  ria_series *s = table(ctx, 0.0, 0.0, 20.0, 2.0, false),
             *late = table(ctx, 5.0, 1.0, 9.0, 1.0, false);
  ria_boundary_desc d = {.kind = "feed", .values = {{"q", {.series = s}}}};
  CHECK_OK(ctx, ria_boundary_add(sim, &d, NULL));
  CHECK_STATUS(ctx, ria_sim_run(sim, 30.0), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "q of boundary 'west'");
  CHECK_HOLDS(ria_error(ctx), "20");
  CHECK(ria_sim_time(sim) == 0.0);
  CHECK_OK(ctx, ria_sim_step(sim, 5));
  CHECK_STATUS(ctx, ria_sim_step(sim, 100), RIA_ERR_ARGUMENT); /* up to the end of the series */
  CHECK(ria_sim_time(sim) == 20.0);
  CHECK_HOLDS(ria_error(ctx), "q of boundary 'west'");
  CHECK_NEAR(flux(sim, "west", "stuff", true), 19.0,
             1.01); /* the toy takes the rate at the start */
  ria_sim_destroy(&sim);

  sim = toy_sim(ctx, NULL, 0, NULL);
  CHECK_OK(ctx, ria_boundary_add(sim, &d, NULL));
  ria_action act = {.fn = change, .user = late};
  CHECK_OK(ctx, ria_sim_at(sim, 6.0, &act, NULL));
  CHECK_STATUS(ctx, ria_sim_run(sim, 15.0), RIA_ERR_ARGUMENT); /* from 6 s on it does not cover */
  CHECK(ria_sim_time(sim) == 6.0);
  CHECK_HOLDS(ria_error(ctx), "9");
  CHECK_OK(ctx, ria_sim_run(sim, 9.0));
  ria_series_destroy(&s); /* the simulation has its own */
  ria_series_destroy(&late);
  CHECK_STATUS(ctx, ria_sim_advance(sim, 1.0), RIA_ERR_ARGUMENT);
  ria_sim_destroy(&sim);
}

/* A boundary that later ones cover needs no values. */
static void covered_is_free(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  ria_series *s = table(ctx, 0.0, 1.0, 2.0, 1.0, false);
  CHECK_OK(ctx,
           ria_boundary_add(
               sim, &(ria_boundary_desc){.kind = "feed", .values = {{"q", {.series = s}}}}, NULL));
  CHECK_OK(ctx, ria_boundary_add(sim, &(ria_boundary_desc){.kind = "closed"}, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 10.0));
  ria_series_destroy(&s);
  ria_sim_destroy(&sim);
}

int main(void) {
  ria_context *ctx = NULL;
  CHECK_OK(ctx, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  adding(ctx);
  told_after_fields(ctx);
  keeping(ctx);
  covered(ctx);
  covered_on_purpose(ctx);
  wrong_boundaries(ctx);
  covering(ctx);
  covered_is_free(ctx);
  ria_context_destroy(&ctx);
  return TEST_END();
}
