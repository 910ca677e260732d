/* calls.h - checks that the public functions of 3-D fields share. */
#ifndef RIA_PRIMITIVES_FIELD3_CALLS_H
#define RIA_PRIMITIVES_FIELD3_CALLS_H
#include "primitives/field3/field3.h"

#include <string.h>

static inline const char *field3_axis_name(ria_axis axis) {
  static const char *const names[] = {"x", "y", "z"};
  return names[axis];
}

/* Where point i of an axis is. */
static inline double field3_place(const ria_grid3 *g, ria_axis axis, int i) {
  return g->origin[axis] + (i + 0.5) * g->d[axis];
}

ria_status field3_check_axis(ria_context *ctx, ria_axis axis);
/* Two fields have the same points, spacing, ends, precision and context. */
ria_status field3_check_alike(const ria_field3 *f, const ria_field3 *g);

#endif
