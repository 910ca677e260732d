/* Coordinate systems: places. Published points, far ones, every code of the table against PROJ. */
#include "crs.h"
#include "io/crs_def.h"
#include "io/proj.h"
#include "io/transverse.h"
#include <stdlib.h>

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

/* On an ellipsoid as flat as 1/10 the last terms show too: along the meridian alpha, and beta as
 * far as it leads back. Half a millimetre is what the terms of n^9 and on come to. */
static void flat(void) {
  ria_crs_def def = {.kind = RIA_TRANSVERSE_MERCATOR, .k0 = 1.0, .a = 6378137.0};
  ria_transverse t;
  double along = 0.0, back = 0.0;
  def.inverse_flattening = 10.0;
  ria_transverse_set(&t, &def);
  for (double lat = 5.0; lat < 90.0; lat += 5.0) {
    double x, y, lon2, lat2;
    ria_transverse_forward(&t, 0.0, lat, &x, &y);
    along = fmax(along, fabs(y - meridian(def.a, def.inverse_flattening, lat)));
    ria_transverse_inverse(&t, x, y, &lon2, &lat2);
    back = fmax(back, fabs(lat2 - lat) * 111e3);
  }
  CHECK_NEAR(along, 0.0, 5.5e-4);
  CHECK_NEAR(back, 0.0, 5.3e-4);
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

/* Krueger's series to n^12 in 40 digits; WGS 84, scale 1, m. */
static const struct {
  double lon, lat, x, y;
} far_away[] = {{3, 0, 334112.2018001805, 0.0},
                {30, 45, 2360791.676703691, 5443001.292696951},
                {50, 20, 5793045.612898479, 3276834.212163254},
                {65, 10, 9171425.412069884, 2535840.398556001},
                {69.9, 0.5, 11103092.52705272, 165127.9481803647},
                {100, 80, 1105140.71160009, 10197832.29484962}};

static void far_points(void) {
  ria_crs_def def = {.kind = RIA_TRANSVERSE_MERCATOR, .lon0 = 170.0, .k0 = 1.0};
  ria_transverse t;
  ria_crs_def_on(&def, ria_datum_of(4326));
  ria_transverse_set(&t, &def);
  for (size_t k = 0; k < sizeof far_away / sizeof *far_away; k++) {
    const double lon = remainder(170.0 + far_away[k].lon, 360.0); /* over the date line */
    double x, y, lon2, lat2;
    ria_transverse_forward(&t, lon, far_away[k].lat, &x, &y);
    CHECK_NEAR(x, far_away[k].x, 1e-4);
    CHECK_NEAR(y, far_away[k].y, 1e-4);
    ria_transverse_inverse(&t, x, y, &lon2, &lat2);
    CHECK_NEAR(lon2, lon, 1e-9);
    CHECK_NEAR(lat2, far_away[k].lat, 1e-9);
  }
}

/* Points that a map does not reach are NaN, and their neighbours are not. */
static void out_of_reach(void) {
  ria_crs *degrees = crs_of("EPSG:4326"), *utm = crs_of("EPSG:32632"), *web = crs_of("EPSG:3857");
  double x[] = {9.0, 99.0, 9.0, NAN}, y[] = {50.0, 0.0, 91.0, 50.0};
  CHECK_OK(ctx, ria_crs_convert(degrees, utm, 4, x, y));
  CHECK_NEAR(x[0], 500000.0, 1e-7);
  for (int k = 1; k < 4; k++) CHECK(isnan(x[k]) && isnan(y[k]));
  double u[] = {5e5, 5e5, 1e8}, v[] = {5e6, 1e8, 5e6};
  CHECK_OK(ctx, ria_crs_convert(utm, degrees, 3, u, v));
  CHECK_NEAR(u[0], 9.0, 1e-12);
  for (int k = 1; k < 3; k++) CHECK(isnan(u[k]) && isnan(v[k]));
  double p = 10.0, q = 90.0;
  CHECK_OK(ctx, ria_crs_convert(degrees, web, 1, &p, &q));
  CHECK(isnan(p) && isnan(q));
  ria_crs_destroy(&degrees);
  ria_crs_destroy(&utm);
  ria_crs_destroy(&web);
}

/* The program cs2cs of Debian's proj-bin. */
static void against_cs2cs(void) {
  static const struct {
    const char *from, *to;
    double lon, lat;
  } trips[] = {{"EPSG:4258", "EPSG:25832", 7.123456, 54.987654},
               {"EPSG:4326", "EPSG:3857", -70.5, -33.25},
               {"EPSG:4674", "EPSG:31983", -46.3, -23.95},
               {"EPSG:4277", "EPSG:27700", -3.2, 55.95}};
  if (system("command -v cs2cs > /dev/null 2>&1") != 0) {
    printf("skipped: points against cs2cs: it is not installed\n");
    return;
  }
  for (size_t k = 0; k < sizeof trips / sizeof *trips; k++) {
    char command[160];
    double x = NAN, y = NAN;
    snprintf(command, sizeof command, "echo %.6f %.6f | cs2cs -f %%.6f %s %s", trips[k].lat,
             trips[k].lon, trips[k].from, trips[k].to);
    FILE *told = popen(command, "r");
    if (CHECK(told && fscanf(told, "%lf %lf", &x, &y) == 2))
      check_point(trips[k].from, trips[k].to, trips[k].lon, trips[k].lat, x, y, 1e-3);
    if (told) pclose(told);
  }
}

static void named(void) {
  double x = -8.75, y = 42.25;
  CHECK_OK(ctx, ria_crs_convert_named(ctx, "CRS84", "EPSG:25829", 1, &x, &y));
  CHECK_NEAR(x, 520623.172966, 1e-6); /* cs2cs */
  CHECK_NEAR(y, 4677564.296796, 1e-6);
  CHECK(ria_crs_convert_named(ctx, "CRS84", "GEOGCS[", 1, &x, &y) == RIA_ERR_ARGUMENT);
  CHECK(ria_crs_convert_named(ctx, "", "EPSG:25829", 1, &x, &y) == RIA_ERR_ARGUMENT);
}

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx) == RIA_OK);
  published();
  on_the_meridian();
  flat();
  far_points();
  out_of_reach();
  against_proj();
  against_cs2cs();
  named();
  ria_context_destroy(&ctx);
  return TEST_END();
}
