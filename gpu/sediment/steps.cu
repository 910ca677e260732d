/* gpu/sediment/steps.cu - how the two-sediment solver is stepped on a GPU, and what went wrong.
 *
 * A span is one launch of a graph whose loop repeats a few steps, each a pass and a tick, until the
 * clock on the device says that the span is over; what comes after its end does nothing. The host
 * hears of it when it asks. Which state is the present is the clock's to know, so there is one
 * graph. */
#include "host.cuh"

#include <math.h>
#include <stdlib.h>
#include <string.h>

namespace {

enum { ROUND = 16 /* steps that are recorded */ };

ria_status spread_of(sedg *s, const void *plane, double *least, double *most) {
  unsigned long long bits[2] = {~0ull, 0};
  void *room = NULL;
  RIA_TRY(ria_gpu_take(&s->p, sizeof bits, &room));
  cudaError_t e = ria_gpu_to_device(&s->p, room, bits, sizeof bits);
  if (e == cudaSuccess)
    e = s->kernel->spread(&s->a, plane, (unsigned long long *)room, s->p.stream);
  if (e == cudaSuccess) e = ria_gpu_to_host(&s->p, bits, room, sizeof bits);
  ria_gpu_drop(&s->p, room);
  RIA_CUDA(s->p.ctx, "preparing a step", e);
  memcpy(least, &bits[0], sizeof *least);
  memcpy(most, &bits[1], sizeof *most);
  return RIA_OK;
}

__global__ void begin_span(const __grid_constant__ sedg_args a, double t, int fresh,
                           const __grid_constant__ ria_span span) {
  sed_clock *c = &a.report->clock;
  if (fresh) {
    c->t = t;
    c->pull = -1; /* not known: the first pass only looks */
  }
  c->t_stop = span.t_stop;
  c->t_watch = span.t_watch;
  c->steps_stop = c->steps + span.max_steps;
  sed_begin(c, &a.pace);
}

} // namespace

void sedg_know_ways(sedg *s, const ria_meeting *all) {
  const double *m = all->most;
  sedg_args *a = &s->a;
  a->ways.uniform = m[0] == -m[1] && m[2] == -m[3];
  a->ways.marine = s->q.marine_alpha < 1 || s->q.marine_beta < 1;
  a->ways.paper = s->q.scheme == SED_PAPER;
  a->a = m[0];
  a->b = m[2];
  const double sand = m[0] / s->q.c_sand, mud = m[2] / s->q.c_mud;
  a->pace = sed_pace_of(&s->q, &s->p.grid, sand > mud ? sand : mud);
}

ria_status sedg_prepare(void *self, double t) {
  sedg *s = (sedg *)self;
  sedg_args *a = &s->a;
  double a_least, a_most, b_least, b_most;
  RIA_TRY(sedg_enter(s));
  RIA_TRY(spread_of(s, a->alpha, &a_least, &a_most));
  RIA_TRY(spread_of(s, a->beta, &b_least, &b_most));
  s->words = {{a_most, -a_least, b_most, -b_least}, {}, {}, NULL, 0};
  s->waits = ria_gpu_whole(&s->p) ? 0 : SEDG_WAYS;
  sedg_know_ways(s, &s->words);
  a->c_sand = s->q.c_sand;
  a->c_mud = s->q.c_mud;
  a->per_base = 1 / s->q.wave_base;
  a->less_a = 1 - s->q.marine_alpha;
  a->less_b = 1 - s->q.marine_beta;
  void *planes[] = {a->h[sedg_now(s)], a->s[sedg_now(s)], a->alpha, a->beta};
  for (size_t k = 0; k < sizeof planes / sizeof *planes; k++)
    RIA_CUDA(s->p.ctx, "preparing a step", s->kernel->wrap(a, planes[k], s->p.stream));
  s->t = t;
  s->fresh = s->p.ready = true;
  s->begun = true; /* before the events of the start */
  return RIA_OK;
}

