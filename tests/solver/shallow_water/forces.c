/* Wind and Coriolis force: each against what it must balance or bring about, in single and double.
 */
#include "cases.h"
#include "solver/set_up.h"

static const double spin = 2 * 7.2921159e-5 * 0.76604444311897803; /* f at 50 degrees north, 1/s */
static const double pi = 3.14159265358979323846;

static double deep(double x, double y) { return (void)x, (void)y, -10.0; }

/* Into a new array, the caller's. */
static double largest(flow *f, const char *field) {
  double *a = flow_get(f, field), most = 0;
  for (int k = 0; k < f->grid.nx * f->grid.ny; k++)
    if (!isnan(a[k])) most = fmax(most, fabs(a[k]));
  free(a);
  return most;
}

/* --- wind ------------------------------------------------------------------------------------- */

static flow windy_basin(double from, int axis, ria_real real) {
  return flow_make(&(flow_desc){
      .nx = axis ? 4 : 50,
      .ny = axis ? 50 : 4,
      .dx = 100,
      .real = real,
      .manning = 0.4,
      .more = {{"wind_speed", 10, NULL}, {"wind_from", from, NULL}, {"wind_drag", 0.0015, NULL}}});
}

/* Set-up in a closed basin: in the end g h dlevel = stress dx / density between any two cells, and
 * nothing moves. What sloshes on the way there dies down fast at first order, by the scheme's
 * damping; at second order by friction, which a slow motion hardly feels. */
static void set_up(double from, int axis, ria_real real) {
  flow f = windy_basin(from, axis, real);
  const double worst = set_up_off(&f, from, axis);
  const double speed = largest(&f, "speed");
  printf("%s, wind from %g: set-up off by %.1e, speed %.1e m/s\n", real_name[real], from, worst,
         speed);
  CHECK(worst < (real == RIA_F64 ? by_order(1e-8, 1e-4) : 1e-3));
  CHECK(speed < (real == RIA_F64 ? by_order(1e-9, 1e-5) : 1e-5));
  flow_free(&f);
}

/* What is set up keeps still. */
static void stays_up(double from, int axis, ria_real real) {
  flow f = windy_basin(from, axis, real);
  double level[200] = {0};
  for (int k = axis ? 4 : 1; k < 200; k++) {
    const double before = level[axis ? k - 4 : k % 50 ? k - 1 : k - 50];
    double here = before;
    for (int m = 0; m < 30 && (axis || k % 50); m++)
      here = before + 2 * set_up_stress(from) * 100 / gravity / (2 + before + here);
    level[k] = here;
  }
  flow_set(&f, "bed", shallow);
  CHECK_OK(f.ctx, ria_sim_set(f.sim, "level", level));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 86400));
  const double worst = set_up_now(&f, from, axis), speed = largest(&f, "speed");
  printf("%s, wind from %g: a set-up is off by %.1e after a day, speed %.1e m/s\n", real_name[real],
         from, worst, speed);
  CHECK(worst < (real == RIA_F64 ? 1e-11 : 1e-3));
  CHECK(speed < (real == RIA_F64 ? 1e-13 : 1e-5));
  flow_free(&f);
}

/* A closed basin, the wind along it blowing half of the time: the balance of the moment. */
static void wind_in_time(void) {
  const double t[] = {0, 86400, 86400.5, 4 * 86400}, u[] = {10, 10, 0, 0};
  flow f = flow_make(&(flow_desc){.nx = 50, .ny = 4, .dx = 100, .manning = 0.4});
  ria_series *speed = NULL;
  const ria_table_desc table = {.t = t, .v = u, .n = 4};
  CHECK_OK(f.ctx, ria_series_table(f.ctx, &table, &speed));
  CHECK_OK(f.ctx, ria_sim_vary(f.sim, "wind_speed", &(ria_value){.series = speed}));
  flow_set(&f, "bed", shallow);
  flow_set(&f, "level", still);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 86400));
  const double up = largest(&f, "level");
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 4 * 86400));
  const double down = largest(&f, "level");
  printf("level at the ends %.4f m in the wind, %.1e m after it\n", up, down);
  CHECK_NEAR(up, 1.225 / 1025 * (1.255e-3 + 1.17e-3 * 3 / 18) * 100 / gravity * 2450, 0.03 * up);
  CHECK(down < by_order(1e-6, 5e-6)); /* see set_up */
  CHECK_STATUS(f.ctx, ria_sim_run(f.sim, 5 * 86400), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(f.ctx), "parameter 'wind_speed': its series has values from 0 s to 345600 "
                                "s, and the run needs them from 345600 s to 432000 s");
  ria_series_destroy(&speed);
  flow_free(&f);
}

