/* waves.c - a solver of one's own: long linear waves over a bed.
 *
 *   d eta / dt = - d(H u)/dx - d(H v)/dy        H: depth of the water at rest, at level 0
 *   d u / dt   = - g d eta / dx                 d v / dt = - g d eta / dy
 *
 * by forward and backward steps on a staggered grid (Arakawa C): eta in cells, u and v on the faces
 * east and north of them; dt = 0.9 / (c sqrt(1/dx^2 + 1/dy^2)), c = sqrt(g H) of the deepest cell.
 * Sides are walls, or have a level. Waves are small: H does not change with eta.
 * All but the step is ria_planes: fields, gauges, maxima, forcing, springs, budgets, the state. */
#include "waves.h"
#include <ria/planes.h>
#include <stdlib.h>

static const ria_param_info param_table[] = {
    {"gravity", "m/s^2", RIA_REAL, 9.81, 1e-3, 100, NULL, "gravity", 0, RIA_DIM_ACCELERATION}, {0}};

enum { BED, LEVEL, DEPTH, U = DEPTH, V, PLANES }; /* fields; planes */
static const ria_field_info fields[] = {
    [BED] = {"bed", "m", "bed elevation", NULL, RIA_FIELD_INPUT | RIA_FIELD_STATIC, "topo", "z up"},
    [LEVEL] = {"level", "m", "water level", NULL,
               RIA_FIELD_INPUT | RIA_FIELD_TRACK | RIA_FIELD_GAUGE | RIA_FIELD_LEVEL, "balance",
               "above rest"},
    [DEPTH] = {"depth", "m", "water depth", NULL, 0, "deep", "depth of the water at rest"},
    {0}};

enum { WALL, OUTSIDE };
static const ria_boundary_kind kinds[] = {
    [WALL] = {"wall", {{0}}, false, "nothing passes"},
    [OUTSIDE] = {"level", {{"level", "m", RIA_DIM_LENGTH, true, 0, 0}}, true, "the level outside"},
    {0}};
static const ria_quantity_info quantities[] = {{"water", "m^3"}, {0}};

typedef struct waves {
  ria_planes planes; /* first */
  double gravity;
  void *plane[PLANES];
  double t, dt, longest; /* s */
  int64_t steps;
} waves;

static double get(const waves *s, const void *plane, int i, int j) {
  return ria_plane_get(&s->planes, plane, ria_plane_at(&s->planes, i, j));
}
static void put(waves *s, void *plane, int i, int j, double v) {
  ria_plane_put(&s->planes, plane, ria_plane_at(&s->planes, i, j), v);
}
static double rest(const waves *s, int i, int j) { return fmax(-get(s, s->plane[BED], i, j), 0); }

static void *plane_of(const void *self, int field, int tracer) {
  return (void)tracer, field < DEPTH ? ((const waves *)self)->plane[field] : NULL;
}
static double value_of(const void *self, int field, int tracer, int i, int j) {
  return (void)field, (void)tracer, rest(self, i, j); /* DEPTH */
}
static void *level_of(const void *self, int quantity) {
  return (void)quantity, ((const waves *)self)->plane[LEVEL];
}
/* What the rows of neighbours must show of theirs; v on faces between two parts is stepped by both.
 */
static void *shared_of(const void *self, int k) { return k ? NULL : level_of(self, 0); }
static const ria_plane_callbacks callbacks = {.plane = plane_of,
                                              .value = value_of,
                                              .quantity = level_of,
                                              .shared = shared_of,
                                              .fields = fields};

static void destroy(void *self) {
  waves *s = self;
  for (int k = 0; k < PLANES; k++) ria_plane_free(&s->planes, s->plane[k]);
  ria_planes_free(&s->planes);
  free(s);
}

