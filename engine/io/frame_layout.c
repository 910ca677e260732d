/* io/frame_layout.c - where everything on a frame goes.
 *
 *   title                              time      header
 *   subtitle
 *   +---------------------------+  unit
 *   | map                       |  [] bar, ticks
 *   +---------------------------+
 *    ticks
 *   |--| scale   -> arrow          marks          strip
 *
 * The map keeps the proportions of the domain, except that very long ones are drawn no thinner than
 * is readable. Margins are measured from the labels that stand in them. */
#include "io/frame_draw.h"

#include <math.h>

enum { WIDTH = 960, LARGE = 1500, LEAST = 64 };

static int even(int n) { return n + (n & 1); }
static int at_least(int a, int b) { return a > b ? a : b; }
static int at_most(int a, int b) { return a < b ? a : b; }

static int widest(const ria_font *font, const ria_ticks *ticks) {
  int widest = 0;
  for (int k = 0; k < ticks->n; k++)
    widest = at_least(widest, ria_font_width(font, ticks->label[k]));
  return widest;
}

typedef struct margins {
  int left, right, top, bottom;
} margins;

/* Ticks that fit on an axis of `pixels` pixels. */
static int room_for(int pixels, int each) {
  int n = pixels / each;
  return n < 2 ? 2 : n > 10 ? 10 : n;
}

static bool have_room(const frame_layout *l, const ria_ticks *t, double span, int pixels) {
  const int needed = widest(l->text, t) + frame_px(l, 20);
  return t->n < 2 || needed * span <= pixels * (t->at[1] - t->at[0]);
}

/* Along x, where labels stand side by side: fewer where they are long. */
static void place_ticks(const frame_layout *l, double lo, double hi, int pixels, ria_ticks *out) {
  int most = room_for(pixels, frame_px(l, 90));
  ria_ticks_place(lo, hi, most, out);
  if (out->n < 2) ria_ticks_place(lo, hi, ++most, out); /* one says little */
  while (most > 1 && !have_room(l, out, hi - lo, pixels)) ria_ticks_place(lo, hi, --most, out);
}

/* Degrees in place of kilometres; ticks in the axes' coordinates all the same. */
static void make_graticule(const ria_frame_input *in, frame_layout *l, int map_w, int map_h) {
  const ria_grid *g = &in->grid;
  l->graticule = ria_graticule_step(in->graticule, at_least(3, room_for(map_w, frame_px(l, 120))),
                                    at_least(3, room_for(map_h, frame_px(l, 90))));
  ria_graticule_ticks(l, in->graticule, map_w, false, &l->ticks_x);
  ria_graticule_ticks(l, in->graticule, map_h, true, &l->ticks_y);
  for (int k = 0; k < l->ticks_x.n; k++)
    l->ticks_x.at[k] = (l->x0 + l->ticks_x.at[k] * g->nx * g->dx) / l->unit;
  for (int k = 0; k < l->ticks_y.n; k++)
    l->ticks_y.at[k] = (l->y0 + l->ticks_y.at[k] * g->ny * g->dy) / l->unit;
}

static void make_ticks(const ria_frame_input *in, frame_layout *l, int map_w, int map_h) {
  const ria_grid *g = &in->grid;
  double w = g->nx * g->dx, h = g->ny * g->dy, u = l->unit;
  if (in->graticule) make_graticule(in, l, map_w, map_h);
  if (!in->graticule) place_ticks(l, l->x0 / u, (l->x0 + w) / u, map_w, &l->ticks_x);
  if (!in->graticule)
    ria_ticks_place(l->y0 / u, (l->y0 + h) / u, room_for(map_h, frame_px(l, 60)), &l->ticks_y);
  ria_ticks_make(in->scale, in->vmin, in->vmax, room_for(map_h, frame_px(l, 44)), &l->ticks_bar);
}

static margins measure(const ria_frame_input *in, const frame_layout *l) {
  char unit[RIA_LABEL_MAX];
  ria_label_unit(in->unit, unit, sizeof unit);
  int bar = frame_px(l, 20 + 16 + 9) + widest(l->text, &l->ticks_bar);
  int over = frame_px(l, 20) + ria_font_width(l->text, unit);
  margins m = {
      .left = frame_px(l, 16 + 9) + at_least(widest(l->text, &l->ticks_y), frame_px(l, 14)),
      .right = at_least(bar, over) + frame_px(l, 18),
      .top = frame_px(l, in->title ? 76 : 58),
      .bottom = frame_px(l, 66),
  };
  return m;
}

