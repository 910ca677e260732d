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

#define R RIA_PRECISION

/* Constants of a run at second order. */
typedef struct sw_second {
  R theta; /* of the limiter: 1 = minmod, 2 = the steepest; 0 = no slopes at all */
  R most;  /* trust where nothing speaks against it: 1; 0 without slopes */
  R share; /* the part of its water that a cell may give in a step: (1 + cfl) / 2 */
} sw_second;

RIA_KERNEL sw_second sw_second_of(double theta, double cfl) {
  const sw_second o = {(R)theta, theta > 0 ? (R)1 : (R)0, (R)(0.5 * (1.0 + cfl))};
  return o;
}

/* A value per neighbour, or per edge. */
typedef struct sw_around {
  R w, e, s, n;
} sw_around;

/* Half the limited difference over a cell: van Leer's generalised minmod of the differences to the
 * cell before and to the cell behind. */
RIA_KERNEL R sw_slope(R before, R behind, R theta) {
  const R mean = (R)0.25 * (before + behind);
  const R least = (R)0.5 * theta * ria_min(ria_abs(before), ria_abs(behind));
  const R size = ria_min(ria_abs(mean), least);
  return before * behind > 0 ? (mean < 0 ? -size : size) : (R)0;
}

/* How far slopes are trusted: all of them, or less near fronts, where the depths of the cell and
 * its neighbours differ by more than 10 : 3; not at all from 10 : 1 on, and beside dry land. h: of
 * the neighbours. */
RIA_KERNEL R sw_trust(R here, sw_around h, R most_trust) {
  const R least = ria_min(ria_min(ria_min(h.w, h.e), ria_min(h.s, h.n)), here);
  const R most = ria_max(ria_max(ria_max(h.w, h.e), ria_max(h.s, h.n)), here);
  const R trust = ria_over(5 * least, ria_max(most, (R)1e-30)) - (R)0.5;
  return ria_min(ria_max(trust, (R)0), most_trust);
}

/* A cell half a step ahead, and its slopes: of depth h, velocities u and v, level e. */
typedef struct sw_ahead {
  R h, u, v;
  R xh, xu, xv, xe;
  R yh, yu, yv, ye;
} sw_ahead;

/* What backward Euler leaves of a velocity after friction over half a step: sw_friction by depth
 * and speed. drag: g n^2 dt / 2. */
RIA_KERNEL R sw_half_friction(R h, R u, R v, R drag) {
  const R thin = water_inv_cbrt(h), twice = thin * thin;
  const R b = drag * twice * twice * ria_root(u * u + v * v);
  return ria_over((R)2, (R)1 + ria_root((R)1 + 4 * b));
}

/* c: the cell; w, e, s, n: its neighbours; rise: of the level towards each, in the sense of the
 * axis and less what forces balance (sw_tilt). dtdx, dtdy: the step over the cells' sizes; drag: g
 * n^2 dt, drags: it may be above 0. Slopes that are given up leave the cell as it is, to the bit.
 */
RIA_KERNEL sw_ahead sw_predict(sw_flow c, sw_flow w, sw_flow e, sw_flow s, sw_flow n,
                               sw_around rise, R trust, R dtdx, R dtdy, R drag, int drags,
                               const sw_second *o, const sw_const *k) {
  sw_ahead a;
  a.xe = trust * sw_slope(rise.w, rise.e, o->theta);
  a.ye = trust * sw_slope(rise.s, rise.n, o->theta);
  a.xh = trust * sw_slope(c.h - w.h, e.h - c.h, o->theta);
  a.yh = trust * sw_slope(c.h - s.h, n.h - c.h, o->theta);
  a.xu = trust * sw_slope(c.u - w.u, e.u - c.u, o->theta);
  a.yu = trust * sw_slope(c.u - s.u, n.u - c.u, o->theta);
  a.xv = trust * sw_slope(c.v - w.v, e.v - c.v, o->theta);
  a.yv = trust * sw_slope(c.v - s.v, n.v - c.v, o->theta);
  const R h = c.h - (dtdx * (c.h * a.xu + c.u * a.xh) + dtdy * (c.h * a.yv + c.v * a.yh));
  a.h = ria_max(h, ria_max(ria_abs(a.xh), ria_abs(a.yh)));
  a.u = c.u - (dtdx * (c.u * a.xu + k->g * a.xe) + dtdy * (c.v * a.yu));
  a.v = c.v - (dtdx * (c.u * a.xv) + dtdy * (c.v * a.yv + k->g * a.ye));
  if (drags) {
    const R f = sw_half_friction(c.h > 0 ? c.h : (R)1, a.u, a.v, (R)0.5 * trust * drag);
    a.u *= f;
    a.v *= f;
  }
  return a;
}

