/* unit.png: pictures in 256 colours, drawn and encoded; fonts; what libpng refuses. */
#include "io/canvas.h"
#include "io/png.h"
#include "png_read.h"
#include "test.h"

static char err[256];

static void encodes(void) {
  ria_canvas c;
  CHECK(ria_canvas_init(&c, 40, 30));
  int white = ria_canvas_color(&c, 255, 255, 255), red = ria_canvas_color(&c, 200, 10, 20);
  ria_canvas_fill(&c, c.clip, white);
  ria_canvas_fill(&c, (ria_rect){10, 5, 4, 3}, red);
  const ria_png_text texts[] = {
      {"Title", "R\u00eda"}, {"Software", "ria"}, {"Source", NULL}, {"ria:field", "oil"}};
  ria_buffer a = {0}, b = {0};
  CHECK_INT(ria_png_encode(&c, texts, 4, 0, &a, err, sizeof err), RIA_OK);
  CHECK_INT(ria_png_encode(&c, texts, 4, 0, &b, err, sizeof err), RIA_OK);
  CHECK(a.n == b.n && memcmp(a.data, b.data, a.n) == 0); /* the same picture, the same bytes */
  png_read png;
  CHECK(png_read_bytes((const uint8_t *)a.data, a.n, &png));
  CHECK_INT(png.width, 40);
  CHECK_INT(png.height, 30);
  CHECK_INT(png.colors, 2);
  CHECK_INT(png.palette[red][0], 200);
  CHECK_INT(png_read_index(&png, 10, 5), red);
  CHECK_INT(png_read_index(&png, 13, 7), red);
  CHECK_INT(png_read_index(&png, 14, 7), white);
  CHECK_INT(png_read_index(&png, 9, 5), white);
  CHECK_TEXT(png.chunks, "IHDR gAMA sRGB cHRM PLTE iTXt tEXt tEXt IDAT IEND ");
  CHECK_TEXT(png.texts, "Title=R\u00eda\nSoftware=ria\nria:field=oil\n");
  png_read_free(&png);
  ria_buffer_free(&a);
  ria_buffer_free(&b);
  ria_canvas_free(&c);
}

/* A pixel's own colour is written until something is drawn there; mixing starts from its stand-in.
 */
static void has_own_colors(void) {
  ria_canvas c;
  CHECK(ria_canvas_init(&c, 7, 5));
  const int white = ria_canvas_color(&c, 255, 255, 255), red = ria_canvas_color(&c, 200, 10, 20);
  ria_canvas_fill(&c, c.clip, white);
  CHECK(ria_canvas_own_colors(&c));
  for (int x = 0; x < 7; x++)
    for (int y = 1; y < 5; y++)
      ria_canvas_put(&c, x, y, white, (const uint8_t[]){(uint8_t)(30 * x), (uint8_t)(50 * y), 7});
  ria_canvas_fill(&c, (ria_rect){2, 2, 1, 1}, red);
  ria_buffer out = {0};
  png_read png;
  CHECK_INT(ria_png_encode(&c, NULL, 0, 0, &out, err, sizeof err), RIA_OK);
  if (CHECK(png_read_bytes((const uint8_t *)out.data, out.n, &png) && png.channels == 3)) {
    CHECK_TEXT(png.chunks, "IHDR gAMA sRGB cHRM IDAT IEND ");
    for (int x = 0; x < 7; x++)
      for (int y = 0; y < 5; y++) {
        const uint8_t own[] = {(uint8_t)(30 * x), (uint8_t)(50 * y), 7};
        const uint8_t *expected = y == 0             ? c.palette[white]
                                  : x == 2 && y == 2 ? c.palette[red]
                                                     : own;
        CHECK(memcmp(png_read_rgb(&png, x, y), expected, 3) == 0);
      }
  }
  png_read_free(&png);
  ria_buffer_free(&out);
  ria_canvas_free(&c);
}

/* libpng jumps out of its own depths; nothing may leak and the message must come along. */
static void refuses(void) {
  ria_canvas c;
  CHECK(ria_canvas_init(&c, 4, 4)); /* no colour at all: no palette */
  ria_buffer out = {0};
  CHECK_INT(ria_png_encode(&c, NULL, 0, 0, &out, err, sizeof err), RIA_ERR_OUTPUT);
  CHECK_HOLDS(err, "cannot encode a picture: ");
  ria_buffer_free(&out);
  ria_canvas_color(&c, 0, 0, 0);
  out.failed = true; /* as if memory had run out */
  CHECK_INT(ria_png_encode(&c, NULL, 0, 0, &out, err, sizeof err), RIA_ERR_MEMORY);
  CHECK_TEXT(err, "out of memory for a picture of 4 x 4 pixels");
  ria_buffer_free(&out);
  ria_canvas_free(&c);
}

