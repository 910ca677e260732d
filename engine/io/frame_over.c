/* io/frame_over.c - what others lay over the map: contours of the field, lines and points.
 *
 * Contours are found in the squares between four centres of cells, linear along their sides; where
 * all four sides are crossed the mean of the corners tells which crossings belong together. A
 * square with a corner that has no value, or that is drawn as land, has no line. */
#include "io/frame_draw.h"

#include <math.h>

enum { CONTOURS_NAMED = 24, NAMED_FROM = 48 }; /* pixels of a line with a number, at least */

/* --- contours --------------------------------------------------------------------------------- */

/* Pixels between two points of a square, whose sides are told by number: 0 south, 1 east, 2 north,
 * 3 west. */
static ria_point crossing(const float v[4], int side, float level) {
  /* corners: 0 south-west, 1 south-east, 2 north-east, 3 north-west */
  static const double corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const int a = side, b = (side + 1) % 4;
  const double w = ((double)level - (double)v[a]) / ((double)v[b] - (double)v[a]);
  return (ria_point){corner[a][0] + w * (corner[b][0] - corner[a][0]),
                     corner[a][1] + w * (corner[b][1] - corner[a][1])};
}

/* Where the number of a contour goes: the middle of its piece that is nearest to the map's. */
typedef struct contour_name {
  ria_point at;
  double distance;
  double length; /* of the line so far, pixels */
  int ink;
} contour_name;

/* Light on dark colours, dark on light: what lies below a line is all of one value. */
static int ink_of(const frame_draft *f, double level) {
  const bool log = f->in->scale == RIA_SCALE_LOG;
  const double at = ((log ? log10(level) : level) - f->low) / f->span;
  const double limit = f->in->threshold != 0.0 ? f->in->threshold : log ? f->in->vmin : -INFINITY;
  uint8_t rgb[3];
  if (!(at >= 0.0) || level < limit) return FRAME_INK;
  ria_frame_field_rgb(f, (float)fmin(at, 1.0), 0.0f, rgb);
  return 3 * rgb[0] + 6 * rgb[1] + rgb[2] < 10 * 90 ? FRAME_PAPER : FRAME_INK;
}

static void draw_piece(frame_draft *f, int i, int j, ria_point a, ria_point b, contour_name *name) {
  const ria_rect m = f->layout.map;
  const double px = m.w / f->columns, py = m.h / f->rows;
  const ria_point from = {m.x + (i + 0.5 + a.x) * px, m.y + m.h - (j + 0.5 + a.y) * py};
  const ria_point to = {m.x + (i + 0.5 + b.x) * px, m.y + m.h - (j + 0.5 + b.y) * py};
  const ria_point middle = {0.5 * (from.x + to.x), 0.5 * (from.y + to.y)};
  ria_canvas_line(&f->canvas, from, to, 1.1 * f->layout.scale, name->ink);
  name->length += hypot(to.x - from.x, to.y - from.y);
  const double distance = hypot(middle.x - (m.x + 0.5 * m.w), middle.y - (m.y + 0.5 * m.h));
  if (!(distance < name->distance)) return;
  name->at = middle;
  name->distance = distance;
}

/* Drawn as land. */
static bool is_thin(const frame_draft *f, int i, int j) {
  const float *depth = f->in->depth;
  return depth && !f->in->ground && !(depth[(size_t)j * (size_t)f->nx + (size_t)i] >= f->film);
}

static void draw_square(frame_draft *f, int i, int j, float level, contour_name *name) {
  const float *row = f->in->value + (size_t)j * (size_t)f->nx + (size_t)i, *next = row + f->nx;
  const float v[4] = {row[0], row[1], next[1], next[0]};
  int side[4], n = 0;
  if (!isfinite(v[0] + v[1] + v[2] + v[3])) return;
  if (is_thin(f, i, j) || is_thin(f, i + 1, j) || is_thin(f, i, j + 1) || is_thin(f, i + 1, j + 1))
    return;
  for (int k = 0; k < 4; k++)
    if ((v[k] < level) != (v[(k + 1) % 4] < level)) side[n++] = k;
  if (n < 2) return;
  /* a saddle: the corners that are as the middle is belong together */
  const bool middle = 0.25f * (v[0] + v[1] + v[2] + v[3]) < level;
  const int first = n == 4 && middle == (v[0] < level) ? 0 : n == 4 ? 3 : -1;
  if (first < 0) {
    draw_piece(f, i, j, crossing(v, side[0], level), crossing(v, side[1], level), name);
    return;
  }
  for (int k = 0; k < 2; k++)
    draw_piece(f, i, j, crossing(v, (first + 2 * k) % 4, level),
               crossing(v, (first + 2 * k + 1) % 4, level), name);
}

