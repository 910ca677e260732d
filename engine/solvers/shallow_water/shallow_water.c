/* shallow_water.c - shallow water with tracers: the tables, and the functions the engine calls.
 *
 * The scheme is in shallow_water_k.h (formulas) and shallow_water_step.h (loops);
 * docs/shallow_water.md derives it, README.md says where it is tested. */
#include "shallow_water.h"
#include "backend/barrier.h"
#define RIA_PRECISION double
#include "shallow_water_k.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- tables ----------------------------------------------------------------------------------- */

#define P(member) offsetof(sw_params, member)
static const ria_param_info params[] = {
    {"gravity", "m/s^2", RIA_REAL, 9.81, 1e-3, 100, NULL, "acceleration of gravity", P(gravity),
     RIA_DIM_ACCELERATION},
    {"manning", "s/m^(1/3)", RIA_REAL, 0, 0, 0.5, NULL,
     "Manning roughness; set the field `manning` for a map", P(manning), RIA_DIM_MANNING},
    {"cfl", "", RIA_REAL, 0.9, 0.01, 0.95, NULL,
     "Courant number: dt = cfl / max((|u|+c)/dx + (|v|+c)/dy)", P(cfl), RIA_DIM_NONE},
    {"dry_depth", "m", RIA_REAL, 1e-6, 1e-12, 0.1, NULL,
     "water at most this deep does not move and counts as dry", P(dry_depth), RIA_DIM_LENGTH},
    {"dt_max", "s", RIA_REAL, 0, 0, 1e9, NULL, "longest step; 0 = as stability allows", P(dt_max),
     RIA_DIM_TIME},
    {"dt_min", "s", RIA_REAL, 1e-7, 0, 1e9, NULL,
     "a stable step shorter than this ends the run with an error", P(dt_min), RIA_DIM_TIME},
    RIA_FORCES_PARAMS(P(forces)),
    {"wind_depth", "m", RIA_REAL, 0.5, 1e-6, 100, NULL,
     "in water shallower than this the wind stress is reduced in proportion to depth",
     P(wind_depth), RIA_DIM_LENGTH},
    {"order", "", RIA_INT, 2, 1, 2, NULL,
     "order of the scheme in space and time, of the flow and the tracers", P(order), RIA_DIM_NONE},
    {"limiter", "", RIA_REAL, 1.3, 0, 2, NULL,
     "order 2: steepness of limited slopes, 1 = minmod, 2 = steepest; 0 = none, as at order 1",
     P(limiter), RIA_DIM_NONE},
    {"eddy", "m^2/s", RIA_REAL, 0, 0, 1e5, NULL,
     "eddy viscosity, constant; where it is large it shortens the step", P(eddy),
     RIA_DIM_DIFFUSIVITY},
    {"smagorinsky", "", RIA_REAL, 0, 0, 2, NULL,
     "Smagorinsky's coefficient, 0.2 to 0.8 in use; 0 = none", P(smagorinsky), RIA_DIM_NONE},
    {"schmidt", "", RIA_REAL, 0.7, 0.1, 1e6, NULL,
     "Schmidt number of eddies: they spread tracers by viscosity / schmidt", P(schmidt),
     RIA_DIM_NONE},
    {0},
};
#undef P

static const ria_quantity_info quantities[] = {{"water", "m^3"}, {0}};

