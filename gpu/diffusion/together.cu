/* gpu/diffusion/together.cu - parts of a plate on the GPUs of one process step together.
 *
 * The host has the clock, and all parts have the same: a pass of each is queued, then rows. Lanes
 * wait for each other by events (machine/crew.cuh). */
#include "host.cuh"

static void show(ria_gpu_planes *p, int state) { ((dfg *)p)->now = state; }
static const ria_gpu_crew_calls calls = {show, NULL, NULL, 0};

/* Of all parts; over: the span is. */
static ria_status queue_passes(ria_gpu_crew *c, bool *over) {
  for (int k = 0; k < c->n_lanes; k++) {
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

ria_status dfg_together(void *const *part, int n, const ria_span *span, bool *queued) {
  dfg *s = (dfg *)part[0];
  bool over = false;
  *queued = false;
  if (s->crew_parted || !s->p.backend->together || !stand_alike(part, n)) return RIA_OK;
  if (!s->crew) RIA_TRY(make_crew(s, part, n));
  if (!s->crew) return RIA_OK;
  for (int k = 0; k < n; k++) dfg_begin_span((dfg *)part[k], span);
  RIA_TRY(ria_gpu_crew_gather(s->crew));
  *queued = true;
  for (;;) {
    RIA_TRY(queue_passes(s->crew, &over));
    if (over) return ria_gpu_crew_part(s->crew);
    RIA_TRY(ria_gpu_crew_exchange(s->crew, s->now));
  }
}
