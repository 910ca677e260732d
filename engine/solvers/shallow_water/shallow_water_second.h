/* shallow_water_second.h - loops over a block of a row at second order, on the CPU, in the run's
 * precision. Included by shallow_water_step.h.
 *
 * The march needs one row more to the north: when row j is stepped, cells of j .. j + 2 are ready,
 * and j and j + 1 are half a step ahead. sw_mirror tells what a cell at a side of the domain takes
 * for its neighbour beyond. */

static ahead_rows ahead_from(const ahead_rows *a, int nt, int o) {
  ahead_rows b = {a->h + o,    a->u + o,  a->v + o,  a->xh + o, a->xu + o, a->xv + o,
                  a->xe + o,   a->yh + o, a->yu + o, a->yv + o, a->ye + o, a->trust + o,
                  a->then + o, {0},       {0},       {0},       {0},       {0}};
  for (int m = 0; m < nt; m++) {
    b.cw[m] = a->cw[m] + o;
    b.ce[m] = a->ce[m] + o;
    b.cs[m] = a->cs[m] + o;
    b.cn[m] = a->cn[m] + o;
    b.cm[m] = a->cm[m] + o;
  }
  return b;
}

/* The rows around n cells: their own, and those to the south and to the north. */
typedef struct rows_around {
  const cell_rows *c, *s, *n;
  const R *zc, *zs, *zn; /* beds */
  const R *manning;      /* [rough i] */
  int first, west, east; /* of the arrays: the first cell, steps to its neighbours; 0 at a side */
} rows_around;

static void keep_ahead(const sw_ahead *a, R trust, int at, ahead_rows *o) {
  o->h[at] = a->h;
  o->u[at] = a->u;
  o->v[at] = a->v;
  o->xh[at] = a->xh;
  o->xu[at] = a->xu;
  o->xv[at] = a->xv;
  o->xe[at] = a->xe;
  o->yh[at] = a->yh;
  o->yu[at] = a->yu;
  o->yv[at] = a->yv;
  o->ye[at] = a->ye;
  o->trust[at] = trust;
}

