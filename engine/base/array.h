/* base/array.h - arrays that grow. Private. */
#ifndef RIA_BASE_ARRAY_H
#define RIA_BASE_ARRAY_H
#include <ria/status.h>

/* Room for n elements of `size` bytes in the array that `array` (a T **) points to; *room: how many
 * it has. It at least doubles, so that adding one at a time stays cheap. Array and *room are
 * unchanged on failure ("out of memory: <what> needs ..."). */
ria_status ria_grow(ria_context *ctx, const char *what, void *array, size_t *room, size_t n,
                    size_t size);

/* A growable array of doubles. Zero-initialised it is empty. */
typedef struct ria_doubles {
  double *v;
  size_t n, room;
} ria_doubles;
/* Room for as many more; the array is unchanged on failure. */
ria_status ria_doubles_reserve(ria_context *ctx, ria_doubles *d, size_t more);
/* Append n values (from may be NULL: then they are zero). The array is unchanged on failure. */
ria_status ria_doubles_append(ria_context *ctx, ria_doubles *d, const double *from, size_t n);
void ria_doubles_free(ria_doubles *d);

#endif