void ria_frame_draw_contours(frame_draft *f) {
  const ria_frame_input *in = f->in;
  contour_name name[CONTOURS_NAMED];
  frame_taken taken = {0};
  ria_canvas_clip(&f->canvas, f->layout.map);
  for (size_t k = 0; k < in->n_contours; k++) {
    contour_name at = {.distance = INFINITY, .ink = ink_of(f, in->contours[k])};
    for (int j = 0; j + 1 < f->ny; j++)
      for (int i = 0; i + 1 < f->nx; i++) draw_square(f, i, j, (float)in->contours[k], &at);
    if (k < CONTOURS_NAMED) name[k] = at;
  }
  for (size_t k = 0; k < in->n_contours && k < CONTOURS_NAMED; k++) {
    char number[RIA_LABEL_MAX];
    if (!(name[k].length >= NAMED_FROM * f->layout.scale)) continue;
    ria_label_number(in->contours[k], number, sizeof number);
    ria_frame_draw_name(f, &taken, -1, name[k].at, number);
  }
  ria_canvas_unclip(&f->canvas);
}

/* --- lines and points of others --------------------------------------------------------------- */

/* The part of a leg within the map and a little more; false: there is none (Liang and Barsky). */
static bool cut_leg(const frame_draft *f, ria_point *a, ria_point *b) {
  const ria_rect m = f->layout.map;
  const double dx = b->x - a->x, dy = b->y - a->y, more = 16.0;
  const double p[4] = {-dx, dx, -dy, dy};
  const double q[4] = {a->x - (m.x - more), m.x + m.w + more - a->x, a->y - (m.y - more),
                       m.y + m.h + more - a->y};
  double from = 0.0, to = 1.0;
  for (int k = 0; k < 4; k++) {
    if (p[k] == 0.0 && q[k] < 0.0) return false;
    if (p[k] < 0.0) from = fmax(from, q[k] / p[k]);
    if (p[k] > 0.0) to = fmin(to, q[k] / p[k]);
  }
  if (!(from <= to) || !isfinite(dx + dy)) return false;
  const ria_point start = *a;
  *a = (ria_point){start.x + from * dx, start.y + from * dy};
  *b = (ria_point){start.x + to * dx, start.y + to * dy};
  return true;
}

static void draw_line(frame_draft *f, const ria_frame_path *path, double width, int ink) {
  for (size_t k = 0; k + 1 < path->n; k++) {
    ria_point a = ria_frame_on_map(f, path->x[k], path->y[k]),
              b = ria_frame_on_map(f, path->x[k + 1], path->y[k + 1]);
    if (cut_leg(f, &a, &b)) ria_canvas_line(&f->canvas, a, b, width * f->layout.scale, ink);
  }
}

static bool is_near(const frame_draft *f, ria_point p) {
  const ria_rect m = f->layout.map;
  return p.x > m.x - 16 && p.y > m.y - 16 && p.x < m.x + m.w + 16 && p.y < m.y + m.h + 16;
}

static void draw_points(frame_draft *f, const ria_frame_path *path, double radius, int ink) {
  for (size_t k = 0; k < path->n; k++) {
    const ria_point at = ria_frame_on_map(f, path->x[k], path->y[k]);
    if (is_near(f, at)) ria_canvas_disc(&f->canvas, at, radius * f->layout.scale, ink);
  }
}

/* Beside the first point, or the corner nearest to the middle of the line, that is to be seen. */
static void draw_path_name(frame_draft *f, frame_taken *t, const ria_frame_path *path) {
  const size_t middle = path->points ? 0 : path->n / 2;
  for (size_t off = 0; off < path->n && t->n < FRAME_LABELS_MAX; off++)
    for (int side = 0; side < 2; side++) {
      const size_t k = side ? middle - off : middle + off; /* below 0: beyond all */
      if (k >= path->n) continue;
      const ria_point at = ria_frame_on_map(f, path->x[k], path->y[k]);
      const int before = t->n;
      if (is_near(f, at)) ria_frame_draw_name(f, t, -1, at, path->name);
      if (t->n > before) return;
    }
}

/* The paper's halos below all, so that no line cuts another. */
void ria_frame_draw_paths(frame_draft *f) {
  const ria_frame_input *in = f->in;
  frame_taken taken = {0};
  ria_canvas_clip(&f->canvas, f->layout.map);
  for (int over = 0; over < 2; over++)
    for (size_t k = 0; k < in->n_paths; k++)
      if (in->paths[k].points)
        draw_points(f, &in->paths[k], over ? 3.4 : 5.0, over ? FRAME_INK : FRAME_PAPER);
      else
        draw_line(f, &in->paths[k], over ? 1.5 : 3.4, over ? FRAME_INK : FRAME_PAPER);
  for (size_t k = 0; k < in->n_paths; k++)
    if (in->paths[k].n && in->paths[k].name && *in->paths[k].name)
      draw_path_name(f, &taken, &in->paths[k]);
  ria_canvas_unclip(&f->canvas);
}
