/* periodic.h - periodic sides, of each solver of flow: they have no place. A scene that begins so
 * many cells further on, round the seam, comes out so many cells further on; a stream stays
 * uniform; water and tracers are kept; what is refused. Included behind the solver's cases.h and
 *
 *   torus_solver   its name
 *   torus_kinds    kinds of the sides that are not periodic, the south and the west with a level
 *   torus_params   its parameters beside n that are there; returns how many
 *   torus_round    what rounding takes from or adds to the water, of all of it */
#ifndef PERIODIC_H
#define PERIODIC_H

/* --- scenes that are shifted ------------------------------------------------------------------ */

typedef struct torus {
  int nx, ny;
  bool x, y; /* which pairs are periodic */
  bool forced, stirred, rough, dry, spills, dam, layer;
  bool mouths;   /* the west and the east are walls but for a level in the southernmost rows */
  double spread; /* diffusion of the dye, m^2/s; 0 = 0.4 */
} torus;

/* A number in -1 .. 1 of a cell, the same for the same seed. */
static double noise(int seed, int i, int j) {
  uint64_t z = (uint64_t)(seed * 7919 + i * 104729 + j * 1299709) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

static int wrapped(int k, int n) { return ((k % n) + n) % n; }

/* A field of the scene whose cell (i, j) lies (di, dj) further on. */
static double field_at(const torus *s, int field, int i, int j) {
  const double wave = sin(6.283185307179586 * (i + 0.3 * field) / s->nx) *
                      cos(6.283185307179586 * (j + 0.7 * field) / s->ny);
  switch (field) {
  case 0: /* bed: a basin, or shoals and steps */
    if (s->dam) return 0.1 * noise(0, i, j);
    return s->dry ? -0.6 + 1.5 * wave + 0.8 * noise(0, i, j) : -5 + wave + 0.3 * noise(0, i, j);
  case 1: /* level; of a dam that breaks at both seams, over dry land */
    if (s->dam) return i < s->nx / 8 && j < s->ny / 4 ? 3 : -100;
    return 0.3 * wave;
  case 2: /* u */
  case 3: /* v */
    return (s->dry ? 0.5 : 2) * (wave + 0.5 * noise(field, i, j));
  case 4:
  case 5: /* tracers */
    return 2 + wave + 0.5 * noise(field, i, j);
  default: /* roughness */
    return 0.03 + 0.02 * noise(field, i, j);
  }
}

static const char *const names[] = {"bed", "level", "u", "v", "dye", "salt", "manning"};
enum { FIELDS = 7, OUT = 5 };
static const char *const out_names[OUT] = {"depth", "qx", "qy", "dye_load", "salt_load"};

static ria_boundary_id torus_side[RIA_SIDES]; /* of the scene that was made last */

static void add_sides(ria_sim *sim, const torus *s) {
  ria_context *ctx = ria_sim_context(sim);
  for (int side = 0; side < RIA_SIDES; side++) {
    const bool ring =
        ria_side_length(&(ria_grid){.nx = 1, .ny = 2}, (ria_side)side) == 2 ? s->x : s->y;
    ria_boundary_desc b = {.kind = ring ? "periodic" : torus_kinds[side], .side = (ria_side)side};
    if (!ring && (side == RIA_WEST || side == RIA_SOUTH))
      b.values[0] = (ria_boundary_value){"level", {.constant = 0.1}};
    if (s->mouths && side <= RIA_EAST)
      b = (ria_boundary_desc){.kind = "wall", .side = (ria_side)side};
    CHECK_OK(ctx, ria_boundary_add(sim, &b, &torus_side[side]));
  }
  for (int side = RIA_WEST; s->mouths && side <= RIA_EAST; side++) {
    const double x = side == RIA_WEST ? 0 : 10 * s->nx;
    const ria_boundary_desc b = {.kind = "level",
                                 .stretch = true,
                                 .from = {x, 0},
                                 .to = {x, 24},
                                 .values = {{"level", {.constant = 0.3 - 0.5 * side}}}};
    CHECK_OK(ctx, ria_boundary_add(sim, &b, NULL));
  }
}

/* All over, stronger here than there. */
static void add_layer(ria_sim *sim, const torus *s, int di, int dj, double *room) {
  for (int j = 0; j < s->ny; j++)
    for (int i = 0; i < s->nx; i++)
      room[j * s->nx + i] = 0.5 + 0.5 * noise(8, wrapped(i - di, s->nx), wrapped(j - dj, s->ny));
  const ria_relax_desc layer = {.map = room,
                                .time = 20,
                                .flow = {{.constant = 0.1}, {.constant = 0.3}, {.constant = -0.2}},
                                .given = 7};
  CHECK_OK(ria_sim_context(sim), ria_relax_add(sim, &layer));
}

/* The scene (di, dj) further on. */
static ria_sim *make(ria_context *ctx, const torus *s, ria_real real, int di, int dj,
                     double *room) {
  const double dx = 10, dy = 12;
  ria_setting p[12] = {{"manning", 0.02, NULL}};
  size_t n = torus_params(p, 1);
  if (s->forced) p[n++] = (ria_setting){"latitude", 50, NULL};
  if (s->forced) p[n++] = (ria_setting){"wind_speed", 20, NULL};
  if (s->stirred) p[n++] = (ria_setting){"eddy", 0.3, NULL};
  if (s->stirred) p[n++] = (ria_setting){"smagorinsky", 0.4, NULL};
  const double spread = s->spread > 0 ? s->spread : 0.4;
  const ria_tracer tracers[] = {{.name = "dye", .diffusion = spread},
                                {.name = "salt", .decay = 1e-3}};
  const ria_sim_desc desc = {.solver = torus_solver,
                             .grid = {s->nx, s->ny, dx, dy, 0, 0, 0},
                             .precision = real,
                             .params = p,
                             .n_params = n,
                             .tracers = tracers,
                             .n_tracers = 2};
  ria_sim *sim = NULL;
  if (!CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim))) exit(1);
  for (int f = 0; f < FIELDS - !s->rough; f++) {
    for (int j = 0; j < s->ny; j++)
      for (int i = 0; i < s->nx; i++)
        room[j * s->nx + i] = field_at(s, f, wrapped(i - di, s->nx), wrapped(j - dj, s->ny));
    CHECK_OK(ctx, ria_sim_set(sim, names[f], room));
  }
  add_sides(sim, s);
  if (s->layer) add_layer(sim, s, di, dj, room);
  for (int k = 0; s->spills && k < 3; k++) { /* in cells at the seam, and on dry land */
    const int i = wrapped((k == 2 ? s->nx / 2 : 0) + di, s->nx),
              j = wrapped((k == 1 ? s->ny / 2 : s->ny - 1) + dj, s->ny);
    const ria_spill_desc spill = {.tracer = "dye",
                                  .x = (i + 0.5) * dx,
                                  .y = (j + 0.5) * dy,
                                  .has_flow = true,
                                  .flow.constant = 5 + k,
                                  .conc.constant = 3,
                                  .start = 2,
                                  .duration = 20};
    CHECK_OK(ctx, ria_sim_spill(sim, &spill, NULL));
  }
  return sim;
}

