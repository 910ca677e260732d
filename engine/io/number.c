/* io/number.c - decimal text to double.
 *
 * A decimal is split into an integer of at most 19 significant digits and a power of ten, m * 10^e.
 * Three ways lead from there to the nearest double, the cheapest that is exact being taken:
 *
 *   1. m < 2^53 and |e| <= 22: both m and 10^|e| are doubles, so one multiplication or division
 *      rounds once and correctly (Clinger's observation). Nearly all elevations end here.
 *   2. Where long double carries 64 bits, the same holds for m < 2^64 and |e| <= 27, but the result
 *      is then rounded a second time, to 53 bits. That goes wrong only if the first rounding ended
 *      exactly between two doubles, which the 11 bits to be dropped show.
 *   3. Everything else is left to strtod in the C locale.
 */
#include "io/number.h"
#include "base/text.h"

#include <ctype.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

typedef struct decimal {
  uint64_t m;
  int e;
  bool negative, exact; /* exact: no digit other than 0 was left out of m */
} decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Digits at *p into d; scale is -1 behind the point (each digit kept lowers the exponent) and 0
 * before it. Returns how many there were. */
static int take_digits(const char **p, const char *end, int scale, decimal *d) {
  const char *s = *p;
  for (; s < end && is_digit(*s); s++) {
    if (d->m < UINT64_C(1000000000000000000)) {
      d->m = 10 * d->m + (uint64_t)(*s - '0');
      d->e += scale;
    } else {
      if (*s != '0') d->exact = false;
      d->e += scale + 1;
    }
  }
  int n = (int)(s - *p);
  *p = s;
  return n;
}

static bool take_exponent(const char **p, const char *end, int *e) {
  const char *s = *p + 1;
  bool negative = s < end && *s == '-';
  if (s < end && (*s == '-' || *s == '+')) s++;
  if (s == end || !is_digit(*s)) return false;
  int v = 0;
  for (; s < end && is_digit(*s); s++)
    if (v < 100000) v = 10 * v + (*s - '0');
  *e += negative ? -v : v;
  *p = s;
  return true;
}

static bool take_decimal(const char *s, const char *end, decimal *d) {
  *d = (decimal){.exact = true};
  if (s < end && (*s == '-' || *s == '+')) d->negative = *s++ == '-';
  int digits = take_digits(&s, end, 0, d);
  if (s < end && *s == '.') {
    s++;
    digits += take_digits(&s, end, -1, d);
  }
  if (digits == 0) return false;
  if (s < end && (*s == 'e' || *s == 'E') && !take_exponent(&s, end, &d->e)) return false;
  return s == end;
}

static bool from_double(const decimal *d, double *out) {
  static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (FLT_EVAL_METHOD != 0 || d->m > (UINT64_C(1) << 53) || d->e < -22 || d->e > 22) return false;
  double v = (double)d->m;
  v = d->e < 0 ? v / power[-d->e] : v * power[d->e];
  *out = d->negative ? -v : v;
  return true;
}

#if LDBL_MANT_DIG == 64 && defined(__x86_64__)
/* Emulators, and hosts that have set the processor to less, compute with 53 bits all the same. */
static bool long_double_is_whole(void) {
  const volatile long double last_bit = 0x1p-63L;
  return 1.0L + last_bit != 1.0L;
}

static bool from_long_double(const decimal *d, double *out) {
  static const long double power[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                      1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                      1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                      1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
  if (d->e < -27 || d->e > 27 || !long_double_is_whole()) return false;
  long double v = (long double)d->m;
  v = d->e < 0 ? v / power[-d->e] : v * power[d->e];
  uint64_t mantissa;
  memcpy(&mantissa, &v, sizeof mantissa);
  if ((mantissa & 0x7ff) == 0x400) return false;
  *out = (double)(d->negative ? -v : v);
  return true;
}
#else
static bool from_long_double(const decimal *d, double *out) {
  (void)d;
  (void)out;
  return false;
}
#endif

static bool from_strtod(const char *s, size_t n, double *out) {
  char text[RIA_NUMBER_MAX + 1];
  memcpy(text, s, n);
  text[n] = '\0';
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (c == (locale_t)0) return false;
  *out = strtod_l(text, NULL, c);
  freelocale(c);
  return true;
}

static bool word_is(const char *s, size_t n, const char *word) {
  return n == strlen(word) && strncasecmp(s, word, n) == 0;
}

static bool parse_word(const char *s, size_t n, double *out) {
  bool negative = n > 0 && *s == '-';
  if (n > 0 && (*s == '-' || *s == '+')) s++, n--;
  if (word_is(s, n, "nan"))
    *out = NAN;
  else if (word_is(s, n, "inf") || word_is(s, n, "infinity"))
    *out = negative ? -INFINITY : INFINITY;
  else
    return false;
  return true;
}

bool ria_number_parse(const char *s, size_t n, double *out) {
  decimal d;
  if (n > RIA_NUMBER_MAX) return false;
  if (!take_decimal(s, s + n, &d)) return parse_word(s, n, out);
  if (d.exact && (from_double(&d, out) || from_long_double(&d, out))) return true;
  return from_strtod(s, n, out);
}

int ria_number_format(double v, char out[32]) {
  int n = 0;
  double back = NAN;
  for (int digits = 15; digits <= 17 && back != v; digits++) {
    n = ria_format(out, 32, "%.*g", digits, v);
    if (!ria_number_parse(out, (size_t)n, &back)) back = NAN;
  }
  return n;
}
