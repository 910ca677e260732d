/* Boundaries: a river at normal depth; waves that leave; water and tracers that cross are accounted
 * for, with sources, sinks and decay; the same along x and along y. */
#include "cases.h"

static double flat(double x, double y) { return (void)x, (void)y, -10.0; }
static double still(double x, double y) { return (void)x, (void)y, 0.0; }

/* Uniform flow down a slope of 1 in 1000: discharge in, the level of normal depth out. */
static bool along_y;
static double slope(double x, double y) { return -1e-3 * (along_y ? y : x); }
static double wet(double x, double y) { return slope(x, y) + 2; }
static void river(void) {
  const int nx = along_y ? 5 : 80, ny = along_y ? 80 : 5;
  const double normal = 2, n = 0.03, unit = pow(normal, 5.0 / 3) * sqrt(1e-3) / n;
  flow f = flow_make(
      &(flow_desc){.nx = nx, .ny = ny, .dx = 25, .more = {{"dt", 10, NULL}, {"manning", n, NULL}}});
  flow_set(&f, "bed", slope);
  flow_set(&f, "level", wet);
  flow_side(&f, along_y ? RIA_SOUTH : RIA_WEST, "discharge", "q",
            (ria_value){.constant = unit * 125}, 0);
  flow_side(&f, along_y ? RIA_NORTH : RIA_EAST, "level", "level",
            (ria_value){.constant = -1e-3 * 2000 + normal}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 40000));
  double *h = flow_get(&f, "depth"), *q = flow_get(&f, along_y ? "qy" : "qx"), off = 0, uneven = 0;
  for (int k = 5; k < 75; k++) {
    const int at = along_y ? 5 * k + 2 : 2 * 80 + k;
    off = fmax(off, fabs(h[at] - normal));
    uneven = fmax(uneven, fabs(q[at] / unit - 1));
  }
  printf("river along %s: depth off by %.1e m, discharge by %.1e\n", along_y ? "y" : "x", off,
         uneven);
  CHECK(off < 2e-3);
  CHECK(uneven < 1e-6);
  free(h);
  free(q);
  flow_free(&f);
}

/* A wave that comes straight at an open side leaves; a wall throws it back whole. */
static double pulse(double x, double y) {
  const double s = along_y ? y : x;
  return 0.01 * exp(-pow((s - 1000) / 100, 2));
}
static double left_behind(ria_side side, const char *kind, double dt) {
  flow f = flow_make(&(flow_desc){.nx = along_y ? 3 : 200,
                                  .ny = along_y ? 200 : 3,
                                  .dx = 10,
                                  .more = {{"dt", dt, NULL}, {"manning", 0, NULL}}});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", pulse);
  for (int end = 0; end < 2; end++) /* the other end lets its half of the pulse out */
    flow_side(&f, (ria_side)((int)(along_y ? RIA_SOUTH : RIA_WEST) + end),
              (ria_side)((int)(along_y ? RIA_SOUTH : RIA_WEST) + end) == side ? kind : "open", NULL,
              (ria_value){0}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 200));
  double *level = flow_get(&f, "level"), most = 0;
  for (int k = 0; k < 600; k++) most = fmax(most, fabs(level[k]));
  free(level);
  flow_free(&f);
  return most / 0.005;
}

static void waves_leave(void) {
  const ria_side sides[2] = {along_y ? RIA_SOUTH : RIA_WEST, along_y ? RIA_NORTH : RIA_EAST};
  for (int k = 0; k < 2; k++) {
    const double open = left_behind(sides[k], "open", 1), longer = left_behind(sides[k], "open", 4),
                 wall = left_behind(sides[k], "wall", 1);
    printf("side %d: left of a wave %.4f, with longer steps %.4f, a wall %.2f\n", sides[k], open,
           longer, wall);
    CHECK(open < 0.01);
    CHECK(longer < 0.03);
    CHECK(wall > 0.9);
  }
}

/* A level below the water on one side, an open side on the other, few cells between: what the level
 * draws comes in over the open side, but no faster and faster. */
