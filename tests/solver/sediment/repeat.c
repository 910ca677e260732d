/* Bitwise the same from run to run, for 1, 2 and 3 threads, however a run is cut into steps, and
 * with gauges that are read between steps, without a step more. */
#include "cases.h"

enum { nx = 250, ny = 197 }; /* enough cells for three threads, and no multiple of a vector */

/* Several a step, and one in several. */
static void add_gauges(basin *b) {
  const ria_gauge_desc often = {.name = "often", .x = 5000, .y = 7000, .every = 0.013 * YEAR},
                       seldom = {.name = "seldom", .x = 5000, .y = 7000, .every = 7.7 * YEAR};
  CHECK_OK(b->ctx, ria_sim_gauge(b->sim, &often, NULL));
  CHECK_OK(b->ctx, ria_sim_gauge(b->sim, &seldom, NULL));
}

static int64_t run(ria_real real, int threads, int cut, bool gauged, double *out[2],
                   ria_budget_row rows[2]) {
  basin b = basin_make(nx, ny, 120, 100, real, threads,
                       (ria_setting[]){{.name = "marine_alpha", .number = 0.2}, {0}});
  basin_random(&b, "height", -6, 4, 11);
  basin_random(&b, "sand", 0, 1, 12);
  basin_random(&b, "beta", 0, 1500 / YEAR, 13);
  basin_side(&b, RIA_WEST, "flux", (ria_value){.constant = 5e-3}, (ria_value){.constant = 2e-3});
  basin_side(&b, RIA_EAST, "open", (ria_value){0}, (ria_value){0});
  const ria_spill_desc rain = {.tracer = "mud",
                               .x = 9000,
                               .y = 9000,
                               .radius = 3000,
                               .has_flow = true,
                               .flow = {.constant = 1e-2}};
  CHECK_OK(b.ctx, ria_sim_spill(b.sim, &rain, NULL));
  if (gauged) add_gauges(&b);
  for (int k = 0; k < cut; k++) CHECK_OK(b.ctx, ria_sim_step(b.sim, 1 + k % 3));
  CHECK_OK(b.ctx, ria_sim_run(b.sim, 150 * YEAR));
  const char *const names[] = {"height", "sand"};
  for (int k = 0; k < 2; k++) {
    out[k] = malloc(sizeof(double) * nx * ny);
    memcpy(out[k], basin_get(&b, names[k]), sizeof(double) * nx * ny);
  }
  size_t n = 2;
  CHECK_OK(b.ctx, ria_sim_budget(b.sim, rows, &n));
  const int64_t steps = ria_sim_steps(b.sim);
  basin_free(&b);
  return steps;
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    double *first[2], *again[2];
    ria_budget_row rows[2], more[2];
    const int64_t steps = run((ria_real)real, 1, 0, false, first, rows);
    for (int threads = 1; threads <= 3; threads++) {
      CHECK_INT(run((ria_real)real, threads, 4 * threads, threads > 1, again, more), steps);
      for (int k = 0; k < 2; k++) {
        CHECK(memcmp(first[k], again[k], sizeof(double) * nx * ny) == 0);
        CHECK(rows[k].stored == more[k].stored && rows[k].outflow == more[k].outflow);
        free(again[k]);
      }
    }
    for (int k = 0; k < 2; k++) free(first[k]);
  }
  return TEST_END();
}
