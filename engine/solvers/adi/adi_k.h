/* adi_k.h - arithmetic of the alternating-direction implicit solver, per cell and per face.
 *
 * Included once per precision (RIA_PRECISION), by gcc and by nvcc. No loops over cells, no memory.
 * docs/adi.md derives the scheme; numbers in parentheses are the equations of P. E. Aackermann and
 * P. J. D. Pedersen, Development of a GPU-accelerated MIKE 21 Solver for Water Wave Dynamics (DTU,
 * 2012), "the thesis".
 *
 * Rounding. nvcc fuses no product and sum of this solver by itself (gpu/nvcc.cmake), so that a line
 * has the same bits whichever kernel builds it: ria_fused says what is fused, in what calm water
 * takes. On the CPU it is a product and a sum.
 *
 * Conventions. The grid is staggered: level and bed at centres, flux densities (m^2/s) on faces, p
 * on those to the east of their cells, q on those to the north. A sweep solves lines of cells:
 * `along` is its direction, `across` the other one, u the flux along (p in an x-sweep, q in a
 * y-sweep), v the flux across. The same functions serve both sweeps. A line has faces 0..n, of
 * which the first and the last are on the boundary.
 *
 * The mass equation of a half step gives each level of a line in terms of its two faces,
 *
 *   level' = known - k (u'_hi - u'_lo),   k = dt / (4 d_along),
 *
 * which is put into the momentum equation of the face: what remains of the penta-diagonal system
 * (4.5.1), (4.5.2) is one tridiagonal row a face in u' alone, half as long as the thesis' and with
 * the same solution. */
#include "solvers/adi/adi_rates_k.h"
#include "solvers/shared/water/water_k.h"

#define adi_way RIA_K(adi_way)
#define adi_row RIA_K(adi_row)
#define adi_face RIA_K(adi_face)
#define adi_calm_cell RIA_K(adi_calm_cell)
#define R RIA_PRECISION

/* Constants of a sweep. */
typedef struct adi_way {
  R k, kc;          /* dt / (4 d): flux before plus after -> depth moved in half a step */
  R rdt;            /* 1 / dt of the momentum equation */
  R ra, rc;         /* 1 / d_along, 1 / d_across */
  R g, gd, inv_g;   /* gravity, gravity / d_along, 1 / gravity */
  R fast_a, fast_c; /* d / dt: a cell a step */
  R lw;             /* dt / d_across of what steadies the cross term; 0 = none (the thesis) */
  R upwind;         /* 1: upwinding at high Froude numbers; 0 = none (the thesis) */
  R turn;           /* +f in an x-sweep, -f in a y-sweep */
  R wind;           /* stress along over density, m^2/s^2 */
  R drying, flooding, land;
} adi_way;

/* d_along, d_across; dt of the step, dt_u of the momentum equation of this sweep. The caller sets
 * lw, upwind, turn, wind. */
RIA_KERNEL adi_way adi_way_of(double g, double da, double dc, double dt, double dt_u, double drying,
                              double flooding, double land) {
  adi_way w;
  w.k = (R)(dt / (4 * da));
  w.kc = (R)(dt / (4 * dc));
  w.rdt = (R)(1 / dt_u);
  w.ra = (R)(1 / da);
  w.rc = (R)(1 / dc);
  w.g = (R)g;
  w.gd = (R)(g / da);
  w.inv_g = (R)(1 / g);
  w.fast_a = (R)(da / dt);
  w.fast_c = (R)(dc / dt);
  w.lw = w.upwind = w.turn = w.wind = 0;
  w.drying = (R)drying;
  w.flooding = (R)flooding;
  w.land = (R)land;
  return w;
}

/* --- water moved: the mass equation --------------------------------------------------------------
 *
 * What crosses a face in half a step is a depth (of the cells' area), k times the sum of the flux
 * before and after. A cell never gives more than it has: what leaves it across takes at most half,
 * what leaves along the rest. Where water is not nearly gone nothing is limited, and flow that
 * moves less than a cell a step is never limited at all. */

