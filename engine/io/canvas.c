/* io/canvas.c - drawing in 256 colours with smooth edges.
 *
 * Shapes are drawn from their signed distance d to the centre of each pixel nearby: the pixel is
 * covered by 0.5 - d, cut to 0..1. That is exact for straight edges along the axes and good to a
 * few hundredths for others.
 *
 * Mixing cover of an ink into a colour gives an RGB that the palette need not hold; the nearest one
 * it does hold stands in. Looking for it takes 256 comparisons, so mixtures of the ink in use are
 * kept, by colour below and cover in 16 steps. */
#include "io/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COVERS = 16, UNKNOWN = 0xFFFF };

bool ria_canvas_init(ria_canvas *c, int width, int height) {
  *c = (ria_canvas){.width = width, .height = height, .mix_ink = -1};
  c->pixel = calloc((size_t)width, (size_t)height);
  ria_canvas_unclip(c);
  return c->pixel != NULL;
}

void ria_canvas_free(ria_canvas *c) {
  free(c->pixel);
  free(c->own);
  free(c->stand_in);
  c->pixel = c->own = c->stand_in = NULL;
}

bool ria_canvas_own_colors(ria_canvas *c) {
  const size_t n = (size_t)c->width * (size_t)c->height;
  c->stand_in = malloc(n);
  c->own = malloc(3 * n);
  if (!c->stand_in || !c->own) return false;
  for (int y = 0; y < c->height; y++)
    for (int x = 0; x < c->width; x++) {
      const int ink = c->pixel[(size_t)y * (size_t)c->width + (size_t)x];
      ria_canvas_put(c, x, y, ink, c->palette[ink]);
    }
  return true;
}

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

static ria_rect overlap(ria_rect a, ria_rect b) {
  int x = larger(a.x, b.x), y = larger(a.y, b.y);
  int w = smaller(a.x + a.w, b.x + b.w) - x, h = smaller(a.y + a.h, b.y + b.h) - y;
  return (ria_rect){x, y, larger(w, 0), larger(h, 0)};
}

void ria_canvas_unclip(ria_canvas *c) { c->clip = (ria_rect){0, 0, c->width, c->height}; }

void ria_canvas_clip(ria_canvas *c, ria_rect r) {
  c->clip = overlap(r, (ria_rect){0, 0, c->width, c->height});
}

int ria_canvas_color(ria_canvas *c, int red, int green, int blue) {
  int k = c->colors < 256 ? c->colors++ : 255;
  c->palette[k][0] = (uint8_t)red;
  c->palette[k][1] = (uint8_t)green;
  c->palette[k][2] = (uint8_t)blue;
  c->mix_ink = -1;
  return k;
}

/* --- mixing ------------------------------------------------------------------------------- */

/* Squared distance of colours, green weighing most and blue least, as the eye has it. */
static int nearest_color(const ria_canvas *c, const int rgb[3]) {
  int best = 0, least = 1 << 30;
  for (int k = 0; k < c->colors; k++) {
    int r = c->palette[k][0] - rgb[0], g = c->palette[k][1] - rgb[1], b = c->palette[k][2] - rgb[2];
    int d = 3 * r * r + 4 * g * g + 2 * b * b;
    if (d < least) {
      least = d;
      best = k;
    }
  }
  return best;
}

static int mixture(ria_canvas *c, int below, int ink, int cover) {
  if (c->mix_ink != ink) {
    memset(c->mix, 0xFF, sizeof c->mix);
    c->mix_ink = ink;
  }
  uint16_t *known = &c->mix[below][cover];
  if (*known == UNKNOWN) {
    int rgb[3];
    for (int k = 0; k < 3; k++) {
      int from = c->palette[below][k], to = c->palette[ink][k];
      rgb[k] = from + ((to - from) * cover + (to > from ? 7 : -7)) / (COVERS - 1);
    }
    *known = (uint16_t)nearest_color(c, rgb);
  }
  return *known;
}

