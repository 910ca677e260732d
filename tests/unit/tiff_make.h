/* TIFF files put together in a test, apart from the writer of the library. */
#ifndef RIA_TEST_TIFF_MAKE_H
#define RIA_TEST_TIFF_MAKE_H
#include "test.h"
#include <stdlib.h>
#include <zlib.h>

enum { MADE_ROOM = 1 << 20, MADE_TAGS = 32 };

typedef struct made_tag {
  int tag, type;
  size_t n;
  double value[24]; /* or */
  const char *text;
  const uint64_t *table;
} made_tag;

#define TEXT_TAG(number, s)                                                                        \
  { number, 2, sizeof(s), {0}, s, NULL }
#define KEYS(n, ...)                                                                               \
  { 34735, 3, 4 * (n + 1), {1, 1, 0, n, __VA_ARGS__}, NULL, NULL }

/* What a file is made of; zero means: little-endian TIFF, plain, one strip of all rows. */
typedef struct made {
  int nx, ny, bytes, format; /* of a value; 1 unsigned, 2 signed, 3 float */
  const double *value;       /* [ny][nx] from the north */
  bool big_endian, big;
  int packing, predictor;
  int tile_nx, tile_ny, rows; /* tiles, or rows of a strip */
  int left_out;               /* 1 + the block that is not written */
  const made_tag *more;       /* ends with tag 0; replaces those of the same number */
} made;

typedef struct made_file {
  unsigned char byte[MADE_ROOM];
  size_t n;
} made_file;

TEST_UNUSED static void made_word(const made *m, unsigned char *to, uint64_t v, int bytes) {
  for (int k = 0; k < bytes; k++)
    to[k] = (unsigned char)(v >> 8 * (m->big_endian ? bytes - 1 - k : k));
}

TEST_UNUSED static uint64_t made_half(double v) {
  if (isnan(v)) return 0x7e00;
  if (v == 0.0) return 0;
  int e;
  const double f = frexp(fabs(v), &e); /* of test values: exact and normal */
  return (v < 0.0 ? 0x8000u : 0u) | (uint64_t)(e + 14) << 10 | ((uint64_t)(f * 2048.0) & 1023u);
}

TEST_UNUSED static uint64_t made_bits(const made *m, double v) {
  if (m->format == 3 && m->bytes == 2) return made_half(v);
  if (m->format == 3 && m->bytes == 4) {
    const float narrow = (float)v;
    uint32_t word;
    memcpy(&word, &narrow, sizeof word);
    return word;
  }
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  return m->format == 3 ? bits : m->format == 2 ? (uint64_t)(int64_t)v : (uint64_t)v;
}

/* --- packing ---------------------------------------------------------------------------------- */

TEST_UNUSED static size_t made_packbits(const unsigned char *s, size_t n, unsigned char *to) {
  size_t k = 0;
  for (size_t i = 0; i < n;) {
    size_t run = 1;
    while (i + run < n && run < 128 && s[i + run] == s[i]) run++;
    if (run > 1) {
      to[k++] = (unsigned char)(257 - run);
      to[k++] = s[i];
      i += run;
    } else {
      size_t end = i + 1;
      while (end < n && end - i < 128 && (end + 1 >= n || s[end] != s[end + 1])) end++;
      to[k++] = (unsigned char)(end - i - 1);
      memcpy(to + k, s + i, end - i);
      k += end - i;
      i = end;
    }
  }
  return k;
}

/* LZW by a table of all strings: slow, and no kin of the reader's. */
typedef struct made_codes {
  unsigned char *to;
  size_t n;
  uint32_t bits;
  int have, width;
} made_codes;

TEST_UNUSED static void made_code(made_codes *c, int code) {
  c->bits = c->bits << c->width | (uint32_t)code;
  for (c->have += c->width; c->have >= 8; c->have -= 8)
    c->to[c->n++] = (unsigned char)(c->bits >> (c->have - 8));
}