/* A film, a beach, dry land and a gale: the account closes, nothing is negative, runs away or is
 * dragged up the land, but where films are to feel all of the stress. */
static double beach(double x, double y) { return -1 + x / 500 + 0.3 * sin(x / 70) * cos(y / 90); }
static void gale(ria_real real, double wind_depth) {
  flow f = flow_make(&(flow_desc){.nx = 100,
                                  .ny = 40,
                                  .dx = 10,
                                  .real = real,
                                  .manning = 0.03,
                                  .more = {{"wind_speed", 40, NULL},
                                           {"wind_from", 250, NULL},
                                           {"wind_depth", wind_depth, NULL}}});
  flow_set(&f, "bed", beach);
  flow_set(&f, "level", still);
  const double before = flow_total(&f, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, LENGTH(20000, 4000, 2000)));
  double *h = flow_get(&f, "depth"), highest = -1;
  for (int k = 0; k < 100 * 40; k++) {
    CHECK(h[k] >= 0);
    if (h[k] > 1e-6) highest = fmax(highest, beach((k % 100 + 0.5) * 10, (k / 100 + 0.5) * 10));
  }
  free(h);
  const double speed = largest(&f, "speed"), off = flow_total(&f, 0) / before - 1;
  printf("%s, gale on a beach: speed %.2f m/s, ground wet up to %.2f m, water off by %.1e\n",
         real_name[real], speed, highest, off);
  CHECK(wind_depth < 0.1 ? highest > 1.0 : highest < 0.5);
  CHECK(speed < 3);
  CHECK_NEAR(off, 0, real == RIA_F64 ? 1e-12 : 1e-7);
  flow_free(&f);
}

/* --- rotation --------------------------------------------------------------------------------- */

/* Water at rest does not know that the earth turns. */
static double islands(double x, double y) { return -2 + 3 * sin(x / 60) * cos(y / 45); }
static void rest(ria_real real) {
  flow f = flow_make(
      &(flow_desc){.nx = 40, .ny = 30, .dx = 10, .real = real, .more = {{"latitude", 50, NULL}}});
  flow_set(&f, "bed", islands);
  flow_set(&f, "level", still);
  double *before = flow_get(&f, "depth");
  CHECK_OK(f.ctx, ria_sim_step(f.sim, 200));
  double *after = flow_get(&f, "depth");
  for (int k = 0; k < 40 * 30; k++) CHECK_NEAR(after[k], before[k], real == RIA_F64 ? 1e-14 : 2e-6);
  CHECK(largest(&f, "speed") < (real == RIA_F64 ? 1e-13 : 1e-5));
  free(before);
  free(after);
  flow_free(&f);
}

/* Inertial motion, open all around: after a quarter of its period the current has turned to the
 * right by 90 degrees, after a whole one it is what it was. */
static void inertia(ria_real real) {
  flow f = flow_make(
      &(flow_desc){.nx = 20, .ny = 20, .dx = 500, .real = real, .more = {{"latitude", 50, NULL}}});
  flow_set(&f, "bed", deep);
  flow_set(&f, "level", still);
  CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "u", 0.1));
  for (int side = 0; side < RIA_SIDES; side++)
    CHECK_OK(f.ctx, ria_boundary_add(
                        f.sim, &(ria_boundary_desc){.kind = "open", .side = (ria_side)side}, NULL));
  const double period = 2 * pi / spin, small = real == RIA_F64 ? 1e-6 : 1e-4;
  double u, v;
  for (int turn = 0; turn < 5; turn++) {
    CHECK_OK(f.ctx, ria_sim_run(f.sim, (0.25 + turn) * period));
    CHECK_OK(f.ctx, ria_sim_probe(f.sim, "u", 5200, 5200, &u));
    CHECK_OK(f.ctx, ria_sim_probe(f.sim, "v", 5200, 5200, &v));
    if (turn == 0) printf("%s, a quarter turn: u %.2e, v %.8f\n", real_name[real], u, v);
    CHECK_NEAR(u, 0, 20 * small);
    CHECK_NEAR(v, -0.1, small);
  }
  flow_free(&f);
}

