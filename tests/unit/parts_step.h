/* parts_step.h - solvers that have some rows of a grid each, and one that has the whole: made from
 * a scene of parts.h, forced, stepped, their ghost rows copied. */
#ifndef UNIT_PARTS_STEP_H
#define UNIT_PARTS_STEP_H
#include "core/params.h"
#include "device.h"
#include "parts/parts.h"
#include "run/run.h"
#include "parts.h"
#include "test.h"
#include <ria/planes.h>

#include <stdlib.h>

#ifndef PARTS_ROWS
#define PARTS_ROWS 13
#define PARTS_DEVICE "cpu"
#endif

enum { NX = 70, NY = PARTS_ROWS, CELLS = NX * NY, MOST_PARTS = 5, MOST_SHARED = 32 };

static ria_context *ctx;
static bool on_cpu;

/* --- a solver with a part --------------------------------------------------------------------- */

typedef struct lot {
  const scene *scene;
  ria_solver_ops ops;
  ria_part part;
  void *self;
} lot;

/* Parts from south to north, and one that has all. */
typedef struct lots {
  int n;
  lot part[MOST_PARTS], whole;
} lots;

static const ria_grid grid = {NX, NY, 3, 2, 0, 0, 0};
static double params[64];

static ria_solver_setup setup_of(const scene *c, ria_part part, ria_real real, int threads) {
  return (ria_solver_setup){.ctx = ctx,
                            .backend = ria_context_backend(ctx),
                            .threads = threads,
                            .grid = grid,
                            .real = real,
                            .params = params,
                            .n_tracers = c->n_tracers,
                            .tracers = c->tracers,
                            .part = part};
}

static ria_status force(const lot *l, int turn) {
  static const int32_t cells[SOURCES][6] = {
      {3 * NX + 5, 4 * NX + 5, 6 * NX + 5, 7 * NX + 5, 7 * NX + 6, 12 * NX + 9},
      {5, NX + 5, 2 * NX + 6, 11 * NX + 60, 12 * NX + 60, 6 * NX + 33},
      {5 * NX + 40, 6 * NX + 40, 7 * NX + 40, 6 * NX + 41, NX + 40, 11 * NX + 40}};
  static const double weight[] = {0.1, 0.2, 0.15, 0.25, 0.2, 0.1};
  const scene *c = l->scene;
  static const ria_side side[STRETCHES] = {RIA_WEST,  RIA_EAST, RIA_SOUTH,
                                           RIA_NORTH, RIA_WEST, RIA_NORTH};
  ria_stretch stretch[STRETCHES + 1] = {{0}};
  int32_t owner[RIA_SIDES][NX];
  ria_source source[SOURCES] = {{0}};
  int n = 0;
  for (int k = 0; k < STRETCHES; k++) {
    stretch[k] = (ria_stretch){c->kind[k], side[k], {c->value[k][0], c->value[k][1]}, {ONE, SMALL}};
    if (turn && k == 1) stretch[k].kind = c->kind[0];
  }
  stretch[STRETCHES] = (ria_stretch){.kind = c->some_columns, .side = RIA_SOUTH};
  for (int k = 0; k < RIA_SIDES; k++)
    for (int m = 0; m < NX; m++) owner[k][m] = k;
  for (int m = 3; m < 10; m++) owner[RIA_WEST][m] = 4;
  for (int m = 20; m < 50; m++) owner[RIA_NORTH][m] = 5;
  for (int m = 20; m < 50 && c->some_columns; m++) owner[RIA_SOUTH][m] = STRETCHES;
  for (int k = 0; k < SOURCES; k++)
    if (c->quantity[k] >= 0)
      source[n++] = (ria_source){c->quantity[k], c->rate[k], 0, 1e9, 6, cells[k], weight};
  const ria_forcing_set set = {.table = {entry, data, ENTRIES, (int)(sizeof data / sizeof *data)},
                               .boundary = {STRETCHES + (c->some_columns > 0),
                                            stretch,
                                            {owner[0], owner[1], owner[2], owner[3]},
                                            NULL,
                                            0},
                               .n_sources = n,
                               .sources = source,
                               .varying = c->varying};
  return l->ops.force(l->self, &set);
}

static void set_field(const lot *l, given g, double scale) {
  double v[CELLS];
  for (int k = 0; k < CELLS; k++) v[k] = scale * g.at((k % NX + 0.5) / NX, (k / NX + 0.5) / NY);
  CHECK_OK(ctx, l->ops.write(l->self, g.field, g.tracer, v));
}

static bool tracked(const lot *l, int field) {
  return !l->scene->steps && !l->scene->bare &&
         l->scene->solver->fields[field].flags & RIA_FIELD_TRACK;
}
static bool by_tracer(const lot *l, int field) {
  return l->scene->solver->fields[field].flags & RIA_FIELD_PER_TRACER;
}

/* Parts, or some of them, that wait for each other go on. */
static void agree(const lot *first, int n) {
  ria_held_part part[MOST_PARTS];
  for (int k = 0; k < n; k++)
    part[k] = (ria_held_part){.rows = first[k].part, .self = first[k].self};
  const ria_held held = {.ctx = ctx, .ops = &first->ops, .n = n, .count = n, .part = part};
  CHECK_OK(ctx, ria_parts_agree(&held, RIA_OK));
}

/* The fields of a scene: of those of tracers the last one's. */
static bool has_field(const lot *l, int field) {
  return !by_tracer(l, field) || l->scene->n_tracers > 0;
}

