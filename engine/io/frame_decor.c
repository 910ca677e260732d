/* io/frame_decor.c - what stands around the map: title, time, axes, colour bar, and the strip below
 * with scale bar, reference arrow and the meaning of the marks. */
#include "base/text.h"
#include "io/frame_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double tick_length = 4.0;

/* --- header ------------------------------------------------------------------------------- */

/* text cut to fit a width, with dots. */
static void cut_text(const ria_font *font, const char *text, int room, char *out, size_t size) {
  snprintf(out, size, "%s", text);
  size_t n = strlen(out);
  while (n > 0 && ria_font_width(font, out) > room) {
    do n--;
    while (n > 0 && ((unsigned char)out[n] & 0xC0) == 0x80); /* whole characters of UTF-8 */
    out[n] = '\0';
    ria_append(out, size, "\u2026");
  }
  if (n == 0) out[0] = '\0'; /* dots alone say nothing */
}

/* The time at the right, cut to fit; the room that it leaves at the left of it. */
static int draw_time(frame_draft *f, const ria_font *font, int y, const char *time) {
  const frame_layout *l = &f->layout;
  char text[64];
  cut_text(font, time, l->right - l->left, text, sizeof text);
  const int width =
      ria_canvas_text(&f->canvas, font, l->right, y, RIA_ALIGN_RIGHT, FRAME_INK, text);
  return l->right - l->left - width - frame_px(l, 24);
}

static void draw_left(frame_draft *f, const ria_font *font, int y, int room, int ink,
                      const char *text) {
  char line[256];
  cut_text(font, text, room, line, sizeof line);
  if (f->in->sentence && y == f->layout.subtitle_y && line[0] >= 'a' && line[0] <= 'z')
    line[0] = (char)(line[0] - 'a' + 'A');
  ria_canvas_text(&f->canvas, font, f->layout.left, y, RIA_ALIGN_LEFT, ink, line);
}

/* The time stands beside the title, or what there is instead of one. Where that leaves no room for
 * half of it, and a third of the line, it goes below, smaller, and the name ends before it. */
static void draw_header(frame_draft *f) {
  const ria_frame_input *in = f->in;
  const frame_layout *l = &f->layout;
  const char *name = in->long_name ? in->long_name : in->field ? in->field : "";
  const char *head = in->title ? in->title : name;
  const int all = l->right - l->left, y = in->title ? l->title_y : l->subtitle_y;
  char time[64];
  if (in->time_text)
    snprintf(time, sizeof time, "%s", in->time_text);
  else
    ria_label_time(in->time_s, time, sizeof time);
  const int wide = ria_font_width(l->title, head),
            beside = all - ria_font_width(l->title, time) - frame_px(l, 24);
  const bool fits = wide <= beside || 3 * beside >= all || 2 * beside >= wide;
  const int small = l->subtitle_y;
  if (fits) {
    draw_left(f, l->title, y, draw_time(f, l->title, y, time), FRAME_INK, head);
    if (in->title) draw_left(f, l->text, small, all, FRAME_FAINT, name);
  } else {
    const int room = draw_time(f, l->text, small, time);
    if (in->title) draw_left(f, l->title, y, all, FRAME_INK, head);
    draw_left(f, l->text, small, room, in->title ? FRAME_FAINT : FRAME_INK, name);
  }
}

/* --- axes --------------------------------------------------------------------------------- */

static void draw_axes(frame_draft *f) {
  const ria_grid *g = &f->in->grid;
  const frame_layout *l = &f->layout;
  const ria_rect m = l->map;
  int length = frame_px(l, tick_length), base = m.y + m.h + length + frame_px(l, 5);
  for (int k = 0; k < l->ticks_x.n; k++) {
    double at = (l->ticks_x.at[k] * l->unit - l->x0) / (g->nx * g->dx);
    int x = m.x + (int)lrint(at * (m.w - 1));
    ria_canvas_fill(&f->canvas, (ria_rect){x, m.y + m.h + 1, 1, length}, FRAME_FAINT);
    ria_canvas_text(&f->canvas, l->text, x, base + l->text->ascent, RIA_ALIGN_CENTRE, FRAME_FAINT,
                    l->ticks_x.label[k]);
  }
  for (int k = 0; k < l->ticks_y.n; k++) {
    double at = (l->ticks_y.at[k] * l->unit - l->y0) / (g->ny * g->dy);
    int y = m.y + (int)lrint((1.0 - at) * (m.h - 1));
    ria_canvas_fill(&f->canvas, (ria_rect){m.x - 1 - length, y, length, 1}, FRAME_FAINT);
    ria_canvas_text(&f->canvas, l->text, m.x - length - frame_px(l, 5), y + l->text->ascent / 2,
                    RIA_ALIGN_RIGHT, FRAME_FAINT, l->ticks_y.label[k]);
  }
  if (!f->in->graticule)
    ria_canvas_text(&f->canvas, l->text, m.x - length - frame_px(l, 5), m.y - frame_px(l, 8),
                    RIA_ALIGN_RIGHT, FRAME_FAINT, l->unit > 1.0 ? "km" : "m");
  ria_canvas_frame(&f->canvas, (ria_rect){m.x - 1, m.y - 1, m.w + 2, m.h + 2}, FRAME_FAINT);
}

