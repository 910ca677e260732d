/* gpu/diffusion/together.cu - parts of a plate on the GPUs of one host step together.
 *
 * The host has the clock, and all parts have the same: a pass of each is queued, then rows. Lanes
 * wait for each other by events, those of ranks by meetings or by NCCL (machine/crew.cuh). Passes
 * of several steps go abreast (abreast.cuh) where each part has a GPU and reaches the others'
 * memory: then a pass hands rows on and waits for those of the neighbours by itself. */
#include "host.cuh"
#include "machine/agree.cuh"
#include "machine/ways.cuh"

#include <string.h>

static void show(ria_gpu_planes *p, int state) { ((dfg *)p)->now = state; }
static cudaError_t load_kernels(const ria_gpu_planes *p) {
  return ((const dfg *)p)->kernel->load();
}
static const ria_gpu_crew_calls calls = {.show = show, .load = load_kernels};

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

/* --- abreast ---------------------------------------------------------------------------------- */

/* All that a pass abreast needs of a lane. */
static bool may_go_abreast(const ria_gpu_lane *l, dfg *s) {
  const dfg_tiles *t = s->tiles;
  if (l->n != 1 || !t[0].strip[0] || !t[1].strip[0]) return false;
  for (int state = 0; state < 2; state++) {
    dfg_abreast *b = &s->abreast[state];
    memset(b, 0, sizeof *b);
    b->rows = s->p.ghost_rows;
    b->done = s->done;
    b->post = l->post;
    const void *plane = s->u[state];
    ria_gpu_ways ways;
    if (!ria_gpu_find_ways(&s->p, &l->send[state], &plane, 1, b->rows, &ways)) return false;
    for (int side = 0; side < 2; side++) b->away[side] = ways.away[side][0];
    if (t[0].strip[0] < b->rows || t[0].strip[1] < b->rows) return false;
  }
  return true;
}

static ria_status prepare_abreast(ria_gpu_crew *c, bool *can) {
  *can = c->n_lanes > 1 && !c->staged && !ria_gpu_crew_is_far(c);
  for (int k = c->begin; *can && k < c->end; k++) {
    dfg *s = (dfg *)c->part[c->lane[k].first];
    RIA_TRY(ria_gpu_enter(&s->p));
    if (!s->done)
      RIA_TRY(ria_cuda_alloc(c->ctx, 2 * sizeof *s->done, "joining parts", (void **)&s->done));
    RIA_CUDA(c->ctx, "joining parts", s->kernel->load());
    *can = may_go_abreast(&c->lane[k], s);
  }
  return RIA_OK;
}

/* All parts or none; none where memory is short. */
static ria_status agree_on_abreast(ria_gpu_crew *c) {
  bool may = false;
  ria_status here = prepare_abreast(c, &may);
  if (here == RIA_ERR_MEMORY) {
    ria_error_clear(c->ctx);
    may = false;
    here = RIA_OK;
  }
  RIA_TRY(ria_gpu_agree(c->ctx, "passes go abreast", here, &may));
  for (int k = c->first; k < c->first + c->count; k++) ((dfg *)c->part[k])->may_abreast = may;
  return RIA_OK;
}

/* --- spans ------------------------------------------------------------------------------------ */

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
  if (s->crew) return agree_on_abreast(s->crew);
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
  for (int k = 0; k < n; k++) {
    dfg_begin_span((dfg *)part[k], span);
    ((dfg *)part[k])->goes_abreast = s->may_abreast;
  }
  RIA_TRY(ria_gpu_crew_gather(s->crew));
  if (s->may_abreast) RIA_TRY(ria_gpu_crew_meet(s->crew)); /* passes store in neighbours' memory */
  for (;;) {
    RIA_TRY(queue_passes(s->crew, &over));
    if (over) return ria_gpu_crew_part(s->crew);
    if (!s->went_abreast) RIA_TRY(ria_gpu_crew_exchange(s->crew, s->now));
  }
}

ria_status dfg_together(void *const *part, int n, const ria_span *span, bool *queued) {
  dfg *s = (dfg *)part[0];
  bool can = s->p.backend->together && stand_alike(part, n);
  *queued = false;
  if (s->crew_parted) return RIA_OK;
  RIA_TRY(ria_gpu_agree(s->p.ctx, "parts of diffusion may step together", RIA_OK, &can));
  if (!can) return RIA_OK;
  if (s->crew) RIA_TRY(ria_gpu_crew_check(s->crew));
  RIA_TRY(drop_other_ring(s));
  if (!s->crew && !s->crew_parted) RIA_TRY(make_crew(s, part, n));
  if (!s->crew) return RIA_OK;
  *queued = true;
  const ria_status status = queue_span(s, part, n, span);
  if (status != RIA_OK) ria_gpu_crew_break(s->crew, status);
  return status;
}
