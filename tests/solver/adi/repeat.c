/* The same bits on one thread and on two, in one batch and in many, with everything switched on. */
#include "cases.h"

enum { NX = 133, NY = 97 };
static double bed(double x, double y) { return -4 + 6 * sin(x / 90) * cos(y / 70); }
static double level(double x, double y) { return x < y ? 0.5 : 0.1; }
static double dye(double x, double y) { return 1 + sin(x / 50) * sin(y / 50); }

static double *after(ria_real real, int threads, int64_t batch, const char *field, double order) {
  flow f = flow_make(&(flow_desc){.nx = NX,
                                  .ny = NY,
                                  .dx = 10,
                                  .dy = 12,
                                  .real = real,
                                  .threads = threads,
                                  .tracer = "dye",
                                  .decay = 1e-4,
                                  .diffusion = 0.5,
                                  .more = {{"dt", 6, NULL},
                                           {"order", order, NULL},
                                           {"smagorinsky", 0.3, NULL},
                                           {"latitude", 45, NULL},
                                           {"wind_speed", 10, NULL}}});
  flow_set(&f, "bed", bed);
  flow_set(&f, "level", level);
  flow_set(&f, "dye", dye);
  flow_side(&f, RIA_WEST, "level", "level", (ria_value){.constant = 0.3}, 1);
  flow_side(&f, RIA_NORTH, "discharge", "q", (ria_value){.constant = 20}, 2);
  flow_side(&f, RIA_EAST, "open", NULL, (ria_value){0}, 0);
  for (int k = 0; k < 60; k += (int)batch) CHECK_OK(f.ctx, ria_sim_step(f.sim, batch));
  double *a = flow_get(&f, field);
  flow_free(&f);
  return a;
}

int main(void) {
  const char *const fields[] = {"depth", "qx", "qy", "dye_load", "dye_load"};
  const double order[] = {1, 1, 1, 1, 2}; /* of tracers alone */
  for (int real = 0; real < 2; real++)
    for (int k = 0; k < 5; k++) {
      double *one = after((ria_real)real, 1, 60, fields[k], order[k]),
             *two = after((ria_real)real, 2, 60, fields[k], order[k]),
             *short_ones = after((ria_real)real, 2, 7 - 1, fields[k], order[k]);
      CHECK(memcmp(one, two, NX * NY * sizeof *one) == 0);
      CHECK(memcmp(one, short_ones, NX * NY * sizeof *one) == 0);
      double most = 0;
      for (int m = 0; m < NX * NY; m++) most = fmax(most, fabs(one[m]));
      CHECK(most > 0.01);
      free(one);
      free(two);
      free(short_ones);
    }
  return TEST_END();
}
