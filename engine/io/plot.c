/* io/plot.c - line charts as PNG: panels one below the other.
 *
 * A panel's head holds its title and, to the right, the legend; the axes stand below it with light
 * grid lines at 1-2-5 steps. A line is drawn into a mask of coverage first, each pixel keeping the
 * greatest coverage of any of its segments, and inked once: joints and bunches of short segments
 * come out as smooth as single strokes. */
#include "base/ranks.h"
#include "base/limit.h"
#include "io/canvas.h"
#include "io/file.h"
#include "io/target.h"
#include "io/png.h"
#include "io/ticks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 900, PANEL = 260, LARGE = 1500, LEAST = 120, PIXELS_MAX = 16384, TINTS = 6 };

/* The palette: paper, greys up to ink, then each line's colour with tints towards paper. */
enum { PAPER = 0, GRID = 1, ZERO = 3, FAINT = 6, INK = 9, GREYS = 10, LINES_MAX = 40 };

static const uint8_t standard_color[][3] = {{0, 101, 163},  {213, 84, 20},  {0, 133, 104},
                                            {136, 80, 160}, {204, 146, 0},  {80, 156, 208},
                                            {184, 32, 68},  {104, 112, 120}};
enum { STANDARD_COLORS = sizeof standard_color / sizeof *standard_color };

typedef struct chart {
  ria_context *ctx;
  const ria_plot_desc *desc;
  ria_canvas canvas;
  double scale;
  const ria_font *text, *title;
  uint8_t *mask;         /* coverage of a line, of the whole picture */
  int ink_of[LINES_MAX]; /* palette index of each colour in use */
  uint8_t rgb_of[LINES_MAX][3];
  int n_inks;
} chart;

static int px(const chart *c, double v) { return (int)(v * c->scale + 0.5); }

/* --- colours ------------------------------------------------------------------------------ */

static void set_greys(ria_canvas *c) {
  for (int k = 0; k < GREYS; k++) {
    double w = k == 0 ? 0.0 : 0.1 + 0.9 * (k - 1) / (GREYS - 2.0);
    ria_canvas_color(c, (int)(255 - 225 * w), (int)(255 - 218 * w), (int)(255 - 211 * w));
  }
}

/* The palette index of a colour, added with its tints when it is new. */
static int ink_for(chart *c, const uint8_t rgb[3]) {
  for (int k = 0; k < c->n_inks; k++)
    if (memcmp(c->rgb_of[k], rgb, 3) == 0) return c->ink_of[k];
  if (c->n_inks == LINES_MAX) return INK;
  for (int k = 1; k < TINTS; k++) {
    int tint[3];
    for (int p = 0; p < 3; p++) tint[p] = 255 - (255 - rgb[p]) * k / TINTS;
    ria_canvas_color(&c->canvas, tint[0], tint[1], tint[2]);
  }
  int ink = ria_canvas_color(&c->canvas, rgb[0], rgb[1], rgb[2]);
  memcpy(c->rgb_of[c->n_inks], rgb, 3);
  c->ink_of[c->n_inks++] = ink;
  return ink;
}

static bool has_color(const ria_plot_line *line) {
  return line->color[0] || line->color[1] || line->color[2];
}

/* A line without a colour of its own gets the next of the standard ones. */
static int line_ink(chart *c, const ria_plot_panel *panel, size_t k) {
  if (has_color(&panel->lines[k])) return ink_for(c, panel->lines[k].color);
  size_t before = 0;
  for (size_t i = 0; i < k; i++) before += !has_color(&panel->lines[i]);
  return ink_for(c, standard_color[before % STANDARD_COLORS]);
}

/* --- ranges ------------------------------------------------------------------------------- */

typedef struct range {
  double lo, hi;
} range;

static void widen(range *r, const double *v, size_t n) {
  for (size_t k = 0; k < n; k++) {
    if (!isfinite(v[k])) continue;
    r->lo = fmin(r->lo, v[k]);
    r->hi = fmax(r->hi, v[k]);
  }
}

static range settle(range r, double pad) {
  if (!(r.hi >= r.lo)) return (range){0.0, 1.0};
  double size = r.hi - r.lo;
  if (!(size > 1e-12 * fmax(fabs(r.lo), fabs(r.hi)))) {
    double around = r.lo != 0.0 ? 0.5 * fabs(r.lo) : 1.0;
    return (range){r.lo - around, r.lo + around};
  }
  return (range){r.lo - pad * size, r.hi + pad * size};
}

