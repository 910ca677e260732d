/* A level that runs away ends the run, and the message says what to write. Water that climbs above
 * all that was given for good reasons does not: a wave against a wall and up a beach, a basin that
 * fills to many times its depth, a river onto dry flat ground, a burst main, a gale over a shallow
 * lake, a tide that is held back. */
#include "cases.h"

enum { LONG = 60, WIDE = 5 };
static double gentle(double x, double y) { return (void)y, -1e-4 * x; }
static double none(double x, double y) { return (void)x, (void)y, 0.0; }
static double shallow(double x, double y) { return (void)x, (void)y, -1.0; }
static double beach(double x, double y) { return (void)y, x < 400 ? -1.0 : -1 + (x - 400) / 20; }
static double hump(double x, double y) { return (void)y, 0.5 * exp(-pow((x - 150) / 30, 2)); }

static flow channel(ria_real real, double dt, shape bed, shape level, ria_setting more) {
  flow f = flow_make(&(flow_desc){.nx = LONG,
                                  .ny = WIDE,
                                  .dx = 10,
                                  .real = real,
                                  .more = {{"dt", dt, NULL}, {"manning", 0.03, NULL}, more}});
  flow_set(&f, "bed", bed);
  flow_set(&f, "level", level);
  return f;
}
static const ria_setting no_more = {NULL, 0, NULL};

static double highest(flow *f) {
  ria_stats level;
  CHECK_OK(f->ctx, ria_sim_stats(f->sim, "level", &level));
  return level.max;
}

/* It ran on. least: so high the water stands in the end, or stood on the way. */
static void stays(flow *f, const char *what, double t, double least) {
  double most = -INFINITY;
  for (int k = 1; k <= 20; k++) {
    if (!CHECK_OK(f->ctx, ria_sim_run(f->sim, t * k / 20))) break;
    most = fmax(most, highest(f));
  }
  printf("%s: up to %.3f m\n", what, most);
  CHECK(most > least);
  flow_free(f);
}

/* A river of normal depth 1.8 m leaves by an open side in steps that are twice as long as the flow
 * allows: from some time on the last cells grow without end. */
static flow outflow(ria_real real, double ceiling) {
  flow f = channel(real, 10, gentle, shallow, (ria_setting){"ceiling", ceiling, NULL});
  flow_side(&f, RIA_WEST, "discharge", "q", (ria_value){.constant = 100}, 0);
  flow_side(&f, RIA_EAST, "open", NULL, (ria_value){0}, 0);
  return f;
}

static void runs_away(ria_real real) {
  flow f = outflow(real, 0);
  if (strcmp(test_device(), "cpu") == 0) { /* when it does hangs on rounding */
    CHECK_OK(f.ctx, ria_sim_run(f.sim, 1000));
    printf("%s: without a ceiling the level ends at %.3g m\n", real_name[real], highest(&f));
    CHECK(highest(&f) > 1e3);
  }
  flow_free(&f);
  f = outflow(real, 10);
  CHECK_STATUS(f.ctx, ria_sim_run(f.sim, 3000), RIA_ERR_NUMERICAL);
  printf("%s: %s\n", real_name[real], ria_error(f.ctx));
  CHECK_HOLDS(ria_error(f.ctx), "the level runs away: it is ");
  CHECK_HOLDS(ria_error(f.ctx), " m, where nothing that was given stands above ");
  CHECK_HOLDS(ria_error(f.ctx),
              " m; set a shorter dt, or dt = 0 (ceiling = 0 lets it run) in cell (");
  CHECK_STATUS(f.ctx, ria_sim_run(f.sim, 3100), RIA_ERR_NUMERICAL);
  flow_free(&f);
  /* what the message asks for */
  f = channel(real, 0, gentle, shallow, no_more);
  flow_side(&f, RIA_WEST, "discharge", "q", (ria_value){.constant = 100}, 0);
  flow_side(&f, RIA_EAST, "open", NULL, (ria_value){0}, 0);
  stays(&f, "the same with dt = 0", 1000, 1);
}

