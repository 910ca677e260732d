/* What ria_tridiag_solve takes and refuses: in place, strides, lines without a solution, the same
 * bits for any number of threads and of GPUs (RIA_TEST_SEVERAL), and rasters. */
#include "device.h"

#include <ria/ria.h>

enum { NX = 70, NY = 41 };

static double lower[NY * NX], diag[NY * NX], upper[NY * NX], rhs[NY * NX], x[NY * NX];

static void fill(void) {
  for (int k = 0; k < NY * NX; k++) {
    lower[k] = sin(k), upper[k] = cos(3 * k), diag[k] = 2 + fabs(lower[k]) + fabs(upper[k]);
    rhs[k] = sin(7 * k);
  }
}

static ria_tridiag_desc desc(ria_along along) {
  const ria_tridiag_desc d = {.nx = NX,
                              .ny = NY,
                              .along = along,
                              .real = RIA_F64,
                              .lower = lower,
                              .diag = diag,
                              .upper = upper,
                              .rhs = rhs,
                              .x = x};
  return d;
}

static void in_place(ria_context *ctx, ria_along along) {
  static double kept[NY * NX];
  ria_tridiag_desc d = desc(along);
  fill();
  CHECK_OK(ctx, ria_tridiag_solve(ctx, &d));
  memcpy(kept, x, sizeof x);
  d.x = rhs;
  CHECK_OK(ctx, ria_tridiag_solve(ctx, &d));
  CHECK(memcmp(kept, rhs, sizeof rhs) == 0);
  fill();
  d.x = lower;
  CHECK_OK(ctx, ria_tridiag_solve(ctx, &d));
  CHECK(memcmp(kept, lower, sizeof lower) == 0);
}

/* Ends of lines may hold anything where there is no neighbour. */
static void ends(ria_context *ctx) {
  static double kept[NY * NX];
  const ria_tridiag_desc d = desc(RIA_ALONG_X);
  fill();
  CHECK_OK(ctx, ria_tridiag_solve(ctx, &d));
  memcpy(kept, x, sizeof x);
  for (int j = 0; j < NY; j++) lower[j * NX] = NAN, upper[j * NX + NX - 1] = INFINITY;
  CHECK_OK(ctx, ria_tridiag_solve(ctx, &d));
  CHECK(memcmp(kept, x, sizeof x) == 0);
}

static void one_line_fails(ria_context *ctx) {
  static double kept[NY * NX];
  const ria_tridiag_desc d = desc(RIA_ALONG_X), e = desc(RIA_ALONG_Y);
  fill();
  CHECK_OK(ctx, ria_tridiag_solve(ctx, &d));
  memcpy(kept, x, sizeof x);
  const int k = 5 * NX + 33;
  lower[k] = diag[k] = upper[k] = 0;
  CHECK_FAILS(
      ctx, ria_tridiag_solve(ctx, &d), RIA_ERR_NUMERICAL,
      "tridiag: row 5 has no finite solution by elimination without pivoting: a pivot vanished, or "
      "a coefficient is not finite; see that |diag| >= |lower| + |upper|");
  CHECK(memcmp(kept, x, 5 * NX * sizeof *x) == 0);
  CHECK(memcmp(kept + 6 * NX, x + 6 * NX, (NY - 6) * NX * sizeof *x) == 0);
  CHECK_STATUS(ctx, ria_tridiag_solve(ctx, &e), RIA_ERR_NUMERICAL);
  CHECK_HOLDS(ria_error(ctx), "column 33 ");
}

static void refused(ria_context *ctx) {
  ria_tridiag_desc d = desc(RIA_ALONG_X);
  CHECK_FAILS(ctx, ria_tridiag_solve(ctx, NULL), RIA_ERR_ARGUMENT, "tridiag: no description");
  d.nx = 0;
  CHECK_FAILS(ctx, ria_tridiag_solve(ctx, &d), RIA_ERR_ARGUMENT,
              "tridiag: 0 x 41 values: at least 1 x 1 are needed");
  d = desc(RIA_ALONG_X);
  d.stride = NX - 1;
  CHECK_FAILS(ctx, ria_tridiag_solve(ctx, &d), RIA_ERR_ARGUMENT,
              "tridiag: stride 69 is less than nx, 70");
  d = desc((ria_along)7);
  CHECK_FAILS(ctx, ria_tridiag_solve(ctx, &d), RIA_ERR_ARGUMENT,
              "tridiag: along is neither RIA_ALONG_X nor RIA_ALONG_Y");
  d = desc(RIA_ALONG_X);
  d.real = (ria_real)9;
  CHECK_FAILS(ctx, ria_tridiag_solve(ctx, &d), RIA_ERR_ARGUMENT,
              "tridiag: real is neither RIA_F32 nor RIA_F64");
  d = desc(RIA_ALONG_X);
  d.upper = NULL;
  CHECK_FAILS(ctx, ria_tridiag_solve(ctx, &d), RIA_ERR_ARGUMENT,
              "tridiag: lower, diag, upper, rhs and x are all needed, one is NULL");
}

