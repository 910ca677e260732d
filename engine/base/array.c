/* base/array.c - arrays that grow. */
#include "base/array.h"

#include "base/context.h"

#include <stdlib.h>
#include <string.h>

ria_status ria_grow(ria_context *ctx, const char *what, void *array, size_t *room, size_t n,
                    size_t size) {
  void *old;
  if (n <= *room) return RIA_OK;
  size_t more = *room > 8 ? 2 * *room : 16;
  if (more < n) more = n;
  if (more > SIZE_MAX / 2 / size) return ria_fail_memory(ctx, what, SIZE_MAX);
  memcpy(&old, array, sizeof old); /* whatever type it points to */
  void *grown = realloc(old, more * size);
  if (!grown) return ria_fail_memory(ctx, what, more * size);
  memcpy(array, &grown, sizeof grown);
  *room = more;
  return RIA_OK;
}

ria_status ria_doubles_reserve(ria_context *ctx, ria_doubles *d, size_t more) {
  const size_t n = more < SIZE_MAX - d->n ? d->n + more : SIZE_MAX;
  return ria_grow(ctx, "forcing data", &d->v, &d->room, n > 64 ? n : 64, sizeof *d->v);
}

ria_status ria_doubles_append(ria_context *ctx, ria_doubles *d, const double *from, size_t n) {
  if (n == 0) return RIA_OK;
  RIA_TRY(ria_doubles_reserve(ctx, d, n));
  if (from)
    memcpy(d->v + d->n, from, n * sizeof *from);
  else
    memset(d->v + d->n, 0, n * sizeof *d->v);
  d->n += n;
  return RIA_OK;
}

void ria_doubles_free(ria_doubles *d) {
  free(d->v);
  *d = (ria_doubles){0};
}
