/* run/bench_case.c - a simulation of a bench case: its grid, fields, sides and tracers. */
#include "base/context.h"
#include "base/grid.h"
#include "base/text.h"
#include "core/sim.h"
#include "run/bench.h"
#include "run/run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* v: room for a field */
static ria_status fill_field(ria_sim *sim, const ria_bench_case *c, const char *name, double *v) {
  const ria_grid *g = &sim->grid;
#pragma omp parallel for num_threads(ria_context_threads(sim->ctx)) schedule(static)
  for (int j = 0; j < g->ny; j++)
    for (int i = 0; i < g->nx; i++)
      v[(size_t)j * (size_t)g->nx + (size_t)i] =
          c->init(name, (i + 0.5) / g->nx, (j + 0.5) / g->ny);
  return ria_sim_set(sim, name, v);
}

static bool has_field(const ria_sim *sim, const char *name) {
  for (size_t k = 0; k < sim->n_fields; k++)
    if (strcmp(sim->fields[k].name, name) == 0) return true;
  return false;
}

/* Fields of tracers that were not asked for are passed over. */
static ria_status fill_fields(ria_sim *sim, const ria_bench_case *c) {
  size_t bytes = ria_grid_cells(&sim->grid) * sizeof(double);
  double *v = malloc(bytes);
  if (!v) return ria_fail_memory(sim->ctx, "a field", bytes);
  ria_status s = RIA_OK;
  for (int k = 0; s == RIA_OK && c->fields && c->fields[k]; k++)
    if (has_field(sim, c->fields[k])) s = fill_field(sim, c, c->fields[k], v);
  free(v);
  return s;
}

static ria_status fill_case(ria_sim *sim, const ria_bench_case *c) {
  RIA_TRY(fill_fields(sim, c));
  for (int side = 0; c->sides && side < RIA_SIDES; side++) {
    ria_boundary_desc d = {.kind = c->sides[side], .side = (ria_side)side};
    if (d.kind) RIA_TRY(ria_boundary_add(sim, &d, NULL));
  }
  return RIA_OK;
}

static ria_real case_real(const ria_bench_desc *d, const ria_bench_case *c) {
  return d->precision == 32 ? RIA_F32 : d->precision == 64 ? RIA_F64 : c->real;
}

ria_status ria_bench_make(ria_context *ctx, const ria_solver *solver, const ria_bench_desc *d,
                          const ria_bench_case *c, const char *out, ria_sim **sim) {
  char names[RIA_MAX_TRACERS][RIA_NAME_MAX];
  ria_tracer tracers[RIA_MAX_TRACERS] = {0};
  const int n = d->n ? d->n : c->n, ny = d->ny ? d->ny : n;
  const int count = d->set_tracers ? d->tracers : c->n_tracers;
  for (int k = 0; k < count && k < RIA_MAX_TRACERS; k++) {
    snprintf(names[k], sizeof names[k], "tracer%d", k + 1);
    tracers[k].name = names[k];
  }
  size_t n_params = 0;
  while (c->params && c->params[n_params].name) n_params++;
  const ria_sim_desc desc = {.grid = {n, ny, c->dx, c->dx, 0.0, 0.0, 0},
                             .params = c->params,
                             .n_params = n_params,
                             .precision = case_real(d, c),
                             .tracers = tracers,
                             .n_tracers = (size_t)count,
                             .title = c->name,
                             .out = out,
                             .overwrite = true};
  RIA_TRY(ria_sim_create_with(ctx, solver, &desc, sim));
  ria_status s = fill_case(*sim, c);
  if (s != RIA_OK) ria_sim_destroy(sim);
  return s;
}

typedef struct wet_count {
  int nx;
  double dry;
  size_t wet;
} wet_count;

static void count_wet(void *user, int j0, int nj, const void *rows) {
  wet_count *c = user;
  const double *depth = rows;
  (void)j0;
  for (size_t k = 0; k < (size_t)nj * (size_t)c->nx; k++) c->wet += depth[k] > c->dry;
}

ria_status ria_bench_wet(ria_sim *sim, double *out) {
  wet_count c = {.nx = sim->grid.nx, .dry = sim->dry};
  *out = 1.0;
  if (!sim->roles.depth) return RIA_OK;
  RIA_TRY(ria_field_visit(sim, sim->roles.depth, false, RIA_F64, 1, count_wet, &c));
  *out = (double)c.wet / (double)ria_grid_cells(&sim->grid);
  return RIA_OK;
}
