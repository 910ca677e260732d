/* io/canvas.h - a picture in 256 colours, or more: what frames and plots are drawn on.
 *
 * Pixel (x, y) counts from the top left; its centre is at (x + 0.5, y + 0.5). Ink is an index into
 * the palette. Edges are smoothed: a pixel that is half covered gets the colour of the palette that
 * is nearest to the mixture. Drawing outside the clip rectangle has no effect.
 *
 * Where 256 are too few, a pixel may have a colour of its own beside the palette's that stands in
 * for it: to mix with, and until something is drawn there. */
#ifndef RIA_IO_CANVAS_H
#define RIA_IO_CANVAS_H
#include "io/font.h"

typedef struct ria_rect {
  int x, y, w, h;
} ria_rect;

typedef struct ria_point {
  double x, y;
} ria_point;

typedef struct ria_canvas {
  int width, height;
  uint8_t *pixel;    /* [height][width] */
  uint8_t *own;      /* [height][width][3] colours of pixels, or NULL: there are none */
  uint8_t *stand_in; /* [height][width] for which ink; another in `pixel`: it was drawn over */
  uint8_t palette[256][3];
  int colors; /* of the palette that are set; mixtures are looked for among them */
  ria_rect clip;
  /* mixtures of one ink with every colour, found as they are needed: 0xFFFF = not yet */
  int mix_ink;
  uint16_t mix[256][16];
} ria_canvas;

/* All pixels 0, no colours; false when memory is out. */
bool ria_canvas_init(ria_canvas *c, int width, int height);
void ria_canvas_free(ria_canvas *c);
/* From here on pixels may have colours of their own; false when memory is out. */
bool ria_canvas_own_colors(ria_canvas *c);
void ria_canvas_clip(ria_canvas *c, ria_rect r);
void ria_canvas_unclip(ria_canvas *c);

/* Append a colour; returns its index. At most 256. */
int ria_canvas_color(ria_canvas *c, int red, int green, int blue);

void ria_canvas_fill(ria_canvas *c, ria_rect r, int ink);
/* The outline of r, one pixel wide, just inside. */
void ria_canvas_frame(ria_canvas *c, ria_rect r, int ink);
/* Mix ink into a pixel; cover in 0..1. */
void ria_canvas_blend(ria_canvas *c, int x, int y, int ink, double cover);
/* A pixel's own colour, and the ink that stands in for it. */
void ria_canvas_put(ria_canvas *c, int x, int y, int ink, const uint8_t rgb[3]);
/* The colour of a pixel: its own, or of the palette. */
const uint8_t *ria_canvas_at(const ria_canvas *c, int x, int y);
void ria_canvas_line(ria_canvas *c, ria_point a, ria_point b, double width, int ink);
/* A convex polygon. */
void ria_canvas_polygon(ria_canvas *c, const ria_point *p, int n, int ink);
void ria_canvas_disc(ria_canvas *c, ria_point centre, double radius, int ink);

typedef enum ria_align { RIA_ALIGN_LEFT, RIA_ALIGN_CENTRE, RIA_ALIGN_RIGHT } ria_align;
/* Text with its base line at y. Returns its width. */
int ria_canvas_text(ria_canvas *c, const ria_font *font, int x, int y, ria_align align, int ink,
                    const char *text);
/* The same, running upwards: x is the base line, y where it starts (or its centre, its end). */
void ria_canvas_text_up(ria_canvas *c, const ria_font *font, int x, int y, ria_align align, int ink,
                        const char *text);
/* A halo, to be drawn below a text that lies on a map. */
void ria_canvas_halo(ria_canvas *c, const ria_font *font, int x, int y, int ink, const char *text);

#endif
