/* diffusion.c - u' = div(D grad u) + source: the tables, and the functions the engine calls.
 *
 * The scheme is in diffusion_k.h (formulas), diffusion_plan.c (what precedes steps) and
 * diffusion_step.h (passes); README.md says what it is and where it is tested. */
#include "diffusion.h"
#include "backend/barrier.h"
#include "base/context.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* --- tables ----------------------------------------------------------------------------------- */

#define P(member) offsetof(df_params, member)
static const ria_param_info params[] = {
    {"diffusivity", "m^2/s", RIA_REAL, 1, 1e-30, 1e30, NULL,
     "diffusivity; set the field `diffusivity` for a map", P(diffusivity), RIA_DIM_DIFFUSIVITY},
    {"dt", "s", RIA_REAL, 0, 0, 1e15, NULL,
     "time step; 0 = `safety` times the largest stable step. An unstable step is an error", P(dt),
     RIA_DIM_TIME},
    {"safety", "", RIA_REAL, 0.9, 0.01, 1, NULL,
     "fraction of the largest stable step that is taken where dt = 0", P(safety), RIA_DIM_NONE},
    {"steps_per_pass", "", RIA_INT, 0, 0, DF_DEPTH, NULL,
     "most steps in one pass over memory; 0 = chosen by size, 1 = one. The result is the same",
     P(steps_per_pass), RIA_DIM_NONE},
    {0},
};
#undef P

const ria_field_info df_field_table[] = {
    [DF_U] = {"u", "1", "temperature or concentration", NULL,
              RIA_FIELD_INPUT | RIA_FIELD_TRACK | RIA_FIELD_GAUGE, "amp",
              "the diffusing quantity: temperature, concentration"},
    [DF_DIFFUSIVITY] = {"diffusivity", "m2 s-1", "diffusivity", NULL,
                        RIA_FIELD_INPUT | RIA_FIELD_STATIC, "viridis",
                        "diffusivity of each cell, >= 0; between two cells the harmonic mean"},
    [DF_SOURCE] = {"source", "s-1", "source of u", NULL, RIA_FIELD_INPUT, "balance",
                   "gain of each cell per second; may be set by events"},
    [DF_FIELDS] = {0},
};

static const ria_boundary_kind kinds[] = {
    [DF_OPEN] = {"open", {{0}}, false, "zero gradient: nothing passes, as through insulation"},
    [DF_VALUE] = {"value",
                  {{"u", "1", RIA_DIM_NONE, true, 0, 0}},
                  false,
                  "u at the side: a constant, a series or a tide"},
    [DF_FLUX] = {"flux",
                 {{"q", "m/s", RIA_DIM_NONE, true, 0, 0}},
                 false,
                 "inflow through each metre of the side, u times m^2/s per m; negative goes "
                 "out"},
    [DF_PERIODIC] =
        {"periodic",
         {{0}},
         false,
         "outflow comes in at the opposite side; for both sides of the pair, over the same cells"},
    [DF_FIXED] = {"fixed", {{0}}, false, "the cells at the side keep the values they have"},
    {0},
};

const char *df_refuses(int field, double v) {
  return field == DF_DIFFUSIVITY && v < 0 ? "must not be negative" : NULL;
}

/* --- bench: waves of several lengths ---------------------------------------------------------- */

