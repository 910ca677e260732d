/* adi_sweep.h - the two sweeps of a step on the CPU, for one precision (RIA_PRECISION).
 *
 * Lines are worked on in groups: an x-sweep takes as many rows as a vector has lanes, a y-sweep
 * COLUMNS columns. Of a group, in scratch that stays in cache:
 *
 *   across    what crosses the faces across, limited by what the cells beside have
 *   build     the rows of the tridiagonal systems, along the rows of the grid in either sweep
 *   solve     Thomas' algorithm, all lines of the group side by side: [face][lane], so that its
 *             recurrences vectorise. An x-sweep turns its rows into that order and back
 *   finish    what crosses the faces along, limited; new flux and level
 *
 * Between periodic sides a line closes upon itself. It is cut at the seam: solved once with nothing
 * crossing there and once for 1 that crosses, of which the row of the seam makes what does
 * (seam_flux). Columns that do so take what lies beyond their ends from the ghost rows.
 *
 * Each group reads the old planes and writes new ones, so groups need not wait for each other, and
 * faces between two groups are computed by both, by the same loop from the same
 * numbers. All results are the same for any number of threads. */
#include "adi_rows.h"
#include <string.h>

/* --- an x-sweep: LANES rows ---------------------------------------------------------------------
 *
 * Worked on eastwards in chunks of CHUNK columns, whose scratch stays in the nearest cache: across,
 * build, turn into the order of the lanes, eliminate.
 */

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

static void fill(R *a, int n, R v) {
  for (int i = 0; i < n; i++) a[i] = v;
}

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

/* --- a y-sweep: COLUMNS columns -----------------------------------------------------------------
 *
 * Face f is south of row f. A part of the grid solves for those north of its rows, and for the one
 * on the southern side where it has that. Of two more south of it, which its neighbour eliminated,
 * it knows the rows (adi_part_step.h): their fluxes, too, say what its own rows give. In a column
 * that closes upon itself the last face inside, -1, lies south of the first.
 */

enum { WIDE = COLUMNS + 16 }; /* columns -1..COLUMNS at [i + 8] */

/* The first face of a column that is known of, and how many are. Along a ring all parts count
 * alike: the first part leaves the place of its first one empty. */
static int first_face(const adi *s) {
  return s->planes.part.j0 > 0 || s->rings.y ? s->planes.part.j0 - 1 : 0;
}
static size_t kept_faces(const adi *s) { return (size_t)(s->planes.part.j1 - first_face(s) + 1); }

typedef struct column_group {
  R *up, *rhs;         /* [kept_faces][COLUMNS], eliminated */
  R *ring;             /* the same of 1 that crosses the seam */
  R (*seam)[COLUMNS];  /* [4] its row: lo, di, up, rhs; where ring_south has it */
  R share[WIDE];       /* across, of columns -1..n */
  R across[2][WIDE];   /* faces east of columns -1..n-1, of two rows */
  R known[2][COLUMNS]; /* of two rows */
  R lo[COLUMNS], di[COLUMNS], u[COLUMNS], b[COLUMNS];
  R give[2][COLUMNS], moved[2][COLUMNS];
} column_group;

/* What crosses the faces west and east of n cells of row j; [-1] is the face west of the first. */
static R *y_across(const sweep_args *w, column_group *c, int i0, int j, int n, int which) {
  const adi *s = w->s;
  const bool x = s->rings.x;
  const int from = x || i0 > 0 ? -1 : 0, to = x || i0 + n < s->planes.grid.nx ? n + 1 : n;
  R *share = c->share + 8, *out = c->across[which] + 8;
  share[-1] = share[n] = 1;
  const size_t at = adi_at(s, i0, j);
  shares_across(w, at + (size_t)(ptrdiff_t)from, to - from, share + from);
  cross(w, at - 1, n + 1, share - 1, share, out - 1);
  return out;
}

/* Prefetch part of a row some rows ahead: hardware prefetchers do not follow strides of a row. */
static void y_ahead(const sweep_args *w, int i0, int j, int n) {
  const int row = j + 6 < w->s->planes.grid.ny ? j + 6 : w->s->planes.grid.ny - 1;
  const size_t at = adi_at(w->s, i0, row);
  const R *const planes[] = {w->level, w->bed, w->v, w->v_old, w->u};
  for (int k = 0; k < 5; k++)
    for (int i = 0; i < n; i += LANES) __builtin_prefetch(planes[k] + at + i);
}

