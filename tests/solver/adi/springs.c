/* Water that comes onto dry ground: a spring fills a bowl and comes to rest at the level that its
 * volume has there, a burst main runs off, a sewer brings its tracer with it. What was released is
 * in the domain, to round-off. */
#include "cases.h"
#include "solver/springs.h"

static flow dry(shape bed, ria_real real, int n, double dt) {
  flow f = flow_make(&(flow_desc){.nx = n,
                                  .ny = n,
                                  .dx = 100.0 / n,
                                  .real = real,
                                  .tracer = "dye",
                                  .more = {{"dt", dt, NULL}, {"manning", 0.05, NULL}}});
  flow_set(&f, "bed", bed);
  flow_set(&f, "depth", none);
  return f;
}

static void closes(flow *f, ria_real real, double water) {
  ria_stats depth;
  CHECK_OK(f->ctx, ria_sim_stats(f->sim, "depth", &depth));
  CHECK(depth.min >= 0);
  CHECK_NEAR(flow_total(f, 0) / water, 1, 1e4 * place(real));
}

/* 5 m^3/s for 60 s into the bowl: 300 m^3 stand at the level z at which sum(z - bed) of the cells
 * below it is 300 m^3, but for the film that is left higher up. */
static void spring(ria_real real, double x, double radius) {
  flow f = dry(bowl, real, 50, 0.5);
  const ria_spill_desc in = spring_at(x, radius);
  const double exact = spring_level();
  CHECK_OK(f.ctx, ria_sim_spill(f.sim, &in, NULL));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 500));
  double level = NAN;
  CHECK_OK(f.ctx, ria_sim_probe(f.sim, "level", 51, 51, &level));
  printf("%s, spring at %g: level %.5f m, exact %.5f m\n", real_name[real], x, level, exact);
  CHECK_NEAR(level, exact, 0.02);
  closes(&f, real, 300);
  flow_free(&f);
}

/* 200 m^3 at once in the middle of a dry plain: it runs off. */
static void burst(ria_real real) {
  flow f = dry(flat, real, 51, 0.1);
  ria_stats speed;
  CHECK_OK(f.ctx, ria_sim_spill(f.sim, &burst_main, NULL));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 10));
  CHECK_OK(f.ctx, ria_sim_stats(f.sim, "speed", &speed));
  printf("%s, burst main: speed %.2f m/s\n", real_name[real], speed.max);
  CHECK(speed.max > 0.3 && speed.max < 10);
  closes(&f, real, 200);
  flow_free(&f);
}

/* A sewer of one concentration runs down a dry slope: wherever there is water it has that. */
static void sewer(ria_real real) {
  flow f = dry(plain, real, 40, 0.25);
  sewer_runs(&f, real_name[real], 20, real == RIA_F64 ? 1e-10 : 1e-3);
  closes(&f, real, 30);
  CHECK_NEAR(flow_total(&f, 1) / 120, 1, 1e4 * place(real));
  flow_free(&f);
}

int main(void) {
  springs_run(spring, burst, sewer);
  return TEST_END();
}