/* The loop of predict, inlined for each case. */
RIA_KERNEL void predict_cells(const step_args *st, int n, const rows_around *r, int forced,
                              int drags, int rough, int stirs, ahead_rows *o) {
  const int f = r->first, w = f - 1, e = f + 1;
  const R *RIA_RESTRICT h = r->c->h, *RIA_RESTRICT u = r->c->u, *RIA_RESTRICT v = r->c->v,
                        *RIA_RESTRICT c = r->c->w, *RIA_RESTRICT z = r->zc;
  const R *RIA_RESTRICT hs = r->s->h, *RIA_RESTRICT us = r->s->u, *RIA_RESTRICT vs = r->s->v,
                        *RIA_RESTRICT zs = r->zs;
  const R *RIA_RESTRICT hn = r->n->h, *RIA_RESTRICT un = r->n->u, *RIA_RESTRICT vn = r->n->v,
                        *RIA_RESTRICT zn = r->zn;
  R *RIA_RESTRICT oh = o->h, *RIA_RESTRICT ou = o->u, *RIA_RESTRICT ov = o->v,
                  *RIA_RESTRICT oxh = o->xh, *RIA_RESTRICT oxu = o->xu, *RIA_RESTRICT oxv = o->xv,
                  *RIA_RESTRICT oxe = o->xe, *RIA_RESTRICT oyh = o->yh, *RIA_RESTRICT oyu = o->yu,
                  *RIA_RESTRICT oyv = o->yv, *RIA_RESTRICT oye = o->ye,
                  *RIA_RESTRICT otrust = o->trust;
  const R dtdx = st->dtdx, dtdy = st->dtdy, gdt = st->gdt;
  const sw_const k = st->k;
  const sw_second second = st->second;
  const sw_forces by = st->forces;
  const R eddy_x = st->eddy_x, eddy_y = st->eddy_y;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const sw_flow mid = {h[f + i], u[f + i], v[f + i], c[f + i], 0};
    const sw_flow fw = {h[w + i], u[w + i], v[w + i], 0, 0},
                  fe = {h[e + i], u[e + i], v[e + i], 0, 0};
    const sw_flow fs = {hs[f + i], us[f + i], vs[f + i], 0, 0},
                  fn = {hn[f + i], un[f + i], vn[f + i], 0, 0};
    sw_near d = {
        {mid.h - fw.h, fe.h - mid.h, mid.h - fs.h, fn.h - mid.h},
        {mid.u - fw.u, fe.u - mid.u, mid.u - fs.u, fn.u - mid.u},
        {mid.v - fw.v, fe.v - mid.v, mid.v - fs.v, fn.v - mid.v},
        {z[f + i] - z[w + i], z[e + i] - z[f + i], z[f + i] - zs[f + i], zn[f + i] - z[f + i]}};
    if (forced) {
      d.level.w -= sw_tilt(fw.h, fw.v, mid.h, mid.v, by.turn, by.wind_x, by.shoal, by.dx_g);
      d.level.e -= sw_tilt(mid.h, mid.v, fe.h, fe.v, by.turn, by.wind_x, by.shoal, by.dx_g);
      d.level.s -= sw_tilt(fs.h, fs.u, mid.h, mid.u, -by.turn, by.wind_y, by.shoal, by.dy_g);
      d.level.n -= sw_tilt(mid.h, mid.u, fn.h, fn.u, -by.turn, by.wind_y, by.shoal, by.dy_g);
    }
    d.level.w += d.h.w;
    d.level.e += d.h.e;
    d.level.s += d.h.s;
    d.level.n += d.h.n;
    const R n_here = drags ? r->manning[rough * i] : (R)0;
    const R trust = sw_trust(mid.h, d.h, second.most);
    sw_ahead a = sw_predict(mid, d, trust, dtdx, dtdy, gdt * n_here * n_here, drags, &second, &k);
    if (stirs) a = sw_stirred(a, mid.h, trust, d, eddy_x, eddy_y);
    oh[f + i] = a.h;
    ou[f + i] = a.u;
    ov[f + i] = a.v;
    oxh[f + i] = a.xh;
    oxu[f + i] = a.xu;
    oxv[f + i] = a.xv;
    oxe[f + i] = a.xe;
    oyh[f + i] = a.yh;
    oyu[f + i] = a.yu;
    oyv[f + i] = a.yv;
    oye[f + i] = a.ye;
    otrust[f + i] = trust;
  }
}

/* n cells half a step ahead. */
SW_LOOP static void predict(const step_args *st, int n, const rows_around *r, ahead_rows *out) {
  const int rough = st->manning != &st->manning_one;
  const int drags = rough || st->manning_one > 0;
  if (st->eddy_x > 0)
    predict_cells(st, n, r, 1, 1, rough, 1, out);
  else if (st->forced)
    predict_cells(st, n, r, 1, 1, rough, 0, out);
  else if (drags)
    predict_cells(st, n, r, 0, 1, rough, 0, out);
  else
    predict_cells(st, n, r, 0, 0, 0, 0, out);
}

static sw_flow flow_at(const cell_rows *r, int i) {
  const sw_flow f = {r->h[i], r->u[i], r->v[i], r->w[i], 0};
  return f;
}

/* How far the bed rises over an edge, less what forces balance. */
static R bed_rise(const step_args *st, bool along_x, sw_flow a, R za, sw_flow b, R zb) {
  const sw_forces *by = &st->forces;
  if (!st->forced) return zb - za;
  if (along_x)
    return (zb - za) - sw_tilt(a.h, a.v, b.h, b.v, by->turn, by->wind_x, by->shoal, by->dx_g);
  return (zb - za) - sw_tilt(a.h, a.u, b.h, b.u, -by->turn, by->wind_y, by->shoal, by->dy_g);
}

