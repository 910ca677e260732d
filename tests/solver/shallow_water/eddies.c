/* Eddy viscosity: shear decays as it says, the constant and Smagorinsky's, along both axes; a
 * mixing layer spreads as the exact solution and as in adi; tracers spread by the Schmidt number.
 * Nothing is made or lost, nothing passes a wall of dry cells, water at rest stays at rest to the
 * bit; steps are shortened only beyond the room that cfl leaves, and then everything is stable. */
#include "cases.h"
#include <ria/solver.h>

static double flat(double x, double y) { return (void)x, (void)y, -10.0; }
static double still(double x, double y) { return (void)x, (void)y, 0.0; }
static double one(double x, double y) { return (void)x, (void)y, 1.0; }

/* A channel along x, or (axis 1) along y, n cells wide, whose ends are open. */
static flow channel(const char *solver, int axis, int n, flow_desc d) {
  const bool implicit = !strcmp(solver, "adi");
  const int length = implicit ? 80 : 6; /* adi's ends are without eddies */
  d.nx = axis ? n : length;
  d.ny = axis ? length : n;
  d.dx = 10;
  ria_setting params[14] = {{"manning", 0, NULL}, {"order", test_order(), NULL}};
  flow f = flow_of(solver, &d, params, implicit ? 1 : 2);
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", still);
  for (int k = 0; k < 2; k++)
    flow_side(&f, (ria_side)(2 * axis + k), implicit ? "level" : "open",
              implicit ? "level" : "slope", (ria_value){.constant = 0}, d.tracer ? 1 : 0);
  return f;
}
/* In the middle of the channel, of the k-th cell across. */
static double across(const flow *f, int axis, const double *a, int k) {
  const int nx = f->grid.nx, ny = f->grid.ny;
  return axis ? a[ny / 2 * nx + k] : a[nx * k + nx / 2];
}

/* --- decay of a shear wave u = cos(k y) ------------------------------------------------------- */

static const double wave = 3.14159265358979323846 / 400;
static double shear_x(double x, double y) { return (void)x, cos(wave * y); }
static double shear_y(double x, double y) { return (void)y, cos(wave * x); }

static double shear_left(int axis, ria_real real, const char *name, double value, double t) {
  flow f =
      channel("shallow_water", axis, 40, (flow_desc){.real = real, .more = {{name, value, NULL}}});
  flow_set(&f, axis ? "v" : "u", axis ? shear_y : shear_x);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, t));
  double *q = flow_get(&f, axis ? "qy" : "qx"), left = 0;
  for (int k = 0; k < 40; k++)
    left += across(&f, axis, q, k) / 10 * cos(wave * (k + 0.5) * 10) / 20;
  free(q);
  flow_free(&f);
  return left;
}

/* Constant: exp(-E k^2 t), k that of the differences. Smagorinsky's is (C d)^2 |du/dy| / sqrt(2):
 * d/dt of the mean of u cos(k y) is then -8 / (3 pi) E k^2 U, E being the largest, if the shape
 * stays as it is. */
static void shear_decays(int axis, ria_real real) {
  const double t = test_is_traced() ? 20 : 1000, pi = 400 * wave;
  const double k2 = (2 - 2 * cos(wave * 10)) / 100, largest = 4 * 100 * wave / sqrt(2.0);
  const double none = shear_left(axis, real, "eddy", 0, t);
  const double eddy = shear_left(axis, real, "eddy", 5, t);
  const double flowing = shear_left(axis, real, "smagorinsky", 2, t);
  const double exact = exp(-5 * k2 * t), lost = 8 / (3 * pi) * largest * k2 * t;
  printf("%s, axis %d: shear left %.6f, with eddies %.6f (%.6f), Smagorinsky %.4f (%.4f)\n",
         real_name[real], axis, none, eddy, exact, flowing, 1 / (1 + lost));
  CHECK_NEAR(none, 1, 1e-4);
  CHECK_NEAR(eddy, exact, 3e-4);
  CHECK_NEAR(flowing, 1 / (1 + lost), 0.01);
}

/* --- a mixing layer: u = erf(y / sqrt(4 E t)) ------------------------------------------------- */