static ria_status create(const ria_solver_setup *setup, void **self) {
  waves *s = calloc(1, sizeof *s);
  if (!s) return ria_fail(setup->ctx, RIA_ERR_MEMORY, "out of memory for a simulation");
  s->gravity = *(const double *)setup->params;
  ria_status status = ria_planes_init(&s->planes, setup, &callbacks, 1);
  for (int k = 0; k < PLANES && status == RIA_OK; k++)
    status = ria_plane_alloc(&s->planes, &s->plane[k]);
  if (status != RIA_OK) destroy(s);
  *self = status == RIA_OK ? s : NULL;
  return status;
}

/* The deepest cell of all parts of the grid is known. */
static ria_status hear(void *self, const ria_meeting *all) {
  waves *s = self;
  const ria_grid *g = &s->planes.grid;
  const double deepest = all->most[0];
  s->planes.waits = 0;
  s->longest = 0.9 / sqrt(s->gravity * deepest * (1 / (g->dx * g->dx) + 1 / (g->dy * g->dy)));
  if (deepest > 0) return RIA_OK;
  return ria_fail(s->planes.ctx, RIA_ERR_ARGUMENT, "the bed is nowhere below level 0");
}

static ria_status prepare(void *self, double t) {
  waves *s = self;
  const ria_grid *g = &s->planes.grid;
  double deepest = 0;
  for (int j = s->planes.part.j0; j < s->planes.part.j1; j++)
    for (int i = 0; i < g->nx; i++) deepest = fmax(deepest, rest(s, i, j));
  s->t = t;
  s->planes.said = (ria_meeting){.most = {deepest}};
  s->planes.waits = 1; /* for what other parts have */
  return ria_planes_whole(&s->planes) ? hear(s, &s->planes.said) : RIA_OK;
}

/* Depth at rest on the face between a cell and its neighbour; at a side the cell's own. */
static double between(const waves *s, int i, int j, int di, int dj) {
  const ria_grid *g = &s->planes.grid;
  const bool inside = i + di >= 0 && i + di < g->nx && j + dj >= 0 && j + dj < g->ny;
  return inside ? fmin(rest(s, i, j), rest(s, i + di, j + dj)) : rest(s, i, j);
}

/* Velocities on the faces inside, east (di = 1) or north (dj = 1) of their cells; 0 on shores. The
 * row south of a part has faces in the north that are the part's own. */
static void accelerate(waves *s, void *velocity, int di, int dj, double dt_d) {
  for (int j = ria_planes_had(&s->planes).j0; j < s->planes.part.j1 && j + dj < s->planes.grid.ny;
       j++)
    for (int i = 0; i + di < s->planes.grid.nx; i++) {
      const double slope = get(s, s->plane[LEVEL], i + di, j + dj) - get(s, s->plane[LEVEL], i, j);
      const double v = get(s, velocity, i, j) - s->gravity * dt_d * slope;
      put(s, velocity, i, j, between(s, i, j, di, dj) > 0 ? v : 0);
    }
}

/* The face of the k-th cell of a side: still at a wall; else the level stands in a cell outside. */
static void side_face(waves *s, ria_side side, int k, double dt) {
  const ria_grid *g = &s->planes.grid;
  const ria_stretch *b = &s->planes.stretch[s->planes.owner[side][k]];
  const bool x = side == RIA_WEST || side == RIA_EAST, low = side == RIA_WEST || side == RIA_SOUTH;
  const double d = x ? g->dx : g->dy, width = x ? g->dy : g->dx;
  int i, j;
  ria_side_cell(g, side, k, &i, &j);
  void *plane = x ? s->plane[U] : s->plane[V];
  const size_t face = ria_plane_at(&s->planes, x && low ? -1 : i, !x && low ? -1 : j);
  double v = 0;
  if (b->kind == OUTSIDE && rest(s, i, j) > 0) {
    const double out = ria_forcing_at(&s->planes.table, b->value[0], s->t + 0.5 * dt);
    const double slope = (get(s, s->plane[LEVEL], i, j) - out) * (low ? 1 : -1);
    v = ria_plane_get(&s->planes, plane, face) - s->gravity * dt / d * slope;
  }
  ria_plane_put(&s->planes, plane, face, v);
  ria_planes_cross(&s->planes, side, k, 0, (low ? v : -v) * rest(s, i, j) * dt * width);
}

