/* tests/unit/toy.h - a solver of one page, for tests of the engine.
 *
 * Stuff of depth h [m] lies in cells and carries tracers; nothing moves between cells. Boundaries
 * of kind "feed" add stuff to the cells they own, "drain" takes a part of it away, sources and
 * decay act as the engine describes them. The step is a parameter, so tests know how many steps a
 * time takes. It is in no registry: that simulations of it run shows that the engine knows none.
 *
 * toy_late.h has it with the copies of a device. */
#ifndef RIA_TEST_TOY_H
#define RIA_TEST_TOY_H
#include "core/sim.h"
#include "test.h"
#include "base/grid.h"
#include "run/run.h"
#include <ria/output.h>
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { TOY_BED, TOY_DEPTH, TOY_LEVEL, TOY_CONC, TOY_LOAD };
enum { TOY_CLOSED, TOY_FEED, TOY_DRAIN };

typedef struct toy_params {
  double step, fail_at, dry;
} toy_params;

typedef struct toy {
  ria_context *ctx;
  ria_grid grid;
  toy_params p;
  int nt, n_stretch, n_sources, forced, prepared, advanced, sampled;
  double decay[RIA_MAX_TRACERS];
  double *bed, *amount[RIA_QUANTITIES]; /* [cells] m^3, kg */
  double *max[8][RIA_QUANTITIES];       /* [field][1 + tracer], NULL = not kept */
  double sources[RIA_QUANTITIES], decayed[RIA_QUANTITIES];
  double in[64][RIA_QUANTITIES], out[64][RIA_QUANTITIES];
  ria_forcing_table table; /* copies */
  ria_stretch *stretch;
  int32_t *owner[RIA_SIDES];
  ria_source *source;
  ria_progress at;
  int fetched, coarse;      /* fetches so far, the last one's coarse */
  int packed, refuse;       /* packings so far; how many of them there is no memory for */
  int fail_from;            /* copies from this fetch on fail; 0 = none */
  long late;                /* us that a copy takes */
  bool heedless;            /* steps over what spans are to watch */
  atomic_int waited, at_it; /* tickets awaited; tickets out */
} toy;

static size_t toy_cells(const toy *s) { return (size_t)s->grid.nx * (size_t)s->grid.ny; }

static void *toy_copy(const void *p, size_t n) {
  void *q = malloc(n ? n : 1);
  if (n) memcpy(q, p, n);
  return q;
}

static void toy_unforce(toy *s) {
  free((void *)s->table.entry);
  free((void *)s->table.data);
  free(s->stretch);
  for (int k = 0; k < RIA_SIDES; k++) free(s->owner[k]);
  for (int k = 0; k < s->n_sources; k++) {
    free((void *)s->source[k].cell);
    free((void *)s->source[k].weight);
  }
  free(s->source);
}

static void toy_destroy(void *self) {
  toy *s = self;
  CHECK_INT(atomic_load(&s->at_it), 0);
  if (s->forced) toy_unforce(s);
  free(s->bed);
  for (int q = 0; q < RIA_QUANTITIES; q++) free(s->amount[q]);
  for (int f = 0; f < 8; f++)
    for (int q = 0; q < RIA_QUANTITIES; q++) free(s->max[f][q]);
  free(s);
}

static ria_status toy_create(const ria_solver_setup *setup, void **self) {
  toy *s = calloc(1, sizeof *s);
  s->ctx = setup->ctx;
  s->grid = setup->grid;
  s->p = *(const toy_params *)setup->params;
  s->nt = setup->n_tracers;
  for (int k = 0; k < s->nt; k++) s->decay[k] = setup->tracers[k].decay;
  s->bed = calloc(toy_cells(s), sizeof *s->bed);
  for (int q = 0; q <= s->nt; q++) s->amount[q] = calloc(toy_cells(s), sizeof(double));
  s->at.dt_min = DBL_MAX;
  *self = s;
  return RIA_OK;
}

static ria_status toy_force(void *self, const ria_forcing_set *set) {
  toy *s = self;
  if (s->forced) toy_unforce(s);
  s->forced++;
  s->table = set->table;
  s->table.entry = toy_copy(set->table.entry, (size_t)set->table.n * sizeof *set->table.entry);
  s->table.data = toy_copy(set->table.data, (size_t)set->table.n_data * sizeof(double));
  s->n_stretch = set->boundary.n;
  s->stretch = toy_copy(set->boundary.stretch, (size_t)set->boundary.n * sizeof *s->stretch);
  for (int k = 0; k < RIA_SIDES; k++)
    s->owner[k] = toy_copy(set->boundary.owner[k],
                           (size_t)ria_side_length(&s->grid, (ria_side)k) * sizeof(int32_t));
  s->n_sources = set->n_sources;
  s->source = toy_copy(set->sources, (size_t)set->n_sources * sizeof *s->source);
  for (int k = 0; k < s->n_sources; k++) {
    ria_source *q = &s->source[k];
    q->cell = toy_copy(q->cell, (size_t)q->n * sizeof *q->cell);
    q->weight = toy_copy(q->weight, (size_t)q->n * sizeof *q->weight);
  }
  return RIA_OK;
}

