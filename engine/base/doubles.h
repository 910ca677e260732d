/* base/doubles.h - a growable array of doubles. Private. */
#ifndef RIA_BASE_DOUBLES_H
#define RIA_BASE_DOUBLES_H
#include <ria/status.h>

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
