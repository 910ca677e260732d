/* Nothing comes from nothing: on beds far rougher than the water is deep, without friction, energy
 * does not grow and nothing runs away; water thrown against an emerged bank is thrown back; water
 * that falls off a cliff falls; flows that part faster than they can thin out leave a gap, no pull.
 */
#include "cases.h"

static double amplitude;
static double noise(double x, double y) {
  const double v = sin(12.9898 * x + 78.233 * y) * 43758.5453;
  return amplitude * (2 * (v - floor(v)) - 1);
}
static double dam(double x, double y) { return (void)y, x < 40 ? 1.0 : -1.0; }

/* g (h^2 / 2 + h z) + h |u|^2 / 2, over the domain, against the lowest the water could have. */
static double energy(flow *f) {
  double *h = flow_get(f, "depth"), *z = flow_get(f, "bed"), *qx = flow_get(f, "qx"),
         *qy = flow_get(f, "qy");
  double e = 0;
  for (int k = 0; k < f->grid.nx * f->grid.ny; k++) {
    e += gravity * h[k] * (0.5 * h[k] + z[k] + amplitude);
    if (h[k] > 1e-6) e += 0.5 * (qx[k] * qx[k] + qy[k] * qy[k]) / h[k];
  }
  free(h);
  free(z);
  free(qx);
  free(qy);
  return e;
}

static void rough(double a, double manning, ria_real real) {
  amplitude = a;
  flow f = flow_make(&(flow_desc){.nx = 80, .ny = 80, .dx = 1, .real = real, .manning = manning});
  flow_set(&f, "bed", noise);
  flow_set(&f, "level", dam);
  const double before = energy(&f);
  double most = 0, fastest = 0;
  for (int part = 0; part < 40; part++) {
    CHECK_OK(f.ctx, ria_sim_advance(f.sim, 1));
    ria_stats speed;
    CHECK_OK(f.ctx, ria_sim_stats(f.sim, "speed", &speed));
    fastest = fmax(fastest, speed.max);
    most = fmax(most, energy(&f));
  }
  const double fall = sqrt(2 * gravity * (2 + 2 * a));
  printf("%s bed +-%g m, n %g: energy at most %.4f of the first, speed %.3g m/s (free fall %.3g)\n",
         real_name[real], a, manning, most / before, fastest, fall);
  CHECK(most < 1.005 * before);
  CHECK(fastest < (manning > 0 ? 1 : 8) * fall);
  flow_free(&f);
}

/* Of no single step either, to rounding; at order 2 it grew by 2e-8 in one of 3000, late, over the
 * bed of 0.5 m. */
static void every_step(double a) {
  amplitude = a;
  flow f = flow_make(&(flow_desc){.nx = 60, .ny = 60, .dx = 1});
  flow_set(&f, "bed", noise);
  flow_set(&f, "level", dam);
  double before = energy(&f), most = -INFINITY;
  for (int step = 0; step < SHORT(3000, 600); step++) {
    CHECK_OK(f.ctx, ria_sim_step(f.sim, 1));
    const double now = energy(&f);
    most = fmax(most, now / before - 1);
    before = now;
  }
  printf("bed +-%g m: energy grows in a step by at most %.1e of itself\n", a, most);
  CHECK(most < by_order(1e-12, 1e-7));
  flow_free(&f);
}

static double pit_bed(double x, double y) { return (void)y, x > 1 && x < 2 ? 0.0 : 10.0; }
static double pit_depth(double x, double y) { return (void)y, x > 1 && x < 2 ? 1.0 : 0.0; }
static double one(double x, double y) { return (void)x, (void)y, 1.0; }

/* One wet cell between emerged ones is a basin: what sloshes in it comes to rest. */
static void pit(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 3, .ny = 1, .dx = 1, .real = real});
  flow_set(&f, "bed", pit_bed);
  flow_set(&f, "depth", pit_depth);
  flow_set(&f, "u", one);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 5));
  double u = 1;
  CHECK_OK(f.ctx, ria_sim_probe(f.sim, "u", 1.5, 0.5, &u));
  CHECK(fabs(u) < 1e-4);
  flow_free(&f);
}

static double bank_bed(double x, double y) { return (void)y, x > 100 ? 10.0 : 0.0; }
static double bank_depth(double x, double y) { return (void)y, x > 100 ? 0.0 : 1.0; }
static double flat(double x, double y) { return (void)x, (void)y, 0.0; }

/* A flow that is stopped by an emerged bank, and by the wall of the domain: the same bore. */
static void bank(ria_real real) {
  double level[2];
  for (int wall = 0; wall < 2; wall++) {
    flow f = flow_make(&(flow_desc){.nx = wall ? 100 : 105, .ny = 1, .dx = 1, .real = real});
    flow_set(&f, "bed", wall ? flat : bank_bed);
    flow_set(&f, "depth", wall ? one : bank_depth);
    flow_set(&f, "u", one);
    CHECK_OK(f.ctx, ria_sim_run(f.sim, 10));
    CHECK_OK(f.ctx, ria_sim_probe(f.sim, "level", 95, 0.5, &level[wall]));
    flow_free(&f);
  }
  printf("%s: bore at the bank %.4f m, at the wall %.4f m\n", real_name[real], level[0], level[1]);
  CHECK_NEAR(level[0], level[1], 2e-3);
}

static double cliff(double x, double y) { return (void)y, x < 500 ? 100.0 : -50.0; }
static double plateau(double x, double y) { return (void)y, x < 500 ? 1.0 : 50.0; }

static void falls(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 100, .ny = 3, .dx = 10, .real = real});
  flow_set(&f, "bed", cliff);
  flow_set(&f, "depth", plateau);
  CHECK_OK(f.ctx, ria_sim_track_maximum(f.sim, "speed"));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 60));
  CHECK_OK(f.ctx, ria_sim_get_maximum(f.sim, "speed", f.buffer));
  double fastest = 0;
  for (int k = 0; k < 300; k++)
    if (f.buffer[k] == f.buffer[k]) fastest = fmax(fastest, f.buffer[k]);
  printf("%s: %.3g m/s off a cliff of 100 m (free fall 44 m/s)\n", real_name[real], fastest);
  CHECK(fastest < 2.5 * sqrt(2 * gravity * 100));
  flow_free(&f);
}

static double parting(double x, double y) { return 300 * sin(x + y); }
static double lumpy(double x, double y) { return 1 + pow(sin(x * y), 2); }

/* Froude numbers of a hundred, at random: the speeds that are there stay the greatest. */
static void parts(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 60, .ny = 60, .dx = 1, .real = real});
  flow_set(&f, "bed", flat);
  flow_set(&f, "depth", lumpy);
  flow_set(&f, "u", parting);
  ria_stats speed;
  for (int part = 0; part < 40; part++) {
    CHECK_OK(f.ctx, ria_sim_step(f.sim, 5));
    CHECK_OK(f.ctx, ria_sim_stats(f.sim, "speed", &speed));
    CHECK(speed.max < 330);
  }
  flow_free(&f);
}

int main(void) {
  static const double amplitudes[] = {0.2, 0.5, 2};
  for (int real = 0; real < 2; real++) {
    const ria_real r = (ria_real)real;
    for (int k = 0; k < 3; k++) {
      rough(amplitudes[k], 0, r);
      rough(amplitudes[k], 0.03, r);
    }
    if (r == RIA_F64)
      for (int k = 0; k < 3; k++) every_step(amplitudes[k]);
    pit(r);
    bank(r);
    falls(r);
    parts(r);
  }
  return TEST_END();
}
