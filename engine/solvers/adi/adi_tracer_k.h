/* adi_tracer_k.h - tracers moved with exactly the water that crossed in half a step, per cell and
 * per face; explicit, of order 1 (upwind) or 2 (MUSCL-Hancock).
 *
 * Included once per precision (RIA_PRECISION), by gcc and by nvcc, after adi_k.h.
 *
 * A cell with the depth h and the concentration c gives the depths F through its faces, together no
 * more than h (adi_share), at concentrations of its own, c + d. At order 1 d = 0. At order 2 it is
 * what a limited slope says of the face in the middle of the half step: half the slope, less what
 * the flow carries past in half of that time. The cell keeps h - sum F at the concentration
 *
 *   c - sum F d / (h - sum F),
 *
 * which adi_going holds between the least and the largest concentration around, and each c + d as
 * well. The new concentration is a mean of these, by depth. So no new extremes appear
 * whatever the step, and a uniform concentration, whose slopes are 0, moves as at order 1. */
#include "solvers/shared/water/slope_k.h"

#define adi_around RIA_K(adi_around)
#define adi_gives RIA_K(adi_gives)
#define R RIA_PRECISION

/* Of a cell and the four beside it, each as the cell itself where it is outside the domain. */
typedef struct adi_around {
  R mid, west, east, south, north;
} adi_around;

/* Concentrations that leave through each face, if water does. */
typedef struct adi_gives {
  R west, east, south, north;
} adi_gives;

RIA_KERNEL R adi_least(const adi_around *a) {
  return ria_min(a->mid, ria_min(ria_min(a->west, a->east), ria_min(a->south, a->north)));
}
RIA_KERNEL R adi_most(const adi_around *a) {
  return ria_max(a->mid, ria_max(ria_max(a->west, a->east), ria_max(a->south, a->north)));
}

/* Order 2: what a cell gives. c: concentrations; h: depths; f: what crosses the four faces, along
 * the axes (mid is not used); theta: of water_slope. */
RIA_KERNEL adi_gives adi_going(const adi_around *c, const adi_around *h, const adi_around *f,
                               R theta) {
  const R trust = water_trust(adi_least(h), adi_most(h), (R)1);
  const R x = water_slope(c->mid - c->west, c->east - c->mid, theta, trust);
  const R y = water_slope(c->mid - c->south, c->north - c->mid, theta, trust);
  const R per_depth = (R)0.5 * ria_inv(h->mid > 0 ? h->mid : (R)1);
  const R past = per_depth * ((f->west + f->east) * x + (f->south + f->north) * y);

  const R lo = adi_least(c) - c->mid, hi = adi_most(c) - c->mid;
  const R west = water_within(-x - past, lo, hi), east = water_within(x - past, lo, hi);
  const R south = water_within(-y - past, lo, hi), north = water_within(y - past, lo, hi);

  const R to_west = ria_max(-f->west, (R)0), to_east = ria_max(f->east, (R)0);
  const R to_south = ria_max(-f->south, (R)0), to_north = ria_max(f->north, (R)0);
  const R kept = h->mid - ((to_west + to_east) + (to_south + to_north));
  const R more = (to_west * west + to_east * east) + (to_south * south + to_north * north);
  const R room = ria_max(kept, (R)0) * (more > 0 ? -lo : hi), size = ria_abs(more);
  const R share = ria_over(size > room ? room : (R)1, size > room ? size : (R)1);
  const adi_gives g = {c->mid + share * west, c->mid + share * east, c->mid + share * south,
                       c->mid + share * north};
  return g;
}

/* What crosses a face, as load: lo and hi, concentrations that the cells on either side give. */
RIA_KERNEL R adi_carried(R moved, R c_lo, R c_hi) { return moved * (moved > 0 ? c_lo : c_hi); }

/* Load (h C) at the end. lo, hi and along_lo, along_hi: what crossed the faces, as load. What
 * rounding leaves below nothing is nothing. */
RIA_KERNEL R adi_load(R load, R lo, R hi, R along_lo, R along_hi) {
  const R left = ria_max(load - (adi_leaving(lo, hi) + adi_leaving(along_lo, along_hi)), (R)0);
  return left + (adi_leaving(-lo, -hi) + adi_leaving(-along_lo, -along_hi));
}

/* --- implicit diffusion of tracers: a line -------------------------------------------------------
 *
 * Backward Euler along x, then along y (locally one-dimensional). The unknowns are what crosses the
 * faces, x, as load: with the depths h and the concentrations c of the cells l and r beside a face,
 *
 *   x = m (c_l' - c_r'),   c' = c - (x_hi - x_lo) / h,   m = mix min(h_l, h_r),   mix = D dt / d^2
 *
 * in which c' is put. In this form the account closes to round-off however large mix is, and where
 * c is uniform nothing moves, to the bit. c' lies between the least and the largest c. */
RIA_KERNEL adi_row adi_mix_row(R hl, R hr, R cl, R cr, R mix) {
  const R h = ria_min(hl, hr), m = h > 0 ? mix * h : (R)0;
  const R l = m * ria_inv(hl > 0 ? hl : (R)1), r = m * ria_inv(hr > 0 ? hr : (R)1);
  const adi_row row = {-l, 1 + (l + r), -r, m * (cl - cr)};
  return row;
}

/* Load of a cell once x is known of its faces. What rounding leaves below nothing is nothing. */
RIA_KERNEL R adi_mixed(R load, R lo, R hi) { return ria_max(load - (hi - lo), (R)0); }

RIA_KERNEL R adi_concentration(R load, R h) {
  return h > 0 ? ria_over(load, h > 0 ? h : (R)1) : (R)0;
}

#undef R
