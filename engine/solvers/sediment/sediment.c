/* sediment.c - two sediments on a basin's floor: the tables, and the functions the engine calls.
 *
 * The equations and the scheme are in README.md, the formulas in sediment_k.h, the loops in
 * sediment_step.h. This file owns the memory and the clock. */
#include "sediment.h"
#include "base/context.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- tables ----------------------------------------------------------------------------------- */

static const double year = 365.25 * 86400.0;
static const char *const schemes[] = {"conservative", "paper", NULL};

#define P(member) offsetof(sed_params, member)
#define PER_YEAR(v) ((v) / (365.25 * 86400.0))
static const ria_param_info params[] = {
    {"alpha", "m^2/s", RIA_REAL, PER_YEAR(1000), 0, 1e6, NULL,
     "diffusion coefficient of sand; set the field `alpha` for a map", P(alpha),
     RIA_DIM_DIFFUSIVITY},
    {"beta", "m^2/s", RIA_REAL, PER_YEAR(1000), 0, 1e6, NULL,
     "diffusion coefficient of mud; set the field `beta` for a map", P(beta), RIA_DIM_DIFFUSIVITY},
    {"c_sand", "", RIA_REAL, 1, 1e-3, 1e3, NULL, "compaction ratio of sand, C_s", P(c_sand),
     RIA_DIM_NONE},
    {"c_mud", "", RIA_REAL, 1, 1e-3, 1e3, NULL, "compaction ratio of mud, C_m", P(c_mud),
     RIA_DIM_NONE},
    {"layer", "m", RIA_REAL, 1, 1e-6, 1e4, NULL,
     "thickness A of the active layer, which moves with the surface and is well mixed", P(layer),
     RIA_DIM_LENGTH},
    {"sea_level", "m", RIA_REAL, 0, -1e5, 1e5, NULL,
     "at the start; set the field `sea_level` to change it", P(sea_level), RIA_DIM_LENGTH},
    {"marine_alpha", "", RIA_REAL, 1, 0, 1, NULL, "fraction of alpha at the wave base and below",
     P(marine_alpha), RIA_DIM_NONE},
    {"marine_beta", "", RIA_REAL, 1, 0, 1, NULL, "fraction of beta at the wave base and below",
     P(marine_beta), RIA_DIM_NONE},
    {"wave_base", "m", RIA_REAL, 10, 1e-3, 1e5, NULL,
     "depth down to which the coefficients fall off, linearly", P(wave_base), RIA_DIM_LENGTH},
    {"cfl", "", RIA_REAL, 0.9, 0.01, 0.95, NULL,
     "time step as a fraction of the largest stable step", P(cfl), RIA_DIM_NONE},
    {"dt", "s", RIA_REAL, 0, 0, 1e15, NULL,
     "time step; 0 = as stability allows. An unstable step is an error", P(dt), RIA_DIM_TIME},
    {"dt_max", "s", RIA_REAL, 0, 0, 1e15, NULL, "longest step; 0 = as stability allows", P(dt_max),
     RIA_DIM_TIME},
    {"dt_min", "s", RIA_REAL, 1, 0, 1e15, NULL,
     "a stable step shorter than this ends the run with an error", P(dt_min), RIA_DIM_TIME},
    {"scheme", "", RIA_CHOICE, SED_CONSERVATIVE, 0, 0, schemes,
     "discretisation. `paper`: the scheme as printed; it conserves neither sediment and does not "
     "keep the fraction in [0, 1]. For comparison only",
     P(scheme), RIA_DIM_NONE},
    {0},
};
#undef P

static const ria_quantity_info quantities[] = {
    [SED_SAND] = {"sand", "m^3"}, [SED_MUD] = {"mud", "m^3"}, [SED_QUANTITIES] = {0}};