static void y_eliminate(column_group *c, int face, int n, const R *lo, const R *di,
                        R *RIA_RESTRICT up, R *RIA_RESTRICT rhs) {
  const R *up_before = face > 0 ? up - COLUMNS : c->u, *b_before = face > 0 ? rhs - COLUMNS : c->b;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const adi_row row = {lo[i], di[i], up[i], rhs[i]};
    const adi_row done = adi_eliminate(row, up_before[i], b_before[i]);
    up[i] = done.up;
    rhs[i] = done.rhs;
  }
}

/* Rows of the first or the last face of n columns that close upon themselves. */
static void y_cut(column_group *c, int n, R *up, R *rhs) {
  fill(c->lo, n, 0);
  fill(c->di, n, 1);
  fill(up, n, 0);
  fill(rhs, n, 0);
}

/* What y_eliminate does, of 1 that crosses the seam, after it. here: of this face. */
static void y_ring(const column_group *c, int face, int n, R crosses, const R *up, R *here) {
  for (int i = 0; i < n; i++) {
    const adi_row row = {c->lo[i], c->di[i], 0, crosses};
    here[i] = face > 0 ? adi_eliminate(row, up[i - COLUMNS], here[i - COLUMNS]).rhs : crosses;
  }
}

/* Boundary faces of n columns: side SOUTH or NORTH. */
static void y_rim(const sweep_args *w, column_group *c, ria_side side, int i0, int n,
                  const R *known, R *up, R *rhs) {
  const adi *s = w->s;
  for (int i = 0; i < n; i++) {
    const size_t at = adi_at(s, i0 + i, side == RIA_SOUTH ? 0 : s->planes.grid.ny - 1);
    const adi_row row = boundary_row(w, side, i0 + i, at, known[i]);
    c->lo[i] = row.lo;
    c->di[i] = row.di;
    up[i] = row.up;
    rhs[i] = row.rhs;
  }
}

/* Build and eliminate, northwards. */
ADI_LOOP static void y_forward(const sweep_args *w, column_group *c, int i0, int n) {
  const adi *s = w->s;
  const int ny = s->planes.grid.ny, j0 = s->planes.part.j0, first = first_face(s);
  memset(c->u, 0, sizeof c->u);
  memset(c->b, 0, sizeof c->b);
  for (int face = j0; face <= s->planes.part.j1; face++) {
    R *up = c->up + (size_t)(face - first) * COLUMNS,
      *rhs = c->rhs + (size_t)(face - first) * COLUMNS;
    R *here = c->known[face & 1], *before = c->known[~face & 1];
    if (face < ny || s->rings.y) {
      y_ahead(w, i0, face, n);
      const R *east = y_across(w, c, i0, face, n, 0);
      known(w, adi_at(s, i0, face), n, east - 1, east, here);
    }
    if (face == j0 && j0 > 0) continue; /* the neighbour's */
    if (s->rings.y && face == ny)
      build(w, adi_at(s, i0, ny - 1), n, before, here, c->seam[0], c->seam[1], c->seam[2],
            c->seam[3]);
    if (s->rings.y && (face == 0 || face == ny))
      y_cut(c, n, up, rhs);
    else if (face == 0)
      y_rim(w, c, RIA_SOUTH, i0, n, here, up, rhs);
    else if (face == ny)
      y_rim(w, c, RIA_NORTH, i0, n, before, up, rhs);
    else
      build(w, adi_at(s, i0, face - 1), n, before, here, c->lo, c->di, up, rhs);
    y_eliminate(c, face, n, c->lo, c->di, up, rhs);
    if (s->rings.y)
      y_ring(c, face, n, face == 0 || face == ny ? (R)1 : (R)0, up, c->ring + (rhs - c->rhs));
  }
}

/* Substitute back, from face `high` southwards to `low`, into the plane of new fluxes, or of what
 * comes of a first solution. solution[COLUMNS]: of the face north of them, then of `low`. */