static const ria_boundary_kind kinds[] = {
    [SIDE_WALL] = {"wall", {{0}}, false, "nothing passes; the flow slides along it"},
    [SIDE_OPEN] = {"open",
                   {{"slope", "m/m", RIA_DIM_NONE, false, NAN, 0}},
                   true,
                   "waves leave, and a stream leaves at normal depth where the bed falls outwards: "
                   "as it falls from the cell inside, or at `slope`. Where the sea lies beyond, "
                   "slope = 0 keeps water at rest; a level is better still"},
    [SIDE_LEVEL] =
        {"level",
         {{"level", "m", RIA_DIM_LENGTH, true, 0, 0}},
         true,
         "the water level outside: a constant, a series or a tide. The outgoing wave meets "
         "it; supercritical outflow ignores it"},
    [SIDE_DISCHARGE] = {"discharge",
                        {{"q", "m^3/s", RIA_DIM_FLOW, true, 0, 0}},
                        true,
                        "total discharge into the domain over the stretch, spread by conveyance; "
                        "negative takes water out, at most all there is"},
    [SIDE_RADIATE] =
        {"radiate",
         {{"level", "m", RIA_DIM_LENGTH, true, 0, 0},
          {"u", "m/s", RIA_DIM_SPEED, false, 0, 0},
          {"v", "m/s", RIA_DIM_SPEED, false, 0, 0}},
         true,
         "the sea outside: its level and its current, along x and along y, come in as waves "
         "(Flather), and waves from inside leave"},
    [SIDE_RATING] = {"rating",
                     {{"curve", "m", RIA_DIM_LENGTH, true, 0, RIA_DIM_FLOW}},
                     false,
                     "water leaves at the level that a curve, rows {m^3/s, m} from 0 m^3/s on, has "
                     "for what leaves through all of the stretch; none comes in, at order 2 some "
                     "thousandths of what leaves at most"},
    [SIDE_PERIODIC] =
        {"periodic",
         {{0}},
         false,
         "what leaves comes in at the opposite side: for both sides of the pair, each as a whole"},
    [SIDE_NORMAL] = {"normal",
                     {{"slope", "m/m", RIA_DIM_NONE, false, NAN, 0}},
                     false,
                     "water leaves at Manning's normal depth for `slope` (or as the bed falls from "
                     "the cell inside), at most at critical depth; none comes in"},
    [SIDE_FREE] = {"free",
                   {{0}},
                   false,
                   "water falls off: it leaves at critical depth, as over a brink or a weir; none "
                   "comes in"},
    {0},
};

/* Values that may differ along a side. */
static const unsigned points[] = {[SIDE_LEVEL] = 1, [SIDE_RADIATE] = 7, [SIDE_FREE] = 0};

/* --- bench: a deep basin with a swell; a beach that leaves half of it dry -------------------- */

static double bench_wet(const char *field, double x, double y) {
  if (!strcmp(field, "bed")) return -20.0 + 5.0 * sin(9.0 * x) * cos(7.0 * y);
  if (!strcmp(field, "level")) return 0.5 * sin(12.0 * x + 5.0 * y);
  if (!strcmp(field, "qx")) return 8.0 * cos(6.0 * y);
  if (!strcmp(field, "qy")) return 5.0 * sin(7.0 * x);
  return 1.0 + 0.5 * sin(20.0 * x) * sin(17.0 * y);
}
static double bench_half_dry(const char *field, double x, double y) {
  if (!strcmp(field, "bed")) return x < 0.5 ? -20.0 + 5.0 * sin(9.0 * x) * cos(7.0 * y) : 30.0;
  return x < 0.5 ? bench_wet(field, x, y) : 0.0;
}
static const char *const bench_fields[] = {"bed", "level", "qx", "qy", "tracer1", NULL};
static const ria_setting bench_first[] = {{"manning", 0.025, NULL}, {"order", 1, NULL}, {0}};
static const ria_setting bench_second[] = {{"manning", 0.025, NULL}, {"order", 2, NULL}, {0}};
static const ria_bench_case bench[] = {
    {"wet", "order 1, every cell wet, one tracer, Manning friction", 2048, 1, RIA_F32, bench_fields,
     bench_wet, 10.0, NULL, bench_first, 36.0},
    {"half_dry", "order 1, the eastern half dry land", 2048, 1, RIA_F32, bench_fields,
     bench_half_dry, 10.0, NULL, bench_first, 36.0},
    {"wet_f64", "as wet, double precision", 2048, 1, RIA_F64, bench_fields, bench_wet, 10.0, NULL,
     bench_first, 36.0},
    {"second", "order 2, every cell wet, one tracer, Manning friction", 2048, 1, RIA_F32,
     bench_fields, bench_wet, 10.0, NULL, bench_second, 36.0},
    {"second_half_dry", "order 2, the eastern half dry land", 2048, 1, RIA_F32, bench_fields,
     bench_half_dry, 10.0, NULL, bench_second, 36.0},
    {"second_f64", "as second, double precision", 2048, 1, RIA_F64, bench_fields, bench_wet, 10.0,
     NULL, bench_second, 36.0},
    {0},
};
static const ria_bench_scaling scaling[] = {
    {"wet", {16384, 8192, 4096, 2000, 1000}, 8192, 4, 1, true},
    {"second", {16384, 8192, 4096, 2000, 1000}, 8192, 8, 1, true},
    {0},
};

