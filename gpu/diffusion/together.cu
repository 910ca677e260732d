/* gpu/diffusion/together.cu - parts of a plate on the GPUs of one host step together.
 *
 * The host has the clock, and all parts have the same: a pass of each is queued, then rows. Lanes
 * wait for each other by events, those of ranks by meetings or by NCCL (machine/crew.cuh). */
#include "host.cuh"

static void show(ria_gpu_planes *p, int state) { ((dfg *)p)->now = state; }
static const ria_gpu_crew_calls calls = {.show = show};

/* Of all parts; over: the span is. */
static ria_status queue_passes(ria_gpu_crew *c, bool *over) {
  for (int k = c->begin; k < c->end; k++) {
    ria_gpu_lane *l = &c->lane[k];
    for (int m = l->first; m < l->first + l->n; m++) {
      dfg *s = (dfg *)c->part[m];
      const cudaStream_t own = s->p.stream;
      RIA_TRY(ria_gpu_enter(&s->p));
      s->p.stream = l->stream;
      const ria_status status = dfg_queue_pass(s, over);
      s->p.stream = own;
      RIA_TRY(status);
    }
  }
  return RIA_OK;
}

static bool stand_alike(void *const *part, int n) {
  const dfg *first = (const dfg *)part[0];
  for (int k = 0; k < n; k++) {
    const dfg *s = (const dfg *)part[k];
    if (!s->p.ready || s->now != first->now) return false;
  }
  return true;
}

static ria_status make_crew(dfg *s, void *const *part, int n) {
  const int now = s->now;
  const ria_status status =
      ria_gpu_crew_make((ria_gpu_planes *const *)part, n, &calls, NULL, &s->crew);
  for (int k = 0; k < n; k++) ((dfg *)part[k])->now = now;
  s->crew_parted = !s->crew;
  if (status != RIA_ERR_MEMORY) return status;
  ria_error_clear(s->p.ctx); /* by way of the host, then */
  return RIA_OK;
}

/* A crew that knows other neighbours: a ring of rows came or went. Nothing is queued. */
static ria_status drop_other_ring(dfg *s) {
  if (!s->crew || s->crew->ring == s->p.ring) return RIA_OK;
  const ria_status status = ria_gpu_crew_drop(s->crew);
  s->crew = NULL;
  return status;
}

static ria_status queue_span(dfg *s, void *const *part, int n, const ria_span *span) {
  bool over = false;
  for (int k = 0; k < n; k++) dfg_begin_span((dfg *)part[k], span);
  RIA_TRY(ria_gpu_crew_gather(s->crew));
  for (;;) {
    RIA_TRY(queue_passes(s->crew, &over));
    if (over) return ria_gpu_crew_part(s->crew);
    RIA_TRY(ria_gpu_crew_exchange(s->crew, s->now));
  }
}

ria_status dfg_together(void *const *part, int n, const ria_span *span, bool *queued) {
  dfg *s = (dfg *)part[0];
  bool can = s->p.backend->together && stand_alike(part, n);
  *queued = false;
  if (s->crew_parted) return RIA_OK;
  RIA_TRY(ria_gpu_crew_agree(s->p.ctx, RIA_OK, &can));
  if (!can) return RIA_OK;
  RIA_TRY(drop_other_ring(s));
  if (!s->crew && !s->crew_parted) RIA_TRY(make_crew(s, part, n));
  if (!s->crew) return RIA_OK;
  *queued = true;
  const ria_status status = queue_span(s, part, n, span);
  if (status != RIA_OK) ria_gpu_crew_break(s->crew, status);
  return status;
}
