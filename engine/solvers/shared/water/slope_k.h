/* slope_k.h - limited slopes of what solvers of flow carry, per cell.
 *
 * Included once per precision (RIA_PRECISION), by gcc and by nvcc. */
#include <ria/kernel.h>

#define water_slope RIA_K(water_slope)
#define water_trust RIA_K(water_trust)
#define water_within RIA_K(water_within)

#define R RIA_PRECISION

/* Half the limited difference over a cell, from the differences to the cell before and to the cell
 * behind, times its trust: van Leer's generalised minmod. theta: 1 = minmod, 2 = the steepest, 0 =
 * none. It never is more than theta / 2 of either difference. */
RIA_KERNEL R water_slope(R before, R behind, R theta, R trust) {
  const R sum = before + behind;
  const R least = 2 * theta * ria_min(ria_abs(before), ria_abs(behind));
  const R size = (R)0.25 * trust * ria_min(ria_abs(sum), least);
  return before * behind > 0 ? (sum < 0 ? -size : size) : (R)0;
}

/* How far a cell's slopes are trusted, by the least and the greatest depth of it and its
 * neighbours: all of them, less near fronts, where these differ by more than 10 : 3, not at all
 * from 10 : 1 on and beside dry land. whole: where nothing speaks against it, at most 1. */
RIA_KERNEL R water_trust(R least, R most, R whole) {
  const R trust = ria_over(5 * least, ria_max(most, (R)1e-30)) - (R)0.5;
  return ria_min(ria_max(trust, (R)0), whole);
}

RIA_KERNEL R water_within(R v, R least, R most) { return ria_min(ria_max(v, least), most); }

#undef R