static double bench_waves(const char *field, double x, double y) {
  (void)field;
  return sin(40 * x) * cos(31 * y) + 0.5 * sin(900 * x + 700 * y);
}
static double bench_layers(const char *field, double x, double y) {
  if (field[0] == 'd') return 0.5 + 0.4 * sin(20 * y + 3 * x);
  return bench_waves(field, x, y);
}
static const char *const bench_fields[] = {"u", NULL};
static const char *const bench_both[] = {"u", "diffusivity", NULL};
static const ria_setting bench_single[] = {{"steps_per_pass", 1, NULL}, {0}};
static const ria_bench_case bench[] = {
    {"plain", "one step a pass over memory, insulated", 4096, 0, RIA_F32, bench_fields, bench_waves,
     1.0, NULL, bench_single, 8.0},
    {"passes", "several steps a pass", 4096, 0, RIA_F32, bench_fields, bench_waves, 1.0, NULL, NULL,
     8.0},
    {"plain_f64", "as plain, double precision", 4096, 0, RIA_F64, bench_fields, bench_waves, 1.0,
     NULL, bench_single, 8.0},
    {"passes_f64", "as passes, double precision", 4096, 0, RIA_F64, bench_fields, bench_waves, 1.0,
     NULL, NULL, 8.0},
    {"map", "diffusivity of each cell, one step a pass", 4096, 0, RIA_F32, bench_both, bench_layers,
     1.0, NULL, bench_single, 16.0},
    {"small", "256 x 256: many small steps", 256, 0, RIA_F32, bench_fields, bench_waves, 1.0, NULL,
     NULL, 8.0},
    {0},
};
static const ria_bench_scaling scaling[] = {{"passes", {16384, 8192}, 8192, 8, 8, false}, {0}};

/* --- planes ----------------------------------------------------------------------------------- */

static void *plane_of(const void *self, int field, int tracer) {
  const df *s = self;
  (void)tracer;
  return field == DF_U ? s->u[s->now] : field == DF_DIFFUSIVITY ? s->diffusivity : s->source;
}

static double value_of(const void *self, int field, int tracer, int i, int j) {
  (void)tracer, (void)i, (void)j;
  return field == DF_DIFFUSIVITY ? ((const df *)self)->param.diffusivity : 0.0;
}

static void *quantity_of(const void *self, int quantity) {
  const df *s = self;
  (void)quantity;
  return s->u[s->now];
}

/* Rows that stay in a core's own cache while a pass goes through them. */
static int depth_for(const df *s) {
  const size_t cache = (size_t)768 << 10, row = 3 * s->planes.stride * s->planes.real_size;
  const int fits = (int)(cache / row) + 1, most = 8;
  const int chosen = s->param.steps_per_pass ? s->param.steps_per_pass : fits < most ? fits : most;
  return chosen < s->planes.grid.ny ? chosen : s->planes.grid.ny;
}

/* A part takes a pass, then its ghost rows are filled: each step of it needs one more. */
static int ghost_rows_of(const void *self) {
  const df *s = self;
  return ria_planes_whole(&s->planes) ? 1 : depth_for(s);
}

static void *shared_of(const void *self, int k) { return k ? NULL : quantity_of(self, 0); }

static const ria_plane_callbacks callbacks = {.plane = plane_of,
                                              .value = value_of,
                                              .refuses = df_refuses,
                                              .quantity = quantity_of,
                                              .shared = shared_of,
                                              .ghost_rows = ghost_rows_of,
                                              .fields = df_field_table};

/* --- life ------------------------------------------------------------------------------------- */

size_t df_scratch(const df *s, int depth) {
  return s->planes.stride * (size_t)(3 + 3 * (depth - 1));
}

static void df_destroy(void *self) {
  df *s = self;
  if (!s) return;
  ria_plane_free(&s->planes, s->u[0]);
  ria_plane_free(&s->planes, s->u[1]);
  ria_plane_free(&s->planes, s->diffusivity);
  ria_plane_free(&s->planes, s->source);
  ria_plane_free(&s->planes, s->face[0]);
  ria_plane_free(&s->planes, s->face[1]);
  for (int k = 0; s->scratch && k < s->planes.threads; k++)
    ria_plane_free(&s->planes, s->scratch[k]);
  ria_barrier_free(s->barrier);
  free(s->scratch);
  free(s->outside);
  free(s->given);
  ria_planes_free(&s->planes);
  free(s);
}

