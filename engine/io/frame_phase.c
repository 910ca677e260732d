/* io/frame_phase.c - lines of equal phase over a map: the cotidal lines of a tide.
 *
 * A phase jumps at 360 degrees, so it is interpolated as a point on the circle. A pixel's distance
 * from the nearest line is how far its phase is from the line's, over the gradient of the phase
 * there: lines are smooth at any size. Where the phase turns by more than a third of a step within
 * a pixel, about an amphidromic point, lines would run together: none are drawn. */
#include "io/frame_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double rad = 3.14159265358979323846 / 180.0;

typedef struct phase_map {
  const frame_draft *f;
  double step;
  int w, h;
  double *turn; /* [h][w] phase of a pixel over the step; NAN: none */
} phase_map;

/* At fractions of cells from the south-western one's centre. */
static double phase_at(const ria_frame_input *in, double x, double y) {
  const int nx = in->grid.nx, ny = in->grid.ny;
  const double cx = fmin(fmax(x, 0.0), nx - 1.0), cy = fmin(fmax(y, 0.0), ny - 1.0);
  const int i = (int)cx, j = (int)cy, ii = i + 1 < nx ? i + 1 : i, jj = j + 1 < ny ? j + 1 : j;
  const double wx = cx - i, wy = cy - j;
  const float *row = in->phase + (size_t)j * (size_t)nx,
              *above = in->phase + (size_t)jj * (size_t)nx;
  const double corner[4] = {(double)row[i], (double)row[ii], (double)above[i], (double)above[ii]};
  const double weight[4] = {(1 - wx) * (1 - wy), wx * (1 - wy), (1 - wx) * wy, wx * wy};
  double a = 0.0, b = 0.0;
  for (int k = 0; k < 4; k++) {
    a += weight[k] * cos(rad * corner[k]);
    b += weight[k] * sin(rad * corner[k]);
  }
  const double phase = atan2(b, a) / rad;
  return a == 0.0 && b == 0.0 ? (double)NAN : phase < 0.0 ? phase + 360.0 : phase;
}

static void fill(phase_map *m) {
  const ria_frame_input *in = m->f->in;
  for (int y = 0; y < m->h; y++)
    for (int x = 0; x < m->w; x++)
      m->turn[(size_t)y * (size_t)m->w + (size_t)x] =
          phase_at(in, (x + 0.5) / m->w * in->grid.nx - 0.5,
                   (1.0 - (y + 0.5) / m->h) * in->grid.ny - 0.5) /
          m->step;
}

/* From one to the other the short way round, in steps. */
static double along(const phase_map *m, double from, double to) {
  const double round = 360.0 / m->step, d = to - from;
  return d - round * floor(d / round + 0.5);
}

/* Steps a pixel; NAN beside where there is none. */
static double slope(const phase_map *m, int x, int y) {
  const double *t = m->turn + (size_t)y * (size_t)m->w + (size_t)x;
  const double dx = x + 1 < m->w ? along(m, t[0], t[1]) : x > 0 ? along(m, t[-1], t[0]) : 0.0;
  const double dy = y + 1 < m->h ? along(m, t[0], t[m->w]) : y > 0 ? along(m, t[-m->w], t[0]) : 0.0;
  return hypot(dx, dy);
}

/* How far a pixel is from the nearest line, in pixels; which it is. INFINITY: none is near. */
static double distance(const phase_map *m, int x, int y, int *line) {
  const double t = m->turn[(size_t)y * (size_t)m->w + (size_t)x], g = slope(m, x, y);
  const int lines = (int)(360.0 / m->step + 0.5);
  if (!(g > 1e-9) || g > 1.0 / 3.0) return INFINITY;
  *line = (int)lrint(t) % lines;
  return fabs(t - floor(t + 0.5)) / g;
}

/* Each line's number stands once, where lines are farthest apart, off the rim of the map. */
typedef struct place {
  bool there;
  int x, y;
  double slope;
} place;

static void remember(const phase_map *m, int x, int y, place *p) {
  const double s = slope(m, x, y);
  const int right = m->w - 1 - x, below = m->h - 1 - y, across = x < right ? x : right,
            up = y < below ? y : below;
  const int least = frame_px(&m->f->layout, 24);
  if (across < least || up < least || (p->there && s >= p->slope)) return;
  *p = (place){true, x, y, s};
}

static void number(frame_draft *f, const place *p, double phase) {
  const ria_font *font = f->layout.text;
  const ria_rect map = f->layout.map;
  char text[32];
  snprintf(text, sizeof text, "%g", phase);
  const int width = ria_font_width(font, text), x = map.x + p->x - width / 2,
            y = map.y + p->y + font->ascent / 2;
  ria_canvas_halo(&f->canvas, font, x, y, FRAME_PAPER, text);
  ria_canvas_text(&f->canvas, font, x, y, RIA_ALIGN_LEFT, FRAME_INK, text);
}

static void paint(frame_draft *f, const phase_map *m, place *places) {
  const ria_rect map = f->layout.map;
  const double half = 0.6 * f->layout.scale;
  for (int y = 0; y < m->h; y++)
    for (int x = 0; x < m->w; x++) {
      int line = 0;
      const double cover = 0.5 + half - distance(m, x, y, &line);
      if (!(cover > 0.0)) continue;
      ria_canvas_blend(&f->canvas, map.x + x, map.y + y, FRAME_INK, fmin(cover, 1.0));
      if (cover >= 1.0) remember(m, x, y, &places[line]);
    }
}

bool ria_frame_draw_phase(frame_draft *f) {
  const double step = f->in->phase_step > 0.0 ? f->in->phase_step : 30.0;
  const size_t lines = (size_t)(360.0 / step + 0.5);
  phase_map m = {.f = f, .step = step, .w = f->layout.map.w, .h = f->layout.map.h};
  m.turn = malloc((size_t)m.w * (size_t)m.h * sizeof *m.turn);
  place *places = calloc(lines + 1, sizeof *places);
  const bool ok = m.turn && places;
  if (ok) {
    fill(&m);
    paint(f, &m, places);
    for (size_t k = 0; f->layout.decor && k < lines; k++)
      if (places[k].there) number(f, &places[k], (double)k * step);
  }
  free(m.turn);
  free(places);
  return ok;
}
