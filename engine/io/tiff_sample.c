/* io/tiff_sample.c - a row of a block to numbers: the predictor undone, the type widened.
 *
 * Predictor 2 stores differences between neighbours in a row, modulo the size of a value, of each
 * band its own. Predictor
 * 3 is for floats: the bytes of a row are sorted by weight, the heaviest of all values first, and
 * then differ from byte to byte; the order of bytes of the file does not matter to it. */
#include "io/tiff.h"

#include <math.h>
#include <string.h>

static double half(uint64_t bits) {
  const int exponent = (int)(bits >> 10 & 31u);
  const double fraction = (double)(bits & 1023u) / 1024.0;
  const double size = exponent == 31  ? (fraction > 0.0 ? NAN : INFINITY)
                      : exponent == 0 ? ldexp(fraction, -14)
                                      : ldexp(1.0 + fraction, exponent - 15);
  return bits & 0x8000u ? -size : size;
}

static double float_of(uint64_t bits, int bytes) {
  if (bytes == 2) return half(bits);
  if (bytes == 4) {
    const uint32_t word = (uint32_t)bits;
    float v;
    memcpy(&v, &word, sizeof v);
    return v;
  }
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static double signed_of(uint64_t bits, int bytes) {
  const uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
  return (double)(int64_t)((bits ^ sign) - sign);
}

static double number_of(const ria_tiff_image *im, uint64_t bits) {
  if (im->format == RIA_TIFF_FLOAT) return float_of(bits, im->bytes);
  return im->format == RIA_TIFF_SIGNED ? signed_of(bits, im->bytes) : (double)bits;
}

static void sorted_row(const ria_tiff_image *im, unsigned char *row, size_t n, double *to) {
  const size_t bytes = (size_t)im->bytes, each = (size_t)im->each;
  for (size_t k = each; k < n * bytes; k++) row[k] = (unsigned char)(row[k] + row[k - each]);
  for (size_t i = 0; i < n; i++) {
    uint64_t bits = 0;
    for (size_t b = 0; b < bytes; b++) bits = bits << 8 | row[b * n + i];
    to[i] = number_of(im, bits);
  }
}

/* The highest bit of a byte comes first. */
static void row_of_bits(const unsigned char *row, size_t n, double *to) {
  for (size_t k = 0; k < n; k++) to[k] = row[k / 8] >> (7 - k % 8) & 1;
}

void ria_tiff_row(const ria_tiff_image *im, bool big_endian, unsigned char *row, int cells,
                  double *to) {
  const uint64_t mask = UINT64_MAX >> (64 - 8 * im->bytes);
  const size_t n = (size_t)cells * (size_t)im->each;
  uint64_t before[2] = {0};
  if (im->bits == 1) {
    row_of_bits(row, n, to);
    return;
  }
  if (im->predictor == 3) {
    sorted_row(im, row, n, to);
    return;
  }
  for (size_t k = 0; k < n; k++) {
    const size_t band = k % (size_t)im->each;
    uint64_t bits = ria_tiff_word(row + k * (size_t)im->bytes, im->bytes, big_endian);
    if (im->predictor == 2) bits = before[band] = (bits + before[band]) & mask;
    to[k] = number_of(im, bits);
  }
}
