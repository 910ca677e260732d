/* gpu/sediment/together.cu - parts of a grid on the GPUs of one process step together
 * (machine/crew.cuh): what is queued for a pass.
 *
 * A pass of each part, rows of the state that it wrote to the neighbours, a meeting (meet.cuh).
 * Where each part has a GPU and reaches the others' memory its pass stores these rows there itself,
 * abreast of the others: a step is two kernels then. The clock alone knows which state that is, so
 * there is one graph a lane. Where maxima are kept, whose memory is taken on the way, parts step by
 * way of the host. */
#include "host.cuh"
#include "machine/ways.cuh"

#include <stdlib.h>
#include <string.h>

typedef struct sedg_crew {
  ria_gpu_crew *crew;
  sedg **part;               /* [n] */
  sedg_args *args;           /* [n] as they are in the graphs */
  sedg_abreast *abreast;     /* [n] */
  bool knows_ways;           /* where rows at cuts go: each part is a lane of its own */
  bool goes_abreast, forced; /* forced: something comes from sides or sources of some part */
  int n;
} sedg_crew;

/* --- what is queued --------------------------------------------------------------------------- */

/* A lane of one part says and hears in one kernel, unless rows must be fetched in between. Only in
 * graphs: what is launched to wait comes behind the launch of what it waits for. */
static bool at_once(const sedg_crew *c, const ria_gpu_lane *l, bool recorded) {
  return recorded && l->n == 1 && !c->crew->staged;
}

/* Does its pass send rows? Then so do those of all other lanes. */
static bool is_abreast(const sedg_crew *c, bool recorded) { return recorded && c->goes_abreast; }

/* Of all parts of a lane, about the k-th pass of a round. */
static ria_status meet(sedg_crew *c, const ria_gpu_lane *l, int k, int what, const ria_round *round,
                       bool closes) {
  sedg_meeting m = {};
  m.post = l->post;
  m.what = what;
  m.done = !is_abreast(c, round->recorded) ? SEDG_TOLD : c->forced ? SEDG_HEARD : SEDG_UNTOLD;
  m.n_said = c->crew->n_lanes;
  m.parts = c->n;
  m.heard = ria_gpu_crew_box(l, k % 2, 0, 0);
  for (int p = l->first; p < l->first + l->n; p++) {
    sedg *s = c->part[p];
    m.last = p + 1 == l->first + l->n;
    for (int to = 0; to < m.n_said; to++)
      m.said[to] = ria_gpu_crew_box(&c->crew->lane[to], k % 2, 0, p);
    RIA_CUDA(s->p.ctx, "a time step",
             s->kernel->meet(&s->a, &m, round->handle, closes && m.last, l->stream));
  }
  return RIA_OK;
}

static ria_status queue_pass(sedg_crew *c, ria_gpu_lane *l, const int *now, bool recorded) {
  const bool abreast = is_abreast(c, recorded);
  for (int p = l->first; p < l->first + l->n; p++) {
    sedg *s = c->part[p];
    RIA_CUDA(s->p.ctx, "a time step",
             s->kernel->pass(&s->a, abreast ? &c->abreast[p] : NULL, l->stream));
  }
  return abreast ? RIA_OK : ria_gpu_crew_send_beside(l, now);
}

/* See ria_gpu_crew_calls. */
static ria_status queue(void *user, ria_gpu_lane *l, int k, int phase, ria_round *round,
                        bool closes) {
  sedg_crew *c = (sedg_crew *)user;
  const int *now = &c->part[l->first]->a.report->clock.now;
  const bool once = at_once(c, l, round->recorded);
  if (phase == 0) {
    RIA_TRY(queue_pass(c, l, now, round->recorded));
    const int both = is_abreast(c, round->recorded) ? SEDG_SWAPS : SEDG_SAYS | SEDG_HEARS;
    return meet(c, l, k, once ? both : SEDG_SAYS, round, closes && once);
  }
  if (once) return RIA_OK;
  if (c->crew->staged) {
    RIA_TRY(meet(c, l, k, SEDG_AWAITS, round, false));
    RIA_TRY(ria_gpu_crew_receive_beside(l, now));
  }
  return meet(c, l, k, SEDG_HEARS, round, closes);
}

static void show(ria_gpu_planes *p, int state) { ((sedg *)p)->seen->clock.now = state; }

static ria_status over(void *user, bool *is) {
  sedg_crew *c = (sedg_crew *)user;
  RIA_TRY(ria_gpu_crew_part(c->crew));
  sedg *s = c->part[0];
  s->current = false;
  RIA_TRY(sedg_enter(s));
  *is = s->seen->clock.over;
  return RIA_OK;
}

static const ria_gpu_crew_calls calls = {.show = show, .queue = queue, .over = over, .steps = 16};

/* --- abreast ---------------------------------------------------------------------------------- */

/* Of each plane a row in the south and one in the north. */
static bool find_way(const sedg *s, const ria_gpu_batches *send, int state, sedg_abreast *out) {
  const void *const plane[] = {s->a.h[state], s->a.s[state]};
  ria_gpu_ways ways;
  if (!ria_gpu_find_ways(&s->p, send, plane, 2, 1, &ways)) return false;
  memcpy(out->away[state], ways.away, sizeof ways.away);
  return true;
}