/* What two neighbours see of each other; of the level, its bed alone. */
static void see(const step_args *st, bool along_x, sw_flow a, R za, sw_flow b, R zb, R *h, R *u,
                R *v, R *bed) {
  *h = b.h - a.h;
  *u = b.u - a.u;
  *v = b.v - a.v;
  *bed = bed_rise(st, along_x, a, za, b, zb);
}

/* Cell (i, j), [at] of the rows, which lies on a side of the domain, half a step ahead. */
static void predict_on_side(const step_args *st, const rows_around *r, int i, int j, int at,
                            ahead_rows *o) {
  const sw *s = st->s;
  const water_rings rings = s->rings; /* cells beyond a seam lie on the other sides all the same */
  const bool west = i == 0 && !rings.x, east = i == s->planes.grid.nx - 1 && !rings.x,
             south = j == 0 && !rings.y, north = j == s->planes.grid.ny - 1 && !rings.y;
  const int column = sw_column_of(s, i), row = sw_row_of(s, j);
  const sw_flow c = flow_at(r->c, at);
  const R z = r->zc[at];
  sw_near d = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
  if (!west)
    see(st, true, flow_at(r->c, at - 1), r->zc[at - 1], c, z, &d.h.w, &d.u.w, &d.v.w, &d.level.w);
  if (!east)
    see(st, true, c, z, flow_at(r->c, at + 1), r->zc[at + 1], &d.h.e, &d.u.e, &d.v.e, &d.level.e);
  if (!south)
    see(st, false, flow_at(r->s, at), r->zs[at], c, z, &d.h.s, &d.u.s, &d.v.s, &d.level.s);
  if (!north)
    see(st, false, c, z, flow_at(r->n, at), r->zn[at], &d.h.n, &d.u.n, &d.v.n, &d.level.n);
  const sw_around bed = d.level;
  d.level.w += d.h.w;
  d.level.e += d.h.e;
  d.level.s += d.h.s;
  d.level.n += d.h.n;
  const sw_near inside = d; /* eddies know of no neighbour beyond a side */
  if (west) sw_mirror(kind_at(s, RIA_WEST, row), RIA_WEST, c, bed.e, &inside, &d);
  if (east) sw_mirror(kind_at(s, RIA_EAST, row), RIA_EAST, c, bed.w, &inside, &d);
  if (south) sw_mirror(kind_at(s, RIA_SOUTH, column), RIA_SOUTH, c, bed.n, &inside, &d);
  if (north) sw_mirror(kind_at(s, RIA_NORTH, column), RIA_NORTH, c, bed.s, &inside, &d);
  const R n_here = s->manning ? st->manning[sw_at(s, i, j)] : st->manning_one;
  const R trust = sw_trust(c.h, d.h, st->second.most);
  sw_ahead a = sw_predict(c, d, trust, st->dtdx, st->dtdy, st->gdt * n_here * n_here, 1,
                          &st->second, &st->k);
  if (st->eddy_x > 0) a = sw_stirred(a, c.h, trust, inside, st->eddy_x, st->eddy_y);
  keep_ahead(&a, trust, at, o);
}

