/* run/registry.c - the solvers and primitives there are: solvers/solvers.def and
 * primitives/primitives.def turned into tables.
 *
 * A list is included twice: once to declare each `const ria_solver ria_<name>`, once to point at
 * it. Nothing else in the engine knows a solver or a primitive by name. Solvers of other people are
 * registered with a context. */
#include "primitives/primitive.h"
#include <ria/bench.h>
#include <ria/planes.h>

#include "base/context.h"
#include "run/run.h"
#include "base/text.h"

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

/* Built in or registered with the context; NULL past the last. */
static const ria_solver *solver_of(const ria_context *ctx, size_t i) {
  if (i < N_SOLVERS) return solvers[i];
  return ctx && i - N_SOLVERS < (size_t)ctx->n_registered ? ctx->registered[i - N_SOLVERS] : NULL;
}

static ria_status unknown_solver(ria_context *ctx, const char *name) {
  const ria_solver *s;
  ria_guess guess = ria_guess_start(name);
  for (size_t i = 0; (s = solver_of(ctx, i)); i++) ria_guess_try(&guess, s->name);
  return ria_fail_guess(ctx, &guess, ": there are ", "unknown solver '%s'", name);
}

static const ria_solver *solver_named(const ria_context *ctx, const char *name) {
  const ria_solver *s;
  for (size_t i = 0; (s = solver_of(ctx, i)); i++)
    if (strcmp(name, s->name) == 0) return s;
  return NULL;
}

ria_status ria_solver_find(ria_context *ctx, const char *name, const ria_solver **out) {
  *out = name ? solver_named(ctx, name) : solvers[0];
  return *out ? RIA_OK : unknown_solver(ctx, name);
}

/* --- solvers that are not built in ------------------------------------------------------------ */

/* What a solver cannot do without; NULL = nothing is missing. */
static const char *missing(const ria_solver *s) {
  const ria_solver_ops *o = s->cpu;
  if (!s->name || !*s->name) return "name";
  if (!s->params) return "table of parameters";
  if (!s->fields) return "table of fields";
  if (!s->boundaries || !s->boundaries[0].name) return "kind of boundary";
  if (!o) return "operations for the CPU";
  if (!o->create) return "operation create";
  if (!o->destroy) return "operation destroy";
  if (!o->advance) return "operation advance";
  return o->progress ? NULL : "operation progress";
}

ria_status ria_solver_register(ria_context *ctx, const ria_solver *solver) {
  if (!ctx) return RIA_ERR_ARGUMENT; /* there is no place for a message */
  if (!solver) return ria_fail(ctx, RIA_ERR_ARGUMENT, "a solver is needed");
  const char *what = missing(solver);
  if (what)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "solver '%s' has no %s",
                    solver->name ? solver->name : "", what);
  const ria_solver *known = solver_named(ctx, solver->name);
  if (known == solver) return RIA_OK;
  if (known) return ria_fail(ctx, RIA_ERR_ARGUMENT, "there is a solver '%s' already", solver->name);
  if (ctx->n_registered == RIA_REGISTERED_MAX)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "at most %d solvers can be registered",
                    RIA_REGISTERED_MAX);
  ctx->registered[ctx->n_registered++] = solver;
  return RIA_OK;
}

static ria_status nothing_to_prepare(void *self, double t) { return (void)self, (void)t, RIA_OK; }

ria_solver_ops ria_solver_ops_whole(const ria_solver_ops *o, ria_backend_kind kind) {
  ria_solver_ops all = *o;
  if (!all.prepare) all.prepare = nothing_to_prepare;
  if (kind != RIA_BACKEND_CPU) return all;
  if (!all.force) all.force = ria_planes_force;
  if (!all.read) all.read = ria_planes_read;
  if (!all.write) all.write = ria_planes_write;
  if (!all.sample) all.sample = ria_planes_sample;
  if (!all.add) all.add = ria_planes_add;
  if (!all.track) all.track = ria_planes_track;
  if (all.track == ria_planes_track && !all.sums) { /* of one that keeps no planes: none */
    all.sums = ria_planes_sums;
    all.gather = ria_planes_gather;
  }
  if (!all.totals) all.totals = ria_planes_totals;
  if (!all.row_totals) all.row_totals = ria_planes_row_totals;
  if (!all.shared_rows) all.shared_rows = ria_planes_shared_rows;
  if (!all.fluxes) all.fluxes = ria_planes_fluxes;
  if (!all.crossed) all.crossed = ria_planes_crossed;
  if (!all.say) all.say = ria_planes_say;
  return all;
}

/* --- primitives ------------------------------------------------------------------------------- */

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