/* --- memory ----------------------------------------------------------------------------------- */

static void sw_destroy(void *self) {
  sw *s = self;
  if (!s) return;
  water_forcing_free(&s->forcing);
  ria_plane_free(&s->planes, s->bed);
  ria_plane_free(&s->planes, s->manning);
  for (int b = 0; b < 2; b++) {
    for (int k = 0; k < SW_STATES; k++) ria_plane_free(&s->planes, s->state[b][k]);
    free(s->wet[b]);
  }
  for (int k = 0; s->scratch && k < s->planes.threads; k++)
    ria_plane_free(&s->planes, s->scratch[k]);
  ria_barrier_free(s->barrier);
  free(s->scratch);
  free(s->found);
  free(s->same);
  free(s->always);
  free(s->rim);
  free(s->list);
  ria_planes_free(&s->planes);
  free(s);
}

static ria_status allocate(sw *s) {
  RIA_TRY(ria_plane_alloc(&s->planes, &s->bed));
  for (int b = 0; b < 2; b++)
    for (int k = 0; k < SW_STATE_C + s->nt; k++)
      RIA_TRY(ria_plane_alloc(&s->planes, &s->state[b][k]));

  const size_t flags = sw_flags(s);
  s->wet[0] = calloc(flags, 1);
  s->wet[1] = calloc(flags, 1);
  s->same = calloc(flags, 1);
  s->always = calloc(flags, 1);
  s->barrier = ria_barrier_new(s->planes.threads);
  if (!s->barrier) return ria_planes_no_memory(&s->planes, "the threads");
  s->scratch = calloc((size_t)s->planes.threads, sizeof *s->scratch);
  s->found = calloc((size_t)s->planes.threads, sizeof *s->found);
  if (!s->wet[0] || !s->wet[1] || !s->same || !s->always || !s->scratch || !s->found)
    return ria_planes_no_memory(&s->planes, "the flags");
  RIA_TRY(water_forcing_init(&s->forcing, &s->planes));
  const size_t cell = 4 + (size_t)s->nt, ahead = SW_AHEAD + 5 * (size_t)s->nt;
  const size_t rows = s->param.order == 2 ? 6 * cell + 2 * ahead + 1 : 5 * cell + 1;
  const size_t eddies = sw_stirs(&s->param) ? SW_EDDY_ROWS : 0;
  for (int k = 0; k < s->planes.threads; k++)
    RIA_TRY(s->planes.backend->alloc(
        s->planes.ctx, s->planes.backend,
        (rows + eddies) * (SW_BLOCK + 2 * RIA_PLANE_PAD) * s->planes.real_size, &s->scratch[k]));
  return RIA_OK;
}

static ria_status sw_create(const ria_solver_setup *setup, void **self) {
  *self = NULL;
  sw *s = calloc(1, sizeof *s);
  if (!s) return ria_fail(setup->ctx, RIA_ERR_MEMORY, "out of memory for a simulation");
  s->param = *(const sw_params *)setup->params;
  ria_forces_on(&s->param.forces, &setup->grid);
  s->nt = setup->n_tracers;
  for (int m = 0; m < s->nt; m++) {
    s->decay[m] = setup->tracers[m].decay;
    s->diffusion[m] = setup->tracers[m].diffusion;
  }
  s->blocks = (setup->grid.nx + SW_BLOCK - 1) / SW_BLOCK;
  s->segments = (setup->grid.nx + SW_SEGMENT - 1) / SW_SEGMENT;
  s->clock = (sw_clock){.dt_min = DBL_MAX, .speed_cell = -1};
  s->progress.dt_min = DBL_MAX;
  ria_status status = ria_planes_init(&s->planes, setup, &sw_callbacks, 1 + s->nt);
  if (status == RIA_OK) status = allocate(s);
  if (status != RIA_OK) {
    sw_destroy(s);
    return status;
  }
  *self = s;
  return RIA_OK;
}

