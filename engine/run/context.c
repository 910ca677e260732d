/* run/context.c - making a context: its device, its threads, its log.
 *
 * Until the context is made there is nothing to hold a message, so a draft of it on the stack
 * collects the message of whatever fails, and the caller's buffer (ria_context_desc.error) gets it.
 * That leaves one way of telling errors for everything that is called on the way. */
#include "base/context.h"
#include "base/ranks.h"
#include "io/access.h"
#include "outputs/results_dir.h"

#include "backend/cpu.h"
#include "backend/cuda.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static bool is_cuda(const char *device) {
  return strncmp(device, "cuda", 4) == 0 && (device[4] == '\0' || device[4] == ':');
}

/* The GPUs of a device by name. */
typedef struct gpus {
  int n, number[RIA_DEVICES_MAX];
} gpus;

static ria_status fail_list(ria_context *ctx, const char *device) {
  return ria_fail(
      ctx, RIA_ERR_ARGUMENT,
      "device '%s': after 'cuda:' come numbers, 0, 1, 2, ..., as in cuda:1, cuda:0,2 or "
      "cuda:0-3",
      device);
}

static ria_status fail_many(ria_context *ctx, const char *device) {
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "device '%s': at most %d GPUs", device, RIA_DEVICES_MAX);
}

/* A number at *text, which moves on; -1: there is none. */
static int read_number(const char **text) {
  const size_t digits = strspn(*text, "0123456789");
  const int number = digits > 0 && digits <= 4 ? atoi(*text) : -1;
  *text += digits;
  return number;
}

/* Twice the same GPU is no faster; tests let parts on it step as if they were on two. */
static ria_status add_gpu(ria_context *ctx, const char *device, int number, gpus *out) {
  const char *twice = getenv("RIA_CUDA_TWICE");
  for (int k = 0; k < out->n && !(twice && strcmp(twice, "on") == 0); k++)
    if (out->number[k] == number)
      return ria_fail(ctx, RIA_ERR_ARGUMENT,
                      "device '%s': GPU %d is named twice; several parts of a grid on one GPU are "
                      "asked for by their number (--parts 2, ria_context_desc.parts)",
                      device, number);
  if (out->n == RIA_DEVICES_MAX) return fail_many(ctx, device);
  out->number[out->n++] = number;
  return RIA_OK;
}

/* "cuda:0", "cuda:0,2", "cuda:0-3"; "cuda" is the first. */
static ria_status read_gpus(ria_context *ctx, const char *device, gpus *out) {
  const char *at = device + 4;
  *out = (gpus){1, {0}};
  if (*at == '\0') return RIA_OK;
  out->n = 0;
  do {
    at++;
    const int first = read_number(&at);
    int last = first;
    if (*at == '-' && at++) last = read_number(&at);
    if (first < 0 || last < first) return fail_list(ctx, device);
    for (int k = first; k <= last; k++) RIA_TRY(add_gpu(ctx, device, k, out));
  } while (*at == ',');
  return *at == '\0' ? RIA_OK : fail_list(ctx, device);
}

/* Parts are dealt out to GPUs: a part each, if nothing else was asked for. */
static ria_status deal_out(ria_context *ctx, const char *device, int n, int wanted) {
  if (wanted == 0) ctx->parts = n;
  if (ctx->parts >= n) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "device '%s': %d GPUs have at least %d parts of a grid, not %d", device, n, n,
                  ctx->parts);
}

/* Each rank steps on one GPU: those of a host are dealt out to its ranks in their order. GPUs that
 * outnumber them stay idle; of ranks that outnumber the GPUs neighbours share one. */
static void take_share(const ria_comm *c, const char *device, gpus *list) {
  const int there = ria_cuda_device_count();
  const int ranks = c->local_size > 0 ? c->local_size : 1, rank = ranks > 1 ? c->local_rank : 0;
  if (device[4] == '\0' && there > 0) {
    list->n = there < RIA_DEVICES_MAX ? there : RIA_DEVICES_MAX;
    for (int k = 0; k < list->n; k++) list->number[k] = k;
  }
  const int at = ranks > list->n ? (int)((int64_t)rank * list->n / ranks) : rank;
  *list = (gpus){1, {list->number[at]}};
}

