/* slope_k.h - limited slopes of what solvers of flow carry, per cell.
 *
 * Included once per precision (RIA_PRECISION), by gcc and by nvcc. */
#include <ria/kernel.h>

#define water_slope RIA_K(water_slope)
#define water_slope_part RIA_K(water_slope_part)

#define R RIA_PRECISION

/* The slope over a cell whose values differ by a from the one before and by b from the one behind:
 * generalised minmod, the least of 1.3 a, (a + b) / 2 and 1.3 b, or 0 where a and b differ in sign.
 * Half of it never is more than 0.65 of either difference. */
RIA_KERNEL R water_slope(R a, R b) {
  const R theta = (R)1.3, mean = (R)0.5 * (a + b);
  const R up = ria_min(theta * ria_min(a, b), mean), down = ria_max(theta * ria_max(a, b), mean);
  return ria_max(up, (R)0) + ria_min(down, (R)0);
}

/* The part of its slopes that a cell keeps, by the least and the largest depth of it and the cells
 * beside: all where depths are alike, nothing where one is less than a tenth of another, as beside
 * dry ground. */
RIA_KERNEL R water_slope_part(R least, R most) {
  const R ratio = ria_over(least, most > 0 ? most : (R)1);
  return ria_max(ria_min((R)5 * ratio - (R)0.5, (R)1), (R)0);
}

#undef R
