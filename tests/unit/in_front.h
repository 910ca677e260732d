/* in_front.h - what the linker puts in front of malloc and its kin (--wrap in tests/CMakeLists.txt,
 * of the tests named there). Whoever includes it defines REFUSES, a function that says whether the
 * present request gets no memory: refuse.h by a count, places.h by the place that asks. */
#ifndef IN_FRONT_H
#define IN_FRONT_H
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size) { return REFUSES() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t n, size_t size) { return REFUSES() ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *p, size_t size) { return REFUSES() ? NULL : __real_realloc(p, size); }
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return REFUSES() ? NULL : __real_aligned_alloc(alignment, size);
}

#endif
