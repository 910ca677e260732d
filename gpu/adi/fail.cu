/* gpu/adi/fail.cu - what ends a run of the implicit solver on a GPU: a sweep that wrote what is no
 * state, and a level that runs away.
 *
 * A sweep that fails leaves its number in `bad`, and whatever comes after it does nothing: the
 * host, which hears of it when it asks, finds the state as it was before the step that failed. A
 * look that sees a level above the ceiling ends the span before the step that would follow, for the
 * host to judge. */
#include "host.cuh"

#include <stdlib.h>

static ria_status value_at(adig *s, const void *plane, size_t at, double *out) {
  float f = 0;
  const bool single = s->p.real == RIA_F32;
  const char *from = (const char *)plane + at * s->p.real_size;
  A_TRY("finding what went wrong",
        ria_gpu_to_host(&s->p, single ? (void *)&f : out, from, s->p.real_size));
  if (single) *out = (double)f;
  return RIA_OK;
}

/* Name the first cell whose level or flux is none. */
static ria_status blame(adig *s, const void *level, const void *flux) {
  const ria_grid *g = &s->p.grid;
  const double t = s->host->clock.t;
  unsigned long long cell = ~0ull;
  void *room = NULL;
  double z, q;
  adi_tell_bad(&s->progress, g, t, -1, 0, 0);
  const adig_state a = adig_state_of(s, 0);
  RIA_TRY(ria_gpu_take(&s->p, sizeof cell, &room));
  cudaError_t e = ria_gpu_to_device(&s->p, room, &cell, sizeof cell);
  if (e == cudaSuccess)
    e = s->kernel->find_bad(&a, level, flux, (unsigned long long *)room, s->p.stream);
  if (e == cudaSuccess) e = ria_gpu_to_host(&s->p, &cell, room, sizeof cell);
  ria_gpu_drop(&s->p, room);
  A_TRY("finding what went wrong", e);
  if (cell == ~0ull) return RIA_OK;
  const size_t at =
      ria_gpu_at(&s->p.v, (int)(cell % (unsigned)g->nx), (int)(cell / (unsigned)g->nx) - s->p.base);
  RIA_TRY(value_at(s, level, at, &z));
  RIA_TRY(value_at(s, flux, at, &q));
  adi_tell_bad(&s->progress, g, t, (int64_t)cell, z, q);
  return RIA_OK;
}

ria_status adig_go_back(adig *s) {
  adig_report *n = s->host;
  const int place = (n->bad - 1) / 2, axis = (n->bad - 1) % 2;
  const adi_step *st = &n->step[place];
  if (n->clock.failure) return RIA_OK;
  n->clock.t = st->t;
  n->clock.dt = st->dt;
  n->clock.lead = st->lead;
  n->clock.steps = n->done[place];
  n->clock.failure = ADI_BAD;
  adig_set_turn(s, n->clock.steps);
  RIA_TRY(blame(s, s->level[(s->now.level + 1 + axis) % 3], s->flux[axis][1 - s->now.flux[axis]]));
  const int q = s->now.flux[ADI_Y];
  const size_t lead = ria_gpu_lead(&s->p) * s->p.real_size;
  if (axis == ADI_Y) /* the discharge a step earlier was overwritten */
    A_TRY("going back a step",
          cudaMemcpyAsync((char *)s->flux[ADI_Y][1 - q] - lead, (char *)s->flux[ADI_Y][q] - lead,
                          lead + s->p.size * s->p.real_size, cudaMemcpyDeviceToDevice,
                          s->p.stream));
  return RIA_OK;
}

void adig_judge_by(adig *s, double stored, const double *in, const double *out) {
  adi_judge(&s->host->clock, &s->given, &s->par, &s->p.grid, stored, s->p.stretch, s->p.v.n_stretch,
            s->p.v.n_quantities, in, out);
  s->host->judged = !s->host->clock.failure;
}

ria_status adig_judge(adig *s) {
  const size_t n = (size_t)s->p.v.n_stretch * (size_t)s->p.v.n_quantities;
  ria_quantity_totals totals[1 + RIA_MAX_TRACERS];
  double *through = (double *)malloc((2 * n + 1) * sizeof *through);
  if (!through) return ria_fail(s->p.ctx, RIA_ERR_MEMORY, "out of memory for a sum");
  ria_status status = ria_gpu_planes_totals(s, totals);
  if (status == RIA_OK) status = ria_gpu_planes_fluxes(s, s->p.v.n_stretch, through, through + n);
  if (status == RIA_OK) adig_judge_by(s, totals[0].stored, through, through + n);
  free(through);
  return status;
}

/* What a look left to the host; where the level may stand the span goes on. */
static ria_status judge_and_go_on(adig *s) {
  const adi_clock *c = &s->host->clock;
  while (c->high && !c->failure) {
    RIA_TRY(adig_judge(s));
    if (c->failure) break;
    RIA_TRY(adig_go(s));
    RIA_TRY(adig_get_report(s));
  }
  return RIA_OK;
}

ria_status adig_progress(void *self, ria_progress *out) {
  adig *s = (adig *)self;
  RIA_TRY(adig_enter(s));
  RIA_TRY(adig_crew_check(s->crew));
  RIA_TRY(ria_gpu_whole(&s->p) || !s->crew ? judge_and_go_on(s) : adig_settle(s->crew));
  *out = s->progress;
  adi_tell(&s->host->clock, &s->rules, &s->given, &s->p.grid, out);
  return RIA_OK;
}