/* --- colour bar --------------------------------------------------------------------------- */

/* Where a value of the field lies on the bar, 0 at its foot to 1 at its top. */
static double along_bar(const frame_draft *f, double v) {
  return ((f->in->scale == RIA_SCALE_LOG ? log10(v) : v) - f->low) / f->span;
}

/* Below the threshold there is clear water: the bar says so too. */
static bool is_clear(const frame_draft *f, double part) {
  const ria_frame_input *in = f->in;
  double v = f->low + part * f->span;
  if (in->threshold == 0.0) return false;
  if (in->scale == RIA_SCALE_LOG) return v < log10(in->threshold);
  return (in->symmetric ? fabs(v) : v) < in->threshold;
}

/* A tip says that the field goes on beyond the end of the bar. */
static void draw_tip(frame_draft *f, bool top) {
  const ria_rect b = f->layout.bar;
  double rise = frame_px(&f->layout, 9), foot = top ? b.y - 1 : b.y + b.h + 1;
  const ria_point corner[3] = {
      {b.x, foot}, {b.x + b.w, foot}, {b.x + 0.5 * b.w, top ? foot - rise : foot + rise}};
  ria_canvas_polygon(&f->canvas, corner, 3, frame_color(f, top ? frame_colors(f) - 1 : 0));
}

static void draw_bar(frame_draft *f) {
  const frame_layout *l = &f->layout;
  const ria_rect b = l->bar;
  for (int y = 0; y < b.h; y++) {
    double part = 1.0 - (y + 0.5) / b.h;
    int k = (int)(part * frame_colors(f));
    int ink = is_clear(f, part) ? FRAME_WATER + 2 : frame_color(f, k);
    ria_canvas_fill(&f->canvas, (ria_rect){b.x, b.y + y, b.w, 1}, ink);
    if (!f->in->ground || is_clear(f, part)) continue;
    uint8_t rgb[3];
    ria_frame_field_rgb(f, (float)part, 0.0f, rgb);
    for (int x = b.x; x < b.x + b.w; x++) ria_canvas_put(&f->canvas, x, b.y + y, ink, rgb);
  }
  if (f->above) draw_tip(f, true);
  if (f->below) draw_tip(f, false);
  ria_canvas_frame(&f->canvas, (ria_rect){b.x - 1, b.y - 1, b.w + 2, b.h + 2}, FRAME_FAINT);
  for (int k = 0; k < l->ticks_bar.n; k++) {
    const char *label = l->ticks_bar.label[k];
    int y = b.y + (int)lrint((1.0 - along_bar(f, l->ticks_bar.at[k])) * (b.h - 1));
    int length = frame_px(l, *label ? tick_length : 0.5 * tick_length);
    ria_canvas_fill(&f->canvas, (ria_rect){b.x + b.w + 1, y, length, 1}, FRAME_FAINT);
    ria_canvas_text(&f->canvas, l->text, b.x + b.w + frame_px(l, 9), y + l->text->ascent / 2,
                    RIA_ALIGN_LEFT, FRAME_INK, label);
  }
  char unit[RIA_LABEL_MAX];
  ria_label_unit(f->in->unit, unit, sizeof unit);
  int rise = frame_px(l, f->above ? 15 : 8);
  ria_canvas_text(&f->canvas, l->text, b.x - 1, b.y - rise, RIA_ALIGN_LEFT, FRAME_INK, unit);
}

/* --- the strip below ---------------------------------------------------------------------- */

/* Each part draws from x on, around the middle line, and returns where the next may begin. */

static int label_after(frame_draft *f, int x, const char *text) {
  const frame_layout *l = &f->layout;
  return x + ria_canvas_text(&f->canvas, l->text, x, l->strip_y + l->text->ascent / 2,
                             RIA_ALIGN_LEFT, FRAME_INK, text);
}

static int draw_scale_bar(frame_draft *f, int x) {
  const frame_layout *l = &f->layout;
  double metres = ria_nice_step(0.4 * frame_px(l, 180) * f->metres_x); /* 72 to 180 px */
  int length = (int)lrint(metres / f->metres_x), height = frame_px(l, 4);
  int y = l->strip_y - height / 2;
  char label[RIA_LABEL_MAX];
  ria_canvas_frame(&f->canvas, (ria_rect){x, y, length, height}, FRAME_INK);
  ria_canvas_fill(&f->canvas, (ria_rect){x, y, length / 2, height}, FRAME_INK);
  ria_label_length(metres, label, sizeof label);
  return label_after(f, x + length + frame_px(l, 8), label);
}

