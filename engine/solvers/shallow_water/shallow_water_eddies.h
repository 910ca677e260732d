/* shallow_water_eddies.h - loops over a block of a row with eddy viscosity, on the CPU, in the
 * run's precision. Included by shallow_water_step.h.
 *
 * Edges of both orders are completed here, after waves and before the update: eddies act on the
 * cells as they are at the beginning of the step, at second order on their middles half a step
 * ahead. Smagorinsky's formula looks along an edge too: at x edges a row to the south and to the
 * north. */

/* A row of cells as eddies exchange: velocities; concentrations at the lower and the upper face
 * along an axis and in the middle, at first order those of the cells. */
typedef struct stirred {
  const R *u, *v;
  R *const *lower, *const *upper, *const *mid;
} stirred;

/* One side of n edges, for a tracer: depth and concentration of the cells, concentration at the
 * edge and in the middle half a step ahead. */
typedef struct traced {
  const R *h, *c, *at, *mid;
} traced;

/* Cells beside n edges, [i] at edge i, and those before and behind each along the edge. */
typedef struct edge_sides {
  cell_rows l, r, l_lo, l_hi, r_lo, r_hi;
  stirred sl, sr;
  int at_l, at_r; /* of sl and sr: the first */
} edge_sides;

/* The loop of viscosity, inlined for each axis. */
RIA_KERNEL R viscosity_of(const step_args *st, int along_x, int n, const edge_sides *e, R *nu) {
  const R *RIA_RESTRICT lh = e->l.h, *RIA_RESTRICT lu = e->l.u, *RIA_RESTRICT lv = e->l.v,
                        *RIA_RESTRICT lw = e->l.w;
  const R *RIA_RESTRICT rh = e->r.h, *RIA_RESTRICT ru = e->r.u, *RIA_RESTRICT rv = e->r.v,
                        *RIA_RESTRICT rw = e->r.w;
  const cell_rows a = e->l_lo, b = e->l_hi, c = e->r_lo, d = e->r_hi;
  R *RIA_RESTRICT out = nu;
  const sw_eddies eddies = st->eddies;
  const sw_const k = st->k;
  whole most = 0;
#pragma omp simd reduction(max : most)
  for (int i = 0; i < n; i++) {
    const sw_flow l = {lh[i], lu[i], lv[i], lw[i], 0}, r = {rh[i], ru[i], rv[i], rw[i], 0};
    const sw_flow l_lo = {a.h[i], a.u[i], a.v[i], 0, 0}, l_hi = {b.h[i], b.u[i], b.v[i], 0, 0},
                  r_lo = {c.h[i], c.u[i], c.v[i], 0, 0}, r_hi = {d.h[i], d.u[i], d.v[i], 0, 0};
    const sw_eddy s = sw_eddy_at(along_x, l, r, sw_slant_of(l, l_lo, l_hi),
                                 sw_slant_of(r, r_lo, r_hi), &eddies, &k);
    const bits asks = {.r = s.asks};
    most = asks.i > most ? asks.i : most;
    out[i] = s.nu;
  }
  return ((bits){.i = most}).r;
}

/* Eddy viscosity at n edges; returns the largest that Smagorinsky's formula asks for. */
SW_LOOP static R viscosity(const step_args *st, bool along_x, int n, const edge_sides *e, R *nu) {
  if (st->eddies.cs2 > 0)
    return along_x ? viscosity_of(st, 1, n, e, nu) : viscosity_of(st, 0, n, e, nu);
  for (int i = 0; i < n; i++) nu[i] = st->eddies.nu;
  return 0;
}

/* Momentum that n edges carry by eddies. un, ut: velocities along the normal and along the edge;
 * rd: 1 / distance of the cells. */
SW_LOOP static void exchange(int n, const R *RIA_RESTRICT hl, const R *RIA_RESTRICT unl,
                             const R *RIA_RESTRICT utl, const R *RIA_RESTRICT hr,
                             const R *RIA_RESTRICT unr, const R *RIA_RESTRICT utr,
                             const R *RIA_RESTRICT nu, R rd, R dt_dx, edge_rows *out) {
  R *RIA_RESTRICT left = out->left, *RIA_RESTRICT right = out->right,
                  *RIA_RESTRICT side = out->side;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const R push = sw_stress(hl[i], unl[i], hr[i], unr[i], nu[i] * rd);
    left[i] += push;
    right[i] += push;
    side[i] += sw_stress(hl[i], utl[i], hr[i], utr[i], nu[i] * (rd * dt_dx));
  }
}

