/* io/apng.c - an animated PNG, written as its frames come.
 *
 * A rectangle's rows go through a filter (none for a palette's, Paeth's for RGB) into one zlib
 * stream, whose pieces become IDAT chunks of the first frame and fdAT chunks of later ones. */
#include "io/apng.h"
#include "io/file.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PIECE = 1 << 16, NO_INK = 0xFFFF };

struct ria_apng {
  ria_apng_desc desc;
  uint32_t sequence, added;
  uint8_t *last; /* [height][width][3] the frame before */
  uint8_t *row;  /* [3 width + 1] a row as it goes in, behind its filter */
  uint8_t piece[PIECE + 16];
  z_stream z;
  bool z_made;
  /* colours to their places: open addressing */
  uint16_t ink[1024];
};

/* --- chunks ----------------------------------------------------------------------------------- */

static void put32(uint8_t *to, uint32_t v) {
  to[0] = (uint8_t)(v >> 24), to[1] = (uint8_t)(v >> 16), to[2] = (uint8_t)(v >> 8);
  to[3] = (uint8_t)v;
}

static void put16(uint8_t *to, int v) { to[0] = (uint8_t)(v >> 8), to[1] = (uint8_t)v; }

static ria_status write_bytes(const ria_apng *a, const void *data, size_t n, char *err,
                              size_t errsize) {
  const int code = ria_fd_write(a->desc.fd, data, n);
  return code ? ria_error_errno(code, err, errsize, "cannot write", "the animated PNG") : RIA_OK;
}

static ria_status write_chunk(const ria_apng *a, const char *type, const void *data, size_t n,
                              char *err, size_t errsize) {
  uint8_t head[8], sum[4];
  put32(head, (uint32_t)n);
  memcpy(head + 4, type, 4);
  uLong crc = crc32(0, head + 4, 4);
  if (n) crc = crc32(crc, data, (uInt)n);
  put32(sum, (uint32_t)crc);
  RIA_TRY(write_bytes(a, head, sizeof head, err, errsize));
  if (n) RIA_TRY(write_bytes(a, data, n, err, errsize));
  return write_bytes(a, sum, sizeof sum, err, errsize);
}

static ria_status write_text(const ria_apng *a, const char *key, const char *text, char *err,
                             size_t errsize) {
  uint8_t data[600];
  const size_t k = strlen(key) + 1;
  if (!text || !*text) return RIA_OK;
  size_t n = strlen(text);
  /* iTXt: key, not compressed, no language, no translated key, UTF-8 */
  if (k + 4 + n > sizeof data) n = sizeof data - k - 4;
  while (n && ((unsigned char)text[n] & 0xC0) == 0x80) n--; /* whole characters */
  memcpy(data, key, k);
  memset(data + k, 0, 4);
  memcpy(data + k + 4, text, n);
  return write_chunk(a, "iTXt", data, k + 4 + n, err, errsize);
}

/* --- the beginning ---------------------------------------------------------------------------- */

