/* adi.c - the alternating-direction implicit solver: the tables, and the functions the engine
 * calls.
 *
 * The scheme is in adi_k.h (formulas) and adi_step.h (loops); docs/adi.md derives it, README.md
 * says where it is tested. This file owns the memory. */
#include "adi_parts.h"
#include "backend/barrier.h"
#include "solvers/adi/adi_rates_k.h"

#include <stdlib.h>
#include <string.h>

/* --- tables ----------------------------------------------------------------------------------- */

#define P(member) offsetof(adi_params, member)
static const char *const upwind_choices[] = {"froude", "off", NULL};
static const char *const cross_choices[] = {"centred", "steady", "thesis", NULL};
static const ria_param_info params[] = {
    {"gravity", "m/s^2", RIA_REAL, 9.81, 1e-3, 100, NULL, "acceleration of gravity", P(gravity),
     RIA_DIM_ACCELERATION},
    {"manning", "s/m^(1/3)", RIA_REAL, 0.03125, 0, 0.5, NULL,
     "Manning roughness n = 1/M; set the field `manning` for a map", P(manning), RIA_DIM_MANNING},
    {"dt", "s", RIA_REAL, 0, 0, 1e6, NULL,
     "time step; 0 = from `courant` and the deepest water, shorter where the flow is fast or about "
     "to be",
     P(dt), RIA_DIM_TIME},
    {"ceiling", "", RIA_REAL, 10, 0, 1e6, NULL,
     "a level this many times the greatest depth above all levels given is unstable and ends the "
     "run; 0 = no check",
     P(ceiling), RIA_DIM_NONE},
    {"courant", "", RIA_REAL, 5, 0.01, 1000, NULL, "where dt = 0: sqrt(g h) dt / min(dx, dy)",
     P(courant), RIA_DIM_NONE},
    {"drying_depth", "m", RIA_REAL, 0.01, 1e-6, 10, NULL,
     "water shallower than this does not move and counts as dry", P(drying_depth), RIA_DIM_LENGTH},
    {"flooding_depth", "m", RIA_REAL, 0.02, 1e-6, 10, NULL,
     "dry ground is flooded where the water beside it stands higher by this", P(flooding_depth),
     RIA_DIM_LENGTH},
    {"land", "m", RIA_REAL, 1e9, -1e9, 1e9, NULL,
     "cells whose bed is at least this high are never flooded", P(land), RIA_DIM_LENGTH},
    RIA_FORCES_PARAMS(P(forces)),
    {"eddy", "m^2/s", RIA_REAL, 0, 0, 1e5, NULL,
     "eddy viscosity, constant; at most min(dx, dy)^2 / (4 dt)", P(eddy), RIA_DIM_DIFFUSIVITY},
    {"smagorinsky", "", RIA_REAL, 0, 0, 2, NULL,
     "Smagorinsky's coefficient, 0.2 to 0.8 in use; 0 = none", P(smagorinsky), RIA_DIM_NONE},
    {"upwind", "", RIA_CHOICE, ADI_UPWIND_FROUDE, 0, 0, upwind_choices,
     "convective terms: `froude` blends from central (Froude number up to 1/4) to upwind (1 and "
     "above); `off` is central",
     P(upwind), RIA_DIM_NONE},
    {"cross", "", RIA_CHOICE, ADI_CROSS_CENTRED, 0, 0, cross_choices,
     "cross-momentum: `centred` in time solves each line twice; `steady` (after Lax and Wendroff) "
     "takes half the time, for slow flow or where eddies damp; `thesis` is as printed and unstable",
     P(cross), RIA_DIM_NONE},
    {"order", "", RIA_INT, 2, 1, 2, NULL,
     "order of the scheme that carries tracers, in space and time; the flow is of second order",
     P(order), RIA_DIM_NONE},
    {"limiter", "", RIA_REAL, 1.3, 0, 2, NULL,
     "order 2: steepness of limited slopes, 1 = minmod, 2 = steepest; 0 = none, as at order 1",
     P(limiter), RIA_DIM_NONE},
    {0},
};
#undef P

