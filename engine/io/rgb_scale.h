/* io/rgb_scale.h - a picture in another size. */
#ifndef RIA_IO_RGB_SCALE_H
#define RIA_IO_RGB_SCALE_H
#include <ria/status.h>

/* from[height][width][3] to out[out_height][out_width][3]: each pixel is the mean of those under a
 * tent as wide as two of the larger pixels, so that smaller pictures do not flicker and larger ones
 * are linear between pixels. The same size: a copy. False when memory is out. */
bool ria_rgb_scale(const uint8_t *from, int width, int height, uint8_t *out, int out_width,
                   int out_height);

#endif
