/* A grid that is shared among solvers: two to five of them, with some rows each, whose ghost rows
 * are copied after each step, tell the bits of one that has the whole: fields, maxima, samples,
 * rows' totals, the account of the sides and the shortest step. On the device that RIA_TEST_DEVICE
 * names; tests/gpu/part_rows.c is the same with more rows, for a GPU. */
#include "core/params.h"
#include "device.h"
#include "parts/parts.h"
#include "run/run.h"
#include "parts.h"
#include "state.h"
#include "test.h"
#include <ria/planes.h>

#include <stdlib.h>

#ifndef PARTS_ROWS
#define PARTS_ROWS 13
#define PARTS_DEVICE "cpu"
#endif

enum { NX = 70, NY = PARTS_ROWS, CELLS = NX * NY, MOST_PARTS = 5, MOST_SHARED = 32 };

static ria_context *ctx;
static bool on_cpu, quick; /* quick: few cuts */
static int steps = 12;

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

static lot create_lot(const scene *c, ria_part part, ria_real real, int threads) {
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
static void begin(const lot *first, int n) {
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

static void arrives(const lot *l, int n) {
  const scene *c = l->scene;
  const double t = n * c->dt;
  ria_progress at;
  CHECK_OK(ctx, l->ops.progress(l->self, &at));
  const bool there = c->steps ? at.steps == (n + 1) * c->steps : at.t == t + c->dt;
  if (!CHECK(there && !at.failure))
    fprintf(stderr, "  %s: %s t %g\n", c->what, at.fail_what, at.t), exit(1);
}

static bool is_water(const scene *c) { return !strcmp(c->solver->name, "shallow_water"); }
static bool is_adi(const scene *c) { return !strcmp(c->solver->name, "adi"); }

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

/* --- what they tell --------------------------------------------------------------------------- */

static bool same(const lots *l, const char *what, const void *parts, const void *whole, size_t n) {
  const bool is = memcmp(parts, whole, n * sizeof(double)) == 0;
  if (is) return CHECK(is);
  fprintf(stderr, "%s, parts of rows", l->whole.scene->what);
  for (int k = 0; k < l->n; k++) fprintf(stderr, " %d", l->part[k].part.j1 - l->part[k].part.j0);
  fprintf(stderr, ": %s\n", what);
  return CHECK(is);
}

/* A field as each of the parts puts its rows where the whole has them, and nothing elsewhere. */
static void compare_field(const lots *l, int f, int tracer, bool max) {
  double v[CELLS], whole[CELLS];
  for (int k = 0; k < CELLS; k++) v[k] = -1e-9; /* as it was */
  for (int k = 0; k < l->n; k++) {
    const lot *p = &l->part[k];
    CHECK_OK(ctx, p->ops.read(p->self, f, tracer, max, 0, NY, RIA_F64, v));
    for (int m = p->part.j1 * NX; m < CELLS; m++) CHECK(v[m] == -1e-9);
  }
  CHECK_OK(ctx, l->whole.ops.read(l->whole.self, f, tracer, max, 0, NY, RIA_F64, whole));
  same(l, l->whole.scene->solver->fields[f].doc, v, whole, CELLS);
}

static void compare_samples(const lots *l, int f, int tracer) {
  int32_t cell[CELLS];
  double v[CELLS], whole[CELLS];
  for (int k = 0; k < CELLS; k++) cell[k] = k;
  for (int k = 0; k < l->n; k++)
    CHECK_OK(ctx, l->part[k].ops.sample(l->part[k].self, f, tracer, CELLS, cell, v));
  CHECK_OK(ctx, l->whole.ops.sample(l->whole.self, f, tracer, CELLS, cell, whole));
  same(l, "samples", v, whole, CELLS);
}

static void fetch(const lot *l, int f, int tracer, int coarse, double *v) {
  void *ticket = NULL;
  char why[256] = "";
  CHECK_OK(ctx, l->ops.fetch(l->self, f, tracer, coarse, RIA_F64, v, &ticket));
  CHECK_OK(ctx, l->ops.await(l->self, ticket, why, sizeof why));
}

/* On their way out: rows, or rows of means. What lies in two parts is told by none. */
static void compare_fetched(const lots *l, int f, int tracer, int coarse) {
  const size_t nx = (NX + (size_t)coarse - 1) / (size_t)coarse;
  const int ny = (NY + coarse - 1) / coarse;
  const ria_backend *b = ria_context_backend(ctx);
  void *room = NULL;
  if (!CHECK_OK(ctx, b->alloc_output(ctx, b, 2 * sizeof(double[CELLS]), &room))) return;
  double *v = room, *whole = v + CELLS;
  for (int k = 0; k < CELLS; k++) v[k] = -1e-9;
  for (int k = 0; k < l->n; k++) fetch(&l->part[k], f, tracer, coarse, v);
  fetch(&l->whole, f, tracer, coarse, whole);
  for (int j = 0; j < ny; j++) {
    const int south = j * coarse, north = south + coarse < NY ? south + coarse : NY;
    bool cut = false;
    for (int k = 1; k < l->n; k++) cut |= l->part[k].part.j0 > south && l->part[k].part.j0 < north;
    if (!cut) same(l, "fetched", v + (size_t)j * nx, whole + (size_t)j * nx, nx);
    for (size_t i = 0; cut && i < nx; i++) CHECK(v[(size_t)j * nx + i] == -1e-9);
  }
  b->free_output(b, room);
}

static void compare_fields(const lots *l) {
  const scene *c = l->whole.scene;
  for (int f = 0; c->solver->fields[f].name; f++) {
    const int tracer = by_tracer(&l->whole, f) ? c->n_tracers - 1 : -1;
    if (!has_field(&l->whole, f)) continue;
    compare_field(l, f, tracer, false);
    if (tracked(&l->whole, f)) compare_field(l, f, tracer, true);
    compare_samples(l, f, tracer);
    for (int coarse = 1; l->whole.ops.fetch && coarse < 4; coarse += 2)
      compare_fetched(l, f, tracer, coarse);
  }
}

/* On a GPU sediment's sand below the active layer is summed by tile. */
static bool by_tile(const lots *l) {
  return !on_cpu && !strcmp(l->whole.scene->solver->name, "sediment");
}

/* A GPU has them by row of what is stored alone: the rest is rounded otherwise. */
static void compare_rows(const lots *l, const ria_row_totals *parts, const ria_row_totals *whole,
                         int n) {
  if (on_cpu) same(l, "rows", parts, whole, (size_t)n * 3);
  for (int k = 0; k < n && !by_tile(l); k++)
    same(l, "stored", &parts[k].stored, &whole[k].stored, 1);
}

static void compare_sums(const lots *l, const ria_quantity_totals *sum,
                         const ria_quantity_totals *whole) {
  if (on_cpu) same(l, "totals", sum, whole, 3);
  if (by_tile(l))
    CHECK(fabs(sum->stored - whole->stored) <= 1e-12 * fabs(whole->stored));
  else
    same(l, "stored", &sum->stored, &whole->stored, 1);
  CHECK(fabs(sum->sources - whole->sources) <= 1e-12 * fabs(whole->sources));
  CHECK(fabs(sum->decayed - whole->decayed) <= 1e-12 * fabs(whole->decayed));
}

static void compare_totals(const lots *l) {
  enum { MOST = 4 };
  const scene *c = l->whole.scene;
  const int nq = c->n_tracers + (c->solver->quantities[1].name ? 2 : 1);
  ria_row_totals rows[MOST * NY], joined[MOST * NY];
  ria_quantity_totals totals[MOST];
  for (int k = 0; k < l->n; k++) {
    const lot *p = &l->part[k];
    const int n = p->part.j1 - p->part.j0;
    CHECK_OK(ctx, p->ops.row_totals(p->self, rows));
    for (int q = 0; q < nq; q++)
      memcpy(joined + q * NY + p->part.j0, rows + q * n, (size_t)n * sizeof *joined);
  }
  CHECK_OK(ctx, l->whole.ops.row_totals(l->whole.self, rows));
  compare_rows(l, joined, rows, nq * NY);
  CHECK_OK(ctx, l->whole.ops.totals(l->whole.self, totals));
  for (int q = 0; q < nq; q++) {
    const ria_quantity_totals sum = ria_sum_rows(&grid, joined + q * NY, NY);
    compare_sums(l, &sum, &totals[q]);
    if (c->quantity[0] == q) CHECK(sum.sources != 0);
  }
}

/* The account of the cells of the sides, as the state has it. */
typedef struct account {
  size_t n;
  double v[40 * 2 * (NX + NY)];
} account;

static ria_status add_account(void *user, const ria_state_item *item) {
  account *a = user;
  if (strncmp(item->name, "crossed.", 8) != 0) return RIA_OK;
  const size_t n = item->shape[0] * item->shape[1];
  for (size_t k = 0; k < n; k++) a->v[a->n + k] += ((const double *)item->data)[k];
  a->n += n;
  return RIA_OK;
}

/* The same as whoever drives parts asks for it. */
static void compare_crossed(const lots *l) {
  static ria_crossed cells[2][2 * (NX + NY) * 4];
  memset(cells, 0, sizeof cells);
  for (int k = 0; k < l->n; k++) CHECK_OK(ctx, l->part[k].ops.crossed(l->part[k].self, cells[0]));
  CHECK_OK(ctx, l->whole.ops.crossed(l->whole.self, cells[1]));
  same(l, "crossed", cells[0], cells[1], sizeof cells[0] / (sizeof(double)));
}

/* A cell of a side is in one part alone, so that adding rounds nothing. */
static void compare_accounts(const lots *l) {
  static account a[2];
  memset(a, 0, sizeof a);
  double crossed = 0;
  for (int k = 0; k <= l->n; k++) {
    const lot *p = k < l->n ? &l->part[k] : &l->whole;
    account *to = &a[k == l->n];
    to->n = 0;
    CHECK_OK(ctx, p->ops.state(p->self, &(ria_state_walk){
                                            .restores = false, .visit = add_account, .user = to}));
  }
  same(l, "sides", a[0].v, a[1].v, a[1].n);
  for (size_t k = 0; k < a[1].n; k++) crossed += fabs(a[1].v[k]);
  CHECK(crossed > 0);
}

/* The shortest step so far is one part's, but where eddies of one and waves of another ask for it.
 */
static void compare_progress(const lots *l) {
  const ria_setting *first = l->whole.scene->settings;
  ria_progress whole, one, least = {.dt_min = INFINITY};
  CHECK_OK(ctx, l->whole.ops.progress(l->whole.self, &whole));
  for (int k = 0; k < l->n; k++) {
    CHECK_OK(ctx, l->part[k].ops.progress(l->part[k].self, &one));
    const ria_part p = l->part[k].part; /* on the CPU all tell of it; the one that has it knows */
    if (one.dt_min_j >= p.j0 && one.dt_min_j < p.j1 && one.dt_min < least.dt_min) least = one;
  }
  if (strncmp(whole.dt_min_cause, "speed", 5) != 0) return;
  if (first->name && !strcmp(first->name, "eddy")) return;
  same(l, "the shortest step", &least.dt_min, &whole.dt_min, 1);
  CHECK_INT(least.dt_min_i, whole.dt_min_i);
  CHECK_INT(least.dt_min_j, whole.dt_min_j);
}

static void compare(const lots *l) {
  compare_fields(l);
  compare_totals(l);
  compare_accounts(l);
  compare_crossed(l);
  compare_progress(l);
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Between two steps: an amount at once, a field that is set, boundaries that change. */
static void disturb(const lot *l) {
  static const int32_t cell[] = {5, NX + 7, 5 * NX + 8, 6 * NX + 8, 7 * NX + 8, 12 * NX + 3};
  static const double amount[] = {1, 2, 0.5, 0.25, 1.5, 1};
  CHECK_OK(ctx, l->ops.add(l->self, 0, 6, cell, amount));
  for (const given *g = l->scene->given; g->at; g++)
    if (g->field == l->scene->set_later && g->tracer == l->scene->set_later_tracer)
      set_field(l, *g, 0.75);
  CHECK_OK(ctx, force(l, 1));
}
static void disturb_all(const lot *first, int n, double t) {
  for (int k = 0; k < n; k++) disturb(&first[k]);
  agree(first, n);
  for (int k = 0; k < n; k++) CHECK_OK(ctx, first[k].ops.prepare(first[k].self, t));
  agree(first, n);
  if (in_a_ring(first, n)) exchange(first, n);
}

/* To new ones, which go on: ghost rows are of the state too. */
static void hand_over(lot *l, int n, ria_real real) {
  lot fresh[MOST_PARTS];
  for (int k = 0; k < n; k++) fresh[k] = create_lot(l[k].scene, l[k].part, real, 1);
  begin(fresh, n);
  for (int k = 0; k < n; k++) {
    kept state = {0};
    CHECK_OK(ctx,
             l[k].ops.state(l[k].self, &(ria_state_walk){
                                           .restores = false, .visit = keep_item, .user = &state}));
    CHECK_OK(ctx, fresh[k].ops.state(
                      fresh[k].self,
                      &(ria_state_walk){.restores = true, .visit = put_item, .user = &state}));
    kept_free(&state);
    l[k].ops.destroy(l[k].self);
    l[k] = fresh[k];
  }
}

static bool has_map(const scene *c) {
  const given *g = c->given;
  while (g->at && g->field != DF_DIFFUSIVITY) g++;
  return g->at != NULL;
}

/* Steps of a pass of a part of diffusion. A GPU takes one where there is a map of diffusivity. */
static int steps_of_pass(const scene *c) {
  return !c->steps || (!on_cpu && has_map(c)) ? 1 : c->shared;
}

/* Ghost rows are filled after every pass: a part takes no second one, a whole grid does. */
static void takes_one_pass(const scene *c) {
  const ria_span span = {1e3 * c->dt, 20, INFINITY};
  ria_progress at;
  for (int k = 0; k < NY; k += 6) {
    const int n = k > 0 ? 2 : 1;
    lot l[2];
    for (int m = 0; m < n; m++)
      l[m] = create_lot(c, (ria_part){m * k, m == n - 1 ? NY : k}, RIA_F64, 1);
    begin(l, n);
    for (int m = 0; m < n; m++) CHECK_OK(ctx, l[m].ops.advance(l[m].self, &span));
    agree(l, n);
    for (int m = 0; m < n; m++) {
      CHECK_OK(ctx, l[m].ops.progress(l[m].self, &at));
      CHECK_INT(at.steps, k ? steps_of_pass(c) : 20);
      l[m].ops.destroy(l[m].self);
    }
  }
}

/* rows[n]: of each part. */
static void run(const scene *c, int n, const int *rows, ria_real real) {
  lots l = {.n = n, .whole = create_lot(c, (ria_part){0, 0}, real, 2)};
  for (int m = 0, j = 0; m < n; j += rows[m++])
    l.part[m] = create_lot(c, (ria_part){j, j + rows[m]}, real, 1 + m % 2);
  begin(&l.whole, 1);
  begin(l.part, n);
  for (int step = 0; step < steps && !test_failures; step++) {
    if (step == steps / 2) disturb_all(&l.whole, 1, step * c->dt);
    if (step == steps / 2) disturb_all(l.part, n, step * c->dt);
    for (int m = 0; m < n; m++) set_off(&l.part[m], step);
    set_off(&l.whole, step);
    agree(l.part, n);
    for (int m = 0; m < n; m++) arrives(&l.part[m], step);
    arrives(&l.whole, step);
    exchange(l.part, n);
    if (step == steps / 3) hand_over(l.part, n, real);
    agree(l.part, n);
    if (step == steps - 1 || !test_is_traced()) compare(&l);
  }
  for (int m = 0; m < n; m++) l.part[m].ops.destroy(l.part[m].self);
  l.whole.ops.destroy(l.whole.self);
}

/* Heights at random, every one at least 1. */
static void run_at_random(const scene *c, int n, ria_real real) {
  static uint32_t seed = 1;
  int rows[MOST_PARTS];
  for (int m = 0; m < n; m++) rows[m] = 1;
  for (int left = NY - n; left > 0; left--) {
    seed = seed * 1664525u + 1013904223u;
    rows[(seed >> 16) % (uint32_t)n]++;
  }
  run(c, n, rows, real);
}

static void run_all(const scene *c) {
  static const int two[3][2] = {{1, NY - 1}, {6, NY - 6}, {NY - 1, 1}};
  static const int low[2][MOST_PARTS] = {{1, 1, 1, NY - 5, 2}, {2, NY - 6, 1, 2, 1}};
  takes_one_pass(c);
  for (int real = 0; real < 2; real++) {
    for (int k = 0; k < 3; k++)
      if (k == 1 || !quick) run(c, 2, two[k], (ria_real)real);
    run(c, MOST_PARTS, low[real], (ria_real)real);
    if (quick) continue;
    run_at_random(c, 3, (ria_real)real);
    run_at_random(c, MOST_PARTS, (ria_real)real);
  }
}

/* At order 2 two ghost rows pass from each plane of the state; in adi as many as at order 1. */
static scene at_order(const scene *c, int order) {
  scene s = *c;
  int n = 0;
  while (s.settings[n].name) n++;
  s.settings[n] = (ria_setting){"order", order, NULL};
  if (!is_adi(c)) s.shared *= order;
  return s;
}

/* --- parts that are none ---------------------------------------------------------------------- */

static void refuses(const scene *c, ria_part part, const char *why) {
  ria_solver_setup setup = setup_of(c, part, RIA_F64, 1);
  void *self = NULL;
  setup.grid.ny = 13;
  ria_params_default(c->solver->params, params);
  CHECK_FAILS(ctx, ops_of(c)->create(&setup, &self), RIA_ERR_ARGUMENT, why);
  CHECK(!self);
}

/* Words are joined in any order to the same: the largest, NaN above all, the first of equals. */
static void joins(void) {
  static const double value[] = {-1, 3, 3, NAN, NAN, INFINITY};
  static const int order[3][6] = {{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {2, 4, 0, 5, 3, 1}};
  for (int n = 1; n <= 6; n++) {
    static const int64_t wins[] = {0, 10, 9, 8, 7, 7}; /* of the first n, by where */
    for (int k = 0; k < 3; k++) {
      ria_meeting all = {.most = {-INFINITY}, .where = {99}};
      for (int m = 0; m < 6; m++) {
        const int which = order[k][m];
        const ria_meeting one = {
            .most = {value[which]}, .where = {which == 0 ? 0 : 11 - which}, .along = {which + 0.5}};
        if (which < n) ria_meeting_join(&all, &one);
      }
      CHECK_INT(all.where[0], wins[n - 1]);
      CHECK_NEAR(all.along[0], (wins[n - 1] == 0 ? 0 : 11 - (double)wins[n - 1]) + 0.5, 0);
      CHECK(n < 4 ? all.most[0] == value[n - 1] : isnan(all.most[0]));
    }
  }
}

/* On a GPU passes come in depths of 8, 4 and 1, and of 1 alone where there is a map. */
static scene in_depths_of_device(const scene *c) {
  scene s = *c;
  s.shared = c->shared >= 8 ? 8 : c->shared >= 4 ? 4 : 1;
  const int most = has_map(c) ? 1 : s.shared;
  if (s.steps > most) s.steps = most;
  return s;
}

/* Parts of adi on a GPU step together or not at all: gpu.adi_parts. */
static void run_on_device(const scene *c) {
  const scene s = in_depths_of_device(c);
  if (!strcmp(c->solver->name, "diffusion"))
    run_all(&s);
  else if (!strcmp(c->solver->name, "sediment"))
    run_all(c);
}

/* A solver of whole grids alone: one that has no rows to share, as it is made and as it is cut. */
static void refuses_whole(const ria_solver *water) {
  const char *why =
      "this solver steps a whole grid, which cannot be cut into parts yet: take one (--parts 1, "
      "ria_context_desc.parts)";
  const scene of_water = {.solver = water};
  const ria_solver_setup part = setup_of(&of_water, (ria_part){4, NY}, RIA_F64, 1);
  const ria_solver_setup whole = setup_of(&of_water, (ria_part){0, 0}, RIA_F64, 1);
  ria_solver_ops ops = ria_solver_ops_whole(ops_of(&of_water), ria_context_backend(ctx)->kind);
  void *self = NULL;
  ops.shared_rows = NULL;
  CHECK_OK(ctx, ria_part_is_whole(&whole));
  CHECK_FAILS(ctx, ria_part_is_whole(&part), RIA_ERR_ARGUMENT, why);
  CHECK_FAILS(ctx, ria_parts_create(&whole, &ops, &ops, 2, NULL, 1, &self), RIA_ERR_ARGUMENT, why);
}

/* A scene at every order that its solver has; on a GPU, where only some solvers take parts. */
static void run_scene(const scene *c) {
  const bool ordered = is_water(c) || (on_cpu && is_adi(c));
  for (int order = 1; ordered && order <= 2; order++) {
    const scene at = at_order(c, order);
    run_all(&at);
  }
  if (ordered) return;
  if (on_cpu)
    run_all(c);
  else
    run_on_device(c);
}

/* --- parts that step together ------------------------------------------------------------------
 */

static int asked; /* so often */
static bool steps_together;

/* All of a process's parts are asked, from the south. */
static ria_status together(void *const *part, int n, const ria_span *span, bool *queued) {
  asked++;
  CHECK_INT(n, 3);
  CHECK(part[0] && part[1] && part[2] && part[0] != part[1] && part[1] != part[2]);
  CHECK_INT(span->max_steps, 1);
  *queued = steps_together;
  return RIA_OK;
}

/* Where they cannot step together they step by turns. */
static void asks_to_step_together(const scene *c) {
  ria_solver_ops ops = ria_solver_ops_whole(c->solver->cpu, RIA_BACKEND_CPU);
  const ria_solver_setup setup = setup_of(c, (ria_part){0, 0}, RIA_F64, 1);
  lot l = {c, ria_parts_ops, {0, NY}, NULL};
  ria_progress at;
  ops.together = together;
  CHECK_OK(ctx, ria_params_fill(ctx, c->solver->name, c->solver->params, c->settings, 1, params));
  CHECK_OK(ctx, ria_parts_create(&setup, c->solver->cpu, &ops, 3, NULL, 1 + c->n_tracers, &l.self));
  for (const given *g = c->given; g->at; g++) set_field(&l, *g, 1);
  CHECK_OK(ctx, force(&l, 0));
  CHECK_OK(ctx, l.ops.prepare(l.self, 0));
  for (int turn = 0; turn < 2; turn++) {
    steps_together = turn == 0;
    set_off(&l, 0);
    CHECK_INT(asked, turn + 1);
    CHECK_OK(ctx, l.ops.progress(l.self, &at));
    CHECK_INT(at.steps, turn);
  }
  l.ops.destroy(l.self);
}

int main(void) {
  joins();
  const char *device = test_setting("RIA_TEST_DEVICE", PARTS_DEVICE);
  on_cpu = strcmp(device, "cpu") == 0;
  ctx = test_context(device, 2);
  quick = !on_cpu && test_is_short();
  if (quick) steps = test_is_traced() ? 4 : 6;
  const size_t n_scenes = find_solvers(ctx);
  const ria_solver *water = NULL;
  for (size_t m = 0; m < n_scenes; m++) run_scene(&scenes[m]);
  CHECK_OK(ctx, ria_solver_find(ctx, "shallow_water", &water));
  const scene of_water = {.solver = water};
  refuses(&of_water, (ria_part){-1, 3}, "rows -1 to 2 are no part of a grid of 13 rows");
  refuses(&of_water, (ria_part){4, 4}, "rows 4 to 3 are no part of a grid of 13 rows");
  refuses(&of_water, (ria_part){4, 14}, "rows 4 to 13 are no part of a grid of 13 rows");
  refuses_whole(water);
  for (size_t m = 0; on_cpu && m < n_scenes; m++)
    if (!strcmp(scenes[m].what, "shallow_water")) asks_to_step_together(&scenes[m]);
  ria_context_destroy(&ctx);
  return TEST_END();
}
