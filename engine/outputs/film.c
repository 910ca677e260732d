/* outputs/film.c - films of the frames that a run drew (ria/film.h).
 *
 * The heads of all frames are read first: their size must be the same, and where all their colours
 * fit a palette an animated PNG has one. Then each frame is read, put beside the others of its
 * time, brought to the size, and given away: one picture of each series is in memory. */
#include "base/context.h"
#include "base/ranks.h"
#include "base/text.h"
#include "io/apng.h"
#include "io/canvas.h"
#include "io/ffmpeg.h"
#include "io/file.h"
#include "io/png_read.h"
#include "io/rgb_scale.h"
#include "io/target.h"
#include "io/text_file.h"
#include "outputs/films.h"
#include "outputs/results_list.h"
#include <ria/film.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_MOST = 1 << 26, SIZE_MOST = 16384, TITLE = 44 /* pixels of its band; even */ };

typedef struct series {
  char name[RIA_RESULT_NAME];
  int64_t listed;    /* frames, by run.json */
  size_t frames;     /* that are there */
  int width, height; /* of the largest: labels of another range need other room */
} series;

typedef struct film {
  ria_context *ctx;
  const ria_film_desc *desc;
  bool whole; /* all frames that run.json lists must be there, of each series as many */
  series series[RIA_FILM_SERIES];
  size_t n, frames;
  double *time_s; /* [frames] of the first series */
  int columns, cell_w, cell_h;
  int sheet_w, sheet_h, width, height; /* side by side; of the film */
  uint8_t *sheet, *out;                /* RGB */
  int band_h;                          /* of the title above; 0: none */
  uint8_t *band;                       /* [band_h][sheet_w] RGB */
  int colors;                          /* of the palette; 0: too many */
  uint8_t palette[256][3];
  double fps;
  char ffmpeg[RIA_FILM_PATH], path[RIA_FILM_PATH];
  bool has_ffmpeg, webm, animated;
} film;

/* --- which frames ----------------------------------------------------------------------------- */

/* DIR/frames/<name>/<name>_000012.png */
static ria_status path_of(const film *f, const series *s, size_t k, char path[RIA_FILM_PATH]) {
  const int n =
      snprintf(path, RIA_FILM_PATH, "%s/frames/%s/%s_%06zu.png", f->desc->dir, s->name, s->name, k);
  if (n > 0 && n < RIA_FILM_PATH) return RIA_OK;
  return ria_fail(f->ctx, RIA_ERR_ARGUMENT, "the name of the directory is too long");
}

static ria_status read_list(film *f, ria_results_list *list) {
  ria_context *ctx = f->ctx;
  bool ours = false;
  char *text, *path = ria_path_join(f->desc->dir, "run.json");
  size_t n;
  if (!path) return ria_fail_memory(ctx, "a path", strlen(f->desc->dir));
  ria_status s =
      ria_file_exists(path)
          ? ria_text_slurp(ctx, path, RUN_MOST, &text, &n)
          : ria_fail(ctx, RIA_ERR_INPUT,
                     "'%s' does not hold the results of a run: there is no run.json", f->desc->dir);
  free(path);
  RIA_TRY(s);
  s = ria_results_list_read(ctx, text, n, list, &ours);
  free(text);
  if (s == RIA_OK && !ours)
    s = ria_fail(ctx, RIA_ERR_INPUT, "%s/run.json is damaged, or none that ria wrote",
                 f->desc->dir);
  return s;
}

static ria_status take_series(film *f, const ria_results_list *list, const char *name) {
  ria_guess guess = ria_guess_start(name ? name : "");
  for (size_t k = 0; k < list->n; k++) {
    const ria_result *r = &list->item[k];
    if (r->kind != RIA_RESULT_FRAMES) continue;
    if (!name || strcmp(name, r->name) == 0) {
      series *s = &f->series[f->n++];
      snprintf(s->name, sizeof s->name, "%s", r->name);
      s->listed = r->count;
      return RIA_OK;
    }
    ria_guess_try(&guess, r->name);
  }
  if (name && *guess.known) return ria_fail_unknown(f->ctx, "series of frames", &guess);
  return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                  "the run in '%s' drew no frames: sim:every(\"30 min\", ria.frame { field = "
                  "\"level\" }) draws some, ria render one of what was saved",
                  f->desc->dir);
}

