/* steps.cu - how the shallow-water solver is stepped on a GPU, and what went wrong.
 *
 * The clock is on the device. A span is one launch of a graph whose loop repeats a few steps (each
 * a step and a tick) until the clock says that the span is over; steps past its end do nothing. The
 * host hears of it when it asks (progress).
 *
 * A step writes the state that the next one reads, so a round is an even number of steps and there
 * is a graph for either beginning. */
#include "host.cuh"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  SWG_ROUND = 16 /* steps of a round; even */
};

ria_status swg_put_report(swg *s, const swg_report *c) {
  *s->seen = *c;
  SWG_TRY("setting the clock", ria_gpu_to_device(&s->p, s->v.report, s->seen, sizeof *s->seen));
  SWG_TRY("setting the clock", cudaStreamSynchronize(s->p.stream));
  return RIA_OK;
}

ria_status swg_get_clock(swg *s) {
  SWG_TRY("a time step", ria_gpu_to_host(&s->p, s->seen, s->v.report, sizeof *s->seen));
  return RIA_OK;
}

static ria_status check_rings(const swg *s) {
  const ria_gpu_planes *p = &s->p;
  const int32_t *owner[RIA_SIDES] = {p->account.owner};
  for (int side = 1; side < RIA_SIDES; side++)
    owner[side] = owner[side - 1] + ria_side_length(&p->grid, (ria_side)(side - 1));
  return water_check_rings(p->ctx, &p->grid, p->stretch, owner);
}

ria_status swg_prepare(void *self, double t) {
  swg *s = (swg *)self;
  RIA_TRY(check_rings(s));
  RIA_TRY(sw_refuse_outlets(s->p.ctx, &s->outlets));
  RIA_TRY(ria_gpu_enter(&s->p));
  RIA_TRY(swg_get_clock(s));
  swg_report c = *s->seen;
  c.clock.t = t;
  memset(c.found, 0, sizeof c.found);
  memset(c.where, 0, sizeof c.where);
  RIA_TRY(swg_put_report(s, &c));
  SWG_TRY("preparing a step", s->kernel->survey(&s->v, s->now, s->p.stream));
  s->p.ready = true;
  s->surveyed = ria_gpu_whole(&s->p);
  return s->surveyed ? RIA_OK : swg_say_state(s, NULL);
}

ria_status swg_queue_layers(swg *s, int now) {
  for (int k = 0; k < s->v.forcing.n_layers; k++) {
    const int n = s->layer_cells[k];
    if (n > 0)
      SWG_TRY("a layer", s->kernel->relax(&s->v, now, k, ria_gpu_layer_blocks(n), s->p.stream));
  }
  return RIA_OK;
}

ria_status swg_queue_round(void *self, ria_round *round) {
  swg *s = (swg *)self;
  for (int k = 0; k < SWG_ROUND; k++) {
    const int old = (s->now + k) % 2, closes = round->recorded && k == SWG_ROUND - 1;
    RIA_TRY(swg_queue_layers(s, old));
    SWG_TRY("a time step", s->kernel->step(&s->v, old, round->handle, closes, s->p.stream));
    if (s->v.alone) continue;
    SWG_TRY("a time step", s->kernel->tick(&s->v, 1 - old, SWG_AFTER_STEP, NULL, round->handle,
                                           closes, s->p.stream));
  }
  if (round->recorded) return RIA_OK;
  RIA_TRY(swg_get_clock(s));
  round->over = s->seen->clock.done;
  return RIA_OK;
}

ria_status swg_advance(void *self, const ria_span *wanted) {
  swg *s = (swg *)self;
  const ria_span span = ria_gpu_span(&s->p, wanted);
  RIA_TRY(ria_gpu_enter(&s->p));
  if (!ria_gpu_whole(&s->p)) return swg_say_forcing(s, &span);
  if (!s->p.ready) RIA_TRY(swg_prepare(s, s->progress.t));
  RIA_TRY(ria_loop_ready(&s->loop, s->now, true)); /* first: the tick gives what sources owe */
  SWG_TRY("a time step",
          s->kernel->tick(&s->v, s->now, s->surveyed ? SWG_BEGIN_SURVEYED : SWG_BEGIN, &span,
                          (cudaGraphConditionalHandle)0, 0, s->p.stream));
  s->surveyed = false;
  if (s->v.skip_dry)
    SWG_TRY("putting tiles in order", s->kernel->arrange(&s->v, s->now, s->p.stream));
  return ria_loop_run(&s->loop);
}

