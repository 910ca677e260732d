/* Values in and out, planes, arithmetic, sums; and what is refused, in which words. */
#include "cases.h"

static const ria_grid3 grid = {{7, 5, 3}, {1, 2, 4}, {10, 20, 30}, {true, false, false}};

static double place(void *user, double x, double y, double z) {
  (void)user;
  return x + 100 * y + 10000 * z;
}

static void in_and_out(ria_context *ctx, ria_real real) {
  ria_field3 *f = make_field(ctx, &grid, real);
  ria_raster *r = NULL;
  double v[105], back[105], one;
  uint64_t seed = 1;
  for (int i = 0; i < 105; i++) v[i] = (float)next_random(&seed);
  CHECK(ria_field3_grid(f)->n[1] == 5 && ria_field3_real(f) == real);
  CHECK_OK(ctx, ria_field3_get(f, back));
  for (int i = 0; i < 105; i++) CHECK(back[i] == 0);
  CHECK_OK(ctx, ria_field3_set(f, v));
  CHECK_OK(ctx, ria_field3_get(f, back));
  CHECK(memcmp(v, back, sizeof v) == 0);
  CHECK_OK(ctx, ria_field3_at(f, 6, 3, 1, &one));
  CHECK(one == v[6 + 7 * (3 + 5 * 1)]);
  CHECK_OK(ctx, ria_field3_set_function(f, place, NULL));
  CHECK_OK(ctx, ria_field3_at(f, 1, 2, 0, &one));
  CHECK(one == 11.5 + 2500 + 320000);
  CHECK_OK(ctx, ria_field3_slice(f, RIA_Z, 2, &r));
  CHECK(r->grid.nx == 7 && r->grid.ny == 5 && r->grid.dy == 2 && r->grid.x0 == 10);
  CHECK(r->data[4 * 7 + 6] == 16.5 + 2900 + 400000);
  ria_raster_destroy(&r);
  CHECK_OK(ctx, ria_field3_slice(f, RIA_X, 6, &r));
  CHECK(r->grid.nx == 5 && r->grid.ny == 3 && r->grid.dx == 2 && r->grid.dy == 4);
  CHECK(r->grid.x0 == 20 && r->grid.y0 == 30 && r->data[2 * 5 + 4] == 16.5 + 2900 + 400000);
  ria_raster_destroy(&r);
  CHECK_OK(ctx, ria_field3_slice(f, RIA_Y, 0, &r));
  CHECK(r->grid.nx == 7 && r->grid.ny == 3 && r->data[1 * 7] == 10.5 + 2100 + 360000);
  ria_raster_destroy(&r);
  ria_field3_destroy(&f);
  CHECK(!f);
}

static void arithmetic(ria_context *ctx, ria_real real) {
  ria_field3 *f = make_field(ctx, &grid, real), *g = make_field(ctx, &grid, real);
  ria_stats3 s;
  double v[105];
  for (int i = 0; i < 105; i++) v[i] = i - 50;
  CHECK_OK(ctx, ria_field3_set(f, v));
  CHECK_OK(ctx, ria_field3_stats(f, &s));
  CHECK(s.n == 105 && s.min == -50 && s.max == 54 && s.sum == 210 && s.mean == 2);
  CHECK_NEAR(s.rms, sqrt(922.6666666666666), 1e-12);
  CHECK_OK(ctx, ria_field3_fill(g, 3));
  CHECK_OK(ctx, ria_field3_combine(2, f, -1, g, g));
  CHECK_OK(ctx, ria_field3_stats(g, &s));
  CHECK(s.min == -103 && s.max == 105 && s.sum == 2 * 210 - 3 * 105);
  CHECK_OK(ctx, ria_field3_multiply(f, f, f));
  CHECK_OK(ctx, ria_field3_stats(f, &s));
  CHECK(s.min == 0 && s.max == 54 * 54);
  v[77] = INFINITY;
  CHECK_OK(ctx, ria_field3_set(g, v));
  CHECK_OK(ctx, ria_field3_combine(1, f, 0, g, f)); /* what does not count may be anything */
  CHECK_OK(ctx, ria_field3_stats(f, &s));
  CHECK(s.max == 54 * 54);
  v[77] = NAN;
  CHECK_OK(ctx, ria_field3_set(g, v));
  CHECK_OK(ctx, ria_field3_stats(g, &s));
  CHECK(isnan(s.min) && isnan(s.max) && isnan(s.sum) && isnan(s.rms));
  ria_field3_destroy(&f);
  ria_field3_destroy(&g);
}

