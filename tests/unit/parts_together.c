/* Parts of one process: they are asked to step together, and what they say when they meet is
 * joined. */
#include "parts_step.h"

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

static int asked; /* how often */
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
  on_cpu = true;
  ctx = test_context("cpu", 2);
  const size_t n_scenes = find_solvers(ctx);
  for (size_t m = 0; m < n_scenes; m++)
    if (!strcmp(scenes[m].what, "shallow_water")) asks_to_step_together(&scenes[m]);
  ria_context_destroy(&ctx);
  return TEST_END();
}
