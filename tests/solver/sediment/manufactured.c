/* A manufactured solution of the whole system, a and b apart, waves in space that decay in time:
 *
 *   h = H e^(-t/T) cos kx,   s = 1/2 + S e^(-t/T) cos 2kx,   k = pi / length
 *
 * between closed sides. What the equations lack is given by a source of sand and one of mud in each
 * cell: q_s = A s_t + s h_t - (a s h_x)_x,  q_m = h_t - (a s h_x + b (1 - s) h_x)_x - q_s. Sources
 * only bring, so a steady rain of both is added, and what it does to the exact solution is taken
 * along: the rain R has the fraction of the surface it falls on, which leaves s as it is, and
 * raises h by R t everywhere. */
#include "cases.h"

static const double length = 8e3, high = 5, mixed = 0.25, layer = 10, T = 20e3 * YEAR;
static const double a = 500 / YEAR, b = 900 / YEAR, rain = 1.2e-3 / YEAR;
enum { KNOTS = 41 };

typedef struct exact {
  double h, s, h_t, s_t, h_x, h_xx, s_x;
} exact;

static exact solution(double x, double t) {
  const double k = 3.141592653589793 / length, e = exp(-t / T);
  return (exact){.h = high * e * cos(k * x) + rain * t,
                 .s = 0.5 + mixed * e * cos(2 * k * x),
                 .h_t = -high * e * cos(k * x) / T + rain,
                 .s_t = -mixed * e * cos(2 * k * x) / T,
                 .h_x = -high * e * k * sin(k * x),
                 .h_xx = -high * e * k * k * cos(k * x),
                 .s_x = -2 * k * mixed * e * sin(2 * k * x)};
}

/* Heights a second that must come to make it a solution. */
static void lacking(double x, double t, double *sand, double *mud) {
  const exact u = solution(x, t);
  const double of_sand = a * (u.s_x * u.h_x + u.s * u.h_xx);
  const double of_mud = b * (-u.s_x * u.h_x + (1 - u.s) * u.h_xx);
  *sand = layer * u.s_t + u.s * u.h_t - of_sand;
  *mud = u.h_t - of_sand - of_mud - *sand;
}

static void rain_on(basin *f, int i, int j, double end) {
  double t[KNOTS], v[2][KNOTS];
  const double d = f->grid.dx, x = (i + 0.5) * d;
  for (int k = 0; k < KNOTS; k++) {
    t[k] = end * k / (KNOTS - 1);
    lacking(x, t[k], &v[0][k], &v[1][k]);
    for (int q = 0; q < 2; q++) {
      CHECK(v[q][k] >= 0);
      v[q][k] *= d * f->grid.dy;
    }
  }
  for (int q = 0; q < 2; q++) {
    ria_series *s = NULL;
    CHECK_OK(f->ctx,
             ria_series_table(f->ctx, &(ria_table_desc){.t = t, .v = v[q], .n = KNOTS}, &s));
    const ria_spill_desc p = {.tracer = q ? "mud" : "sand",
                              .x = x,
                              .y = (j + 0.5) * f->grid.dy,
                              .has_flow = true,
                              .flow = {.series = s}};
    CHECK_OK(f->ctx, ria_sim_spill(f->sim, &p, NULL));
    ria_series_destroy(&s);
  }
}

static void errors(int n, double *h_error, double *s_error) {
  const double d = length / n, end = 0.5 * T;
  basin f = basin_make(n, 1, d, d, RIA_F64, 1,
                       (ria_setting[]){{.name = "alpha", .number = a},
                                       {.name = "beta", .number = b},
                                       {.name = "layer", .number = layer},
                                       {0}});
  for (int q = 0; q < 2; q++) {
    for (int i = 0; i < n; i++) {
      const exact u = solution((i + 0.5) * d, 0);
      f.buffer[i] = q ? u.s : u.h;
    }
    CHECK_OK(f.ctx, ria_sim_set(f.sim, q ? "sand" : "height", f.buffer));
  }
  for (int i = 0; i < n; i++) rain_on(&f, i, 0, end);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, end));
  *h_error = *s_error = 0;
  for (int q = 0; q < 2; q++) {
    const double *v = basin_get(&f, q ? "sand" : "height");
    for (int i = 0; i < n; i++) {
      const exact u = solution((i + 0.5) * d, end);
      *(q ? s_error : h_error) += fabs(v[i] - (q ? u.s : u.h)) / n;
    }
  }
  CHECK(basin_residual(&f) < 1e-12);
  basin_free(&f);
}

int main(void) {
  double h[2], s[2];
  for (int k = 0; k < 2; k++) errors(24 << k, &h[k], &s[k]);
  printf("height %.3g and %.3g, rate %.2f; sand %.3g and %.3g, rate %.2f\n", h[0], h[1],
         log2(h[0] / h[1]), s[0], s[1], log2(s[0] / s[1]));
  CHECK(log2(h[0] / h[1]) > 0.8 && h[1] < 0.05);
  CHECK(log2(s[0] / s[1]) > 0.8 && s[1] < 0.02);
  return TEST_END();
}
