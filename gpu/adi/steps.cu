/* gpu/adi/steps.cu - how the implicit solver is stepped on a GPU.
 *
 * The clock is on the device (adi_clock_k.h, tick.cuh). A span is one launch of a graph whose loop
 * repeats a round of six steps until the clock says that the span is over; kernels behind the last
 * step do nothing. There is a graph for each of the six places that a span may begin at. With
 * maxima, and with diffusion where dt = 0, the host queues round by round and looks at the clock in
 * between. */
#include "host.cuh"
#define RIA_PRECISION double
#include "solvers/adi/adi_k.h"
#undef RIA_PRECISION

#include <math.h>
#include <string.h>

/* --- before steps ----------------------------------------------------------------------------- */

/* What blocks of a look saw, on the host; waits. */
static ria_status look_and_wait(adig *s, int kind, adi_seen *all) {
  adi_seen seen[ADIG_LOOKS];
  s->on = s->p.stream;
  RIA_TRY(adig_look_at(s, kind));
  A_TRY("looking at the flow",
        ria_gpu_to_host(&s->p, seen, s->seen_blocks, (size_t)s->look_blocks * sizeof *seen));
  *all = adi_seen_none();
  for (int k = 0; k < s->look_blocks; k++) adi_see(all, &seen[k]);
  return RIA_OK;
}

/* Nothing is known of fluxes that were set: the next two sweeps take them for as large as can be.
 */
static ria_status forget_fastest(adig *s) {
  unsigned all[3 * ADIG_SLOTS];
  const float most = 3e38f;
  for (int k = 0; k < 3 * ADIG_SLOTS; k++) memcpy(&all[k], &most, sizeof most);
  A_TRY("preparing a step", ria_gpu_to_device(&s->p, s->fastest, all, sizeof all));
  return ria_gpu_planes_wait(&s->p);
}

ria_status adig_know_state(adig *s, double deepest, double head, double stored) {
  adi_clock *c = &s->host->clock;
  const ria_grid *g = &s->p.grid;
  if (!(c->dt_full > 0)) adi_first_pace(c, &s->rules, deepest);
  RIA_TRY(adi_check_eddy(s->p.ctx, &s->par, g, c->dt_full));
  if (s->rules.watched) {
    if (s->water_set) s->given.head = fmax(s->given.head, head); /* what was set is given */
    s->water_set = false;
    c->ceiling =
        adi_ceiling(&s->given, &s->par, g, fmax(0, stored) / (g->nx * g->dx * g->ny * g->dy));
  }
  RIA_TRY(forget_fastest(s));
  s->p.ready = true;
  return RIA_OK;
}

/* What is asked of the state that was set, of the part. */
static ria_status look_at_state(adig *s, double *deepest, double *head) {
  adi_seen seen = adi_seen_none();
  const bool asks = !(s->host->clock.dt_full > 0) || (s->rules.watched && s->water_set);
  if (asks) RIA_TRY(look_and_wait(s, ADIG_HEADS, &seen));
  *deepest = seen.deepest;
  *head = seen.high_cell >= 0 ? seen.highest : -HUGE_VAL;
  return RIA_OK;
}

ria_status adig_prepare(void *self, double t) {
  adig *s = (adig *)self;
  RIA_TRY(adig_enter(s));
  adi_clock *c = &s->host->clock;
  RIA_TRY(adig_check_rings(s));
  c->t = t;
  const adig_state a = adig_state_of(s, 0);
  for (int axis = 0; axis < 2; axis++) {
    const int now = s->now.flux[axis];
    A_TRY("preparing a step",
          s->kernel->settle(&a, axis, s->flux[axis][now], s->flux[axis][1 - now], s->p.stream));
  }
  c->look_now = true;
  c->high = s->host->judged = 0; /* of a state that is gone */
  return s->p.ring ? adig_meet_at_seam(s) : adig_look_and_tell(s);
}

ria_status adig_look_and_tell(adig *s) {
  ria_quantity_totals totals[1 + RIA_MAX_TRACERS] = {};
  RIA_TRY(look_at_state(s, &s->deepest, &s->head));
  if (!ria_gpu_whole(&s->p)) return adig_prepare_part(s);
  if (s->rules.watched) RIA_TRY(ria_gpu_planes_totals(s, totals));
  return adig_know_state(s, s->deepest, s->head, totals[0].stored);
}

