/* sediment_k.h - arithmetic of the two-sediment model: faces and cells, over one step.
 *
 * By gcc and by nvcc; included once for each RIA_PRECISION. README.md derives it. A cell is h
 * (height), s (sand fraction of the active layer), a and b (diffusion coefficients of sand and mud
 * there). The loops are in sediment_step.h and in gpu/sediment/sediment.cuh. */
#include <ria/kernel.h>

#define sed_const RIA_K(sed_const)
#define sed_face RIA_K(sed_face)
#define sed_side RIA_K(sed_side)
#define sed_next RIA_K(sed_next)

/* What a step of dt takes from the parameters. */
typedef struct sed_const {
  RIA_PRECISION sand_x, sand_y, mud_x, mud_y; /* dt / (2 C d^2) */
  RIA_PRECISION pull_sand, pull_mud;          /* 1 / (2 C) */
  RIA_PRECISION rdx2, rdy2;                   /* 1 / d^2 */
  RIA_PRECISION layer;
  RIA_PRECISION sea, per_base, less_a, less_b; /* sea level; 1 / wave base; 1 - marine part */
  RIA_PRECISION a, b;                          /* coefficients, where they are uniform */
} sed_const;

RIA_KERNEL sed_const sed_constants(double dt, double c_sand, double c_mud, double layer, double dx,
                                   double dy) {
  typedef RIA_PRECISION R;
  sed_const k;
  const double x = 1.0 / (dx * dx), y = 1.0 / (dy * dy);
  k.sand_x = (R)(dt * x / (2 * c_sand));
  k.sand_y = (R)(dt * y / (2 * c_sand));
  k.mud_x = (R)(dt * x / (2 * c_mud));
  k.mud_y = (R)(dt * y / (2 * c_mud));
  k.pull_sand = (R)(1 / (2 * c_sand));
  k.pull_mud = (R)(1 / (2 * c_mud));
  k.rdx2 = (R)x;
  k.rdy2 = (R)y;
  k.layer = (R)layer;
  k.sea = k.per_base = k.less_a = k.less_b = k.a = k.b = 0;
  return k;
}

/* How far below the sea's level, as a part of the wave base: 0 on land, 1 at and below the base. */
RIA_KERNEL RIA_PRECISION sed_drowned(RIA_PRECISION h, const sed_const *k) {
  const RIA_PRECISION w = (k->sea - h) * k->per_base;
  return ria_min(ria_max(w, 0), 1);
}

/* A coefficient where a part `drowned` of the way to the wave base is under water. less: 1 - the
 * marine part. Rounded before it is used, so that both cells of a face see the same. */
RIA_KERNEL RIA_PRECISION sed_under(RIA_PRECISION a, RIA_PRECISION less, RIA_PRECISION drowned) {
  return ria_product(a, 1 - less * drowned);
}

/* What crosses a face, up to factors of the direction; positive: from q to p. */
typedef struct sed_face {
  RIA_PRECISION sand, mud;
  RIA_PRECISION pull; /* either sediment, if it were all there is */
} sed_face;

typedef struct sed_side {
  RIA_PRECISION h, s, a, b;
} sed_side;

/* Arithmetic means of a and b; s of the side that is uphill. */
RIA_KERNEL sed_face sed_across(sed_side p, sed_side q, const sed_const *k) {
  const RIA_PRECISION dh = q.h - p.h, a = p.a + q.a, b = p.b + q.b;
  const RIA_PRECISION up = dh > 0 ? q.s : p.s;
  sed_face f;
  f.sand = ria_product(dh * a, up);
  f.mud = ria_product(dh * b, 1 - up);
  f.pull = ria_product(dh, ria_max(a * k->pull_sand, b * k->pull_mud));
  return f;
}

/* As (3) is printed: arithmetic means of a s and b (1 - s). Products are rounded, so that the cells
 * of a face, and two tiles, see the same. */
RIA_KERNEL sed_face sed_across_paper(sed_side p, sed_side q, const sed_const *k) {
  const RIA_PRECISION dh = q.h - p.h;
  sed_face f;
  f.sand = ria_product(dh, ria_product(p.a, p.s) + ria_product(q.a, q.s));
  f.mud = ria_product(dh, ria_product(p.b, 1 - p.s) + ria_product(q.b, 1 - q.s));
  f.pull = ria_product(dh, ria_max((p.a + q.a) * k->pull_sand, (p.b + q.b) * k->pull_mud));
  return f;
}

/* A fraction stays in [0, 1] by the choice of dt; rounding alone leaves it, by a last place. NaN
 * stays NaN, so that the step is found to have failed. */
RIA_KERNEL RIA_PRECISION sed_part(RIA_PRECISION s) {
  const RIA_PRECISION low = s < 0 ? 0 : s;
  return low > 1 ? 1 : low;
}

typedef struct sed_next {
  RIA_PRECISION h, s;
  RIA_PRECISION strata; /* sand that went below the active layer, m */
  RIA_PRECISION pull;   /* m/s */
} sed_next;

/* One cell over one step, from its faces. */
RIA_KERNEL sed_next sed_step(RIA_PRECISION h, RIA_PRECISION s, sed_face w, sed_face e,
                             sed_face below, sed_face above, const sed_const *k) {
  const RIA_PRECISION sand = k->sand_x * (e.sand - w.sand) + k->sand_y * (above.sand - below.sand);
  const RIA_PRECISION mud = k->mud_x * (e.mud - w.mud) + k->mud_y * (above.mud - below.mud);
  const RIA_PRECISION grow = sand + mud;
  sed_next n;
  n.h = h + grow;
  n.s = sed_part(s + ria_over((1 - s) * sand - s * mud, k->layer + grow));
  n.strata = n.s * (n.h - h);
  n.pull = k->rdx2 * (ria_max(-e.pull, 0) + ria_max(w.pull, 0)) +
           k->rdy2 * (ria_max(-above.pull, 0) + ria_max(below.pull, 0));
  return n;
}

/* One direction of the right side of (4) as printed, without 1 / (2 C d^2): as: a s of the cell
 * before, here and after; h0, h1: new heights before and after. */
RIA_KERNEL RIA_PRECISION sed_carry(RIA_PRECISION as0, RIA_PRECISION as, RIA_PRECISION as1,
                                   RIA_PRECISION h0, RIA_PRECISION h1) {
  return (h0 > h1 ? as - as0 : as1 - as) * (h1 - h0);
}

/* (4) for the new s; carry_x, carry_y from sed_carry. */
RIA_KERNEL RIA_PRECISION sed_paper_sand(RIA_PRECISION s, RIA_PRECISION grow, RIA_PRECISION carry_x,
                                        RIA_PRECISION carry_y, const sed_const *k) {
  return ria_over(k->layer * s + k->sand_x * carry_x + k->sand_y * carry_y, k->layer + grow);
}
