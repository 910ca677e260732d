/* gpu/shallow_water/together.cu - parts of a grid on the GPUs of one host step together
 * (machine/crew.cuh): what is queued for a step.
 *
 * A step is the march of each part, rows, and a meeting or two (meet.cuh). Where each part has a
 * GPU of its own whose steps reach the others' memory, the march sends the rows, and where nothing
 * but the flow drives the water it meets the others too (abreast.cuh). */
#include "host.cuh"
#include "machine/agree.cuh"
#include "machine/crew.cuh"

#include <stdlib.h>
#include <string.h>

typedef struct swg_crew {
  ria_gpu_crew *crew;
  swg **part;            /* [crew->n] by number; NULL: another rank's */
  int now;               /* the present state when the span begins */
  bool twice;            /* parts meet twice a step */
  bool alone;            /* or within it: see swg_view.alone */
  bool rated;            /* a rating lies over cuts: parts list what stands at ratings */
  swg_abreast **abreast; /* [crew->n] on the GPUs; NULL: as parts lie, steps do not send */
  swg_view *view;        /* [crew->n] as they are in the graphs, */
  swg_meeting *meeting;  /*   like these */
} swg_crew;

/* --- what is queued --------------------------------------------------------------------------- */

/* A turn of a meeting about a state, and which of its words are heard and said: of the step, of
 * forcing. */
enum { OF_STEP, OF_FORCING };
typedef struct turn {
  int what, hears, says;
} turn;

/* What a meeting is about, for all lanes: some turns. */
typedef struct agenda {
  int state, n;
  bool recorded; /* into a graph, behind a step; else launched */
  turn turn[SWG_TURNS];
  const ria_span *span;
} agenda;

/* A lane of one part takes all turns in one kernel, unless rows must be fetched in between. Only in
 * graphs: what is launched to wait comes behind the launch of what it waits for. */
static bool at_once(const swg_crew *c, const ria_gpu_lane *l, bool recorded) {
  return recorded && l->n == 1 && !c->crew->staged && !c->crew->nccl;
}

/* Every lane has one part, and reaches those of the others. */
static bool lie_abreast(const swg_crew *c) {
  return c->crew->n_lanes == c->crew->n && c->crew->n > 1 && !c->crew->staged && !c->crew->nccl;
}

/* What a step of part p is given. Launched to meet the others it would wait for what is not
 * launched yet. */
static swg_view view_of(const swg_crew *c, int p, bool recorded) {
  swg_view v = c->part[p]->v;
  if (!c->abreast[p] || !recorded) return v;
  v.abreast = c->abreast[p];
  v.alone = c->alone;
  return v;
}

static swg_turn turn_of(const swg_crew *c, const ria_gpu_lane *l, const agenda *a, int k, int p) {
  const turn *from = &a->turn[k];
  swg_turn t = {};
  t.what = from->what;
  t.heard = ria_gpu_crew_box(l, a->state, from->hears, 0);
  if (!(t.what & (SWG_TELLS | SWG_LISTS | SWG_ASKS))) return t;
  t.n_said = c->crew->to - c->crew->from;
  for (int m = 0; m < t.n_said; m++)
    t.said[m] = ria_gpu_crew_box(&c->crew->lane[c->crew->from + m], a->state, from->says, p);
  return t;
}

/* Queue the n turns from the k-th on, of all parts of a lane. */
static ria_status meet(swg_crew *c, const ria_gpu_lane *l, const agenda *a, int k, int n,
                       cudaGraphConditionalHandle handle, bool closes) {
  for (int p = l->first; p < l->first + l->n; p++) {
    swg *s = c->part[p];
    swg_meeting m = swg_meeting_of(s);
    const bool last = p + 1 == l->first + l->n;
    m.parts = c->crew->n;
    if (!c->twice) m.n_rim = 0;
    if (!c->rated) m.n_rated = 0;
    m.n_turns = n;
    for (int i = 0; i < n; i++) m.turn[i] = turn_of(c, l, a, k + i, p);
    m.list = ria_gpu_crew_list(l, a->state);
    for (int i = 0; i < c->crew->to - c->crew->from; i++)
      m.listed[i] = ria_gpu_crew_list(&c->crew->lane[c->crew->from + i], a->state);
    m.last = last;
    m.notes = c->abreast[p] != NULL;
    m.post = l->post;
    SWG_TRY("a time step",
            s->kernel->meet(&s->v, a->state, &m, a->span, handle, closes && last, l->stream));
  }
  return RIA_OK;
}

