/* shapes/size.c - how large a shape is, and where. */
#include "shapes/set.h"

#include "base/context.h"

#include <math.h>
#include <stdlib.h>

void ria_shape_box(const ria_shape *s, double low[2], double high[2]) {
  low[0] = low[1] = INFINITY;
  high[0] = high[1] = -INFINITY;
  for (size_t k = s->first[0]; k < s->first[s->n_parts]; k++) {
    low[0] = fmin(low[0], s->x[k]);
    low[1] = fmin(low[1], s->y[k]);
    high[0] = fmax(high[0], s->x[k]);
    high[1] = fmax(high[1], s->y[k]);
  }
}

/* Of its box the share that it covers: the even-odd rule, polygons joined, as on any grid. */
static ria_status polygon_area(ria_context *ctx, const ria_shape *shape, double *size) {
  double low[2], high[2], share;
  size_t which = 0;
  ria_shape copy = *shape;
  ria_shape_set set = {.path = "shape", .shape = &copy};
  const ria_shapes one = {.set = &set, .n = 1, .which = &which};
  ria_shape_box(shape, low, high);
  const ria_grid box = {1, 1, high[0] - low[0], high[1] - low[1], low[0], low[1], 0};
  *size = 0.0;
  if (!(box.dx > 0.0) || !(box.dy > 0.0)) return RIA_OK;
  RIA_TRY(ria_shapes_cover(ctx, &one, &box, 0.0, NULL, &share, NULL));
  *size = share * box.dx * box.dy;
  return RIA_OK;
}

ria_status ria_shape_size(ria_context *ctx, const ria_shape *s, double *size) {
  *size = (double)s->n_parts;
  if (s->kind == RIA_POLYGONS) return polygon_area(ctx, s, size);
  if (s->kind == RIA_POINTS) return RIA_OK;
  *size = 0.0;
  for (size_t p = 0; p < s->n_parts; p++)
    for (size_t k = s->first[p]; k + 1 < s->first[p + 1]; k++)
      *size += hypot(s->x[k + 1] - s->x[k], s->y[k + 1] - s->y[k]);
  return RIA_OK;
}
