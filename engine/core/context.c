/* core/context.c - making a context: its device, its threads, its log.
 *
 * Until the context is made there is nothing to hold a message, so a draft of it on the stack
 * collects the message of whatever fails, and the caller's buffer (ria_context_desc.error) gets it.
 * That leaves one way of telling errors for everything that is called on the way. */
#include "core/context.h"

#include "backend/cpu.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

static bool is_cuda(const char *device) {
  return strncmp(device, "cuda", 4) == 0 && (device[4] == '\0' || device[4] == ':');
}

/* "cuda" or "cuda:N" with N a whole number. */
static ria_status check_cuda_name(ria_context *ctx, const char *device) {
  if (device[4] == '\0') return RIA_OK;
  const char *number = device + 5;
  size_t digits = strspn(number, "0123456789");
  if (digits > 0 && digits <= 4 && number[digits] == '\0') return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "device '%s': the number after 'cuda:' must be 0, 1, 2, ...", device);
}

/* The backend for a device by name. "auto" takes the best there is: the CPU in this build. */
static ria_status open_device(ria_context *ctx, const char *device, int threads) {
  if (!device || strcmp(device, "auto") == 0 || strcmp(device, "cpu") == 0)
    return ria_cpu_backend_create(ctx, threads, &ctx->backend);
  if (!is_cuda(device))
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "unknown device '%s': expected auto, cpu, cuda or cuda:N", device);
  RIA_TRY(check_cuda_name(ctx, device));
  return ria_fail(ctx, RIA_ERR_DEVICE,
                  "device '%s' is not there: ria was built without CUDA; use the device 'cpu'",
                  device);
}

static ria_status check_count(ria_context *ctx, const char *what, int n, int max) {
  if (n >= 0 && n <= max) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s is %d: allowed are 1 to %d, or 0 for the default",
                  what, n, max);
}

/* Fill a zeroed context. It owns a backend afterwards only if this succeeds. */
static ria_status fill(ria_context *ctx, const ria_context_desc *desc) {
  RIA_TRY(check_count(ctx, "threads", desc->threads, RIA_THREADS_MAX));
  RIA_TRY(check_count(ctx, "writers", desc->writers, RIA_WRITERS_MAX));
  ctx->log = desc->log;
  ctx->log_user = desc->log_user;
  ctx->writers = desc->writers > 0 ? desc->writers : RIA_WRITERS_DEFAULT;
  RIA_TRY(open_device(ctx, desc->device, desc->threads));
  ctx->threads = ctx->backend->threads;
  return RIA_OK;
}

ria_status ria_context_create(const ria_context_desc *desc, ria_context **out) {
  static const ria_context_desc defaults;
  if (!desc) desc = &defaults;
  *out = NULL;
  ria_context draft = {0};
  ria_status s = fill(&draft, desc);
  ria_context *ctx = NULL;
  if (s == RIA_OK) {
    ctx = malloc(sizeof *ctx);
    if (!ctx) {
      draft.backend->destroy(draft.backend);
      s = ria_fail_memory(&draft, "a context", sizeof *ctx);
    }
  }
  if (desc->error && desc->error_size > 0)
    ria_format(desc->error, desc->error_size, "%s", draft.error);
  if (s != RIA_OK) return s;
  *ctx = draft;
  *out = ctx;
  return RIA_OK;
}

void ria_context_destroy(ria_context **ctx) {
  if (!ctx || !*ctx) return;
  (*ctx)->backend->destroy((*ctx)->backend);
  free(*ctx);
  *ctx = NULL;
}

int ria_context_threads(const ria_context *ctx) { return ctx->threads; }

const char *ria_context_device(const ria_context *ctx) { return ctx->backend->name; }

const ria_backend *ria_context_backend(const ria_context *ctx) { return ctx->backend; }
