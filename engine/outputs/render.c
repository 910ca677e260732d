/* outputs/render.c - pictures of what a run saved (ria/render.h).
 *
 * The values of all pictures are read first, because they share one range; then each is painted as
 * a frame. Several go onto one sheet, row by row: they have the same palette. */
#include "base/context.h"
#include "base/grid.h"
#include "base/limit.h"
#include "base/ranks.h"
#include "base/text.h"
#include "io/date.h"
#include "io/file.h"
#include "io/frame.h"
#include "io/regrid.h"
#include "io/target.h"
#include "io/ticks.h"
#include "outputs/render_over.h"
#include "outputs/render_traces.h"
#include "outputs/saved.h"
#include <ria/crs.h>
#include <ria/render.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EACH_OF_SEVERAL = 480, DIGITS = 64 };

typedef struct panel {
  size_t frame, minus; /* in the two stores */
  float *value, *bed, *depth, *u, *v;
  char time[DIGITS], date[48];
  double time_s;
  ria_panel_traces traces;
} panel;

typedef struct rendering {
  ria_context *ctx;
  const ria_render_desc *desc;
  ria_saved run, minus;
  ria_saved_look look;
  ria_window window;
  ria_grid grid; /* of the window */
  size_t cells;
  panel *panel; /* [n] */
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
} rendering;

/* --- what is asked for ------------------------------------------------------------------------ */

static ria_status check_desc(ria_context *ctx, const ria_render_desc *d) {
  if (!d || !d->from || !d->path)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "a picture needs the results of a run and a path");
  if (d->n_times > RIA_RENDER_TIMES)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%zu times in one picture are more than %d", d->n_times,
                    RIA_RENDER_TIMES);
  if (d->n_overlays > RIA_RENDER_OVERLAYS)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%zu overlays in one picture are more than %d",
                    d->n_overlays, RIA_RENDER_OVERLAYS);
  if (!(d->contour_step >= 0.0) || d->n_contours > RIA_RENDER_CONTOURS)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "contours: give a step above 0, or at most %d values",
                    RIA_RENDER_CONTOURS);
  if (d->dpi && (d->dpi < 30 || d->dpi > 2400))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%d dots an inch: 30 to 2400 are possible", d->dpi);
  if (!(d->graticule_step >= 0.0) || d->graticule_step > 90.0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "the graticule's step is %g degrees, it must be 0 (chosen) to 90",
                    d->graticule_step);
  if (d->minus && d->scale == RIA_RENDER_LOG)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "a difference has values below 0, which a log scale cannot show");
  RIA_TRY(ria_render_traces_check(ctx, d));
  RIA_TRY(ria_colormap_check(ctx, d->ground));
  return ria_colormap_check(ctx, d->map);
}

/* The cells that meet the box. */
static ria_status find_window(rendering *r) {
  const ria_grid *g = ria_store_grid(r->run.store);
  const double *box = r->desc->box;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  r->window = (ria_window){0, g->nx, 0, g->ny};
  for (int k = 0; r->desc->boxed && k < 4; k++) {
    double x = box[k & 1 ? 2 : 0], y = box[k & 2 ? 3 : 1];
    ria_grid_from_map(g, &x, &y);
    low[0] = fmin(low[0], (x - g->x0) / g->dx), high[0] = fmax(high[0], (x - g->x0) / g->dx);
    low[1] = fmin(low[1], (y - g->y0) / g->dy), high[1] = fmax(high[1], (y - g->y0) / g->dy);
  }
  if (r->desc->boxed) {
    r->window.i0 = (int)floor(fmin(fmax(low[0] + 1e-9, 0.0), g->nx));
    r->window.i1 = (int)ceil(fmin(fmax(high[0] - 1e-9, 0.0), g->nx));
    r->window.j0 = (int)floor(fmin(fmax(low[1] + 1e-9, 0.0), g->ny));
    r->window.j1 = (int)ceil(fmin(fmax(high[1] - 1e-9, 0.0), g->ny));
  }
  const ria_window *w = &r->window;
  if (w->i1 <= w->i0 || w->j1 <= w->j0) {
    char text[RIA_GRID_TEXT];
    return ria_fail(r->ctx, RIA_ERR_ARGUMENT,
                    "the box %g,%g,%g,%g has no cell of store %s in it, which lies at %s", box[0],
                    box[1], box[2], box[3], ria_store_path(r->run.store), ria_grid_tell(g, text));
  }
  r->grid = *g;
  r->grid.nx = w->i1 - w->i0;
  r->grid.ny = w->j1 - w->j0;
  r->grid.x0 += w->i0 * g->dx;
  r->grid.y0 += w->j0 * g->dy;
  if (g->angle != 0.0) ria_grid_to_map(g, &r->grid.x0, &r->grid.y0);
  r->cells = (size_t)r->grid.nx * (size_t)r->grid.ny;
  return RIA_OK;
}