RIA_KERNEL R adi_depth(R level, R bed) { return ria_max(level - bed, (R)0); }

/* What leaves a cell through two opposite faces. lo: into it; hi: out of it. */
RIA_KERNEL R adi_leaving(R lo, R hi) { return ria_max(hi, (R)0) + ria_max(-lo, (R)0); }

/* What a cell keeps whatever happens: some last places of its level. */
RIA_KERNEL R adi_keep(R level, R bed) {
  const R place = sizeof(R) == 4 ? (R)2e-6 : (R)4e-15;
  return place * (ria_abs(level) + ria_abs(bed));
}

/* What a cell can give through its faces across, and along once `gone` has left across. */
RIA_KERNEL R adi_has_across(R level, R bed) {
  return (R)0.5 * (adi_depth(level, bed) - adi_keep(level, bed));
}
RIA_KERNEL R adi_has_along(R level, R bed, R gone) {
  return adi_depth(level, bed) - adi_keep(level, bed) - gone;
}

/* Factor on what leaves, so that it is at most `has`; and whether it is less than 1. A cell that
 * was drained has a rounding error left, more or less than nothing: one that has no more than what
 * it `keeps` gives nothing, for a face that something crosses is open and one that nothing crosses
 * is closed. */
RIA_KERNEL int adi_short(R leaving, R has) { return leaving > ria_max(has, (R)0); }
RIA_KERNEL R adi_share(R leaving, R has, R keeps) {
  const int is_short = adi_short(leaving, has);
  const R can = has > keeps ? has : (R)0;
  return ria_over(is_short ? can : (R)1, is_short ? leaving : (R)1);
}

/* The factors for the faces across, and along. lo, hi: what would cross the two faces. */
RIA_KERNEL R adi_share_across(R level, R bed, R lo, R hi) {
  return adi_share(adi_leaving(lo, hi), adi_has_across(level, bed), adi_keep(level, bed));
}
RIA_KERNEL R adi_share_along(R level, R bed, R gone, R lo, R hi) {
  return adi_share(adi_leaving(lo, hi), adi_has_along(level, bed, gone), adi_keep(level, bed));
}

/* A face between cells with the factors lo and hi; 1 outside the domain. */
RIA_KERNEL R adi_donor(R moved, R lo, R hi) { return moved * (moved > 0 ? lo : hi); }

/* The part of the level at the end of the half step that is known before the line is solved:
 * (4.5.3) over b. lo, hi: what crosses the faces across, u_lo, u_hi: the old fluxes along. */
RIA_KERNEL R adi_known(R level, R lo, R hi, R u_lo, R u_hi, R k) {
  return level - (hi - lo) - k * (u_hi - u_lo);
}

/* The level at the end, from exactly what crossed. */
RIA_KERNEL R adi_level(R level, R lo, R hi, R along_lo, R along_hi) {
  return level - (hi - lo) - (along_hi - along_lo);
}

/* --- one face: the momentum equation ---------------------------------------------------------- */

/* One row of a tridiagonal system: lo x[-1] + di x[0] + up x[1] = rhs. */
typedef struct adi_row {
  R lo, di, up, rhs;
} adi_row;

/* What a face sees, l and r the cells beside it along, n and s those across (on the side where the
 * coordinate grows, and on the other). Outside the domain depth is 0. */
typedef struct adi_face {
  R zl, zr;             /* bed */
  R sl, sr;             /* level before */
  R kl, kr;             /* adi_known */
  R um, u, up;          /* flux along before: the face before, this, the next */
  R un, us;             /* the same face on the lines beside */
  R cn, c, cs;          /* the three as the cross term takes them (adi_cross) */
  R hll, hrr;           /* depths of the cells beyond l and r along */
  R hln, hrn, hls, hrs; /* depths of the cells on the lines beside */
  R vln, vrn, vls, vrs; /* flux across on the faces of l and r, now */
  R oln, orn, ols, ors; /* the same a step earlier */
  R drag;               /* g n^2, mean of l and r */
  R el, er, en, es;     /* eddy viscosity in l, r and at the corners between */
} adi_face;

