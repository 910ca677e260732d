/* A gradient has the bits of the single derivatives; curl grad and div curl are rounding; the same
 * bits again on other numbers of threads. Odd sizes, every order, every kind of ends, both
 * precisions. */
#include "cases.h"

static const ria_grid3 grids[] = {
    {{24, 16, 20}, {0.1, 0.2, 0.05}, {0}, {true, true, true}},
    {{13, 9, 11}, {0.1, 0.2, 0.05}, {0}, {false, false, false}},
    {{37, 18, 9}, {0.1, 0.1, 0.3}, {0}, {true, false, true}},
    {{66, 33, 17}, {0.02, 0.1, 0.3}, {0}, {false, true, false}},
    {{131, 11, 10}, {0.02, 0.1, 0.3}, {0}, {true, true, false}},
};
enum { GRIDS = sizeof grids / sizeof *grids };

static bool same_bits(ria_context *ctx, const ria_field3 *a, const ria_field3 *b) {
  double *va = values_of(ctx, a), *vb = values_of(ctx, b);
  const bool same = memcmp(va, vb, points_of(ria_field3_grid(a)) * sizeof *va) == 0;
  free(va);
  free(vb);
  return same;
}

static void gradients(ria_context *ctx, const ria_grid3 *g, ria_real real, int order) {
  ria_field3 *f = make_field(ctx, g, real), *one = make_field(ctx, g, real), *all[3];
  make_vector(ctx, g, real, all);
  fill_random(ctx, f, 7);
  CHECK_OK(ctx, ria_field3_gradient(f, order, all));
  for (int a = 0; a < 3; a++) {
    CHECK_OK(ctx, ria_field3_derivative(f, (ria_axis)a, order, one));
    if (!CHECK(same_bits(ctx, one, all[a])))
      fprintf(stderr, "  %s of %d x %d x %d, order %d, %s\n", axis_names[a], g->n[0], g->n[1],
              g->n[2], order, real == RIA_F32 ? "single" : "double");
  }
  ria_field3_destroy(&f);
  ria_field3_destroy(&one);
  drop_vector(all);
}

/* Derivatives along different axes commute but for rounding: of random values, which are not
 * smooth, the products below are as large as the square of the largest weight. */
static void commuting(ria_context *ctx, const ria_grid3 *g, ria_real real, int order) {
  const double eps = real == RIA_F32 ? 6e-8 : 1.1e-16;
  ria_field3 *f = make_field(ctx, g, real), *grad[3], *curl[3];
  ria_stats3 size, s;
  make_vector(ctx, g, real, grad);
  make_vector(ctx, g, real, curl);
  fill_random(ctx, f, 11);
  CHECK_OK(ctx, ria_field3_gradient(f, order, grad));
  const ria_field3 *const v[3] = {grad[0], grad[1], grad[2]};
  CHECK_OK(ctx, ria_field3_curl(v, order, curl));
  double least = g->d[0] < g->d[1] ? g->d[0] : g->d[1];
  least = least < g->d[2] ? least : g->d[2];
  CHECK_OK(ctx, ria_field3_stats(grad[0], &size));
  const double scale = 100 * fmax(size.max, -size.min) / least;
  for (int a = 0; a < 3; a++) {
    CHECK_OK(ctx, ria_field3_stats(curl[a], &s));
    CHECK(fmax(s.max, -s.min) < 40 * eps * scale);
  }
  /* v is no longer a gradient: its curl is not small, the divergence of that is */
  fill_random(ctx, grad[0], 13);
  CHECK_OK(ctx, ria_field3_curl(v, order, curl));
  CHECK_OK(ctx, ria_field3_stats(curl[1], &size));
  CHECK(size.rms > 1);
  const ria_field3 *const w[3] = {curl[0], curl[1], curl[2]};
  CHECK_OK(ctx, ria_field3_divergence(w, order, f));
  CHECK_OK(ctx, ria_field3_stats(f, &s));
  CHECK(fmax(s.max, -s.min) < 4000 * eps * size.rms * 100 / least);
  ria_field3_destroy(&f);
  drop_vector(grad);
  drop_vector(curl);
}

/* What several threads make of a field, as one number of all of it. */
static void repeated(int threads, double out[4]) {
  ria_context *ctx = test_context(test_device(), threads);
  const ria_grid3 *g = &grids[3];
  ria_field3 *f = make_field(ctx, g, RIA_F32), *d = make_field(ctx, g, RIA_F32);
  ria_stats3 s;
  fill_random(ctx, f, 3);
  CHECK_OK(ctx, ria_field3_laplacian(f, 8, d));
  CHECK_OK(ctx, ria_field3_multiply(d, f, d));
  CHECK_OK(ctx, ria_field3_stats(d, &s));
  out[0] = s.sum, out[1] = s.rms, out[2] = s.min, out[3] = s.max;
  ria_field3_destroy(&f);
  ria_field3_destroy(&d);
  ria_context_destroy(&ctx);
}

int main(void) {
  ria_context *ctx = test_context(test_device(), 0);
  for (int k = 0; k < GRIDS; k++)
    for (int order = 2; order <= 8; order += 2)
      for (int real = RIA_F64; real <= RIA_F32; real++) {
        gradients(ctx, &grids[k], (ria_real)real, order);
        commuting(ctx, &grids[k], (ria_real)real, order);
      }
  ria_context_destroy(&ctx);
  double one[4], three[4];
  repeated(1, one);
  repeated(3, three);
  CHECK(memcmp(one, three, sizeof one) == 0);
  return TEST_END();
}
