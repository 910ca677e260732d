/* tests/fuzz/bytes.h - choices from an input, for targets that build what they try. An input that
 * is at its end goes on with zeros. */
#ifndef RIA_FUZZ_BYTES_H
#define RIA_FUZZ_BYTES_H
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BYTES_UNUSED __attribute__((unused))

typedef struct bytes {
  const uint8_t *at, *end;
} bytes;

BYTES_UNUSED static bool bytes_over(const bytes *b) { return b->at == b->end; }
BYTES_UNUSED static unsigned bytes_one(bytes *b) { return bytes_over(b) ? 0 : *b->at++; }
/* 0 to n - 1; n at most 256 */
BYTES_UNUSED static unsigned bytes_below(bytes *b, unsigned n) { return bytes_one(b) % n; }
/* True in one of n. */
BYTES_UNUSED static bool bytes_rare(bytes *b, unsigned n) { return bytes_below(b, n) == n - 1; }

/* The next n bytes, or as many as there are; the rest are zeros. */
BYTES_UNUSED static void bytes_take(bytes *b, void *to, size_t n) {
  const size_t has = (size_t)(b->end - b->at), k = has < n ? has : n;
  memset(to, 0, n);
  if (k) memcpy(to, b->at, k);
  b->at += k;
}

/* Text of at most room - 1 bytes, up to a zero. */
BYTES_UNUSED static const char *bytes_text(bytes *b, char *to, size_t room) {
  size_t k = 0;
  while (k + 1 < room && !bytes_over(b) && (to[k] = (char)*b->at++)) k++;
  to[k] = '\0';
  return to;
}

/* A number: mostly a small one, at times an extreme one or any bits. */
BYTES_UNUSED static double bytes_number(bytes *b) {
  static const double odd[] = {
      0,      -0.0,   1,      -1,   NAN,   INFINITY, -INFINITY,    1e308,
      -1e308, 5e-324, 1e-300, 1e30, -1e30, 1e-9,     2147483647.0, 4294967296.0};
  const unsigned how = bytes_one(b);
  double v;
  if (how < 160) return (double)bytes_one(b) / 16.0;
  if (how < 200) return ((double)bytes_one(b) - 128.0) / 4.0;
  if (how < 220) return pow(10.0, (double)bytes_one(b) / 16.0 - 8.0);
  if (how < 250) return odd[bytes_below(b, sizeof odd / sizeof *odd)];
  bytes_take(b, &v, sizeof v);
  return v;
}

/* A number that is no more than rarely odd: positive, within lo to hi. */
BYTES_UNUSED static double bytes_within(bytes *b, double lo, double hi) {
  const unsigned v = bytes_one(b);
  return v > 251 ? bytes_number(b) : lo + (hi - lo) * v / 251.0;
}

#endif
