/* io/frame_map.c - land, water, field and shoreline of a frame.
 *
 * The grid is resampled to the map's pixels once; everything after works on pixels. A pixel is
 * water where more than half of it is wet, after a light blur of the wet part that makes shorelines
 * smooth. Land is shaded relief, tinted by height. Water without a value, or with less than the
 * threshold, is pale and lets the relief of the bed show through, so that a plume stands out. Where
 * the bed has no value the domain has no cells: such pixels are plain grey. Without a bed and
 * without depths nothing is land: where the field has no value the grey is hatched.
 * The wet/dry line is where the wet part crosses one half; its distance from a pixel is estimated
 * from the local gradient, which draws it smooth at any grid size. */
#include "io/file.h"
#include "io/frame_draw.h"
#include "io/resample.h"
#include "io/shade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The planes of a map, [h][w] each, in one piece of memory. */
typedef struct planes {
  int w, h;
  float *memory, *value, *wet, *bed, *shade;
  float *inside; /* the part of a pixel that is of the domain; NULL: all is */
} planes;

static bool planes_make(planes *p, int w, int h, bool gaps) {
  size_t n = (size_t)w * (size_t)h;
  *p = (planes){.w = w, .h = h, .memory = malloc((gaps ? 5 : 4) * n * sizeof *p->memory)};
  if (!p->memory) return false;
  p->value = p->memory;
  p->wet = p->value + n;
  p->bed = p->wet + n;
  p->shade = p->bed + n;
  if (gaps) p->inside = p->shade + n;
  return true;
}

/* --- the wet part, blurred 1-2-1 both ways ------------------------------------------------ */

static void blur_row(const float *restrict from, float *restrict to, int n) {
  if (n < 2) {
    memcpy(to, from, (size_t)n * sizeof *to);
    return;
  }
  to[0] = 0.75f * from[0] + 0.25f * from[1];
  for (int k = 1; k < n - 1; k++) to[k] = 0.25f * (from[k - 1] + from[k + 1]) + 0.5f * from[k];
  to[n - 1] = 0.75f * from[n - 1] + 0.25f * from[n - 2];
}

/* Blurs wet in place; room holds three rows. */
static void blur(float *wet, int w, int h, float *room) {
  size_t n = (size_t)w;
  float *above = room, *here = room + n, *below = room + 2 * n;
  blur_row(wet, here, w);
  memcpy(above, here, n * sizeof *above);
  for (int row = 0; row < h; row++) {
    float *out = wet + (size_t)row * n;
    if (row + 1 < h)
      blur_row(out + n, below, w);
    else
      memcpy(below, here, n * sizeof *below);
    for (int k = 0; k < w; k++) out[k] = 0.25f * (above[k] + below[k]) + 0.5f * here[k];
    float *spare = above;
    above = here;
    here = below;
    below = spare;
  }
}

/* --- colours of pixels -------------------------------------------------------------------- */

/* Heights that the tints of land and the shades of water run over. */
typedef struct relief {
  float sea, top, bottom;
} relief;

static relief measure_relief(const planes *p) {
  float lo = INFINITY, hi = -INFINITY;
  size_t n = (size_t)p->w * (size_t)p->h;
  for (size_t k = 0; k < n; k++) {
    float z = p->bed[k];
    lo = z < lo ? z : lo;
    hi = z > hi ? z : hi;
  }
  if (!(hi >= lo)) lo = hi = 0.0f;
  float sea = lo > 0.0f ? lo : hi < 0.0f ? hi : 0.0f; /* the datum, if it lies within */
  return (relief){.sea = sea, .top = hi, .bottom = lo};
}

/* The step of n that t in 0..1 falls on; NaN and what lies outside are at the ends. */
static int step_of(float t, int n) {
  return !(t > 0.0f) ? 0 : t < 1.0f ? (int)(t * (float)n) : n - 1;
}

/* Up to half a step more or less, in a fixed 4 x 4 pattern (Bayer's), so that few shades pass for
 * many where the relief is smooth. */
static float dither(int x, int y, int n) {
  static const float pattern[4][4] = {{-7.5f, 0.5f, -5.5f, 2.5f},
                                      {4.5f, -3.5f, 6.5f, -1.5f},
                                      {-4.5f, 3.5f, -6.5f, 1.5f},
                                      {7.5f, -0.5f, 5.5f, -2.5f}};
  return pattern[y & 3][x & 3] / (16.0f * (float)n);
}

