/* shallow_water_eddies_k.h - eddy viscosity, constant and after Smagorinsky, per edge.
 *
 * Follows shallow_water_k.h, once per precision (RIA_PRECISION), by gcc and by nvcc. No loops over
 * cells, no memory.
 *
 * Eddies exchange momentum between neighbours, and tracers with it: div(h E grad u), explicit, from
 * the velocities of the cells at the beginning of the step (at order 2 half a step ahead), with the
 * smaller depth at an edge. So
 * there is none towards dry land, and land is slippery. What one cell loses the other gains; water
 * at rest and uniform flow have nothing to exchange. Edges of the boundary exchange nothing. */
#define R RIA_PRECISION

/* Constants of a step. */
typedef struct sw_eddies {
  R nu;       /* the constant part, m^2/s */
  R cs2;      /* C^2 dx dy, m^2; 0: none after Smagorinsky */
  R often;    /* 1 / dt */
  R by;       /* 1 / (2 (1/dx^2 + 1/dy^2)), m^2 */
  R mixed;    /* the greatest diffusion of a tracer, m^2/s */
  R schmidt;  /* 1 where there are no tracers */
  R to_trace; /* 1 / Schmidt number */
} sw_eddies;

RIA_KERNEL sw_eddies sw_eddies_of(const sw_pace *p, double smagorinsky, double dx, double dy,
                                  double dt) {
  const sw_eddies e = {(R)p->eddy,           (R)(smagorinsky * smagorinsky * dx * dy),
                       (R)(1.0 / dt),        (R)(1.0 / p->spread),
                       (R)p->diffusion,      (R)p->schmidt,
                       (R)(1.0 / p->schmidt)};
  return e;
}

/* How much faster a cell's water flows on one side of it than on the opposite one. Where there is
 * no water its own velocity counts. */
typedef struct sw_slant {
  R u, v;
} sw_slant;
RIA_KERNEL sw_slant sw_slant_of(sw_flow c, sw_flow lo, sw_flow hi) {
  const sw_slant s = {(hi.h > 0 ? hi.u : c.u) - (lo.h > 0 ? lo.u : c.u),
                      (hi.h > 0 ? hi.v : c.v) - (lo.h > 0 ? lo.v : c.v)};
  return s;
}

/* At an edge between l and r, m^2/s. */
typedef struct sw_eddy {
  R nu;   /* that acts; 0 where a side is dry */
  R asks; /* Smagorinsky's part, as it would be in a shorter step */
} sw_eddy;

/* ls, rs: slants along the edge. A step bears what leaves each of the two cells its own part of its
 * water: of a cell waves move at most dt ((|u|+c)/dx + (|v|+c)/dy), and both together at most all.
 */
RIA_KERNEL sw_eddy sw_eddy_at(int along_x, sw_flow l, sw_flow r, sw_slant ls, sw_slant rs,
                              const sw_eddies *e, const sw_const *k) {
  const R across = (R)0.25 * (along_x ? k->rdy : k->rdx), along = along_x ? k->rdx : k->rdy;
  const R ua = along * (r.u - l.u), va = along * (r.v - l.v);
  const R uc = across * (ls.u + rs.u), vc = across * (ls.v + rs.v);
  const R asks = water_smagorinsky(along_x ? ua : uc, along_x ? uc : ua, along_x ? va : vc,
                                   along_x ? vc : va, e->cs2);
  const R fast_l = (ria_abs(l.u) + l.c) * k->rdx + (ria_abs(l.v) + l.c) * k->rdy;
  const R fast_r = (ria_abs(r.u) + r.c) * k->rdx + (ria_abs(r.v) + r.c) * k->rdy;
  const R room = (e->often - ria_max(fast_l, fast_r)) * e->by;
  const R most = ria_max(ria_min(room, e->schmidt * (room - e->mixed)), e->nu);
  const int wet = ria_min(l.h, r.h) > 0;
  const sw_eddy s = {wet ? ria_min(e->nu + asks, most) : (R)0, wet ? asks : (R)0};
  return s;
}

/* What an edge carries of a velocity by eddies: nu over the distance, times dt / dx of tangential
 * momentum, which edges carry per step. */
RIA_KERNEL R sw_stress(R hl, R vl, R hr, R vr, R nu) {
  return ria_product(nu * ria_min(hl, hr), vl - vr);
}

#undef R