/* --- a span ----------------------------------------------------------------------------------- */

/* Steps of the present length, or half as long again where they follow the flow. */
void adig_plan_diffusion(adig *s) {
  double most = 0;
  for (int m = 0; m < s->nt; m++) most = fmax(most, s->diffusion[m]);
  if (!(most > 0)) return;
  const double longest = (s->rules.dt > 0 ? 1 + 1e-6 : 1.5) * s->host->clock.dt_full;
  const int parts = adi_mix_parts(most, longest, s->p.grid.dx, s->p.grid.dy);
  const bool implicit = s->implicit || parts == 0;
  const int needed = parts == 0 ? (int)ADI_MOST_PARTS : parts;
  if (s->parts >= needed && s->implicit == implicit) return;
  s->parts = needed;
  s->implicit = implicit;
  adig_stale(s);
}

ria_status adig_send_report(adig *s) {
  adig_report *n = s->host;
  n->over =
      n->clock.failure || n->clock.steps >= n->clock.steps_stop || !(n->clock.t < n->clock.t_stop);
  n->bad = n->more_parts = n->stops = 0;
  A_TRY("a time step", ria_gpu_to_device(&s->p, s->report, n, sizeof *n));
  s->current = false;
  return RIA_OK;
}

/* A round was launched. Where dt follows the flow the next one may need more parts of diffusion. */
static ria_status hear(adig *s, bool *over) {
  RIA_TRY(adig_get_report(s));
  *over = s->host->over || s->host->clock.failure;
  if (*over) return RIA_OK;
  adig_plan_diffusion(s);
  return adig_send_report(s);
}

ria_status adig_queue_round(void *self, ria_round *round) {
  adig *s = (adig *)self;
  RIA_TRY(adig_queue_steps(s, round));
  return round->recorded ? RIA_OK : hear(s, &round->over);
}

static_assert((int)RIA_LOOP_PLACES >= (int)ADIG_ROUND, "a graph for each turn");

/* Graphs cannot hold maxima, whose memory is taken on the way, nor diffusion whose parts follow the
 * flow. Where a graph cannot be had or launched nothing was queued that changes the state. */
ria_status adig_go(adig *s) {
  const adi_clock *c = &s->host->clock;
  const bool replays = !s->p.n_track && (s->rules.dt > 0 || !s->parts);
  RIA_TRY(ria_loop_ready(&s->loop, (int)(c->steps % ADIG_ROUND), replays));
  RIA_TRY(adig_send_report(s));
  adig_set_turn(s, c->steps);
  if (c->look_now && !(s->rules.dt > 0)) RIA_TRY(adig_look_at(s, ADIG_NOW));
  const ria_status status = ria_loop_run(&s->loop);
  s->broken = status != RIA_OK && !s->loop.next;
  return status;
}

ria_status adig_advance(void *self, const ria_span *span) {
  adig *s = (adig *)self;
  RIA_TRY(ria_gpu_enter(&s->p));
  if (s->broken)
    return ria_fail(s->p.ctx, RIA_ERR_DEVICE,
                    "the GPU failed within a time step before; this simulation cannot go on");
  if (!ria_gpu_whole(&s->p))
    return ria_fail(s->p.ctx, RIA_ERR_DEVICE,
                    "parts of adi on GPUs step together alone, and cannot any more: run it in one "
                    "part (--parts 1), or with --device cpu");
  RIA_TRY(adig_get_report(s));
  const adi_clock *c = &s->host->clock;
  if (c->high && !c->failure) RIA_TRY(adig_judge(s)); /* memory ran out the last time */
  if (c->failure) return RIA_OK;
  if (!s->p.ready) RIA_TRY(adig_prepare(s, c->t));
  s->on = s->p.stream;
  RIA_TRY(adig_wrap_ground(s));
  RIA_TRY(adig_wrap_state(s));
  adig_plan_diffusion(s);
  adi_begin_span(&s->host->clock, span);
  return adig_go(s);
}