/* How far two outcomes are apart, of the largest number. */
static double apart(const torus *s, const double *a, const double *b, int di, int dj) {
  double most = 0, large = 1e-300;
  for (int j = 0; j < s->ny; j++)
    for (int i = 0; i < s->nx; i++) {
      const double v = a[j * s->nx + i];
      const double w = b[wrapped(j + dj, s->ny) * s->nx + wrapped(i + di, s->nx)];
      if (memcmp(&v, &w, sizeof v)) most = fmax(most, fmax(fabs(v - w), 1e-300));
      large = fmax(large, fabs(v));
    }
  return most / large;
}

/* Water and tracers are kept: nothing crosses a side that is periodic. */
static void check_kept(ria_sim *sim, const torus *s, ria_real real) {
  ria_budget_row rows[3];
  size_t n = 3;
  CHECK_OK(ria_sim_context(sim), ria_sim_budget(sim, rows, &n));
  for (size_t k = 0; k < 3 && s->x && s->y; k++) {
    const double due = rows[k].initial + rows[k].sources - rows[k].decayed;
    CHECK(rows[k].inflow == 0 && rows[k].outflow == 0);
    CHECK_NEAR(rows[k].stored, due, torus_round(real) * fabs(due));
  }
}

/* bound: on how far they are apart. */
static void check_shift(ria_context *ctx, const torus *s, ria_real real, int di, int dj,
                        double bound) {
  double *room = malloc((size_t)s->nx * (size_t)s->ny * 2 * sizeof *room);
  if (!room) abort();
  double *other = room + s->nx * s->ny;
  ria_sim *here = make(ctx, s, real, 0, 0, room), *there = make(ctx, s, real, di, dj, room);
  const double t = SHORT(60, 30);
  CHECK_OK(ctx, ria_sim_run(here, t));
  CHECK_OK(ctx, ria_sim_run(there, t));
  CHECK_INT(ria_sim_steps(there), ria_sim_steps(here));
  for (int k = 0; k < OUT; k++) {
    CHECK_OK(ctx, ria_sim_get(here, out_names[k], room));
    CHECK_OK(ctx, ria_sim_get(there, out_names[k], other));
    const double off = apart(s, room, other, di, dj);
    if (off > bound)
      printf("%d x %d, %s%s, %s, %d and %d cells further on: %s differs by %.3g\n", s->nx, s->ny,
             s->x ? "x" : "", s->y ? "y" : "", real_name[real], di, dj, out_names[k], off);
    CHECK(off <= bound);
  }
  check_kept(here, s, real);
  check_kept(there, s, real);
  ria_sim_destroy(&here);
  ria_sim_destroy(&there);
  free(room);
}

