/* adi_mix.h - implicit diffusion of tracers on the CPU, for one precision. Included by adi_step.h
 * after adi_sweep.h.
 *
 * Lines are solved COLUMNS at a time, side by side, in place: a line needs no other. One that
 * closes upon itself is cut at the seam, as in a sweep (adi_sweep.h): the face before its first
 * cell is the one behind its last. Where a line runs through several parts of the grid each
 * eliminates its cells and substitutes back through them. */

/* Lines of one direction: their cells are `along` apart, the lines `across`. */
typedef struct mix_lines {
  const R *level, *bed;
  R *load;
  size_t along, across;
  int n; /* cells of a line */
  R mix; /* diffusion dt / d^2 */
} mix_lines;

/* The cell before where an elimination stands, and the face before that, of COLUMNS lines. No
 * water: the line begins, and nothing crosses its first face. */
typedef struct mix_edge {
  R h[COLUMNS], c[COLUMNS], up[COLUMNS], rhs[COLUMNS];
} mix_edge;

/* Eliminate `lines` lines from the cell `at` on. up, rhs: [n][COLUMNS], of the faces before the
 * cells; e: before the first cell, then the last one. */
ADI_LOOP static void mix_forward(const mix_lines *w, size_t at, int lines, mix_edge *e,
                                 R *RIA_RESTRICT up, R *RIA_RESTRICT rhs) {
  for (int i = 0; i < w->n; i++) {
    const size_t cell = at + (size_t)i * w->along;
    R *up_here = up + (size_t)i * COLUMNS, *rhs_here = rhs + (size_t)i * COLUMNS;
    for (int l = 0; l < lines; l++) {
      const size_t k = cell + (size_t)l * w->across;
      const R h_here = adi_depth(w->level[k], w->bed[k]);
      const R c_here = adi_concentration(w->load[k], h_here);
      const adi_row row =
          adi_eliminate(adi_mix_row(e->h[l], h_here, e->c[l], c_here, w->mix), e->up[l], e->rhs[l]);
      up_here[l] = e->up[l] = row.up;
      rhs_here[l] = e->rhs[l] = row.rhs;
      e->h[l] = h_here;
      e->c[l] = c_here;
    }
  }
}

/* Substitute back through all n cells. above: what crosses the face behind them, then that before
 * the first one. */
ADI_LOOP static void mix_back(const mix_lines *w, size_t at, int lines, R *above, const R *up,
                              const R *rhs) {
  for (int i = w->n - 1; i >= 0; i--)
    for (int l = 0; l < lines; l++) {
      const size_t k = at + (size_t)i * w->along + (size_t)l * w->across,
                   f = (size_t)i * COLUMNS + (size_t)l;
      const R x = rhs[f] - up[f] * above[l];
      w->load[k] = adi_mixed(w->load[k], x, above[l]);
      above[l] = x;
    }
}

/* --- lines that close upon themselves ----------------------------------------------------------
 */

/* What goes on with the elimination beside the edge: the same of 1 that crosses the seam, and the
 * first cell of the line. */
typedef struct mix_ring {
  mix_edge edge;
  R one[COLUMNS], h[COLUMNS], c[COLUMNS];
} mix_ring;

/* Depth and concentration of a cell. */
static R mix_depth(const mix_lines *w, size_t k) { return adi_depth(w->level[k], w->bed[k]); }
static R mix_conc(const mix_lines *w, size_t k) {
  return adi_concentration(w->load[k], mix_depth(w, k));
}

/* Of a line: what mix_forward does, of 1 that crosses the seam, after it. e: before the first cell.
 */
static R mix_one(const mix_lines *w, size_t at, const mix_edge *e, int l, bool begins, R one,
                 const R *up, R *out) {
  R h = e->h[l], c = e->c[l], up_before = e->up[l];
  for (int i = 0; i < w->n; i++) {
    const size_t k = at + (size_t)i * w->along, f = (size_t)i * COLUMNS;
    adi_row row = adi_mix_row(h, mix_depth(w, k), c, mix_conc(w, k), w->mix);
    row.rhs = begins && i == 0 ? (R)1 : (R)0;
    out[f] = one = adi_eliminate(row, up_before, one).rhs;
    up_before = up[f];
    h = mix_depth(w, k);
    c = mix_conc(w, k);
  }
  return one;
}

/* Eliminate. given: NULL where the lines begin. up, rhs, one: [n][COLUMNS]. */
ADI_LOOP static mix_ring mix_ring_forward(const mix_lines *w, size_t at, int lines,
                                          const mix_ring *given, R *up, R *rhs, R *one) {
  mix_ring r = {{{0}, {0}, {0}, {0}}, {0}, {0}, {0}};
  if (given) r = *given;
  const mix_edge before = r.edge;
  for (int l = 0; l < lines && !given; l++) {
    r.h[l] = mix_depth(w, at + (size_t)l * w->across);
    r.c[l] = mix_conc(w, at + (size_t)l * w->across);
  }
  mix_forward(w, at, lines, &r.edge, up, rhs);
  for (int l = 0; l < lines; l++)
    r.one[l] =
        mix_one(w, at + (size_t)l * w->across, &before, l, !given, r.one[l], up + l, one + l);
  return r;
}

