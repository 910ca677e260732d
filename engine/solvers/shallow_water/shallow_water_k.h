/* shallow_water_k.h - all arithmetic of the shallow-water solver, per cell and per edge.
 *
 * Included once per precision (RIA_PRECISION), by gcc and by nvcc. No loops over cells, no memory,
 * no branches in what every edge runs: docs/shallow_water.md derives it; equation numbers are those
 * of Vinas et al. 2012 .
 *
 * Conventions. An edge has a left and a right cell along its normal; h depth, u velocity along the
 * normal, z bed (up). What an edge gives to each cell is a flux of normal momentum measured against
 * that cell's own hydrostatic pressure g h^2 / 2: those pressures cancel over a cell exactly, so
 * they are never computed, and a lake at rest costs no digits however deep it is.
 *
 * Rounding. nvcc fuses no product and sum of this solver by itself (gpu/nvcc.cmake): ria_fused says
 * where it does, so that an edge that two tiles work out has the same bits in both. Of a sum of two
 * products the first is rounded, as gcc has it. */
#include "shallow_water_clock_k.h"
#include "shallow_water_names.h"
#include "solvers/shared/water/fields.h"
#include "solvers/shared/water/water_k.h"

#ifndef SHALLOW_WATER_K_ONCE
#define SHALLOW_WATER_K_ONCE
typedef int32_t sw_whole_f32;
typedef int64_t sw_whole_f64;
#endif

#define R RIA_PRECISION

/* Constants of a run in the run's precision. */
typedef struct sw_const {
  R g, half_g, inv_27g;
  R dry;      /* water at most this deep stays where it is, m */
  R rdx, rdy; /* 1/dx, 1/dy */
  R rsum;     /* 1/dx + 1/dy */
  R film;     /* 1 / (16 dry): a film thinner than 16 dry depths is slowed */
  R tiny_c;   /* celerity where there is no water: keeps divisions by one finite */
  R tiny_cc;  /* its square */
  R still;    /* an edge is calm at velocities up to c / still: see sw_calm */
} sw_const;

RIA_KERNEL sw_const sw_constants(double g, double dry, double dx, double dy) {
  sw_const k;
  k.g = (R)g;
  k.half_g = (R)(0.5 * g);
  k.inv_27g = (R)(1.0 / (27.0 * g));
  k.dry = (R)dry;
  k.rdx = (R)(1.0 / dx);
  k.rdy = (R)(1.0 / dy);
  k.rsum = (R)(1.0 / dx + 1.0 / dy);
  k.film = (R)(0.0625 / dry);
  k.tiny_c = (R)1e-12;
  k.tiny_cc = (R)1e-24;
  k.still = (R)(dx < 0.6 * dy || dy < 0.6 * dx ? 16 : 4);
  return k;
}

typedef struct sw_flux {
  R h;           /* depth of water moved over the edge in the step, left to right, m */
  R left, right; /* normal momentum against each cell's own static pressure, m^3/s^2 */
} sw_flux;

/* A cell as an edge sees it. */
typedef struct sw_side {
  R h, u, z; /* depth, velocity along the normal, bed */
  R c;       /* celerity sqrt(g h) */
} sw_side;

/* What an edge must know beyond its two states where these are not those of the whole cells: what
 * bounds the water over it, and how far a wave that all but stands is spread. */
typedef struct sw_bounds {
  R held_l, held_r; /* depths of the cells: amounts are rounded to their places */
  R most_l, most_r; /* the greatest flux out of each, m^2/s */
  R sonic;          /* the least speed, in celerities, that a wave is spread with; 0: none */
} sw_bounds;

/* sqrt(g h) of what may be dry. A GPU takes it as sw_flow_of does, to the bit. */
RIA_KERNEL R sw_celerity(R gh) {
#ifdef __CUDA_ARCH__
  const R root = ria_inv_root(gh > (R)1e-37 ? gh : (R)1e-37);
  return ria_product(gh, root);
#else
  return ria_root(gh);
#endif
}

/* What edges need of a cell: the depth that takes part (0 when dry), velocities, celerity (next to
 * 0 when dry). */
typedef struct sw_flow {
  R h, u, v, c;
  R inv; /* 1 / h; 0 when dry */
} sw_flow;

