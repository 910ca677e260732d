/* adi_sweep_x.h - a sweep along x, for one precision: LANES rows at a time. Included by
 * adi_sweep.h.
 *
 * Worked on eastwards in chunks of CHUNK columns, whose scratch stays in the nearest cache: across,
 * build, turn into the order of the lanes, eliminate. Then westwards, substituting back, and back
 * into the order of the rows. */

typedef struct row_group {
  size_t stride;
  R *across;   /* [LANES + 1][stride], the faces south of row j0 + k; cell i at [i] */
  R *line;     /* two rows of [stride], cell i at [i + RIA_PLANE_PAD] */
  R *up, *rhs; /* [face][LANES], face m is west of cell m; eliminated */
  R *ring;     /* the same of 1 that crosses the seam */
  adi_row seam[LANES];
  R first[LANES];            /* known level of cell 0 */
  R share[LANES + 2][CHUNK]; /* across, of rows j0 - 1.. */
  R known[CHUNK + 1];
  R row[4][CHUNK + 1];              /* lo, di, up, rhs of the faces of a chunk */
  R turned[4][(CHUNK + 1) * LANES]; /* the same, of all lanes */
  R u[LANES], b[LANES];             /* where the elimination stands */
} row_group;

static void rows_carve(const adi *s, R *p, row_group *r) {
  r->stride = s->planes.stride;
  r->across = p, p += (LANES + 1) * r->stride;
  r->line = p, p += 2 * r->stride;
  r->up = p, p += r->stride * LANES;
  r->rhs = p, p += r->stride * LANES;
  r->ring = p;
  fill(r->u, LANES, 0);
  fill(r->b, LANES, 0);
}

static R *across_row(const row_group *r, int k) { /* k = 0..LANES */
  return r->across + (size_t)k * r->stride;
}

/* Prefetch the next chunk: hardware prefetchers do not follow as many rows as these. */
static void x_ahead(const sweep_args *w, int j0, int rows, int c0) {
  const R *const planes[] = {w->level, w->bed, w->v, w->v_old, w->u};
  const int n = w->s->planes.grid.nx - c0 < CHUNK ? w->s->planes.grid.nx - c0 : CHUNK;
  for (int k = -1; k <= rows; k++)
    for (int m = 0; m < 5; m++) {
      const R *p = planes[m] + adi_at(w->s, c0, j0 + k < w->s->planes.grid.ny ? j0 + k : j0);
      for (int i = 0; i < n; i += LANES) __builtin_prefetch(p + i);
    }
}

/* What crosses the faces south and north of the cells c0..c0+n-1 of `rows` rows from j0 on. */
static void x_across(const sweep_args *w, row_group *r, int j0, int rows, int c0, int n) {
  const adi *s = w->s;
  for (int k = -1; k <= rows; k++) {
    const int j = j0 + k;
    if (s->rings.y || (j >= 0 && j < s->planes.grid.ny))
      shares_across(w, adi_at(s, c0, j), n, r->share[k + 1]);
    else
      fill(r->share[k + 1], n, 1);
  }
  for (int k = 0; k <= rows; k++)
    cross(w, adi_at(s, c0, j0 + k - 1), n, r->share[k], r->share[k + 1], across_row(r, k) + c0);
}

/* The account of the sides in the south and north, and the plane of what crossed for the tracers.
 */
static void x_record(const sweep_args *w, const row_group *r, int j0, int rows) {
  const adi *s = w->s;
  const int nx = s->planes.grid.nx;
  for (int k = 0; k <= rows && w->moved_across; k++)
    if (k > 0 || j0 == 0)
      memcpy(w->moved_across + adi_at(s, 0, j0 + k - 1), across_row(r, k), (size_t)nx * sizeof(R));
  for (int i = 0; i < nx && j0 == 0; i++) count(s, RIA_SOUTH, i, 0, (double)across_row(r, 0)[i]);
  for (int i = 0; i < nx && j0 + rows == s->planes.grid.ny; i++)
    count(s, RIA_NORTH, i, 0, (double)across_row(r, rows)[i]);
}

static void put_row(row_group *r, int at, adi_row row) {
  r->row[0][at] = row.lo;
  r->row[1][at] = row.di;
  r->row[2][at] = row.up;
  r->row[3][at] = row.rhs;
}

/* The first or the last face of row j; at: the cell inside. */
static adi_row x_end(const sweep_args *w, ria_side side, int j, size_t at, R known) {
  return w->s->rings.x ? face_of(0) : boundary_row(w, side, adi_row_of(w->s, j), at, known);
}