TEST_UNUSED static size_t made_lzw(const unsigned char *s, size_t n, unsigned char *to) {
  static struct { int prefix, last; } entry[4096];
  made_codes c = {.to = to, .width = 9};
  int next = 258, word = -1;
  made_code(&c, 256);
  for (size_t i = 0; i < n; i++) {
    int found = word < 0 ? s[i] : -1;
    for (int k = 258; found < 0 && k < next; k++)
      if (entry[k].prefix == word && entry[k].last == s[i]) found = k;
    if (found < 0) {
      made_code(&c, word);
      entry[next].prefix = word;
      entry[next++].last = s[i];
      if (next == 512 || next == 1024 || next == 2048) c.width++;
      if (next == 4094) {
        made_code(&c, 256);
        next = 258;
        c.width = 9;
      }
      found = s[i];
    }
    word = found;
  }
  if (word >= 0) made_code(&c, word);
  if (next == 511 || next == 1023 || next == 2047) c.width++;
  made_code(&c, 257);
  if (c.have > 0) to[c.n++] = (unsigned char)(c.bits << (8 - c.have));
  return c.n;
}

TEST_UNUSED static size_t made_pack(const made *m, const unsigned char *s, size_t n,
                                    unsigned char *to) {
  uLongf packed = MADE_ROOM / 2;
  if (m->packing == 5) return made_lzw(s, n, to);
  if (m->packing == 32773) return made_packbits(s, n, to);
  if (m->packing == 8 || m->packing == 32946) {
    CHECK(compress2(to, &packed, s, n, 9) == Z_OK);
    return packed;
  }
  memcpy(to, s, n);
  return n;
}

/* --- blocks ----------------------------------------------------------------------------------- */

TEST_UNUSED static void made_row(const made *m, const double *v, int n, unsigned char *to) {
  const size_t bytes = (size_t)m->bytes, all = (size_t)n * bytes;
  uint64_t before = 0;
  for (size_t i = 0; i < (size_t)n; i++) {
    const uint64_t bits = made_bits(m, v[i]);
    if (m->predictor == 3)
      for (size_t b = 0; b < bytes; b++)
        to[b * (size_t)n + i] = (unsigned char)(bits >> 8 * (bytes - 1 - b));
    else
      made_word(m, to + i * bytes, m->predictor == 2 ? bits - before : bits, m->bytes);
    before = bits;
  }
  for (size_t k = all - 1; m->predictor == 3 && k > 0; k--)
    to[k] = (unsigned char)(to[k] - to[k - 1]);
}

/* One block to `out`; cells beyond the image are 7. */
TEST_UNUSED static size_t made_block(const made *m, int x0, int y0, int nx, int ny,
                                     unsigned char *out) {
  static unsigned char raw[MADE_ROOM / 2];
  double v[512];
  for (int j = 0; j < ny; j++) {
    for (int i = 0; i < nx; i++) {
      const bool inside = x0 + i < m->nx && y0 + j < m->ny;
      v[i] = inside ? m->value[(y0 + j) * m->nx + x0 + i] : 7.0;
    }
    made_row(m, v, nx, raw + (size_t)j * (size_t)nx * (size_t)m->bytes);
  }
  return made_pack(m, raw, (size_t)nx * (size_t)ny * (size_t)m->bytes, out);
}

/* --- tags ------------------------------------------------------------------------------------- */

