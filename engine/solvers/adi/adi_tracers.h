/* adi_tracers.h - tracers after a sweep, row by row, for one precision: moved by the water that
 * crossed, mixed, decayed. Included by adi_step.h after adi_sweep.h.
 *
 * A thread marches northwards through its rows; what of neighbours' rows it needs it makes itself,
 * by the same loops from the same numbers. */

/* --- rows ------------------------------------------------------------------------------------- */

/* Concentration that inflow brings over a face of a side: of the west and the east in a row that
 * may lie beyond the ends of the grid. */
static R brought(const adi *s, int m, ria_side side, int row) {
  const int k = ria_side_along_x(side) ? adi_row_of(s, row) : row;
  return (R)s->forcing.tracer[(size_t)s->planes.owner[side][k] * (size_t)s->nt + (size_t)m];
}

/* Beyond row 0 or ny - 1: what inflow brings. */
static void inflow_row(const adi *s, int m, ria_side side, R *out) {
  for (int i = 0; i < s->planes.grid.nx; i++) out[i] = brought(s, m, side, i);
}

enum { NO_ROW = INT_MIN };

/* Where planes have row j, which may be beyond the south or the north; NO_ROW: nothing lies there.
 * Loads of a whole grid have no ghost rows. */
static int row_at(const adi *s, int j) {
  if (j >= 0 && j < s->planes.grid.ny) return j;
  if (!s->rings.y) return NO_ROW;
  return ria_planes_whole(&s->planes) ? adi_row_of(s, j) : j;
}

/* Concentrations of row j, -1..nx, in out; outside the domain what inflow brings. j may be beyond
 * the south or the north. */
static void concentrations(const adi *s, const R *level, const R *load, int m, int j, R *out) {
  const int nx = s->planes.grid.nx, row = row_at(s, j);
  if (row == NO_ROW) {
    inflow_row(s, m, j < 0 ? RIA_SOUTH : RIA_NORTH, out);
    return;
  }
  const size_t at = adi_at(s, 0, row);
  const R *RIA_RESTRICT e = level + at, *RIA_RESTRICT z = (const R *)s->bed + at,
                        *RIA_RESTRICT c = load + at;
#pragma omp simd
  for (int i = 0; i < nx; i++) {
    const R h = e[i] - z[i];
    out[i] = h > 0 ? c[i] / (h > 0 ? h : (R)1) : (R)0;
  }
  out[-1] = s->rings.x ? out[nx - 1] : brought(s, m, RIA_WEST, row);
  out[nx] = s->rings.x ? out[0] : brought(s, m, RIA_EAST, row);
}

/* None outside the domain. */
static void depths(const adi *s, const R *level, int j, R *out) {
  const int nx = s->planes.grid.nx, row = row_at(s, j);
  const size_t at = adi_at(s, 0, row == NO_ROW ? j : row);
  const R *e = level + at, *z = (const R *)s->bed + at;
  for (int i = -1; i <= nx; i++) out[i] = adi_depth(e[i], z[i]);
  if (s->rings.x) out[-1] = out[nx - 1], out[nx] = out[0];
}

/* Three rows around in scratch, row j at [ring(j)]. */
enum { RING = 3 };
static int ring(int j) { return (j + RING) % RING; }

/* Rows of a tracer as a march goes on; of `gives` what leaves through each face of the cells. */
typedef struct gives_row {
  R *west, *east, *south, *north;
} gives_row;
typedef struct march {
  R *c[RING], *h[RING];
  gives_row gives[RING];
} march;

/* At order 1 a cell gives what it has. */
static march march_in(const adi *s, R *scratch, int order) {
  const size_t st = s->planes.stride;
  march w;
  R *at = scratch + RIA_PLANE_PAD;
  for (int k = 0; k < RING; k++) {
    w.c[k] = at, at += st;
    w.h[k] = at, at += st;
    w.gives[k] = (gives_row){w.c[k], w.c[k], w.c[k], w.c[k]};
    if (order == 1) continue;
    w.gives[k] = (gives_row){at, at + st, at + 2 * st, at + 3 * st};
    at += 4 * st;
  }
  return w;
}

/* --- moved ------------------------------------------------------------------------------------ */

/* The neighbours of a cell in a row `mid` and the rows beside. */
#define AROUND(MID, SOUTH, NORTH)                                                                  \
  { (MID)[i], (MID)[i - 1], (MID)[i + 1], (SOUTH)[i], (NORTH)[i] }