static void refused(ria_context *ctx) {
  const ria_grid3 other = {{7, 5, 4}, {1, 2, 4}, {0}, {false}};
  ria_grid3 g = grid;
  ria_field3 *f = make_field(ctx, &grid, RIA_F64), *d = make_field(ctx, &grid, RIA_F64), *bad;
  ria_raster *r = NULL;
  double v;
  bad = make_field(ctx, &other, RIA_F64);
  CHECK_FAILS(ctx, ria_field3_derivative(f, RIA_X, 8, bad), RIA_ERR_ARGUMENT,
              "the fields differ: 7 x 5 x 3 points and 7 x 5 x 4");
  ria_field3_destroy(&bad);
  bad = make_field(ctx, &grid, RIA_F32);
  CHECK_FAILS(ctx, ria_field3_combine(1, f, 1, bad, d), RIA_ERR_ARGUMENT,
              "the fields differ: one is in single precision, one in double");
  ria_field3_destroy(&bad);
  g.periodic[1] = true;
  bad = make_field(ctx, &g, RIA_F64);
  CHECK_FAILS(ctx, ria_field3_multiply(f, bad, d), RIA_ERR_ARGUMENT,
              "the fields differ: one is periodic along y, one is closed");
  ria_field3_destroy(&bad);
  CHECK_FAILS(ctx, ria_field3_derivative(f, RIA_X, 8, f), RIA_ERR_ARGUMENT,
              "a derivative cannot be written to the field that it is taken of");
  CHECK_FAILS(ctx, ria_field3_derivative(f, RIA_AXES, 2, d), RIA_ERR_ARGUMENT,
              "axis 3 of a field: it may be RIA_X, RIA_Y or RIA_Z");
  CHECK_FAILS(ctx, ria_field3_derivative(f, RIA_X, 3, d), RIA_ERR_ARGUMENT,
              "order 3 of a derivative: it may be 2, 4, 6 or 8");
  CHECK_FAILS(ctx, ria_field3_derivative(f, RIA_X, 0, d), RIA_ERR_ARGUMENT,
              "a derivative of order 8 needs 9 points along x, where it is periodic: there are 7");
  CHECK_FAILS(ctx, ria_field3_derivative(f, RIA_Y, 6, d), RIA_ERR_ARGUMENT,
              "a derivative of order 6 needs 7 points along y, where it is closed: there are 5");
  CHECK_OK(ctx, ria_field3_derivative(f, RIA_Y, 4, d));
  CHECK_FAILS(ctx, ria_field3_laplacian(f, 2, d), RIA_ERR_ARGUMENT,
              "a derivative of order 2 needs 4 points along z, where it is closed: there are 3");
  ria_field3 *const twice[3] = {d, d, d};
  CHECK_FAILS(ctx, ria_field3_gradient(f, 2, twice), RIA_ERR_ARGUMENT,
              "a gradient needs three fields to be written to");
  CHECK_FAILS(ctx, ria_field3_slice(f, RIA_Z, 3, &r), RIA_ERR_ARGUMENT,
              "plane 3 across z: there are 0 .. 2");
  CHECK_FAILS(ctx, ria_field3_at(f, 0, -1, 0, &v), RIA_ERR_ARGUMENT,
              "point -1 along y: there are 0 .. 4");
  CHECK_STATUS(ctx, ria_field3_set(f, NULL), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_field3_multiply(f, NULL, d), RIA_ERR_ARGUMENT);
  g.n[2] = 0;
  CHECK_FAILS(ctx, ria_field3_create(ctx, &g, RIA_F64, &bad), RIA_ERR_ARGUMENT,
              "a field of 0 points along z: 1 or more are needed");
  g.n[2] = 100000000;
  CHECK_FAILS(ctx, ria_field3_create(ctx, &g, RIA_F64, &bad), RIA_ERR_ARGUMENT,
              "a field of 7 x 5 x 100000000 points: less than 2^31 are possible");
  g.n[2] = 3, g.d[0] = 0;
  CHECK_FAILS(ctx, ria_field3_create(ctx, &g, RIA_F64, &bad), RIA_ERR_ARGUMENT,
              "points of a field 0 m apart along x: the distance must be above 0");
  CHECK(!bad);
  ria_field3_destroy(&f);
  ria_field3_destroy(&f);
  ria_field3_destroy(&d);
}

int main(void) {
  ria_context *ctx = test_context(test_device(), 0);
  for (int real = RIA_F64; real <= RIA_F32; real++) {
    in_and_out(ctx, (ria_real)real);
    arithmetic(ctx, (ria_real)real);
  }
  refused(ctx);
  ria_context_destroy(&ctx);
  return TEST_END();
}
