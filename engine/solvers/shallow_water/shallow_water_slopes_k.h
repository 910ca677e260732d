/* shallow_water_slopes_k.h - second order in space and time: what a cell knows of the flow within
 * it and half a step ahead, and the edge between two such cells.
 *
 * Follows shallow_water_k.h, once per precision (RIA_PRECISION), by gcc and by nvcc. No loops over
 * cells, no memory. docs/shallow_water.md derives it and proves what is said here.
 *
 * MUSCL-Hancock: slopes of level, depth, velocities and concentrations within a cell, limited and
 * given up near fronts; half a step with the cell's own slopes; Roe's edge (sw_edge_of) between the
 * states that then face each other. Sources: B. van Leer, On the relation between the
 * upwind-differencing schemes of Godunov, Engquist-Osher and Roe, SIAM J. Sci. Stat. Comput. 5,
 * 1984 (slopes and half step); E. Audusse, F. Bouchut, M.-O. Bristeau, R. Klein and B. Perthame, A
 * fast and stable well-balanced scheme with hydrostatic reconstruction for shallow water flows,
 * SIAM J. Sci. Comput. 25, 2004 (level and depth instead of the bed).
 *
 * A slope is kept as half the difference over the cell: what a face adds to the middle. */

#include "solvers/shared/water/slope_k.h"

#define R RIA_PRECISION

/* Constants of a run at second order. */
typedef struct sw_second {
  R theta; /* of the limiter: 1 = minmod, 2 = the steepest; 0 = no slopes at all */
  R most;  /* trust where nothing speaks against it: 1; 0 without slopes */
  R spare; /* 2 / theta - 1: of the larger slope, what lies between a face and the neighbours */
  /* Of sw_bounds: 0.2; 0 without slopes. Where u is all but c the slow wave stands, and nothing
   * damps it. Steady flows of Froude numbers of 0.94 to 0.99 on a slope so filled with small jumps,
   * which grew as cells got smaller; with 0.1 they still do on 800 cells. What is spread are the
   * jumps between faces, of third order where the flow is smooth. */
  R sonic;
} sw_second;

RIA_KERNEL sw_second sw_second_of(double theta) {
  const sw_second o = {(R)theta, theta > 0 ? (R)1 : (R)0, (R)(theta > 0 ? 2.0 / theta - 1.0 : 0.0),
                       theta > 0 ? (R)0.2 : (R)0};
  return o;
}

/* A value per neighbour, or per edge. */
typedef struct sw_around {
  R w, e, s, n;
} sw_around;

/* What a cell sees of its neighbours: how much more depth, velocities and level there are to the
 * east than here, here than to the west, and so on. Of the level less what forces balance
 * (sw_tilt). */
typedef struct sw_near {
  sw_around h, u, v, level;
} sw_near;

/* water_trust of a cell of depth h. dh: of sw_near. */
RIA_KERNEL R sw_trust(R h, sw_around dh, R most_trust) {
  const R w = h - dh.w, e = h + dh.e, s = h - dh.s, n = h + dh.n;
  const R least = ria_min(ria_min(ria_min(w, e), ria_min(s, n)), h);
  const R most = ria_max(ria_max(ria_max(w, e), ria_max(s, n)), h);
  return water_trust(least, most, most_trust);
}

/* A cell half a step ahead, and its slopes: of depth h, velocities u and v, level e. */
typedef struct sw_ahead {
  R h, u, v;
  R xh, xu, xv, xe;
  R yh, yu, yv, ye;
} sw_ahead;

/* h^(-4/3). In single precision a GPU's logarithm does: half a step's friction is small. */
RIA_KERNEL R sw_thin_power(R h) {
#ifdef __CUDA_ARCH__
  if (sizeof(R) == 4) return (R)exp2f((-4.0f / 3.0f) * __log2f((float)h));
#endif
  const R thin = water_inv_cbrt(h), twice = thin * thin;
  return twice * twice;
}

/* What backward Euler leaves of a velocity after friction over half a step: sw_friction by depth
 * and speed. drag: g n^2 dt / 2. */