static bool find_ways(const sedg_crew *c) {
  bool well = c->crew->n_lanes > 1 && !c->crew->staged;
  for (int k = 0; well && k < c->crew->n_lanes; k++) {
    const ria_gpu_lane *l = &c->crew->lane[k];
    well = l->n == 1;
    for (int state = 0; well && state < 2; state++)
      well = find_way(c->part[l->first], &l->send[state], state, &c->abreast[l->first]);
  }
  return well;
}

/* --- life ------------------------------------------------------------------------------------- */

void sedg_crew_free(sedg_crew *c) {
  if (!c) return;
  ria_gpu_crew_free(c->crew);
  free(c->part);
  free(c->args);
  free(c->abreast);
  free(c);
}

static ria_status make_crew(void *const *part, int n, sedg_crew **out) {
  sedg *s = (sedg *)part[0];
  const int now = sedg_now(s);
  sedg_crew *c = (sedg_crew *)calloc(1, sizeof *c);
  *out = NULL;
  if (!c) return ria_gpu_no_memory(&s->p, "the parts");
  c->n = n;
  c->part = (sedg **)calloc((size_t)n, sizeof *c->part);
  c->args = (sedg_args *)calloc((size_t)n, sizeof *c->args);
  c->abreast = (sedg_abreast *)calloc((size_t)n, sizeof *c->abreast);
  const bool room = c->part && c->args && c->abreast;
  ria_status status = room ? RIA_OK : ria_gpu_no_memory(&s->p, "the parts");
  for (int k = 0; status == RIA_OK && k < n; k++) c->part[k] = (sedg *)part[k];
  if (status == RIA_OK)
    status = ria_gpu_crew_make((ria_gpu_planes *const *)part, n, &calls, c, &c->crew);
  for (int k = 0; k < n; k++) ((sedg *)part[k])->seen->clock.now = now;
  if (status == RIA_OK && c->crew) {
    c->crew->phases = 2;
    c->knows_ways = find_ways(c);
    *out = c;
  } else {
    sedg_crew_free(c);
  }
  return status;
}

/* What is in the graphs is as parts are now. */
static void refresh(sedg_crew *c) {
  bool stale = false;
  c->forced = false;
  for (int k = 0; k < c->n; k++) {
    stale |= memcmp(&c->args[k], &c->part[k]->a, sizeof c->args[k]) != 0;
    memcpy(&c->args[k], &c->part[k]->a, sizeof c->args[k]);
    c->forced |= c->args[k].forced != 0;
  }
  c->goes_abreast = c->knows_ways && !c->args[0].ways.paper;
  if (stale) ria_gpu_crew_stale(c->crew);
}

/* --- a span ----------------------------------------------------------------------------------- */

/* Parts that are ready, keep no maxima, and have the same state as their present one. */
static ria_status stand_alike(void *const *part, int n, bool *alike) {
  const sedg *first = (const sedg *)part[0];
  *alike = true;
  for (int k = 0; k < n; k++) {
    sedg *s = (sedg *)part[k];
    RIA_TRY(sedg_enter(s));
    *alike &= s->p.ready && !s->waits && s->p.n_track == 0 && sedg_now(s) == sedg_now(first);
  }
  return RIA_OK;
}

/* Nothing is queued. */
static ria_status make_ready(void *const *part, int n) {
  sedg *s = (sedg *)part[0];
  if (!s->crew) RIA_TRY(make_crew(part, n, &s->crew));
  if (!s->crew) return RIA_OK;
  refresh(s->crew);
  return ria_gpu_crew_ready(s->crew->crew, 0);
}

static ria_status queue_span(sedg_crew *c, const ria_span *span) {
  RIA_TRY(ria_gpu_crew_gather(c->crew));
  if (c->goes_abreast) RIA_TRY(ria_gpu_crew_meet(c->crew)); /* rows go where others are */
  for (int m = 0; m < c->crew->n_lanes; m++) {
    const ria_gpu_lane *l = &c->crew->lane[m];
    for (int p = l->first; p < l->first + l->n; p++)
      RIA_TRY(sedg_begin(c->part[p], span, l->stream));
  }
  return ria_gpu_crew_run(c->crew);
}

ria_status sedg_together(void *const *part, int n, const ria_span *span, bool *queued) {
  sedg *s = (sedg *)part[0];
  bool alike = false;
  *queued = false;
  if (s->crew_parted || !s->p.backend->together) return RIA_OK;
  RIA_TRY(sedg_crew_check(s->crew));
  RIA_TRY(stand_alike(part, n, &alike));
  if (!alike) return RIA_OK;
  ria_status status = make_ready(part, n);
  if (status == RIA_ERR_MEMORY) { /* from now on by way of the host */
    sedg_crew_free(s->crew);
    s->crew = NULL;
    ria_error_clear(s->p.ctx);
    status = RIA_OK;
  }
  s->crew_parted = status == RIA_OK && !s->crew;
  if (status != RIA_OK || s->crew_parted) return status;
  status = queue_span(s->crew, span);
  if (status != RIA_OK) ria_gpu_crew_break(s->crew->crew, status);
  RIA_TRY(status);
  *queued = true;
  return ria_gpu_crew_part(s->crew->crew);
}

ria_status sedg_crew_check(const sedg_crew *c) { return c ? ria_gpu_crew_check(c->crew) : RIA_OK; }