static double layer_begins = 200;
static double layer(double s, double t) { return 0.3 * erf((s - 400) / sqrt(4 * 5 * t)); }
static double layer_x(double x, double y) { return (void)x, layer(y, layer_begins); }
static double layer_y(double x, double y) { return (void)y, layer(x, layer_begins); }

static double *layer_of(const char *solver, int axis, double t) {
  flow_desc d = {.more = {{"eddy", 5, NULL}}};
  if (!strcmp(solver, "adi")) d.more[1] = (ria_setting){"dt", 2, NULL};
  flow f = channel(solver, axis, 80, d);
  flow_set(&f, axis ? "v" : "u", axis ? layer_y : layer_x);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, t));
  double *q = flow_get(&f, axis ? "qy" : "qx"), *u = malloc(80 * sizeof *u);
  if (!u) abort();
  for (int k = 0; k < 80; k++) u[k] = across(&f, axis, q, k) / 10;
  free(q);
  flow_free(&f);
  return u;
}

static bool has_solver(const char *name) {
  bool found = false;
  for (size_t k = 0; k < ria_solver_count(); k++) found |= !strcmp(ria_solver_at(k)->name, name);
  return found;
}

static void layer_spreads(int axis) {
  const double t = test_is_traced() ? 10 : 600;
  double *u = layer_of("shallow_water", axis, t), worst = 0, beside = 0;
  double *other = has_solver("adi") ? layer_of("adi", axis, t) : NULL;
  for (int k = 0; k < 80; k++) {
    worst = fmax(worst, fabs(u[k] - layer((k + 0.5) * 10, layer_begins + t)));
    if (other) beside = fmax(beside, fabs(u[k] - other[k]));
  }
  printf("axis %d: the mixing layer is off by %.1e of its speed, from adi's by %.1e\n", axis,
         worst / 0.3, beside / 0.3);
  CHECK(worst < 2e-3 * 0.3);
  CHECK(beside < 2e-3 * 0.3);
  free(u);
  free(other);
}

/* --- Smagorinsky's formula in a linear shear: dye 1 + (s / L)^2 grows by 2 E t / (Sc L^2) --------
 */

static double steady_x(double x, double y) { return (void)x, 0.01 * (y - 195); }
static double steady_y(double x, double y) { return (void)y, 0.01 * (x - 195); }
static double bowl_x(double x, double y) { return (void)x, 1 + pow((y - 195) / 100, 2); }
static double bowl_y(double x, double y) { return (void)y, 1 + pow((x - 195) / 100, 2); }

static double along_x(double x, double y) { return (void)y, 1 + pow((x - 35) / 100, 2); }
static double along_y(double x, double y) { return (void)x, 1 + pow((y - 35) / 100, 2); }

/* along: the dye varies along the channel, where the water of its middle is at rest. */
static void formula_holds(int axis, bool along) {
  flow f = channel("shallow_water", axis, 40,
                   (flow_desc){.tracer = "dye",
                               .diffusion = 0.05,
                               .more = {{"smagorinsky", 0.5, NULL}, {"schmidt", 0.5, NULL}}});
  flow_set(&f, axis ? "v" : "u", axis ? steady_y : steady_x);
  const shape bowl[2][2] = {{bowl_x, bowl_y}, {along_x, along_y}};
  flow_set(&f, "dye", bowl[along][axis]);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 0.3)); /* what the open ends bring is two cells away */
  double *c = flow_get(&f, "dye");
  const double nu = pow(0.5 * 10, 2) * 0.01 / sqrt(2.0);
  const double grows = 2 * (nu / 0.5 + 0.05) * 0.3 / 1e4;
  const double grown = across(&f, axis, c, 19) - 1;
  printf("axis %d%s: dye grows by %.12g, the formula says %.12g\n", axis, along ? ", along" : "",
         grown, grows);
  CHECK_NEAR(grown, grows, 1e-6 * grows);
  free(c);
  flow_free(&f);
}

/* --- tracers spread by the Schmidt number; water at rest ----------------------------------------
 */