/* cover 0..15 */
static void blend(ria_canvas *c, int x, int y, int ink, int cover) {
  if (cover <= 0) return;
  if (x < c->clip.x || y < c->clip.y || x >= c->clip.x + c->clip.w || y >= c->clip.y + c->clip.h)
    return;
  uint8_t *p = &c->pixel[(size_t)y * (size_t)c->width + (size_t)x];
  *p = (uint8_t)(cover >= COVERS - 1 ? ink : mixture(c, *p, ink, cover));
}

void ria_canvas_blend(ria_canvas *c, int x, int y, int ink, double cover) {
  blend(c, x, y, ink, (int)lrint(fmin(cover, 1.0) * (COVERS - 1)));
}

void ria_canvas_put(ria_canvas *c, int x, int y, int ink, const uint8_t rgb[3]) {
  const size_t at = (size_t)y * (size_t)c->width + (size_t)x;
  c->pixel[at] = c->stand_in[at] = (uint8_t)ink;
  memcpy(c->own + 3 * at, rgb, 3);
}

const uint8_t *ria_canvas_at(const ria_canvas *c, int x, int y) {
  const size_t at = (size_t)y * (size_t)c->width + (size_t)x;
  return c->own && c->pixel[at] == c->stand_in[at] ? c->own + 3 * at : c->palette[c->pixel[at]];
}

/* --- shapes ------------------------------------------------------------------------------- */

void ria_canvas_fill(ria_canvas *c, ria_rect r, int ink) {
  r = overlap(r, c->clip);
  for (int y = r.y; y < r.y + r.h; y++)
    memset(&c->pixel[(size_t)y * (size_t)c->width + (size_t)r.x], ink, (size_t)r.w);
}

void ria_canvas_frame(ria_canvas *c, ria_rect r, int ink) {
  ria_canvas_fill(c, (ria_rect){r.x, r.y, r.w, 1}, ink);
  ria_canvas_fill(c, (ria_rect){r.x, r.y + r.h - 1, r.w, 1}, ink);
  ria_canvas_fill(c, (ria_rect){r.x, r.y, 1, r.h}, ink);
  ria_canvas_fill(c, (ria_rect){r.x + r.w - 1, r.y, 1, r.h}, ink);
}

/* Pixels that a shape between these corners may touch. */
static ria_rect pixels_between(const ria_canvas *c, ria_point lo, ria_point hi) {
  const double far = 1e6; /* keeps what lies way outside within int */
  int x0 = (int)floor(fmax(lo.x, -far)) - 1, y0 = (int)floor(fmax(lo.y, -far)) - 1;
  int x1 = (int)ceil(fmin(hi.x, far)) + 1, y1 = (int)ceil(fmin(hi.y, far)) + 1;
  return overlap((ria_rect){x0, y0, x1 - x0, y1 - y0}, c->clip);
}

