/* springs.h - water that comes onto dry ground, for the solvers of flow: the ground, what is let
 * in, and the exact level. Included after the solver's cases.h. */
#ifndef SPRINGS_H
#define SPRINGS_H

static double none(double x, double y) { return (void)x, (void)y, 0.0; }
static double flat(double x, double y) { return (void)x, (void)y, 1.0; }
static double plain(double x, double y) { return (void)y, 0.02 * x; }
static double bowl(double x, double y) {
  return 0.01 * ((x - 50) * (x - 50) + (y - 50) * (y - 50));
}

/* 5 m^3/s for 60 s: 300 m^3. */
static ria_spill_desc spring_at(double x, double radius) {
  return (ria_spill_desc){.name = "spring",
                          .x = x,
                          .y = 51,
                          .radius = radius,
                          .start = 1,
                          .duration = 60,
                          .has_flow = true,
                          .flow = {.constant = 5}};
}

/* They stand in the bowl of 50 x 50 cells at the level z at which sum(z - bed) of the cells below
 * it is 300 m^3. */
static double spring_level(void) {
  double low = 0, high = 10;
  for (int k = 0; k < 60; k++) {
    const double z = 0.5 * (low + high);
    double volume = 0;
    for (int j = 0; j < 50; j++)
      for (int i = 0; i < 50; i++) volume += 4 * fmax(0, z - bowl(2 * i + 1, 2 * j + 1));
    *(volume < 300 ? &low : &high) = z;
  }
  return low;
}

/* 200 m^3 at once in the middle. */
static const ria_spill_desc burst_main = {.x = 50, .y = 50, .radius = 4.5, .volume = 200};

/* Half a m^3/s of one concentration: 30 m^3 with 120 kg in a minute. */
static const ria_spill_desc sewer_water = {.tracer = "dye",
                                           .x = 70,
                                           .y = 50,
                                           .radius = 3,
                                           .has_flow = true,
                                           .flow = {.constant = 0.5},
                                           .conc = {.constant = 4}};

/* Wherever there is water it has that: to within `off`, in more than `least` cells. */
static void sewer_runs(flow *f, const char *real, int least, double off) {
  ria_stats dye;
  CHECK_OK(f->ctx, ria_sim_spill(f->sim, &sewer_water, NULL));
  CHECK_OK(f->ctx, ria_sim_run(f->sim, 60));
  CHECK_OK(f->ctx, ria_sim_stats(f->sim, "dye", &dye));
  printf("%s, sewer: %lld cells with %.8f to %.8f\n", real, (long long)dye.n, dye.min, dye.max);
  CHECK(dye.n > least);
  CHECK_NEAR(dye.min, 4, off);
  CHECK_NEAR(dye.max, 4, off);
}

/* All of them, in both precisions. The spring: from its lowest cell, from a disc, and from one that
 * is far up the side. */
static void springs_run(void (*spring)(ria_real real, double x, double radius),
                        void (*burst)(ria_real real), void (*sewer)(ria_real real)) {
  for (int real = RIA_F64; real <= RIA_F32; real++) {
    spring((ria_real)real, 51, 0);
    spring((ria_real)real, 51, 9);
    spring((ria_real)real, 85, 5);
    burst((ria_real)real);
    sewer((ria_real)real);
  }
}

#endif