const ria_field_info ria_sediment_fields[] = {
    [SED_HEIGHT] = {"height", "m", "height of the surface", "surface_altitude",
                    RIA_FIELD_INPUT | RIA_FIELD_TRACK | RIA_FIELD_GAUGE | RIA_FIELD_GROUND,
                    "relief", "height h of the sediment's surface, z up"},
    [SED_FRACTION] = {"sand", "1", "sand fraction", NULL,
                      RIA_FIELD_INPUT | RIA_FIELD_TRACK | RIA_FIELD_GAUGE | RIA_FIELD_GROUND,
                      "sand",
                      "volume fraction s of sand in the active layer, 0 to 1; the rest is mud"},
    [SED_ALPHA] = {"alpha", "m2 s-1", "diffusion coefficient of sand", NULL, RIA_FIELD_INPUT,
                   "viridis", "diffusion coefficient of sand, on land where sea and land differ"},
    [SED_BETA] = {"beta", "m2 s-1", "diffusion coefficient of mud", NULL, RIA_FIELD_INPUT,
                  "viridis", "diffusion coefficient of mud, on land where sea and land differ"},
    [SED_SEA_LEVEL] = {"sea_level", "m", "sea level", NULL, RIA_FIELD_INPUT, "deep",
                       "level of the sea, one value for all cells; may change during a run"},
    [SED_BASE] = {"base", "m", "height at the start", NULL, RIA_FIELD_GROUND, "relief",
                  "height of the surface when the run began, before its first event"},
    [SED_DEPTH] = {"depth", "m", "water depth", "sea_floor_depth_below_sea_surface",
                   RIA_FIELD_DRY_NAN, "deep", "depth of the surface below sea level; none on land"},
    [SED_THICKNESS] = {"thickness", "m", "sediment since the start", NULL,
                       RIA_FIELD_GROUND | RIA_FIELD_LEVEL, "balance",
                       "height minus height at the start: deposition, negative where eroded"},
    [SED_SLOPE] = {"slope", "1", "slope", NULL, RIA_FIELD_GROUND, "amp",
                   "steepness of the surface, by central differences"},
    [SED_FIELDS] = {0},
};

static const ria_boundary_kind kinds[] = {
    [SED_CLOSED] = {"closed", {{0}}, false, "nothing passes"},
    [SED_FLUX] = {"flux",
                  {{"sand", "m^3/s", RIA_DIM_FLOW, false, 0, 0},
                   {"mud", "m^3/s", RIA_DIM_FLOW, false, 0, 0}},
                  false,
                  "volumes of sand and mud that come in over the stretch, shared evenly; negative "
                  "takes out, at most all of the active layer"},
    [SED_OPEN] = {"open",
                  {{0}},
                  false,
                  "the slope inside goes on outside: what runs down it leaves, nothing comes back"},
    {0},
};

/* --- bench: a shelf with channels and shoals; a fan by itself --------------------------------- */

static double bench_shelf(const char *field, double x, double y) {
  if (!strcmp(field, "height")) return -40 * x + 3 * sin(11 * y) * cos(17 * x);
  if (!strcmp(field, "sand")) return 0.5 + 0.4 * sin(9 * x) * sin(13 * y);
  if (!strcmp(field, "alpha")) return PER_YEAR(900 + 300 * sin(7 * x + 3 * y));
  return PER_YEAR(1500 + 500 * cos(5 * x - 8 * y));
}
static const char *const bench_mapped[] = {"height", "sand", "alpha", "beta", NULL};
static const char *const bench_plain[] = {"height", "sand", NULL};
static const ria_setting bench_marine[] = {{.name = "sea_level", .number = -10},
                                           {.name = "marine_alpha", .number = 0.1},
                                           {.name = "marine_beta", .number = 0.4},
                                           {0}};
static const ria_setting bench_paper[] = {{.name = "scheme", .text = "paper"}, {0}};

#define CASE(NAME, DOC, N, REAL, FIELDS, PARAMS, BYTES)                                            \
  {                                                                                                \
    .name = NAME, .doc = DOC, .n = N, .real = REAL, .fields = FIELDS, .init = bench_shelf,         \
    .dx = 500, .params = PARAMS, .bytes_per_cell = BYTES                                           \
  }
static const ria_bench_case bench[] = {
    CASE("mapped", "alpha and beta are maps: the paper's case", 4096, RIA_F64, bench_mapped, NULL,
         24),
    CASE("uniform", "alpha and beta have one value", 4096, RIA_F64, bench_plain, NULL, 16),
    CASE("marine", "maps, and less below sea level", 4096, RIA_F64, bench_mapped, bench_marine, 24),
    CASE("paper", "the printed scheme, two passes", 4096, RIA_F64, bench_mapped, bench_paper, 40),
    CASE("small", "many short steps", 256, RIA_F64, bench_mapped, NULL, 24),
    {0}};
