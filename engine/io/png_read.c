/* io/png_read.c - pictures read back, by libpng from memory.
 *
 * libpng reports errors by longjmp. The jump lands in `decode`, which owns nothing and has no local
 * that changes after setjmp; everything to be freed belongs to its caller. */
#include "io/png_read.h"
#include "base/context.h"
#include "base/text.h"
#include "io/access.h"
#include "io/text_file.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIXELS_MAX = 16384, FILE_MOST = 1 << 30, HEAD = 1 << 16 };

typedef struct decoder {
  png_structp png;
  png_infop info;
  const char *at, *end;
  bool pixels, no_memory;
  ria_png_picture *out;
  char why[160];
} decoder;

static void on_error(png_structp png, png_const_charp message) {
  decoder *d = png_get_error_ptr(png);
  snprintf(d->why, sizeof d->why, "%s", message);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

/* libpng only warns where memory for a chunk is out, and reads on without it. */
static png_voidp on_malloc(png_structp png, png_alloc_size_t n) {
  decoder *d = png_get_mem_ptr(png);
  void *block = malloc(n);
  if (!block) d->no_memory = true;
  return block;
}

static void on_free(png_structp png, png_voidp block) {
  (void)png;
  free(block);
}

static void on_read(png_structp png, png_bytep to, size_t n) {
  decoder *d = png_get_io_ptr(png);
  if ((size_t)(d->end - d->at) < n) png_error(png, "the file ends early");
  memcpy(to, d->at, n);
  d->at += n;
}

static void take_texts(decoder *d) {
  png_textp text;
  const char *end;
  const int n = png_get_text(d->png, d->info, &text, NULL);
  for (int k = 0; k < n; k++) {
    if (strcmp(text[k].key, "ria:time_s") == 0)
      (void)ria_read_number(text[k].text, &end, &d->out->time_s);
    else if (strcmp(text[k].key, "ria:range") == 0)
      snprintf(d->out->range, sizeof d->out->range, "%s", text[k].text);
  }
}

static void take_palette(decoder *d) {
  png_colorp color;
  int n = 0;
  if (png_get_color_type(d->png, d->info) != PNG_COLOR_TYPE_PALETTE ||
      png_get_valid(d->png, d->info, PNG_INFO_tRNS) || !png_get_PLTE(d->png, d->info, &color, &n))
    return;
  d->out->colors = n;
  for (int k = 0; k < n; k++) {
    d->out->palette[k][0] = color[k].red;
    d->out->palette[k][1] = color[k].green;
    d->out->palette[k][2] = color[k].blue;
  }
}

/* All rows as RGB, whatever they are in the file. */
static void take_pixels(decoder *d) {
  const png_color_16 white = {.red = 255, .green = 255, .blue = 255, .gray = 255};
  png_set_expand(d->png);
  png_set_strip_16(d->png);
  png_set_gray_to_rgb(d->png);
  png_set_background(d->png, &white, PNG_BACKGROUND_GAMMA_SCREEN, 0, 1.0);
  const int passes = png_set_interlace_handling(d->png);
  png_read_update_info(d->png, d->info);
  const size_t row = 3 * (size_t)d->out->width;
  if (png_get_rowbytes(d->png, d->info) != row) png_error(d->png, "its rows are not of RGB");
  d->out->rgb = malloc(row * (size_t)d->out->height);
  d->no_memory = !d->out->rgb;
  if (d->no_memory) png_error(d->png, "out of memory");
  for (int pass = 0; pass < passes; pass++)
    for (int y = 0; y < d->out->height; y++)
      png_read_row(d->png, d->out->rgb + (size_t)y * row, NULL);
  png_read_end(d->png, NULL);
}

static bool decode(decoder *d) {
  if (setjmp(png_jmpbuf(d->png))) return false;
  png_set_read_fn(d->png, d, on_read);
  png_set_user_limits(d->png, PIXELS_MAX, PIXELS_MAX);
  png_read_info(d->png, d->info);
  d->out->width = (int)png_get_image_width(d->png, d->info);
  d->out->height = (int)png_get_image_height(d->png, d->info);
  take_texts(d);
  take_palette(d);
  if (d->pixels) take_pixels(d);
  return true;
}

/* As much of the file as holds what comes before the pixels of a frame. */
static ria_status read_head(ria_context *ctx, const char *path, char **text, size_t *n) {
  int fd;
  *n = 0;
  RIA_TRY(ria_read_must(ctx, path, 0, &fd));
  *text = malloc(HEAD);
  for (ssize_t got = 1; *text && *n < HEAD && got > 0; *n += got > 0 ? (size_t)got : 0)
    got = read(fd, *text + *n, HEAD - *n);
  close(fd);
  return *text ? RIA_OK : ria_fail_memory(ctx, "a picture", HEAD);
}

ria_status ria_png_read(ria_context *ctx, const char *path, bool pixels, ria_png_picture *out) {
  char *text;
  size_t n;
  *out = (ria_png_picture){.time_s = (double)NAN};
  RIA_TRY(pixels ? ria_text_slurp(ctx, path, FILE_MOST, &text, &n)
                 : read_head(ctx, path, &text, &n));
  decoder d = {.at = text, .end = text + n, .pixels = pixels, .out = out};
  d.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &d, on_error, on_warning, &d, on_malloc,
                                   on_free);
  d.info = d.png ? png_create_info_struct(d.png) : NULL;
  d.no_memory = d.no_memory || !d.info;
  const bool well = d.info && decode(&d) && !d.no_memory;
  png_destroy_read_struct(&d.png, &d.info, NULL);
  free(text);
  if (well) return RIA_OK;
  ria_png_picture_free(out);
  if (d.no_memory) return ria_fail_memory(ctx, "a picture", n);
  return ria_fail(ctx, RIA_ERR_INPUT, "%s: not a PNG that can be read: %s", path, d.why);
}

void ria_png_picture_free(ria_png_picture *p) {
  free(p->rgb);
  p->rgb = NULL;
}
