/* Tracers at both orders. A smooth cloud converges at the order asked for, in uniform flow and in a
 * vortex; a square keeps its front to a few cells at order 2; no new extremes appear in flow that
 * crosses a cell a step; mass is kept; boundaries, sources, decay and diffusion go on as at order
 * 1. */
#include "cases.h"

enum { TOP = 256 };
static double flat(double x, double y) { return (void)x, (void)y, -10.0; }
static double still(double x, double y) { return (void)x, (void)y, 0.0; }
static double along(double x, double y) { return (void)x, (void)y, 1.0; }

static const double side = 1200; /* of the basin, m */
static double limiter = 1.3;     /* of basins that are made */

/* A flow of n x n cells that cross `part` of a cell a step at 1 m/s. */
static flow basin_of(ria_real real, int n, double part, double order, double decay,
                     double diffusion) {
  const double dx = side / n;
  flow f = flow_make(&(flow_desc){.nx = n,
                                  .ny = n,
                                  .dx = dx,
                                  .real = real,
                                  .tracer = "dye",
                                  .decay = decay,
                                  .diffusion = diffusion,
                                  .more = {{"dt", part * dx, NULL},
                                           {"manning", 0, NULL},
                                           {"order", order, NULL},
                                           {"limiter", limiter, NULL}}});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", still);
  return f;
}

static flow basin(ria_real real, int n, double part, double order) {
  return basin_of(real, n, part, order, 0, 0);
}

/* --- uniform flow --- */

static double cloud(double x, double y) {
  return exp(-(pow(x - 350, 2) + pow(y - 600, 2)) / (2 * 90.0 * 90.0));
}
static double square(double x, double y) { return fabs(x - 300) < 150 && fabs(y - 600) < 150; }

/* Flow of 1 m/s along x carries a shape by 400 m. */
static void carry(flow *f, shape dye) {
  flow_set(f, "u", along);
  flow_set(f, "dye", dye);
  flow_side(f, RIA_WEST, "discharge", "q", (ria_value){.constant = 10 * side}, 0);
  flow_side(f, RIA_EAST, "level", "level", (ria_value){0}, 0);
  CHECK_OK(f->ctx, ria_sim_run(f->sim, 400));
}

static double carried_cloud(ria_real real, int n, double order) {
  flow f = basin(real, n, 0.8, order);
  carry(&f, cloud);
  double *c = flow_get(&f, "dye"), off = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      off += fabs(c[j * n + i] - cloud((i + 0.5) * side / n - 400, (j + 0.5) * side / n)) / n / n;
  free(c);
  flow_free(&f);
  return off;
}

/* Cells between a tenth and nine tenths of the square along its middle, of two fronts. */
static int front(double order) {
  enum { FINE = 120 };
  flow f = basin(RIA_F64, FINE, 0.8, order);
  carry(&f, square);
  double *c = flow_get(&f, "dye");
  int cells = 0;
  for (int i = 0; i < FINE; i++)
    cells += c[FINE / 2 * FINE + i] > 0.1 && c[FINE / 2 * FINE + i] < 0.9;
  free(c);
  flow_free(&f);
  return cells;
}

/* Of a cloud that is carried, decays and spreads: what is left, and how much its variance along x
 * grew, m^2. */
static void fades(ria_real real, double order, double *left, double *grown) {
  enum { FINE = 128 };
  flow f = basin_of(real, FINE, 0.8, order, 1e-3, 2);
  double moment[3] = {0};
  carry(&f, cloud);
  double *load = flow_get(&f, "dye_load");
  for (int j = 0; j < FINE; j++)
    for (int i = 0; i < FINE; i++) {
      const double x = (i + 0.5) * side / FINE - 750, power[] = {1, x, x * x};
      for (int k = 0; k < 3; k++)
        moment[k] += power[k] * load[j * FINE + i] * side / FINE * side / FINE;
    }
  *left = moment[0] / (10 * 2 * pi * 90 * 90);
  *grown = moment[2] / moment[0] - pow(moment[1] / moment[0], 2) - 90 * 90;
  free(load);
  flow_free(&f);
}

/* --- a vortex that stays where it is: all of its dye goes in circles --- */

static const double wide = 100;          /* its radius, m */
static double spin(double x, double y) { /* 1/s */
  const double r2 = (pow(x - side / 2, 2) + pow(y - side / 2, 2)) / (wide * wide);
  return exp(0.5 * (1 - r2)) / wide;
}
static double spin_u(double x, double y) { return -spin(x, y) * (y - side / 2); }
static double spin_v(double x, double y) { return spin(x, y) * (x - side / 2); }
static double spin_level(double x, double y) { return -0.5 / gravity * pow(spin(x, y) * wide, 2); }
static double patch(double x, double y) {
  return exp(-(pow(x - side / 2 - 100, 2) + pow(y - side / 2, 2)) / (2 * 60.0 * 60.0));
}

static double turned_patch(ria_real real, int n, double order) {
  const double t = 100;
  flow f = basin(real, n, 0.5, order);
  flow_set(&f, "level", spin_level);
  flow_set(&f, "u", spin_u);
  flow_set(&f, "v", spin_v);
  flow_set(&f, "dye", patch);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, t));
  double *c = flow_get(&f, "dye"), off = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      const double x = (i + 0.5) * side / n, y = (j + 0.5) * side / n, a = -spin(x, y) * t;
      const double rx = x - side / 2, ry = y - side / 2;
      off += fabs(c[j * n + i] - patch(side / 2 + cos(a) * rx - sin(a) * ry,
                                       side / 2 + sin(a) * rx + cos(a) * ry)) /
             n / n;
    }
  free(c);
  flow_free(&f);
  return off;
}

