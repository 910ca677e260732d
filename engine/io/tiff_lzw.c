/* io/tiff_lzw.c - LZW as TIFF has it: codes of 9 to 12 bits, the first bit first.
 *
 * A code stands for a string: that of its prefix and one byte more. 256 empties the table, 257 ends
 * the block. The width grows one code before the table needs it, as in every TIFF since 1988; the
 * older kind, with the last bit first, is told by its first bytes (tiff_stream.c). */
#include "io/tiff.h"

#include <string.h>

enum { CLEAR = 256, END = 257, FIRST = 258 };

static void clear(ria_tiff_lzw *z) {
  z->next = FIRST;
  z->width = 9;
  z->before = -1;
}

void ria_tiff_lzw_begin(ria_tiff_lzw *z) {
  for (int c = 0; c < CLEAR; c++) {
    z->prefix[c] = 0;
    z->length[c] = 1;
    z->first[c] = z->last[c] = (unsigned char)c;
  }
  z->bits = 0;
  z->have = 0;
  z->pos = z->end = 0;
  clear(z);
}

/* The next code; -1 at the end of the block. */
static int next_code(ria_tiff_lzw *z, ria_tiff_stream *s) {
  while (z->have < z->width) {
    const int byte = ria_tiff_stream_byte(s);
    if (byte < 0) return -1;
    z->bits = z->bits << 8 | (uint32_t)byte;
    z->have += 8;
  }
  z->have -= z->width;
  return (int)(z->bits >> z->have & ((1u << z->width) - 1u));
}

/* The string of a code to text[0, end). Its length is at most the codes there are, so it fits. */
static void spell(ria_tiff_lzw *z, int code) {
  z->pos = 0;
  z->end = z->length[code];
  for (size_t k = z->end; k-- > 0; code = z->prefix[code]) z->text[k] = z->last[code];
}

static void add(ria_tiff_lzw *z, unsigned char last) {
  if (z->before < 0 || z->next >= RIA_TIFF_LZW_CODES) return;
  z->prefix[z->next] = (uint16_t)z->before;
  z->length[z->next] = (uint16_t)(z->length[z->before] + 1);
  z->first[z->next] = z->first[z->before];
  z->last[z->next] = last;
  z->next++;
  if (z->next == (1 << z->width) - 1 && z->width < 12) z->width++;
}

/* NULL and at least one byte of text; or why not. */
static const char *next_string(ria_tiff_lzw *z, ria_tiff_stream *s) {
  int code;
  while ((code = next_code(z, s)) == CLEAR) clear(z);
  if (code < 0 || code == END) return "it ends too early";
  if (z->before < 0 && code > CLEAR) return "a code stands where the table is empty";
  if (code > z->next || (code == z->next && z->next >= RIA_TIFF_LZW_CODES))
    return "a code is not in the table";
  if (code == z->next) {
    add(z, z->first[z->before]); /* the string before and its own first byte */
    spell(z, code);
  } else {
    add(z, z->first[code]);
    spell(z, code);
  }
  z->before = code;
  return NULL;
}

const char *ria_tiff_lzw_read(ria_tiff_lzw *z, ria_tiff_stream *s, unsigned char *to, size_t n) {
  while (n > 0) {
    if (z->pos == z->end) {
      const char *why = next_string(z, s);
      if (why) return why;
    }
    const size_t piece = z->end - z->pos < n ? z->end - z->pos : n;
    memcpy(to, z->text + z->pos, piece);
    z->pos += piece;
    to += piece;
    n -= piece;
  }
  return NULL;
}
