/* A grid that is shared among solvers: two, with the rows below k and from k on, whose ghost rows
 * are copied after each step, tell the bits of one that has the whole: fields, maxima, samples,
 * rows' totals and the account of the sides. */
#include "core/params.h"
#include "run/run.h"
#include "parts.h"
#include "test.h"
#include <ria/planes.h>

#include <stdlib.h>

enum { NX = 70, NY = 13, CELLS = NX * NY, STEPS = 12 };
enum { SOUTH, NORTH, WHOLE, LOTS };

static ria_context *ctx;

/* --- a solver with a part --------------------------------------------------------------------- */

typedef struct lot {
  const scene *scene;
  ria_solver_ops ops;
  ria_part part;
  void *self;
} lot;

static const ria_grid grid = {NX, NY, 3, 2, 0, 0};
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
  ria_stretch stretch[STRETCHES] = {{0}};
  int32_t owner[RIA_SIDES][NX];
  ria_source source[SOURCES] = {{0}};
  int n = 0;
  for (int k = 0; k < STRETCHES; k++) {
    stretch[k] = (ria_stretch){c->kind[k], side[k], {c->value[k][0], c->value[k][1]}, {ONE, SMALL}};
    if (turn && k == 1) stretch[k].kind = c->kind[0];
  }
  for (int k = 0; k < RIA_SIDES; k++)
    for (int m = 0; m < NX; m++) owner[k][m] = k;
  for (int m = 3; m < 10; m++) owner[RIA_WEST][m] = 4;
  for (int m = 20; m < 50; m++) owner[RIA_NORTH][m] = 5;
  for (int k = 0; k < SOURCES; k++)
    if (c->quantity[k] >= 0)
      source[n++] = (ria_source){c->quantity[k], c->rate[k], 0, 1e9, 6, cells[k], weight};
  const ria_forcing_set set = {
      .table = {entry, data, ENTRIES, (int)(sizeof data / sizeof *data)},
      .boundary = {STRETCHES, stretch, {owner[0], owner[1], owner[2], owner[3]}},
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
  return l->scene->solver->fields[field].flags & RIA_FIELD_TRACK;
}
static bool by_tracer(const lot *l, int field) {
  return l->scene->solver->fields[field].flags & RIA_FIELD_PER_TRACER;
}

