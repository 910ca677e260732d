/* raster.h - what the tests of rasters share: a raster without values, a small ESRI ASCII grid. */
#ifndef UNIT_RASTER_H
#define UNIT_RASTER_H
#include "test.h"
#include <ria/field.h>

static ria_context *ctx;

TEST_UNUSED static ria_raster *make(int nx, int ny, double dx, double dy) {
  ria_raster *r = NULL;
  const ria_grid g = {.nx = nx, .ny = ny, .dx = dx, .dy = dy, .x0 = -3.7, .y0 = 1e6 / 3.0};
  CHECK_OK(ctx, ria_raster_create(ctx, &g, &r));
  return r;
}

/* --- a small ESRI ASCII grid ------------------------------------------------------------------ */

static const char plain[] = "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\n"
                            "NODATA_value -9999\n1 2 3\n4 -9999 6.5\n";

TEST_UNUSED static void check_plain(const char *path) {
  ria_raster *r = NULL;
  if (!CHECK_OK(ctx, ria_raster_read(ctx, path, &r))) return;
  CHECK_INT(r->grid.nx, 3);
  CHECK_INT(r->grid.ny, 2);
  CHECK_NEAR(r->grid.x0, 100.0, 0.0);
  CHECK_NEAR(r->grid.y0, 200.0, 0.0);
  CHECK_NEAR(r->grid.dx, 10.0, 0.0);
  CHECK_NEAR(r->grid.dy, 10.0, 0.0);
  const double expected[] = {4, NAN, 6.5, 1, 2, 3}; /* row 0 in the south */
  for (int c = 0; c < 6; c++) CHECK_NEAR(r->data[c], expected[c], 0.0);
  ria_raster_destroy(&r);
  CHECK(r == NULL);
}

#endif
