/* io/frame_graticule.c - meridians and parallels over a map, with their degrees at its edges.
 *
 * Longitude and latitude are known at nodes over the domain, bilinear in between: with 65 a side
 * that is within a hundredth of a pixel. A pixel's distance from the nearest line is how far its
 * degrees are from the line's, over their gradient there, as of lines of equal phase.
 *
 * The labels take the place of the axes' kilometres: meridians' where they leave the map below,
 * parallels' where they leave it at the left, or the other way round on a map that lies so. */
#include "base/context.h"
#include "io/degrees.h"
#include "io/frame_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 65 };

/* --- degrees of the domain -------------------------------------------------------------------- */

void ria_graticule_free(ria_graticule *g) {
  if (!g) return;
  free(g->x);
  free(g);
}

ria_graticule *ria_graticule_nodes(const ria_grid *grid, double step) {
  ria_graticule *g = calloc(1, sizeof *g);
  if (!g) return NULL;
  const size_t nodes = (size_t)NODES * NODES;
  g->step = step;
  g->n = NODES;
  g->x = malloc(2 * nodes * sizeof *g->x);
  g->y = g->x ? g->x + nodes : NULL;
  for (size_t k = 0; g->x && k < nodes; k++) {
    const double i = (double)(k % NODES) / (NODES - 1), j = (double)(k / NODES) / (NODES - 1);
    g->x[k] = grid->x0 + i * grid->nx * grid->dx;
    g->y[k] = grid->y0 + j * grid->ny * grid->dy;
    ria_grid_to_map(grid, &g->x[k], &g->y[k]);
  }
  if (g->x) return g;
  ria_graticule_free(g);
  return NULL;
}

/* From the first on without a jump where longitudes begin again. */
ria_status ria_graticule_settle(ria_context *ctx, ria_graticule *g) {
  const int nodes = g->n * g->n;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int k = 0; k < nodes; k++) {
    if (!isfinite(g->x[k]) || !isfinite(g->y[k]))
      return ria_fail(ctx, RIA_ERR_ARGUMENT,
                      "graticule: part of the domain has no longitude and latitude");
    g->x[k] -= 360.0 * rint((g->x[k] - g->x[0]) / 360.0);
    low[0] = fmin(low[0], g->x[k]);
    high[0] = fmax(high[0], g->x[k]);
    low[1] = fmin(low[1], g->y[k]);
    high[1] = fmax(high[1], g->y[k]);
  }
  const double lines = fmax(high[0] - low[0], high[1] - low[1]) / (g->step > 0.0 ? g->step : 90.0);
  if (lines <= RIA_TICKS_MAX) return RIA_OK;
  return ria_fail(
      ctx, RIA_ERR_ARGUMENT,
      "graticule: %.0f lines, one each %g degrees, are more than %d: give a greater step", lines,
      g->step, RIA_TICKS_MAX);
}

/* Degrees at parts of the domain's width and height, from the south-west. */
static double degrees_at(const ria_graticule *g, bool latitude, double x, double y) {
  const double *v = latitude ? g->y : g->x;
  const double u = fmin(fmax(x, 0.0), 1.0) * (g->n - 1), w = fmin(fmax(y, 0.0), 1.0) * (g->n - 1);
  const int i = u < g->n - 1 ? (int)u : g->n - 2, j = w < g->n - 1 ? (int)w : g->n - 2;
  const double a = u - i, b = w - j;
  v += j * g->n + i;
  return (1 - b) * ((1 - a) * v[0] + a * v[1]) + b * ((1 - a) * v[g->n] + a * v[g->n + 1]);
}

/* --- labels ----------------------------------------------------------------------------------- */

/* The least of the round steps that cuts `span` degrees into at most `most` parts. */
static double round_step(double span, int most) {
  static const double seconds[] = {1,   2,    5,    10,   15,    30,    60,    120,    300,   600,
                                   900, 1800, 3600, 7200, 18000, 36000, 54000, 108000, 162000};
  const size_t n = sizeof seconds / sizeof *seconds;
  size_t k = 0;
  while (k + 1 < n && span > most * seconds[k] / 3600.0) k++;
  return seconds[k] / 3600.0;
}

