/* tests/solver/derivative/cases.h - fields and errors that the tests of 3-D fields share. */
#ifndef RIA_TEST_DERIVATIVE_CASES_H
#define RIA_TEST_DERIVATIVE_CASES_H
#include "device.h"
#include <ria/field3.h>

static const double pi = 3.14159265358979323846;
static const char *const axis_names[] = {"x", "y", "z"};

TEST_UNUSED static ria_field3 *make_field(ria_context *ctx, const ria_grid3 *g, ria_real real) {
  ria_field3 *f = NULL;
  if (!CHECK_OK(ctx, ria_field3_create(ctx, g, real, &f))) exit(1);
  return f;
}

TEST_UNUSED static void make_vector(ria_context *ctx, const ria_grid3 *g, ria_real real,
                                    ria_field3 *v[3]) {
  for (int a = 0; a < 3; a++) v[a] = make_field(ctx, g, real);
}

TEST_UNUSED static void drop_vector(ria_field3 *v[3]) {
  for (int a = 0; a < 3; a++) ria_field3_destroy(&v[a]);
}

static size_t points_of(const ria_grid3 *g) {
  return (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
}

/* The values of a field; free them. */
TEST_UNUSED static double *values_of(ria_context *ctx, const ria_field3 *f) {
  double *v = malloc(points_of(ria_field3_grid(f)) * sizeof *v);
  if (!v) abort();
  CHECK_OK(ctx, ria_field3_get(f, v));
  return v;
}

/* Numbers in -1 .. 1 from a seed. */
TEST_UNUSED static double next_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(int64_t)(*state >> 11) / (double)(UINT64_C(1) << 52) - 1.0;
}

TEST_UNUSED static void fill_random(ria_context *ctx, ria_field3 *f, uint64_t seed) {
  const size_t n = points_of(ria_field3_grid(f));
  double *v = malloc(n * sizeof *v);
  if (!v) abort();
  for (size_t i = 0; i < n; i++) v[i] = next_random(&seed);
  CHECK_OK(ctx, ria_field3_set(f, v));
  free(v);
}

/* The root mean square and the largest value of f - exact. */
TEST_UNUSED static void errors_of(ria_context *ctx, const ria_field3 *f, ria_function3 exact,
                                  void *user, double *rms, double *max) {
  const ria_grid3 *g = ria_field3_grid(f);
  double *v = values_of(ctx, f), sum = 0;
  *max = 0;
  for (size_t i = 0; i < points_of(g); i++) {
    const size_t x = i % (size_t)g->n[0], y = i / (size_t)g->n[0] % (size_t)g->n[1],
                 z = i / (size_t)g->n[0] / (size_t)g->n[1];
    const double e = v[i] - exact(user, g->origin[0] + ((double)x + 0.5) * g->d[0],
                                  g->origin[1] + ((double)y + 0.5) * g->d[1],
                                  g->origin[2] + ((double)z + 0.5) * g->d[2]);
    sum += e * e;
    *max = fmax(*max, fabs(e));
    if (isnan(e)) *max = INFINITY;
  }
  *rms = sqrt(sum / (double)points_of(g));
  free(v);
}

#endif
