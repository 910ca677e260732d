/* io/font.c - the typeface of frames and plots. */
#include "io/font.h"

#include "io/data/font_medium_16.h"
#include "io/data/font_medium_24.h"
#include "io/data/font_regular_12.h"
#include "io/data/font_regular_20.h"

#define FONT(glyphs, up, down)                                                                     \
  { glyphs, (int)(sizeof(glyphs) / sizeof((glyphs)[0])), up, down }

static const ria_font text_usual = FONT(regular_12_glyphs, 9, 3);
static const ria_font text_large = FONT(regular_20_glyphs, 15, 5);
static const ria_font title_usual = FONT(medium_16_glyphs, 12, 4);
static const ria_font title_large = FONT(medium_24_glyphs, 18, 6);

const ria_font *ria_font_text(bool large) { return large ? &text_large : &text_usual; }
const ria_font *ria_font_title(bool large) { return large ? &title_large : &title_usual; }

/* One code point of UTF-8; a byte that starts none counts as itself (Latin-1). */
static unsigned next_code(const char **text) {
  const unsigned char *s = (const unsigned char *)*text;
  unsigned c = s[0];
  int more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : c >= 0xC2 ? 1 : 0;
  unsigned code = more == 3 ? c & 0x07 : more == 2 ? c & 0x0F : more == 1 ? c & 0x1F : c;
  for (int k = 1; k <= more; k++) {
    if ((s[k] & 0xC0) != 0x80) { /* cut short: not UTF-8 */
      *text += 1;
      return c;
    }
    code = code << 6 | (s[k] & 0x3F);
  }
  *text += 1 + more;
  return code;
}

static const ria_glyph *find(const ria_font *font, unsigned code) {
  int lo = 0, hi = font->n - 1;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (font->glyph[mid].code < code)
      lo = mid + 1;
    else
      hi = mid;
  }
  return font->glyph[lo].code == code ? &font->glyph[lo] : NULL;
}

const ria_glyph *ria_font_next(const ria_font *font, const char **text) {
  if (!**text) return NULL;
  const ria_glyph *g = find(font, next_code(text));
  return g ? g : find(font, '?');
}

int ria_font_width(const ria_font *font, const char *text) {
  int width = 0;
  for (const ria_glyph *g; (g = ria_font_next(font, &text)) != NULL;) width += g->advance;
  return width;
}