/* The most that may leave a cell over its edges: per edge as a flux, m^2/s, and together in the
 * step, m. Each edge may take a quarter more than sw_capacity of the whole cell, all together at
 * most `share` of the water: so depth stays >= 0 at any step, and tracers keep room (sw_faces).
 * Never less than sw_capacity: shares of up to cfl are what those take together. */
typedef struct sw_outflow {
  sw_around flux;
  R sum;
} sw_outflow;

RIA_KERNEL sw_outflow sw_most_out(sw_flow c, R dtdx, R dtdy, const sw_second *o,
                                  const sw_const *k) {
  sw_outflow f = {{sw_capacity(c.h, -c.u, c.c, k->inv_27g), sw_capacity(c.h, c.u, c.c, k->inv_27g),
                   sw_capacity(c.h, -c.v, c.c, k->inv_27g), sw_capacity(c.h, c.v, c.c, k->inv_27g)},
                  0};
  const R all = dtdx * (f.flux.w + f.flux.e) + dtdy * (f.flux.s + f.flux.n);
  const R fits = ria_over(o->share * c.h, ria_max(all, (R)1e-30));
  const R more = ria_max(ria_min(fits, (R)1.25), (R)1);
  f.flux.w *= more;
  f.flux.e *= more;
  f.flux.s *= more;
  f.flux.n *= more;
  f.sum = more * all;
  return f;
}

RIA_KERNEL R sw_within(R v, R least, R most) { return ria_min(ria_max(v, least), most); }

/* Concentrations at the faces of a cell, half a step ahead. They stay between the least and the
 * greatest of the cell and its neighbours, [lo, hi], and so does what the cell is left with however
 * much of what may leave it does: with faces C + d and fluxes F over a step the rest of the water,
 * h - sum F, has C - sum F d / (h - sum F), and that is within [lo, hi] if
 *
 *   sum F (hi - C - d) <= h (hi - C)   and   sum F (C + d - lo) <= h (C - lo),
 *
 * which rises with every F. Where the greatest F break it all d are made smaller by one factor. So
 * no extremes appear, whatever theta and cfl. near: the neighbours'; h, u, v: of the cell. */
RIA_KERNEL sw_around sw_faces(R c, sw_around near, R h, R u, R v, R trust, const sw_outflow *out,
                              R dtdx, R dtdy, const sw_second *o) {
  const R x = trust * sw_slope(c - near.w, near.e - c, o->theta);
  const R y = trust * sw_slope(c - near.s, near.n - c, o->theta);
  const R lo = ria_min(ria_min(ria_min(near.w, near.e), ria_min(near.s, near.n)), c);
  const R hi = ria_max(ria_max(ria_max(near.w, near.e), ria_max(near.s, near.n)), c);
  const R then = c - (dtdx * (u * x) + dtdy * (v * y));
  sw_around f = {sw_within(then - x, lo, hi), sw_within(then + x, lo, hi),
                 sw_within(then - y, lo, hi), sw_within(then + y, lo, hi)};
  const R gone = dtdx * (out->flux.w * (f.w - c) + out->flux.e * (f.e - c)) +
                 dtdy * (out->flux.s * (f.s - c) + out->flux.n * (f.n - c));
  const R room = (h - out->sum) * (gone < 0 ? hi - c : c - lo), need = ria_abs(gone);
  const R part = ria_over(room, ria_max(need, (R)1e-30));
  f.w = need > room ? c + part * (f.w - c) : f.w;
  f.e = need > room ? c + part * (f.e - c) : f.e;
  f.s = need > room ? c + part * (f.s - c) : f.s;
  f.n = need > room ? c + part * (f.n - c) : f.n;
  return f;
}