/* What comes in from outside, where depth is 0, comes no faster than waves run in the cell that it
 * fills: otherwise a discharge onto dry ground would keep the first cells thin and go on at any
 * speed. Of a carrier c, or what steadies it; in: the flux into the cell, beyond: the depth it
 * comes from.
 */
RIA_KERNEL R adi_coming_in(R c, R in, R beyond, R h, const adi_way *w) {
  const R most = ria_root(w->g * h);
  return (int)(in > 0) & (int)(beyond <= 0) ? ria_min(c, most) : c;
}

RIA_KERNEL R adi_clamp(R a, R most) { return ria_max(ria_min(a, most), -most); }

/* Weight of upwinding at speed u in depth 1 / inv_h: none up to a Froude number of 1/4, all from 1,
 * between with its square. */
RIA_KERNEL R adi_weight(R u, R inv_h, const adi_way *w) {
  const R part = (u * u * inv_h * w->inv_g - (R)0.0625) * (R)(16.0 / 15.0);
  return w->upwind * ria_max(ria_min(part, (R)1), (R)0);
}

/* The velocity that carries momentum through a cell along, (4.4.4): u_lo, u_hi the fluxes of its
 * faces, i_lo, i, i_hi 1 / depth of the cell before, itself, the next. As the Froude number rises
 * it becomes the velocity of the face upstream with the depth upstream: a cell that is drained by
 * the flow through it would otherwise look ever faster. *steady: what upwinding adds. */
RIA_KERNEL R adi_carrier(R u_lo, R u_hi, R i_lo, R i, R i_hi, R *steady, const adi_way *w) {
  const R mean = (R)0.5 * (u_lo + u_hi) * i, before = mean > 0 ? u_lo * i_lo : u_hi * i_hi;
  const R weight = adi_weight(mean, i, w);
  const R c = adi_clamp(mean + weight * (before - mean), w->fast_a);
  *steady = weight * ria_abs(c);
  return c;
}

/* Momentum along that crosses the side of a face, (4.4.5)-(4.4.9), per d_across: u on the low and
 * the high side of it; va, vb: flux across of the two cells; edge: 1 where one of the sides is dry
 * or outside; h4: sum of the four depths, no less than `least`.
 *
 * (4.4.5) takes u where the step begins. That is forward in time and central in space and so grows;
 * the term with lw is what Lax and Wendroff add to make transport steady. But gravity, too, changes
 * u in the step, and the remaining first-order error amplifies waves that run with the flow or
 * against it. So the line is solved twice: first like this, then with lw = 0 and u the mean of
 * the old flux and of what the first solution gave (`c` of adi_face), which is of second order and
 * neither grows nor damps. */
RIA_KERNEL R adi_cross(R u_lo, R u_hi, R va, R vb, R h4, R least, R edge, const adi_way *w) {
  const R inv = ria_inv(ria_max((R)0.25 * h4, least));
  const R v = adi_clamp((R)0.5 * (va + vb) * inv, w->fast_c);
  const R size = ria_abs(v);
  const R weight = ria_max(adi_weight(v, inv, w), edge);
  const R steady = ria_max(weight * size, v * v * w->lw);
  return (R)0.5 * (v * (u_lo + u_hi) - steady * (u_hi - u_lo));
}

/* Depth of a cell beside, or of this one where that is land (the thesis' listing 6.2). */
RIA_KERNEL R adi_beside(R h, R own, R drying) { return h > drying ? h : own; }

/* The depth of water over the sill of a face, and whether it is open: it opens when that exceeds
 * the flooding depth and closes when it falls under the drying depth. A closed face is known by its
 * flux of exactly 0. */
RIA_KERNEL R adi_over(R zl, R zr, R sl, R sr) { return ria_max(sl, sr) - ria_max(zl, zr); }
RIA_KERNEL int adi_open(R over, R sill, R u, const adi_way *w) {
  return (int)(over > (u != 0 ? w->drying : w->flooding)) & (int)(sill < w->land);
}

