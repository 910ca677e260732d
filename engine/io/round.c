/* io/round.c - rounding to multiples of a power of two without a call or a branch per value.
 *
 * Adding 1.5 * 2^m to a number below 2^(m-1), m the mantissa's bits, leaves no room for a fraction:
 * the sum is rounded to the nearest integer (ties to even), and taking the constant away again
 * gives that integer exactly. Larger numbers have no fraction worth rounding and are kept. */
#include "io/round.h"

#include <float.h>
#include <math.h>

/* The greatest power of two q with q / 2 <= precision; 0 when nothing is to be rounded. */
static double quantum(double precision, double least, double greatest) {
  if (!(precision > 0.0) || !isfinite(precision)) return 0.0;
  int e;
  (void)frexp(precision, &e); /* precision in [2^(e-1), 2^e) */
  double q = ldexp(1.0, e);
  return q >= least && q <= greatest ? q : 0.0;
}

bool ria_round_f32(float *dst, const float *src, size_t n, double precision) {
  const float q = (float)quantum(precision, 0x1p-100, 0x1p100);
  const float up = q > 0.0f ? 1.0f / q : 0.0f, magic = 0x1.8p23f, limit = 0x1p22f;
  int some = 0;
  for (size_t k = 0; k < n; k++) {
    float v = src[k], a = v * up;
    float r = ((a + magic) - magic) * q + 0.0f; /* + 0: never -0 */
    dst[k] = q > 0.0f && fabsf(a) < limit ? r : v;
    some |= v == v;
  }
  return some != 0;
}

bool ria_round_f64(double *dst, const double *src, size_t n, double precision) {
  const double q = quantum(precision, 0x1p-900, 0x1p900);
  const double up = q > 0.0 ? 1.0 / q : 0.0, magic = 0x1.8p52, limit = 0x1p51;
  int some = 0;
  for (size_t k = 0; k < n; k++) {
    double v = src[k], a = v * up;
    double r = ((a + magic) - magic) * q + 0.0;
    dst[k] = q > 0.0 && fabs(a) < limit ? r : v;
    some |= v == v;
  }
  return some != 0;
}
