/* gpu/machine/ranks.cu - GPUs of several ranks of one host: memory of others by cudaIpc. */
#include "ranks.cuh"
#include "agree.cuh"

extern "C" {
#include "base/context.h"
#include "base/ranks.h"
#include "base/text.h"
}

#include <stdlib.h>
#include <string.h>

enum { REASON = 128 };

/* A place in an allocation, for another process. */
typedef struct place_name {
  cudaIpcMemHandle_t handle;
  uint64_t offset;
  int32_t is, unused; /* is: there is one */
} place_name;

bool ria_gpu_in_ranks(const ria_context *ctx) { return ctx->ranks != NULL; }

static const char too_many[] = "there are too many ranks", share[] = "ranks share a GPU";

bool ria_gpu_ranks_near(const ria_context *ctx, int most, bool shared, const char **why) {
  const ria_ranks *r = ctx->ranks;
  const ria_rank_place *p = r->place;
  *why = too_many;
  if (r->comm->size > most) return false;
  for (int a = 0; a < r->comm->size; a++)
    for (int b = 0; b < a; b++) {
      *why = "ranks are on several hosts";
      if (p[a].host != p[b].host) return false;
      *why = share;
      if (!shared && p[a].id == p[b].id) return false;
    }
  *why = "";
  return true;
}

bool ria_gpu_ranks_apart(const ria_context *ctx, int most, const char **why) {
  const ria_ranks *r = ctx->ranks;
  const ria_rank_place *p = r->place;
  *why = too_many;
  if (r->comm->size > most) return false;
  *why = share;
  for (int a = 0; a < r->comm->size; a++)
    for (int b = 0; b < a; b++)
      if (p[a].host == p[b].host && p[a].id == p[b].id) return false;
  *why = "";
  return true;
}

ria_status ria_gpu_agree(ria_context *ctx, const char *what, ria_status here, bool *can) {
  if (!ctx->ranks) return here;
  ria_packet mine = ria_ranks_call(RIA_MEET_GPUS, what, strlen(what));
  mine.status = (int32_t)here;
  mine.waiting = *can;
  RIA_TRY(ria_ranks_meet(ctx, &mine, what));
  *can = true;
  for (int k = 0; k < ctx->ranks->comm->size; k++) *can &= ctx->ranks->all[k].waiting != 0;
  return RIA_OK;
}

ria_status ria_gpu_ranks_tell(ria_context *ctx, const void *mine, void *all, size_t bytes) {
  return ria_ranks_allgather(ctx, mine, all, bytes);
}

ria_status ria_gpu_ranks_gather(ria_context *ctx, void *data, const size_t *offset) {
  char *all = (char *)data;
  return ria_ranks_gather(ctx, all + offset[ctx->ranks->comm->rank], all, offset);
}

void ria_gpu_ranks_say(ria_context *ctx, const char *how, const char *why) {
  ria_ranks *r = ctx->ranks;
  ria_format(r->ways, sizeof r->ways, "%s%s%s%s", how, *why ? " (" : "", why, *why ? ")" : "");
}

void ria_gpu_ranks_say_more(ria_context *ctx, const char *why) {
  ria_ranks *r = ctx->ranks;
  char before[sizeof r->ways];
  memcpy(before, r->ways, sizeof before);
  const size_t n = strlen(before);
  const bool first = n == 0 || before[n - 1] != ')';
  ria_format(r->ways, sizeof r->ways, "%.*s%s%s)", (int)(first ? n : n - 1), before,
             first ? " (" : "; ", why);
}

/* --- handles ---------------------------------------------------------------------------------- */

/* Where the allocation begins that has p: the driver alone tells. */
static cudaError_t find_base(const void *p, char **base) {
  typedef int (*range_fn)(unsigned long long *base, size_t *size, unsigned long long p);
  void *found;
  const cudaError_t e = ria_cuda_driver("cuMemGetAddressRange", &found);
  unsigned long long at = 0;
  size_t size = 0;
  if (e != cudaSuccess) return e;
  if (((range_fn)found)(&at, &size, (unsigned long long)(uintptr_t)p) != 0)
    return cudaErrorInvalidValue;
  *base = (char *)(uintptr_t)at;
  return cudaSuccess;
}

static cudaError_t name_place(void *p, place_name *out) {
  char *base;
  memset(out, 0, sizeof *out);
  if (!p) return cudaSuccess;
  const cudaError_t e = find_base(p, &base);
  if (e != cudaSuccess) return e;
  out->is = 1;
  out->offset = (uint64_t)((char *)p - base);
  return cudaIpcGetMemHandle(&out->handle, base);
}

