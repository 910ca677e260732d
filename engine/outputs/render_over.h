/* outputs/render_over.h - shapes of files as lines and points over a picture. Private. */
#ifndef RIA_OUTPUTS_RENDER_OVER_H
#define RIA_OUTPUTS_RENDER_OVER_H
#include "io/frame.h"
#include <ria/shapes.h>

typedef struct ria_render_paths {
  ria_frame_path *path; /* [n] */
  size_t n, room;
  ria_shapes **held; /* [n_held] whose positions these are */
  size_t n_held;
} ria_render_paths;

/* crs: of the picture, "" = none. Free them also after a failure. */
ria_status ria_render_paths_make(ria_context *ctx, const ria_shapes *const *shapes, size_t n,
                                 const char *crs, ria_render_paths *out);
void ria_render_paths_free(ria_render_paths *p);

#endif
