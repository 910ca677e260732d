/* plate.h - what the tests of diffusion share: short ways to set up a plate and to look at it, on
 * the device that RIA_TEST_DEVICE names (device.h). */
#ifndef PLATE_H
#define PLATE_H
#include "device.h"
#include "test.h"
#include <ria/ria.h>
#include <stdlib.h>

#define SHORT(full, quick) (test_is_short() ? (quick) : (full))
#define LENGTH(full, usual, quick) (test_is_long() ? (full) : SHORT(usual, quick))

static const char *const real_name[] = {"double", "single"};
static const double pi = 3.14159265358979323846;

typedef double (*shape)(double x, double y);

typedef struct plate {
  ria_context *ctx;
  ria_sim *sim;
  ria_grid grid;
  double *buffer; /* [ny][nx] */
} plate;

typedef struct plate_desc {
  int nx, ny;
  double dx, dy; /* 0 = dx */
  ria_real real;
  int threads;                    /* 0 = 2 */
  double diffusivity, dt, safety; /* 0 = 1, chosen, 0.9 */
  int steps_per_pass;
  const char *device; /* NULL = the test's */
  bool whole;         /* not in parts, whatever RIA_TEST_PARTS says */
} plate_desc;

TEST_UNUSED static plate plate_make(const plate_desc *d) {
  plate p = {0};
  const ria_setting params[] = {{"diffusivity", d->diffusivity > 0 ? d->diffusivity : 1, NULL},
                                {"dt", d->dt, NULL},
                                {"safety", d->safety > 0 ? d->safety : 0.9, NULL},
                                {"steps_per_pass", d->steps_per_pass, NULL}};
  p.grid = (ria_grid){d->nx, d->ny, d->dx, d->dy > 0 ? d->dy : d->dx, 0, 0, 0};
  p.buffer = malloc((size_t)d->nx * (size_t)d->ny * sizeof(double));
  const ria_sim_desc desc = {
      .solver = "diffusion", .grid = p.grid, .precision = d->real, .params = params, .n_params = 4};
  test_cut(d->whole ? 1 : d->ny);
  p.ctx = test_context(d->device ? d->device : test_device(), d->threads ? d->threads : 2);
  if (!p.buffer) abort();
  if (!CHECK_OK(p.ctx, ria_sim_create(p.ctx, &desc, &p.sim))) abort();
  return p;
}

TEST_UNUSED static void plate_free(plate *p) {
  ria_sim_destroy(&p->sim);
  ria_context_destroy(&p->ctx);
  free(p->buffer);
  p->buffer = NULL;
}

TEST_UNUSED static size_t plate_cells(const plate *p) {
  return (size_t)p->grid.nx * (size_t)p->grid.ny;
}

TEST_UNUSED static void plate_set(plate *p, const char *field, shape fn) {
  const ria_grid *g = &p->grid;
  for (int j = 0; j < g->ny; j++)
    for (int i = 0; i < g->nx; i++)
      p->buffer[(size_t)j * (size_t)g->nx + (size_t)i] = fn((i + 0.5) * g->dx, (j + 0.5) * g->dy);
  CHECK_OK(p->ctx, ria_sim_set(p->sim, field, p->buffer));
}

/* A number that looks like none (splitmix64's last part). */
TEST_UNUSED static uint64_t plate_mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Numbers in [lo, hi] that look like none. */
TEST_UNUSED static void plate_scatter(plate *p, const char *field, double lo, double hi,
                                      uint64_t seed) {
  for (size_t k = 0; k < plate_cells(p); k++) {
    seed += 0x9e3779b97f4a7c15u;
    p->buffer[k] = lo + (hi - lo) * (double)(plate_mix(seed) >> 11) * 0x1p-53;
  }
  CHECK_OK(p->ctx, ria_sim_set(p->sim, field, p->buffer));
}

/* u as it is, in p->buffer. */
TEST_UNUSED static const double *plate_get(plate *p) {
  CHECK_OK(p->ctx, ria_sim_get(p->sim, "u", p->buffer));
  return p->buffer;
}

/* A side by kind, with its value if the kind wants one. */
TEST_UNUSED static void plate_side(plate *p, ria_side side, const char *kind, double value) {
  ria_boundary_desc b = {.kind = kind, .side = side};
  if (!strcmp(kind, "value")) b.values[0] = (ria_boundary_value){"u", {.constant = value}};
  if (!strcmp(kind, "flux")) b.values[0] = (ria_boundary_value){"q", {.constant = value}};
  CHECK_OK(p->ctx, ria_boundary_add(p->sim, &b, NULL));
}

TEST_UNUSED static ria_budget_row plate_budget(plate *p) {
  ria_budget_row rows[1 + RIA_MAX_TRACERS] = {0};
  size_t n = 1 + RIA_MAX_TRACERS;
  CHECK_OK(p->ctx, ria_sim_budget(p->sim, rows, &n));
  return rows[0];
}

#endif
