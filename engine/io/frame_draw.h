/* io/frame_draw.h - the parts a frame is drawn from. Private to frame*.c.
 *
 * frame.c         checks, colours, text chunks; the range of a field
 * frame_layout.c  where everything goes
 * frame_map.c     land, water, field, shoreline
 * frame_marks.c   gauges, spills, arrows on the map
 * frame_phase.c   lines of equal phase on the map
 * frame_graticule.c  meridians and parallels on the map
 * frame_over.c    contours of the field, lines and points of others on the map
 * frame_traces.c  paths of particles on the map
 * frame_decor.c   title, time, axes, colour bar, the strip below */
#ifndef RIA_IO_FRAME_DRAW_H
#define RIA_IO_FRAME_DRAW_H
#include "io/canvas.h"
#include "io/frame.h"
#include "io/ticks.h"

/* The palette: the field's colours first, then clear water by depth, shaded land, ink. */
enum {
  FRAME_FIELD = 0,
  FRAME_FIELD_N = 192,
  FRAME_LIGHTS = 8, /* of the ground, each dark to light: inks that stand in for its colours */
  FRAME_GROUND_N = FRAME_FIELD_N / FRAME_LIGHTS,
  FRAME_WATER = FRAME_FIELD + FRAME_FIELD_N, /* shallow to deep */
  FRAME_WATER_N = 16,
  FRAME_LAND = FRAME_WATER + FRAME_WATER_N, /* dark to light */
  FRAME_LAND_N = 32,
  FRAME_PAPER = FRAME_LAND + FRAME_LAND_N, /* then ten steps of grey to ink */
  FRAME_MISSING_LINE = FRAME_PAPER + 1,    /* of the hatch where there is no data */
  FRAME_RULE = FRAME_PAPER + 2,            /* thin lines */
  FRAME_OUTSIDE = FRAME_PAPER + 3,         /* what is not of the domain; below the hatch too */
  FRAME_FAINT = FRAME_PAPER + 6,           /* secondary text */
  FRAME_INK = FRAME_PAPER + 10,
  FRAME_SHORE,
  FRAME_SPILL,
  FRAME_GAUGE
};

typedef struct frame_layout {
  int width, height; /* of the picture */
  bool decor;        /* asked for, and there is room */
  double scale;      /* of margins and strokes: 1 or, for large pictures, more */
  const ria_font *text, *title;
  ria_rect map, bar;
  int title_y, subtitle_y; /* base lines */
  int left, right;         /* where the header and the strip begin and end */
  int strip_y;             /* middle line of the strip below the map */
  double unit;             /* of the axes, m: 1 or 1000 */
  double graticule;        /* degrees between lines, whose crossings are the ticks; 0 = none */
  double x0, y0;           /* where they begin, m: of a turned grid at 0, as distances along it */
  ria_ticks ticks_x, ticks_y, ticks_bar;
} frame_layout;

/* A frame in the making. */
typedef struct frame_draft {
  const ria_frame_input *in;
  frame_layout layout;
  ria_canvas canvas;
  const uint8_t (*map)[3];    /* [256] the field's colours */
  const uint8_t (*ground)[3]; /* [256] of heights, or NULL */
  double low, span;           /* of the bar's axis: value, or its decimal logarithm */
  bool above, below;          /* the field goes beyond the range */
  bool gaps;                  /* parts of the map are not of the domain */
  bool no_land;               /* neither bed nor depth: a pixel without a value has no data */
  bool missing;               /* and there is one */
  float film;                 /* m; thinner water is drawn as land */
  bool thin;                  /* and there is some */
  double arrow;               /* m/s of the reference arrow; 0 = no arrows */
  double metres_x, metres_y;  /* of a pixel */
  double columns, rows;       /* of values over the map: the last ones may be in part */
  int nx, ny;                 /* of values */
} frame_draft;

/* How many colours there are from one end of the bar to the other. */
static inline int frame_colors(const frame_draft *f) {
  return f->in->ground ? FRAME_GROUND_N : FRAME_FIELD_N;
}
/* The k-th of them, as on the bar: of the ground, in the light that falls on flat land. */
static inline int frame_color(const frame_draft *f, int k) {
  return FRAME_FIELD + (f->in->ground ? k * FRAME_LIGHTS + FRAME_LIGHTS / 2 : k);
}

/* Pixels, at the usual size, between arrows and of the reference arrow. */
enum { FRAME_ARROW_SPACING = 30, FRAME_ARROW_LENGTH = 24 };

/* Lengths for the usual size, in this frame's pixels. */
static inline int frame_px(const frame_layout *l, double px) { return (int)(px * l->scale + 0.5); }

/* The field's colour at 0..1 from one end of the bar to the other, between those of the map; of the
 * ground, in light from -1 (none) over 0 (what falls on flat land) to 1. */
void ria_frame_field_rgb(const frame_draft *f, float at, float light, uint8_t rgb[3]);
/* The same of another map. */
void ria_frame_lit_rgb(const uint8_t (*map)[3], float at, float light, uint8_t rgb[3]);
void ria_frame_lay_out(const ria_frame_input *in, frame_layout *out);
/* False when memory is out. */
bool ria_frame_draw_map(frame_draft *f);
/* False when memory is out. */
bool ria_frame_draw_phase(frame_draft *f);
void ria_frame_draw_graticule(frame_draft *f);
/* Its step for at most so many columns and rows; its ticks along the edge below, or (up) at the
 * left, of so many pixels: `at` are parts of the edge. */
double ria_graticule_step(const ria_graticule *g, int columns, int rows);
void ria_graticule_ticks(const frame_layout *l, const ria_graticule *g, int pixels, bool up,
                         ria_ticks *out);
void ria_frame_draw_arrows(frame_draft *f);
void ria_frame_draw_contours(frame_draft *f);
void ria_frame_draw_paths(frame_draft *f);
/* False when memory is out. */
bool ria_frame_draw_traces(frame_draft *f);
/* Their key in the strip below; returns where its text may begin. */
int ria_frame_draw_trace_key(frame_draft *f, int x);
void ria_frame_draw_marks(frame_draft *f);
void ria_frame_draw_decor(frame_draft *f);

/* A pixel without data, here and in the legend: x and y only place it in the hatch, whose lines lie
 * as far apart whatever the size of a cell. */
int ria_frame_missing_ink(const frame_layout *l, int x, int y);

/* Where a point of the map lies on the picture. */
ria_point ria_frame_on_map(const frame_draft *f, double x, double y);
/* Rectangles of the map that are taken, by marks and names. */
enum { FRAME_LABELS_MAX = 64 };
typedef struct frame_taken {
  ria_rect rect[2 * FRAME_LABELS_MAX];
  int n;
} frame_taken;
/* A name beside a point where there is room for it; mark: the rectangle of the point's own mark, -1
 * = none. */
void ria_frame_draw_name(frame_draft *f, frame_taken *t, int mark, ria_point at, const char *name);

/* One gauge or spill symbol, and one arrow, here and in the legend. */
void ria_frame_draw_symbol(frame_draft *f, ria_mark_kind kind, ria_point at);
void ria_frame_draw_arrow(frame_draft *f, ria_point from, ria_point to, int ink);

#endif
