/* Boundaries: waves leave through `open`; `level` drives a channel as linear theory says, fills a
 * basin evenly and takes supercritical outflow as it comes; `discharge` sets up the exact steady
 * flow over a bump, sub- and transcritical (Goutal and Maurel 1997). */
#include "cases.h"

static double flat(double x, double y) { return (void)x, (void)y, -2.0; }
static double pulse(double x, double y) { return (void)y, 0.01 * exp(-pow((x - 500) / 40, 2)); }

static void waves_leave(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 200, .ny = 3, .dx = 5, .real = real});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", pulse);
  flow_side(&f, RIA_WEST, "open", NULL, (ria_value){0}, 0);
  flow_side(&f, RIA_EAST, "open", NULL, (ria_value){0}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 400)); /* the pulses pass the ends after 113 s */
  double *eta = flow_get(&f, "level"), worst = 0;
  for (int i = 0; i < 200; i++) worst = fmax(worst, fabs(eta[200 + i]));
  printf("%s: %.3g m of a pulse of 0.01 m are left\n", real_name[real], worst);
  CHECK(worst < 1e-4);
  free(eta);
  flow_free(&f);
}

/* A tide at the west end of a channel closed in the east: eta = A cos(k (L - x)) / cos(k L)
 * cos(wt), for a small amplitude: another 0.3 A / 1 cm are not linear. */
static double standing_tide(int n, double amplitude, ria_real real) {
  const double length = 20e3, depth = 10, period = 6000;
  const double w = 2 * acos(-1.0) / period, k = w / sqrt(gravity * depth);
  flow f = flow_make(&(flow_desc){.nx = n, .ny = 1, .dx = length / n, .real = real});
  for (int i = 0; i < n; i++) f.buffer[i] = -depth;
  CHECK_OK(f.ctx, ria_sim_set(f.sim, "bed", f.buffer));
  for (int i = 0; i < n; i++)
    f.buffer[i] = amplitude * cos(k * (length - (i + 0.5) * length / n)) / cos(k * length);
  CHECK_OK(f.ctx, ria_sim_set(f.sim, "level", f.buffer));
  ria_series *tide = NULL;
  const ria_constituent c = {NULL, 360.0 / (period / 3600.0), amplitude, 0};
  CHECK_OK(f.ctx, ria_series_tide(f.ctx, &(ria_tide_desc){.constituents = &c, .n = 1}, &tide));
  flow_side(&f, RIA_WEST, "level", "level", (ria_value){0, tide}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, period));
  double *eta = flow_get(&f, "level"), error = 0;
  for (int i = 0; i < n; i++) error += fabs(eta[i] - f.buffer[i]) / n / amplitude;
  ria_series_destroy(&tide);
  free(eta);
  flow_free(&f);
  return error;
}

static double bump(double x, double y) {
  return (void)y, x > 8 && x < 12 ? 0.2 - 0.05 * (x - 10) * (x - 10) : 0;
}
static double head; /* of the water at the start and downstream */
static double at_head(double x, double y) { return (void)x, (void)y, head; }
static double past_the_bump(double x, double y) { return (void)y, x < 10 ? 0.9 : 0.25; }

/* Depth of the steady flow of q and energy e over bed z: the root of h^3 + (z - e) h^2 + q^2 / 2g
 * on the branch asked for. */
static double steady_depth(double q, double e, double z, bool subcritical) {
  const double hc = cbrt(q * q / gravity);
  double lo = subcritical ? hc : 1e-6, hi = subcritical ? 10 : hc;
  for (int k = 0; k < 200; k++) {
    double h = 0.5 * (lo + hi), energy = h + z + q * q / (2 * gravity * h * h);
    if ((energy > e) == subcritical)
      hi = h;
    else
      lo = h;
  }
  return 0.5 * (lo + hi);
}

/* Mean error of the depth over the bump. width = ny * dy makes q per metre. */
static double over_bump(int n, double q, double level, bool transcritical, ria_real real) {
  head = level;
  const double dx = 25.0 / n;
  flow f = flow_make(&(flow_desc){.nx = n, .ny = 2, .dx = dx, .real = real});
  flow_set(&f, "bed", bump);
  flow_set(&f, "level", transcritical ? past_the_bump : at_head);
  flow_side(&f, RIA_WEST, "discharge", "q", (ria_value){.constant = q * 2 * dx}, 0);
  flow_side(&f, RIA_EAST, transcritical ? "open" : "level", transcritical ? NULL : "level",
            (ria_value){.constant = level}, 0);
  /* until the start's waves are gone: between those two sides they are damped by the scheme alone
   */
  CHECK_OK(f.ctx, ria_sim_run(f.sim, transcritical ? 300 : by_order(300, 900)));
  double *h = flow_get(&f, "depth"), error = 0;
  const double hc = cbrt(q * q / gravity);
  const double e = transcritical ? 0.2 + 1.5 * hc : level + q * q / (2 * gravity * level * level);
  for (int i = 0; i < n; i++) {
    double x = (i + 0.5) * dx;
    error += fabs(h[i] - steady_depth(q, e, bump(x, 0), !transcritical || x < 10)) / n;
  }
  free(h);
  flow_free(&f);
  return error;
}