TEST_UNUSED static int made_size(int type) {
  static const int size[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
  return type < 19 ? size[type] : 0;
}

TEST_UNUSED static size_t made_values(const made *m, const made_tag *t, unsigned char *to) {
  const int size = made_size(t->type) ? made_size(t->type) : 1;
  for (size_t k = 0; k < t->n; k++) {
    uint64_t bits = t->text ? (unsigned char)t->text[k] : 0;
    if (t->table) bits = t->table[k];
    if (!t->text && !t->table && t->type == 12)
      memcpy(&bits, &t->value[k], sizeof bits);
    else if (!t->text && !t->table)
      bits = (uint64_t)t->value[k];
    made_word(m, to + k * (size_t)size, bits, size);
  }
  return t->n * (size_t)size;
}

TEST_UNUSED static int made_by_number(const void *a, const void *b) {
  return ((const made_tag *)a)->tag - ((const made_tag *)b)->tag;
}

TEST_UNUSED static void made_directory(const made *m, made_tag *tag, int n, made_file *f) {
  const int word = m->big ? 8 : 4;
  const size_t entry = m->big ? 20 : 12, start = f->n;
  made_word(m, f->byte + (m->big ? 8 : 4), start, word);
  made_word(m, f->byte + start, (uint64_t)n, m->big ? 8 : 2);
  f->n += (m->big ? 8u : 2u) + entry * (size_t)n + (size_t)word;
  for (int k = 0; k < n; k++) {
    unsigned char *to = f->byte + start + (m->big ? 8 : 2) + entry * (size_t)k;
    made_word(m, to, (uint64_t)tag[k].tag, 2);
    made_word(m, to + 2, (uint64_t)tag[k].type, 2);
    made_word(m, to + 4, tag[k].n, word);
    const size_t bytes = made_values(m, &tag[k], f->byte + f->n);
    if (bytes <= (size_t)word) {
      memcpy(to + 4 + word, f->byte + f->n, bytes);
      memset(f->byte + f->n, 0, bytes);
    } else {
      made_word(m, to + 4 + word, f->n, word);
      f->n += bytes;
    }
  }
}

TEST_UNUSED static void made_put(made_tag *tag, int *n, made_tag t) {
  for (int k = 0; k < *n; k++)
    if (tag[k].tag == t.tag) {
      tag[k] = t;
      return;
    }
  tag[(*n)++] = t;
}

/* A file at the origin (100, 200) of its south-west corner, cells of 10 x 20, unless `more` says
 * otherwise. A tag of type 0 in `more` is left out. */
TEST_UNUSED static void made_build(const made *m, made_file *f) {
  static uint64_t at[512], packed[512];
  const bool tiled = m->tile_nx > 0;
  const int bx = tiled ? m->tile_nx : m->nx, by = tiled ? m->tile_ny : m->rows ? m->rows : m->ny;
  const uint64_t type = m->big ? 16 : 4;
  made_tag tag[MADE_TAGS];
  size_t blocks = 0;
  int n = 0;
  memset(f, 0, sizeof *f);
  memcpy(f->byte, m->big_endian ? "MM" : "II", 2);
  made_word(m, f->byte + 2, m->big ? 43 : 42, 2);
  made_word(m, f->byte + 4, m->big ? 8 : 0, 2);
  f->n = 16;
  for (int y = 0; y < m->ny; y += by)
    for (int x = 0; x < m->nx; x += bx, blocks++) {
      const int rows = tiled || m->ny - y > by ? by : m->ny - y;
      const bool out = m->left_out == (int)blocks + 1;
      packed[blocks] = out ? 0 : made_block(m, x, y, bx, rows, f->byte + f->n);
      at[blocks] = out ? 0 : f->n;
      f->n += packed[blocks];
    }
#define ONE(number, type, v) made_put(tag, &n, (made_tag){number, type, 1, {v}, NULL, NULL})
  ONE(256, 3, m->nx);
  ONE(257, 3, m->ny);
  ONE(258, 3, 8 * m->bytes);
  ONE(259, 3, m->packing ? m->packing : 1);
  ONE(262, 3, 1);
  ONE(277, 3, 1);
  if (m->predictor) ONE(317, 3, m->predictor);
  ONE(339, 3, m->format);
  if (tiled) {
    ONE(322, 3, bx);
    ONE(323, 3, by);
  } else {
    ONE(278, 4, by);
  }
#undef ONE
  made_put(tag, &n, (made_tag){tiled ? 324 : 273, (int)type, blocks, {0}, NULL, at});
  made_put(tag, &n, (made_tag){tiled ? 325 : 279, (int)type, blocks, {0}, NULL, packed});
  made_put(tag, &n, (made_tag){33550, 12, 3, {10, 20, 0}, NULL, NULL});
  made_put(tag, &n, (made_tag){33922, 12, 6, {0, 0, 0, 100, 200 + 20.0 * m->ny, 0}, NULL, NULL});
  for (const made_tag *t = m->more; t && t->tag; t++) made_put(tag, &n, *t);
  qsort(tag, (size_t)n, sizeof *tag, made_by_number);
  int kept = 0;
  for (int k = 0; k < n; k++)
    if (tag[k].type) tag[kept++] = tag[k];
  made_directory(m, tag, kept, f);
}

#endif
