/* Uniform flow down a plane: Manning's normal depth h = (n q / sqrt(S))^(3/5), for bed steps from a
 * fifth of the depth to 200 times it. Stepped beds that drop by more than the depth are where
 * schemes with hydrostatic reconstruction lose the driving slope (Delestre et al. 2012). */
#include "cases.h"

enum { nx = 60 };
static double slope, depth, manning = 0.03;
static const double dx = 10;

static double bed(double x, double y) { return (void)y, -slope * x; }
static double uniform(double x, double y) { return (void)x, (void)y, depth; }

static void normal_depth(double s, double h, ria_real real) {
  slope = s;
  depth = h;
  const double u = pow(h, 2.0 / 3.0) * sqrt(s) / manning;
  flow f = flow_make(&(flow_desc){.nx = nx, .ny = 3, .dx = dx, .real = real, .manning = manning});
  flow_set(&f, "bed", bed);
  flow_set(&f, "depth", uniform);
  flow_side(&f, RIA_WEST, "discharge", "q", (ria_value){.constant = u * h * 3 * dx}, 0);
  flow_side(&f, RIA_EAST, "open", NULL, (ria_value){0}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 6 * nx * dx / u));
  double *got = flow_get(&f, "depth"), worst = 0;
  for (int i = nx / 2; i < 2 * nx / 3; i++) worst = fmax(worst, fabs(got[nx + i] / h - 1));
  printf("%s S=%g step/depth=%.3g Froude=%.2f: off by %.2g\n", real_name[real], s, s * dx / h,
         u / sqrt(gravity * h), worst);
  CHECK(worst < 2e-3);
  free(got);
  flow_free(&f);
}

/* In a stream at normal depth what crosses an edge in a step is q, at second order: to rounding. At
 * first it is more by c S dx / 2 below critical flow, where the celerity acts on the step of the
 * bed; which cells do not show, only what leaves. */
static void what_leaves(double s, double h, ria_real real) {
  slope = s;
  depth = h;
  const double u = pow(h, 2.0 / 3.0) * sqrt(s) / manning, c = sqrt(gravity * h);
  flow f = flow_make(&(flow_desc){.nx = nx, .ny = 3, .dx = dx, .real = real, .manning = manning});
  ria_boundary_id east;
  double in = 0, out = 0;
  flow_set(&f, "bed", bed);
  flow_set(&f, "depth", uniform);
  CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "u", u));
  flow_side(&f, RIA_EAST, "open", NULL, (ria_value){0}, 0);
  CHECK_OK(f.ctx, ria_sim_step(f.sim, 1));
  CHECK_OK(f.ctx, ria_boundary_find(f.sim, "east", &east));
  CHECK_OK(f.ctx, ria_boundary_flux(f.sim, east, "water", &in, &out));
  const double more = out / (3 * dx * ria_sim_time(f.sim)) - u * h, first = 0.5 * c * s * dx;
  printf("%s S=%g Froude=%.2f: what leaves is more than q by %.2g of it (c S dx / 2: %.2g)\n",
         real_name[real], s, u / c, more / (u * h), first / (u * h));
  if (test_order() == 2)
    CHECK_NEAR(more / (u * h), 0, real == RIA_F64 ? 1e-13 : 1e-5);
  else if (u < c)
    CHECK_NEAR(more / first, 1, 0.02);
  flow_free(&f);
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    what_leaves(0.0005, 1.0, (ria_real)real);
    what_leaves(0.002, 0.3, (ria_real)real);
    what_leaves(0.02, 1.0, (ria_real)real);
    normal_depth(0.02, 1.0, (ria_real)real);
    normal_depth(0.02, 0.3, (ria_real)real);
    normal_depth(0.2, 1.0, (ria_real)real);
    normal_depth(0.2, 0.1, (ria_real)real);
    normal_depth(0.2, 0.01, (ria_real)real);
  }
  return TEST_END();
}