/* Concentrations of tracer m at the faces of n cells, as if none strayed. Does one? */
SW_LOOP static int lean_tracer(const step_args *st, int m, int n, const rows_around *r,
                               ahead_rows *o) {
  const int f = r->first, w = f + r->west, e = f + r->east;
  const R *RIA_RESTRICT c = r->c->c[m], *RIA_RESTRICT cs = r->s->c[m],
                        *RIA_RESTRICT cn = r->n->c[m];
  const R *RIA_RESTRICT u = r->c->u, *RIA_RESTRICT v = r->c->v, *RIA_RESTRICT trust = o->trust;
  R *RIA_RESTRICT ow = o->cw[m], *RIA_RESTRICT oe = o->ce[m], *RIA_RESTRICT os = o->cs[m],
                  *RIA_RESTRICT on = o->cn[m], *RIA_RESTRICT then = o->then;
  const R dtdx = st->dtdx, dtdy = st->dtdy;
  const sw_second second = st->second;
  int stray = 0;
#pragma omp simd reduction(| : stray)
  for (int i = f; i < f + n; i++) {
    const sw_around dc = {c[i] - c[w - f + i], c[e - f + i] - c[i], c[i] - cs[i], cn[i] - c[i]};
    const sw_flow flow = {0, u[i], v[i], 0, 0};
    const sw_lean l = sw_lean_of(dc, flow, trust[i], dtdx, dtdy, &second);
    const sw_around at = sw_departed(c[i], sw_departures(l));
    ow[i] = at.w;
    oe[i] = at.e;
    os[i] = at.s;
    on[i] = at.n;
    then[i] = l.then;
    stray |= sw_strays(l, &second);
  }
  return stray;
}

/* Bounds those that stray. What the loop before added in the middle is taken as it is: to work it
 * out again may round otherwise, and what strays would depend on what else is in the row. */
SW_LOOP static void bound_tracer(const step_args *st, int m, int n, const rows_around *r,
                                 ahead_rows *o) {
  const int f = r->first, w = f + r->west, e = f + r->east;
  const R *RIA_RESTRICT c = r->c->c[m], *RIA_RESTRICT cs = r->s->c[m],
                        *RIA_RESTRICT cn = r->n->c[m];
  const R *RIA_RESTRICT h = r->c->h, *RIA_RESTRICT u = r->c->u, *RIA_RESTRICT v = r->c->v,
                        *RIA_RESTRICT wave = r->c->w;
  const R *RIA_RESTRICT trust = o->trust, *RIA_RESTRICT then = o->then;
  R *RIA_RESTRICT ow = o->cw[m], *RIA_RESTRICT oe = o->ce[m], *RIA_RESTRICT os = o->cs[m],
                  *RIA_RESTRICT on = o->cn[m];
  const R dtdx = st->dtdx, dtdy = st->dtdy;
  const sw_second second = st->second;
#pragma omp simd
  for (int i = f; i < f + n; i++) {
    const sw_around dc = {c[i] - c[w - f + i], c[e - f + i] - c[i], c[i] - cs[i], cn[i] - c[i]};
    const sw_flow flow = {h[i], u[i], v[i], wave[i], 0};
    sw_lean l = sw_lean_of(dc, flow, trust[i], dtdx, dtdy, &second);
    l.then = then[i];
    const sw_around at = sw_departed(c[i], sw_stray_departures(dc, l, flow, dtdx, dtdy));
    const int stray = sw_strays(l, &second);
    ow[i] = stray ? at.w : ow[i];
    oe[i] = stray ? at.e : oe[i];
    os[i] = stray ? at.s : os[i];
    on[i] = stray ? at.n : on[i];
  }
}

