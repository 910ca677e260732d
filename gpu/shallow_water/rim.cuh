/* rim.cuh - edges of the time step on the boundary of the domain, for one precision.
 *
 * What drives the flow through an edge on the boundary takes several look-ups, one after another.
 * So a tile on the rim works out all of its rim edges before it marches, an edge a lane; they wait
 * in memory until their row comes. */

namespace {

/* Value `which` at rim cell r, of stretch `owner`. all: of the step, or of its end. */
__device__ __forceinline__ double rim_value(const swg_view &v, const double *all, int which, int r,
                                            int owner) {
  const water_place *place = v.rim.place[which];
  if (!place) return all[which * v.forcing.n_stretch + owner];
  const water_place p = place[r];
  return water_between(all, p.slot, p.part);
}

/* How much faster than the current outside the water of element `at` runs along a side, r its rim
 * cell; *wet: if it runs at all. like: the rim cell whose stretch counts. */
__device__ __forceinline__ R slips(const swg_args &a, int side, int r, int like, int at, int *wet) {
  const bool along_x = ria_side_along_x(side);
  const int32_t *owner = a.v.rim.owner;
  const double *now = a.v.forcing.value;
  const vec4 s = load4(a.old + at);
  const sw_flow f = sw_flow_of(s.h, s.qx, s.qy, &a.k);
  const int there = owner[r] == owner[like] ? r : like;
  *wet = f.h > 0;
  return (along_x ? f.v : f.u) -
         (R)rim_value(a.v, now, water_current_along(along_x), there, owner[there]);
}

/* What a radiating side is told of the outside, and of the water beside its cell. */
__device__ __noinline__ void radiates(const swg_args &a, int side, int r, int at, sw_beyond *b) {
  const bool along_x = ria_side_along_x(side);
  const int next = along_x ? a.v.stride : 1, owner = a.v.rim.owner[r];
  const int k = along_x ? at / a.v.stride : at % a.v.stride, n = along_x ? a.v.ny : a.v.nx;
  const double *now = a.v.forcing.value;
  int wet, before = 0, after = 0;
  const int ring = along_x ? a.v.ring_y : a.v.ring_x; /* the side has no ends */
  const int below = along_x ? a.v.below : n, above = along_x ? a.v.above : n;
  const int around = along_x ? a.v.around : n;
  const int l = k > 0 ? -1 : around - 1, h = k + 1 < n ? 1 : 1 - around;
  const int at_l = k > 0 ? at - next : at + (below - 1) * next;
  const int at_h = k + 1 < n ? at + next : at + (1 - above) * next;
  const R lo = k > 0 || ring ? slips(a, side, r + l, r, at_l, &before) : (R)0;
  const R hi = k + 1 < n || ring ? slips(a, side, r + h, r, at_h, &after) : (R)0;
  const R here = slips(a, side, r, r, at, &wet);
  const R u = (R)rim_value(a.v, now, water_current_across(along_x), r, owner);
  b->out = ria_side_is_upper(side) ? u : -u;
  b->along = (R)rim_value(a.v, now, water_current_along(along_x), r, owner);
  b->parting =
      sw_parting(lo, here, hi, before, after, (R)(along_x ? a.v.dx / a.v.dy : a.v.dy / a.v.dx));
  b->fade = (R)a.v.fade[along_x];
}

/* What stands beyond rim edge r, of the cell of element `at`; ut: its velocity along the side. */
template <int NT, bool FORCED>
__device__ __forceinline__ sw_beyond beyond(const swg_args &a, int side, int r, int at,
                                            const ready_cell<NT> &c, R ut) {
  const swg_rim &rim = a.v.rim;
  const int kind = rim.kind[r];
  const bool along_x = ria_side_along_x(side);
  sw_beyond b = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  b.value = kind == SIDE_DISCHARGE ? (R)rim.share[r]
            : kind == SIDE_WALL    ? (R)0
                                   : (R)rim_value(a.v, a.v.forcing.value, 0, r, rim.owner[r]);
  if (FORCED) {
    const R sign = ria_side_is_upper(side) ? (R)1 : (R)-1;
    const sw_forces f = forces_now(a);
    b.tilt = sign * sw_rim_tilt(along_x, c.f.h, ut, &f);
  }
  if (kind == SIDE_RADIATE) radiates(a, side, r, at, &b);
  if (!water_side_falls(kind)) return b;
  const R d = (R)(along_x ? a.v.dx : a.v.dy);
  b.fall =
      sw_rim_fall(b.value, a.bed[at + ria_side_inwards(a.v.nx, a.v.ny, a.v.stride, side)], c.z, d);
  if (kind == SIDE_NORMAL)
    b.ease = sw_ease(b.fall, d, a.manning ? a.manning[at] : (R)a.v.p.manning, &a.k);
  return b;
}

/* The edge of cell c (element `at`) on the boundary, in the sense of its axis; keeps the account of
 * the rim. */
template <int NT, bool FORCED>
__device__ __forceinline__ crossing<NT> rim_edge(const swg_args &a, int side, int r, int at,
                                                 const ready_cell<NT> &c, R dt_dx) {
  const swg_rim &rim = a.v.rim;
  const int kind = rim.kind[r], owner = rim.owner[r];
  const R ut = ria_side_along_x(side) ? c.f.v : c.f.u;
  ria_crossed *account = rim.crossed + (size_t)r * (1 + NT);
  const sw_at_rim in = {c.f.h, c.f.u, c.f.v, c.z, c.f.h, (R)1e30, 0};
  const sw_across across = sw_cross(kind, side, in, beyond<NT, FORCED>(a, side, r, at, c, ut),
                                    dt_dx, a.v.area, account, &a.k);
  crossing<NT> e = crossing<NT>();
  e.h = across.h;
  e.left = e.right = across.push;
  e.side = across.side;
  if (kind == SIDE_WALL) return e;
#pragma unroll
  for (int m = 0; m < NT; m++)
    e.c[m] = sw_cross_load(kind, side, c.f.h * c.c[m], c.c[m], e.h,
                           a.v.forcing.conc[owner * NT + m], a.v.area, account + m + 1);
  return e;
}

template <int NT> __device__ __forceinline__ R *waiting(const swg_args &a, int r) {
  return (R *)a.v.rim.edge + (size_t)r * (4 + NT);
}

/* An edge a lane: of(side, number on the rim, i, j) for all rim edges of the tile of columns i0 <=
 * i < i1, rows j0 <= j < j1. */
template <class OF>
__device__ __forceinline__ void for_rim_edges(const swg_args &a, int i0, int i1, int j0, int j1,
                                              int lane, OF of) {
  const int x = a.v.ring_x ? 0 : j1 - j0, y = a.v.ring_y ? 0 : i1 - i0;
  const int west = i0 == 0 ? x : 0, east = i1 == a.v.nx ? x : 0;
  const int south = j0 == 0 ? y : 0, north = j1 == a.v.ny ? y : 0;
#pragma unroll 1
  for (int k = lane; k < west + east + south + north; k += 32) {
    const int side = k < west                  ? RIA_WEST
                     : k < west + east         ? RIA_EAST
                     : k < west + east + south ? RIA_SOUTH
                                               : RIA_NORTH;
    const int n = side == RIA_WEST    ? k
                  : side == RIA_EAST  ? k - west
                  : side == RIA_SOUTH ? k - west - east
                                      : k - west - east - south;
    const int i = side == RIA_WEST ? 0 : side == RIA_EAST ? a.v.nx - 1 : i0 + n;
    const int j = side == RIA_SOUTH ? 0 : side == RIA_NORTH ? a.v.ny - 1 : j0 + n;
    of(side, a.v.rim.first[side] + (ria_side_along_x(side) ? j : i), i, j);
  }
  __syncwarp();
}

/* All rim edges of the tile. */
template <int NT, bool FORCED>
__device__ __forceinline__ void rim_edges(const swg_args &a, int i0, int i1, int j0, int j1,
                                          int lane, R dtdx, R dtdy) {
  for_rim_edges(a, i0, i1, j0, j1, lane, [&](int side, int r, int i, int j) {
    const int at = j * a.v.stride + i;
    const ready_cell<NT> c = ready<NT>(load<NT>(a, at), a.k);
    const crossing<NT> e =
        rim_edge<NT, FORCED>(a, side, r, at, c, ria_side_along_x(side) ? dtdx : dtdy);
    R *to = waiting<NT>(a, r);
    to[0] = e.h;
    to[1] = e.left;
    to[2] = e.right;
    to[3] = e.side;
#pragma unroll
    for (int m = 0; m < NT; m++) to[4 + m] = e.c[m];
  });
}

/* For lanes that are `on` the rim what rim_edges found for the k-th cell of the side. */
template <int NT>
__device__ __forceinline__ crossing<NT> end_edge(const swg_args &a, int side, int k, bool on,
                                                 crossing<NT> e) {
  if (!on) return e;
  const R *from = waiting<NT>(a, a.v.rim.first[side] + k);
  e.h = from[0];
  e.left = from[1];
  e.right = from[2];
  e.side = from[3];
#pragma unroll
  for (int m = 0; m < NT; m++) e.c[m] = from[4 + m];
  return e;
}

/* The same where all of the tile's rim is wall: nothing to look up. */
template <int NT>
__device__ __forceinline__ crossing<NT> wall_edge(int side, bool on, const ready_cell<NT> &c,
                                                  crossing<NT> e) {
  const R u = ria_side_along_x(side) ? c.f.u : c.f.v;
  const R un = ria_side_is_upper(side) ? u : -u;
  const sw_flux f = sw_wall(c.f.h, un, c.f.c);
  e.h = on ? (R)0 : e.h;
  e.left = on ? f.left : e.left;
  e.right = on ? f.left : e.right;
  e.side = on ? (R)0 : e.side;
#pragma unroll
  for (int m = 0; m < NT; m++) e.c[m] = on ? (R)0 : e.c[m];
  return e;
}

} // namespace