/* The k-th turn of a lane by NCCL: what it says goes out behind it, with the rows of a step. */
static ria_status take_turn_far(swg_crew *c, ria_gpu_lane *l, const agenda *a, int k, bool rows) {
  const turn *t = &a->turn[k];
  const int list = t->what & SWG_LISTS ? RIA_GPU_PASS_LIST : 0;
  double *numbers = ria_gpu_crew_list(l, a->state);
  if (list && c->crew->n_list > 0)
    RIA_CUDA(c->crew->ctx, "a time step",
             cudaMemsetAsync(numbers, 0, c->crew->n_list * sizeof *numbers, l->stream));
  RIA_TRY(meet(c, l, a, k, 1, (cudaGraphConditionalHandle)0, false));
  if (k + 1 == a->n) return RIA_OK;
  return ria_gpu_crew_pass(l, a->state, t->says,
                           RIA_GPU_PASS_WORDS | list | (rows ? RIA_GPU_PASS_ROWS : 0));
}

/* The k-th turn of a lane, or all. */
static ria_status take_turn(swg_crew *c, ria_gpu_lane *l, const agenda *a, int k,
                            cudaGraphConditionalHandle handle, bool closes) {
  if (c->crew->nccl) return take_turn_far(c, l, a, k, k == 0 && !a->span);
  if (a->recorded && c->alone) return RIA_OK;
  if (at_once(c, l, a->recorded)) return k == 0 ? meet(c, l, a, 0, a->n, handle, closes) : RIA_OK;
  return meet(c, l, a, k, 1, handle, closes && k + 1 == a->n);
}

/* Behind what sources give. */
static ria_status echo(swg_crew *c, const ria_gpu_lane *l, int state) {
  for (int p = l->first; p < l->first + l->n; p++)
    RIA_TRY(swg_queue_echo(c->part[p], state, l->stream));
  return RIA_OK;
}

/* See ria_gpu_crew_calls. Rows are there before sources give to them: fetched after the first turn
 * that waits, of two. */
static ria_status queue(void *user, ria_gpu_lane *l, int k, int phase, ria_round *round,
                        bool closes) {
  swg_crew *c = (swg_crew *)user;
  const int old = (c->now + k) % 2, state = 1 - old, wait = SWG_WAITS, settle = SWG_SETTLES;
  const int list = c->rated ? SWG_LISTS | SWG_STEPPED : 0;
  const agenda once = {
      state,
      2,
      round->recorded,
      {{SWG_TELLS | SWG_ASKS | list, 0, OF_STEP}, {wait | settle | SWG_CHOOSES, OF_STEP, 0}},
      NULL};
  const agenda twice = {state,
                        3,
                        round->recorded,
                        {{SWG_TELLS | SWG_LISTS | SWG_STEPPED, 0, OF_STEP},
                         {wait | settle | SWG_ASKS, OF_STEP, OF_FORCING},
                         {wait | SWG_CHOOSES, OF_FORCING, 0}},
                        NULL};
  for (int p = l->first; phase == 0 && p < l->first + l->n; p++) {
    swg *s = c->part[p];
    const swg_view v = view_of(c, p, round->recorded);
    SWG_TRY("a time step", s->kernel->step(&v, old, round->handle, closes && v.alone, l->stream));
  }
  if (phase == 0 && !(c->abreast[l->first] && round->recorded))
    RIA_TRY(ria_gpu_crew_send(l, state));
  const agenda *a = c->twice ? &twice : &once;
  RIA_TRY(take_turn(c, l, a, phase, round->handle, closes));
  if (phase == 1 && c->crew->staged) RIA_TRY(ria_gpu_crew_receive(l, state));
  return phase + 1 == a->n ? echo(c, l, state) : RIA_OK;
}

