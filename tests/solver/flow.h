/* flow.h - what the tests of solvers of flow share: short ways to set up a flow and to measure it.
 * Included by each solver's cases.h, which says how its flow is made.
 *
 * Each test prints the errors it finds (ctest shows them with -V) and asserts rates, bounds or
 * equality, on the device that RIA_TEST_DEVICE names (device.h). SHORT(full, quick) is for cases
 * that take long under a sanitizer, LENGTH(full, usual, quick) for those that take long without:
 * in full on a GPU and with RIA_TEST_LONG. */
#ifndef FLOW_H
#define FLOW_H
#include "device.h"
#include "test.h"
#include <ria/ria.h>
#include <stdlib.h>

#define SHORT(full, quick) (test_is_short() ? (quick) : (full))
#define LENGTH(full, usual, quick) (test_is_long() ? (full) : SHORT(usual, quick))

static const double gravity = 9.81;
static const char *const real_name[] = {"double", "single"};

typedef double (*shape)(double x, double y);

typedef struct flow {
  ria_context *ctx;
  ria_sim *sim;
  ria_grid grid;
  double *buffer; /* [ny][nx] */
} flow;

typedef struct flow_desc {
  int nx, ny;
  double dx, dy; /* 0 = dx */
  ria_real real;
  int threads;         /* 0 = 2 */
  double manning, cfl; /* of shallow_water */
  const char *tracer;
  double decay, diffusion;
  ria_setting more[12]; /* further parameters, up to the first without a name */
} flow_desc;

/* What d says, with `more` after the n parameters given; room for those is the caller's. */
TEST_UNUSED static flow flow_of(const char *solver, const flow_desc *d, ria_setting *params,
                                size_t n) {
  flow f = {0};
  for (int k = 0; k < 12 && d->more[k].name; k++) params[n++] = d->more[k];
  const ria_tracer tracer = {.name = d->tracer, .decay = d->decay, .diffusion = d->diffusion};
  f.grid = (ria_grid){d->nx, d->ny, d->dx, d->dy > 0 ? d->dy : d->dx, 0, 0, 0};
  f.buffer = malloc((size_t)d->nx * (size_t)d->ny * sizeof(double));
  const ria_sim_desc desc = {.solver = solver,
                             .grid = f.grid,
                             .precision = d->real,
                             .params = params,
                             .n_params = n,
                             .tracers = &tracer,
                             .n_tracers = d->tracer ? 1 : 0};
  test_cut(d->ny);
  f.ctx = test_context(test_device(), d->threads ? d->threads : 2);
  if (!f.buffer) abort();
  if (!CHECK_OK(f.ctx, ria_sim_create(f.ctx, &desc, &f.sim))) abort();
  return f;
}

TEST_UNUSED static void flow_free(flow *f) {
  ria_sim_destroy(&f->sim);
  ria_context_destroy(&f->ctx);
  free(f->buffer);
  f->buffer = NULL;
}

TEST_UNUSED static void flow_set(flow *f, const char *field, shape fn) {
  const ria_grid *g = &f->grid;
  for (int j = 0; j < g->ny; j++)
    for (int i = 0; i < g->nx; i++)
      f->buffer[(size_t)j * (size_t)g->nx + (size_t)i] = fn((i + 0.5) * g->dx, (j + 0.5) * g->dy);
  CHECK_OK(f->ctx, ria_sim_set(f->sim, field, f->buffer));
}

/* Into a new array, the caller's. */
TEST_UNUSED static double *flow_get(flow *f, const char *field) {
  double *a = malloc((size_t)f->grid.nx * (size_t)f->grid.ny * sizeof *a);
  if (!a) abort();
  CHECK_OK(f->ctx, ria_sim_get(f->sim, field, a));
  return a;
}

TEST_UNUSED static ria_budget_row flow_budget(flow *f, size_t quantity) {
  ria_budget_row rows[1 + RIA_MAX_TRACERS];
  size_t n = 1 + RIA_MAX_TRACERS;
  CHECK_OK(f->ctx, ria_sim_budget(f->sim, rows, &n));
  if (quantity >= n) abort();
  return rows[quantity];
}
TEST_UNUSED static double flow_total(flow *f, size_t quantity) {
  return flow_budget(f, quantity).stored;
}

/* Side by kind, with one value if the kind wants one. */
TEST_UNUSED static void flow_side(flow *f, ria_side side, const char *kind, const char *name,
                                  ria_value value, double tracer) {
  ria_boundary_desc b = {.kind = kind, .side = side};
  if (name) b.values[0] = (ria_boundary_value){name, value};
  b.tracers[0].constant = tracer;
  CHECK_OK(f->ctx, ria_boundary_add(f->sim, &b, NULL));
}

#endif