ADI_LOOP static void y_back(const sweep_args *w, const column_group *c, int i0, int n, int high,
                            int low, R *solution) {
  const adi *s = w->s;
  const int first = first_face(s);
  R x[COLUMNS];
  memcpy(x, solution, sizeof x);
  for (int face = high; face >= low; face--) {
    const R *RIA_RESTRICT up = c->up + (size_t)(face - first) * COLUMNS,
                          *RIA_RESTRICT rhs = c->rhs + (size_t)(face - first) * COLUMNS;
    const size_t at = adi_at(s, i0, face - 1);
    const R *RIA_RESTRICT u = w->u + at;
    R *RIA_RESTRICT out = (w->between ? w->between : w->u_new) + at;
#pragma omp simd
    for (int i = 0; i < n; i++) x[i] = rhs[i] - up[i] * x[i];
    if (w->between) {
#pragma omp simd
      for (int i = 0; i < n; i++) out[i] = adi_between(u[i], x[i]);
    } else {
      memcpy(out, x, (size_t)n * sizeof(R));
    }
  }
  memcpy(solution, x, sizeof x);
}

/* --- columns that close upon themselves --------------------------------------------------------
 *
 * Their solution is what comes of nothing that crosses the seam (y) and what comes of 1 (z), as
 * often as crosses it. */

/* y and z of columns at one face. */
typedef struct ring_face {
  R y[COLUMNS], z[COLUMNS];
} ring_face;

/* What goes southwards: y and z of the face north of those that are next, of the last face inside
 * the grid, and the row of the seam. */
typedef struct ring_south {
  ring_face north, last;
  R seam[4][COLUMNS];
} ring_south;

/* And then northwards: what crosses the seam, and the first face inside. */
typedef struct ring_north {
  R crosses[COLUMNS];
  ring_face first;
} ring_north;

/* Substitute back through n columns from the k-th of those kept southwards to the one at `low`.
 * north: y and z of the face beyond. */
ADI_LOOP static void ring_back(const R *up, R *y, R *z, size_t k, size_t low, int n,
                               const ring_face *north) {
  const R *y_north = north->y, *z_north = north->z;
  for (k++; k-- > low;) {
    const size_t at = k * COLUMNS;
    for (int i = 0; i < n; i++) {
      y[at + (size_t)i] -= up[at + (size_t)i] * y_north[i];
      z[at + (size_t)i] -= up[at + (size_t)i] * z_north[i];
    }
    y_north = y + at;
    z_north = z + at;
  }
}

static ring_face ring_face_at(const R *y, const R *z, size_t k) {
  ring_face f;
  memcpy(f.y, y + k * COLUMNS, sizeof f.y);
  memcpy(f.z, z + k * COLUMNS, sizeof f.z);
  return f;
}

ADI_LOOP static ring_north ring_turn(const ring_south *r, const ring_face *first, int n) {
  ring_north to = {.first = *first};
  for (int i = 0; i < n; i++) {
    const adi_row row = {r->seam[0][i], r->seam[1][i], r->seam[2][i], r->seam[3][i]};
    to.crosses[i] = seam_flux(row, first->y[i], r->last.y[i], first->z[i], r->last.z[i]);
  }
  return to;
}

/* The solution at a face, into the plane of new fluxes, or of what comes of a first solution. */
ADI_LOOP static void y_put(const sweep_args *w, int i0, int n, int face, const R *crosses,
                           const R *y, const R *z) {
  const size_t at = adi_at(w->s, i0, face - 1);
  const R *u = w->u + at;
  R *RIA_RESTRICT out = (w->between ? w->between : w->u_new) + at;
  for (int i = 0; i < n; i++) {
    const R x = y[i] + crosses[i] * z[i];
    out[i] = w->between ? adi_between(u[i], x) : x;
  }
}

/* Southwards; `out` goes to the next part. given: NULL where the columns end, whose seam r has. */
static void y_ring_south(const adi *s, const column_group *c, int n, const ring_south *given,
                         ring_south *r, ring_south *out) {
  const size_t kept = kept_faces(s), low = s->planes.part.j0 > 0 ? 0 : 1;
  if (given) *r = *given;
  if (!given) r->north = ring_face_at(c->rhs, c->ring, kept - 1);
  ring_back(c->up, c->rhs, c->ring, given ? kept - 1 : kept - 2, low, n, &r->north);
  if (!given) r->last = ring_face_at(c->rhs, c->ring, kept - 2);
  *out = *r;
  out->north = ring_face_at(c->rhs, c->ring, 2);
}

/* Northwards: all faces that the part knows of, and in a last solution those beyond them, which say
 * what the rows there give. given: NULL where the columns begin. */
