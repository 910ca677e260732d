/* Rasters: values at points, resampling onto other grids, filling of gaps. */
#include "raster.h"
#include <stdlib.h>

/* --- values at points, other grids ------------------------------------------------------------ */

static double plane(double x, double y) { return 2.0 + 3.0 * x - 0.5 * y; }

static ria_raster *make_plane(int nx, int ny, double dx, double dy, double x0, double y0) {
  ria_raster *r = make(nx, ny, dx, dy);
  r->grid.x0 = x0;
  r->grid.y0 = y0;
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++)
      r->data[j * nx + i] = plane(x0 + (i + 0.5) * dx, y0 + (j + 0.5) * dy);
  return r;
}

static void samples(void) {
  ria_raster *r = make_plane(5, 4, 2.0, 1.0, 10.0, 20.0);
  CHECK_NEAR(ria_raster_sample(r, 13.7, 21.9), plane(13.7, 21.9), 1e-12);
  CHECK_NEAR(ria_raster_sample(r, 11.0, 20.5), plane(11.0, 20.5), 1e-12);
  CHECK_NEAR(ria_raster_sample(r, 10.0, 20.0), plane(11.0, 20.5), 1e-12); /* held in the rim */
  CHECK_NEAR(ria_raster_sample(r, 20.0, 24.0), plane(19.0, 23.5), 1e-12);
  CHECK_NEAR(ria_raster_sample(r, 9.999, 22.0), NAN, 0.0);
  CHECK_NEAR(ria_raster_sample(r, 15.0, 24.001), NAN, 0.0);
  CHECK_NEAR(ria_raster_sample(r, NAN, 22.0), NAN, 0.0);
  r->data[1 * 5 + 2] = NAN; /* centre (15, 21.5) */
  CHECK_NEAR(ria_raster_sample(r, 15.5, 21.7), NAN, 0.0);
  CHECK_NEAR(ria_raster_sample(r, 13.5, 21.2), NAN, 0.0);
  CHECK_NEAR(ria_raster_sample(r, 13.0, 21.5), plane(13.0, 21.5), 1e-12); /* weight 0 */
  ria_raster_destroy(&r);
  r = make_plane(1, 1, 1.0, 1.0, 0.0, 0.0);
  CHECK_NEAR(ria_raster_sample(r, 0.9, 0.1), plane(0.5, 0.5), 1e-15);
  ria_raster_destroy(&r);
}

static ria_raster *resampled(const ria_raster *r, ria_grid g) {
  ria_raster *out = NULL;
  CHECK_OK(ctx, ria_raster_resample(ctx, r, &g, &out));
  return out;
}

static void resample_same(void) {
  ria_raster *r = make_plane(7, 5, 0.1, 0.3, 1e5, 5e6), *s;
  r->data[11] = NAN;
  s = resampled(r, r->grid);
  for (int c = 0; c < 35; c++) CHECK_NEAR(s->data[c], r->data[c], 0.0);
  ria_raster_destroy(&s);
  ria_raster_destroy(&r);
}

/* The integral over the domain is kept exactly, whatever the ratio. */
static void resample_coarser(void) {
  ria_raster *r = make_plane(90, 60, 1.0, 1.0, 0.0, 0.0), *s;
  r->data[1234] = 1e4;
  double sum = 0.0, coarse = 0.0;
  for (int c = 0; c < 90 * 60; c++) sum += r->data[c];
  s = resampled(r, (ria_grid){.nx = 13, .ny = 7, .dx = 90.0 / 13.0, .dy = 60.0 / 7.0});
  for (int c = 0; c < 13 * 7; c++) coarse += s->data[c] * s->grid.dx * s->grid.dy;
  CHECK_NEAR(coarse, sum, 1e-9 * sum);
  ria_raster_destroy(&s);
  s = resampled(r, (ria_grid){.nx = 30, .ny = 20, .dx = 3.0, .dy = 3.0});
  CHECK_NEAR(s->data[0], plane(1.5, 1.5), 1e-12);
  ria_raster_destroy(&s);
  ria_raster_destroy(&r);
}

static void resample_finer(void) {
  ria_raster *r = make_plane(9, 6, 2.0, 3.0, -4.0, 7.0), *s;
  s = resampled(r, (ria_grid){.nx = 31, .ny = 40, .dx = 0.4, .dy = 0.25, .x0 = -2.0, .y0 = 9.0});
  double off = 0.0;
  for (int j = 0; j < 40; j++)
    for (int i = 0; i < 31; i++)
      off = fmax(off,
                 fabs(s->data[j * 31 + i] - plane(-2.0 + (i + 0.5) * 0.4, 9.0 + (j + 0.5) * 0.25)));
  CHECK_NEAR(off, 0.0, 1e-12);
  ria_raster_destroy(&s);
  ria_raster_destroy(&r);
}

static void resample_mixed(void) {
  ria_raster *r = make_plane(10, 10, 1.0, 1.0, 0.0, 0.0), *s;
  s = resampled(r, (ria_grid){.nx = 4, .ny = 16, .dx = 2.0, .dy = 0.5, .x0 = 1.0, .y0 = 1.0});
  CHECK_NEAR(s->data[5 * 4 + 2], plane(6.0, 3.75), 1e-12);
  ria_raster_destroy(&s);
  ria_raster_destroy(&r);
}

