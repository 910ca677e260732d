/* outputs/render_draw.c - a picture is painted as a frame is. Several go onto one sheet, row by
 * row: they have the same palette. */
#include "base/context.h"
#include "io/file.h"
#include "io/target.h"
#include "outputs/render_inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EACH_OF_SEVERAL = 480 }; /* pixels */

static ria_frame_input input_of(const ria_rendering *r, const ria_panel *p) {
  const ria_render_desc *d = r->desc;
  return (ria_frame_input){.grid = r->grid,
                           .value = p->value,
                           .bed = p->bed,
                           .depth = p->depth,
                           .u = p->u,
                           .v = p->v,
                           .ground = r->look.ground && !d->minus,
                           .hillshade = d->hillshade,
                           .ground_map = d->ground,
                           .graticule = r->graticule,
                           .thinnest = d->thinnest,
                           .field = d->field,
                           .long_name = r->label,
                           .sentence = d->minus || r->look.sentence,
                           .unit = r->look.unit,
                           .title = *r->title ? r->title : NULL,
                           .time_text = r->run.dated || !*p->time ? p->time : NULL,
                           .time_s = p->time_s,
                           .date = p->date,
                           .map = d->map     ? d->map
                                  : d->minus ? "balance"
                                             : r->look.map,
                           .scale = r->scale,
                           .vmin = r->min,
                           .vmax = r->max,
                           .threshold = d->threshold,
                           .symmetric = r->symmetric,
                           .width = d->width,
                           .height = d->height,
                           .no_decor = d->no_decor,
                           .paths = r->over.path,
                           .n_paths = r->over.n,
                           .traces = p->traces.seen,
                           .n_traces = p->traces.n,
                           .traces_from = p->traces.from,
                           .traces_to = p->traces.to,
                           .traces_label = p->traces.label,
                           .contours = r->contour,
                           .n_contours = r->n_contours,
                           .dpi = d->dpi};
}

/* Pixels of `from` onto the sheet, whose palette is the same. */
static bool put_on(ria_canvas *sheet, const ria_canvas *from, int x0, int y0) {
  if (from->own && !sheet->own && !ria_canvas_own_colors(sheet)) return false;
  for (int y = 0; y < from->height && y0 + y < sheet->height; y++) {
    const size_t n = (size_t)(x0 + from->width <= sheet->width ? from->width : sheet->width - x0);
    const size_t at = (size_t)(y0 + y) * (size_t)sheet->width + (size_t)x0;
    const size_t of = (size_t)y * (size_t)from->width;
    memcpy(sheet->pixel + at, from->pixel + of, n);
    if (!from->own) continue;
    memcpy(sheet->own + 3 * at, from->own + 3 * of, 3 * n);
    memcpy(sheet->stand_in + at, from->stand_in + of, n);
  }
  return true;
}

static bool make_sheet(ria_canvas *sheet, const ria_canvas *like, int columns, int rows) {
  if (!ria_canvas_init(sheet, columns * like->width, rows * like->height)) return false;
  memcpy(sheet->palette, like->palette, sizeof sheet->palette);
  sheet->colors = like->colors;
  int paper = 0; /* the first white: unused places of the last row */
  while (paper < like->colors - 1 && memcmp(like->palette[paper], "\xff\xff\xff", 3) != 0) paper++;
  memset(sheet->pixel, paper, (size_t)sheet->width * (size_t)sheet->height);
  return true;
}

static ria_status draw_several(ria_rendering *r, ria_canvas *sheet, char *err, size_t errsize) {
  const int columns = (int)ceil(sqrt((double)r->n)), rows = ((int)r->n + columns - 1) / columns;
  const int width = r->desc->width ? r->desc->width / columns : EACH_OF_SEVERAL;
  const int height = r->desc->height / rows;
  for (size_t k = 0; k < r->n; k++) {
    ria_canvas one;
    ria_frame_input in = input_of(r, &r->panel[k]);
    in.width = width;
    in.height = height;
    ria_status s = ria_frame_paint(&in, &one, err, errsize);
    const int i = (int)k % columns, j = (int)k / columns;
    const bool well = s != RIA_OK || ((k || make_sheet(sheet, &one, columns, rows)) &&
                                      put_on(sheet, &one, i * one.width, j * one.height));
    ria_canvas_free(&one);
    if (!well)
      s = ria_error_text(RIA_ERR_MEMORY, err, errsize, "out of memory for a sheet of pictures");
    if (s != RIA_OK) return s;
  }
  return RIA_OK;
}

static void tell_traces(const ria_panel_traces *t, ria_render_info *info) {
  info->traces = t->n;
  for (size_t k = 0; k < t->n; k++) {
    info->aground += t->seen[k].fate == RIA_TRACE_DRY;
    info->left += t->seen[k].fate == RIA_TRACE_LEFT;
  }
  memcpy(info->traces_first, t->first, sizeof t->first);
  memcpy(info->traces_last, t->last, sizeof t->last);
}

ria_status ria_render_draw(ria_rendering *r, ria_render_info *info, char *err, size_t errsize) {
  const ria_frame_input in = input_of(r, &r->panel[0]);
  ria_canvas sheet = {0};
  uint8_t *png = NULL;
  size_t n = 0;
  ria_status s =
      r->n > 1 ? draw_several(r, &sheet, err, errsize) : ria_frame_paint(&in, &sheet, err, errsize);
  if (s == RIA_OK) s = ria_frame_encode(&in, &sheet, &png, &n, err, errsize);
  if (s == RIA_OK) s = ria_target_write(r->ctx, r->desc->path, png, n, err, errsize);
  *info = (ria_render_info){.width = sheet.width,
                            .height = sheet.height,
                            .min = r->min,
                            .max = r->max,
                            .least = r->least,
                            .most = r->most,
                            .pictures = r->n};
  tell_traces(&r->panel[r->n - 1].traces, info);
  memcpy(info->first, r->panel[0].time, sizeof info->first);
  memcpy(info->last, r->panel[r->n - 1].time, sizeof info->last);
  ria_canvas_free(&sheet);
  free(png);
  return s;
}
