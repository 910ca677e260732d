/* Lines on a grid: bands of a width, chains of cells without a gap, dikes that nothing passes. */
#include "drawing.h"
#include "shapes/walk.h"
#include <stdlib.h>

static void bands(void) {
  const ria_grid g = {20, 20, 1, 1, 0, 0, 0};
  double share[400], sum = 0;
  drawing d = {.n = 0};
  begin(&d, RIA_LINES);
  part(&d, 0);
  at(&d, 2, 3);
  at(&d, 2, 13);
  at(&d, 12, 13);
  ria_shapes *s = made(&d);
  CHECK_OK(ctx, ria_shapes_cover(ctx, s, &g, 2, NULL, share, NULL));
  for (int k = 0; k < 400; k++) sum += share[k];
  /* two strips of 10 x 2 share a square; outside of the bend a quarter of a disc joins them */
  CHECK_NEAR(sum, 20 + 20 - 1 + atan(1), 2e-3);
  CHECK_FAILS(ctx, ria_shapes_cover(ctx, s, &g, 0, NULL, share, NULL), RIA_ERR_ARGUMENT,
              "shapes: shares of cells under lines need a width");
  double size = 0;
  CHECK_OK(ctx, ria_shape_size(ctx, ria_shapes_at(s, 0), &size));
  CHECK_NEAR(size, 20, 0);
  ria_shapes_destroy(&s);
}

typedef struct steps {
  int i, j;
  long n, breaks;
  double length;
} steps;

static ria_status step(void *user, int i, int j, double t0, double t1) {
  steps *s = user;
  if (s->n++ && abs(i - s->i) + abs(j - s->j) > 1) s->breaks++;
  s->i = i;
  s->j = j;
  s->length += t1 - t0;
  return RIA_OK;
}

/* Each leg ends in the cell where the next begins, from side to side, through corners too. */
static void chains(void) {
  const ria_grid g = {50, 50, 1, 1, 0, 0, 0};
  for (int turn = 0; turn < 200; turn++) {
    steps s = {0};
    double u = floor(any(1, 49)), v = floor(any(1, 49));
    for (int leg = 0; leg < 20; leg++) {
      const bool corners = turn % 2;
      const double to_u = corners ? floor(any(1, 49)) : any(0.5, 49.5);
      const double to_v = corners ? floor(any(1, 49)) : any(0.5, 49.5);
      const ria_leg l = {u, v, to_u, to_v};
      CHECK_OK(NULL, ria_walk(&g, &l, step, &s));
      CHECK(s.i == (int)to_u && s.j == (int)to_v);
      u = to_u;
      v = to_v;
    }
    CHECK_INT(s.breaks, 0);
    CHECK_NEAR(s.length, 20, 1e-9);
  }
  steps across = {0};
  CHECK_OK(NULL, ria_walk(&g, &(ria_leg){-1e11, -1e11, 1e11, 1e11}, step, &across));
  CHECK(across.n >= 50 && across.n <= 101 && across.breaks == 0);
  /* the sides of the grid are its own, all four, and along them a line has its length */
  static const ria_leg sides[] = {{0, 0, 50, 0},    {0, 50, 50, 50},        {50, 50, 0, 50},
                                  {0, 0, 0, 50},    {50, 0, 50, 50},        {50, 50, 50, 0},
                                  {-9, 50, 99, 50}, {50 + 1e-9, 0, 50, 50}, {-1e-9, 50, 0, 0}};
  for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
    steps along = {0};
    CHECK_OK(NULL, ria_walk(&g, &sides[k], step, &along));
    CHECK_INT(along.n, 50);
    CHECK_INT(along.breaks, 0);
  }
  steps beside = {0};
  CHECK_OK(NULL, ria_walk(&g, &(ria_leg){-30, 80, 20, 1000}, step, &beside));
  CHECK_INT(beside.n, 0);
}

/* Is there a way from the west side to the east side over sides of cells that are not marked? */
static bool leaks(const double *bed, int n) {
  bool wet[2500] = {false};
  int list[2500], count = 0;
  for (int j = 0; j < n; j++)
    if (bed[j * n] < 1) {
      wet[j * n] = true;
      list[count++] = j * n;
    }
  while (count > 0) {
    const int k = list[--count], i = k % n, j = k / n;
    if (i == n - 1) return true;
    const int next[4] = {i > 0 ? k - 1 : k, k + 1, j > 0 ? k - n : k, j < n - 1 ? k + n : k};
    for (int c = 0; c < 4; c++)
      if (!wet[next[c]] && bed[next[c]] < 1) {
        wet[next[c]] = true;
        list[count++] = next[c];
      }
  }
  return false;
}

/* A dike from the south side to the north side, however it bends, lets no way through. */
static void dikes(void) {
  enum { N = 50 };
  const ria_grid g = {N, N, 2, 2, 0, 0, 0};
  static double bed[N * N];
  for (int turn = 0; turn < 100; turn++) {
    drawing d = {.n = 0};
    long changed = 0;
    begin(&d, RIA_LINES);
    part(&d, 0);
    at(&d, any(10, 90), -5);
    for (int k = 0; k < turn % 7; k++)
      at(&d, turn % 2 ? 2 * floor(any(5, 45)) : any(10, 90), 2 * floor(any(5, 45)));
    at(&d, any(10, 90), 105);
    for (int k = 0; k < N * N; k++) bed[k] = 0;
    ria_shapes *s = made(&d);
    const double crest = 3;
    const ria_lay lay = {.how = RIA_LAY_RAISE, .value = &crest};
    CHECK(leaks(bed, N));
    CHECK_OK(ctx, ria_shapes_lay(ctx, s, &g, &lay, bed, &changed));
    CHECK(!leaks(bed, N) && changed >= N);
    ria_shapes_destroy(&s);
  }
}

int main(void) {
  if (ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) != RIA_OK)
    return 1;
  bands();
  chains();
  dikes();
  ria_context_destroy(&ctx);
  return TEST_END();
}