static ria_status open_gpus(ria_context *ctx, const char *device, int threads, int parts) {
  gpus list;
  RIA_TRY(read_gpus(ctx, device, &list));
  if (ctx->ranks)
    take_share(ctx->ranks->comm, device, &list);
  else
    RIA_TRY(deal_out(ctx, device, list.n, parts));
  ria_backend *first = NULL;
  for (int k = 0; k < list.n; k++) {
    ria_backend *b;
    const ria_status s = ria_cuda_backend_create(ctx, list.number[k], threads, &b);
    if (s != RIA_OK && first) first->destroy(first);
    if (s == RIA_ERR_DEVICE) ria_fail_more(ctx, s, "device '%s' cannot be used", device);
    RIA_TRY(s);
    if (first)
      ria_cuda_backend_join(first, b, device);
    else
      first = b;
  }
  ctx->backend = first;
  return RIA_OK;
}

/* Ranks that may run on the same cores share them: all of the host, or those that a job has of it.
 */
static int threads_of(const ria_context *ctx, const ria_context_desc *desc, int sharing) {
  if (desc->threads > 0 || !ctx->ranks) return desc->threads;
  const int cores = ria_cpu_backend(0).threads;
  return cores / sharing > 1 ? cores / sharing : 1;
}

/* The backend for a device by name. "auto" takes the best there is: the first GPU that works, or
 * else the CPU, silently. Where grids are cut into parts it takes the CPU. */
static ria_status open_device(ria_context *ctx, const ria_context_desc *desc, int sharing) {
  const char *device = desc->device;
  const int threads = threads_of(ctx, desc, sharing);
  bool any = !device || strcmp(device, "auto") == 0;
  ctx->automatic = any;
  const bool cut = ctx->parts > 1 || ctx->ranks;
  if (any && !cut && ria_cuda_backend_create(NULL, -1, threads, &ctx->backend) == RIA_OK)
    return RIA_OK;
  if (any || strcmp(device, "cpu") == 0) return ria_cpu_backend_create(ctx, threads, &ctx->backend);
  if (!is_cuda(device))
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "unknown device '%s': expected auto, cpu, cuda, cuda:N or cuda:N-M", device);
  return open_gpus(ctx, device, threads, desc->parts);
}

static ria_status check_count(ria_context *ctx, const char *what, int n, int max) {
  if (n >= 0 && n <= max) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s is %d: allowed are 1 to %d, or 0 for the default",
                  what, n, max);
}

/* On the processor outputs take their time from the steps: a few workers keep up. A device leaves
 * the cores to them and makes work for all: a field of 4096 x 4096 cells every 10 ms. */
int ria_writers_default(const ria_backend *b) {
  int n = b->kind == RIA_BACKEND_CPU ? b->threads / 16 : b->threads - 1;
  return n < RIA_WRITERS_LEAST ? RIA_WRITERS_LEAST : n < RIA_WRITERS_MOST ? n : RIA_WRITERS_MOST;
}

/* One part a rank, unless more are asked for. */
static ria_status share_parts(ria_context *ctx, const ria_context_desc *desc) {
  const int ranks = desc->comm && desc->comm->size > 1 ? desc->comm->size : 1;
  if (ranks == 1) return RIA_OK;
  if (desc->parts > 0 && desc->parts < ranks)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "%d part%s for %d ranks: each rank steps at least one, so --parts %d at least "
                    "(ria_context_desc.parts), or start fewer",
                    desc->parts, desc->parts == 1 ? "" : "s", ranks, ranks);
  if (desc->parts == 0) ctx->parts = ranks;
  return RIA_OK;
}

/* RIA_CUTS=even or often, for tests and for measuring: no result depends on cuts. */
static ria_cuts cuts_asked(void) {
  const char *asked = getenv("RIA_CUTS");
  if (!asked) return RIA_CUTS_BY_WORK;
  if (strcmp(asked, "even") == 0) return RIA_CUTS_EVEN;
  return strcmp(asked, "often") == 0 ? RIA_CUTS_OFTEN : RIA_CUTS_BY_WORK;
}

