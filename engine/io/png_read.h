/* io/png_read.h - pictures read back: frames that a run made, for films and for later pictures. */
#ifndef RIA_IO_PNG_READ_H
#define RIA_IO_PNG_READ_H
#include <ria/status.h>

typedef struct ria_png_picture {
  int width, height;
  uint8_t *rgb; /* [height][width][3]; NULL where pixels were not asked for */
  int colors;   /* of the palette; 0: it has none */
  uint8_t palette[256][3];
  double time_s;   /* of a frame: "ria:time_s"; NaN = it does not say */
  char range[160]; /* "ria:range": min, max, scale, unit; "" = it does not say */
} ria_png_picture;

/* Read a PNG of any kind as 8-bit RGB; what shines through is drawn on white. RIA_ERR_INPUT names
 * the file and what is wrong. Free it with ria_png_picture_free, not after a failure. */
ria_status ria_png_read(ria_context *ctx, const char *path, bool pixels, ria_png_picture *out);
void ria_png_picture_free(ria_png_picture *p);

#endif