static ria_status check_minus(rendering *r) {
  const char *field = r->desc->field;
  ria_saved_look look;
  RIA_TRY(ria_saved_open(r->ctx, r->desc->minus, &r->minus));
  if (ria_saved_look_of(r->ctx, &r->minus, field, &look) != RIA_OK)
    return ria_fail_more(r->ctx, RIA_ERR_ARGUMENT, "%s", ria_store_path(r->minus.store));
  if (strcmp(look.unit, r->look.unit) != 0)
    return ria_fail(r->ctx, RIA_ERR_INPUT, "'%s' is in %s in %s and in %s in %s", field,
                    r->look.unit, ria_store_path(r->run.store), look.unit,
                    ria_store_path(r->minus.store));
  if (*r->run.crs && *r->minus.crs && ria_store_other_crs(r->minus.store, r->run.crs))
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s and %s are in different coordinate systems",
                    ria_store_path(r->run.store), ria_store_path(r->minus.store));
  return RIA_OK;
}

static ria_status choose_times(rendering *r) {
  const ria_render_desc *d = r->desc;
  const bool fixed = ria_store_has_fixed(r->run.store, d->field);
  if (fixed && d->n_times)
    return ria_fail(r->ctx, RIA_ERR_ARGUMENT, "'%s' was saved once: it has no times", d->field);
  r->n = d->n_times ? d->n_times : 1;
  r->panel = calloc(r->n, sizeof *r->panel);
  if (!r->panel) return ria_fail_memory(r->ctx, "a picture", r->n * sizeof *r->panel);
  for (size_t k = 0; k < r->n && !fixed; k++) {
    panel *p = &r->panel[k];
    RIA_TRY(ria_saved_frame(r->ctx, &r->run, d->n_times ? d->times[k] : "last", &p->frame));
    if (d->minus) RIA_TRY(ria_saved_same(r->ctx, &r->minus, &r->run, p->frame, &p->minus));
    const double t = r->run.time[p->frame];
    ria_saved_tell(&r->run, t, p->time, sizeof p->time);
    p->time_s = ria_saved_since(&r->run, p->frame);
    if (r->run.dated)
      ria_format_date(t, r->run.zone, ria_date_decimals(t), p->date, sizeof p->date);
  }
  return RIA_OK;
}

/* --- values ----------------------------------------------------------------------------------- */

static ria_status room_for(rendering *r, float **out) {
  *out = malloc(r->cells * sizeof **out);
  return *out ? RIA_OK : ria_fail_memory(r->ctx, "a picture", r->cells * sizeof **out);
}

/* A field of the run as numbers of a picture; NULL where the store has none of it. */
static ria_status read_plane(rendering *r, const char *name, size_t frame, double *room,
                             float **out) {
  if (!ria_store_has(r->run.store, name) && !ria_store_has_fixed(r->run.store, name)) return RIA_OK;
  RIA_TRY(room_for(r, out));
  RIA_TRY(ria_store_read(r->ctx, r->run.store, name, frame, &r->window, room));
  for (size_t k = 0; k < r->cells; k++) (*out)[k] = (float)room[k];
  return RIA_OK;
}

