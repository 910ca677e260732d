/* shallow_water_forcing_k.h - arithmetic between two steps: what drives the flow, and how far the
 * next step goes.
 *
 * In double precision whatever the precision of the run; by gcc and by nvcc, per boundary cell, per
 * cell of a source, per step. No memory, no loops. The loops are in shallow_water_forcing.c and *
 * shallow_water_clock.c, and in gpu/shallow_water/tick.cuh. */
#ifndef SHALLOW_WATER_FORCING_K_H
#define SHALLOW_WATER_FORCING_K_H
#include "solvers/shared/water/boundary_k.h"

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

#endif