static double cloud(double x, double y) {
  return exp(-(pow(x - 500, 2) + pow(y - 500, 2)) / (2 * 60.0 * 60.0));
}
static double variance(flow *f, bool along_x) {
  double *c = flow_get(f, "dye_load"), mass = 0, sum = 0;
  for (int k = 0; k < 100 * 100; k++) {
    const double s = ((along_x ? k % 100 : k / 100) + 0.5) * 10 - 500;
    mass += c[k];
    sum += c[k] * s * s;
  }
  free(c);
  return sum / mass;
}
static void cloud_spreads(ria_real real, double schmidt, double to) {
  flow f = flow_make(
      &(flow_desc){.nx = 100,
                   .ny = 100,
                   .dx = 10,
                   .real = real,
                   .tracer = "dye",
                   .diffusion = 0.5,
                   .more = {{"eddy", 1.4, NULL}, {schmidt > 0 ? "schmidt" : NULL, schmidt, NULL}}});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", still);
  flow_set(&f, "dye", cloud);
  const double x = variance(&f, true), y = variance(&f, false), t = test_is_traced() ? 5 : 500;
  CHECK_OK(f.ctx, ria_sim_run(f.sim, t));
  const double grown = 2 * to * t;
  printf("%s, Schmidt number %g: variance + %.1f, %.1f (%.1f)\n", real_name[real], schmidt,
         variance(&f, true) - x, variance(&f, false) - y, grown);
  CHECK_NEAR(variance(&f, true) - x, grown, 0.01 * grown);
  CHECK_NEAR(variance(&f, false) - y, grown, 0.01 * grown);
  double *q = flow_get(&f, "qx"), *level = flow_get(&f, "level");
  for (int k = 0; k < 100 * 100; k++)
    if (!CHECK(q[k] == 0 && level[k] == 0)) break;
  free(q);
  free(level);
  flow_free(&f);
}

/* --- rough flow in a closed basin with islands --------------------------------------------------
 */

enum { N = 61 };
static double noise(double x, double y) {
  const double s = sin(12.9898 * x + 78.233 * y) * 43758.5453;
  return 2 * (s - floor(s)) - 1;
}
static double other_noise(double x, double y) { return noise(y + 3, x - 7); }
static double dots(double x, double y) { return ((int)(x / 10) + (int)(y / 10)) % 2; }
static double rough(double x, double y) { return -3 + 4 * sin(x / 60) * sin(y / 70); }
static double gap(double x, double y) { return (void)x, fabs(y - 305) < 12 ? 5.0 : -10.0; }
static double north_flows(double x, double y) { return (void)x, y > 305 ? 1.0 : 0.0; }

static flow basin(ria_real real, shape bed, ria_setting a, ria_setting b, int threads) {
  flow f = flow_make(&(flow_desc){.nx = N,
                                  .ny = N,
                                  .dx = 10,
                                  .dy = 12,
                                  .real = real,
                                  .threads = threads,
                                  .tracer = "dye",
                                  .more = {a, b}});
  flow_set(&f, "bed", bed);
  flow_set(&f, "level", still);
  return f;
}
static double most_of(flow *f, const char *field) {
  double *a = flow_get(f, field), most = 0;
  for (int k = 0; k < N * N; k++) most = fmax(most, fabs(a[k]));
  free(a);
  return most;
}

/* At order 2 walls feel the velocities half a step ahead, which eddies change: here it is still
 * beside them. */
static bool inside(double x, double y) {
  if (test_order() == 1) return true;
  return x > 40 && x < 10 * N - 40 && y > 48 && y < 12 * N - 48;
}
static double inner_noise(double x, double y) { return inside(x, y) ? noise(x, y) : 0; }
static double other_inner_noise(double x, double y) { return inside(x, y) ? other_noise(x, y) : 0; }

/* What one step of the same length adds to the momentum of the basin is the same with eddies. */
static void momentum_stays(void) {
  double sum[2][2] = {{0}}, energy[2] = {0};
  for (int k = 0; k < 2; k++) {
    flow f = basin(RIA_F64, flat, (ria_setting){"eddy", k ? 2 : 0, NULL},
                   (ria_setting){"smagorinsky", k ? 0.4 : 0, NULL}, 2);
    flow_set(&f, "u", inner_noise);
    flow_set(&f, "v", other_inner_noise);
    CHECK_OK(f.ctx, ria_sim_run(f.sim, 0.2));
    CHECK_INT(ria_sim_steps(f.sim), 1);
    double *p = flow_get(&f, "qx"), *q = flow_get(&f, "qy");
    for (int m = 0; m < N * N; m++) {
      sum[k][0] += p[m];
      sum[k][1] += q[m];
      energy[k] += p[m] * p[m] + q[m] * q[m];
    }
    free(p);
    free(q);
    flow_free(&f);
  }
  printf("momentum differs by %.1e, %.1e of %g; energy is %.3f of that without eddies\n",
         sum[1][0] - sum[0][0], sum[1][1] - sum[0][1], energy[0], energy[1] / energy[0]);
  CHECK_NEAR(sum[1][0], sum[0][0], 1e-9);
  CHECK_NEAR(sum[1][1], sum[0][1], 1e-9);
  CHECK(energy[1] < 0.99 * energy[0]);
}

