/* Exact solutions.
 *
 * `carried`: where alpha / C_s = beta / C_m = a, heights follow the heat equation, and the fraction
 * is carried down the slope: A ds/dt = a grad h . grad s. On a wave h = H exp(-a k^2 t) cos(k x)
 * between closed sides a grain at x moves by tan(k x / 2) = tan(k x0 / 2) exp(H (1 - exp(-a k^2 t))
 * / A), and keeps its s. The fraction converges at rate 1 (upwind).
 *
 * `steady`: constant fluxes f of sand and g of mud per width along x, with coefficients that vary:
 * the slope is p = f / a + g / b and the fraction f / (a p) everywhere. It is one solution of the
 * whole coupled system with a and b apart. It comes in from the west and leaves over an open side.
 */
#include "cases.h"

/* --- carried --- */

static const double length = 10e3, wave = 6.0, layer = 4.0, rate = 800 / YEAR;

static double fraction0(double x) { return 0.5 + 0.3 * cos(3.141592653589793 * x / length); }
static double carried_height(double x, double y) {
  return (void)y, wave * cos(3.141592653589793 * x / length);
}
static double carried_sand(double x, double y) { return (void)y, fraction0(x); }

static double carried_error(int n, bool turned) {
  const double k = 3.141592653589793 / length, t = 20e3 * YEAR;
  const double decay = exp(-rate * k * k * t);
  const ria_setting params[] = {{.name = "alpha", .number = rate},
                                {.name = "beta", .number = 2 * rate},
                                {.name = "c_mud", .number = 2},
                                {.name = "layer", .number = layer},
                                {0}};
  const double d = length / n;
  basin b = turned ? basin_make(3, n, d, d, RIA_F64, 2, params)
                   : basin_make(n, 3, d, d, RIA_F64, 2, params);
  for (int f = 0; f < 2; f++) {
    for (int j = 0; j < b.grid.ny; j++)
      for (int i = 0; i < b.grid.nx; i++) {
        const double x = ((turned ? j : i) + 0.5) * d;
        b.buffer[j * b.grid.nx + i] = f ? carried_sand(x, 0) : carried_height(x, 0);
      }
    CHECK_OK(b.ctx, ria_sim_set(b.sim, f ? "sand" : "height", b.buffer));
  }
  CHECK_OK(b.ctx, ria_sim_run(b.sim, t));
  const double *h = basin_get(&b, "height");
  double worst = 0, error = 0;
  for (int m = 0; m < n; m++) {
    const double x = (m + 0.5) * d, v = h[turned ? m * 3 + 1 : n + m];
    CHECK(isfinite(v));
    worst = fmax(worst, fabs(v - decay * carried_height(x, 0)));
  }
  CHECK(worst < 20.0 * wave / ((double)n * n)); /* second order */
  const double *s = basin_get(&b, "sand");
  for (int m = 0; m < n; m++) {
    const double x = (m + 0.5) * d;
    const double from = 2 / k * atan(tan(k * x / 2) * exp(-wave * (1 - decay) / layer));
    error += fabs(s[turned ? m * 3 + 1 : n + m] - fraction0(from)) / n;
  }
  basin_free(&b);
  return error;
}

/* --- steady --- */

static const double sand_flux = 2e-6, mud_flux = 5e-6; /* m^2/s */
static double alpha_at(double x) { return (600 + 250 * cos(9.4247780 * x / length)) / YEAR; }
static double beta_at(double x) { return (1500 + 400 * cos(12.5663706 * x / length)) / YEAR; }
static double steep(double x) { return sand_flux / alpha_at(x) + mud_flux / beta_at(x); }

static double steady_error(int n) {
  const double d = length / n;
  basin b =
      basin_make(n, 2, d, d, RIA_F64, 2, (ria_setting[]){{.name = "layer", .number = 5}, {0}});
  const char *const names[] = {"alpha", "beta", "height", "sand"};
  for (int f = 0; f < 4; f++) {
    double h = 0;
    for (int i = 0; i < n; i++) {
      const double x = (i + 0.5) * d;
      for (int m = 0; f == 2 && m < 64; m++) h -= steep(x + (m + 0.5) / 64 * d - d) * d / 64;
      const double v[] = {alpha_at(x), beta_at(x), h, sand_flux / (alpha_at(x) * steep(x))};
      b.buffer[i] = b.buffer[n + i] = v[f];
    }
    CHECK_OK(b.ctx, ria_sim_set(b.sim, names[f], b.buffer));
  }
  basin_side(&b, RIA_WEST, "flux", (ria_value){.constant = sand_flux * 2 * d},
             (ria_value){.constant = mud_flux * 2 * d});
  basin_side(&b, RIA_EAST, "open", (ria_value){0}, (ria_value){0});
  CHECK_OK(b.ctx, ria_sim_run(b.sim, 60e3 * YEAR));
  const double *s = basin_get(&b, "sand");
  double error = 0;
  for (int i = 0; i < n; i++) {
    const double x = (i + 0.5) * d;
    error += fabs(s[i] - sand_flux / (alpha_at(x) * steep(x))) / n;
  }
  CHECK(basin_residual(&b) < 1e-11);
  basin_free(&b);
  return error;
}

int main(void) {
  const int n = 40;
  for (int turned = 0; turned < 2; turned++) {
    const double coarse = carried_error(n, turned), fine = carried_error(2 * n, turned);
    const double order = log2(coarse / fine);
    printf("carried along %c: %.3g and %.3g, rate %.2f\n", turned ? 'y' : 'x', coarse, fine, order);
    CHECK(order > 0.8 && fine < 0.02);
  }
  const double coarse = steady_error(n), fine = steady_error(2 * n);
  printf("steady: %.3g and %.3g, rate %.2f\n", coarse, fine, log2(coarse / fine));
  CHECK(log2(coarse / fine) > 0.8 && fine < 0.02);
  return TEST_END();
}
