/* parts_compare.h - what parts of a grid tell is compared with what one solver tells that has the
 * whole: the same bits. */
#ifndef UNIT_PARTS_COMPARE_H
#define UNIT_PARTS_COMPARE_H
#include "parts_step.h"

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

/* The same in the form in which the driver of parts asks for it. */
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

/* The shortest step so far is one part's, unless eddies of one and waves of another shorten it. */
static void compare_progress(const lots *l) {
  const ria_setting *first = l->whole.scene->settings;
  ria_progress whole, one, least = {.dt_min = INFINITY};
  CHECK_OK(ctx, l->whole.ops.progress(l->whole.self, &whole));
  for (int k = 0; k < l->n; k++) {
    CHECK_OK(ctx, l->part[k].ops.progress(l->part[k].self, &one));
    const ria_part p =
        l->part[k].part; /* on the CPU all tell a step; the one with its cell counts */
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

#endif