/* x^(-1/3). On a GPU one step of third order from 20 bits leaves less than a last place. */
RIA_KERNEL R adi_inv_cbrt(R x) {
#ifdef __CUDA_ARCH__
  const R y = (R)exp2f(-(1.0f / 3.0f) * __log2f(fminf(fmaxf((float)x, 1e-37f), 3e38f)));
  const R e = ria_fused(-(x * y * y), y, (R)1);
  return ria_fused(y * e, ria_fused((R)(2.0 / 9.0), e, (R)(1.0 / 3.0)), y);
#else
  return water_inv_cbrt(x);
#endif
}

/* Resistance g |q| / (C^2 h^2), 1/s, (4.4.12), with C = M h^(1/6) and 1/M = n: il, ir are 1 / depth
 * of the two cells, and of h = x^(-1/2), x their mean square, h^(-7/3) = x^(7/6). */
RIA_KERNEL R adi_resistance(R u, R v, R il, R ir, R drag) {
  const R x = (R)0.5 * ria_fused(il, il, ir * ir);
  return drag * x * adi_inv_cbrt(x) * ria_root(ria_fused(u, u, v * v) * x);
}

/* 1 / a, 1 / b, 1 / c, 1 / d. A division costs the CPU as much as eight products. */
RIA_KERNEL void adi_inverses(R a, R b, R c, R d, R *ia, R *ib, R *ic, R *id) {
#ifdef __CUDA_ARCH__
  *ia = ria_inv(a);
  *ib = ria_inv(b);
  *ic = ria_inv(c);
  *id = ria_inv(d);
#else
  const R ab = a * b, cd = c * d, all = 1 / (ab * cd), of_ab = cd * all, of_cd = ab * all;
  *ia = b * of_ab;
  *ib = a * of_ab;
  *ic = d * of_cd;
  *id = c * of_cd;
#endif
}

/* The row of an inner face, (4.5.4) with what the thesis leaves out but the eddy viscosity. */
RIA_KERNEL adi_row adi_momentum_plain(const adi_face *f, const adi_way *w) {
  const R hl = adi_depth(f->sl, f->zl), hr = adi_depth(f->sr, f->zr);
  const R sill = ria_max(f->zl, f->zr);
  const R over = adi_over(f->zl, f->zr, f->sl, f->sr);
  const int open = adi_open(over, sill, f->u, w);
  const R o = open ? over : (R)1;

  /* Depths: of the face (4.4.10), but no more than twice what stands over its sill; of the cells no
   * less than half of that, so that water can enter a dry one. */
  const R hf = ria_min((R)0.5 * (hl + hr), 2 * o), least = (R)0.5 * o;
  R il, ir, ill, irr;
  adi_inverses(ria_max(hl, least), ria_max(hr, least), ria_max(f->hll, least),
               ria_max(f->hrr, least), &il, &ir, &ill, &irr);

  /* convective term (4.4.4) */
  R sw, se;
  R cw = adi_carrier(f->um, f->u, ill, il, ir, &sw, w);
  R ce = adi_carrier(f->u, f->up, il, ir, irr, &se, w);
  const R deep_l = ria_max(hl, least), deep_r = ria_max(hr, least);
  cw = adi_coming_in(cw, f->um, f->hll, deep_l, w);
  sw = adi_coming_in(sw, f->um, f->hll, deep_l, w);
  ce = -adi_coming_in(-ce, -f->up, f->hrr, deep_r, w);
  se = adi_coming_in(se, -f->up, f->hrr, deep_r, w);
  const R half = (R)0.5 * w->ra;

  /* cross term (4.4.5). Beside is land or the outside: what leaves has the momentum of this face,
   * what comes in has none, as at a boundary that brings water in; there is no friction between
   * them. */
  const int wn = ria_min(f->hln, f->hrn) > w->drying;
  const int ws = ria_min(f->hls, f->hrs) > w->drying;
  const R hn = hl + hr + adi_beside(f->hln, hl, w->drying) + adi_beside(f->hrn, hr, w->drying);
  const R hs = hl + hr + adi_beside(f->hls, hl, w->drying) + adi_beside(f->hrs, hr, w->drying);
  const R un = wn ? f->cn : f->vln + f->vrn > 0 ? f->c : (R)0;
  const R us = ws ? f->cs : f->vls + f->vrs < 0 ? f->c : (R)0;
  const R cross = adi_cross(f->c, un, f->vln, f->vrn, hn, least, wn ? (R)0 : (R)1, w) -
                  adi_cross(us, f->c, f->vls, f->vrs, hs, least, ws ? (R)0 : (R)1, w);

  const R v_now = f->vln + f->vrn + f->vls + f->vrs, v_old = f->oln + f->orn + f->ols + f->ors;
  const R res = adi_resistance(f->u, (R)0.125 * (v_now + v_old), il, ir, f->drag);

  /* gravity (4.4.10); a side whose level is below the sill takes no part: water falls to the sill
   */
  const R grav = w->gd * hf;
  const R gl = f->sl >= sill ? grav : (R)0, gr = f->sr >= sill ? grav : (R)0;
  const R kl = f->sl >= sill ? f->kl : sill, kr = f->sr >= sill ? f->kr : sill;

  adi_row row;
  row.lo = -half * (cw + sw) - w->k * gl;
  row.up = half * (ce - se) - w->k * gr;
  row.di = w->rdt + res + (half * (ce + se) - half * (cw - sw)) + w->k * (gl + gr);
  row.rhs =
      f->u * w->rdt - w->rc * cross + (w->turn * (R)0.25 * v_now + w->wind) - grav * (kr - kl);
  row.lo = open ? row.lo : (R)0;
  row.up = open ? row.up : (R)0;
  row.di = open ? row.di : (R)1;
  row.rhs = open ? row.rhs : (R)0;
  return row;
}