static ria_status toy_prepare(void *self, double t) {
  ((toy *)self)->prepared++;
  CHECK(((toy *)self)->at.t == t);
  return RIA_OK;
}

static size_t toy_side_cell(const toy *s, int side, int k) {
  int i = side == RIA_WEST ? 0 : side == RIA_EAST ? s->grid.nx - 1 : k;
  int j = side == RIA_SOUTH ? 0 : side == RIA_NORTH ? s->grid.ny - 1 : k;
  return (size_t)j * (size_t)s->grid.nx + (size_t)i;
}

static void toy_feed(toy *s, int stretch, size_t cell, double share, double t, double dt) {
  const ria_stretch *b = &s->stretch[stretch];
  double v = ria_forcing_at(&s->table, b->value[0], t) * share * dt;
  s->amount[0][cell] += v;
  s->in[stretch][0] += v;
  for (int k = 0; k < s->nt; k++) {
    double m = v * ria_forcing_at(&s->table, b->tracer[k], t);
    s->amount[1 + k][cell] += m;
    s->in[stretch][1 + k] += m;
  }
}

static void toy_drain(toy *s, int stretch, size_t cell, double t, double dt) {
  double part = fmin(1.0, ria_forcing_at(&s->table, s->stretch[stretch].value[0], t) * dt);
  for (int q = 0; q <= s->nt; q++) {
    s->out[stretch][q] += part * s->amount[q][cell];
    s->amount[q][cell] -= part * s->amount[q][cell];
  }
}

static void toy_sides(toy *s, double t, double dt) {
  int cells[64] = {0};
  for (int pass = 0; pass < 2; pass++)
    for (int side = 0; side < RIA_SIDES; side++)
      for (int k = 0; k < ria_side_length(&s->grid, (ria_side)side); k++) {
        int b = s->owner[side][k];
        CHECK(b >= 0 && b < s->n_stretch && s->stretch[b].side == (ria_side)side);
        if (pass == 0)
          cells[b]++;
        else if (s->stretch[b].kind == TOY_FEED)
          toy_feed(s, b, toy_side_cell(s, side, k), 1.0 / cells[b], t, dt);
        else if (s->stretch[b].kind == TOY_DRAIN)
          toy_drain(s, b, toy_side_cell(s, side, k), t, dt);
      }
}

static void toy_sources(toy *s, double t, double dt) {
  for (int k = 0; k < s->n_sources; k++) {
    const ria_source *q = &s->source[k];
    if (t + 0.5 * dt < q->t_start || t + 0.5 * dt > q->t_stop) continue;
    CHECK(t >= q->t_start && t + dt <= q->t_stop); /* steps never straddle an end */
    double v = ria_forcing_at(&s->table, q->rate, t + 0.5 * dt) * dt, sum = 0.0;
    for (int c = 0; c < q->n; c++) {
      s->amount[q->quantity][q->cell[c]] += v * q->weight[c];
      sum += q->weight[c];
    }
    CHECK_NEAR(sum, 1.0, 1e-12);
    s->sources[q->quantity] += v;
  }
}

static void toy_decay(toy *s, double dt) {
  for (int k = 0; k < s->nt; k++)
    for (size_t c = 0; c < toy_cells(s); c++) {
      double lost = -expm1(-s->decay[k] * dt) * s->amount[1 + k][c];
      s->amount[1 + k][c] -= lost;
      s->decayed[1 + k] += lost;
    }
}

static double toy_value(const toy *s, int field, int tracer, size_t c) {
  double h = s->amount[0][c] / (s->grid.dx * s->grid.dy);
  switch (field) {
  case TOY_BED:
    return s->bed[c];
  case TOY_DEPTH:
    return h;
  case TOY_LEVEL:
    return h > s->p.dry ? h + s->bed[c] : NAN;
  case TOY_CONC:
    return h > s->p.dry ? s->amount[1 + tracer][c] / s->amount[0][c] : NAN;
  default:
    return s->amount[1 + tracer][c] / (s->grid.dx * s->grid.dy);
  }
}

static void toy_keep_max(toy *s) {
  for (int f = 0; f < 8; f++)
    for (int q = 0; q < RIA_QUANTITIES; q++)
      for (size_t c = 0; s->max[f][q] && c < toy_cells(s); c++)
        s->max[f][q][c] = fmax(s->max[f][q][c], toy_value(s, f, q - 1, c));
}