/* What the n cells of a row give at order 2. fx, fy: at the row's first cell. */
ADI_LOOP static void give_row(int n, size_t stride, const R *fx, const R *fy, const R *const c[3],
                              const R *const h[3], R theta, const gives_row *out) {
  const R *cs = c[0], *cm = c[1], *cn = c[2], *hs = h[0], *hm = h[1], *hn = h[2];
  const R *fs = fy - stride;
  R *RIA_RESTRICT west = out->west, *RIA_RESTRICT east = out->east;
  R *RIA_RESTRICT south = out->south, *RIA_RESTRICT north = out->north;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const adi_around conc = AROUND(cm, cs, cn), depth = AROUND(hm, hs, hn);
    const adi_around moved = {0, fx[i - 1], fx[i], fs[i], fy[i]};
    const adi_gives g = adi_going(&conc, &depth, &moved, theta);
    west[i] = g.west;
    east[i] = g.east;
    south[i] = g.south;
    north[i] = g.north;
  }
}
#undef AROUND

/* Order 2: what row j gives; its concentrations and those of the rows beside are there. */
static void give(const adi *s, const march *w, int m, int j) {
  const int nx = s->planes.grid.nx, ny = s->planes.grid.ny, mid = ring(j);
  const gives_row *to = &w->gives[mid];
  const int row = row_at(s, j);
  if (row == NO_ROW && j < 0) inflow_row(s, m, RIA_SOUTH, to->north);
  if (row == NO_ROW && j == ny) inflow_row(s, m, RIA_NORTH, to->south);
  if (row == NO_ROW) return;
  const int low = s->rings.y || j > 0 ? ring(j - 1) : mid,
            high = s->rings.y || j + 1 < ny ? ring(j + 1) : mid;
  const R *const c[3] = {w->c[low], w->c[mid], w->c[high]};
  const R *const h[3] = {w->h[low], w->h[mid], w->h[high]};
  const size_t at = adi_at(s, 0, row);
  give_row(nx, s->planes.stride, (const R *)s->moved[ADI_X] + at, (const R *)s->moved[ADI_Y] + at,
           c, h, (R)s->param.limiter, to);
  to->east[-1] = s->rings.x ? to->east[nx - 1] : brought(s, m, RIA_WEST, row);
  to->west[nx] = s->rings.x ? to->west[0] : brought(s, m, RIA_EAST, row);
}

/* Row j of the state that the half step began with, for order 2: beyond the sides is what is inside
 * of them. */
static void look_at_row(const adi *s, const march *w, const R *level, const R *load, int m, int j) {
  const int nx = s->planes.grid.nx;
  R *c = w->c[ring(j)], *h = w->h[ring(j)];
  if (row_at(s, j) == NO_ROW) return;
  concentrations(s, level, load, m, j, c);
  depths(s, level, j, h);
  if (s->rings.x) return;
  c[-1] = c[0], c[nx] = c[nx - 1];
  h[-1] = h[0], h[nx] = h[nx - 1];
}

/* Loads of a row after what crossed, order 1; fx, fy: at the row's first cell; c: concentrations of
 * the row. */
ADI_LOOP static void carry_row(int n, size_t stride, const R *fx, const R *fy, const R *south,
                               const R *c, const R *north, const R *RIA_RESTRICT load,
                               R *RIA_RESTRICT out) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = adi_load(load[i], adi_carried(fy[(ptrdiff_t)i - (ptrdiff_t)stride], south[i], c[i]),
                      adi_carried(fy[i], c[i], north[i]), adi_carried(fx[i - 1], c[i - 1], c[i]),
                      adi_carried(fx[i], c[i], c[i + 1]));
}

/* Order 2: by what the row and those beside it give. */
ADI_LOOP static void carry_given(int n, size_t stride, const R *fx, const R *fy, const R *south,
                                 const gives_row *row, const R *north, const R *RIA_RESTRICT load,
                                 R *RIA_RESTRICT out) {
  const R *w = row->west, *e = row->east, *to_south = row->south, *to_north = row->north;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const R from_west = e[i - 1], to_west = w[i], to_east = e[i], from_east = w[i + 1];
    const R from_south = south[i], from_north = north[i], down = to_south[i], up = to_north[i];
    out[i] =
        adi_load(load[i], adi_carried(fy[(ptrdiff_t)i - (ptrdiff_t)stride], from_south, down),
                 adi_carried(fy[i], up, from_north), adi_carried(fx[i - 1], from_west, to_west),
                 adi_carried(fx[i], to_east, from_east));
  }
}

static void count_tracer(const adi *s, int m, int j, const R *fx, const R *fy,
                         const gives_row *below, const gives_row *row, const gives_row *above) {
  const int nx = s->planes.grid.nx;
  const ptrdiff_t st = (ptrdiff_t)s->planes.stride;
  const R *west = row->west, *east = row->east;
  count(s, RIA_WEST, j, 1 + m, (double)adi_carried(fx[-1], east[-1], west[0]));
  count(s, RIA_EAST, j, 1 + m, (double)adi_carried(fx[nx - 1], east[nx - 1], west[nx]));
  for (int i = 0; i < nx && j == 0; i++)
    count(s, RIA_SOUTH, i, 1 + m, (double)adi_carried(fy[i - st], below->north[i], row->south[i]));
  for (int i = 0; i < nx && j == s->planes.grid.ny - 1; i++)
    count(s, RIA_NORTH, i, 1 + m, (double)adi_carried(fy[i], row->north[i], above->south[i]));
}

