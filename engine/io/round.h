/* io/round.h - rounding to an absolute bound, so that what is noise anyway compresses well.
 *
 * Values are rounded to multiples of q, the greatest power of two with q / 2 <= precision. Because
 * q is a power of two this keeps just the leading bits of each mantissa that the bound asks for and
 * clears the rest, and no value moves by more than the precision. NaN and infinity stay. */
#ifndef RIA_IO_ROUND_H
#define RIA_IO_ROUND_H
#include <stdbool.h>
#include <ria/sim.h>
#include <stddef.h>

/* The greatest power of two q with q / 2 <= precision; 0 when nothing is to be rounded: precision
 * is 0, or q no normal number of `real`. */
double ria_round_quantum(double precision, ria_real real);
/* Copy n values from src to dst, rounded (precision 0: as they are). Returns whether any of them is
 * not NaN. */
bool ria_round_f32(float *dst, const float *src, size_t n, double precision);
bool ria_round_f64(double *dst, const double *src, size_t n, double precision);

#endif
