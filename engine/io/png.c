/* io/png.c - pictures as PNG, in memory.
 *
 * libpng reports errors by longjmp. The jump lands in `encode`, which owns nothing and has no local
 * that changes after setjmp; everything to be freed belongs to its caller. */
#include "io/png.h"
#include "io/file.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { ZLIB_LEVEL = 2 };

typedef struct encoder {
  png_structp png;
  png_infop info;
  ria_buffer *out;
  int dpi;
  uint8_t *row;   /* [width][3] where pixels have colours of their own */
  size_t refused; /* bytes that libpng asked for and did not get; it reports this in many words */
  char *err;
  size_t errsize;
} encoder;

static png_voidp on_malloc(png_structp png, png_alloc_size_t size) {
  encoder *e = png_get_mem_ptr(png);
  void *p = malloc(size);
  if (!p) e->refused = size;
  return p;
}

static void on_free(png_structp png, png_voidp p) {
  (void)png;
  free(p);
}

static void on_error(png_structp png, png_const_charp message) {
  encoder *e = png_get_error_ptr(png);
  ria_error_text(RIA_OK, e->err, e->errsize, "cannot encode a picture: %s", message);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void on_write(png_structp png, png_bytep data, size_t n) {
  ria_buffer *out = png_get_io_ptr(png);
  ria_buffer_add(out, data, n);
  if (out->failed) png_error(png, "no memory");
}

static void on_flush(png_structp png) { (void)png; }

static bool is_ascii(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text >= 0x80) return false;
  return true;
}

static void set_text(encoder *e, const ria_png_text *entry) {
  char key[80], empty[] = "";
  if (!entry->text || !*entry->text || strlen(entry->key) >= sizeof key) return;
  memcpy(key, entry->key, strlen(entry->key) + 1);
  png_text text = {.key = key, .text = (char *)(uintptr_t)entry->text}; /* libpng only reads it */
  text.compression = is_ascii(entry->text) ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
  text.lang = empty;
  text.lang_key = empty;
  png_set_text(e->png, e->info, &text, 1);
}

static void set_palette(encoder *e, const ria_canvas *c) {
  png_color palette[256];
  for (int k = 0; k < c->colors; k++) {
    palette[k].red = c->palette[k][0];
    palette[k].green = c->palette[k][1];
    palette[k].blue = c->palette[k][2];
  }
  png_set_PLTE(e->png, e->info, palette, c->colors);
}

static void set_header(encoder *e, const ria_canvas *c) {
  png_set_IHDR(e->png, e->info, (png_uint_32)c->width, (png_uint_32)c->height, 8,
               c->own ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_filter(e->png, PNG_FILTER_TYPE_BASE, c->own ? PNG_FILTER_PAETH : PNG_FILTER_NONE);
  if (!c->own) set_palette(e, c);
  png_set_sRGB_gAMA_and_cHRM(e->png, e->info, PNG_sRGB_INTENT_PERCEPTUAL);
}

static const uint8_t *row_of(const encoder *e, const ria_canvas *c, int y) {
  if (!c->own) return &c->pixel[(size_t)y * (size_t)c->width];
  for (int x = 0; x < c->width; x++) memcpy(e->row + 3 * x, ria_canvas_at(c, x, y), 3);
  return e->row;
}

/* False when libpng gave up; the message is in e->err. */
static bool encode(encoder *e, const ria_canvas *c, const ria_png_text *texts, size_t n_texts) {
  if (setjmp(png_jmpbuf(e->png))) return false;
  png_set_write_fn(e->png, e->out, on_write, on_flush);
  png_set_compression_level(e->png, ZLIB_LEVEL);
  set_header(e, c);
  if (e->dpi > 0) {
    const png_uint_32 each = (png_uint_32)(e->dpi / 0.0254 + 0.5);
    png_set_pHYs(e->png, e->info, each, each, PNG_RESOLUTION_METER);
  }
  for (size_t k = 0; k < n_texts; k++) set_text(e, &texts[k]);
  png_write_info(e->png, e->info);
  for (int y = 0; y < c->height; y++) png_write_row(e->png, row_of(e, c, y));
  png_write_end(e->png, NULL);
  return true;
}

ria_status ria_png_encode(const ria_canvas *c, const ria_png_text *texts, size_t n_texts, int dpi,
                          ria_buffer *out, char *err, size_t errsize) {
  encoder e = {.out = out, .dpi = dpi, .err = err, .errsize = errsize};
  e.png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &e, on_error, on_warning, &e, on_malloc,
                                    on_free);
  e.info = e.png ? png_create_info_struct(e.png) : NULL;
  if (c->own) e.row = malloc(3 * (size_t)c->width);
  ria_status s = RIA_OK;
  bool no_memory = !e.info || (c->own && !e.row);
  if (!no_memory && !encode(&e, c, texts, n_texts)) {
    no_memory = e.refused || out->failed;
    s = RIA_ERR_OUTPUT;
  }
  if (no_memory)
    s = ria_error_text(RIA_ERR_MEMORY, err, errsize,
                       "out of memory for a picture of %d x %d pixels", c->width, c->height);
  png_destroy_write_struct(&e.png, &e.info);
  free(e.row);
  return s;
}
