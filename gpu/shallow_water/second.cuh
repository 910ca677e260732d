/* second.cuh - the time step at order 2 on CUDA, for one precision (RIA_PRECISION).
 *
 * As step.cuh: a warp marches north over a tile, a column a lane. What a row is worked out from
 * reaches two cells around it, so the outer four columns of a warp belong to its neighbours, and a
 * row is finished when the next one is half a step ahead:
 *
 *   row r      differences to its neighbours; slopes; half a step ahead
 *   y edge     between the northern faces of row r - 1, kept, and the southern ones of row r
 *   update     of row r - 1: what crossed its other edges was kept
 *   x edges    of row r, whose sum is kept
 *
 * Every cell is read once and every edge worked out once, but for what tiles share. The formulas
 * are shallow_water_slopes_k.h's. */

namespace {

/* Rows of the ring: r - 1, which is finished last, r and r + 1; the others are on their way. Shared
 * memory for four warps decides. */
template <int NT> constexpr int slots_of = sizeof(ring<NT, 8>) * SWG_WARPS <= 40 * 1024 ? 8 : 4;
static_assert(sizeof(ring<8, slots_of<8>>) * SWG_WARPS <= 48 * 1024, "what a block may have");

/* What a cell and its neighbour in the sense of an axis see of each other. */
template <int NT> struct difference {
  R h, u, v, bed; /* bed: less what forces balance */
  R c[NT > 0 ? NT : 1];
};

/* What moves with the water, on one side of an edge; what diffusion and eddies exchange over it. */
template <int NT> struct shore {
  R held, along; /* depth of the cell; velocity along the edge at the face */
  R un, ut;      /* velocities in the middle half a step ahead, along the normal and the edge */
  R c[NT > 0 ? NT : 1], mid[NT > 0 ? NT : 1], mean[NT > 0 ? NT : 1]; /* at the face, in the middle
                                                                      * then, of the cell now */
};

/* What the edge to the north needs of the row in its south. */
template <int NT> struct northern {
  sw_face face; /* u: northwards */
  R push;       /* sw_own_push */
  shore<NT> side;
};

template <int NT, bool ALONG_X, bool FORCED>
__device__ __forceinline__ difference<NT> between(const swg_args &a, const ready_cell<NT> &l,
                                                  const ready_cell<NT> &r) {
  difference<NT> d;
  d.h = r.f.h - l.f.h;
  d.u = r.f.u - l.f.u;
  d.v = r.f.v - l.f.v;
  d.bed = (FORCED ? apparent_bed<NT, ALONG_X>(forces_now(a), l, r) : r.z) - l.z;
#pragma unroll
  for (int m = 0; m < NT; m++) d.c[m] = r.c[m] - l.c[m];
  return d;
}

/* Of the cell in the east what a cell sees of it; its celerity stays there. */
template <int NT> __device__ __forceinline__ ready_cell<NT> seen_in_east(const ready_cell<NT> &c) {
  ready_cell<NT> e = c;
  e.f.h = __shfl_down_sync(ALL, c.f.h, 1);
  e.f.u = __shfl_down_sync(ALL, c.f.u, 1);
  e.f.v = __shfl_down_sync(ALL, c.f.v, 1);
  e.z = __shfl_down_sync(ALL, c.z, 1);
#pragma unroll
  for (int m = 0; m < NT; m++) e.c[m] = __shfl_down_sync(ALL, c.c[m], 1);
  return e;
}

template <int NT> __device__ __forceinline__ difference<NT> from_west(const difference<NT> &e) {
  difference<NT> w;
  w.h = __shfl_up_sync(ALL, e.h, 1);
  w.u = __shfl_up_sync(ALL, e.u, 1);
  w.v = __shfl_up_sync(ALL, e.v, 1);
  w.bed = __shfl_up_sync(ALL, e.bed, 1);
#pragma unroll
  for (int m = 0; m < NT; m++) w.c[m] = __shfl_up_sync(ALL, e.c[m], 1);
  return w;
}

template <int NT>
__device__ __forceinline__ sw_near near_of(const difference<NT> &w, const difference<NT> &e,
                                           const difference<NT> &s, const difference<NT> &n) {
  const sw_near d = {{w.h, e.h, s.h, n.h},
                     {w.u, e.u, s.u, n.u},
                     {w.v, e.v, s.v, n.v},
                     {w.h + w.bed, e.h + e.bed, s.h + s.bed, n.h + n.bed}};
  return d;
}

/* What crosses an edge, by the flux of water. */
template <int NT, bool ALONG_X, bool STIRS>
__device__ __forceinline__ crossing<NT> carry_faces(const swg_args &a, sw_flux f,
                                                    const shore<NT> &l, const shore<NT> &r,
                                                    double dt, stirring by) {
  crossing<NT> e;
  e.h = f.h;
  e.left = f.left;
  e.right = f.right;
  e.side = sw_along(f.h, l.along, r.along);
  if constexpr (STIRS) stir_up(&e, by, l.held, l.un, l.ut, r.held, r.un, r.ut);
  const double per = ALONG_X ? 1.0 / (a.v.dx * a.v.dx) : 1.0 / (a.v.dy * a.v.dy);
#pragma unroll
  for (int m = 0; m < NT; m++) {
    R amount = sw_along(f.h, l.c[m], r.c[m]);
    if constexpr (STIRS)
      amount += water_mixed(l.held, l.mid[m], r.held, r.mid[m],
                            (R)(a.v.diffusion[m] * dt * per) + by.mix);
    e.c[m] = sw_carried(amount, l.held, l.mean[m], r.held, r.mean[m]);
  }
  return e;
}

/* Concentrations of tracer m in a cell half a step ahead. STIRS: it may diffuse. */
template <bool STIRS>
__device__ __forceinline__ sw_traced faces_of(const swg_args &a, int m, R c, sw_around dc,
                                              sw_flow f, sw_around dh, R trust, R dtdx, R dtdy,
                                              double dt) {
  const double known = STIRS ? a.v.diffusion[m] + a.v.pace.eddy / a.v.pace.schmidt : 0;
  if (STIRS && (known > 0 || a.v.pace.stirs)) {
    const R x = (R)(known * dt / (a.v.dx * a.v.dx)), y = (R)(known * dt / (a.v.dy * a.v.dy));
    return sw_faces_mixed(c, dc, f, trust, dtdx, dtdy, sw_mixing_of(x, y, f.h, dh), &a.second);
  }
  return {sw_faces(c, dc, f, trust, dtdx, dtdy, &a.second), 0};
}

/* What the constant part of eddies does in half a step. d: 0 beyond sides. */
__device__ __forceinline__ sw_ahead stirred_ahead(const swg_args &a, sw_ahead h, R depth, R trust,
                                                  sw_near d, double dt) {
  return sw_stirred(h, depth, trust, d, (R)(a.v.pace.eddy * dt / (a.v.dx * a.v.dx)),
                    (R)(a.v.pace.eddy * dt / (a.v.dy * a.v.dy)));
}

/* --- the rim ---------------------------------------------------------------------------------- */

__device__ __forceinline__ int kind_there(const swg_args &a, int side, int i, int j) {
  return a.v.rim.kind[a.v.rim.first[side] + (ria_side_along_x(side) ? j : i)];
}

/* Cell (i, j) of the rim half a step ahead, from memory. */
template <int NT, bool FORCED>
__device__ __noinline__ void rim_edge_second(const swg_args &a, int side, int r, int i, int j,
                                             double dt) {
  const int at = j * a.v.stride + i;
  const R dtdx = (R)(dt / a.v.dx), dtdy = (R)(dt / a.v.dy);
  const ready_cell<NT> c = ready<NT>(load<NT>(a, at), a.k);
  difference<NT> w = difference<NT>(), e = w, s = w, n = w;
  const bool west = i == 0 && !a.v.ring_x, east = i == a.v.nx - 1 && !a.v.ring_x,
             south = j == 0 && !a.v.ring_y, north = j == a.v.ny - 1 && !a.v.ring_y;
  const auto beside = [&](int di, int dj) {
    const int there = row_there(a, j + dj) * a.v.stride + column_there(a, i + di);
    return ready<NT>(load<NT>(a, there), a.k);
  };
  if (!west) w = between<NT, true, FORCED>(a, beside(-1, 0), c);
  if (!east) e = between<NT, true, FORCED>(a, c, beside(1, 0));
  if (!south) s = between<NT, false, FORCED>(a, beside(0, -1), c);
  if (!north) n = between<NT, false, FORCED>(a, c, beside(0, 1));
  const sw_near inside = near_of<NT>(w, e, s, n);
  sw_near d = inside;
  if (west) sw_mirror(kind_there(a, RIA_WEST, i, j), RIA_WEST, c.f, e.bed, &inside, &d);
  if (east) sw_mirror(kind_there(a, RIA_EAST, i, j), RIA_EAST, c.f, w.bed, &inside, &d);
  if (south) sw_mirror(kind_there(a, RIA_SOUTH, i, j), RIA_SOUTH, c.f, n.bed, &inside, &d);
  if (north) sw_mirror(kind_there(a, RIA_NORTH, i, j), RIA_NORTH, c.f, s.bed, &inside, &d);
  const R rough = a.manning ? a.manning[at] : (R)a.v.p.manning;
  const R trust = sw_trust(c.f.h, d.h, a.second.most);
  const R drag = (R)(a.v.p.gravity * dt) * rough * rough;
  sw_ahead h = sw_predict(c.f, d, trust, dtdx, dtdy, drag, drag > 0, &a.second, &a.k);
  if (a.v.pace.eddy > 0) h = stirred_ahead(a, h, c.f.h, trust, inside, dt);
  const bool along_x = ria_side_along_x(side);
  const R un = along_x ? c.f.u : c.f.v;
  const R most = sw_may_leave(c.f.h, ria_side_is_upper(side) ? un : -un, c.f.c);
  const int kind = a.v.rim.kind[r], owner = a.v.rim.owner[r];
  sw_beyond b = beyond<NT, FORCED>(a, side, r, at, c, along_x ? c.f.v : c.f.u);
  const sw_at_rim in = sw_rim_face(kind, side, &h, c.z, c.f.h, most, &b, &a.k);
  ria_crossed *account = a.v.rim.crossed + (size_t)r * (1 + NT);
  const sw_across across =
      sw_cross(kind, side, in, b, along_x ? dtdx : dtdy, a.v.area, account, &a.k);
  R *to = waiting<NT>(a, r);
  to[0] = across.h;
  to[1] = to[2] = across.push;
  to[3] = across.side;
#pragma unroll
  for (int m = 0; m < NT; m++) {
    const sw_around dc = {w.c[m], e.c[m], s.c[m], n.c[m]};
    const sw_around f = faces_of<true>(a, m, c.c[m], dc, c.f, inside.h, trust, dtdx, dtdy, dt).at;
    const R leaves = side == RIA_WEST    ? f.w
                     : side == RIA_EAST  ? f.e
                     : side == RIA_SOUTH ? f.s
                                         : f.n;
    to[4 + m] = kind == SIDE_WALL
                    ? (R)0
                    : sw_cross_load(kind, side, c.f.h * c.c[m], leaves, across.h,
                                    a.v.forcing.conc[owner * NT + m], a.v.area, account + m + 1);
  }
}

/* All rim edges of the tile of columns i0 <= i < i1, rows j0 <= j < j1: as rim_edges. */
template <int NT, bool FORCED>
__device__ __forceinline__ void rim_edges_second(const swg_args &a, int i0, int i1, int j0, int j1,
                                                 int lane, double dt) {
  for_rim_edges(a, i0, i1, j0, j1, lane, [&](int side, int r, int i, int j) {
    rim_edge_second<NT, FORCED>(a, side, r, i, j, dt);
  });
}

/* --- a tile ----------------------------------------------------------------------------------- */

template <int NT, way WAY, bool FORCED> struct walk_second {
  static constexpr bool STIRS = WAY == STIRRED;
  static constexpr int SLOTS = slots_of<NT>, AHEAD_OF = SLOTS == 8 ? 3 : 1;
  const swg_args &a;
  ring<NT, SLOTS> &next;
  const int lane, i; /* i: column of this lane */
  const bool mine;
  const bool walled;
  const int tile, highest;
  const double dt;
  const R dtdx, dtdy, gdt;
  R drag;
  int at; /* element of row r */
  ready_cell<NT> here;
  difference<NT> ds; /* to the row in the south */
  northern<NT> below;
  crossing<NT> south, across; /* of row r - 1: its southern edge; east less west */
  sight seen;
  double lost[NT > 0 ? NT : 1];

  __device__ __forceinline__ walk_second(const swg_args &a, ring<NT, SLOTS> &next, int tx, int tile,
                                         int lane)
      : a(a), next(next), lane(lane), i(tx * SWG_COLUMNS_SECOND - 2 + lane),
        mine(lane > 1 && lane < 2 + SWG_COLUMNS_SECOND && (WAY == PLAIN || i < a.v.nx)),
        walled(WAY < ANY || !(a.v.always[tile] & SWG_FORCED)), tile(tile),
        highest((a.v.reach - 1) * a.v.stride + column()), dt(a.v.report->clock.dt),
        dtdx((R)(dt / a.v.dx)), dtdy((R)(dt / a.v.dy)), gdt((R)(a.v.p.gravity * dt)) {}

  __device__ __forceinline__ int column() const {
    return WAY == PLAIN ? i : WAY == WALLED ? min(max(i, 0), a.v.nx - 1) : column_there(a, i);
  }
  /* What is periodic is walked the ways that ask for anything. */
  __device__ __forceinline__ bool ring_x() const { return WAY >= ANY && a.v.ring_x; }
  __device__ __forceinline__ bool ring_y() const { return WAY >= ANY && a.v.ring_y; }
  __device__ __forceinline__ int rows_on(int n) const {
    const int to = at + n * a.v.stride;
    return WAY < ANY ? min(to, highest) : element_there(a, to, highest);
  }

  /* The edge to the east or north of this lane's cell of row j. */
  template <bool ALONG_X> __device__ __forceinline__ stirring stir_here(int j) const {
    if constexpr (STIRS)
      if (a.v.pace.stirs) return stir<ALONG_X>(a, i, j, dt);
    return stirring();
  }

  __device__ __forceinline__ void begin(int j0, int j1) {
    /* the first row to be half a step ahead; -1: the northernmost, beyond a seam */
    const int r = WAY == PLAIN || j0 > 0 || ring_y() ? j0 - 1 : 0;
    at = r * a.v.stride + column();
    stored<NT> raw = load<NT>(a, WAY < ANY ? at : rows_on(0));
    here = ready<NT>(raw, a.k);
    keep(raw, r & (SLOTS - 1));
#pragma unroll
    for (int k = 1; k <= AHEAD_OF; k++)
      send_for<NT>(a, next, (r + k) & (SLOTS - 1), lane, rows_on(k));
    ds = difference<NT>();
    const int under = WAY < ANY ? at - a.v.stride : rows_on(-1);
    if (WAY == PLAIN || r > 0 || ring_y())
      ds = between<NT, false, FORCED>(a, ready<NT>(load<NT>(a, under), a.k), here);
    below = northern<NT>();
    south = across = crossing<NT>();
    seen = sight();
    for (int m = 0; m < NT; m++) lost[m] = 0;
    if (WAY >= ANY && !walled) {
      const int i0 = i - lane + 2;
      rim_edges_second<NT, FORCED>(a, i0, min(i0 + SWG_COLUMNS_SECOND, a.v.nx), j0, j1, lane, dt);
    }
    drag = gdt * (R)a.v.p.manning * (R)a.v.p.manning;
  }

  /* Row r in the ring as if it had been sent for. */
  __device__ __forceinline__ void keep(const stored<NT> &raw, int slot) {
    store4(&next.slot[slot].s[lane], raw.s);
    next.slot[slot].z[lane] = raw.z;
#pragma unroll
    for (int m = 1; m < NT; m++) next.slot[slot].more[m - 1][lane] = raw.more[m - 1];
  }

  __device__ __forceinline__ void mirror(int side, bool on, int r, R bed, const sw_near &inside,
                                         sw_near *d) const {
    if (on)
      sw_mirror(walled ? SIDE_WALL
                       : kind_there(a, side, column(), WAY < ANY ? r : row_of_side(a, r)),
                side, here.f, bed, &inside, d);
  }

  /* The edge on the boundary of cell (i, r), for lanes that are `on` that side. */
  __device__ __forceinline__ crossing<NT> end(int side, int k, bool on, const sw_ahead &h,
                                              crossing<NT> e) const {
    if (!walled) return end_edge<NT>(a, side, k, on, e);
    const R out = ria_side_is_upper(side) ? (R)1 : (R)-1;
    const R un = ria_side_along_x(side) ? out * h.u + h.xu : out * h.v + h.yv;
    const sw_flux f = sw_wall(h.h, un, sw_face_celerity(h.h, &a.k));
    e.h = on ? (R)0 : e.h;
    e.left = on ? f.left : e.left;
    e.right = on ? f.left : e.right;
    e.side = on ? (R)0 : e.side;
#pragma unroll
    for (int m = 0; m < NT; m++) e.c[m] = on ? (R)0 : e.c[m];
    return e;
  }

  /* Row r half a step ahead, and what then can be finished: row r - 1. j0, j1: rows of the tile. */
  __device__ __forceinline__ void row(int r, int j0, int j1) {
    const bool last = WAY != PLAIN && r == a.v.ny - 1 && !ring_y();
    ready_cell<NT> north = here;
    if (!last) north = ready<NT>(receive<NT, AHEAD_OF - 1>(next, (r + 1) & (SLOTS - 1), lane), a.k);
    send_for<NT>(a, next, (r + 1 + AHEAD_OF) & (SLOTS - 1), lane, rows_on(1 + AHEAD_OF));
    const difference<NT> dn = last ? difference<NT>() : between<NT, false, FORCED>(a, here, north);
    const ready_cell<NT> east = seen_in_east<NT>(here);
    difference<NT> de = between<NT, true, FORCED>(a, here, east);
    difference<NT> dw = from_west<NT>(de);
    const R rise_e = de.bed;
    if (WAY != PLAIN && i <= 0 && !ring_x()) dw = difference<NT>();
    if (WAY != PLAIN && i >= a.v.nx - 1 && !ring_x()) de = difference<NT>();
    const sw_near inside = near_of<NT>(dw, de, ds, dn);
    sw_near d = inside;
    if (WAY != PLAIN) {
      const bool within = (i >= 0 && i < a.v.nx) || ring_x();
      mirror(RIA_WEST, i == 0 && !ring_x(), r, de.bed, inside, &d);
      mirror(RIA_EAST, i == a.v.nx - 1 && !ring_x(), r, dw.bed, inside, &d);
      if (r == 0 && !ring_y()) mirror(RIA_SOUTH, within, r, dn.bed, inside, &d);
      if (last) mirror(RIA_NORTH, within, r, ds.bed, inside, &d);
    }
    if (WAY >= ANY && a.manning) {
      const R rough = a.manning[rows_on(0)];
      drag = gdt * rough * rough;
    }
    const R trust = sw_trust(here.f.h, d.h, a.second.most);
    sw_ahead h = sw_predict(here.f, d, trust, dtdx, dtdy, drag, drag > 0, &a.second, &a.k);
    if (STIRS) h = stirred_ahead(a, h, here.f.h, trust, inside, dt);
    sw_traced f[NT > 0 ? NT : 1];
#pragma unroll
    for (int m = 0; m < NT; m++) {
      const sw_around dc = {dw.c[m], de.c[m], ds.c[m], dn.c[m]};
      f[m] = faces_of<STIRS>(a, m, here.c[m], dc, here.f, inside.h, trust, dtdx, dtdy, dt);
    }
    if (r >= j0) {
      crossing<NT> ys, xe;
      edges_of_row(r, h, f, east, rise_e, &ys, &xe);
      if (WAY != PLAIN && r == 0 && !ring_y()) ys = end(RIA_SOUTH, i, mine, h, ys);
      if (r > j0) finish(r - 1, ys);
      crossing<NT> xw = from_west<NT>(xe);
      xw.right = sw_pushed(xw.right, -1, h.h, h.xe, &a.k);
      if (WAY != PLAIN && !ring_x()) {
        xw = end(RIA_WEST, r, mine && i == 0, h, xw);
        xe = end(RIA_EAST, r, mine && i == a.v.nx - 1, h, xe);
      }
      south = ys;
      across.h = xe.h - xw.h;
      across.left = xe.left - xw.right;
      across.side = xe.side - xw.side;
#pragma unroll
      for (int m = 0; m < NT; m++) across.c[m] = xe.c[m] - xw.c[m];
      if (last && r < j1) { /* the domain ends here */
        at += a.v.stride;
        finish(r, end(RIA_NORTH, i, mine, h, crossing<NT>()));
      }
    }
    below.face = sw_face_of(1, h.h, h.v, h.yh, h.yv, h.ye, here.f.h,
                            sw_may_leave(here.f.h, here.f.v, here.f.c), &a.k);
    below.push = sw_own_push(h.h, h.ye, &a.k);
    below.side = {here.f.h, h.u + h.yu, h.v, h.u, {}, {}, {}};
#pragma unroll
    for (int m = 0; m < NT; m++) {
      below.side.c[m] = f[m].at.n;
      below.side.mid[m] = f[m].middle;
      below.side.mean[m] = here.c[m];
    }
    ds = dn;
    here = north;
    at += a.v.stride;
  }

  /* The edge to the south and the one to the east, all lanes together. The western end of the
   * latter's cell takes its own push off itself. */
  __device__ __forceinline__ void edges_of_row(int r, const sw_ahead &h, const sw_traced *f,
                                               const ready_cell<NT> &east, R rise_e,
                                               crossing<NT> *ys, crossing<NT> *xe) const {
    const sw_face s = sw_face_of(-1, h.h, h.v, h.yh, h.yv, h.ye, here.f.h,
                                 sw_may_leave(here.f.h, -here.f.v, here.f.c), &a.k);
    const sw_face e = sw_face_of(1, h.h, h.u, h.xh, h.xu, h.xe, here.f.h,
                                 sw_may_leave(here.f.h, here.f.u, here.f.c), &a.k);
    const sw_face w = sw_face_of(-1, h.h, h.u, h.xh, h.xu, h.xe, here.f.h,
                                 sw_may_leave(here.f.h, -here.f.u, here.f.c), &a.k);
    sw_face ew; /* the western face of the cell in the east */
    ew.h = __shfl_down_sync(ALL, w.h, 1);
    ew.u = __shfl_down_sync(ALL, w.u, 1);
    ew.c = __shfl_down_sync(ALL, w.c, 1);
    ew.bed = __shfl_down_sync(ALL, w.bed, 1);
    ew.most = __shfl_down_sync(ALL, w.most, 1);
    ew.held = east.f.h;
    const R along_w = __shfl_down_sync(ALL, h.v - h.xv, 1);
    shore<NT> xl = {here.f.h, h.v + h.xv, h.u, h.v, {}, {}, {}};
    shore<NT> xr = {east.f.h, along_w, 0, 0, {}, {}, {}};
    shore<NT> yr = {here.f.h, h.u - h.yu, h.v, h.u, {}, {}, {}};
    if (STIRS) {
      xr.un = __shfl_down_sync(ALL, h.u, 1);
      xr.ut = __shfl_down_sync(ALL, h.v, 1);
    }
#pragma unroll
    for (int m = 0; m < NT; m++) {
      xl.c[m] = f[m].at.e;
      xr.c[m] = __shfl_down_sync(ALL, f[m].at.w, 1);
      yr.c[m] = f[m].at.s;
      xl.mean[m] = yr.mean[m] = here.c[m];
      xr.mean[m] = east.c[m];
      if (STIRS) {
        xl.mid[m] = yr.mid[m] = f[m].middle;
        xr.mid[m] = __shfl_down_sync(ALL, f[m].middle, 1);
      }
    }
    sw_flux fx, fy;
    int calm = a.short_ways & sw_calm_pair(e, ew, rise_e, below.face, s, ds.bed);
    calm = __all_sync(ALL, calm);
    if (calm) {
      int fits_x, fits_y;
      fx = sw_edge_faces_calm(e, ew, rise_e, dtdx, &fits_x, &a.k);
      fy = sw_edge_faces_calm(below.face, s, ds.bed, dtdy, &fits_y, &a.k);
      calm = __all_sync(ALL, fits_x & fits_y);
    }
    if (!calm) {
      fx = sw_edge_faces(e, ew, rise_e, dtdx, &a.second, &a.k);
      fy = sw_edge_faces(below.face, s, ds.bed, dtdy, &a.second, &a.k);
    }
    fx.left = sw_pushed(fx.left, 1, h.h, h.xe, &a.k);
    fy.left += below.push;
    fy.right = sw_pushed(fy.right, -1, h.h, h.ye, &a.k);
    *xe = carry_faces<NT, true, STIRS>(a, fx, xl, xr, dt, stir_here<true>(r));
    *ys = carry_faces<NT, false, STIRS>(a, fy, below.side, yr, dt, stir_here<false>(r - 1));
  }

  /* Row j, just south of row r. */
  __device__ __forceinline__ void finish(int j, const crossing<NT> &yn) {
    const int there = at - a.v.stride;
    const maxima before = WAY < ANY || !a.v.n_track ? maxima() : send_for_maxima(a, there);
    R drags = drag;
    if (WAY >= ANY && a.manning) drags = gdt * a.manning[there] * a.manning[there];
    finish_cell<NT, WAY >= ANY, FORCED>(a, there, j, held<NT>(next, j & (SLOTS - 1), lane),
                                        crossing<NT>(), across, south, yn, drags, dtdx, dtdy, dt,
                                        mine, before, lost, &seen);
  }
};

/* The march of swg_step at order 2. */
struct march_second {
  static constexpr int columns = SWG_COLUMNS_SECOND, beside = 2, ahead = 1;
  static constexpr bool apart = true; /* registers for what others do not need */
  template <int NT> using ring_of_warp = ring<NT, slots_of<NT>>;

