/* Bitwise the same fields from run to run and for 1, 2 and 3 threads, with forcing of every kind,
 * dry land and tracers. */
#include "cases.h"

enum { nx = 250, ny = 197 }; /* enough cells for three threads, and no multiple of a vector */
static double bed(double x, double y) { return -4 + 0.006 * x + 2 * sin(y / 170) * sin(x / 130); }
static double level(double x, double y) { return (void)y, 0.2 * sin(x / 200); }
static double dye(double x, double y) { return 1 + sin(x / 90) * cos(y / 70); }

static void run(ria_real real, int threads, double *out[4]) {
  static const char *const names[] = {"depth", "qx", "qy", "dye_load"};
  flow f = flow_make(&(flow_desc){.nx = nx,
                                  .ny = ny,
                                  .dx = 10,
                                  .real = real,
                                  .threads = threads,
                                  .manning = 0.03,
                                  .tracer = "dye",
                                  .decay = 1e-5,
                                  .diffusion = 0.3});
  flow_set(&f, "bed", bed);
  flow_set(&f, "level", level);
  flow_set(&f, "dye", dye);
  flow_side(&f, RIA_WEST, "level", "level", (ria_value){.constant = 0.7}, 0.5);
  flow_side(&f, RIA_SOUTH, "open", NULL, (ria_value){0}, 0);
  flow_side(&f, RIA_EAST, "discharge", "q", (ria_value){.constant = 40}, 2);
  const ria_spill_desc spill = {
      .tracer = "dye", .x = 300, .y = 300, .radius = 80, .mass = 1e4, .start = 60, .duration = 100};
  CHECK_OK(f.ctx, ria_sim_spill(f.sim, &spill, NULL));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, SHORT(600, 150)));
  for (int k = 0; k < 4; k++) out[k] = flow_get(&f, names[k]);
  flow_free(&f);
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    double *first[4];
    run((ria_real)real, 1, first);
    for (int threads = 1; threads <= 3; threads++) {
      double *again[4];
      run((ria_real)real, threads, again);
      for (int k = 0; k < 4; k++) {
        if (memcmp(first[k], again[k], sizeof(double) * nx * ny))
          printf("%s, %d threads: field %d differs\n", real_name[real], threads, k);
        CHECK(memcmp(first[k], again[k], sizeof(double) * nx * ny) == 0);
        free(again[k]);
      }
    }
    for (int k = 0; k < 4; k++) free(first[k]);
  }
  return TEST_END();
}