RIA_KERNEL sw_flow sw_flow_of(R h, R qx, R qy, const sw_const *k) {
  const R gh = k->g * (h > k->dry ? h : (R)1), root = ria_inv_root(gh);
  const R inv = h > k->dry ? k->g * root * root : (R)0;
  const sw_flow f = {h > k->dry ? h : (R)0, qx * inv, qy * inv,
                     h > k->dry ? ria_product(gh, root) : k->tiny_c, inv};
  return f;
}

/* Concentration of what a cell of depth h holds; 0 when dry. inv: 1 / h, or 0 when dry. */
RIA_KERNEL R sw_concentration(R held, R h, R inv) { return ria_ratio(held, h, inv); }

/* The most water that can leave a cell through one edge per unit width: what a dam break onto a dry
 * flat bed would take (Ritter), (u + 2c)^3 / (27 g), or u h once the outflow is supercritical.
 * Godunov's flux never exceeds it, so limiting Roe's by it changes no flow that is resolved.
 * Because psi(F) + psi(-F) <= 1 + |F| for this bound in units of c h, the four edges of a cell
 * together take at most cfl * h in a step when dt <= cfl / ((|u|+c)/dx + (|v|+c)/dy): depth stays
 * >= 0 for cfl <= 1, with no clipping and no second pass. */
RIA_KERNEL R sw_capacity(R h, R u, R c, R inv_27g) {
  R w = ria_max(ria_fused((R)2, c, u), (R)0);
  R sub = w * w * w * inv_27g, super = u * h;
  return u < c ? sub : super;
}

/* What crosses an edge in a step, rounded to the last place of the larger amount beside it, so that
 * single precision takes from one cell exactly what it gives to the other: a cell cannot lose, or
 * gain, less than its last place, and what one loses the other would still gain. To nearest;
 * towards zero where the giver has so little that rounding up might overdraw it. Double precision
 * has no need. moved, giver, most: the amount, what the giving cell holds, the larger of what both
 * hold. */
RIA_KERNEL R sw_whole_places(R moved, R giver, R most) {
  if (sizeof(R) == 8) return moved;
  union {
    float f;
    uint32_t i;
  } power;
  power.f = (float)most;
  power.i &= 0x7f800000u; /* the power of two at or below it */
  const R p = (R)power.f, t = ria_abs(moved);
  R r = ria_fused((R)-1.5, p, ria_fused((R)1.5, p, t));
  r = giver < p * (R)0x1p-13 && r > t ? ria_fused((R)-0x1p-23, p, r) : r; /* 1024 places; one */
#ifdef __CUDA_ARCH__
  return (R)copysignf((float)r, (float)moved);
#else
  return moved < 0 ? -r : r;
#endif
}

/* The same to the bit where the giver holds nearly as much and at most a quarter of `most` is
 * moved. */
RIA_KERNEL R sw_near_places(R moved, R most) {
  if (sizeof(R) == 8) return moved;
  union {
    float f;
    uint32_t i;
  } magic;
  magic.f = (float)most;
  magic.i = (magic.i & 0x7f800000u) | 0x00400000u; /* 1.5 times the power of two below */
  return (moved + (R)magic.f) - (R)magic.f;
}

/* Water at the edge of a drop d (its bed above the level beyond): the pull g d min(2h, d + h) / 2
 * towards it. Weighted so that uniform flow down a stepped incline feels exactly g h dz in sum,
 * whatever the ratio of step to depth. In one step no more than four times what free fall would
 * give (friction, which acts in the same step, needs the room). u is the velocity towards the drop.
 */
RIA_KERNEL R sw_fall(R h, R u, R drop, R dt_dx, const sw_const *k) {
  const R dx_dt = 1 / dt_dx, fast = ria_max(u, (R)0);
  const R gain = ria_root(ria_fused(fast, fast, 4 * k->half_g * drop)) - fast;
  const R most = 4 * h * ria_max(gain, (R)0);
  return ria_min(drop * k->half_g * ria_min(2 * h, drop + h), most * dx_dt);
}

/* Water of depth `hidden` that runs against the face of a step: thrown back as by a wall, but no
 * harder than climbing over would slow it. wall: u (u + c) of the velocity towards the step; rest:
 * how far the top is above the level. */
RIA_KERNEL R sw_climb(R hidden, R wall, R rest, const sw_const *k) {
  return hidden * ria_min(wall, k->half_g * ria_fused((R)2, rest, hidden));
}

/* The width of a fan of width m, spread as far as `least` where the waves of both sides do not run
 * together. */
RIA_KERNEL R sw_spread(R m, R least) {
  return ria_max(m, ria_fused((R)4, ria_min(m, (R)0), least));
}

