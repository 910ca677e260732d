/* base/ranks_places.c - where ranks step: on which host, device and cores, and who shares these. */
#include "base/context.h"
#include "base/ranks.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TO_TELL_CORES = RIA_MEET_PLACES, TO_TELL_DEVICES };

/* Alike for all processes of a host, in containers too. */
static uint64_t this_host(void) {
  char text[256] = "";
  FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
  const bool read = f && fgets(text, sizeof text, f);
  if (f) fclose(f);
  if (!read && gethostname(text, sizeof text - 1) != 0) return 0;
  return ria_hash(1, text, strlen(text));
}

ria_status ria_ranks_introduce(ria_context *ctx, const ria_backend *b) {
  ria_ranks *r = ctx->ranks;
  if (!r) return RIA_OK;
  char error[RIA_ERROR_MAX];
  ria_rank_place mine;
  ria_packet packet = ria_ranks_call(TO_TELL_DEVICES, NULL, 0);
  memset(&mine, 0, sizeof mine);
  memcpy(error, ctx->error, sizeof error);
  mine.kind = b ? (int32_t)b->kind : -1;
  mine.host = this_host();
  mine.id = b ? b->id : 0;
  if (b) ria_format(mine.name, sizeof mine.name, "%s", b->name);
  RIA_TRY(ria_ranks_meet(ctx, &packet, "ranks tell on what device they step"));
  RIA_TRY(ria_ranks_allgather(ctx, &mine, r->place, sizeof mine));
  memcpy(ctx->error, error, sizeof error);
  if (mine.kind == RIA_BACKEND_CUDA) ria_format(r->ways, sizeof r->ways, "by way of the host");
  for (int k = 1; k < r->comm->size; k++)
    if (b && r->place[k].kind >= 0 && r->place[0].kind >= 0 && r->place[k].kind != r->place[0].kind)
      return ria_fail(ctx, RIA_ERR_ARGUMENT,
                      "rank 0 steps on '%s' and rank %d on '%s': all take GPUs, or all the CPU",
                      r->place[0].name, k, r->place[k].name);
  return RIA_OK;
}

ria_status ria_ranks_on_cores(ria_context *ctx, uint64_t mask, int *sharing) {
  ria_ranks *r = ctx->ranks;
  *sharing = 1;
  if (!r) return RIA_OK;
  ria_packet mine = ria_ranks_call(TO_TELL_CORES, NULL, 0);
  const uint64_t host = this_host();
  memcpy(&mine.where[0], &host, sizeof host);
  memcpy(&mine.where[1], &mask, sizeof mask);
  RIA_TRY(ria_ranks_meet(ctx, &mine, "ranks tell on what cores they run"));
  for (int k = 0; k < r->comm->size; k++) {
    memcpy(&r->place[k].host, &r->all[k].where[0], sizeof host);
    memcpy(&r->place[k].id, &r->all[k].where[1], sizeof mask);
  }
  *sharing = ria_ranks_sharing(r);
  return RIA_OK;
}

const char *ria_context_device_of(const ria_context *ctx, int rank) {
  if (rank < 0 || rank >= ria_context_ranks(ctx)) return NULL;
  return ctx->ranks ? ctx->ranks->place[rank].name : ria_context_device(ctx);
}

int ria_ranks_sharing(const ria_ranks *r) {
  const ria_rank_place *mine = &r->place[r->comm->rank];
  int n = 0;
  for (int k = 0; k < r->comm->size; k++)
    n += r->place[k].host == mine->host && r->place[k].id == mine->id;
  return n;
}
