/* shallow_water_rim_k.h - edges on the boundary of the domain, one at a time.
 *
 * Follows shallow_water_k.h, once per precision (RIA_PRECISION), by gcc and by nvcc. No loops over
 * cells, no memory. Branches are fine here: edges of the boundary are few.
 *
 * Conventions. The interior cell is on the left of the edge: h is its depth, un its velocity out of
 * the domain, z its bed. Of a flux, .left is the interior's and .h > 0 leaves the domain. */
#include <ria/planes.h>

#define R RIA_PRECISION

/* What stands beyond an edge of the boundary, other than water. */
typedef struct sw_beyond {
  R value; /* level [m] for SIDE_LEVEL, discharge per width into the domain [m^2/s] for
            * SIDE_DISCHARGE
            */
  R tilt;  /* sw_tilt of the cell beside itself, outwards: half of it lies between its centre and
              the edge, where a wall bears what the forces do */
  R fall;  /* how far the bed outside lies below the cell's, m: sw_rim_fall */
  R ease;  /* sw_ease of SIDE_NORMAL */
  /* of SIDE_RADIATE */
  R out, along; /* current outside, m/s: out of the domain, and along the side */
  R parting;    /* sw_parting */
  R fade;       /* size of a cell across the side / length of the side */
  R bent;       /* sw_bent, m/s */
} sw_beyond;

/* How far the bed falls from a cell on the boundary to one that would lie outside, d away: at the
 * slope given, or, where that is NaN, as far as it falls from the cell inside, of bed z_in.
 * It is level where it would rise. */
RIA_KERNEL R sw_rim_fall(R slope, R z_in, R z, R d) {
  return ria_max(slope == slope ? slope * d : z_in - z, (R)0);
}

/* Normal flow as waves see it: u = ease c^(4/3), which is Manning's u = sqrt(fall / d) h^(2/3) / n.
 * A bed without roughness has next to none, as in water_conveyance. */
RIA_KERNEL R sw_ease(R fall, R d, R manning, const sw_const *k) {
  const R thin = water_inv_cbrt(k->g);
  return ria_root(fall / d) / ria_max(manning, (R)1e-6) * thin * thin;
}

/* The cell on the boundary. */
typedef struct sw_inside {
  sw_side state;
  R held; /* its depth: amounts are rounded to its places. The state's may be half a step later */
  R most; /* the greatest flux out of it, m^2/s */
} sw_inside;

/* The inside over an edge to a state outside. */
RIA_KERNEL sw_flux sw_rim_edge(const sw_inside *in, sw_side outside, R dt_dx, const sw_const *k) {
  const sw_bounds b = {in->held, outside.h, in->most, (R)1e30, 0};
  return sw_edge_of(in->state, outside, outside.z - in->state.z, dt_dx, &b, k);
}

/* A wall on the right of a cell: the edge between the cell and its mirror image; suction ends at
 * half the celerity. un: velocity towards the wall. */
RIA_KERNEL sw_flux sw_wall(R h, R un, R c) {
  const R w = ria_max(un, (R)-0.5 * c);
  const sw_flux f = {0, h * w * (w + c), 0};
  return f;
}

/* Outside is the same water on a bed that lies `drop` lower: waves leave, uniform flow goes on as
 * it is, and what stands on a bed that falls runs out. */
RIA_KERNEL sw_flux sw_onward(const sw_inside *in, R drop, R dt_dx, const sw_const *k) {
  const R h = in->state.h, un = in->state.u;
  sw_flux f = {0, 0, 0};
  f.h = sw_whole_places(ria_min(h * un, in->most) * dt_dx, un > 0 ? in->held : (R)1e30, in->held);
  f.left = h * un * un;
  if (drop != 0) {
    const sw_side outside = {h, un, in->state.z - drop, in->state.c};
    f = sw_rim_edge(in, outside, dt_dx, k);
  }
  return f;
}

/* The outgoing invariant un + 2c meets the level given; inflow is at most critical. */
RIA_KERNEL sw_flux sw_to_level(const sw_inside *in, sw_beyond b, R dt_dx, const sw_const *k) {
  const sw_side inside = in->state;
  R hb = ria_max(b.value - inside.z, (R)0), cb = ria_root(k->g * hb);
  R ub = ria_max(inside.u + 2 * (inside.c - cb), -cb);
  ub = hb > k->dry ? ub : (R)0;
  const sw_side outside = {hb > k->dry ? hb : (R)0, ub, inside.z - (R)0.5 * b.tilt,
                           hb > k->dry ? cb : (R)0};
  return sw_rim_edge(in, outside, dt_dx, k);
}

