/* io/frame.c - one picture of a field: checks, colours, the order of drawing, text chunks. */
#include "io/frame.h"
#include "base/text.h"
#include "io/file.h"
#include "io/frame_draw.h"
#include "io/png.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS_MAX = 16384 };

/* --- colours ------------------------------------------------------------------------------ */

/* n colours along a line through fixed ones, evenly spaced. */
static void add_ramp(ria_canvas *c, int n, const uint8_t (*stop)[3], int stops) {
  for (int k = 0; k < n; k++) {
    double at = (double)k / (n - 1) * (stops - 1);
    int a = (int)at < stops - 1 ? (int)at : stops - 2;
    double w = at - a;
    int rgb[3];
    for (int p = 0; p < 3; p++) rgb[p] = (int)lrint((1.0 - w) * stop[a][p] + w * stop[a + 1][p]);
    ria_canvas_color(c, rgb[0], rgb[1], rgb[2]);
  }
}

void ria_frame_lit_rgb(const uint8_t (*map)[3], float at, float light, uint8_t rgb[3]) {
  const float where = fminf(fmaxf(at * 256.0f - 0.5f, 0.0f), 255.0f);
  const int below = where < 255.0f ? (int)where : 254;
  const float part = where - (float)below;
  light = fminf(fmaxf(light, -1.0f), 0.75f);
  const float towards = light < 0.0f ? 0.0f : 255.0f;
  const float lit = light < 0.0f ? -0.55f * light : 0.42f * light;
  for (int p = 0; p < 3; p++) {
    const float plain = (1.0f - part) * map[below][p] + part * map[below + 1][p];
    rgb[p] = (uint8_t)lrintf((1.0f - lit) * plain + lit * towards);
  }
}

void ria_frame_field_rgb(const frame_draft *f, float at, float light, uint8_t rgb[3]) {
  ria_frame_lit_rgb(f->map, at, light, rgb);
}

/* Inks that stand in for colours of heights: of water from the shore down, of land from there up.
 */
static void add_heights(frame_draft *f, int n, float from, float to) {
  for (int k = 0; k < n; k++) {
    uint8_t rgb[3];
    ria_frame_lit_rgb(f->ground, from + (to - from) * (float)k / (float)(n - 1), 0.0f, rgb);
    ria_canvas_color(&f->canvas, rgb[0], rgb[1], rgb[2]);
  }
}

/* The k-th of the ground's inks. */
static void add_lit(frame_draft *f, int k) {
  const float at = ((float)(k / FRAME_LIGHTS) + 0.5f) / FRAME_GROUND_N;
  const int half = FRAME_LIGHTS / 2;
  uint8_t rgb[3];
  ria_frame_field_rgb(f, at, (float)(k % FRAME_LIGHTS - half) / half, rgb);
  ria_canvas_color(&f->canvas, rgb[0], rgb[1], rgb[2]);
}

static void set_palette(frame_draft *f) {
  ria_canvas *c = &f->canvas;
  static const uint8_t water[][3] = {{240, 245, 247}, {222, 232, 238}, {196, 212, 223}};
  static const uint8_t land[][3] = {
      {98, 89, 78}, {143, 133, 118}, {188, 178, 160}, {219, 210, 193}, {240, 234, 222}};
  static const uint8_t ink[][3] = {{255, 255, 255}, {145, 152, 158}, {30, 37, 44}};
  f->map = ria_colormap(f->in->map);
  if (!f->map) f->map = ria_colormap("viridis");
  for (int k = 0; f->in->ground && k < FRAME_FIELD_N; k++) add_lit(f, k);
  for (int k = 0; !f->in->ground && k < FRAME_FIELD_N; k++) {
    const uint8_t *rgb = f->map[(2 * k + 1) * 256 / (2 * FRAME_FIELD_N)];
    ria_canvas_color(c, rgb[0], rgb[1], rgb[2]);
  }
  f->ground = f->in->ground_map ? ria_colormap(f->in->ground_map) : NULL;
  if (f->ground) {
    add_heights(f, FRAME_WATER_N, 0.5f, 0.0f);
    add_heights(f, FRAME_LAND_N, 0.5f, 1.0f);
  } else {
    add_ramp(c, FRAME_WATER_N, water, 3);
    add_ramp(c, FRAME_LAND_N, land, 5);
  }
  add_ramp(c, FRAME_INK - FRAME_PAPER + 1, ink, 3);
  ria_canvas_color(c, 62, 78, 88);   /* FRAME_SHORE */
  ria_canvas_color(c, 214, 40, 57);  /* FRAME_SPILL */
  ria_canvas_color(c, 255, 209, 82); /* FRAME_GAUGE */
}