static const ria_bench_scaling scaling[] = {{"mapped", {4096, 2048}, 4096, 2, 1, true}, {0}};

/* --- life ------------------------------------------------------------------------------------- */

static void sed_destroy(void *self) {
  sed *s = self;
  if (!s) return;
  void *planes[] = {s->h[0], s->h[1], s->sand[0], s->sand[1], s->base, s->alpha, s->beta};
  for (size_t k = 0; k < sizeof planes / sizeof *planes; k++) ria_plane_free(&s->planes, planes[k]);
  free(s->row);
  free(s->deposit);
  free(s->cells_of);
  ria_planes_free(&s->planes);
  free(s);
}

static ria_status allocate(sed *s) {
  void **planes[] = {&s->h[0], &s->h[1], &s->sand[0], &s->sand[1], &s->base, &s->alpha, &s->beta};
  for (size_t k = 0; k < sizeof planes / sizeof *planes; k++)
    RIA_TRY(ria_plane_alloc(&s->planes, planes[k]));
  const size_t rows = (size_t)ria_planes_rows(&s->planes);
  s->row = calloc(rows + 2, sizeof *s->row);
  s->deposit = calloc(rows, sizeof *s->deposit);
  if (!s->row || !s->deposit) return ria_planes_no_memory(&s->planes, "the rows");
  return RIA_OK;
}

static void fill(sed *s, void *plane, double v) {
  const ria_part rows = ria_planes_had(&s->planes);
#pragma omp parallel for num_threads(s->planes.threads) schedule(static)
  for (int j = rows.j0; j < rows.j1; j++)
    for (int i = 0; i < s->planes.grid.nx; i++)
      ria_plane_put(&s->planes, plane, ria_plane_at(&s->planes, i, j), v);
}

static ria_status sed_create(const ria_solver_setup *setup, void **self) {
  *self = NULL;
  sed *s = calloc(1, sizeof *s);
  if (!s) return ria_fail(setup->ctx, RIA_ERR_MEMORY, "out of memory for a simulation");
  s->param = *(const sed_params *)setup->params;
  ria_status status = ria_planes_init(&s->planes, setup, &sed_callbacks, SED_QUANTITIES);
  if (status == RIA_OK) status = allocate(s);
  if (status != RIA_OK) {
    sed_destroy(s);
    return status;
  }
  s->sea = s->param.sea_level;
  s->clock.dt_min = DBL_MAX;
  fill(s, s->alpha, s->param.alpha);
  fill(s, s->beta, s->param.beta);
  *self = s;
  return RIA_OK;
}

/* --- running ---------------------------------------------------------------------------------- */

static void wrap_plane(sed *s, void *plane) {
  const ria_planes *p = &s->planes;
  const int nx = p->grid.nx, ny = p->grid.ny;
  const ria_part had = ria_planes_had(p);
  char *v = plane;
  const size_t size = p->real_size, row = (size_t)nx * size;
  for (int j = had.j0; j < had.j1; j++) {
    memcpy(v + ria_plane_at(p, -1, j) * size, v + ria_plane_at(p, 0, j) * size, size);
    memcpy(v + ria_plane_at(p, nx, j) * size, v + ria_plane_at(p, nx - 1, j) * size, size);
  }
  if (p->part.j0 < p->ghost_rows)
    memcpy(v + ria_plane_at(p, 0, -1) * size, v + ria_plane_at(p, 0, 0) * size, row);
  if (p->part.j1 > ny - p->ghost_rows)
    memcpy(v + ria_plane_at(p, 0, ny) * size, v + ria_plane_at(p, 0, ny - 1) * size, row);
}

void sed_wrap(sed *s, int state) {
  wrap_plane(s, s->h[state]);
  wrap_plane(s, s->sand[state]);
}

typedef struct spread {
  double least, most;
} spread;