RIA_KERNEL R sw_half_friction(R h, R u, R v, R drag) {
  const R b = drag * sw_thin_power(h) * ria_root(ria_fused(v, v, u * u));
  return ria_over((R)2, (R)1 + ria_root(ria_fused((R)4, b, (R)1)));
}

/* c: the cell; dtdx, dtdy: the step over the cells' sizes; drag: g n^2 dt, drags: it may be above
 * 0. Slopes that are given up leave the cell as it is, to the bit. */
RIA_KERNEL sw_ahead sw_predict(sw_flow c, sw_near d, R trust, R dtdx, R dtdy, R drag, int drags,
                               const sw_second *o, const sw_const *k) {
  sw_ahead a;
  a.xe = water_slope(d.level.w, d.level.e, o->theta, trust);
  a.ye = water_slope(d.level.s, d.level.n, o->theta, trust);
  a.xh = water_slope(d.h.w, d.h.e, o->theta, trust);
  a.yh = water_slope(d.h.s, d.h.n, o->theta, trust);
  a.xu = water_slope(d.u.w, d.u.e, o->theta, trust);
  a.yu = water_slope(d.u.s, d.u.n, o->theta, trust);
  a.xv = water_slope(d.v.w, d.v.e, o->theta, trust);
  a.yv = water_slope(d.v.s, d.v.n, o->theta, trust);
  const R along_x = ria_fused(c.u, a.xh, c.h * a.xu), along_y = ria_fused(c.v, a.yh, c.h * a.yv);
  const R h = c.h - ria_fused(dtdy, along_y, dtdx * along_x);
  a.h = ria_max(h, ria_max(ria_abs(a.xh), ria_abs(a.yh)));
  a.u = c.u - ria_fused(dtdy, c.v * a.yu, dtdx * ria_fused(k->g, a.xe, c.u * a.xu));
  a.v = c.v - ria_fused(dtdy, ria_fused(k->g, a.ye, c.v * a.yv), dtdx * (c.u * a.xv));
  if (drags) {
    const R f = sw_half_friction(c.h > 0 ? c.h : (R)1, a.u, a.v, (R)0.5 * trust * drag);
    a.u *= f;
    a.v *= f;
  }
  return a;
}

/* Diffusion in a cell: x, y: D dt / dx^2 and D dt / dy^2; h: the depths that its edges share, each
 * the smaller one of two cells. */
typedef struct sw_mixing {
  R x, y;
  sw_around h;
} sw_mixing;

RIA_KERNEL sw_mixing sw_mixing_of(R x, R y, R h, sw_around dh) {
  const sw_mixing m = {
      x,
      y,
      {ria_min(h, h - dh.w), ria_min(h, h + dh.e), ria_min(h, h - dh.s), ria_min(h, h + dh.n)}};
  return m;
}

/* What half a step of diffusion adds to a concentration, or eddies to a velocity. dc: how much more
 * there is to the east than here, here than to the west ... */
RIA_KERNEL R sw_half_mixed(R h, sw_around dc, sw_mixing m) {
  const R x = ria_fused(m.h.e, dc.e, -(m.h.w * dc.w)), y = ria_fused(m.h.n, dc.n, -(m.h.s * dc.s));
  return ria_over((R)0.5 * ria_fused(m.x, x, m.y * y), ria_max(h, (R)1e-30));
}

/* A cell half a step ahead with what eddies do till then. x, y: of sw_mixing, of the constant
 * viscosity: Smagorinsky's goes with the square of the cell's size, and needs no half step. */
RIA_KERNEL sw_ahead sw_stirred(sw_ahead a, R h, R trust, sw_near d, R x, R y) {
  const sw_mixing m = sw_mixing_of(x, y, h, d.h);
  a.u += trust * sw_half_mixed(h, d.u, m);
  a.v += trust * sw_half_mixed(h, d.v, m);
  return a;
}