/* One edge: path-conservative Roe (5)-(15) with the bed step inside the wave decomposition.
 *
 * In the paper's waves (l1, l3 = u -+ c; strengths r = l alpha -+ c dz / 2) the products collapse
 * to r1, r3 = (dq -+ (u dev + c d_level)) / 2,   dev = (dq - u dh) / c which vanish exactly at
 * rest. The middle wave carries the tangential velocity and the tracers; they are passive here and
 * move with the water flux (upwind), which keeps a uniform value uniform.
 *
 * Bed steps. The part of a step that the depth on its high side cannot span is taken out of the
 * waves (lower the step by `hide`, take the same off the low side's depth): beyond it the low side
 * leans on a wall. So an emerged neighbour is a wall until the water reaches it, and a film on a
 * bank feels no pressure of the deep pool beside it. A film that hangs above the low side's level
 * is driven by the rest of the drop (`film`), weighted so that uniform flow down a stepped incline
 * feels exactly g h dz whatever the ratio of step to depth.
 *
 * dz: how far the bed rises from left to right; dt_dx: the step over the cells' size along the
 * normal; b: NULL where the states are those of the whole cells. */
RIA_KERNEL sw_flux sw_edge_of(sw_side l, sw_side r, R dz, R dt_dx, const sw_bounds *b,
                              const sw_const *k) {
  const R hl = l.h, ul = l.u, hr = r.h, ur = r.u;
  const R held_l = b ? b->held_l : hl, held_r = b ? b->held_r : hr;
  R hide_l = ria_max(dz - hr, (R)0), hide_r = ria_max(-dz - hl, (R)0);
  R al = ria_max(hl - hide_l, (R)0), ar = ria_max(hr - hide_r, (R)0);
  R dh = ar - al;
  R d_level = dh + (dz - hide_l + hide_r);

  R cl = sw_celerity(k->g * al), cr = sw_celerity(k->g * ar);
  R cc = k->half_g * (al + ar);
  R inv_c = ria_inv_root(cc + k->tiny_cc);
  R c = ria_product(cc, inv_c);                                                        /* (10) */
  R u = ria_over(ria_fused(cl, ul, ria_product(cr, ur)), ria_max(cl + cr, k->tiny_c)); /* (11) */
  R ql = ria_product(al, ul), qr = ria_product(ar, ur), dq = qr - ql;
  R dev = ria_product(ria_fused(-u, dh, dq), inv_c);
  R spread = ria_fused(u, dev, ria_product(c, d_level));
  R r1 = (R)0.5 * (dq - spread), r3 = (R)0.5 * (dq + spread);
  R l1 = u - c, l3 = u + c;

  /* Harten-Hyman: in a transonic rarefaction |l| is raised to the width of the fan. Harten: so is
   * that of a wave that all but stands, less where the waves of both sides run together: a
   * hydraulic jump needs no spread. */
  R fan1 = ria_max(l1 - (ul - cl), (ur - cr) - l1) - ria_abs(l1);
  R fan3 = ria_max(l3 - (ul + cl), (ur + cr) - l3) - ria_abs(l3);
  if (b) {
    fan1 = sw_spread(ria_max(l1 - (ul - cl), (ur - cr) - l1), b->sonic * c) - ria_abs(l1);
    fan3 = sw_spread(ria_max(l3 - (ul + cl), (ur + cr) - l3), b->sonic * c) - ria_abs(l3);
  }
  R n1 = ria_fused((R)-0.25 * ria_max(fan1, (R)0), dh - dev, l1 < 0 ? r1 : (R)0);
  R n3 = ria_fused((R)-0.25 * ria_max(fan3, (R)0), dh + dev, l3 < 0 ? r3 : (R)0);

  sw_flux f;
  const R roe = ql + n1 + n3;
  f.h = ria_min(roe, sw_capacity(al, ul, cl, k->inv_27g));
  f.h = ria_max(f.h, -sw_capacity(ar, -ur, cr, k->inv_27g));
  if (b) f.h = ria_max(ria_min(f.h, b->most_l), -b->most_r);
  const R over = roe - f.h; /* more than the giving cell holds: it stays, with its momentum */
  f.h =
      sw_whole_places(ria_product(f.h, dt_dx), f.h > 0 ? held_l : held_r, ria_max(held_l, held_r));

  /* Momentum flux is pressure plus advection: at least 0 (never a pull), at most the force of both
   * sides on a wall there. Roe's linear waves can break both where flows part
   * faster than they can thin out. */
  const R into_l = ria_max(ul, (R)0), into_r = ria_max(-ur, (R)0);
  const R wall_l = into_l * (into_l + l.c), wall_r = into_r * (into_r + r.c);
  const R most =
      ria_fused(k->half_g * (hl + hr), hl + hr, ria_fused(hr, wall_r, ria_product(hl, wall_l)));
  const R stops = over > 0 ? into_l : -into_r;
  const R w_l = ria_fused(n1, l1, ria_product(n3, l3));
  const R w_r = ria_fused(r1 - n1, l1, ria_product(r3 - n3, l3));
  f.left = ria_fused(-over, stops, ria_fused(ql, ul, w_l));
  f.left = ria_min(ria_max(f.left, -k->half_g * hl * hl), most);
  f.right = ria_fused(-over, stops, ria_fused(qr, ur, -w_r));
  f.right = ria_min(ria_max(f.right, -k->half_g * hr * hr), most);

  /* Steps that stand above the level of the low side: the low side climbs, the high side falls, and
   * what goes over in the step takes its part of the pull along. */
  const R drop = ria_max(ria_abs(dz) - (dz > 0 ? hl : hr), (R)0);
  const R pull = sw_fall(dz > 0 ? hr : hl, dz > 0 ? -ur : ul, drop, dt_dx, k);
  const R goes = ria_over(pull * ria_max(dz > 0 ? -f.h : f.h, (R)0),
                          ria_max(dz > 0 ? held_r : held_l, k->dry));
  const R stays = pull - goes;
  f.left += (dz > 0 ? goes : -stays) + sw_climb(hl - al, wall_l, dz > 0 ? drop : (R)0, k);
  f.right += (dz > 0 ? -stays : goes) + sw_climb(hr - ar, wall_r, dz > 0 ? (R)0 : drop, k);
  return f;
}