  /* Two rows a turn, more warps with fewer registers and fewer warps with more were all slower
   * (H200). */
  static constexpr int warps(int nt) { return sizeof(R) == 8 ? 8 : nt < 2 ? 16 : nt < 4 ? 12 : 8; }

  template <int NT, way WAY, bool FORCED>
  static __device__ __forceinline__ sight tile(const swg_args &a, ring<NT, slots_of<NT>> &next,
                                               int tx, int tile, rows_of_tile rows, int lane) {
    const int j0 = rows.begin, j1 = rows.end;
    walk_second<NT, WAY, FORCED> w(a, next, tx, tile, lane);
    w.begin(j0, j1);
    const bool goes_on = WAY == PLAIN || w.ring_y();
    const int r0 = goes_on || j0 > 0 ? j0 - 1 : 0, r1 = goes_on ? j1 : min(j1, a.v.ny - 1);
#pragma unroll 1
    for (int r = r0; r <= r1; r++) w.row(r, j0, j1);
    if (WAY >= ANY && NT > 0 && a.v.decays) enter_decay<NT>(a, tile, lane, w.mine, w.lost);
    return w.mine ? w.seen : sight();
  }
};

/* --- for the host ----------------------------------------------------------------------------- */

int resident_second(int nt) { return march_second::warps(nt); }

cudaError_t load_second() {
  return ria_cuda_load((const void *)swg_step<march_second, 0, false, false, false>);
}

} // namespace

const swg_second_kernels RIA_K(swg_second) = {resident_second, launch_march<march_second>,
                                              load_second};