static const ria_boundary_kind kinds[] = {
    [SIDE_WALL] = {"wall", {{0}}, false, "nothing passes; the flow slides along it"},
    [SIDE_OPEN] = {"open", {{0}}, true, "waves leave; water at rest stays at rest"},
    [SIDE_LEVEL] = {"level",
                    {{"level", "m", RIA_DIM_LENGTH, true, 0, 0}},
                    true,
                    "the water level on the boundary: a constant, a series or a tide"},
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
                     "as much water leaves through all of the stretch as a curve, rows {m^3/s, m} "
                     "from 0 m^3/s on, has for the mean level of its cells, at most critically; "
                     "none comes in"},
    [SIDE_PERIODIC] = {"periodic",
                       {{0}},
                       false,
                       "what leaves comes in at the opposite side: for both sides of the pair, "
                       "each as a whole"},
    {0},
};

/* Values that may differ along a side. */
static const unsigned points[] = {[SIDE_LEVEL] = 1, [SIDE_RADIATE] = 7, [SIDE_PERIODIC] = 0};

/* --- bench: a deep basin with a swell --------------------------------------------------------- */

static double bench_init(const char *field, double x, double y) {
  if (!strcmp(field, "bed")) return -20.0 + 5.0 * sin(9.0 * x) * cos(7.0 * y);
  if (!strcmp(field, "tracer1")) return 1 + sin(30.0 * x) * cos(23.0 * y);
  return 0.5 * sin(12.0 * x + 5.0 * y);
}
static const char *const bench_fields[] = {"bed", "level", "tracer1", NULL};
static const ria_setting bench_steady[] = {{"cross", 0, "steady"}, {0}};
static const ria_setting bench_dt[] = {{"dt", 3, NULL}, {0}};
static const ria_setting bench_upwind[] = {{"order", 1, NULL}, {0}};
static const ria_setting bench_sharp[] = {{"order", 2, NULL}, {0}};
static const ria_bench_case bench[] = {
    {"wet", "every cell wet, Courant number 5", 1024, 0, RIA_F64, bench_fields, bench_init, 10.0,
     NULL, NULL, 56.0},
    {"wet_f32", "as wet, single precision", 1024, 0, RIA_F32, bench_fields, bench_init, 10.0, NULL,
     NULL, 56.0},
    {"steady", "as wet, cross = \"steady\": each line solved once", 1024, 0, RIA_F64, bench_fields,
     bench_init, 10.0, NULL, bench_steady, 56.0},
    {"set", "as wet, dt = 3 s", 1024, 0, RIA_F64, bench_fields, bench_init, 10.0, NULL, bench_dt,
     56.0},
    {"tracer", "as wet_f32, with a tracer", 1024, 1, RIA_F32, bench_fields, bench_init, 10.0, NULL,
     bench_sharp, 120.0},
    {"upwind", "as tracer, order = 1", 1024, 1, RIA_F32, bench_fields, bench_init, 10.0, NULL,
     bench_upwind, 120.0},
    {0},
};
static const ria_bench_scaling scaling[] = {{"wet", {4096, 2048}, 4096, 0, 1, true}, {0}};

ria_status adi_check_eddy(ria_context *ctx, const adi_params *p, const ria_grid *grid, double dt) {
  const double cell = grid->dx < grid->dy ? grid->dx : grid->dy, most = cell * cell / (4 * dt);
  if (p->eddy <= (1 + 1e-5) * most) return RIA_OK; /* most, as it is printed, is allowed */
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "parameter 'eddy' of adi is %g m^2/s: with steps of %g s and cells of %g m it "
                  "must be at most dx^2 / (4 dt) = %g m^2/s",
                  p->eddy, dt, cell, most);
}

