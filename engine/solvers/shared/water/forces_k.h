/* forces_k.h - what acts on all of the water of a flow: the earth's rotation and the wind.
 *
 * For every solver of flow, by gcc and by nvcc, in double precision. No loops, no memory. */
#ifndef RIA_FORCES_K_H
#define RIA_FORCES_K_H
#include <ria/kernel.h>

/* The Coriolis parameter f = 2 Omega sin(latitude), 1/s, of a latitude in degrees. */
RIA_KERNEL double ria_coriolis(double latitude) {
  return 2 * 7.2921159e-5 * sin(latitude * (3.14159265358979323846 / 180));
}

/* Drag coefficient of the wind: constant up to 7 m/s and from 25 m/s on, linear between, with the
 * values that MIKE 21 has by default. */
RIA_KERNEL double ria_wind_drag(double speed) {
  const double low = 1.255e-3, high = 2.425e-3, part = (speed - 7) / (25 - 7);
  return low + (high - low) * (part < 0 ? 0 : part > 1 ? 1 : part);
}

/* Stress of a wind over the density of water, m^2/s^2: towards east [0] and north [1]. speed: m/s,
 * 10 m above the water; below 0 counts as calm. from: where it comes from, degrees clockwise from
 * north. drag: coefficient; 0 = by ria_wind_drag. East and north are the map's. */
RIA_KERNEL void ria_wind_stress(double speed, double from, double drag, double stress[2]) {
  const double u = speed > 0 ? speed : 0, angle = from * (3.14159265358979323846 / 180);
  const double size = 1.225 / 1025 * (drag > 0 ? drag : ria_wind_drag(u)) * u * u;
  stress[0] = -size * sin(angle);
  stress[1] = -size * cos(angle);
}

/* A vector of the map along a grid's own axes, and back. axes: cosine and sine of the grid's angle;
 * both 0 = it is not turned. */
RIA_KERNEL void ria_to_axes(const double axes[2], double v[2]) {
  const double x = v[0], y = v[1];
  if (axes[0] == 0 && axes[1] == 0) return;
  v[0] = axes[0] * x + axes[1] * y;
  v[1] = axes[0] * y - axes[1] * x;
}
RIA_KERNEL void ria_to_map(const double axes[2], double v[2]) {
  const double back[2] = {axes[0], -axes[1]};
  ria_to_axes(back, v);
}

#endif
