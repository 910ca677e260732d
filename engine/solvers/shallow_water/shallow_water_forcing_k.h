/* shallow_water_forcing_k.h - arithmetic between two steps: what drives the flow, and how far the
 * next step goes.
 *
 * In double precision whatever the precision of the run; by gcc and by nvcc, per boundary cell, per
 * cell of a source, per step. No memory, no loops. The loops are in shallow_water_forcing.c and *
 * shallow_water_clock.c, and in gpu/shallow_water_tick.cuh. */
#ifndef SHALLOW_WATER_FORCING_K_H
#define SHALLOW_WATER_FORCING_K_H
#include <ria/kernel.h>

/* Boundary kinds, in the order of the table. */
enum { SW_WALL, SW_OPEN, SW_LEVEL, SW_DISCHARGE, SW_NORMAL, SW_FREE };

/* Has a kind a value? It is a level, a discharge, or the slope of the bed outside (NaN: none was
 * given). */
RIA_KERNEL int sw_has_value(int kind) { return kind != SW_WALL && kind != SW_FREE; }

/* a^(1/3), a > 0. The library's function waits on itself; a GPU, where one thread's time counts
 * here, guesses in single precision and takes two steps of Newton to y^-3 = a. */
RIA_KERNEL double sw_cube_root(double a) {
#ifdef __CUDA_ARCH__
  const double least = 1e-30, b = a > least ? a : least;
  double y = (double)exp2f(-(1.0f / 3.0f) * __log2f((float)b));
  for (int k = 0; k < 2; k++) y = fma(y * (1.0 / 3.0), fma(-b * y, y * y, 1.0), y);
  return a * y * y;
#else
  return cbrt(a);
#endif
}

/* --- total discharges, spread over their stretches ----------------------------------------------
 *
 * In proportion to conveyance, h^(5/3) / n. A dry cell counts with the depth it would have at the
 * mean critical depth above the stretch's lowest bed, so that a dry channel fills from its thalweg.
 */

/* The level to which a stretch counts as filled. q: total discharge, m^3/s; length: its width, m;
 * lowest: its lowest bed. */
RIA_KERNEL double sw_filled_to(double q, double length, double lowest, double g) {
  const double mean = fabs(q) / length;
  return q > 0 ? lowest + sw_cube_root(mean * mean / g) : -1e300;
}

RIA_KERNEL double sw_conveyance(double h, double z, double manning, double filled_to) {
  const double fill = filled_to - z, d = fill > h ? fill : h;
  const double root = sw_cube_root(d > 0 ? d : 1.0);
  return d > 0 ? d * root * root / (manning > 1e-6 ? manning : 1e-6) : 0.0;
}

/* --- sources ------------------------------------------------------------------------------------
 */

/* Wave speed (1/s) that a step of dt with `rate` (m/s of depth, > 0) asks for: the speed with what
 * dt would add; from dry, at most that at which dt reaches cfl. rdx, rdy: 1/dx, 1/dy. */
RIA_KERNEL double sw_source_speed(double h, double qx, double qy, double rate, double dt, double g,
                                  double dry, double cfl, double rdx, double rdy) {
  const double speed = sqrt(g * (h + rate * dt)) * (rdx + rdy);
  if (h > dry) return speed + fabs(qx) / h * rdx + fabs(qy) / h * rdy;
  const double grow = cbrt(g * rate) * pow((rdx + rdy) / cfl, 2.0 / 3.0) * cfl;
  return speed < grow ? speed : grow;
}

/* A domain that forcing may wet steps at least as often as 10 cm of water would (less in flumes,
 * whose cells are smaller than that). */
RIA_KERNEL double sw_forced_least(double dx, double dy, double g) {
  const double cell = dx < dy ? dx : dy;
  return sqrt(g * 0.1 * (cell < 1 ? cell : 1)) * (1.0 / dx + 1.0 / dy);
}

/* --- the next step ------------------------------------------------------------------------------
 */

/* What dt is chosen by. */
typedef struct sw_pace {
  double cfl, dt_max, dt_min; /* parameters of the run */
  double mix;                 /* 2 D (1/dx^2 + 1/dy^2) of the greatest diffusion, 1/s */
} sw_pace;

/* The stable step at a wave speed (1/s, diffusion not counted); `left` where nothing limits it. */
RIA_KERNEL double sw_stable_step(const sw_pace *p, double speed, double left) {
  const double s = speed + p->mix, dt = s > 0 ? p->cfl / s : left;
  return p->dt_max > 0 && dt > p->dt_max ? p->dt_max : dt;
}

/* The step to take with `left` to go until a time that must be met: the last is shortened to land
 * on it, the one before shares the remainder so that none is tiny. */
RIA_KERNEL double sw_landing_step(double dt, double left, int *last) {
  *last = dt >= left;
  return dt >= left ? left : 2 * dt > left ? 0.5 * left : dt;
}

#endif