static ria_status choose_series(film *f) {
  ria_results_list list = {0};
  ria_status s = read_list(f, &list);
  for (size_t k = 0; k < f->desc->n_series && s == RIA_OK; k++)
    s = take_series(f, &list, f->desc->series[k]);
  if (s == RIA_OK && !f->desc->n_series) s = take_series(f, &list, NULL);
  ria_results_list_free(&list);
  return s;
}

/* A run that was killed may have drawn more than it listed. */
static ria_status count_frames(film *f, series *s) {
  char path[RIA_FILM_PATH];
  for (;; s->frames++) {
    RIA_TRY(path_of(f, s, s->frames, path));
    if (!ria_file_exists(path)) break;
  }
  if (!f->whole) return RIA_OK;
  if ((int64_t)s->frames < s->listed)
    return ria_fail(f->ctx, RIA_ERR_INPUT, "frame '%s' is missing: the run drew %lld of them", path,
                    (long long)s->listed);
  if (s->frames) return RIA_OK;
  return ria_fail(f->ctx, RIA_ERR_INPUT, "there is no frame of '%s' yet", s->name);
}

/* --- heads of frames -------------------------------------------------------------------------- */

/* 0 colours: too many. */
static void add_colours(film *f, const uint8_t (*palette)[3], int n) {
  if (!n) f->colors = 0;
  for (int k = 0; k < n && f->colors; k++) {
    int at = 0;
    while (at < f->colors && memcmp(f->palette[at], palette[k], 3) != 0) at++;
    if (at < f->colors) continue;
    if (f->colors == 256) {
      f->colors = 0;
      return;
    }
    memcpy(f->palette[f->colors++], palette[k], 3);
  }
}

static ria_status check_frame(film *f, series *s, size_t k, const char *path,
                              const ria_png_picture *p) {
  char first[RIA_FILM_PATH];
  if (p->width > s->width) s->width = p->width;
  if (p->height > s->height) s->height = p->height;
  if (s == &f->series[0]) f->time_s[k] = p->time_s;
  if (s == &f->series[0] || fabs(p->time_s - f->time_s[k]) <= 1e-6 * fmax(1.0, fabs(p->time_s)))
    return RIA_OK;
  RIA_TRY(path_of(f, &f->series[0], k, first));
  return ria_fail(f->ctx, RIA_ERR_INPUT,
                  "frames side by side are of the same times: '%s' is of %.10g s, '%s' of %.10g s",
                  path, p->time_s, first, f->time_s[k]);
}

static ria_status look_at(film *f, series *s) {
  char path[RIA_FILM_PATH];
  ria_png_picture p;
  for (size_t k = 0; k < f->frames; k++) {
    RIA_TRY(path_of(f, s, k, path));
    RIA_TRY(ria_png_read(f->ctx, path, false, &p));
    RIA_TRY(check_frame(f, s, k, path, &p));
    add_colours(f, (const uint8_t(*)[3])p.palette, p.colors);
  }
  return RIA_OK;
}

static ria_status look_at_frames(film *f) {
  for (size_t k = 0; k < f->n; k++) {
    RIA_TRY(count_frames(f, &f->series[k]));
    if (k == 0 || f->series[k].frames < f->frames) f->frames = f->series[k].frames;
    if (f->whole && f->series[k].frames != f->series[0].frames)
      return ria_fail(f->ctx, RIA_ERR_INPUT,
                      "frames side by side are of the same times: there are %zu of '%s' and %zu of "
                      "'%s'",
                      f->series[0].frames, f->series[0].name, f->series[k].frames,
                      f->series[k].name);
  }
  if (!f->frames) return RIA_OK; /* of a run that was ended early */
  f->time_s = calloc(f->frames, sizeof *f->time_s);
  if (!f->time_s) return ria_fail_memory(f->ctx, "a film", f->frames * sizeof *f->time_s);
  f->colors = 1;
  memset(f->palette[0], 255, 3); /* white, around pictures of several sizes */
  for (size_t k = 0; k < f->n; k++) RIA_TRY(look_at(f, &f->series[k]));
  return RIA_OK;
}