/* Where the map's north is on a picture of a turned grid, which is drawn along its own axes. */
static int draw_north(frame_draft *f, int x) {
  const frame_layout *l = &f->layout;
  const double half = 0.5 * FRAME_ARROW_LENGTH * l->scale;
  double c, s;
  ria_grid_axes(&f->in->grid, &c, &s);
  const ria_point at = {x + half, l->strip_y + 0.5};
  ria_frame_draw_arrow(f, (ria_point){at.x - half * s, at.y + half * c},
                       (ria_point){at.x + half * s, at.y - half * c}, FRAME_INK);
  return label_after(f, x + (int)(2.0 * half) + frame_px(l, 6), "N");
}

static int draw_reference_arrow(frame_draft *f, int x) {
  const frame_layout *l = &f->layout;
  double length = FRAME_ARROW_LENGTH * l->scale;
  char number[RIA_LABEL_MAX], label[2 * RIA_LABEL_MAX];
  ria_label_number(f->arrow, number, sizeof number);
  snprintf(label, sizeof label, "%s m/s", number);
  ria_frame_draw_arrow(f, (ria_point){x, l->strip_y + 0.5},
                       (ria_point){x + length, l->strip_y + 0.5}, FRAME_INK);
  return label_after(f, x + (int)length + frame_px(l, 8), label);
}

static int draw_key(frame_draft *f, int x, ria_mark_kind kind, const char *name) {
  const frame_layout *l = &f->layout;
  int r = frame_px(l, 6);
  ria_frame_draw_symbol(f, kind, (ria_point){x + r, l->strip_y + 0.5});
  return label_after(f, x + 2 * r + frame_px(l, 6), name);
}

static ria_rect swatch_at(const frame_layout *l, int x) {
  int w = frame_px(l, 16), h = frame_px(l, 10);
  return (ria_rect){x, l->strip_y - h / 2, w, h};
}

static int finish_swatch(frame_draft *f, ria_rect r, const char *name) {
  ria_canvas_frame(&f->canvas, r, FRAME_RULE + 2);
  return label_after(f, r.x + r.w + frame_px(&f->layout, 6), name);
}

static int draw_swatch(frame_draft *f, int x, int ink, const char *name) {
  const ria_rect r = swatch_at(&f->layout, x);
  ria_canvas_fill(&f->canvas, r, ink);
  return finish_swatch(f, r, name);
}

static int draw_missing(frame_draft *f, int x) {
  const ria_rect r = swatch_at(&f->layout, x);
  for (int j = 0; j < r.h; j++)
    for (int i = 0; i < r.w; i++) {
      const int ink = ria_frame_missing_ink(&f->layout, i, j);
      ria_canvas_fill(&f->canvas, (ria_rect){r.x + i, r.y + j, 1, 1}, ink);
    }
  return finish_swatch(f, r, "no data");
}

/* What is wet and drawn as land. */
static void draw_thin(frame_draft *f, int x) {
  char depth[RIA_LABEL_MAX], label[2 * RIA_LABEL_MAX];
  ria_label_length(1e-3 * rint(1e3 * (double)f->film), depth, sizeof depth);
  if (f->film < 0.001f) ria_label_length((double)f->film, depth, sizeof depth);
  snprintf(label, sizeof label, "land, water below %s", depth);
  draw_swatch(f, x, FRAME_LAND + FRAME_LAND_N * 2 / 3, label);
}

static void draw_strip(frame_draft *f) {
  const ria_frame_input *in = f->in;
  const int gap = frame_px(&f->layout, 24);
  bool has[2] = {false, false};
  for (size_t k = 0; k < in->n_marks; k++) has[in->marks[k].kind == RIA_MARK_SPILL] = true;
  int x = draw_scale_bar(f, f->layout.left) + gap;
  if (in->grid.angle != 0.0) x = draw_north(f, x) + gap;
  if (f->arrow > 0.0) x = draw_reference_arrow(f, x) + gap;
  if (in->n_traces && in->traces_label)
    x = label_after(f, ria_frame_draw_trace_key(f, x), in->traces_label) + gap;
  if (has[0]) x = draw_key(f, x, RIA_MARK_GAUGE, "gauge") + gap;
  if (has[1]) x = draw_key(f, x, RIA_MARK_SPILL, "spill") + gap;
  if (in->scale == RIA_SCALE_LOG || in->threshold != 0.0) {
    char number[RIA_LABEL_MAX], unit[RIA_LABEL_MAX], label[3 * RIA_LABEL_MAX];
    ria_label_number(in->threshold != 0.0 ? in->threshold : in->vmin, number, sizeof number);
    ria_label_unit(in->unit, unit, sizeof unit);
    snprintf(label, sizeof label, "below %s %s", number, unit);
    x = draw_swatch(f, x, FRAME_WATER + 2, label) + gap;
  }
  if (f->gaps) x = draw_swatch(f, x, FRAME_OUTSIDE, "outside the domain") + gap;
  if (f->missing) x = draw_missing(f, x) + gap;
  if (f->thin) draw_thin(f, x);
}

void ria_frame_draw_decor(frame_draft *f) {
  draw_header(f);
  draw_axes(f);
  draw_bar(f);
  draw_strip(f);
}