static void find_ranges(const ria_plot_panel *p, range *x, range *y) {
  *x = *y = (range){INFINITY, -INFINITY};
  for (size_t k = 0; k < p->n_lines; k++) {
    widen(x, p->lines[k].x, p->lines[k].n);
    widen(y, p->lines[k].y, p->lines[k].n);
  }
  *x = p->xmax > p->xmin ? (range){p->xmin, p->xmax} : settle(*x, 0.0);
  *y = p->ymax > p->ymin ? (range){p->ymin, p->ymax} : settle(*y, 0.06);
}

/* --- a panel ------------------------------------------------------------------------------ */

typedef struct panel_box {
  ria_rect plot; /* within the axes */
  range x, y;
  ria_ticks ticks_x, ticks_y;
} panel_box;

static ria_point to_pixel(const panel_box *b, double x, double y) {
  return (ria_point){b->plot.x + (x - b->x.lo) / (b->x.hi - b->x.lo) * b->plot.w,
                     b->plot.y + (b->y.hi - y) / (b->y.hi - b->y.lo) * b->plot.h};
}

static int widest(const ria_font *font, const ria_ticks *t) {
  int most = 0;
  for (int k = 0; k < t->n; k++) {
    int w = ria_font_width(font, t->label[k]);
    most = w > most ? w : most;
  }
  return most;
}

static void measure_ticks(const chart *c, const ria_plot_panel *p, ria_rect box, panel_box *b) {
  find_ranges(p, &b->x, &b->y);
  int across = box.w / px(c, 90), up = box.h / px(c, 42);
  ria_ticks_linear(b->x.lo, b->x.hi, across < 2 ? 2 : across > 12 ? 12 : across, &b->ticks_x);
  ria_ticks_linear(b->y.lo, b->y.hi, up < 2 ? 2 : up > 8 ? 8 : up, &b->ticks_y);
}

/* left: the room for labels of the y axis, the same for all panels. */
static void lay_out(const chart *c, const ria_plot_panel *p, ria_rect box, int left, panel_box *b) {
  int top = px(c, 36), bottom = px(c, p->xlabel && *p->xlabel ? 46 : 26), right = px(c, 24);
  b->plot = (ria_rect){box.x + left, box.y + top, box.w - left - right, box.h - top - bottom};
  if (b->plot.w < 8) b->plot.w = 8;
  if (b->plot.h < 8) b->plot.h = 8;
}

static int y_axis_room(const chart *c, const ria_plot_panel *p, const panel_box *b) {
  int label = p->ylabel && *p->ylabel ? c->text->ascent + px(c, 12) : 0;
  return px(c, 18) + label + widest(c->text, &b->ticks_y) + px(c, 7);
}

static void draw_grid(chart *c, const panel_box *b) {
  const ria_rect r = b->plot;
  for (int k = 0; k < b->ticks_x.n; k++) {
    int x = (int)lrint(to_pixel(b, b->ticks_x.at[k], 0.0).x);
    ria_canvas_fill(&c->canvas, (ria_rect){x, r.y, 1, r.h}, GRID);
    ria_canvas_text(&c->canvas, c->text, x, r.y + r.h + px(c, 7) + c->text->ascent,
                    RIA_ALIGN_CENTRE, FAINT, b->ticks_x.label[k]);
  }
  for (int k = 0; k < b->ticks_y.n; k++) {
    double v = b->ticks_y.at[k];
    int y = (int)lrint(to_pixel(b, 0.0, v).y);
    ria_canvas_fill(&c->canvas, (ria_rect){r.x, y, r.w, 1}, v == 0.0 ? ZERO : GRID);
    ria_canvas_text(&c->canvas, c->text, r.x - px(c, 7), y + c->text->ascent / 2, RIA_ALIGN_RIGHT,
                    FAINT, b->ticks_y.label[k]);
  }
}

static void draw_labels(chart *c, const ria_plot_panel *p, const panel_box *b, ria_rect box) {
  const ria_rect r = b->plot;
  if (p->xlabel)
    ria_canvas_text(&c->canvas, c->text, r.x + r.w / 2, r.y + r.h + px(c, 36), RIA_ALIGN_CENTRE,
                    INK, p->xlabel);
  if (p->ylabel)
    ria_canvas_text_up(&c->canvas, c->text, box.x + px(c, 16) + c->text->ascent, r.y + r.h / 2,
                       RIA_ALIGN_CENTRE, INK, p->ylabel);
  if (p->title)
    ria_canvas_text(&c->canvas, c->text, r.x, r.y - px(c, 11), RIA_ALIGN_LEFT, INK, p->title);
}

/* --- lines -------------------------------------------------------------------------------- */

