/* io/frame_traces.c - paths of particles on the map: each fades towards its beginning, and a dot is
 * where the particle is at the end.
 *
 * Legs are short, shorter than a pixel at times, and paths cross: blended one by one they would be
 * beaded. How much of a pixel they cover is gathered first, the most counts, and blended once. */
#include "io/frame_draw.h"

#include <math.h>
#include <stdlib.h>

static const double dot = 2.6, halo = 1.2, thin = 0.9, thick = 1.9, faintest = 0.12;

typedef struct cover {
  int w, h;
  uint8_t *ink, *paper; /* [h][w] 0 .. 255 of a pixel */
} cover;

static void raise(uint8_t *at, double part) {
  const int value = (int)lrint(255.0 * fmin(fmax(part, 0.0), 1.0));
  if (value > *at) *at = (uint8_t)value;
}

static double distance(double x, double y, ria_point a, ria_point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  double s = length2 > 0.0 ? ((x - a.x) * dx + (y - a.y) * dy) / length2 : 0.0;
  s = fmin(fmax(s, 0.0), 1.0);
  return hypot(x - a.x - s * dx, y - a.y - s * dy);
}

/* A leg in pixels of the map; width and strength of its ink. */
static void lay(cover *c, ria_point a, ria_point b, double width, double rim, double strength) {
  const double half = 0.5 * width, reach = half + rim + 1.0;
  const int x0 = (int)fmax(0.0, floor(fmin(a.x, b.x) - reach));
  const int x1 = (int)fmin(c->w - 1.0, ceil(fmax(a.x, b.x) + reach));
  const int y0 = (int)fmax(0.0, floor(fmin(a.y, b.y) - reach));
  const int y1 = (int)fmin(c->h - 1.0, ceil(fmax(a.y, b.y) + reach));
  for (int y = y0; y <= y1; y++)
    for (int x = x0; x <= x1; x++) {
      const double off = distance(x + 0.5, y + 0.5, a, b);
      const size_t at = (size_t)y * (size_t)c->w + (size_t)x;
      raise(&c->ink[at], strength * fmin(0.5 + half - off, 1.0));
      raise(&c->paper[at], 0.8 * strength * fmin(0.5 + half + rim - off, 1.0));
    }
}

static ria_point in_map(const frame_draft *f, double x, double y) {
  const ria_point at = ria_frame_on_map(f, x, y);
  return (ria_point){at.x - f->layout.map.x, at.y - f->layout.map.y};
}

static bool is_far(const cover *c, ria_point p) {
  return !(p.x > -64.0 && p.y > -64.0 && p.x < c->w + 64.0 && p.y < c->h + 64.0);
}

static void lay_trace(const frame_draft *f, cover *c, const ria_trace *t) {
  const ria_frame_input *in = f->in;
  const double scale = f->layout.scale, all = in->traces_to - in->traces_from;
  ria_point before = {0, 0};
  size_t last = 0;
  for (size_t k = 0; k < t->n; k++) {
    const ria_point at = in_map(f, t->x[k], t->y[k]);
    if (k && k + 1 < t->n && hypot(at.x - before.x, at.y - before.y) < 1.0) continue;
    const double mean = 0.5 * (t->t[last] + t->t[k]);
    const double young = fmin(fmax(1.0 - (in->traces_to - mean) / all, 0.0), 1.0);
    if (k && !(is_far(c, before) && is_far(c, at)))
      lay(c, before, at, (thin + (thick - thin) * young) * scale, halo * scale,
          faintest + (1.0 - faintest) * young);
    before = at;
    last = k;
  }
  if (t->n && t->fate != RIA_TRACE_LEFT && !is_far(c, before))
    lay(c, before, before, 2.0 * dot * scale, halo * scale, 1.0);
}

bool ria_frame_draw_traces(frame_draft *f) {
  const ria_rect m = f->layout.map;
  const size_t pixels = (size_t)m.w * (size_t)m.h;
  if (!f->in->n_traces) return true;
  cover c = {m.w, m.h, calloc(pixels, 2), NULL};
  if (!c.ink) return false;
  c.paper = c.ink + pixels;
  for (size_t k = 0; k < f->in->n_traces; k++) lay_trace(f, &c, &f->in->traces[k]);
  for (int over = 0; over < 2; over++)
    for (size_t k = 0; k < pixels; k++) {
      const int part = over ? c.ink[k] : c.paper[k];
      if (part)
        ria_canvas_blend(&f->canvas, m.x + (int)(k % (size_t)m.w), m.y + (int)(k / (size_t)m.w),
                         over ? FRAME_INK : FRAME_PAPER, part / 255.0);
    }
  free(c.ink);
  return true;
}

/* In the strip below: as they are drawn, growing towards the dot. */
int ria_frame_draw_trace_key(frame_draft *f, int x) {
  const frame_layout *l = &f->layout;
  const double length = FRAME_ARROW_LENGTH * l->scale, y = l->strip_y + 0.5;
  for (int k = 0; k < 8; k++)
    ria_canvas_line(&f->canvas, (ria_point){x + k * length / 8, y},
                    (ria_point){x + (k + 1) * length / 8, y},
                    (thin + (thick - thin) * k / 7.0) * l->scale, FRAME_PAPER + 3 + k);
  ria_canvas_disc(&f->canvas, (ria_point){x + length, y}, dot * l->scale, FRAME_INK);
  return x + (int)length + frame_px(l, 10);
}
