/* adi_columns_ring.h - columns that close upon themselves, between a periodic south and north, for
 * one precision: how they are solved once they are eliminated. Included by adi_sweep.h.
 *
 * The solution of a column is y + crosses * z: y with nothing crossing the seam, z with 1 crossing
 * it and nothing else driving, `crosses` what does cross. */

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
