/* Solvers that are not built in: known to the context they were registered with, and to no other.
 */
#include "toy.h"

static void refused(ria_context *ctx, const ria_solver *solver, const char *text) {
  CHECK_FAILS(ctx, ria_solver_register(ctx, solver), RIA_ERR_ARGUMENT, text);
}

static void incomplete(ria_context *ctx) {
  ria_solver s = toy_solver;
  ria_solver_ops ops = *toy_solver.cpu;
  s.cpu = NULL;
  refused(ctx, &s, "solver 'toy' has no operations for the CPU");
  s.cpu = &ops;
  ops.progress = NULL;
  refused(ctx, &s, "solver 'toy' has no operation progress");
  ops.advance = NULL;
  refused(ctx, &s, "solver 'toy' has no operation advance");
  s.fields = NULL;
  refused(ctx, &s, "solver 'toy' has no table of fields");
  s.name = "";
  refused(ctx, &s, "solver '' has no name");
}

int main(void) {
  ria_context *ctx = NULL, *other = NULL;
  const ria_solver *found = NULL;
  const ria_sim_desc desc = {.solver = "toy", .grid = {.nx = 4, .ny = 3, .dx = 1, .dy = 1}};
  ria_sim *sim = NULL;
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &other));

  incomplete(ctx);
  refused(ctx, NULL, "a solver is needed");
  CHECK_STATUS(ctx, ria_solver_register(NULL, &toy_solver), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_create(ctx, &desc, &sim), RIA_ERR_ARGUMENT);
  CHECK(!sim);
  CHECK_OK(ctx, ria_solver_register(ctx, &toy_solver));
  CHECK_OK(ctx, ria_solver_register(ctx, &toy_solver));
  CHECK_OK(ctx, ria_solver_find(ctx, "toy", &found));
  CHECK(found == &toy_solver);
  CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim));
  ria_sim_destroy(&sim);

  ria_solver same = toy_solver, taken = toy_solver;
  refused(ctx, &same, "there is a solver 'toy' already");
  taken.name = ria_solver_at(0)->name;
  CHECK_STATUS(ctx, ria_solver_register(ctx, &taken), RIA_ERR_ARGUMENT);
  CHECK_FAILS(ctx, ria_solver_find(ctx, "toi", &found), RIA_ERR_ARGUMENT,
              "unknown solver 'toi': did you mean 'toy'?");
  CHECK(!found);
  CHECK_STATUS(other, ria_solver_find(other, "toy", &found), RIA_ERR_ARGUMENT);

  ria_context_destroy(&ctx);
  ria_context_destroy(&other);
  return TEST_END();
}