static bool make_room(ria_gpu_windows *w) {
  if (w->n < w->room) return true;
  const int room = 2 * w->room + 8;
  ria_gpu_window *open = (ria_gpu_window *)realloc(w->open, (size_t)room * sizeof *open);
  if (!open) return false;
  w->open = open;
  w->room = room;
  return true;
}

/* Each allocation once. */
static cudaError_t reach_place(ria_gpu_windows *w, int rank, const place_name *name, void **out) {
  *out = NULL;
  if (!name->is) return cudaSuccess;
  int k = 0;
  while (k < w->n && (w->open[k].rank != rank ||
                      memcmp(&w->open[k].handle, &name->handle, sizeof name->handle) != 0))
    k++;
  if (k == w->n) {
    void *base = NULL;
    if (!make_room(w)) return cudaErrorMemoryAllocation;
    const cudaError_t e = cudaIpcOpenMemHandle(&base, name->handle, cudaIpcMemLazyEnablePeerAccess);
    if (e != cudaSuccess) return e;
    w->open[w->n++] = {name->handle, rank, (char *)base};
  }
  *out = w->open[k].base + name->offset;
  return cudaSuccess;
}

cudaError_t ria_gpu_windows_close(ria_gpu_windows *w) {
  cudaError_t first = cudaSuccess;
  for (int k = 0; k < w->n; k++) {
    const cudaError_t e = cudaIpcCloseMemHandle(w->open[k].base);
    if (first == cudaSuccess) first = e;
  }
  cudaGetLastError(); /* it is returned */
  free(w->open);
  *w = {};
  return first;
}

/* --- for all ---------------------------------------------------------------------------------- */

/* All know why one of them cannot. */
static ria_status tell_reason(ria_context *ctx, const char *mine, char *told) {
  const ria_ranks *r = ctx->ranks;
  RIA_TRY(ria_ranks_allgather(ctx, mine, told, REASON));
  char why[REASON + 32] = "";
  for (int k = 0; k < r->comm->size && !why[0]; k++)
    if (told[k * REASON]) ria_format(why, sizeof why, "rank %d: %s", k, told + (size_t)k * REASON);
  ria_gpu_ranks_say(ctx, "by way of the host", why);
  return RIA_OK;
}

static cudaError_t reach_all(ria_context *ctx, ria_gpu_windows *w, int n, void *const *mine,
                             const place_name *told, void **theirs, int distance) {
  const int ranks = ctx->ranks->comm->size, rank = ctx->ranks->comm->rank;
  cudaError_t e = cudaSuccess;
  for (int k = 0; k < ranks; k++)
    for (int m = 0; m < n && e == cudaSuccess; m++) {
      const size_t at = (size_t)k * (size_t)n + (size_t)m;
      theirs[at] = NULL;
      if (k == rank)
        theirs[at] = mine[m];
      else if (abs(k - rank) <= distance)
        e = reach_place(w, k, &told[at], &theirs[at]);
    }
  return e;
}

ria_status ria_gpu_ranks_map(ria_context *ctx, ria_gpu_windows *w, int n, void *const *mine,
                             void **theirs, int distance, bool *well) {
  const size_t ranks = (size_t)ctx->ranks->comm->size, many = (size_t)n;
  char why[REASON] = "";
  bool named = true;
  place_name *names = (place_name *)calloc((ranks + 1) * many + 1, sizeof *names);
  char *told = (char *)calloc(ranks, REASON);
  cudaError_t e = cudaSuccess;
  ria_status status =
      names && told ? RIA_OK
                    : ria_fail_memory(ctx, "the words of ranks", ranks * many * sizeof *names);
  for (int m = 0; status == RIA_OK && m < n && e == cudaSuccess; m++)
    e = name_place(mine[m], &names[m]);
  status = ria_gpu_agree(ctx, "memory of GPUs is named", status, &named);
  if (status == RIA_OK)
    status = ria_ranks_allgather(ctx, names, names + many, many * sizeof *names);
  if (status == RIA_OK && e == cudaSuccess)
    e = reach_all(ctx, w, n, mine, names + many, theirs, distance);
  if (e != cudaSuccess) ria_cuda_fail_text(why, sizeof why, e, "sharing memory of GPUs");
  *well = status == RIA_OK && e == cudaSuccess;
  if (status == RIA_OK) status = ria_gpu_agree(ctx, "memory of GPUs is mapped", status, well);
  if (status == RIA_OK && !*well) status = tell_reason(ctx, why, told);
  free(names);
  free(told);
  return status;
}
