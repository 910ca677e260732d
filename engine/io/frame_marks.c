/* io/frame_marks.c - what lies on the map: gauges, spills and their names, arrows.
 *
 * Names are put to the right of their mark, or left, above or below where that is taken or outside
 * the map; a name that has no room anywhere is left out, its mark stays. */
#include "io/frame_draw.h"

#include <math.h>
#include <stdlib.h>

ria_point ria_frame_on_map(const frame_draft *f, double x, double y) {
  const ria_grid *g = &f->in->grid;
  const ria_rect m = f->layout.map;
  ria_grid_from_map(g, &x, &y);
  return (ria_point){m.x + (x - g->x0) / (g->nx * g->dx) * m.w,
                     m.y + (1.0 - (y - g->y0) / (g->ny * g->dy)) * m.h};
}

static bool in_rect(ria_point p, ria_rect r) {
  return p.x >= r.x && p.y >= r.y && p.x <= r.x + r.w && p.y <= r.y + r.h;
}

/* --- symbols ------------------------------------------------------------------------------ */

static void draw_triangle(frame_draft *f, ria_point at, double size, int ink) {
  const ria_point corner[3] = {{at.x, at.y - size},
                               {at.x - 0.92 * size, at.y + 0.66 * size},
                               {at.x + 0.92 * size, at.y + 0.66 * size}};
  ria_canvas_polygon(&f->canvas, corner, 3, ink);
}

static void draw_cross(frame_draft *f, ria_point at, double size, double width, int ink) {
  ria_canvas_line(&f->canvas, (ria_point){at.x - size, at.y - size},
                  (ria_point){at.x + size, at.y + size}, width, ink);
  ria_canvas_line(&f->canvas, (ria_point){at.x - size, at.y + size},
                  (ria_point){at.x + size, at.y - size}, width, ink);
}

void ria_frame_draw_symbol(frame_draft *f, ria_mark_kind kind, ria_point at) {
  double u = f->layout.scale;
  if (kind == RIA_MARK_GAUGE) {
    draw_triangle(f, at, 8.6 * u, FRAME_PAPER);
    draw_triangle(f, at, 7.0 * u, FRAME_INK);
    draw_triangle(f, at, 4.2 * u, FRAME_GAUGE);
  } else {
    draw_cross(f, at, 4.6 * u, 5.0 * u, FRAME_PAPER);
    draw_cross(f, at, 4.6 * u, 2.4 * u, FRAME_SPILL);
  }
}

/* --- names -------------------------------------------------------------------------------- */

static bool apart(ria_rect a, ria_rect b) {
  return a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
}

static bool inside(ria_rect a, ria_rect b) {
  return a.x >= b.x && a.y >= b.y && a.x + a.w <= b.x + b.w && a.y + a.h <= b.y + b.h;
}

static bool is_free(const frame_taken *t, ria_rect r, int except) {
  for (int k = 0; k < t->n; k++)
    if (k != except && !apart(t->rect[k], r)) return false;
  return true;
}

void ria_frame_draw_name(frame_draft *f, frame_taken *t, int mark, ria_point at, const char *name) {
  const frame_layout *l = &f->layout;
  int w = ria_font_width(l->text, name), h = l->text->ascent, gap = frame_px(l, 11);
  int x = (int)at.x, y = (int)at.y;
  const ria_rect place[4] = {{x + gap, y - h / 2, w, h},
                             {x - gap - w, y - h / 2, w, h},
                             {x - w / 2, y - gap - h, w, h},
                             {x - w / 2, y + gap - 2, w, h}};
  for (int k = 0; k < 4; k++) {
    ria_rect r = place[k], room = {r.x - 3, r.y - 3, r.w + 6, r.h + 6};
    if (!inside(room, l->map) || !is_free(t, room, mark)) continue;
    t->rect[t->n++] = room;
    ria_canvas_halo(&f->canvas, l->text, r.x, r.y + h, FRAME_PAPER, name);
    ria_canvas_text(&f->canvas, l->text, r.x, r.y + h, RIA_ALIGN_LEFT, FRAME_INK, name);
    return;
  }
}

static ria_point middle_of(const frame_draft *f, const ria_picture_line *line) {
  const ria_point a = ria_frame_on_map(f, line->from[0], line->from[1]),
                  b = ria_frame_on_map(f, line->to[0], line->to[1]);
  return (ria_point){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
}

/* Half of one along a side of the map is cut off. */
static void draw_lines(frame_draft *f, frame_taken *t) {
  const ria_frame_input *in = f->in;
  const double u = f->layout.scale;
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < in->n_lines; i++) {
      const ria_picture_line *line = &in->lines[i];
      ria_canvas_line(&f->canvas, ria_frame_on_map(f, line->from[0], line->from[1]),
                      ria_frame_on_map(f, line->to[0], line->to[1]), (k ? 8.0 : 12.0) * u,
                      k ? FRAME_SPILL : FRAME_PAPER);
    }
  for (size_t i = 0; i < in->n_lines && t->n < FRAME_LABELS_MAX; i++)
    if (in->lines[i].name)
      ria_frame_draw_name(f, t, -1, middle_of(f, &in->lines[i]), in->lines[i].name);
}

