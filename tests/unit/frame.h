/* frame.h - what the tests of pictures of fields share: a coast with a plume, drawn, read back. */
#ifndef UNIT_FRAME_H
#define UNIT_FRAME_H
#include "io/frame.h"
#include "io/frame_draw.h"
#include "png_read.h"
#include "test.h"

enum { NX = 120, NY = 80, CELLS = NX * NY };

static char err[256];
static float bed[CELLS], depth[CELLS], value[CELLS], speed_x[CELLS], speed_y[CELLS];

/* Land in the north half; water in the south with a plume in its west. */
TEST_UNUSED static void make_fields(void) {
  for (int k = 0; k < CELLS; k++) {
    int i = k % NX, j = k / NX;
    bed[k] = j >= NY / 2 ? 5.0f + 0.3f * (float)((i / 7 + j / 5) % 3) : -5.0f;
    depth[k] = bed[k] < 0.0f ? 5.0f : 0.0f;
    value[k] = depth[k] > 0.0f ? (i < NX / 2 ? 0.5f : 1e-7f) : NAN;
    speed_x[k] = depth[k] > 0.0f ? 1.0f : NAN;
    speed_y[k] = 0.0f;
  }
}

static ria_frame_input input(void) {
  return (ria_frame_input){
      .grid = {.nx = NX, .ny = NY, .dx = 100, .dy = 100, .x0 = 1000, .y0 = 2000},
      .value = value,
      .bed = bed,
      .depth = depth,
      .dry = 0.01,
      .field = "oil",
      .long_name = "oil concentration",
      .unit = "kg/m^3",
      .title = "A test",
      .time_s = 3600.5,
      .map = "matter",
      .scale = RIA_SCALE_LOG,
      .vmin = 1e-4,
      .vmax = 1.0,
  };
}

static bool render(const ria_frame_input *in, png_read *out) {
  uint8_t *png;
  size_t n;
  if (!CHECK_INT(ria_frame_render(in, &png, &n, err, sizeof err), RIA_OK)) {
    fprintf(stderr, "  %s\n", err);
    return false;
  }
  bool ok = CHECK(png_read_bytes(png, n, out));
  free(png);
  return ok;
}

TEST_UNUSED static bool is_field(int k) { return k < FRAME_WATER; }
TEST_UNUSED static bool is_water(int k) { return k >= FRAME_WATER && k < FRAME_LAND; }
TEST_UNUSED static bool is_land(int k) { return k >= FRAME_LAND && k < FRAME_PAPER; }

/* Pixels of the strip below the map, which holds the legend, that are not bare. */
TEST_UNUSED static int strip_marks(const png_read *p) {
  int marks = 0;
  for (int k = p->width * (p->height - 60); k < p->width * p->height; k++)
    marks += p->pixel[k] != FRAME_PAPER;
  return marks;
}

/* How far two colours are apart, all three parts together. */
TEST_UNUSED static int apart(const uint8_t *a, const uint8_t *b) {
  return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]);
}

#endif