/* The failure that the clock tells of, in words. */
static ria_status explain_failure(swg *s) {
  ria_progress *p = &s->progress;
  const swg_report *c = s->seen;
  if (c->clock.failure == SW_SHORT) {
    sw_tell_too_short(p, c->clock.t, c->short_dt, s->v.p.dt_min);
    return RIA_OK;
  }
  unsigned long long cell = UINT64_MAX;
  double value[SW_STATES] = {0};
  void *first = NULL;
  p->failure = RIA_ERR_NUMERICAL;
  p->fail_t = c->clock.t;
  p->fail_i = p->fail_j = -1; /* another part's */
  RIA_TRY(ria_gpu_take(&s->p, sizeof cell, &first));
  const int bad = 1 - s->now;
  cudaError_t e = ria_gpu_to_device(&s->p, first, &cell, sizeof cell);
  if (e == cudaSuccess)
    e = s->kernel->find_bad(&s->v, bad, (unsigned long long *)first, s->p.stream);
  if (e == cudaSuccess) e = ria_gpu_to_host(&s->p, &cell, first, sizeof cell);
  ria_gpu_drop(&s->p, first);
  SWG_TRY("finding what went wrong", e);
  if (cell == UINT64_MAX) return RIA_OK;
  const int32_t at = (int32_t)cell + ria_gpu_first_cell(&s->p);
  p->fail_i = at % s->p.grid.nx;
  p->fail_j = at / s->p.grid.nx;
  s->now = bad; /* look at the state that failed */
  ria_status status = ria_gpu_planes_sample(s, WATER_DEPTH, -1, 1, &at, &value[SW_H]);
  if (status == RIA_OK)
    status = ria_gpu_planes_sample(s, WATER_QX, -1, 1, &at, &value[SW_STATE_QX]);
  if (status == RIA_OK)
    status = ria_gpu_planes_sample(s, WATER_QY, -1, 1, &at, &value[SW_STATE_QY]);
  for (int m = 0; status == RIA_OK && m < s->v.nt; m++)
    status = ria_gpu_planes_sample(s, WATER_LOAD, m, 1, &at, &value[SW_STATE_C + m]);
  s->now = 1 - bad;
  if (!sw_tell_wrong(value[SW_H], value[SW_STATE_QX], value[SW_STATE_QY], value + SW_STATE_C,
                     s->v.nt, p->fail_what, sizeof p->fail_what))
    snprintf(p->fail_what, sizeof p->fail_what,
             "out of range together: depth %g m, discharge %g m^2/s and loads", value[SW_H],
             hypot(value[SW_STATE_QX], value[SW_STATE_QY]));
  return status;
}

/* The shortest step so far, in words. */
static void tell_shortest(swg *s) {
  const swg_report *c = s->seen;
  sw_tell_shortest(&s->progress, c->clock.dt_min, &c->why, s->p.grid.nx);
}

ria_status swg_progress(void *self, ria_progress *out) {
  swg *s = (swg *)self;
  ria_progress *p = &s->progress;
  RIA_TRY(ria_gpu_enter(&s->p));
  RIA_TRY(swg_get_clock(s));
  RIA_TRY(swg_crew_check(s->crew));
  const swg_report *c = s->seen;
  s->now = (int)((s->now + (c->clock.steps - p->steps)) % 2);
  p->t = c->clock.t;
  p->steps = c->clock.steps;
  p->dt = c->clock.dt;
  p->stepped = 1e-9 * (double)(c->spent - c->waited);
  p->waited = 1e-9 * (double)c->waited;
  if (c->clock.dt_min < p->dt_min) tell_shortest(s);
  if (c->clock.failure && p->failure == RIA_OK) RIA_TRY(explain_failure(s));
  *out = *p;
  return RIA_OK;
}