/* What n edges carry of a tracer, see carry_faces, with eddies: mix + nu stirs. */
SW_LOOP static void carry_stirred(int n, const R *RIA_RESTRICT moved, traced l, traced r,
                                  const R *RIA_RESTRICT nu, R mix, R stirs, R *RIA_RESTRICT out) {
  const R *RIA_RESTRICT hl = l.h, *RIA_RESTRICT cl = l.c, *RIA_RESTRICT fl = l.at,
                        *RIA_RESTRICT ml = l.mid;
  const R *RIA_RESTRICT hr = r.h, *RIA_RESTRICT cr = r.c, *RIA_RESTRICT fr = r.at,
                        *RIA_RESTRICT mr = r.mid;
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = sw_carried(sw_along(moved[i], fl[i], fr[i]) +
                            water_mixed(hl[i], ml[i], hr[i], mr[i], mix + nu[i] * stirs),
                        hl[i], cl[i], hr[i], cr[i]);
}

/* Complete n edges by what eddies carry, and by tracers. */
static void stir(const step_args *st, const scratch *w, bool along_x, int n, const edge_sides *e,
                 edge_rows *out, sw_found *found) {
  const R rd = along_x ? st->k.rdx : st->k.rdy, dt_dx = along_x ? st->dtdx : st->dtdy;
  const cell_rows *l = &e->l, *r = &e->r;
  const R *ul = e->sl.u + e->at_l, *vl = e->sl.v + e->at_l, *ur = e->sr.u + e->at_r,
          *vr = e->sr.v + e->at_r;
  const double asks = (double)viscosity(st, along_x, n, e, w->nu);
  if (asks > found->eddy) found->eddy = asks;
  if (along_x)
    exchange(n, l->h, ul, vl, r->h, ur, vr, w->nu, rd, dt_dx, out);
  else
    exchange(n, l->h, vl, ul, r->h, vr, ur, w->nu, rd, dt_dx, out);
  for (int m = 0; m < st->s->nt; m++) {
    const traced a = {l->h, l->c[m], e->sl.upper[m] + e->at_l, e->sl.mid[m] + e->at_l};
    const traced b = {r->h, r->c[m], e->sr.lower[m] + e->at_r, e->sr.mid[m] + e->at_r};
    carry_stirred(n, out->h, a, b, w->nu, along_x ? st->mix_x[m] : st->mix_y[m],
                  rd * dt_dx * st->eddies.to_trace, out->c[m]);
  }
}

/* Edges of row j within the domain, n cells from column i0, o columns into the block: `out` has the
 * one to the west of i0 first. Row j is row[0], row j + 1 row[1], row j - 1 in w->south. */
static void stir_x(const step_args *st, const scratch *w, int j, int i0, int o, int n, stirred row,
                   const edge_rows *out, sw_found *found) {
  const sw *s = st->s;
  const int nx = s->planes.grid.nx, first = i0 == 0 && !s->rings.x ? 1 : 0,
            last = i0 + n == nx && !s->rings.x ? n : n + 1;
  const cell_rows *south = j > 0 || s->rings.y ? &w->south : &w->row[0],
                  *north = j + 1 < s->planes.grid.ny || s->rings.y ? &w->row[1] : &w->row[0];
  const int at = o + first;
  const edge_sides e = {cells_from(&w->row[0], s->nt, at),
                        cells_from(&w->row[0], s->nt, at + 1),
                        cells_from(south, 0, at),
                        cells_from(north, 0, at),
                        cells_from(south, 0, at + 1),
                        cells_from(north, 0, at + 1),
                        row,
                        row,
                        at,
                        at + 1};
  edge_rows inner = edges_from(out, s->nt, first);
  if (last > first) stir(st, w, true, last - first, &e, &inner, found);
}

/* Edges between row j, `here`, and the one north of it. */
static void stir_y(const step_args *st, const scratch *w, int j, int o, int n,
                   const cell_rows *here, stirred by_here, const cell_rows *north, stirred by_north,
                   edge_rows *out, sw_found *found) {
  const sw *s = st->s;
  if (!s->rings.y && (j < 0 || j == s->planes.grid.ny - 1)) return;
  const edge_sides e = {cells_from(here, s->nt, o + 1),
                        cells_from(north, s->nt, o + 1),
                        cells_from(here, 0, o),
                        cells_from(here, 0, o + 2),
                        cells_from(north, 0, o),
                        cells_from(north, 0, o + 2),
                        by_here,
                        by_north,
                        o + 1,
                        o + 1};
  stir(st, w, false, n, &e, out, found);
}

/* A row at first order. */
static stirred stirred_as_is(const cell_rows *row) {
  const stirred s = {row->u, row->v, row->c, row->c, row->c};
  return s;
}

/* The row that the march leaves behind, n cells from element o on. */
static void keep_south(scratch *w, const cell_rows *row, int o, int n) {
  const size_t size = (size_t)n * sizeof(R);
  memcpy(w->south.h + o, row->h + o, size);
  memcpy(w->south.u + o, row->u + o, size);
  memcpy(w->south.v + o, row->v + o, size);
}
