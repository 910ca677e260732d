/* drawing.h - shapes that tests draw: rings, boxes, chains, at random or not. */
#ifndef UNIT_DRAWING_H
#define UNIT_DRAWING_H
#include "test.h"
#include <ria/shapes.h>

static ria_context *ctx;

/* A generator of its own: the same shapes everywhere. */
static uint64_t seed = 1;
TEST_UNUSED static double any(double low, double high) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

enum { MAX_POSITIONS = 400, MAX_PARTS = 40, MAX_SHAPES = 40 };

typedef struct drawing {
  double x[MAX_POSITIONS], y[MAX_POSITIONS], z[MAX_POSITIONS];
  size_t first[MAX_PARTS + MAX_SHAPES];
  int polygon[MAX_PARTS];
  ria_shape shape[MAX_SHAPES];
  size_t n, parts, positions;
} drawing;

static void begin(drawing *d, ria_shape_kind kind) {
  d->shape[d->n] = (ria_shape){.kind = kind,
                               .first = d->first + d->parts + d->n,
                               .polygon = d->polygon + d->parts,
                               .x = d->x,
                               .y = d->y,
                               .z = d->z};
  d->n++;
}

static void part(drawing *d, int polygon) {
  ria_shape *s = &d->shape[d->n - 1];
  d->polygon[d->parts] = polygon;
  d->first[d->parts + d->n - 1] = d->positions;
  d->parts++;
  s->n_parts++;
}

static void at(drawing *d, double x, double y) {
  d->x[d->positions] = x;
  d->y[d->positions] = y;
  d->z[d->positions] = NAN;
  d->positions++;
  d->first[d->parts + d->n - 1] = d->positions;
}

static void ring(drawing *d, int polygon, size_t n, const double (*xy)[2]) {
  part(d, polygon);
  for (size_t k = 0; k <= n; k++) at(d, xy[k % n][0], xy[k % n][1]);
}

TEST_UNUSED static void box(drawing *d, int polygon, double x0, double y0, double x1, double y1) {
  ring(d, polygon, 4, (const double[4][2]){{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}});
}

static ria_shapes *made(const drawing *d) {
  ria_shapes *s = NULL;
  CHECK_OK(ctx, ria_shapes_make(ctx, d->shape, d->n, NULL, &s));
  return s;
}

#endif
