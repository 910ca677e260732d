/* Shapes laid onto a raster, and the weights of cells under lines and points. */
#include "drawing.h"
#include <stdlib.h>

static void lay_one(const drawing *d, const ria_grid *g, const ria_lay *lay, double *data) {
  ria_shapes *s = made(d);
  CHECK_OK(ctx, ria_shapes_lay(ctx, s, g, lay, data, NULL));
  ria_shapes_destroy(&s);
}

static void laying(void) {
  const ria_grid g = {4, 1, 1, 1, 0, 0, 0};
  const double two[2] = {2, 2};
  drawing d = {.n = 0};
  begin(&d, RIA_POLYGONS);
  box(&d, 0, 0.25, 0, 2.75, 1); /* 3/4 of cell 0, cell 1, 3/4 of cell 2: centres of all three */
  double by_share[4] = {1, NAN, 4, 1}, whole[4] = {1, NAN, 4, 1}, added[4] = {1, NAN, 4, 1};
  lay_one(&d, &g, &(ria_lay){.how = RIA_LAY_SET, .cells = RIA_CELLS_SHARE, .value = two}, by_share);
  const double shares[4] = {1.75, 2, 2.5, 1};
  lay_one(&d, &g, &(ria_lay){.how = RIA_LAY_RAISE, .value = two}, whole);
  const double raised[4] = {2, NAN, 4, 1};
  lay_one(&d, &g, &(ria_lay){.how = RIA_LAY_ADD, .cells = RIA_CELLS_SHARE, .value = two}, added);
  const double sums[4] = {2.5, NAN, 5.5, 1};
  for (int k = 0; k < 4; k++) {
    CHECK_NEAR(by_share[k], shares[k], 1e-15);
    CHECK_NEAR(whole[k], raised[k], 0);
    CHECK_NEAR(added[k], sums[k], 1e-15);
  }
  lay_one(&d, &g, &(ria_lay){.how = RIA_LAY_LOWER, .value = two}, whole);
  CHECK_NEAR(whole[2], 2, 0);
  double centre[4] = {0}, touched[4] = {0};
  drawing narrow = {.n = 0};
  begin(&narrow, RIA_POLYGONS);
  box(&narrow, 0, 0.75, 0.2, 1.75, 0.8);
  lay_one(&narrow, &g, &(ria_lay){.value = two}, centre);
  lay_one(&narrow, &g, &(ria_lay){.value = two, .cells = RIA_CELLS_TOUCHED}, touched);
  CHECK(centre[0] == 0 && centre[1] == 2 && touched[0] == 2 && touched[1] == 2 && touched[2] == 0);
}

/* A line meets cells more than once: what is added is added once. Its crest goes with z. */
static void laying_lines(void) {
  const ria_grid g = {5, 1, 1, 1, 0, 0, 0};
  const double one[2] = {1, 0};
  drawing d = {.n = 0};
  begin(&d, RIA_LINES);
  part(&d, 0);
  at(&d, 0.5, 0.5);
  at(&d, 4.5, 0.5);
  at(&d, 0.5, 0.5);
  double data[5] = {0};
  lay_one(&d, &g, &(ria_lay){.how = RIA_LAY_ADD, .value = one}, data);
  for (int k = 0; k < 5; k++) CHECK_NEAR(data[k], 1, 0);
  d.z[0] = d.z[2] = 10;
  d.z[1] = 14;
  lay_one(&d, &g, &(ria_lay){.how = RIA_LAY_RAISE, .value = one + 1, .by_z = true}, data);
  for (int k = 0; k < 5; k++) CHECK_NEAR(data[k], 10 + k, 1e-14);
  d.z[1] = NAN;
  ria_shapes *s = made(&d);
  CHECK_FAILS(ctx, ria_shapes_lay(ctx, s, &g, &(ria_lay){.value = one, .by_z = true}, data, NULL),
              RIA_ERR_ARGUMENT, "shape 1: a position without a z");
  ria_shapes_destroy(&s);
  CHECK_NEAR(data[3], 13, 1e-14); /* as it was */
}

static void weights(void) {
  const ria_grid g = {4, 1, 1, 1, 0, 0, 0};
  double weight[4];
  drawing d = {.n = 0};
  begin(&d, RIA_LINES);
  part(&d, 0);
  at(&d, 0.5, 0.5);
  at(&d, 2.75, 0.5);
  ria_shapes *s = made(&d);
  CHECK_OK(ctx, ria_shapes_weigh(ctx, s, &g, weight));
  const double lengths[4] = {0.5, 1, 0.75, 0};
  for (int k = 0; k < 4; k++) CHECK_NEAR(weight[k], lengths[k], 1e-15);
  ria_shapes_destroy(&s);
  begin(&d, RIA_POINTS);
  part(&d, 0);
  at(&d, 3.5, 0.5);
  part(&d, 0);
  at(&d, 9, 0.5);
  s = made(&d);
  CHECK_FAILS(ctx, ria_shapes_weigh(ctx, s, &g, weight), RIA_ERR_ARGUMENT,
              "shapes: lines and points together: choose one kind");
  const size_t second = 1;
  ria_shapes *points = NULL;
  CHECK_OK(ctx, ria_shapes_select(ctx, s, &second, 1, &points));
  ria_shapes_destroy(&s); /* the others stay */
  CHECK_OK(ctx, ria_shapes_weigh(ctx, points, &g, weight));
  CHECK(weight[0] == 0 && weight[3] == 1);
  CHECK_OK(ctx, ria_shapes_cover(ctx, points, &g, 0, NULL, weight, NULL));
  CHECK(weight[0] == 0 && weight[2] == 0 && weight[3] == 1);
  ria_shapes_destroy(&points);
}

int main(void) {
  if (ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) != RIA_OK)
    return 1;
  laying();
  laying_lines();
  weights();
  ria_context_destroy(&ctx);
  return TEST_END();
}
