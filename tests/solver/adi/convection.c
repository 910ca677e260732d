/* The convective terms. A shear wave is carried across by the flow: steady at second order with the
 * correction after Lax and Wendroff, while the thesis' form grows. At high Froude numbers upwinding
 * keeps a bore from ringing. */
#include "cases.h"

static double flat(double x, double y) { return (void)x, (void)y, -10.0; }
static double still(double x, double y) { return (void)x, (void)y, 0.0; }
static double along(double x, double y) { return (void)x, (void)y, 1.0; }
static double ripple(double x, double y) {
  return (void)y, 0.02 * sin(2 * pi * x / 80) * (x > 320 && x < 480);
}

/* u = 1 m/s carries a packet of v; returns its largest value after t, of what it was. */
static double carried(int term, int upwind) {
  const char *const names[] = {"steady", "thesis"};
  flow f = flow_make(&(flow_desc){.nx = 160,
                                  .ny = 40,
                                  .dx = 10,
                                  .more = {{"dt", 6, NULL},
                                           {"manning", 0, NULL},
                                           {"upwind", 0, upwind ? "froude" : "off"},
                                           {"cross", 0, names[term]}}});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", still);
  flow_set(&f, "u", along);
  flow_set(&f, "v", ripple);
  flow_side(&f, RIA_WEST, "discharge", "q", (ria_value){.constant = 4000}, 0);
  flow_side(&f, RIA_EAST, "level", "level", (ria_value){0}, 0);
  flow_side(&f, RIA_SOUTH, "level", "level", (ria_value){0}, 0);
  flow_side(&f, RIA_NORTH, "level", "level", (ria_value){0}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 600));
  double *v = flow_get(&f, "v"), most = 0;
  for (int i = 0; i < 160; i++) most = fmax(most, fabs(v[20 * 160 + i]));
  free(v);
  flow_free(&f);
  return most / 0.02;
}

/* A dam breaks onto shallow water: behind the bore Stoker's level, with how much over and under it.
 */
static double dam(double x, double y) { return (void)y, x < 500 ? -5.0 : -9.5; }
static double ringing(int upwind, double *behind) {
  flow f = flow_make(&(flow_desc){
      .nx = 200,
      .ny = 3,
      .dx = 5,
      .more = {{"dt", 0.4, NULL}, {"manning", 0, NULL}, {"upwind", 0, upwind ? "froude" : "off"}}});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", dam);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 40));
  double *level = flow_get(&f, "level"), rough = 0;
  for (int i = 101; i < 199; i++) rough += fabs(level[200 + i] - level[200 + i - 1]);
  rough -= fabs(level[200 + 198] - level[200 + 100]);
  *behind = level[200 + 140] + 10;
  free(level);
  flow_free(&f);
  return rough;
}

int main(void) {
  const double steady = carried(0, 0), thesis = carried(1, 0);
  printf("a packet after 60 cells: %.3f of itself, as the thesis has it %.3f\n", steady, thesis);
  CHECK(steady > 0.55 && steady < 1.02);
  CHECK(thesis > 1.1);
  double behind, any;
  const double with = ringing(1, &behind), without = ringing(0, &any);
  printf("a bore rings by %.3f m with upwinding, %.3f m without; depth behind it %.3f m\n", with,
         without, behind);
  CHECK(with < 0.05);
  CHECK_NEAR(behind, 1.981, 0.05);
  CHECK(without > 1);
  return TEST_END();
}