static ria_status allocate(df *s) {
  RIA_TRY(ria_plane_alloc(&s->planes, &s->u[0]));
  RIA_TRY(ria_plane_alloc(&s->planes, &s->u[1]));
  s->scratch = calloc((size_t)s->planes.threads, sizeof *s->scratch);
  s->barrier = ria_barrier_new(s->planes.threads);
  if (!s->barrier) return ria_fail_memory(s->planes.ctx, "the threads", sizeof *s->barrier);
  if (!s->scratch) return ria_fail_memory(s->planes.ctx, "rows of a pass", sizeof *s->scratch);
  for (int k = 0; k < s->planes.threads; k++)
    RIA_TRY(s->planes.backend->alloc(s->planes.ctx, s->planes.backend,
                                     df_scratch(s, depth_for(s)) * s->planes.real_size,
                                     &s->scratch[k]));
  return RIA_OK;
}

static ria_status df_create(const ria_solver_setup *setup, void **self) {
  *self = NULL;
  df *s = calloc(1, sizeof *s);
  if (!s) return ria_fail_memory(setup->ctx, "a simulation", sizeof *s);
  s->param = *(const df_params *)setup->params;
  s->progress.dt_min = DBL_MAX;
  ria_status status = ria_planes_init(&s->planes, setup, &callbacks, 1);
  if (status == RIA_OK) status = allocate(s);
  if (status != RIA_OK) {
    df_destroy(s);
    return status;
  }
  *self = s;
  return RIA_OK;
}

/* --- before steps ----------------------------------------------------------------------------- */

/* A part has rows of the other end of the grid beyond its own end (fill_beyond). */
static int in_planes(const ria_planes *p, int j) {
  if (j < p->part.j0 - p->ghost_rows) return j + p->grid.ny;
  return j >= p->part.j1 + p->ghost_rows ? j - p->grid.ny : j;
}

static double diffusivity_at(const void *user, int i, int j) {
  const df *s = user;
  if (!s->diffusivity) return s->param.diffusivity;
  return ria_plane_get(&s->planes, s->diffusivity,
                       ria_plane_at(&s->planes, i, in_planes(&s->planes, j)));
}

/* Ghost rows of a part beyond the ends of the grid, from src[ny][nx]: rows of the other end, which
 * are neighbours where the sides are periodic. */
static void fill_beyond(df *s, void *plane, const double *src) {
  const ria_planes *p = &s->planes;
  const int nx = p->grid.nx, ny = p->grid.ny;
  if (ria_planes_whole(p)) return;
  for (int j = p->part.j0 - p->ghost_rows; j < p->part.j1 + p->ghost_rows; j++) {
    if (j >= 0 && j < ny) continue;
    const double *row = src + (size_t)(j < 0 ? j + ny : j - ny) * (size_t)nx;
    for (int i = 0; i < nx; i++) ria_plane_put(p, plane, ria_plane_at(p, i, j), row[i]);
  }
}

static ria_status df_write(void *self, int field, int tracer, const double *src) {
  df *s = self;
  void **absent = field == DF_DIFFUSIVITY ? &s->diffusivity : &s->source;
  if (field != DF_U && !*absent) {
    RIA_TRY(ria_planes_check(s->planes.ctx, &s->planes.grid, s->planes.threads, &callbacks, field,
                             src));
    RIA_TRY(ria_plane_alloc(&s->planes, absent));
  }
  if (field == DF_DIFFUSIVITY) s->limited = false;
  RIA_TRY(ria_planes_write(self, field, tracer, src));
  fill_beyond(s, plane_of(s, field, tracer), src);
  return RIA_OK;
}

/* Conductances of the west and south faces of a row. At a side that is not periodic they are the
 * cell's own, twice a half. Rows go on beyond the ends of the grid: ny too, for the faces north of
 * the last row, and as far as a part's ghost rows where the other end is its neighbour. */