/* The same where the tracer diffuses, and in the middle. */
SW_LOOP static void mixed_tracer(const step_args *st, int m, int n, const rows_around *r,
                                 ahead_rows *o) {
  const int f = r->first, w = f + r->west, e = f + r->east;
  const R *RIA_RESTRICT c = r->c->c[m], *RIA_RESTRICT cs = r->s->c[m],
                        *RIA_RESTRICT cn = r->n->c[m];
  const R *RIA_RESTRICT h = r->c->h, *RIA_RESTRICT u = r->c->u, *RIA_RESTRICT v = r->c->v,
                        *RIA_RESTRICT wave = r->c->w, *RIA_RESTRICT hs = r->s->h,
                        *RIA_RESTRICT hn = r->n->h, *RIA_RESTRICT trust = o->trust;
  R *RIA_RESTRICT ow = o->cw[m], *RIA_RESTRICT oe = o->ce[m], *RIA_RESTRICT os = o->cs[m],
                  *RIA_RESTRICT on = o->cn[m], *RIA_RESTRICT om = o->cm[m];
  const R dtdx = st->dtdx, dtdy = st->dtdy, mix_x = st->known_x[m], mix_y = st->known_y[m];
  const sw_second second = st->second;
#pragma omp simd
  for (int i = f; i < f + n; i++) {
    const sw_around dc = {c[i] - c[w - f + i], c[e - f + i] - c[i], c[i] - cs[i], cn[i] - c[i]};
    const sw_around dh = {h[i] - h[w - f + i], h[e - f + i] - h[i], h[i] - hs[i], hn[i] - h[i]};
    const sw_flow flow = {h[i], u[i], v[i], wave[i], 0};
    const sw_traced t = sw_faces_mixed(c[i], dc, flow, trust[i], dtdx, dtdy,
                                       sw_mixing_of(mix_x, mix_y, h[i], dh), &second);
    ow[i] = t.at.w;
    oe[i] = t.at.e;
    os[i] = t.at.s;
    on[i] = t.at.n;
    om[i] = t.middle;
  }
}

/* Most water is slow, and bounds cost twice as much as all the rest. */
static void predict_tracer(const step_args *st, int m, int n, const rows_around *r, ahead_rows *o) {
  if (st->known_x[m] > 0 || st->stirs)
    mixed_tracer(st, m, n, r, o);
  else if (lean_tracer(st, m, n, r, o))
    bound_tracer(st, m, n, r, o);
}

/* Row j of cells from column i0 - 2 on; nothing where the domain has no row j. */
static void ready_row(const step_args *st, int j, int i0, int o, int n, cell_rows *row) {
  const sw *s = st->s;
  if (!s->rings.y && (j < 0 || j >= s->planes.grid.ny)) return;
  cell_rows at = cells_from(row, s->nt, o - 1);
  prepare(st, sw_at(s, i0 - 2, j), n + 4, &at);
}

/* n columns of row j, from i on, [first] of the rows, half a step ahead; all on sides or none is.
 * west, east: where the neighbours of tracers are; 0 beyond a side. */
static void ahead_columns(const step_args *st, rows_around r, int i, int j, int first, int n,
                          bool on_side, ahead_rows *out) {
  const sw *s = st->s;
  r.first = first;
  r.west = i > 0 || s->rings.x ? -1 : 0;
  r.east = i + n < s->planes.grid.nx || s->rings.x ? 1 : 0;
  r.manning = st->manning == &st->manning_one ? st->manning : st->manning + sw_at(s, i, j);
  if (!on_side) predict(st, n, &r, out);
  for (int m = 0; on_side && m < n; m++) predict_on_side(st, &r, i + m, j, first + m, out);
  for (int m = 0; m < s->nt; m++) predict_tracer(st, m, n, &r, out);
}

/* Cells i0 - 1 .. i0 + n of row j half a step ahead, to ahead[1]; rows j - 1, j, j + 1 are row[0 ..
 * 2]. */
static void ahead_of(const step_args *st, scratch *w, int j, int i0, int o, int n) {
  const sw *s = st->s;
  const int nx = s->planes.grid.nx, ny = s->planes.grid.ny;
  const bool ends_x = !s->rings.x, ends_y = !s->rings.y;
  if (ends_y && (j < 0 || j >= ny)) return;
  const size_t stride = s->planes.stride;
  const R *bed = st->bed + sw_at(s, i0, j) - o - 1; /* [o + 1] is column i0 */
  rows_around r = {.c = &w->row[1],
                   .s = &w->row[0],
                   .n = &w->row[2],
                   .zc = bed,
                   .zs = bed - stride,
                   .zn = bed + stride};
  if (ends_y && j == 0) r.s = r.c;
  if (ends_y && j == ny - 1) r.n = r.c;
  const int from = i0 == 0 && ends_x ? i0 : i0 - 1, to = i0 + n == nx && ends_x ? nx : i0 + n + 1;
  const bool on_west = ends_x && from == 0, on_east = ends_x && to == nx;
  const int to_first = o + 1 - i0; /* from columns to elements of rows */
  const bool on_side = ends_y && (j == 0 || j == ny - 1);
  const int inner0 = on_west ? 1 : from, inner1 = on_east ? nx - 1 : to;
  if (inner1 > inner0)
    ahead_columns(st, r, inner0, j, inner0 + to_first, inner1 - inner0, on_side, &w->ahead[1]);
  if (on_west) ahead_columns(st, r, 0, j, to_first, 1, true, &w->ahead[1]);
  if (on_east && nx > 1) ahead_columns(st, r, nx - 1, j, nx - 1 + to_first, 1, true, &w->ahead[1]);
}