/* Coverage of a stroke from a to b into the mask, each pixel keeping its greatest. */
static void stroke(chart *c, ria_rect within, ria_point a, ria_point b, double width) {
  double half = 0.5 * width, dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  double right = within.x + within.w, foot = within.y + within.h;
  int x0 = (int)fmax(within.x, fmin(a.x, b.x) - half - 1.0);
  int x1 = (int)fmin(right - 1.0, fmax(a.x, b.x) + half + 1.0);
  for (int x = x0; x <= x1; x++) {
    /* the part of the segment near this column bounds the rows to look at */
    double s0 = dx != 0.0 ? (x - half - 1.5 - a.x) / dx : 0.0;
    double s1 = dx != 0.0 ? (x + half + 1.5 - a.x) / dx : 1.0;
    double t0 = fmin(fmax(fmin(s0, s1), 0.0), 1.0), t1 = fmin(fmax(fmax(s0, s1), 0.0), 1.0);
    double ya = a.y + t0 * dy, yb = a.y + t1 * dy;
    int y0 = (int)fmax(within.y, fmin(ya, yb) - half - 1.0);
    int y1 = (int)fmin(foot - 1.0, fmax(ya, yb) + half + 1.0);
    for (int y = y0; y <= y1; y++) {
      double qx = x + 0.5 - a.x, qy = y + 0.5 - a.y;
      double s = length2 > 0.0 ? (qx * dx + qy * dy) / length2 : 0.0;
      s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
      double cover = 0.5 + half - hypot(qx - s * dx, qy - s * dy);
      uint8_t level = (uint8_t)(255.0 * (cover < 0.0 ? 0.0 : cover > 1.0 ? 1.0 : cover));
      uint8_t *m = &c->mask[(size_t)y * (size_t)c->canvas.width + (size_t)x];
      if (level > *m) *m = level;
    }
  }
}

/* Ink what the mask covers and clear it. */
static void ink_mask(chart *c, ria_rect within, int ink) {
  for (int y = within.y; y < within.y + within.h; y++)
    for (int x = within.x; x < within.x + within.w; x++) {
      uint8_t *m = &c->mask[(size_t)y * (size_t)c->canvas.width + (size_t)x];
      if (*m) ria_canvas_blend(&c->canvas, x, y, ink, *m / 255.0);
      *m = 0;
    }
}

/* Where a line beyond the picture is cut: far enough not to bend what is seen. */
static ria_point tame(ria_point p) {
  const double far = 1e5;
  return (ria_point){fmin(fmax(p.x, -far), far), fmin(fmax(p.y, -far), far)};
}

static void draw_line(chart *c, const panel_box *b, const ria_plot_line *line, int ink) {
  bool dense = (double)line->n * 4.0 * c->scale > b->plot.w; /* marks would run together */
  double width = (line->points ? (dense ? 3.2 : 4.4) : 1.7) * c->scale;
  bool drawing = false;
  ria_point last = {0.0, 0.0};
  for (size_t k = 0; k < line->n; k++) {
    if (!isfinite(line->x[k]) || !isfinite(line->y[k])) {
      drawing = false;
      continue;
    }
    ria_point at = tame(to_pixel(b, line->x[k], line->y[k]));
    if (line->points)
      stroke(c, b->plot, at, at, width);
    else
      stroke(c, b->plot, drawing ? last : at, at, width);
    last = at;
    drawing = true;
  }
  ink_mask(c, b->plot, ink);
}

/* From the right: names and a piece of each line. */
static void draw_legend(chart *c, const ria_plot_panel *p, const panel_box *b) {
  int x = b->plot.x + b->plot.w, y = b->plot.y - px(c, 11), sample = px(c, 20);
  for (size_t k = p->n_lines; k-- > 0;) {
    const ria_plot_line *line = &p->lines[k];
    if (!line->label || !*line->label) continue;
    x -= ria_canvas_text(&c->canvas, c->text, x, y, RIA_ALIGN_RIGHT, INK, line->label);
    x -= px(c, 7);
    double middle = y - 0.45 * c->text->ascent;
    int ink = line_ink(c, p, k);
    if (line->points)
      ria_canvas_disc(&c->canvas, (ria_point){x - 0.5 * sample, middle}, 2.6 * c->scale, ink);
    else
      ria_canvas_line(&c->canvas, (ria_point){x - sample, middle}, (ria_point){x, middle},
                      2.0 * c->scale, ink);
    x -= sample + px(c, 16);
  }
}

static void draw_panel(chart *c, const ria_plot_panel *p, const panel_box *b, ria_rect box) {
  draw_grid(c, b);
  draw_labels(c, p, b, box);
  for (int points = 0; points < 2; points++) /* marks lie on top of lines */
    for (size_t k = 0; k < p->n_lines; k++)
      if (p->lines[k].points == (points == 1)) draw_line(c, b, &p->lines[k], line_ink(c, p, k));
  const ria_rect r = b->plot;
  ria_canvas_fill(&c->canvas, (ria_rect){r.x - 1, r.y, 1, r.h + 1}, FAINT);
  ria_canvas_fill(&c->canvas, (ria_rect){r.x - 1, r.y + r.h, r.w + 1, 1}, FAINT);
  draw_legend(c, p, b);
}