static lot create_lot(const scene *c, ria_part part, ria_real real, int threads) {
  lot l = {c, ria_solver_ops_whole(c->solver->cpu, RIA_BACKEND_CPU), part, NULL};
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

static lot make_lot(const scene *c, ria_part part, ria_real real, int threads) {
  const lot l = create_lot(c, part, real, threads);
  CHECK_OK(ctx, force(&l, 0));
  for (int f = 0; c->solver->fields[f].name; f++)
    if (tracked(&l, f))
      CHECK_OK(ctx, l.ops.track(l.self, f, by_tracer(&l, f) ? c->n_tracers - 1 : -1));
  CHECK_OK(ctx, l.ops.prepare(l.self, 0));
  return l;
}

/* One step, however long the solver would make it. */
static void advance_by(const lot *l, double t, double dt) {
  const ria_span span = {t + dt, 1, INFINITY};
  ria_progress at;
  CHECK_OK(ctx, l->ops.advance(l->self, &span));
  CHECK_OK(ctx, l->ops.progress(l->self, &at));
  if (!CHECK(at.t == t + dt && !at.failure))
    fprintf(stderr, "  %s: %s t %g\n", l->scene->what, at.fail_what, at.t), exit(1);
}

/* What lies on either side of k goes to the other. */
static void exchange(const lot *south, const lot *north) {
  ria_shared_row s[16], n[16];
  CHECK_INT(south->ops.shared_rows(south->self, RIA_NORTH, 16, s), south->scene->shared);
  CHECK_INT(north->ops.shared_rows(north->self, RIA_SOUTH, 16, n), south->scene->shared);
  CHECK_INT(south->ops.shared_rows(south->self, RIA_SOUTH, 16, NULL), 0);
  CHECK_INT(north->ops.shared_rows(north->self, RIA_NORTH, 16, NULL), 0);
  for (int k = 0; k < south->scene->shared; k++) {
    memcpy(s[k].ghost, n[k].own, s[k].bytes);
    memcpy(n[k].ghost, s[k].own, s[k].bytes);
  }
}

/* --- what they tell --------------------------------------------------------------------------- */

static bool same(const lot *l, const char *what, const void *parts, const void *whole, size_t n) {
  const bool is = memcmp(parts, whole, n * sizeof(double)) == 0;
  if (!is) fprintf(stderr, "%s, rows from %d on apart: %s\n", l->scene->what, l->part.j0, what);
  return CHECK(is);
}

/* Each of the parts puts its rows where the whole has them. */
static void compare_fields(const lot l[LOTS]) {
  int32_t cell[CELLS];
  for (int k = 0; k < CELLS; k++) cell[k] = k;
  for (int f = 0; l[WHOLE].scene->solver->fields[f].name; f++)
    for (int max = 0; max <= tracked(&l[WHOLE], f); max++) {
      const int tracer = by_tracer(&l[WHOLE], f) ? l[WHOLE].scene->n_tracers - 1 : -1;
      double v[2][CELLS], sampled[CELLS];
      for (int k = 0; k < CELLS; k++) v[0][k] = sampled[k] = -1e-9; /* as it was */
      for (int k = 0; k < LOTS; k++) {
        void *self = l[k].self;
        CHECK_OK(ctx, l[k].ops.read(self, f, tracer, max, 0, NY, RIA_F64, v[k == WHOLE]));
        for (int m = l[k].part.j1 * NX; k == SOUTH && m < CELLS; m++) CHECK(v[0][m] == -1e-9);
        if (k != WHOLE && !max)
          CHECK_OK(ctx, l[k].ops.sample(self, f, tracer, CELLS, cell, sampled));
      }
      same(&l[NORTH], l[WHOLE].scene->solver->fields[f].doc, v[0], v[1], CELLS);
      CHECK_OK(ctx, l[WHOLE].ops.sample(l[WHOLE].self, f, tracer, CELLS, cell, v[1]));
      if (!max) same(&l[NORTH], "samples", sampled, v[1], CELLS);
    }
}

static void compare_totals(const lot l[LOTS]) {
  enum { MOST = 4 };
  const int nq = l[WHOLE].scene->n_tracers + (l[WHOLE].scene->solver->quantities[1].name ? 2 : 1);
  ria_row_totals rows[LOTS][MOST * NY], joined[MOST * NY];
  ria_quantity_totals totals[MOST];
  for (int k = 0; k < LOTS; k++) {
    const int n = l[k].part.j1 - l[k].part.j0;
    CHECK_OK(ctx, l[k].ops.row_totals(l[k].self, rows[k]));
    for (int q = 0; k != WHOLE && q < nq; q++)
      memcpy(joined + q * NY + l[k].part.j0, rows[k] + q * n, (size_t)n * sizeof *joined);
  }
  same(&l[NORTH], "rows", joined, rows[WHOLE], (size_t)(nq * NY) * 3);
  CHECK_OK(ctx, l[WHOLE].ops.totals(l[WHOLE].self, totals));
  for (int q = 0; q < nq; q++) {
    const ria_quantity_totals sum = ria_sum_rows(&grid, joined + q * NY, NY);
    same(&l[NORTH], "totals", &sum, &totals[q], 3);
    if (l[WHOLE].scene->quantity[0] == q) CHECK(sum.sources != 0);
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

/* A cell of a side is in one part alone, so that adding rounds nothing. */
static void compare_accounts(const lot l[LOTS]) {
  static account a[2];
  memset(a, 0, sizeof a);
  double crossed = 0;
  for (int k = 0; k < LOTS; k++) {
    account *to = &a[k == WHOLE];
    to->n = 0;
    CHECK_OK(ctx, l[k].ops.state(l[k].self, &(ria_state_walk){false, add_account, to}));
  }
  same(&l[NORTH], "sides", a[0].v, a[1].v, a[1].n);
  for (size_t k = 0; k < a[1].n; k++) crossed += fabs(a[1].v[k]);
  CHECK(crossed > 0);
}

static void compare(const lot l[LOTS]) {
  compare_fields(l);
  compare_totals(l);
  compare_accounts(l);
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

/* Ghost rows are filled after every step: a part takes no second one, a whole grid does. */
static void takes_one_step(const scene *c) {
  const ria_span span = {1e3 * c->dt, 3, INFINITY};
  ria_progress at;
  for (int k = 0; k < NY; k += 6) {
    const lot l = make_lot(c, (ria_part){k, NY}, RIA_F64, 1);
    CHECK_OK(ctx, l.ops.advance(l.self, &span));
    CHECK_OK(ctx, l.ops.progress(l.self, &at));
    CHECK_INT(at.steps, k ? 1 : 3);
    l.ops.destroy(l.self);
  }
}

static void run(const scene *c, int k, ria_real real) {
  const ria_part part[LOTS] = {{0, k}, {k, NY}, {0, 0}};
  lot l[LOTS];
  for (int m = 0; m < LOTS; m++) l[m] = make_lot(c, part[m], real, 1 + m % 2);
  l[WHOLE].part.j1 = NY;
  for (int n = 0; n < STEPS; n++) {
    for (int m = 0; m < LOTS; m++) {
      if (n == STEPS / 2) disturb(&l[m]);
      advance_by(&l[m], n * c->dt, c->dt);
    }
    exchange(&l[SOUTH], &l[NORTH]);
    compare(l);
    if (test_failures) break;
  }
  for (int m = 0; m < LOTS; m++) l[m].ops.destroy(l[m].self);
}

/* --- parts that are none ---------------------------------------------------------------------- */

static void refuses(const scene *c, ria_part part, const char *why) {
  const ria_solver_setup setup = setup_of(c, part, RIA_F64, 1);
  void *self = NULL;
  ria_params_default(c->solver->params, params);
  CHECK_FAILS(ctx, c->solver->cpu->create(&setup, &self), RIA_ERR_ARGUMENT, why);
  CHECK(!self);
}

/* What needs more of a neighbour than a row: parts are refused by name. */
static void refuses_forcing(void) {
  scene plate = {.name = "diffusion",
                 .given = {{0, -1, hills}},
                 .kind = {DF_OPEN, DF_OPEN, DF_PERIODIC, DF_PERIODIC, DF_OPEN, DF_PERIODIC},
                 .quantity = {-1, -1, -1}};
  scene river = {.name = "shallow_water",
                 .given = {{WATER_BED, -1, basin}},
                 .kind = {[4] = SIDE_DISCHARGE},
                 .value = {[4] = {ONE}},
                 .quantity = {-1, -1, -1}};
  CHECK_OK(ctx, ria_solver_find(ctx, plate.name, &plate.solver));
  CHECK_OK(ctx, ria_solver_find(ctx, river.name, &river.solver));
  lot l = create_lot(&plate, (ria_part){4, NY}, RIA_F64, 1);
  CHECK_OK(ctx, force(&l, 0));
  CHECK_FAILS(ctx, l.ops.prepare(l.self, 0), RIA_ERR_ARGUMENT,
              "the south and the north side are periodic: rows 4 to 12 of 13 alone cannot be "
              "stepped");
  l.ops.destroy(l.self);
  l = create_lot(&river, (ria_part){4, NY}, RIA_F64, 1);
  CHECK_FAILS(ctx, force(&l, 0), RIA_ERR_ARGUMENT,
              "a discharge on the west side crosses from row 3 to row 4: the parts of the grid "
              "meet there");
  l.ops.destroy(l.self);
  l = create_lot(&river, (ria_part){3, NY}, RIA_F64, 1);
  CHECK_OK(ctx, force(&l, 0));
  l.ops.destroy(l.self);
}

int main(void) {
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.threads = 2, .device = "cpu"}, &ctx));
  const size_t n_scenes = find_solvers(ctx);
  for (size_t m = 0; m < n_scenes; m++) takes_one_step(&scenes[m]);
  for (size_t m = 0; m < n_scenes; m++)
    for (int real = 0; real < 2; real++) {
      static const int k[] = {1, 6, NY - 1};
      for (int n = 0; n < 3; n++) run(&scenes[m], k[n], (ria_real)real);
    }
  refuses(&scenes[0], (ria_part){-1, 3}, "rows -1 to 2 are no part of a grid of 13 rows");
  refuses(&scenes[0], (ria_part){4, 4}, "rows 4 to 3 are no part of a grid of 13 rows");
  refuses(&scenes[0], (ria_part){4, 14}, "rows 4 to 13 are no part of a grid of 13 rows");
  const ria_solver *adi = NULL;
  CHECK_OK(ctx, ria_solver_find(ctx, "adi", &adi));
  refuses(&(scene){.solver = adi}, (ria_part){4, 13},
          "this solver steps a whole grid: not rows 4 to 12 of 13 alone");
  refuses_forcing();
  ria_context_destroy(&ctx);
  return TEST_END();
}
