/* tests/unit/forcing.c - boundaries, series that must cover the run, spills and their cells. */
#include "toy.h"

static ria_series *table(ria_context *ctx, double t0, double v0, double t1, double v1, bool hold) {
  ria_series *s = NULL;
  CHECK_OK(ctx, ria_series_table(
                    ctx,
                    &(ria_table_desc){
                        .t = (double[]){t0, t1}, .v = (double[]){v0, v1}, .n = 2, .hold = hold},
                    &s));
  return s;
}

static double flux(ria_sim *sim, const char *name, const char *quantity, bool in) {
  ria_boundary_id id = 0;
  double a = NAN, b = NAN;
  CHECK_OK(ria_sim_context(sim), ria_boundary_find(sim, name, &id));
  CHECK_OK(ria_sim_context(sim), ria_boundary_flux(sim, id, quantity, &a, &b));
  return in ? a : b;
}

static void closes(ria_sim *sim) {
  ria_budget_row r[3];
  size_t n = 3;
  CHECK_OK(ria_sim_context(sim), ria_sim_budget(sim, r, &n));
  for (int q = 0; q < 3; q++)
    if (!CHECK(fabs(r[q].relative) < 1e-13)) fprintf(stderr, "%s: %g\n", r[q].name, r[q].relative);
}

/* --- boundaries --- */

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
  ria_boundary_desc gate = river;
  gate.name = "gate";
  CHECK_OK(ctx, ria_boundary_add(sim, &wet, NULL));
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

/* --- spills --- */

static double released(ria_sim *sim, ria_handle h) {
  double kg = NAN;
  CHECK_OK(ria_sim_context(sim), ria_sim_spill_released(sim, h, &kg));
  return kg;
}

static void at_once(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  double depth[24], load[24];
  ria_handle now = 0, later = 0;
  CHECK_OK(ctx, ria_sim_get(sim, "depth", depth));
  depth[7] = 6.0;
  CHECK_OK(ctx, ria_sim_set(sim, "depth", depth));
  /* the disc holds the centres of (1,1), (2,1), (0,1), (1,0), (1,2): depths 6, 2, 2, 2, 2 */
  CHECK_OK(ctx, ria_sim_spill(
                    sim,
                    &(ria_spill_desc){
                        .tracer = "salt", .x = 115.0, .y = 215.0, .radius = 11.0, .mass = 140.0},
                    &now));
  CHECK_OK(ctx, ria_sim_spill(sim,
                              &(ria_spill_desc){.name = "cask",
                                                .tracer = "salt",
                                                .x = 141.0,
                                                .y = 239.0,
                                                .start = 2.5,
                                                .volume = 0.5,
                                                .density = 800.0},
                              &later));
  CHECK(released(sim, now) == 0.0);
  CHECK_OK(ctx, ria_sim_start(sim));
  CHECK(released(sim, now) == 140.0);
  CHECK_OK(ctx, ria_sim_get(sim, "salt_load", load));
  CHECK_NEAR(load[7], 60.0 / 100.0, 1e-14);
  CHECK_NEAR(load[8], 20.0 / 100.0, 1e-14);
  CHECK_NEAR(load[1], 20.0 / 100.0, 1e-14);
  CHECK(load[0] == 0.0 && load[14] == 0.0);
  CHECK_OK(ctx, ria_sim_run(sim, 5.0));
  CHECK_INT(ria_sim_steps(sim), 6); /* a step was cut to land on 2.5 s */
  CHECK_NEAR(released(sim, later), 400.0, 1e-12);
  CHECK_OK(ctx, ria_sim_get(sim, "salt_load", load));
  CHECK_NEAR(load[3 * 6 + 4], 4.0, 1e-12);
  closes(sim);
  CHECK_STATUS(ctx, ria_sim_cancel(sim, later), RIA_ERR_ARGUMENT); /* it is done */
  ria_sim_destroy(&sim);
}