static ria_status take_desc(ria_context *ctx, const ria_context_desc *desc) {
  ctx->log = desc->log;
  ctx->log_user = desc->log_user;
  ctx->writers = desc->writers;
  ctx->parts = desc->parts > 1 ? desc->parts : 1;
  ctx->cuts = cuts_asked();
  RIA_TRY(check_count(ctx, "threads", desc->threads, RIA_THREADS_MAX));
  RIA_TRY(check_count(ctx, "writers", desc->writers, RIA_WRITERS_MAX));
  RIA_TRY(check_count(ctx, "parts", desc->parts, RIA_PARTS_MAX));
  return share_parts(ctx, desc);
}

/* Fill a zeroed context. It owns a backend afterwards only if this succeeds. Whatever fails on one
 * rank, it goes through both exchanges with the others, which would wait for it. */
static ria_status fill(ria_context *ctx, const ria_context_desc *desc) {
  int sharing = 1;
  RIA_TRY(ria_ranks_make(ctx, desc->comm));
  ria_status opened = take_desc(ctx, desc);
  ria_ranks_note(ctx, "RIA_CUTS", &ctx->cuts, sizeof ctx->cuts); /* ranks move cuts alike */
  RIA_TRY(ria_ranks_on_cores(ctx, ria_cpu_mask(), &sharing));
  if (opened == RIA_OK) opened = open_device(ctx, desc, sharing);
  const ria_status met = ria_ranks_introduce(ctx, opened == RIA_OK ? ctx->backend : NULL);
  if (opened == RIA_OK && met != RIA_OK) ctx->backend->destroy(ctx->backend);
  RIA_TRY(opened);
  RIA_TRY(met);
  ctx->threads = ctx->backend->threads;
  if (ctx->writers == 0) ctx->writers = ria_writers_default(ctx->backend);
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
    ria_reserve_keep(&draft);
    ctx = draft.reserve ? malloc(sizeof *ctx) : NULL;
    if (!ctx) {
      ria_reserve_release(&draft);
      draft.backend->destroy(draft.backend);
      s = ria_fail_memory(&draft, "a context", sizeof *ctx + RIA_RESERVE_BYTES);
    }
  }
  if (desc->error && desc->error_size > 0)
    ria_format(desc->error, desc->error_size, "%s", draft.error);
  if (s != RIA_OK) {
    ria_ranks_free(&draft);
    return s;
  }
  *ctx = draft;
  *out = ctx;
  return RIA_OK;
}

void ria_context_destroy(ria_context **ctx) {
  if (!ctx || !*ctx) return;
  ria_ranks_free(*ctx);
  ria_results_end(*ctx);
  ria_limiter_free(*ctx);
  (*ctx)->backend->destroy((*ctx)->backend);
  if ((*ctx)->host) (*ctx)->host->destroy((*ctx)->host);
  ria_reserve_release(*ctx);
  free(*ctx);
  *ctx = NULL;
}

ria_status ria_context_host(ria_context *ctx, const ria_backend **out) {
  if (!ctx->host) RIA_TRY(ria_cpu_backend_create(ctx, ctx->threads, &ctx->host));
  *out = ctx->host;
  return RIA_OK;
}

bool ria_device_list(size_t k, ria_device_info *out) {
  int gpus = ria_cuda_device_count();
  *out = (ria_device_info){.there = k == 0 || gpus > 0};
  if (k == 0) {
    int cores = ria_cpu_backend(0).threads;
    ria_format(out->name, sizeof out->name, "cpu");
    ria_format(out->description, sizeof out->description, "%d core%s", cores,
               cores == 1 ? "" : "s");
  } else if (k == 1 && gpus == 0) {
    ria_format(out->name, sizeof out->name, "cuda");
    ria_cuda_why_none(out->description, sizeof out->description);
  } else if (k <= (size_t)gpus) {
    int number = (int)k - 1;
    ria_format(out->name, sizeof out->name, "cuda:%d", number);
    out->there =
        ria_cuda_device_describe(number, out->description, sizeof out->description) == RIA_OK;
  } else {
    return false;
  }
  return true;
}
