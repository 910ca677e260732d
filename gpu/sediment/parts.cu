/* gpu/sediment/parts.cu - what parts of a grid say to each other, by way of the host
 * (ria_solver_ops.say): the greatest and the least of their coefficients, and what each pass found.
 *
 * A pass of all parts is a step or, if it was too long for one of them, is done again by all. */
#include "host.cuh"

#include <string.h>

/* Without a step to take nothing is said. */
ria_status sedg_say_pass(sedg *s) {
  RIA_TRY(sedg_get_report(s));
  s->waits = s->seen->clock.over ? 0 : SEDG_PASS;
  if (!s->waits) return RIA_OK;
  s->current = false;
  RIA_CUDA(s->p.ctx, "a time step", s->kernel->pass(&s->a, NULL, s->p.stream));
  return RIA_OK;
}

/* What fails here fails in `hear` again. */
bool sedg_say(void *self, ria_meeting *m) {
  sedg *s = (sedg *)self;
  if (s->waits == SEDG_WAYS) *m = s->words;
  if (s->waits != SEDG_PASS) return s->waits != 0;
  double pull = 0;
  int bad = 1;
  if (sedg_enter(s) == RIA_OK) {
    memcpy(&pull, &s->seen->pull, sizeof pull);
    bad = s->seen->bad;
  }
  *m = {{pull, (double)(bad != 0)}, {}, {}, NULL, 0};
  return true;
}

/* What all parts found is put where the tick looks for what this one has. */
static ria_status take_over(sedg *s, const ria_meeting *all) {
  RIA_TRY(sedg_get_report(s));
  memcpy(&s->seen->pull, &all->most[0], sizeof s->seen->pull);
  s->seen->bad = all->most[1] > 0;
  RIA_CUDA(s->p.ctx, "a time step",
           ria_gpu_to_device(&s->p, &s->a.report->pull, &s->seen->pull, sizeof s->seen->pull));
  RIA_CUDA(s->p.ctx, "a time step",
           ria_gpu_to_device(&s->p, &s->a.report->bad, &s->seen->bad, sizeof s->seen->bad));
  RIA_CUDA(s->p.ctx, "a time step",
           s->kernel->tick(&s->a, (cudaGraphConditionalHandle)0, 0, s->p.stream));
  s->current = false;
  RIA_TRY(sedg_get_report(s));
  return s->seen->clock.done_dt > 0 ? ria_gpu_planes_keep_maxima(&s->p) : RIA_OK;
}

ria_status sedg_hear(void *self, const ria_meeting *all) {
  sedg *s = (sedg *)self;
  const bool passed = s->waits == SEDG_PASS;
  s->waits = 0;
  RIA_TRY(ria_gpu_enter(&s->p));
  if (!passed) {
    sedg_know_ways(s, all);
    return RIA_OK;
  }
  RIA_TRY(take_over(s, all));
  return sedg_say_pass(s);
}