/* The most that may leave a cell over an edge, m^2/s: h (u + c / 2) where it flows out, h c / 2
 * where it does not. Together that is h ((|u| + c) / dx + (|v| + c) / dy) at most: cfl of the water
 * in a step, so that depth stays >= 0. It is more than sw_capacity of the whole cell at any Froude
 * number, since (F + 2)^3 / 27 <= F + 1/2 for 0 <= F <= 1. h, c: of the cell; out: its velocity
 * outwards. */
RIA_KERNEL R sw_may_leave(R h, R out, R c) { return h * ria_fused((R)0.5, c, ria_max(out, (R)0)); }

/* Concentrations half a step ahead: at the faces of a cell, and in its middle as diffusion finds
 * it, where there is any. */
typedef struct sw_traced {
  sw_around at;
  R middle;
} sw_traced;

/* Departures of the faces of a cell, at.w and so on, within [lo, hi] and made smaller by one factor
 * where sums over all that may leave demand it, and that of its middle with them: see sw_faces.
 * spread: what diffusion exchanges over all edges at most. */
RIA_KERNEL sw_traced sw_bounded(sw_traced d, R lo, R hi, sw_flow f, R dtdx, R dtdy, int mixes,
                                R spread) {
  const R w = dtdx * sw_may_leave(f.h, -f.u, f.c), e = dtdx * sw_may_leave(f.h, f.u, f.c);
  const R s = dtdy * sw_may_leave(f.h, -f.v, f.c), n = dtdy * sw_may_leave(f.h, f.v, f.c);
  const sw_around b = {water_within(d.at.w, lo, hi), water_within(d.at.e, lo, hi),
                       water_within(d.at.s, lo, hi), water_within(d.at.n, lo, hi)};
  R gone = ria_fused(e, b.e, w * b.w) + ria_fused(n, b.n, s * b.s),
    left = f.h - ((w + e) + (s + n));
  if (mixes) {
    gone = ria_fused(spread, d.middle, gone);
    left -= spread;
  }
  const R need = ria_abs(gone), room = ria_max(left, (R)0) * (gone < 0 ? hi : -lo);
  const R part = need > room ? ria_over(room, ria_max(need, (R)1e-30)) : (R)1;
  const sw_traced r = {{part * b.w, part * b.e, part * b.s, part * b.n}, part * d.middle};
  return r;
}

/* Slopes of a concentration, and what half a step adds to it in the middle of the cell. */
typedef struct sw_lean {
  R x, y, then;
} sw_lean;
RIA_KERNEL sw_lean sw_lean_of(sw_around dc, sw_flow f, R trust, R dtdx, R dtdy,
                              const sw_second *o) {
  const R x = water_slope(dc.w, dc.e, o->theta, trust),
          y = water_slope(dc.s, dc.n, o->theta, trust);
  const sw_lean l = {x, y, -ria_fused(dtdy, f.v * y, dtdx * (f.u * x))};
  return l;
}
RIA_KERNEL sw_around sw_departures(sw_lean l) {
  const sw_around d = {l.then - l.x, l.then + l.x, l.then - l.y, l.then + l.y};
  return d;
}
RIA_KERNEL sw_around sw_departed(R c, sw_around d) {
  const sw_around faces = {c + d.w, c + d.e, c + d.s, c + d.n};
  return faces;
}

/* May a face lie beyond the cell's neighbours? In fast water alone: see sw_faces, which bounds what
 * does. */
RIA_KERNEL int sw_strays(sw_lean l, const sw_second *o) {
  return ria_abs(l.then) > o->spare * ria_max(ria_abs(l.x), ria_abs(l.y));
}

/* sw_bounded within a cell's neighbours. */
RIA_KERNEL sw_traced sw_bounded_around(sw_traced d, sw_around dc, sw_flow f, R dtdx, R dtdy,
                                       int mixes, R spread) {
  const R lo = ria_min(ria_min(ria_min(-dc.w, dc.e), ria_min(-dc.s, dc.n)), (R)0);
  const R hi = ria_max(ria_max(ria_max(-dc.w, dc.e), ria_max(-dc.s, dc.n)), (R)0);
  return sw_bounded(d, lo, hi, f, dtdx, dtdy, mixes, spread);
}
RIA_KERNEL sw_around sw_stray_departures(sw_around dc, sw_lean l, sw_flow f, R dtdx, R dtdy) {
  const sw_traced d = {sw_departures(l), 0};
  return sw_bounded_around(d, dc, f, dtdx, dtdy, 0, 0).at;
}