static uint8_t land_color(const relief *r, float z, float shade, int x, int y) {
  float up = r->top > r->sea ? (z - r->sea) / (r->top - r->sea) : 0.0f;
  up = up > 0.0f ? sqrtf(up) : 0.0f;
  float light = 0.64f + 0.85f * (shade - RIA_SHADE_FLAT) + 0.18f * up;
  return (uint8_t)(FRAME_LAND + step_of(light + dither(x, y, FRAME_LAND_N), FRAME_LAND_N));
}

static uint8_t water_color(const relief *r, float z, float shade, int x, int y) {
  float down = r->sea > r->bottom ? (r->sea - z) / (r->sea - r->bottom) : 0.0f;
  float dark = 0.12f + 0.7f * (down > 0.0f ? down : 0.0f) - 0.5f * (shade - RIA_SHADE_FLAT);
  return (uint8_t)(FRAME_WATER + step_of(dark + dither(x, y, FRAME_WATER_N), FRAME_WATER_N));
}

/* A pixel of water at a shore may be more dry than wet and have no value: then a neighbour's. */
static float value_near(const planes *p, int x, int y) {
  size_t w = (size_t)p->w, at = (size_t)y * w + (size_t)x;
  float v = p->value[at];
  if (v != v && x > 0) v = p->value[at - 1];
  if (v != v && x + 1 < p->w) v = p->value[at + 1];
  if (v != v && y > 0) v = p->value[at - w];
  if (v != v && y + 1 < p->h) v = p->value[at + w];
  return v;
}

/* How values become colours. */
typedef struct color_scale {
  bool log, symmetric;
  int n;                          /* colours */
  float threshold, low, per_unit; /* colour = (value or log10 - low) * per_unit */
} color_scale;

static color_scale make_scale(const frame_draft *f) {
  const ria_frame_input *in = f->in;
  bool log = in->scale == RIA_SCALE_LOG;
  double threshold = in->threshold != 0.0 ? in->threshold : log ? in->vmin : -INFINITY;
  return (color_scale){.log = log,
                       .symmetric = in->symmetric && !log,
                       .threshold = (float)threshold,
                       .low = (float)f->low,
                       .n = frame_colors(f),
                       .per_unit = (float)(frame_colors(f) / f->span)};
}

/* Where among the n colours a value is; *clear when it is below the threshold. */
static float place_of(const color_scale *s, float v, bool *clear, bool *above, bool *below) {
  float size = s->symmetric ? fabsf(v) : v;
  *clear = !(size >= s->threshold);
  if (*clear) return 0.0f;
  float at = ((s->log ? log10f(v) : v) - s->low) * s->per_unit;
  /* half a colour beyond the end is rounding, not a value out of range */
  if (at > (float)s->n + 0.5f) *above = true;
  if (at < -0.5f) *below = true;
  return at;
}

static int field_color(const color_scale *s, float at) {
  return at < 0.0f ? 0 : at >= (float)s->n ? s->n - 1 : (int)at;
}

/* The ground in the light that falls there. A palette's few colours in few lights would show as
 * steps or, dithered, as grain: each pixel has a colour of its own. */
static void paint_ground(frame_draft *f, const color_scale *s, float at, float shade, int x,
                         int y) {
  const float light = 2.2f * (shade - RIA_SHADE_FLAT);
  const int ink = FRAME_FIELD + field_color(s, at) * FRAME_LIGHTS +
                  step_of(0.5f + (0.5f + 0.5f * FRAME_LIGHTS * light) / FRAME_LIGHTS, FRAME_LIGHTS);
  uint8_t rgb[3];
  ria_frame_field_rgb(f, at / (float)s->n, light, rgb);
  ria_canvas_put(&f->canvas, f->layout.map.x + x, f->layout.map.y + y, ink, rgb);
}

/* The field's colour in the light that falls on the bed below it, softly: values are to be read. */
static void paint_lit(frame_draft *f, const color_scale *s, float at, float shade, int x, int y) {
  uint8_t rgb[3];
  ria_frame_field_rgb(f, at / (float)s->n, 1.3f * (shade - RIA_SHADE_FLAT), rgb);
  ria_canvas_put(&f->canvas, f->layout.map.x + x, f->layout.map.y + y,
                 FRAME_FIELD + field_color(s, at), rgb);
}

