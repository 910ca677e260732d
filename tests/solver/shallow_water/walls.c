/* A wall of cells is a wall. Where the bed of cells stands above the water, whatever runs against
 * it is thrown back as by the domain's own wall, and both as in the exact solution: a bore that
 * leaves the wall, or, where the water runs away from it, a fan (down to a dry bed if it runs
 * faster than 2 c). The height of the bank does not matter as long as it is higher than the water
 * that piles up before it: no drop goes over. */
#include "bores.h"

static const double length = 40, window = 18; /* before the wall; of it what is measured, m */
static const double still = 1;                /* depth at first, m */
static double towards;                        /* velocity towards the wall, m/s */
static double bank; /* height of the wall of cells, m; 0 for the domain's */

static double bed(double x, double y) { return (void)y, x > length ? bank : 0; }
static double depth(double x, double y) { return (void)y, x > length ? 0 : still; }
static double velocity(double x, double y) { return (void)y, x > length ? 0 : towards; }

/* Depth at a distance d from the wall, at a time t. */
static double exact(double d, double t) {
  const double c = sqrt(gravity * still), at_wall = fmax(c + 0.5 * towards, 0);
  if (towards > 0) {
    const double h = bore_depth(still, towards);
    return d * (h - still) < towards * still * t ? h : still;
  }
  if (d < at_wall * t) return at_wall * at_wall / gravity;
  return d < (c - towards) * t ? pow((d / t + 2 * c + towards) / 3, 2) / gravity : still;
}

typedef struct outcome {
  double error; /* mean of the depth's, as a part of the greatest depth */
  double over;  /* water on the bank, m^3 per width */
} outcome;

static outcome against(int n, double height, ria_real real) {
  const double c = sqrt(gravity * still), dx = length / n;
  const double deepest = fmax(bore_depth(still, fmax(towards, 0)), still);
  double time = window / (c - towards); /* the wave is inside the window, the far side's is not */
  if (towards > 0)
    time = fmin(12 * (deepest - still) / (towards * still), (length - window) / (towards + c));
  bank = height;
  flow f = flow_make(
      &(flow_desc){.nx = n + (height > 0 ? 4 : 0), .ny = 1, .dx = dx, .real = real, .threads = 1});
  flow_set(&f, "bed", bed);
  flow_set(&f, "depth", depth);
  flow_set(&f, "u", velocity);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, time));
  double *h = flow_get(&f, "depth");
  outcome o = {0};
  int cells = 0;
  for (int i = 0; i < f.grid.nx; i++) {
    const double d = length - (i + 0.5) * dx;
    if (d < 0) o.over += h[i] * dx;
    if (d < 0 || d > window) continue;
    o.error += fabs(h[i] - exact(d, time)) / deepest;
    cells++;
  }
  o.error /= cells;
  free(h);
  flow_free(&f);
  return o;
}

/* How much worse than the domain's wall cells may be. At second order the domain's wall is a mirror
 * to the slopes of the cell before it, and beside dry cells slopes are given up: which shows where
 * the flow is smooth, in the fan of water that runs away. */
static double worse_than_mirror(double froude) {
  return by_order(1.03, froude > 0 ? 1.04 : froude < -1 ? 1.12 : 2.1);
}

/* Froude number towards the wall; the rate at which errors fall over two refinements together. */
static void thrown_back(double froude, double least, ria_real real) {
  towards = froude * sqrt(gravity * still);
  const double deepest = fmax(bore_depth(still, fmax(towards, 0)), still);
  const double heights[] = {0, 1000, 1.3 * deepest, 1.05 * deepest};
  static const char *const names[] = {"domain's wall", "cells", "low bank", "lowest bank"};
  double domain[3];
  for (int b = 0; b < 4; b++) {
    double e[3];
    for (int k = 0; k < 3; k++) {
      const outcome o = against(80 << k, heights[b], real);
      e[k] = o.error;
      CHECK(o.over == 0);
      if (b == 0) domain[k] = e[k];
      CHECK(e[k] < worse_than_mirror(froude) * domain[k] + 1e-4);
      if (b == 1) CHECK(domain[k] < 1.05 * e[k] + 1e-4); /* nor is the domain's the worse */
    }
    printf("%s Froude %4.1f, %s: errors %.4f %.4f %.4f, rate %.2f\n", real_name[real], froude,
           names[b], e[0], e[1], e[2], 0.5 * rate(e[0], e[2]));
    CHECK(0.5 * rate(e[0], e[2]) > least);
  }
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    const ria_real r = (ria_real)real;
    thrown_back(-3, 0.2, r);
    thrown_back(-1.5, 0.55, r);
    thrown_back(-0.5, 0.55, r);
    thrown_back(0.3, 0.8, r);
    thrown_back(1, 0.8, r);
    thrown_back(2, 0.8, r);
    thrown_back(3, 0.8, r);
    thrown_back(5, 0.8, r);
  }
  return TEST_END();
}