RIA_KERNEL sw_flux sw_edge(sw_side l, sw_side r, R dt_dx, const sw_const *k) {
  return sw_edge_of(l, r, r.z - l.z, dt_dx, 0, k);
}

/* --- forces on all of the water: rotation and wind
 *
 * They act where gravity does, in the waves of an edge: the bed seems lower downwind by as much as
 * the level would rise there in balance with them ("apparent topography": F. Bouchut, J. Le Sommer
 * and V. Zeitlin, Frontal geostrophic adjustment and nonlinear wave phenomena in one-dimensional
 * rotating shallow water, part 2, J. Fluid Mech. 514, 2004). Flow in balance then has no waves: a
 * set-up does not creep, a geostrophic current does not fade. */
typedef struct sw_forces {
  R turn;           /* Coriolis parameter f, 1/s */
  R wind_x, wind_y; /* stress over density, m^2/s^2 */
  R dx_g, dy_g;     /* dx / g, dy / g, s^2 */
  R shoal;          /* m: water less deep takes a part of the stress */
} sw_forces;

RIA_KERNEL sw_forces sw_forces_of(double turn, const double wind[2], double shoal, double dx,
                                  double dy, double g) {
  const sw_forces f = {(R)turn, (R)wind[0], (R)wind[1], (R)(dx / g), (R)(dy / g), (R)shoal};
  return f;
}

/* The rise of the level from cell l to cell r, distance / gravity `d_g` apart, that balances the
 * forces along it. v: velocities tangential to the edge; turn: +f along x, -f along y; stress: of
 * the wind, which acts on water shallower than `shoal` as if it were that deep: otherwise a gale
 * would drag films up every beach. A dry cell has no part: its h is 0. */
RIA_KERNEL R sw_tilt(R hl, R vl, R hr, R vr, R turn, R stress, R shoal, R d_g) {
  const R sum = hl + hr, wet = (hl > 0 ? (R)1 : (R)0) + (hr > 0 ? (R)1 : (R)0);
  const R flow = ria_fused(hl, vl, ria_product(hr, vr));
  const R drift = ria_over(flow, ria_max(sum, (R)1e-12));
  const R blown = ria_over(wet * stress, ria_max(sum, ria_product(shoal, wet) + (R)1e-12));
  return ria_product(ria_fused(turn, drift, blown), d_g);
}

/* The same outwards of a cell on the boundary, in the sense of the axis. ut: its velocity along the
 * boundary. */
RIA_KERNEL R sw_rim_tilt(int along_x, R h, R ut, const sw_forces *f) {
  return sw_tilt(h, ut, h, ut, along_x ? f->turn : -f->turn, along_x ? f->wind_x : f->wind_y,
                 f->shoal, along_x ? f->dx_g : f->dy_g);
}

