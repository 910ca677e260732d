/* cases.h - what the tests of sediment share: short ways to make a basin and to measure it. On the
 * device that RIA_TEST_DEVICE names (device.h). */
#ifndef SEDIMENT_CASES_H
#define SEDIMENT_CASES_H
#include "device.h"
#include "test.h"
#include <ria/ria.h>
#include <stdlib.h>

#define SHORT(full, quick) (test_is_short() ? (quick) : (full))
#define YEAR (365.25 * 86400.0)

static const char *const real_name[] = {"double", "single"};

typedef double (*shape)(double x, double y);

typedef struct basin {
  ria_context *ctx;
  ria_sim *sim;
  ria_grid grid;
  double *buffer; /* [ny][nx] */
} basin;

/* params: up to one without a name; may be NULL. */
TEST_UNUSED static basin basin_make(int nx, int ny, double dx, double dy, ria_real real,
                                    int threads, const ria_setting *params) {
  basin b = {.grid = {nx, ny, dx, dy, 0, 0, 0}};
  size_t n = 0;
  while (params && params[n].name) n++;
  const ria_sim_desc desc = {
      .solver = "sediment", .grid = b.grid, .precision = real, .params = params, .n_params = n};
  b.buffer = malloc((size_t)nx * (size_t)ny * sizeof(double));
  test_cut(ny);
  b.ctx = test_context(test_device(), threads);
  if (!b.buffer || !CHECK_OK(b.ctx, ria_sim_create(b.ctx, &desc, &b.sim))) abort();
  return b;
}

TEST_UNUSED static void basin_free(basin *b) {
  ria_sim_destroy(&b->sim);
  ria_context_destroy(&b->ctx);
  free(b->buffer);
}

/* Set a field from a function at the centres of cells. */
TEST_UNUSED static void basin_set(basin *b, const char *field, shape f) {
  const ria_grid *g = &b->grid;
  for (int j = 0; j < g->ny; j++)
    for (int i = 0; i < g->nx; i++)
      b->buffer[(size_t)j * (size_t)g->nx + (size_t)i] = f((i + 0.5) * g->dx, (j + 0.5) * g->dy);
  CHECK_OK(b->ctx, ria_sim_set(b->sim, field, b->buffer));
}

/* Into the buffer. */
TEST_UNUSED static const double *basin_get(basin *b, const char *field) {
  CHECK_OK(b->ctx, ria_sim_get(b->sim, field, b->buffer));
  return b->buffer;
}

TEST_UNUSED static size_t basin_cells(const basin *b) {
  return (size_t)b->grid.nx * (size_t)b->grid.ny;
}

/* Greatest relative residual of the two accounts. */
TEST_UNUSED static double basin_residual(basin *b) {
  ria_budget_row rows[2];
  size_t n = 2;
  CHECK_OK(b->ctx, ria_sim_budget(b->sim, rows, &n));
  CHECK_INT(n, 2);
  return fmax(fabs(rows[0].relative), fabs(rows[1].relative));
}

TEST_UNUSED static void basin_side(basin *b, ria_side side, const char *kind, ria_value sand,
                                   ria_value mud) {
  ria_boundary_desc d = {.kind = kind, .side = side};
  if (strcmp(kind, "flux") == 0) {
    d.values[0] = (ria_boundary_value){"sand", sand};
    d.values[1] = (ria_boundary_value){"mud", mud};
  }
  CHECK_OK(b->ctx, ria_boundary_add(b->sim, &d, NULL));
}

/* Random numbers in [0, 1), the same everywhere. */
TEST_UNUSED static double dice(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-53;
}

TEST_UNUSED static void basin_random(basin *b, const char *field, double least, double most,
                                     uint64_t seed) {
  for (size_t k = 0; k < basin_cells(b); k++) b->buffer[k] = least + (most - least) * dice(&seed);
  CHECK_OK(b->ctx, ria_sim_set(b->sim, field, b->buffer));
}

#endif