static bool same_cells(const ria_grid *a, const ria_grid *b) {
  return a->nx == b->nx && a->ny == b->ny && a->dx == b->dx && a->dy == b->dy && a->x0 == b->x0 &&
         a->y0 == b->y0 && a->angle == b->angle;
}

/* The other run's values on these cells, in `room`. */
static ria_status read_minus(rendering *r, const panel *p, double *room) {
  const ria_grid *g = ria_store_grid(r->minus.store), *mine = ria_store_grid(r->run.store);
  const char *field = r->desc->field;
  if (same_cells(g, mine))
    return ria_store_read(r->ctx, r->minus.store, field, p->minus, &r->window, room);
  ria_regrid regrid;
  const ria_window all = {0, g->nx, 0, g->ny};
  const size_t bytes = ria_grid_cells(g) * sizeof(double);
  double *values = malloc(bytes);
  if (!values) return ria_fail_memory(r->ctx, "a picture", bytes);
  const ria_status s = ria_store_read(r->ctx, r->minus.store, field, p->minus, &all, values);
  ria_regrid_init(&regrid, g, &r->grid);
  if (s == RIA_OK) ria_regrid_mean(&regrid, values, NULL, room, NULL);
  free(values);
  return s;
}

/* Where it was not saved it is what the level has over the bed. */
static ria_status read_depth(rendering *r, panel *p, double *room) {
  RIA_TRY(read_plane(r, "depth", p->frame, room, &p->depth));
  if (p->depth || !p->bed) return RIA_OK;
  RIA_TRY(read_plane(r, "level", p->frame, room, &p->depth));
  for (size_t k = 0; p->depth && k < r->cells; k++) p->depth[k] -= p->bed[k];
  return RIA_OK;
}

static ria_status read_panel(rendering *r, panel *p, double *room) {
  const char *field = r->desc->field;
  RIA_TRY(room_for(r, &p->value));
  RIA_TRY(ria_store_read(r->ctx, r->run.store, field, p->frame, &r->window, room));
  double *other = r->desc->minus ? room + r->cells : NULL;
  if (other) RIA_TRY(read_minus(r, p, other));
  for (size_t k = 0; k < r->cells; k++) {
    const double v = other ? room[k] - other[k] : room[k];
    p->value[k] = (float)v;
    r->least = fmin(r->least, v); /* of NaN and a number the number */
    r->most = fmax(r->most, v);
  }
  RIA_TRY(read_plane(r, "bed", p->frame, room, &p->bed));
  RIA_TRY(read_depth(r, p, room));
  if (!p->bed && (r->desc->hillshade || r->desc->ground))
    return ria_fail(
        r->ctx, RIA_ERR_ARGUMENT, "%s needs the field bed, and store %s lacks it: save it too",
        r->desc->hillshade ? "a hillshade" : "the ground in colours", ria_store_path(r->run.store));
  if (!r->desc->arrows) return RIA_OK;
  RIA_TRY(read_plane(r, "u", p->frame, room, &p->u));
  RIA_TRY(read_plane(r, "v", p->frame, room, &p->v));
  if (p->u && p->v) return RIA_OK;
  return ria_fail(r->ctx, RIA_ERR_ARGUMENT,
                  "arrows need the fields u and v, and store %s lacks them: save them too",
                  ria_store_path(r->run.store));
}

static ria_status read_panels(rendering *r) {
  double *room = malloc(2 * r->cells * sizeof *room);
  if (!room) return ria_fail_memory(r->ctx, "a picture", 2 * r->cells * sizeof *room);
  ria_status s = RIA_OK;
  r->least = r->most = (double)NAN;
  for (size_t k = 0; k < r->n && s == RIA_OK; k++) s = read_panel(r, &r->panel[k], room);
  free(room);
  return s;
}

/* --- colours ---------------------------------------------------------------------------------- */