/* The face at the seam: the last one of the row. known: of the last cell. */
static adi_row x_seam(const sweep_args *w, const row_group *r, int j, int lane, R known) {
  adi_row row;
  build(w, adi_at(w->s, w->s->planes.grid.nx - 1, j), 1, &known, &r->first[lane], &row.lo, &row.di,
        &row.up, &row.rhs);
  return row;
}

/* The faces west of the cells c0..c0+n-1 of row j, and the last one of the row, into lane `lane`.
 */
static void x_build(const sweep_args *w, row_group *r, int j, int lane, int c0, int n) {
  const adi *s = w->s;
  const int nx = s->planes.grid.nx, first = c0 > 0 ? c0 - 1 : 0, last = c0 + n == nx,
            skip = c0 == 0;
  const size_t at = adi_at(s, first, j);
  known(w, at, c0 + n - first, across_row(r, lane) + first, across_row(r, lane + 1) + first,
        r->known);
  build(w, at, n - skip, r->known, r->known + 1, r->row[0] + skip, r->row[1] + skip,
        r->row[2] + skip, r->row[3] + skip);
  if (skip) r->first[lane] = r->known[0];
  if (skip) put_row(r, 0, x_end(w, RIA_WEST, j, at, r->known[0]));
  if (last) put_row(r, n, x_end(w, RIA_EAST, j, adi_at(s, nx - 1, j), r->known[nx - 1 - first]));
  if (last && s->rings.x) r->seam[lane] = x_seam(w, r, j, lane, r->known[nx - 1 - first]);
  for (int m = 0; m < 4; m++) {
    const R *RIA_RESTRICT from = r->row[m];
    R *RIA_RESTRICT to = r->turned[m] + lane;
    for (int i = 0; i < n + last; i++) to[(size_t)i * LANES] = from[i];
  }
}

/* Eliminate n faces from c0 on in all lanes. */
ADI_LOOP static void x_eliminate(row_group *r, int c0, int n) {
  const R *RIA_RESTRICT lo = r->turned[0], *RIA_RESTRICT di = r->turned[1],
                        *RIA_RESTRICT up = r->turned[2], *RIA_RESTRICT rhs = r->turned[3];
  R *RIA_RESTRICT up_to = r->up + (size_t)c0 * LANES,
                  *RIA_RESTRICT rhs_to = r->rhs + (size_t)c0 * LANES;
  R u[LANES], b[LANES];
  memcpy(u, r->u, sizeof u);
  memcpy(b, r->b, sizeof b);
  for (int i = 0; i < n; i++) {
#pragma omp simd
    for (int l = 0; l < LANES; l++) {
      const size_t at = (size_t)i * LANES + (size_t)l;
      const adi_row row = {lo[at], di[at], up[at], rhs[at]};
      const adi_row done = adi_eliminate(row, u[l], b[l]);
      up_to[at] = u[l] = done.up;
      rhs_to[at] = b[l] = done.rhs;
    }
  }
  memcpy(r->u, u, sizeof u);
  memcpy(r->b, b, sizeof b);
}

/* The same of 1 that crosses the seam, once they are eliminated. nx: faces but the last one. */
ADI_LOOP static void x_ring(row_group *r, int c0, int n, int nx) {
  const R *lo = r->turned[0], *di = r->turned[1];
  for (int i = 0; i < n; i++) {
    const int face = c0 + i;
    const R crosses = face == 0 || face == nx ? (R)1 : (R)0;
    const size_t here = (size_t)face * LANES, before = face > 0 ? here - LANES : here;
#pragma omp simd
    for (int l = 0; l < LANES; l++) {
      const size_t at = (size_t)i * LANES + (size_t)l;
      const adi_row row = {face > 0 ? lo[at] : 0, di[at], 0, crosses};
      const R up = face > 0 ? r->up[before + (size_t)l] : 0;
      const R ring = face > 0 ? r->ring[before + (size_t)l] : 0;
      r->ring[here + (size_t)l] = adi_eliminate(row, up, ring).rhs;
    }
  }
}

/* Substitute back through n faces; the solutions are left in rhs. */
ADI_LOOP static void x_back(const row_group *r, int n, R *RIA_RESTRICT rhs) {
  const R *RIA_RESTRICT up = r->up;
  R x[LANES] = {0};
  for (int i = n - 1; i >= 0; i--) {
#pragma omp simd
    for (int l = 0; l < LANES; l++) {
      const size_t at = (size_t)i * LANES + (size_t)l;
      rhs[at] = x[l] = rhs[at] - up[at] * x[l];
    }
  }
}