/* The rotation of a step, after its fluxes, at their beginning in the edges, becomes that of its
 * middle (Crank and Nicolson's): the change of the discharge is turned by half the angle. So
 * inertial motion neither grows nor decays, and a balanced flow stays balanced. ox, oy: before;
 * half: f dt / 2. */
RIA_KERNEL void sw_turn(R ox, R oy, R *qx, R *qy, R half) {
  const R dx = *qx - ox, dy = *qy - oy, inv = ria_inv(ria_fused(half, half, (R)1));
  *qx = ria_fused(ria_fused(half, dy, dx), inv, ox);
  *qy = ria_fused(ria_fused(-half, dx, dy), inv, oy);
}

/* An edge is calm when only Roe's two waves act in sw_edge. Sufficient conditions: depth and level
 * differ by at most an eighth of the smaller depth, the velocities by at most 1/16 of the smaller
 * celerity, and neither is more than a quarter of it. Then the step hides nothing, both waves are
 * far from standing (no entropy fix), and what crosses stays away from every bound: of roe against
 * the capacity, |r1|, |r3| < 0.14 c h where 0.17 c h is free; of the momentum, 0.34 g h^2 where
 * 0.5 g h^2 is free; and less than a quarter of the water moves, as sw_near_places needs: 0.39 c h
 * dt / dx of square cells, of which c dt / dx <= 1 / 2. Over the short sides of long cells waves
 * run nearly as far as cells are short; there velocities up to a sixteenth of the celerity are
 * calm, 0.2 c h. Between two dry cells nothing moves at all. */
RIA_KERNEL int sw_calm(sw_side l, sw_side r, const sw_const *k) {
  const R least = ria_min(l.h, r.h), c = ria_min(l.c, r.c), dh = r.h - l.h;
  const R fast = ria_max(ria_abs(l.u), ria_abs(r.u));
  const R most = ria_max(ria_abs(dh), ria_abs(dh + (r.z - l.z)));
  return ((8 * most <= least) & (k->still * fast <= c) & (16 * ria_abs(r.u - l.u) <= c)) |
         !(l.h + r.h > 0);
}

/* sw_edge of a calm edge, at a quarter of the arithmetic; on a GPU the same to the bit, which is
 * why both say where they round. For machines on which a branch that many cells take together pays.
 * dz: how far the bed rises; held: the depth of the deeper cell; flux: of water, m^2/s. */
RIA_KERNEL sw_flux sw_edge_calm_of(sw_side l, sw_side r, R dz, R dt_dx, R held, R *flux,
                                   const sw_const *k) {
  const R dh = r.h - l.h, d_level = dh + dz;
  const R cc = k->half_g * (l.h + r.h); /* 0 between dry cells: nothing moves, however steep */
  const R inv_c = ria_inv_root(cc + k->tiny_cc);
  const R c = ria_product(cc, inv_c);
  const R u = ria_over(ria_fused(l.c, l.u, ria_product(r.c, r.u)), l.c + r.c);
  const R ql = ria_product(l.h, l.u), qr = ria_product(r.h, r.u), dq = qr - ql;
  const R dev = ria_product(ria_fused(-u, dh, dq), inv_c);
  const R spread = ria_fused(u, dev, ria_product(c, d_level));
  const R r1 = (R)0.5 * (dq - spread), r3 = (R)0.5 * (dq + spread);
  sw_flux f;
  *flux = ql + r1;
  f.h = sw_near_places(ria_product(*flux, dt_dx), held);
  f.left = ria_fused(ql, l.u, ria_product(r1, u - c));
  f.right = ria_fused(qr, r.u, -ria_product(r3, u + c));
  return f;
}
RIA_KERNEL sw_flux sw_edge_calm(sw_side l, sw_side r, R dt_dx, const sw_const *k) {
  R flux;
  return sw_edge_calm_of(l, r, r.z - l.z, dt_dx, ria_max(l.h, r.h), &flux, k);
}

/* What goes along with the water, upwind: of a tracer in the unit of h C, of the tangential
 * velocity momentum. */
RIA_KERNEL R sw_along(R moved, R cl, R cr) { return ria_product(moved, moved > 0 ? cl : cr); }

