/* base/doubles.c - a growable array of doubles. */
#include "base/doubles.h"

#include "base/context.h"

#include <stdlib.h>
#include <string.h>

ria_status ria_doubles_reserve(ria_context *ctx, ria_doubles *d, size_t more) {
  if (more <= d->room - d->n) return RIA_OK;
  if (more > SIZE_MAX / sizeof(double) / 2 - d->n)
    return ria_fail_memory(ctx, "forcing data", SIZE_MAX);
  size_t room = d->room > 32 ? 2 * d->room : 64;
  if (room < d->n + more) room = d->n + more;
  double *v = realloc(d->v, room * sizeof *v);
  if (!v) return ria_fail_memory(ctx, "forcing data", room * sizeof *v);
  d->v = v;
  d->room = room;
  return RIA_OK;
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
