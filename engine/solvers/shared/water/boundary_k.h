/* boundary_k.h - what solvers of flow share of boundaries: their kinds, and how a total discharge
 * is spread over a stretch.
 *
 * In double precision whatever the precision of the run; by gcc and by nvcc. */
#ifndef RIA_WATER_BOUNDARY_K_H
#define RIA_WATER_BOUNDARY_K_H
#include <ria/kernel.h>

/* Kinds of boundary of solvers of flow, in the order of their tables. adi has the first seven.
 * To shallow_water a rating is a level that is worked out: its edges and faces are SIDE_LEVEL, and
 * SIDE_RATING where they are closed. */
enum {
  SIDE_WALL,
  SIDE_OPEN,
  SIDE_LEVEL,
  SIDE_DISCHARGE,
  SIDE_RADIATE,
  SIDE_RATING,
  SIDE_PERIODIC,
  SIDE_NORMAL,
  SIDE_FREE
};
/* Does nothing enter or leave the domain by it? */
RIA_KERNEL int water_side_is_shut(int kind) { return kind == SIDE_WALL || kind == SIDE_PERIODIC; }
/* Has a kind a value? It is a level, a discharge, or the slope of the bed outside (NaN: none was
 * given). */
RIA_KERNEL int water_side_has_value(int kind) {
  return kind != SIDE_WALL && kind != SIDE_FREE && kind != SIDE_PERIODIC;
}
/* Does the bed go on falling outside? */
RIA_KERNEL int water_side_falls(int kind) {
  return kind == SIDE_OPEN || kind == SIDE_NORMAL || kind == SIDE_FREE;
}

/* Does it have a level outside? */
RIA_KERNEL int water_side_has_level(int kind) { return kind == SIDE_LEVEL || kind == SIDE_RADIATE; }

/* Values of a boundary that may differ along it: ria_boundary_set.point. Of SIDE_RADIATE the level
 * outside and its current along x and along y; of others the first alone. */
enum { WATER_OUT_LEVEL, WATER_OUT_U, WATER_OUT_V, WATER_ALONG };
/* Which of them runs across a side, and which along it. */
RIA_KERNEL int water_current_across(int along_x) { return along_x ? WATER_OUT_U : WATER_OUT_V; }
RIA_KERNEL int water_current_along(int along_x) { return along_x ? WATER_OUT_V : WATER_OUT_U; }

/* How many values stretches and points have: WATER_ALONG of each stretch, one after another, then
 * one of each point. */
RIA_KERNEL int water_values(int n_stretch, int n_points) {
  return WATER_ALONG * n_stretch + n_points;
}

/* A value of a cell that lies between two points of its stretch: `part` of the way from value[slot]
 * to the next. part = 0: value[slot], whatever is beside it. */
RIA_KERNEL double water_between(const double *value, int slot, double part) {
  const double v = value[slot];
  return part > 0 ? v + part * (value[slot + 1] - v) : v;
}

/* --- radiating sides ----------------------------------------------------------------------------
 *
 * After Flather (1976): what comes in, u - 2c with u out of the domain, has the level and the
 * current outside; what goes out has those inside. A wave that leaves straight finds nothing to be
 * thrown back by. One that leaves at an angle a has less velocity across the side than a straight
 * one, and would leave (1 - cos a) / (1 + cos a) of itself behind: 7 % at 30 degrees. What that
 * wave brings about in the incoming invariant is, to the second order of Engquist and Majda (1977),
 *
 *   d(bent)/dt = (c / 2) d(velocity along the side)/d(along) ,
 *
 * which leaves the square of that: 0.5 % at 30 degrees, 3 % at 45. Steady flow would gather in it,
 * so it fades over the time that a wave takes along the side. And what is no wave, flow round a
 * shoal or an eddy, would feed on it without end: so it is at most half of what goes out beyond
 * what the outside has, now or in the root of its mean square over that time. Of all that goes out
 * no more than half then comes in, whatever the flow, and at rest nothing does. */

/* The part of the incoming invariant that waves at an angle bring about through a step, m/s.
 * beyond: u + 2c less that of the outside; far: c dt over the length of a cell across the side;
 * parting: how much faster the water runs along the side on one side of a cell than on the other,
 * over that length; fade: the length over that of the side. kept: what it was through the step
 * before, and the mean of beyond^2. */