static void going_on(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  ria_series *ramp = table(ctx, 0.0, 0.0, 10.0, 4.0, true);
  ria_handle spread = 0, grows = 0, outfall = 0, never = 0;
  CHECK_OK(ctx, ria_sim_spill(sim,
                              &(ria_spill_desc){.tracer = "salt",
                                                .x = 115.0,
                                                .y = 215.0,
                                                .start = 1.25,
                                                .duration = 8.0,
                                                .mass = 16.0},
                              &spread));
  CHECK_OK(ctx,
           ria_sim_spill(
               sim,
               &(ria_spill_desc){.tracer = "oil", .x = 115.0, .y = 215.0, .rate = {.series = ramp}},
               &grows));
  CHECK_OK(ctx, ria_sim_spill(sim,
                              &(ria_spill_desc){.tracer = "salt",
                                                .x = 125.0,
                                                .y = 225.0,
                                                .radius = 30.0,
                                                .start = 2.0,
                                                .flow = {.constant = 0.5},
                                                .conc = {.series = ramp}},
                              &outfall));
  CHECK_OK(ctx,
           ria_sim_spill(sim,
                         &(ria_spill_desc){
                             .tracer = "oil", .x = 105.0, .y = 205.0, .start = 8.0, .mass = 1.0},
                         &never));
  CHECK_OK(ctx, ria_sim_run(sim, 5.0));
  CHECK_NEAR(released(sim, spread), 2.0 * 3.75, 1e-12);
  CHECK_NEAR(released(sim, grows), 0.5 * 5.0 * 2.0, 1e-12);
  CHECK_NEAR(released(sim, outfall), 0.5 * 0.4 * 0.5 * (25.0 - 4.0), 1e-12);
  CHECK_OK(ctx, ria_sim_cancel(sim, outfall));
  CHECK_OK(ctx, ria_sim_cancel(sim, never));
  CHECK_STATUS(ctx, ria_sim_cancel(sim, outfall), RIA_ERR_ARGUMENT);
  CHECK_OK(ctx, ria_sim_run(sim, 20.0));
  CHECK_NEAR(released(sim, spread), 16.0, 1e-12);
  CHECK_NEAR(released(sim, grows), 20.0 + 40.0, 1e-12); /* the ramp holds at 4 kg/s */
  CHECK_NEAR(released(sim, outfall), 0.5 * 0.4 * 0.5 * 21.0, 1e-12);
  CHECK(released(sim, never) == 0.0);
  ria_budget_row r[3];
  size_t n = 3;
  CHECK_OK(ctx, ria_sim_budget(sim, r, &n));
  CHECK_NEAR(r[0].sources, 1.5, 1e-12);
  CHECK_NEAR(r[1].sources, 60.0, 0.02); /* the toy's steps straddle the knot at 10 s */
  CHECK_NEAR(r[2].sources, 16.0 + 2.1, 1e-12);
  closes(sim);
  CHECK_INT(toy_state(sim)->n_sources, 1); /* the ended ones are no longer handed over */
  ria_series_destroy(&ramp);
  ria_sim_destroy(&sim);
}

static void released_of_a_tide(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  ria_series *tide = NULL;
  ria_handle h = 0;
  double w = 3.6 * 3.14159265358979323846 / 180.0; /* rad/h at 3.6 deg/h: 100 h a turn */
  CHECK_OK(ctx, ria_series_tide(
                    ctx,
                    &(ria_tide_desc){
                        .constituents = &(ria_constituent){.speed = 3.6 * 3600.0, .amplitude = 1.0},
                        .n = 1,
                        .z0 = 2.0},
                    &tide));
  CHECK_OK(
      ctx,
      ria_sim_spill(
          sim,
          &(ria_spill_desc){
              .tracer = "salt", .x = 115.0, .y = 215.0, .has_rate = true, .rate = {.series = tide}},
          &h));
  CHECK_OK(ctx, ria_sim_run(sim, 130.0));
  CHECK_NEAR(released(sim, h), 2.0 * 130.0 + sin(w * 130.0) / w, 1e-9);
  ria_series_destroy(&tide);
  ria_sim_destroy(&sim);
}