/* Tracers of rows j0..j1-1 after a sweep, carried by the water that crossed from the state with
 * `level`. */
ADI_LOOP static void carry(const adi *s, R *scratch, const R *level, int j0, int j1) {
  const int order = s->param.order, lag = order - 1;
  const march w = march_in(s, scratch, order);
  for (int m = 0; m < s->nt; m++) {
    const R *load = (const R *)s->load[s->load_now][m];
    R *out = (R *)s->load[1 - s->load_now][m];
    for (int j = j0 - 1 - lag; j <= j1 + lag; j++) {
      if (order == 1)
        concentrations(s, level, load, m, j, w.c[ring(j)]);
      else
        look_at_row(s, &w, level, load, m, j);
      const int known = j - lag,
                k = known - 1; /* what row `known` gives is; row k can be carried */
      if (known < j0 - 1) continue;
      if (order > 1) give(s, &w, m, known);
      if (k < j0) continue;
      const gives_row *below = &w.gives[ring(k - 1)], *row = &w.gives[ring(k)],
                      *above = &w.gives[ring(known)];
      const size_t at = adi_at(s, 0, k);
      const R *fx = (const R *)s->moved[ADI_X] + at, *fy = (const R *)s->moved[ADI_Y] + at;
      const int nx = s->planes.grid.nx;
      const size_t st = s->planes.stride;
      if (order == 1)
        carry_row(nx, st, fx, fy, below->north, row->west, above->south, load + at, out + at);
      else
        carry_given(nx, st, fx, fy, below->north, row, above->south, load + at, out + at);
      count_tracer(s, m, k, fx, fy, below, row, above);
    }
  }
}

/* --- mixed, decayed --------------------------------------------------------------------------- */

/* Diffusion on a row, with the smaller depth of two cells. h: depths, 0 outside the domain. */
ADI_LOOP static void mix_row(int n, const R *hs, const R *h, const R *hn, const R *south,
                             const R *c, const R *north, R mix_x, R mix_y,
                             const R *RIA_RESTRICT load, R *RIA_RESTRICT out) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = load[i] -
             (water_mixed(h[i], c[i], h[i + 1], c[i + 1], mix_x) -
              water_mixed(h[i - 1], c[i - 1], h[i], c[i], mix_x)) -
             (water_mixed(h[i], c[i], hn[i], north[i], mix_y) -
              water_mixed(hs[i], south[i], h[i], c[i], mix_y));
}

/* Tracers of rows j0..j1-1 mixed by explicit diffusion over dt. */
ADI_LOOP static void mix_part(const adi *s, R *scratch, const R *level, int j0, int j1, double dt) {
  const double dx = s->planes.grid.dx, dy = s->planes.grid.dy;
  const march w = march_in(s, scratch, 1);
  for (int m = 0; m < s->nt; m++) {
    const R *load = (const R *)s->load[s->load_now][m];
    R *out = (R *)s->load[1 - s->load_now][m];
    const R mix_x = (R)(s->diffusion[m] * dt / (dx * dx)),
            mix_y = (R)(s->diffusion[m] * dt / (dy * dy));
    for (int j = j0 - 1; j <= j1; j++) {
      const int high = ring(j), mid = ring(j + 2), low = ring(j + 1);
      concentrations(s, level, load, m, j, w.c[high]);
      depths(s, level, j, w.h[high]);
      if (j <= j0) continue;
      const size_t at = adi_at(s, 0, j - 1);
      mix_row(s->planes.grid.nx, w.h[low], w.h[mid], w.h[high], w.c[low], w.c[mid], w.c[high],
              mix_x, mix_y, load + at, out + at);
    }
  }
}

/* Decay over a step, of the loads in buffer `now`. */
ADI_LOOP static void decay(const adi *s, int j0, int j1, double dt) {
  for (int m = 0; m < s->nt; m++) {
    if (!(s->decay[m] > 0)) continue;
    const R keep = (R)ria_decay_leaves(s->decay[m], dt);
    for (int j = j0; j < j1; j++) {
      R *load = (R *)s->load[s->load_now][m] + adi_at(s, 0, j);
      double lost = 0;
      for (int i = 0; i < s->planes.grid.nx; i++) {
        const R left = load[i] * keep;
        lost += (double)load[i] - (double)left;
        load[i] = left;
      }
      *ria_planes_row(&s->planes, s->planes.decayed, 1 + m, j) +=
          lost * s->planes.grid.dx * s->planes.grid.dy;
    }
  }
}