/* Land or clear water by its height: the shore is the middle of the map. */
static void paint_height(frame_draft *f, const relief *r, bool land, float z, float shade, int x,
                         int y) {
  const float up = r->top > r->sea ? (z - r->sea) / (r->top - r->sea) : 0.0f;
  const float down = r->sea > r->bottom ? (r->sea - z) / (r->sea - r->bottom) : 0.0f;
  const float far = fminf(fmaxf(land ? up : down, 0.0f), 1.0f);
  const int ink =
      land ? FRAME_LAND + step_of(far, FRAME_LAND_N) : FRAME_WATER + step_of(far, FRAME_WATER_N);
  uint8_t rgb[3];
  ria_frame_lit_rgb(f->ground, land ? 0.5f + 0.5f * far : 0.5f - 0.5f * far,
                    1.8f * (shade - RIA_SHADE_FLAT), rgb);
  ria_canvas_put(&f->canvas, f->layout.map.x + x, f->layout.map.y + y, ink, rgb);
}

int ria_frame_missing_ink(const frame_layout *l, int x, int y) {
  const int period = frame_px(l, 8), at = (x + y) % period;
  return at == 0                       ? FRAME_MISSING_LINE
         : at == 1 || at == period - 1 ? FRAME_OUTSIDE - 1
                                       : FRAME_OUTSIDE;
}

/* Where there is no value, on a map that has no land. */
static bool is_missing(const frame_draft *f, const planes *p, size_t at) {
  return f->no_land && p->wet[at] < 0.5f;
}

static void paint(frame_draft *f, const planes *p) {
  const ria_rect map = f->layout.map;
  const color_scale scale = make_scale(f);
  const relief heights = measure_relief(p);
  for (int y = 0; y < p->h; y++) {
    uint8_t *out = f->canvas.pixel + (size_t)(map.y + y) * (size_t)f->canvas.width + map.x;
    for (int x = 0; x < p->w; x++) {
      size_t at = (size_t)y * (size_t)p->w + (size_t)x;
      if (p->inside && p->inside[at] < 0.5f) {
        out[x] = FRAME_OUTSIDE;
        continue;
      }
      if (is_missing(f, p, at)) {
        out[x] = (uint8_t)ria_frame_missing_ink(&f->layout, x, y);
        f->missing = true;
        continue;
      }
      const bool ground = f->in->ground && p->value[at] == p->value[at];
      if (p->wet[at] < 0.5f && !ground) {
        if (f->ground)
          paint_height(f, &heights, true, p->bed[at], p->shade[at], x, y);
        else
          out[x] = land_color(&heights, p->bed[at], p->shade[at], x, y);
        continue;
      }
      bool clear;
      const float place = place_of(&scale, value_near(p, x, y), &clear, &f->above, &f->below);
      if (clear && f->ground)
        paint_height(f, &heights, false, p->bed[at], p->shade[at], x, y);
      else if (clear)
        out[x] = water_color(&heights, p->bed[at], p->shade[at], x, y);
      else if (ground)
        paint_ground(f, &scale, place, p->shade[at], x, y);
      else if (f->in->hillshade)
        paint_lit(f, &scale, place, p->shade[at], x, y);
      else
        out[x] = (uint8_t)(FRAME_FIELD + field_color(&scale, place + dither(x, y, 1)));
    }
  }
}

static void draw_shore(frame_draft *f, const planes *p) {
  const float half_width = (float)(0.6 * f->layout.scale), strength = 0.9f;
  const ria_rect map = f->layout.map;
  size_t w = (size_t)p->w;
  for (int y = 1; y < p->h - 1; y++)
    for (int x = 1; x < p->w - 1; x++) {
      const float *c = p->wet + (size_t)y * w + x;
      if (p->inside && p->inside[(size_t)y * w + (size_t)x] < 1.0f) continue; /* no shore */
      float off = fabsf(c[0] - 0.5f);
      if (off > 0.49f) continue; /* far from any shore */
      float gx = 0.5f * (c[1] - c[-1]), gy = 0.5f * (c[w] - c[-(ptrdiff_t)w]);
      float slope = sqrtf(gx * gx + gy * gy);
      float cover = slope > 0.02f ? 0.5f + half_width - off / slope : 0.0f;
      if (cover > 0.0f)
        ria_canvas_blend(&f->canvas, map.x + x, map.y + y, FRAME_SHORE,
                         (double)(strength * (cover < 1.0f ? cover : 1.0f)));
    }
}

/* The depth from which water is drawn as water. Banks and flats that fall dry keep a film, thinner
 * than a picture should tell of, whose level is the ground's. */