/* Pixels of the map in a box, with the domain's proportions: tall ones shrink in width. */
static void fit_map(const ria_frame_input *in, int box_w, int box_h, int *map_w, int *map_h) {
  const ria_grid *g = &in->grid;
  double aspect = (g->ny * g->dy) / (g->nx * g->dx);
  *map_w = box_w;
  *map_h = (int)lrint(box_w * fmin(aspect, 1e4));
  if (*map_h > box_h) {
    *map_h = box_h;
    *map_w = at_most(box_w, (int)lrint(box_h / aspect));
  }
  *map_h = at_least(*map_h, at_most(box_h, box_w / 6)); /* long and thin: stretched */
  *map_w = at_least(*map_w, at_most(box_w, box_h / 6));
}

static void only_map(const ria_frame_input *in, frame_layout *l) {
  int width = in->width ? in->width : in->height ? 1 << 14 : WIDTH, map_w, map_h;
  fit_map(in, width, in->height ? in->height : width, &map_w, &map_h);
  l->width = even(at_least(in->width ? in->width : map_w, LEAST));
  l->height = even(at_least(in->height ? in->height : map_h, LEAST));
  l->map = (ria_rect){0, 0, l->width, l->height};
}

static void place(const ria_frame_input *in, frame_layout *l, const margins *m, int map_w,
                  int map_h) {
  int head = in->title ? 0 : frame_px(l, -18);
  int x = m->left + at_least(0, (l->width - m->left - m->right - map_w) / 2);
  int y = m->top + at_least(0, (l->height - m->top - m->bottom - map_h) / 2);
  l->map = (ria_rect){x, y, map_w, map_h};
  l->bar = (ria_rect){x + map_w + frame_px(l, 20), y, frame_px(l, 16), map_h};
  l->left = m->left;
  l->right = l->width - frame_px(l, 18);
  l->title_y = frame_px(l, 32);
  l->subtitle_y = frame_px(l, 54) + head;
  l->strip_y = y + map_h + frame_px(l, 44);
}

/* A map is largest when the labels of its bar are shortest: one digit. */
int ria_frame_coarse(const ria_frame_input *in) {
  ria_frame_input bare = *in;
  frame_layout l;
  bare.scale = RIA_SCALE_LINEAR;
  bare.vmin = 0.0;
  bare.vmax = 8.0;
  ria_frame_lay_out(&bare, &l);
  int coarse = at_most(in->grid.nx / l.map.w, in->grid.ny / l.map.h);
  return at_least(1, at_most(coarse, RIA_COARSE_MAX));
}

size_t ria_frame_values(const ria_frame_input *in) {
  return (size_t)ria_coarse_cells(in->grid.nx, in->coarse) *
         (size_t)ria_coarse_cells(in->grid.ny, in->coarse);
}

void ria_frame_lay_out(const ria_frame_input *in, frame_layout *l) {
  const ria_grid *g = &in->grid;
  int width = in->width ? in->width : WIDTH;
  bool large = width >= LARGE;
  l->scale = large ? 5.0 / 3.0 : 1.0;
  l->text = ria_font_text(large);
  l->title = ria_font_title(large);
  l->x0 = g->angle == 0.0 ? g->x0 : 0.0;
  l->y0 = g->angle == 0.0 ? g->y0 : 0.0;
  l->unit = fmax(g->nx * g->dx, g->ny * g->dy) >= 3000.0 ? 1000.0 : 1.0;
  make_ticks(in, l, width, at_least(in->height, width));
  margins m = measure(in, l);
  int box_w = width - m.left - m.right;
  int box_h = in->height ? in->height - m.top - m.bottom : box_w;
  l->decor = !in->no_decor && box_w >= LEAST && box_h >= LEAST;
  if (!l->decor) {
    only_map(in, l);
    if (in->graticule) make_graticule(in, l, l->map.w, l->map.h);
    return;
  }
  int map_w, map_h;
  fit_map(in, box_w, box_h, &map_w, &map_h);
  make_ticks(in, l, map_w, map_h);
  bool narrow = !in->width && map_w < box_w; /* room at the sides that no one asked for */
  int least = frame_px(l, 560);
  l->width = even(narrow ? at_least(m.left + map_w + m.right, least) : width);
  l->height = even(in->height ? in->height : m.top + map_h + m.bottom);
  place(in, l, &m, map_w, map_h);
}
