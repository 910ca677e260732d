/* io/transverse.c - the transverse Mercator projection of an ellipsoid.
 *
 * Latitude becomes conformal latitude, the sphere is projected about its central meridian, and a
 * series stretches the result so that the meridian has its true length. Backwards the same in
 * reverse; latitude from conformal latitude takes a few steps of Newton's. */
#include "io/transverse.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
/* The first term left out is then below 0.1 mm. */
static const double reach = 1.75;

/* --- coefficients ----------------------------------------------------------------------------- */

/* Row j, column k: what n^(k + 1) counts in the coefficient of sin 2(j + 1)x. Alpha is rectifying
 * less conformal latitude as a series in the latter, beta the way back. */
static const double alpha[RIA_KRUEGER][RIA_KRUEGER] = {
    {1.0 / 2.0, -2.0 / 3.0, 5.0 / 16.0, 41.0 / 180.0, -127.0 / 288.0, 7891.0 / 37800.0,
     72161.0 / 387072.0, -18975107.0 / 50803200.0},
    {0, 13.0 / 48.0, -3.0 / 5.0, 557.0 / 1440.0, 281.0 / 630.0, -1983433.0 / 1935360.0,
     13769.0 / 28800.0, 148003883.0 / 174182400.0},
    {0, 0, 61.0 / 240.0, -103.0 / 140.0, 15061.0 / 26880.0, 167603.0 / 181440.0,
     -67102379.0 / 29030400.0, 79682431.0 / 79833600.0},
    {0, 0, 0, 49561.0 / 161280.0, -179.0 / 168.0, 6601661.0 / 7257600.0, 97445.0 / 49896.0,
     -40176129013.0 / 7664025600.0},
    {0, 0, 0, 0, 34729.0 / 80640.0, -3418889.0 / 1995840.0, 14644087.0 / 9123840.0,
     2605413599.0 / 622702080.0},
    {0, 0, 0, 0, 0, 212378941.0 / 319334400.0, -30705481.0 / 10378368.0,
     175214326799.0 / 58118860800.0},
    {0, 0, 0, 0, 0, 0, 1522256789.0 / 1383782400.0, -16759934899.0 / 3113510400.0},
    {0, 0, 0, 0, 0, 0, 0, 1424729850961.0 / 743921418240.0},
};
static const double beta[RIA_KRUEGER][RIA_KRUEGER] = {
    {1.0 / 2.0, -2.0 / 3.0, 37.0 / 96.0, -1.0 / 360.0, -81.0 / 512.0, 96199.0 / 604800.0,
     -5406467.0 / 38707200.0, 7944359.0 / 67737600.0},
    {0, 1.0 / 48.0, 1.0 / 15.0, -437.0 / 1440.0, 46.0 / 105.0, -1118711.0 / 3870720.0,
     51841.0 / 1209600.0, 24749483.0 / 348364800.0},
    {0, 0, 17.0 / 480.0, -37.0 / 840.0, -209.0 / 4480.0, 5569.0 / 90720.0, 9261899.0 / 58060800.0,
     -6457463.0 / 17740800.0},
    {0, 0, 0, 4397.0 / 161280.0, -11.0 / 504.0, -830251.0 / 7257600.0, 466511.0 / 2494800.0,
     324154477.0 / 7664025600.0},
    {0, 0, 0, 0, 4583.0 / 161280.0, -108847.0 / 3991680.0, -8005831.0 / 63866880.0,
     22894433.0 / 124540416.0},
    {0, 0, 0, 0, 0, 20648693.0 / 638668800.0, -16363163.0 / 518918400.0,
     -2204645983.0 / 12915302400.0},
    {0, 0, 0, 0, 0, 0, 219941297.0 / 5535129600.0, -497323811.0 / 12454041600.0},
    {0, 0, 0, 0, 0, 0, 0, 191773887257.0 / 3719607091200.0},
};

/* The sum of coefficients times powers of n from the first on. */
static double powers(const double *c, double n) {
  double sum = 0.0;
  for (int k = RIA_KRUEGER - 1; k >= 0; k--) sum = (sum + c[k]) * n;
  return sum;
}