static double above(double x, double y) { return (void)x, (void)y, 1.0; }
static double shelf(double x, double y) { return -1 - 0.3 * x / 50 - 0.2 * y / 50; }
static void drawn(int across) {
  flow f = flow_make(&(flow_desc){.nx = across, .ny = 7, .dx = 2, .more = {{"dt", 0.35, NULL}}});
  flow_set(&f, "bed", shelf);
  flow_set(&f, "level", above);
  flow_side(&f, RIA_WEST, "level", "level", (ria_value){.constant = -0.2}, 0);
  flow_side(&f, RIA_EAST, "open", NULL, (ria_value){0}, 0);
  CHECK_OK(f.ctx, ria_sim_step(f.sim, 1000));
  double *h = flow_get(&f, "depth"), *froude = flow_get(&f, "froude"), most = 0, fast = 0;
  for (int k = 0; k < 7 * across; k++) {
    most = fmax(most, h[k]);
    fast = fmax(fast, froude[k]);
  }
  printf("%d cells between a level and an open side: depth %.3f m, Froude number %.3f\n", across,
         most, fast);
  CHECK(most < 2.5 && fast < 1.2);
  free(h);
  free(froude);
  flow_free(&f);
}

/* Everything at once: the account closes. */
static double valley(double x, double y) { return -3 + 2e-5 * pow(y - 250, 2) + 1e-3 * x; }
static double one(double x, double y) { return (void)x, (void)y, 1.0; }
static void account(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 50,
                                  .ny = 50,
                                  .dx = 10,
                                  .real = real,
                                  .tracer = "dye",
                                  .decay = 1e-3,
                                  .diffusion = 2,
                                  .more = {{"dt", 5, NULL}}});
  flow_set(&f, "bed", valley);
  flow_set(&f, "level", still);
  flow_set(&f, "dye", one);
  flow_side(&f, RIA_WEST, "level", "level", (ria_value){.constant = 0.2}, 0.5);
  flow_side(&f, RIA_EAST, "discharge", "q", (ria_value){.constant = 30}, 2);
  flow_side(&f, RIA_SOUTH, "discharge", "q", (ria_value){.constant = -5}, 0);
  flow_side(&f, RIA_NORTH, "open", NULL, (ria_value){0}, 0);
  const ria_spill_desc in = {.tracer = "dye",
                             .x = 255,
                             .y = 255,
                             .radius = 20,
                             .start = 20,
                             .duration = 300,
                             .flow = {.constant = 4},
                             .conc = {.constant = 2},
                             .has_flow = true};
  CHECK_OK(f.ctx, ria_sim_spill(f.sim, &in, NULL));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 1000));
  for (size_t k = 0; k < 2; k++) {
    const ria_budget_row b = flow_budget(&f, k);
    const double sum = b.initial + b.inflow - b.outflow + b.sources - b.decayed;
    printf("%s, quantity %zu: %.6g stored, off by %.1e; in %.4g, out %.4g, sources %.4g\n",
           real_name[real], k, b.stored, b.stored / sum - 1, b.inflow, b.outflow, b.sources);
    CHECK_NEAR(b.stored / sum, 1, 200 * place(real));
    CHECK(b.inflow > 1000 && b.outflow > 1000 && b.sources > 800);
  }
  flow_free(&f);
}

/* Rivers into calm water that stop from one step to the next: what came in the last half step is
 * not lost. */
static void stops(ria_real real) {
  flow f = flow_make(&(flow_desc){
      .nx = 70, .ny = 45, .dx = 10, .real = real, .tracer = "dye", .more = {{"dt", 2, NULL}}});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", still);
  flow_set(&f, "dye", one);
  double t[2] = {0, 0}, q[2] = {0, 0};
  for (int side = 0; side < RIA_SIDES; side++) {
    ria_series *series = NULL;
    t[1] = 41 + 2 * side; /* each in a step of its own */
    q[0] = side % 2 ? -8 : 12;
    const ria_table_desc table = {.t = t, .v = q, .n = 2, .interp = RIA_STEP, .hold = true};
    CHECK_OK(f.ctx, ria_series_table(f.ctx, &table, &series));
    flow_side(&f, (ria_side)side, "discharge", "q", (ria_value){.series = series}, 3);
    ria_series_destroy(&series);
  }
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 80));
  for (size_t k = 0; k < 2; k++) {
    const ria_budget_row b = flow_budget(&f, k);
    const double sum = b.initial + b.inflow - b.outflow;
    const double off = (b.stored - sum) / (b.inflow + b.outflow);
    printf("%s, quantity %zu, rivers that stop: off by %.1e of what crossed\n", real_name[real], k,
           off);
    CHECK_NEAR(off, 0, real == RIA_F64 ? 1e-11 : 1e-4); /* half a step would be some 4e-3 */
    CHECK(b.inflow > 900 && b.outflow > 600);
  }
  flow_free(&f);
}

int main(void) {
  for (int y = 0; y < 2; y++) {
    along_y = y;
    river();
    waves_leave();
  }
  drawn(1);
  drawn(4);
  account(RIA_F64);
  account(RIA_F32);
  stops(RIA_F64);
  stops(RIA_F32);
  return TEST_END();
}
