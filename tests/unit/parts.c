/* A grid that is shared among solvers: two to five of them, with some rows each, whose ghost rows
 * are copied after each step, tell the bits of one that has the whole: fields, maxima, samples,
 * rows' totals, the account of the sides and the shortest step. On the device that RIA_TEST_DEVICE
 * names; tests/gpu/part_rows.c is the same with more rows, for a GPU. */
#include "parts_compare.h"
#include "state.h"
static bool quick; /* few cuts */
static int steps = 12;

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

/* New solvers take the state and go on: ghost rows are part of it. */
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

/* --- parts that are none ---------------------------------------------------------------------- */

static void refuses(const scene *c, ria_part part, const char *why) {
  ria_solver_setup setup = setup_of(c, part, RIA_F64, 1);
  void *self = NULL;
  setup.grid.ny = 13;
  ria_params_default(c->solver->params, params);
  CHECK_FAILS(ctx, ops_of(c)->create(&setup, &self), RIA_ERR_ARGUMENT, why);
  CHECK(!self);
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

int main(void) {
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
  ria_context_destroy(&ctx);
  return TEST_END();
}