/* --- exact solutions -------------------------------------------------------------------------- */

static const ria_value nothing = {.constant = 0};
static double six(double x, double y) { return (void)x, (void)y, 6; }
static double minus_one(double x, double y) { return (void)x, (void)y, -1; }
static double eastwards(double x, double y) { return (void)x, (void)y, 1.5; }
static double northwards(double x, double y) { return (void)x, (void)y, -0.7; }
static double three(double x, double y) { return (void)x, (void)y, 3; }

static void close_pair(flow *f, ria_side low) {
  flow_side(f, low, "periodic", NULL, nothing, 0);
  flow_side(f, (ria_side)(low + 1), "periodic", NULL, nothing, 0);
}

/* A run of the solver's. */
static flow torus_flow(const flow_desc *d, double manning) {
  ria_setting p[16] = {{"manning", manning, NULL}};
  return flow_of(torus_solver, d, p, torus_params(p, 1));
}

/* Over a level bed a stream across both seams stays as it is, and what it carries, within `bound`.
 */
static void stays_uniform(ria_real real, double bound) {
  flow f = torus_flow(
      &(flow_desc){
          .nx = 37, .ny = 29, .dx = 5, .dy = 4, .real = real, .tracer = "dye", .diffusion = 0.2},
      0);
  flow_set(&f, "bed", minus_one);
  flow_set(&f, "level", six);
  flow_set(&f, "u", eastwards);
  flow_set(&f, "v", northwards);
  flow_set(&f, "dye", three);
  close_pair(&f, RIA_WEST);
  close_pair(&f, RIA_SOUTH);
  double *before[4], *after[4];
  static const char *const field[4] = {"depth", "qx", "qy", "dye_load"};
  for (int k = 0; k < 4; k++) before[k] = flow_get(&f, field[k]);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 200));
  for (int k = 0; k < 4; k++) {
    after[k] = flow_get(&f, field[k]);
    for (int c = 0; c < 37 * 29; c++)
      if (!CHECK_NEAR(after[k][c], before[k][c], bound)) break;
    free(before[k]);
    free(after[k]);
  }
  flow_free(&f);
}

/* Wind over a channel that has no ends: its stress is that of the bed, g n^2 u^2 / h^(1/3). */
static void driven_by_wind(bool along_x) {
  const double n = 0.03, h = 7, speed = 25, drag = 0.002;
  flow f = torus_flow(&(flow_desc){.nx = along_x ? 12 : 5,
                                   .ny = along_x ? 5 : 12,
                                   .dx = 50,
                                   .more = {{"wind_speed", speed, NULL},
                                            {"wind_from", along_x ? 270 : 180, NULL},
                                            {"wind_drag", drag, NULL}}},
                      n);
  flow_set(&f, "bed", minus_one);
  flow_set(&f, "level", six);
  close_pair(&f, along_x ? RIA_WEST : RIA_SOUTH);
  const double stress = 1.225 / 1025 * drag * speed * speed; /* air over sea water */
  const double u = sqrt(stress * cbrt(h) / (gravity * n * n));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 1e5));
  double *got = flow_get(&f, along_x ? "u" : "v");
  printf("wind along %s: %.9g m/s, exact %.9g\n", along_x ? "x" : "y", got[0], u);
  for (int c = 0; c < 60; c++)
    if (!CHECK_NEAR(got[c], u, 1e-6 * u)) break;
  free(got);
  flow_free(&f);
}

/* --- what is refused -------------------------------------------------------------------------- */

static void refuses(void) {
  flow f = flow_make(&(flow_desc){.nx = 9, .ny = 6, .dx = 10});
  flow_set(&f, "bed", minus_one);
  flow_set(&f, "level", six);
  flow_side(&f, RIA_WEST, "periodic", NULL, nothing, 0);
  CHECK_FAILS(f.ctx, ria_sim_run(f.sim, 5), RIA_ERR_ARGUMENT,
              "the west side is periodic and the east side is not: give kind 'periodic' to both");
  flow_side(&f, RIA_EAST, "periodic", NULL, nothing, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 5));
  const ria_boundary_desc part = {
      .kind = "wall", .side = RIA_EAST, .stretch = true, .from = {90, 20}, .to = {90, 40}};
  CHECK_OK(f.ctx, ria_boundary_add(f.sim, &part, NULL));
  CHECK_FAILS(f.ctx, ria_sim_run(f.sim, 9), RIA_ERR_ARGUMENT,
              "the east side is periodic in 4 of its 6 cells: in this solver a side is periodic as "
              "a whole; give it kind 'periodic' alone");
  flow_free(&f);
}

#endif
