/* shallow_water_rows.h - the CPU's scratch, rows of a block, and the loops over them: cells before
 * a step, edges at first order, cells after it. Included by shallow_water_step.h, in the run's
 * precision. */

/* Scratch of a thread. Rows of cells: [0] is the column west of the block. Rows of edges: x edge
 * [e] lies between cells [e] and [e + 1]; y edges are under cell [i]. */
typedef struct cell_rows {
  R *h, *u, *v, *w, *c[RIA_MAX_TRACERS]; /* w: celerity sqrt(g h); c: concentrations */
} cell_rows;
typedef struct edge_rows {
  R *h, *left, *right, *side, *c[RIA_MAX_TRACERS]; /* side: tangential momentum */
} edge_rows;
/* Cells half a step ahead, at second order: sw_ahead, sw_trust and, of each tracer, sw_faces;
 * then: of sw_lean, of one tracer after the other. */
typedef struct ahead_rows {
  R *h, *u, *v, *xh, *xu, *xv, *xe, *yh, *yu, *yv, *ye, *trust, *then;
  R *cw[RIA_MAX_TRACERS], *ce[RIA_MAX_TRACERS], *cs[RIA_MAX_TRACERS], *cn[RIA_MAX_TRACERS],
      *cm[RIA_MAX_TRACERS];
} ahead_rows;
typedef struct scratch {
  cell_rows row[3]; /* this row, the one to its north, at second order the next too; they take turns
                     * as the march goes on */
  ahead_rows ahead[2]; /* of this row and the one to its north */
  cell_rows south;     /* depth and velocities of the row behind: where there are eddies */
  R *nu;               /* eddy viscosity at edges */
  edge_rows x, y[2];
  R *apparent; /* bed of cells on the high side of edges, as it seems with forces */
} scratch;

/* A number and its bit pattern. */
typedef RIA_K(sw_whole) whole;
typedef union bits {
  R r;
  whole i;
} bits;

/* What does not change within a step. */
typedef struct step_args {
  const sw *s;
  sw_const k;
  const R *bed;
  const R *manning; /* a plane, or the one value for all */
  R manning_one;
  const R *old[SW_STATES];
  R *new[SW_STATES];
  const uint8_t *wet_old;
  uint8_t *wet_new;
  double dt;
  R dtdx, dtdy, gdt;
  bool forced;
  sw_forces forces;
  R mix_x[RIA_MAX_TRACERS], mix_y[RIA_MAX_TRACERS];     /* D dt / dx^2, D dt / dy^2 */
  R known_x[RIA_MAX_TRACERS], known_y[RIA_MAX_TRACERS]; /* with the constant part of eddies */
  R keep[RIA_MAX_TRACERS];                              /* exp(-decay dt) */
  sw_second second;                                     /* order 2 */
  bool stirs;                                           /* there are eddies, */
  sw_eddies eddies;
  R eddy_x, eddy_y; /* of the constant part E dt / dx^2 and E dt / dy^2 */
  int plain;        /* tracers that edges carry as waves are worked out: none where eddies follow */
} step_args;

static R *next_row(R **p) {
  R *row = *p + RIA_PLANE_PAD - 1;
  *p += ROW;
  return row;
}

static void carve_ahead(ahead_rows *a, int nt, R **p) {
  R **one[] = {&a->h,  &a->u,  &a->v,  &a->xh, &a->xu,    &a->xv,  &a->xe,
               &a->yh, &a->yu, &a->yv, &a->ye, &a->trust, &a->then};
  for (int m = 0; m < SW_AHEAD; m++) *one[m] = next_row(p);
  for (int m = 0; m < nt; m++) {
    a->cw[m] = next_row(p);
    a->ce[m] = next_row(p);
    a->cs[m] = next_row(p);
    a->cn[m] = next_row(p);
    a->cm[m] = next_row(p);
  }
}

/* The rows of a thread: shallow_water.c allocates as many. */
static void carve(sw *s, int thread, scratch *w) {
  R *p = (R *)s->scratch[thread];
  const bool second = s->param.order == 2;
  for (int k = 0; k < (second ? 3 : 2); k++) {
    R **a[] = {&w->row[k].h, &w->row[k].u, &w->row[k].v, &w->row[k].w};
    for (int m = 0; m < 4; m++) *a[m] = next_row(&p);
    for (int m = 0; m < s->nt; m++) w->row[k].c[m] = next_row(&p);
  }
  for (int k = 0; k < 3; k++) {
    edge_rows *e = k == 2 ? &w->x : &w->y[k];
    R **a[] = {&e->h, &e->left, &e->right, &e->side};
    for (int m = 0; m < 4; m++) *a[m] = next_row(&p);
    for (int m = 0; m < s->nt; m++) e->c[m] = next_row(&p);
  }
  for (int k = 0; second && k < 2; k++) carve_ahead(&w->ahead[k], s->nt, &p);
  w->apparent = next_row(&p);
  if (!sw_stirs(&s->param)) return;
  R **eddies[SW_EDDY_ROWS] = {&w->south.h, &w->south.u, &w->south.v, &w->nu};
  for (int m = 0; m < SW_EDDY_ROWS; m++) *eddies[m] = next_row(&p);
  w->south.w = w->south.h; /* not looked at */
}