/* Concentrations at the faces of a cell, half a step ahead. They stay between the least and the
 * greatest of the cell and its neighbours, [lo, hi], and so does what the cell is left with however
 * much of what may leave it does: with faces C + d and fluxes F over a step the rest of the water,
 * h - sum F, has C - sum F d / (h - sum F), and that is within [lo, hi] if
 *
 *   sum F (hi - C - d) <= h (hi - C)   and   sum F (C + d - lo) <= h (C - lo),
 *
 * which is hardest to meet where every F is the most that may leave (sw_may_leave). With d = +- x -
 * s and +- y - s, s = u x dt / dx + v y dt / dy, those sum up to sum F d = (h - sum F) s, and |s|
 * is at most cfl times the larger slope m, less than hi - C and C - lo, which are 2 m / theta at
 * least. So no extremes appear where the faces lie within [lo, hi], surely where |s| <= (2 / theta
 * - 1) m. Elsewhere they are put there, and all d made smaller by one factor where the sums demand
 * it. dc: how much more there is to the east than here, here than to the west ... */
RIA_KERNEL sw_around sw_faces(R c, sw_around dc, sw_flow f, R trust, R dtdx, R dtdy,
                              const sw_second *o) {
  const sw_lean l = sw_lean_of(dc, f, trust, dtdx, dtdy, o);
  sw_around d = sw_departures(l);
  if (sw_strays(l, o)) d = sw_stray_departures(dc, l, f, dtdx, dtdy);
  return sw_departed(c, d);
}

/* The same where a tracer diffuses, and in the middle. Diffusion takes sum m (C + t + l - C' - t' -
 * l') in a step, between this middle and those of the neighbours ('): m = D dt / dx^2 times the
 * depth that an edge shares, l half a step of diffusion, t = -s. As far as the cell's own
 * concentration goes, it is F that grows by sum m, of departure t. The rest, sum m (C' + t' + l' -
 * l), is a mean of concentrations of the 13 cells with weights >= 0: of a neighbour, l and l' take
 * at most half of what C' gives each, and t' its Courant number, and all together are at most 1. So
 * the middle's l is not cut, and decays of peaks are as exact as of slopes. dc: as sw_half_mixed
 * has it. */
RIA_KERNEL sw_traced sw_faces_mixed(R c, sw_around dc, sw_flow f, R trust, R dtdx, R dtdy,
                                    sw_mixing mixing, const sw_second *o) {
  sw_lean l = sw_lean_of(dc, f, trust, dtdx, dtdy, o);
  const R then = l.then, mixed = trust * sw_half_mixed(f.h, dc, mixing);
  l.then += mixed;
  sw_traced d = {sw_departures(l), then};
  d = sw_bounded_around(d, dc, f, dtdx, dtdy, 1, 2 * (mixing.x + mixing.y) * f.h);
  const sw_traced t = {sw_departed(c, d.at), c + (d.middle + mixed)};
  return t;
}

/* A cell as an edge sees it at second order: its face. */
typedef struct sw_face {
  R h, u, c; /* depth, velocity along the normal, celerity */
  R bed;  /* how far the bed rises from the middle of the left cell, or to that of the right one */
  R held; /* depth of the cell */
  R most; /* the most that may leave it over this edge, m^2/s */
} sw_face;

/* Celerity of a state at a face; where there is water as sw_flow_of has it of a cell, to the bit.
 */
RIA_KERNEL R sw_face_celerity(R h, const sw_const *k) {
#ifdef __CUDA_ARCH__
  return sw_celerity(k->g * h);
#else
  const R gh = k->g * (h > 0 ? h : (R)1);
  return h > 0 ? ria_product(gh, ria_inv_root(gh)) : k->tiny_c;
#endif
}