static void wrong_spills(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  ria_series *s = table(ctx, 0.0, 1.0, 1.0, 1.0, true);
  ria_series *below = table(ctx, 0.0, 1.0, 1.0, -1.0, true);
  const struct {
    ria_spill_desc d;
    const char *text;
  } wrong[] = {
      {{.tracer = "oil", .x = 115, .y = 215},
       "spill 'oil': one of mass, amount, rate, volume (with density) or flow (with conc) is "
       "needed"},
      {{.tracer = "oil", .x = 115, .y = 215, .mass = 1, .has_rate = true},
       "spill 'oil': only one of mass, amount, rate, volume and flow may be given"},
      {{.tracer = "oil", .x = 115, .y = 215, .mass = 1, .rate = {.constant = 1}},
       "spill 'oil': only one of mass, amount, rate, volume and flow may be given"},
      {{.tracer = "oil", .x = 115, .y = 215, .volume = 1}, "spill 'oil': volume needs density"},
      {{.tracer = "oil", .x = 115, .y = 215, .mass = 1, .density = 1},
       "spill 'oil': density goes with volume only"},
      {{.tracer = "oil", .x = 115, .y = 215, .mass = 1, .conc = {.constant = 1}},
       "spill 'oil': conc goes with flow only"},
      {{.name = "x", .x = 115, .y = 215, .mass = 1},
       "spill 'x': a tracer is needed (only volume and flow may be water alone)"},
      {{.x = 115, .y = 215, .has_flow = true, .conc = {.constant = 1}},
       "spill 'water': conc needs a tracer"},
      {{.x = 115, .y = 215, .volume = 1, .density = 900}, "spill 'water': density needs a tracer"},
      {{.x = 115, .y = 215, .volume = 1, .has_flow = true},
       "spill 'water': of 'stuff' a volume or a flow is released, one of the two, and no density "
       "or "
       "conc"},
      {{.tracer = "oil",
        .x = 115,
        .y = 215,
        .has_flow = true,
        .flow = {.series = s},
        .conc = {.series = s}},
       "spill 'oil': flow and conc cannot both be series: one of them must be a constant"},
      {{.tracer = "oil", .x = 115, .y = 215, .has_rate = true, .rate = {.constant = -1}},
       "spill 'oil': rate is negative: it must be 0 or more"},
      {{.tracer = "oil",
        .x = 115,
        .y = 215,
        .has_flow = true,
        .flow = {.constant = 1},
        .conc = {.series = below}},
       "spill 'oil': conc is negative: it must be 0 or more"},
      {{.tracer = "oil", .x = 115, .y = 215, .mass = -1},
       "spill 'oil': mass is -1, it must be 0 or more"},
      {{.tracer = "oil", .x = 115, .y = 215, .mass = 1, .radius = NAN},
       "spill 'oil': radius is nan, it must be 0 or more"},
      {{.tracer = "oil", .x = 165, .y = 215, .mass = 1},
       "spill 'oil': (165, 215) lies outside the domain, x 100 to 160, y 200 to 240"},
      {{.tracer = "oli", .x = 115, .y = 215, .mass = 1},
       "unknown tracer 'oli': did you mean 'oil'?"},
      {{.tracer = "oil", .x = 159, .y = 215, .mass = 1},
       "spill 'oil': no water at (159, 215) at 0 s; the nearest wet cell is 14 m away at (145, "
       "215)"},
      {{.tracer = "oil", .x = 156, .y = 215, .radius = 8, .mass = 1},
       "spill 'oil': no water within 8 m of (156, 215) at 0 s; the nearest wet cell is 11 m away "
       "at "
       "(145, 215)"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
    CHECK_FAILS(ctx, ria_sim_spill(sim, &wrong[k].d, NULL), RIA_ERR_ARGUMENT, wrong[k].text);
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  CHECK_FAILS(
      ctx,
      ria_sim_spill(sim,
                    &(ria_spill_desc){.tracer = "oil", .x = 115, .y = 215, .mass = 1, .start = 0.5},
                    NULL),
      RIA_ERR_ARGUMENT, "spill 'oil' starts at 0.5 s, before the present, 1 s");
  /* dry when its time comes: an error of the run */
  CHECK_OK(ctx,
           ria_sim_spill(
               sim, &(ria_spill_desc){.tracer = "oil", .x = 155, .y = 215, .mass = 1, .start = 3.0},
               NULL));
  CHECK_STATUS(ctx, ria_sim_run(sim, 10.0), RIA_ERR_ARGUMENT);
  CHECK(ria_sim_time(sim) == 3.0);
  CHECK_OK(ctx, ria_sim_set_constant(sim, "depth", 0.0));
  CHECK_FAILS(
      ctx,
      ria_sim_spill(sim, &(ria_spill_desc){.tracer = "oil", .x = 115, .y = 215, .mass = 1}, NULL),
      RIA_ERR_ARGUMENT,
      "spill 'oil': no water at (115, 215) at 3 s, nor in any cell of the domain");
  double kg;
  CHECK_STATUS(ctx, ria_sim_spill_released(sim, 77, &kg), RIA_ERR_ARGUMENT);
  ria_series_destroy(&below);
  ria_series_destroy(&s);
  ria_sim_destroy(&sim);
}

/* Water comes onto dry ground, where all cells of a disc have equal parts; in a disc of which a
 * part is wet it stays with the wet cells. With a name of the quantity or without, volume and flow
 * take the same keys. */
static void water_on_dry_ground(ria_context *ctx) {
  static const char *const water[] = {NULL, "stuff"};
  for (int k = 0; k < 2; k++) {
    ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
    double depth[24], salt[24];
    ria_handle volume = 0, flow = 0;
    CHECK_OK(ctx, ria_sim_set_constant(sim, "depth", 0.0));
    /* the disc holds (1,1), (2,1), (0,1), (1,0) and (1,2) */
    const ria_spill_desc burst = {
        .tracer = water[k], .x = 115.0, .y = 215.0, .radius = 11.0, .volume = 500.0};
    const ria_spill_desc drain = {.name = "drain",
                                  .tracer = water[k],
                                  .x = 141.0,
                                  .y = 215.0,
                                  .duration = 4.0,
                                  .has_flow = true,
                                  .flow = {.constant = 2.0}};
    const ria_spill_desc sewer = {.tracer = "salt",
                                  .x = 141.0,
                                  .y = 235.0,
                                  .duration = 4.0,
                                  .has_flow = true,
                                  .flow = {.constant = 1.0},
                                  .conc = {.constant = 3.0}};
    CHECK_OK(ctx, ria_sim_spill(sim, &burst, &volume));
    CHECK_OK(ctx, ria_sim_spill(sim, &drain, &flow));
    CHECK_OK(ctx, ria_sim_spill(sim, &sewer, NULL));
    CHECK_OK(ctx, ria_sim_start(sim));
    CHECK_OK(ctx, ria_sim_get(sim, "depth", depth));
    CHECK_NEAR(depth[7], 1.0, 1e-14);
    CHECK_NEAR(depth[13], 1.0, 1e-14);
    CHECK(depth[0] == 0.0 && depth[14] == 0.0);
    CHECK(released(sim, volume) == 500.0);
    /* now a part of its disc is wet: (1,1) and (2,1) lie in this one, (3,1) is dry */
    CHECK_OK(ctx, ria_sim_spill(
                      sim, &(ria_spill_desc){.x = 125.0, .y = 215.0, .radius = 10.5, .volume = 100},
                      NULL));
    CHECK_OK(ctx, ria_sim_run(sim, 5.0));
    CHECK_NEAR(released(sim, flow), 8.0, 1e-12);
    CHECK_OK(ctx, ria_sim_get(sim, "depth", depth));
    CHECK_OK(ctx, ria_sim_get(sim, "salt_load", salt));
    CHECK_NEAR(depth[8], 1.5, 1e-12);
    CHECK_NEAR(depth[6 + 4], 0.08, 1e-12);
    CHECK_NEAR(depth[18 + 4], 0.04, 1e-12);
    CHECK_NEAR(salt[18 + 4], 0.12, 1e-12);
    closes(sim);
    ria_sim_destroy(&sim);
  }
}

/* An event may spill: at its own time unless told otherwise. */
static ria_status spill_now(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  return ria_sim_spill(
      sim, &(ria_spill_desc){.tracer = "salt", .x = 115.0, .y = 215.0, .mass = 9.0}, user);
}

static void from_an_event(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  ria_handle h = 0;
  ria_action act = {.fn = spill_now, .user = &h, .phase = RIA_PHASE_CALLBACK};
  CHECK_OK(ctx, ria_sim_at(sim, 2.0, &act, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 2.0));
  CHECK(released(sim, h) == 9.0);
  closes(sim);
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
  at_once(ctx);
  going_on(ctx);
  released_of_a_tide(ctx);
  wrong_spills(ctx);
  water_on_dry_ground(ctx);
  from_an_event(ctx);
  ria_context_destroy(&ctx);
  return TEST_END();
}
