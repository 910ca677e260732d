/* base/context.c - what is asked of a context. run/context.c makes one. */
#include "base/context.h"

#include <stdlib.h>

void ria_reserve_keep(ria_context *ctx) {
  if (!ctx->reserve) ctx->reserve = malloc(RIA_RESERVE_BYTES);
}

void ria_reserve_release(ria_context *ctx) {
  free(ctx->reserve);
  ctx->reserve = NULL;
}

int ria_context_threads(const ria_context *ctx) { return ctx->threads; }

const char *ria_context_device(const ria_context *ctx) { return ctx->backend->name; }

const ria_backend *ria_context_backend(const ria_context *ctx) { return ctx->backend; }
