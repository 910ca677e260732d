/* The automatic step (dt = 0) follows what is about to come in: dry ground that a river, a tide or
 * a spring fills has sane depths from the first step on, and ends at the exact ones; flow that
 * outruns the step ends the run. */
#include "cases.h"

enum { LONG = 60, WIDE = 5 };
static bool along_y;
static double down(double x, double y) { return -2e-3 * (along_y ? y : x); }
static double beach(double x, double y) { return -1 + 1e-3 * (along_y ? y : x); }
static double none(double x, double y) { return (void)x, (void)y, 0.0; }
static double steep(double x, double y) { return (void)y, -0.02 * x; }
static double one(double x, double y) { return (void)x, (void)y, 1.0; }

static flow channel(ria_real real, shape bed, shape depth) {
  flow f = flow_make(&(flow_desc){.nx = along_y ? WIDE : LONG,
                                  .ny = along_y ? LONG : WIDE,
                                  .dx = 10,
                                  .real = real,
                                  .more = {{"manning", 0.03, NULL}}});
  flow_set(&f, "bed", bed);
  flow_set(&f, "depth", depth);
  return f;
}
static ria_side start(void) { return along_y ? RIA_SOUTH : RIA_WEST; }
static ria_side end(void) { return along_y ? RIA_NORTH : RIA_EAST; }

/* Depth of the k-th cell in the middle of the channel. */
static double depth_at(flow *f, int k) {
  return flow_at(f, "depth", along_y ? 2 : k, along_y ? k : 2);
}

static double deepest(flow *f) {
  double *h = flow_get(f, "depth"), most = 0;
  for (int k = 0; k < LONG * WIDE; k++) {
    CHECK(h[k] >= 0);
    most = fmax(most, h[k]);
  }
  free(h);
  return most;
}

static void closes(flow *f, ria_real real) {
  const ria_budget_row b = flow_budget(f, 0);
  CHECK(fabs(b.stored - b.initial - b.inflow - b.sources + b.outflow) <
        2e3 * place(real) * (b.inflow + b.sources));
}

/* q m^2/s on dry ground: normal depth, (n q / sqrt(slope))^(3/5), not much more on the way. */
static void river(ria_real real, double q) {
  flow f = channel(real, down, none);
  const double normal = pow(0.03 * q / sqrt(2e-3), 0.6);
  flow_side(&f, start(), "discharge", "q", (ria_value){.constant = q * 10 * WIDE}, 0);
  flow_side(&f, end(), "open", NULL, (ria_value){0}, 0);
  double most = 0;
  for (int k = 1; k <= 20; k++) {
    CHECK_OK(f.ctx, ria_sim_run(f.sim, 180 * k));
    most = fmax(most, deepest(&f));
  }
  printf("%s along %s, %g m2/s: depth %.3f m, deepest ever %.3f m, normal %.3f m, %lld steps\n",
         real_name[real], along_y ? "y" : "x", q, depth_at(&f, 30), most, normal,
         (long long)ria_sim_steps(f.sim));
  CHECK_NEAR(depth_at(&f, 30), normal, 0.025 * normal);
  CHECK(most < 1.03 * normal);
  closes(&f, real);
  flow_free(&f);
}

/* A tide comes onto a dry beach: as a dam that breaks at first, and level with it in the end. */
static void tide(ria_real real) {
  flow f = channel(real, beach, none);
  const double t[] = {0, 7200}, level[] = {0, 1};
  ria_series *rising = NULL;
  const ria_table_desc table = {.t = t, .v = level, .n = 2};
  CHECK_OK(f.ctx, ria_series_table(f.ctx, &table, &rising));
  flow_side(&f, start(), "level", "level", (ria_value){.series = rising}, 0);
  ria_series_destroy(&rising);
  for (int k = 1; k <= 20; k++) {
    CHECK_OK(f.ctx, ria_sim_run(f.sim, 360 * k));
    CHECK(deepest(&f) < 1.02 * (1 + k / 20.0)); /* nowhere deeper than where it comes in */
  }
  printf("%s along %s: the beach is %.3f m deep where it begins, %.3f m where it ends\n",
         real_name[real], along_y ? "y" : "x", depth_at(&f, 0), depth_at(&f, LONG - 1));
  CHECK_NEAR(depth_at(&f, 0), 2 - 0.005, 0.01);
  CHECK_NEAR(depth_at(&f, LONG - 1), 1 + 1 - 0.595, 0.03);
  closes(&f, real);
  flow_free(&f);
}

/* A spring in a cell of dry ground. */
static void spring(ria_real real) {
  flow f = channel(real, down, none);
  const ria_spill_desc s = {
      .name = "spring", .x = along_y ? 25 : 305, .y = along_y ? 305 : 25, .flow = {.constant = 4}};
  CHECK_OK(f.ctx, ria_sim_spill(f.sim, &s, NULL));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 60));
  CHECK(deepest(&f) < 0.5);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 600));
  printf("%s: a spring stands %.3f m deep\n", real_name[real], deepest(&f));
  CHECK(deepest(&f) > 0.1 && deepest(&f) < 0.5);
  closes(&f, real);
  flow_free(&f);
}

/* Water that is let go on a slope of 1 in 50 is too fast before the step is chosen again. */
static void outrun(void) {
  along_y = false;
  flow f = channel(RIA_F64, steep, one);
  flow_side(&f, RIA_EAST, "open", NULL, (ria_value){0}, 0);
  CHECK_STATUS(f.ctx, ria_sim_run(f.sim, 600), RIA_ERR_NUMERICAL);
  printf("%s\n", ria_error(f.ctx));
  CHECK_HOLDS(ria_error(f.ctx), "the flow outran the automatic time step: it crosses ");
  CHECK_HOLDS(ria_error(f.ctx), " s; set dt, to ");
  CHECK_HOLDS(ria_error(f.ctx), " s or less in cell (");
  flow_free(&f);
}

int main(void) {
  for (int axis = 0; axis < 2; axis++)
    for (int real = 0; real < 2; real++) {
      along_y = axis;
      if (test_is_short() && along_y != (real == RIA_F32)) continue;
      river((ria_real)real, 2);
      river((ria_real)real, 20);
      tide((ria_real)real);
      spring((ria_real)real);
    }
  outrun();
  return TEST_END();
}
