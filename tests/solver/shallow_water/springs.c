/* Water that comes onto dry ground: a spring fills a bowl and comes to rest at the level that its
 * volume has there, a burst main runs off on all sides alike, a sewer brings its tracer with it.
 * What was released is in the domain, to round-off. */
#include "cases.h"
#include "solver/springs.h"

static flow dry(shape bed, ria_real real, int n, double manning) {
  flow f = flow_make(&(flow_desc){
      .nx = n, .ny = n, .dx = 100.0 / n, .real = real, .manning = manning, .tracer = "dye"});
  flow_set(&f, "bed", bed);
  flow_set(&f, "depth", none);
  return f;
}

static void closes(flow *f, ria_real real, double water) {
  CHECK_NEAR(flow_total(f, 0) / water, 1, real == RIA_F64 ? 1e-12 : 1e-5);
  ria_stats depth;
  CHECK_OK(f->ctx, ria_sim_stats(f->sim, "depth", &depth));
  CHECK(depth.min >= 0);
}

/* 5 m^3/s for 60 s into the bowl: 300 m^3 stand at the level z at which sum(z - bed) of the cells
 * below it is 300 m^3. From its lowest cell, from a disc, and from one that is far up the side. */
static void spring(ria_real real, double x, double radius) {
  flow f = dry(bowl, real, 50, 0.05);
  const ria_spill_desc in = spring_at(x, radius);
  const double exact = spring_level();
  CHECK_OK(f.ctx, ria_sim_spill(f.sim, &in, NULL));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, SHORT(3000, 500)));
  double level = NAN;
  CHECK_OK(f.ctx, ria_sim_probe(f.sim, "level", 51, 51, &level));
  printf("%s, spring at %g: level %.5f m, exact %.5f m, %lld steps\n", real_name[real], x, level,
         exact, (long long)ria_sim_steps(f.sim));
  CHECK_NEAR(level, exact, 1e-4);
  closes(&f, real, 300);
  flow_free(&f);
}

/* 200 m^3 at once in the middle of a dry plain: the same to all four sides, no faster than water
 * of that depth can run onto a dry bed. */
static void burst(ria_real real) {
  enum { N = 51 };
  flow f = dry(flat, real, N, 0.02);
  ria_stats speed, depth;
  CHECK_OK(f.ctx, ria_sim_spill(f.sim, &burst_main, NULL));
  CHECK_OK(f.ctx, ria_sim_start(f.sim));
  CHECK_OK(f.ctx, ria_sim_stats(f.sim, "depth", &depth));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 6));
  CHECK_OK(f.ctx, ria_sim_stats(f.sim, "speed", &speed));
  CHECK(speed.max > 1 && speed.max < 2 * sqrt(gravity * depth.max));
  closes(&f, real, 200);
  double *h = flow_get(&f, "depth"), off = 0;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      const double here = h[j * N + i];
      off = fmax(off, fabs(here - h[j * N + N - 1 - i]));
      off = fmax(off, fabs(here - h[i * N + j]));
    }
  printf("%s, burst main: off symmetry by %.1e m, speed %.2f m/s\n", real_name[real], off,
         speed.max);
  CHECK(off < (real == RIA_F64 ? 1e-12 : 2e-4));
  free(h);
  flow_free(&f);
}

/* A sewer of one concentration runs down a dry slope: wherever there is water it has that. */
static void sewer(ria_real real) {
  flow f = dry(plain, real, 40, 0.03);
  sewer_runs(&f, real_name[real], 30, real == RIA_F64 ? 1e-10 : 1e-4);
  closes(&f, real, 30);
  CHECK_NEAR(flow_total(&f, 1), 120, real == RIA_F64 ? 1e-10 : 1e-2);
  flow_free(&f);
}

int main(void) {
  springs_run(spring, burst, sewer);
  return TEST_END();
}