RIA_KERNEL double water_bent(double beyond, double far, double parting, double fade,
                             double kept[2]) {
  const double part = far * fade / (1 + far * fade), now = beyond * beyond;
  const double most = 0.5 * sqrt(now > kept[1] ? now : kept[1]);
  const double bent = (kept[0] + 0.5 * far * parting) * (1 - part);
  kept[1] += part * (now - kept[1]);
  kept[0] = bent < -most ? -most : bent > most ? most : bent;
  return kept[0];
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

/* --- ratings ------------------------------------------------------------------------------------
 *
 * In shallow_water a rating is a level that depends on what leaves through all of a stretch: a
 * curve of rows (discharge, level), from 0 m^3/s on, both rising. Level and discharge are found
 * together: the waves that come out of the domain say how much leaves at a level, less the higher
 * it is, and the curve says how much, more the higher it is. There is one level at which both
 * agree, whatever the step, so nothing needs to be damped, and none of it is part of the state.
 * Where that level would let water in, over a dry cell or one that is lower than the rest, the edge
 * is closed: its kind is SIDE_RATING in that step, and it is a wall as closed outlets are. Below
 * the curve's first level all are closed. Above its last row the curve goes on as between its last
 * two. */

/* The water in a cell of the stretch. h: depth; un: velocity out of the domain; z: bed. */
typedef struct water_leaving {
  double h, un, z;
} water_leaving;

/* What leaves of it per width at a level, m^2/s: on the outgoing invariant un + 2 c, at most
 * critical, and as it comes where it runs faster than waves. None comes in. */
RIA_KERNEL double water_leaves(water_leaving in, double level, double g) {
  const double c = sqrt(g * in.h), w = in.un + 2 * c;
  if (!(in.h > 0)) return 0;
  if (in.un >= c) return in.h * in.un;
  const double least = w > 0 ? w * w / (9 * g) : 0, over = level - in.z;
  const double hb = over > least ? over : least, cb = sqrt(g * hb), u = w - 2 * cb;
  return u > 0 ? hb * u : 0;
}
/* The level at which nothing leaves of it; of a dry cell its bed. */
RIA_KERNEL double water_stays_at(water_leaving in, double g) {
  const double c = sqrt(g * in.h), w = in.un + 2 * c;
  return in.z + (w > 0 ? 0.25 * w * w / g : 0);
}
/* Is its edge closed where the stretch has that level? Water would come in. */
RIA_KERNEL int water_closed(water_leaving in, double level, double g) {
  const int falls = in.h > 0 && in.un >= sqrt(g * in.h);
  return !falls && !(level < water_stays_at(in, g));
}

/* The k-th level of a curve; d: the data of f. */
RIA_KERNEL double water_curve_row(const ria_forcing *f, const double *d, int k) {
  return f->base + f->scale * d[2 * k + 1];
}
/* The level of a discharge q >= 0, and the discharge of a level. */
RIA_KERNEL double water_curve_level(const ria_forcing *f, const double *d, double q) {
  int k = ria_series_knot(f, d, q);
  k = k > f->count - 2 ? f->count - 2 : k;
  const double low = water_curve_row(f, d, k), high = water_curve_row(f, d, k + 1);
  return low + (q - d[2 * k]) / (d[2 * k + 2] - d[2 * k]) * (high - low);
}
/* The row below a level: the last but one at or below it, else the first. */
RIA_KERNEL int water_curve_below(const ria_forcing *f, const double *d, double level) {
  int lo = 0, hi = f->count - 2;
  while (lo < hi) {
    const int mid = (lo + hi + 1) / 2;
    if (water_curve_row(f, d, mid) <= level)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}
RIA_KERNEL double water_curve_flow(const ria_forcing *f, const double *d, double level) {
  const int lo = water_curve_below(f, d, level);
  const double low = water_curve_row(f, d, lo), high = water_curve_row(f, d, lo + 1);
  const double q = d[2 * lo] + (level - low) / (high - low) * (d[2 * lo + 2] - d[2 * lo]);
  return q > 0 ? q : 0;
}
/* The row of the curve's line at a level, as it goes on below the first: the discharge there, then
 * less than none, and how much more it is a metre higher, m^2/s. */
RIA_KERNEL double water_curve_line(const ria_forcing *f, const double *d, double level,
                                   double *slope) {
  const int lo = water_curve_below(f, d, level);
  const double low = water_curve_row(f, d, lo), high = water_curve_row(f, d, lo + 1);
  *slope = (d[2 * lo + 2] - d[2 * lo]) / (high - low);
  return d[2 * lo] + *slope * (level - low);
}

/* The search for that level: a false position that halves the weight of an end that stays
 * (Illinois), and halves the bracket itself where three steps did not, and in all steps after the
 * thirtieth: so it ends. More leaves at the end `low` than the curve has, less at the end `high`.
 */
typedef struct water_search {
  double low, high, more, less; /* the ends, and what weighs there: */
  double at_low, at_high;       /*   what leaves more than the curve has */
  double width;                 /* of the bracket when it was halved last */
  int steps;
  int kept, slow; /* the end that stayed last; how many steps have not halved the bracket */
} water_search;
RIA_KERNEL water_search water_search_between(double low, double high, double more, double less) {
  const water_search s = {low, high, more, less, more, less, high - low, 0, 0, 0};
  return s;
}
/* Where to look next. */
RIA_KERNEL double water_search_at(const water_search *s) {
  const double at = (s->more * s->high - s->less * s->low) / (s->more - s->less);
  const int trusted = s->slow < 3 && s->steps < 30;
  return trusted && at > s->low && at < s->high ? at : 0.5 * (s->low + s->high);
}
/* What leaves there is more than the curve has by `more`. */
RIA_KERNEL void water_search_found(water_search *s, double at, double more) {
  if (more >= 0) {
    s->low = at;
    s->more = s->at_low = more;
    s->less *= s->kept > 0 ? 0.5 : 1;
    s->kept = 1;
  } else {
    s->high = at;
    s->less = s->at_high = more;
    s->more *= s->kept < 0 ? 0.5 : 1;
    s->kept = -1;
  }
  s->steps++;
  const int halved = s->high - s->low <= 0.5 * s->width;
  s->width = halved ? s->high - s->low : s->width;
  s->slow = halved ? 0 : s->slow + 1;
}
RIA_KERNEL int water_search_ends(const water_search *s) {
  const double size = fabs(s->low) > fabs(s->high) ? fabs(s->low) : fabs(s->high);
  return !(s->high - s->low > 1e-14 * (size + 1)) || !(s->more > 0) || !(s->less < 0);
}
/* The end that fits better. */
RIA_KERNEL double water_search_result(const water_search *s) {
  return fabs(s->at_low) <= fabs(s->at_high) ? s->low : s->high;
}
enum { WATER_SEARCHES = 80 }; /* steps at most: some ten do */

#endif