/* A face at the end (upper: 1) or the beginning (-1) of a cell. h, u: half a step ahead; dh, du,
 * de: slopes along the normal. */
RIA_KERNEL sw_face sw_face_of(R upper, R h, R u, R dh, R du, R de, R held, R most,
                              const sw_const *k) {
  const R at = ria_fused(upper, dh, h);
  const sw_face f = {at, ria_fused(upper, du, u), sw_face_celerity(at, k), de - dh, held, most};
  return f;
}

/* What the slope of a cell's level adds to each of its fluxes of momentum along it: both together
 * are the cell's own pressure and the bed within it, g h d(level)/dx, nothing at rest. Of the flux
 * at the end of the cell it is added, of that at its beginning taken off. */
RIA_KERNEL R sw_own_push(R h, R de, const sw_const *k) { return k->g * h * de; }

/* A flux of momentum with it. push: 1 adds it, -1 takes it off. */
RIA_KERNEL R sw_pushed(R flux, R push, R h, R de, const sw_const *k) {
  return ria_fused(push * (k->g * h), de, flux);
}

/* The edge between two faces. rise: of the bed from the middle of the left cell to that of the
 * right one, less sw_tilt. */
RIA_KERNEL R sw_step_between(sw_face l, sw_face r, R rise) { return rise - (l.bed + r.bed); }
RIA_KERNEL sw_flux sw_edge_faces(sw_face l, sw_face r, R rise, R dt_dx, const sw_second *o,
                                 const sw_const *k) {
  const sw_side a = {l.h, l.u, 0, l.c}, b = {r.h, r.u, 0, r.c};
  const sw_bounds bounds = {l.held, r.held, l.most, r.most, o->sonic};
  return sw_edge_of(a, b, sw_step_between(l, r, rise), dt_dx, &bounds, k);
}

/* Are two edges calm (sw_calm), and neither dry? The conditions hold for the worst of both. */
RIA_KERNEL int sw_calm_pair(sw_face a, sw_face b, R rise, sw_face c, sw_face d, R rise2) {
  const R x = b.h - a.h, y = d.h - c.h;
  const R jump = ria_max(ria_max(ria_abs(x), ria_abs(x + sw_step_between(a, b, rise))),
                         ria_max(ria_abs(y), ria_abs(y + sw_step_between(c, d, rise2))));
  const R least = ria_min(ria_min(a.h, b.h), ria_min(c.h, d.h));
  const R slow = ria_min(ria_min(a.c, b.c), ria_min(c.c, d.c));
  const R fast = ria_max(ria_max(ria_abs(a.u), ria_abs(b.u)), ria_max(ria_abs(c.u), ria_abs(d.u)));
  const R shear = ria_max(ria_abs(b.u - a.u), ria_abs(d.u - c.u));
  return (8 * jump <= least) & (4 * fast <= slow) & (16 * shear <= slow) & (least > 0);
}

/* sw_edge_faces of a calm edge, the same to the bit on a GPU where *fits: what the cells may give
 * is not reached, and sw_near_places rounds as sw_whole_places does. */
RIA_KERNEL sw_flux sw_edge_faces_calm(sw_face l, sw_face r, R rise, R dt_dx, int *fits,
                                      const sw_const *k) {
  const sw_side a = {l.h, l.u, 0, l.c}, b = {r.h, r.u, 0, r.c};
  const R held = ria_max(l.held, r.held);
  R flux;
  const sw_flux f = sw_edge_calm_of(a, b, sw_step_between(l, r, rise), dt_dx, held, &flux, k);
  *fits = (flux <= l.most) & (-flux <= r.most) & (4 * ria_abs(f.h) <= held);
  return f;
}

/* --- sides of the domain ---------------------------------------------------------------------- */

/* Across a side where a level or a discharge is given depth, velocity and level go on as they do
 * inside: what is given holds at the face, and meets there what the face has of the inside. */
RIA_KERNEL int sw_goes_on(int kind) { return water_side_has_level(kind) || kind == SIDE_DISCHARGE; }