/* --- a radiating side (boundary_k.h), in the invariants of waves of any height
 * -------------------*/

/* How much faster the water runs along the side on one side of a cell than on the other, over the
 * length of a cell across the side, m/s. has_before, has_after: there is water beside the cell;
 * ratio: length of a cell across the side / along it. */
RIA_KERNEL R sw_parting(R before, R here, R after, int has_before, int has_after, R ratio) {
  const R d = (has_after ? after : here) - (has_before ? before : here);
  return ratio * (has_before && has_after ? (R)0.5 * d : d);
}

/* How much faster waves run inside than in the depth outside, m/s: exactly 0 where that is the
 * same. */
RIA_KERNEL R sw_faster(sw_side in, R deep, R ce, const sw_const *k) {
  return ria_over(k->g * (in.h - deep), ria_max(in.c + ce, (R)1e-18));
}
/* The level given stands over the bed on which the inside's depth does: the cell's at order 1, at
 * order 2 that of its face (sw_rim_face). So a lake has the same depth on both sides, to the bit,
 * and neither it nor a dry cell notices the side; over the bed of the cell's middle a face's depth
 * would be off by half a cell's fall. */
RIA_KERNEL R sw_deep_outside(sw_side in, sw_beyond b, const sw_const *k) {
  const R deep = b.value - in.z;
  return deep > k->dry ? deep : (R)0;
}

RIA_KERNEL R sw_bent(sw_side in, sw_beyond b, R dt_dx, double *kept, const sw_const *k) {
  const R deep = sw_deep_outside(in, b, k), ce = ria_root(k->g * deep);
  const R beyond = deep > 0 ? in.u - b.out + 2 * sw_faster(in, deep, ce, k) : (R)0;
  return (R)water_bent((double)beyond, (double)(in.c * dt_dx), (double)b.parting, (double)b.fade,
                       kept);
}

/* What stands at the edge, u out of the domain. Flow is at most critical there unless it comes so
 * from outside. Where there is no water outside the inside falls into nothing. So do both where
 * they part so fast that the bed between them falls dry: c would be negative. Then at most one of
 * them comes over the edge, and is critical there. */
RIA_KERNEL sw_side sw_radiated(sw_side in, sw_beyond b, const sw_const *k) {
  const R deep = sw_deep_outside(in, b, k), ce = ria_root(k->g * deep);
  const R out = deep > 0 ? b.out + b.bent : (R)0;
  const R d = (R)0.25 * (in.u - out - 2 * sw_faster(in, deep, ce, k));
  sw_side s = {in.h + ria_over(d * (2 * in.c + d), k->g), in.u - 2 * d, in.z, in.c + d};
  if (s.c <= 0) s.h = s.c = 0, s.u = in.u + 2 * in.c;
  if (s.u > s.c || s.u < -s.c) {
    s.c = (R)(1.0 / 3.0) * ria_max(s.u > 0 ? in.u + 2 * in.c : 2 * ce - out, (R)0);
    s.u = s.u > 0 ? s.c : -s.c;
    s.h = ria_over(s.c * s.c, k->g);
  }
  const sw_side sea = {deep, b.out, in.z, ce}, none = {0, 0, in.z, 0};
  if (deep > 0 && b.out < -ce) s = sea; /* it comes in faster than waves */
  return s.h > k->dry ? s : none;
}

/* Outflow faster than waves takes no notice of what is outside. */
RIA_KERNEL sw_flux sw_radiate(const sw_inside *in, sw_beyond b, R dt_dx, const sw_const *k) {
  const sw_side inside = in->state;
  if (inside.h > 0 && inside.u >= inside.c) return sw_onward(in, b.tilt, dt_dx, k);
  sw_side outside = sw_radiated(inside, b, k);
  outside.z = inside.z - (R)0.5 * b.tilt;
  return sw_rim_edge(in, outside, dt_dx, k);
}

/* The flux as imposed (an outflow is limited to what the cell can give); the depth at the edge is
 * the cell's, at least critical. owed: see sw_boundary. */