static void rise(waves *s, double dt) {
  const ria_grid *g = &s->planes.grid;
  for (int j = s->planes.part.j0; j < s->planes.part.j1; j++)
    for (int i = 0; i < g->nx; i++) {
      const double x = between(s, i, j, 1, 0) * get(s, s->plane[U], i, j) -
                       between(s, i, j, -1, 0) * get(s, s->plane[U], i - 1, j);
      const double y = between(s, i, j, 0, 1) * get(s, s->plane[V], i, j) -
                       between(s, i, j, 0, -1) * get(s, s->plane[V], i, j - 1);
      put(s, s->plane[LEVEL], i, j, get(s, s->plane[LEVEL], i, j) - dt * (x / g->dx + y / g->dy));
    }
}

static void step(waves *s, double dt) {
  const ria_grid *g = &s->planes.grid;
  for (int k = 0; k < s->planes.n_sources; k++)
    ria_planes_give(&s->planes, k, s->t, dt, s->plane[LEVEL], s->plane[BED]);
  accelerate(s, s->plane[U], 1, 0, dt / g->dx);
  accelerate(s, s->plane[V], 0, 1, dt / g->dy);
  for (ria_side side = RIA_WEST; side <= RIA_NORTH; side++) {
    const ria_side_cells cells = ria_planes_side(&s->planes, side);
    for (int k = cells.from; k < cells.to; k++) side_face(s, side, k, dt);
  }
  rise(s, dt);
}

static ria_status advance(void *self, const ria_span *span) {
  waves *s = self;
  const int64_t most = ria_planes_span(&s->planes, span).max_steps;
  for (int64_t n = 0; n < most && s->t < span->t_stop; n++) {
    int last;
    const double dt = ria_landing_step(s->longest, span->t_stop - s->t, &last);
    if (ria_step_reaches(s->t, dt, last, span->t_stop, span->t_watch)) break;
    step(s, dt);
    s->t = last ? span->t_stop : s->t + dt;
    s->dt = dt;
    s->steps++;
    ria_planes_keep_maxima(&s->planes);
  }
  return RIA_OK;
}

static ria_status progress(void *self, ria_progress *out) {
  const waves *s = self;
  *out = (ria_progress){s->t, s->steps, s->dt, s->longest, .dt_min_i = -1, .dt_min_j = -1};
  return RIA_OK;
}

static const ria_state_member members[] = {{"t", RIA_STATE_F64, offsetof(waves, t), 0},
                                           {"dt", RIA_STATE_F64, offsetof(waves, dt), 0},
                                           {"steps", RIA_STATE_I64, offsetof(waves, steps), 0},
                                           {0}};

/* The faces of the western and the southern side lie in ghost cells. */
static ria_status state(void *self, const ria_state_walk *walk) {
  static const char *const name[] = {"bed", "level", "u", "v"};
  waves *s = self;
  RIA_TRY(ria_planes_state(&s->planes, walk));
  for (int k = 0; k < PLANES; k++)
    RIA_TRY(ria_plane_state(&s->planes, walk, name[k], s->plane[k], k == U, k == V));
  RIA_TRY(ria_state_members(walk, members, s));
  return walk->restores ? prepare(s, s->t) : RIA_OK; /* what follows from the bed */
}

static const ria_solver_ops cpu = {
    create,         destroy,     .prepare = prepare, .advance = advance, .progress = progress,
    .state = state, .hear = hear};
const ria_solver waves_solver = {.name = "waves",
                                 .summary = "long linear waves over a bed",
                                 .doc = "examples/own_solver",
                                 .quantities = quantities,
                                 .params = param_table,
                                 .params_size = sizeof(double), /* gravity */
                                 .fields = fields,
                                 .boundaries = kinds,
                                 .roles = {.bed = "bed", .depth = "depth"},
                                 .cpu = &cpu};
