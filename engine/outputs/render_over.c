/* outputs/render_over.c - shapes of files as lines and points over a picture: each line and each
 * ring is a path; the points of a shape are one. */
#include "outputs/render_over.h"
#include "base/array.h"
#include "base/context.h"

#include <stdlib.h>

static ria_status add(ria_context *ctx, ria_render_paths *out, const ria_shape *shape, size_t from,
                      size_t to, const char *name) {
  RIA_TRY(
      ria_grow(ctx, "lines over a picture", &out->path, &out->room, out->n + 1, sizeof *out->path));
  out->path[out->n++] = (ria_frame_path){.x = shape->x + from,
                                         .y = shape->y + from,
                                         .n = to - from,
                                         .points = shape->kind == RIA_POINTS,
                                         .name = name};
  return RIA_OK;
}

static ria_status add_shape(ria_context *ctx, ria_render_paths *out, const ria_shape *shape) {
  const ria_attribute *name = ria_shape_attribute(shape, "name");
  const char *text = name && name->type == RIA_ATTRIBUTE_TEXT ? name->text : NULL;
  if (!shape->n_parts) return RIA_OK;
  if (shape->kind == RIA_POINTS)
    return add(ctx, out, shape, shape->first[0], shape->first[shape->n_parts], text);
  for (size_t k = 0; k < shape->n_parts; k++)
    RIA_TRY(add(ctx, out, shape, shape->first[k], shape->first[k + 1], k ? NULL : text));
  return RIA_OK;
}

ria_status ria_render_paths_make(ria_context *ctx, const ria_shapes *const *shapes, size_t n,
                                 const char *crs, ria_render_paths *out) {
  *out = (ria_render_paths){0};
  if (!n) return RIA_OK;
  out->held = calloc(n, sizeof(ria_shapes *));
  if (!out->held) return ria_fail_memory(ctx, "lines over a picture", n * sizeof *out->held);
  out->n_held = n;
  for (size_t k = 0; k < n; k++) {
    RIA_TRY(ria_shapes_convert(ctx, shapes[k], crs, &out->held[k]));
    for (size_t i = 0; i < ria_shapes_count(out->held[k]); i++)
      RIA_TRY(add_shape(ctx, out, ria_shapes_at(out->held[k], i)));
  }
  return RIA_OK;
}

void ria_render_paths_free(ria_render_paths *p) {
  for (size_t k = 0; k < p->n_held; k++) ria_shapes_destroy(&p->held[k]);
  free(p->held);
  free(p->path);
  *p = (ria_render_paths){0};
}