/* Scratch as seen from column `o` of the block. */
static cell_rows cells_from(const cell_rows *a, int nt, int o) {
  cell_rows b = {a->h + o, a->u + o, a->v + o, a->w + o, {0}};
  for (int m = 0; m < nt; m++) b.c[m] = a->c[m] + o;
  return b;
}
static edge_rows edges_from(const edge_rows *a, int nt, int o) {
  edge_rows b = {a->h + o, a->left + o, a->right + o, a->side + o, {0}};
  for (int m = 0; m < nt; m++) b.c[m] = a->c[m] + o;
  return b;
}

/* --- loops over a block of a row -------------------------------------------------------------- */

/* Depth that takes part, velocities and concentrations of n cells from `at` on. */
SW_LOOP static void prepare(const step_args *st, size_t at, int n, cell_rows *out) {
  const R *RIA_RESTRICT h = st->old[SW_H] + at, *RIA_RESTRICT qx = st->old[SW_STATE_QX] + at,
                        *RIA_RESTRICT qy = st->old[SW_STATE_QY] + at;
  R *RIA_RESTRICT oh = out->h, *RIA_RESTRICT ou = out->u, *RIA_RESTRICT ov = out->v,
                  *RIA_RESTRICT ow = out->w;
  const sw_const k = st->k;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const sw_flow f = sw_flow_of(h[i], qx[i], qy[i], &k);
    oh[i] = f.h;
    ou[i] = f.u;
    ov[i] = f.v;
    ow[i] = f.c;
  }
  for (int m = 0; m < st->s->nt; m++) {
    const R *RIA_RESTRICT hc = st->old[SW_STATE_C + m] + at;
    R *RIA_RESTRICT oc = out->c[m];
#pragma omp simd
    for (int i = 0; i < n; i++) /* the CPU divides: of 1 / h it matters only whether there is one */
      oc[i] = sw_concentration(hc[i], h[i], h[i] > k.dry ? (R)1 : (R)0);
  }
}

/* n edges; edge i between cells i and i + ahead of the arrays given (ahead = 1 along x). */
SW_LOOP static void edges_between(const step_args *st, int n, const R *RIA_RESTRICT hl,
                                  const R *RIA_RESTRICT ul, const R *RIA_RESTRICT wl,
                                  const R *RIA_RESTRICT zl, const R *RIA_RESTRICT hr,
                                  const R *RIA_RESTRICT ur, const R *RIA_RESTRICT wr,
                                  const R *RIA_RESTRICT zr, R dt_dx, edge_rows *out) {
  R *RIA_RESTRICT oh = out->h, *RIA_RESTRICT oleft = out->left, *RIA_RESTRICT oright = out->right;
  const sw_const k = st->k;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const sw_side l = {hl[i], ul[i], zl[i], wl[i]}, r = {hr[i], ur[i], zr[i], wr[i]};
    const sw_flux f = sw_edge(l, r, dt_dx, &k);
    oh[i] = f.h;
    oleft[i] = f.left;
    oright[i] = f.right;
  }
}

/* The bed of the cells on the high side of n edges, as it seems with forces: sw_tilt. */
SW_LOOP static void apparent_bed(int n, const R *RIA_RESTRICT hl, const R *RIA_RESTRICT vl,
                                 const R *RIA_RESTRICT hr, const R *RIA_RESTRICT vr,
                                 const R *RIA_RESTRICT z, R turn, R stress, R shoal, R d_g,
                                 R *RIA_RESTRICT out) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = z[i] - sw_tilt(hl[i], vl[i], hr[i], vr[i], turn, stress, shoal, d_g);
}

/* The tangential momentum that n edges carry. */
SW_LOOP static void carry_along(int n, const R *RIA_RESTRICT moved, const R *RIA_RESTRICT left,
                                const R *RIA_RESTRICT right, R *RIA_RESTRICT out) {
#pragma omp simd
  for (int i = 0; i < n; i++) out[i] = sw_along(moved[i], left[i], right[i]);
}

/* What n edges carry of a tracer: with the water, and by diffusion. mix = D dt / dx^2. */
SW_LOOP static void carry(int n, const R *RIA_RESTRICT moved, const R *RIA_RESTRICT hl,
                          const R *RIA_RESTRICT cl, const R *RIA_RESTRICT hr,
                          const R *RIA_RESTRICT cr, R mix, R *RIA_RESTRICT out) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] =
        sw_carried(sw_along(moved[i], cl[i], cr[i]) + water_mixed(hl[i], cl[i], hr[i], cr[i], mix),
                   hl[i], cl[i], hr[i], cr[i]);
}