/* --- sizes ------------------------------------------------------------------------------------ */

static int even(double v) {
  const int n = 2 * (int)lrint(0.5 * v);
  return n < 2 ? 2 : n;
}

static ria_status choose_size(film *f) {
  const ria_film_desc *d = f->desc;
  f->columns = f->n <= 3 ? (int)f->n : (int)ceil(sqrt((double)f->n));
  for (size_t k = 0; k < f->n; k++) {
    if (f->series[k].width > f->cell_w) f->cell_w = f->series[k].width;
    if (f->series[k].height > f->cell_h) f->cell_h = f->series[k].height;
  }
  const int rows = ((int)f->n + f->columns - 1) / f->columns;
  f->band_h = d->title && *d->title ? TITLE : 0;
  f->sheet_w = f->columns * f->cell_w + (f->columns * f->cell_w & 1);
  f->sheet_h = f->band_h + rows * f->cell_h + (rows * f->cell_h & 1);
  double scale = INFINITY;
  if (d->width) scale = fmin(scale, (double)d->width / f->sheet_w);
  if (d->height) scale = fmin(scale, (double)d->height / f->sheet_h);
  if (!isfinite(scale)) scale = 1.0;
  f->width = even(scale * f->sheet_w);
  f->height = even(scale * f->sheet_h);
  if (f->width > SIZE_MOST || f->height > SIZE_MOST)
    return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                    "a film of %d x %d pixels is too large: at most %d each way; give a size",
                    f->width, f->height, SIZE_MOST);
  f->sheet = malloc(3 * (size_t)f->sheet_w * (size_t)f->sheet_h);
  f->out = malloc(3 * (size_t)f->width * (size_t)f->height);
  if (f->sheet && f->out) return RIA_OK;
  return ria_fail_memory(f->ctx, "a film", 3 * (size_t)f->sheet_w * (size_t)f->sheet_h);
}

/* --- the title -------------------------------------------------------------------------------- */

static void draw_title(ria_canvas *c, const char *title) {
  const ria_font *font = ria_font_title(true);
  for (int k = 0; k < 16; k++) ria_canvas_color(c, 255 - 17 * k, 255 - 17 * k, 255 - 17 * k);
  ria_canvas_text(c, font, c->width / 2, (TITLE + font->ascent) / 2, RIA_ALIGN_CENTRE, 15, title);
}

static ria_status make_title(film *f) {
  ria_canvas c;
  const size_t n = (size_t)f->sheet_w * TITLE;
  if (!f->band_h) return RIA_OK;
  f->band = malloc(3 * n);
  const bool made = ria_canvas_init(&c, f->sheet_w, TITLE);
  if (f->band && made) {
    draw_title(&c, f->desc->title);
    for (size_t k = 0; k < n; k++) memcpy(f->band + 3 * k, c.palette[c.pixel[k]], 3);
    if (f->colors) add_colours(f, (const uint8_t(*)[3])c.palette, c.colors);
  }
  if (made) ria_canvas_free(&c);
  return f->band && made ? RIA_OK : ria_fail_memory(f->ctx, "a film", 3 * n);
}

/* --- pictures --------------------------------------------------------------------------------- */

static void put_on(film *f, const ria_png_picture *p, int i, int j) {
  const size_t row = 3 * (size_t)f->sheet_w;
  uint8_t *to = f->sheet + (size_t)(f->band_h + j * f->cell_h) * row + 3 * (size_t)(i * f->cell_w);
  for (int y = 0; y < p->height; y++)
    memcpy(to + (size_t)y * row, p->rgb + 3 * (size_t)y * (size_t)p->width, 3 * (size_t)p->width);
}

