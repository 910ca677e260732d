/* adi_follow.h - what follows a step, row by row, for one precision: running maxima, the automatic
 * step, the eddy viscosity of the next step. Included by adi_step.h after adi_tracers.h. */
/* Rows of the present state, and of the flux along y a step earlier. load: of a tracer. */
typedef struct state_row {
  const R *e, *z, *p, *q, *q_old, *load;
  ptrdiff_t north; /* stride */
  int n;
  R dry;
} state_row;

RIA_KERNEL R speed_at(const state_row *r, int i, R h) {
  const ptrdiff_t south = i - r->north;
  const R x = (R)0.5 * (r->p[i - 1] + r->p[i]);
  const R y = (R)0.25 * (r->q[i] + r->q[south] + r->q_old[i] + r->q_old[south]);
  return ria_root(x * x + y * y) / h;
}

/* NaN where it never was wet. */
RIA_KERNEL void keep_row(int field, state_row r, R *max) {
#pragma omp simd
  for (int i = 0; i < r.n; i++) {
    const R h = r.e[i] - r.z[i], d = h > r.dry ? h : (R)1;
    const R now = field == WATER_DEPTH   ? h
                  : field == WATER_LEVEL ? r.e[i]
                  : field == WATER_CONC  ? r.load[i] / d
                                         : speed_at(&r, i, d);
    const R v = h > r.dry ? now : max[i];
    max[i] = v <= max[i] ? max[i] : v;
  }
}

static state_row row_of_state(const adi *s, int j) {
  const size_t at = adi_at(s, 0, j);
  const int x = s->flux_now[ADI_X], y = s->flux_now[ADI_Y];
  return (state_row){.e = (const R *)s->level[s->level_now] + at,
                     .z = (const R *)s->bed + at,
                     .p = (const R *)s->flux[ADI_X][x] + at,
                     .q = (const R *)s->flux[ADI_Y][y] + at,
                     .q_old = (const R *)s->flux[ADI_Y][1 - y] + at,
                     .north = (ptrdiff_t)s->planes.stride,
                     .n = s->planes.grid.nx,
                     .dry = (R)s->param.drying_depth};
}

ADI_LOOP static void keep_maxima(const adi *s, int j) {
  const size_t at = adi_at(s, 0, j);
  state_row r = row_of_state(s, j);
  for (int m = 0; m < s->planes.n_track; m++) {
    const ria_plane_track *track = &s->planes.track[m];
    R *max = (R *)track->max + at;
    if (track->field == WATER_DEPTH) {
      keep_row(WATER_DEPTH, r, max);
    } else if (track->field == WATER_LEVEL) {
      keep_row(WATER_LEVEL, r, max);
    } else if (track->field == WATER_CONC) {
      r.load = (const R *)s->load[s->load_now][track->tracer] + at;
      keep_row(WATER_CONC, r, max);
    } else {
      keep_row(WATER_SPEED, r, max);
    }
  }
}

/* --- the automatic step ----------------------------------------------------------------------- */

static bool is_thin(const adi *s, size_t at, double least) {
  const R *e = (const R *)s->level[s->level_now], *z = (const R *)s->bed;
  return !((double)(e[at] - z[at]) > least);
}

/* Is a cell beside this one dry or nearly so? The water that runs into it is faster than a cell a
 * step for as long as it takes to fill it. */
static bool is_front(const adi *s, size_t at, int i, int j, double least) {
  const size_t row = s->planes.stride;
  const bool x = s->rings.x, y = s->rings.y;
  return ((i > 0 || x) && is_thin(s, at - 1, least)) ||
         ((i + 1 < s->planes.grid.nx || x) && is_thin(s, at + 1, least)) ||
         ((j > 0 || y) && is_thin(s, at - row, least)) ||
         ((j + 1 < s->planes.grid.ny || y) && is_thin(s, at + row, least));
}

/* Rows j0..j1-1 of the present state: the deepest water, the fastest, dams in it, and the highest
 * level. Films do not count: a front that wets them always is that fast. */