void ria_frame_draw_marks(frame_draft *f) {
  const ria_frame_input *in = f->in;
  const frame_layout *l = &f->layout;
  frame_taken t = {0};
  ria_canvas_clip(&f->canvas, l->map);
  draw_lines(f, &t);
  const int lines = t.n;
  for (size_t k = 0; k < in->n_marks; k++) {
    ria_point at = ria_frame_on_map(f, in->marks[k].x, in->marks[k].y);
    if (!in_rect(at, l->map)) continue;
    ria_frame_draw_symbol(f, in->marks[k].kind, at);
    int r = frame_px(l, 8);
    if (t.n < FRAME_LABELS_MAX)
      t.rect[t.n++] = (ria_rect){(int)at.x - r, (int)at.y - r, 2 * r, 2 * r};
  }
  int mark = lines, marks = t.n; /* names after all marks, so that they keep clear of them */
  for (size_t k = 0; k < in->n_marks && mark < marks; k++) {
    ria_point at = ria_frame_on_map(f, in->marks[k].x, in->marks[k].y);
    if (!in_rect(at, l->map)) continue;
    if (in->marks[k].label && *in->marks[k].label)
      ria_frame_draw_name(f, &t, mark, at, in->marks[k].label);
    mark++;
  }
  ria_canvas_unclip(&f->canvas);
}

/* --- arrows ------------------------------------------------------------------------------- */

void ria_frame_draw_arrow(frame_draft *f, ria_point from, ria_point to, int ink) {
  double u = f->layout.scale, dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
  if (!(length > 1.5 * u)) return;
  double head = fmin(5.5 * u, 0.5 * length), ex = dx / length, ey = dy / length;
  ria_point neck = {to.x - head * ex, to.y - head * ey};
  const ria_point tip[3] = {to,
                            {neck.x - 0.42 * head * ey, neck.y + 0.42 * head * ex},
                            {neck.x + 0.42 * head * ey, neck.y - 0.42 * head * ex}};
  ria_canvas_line(&f->canvas, from, neck, 1.15 * u, ink);
  ria_canvas_polygon(&f->canvas, tip, 3, ink);
}

/* The mean velocity over the wet cells around a point of the map; false where there are none. */
static bool velocity_near(const frame_draft *f, ria_point at, double reach, double *u, double *v) {
  const ria_frame_input *in = f->in;
  const ria_rect m = f->layout.map;
  double per_x = f->columns / m.w, per_y = f->rows / m.h;
  int i0 = (int)floor((at.x - reach - m.x) * per_x), i1 = (int)ceil((at.x + reach - m.x) * per_x);
  int j0 = (int)floor((m.y + m.h - at.y - reach) * per_y);
  int j1 = (int)ceil((m.y + m.h - at.y + reach) * per_y);
  double su = 0.0, sv = 0.0;
  int n = 0, all = 0;
  int step_i = 1 + (i1 - i0) / 16, step_j = 1 + (j1 - j0) / 16; /* 256 samples are plenty */
  for (int j = j0 < 0 ? 0 : j0; j < j1 && j < f->ny; j += step_j)
    for (int i = i0 < 0 ? 0 : i0; i < i1 && i < f->nx; i += step_i) {
      size_t k = (size_t)j * (size_t)f->nx + (size_t)i;
      all++;
      if ((in->depth && !(in->depth[k] >= f->film)) || !isfinite(in->u[k] + in->v[k])) continue;
      su += (double)in->u[k];
      sv += (double)in->v[k];
      n++;
    }
  if (2 * n <= all) return false;
  *u = su / n;
  *v = sv / n;
  return true;
}

/* Light arrows on dark colours, dark ones on light. */
static int arrow_ink(const frame_draft *f, ria_point at) {
  const uint8_t *rgb =
      f->canvas.palette[f->canvas.pixel[(size_t)at.y * (size_t)f->canvas.width + (size_t)at.x]];
  return 3 * rgb[0] + 6 * rgb[1] + rgb[2] < 10 * 110 ? FRAME_PAPER : FRAME_INK;
}

static double greatest_speed(const frame_draft *f, double spacing, double reach) {
  const ria_rect m = f->layout.map;
  double most = 0.0, u, v;
  for (double y = m.y + 0.5 * spacing; y < m.y + m.h; y += spacing)
    for (double x = m.x + 0.5 * spacing; x < m.x + m.w; x += spacing)
      if (velocity_near(f, (ria_point){x, y}, reach, &u, &v)) most = fmax(most, hypot(u, v));
  return most;
}

void ria_frame_draw_arrows(frame_draft *f) {
  if (!f->in->u || !f->in->v) return;
  const ria_rect m = f->layout.map;
  double spacing = FRAME_ARROW_SPACING * f->layout.scale, reach = 0.3 * spacing, u, v;
  double most = f->in->arrow_speed > 0.0 ? 0.0 : greatest_speed(f, spacing, reach);
  f->arrow = f->in->arrow_speed > 0.0 ? f->in->arrow_speed
             : most > 1e-6            ? ria_nice_step(0.6 * most)
                                      : 0.0;
  if (f->arrow == 0.0) return;
  ria_canvas_clip(&f->canvas, m);
  for (double y = m.y + 0.5 * spacing; y < m.y + m.h; y += spacing)
    for (double x = m.x + 0.5 * spacing; x < m.x + m.w; x += spacing) {
      ria_point at = {x, y};
      if (!velocity_near(f, at, reach, &u, &v)) continue;
      double size = FRAME_ARROW_LENGTH * f->layout.scale / f->arrow; /* px per m/s */
      double longest = 1.6 * spacing / fmax(hypot(u, v) * size, 1e-9);
      if (longest < 1.0) size *= longest;
      double ax = 0.5 * u * size, ay = -0.5 * v * size;
      ria_frame_draw_arrow(f, (ria_point){x - ax, y - ay}, (ria_point){x + ax, y + ay},
                           arrow_ink(f, at));
    }
  ria_canvas_unclip(&f->canvas);
}