/* Water and dye are kept, dye has no new extremes and stays uniform, whatever the eddies. */
static void nothing_is_made(ria_real real, double eddy, double smagorinsky, shape dye, int steps) {
  flow f = basin(real, rough, (ria_setting){"eddy", eddy, NULL},
                 (ria_setting){"smagorinsky", smagorinsky, NULL}, 2);
  flow_set(&f, "u", noise);
  flow_set(&f, "v", other_noise);
  flow_set(&f, "dye", dye);
  CHECK_OK(f.ctx, ria_sim_step(f.sim, test_is_traced() && steps > 20 ? 20 : steps));
  double *c = flow_get(&f, "dye"), *h = flow_get(&f, "depth"), lo = 1, hi = 0;
  for (int k = 0; k < N * N; k++) {
    CHECK(h[k] >= 0);
    if (!(h[k] > 1e-6)) continue;
    lo = fmin(lo, c[k]);
    hi = fmax(hi, c[k]);
  }
  const double within = real == RIA_F64 ? 1e-12 : 1e-5;
  const ria_budget_row water = flow_budget(&f, 0), load = flow_budget(&f, 1);
  printf("%s, eddy %g, smagorinsky %g: dye in [%.17g, %.17g], water off by %.1e, dye by %.1e\n",
         real_name[real], eddy, smagorinsky, lo, hi, water.relative, load.relative);
  if (dye == one) CHECK(lo == 1 && hi == 1);
  if (dye == dots) CHECK(lo >= -within && hi <= 1 + within);
  CHECK_NEAR(water.relative, 0, real == RIA_F64 ? 1e-13 : 1e-8);
  CHECK_NEAR(load.relative, 0, real == RIA_F64 ? 1e-13 : 1e-8);
  free(c);
  free(h);
  flow_free(&f);
}

/* Beyond a dry bank the water does not stir. */
static void banks_part(void) {
  flow f = basin(RIA_F64, gap, (ria_setting){"eddy", 20, NULL},
                 (ria_setting){"smagorinsky", 1, NULL}, 2);
  flow_set(&f, "u", north_flows);
  CHECK_OK(f.ctx, ria_sim_step(f.sim, 30));
  double *q = flow_get(&f, "qx"), *p = flow_get(&f, "qy"), moved = 0;
  for (int j = 0; j < 24; j++)
    for (int i = 0; i < N; i++) moved = fmax(moved, fabs(q[N * j + i]) + fabs(p[N * j + i]));
  CHECK(moved == 0);
  free(q);
  free(p);
  flow_free(&f);
}

/* A lake at rest over islands. */
static void rest_is_kept(ria_real real) {
  flow f = basin(real, rough, (ria_setting){"eddy", 5, NULL},
                 (ria_setting){"smagorinsky", 0.5, NULL}, 2);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, test_is_traced() ? 3 : 60));
  CHECK(most_of(&f, "speed") < (real == RIA_F64 ? 1e-12 : 1e-4));
  flow_free(&f);
}

/* --- the time step ------------------------------------------------------------------------------
 */

static char cause[96]; /* of the step of step_with */

/* The longest stable step with this eddy viscosity; noise has died out at the end. */
static double step_with(const char *name, double value) {
  flow f = basin(RIA_F64, flat, (ria_setting){name, value, NULL}, (ria_setting){0}, 2);
  flow_set(&f, "u", noise);
  flow_set(&f, "v", other_noise);
  CHECK_OK(f.ctx, ria_sim_step(f.sim, 1));
  ria_summary sum;
  CHECK_OK(f.ctx, ria_sim_summary(f.sim, &sum));
  const double dt = sum.dt_min;
  snprintf(cause, sizeof cause, "%s", sum.dt_min_cause);
  CHECK_OK(f.ctx, ria_sim_step(f.sim, test_is_traced() ? 20 : 300));
  CHECK(most_of(&f, "speed") < (value > 100 ? 0.3 : 2));
  flow_free(&f);
  return dt;
}

