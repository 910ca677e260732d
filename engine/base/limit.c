/* base/limit.c - what is bounded by a number. Which files may be opened is io/access.c's. */
#include "base/limit.h"
#include "base/clock.h"
#include "base/context.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>

static _Thread_local ria_meter *here;

void ria_meter_of_thread(ria_meter *m) { here = m; }
ria_meter *ria_meter_here(void) { return here; }

bool ria_meter_add(ria_meter *m, size_t n) {
  if (!m) return true;
  const uint64_t before = atomic_fetch_add(&m->written, n);
  if ((double)before + (double)n <= m->most) return true;
  atomic_store(&m->full, true);
  return false;
}

ria_meter *ria_limit_meter(ria_context *ctx) {
  return ctx && ctx->limiter ? &ctx->limiter->meter : NULL;
}

/* --- what was reached --------------------------------------------------------------------------*/

static ria_status again(ria_context *ctx) {
  return ria_fail(ctx, RIA_ERR_LIMIT, "%s", ctx->limiter->text);
}

ria_status ria_limit_reach(ria_context *ctx, ria_limit which, const char *fmt, ...) {
  ria_limiter *l = ctx ? ctx->limiter : NULL;
  if (!l) return RIA_ERR_LIMIT;
  if (l->reached) return again(ctx);
  va_list args;
  if (which == RIA_LIMIT_FILES) {
    char text[RIA_ERROR_MAX];
    va_start(args, fmt);
    ria_vformat(text, sizeof text, fmt, args);
    va_end(args);
    return ria_limit_refuse(ctx, "%s", text);
  }
  va_start(args, fmt);
  ria_vformat(l->text, sizeof l->text, fmt, args);
  va_end(args);
  l->reached = which;
  return again(ctx);
}

ria_status ria_limit_refuse(ria_context *ctx, const char *fmt, ...) {
  char text[RIA_ERROR_MAX];
  va_list args;
  va_start(args, fmt);
  ria_vformat(text, sizeof text, fmt, args);
  va_end(args);
  ctx->limiter->refused = true;
  return ria_fail(ctx, RIA_ERR_LIMIT, "%s", text);
}

ria_limit ria_context_limited(const ria_context *ctx) {
  const ria_limiter *l = ctx ? ctx->limiter : NULL;
  if (!l) return RIA_LIMIT_NONE;
  return l->reached ? l->reached : l->refused ? RIA_LIMIT_FILES : RIA_LIMIT_NONE;
}

const char *ria_limit_message(const ria_context *ctx) {
  return ctx && ctx->limiter ? ctx->limiter->text : "";
}

/* --- bounds ------------------------------------------------------------------------------------*/

ria_status ria_limit_time(ria_context *ctx) {
  ria_limiter *l = ctx ? ctx->limiter : NULL;
  if (!l) return RIA_OK;
  if (l->reached == RIA_LIMIT_TIME) return again(ctx);
  if (!(ria_wall_clock() > l->until)) return RIA_OK;
  return ria_limit_reach(ctx, RIA_LIMIT_TIME,
                         "limit of time: %g s of wall time are over (--limit time=T)", l->time);
}

ria_status ria_limit_cells(ria_context *ctx, double nx, double ny) {
  const ria_limiter *l = ctx ? ctx->limiter : NULL;
  if (!l || nx * ny <= l->cells) return RIA_OK;
  return ria_limit_reach(ctx, RIA_LIMIT_CELLS,
                         "limit of cells: %g x %g are more than the %g allowed (--limit cells=N)",
                         nx, ny, l->cells);
}

ria_status ria_limit_memory(ria_context *ctx, const char *what, double bytes) {
  const ria_limiter *l = ctx ? ctx->limiter : NULL;
  if (!l || bytes <= l->memory) return RIA_OK;
  return ria_limit_reach(
      ctx, RIA_LIMIT_MEMORY,
      "limit of memory: %s needs about %.3g GB, more than the %.3g GB allowed (--limit memory=N)",
      what, bytes / 1e9, l->memory / 1e9);
}

ria_status ria_limit_output(ria_context *ctx) {
  const ria_limiter *l = ctx ? ctx->limiter : NULL;
  if (!l || !atomic_load(&l->meter.full)) return RIA_OK;
  return ria_limit_reach(ctx, RIA_LIMIT_OUTPUT,
                         "limit of output: more than the %.4g MB allowed (--limit output=N)",
                         l->meter.most / 1e6);
}

ria_status ria_limit_count(ria_context *ctx, ria_limit which, double n) {
  ria_limiter *l = ctx ? ctx->limiter : NULL;
  if (!l) return RIA_OK;
  if (which == RIA_LIMIT_OUTPUT) {
    (void)ria_meter_add(&l->meter, (size_t)n);
    return ria_limit_output(ctx);
  }
  if (which != RIA_LIMIT_FRAMES) return RIA_OK;
  l->n_frames += n;
  if (l->n_frames <= l->frames) return RIA_OK;
  return ria_limit_reach(ctx, RIA_LIMIT_FRAMES,
                         "limit of frames: more than the %g pictures allowed (--limit frames=N)",
                         l->frames);
}