/* --- checks ------------------------------------------------------------------------------- */

static ria_status check(const ria_frame_input *in, char *err, size_t errsize) {
  const ria_grid *g = &in->grid;
  if (!in->value || g->nx < 1 || g->ny < 1 || !(g->dx > 0.0) || !(g->dy > 0.0))
    return ria_error_text(RIA_ERR_ARGUMENT, err, errsize, "a frame needs a field on a grid");
  if (!(in->vmax > in->vmin) || !isfinite(in->vmax - in->vmin))
    return ria_error_text(RIA_ERR_ARGUMENT, err, errsize,
                          "the range of a frame is %g to %g, but min must be below max", in->vmin,
                          in->vmax);
  if (in->scale == RIA_SCALE_LOG && !(in->vmin > 0.0))
    return ria_error_text(RIA_ERR_ARGUMENT, err, errsize,
                          "a logarithmic frame begins at %g, but must begin above 0", in->vmin);
  if (in->phase && (!(in->phase_step >= 0.0) || in->coarse > 1 ||
                    (in->phase_step > 0.0 &&
                     fabs(360.0 / in->phase_step - floor(360.0 / in->phase_step + 0.5)) > 1e-9)))
    return ria_error_text(RIA_ERR_ARGUMENT, err, errsize,
                          "lines of equal phase each %g degrees do not close: give a part of 360",
                          in->phase_step);
  if (in->width < 0 || in->height < 0 || in->width > PIXELS_MAX || in->height > PIXELS_MAX)
    return ria_error_text(RIA_ERR_ARGUMENT, err, errsize,
                          "a frame is %d x %d pixels, but at most %d x %d are possible", in->width,
                          in->height, PIXELS_MAX, PIXELS_MAX);
  return RIA_OK;
}

/* --- drawing ------------------------------------------------------------------------------ */

ria_status ria_frame_encode(const ria_frame_input *in, const ria_canvas *c, uint8_t **png,
                            size_t *n, char *err, size_t errsize) {
  const ria_grid *g = &in->grid;
  char software[64], time[40], range[128], extent[160], angle[40] = "";
  snprintf(software, sizeof software, "ria %s", ria_version());
  ria_format(time, sizeof time, "%.17g", in->time_s);
  ria_format(range, sizeof range, "%.9g %.9g %s%s%s", in->vmin, in->vmax,
             in->scale == RIA_SCALE_LOG ? "log" : "linear", in->unit ? " " : "",
             in->unit ? in->unit : "");
  ria_format(extent, sizeof extent, "%.12g %.12g %.12g %.12g", g->x0, g->y0, g->x0 + g->nx * g->dx,
             g->y0 + g->ny * g->dy);
  if (g->angle != 0.0) ria_format(angle, sizeof angle, "%.17g", g->angle);
  const ria_png_text texts[] = {{"Title", in->title ? in->title : in->long_name},
                                {"Software", software},
                                {"Source", "numerical simulation"},
                                {"ria:time_s", time},
                                {"ria:field", in->field},
                                {"ria:range", range},
                                {"ria:extent", extent},
                                {"ria:angle", angle},
                                {"ria:date", in->date}};
  ria_buffer out = {0};
  ria_status s =
      ria_png_encode(c, texts, sizeof texts / sizeof *texts, in->dpi, &out, err, errsize);
  if (s != RIA_OK) {
    ria_buffer_free(&out);
    return s;
  }
  *png = (uint8_t *)out.data;
  *n = out.n;
  return RIA_OK;
}

static bool draw(frame_draft *f) {
  ria_canvas_fill(&f->canvas, f->canvas.clip, FRAME_PAPER);
  if (!ria_frame_draw_map(f)) return false;
  if (f->in->phase && !ria_frame_draw_phase(f)) return false;
  ria_frame_draw_contours(f);
  ria_frame_draw_graticule(f);
  ria_frame_draw_arrows(f);
  if (!ria_frame_draw_traces(f)) return false;
  ria_frame_draw_paths(f);
  if (!f->layout.decor) return true;
  ria_frame_draw_decor(f);
  ria_frame_draw_marks(f);
  return true;
}