/* Both, to the last place of the larger amount beside the edge. */
RIA_KERNEL R sw_carried(R amount, R hl, R cl, R hr, R cr) {
  const R held_l = hl * cl, held_r = hr * cr;
  return sw_whole_places(amount, amount > 0 ? held_l : held_r, ria_max(held_l, held_r));
}

/* What a cell still holds after edges took and gave: of water, of a tracer. */
RIA_KERNEL R sw_left(R held, R west, R east, R south, R north) {
  return held - ((east - west) + (north - south));
}

/* The discharges of a cell after a step's fluxes. dtdx, dtdy: the step over the cells' sizes. */
RIA_KERNEL R sw_push_x(R qx, R west_right, R east_left, R south_side, R north_side, R dtdx) {
  return qx - ria_fused(dtdx, east_left - west_right, north_side - south_side);
}
RIA_KERNEL R sw_push_y(R qy, R west_side, R east_side, R south_right, R north_left, R dtdy) {
  return qy - ria_fused(dtdy, north_left - south_right, east_side - west_side);
}

/* What a step leaves of a tracer that decays: in water alone. keep: ria_decay_leaves. */
RIA_KERNEL R sw_decayed(R held, R h, R keep, const sw_const *k) {
  return held * (h > k->dry ? keep : (R)1);
}

/* h^(-7/3). inv: 1 / h. In single precision a GPU's logarithm does for the third root; to take it
 * of the whole power would leave 4e-6, and friction on a film makes ten times as much of it. */
RIA_KERNEL R sw_drag_power(R h, R inv) {
#ifdef __CUDA_ARCH__
  if (sizeof(R) == 4) return inv * inv * (R)exp2f(-(1.0f / 3.0f) * __log2f((float)h));
#endif
  return inv * inv * water_inv_cbrt(h);
}

/* Factor on the discharge after Manning friction over dt, backward Euler of dq/dt = -k |q| q solved
 * exactly: it lies in (0, 1], so friction never reverses the flow however thin the water. inv: 1 /
 * h; drag = g n^2 dt. Source: Manning's law, S_f = n^2 |q| q / h^(10/3). */
RIA_KERNEL R sw_friction(R h, R inv, R qx, R qy, R drag) {
  R b = drag * sw_drag_power(h, inv) * ria_root(ria_fused(qy, qy, qx * qx));
  return ria_over((R)2, (R)1 + ria_root(ria_fused((R)4, b, (R)1)));
}

/* A cell after a step: fluxes are in, friction is not. drag = g n^2 dt. */
typedef struct sw_cell {
  R h, qx, qy;
  R speed; /* (|u|+c)/dx + (|v|+c)/dy, 1/s; 0 when dry */
  int bad; /* not a state: NaN, infinite or negative depth */
} sw_cell;

RIA_KERNEL sw_cell sw_update(R h, R qx, R qy, R drag, const sw_const *k) {
  const R big = (R)1e30;
  const R d = h > k->dry ? h : (R)1;
  const R gh = k->g * d, root = ria_inv_root(gh), inv = k->g * root * root;
  /* water in a dry cell does not move; thin films are slowed progressively */
  R f = ria_min(h * k->film, (R)1);
#ifdef __CUDA_ARCH__
  if (drag > 0) /* all lanes together; a loop that is vectorised does better without */
#endif
    f *= sw_friction(d, inv, qx, qy, drag);
  f = h > k->dry ? f : (R)0;
  sw_cell n = {h, qx * f, qy * f, 0, 0};
  const R ax = ria_abs(n.qx), ay = ria_abs(n.qy);
  n.speed = ria_fused(gh * root, k->rsum, inv * ria_fused(ay, k->rdy, ax * k->rdx));
  n.speed = h > k->dry ? n.speed : (R)0;
  n.bad = !(h >= 0) | !(h + ax + ay < big);
  return n;
}

/* The speed that sw_update finds, of a state that no step has left: 0 when dry. */
RIA_KERNEL R sw_wave_speed(R h, R qx, R qy, const sw_const *k) {
  if (!(h > k->dry)) return (R)0;
  const R c = ria_root(k->g * h);
  return (ria_abs(qx) / h + c) * k->rdx + (ria_abs(qy) / h + c) * k->rdy;
}

/* What a wet cell enters into the maximum of a field; of a concentration see sw_concentration. */
RIA_KERNEL R sw_enters(int field, R h, R qx, R qy, R z) {
  R v = h;
  if (field == WATER_LEVEL) v = h + z;
  if (field == WATER_SPEED) v = ria_over(ria_root(qx * qx + qy * qy), h);
  return v;
}

#undef R