RIA_KERNEL sw_flux sw_imposed(const sw_inside *in, sw_beyond b, R dt_dx, double *owed,
                              const sw_const *k) {
  const sw_side inside = in->state;
  const R h = inside.h;
  sw_flux f = {0, 0, 0};
  R q = ria_min(ria_min(-b.value, sw_capacity(h, inside.u, inside.c, k->inv_27g)), in->most);
  R hc = ria_abs(q) > 0 ? 1 / water_inv_cbrt(q * q / k->g) : (R)0;
  R hb = q < 0 ? ria_max(h, hc) : ria_max(h, k->dry);
  const double due = (double)(q * dt_dx) + *owed;
  f.h = sw_whole_places((R)due, q > 0 ? in->held : (R)1e30, in->held);
  *owed = q < 0 ? due - (double)f.h : 0.0;
  f.left = q * q / hb + k->half_g * (hb > h && q < 0 ? hb * hb - h * h : (R)0) -
           k->half_g * h * b.tilt; /* the forces on half a cell */
  return f;
}

/* What stands at an outlet: on the outgoing invariant w = un + 2c > 0 the flow that is critical, u
 * = c, or, where it is slower, normal, u = ease c^(4/3). With x = c^(1/3) that is the root of
 * ease x^4 + 2 x^3 = w between critical flow and still water, which Newton's steps from still water
 * come down to: 3 x^3 = w, 2 x^3 = w. */
RIA_KERNEL sw_side sw_outlet(R w, int normal, R ease, const sw_const *k) {
  R x = 1 / water_inv_cbrt(w * (R)(1.0 / 3.0)), u = x * x * x;
  if (normal && ease * x < 1) {
    x = 1 / water_inv_cbrt(w * (R)0.5);
    for (int n = 0; n < 5; n++)
      x -= ((ease * x + 2) * x * x * x - w) / ((4 * ease * x + 6) * x * x);
    u = ease * x * x * x * x;
  }
  const R c = x * x * x;
  const sw_side s = {c * c / k->g, u, 0, c};
  return s;
}

/* Water leaves at normal or critical depth, and none comes in. What runs faster than waves takes no
 * notice of the outlet; where the bed does not fall nothing is normal, and nothing leaves. */
RIA_KERNEL sw_flux sw_let_out(int normal, const sw_inside *in, sw_beyond b, R dt_dx,
                              const sw_const *k) {
  const sw_side inside = in->state;
  const R drop = b.tilt + b.fall, w = inside.u + 2 * inside.c;
  const sw_flux wall = sw_wall(inside.h, inside.u, inside.c);
  if (!(inside.h > 0) || !(w > k->tiny_c) || (normal && !(b.fall > 0))) return wall;
  if (inside.u >= inside.c) return sw_onward(in, drop, dt_dx, k);
  sw_side outside = sw_outlet(w, normal, b.ease, k);
  outside.z = inside.z - drop;
  const sw_flux f = sw_rim_edge(in, outside, dt_dx, k);
  return f.h >= 0 ? f : wall;
}

/* One edge of the boundary. owed: depth that an imposed inflow has not given yet because it was
 * less than the cell's last place; kept between steps. */
RIA_KERNEL sw_flux sw_boundary(int kind, const sw_inside *in, sw_beyond b, R dt_dx, double *owed,
                               const sw_const *k) {
  const R h = in->state.h, un = in->state.u, c = in->state.c;
  if (kind == SIDE_OPEN) return sw_onward(in, b.tilt + b.fall, dt_dx, k);
  if (kind == SIDE_LEVEL && un >= c && h > 0) return sw_onward(in, b.tilt, dt_dx, k);
  if (kind == SIDE_LEVEL) return sw_to_level(in, b, dt_dx, k);
  if (kind == SIDE_RADIATE) return sw_radiate(in, b, dt_dx, k);
  if (kind == SIDE_DISCHARGE) return sw_imposed(in, b, dt_dx, owed, k);
  if (kind == SIDE_NORMAL || kind == SIDE_FREE)
    return sw_let_out(kind == SIDE_NORMAL, in, b, dt_dx, k);
  return sw_wall(h, un, c);
}

/* What an edge of the boundary takes of a tracer out of the domain, given the water that left
 * (moved, m): with the concentration c inside, or outside, for inflow. Nothing passes a wall, not
 * even what an inflow still owes. held: what the cell holds, the unit of h C; owed: load that
 * inflow has not given yet because it was less than the cell's last place; kept between steps. */
RIA_KERNEL R sw_boundary_load(int kind, R held, R c, R moved, double outside, double *owed) {
  if (kind == SIDE_WALL) return (R)0;
  const double due = moved > 0 ? (double)(moved * c) : (double)moved * outside + *owed;
  const R load = sw_whole_places((R)due, moved > 0 ? held : (R)1e30, held);
  if (!(moved > 0)) *owed = due - (double)load;
  return load;
}