ADI_LOOP static adi_seen look_at_rows(const adi *s, int j0, int j1) {
  const ria_grid *g = &s->planes.grid;
  const R *level = (const R *)s->level[s->level_now], *bed = (const R *)s->bed;
  const R *p = (const R *)s->flux[ADI_X][s->flux_now[ADI_X]],
          *q = (const R *)s->flux[ADI_Y][s->flux_now[ADI_Y]];
  const size_t st = s->planes.stride;
  const double least = ADI_FILMS * s->param.flooding_depth;
  adi_seen seen = adi_seen_none();
  for (int j = j0; j < j1; j++)
    for (int i = 0; i < g->nx; i++) {
      const size_t at = adi_at(s, i, j);
      const double e = (double)level[at], z = (double)bed[at], h = e - z;
      if (h > seen.deepest) seen.deepest = h;
      double rate = 0;
      if (h > least) {
        if (e > seen.highest) seen.highest = e, seen.high_cell = j * g->nx + i;
        rate = adi_flow_rate((double)p[at - 1], (double)p[at], (double)q[at - st], (double)q[at], h,
                             g->dx, g->dy);
        if (rate > seen.flow && !is_front(s, at, i, j, least))
          seen.flow = rate, seen.flow_cell = j * g->nx + i;
      }
      if (i + 1 < g->nx || s->rings.x)
        rate = fmax(rate, adi_dam_rate(e, (double)level[at + 1], z, (double)bed[at + 1], least,
                                       s->param.gravity, g->dx));
      if (j + 1 < g->ny || s->rings.y)
        rate = fmax(rate, adi_dam_rate(e, (double)level[at + st], z, (double)bed[at + st], least,
                                       s->param.gravity, g->dy));
      if (!(rate > seen.rate)) continue;
      seen.rate = rate;
      seen.cell = j * g->nx + i;
    }
  return seen;
}

/* --- eddy viscosity --------------------------------------------------------------------------- */

/* Depth of a cell; velocities at the centre of a cell of depth h. */
RIA_KERNEL R depth_of(const state_row *r, ptrdiff_t i) { return r->e[i] - r->z[i]; }
RIA_KERNEL R u_of(const state_row *r, ptrdiff_t i, R h) {
  return (R)0.5 * (r->p[i] + r->p[i - 1]) / h;
}
RIA_KERNEL R v_of(const state_row *r, ptrdiff_t i, R h) {
  return (R)0.5 * (r->q[i] + r->q[i - r->north]) / h;
}
/* Of a cell beside one whose velocity is `own`, which counts where there is no water beside. */
RIA_KERNEL R u_beside(const state_row *r, ptrdiff_t i, R own) {
  const R h = depth_of(r, i);
  return h > r->dry ? u_of(r, i, h > r->dry ? h : (R)1) : own;
}
RIA_KERNEL R v_beside(const state_row *r, ptrdiff_t i, R own) {
  const R h = depth_of(r, i);
  return h > r->dry ? v_of(r, i, h > r->dry ? h : (R)1) : own;
}

/* Rows j0..j1-1 of the plane of Smagorinsky's viscosity, from the present state. */
ADI_LOOP static void eddies(const adi *s, int j0, int j1, double dt) {
  const double dx = s->planes.grid.dx, dy = s->planes.grid.dy, cell = dx < dy ? dx : dy;
  const R cs2 = (R)(s->param.smagorinsky * s->param.smagorinsky * dx * dy), rdx = (R)(1 / dx),
          rdy = (R)(1 / dy), most = (R)(0.25 * cell * cell / dt), add = (R)s->param.eddy;
  for (int j = j0; j < j1; j++) {
    const state_row r = row_of_state(s, j);
    R *out = (R *)s->viscosity + adi_at(s, 0, j);
#pragma omp simd
    for (int i = 0; i < r.n; i++) {
      const bool wet = depth_of(&r, i) > r.dry;
      const R h = wet ? depth_of(&r, i) : (R)1, u = u_of(&r, i, h), v = v_of(&r, i, h);
      const R ux = (r.p[i] - r.p[i - 1]) / h * rdx, vy = (r.q[i] - r.q[i - r.north]) / h * rdy;
      const R uy = (R)0.5 * rdy * (u_beside(&r, i + r.north, u) - u_beside(&r, i - r.north, u));
      const R vx = (R)0.5 * rdx * (v_beside(&r, i + 1, v) - v_beside(&r, i - 1, v));
      const R mine = ria_min(water_smagorinsky(ux, uy, vx, vy, cs2), most - add);
      out[i] = wet ? add + mine : (R)0;
    }
  }
}
