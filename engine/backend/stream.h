/* stream.h - writing memory past the caches.
 *
 * A plain store reads the cache line that it changes first. Lines that are written whole and not
 * looked at again soon need not be read, nor need they push anything out of the caches: that is
 * half the traffic of a write. */
#ifndef RIA_BACKEND_STREAM_H
#define RIA_BACKEND_STREAM_H
#include <stddef.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

enum {
  RIA_LINE = 64,              /* bytes of a cache line */
  RIA_STREAM_BYTES = 32 << 20 /* what a step goes through, from which on it is worth while */
};

/* Copy bytes past the caches, except the last partial line. Both addresses are multiples of
 * RIA_LINE. Other threads may read them after ria_stream_end. */
static inline void ria_stream(void *to, const void *from, size_t bytes) {
  char *const t = (char *)to;
  const char *const f = (const char *)from;
  size_t k = 0;
#if defined(__AVX512F__)
  for (; k + 64 <= bytes; k += 64)
    _mm512_stream_si512((__m512i *)(t + k), _mm512_load_si512(f + k));
#elif defined(__AVX__)
  for (; k + 64 <= bytes; k += 64) {
    _mm256_stream_si256((__m256i *)(t + k), _mm256_load_si256((const __m256i *)(f + k)));
    _mm256_stream_si256((__m256i *)(t + k + 32), _mm256_load_si256((const __m256i *)(f + k + 32)));
  }
#elif defined(__SSE2__)
  for (; k + 16 <= bytes; k += 16)
    _mm_stream_si128((__m128i *)(t + k), _mm_load_si128((const __m128i *)(f + k)));
#endif
  memcpy(t + k, f + k, bytes - k);
}

static inline void ria_stream_end(void) {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

#endif
