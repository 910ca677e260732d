/* io/round_k.h - the formula of io/round.h, for the CPU and the GPU alike.
 *
 * Adding 1.5 * 2^m to a number below 2^(m-1), m the mantissa's bits, leaves no room for a fraction:
 * the sum is rounded to the nearest integer (ties to even), and taking the constant away again
 * gives that integer exactly. Larger numbers have no fraction worth rounding and are kept. Every
 * product is by a power of two, so it does not matter whether a machine contracts it with a sum or
 * takes numbers below its normal ones for zero. */
#ifndef RIA_IO_ROUND_K_H
#define RIA_IO_ROUND_K_H
#include <ria/kernel.h>

/* v to the nearest multiple of q, a power of two whose inverse is `up`; q = 0: v. Never -0. */
RIA_KERNEL float ria_round_to_f32(float v, float q, float up) {
  const float magic = 0x1.8p23f, limit = 0x1p22f;
  const float a = v * up, r = ((a + magic) - magic) * q + 0.0f;
  return q > 0.0f && fabsf(a) < limit ? r : v;
}

RIA_KERNEL double ria_round_to_f64(double v, double q, double up) {
  const double magic = 0x1.8p52, limit = 0x1p51;
  const double a = v * up, r = ((a + magic) - magic) * q + 0.0;
  return q > 0.0 && fabs(a) < limit ? r : v;
}

#endif
