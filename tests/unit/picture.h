/* picture.h - a PNG of a run, read for a test. */
#ifndef RIA_TESTS_PICTURE_H
#define RIA_TESTS_PICTURE_H
#include "png_read.h"
#include "test.h"

#include <stdlib.h>

typedef struct picture {
  uint8_t *data;
  size_t n;
  png_read png;
} picture;

static picture load(const char *path) {
  picture p = {.data = malloc(1 << 22)};
  FILE *f = fopen(path, "rb");
  p.n = f ? fread(p.data, 1, 1 << 22, f) : 0;
  if (f) fclose(f);
  CHECK(png_read_bytes(p.data, p.n, &p.png));
  return p;
}

static void unload(picture *p) {
  png_read_free(&p->png);
  free(p->data);
}

#endif