static void resample_gaps(void) {
  ria_raster *r = make(4, 2, 1.0, 1.0), *s;
  r->grid.x0 = r->grid.y0 = 0.0;
  const double v[] = {1, 2, NAN, NAN, 3, NAN, NAN, 4};
  memcpy(r->data, v, sizeof v);
  s = resampled(r, (ria_grid){.nx = 3, .ny = 1, .dx = 2.0, .dy = 2.0});
  CHECK_NEAR(s->data[0], 2.0, 1e-15);
  CHECK_NEAR(s->data[1], NAN, 0.0); /* one of four */
  CHECK_NEAR(s->data[2], NAN, 0.0); /* outside */
  ria_raster_destroy(&s);
  s = resampled(r, (ria_grid){.nx = 8, .ny = 4, .dx = 0.5, .dy = 0.5});
  CHECK_NEAR(s->data[3], 2.0, 1e-15);
  CHECK_NEAR(s->data[4], NAN, 0.0);
  ria_raster_destroy(&s);
  s = resampled(r, (ria_grid){.nx = 1, .ny = 1, .dx = 1e300, .dy = 1e300, .x0 = -1e200});
  CHECK_NEAR(s->data[0], NAN, 0.0);
  ria_raster_destroy(&s);
  CHECK_STATUS(ctx,
               ria_raster_resample(ctx, r, &(ria_grid){.nx = 0, .ny = 1, .dx = 1, .dy = 1}, &s),
               RIA_ERR_ARGUMENT);
  CHECK(s == NULL);
  ria_raster_destroy(&r);
}

/* --- filling ---------------------------------------------------------------------------------- */

static void punch(ria_raster *r, int i0, int i1, int j0, int j1) {
  for (int j = j0; j <= j1; j++)
    for (int i = i0; i <= i1; i++) r->data[j * r->grid.nx + i] = NAN;
}

static void fill_plane(void) {
  ria_raster *r = make_plane(40, 30, 2.0, 0.7, 0.0, 0.0);
  long filled = -1;
  punch(r, 5, 14, 5, 10);  /* 10 across */
  punch(r, 20, 30, 5, 10); /* 11 across */
  punch(r, 35, 35, 20, 20);
  CHECK_OK(ctx, ria_raster_fill(ctx, r, 10, 0.0, &filled));
  CHECK_INT(filled, 61);
  for (int j = 0; j < 30; j++)
    for (int i = 0; i < 40; i++) {
      bool open = i >= 20 && i <= 30 && j >= 5 && j <= 10;
      CHECK_NEAR(r->data[j * 40 + i], open ? NAN : plane((i + 0.5) * 2.0, (j + 0.5) * 0.7), 1e-9);
    }
  ria_raster_destroy(&r);
}

static void fill_edges(void) {
  ria_raster *r = make(6, 6, 1.0, 1.0);
  long filled = -1;
  CHECK_OK(ctx, ria_raster_fill(ctx, r, 100, 0.0, &filled)); /* nothing to diffuse from */
  CHECK_INT(filled, 0);
  r->data[7] = 5.0;
  CHECK_OK(ctx, ria_raster_fill(ctx, r, 100, 0.0, &filled));
  CHECK_INT(filled, 35);
  for (int c = 0; c < 36; c++) CHECK_NEAR(r->data[c], 5.0, 0.0);
  punch(r, 0, 2, 0, 2);
  r->data[3] = 9.0;
  CHECK_OK(ctx, ria_raster_fill(ctx, r, 3, 0.0, NULL));
  for (int c = 0; c < 36; c++) CHECK(r->data[c] >= 5.0 && r->data[c] <= 9.0);
  CHECK(r->data[2] > r->data[0] && r->data[0] > 5.0);
  ria_raster_destroy(&r);
}

static void fill_value(void) {
  ria_raster *r = make_plane(4, 4, 1.0, 1.0, 0.0, 0.0);
  long filled = -1;
  punch(r, 1, 2, 0, 3);
  CHECK_OK(ctx, ria_raster_fill(ctx, r, 0, -7.0, &filled));
  CHECK_INT(filled, 8);
  CHECK_NEAR(r->data[5], -7.0, 0.0);
  CHECK_NEAR(r->data[4], plane(0.5, 1.5), 0.0);
  (void)CHECK_FAILS(ctx, ria_raster_fill(ctx, r, -1, 0.0, &filled), RIA_ERR_ARGUMENT,
                    "max_gap must be 0 (fill with a value) or more cells, not -1");
  (void)CHECK_FAILS(ctx, ria_raster_fill(ctx, r, 0, NAN, &filled), RIA_ERR_ARGUMENT,
                    "the value to fill with must be a finite number, not nan");
  ria_raster_destroy(&r);
}

int main(void) {
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx));
  samples();
  resample_same();
  resample_coarser();
  resample_finer();
  resample_mixed();
  resample_gaps();
  fill_plane();
  fill_edges();
  fill_value();
  ria_context_destroy(&ctx);
  return TEST_END();
}