/* With the ghost rows: faces to them are the part's, too. */
static spread spread_of(const sed *s, const void *plane) {
  double least = INFINITY, most = -INFINITY;
  const ria_planes *p = &s->planes;
  const ria_part rows = ria_planes_had(p);
#pragma omp parallel for num_threads(p->threads) schedule(static) reduction(min                    \
                                                                            : least)               \
    reduction(max                                                                                  \
              : most)
  for (int j = rows.j0; j < rows.j1; j++)
    for (int i = 0; i < p->grid.nx; i++) {
      const double v = ria_plane_get(p, plane, ria_plane_at(p, i, j));
      least = v < least ? v : least;
      most = v > most ? v : most;
    }
  return (spread){least, most};
}

sed_pace sed_pace_of(const sed_params *param, const ria_grid *g, double most) {
  const double steep = 2 * most * (1 / (g->dx * g->dx) + 1 / (g->dy * g->dy));
  return (sed_pace){param->layer,  param->cfl, steep > 0 ? 1 / steep : 0,
                    param->dt_max, param->dt,  param->dt_min};
}

/* Parts wait for the others' spreads of alpha and beta, or for what their passes found. */
enum { WAYS = 1, PASS };

static void know_ways(sed *s, const ria_meeting *all) {
  const double *m = all->most;
  s->ways = (sed_ways){.uniform = m[0] == -m[1] && m[2] == -m[3],
                       .marine = s->param.marine_alpha < 1 || s->param.marine_beta < 1,
                       .paper = s->param.scheme == SED_PAPER};
  s->most = fmax(m[0] / s->param.c_sand, m[2] / s->param.c_mud);
  s->pace = sed_pace_of(&s->param, &s->planes.grid, s->most);
}

void sed_find_ways(sed *s) {
  const spread a = spread_of(s, s->alpha), b = spread_of(s, s->beta);
  s->planes.said = (ria_meeting){.most = {a.most, -a.least, b.most, -b.least}};
  s->planes.waits = ria_planes_whole(&s->planes) ? 0 : WAYS;
  if (!s->planes.waits) know_ways(s, &s->planes.said);
  wrap_plane(s, s->alpha);
  wrap_plane(s, s->beta);
  sed_wrap(s, s->clock.now);
}

static ria_status sed_prepare(void *self, double t) {
  sed *s = self;
  sed_find_ways(s);
  s->clock.t = t;
  s->clock.pull = -1; /* not known: the first pass only looks */
  s->begun = true;    /* before the events of the start */
  s->planes.ready = true;
  return RIA_OK;
}

/* One pass, and what it found; none where the span is over. */
static void pass(sed *s) {
  double pull = 0;
  int bad = 0;
  s->planes.waits = s->clock.over ? 0 : PASS;
  if (s->clock.over) return;
  if (s->planes.real == RIA_F32)
    sed_pass_f32(s, s->clock.dt);
  else
    sed_pass_f64(s, s->clock.dt);
  for (int r = 0; r < ria_planes_rows(&s->planes); r++) {
    const sed_row *found = sed_found(s, s->planes.part.j0 + r);
    pull = found->pull > pull ? found->pull : pull;
    bad |= found->bad;
  }
  s->planes.said = (ria_meeting){.most = {pull, bad}};
}

/* What follows from a pass. */
static void take_over(sed *s, const ria_meeting *all) {
  sed_tick(&s->clock, &s->pace, all->most[0], all->most[1] > 0);
  if (s->clock.done_dt == 0) return;
  for (int r = 0; r < ria_planes_rows(&s->planes); r++)
    s->deposit[r] += sed_found(s, s->planes.part.j0 + r)->strata;
  sed_bring(s, s->clock.done_t, s->clock.done_dt);
  ria_planes_keep_maxima(&s->planes);
}

static ria_status sed_hear(void *self, const ria_meeting *all) {
  sed *s = self;
  const bool passed = s->planes.waits == PASS;
  s->planes.waits = 0;
  if (!passed) {
    know_ways(s, all);
    return RIA_OK;
  }
  take_over(s, all);
  pass(s);
  return RIA_OK;
}

