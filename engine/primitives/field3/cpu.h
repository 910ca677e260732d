/* cpu.h - what cpu.c and the loops of the two precisions share. */
#ifndef RIA_PRIMITIVES_FIELD3_CPU_H
#define RIA_PRIMITIVES_FIELD3_CPU_H
#include "primitives/field3/field3.h"

#include <math.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

/* A result of so many bytes is not kept in caches. */
#define FIELD3_STREAM_BYTES ((size_t)8 << 20)

typedef struct field3_loops {
  void (*derive)(const field3_derive *job, int threads);
  void (*gradient)(const field3_shape *s, const fd_stencil *stencil, const void *f,
                   void *const *out, int threads);
  void (*combine)(const field3_shape *s, double a, const void *f, double b, const void *g,
                  void *out, int threads);
  void (*multiply)(const field3_shape *s, const void *f, const void *g, void *out, int threads);
  void (*fill)(const field3_shape *s, void *data, double value, int threads);
  void (*plane_sums)(const field3_shape *s, const void *data, field3_sums *planes, int threads);
} field3_loops;

extern const field3_loops field3_loops_f32, field3_loops_f64;

/* Rows of a tile that is marched through: nine planes of it fit the second-level cache. */
int field3_tile_rows(const field3_shape *s, int threads);

#define FIELD3_NO_SUMS ((field3_sums){INFINITY, -INFINITY, 0.0, 0.0})

static inline void field3_sums_add(field3_sums *to, const field3_sums *more) {
  to->min = more->min < to->min ? more->min : to->min;
  to->max = more->max > to->max ? more->max : to->max;
  to->sum += more->sum;
  to->squares += more->squares;
}

/* Copy to memory past the caches. `to` and `from` are multiples of 64 bytes; the last line is
 * written whole. */
static inline void field3_stream(void *to, const void *from, size_t bytes) {
#if defined(__AVX512F__)
  for (size_t k = 0; k < bytes; k += 64)
    _mm512_stream_si512((__m512i *)((char *)to + k), _mm512_load_si512((const char *)from + k));
#elif defined(__AVX__)
  for (size_t k = 0; k < (bytes + 63) / 64 * 64; k += 32)
    _mm256_stream_si256((__m256i *)((char *)to + k),
                        _mm256_load_si256((const __m256i *)((const char *)from + k)));
#elif defined(__SSE2__)
  for (size_t k = 0; k < (bytes + 63) / 64 * 64; k += 16)
    _mm_stream_si128((__m128i *)((char *)to + k),
                     _mm_load_si128((const __m128i *)((const char *)from + k)));
#else
  memcpy(to, from, bytes);
#endif
}

/* What was streamed is seen by whoever is told afterwards. */
static inline void field3_stream_end(void) {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

#endif