static ria_raster *raster(ria_context *ctx, int nx, double value) {
  ria_raster *r = NULL;
  const ria_grid grid = {.nx = nx, .ny = 3, .dx = 1, .dy = 1};
  CHECK_OK(ctx, ria_raster_create(ctx, &grid, &r));
  for (int k = 0; r && k < nx * 3; k++) r->data[k] = value;
  return r;
}

static void rasters(ria_context *ctx) {
  ria_raster *a = raster(ctx, 4, -1), *b = raster(ctx, 4, 2), *d = raster(ctx, 4, 5),
             *odd = raster(ctx, 5, 1);
  ria_raster *out = NULL;
  CHECK_OK(ctx, ria_tridiag_rasters(ctx, RIA_ALONG_X, a, b, a, d, &out));
  static const double exact[] = {10, 15, 15, 10}; /* -x'' = 5 */
  for (int k = 0; out && k < 12; k++) CHECK_NEAR(out->data[k], exact[k % 4], 1e-13);
  ria_raster_destroy(&out);
  CHECK_FAILS(ctx, ria_tridiag_rasters(ctx, RIA_ALONG_X, a, odd, a, d, &out), RIA_ERR_ARGUMENT,
              "tridiag: diag has 5 x 3 values, rhs has 4 x 3");
  CHECK(out == NULL);
  ria_raster_destroy(&a), ria_raster_destroy(&b), ria_raster_destroy(&d), ria_raster_destroy(&odd);
}

static void same_bits(ria_along along) {
  static double kept[NY * NX];
  const ria_tridiag_desc d = desc(along);
  fill();
  for (int threads = 1; threads <= 3; threads++) {
    ria_context *ctx = test_context(test_device(), threads);
    memset(x, 0, sizeof x);
    CHECK_OK(ctx, ria_tridiag_solve(ctx, &d));
    if (threads == 1) memcpy(kept, x, sizeof x);
    CHECK(memcmp(kept, x, sizeof x) == 0);
    ria_context_destroy(&ctx);
  }
}

/* On several GPUs, or one twice: RIA_TEST_SEVERAL. Few lines, too: fewer than there are GPUs. */
static void same_on_several(ria_along along) {
  static double kept[NY * NX];
  const char *several = test_setting("RIA_TEST_SEVERAL", test_device());
  ria_context *one = test_context(test_device(), 2), *all = test_context(several, 2);
  fill();
  for (int lines = 1; lines <= NY; lines += lines < 4 ? 1 : 12) {
    ria_tridiag_desc d = desc(along);
    d.stride = NX;
    *(along == RIA_ALONG_X ? &d.ny : &d.nx) = lines;
    memset(x, 0, sizeof x);
    CHECK_OK(one, ria_tridiag_solve(one, &d));
    memcpy(kept, x, sizeof x);
    memset(x, 0, sizeof x);
    CHECK_OK(all, ria_tridiag_solve(all, &d));
    CHECK(memcmp(kept, x, sizeof x) == 0);
  }
  one_line_fails(all);
  ria_context_destroy(&one), ria_context_destroy(&all);
}

int main(void) {
  setenv("RIA_CUDA_TWICE", "on", 0);
  ria_context *ctx = test_context(test_device(), 2);
  in_place(ctx, RIA_ALONG_X);
  in_place(ctx, RIA_ALONG_Y);
  ends(ctx);
  one_line_fails(ctx);
  refused(ctx);
  rasters(ctx);
  same_bits(RIA_ALONG_X);
  same_bits(RIA_ALONG_Y);
  same_on_several(RIA_ALONG_X);
  same_on_several(RIA_ALONG_Y);
  ria_context_destroy(&ctx);
  return TEST_END();
}
