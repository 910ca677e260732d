/* outputs/render.c - pictures of what a run saved (ria/render.h): what is asked for, and the order
 * in which a picture is made. render_values.c reads, render_draw.c paints. */
#include "base/context.h"
#include "base/grid.h"
#include "base/limit.h"
#include "base/ranks.h"
#include "io/date.h"
#include "io/file.h"
#include "outputs/render_inner.h"
#include <ria/crs.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static ria_status find_window(ria_rendering *r) {
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

static ria_status check_minus(ria_rendering *r) {
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

static ria_status choose_times(ria_rendering *r) {
  const ria_render_desc *d = r->desc;
  const bool fixed = ria_store_has_fixed(r->run.store, d->field);
  if (fixed && d->n_times)
    return ria_fail(r->ctx, RIA_ERR_ARGUMENT, "'%s' was saved once: it has no times", d->field);
  r->n = d->n_times ? d->n_times : 1;
  r->panel = calloc(r->n, sizeof *r->panel);
  if (!r->panel) return ria_fail_memory(r->ctx, "a picture", r->n * sizeof *r->panel);
  for (size_t k = 0; k < r->n && !fixed; k++) {
    ria_panel *p = &r->panel[k];
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

/* --- what is drawn over it -------------------------------------------------------------------- */

/* Those of a field that was saved once end at the last time. */
static ria_status make_traces(ria_rendering *r) {
  const bool fixed = ria_store_has_fixed(r->run.store, r->desc->field);
  RIA_TRY(ria_render_traces_open(r->ctx, r->desc, &r->run, &r->traces));
  for (size_t k = 0; k < r->n; k++) {
    ria_panel *p = &r->panel[k];
    const double t = r->run.time[fixed ? r->run.n - 1 : p->frame];
    RIA_TRY(ria_render_traces_of(&r->traces, r->desc, t, &r->grid, &p->traces));
  }
  return RIA_OK;
}

static ria_status find_graticule(ria_rendering *r) {
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

static void choose_words(ria_rendering *r) {
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

/* --- all of it -------------------------------------------------------------------------------- */

static ria_status prepare(ria_rendering *r) {
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
  RIA_TRY(ria_render_read(r));
  RIA_TRY(ria_render_range(r));
  RIA_TRY(ria_render_contours(r));
  RIA_TRY(find_graticule(r));
  RIA_TRY(make_traces(r));
  choose_words(r);
  return ria_render_paths_make(r->ctx, d->overlays, d->n_overlays, r->run.crs, &r->over);
}

static void drop(ria_rendering *r) {
  for (size_t k = 0; r->panel && k < r->n; k++) {
    ria_panel *p = &r->panel[k];
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
  ria_rendering *r = calloc(1, sizeof *r);
  if (!r) return ria_fail_memory(ctx, "a picture", sizeof *r);
  r->ctx = ctx;
  r->desc = desc;
  ria_status s = prepare(r);
  if (s == RIA_OK) {
    s = ria_render_draw(r, info, err, sizeof err);
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