static ria_status adi_check(ria_context *ctx, const void *params_, const ria_grid *grid) {
  const adi_params *p = params_;
  if (p->flooding_depth < p->drying_depth)
    return ria_fail(
        ctx, RIA_ERR_ARGUMENT,
        "flooding_depth is %g m, less than drying_depth, %g m: ground would be flooded and "
        "dried at once",
        p->flooding_depth, p->drying_depth);
  return p->dt > 0 ? adi_check_eddy(ctx, p, grid, p->dt) : RIA_OK;
}

/* --- memory ----------------------------------------------------------------------------------- */

static void release(adi *s, void *plane) { ria_plane_free(&s->planes, plane); }

static void adi_destroy(void *self) {
  adi *s = self;
  if (!s) return;
  adi_part_destroy(s);
  water_forcing_free(&s->forcing);
  ria_planes_free(&s->planes);
  release(s, s->bed);
  release(s, s->manning);
  release(s, s->viscosity);
  release(s, s->between);
  for (int b = 0; b < 3; b++) release(s, s->level[b]);
  for (int b = 0; b < 2; b++) {
    release(s, s->moved[b]);
    for (int axis = 0; axis < 2; axis++) release(s, s->flux[axis][b]);
    for (int m = 0; m < RIA_MAX_TRACERS; m++) release(s, s->load[b][m]);
  }
  for (int k = 0; s->scratch && k < s->planes.threads; k++) release(s, s->scratch[k]);
  ria_barrier_free(s->barrier);
  free(s->scratch);
  free(s->found);
  free(s->seen);
  free(s);
}

static ria_status plane(adi *s, void **out) { return ria_plane_alloc(&s->planes, out); }

static ria_status allocate_planes(adi *s) {
  RIA_TRY(plane(s, &s->bed));
  for (int b = 0; b < 3; b++) RIA_TRY(plane(s, &s->level[b]));
  for (int b = 0; b < 2; b++) {
    for (int axis = 0; axis < 2; axis++) RIA_TRY(plane(s, &s->flux[axis][b]));
    for (int m = 0; m < s->nt; m++) RIA_TRY(plane(s, &s->load[b][m]));
    if (s->nt) RIA_TRY(plane(s, &s->moved[b]));
  }
  if (s->param.cross == ADI_CROSS_CENTRED) RIA_TRY(plane(s, &s->between));
  return s->param.smagorinsky > 0 ? plane(s, &s->viscosity) : RIA_OK;
}

/* Scratch of a thread: an x-sweep's group of rows, a y-sweep's of columns, lines of tracers along
 * either, whichever is more. */
static size_t scratch_bytes(const adi *s) {
  const size_t lanes = 64 / s->planes.real_size, columns = 128 / s->planes.real_size;
  const size_t x = (lanes + 3 + 3 * lanes) * s->planes.stride;
  const size_t nx = (size_t)s->planes.grid.nx, ny = (size_t)ria_planes_rows(&s->planes);
  const size_t y = 3 * columns * ((nx > ny && s->nt ? nx : ny) + 2);
  return ((x > y ? x : y) + 64) * s->planes.real_size;
}

static ria_status allocate(adi *s) {
  RIA_TRY(allocate_planes(s));
  RIA_TRY(water_forcing_init(&s->forcing, &s->planes));
  s->barrier = ria_barrier_new(s->planes.threads);
  if (!s->barrier) return ria_planes_no_memory(&s->planes, "the threads");
  s->scratch = calloc((size_t)s->planes.threads, sizeof *s->scratch);
  s->found = calloc((size_t)s->planes.threads, sizeof *s->found);
  s->seen = calloc((size_t)s->planes.threads, sizeof *s->seen);
  if (!s->scratch || !s->found || !s->seen) return ria_planes_no_memory(&s->planes, "the sums");
  for (int k = 0; k < s->planes.threads; k++)
    RIA_TRY(s->planes.backend->alloc(s->planes.ctx, s->planes.backend, scratch_bytes(s),
                                     &s->scratch[k]));
  return ria_planes_whole(&s->planes) ? RIA_OK : adi_part_create(s);
}

