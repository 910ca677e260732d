/* refuse.h - for a test that refuses allocations one by one: what the linker puts in front of
 * malloc and its kin (--wrap in tests/CMakeLists.txt, of the tests named there). */
#ifndef REFUSE_H
#define REFUSE_H
#include <stdbool.h>
#include <stddef.h>

static int allocations_left = -1; /* until one fails; -1: none does */

static bool fails_now(void) { return allocations_left >= 0 && allocations_left-- == 0; }

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size) { return fails_now() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t n, size_t size) { return fails_now() ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *p, size_t size) { return fails_now() ? NULL : __real_realloc(p, size); }
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return fails_now() ? NULL : __real_aligned_alloc(alignment, size);
}

#endif
