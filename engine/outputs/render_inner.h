/* outputs/render_inner.h - a picture of what a run saved, while it is made: what the files render,
 * render_values and render_draw share. */
#ifndef OUTPUTS_RENDER_INNER_H
#define OUTPUTS_RENDER_INNER_H
#include "io/frame.h"
#include "outputs/render_over.h"
#include "outputs/render_traces.h"
#include "outputs/saved.h"
#include <ria/render.h>

enum { RIA_RENDER_DIGITS = 64 };

/* One time of the field: a picture, or one of several on a sheet. */
typedef struct ria_panel {
  size_t frame, minus; /* in the two stores */
  float *value, *bed, *depth, *u, *v;
  char time[RIA_RENDER_DIGITS], date[48];
  double time_s;
  ria_panel_traces traces;
} ria_panel;

typedef struct ria_rendering {
  ria_context *ctx;
  const ria_render_desc *desc;
  ria_saved run, minus;
  ria_saved_look look;
  ria_window window;
  ria_grid grid; /* of the window */
  size_t cells;
  ria_panel *panel; /* [n] */
  size_t n;
  ria_scale scale;
  bool symmetric;
  double min, max, least, most;
  ria_graticule *graticule;
  ria_render_paths over;
  ria_render_traces traces;
  double contour[RIA_RENDER_CONTOURS];
  size_t n_contours;
  char label[192], title[600];
} ria_rendering;

/* Read the values of all times, which share one range. */
ria_status ria_render_read(ria_rendering *r);
/* The range of the colours, and the values at which contours lie, once the values are read. */
ria_status ria_render_range(ria_rendering *r);
ria_status ria_render_contours(ria_rendering *r);

/* Paint what is prepared, and write it. */
ria_status ria_render_draw(ria_rendering *r, ria_render_info *info, char *err, size_t errsize);

#endif