/* The beginning of a span: the same without a step. What waits comes behind what all lanes say. */
static ria_status queue_begin(swg_crew *c, const ria_span *span) {
  const int list = c->rated ? SWG_LISTS : 0;
  const agenda once = {
      c->now,
      2,
      false,
      {{SWG_BEGINS | SWG_ASKS | list, 0, OF_FORCING}, {SWG_WAITS | SWG_CHOOSES, OF_FORCING, 0}},
      span};
  const agenda twice = {c->now,
                        3,
                        false,
                        {{SWG_BEGINS | SWG_LISTS, 0, OF_STEP},
                         {SWG_WAITS | SWG_ASKS, OF_STEP, OF_FORCING},
                         {SWG_WAITS | SWG_CHOOSES, OF_FORCING, 0}},
                        span};
  const agenda *a = c->twice ? &twice : &once;
  for (int k = 0; k < a->n; k++)
    for (int m = c->crew->begin; m < c->crew->end; m++) {
      ria_gpu_lane *l = &c->crew->lane[m];
      RIA_TRY(ria_gpu_enter(c->crew->part[l->first]));
      RIA_TRY(take_turn(c, l, a, k, (cudaGraphConditionalHandle)0, false));
      if (k + 1 == a->n) RIA_TRY(echo(c, l, a->state));
    }
  return RIA_OK;
}

static ria_status arrange(swg_crew *c) {
  for (int m = c->crew->begin; m < c->crew->end; m++) {
    const ria_gpu_lane *l = &c->crew->lane[m];
    RIA_TRY(ria_gpu_enter(c->crew->part[l->first]));
    for (int p = l->first; p < l->first + l->n; p++) {
      swg *s = c->part[p];
      if (s->v.skip_dry)
        SWG_TRY("putting tiles in order", s->kernel->arrange(&s->v, s->now, l->stream));
    }
  }
  return RIA_OK;
}

static void show(ria_gpu_planes *p, int state) { ((swg *)p)->now = state; }

static ria_status over(void *user, bool *is) {
  swg_crew *c = (swg_crew *)user;
  swg *s = c->part[c->crew->first];
  RIA_TRY(ria_gpu_crew_part(c->crew));
  RIA_TRY(ria_gpu_enter(&s->p));
  RIA_TRY(swg_get_clock(s));
  *is = s->seen->clock.done;
  return RIA_OK;
}

static const int *done(void *user) {
  const swg_crew *c = (const swg_crew *)user;
  return &c->part[c->crew->first]->v.report->clock.done; /* an address of the device */
}

static cudaError_t load_kernels(const ria_gpu_planes *p) {
  const swg *s = (const swg *)p;
  return s->kernel->load(&s->v);
}

static const ria_gpu_crew_calls calls = {
    .show = show, .queue = queue, .over = over, .steps = 16, .load = load_kernels, .done = done};

/* --- life ------------------------------------------------------------------------------------- */

/* All but the machine's crew of n parts, which is gone: nothing is queued. */
static void free_rest(swg_crew *c, int n) {
  for (int k = 0; c->abreast && k < n; k++)
    if (c->abreast[k] && ria_gpu_enter(&c->part[k]->p) == RIA_OK) cudaFree(c->abreast[k]);
  free(c->abreast);
  free(c->part);
  free(c->view);
  free(c->meeting);
  free(c);
}

void swg_crew_free(swg_crew *c) {
  if (!c) return;
  const int n = c->crew ? c->crew->n : 0;
  ria_gpu_crew_free(c->crew);
  free_rest(c, n);
}