/* The same with eddy viscosity: implicit along, explicit across; none towards land. */
RIA_KERNEL adi_row adi_momentum(const adi_face *f, const adi_way *w) {
  adi_row row = adi_momentum_plain(f, w);
  const R over = adi_over(f->zl, f->zr, f->sl, f->sr);
  const R on = adi_open(over, ria_max(f->zl, f->zr), f->u, w) ? (R)1 : (R)0;
  const R el = on * f->el * w->ra * w->ra, er = on * f->er * w->ra * w->ra, c2 = on * w->rc * w->rc;
  const R en = ria_min(f->hln, f->hrn) > w->drying ? f->en : (R)0;
  const R es = ria_min(f->hls, f->hrs) > w->drying ? f->es : (R)0;
  row.lo -= el;
  row.up -= er;
  row.di += el + er;
  row.rhs += c2 * (en * (f->un - f->u) - es * (f->u - f->us));
  return row;
}

/* --- calm water: a shorter way to the same row ---------------------------------------------------
 *
 * Where water is slow, nowhere thin and about equally deep, no limiter above acts, and less than
 * half of the arithmetic gives the row of adi_momentum up to rounding. For backends on which a
 * branch pays. A line on the boundary is its own neighbour outside: nothing crosses there, as in
 * the full formula. */

/* A cell of a line, and what it sees on the lines beside (n, s). */
typedef struct adi_calm_cell {
  R z, s, h, inv; /* bed, level, depth, 1 / depth */
  R known;        /* adi_known */
  R u, un, us;    /* flux of its far face; of the same face on the lines beside */
  R c, cn, cs;    /* the three as the cross term takes them */
  R hn, hs;       /* depths on the lines beside */
  R vn, vs;       /* flux across on its two sides */
  R all;          /* the sum of these and of those a step earlier */
  R carries;      /* half the velocity through it (4.4.4) over d_along, 1/s */
  R rough;        /* Manning's n */
  R e, en, es;    /* eddy viscosity here and on the lines beside */
} adi_calm_cell;

RIA_KERNEL R adi_calm_carries(R u_lo, R u_hi, R inv, const adi_way *w) {
  return (R)0.25 * w->ra * (u_lo + u_hi) * inv;
}

/* Is the water about equally deep around the face between l and r, neither of which is land? The
 * depth over its sill lies between the two depths. So where both are at least 0.4 of their sum, and
 * the depths beside at least 0.3, no depth is less than `least` of adi_momentum, and the depth of
 * the face is less than twice the depth over the sill. */