typedef double (*error_of)(ria_real real, int n, double order);
static void converges(const char *what, error_of error, double first, double second) {
  const double demand[] = {first, second};
  for (int order = 1; order <= 2; order++) {
    const int n = SHORT(TOP, TOP / 2);
    const double coarse = error(RIA_F64, n / 2, order), fine = error(RIA_F64, n, order);
    const double single = error(RIA_F32, n / 2, order), rate = log2(coarse / fine);
    printf("%s, order %d: %.2e, %.2e of %d cells, rate %.2f; single %.2e\n", what, order, coarse,
           fine, n, rate, single);
    CHECK(rate >= demand[order - 1]);
    CHECK_NEAR(single, coarse, 1e-6);
  }
}

/* --- bounds --- */

/* A checkerboard of dye from 1 to 2, some of it random. */
static double board(double x, double y) {
  const double s = sin(12.9898 * x + 78.233 * y) * 43758.5453, any = s - floor(s);
  return 1 + (any < 0.3 ? any : fmod(floor(x / 20) + floor(y / 20), 2) != 0);
}
static double rough_u(double x, double y) { return 0.6 * spin_u(x, y) + 0.5 * sin(y / 53) + 0.4; }
static double rough_v(double x, double y) { return 0.6 * spin_v(x, y) + 0.5 * sin(x / 41) - 0.4; }
static double bumpy(double x, double y) {
  return -2 + 3.0 * x / side + 1.2 * sin(x / 74) * cos(y / 58) + 0.4 * sin(x / 14) * sin(y / 18);
}
static double heap(double x, double y) { return x + y < 1000 ? 1.5 : -0.5; }

enum { N = 60 };
static flow rough(ria_real real, double part, shape bed, shape level, double order) {
  flow f = basin(real, N, part, order);
  flow_set(&f, "bed", bed);
  flow_set(&f, "level", level);
  flow_set(&f, "u", rough_u);
  flow_set(&f, "v", rough_v);
  flow_set(&f, "dye", board);
  if (part <= 1) { /* faster flow and open sides feed each other */
    flow_side(&f, RIA_EAST, "level", "level", (ria_value){0}, 1);
    flow_side(&f, RIA_NORTH, "open", NULL, (ria_value){0}, 2);
  }
  return f;
}

/* How far the dye leaves its bounds, in water of all depths; where dye comes in, it is 1 or 2. */
static void stays_within(ria_real real, double part, shape bed, shape level, double order) {
  flow f = rough(real, part, bed, level, order);
  double off = 0, least = 0;
  for (int k = 0; k < SHORT(60, 20); k++) {
    CHECK_OK(f.ctx, ria_sim_step(f.sim, 3));
    double *c = flow_get(&f, "dye"), *load = flow_get(&f, "dye_load");
    for (int m = 0; m < N * N; m++) {
      least = fmin(least, load[m]);
      if (!isnan(c[m])) off = fmax(off, fmax(1 - c[m], c[m] - 2));
    }
    free(c);
    free(load);
  }
  const ria_budget_row row = flow_budget(&f, 1);
  printf("%s, order %g, %g cells a step%s: out of bounds by %.1e, account %.1e\n", real_name[real],
         order, part, bed == flat ? "" : ", islands", off, row.relative);
  CHECK(off < 100 * place(real));
  CHECK(least >= 0);
  CHECK_NEAR(row.relative, 0, 100 * place(real));
  flow_free(&f);
}

/* With slopes given up everywhere order 2 has the bits of order 1. On a GPU compilers may round
 * sums of products otherwise. */
static void given_up(ria_real real) {
  double *load[2];
  for (int order = 1; order <= 2; order++) {
    limiter = 0;
    flow f = rough(real, 1, bumpy, heap, order);
    limiter = 1.3;
    CHECK_OK(f.ctx, ria_sim_step(f.sim, 30));
    load[order - 1] = flow_get(&f, "dye_load");
    flow_free(&f);
  }
  const double off = strcmp(test_device(), "cpu") == 0 ? 0 : 1e3 * place(real);
  for (int k = 0; k < N * N; k++)
    if (!CHECK_NEAR(load[1][k], load[0][k], off)) break;
  free(load[0]);
  free(load[1]);
}

static void bounds(ria_real real) {
  for (int order = 1; order <= 2; order++) {
    stays_within(real, 0.4, flat, still, order);
    stays_within(real, 1, flat, still, order);
    stays_within(real, 3, flat, still, order);
    stays_within(real, 1, bumpy, heap, order);
    stays_within(real, 8, bumpy, heap, order);
  }
}

int main(void) {
  converges("uniform flow", carried_cloud, SHORT(0.9, 0.8), 1.9);
  converges("vortex", turned_patch, SHORT(0.9, 0.85), 1.9);
  const int blurred = front(1), sharp = front(2);
  printf("cells across two fronts: %d, %d\n", blurred, sharp);
  CHECK(blurred > 20 && sharp <= 8);
  for (int real = 0; real < 2; real++) {
    double left[2], grown[2];
    for (int k = 0; k < 2; k++) fades((ria_real)real, k + 1, &left[k], &grown[k]);
    printf("%s: left of a cloud %.5f, %.5f (%.5f), its variance grows by %.0f, %.0f (1600)\n",
           real_name[real], left[0], left[1], exp(-0.4), grown[0], grown[1]);
    CHECK_NEAR(left[1], exp(-0.4), 1e-4);
    CHECK_NEAR(grown[1], 1600, 16);
    CHECK(grown[0] > 3000);
    bounds((ria_real)real);
    given_up((ria_real)real);
  }
  return TEST_END();
}