/* --- the chart ---------------------------------------------------------------------------- */

static void draw(chart *c, panel_box *boxes) {
  const ria_plot_desc *d = c->desc;
  int head = d->title && *d->title ? px(c, 40) : px(c, 6), n = (int)d->n_panels, left = 0;
  int foot = px(c, 8), each = (c->canvas.height - head - foot) / n;
  ria_canvas_fill(&c->canvas, c->canvas.clip, PAPER);
  for (int k = 0; k < n; k++) {
    ria_rect box = {0, head + k * each, c->canvas.width, each};
    measure_ticks(c, &d->panels[k], box, &boxes[k]);
    int room = y_axis_room(c, &d->panels[k], &boxes[k]);
    left = room > left ? room : left;
  }
  if (d->title)
    ria_canvas_text(&c->canvas, c->title, left, px(c, 32), RIA_ALIGN_LEFT, INK, d->title);
  for (int k = 0; k < n; k++) {
    ria_rect box = {0, head + k * each, c->canvas.width, each};
    lay_out(c, &d->panels[k], box, left, &boxes[k]);
    draw_panel(c, &d->panels[k], &boxes[k], box);
  }
}

static ria_status write_chart(const chart *c, char *err, size_t errsize) {
  char software[64];
  snprintf(software, sizeof software, "ria %s", ria_version());
  const ria_png_text texts[] = {{"Title", c->desc->title}, {"Software", software}};
  ria_buffer png = {0};
  ria_status s = ria_png_encode(&c->canvas, texts, 2, 0, &png, err, errsize);
  if (s == RIA_OK) s = ria_target_write(c->ctx, c->desc->path, png.data, png.n, err, errsize);
  ria_buffer_free(&png);
  return s;
}

static ria_status check(ria_context *ctx, const ria_plot_desc *d) {
  if (!d->path || !*d->path) return ria_fail(ctx, RIA_ERR_ARGUMENT, "a plot needs a path");
  if (d->n_panels == 0 || d->n_panels > 64)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "a plot has %zu panels, but must have 1 to 64",
                    d->n_panels);
  if (d->width < 0 || d->height < 0 || d->width > PIXELS_MAX || d->height > PIXELS_MAX)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "a plot is %d x %d pixels, but at most %d x %d are possible", d->width,
                    d->height, PIXELS_MAX, PIXELS_MAX);
  return RIA_OK;
}

static int even_at_least(int n, int least) {
  n = n > least ? n : least;
  return n + (n & 1);
}

static ria_status plot(ria_context *ctx, const ria_plot_desc *desc) {
  int width = even_at_least(desc->width ? desc->width : WIDTH, LEAST);
  bool large = width >= LARGE;
  double scale = large ? 5.0 / 3.0 : 1.0;
  int head = desc->title && *desc->title ? 40 : 0;
  int height = desc->height ? desc->height : (int)(scale * (head + PANEL * (int)desc->n_panels));
  chart *c = calloc(1, sizeof *c);
  panel_box *boxes = calloc(desc->n_panels, sizeof *boxes);
  bool ok = c && boxes;
  if (ok) {
    c->ctx = ctx;
    c->desc = desc;
    c->scale = scale;
    c->text = ria_font_text(large);
    c->title = ria_font_title(large);
    ok = ria_canvas_init(&c->canvas, width, even_at_least(height, LEAST));
    c->mask = calloc((size_t)width, (size_t)c->canvas.height);
    ok = ok && c->mask;
  }
  char err[RIA_ERR_TEXT] = "out of memory for a plot";
  ria_status s = RIA_ERR_MEMORY;
  if (ok) {
    set_greys(&c->canvas);
    draw(c, boxes);
    s = write_chart(c, err, sizeof err);
  }
  if (c) {
    ria_canvas_free(&c->canvas);
    free(c->mask);
  }
  free(c);
  free(boxes);
  return s == RIA_OK ? s : ria_fail(ctx, s, "%s", err);
}

ria_status ria_plot(ria_context *ctx, const ria_plot_desc *desc) {
  if (!desc) return ria_fail(ctx, RIA_ERR_ARGUMENT, "a plot needs its description: it is NULL");
  RIA_TRY(check(ctx, desc));
  RIA_TRY(ria_limit_count(ctx, RIA_LIMIT_FRAMES, 1));
  return ria_ranks_wrote(ctx, ria_ranks_write(ctx) ? plot(ctx, desc) : RIA_OK);
}