RIA_KERNEL int adi_calm_even(const adi_calm_cell *l, const adi_calm_cell *r) {
  const R sum = l->h + r->h, most = (R)0.4 * sum, part = (R)0.3 * sum;
  return (l->h >= most) & (r->h >= most) & (l->hn >= part) & (r->hn >= part) & (l->hs >= part) &
         (r->hs >= part) & (l->s >= r->z) & (r->s >= l->z);
}

/* Of some even faces of a line: is their water also deep and slow? least: what their cells can
 * lose at least (depth less adi_keep); level: |level| on the lines beside at most; along: |carries|
 * at most; across: |across| of adi_calm_row at most; moved: what crosses a face across at most. All
 * depths around are at least 0.6 `least`. Then the flooding depth closes no face, no Froude number
 * is above 1/4, nothing goes further than a cell a step, and no cell runs short across, whatever it
 * keeps: with h its depth, at most 2e-6 (4e-15) (2 |level| + h). */
RIA_KERNEL int adi_calm_deep(R least, R level, R along, R across, R moved, const adi_way *w) {
  const R beside = (R)0.6 * least, keep = sizeof(R) == 4 ? (R)4e-6 : (R)8e-15;
  const R slow = (R)0.0625 * w->g * beside, u = 2 * along, v = 2 * across;
  return (beside > w->flooding) & ((R)0.999 * beside - keep * level >= 4 * moved) &
         (u * u <= slow * w->ra * w->ra) & (v * v <= slow) & (u <= w->fast_a * w->ra) &
         (v <= w->fast_c);
}

/* The row of the face between l and r. viscous: is there eddy viscosity? drag: g n^2. across_n and
 * across_s: half of the velocity across on its two sides. */
RIA_KERNEL adi_row adi_calm_row(const adi_calm_cell *l, const adi_calm_cell *r, int viscous, R drag,
                                const adi_way *w, R *across_n, R *across_s) {
  const R u = l->u, sum = l->h + r->h;
  const R n4 = sum + (l->hn + r->hn), s4 = sum + (l->hs + r->hs);
  const R vn = l->vn + r->vn, vs = l->vs + r->vs, inv = ria_inv(n4 * s4);
  const R an = vn * (s4 * inv), as = vs * (n4 * inv); /* half the velocity across */
  const R through_n = ria_fused(-(2 * w->lw * an), l->cn - l->c, l->cn + l->c);
  const R through_s = ria_fused(-(2 * w->lw * as), l->c - l->cs, l->c + l->cs);
  R cross = ria_fused(-as, through_s, an * through_n);
  const R res = adi_resistance(u, (R)0.125 * (l->all + r->all), l->inv, r->inv, drag);
  const R grav = (R)0.5 * w->gd * sum, kg = (R)0.5 * w->gd * w->k * sum;
  adi_row row;
  row.lo = -l->carries - kg;
  row.up = r->carries - kg;
  row.di = (w->rdt + res) + ria_fused((R)2, kg, r->carries - l->carries);
  if (viscous) {
    const R el = l->e * w->ra * w->ra, er = r->e * w->ra * w->ra, quarter = (R)0.25 * w->rc;
    const R here = l->e + r->e, dn = l->un - u, ds = u - l->us;
    row.lo -= el;
    row.up -= er;
    row.di += el + er;
    cross -= quarter * ((here + l->en + r->en) * dn - (here + l->es + r->es) * ds);
  }
  const R pushed = ria_fused(w->turn * (R)0.25, vn + vs, w->wind);
  row.rhs = ria_fused(-grav, r->known - l->known, ria_fused(-w->rc, cross, u * w->rdt) + pushed);
  *across_n = an;
  *across_s = as;
  return row;
}

/* What slows the flux of a boundary face, in crossings of a wave over a cell: nothing up to a
 * Froude number whose square is `from`. Water that is drawn in from the outside must be set going,
 * and water that leaves is drawn no faster than waves run; without it an open side feeds whatever a
 * level draws. */