/* One range for all: from the least to the greatest value of any. */
static void range_of_values(rendering *r) {
  const float ends[2] = {(float)r->least, (float)r->most};
  if (!ria_frame_range(ends, 2, r->scale, r->symmetric, &r->min, &r->max)) {
    r->min = r->scale == RIA_SCALE_LOG ? 1e-4 : r->symmetric ? -1.0 : 0.0;
    r->max = 1.0;
  } else if (r->scale == RIA_SCALE_LOG && r->desc->threshold > 0.0 && r->desc->threshold < r->max) {
    r->min = r->desc->threshold;
  }
}

static ria_status choose_range(rendering *r) {
  const ria_render_desc *d = r->desc;
  const bool log = d->scale == RIA_RENDER_LOG ||
                   (d->scale == RIA_RENDER_AS_FRAMES && !d->minus && r->look.framed_log);
  r->scale = log ? RIA_SCALE_LOG : RIA_SCALE_LINEAR;
  r->symmetric = !log && (d->minus || r->look.symmetric);
  if (d->min != 0.0 || d->max != 0.0) {
    r->min = d->min;
    r->max = d->max;
    if (log && !(r->min > 0.0)) r->min = d->threshold > 0.0 ? d->threshold : r->max * 1e-4;
  } else if (!d->own_range && !d->minus && r->look.framed && log == r->look.framed_log) {
    r->min = r->look.min;
    r->max = r->look.max;
  } else {
    range_of_values(r);
  }
  if (r->max > r->min && isfinite(r->max - r->min)) return RIA_OK;
  return ria_fail(r->ctx, RIA_ERR_ARGUMENT, "the range is %g to %g, but min must be below max",
                  r->min, r->max);
}

/* Multiples of the step between the least and the greatest value. */
static ria_status choose_contours(rendering *r) {
  const ria_render_desc *d = r->desc;
  const double step = d->contour_step;
  for (size_t k = 0; k < d->n_contours; k++) {
    r->contour[k] = d->contours[k];
    if (!isfinite(d->contours[k]) || (k && !(d->contours[k] > d->contours[k - 1])))
      return ria_fail(r->ctx, RIA_ERR_ARGUMENT, "contours are numbers that grow: %g after %g",
                      d->contours[k], k ? d->contours[k - 1] : 0.0);
  }
  r->n_contours = d->n_contours;
  if (d->n_contours || step == 0.0 || !(r->most >= r->least)) return RIA_OK;
  const double first = ceil(r->least / step), last = floor(r->most / step);
  if (last - first + 1 > RIA_RENDER_CONTOURS)
    return ria_fail(r->ctx, RIA_ERR_ARGUMENT,
                    "contours each %g from %g to %g would be %.0f: more than %d; give a greater "
                    "step",
                    step, r->least, r->most, last - first + 1, RIA_RENDER_CONTOURS);
  for (double k = first; k <= last; k++) r->contour[r->n_contours++] = k * step + 0.0;
  return RIA_OK;
}

/* Those of a field that was saved once end at the last time. */
static ria_status make_traces(rendering *r) {
  const bool fixed = ria_store_has_fixed(r->run.store, r->desc->field);
  RIA_TRY(ria_render_traces_open(r->ctx, r->desc, &r->run, &r->traces));
  for (size_t k = 0; k < r->n; k++) {
    panel *p = &r->panel[k];
    const double t = r->run.time[fixed ? r->run.n - 1 : p->frame];
    RIA_TRY(ria_render_traces_of(&r->traces, r->desc, t, &r->grid, &p->traces));
  }
  return RIA_OK;
}

/* --- drawing ---------------------------------------------------------------------------------- */

static ria_status find_graticule(rendering *r) {
  if (!r->desc->graticule) return RIA_OK;
  if (!*r->run.crs)
    return ria_fail(r->ctx, RIA_ERR_ARGUMENT,
                    "a graticule needs the coordinate system of the run, and store %s has none: "
                    "crs = \"EPSG:...\" in ria.sim",
                    ria_store_path(r->run.store));
  ria_graticule *g = r->graticule = ria_graticule_nodes(&r->grid, r->desc->graticule_step);
  if (!g) return ria_fail_memory(r->ctx, "a graticule", sizeof *g);
  RIA_TRY(ria_crs_convert_named(r->ctx, r->run.crs, "EPSG:4326", (size_t)g->n * (size_t)g->n, g->x,
                                g->y));
  return ria_graticule_settle(r->ctx, g);
}

