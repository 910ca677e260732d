/* tests/gpu/solver.h - a solver by itself, as the engine calls it, on the device of the test. */
#ifndef RIA_TEST_GPU_SOLVER_H
#define RIA_TEST_GPU_SOLVER_H
#include "core/params.h"
#include "device.h"
#include "run/run.h"
#include <ria/planes.h>
#include <ria/ria.h>

static bool on_cpu;
static ria_context *ctx;

static void solver_open(void) {
  const char *device = test_setting("RIA_TEST_DEVICE", "cuda");
  on_cpu = strcmp(device, "cpu") == 0;
  ctx = test_context(device, 2);
}

static ria_solver_ops solver_ops(const char *name, const ria_solver **solver) {
  CHECK_OK(ctx, ria_solver_find(ctx, name, solver));
  return ria_solver_ops_whole(on_cpu ? (*solver)->cpu : (*solver)->cuda,
                              ria_context_backend(ctx)->kind);
}

/* With the parameters that it has by default. */
static void *solver_make(const char *name, ria_grid grid, ria_real real, const ria_tracer *tracers,
                         int n_tracers, ria_status *status) {
  const ria_solver *solver = NULL;
  const ria_solver_ops ops = solver_ops(name, &solver);
  double params[64] = {0};
  void *self = NULL;
  ria_params_default(solver->params, params);
  const ria_solver_setup setup = {.ctx = ctx,
                                  .backend = ria_context_backend(ctx),
                                  .threads = 2,
                                  .grid = grid,
                                  .real = real,
                                  .params = params,
                                  .n_tracers = n_tracers,
                                  .tracers = tracers};
  *status = solver->params_size <= sizeof params ? ops.create(&setup, &self) : RIA_ERR_ARGUMENT;
  return self;
}

/* All four sides of one kind, each of whose values is 1 (and 2 in what comes in of tracers); a
 * series that nothing asks for comes with it, of some knots. */
static ria_status solver_force(const ria_solver_ops *ops, void *self, ria_grid grid, int kind,
                               int knots) {
  const ria_forcing entry[] = {
      {.kind = RIA_FORCING_CONSTANT},
      {.kind = RIA_FORCING_CONSTANT, .base = 1},
      {.kind = RIA_FORCING_CONSTANT, .base = 2},
      {.kind = RIA_FORCING_LINEAR, .count = knots, .scale = 1},
  };
  static const int varying[8] = {0};
  const int most = grid.nx > grid.ny ? grid.nx : grid.ny;
  ria_stretch stretch[RIA_SIDES];
  ria_forcing_set set = {.table = {entry, NULL, 4, 2 * knots},
                         .boundary = {.n = RIA_SIDES, .stretch = stretch},
                         .varying = varying};
  double *data = calloc(2 * (size_t)knots + 1, sizeof *data);
  int32_t *owner = calloc((size_t)RIA_SIDES * (size_t)most, sizeof *owner);
  if (!data || !owner) exit(1);
  set.table.data = data;
  for (int side = 0; side < RIA_SIDES; side++) {
    int32_t *of_side = owner + side * most;
    for (int k = 0; k < most; k++) of_side[k] = side;
    set.boundary.owner[side] = of_side;
    stretch[side] = (ria_stretch){.kind = kind, .side = (ria_side)side, .value = {1, 1}};
    for (int m = 0; m < RIA_MAX_TRACERS; m++) stretch[side].tracer[m] = 2;
  }
  const ria_status status = ops->force(self, &set);
  free(data);
  free(owner);
  return status;
}

/* On, by some steps. */
static void solver_step(const ria_solver_ops *ops, void *self, int steps) {
  const ria_span span = {.t_stop = 1e12, .max_steps = steps, .t_watch = INFINITY};
  ria_progress p;
  CHECK_OK(ctx, ops->advance(self, &span));
  CHECK_OK(ctx, ops->progress(self, &p));
  CHECK_OK(ctx, p.failure);
}

#endif