/* Threads that pay: each needs some tens of microseconds of work between two barriers. */
static int threads_for(const ria_solver_setup *setup) {
  const ria_part part = ria_part_of(setup);
  const int64_t cells = (int64_t)setup->grid.nx * (part.j1 - part.j0);
  const int64_t most = cells / 4096, wanted = most < setup->threads ? most : setup->threads;
  return wanted < 1 ? 1 : (int)wanted;
}

static ria_status adi_create(const ria_solver_setup *setup, void **self) {
  *self = NULL;
  adi *s = calloc(1, sizeof *s);
  if (!s) return ria_fail(setup->ctx, RIA_ERR_MEMORY, "out of memory for a simulation");
  s->param = *(const adi_params *)setup->params;
  ria_forces_on(&s->param.forces, &setup->grid);
  s->nt = setup->n_tracers;
  for (int m = 0; m < s->nt; m++) {
    s->decay[m] = setup->tracers[m].decay;
    s->diffusion[m] = setup->tracers[m].diffusion;
  }
  s->rules = adi_rules_of(&s->param, &setup->grid);
  s->clock = adi_clock_of();
  s->given = adi_given_nothing(&s->param);
  s->fastest.courant = 1;
  ria_status status = ria_planes_init(&s->planes, setup, &adi_callbacks, 1 + s->nt);
  s->planes.threads = threads_for(setup);
  if (status == RIA_OK) status = allocate(s);
  if (status != RIA_OK) {
    adi_destroy(s);
    return status;
  }
  *self = s;
  return RIA_OK;
}

/* --- running ---------------------------------------------------------------------------------- */

double adi_deepest(const adi *s) {
  double most = 0;
  for (int j = s->planes.part.j0; j < s->planes.part.j1; j++)
    for (int i = 0; i < s->planes.grid.nx; i++) {
      const double h = adi_depth_at(s, adi_at(s, i, j));
      if (h > most) most = h;
    }
  return most;
}

double adi_highest_head(const adi *s) {
  const double deep = ADI_FILMS * s->param.flooding_depth;
  double most = -HUGE_VAL;
  for (int j = s->planes.part.j0; j < s->planes.part.j1; j++)
    for (int i = 0; i < s->planes.grid.nx; i++) {
      const size_t at = adi_at(s, i, j), st = s->planes.stride;
      const double h = adi_depth_at(s, at), e = adi_get(s, s->level[s->level_now], at);
      const void *p = s->flux[ADI_X][s->flux_now[ADI_X]], *q = s->flux[ADI_Y][s->flux_now[ADI_Y]];
      if (h > s->param.drying_depth)
        most =
            fmax(most, adi_head(e, h, adi_get(s, p, at - 1), adi_get(s, p, at),
                                adi_get(s, q, at - st), adi_get(s, q, at), deep, s->param.gravity));
    }
  return most;
}

/* Water that was set is given. */
static void know_water(adi *s, double head, double stored) {
  const ria_grid *g = &s->planes.grid;
  if (s->water_set) s->given.head = fmax(s->given.head, head);
  s->water_set = false;
  s->clock.ceiling =
      adi_ceiling(&s->given, &s->param, g, fmax(0, stored) / (g->nx * g->dx * g->ny * g->dy));
}

ria_status adi_know_state(adi *s, double deepest, double head, double stored) {
  if (!(s->clock.dt_full > 0)) adi_first_pace(&s->clock, &s->rules, deepest);
  RIA_TRY(adi_check_eddy(s->planes.ctx, &s->param, &s->planes.grid, s->clock.dt_full));
  if (s->rules.watched) know_water(s, head, stored);
  s->planes.ready = true;
  return RIA_OK;
}

