/* adi_sweep_y.h - a sweep along y, for one precision: COLUMNS columns at a time, and what crosses,
 * new flux and level once they are solved. Included by adi_sweep.h. */

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