RIA_KERNEL R adi_choke(R u, R h, R from, const adi_way *w) {
  const R i = ria_inv(h), froude2 = u * u * i * i * i * w->inv_g;
  return ria_max(froude2 - from, (R)0);
}

/* The row of a face on the boundary. sign: +1 where the line begins with it, -1 where it ends.
 * level, bed, known: of the cell inside; u: the old flux; u_in, drag: old flux of the next face
 * inside, g n^2; value: level [m] at the middle of the flux's step or discharge per width into the
 * domain [m^2/s] at its end; current: of SIDE_RADIATE that outside, out of the domain, with what
 * waves at an angle bring about (adi_bend), m/s.
 *
 *   wall        no flux
 *   discharge   the flux
 *   level       the level stands on the boundary itself, half a cell from the centre: gravity and
 *               resistance, nothing convective
 *   radiate     the same, but the level there is what waves outside and the flux through the side
 *               make of it: value + (c / g) (velocity out - current), Flather's condition, with the
 *               flux half old and half new
 *   open        du/dt + c du/dn = 0 (Sommerfeld), the box scheme over the last cell: a wave that
 *               comes straight leaves whole
 *
 * A rating has a row of its own (adi_edge_k.h). */
RIA_KERNEL adi_row adi_boundary(int kind, R sign, R level, R bed, R known, R u, R u_in, R drag,
                                R value, R current, const adi_way *w) {
  adi_row row = {0, 1, 0, 0};
  const R h = adi_depth(level, bed);
  R inside = 0; /* coefficient of the next face inside */
  if (kind == SIDE_DISCHARGE && bed < w->land) {
    row.rhs = sign * value;
  } else if (water_side_has_level(kind)) {
    const R over = adi_over(bed, bed, level, value);
    if (adi_open(over, bed, u, w)) {
      const R out = adi_depth(value, bed);
      const R i = ria_inv(ria_max((R)0.5 * (h + out), (R)0.5 * over));
      const R grav = 2 * w->gd * (R)0.5 * (h + out);
      const R mean = ria_inv(i), c = ria_root(w->g * mean) * w->ra;
      row.di = w->rdt + adi_resistance(u, (R)0, i, i, drag) + w->k * grav +
               c * adi_choke(u, mean, (R)0.25, w);
      inside = -w->k * grav;
      row.rhs = u * w->rdt - sign * grav * (known - ria_max(value, bed));
      if (kind == SIDE_RADIATE && out > 0) {
        const R per = grav * ria_root(w->g * mean) * w->inv_g;
        const R half = (R)0.5 * per * ria_inv(ria_max(h, (R)0.5 * over));
        row.di += half;
        row.rhs -= half * u + sign * per * current;
      }
    }
  } else if (kind == SIDE_OPEN) {
    if (adi_open(h, bed, u != 0 ? u : u_in, w)) {
      const R c = ria_root(w->g * h) * w->ra * ria_inv(w->rdt);
      row.di = 1 + c + (sign * u > 0 ? 2 * c * adi_choke(u, h, (R)0, w) : (R)0);
      inside = 1 - c;
      row.rhs = (1 - c) * u + (1 + c) * u_in;
    }
  }
  row.lo = sign > 0 ? (R)0 : inside;
  row.up = sign > 0 ? inside : (R)0;
  return row;
}

/* The flux that the cross term takes in the second solution, of the old one and of what the first
 * solution gave. */
RIA_KERNEL R adi_between(R u, R first) { return (R)0.5 * (u + first); }

/* --- a line: Thomas' algorithm ---------------------------------------------------------------- */

/* Forward: x[0] = rhs - up x[1] once the row before has been eliminated. The result has lo = 0 and
 * di = 1. */
RIA_KERNEL adi_row adi_eliminate(adi_row row, R up_before, R rhs_before) {
  const R inv = ria_inv(row.di - row.lo * up_before);
  const adi_row done = {0, 1, row.up * inv, (row.rhs - row.lo * rhs_before) * inv};
  return done;
}

#undef R