/* One side of n edges: cells as sw_face_of takes them. mean, wave: velocity along the
 * normal and celerity of the cell; s: velocity along the edge, ds: its slope.
 */
typedef struct half_rows {
  const R *h, *u, *dh, *du, *de, *held, *mean, *wave, *s, *ds, *z;
} half_rows;

/* n edges; forced: z of the right is the bed as it seems. */
SW_LOOP static void edges_of_halves(const step_args *st, int n, half_rows a, half_rows b, R dt_dx,
                                    edge_rows *out) {
  const R *RIA_RESTRICT ah = a.h, *RIA_RESTRICT au = a.u, *RIA_RESTRICT adh = a.dh,
                        *RIA_RESTRICT adu = a.du, *RIA_RESTRICT ade = a.de,
                        *RIA_RESTRICT aheld = a.held, *RIA_RESTRICT amean = a.mean,
                        *RIA_RESTRICT awave = a.wave, *RIA_RESTRICT as = a.s,
                        *RIA_RESTRICT ads = a.ds, *RIA_RESTRICT az = a.z;
  const R *RIA_RESTRICT bh = b.h, *RIA_RESTRICT bu = b.u, *RIA_RESTRICT bdh = b.dh,
                        *RIA_RESTRICT bdu = b.du, *RIA_RESTRICT bde = b.de,
                        *RIA_RESTRICT bheld = b.held, *RIA_RESTRICT bmean = b.mean,
                        *RIA_RESTRICT bwave = b.wave, *RIA_RESTRICT bs = b.s,
                        *RIA_RESTRICT bds = b.ds, *RIA_RESTRICT bz = b.z;
  R *RIA_RESTRICT oh = out->h, *RIA_RESTRICT oleft = out->left, *RIA_RESTRICT oright = out->right,
                  *RIA_RESTRICT oside = out->side;
  const sw_const k = st->k;
  const sw_second second = st->second;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const sw_face l = sw_face_of(1, ah[i], au[i], adh[i], adu[i], ade[i], aheld[i],
                                 sw_may_leave(aheld[i], amean[i], awave[i]), &k);
    const sw_face r = sw_face_of(-1, bh[i], bu[i], bdh[i], bdu[i], bde[i], bheld[i],
                                 sw_may_leave(bheld[i], -bmean[i], bwave[i]), &k);
    const sw_flux f = sw_edge_faces(l, r, bz[i] - az[i], dt_dx, &second, &k);
    oh[i] = f.h;
    oleft[i] = f.left + sw_own_push(ah[i], ade[i], &k);
    oright[i] = f.right - sw_own_push(bh[i], bde[i], &k);
    oside[i] = sw_along(f.h, as[i] + ads[i], bs[i] - bds[i]);
  }
}