static void source(flow *f, double x, double rate) {
  const ria_spill_desc in = {
      .name = "in", .x = x, .y = 25, .has_flow = true, .flow = {.constant = rate}};
  CHECK_OK(f->ctx, ria_sim_spill(f->sim, &in, NULL));
}

/* What was given is still given when nothing gives it any more. Water 5 cm deep. */
static void spring_that_ends(double dt) {
  flow f = channel(RIA_F64, dt, shallow, shallow, no_more);
  const ria_spill_desc spring = {.x = 305,
                                 .y = 25,
                                 .radius = 40,
                                 .has_flow = true,
                                 .flow = {.constant = 0.7},
                                 .duration = 60000};
  CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "depth", 0.05));
  CHECK_OK(f.ctx, ria_sim_spill(f.sim, &spring, NULL));
  stays(&f, "a basin whose spring has ended", 66000, 0.4);
}

static void level_that_becomes_a_wall(double dt) {
  flow f = channel(RIA_F64, dt, shallow, shallow, no_more);
  const double t[] = {0, 3600}, v[] = {-0.95, 0.5};
  ria_series *rise = NULL;
  ria_boundary_id west;
  CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "depth", 0.05));
  CHECK_OK(f.ctx, ria_series_table(f.ctx, &(ria_table_desc){.t = t, .v = v, .n = 2}, &rise));
  flow_side(&f, RIA_WEST, "level", "level", (ria_value){0, rise}, 0);
  ria_series_destroy(&rise);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 3600));
  CHECK_OK(f.ctx, ria_boundary_find(f.sim, "west", &west));
  CHECK_OK(f.ctx, ria_boundary_change(f.sim, west, &(ria_boundary_desc){.kind = "wall"}));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 4200));
  printf("a level that became a wall: up to %.3f m\n", highest(&f));
  CHECK(highest(&f) > 0.45);
  flow_free(&f);
}

/* dt: of the steps, s; 0 = automatic. */
static void climbs(double dt) {
  printf("dt = %g s\n", dt);
  flow f = channel(RIA_F64, dt, shallow, hump, no_more);
  stays(&f, "a wave against a wall", 300, 0.34);
  f = channel(RIA_F64, dt, beach, hump, no_more);
  stays(&f, "a wave up a beach", 300, 0.34);

  f = channel(RIA_F64, dt, shallow, shallow, no_more); /* 30000 m^2, dry */
  source(&f, 305, 2);
  stays(&f, "a basin that fills", 72000, 3.5);

  spring_that_ends(dt);
  level_that_becomes_a_wall(dt);

  f = channel(RIA_F64, dt, none, none, no_more);
  flow_side(&f, RIA_WEST, "discharge", "q", (ria_value){.constant = 25}, 0);
  flow_side(&f, RIA_EAST, "open", NULL, (ria_value){0}, 0);
  stays(&f, "a river onto flat ground", 1800, 0.7);

  f = channel(RIA_F64, dt, none, none, no_more);
  const ria_spill_desc main = {.x = 305, .y = 25, .radius = 22, .volume = 800};
  CHECK_OK(f.ctx, ria_sim_spill(f.sim, &main, NULL));
  CHECK_OK(f.ctx, ria_sim_start(f.sim));
  CHECK(highest(&f) > 0.4);
  stays(&f, "a burst main", 60, 0.1);

  f = channel(RIA_F64, dt, shallow, none, (ria_setting){"wind_speed", 30, NULL});
  stays(&f, "a gale", 1800, 0.05);

  f = channel(RIA_F64, dt, shallow, none, no_more);
  flow_side(&f, RIA_WEST, "level", "level", (ria_value){.constant = 0.2}, 0);
  stays(&f, "a level that is held above the water", 300, 0.25);
}

int main(void) {
  for (int real = 0; real < 2; real++) runs_away((ria_real)real);
  climbs(0);
  climbs(1);
  return TEST_END();
}