/* What crosses the seam, and with that the solutions in rhs. */
static void x_join(row_group *r, int nx) {
  const size_t first = LANES, last = (size_t)(nx - 1) * LANES;
  R seam[LANES];
  for (int l = 0; l < LANES; l++)
    seam[l] = seam_flux(r->seam[l], r->rhs[first + l], r->rhs[last + l], r->ring[first + l],
                        r->ring[last + l]);
  for (size_t face = 0; face <= (size_t)nx; face++)
    for (int l = 0; l < LANES; l++) r->rhs[face * LANES + l] += seam[l] * r->ring[face * LANES + l];
}

/* n fluxes from `at` on, solved for `stride` apart: the new ones, or what comes of a first
 * solution.
 */
ADI_LOOP static void x_store(const sweep_args *w, size_t at, int n, const R *from) {
  const R *RIA_RESTRICT u = w->u + at;
  R *RIA_RESTRICT to = (w->between ? w->between : w->u_new) + at;
  if (w->between)
    for (int i = 0; i < n; i++) to[i] = adi_between(u[i], from[(size_t)i * LANES]);
  else
    for (int i = 0; i < n; i++) to[i] = from[(size_t)i * LANES];
}

/* The solutions, back in the order of the rows. */
static void x_return(const sweep_args *w, const row_group *r, int j0, int rows) {
  const int faces = w->s->planes.grid.nx + 1;
  for (int c0 = 0; c0 < faces; c0 += CHUNK) {
    const int n = faces - c0 < CHUNK ? faces - c0 : CHUNK;
    for (int k = 0; k < rows; k++)
      x_store(w, adi_at(w->s, c0 - 1, j0 + k), n, r->rhs + (size_t)c0 * LANES + (size_t)k);
  }
}

/* Row j once it is solved: water, new flux, new level. */
static void x_finish(const sweep_args *w, const row_group *r, int j, int lane, adi_found *found) {
  const adi *s = w->s;
  const int nx = s->planes.grid.nx;
  const size_t at = adi_at(s, 0, j);
  const R *below = across_row(r, lane), *above = across_row(r, lane + 1);
  R *share = r->line + RIA_PLANE_PAD, *moved = r->line + r->stride + RIA_PLANE_PAD;
  let_out(w, RIA_WEST, j, at - 1);
  let_out(w, RIA_EAST, j, at + (size_t)nx - 1);
  shares_along(w, at, nx, below, above, share);
  share[-1] = s->rings.x ? share[nx - 1] : (R)1;
  share[nx] = s->rings.x ? share[0] : (R)1;
  settle(w, at - 1, nx + 1, share - 1, share, moved - 1);
  keep_rated(w, RIA_WEST, j, at - 1, moved[-1]);
  keep_rated(w, RIA_EAST, j, at + (size_t)nx - 1, moved[nx - 1]);
  if (w->moved_along) memcpy(w->moved_along + at - 1, moved - 1, ((size_t)nx + 1) * sizeof(R));
  count(s, RIA_WEST, j, 0, (double)moved[-1]);
  count(s, RIA_EAST, j, 0, (double)moved[nx - 1]);
  new_levels(w, at, nx, below, above, moved - 1, moved, found);
}

/* Rows j0 .. j1 - 1, LANES at most. */
ADI_LOOP static void x_group(const sweep_args *w, R *scratch, int j0, int j1, adi_found *found) {
  const adi *s = w->s;
  const int nx = s->planes.grid.nx, left = j1 - j0, rows = left < LANES ? left : LANES;
  row_group r;
  rows_carve(s, scratch, &r);
  for (int m = 0; m < 4; m++) /* lanes without a row */
    fill(r.turned[m], (CHUNK + 1) * LANES, m == 1 ? (R)1 : (R)0);
  for (int k = 0; k < LANES; k++) r.seam[k] = face_of(0);
  for (int c0 = 0; c0 < nx; c0 += CHUNK) {
    const int n = nx - c0 < CHUNK ? nx - c0 : CHUNK;
    x_ahead(w, j0, rows, c0 + n);
    x_across(w, &r, j0, rows, c0, n);
    for (int k = 0; k < rows; k++) x_build(w, &r, j0 + k, k, c0, n);
    x_eliminate(&r, c0, n + (c0 + n == nx));
    if (s->rings.x) x_ring(&r, c0, n + (c0 + n == nx), nx);
  }
  x_back(&r, nx + 1, r.rhs);
  if (s->rings.x) x_back(&r, nx + 1, r.ring), x_join(&r, nx);
  x_return(w, &r, j0, rows);
  if (w->between) return;
  x_record(w, &r, j0, rows);
  for (int k = 0; k < rows; k++) x_finish(w, &r, j0 + k, k, found);
}