/* How many degrees there are along the southern edge (up: the western one). */
static double span_along(const ria_graticule *g, bool latitude, bool up) {
  return fabs(degrees_at(g, latitude, up ? 0.0 : 1.0, up ? 1.0 : 0.0) -
              degrees_at(g, latitude, 0.0, 0.0));
}

double ria_graticule_step(const ria_graticule *g, int columns, int rows) {
  if (g->step > 0.0) return g->step;
  const bool turned = span_along(g, true, false) > span_along(g, false, false);
  return fmax(round_step(span_along(g, turned, false), columns),
              round_step(span_along(g, !turned, true), rows));
}

/* Where lines, each `every`-th of them, cross the edge: parts of its length. */
static void cross_edge(const ria_graticule *g, double step, int every, bool up, ria_ticks *out) {
  enum { PARTS = 16 * (NODES - 1) };
  const bool turned = span_along(g, true, false) > span_along(g, false, false);
  const bool latitude = up != turned;
  out->n = 0;
  for (int k = 0; k < PARTS; k++) {
    const double s = (double)k / PARTS, t = (double)(k + 1) / PARTS;
    const double a = degrees_at(g, latitude, up ? 0.0 : s, up ? s : 0.0) / step;
    const double b = degrees_at(g, latitude, up ? 0.0 : t, up ? t : 0.0) / step;
    const double line = fmax(floor(a), floor(b));
    if (floor(a) == floor(b) || fmod(line, every) != 0.0 || out->n == RIA_TICKS_MAX) continue;
    out->at[out->n] = s + (line - a) / (b - a) * (t - s);
    ria_degrees_label(line * step, latitude, step, out->label[out->n]);
    out->n++;
  }
}

/* Do labels of these sizes along the edge keep clear of each other? */
static bool are_clear(const ria_ticks *t, const int *size, int pixels) {
  for (int k = 1; k < t->n; k++)
    if (fabs(t->at[k] - t->at[k - 1]) * pixels < 0.5 * (size[k] + size[k - 1])) return false;
  return true;
}

void ria_graticule_ticks(const frame_layout *l, const ria_graticule *g, int pixels, bool up,
                         ria_ticks *out) {
  static const int every[] = {1, 2, 3, 5, 6, 10, 20, 30, 60};
  for (size_t k = 0; k < sizeof every / sizeof *every; k++) {
    int size[RIA_TICKS_MAX];
    cross_edge(g, l->graticule, every[k], up, out);
    for (int i = 0; i < out->n; i++)
      size[i] = up ? l->text->ascent + frame_px(l, 8)
                   : ria_font_width(l->text, out->label[i]) + frame_px(l, 12);
    if (are_clear(out, size, pixels)) return;
  }
}

/* --- lines ------------------------------------------------------------------------------------ */

/* In pixels; INFINITY where nothing changes. */
static double line_distance(const frame_draft *f, bool latitude, double x, double y) {
  const ria_rect m = f->layout.map;
  const ria_graticule *g = f->in->graticule;
  const double step = f->layout.graticule, w = m.w, h = m.h;
  const double here = degrees_at(g, latitude, x / w, 1.0 - y / h) / step;
  const double dx = degrees_at(g, latitude, (x + 0.5) / w, 1.0 - y / h) -
                    degrees_at(g, latitude, (x - 0.5) / w, 1.0 - y / h);
  const double dy = degrees_at(g, latitude, x / w, 1.0 - (y + 0.5) / h) -
                    degrees_at(g, latitude, x / w, 1.0 - (y - 0.5) / h);
  const double slope = hypot(dx, dy) / step;
  return slope > 0.0 ? fabs(here - rint(here)) / slope : INFINITY;
}

void ria_frame_draw_graticule(frame_draft *f) {
  const ria_rect m = f->layout.map;
  const double half = 0.25 * f->layout.scale;
  if (!(f->layout.graticule > 0.0)) return;
  for (int y = 0; y < m.h; y++)
    for (int x = 0; x < m.w; x++) {
      const double d =
          fmin(line_distance(f, false, x + 0.5, y + 0.5), line_distance(f, true, x + 0.5, y + 0.5));
      const double cover = fmin(0.5 + half - d, 1.0);
      if (cover > 0.0) ria_canvas_blend(&f->canvas, m.x + x, m.y + y, FRAME_INK, 0.55 * cover);
    }
}
