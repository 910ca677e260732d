/* Order 2 without slopes (limiter = 0) is order 1: the same scenes at both tell the same values, to
 * the last place, on the device that RIA_TEST_DEVICE names; what decayed, which a GPU sums by tile,
 * to rounding. So the second order differs from
 * the first by its slopes alone, and gives what the first does wherever they are given up. Without
 * wind and rotation: where a level or a discharge is given, the forces on the outer half of a cell
 * are in the slope of its level at order 2, in the state beyond at order 1 (sw_rim_face). */
#include "scene.h"

static outcome of_order(ria_context *ctx, const scene *s, int order) {
  scene t = *s;
  t.order = order;
  t.limiter = 0;
  t.unforced = true;
  return scene_outcome(ctx, &t, 0);
}

/* How many values differ; -0 is 0. Tiles of order 2 are narrower, and the last of a budget is what
 * decayed (take_account). */
static size_t differing(const part *p, const part *q) {
  static const char *device;
  if (!device) device = test_setting("RIA_TEST_DEVICE", "cuda");
  const bool by_tile = strncmp(p->name, "budget", 6) == 0 && strcmp(device, "cpu") != 0;
  size_t n = p->n == q->n ? 0 : p->n + q->n;
  for (size_t k = 0; k < p->n && p->n == q->n; k++) {
    const double room = by_tile && k + 1 == p->n ? 1e-13 * p->scale : 0;
    if (fabs(p->v[k] - q->v[k]) <= room || (isnan(p->v[k]) && isnan(q->v[k]))) continue;
    if (n++ == 0) fprintf(stderr, "  %zu: %.17g, %.17g\n", k, p->v[k], q->v[k]);
  }
  return n;
}

static void compare(ria_context *ctx, uint64_t seed) {
  const scene s = scene_of(seed);
  outcome a = of_order(ctx, &s, 1), b = of_order(ctx, &s, 2);
  char name[96];
  CHECK_INT(a.n, b.n);
  for (int k = 0; k < a.n && k < b.n; k++) {
    const part *p = &a.part[k], *q = &b.part[k];
    const size_t strays = differing(p, q);
    if (CHECK(strays == 0)) continue;
    fprintf(stderr, "  %s: %zu of %s\n", scene_name(&s, name, sizeof name), strays, p->name);
  }
  outcome_free(&a);
  outcome_free(&b);
}

int main(int argc, char **argv) {
  const uint64_t last = argc > 1 ? strtoull(argv[1], NULL, 10) : test_is_short() ? 70 : SCENES;
  ria_context *ctx = test_context(test_setting("RIA_TEST_DEVICE", "cuda"), 2);
  for (uint64_t seed = 1; seed <= last; seed++) compare(ctx, seed);
  for (uint64_t k = 0; k < 7; k++) compare(ctx, SCENE_SPRUNG + k);
  ria_context_destroy(&ctx);
  return TEST_END();
}