static void choose_words(rendering *r) {
  const ria_render_desc *d = r->desc;
  const char *name = *r->look.long_name ? r->look.long_name : d->field;
  snprintf(r->label, sizeof r->label, "%s%s", d->minus ? "difference of " : "", name);
  if (d->title)
    snprintf(r->title, sizeof r->title, "%s", d->title);
  else if (d->minus)
    snprintf(r->title, sizeof r->title, "%.250s minus %.250s", d->from, d->minus);
  else
    snprintf(r->title, sizeof r->title, "%s", r->run.title);
}

static ria_frame_input input_of(const rendering *r, const panel *p) {
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

static ria_status draw_several(rendering *r, ria_canvas *sheet, char *err, size_t errsize) {
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

static ria_status draw(rendering *r, ria_render_info *info, char *err, size_t errsize) {
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

/* --- all of it -------------------------------------------------------------------------------- */

static ria_status prepare(rendering *r) {
  const ria_render_desc *d = r->desc;
  char fields[512];
  RIA_TRY(ria_saved_open(r->ctx, d->from, &r->run));
  ria_store_fields(r->run.store, fields, sizeof fields);
  if (!d->field)
    return ria_fail(r->ctx, RIA_ERR_ARGUMENT, "which field? store %s has %s",
                    ria_store_path(r->run.store), fields);
  RIA_TRY(ria_saved_look_of(r->ctx, &r->run, d->field, &r->look));
  if (d->minus) RIA_TRY(check_minus(r));
  RIA_TRY(choose_times(r));
  RIA_TRY(find_window(r));
  RIA_TRY(ria_limit_count(r->ctx, RIA_LIMIT_FRAMES, (double)r->n));
  RIA_TRY(read_panels(r));
  RIA_TRY(choose_range(r));
  RIA_TRY(choose_contours(r));
  RIA_TRY(find_graticule(r));
  RIA_TRY(make_traces(r));
  choose_words(r);
  return ria_render_paths_make(r->ctx, d->overlays, d->n_overlays, r->run.crs, &r->over);
}

static void drop(rendering *r) {
  for (size_t k = 0; r->panel && k < r->n; k++) {
    panel *p = &r->panel[k];
    float *const planes[] = {p->value, p->bed, p->depth, p->u, p->v};
    for (size_t i = 0; i < sizeof planes / sizeof *planes; i++) free(planes[i]);
    ria_panel_traces_free(&p->traces);
  }
  free(r->panel);
  ria_graticule_free(r->graticule);
  ria_render_paths_free(&r->over);
  ria_render_traces_close(&r->traces);
  ria_saved_close(&r->run);
  ria_saved_close(&r->minus);
}

static ria_status render(ria_context *ctx, const ria_render_desc *desc, ria_render_info *info) {
  char err[RIA_ERR_TEXT] = "";
  rendering *r = calloc(1, sizeof *r);
  if (!r) return ria_fail_memory(ctx, "a picture", sizeof *r);
  r->ctx = ctx;
  r->desc = desc;
  ria_status s = prepare(r);
  if (s == RIA_OK) {
    s = draw(r, info, err, sizeof err);
    if (s != RIA_OK) ria_fail(ctx, s, "%s", err);
  }
  drop(r);
  free(r);
  return s;
}

ria_status ria_render(ria_context *ctx, const ria_render_desc *desc, ria_render_info *info) {
  ria_render_info ours = {0};
  RIA_TRY(check_desc(ctx, desc));
  const ria_status s = ria_ranks_write(ctx) ? render(ctx, desc, &ours) : RIA_OK;
  if (info) *info = ours;
  return ria_ranks_wrote(ctx, s);
}