static void fill_faces(df *s, int j) {
  const ria_grid *g = &s->planes.grid;
  const double rdx2 = 1 / (g->dx * g->dx), rdy2 = 1 / (g->dy * g->dy);
  const int up = (j + g->ny) % g->ny, below = (j + g->ny - 1) % g->ny;
  for (int i = 0; i <= g->nx; i++) {
    const int here = i < g->nx ? i : g->nx - 1, left = i == 0 ? g->nx - 1 : i - 1;
    const int own = j == g->ny ? g->ny - 1 : up;
    const bool side_x = i == 0 || i == g->nx, side_y = up == 0;
    const bool wrap_x = s->planes.stretch[s->planes.owner[RIA_WEST][up]].kind == DF_PERIODIC;
    const bool wrap_y = s->planes.stretch[s->planes.owner[RIA_SOUTH][here]].kind == DF_PERIODIC;
    const double x = side_x && !wrap_x
                         ? diffusivity_at(s, here, up)
                         : df_face(diffusivity_at(s, left, up), diffusivity_at(s, i % g->nx, up));
    const double y = side_y && !wrap_y
                         ? diffusivity_at(s, here, own)
                         : df_face(diffusivity_at(s, here, below), diffusivity_at(s, here, up));
    const size_t at = ria_plane_at(&s->planes, i, j);
    ria_plane_put(&s->planes, s->face[0], at, x * rdx2);
    if (i < g->nx) ria_plane_put(&s->planes, s->face[1], at, y * rdy2);
  }
}

/* Of all rows that a pass works out, and the northern ones of the last. */
static ria_status prepare_faces(df *s) {
  const int beside = s->planes.ghost_rows - 1, ny = s->planes.grid.ny;
  const int south = s->planes.part.j0 - beside, north = s->planes.part.j1 + beside;
  const bool ring = s->planes.ring && !ria_planes_whole(&s->planes);
  const int first = south > 0 || ring ? south : 0, last = north < ny || ring ? north : ny;
  if (!s->diffusivity) return RIA_OK;
  for (int k = 0; k < 2; k++)
    if (!s->face[k]) RIA_TRY(ria_plane_alloc(&s->planes, &s->face[k]));
#pragma omp parallel for num_threads(s->planes.threads) schedule(static)
  for (int j = first; j <= last; j++) fill_faces(s, j);
  return RIA_OK;
}

/* What the source gives each row, u m^2/s. */
static ria_status sum_source(df *s) {
  const ria_planes *p = &s->planes;
  const size_t bytes = (size_t)ria_planes_rows(p) * sizeof *s->given;
  if (!s->source) return RIA_OK;
  if (!s->given) s->given = malloc(bytes);
  if (!s->given) return ria_fail_memory(p->ctx, "the source", bytes);
  for (int j = p->part.j0; j < p->part.j1; j++) {
    double sum = 0;
    for (int i = 0; i < p->grid.nx; i++) sum += ria_plane_get(p, s->source, ria_plane_at(p, i, j));
    *ria_planes_row(p, s->given, 0, j) = sum * p->grid.dx * p->grid.dy;
  }
  return RIA_OK;
}

/* What depends on diffusivity and boundaries alone. */
static ria_status find_limit(df *s) {
  const ria_planes *p = &s->planes;
  const int32_t *const owner[RIA_SIDES] = {p->owner[0], p->owner[1], p->owner[2], p->owner[3]};
  if (s->limited) return RIA_OK;
  RIA_TRY(df_check_sides(p->ctx, &p->grid, p->stretch, owner, &s->sides));
  RIA_TRY(df_find_limit(p->ctx, &p->grid, p->part, p->stretch, owner, !s->diffusivity,
                        diffusivity_at, s, p->threads, &s->limit));
  RIA_TRY(prepare_faces(s));
  s->limited = true;
  return RIA_OK;
}

