/* unit.spills: what is released, at once or over time, where, and what is refused. */
#include "forcing.h"

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
  at_once(ctx);
  going_on(ctx);
  released_of_a_tide(ctx);
  wrong_spills(ctx);
  water_on_dry_ground(ctx);
  from_an_event(ctx);
  ria_context_destroy(&ctx);
  return TEST_END();
}