/* What crosses an edge of the boundary, in the sense of its axis. left, right of sw_flux are both
 * `push` there; side: tangential momentum. */
typedef struct sw_across {
  R h, push, side;
} sw_across;

/* A cell on the boundary as the grid sees it: see sw_inside. */
typedef struct sw_at_rim {
  R h, u, v, z, held, most;
  R push; /* what the slope of its level adds to the flux of momentum, m^3/s^2 */
} sw_at_rim;

/* An edge of the boundary, entered into the account of its cell. area: of a cell. What flows in
 * over an imposed boundary has no velocity along it but a current that is given, what flows out has
 * the cell's. */
RIA_KERNEL sw_across sw_cross(int kind, int side, sw_at_rim cell, sw_beyond b, R dt_dx, double area,
                              ria_crossed *account, const sw_const *k) {
  const int along_x = ria_side_along_x(side);
  const R sign = ria_side_is_upper(side) ? (R)1 : (R)-1;
  const R u = along_x ? cell.u : cell.v, ut = along_x ? cell.v : cell.u;
  const sw_inside in = {
      {cell.h, sign * u, cell.z, sw_celerity(k->g * cell.h)}, cell.held, cell.most};
  if (kind == SIDE_RADIATE) b.bent = sw_bent(in.state, b, dt_dx, account->kept, k);
  const sw_flux f = sw_boundary(kind, &in, b, dt_dx, &account->owed, k);
  const R along = f.h > 0 || kind == SIDE_OPEN ? ut : b.along;
  const sw_across a = {sign * f.h, f.left + cell.push, sign * f.h * along};
  if (kind != SIDE_WALL) ria_enter(account, -(double)f.h * area);
  return a;
}

/* The same of a tracer. held: what the cell holds; c: what leaves has; moved: h of sw_cross;
 * outside: what inflow brings. */
RIA_KERNEL R sw_cross_load(int kind, int side, R held, R c, R moved, double outside, double area,
                           ria_crossed *account) {
  const R sign = ria_side_is_upper(side) ? (R)1 : (R)-1;
  const R load = sw_boundary_load(kind, held, c, sign * moved, outside, &account->owed);
  if (kind != SIDE_WALL) ria_enter(account, -(double)load * area);
  return sign * load;
}

/* What a boundary edge adds to the limit on dt, as a wave speed (m/s), before the interior shows
 * it. What leaves adds nothing: no cell is drained faster than its own waves run. out: the current
 * outside, m/s. */
RIA_KERNEL R sw_boundary_speed(int kind, R h, R un, R z, R value, R out, const sw_const *k) {
  R c = ria_root(k->g * h), s = 0;
  if (kind == SIDE_LEVEL) {
    R hb = ria_max(value - z, (R)0), cb = ria_root(k->g * hb);
    R ub = ria_max(un + 2 * (c - cb), -cb);
    s = hb > k->dry ? ria_abs(ub) + cb : (R)0;
  } else if (kind == SIDE_DISCHARGE && value > 0) {
    R hc = 1 / water_inv_cbrt(value * value / k->g);
    R hb = ria_max(h, hc);
    s = value / hb + ria_root(k->g * hb);
  } else if (kind == SIDE_RADIATE) {
    const sw_side in = {h, un, z, c};
    const sw_beyond b = {value, 0, 0, 0, out, 0, 0, 0, 0};
    const sw_side edge = sw_radiated(in, b, k);
    s = ria_abs(edge.u) + edge.c;
  }
  return s;
}

/* The speed that a boundary cell of depth h asks for, 1/s. q: its discharge along the normal, in
 * the sense of the axis; z: its bed; value: the level, or the discharge per width; current:
 * outside, in the sense of the axis, m/s. */
RIA_KERNEL R sw_boundary_asks(int kind, int side, R h, R q, R z, R value, R current,
                              const sw_const *k) {
  const int x = ria_side_along_x(side), wet = h > k->dry;
  const R sign = ria_side_is_upper(side) ? (R)1 : (R)-1;
  const R un = wet ? ria_over(sign * q, h) : (R)0;
  const R normal = sw_boundary_speed(kind, wet ? h : (R)0, un, z, value, sign * current, k);
  return normal * (x ? k->rdx : k->rdy) + ria_root(k->g * h) * (x ? k->rdy : k->rdx);
}

#undef R