/* False: not now, it would reach the time that the span watches. */
static bool toy_step(toy *s, const ria_span *span) {
  double t_stop = span->t_stop, dt = s->p.step, t = s->at.t;
  bool last = t + dt >= t_stop;
  if (last) dt = t_stop - t;
  if (!s->heedless && ria_step_reaches(t, dt, last, t_stop, span->t_watch)) return false;
  toy_sides(s, t, dt);
  toy_sources(s, t, dt);
  toy_decay(s, dt);
  s->at.t = last ? t_stop : t + dt;
  s->at.dt = dt;
  s->at.steps++;
  if (s->p.step < s->at.dt_min) {
    s->at.dt_min = s->p.step;
    s->at.dt_min_t = t;
    s->at.dt_min_i = 1;
    s->at.dt_min_j = 2;
    snprintf(s->at.dt_min_cause, sizeof s->at.dt_min_cause, "the parameter step");
  }
  if (s->p.fail_at > 0.0 && s->at.t >= s->p.fail_at) {
    s->at.failure = RIA_ERR_NUMERICAL;
    s->at.fail_t = s->at.t;
    s->at.fail_i = 2;
    s->at.fail_j = 1;
    snprintf(s->at.fail_what, sizeof s->at.fail_what, "depth is NaN");
  }
  toy_keep_max(s);
  return true;
}

static ria_status toy_advance(void *self, const ria_span *span) {
  toy *s = self;
  CHECK(s->forced && s->prepared && span->t_stop > s->at.t && span->max_steps > 0);
  s->advanced++;
  for (int64_t k = 0; k < span->max_steps && s->at.t < span->t_stop && !s->at.failure; k++)
    if (!toy_step(s, span)) break;
  return RIA_OK;
}

static ria_status toy_progress(void *self, ria_progress *out) {
  *out = ((toy *)self)->at;
  return RIA_OK;
}

static ria_status toy_read(void *self, int field, int tracer, bool maximum, int j0, int nj,
                           ria_real real, void *dst) {
  toy *s = self;
  size_t first = (size_t)j0 * (size_t)s->grid.nx, n = (size_t)nj * (size_t)s->grid.nx;
  for (size_t k = 0; k < n; k++) {
    double v =
        maximum ? s->max[field][1 + tracer][first + k] : toy_value(s, field, tracer, first + k);
    if (real == RIA_F32)
      ((float *)dst)[k] = (float)v;
    else
      ((double *)dst)[k] = v;
  }
  return RIA_OK;
}

static ria_status toy_write(void *self, int field, int tracer, const double *src) {
  toy *s = self;
  double area = s->grid.dx * s->grid.dy;
  for (size_t c = 0; c < toy_cells(s); c++) {
    double v = isnan(src[c]) ? 0.0 : src[c];
    if (field == TOY_BED) s->bed[c] = v;
    if (field == TOY_DEPTH) s->amount[0][c] = v * area;
    if (field == TOY_LEVEL) s->amount[0][c] = fmax(v - s->bed[c], 0.0) * area;
    if (field == TOY_CONC) s->amount[1 + tracer][c] = v * s->amount[0][c];
  }
  return RIA_OK;
}

static ria_status toy_sample(void *self, int field, int tracer, int n, const int32_t *cell,
                             double *out) {
  ((toy *)self)->sampled++;
  for (int k = 0; k < n; k++) out[k] = toy_value(self, field, tracer, (size_t)cell[k]);
  return RIA_OK;
}

static ria_status toy_add(void *self, int quantity, int n, const int32_t *cell,
                          const double *amount) {
  for (int k = 0; k < n; k++) ((toy *)self)->amount[quantity][cell[k]] += amount[k];
  return RIA_OK;
}

static ria_status toy_track(void *self, int field, int tracer) {
  toy *s = self;
  s->max[field][1 + tracer] = malloc(toy_cells(s) * sizeof(double));
  for (size_t c = 0; c < toy_cells(s); c++)
    s->max[field][1 + tracer][c] = toy_value(s, field, tracer, c);
  return RIA_OK;
}

static ria_status toy_totals(void *self, ria_quantity_totals *totals) {
  toy *s = self;
  for (int q = 0; q <= s->nt; q++) {
    double sum = 0.0;
    for (size_t c = 0; c < toy_cells(s); c++) sum += s->amount[q][c];
    totals[q] = (ria_quantity_totals){sum, s->sources[q], s->decayed[q]};
  }
  return RIA_OK;
}

static ria_status toy_fluxes(void *self, int n, double *in, double *out) {
  toy *s = self;
  CHECK(n >= s->n_stretch); /* the rest was not handed over yet: nothing went through it */
  for (int b = 0; b < n; b++)
    for (int q = 0; q <= s->nt; q++) {
      in[b * (1 + s->nt) + q] = s->in[b][q];
      out[b * (1 + s->nt) + q] = s->out[b][q];
    }
  return RIA_OK;
}