static ria_status paint(frame_draft *f, char *err, size_t errsize) {
  const ria_frame_input *in = f->in;
  bool log = in->scale == RIA_SCALE_LOG;
  ria_frame_lay_out(in, &f->layout);
  f->low = log ? log10(in->vmin) : in->vmin;
  f->span = (log ? log10(in->vmax) : in->vmax) - f->low;
  f->metres_x = in->grid.nx * in->grid.dx / f->layout.map.w;
  f->metres_y = in->grid.ny * in->grid.dy / f->layout.map.h;
  double coarse = in->coarse > 1 ? in->coarse : 1;
  f->columns = in->grid.nx / coarse;
  f->rows = in->grid.ny / coarse;
  f->nx = ria_coarse_cells(in->grid.nx, in->coarse);
  f->ny = ria_coarse_cells(in->grid.ny, in->coarse);
  bool ok = ria_canvas_init(&f->canvas, f->layout.width, f->layout.height);
  set_palette(f);
  const bool own = in->ground || in->hillshade || f->ground;
  ok = ok && (!own || ria_canvas_own_colors(&f->canvas)) && draw(f);
  return ok ? RIA_OK : ria_error_text(RIA_ERR_MEMORY, err, errsize, "out of memory for a frame");
}

ria_status ria_frame_paint(const ria_frame_input *in, ria_canvas *out, char *err, size_t errsize) {
  *out = (ria_canvas){0};
  RIA_TRY(check(in, err, errsize));
  frame_draft *f = calloc(1, sizeof *f); /* too large for the stack of a small thread */
  if (!f) return ria_error_text(RIA_ERR_MEMORY, err, errsize, "out of memory for a frame");
  f->in = in;
  const ria_status s = paint(f, err, errsize);
  *out = f->canvas;
  free(f);
  return s;
}

ria_status ria_frame_render(const ria_frame_input *in, uint8_t **png, size_t *n, char *err,
                            size_t errsize) {
  ria_canvas canvas;
  *png = NULL;
  *n = 0;
  ria_status s = ria_frame_paint(in, &canvas, err, errsize);
  if (s == RIA_OK) s = ria_frame_encode(in, &canvas, png, n, err, errsize);
  ria_canvas_free(&canvas);
  return s;
}

/* --- the range of a field ----------------------------------------------------------------- */

/* The least round number >= v > 0, finer than 1-2-5 so that colours are not wasted. */
static double round_up(double v) {
  static const double nice[] = {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0};
  double decade = pow(10.0, floor(log10(v)));
  size_t k = 0;
  while (k < 10 && nice[k] * decade < v * (1.0 - 1e-6)) k++;
  return nice[k] * decade;
}

bool ria_frame_range(const float *values, size_t n, ria_scale scale, bool symmetric, double *vmin,
                     double *vmax) {
  float lo = INFINITY, hi = -INFINITY;
  for (size_t k = 0; k < n; k++) {
    lo = values[k] < lo ? values[k] : lo;
    hi = values[k] > hi ? values[k] : hi;
  }
  if (!(hi >= lo) || !isfinite((double)hi - (double)lo)) return false;
  if (scale == RIA_SCALE_LOG) {
    if (!(hi > 0.0f)) return false;
    *vmax = pow(10.0, ceil(log10((double)hi) - 1e-6));
    *vmin = *vmax * 1e-4;
    return true;
  }
  double a = (double)lo, b = (double)hi, size = fmax(fabs(a), fabs(b));
  if (!(b - a > 1e-6 * size)) return false;
  if (symmetric) {
    *vmax = round_up(size);
    *vmin = -*vmax;
    return true;
  }
  if (a >= 0.0 && a < 0.5 * b) { /* depths and speeds begin at 0 */
    *vmin = 0.0;
    *vmax = round_up(b);
    return true;
  }
  double step = ria_nice_step((b - a) / 10.0);
  *vmin = floor(a / step + 1e-6) * step;
  *vmax = ceil(b / step - 1e-6) * step;
  return true;
}
