/* adi_columns.h - lines along y, for one precision: the systems of COLUMNS columns, built and
 * eliminated northwards, solved southwards. Included by adi_sweep.h.
 *
 * Face f is south of row f. A part of the grid solves for those north of its rows, and for the one
 * on the southern side where it has that. Of two more south of it, which its neighbour eliminated,
 * it knows the rows (adi_part_step.h): their fluxes, too, say what its own rows give. In a column
 * that closes upon itself the last face inside, -1, lies south of the first. */

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
