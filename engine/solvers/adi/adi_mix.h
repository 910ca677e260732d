/* adi_mix.h - implicit diffusion of tracers on the CPU, for one precision. Included by adi_step.h
 * after adi_sweep.h.
 *
 * Lines are solved COLUMNS at a time, side by side, in place: a line needs no other. One that
 * closes upon itself is cut at the seam, as in a sweep (adi_sweep.h). Where a line runs through
 * several parts of the grid each eliminates its cells and substitutes back through them. */

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

/* Depth and concentration of a cell. */
static R mix_depth(const mix_lines *w, size_t k) { return adi_depth(w->level[k], w->bed[k]); }
static adi_row mix_face(const mix_lines *w, size_t low, size_t high) {
  const R l = mix_depth(w, low), h = mix_depth(w, high);
  return adi_mix_row(l, h, adi_concentration(w->load[low], l), adi_concentration(w->load[high], h),
                     w->mix);
}

/* A line from the cell `at` on that closes upon itself, eliminated: its solution is left in rhs, as
 * if nothing more was to be substituted. Returns what crosses the seam. up, rhs, and room for one
 * more, of COLUMNS lines. */
static R mix_join(const mix_lines *w, size_t at, R *up, R *rhs, R *room) {
  const int n = w->n;
  const size_t end = at + (size_t)(n - 1) * w->along;
  room[0] = 1;
  for (int i = 1; i < n; i++) {
    adi_row row = mix_face(w, at + (size_t)(i - 1) * w->along, at + (size_t)i * w->along);
    row.rhs = 0;
    room[i * COLUMNS] = adi_eliminate(row, up[(i - 1) * COLUMNS], room[(i - 1) * COLUMNS]).rhs;
  }
  room[(n - 1) * COLUMNS] -= n > 1 ? up[(n - 1) * COLUMNS] : (R)0;
  for (int i = n - 2; i >= 0; i--) {
    rhs[i * COLUMNS] -= up[i * COLUMNS] * rhs[(i + 1) * COLUMNS];
    room[i * COLUMNS] -= up[i * COLUMNS] * room[(i + 1) * COLUMNS];
  }
  const R y = n > 1 ? rhs[COLUMNS] : (R)0, z = n > 1 ? room[COLUMNS] : (R)1;
  const R seam =
      seam_flux(mix_face(w, end, at), y, rhs[(n - 1) * COLUMNS], z, room[(n - 1) * COLUMNS]);
  for (int i = 0; i < n; i++) {
    rhs[i * COLUMNS] += seam * room[i * COLUMNS];
    up[i * COLUMNS] = 0;
  }
  return seam;
}

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
      R above[COLUMNS] = {0};
      R *rhs = scratch + (size_t)w.n * COLUMNS, *room = rhs + (size_t)w.n * COLUMNS;
      mix_forward(&w, at, n, &before, scratch, rhs);
      for (int l = 0; (x ? s->rings.x : s->rings.y) && l < n; l++)
        above[l] = mix_join(&w, at + (size_t)l * w.across, scratch + l, rhs + l, room + l);
      mix_back(&w, at, n, above, scratch, rhs);
    }
  }
}