/* How much more velocity there is beyond such a side, from the differences inside. No limiter holds
 * it, and on a bed of tall steps rounding's currents grew by it: it fades as depths begin to
 * differ, to nothing at a quarter. Where the flow is smooth that changes the face by second order
 * alone. There is no more where water comes in over a level (out: the velocity outwards, below 0):
 * a level holds no velocity, and what comes in would follow what goes on inside. Jets then grow by
 * themselves, beside returning flow. */
RIA_KERNEL R sw_further(int kind, R out, R du, R dh, R h) {
  const R part = ria_max((R)1 - ria_over(4 * ria_abs(dh), ria_max(h, (R)1e-30)), (R)0);
  return kind == SIDE_LEVEL && out < 0 ? (R)0 : du * part;
}

/* Elsewhere a cell's neighbour beyond a side is itself, at a wall its mirror image. At a wall the
 * level is flat; elsewhere it goes on as the bed does inside, so that the limiter finds the slope
 * of a stream that goes on as it came, and none in a lake. Puts what the cell sees of that
 * neighbour into d; in: what it sees inside; bed: its rise over the edge opposite, less sw_tilt; 0
 * where there is none. */
RIA_KERNEL void sw_mirror(int kind, int side, sw_flow c, R bed, const sw_near *in, sw_near *d) {
  const int wall = kind == SIDE_WALL, on = sw_goes_on(kind);
  const R level = wall ? (R)0 : bed;
  const R away = wall ? (ria_side_is_upper(side) ? (R)-2 : (R)2) : (R)0; /* a mirror image's */
  if (side == RIA_WEST) {
    d->v.w = 0;
    d->h.w = on ? in->h.e : (R)0;
    d->u.w = on ? sw_further(kind, -c.u, in->u.e, in->h.e, c.h) : away * c.u;
    d->level.w = on ? in->level.e : level;
  } else if (side == RIA_EAST) {
    d->v.e = 0;
    d->h.e = on ? in->h.w : (R)0;
    d->u.e = on ? sw_further(kind, c.u, in->u.w, in->h.w, c.h) : away * c.u;
    d->level.e = on ? in->level.w : level;
  } else if (side == RIA_SOUTH) {
    d->u.s = 0;
    d->h.s = on ? in->h.n : (R)0;
    d->v.s = on ? sw_further(kind, -c.v, in->v.n, in->h.n, c.h) : away * c.v;
    d->level.s = on ? in->level.n : level;
  } else {
    d->u.n = 0;
    d->h.n = on ? in->h.s : (R)0;
    d->v.n = on ? sw_further(kind, c.v, in->v.s, in->h.s, c.h) : away * c.v;
    d->level.n = on ? in->level.s : level;
  }
}

/* A cell at its boundary edge. The slope of the level has all of the forces on the cell in it, the
 * outer half too: so what stands beyond (b) gets none of them, and where the bed goes on falling
 * only of what is more than the cell's own. A level given counts from the cell's bed, so that a
 * lake's level at the face is its own to the bit. */
RIA_KERNEL sw_at_rim sw_rim_face(int kind, int side, const sw_ahead *a, R z, R held, R most,
                                 sw_beyond *b, const sw_const *k) {
  const int x = ria_side_along_x(side);
  const R out = ria_side_is_upper(side) ? (R)1 : (R)-1;
  const R fall = out * (x ? a->xe - a->xh : a->ye - a->yh);
  const R from = water_side_has_level(kind) ? (R)0 : z;
  const sw_at_rim f = {a->h + out * (x ? a->xh : a->yh),
                       a->u + out * (x ? a->xu : a->yu),
                       a->v + out * (x ? a->xv : a->yv),
                       from + fall + (R)0.5 * b->tilt,
                       held,
                       most,
                       out * sw_own_push(a->h, x ? a->xe : a->ye, k)};
  if (water_side_has_level(kind)) b->value -= z;
  b->tilt = water_side_falls(kind) ? b->tilt + 2 * fall : (R)0;
  return f;
}

#undef R
