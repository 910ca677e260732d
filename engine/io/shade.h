/* io/shade.h - relief as light and shadow. */
#ifndef RIA_IO_SHADE_H
#define RIA_IO_SHADE_H
#include <stdbool.h>

/* How light a surface is that lies flat: shade values below are in shadow. */
#define RIA_SHADE_FLAT 0.70710678f

/* Shade z[height][width] (row 0 in the north, pixels of dx by dy) by a light from the north-west at
 * 45 degrees (Horn's gradient). Heights are exaggerated until the mean slope is steep enough to
 * see, the same for the whole picture. shade: 0 dark .. 1 light. False when memory is out. */
bool ria_shade(const float *z, int width, int height, double dx, double dy, float *shade);

#endif