static const ria_solver_ops *ops_of(const scene *c) {
  return on_cpu ? c->solver->cpu : c->solver->cuda;
}

TEST_UNUSED static lot create_lot(const scene *c, ria_part part, ria_real real, int threads) {
  lot l = {c, ria_solver_ops_whole(ops_of(c), ria_context_backend(ctx)->kind), part, NULL};
  const ria_solver_setup setup = setup_of(c, part, real, threads);
  CHECK(c->solver->params_size <= sizeof params);
  int n = 0;
  while (n < 8 && c->settings[n].name) n++;
  CHECK_OK(ctx, ria_params_fill(ctx, c->solver->name, c->solver->params, c->settings, (size_t)n,
                                params));
  if (!CHECK_OK(ctx, l.ops.create(&setup, &l.self))) exit(1);
  for (const given *g = c->given; g->at; g++) set_field(&l, *g, 1);
  return l;
}

/* Where the sides in the south and north are periodic the parts at the ends are neighbours. */
static bool in_a_ring(const lot *first, int n) {
  return n > 1 && first->ops.shared_rows(first->self, RIA_SOUTH, 0, NULL) > 0;
}
static void exchange(const lot *first, int n);

/* Parts, or the whole, of one scene: forced, with maxima, ready to step. */
TEST_UNUSED static void begin(const lot *first, int n) {
  const scene *c = first->scene;
  for (int k = 0; k < n; k++) CHECK_OK(ctx, force(&first[k], 0));
  agree(first, n);
  for (int k = 0; k < n; k++)
    for (int f = 0; c->solver->fields[f].name; f++)
      if (tracked(&first[k], f) && has_field(first, f))
        CHECK_OK(ctx,
                 first[k].ops.track(first[k].self, f, by_tracer(first, f) ? c->n_tracers - 1 : -1));
  for (int k = 0; k < n; k++) CHECK_OK(ctx, first[k].ops.prepare(first[k].self, 0));
  agree(first, n);
  if (in_a_ring(first, n)) exchange(first, n);
}

/* The n-th time: one step, however long the solver would make it, or some of the solver's own. */
static void set_off(const lot *l, int n) {
  const scene *c = l->scene;
  const ria_span one = {n * c->dt + c->dt, 1, INFINITY}, some = {INFINITY, c->steps, INFINITY};
  CHECK_OK(ctx, l->ops.advance(l->self, c->steps ? &some : &one));
}

TEST_UNUSED static void arrives(const lot *l, int n) {
  const scene *c = l->scene;
  const double t = n * c->dt;
  ria_progress at;
  CHECK_OK(ctx, l->ops.progress(l->self, &at));
  const bool there = c->steps ? at.steps == (n + 1) * c->steps : at.t == t + c->dt;
  if (!CHECK(there && !at.failure))
    fprintf(stderr, "  %s: %s t %g\n", c->what, at.fail_what, at.t), exit(1);
}

static bool is_water(const scene *c) { return !strcmp(c->solver->name, "shallow_water"); }
TEST_UNUSED static bool is_adi(const scene *c) { return !strcmp(c->solver->name, "adi"); }

/* How many rows pass. On a GPU water, discharges and the first tracer lie in one. */
static int rows_that_pass(const scene *c) {
  if (!is_water(c)) return c->shared;
  const int planes = 3 + c->n_tracers, arrays = c->n_tracers > 1 ? c->n_tracers : 1;
  return on_cpu ? c->shared : c->shared / planes * arrays;
}

/* Rows of a part on a side. */
static void shared_rows(const lot *l, ria_side side, ria_shared_row *rows) {
  CHECK_INT(l->ops.shared_rows(l->self, side, MOST_SHARED, rows), rows_that_pass(l->scene));
}

/* What lies beside where two parts meet goes to the other: northwards, or southwards. */
static void pass_on(const lot *south, const lot *north, bool northwards) {
  ria_shared_row s[MOST_SHARED], n[MOST_SHARED];
  shared_rows(south, RIA_NORTH, s);
  shared_rows(north, RIA_SOUTH, n);
  const ria_backend *b = ria_context_backend(ctx);
  for (int k = 0; k < rows_that_pass(south->scene); k++)
    CHECK_OK(ctx, b->copy(ctx, b, northwards ? n[k].ghost : s[k].ghost,
                          northwards ? s[k].own : n[k].own, s[k].bytes));
}

/* All of a side's rows may be a neighbour's own, or come from beyond it: twice round is enough. */
static void pass_round(const lot *first, int n, bool northwards) {
  for (int k = 0; k + 1 < n; k++) {
    const lot *south = northwards ? first + k : first + n - 2 - k;
    pass_on(south, south + 1, northwards);
  }
  if (in_a_ring(first, n)) pass_on(first + n - 1, first, northwards);
}

static void exchange(const lot *first, int n) {
  const bool ring = in_a_ring(first, n);
  for (int round = 0; round <= ring; round++) pass_round(first, n, true);
  for (int round = 0; round <= ring; round++) pass_round(first, n, false);
  const int ends = ring ? rows_that_pass(first->scene) : 0;
  CHECK_INT(first->ops.shared_rows(first->self, RIA_SOUTH, 0, NULL), ends);
  CHECK_INT(first[n - 1].ops.shared_rows(first[n - 1].self, RIA_NORTH, 0, NULL), ends);
}

#endif
