/* io/png.h - pictures as PNG, in memory. */
#ifndef RIA_IO_PNG_H
#define RIA_IO_PNG_H
#include "io/buffer.h"
#include "io/canvas.h"

typedef struct ria_png_text {
  const char *key, *text; /* text is UTF-8; entries without one are left out */
} ria_png_text;

/* Encode: 8-bit palette without a filter or, where pixels have colours of their own, 8-bit RGB with
 * one; zlib level 2, sRGB with the gAMA and cHRM that go with it, a
 * text chunk for each entry (tEXt, or iTXt when it is not ASCII). No time: the same picture is the
 * same bytes. dpi: pixels an inch (pHYs), 0 = not said. Appends to out. */
ria_status ria_png_encode(const ria_canvas *c, const ria_png_text *texts, size_t n_texts, int dpi,
                          ria_buffer *out, char *err, size_t errsize);

#endif
