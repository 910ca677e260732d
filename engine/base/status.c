/* base/status.c - errors as values: the message of the last failure, and the log.
 *
 * Messages live in the context's own buffer of fixed size: to tell of an error never needs memory,
 * so running out of it can be told too. A message that does not fit ends in "...". Each is composed
 * aside and copied, so that its arguments may be parts of the message it replaces. */
#include "base/context.h"
#include "base/text.h"
#include <ria/limit.h>

#include <string.h>

const char *ria_status_name(ria_status s) {
  static const char *const names[] = {
      [RIA_OK] = "ok",
      [RIA_ERR_ARGUMENT] = "argument",
      [RIA_ERR_MEMORY] = "memory",
      [RIA_ERR_INPUT] = "input",
      [RIA_ERR_OUTPUT] = "output",
      [RIA_ERR_NUMERICAL] = "numerical",
      [RIA_ERR_DEVICE] = "device",
      [RIA_ERR_CALLBACK] = "callback",
      [RIA_INTERRUPTED] = "interrupted",
      [RIA_ERR_LIMIT] = "limit",
  };
  return (unsigned)s < sizeof names / sizeof *names ? names[s] : "unknown";
}

const char *ria_version(void) { return RIA_VERSION; }

const char *ria_error(const ria_context *ctx) { return ctx ? ctx->error : ""; }

void ria_error_clear(ria_context *ctx) {
  if (ctx) ctx->error[0] = '\0';
}

/* End a message that was cut off in "...", without leaving half of a UTF-8 letter before it. */
static void mark_cut(char text[RIA_ERROR_MAX]) {
  size_t end = RIA_ERROR_MAX - 4;
  while (end > 0 && ((unsigned char)text[end] & 0xC0u) == 0x80u) end--;
  memcpy(text + end, "...", 4);
}

static void compose(char text[RIA_ERROR_MAX], const char *fmt, va_list args) {
  if (ria_vformat(text, RIA_ERROR_MAX, fmt, args) >= RIA_ERROR_MAX) mark_cut(text);
}

ria_status ria_fail(ria_context *ctx, ria_status s, const char *fmt, ...) {
  if (!ctx) return s;
  char text[RIA_ERROR_MAX];
  va_list args;
  va_start(args, fmt);
  compose(text, fmt, args);
  va_end(args);
#pragma omp critical /* parts of a grid may fail at once; unnamed: a name would be exported */
  memcpy(ctx->error, text, strlen(text) + 1);
  return s;
}

ria_status ria_fail_more(ria_context *ctx, ria_status s, const char *fmt, ...) {
  if (!ctx) return s;
  char outer[RIA_ERROR_MAX], text[RIA_ERROR_MAX];
  va_list args;
  va_start(args, fmt);
  compose(outer, fmt, args);
  va_end(args);
  const char *colon = ctx->error[0] ? ": " : "";
  if (ria_format(text, sizeof text, "%s%s%s", outer, colon, ctx->error) >= RIA_ERROR_MAX)
    mark_cut(text);
  memcpy(ctx->error, text, strlen(text) + 1);
  return s;
}

void ria_context_interrupt(ria_context *ctx, bool on) { ctx->interrupted = on; }

ria_status ria_go_on(ria_context *ctx) {
  RIA_TRY(ria_limit_time(ctx));
  return ctx && ctx->interrupted ? ria_fail(ctx, RIA_INTERRUPTED, "interrupted") : RIA_OK;
}

ria_status ria_fail_memory(ria_context *ctx, const char *what, size_t bytes) {
  char amount[32];
  ria_format_bytes(bytes, amount, sizeof amount);
  return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory: %s needs %s", what, amount);
}

void ria_log(ria_context *ctx, const char *fmt, ...) {
  if (!ctx || !ctx->log) return;
  char line[RIA_ERROR_MAX];
  va_list args;
  va_start(args, fmt);
  compose(line, fmt, args);
  va_end(args);
  ctx->log(ctx->log_user, line);
}
