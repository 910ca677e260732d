/* core/registry.c - the solvers and primitives there are: solvers/solvers.def and
 * primitives/primitives.def turned into tables.
 *
 * A list is included twice: once to declare each `const ria_solver ria_<name>`, once to point at
 * it. Nothing else in the engine knows a solver or a primitive by name. */
#include "primitives/primitive.h"
#include <ria/bench.h>
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

#define RIA_PRIMITIVE(name) extern const ria_primitive ria_##name##_primitive;
#include "primitives/primitives.def"
#undef RIA_PRIMITIVE

#define RIA_PRIMITIVE(name) &ria_##name##_primitive,
static const ria_primitive *const primitives[] = {
#include "primitives/primitives.def"
};
#undef RIA_PRIMITIVE

enum { N_PRIMITIVES = sizeof primitives / sizeof *primitives };

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

/* --- primitives ---------------------------------------------------------------------------------
 */

const ria_primitive *ria_primitive_at(size_t i) { return i < N_PRIMITIVES ? primitives[i] : NULL; }

const ria_primitive *ria_primitive_named(const char *name) {
  for (size_t i = 0; i < N_PRIMITIVES; i++)
    if (strcmp(name, primitives[i]->name) == 0) return primitives[i];
  return NULL;
}

const char *ria_bench_subject(size_t i, const char **summary) {
  const char *name = NULL;
  if (i < N_SOLVERS) {
    name = solvers[i]->name;
    *summary = solvers[i]->summary;
  } else if (i < N_SOLVERS + N_PRIMITIVES) {
    name = primitives[i - N_SOLVERS]->name;
    *summary = primitives[i - N_SOLVERS]->summary;
  }
  return name;
}
