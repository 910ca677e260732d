/* boundary_k.h - what solvers of flow share of boundaries: their kinds, and how a total discharge
 * is spread over a stretch.
 *
 * In double precision whatever the precision of the run; by gcc and by nvcc. */
#ifndef RIA_WATER_BOUNDARY_K_H
#define RIA_WATER_BOUNDARY_K_H
#include <ria/kernel.h>

/* Kinds of boundary of solvers of flow, in the order of their tables. adi has the first four. */
enum { SIDE_WALL, SIDE_OPEN, SIDE_LEVEL, SIDE_DISCHARGE, SIDE_NORMAL, SIDE_FREE };

/* Has a kind a value? It is a level, a discharge, or the slope of the bed outside (NaN: none was
 * given). */
RIA_KERNEL int water_side_has_value(int kind) { return kind != SIDE_WALL && kind != SIDE_FREE; }
/* Does the bed go on falling outside? */
RIA_KERNEL int water_side_falls(int kind) {
  return kind == SIDE_OPEN || kind == SIDE_NORMAL || kind == SIDE_FREE;
}

/* a^(1/3), a > 0. The library's function waits on itself; a GPU, where one thread's time counts
 * here, guesses in single precision and takes two steps of Newton to y^-3 = a. */
RIA_KERNEL double water_cube_root(double a) {
#ifdef __CUDA_ARCH__
  const double least = 1e-30, b = a > least ? a : least;
  double y = (double)exp2f(-(1.0f / 3.0f) * __log2f((float)b));
  for (int k = 0; k < 2; k++) y = fma(y * (1.0 / 3.0), fma(-b * y, y * y, 1.0), y);
  return a * y * y;
#else
  return cbrt(a);
#endif
}

/* A total discharge is spread over the cells of its stretch in proportion to conveyance, h^(5/3) /
 * n. A dry cell counts with the depth it would have at the mean critical depth above the stretch's
 * lowest bed, so that a dry channel fills from its thalweg. */

/* The level to which a stretch counts as filled. q: total discharge, m^3/s; length: its width, m;
 * lowest: its lowest bed. */
RIA_KERNEL double water_filled_to(double q, double length, double lowest, double g) {
  const double mean = fabs(q) / length;
  return q > 0 ? lowest + water_cube_root(mean * mean / g) : -1e300;
}

RIA_KERNEL double water_conveyance(double h, double z, double manning, double filled_to) {
  const double fill = filled_to - z, d = fill > h ? fill : h;
  const double root = water_cube_root(d > 0 ? d : 1.0);
  return d > 0 ? d * root * root / (manning > 1e-6 ? manning : 1e-6) : 0.0;
}

/* What a cell has of a total discharge q, per width, m^2/s. weight, sum: conveyance of the cell, of
 * all cells of the stretch; length: of a cell along the side. */
RIA_KERNEL double water_share(double q, double weight, double sum, double length) {
  return sum > 0 ? q * weight / (sum * length) : 0.0;
}

#endif