/* By all ranks at the same place. NULL is nothing. */
static ria_status drop_crew(swg_crew *c) {
  if (!c) return RIA_OK;
  const int n = c->crew->n;
  const ria_status status = ria_gpu_crew_drop(c->crew);
  free_rest(c, n);
  return status;
}

/* Of the parts here, where the crew has them. */
static bool take_parts(swg_crew *c, void *const *part, int n) {
  const size_t all = (size_t)c->crew->n;
  c->part = (swg **)calloc(all, sizeof *c->part);
  c->abreast = (swg_abreast **)calloc(all, sizeof(swg_abreast *));
  c->view = (swg_view *)calloc(all, sizeof *c->view);
  c->meeting = (swg_meeting *)calloc(all, sizeof *c->meeting);
  if (!c->part || !c->abreast || !c->view || !c->meeting) return false;
  for (int k = 0; k < n; k++) c->part[c->crew->first + k] = (swg *)part[k];
  return true;
}

static ria_status make_crew(void *const *part, int n, swg_crew **out) {
  swg *s = (swg *)part[0];
  swg_crew *c = (swg_crew *)calloc(1, sizeof *c);
  *out = NULL;
  bool can = true;
  const int now = s->now;
  ria_status status = c ? RIA_OK : ria_gpu_no_memory(&s->p, "the parts");
  status = ria_gpu_agree(s->p.ctx, "room for parts in water", status, &can);
  if (status == RIA_OK)
    status = ria_gpu_crew_make((ria_gpu_planes *const *)part, n, &calls, c, &c->crew);
  for (int k = 0; k < n; k++) ((swg *)part[k])->now = now;
  if (status != RIA_OK || !c->crew) {
    swg_crew_free(c);
    return status;
  }
  can = take_parts(c, part, n);
  status = ria_gpu_agree(s->p.ctx, "room for views of parts", RIA_OK, &can);
  if (status != RIA_OK) {
    swg_crew_free(c);
    return status;
  }
  if (!can) return drop_crew(c); /* some rank is out of memory: by way of the host, then */
  *out = c;
  return RIA_OK;
}

/* What a neighbour needs to know of a part's memory. */
enum { STATE_0, STATE_1, MORE_0, MORE_1, PLACES };
typedef struct shape {
  int32_t begin, end;
  int32_t below; /* as swg_view has it */
  uint64_t plane;
} shape;

static void tell_memory(const swg *s, shape *how, void **place) {
  *how = {s->v.begin, s->v.end, s->v.below, s->v.plane};
  for (int k = 0; k < 2; k++) {
    place[STATE_0 + k] = s->v.state[k];
    place[MORE_0 + k] = s->v.more[k];
  }
}

/* The part north or south of one, as its rows are sent there: in the north to those south of its
 * first row, which in a ring may lie beyond the grid's end. */
static swg_beside beside(const swg *s, const shape *other, void *const *place, bool north) {
  const int south = other->begin > 0 ? other->begin : other->below;
  const int rows = north ? south - s->v.end : other->end - s->v.begin;
  return {{place[STATE_0], place[STATE_1]},
          {place[MORE_0], place[MORE_1]},
          (size_t)other->plane,
          rows * s->v.stride};
}

/* Of all parts as this process reaches them, each in a lane of its own. */
static ria_status look_around(swg_crew *c, shape *how, void **place) {
  ria_gpu_crew *crew = c->crew;
  void *mine[PLACES];
  shape own;
  bool well = true;
  for (int p = crew->first; p < crew->first + crew->count; p++)
    tell_memory(c->part[p], &how[p], place + (size_t)p * PLACES);
  if (!crew->ranks) return RIA_OK;
  RIA_TRY(ria_gpu_enter(&c->part[crew->first]->p)); /* memory is mapped on the present device */
  tell_memory(c->part[crew->first], &own, mine);
  RIA_TRY(ria_gpu_ranks_map(crew->ctx, &crew->windows, PLACES, mine, place,
                            ria_gpu_crew_reach(crew), &well));
  if (!well)
    return ria_fail(crew->ctx, RIA_ERR_DEVICE,
                    "memory of another rank's GPU, which was reached before, is not any more");
  return ria_gpu_ranks_tell(crew->ctx, &own, how, sizeof own);
}

