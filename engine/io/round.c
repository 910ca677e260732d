/* io/round.c - rounding to multiples of a power of two without a call or a branch per value: the
 * formula is in round_k.h. */
#include "io/round.h"
#include "io/round_k.h"

#include <math.h>

/* 0 also when q is out of the range in which q and 1 / q are exact. */
static double quantum(double precision, double least, double greatest) {
  if (!(precision > 0.0) || !isfinite(precision)) return 0.0;
  int e;
  (void)frexp(precision, &e); /* precision in [2^(e-1), 2^e) */
  double q = ldexp(1.0, e);
  return q >= least && q <= greatest ? q : 0.0;
}

double ria_round_quantum(double precision, ria_real real) {
  return real == RIA_F32 ? quantum(precision, 0x1p-100, 0x1p100)
                         : quantum(precision, 0x1p-900, 0x1p900);
}

bool ria_round_f32(float *dst, const float *src, size_t n, double precision) {
  const float q = (float)ria_round_quantum(precision, RIA_F32), up = q > 0.0f ? 1.0f / q : 0.0f;
  int some = 0;
  for (size_t k = 0; k < n; k++) {
    float v = src[k];
    dst[k] = ria_round_to_f32(v, q, up);
    some |= v == v;
  }
  return some != 0;
}

bool ria_round_f64(double *dst, const double *src, size_t n, double precision) {
  const double q = ria_round_quantum(precision, RIA_F64), up = q > 0.0 ? 1.0 / q : 0.0;
  int some = 0;
  for (size_t k = 0; k < n; k++) {
    double v = src[k];
    dst[k] = ria_round_to_f64(v, q, up);
    some |= v == v;
  }
  return some != 0;
}