static ria_status df_force(void *self, const ria_forcing_set *set) {
  df *s = self;
  const size_t bytes = sizeof(double) * DF_DEPTH * (size_t)set->boundary.n;
  s->limited = false;
  double *outside = realloc(s->outside, bytes);
  if (!outside) return ria_fail_memory(s->planes.ctx, "the boundaries", bytes);
  s->outside = outside;
  RIA_TRY(ria_planes_force(self, set));
  s->planes.ring = false;
  for (int k = 0; k < s->planes.grid.nx; k++)
    s->planes.ring |= set->boundary.stretch[set->boundary.owner[RIA_SOUTH][k]].kind == DF_PERIODIC;
  return RIA_OK;
}

/* Of all parts the cell that conducts best limits the step. */
static ria_status df_hear(void *self, const ria_meeting *all) {
  df *s = self;
  const double most = all->most[0];
  const int nx = s->planes.grid.nx, cell = (int)all->where[0];
  s->planes.waits = 0;
  const int64_t stuck = all->most[1] > 0 ? all->where[1] : -1;
  s->limit =
      (df_limit){most > 0 ? 1 / most : INFINITY, all->along[0], cell % nx, cell / nx, most, stuck};
  RIA_TRY(df_refuse_flux(s->planes.ctx, &s->planes.grid, stuck));
  RIA_TRY(df_choose_dt(s->planes.ctx, &s->param, &s->limit, &s->dt));
  RIA_TRY(sum_source(s));
  df_tell_limit(&s->progress, &s->limit, s->dt, s->t);
  s->planes.ready = true;
  return RIA_OK;
}

static ria_status df_prepare(void *self, double t) {
  df *s = self;
  s->t = t;
  RIA_TRY(find_limit(s));
  const df_limit *l = &s->limit;
  const int64_t cell = (int64_t)l->j * s->planes.grid.nx + l->i;
  const ria_meeting said = {
      .most = {l->most, l->stuck >= 0}, .where = {cell, l->stuck}, .along = {l->diffusivity}};
  s->planes.said = said;
  s->planes.waits = 1;
  return ria_planes_whole(&s->planes) ? df_hear(s, &said) : RIA_OK;
}

/* --- running ---------------------------------------------------------------------------------- */

/* Row j may lie beyond an end of the grid, where a part has rows of the other end. */
static void give_cell(df *s, int i, int j, double rise) {
  ria_planes *p = &s->planes;
  if (j < p->part.j0 - p->ghost_rows || j >= p->part.j1 + p->ghost_rows) return;
  const size_t at = ria_plane_at(p, i, j);
  const double had = ria_plane_get(p, s->u[s->now], at), area = p->grid.dx * p->grid.dy;
  ria_plane_put(p, s->u[s->now], at, had + rise);
  if (ria_planes_own(p, j))
    *ria_planes_row(p, p->added, 0, j) += (ria_plane_get(p, s->u[s->now], at) - had) * area;
}

/* What continuous sources give in [t, t + dt], to the present state. */
static void apply_sources(df *s, double t, double dt) {
  ria_planes *p = &s->planes;
  const double area = p->grid.dx * p->grid.dy;
  const int ny = p->grid.ny, beyond = p->ring && !ria_planes_whole(p) ? ny : 0;
  for (int m = 0; m < p->n_sources; m++) {
    const double amount = ria_planes_given(p, m, t, dt);
    for (int k = 0; amount != 0 && k < p->source[m].n; k++) {
      const int i = p->source[m].cell[k] % p->grid.nx, j = p->source[m].cell[k] / p->grid.nx;
      const double rise = amount * p->source[m].weight[k] / area;
      for (int row = j - beyond; row <= j + beyond; row += ny) give_cell(s, i, row, rise);
    }
  }
}

static void take_over(df *s, const df_pass *pass) {
  for (int l = 0; s->source && l < pass->n; l++)
    for (int r = 0; r < ria_planes_rows(&s->planes); r++)
      s->planes.added[r] += s->given[r] * pass->dt;
  s->now = 1 - s->now;
  s->t = pass->t_end;
  s->steps += pass->n;
  s->progress.dt = pass->dt;
}

