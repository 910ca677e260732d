/* relax_k.h - a cell of a layer in which the flow is drawn to a given one.
 *
 * Flow relaxation after H. C. Davies, A lateral boundary formulation for multi-level prediction
 * models, Q. J. R. Meteorol. Soc. 102 (1976), 405-418, and E. A. Martinsen and H. Engedahl,
 * Implementation and testing of a lateral boundary scheme as an open boundary condition in a
 * barotropic ocean model, Coastal Engineering 11 (1987), 603-627: level, velocities and
 * concentrations follow d phi/dt = -K (phi - target). Where level and velocities have the same K, a
 * linear long wave fades on its way through and is not thrown back, however K grows. In double
 * precision, on the CPU and by nvcc. */
#ifndef RIA_WATER_RELAX_K_H
#define RIA_WATER_RELAX_K_H
#include "solvers/shared/water/fields.h"

/* The way to the target that is gone in dt, by one implicit step: none is too long, and an infinite
 * rate goes all of it. */
RIA_KERNEL double water_relax_share(double rate, double dt) {
  return 1.0 / (1.0 + 1.0 / (rate * dt));
}

/* The target of the k-th cell of a layer; NaN: none. uniform: the value of q->id at that time;
 * part: of ria_relax_part. */
RIA_KERNEL double water_target(const ria_relaxed *q, double uniform, double part, int k) {
  if (q->id >= 0) return uniform;
  if (!q->at[0]) return NAN;
  return q->at[0][k] + part * (q->at[1][k] - q->at[0][k]);
}

/* The velocity that water of depth h0 and discharge q has, drawn to `aim`, as the discharge of
 * depth h. */
RIA_KERNEL double water_relax_discharge(double share, double aim, double q, double h0, double h) {
  const double u = q / h0;
  return aim == aim ? (u + share * (aim - u)) * h : q * (h / h0);
}

/* The depth of a wet cell; a level below the bed is depth 0. */
RIA_KERNEL double water_relax_depth(double share, double level, double h, double z) {
  const double aim = level > z ? level - z : 0.0;
  return level == level ? h + share * (aim - h) : h;
}

/* Level and velocities of a wet cell. Without a target they stay; a concentration does too, so what
 * is added or taken has that of the cell: water_relax_load. */
RIA_KERNEL water_cell water_relax_flow(double share, double level, double u, double v,
                                       water_cell c) {
  const double h = water_relax_depth(share, level, c.h, c.z);
  const water_cell to = {h, water_relax_discharge(share, u, c.qx, c.h, h),
                         water_relax_discharge(share, v, c.qy, c.h, h), c.z};
  return to;
}

/* The load of a tracer in it: h0 before, h after that. */
RIA_KERNEL double water_relax_load(double share, double conc, double load, double h0, double h) {
  const double c = load / h0;
  return conc == conc ? (c + share * (conc - c)) * h : load * (h / h0);
}

/* The fastest wave, 1/s, that a target may bring. */
RIA_KERNEL double water_relax_speed(const ria_relax *r, double g, double rdx, double rdy) {
  const double c = sqrt(g * r->depth);
  return (r->u + c) * rdx + (r->v + c) * rdy;
}

#endif