/* The loop of update, inlined for each case. rough: 1 where Manning's n is a row, 0 for one value;
 * forced: momentum turns with the earth. The maximum is taken on bit patterns: speeds are not
 * negative, and integers are what every compiler vectorises a maximum of. */
RIA_KERNEL R update_cells(const step_args *st, size_t at, int n, const edge_rows *x,
                          const edge_rows *s, const edge_rows *nn, int rough, bool forced,
                          int *bad_out) {
  const R *RIA_RESTRICT h = st->old[SW_H] + at, *RIA_RESTRICT qx = st->old[SW_STATE_QX] + at,
                        *RIA_RESTRICT qy = st->old[SW_STATE_QY] + at;
  const R *RIA_RESTRICT xh = x->h, *RIA_RESTRICT xl = x->left, *RIA_RESTRICT xr = x->right,
                        *RIA_RESTRICT xs = x->side;
  const R *RIA_RESTRICT sh = s->h, *RIA_RESTRICT sr = s->right, *RIA_RESTRICT ss = s->side;
  const R *RIA_RESTRICT nh = nn->h, *RIA_RESTRICT nl = nn->left, *RIA_RESTRICT ns = nn->side;
  const R *RIA_RESTRICT manning = st->manning + (rough ? at : 0);
  R *RIA_RESTRICT oh = st->new[SW_H] + at, *RIA_RESTRICT oqx = st->new[SW_STATE_QX] + at,
                  *RIA_RESTRICT oqy = st->new[SW_STATE_QY] + at;
  const R dtdx = st->dtdx, dtdy = st->dtdy, gdt = st->gdt;
  const sw_const k = st->k;
  const R half = (R)0.5 * st->forces.turn * (R)st->dt;
  int bad = 0;
  whole most = 0;
#pragma omp simd reduction(max : most) reduction(| : bad)
  for (int i = 0; i < n; i++) {
    R px = sw_push_x(qx[i], xr[i], xl[i + 1], ss[i], ns[i], dtdx);
    R py = sw_push_y(qy[i], xs[i], xs[i + 1], sr[i], nl[i], dtdy);
    if (forced) sw_turn(qx[i], qy[i], &px, &py, half);
    const R n_here = manning[rough * i];
    const sw_cell c =
        sw_update(sw_left(h[i], xh[i], xh[i + 1], sh[i], nh[i]), px, py, gdt * n_here * n_here, &k);
    const bits found = {.r = c.speed};
    most = found.i > most ? found.i : most;
    bad |= c.bad;
    oh[i] = c.h;
    oqx[i] = c.qx;
    oqy[i] = c.qy;
  }
  *bad_out = bad;
  return ((bits){.i = most}).r;
}

/* New depth and discharges of n cells at `at`. Returns the largest wave speed; *bad: a result is
 * NaN, infinite or negative. */
SW_LOOP static R update(const step_args *st, size_t at, int n, const edge_rows *x,
                        const edge_rows *s, const edge_rows *nn, int *bad) {
  const int rough = st->manning != &st->manning_one;
  if (st->forced) return update_cells(st, at, n, x, s, nn, rough, true, bad);
  if (rough) return update_cells(st, at, n, x, s, nn, 1, false, bad);
  return update_cells(st, at, n, x, s, nn, 0, false, bad);
}

SW_LOOP static int update_tracer(const step_args *st, int m, size_t at, int n,
                                 const R *RIA_RESTRICT xc, const R *RIA_RESTRICT sc,
                                 const R *RIA_RESTRICT nc) {
  const R *RIA_RESTRICT hc = st->old[SW_STATE_C + m] + at;
  R *RIA_RESTRICT out = st->new[SW_STATE_C + m] + at;
  const R big = (R)1e30;
  int bad = 0;
#pragma omp simd reduction(| : bad)
  for (int i = 0; i < n; i++) {
    R v = sw_left(hc[i], xc[i], xc[i + 1], sc[i], nc[i]);
    bad |= !(ria_abs(v) < big);
    out[i] = v;
  }
  return bad;
}

/* First-order decay over the step, in water only; returns what n cells lost, in the unit of h C. */
static double decay(const step_args *st, int m, size_t at, int n) {
  R *RIA_RESTRICT out = st->new[SW_STATE_C + m] + at;
  const R *RIA_RESTRICT h = st->new[SW_H] + at;
  const R keep = st->keep[m];
  const sw_const k = st->k;
  double lost = 0.0;
#pragma omp simd reduction(+ : lost)
  for (int i = 0; i < n; i++) {
    R v = sw_decayed(out[i], h[i], keep, &k);
    lost += (double)out[i] - (double)v;
    out[i] = v;
  }
  return lost;
}