/* What each table of its functions has. */
#define TOY_OPS                                                                                    \
  .create = toy_create, .destroy = toy_destroy, .force = toy_force, .prepare = toy_prepare,        \
  .advance = toy_advance, .progress = toy_progress, .read = toy_read, .write = toy_write,          \
  .sample = toy_sample, .add = toy_add, .track = toy_track, .totals = toy_totals,                  \
  .fluxes = toy_fluxes

static const ria_solver_ops toy_ops = {TOY_OPS};

static const ria_param_info toy_param_table[] = {{.name = "step",
                                                  .unit = "s",
                                                  .type = RIA_REAL,
                                                  .def = 1.0,
                                                  .min = 1e-6,
                                                  .max = 1e6,
                                                  .doc = "time step",
                                                  .offset = offsetof(toy_params, step),
                                                  .dim = RIA_DIM_TIME},
                                                 {.name = "fail_at",
                                                  .unit = "s",
                                                  .type = RIA_REAL,
                                                  .def = 0.0,
                                                  .min = 0.0,
                                                  .max = 1e9,
                                                  .doc = "when to break down",
                                                  .offset = offsetof(toy_params, fail_at),
                                                  .dim = RIA_DIM_TIME},
                                                 {.name = "dry",
                                                  .unit = "m",
                                                  .type = RIA_REAL,
                                                  .def = 0.01,
                                                  .min = 0.0,
                                                  .max = 1.0,
                                                  .doc = "depth of a dry cell",
                                                  .offset = offsetof(toy_params, dry),
                                                  .dim = RIA_DIM_LENGTH},
                                                 {.name = NULL}};

static const ria_field_info toy_field_table[] = {
    {"bed", "m", "bed elevation", NULL, RIA_FIELD_INPUT | RIA_FIELD_STATIC, "topo", "the floor"},
    {"depth", "m", "depth", NULL, RIA_FIELD_INPUT | RIA_FIELD_TRACK, "deep", "of stuff"},
    {"level", "m", "level", NULL,
     RIA_FIELD_INPUT | RIA_FIELD_TRACK | RIA_FIELD_DRY_NAN | RIA_FIELD_GAUGE | RIA_FIELD_LEVEL,
     "balance", "depth + bed"},
    {"", NULL, "concentration", NULL,
     RIA_FIELD_PER_TRACER | RIA_FIELD_INPUT | RIA_FIELD_TRACK | RIA_FIELD_DRY_NAN | RIA_FIELD_GAUGE,
     "matter", "of the tracer"},
    {"load", "kg/m^2", "load", NULL, RIA_FIELD_PER_TRACER, "matter", "tracer per area"},
    {.name = NULL}};

static const ria_boundary_kind toy_kinds[] = {
    {.name = "closed", .doc = "nothing passes"},
    {.name = "feed",
     .values = {{"q", "m^3/s", RIA_DIM_FLOW, true, 0.0, 0}},
     .carries = true,
     .doc = "adds q"},
    {.name = "drain",
     .values = {{"rate", "1/s", RIA_DIM_RATE, false, 0.1, 0}},
     .doc = "takes a part away"},
    {.name = NULL}};

static const ria_quantity_info toy_quantities[] = {{"stuff", "m^3"}, {0}};

static const ria_solver toy_solver = {
    .name = "toy",
    .summary = "stuff that stays where it is",
    .quantities = toy_quantities,
    .params = toy_param_table,
    .params_size = sizeof(toy_params),
    .fields = toy_field_table,
    .boundaries = toy_kinds,
    .roles = {.bed = "bed", .depth = "depth", .dry = "dry"},
    .max_tracers = 3,
    .cpu = &toy_ops,
};

/* A 6 x 4 grid of 10 m x 10 m, 2 m deep but for a dry column in the east, with tracers "oil" and
 * "salt"; params and out may be NULL. */
TEST_UNUSED static ria_sim *toy_sim(ria_context *ctx, const ria_setting *params, size_t n_params,
                                    const char *out) {
  const ria_tracer tracers[] = {{.name = "oil", .decay = 1e-3}, {.name = "salt"}};
  ria_sim *sim = NULL;
  double bed[24];
  for (int c = 0; c < 24; c++) bed[c] = c % 6 == 5 ? 1.0 : -2.0;
  CHECK_OK(ctx, ria_sim_create_with(ctx, &toy_solver,
                                    &(ria_sim_desc){.grid = {6, 4, 10.0, 10.0, 100.0, 200.0, 0},
                                                    .params = params,
                                                    .n_params = n_params,
                                                    .tracers = tracers,
                                                    .n_tracers = 2,
                                                    .title = "Toy",
                                                    .out = out},
                                    &sim));
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0.0));
  return sim;
}

TEST_UNUSED static toy *toy_state(ria_sim *sim) { return sim->self; }

#endif