/* Celerity of a state at a face; as sw_flow_of has it of a cell, to the bit. */
RIA_KERNEL R sw_face_celerity(R h, const sw_const *k) {
  const R gh = k->g * (h > 0 ? h : (R)1);
  return h > 0 ? ria_product(gh, ria_inv_root(gh)) : k->tiny_c;
}

/* A cell as an edge along x (or y) sees it at second order. */
typedef struct sw_half {
  R h, u;       /* half a step ahead; u: along the normal */
  R dh, du, de; /* slopes along the normal */
  R held, most; /* depth of the cell; the most that may leave it over this edge */
} sw_half;

/* The edge between two cells. rise: of the bed from left to right, less sw_tilt. Between the faces
 * lies what the slopes of level and depth leave of it. The two terms added put each cell's own
 * pressure and the slope of its level together: g h d(level)/dx, nothing at rest. */
RIA_KERNEL sw_flux sw_edge_halves(sw_half l, sw_half r, R rise, R dt_dx, const sw_const *k) {
  sw_side a = {l.h + l.dh, l.u + l.du, 0, 0}, b = {r.h - r.dh, r.u - r.du, 0, 0};
  a.c = sw_face_celerity(a.h, k);
  b.c = sw_face_celerity(b.h, k);
  const sw_bounds bounds = {l.held, r.held, l.most, r.most};
  sw_flux f = sw_edge_of(a, b, rise - ((l.de - l.dh) + (r.de - r.dh)), dt_dx, &bounds, k);
  f.left += k->g * l.h * l.de;
  f.right -= k->g * r.h * r.de;
  return f;
}

/* --- sides of the domain ---------------------------------------------------------------------- */

/* The neighbour that a cell has beyond a side: itself, at a wall its mirror image. There the level
 * is flat; elsewhere it goes on as the bed does inside, so that the limiter finds the slope of a
 * stream that goes on as it came, and none in a lake. bed: its rise over the edge opposite, less
 * sw_tilt; 0 where there is none; rise: of the level to this neighbour. */
RIA_KERNEL sw_flow sw_mirrored(int kind, int along_x, sw_flow c, R bed, R *rise) {
  const int wall = kind == SIDE_WALL;
  *rise = wall ? (R)0 : bed;
  if (wall && along_x) c.u = -c.u;
  if (wall && !along_x) c.v = -c.v;
  return c;
}

/* A cell at its boundary edge. The slope of the level has all of the forces on the cell in it, the
 * outer half too: so what stands beyond (b) is told of none, and where the bed goes on falling only
 * of what is more than the cell's own. */
RIA_KERNEL sw_at_rim sw_rim_face(int kind, int side, const sw_ahead *a, R z, R held, R most,
                                 sw_beyond *b, const sw_const *k) {
  const int x = ria_side_along_x(side);
  const R out = ria_side_is_upper(side) ? (R)1 : (R)-1;
  const R fall = out * (x ? a->xe - a->xh : a->ye - a->yh);
  const sw_at_rim f = {a->h + out * (x ? a->xh : a->yh),
                       a->u + out * (x ? a->xu : a->yu),
                       a->v + out * (x ? a->xv : a->yv),
                       z + fall + (R)0.5 * b->tilt,
                       held,
                       most,
                       out * (k->g * a->h * (x ? a->xe : a->ye))};
  b->tilt = water_side_falls(kind) ? b->tilt + 2 * fall : (R)0;
  return f;
}

#undef R