/* Put where its steps find it what part p tells the others. Nothing is queued. */
static ria_status lay_abreast(swg_crew *c, int p, const shape *how, void *const *place) {
  swg *s = c->part[p];
  swg_abreast a = {};
  a.post = c->crew->lane[p].post;
  a.first_cell = ria_gpu_first_cell(&s->p);
  a.rows = s->p.ghost_rows;
  for (int north = 0; north < 2; north++) { /* each lane has one part */
    const int other = ria_gpu_crew_beside(c->crew, p, north);
    if (other >= 0) a.beside[north] = beside(s, &how[other], place + (size_t)other * PLACES, north);
  }
  RIA_TRY(ria_gpu_enter(&s->p));
  if (!c->abreast[p])
    RIA_TRY(ria_cuda_alloc(s->p.ctx, sizeof a, "the words of parts", (void **)&c->abreast[p]));
  SWG_TRY("joining parts", cudaMemcpy(c->abreast[p], &a, sizeof a, cudaMemcpyHostToDevice));
  SWG_TRY("joining parts", cudaStreamSynchronize(cudaStreamLegacy)); /* steps do not wait for it */
  return RIA_OK;
}

static ria_status lay_all_abreast(swg_crew *c) {
  shape how[RIA_GPU_LANES];
  void *place[PLACES * (int)RIA_GPU_LANES];
  RIA_TRY(look_around(c, how, place));
  for (int k = c->crew->first; k < c->crew->first + c->crew->count; k++)
    RIA_TRY(lay_abreast(c, k, how, place));
  return RIA_OK;
}

/* How parts meet in a step: swg_crew has the same. */
typedef struct meetings {
  bool alone, twice, rated;
} meetings;

/* Of all ranks. */
static ria_status agree_on_meetings(const swg_crew *c, meetings *of) {
  const int first = c->crew->first;
  bool undriven = lie_abreast(c), once = true, uncut = true;
  for (int k = first; k < first + c->crew->count; k++) {
    undriven &= c->part[k]->undriven;
    once &= !c->part[k]->rim_cut;
    uncut &= !c->part[k]->rating_cut;
  }
  once = once && c->part[first]->v.forcing.n_water == 0 && !c->crew->staged;
  RIA_TRY(ria_gpu_agree(c->crew->ctx, "nothing drives the parts", RIA_OK, &undriven));
  RIA_TRY(ria_gpu_agree(c->crew->ctx, "parts meet once a step", RIA_OK, &once));
  if (c->part[first]->n_rated > 0) /* alike for all ranks */
    RIA_TRY(ria_gpu_agree(c->crew->ctx, "no rating is cut", RIA_OK, &uncut));
  *of = {undriven, !once, !uncut};
  return RIA_OK;
}