static void steps_shorten(void) {
  const double spread = 2 * (1 / 100.0 + 1 / 144.0), none = step_with("eddy", 0);
  const double speed = 0.9 / none; /* what eddies may take of it without a shorter step */
  const double room = (0.95 - 0.9) * speed / 0.9 / spread;
  CHECK_NEAR(step_with("eddy", 0.65 * room), none, 1e-12); /* the dye's is room / 0.7 */
  CHECK_NEAR(step_with("eddy", 500), 0.95 / (speed + spread * 500 / 0.7), 1e-9);
  CHECK_NEAR(step_with("smagorinsky", 2), none, 1e-12); /* of the first step: not known yet */
}

/* The summary names what makes the step short: the flow; the flow and eddies, where these take a
 * twentieth of it or more; eddies, where they count for more than the flow. */
static void step_is_explained(void) {
  const double none = step_with("eddy", 0), spread = 2 * (1 / 100.0 + 1 / 144.0);
  const double like_flow = 0.9 / none / spread * 0.7; /* of the dye, which they spread faster */
  char flow[96], both[192];
  CHECK(!strncmp(cause, "speed ", 6) && strstr(cause, " m/s, depth 10 m") && !strchr(cause, ';'));
  snprintf(flow, sizeof flow, "%s", cause);
  step_with("eddy", 0.1 * like_flow); /* 1 - 0.95 / (0.9 (1 + 0.1)) = 0.04 */
  CHECK_TEXT(cause, flow);
  step_with("eddy", 0.12 * like_flow);
  snprintf(both, sizeof both, "%s; eddy viscosity shortens it by 6 %%", flow);
  CHECK_TEXT(cause, both);
  step_with("eddy", 0.9 * like_flow);
  snprintf(both, sizeof both, "%s; eddy viscosity shortens it by 44 %%", flow);
  CHECK_TEXT(cause, both);
  step_with("eddy", 1.1 * like_flow);
  CHECK_TEXT(cause, "eddy viscosity");
}

/* --- the same bits ------------------------------------------------------------------------------
 */

static void threads_agree(ria_real real) {
  static const char *const names[] = {"depth", "qx", "qy", "dye_load"};
  double *first[4] = {NULL};
  for (int threads = 1; threads <= 3; threads++) {
    flow f = basin(real, rough, (ria_setting){"eddy", 0.5, NULL},
                   (ria_setting){"smagorinsky", 0.7, NULL}, threads);
    flow_set(&f, "u", noise);
    flow_set(&f, "dye", dots);
    CHECK_OK(f.ctx, ria_sim_step(f.sim, 40));
    for (int k = 0; k < 4; k++) {
      double *a = flow_get(&f, names[k]);
      if (!first[k]) {
        first[k] = a;
        continue;
      }
      CHECK(memcmp(a, first[k], sizeof(double) * N * N) == 0);
      free(a);
    }
    flow_free(&f);
  }
  for (int k = 0; k < 4; k++) free(first[k]);
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    for (int axis = 0; axis < 2; axis++) shear_decays(axis, (ria_real)real);
    cloud_spreads((ria_real)real, 0.5, 0.5 + 1.4 / 0.5);
    cloud_spreads((ria_real)real, 0, 0.5 + 1.4 / 0.7);
    nothing_is_made((ria_real)real, 3, 0, one, 500);
    nothing_is_made((ria_real)real, 0, 2, one, 500);
    nothing_is_made((ria_real)real, 300, 1, dots, 500);
    nothing_is_made((ria_real)real, 0.3, 1, dots, 500);
    nothing_is_made((ria_real)real, 0, 2, dots, 1); /* bounded by the step: not counted yet */
    rest_is_kept((ria_real)real);
    threads_agree((ria_real)real);
  }
  for (int axis = 0; axis < 2; axis++) {
    layer_spreads(axis);
    formula_holds(axis, false);
    formula_holds(axis, true);
  }
  momentum_stays();
  banks_part();
  steps_shorten();
  step_is_explained();
  return TEST_END();
}
