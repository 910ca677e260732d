/* io/font.h - the typeface of frames and plots: coverage of glyphs, widths of texts.
 *
 * Texts are UTF-8. The faces hold ASCII, Latin-1, raised figures, the minus sign, dashes and a few
 * comparison signs; what they lack is drawn as '?'. All figures have one width. */
#ifndef RIA_IO_FONT_H
#define RIA_IO_FONT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ria_glyph {
  uint16_t code;
  int8_t advance, left, top; /* px; top: of the first row above the base line */
  uint8_t width, height;
  const char *coverage; /* [height][width] hexadecimal digits, rows from the top */
} ria_glyph;

typedef struct ria_font {
  const ria_glyph *glyph; /* by rising code */
  int n;
  int ascent, descent; /* px, of capitals and of tails */
} ria_font;

/* Text and titles; large: for pictures of about twice the usual size. */
const ria_font *ria_font_text(bool large);
const ria_font *ria_font_title(bool large);

/* The glyph of the character at *text, which moves past it; NULL at the end of the text. */
const ria_glyph *ria_font_next(const ria_font *font, const char **text);
int ria_font_width(const ria_font *font, const char *text);
/* Coverage of a pixel of a glyph, 0 to 15. */
static inline int ria_glyph_coverage(const ria_glyph *g, int x, int y) {
  char c = g->coverage[y * g->width + x];
  return c <= '9' ? c - '0' : c - 'A' + 10;
}

#endif
