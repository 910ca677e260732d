/* A lake with islands, shoals and a rough bed stays at rest exactly: not a bit of the level
 * changes, for any step, with level and open boundaries, with Coriolis and eddies. */
#include "cases.h"

static double bed(double x, double y) {
  const double island1 = 12 * exp(-(pow(x - 300, 2) + pow(y - 400, 2)) / 3e4);
  const double island2 = 10 * exp(-(pow(x - 700, 2) + pow(y - 650, 2)) / 1e4);
  return -8 + island1 + island2 + 3 * sin(0.9 * x) * cos(1.3 * y);
}
static double level(double x, double y) { return (void)x, (void)y, 0.37; }
static double one(double x, double y) { return (void)x, (void)y, 1.0; }

static void rest(ria_real real, double dt) {
  flow f = flow_make(&(flow_desc){.nx = 100,
                                  .ny = 100,
                                  .dx = 10,
                                  .real = real,
                                  .tracer = "dye",
                                  .more = {{"dt", dt, NULL},
                                           {"latitude", 50, NULL},
                                           {"eddy", 0.4, NULL},
                                           {"smagorinsky", 0.5, NULL}}});
  flow_set(&f, "bed", bed);
  flow_set(&f, "level", level);
  flow_set(&f, "dye", one);
  flow_side(&f, RIA_WEST, "level", "level", (ria_value){.constant = 0.37}, 1);
  flow_side(&f, RIA_EAST, "open", NULL, (ria_value){0}, 1);
  double *before = flow_get(&f, "depth"), *load = flow_get(&f, "dye_load");
  CHECK_OK(f.ctx, ria_sim_step(f.sim, SHORT(300, 50)));
  double *after = flow_get(&f, "depth"), *speed = flow_get(&f, "speed"),
         *load_after = flow_get(&f, "dye_load");
  int dry = 0, moved = 0;
  for (int k = 0; k < 100 * 100; k++) {
    dry += !(before[k] > 0);
    moved +=
        before[k] != after[k] || load[k] != load_after[k] || (speed[k] != 0 && !isnan(speed[k]));
  }
  CHECK(dry > 100 && dry < 2000);
  CHECK_INT(moved, 0);
  free(before);
  free(after);
  free(speed);
  free(load);
  free(load_after);
  flow_free(&f);
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    rest((ria_real)real, 2);
    rest((ria_real)real, 60);
  }
  return TEST_END();
}