/* What is in the graphs is as parts are now. */
static ria_status refresh(swg_crew *c) {
  const int first = c->crew->first;
  const swg *s = c->part[first];
  meetings of;
  RIA_TRY(agree_on_meetings(c, &of));
  bool stale = of.alone != c->alone || of.twice != c->twice || of.rated != c->rated;
  c->alone = of.alone;
  c->twice = of.twice;
  c->rated = of.rated;
  c->crew->phases = c->twice ? 3 : 2;
  RIA_TRY(ria_gpu_crew_lists(c->crew, (size_t)swg_listed(s)));
  for (int k = first; k < first + c->crew->count; k++) {
    const swg_meeting m = swg_meeting_of(c->part[k]);
    stale |= memcmp(&c->view[k], &c->part[k]->v, sizeof c->view[k]) != 0 ||
             memcmp(&c->meeting[k], &m, sizeof m) != 0;
    memcpy(&c->view[k], &c->part[k]->v, sizeof c->view[k]);
    memcpy(&c->meeting[k], &m, sizeof m);
  }
  if (stale) ria_gpu_crew_stale(c->crew);
  /* Ranks map each other's memory together. */
  if (c->crew->ranks) {
    bool fresh = !stale;
    RIA_TRY(ria_gpu_agree(c->crew->ctx, "parts are as they were", RIA_OK, &fresh));
    stale = !fresh;
  }
  return stale && lie_abreast(c) ? lay_all_abreast(c) : RIA_OK;
}

/* --- a span ----------------------------------------------------------------------------------- */

/* Parts that are ready and have the same state as their present one. */
static bool stand_alike(void *const *part, int n) {
  const swg *first = (const swg *)part[0];
  for (int k = 0; k < n; k++) {
    const swg *s = (const swg *)part[k];
    if (!s->p.ready || s->now != first->now || s->waits) return false;
  }
  return true;
}

/* A crew that knows other neighbours: a ring of rows came or went. */
static ria_status drop_other_ring(swg *s) {
  if (!s->crew || s->crew->crew->ring == s->p.ring) return RIA_OK;
  swg_crew *c = s->crew;
  s->crew = NULL;
  return drop_crew(c);
}

/* Nothing is queued. */
static ria_status make_ready(void *const *part, int n) {
  swg *s = (swg *)part[0];
  RIA_TRY(drop_other_ring(s));
  if (!s->crew && !s->crew_parted) RIA_TRY(make_crew(part, n, &s->crew));
  if (!s->crew) return RIA_OK;
  s->crew->now = s->now;
  RIA_TRY(refresh(s->crew));
  return ria_gpu_crew_ready(s->crew->crew, s->crew->now);
}

static ria_status queue_span(swg_crew *c, const ria_span *span) {
  RIA_TRY(ria_gpu_crew_gather(c->crew));
  RIA_TRY(arrange(c));
  RIA_TRY(queue_begin(c, span));
  return ria_gpu_crew_run(c->crew);
}

/* *can false: from now on by way of the host, all ranks alike. */
static ria_status prepare_span(void *const *part, int n, bool *can) {
  swg *s = (swg *)part[0];
  ria_status status = make_ready(part, n);
  *can = s->crew != NULL && status == RIA_OK;
  if (status == RIA_ERR_MEMORY) {
    ria_error_clear(s->p.ctx);
    status = RIA_OK;
  }
  RIA_TRY(ria_gpu_agree(s->p.ctx, "a span is prepared", status, can));
  if (*can) return RIA_OK;
  swg_crew *c = s->crew;
  s->crew = NULL;
  s->crew_parted = true;
  return drop_crew(c);
}

ria_status swg_together(void *const *part, int n, const ria_span *span, bool *queued) {
  swg *s = (swg *)part[0];
  bool can = s->p.backend->together && stand_alike(part, n) && s->v.forcing.n_layers == 0;
  *queued = false;
  if (s->crew_parted) return RIA_OK;
  RIA_TRY(ria_gpu_agree(s->p.ctx, "parts may step together", RIA_OK, &can));
  if (!can) return RIA_OK;
  RIA_TRY(swg_crew_check(s->crew));
  RIA_TRY(prepare_span(part, n, &can));
  if (!can) return RIA_OK;
  const ria_status status = queue_span(s->crew, span);
  if (status != RIA_OK) ria_gpu_crew_break(s->crew->crew, status);
  RIA_TRY(status);
  *queued = true;
  return ria_gpu_crew_part(s->crew->crew);
}

ria_status swg_crew_check(const swg_crew *c) { return c ? ria_gpu_crew_check(c->crew) : RIA_OK; }