/* The lines end: the row of the seam, which is the face behind the last cell. */
ADI_LOOP static ring_south mix_ring_end(const mix_lines *w, int lines, const mix_ring *ends) {
  ring_south r = {.north = {{0}, {0}}};
  for (int l = 0; l < lines; l++) {
    const adi_row row =
        adi_mix_row(ends->edge.h[l], ends->h[l], ends->edge.c[l], ends->c[l], w->mix);
    r.north.z[l] = 1;
    r.seam[0][l] = row.lo;
    r.seam[1][l] = row.di;
    r.seam[2][l] = row.up;
    r.seam[3][l] = row.rhs;
  }
  return r;
}

/* Substitute back; r: of mix_ring_end, or from the north. */
static void mix_ring_back(const mix_lines *w, int lines, const R *up, R *rhs, R *one, bool ends,
                          ring_south *r) {
  const size_t last = (size_t)(w->n - 1);
  ring_back(up, rhs, one, last, 0, lines, &r->north);
  if (ends) r->last = ring_face_at(rhs, one, last);
}

/* The face before the second cell of a line, of whose cells the first ones are here. */
static ring_face mix_ring_first(const mix_lines *w, const ring_south *r, const R *rhs,
                                const R *one) {
  return w->n > 1 ? ring_face_at(rhs, one, 1) : r->north;
}

/* Loads, from what crosses the seam. north: y and z of the face behind the last cell. */
ADI_LOOP static void mix_ring_put(const mix_lines *w, size_t at, int lines, const R *crosses,
                                  const ring_face *north, const R *rhs, const R *one) {
  R above[COLUMNS];
  for (int l = 0; l < lines; l++) above[l] = north->y[l] + crosses[l] * north->z[l];
  for (int i = w->n - 1; i >= 0; i--)
    for (int l = 0; l < lines; l++) {
      const size_t k = at + (size_t)i * w->along + (size_t)l * w->across,
                   f = (size_t)i * COLUMNS + (size_t)l;
      const R x = rhs[f] + crosses[l] * one[f];
      w->load[k] = adi_mixed(w->load[k], x, above[l]);
      above[l] = x;
    }
}

/* Whole lines. room: [3][n][COLUMNS]. */
static void mix_round(const mix_lines *w, size_t at, int lines, R *room) {
  R *up = room, *rhs = up + (size_t)w->n * COLUMNS, *one = rhs + (size_t)w->n * COLUMNS;
  const mix_ring ends = mix_ring_forward(w, at, lines, NULL, up, rhs, one);
  ring_south r = mix_ring_end(w, lines, &ends);
  mix_ring_back(w, lines, up, rhs, one, true, &r);
  const ring_face first = mix_ring_first(w, &r, rhs, one);
  const ring_north seam = ring_turn(&r, &first, lines);
  mix_ring_put(w, at, lines, seam.crosses, &r.north, rhs, one);
}

/* --- the lines of a thread --------------------------------------------------------------------
 */

/* Lines of tracer m along an axis: all that the part has. */
static mix_lines mix_lines_of(const adi *s, const R *level, enum adi_axis axis, int m, double dt) {
  const bool x = axis == ADI_X;
  const double d = x ? s->planes.grid.dx : s->planes.grid.dy;
  return (mix_lines){.level = level,
                     .bed = (const R *)s->bed,
                     .load = (R *)s->load[s->load_now][m],
                     .along = x ? 1 : s->planes.stride,
                     .across = x ? s->planes.stride : 1,
                     .n = x ? s->planes.grid.nx : ria_planes_rows(&s->planes),
                     .mix = (R)(s->diffusion[m] * dt / (d * d))};
}

/* A thread's lines along an axis, of all tracers: whole ones. */
static void mix(const adi *s, R *scratch, const R *level, enum adi_axis axis, double dt, int thread,
                int threads) {
  const bool x = axis == ADI_X;
  const int j0 = s->planes.part.j0, lines = x ? ria_planes_rows(&s->planes) : s->planes.grid.nx,
            groups = (lines + COLUMNS - 1) / COLUMNS;
  const int g0 = (int)((int64_t)groups * thread / threads),
            g1 = (int)((int64_t)groups * (thread + 1) / threads);
  for (int m = 0; m < s->nt; m++) {
    const mix_lines w = mix_lines_of(s, level, axis, m, dt);
    for (int k = g0; k < g1 && s->diffusion[m] > 0; k++) {
      const int first = k * COLUMNS, left = lines - first, n = left < COLUMNS ? left : COLUMNS;
      const size_t at = adi_at(s, x ? 0 : first, x ? j0 + first : j0);
      mix_edge before = {{0}, {0}, {0}, {0}};
      R above[COLUMNS] = {0}, *rhs = scratch + (size_t)w.n * COLUMNS;
      if (x ? s->rings.x : s->rings.y) {
        mix_round(&w, at, n, scratch);
        continue;
      }
      mix_forward(&w, at, n, &before, scratch, rhs);
      mix_back(&w, at, n, above, scratch, rhs);
    }
  }
}