/* --- steps ------------------------------------------------------------------------------------ */

namespace {

/* A step was launched. */
ria_status hear(sedg *s, bool *over) {
  s->current = false;
  RIA_TRY(sedg_get_report(s));
  if (s->seen->clock.done_dt > 0) RIA_TRY(ria_gpu_planes_keep_maxima(&s->p));
  *over = s->seen->clock.over;
  return RIA_OK;
}

} // namespace

/* Launched one by one: a maximum is kept of every state. */
ria_status sedg_queue_round(void *self, ria_round *round) {
  sedg *s = (sedg *)self;
  const int n = round->recorded ? ROUND : 1;
  for (int k = 0; k < n; k++) {
    const int closes = round->recorded && k == n - 1;
    RIA_CUDA(s->p.ctx, "a time step", s->kernel->pass(&s->a, NULL, s->p.stream));
    RIA_CUDA(s->p.ctx, "a time step", s->kernel->tick(&s->a, round->handle, closes, s->p.stream));
  }
  return round->recorded ? RIA_OK : hear(s, &round->over);
}

ria_status sedg_begin(sedg *s, const ria_span *span, cudaStream_t stream) {
  RIA_TRY(ria_gpu_enter(&s->p));
  begin_span<<<1, 1, 0, stream>>>(s->a, s->t, s->fresh, *span);
  RIA_CUDA(s->p.ctx, "a time step", cudaGetLastError());
  s->fresh = s->current = false;
  return RIA_OK;
}

ria_status sedg_advance(void *self, const ria_span *wanted) {
  sedg *s = (sedg *)self;
  const ria_span span = ria_gpu_span(&s->p, wanted);
  RIA_TRY(ria_gpu_enter(&s->p));
  if (!s->p.ready) RIA_TRY(sedg_prepare(s, s->seen->clock.t));
  if (ria_gpu_whole(&s->p)) RIA_TRY(ria_loop_ready(&s->loop, 0, s->p.n_track == 0));
  RIA_TRY(sedg_begin(s, &span, s->p.stream));
  return ria_gpu_whole(&s->p) ? ria_loop_run(&s->loop) : sedg_say_pass(s);
}

/* --- failure ---------------------------------------------------------------------------------- */

/* A cell whose new state is no number: in the state that did not become the present. */
static ria_status find_bad(sedg *s, ria_progress *out) {
  const int now = sedg_now(s);
  const size_t nx = (size_t)s->p.grid.nx, n = nx * (size_t)s->p.grid.ny;
  double *v = (double *)calloc(n, sizeof *v); /* of a part the rest stays 0 */
  if (!v) return ria_fail(s->p.ctx, RIA_ERR_MEMORY, "out of memory for a field");
  ria_status status = RIA_OK;
  size_t bad = n;
  s->seen->clock.now = 1 - now;
  for (int field = SED_HEIGHT; status == RIA_OK && bad == n && field <= SED_FRACTION; field++) {
    status = ria_gpu_planes_read(s, field, -1, false, 0, s->p.grid.ny, RIA_F64, v);
    for (size_t k = 0; status == RIA_OK && bad == n && k < n; k++)
      if (!isfinite(v[k])) bad = k;
  }
  s->seen->clock.now = now;
  free(v);
  if (bad < n) {
    out->fail_i = (int)(bad % nx);
    out->fail_j = (int)(bad / nx);
  }
  return status;
}

ria_status sedg_progress(void *self, ria_progress *out) {
  sedg *s = (sedg *)self;
  memset(out, 0, sizeof *out);
  RIA_TRY(sedg_enter(s));
  RIA_TRY(sedg_crew_check(s->crew));
  sed_tell(&s->seen->clock, &s->q, &s->a.pace, out);
  return s->seen->clock.failure == SED_BAD ? find_bad(s, out) : RIA_OK;
}