static size_t place_of(const ria_apng *a, const uint8_t rgb[3]) {
  const uint32_t key = (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
  size_t at = (key * 2654435761u) >> 22;
  while (a->ink[at] != NO_INK && memcmp(a->desc.palette[a->ink[at]], rgb, 3) != 0)
    at = (at + 1) % 1024;
  return at;
}

static ria_status write_head(const ria_apng *a, char *err, size_t errsize) {
  static const uint8_t magic[8] = {137, 'P', 'N', 'G', 13, 10, 26, 10};
  uint8_t head[13] = {0}, control[8];
  put32(head, (uint32_t)a->desc.width);
  put32(head + 4, (uint32_t)a->desc.height);
  head[8] = 8;
  head[9] = a->desc.palette ? 3 : 2;
  RIA_TRY(write_bytes(a, magic, sizeof magic, err, errsize));
  RIA_TRY(write_chunk(a, "IHDR", head, sizeof head, err, errsize));
  RIA_TRY(write_chunk(a, "sRGB", "", 1, err, errsize)); /* 0: perceptual */
  if (a->desc.palette)
    RIA_TRY(write_chunk(a, "PLTE", a->desc.palette, 3 * (size_t)a->desc.colors, err, errsize));
  RIA_TRY(write_text(a, "Title", a->desc.title, err, errsize));
  RIA_TRY(write_text(a, "Software", a->desc.software, err, errsize));
  put32(control, a->desc.frames);
  put32(control + 4, 0); /* again and again */
  return write_chunk(a, "acTL", control, sizeof control, err, errsize);
}

static bool make(ria_apng *a) {
  const size_t row = 3 * (size_t)a->desc.width;
  memset(a->ink, 0xFF, sizeof a->ink);
  for (int k = 0; a->desc.palette && k < a->desc.colors; k++)
    a->ink[place_of(a, a->desc.palette[k])] = (uint16_t)k;
  a->last = malloc(row * (size_t)a->desc.height);
  a->row = malloc(row + 1);
  a->z_made = deflateInit(&a->z, 6) == Z_OK;
  return a->last && a->row && a->z_made;
}

ria_status ria_apng_begin(const ria_apng_desc *desc, ria_apng **out, char *err, size_t errsize) {
  *out = NULL;
  if (desc->width < 1 || desc->height < 1 || desc->frames < 1 || desc->delay < 1 ||
      desc->delay > 65535 || desc->per < 1 || desc->per > 65535 || desc->colors > 256)
    return ria_error_text(RIA_ERR_ARGUMENT, err, errsize, "no animated PNG is like that");
  ria_apng *a = calloc(1, sizeof *a);
  if (a) a->desc = *desc;
  if (!a || !make(a)) {
    ria_apng_free(&a);
    return ria_error_text(RIA_ERR_MEMORY, err, errsize,
                          "out of memory for a film of %d x %d pixels", desc->width, desc->height);
  }
  const ria_status s = write_head(a, err, errsize);
  if (s != RIA_OK)
    ria_apng_free(&a);
  else
    *out = a;
  return s;
}

/* --- frames ----------------------------------------------------------------------------------- */

typedef struct part {
  int x, y, w, h;
} part;

/* The rectangle that differs from the frame before; one pixel where nothing does. */
static part find_change(const ria_apng *a, const uint8_t *rgb) {
  const int w = a->desc.width, h = a->desc.height;
  const size_t row = 3 * (size_t)w;
  part p = {0, 0, 1, 1};
  int top = 0, bottom = h, left = w, right = 0;
  if (!a->added) return (part){0, 0, w, h};
  while (top < h && memcmp(rgb + (size_t)top * row, a->last + (size_t)top * row, row) == 0) top++;
  if (top == h) return p;
  while (memcmp(rgb + (size_t)(bottom - 1) * row, a->last + (size_t)(bottom - 1) * row, row) == 0)
    bottom--;
  for (int y = top; y < bottom; y++) {
    const uint8_t *now = rgb + (size_t)y * row, *then = a->last + (size_t)y * row;
    int x = 0;
    while (x < left && memcmp(now + 3 * x, then + 3 * x, 3) == 0) x++;
    left = x < left ? x : left;
    x = w;
    while (x > right && memcmp(now + 3 * (x - 1), then + 3 * (x - 1), 3) == 0) x--;
    right = x > right ? x : right;
  }
  return (part){left, top, right - left, bottom - top};
}

static ria_status write_control(ria_apng *a, const part *p, char *err, size_t errsize) {
  uint8_t data[26];
  put32(data, a->sequence++);
  put32(data + 4, (uint32_t)p->w);
  put32(data + 8, (uint32_t)p->h);
  put32(data + 12, (uint32_t)p->x);
  put32(data + 16, (uint32_t)p->y);
  put16(data + 20, a->desc.delay);
  put16(data + 22, a->desc.per);
  data[24] = 0; /* what was drawn stays, */
  data[25] = 0; /* and this takes its place */
  return write_chunk(a, "fcTL", data, sizeof data, err, errsize);
}

/* What zlib has made so far; the number of an fdAT goes before. */
static ria_status write_piece(ria_apng *a, char *err, size_t errsize) {
  const size_t n = PIECE - a->z.avail_out;
  if (!n) return RIA_OK;
  a->z.next_out = a->piece + 4;
  a->z.avail_out = PIECE;
  if (!a->added) return write_chunk(a, "IDAT", a->piece + 4, n, err, errsize);
  put32(a->piece, a->sequence++);
  return write_chunk(a, "fdAT", a->piece, n + 4, err, errsize);
}

static ria_status pack(ria_apng *a, const uint8_t *data, size_t n, int flush, char *err,
                       size_t errsize) {
  int code;
  a->z.next_in = (uint8_t *)(uintptr_t)data; /* zlib only reads it */
  a->z.avail_in = (uInt)n;
  do {
    code = deflate(&a->z, flush);
    if (code == Z_STREAM_ERROR)
      return ria_error_text(RIA_ERR_OUTPUT, err, errsize, "zlib cannot pack a frame");
    if (!a->z.avail_out || code == Z_STREAM_END) RIA_TRY(write_piece(a, err, errsize));
  } while (a->z.avail_in || (flush == Z_FINISH && code != Z_STREAM_END));
  return RIA_OK;
}

static int paeth(int a, int b, int c) {
  const int da = abs(b - c), db = abs(a - c), dc = abs(a + b - 2 * c);
  return da <= db && da <= dc ? a : db <= dc ? b : c;
}

/* above: NULL for the first row of a rectangle. */
static size_t filter_rgb(ria_apng *a, const uint8_t *row, const uint8_t *above, size_t n) {
  a->row[0] = 4;
  for (size_t k = 0; k < n; k++) {
    const int left = k < 3 ? 0 : row[k - 3], up = above ? above[k] : 0;
    const int corner = k < 3 || !above ? 0 : above[k - 3];
    a->row[k + 1] = (uint8_t)(row[k] - paeth(left, up, corner));
  }
  return n + 1;
}

static size_t look_up(ria_apng *a, const uint8_t *row, size_t pixels, bool *known) {
  a->row[0] = 0;
  for (size_t k = 0; k < pixels; k++) {
    const uint16_t ink = a->ink[place_of(a, row + 3 * k)];
    *known = *known && ink != NO_INK;
    a->row[k + 1] = (uint8_t)ink;
  }
  return pixels + 1;
}

static ria_status write_pixels(ria_apng *a, const uint8_t *rgb, const part *p, char *err,
                               size_t errsize) {
  const size_t wide = 3 * (size_t)a->desc.width;
  bool known = true;
  deflateReset(&a->z);
  a->z.next_out = a->piece + 4;
  a->z.avail_out = PIECE;
  for (int y = p->y; y < p->y + p->h; y++) {
    const uint8_t *row = rgb + (size_t)y * wide + 3 * (size_t)p->x;
    const size_t n = a->desc.palette
                         ? look_up(a, row, (size_t)p->w, &known)
                         : filter_rgb(a, row, y > p->y ? row - wide : NULL, 3 * (size_t)p->w);
    if (!known)
      return ria_error_text(RIA_ERR_ARGUMENT, err, errsize,
                            "a frame has a colour that the film's palette lacks");
    RIA_TRY(pack(a, a->row, n, Z_NO_FLUSH, err, errsize));
  }
  return pack(a, NULL, 0, Z_FINISH, err, errsize);
}

ria_status ria_apng_add(ria_apng *a, const uint8_t *rgb, char *err, size_t errsize) {
  if (a->added == a->desc.frames)
    return ria_error_text(RIA_ERR_ARGUMENT, err, errsize, "more frames than the %u that were told",
                          a->desc.frames);
  const part p = find_change(a, rgb);
  RIA_TRY(write_control(a, &p, err, errsize));
  RIA_TRY(write_pixels(a, rgb, &p, err, errsize));
  memcpy(a->last, rgb, 3 * (size_t)a->desc.width * (size_t)a->desc.height);
  a->added++;
  return RIA_OK;
}

ria_status ria_apng_end(ria_apng *a, char *err, size_t errsize) {
  if (a->added < a->desc.frames)
    return ria_error_text(RIA_ERR_ARGUMENT, err, errsize, "%u of %u frames came", a->added,
                          a->desc.frames);
  return write_chunk(a, "IEND", NULL, 0, err, errsize);
}

void ria_apng_free(ria_apng **a) {
  if (!*a) return;
  if ((*a)->z_made) deflateEnd(&(*a)->z);
  free((*a)->last);
  free((*a)->row);
  free(*a);
  *a = NULL;
}