static ria_status adi_prepare(void *self, double t) {
  adi *s = self;
  ria_quantity_totals totals[1 + RIA_MAX_TRACERS];
  s->clock.t = t;
  RIA_TRY(adi_check_rings(s));
  adi_settle_faces(s);
  s->clock.look_now = true;
  if (s->apart) return adi_part_prepare(s);
  if (s->rules.watched) RIA_TRY(ria_planes_totals(s, totals));
  return adi_know_state(s, s->clock.dt_full > 0 ? 0 : adi_deepest(s),
                        s->rules.watched && s->water_set ? adi_highest_head(s) : -HUGE_VAL,
                        s->rules.watched ? totals[0].stored : 0);
}

void adi_undo(adi *s, enum adi_axis axis, int level, int load) {
  if (axis == ADI_Y) s->flux_now[ADI_X] = 1 - s->flux_now[ADI_X];
  s->level_now = level;
  s->load_now = load;
  memcpy(s->flux[ADI_Y][1 - s->flux_now[ADI_Y]], s->flux[ADI_Y][s->flux_now[ADI_Y]],
         axis == ADI_Y ? s->planes.size * s->planes.real_size : 0);
}

int adi_mixes(const adi *s, double dt, bool *lines) {
  double most = 0;
  for (int m = 0; m < s->nt; m++) most = fmax(most, s->diffusion[m]);
  const int n = adi_mix_parts(most, dt, s->planes.grid.dx, s->planes.grid.dy);
  *lines = n == 0 && most > 0;
  return n;
}

static ria_status adi_advance(void *self, const ria_span *span) {
  adi *s = self;
  if (!s->apart && !s->planes.ready) RIA_TRY(adi_prepare(s, s->clock.t));
  adi_close_ground(s);
  adi_close_state(s);
  if (s->apart) return adi_part_advance(s, span);
  adi_begin_span(&s->clock, span);
  s->status = RIA_OK;
  if (s->planes.real == RIA_F32)
    adi_advance_f32(s);
  else
    adi_advance_f64(s);
  return s->status;
}

static ria_status adi_progress(void *self, ria_progress *out) {
  adi *s = self;
  *out = s->progress;
  adi_tell(&s->clock, &s->rules, &s->given, &s->planes.grid, out);
  adi_warn(s, out);
  return RIA_OK;
}

static const ria_solver_ops cpu = {
    .create = adi_create,
    .destroy = adi_destroy,
    .force = adi_force,
    .prepare = adi_prepare,
    .advance = adi_advance,
    .progress = adi_progress,
    .read = adi_read,
    .write = adi_write,
    .add = adi_add,
    .state = adi_state,
    .shared_rows = adi_shared_rows,
    .hear = adi_hear,
    .relay = adi_relay,
};

#ifdef RIA_HAVE_CUDA
extern const ria_solver_ops ria_adi_cuda; /* gpu/adi/adi.cu */
#endif

static const ria_quantity_info quantities[] = {{"water", "m^3"}, {0}};

const ria_solver ria_adi = {
    .name = "adi",
    .summary = "shallow water, implicit in alternating directions on a staggered grid (MIKE 21 HD)",
    .doc =
        "Level at centres, flux densities on faces; long time steps: stable at any Courant number "
        "of the waves. Flooding and drying, Manning resistance, Coriolis, wind, eddy viscosity, "
        "tides, rivers, spills. Equations, scheme and tests: engine/solvers/adi/README.md",
    .quantities = quantities,
    .params = params,
    .params_size = sizeof(adi_params),
    .fields = water_fields,
    .boundaries = kinds,
    .boundary_points = points,
    .roles = {.bed = "bed", .depth = "depth", .u = "u", .v = "v", .dry = "drying_depth"},
    .max_tracers = RIA_MAX_TRACERS,
    .planes = 8,
    .planes_per_tracer = 3,
    .bench = bench,
    .scaling = scaling,
    .check = adi_check,
    .cpu = &cpu,
#ifdef RIA_HAVE_CUDA
    .cuda = &ria_adi_cuda,
#endif
    .relaxes = true,
};