/* The k-th picture of the film, in out. */
static ria_status make_picture(film *f, size_t k) {
  char path[RIA_FILM_PATH];
  RIA_TRY(ria_go_on(f->ctx));
  memset(f->sheet, 255, 3 * (size_t)f->sheet_w * (size_t)f->sheet_h);
  if (f->band) memcpy(f->sheet, f->band, 3 * (size_t)f->sheet_w * (size_t)f->band_h);
  for (size_t i = 0; i < f->n; i++) {
    const series *s = &f->series[i];
    ria_png_picture p;
    RIA_TRY(path_of(f, s, k, path));
    RIA_TRY(ria_png_read(f->ctx, path, true, &p));
    const bool fits = p.width <= s->width && p.height <= s->height;
    if (fits) put_on(f, &p, (int)i % f->columns, (int)i / f->columns);
    ria_png_picture_free(&p);
    if (!fits)
      return ria_fail(f->ctx, RIA_ERR_INPUT, "'%s' was replaced while the film was made", path);
  }
  if (ria_rgb_scale(f->sheet, f->sheet_w, f->sheet_h, f->out, f->width, f->height)) return RIA_OK;
  return ria_fail_memory(f->ctx, "a film", 3 * (size_t)f->width * (size_t)f->sheet_h);
}

/* --- the two kinds of film -------------------------------------------------------------------- */

static ria_status write_animated(film *f, int fd) {
  char err[RIA_ERR_TEXT] = "", software[64];
  const bool whole_rate = f->fps == floor(f->fps);
  const bool scaled = f->width != f->sheet_w || f->height != f->sheet_h;
  snprintf(software, sizeof software, "ria %s", ria_version());
  const ria_apng_desc desc = {.fd = fd,
                              .width = f->width,
                              .height = f->height,
                              .frames = (uint32_t)f->frames,
                              .delay = whole_rate ? 1 : 100,
                              .per = whole_rate ? (int)f->fps : (int)lrint(100.0 * f->fps),
                              .palette =
                                  f->colors && !scaled ? (const uint8_t(*)[3])f->palette : NULL,
                              .colors = f->colors,
                              .title = f->band_h ? f->desc->title : f->series[0].name,
                              .software = software};
  ria_apng *a;
  ria_status s = ria_apng_begin(&desc, &a, err, sizeof err);
  for (size_t k = 0; k < f->frames && s == RIA_OK; k++) {
    s = make_picture(f, k);
    if (s == RIA_OK) s = ria_apng_add(a, f->out, err, sizeof err);
  }
  if (s == RIA_OK) s = ria_apng_end(a, err, sizeof err);
  ria_apng_free(&a);
  return s != RIA_OK && *err ? ria_fail(f->ctx, s, "%s", err) : s;
}

/* A picture that ffmpeg does not take says little: it does itself. */
static ria_status write_by_ffmpeg(film *f, const char *path) {
  ria_ffmpeg *g;
  bool taken = true;
  RIA_TRY(ria_ffmpeg_start(f->ctx, f->ffmpeg, path, f->webm, f->width, f->height, f->fps, &g));
  ria_status s = RIA_OK;
  for (size_t k = 0; k < f->frames && s == RIA_OK; k++) {
    s = make_picture(f, k);
    if (s != RIA_OK) break;
    s = ria_ffmpeg_add(f->ctx, g, f->out);
    taken = s == RIA_OK;
  }
  const bool its_own = s != RIA_OK && taken;
  const ria_status end = ria_ffmpeg_end(f->ctx, &g, !its_own);
  return its_own || end == RIA_OK ? s : end;
}

static ria_status write_film(film *f) {
  char err[RIA_ERR_TEXT] = "", ignored[RIA_ERR_TEXT];
  ria_target t;
  ria_status s = ria_target_open(f->ctx, f->path, &t, err, sizeof err);
  if (s != RIA_OK) return ria_fail(f->ctx, s, "%s", err);
  if (f->animated)
    s = write_animated(f, t.fd);
  else if (t.temp)
    s = write_by_ffmpeg(f, t.temp);
  else
    s = ria_fail(f->ctx, RIA_ERR_OUTPUT, "ffmpeg writes a film to a file, and '%s' is none",
                 f->path);
  if (s != RIA_OK) {
    (void)ria_target_close(&t, false, ignored, sizeof ignored);
    return s;
  }
  s = ria_target_close(&t, true, err, sizeof err);
  return s == RIA_OK ? RIA_OK : ria_fail(f->ctx, s, "%s", err);
}