/* A current along a channel, the level across it in balance. */
static const double width = 100e3;
static double jet(double x, double y) {
  return (void)x, 0.3 * exp(-pow((y - width / 2) / 15e3, 2));
}
static double kept_of_jet(double latitude, ria_real real) {
  enum { NX = 4, NY = 100 };
  flow f = flow_make(&(flow_desc){
      .nx = NX, .ny = NY, .dx = 1000, .real = real, .more = {{"latitude", latitude, NULL}}});
  double level[NX * NY] = {0}, u[NX * NY], worst = 0;
  for (int k = 0; k < NX * NY; k++) u[k] = jet(0, (k / NX + 0.5) * 1000);
  for (int k = NX; k < NX * NY; k++)
    for (int m = 0; m < 9; m++) { /* the depth is in the balance: g h dlevel = - f q dy */
      const double a = 10 + level[k - NX], b = 10 + level[k];
      level[k] = level[k - NX] - spin / gravity * 1000 * (a * u[k - NX] + b * u[k]) / (a + b);
    }
  flow_set(&f, "bed", deep);
  CHECK_OK(f.ctx, ria_sim_set(f.sim, "level", level));
  CHECK_OK(f.ctx, ria_sim_set(f.sim, "u", u));
  CHECK_OK(f.ctx,
           ria_boundary_add(f.sim, &(ria_boundary_desc){.kind = "open", .side = RIA_WEST}, NULL));
  CHECK_OK(f.ctx,
           ria_boundary_add(f.sim, &(ria_boundary_desc){.kind = "open", .side = RIA_EAST}, NULL));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 10 * 86400));
  double *now = flow_get(&f, "u");
  for (int k = 0; k < NX * NY; k++) worst = fmax(worst, fabs(now[k] - u[k]));
  printf("%s, latitude %g: the current has changed by %.2g of 0.3 m/s\n", real_name[real], latitude,
         worst);
  free(now);
  flow_free(&f);
  return worst;
}

/* --- words ------------------------------------------------------------------------------------ */

static void refuses(void) {
  flow f = flow_make(&(flow_desc){.nx = 4, .ny = 4, .dx = 10});
  double t[] = {0, 10}, v[] = {3, -2};
  ria_series *series = NULL;
  double now = 0;
  CHECK_FAILS(f.ctx, ria_sim_vary(f.sim, "manning", &(ria_value){.constant = 0.1}),
              RIA_ERR_ARGUMENT,
              "parameter 'manning' of shallow_water cannot change in time: those that can are "
              "wind_speed, wind_from");
  CHECK_FAILS(f.ctx, ria_sim_vary(f.sim, "wind_sped", &(ria_value){.constant = 1}),
              RIA_ERR_ARGUMENT,
              "unknown parameter 'wind_sped' of shallow_water: did you mean 'wind_speed'?");
  CHECK_FAILS(f.ctx, ria_sim_vary(f.sim, "wind_speed", &(ria_value){.constant = 101}),
              RIA_ERR_ARGUMENT,
              "parameter 'wind_speed' of shallow_water is 101 m/s: it must be between 0 and 100 "
              "m/s");
  CHECK_FAILS(f.ctx, ria_sim_vary(f.sim, "wind_speed", NULL), RIA_ERR_ARGUMENT,
              "a parameter needs a value: it is NULL");
  CHECK_OK(f.ctx, ria_series_table(f.ctx, &(ria_table_desc){.t = t, .v = v, .n = 2}, &series));
  CHECK_FAILS(f.ctx, ria_sim_vary(f.sim, "wind_speed", &(ria_value){.series = series}),
              RIA_ERR_ARGUMENT,
              "row 2 of a series: parameter 'wind_speed' of shallow_water is -2 m/s: it must be "
              "between 0 and 100 m/s");
  ria_series_destroy(&series);

  /* between 350 and 10 degrees lies north */
  v[0] = 350, v[1] = 10;
  CHECK_OK(f.ctx, ria_series_table(f.ctx, &(ria_table_desc){.t = t, .v = v, .n = 2}, &series));
  CHECK_OK(f.ctx, ria_sim_vary(f.sim, "wind_from", &(ria_value){.series = series}));
  CHECK_OK(f.ctx, ria_sim_param(f.sim, "wind_from", &now));
  CHECK_NEAR(now, 350, 0);
  flow_set(&f, "bed", deep);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 5));
  CHECK_OK(f.ctx, ria_sim_param(f.sim, "wind_from", &now));
  CHECK_NEAR(now, 360, 1e-12);
  ria_series_destroy(&series);
  flow_free(&f);
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    set_up(270, 0, (ria_real)real);
    set_up(90, 0, (ria_real)real);
    set_up(180, 1, (ria_real)real);
    set_up(0, 1, (ria_real)real);
    for (int k = 0; k < 4; k++) stays_up(90 * k, k % 2 == 0, (ria_real)real);
    gale((ria_real)real, 0.5);
    gale((ria_real)real, 0.01);
    rest((ria_real)real);
    inertia((ria_real)real);
    CHECK(kept_of_jet(50, (ria_real)real) < (real == RIA_F64 ? 1e-12 : 1e-4));
  }
  /* without its balance it sloshes, and at first order fades */
  CHECK(kept_of_jet(0, RIA_F64) > by_order(0.01, 0.004));
  wind_in_time();
  refuses();
  return TEST_END();
}
