/* Flow that stands still does so for as long as it likes: what a small disturbance leaves in it
 * dies out, whatever the step, without viscosity and without friction.
 *
 *   noise     uniform flow at a Froude number of 0.16 with noise of the grid's length: as the
 * thesis has the cross term, and after Lax and Wendroff, waves grow by it at any step seiche    a
 * wave that runs from bank to bank where a discharge comes in: shared by the depth of each cell the
 * discharge would feed it wake      flow over a bump, at steps of up to 0.9 of a cell */
#include "cases.h"

enum { NX = 150, NY = 60 };
static const double cell = 0.02, depth = 0.054, speed = 0.115;

static double flat(double x, double y) { return (void)x, (void)y, -depth; }
static double bump(double x, double y) {
  return -depth + 0.03 * exp(-(pow(x - 1, 2) + pow(y - 0.6, 2)) / (2 * 0.1 * 0.1));
}
static double along(double x, double y) { return (void)x, (void)y, speed; }
static double still(double x, double y) { return (void)x, (void)y, 0.0; }
static double tilted(double x, double y) { return (void)x, 1e-3 * cos(pi * y / 1.2); }

/* Numbers that follow no wave; the same in each run. */
static double rough(double x, double y) {
  const double s = sin(12.9898 * x / cell + 78.233 * y / cell) * 43758.5453;
  return 1e-4 * (s - floor(s) - 0.5);
}

static flow channel(ria_real real, double dt, const char *cross, shape bed, shape level) {
  flow f = flow_make(&(flow_desc){.nx = NX,
                                  .ny = NY,
                                  .dx = cell,
                                  .real = real,
                                  .more = {{"dt", dt, NULL},
                                           {"manning", 0, NULL},
                                           {"cross", 0, cross},
                                           {"drying_depth", 0.001, NULL},
                                           {"flooding_depth", 0.002, NULL}}});
  flow_set(&f, "bed", bed);
  flow_set(&f, "level", level);
  flow_set(&f, "u", along);
  flow_side(&f, RIA_EAST, "level", "level", (ria_value){0}, 0);
  return f;
}

static void feed(flow *f) {
  flow_side(f, RIA_WEST, "discharge", "q", (ria_value){.constant = speed * depth * NY * cell}, 0);
}

/* The largest |value| of a field. */
static double most(flow *f, const char *field) {
  double *a = flow_get(f, field), m = 0;
  for (int k = 0; k < NX * NY; k++) m = fmax(m, fabs(a[k]));
  free(a);
  return m;
}

static double noise(ria_real real, double dt, const char *cross) {
  flow f = channel(real, dt, cross, flat, rough);
  flow_side(&f, RIA_WEST, "level", "level", (ria_value){0}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 15));
  const double v = most(&f, "v");
  printf("%s, dt %g s, %s: noise of 0.05 mm makes %.1e m/s after 15 s\n", real_name[real], dt,
         cross, v);
  flow_free(&f);
  return v;
}

static void seiche(ria_real real) {
  flow f = channel(real, 0.04, "centred", flat, tilted);
  feed(&f);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 10));
  const double before = most(&f, "v");
  CHECK_OK(f.ctx, ria_sim_run(f.sim, SHORT(120, 60)));
  const double after = most(&f, "v");
  printf("%s: from bank to bank %.2e m/s, later %.2e m/s\n", real_name[real], before, after);
  CHECK(after < SHORT(0.5, 0.8) * before);
  flow_free(&f);
}

/* The flow is as symmetrical as the bump, and the same minutes later: with many short steps, in
 * short. */
static void wake(double dt) {
  const bool in_full = test_is_long() || (dt > 0.05 && !test_is_short());
  flow f = channel(RIA_F64, dt, "centred", bump, still);
  feed(&f);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, in_full ? 160 : 40));
  double *before = flow_get(&f, "level");
  CHECK_OK(f.ctx, ria_sim_run(f.sim, in_full ? 200 : 60));
  double *level = flow_get(&f, "level"), changed = 0, uneven = 0;
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < NX; i++) {
      changed = fmax(changed, fabs(level[j * NX + i] - before[j * NX + i]));
      uneven = fmax(uneven, fabs(level[j * NX + i] - level[(NY - 1 - j) * NX + i]));
    }
  printf("dt %g s: level within %.2e m of 0, changes by %.1e m, uneven by %.1e m\n", dt,
         most(&f, "level"), changed, uneven);
  CHECK(most(&f, "level") < 1.2e-3);
  CHECK(changed < (in_full ? 5e-5 : 4e-4));
  CHECK(uneven < 1e-6);
  free(before);
  free(level);
  flow_free(&f);
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    CHECK(noise((ria_real)real, 0.06, "centred") < 1e-3);
    CHECK(noise((ria_real)real, 0.15, "centred") < 1e-3);
    if (real == RIA_F64 || test_is_long()) seiche((ria_real)real);
  }
  CHECK(noise(RIA_F64, 0.06, "steady") > 1e-2);
  wake(0.04);
  wake(0.1);
  return TEST_END();
}