/* x + i y plus `sign` times the sum of c_j sin 2j(x + i y). */
static void stretch(const double *c, double sign, double *x, double *y) {
  double dx = 0.0, dy = 0.0;
  for (int j = RIA_KRUEGER; j > 0; j--) {
    dx += c[j - 1] * sin(2 * j * *x) * cosh(2 * j * *y);
    dy += c[j - 1] * cos(2 * j * *x) * sinh(2 * j * *y);
  }
  *x += sign * dx;
  *y += sign * dy;
}

/* --- latitudes, as tangents ------------------------------------------------------------------- */

static double conformal(double e, double tau) {
  const double secant = hypot(1.0, tau);
  const double sigma = sinh(e * atanh(e * tau / secant));
  return tau * hypot(1.0, sigma) - sigma * secant;
}

static double geographic(double e, double conformal_tau) {
  const double e2m = 1.0 - e * e;
  if (fabs(conformal_tau) > 1e14) return conformal_tau; /* a pole */
  double tau = conformal_tau / e2m;
  for (int k = 0; k < 8; k++) {
    const double now = conformal(e, tau);
    const double step =
        (conformal_tau - now) / hypot(1.0, now) * (1.0 + e2m * tau * tau) / (e2m * hypot(1.0, tau));
    tau += step;
    if (fabs(step) <= 1e-15 * fmax(1.0, fabs(tau))) break;
  }
  return tau;
}

/* --- the projection --------------------------------------------------------------------------- */

/* From the equator and the central meridian, radians of rectified latitude. */
static void project(const ria_transverse *t, double lambda, double phi, double *xi, double *eta) {
  const double tau = conformal(t->e, tan(phi));
  *xi = atan2(tau, cos(lambda));
  *eta = asinh(sin(lambda) / hypot(tau, cos(lambda)));
  if (!(fabs(*eta) <= reach)) *xi = *eta = NAN;
  stretch(t->alpha, 1.0, xi, eta);
}

void ria_transverse_set(ria_transverse *t, const ria_crs_def *def) {
  const double f = 1.0 / def->inverse_flattening;
  const double n = f / (2.0 - f), n2 = n * n;
  /* of a quarter of the meridian, to n^8 */
  const double mean =
      def->a / (1.0 + n) *
      (1.0 + n2 * (1.0 / 4.0 + n2 * (1.0 / 64.0 + n2 * (1.0 / 256.0 + n2 * 25.0 / 16384.0))));
  *t = (ria_transverse){.e = sqrt(f * (2.0 - f)),
                        .scale = def->k0 * mean,
                        .lon0 = def->lon0,
                        .east = def->east,
                        .north = def->north};
  for (int j = 0; j < RIA_KRUEGER; j++) {
    t->alpha[j] = powers(alpha[j], n);
    t->beta[j] = powers(beta[j], n);
  }
  double xi, eta;
  project(t, 0.0, def->lat0 * pi / 180.0, &xi, &eta);
  t->north -= t->scale * xi;
}

void ria_transverse_forward(const ria_transverse *t, double lon, double lat, double *x, double *y) {
  double xi = NAN, eta = NAN;
  if (fabs(lat) <= 90.0 && isfinite(lon))
    project(t, remainder(lon - t->lon0, 360.0) * pi / 180.0, lat * pi / 180.0, &xi, &eta);
  *x = t->east + t->scale * eta;
  *y = t->north + t->scale * xi;
}

void ria_transverse_inverse(const ria_transverse *t, double x, double y, double *lon, double *lat) {
  double xi = (y - t->north) / t->scale, eta = (x - t->east) / t->scale;
  /* past the poles the map goes round; more than once is no place */
  if (!(fabs(eta) <= reach && fabs(xi) <= pi)) xi = eta = NAN;
  stretch(t->beta, -1.0, &xi, &eta);
  const double tau = geographic(t->e, sin(xi) / hypot(sinh(eta), cos(xi)));
  *lat = atan(tau) * 180.0 / pi;
  *lon = remainder(t->lon0 + atan2(sinh(eta), cos(xi)) * 180.0 / pi, 360.0);
}