static double distance_to_segment(ria_point p, ria_point a, ria_point b) {
  double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  double s = length2 > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2 : 0.0;
  s = fmin(fmax(s, 0.0), 1.0);
  return hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

void ria_canvas_line(ria_canvas *c, ria_point a, ria_point b, double width, int ink) {
  double half = 0.5 * width;
  ria_point lo = {fmin(a.x, b.x) - half, fmin(a.y, b.y) - half};
  ria_point hi = {fmax(a.x, b.x) + half, fmax(a.y, b.y) + half};
  if (!isfinite(lo.x + lo.y + hi.x + hi.y)) return;
  ria_rect r = pixels_between(c, lo, hi);
  for (int y = r.y; y < r.y + r.h; y++)
    for (int x = r.x; x < r.x + r.w; x++) {
      ria_point p = {x + 0.5, y + 0.5};
      ria_canvas_blend(c, x, y, ink, 0.5 + half - distance_to_segment(p, a, b));
    }
}

/* Positive outside, for corners in either order. */
static double distance_to_polygon(ria_point at, const ria_point *p, int n) {
  double left = -1e9, right = -1e9;
  for (int k = 0; k < n; k++) {
    ria_point a = p[k], b = p[(k + 1) % n];
    double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
    if (length == 0.0) continue;
    double d = ((at.x - a.x) * dy - (at.y - a.y) * dx) / length;
    left = fmax(left, d);
    right = fmax(right, -d);
  }
  return fmin(left, right);
}

void ria_canvas_polygon(ria_canvas *c, const ria_point *p, int n, int ink) {
  ria_point lo = p[0], hi = p[0];
  for (int k = 1; k < n; k++) {
    lo = (ria_point){fmin(lo.x, p[k].x), fmin(lo.y, p[k].y)};
    hi = (ria_point){fmax(hi.x, p[k].x), fmax(hi.y, p[k].y)};
  }
  if (!isfinite(lo.x + lo.y + hi.x + hi.y)) return;
  ria_rect r = pixels_between(c, lo, hi);
  for (int y = r.y; y < r.y + r.h; y++)
    for (int x = r.x; x < r.x + r.w; x++)
      ria_canvas_blend(c, x, y, ink,
                       0.5 - distance_to_polygon((ria_point){x + 0.5, y + 0.5}, p, n));
}

void ria_canvas_disc(ria_canvas *c, ria_point centre, double radius, int ink) {
  ria_canvas_line(c, centre, centre, 2.0 * radius, ink);
}

/* --- text --------------------------------------------------------------------------------- */

static int start_of(int at, ria_align align, int width) {
  return align == RIA_ALIGN_LEFT ? at : align == RIA_ALIGN_RIGHT ? at - width : at - width / 2;
}

int ria_canvas_text(ria_canvas *c, const ria_font *font, int x, int y, ria_align align, int ink,
                    const char *text) {
  int width = ria_font_width(font, text), pen = start_of(x, align, width);
  for (const ria_glyph *g; (g = ria_font_next(font, &text)) != NULL; pen += g->advance)
    for (int row = 0; row < g->height; row++)
      for (int col = 0; col < g->width; col++)
        blend(c, pen + g->left + col, y - g->top + row, ink, ria_glyph_coverage(g, col, row));
  return width;
}

void ria_canvas_text_up(ria_canvas *c, const ria_font *font, int x, int y, ria_align align, int ink,
                        const char *text) {
  int pen = -start_of(-y, align, ria_font_width(font, text));
  for (const ria_glyph *g; (g = ria_font_next(font, &text)) != NULL; pen -= g->advance)
    for (int row = 0; row < g->height; row++)
      for (int col = 0; col < g->width; col++)
        blend(c, x - g->top + row, pen - g->left - col - 1, ink, ria_glyph_coverage(g, col, row));
}

void ria_canvas_halo(ria_canvas *c, const ria_font *font, int x, int y, int ink, const char *text) {
  /* a disc of two pixels' radius with a soft rim, in fifteenths */
  static const int weight[5][5] = {{4, 13, 15, 13, 4},
                                   {13, 15, 15, 15, 13},
                                   {15, 15, 15, 15, 15},
                                   {13, 15, 15, 15, 13},
                                   {4, 13, 15, 13, 4}};
  int pen = x;
  for (const ria_glyph *g; (g = ria_font_next(font, &text)) != NULL; pen += g->advance)
    for (int row = 0; row < g->height; row++)
      for (int col = 0; col < g->width; col++) {
        int cover = ria_glyph_coverage(g, col, row);
        if (cover < 4) continue;
        for (int k = 0; k < 25; k++)
          blend(c, pen + g->left + col + k % 5 - 2, y - g->top + row + k / 5 - 2, ink,
                (cover > 10 ? 15 : cover) * weight[k / 5][k % 5] / 15);
      }
}
