/* The standing wave of the thesis' section 6.6 (L = 8 m, h = 0.05 m, made low enough to be linear),
 * along x, along y and across the diagonal: second order when space and time are refined together.
 */
#include "cases.h"

static const double length = 8, depth = 0.05, high = 1e-6;
static int waves_x, waves_y;

static double number(int waves) { return 2 * pi * waves / length; }
static double flat(double x, double y) { return (void)x, (void)y, -depth; }
static double wave(double x, double y) {
  return high * cos(number(waves_x) * x) * cos(number(waves_y) * y);
}

/* Error of level and discharge, of the largest value of each, at three eighths of a period. */
static double error(int n, double courant) {
  const double dx = length / n, celerity = sqrt(gravity * depth);
  const double kx = number(waves_x), ky = number(waves_y), k = hypot(kx, ky), w = k * celerity;
  flow f = flow_make(&(flow_desc){.nx = n,
                                  .ny = n,
                                  .dx = dx,
                                  .more = {{"dt", courant * dx / celerity, NULL},
                                           {"manning", 0, NULL},
                                           {"drying_depth", 1e-4, NULL},
                                           {"flooding_depth", 1e-3, NULL}}});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", wave);
  const double end = 0.375 * 2 * pi / w;
  CHECK_OK(f.ctx, ria_sim_run(f.sim, end));
  double *level = flow_get(&f, "level"), *qx = flow_get(&f, "qx"), *qy = flow_get(&f, "qy");
  double worst = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      const double x = (i + 0.5) * dx, y = (j + 0.5) * dx, q = high * w / (k * k) * sin(w * end);
      const size_t at = (size_t)(j * n + i);
      worst = fmax(worst, fabs(level[at] - wave(x, y) * cos(w * end)) / high);
      worst = fmax(worst, fabs(qx[at] - q * kx * sin(kx * x) * cos(ky * y)) / (high * w / k));
      worst = fmax(worst, fabs(qy[at] - q * ky * cos(kx * x) * sin(ky * y)) / (high * w / k));
    }
  free(level);
  free(qx);
  free(qy);
  flow_free(&f);
  return worst;
}

static void converges(int across, int up, double courant) {
  waves_x = across;
  waves_y = up;
  const double coarse = error(32, courant), middle = error(64, courant), fine = error(128, courant);
  const double first = log2(coarse / middle), second = log2(middle / fine);
  printf("waves %d, %d at Courant number %g: %.2e, %.2e, %.2e: orders %.2f, %.2f\n", across, up,
         courant, coarse, middle, fine, first, second);
  CHECK(second > 1.9 && second < 2.3);
  CHECK(fine < 0.02);
}

int main(void) {
  converges(1, 0, 0.5);
  converges(1, 0, 2);
  converges(0, 1, 0.5);
  converges(0, 1, 2);
  converges(1, 1, 1);
  return TEST_END();
}