/* --- all of it -------------------------------------------------------------------------------- */

bool ria_film_is_name(const char *name) {
  return ria_ends_with(name, ".mp4") || ria_ends_with(name, ".webm") ||
         ria_ends_with(name, ".png") || ria_ends_with(name, ".apng");
}

static ria_status choose_path(film *f) {
  const char *path = f->desc->path;
  int n;
  f->has_ffmpeg = ria_ffmpeg_find(f->ctx, f->ffmpeg, sizeof f->ffmpeg);
  if (path)
    n = snprintf(f->path, sizeof f->path, "%s", path);
  else
    n = snprintf(f->path, sizeof f->path, "%s/%s%s", f->desc->dir, f->series[0].name,
                 f->has_ffmpeg ? ".mp4" : ".png");
  if (n < 0 || (size_t)n >= sizeof f->path)
    return ria_fail(f->ctx, RIA_ERR_ARGUMENT, "the name of the film is too long");
  f->webm = ria_ends_with(f->path, ".webm");
  f->animated = ria_ends_with(f->path, ".png") || ria_ends_with(f->path, ".apng");
  if (!ria_film_is_name(f->path))
    return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                    "'%s': a film is an .mp4 or .webm (by ffmpeg), or an animated .png or .apng",
                    f->path);
  if (f->animated || f->has_ffmpeg) return RIA_OK;
  return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                  "'%s' needs ffmpeg, which is not on PATH: install it (apt install ffmpeg), or "
                  "name a .png, which browsers play as it is",
                  f->path);
}

static ria_status make(film *f) {
  RIA_TRY(choose_series(f));
  RIA_TRY(choose_path(f));
  RIA_TRY(look_at_frames(f));
  if (!f->frames) return RIA_OK;
  RIA_TRY(choose_size(f));
  RIA_TRY(make_title(f));
  return write_film(f);
}

ria_status ria_film_check(ria_context *ctx, const ria_film_desc *d) {
  if (d->n_series > RIA_FILM_SERIES)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%zu series of frames side by side are more than %d",
                    d->n_series, RIA_FILM_SERIES);
  if (d->fps != 0.0 && !(d->fps >= 0.1 && d->fps <= 120.0))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%g frames a second: 0.1 to 120 are possible", d->fps);
  if (d->width < 0 || d->height < 0 || d->width > SIZE_MOST || d->height > SIZE_MOST)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "a film of %d x %d pixels: at most %d each way",
                    d->width, d->height, SIZE_MOST);
  return RIA_OK;
}

ria_status ria_film_alone(ria_context *ctx, const ria_film_desc *desc, bool whole,
                          ria_film_info *info) {
  film *f = calloc(1, sizeof *f);
  if (!f) return ria_fail_memory(ctx, "a film", sizeof *f);
  f->ctx = ctx;
  f->desc = desc;
  f->whole = whole;
  f->fps = desc->fps == 0.0 ? 12.0 : desc->fps;
  const ria_status s = make(f);
  *info = (ria_film_info){.frames = f->frames,
                          .width = f->width,
                          .height = f->height,
                          .seconds = (double)f->frames / f->fps,
                          .by_ffmpeg = !f->animated};
  memcpy(info->path, f->path, sizeof info->path);
  free(f->time_s);
  free(f->sheet);
  free(f->band);
  free(f->out);
  free(f);
  return s;
}

ria_status ria_film(ria_context *ctx, const ria_film_desc *desc, ria_film_info *info) {
  ria_film_info *ours = calloc(1, sizeof *ours);
  if (!ours) return ria_fail_memory(ctx, "a film", sizeof *ours);
  ria_status s = desc && desc->dir && *desc->dir
                     ? ria_film_check(ctx, desc)
                     : ria_fail(ctx, RIA_ERR_ARGUMENT, "a film needs the results of a run");
  if (s == RIA_OK)
    s = ria_ranks_wrote(ctx, ria_ranks_write(ctx) ? ria_film_alone(ctx, desc, true, ours) : s);
  if (info) *info = *ours;
  free(ours);
  return s;
}
