/* tests/png_read.h - a reader of 8-bit PNG without libpng, for tests of what was written.
 *
 * Walks the chunks, checks every CRC, inflates the picture and insists on filter 0 in each row of a
 * palette's, Paeth's in those of RGB. */
#ifndef RIA_TEST_PNG_READ_H
#define RIA_TEST_PNG_READ_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct png_read {
  int width, height, colors;
  uint8_t palette[256][3];
  int channels;     /* 1: of the palette; 3 */
  uint8_t *pixel;   /* [height][width][channels] */
  char chunks[512]; /* the types in their order, a space behind each */
  char texts[2048]; /* "key=text\n" of tEXt and iTXt */
} png_read;

static inline uint32_t png_read_u32(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* tEXt: key NUL text. iTXt: key NUL flag method language NUL key NUL text. */
static inline void png_read_text(png_read *out, bool international, const uint8_t *p, size_t n) {
  const uint8_t *end = p + n, *text = p + strlen((const char *)p) + 1;
  if (international) {
    text += 2;
    text += strlen((const char *)text) + 1;
    text += strlen((const char *)text) + 1;
  }
  size_t used = strlen(out->texts);
  snprintf(out->texts + used, sizeof out->texts - used, "%s=%.*s\n", (const char *)p,
           (int)(end - text), (const char *)text);
}

/* Undo Paeth's filter of a row of RGB. above: NULL in the first. */
static inline void png_read_row(uint8_t *row, const uint8_t *above, size_t n) {
  for (size_t k = 0; k < n; k++) {
    const int a = k < 3 ? 0 : row[k - 3], b = above ? above[k] : 0;
    const int c = k < 3 || !above ? 0 : above[k - 3];
    const int da = abs(b - c), db = abs(a - c), dc = abs(a + b - 2 * c);
    row[k] = (uint8_t)(row[k] + (da <= db && da <= dc ? a : db <= dc ? b : c));
  }
}

static inline bool png_read_pixels(png_read *out, const uint8_t *packed, size_t n) {
  const size_t wide = (size_t)out->width * (size_t)out->channels, row = wide + 1;
  uLongf size = (uLongf)(row * (size_t)out->height);
  uint8_t *rows = malloc(size);
  out->pixel = malloc(wide * (size_t)out->height);
  bool ok = rows && out->pixel && uncompress(rows, &size, packed, (uLong)n) == Z_OK &&
            size == row * (size_t)out->height;
  for (int y = 0; ok && y < out->height; y++) {
    uint8_t *to = out->pixel + (size_t)y * wide;
    ok = rows[(size_t)y * row] == (out->channels == 3 ? 4 : 0);
    memcpy(to, rows + (size_t)y * row + 1, wide);
    if (out->channels == 3) png_read_row(to, y ? to - wide : NULL, wide);
  }
  free(rows);
  return ok;
}

/* False when it is not such a PNG. Free with png_read_free in either case. */
static inline bool png_read_bytes(const uint8_t *data, size_t n, png_read *out) {
  static const uint8_t magic[8] = {137, 'P', 'N', 'G', 13, 10, 26, 10};
  memset(out, 0, sizeof *out);
  uint8_t *packed = malloc(n + 1);
  size_t n_packed = 0, at = 8;
  bool ok = packed && n > 8 && memcmp(data, magic, 8) == 0, ended = false;
  while (ok && !ended && at + 12 <= n) {
    size_t length = png_read_u32(data + at);
    const uint8_t *type = data + at + 4, *body = type + 4;
    if (length > n - at - 12) break;
    ok = png_read_u32(body + length) == (uint32_t)crc32(0, type, (uInt)length + 4);
    if (strlen(out->chunks) + 6 < sizeof out->chunks) {
      strncat(out->chunks, (const char *)type, 4);
      strcat(out->chunks, " ");
    }
    if (memcmp(type, "IHDR", 4) == 0) {
      out->width = (int)png_read_u32(body);
      out->height = (int)png_read_u32(body + 4);
      out->channels = body[9] == 2 ? 3 : 1;
      ok = ok && body[8] == 8 && (body[9] == 2 || body[9] == 3) && body[12] == 0;
    } else if (memcmp(type, "PLTE", 4) == 0) {
      out->colors = (int)(length / 3);
      memcpy(out->palette, body, length);
    } else if (memcmp(type, "IDAT", 4) == 0) {
      memcpy(packed + n_packed, body, length);
      n_packed += length;
    } else if (memcmp(type, "tEXt", 4) == 0 || memcmp(type, "iTXt", 4) == 0) {
      png_read_text(out, type[0] == 'i', body, length);
    } else if (memcmp(type, "IEND", 4) == 0) {
      ended = true;
    }
    at += 12 + length;
  }
  ok = ok && ended && at == n && png_read_pixels(out, packed, n_packed);
  free(packed);
  return ok;
}

static inline void png_read_free(png_read *p) {
  free(p->pixel);
  p->pixel = NULL;
}

static inline int png_read_index(const png_read *p, int x, int y) {
  return p->pixel[(size_t)y * (size_t)p->width + (size_t)x];
}

static inline const uint8_t *png_read_rgb(const png_read *p, int x, int y) {
  const uint8_t *at = p->pixel + ((size_t)y * (size_t)p->width + (size_t)x) * (size_t)p->channels;
  return p->channels == 3 ? at : p->palette[*at];
}

#endif
