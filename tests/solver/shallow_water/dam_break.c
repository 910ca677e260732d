/* Dam breaks with exact solutions: Stoker (1957) onto water, Ritter (1892) onto a dry bed. The mean
 * absolute error of the depth falls at the rate of a first-order scheme with a shock (about 0.8)
 * and with a dry front (about 0.7). */
#include "cases.h"

static const double length = 20, at_dam = 10, time = 1.0, deep = 2.0;
static double shallow; /* depth downstream of the dam: 0 for Ritter */

static double flat(double x, double y) { return (void)x, (void)y, 0.0; }
static double one(double x, double y) { return (void)x, (void)y, 1.0; }
static double initial(double x, double y) { return (void)y, x < at_dam ? deep : shallow; }

static double ritter(double s) { /* s = (x - dam) / t */
  const double c0 = sqrt(gravity * deep);
  if (s < -c0) return deep;
  return s > 2 * c0 ? 0 : pow((2 * c0 - s) / 3, 2) / gravity;
}

/* Depth between rarefaction and shock, by bisection of the velocities that each allows. */
static double stoker_middle(void) {
  double lo = shallow, hi = deep;
  for (int k = 0; k < 100; k++) {
    double h = 0.5 * (lo + hi);
    double fan = 2 * (sqrt(gravity * deep) - sqrt(gravity * h));
    double shock = (h - shallow) * sqrt(0.5 * gravity * (h + shallow) / (h * shallow));
    if (fan > shock)
      lo = h;
    else
      hi = h;
  }
  return 0.5 * (lo + hi);
}

static double stoker(double s) {
  const double c0 = sqrt(gravity * deep), hm = stoker_middle();
  const double um = 2 * (c0 - sqrt(gravity * hm)), front = hm * um / (hm - shallow);
  if (s < -c0) return deep;
  if (s < um - sqrt(gravity * hm)) return pow((2 * c0 - s) / 3, 2) / gravity;
  return s < front ? hm : shallow;
}

/* Mean |h - exact| / deep. Rows along x, or columns along y: both must do. */
static double dam_break(int n, ria_real real, bool along_y) {
  const double dx = length / n;
  flow f = flow_make(&(flow_desc){
      .nx = along_y ? 3 : n, .ny = along_y ? n : 3, .dx = dx, .real = real, .tracer = "dye"});
  flow_set(&f, "bed", flat);
  for (int j = 0; j < f.grid.ny; j++)
    for (int i = 0; i < f.grid.nx; i++)
      f.buffer[j * f.grid.nx + i] = initial(((along_y ? j : i) + 0.5) * dx, 0);
  CHECK_OK(f.ctx, ria_sim_set(f.sim, "depth", f.buffer));
  flow_set(&f, "dye", one);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, time));
  double *h = flow_get(&f, "depth"), error = 0;
  for (int k = 0; k < n; k++) {
    double s = ((k + 0.5) * dx - at_dam) / time;
    double exact = shallow > 0 ? stoker(s) : ritter(s);
    error += fabs(h[along_y ? k * 3 + 1 : n + k] - exact) / n / deep;
    CHECK(h[along_y ? k * 3 + 1 : n + k] >= 0);
  }
  free(h);
  flow_free(&f);
  return error;
}

static void converges(const char *name, ria_real real, bool along_y, double least) {
  double e[3];
  for (int k = 0; k < 3; k++) e[k] = dam_break(200 << k, real, along_y);
  printf("%s %s %s: errors %.4g %.4g %.4g, rates %.2f %.2f\n", name, real_name[real],
         along_y ? "y" : "x", e[0], e[1], e[2], rate(e[0], e[1]), rate(e[1], e[2]));
  CHECK(rate(e[0], e[1]) > least && rate(e[1], e[2]) > least);
}

int main(void) {
  for (int real = 0; real < 2; real++)
    for (int along_y = 0; along_y < 2; along_y++) {
      shallow = 0.5;
      converges("stoker", (ria_real)real, along_y, 0.75);
      shallow = 0.0;
      converges("ritter", (ria_real)real, along_y, 0.68);
    }
  return TEST_END();
}