static float visible_depth(const ria_frame_input *in) {
  const float dry = (float)in->dry;
  if (!in->depth || in->thinnest < 0.0) return in->depth ? dry : 0.0f;
  if (in->thinnest > 0.0) return fmaxf((float)in->thinnest, dry);
  size_t n = ria_frame_values(in), stride = 1 + n / 65536; /* a sample */
  float most = 0.0f;
  for (size_t k = 0; k < n; k += stride) most = in->depth[k] > most ? in->depth[k] : most;
  const float film = isfinite(most) ? fmaxf(fminf(most / 200.0f, 0.02f), most / 2000.0f) : 0.0f;
  return fmaxf(film, dry);
}

/* Whether there is water too thin to be drawn. */
static bool has_thin(const ria_frame_input *in, float film) {
  const float dry = (float)in->dry;
  const size_t n = ria_frame_values(in);
  for (size_t k = 0; in->depth && film > dry && k < n; k++)
    if (in->depth[k] >= dry && in->depth[k] > 0.0f && in->depth[k] < film) return true;
  return false;
}

/* Values of the ground count on land too; what is wet stays as it is. */
static bool resample_ground(const ria_cells *cells, const planes *p) {
  ria_cells all = *cells;
  all.depth = NULL;
  const ria_pixels pixels = {
      .width = p->w, .height = p->h, .value = p->value, .wet = p->shade, .bed = p->bed};
  return ria_resample(&all, &pixels);
}

/* --- where the domain has no cells -------------------------------------------------------- */

static bool has_gaps(const float *bed, size_t n) {
  for (size_t k = 0; bed && k < n; k++)
    if (bed[k] != bed[k]) return true;
  return false;
}

/* The nearest height of the row, so that no cliff throws a shade; 0 in rows without one. */
static void fill_row(float *bed, int n) {
  float last = NAN;
  for (int k = 0; k < n; k++) last = bed[k] = bed[k] == bed[k] ? bed[k] : last;
  last = 0.0f;
  for (int k = n - 1; k >= 0; k--) last = bed[k] = bed[k] == bed[k] ? bed[k] : last;
}

/* The part of each pixel that is inside; *bed becomes heights without gaps, the caller's. */
static bool find_gaps(ria_cells *cells, const planes *p, float **bed) {
  const size_t n = (size_t)cells->nx * (size_t)cells->ny;
  ria_cells inside = *cells;
  inside.value = cells->bed;
  inside.depth = inside.bed = NULL;
  const ria_pixels pixels = {
      .width = p->w, .height = p->h, .value = p->value, .wet = p->inside, .bed = p->bed};
  *bed = malloc(n * sizeof **bed);
  if (!*bed || !ria_resample(&inside, &pixels)) return false;
  memcpy(*bed, cells->bed, n * sizeof **bed);
  for (int j = 0; j < cells->ny; j++) fill_row(*bed + (size_t)j * (size_t)cells->nx, cells->nx);
  cells->bed = *bed;
  return true;
}

bool ria_frame_draw_map(frame_draft *f) {
  const ria_frame_input *in = f->in;
  const ria_rect map = f->layout.map;
  planes p;
  float *whole = NULL; /* bed */
  f->gaps = has_gaps(in->bed, ria_frame_values(in));
  f->no_land = !in->bed && !in->depth;
  if (!planes_make(&p, map.w, map.h, f->gaps)) return false;
  f->film = visible_depth(in);
  f->thin = has_thin(in, f->film);
  ria_cells cells = {.nx = f->nx,
                     .ny = f->ny,
                     .columns = f->columns,
                     .rows = f->rows,
                     .value = in->value,
                     .depth = in->depth,
                     .bed = in->bed,
                     .dry = f->film};
  const ria_pixels pixels = {
      .width = p.w, .height = p.h, .value = p.value, .wet = p.wet, .bed = p.bed};
  float *room = malloc(3 * (size_t)p.w * sizeof *room);
  bool ok = room && (!f->gaps || find_gaps(&cells, &p, &whole)) && ria_resample(&cells, &pixels) &&
            (!in->ground || resample_ground(&cells, &p)) &&
            ria_shade(p.bed, p.w, p.h, f->metres_x, f->metres_y, p.shade);
  if (ok) {
    if (!f->no_land) blur(p.wet, p.w, p.h, room);
    paint(f, &p);
    ria_canvas_clip(&f->canvas, map);
    if (!f->no_land) draw_shore(f, &p);
    ria_canvas_unclip(&f->canvas);
  }
  free(room);
  free(whole);
  free(p.memory);
  return ok;
}