/* What n edges carry of a tracer: see carry. */
SW_LOOP static void carry_faces(int n, const R *RIA_RESTRICT moved, traced l, traced r, R mix,
                                R *RIA_RESTRICT out) {
  const R *RIA_RESTRICT hl = l.h, *RIA_RESTRICT cl = l.c, *RIA_RESTRICT fl = l.at,
                        *RIA_RESTRICT ml = l.mid;
  const R *RIA_RESTRICT hr = r.h, *RIA_RESTRICT cr = r.c, *RIA_RESTRICT fr = r.at,
                        *RIA_RESTRICT mr = r.mid;
  if (mix > 0) {
#pragma omp simd
    for (int i = 0; i < n; i++)
      out[i] = sw_carried(sw_along(moved[i], fl[i], fr[i]) +
                              water_mixed(hl[i], ml[i], hr[i], mr[i], mix),
                          hl[i], cl[i], hr[i], cr[i]);
  } else {
#pragma omp simd
    for (int i = 0; i < n; i++)
      out[i] = sw_carried(sw_along(moved[i], fl[i], fr[i]), hl[i], cl[i], hr[i], cr[i]);
  }
}

static sw_ahead ahead_at(const ahead_rows *a, int i) {
  const sw_ahead h = {a->h[i],  a->u[i],  a->v[i],  a->xh[i], a->xu[i], a->xv[i],
                      a->xe[i], a->yh[i], a->yu[i], a->yv[i], a->ye[i]};
  return h;
}

/* Boundary edge [e], of cell [cell] of a row. */
static void boundary_edge_second(const step_args *st, ria_side side, int k, R z,
                                 const cell_rows *row, const ahead_rows *a, int cell,
                                 edge_rows *out, int e) {
  R *const *const leaving[] = {
      [RIA_WEST] = a->cw, [RIA_EAST] = a->ce, [RIA_SOUTH] = a->cs, [RIA_NORTH] = a->cn};
  const R un = ria_side_along_x(side) ? row->u[cell] : row->v[cell];
  const R outwards = ria_side_is_upper(side) ? un : -un;
  const sw_ahead at = ahead_at(a, cell);
  sw_beyond b =
      beyond(st, side, k, row->h[cell], ria_side_along_x(side) ? row->v[cell] : row->u[cell]);
  const sw_at_rim in = sw_rim_face(kind_at(st->s, side, k), side, &at, z, row->h[cell],
                                   sw_may_leave(row->h[cell], outwards, row->w[cell]), &b, &st->k);
  boundary_edge(st, side, k, in, b, row, leaving[side], cell, out, e);
}

static void x_edges_second(const step_args *st, scratch *w, int j, int i0, int o, int n,
                           edge_rows *out) {
  const sw *s = st->s;
  const cell_rows c = cells_from(&w->row[0], s->nt, o);
  const ahead_rows a = ahead_from(&w->ahead[0], s->nt, o);
  const R *bed = st->bed + sw_at(s, i0 - 1, j), *east = bed + 1;
  const sw_forces *f = &st->forces;
  if (st->forced) {
    apparent_bed(n + 1, c.h, c.v, c.h + 1, c.v + 1, east, f->turn, f->wind_x, f->shoal, f->dx_g,
                 w->apparent);
    east = w->apparent;
  }
  const half_rows l = {a.h, a.u, a.xh, a.xu, a.xe, c.h, c.u, c.w, a.v, a.xv, bed};
  const half_rows r = {a.h + 1, a.u + 1, a.xh + 1, a.xu + 1, a.xe + 1, c.h + 1,
                       c.u + 1, c.w + 1, a.v + 1,  a.xv + 1, east};
  edges_of_halves(st, n + 1, l, r, st->dtdx, out);
  for (int m = 0; m < st->plain; m++)
    carry_faces(n + 1, out->h, (traced){c.h, c.c[m], a.ce[m], a.cm[m]},
                (traced){c.h + 1, c.c[m] + 1, a.cw[m] + 1, a.cm[m] + 1}, st->mix_x[m], out->c[m]);
  if (s->rings.x) return;
  if (i0 == 0) boundary_edge_second(st, RIA_WEST, j, bed[1], &c, &a, 1, out, 0);
  if (i0 + n == s->planes.grid.nx) boundary_edge_second(st, RIA_EAST, j, bed[n], &c, &a, n, out, n);
}

