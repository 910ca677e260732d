/* Coordinate systems: published points, far ones, every code of the table against PROJ, text of all
 * kinds, refusals. */
#include "io/crs_def.h"
#include "io/crs_read.h"
#include "io/proj.h"
#include "io/transverse.h"
#include "test.h"
#include <ria/crs.h>

#include <stdlib.h>
#include <string.h>

static ria_context *ctx;

static ria_crs *crs_of(const char *text) {
  ria_crs *c = NULL;
  CHECK_OK(ctx, ria_crs_create(ctx, text, &c));
  return c;
}

static double dms(double d, double m, double s) { return d + m / 60.0 + s / 3600.0; }

/* --- points ----------------------------------------------------------------------------------- */

/* There within `near` m, and back to the last digits. */
static void check_point(const char *from, const char *to, double lon, double lat, double x,
                        double y, double near) {
  ria_crs *a = crs_of(from), *b = crs_of(to);
  double u = lon, v = lat;
  if (a && b) {
    CHECK_OK(ctx, ria_crs_convert(a, b, 1, &u, &v));
    CHECK_NEAR(u, x, near);
    CHECK_NEAR(v, y, near);
    CHECK_OK(ctx, ria_crs_convert(b, a, 1, &u, &v));
    CHECK_NEAR(u, lon, 1e-11);
    CHECK_NEAR(v, lat, 1e-11);
  }
  ria_crs_destroy(&a);
  ria_crs_destroy(&b);
}

static void published(void) {
  /* Ordnance Survey, A guide to coordinate systems in Great Britain, annex C */
  check_point("EPSG:4277", "EPSG:27700", dms(1, 43, 4.5177), dms(52, 39, 27.2531), 651409.903,
              313177.270, 1e-3);
  /* IOGP, Geomatics guidance note 7-2: transverse Mercator, and Popular Visualisation Pseudo
   * Mercator */
  check_point("EPSG:4277", "EPSG:27700", 0.5, 50.5, 577274.99, 69740.50, 1e-2);
  check_point("EPSG:4326", "EPSG:3857", -dms(100, 20, 0.0), dms(24, 22, 54.433), -11169055.58,
              2800000.00, 1e-2);
}

/* The length of a meridian from the equator, by Simpson's rule. */
static double meridian(double a, double inverse_flattening, double lat) {
  enum { N = 2000 };
  const double f = 1.0 / inverse_flattening, e2 = f * (2.0 - f), phi = lat * acos(-1.0) / 180.0;
  double sum = 0.0;
  for (int k = 0; k <= N; k++) {
    const double s = sin(phi * k / N);
    const double w = k == 0 || k == N ? 1.0 : k % 2 ? 4.0 : 2.0;
    sum += w * pow(1.0 - e2 * s * s, -1.5);
  }
  return a * (1.0 - e2) * sum * phi / (3.0 * N);
}

static void on_the_meridian(void) {
  const ria_datum *d;
  for (size_t k = 0; (d = ria_datum_at(k)); k++) {
    ria_crs_def def = {.kind = RIA_TRANSVERSE_MERCATOR, .lon0 = 9.0, .k0 = 1.0};
    ria_transverse t;
    ria_crs_def_on(&def, d);
    ria_transverse_set(&t, &def);
    for (double lat = -90.0; lat <= 90.0; lat += 15.0) {
      double x, y;
      ria_transverse_forward(&t, 9.0, lat, &x, &y);
      CHECK_NEAR(x, 0.0, 1e-8);
      CHECK_NEAR(y, meridian(d->a, d->inverse_flattening, lat), 1e-7);
    }
  }
}

/* Every code of the table against PROJ, at 25 places about its origin. */
static void check_code(int code, double *worst) {
  ria_crs_def def;
  ria_transverse t;
  double x[25], y[25], px[25], py[25];
  char from[24], to[24];
  if (!CHECK(ria_crs_def_of(code, &def))) return;
  ria_transverse_set(&t, &def);
  snprintf(from, sizeof from, "EPSG:%d", def.datum->code);
  snprintf(to, sizeof to, "EPSG:%d", code);
  for (int k = 0; k < 25; k++) {
    px[k] = def.lon0 + 1.7 * (k % 5 - 2);
    py[k] = fmax(-80.0, def.lat0) + 2.3 * (k / 5 - 1) + (def.lat0 == 0.0 ? 40.0 : 0.0);
    ria_transverse_forward(&t, px[k], py[k], &x[k], &y[k]);
  }
  if (!CHECK_OK(ctx, ria_proj_convert(ctx, from, to, 25, px, py))) return;
  for (int k = 0; k < 25; k++) {
    const double off = hypot(x[k] - px[k], y[k] - py[k]);
    if (!(off <= 1e-3) && !CHECK_NEAR(off, 0.0, 1e-3)) {
      fprintf(stderr, "EPSG:%d at place %d\n", code, k);
      return;
    }
    *worst = fmax(*worst, off);
  }
}

static void against_proj(void) {
  char why[256] = "";
  double worst = 0.0;
  if (!ria_proj_there(why, sizeof why)) {
    printf("skipped: the table of codes against PROJ: %s\n", why);
    return;
  }
  size_t n = 0;
  for (int code; (code = ria_crs_code_at(n)); n++) check_code(code, &worst);
  CHECK(n > 1500);
  printf("%zu codes, PROJ is off by %.2g m at most\n", n, worst);
}

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx) == RIA_OK);
  published();
  on_the_meridian();
  against_proj();
  ria_context_destroy(&ctx);
  return TEST_END();
}