static void converges(const char *what, ria_real real, const double e[3], double least) {
  printf("%s %s: errors %.4g %.4g %.4g, rates %.2f %.2f\n", what, real_name[real], e[0], e[1], e[2],
         rate(e[0], e[1]), rate(e[1], e[2]));
  CHECK(rate(e[0], e[1]) > least && rate(e[1], e[2]) > least);
}

/* A fast sheet leaves through a level boundary that it does not heed. */
static double fast(double x, double y) { return (void)x, (void)y, 6.0; }
static double thin(double x, double y) { return (void)x, (void)y, -1.5; }
static void supercritical(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 40, .ny = 3, .dx = 5, .real = real});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", thin);
  flow_set(&f, "u", fast);
  flow_side(&f, RIA_WEST, "open", NULL, (ria_value){0}, 0);
  flow_side(&f, RIA_EAST, "level", "level", (ria_value){.constant = 0.0}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 60));
  double *h = flow_get(&f, "depth");
  for (int i = 0; i < 40; i++) CHECK_NEAR(h[40 + i], 0.5, 1e-5);
  free(h);
  flow_free(&f);
}

/* A level that rises fills a basin of uneven bed evenly: no row takes much more than the others.
 * What comes in has the velocity of the cell, not of one that is further outside: with that, a row
 * that is faster gets still faster, 2.1 times as fast as all on average, and the slowest all but
 * stops. */
static double uneven(double x, double y) {
  return -2 + 0.005 * x + 0.3 * sin(x / 17) * cos(y / 13);
}
static double low(double x, double y) { return (void)x, (void)y, -0.5; }
static void fills_evenly(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 60, .ny = 8, .dx = 10, .manning = 0.02, .real = real});
  flow_set(&f, "bed", uneven);
  flow_set(&f, "level", low);
  const double t[] = {0, 1200}, level[] = {-0.5, 1.5};
  ria_series *rising = NULL;
  const ria_table_desc table = {.n = 2, .t = t, .v = level};
  CHECK_OK(f.ctx, ria_series_table(f.ctx, &table, &rising));
  flow_side(&f, RIA_WEST, "level", "level", (ria_value){0, rising}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 1200));
  double *q = flow_get(&f, "qx"), least = q[0], most = q[0];
  for (int j = 1; j < 8; j++) {
    least = fmin(least, q[60 * j]);
    most = fmax(most, q[60 * j]);
  }
  printf("%s: rows take %.3f to %.3f m^2/s\n", real_name[real], least, most);
  CHECK(least > 0 && most < 1.1 * least);
  ria_series_destroy(&rising);
  free(q);
  flow_free(&f);
}

int main(void) {
  double tide[3], trans[2][3], sub[2][3] = {{0}};
  for (int real = 0; real < 2; real++) {
    const ria_real r = (ria_real)real;
    waves_leave(r);
    supercritical(r);
    fills_evenly(r);
    for (int k = 0; k < 3; k++) {
      trans[real][k] = over_bump(50 << k, 1.0, 0.7, true, r);
      if (k == 0 || (test_order() == 2 && r == RIA_F64))
        sub[real][k] = over_bump(50 << k, 1.0, 1.0, false, r);
    }
    converges("transcritical bump", r, trans[real], by_order(0.8, 1.8));
    /* At first order the bed step inside the waves keeps the head of smooth flow: there is no rate
     * to see. At second, the head of states at faces is kept, which are near those of the flow. */
    printf("subcritical bump %s: %.3g m\n", real_name[real], sub[real][0]);
    CHECK(sub[real][0] < by_order(3e-5, 1.5e-4));
    if (test_order() == 2 && r == RIA_F64) converges("subcritical bump", r, sub[real], 1.8);
  }
  for (int k = 0; k < 3; k++) tide[k] = standing_tide(100 << k, 1e-7, RIA_F64);
  converges("standing tide", RIA_F64, tide, by_order(0.8, 1.8));
  CHECK(tide[0] < by_order(0.02, 1e-4));
  /* 1 cm on 10 m of water: single precision sees it, no more than that */
  for (int k = 0; k < 2; k++) {
    const double one = standing_tide(100 << k, 0.01, RIA_F32),
                 two = standing_tide(100 << k, 0.01, RIA_F64);
    printf("standing tide of 1 cm: single %.4g, double %.4g\n", one, two);
    CHECK(one < (k == 0 ? 1.1 : 1.3) * two);
  }
  return TEST_END();
}