static ria_status sed_advance(void *self, const ria_span *span) {
  sed *s = self;
  sed_clock *c = &s->clock;
  if (!s->planes.ready) RIA_TRY(sed_prepare(s, c->t));
  c->t_stop = span->t_stop;
  c->t_watch = span->t_watch;
  c->steps_stop = c->steps + ria_planes_span(&s->planes, span).max_steps;
  sed_begin(c, &s->pace);
  pass(s);
  while (ria_planes_whole(&s->planes) && s->planes.waits) RIA_TRY(sed_hear(s, &s->planes.said));
  return RIA_OK;
}

/* --- telling ---------------------------------------------------------------------------------- */

void sed_tell(const sed_clock *c, const sed_params *param, const sed_pace *pace,
              ria_progress *out) {
  out->t = c->t;
  out->steps = c->steps;
  out->dt = c->last;
  out->dt_min = c->dt_min;
  out->dt_min_t = c->dt_min_t;
  out->dt_min_i = out->dt_min_j = -1; /* it is the whole's */
  if (c->by_slope)
    snprintf(out->dt_min_cause, sizeof out->dt_min_cause,
             "erosion would use up the active layer of %g m", param->layer);
  else
    snprintf(out->dt_min_cause, sizeof out->dt_min_cause, "diffusion, stable up to %.4g yr",
             pace->flat / year);
  if (c->failure == SED_WELL) return;
  out->fail_i = out->fail_j = -1;
  out->failure = RIA_ERR_NUMERICAL;
  out->fail_t = c->t;
  if (c->failure == SED_BAD)
    snprintf(out->fail_what, sizeof out->fail_what, "not a number or out of range");
  else if (c->failure == SED_LONG)
    snprintf(out->fail_what, sizeof out->fail_what,
             "the step dt = %g s is longer than the longest stable one, %g s: leave dt out",
             param->dt,
             fmin(pace->flat > 0 ? pace->flat : INFINITY,
                  c->pull > 0 ? pace->layer / c->pull : INFINITY));
  else
    snprintf(out->fail_what, sizeof out->fail_what,
             "the stable time step fell below dt_min = %g s: %s", param->dt_min, out->dt_min_cause);
}

/* A cell whose new state is NaN or infinite. */
static void find_bad(const sed *s, ria_progress *out) {
  const int next = 1 - s->clock.now;
  for (int j = s->planes.part.j0; j < s->planes.part.j1; j++)
    for (int i = 0; i < s->planes.grid.nx; i++) {
      const size_t at = ria_plane_at(&s->planes, i, j);
      const double sum =
          ria_plane_get(&s->planes, s->h[next], at) + ria_plane_get(&s->planes, s->sand[next], at);
      if (isfinite(sum)) continue;
      out->fail_i = i;
      out->fail_j = j;
      return;
    }
}

static ria_status sed_progress(void *self, ria_progress *out) {
  sed *s = self;
  *out = (ria_progress){0};
  sed_tell(&s->clock, &s->param, &s->pace, out);
  if (s->clock.failure == SED_BAD) find_bad(s, out);
  return RIA_OK;
}

static const ria_solver_ops cpu = {
    .create = sed_create,
    .destroy = sed_destroy,
    .force = sed_force,
    .prepare = sed_prepare,
    .advance = sed_advance,
    .progress = sed_progress,
    .write = sed_write,
    .add = sed_add,
    .state = sed_state,
    .hear = sed_hear,
};

#ifdef RIA_HAVE_CUDA
extern const ria_solver_ops ria_sediment_cuda; /* gpu/sediment/sediment.cu */
#endif

const ria_solver ria_sediment = {
    .name = "sediment",
    .summary = "two sediments, sand and mud, that diffuse over a basin's floor",
    .doc = "Height h of the surface and sand fraction s of its active layer on a uniform grid: the "
           "diffusion model of Rivenaes with coefficients alpha and beta, less under the sea. "
           "Equations, scheme and tests: engine/solvers/sediment/README.md",
    .quantities = quantities,
    .params = params,
    .params_size = sizeof(sed_params),
    .fields = ria_sediment_fields,
    .boundaries = kinds,
    .roles = {.bed = "height", .shore = "depth"},
    .max_tracers = 0,
    .planes = 7,
    .bench = bench,
    .scaling = scaling,
    .cpu = &cpu,
#ifdef RIA_HAVE_CUDA
    .cuda = &ria_sediment_cuda,
#endif
};