/* Maxima are of every step, sources may change within a pass, and half a periodic side is a matter
 * of single cells: they take single steps. A part's ghost rows must be filled after a pass. */
bool df_next_pass(df *s, const ria_span *span, int64_t end, df_pass *pass) {
  const bool done = pass->n && !ria_planes_whole(&s->planes);
  if (pass->n) take_over(s, pass);
  if (done) return false;
  const bool single = s->planes.n_track || s->planes.n_sources || s->sides.mixed;
  *pass = df_plan(s->t, s->dt, span, single ? 1 : depth_for(s), end - s->steps);
  if (!pass->n) return false;
  df_outside_at(&s->planes.table, s->planes.stretch, s->planes.n_stretch, &s->planes.grid,
                s->diffusivity ? 1.0 : s->param.diffusivity, pass, s->outside);
  if (s->planes.n_sources) apply_sources(s, pass->t[0], pass->dt);
  return true;
}

static ria_status df_advance(void *self, const ria_span *span) {
  df *s = self;
  if (!s->planes.ready) RIA_TRY(df_prepare(s, s->t));
  const int64_t end = s->steps + span->max_steps;
  if (s->planes.real == RIA_F32)
    df_run_f32(s, span, end);
  else
    df_run_f64(s, span, end);
  return RIA_OK;
}

static ria_status df_progress(void *self, ria_progress *out) {
  const df *s = self;
  *out = s->progress;
  out->t = s->t;
  out->steps = s->steps;
  return RIA_OK;
}

static const ria_state_member members[] = {{"t", RIA_STATE_F64, offsetof(df, t), 0},
                                           {"steps", RIA_STATE_I64, offsetof(df, steps), 0},
                                           {"dt", RIA_STATE_F64, offsetof(df, progress.dt), 0},
                                           RIA_STATE_PROGRESS(df, progress),
                                           {0}};

/* The longest step and what the faces conduct follow from diffusivity and boundaries. */
static ria_status df_state(void *self, const ria_state_walk *walk) {
  df *s = self;
  RIA_TRY(ria_planes_state(&s->planes, walk));
  RIA_TRY(ria_plane_state(&s->planes, walk, "u", s->u[s->now], 0, 0));
  RIA_TRY(ria_plane_state_if(&s->planes, walk, "diffusivity", &s->diffusivity));
  RIA_TRY(ria_plane_state_if(&s->planes, walk, "source", &s->source));
  s->limited = s->limited && !walk->restores;
  if (walk->restores) RIA_TRY(df_prepare(s, 0));
  return ria_state_members(walk, members, s);
}

static const ria_solver_ops cpu = {
    .create = df_create,
    .destroy = df_destroy,
    .force = df_force,
    .prepare = df_prepare,
    .advance = df_advance,
    .progress = df_progress,
    .write = df_write,
    .state = df_state,
    .hear = df_hear,
};

#ifdef RIA_HAVE_CUDA
extern const ria_solver_ops ria_diffusion_cuda; /* gpu/diffusion/diffusion.cu */
#endif

static const ria_quantity_info quantities[] = {{"content", "m^2"}, {0}}; /* u times area */

const ria_solver ria_diffusion = {
    .name = "diffusion",
    .summary = "diffusion of heat or matter: explicit five-point scheme, several steps a pass",
    .doc = "u on a uniform Cartesian grid, with uniform or per-cell diffusivity, sources and sides "
           "of given value or flux, insulated, periodic or fixed. "
           "Equations, scheme and tests: engine/solvers/diffusion/README.md",
    .quantities = quantities,
    .params = params,
    .params_size = sizeof(df_params),
    .fields = df_field_table,
    .boundaries = kinds,
    .bench = bench,
    .scaling = scaling,
    .planes = 2,
    .cpu = &cpu,
#ifdef RIA_HAVE_CUDA
    .cuda = &ria_diffusion_cuda,
#endif
};