static int ink_at(const ria_canvas *c, int x, int y) {
  return c->pixel[(size_t)y * (size_t)c->width + (size_t)x];
}

static void draws(void) {
  ria_canvas c;
  CHECK(ria_canvas_init(&c, 60, 60));
  int white = ria_canvas_color(&c, 255, 255, 255), grey = ria_canvas_color(&c, 128, 128, 128);
  int black = ria_canvas_color(&c, 0, 0, 0);
  ria_canvas_fill(&c, c.clip, white);
  ria_canvas_line(&c, (ria_point){5, 10.5}, (ria_point){50, 10.5}, 1.0, black);
  CHECK_INT(ink_at(&c, 20, 10), black);
  CHECK_INT(ink_at(&c, 20, 9), white);
  CHECK_INT(ink_at(&c, 20, 11), white);
  ria_canvas_line(&c, (ria_point){5, 20}, (ria_point){50, 20}, 1.0, black); /* between two rows */
  CHECK_INT(ink_at(&c, 20, 19), grey);
  CHECK_INT(ink_at(&c, 20, 20), grey);
  ria_canvas_disc(&c, (ria_point){30, 40}, 6, black);
  CHECK_INT(ink_at(&c, 30, 40), black);
  CHECK_INT(ink_at(&c, 35, 40), black);
  CHECK_INT(ink_at(&c, 38, 40), white);
  const ria_point triangle[3] = {{5, 50}, {15, 50}, {5, 58}};
  ria_canvas_polygon(&c, triangle, 3, black);
  CHECK_INT(ink_at(&c, 6, 52), black);
  CHECK_INT(ink_at(&c, 14, 57), white);
  /* outside the clip, and far outside the picture: nothing */
  ria_canvas_clip(&c, (ria_rect){0, 0, 10, 10});
  ria_canvas_fill(&c, (ria_rect){-100, -100, 500, 500}, grey);
  ria_canvas_unclip(&c);
  CHECK_INT(ink_at(&c, 9, 9), grey);
  CHECK_INT(ink_at(&c, 10, 9), white);
  ria_canvas_line(&c, (ria_point){-1e9, -1e9}, (ria_point){1e30, -1e30}, 2.0, black);
  ria_canvas_line(&c, (ria_point){NAN, 0}, (ria_point){5, 5}, 2.0, black);
  ria_canvas_text(&c, ria_font_text(false), -500, 1000, RIA_ALIGN_LEFT, black, "far away");
  ria_canvas_free(&c);
}

static void writes(void) {
  const ria_font *font = ria_font_text(false);
  int digit = ria_font_width(font, "0");
  CHECK(digit > 4);
  for (const char *d = "123456789"; *d; d++) {
    char text[2] = {*d, '\0'};
    CHECK_INT(ria_font_width(font, text), digit); /* columns of figures stand still */
  }
  CHECK_INT(ria_font_width(font, ""), 0);
  CHECK_INT(ria_font_width(font, "\u6c34"), ria_font_width(font, "?"));
  CHECK_INT(ria_font_width(font, "m\xb3"), ria_font_width(font, "m\u00b3")); /* Latin-1 */
  CHECK(ria_font_width(font, "\xe2\x88") > 0);                               /* cut short */
  CHECK(ria_font_width(ria_font_text(true), "0") > digit);
  /* every glyph lies within its line */
  for (int large = 0; large < 2; large++)
    for (int k = 0; k < ria_font_title(large)->n; k++) {
      const ria_glyph *g = &ria_font_title(large)->glyph[k];
      CHECK_INT(strlen(g->coverage), g->width * g->height);
      CHECK(k == 0 || g[-1].code < g->code);
    }
  ria_canvas c;
  CHECK(ria_canvas_init(&c, 80, 30));
  int white = ria_canvas_color(&c, 255, 255, 255), black = ria_canvas_color(&c, 0, 0, 0);
  ria_canvas_fill(&c, c.clip, white);
  int width = ria_canvas_text(&c, font, 70, 20, RIA_ALIGN_RIGHT, black, "level");
  int inked = 0;
  for (int y = 0; y < 30; y++)
    for (int x = 0; x < 80; x++) {
      inked += ink_at(&c, x, y) == black;
      if (x < 70 - width - 1 || x > 70) CHECK_INT(ink_at(&c, x, y), white);
    }
  CHECK(inked > 40 && inked < 400);
  ria_canvas_free(&c);
}

int main(void) {
  encodes();
  has_own_colors();
  refuses();
  draws();
  writes();
  return TEST_END();
}