/* Edges between row j, row[0], and the one north of it, row[1] (j = -1: the southern boundary). */
static void y_edges_second(const step_args *st, scratch *w, int j, int i0, int o, int n,
                           edge_rows *out) {
  const sw *s = st->s;
  const cell_rows c = cells_from(&w->row[0], s->nt, o + 1),
                  d = cells_from(&w->row[1], s->nt, o + 1);
  const ahead_rows a = ahead_from(&w->ahead[0], s->nt, o + 1),
                   b = ahead_from(&w->ahead[1], s->nt, o + 1);
  if (!s->rings.y && (j < 0 || j == s->planes.grid.ny - 1)) {
    const ria_side side = j < 0 ? RIA_SOUTH : RIA_NORTH;
    const R *bed = st->bed + sw_at(s, i0, j < 0 ? 0 : j);
    for (int i = 0; i < n; i++)
      boundary_edge_second(st, side, i0 + i, bed[i], j < 0 ? &d : &c, j < 0 ? &b : &a, i, out, i);
    return;
  }
  const R *south = st->bed + sw_at(s, i0, j), *north = south + s->planes.stride;
  const sw_forces *f = &st->forces;
  if (st->forced) {
    apparent_bed(n, c.h, c.u, d.h, d.u, north, -f->turn, f->wind_y, f->shoal, f->dy_g, w->apparent);
    north = w->apparent;
  }
  const half_rows l = {a.h, a.v, a.yh, a.yv, a.ye, c.h, c.v, c.w, a.u, a.yu, south};
  const half_rows r = {b.h, b.v, b.yh, b.yv, b.ye, d.h, d.v, d.w, b.u, b.yu, north};
  edges_of_halves(st, n, l, r, st->dtdy, out);
  for (int m = 0; m < st->plain; m++)
    carry_faces(n, out->h, (traced){c.h, c.c[m], a.cn[m], a.cm[m]},
                (traced){d.h, d.c[m], b.cs[m], b.cm[m]}, st->mix_y[m], out->c[m]);
}

/* Rows are ready for the next row to the north. */
static void turn(scratch *w) {
  const cell_rows c = w->row[0];
  w->row[0] = w->row[1];
  w->row[1] = w->row[2];
  w->row[2] = c;
  const ahead_rows a = w->ahead[0];
  w->ahead[0] = w->ahead[1];
  w->ahead[1] = a;
}

/* A row as eddies exchange it. */
static stirred stirred_ahead(const ahead_rows *a, bool along_x) {
  const stirred s = {a->u, a->v, along_x ? a->cw : a->cs, along_x ? a->ce : a->cn, a->cm};
  return s;
}

/* Where the row to the south was not stepped: rows j and j + 1, row j half a step ahead, and the
 * edges between row j - 1 and j. */
static void begin_second(const step_args *st, scratch *w, int j, int i0, int o, int n,
                         sw_found *found) {
  const sw *s = st->s;
  for (int d = 0; d < 3; d++) ready_row(st, j - 2 + d, i0, o, n, &w->row[d]);
  ahead_of(st, w, j - 1, i0, o, n); /* rows j - 2, j - 1, j are row[0], row[1], row[2] */
  turn(w);
  ready_row(st, j + 1, i0, o, n, &w->row[2]);
  ahead_of(st, w, j, i0, o, n);
  edge_rows below = edges_from(&w->y[0], s->nt, o);
  y_edges_second(st, w, j - 1, i0, o, n, &below);
  if (st->stirs) {
    stir_y(st, w, j - 1, o, n, &w->row[0], stirred_ahead(&w->ahead[0], false), &w->row[1],
           stirred_ahead(&w->ahead[1], false), &below, found);
    keep_south(w, &w->row[0], o, n + 2);
  }
  turn(w);
}
