/* adi_mix.h - implicit diffusion of tracers on the CPU, for one precision. Included by adi_step.h
 * after adi_sweep.h.
 *
 * Lines are solved COLUMNS at a time, side by side, in place: a line needs no other. */

/* Lines of one direction: their cells are `along` apart, the lines `across`. */
typedef struct mix_lines {
  const R *level, *bed;
  R *load;
  size_t along, across;
  int n; /* cells of a line */
  R mix; /* diffusion dt / d^2 */
} mix_lines;

/* `lines` lines from the cell `at` on. up, rhs: [n][COLUMNS], of the faces before the cells. */
static void mix_group(const mix_lines *w, size_t at, int lines, R *RIA_RESTRICT up,
                      R *RIA_RESTRICT rhs) {
  R h[COLUMNS] = {0}, c[COLUMNS] = {0}, above[COLUMNS] = {0};
  for (int l = 0; l < COLUMNS; l++) up[l] = rhs[l] = 0; /* nothing crosses the first face */
  for (int i = 0; i < w->n; i++) {
    const size_t cell = at + (size_t)i * w->along;
    R *up_here = up + (size_t)i * COLUMNS, *rhs_here = rhs + (size_t)i * COLUMNS;
    for (int l = 0; l < lines; l++) {
      const size_t k = cell + (size_t)l * w->across;
      const R h_here = adi_depth(w->level[k], w->bed[k]);
      const R c_here = adi_concentration(w->load[k], h_here);
      if (i > 0) {
        const adi_row row = adi_eliminate(adi_mix_row(h[l], h_here, c[l], c_here, w->mix),
                                          up_here[l - (int)COLUMNS], rhs_here[l - (int)COLUMNS]);
        up_here[l] = row.up;
        rhs_here[l] = row.rhs;
      }
      h[l] = h_here;
      c[l] = c_here;
    }
  }
  for (int i = w->n - 1; i >= 0; i--) /* x of the face before cell i; above: of the one behind it */
    for (int l = 0; l < lines; l++) {
      const size_t k = at + (size_t)i * w->along + (size_t)l * w->across,
                   f = (size_t)i * COLUMNS + (size_t)l;
      const R x = rhs[f] - up[f] * above[l];
      w->load[k] = adi_mixed(w->load[k], x, above[l]);
      above[l] = x;
    }
}

/* A thread's lines along an axis, of all tracers. */
static void mix(const adi *s, R *scratch, const R *level, enum adi_axis axis, double dt, int thread,
                int threads) {
  const bool x = axis == ADI_X;
  const ria_grid *g = &s->planes.grid;
  const double d = x ? g->dx : g->dy;
  const int lines = x ? g->ny : g->nx, groups = (lines + COLUMNS - 1) / COLUMNS;
  const int g0 = (int)((int64_t)groups * thread / threads),
            g1 = (int)((int64_t)groups * (thread + 1) / threads);
  mix_lines w = {.level = level, .bed = (const R *)s->bed, .along = x ? 1 : s->planes.stride};
  w.across = x ? s->planes.stride : 1;
  w.n = x ? g->nx : g->ny;
  for (int m = 0; m < s->nt; m++) {
    w.load = (R *)s->load[s->load_now][m];
    w.mix = (R)(s->diffusion[m] * dt / (d * d));
    for (int k = g0; k < g1 && s->diffusion[m] > 0; k++) {
      const int first = k * COLUMNS, left = lines - first;
      mix_group(&w, adi_at(s, x ? 0 : first, x ? first : 0), left < COLUMNS ? left : COLUMNS,
                scratch, scratch + (size_t)w.n * COLUMNS);
    }
  }
}
