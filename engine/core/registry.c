/* core/registry.c - the solvers there are: solvers/solvers.def turned into a table.
 *
 * The list is included twice: once to declare each `const ria_solver ria_<name>`, once to point at
 * it. Nothing else in the engine knows a solver by name. */
#include <ria/solver.h>

#include "core/text.h"

#include <string.h>

#define RIA_SOLVER(name) extern const ria_solver ria_##name;
#include "solvers/solvers.def"
#undef RIA_SOLVER

#define RIA_SOLVER(name) &ria_##name,
static const ria_solver *const solvers[] = {
#include "solvers/solvers.def"
};
#undef RIA_SOLVER

enum { N_SOLVERS = sizeof solvers / sizeof *solvers };

size_t ria_solver_count(void) { return N_SOLVERS; }

const ria_solver *ria_solver_at(size_t i) { return i < N_SOLVERS ? solvers[i] : NULL; }

static ria_status unknown_solver(ria_context *ctx, const char *name) {
  ria_guess guess = ria_guess_start(name);
  for (size_t i = 0; i < N_SOLVERS; i++) ria_guess_try(&guess, solvers[i]->name);
  if (guess.name)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "unknown solver '%s': did you mean '%s'?", name,
                    guess.name);
  char list[512] = "";
  for (size_t i = 0; i < N_SOLVERS; i++)
    ria_append(list, sizeof list, "%s%s", i ? ", " : "", solvers[i]->name);
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "unknown solver '%s': there are %s", name, list);
}

ria_status ria_solver_find(ria_context *ctx, const char *name, const ria_solver **out) {
  *out = solvers[0];
  if (!name) return RIA_OK;
  for (size_t i = 0; i < N_SOLVERS; i++) {
    *out = solvers[i];
    if (strcmp(name, solvers[i]->name) == 0) return RIA_OK;
  }
  *out = NULL;
  return unknown_solver(ctx, name);
}
