/* gpu/shallow_water/parts.cu - what parts of a grid say to each other by way of the host
 * (ria_solver_ops.say): as shallow_water_parts.c, with kernels in between (meet.cuh).
 *
 * This is how a part steps whose neighbours are elsewhere. Those of one process step together. */
#include "host.cuh"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ria_status room_for(swg *s, int n) {
  if (n <= s->list_room) return RIA_OK;
  double *list = NULL;
  SWG_TRY("pinning the sides", cudaHostAlloc((void **)&list, (size_t)n * sizeof *list,
                                             cudaHostAllocPortable | cudaHostAllocMapped));
  if (s->n_list) memcpy(list, s->list, (size_t)s->n_list * sizeof *list);
  if (s->list) cudaFreeHost(s->list);
  s->list = list;
  s->list_room = n;
  return RIA_OK;
}

void swg_parts_free(swg *s) {
  if (s->list) cudaFreeHost(s->list);
  if (s->words) cudaFreeHost(s->words);
}

swg_meeting swg_meeting_of(const swg *s) {
  swg_meeting m = {};
  m.first_cell = ria_gpu_first_cell(&s->p);
  m.lives = s->lives;
  m.n_rim = s->n_rim;
  m.n_rated = s->n_rated;
  return m;
}

/* A meeting by way of the host. */
static swg_meeting by_host(swg *s, int what) {
  swg_meeting m = swg_meeting_of(s);
  m.parts = m.n_turns = 1;
  m.turn[0].what = what;
  m.turn[0].heard = &s->words->all;
  m.turn[0].said[0] = &s->words->said;
  m.turn[0].n_said = what & (SWG_TELLS | SWG_ASKS | SWG_LISTS) ? 1 : 0;
  m.list = m.listed[0] = s->list;
  m.over = &s->words->over;
  m.others_are_nan = 1;
  return m;
}

static ria_status queue_meeting(swg *s, int now, int what, const ria_span *span) {
  const swg_meeting m = by_host(s, what);
  SWG_TRY("a time step",
          s->kernel->meet(&s->v, now, &m, span, (cudaGraphConditionalHandle)0, 0, s->p.stream));
  return RIA_OK;
}

/* --- outlets ---------------------------------------------------------------------------------- */

ria_status swg_sample_noted(void *self, int field, int tracer, int n, const int32_t *cell,
                            double *out) {
  swg *s = (swg *)self;
  RIA_TRY(room_for(s, s->n_list + n));
  RIA_TRY(ria_gpu_planes_sample(s, field, tracer, n, cell, out));
  memcpy(s->list + s->n_list, out, (size_t)n * sizeof *out);
  s->n_list += n;
  return RIA_OK;
}

void swg_say_outlets(swg *s) {
  memset(&s->words->said, 0, sizeof s->words->said);
  s->waits = SWG_OUTLETS;
}

/* The next n of a list that was noted, where all parts have said theirs; self: const double **. */
static ria_status sample_again(void *self, int field, int tracer, int n, const int32_t *cell,
                               double *out) {
  const double **next = (const double **)self;
  (void)field, (void)tracer, (void)cell;
  memcpy(out, *next, (size_t)n * sizeof *out);
  *next += n;
  return RIA_OK;
}

static ria_status judge_outlets(swg *s) {
  const ria_gpu_planes *p = &s->p;
  const int32_t *owner[RIA_SIDES];
  owner[0] = p->account.owner;
  for (int side = 1; side < RIA_SIDES; side++)
    owner[side] = owner[side - 1] + ria_side_length(&p->grid, (ria_side)(side - 1));
  const ria_forcing_set set = {p->table,
                               {p->account.n, p->stretch, {owner[0], owner[1], owner[2], owner[3]}},
                               0,
                               NULL,
                               NULL};
  const double *next = s->list;
  sw_outlets outlets;
  RIA_TRY(sw_judge_outlets(p->ctx, &p->grid, &set, sample_again, &next, &outlets));
  swg_know_outlets(s, &outlets);
  return RIA_OK;
}

/* --- meeting ---------------------------------------------------------------------------------- */

/* Rows of a low ring that a part has twice: sources and layers act on one of them. */
ria_status swg_queue_echo(swg *s, int state, cudaStream_t stream) {
  const swg_forcing *f = &s->v.forcing;
  const int now = s->now;
  if (f->n_sources + f->n_layers == 0 || !ria_gpu_echoes(&s->p)) return RIA_OK;
  s->now = state;
  const ria_status status = ria_gpu_echo_rows(&s->p, stream);
  s->now = now;
  return status;
}

ria_status swg_say_state(swg *s, const sw_clock *known) {
  s->n_list = 0;
  RIA_TRY(room_for(s, swg_listed(s)));
  s->n_list = swg_listed(s);
  RIA_TRY(queue_meeting(s, s->now, SWG_TELLS | SWG_LISTS, NULL));
  s->waits = SWG_STATE;
  if (!known) return RIA_OK;
  RIA_TRY(ria_gpu_planes_wait(&s->p));
  ria_meeting *m = &s->words->said;
  m->most[SWG_SAYS_SPEED] = known->speed;
  m->most[SWG_SAYS_PLACE] = 0;
  m->where[SWG_SAYS_PLACE] = known->speed_cell;
  return RIA_OK;
}

ria_status swg_say_forcing(swg *s, const ria_span *span) {
  if (!s->p.ready)
    return ria_fail(s->p.ctx, RIA_ERR_ARGUMENT, "a part of a grid steps before it is prepared");
  if (s->v.skip_dry)
    SWG_TRY("putting tiles in order", s->kernel->arrange(&s->v, s->now, s->p.stream));
  RIA_TRY(queue_meeting(s, s->now, SWG_BEGINS | SWG_ASKS, span));
  s->waits = SWG_FORCING;
  return RIA_OK;
}

/* What fails here is told by `hear`, which fails too. */
bool swg_say(void *self, ria_meeting *m) {
  swg *s = (swg *)self;
  if (!s->waits) return false;
  if (ria_gpu_enter(&s->p) == RIA_OK && cudaStreamSynchronize(s->p.stream) == cudaSuccess &&
      s->waits >= SWG_FORCING && s->words->over)
    s->waits = 0;
  *m = s->words->said;
  m->list = s->list;
  m->n_list = s->waits == SWG_FORCING ? 0 : s->n_list;
  return s->waits != 0;
}

ria_status swg_hear(void *self, const ria_meeting *all) {
  swg *s = (swg *)self;
  const int why = s->waits;
  s->waits = 0;
  s->words->all = *all;
  RIA_TRY(ria_gpu_enter(&s->p));
  switch (why) {
  case SWG_OUTLETS:
    return judge_outlets(s);
  case SWG_STATE:
    return queue_meeting(s, s->now, SWG_WAITS | SWG_KNOWS, NULL);
  case SWG_FORCING:
    RIA_TRY(queue_meeting(s, s->now, SWG_WAITS | SWG_CHOOSES, NULL));
    RIA_TRY(swg_queue_layers(s, s->now));
    RIA_TRY(swg_queue_echo(s, s->now, s->p.stream));
    SWG_TRY("a time step",
            s->kernel->step(&s->v, s->now, (cudaGraphConditionalHandle)0, 0, s->p.stream));
    s->waits = SWG_STEP;
    return queue_meeting(s, 1 - s->now, SWG_TELLS | SWG_LISTS | SWG_STEPPED, NULL);
  case SWG_STEP:
    return queue_meeting(s, 1 - s->now, SWG_WAITS | SWG_SETTLES, NULL);
  default:
    return RIA_OK;
  }
}