static ring_north y_ring_north(const sweep_args *w, const column_group *c, int i0, int n,
                               const ring_south *r, const ring_north *given) {
  const adi *s = w->s;
  const int j0 = s->planes.part.j0, j1 = s->planes.part.j1, ny = s->planes.grid.ny;
  const ring_face first = ring_face_at(c->rhs, c->ring, 2);
  const ring_north to = given ? *given : ring_turn(r, &first, n);
  for (int face = j0 > 0 ? j0 - 1 : 0; face <= j1; face++) {
    const size_t k = (size_t)(face - first_face(s)) * COLUMNS;
    y_put(w, i0, n, face, to.crosses, c->rhs + k, c->ring + k);
  }
  if (w->between) return to;
  if (j0 == 0) y_put(w, i0, n, -1, to.crosses, r->last.y, r->last.z);
  const ring_face *north = j1 == ny ? &to.first : &r->north;
  y_put(w, i0, n, j1 + 1, to.crosses, north->y, north->z);
  return to;
}

/* --- and all ---------------------------------------------------------------------------------- */

/* What crosses, new flux and level, northwards: row j needs the shares of row j + 1. */
ADI_LOOP static void y_finish(const sweep_args *w, column_group *c, int i0, int n,
                              adi_found *found) {
  const adi *s = w->s;
  const int ny = s->planes.grid.ny, j0 = s->planes.part.j0, j1 = s->planes.part.j1;
  const int start = first_face(s); /* a row of the neighbour's, of which only the shares count */
  fill(c->give[1], n, 1);
  for (int i = 0; i < n && j0 == 0; i++) let_out(w, RIA_SOUTH, i0 + i, adi_at(s, i0 + i, -1));
  for (int i = 0; i < n && j1 == ny; i++) let_out(w, RIA_NORTH, i0 + i, adi_at(s, i0 + i, ny - 1));
  for (int face = start; face <= j1; face++) {
    R *give = c->give[face & 1], *give_before = c->give[~face & 1];
    R *moved = c->moved[face & 1], *moved_before = c->moved[~face & 1];
    if (face < ny || s->rings.y) {
      const size_t at = adi_at(s, i0, face);
      y_ahead(w, i0, face, n);
      const R *east = y_across(w, c, i0, face, n, face & 1);
      shares_along(w, at, n, east - 1, east, give);
      const bool own = face >= j0 && face < j1;
      if (own && i0 == 0) count(s, RIA_WEST, face, 0, (double)east[-1]);
      if (own && i0 + n == s->planes.grid.nx) count(s, RIA_EAST, face, 0, (double)east[n - 1]);
      if (w->moved_across) {
        const int from = i0 > 0 ? 0 : -1;
        memcpy(w->moved_across + at + from, east + from, (size_t)(n - from) * sizeof(R));
      }
    } else {
      fill(give, n, 1);
    }
    if (face < j0) continue;
    const size_t below = adi_at(s, i0, face - 1);
    settle(w, below, n, give_before, give, moved);
    for (int i = 0; i < n && (face == 0 || face == ny); i++)
      keep_rated(w, face ? RIA_NORTH : RIA_SOUTH, i0 + i, below + (size_t)i, moved[i]);
    if (w->moved_along) memcpy(w->moved_along + below, moved, (size_t)n * sizeof(R));
    for (int i = 0; i < n && (face == 0 || face == ny); i++)
      count(s, face ? RIA_NORTH : RIA_SOUTH, i0 + i, 0, (double)moved[i]);
    if (face > j0) {
      const R *east = c->across[~face & 1] + 8;
      new_levels(w, below, n, east - 1, east, moved_before, moved, found);
    }
  }
}

static void y_group(const sweep_args *w, R *scratch, int i0, adi_found *found) {
  const adi *s = w->s;
  const int left = s->planes.grid.nx - i0, n = left < COLUMNS ? left : COLUMNS;
  column_group c;
  R beyond[COLUMNS] = {0};
  ring_south round, turned;
  c.up = scratch;
  c.rhs = scratch + kept_faces(s) * COLUMNS;
  c.ring = scratch + 2 * kept_faces(s) * COLUMNS;
  c.seam = round.seam;
  y_forward(w, &c, i0, n);
  if (s->rings.y) {
    y_ring_south(s, &c, n, NULL, &round, &turned);
    (void)y_ring_north(w, &c, i0, n, &round, NULL);
  } else {
    y_back(w, &c, i0, n, s->planes.grid.ny, 0, beyond);
  }
  if (w->between) return;
  y_finish(w, &c, i0, n, found);
}