/* --- running ---------------------------------------------------------------------------------- */

ria_status sw_survey(sw *s) {
  if (s->planes.real == RIA_F32)
    sw_survey_f32(s);
  else
    sw_survey_f64(s);
  return sw_meet(s, SW_STATE, sw_gather(s));
}

static ria_status sw_prepare(void *self, double t) {
  sw *s = self;
  const ria_planes *p = &s->planes;
  const int32_t *const owner[RIA_SIDES] = {p->owner[0], p->owner[1], p->owner[2], p->owner[3]};
  RIA_TRY(water_check_rings(p->ctx, &p->grid, p->stretch, owner));
  RIA_TRY(sw_refuse_outlets(s->planes.ctx, &s->outlets));
  s->clock.t = t;
  s->planes.ready = true;
  return sw_survey(s);
}

void sw_run(sw *s) {
  if (s->planes.real == RIA_F32)
    sw_run_f32(s);
  else
    sw_run_f64(s);
}

static ria_status sw_advance(void *self, const ria_span *span) {
  sw *s = self;
  if (!s->planes.ready) RIA_TRY(sw_prepare(s, s->clock.t));
  const ria_span now = ria_planes_span(&s->planes, span);
  sw_begin_span(&s->clock, &now);
  if (ria_planes_whole(&s->planes)) {
    sw_run(s);
    return RIA_OK;
  }
  ria_meeting m;
  return sw_ask(s, &m) ? sw_meet(s, SW_FORCING, m) : RIA_OK;
}

static ria_status sw_progress(void *self, ria_progress *out) {
  sw *s = self;
  *out = s->progress;
  out->t = s->clock.t;
  out->steps = s->clock.steps;
  out->dt = s->clock.dt;
  return RIA_OK;
}

static const ria_solver_ops cpu = {
    .create = sw_create,
    .destroy = sw_destroy,
    .force = sw_force,
    .prepare = sw_prepare,
    .advance = sw_advance,
    .progress = sw_progress,
    .read = sw_read,
    .write = sw_write,
    .add = sw_add,
    .state = sw_state,
    .hear = sw_hear,
};

#ifdef RIA_HAVE_CUDA
extern const ria_solver_ops ria_shallow_water_cuda; /* gpu/shallow_water/shallow_water.cu */
#endif

const ria_solver ria_shallow_water = {
    .name = "shallow_water",
    .summary = "shallow water with pollutants: path-conservative Roe finite volumes, order 1 or 2",
    .doc =
        "Depth h, discharge per width qx, qy and up to 8 tracers on a uniform grid over any bed, "
        "with wetting and drying, Manning friction, wind, Coriolis, tides, rivers and spills. "
        "Equations, scheme and tests: engine/solvers/shallow_water/README.md",
    .quantities = quantities,
    .params = params,
    .params_size = sizeof(sw_params),
    .fields = water_fields,
    .boundaries = kinds,
    .boundary_points = points,
    .roles =
        {.bed = "bed", .depth = "depth", .u = "u", .v = "v", .dry = "dry_depth", .order = "order"},
    .max_tracers = RIA_MAX_TRACERS,
    .planes = 7,
    .planes_per_tracer = 2,
    .bench = bench,
    .scaling = scaling,
    .cpu = &cpu,
#ifdef RIA_HAVE_CUDA
    .cuda = &ria_shallow_water_cuda,
#endif
    .relaxes = true,
};
